//! Intervals for medians and other quantiles from order statistics: no assumption about the law.

use super::confidence::Confidence;
use super::quantile::binomial_cdf;

/// Two places in the sorted sample, from 1 for the smallest value to n for the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The place of the lower end.
    pub low: u64,
    /// The place of the upper end.
    pub high: u64,
}

/// The places between which the quantile `q` of the law lies with at least this confidence, for `n` independent
/// values (Wilks 1948; David & Nagaraja 2003, 7.1).
///
/// The number of values below the quantile is binomial(n, q), so each end leaves at most α/2 outside; for values with
/// ties the confidence is higher. For one look at a planned number of values. `None` if `q` is not strictly between
/// 0 and 1, or `n` is too small for either end to exist (for the median at 95 %: below 6).
pub fn quantile_ranks(n: u64, q: f64, confidence: Confidence) -> Option<Ranks> {
    if !(q > 0.0 && q < 1.0) {
        return None;
    }
    let tail = confidence.alpha() / 2.0;
    // The largest l with P(X ≤ l − 1) ≤ α/2, and by symmetry from above the smallest u with P(X ≥ u) ≤ α/2.
    let low = ends_below(n, q, tail)?;
    let high = n + 1 - ends_below(n, 1.0 - q, tail)?;
    (low < high).then_some(Ranks { low, high })
}

/// The largest l ≥ 1 with P(X ≤ l − 1) ≤ `tail`, X ~ binomial(n, q).
fn ends_below(n: u64, q: f64, tail: f64) -> Option<u64> {
    let fits = |l: u64| binomial_cdf(l - 1, n, q) <= tail;
    if n == 0 || !fits(1) {
        return None;
    }
    let (mut below, mut above) = (1, n);
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if fits(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    Some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    #[test]
    fn the_median_of_small_samples() {
        // The usual table: n = 6 the extremes, n = 10 the second, n = 25 the eighth, n = 100 the fortieth (the
        // chance of at most 39 of 100 heads is 1.76 %, of at most 40 it is 2.84 %).
        for (n, low) in [(6, 1), (10, 2), (25, 8), (100, 40)] {
            let ranks = quantile_ranks(n, 0.5, P95).unwrap();
            assert_eq!(
                ranks,
                Ranks {
                    low,
                    high: n + 1 - low
                },
                "{n}"
            );
        }
        assert_eq!(quantile_ranks(5, 0.5, P95), None);
        assert_eq!(quantile_ranks(0, 0.5, P95), None);
    }

    #[test]
    fn a_high_quantile_needs_many_values() {
        // 1 − 0.95^n ≥ 97.5 % from n = 72 on.
        assert_eq!(quantile_ranks(71, 0.95, P95), None);
        assert_eq!(quantile_ranks(72, 0.95, P95).unwrap().high, 72);
        for q in [0.0, 1.0, f64::NAN] {
            assert_eq!(quantile_ranks(100, q, P95), None);
        }
    }

    #[test]
    fn a_million_values() {
        let ranks = quantile_ranks(1_000_000, 0.5, P95).unwrap();
        assert_eq!(ranks.low + ranks.high, 1_000_001);
        assert!((499_018..499_023).contains(&ranks.low), "{ranks:?}");
    }

    #[test]
    fn each_end_leaves_at_most_half_of_alpha_outside_and_no_place_less() {
        for n in 1..60 {
            for q in [0.1, 0.25, 0.5, 0.9] {
                let Some(Ranks { low, high }) = quantile_ranks(n, q, P95) else {
                    continue;
                };
                let below = |k: u64| binomial_cdf(k, n, q);
                assert!(
                    below(low - 1) <= 0.025 && (low == n || below(low) > 0.025),
                    "{n} {q}"
                );
                assert!(1.0 - below(high - 1) <= 0.025 + 1e-12, "{n} {q}");
                assert!(high < 2 || 1.0 - below(high - 2) > 0.025 - 1e-12, "{n} {q}");
            }
        }
    }
}
