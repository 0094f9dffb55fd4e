//! The notations of the field: positions, plays and whole matches as other programs write them.
//!
//! | what | written as | module |
//! |---|---|---|
//! | a board | `4HPwATDgc/ABMA` | [`position_id`] |
//! | the match around it | `cAkAAAAAAAAA` | [`match_id`] |
//! | both, joined | `4HPwATDgc/ABMA:cAkAAAAAAAAA` | [`gnu_id`] |
//! | a position | `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10` | [`xgid`] |
//! | a position | `board:You:Opponent:0:0:0:0:-2:0:…` | [`fibs`] |
//! | a play | `bar/22 13/7*/5(2)` | [`play`] |
//! | a match | Jellyfish `.mat`, `SGF` | [`mat`], [`sgf`] |
//!
//! Reading forgives how a text is dressed (surrounding space, a missing prefix, letter case where
//! it means nothing) and nothing about what it says: every error names the field or the line and
//! what would have worked. No text makes a reader panic.
//!
//! # The two players
//! A game has two seats. `A` is "player 0" of GNU Backgammon: the left column of a `.mat` file,
//! White in SGF, O (-1) in an XGID, the opponent in a FIBS line. `B` is "player 1": the right
//! column, Black, X (+1), "you". A position that names nobody is seen by `B`.

pub mod convert;
pub mod fibs;
pub mod gnu_id;
pub mod legal;
pub mod mat;
pub mod match_id;
pub mod play;
pub mod position;
pub mod position_id;
pub mod record;
pub mod replay;
pub mod sgf;
pub mod xgid;

mod base64;

pub use position::{Offer, Phase, Position};

use crate::engine::seat::Seat;

/// The seat that is "player 1": X, Black, the right column.
pub const B: Seat = Seat::new(1);

/// The seat across the table.
pub(super) fn opponent(seat: Seat) -> Seat {
    if seat == Seat::A { B } else { Seat::A }
}
