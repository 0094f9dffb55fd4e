//! A board in the middle of a roll.

use super::masks::{Points, each};
use super::out::Out;
use super::tables::{Steppers, hit_if};
use crate::games::backgammon::board::Board;

/// A board and the blots left on it. Points are given by their bits.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) board: Board,
    pub(super) blots: Points,
}

impl Stage {
    /// The board after one more step.
    #[inline(always)]
    pub(super) fn board_after(self, from: u32, die: u32) -> Board {
        Board {
            mover: Steppers::of(die).step(self.board.mover, from),
            other: hit_if(self.board.other, self.blots, from + die),
        }
    }

    /// This stage after one more step.
    #[inline(always)]
    pub(super) fn after(self, from: u32, die: u32) -> Stage {
        Stage {
            board: self.board_after(from, die),
            blots: self.blots & !(1 << (from + die)),
        }
    }

    /// Adds the board after a last step from each of these points, the furthest first.
    #[inline(always)]
    pub(super) fn finish(self, out: &mut Out<'_>, from: Points, die: u32) {
        let hitting = from & self.blots >> die;
        if hitting != 0 {
            each(from, |from| out.push(self.board_after(from, die)));
            return;
        }
        // Most often; a half of the work on each board.
        let steppers = Steppers::of(die);
        each(from, |from| {
            out.push(Board {
                mover: steppers.step(self.board.mover, from),
                other: self.board.other,
            });
        });
    }

    /// Adds them where they belong, unless they are there.
    #[inline(always)]
    pub(super) fn finish_anew(self, out: &mut Out<'_>, from: Points, die: u32) {
        each(from, |from| out.insert(self.board_after(from, die)));
    }
}
