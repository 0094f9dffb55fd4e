//! Margins: how far from fair is still called balanced, as people write it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A margin of a share, above 0 and below 1; one point, `1pt`, is a hundredth.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Margin(f64);

/// A text that is no margin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no margin; expected points above 0 and below 100, e.g. 1pt or 0.5pt")]
pub struct NoMargin(String);

impl Margin {
    /// The margin of so many points.
    pub const fn points(points: f64) -> Margin {
        Margin(points / 100.0)
    }

    /// The margin proposed for seats: 1 point, for more than four sides half a point.
    pub const fn for_sides(sides: usize) -> Margin {
        Margin::points(if sides > 4 { 0.5 } else { 1.0 })
    }

    /// The margin of a share, 0 to 1.
    pub const fn share(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As it was written: 0.07 · 100 is not quite 7.
        write!(f, "{}pt", (self.0 * 1e8).round() / 1e6)
    }
}

impl FromStr for Margin {
    type Err = NoMargin;

    fn from_str(text: &str) -> Result<Margin, NoMargin> {
        let points = text.trim().strip_suffix("pt").map(str::trim_end);
        let points = points.and_then(|points| points.parse::<f64>().ok());
        match points {
            Some(points) if points > 0.0 && points < 100.0 => Ok(Margin::points(points)),
            _ => Err(NoMargin(text.to_owned())),
        }
    }
}

impl Serialize for Margin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Margin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Margin, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_written_in_points() {
        for text in ["1pt", "0.5pt", "7pt", "0.07pt"] {
            assert_eq!(text.parse::<Margin>().unwrap().to_string(), text);
        }
        assert!(("1 pt".parse::<Margin>().unwrap().share() - 0.01).abs() < 1e-15);
        for text in ["1", "0pt", "-1pt", "100pt", "pt", "1 %", "nanpt", ""] {
            let error = text.parse::<Margin>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "'{text}' is no margin; expected points above 0 and below 100, e.g. 1pt or 0.5pt"
                )
            );
        }
    }
}
