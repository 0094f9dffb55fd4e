//! What a study counts: whole numbers only, so that blocks split in any way merge to the same bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::stats::Moments;

use super::course::{METRICS, Numbers};
use super::decide::Answer;
use super::design::Contrast;
use super::jackknife::GROUPS;
use super::luck::{Frozen, LuckTally};

/// The games of one question by one rule set.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunTally {
    /// Blocks played.
    pub blocks: u64,
    /// Games played, capped ones included.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Games each side won.
    pub wins: Vec<u64>,
    /// Games in which each side made the first move.
    pub first: Vec<u64>,
    /// Games won by the side that made the first move.
    pub first_wins: u64,
    /// The metrics of a game; of those that need a winner, of finished games only.
    pub metrics: Vec<Moments>,
    /// Finished games by their rolls.
    pub rolls: BTreeMap<u32, u64>,
    /// How many blocks the one player won 0, 1, … of its games in.
    pub scores: Vec<u64>,
    /// Luck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckTally>,
}

impl RunTally {
    /// No games of a seat question between so many sides.
    pub fn of_seats(sides: usize) -> RunTally {
        RunTally {
            wins: vec![0; sides],
            first: vec![0; sides],
            metrics: vec![Moments::EMPTY; METRICS.len()],
            ..RunTally::default()
        }
    }

    /// No blocks of so many games of one player against a table.
    pub fn of_table(games: usize) -> RunTally {
        RunTally {
            scores: vec![0; games + 1],
            ..RunTally::default()
        }
    }

    /// No games in which luck is measured.
    pub fn of_luck() -> RunTally {
        RunTally {
            luck: Some(LuckTally::default()),
            ..RunTally::default()
        }
    }

    /// Counts a game of equal bots.
    pub fn game(&mut self, numbers: &Numbers) {
        self.games += 1;
        self.capped += u64::from(numbers.winner.is_none());
        if let Some(winner) = numbers.winner {
            self.wins[winner] += 1;
            self.first_wins += u64::from(winner == numbers.first);
            *self.rolls.entry(numbers.rolls).or_default() += 1;
        }
        self.first[numbers.first] += 1;
        for ((moments, metric), value) in self.metrics.iter_mut().zip(METRICS).zip(numbers.metrics)
        {
            if numbers.winner.is_some() || !metric.needs_winner {
                moments.push(value);
            }
        }
    }

    /// Adds other blocks.
    pub fn merge(&mut self, other: &RunTally) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.capped += other.capped;
        self.first_wins += other.first_wins;
        add(&mut self.wins, &other.wins);
        add(&mut self.first, &other.first);
        add(&mut self.scores, &other.scores);
        merge_all(&mut self.metrics, &other.metrics);
        for (&rolls, &games) in &other.rolls {
            *self.rolls.entry(rolls).or_default() += games;
        }
        if let (Some(mine), Some(theirs)) = (&mut self.luck, &other.luck) {
            mine.merge(theirs);
        }
    }

    /// Whether it is not always the same side that moves first.
    pub fn first_varies(&self) -> bool {
        self.first.iter().filter(|&&games| games > 0).count() > 1
    }
}

/// What the options change, from blocks that all rule sets played.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectTally {
    /// Blocks played by all rule sets.
    pub blocks: u64,
    /// For each contrast and metric the signed sums of a block.
    pub sums: Vec<Vec<Moments>>,
    /// For each option: pairs of games that only this option tells apart, and how many of them differed.
    pub twins: Vec<(u64, u64)>,
    /// For each rule set, group of blocks and side the games won.
    pub wins: Vec<Vec<Vec<u64>>>,
}

impl EffectTally {
    /// No blocks of these contrasts, options, metrics, rule sets and sides.
    pub fn new(
        contrasts: usize,
        options: usize,
        metrics: usize,
        runs: usize,
        sides: usize,
    ) -> EffectTally {
        EffectTally {
            blocks: 0,
            sums: vec![vec![Moments::EMPTY; metrics]; contrasts],
            twins: vec![(0, 0); options],
            wins: vec![vec![vec![0; sides]; GROUPS]; runs],
        }
    }

    /// Counts a block: the value of each metric by each rule set.
    pub fn block(&mut self, contrasts: &[Contrast], values: impl Fn(usize, usize) -> i64) {
        self.blocks += 1;
        for (contrast, sums) in contrasts.iter().zip(&mut self.sums) {
            for (metric, sums) in sums.iter_mut().enumerate() {
                let runs = 0..contrast.signs.len();
                sums.push(contrast.sum(runs.map(|run| values(run, metric))));
            }
        }
    }

    /// Adds other blocks.
    pub fn merge(&mut self, other: &EffectTally) {
        self.blocks += other.blocks;
        for (mine, theirs) in self.sums.iter_mut().zip(&other.sums) {
            merge_all(mine, theirs);
        }
        for (mine, theirs) in self.twins.iter_mut().zip(&other.twins) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        for (mine, theirs) in self
            .wins
            .iter_mut()
            .flatten()
            .zip(other.wins.iter().flatten())
        {
            add(mine, theirs);
        }
    }
}

/// The counts of one question by all rule sets.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyTally {
    /// Each rule set.
    pub runs: Vec<RunTally>,
    /// What the options change; none where it is not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<EffectTally>,
}

impl FamilyTally {
    /// Adds other blocks.
    pub fn merge(&mut self, other: &FamilyTally) {
        for (mine, theirs) in self.runs.iter_mut().zip(&other.runs) {
            mine.merge(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.effects, &other.effects) {
            mine.merge(theirs);
        }
    }
}

/// How far a question is with one rule set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Whether no more games are played.
    pub closed: bool,
    /// The first verdict that was reached; it stands.
    pub answer: Answer,
    /// The blocks after which it was.
    pub decided_at: u64,
    /// The verdict on the first move, where it is not always the same side's.
    pub first: Answer,
    /// The blocks after which that was reached.
    pub first_at: u64,
    /// The value function of luck.
    pub frozen: Option<Frozen>,
}

/// How far a question is.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyState {
    /// The next block.
    pub next: u64,
    /// Each rule set.
    pub runs: Vec<RunState>,
    /// The counts.
    pub tally: FamilyTally,
}

impl FamilyState {
    /// Whether nothing is left to play.
    pub fn is_closed(&self) -> bool {
        self.runs.iter().all(|run| run.closed)
    }
}

fn add(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}

fn merge_all(mine: &mut [Moments], theirs: &[Moments]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        mine.merge(theirs);
    }
}
