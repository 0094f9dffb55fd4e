//! Intervals of what is no mean: leave out a group of blocks at a time (Quenouille 1956; Tukey 1958).

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::stats::Interval;

/// The groups that blocks are dealt to by their number.
pub const GROUPS: usize = 20;

/// An estimate with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jackknife {
    /// The statistic of all blocks.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Jackknife {
    /// The statistic of all groups and of all but each one; `None` when it is not known for one of these.
    pub fn new(statistic: impl Fn(Option<usize>) -> Option<f64>) -> Option<Jackknife> {
        let value = statistic(None)?;
        let without = (0..GROUPS).map(|group| statistic(Some(group)));
        let without: Vec<f64> = without.collect::<Option<_>>()?;
        let groups = GROUPS as f64;
        let mean = without.iter().sum::<f64>() / groups;
        let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Jackknife {
            value,
            error: (squares * (groups - 1.0) / groups).sqrt(),
        })
    }

    /// The interval with error probability `alpha`; none without any spread.
    pub fn interval(&self, alpha: f64) -> Option<Interval> {
        let t = student().inverse_cdf(1.0 - alpha / 2.0);
        (self.error > 0.0).then(|| Interval::around(self.value, t * self.error))
    }

    /// The probability of a value as far from 0 if 0 is true; 1 without any spread.
    pub fn p_value(&self) -> f64 {
        if self.error > 0.0 {
            (2.0 * student().sf((self.value / self.error).abs())).min(1.0)
        } else {
            1.0
        }
    }
}

fn student() -> StudentsT {
    StudentsT::new(0.0, 1.0, GROUPS as f64 - 1.0).expect("the law exists")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a mean it is the usual standard error: groups with means 0, 1, …, 19.
    #[test]
    fn the_error_of_a_mean() {
        let mean = |without: Option<usize>| {
            let kept = (0..GROUPS).filter(|&group| Some(group) != without);
            Some(kept.clone().map(|group| group as f64).sum::<f64>() / kept.count() as f64)
        };
        let jackknife = Jackknife::new(mean).unwrap();
        // Variance of 0..20 is 35.
        assert!((jackknife.value - 9.5).abs() < 1e-12);
        assert!((jackknife.error - (35.0_f64 / 20.0).sqrt()).abs() < 1e-12);
        let interval = jackknife.interval(0.05).unwrap();
        assert!((interval.half_width() - 2.093_024 * jackknife.error).abs() < 1e-5);
    }

    #[test]
    fn without_spread_nothing_is_claimed() {
        let same = Jackknife::new(|_| Some(3.0)).unwrap();
        assert_eq!((same.interval(0.05), same.p_value()), (None, 1.0));
        assert_eq!(
            Jackknife::new(|without| without.is_none().then_some(1.0)),
            None
        );
    }
}
