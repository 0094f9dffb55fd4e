//! `racelab train`: nets from self-play.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use racelab::games::backgammon::net::Evaluator;
use racelab::games::backgammon::net::train::{
    Duel, Reference, Row, Run, RunError, Settings, Trainer, duel,
};

use super::{Failure, note, whole};

/// Train the nets of a game by self-play, from random weights
///
/// The folder holds the run: checkpoint.bin, from which --resume goes on to the
/// same bytes as if nothing had happened; log.csv; and nets.net, the nets as they
/// are now. The result depends on the flags above --out alone, whatever the
/// number of threads. At the end the nets play against the shipped ones.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game to train for
    #[arg(value_enum)]
    game: TrainedGame,

    /// Games to play, 1 to 10^9
    #[arg(long, value_name = "N", default_value = "300000", value_parser = whole(1..=1_000_000_000))]
    games: u64,

    /// Seed of the random weights and the dice
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// Hidden units of the contact net, a multiple of 8, 8 to 1024
    #[arg(long, value_name = "H", default_value = "80", value_parser = eights)]
    hidden: usize,

    /// Hidden units of the race net, a multiple of 8, 8 to 1024
    #[arg(long, value_name = "H", default_value = "32", value_parser = eights)]
    race_hidden: usize,

    /// How much of a target comes from beyond the next position, 0 to 1
    #[arg(long, value_name = "L", default_value = "0.2", value_parser = share)]
    lambda: f64,

    /// Step size of the first game, above 0 to 1
    #[arg(long, value_name = "A", default_value = "0.15", value_parser = step)]
    step: f64,

    /// Step size of the last game, above 0 to 1
    #[arg(long, value_name = "A", default_value = "0.008", value_parser = step)]
    last_step: f64,

    /// Nets to begin with, instead of random weights; the hidden units are theirs
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,

    /// Stop after so many games, leaving the rest to --resume [default: all]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000))]
    until: Option<u64>,

    /// Games from one checkpoint to the next
    #[arg(long, value_name = "N", default_value = "10000", value_parser = whole(1..=1_000_000_000))]
    checkpoint: u64,

    /// Decisions to measure the nets by at each checkpoint, as JSON lines with
    /// kind, candidates and `rest_0ply`; nothing is learnt from them
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// Pairs of games against the shipped nets at the end, 2 to 10^7
    #[arg(long, value_name = "N", default_value = "5000", value_parser = whole(2..=10_000_000))]
    pairs: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum TrainedGame {
    /// Two nets: with contact, and races
    Backgammon,
}

/// The pairs of games at the end have dice of their own: training blocks count from 0 with the
/// seed itself.
const HELD_OUT: u64 = 0x6865_6c64_6f75_7400;

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    match args.game {
        TrainedGame::Backgammon => backgammon(args, out),
    }
}

fn backgammon(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let reference = args.reference.as_deref().map(Reference::read).transpose();
    let reference = reference.map_err(|error| Failure::input("--reference", error))?;
    let run = if args.resume {
        Run::resume(&args.out, &args.settings(), reference)
    } else {
        Run::begin(&args.out, args.beginner()?, reference)
    };
    let mut run = run.map_err(|error| match error {
        RunError::File(_) => Failure::Run(anyhow::anyhow!("--out: {error}")),
        _ => Failure::input("--out", error),
    })?;
    let end = args.until.unwrap_or(args.games).min(args.games);
    while run.trainer().games() < end {
        let goal = end.min(run.trainer().games() + args.checkpoint);
        let row = run
            .train_to(goal)
            .map_err(|error| Failure::Run(error.into()))?;
        note(&progress(row));
    }
    let seed = args.seed ^ HELD_OUT;
    let found = duel(
        &run.trainer().finished(),
        &Evaluator::shipped(),
        seed,
        args.pairs,
    );
    writeln!(out, "{}", verdict(&found))?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The nets the run begins with.
    fn beginner(&self) -> Result<Trainer, Failure> {
        let Some(path) = &self.from else {
            return Ok(Trainer::new(self.settings()));
        };
        let nets = Evaluator::read(path).map_err(|error| Failure::input("--from", error))?;
        Ok(Trainer::from_nets(self.settings(), nets))
    }

    fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            games: self.games,
            hidden: self.hidden,
            race_hidden: self.race_hidden,
            lambda: self.lambda,
            first_step: self.step,
            last_step: self.last_step,
        }
    }
}

/// A checkpoint on one line.
fn progress(row: &Row) -> String {
    let measured = row.loss.zip(row.best).map(|(loss, best)| {
        let percent = 100.0 * best;
        format!(", {loss:.5} lost per decision, {percent:.1} % best")
    });
    let measured = measured.unwrap_or_default();
    format!("{} games, step {:.4}{measured}", row.games, row.step)
}

/// What the games against the shipped nets say.
fn verdict(duel: &Duel) -> String {
    let games = 2 * duel.points.n();
    let mean = duel.points_per_game();
    let value = mean.map_or(0.0, |mean| mean.value());
    let interval = mean.and_then(|mean| mean.interval());
    let interval = interval.map_or_else(
        || "no pair of games differed".to_owned(),
        |interval| format!("95 % {:+.4} to {:+.4}", interval.low, interval.high),
    );
    format!("{value:+.4} points per game against the shipped nets ({interval}; {games} games)")
}

/// A number of hidden units.
fn eights(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &usize| (8..=1024).contains(number) && number.is_multiple_of(8));
    number.ok_or_else(|| "expected a multiple of 8 from 8 to 1024".to_owned())
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A number above 0 and up to 1.
fn step(text: &str) -> Result<f64, String> {
    let number = share(text).ok().filter(|&number| number > 0.0);
    number.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}
