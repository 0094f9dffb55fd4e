//! `expectimax`: looks through the coming rolls, every one with its exact weight.
//!
//! **Depth** counts rolls. At depth `d` each of my moves is followed through the next `d` rolls,
//! whoever rolls them, with the best reply to each; then, where the next roll would come, the
//! evaluator judges. Depth 1: my move, one roll, the best reply. A die thrown in the middle of a
//! roll belongs to that roll. The value of a move is the mean over all those rolls.
//!
//! **Values** are chances to win, one for each seat, together 1. The evaluator scores the position
//! for each seat and the shares of the scores ([`softmax`]) are the chances; a finished game
//! is 1 for its winner and 0 for the others. Each seat plays for its own chance (max^n), or, with
//! `paranoid`, all others play against mine.

use std::hash::{Hash, Hasher};

use crate::engine::game::{MoveSet, Turn};
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::{MAX_SEATS, Seat};

use super::float::{Best, softmax};
use super::params::{Choice, Flag, Number, Reader, Whole};
use super::racer::Weights;
use super::{Policy, PolicyEntry, View};

const DEPTH: Whole = Whole {
    name: "depth",
    default: 1,
    range: 1..=3,
    about: "how many rolls are looked through after the move",
};
const EVALUATOR: Choice = Choice {
    name: "evaluator",
    values: &["racer", "progress"],
    about: "what judges a position: \"racer\" weighs its features, \"progress\" counts the pips come",
};
const PARANOID: Flag = Flag {
    name: "paranoid",
    about: "true: all others play against this seat; false: each plays for itself",
};
const TEMPERATURE: Number = Number {
    name: "temperature",
    default: 50.0,
    range: 1.0..=1000.0,
    about: "the lead in pips that makes a seat e times as likely to win",
};
const WEIGHTS: &str = "weights";

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "expectimax",
        about: "looks through the coming rolls and plays for the best chance to win",
        params: vec![
            DEPTH.param(),
            EVALUATOR.param(),
            PARANOID.param(),
            TEMPERATURE.param(),
            super::Param {
                name: WEIGHTS,
                default: "{}".to_owned(),
                about: "a table: the weights of the evaluator \"racer\" that differ from its own"
                    .to_owned(),
            },
        ],
        build: |table| {
            let mut reader = Reader::new(table);
            let depth = reader.whole(&DEPTH)?;
            let evaluator = reader.choice(&EVALUATOR)?;
            let paranoid = reader.flag(&PARANOID)?;
            let temperature = reader.number(&TEMPERATURE)?;
            let has_weights = table.contains_key(WEIGHTS);
            let weights = reader.table(WEIGHTS, Weights::<G>::read)?;
            reader.finish()?;
            let evaluator = match evaluator {
                0 => Evaluator::Racer(weights),
                _ if has_weights => {
                    return Err("weights: only the evaluator \"racer\" has weights".to_owned());
                }
                _ => Evaluator::Progress,
            };
            Ok(Box::new(Expectimax {
                depth,
                judge: Judge {
                    evaluator,
                    paranoid,
                    temperature,
                },
                seen: Seen::new(),
            }))
        },
    }
}

/// What judges a position where the search ends.
enum Evaluator<G> {
    Racer(Weights<G>),
    Progress,
}

/// What the values depend on beside the position.
struct Judge<G> {
    evaluator: Evaluator<G>,
    paranoid: bool,
    temperature: f64,
}

struct Expectimax<G: Race> {
    depth: u32,
    judge: Judge<G>,
    seen: Seen<G::State>,
}

impl<G: Race> Policy<G> for Expectimax<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        self.seen.forget();
        let mut search = Search {
            game: view.game,
            me: view.seat,
            judge: &self.judge,
            seen: &mut self.seen,
        };
        let mut best = Best::NONE;
        for (index, mv) in view.moves.iter().enumerate() {
            let mut after = *view.state;
            let effect = view.game.apply(&mut after, mv);
            let chances = search.value(&after, self.depth);
            best.offer(index, chances[view.seat.index()], effect.from);
        }
        best.index()
    }

    fn is_search(&self) -> bool {
        true
    }
}

/// The chance of each seat to win.
type Chances = [f64; MAX_SEATS];

/// The search of one decision.
struct Search<'a, G: Race> {
    game: &'a G,
    me: Seat,
    judge: &'a Judge<G>,
    seen: &'a mut Seen<G::State>,
}

