//! Matches in SGF, `FF[4]GM[6]`, as GNU Backgammon writes them.
//!
//! A file is a row of game trees. Points are the letters `a` to `x`, the ace point of White first
//! whoever moves; `y` is the bar and `z` is off. White is `A`.
//!
//! ```text
//! (;FF[4]GM[6]CA[UTF-8]AP[racelab]MI[length:3][game:0][ws:0][bs:0]PW[gnubg]PB[root]RU[Crawford]RE[W+3R]
//! ;W[21xwmk]
//! ;B[52aclq]
//! ;W[double]
//! ;B[take])
//! ```
//!
//! Only the main line is read: of several variations the first. Comments, statistics and analyses
//! are passed over, whatever their size and depth. A file that sets up positions by hand is
//! refused, as its games do not begin at the start.

mod read;
mod tree;
mod write;

pub use read::{read, read_prefix};
pub use write::write;

/// Tags of a match and the properties that hold them.
const TAGS: [(&str, &str); 6] = [
    ("EventDate", "DT"),
    ("Event", "EV"),
    ("Round", "RO"),
    ("Site", "PC"),
    ("Transcriber", "AN"),
    ("Comment", "GC"),
];
/// The tag of the date, `2026.11.30`; in SGF it has dashes.
const DATE: &str = "EventDate";
