//! What a match has counted, and what follows from it: pure functions of counts.
//!
//! At every look A is *stronger* if "the mean block score is at most fair" is rejected at α/2, *weaker* if "at least
//! fair" is, and *within the margin* if both "at most fair − δ" and "at least fair + δ" are. So the verdicts are read
//! off the confidence sequence of level 1 − α that is shown, and all looks together are wrong with probability α at
//! most (Ville 1939).

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::engine::race::Race;
use crate::stats::eprocess::{self, Null};
use crate::stats::variance_ratio::variance_ratio;
use crate::stats::{self, Estimate, Moments, ScoreCounts, elo, gsprt, interval};

use super::{Duel, Test, Verdict};

/// Blocks after which two bots whose games never differ are called alike where no margin decides.
pub const ALIKE_BLOCKS: u64 = 1_000;

/// How far a match is: whole numbers only, so that blocks split in any way merge to the same bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuelState {
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Blocks in which not all games went the same way.
    pub diverged: u64,
    /// How many blocks had each score of A. A block of g games at a table of n sides has g·n steps, so that every side
    /// can get an n-th of a game without a winner.
    pub scores: ScoreCounts,
    /// A's score in each rotation, in the same steps.
    pub rotations: Vec<Moments>,
    /// The first verdict reached; it stands.
    pub verdict: Verdict,
    /// Whether no more blocks are played.
    pub closed: bool,
}

impl DuelState {
    /// No blocks at a table of so many sides.
    ///
    /// # Panics
    /// When there is no side or more than 255.
    pub fn new(sides: usize) -> DuelState {
        DuelState {
            blocks: 0,
            games: 0,
            capped: 0,
            diverged: 0,
            scores: ScoreCounts::from_counts(vec![0; sides * sides + 1]).expect("few sides"),
            rotations: vec![Moments::EMPTY; sides],
            verdict: Verdict::Undecided,
            closed: false,
        }
    }

    /// Adds other blocks of the same match.
    pub(super) fn merge(&mut self, other: &DuelState) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.capped += other.capped;
        self.diverged += other.diverged;
        self.scores
            .merge(&other.scores)
            .expect("both are of one table");
        for (mine, theirs) in self.rotations.iter_mut().zip(&other.rotations) {
            mine.merge(theirs);
        }
    }

    /// Whether games were played and all were stopped at the cap: they do not tell how the bots play.
    pub fn is_all_capped(&self) -> bool {
        self.games > 0 && self.capped == self.games
    }

    /// The scores in games won: the familiar grid, if every game had a winner; else the finer one.
    pub fn grid(&self) -> ScoreCounts {
        if self.capped > 0 {
            return self.scores.clone();
        }
        let won = self.scores.counts().iter().step_by(self.rotations.len());
        ScoreCounts::from_counts(won.copied().collect()).expect("a block has a game")
    }
}

/// What a match says so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// A's share of wins with its confidence sequence, valid at every look; `None` without a block.
    pub share: Option<Estimate>,
    /// A's Elo over B, on the scale of [`Duel::elo`], with the same sequence.
    pub elo: Option<Estimate>,
    /// The "likelihood of superiority": a normal approximation, not valid after a stop that the games chose.
    pub superiority: Option<f64>,
    /// How many independent games one game of a block was worth.
    pub variance_ratio: Option<f64>,
    /// The upper limit of the rate of blocks in which the two play apart, where none did.
    pub divergence_limit: Option<f64>,
    /// The log-likelihood ratio, where the GSPRT decides and there is one.
    pub llr: Option<f64>,
}

impl<G: Race> Duel<G> {
    /// Nothing has been played.
    pub fn fresh(&self) -> DuelState {
        DuelState::new(self.sides.count)
    }

    /// Looks at the counts: the first verdict stands, and closes the match as the last block does.
    pub(super) fn look(&self, state: &mut DuelState) {
        if state.verdict == Verdict::Undecided {
            state.verdict = self.judge(state);
        }
        self.reopen(state);
    }

