//! Where the generators write.

use crate::games::backgammon::board::Board;

/// Room for [`Plays::MOST`](super::Plays::MOST) boards and a power of two: an index is masked
/// where it would be checked.
pub(super) const SLOTS: usize = 4096;

/// The boards found so far, in ascending order.
pub(super) struct Out<'a> {
    boards: &'a mut [Board; SLOTS],
    len: usize,
}

impl<'a> Out<'a> {
    #[inline(always)]
    pub(super) fn new(boards: &'a mut [Board; SLOTS]) -> Out<'a> {
        Out { boards, len: 0 }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a board that comes after all others.
    #[inline(always)]
    pub(super) fn push(&mut self, board: Board) {
        self.boards[self.len % SLOTS] = board;
        self.len += 1;
    }

    /// Writes a board that may be [kept](Out::keep) as the one so many places after the last.
    #[inline(always)]
    pub(super) fn write(&mut self, at: usize, board: Board) {
        self.boards[(self.len + at) % SLOTS] = board;
    }

    /// Keeps the first of the boards that were written, which come after all others.
    #[inline(always)]
    pub(super) fn keep(&mut self, boards: usize) {
        self.len += boards;
    }

    /// Adds a board where it belongs, unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, board: Board) {
        let mut at = self.len;
        while at > 0 && board < self.boards[(at - 1) % SLOTS] {
            at -= 1;
        }
        if at > 0 && self.boards[(at - 1) % SLOTS] == board {
            return;
        }
        for from in (at..self.len).rev() {
            self.boards[(from + 1) % SLOTS] = self.boards[from % SLOTS];
        }
        self.boards[at % SLOTS] = board;
        self.len += 1;
    }
}
