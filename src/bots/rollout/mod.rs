//! `rollout`: tries its best plays in many possible futures of the game (Tesauro & Galperin 1996).
//!
//! **Candidates** are what the roll can end in: the plays that the evaluator likes best at once.
//! Each is followed through the same **futures**, in which every seat has dice of its own and its
//! own stream for choices, so that luck is the same for all candidates. In a future this seat, with
//! its team, plays what the evaluator likes best, and all others play as the bot `enemies` does.
//! After `horizon` further turns of this seat the evaluator says how likely it is to win; at the
//! end of the game it is known. The candidate with the best mean is played.
//!
//! Evaluators are made to compare positions after a play, so they are asked only there.
//!
//! Futures are drawn in batches, and a candidate that is `drop_at` standard errors behind the best
//! is not followed any further: most decisions are clear after a few.
//!
//! The futures depend on the position, the parameter `seed` and nothing else: the same view always
//! gets the same answer.
//!
//! At a decision about the stakes nothing is tried, and in a future nobody changes them.

mod judge;
mod race;
#[cfg(test)]
mod tests;

use crate::engine::ends::Ends;
use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::race::Race;
use crate::engine::random::{BlockKey, DiceStream, Purpose, Stream};
use crate::engine::seat::{PerSeat, Seat, SeatSet};

use super::params::{Number, Reader, Whole, Word};
use super::{Bot, Habit, Param, Policy, PolicyEntry, SHIPPED, View};

use judge::Judge;

const ENEMIES: Word = Word {
    name: "enemies",
    default: "racer",
    about: "how the other sides are taken to play: a bot that comes with the program and does not search",
};
const SAMPLES: Whole = Whole {
    name: "samples",
    default: 40,
    range: 1..=100_000,
    about: "how many futures a candidate is followed through at most",
};
const HORIZON: Whole = Whole {
    name: "horizon",
    default: 1,
    range: 0..=1000,
    about: "further turns of this seat before the evaluator judges; 0 plays to the end of the game",
};
const CANDIDATES: Whole = Whole {
    name: "candidates",
    default: 4,
    range: 1..=10_000,
    about: "how many plays are tried: those that the evaluator likes best at once",
};
const DROP_AT: Number = Number {
    name: "drop_at",
    default: 2.5,
    range: 0.0..=100.0,
    about: "standard errors behind the best at which a candidate is given up; 0: never",
};
const SEED: Whole = Whole {
    name: "seed",
    default: 1,
    range: 0..=u32::MAX,
    about: "other futures for another number",
};

/// Policies that take too long to be asked at every move of a future, or that would ask
/// themselves, and the program that is not ours.
const SEARCHES: [&str; 3] = ["rollout", "expectimax", "gnubg"];

/// Rolls and decisions of a future after which the evaluator judges, however far the horizon is.
const MOST_STEPS: u32 = 50_000;

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    let mut params: Vec<Param> = vec![
        ENEMIES.param(),
        SAMPLES.param(),
        HORIZON.param(),
        CANDIDATES.param(),
        DROP_AT.param(),
        SEED.param(),
    ];
    params.extend(judge::params::<G>());
    PolicyEntry {
        name: "rollout",
        about: "tries its best plays in many possible futures and plays the one that wins most",
        params,
        build: |table| {
            let mut reader = Reader::new(table);
            let enemies = enemies(&reader.word(&ENEMIES)?)?;
            let samples = reader.whole(&SAMPLES)? as usize;
            let horizon = reader.whole(&HORIZON)?;
            let candidates = reader.whole(&CANDIDATES)? as usize;
            let drop_at = reader.number(&DROP_AT)?;
            let seed = reader.whole(&SEED)?;
            let judge = Judge::read(table, &mut reader)?;
            reader.finish()?;
            Ok(Box::new(Rollout {
                samples,
                candidates,
                drop_at,
                seed,
                ends: Ends::default(),
                futures: Futures {
                    horizon,
                    judge,
                    is_blind: enemies.habit() == Habit::Uniform,
                    enemies,
                    ends: Ends::default(),
                    moves: G::Moves::default(),
                },
            }))
        },
    }
}

/// The policy of the bot that the other sides are taken for.
fn enemies<G: Race>(name: &str) -> Result<Box<dyn Policy<G>>, String> {
    let built = |name: &str| {
        let bot = Bot::find(name).ok()?;
        let searches = SEARCHES.contains(&bot.policy.as_str());
        (!searches).then(|| bot.policy::<G>().ok())?
    };
    let shipped = || SHIPPED.iter().map(|&(name, _)| name);
    if let Some(policy) = shipped().find(|&known| known == name).and_then(built) {
        return Ok(policy);
    }
    let known: Vec<&str> = shipped().filter(|name| built(name).is_some()).collect();
    let (key, known) = (ENEMIES.name, known.join(", "));
    Err(format!("{key} = {name:?}; expected one of {known}"))
}

struct Rollout<G: Race> {
    samples: usize,
    candidates: usize,
    drop_at: f64,
    seed: u32,
    ends: Ends<G>,
    futures: Futures<G>,
}

/// A play that is tried.
#[derive(Clone, Copy)]
struct Candidate<S> {
    /// The index of its first move.
    first: usize,
    /// What it leads to.
    state: S,
    /// What the evaluator says of that at once.
    merit: f64,
    /// How far the furthest of the moved tokens had come.
    from: u16,
}