    /// Whether more blocks are played, which a larger budget may change: only a verdict stands.
    pub fn reopen(&self, state: &mut DuelState) {
        let last = state.blocks >= self.settings.max_blocks;
        state.closed = last || state.verdict != Verdict::Undecided;
    }

    /// What the counts say at this look.
    fn judge(&self, state: &DuelState) -> Verdict {
        let verdict = match self.settings.test {
            Test::EProcess => self.bet(&state.scores),
            Test::Gsprt { .. } if state.diverged == 0 => {
                if state.blocks < ALIKE_BLOCKS || state.is_all_capped() {
                    Verdict::Undecided
                } else {
                    Verdict::Degenerate
                }
            }
            Test::Gsprt { .. } => self.ratio(state),
        };
        // Within any margin, since they are the same games.
        if state.diverged == 0 && !state.is_all_capped() && verdict == Verdict::WithinMargin {
            Verdict::Degenerate
        } else {
            verdict
        }
    }

    fn bet(&self, scores: &ScoreCounts) -> Verdict {
        let rejected = -libm::log(self.settings.alpha / 2.0);
        let rejects =
            |null| eprocess::ln_e_value(scores, null).is_some_and(|ln_e| ln_e >= rejected);
        let (fair, margin) = (self.fair(), self.margin().share());
        if rejects(Null::AtMost(fair)) {
            Verdict::Stronger
        } else if rejects(Null::AtLeast(fair)) {
            Verdict::Weaker
        } else if rejects(Null::AtMost(fair - margin)) && rejects(Null::AtLeast(fair + margin)) {
            Verdict::WithinMargin
        } else {
            Verdict::Undecided
        }
    }

    fn ratio(&self, state: &DuelState) -> Verdict {
        let Some((_, rates)) = self.hypotheses() else {
            return Verdict::Undecided;
        };
        let verdict = self
            .llr(state)
            .map(|llr| gsprt::Bounds::new(rates).verdict(llr));
        match verdict {
            Some(stats::Verdict::Alternative) => Verdict::AcceptsH1,
            Some(stats::Verdict::Null) => Verdict::AcceptsH0,
            _ => Verdict::Undecided,
        }
    }

    fn llr(&self, state: &DuelState) -> Option<f64> {
        let (model, _) = self.hypotheses()?;
        gsprt::llr(&state.grid(), model).ok()
    }

    /// What the counts say in numbers.
    pub fn outcome(&self, state: &DuelState) -> Outcome {
        let scores = state.scores.moments();
        let unit = NonZeroU32::new(state.scores.steps()).expect("a grid has steps");
        let share = eprocess::confidence_sequence(&state.scores, self.confidence());
        let has_diverged = state.diverged > 0;
        Outcome {
            verdict: state.verdict,
            blocks: state.blocks,
            games: state.games,
            share,
            elo: share.and_then(|share| self.elo_estimate(share)),
            superiority: elo::likelihood_of_superiority(&scores, unit, self.fair())
                .filter(|_| has_diverged),
            variance_ratio: variance_ratio(&state.rotations, &scores).filter(|_| has_diverged),
            divergence_limit: interval::rare_event_limit(state.blocks, self.confidence())
                .filter(|_| !has_diverged && !state.is_all_capped()),
            llr: self.llr(state).filter(|_| has_diverged),
        }
    }

    /// A share with its interval as Elo; no interval where an end has no Elo.
    fn elo_estimate(&self, share: Estimate) -> Option<Estimate> {
        let interval = share.interval.and_then(|ends| {
            Some(stats::Interval {
                low: self.elo(ends.low)?,
                high: self.elo(ends.high)?,
            })
        });
        Some(Estimate {
            value: self.elo(share.value)?,
            n: share.n,
            interval,
        })
    }
}
