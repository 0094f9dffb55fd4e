//! What bots ask about a position of Mensch ärgere dich nicht.

use crate::engine::game::{Game, MoveSet};
use crate::engine::race::{self, Feature, FeatureValues, Inputs, MAX_FEATURES, Race, ShippedNet};
use crate::engine::seat::Seat;

use super::moves::{Moves, target};
use super::state::{
    BOARD, LANE, LANE_SHIFT, ONE_IN_YARD, Place, RING, START_PLACE, State, YARD, YARD_GAP, bit_of,
    cells_turned_by, places, seen_from,
};
use super::{Mensch, Rules, features};

/// The pips the tokens of one word have come.
pub(super) fn progress(word: u64) -> u32 {
    places(word & BOARD).map(u32::from).sum()
}

impl Race for Mensch {
    const INPUTS: &'static [Inputs] = &[features::INPUTS];
    const NETS: &'static [ShippedNet] = &[("", include_bytes!("learned.net"))];

    fn inputs(&self, _: u32, state: &State, seat: Seat, out: &mut [f32]) {
        self.write_inputs(state, seat, out);
    }

    const FEATURES: &'static [Feature] = &[
        Feature {
            name: "progress",
            about: "pips the own tokens have come, 0 to 170",
            weight: 0.2,
        },
        Feature {
            name: "lead",
            about: "how uneven they have come: their squares summed, over 44, for each enemy, 0 to 495",
            weight: 0.25,
        },
        Feature {
            name: "settled",
            about: "own tokens on the lane with no free cell ahead, 0 to 4",
            weight: 4.0,
        },
        Feature {
            name: "exposed",
            about: "own pips each enemy's next roll is expected to take, summed, 0 to 500",
            weight: -0.45,
        },
        Feature {
            name: "threatened",
            about: "pips the own next roll could take, each with the chance of its die, their mean over the enemies, 0 to 160",
            weight: 0.4,
        },
        Feature {
            name: "rivals",
            about: "pips the other seats' tokens have come, their mean, 0 to 170",
            weight: -1.0,
        },
    ];

    fn course(&self) -> u32 {
        41 + 42 + 43 + 44
    }

    fn features(&self, state: &State, seat: Seat, out: &mut FeatureValues) {
        let measures = self.measures(&Outlook::new(state, seat));
        for ((out, measure), unit) in out.iter_mut().zip(measures).zip(self.units()) {
            *out = f64::from(measure) * unit;
        }
    }

    /// What a token adds depends only on its own place and the enemies, so a move that does not
    /// capture changes what its own token adds and nothing else: less than half of the
    /// instructions of a game between racers, compared with whole positions.
    fn gains(
        &self,
        state: &State,
        seat: Seat,
        moves: &Moves,
        mut visit: impl FnMut(&FeatureValues, u16),
    ) {
        let outlook = Outlook::new(state, seat);
        let units = self.units();
        let mut values = [0.0; MAX_FEATURES];
        for mv in moves.iter() {
            if mv.captures() || mv.is_pass() {
                let (values, from) = race::gain(self, state, seat, mv);
                visit(&values, from);
                continue;
            }
            let from = mv.from();
            let to = target(from, state.die());
            let (new, old) = (self.token(&outlook, to), self.token(&outlook, from));
            for index in 0..units.len() {
                values[index] = f64::from(new[index] - old[index]) * units[index];
            }
            if to > 40 {
                let own = outlook.mine & BOARD;
                let settles = settled(own & !bit_of(from) | bit_of(to)) - settled(own);
                values[2] = f64::from(settles);
            }
            visit(&values, u16::from(from));
        }
    }

    /// The pips an enemy loses, which is all there is to weigh here too. Said at once, because the
    /// whole effect of each move takes 5 % of the instructions of a game between greedy bots.
    #[inline(always)]
    fn prizes(
        &self,
        state: &State,
        _: Seat,
        moves: &Moves,
        mut visit: impl FnMut(i32, u16),
    ) -> bool {
        for mv in moves.iter() {
            let (prize, from) = if mv.is_pass() {
                (i32::MIN, 0)
            } else if mv.captures() {
                (self.preview(state, mv).lost.into(), mv.from().into())
            } else {
                (0, mv.from().into())
            };
            visit(prize, from);
        }
        true
    }

    /// Each enemy's next roll, independent of the others', and all three tries of one that waits
    /// for its six.
    fn exposure(&self, state: &State, seat: Seat) -> f64 {
        let outlook = Outlook::new(state, seat);
        let lost = places(outlook.mine & RING).map(|place| {
            let safe = outlook.enemies().map(|(corners, theirs)| {
                1.0 - f64::from(self.hit_chance(theirs, seen_from(place, corners))) / 216.0
            });
            f64::from(place) * (1.0 - safe.product::<f64>())
        });
        lost.sum()
    }

    fn solitaire(rules: Rules) -> Option<Mensch> {
        Some(Mensch::solitaire(rules))
    }

    /// The runners wait in the yard, the other tokens fill the lane from its end.
    fn endgame(&self, runners: u8) -> Option<State> {
        if !(1..=4).contains(&runners) {
            return None;
        }
        let settled = LANE << runners & LANE;
        let word = settled + u64::from(runners) * ONE_IN_YARD;
        let corners = std::array::from_fn(|corner| {
            let taken = self.seats.contains(Seat::new(corner));
            if taken { word } else { 0 }
        });
        let first = self.seats.iter().next()?;
        Some(State::awaiting(corners, first, 0))
    }
}

