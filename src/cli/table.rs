//! The flags that describe a table, shared by all commands that sit down at one.

use std::fmt::Display;

use racelab::bots::BotError;
use racelab::engine::game::{Game, PositionError};
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::table::{TableError, TableSpec};
use racelab::games::{UnknownGame, Visitor, with_game, with_table};

use super::Failure;

/// Which game, by which rules, for which seats.
#[derive(clap::Args)]
pub struct TableArgs {
    /// Name of the game; `racelab games` lists them
    #[arg(value_name = "GAME")]
    game: String,

    /// Rule set to start from; `racelab rules GAME` lists them
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: String,

    /// Rule that differs from the preset, e.g. `lane-jump=true`; may be given
    /// several times [default: none]
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seats in play, e.g. `AC` [default: the game's first seat set]
    #[arg(long, value_name = "LETTERS")]
    seats: Option<SeatSet>,
}

impl TableArgs {
    /// The table the flags describe.
    pub fn spec(&self) -> Result<TableSpec, Failure> {
        let mut spec = TableSpec {
            preset: self.preset.clone(),
            seats: self.seats,
            ..TableSpec::of(&self.game)
        };
        spec.change_all(&self.rules)?;
        Ok(spec)
    }

    /// Calls a visitor that may fail with the game that has room for this table; without
    /// `--seats`, for the seats that the position names.
    pub fn visit<T, V>(&self, position: Option<&str>, visitor: V) -> Result<T, Failure>
    where
        V: Visitor<Answer = Result<T, Failure>>,
    {
        let seats = match (self.seats, position) {
            (None, Some(text)) => Some(with_game(&self.game, SeatsOf(text))??),
            (seats, _) => seats,
        };
        visit_seats(&self.game, seats, visitor)
    }

    /// The game at this table.
    pub fn game<G: Game>(&self) -> Result<G, Failure> {
        Ok(self.spec()?.game()?)
    }

    /// The game at this table and the position of a text; without `--seats`, for the seats that
    /// the text names.
    pub fn game_and_position<G: Game>(&self, text: &str) -> Result<(G, G::State), Failure> {
        let mut spec = self.spec()?;
        if spec.seats.is_none() {
            spec.seats = Some(G::seats_of(text)?);
        }
        let game: G = spec.game()?;
        let state = game.parse(text)?;
        Ok((game, state))
    }
}

/// Calls a visitor that may fail with the game of this name.
pub fn visit<T, V>(game: &str, visitor: V) -> Result<T, Failure>
where
    V: Visitor<Answer = Result<T, Failure>>,
{
    with_game(game, visitor)?
}

/// [`visit`], with the game's type that has room for these seats.
pub fn visit_seats<T, V>(game: &str, seats: Option<SeatSet>, visitor: V) -> Result<T, Failure>
where
    V: Visitor<Answer = Result<T, Failure>>,
{
    with_table(game, seats.unwrap_or_default(), visitor)?
}

/// The seats that a position text names.
pub struct SeatsOf<'a>(pub &'a str);

impl Visitor for SeatsOf<'_> {
    type Answer = Result<SeatSet, PositionError>;

    fn visit<G: Race>(self) -> Self::Answer {
        G::seats_of(self.0)
    }
}

impl From<UnknownGame> for Failure {
    fn from(error: UnknownGame) -> Failure {
        Failure::input("game", error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        plain(error)
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        Failure::input("position", error)
    }
}

impl From<BotError> for Failure {
    fn from(error: BotError) -> Failure {
        Failure::input("bots", error)
    }
}

/// An error whose text names its place.
fn plain(error: impl Display) -> Failure {
    Failure::Input(anyhow::anyhow!("{error}"))
}
