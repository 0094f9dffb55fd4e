//! Tournaments whose pairings follow from the results so far: `schedule = "swiss"` and `schedule = "adaptive"`.
//!
//! Two bots meet in blocks: one of the one against a table of the other, and the other way round, all rotations on the
//! same dice; at a table of two sides these are the same games. Every pair has dice of its own, so blocks are
//! independent. In a Swiss tournament every round plays `blocks` blocks for each pair; in an adaptive one the
//! neighbours in the rating whose order is least known play on until all neighbours are decided or `blocks` blocks are
//! played in all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use crate::engine::race::Race;
use crate::experiment::balance::margin::Margin;
use crate::experiment::duel::run::Worker;
use crate::experiment::duel::{Direction, Duel, DuelError, Settings};
use crate::experiment::record::RecordError;
use crate::experiment::schedule::ScheduleKind;
use crate::experiment::spec::Experiment;
use crate::stats::eprocess::{self, Null};
use crate::stats::plackett_luce::{Entrant, Prior, Rankings};
use crate::stats::{Confidence, Estimate, ScoreCounts};

use super::pairing::{Pair, least_known, pair, swiss};

/// Blocks of a pair before its order is looked at for the first time.
const FIRST_BLOCKS: u64 = 50;

/// What the first bot of a pair did in a block: games won and games stopped at the cap, alone against a table of the
/// other, then at a table of itself against the other.
pub type Cell = [u32; 4];

/// The games of a pair.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairTally {
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Blocks by what the first bot did in them.
    pub cells: Vec<(Cell, u64)>,
}

impl PairTally {
    fn add(&mut self, cell: Cell, blocks: u64) {
        match self.cells.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(at) => self.cells[at].1 += blocks,
            Err(at) => self.cells.insert(at, (cell, blocks)),
        }
    }

    fn merge(&mut self, other: &PairTally) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.capped += other.capped;
        for &(cell, blocks) in &other.cells {
            self.add(cell, blocks);
        }
    }
}

/// What is known of the order of two bots.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The first is stronger.
    First,
    /// The second is stronger.
    Second,
    /// They are within the margin.
    WithinMargin,
    /// Neither is shown.
    #[default]
    Undecided,
}

/// How far a tournament is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundsState {
    /// The pairs of every round.
    pub rounds: Vec<Vec<Pair>>,
    /// How many pairs of the last round are played.
    pub played: usize,
    /// The first blocks of the next one, where it was broken off.
    #[serde(default)]
    pub part: PairTally,
    /// The games of every pair that met, and what is known of its order; the first answer stands.
    pub pairs: Vec<(Pair, PairTally, Order)>,
    /// How often each bot had nobody to play.
    pub byes: Vec<u64>,
    /// Whether nothing is left to play.
    pub closed: bool,
}

impl RoundsState {
    /// The pairs that met.
    pub fn met(&self) -> impl Iterator<Item = &(Pair, PairTally, Order)> {
        self.pairs.iter().filter(|(_, tally, _)| tally.blocks > 0)
    }

    /// Games played and those stopped at the cap.
    pub fn games(&self) -> (u64, u64) {
        let each = self.pairs.iter();
        each.fold((0, 0), |sum, (_, tally, _)| {
            (sum.0 + tally.games, sum.1 + tally.capped)
        })
    }

    /// Blocks of all pairs that are played; not those of [`part`](Self::part).
    pub fn blocks(&self) -> u64 {
        self.pairs.iter().map(|(_, tally, _)| tally.blocks).sum()
    }

    fn entry(&mut self, pair: Pair) -> &mut (Pair, PairTally, Order) {
        let at = match self.pairs.binary_search_by_key(&pair, |&(pair, ..)| pair) {
            Ok(at) => at,
            Err(at) => {
                let fresh = (pair, PairTally::default(), Order::Undecided);
                self.pairs.insert(at, fresh);
                at
            }
        };
        &mut self.pairs[at]
    }

    fn of(&self, pair: Pair) -> Option<&(Pair, PairTally, Order)> {
        let at = self.pairs.binary_search_by_key(&pair, |&(pair, ..)| pair);
        at.ok().map(|at| &self.pairs[at])
    }
}

/// A tournament in rounds that has been checked.
pub struct Rounds<'a, G: Race> {
    experiment: &'a Experiment<G>,
    sides: usize,
    margin: Margin,
    alpha: f64,
    most: u64,
}

