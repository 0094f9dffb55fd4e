//! What a seat can choose: a play, or what to do about the cube.

use std::fmt;

use crate::engine::game::MoveSet;

use super::board::Board;
use super::moves::{OneDie, Plays};

/// A choice. Whatever changes nothing comes first: not doubling, taking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Roll without doubling, or roll at a beavered cube.
    Roll,
    /// Offer a double.
    Double,
    /// Take the double and the cube.
    Take,
    /// Pass: lose the game at the old value.
    Drop,
    /// Redouble at once; the cube is, or stays, the opponent's of the player on roll.
    Beaver,
    /// Play the dice; the board after it, the sides not swapped.
    Play(Board),
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Move::Roll => "roll",
            Move::Double => "double",
            Move::Take => "take",
            Move::Drop => "drop",
            Move::Beaver => "beaver",
            Move::Play(board) => return write!(f, "play to {board:?}"),
        })
    }
}

/// The choices of one decision.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    plays: Plays,
    /// The choices about the cube; the plays count when there is none.
    cube: &'static [Move],
}

impl Moves {
    /// The plays of a roll.
    #[inline]
    pub(super) fn play(&mut self, board: &Board, dice: (u8, u8), one_die: OneDie) {
        self.plays.generate_with(board, dice, one_die);
        self.cube = &[];
    }

    /// Choices about the cube.
    pub(super) fn of(&mut self, cube: &'static [Move]) {
        self.cube = cube;
    }

    /// The boards of the plays; none at a decision about the cube.
    #[inline]
    pub fn boards(&self) -> &[Board] {
        if self.cube.is_empty() {
            &self.plays
        } else {
            &[]
        }
    }
}

impl MoveSet for Moves {
    type Move = Move;

    #[inline]
    fn len(&self) -> usize {
        if self.cube.is_empty() {
            self.plays.len()
        } else {
            self.cube.len()
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Move {
        if self.cube.is_empty() {
            Move::Play(self.plays[index])
        } else {
            self.cube[index]
        }
    }
}
