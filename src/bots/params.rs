//! The parameters of policies: each is declared once, with its default and range, and from that
//! it is read from a bot file, refused with one line, and shown by `racelab bots`.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::Param;

/// The first of these parameters that has a value of its own; an empty text is none.
pub(super) fn first_said<'a>(table: &toml::Table, names: &[&'a str]) -> Option<&'a str> {
    let is_said = |name: &&&str| {
        let value = table.get(**name);
        value.is_some_and(|value| value.as_str() != Some(""))
    };
    names.iter().find(is_said).copied()
}

/// A number in a range.
pub(super) struct Number {
    pub(super) name: &'static str,
    pub(super) default: f64,
    pub(super) range: RangeInclusive<f64>,
    pub(super) about: &'static str,
}

/// A whole number in a range.
pub(super) struct Whole {
    pub(super) name: &'static str,
    pub(super) default: u32,
    pub(super) range: RangeInclusive<u32>,
    pub(super) about: &'static str,
}

/// One of some words, the default first.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) values: &'static [&'static str],
    pub(super) about: &'static str,
}

/// A text on one line.
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) default: &'static str,
    pub(super) about: &'static str,
}

/// A list of texts.
pub(super) struct Words {
    pub(super) name: &'static str,
    pub(super) default: &'static [&'static str],
    pub(super) about: &'static str,
}

