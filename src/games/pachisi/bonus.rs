//! The size of a bonus, as rules name it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::engine::game::RulesError;

/// The largest bonus: from the own start square to the last of the lane.
pub(in crate::games) const MAX_BONUS: u8 = 70;

/// Reads the option `capture_bonus`.
pub(in crate::games) fn capture_bonus<'de, D>(deserializer: D) -> Result<u8, D::Error>
where
    D: Deserializer<'de>,
{
    read("capture_bonus", deserializer)
}

/// Reads the option `goal_bonus`.
pub(in crate::games) fn goal_bonus<'de, D>(deserializer: D) -> Result<u8, D::Error>
where
    D: Deserializer<'de>,
{
    read("goal_bonus", deserializer)
}

/// The error begins with the name of the option, because more is played than it lists.
fn read<'de, D: Deserializer<'de>>(option: &'static str, deserializer: D) -> Result<u8, D::Error> {
    let squares = i64::deserialize(deserializer).map_err(|_| {
        D::Error::custom(format!(
            "{option}: expected a whole number, 0 to {MAX_BONUS}"
        ))
    })?;
    check(option, squares).map_err(D::Error::custom)
}

/// Refuses a bonus that leads past the lane.
pub(in crate::games) fn check(option: &'static str, squares: i64) -> Result<u8, RulesError> {
    let played = u8::try_from(squares).ok();
    played
        .filter(|&squares| squares <= MAX_BONUS)
        .ok_or_else(|| RulesError {
            field: option,
            reason: format!("{squares} squares are not played; expected 0 to {MAX_BONUS}"),
        })
}