impl<'a, G: Race> Rounds<'a, G> {
    /// The rounds of an experiment whose schedule asks for them.
    ///
    /// # Errors
    /// When the margin or α leaves no room.
    pub fn new(experiment: &'a Experiment<G>) -> Result<Rounds<'a, G>, DuelError> {
        let spec = &experiment.spec;
        let bots = experiment.bots.len() as u64;
        let sides = experiment
            .schedule
            .sides
            .iter()
            .max()
            .map_or(0, |last| last + 1);
        let margin = spec.margin.unwrap_or(Margin::points(1.0));
        let rounds = Rounds {
            experiment,
            sides,
            margin,
            alpha: spec.alpha.unwrap_or(0.05),
            // Enough that a single best one of so many stands out: one more than halving takes.
            most: spec.rounds.unwrap_or(u64::from(bots.ilog2()) + 2),
        };
        if margin.share() >= 0.5 {
            return Err(DuelError::Margin {
                margin,
                fair: Margin::points(50.0),
            });
        }
        if !(rounds.alpha > 0.0 && rounds.alpha <= 0.5) {
            return Err(DuelError::Alpha(rounds.alpha));
        }
        rounds.duels((0, 1))?;
        Ok(rounds)
    }

    /// Nothing has been played.
    pub fn fresh(&self) -> RoundsState {
        RoundsState {
            rounds: Vec::new(),
            played: 0,
            part: PairTally::default(),
            pairs: Vec::new(),
            byes: vec![0; self.experiment.bots.len()],
            closed: false,
        }
    }

    /// The hash of everything that decides the numbers: the job's identity.
    pub fn job(&self) -> String {
        self.experiment.job()
    }

    /// How far a pair's score may be from one half and still count as equal.
    pub fn margin(&self) -> Margin {
        self.margin
    }

    /// The probability of a wrong order of any pair at most.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Blocks at most.
    pub fn budget(&self) -> u64 {
        let bots = self.experiment.bots.len() as u64;
        let blocks = self.experiment.spec.blocks;
        if self.is_adaptive() {
            blocks
        } else {
            blocks.saturating_mul(self.most * (bots / 2))
        }
    }

    fn is_adaptive(&self) -> bool {
        self.experiment.spec.schedule == ScheduleKind::Adaptive
    }

    /// The two directions of a pair; one at a table of two sides.
    fn duels(&self, (a, b): Pair) -> Result<Vec<Duel<G>>, DuelError> {
        let Experiment { bots, spec, .. } = self.experiment;
        let settings = Settings {
            max_blocks: 1 << 32,
            margin: Some(Margin::points(1e-9)),
            seed: spec.seed,
            // Every pair has blocks of its own.
            first_block: (((a * bots.len() + b) as u64) + 1) << 40,
            cap: spec.cap,
            ..Settings::default()
        };
        let directions = [Direction::OneAgainstMany, Direction::ManyAgainstOne];
        let directions = directions.iter().take(if self.sides > 2 { 2 } else { 1 });
        directions
            .map(|&direction| {
                let game: G = spec.table().game().expect("the table was checked");
                Duel::new(
                    game,
                    [bots[a].clone(), bots[b].clone()],
                    direction,
                    settings,
                )
            })
            .collect()
    }

    /// The scores of the first bot of a pair over both directions: ½ on average if the two are equal.
    pub fn scores(&self, tally: &PairTally) -> ScoreCounts {
        let each = self.sides * self.sides;
        let steps = if self.sides > 2 { 2 * each } else { each };
        let mut counts = vec![0; steps + 1];
        let sides = self.sides as u32;
        for &([alone, capped, among, capped_among], blocks) in &tally.cells {
            // Of a game without a winner every side gets the same part.
            let score = sides * (alone + among) + capped + (sides - 1) * capped_among;
            counts[score as usize] += blocks;
        }
        ScoreCounts::from_counts(counts).expect("few sides")
    }

    /// The level of a pair: α is split over all pairs, since any two can become neighbours.
    fn level(&self) -> f64 {
        let bots = self.experiment.bots.len() as f64;
        self.alpha / (bots * (bots - 1.0) / 2.0)
    }

    /// The score of the first bot of a pair with a confidence sequence that holds for all pairs together.
    ///
    /// # Panics
    /// Never: α was checked.
    pub fn score(&self, tally: &PairTally) -> Option<Estimate> {
        let confidence = Confidence::from_alpha(self.level()).expect("alpha was checked before");
        eprocess::confidence_sequence(&self.scores(tally), confidence)
    }

    /// What the games of a pair say of its order, and how well it is known.
    fn judge(&self, tally: &PairTally) -> (Order, f64) {
        let scores = self.scores(tally);
        let ln_e = |null| eprocess::ln_e_value(&scores, null).unwrap_or(f64::NEG_INFINITY);
        let rejected = -libm::log(self.level() / 2.0);
        let (first, second) = (ln_e(Null::AtMost(0.5)), ln_e(Null::AtLeast(0.5)));
        let margin = self.margin.share();
        let inside = ln_e(Null::AtMost(0.5 - margin)).min(ln_e(Null::AtLeast(0.5 + margin)));
        let order = if first >= rejected {
            Order::First
        } else if second >= rejected {
            Order::Second
        } else if inside >= rejected {
            Order::WithinMargin
        } else {
            Order::Undecided
        };
        (order, first.max(second).max(inside))
    }

    /// All games with a winner as rankings: each block a cluster of its own, or all in one.
    pub fn rankings(&self, state: &RoundsState, by_block: bool) -> Rankings {
        let mut rankings = Rankings::new(self.experiment.bots.len(), 1);
        let games = self.sides as u32;
        let at = |bot| Entrant { bot, seat: 0 };
        // The winner of a table of one bot against all others of another.
        let ended = |winner: usize, others: usize, of: usize, one: Option<usize>| {
            let mut rest = vec![at(others); of];
            rest.extend(one.map(at));
            (vec![vec![at(winner)]], rest)
        };
        let many = self.sides - 1;
        let mut cluster = 0;
        for &((a, b), ref tally, _) in &state.pairs {
            for &([alone, capped, among, capped_among], blocks) in &tally.cells {
                let mut wins = vec![
                    (alone, ended(a, b, many, None)),
                    (games - alone - capped, ended(b, b, many - 1, Some(a))),
                ];
                if many > 1 {
                    wins.push((among, ended(a, a, many - 1, Some(b))));
                    wins.push((games - among - capped_among, ended(b, a, many, None)));
                }
                let (clusters, each) = if by_block { (blocks, 1) } else { (1, blocks) };
                for _ in 0..clusters {
                    for (wins, (places, rest)) in wins.iter().filter(|(wins, _)| *wins > 0) {
                        let pushed = rankings.push(
                            cluster,
                            u64::from(*wins) * each,
                            places.clone(),
                            rest.clone(),
                        );
                        pushed.expect("two bots that exist");
                    }
                    cluster += u64::from(by_block);
                }
            }
        }
        rankings
    }

    /// The bots from the strongest on by all games so far, each with half a game won and lost against a ghost so that
    /// there always is an order; before any game that of the spec. By equal strengths the order of the spec stands.
    pub fn order(&self, state: &RoundsState) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.experiment.bots.len()).collect();
        if let Ok(fit) = self.rankings(state, false).fit(Prior::Ghost(0.5)) {
            let strengths = fit.strengths();
            // Rounded, so that the last bit of a sum decides nothing.
            let rank = |bot: usize| (strengths[bot] * 1e9).round();
            order.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
        }
        order
    }

    /// Makes the next round, or closes the tournament.
    fn pair_up(&self, state: &mut RoundsState) {
        let order = self.order(state);
        let pairs = if self.is_adaptive() {
            self.adaptive_round(&order, state)
        } else if state.rounds.len() as u64 >= self.most {
            Vec::new()
        } else {
            let mut met = BTreeMap::new();
            for &pair in state.rounds.iter().flatten() {
                *met.entry(pair).or_default() += 1;
            }
            swiss(&order, &met, &state.byes)
        };
        if pairs.is_empty() {
            state.closed = true;
            return;
        }
        if !self.is_adaptive() {
            for (bot, byes) in state.byes.iter_mut().enumerate() {
                *byes += u64::from(!pairs.iter().any(|&(a, b)| bot == a || bot == b));
            }
        }
        state.rounds.push(pairs);
        state.played = 0;
    }

    fn adaptive_round(&self, order: &[usize], state: &RoundsState) -> Vec<Pair> {
        if state.blocks() >= self.experiment.spec.blocks {
            return Vec::new();
        }
        if state.rounds.is_empty() {
            return order.windows(2).map(|two| pair(two[0], two[1])).collect();
        }
        let known = |pair| match state.of(pair) {
            None => Some(0.0),
            Some((_, _, order)) if *order != Order::Undecided => None,
            Some((_, tally, _)) => Some(self.judge(tally).1),
        };
        least_known(order, known).into_iter().collect()
    }

    /// The blocks that a pair plays in this round.
    fn blocks_of(&self, pair: Pair, state: &RoundsState) -> u64 {
        let blocks = self.experiment.spec.blocks;
        if !self.is_adaptive() {
            return blocks;
        }
        let before = state.of(pair).map_or(0, |(_, tally, _)| tally.blocks);
        let left = blocks.saturating_sub(state.blocks());
        (before / 5).clamp(FIRST_BLOCKS, 10_000).min(left)
    }
}

