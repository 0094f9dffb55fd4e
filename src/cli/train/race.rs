//! The net of any other game.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use racelab::bots::Bot;
use racelab::bots::learned::Evaluator;
use racelab::engine::net::Run;
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::table::TableSpec;
use racelab::experiment::train::{Duel, Row, Settings, Trainer, duel};
use racelab::games::Visitor;

use super::{Args, Failure, HELD_OUT, INTERRUPTED, from_error};

pub struct Train<'a> {
    pub args: &'a Args,
    pub out: &'a mut dyn Write,
}

impl Visitor for Train<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let Train { args, out } = self;
        let enemies = opponent::<G>("--enemies", args.enemies.as_deref(), args)?;
        let teacher = opponent::<G>("--teacher", args.teacher.as_deref(), args)?;
        let settings = Settings {
            enemies,
            teacher,
            ..settings::<G>(args)?
        };
        let named = args.against.as_deref().or(args.enemies.as_deref());
        let against = Bot::find(named.unwrap_or("racer"));
        let against = against.map_err(|error| Failure::input("--against", error))?;
        let plays = against.policy::<G>();
        plays.map_err(|error| Failure::input("--against", error))?;
        keeps_its_net("--against", &against, args)?;
        let run = if args.resume {
            Run::resume(&args.out, &args.asked(settings.named()), |trainer| trainer)
        } else {
            let from = args.from.as_deref().map(Evaluator::read).transpose();
            let from = from.map_err(from_error)?;
            if let Some(net) = &from {
                args.agrees("--inputs", args.inputs, net.inputs().version.into())?;
                args.agrees(
                    "--hidden",
                    args.hidden.map(|h| h as u64),
                    net.hidden() as u64,
                )?;
            }
            let trainer = Trainer::<G>::new(settings, from);
            let trainer = trainer.map_err(|error| Failure::Input(error.into()))?;
            Run::begin(&args.out, trainer, args.force)
        };
        let Some(run) = args.train(run, progress)? else {
            return Ok(ExitCode::from(INTERRUPTED));
        };
        let net = run.trainer().finished();
        for table in run.trainer().tables() {
            let found = duel(&net, &against, table, args.seed ^ HELD_OUT, args.pairs);
            let found = found.map_err(|error| Failure::input("--against", error))?;
            writeln!(out, "{}", verdict(&found, &against.name))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The bot that a flag names, if it plays the game.
fn opponent<G: Race>(flag: &str, name: Option<&str>, args: &Args) -> Result<Option<Bot>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let bot = Bot::find(name).map_err(|error| Failure::input(flag, error))?;
    bot.policy::<G>()
        .map_err(|error| Failure::input(flag, error))?;
    keeps_its_net(flag, &bot, args)?;
    Ok(Some(bot))
}

fn settings<G: Race>(args: &Args) -> Result<Settings, Failure> {
    let mut table = TableSpec::of(G::NAME);
    if let Some(preset) = &args.preset {
        table.preset.clone_from(preset);
    }
    table.change_all(&args.rules)?;
    let seats = if args.seats.is_empty() {
        seats_of::<G>(&table)
    } else {
        args.seats.clone()
    };
    Ok(Settings {
        table,
        seats,
        seed: args.seed,
        games: args.games,
        inputs: args.inputs.map_or(1, |version| version as u32),
        hidden: args.hidden.unwrap_or(32),
        lambda: args.lambda.unwrap_or(0.8),
        first_step: args.step.unwrap_or(0.02),
        last_step: args.last_step.unwrap_or(0.0005),
        enemies: None,
        teacher: None,
        views: args.views.unwrap_or_default(),
        every: args.every.unwrap_or(1),
    })
}

/// Refuses a bot that plays by a net in the folder that `--force` is about to clear.
fn keeps_its_net(flag: &str, bot: &Bot, args: &Args) -> Result<(), Failure> {
    let net = bot.params.get("net").and_then(toml::Value::as_str);
    let (Some(net), true) = (net, args.force) else {
        return Ok(());
    };
    let whole = |path: &Path| path.canonicalize().ok();
    let lost = whole(net.as_ref()).zip(whole(&args.out));
    if lost.is_some_and(|(net, out)| net.starts_with(out)) {
        let name = &bot.name;
        let message = format!("'{name}' plays by {net}, which --force would clear; copy it first");
        return Err(Failure::input(flag, message));
    }
    Ok(())
}

/// The seat sets that the rules allow: two against two needs four. All, where the rules allow none,
/// so that the first of them says why.
fn seats_of<G: Race>(table: &TableSpec) -> Vec<SeatSet> {
    let fits = |&seats: &SeatSet| {
        let seats = Some(seats);
        let table = table.clone();
        TableSpec { seats, ..table }.game::<G>().is_ok()
    };
    let fitting: Vec<SeatSet> = G::seat_sets().into_iter().filter(fits).collect();
    if fitting.is_empty() {
        G::seat_sets()
    } else {
        fitting
    }
}

/// A checkpoint on one line.
fn progress(row: &Row) -> String {
    let error = row.error.map(|error| format!(", error {error:.5}"));
    let rolls = row.rolls.map(|rolls| format!(", {rolls:.1} rolls a game"));
    let (error, rolls) = (error.unwrap_or_default(), rolls.unwrap_or_default());
    format!("{} games, step {:.5}{error}{rolls}", row.games, row.step)
}

/// What the games at a table say.
fn verdict(duel: &Duel, bot: &str) -> String {
    let share = duel.share();
    let value = 100.0 * share.map_or(0.0, |share| share.value());
    let interval = share.and_then(|share| share.interval());
    let interval = interval.map(|interval| interval.clipped(0.0, 1.0));
    let interval = interval.map_or_else(
        || "all blocks alike".to_owned(),
        |interval| {
            format!(
                "95 % {:.1} to {:.1}",
                100.0 * interval.low,
                100.0 * interval.high
            )
        },
    );
    format!(
        "{}: wins {value:.1} % against {bot} ({interval}; {} games; equal {:.1})",
        duel.seats,
        duel.games(),
        100.0 * duel.fair
    )
}
