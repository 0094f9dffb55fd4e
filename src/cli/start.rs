//! The flags that say from where a game is solved.

use racelab::engine::race::Race;

use super::table::TableArgs;
use super::{Failure, whole};

/// A position, an endgame, or the start of the game.
#[derive(clap::Args)]
pub struct StartArgs {
    /// Position to solve [default: the start of the game]
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["runners", "solitaire"])]
    pub position: Option<String>,

    /// Tokens each seat still has to bring home, 1 to 4: they wait in the yard,
    /// the others are at the end of the lane
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = whole(1..=4))]
    runners: Option<u64>,

    /// One seat alone, which plays for the fewest turns
    #[arg(long, conflicts_with = "seats")]
    solitaire: bool,
}

impl StartArgs {
    /// The table and the position the flags describe.
    pub fn game_and_state<G: Race>(&self, table: &TableArgs) -> Result<(G, G::State), Failure> {
        if let Some(text) = &self.position {
            return table.game_and_position(text);
        }
        let game: G = if self.solitaire {
            let game = G::solitaire(table.spec()?.rules::<G>()?);
            game.ok_or_else(|| {
                Failure::input("--solitaire", format!("{} is not played alone", G::NAME))
            })?
        } else {
            table.game()?
        };
        let state = match self.runners {
            None => {
                let first = game.seats().iter().next();
                game.start(first.expect("a table has a seat"))
            }
            Some(runners) => game.endgame(runners as u8).ok_or_else(|| {
                Failure::input(
                    "--runners",
                    format!("{} has no endgame of {runners}", G::NAME),
                )
            })?,
        };
        Ok((game, state))
    }
}
