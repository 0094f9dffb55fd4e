//! What a test says: aligned lines of at most 80 columns, or one JSON object.

use std::io::{self, Write};

use clap::ValueEnum;
pub use racelab::report::text::fixed;
use racelab::stats::{Confidence, Estimate, Interval};
use serde_json::{Map, Number, Value, json};

use super::super::text::hanging;

/// How to print.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// One JSON object
    Json,
}

/// The flags of every test.
#[derive(clap::Args)]
pub struct Output {
    /// Confidence of the intervals, between 0 and 1; 1 minus it is the α of the
    /// verdicts
    #[arg(long, value_name = "C", default_value = "0.95", allow_negative_numbers = true, value_parser = confidence)]
    pub confidence: Confidence,

    /// How to print the answer: lines for people, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

fn confidence(text: &str) -> Result<Confidence, String> {
    let level = text
        .parse()
        .ok()
        .and_then(|level| Confidence::new(level).ok());
    level.ok_or_else(|| "expected a number strictly between 0 and 1, usually 0.95".to_owned())
}

/// Lines and the JSON object that grow together.
pub struct Report {
    title: String,
    lines: Vec<Line>,
    json: Map<String, Value>,
    confidence: Confidence,
}

enum Line {
    Row { label: String, text: String },
    Plain(String),
}

/// The column at which the values begin.
const INDENT: usize = 18;

impl Report {
    pub fn new(test: &str, title: String, confidence: Confidence) -> Report {
        let mut json = Map::new();
        json.insert("test".to_owned(), json!(test));
        json.insert("confidence".to_owned(), number(confidence.level()));
        Report {
            title,
            lines: Vec::new(),
            json,
            confidence,
        }
    }

    /// The level in words, for example `95 %`.
    pub fn percent(&self) -> String {
        percent(self.confidence)
    }

    /// The level.
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// 1 minus the confidence.
    pub fn alpha(&self) -> f64 {
        self.confidence.alpha()
    }

    /// A value that is only in the JSON.
    pub fn field(&mut self, key: &str, value: Value) {
        self.json.insert(key.to_owned(), value);
    }

    /// A line of text.
    pub fn row(&mut self, label: &str, text: String) {
        self.lines.push(Line::Row {
            label: label.to_owned(),
            text,
        });
    }

    /// A line of a table, which must fit.
    pub fn plain(&mut self, line: String) {
        self.lines.push(Line::Plain(line));
    }

    /// A number with what it is.
    pub fn value(&mut self, key: &str, label: &str, value: f64, digits: usize, words: &str) {
        self.field(key, number(value));
        self.row(label, format!("{}: {words}", fixed(value, digits)));
    }

    /// An estimate with what it is.
    pub fn estimate(
        &mut self,
        key: &str,
        label: &str,
        estimate: Estimate,
        digits: usize,
        words: &str,
    ) {
        self.field(key, estimate_json(estimate));
        self.row(
            label,
            format!("{}: {words}", estimate_text(estimate, digits)),
        );
    }

    /// A number that the data do not give, with the reason.
    pub fn missing(&mut self, key: &str, label: &str, reason: &str) {
        self.field(key, Value::Null);
        self.row(label, format!("unknown: {reason}"));
    }

    /// The verdict: a word for programs, a sentence for people.
    pub fn verdict(&mut self, word: &str, sentence: &str) {
        self.field("verdict", json!(word));
        self.row("verdict", format!("{}: {sentence}", word.to_uppercase()));
    }

    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if matches!(format, Format::Json) {
            return writeln!(out, "{}", Value::Object(self.json.clone()));
        }
        hanging(out, "", 0, &self.title)?;
        for line in &self.lines {
            match line {
                Line::Row { label, text } => hanging(out, label, INDENT, text)?,
                Line::Plain(line) => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }
}

/// The level in words, for example `95 %`.
pub fn percent(confidence: Confidence) -> String {
    let level = format!("{:.10}", 100.0 * confidence.level());
    format!("{} %", level.trim_end_matches('0').trim_end_matches('.'))
}

/// A probability: four decimals, or two digits if it is small.
pub fn probability(p: f64) -> String {
    if p > 0.0 && p < 1e-3 {
        format!("{p:.1e}")
    } else {
        fixed(p, 4)
    }
}

/// A value and its interval.
pub fn estimate_text(estimate: Estimate, digits: usize) -> String {
    let value = fixed(estimate.value, digits);
    match estimate.interval {
        Some(interval) => format!("{value} ({})", interval_text(interval, digits)),
        None => value,
    }
}

/// The ends of an interval.
pub fn interval_text(Interval { low, high }: Interval, digits: usize) -> String {
    format!("{} to {}", fixed(low, digits), fixed(high, digits))
}

/// A number of the JSON: twelve digits, so that the last bit of a logarithm does not show. `null` if it is not finite.
pub fn number(value: f64) -> Value {
    let rounded = format!("{value:.11e}").parse().ok();
    rounded
        .and_then(Number::from_f64)
        .map_or(Value::Null, Value::Number)
}

/// An estimate of the JSON.
pub fn estimate_json(estimate: Estimate) -> Value {
    let end = |pick: fn(Interval) -> f64| {
        estimate
            .interval
            .map_or(Value::Null, |ends| number(pick(ends)))
    };
    json!({
        "value": number(estimate.value),
        "n": estimate.n,
        "low": end(|ends| ends.low),
        "high": end(|ends| ends.high),
    })
}

/// Thousands apart: 1,234,567.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
