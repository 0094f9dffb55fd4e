//! The shape all token games share when a position is one line of text:
//! `A:H,r0 C:H,r28 to=A tries=1`.

use std::ops::RangeInclusive;
use std::path::Path;

use super::file::read_at_most;
use super::game::PositionError;
use super::seat::{Seat, SeatSet};

/// A position text cut into its parts, which only the game can interpret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText<'a> {
    /// The tokens of each seat, in the order of the text; no seat twice, at least two seats.
    pub seats: Vec<(Seat, Vec<&'a str>)>,
    /// The `key=value` fields, in the order of the text; no key twice.
    pub fields: Vec<(&'a str, &'a str)>,
}

impl<'a> PositionText<'a> {
    /// Cuts a text into seats and fields.
    ///
    /// # Errors
    /// When a part is neither, a seat or key stands twice, or fewer than two seats play.
    pub fn split(text: &'a str) -> Result<PositionText<'a>, PositionError> {
        let mut parts = PositionText {
            seats: Vec::new(),
            fields: Vec::new(),
        };
        for part in text.split_whitespace() {
            if let Some((key, value)) = part.split_once('=') {
                if parts.field(key).is_some() {
                    return Err(PositionError::new(key, "given twice"));
                }
                parts.fields.push((key, value));
            } else if let Some((seat, tokens)) = part.split_once(':') {
                let seat = letter(seat)
                    .ok_or_else(|| PositionError::new(seat, "no seat; seats are letters A to H"))?;
                if parts.seats.iter().any(|&(other, _)| other == seat) {
                    return Err(PositionError::new(seat.to_string(), "given twice"));
                }
                parts.seats.push((seat, tokens.split(',').collect()));
            } else {
                return Err(PositionError::new(
                    format!("'{part}'"),
                    "expected <seat>:<tokens> or <key>=<value>",
                ));
            }
        }
        if parts.seats.len() < 2 {
            return Err(PositionError::new(
                "seats",
                format!(
                    "{} found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'",
                    parts.seats.len()
                ),
            ));
        }
        Ok(parts)
    }

    /// The value of a field.
    pub fn field(&self, key: &str) -> Option<&'a str> {
        self.fields
            .iter()
            .find(|(name, _)| *name == key)
            .map(|&(_, value)| value)
    }

    /// Refuses every field that is not one of these.
    ///
    /// # Errors
    /// When there is another field.
    pub fn only_fields(&self, known: &[&str]) -> Result<(), PositionError> {
        match self.fields.iter().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, _)) => Err(PositionError::new(
                *name,
                format!("no such field; known: {}", known.join(", ")),
            )),
        }
    }

    /// A field whose value is a seat in play.
    ///
    /// # Errors
    /// When the value is anything else.
    pub fn seat_field(&self, key: &str, seats: SeatSet) -> Result<Option<Seat>, PositionError> {
        let Some(value) = self.field(key) else {
            return Ok(None);
        };
        letter(value)
            .filter(|&seat| seats.contains(seat))
            .map(Some)
            .ok_or_else(|| {
                PositionError::new(
                    key,
                    format!("'{value}' is no seat in play; in play: {seats}"),
                )
            })
    }

    /// A field whose value is a number in a range.
    ///
    /// # Errors
    /// When the value is anything else.
    pub fn number_field(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, PositionError> {
        let Some(value) = self.field(key) else {
            return Ok(None);
        };
        number(value)
            .filter(|number| range.contains(number))
            .map(Some)
            .ok_or_else(|| {
                PositionError::new(
                    key,
                    format!("'{value}'; expected {} to {}", range.start(), range.end()),
                )
            })
    }
}

/// What went wrong with a file, as the system says it but without its error number.
pub fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::InvalidData => "the text is not UTF-8".to_owned(),
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        kind => kind.to_string(),
    }
}

/// The largest spec or bot file, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// The text of a file that a person wrote.
///
/// # Errors
/// When the file cannot be read, is no UTF-8, or is larger than 16 MiB.
pub fn read_text(path: &Path) -> Result<String, String> {
    let read = read_at_most(path, MAX_FILE).map_err(|error| io_reason(&error))?;
    let bytes = read.ok_or("larger than 16 MiB; expected a spec or a bot file")?;
    String::from_utf8(bytes).map_err(|_| "the text is not UTF-8".to_owned())
}

/// Reads a TOML text; the error is one line that names the line and what was expected.
///
/// # Errors
/// When the text is no TOML or does not fit the type.
pub fn from_toml<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let reason = toml_reason(&error);
        match error.span() {
            Some(span) => {
                let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
                format!("line {line}: {reason}")
            }
            None => reason,
        }
    })
}

/// The message of a TOML error on one line, in words of a person who writes files.
pub fn toml_reason(error: &toml::de::Error) -> String {
    let lines: Vec<&str> = error.message().lines().map(str::trim).collect();
    in_words(&lines.join("; "))
}

/// The message with a word for each type of the language it comes from.
fn in_words(message: &str) -> String {
    const WORDS: [(&str, &str); 7] = [
        ("u8", "a whole number, 0 to 255"),
        ("u16", "a whole number, 0 to 65535"),
        ("u32", "a whole number, 0 to 4294967295"),
        ("u64", "a whole number from 0"),
        ("usize", "a whole number from 0"),
        ("i64", "a whole number"),
        ("f64", "a number"),
    ];
    let is_large = [" as i128,", " as u128,"].map(|name| message.find(name));
    if let Some(end) = is_large.into_iter().flatten().next() {
        let what = &message[..end];
        let number = what
            .rsplit_once("integer ")
            .map_or(what, |(_, number)| number);
        return format!("the number {} is too large", number.trim_matches('`'));
    }
    for (name, words) in WORDS {
        if let Some(before) = message.strip_suffix(name)
            && let Some(before) = before.strip_suffix("expected ")
        {
            return format!("{before}expected {words}");
        }
    }
    message.to_owned()
}

/// A plain decimal number: digits only, no sign, no leading zero.
pub fn number(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    plain.then(|| digits.parse().ok()).flatten()
}

/// The seat of a one-letter text.
fn letter(text: &str) -> Option<Seat> {
    let mut letters = text.chars();
    letters
        .next()
        .and_then(Seat::from_letter)
        .filter(|_| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only what is refused is looked at")]
    struct File {
        blocks: u32,
        rate: f64,
        params: toml::Table,
    }

    #[test]
    fn a_refused_file_says_what_a_person_would_have_to_write() {
        let rest = "rate = 1.0\nparams = {}";
        for (text, expected) in [
            (
                format!("blocks = 'x'\n{rest}"),
                "line 1: invalid type: string \"x\", expected a whole number, 0 to 4294967295",
            ),
            (
                format!("blocks = -1\n{rest}"),
                "line 1: invalid value: integer `-1`, expected a whole number, 0 to 4294967295",
            ),
            (
                "blocks = 1\nrate = 'x'\nparams = {}".to_owned(),
                "line 2: invalid type: string \"x\", expected a number",
            ),
            (
                "blocks = 1\nrate = 1.0\nparams = { a = 99999999999999999999999 }".to_owned(),
                "line 3: the number 99999999999999999999999 is too large",
            ),
        ] {
            assert_eq!(from_toml::<File>(&text).unwrap_err(), expected);
        }
    }
}
