//! What bots ask about a position of Chińczyk.

use crate::engine::game::{Game, MoveSet};
use crate::engine::race::{Feature, FeatureValues, Inputs, MAX_FEATURES, Race};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::pachisi::{Board, GOAL, LANE, Place, has, is_on_ring, seen_from};

use super::moves::{FIVE, Switches, closed, free_ahead, may_land};
use super::{Chinczyk, Moves, Rules, State, features};

impl Race for Chinczyk {
    const INPUTS: &'static [Inputs] = &[features::INPUTS];

    fn inputs(&self, _: u32, state: &State, seat: Seat, out: &mut [f32]) {
        self.write_inputs(state, seat, out);
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
            weight: -10.0,
        },
        Feature {
            name: "goal",
            about: "own tokens at the goal, 0 to 4",
            weight: 5.0,
        },
        Feature {
            name: "exposed",
            about: "own pips each enemy's next roll is expected to take, summed, 0 to 600",
            weight: -0.6,
        },
        Feature {
            name: "threatened",
            about: "pips the own next roll could take, each with its chance, their mean over the enemies, 0 to 250",
            weight: 0.3,
        },
        Feature {
            name: "blockades",
            about: "blockades on the ring with an own token, 0 to 4",
            weight: 2.0,
        },
        Feature {
            name: "held",
            about: "enemy tokens up to 12 squares behind them, or in the yard behind one on their start, 0 to 48",
            weight: 1.5,
        },
        Feature {
            name: "safe",
            about: "own tokens on the ring that cannot be captured where they stand, 0 to 4",
            weight: 1.5,
        },
        Feature {
            name: "lane",
            about: "own tokens in the lane, 0 to 4",
            weight: 2.0,
        },
        Feature {
            name: "to_play",
            about: "pips of the own dice and bonuses still to be played, 0 to 140",
            weight: 0.8,
        },
        Feature {
            name: "rivals",
            about: "pips the enemies' tokens have come, their mean, 0 to 288",
            weight: -1.0,
        },
        Feature {
            name: "partner",
            about: "pips the partner's tokens have come, less those the enemies' next rolls are expected to take, -600 to 288; 0 without teams",
            weight: 0.5,
        },
    ];

    fn course(&self) -> u32 {
        4 * u32::from(GOAL)
    }

    fn features(&self, state: &State, seat: Seat, out: &mut FeatureValues) {
        let switches = self.switches;
        let mine = state.0.seen_by(seat);
        let places = mine.own().to_le_bytes();
        let count = |holds: &dyn Fn(Place) -> bool| {
            f64::from(places.into_iter().filter(|&place| holds(place)).count() as u32)
        };
        let squares: u32 = places.iter().map(|&place| u32::from(place).pow(2)).sum();
        let closed = if switches.blockades { mine.pairs() } else { 0 };
        let uncaught = |place| is_on_ring(place) && !switches.captures_on(place);

        let (mut exposed, mut threatened, mut rivals) = (0, 0, 0);
        let enemies = self.enemies(seat);
        let partner = self.side_of(seat).iter().find(|&mate| mate != seat);
        let mut partner_exposed = 0;
        for enemy in enemies.iter() {
            let theirs = mine.seen_by(enemy);
            partner_exposed += partner.map_or(0, |mate| expected(&theirs, mate, switches));
            rivals += mine.progress(enemy);
            exposed += expected(&theirs, seat, switches);
            threatened += expected(&mine, enemy, switches);
        }
        let share = 1.0 / f64::from(enemies.len().max(1) as u32);
        let (blockades, held) = Self::held(&mine, enemies, closed);

        let memory = state.memory();
        let to_play = [memory.bonus(), memory.second_bonus()].into_iter();
        let to_play = to_play.chain(memory.dice()).map(u32::from).sum::<u32>();
        let partner_came = partner.map_or(0, |mate| mine.progress(mate));

        let values = [
            f64::from(mine.progress(seat)),
            f64::from(squares) / f64::from(GOAL),
            count(&|place| place == 0),
            count(&|place| place == GOAL),
            f64::from(exposed) / 36.0,
            f64::from(threatened) / 36.0 * share,
            f64::from(blockades),
            f64::from(held),
            count(&|place| uncaught(place) || has(closed, place)),
            count(&|place| (LANE..GOAL).contains(&place)),
            if state.to() == seat {
                f64::from(to_play)
            } else {
                0.0
            },
            f64::from(rivals) * share,
            f64::from(partner_came) - f64::from(partner_exposed) / 36.0,
        ];
        out[..values.len()].copy_from_slice(&values);
    }

    /// The position before the moves is looked at once, not once a move.
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

    /// Each enemy's next roll, independent of the others'.
    fn exposure(&self, state: &State, seat: Seat) -> f64 {
        let mine = state.0.seen_by(seat);
        let mut escapes = [1.0; 4];
        for enemy in self.enemies(seat).iter() {
            let hits = rolls_that_hit(&mine.seen_by(enemy), seat, self.switches);
            for (escape, rolls) in escapes.iter_mut().zip(hits) {
                *escape *= 1.0 - f64::from(rolls.count_ones()) / 36.0;
            }
        }
        let lost = mine.own().to_le_bytes().into_iter().zip(escapes);
        lost.map(|(place, escape)| f64::from(place) * (1.0 - escape))
            .sum()
    }

    /// Nobody plays in a team alone.
    fn solitaire(rules: Rules) -> Option<Chinczyk> {
        (!rules.teams).then(|| Chinczyk::at(rules, SeatSet::first(1)))
    }

    fn endgame(&self, runners: u8) -> Option<State> {
        if !(1..=4).contains(&runners) {
            return None;
        }
        let tokens = std::array::from_fn(|token| if token < runners.into() { 0 } else { GOAL });
        let corners =
            std::array::from_fn(|corner| self.seats.contains(Seat::new(corner)).then_some(tokens));
        let first = self.seats.iter().next()?;
        Some(State(Board::new(corners, first, self.switches.teams)))
    }
}

