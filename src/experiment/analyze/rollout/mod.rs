//! Rollouts: many games from a position, each roll played by the evaluator.
//!
//! A game's result is adjusted by the luck of its rolls: what each roll was worth, by the
//! evaluator, beyond the mean of the 21. Its expectation is 0 by construction, whatever the
//! evaluator thinks, so the adjusted results have the expectation of the raw ones (a control
//! variate). A poor evaluator overrates the luck; so it is taken with a weight from 0 to 1, which
//! is the regression of the result on the luck in `PILOT` games with other dice. Fixed before
//! the games that count, it biases nothing.
//!
//! All candidates meet the same throws. While they are played, a candidate that is behind the best
//! is dropped: the intervals of the differences are confidence sequences (Waudby-Smith et al.
//! 2024), so that they may be looked at after every batch, and they share the error probability,
//! so that the truly best one is dropped with at most that. Blocks are played on all threads and
//! kept in their order, in whole millionths; nothing depends on the threads.

mod design;
mod game;

use std::num::NonZeroU32;

use rayon::prelude::*;

use crate::stats::{Confidence, Estimate, Moments, asymptotic, variance_ratio::variance_ratio};

use super::ahead::Numbers;
use super::judge::{Judge, Scratch};

pub use design::Design;
pub use game::{Start, Style};

/// Parts of 1 in which means of blocks are kept.
const UNIT: NonZeroU32 = NonZeroU32::new(1_000_000).unwrap();
/// Games between two looks, and before the first: 36 blocks of 36, one of each pair of throws.
const BATCH: u64 = 1_296;
/// Games that the weight of luck is chosen by.
const PILOT: u64 = 144;
/// What the seed of the pilot's dice differs by.
const PILOT_SEED: u64 = u64::from_be_bytes(*b"the luck");
/// The place of the equity among the numbers.
const EQUITY: usize = 5;

/// What to roll out, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How games are played.
    pub style: Style,
    /// The games of each candidate.
    pub design: Design,
    /// The confidence of all intervals, and of the choice of the best.
    pub confidence: Confidence,
    /// Whether the candidates compete: those behind the best are dropped before all games are
    /// played.
    pub drop_losers: bool,
    /// Worker threads; 0 for as many as there are cores.
    pub threads: usize,
}

/// A mean over blocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The mean, the number of blocks and the interval, valid at any time.
    pub estimate: Estimate,
    /// The standard error; `None` for one block.
    pub standard_error: Option<f64>,
}

/// The rollout of one candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct RolledOut {
    /// Games played.
    pub games: u64,
    /// Win, gammon, backgammon, gammon lost, backgammon lost and equity, luck taken out.
    pub adjusted: [Measured; 6],
    /// The equity of the results as they came.
    pub raw: Measured,
    /// The luck of the rolls in points of equity; its expectation is 0.
    pub luck: Measured,
    /// The weight that luck is taken out with, 0 to 1.
    pub luck_weight: f64,
    /// How many raw games one adjusted game was worth; `None` when all blocks came out the same.
    pub variance_ratio: Option<f64>,
    /// Rolls of all games.
    pub rolls: u64,
    /// Games stopped for their length and estimated.
    pub capped: u64,
    /// The equity less that of the best candidate; `None` for the best, and when the candidates do
    /// not compete ([`Settings::drop_losers`]).
    pub difference: Option<Measured>,
    /// Whether the best is ahead of this one at the confidence asked for.
    pub is_behind: bool,
}

impl RolledOut {
    /// The equity, luck taken out.
    pub fn equity(&self) -> &Measured {
        &self.adjusted[EQUITY]
    }
}

/// What the games of a block came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    /// Means over the block's games, in parts of [`UNIT`].
    raw: [i64; 6],
    adjusted: [i64; 6],
    /// The luck in points of equity, unweighted.
    luck: i64,
    rolls: u64,
    capped: u64,
}

