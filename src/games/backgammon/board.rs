//! A backgammon board in 32 bytes: who stands where, each side in its own numbering.

use std::fmt;

/// The point of the bar in a side's own numbering.
pub const BAR: u8 = 25;
/// The "point" of the checkers borne off.
pub const OFF: u8 = 0;
/// Checkers of a side.
pub const CHECKERS: u8 = 15;

/// The checkers of one side.
///
/// Four bits for each point in the side's own numbering, so passing the turn is a swap of two
/// words and a step of one checker is one addition:
///
/// ```text
/// bits   127-104   103-100   99-96   95-92   …   7-4    3-0
///        0         bar (25)  24      23      …   1 ace  off
/// ```
///
/// The counts of a side always sum to the checkers it plays with (15; 3 in hypergammon).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Side(pub(super) u128);

impl Side {
    /// The side with these counts: index 0 borne off, 1 the ace point, 24, 25 the bar.
    ///
    /// # Panics
    /// When a count is over 15.
    pub const fn from_counts(counts: &[u8; 26]) -> Side {
        let mut bits = 0;
        let mut point = 0;
        while point < 26 {
            assert!(counts[point] <= CHECKERS, "a side has 15 checkers");
            bits |= (counts[point] as u128) << (4 * point);
            point += 1;
        }
        Side(bits)
    }

    /// The counts: index 0 borne off, 1 the ace point, 24, 25 the bar.
    pub fn counts(self) -> [u8; 26] {
        std::array::from_fn(|point| self.count(point as u8))
    }

    /// Checkers on a point, 0 (off) to 25 (bar).
    #[inline(always)]
    pub const fn count(self, point: u8) -> u8 {
        (self.0 >> (4 * point as u32)) as u8 & 15
    }

    /// Checkers on the bar.
    #[inline(always)]
    pub const fn bar(self) -> u8 {
        self.count(BAR)
    }

    /// Checkers borne off.
    #[inline(always)]
    pub const fn off(self) -> u8 {
        self.0 as u8 & 15
    }

    /// Checkers still to bear off, the bar included.
    pub fn left(self) -> u8 {
        (1..=BAR).map(|point| self.count(point)).sum()
    }

    /// Pips to bear off everything; a checker on the bar counts 25.
    ///
    /// Without a loop over the points: pairs of neighbours are added up, a byte each, and a product
    /// with ones gives the sums from the lowest byte to each, which a second product adds.
    #[inline]
    pub const fn pips(self) -> u16 {
        const BYTES: u64 = u64::MAX / 255;
        const FOURS: u64 = 15 * BYTES;
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let (odd_low, odd_high) = (low >> 4 & FOURS, high >> 4 & FOURS);
        let sums_low = ((low & FOURS) + odd_low).wrapping_mul(BYTES);
        let sums_high = ((high & FOURS) + odd_high).wrapping_mul(BYTES);
        let checkers = (sums_low >> 56) + 2 * (sums_high >> 56);
        // Byte k of the sums counts the checkers on the pairs up to k.
        let up_to = (sums_low.wrapping_mul(BYTES) >> 56) + (sums_high.wrapping_mul(BYTES) >> 56);
        let odd = (odd_low + odd_high).wrapping_mul(BYTES) >> 56;
        (2 * (8 * checkers - up_to) + odd) as u16
    }

    /// The furthest point with a checker, 25 for the bar, 0 when all are off.
    #[inline(always)]
    pub const fn rear(self) -> u8 {
        // The nibble of the highest bit; `| 1` for an empty side.
        ((self.0 | 1).ilog2() / 4) as u8
    }

    /// Moves one checker; neither the way nor the other side is looked at.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, from: u8, to: u8) -> Side {
        Side(
            self.0
                .wrapping_sub(1 << (4 * from as u32))
                .wrapping_add(1 << (4 * to as u32)),
        )
    }
}

impl fmt::Debug for Side {
    /// `24:2 13:5 8:3 6:5`, the furthest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = (0..=BAR).rev().filter(|&point| self.count(point) > 0);
        let text: Vec<String> = points
            .map(|point| match point {
                BAR => format!("bar:{}", self.bar()),
                OFF => format!("off:{}", self.off()),
                _ => format!("{point}:{}", self.count(point)),
            })
            .collect();
        f.write_str(&text.join(" "))
    }
}

/// Both sides, the mover's first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Board {
    /// The side to move.
    pub mover: Side,
    /// The other side.
    pub other: Side,
}

const _: () = assert!(size_of::<Board>() == 32);

impl Board {
    /// The start of backgammon: 24:2, 13:5, 8:3, 6:5 on both sides.
    pub const START: Board = {
        let mut counts = [0; 26];
        counts[24] = 2;
        counts[13] = 5;
        counts[8] = 3;
        counts[6] = 5;
        let side = Side::from_counts(&counts);
        Board {
            mover: side,
            other: side,
        }
    };

    /// The same board as the other side sees it.
    #[inline(always)]
    #[must_use]
    pub const fn swapped(self) -> Board {
        Board {
            mover: self.other,
            other: self.mover,
        }
    }

    /// Whether the two sides can still hit or block each other.
    #[inline]
    pub const fn is_contact(self) -> bool {
        self.mover.rear() + self.other.rear() > BAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_counts_167_pips_each() {
        let board = Board::START;
        assert_eq!(board.mover.pips(), 167);
        assert_eq!(board.mover.left(), 15);
        assert_eq!(board.mover.rear(), 24);
        assert!(board.is_contact());
        assert_eq!(format!("{:?}", board.mover), "24:2 13:5 8:3 6:5");
        assert_eq!(Side::from_counts(&board.mover.counts()), board.mover);
    }

    #[test]
    fn a_step_moves_one_checker() {
        let side = Board::START.mover.step(24, BAR).step(6, OFF);
        assert_eq!((side.bar(), side.off(), side.count(6)), (1, 1, 4));
        assert_eq!(side.left(), 14);
        assert_eq!(Side::default().rear(), 0);
    }
}
