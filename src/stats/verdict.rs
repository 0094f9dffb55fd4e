//! What a sequential test says, and how often it may be wrong.

use serde::{Deserialize, Serialize};

/// What a sequential test says after the blocks so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The null hypothesis is accepted: the mean is not as high as the alternative.
    Null,
    /// The alternative is accepted: the mean is above the null.
    Alternative,
    /// Neither yet; play on.
    Open,
}

/// The error probabilities of a sequential test of two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRates {
    alpha: f64,
    beta: f64,
}

/// A pair of numbers that are no error probabilities.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "error rates {alpha} and {beta} must be above 0 and add to less than 1; usual is 0.05 and 0.05"
)]
pub struct NotErrorRates {
    /// The stated α.
    pub alpha: f64,
    /// The stated β.
    pub beta: f64,
}

impl ErrorRates {
    /// The usual rates, 5 % each.
    pub const PERCENT_5: Self = Self {
        alpha: 0.05,
        beta: 0.05,
    };

    /// `alpha` bounds the probability of [`Verdict::Alternative`] when the null is true, `beta` that of
    /// [`Verdict::Null`] when the alternative is.
    ///
    /// # Errors
    ///
    /// If one is not above 0, or they do not add to less than 1.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, NotErrorRates> {
        if alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0 {
            Ok(Self { alpha, beta })
        } else {
            Err(NotErrorRates { alpha, beta })
        }
    }

    /// The probability of accepting the alternative when the null is true.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The probability of accepting the null when the alternative is true.
    pub fn beta(self) -> f64 {
        self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probabilities_that_leave_room_are_error_rates() {
        assert_eq!(ErrorRates::new(0.05, 0.05), Ok(ErrorRates::PERCENT_5));
        for (alpha, beta) in [
            (0.0, 0.1),
            (0.1, 0.0),
            (0.5, 0.5),
            (f64::NAN, 0.1),
            (0.1, f64::INFINITY),
        ] {
            assert!(ErrorRates::new(alpha, beta).is_err(), "{alpha} {beta}");
        }
    }
}