/// Rolls out candidates; the answers are in their order.
///
/// # Errors
/// When the threads cannot be started.
pub fn roll_out(
    judge: &Judge<'_>,
    starts: &[Start],
    settings: &Settings,
) -> Result<Vec<RolledOut>, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()?;
    let weight = pool.install(|| luck_weight(judge, &starts[0], settings));
    let mut race = Race::new(starts.len(), settings, weight);
    while let Some(tasks) = race.next_batch() {
        let blocks = pool.install(|| {
            tasks
                .par_iter()
                .map_init(Scratch::default, |scratch, &(candidate, block)| {
                    play_block(judge, &starts[candidate], settings, weight, block, scratch)
                })
                .collect::<Vec<Block>>()
        });
        race.take(&tasks, &blocks);
    }
    Ok(race.results())
}

/// The weight luck is taken out with, in hundredths of 1: from the pilot, by least squares.
fn luck_weight(judge: &Judge<'_>, start: &Start, settings: &Settings) -> f64 {
    let design = Design {
        seed: settings.design.seed ^ PILOT_SEED,
        games: PILOT,
    };
    let pairs: Vec<[f64; 2]> = (0..design.blocks())
        .into_par_iter()
        .map_init(Scratch::default, |scratch, block| {
            let games = design.throws(block);
            let outcomes = games.map(|mut throws| {
                let outcome = game::play(judge, start, settings.style, &mut throws, scratch);
                [outcome.raw[EQUITY], outcome.luck[EQUITY]]
            });
            outcomes.collect::<Vec<_>>()
        })
        .collect::<Vec<_>>()
        .concat();
    let mean = |index: usize| pairs.iter().map(|pair| pair[index]).sum::<f64>() / PILOT as f64;
    let (raw, luck) = (mean(0), mean(1));
    let (mut together, mut square) = (0.0, 0.0);
    for pair in &pairs {
        together += (pair[0] - raw) * (pair[1] - luck);
        square += (pair[1] - luck) * (pair[1] - luck);
    }
    // Without any luck the weight does not matter.
    let slope = if square > 0.0 { together / square } else { 1.0 };
    (slope.clamp(0.0, 1.0) * 100.0).round() / 100.0
}

fn play_block(
    judge: &Judge<'_>,
    start: &Start,
    settings: &Settings,
    weight: f64,
    block: u64,
    scratch: &mut Scratch,
) -> Block {
    let (mut raw, mut luck) = ([0.0; 6], [0.0; 6]);
    let (mut rolls, mut capped) = (0, 0);
    for mut throws in settings.design.throws(block) {
        let outcome = game::play(judge, start, settings.style, &mut throws, scratch);
        for (sum, number) in raw.iter_mut().zip(outcome.raw) {
            *sum += number;
        }
        for (sum, number) in luck.iter_mut().zip(outcome.luck) {
            *sum += number;
        }
        rolls += u64::from(outcome.rolls);
        capped += u64::from(outcome.capped);
    }
    let games = settings.design.block_games() as f64;
    let parts = |sum: f64| (sum / games * f64::from(UNIT.get())).round() as i64;
    let adjusted: Numbers = std::array::from_fn(|index| raw[index] - weight * luck[index]);
    Block {
        raw: raw.map(parts),
        adjusted: adjusted.map(parts),
        luck: parts(luck[EQUITY]),
        rolls,
        capped,
    }
}

/// The candidates and what they have played.
struct Race<'a> {
    settings: &'a Settings,
    played: Vec<Vec<Block>>,
    in_play: Vec<bool>,
    luck_weight: f64,
    /// Blocks that those in play have played.
    done: u64,
}

