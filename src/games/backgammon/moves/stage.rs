//! A board in the middle of a roll.

use super::masks::{Points, each};
use super::out::Out;
use super::tables::{hit_if, index, stepped};
use crate::games::backgammon::board::Board;

/// Boards that are written at once where a step can hit, and where it cannot: more would be written
/// for nothing, fewer would have to be looked for more often.
const AT_ONCE: usize = 2;
const QUIET_AT_ONCE: usize = 3;

/// A board and the blots left on it. Points are given by their bits.
///
/// Where no step can hit (`HITS` is false), the other side stays as it is and is left alone.
#[derive(Clone, Copy)]
pub(super) struct Stage<const HITS: bool> {
    pub(super) board: Board,
    pub(super) blots: Points,
}

impl<const HITS: bool> Stage<HITS> {
    /// The board after one more step.
    #[inline(always)]
    pub(super) fn board_after(self, from: u32, die: u32) -> Board {
        self.board_after_if(from, die, self.blots >> ((from + die) % 32))
    }

    /// The board after one more step, of which the lowest bit of `hits` says whether it hits.
    #[inline(always)]
    pub(super) fn board_after_if(self, from: u32, die: u32, hits: Points) -> Board {
        let Board { mover, other } = self.board;
        let step = index(from, die);
        Board {
            mover: stepped(mover, step),
            other: if HITS {
                hit_if(other, hits, step)
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
    ///
    /// Some at a time, the others perhaps for nothing: how many there are is as good as random, and
    /// every look whether another is left is a branch.
    #[inline(always)]
    pub(super) fn finish(self, out: &mut Out<'_>, from: Points, die: u32) {
        if HITS {
            self.finish_some::<AT_ONCE>(out, from, die);
        } else {
            self.finish_some::<QUIET_AT_ONCE>(out, from, die);
        }
    }

    #[inline(always)]
    fn finish_some<const N: usize>(self, out: &mut Out<'_>, from: Points, die: u32) {
        let mut rest = from;
        while rest != 0 {
            let mut left = [rest; N];
            for at in 1..N {
                left[at] = left[at - 1] & left[at - 1].wrapping_sub(1);
            }
            let mut kept = 0;
            for (at, left) in left.into_iter().enumerate() {
                out.write(at, self.board_after(left.trailing_zeros(), die));
                kept += usize::from(left != 0);
            }
            out.keep(kept);
            rest = left[N - 1] & left[N - 1].wrapping_sub(1);
        }
    }

    /// Adds them where they belong, unless they are there.
    #[inline(always)]
    pub(super) fn finish_anew(self, out: &mut Out<'_>, from: Points, die: u32) {
        each(from, |from| out.insert(self.board_after(from, die)));
    }
}
