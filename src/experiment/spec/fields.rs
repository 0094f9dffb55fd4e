//! Fields of a spec that serde does not know by itself.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bots::Bot;

/// A whole number from 1 to `MOST`, as its error says.
pub(super) fn whole<'de, D, T, const MOST: u64>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    struct Whole<const MOST: u64>;

    impl<const MOST: u64> Visitor<'_> for Whole<MOST> {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 1 to {MOST}")
        }

        fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<u64, E> {
            u64::try_from(number)
                .ok()
                .filter(|number| (1..=MOST).contains(number))
                .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
        }

        fn visit_i128<E: serde::de::Error>(self, number: i128) -> Result<u64, E> {
            let number = format!("integer `{number}`");
            Err(E::invalid_value(Unexpected::Other(&number), &self))
        }
    }

    let number = deserializer.deserialize_any(Whole::<MOST>)?;
    T::try_from(number).map_err(|_| serde::de::Error::custom("the range is wider than the field"))
}

/// A bot as a spec names it.
#[derive(Clone, PartialEq, Debug)]
pub enum BotRef {
    /// The name of a shipped bot or the path of a bot file.
    Named(String),
    /// The bot itself.
    Inline(Bot),
}

impl Serialize for BotRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            BotRef::Named(name) => serializer.serialize_str(name),
            BotRef::Inline(bot) => bot.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for BotRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BotRef, D::Error> {
        struct NameOrTable;

        impl<'de> Visitor<'de> for NameOrTable {
            type Value = BotRef;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a bot name, a bot file or a table with name, policy and params")
            }

            fn visit_str<E>(self, name: &str) -> Result<BotRef, E> {
                Ok(BotRef::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BotRef, A::Error> {
                Bot::deserialize(MapAccessDeserializer::new(map)).map(BotRef::Inline)
            }
        }

        deserializer.deserialize_any(NameOrTable)
    }
}

/// Seeds are 64 bits, TOML's numbers 63: the upper half is written as text.
pub(super) mod seed_text {
    use super::{Deserializer, Serializer, Unexpected, Visitor, fmt};

    #[allow(clippy::trivially_copy_pass_by_ref)] // The signature serde asks for.
    pub(in crate::experiment::spec) fn serialize<S: Serializer>(
        seed: &u64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match i64::try_from(*seed) {
            Ok(seed) => serializer.serialize_i64(seed),
            Err(_) => serializer.serialize_str(&seed.to_string()),
        }
    }

    pub(in crate::experiment::spec) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u64, D::Error> {
        struct Seed;

        impl Visitor<'_> for Seed {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a seed from 0 to 2^64-1 (above 2^63-1 in quotes)")
            }

            fn visit_i64<E: serde::de::Error>(self, seed: i64) -> Result<u64, E> {
                u64::try_from(seed).map_err(|_| E::invalid_value(Unexpected::Signed(seed), &self))
            }

            fn visit_u64<E>(self, seed: u64) -> Result<u64, E> {
                Ok(seed)
            }

            fn visit_str<E: serde::de::Error>(self, seed: &str) -> Result<u64, E> {
                seed.parse()
                    .map_err(|_| E::invalid_value(Unexpected::Str(seed), &self))
            }
        }

        deserializer.deserialize_any(Seed)
    }
}
