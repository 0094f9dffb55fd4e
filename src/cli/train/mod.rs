//! `racelab train`: nets from self-play.

mod backgammon;
mod race;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use racelab::engine::game::Game;
use racelab::engine::net::{Run, RunError, Trainee};
use racelab::engine::seat::SeatSet;
use racelab::experiment::train::Views;
use racelab::games::backgammon::Backgammon;

use super::table::visit_seats;
use super::tournament::{INTERRUPTED, resume_command, stop_saying};
use super::{Failure, note, whole};

/// Train the nets of a game by self-play, from random weights
///
/// The folder holds the run: checkpoint.bin, from which --resume goes on to the
/// same bytes as if nothing had happened; log.csv; and nets.net, the nets as they
/// are now. The result depends on the flags above --out alone, whatever the
/// number of threads. At the end the nets play: those of backgammon against the
/// shipped ones, those of other games against the bot of --against.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game to train for; `racelab games` lists them
    game: String,

    /// Rule set to start from [default: default; not for backgammon]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rule that differs from the preset; may be given several times
    /// [default: none; not for backgammon]
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seats of the tables to play at in turn, e.g. `AC,ABCD`
    /// [default: all seats that the rules allow; not for backgammon]
    #[arg(long, value_name = "LETTERS,...", value_delimiter = ',')]
    seats: Vec<SeatSet>,

    /// Games to play, 1 to 10^9 [default: 300000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "300000", hide_default_value = true,
          value_parser = whole(1..=1_000_000_000))]
    games: u64,

    /// Seed of the random weights and the dice
    #[arg(long, value_name = "S", default_value = "1", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Version of what the net sees, see docs/learning.md; parchis has 1 and 2
    /// [default: 1; not for backgammon]
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = whole(1..=u64::from(u32::MAX)))]
    inputs: Option<u64>,

    /// Hidden units, of backgammon's contact net, a multiple of 8, 8 to 1024
    /// [default: 80 for backgammon, else 32]
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = eights)]
    hidden: Option<usize>,

    /// Hidden units of the race net, a multiple of 8, 8 to 1024
    /// [default: 32; backgammon only]
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = eights)]
    race_hidden: Option<usize>,

    /// How much of a target comes from beyond the next position, 0 to 1
    /// [default: 0.2 for backgammon, else 0.8]
    #[arg(long, value_name = "L", allow_negative_numbers = true, value_parser = share)]
    lambda: Option<f64>,

    /// Step size of the first game, above 0 to 1
    /// [default: 0.15 for backgammon, else 0.02]
    #[arg(long, value_name = "A", allow_negative_numbers = true, value_parser = step)]
    step: Option<f64>,

    /// Step size of the last game, above 0 to 1
    /// [default: 0.008 for backgammon, else 0.0005]
    #[arg(long, value_name = "A", allow_negative_numbers = true, value_parser = step)]
    last_step: Option<f64>,

    /// Nets to begin with, instead of random weights; inputs and hidden units are theirs
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// Bot at all seats but one, or but one team; the net learns from its own
    /// moves alone, and so to answer that bot best
    /// [default: none, the net plays all seats; not for backgammon]
    #[arg(long, value_name = "BOT")]
    enemies: Option<String>,

    /// Bot at all seats; the net learns what positions are worth among such
    /// bots, a good beginning for --from
    /// [default: none, the net plays; not for backgammon]
    #[arg(long, value_name = "BOT", conflicts_with = "enemies")]
    teacher: Option<String>,

    /// Whose chances of a position are learned [default: all; not for backgammon]
    #[arg(long, value_name = "WHOSE")]
    views: Option<Views>,

    /// Learn from one in N of the positions that a seat's moves lead to, 1 to
    /// 1000: positions of one game say much the same, other games cost little
    /// [default: 1; not for backgammon]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1000))]
    every: Option<u64>,

    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Go on with the run in the folder; of what its nets see and of how many
    /// hidden units they have, nothing needs to be said again
    #[arg(long)]
    resume: bool,

    /// Start over in a folder that holds a run
    #[arg(long, conflicts_with = "resume")]
    force: bool,

    /// Stop after so many games, leaving the rest to --resume; batches of 16 are
    /// played to their end [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1_000_000_000))]
    until: Option<u64>,

    /// Games from one checkpoint to the next
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "10000", value_parser = whole(1..=1_000_000_000))]
    checkpoint: u64,

    /// Decisions to measure the nets by at each checkpoint, as JSON lines with
    /// kind, candidates and `rest_0ply`; nothing is learnt from them
    /// [default: none; backgammon only]
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// Bot that the net plays against at the end, alone against a table of it
    /// [default: that of --enemies, else racer; not for backgammon]
    #[arg(long, value_name = "BOT")]
    against: Option<String>,

    /// Pairs of games at the end, 2 to 10^7; of other games than backgammon,
    /// blocks, in each of which the net sits in every seat once
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "5000", value_parser = whole(2..=10_000_000))]
    pairs: u64,
}

