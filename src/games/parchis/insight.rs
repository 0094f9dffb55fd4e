//! What bots ask about a position of Parchís.

use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::race::{Feature, FeatureValues, Inputs, MAX_FEATURES, Race, ShippedNet};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::pachisi::{Board, GOAL, LANE, Place, START, has, is_on_ring, ones_of, seen_from};

use super::moves::{Moves, barrier_tokens};
use super::state::State;
use super::{Parchis, Rules, captures, dangers, features};

/// Squares that one roll walks at the most.
pub(super) const REACH: u8 = 7;

impl Race for Parchis {
    const INPUTS: &'static [Inputs] = &[features::INPUTS, dangers::INPUTS];
    const NETS: &'static [ShippedNet] = &[
        ("", include_bytes!("learned.net")),
        ("answer-random", include_bytes!("answer-random.net")),
        ("answer-random-256", include_bytes!("answer-random-256.net")),
    ];

    fn inputs(&self, version: u32, state: &State, seat: Seat, out: &mut [f32]) {
        if version == dangers::INPUTS.version {
            self.write_dangers(state, seat, out);
        } else {
            self.write_inputs(state, seat, out);
        }
    }

    const FEATURES: &'static [Feature] = &[
        Feature {
            name: "progress",
            about: "pips the own tokens have come, 0 to 288",
            weight: 1.0,
        },
        Feature {
            name: "lead",
            about: "how uneven they have come: their squares summed, over 72, 0 to 288",
            weight: 0.1,
        },
        Feature {
            name: "yard",
            about: "own tokens in the yard, 0 to 4",
            weight: -8.0,
        },
        Feature {
            name: "home",
            about: "own tokens in the lane or at the goal, 0 to 4",
            weight: 4.0,
        },
        Feature {
            name: "safe",
            about: "own tokens on safe squares, 0 to 4",
            weight: 4.0,
        },
        Feature {
            name: "barriers",
            about: "own barriers, 0 to 2",
            weight: 2.0,
        },
        Feature {
            name: "held",
            about: "enemies up to seven squares behind an own barrier, or in the yard with their start under it, 0 to 24",
            weight: 1.5,
        },
        Feature {
            name: "stuck",
            about: "own tokens on the ring up to seven squares behind a barrier that is not their own, 0 to 4",
            weight: -1.5,
        },
        Feature {
            name: "exposed",
            about: "own pips each enemy's next roll is expected to take, summed, 0 to 768",
            weight: -0.8,
        },
        Feature {
            name: "hunted",
            about: "own tokens each enemy's next roll is expected to take, summed, 0 to 12",
            weight: -10.0,
        },
        Feature {
            name: "followed",
            about: "enemies up to fourteen squares behind each own token that is on no safe square, summed, 0 to 48",
            weight: -1.0,
        },
        Feature {
            name: "threatened",
            about: "pips the own next roll could take, each with the chance of its faces, their mean over the enemies, 0 to 256",
            weight: 0.4,
        },
        Feature {
            name: "prey",
            about: "enemies the own next roll could take, each with the chance of its faces, 0 to 12",
            weight: 5.0,
        },
        Feature {
            name: "rivals",
            about: "pips the other seats' tokens have come, their mean, 0 to 288",
            weight: -1.0,
        },
        Feature {
            name: "bonus",
            about: "squares of the bonus that is about to be walked, 0 to 70",
            weight: 0.9,
        },
        Feature {
            name: "at_stake",
            about: "own pips that sixes to come are expected to send back, 0 to 11",
            weight: -1.0,
        },
    ];

    fn course(&self) -> u32 {
        4 * u32::from(GOAL)
    }

    fn features(&self, state: &State, seat: Seat, out: &mut FeatureValues) {
        let board = state.board.seen_by(seat);
        let own = board.own();
        let places = own.to_le_bytes();
        let count = |counts: &dyn Fn(Place) -> bool| {
            places.iter().filter(|&&place| counts(place)).count() as f64
        };
        let squares: u32 = places.iter().map(|&place| u32::from(place).pow(2)).sum();

        let paired = barrier_tokens(&board, self.switches);
        let own_barriers = || ones_of(paired).map(|index| places[index]);
        let ring_barriers = own_barriers().filter(|&place| is_on_ring(place));
        let own_squares = ring_barriers.fold(0, |mask, place| mask | 1 << (place - 1));
        let others = board.pairs() & self.switches.barriers & !own_squares;
        let meets = |place| is_on_ring(place) && others.unbounded_shr(u32::from(place)) & 0x7f != 0;

        let (mut rivals, mut held, mut followed) = (0, 0, 0);
        let [mut lost, mut taken] = [Toll::default(); 2];
        let mine = Reach::of(self, board);
        for (corner, enemy) in self.enemies(&board) {
            rivals += board.progress(enemy);
            let theirs = board.tokens(corner).to_le_bytes();
            taken.add(&mine, corner, theirs);
            lost.add(&Reach::of(self, board.seen_by(enemy)), 4 - corner, places);
            let seen = |place| seen_from(place, corner as u8);
            let barriers = own_barriers().filter_map(seen);
            held += barriers
                .map(|barrier| behind(barrier, theirs, REACH))
                .sum::<usize>();
            let alone = places
                .iter()
                .filter(|&&place| !has(self.switches.safe, place));
            let alone = alone.filter_map(|&place| seen(place));
            followed += alone
                .map(|place| behind(place, theirs, 2 * REACH))
                .sum::<usize>();
        }
        // One share for each enemy, none for a seat alone.
        let share = 1.0 / (self.seats.len() - 1).max(1) as f64;
        let is_mover = state.to() == seat;
        *out = [
            f64::from(board.progress(seat)),
            f64::from(squares) / f64::from(GOAL),
            count(&|place| place == 0),
            count(&|place| place >= LANE),
            count(&|place| has(self.switches.safe, place)),
            f64::from(paired.count_ones()),
            held as f64,
            count(&meets),
            f64::from(lost.pips) / 6.0,
            f64::from(lost.tokens) / 6.0,
            followed as f64,
            f64::from(taken.pips) / 6.0 * share,
            f64::from(taken.tokens) / 6.0,
            f64::from(rivals) * share,
            if is_mover {
                f64::from(state.bonus())
            } else {
                0.0
            },
            if is_mover { at_stake(state) } else { 0.0 },
        ];
    }

    /// As the moves of one decision start from one position, that is looked at once.
    fn gains(
        &self,
        state: &State,
        seat: Seat,
        moves: &Moves,
        mut visit: impl FnMut(&FeatureValues, u16),
    ) {
        let mut before = [0.0; MAX_FEATURES];
        self.features(state, seat, &mut before);
        for mv in moves.iter() {
            let mut after = *state;
            let effect = self.apply(&mut after, mv);
            let mut gained = [0.0; MAX_FEATURES];
            self.features(&after, seat, &mut gained);
            for (gained, before) in gained.iter_mut().zip(before) {
                *gained -= before;
            }
            visit(&gained, effect.from);
        }
    }

    /// Each enemy's next roll, independent of the others', with all that its bonuses can hit.
    fn exposure(&self, state: &State, seat: Seat) -> f64 {
        let board = state.board.seen_by(seat);
        let mut stays = [1.0; 4];
        for (corner, enemy) in self.enemies(&board) {
            let reach = Reach::of(self, board.seen_by(enemy));
            for (stays, place) in stays.iter_mut().zip(board.places(seat)) {
                *stays *= 1.0 - f64::from(reach.faces(4 - corner, place)) / 6.0;
            }
        }
        let lost = stays.iter().zip(board.places(seat));
        lost.map(|(stays, place)| f64::from(place) * (1.0 - stays))
            .sum()
    }

    fn solitaire(rules: Rules) -> Option<Parchis> {
        Some(Parchis::at(rules, SeatSet::first(1)))
    }

    /// The runners wait in the yard, the other tokens are at the goal.
    fn endgame(&self, runners: u8) -> Option<State> {
        if !(1..=4).contains(&runners) {
            return None;
        }
        let tokens = std::array::from_fn(|index| if index < runners.into() { 0 } else { GOAL });
        let corners =
            std::array::from_fn(|corner| self.seats.contains(Seat::new(corner)).then_some(tokens));
        Some(State::awaiting(corners, self.seats.iter().next()?))
    }
}