impl<G: Race> Search<'_, G> {
    /// The chances of the seats when `rolls` more rolls are looked through.
    fn value(&mut self, state: &G::State, rolls: u32) -> Chances {
        match self.game.turn(state) {
            Turn::Over => self.result(state),
            Turn::Decision(seat) => self.best_reply(state, seat, rolls),
            Turn::Chance(_) if self.game.is_mid_roll(state) => self.mean(state, rolls),
            Turn::Chance(_) => {
                let place = Seen::place(state, rolls);
                if let Some(chances) = self.seen.get(place, state, rolls) {
                    return chances;
                }
                let chances = match rolls {
                    0 => self.evaluate(state),
                    _ => self.mean(state, rolls - 1),
                };
                self.seen.put(place, state, rolls, chances);
                chances
            }
        }
    }

    /// The mean over what chance decides now.
    fn mean(&mut self, state: &G::State, rolls: u32) -> Chances {
        let mut sum = [0.0; MAX_SEATS];
        let mut total = 0;
        for &(roll, weight) in self.game.rolls(state) {
            let mut next = *state;
            self.game.roll(&mut next, roll);
            let chances = self.value(&next, rolls);
            for (sum, chance) in sum.iter_mut().zip(chances) {
                *sum += f64::from(weight) * chance;
            }
            total += weight;
        }
        sum.map(|sum| sum / f64::from(total))
    }

    /// The chances after the move that `seat` likes best; of equal ones the first.
    fn best_reply(&mut self, state: &G::State, seat: Seat, rolls: u32) -> Chances {
        let mut moves = G::Moves::default();
        self.game.moves(state, &mut moves);
        let mut best = [0.0; MAX_SEATS];
        let mut best_merit = f64::NEG_INFINITY;
        for mv in moves.iter() {
            let mut next = *state;
            self.game.apply(&mut next, mv);
            let chances = self.value(&next, rolls);
            let merit = if self.judge.paranoid && seat != self.me {
                -chances[self.me.index()]
            } else {
                chances[seat.index()]
            };
            if merit > best_merit {
                (best, best_merit) = (chances, merit);
            }
        }
        best
    }

    /// A finished game: 1 for the winner, shared if several win.
    fn result(&self, state: &G::State) -> Chances {
        let places = self.game.standing(state).places;
        let winners = self.game.seats().iter().filter(|&seat| places[seat] == 1);
        let share = 1.0 / winners.clone().count() as f64;
        let mut chances = [0.0; MAX_SEATS];
        for seat in winners {
            chances[seat.index()] = share;
        }
        chances
    }

    /// What the evaluator takes the chances for.
    fn evaluate(&self, state: &G::State) -> Chances {
        let seats = self.game.seats();
        let mut shares = [0.0; MAX_SEATS];
        for (share, seat) in shares.iter_mut().zip(seats.iter()) {
            *share = match &self.judge.evaluator {
                Evaluator::Racer(weights) => weights.score(self.game, state, seat),
                Evaluator::Progress => f64::from(self.game.progress(state, seat)),
            };
        }
        softmax(&mut shares[..seats.len()], self.judge.temperature);
        let mut chances = [0.0; MAX_SEATS];
        for (share, seat) in shares.into_iter().zip(seats.iter()) {
            chances[seat.index()] = share;
        }
        chances
    }
}

/// The positions of one decision that have been valued already: many rolls move nothing, and two
/// moves of a turn can be played in either order. A position is found again only by its exact
/// value and depth, so no choice changes. Saves 3 to 11 % of the instructions at depth 2 and 13 to
/// 21 % at depth 3.
struct Seen<S> {
    entries: Vec<Entry<S>>,
    decision: u64,
}

#[derive(Clone)]
struct Entry<S> {
    decision: u64,
    key: Option<(S, u32)>,
    chances: Chances,
}

impl<S: Copy + Eq + Hash> Seen<S> {
    /// Entries; a newer position takes the place of an older one.
    const SIZE: usize = 1024;

    fn new() -> Seen<S> {
        let empty = Entry {
            decision: 0,
            key: None,
            chances: [0.0; MAX_SEATS],
        };
        Seen {
            entries: vec![empty; Self::SIZE],
            decision: 0,
        }
    }

    /// Forgets everything: the next decision may be of another table or seat.
    fn forget(&mut self) {
        self.decision += 1;
    }

    fn place(state: &S, rolls: u32) -> usize {
        let mut hasher = Fold(rolls.into());
        state.hash(&mut hasher);
        hasher.finish() as usize % Self::SIZE
    }

