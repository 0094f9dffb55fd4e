//! How many games a verdict needs.

use crate::stats::{Confidence, asymptotic};

use super::decide::Question;

/// Games of the fixed-size test of one share p against p ± margin (two one-sided tests, Schuirmann 1987), with power
/// 1 − `beta` if the share is exactly fair: p(1 − p)(z(α) + z(β/2))²/δ².
pub fn fixed_size(fair: f64, margin: f64, alpha: f64, beta: f64) -> u64 {
    let z = one_sided_z(alpha) + one_sided_z(beta / 2.0);
    (fair * (1.0 - fair) * (z / margin).powi(2)).ceil() as u64
}

/// Games at which the always-valid interval of one of `intervals` shares, all covering together, is as narrow as the
/// margin, if it is tuned to that very number. A lower limit of what a verdict takes.
pub fn always_valid(fair: f64, margin: f64, alpha: f64, intervals: u32) -> u64 {
    always_valid_exactly(fair, margin, alpha, intervals).ceil() as u64
}

fn always_valid_exactly(fair: f64, margin: f64, alpha: f64, intervals: u32) -> f64 {
    let confidence = level(alpha).shared_by(intervals);
    // Tuned to t, t ρ² and so t times the squared half-width are the same for all t.
    let rho = asymptotic::tuned_rho(1.0, confidence);
    let width = asymptotic::half_width(1.0, rho, confidence);
    fair * (1.0 - fair) * (width / margin).powi(2)
}

/// Games a seat question is expected to take: where all seats are equal 1.6 times the lower limit, since all must be
/// inside at once (measured with four seats); where one is `off` by d, (δ/(δ − |d|))² of it. `None` exactly on the
/// margin.
pub fn expected(question: &Question, off: f64) -> Option<u64> {
    let lower = always_valid_exactly(
        question.fair,
        question.margin,
        question.alpha,
        question.units * question.together,
    );
    let distance = (question.margin - off.abs()).abs();
    let games = (lower * (question.margin / distance).powi(2).max(1.6)).round();
    (games < 1e15).then_some(games as u64)
}

/// z with P(Z > z) = `alpha`, by bisection of the normal law.
fn one_sided_z(alpha: f64) -> f64 {
    let tail = |z: f64| libm::erfc(z / std::f64::consts::SQRT_2) / 2.0;
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if tail(middle) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The confidence with this error probability, a share of the one that was checked with the spec. Of
/// the smallest numbers a share may come to 0; one that is as good decides nothing either.
pub(super) fn level(alpha: f64) -> Confidence {
    let alpha = alpha.max(f64::MIN_POSITIVE);
    Confidence::from_alpha(alpha).expect("alpha was checked with the spec")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_alpha_can_be_shared() {
        assert!(level(5e-324 / 8.0).alpha() > 0.0);
    }

    const MARGINS: [f64; 4] = [0.02, 0.01, 0.005, 0.002];

    /// The planner's table: seats and games at margins of 2, 1, 0.5 and 0.2 points.
    #[test]
    fn the_sizes_of_the_fixed_test() {
        for (seats, games) in [
            (2.0, [6_764, 27_056, 108_222, 676_386]),
            (4.0, [5_073, 20_292, 81_167, 507_290]),
            (8.0, [2_960, 11_837, 47_348, 295_919]),
        ] {
            let sizes = MARGINS.map(|margin| fixed_size(1.0 / seats, margin, 0.05, 0.1));
            assert_eq!(sizes, games, "{seats} seats");
        }
    }

    #[test]
    fn the_sizes_of_the_sequence() {
        for (seats, games) in [
            (4, [5_753, 23_010, 92_037, 575_228]),
            (8, [3_767, 15_065, 60_258, 376_611]),
            (2, [6_721, 26_884, 107_533, 672_078]),
        ] {
            let fair = 1.0 / f64::from(seats);
            let sizes = MARGINS.map(|margin| always_valid(fair, margin, 0.05, seats));
            assert_eq!(sizes, games, "{seats} seats");
        }
    }
}