/// The features in whole numbers, so that they add and subtract exactly; what one of each counts
/// is in [`Mensch::units`].
type Measures = [i32; 6];

/// The board as one seat sees it.
struct Outlook {
    mine: u64,
    /// The seats one, two and three corners on, each in its own numbering; 0 if nobody sits there.
    theirs: [u64; 3],
    /// What the own rolls can hit.
    prey: Prey,
    /// The ring cells from which they can walk on, bit `place + 5`, and once more the last six
    /// below the first: what stands behind a token there is a shift away. One word for each
    /// quarter of the ring: where it begins, those of the seat that starts there turn into their
    /// lane.
    walkers: [u64; 4],
}

impl Outlook {
    #[inline(always)]
    fn new(state: &State, seat: Seat) -> Outlook {
        let word = |corners| state.word(Seat::new((seat.index() + corners) & 3));
        let theirs = [word(1), word(2), word(3)];
        let prey = Prey::new(theirs);
        let taken = prey.cells;
        let walkers = |corners: u32| {
            let turn_in = if corners == 0 {
                0
            } else {
                cells_turned_by(theirs[corners as usize - 1], 10 * corners) & last_six(corners)
            };
            let cells = taken & !turn_in;
            cells | cells >> 40
        };
        Outlook {
            mine: word(0),
            theirs,
            prey,
            walkers: [walkers(0), walkers(1), walkers(2), walkers(3)],
        }
    }

    /// The corners each enemy is away, and its tokens.
    #[inline(always)]
    fn enemies(&self) -> impl Iterator<Item = (u8, u64)> {
        (1..4).zip(self.theirs)
    }
}

impl Mensch {
    /// What one of each of the [`Measures`] counts.
    #[inline]
    fn units(&self) -> [f64; 6] {
        /// One share for each enemy; looked up, because dividing takes longer.
        const SHARES: [f64; 4] = [0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0];
        let enemies = (self.seats.len() - 1) & 3;
        let share = SHARES[enemies];
        [
            1.0,
            enemies as f64 * (1.0 / 44.0),
            1.0,
            1.0 / 216.0,
            share * (1.0 / 216.0),
            share,
        ]
    }

    /// The whole position.
    #[inline]
    fn measures(&self, outlook: &Outlook) -> Measures {
        let own = outlook.mine & BOARD;
        let rivals = outlook.theirs.iter().map(|&word| progress(word));
        let mut sum = [0, 0, settled(own), 0, 0, rivals.sum::<u32>().cast_signed()];
        for place in places(own) {
            for (sum, adds) in sum.iter_mut().zip(self.token(outlook, place)) {
                *sum += adds;
            }
        }
        sum
    }

    /// What an own token on this place adds. Inlined always, with what it calls: 10 % of the
    /// instructions of a game between racers.
    #[inline(always)]
    fn token(&self, outlook: &Outlook, place: Place) -> Measures {
        let pips = u32::from(place);
        let mut exposed = 0;
        let mut threatened = 0;
        if 0 < place && place <= 40 {
            exposed = pips * self.hit_chances(outlook, place);
            threatened = outlook.prey.ahead_of(place);
        }
        [pips, pips * pips, 0, exposed, threatened, 0].map(u32::cast_signed)
    }