    fn get(&self, place: usize, state: &S, rolls: u32) -> Option<Chances> {
        let entry = &self.entries[place];
        (entry.decision == self.decision && entry.key == Some((*state, rolls)))
            .then_some(entry.chances)
    }

    fn put(&mut self, place: usize, state: &S, rolls: u32, chances: Chances) {
        self.entries[place] = Entry {
            decision: self.decision,
            key: Some((*state, rolls)),
            chances,
        };
    }
}

/// A hash that only has to spread positions: multiply and fold, eight bytes at a time.
struct Fold(u64);

impl Hasher for Fold {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let product = u128::from(self.0 ^ u64::from_le_bytes(word)) * 0x9e37_79b9_7f4a_7c15;
            self.0 = (product >> 64) as u64 ^ product as u64;
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{bot, chosen, position, refusal, wins};
    use super::*;
    use crate::engine::game::Game;
    use crate::engine::play::{Blind, Chooser, SeededDice, play};
    use crate::engine::random::{BlockKey, Purpose};
    use crate::games::mensch::{Mensch, Moves, Rules, State};

    const PROGRESS: &str = "evaluator = 'progress'";

    #[test]
    fn one_roll_shows_the_hit_that_threatens() {
        // C stands four cells behind r25; r28 is out of its reach.
        let text = "A:H,H,r5,r25 C:H,H,H,r21 to=A dice=3";
        assert_eq!(chosen("expectimax", PROGRESS, text), "r25>r28");
        let text = "A:H,H,r5,r20 C:H,H,H,H to=A dice=3";
        assert_eq!(chosen("expectimax", PROGRESS, text), "r20>r23");
    }

    /// From r11 the token hits r17 with a six, if C leaves it there: that is the second roll.
    #[test]
    fn two_rolls_show_the_own_chance_to_hit() {
        let text = "A:L3,L4,r10,r30 C:H,L3,L4,r17 to=A dice=1";
        assert_eq!(chosen("expectimax", PROGRESS, text), "r30>r31");
        let deeper = format!("{PROGRESS}\ndepth = 2");
        assert_eq!(chosen("expectimax", &deeper, text), "r10>r11");
    }

    fn judge(paranoid: bool) -> Judge<Mensch> {
        let table = toml::Table::new();
        let mut reader = Reader::new(&table);
        Judge {
            evaluator: Evaluator::Racer(Weights::read(&mut reader).unwrap()),
            paranoid,
            temperature: 50.0,
        }
    }

    fn value(judge: &Judge<Mensch>, text: &str, rolls: u32) -> Chances {
        let (game, state) = position(text);
        let mut search = Search {
            game: &game,
            me: Seat::A,
            judge,
            seen: &mut Seen::new(),
        };
        search.value(&state, rolls)
    }

