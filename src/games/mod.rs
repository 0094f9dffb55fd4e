//! The games. Each is one folder here and one entry in the registry at the end of this page.
//!
//! Everything outside calls a game by its name through [`with_game`], which hands the game's type
//! to a [`Visitor`]: names are looked up once, and the code behind runs at full speed.

pub mod backgammon;
pub mod mensch;

use crate::engine::race::Race;

/// What to do with a game whose type is known only by its name.
pub trait Visitor {
    /// The answer.
    type Answer;

    /// Called with the game.
    fn visit<G: Race>(self) -> Self::Answer;
}

/// A name that is no game's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no game '{name}'; known: {}", NAMES.join(", "))]
pub struct UnknownGame {
    /// The name asked for.
    pub name: String,
}

macro_rules! registry {
    ($($game:ty),+ $(,)?) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$game as crate::engine::game::Game>::NAME),+];

        /// Calls `visitor` with the game of this name.
        ///
        /// # Errors
        /// When no game has the name; the error lists those that exist.
        pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Answer, UnknownGame> {
            $(if name == <$game as crate::engine::game::Game>::NAME {
                return Ok(visitor.visit::<$game>());
            })+
            Err(UnknownGame { name: name.to_owned() })
        }
    };
}

registry![mensch::Mensch, backgammon::Backgammon];
