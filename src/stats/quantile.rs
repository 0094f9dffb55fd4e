//! Quantiles of the normal, Student and beta laws, for any sample size.
//!
//! The usual library routines stop their continued fraction after a fixed number of rounds and take ln B from
//! ln Γ, which costs digits (or an answer) beyond about a million games. Here the common factor is written as a
//! deviance (Loader 2000), and the fraction runs until it stands still. Relative errors are below 1e-11 up to a million
//! games and below 1e-8 up to 10^9.

use std::f64::consts::{SQRT_2, TAU};

use statrs::function::erf::erfc_inv;

/// z with P(|Z| > z) = `alpha` for a standard normal Z, 0 < `alpha` < 1.
pub(crate) fn normal_two_sided(alpha: f64) -> f64 {
    SQRT_2 * erfc_inv(alpha)
}

/// P(Z ≤ z) for a standard normal Z.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    libm::erfc(-z / SQRT_2) / 2.0
}

/// ln P(Z ≤ z), to full precision far in the lower tail.
pub(crate) fn ln_normal_cdf(z: f64) -> f64 {
    if z > -30.0 {
        return libm::log(normal_cdf(z));
    }
    // Abramowitz & Stegun 26.2.12; the next term is below 1e-7 of a part.
    let square = 1.0 / (z * z);
    -z * z / 2.0 - libm::log(-z) - libm::log(TAU) / 2.0
        + libm::log1p(-square + 3.0 * square * square)
}

/// P(X ≤ k) for the number X of successes in n trials with chance `p`, 0 ≤ `p` ≤ 1.
pub(crate) fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    beta_cdf((n - k) as f64, k as f64 + 1.0, 1.0 - p, p)
}

/// t with P(|T| > t) = `alpha` for Student's T with `df` > 0 degrees of freedom, 0 < `alpha` < 1.
pub(crate) fn student_two_sided(alpha: f64, df: f64) -> f64 {
    if df > 1e5 {
        // Abramowitz & Stegun 26.7.5; the next term is of order z⁷/100 df³.
        let z = normal_two_sided(alpha);
        let square = z * z;
        return z + z * (square + 1.0 + ((5.0 * square + 16.0) * square + 3.0) / (24.0 * df))
            / (4.0 * df);
    }
    let tail = |t: f64| beta_cdf(df / 2.0, 0.5, df / (df + t * t), t * t / (df + t * t));
    let mut high = 2.0;
    while tail(high) > alpha && high < f64::MAX.sqrt() / 2.0 {
        high *= 2.0;
    }
    bisect(0.0, high, |t| tail(t) > alpha)
}

/// x with P(X ≤ x) = `tail` for X ~ Beta(a, b), a and b > 0, 0 < `tail` < 1.
pub(crate) fn beta_lower(a: f64, b: f64, tail: f64) -> f64 {
    bisect(0.0, 1.0, |x| beta_cdf(a, b, x, 1.0 - x) < tail)
}

/// x with P(X ≥ x) = `tail` for X ~ Beta(a, b), a and b > 0, 0 < `tail` < 1.
pub(crate) fn beta_upper(a: f64, b: f64, tail: f64) -> f64 {
    bisect(0.0, 1.0, |x| beta_cdf(b, a, 1.0 - x, x) > tail)
}

/// Where `left` turns from true to false between `low` and `high`, to the last bit: the upper of the two neighbours.
pub(crate) fn bisect(mut low: f64, mut high: f64, left: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π], the remainder of Stirling's formula, for x > 0.
pub(crate) fn stirling_remainder(x: f64) -> f64 {
    if x < 16.0 {
        return libm::lgamma(x) - ((x - 0.5) * libm::log(x) - x + 0.5 * libm::log(TAU));
    }
    // 1/12x − 1/360x³ + 1/1260x⁵ − 1/1680x⁷ (Abramowitz & Stegun 6.1.41); the next term is below 1e-14 from here on.
    let y = 1.0 / (x * x);
    (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x
}

/// ln B(a, b) for a and b > 0, without the loss of a difference of huge logarithms.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let total = small + large;
    if large < 16.0 {
        return libm::lgamma(small) + libm::lgamma(large) - libm::lgamma(total);
    }
    // ln Γ(large) − ln Γ(total) = −small ln total + (large − ½) ln(large/total) + small + remainders.
    let ratio = -small * libm::log(total) - (large - 0.5) * libm::log1p(small / large) + small;
    libm::lgamma(small) + ratio + stirling_remainder(large) - stirling_remainder(total)
}

/// The regularised incomplete beta function at `x`, with `y` = 1 − `x` given apart so that neither is rounded.
fn beta_cdf(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let factor = beta_factor(a, b, x, y);
    if x * (a + b + 2.0) < a + 1.0 {
        factor * beta_fraction(a, b, x) / a
    } else {
        1.0 - factor * beta_fraction(b, a, y) / b
    }
}

