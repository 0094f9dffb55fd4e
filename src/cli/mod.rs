//! The command line: one file a subcommand. Flags say what to do, the library does it.
//!
//! Data goes to stdout, notes and progress to stderr. Exit codes: 0 fine, 1 for a failure or a
//! difference found, 2 for bad input.

mod analyze;
mod balance;
mod bearoff;
mod bots;
mod convert;
mod exact;
mod games;
mod match_bots;
mod perft;
mod plan;
mod rate;
mod regret;
mod results;
mod rounds;
mod rules;
mod serve_player;
mod start;
mod stats;
mod table;
mod text;
mod tournament;
mod trace;
mod train;
mod tune;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use racelab::engine::notation::io_reason;

/// A laboratory for dice race games: rules engines, bots, honest statistics.
#[derive(Parser)]
#[command(
    name = "racelab",
    version,
    term_width = 80,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Tournament(Box<tournament::Args>),
    Games(games::Args),
    Rules(rules::Args),
    Bots(bots::Args),
    Trace(trace::Args),
    Perft(perft::Args),
    Results(results::Args),
    Exact(exact::Args),
    Regret(regret::Args),
    ServePlayer(serve_player::Args),
    Stats(Box<stats::Args>),
    Train(train::Args),
    Convert(convert::Args),
    Analyze(analyze::Args),
    Balance(Box<balance::Args>),
    Plan(plan::Args),
    Match(Box<match_bots::Args>),
    Rate(rate::Args),
    Tune(Box<tune::Args>),
}

/// Parses the command line and runs what it asks for.
pub fn run() -> Result<ExitCode, Failure> {
    let cli = match Cli::try_parse_from(joined(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let mut stdout = BufWriter::new(io::stdout().lock());
    let out = &mut stdout;
    let code = match cli.command {
        Command::Tournament(args) => tournament::run(&args, out),
        Command::Games(args) => games::run(&args, out),
        Command::Rules(args) => rules::run(&args, out),
        Command::Bots(args) => bots::run(&args, out),
        Command::Trace(args) => trace::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Results(args) => results::run(&args, out),
        Command::Exact(args) => exact::run(&args, out),
        Command::Regret(args) => regret::run(&args, out),
        Command::ServePlayer(args) => serve_player::run(&args),
        Command::Stats(args) => stats::run(&args, out),
        Command::Train(args) => train::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        Command::Balance(args) => balance::run(&args, out),
        Command::Plan(args) => plan::run(&args, out),
        Command::Match(args) => match_bots::run(&args, out),
        Command::Rate(args) => rate::run(&args, out),
        Command::Tune(args) => tune::run(&args, out),
    }?;
    stdout.flush()?;
    Ok(code)
}

/// Why a command ended early.
pub enum Failure {
    /// The user asked for something impossible.
    Input(anyhow::Error),
    /// The work could not be done.
    Run(anyhow::Error),
    /// Nobody reads the output any more: a normal end.
    Closed,
}

impl Failure {
    /// Bad input at a place: a flag, a field, a file.
    pub fn input(place: &str, what: impl Display) -> Failure {
        Failure::Input(anyhow::anyhow!("{place}: {what}"))
    }

    /// Says what happened in one line; the exit code.
    pub fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Failure::Input(error) => (error, 2),
            Failure::Run(error) => (error, 1),
            Failure::Closed => return ExitCode::SUCCESS,
        };
        note(&format!("{error:#}"));
        ExitCode::from(code)
    }
}

/// Errors of writing to stdout, which is what every command writes to.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Run(anyhow::anyhow!("stdout: {}", io_reason(&error))),
        }
    }
}

/// Writes one line to stderr, whatever the text contains. If nobody listens, so be it.
pub fn note(text: &str) {
    let mut line = String::from("racelab: ");
    for char in text.trim_end().chars() {
        if char.is_control() {
            line.extend(char.escape_debug());
        } else {
            line.push(char);
        }
    }
    let _ = writeln!(io::stderr(), "{line}");
}

