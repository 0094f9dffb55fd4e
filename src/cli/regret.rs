//! `racelab regret`: what a bot loses against perfect play, decision by decision.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use racelab::bots::Bot;
use racelab::engine::file::write_atomically;
use racelab::engine::game::Game;
use racelab::engine::notation::io_reason;
use racelab::engine::race::Race;
use racelab::experiment::exact::ExactError;
use racelab::experiment::regret::{MOST_CHECKERS, Mistake, Regret, RegretError, bearoff, regret};
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;
use racelab::games::backgammon::Backgammon;
use racelab::report::text::fixed;
use serde::Serialize;

use super::start::StartArgs;
use super::table::TableArgs;
use super::{Failure, note, replaceable, whole};

/// Measure a bot against perfect play, where the game can be solved
///
/// Solves the game from a position on for two seats, or for one alone, and asks
/// the bot at every decision that can come up there. A choice loses what the best
/// move is worth more: chances to win, or expected turns of a seat alone.
#[derive(clap::Args)]
pub struct Args {
    /// Bot to measure: a shipped one, or a bot file
    #[arg(value_name = "BOT")]
    bot: String,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    start: StartArgs,

    /// The bear-off of backgammon without a cube: up to so many checkers a side
    /// at home, 1 to 6, every position and roll once
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MOST_CHECKERS.into()),
          conflicts_with_all = ["position", "runners", "solitaire", "preset", "rules", "seats"])]
    bearoff: Option<u64>,

    /// Worst decisions to print, 0 to 1000
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true,
          value_parser = whole(0..=1000))]
    top: u64,

    /// CSV file for all decisions that lose something, the worst first
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Most positions to explore, 1 to 10^9
    #[arg(long, value_name = "N", default_value = "5000000", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000_000))]
    max_states: u64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.out {
        replaceable("--out", path)?;
    }
    if let Some(checkers) = args.bearoff {
        return bearoff_of(args, checkers as u8, out);
    }
    let position = args.start.position.as_deref();
    args.table.visit(position, Measure { args, out })
}

/// The bear-off of backgammon.
fn bearoff_of(args: &Args, checkers: u8, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let spec = args.table.spec()?;
    if spec.game != Backgammon::NAME {
        let reason = format!(
            "only {} has a bear-off, not {}",
            Backgammon::NAME,
            spec.game
        );
        return Err(Failure::input("--bearoff", reason));
    }
    let spec = TableSpec {
        preset: "cubeless".to_owned(),
        ..spec
    };
    let game: Backgammon = spec.game()?;
    let bot = Bot::find(&args.bot).map_err(|error| Failure::input("BOT", error))?;
    let found = bearoff(&bot, checkers).map_err(failure)?;
    let answer = Answer {
        game: &game,
        position: format!("bear-off of up to {checkers} checkers a side"),
        table: spec,
        bot: &bot.name,
        regret: &found,
        top: args.top as usize,
    };
    answer.give(args, out)
}

fn failure(error: RegretError) -> Failure {
    match error {
        RegretError::Failed(_) | RegretError::Exact(ExactError::NotSettled { .. }) => {
            Failure::Run(error.into())
        }
        RegretError::Bot(error) => Failure::input("BOT", error),
        RegretError::Exact(error) => Failure::Input(error.into()),
    }
}

struct Measure<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Measure<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let Measure { args, out } = self;
        let bot = Bot::find(&args.bot).map_err(|error| Failure::input("BOT", error))?;
        let (game, state) = args.start.game_and_state::<G>(&args.table)?;
        let known = G::KNOWN_PLAY.map_or(String::new(), |known| format!("; {known}"));
        let doing = format!(
            "regret: exploring all positions that can come up, at most {} (--max-states){known}",
            args.max_states
        );
        let found = patiently(
            PATIENCE,
            || {
                if io::stderr().is_terminal() {
                    note(&doing);
                }
            },
            || regret(&game, &state, &bot, args.max_states as usize),
        );
        let found = found.map_err(failure)?;
        let answer = Answer {
            table: args.table.spec()?,
            game: &game,
            position: game.print(&state),
            bot: &bot.name,
            regret: &found,
            top: args.top as usize,
        };
        answer.give(args, out)
    }
}

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs `work`; if it takes longer than that, `say` is called meanwhile.
fn patiently<T>(patience: Duration, say: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    let (working, done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if done.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                say();
            }
        });
        let answer = work();
        drop(working);
        answer
    })
}

