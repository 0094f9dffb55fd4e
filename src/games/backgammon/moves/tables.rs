//! What a step adds to the words of both sides.
//!
//! The tables are indexed by a die and the bit of a point, see [`index`].

use super::masks::{FROM_BAR_TO_OFF, Points, bit_of};
use crate::games::backgammon::board::{BAR, Side};

/// The steps of a die in a table, and the dice.
const STEPS_OF_DIE: usize = 32;
const SIZE: usize = 8 * STEPS_OF_DIE;

/// A checker taken from the point and put down so much nearer home, or borne off where that is too
/// far.
static STEP: [Side; SIZE] = {
    let mut table = [Side::NONE; SIZE];
    let mut die = 1;
    while die <= 6 {
        let mut from = 1;
        while from <= BAR {
            let to = from.saturating_sub(die);
            table[index(bit_of(from), die as u32)] = Side::sum_of_step(from, to);
            from += 1;
        }
        die += 1;
    }
    table
};

/// Nothing, for a step that does not hit; then for one that does: a blot of the other side taken
/// from where the step ends and put on the bar.
static HIT: [Side; 2 * SIZE] = {
    let mut table = [Side::NONE; 2 * SIZE];
    let mut die = 1;
    while die <= 6 {
        let mut from = 0;
        while from + die < FROM_BAR_TO_OFF {
            table[SIZE + index(from, die)] = Side::sum_of_step((from + die) as u8, BAR);
            from += 1;
        }
        die += 1;
    }
    table
};

/// Where a step by a die from the point of this bit is in the tables.
#[inline(always)]
pub(super) const fn index(from: u32, die: u32) -> usize {
    die as usize * STEPS_OF_DIE + from as usize
}

/// The side after the step at this index.
#[inline(always)]
pub(super) fn stepped(side: Side, step: usize) -> Side {
    side.plus(STEP[step % SIZE])
}

/// The other side after the step at this index; the lowest bit of `hits` says whether it hits,
/// without a branch.
#[inline(always)]
pub(super) fn hit_if(other: Side, hits: Points, step: usize) -> Side {
    other.plus(HIT[step % SIZE + (hits & 1) as usize * SIZE])
}
