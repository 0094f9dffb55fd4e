//! Tests of shares of *independent* games: are two equal, is one or are two close enough to be called equal?
//!
//! "Not shown to differ" is not "shown to be equal". The latter needs a margin and two one-sided tests that both
//! reject (TOST: Schuirmann 1987; Berger 1982); the larger of the two p-values is the p-value of equivalence. All are
//! for one look after a planned number of games.

use super::quantile::{binomial_cdf, normal_cdf};

/// The two one-sided tests of "closer than the margin".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tost {
    /// The p-value against "too low": at or below the lower end of the margin.
    pub too_low: f64,
    /// The p-value against "too high": at or above the upper end of the margin.
    pub too_high: f64,
}

impl Tost {
    /// The p-value of equivalence: at or below α, the quantity lies inside the margin.
    pub fn p_value(&self) -> f64 {
        self.too_low.max(self.too_high)
    }
}

/// Whether the chance behind `k` of `n` games lies within `margin` of `reference`, by exact binomial tests.
///
/// `None` for no game, `k` > `n`, or unless `margin` > 0 and both ends `reference` ± `margin` are strictly between
/// 0 and 1.
pub fn tost_share(k: u64, n: u64, reference: f64, margin: f64) -> Option<Tost> {
    let (low, high) = (reference - margin, reference + margin);
    let valid = n > 0 && k <= n && margin > 0.0 && low > 0.0 && high < 1.0;
    valid.then(|| Tost {
        // P(X ≥ k) at the lower end is P(n − X ≤ n − k) seen from the other side.
        too_low: binomial_cdf(n - k, n, 1.0 - low),
        too_high: binomial_cdf(k, n, high),
    })
}

/// The z-values and p-values of "the difference of two chances lies within ± `margin`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceTost {
    /// (difference + margin)/standard error.
    pub z_low: f64,
    /// (difference − margin)/standard error.
    pub z_high: f64,
    /// The p-values that belong to them.
    pub tost: Tost,
}

/// Whether the chances behind k1 of n1 and k2 of n2 games differ by less than `margin`: the normal approximation with
/// unpooled standard error √(p̂₁(1 − p̂₁)/n₁ + p̂₂(1 − p̂₂)/n₂).
///
/// `None` for a total of 0, a count above its total, a margin outside (0, 1), or if both shares are 0 or 1, where the
/// standard error is 0.
pub fn tost_difference(
    (k1, n1): (u64, u64),
    (k2, n2): (u64, u64),
    margin: f64,
) -> Option<DifferenceTost> {
    let (first, second) = (Share::of(k1, n1)?, Share::of(k2, n2)?);
    let error = (first.variance() + second.variance()).sqrt();
    if !(margin > 0.0 && margin < 1.0 && error > 0.0) {
        return None;
    }
    let difference = first.value - second.value;
    let (z_low, z_high) = ((difference + margin) / error, (difference - margin) / error);
    Some(DifferenceTost {
        z_low,
        z_high,
        tost: Tost {
            too_low: normal_cdf(-z_low),
            too_high: normal_cdf(z_high),
        },
    })
}

/// A z-value with its two-sided p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZTest {
    /// The difference in standard errors.
    pub z: f64,
    /// The probability of one at least as large, either way, when the chances are equal.
    pub p_value: f64,
}

/// Whether two shares are equal: (p̂₁ − p̂₂)/√(p̂(1 − p̂)(1/n₁ + 1/n₂)) with the pooled share p̂. Its square is
/// Pearson's chi-square of the 2 × 2 table without correction.
///
/// `None` for a total of 0, a count above its total, or if all games or none were won.
pub fn two_shares((k1, n1): (u64, u64), (k2, n2): (u64, u64)) -> Option<ZTest> {
    let (first, second) = (Share::of(k1, n1)?, Share::of(k2, n2)?);
    let pooled = (k1 as f64 + k2 as f64) / (first.n + second.n);
    let error = (pooled * (1.0 - pooled) * (1.0 / first.n + 1.0 / second.n)).sqrt();
    let z = (first.value - second.value) / error;
    let p_value = 2.0 * normal_cdf(-z.abs());
    z.is_finite().then_some(ZTest { z, p_value })
}

struct Share {
    value: f64,
    n: f64,
}

impl Share {
    fn of(k: u64, n: u64) -> Option<Self> {
        let (share, n_float) = (k as f64 / n as f64, n as f64);
        (n > 0 && k <= n).then_some(Self {
            value: share,
            n: n_float,
        })
    }

    fn variance(&self) -> f64 {
        self.value * (1.0 - self.value) / self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn equivalence_of_65_and_70_percent() {
        let test = tost_difference((65, 100), (70, 100), 0.1).unwrap();
        assert_close(test.z_low, 0.7559, 5e-5);
        assert_close(test.z_high, -2.2678, 5e-5);
        assert_close(test.tost.too_low, 0.2248, 1e-4);
        assert_close(test.tost.too_high, 0.0117, 5e-5);
        assert!(test.tost.p_value() > 0.05, "not equivalent");
    }

    #[test]
    fn the_square_of_z_is_chi_square() {
        // A 2 × 2 table by hand: 30 of 100 against 50 of 100, chi² = 200 (30·50 − 70·50)²/(80·120·100·100).
        let test = two_shares((30, 100), (50, 100)).unwrap();
        let chi_square = 200.0 * 2_000.0 * 2_000.0 / (80.0 * 120.0 * 100.0 * 100.0);
        assert_close(test.z * test.z, chi_square, 1e-12);
        assert!(test.z < 0.0 && test.p_value < 0.01);
    }

    #[test]
    fn a_share_by_exact_tails() {
        // 5 of 10 against 1/2 ± 0.3: P(X ≥ 5 | 0.2) and P(X ≤ 5 | 0.8) are equal.
        let test = tost_share(5, 10, 0.5, 0.3).unwrap();
        assert_close(test.too_low, 0.032_793_497_6, 1e-12);
        assert_close(test.too_high, 0.032_793_497_6, 1e-12);
        let certain = tost_share(0, 10, 0.5, 0.3).unwrap();
        assert_close(certain.too_low, 1.0, 1e-15);
        assert_close(certain.too_high, 0.2_f64.powi(10), 1e-18);
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        assert_eq!(tost_share(1, 0, 0.5, 0.1), None);
        assert_eq!(tost_share(3, 2, 0.5, 0.1), None);
        assert_eq!(tost_share(1, 2, 0.5, 0.0), None);
        assert_eq!(tost_share(1, 2, 0.05, 0.1), None);
        assert_eq!(tost_share(1, 2, f64::NAN, 0.1), None);
        assert_eq!(tost_difference((1, 2), (0, 0), 0.1), None);
        assert_eq!(tost_difference((2, 2), (0, 3), 0.1), None);
        assert_eq!(tost_difference((1, 2), (1, 3), f64::NAN), None);
        assert_eq!(two_shares((0, 5), (0, 6)), None);
        assert_eq!(two_shares((6, 5), (0, 6)), None);
    }
}
