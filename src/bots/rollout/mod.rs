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
//! With `first_rolls = "even"` the first roll of each seat is not drawn alone: over the futures all
//! rolls come up about as often as they should, for each seat and for seats together.
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
use crate::engine::seat::{MAX_SEATS, PerSeat, Seat, SeatSet};

use super::params::{Choice, Number, Reader, Whole, Word};
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

const FIRST_ROLLS: Choice = Choice {
    name: "first_rolls",
    values: &["random", "even"],
    about: "the first roll of each seat in a future: drawn at \"random\", or \"even\", so that over the futures each comes up about as often as it should",
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
        FIRST_ROLLS.param(),
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
            let is_even = reader.choice(&FIRST_ROLLS)? == 1;
            let judge = Judge::read(table, &mut reader)?;
            reader.finish()?;
            Ok(Box::new(Rollout {
                samples,
                candidates,
                drop_at,
                seed,
                is_even,
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
    /// Whether the first rolls of the futures are spread evenly.
    is_even: bool,
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
        let spread = self.is_even.then(|| Spread::new(seed, view.seat));
        let best = race::winner(&firsts, self.samples, self.drop_at, |number, future| {
            let key = BlockKey::new(seed, future);
            let first = spread.as_ref().map_or(PerSeat::default(), |s| s.of(future));
            let streams = Streams::new(key, first);
            let start = &candidates[number].state;
            self.futures.chance(view.game, start, view.seat, streams)
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
    fn chance(&mut self, game: &G, start: &G::State, me: Seat, mut streams: Streams) -> f64 {
        let side = game.side(me);
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

/// The first rolls of futures, spread evenly: a Kronecker sequence, shifted at random, with a step
/// for each seat (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
struct Spread {
    shifts: PerSeat<f64>,
    steps: PerSeat<f64>,
}

impl Spread {
    /// Powers of the number `x` with `x^8 + x^9 = 1`.
    const STEPS: [f64; MAX_SEATS] = [
        0.921_599_319_633_982_9,
        0.849_345_305_949_820_2,
        0.782_756_056_097_671_3,
        0.721_387_448_738_993_6,
        0.664_830_181_950_351_3,
        0.612_707_043_357_580_7,
        0.564_670_394_293_295_7,
        0.520_399_851_198_154_1,
    ];

    /// For the futures of a position in which `me` has just played.
    fn new(seed: u64, me: Seat) -> Spread {
        let mut random = BlockKey::new(seed, u64::MAX).stream(Purpose::Bot, me);
        Spread {
            shifts: PerSeat::from_fn(|_| random.unit()),
            steps: PerSeat::from_fn(|seat| Spread::STEPS[seat.index()]),
        }
    }

    /// Where the first rolls of a future are among all rolls, 0 to 1.
    fn of(&self, future: u64) -> PerSeat<Option<f64>> {
        PerSeat::from_fn(|seat| {
            let at = self.shifts[seat] + self.steps[seat] * future as f64;
            Some(at - libm::floor(at))
        })
    }
}

/// The roll at a share, 0 to 1, of the weight of all rolls.
fn roll_at<R: Copy>(rolls: &[(R, u32)], share: f64) -> R {
    let total: u32 = rolls.iter().map(|&(_, weight)| weight).sum();
    let mut rest = share * f64::from(total);
    for &(roll, weight) in rolls {
        if rest < f64::from(weight) {
            return roll;
        }
        rest -= f64::from(weight);
    }
    rolls[rolls.len() - 1].0
}

/// The random numbers of a future, made when they are first asked for.
struct Streams {
    key: BlockKey,
    dice: PerSeat<Option<DiceStream>>,
    choices: PerSeat<Option<Stream>>,
    /// Where the first roll of each seat is among all rolls, until it is used; none: any.
    first: PerSeat<Option<f64>>,
}

impl Streams {
    fn new(key: BlockKey, first: PerSeat<Option<f64>>) -> Streams {
        Streams {
            first,
            key,
            dice: PerSeat::default(),
            choices: PerSeat::default(),
        }
    }

    fn roll<G: Game>(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Roll {
        if let Some(at) = self.first[seat].take() {
            return roll_at(game.rolls(state), at);
        }
        let dice = self.dice[seat].get_or_insert_with(|| self.key.dice(seat));
        game.sample(state, dice)
    }

    fn choices(&mut self, seat: Seat) -> &mut Stream {
        self.choices[seat].get_or_insert_with(|| self.key.stream(Purpose::Bot, seat))
    }
}