    /// The chance, in 216ths, that the next roll of a seat with these tokens hits a place of its
    /// route: one die from each of the six cells behind it, and the six that brings out, which
    /// the seat has three tries for if it can do nothing else.
    #[inline(always)]
    pub(super) fn hit_chance(&self, theirs: u64, place: Place) -> u32 {
        // A token on its last ring cells walks into its lane, so nothing stands behind the start.
        let six_behind = u32::from(place) + YARD_GAP - 6;
        let behind = (theirs & RING) >> six_behind & 63;
        let walks = u32::from(CHANCES[behind as usize]);
        if place == START_PLACE {
            walks + self.entry_chance(theirs)
        } else {
            walks
        }
    }

    /// [`Mensch::hit_chance`] of an own ring place, summed over all enemies: together, because no
    /// two of them stand on one cell.
    #[inline(always)]
    fn hit_chances(&self, outlook: &Outlook, place: Place) -> u32 {
        let quarter = (place - 1) / 10;
        let behind = outlook.walkers[usize::from(quarter)] >> (place - 1) & 63;
        let walks = u32::from(CHANCES[behind as usize]);
        if THEIR_STARTS >> place & 1 == 1 {
            walks + self.entry_chance(outlook.theirs[usize::from(quarter) - 1])
        } else {
            walks
        }
    }

    /// The chance, in 216ths, that a seat with these tokens brings one out with its next roll.
    #[inline(always)]
    fn entry_chance(&self, theirs: u64) -> u32 {
        if theirs & YARD == 0 {
            0
        } else if self.new_series(theirs) == 3 {
            91
        } else {
            36
        }
    }
}

/// The tokens of the other seats on the ring, in our numbering.
///
/// A token on cell `q`, whose seat starts `c` corners on, has come `q − 10 c` places, and 40 more if
/// it stands behind its start. That is `q − 30`, and 20 more for the seat one corner on, 10 more
/// for the one across, 40 more for who stands behind its start.
struct Prey {
    cells: u64,
    next: u64,
    across: u64,
    behind_start: u64,
}

impl Prey {
    #[inline(always)]
    fn new(theirs: [u64; 3]) -> Prey {
        let [next, across, last] = [1, 2, 3].map(|corners| {
            let theirs = theirs[corners as usize - 1];
            cells_turned_by(theirs, 10 * corners)
        });
        Prey {
            cells: next | across | last,
            next,
            across,
            behind_start: next & first_cells(10)
                | across & first_cells(20)
                | last & first_cells(30),
        }
    }

    /// 36 times the pips that the tokens on the six cells ahead of an own one have come.
    #[inline(always)]
    fn ahead_of(&self, place: Place) -> u32 {
        let six = |cells: u64| (cells >> (u32::from(place) + YARD_GAP + 1) & 63) as usize;
        let taken = six(self.cells);
        let chances = |six: usize| u32::from(CHANCES[six]);
        let cells = STEPS[taken] + u32::from(place) * chances(taken);
        let added = 20 * chances(six(self.next))
            + 10 * chances(six(self.across))
            + 40 * chances(six(self.behind_start));
        cells + added - 30 * chances(taken)
    }
}

/// For each set of the six cells ahead 36 times how far they are, summed.
const STEPS: [u32; 64] = {
    let mut steps = [0; 64];
    let mut set = 0;
    while set < 64 {
        let mut ahead = 0;
        while ahead < 6 {
            steps[set] += 36 * (set as u32 >> ahead & 1) * (ahead + 1);
            ahead += 1;
        }
        set += 1;
    }
    steps
};

/// The first so many ring cells from our start.
const fn first_cells(count: u32) -> u64 {
    ((1 << count) - 1) << (YARD_GAP + 1)
}

/// For each set of six cells 36 times their number.
const CHANCES: [u8; 64] = {
    let mut chances = [0; 64];
    let mut set = 0usize;
    while set < 64 {
        chances[set] = 36 * set.count_ones() as u8;
        set += 1;
    }
    chances
};

/// The places where the seats one, two and three corners on bring out, as bits.
const THEIR_STARTS: u64 = 1 << 11 | 1 << 21 | 1 << 31;

/// The six ring cells before the start of the seat so many corners on, in our numbering.
const fn last_six(corners: u32) -> u64 {
    63 << (10 * corners)
}