/// How a tournament is carried out; nothing here changes a number.
pub struct Options<'a> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Set from outside to stop after the blocks that are being played.
    pub stop: &'a AtomicBool,
    /// The longest time between two calls of `watch`, but for the blocks that are being played.
    pub pause: Duration,
    /// Called after every pair and within long ones, to show or to save how far the tournament is.
    pub watch: &'a dyn Fn(&RoundsState) -> Result<(), RecordError>,
}

/// Plays what is missing; whether all is played then: false when it was told to stop.
///
/// # Errors
/// When a bot cannot choose any more, and those of `watch`.
pub fn run<G: Race>(
    rounds: &Rounds<'_, G>,
    state: &mut RoundsState,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build();
    let pool = pool.map_err(|error| RecordError::Io {
        path: "threads".to_owned(),
        reason: error.to_string(),
    })?;
    while !state.closed {
        if options.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let next = state
            .rounds
            .last()
            .and_then(|round| round.get(state.played));
        let Some(&pair) = next else {
            rounds.pair_up(state);
            continue;
        };
        let blocks = rounds.blocks_of(pair, state);
        let before = state.of(pair).map_or(0, |(_, tally, _)| tally.blocks);
        let left = before + state.part.blocks..before + blocks;
        state
            .part
            .merge(&play_pair(rounds, &pool, pair, left, options)?);
        if state.part.blocks >= blocks {
            let tally = std::mem::take(&mut state.part);
            let entry = state.entry(pair);
            entry.1.merge(&tally);
            if entry.2 == Order::Undecided {
                entry.2 = rounds.judge(&entry.1).0;
            }
            state.played += 1;
        }
        (options.watch)(state)?;
    }
    Ok(true)
}

