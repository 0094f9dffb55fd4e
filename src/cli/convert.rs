//! `racelab convert`: backgammon positions and matches from one notation to another.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use racelab::engine::notation::io_reason;
use racelab::experiment::record::write_atomically;
use racelab::games::backgammon::board::Board;
use racelab::games::backgammon::moves::Plays;
use racelab::games::backgammon::notation::convert::{
    Content, Format, UnknownFormat, convert, match_format, read_prefix, write,
};
use racelab::games::backgammon::notation::record::MatchRecord;
use racelab::games::backgammon::notation::replay::FileError;

use super::{Failure, note, replaceable};

/// Rewrite backgammon positions and matches in another notation
///
/// Positions are known as `position-id`, `gnu-id` (Position ID and Match ID,
/// joined by a colon), `xgid` and `fibs` (a `board:` line), matches as `mat`
/// (Jellyfish, what most programs exchange) and `sgf`. The notation of the input
/// is guessed from what it looks like. Positions are converted line by line: a
/// line that is none is named on stderr and the rest still runs.
///
/// Exit code 0 if everything was converted, 2 if a line or the match was not.
#[derive(clap::Args)]
pub struct Args {
    /// File, or the text itself if there is no such file; `-` is stdin
    #[arg(value_name = "FILE|TEXT", default_value = STDIN)]
    input: String,

    /// Notation to write: position-id, gnu-id, xgid, fibs, mat or sgf
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    to: Format,

    /// Keep what comes before the first mistake in a match, and say what was
    /// dropped
    #[arg(long)]
    prefix: bool,

    /// File to write instead of stdout; it is replaced at once or not at all
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The name of standard input.
const STDIN: &str = "-";

/// The largest input in bytes; an analysed match of 25 points takes 1 to 2 MB.
const LARGEST: u64 = 64 << 20;

fn format(name: &str) -> Result<Format, UnknownFormat> {
    name.parse()
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.out {
        replaceable("--out", path)?;
    }
    let input = Input::of(&args.input)?;
    let is_match = match_format(&String::from_utf8_lossy(&input.bytes)).is_some();
    let (text, all_converted) = if is_match {
        (whole_match(args, &input)?, true)
    } else if args.prefix {
        let what = "a position has no part to keep; expected a match, mat or sgf";
        return Err(Failure::input("--prefix", what));
    } else {
        positions(args.to, &input)
    };
    match &args.out {
        Some(path) => write_atomically(path, |file| file.write_all(text.as_bytes()))
            .map_err(|error| Failure::Run(error.into()))?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(ExitCode::from(if all_converted { 0 } else { 2 }))
}

/// What is to be converted, and what messages call it.
struct Input {
    name: String,
    bytes: Vec<u8>,
    /// Whether it was given on the command line itself.
    is_text: bool,
}

impl Input {
    fn of(argument: &str) -> Result<Input, Failure> {
        let is_text = argument != STDIN && !Path::new(argument).exists();
        let name = match argument {
            STDIN => "stdin".to_owned(),
            _ if is_text => format!("'{}'", argument.trim()),
            _ => argument.to_owned(),
        };
        let read = match argument {
            STDIN => read_all(io::stdin().lock()),
            _ if is_text => Ok(argument.as_bytes().to_vec()),
            path => File::open(path).and_then(read_all),
        };
        let bytes = read.map_err(|error| match argument {
            STDIN => Failure::Run(anyhow::anyhow!("{name}: {}", io_reason(&error))),
            _ => Failure::input(&name, io_reason(&error)),
        })?;
        if bytes.len() as u64 > LARGEST {
            let what = format!("larger than {} MiB; expected one match", LARGEST >> 20);
            return Err(Failure::input(&name, what));
        }
        Ok(Input {
            name,
            bytes,
            is_text,
        })
    }

    /// Says what is wrong with a line, the first being 1. A text of one line needs no number.
    fn complain(&self, number: usize, reason: &str) {
        let name = &self.name;
        if self.is_text {
            note(&format!("{name}: no such file, and no position: {reason}"));
        } else {
            note(&format!("{name}: line {number}: {reason}"));
        }
    }
}

fn read_all(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Every position of the input on a line of its own, and whether all lines were converted.
fn positions(to: Format, input: &Input) -> (String, bool) {
    let mut text = String::new();
    let (mut read, mut failed) = (0, 0);
    for (line, number) in input.bytes.split(|&byte| byte == b'\n').zip(1..) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        read += 1;
        match position(to, line) {
            Ok(position) => text = text + &position + "\n",
            Err(reason) => {
                failed += 1;
                input.complain(number, &reason);
            }
        }
    }
    if read == 0 {
        note(&format!(
            "{}: empty; expected a position or a match",
            input.name
        ));
    } else if failed > 0 && read > 1 {
        note(&format!("convert: {failed} of {read} lines with an error"));
    }
    (text, read > 0 && failed == 0)
}

fn position(to: Format, line: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("not UTF-8 after byte {}", error.valid_up_to()))?;
    convert(text, to, results).map_err(|error| error.to_string())
}

/// The match of the input in another notation.
fn whole_match(args: &Args, input: &Input) -> Result<String, Failure> {
    let wrong = |what: &dyn std::fmt::Display| Failure::input(&input.name, what);
    let text = std::str::from_utf8(&input.bytes).map_err(|error| {
        let before = &input.bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        wrong(&format!(
            "line {line}: not UTF-8; expected a file saved as UTF-8"
        ))
    })?;
    let (record, error) = read_prefix(text, results).expect("it was found to be a match");
    if let Some(error) = error {
        if !args.prefix {
            return Err(wrong(&error));
        }
        if record.games.is_empty() {
            return Err(wrong(&format!("{error}; no game comes before it")));
        }
        note(&format!(
            "{}: {error}; {}",
            input.name,
            kept(&record, &error, text.lines().count())
        ));
    }
    if record.games.is_empty() {
        return Err(wrong(&"no game in it; expected a match with at least one"));
    }
    write(&Content::Match(record), args.to).map_err(|error| wrong(&error))
}

/// What is left of a match that ends with an error, and what is not.
fn kept(record: &MatchRecord, error: &FileError, lines: usize) -> String {
    let finished = record.games.iter().filter(|game| game.result.is_some());
    let games = counted(finished.count(), "finished game");
    let last = record.games.last();
    let begun = last.filter(|game| game.result.is_none()).map(|game| {
        let actions = counted(game.actions.len(), "action");
        format!(" and {actions} of game {}", record.games.len())
    });
    let dropped = match error.line {
        first if first < lines => format!("lines {first} to {lines}"),
        only => format!("line {only}"),
    };
    format!(
        "kept {games}{}, dropped {dropped}",
        begun.unwrap_or_default()
    )
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The generator that readers of matches check plays with.
fn results(board: &Board, dice: [u8; 2]) -> Vec<Board> {
    let mut plays = Plays::default();
    plays.generate(board, (dice[0], dice[1]));
    plays.to_vec()
}
