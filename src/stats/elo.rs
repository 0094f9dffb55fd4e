//! Effect sizes on the Elo scale, for any number of seats.
//!
//! One A against n − 1 equal B wins a share p. With strengths e^θ (Luce 1959; Plackett 1975; for n = 2 Bradley &
//! Terry 1952) p = e^θ/(e^θ + n − 1), hence θ = ln[(n − 1)p/(1 − p)], and Elo is θ in units of ln 10/400. For n = 2
//! this is the usual Elo difference.

use std::f64::consts::LN_10;
use std::num::NonZeroU32;

use super::confidence::Confidence;
use super::interval::{Estimate, Interval};
use super::moments::Moments;
use super::quantile::{normal_cdf, normal_two_sided};

/// Elo for one natural unit of log strength: 400/ln 10 = 173.72.
pub const PER_THETA: f64 = 400.0 / LN_10;

/// Normalised Elo for a t-value of one standard deviation per game: 800/ln 10 = 347.44.
pub const PER_T: f64 = 800.0 / LN_10;

/// The Elo of one bot that wins `share` of its games against `seats` − 1 equal others; 0 at share 1/`seats`.
/// `None` unless 0 < `share` < 1 and `seats` ≥ 2. In chess `share` is the score, a draw counting half.
pub fn from_share(share: f64, seats: u32) -> Option<f64> {
    let others = f64::from(seats.checked_sub(1).filter(|&others| others > 0)?);
    (share > 0.0 && share < 1.0).then(|| PER_THETA * libm::log(others * share / (1.0 - share)))
}

/// The share of games, in [0, 1], that one bot of this Elo wins against `seats` − 1 equal others: the inverse of
/// [`from_share`]. `None` for Elo that is not finite or fewer than two seats.
pub fn to_share(elo: f64, seats: u32) -> Option<f64> {
    let others = f64::from(seats.checked_sub(1).filter(|&others| others > 0)?);
    elo.is_finite()
        .then(|| 1.0 / (1.0 + others * libm::exp(-elo / PER_THETA)))
}

/// A share of wins with its interval, on the Elo scale of [`from_share`]. The interval is as valid as that of the
/// share. It is `None` if an end of the share's interval is at or beyond 0 or 1, where Elo has no value; the whole
/// is `None` if the share itself is.
pub fn from_estimate(share: Estimate, seats: u32) -> Option<Estimate> {
    let value = from_share(share.value, seats)?;
    let interval = share.interval.and_then(|ends| {
        Some(Interval {
            low: from_share(ends.low, seats)?,
            high: from_share(ends.high, seats)?,
        })
    });
    Some(Estimate {
        value,
        n: share.n,
        interval,
    })
}

/// Normalised Elo (Van den Bergh, "Normalized Elo"): (mean − reference)/(sd per game) · 800/ln 10, where the sd per
/// game is that of the block times √games. It tells how many games it takes to see the difference.
///
/// `scores` are block scores as whole numbers of which `unit` make 1; `reference` is the score of equal bots in
/// [0, 1]; `games` is the number of games in a block. The interval is the normal approximation
/// ± z · 800/ln 10/√(blocks · games), with the sd taken as known, for one look at a planned number of blocks.
/// `None` with fewer than two blocks or when all are equal.
pub fn normalised(
    scores: &Moments,
    unit: NonZeroU32,
    reference: f64,
    games: NonZeroU32,
    confidence: Confidence,
) -> Option<Estimate> {
    let t = t_value(scores, unit, reference)?;
    let scale = PER_T / f64::from(games.get()).sqrt();
    let half_width = normal_two_sided(confidence.alpha()) * scale / (scores.n() as f64).sqrt();
    Some(Estimate {
        value: scale * t,
        n: scores.n(),
        interval: Some(Interval::around(scale * t, half_width)),
    })
}

/// The "likelihood of superiority" of chess testers, Φ((mean − reference)/(sd/√blocks)), in [0, 1].
///
/// A normal approximation, one minus the one-sided p-value; *not* valid after optional stopping, and no probability
/// that a hypothesis is true. Arguments as for [`normalised`]. `None` with fewer than two blocks or when all are
/// equal.
pub fn likelihood_of_superiority(
    scores: &Moments,
    unit: NonZeroU32,
    reference: f64,
) -> Option<f64> {
    Some(normal_cdf(
        t_value(scores, unit, reference)? * (scores.n() as f64).sqrt(),
    ))
}

