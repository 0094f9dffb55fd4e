//! Fixed-size intervals: shares of independent games, and the mean of block scores.
//!
//! Each of them covers at its level when looked at once, after a number of games planned beforehand. While a run goes
//! on, use a confidence sequence ([`eprocess`](super::eprocess), [`asymptotic`](super::asymptotic)).

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::confidence::Confidence;
use super::moments::Moments;
use super::quantile;

/// A closed interval, `low` ≤ `high`, in the unit of what it covers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval `centre` ± `half_width`.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Half the distance between the ends.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies inside or on an end.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The same interval on another scale. `f` must be increasing.
    #[must_use]
    pub fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            low: f(self.low),
            high: f(self.high),
        }
    }

    /// The part inside `low..=high`; if there is none, the nearest end.
    #[must_use]
    pub fn clipped(&self, low: f64, high: f64) -> Self {
        self.map(|end| end.max(low).min(high))
    }
}

/// A number, what it rests on and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The number of independent units behind it: games or blocks, as the function says.
    pub n: u64,
    /// The interval; `None` when there is too little data for one.
    pub interval: Option<Interval>,
}

/// The mean of block scores, or the finding that all blocks scored the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockMean {
    /// Blocks differ, or there is only one: mean, blocks and interval (`None` for one block).
    Estimated(Estimate),
    /// Two or more blocks, all with the same score. Such data say nothing about the spread, so there is no interval;
    /// say "no game diverged in `blocks` blocks; divergence rate < `divergence_below`".
    Constant {
        /// The score of every block, in [0, 1].
        value: f64,
        /// How many blocks.
        blocks: u64,
        /// The upper confidence limit for the share of blocks with another score, about 3/`blocks` at 95 %.
        divergence_below: f64,
    },
}

impl BlockMean {
    /// The mean block score.
    pub fn value(&self) -> f64 {
        match *self {
            Self::Estimated(Estimate { value, .. }) | Self::Constant { value, .. } => value,
        }
    }

    /// The interval of the mean; `None` for one block or equal blocks.
    pub fn interval(&self) -> Option<Interval> {
        match self {
            Self::Estimated(estimate) => estimate.interval,
            Self::Constant { .. } => None,
        }
    }
}

/// The mean of block scores with its Student interval, mean ± t(B − 1) · sd/√B (Student 1908).
///
/// `scores` are whole numbers of which `unit` make a score of 1; an average over g won or lost games has `unit = g`.
/// Blocks are the unit of independence, so shared dice and rotations are accounted for. The result is in [0, 1] if
/// the scores are; the interval is not clipped. `None` without a block.
pub fn block_mean(scores: &Moments, unit: NonZeroU32, confidence: Confidence) -> Option<BlockMean> {
    let unit = f64::from(unit.get());
    let blocks = scores.n();
    let value = scores.mean()? / unit;
    if blocks > 1 && scores.is_constant() {
        return Some(BlockMean::Constant {
            value,
            blocks,
            divergence_below: rare_event_limit(blocks, confidence)?,
        });
    }
    let interval = scores.standard_error().map(|error| {
        let t = quantile::student_two_sided(confidence.alpha(), (blocks - 1) as f64);
        Interval::around(value, t * error / unit)
    });
    Some(BlockMean::Estimated(Estimate {
        value,
        n: blocks,
        interval,
    }))
}

/// The upper confidence limit for the rate of an event never seen in `n` independent trials: 1 − α^(1/n), a little
/// below −ln α/n, the "rule of three" 3/n at 95 % (Hanley & Lippman-Hand 1983). `None` for `n` = 0.
pub fn rare_event_limit(n: u64, confidence: Confidence) -> Option<f64> {
    (n > 0).then(|| -libm::expm1(libm::log(confidence.alpha()) / n as f64))
}

