//! Moves of the Baikal race and their lists.

use std::fmt;

use crate::engine::game::MoveSet;

use super::state::Code;

/// One action: a die (Sprint: the sum of both) and the place of the token that uses it. Equal
/// tokens are one move. Ordered by die, then along the way of a token; the pass is last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Nothing moves: of a first action the whole roll, of a second its die is given up.
    pub const PASS: Move = Move(u16::MAX);
    /// The token on Transit leaves it; nothing else can be done.
    pub const LEAVE: Move = Move(0);

    #[inline(always)]
    pub(super) const fn new(die: u8, code: Code) -> Move {
        Move((die as u16) << 8 | code as u16)
    }

    /// The pips used, 1 to 12; 0 for [`Move::LEAVE`], meaningless for a pass.
    #[inline(always)]
    pub const fn die(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The code of the place moved from, meaningless for a pass.
    #[inline(always)]
    pub(super) const fn code(self) -> Code {
        self.0 as u8
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::PASS => write!(f, "pass"),
            Move::LEAVE => write!(f, "leave"),
            _ => write!(f, "{}@{}", self.die(), self.code()),
        }
    }
}

/// Four tokens, each with either die, and a pass.
const MOST: usize = 9;

/// The legal moves of one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves {
    len: u8,
    list: [Move; MOST],
}

impl Default for Moves {
    fn default() -> Moves {
        Moves {
            len: 0,
            list: [Move::LEAVE; MOST],
        }
    }
}

impl Moves {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move, greater than all before it.
    #[inline(always)]
    pub(super) fn push(&mut self, mv: Move) {
        debug_assert!(self.iter().all(|other| other < mv), "{self:?} {mv:?}");
        self.list[usize::from(self.len)] = mv;
        self.len += 1;
    }

    /// Adds a move if it is one, greater than all before it. Without a branch.
    #[inline(always)]
    pub(super) fn push_if(&mut self, is_one: bool, mv: Move) {
        debug_assert!(
            !is_one || self.iter().all(|other| other < mv),
            "{self:?} {mv:?}"
        );
        self.list[usize::from(self.len)] = mv;
        self.len += u8::from(is_one);
    }
}

impl MoveSet for Moves {
    type Move = Move;

    #[inline(always)]
    fn len(&self) -> usize {
        usize::from(self.len)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Move {
        assert!(
            index < self.len(),
            "move {index} of {} was chosen",
            self.len
        );
        self.list[index]
    }
}
