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

    /// Adds the first of these boards, or `both`, which come after all others. Both are written, so
    /// that the choice is no branch.
    #[inline(always)]
    pub(super) fn push_two(&mut self, [first, second]: [Board; 2], both: bool) {
        self.boards[self.len % SLOTS] = first;
        self.boards[(self.len + 1) % SLOTS] = second;
        self.len += 1 + usize::from(both);
    }

    /// Adds a board where it belongs, unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, board: Board) {
        let found = &self.boards[..self.len % SLOTS];
        let at = found.iter().rposition(|&other| other <= board);
        if at.is_some_and(|at| found[at] == board) {
            return;
        }
        let at = at.map_or(0, |at| at + 1);
        self.boards.copy_within(at..self.len, at + 1);
        self.boards[at] = board;
        self.len += 1;
    }
}