/// Plays blocks of a pair on all threads: all, or the first ones if it is told to stop or the time is over.
fn play_pair<G: Race>(
    rounds: &Rounds<'_, G>,
    pool: &ThreadPool,
    pair: Pair,
    blocks: std::ops::Range<u64>,
    options: &Options<'_>,
) -> Result<PairTally, RecordError> {
    let duels = rounds
        .duels(pair)
        .expect("the bots and the table were checked");
    let sides = rounds.sides as u32;
    let (next, began) = (AtomicU64::new(blocks.start), Instant::now());
    // Whoever takes a block plays it, so no block before the last one taken is missing.
    let (stop, pause) = (options.stop, options.pause);
    let is_over = || stop.load(Ordering::Relaxed) || began.elapsed() >= pause;
    let results = pool.broadcast(|_| {
        let mut workers: Vec<Worker<'_, G>> = duels.iter().map(Worker::new).collect();
        let mut tally = PairTally::default();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks.end {
                return Ok(tally);
            }
            let mut cell = Cell::default();
            for (direction, worker) in workers.iter_mut().enumerate() {
                let played = worker.games(block)?;
                // A's part of a game without a winner: one step alone, all but one among its like.
                let part = if direction == 0 { 1 } else { sides - 1 };
                let capped = played.capped as u32;
                cell[2 * direction] = (played.score - part * capped) / sides;
                cell[2 * direction + 1] = capped;
                tally.games += played.games;
                tally.capped += played.capped;
            }
            tally.blocks += 1;
            tally.add(cell, 1);
            if is_over() {
                return Ok(tally);
            }
        }
    });
    let mut all = PairTally::default();
    for tally in results {
        all.merge(&tally?);
    }
    Ok(all)
}
