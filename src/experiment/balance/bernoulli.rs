//! Shares of independent games, looked at after any of them: the exact confidence sequence for won or lost.
//!
//! Against "the share is p₀" one bets that it is drawn from Beta(c p₀, c(1 − p₀)). While the hypothesis holds, the
//! wealth E = B(c p₀ + k, c(1 − p₀) + n − k)/B(c p₀, c(1 − p₀)) / p₀^k (1 − p₀)^(n − k) is a non-negative martingale,
//! so P(E ever ≥ 1/α) ≤ α (Ville 1939), with no limit of many games. The shares not rejected are the confidence
//! sequence (Howard, Ramdas and others 2021, the beta-binomial mixture).

use crate::stats::{Confidence, Estimate, Interval};

/// How a sequence is tuned: the games near which it is narrowest, chosen before looking.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tuning {
    /// c, the weight of the prior in games.
    concentration: f64,
}

impl Tuning {
    /// Narrowest near `games`, above 0, at this confidence: c = games/(−2 ln α + ln(1 − 2 ln α)) − 1.
    pub fn at(games: f64, confidence: Confidence) -> Tuning {
        let twice = -2.0 * libm::log(confidence.alpha());
        let concentration = games / (twice + libm::log1p(twice)) - 1.0;
        Tuning {
            concentration: concentration.max(1e-3),
        }
    }
}

/// ln E against "the share is `null`", strictly between 0 and 1, after `wins` in `games`: reject at level α when it is
/// ever ≥ −ln α. No game gives 0.
#[allow(clippy::many_single_char_names)] // The letters of the formula.
pub fn ln_e_value(wins: u64, games: u64, null: f64, tuning: Tuning) -> f64 {
    let (k, n) = (wins as f64, games as f64);
    let c = tuning.concentration;
    let (a, b) = (c * null, c * (1.0 - null));
    let rising = |from: f64, by: f64| libm::lgamma(from + by) - libm::lgamma(from);
    let bet = rising(a, k) + rising(b, n - k) - rising(c, n);
    bet - k * libm::log(null) - (n - k) * libm::log1p(-null)
}

/// The share with its confidence sequence: all shares that are not rejected at the level of `confidence`. `None`
/// without a game.
pub fn confidence_sequence(
    wins: u64,
    games: u64,
    confidence: Confidence,
    tuning: Tuning,
) -> Option<Estimate> {
    if games == 0 {
        return None;
    }
    let value = wins as f64 / games as f64;
    let threshold = -libm::log(confidence.alpha());
    let rejected = |null: f64| ln_e_value(wins, games, null, tuning) >= threshold;
    // The e-value grows with the distance from the share on either side.
    let low = match wins {
        0 => 0.0,
        _ => end(0.0, value, rejected),
    };
    let high = match games - wins {
        0 => 1.0,
        _ => end(1.0, value, rejected),
    };
    Some(Estimate {
        value,
        n: games,
        interval: Some(Interval { low, high }),
    })
}

/// The last share on the way from `inside` to `outside` that is not rejected, to 1e-12.
fn end(mut outside: f64, mut inside: f64, rejected: impl Fn(f64) -> bool) -> f64 {
    while (outside - inside).abs() > 1e-12 {
        let middle = f64::midpoint(outside, inside);
        if rejected(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    /// The unit tests of confseq: wins, games, tuned to, low, high.
    #[test]
    fn published_sequences() {
        for (wins, games, tuned_to, low, high) in [
            (700, 1000, 100.0, 0.651_629, 0.745_949),
            (15, 50, 50.0, 0.129_556, 0.511_896),
            (5, 50, 50.0, 0.013_021, 0.269_264),
            (1, 50, 50.0, 0.0, 0.134_89),
            (100, 200, 1.0, 0.328_923, 0.671_076),
        ] {
            // There the prior is tuned in units of variance; t p(1 − p) of them are t games.
            let sequence = confidence_sequence(wins, games, P95, Tuning::at(tuned_to, P95));
            let interval = sequence.unwrap().interval.unwrap();
            let close = |a: f64, b: f64| (a - b).abs() < 2e-3;
            assert!(
                close(interval.low, low) && close(interval.high, high),
                "{wins}/{games}: {interval:?}, expected {low} to {high}"
            );
        }
    }

    /// Over all 2^8 courses of eight games with share 0.3 the wealth stays 1 on average.
    #[test]
    fn a_fair_bet_gains_nothing_on_average() {
        let tuning = Tuning::at(40.0, P95);
        let mean: f64 = (0_u32..256)
            .map(|course| {
                let wins = u64::from(course.count_ones());
                let chance = 0.3_f64.powi(wins as i32) * 0.7_f64.powi(8 - wins as i32);
                chance * libm::exp(ln_e_value(wins, 8, 0.3, tuning))
            })
            .sum();
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn without_a_game_there_is_no_sequence() {
        let tuning = Tuning::at(100.0, P95);
        assert_eq!(confidence_sequence(0, 0, P95, tuning), None);
        let ends = |wins| {
            confidence_sequence(wins, 20, P95, tuning)
                .unwrap()
                .interval
                .unwrap()
        };
        assert!(ends(0).low.abs() < 1e-300 && ends(0).high < 0.5);
        assert!(ends(20).low > 0.5 && (ends(20).high - 1.0).abs() < 1e-300);
    }
}