impl Race<'_> {
    fn new(candidates: usize, settings: &Settings, luck_weight: f64) -> Race<'_> {
        Race {
            settings,
            played: vec![Vec::new(); candidates],
            in_play: vec![true; candidates],
            luck_weight,
            done: 0,
        }
    }

    /// What to play next, (candidate, block); `None` when all is played or only one is left.
    fn next_batch(&mut self) -> Option<Vec<(usize, u64)>> {
        let design = self.settings.design;
        let in_play: Vec<usize> = self.candidates_in_play().collect();
        let is_decided = self.played.len() > 1 && in_play.len() == 1;
        if self.done == design.blocks() || is_decided {
            return None;
        }
        let first = self.done;
        self.done = design.blocks().min(first + BATCH / design.block_games());
        let blocks = first..self.done;
        let tasks = in_play
            .iter()
            .flat_map(|&candidate| blocks.clone().map(move |block| (candidate, block)));
        Some(tasks.collect())
    }

    /// Notes what a batch came to, and drops those that are behind.
    fn take(&mut self, tasks: &[(usize, u64)], blocks: &[Block]) {
        for (&(candidate, _), &block) in tasks.iter().zip(blocks) {
            self.played[candidate].push(block);
        }
        if !self.settings.drop_losers || self.done < 2 {
            return;
        }
        let best = self.best();
        for candidate in 0..self.played.len() {
            if self.in_play[candidate] && candidate != best {
                self.in_play[candidate] = !self.is_behind(candidate, best);
            }
        }
    }

    fn candidates_in_play(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.played.len()).filter(|&candidate| self.in_play[candidate])
    }

    /// The best of those in play, the first of equals.
    fn best(&self) -> usize {
        let sum = |&candidate: &usize| -> i64 {
            let blocks = self.played[candidate].iter();
            blocks.map(|block| block.adjusted[EQUITY]).sum()
        };
        let best = self.candidates_in_play().rev().max_by_key(sum);
        best.expect("the best is never dropped")
    }

    /// Whether `candidate` is behind `best` at the confidence shared by all comparisons.
    fn is_behind(&self, candidate: usize, best: usize) -> bool {
        let comparisons = self.played.len() as u32 - 1;
        let confidence = self.settings.confidence.shared_by(comparisons);
        let difference = self.difference(candidate, best, confidence).estimate;
        // The same in every block to the millionth: luck explains all there was.
        let high = difference.interval.map(|interval| interval.high);
        high.unwrap_or(difference.value) < 0.0
    }

    /// The equity of a candidate less that of the best, over the blocks both have played.
    fn difference(&self, candidate: usize, best: usize, confidence: Confidence) -> Measured {
        let pairs = self.played[candidate].iter().zip(&self.played[best]);
        let gaps = pairs.map(|(own, best)| own.adjusted[EQUITY] - best.adjusted[EQUITY]);
        self.measured(&moments(gaps), confidence)
    }

    fn measured(&self, values: &Moments, confidence: Confidence) -> Measured {
        let blocks = self.settings.design.blocks();
        let planned = u32::try_from(blocks).ok().and_then(NonZeroU32::new);
        let planned = planned.unwrap_or(NonZeroU32::MAX);
        let estimate = asymptotic::confidence_sequence(values, UNIT, confidence, planned);
        let error = values.standard_error();
        Measured {
            estimate: estimate.expect("a block was played"),
            standard_error: error.map(|error| error / f64::from(UNIT.get())),
        }
    }

    fn results(&self) -> Vec<RolledOut> {
        let best = self.best();
        (0..self.played.len())
            .map(|candidate| self.result(candidate, best))
            .collect()
    }

    fn result(&self, candidate: usize, best: usize) -> RolledOut {
        let blocks = &self.played[candidate];
        let confidence = self.settings.confidence;
        let of = |value: &dyn Fn(&Block) -> i64| moments(blocks.iter().map(value));
        let adjusted = of(&|block| block.adjusted[EQUITY]);
        let raw = of(&|block| block.raw[EQUITY]);
        let luck = of(&|block| block.luck);
        RolledOut {
            games: blocks.len() as u64 * self.settings.design.block_games(),
            adjusted: std::array::from_fn(|index| {
                self.measured(&of(&|block| block.adjusted[index]), confidence)
            }),
            raw: self.measured(&raw, confidence),
            luck: self.measured(&luck, confidence),
            luck_weight: self.luck_weight,
            variance_ratio: variance_ratio(&[raw], &adjusted),
            rolls: blocks.iter().map(|block| block.rolls).sum(),
            capped: blocks.iter().map(|block| block.capped).sum(),
            difference: (self.settings.drop_losers && candidate != best)
                .then(|| self.difference(candidate, best, confidence)),
            is_behind: !self.in_play[candidate],
        }
    }
}

fn moments(values: impl Iterator<Item = i64>) -> Moments {
    let mut moments = Moments::EMPTY;
    values.for_each(|value| moments.push(value));
    moments
}