/// Refuses to write a file in the place of a device, a link or a folder: it is written beside and
/// renamed, which would take that away.
pub fn replaceable(flag: &str, path: &Path) -> Result<(), Failure> {
    let is_special = path.symlink_metadata().is_ok_and(|found| !found.is_file());
    if is_special {
        let path = path.display();
        let what = format!("{path}: no regular file; expected a new file or one to replace");
        return Err(Failure::input(flag, what));
    }
    Ok(())
}

/// A whole number of this range, as a value parser whose error says what would have worked.
pub fn whole(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!(
                "expected a whole number from {} to {}",
                range.start(),
                range.end()
            )
        })
    }
}

/// The arguments, `--flag -inf` as `--flag=-inf`: clap lets negative numbers be values, but takes these for flags, and
/// says nothing of the flag then.
fn joined(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_number = |word: &OsString| {
        let word = word.to_string_lossy().to_ascii_lowercase();
        matches!(word.as_str(), "-inf" | "-infinity" | "-nan")
    };
    let mut words: Vec<OsString> = Vec::new();
    for word in args {
        let takes = |flag: &OsString| {
            let flag = flag.to_string_lossy();
            flag.starts_with("--") && flag != "--" && !flag.contains('=')
        };
        match words
            .last_mut()
            .filter(|flag| is_number(&word) && takes(flag))
        {
            Some(flag) => {
                flag.push("=");
                flag.push(word);
            }
            None => words.push(word),
        }
    }
    words
}

/// What clap has to say: help and version on stdout, errors on one line.
fn usage(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut stdout = io::stdout().lock();
            write!(stdout, "{}", error.render())?;
            stdout.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{}", error.render());
            Ok(ExitCode::from(2))
        }
        _ => Err(Failure::Input(anyhow::anyhow!(usage_line(error)))),
    }
}

/// The error of clap on one line: the flag, the value and the reason of a wrong value; of others
/// all that stands above the usage.
fn usage_line(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    if let (ErrorKind::ValueValidation, Some(flag), Some(value), Some(reason)) = (
        error.kind(),
        context(ContextKind::InvalidArg),
        context(ContextKind::InvalidValue),
        std::error::Error::source(error),
    ) {
        let flag = flag.split(' ').next().unwrap_or(flag);
        return format!("{flag}: '{value}'; {reason}");
    }
    let text = error.render().to_string();
    let lines = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .map(|line| line.trim().trim_start_matches("error: "))
        .filter(|line| !line.is_empty());
    let mut said = String::new();
    for line in lines {
        let joint = match said.chars().next_back() {
            None => "",
            Some(':') => " ",
            Some(_) => "; ",
        };
        said = said + joint + line;
    }
    said + "; see 'racelab --help'"
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// What flags that take numbers call them.
    const NUMBERS: &[&str] = &[
        "A", "C", "D", "ELO", "G", "H", "K", "L", "LEVEL", "N", "P", "POINTS", "S",
    ];

    /// Every flag that takes a number gets a negative one to judge; clap would take it for a flag.
    #[test]
    fn negative_numbers_are_values_of_flags() {
        let mut seen = 0;
        let mut left = vec![(vec![], Cli::command())];
        while let Some((path, command)) = left.pop() {
            let subcommands = command.get_subcommands().cloned();
            left.extend(subcommands.map(|command| {
                let name = command.get_name().to_owned();
                (path.iter().cloned().chain([name]).collect(), command)
            }));
            for argument in command.get_arguments() {
                let names = argument.get_value_names().unwrap_or_default();
                let is_number = names.iter().any(|name| NUMBERS.contains(&name.as_str()));
                let (Some(flag), true) = (argument.get_long(), is_number) else {
                    continue;
                };
                let value = match names[0].as_str() {
                    "POINTS" => "-1pt",
                    _ => "-1",
                };
                let line = ["racelab".to_owned()].into_iter().chain(path.clone());
                let line = line.chain([format!("--{flag}"), value.to_owned()]);
                let error = Cli::command().try_get_matches_from(line).err();
                let kind = error.as_ref().map(clap::Error::kind);
                assert_ne!(
                    kind,
                    Some(ErrorKind::UnknownArgument),
                    "{path:?} --{flag} {value}"
                );
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
