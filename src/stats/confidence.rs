//! The confidence level of an interval or a test.

use serde::{Deserialize, Serialize};

/// A confidence level strictly between 0 and 1, kept as its error probability α = 1 − level.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Confidence {
    alpha: f64,
}

/// A number that is no confidence level.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("confidence {0} is not strictly between 0 and 1; usual is 0.95")]
pub struct NotAConfidence(pub f64);

impl Confidence {
    /// The usual level, 95 %.
    pub const PERCENT_95: Self = Self { alpha: 0.05 };

    /// The level itself, for example 0.95.
    ///
    /// # Errors
    ///
    /// If `level` is not strictly between 0 and 1.
    pub fn new(level: f64) -> Result<Self, NotAConfidence> {
        // The usual levels are given in decimals: 1 − 0.95 in binary is not quite 0.05, this is.
        let alpha = (1e12 * (1.0 - level)).round() / 1e12;
        let alpha = if alpha > 0.0 { alpha } else { 1.0 - level };
        Self::from_alpha(alpha).map_err(|_| NotAConfidence(level))
    }

    /// The level with error probability `alpha`, for example 0.05.
    ///
    /// # Errors
    ///
    /// If `alpha` is not strictly between 0 and 1; the error holds the level 1 − `alpha`.
    pub fn from_alpha(alpha: f64) -> Result<Self, NotAConfidence> {
        if alpha > 0.0 && alpha < 1.0 {
            Ok(Self { alpha })
        } else {
            Err(NotAConfidence(1.0 - alpha))
        }
    }

    /// The level, for example 0.95.
    pub fn level(self) -> f64 {
        1.0 - self.alpha
    }

    /// The error probability, for example 0.05.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The level each of `intervals` intervals needs so that all cover together at this level (Bonferroni).
    /// For 0 or 1 intervals it is the level itself.
    #[must_use]
    pub fn shared_by(self, intervals: u32) -> Self {
        Self {
            alpha: self.alpha / f64::from(intervals.max(1)),
        }
    }
}

impl TryFrom<f64> for Confidence {
    type Error = NotAConfidence;

    fn try_from(level: f64) -> Result<Self, NotAConfidence> {
        Self::new(level)
    }
}

impl From<Confidence> for f64 {
    fn from(confidence: Confidence) -> f64 {
        confidence.level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_levels_have_decimal_errors() {
        assert_eq!(Confidence::new(0.95), Ok(Confidence::PERCENT_95));
        assert_eq!(Confidence::new(0.999), Confidence::from_alpha(0.001));
        assert!(Confidence::new(1.0 - f64::EPSILON).is_ok());
    }

    #[test]
    fn only_levels_between_zero_and_one_exist() {
        for level in [0.0, 1.0, -0.1, 95.0, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(level).is_err(), "{level}");
        }
        assert_eq!(
            Confidence::new(95.0).unwrap_err().to_string(),
            "confidence 95 is not strictly between 0 and 1; usual is 0.95"
        );
    }

    #[test]
    fn a_level_is_one_number_in_files() {
        assert_eq!(
            serde_json::to_string(&Confidence::PERCENT_95).unwrap(),
            "0.95"
        );
        assert_eq!(
            serde_json::from_str::<Confidence>("0.95").unwrap(),
            Confidence::PERCENT_95
        );
        assert!(serde_json::from_str::<Confidence>("95").is_err());
    }

    #[test]
    fn sharing_divides_the_error() {
        assert_eq!(
            Confidence::PERCENT_95.shared_by(5),
            Confidence::new(0.99).unwrap()
        );
        assert_eq!(Confidence::PERCENT_95.shared_by(0), Confidence::PERCENT_95);
    }
}
