//! The games. Each is one folder here and one entry in the registry at the end of this page.
//!
//! Everything outside calls a game by its name through [`with_game`], which hands the game's type
//! to a [`Visitor`]: names are looked up once, and the code behind runs at full speed.

pub mod backgammon;
pub mod baikal;
pub mod chinczyk;
mod corners;
pub mod mensch;
mod pachisi;
pub mod parchis;

use crate::engine::game::Game;
use crate::engine::race::Race;
use crate::engine::seat::SeatSet;

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

/// Each game with its type, or with several of one name, the narrowest first.
macro_rules! registry {
    ($($game:ty $(, $wider:ty)*);+ $(;)?) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$game as Game>::NAME),+];

        /// Calls `visitor` with the game of this name, of several types with the narrowest.
        ///
        /// # Errors
        /// When no game has the name; the error lists those that exist.
        pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Answer, UnknownGame> {
            with_table(name, SeatSet::EMPTY, visitor)
        }

        /// Calls `visitor` with the game of this name that has room for these seats; if none has,
        /// with the widest, which then says so.
        ///
        /// # Errors
        /// When no game has the name; the error lists those that exist.
        pub fn with_table<V: Visitor>(
            name: &str,
            seats: SeatSet,
            visitor: V,
        ) -> Result<V::Answer, UnknownGame> {
            $(if name == <$game as Game>::NAME {
                $(if seats.len() > <$game as Game>::MOST_SEATS {
                    return Ok(visitor.visit::<$wider>());
                })*
                return Ok(visitor.visit::<$game>());
            })+
            Err(UnknownGame { name: name.to_owned() })
        }
    };
}

registry![
    mensch::Mensch;
    parchis::Parchis;
    chinczyk::Chinczyk;
    backgammon::Backgammon;
    baikal::Baikal<4>, baikal::Baikal<8>;
];
