//! `racelab exact`: probabilities and expectations without playing.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, Command, FromArgMatches, ValueEnum};
use racelab::bots::Bot;
use racelab::engine::race::Race;
use racelab::engine::seat::{PerSeat, Seat, SeatSet};
use racelab::experiment::exact::{ExactError, Outlook, Play, Solution, solve};
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;

use super::start::StartArgs;
use super::table::TableArgs;
use super::{Failure, bearoff, whole};

/// The flags of a game, or of one of the tables that are solved once and kept.
pub enum Args {
    /// A position of a game.
    Game(Box<GameArgs>),
    /// The bear-off of backgammon.
    Bearoff(bearoff::Args),
}

/// By hand, as derived arguments have a command either needed or absent.
impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        let bearoff = bearoff::Args::augment_args(Command::new(bearoff::NAME));
        GameArgs::augment_args(command)
            .subcommand(bearoff)
            .subcommand_help_heading("Tables")
            .subcommand_value_name("TABLE")
            .disable_help_subcommand(true)
            .subcommand_negates_reqs(true)
            .args_conflicts_with_subcommands(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Args::augment_args(command)
    }
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Args, clap::Error> {
        match matches.subcommand() {
            Some((_, table)) => bearoff::Args::from_arg_matches(table).map(Args::Bearoff),
            None => GameArgs::from_arg_matches(matches).map(|args| Args::Game(Box::new(args))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Args::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Solve a position exactly: who wins how often, how long it takes
///
/// Explores every position that can follow and computes probabilities and
/// expectations from the end of the game backwards. Made for endgames and for a
/// player alone; a position with too much before it is refused.
#[derive(clap::Args)]
pub struct GameArgs {
    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    start: StartArgs,

    /// How the seats play: `optimal`, a bot or a bot file; one for all seats, or
    /// one for each
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', default_value = OPTIMAL)]
    play: Vec<String>,

    /// Most positions to explore, 1 to 10^9
    #[arg(long, value_name = "N", default_value = "5000000", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000_000))]
    max_states: u64,

    /// How to print the answer: a table, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON object
    Json,
}

const OPTIMAL: &str = "optimal";

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    match args {
        Args::Game(args) => args
            .table
            .visit(args.start.position.as_deref(), Solve { args, out }),
        Args::Bearoff(args) => bearoff::run(args, out),
    }
}

struct Solve<'a> {
    args: &'a GameArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Solve<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let Solve { args, out } = self;
        let (game, state) = args.start.game_and_state::<G>(&args.table)?;
        let names = line_up(args, game.seats())?;
        let mut plays = plays::<G>(&names)?;
        let solution = solve(&game, &[state], &mut plays, args.max_states as usize);
        let solution = solution.map_err(|error| match error {
            ExactError::NotSettled { .. } => Failure::Run(error.into()),
            _ => Failure::Input(error.into()),
        })?;
        let answer = Answer {
            table: args.table.spec()?,
            game: &game,
            position: game.print(&state),
            names,
            outlook: solution.outlook(),
            solution,
        };
        match args.format {
            Format::Table => write!(out, "{answer}")?,
            Format::Json => writeln!(out, "{}", answer.json())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The name of what each seat plays.
fn line_up(args: &GameArgs, seats: SeatSet) -> Result<Vec<(Seat, String)>, Failure> {
    let count = args.play.len();
    if count != 1 && count != seats.len() {
        return Err(Failure::input(
            "--play",
            format!(
                "{count} names for the {} seats {seats}; expected one for each seat or one for all",
                seats.len()
            ),
        ));
    }
    let names = args.play.iter().cycle().cloned();
    Ok(seats.iter().zip(names).collect())
}

fn plays<G: Race>(names: &[(Seat, String)]) -> Result<PerSeat<Play<G>>, Failure> {
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    for (seat, name) in names.iter().filter(|(_, name)| name != OPTIMAL) {
        let policy = Bot::find(name)
            .and_then(|bot| bot.policy::<G>())
            .map_err(|error| Failure::input("--play", format!("{error}; or '{OPTIMAL}'")))?;
        plays[*seat] = Play::Bot(policy);
    }
    Ok(plays)
}

struct Answer<'a, G: Race> {
    table: TableSpec,
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
        write!(f, "{} {}", G::NAME, self.table.preset)?;
        for (option, value) in &self.table.rules {
            write!(f, " {option}={value}")?;
        }
        writeln!(f)?;
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
