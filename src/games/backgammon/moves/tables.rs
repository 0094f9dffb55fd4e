//! What a step adds to a packed side.

use super::masks::{FROM_BAR_TO_OFF, bit_of};
use crate::games::backgammon::board::{BAR, Side};

/// For a number of pips and the bit of a point: the sum of a checker taken from the point and put
/// down so much nearer home, or borne off where that is too far. So a step is one addition, and
/// so is a checker moved by both dice.
static STEP: [[u128; 32]; 16] = {
    let mut table = [[0; 32]; 16];
    let mut pips = 0;
    while pips < 16 {
        let mut from = 1;
        while from <= BAR {
            let to = (from as usize).saturating_sub(pips);
            table[pips][bit_of(from) as usize] =
                (1u128 << (4 * to)).wrapping_sub(1 << (4 * from as u32));
            from += 1;
        }
        pips += 1;
    }
    table
};

/// For the bit of a point: the sum of a blot of the other side taken from it and put on the bar;
/// nothing for bit 0, which is no point.
static HIT: [u128; 32] = {
    let mut table = [0; 32];
    let mut bit = 1;
    while bit < FROM_BAR_TO_OFF as usize {
        table[bit] = (1u128 << (4 * BAR as u32)) - (1 << (4 * bit));
        bit += 1;
    }
    table
};

/// The steps of a number of pips.
#[derive(Clone, Copy)]
pub(super) struct Steppers(&'static [u128; 32]);

impl Steppers {
    #[inline(always)]
    pub(super) fn of(pips: u32) -> Steppers {
        Steppers(&STEP[pips as usize % 16])
    }

    /// The side with one checker moved from the point of this bit.
    #[inline(always)]
    pub(super) fn step(self, side: Side, from: u32) -> Side {
        Side(side.0.wrapping_add(self.0[from as usize % 32]))
    }
}

/// The other side after a checker has landed on the point of this bit.
#[inline(always)]
pub(super) fn hit_if(other: Side, blots: u32, to: u32) -> Side {
    let to = if blots >> (to % 32) & 1 == 1 { to } else { 0 };
    Side(other.0.wrapping_add(HIT[to as usize % 32]))
}