    #[test]
    fn a_finished_game_is_worth_one_to_its_winner() {
        let won = "A:r5,H,H,H C:L1,L2,L3,L4 won=C";
        assert_eq!(value(&judge(false), won, 3)[..4], [0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn the_chances_of_all_seats_together_are_one() {
        for rolls in 0..3 {
            let text = "A:H,H,r5,r20 B:H,H,L4,r11 C:H,H,H,H D:H,H,H,r0 to=B";
            let chances = value(&judge(false), text, rolls);
            assert!(
                (chances.iter().sum::<f64>() - 1.0).abs() < 1e-12,
                "{chances:?}"
            );
        }
    }

    /// C needs a two: one die in six ends the game, whatever is thought of the other five.
    #[test]
    fn the_roll_that_wins_has_its_exact_weight() {
        let text = "A:H,H,H,r5 C:r18,L2,L3,L4 to=C";
        let judge = judge(false);
        let chances = value(&judge, text, 1);
        // Two wins; one walks to the entrance; the other four leave the board as it is.
        let moved = value(&judge, "A:H,H,H,r5 C:r19,L2,L3,L4 to=A", 0);
        let same = value(&judge, "A:H,H,H,r5 C:r18,L2,L3,L4 to=A", 0);
        let expected = (1.0 + moved[2] + 4.0 * same[2]) / 6.0;
        assert!((chances[2] - expected).abs() < 1e-12);
    }

    /// The search without its memory, written plainly.
    fn plain(search: &Search<'_, Mensch>, state: &State, rolls: u32) -> Chances {
        match search.game.turn(state) {
            Turn::Over => search.result(state),
            Turn::Chance(_) if rolls == 0 => search.evaluate(state),
            Turn::Chance(_) => {
                let mut sum = [0.0; MAX_SEATS];
                for die in 1..=6 {
                    let mut next = *state;
                    search.game.roll(&mut next, die);
                    let chances = plain(search, &next, rolls - 1);
                    sum = std::array::from_fn(|seat| sum[seat] + chances[seat]);
                }
                sum.map(|sum| sum / 6.0)
            }
            Turn::Decision(seat) => {
                let mut moves = Moves::default();
                search.game.moves(state, &mut moves);
                let values = moves.iter().map(|mv| {
                    let mut next = *state;
                    search.game.apply(&mut next, mv);
                    plain(search, &next, rolls)
                });
                let merit = |chances: &Chances| {
                    if search.judge.paranoid && seat != search.me {
                        -chances[search.me.index()]
                    } else {
                        chances[seat.index()]
                    }
                };
                let best = values.reduce(|best, next| {
                    if merit(&next) > merit(&best) {
                        next
                    } else {
                        best
                    }
                });
                best.unwrap()
            }
        }
    }

    /// Plays at random and compares both searches, bit for bit, at every decision.
    struct Compare {
        judge: Judge<Mensch>,
        seen: Seen<State>,
        random: Stream,
        compared: u32,
    }

    impl Chooser<Mensch> for Compare {
        fn choose(&mut self, game: &Mensch, state: &State, me: Seat, moves: &Moves) -> usize {
            self.seen.forget();
            let mut search = Search {
                game,
                me,
                judge: &self.judge,
                seen: &mut self.seen,
            };
            for mv in moves.iter() {
                let mut after = *state;
                game.apply(&mut after, mv);
                let expected = plain(&search, &after, 2);
                let found = search.value(&after, 2);
                assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
                self.compared += 1;
            }
            self.random.below(moves.len() as u64) as usize
        }
    }

    #[test]
    fn remembering_positions_changes_no_value() {
        for (seats, paranoid) in [("AC", false), ("ABCD", false), ("ABC", true)] {
            let game = Mensch::new(Rules::default(), seats.parse().unwrap()).unwrap();
            let block = BlockKey::new(8, 8);
            let mut compare = Compare {
                judge: judge(paranoid),
                seen: Seen::new(),
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
                400,
            );
            assert!(compare.compared > 50, "{}", compare.compared);
        }
    }

    /// B hits C, which loses 36 pips, for its own good, and A, which loses 3, out of spite.
    #[test]
    fn paranoid_others_play_against_me() {
        let text = "A:H,H,H,r2 B:H,H,r0,r13 C:H,H,H,r15 D:H,H,H,H to=B dice=2";
        let own = value(&judge(false), text, 0);
        let spiteful = value(&judge(true), text, 0);
        assert!(
            spiteful[0] < own[0] && spiteful[1] < own[1],
            "{spiteful:?} {own:?}"
        );
    }

    #[test]
    fn it_plays_the_same_game_twice_and_beats_random() {
        let (search, random) = (bot("expectimax", ""), bot("random", ""));
        let first = wins(&search, &random, "AC", 60);
        assert!(first > 84, "{first} of 120");
        assert_eq!(first, wins(&search, &random, "AC", 60));
    }

    #[test]
    fn refused_parameters_say_what_would_work() {
        for (params, reason) in [
            ("depth = 7", "depth = 7; expected 1 to 3"),
            (
                "depth = 1.5",
                "depth = 1.5; expected a whole number, 1 to 3",
            ),
            (
                "depth = 'deep'",
                "depth = \"deep\"; expected a whole number, 1 to 3",
            ),
            (
                "evaluator = 'best'",
                "evaluator = \"best\"; expected \"racer\" or \"progress\"",
            ),
            ("paranoid = 1", "paranoid = 1; expected true or false"),
            ("temperature = 0", "temperature = 0; expected 1 to 1000"),
            (
                "weights = 3",
                "weights = 3; expected a table, [params.weights]",
            ),
            (
                "weights = { lead = 'x' }",
                "weights: lead = \"x\"; expected a number, -1000 to 1000",
            ),
            (
                "weights = { speed = 1 }",
                "weights: no parameter 'speed'; known: progress, lead, settled, exposed, threatened, rivals",
            ),
            (
                "evaluator = 'progress'\nweights = { lead = 1 }",
                "weights: only the evaluator \"racer\" has weights",
            ),
            (
                "deph = 2",
                "no parameter 'deph'; known: depth, evaluator, paranoid, temperature, weights",
            ),
        ] {
            let expected = format!("bot 'expectimax': params: {reason}");
            assert_eq!(refusal("expectimax", params), expected);
        }
    }
}