/// The games at the end have dice of their own: training blocks count from 0 with the seed itself.
const HELD_OUT: u64 = 0x6865_6c64_6f75_7400;

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if args.game == Backgammon::NAME {
        args.refuse_others(&[
            ("--preset", args.preset.is_some()),
            ("--rule", !args.rules.is_empty()),
            ("--seats", !args.seats.is_empty()),
            ("--inputs", args.inputs.is_some()),
            ("--enemies", args.enemies.is_some()),
            ("--teacher", args.teacher.is_some()),
            ("--views", args.views.is_some()),
            ("--every", args.every.is_some()),
            ("--against", args.against.is_some()),
        ])?;
        return backgammon::run(args, out);
    }
    args.refuse_others(&[
        ("--race-hidden", args.race_hidden.is_some()),
        ("--reference", args.reference.is_some()),
    ])?;
    let widest = args.seats.iter().copied().max_by_key(|seats| seats.len());
    visit_seats(&args.game, widest, race::Train { args, out })
}

impl Args {
    /// Refuses flags that were given but mean nothing for the game.
    fn refuse_others(&self, flags: &[(&str, bool)]) -> Result<(), Failure> {
        match flags.iter().find(|&&(_, given)| given) {
            Some(&(flag, _)) => {
                let reason = format!("means nothing for {}; leave it out", self.game);
                Err(Failure::input(flag, reason))
            }
            None => Ok(()),
        }
    }

    /// What a run that goes on must have, of all its settings: not what the nets are made of, unless it
    /// was said.
    fn asked(&self, settings: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
        let is_said = |&(field, _): &(&str, String)| match field {
            "inputs" => self.inputs.is_some(),
            "hidden" => self.hidden.is_some(),
            "race-hidden" => self.race_hidden.is_some(),
            _ => true,
        };
        settings.into_iter().filter(is_said).collect()
    }

    /// Refuses a flag that contradicts the nets to begin with.
    fn agrees(&self, flag: &str, said: Option<u64>, has: u64) -> Result<(), Failure> {
        match said {
            Some(said) if self.from.is_some() && said != has => {
                let reason = format!("{said}; the nets of --from have {has}, leave it out");
                Err(Failure::input(flag, reason))
            }
            _ => Ok(()),
        }
    }

    /// Trains a run, from the beginning or from its last checkpoint, as far as it is to go; none if a signal stopped it.
    fn train<T: Trainee>(
        &self,
        run: Result<Run<T>, RunError>,
        progress: impl Fn(&T::Row) -> String,
    ) -> Result<Option<Run<T>>, Failure> {
        let mut run = run.map_err(|error| match error {
            RunError::File(_) => Failure::Run(anyhow::anyhow!("--out: {error}")),
            _ => Failure::input("--out", error),
        })?;
        let end = self.until.unwrap_or(self.games).min(self.games);
        let stop = stop_saying("finishing the games at hand; again to stop at once");
        while run.trainer().games() < end {
            // At the same games however often the run was broken off.
            let next = (run.trainer().games() / self.checkpoint + 1) * self.checkpoint;
            let row = run
                .train_to(end.min(next), &stop)
                .map_err(|error| Failure::Run(error.into()))?;
            note(&progress(row));
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let games = run.trainer().games();
        if games < end {
            note(&format!(
                "stopped after {games} games; go on with: {}",
                resume_command(without_from(std::env::args_os()))
            ));
            return Ok(None);
        }
        if games > end {
            note(&format!(
                "{games} games, since they are played in batches of 16"
            ));
        }
        Ok(Some(run))
    }
}

/// The arguments without the nets to begin with: a run that goes on has its own.
fn without_from(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_value = false;
    args.filter(move |arg| {
        let is_flag = arg == "--from";
        let is_both = arg.as_encoded_bytes().starts_with(b"--from=");
        let stays = !is_value && !is_flag && !is_both;
        is_value = is_flag && !is_value;
        stays
    })
}

/// An error about the net to begin with.
fn from_error(error: impl Display) -> Failure {
    Failure::input("--from", error)
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

/// A number from 1e-12 to 1: of smaller ones the way from the first to the last would overflow.
fn step(text: &str) -> Result<f64, String> {
    let number = share(text).ok().filter(|&number| number >= 1e-12);
    number.ok_or_else(|| "expected a number from 1e-12 to 1".to_owned())
}
