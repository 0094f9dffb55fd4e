//! Confidence sequences from mixtures of martingales (Howard, Ramdas, `McAuliffe` & Sekhon 2021).
//!
//! A boundary u(v) is crossed by a sum S of intrinsic time V, ever, with probability at most α. Mixing over the bet
//! with a normal law gives the boundary in closed form; for wins and losses a beta law is natural and tighter.

use super::confidence::Confidence;
use super::interval::{Estimate, Interval};
use super::quantile::{bisect, ln_beta, ln_normal_cdf};

/// The two-sided normal mixture: P(|S| ever ≥ bound(V)) ≤ α for a sub-Gaussian sum S with variance process V.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMixture {
    rho: f64,
}

impl NormalMixture {
    /// The mixture whose two-sided boundary is tightest at intrinsic time `time` > 0:
    /// ρ = time/(2 ln(1/α) + ln(1 + 2 ln(1/α))).
    pub fn tuned_to(time: f64, confidence: Confidence) -> Self {
        Self {
            rho: time / tuning(confidence),
        }
    }

    /// The parameter ρ of the mixture.
    pub fn rho(&self) -> f64 {
        self.rho
    }

    /// The logarithm of the mixture at sum `s` and time `v` ≥ 0: ½ ln(ρ/(v + ρ)) + s²/2(v + ρ). A supermartingale's
    /// logarithm: reject when it reaches ln(1/α).
    pub fn ln_mixture(&self, s: f64, v: f64) -> f64 {
        let total = v + self.rho;
        libm::log(self.rho / total) / 2.0 + s * s / (2.0 * total)
    }

    /// The boundary at time `v`: √((v + ρ)(ln((v + ρ)/ρ) + 2 ln(1/α))).
    pub fn bound(&self, v: f64, confidence: Confidence) -> f64 {
        let total = v + self.rho;
        let logs = libm::log(total / self.rho) - 2.0 * libm::log(confidence.alpha());
        (total * logs).sqrt()
    }

    /// The one-sided boundary at time `v`: P(S ever ≥ bound(V)) ≤ α. The mixture is a half-normal law; tune it with a
    /// confidence of twice the α.
    pub fn bound_above(&self, v: f64, confidence: Confidence) -> f64 {
        let total = v + self.rho;
        let threshold = -libm::log(confidence.alpha());
        let ln_mixture = |s: f64| {
            libm::log(4.0 * self.rho / total) / 2.0
                + s * s / (2.0 * total)
                + ln_normal_cdf(s / total.sqrt())
        };
        let mut high = total.sqrt();
        while ln_mixture(high) < threshold {
            high *= 2.0;
        }
        bisect(0.0, high, |s| ln_mixture(s) < threshold)
    }
}

/// The chance behind `k` wins in `n` *independent* games with its confidence sequence, valid at every look: the
/// beta-binomial mixture, tuned to be tightest near `tuned_to` games. `None` for no game or `k` > `n`.
///
/// Against the chance p one believes in chances drawn from Beta(κp, κ(1 − p)), κ = t/(2 ln(1/α) + ln(1 + 2 ln(1/α))) − 1
/// (at least 0.001); the sequence holds all p against which that belief has not won 1/α. The same as
/// `bernoulli_confidence_interval` of the `confseq` library.
pub fn bernoulli_sequence(
    k: u64,
    n: u64,
    tuned_to: f64,
    confidence: Confidence,
) -> Option<Estimate> {
    if n == 0 || k > n {
        return None;
    }
    let (won, lost) = (k as f64, (n - k) as f64);
    let value = won / n as f64;
    let concentration = (tuned_to / tuning(confidence) - 1.0).max(1e-3);
    let rejects = |p: f64| {
        let (a, b) = (concentration * p, concentration * (1.0 - p));
        let gain = ln_beta(a + won, b + lost) - ln_beta(a, b);
        gain - won * libm::log(p) - lost * libm::log1p(-p) >= -libm::log(confidence.alpha())
    };
    let low = if k == 0 {
        0.0
    } else {
        bisect(0.0, value, |p| p <= 0.0 || rejects(p))
    };
    let high = if k == n {
        1.0
    } else {
        bisect(value, 1.0, |p| p < 1.0 && !rejects(p))
    };
    Some(Estimate {
        value,
        n,
        interval: Some(Interval { low, high }),
    })
}

/// 2 ln(1/α) + ln(1 + 2 ln(1/α)).
fn tuning(confidence: Confidence) -> f64 {
    let twice = -2.0 * libm::log(confidence.alpha());
    twice + libm::log1p(twice)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    #[track_caller]
    fn assert_close(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn normal_mixtures_of_confseq() {
        let mixture = NormalMixture::tuned_to(100.0, P95);
        assert_close(mixture.rho(), 12.600_56, 5e-6);
        assert_close(mixture.ln_mixture(10.0, 100.0), -0.651_005_2, 5e-8);
        assert_close(mixture.bound(100.0, P95), 30.352_09, 5e-6);
        let one_sided = NormalMixture::tuned_to(100.0, Confidence::from_alpha(0.1).unwrap());
        assert_close(one_sided.bound_above(100.0, P95), 27.660_71, 5e-6);
    }

    #[test]
    fn bernoulli_sequences_of_confseq() {
        // The last digit printed there is cut off, not rounded.
        for (k, n, tuned_to, low, high, digit) in [
            (700, 1000, 100.0, 0.651_629, 0.745_949, 1e-6),
            (15, 50, 50.0, 0.129_556, 0.511_896, 1e-6),
            (5, 50, 50.0, 0.013_021, 0.269_264, 1e-6),
            (1, 50, 50.0, 0.0, 0.134_89, 1e-5),
            (100, 200, 1.0, 0.328_923, 0.671_076, 1e-6),
        ] {
            let interval = bernoulli_sequence(k, n, tuned_to, P95)
                .unwrap()
                .interval
                .unwrap();
            assert_close(interval.low, low, digit);
            assert_close(interval.high, high, digit);
        }
    }

    #[test]
    fn no_games_and_certain_results() {
        assert_eq!(bernoulli_sequence(0, 0, 50.0, P95), None);
        assert_eq!(bernoulli_sequence(3, 2, 50.0, P95), None);
        let all = bernoulli_sequence(50, 50, 50.0, P95)
            .unwrap()
            .interval
            .unwrap();
        let none = bernoulli_sequence(0, 50, 50.0, P95)
            .unwrap()
            .interval
            .unwrap();
        assert!(all.high >= 1.0 && none.low <= 0.0 && (all.low + none.high - 1.0).abs() < 1e-12);
    }
}