impl<G: Race> Policy<G> for Rollout<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        if view.game.is_about_stakes(view.state) {
            return 0;
        }
        let candidates = self.candidates(view);
        let best = &candidates[0];
        if won(view.game, &best.state, view.seat) == Some(true) {
            return best.first;
        }
        let seed = self.seed_of(view.game, view.state);
        let firsts: Vec<usize> = candidates.iter().map(|one| one.first).collect();
        let best = race::winner(&firsts, self.samples, self.drop_at, |number, future| {
            let key = BlockKey::new(seed, future);
            let start = &candidates[number].state;
            self.futures.chance(view.game, start, view.seat, key)
        });
        candidates[best].first
    }

    fn is_search(&self) -> bool {
        true
    }
}

impl<G: Race> Rollout<G> {
    /// The plays to try, the one that the evaluator likes best first. Never empty.
    fn candidates(&mut self, view: &View<'_, G>) -> Vec<Candidate<G::State>> {
        let Rollout { ends, futures, .. } = self;
        futures.judge.forget();
        let ends = ends.of(view.game, view.state, view.seat, view.moves);
        let mut found: Vec<Candidate<G::State>> = ends
            .iter()
            .map(|end| Candidate {
                first: end.first,
                state: end.state,
                merit: futures.judge.merit(view.game, &end.state, view.seat),
                from: end.from,
            })
            .collect();
        // Stable: of equals the first move stays before the others.
        found.sort_by(|one, other| {
            let merits = other.merit.total_cmp(&one.merit);
            merits.then(other.from.cmp(&one.from))
        });
        found.truncate(self.candidates);
        found
    }

    /// The seed of the futures of a position: the same on every machine.
    fn seed_of(&self, game: &G, state: &G::State) -> u64 {
        let text = format!("{} {}", self.seed, game.print(state));
        let hash = blake3::hash(text.as_bytes());
        let (words, _) = hash.as_bytes().as_chunks();
        u64::from_le_bytes(words[0])
    }
}

/// Whether the side of a seat has won, if the game is over.
fn won<G: Game>(game: &G, state: &G::State, seat: Seat) -> Option<bool> {
    (game.turn(state) == Turn::Over).then(|| game.standing(state).places[seat] == 1)
}

/// Plays positions on.
struct Futures<G: Race> {
    horizon: u32,
    judge: Judge<G>,
    enemies: Box<dyn Policy<G>>,
    /// Whether the enemies take any move.
    is_blind: bool,
    ends: Ends<G>,
    moves: G::Moves,
}

impl<G: Race> Futures<G> {
    /// The chance of the side of `me` in one future of a position in which `me` has just played.
    fn chance(&mut self, game: &G, start: &G::State, me: Seat, key: BlockKey) -> f64 {
        let side = game.side(me);
        let mut streams = Streams::new(key);
        let mut state = *start;
        // Who rolled last, how often the turn has come back to `me`, and what the evaluator has
        // said of the position already.
        let (mut last, mut turns, mut known) = (me, 0, None);
        for _ in 0..MOST_STEPS {
            let turn = game.turn(&state);
            if let (Turn::Chance(seat), false) = (turn, game.is_mid_roll(&state)) {
                let is_far = self.horizon > 0 && turns >= self.horizon;
                if is_far && last == me && seat != me {
                    break;
                }
                turns += u32::from(seat == me && last != me);
                last = seat;
            }
            match turn {
                Turn::Over => break,
                Turn::Chance(seat) => {
                    known = None;
                    let roll = streams.roll(game, &state, seat);
                    game.roll(&mut state, roll);
                }
                Turn::Decision(seat) => {
                    let merit = self.decide(game, &mut state, seat, side, &mut streams);
                    known = merit.filter(|_| seat == me);
                }
            }
        }
        let merit = known.unwrap_or_else(|| {
            self.judge.forget();
            self.judge.merit(game, &state, me)
        });
        self.judge.chance(merit)
    }

    /// Plays a decision as the future has it. What the evaluator said of where it led, if asked.
    fn decide(
        &mut self,
        game: &G,
        state: &mut G::State,
        seat: Seat,
        side: SeatSet,
        streams: &mut Streams,
    ) -> Option<f64> {
        let Futures { judge, moves, .. } = self;
        game.moves(state, moves);
        let index = if moves.is_forced() || game.is_about_stakes(state) {
            0
        } else if side.contains(seat) {
            judge.forget();
            let mut best = (f64::NEG_INFINITY, *state);
            for end in self.ends.of(game, state, seat, moves) {
                let merit = judge.merit(game, &end.state, seat);
                if merit > best.0 {
                    best = (merit, end.state);
                }
            }
            *state = best.1;
            return Some(best.0);
        } else if self.is_blind {
            streams.choices(seat).below(moves.len() as u64) as usize
        } else {
            let view = View {
                game,
                state,
                seat,
                moves,
            };
            self.enemies.choose(&view, streams.choices(seat))
        };
        let mv = moves.get(index);
        game.apply(state, mv);
        None
    }
}

/// The random numbers of a future, made when they are first asked for.
struct Streams {
    key: BlockKey,
    dice: PerSeat<Option<DiceStream>>,
    choices: PerSeat<Option<Stream>>,
}

impl Streams {
    fn new(key: BlockKey) -> Streams {
        Streams {
            key,
            dice: PerSeat::default(),
            choices: PerSeat::default(),
        }
    }

    fn roll<G: Game>(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Roll {
        let dice = self.dice[seat].get_or_insert_with(|| self.key.dice(seat));
        game.sample(state, dice)
    }

    fn choices(&mut self, seat: Seat) -> &mut Stream {
        self.choices[seat].get_or_insert_with(|| self.key.stream(Purpose::Bot, seat))
    }
}
