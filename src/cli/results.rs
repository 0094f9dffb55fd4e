//! `racelab results`: the result sets of positions and dice, line by line.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitCode;

use racelab::engine::game::{Game, Turn};
use racelab::engine::notation::io_reason;
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::table::TableSpec;
use racelab::games::{Visitor, with_game, with_table};
use serde_json::{Map, Value, json};

use super::table::SeatsOf;
use super::{Failure, note};

/// Fill in what rolls can lead to, or check what others filled in
///
/// Reads one JSON object a line from stdin and writes each back with `results`
/// filled in: the positions that await the next roll after the dice were played
/// in every legal way, sorted, without duplicates.
///
///     {"id":1,"game":"mensch","rules":{"tries":1},
///      "position":"A:H,H,H,r0 C:H,H,H,r28 to=A","dice":[6]}
///
/// (on one line). `rules` names what differs from the default preset and may be
/// missing, `dice` are the faces in the order rolled, spare ones are ignored; all
/// other keys are kept. A line that cannot be answered gives {"id":…,"error":"…"}
/// in its place and the rest still runs. Blank lines are skipped, lines over 1 MiB
/// get an error. Each answer is written as soon as no further line waits.
///
/// Exit code 0 if every line was answered (with --check: and agrees), 1 if not.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Compare with the `results` given; print only the lines that differ, with
    /// what is `missing` (given, but not reached) and `too_much` (reached, but not
    /// given)
    #[arg(long)]
    check: bool,
}

/// The longest line that is read; a result set of any game is far shorter.
const LONGEST: usize = 1 << 20;

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut stdin = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut tables = Tables::default();
    let mut line = Vec::new();
    let (mut read, mut lines, mut errors, mut differ) = (0u64, 0u64, 0u64, 0u64);
    while read_line(&mut stdin, &mut line).map_err(|error| stdin_failed(&error))? {
        read += 1;
        if line.len() <= LONGEST && line.trim_ascii().is_empty() {
            continue;
        }
        lines += 1;
        let answer = match answer(&mut tables, &line, read) {
            Ok((row, found)) if args.check => compare(&row, &found),
            Ok((mut row, found)) => {
                row.insert("results".to_owned(), found.into());
                Some(Value::Object(row))
            }
            Err(error) => Some(error),
        };
        if let Some(answer) = answer {
            errors += u64::from(is_error(&answer));
            differ += u64::from(args.check && !is_error(&answer));
            writeln!(out, "{answer}")?;
        }
        if !stdin.buffer().contains(&b'\n') {
            out.flush()?;
        }
    }
    out.flush()?;
    if args.check {
        note(&format!(
            "results: {lines} lines: {} agree, {differ} differ, {errors} with an error",
            lines - differ - errors
        ));
    } else if errors > 0 {
        note(&format!("results: {errors} of {lines} lines with an error"));
    }
    Ok(ExitCode::from(u8::from(errors + differ > 0)))
}

fn stdin_failed(error: &io::Error) -> Failure {
    Failure::Run(anyhow::anyhow!("stdin: {}", io_reason(error)))
}

/// Reads the next line; false at the end. Of a line that is too long only so much is kept that
/// this shows.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = LONGEST as u64 + 1;
    if reader.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() > LONGEST && !line.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
    }
    Ok(true)
}

type Row = Map<String, Value>;

/// The row of a line and its result set, or what is written in its place.
fn answer(tables: &mut Tables, line: &[u8], number: u64) -> Result<(Row, Vec<String>), Value> {
    // A line that has no id is known by its number.
    let row =
        parse(line).map_err(|reason| error(&Value::Null, &format!("line {number}: {reason}")))?;
    match tables.results(&row) {
        Ok(found) => Ok((row, found)),
        Err(reason) => Err(match row.get("id") {
            Some(id) => error(id, &reason),
            None => error(&Value::Null, &format!("line {number}: {reason}")),
        }),
    }
}

fn error(id: &Value, reason: &str) -> Value {
    json!({ "id": id, "error": reason })
}

fn is_error(answer: &Value) -> bool {
    answer.get("error").is_some()
}

fn parse(line: &[u8]) -> Result<Row, String> {
    if line.len() > LONGEST {
        return Err(format!("longer than {LONGEST} bytes"));
    }
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("not UTF-8 after byte {}", error.valid_up_to()))?;
    match serde_json::from_str(text.trim_end()) {
        Ok(Value::Object(row)) => Ok(row),
        Ok(_) => {
            Err("JSON, but no object; expected {\"game\":…,\"position\":…,\"dice\":[…]}".to_owned())
        }
        Err(error) => Err(format!(
            "no JSON: {}",
            error.to_string().replace("line 1 column", "column")
        )),
    }
}