impl Parchis {
    /// The other seats in play as the one sees them whose board it is: how many corners further
    /// on, and who.
    pub(super) fn enemies(&self, board: &Board) -> impl Iterator<Item = (usize, Seat)> + use<> {
        let (seats, to) = (self.seats, board.to().index());
        let all = (1..4).map(move |corner| (corner, Seat::new((to + corner) & 3)));
        all.filter(move |&(_, seat)| seats.contains(seat))
    }
}

/// Tokens of a seat up to so many squares behind this place of their route, or in the yard
/// when it is their start.
pub(super) fn behind(place: Place, tokens: [Place; 4], squares: u8) -> usize {
    let waits = |&&token: &&Place| match token {
        0 => place == START,
        _ => token < place && place - token <= squares,
    };
    tokens.iter().filter(waits).count()
}

/// The own pips that the sixes to come in this turn are expected to send back. Of a token that
/// will move only then nothing is known yet.
pub(super) fn at_stake(state: &State) -> f64 {
    let counted = state.sixes() + u8::from(state.die() == 6);
    if counted == 2 && is_on_ring(state.last()) {
        f64::from(state.last()) / 6.0
    } else {
        0.0
    }
}

/// What a seat that begins its turn could hit with its first roll and the bonuses of it: for each
/// face and each other corner the places hit, in that corner's own counting, bit `place - 1`.
struct Reach([[u64; 3]; 6]);