/// A row of the CSV file.
#[derive(Serialize)]
struct Row {
    seat: char,
    position: String,
    roll: String,
    chosen: String,
    best: String,
    worth_best: f64,
    worth_chosen: f64,
    loss: f64,
}

impl Row {
    fn of<G: Race>(game: &G, mistake: &Mistake<G>) -> Row {
        let Mistake {
            state,
            roll,
            seat,
            chosen,
            best,
            worth,
            loss,
        } = mistake;
        let text = |mv| game.move_text(state, mv);
        Row {
            seat: seat.letter(),
            position: game.print(state),
            roll: roll.map_or_else(String::new, |roll| game.roll_text(roll)),
            chosen: chosen.map_or_else(|| "any".to_owned(), text),
            best: text(*best),
            worth_best: *worth,
            worth_chosen: worth - loss,
            loss: *loss,
        }
    }
}

fn write_csv<G: Race>(
    game: &G,
    regret: &Regret<G>,
    file: &mut dyn Write,
) -> Result<(), std::io::Error> {
    let mut writer = csv::Writer::from_writer(file);
    for mistake in &regret.mistakes {
        writer.serialize(Row::of(game, mistake))?;
    }
    writer.flush()
}

struct Answer<'a, G: Race> {
    table: TableSpec,
    game: &'a G,
    position: String,
    bot: &'a str,
    regret: &'a Regret<G>,
    top: usize,
}

impl<G: Race> Answer<'_, G> {
    /// Writes the file, if there is to be one, and the table.
    fn give(&self, args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        if let Some(path) = &args.out {
            let written = write_atomically(path, |file| write_csv(self.game, self.regret, file));
            written.map_err(|error| {
                let reason = io_reason(&error);
                Failure::Run(anyhow::anyhow!("--out: {}: {reason}", path.display()))
            })?;
        }
        write!(out, "{self}")?;
        Ok(ExitCode::SUCCESS)
    }
}

impl<G: Race> fmt::Display for Answer<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let regret = self.regret;
        write!(f, "{} {}", G::NAME, self.table.preset)?;
        for (option, value) in &self.table.rules {
            write!(f, " {option}={value}")?;
        }
        writeln!(f, ", {}", self.bot)?;
        writeln!(f, "{}", self.position)?;
        let is_alone = regret.seats.len() == 1;
        if regret.seats.is_empty() {
            // Every position counts alike: there is none to start from.
        } else if is_alone {
            writeln!(f, "seat  turns, perfect             bot            lost")?;
        } else {
            writeln!(
                f,
                "seat  wins, perfect             bot            lost  lost to its best enemy"
            )?;
        }
        for at in &regret.seats {
            let (perfect, bot) = (at.perfect, at.bot);
            let lost = if is_alone {
                bot - perfect
            } else {
                perfect - bot
            };
            write!(f, "{}  ", at.seat)?;
            let exploited = (!is_alone).then_some(perfect - at.exploited);
            for value in [perfect, bot, lost].into_iter().chain(exploited) {
                write!(f, " {:>15}", fixed(value, 12))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "positions  {:>12}", regret.states)?;
        let wrong = regret.mistakes.len() as u64;
        writeln!(
            f,
            "decisions  {:>12}  {wrong} of them lose something",
            regret.decisions
        )?;
        if let Some(mean) = regret.mean() {
            writeln!(f, "mean loss  {mean:>12.9}  each decision counted once")?;
        }
        for mistake in regret.mistakes.iter().take(self.top) {
            let row = Row::of(self.game, mistake);
            writeln!(f, "{:.9}  {}", row.loss, row.position)?;
            writeln!(f, "             plays {}, best {}", row.chosen, row.best)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn only_what_takes_long_is_told() {
        let told = AtomicBool::new(false);
        let say = || told.store(true, Ordering::SeqCst);
        assert_eq!(patiently(Duration::from_secs(3600), say, || 1), 1);
        assert!(!told.load(Ordering::SeqCst));
        let answer = patiently(Duration::ZERO, say, || {
            while !told.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            2
        });
        assert_eq!(answer, 2);
    }
}