/// How the results found differ from those given, if they do.
fn compare(row: &Row, found: &[String]) -> Option<Value> {
    let id = row.get("id").unwrap_or(&Value::Null);
    let texts = |value: &Value| -> Option<Vec<String>> {
        let texts = value.as_array()?.iter().map(Value::as_str);
        texts.map(|text| text.map(str::to_owned)).collect()
    };
    let Some(given) = row.get("results").and_then(texts) else {
        let reason = "results: missing or no list of positions; --check compares with it";
        return Some(error(id, reason));
    };
    if given == found {
        return None;
    }
    let without = |some: &[String], others: &[String]| -> Vec<String> {
        let left = some.iter().filter(|text| !others.contains(text));
        left.cloned().collect()
    };
    let missing = without(&given, found);
    let too_much = without(found, &given);
    if missing.is_empty() && too_much.is_empty() {
        let reason = "results: the right positions, but not sorted or not without duplicates";
        return Some(error(id, reason));
    }
    Some(json!({ "id": id, "missing": missing, "too_much": too_much }))
}

/// The games met so far: made once for each rule set and each set of seats.
#[derive(Default)]
struct Tables(HashMap<String, Box<dyn Table>>);

/// How many rule sets are kept; more than a hand-made file ever has.
const KEPT: usize = 1000;

impl Tables {
    fn results(&mut self, row: &Row) -> Result<Vec<String>, String> {
        let name = text(row, "game")?;
        let rules = match row.get("rules") {
            None => &Map::new(),
            Some(Value::Object(rules)) => rules,
            Some(other) => {
                return Err(format!(
                    "rules: {other} is no object; expected {{\"option\":value}}"
                ));
            }
        };
        let position = text(row, "position")?;
        let dice = dice(row)?;

        let seats = with_game(name, SeatsOf(position)).map_err(|error| format!("game: {error}"))?;
        let seats = seats.map_err(|error| format!("position: {error}"))?;
        let key = format!("{name} {} {}", seats.len(), json!(rules));
        if let Some(table) = self.0.get_mut(&key) {
            return table.results(position, &dice);
        }
        let mut table =
            with_table(name, seats, Rules(rules)).map_err(|error| format!("game: {error}"))??;
        let results = table.results(position, &dice);
        if self.0.len() == KEPT {
            self.0.clear();
        }
        self.0.insert(key, table);
        results
    }
}

fn text<'a>(row: &'a Row, key: &str) -> Result<&'a str, String> {
    match row.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("{key}: {other} is no text; expected a string")),
        None => Err(format!("{key}: missing; expected a string")),
    }
}

fn dice(row: &Row) -> Result<Vec<i64>, String> {
    let faces = match row.get("dice") {
        Some(Value::Array(faces)) => faces,
        Some(other) => return Err(format!("dice: {other} is no list; expected e.g. [6]")),
        None => return Err("dice: missing; expected e.g. [6]".to_owned()),
    };
    let face = |face: &Value| {
        face.as_i64()
            .ok_or_else(|| format!("dice: {face} is no face of a die; faces are 1 to 6"))
    };
    faces.iter().map(face).collect()
}

/// Result sets by one set of rules.
trait Table {
    fn results(&mut self, position: &str, dice: &[i64]) -> Result<Vec<String>, String>;
}

struct Seats<G: Game> {
    rules: G::Rules,
    games: HashMap<SeatSet, G>,
}

impl<G: Game> Table for Seats<G> {
    fn results(&mut self, position: &str, dice: &[i64]) -> Result<Vec<String>, String> {
        let in_position = |error: &dyn std::fmt::Display| format!("position: {error}");
        let seats = G::seats_of(position).map_err(|error| in_position(&error))?;
        if !self.games.contains_key(&seats) {
            let game = G::new(self.rules.clone(), seats).map_err(|error| {
                // The seats are those that the position names.
                if error.field.starts_with("seats") {
                    in_position(&error)
                } else {
                    format!("rules: {error}")
                }
            })?;
            self.games.insert(seats, game);
        }
        let game = &self.games[&seats];
        let state = game.parse(position).map_err(|error| in_position(&error))?;
        if game.turn(&state) == Turn::Over {
            return Err("position: the game is over; expected one that awaits a roll".to_owned());
        }
        if !game.awaits_roll(&state) {
            return Err(
                "position: a roll is being played; expected one that awaits a roll".to_owned(),
            );
        }
        game.result_set(&state, dice)
            .map_err(|error| error.to_string())
    }
}

/// Makes the table of a game for the rules of a line.
struct Rules<'a>(&'a Map<String, Value>);

impl Visitor for Rules<'_> {
    type Answer = Result<Box<dyn Table>, String>;

    fn visit<G: Race>(self) -> Self::Answer {
        let mut spec = TableSpec::of(G::NAME);
        for (name, value) in self.0 {
            let value = toml::Value::try_from(value).map_err(|_| {
                format!("rules: {name} = {value}: no value of an option; see 'racelab rules'")
            })?;
            spec.rules.insert(name.clone(), value);
        }
        let rules = spec.rules::<G>().map_err(|error| error.to_string())?;
        Ok(Box::new(Seats::<G> {
            rules,
            games: HashMap::new(),
        }))
    }
}
