//! Legal plays of a roll: the distinct boards a mover can reach.
//!
//! A **step** moves one checker by one die onto a point with at most one opposing checker; a lone
//! one goes to the bar. With checkers on the bar only entering is allowed. With all checkers in
//! the home board (1 to 6) the die bears off exactly, or from the furthest point when that is
//! nearer than the die. A **play** uses the maximum number of dice, two or, after a double, four;
//! if that is one and each die alone could be played, the larger.
//!
//! Plays that end in the same board are one play. No generator here sorts or hashes: each takes the
//! steps in an order that gives every board once, and in ascending order. Only a roll of two
//! different dice that may bear off looks for each board among those it has found.

mod doubles;
mod masks;
mod mixed;
mod out;
mod seconds;
mod stage;
mod steps;
mod tables;

use std::fmt;
use std::ops::Deref;

use super::board::Board;
use masks::Masks;
use mixed::Mixed;
use out::{Out, SLOTS};

pub use super::step::Step;
pub(super) use masks::{at_least, opposing};
pub use steps::{IllegalSteps, Steps};

/// Which die to play when either could be played, but not both.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OneDie {
    /// The larger: the rule.
    #[default]
    Larger,
    /// Either: to study what the rule is worth.
    Either,
}

/// The legal plays of a roll as the boards they lead to; a buffer to be used again and again.
///
/// Reads as a slice of [`Board`]: after [`Plays::generate`] never empty, without duplicates, in
/// ascending order. A board is seen by the side that moved: the sides are not swapped.
#[derive(Clone)]
pub struct Plays {
    boards: Box<[Board; SLOTS]>,
    len: usize,
}

impl Plays {
    /// No roll has more plays: a double shares out four steps among 15 checkers, which can be done
    /// in C(15 + 4 - 1, 4) ways. The most found by search is 2,226.
    pub const MOST: usize = 3060;

    /// Finds the plays of a roll. When nothing can be moved the one play is the unchanged board.
    ///
    /// The sides must hold at most 15 checkers each and share no point; the dice are 1 to 6.
    #[inline]
    pub fn generate(&mut self, board: &Board, dice: (u8, u8)) {
        self.generate_with(board, dice, OneDie::Larger);
    }

    /// Finds the plays as [`Plays::generate`] does, by this rule about a lone die.
    pub fn generate_with(&mut self, board: &Board, dice: (u8, u8), one_die: OneDie) {
        let masks = Masks::of(board);
        let mut out = Out::new(&mut self.boards);
        let [small, large] = [dice.0.min(dice.1), dice.0.max(dice.1)].map(u32::from);
        let (is_double, may_hit) = if small == large {
            (true, masks.may_hit([1, 2, 3, 4].map(|steps| steps * small)))
        } else {
            (false, masks.may_hit([small, large, small + large]))
        };
        match (is_double, may_hit) {
            (true, true) => doubles::plays::<true>(&mut out, board, &masks, small),
            (true, false) => doubles::plays::<false>(&mut out, board, &masks, small),
            (false, true) => {
                Mixed::<true>::new(board, &masks, [small, large]).plays(&mut out, one_die);
            }
            (false, false) => {
                Mixed::<false>::new(board, &masks, [small, large]).plays(&mut out, one_die);
            }
        }
        self.len = out.len();
    }
}

const _: () = assert!(Plays::MOST <= SLOTS);

impl Default for Plays {
    fn default() -> Plays {
        let boards = vec![Board::default(); SLOTS].into_boxed_slice();
        Plays {
            boards: boards.try_into().expect("as many boards as slots"),
            len: 0,
        }
    }
}

impl Deref for Plays {
    type Target = [Board];

    #[inline]
    fn deref(&self) -> &[Board] {
        &self.boards[..self.len]
    }
}

impl fmt::Debug for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