impl Reach {
    /// Of the seat that sees the board so.
    fn of(game: &Parchis, board: Board) -> Reach {
        let mut reach = Reach([[0; 3]; 6]);
        if board.is_finished() {
            return reach;
        }
        for (die, hit) in (1..).zip(&mut reach.0) {
            let mut state = State { board };
            state.set_turn(die, 0, 0, 0);
            follow(game, &state, hit);
        }
        reach
    }

    /// How many of the six faces hit this place of the seat `corner` corners on.
    fn faces(&self, corner: usize, place: Place) -> u32 {
        let hit = self.0.iter().filter(|hit| has(hit[corner - 1], place));
        hit.count() as u32
    }
}

/// What rolls take from a seat, summed over the six faces.
#[derive(Clone, Copy, Default)]
struct Toll {
    tokens: u32,
    pips: u32,
}

impl Toll {
    /// Adds what is in reach of these tokens of the seat `corner` corners on.
    fn add(&mut self, reach: &Reach, corner: usize, tokens: [Place; 4]) {
        for place in tokens {
            let faces = reach.faces(corner, place);
            self.tokens += faces;
            self.pips += u32::from(place) * faces;
        }
    }
}

/// Notes what the rest of a roll can hit.
fn follow(game: &Parchis, state: &State, hit: &mut [u64; 3]) {
    let mut moves = Moves::default();
    game.moves(state, &mut moves);
    for mv in moves.iter().filter(|mv| mv.walks()) {
        let here = state.board.at(mv.to());
        let captures = captures(here, mv, game.switches);
        if captures {
            for (corner, hit) in (1..).zip(hit.iter_mut()) {
                if let (true, Some(place)) =
                    (here.of(corner) != 0, seen_from(mv.to(), corner as u8))
                {
                    *hit |= 1 << (place - 1);
                }
            }
        }
        if captures || mv.to() == GOAL {
            let mut next = *state;
            if let Turn::Decision(_) = game.apply(&mut next, mv).next {
                follow(game, &next, hit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> (Parchis, State) {
        let game = Parchis::new(Rules::default(), Parchis::seats_of(text).unwrap()).unwrap();
        let state = game.parse(text).unwrap();
        (game, state)
    }

    fn assert_near(what: &str, found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-9,
            "{what}: {found} is not {expected}"
        );
    }

    #[test]
    fn the_features_of_positions_counted_by_hand() {
        // A has come 1, 16 and 66 pips, C 46; C hits 20 with a four.
        let two = "A:H,5,20,c2 C:H,H,H,16 to=A";
        // C has come 43 pips; A hits it with a three and walks 20 more.
        let hits = "A:H,H,10,G C:G,G,G,13 to=A";
        // Barriers of A on 12 and of C on 34; B waits behind the first, A behind the other.
        let barriers = "A:12,12,29,33 B:H,5,6,11 C:H,H,34,34 to=A";
        for (name, seat, text, expected) in [
            ("progress", 0, two, 83.0),
            ("progress", 2, two, 46.0),
            ("lead", 0, two, f64::from(1 + 16 * 16 + 66 * 66) / 72.0),
            ("yard", 0, two, 1.0),
            ("yard", 2, two, 3.0),
            ("home", 0, two, 1.0),
            ("home", 0, hits, 1.0),
            ("safe", 0, two, 1.0),
            ("safe", 0, barriers, 3.0),
            ("barriers", 0, barriers, 1.0),
            ("barriers", 2, barriers, 1.0),
            ("barriers", 1, barriers, 0.0),
            ("held", 0, barriers, 3.0),
            ("held", 2, barriers, 2.0),
            ("held", 0, "A:H,H,22,22 B:H,H,H,30 C:H,H,15,14 to=A", 4.0),
            ("stuck", 0, barriers, 2.0),
            ("stuck", 1, barriers, 3.0),
            ("exposed", 0, two, 16.0 / 6.0),
            ("exposed", 2, two, 0.0),
            ("threatened", 2, two, 16.0 / 6.0),
            ("exposed", 2, hits, 43.0 / 6.0),
            ("threatened", 0, hits, 43.0 / 6.0),
            (
                "threatened",
                0,
                "A:H,H,10,G B:H,H,H,H C:G,G,G,13 to=A",
                43.0 / 12.0,
            ),
            ("rivals", 0, two, 46.0),
            (
                "rivals",
                0,
                "A:H,H,10,G B:H,H,H,H C:G,G,G,13 to=A",
                f64::from(3 * 72 + 43) / 2.0,
            ),
            ("hunted", 0, two, 1.0 / 6.0),
            ("hunted", 2, hits, 1.0 / 6.0),
            ("prey", 0, hits, 1.0 / 6.0),
            // C on 16 is behind 20; 5 is safe.
            ("followed", 0, two, 1.0),
            ("followed", 0, "A:H,H,12,20 C:H,H,6,5 to=A", 1.0),
            ("followed", 0, "A:H,H,39,40 C:H,H,H,33 to=A", 0.0),
            ("followed", 0, "A:H,H,40,53 C:H,H,H,39 to=A", 2.0),
            (
                "bonus",
                0,
                "A:H,H,13,G C:H,H,H,H to=A last=13 dice=3 bonus=20",
                20.0,
            ),
            (
                "bonus",
                2,
                "A:H,H,13,G C:H,H,H,H to=A last=13 dice=3 bonus=20",
                0.0,
            ),
            (
                "at_stake",
                0,
                "A:H,H,20,30 C:H,H,H,H to=A sixes=2 last=30",
                26.0 / 6.0,
            ),
            (
                "at_stake",
                2,
                "A:H,H,20,30 C:H,H,H,H to=A sixes=2 last=30",
                0.0,
            ),
            (
                "at_stake",
                0,
                "A:H,H,20,c1 C:H,H,H,H to=A sixes=2 last=c1",
                0.0,
            ),
        ] {
            let index = Parchis::FEATURES
                .iter()
                .position(|feature| feature.name == name);
            let (game, state) = position(text);
            let mut values = [f64::NAN; MAX_FEATURES];
            game.features(&state, Seat::new(seat), &mut values);
            let what = format!("{name} of {} in {text}", Seat::new(seat));
            assert_near(&what, values[index.unwrap()], expected);
        }
    }

    #[test]
    fn exposure_is_the_chance_to_be_hit_by_the_next_roll() {
        for (text, expected) in [
            // One lone token behind: five faces, and the six that counts seven.
            ("A:H,H,H,13 C:G,G,G,10 to=A", 9.0 / 6.0),
            ("A:H,H,H,13 C:G,G,G,7 to=A", 0.0),
            ("A:H,H,H,13 C:G,G,G,6 to=A", 9.0 / 6.0),
            // With a token in the yard the five must enter and the six counts six.
            ("A:H,H,H,13 C:H,G,G,8 to=A", 0.0),
            ("A:H,H,H,13 C:H,G,G,7 to=A", 9.0 / 6.0),
            // A safe square; a barrier on the way; a lane.
            ("A:H,H,H,12 C:G,G,G,10 to=A", 0.0),
            ("A:H,12,12,13 C:G,G,G,10 to=A", 0.0),
            ("A:H,H,H,c1 C:G,G,G,67 to=A", 0.0),
            // C turns into its lane after 34.
            ("A:H,H,H,36 C:G,G,G,33 to=A", 0.0),
            // C enters; not onto a barrier.
            ("A:H,H,H,39 C:H,H,H,H to=A", 35.0 / 6.0),
            ("A:H,H,39,39 C:H,H,H,H to=A", 0.0),
            // Two of one seat: two of its six faces. Two seats roll independently.
            ("A:H,H,H,13 C:G,G,10,9 to=A", 2.0 * 9.0 / 6.0),
            (
                "A:H,H,H,13 B:G,G,G,11 C:G,G,G,10 to=A",
                9.0 * (1.0 - 25.0 / 36.0),
            ),
            // Two on a plain square go together.
            ("A:H,H,13,13 C:G,G,G,10 to=A", 18.0 / 6.0),
            // D takes B with a three and walks 20 more, onto A.
            ("A:H,H,H,13 B:H,H,H,61 D:H,H,H,58 to=A", 9.0 / 6.0),
            // C is at the goal and walks 10 with its other token.
            ("A:H,H,H,20 C:G,G,c7,10 to=A", 16.0 / 6.0),
        ] {
            let (game, state) = position(text);
            assert_near(text, game.exposure(&state, Seat::A), expected);
        }
    }
}
