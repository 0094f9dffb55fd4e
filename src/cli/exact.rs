//! `racelab exact`: probabilities and expectations without playing.

use std::fmt;
use std::io::Write;

use anyhow::{Context, anyhow};
use clap::{Args as ClapArgs, ValueEnum};

use crate::bots::Bot;
use crate::engine::race::Race;
use crate::engine::seat::{PerSeat, Seat, SeatSet};
use crate::experiment::exact::{ExactError, Outlook, Play, Solution, solve};
use crate::experiment::table::TableSpec;
use crate::games::{Visitor, with_game};

use super::Failure;

/// Solve a position exactly: who wins how often, how long it takes.
///
/// Explores every position that can follow and computes probabilities and expectations from the
/// end of the game backwards. Made for endgames and for a player alone; a position with too much
/// before it is refused.
#[derive(ClapArgs, Debug)]
pub struct Args {
    /// The game.
    game: String,
    /// The position to solve; without it and the next two, the start of the game.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["runners", "solitaire"])]
    position: Option<String>,
    /// The endgame in which each seat has this many tokens still to run, none of them begun.
    #[arg(long, value_name = "K")]
    runners: Option<u8>,
    /// One seat alone, which plays for the fewest turns.
    #[arg(long, conflicts_with = "seats")]
    solitaire: bool,
    /// The seats in play, e.g. AC [default: those of the position, or the game's first seat set]
    #[arg(long)]
    seats: Option<SeatSet>,
    /// The preset of the rules.
    #[arg(long, default_value = "default")]
    preset: String,
    /// A rule that differs from the preset, e.g. `lane_jump=true`; can be given again.
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,
    /// How the seats play: `optimal`, a bot or a bot file; one for all seats, or one for each.
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = OPTIMAL)]
    play: Vec<String>,
    /// The most positions to explore.
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    max_states: usize,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// One JSON object.
    Json,
}

const OPTIMAL: &str = "optimal";

/// Runs the command.
///
/// # Errors
/// When the input names no table or position, or when it cannot be solved.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    with_game(&args.game, Solve { args, out }).map_err(|error| Failure::Input(error.into()))?
}

struct Solve<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Solve<'_> {
    type Answer = Result<(), Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let Solve { args, out } = self;
        let game = table::<G>(args).map_err(Failure::Input)?;
        let state = position(args, &game).map_err(Failure::Input)?;
        let names = line_up(args, game.seats()).map_err(Failure::Input)?;
        let mut plays = plays::<G>(&names).map_err(Failure::Input)?;
        let solution =
            solve(&game, &[state], &mut plays, args.max_states).map_err(|error| match error {
                ExactError::NotSettled { .. } => Failure::Run(error.into()),
                _ => Failure::Input(error.into()),
            })?;
        let answer = Answer {
            args,
            game: &game,
            position: game.print(&state),
            names,
            outlook: solution.outlook(),
            solution,
        };
        let written = match args.format {
            Format::Table => write!(out, "{answer}"),
            Format::Json => writeln!(out, "{}", answer.json()),
        };
        written.map_err(|error| Failure::Run(error.into()))
    }
}

fn table<G: Race>(args: &Args) -> anyhow::Result<G> {
    let mut spec = TableSpec::of(&args.game);
    spec.preset.clone_from(&args.preset);
    for rule in &args.rules {
        spec.change(rule)?;
    }
    if args.solitaire {
        let game = G::solitaire(spec.rules::<G>()?);
        return game.ok_or_else(|| anyhow!("solitaire: {} is not played alone", G::NAME));
    }
    spec.seats = match (args.seats, &args.position) {
        (None, Some(text)) => Some(G::seats_of(text).context("position")?),
        (seats, _) => seats,
    };
    Ok(spec.game::<G>()?)
}