impl Chinczyk {
    /// The seats that play against a seat.
    fn enemies(&self, seat: Seat) -> SeatSet {
        let side = self.side_of(seat);
        self.seats
            .iter()
            .filter(|&other| !side.contains(other))
            .collect()
    }

    /// The blockades on the ring with a token of the mover, and how many enemies each holds up.
    fn held(mine: &Board, enemies: SeatSet, closed: u64) -> (u32, u32) {
        let (mut blockades, mut held) = (0, 0);
        let mut last = 0;
        for place in mine.own().to_le_bytes() {
            if place == last || !has(closed, place) {
                continue;
            }
            last = place;
            blockades += 1;
            for enemy in enemies.iter() {
                let Some(theirs) = seen_from(place, mine.corners_to(enemy) as u8) else {
                    continue;
                };
                let behind = |from: &Place| match from {
                    0 => theirs == 1,
                    _ => *from < theirs && theirs - from <= 12,
                };
                held += mine
                    .places(enemy)
                    .iter()
                    .filter(|from| behind(from))
                    .count() as u32;
            }
        }
        (blockades, held)
    }
}

/// The pips, in 36ths, that the mover's next roll is expected to take from `victim`.
fn expected(attacker: &Board, victim: Seat, switches: Switches) -> u32 {
    let places = attacker.places(victim).into_iter();
    let hits = rolls_that_hit(attacker, victim, switches);
    let lost = places
        .zip(hits)
        .map(|(place, rolls)| u32::from(place) * rolls.count_ones());
    lost.sum()
}

/// Some of the 36 ways two dice can fall: bit `6 * one + two - 7`.
type Rolls = u64;

const fn fall(one: u8, two: u8) -> Rolls {
    1 << (6 * one + two - 7) | 1 << (6 * two + one - 7)
}

