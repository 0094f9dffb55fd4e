//! A board in the middle of a roll.

use super::masks::{Points, each};
use super::out::Out;
use super::tables::{Steppers, hit_if};
use crate::games::backgammon::board::Board;

/// A board and the blots left on it. Points are given by their bits.
///
/// Where no step can hit (`HITS` is false), the other side stays as it is and is left alone: by
/// that games of `pip` and random ones take 4 % fewer instructions.
#[derive(Clone, Copy)]
pub(super) struct Stage<const HITS: bool> {
    pub(super) board: Board,
    pub(super) blots: Points,
}

impl<const HITS: bool> Stage<HITS> {
    /// The board after one more step.
    #[inline(always)]
    pub(super) fn board_after(self, from: u32, die: u32) -> Board {
        let Board { mover, other } = self.board;
        Board {
            mover: Steppers::of(die).step(mover, from),
            other: if HITS {
                hit_if(other, self.blots, from + die)
            } else {
                other
            },
        }
    }

    /// This stage after one more step.
    #[inline(always)]
    pub(super) fn after(self, from: u32, die: u32) -> Stage<HITS> {
        Stage {
            board: self.board_after(from, die),
            blots: self.blots & !(1 << (from + die)),
        }
    }

    /// Adds the board after a last step from each of these points, the furthest first.
    #[inline(always)]
    pub(super) fn finish(self, out: &mut Out<'_>, from: Points, die: u32) {
        if HITS && from & self.blots >> die != 0 {
            each(from, |from| out.push(self.board_after(from, die)));
            return;
        }
        // Most often. Two at a time, the second perhaps for nothing: how many there are is as good
        // as random, and every look whether another is left is a branch.
        let steppers = Steppers::of(die);
        let after = |from: Points| Board {
            mover: steppers.step(self.board.mover, from.trailing_zeros()),
            other: self.board.other,
        };
        let mut rest = from;
        while rest != 0 {
            let second = rest & (rest - 1);
            out.push_two([after(rest), after(second)], second != 0);
            rest = second & second.wrapping_sub(1);
        }
    }

    /// Adds them where they belong, unless they are there.
    #[inline(always)]
    pub(super) fn finish_anew(self, out: &mut Out<'_>, from: Points, die: u32) {
        each(from, |from| out.insert(self.board_after(from, die)));
    }
}
