//! A position of Chińczyk in 32 bytes.

use crate::engine::seat::Seat;
use crate::games::pachisi::{Board, Place};

/// A position: the board, whose memo remembers the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State(pub(super) Board);

const _: () = assert!(size_of::<State>() == 32);

impl State {
    /// The seat to move, or that finished the game.
    #[inline(always)]
    pub fn to(&self) -> Seat {
        self.0.to()
    }

    /// What is left of the roll.
    #[inline(always)]
    pub(super) const fn memory(&self) -> Memory {
        Memory(self.0.memo())
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// What a position remembers of the turn beside the tokens.
///
/// ```text
/// bits  30 … 24   23 … 17   16 … 10   9-8       7      6       5-3    2-0
///       march     second    bonus     doubles   over   again   high   low
/// ```
///
/// * `low` and `high` are the dice still to be played, `low` alone if only one is; 0 is none.
/// * `again`: the roll is a doublet, so another follows it.
/// * `doubles` counts the doublets played in this turn, 0 to 2, where the third costs something.
/// * `bonus` and `second` are the pips of the bonuses to be played, in this order; 0 is none.
/// * `march`: with `no_blockade_march`, the place where the rest of a blockade must stay.
///
/// So two orders of the same steps leave the same memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Memory(pub(super) u64);

const DICE: u64 = 0o77;
const AGAIN: u64 = 1 << 6;
const OVER: u64 = 1 << 7;
const DOUBLES_SHIFT: u32 = 8;
const BONUS_SHIFT: u32 = 10;
const SECOND_SHIFT: u32 = 17;
const MARCH_SHIFT: u32 = 24;
const PLACE: u64 = 0x7f;
const BONUSES: u64 = PLACE << BONUS_SHIFT | PLACE << SECOND_SHIFT;

impl Memory {
    /// The memory of a finished game.
    pub(super) const OVER: Memory = Memory(OVER);

    /// What awaits a roll after so many doublets.
    pub(super) const fn awaiting(doubles: u8) -> Memory {
        Memory((doubles as u64) << DOUBLES_SHIFT)
    }

    /// The game is over.
    #[inline(always)]
    pub(super) const fn is_over(self) -> bool {
        self.0 & OVER != 0
    }

    /// Something of a roll is to be played or declined.
    #[inline(always)]
    pub(super) const fn is_mid_roll(self) -> bool {
        self.0 & (DICE | BONUSES) != 0
    }

    /// The lower and the higher die to be played; the higher is 0 if only one is, both if none.
    #[inline(always)]
    pub(super) const fn dice(self) -> [u8; 2] {
        [self.0 as u8 & 7, (self.0 >> 3) as u8 & 7]
    }

    /// Neither die was played.
    #[inline(always)]
    pub(super) const fn both_dice(self) -> bool {
        self.0 & 0o70 != 0
    }

    /// The dice to be played are these, the lower first.
    #[inline(always)]
    pub(super) const fn with_dice(self, low: u8, high: u8) -> Memory {
        Memory(self.0 & !DICE | low as u64 | (high as u64) << 3)
    }

    /// Another roll follows this one.
    #[inline(always)]
    pub(super) const fn again(self) -> bool {
        self.0 & AGAIN != 0
    }

    /// Whether another roll follows this one.
    #[inline(always)]
    pub(super) const fn with_again(self, again: bool) -> Memory {
        Memory(self.0 & !AGAIN | if again { AGAIN } else { 0 })
    }

    /// The doublets already played in this turn.
    #[inline(always)]
    pub(super) const fn doubles(self) -> u8 {
        (self.0 >> DOUBLES_SHIFT) as u8 & 3
    }

    /// The pips of the bonus to be played first; 0 if there is none.
    #[inline(always)]
    pub(super) const fn bonus(self) -> u8 {
        (self.0 >> BONUS_SHIFT & PLACE) as u8
    }

    /// The pips of the bonus after it; 0 if there is none.
    #[inline(always)]
    pub(super) const fn second_bonus(self) -> u8 {
        (self.0 >> SECOND_SHIFT & PLACE) as u8
    }

    /// A bonus of so many pips waits behind those there are; of 0 pips, none.
    #[inline(always)]
    pub(super) const fn earn(self, pips: u8) -> Memory {
        debug_assert!(self.second_bonus() == 0);
        let shift = if self.bonus() == 0 {
            BONUS_SHIFT
        } else {
            SECOND_SHIFT
        };
        Memory(self.0 | (pips as u64) << shift)
    }

    /// The first bonus is played or lost.
    #[inline(always)]
    pub(super) const fn without_bonus(self) -> Memory {
        let second = self.0 >> SECOND_SHIFT & PLACE;
        Memory(self.0 & !BONUSES | second << BONUS_SHIFT)
    }

    /// Where the rest of a blockade must stay for this roll; 0 is nowhere.
    #[inline(always)]
    pub(super) const fn march(self) -> Place {
        (self.0 >> MARCH_SHIFT & PLACE) as Place
    }

    /// The rest of a blockade must stay on this place; 0 is nowhere.
    #[inline(always)]
    pub(super) const fn with_march(self, place: Place) -> Memory {
        Memory(self.0 & !(PLACE << MARCH_SHIFT) | (place as u64) << MARCH_SHIFT)
    }
}
