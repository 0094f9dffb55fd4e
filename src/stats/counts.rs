//! How many blocks had each block score.

use std::num::NonZeroU16;

use serde::{Deserialize, Serialize};

use super::exact;
use super::moments::Moments;

/// The counts of block scores on the grid 0, 1/steps, 2/steps, …, 1: all that the sequential tests look at.
///
/// One A against n − 1 B in n rotations has `steps = n`, cell i holding the blocks in which A won i games; with n = 2
/// and draws worth half a game this is the pentanomial of chess, `steps = 4`. Merging is exact: identity, order and
/// grouping do not matter. Counts saturate at `u64::MAX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct ScoreCounts {
    counts: Vec<u64>,
}

/// A score or a list of counts that does not fit the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A block score above the top of the grid.
    #[error("block score {score} of {steps} is above the top of the grid")]
    OffGrid {
        /// The score, in steps.
        score: u32,
        /// The steps of the grid.
        steps: u32,
    },
    /// Two grids that differ cannot be merged.
    #[error("counts on a grid of {left} steps cannot take counts on a grid of {right} steps")]
    Mismatch {
        /// The steps of the grid that should take the counts.
        left: u32,
        /// The steps of the other grid.
        right: u32,
    },
    /// A grid has between 2 and 65,536 cells.
    #[error("a grid of block scores has 2 to 65536 cells, not {cells}")]
    Cells {
        /// How many cells were given.
        cells: usize,
    },
}

impl ScoreCounts {
    /// No blocks yet, on a grid of `steps` steps.
    pub fn new(steps: NonZeroU16) -> Self {
        Self {
            counts: vec![0; usize::from(steps.get()) + 1],
        }
    }

    /// Counts of the scores 0, 1/steps, …, 1 in this order.
    ///
    /// # Errors
    ///
    /// If there are fewer than 2 or more than 65,536 cells.
    pub fn from_counts(counts: Vec<u64>) -> Result<Self, GridError> {
        let cells = counts.len();
        if (2..=usize::from(u16::MAX) + 1).contains(&cells) {
            Ok(Self { counts })
        } else {
            Err(GridError::Cells { cells })
        }
    }

    /// Adds one block whose score is `score` steps.
    ///
    /// # Errors
    ///
    /// If `score` is above the number of steps.
    pub fn push(&mut self, score: u32) -> Result<(), GridError> {
        let steps = self.steps();
        let cell = self
            .counts
            .get_mut(score as usize)
            .ok_or(GridError::OffGrid { score, steps })?;
        *cell = cell.saturating_add(1);
        Ok(())
    }

    /// Adds all blocks of `other`.
    ///
    /// # Errors
    ///
    /// If the grids differ; then nothing changes.
    pub fn merge(&mut self, other: &Self) -> Result<(), GridError> {
        if self.counts.len() != other.counts.len() {
            return Err(GridError::Mismatch {
                left: self.steps(),
                right: other.steps(),
            });
        }
        for (cell, more) in self.counts.iter_mut().zip(&other.counts) {
            *cell = cell.saturating_add(*more);
        }
        Ok(())
    }

    /// The number of steps from score 0 to score 1, at least 1.
    pub fn steps(&self) -> u32 {
        self.counts.len() as u32 - 1
    }

    /// The counts of the scores 0, 1/steps, …, 1.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many blocks in all.
    pub fn blocks(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The mean block score, in [0, 1]. `None` without a block.
    pub fn mean(&self) -> Option<f64> {
        Some(self.moments().mean()? / f64::from(self.steps()))
    }

    /// The moments of the block scores, in steps.
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::EMPTY;
        for (score, &count) in (0..).zip(&self.counts) {
            moments.push_times(score, count);
        }
        moments
    }

    /// The same blocks seen from the other side: score s becomes 1 − s.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            counts: self.counts.iter().rev().copied().collect(),
        }
    }

    /// The occupied cells as (score in [0, 1], count).
    pub(crate) fn occupied(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        let steps = f64::from(self.steps());
        let cells = self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        cells.map(move |(score, &count)| (score as f64 / steps, count as f64))
    }
}

/// The form in files.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Record(#[serde(with = "exact::list")] Vec<u64>);

impl From<ScoreCounts> for Record {
    fn from(counts: ScoreCounts) -> Self {
        Self(counts.counts)
    }
}

impl TryFrom<Record> for ScoreCounts {
    type Error = GridError;

    fn try_from(record: Record) -> Result<Self, GridError> {
        Self::from_counts(record.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counts(cells: &[u64]) -> ScoreCounts {
        ScoreCounts::from_counts(cells.to_vec()).unwrap()
    }

    #[test]
    fn blocks_are_counted_by_score() {
        let mut four_games = ScoreCounts::new(NonZeroU16::new(4).unwrap());
        for score in [1, 1, 0, 4] {
            four_games.push(score).unwrap();
        }
        assert_eq!(four_games.counts(), [1, 2, 0, 0, 1]);
        assert_eq!((four_games.blocks(), four_games.steps()), (4, 4));
        assert_eq!(four_games.mean(), Some(6.0 / 16.0));
        assert_eq!(four_games.moments(), [1, 1, 0, 4].into_iter().collect());
        assert_eq!(four_games.mirrored().counts(), [1, 0, 0, 2, 1]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut two = counts(&[1, 1, 1]);
        assert_eq!(
            two.push(3).unwrap_err().to_string(),
            "block score 3 of 2 is above the top of the grid"
        );
        assert_eq!(
            two.merge(&counts(&[1, 1])).unwrap_err().to_string(),
            "counts on a grid of 2 steps cannot take counts on a grid of 1 steps"
        );
        assert_eq!(two, counts(&[1, 1, 1]));
        assert_eq!(
            ScoreCounts::from_counts(vec![5]),
            Err(GridError::Cells { cells: 1 })
        );
        assert!(ScoreCounts::from_counts(vec![0; 65_537]).is_err());
        assert!(serde_json::from_str::<ScoreCounts>("[1]").is_err());
    }

    #[test]
    fn a_file_holds_the_plain_list() {
        let large = counts(&[1, u64::MAX]);
        let json = serde_json::to_string(&large).unwrap();
        assert_eq!(json, r#"[1,"18446744073709551615"]"#);
        assert_eq!(serde_json::from_str::<ScoreCounts>(&json).unwrap(), large);
    }

    proptest! {
        #[test]
        fn merging_ignores_identity_order_and_grouping(cells: [[u64; 3]; 3]) {
            let [a, b, c] = cells.map(|cells| counts(&cells));
            let sum = |parts: &[&ScoreCounts]| {
                let mut all = ScoreCounts::new(NonZeroU16::new(2).unwrap());
                for part in parts {
                    all.merge(part).unwrap();
                }
                all
            };
            let all = sum(&[&a, &b, &c]);
            prop_assert_eq!(&sum(&[&c, &a, &b]), &all);
            prop_assert_eq!(&sum(&[&a, &sum(&[&b, &c])]), &all);
            prop_assert_eq!(sum(&[&a]), a);
        }
    }
}
