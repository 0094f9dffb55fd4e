//! Confidence sequences for means of unbounded quantities: lengths, captures, differences.
//!
//! Valid at every look in the limit of many blocks (start after about 1,000), unlike the e-process, which needs no
//! limit but bounded scores.

use std::num::NonZeroU32;

use super::confidence::Confidence;
use super::interval::{Estimate, Interval};
use super::moments::Moments;

/// The asymptotic confidence sequence of the mean of independent values, usually one per block
/// (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024): mean ± sd · [`half_width`].
///
/// `values` are whole numbers of which `unit` make 1 of the reported unit. The sequence is narrowest, as a multiple
/// of the fixed-size interval, near `tuned_to` values, which must be chosen before looking. The interval is `None`
/// with fewer than two values or when all are equal; the whole is `None` without a value.
pub fn confidence_sequence(
    values: &Moments,
    unit: NonZeroU32,
    confidence: Confidence,
    tuned_to: NonZeroU32,
) -> Option<Estimate> {
    let unit = f64::from(unit.get());
    let value = values.mean()? / unit;
    let n = values.n();
    let spread = values.sd().filter(|_| !values.is_constant());
    let interval = spread.map(|sd| {
        let rho = tuned_rho(f64::from(tuned_to.get()), confidence);
        Interval::around(value, sd / unit * half_width(n as f64, rho, confidence))
    });
    Some(Estimate { value, n, interval })
}

/// The half-width at time `t` for standard deviation 1: √(2(tρ² + 1)/(t²ρ²) · ln(√(tρ² + 1)/α)). Needs `t`, `rho` > 0.
pub fn half_width(t: f64, rho: f64, confidence: Confidence) -> f64 {
    let v = t * rho * rho;
    let log = libm::log1p(v) / 2.0 - libm::log(confidence.alpha());
    (2.0 * (v + 1.0) / (t * v) * log).sqrt()
}

/// The ρ whose sequence is narrowest near time `t`: √((−2 ln α + ln(1 − 2 ln α))/t). Needs `t` > 0.
pub fn tuned_rho(t: f64, confidence: Confidence) -> f64 {
    let twice = -2.0 * libm::log(confidence.alpha());
    ((twice + libm::log1p(twice)) / t).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    #[test]
    fn published_half_widths() {
        let rho = tuned_rho(10_000.0, P95);
        assert!((rho - 0.028_171_18).abs() < 5e-9, "{rho}");
        for (t, expected) in [
            (1e2, 0.908_438),
            (1e3, 0.121_908),
            (1e4, 0.030_352),
            (1e5, 0.010_251),
            (1e6, 0.003_562),
        ] {
            let actual = half_width(t, rho, P95);
            assert!((actual - expected).abs() < 5e-7, "{actual} at {t}");
        }
    }

    #[test]
    fn it_is_the_two_sided_normal_mixture() {
        // confseq writes the same boundary for sums with 1/ρ² in place of ρ (Howard, Ramdas, McAuliffe & Sekhon 2021).
        let rho = tuned_rho(100.0, P95);
        assert!((1.0 / (rho * rho) - 12.600_56).abs() < 5e-6);
        assert!((100.0 * half_width(100.0, rho, P95) - 30.352_09).abs() < 5e-6);
    }

    #[test]
    fn a_sequence_is_in_the_reported_unit() {
        let mut values = Moments::EMPTY;
        values.push_times(0, 5_000);
        values.push_times(2, 5_000);
        let [unit, tuned_to] = [2, 10_000].map(|n| NonZeroU32::new(n).unwrap());
        let estimate = confidence_sequence(&values, unit, P95, tuned_to).unwrap();
        assert_eq!((estimate.value, estimate.n), (0.5, 10_000));
        assert!((estimate.interval.unwrap().half_width() - 0.5 * 0.030_352).abs() < 1e-5);
    }

    #[test]
    fn equal_values_are_not_certainty() {
        let one = NonZeroU32::MIN;
        let sequence =
            |values: &[i64]| confidence_sequence(&values.iter().copied().collect(), one, P95, one);
        assert_eq!(sequence(&[]), None);
        assert_eq!(
            sequence(&[3]),
            Some(Estimate {
                value: 3.0,
                n: 1,
                interval: None
            })
        );
        assert_eq!(
            sequence(&[3, 3]),
            Some(Estimate {
                value: 3.0,
                n: 2,
                interval: None
            })
        );
    }
}