/// (mean − reference)/sd of the block scores.
fn t_value(scores: &Moments, unit: NonZeroU32, reference: f64) -> Option<f64> {
    let sd = scores.sd().filter(|_| !scores.is_constant())?;
    Some((scores.mean()? - reference * f64::from(unit.get())) / sd)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::{BlockMean, ScoreCounts, interval};

    const P95: Confidence = Confidence::PERCENT_95;

    /// What chess testers print: Elo and nElo, each with half its interval, and LOS in percent.
    fn chess(cells: &[u64], games: u32) -> [f64; 5] {
        let counts = ScoreCounts::from_counts(cells.to_vec()).unwrap();
        let (scores, unit) = (counts.moments(), NonZeroU32::new(counts.steps()).unwrap());
        let Some(BlockMean::Estimated(mean)) = interval::block_mean(&scores, unit, P95) else {
            panic!("no mean")
        };
        let elo = from_estimate(mean, 2).unwrap();
        let normalised =
            normalised(&scores, unit, 0.5, NonZeroU32::new(games).unwrap(), P95).unwrap();
        [
            elo.value,
            elo.interval.unwrap().half_width(),
            normalised.value,
            normalised.interval.unwrap().half_width(),
            100.0 * likelihood_of_superiority(&scores, unit, 0.5).unwrap(),
        ]
    }

    #[track_caller]
    fn assert_within_a_percent(actual: &[f64], expected: &[f64]) {
        for (actual, expected) in actual.iter().zip(expected) {
            assert!(
                (actual - expected).abs() <= 0.01 * expected.abs() + 5e-3,
                "{actual} is not {expected}"
            );
        }
    }

    #[test]
    fn results_of_chess_testers() {
        let even = chess(&[34, 54, 63, 64, 75], 2);
        assert_within_a_percent(&even, &[55.58, 27.65, 57.94, 28.28]);
        let lost = chess(&[7895, 8757, 5685, 568, 9999], 2);
        assert_within_a_percent(&lost, &[-21.04, 2.95, -19.01, 2.65, 0.0]);
        // Wins 136, losses 96, draws 111.
        let trinomial = chess(&[96, 111, 136], 1);
        assert_within_a_percent(&trinomial, &[40.70, 30.43, 49.77, 36.77, 99.60]);
        // Wins 76, losses 89, draws 123.
        let [_, _, normalised, _, los] = chess(&[89, 123, 76], 1);
        assert_within_a_percent(&[normalised, los], &[-20.76, 15.53]);
    }

    #[test]
    fn the_score_of_the_first_example() {
        let counts = ScoreCounts::from_counts(vec![34, 54, 63, 64, 75]).unwrap();
        assert!((counts.mean().unwrap() - 0.57931).abs() < 5e-6);
    }

    #[test]
    fn two_seats_are_the_usual_elo() {
        for (elo, score) in [
            (0.0, 0.5),
            (100.0, 0.640_065),
            (200.0, 0.759_747),
            (400.0, 0.909_091),
        ] {
            assert!((to_share(elo, 2).unwrap() - score).abs() < 5e-7, "{elo}");
        }
    }

    #[test]
    fn four_seats_start_at_a_quarter() {
        for (share, elo) in [
            (0.25, 0.0),
            (0.26, 9.15),
            (0.288, 33.61),
            (0.30, 43.66),
            (0.40, 120.41),
            (0.6183, 274.64),
        ] {
            let actual = from_share(share, 4).unwrap();
            assert!((actual - elo).abs() < 5.1e-3, "{actual} is not {elo}");
        }
    }

    #[test]
    fn certain_results_have_no_elo() {
        for share in [0.0, 1.0, -0.1, f64::NAN] {
            assert_eq!(from_share(share, 4), None);
        }
        assert_eq!(
            (from_share(0.5, 1), from_share(0.5, 0), to_share(0.0, 1)),
            (None, None, None)
        );
        assert_eq!(to_share(f64::INFINITY, 2), None);
        let wide = Estimate {
            value: 0.5,
            n: 3,
            interval: Some(Interval {
                low: -0.1,
                high: 0.9,
            }),
        };
        assert_eq!(
            from_estimate(wide, 2),
            Some(Estimate {
                value: 0.0,
                n: 3,
                interval: None
            })
        );
    }

    #[test]
    fn equal_blocks_have_no_spread_to_measure_in() {
        let one = NonZeroU32::MIN;
        let equal: Moments = [1, 1, 1].into_iter().collect();
        assert_eq!(normalised(&equal, one, 0.5, one, P95), None);
        assert_eq!(likelihood_of_superiority(&equal, one, 0.5), None);
        assert_eq!(likelihood_of_superiority(&Moments::EMPTY, one, 0.5), None);
    }

    proptest! {
        #[test]
        fn share_and_elo_are_inverse(share in 0.001..0.999, seats in 2_u32..9) {
            let elo = from_share(share, seats).unwrap();
            prop_assert!((to_share(elo, seats).unwrap() - share).abs() < 1e-14);
        }
    }
}