/// The rolls that walk a distance: with one die, or one after the other.
const WALK: [Rolls; 13] = {
    let mut walk = [0; 13];
    let mut one = 1;
    while one <= 6 {
        let mut two = 1;
        while two <= 6 {
            walk[one as usize] |= fall(one, two);
            walk[(one + two) as usize] |= fall(one, two);
            two += 1;
        }
        one += 1;
    }
    walk
};

/// The rolls in which a die shows a number.
const SHOWS: [Rolls; 7] = {
    let mut shows = [0; 7];
    let mut one = 1;
    while one <= 6 {
        let mut two = 1;
        while two <= 6 {
            shows[one as usize] |= fall(one, two);
            two += 1;
        }
        one += 1;
    }
    shows
};

/// The rolls that hit each token of `victim`, as the mover's next roll: with a token, or with one
/// that enters. Exact for the two dice, but for what one of them changes: blockades it opens or
/// forms, and tokens that move by turns. What a bonus reaches is an estimate: from where a token
/// stands now, or from where one was captured, in every roll that earns the bonus.
fn rolls_that_hit(attacker: &Board, victim: Seat, switches: Switches) -> [Rolls; 4] {
    let mut hits = [0; 4];
    if !switches.captures {
        return hits;
    }
    let corners = attacker.corners_to(victim);
    let tokens = attacker.own().to_le_bytes();
    let closed = closed(attacker, switches);
    let free = tokens.map(|from| free_ahead(closed, from, switches));
    // Where the victim's tokens stand for the attacker, 0 if they cannot be hit there.
    let targets = attacker.tokens(corners).to_le_bytes().map(|place| {
        let place = seen_from(place, 4 - corners as u8).unwrap_or(0);
        let pair = switches.blockades && has(attacker.pairs(), place);
        if switches.captures_on(place) && !pair {
            place
        } else {
            0
        }
    });
    if targets == [0; 4] {
        return hits;
    }
    let mut goal = 0;
    for (from, free) in tokens.into_iter().zip(free) {
        goal |= walks(attacker, from, GOAL, free, switches);
        for (hits, target) in hits.iter_mut().zip(targets) {
            *hits |= walks(attacker, from, target, free, switches);
        }
    }
    let first = hits;
    let captures = first[0] | first[1] | first[2] | first[3];
    let reached = |from: Place, target: Place, bonus: u8| {
        from != 0
            && bonus != 0
            && from + bonus == target
            && free_ahead(closed, from, switches) >= bonus
    };
    for (hits, target) in hits.iter_mut().zip(targets) {
        for from in tokens {
            if reached(from, target, switches.capture_bonus) {
                *hits |= captures;
            }
            if reached(from, target, switches.goal_bonus) {
                *hits |= goal;
            }
        }
        for (from, rolls) in targets.into_iter().zip(first) {
            if reached(from, target, switches.capture_bonus) {
                *hits |= rolls;
            }
        }
    }
    hits
}

