//! How many independent games a question needs, before the first is played.

use super::confidence::Confidence;
use super::quantile::{bisect, normal_two_sided, stirling_remainder};

/// Games until two one-sided tests show that a share lies within `margin` of `share`, if it is exactly that: the power
/// with which both reject is `power`; p(1 − p)(z + z')²/margin², z = z_{1 − α} and z' = z_{(1 + power)/2}
/// (Schuirmann 1987). `None` unless the share and the margin are strictly between 0 and 1 and so is `power`.
pub fn equivalence_games(
    share: f64,
    margin: f64,
    confidence: Confidence,
    power: f64,
) -> Option<f64> {
    let inside = |x: f64| x > 0.0 && x < 1.0;
    if !(inside(share) && inside(margin) && inside(power) && confidence.alpha() < 0.5) {
        return None;
    }
    let z = normal_two_sided(2.0 * confidence.alpha()) + normal_two_sided(1.0 - power);
    Some(share * (1.0 - share) * z * z / (margin * margin))
}

/// Games until Pearson's test of equal seats rejects with chance `power`, if the chances of the seats are `shares`
/// (Cohen 1988): the noncentrality of that power over Σ (p − 1/n)² n. `None` for fewer than two seats, shares that do
/// not add to 1 or are all equal, or a power that is not between α and 1.
pub fn chi_square_games(shares: &[f64], confidence: Confidence, power: f64) -> Option<f64> {
    let n = shares.len() as f64;
    let effect: f64 = shares
        .iter()
        .map(|p| (p - 1.0 / n) * (p - 1.0 / n) * n)
        .sum();
    let sums_to_one = (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9;
    let valid = shares.len() > 1
        && sums_to_one
        && effect > 1e-15
        && power > confidence.alpha()
        && power < 1.0;
    if !valid {
        return None;
    }
    let degrees = n - 1.0;
    let critical = bisect(0.0, 1e6, |x| tail(degrees, x) > confidence.alpha());
    let noncentrality = bisect(0.0, 1e6, |noncentrality| {
        noncentral_tail(degrees, noncentrality, critical) < power
    });
    Some(noncentrality / effect)
}

/// P(χ² ≥ x).
fn tail(degrees: f64, x: f64) -> f64 {
    noncentral_tail(degrees, 0.0, x)
}

/// P(χ² ≥ x) with this noncentrality: central laws with 2j more degrees, mixed by a Poisson law of mean λ/2.
fn noncentral_tail(degrees: f64, noncentrality: f64, x: f64) -> f64 {
    let (half, mean) = (x / 2.0, noncentrality / 2.0);
    // P(χ²_{d + 2} ≥ x) − P(χ²_d ≥ x) = (x/2)^{d/2} e^{−x/2}/Γ(d/2 + 1); from far up all is 1.
    let ln_gamma = |y: f64| {
        (y - 0.5) * libm::log(y) - y
            + 0.5 * libm::log(std::f64::consts::TAU)
            + stirling_remainder(y)
    };
    let step =
        |d: f64| libm::exp(d / 2.0 * libm::log(half.max(1e-300)) - half - ln_gamma(d / 2.0 + 1.0));
    let most = 20.0 + half + mean + 12.0 * (half + mean).sqrt();
    let mut j = most.ceil();
    let mut upper = 1.0;
    let mut sum = 0.0;
    while j >= 0.0 {
        // The tail of d + 2j degrees from that of d + 2j + 2.
        upper -= step(degrees + 2.0 * j);
        let ln_weight = if mean > 0.0 {
            j * libm::log(mean) - mean - ln_gamma(j + 1.0)
        } else {
            0.0
        };
        if mean > 0.0 || j == 0.0 {
            sum += libm::exp(ln_weight) * upper;
        }
        j -= 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    #[test]
    fn equivalence_of_a_seat() {
        for (seats, margin, games) in [
            (2, 0.02, 6_764.0),
            (2, 0.005, 108_222.0),
            (4, 0.02, 5_073.0),
            (4, 0.01, 20_292.0),
            (4, 0.002, 507_290.0),
            (8, 0.02, 2_960.0),
            (8, 0.01, 11_837.0),
        ] {
            let actual = equivalence_games(1.0 / f64::from(seats), margin, P95, 0.9).unwrap();
            assert!((actual - games).abs() < 1.5, "{seats} {margin}: {actual}");
        }
        assert_eq!(equivalence_games(0.25, 0.0, P95, 0.9), None);
        assert_eq!(equivalence_games(0.25, 0.01, P95, 1.0), None);
    }

    #[test]
    fn unequal_seats_are_seen_by_chi_square() {
        let games = chi_square_games(&[0.2553, 0.2508, 0.2480, 0.2459], P95, 0.9).unwrap();
        assert!((games / 71_500.0 - 1.0).abs() < 0.005, "{games}");
        assert_eq!(chi_square_games(&[0.25; 4], P95, 0.9), None);
        assert_eq!(chi_square_games(&[0.3, 0.3], P95, 0.9), None);
    }

    #[test]
    fn tails_of_chi_square() {
        // R: pchisq(7.814728, 3, lower = FALSE), pchisq(7.814728, 3, ncp = 14.17149, lower = FALSE).
        assert!((tail(3.0, 7.814_727_903) - 0.05).abs() < 1e-9);
        assert!((tail(2.0, 4.0) - (-2.0_f64).exp()).abs() < 1e-13);
        assert!((noncentral_tail(3.0, 14.171_49, 7.814_727_903) - 0.9).abs() < 1e-5);
    }
}