fn position<G: Race>(args: &Args, game: &G) -> anyhow::Result<G::State> {
    if let Some(text) = &args.position {
        return game.parse(text).context("position");
    }
    if let Some(runners) = args.runners {
        let state = game.endgame(runners);
        return state.ok_or_else(|| anyhow!("runners: {} has no endgame of {runners}", G::NAME));
    }
    let first = game.seats().iter().next();
    Ok(game.start(first.expect("a table has a seat")))
}

/// The name of what each seat plays.
fn line_up(args: &Args, seats: SeatSet) -> anyhow::Result<Vec<(Seat, String)>> {
    let count = args.play.len();
    if count != 1 && count != seats.len() {
        return Err(anyhow!(
            "play: {count} names for the seats {seats}; expected one for all, or {}",
            seats.len()
        ));
    }
    let names = args.play.iter().cycle().cloned();
    Ok(seats.iter().zip(names).collect())
}

fn plays<G: Race>(names: &[(Seat, String)]) -> anyhow::Result<PerSeat<Play<G>>> {
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    for (seat, name) in names.iter().filter(|(_, name)| name != OPTIMAL) {
        let policy = Bot::find(name)
            .and_then(|bot| bot.policy::<G>())
            .with_context(|| format!("play: '{OPTIMAL}' or a bot"))?;
        plays[*seat] = Play::Bot(policy);
    }
    Ok(plays)
}

struct Answer<'a, G: Race> {
    args: &'a Args,
    game: &'a G,
    position: String,
    names: Vec<(Seat, String)>,
    outlook: Outlook,
    solution: Solution<G>,
}

impl<G: Race> fmt::Display for Answer<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outlook {
            win,
            turns,
            rolls,
            captures,
        } = &self.outlook;
        let solution = &self.solution;
        let table = [G::NAME, &self.args.preset].into_iter();
        let table: Vec<&str> = table
            .chain(self.args.rules.iter().map(String::as_str))
            .collect();
        writeln!(f, "{}", table.join(" "))?;
        writeln!(f, "{}", self.position)?;
        for (seat, name) in &self.names {
            writeln!(f, "P({seat} wins)  {:>20.12}  {name}", win[*seat])?;
        }
        writeln!(f, "E turns    {turns:>22.12}")?;
        writeln!(f, "E rolls    {rolls:>22.12}")?;
        writeln!(f, "E captures {captures:>22.12}")?;
        writeln!(f, "states     {:>22}", solution.states)?;
        writeln!(f, "components {:>22}", solution.components)?;
        if let Some(best) = &solution.optimised {
            writeln!(
                f,
                "choices    {:>22}  {} with equally good moves",
                best.choices, best.ties
            )?;
            writeln!(
                f,
                "optimising {:>22}  sweeps, residual {:.1e}",
                best.sweeps, best.residual
            )?;
        }
        writeln!(
            f,
            "evaluating {:>22}  sweeps, residual {:.1e}",
            solution.sweeps, solution.residual
        )
    }
}

impl<G: Race> Answer<'_, G> {
    fn json(&self) -> serde_json::Value {
        let Outlook {
            win,
            turns,
            rolls,
            captures,
        } = &self.outlook;
        let solution = &self.solution;
        let seats: Vec<_> = self
            .names
            .iter()
            .map(|(seat, play)| {
                serde_json::json!({"seat": seat.letter(), "play": play, "win": win[*seat]})
            })
            .collect();
        let optimised = solution.optimised.map(|best| {
            serde_json::json!({
                "choices": best.choices,
                "ties": best.ties,
                "sweeps": best.sweeps,
                "residual": best.residual,
            })
        });
        serde_json::json!({
            "game": G::NAME,
            "rules": self.game.rules(),
            "position": self.position,
            "seats": seats,
            "turns": turns,
            "rolls": rolls,
            "captures": captures,
            "states": solution.states,
            "components": solution.components,
            "optimised": optimised,
            "sweeps": solution.sweeps,
            "residual": solution.residual,
        })
    }
}
