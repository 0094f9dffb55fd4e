//! The gain sequences of SPSA (Spall 1992) in the form of chess testers: stated by where they end.

/// How step and learning rate shrink over a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Iterations of the run, at least 1.
    pub iterations: u32,
    /// The perturbation of the parameter in the last iteration.
    pub last_step: f64,
    /// The learning rate, in steps squared, of the last iteration.
    pub last_rate: f64,
}

/// The gains of one iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// c: the parameter is tried at ± this.
    pub step: f64,
    /// R = a/c²: wins minus losses move it by R · c.
    pub rate: f64,
}

impl Schedule {
    /// The exponent of the learning rate.
    pub const ALPHA: f64 = 0.602;
    /// The exponent of the step.
    pub const GAMMA: f64 = 0.101;
    /// The share of the run by which the learning rate is held back at first.
    pub const STABILITY: f64 = 0.1;

    /// The gains of iteration `k`, from 0 to `iterations` − 1: with N iterations and A = N/10,
    /// c = `last_step` · (N/(k + 1))^γ and R = `last_rate` · (`last_step`/c)² · ((A + N)/(A + k + 1))^α.
    pub fn gains(&self, k: u32) -> Gains {
        let n = f64::from(self.iterations);
        let (now, held) = (f64::from(k) + 1.0, Self::STABILITY * n);
        let shrink = libm::pow(n / now, Self::GAMMA);
        let step = self.last_step * shrink;
        let rate = self.last_rate * libm::pow((held + n) / (held + now), Self::ALPHA);
        Gains {
            step,
            rate: rate / (shrink * shrink),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_iteration() {
        let schedule = Schedule {
            iterations: 20_000,
            last_step: 5.0,
            last_rate: 0.002,
        };
        let first = schedule.gains(0);
        assert!((first.step - 13.594_838).abs() < 5e-7, "{first:?}");
        assert!((first.rate - 0.001_145_54).abs() < 5e-9, "{first:?}");
        let expected = Gains {
            step: 5.0,
            rate: 0.002,
        };
        assert_eq!(schedule.gains(19_999), expected);
    }
}
