//! The bear-off: exact tables of the end of the game.
//!
//! [`OneSided`] knows how many rolls a side needs, for all 54,264 positions of up to 15 checkers
//! in the home board (and on request on up to 10 points). [`TwoSided`] knows the money equity of
//! both sides' last checkers, 924 positions each, for every state of the cube. [`Bearoff`] is
//! both, read from a folder or built into it:
//!
//! ```no_run
//! use racelab::games::backgammon::bearoff::{Bearoff, CubeState};
//! use racelab::games::backgammon::board::{Board, Side};
//!
//! let bearoff = Bearoff::load_or_build("out".as_ref())?;
//! let mut counts = [0; 26];
//! (counts[0], counts[6], counts[1]) = (13, 1, 1);
//! let side = Side::from_counts(&counts);
//! let rolls = bearoff.one_sided.mean(side);
//! let board = Board { mover: side, other: side };
//! let equity = bearoff.two_sided.equity(&board, CubeState::Centred);
//! # Ok::<(), racelab::games::backgammon::bearoff::DatabaseError>(())
//! ```

mod dist;
mod file;
mod index;
mod one_sided;
mod plays;
mod two_sided;

use std::path::Path;
use std::sync::Arc;

pub use dist::{Dist, race_win};
pub use file::{Database, DatabaseError, build, bytes, file_name, load_or_build, read, write};
pub use index::{Index, SizeError};
pub use one_sided::OneSided;
pub use two_sided::{CubeState, Equities, TwoSided};

/// The tables that bots look into, shared by all threads.
#[derive(Clone, Debug)]
pub struct Bearoff {
    /// Up to 15 checkers in the home board, each side for itself.
    pub one_sided: Arc<OneSided>,
    /// Up to 6 checkers a side in the home board.
    pub two_sided: Arc<TwoSided>,
}

impl Bearoff {
    /// Computes both tables.
    pub fn build() -> Bearoff {
        Bearoff {
            one_sided: Arc::new(OneSided::build(Index::HOME)),
            two_sided: Arc::new(TwoSided::build(Index::LAST_SIX)),
        }
    }

    /// Both tables from their files in a folder; those that are not there are built and written.
    ///
    /// # Errors
    /// When a file is broken, cannot be read, or not written.
    pub fn load_or_build(folder: &Path) -> Result<Bearoff, DatabaseError> {
        Ok(Bearoff {
            one_sided: Arc::new(load_or_build(folder, Index::HOME)?),
            two_sided: Arc::new(load_or_build(folder, Index::LAST_SIX)?),
        })
    }
}