/// A text; empty by default.
pub(super) struct Text {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

/// Numbers in a range, always as many; zeros by default.
pub(super) struct List {
    pub(super) name: &'static str,
    pub(super) len: usize,
    pub(super) range: RangeInclusive<f64>,
}

/// Yes or no; no by default.
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

impl Number {
    pub(super) fn param(&self) -> Param {
        let (from, to) = self.range.clone().into_inner();
        Param {
            name: self.name,
            default: format!("{:?}", self.default),
            about: format!("{}; {from} to {to}", self.about),
        }
    }
}

impl Whole {
    pub(super) fn param(&self) -> Param {
        let (from, to) = self.range.clone().into_inner();
        Param {
            name: self.name,
            default: self.default.to_string(),
            about: format!("{}; {from} to {to}", self.about),
        }
    }
}

impl Choice {
    pub(super) fn param(&self) -> Param {
        Param {
            name: self.name,
            default: format!("\"{}\"", self.values[0]),
            about: self.about.to_owned(),
        }
    }
}

impl Word {
    pub(super) fn param(&self) -> Param {
        Param {
            name: self.name,
            default: format!("{:?}", self.default),
            about: self.about.to_owned(),
        }
    }
}

impl Words {
    pub(super) fn param(&self) -> Param {
        Param {
            name: self.name,
            default: format!("{:?}", self.default),
            about: self.about.to_owned(),
        }
    }
}

impl Text {
    pub(super) fn param(&self) -> Param {
        Param {
            name: self.name,
            default: "\"\"".to_owned(),
            about: self.about.to_owned(),
        }
    }
}

impl Flag {
    pub(super) fn param(&self) -> Param {
        Param {
            name: self.name,
            default: "false".to_owned(),
            about: self.about.to_owned(),
        }
    }
}

/// Reads the `[params]` of a bot file, key by key, and in the end refuses what nobody asked for.
/// The text of an error is one line that names the key and lists what would have worked.
pub(super) struct Reader<'a> {
    table: &'a toml::Table,
    known: Vec<&'static str>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(table: &'a toml::Table) -> Reader<'a> {
        Reader {
            table,
            known: Vec::new(),
        }
    }

    fn get(&mut self, name: &'static str) -> Option<&'a toml::Value> {
        self.known.push(name);
        self.table.get(name)
    }

    /// A number; a whole one may be written without its point.
    pub(super) fn number(&mut self, number: &Number) -> Result<f64, String> {
        let Some(value) = self.get(number.name) else {
            return Ok(number.default);
        };
        let (from, to) = number.range.clone().into_inner();
        let found = match *value {
            toml::Value::Float(float) => float,
            toml::Value::Integer(whole) => whole as f64,
            _ => return refuse(number.name, value, format!("a number, {from} to {to}")),
        };
        // A NaN is in no range.
        if number.range.contains(&found) {
            Ok(found)
        } else {
            refuse(number.name, value, format!("{from} to {to}"))
        }
    }

    /// A whole number.
    pub(super) fn whole(&mut self, whole: &Whole) -> Result<u32, String> {
        let Some(value) = self.get(whole.name) else {
            return Ok(whole.default);
        };
        let (from, to) = whole.range.clone().into_inner();
        let Some(found) = value.as_integer() else {
            return refuse(whole.name, value, format!("a whole number, {from} to {to}"));
        };
        match u32::try_from(found) {
            Ok(found) if whole.range.contains(&found) => Ok(found),
            _ => refuse(whole.name, value, format!("{from} to {to}")),
        }
    }

    /// The index of the chosen word.
    pub(super) fn choice(&mut self, choice: &Choice) -> Result<usize, String> {
        let Some(value) = self.get(choice.name) else {
            return Ok(0);
        };
        let found = choice
            .values
            .iter()
            .position(|&word| value.as_str() == Some(word));
        found.map_or_else(
            || {
                refuse(
                    choice.name,
                    value,
                    format!("\"{}\"", choice.values.join("\" or \"")),
                )
            },
            Ok,
        )
    }

    /// A text on one line.
    pub(super) fn word(&mut self, word: &Word) -> Result<String, String> {
        match self.get(word.name) {
            None => Ok(word.default.to_owned()),
            Some(toml::Value::String(found)) if !found.contains(char::is_control) => {
                Ok(found.clone())
            }
            Some(value) => refuse(word.name, value, "a text on one line"),
        }
    }

    /// A list of texts.
    pub(super) fn words(&mut self, words: &Words) -> Result<Vec<String>, String> {
        let Some(value) = self.get(words.name) else {
            return Ok(words.default.iter().map(ToString::to_string).collect());
        };
        let found: Option<Vec<String>> = value.as_array().and_then(|values| {
            let texts = values.iter().map(|value| value.as_str().map(str::to_owned));
            texts.collect()
        });
        found.map_or_else(|| refuse(words.name, value, "a list of texts"), Ok)
    }

    /// A text.
    pub(super) fn text(&mut self, text: &Text) -> Result<&'a str, String> {
        match self.get(text.name) {
            None => Ok(""),
            Some(toml::Value::String(found)) => Ok(found),
            Some(value) => refuse(text.name, value, "a text"),
        }
    }

    /// A list of numbers.
    pub(super) fn list(&mut self, list: &List) -> Result<Vec<f64>, String> {
        let &List { name, len, .. } = list;
        let (from, to) = list.range.clone().into_inner();
        let Some(value) = self.get(name) else {
            return Ok(vec![0.0; len]);
        };
        let number = |value: &toml::Value| match *value {
            toml::Value::Float(float) => Some(float),
            toml::Value::Integer(whole) => Some(whole as f64),
            _ => None,
        };
        let found: Option<Vec<f64>> = value
            .as_array()
            .filter(|values| values.len() == len)
            .and_then(|values| values.iter().map(number).collect());
        match found {
            Some(found) if found.iter().all(|number| list.range.contains(number)) => Ok(found),
            _ => refuse(
                name,
                value,
                format!("a list of {len} numbers, {from} to {to}"),
            ),
        }
    }

    /// Yes or no.
    pub(super) fn flag(&mut self, flag: &Flag) -> Result<bool, String> {
        match self.get(flag.name) {
            None => Ok(false),
            Some(toml::Value::Boolean(found)) => Ok(*found),
            Some(value) => refuse(flag.name, value, "true or false"),
        }
    }

    /// A table inside the parameters, `[params.name]`; empty if it is not there.
    pub(super) fn table<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let empty = toml::Table::new();
        let table = match self.get(name) {
            None => &empty,
            Some(toml::Value::Table(table)) => table,
            Some(value) => return refuse(name, value, format!("a table, [params.{name}]")),
        };
        let mut reader = Reader::new(table);
        read(&mut reader)
            .and_then(|found| reader.finish().map(|()| found))
            .map_err(|reason| format!("{name}: {reason}"))
    }

    /// Refuses every key that was not read.
    pub(super) fn finish(self) -> Result<(), String> {
        match self
            .table
            .keys()
            .find(|key| !self.known.contains(&key.as_str()))
        {
            None => Ok(()),
            Some(key) if self.known.is_empty() => {
                Err(format!("no parameter '{key}'; this policy has none"))
            }
            Some(key) => Err(format!(
                "no parameter '{key}'; known: {}",
                self.known.join(", ")
            )),
        }
    }
}

fn refuse<T>(name: &str, value: &toml::Value, expected: impl Display) -> Result<T, String> {
    let value = value.to_string().replace('\n', " ");
    Err(format!("{name} = {value}; expected {expected}"))
}
