//! The two nets of backgammon.

use std::io::Write;
use std::process::ExitCode;

use racelab::engine::net::{Run, Trainee};
use racelab::games::backgammon::net::Evaluator;
use racelab::games::backgammon::net::train::{Duel, Reference, Row, Settings, Trainer, duel};

use super::{Args, Failure, HELD_OUT, INTERRUPTED, from_error};

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let reference = args.reference.as_deref().map(Reference::read).transpose();
    let reference = reference.map_err(|error| Failure::input("--reference", error))?;
    let run = if args.resume {
        let prepare = |trainer: Trainer| trainer.measured_by(reference);
        Run::resume(&args.out, &args.asked(settings(args).named()), prepare)
    } else {
        let trainer = beginner(args)?.measured_by(reference);
        Run::begin(&args.out, trainer, args.force)
    };
    let Some(run) = args.train(run, progress)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
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

/// The nets the run begins with.
fn beginner(args: &Args) -> Result<Trainer, Failure> {
    let Some(path) = &args.from else {
        return Ok(Trainer::new(settings(args)));
    };
    let nets = Evaluator::read(path).map_err(from_error)?;
    let trainer = Trainer::from_nets(settings(args), nets);
    let has = trainer.settings();
    for (field, said) in [("hidden", args.hidden), ("race-hidden", args.race_hidden)] {
        let found = has.iter().find(|(name, _)| *name == field);
        let units = found.and_then(|(_, units)| units.parse().ok());
        let units = units.expect("it is one of the settings");
        args.agrees(&format!("--{field}"), said.map(|said| said as u64), units)?;
    }
    Ok(trainer)
}

fn settings(args: &Args) -> Settings {
    Settings {
        seed: args.seed,
        games: args.games,
        hidden: args.hidden.unwrap_or(80),
        race_hidden: args.race_hidden.unwrap_or(32),
        lambda: args.lambda.unwrap_or(0.2),
        first_step: args.step.unwrap_or(0.15),
        last_step: args.last_step.unwrap_or(0.008),
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
