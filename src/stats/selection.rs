//! What noise alone gives to the best of many, and to the largest of several deviations.

use super::quantile::normal_cdf;

/// The expected maximum of `k` independent standard normal values: how much better than the truth the best of k equal
/// candidates looks, in standard errors. 1.54 for 10, 2.51 for 100, 3.24 for 1,000 ("winner's curse"). 0 for one
/// candidate, `None` for none.
pub fn best_of(k: u32) -> Option<f64> {
    // E max = ∫₀^∞ (1 − Φ(x)^k − Φ(−x)^k) dx; the sum of a smooth function over all its support is as good as exact.
    const STEP: f64 = 1.0 / 64.0;
    let k = f64::from((k > 0).then_some(k)?);
    let above = |x: f64| {
        let ln_below = libm::log1p(-normal_cdf(-x));
        -libm::expm1(k * ln_below) - libm::pow(normal_cdf(-x), k)
    };
    // Simpson's rule.
    let sum: f64 = (0..12 * 64_u32)
        .map(|i| {
            let x = f64::from(i) * STEP;
            (above(x) + 4.0 * above(x + STEP / 2.0) + above(x + STEP)) * STEP / 6.0
        })
        .sum();
    Some(sum)
}

/// The expected max |p̂ − 1/n| over the seats of a perfectly fair game with n seats, in units of √(p(1 − p)/N) with p = 1/n and N
/// games, for large N: entry n of the list, from 2 seats to 8.
const LARGEST_DEVIATION: [f64; 9] = [
    f64::NAN,
    f64::NAN,
    0.797_88,
    1.196_83,
    1.381_98,
    1.512_13,
    1.610_84,
    1.690_09,
    1.756_07,
];

/// How far the most deviating of `seats` shares of a perfectly fair game lies from 1/seats on average after `games`
/// independent games: c √(p(1 − p)/games), c = 0.80, 1.38 and 1.76 for 2, 4 and 8 seats. Noise, not unfairness: use
/// [`unbiased_spread`](super::seats::unbiased_spread) to measure that. For large numbers of games. `None` unless there are 2 to
/// 8 seats and a game.
pub fn largest_deviation(seats: u32, games: u64) -> Option<f64> {
    let constant = LARGEST_DEVIATION
        .get(seats as usize)
        .filter(|_| seats >= 2 && games > 0)?;
    let p = 1.0 / f64::from(seats);
    Some(constant * (p * (1.0 - p) / games as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn the_best_of_equal_candidates() {
        // E max of two is 1/√π, of three 3/2√π; the others are in every table of order statistics.
        for (k, expected, tolerance) in [
            (1, 0.0, 1e-9),
            (2, 1.0 / PI.sqrt(), 1e-9),
            (3, 1.5 / PI.sqrt(), 1e-9),
            (10, 1.538_753, 1e-6),
            (100, 2.507_594, 1e-6),
            (1000, 3.241_436, 1e-6),
        ] {
            let actual = best_of(k).unwrap();
            assert!(
                (actual - expected).abs() < tolerance,
                "{k}: {actual} is not {expected}"
            );
        }
        assert_eq!(best_of(0), None);
    }

    #[test]
    fn the_largest_deviation_of_a_fair_game() {
        let constant = |seats: u32| {
            let p = 1.0 / f64::from(seats);
            largest_deviation(seats, 1_000_000).unwrap() * 1e3 / (p * (1.0 - p)).sqrt()
        };
        // Two seats: E|Z|. Three: the mean over a sixth of a circle, √(π/2) · 3/π.
        assert!((constant(2) - (2.0 / PI).sqrt()).abs() < 5e-6);
        assert!((constant(3) - (PI / 2.0).sqrt() * 3.0 / PI).abs() < 5e-6);
        // Simulated values, to the digits given.
        assert!((constant(4) - 1.39).abs() < 0.01 && (constant(8) - 1.75).abs() < 0.01);
        assert_eq!(
            (
                largest_deviation(1, 9),
                largest_deviation(9, 9),
                largest_deviation(4, 0)
            ),
            (None, None, None)
        );
    }
}