/// x^a y^b / B(a, b), by the deviance of a/(a + b) from x.
fn beta_factor(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let size = a + b;
    let excess = if x < y { x * size - a } else { b - y * size };
    let log_ratio = |part: f64, share: f64, excess: f64| {
        if excess.abs() < part / 2.0 {
            libm::log1p(excess / part)
        } else {
            libm::log(share * size / part)
        }
    };
    let deviance = a * log_ratio(a, x, excess) + b * log_ratio(b, y, -excess);
    let remainder = stirling_remainder(size) - stirling_remainder(a) - stirling_remainder(b);
    (a / size * b / TAU).sqrt() * libm::exp(deviance + remainder)
}

/// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8) by the modified Lentz method,
/// for `x` below about the mean. It needs some √max(a, b) rounds.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MAX_ROUNDS: u32 = 10_000_000;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = lower;
    for m in (1..MAX_ROUNDS).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for step in [even, odd] {
            lower = 1.0 / away_from_zero(1.0 + step * lower);
            upper = away_from_zero(1.0 + step / upper);
            change = upper * lower;
            fraction *= change;
        }
        if (change - 1.0_f64).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[track_caller]
    fn assert_close(actual: f64, expected: f64, relative: f64) {
        assert!(
            (actual / expected - 1.0).abs() < relative,
            "{actual:e} is not {expected:e}"
        );
    }

    #[test]
    fn normal_quantiles() {
        // R: qnorm(1 - alpha/2).
        assert_close(normal_two_sided(0.05), 1.959_963_984_540_054, 1e-14);
        assert_close(normal_two_sided(1e-6), 4.891_638_475_698_6, 1e-12);
        assert_close(normal_cdf(-1.959_963_984_540_054), 0.025, 1e-14);
    }

    #[test]
    fn student_quantiles_at_every_size() {
        // Exact: tan(0.475π) for one degree, 0.95 √(2/(0.05 · 1.95)) for two.
        assert_close(student_two_sided(0.05, 1.0), (0.475 * PI).tan(), 1e-13);
        assert_close(
            student_two_sided(0.05, 2.0),
            0.95 * (2.0_f64 / (0.05 * 1.95)).sqrt(),
            1e-13,
        );
        // The two methods meet.
        for alpha in [0.5, 0.05, 1e-6] {
            let (below, above) = (
                student_two_sided(alpha, 100_000.0),
                student_two_sided(alpha, 100_001.0),
            );
            let slope = normal_two_sided(alpha).powi(3) / 4e10;
            assert!(
                (below - above - slope).abs() < 1e-10 * above,
                "{below} {above}"
            );
        }
        assert_close(student_two_sided(0.01, 1e15), normal_two_sided(0.01), 1e-14);
    }

    #[test]
    fn beta_quantiles_at_every_size() {
        // Beta(1, n) and Beta(n, 1) have closed forms.
        for (n, relative) in [(1.0, 1e-13), (40.0, 1e-13), (1e6, 1e-11), (1e9, 1e-8)] {
            let ln_tail = 0.025_f64.ln() / n;
            assert_close(beta_upper(1.0, n, 0.025), -ln_tail.exp_m1(), relative);
            assert_close(beta_lower(n, 1.0, 0.025), ln_tail.exp(), relative);
        }
        // A symmetric law has its median at one half.
        assert_close(beta_lower(5e8, 5e8, 0.5), 0.5, 1e-9);
    }

    #[test]
    fn logarithms_of_beta() {
        // B(1, b) = 1/b, B(2, b) = 1/(b(b + 1)).
        for b in [0.5, 3.0, 15.999, 16.0, 40.0, 1e6, 1e12] {
            assert!(
                (ln_beta(1.0, b) + b.ln()).abs() < 1e-12 * (1.0 + b.ln().abs()),
                "{b}"
            );
            let expected = -b.ln() - (b + 1.0).ln();
            assert!(
                (ln_beta(b, 2.0) - expected).abs() < 1e-12 * (1.0 + expected.abs()),
                "{b}"
            );
        }
    }

    #[test]
    fn tails_of_the_normal_and_binomial_laws() {
        assert_close(
            ln_normal_cdf(-30.0 - 1e-9),
            ln_normal_cdf(-30.0 + 1e-9),
            1e-8,
        );
        assert_close(ln_normal_cdf(-1.959_963_984_540_054), 0.025_f64.ln(), 1e-14);
        assert_close(binomial_cdf(2, 4, 0.5), 11.0 / 16.0, 1e-14);
        assert_close(binomial_cdf(0, 3, 0.2), 0.512, 1e-14);
        assert!(binomial_cdf(3, 3, 0.2) >= 1.0);
    }

    #[test]
    fn the_remainder_is_smooth_where_the_formula_changes() {
        let slope = stirling_remainder(16.0 - 1e-9) - stirling_remainder(16.0);
        assert!(slope.abs() < 1e-11, "{slope}");
    }
}