/// The share k/n of *independent* games with its score interval (Wilson 1927). `None` for `n` = 0 or `k` > `n`.
///
/// Not for games of one block: they share their dice. Use [`block_mean`] there.
pub fn wilson(k: u64, n: u64, confidence: Confidence) -> Option<Estimate> {
    let value = share(k, n)?;
    let z = quantile::normal_two_sided(confidence.alpha());
    let interval = Interval {
        low: wilson_low(k, n, z),
        high: 1.0 - wilson_low(n - k, n, z),
    };
    Some(Estimate {
        value,
        n,
        interval: Some(interval),
    })
}

/// The share k/n of *independent* games with its exact interval (Clopper & Pearson 1934): the quantiles α/2 of
/// Beta(k, n − k + 1) and 1 − α/2 of Beta(k + 1, n − k). Never too short, often a little too long.
/// `None` for `n` = 0 or `k` > `n`.
pub fn clopper_pearson(k: u64, n: u64, confidence: Confidence) -> Option<Estimate> {
    let value = share(k, n)?;
    let tail = confidence.alpha() / 2.0;
    let (won, lost) = (k as f64, (n - k) as f64);
    let low = if k == 0 {
        0.0
    } else {
        quantile::beta_lower(won, lost + 1.0, tail)
    };
    let high = if k == n {
        1.0
    } else {
        quantile::beta_upper(won + 1.0, lost, tail)
    };
    Some(Estimate {
        value,
        n,
        interval: Some(Interval { low, high }),
    })
}

/// The difference k1/n1 − k2/n2 of two independent shares of *independent* games, in [−1, 1], with the interval that
/// squares and adds the Wilson limits (Newcombe 1998, method 10). `n` is n1 + n2.
/// `None` for a total of 0 or a count above its total.
pub fn newcombe(k1: u64, n1: u64, k2: u64, n2: u64, confidence: Confidence) -> Option<Estimate> {
    let (first, second) = (wilson(k1, n1, confidence)?, wilson(k2, n2, confidence)?);
    let (one, two) = (first.interval?, second.interval?);
    let value = first.value - second.value;
    let interval = Interval {
        low: value - (first.value - one.low).hypot(two.high - second.value),
        high: value + (one.high - first.value).hypot(second.value - two.low),
    };
    Some(Estimate {
        value,
        n: n1.saturating_add(n2),
        interval: Some(interval),
    })
}

fn share(k: u64, n: u64) -> Option<f64> {
    (n > 0 && k <= n).then(|| k as f64 / n as f64)
}