/// The rolls that bring the mover's token from a place to another, entering it if need be; 0 is
/// no target.
fn walks(board: &Board, from: Place, target: Place, free: u8, switches: Switches) -> Rolls {
    let from_start = target.wrapping_sub(1);
    if from == 0 {
        let may_enter = free != 0 && may_land(board, 1, switches);
        return match from_start {
            _ if !may_enter || free < target => 0,
            0 if switches.enter_on_sum => WALK[FIVE as usize],
            0 => SHOWS[FIVE as usize],
            1..=6 => fall(FIVE, from_start),
            _ => 0,
        };
    }
    let distance = target.wrapping_sub(from);
    if distance == 0 || distance > 12 || distance > free {
        return 0;
    }
    if switches.blockades && switches.share {
        return WALK[distance as usize];
    }
    // The square between the two dice must be one to stand on.
    let mut rolls = if distance <= 6 {
        SHOWS[distance as usize]
    } else {
        0
    };
    for one in distance.saturating_sub(6).max(1)..=6.min(distance - 1) {
        if may_land(board, from + one, switches) {
            rolls |= fall(one, distance - one);
        }
    }
    rolls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Turn;
    use crate::engine::play::{Blind, Chooser, SeededDice, play};
    use crate::engine::race;
    use crate::engine::random::{BlockKey, Purpose, Stream};

    fn at(text: &str, change: impl Fn(&mut Rules)) -> (Chinczyk, State) {
        let mut rules = Rules::default();
        change(&mut rules);
        let game = Chinczyk::new(rules, Chinczyk::seats_of(text).expect("seats")).expect("a table");
        let state = game.parse(text).expect("a position");
        (game, state)
    }

    fn exposure(text: &str) -> f64 {
        let (game, state) = at(text, |_| {});
        game.exposure(&state, Seat::A)
    }

    fn feature(name: &str, seat: usize, text: &str, change: impl Fn(&mut Rules)) -> f64 {
        let named = |feature: &Feature| feature.name == name;
        let index = Chinczyk::FEATURES.iter().position(named);
        let (game, state) = at(text, change);
        let mut values = [0.0; MAX_FEATURES];
        game.features(&state, Seat::new(seat), &mut values);
        values[index.expect("a feature")]
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    /// Section 4.1 of the rules page of Parchís: outcomes of 36 that reach exactly a distance.
    #[test]
    fn a_lone_attacker_reaches_a_distance_as_often_as_the_rules_page_says() {
        let published = [11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1];
        for (distance, outcomes) in (1..).zip(published) {
            // C walks from 53 on; 54 to 65 have no black square but 56, a start, and 63.
            let square = 69 - 28 + distance;
            let text = format!("A:G,G,G,{square} C:41,G,G,G to=C");
            let (game, state) = at(&text, |rules| rules.safe_squares = false);
            let pips = f64::from(square - 4);
            let found = game.exposure(&state, Seat::A) / pips * 36.0;
            assert_near(found, f64::from(outcomes));
        }
        let text = "A:G,G,G,55 C:41,G,G,G to=C";
        assert_near(exposure(text), 0.0);
    }

    #[test]
    fn safe_squares_and_blockades_protect() {
        // A on 46, a black square; A behind a blockade of B; A in a blockade.
        assert_near(exposure("A:G,G,G,46 C:44,G,G,G to=C"), 0.0);
        let (game, state) = at("A:G,G,G,45 B:44,44,G,G C:42,G,G,G to=C", |_| {});
        assert_near(game.exposure(&state, Seat::A) * 36.0, 41.0 * 11.0);
        assert_near(exposure("A:G,G,45,45 C:44,G,G,G to=C"), 0.0);
        // Without blockades the token of C on 43 is in the way of 1 and 1, no more.
        let text = "A:G,G,G,44 C:42,43,G,G to=C";
        let (game, state) = at(text, |rules| rules.blockades = false);
        assert_near(game.exposure(&state, Seat::A) * 36.0, 40.0 * 20.0);
    }

    #[test]
    fn a_token_on_a_start_square_is_hit_by_who_enters() {
        assert_near(exposure("A:G,G,G,39 C:H,H,H,H to=C") * 36.0, 35.0 * 15.0);
        // Three squares on: a five and a three.
        assert_near(exposure("A:G,G,G,42 C:H,H,H,H to=C") * 36.0, 38.0 * 2.0);
        let (game, state) = at("A:G,G,G,39 C:H,H,H,H to=C", |rules| {
            rules.enter_on = super::super::EnterOn::Die;
        });
        assert_near(game.exposure(&state, Seat::A) * 36.0, 35.0 * 11.0);
    }

    #[test]
    fn a_bonus_reaches_further() {
        // C hits 44 with 3 and then 54 with the bonus; 54 is out of reach of the dice.
        let text = "A:G,G,44,54 C:41,G,G,G to=C";
        assert_near(exposure(text) * 36.0, (40.0 + 50.0) * 13.0);
        // A token at the goal takes 57 with the 15.
        let text = "A:G,G,G,57 C:42,c7,G,G to=C";
        assert_near(exposure(text) * 36.0, 53.0 * 11.0);
    }

    #[test]
    fn the_features_of_positions_counted_by_hand() {
        // A has come 6, 6, 16 and 66 pips; B 2 and 68; D 3. 10 is a blockade of A, 20 is bare.
        let text = "A:10,10,20,c2 B:9,H,23,c4 D:7,H,H,H to=A";
        for (name, seat, expected) in [
            ("progress", 0, 94.0),
            ("lead", 0, f64::from(36 + 36 + 256 + 66 * 66) / 72.0),
            ("yard", 0, 0.0),
            ("yard", 3, 3.0),
            ("goal", 0, 0.0),
            ("blockades", 0, 1.0),
            ("blockades", 1, 0.0),
            // B on 9 and D on 7.
            ("held", 0, 2.0),
            ("safe", 0, 2.0),
            ("lane", 0, 1.0),
            ("to_play", 0, 0.0),
            // B has come 56, 2 and 68, D 20.
            ("rivals", 0, f64::from(56 + 2 + 68 + 20) / 2.0),
            ("partner", 0, 0.0),
            // 20 from 9 and 7, behind the blockade on 10.
            ("exposed", 0, 0.0),
            ("threatened", 0, 2.0 * 13.0 / 36.0 / 2.0),
        ] {
            let found = feature(name, seat, text, |_| {});
            assert!((found - expected).abs() < 1e-9, "{name} of {seat}: {found}");
        }
    }

    #[test]
    fn the_partner_is_no_rival() {
        let text = "A:10,H,H,H B:H,H,H,23 C:H,H,H,42 D:H,H,H,H to=A";
        let teams = |rules: &mut Rules| rules.teams = true;
        assert_near(feature("partner", 0, text, teams), 4.0);
        assert_near(feature("rivals", 0, text, teams), 1.0);
        assert_near(feature("partner", 0, text, |_| {}), 0.0);
        // B stands three squares behind C's token, which has come five pips.
        let hunted = "A:10,H,H,H B:H,H,H,40 C:H,H,H,43 D:H,H,H,H to=A";
        let expected = 5.0 * (1.0 - 13.0 / 36.0);
        assert_near(feature("partner", 0, hunted, teams), expected);
        assert_near(feature("rivals", 0, text, |_| {}), 2.0);
        assert_near(
            feature(
                "to_play",
                0,
                &text.replace("to=A", "to=A dice=3 again=1 bonus=10"),
                teams,
            ),
            13.0,
        );
    }

    /// Plays at random and compares [`Race::gains`] with whole positions at every decision.
    struct Compare(Stream);

    impl Chooser<Chinczyk> for Compare {
        fn choose(&mut self, game: &Chinczyk, state: &State, seat: Seat, moves: &Moves) -> usize {
            let mut all = moves.iter();
            game.gains(state, seat, moves, |found, from| {
                let mv = all.next().expect("a move for each visit");
                assert_eq!((*found, from), race::gain(game, state, seat, mv));
            });
            assert_eq!((all.next(), game.turn(state)), (None, Turn::Decision(seat)));
            self.0.below(moves.len() as u64) as usize
        }
    }

    #[test]
    fn gains_are_the_differences_of_whole_positions() {
        for teams in [false, true] {
            let rules = Rules {
                teams,
                ..Rules::default()
            };
            let game = Chinczyk::new(rules, SeatSet::first(4)).expect("a table");
            let block = BlockKey::new(3, 4);
            let mut compare = Compare(block.stream(Purpose::Bot, Seat::A));
            let mut dice = SeededDice::new(block);
            let start = game.start(Seat::A);
            play(
                &game,
                start,
                &mut dice,
                &mut compare,
                &mut Blind,
                &mut Moves::default(),
                200,
            );
        }
    }
}
