//! Jellyfish match files, `.mat`, as GNU Backgammon writes them.
//!
//! ```text
//! ; [EventDate "2026.11.30"]
//!
//!  3 point match
//!
//!  Game 1
//!  gnubg : 0                      root : 0
//!   1) 21: 13/11 24/23             52: 24/22 13/8
//!   …
//!  10)  Doubles => 2                Drops
//!       Wins 1 point
//! ```
//!
//! The left column is `A`, the right one `B`. A match to 0 points is a money session; 25 is the
//! bar, 0 is off; a roll without moves could not be played. The format has no mark for a
//! resignation: a game that stops before it is decided, and names a winner, was resigned. Nor has
//! it one for the Crawford game, which is the first in which somebody is one point away. Headers
//! in brackets are kept as tags; `Crawford "Off"` and `Jacoby "On"` are understood, and written
//! where they are not what a reader assumes.

mod read;
mod write;

pub use read::{read, read_prefix};
pub use write::{WriteError, write};

/// The header that switches the Crawford rule.
const CRAWFORD: &str = "Crawford";
/// The header that switches the Jacoby rule.
const JACOBY: &str = "Jacoby";