/// The smaller root of (p̂ − p)² = z² p(1 − p)/n, as the product of the roots over the larger one: no cancellation.
fn wilson_low(k: u64, n: u64, z: f64) -> f64 {
    let (k, n) = (k as f64, n as f64);
    let larger = k + z * z / 2.0 + z * (k * (n - k) / n + z * z / 4.0).sqrt();
    k * k / (n * larger)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    fn ends(estimate: Option<Estimate>) -> (f64, f64) {
        let interval = estimate.unwrap().interval.unwrap();
        (interval.low, interval.high)
    }

    #[track_caller]
    fn assert_ends(actual: (f64, f64), expected: (f64, f64), tolerance: f64) {
        let close = |a: f64, b: f64| (a - b).abs() <= tolerance;
        assert!(
            close(actual.0, expected.0) && close(actual.1, expected.1),
            "{actual:?} is not {expected:?}"
        );
    }

    #[test]
    fn shares_of_newcombe_1998() {
        for (k, n, wilson_ends, exact_ends) in [
            (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
            (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
            (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
            (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
        ] {
            assert_ends(ends(wilson(k, n, P95)), wilson_ends, 5e-5);
            assert_ends(ends(clopper_pearson(k, n, P95)), exact_ends, 5e-5);
        }
    }

    #[test]
    fn published_digits() {
        let million = ends(clopper_pearson(250_000, 1_000_000, P95));
        assert_ends(million, (0.249_151_535_7, 0.250_849_912_6), 5e-11);
        // A published table that uses z = 1.960.
        let low = wilson_low(25, 100, 1.96);
        assert_ends(
            (low, 1.0 - wilson_low(75, 100, 1.96)),
            (0.175_450_940_0, 0.343_046_463_7),
            5e-11,
        );
    }

    #[test]
    fn difference_of_newcombe_1998() {
        let difference = newcombe(56, 70, 48, 80, P95);
        assert!((difference.unwrap().value - 0.2).abs() < 1e-15);
        assert_eq!(difference.unwrap().n, 150);
        assert_ends(ends(difference), (0.0524, 0.3339), 5e-5);
    }

    #[test]
    fn impossible_counts_have_no_share() {
        assert_eq!(wilson(0, 0, P95), None);
        assert_eq!(wilson(3, 2, P95), None);
        assert_eq!(clopper_pearson(3, 2, P95), None);
        assert_eq!(newcombe(1, 2, 0, 0, P95), None);
        assert_eq!(rare_event_limit(0, P95), None);
    }

    #[test]
    fn limits_of_huge_samples() {
        let (low, high) = ends(clopper_pearson(250_000_000, 1_000_000_000, P95));
        let half = 1.959_964 * (0.25 * 0.75 / 1e9_f64).sqrt();
        assert_ends((low, high), (0.25 - half, 0.25 + half), 2e-9);
        assert_ends(
            ends(wilson(250_000_000, 1_000_000_000, P95)),
            (low, high),
            2e-9,
        );
        assert_ends(ends(wilson(u64::MAX, u64::MAX, P95)), (1.0, 1.0), 1e-15);
    }

    #[test]
    fn a_block_mean_uses_students_t() {
        // Four blocks of four games with 0, 1, 1 and 2 wins: sd √(2/3) wins, t(3) = 3.182446.
        let scores: Moments = [0, 1, 1, 2].into_iter().collect();
        let four = NonZeroU32::new(4).unwrap();
        let BlockMean::Estimated(mean) = block_mean(&scores, four, P95).unwrap() else {
            panic!("blocks differ")
        };
        assert_eq!((mean.value, mean.n), (0.25, 4));
        let half = 3.182_446_305 * (2.0_f64 / 3.0).sqrt() / 2.0 / 4.0;
        assert_ends(ends(Some(mean)), (0.25 - half, 0.25 + half), 1e-9);
    }

    #[test]
    fn one_block_has_a_mean_but_no_interval() {
        let four = NonZeroU32::new(4).unwrap();
        let one = block_mean(&[1].into_iter().collect(), four, P95);
        assert_eq!(
            one,
            Some(BlockMean::Estimated(Estimate {
                value: 0.25,
                n: 1,
                interval: None
            }))
        );
        assert_eq!(block_mean(&Moments::EMPTY, four, P95), None);
    }

    #[test]
    fn equal_blocks_are_not_certainty() {
        let mut scores = Moments::EMPTY;
        scores.push_times(1, 1_000);
        let mean = block_mean(&scores, NonZeroU32::new(4).unwrap(), P95).unwrap();
        let BlockMean::Constant {
            value,
            blocks,
            divergence_below,
        } = mean
        else {
            panic!("{mean:?}")
        };
        assert_eq!(
            (value, blocks, mean.value(), mean.interval()),
            (0.25, 1_000, 0.25, None)
        );
        assert!(divergence_below < 3.0 / 1_000.0 && divergence_below > 2.99 / 1_000.0);
        let (_, exact) = ends(clopper_pearson(0, 1_000, Confidence::new(0.9).unwrap()));
        assert!((divergence_below - exact).abs() < 1e-14);
    }

    proptest! {
        #[test]
        fn limits_are_ordered_and_mirror(k in 0_u64..10_000, more in 1_u64..10_000, level in 0.5..0.999_999) {
            let (n, confidence) = (k + more, Confidence::new(level).unwrap());
            for method in [wilson, clopper_pearson] {
                let (low, high) = ends(method(k, n, confidence));
                let value = k as f64 / n as f64;
                prop_assert!(0.0 <= low && low <= value && value <= high && high <= 1.0);
                let mirrored = ends(method(n - k, n, confidence));
                prop_assert!((mirrored.0 + high - 1.0).abs() < 1e-12 && (mirrored.1 + low - 1.0).abs() < 1e-12);
            }
        }
    }
}
