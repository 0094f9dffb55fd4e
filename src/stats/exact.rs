//! Whole numbers in JSON and TOML without loss.
//!
//! Many readers keep every JSON number as a double, which is exact only up to 2^53. So a larger number is written as
//! a string, and a number is read from either form.
//!
//! ```
//! # use serde::{Deserialize, Serialize};
//! #[derive(Serialize, Deserialize)]
//! struct Row {
//!     #[serde(with = "racelab::stats::exact")]
//!     seed: u64,
//! }
//! assert_eq!(serde_json::to_string(&Row { seed: 7 }).unwrap(), r#"{"seed":7}"#);
//! assert_eq!(serde_json::to_string(&Row { seed: u64::MAX }).unwrap(), r#"{"seed":"18446744073709551615"}"#);
//! ```

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// The largest magnitude written as a number: 2^53.
pub const LARGEST_NUMBER: u64 = 1 << 53;

/// An integer type that [`exact`](self) can write and read: `u64`, `i64`, `u128` or `i128`.
pub trait Whole:
    Copy + fmt::Display + std::str::FromStr + TryFrom<u64> + TryFrom<i64> + TryInto<i64>
{
}

impl Whole for u64 {}
impl Whole for i64 {}
impl Whole for u128 {}
impl Whole for i128 {}

/// Writes a number up to ±2^53 as a number and a larger one as a string. For `#[serde(with = "…")]`.
///
/// # Errors
///
/// Only those of the serializer.
pub fn serialize<T: Whole, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let small: Option<i64> = (*value).try_into().ok();
    match small.filter(|small| small.unsigned_abs() <= LARGEST_NUMBER) {
        Some(small) => serializer.serialize_i64(small),
        None => serializer.collect_str(value),
    }
}

/// Reads a whole number from a number or a string. For `#[serde(with = "…")]`.
///
/// # Errors
///
/// If the value is neither, has a fraction, or does not fit the type.
pub fn deserialize<'de, T: Whole, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(WholeVisitor(PhantomData))
}

/// The same for a list of whole numbers: `#[serde(with = "racelab::stats::exact::list")]`.
pub mod list {
    use super::{Deserialize, Deserializer, Exact, Serializer, Whole};

    /// Writes each number as [`super::serialize`] does.
    ///
    /// # Errors
    ///
    /// Only those of the serializer.
    pub fn serialize<T: Whole, S: Serializer>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|&value| Exact(value)))
    }

    /// Reads each number as [`super::deserialize`] does.
    ///
    /// # Errors
    ///
    /// If the value is no list, or one of its items is no whole number of the type.
    pub fn deserialize<'de, T: Whole, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let values = Vec::<Exact<T>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|Exact(value)| value).collect())
    }
}

struct Exact<T>(T);

impl<T: Whole> Serialize for Exact<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, serializer)
    }
}

impl<'de, T: Whole> Deserialize<'de> for Exact<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Exact)
    }
}

struct WholeVisitor<T>(PhantomData<T>);

impl<T: Whole> Visitor<'_> for WholeVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(
            formatter,
            "a whole number that fits {}, as a number or a string",
            std::any::type_name::<T>()
        )
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<T, E> {
        value
            .parse()
            .map_err(|_| E::invalid_value(de::Unexpected::Str(value), &self))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<T: Whole>(json: &str) -> Result<T, serde_json::Error> {
        serde_json::from_str::<Exact<T>>(json).map(|Exact(value)| value)
    }

    #[test]
    fn the_switch_to_strings_is_after_two_to_the_53() {
        let write = |value: i128| serde_json::to_string(&Exact(value)).unwrap();
        assert_eq!(write(9_007_199_254_740_992), "9007199254740992");
        assert_eq!(write(9_007_199_254_740_993), "\"9007199254740993\"");
        assert_eq!(write(-9_007_199_254_740_992), "-9007199254740992");
        assert_eq!(write(-9_007_199_254_740_993), "\"-9007199254740993\"");
    }

    #[test]
    fn both_forms_are_read_and_others_refused() {
        assert_eq!(read::<u64>("5").unwrap(), 5);
        assert_eq!(read::<u64>("\"5\"").unwrap(), 5);
        assert_eq!(read::<u64>("18446744073709551615").unwrap(), u64::MAX);
        for wrong in [
            "-1",
            "\"-1\"",
            "1.5",
            "\"x\"",
            "null",
            "\"18446744073709551616\"",
        ] {
            assert!(read::<u64>(wrong).is_err(), "{wrong}");
        }
        let message = read::<u64>("-1").unwrap_err().to_string();
        assert!(
            message.contains("expected a whole number that fits u64, as a number or a string"),
            "{message}"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(signed: i128, unsigned: u128, small: u64) {
            prop_assert_eq!(read::<i128>(&serde_json::to_string(&Exact(signed)).unwrap()).unwrap(), signed);
            prop_assert_eq!(read::<u128>(&serde_json::to_string(&Exact(unsigned)).unwrap()).unwrap(), unsigned);
            prop_assert_eq!(read::<u64>(&serde_json::to_string(&Exact(small)).unwrap()).unwrap(), small);
        }
    }
}