/// How many of a seat's tokens are on the lane with no free cell ahead.
#[inline]
pub(super) fn settled(own: u64) -> i32 {
    (own << (63 - LANE_SHIFT - 3)).leading_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::*;
    use crate::engine::game::{Game, RuleSet, Turn};
    use crate::engine::play::{Blind, Chooser, SeededDice, play};
    use crate::engine::random::{BlockKey, Purpose, Stream};

    fn position(text: &str) -> (Mensch, State) {
        let game = Mensch::new(Rules::default(), Mensch::seats_of(text).unwrap()).unwrap();
        let state = game.parse(text).unwrap();
        (game, state)
    }

    fn feature(name: &str, seat: usize, text: &str) -> f64 {
        let index = Mensch::FEATURES
            .iter()
            .position(|feature| feature.name == name);
        let (game, state) = position(text);
        let mut values = [0.0; MAX_FEATURES];
        game.features(&state, Seat::new(seat), &mut values);
        values[index.unwrap()]
    }

    fn exposure(text: &str) -> f64 {
        let (game, state) = position(text);
        game.exposure(&state, Seat::A)
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn the_features_of_positions_counted_by_hand() {
        // A has come 6 and 21 pips, C 32; C may be brought out on r20, A hits r11 with a six.
        let two = "A:H,H,r5,r20 C:H,H,H,r11 to=A";
        // A has come 1, B 34, D 16; A hits r3 with a three and r5 with a five.
        let four = "A:H,H,H,r0 B:H,H,H,r3 C:H,H,H,H D:H,H,H,r5 to=A";
        for (name, seat, text, expected) in [
            ("progress", 0, two, 27.0),
            ("progress", 2, two, 32.0),
            ("progress", 0, "A:L1,L2,L3,L4 C:H,H,H,H won=A", 170.0),
            ("lead", 0, two, f64::from(6 * 6 + 21 * 21) / 44.0),
            ("lead", 3, four, 3.0 * 16.0 * 16.0 / 44.0),
            ("exposed", 0, two, 21.0 / 6.0),
            ("exposed", 2, two, 32.0 / 6.0),
            ("exposed", 0, four, 0.0),
            ("exposed", 1, four, 34.0 / 6.0),
            ("exposed", 3, four, 16.0 * 2.0 / 6.0),
            ("threatened", 0, two, 32.0 / 6.0),
            ("threatened", 2, two, 0.0),
            ("threatened", 0, four, (34.0 + 16.0) / 6.0 / 3.0),
            ("threatened", 1, four, 16.0 / 6.0 / 3.0),
            ("rivals", 0, two, 32.0),
            ("rivals", 0, four, (34.0 + 16.0) / 3.0),
            ("rivals", 2, four, (1.0 + 34.0 + 16.0) / 3.0),
        ] {
            let found = feature(name, seat, text);
            assert!(
                (found - expected).abs() < 1e-9,
                "{name} of {seat} in {text}: {found}"
            );
        }
    }

    #[test]
    fn a_token_is_settled_when_the_lane_is_full_behind_it() {
        for (tokens, settled) in [
            ("H,H,H,H", 0.0),
            ("H,H,H,L4", 1.0),
            ("H,H,H,L3", 0.0),
            ("H,H,L1,L4", 1.0),
            ("H,r39,L3,L4", 2.0),
            ("r39,L2,L3,L4", 3.0),
            ("H,L1,L2,L3", 0.0),
        ] {
            let text = format!("A:{tokens} C:H,H,H,H to=A");
            assert_near(feature("settled", 0, &text), settled);
        }
    }

    /// Facts F17 and F18 of the rules page.
    #[test]
    fn exposure_is_the_chance_to_be_hit_next_turn() {
        for ahead in 1..=6 {
            let text = format!("A:H,H,H,r{} C:r3,L2,L3,L4 to=C", 3 + ahead);
            assert_near(exposure(&text), f64::from(3 + ahead + 1) / 6.0);
        }
        assert_near(exposure("A:H,H,H,r10 C:r3,L2,L3,L4 to=C"), 0.0);
        assert_near(
            exposure("A:H,H,H,r20 C:H,H,H,H to=C tries=3"),
            21.0 * 91.0 / 216.0,
        );
        assert_near(
            exposure("A:H,H,H,r20 C:H,H,H,L4 to=C tries=3"),
            21.0 * 91.0 / 216.0,
        );
        assert_near(exposure("A:H,H,H,r20 C:H,H,H,r1 to=C"), 21.0 / 6.0);
    }

    #[test]
    fn nobody_walks_past_its_own_entrance_to_hit() {
        assert_near(exposure("A:H,H,H,r22 C:r19,L2,L3,L4 to=C"), 0.0);
        assert_near(exposure("A:H,H,H,L1 C:H,H,H,H to=C tries=3"), 0.0);
    }

    #[test]
    fn enemies_roll_independently() {
        // One of B from behind, one of D from its yard.
        let text = "A:H,H,H,r30 B:L2,L3,L4,r28 D:H,H,H,r1 to=B";
        assert_near(exposure(text), 31.0 * (1.0 - 25.0 / 36.0));
        // Two tokens of one seat: two of the six faces of one die.
        let text = "A:H,H,H,r30 B:L3,L4,r27,r28 D:H,H,H,r1 to=B";
        assert_near(exposure(text), 31.0 * (1.0 - 4.0 / 6.0 * 5.0 / 6.0));
    }

    /// Plays at random and compares what is computed in short with the long way, at every decision:
    /// [`Race::gains`] with whole positions, the chances of hits and the tokens ahead with a sum
    /// over enemies, prizes with effects, the greediest move with the best prize.
    struct Compare {
        random: Stream,
        compared: u32,
    }

    impl Chooser<Mensch> for Compare {
        fn choose(&mut self, game: &Mensch, state: &State, seat: Seat, moves: &Moves) -> usize {
            let mut all = moves.iter();
            game.gains(state, seat, moves, |found, from| {
                let mv = all.next().unwrap();
                let (expected, come) = race::gain(game, state, seat, mv);
                let near = found
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| (a - b).abs() < 1e-9);
                let text = game.print(state);
                assert!(near, "{text}, {mv:?}: {found:?} is not {expected:?}");
                assert_eq!(from, come, "{text}, {mv:?}");
                self.compared += 1;
            });
            let outlook = Outlook::new(state, seat);
            for place in 1..=40 {
                let each = outlook
                    .enemies()
                    .map(|(corners, theirs)| game.hit_chance(theirs, seen_from(place, corners)));
                let found = game.hit_chances(&outlook, place);
                assert_eq!(found, each.sum::<u32>(), "{} {place}", game.print(state));
                let ahead = (place + 1..=40.min(place + 6)).flat_map(|cell| {
                    let standing = outlook.enemies().filter_map(move |(corners, theirs)| {
                        let come = seen_from(cell, corners);
                        (theirs & bit_of(come) != 0).then_some(36 * u32::from(come))
                    });
                    standing.collect::<Vec<_>>()
                });
                let found = outlook.prey.ahead_of(place);
                assert_eq!(found, ahead.sum::<u32>(), "{} {place}", game.print(state));
            }
            let mut all = moves.iter();
            let mut best = None;
            game.prizes(state, seat, moves, |prize, from| {
                let mv = all.next().unwrap();
                if best.is_none_or(|(most, _)| (prize, from) > most) {
                    best = Some(((prize, from), mv));
                }
                let effect = game.preview(state, mv);
                let expected = if effect.passed {
                    i32::MIN
                } else {
                    effect.lost.into()
                };
                assert_eq!(prize, expected, "{} {mv:?}", game.print(state));
                assert_eq!(from, effect.from, "{} {mv:?}", game.print(state));
            });
            assert!(all.next().is_none());
            match moves.greediest() {
                Some(mv) => assert_eq!(Some(mv), best.map(|(_, mv)| mv)),
                None => assert!(moves.iter().filter(|mv| mv.captures()).count() > 1),
            }
            assert_eq!(game.turn(state), Turn::Decision(seat));
            self.random.below(moves.len() as u64) as usize
        }
    }

    #[test]
    fn the_short_ways_lead_where_the_long_ones_do() {
        let mut tables = Rules::presets()
            .into_iter()
            .map(|preset| preset.rules)
            .collect::<Vec<_>>();
        tables.push(Rules {
            may_pass: true,
            bounce: true,
            forced_capture: false,
            ..Rules::default()
        });
        for rules in tables {
            for seats in Mensch::seat_sets() {
                let game = Mensch::new(rules.clone(), seats).unwrap();
                let block = BlockKey::new(3, 4);
                let mut compare = Compare {
                    random: block.stream(Purpose::Bot, Seat::A),
                    compared: 0,
                };
                let start = game.start(Seat::A);
                let mut moves = Moves::default();
                play(
                    &game,
                    start,
                    &mut SeededDice::new(block),
                    &mut compare,
                    &mut Blind,
                    &mut moves,
                    20_000,
                );
                assert!(compare.compared > 100, "{}", compare.compared);
            }
        }
    }
}
