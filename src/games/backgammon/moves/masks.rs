//! The points of a board as sets: bit `n` is the point `n` pips from the mover's bar, which is the
//! other side's point `n`.
//!
//! ```text
//! bit           0    1   2   …   19   …   24
//! mover's       bar  24  23  …   6    …   1 ace
//! other's            1   2   …   19   …   24
//! ```
//!
//! So checkers travel to higher bits, and the lowest bit of a set is the furthest checker.

use crate::games::backgammon::board::{BAR, Board, Side};
use crate::games::backgammon::flags::tops_of_at_least;

/// A set of points.
pub(super) type Points = u32;

/// The mover's bar.
pub(super) const ON_BAR: Points = 1;
/// Pips from the bar to a checker borne off exactly.
pub(super) const FROM_BAR_TO_OFF: u32 = BAR as u32;
/// The points of the board.
pub(super) const BOARD: Points = (1 << FROM_BAR_TO_OFF) - 2;
/// All that keeps a side from bearing off: the bar and the points from 24 to 7.
const OUTSIDE: Points = (1 << bit_of(6)) - 1;

/// The bit of a point in the mover's numbering.
pub(super) const fn bit_of(point: u8) -> u32 {
    FROM_BAR_TO_OFF - point as u32
}

/// What the legal steps of a board depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Masks {
    /// Points with a checker of the mover, the bar included.
    pub(super) own: Points,
    /// Those with two or more.
    pub(super) pairs: Points,
    /// Points with one opposing checker.
    pub(super) blots: Points,
    /// Points without a block of opposing checkers: where the mover may land.
    pub(super) landing: Points,
}

impl Masks {
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Masks {
        let landing = BOARD & !opposing::<2>(board.other);
        Masks {
            own: at_least::<1>(board.mover),
            pairs: at_least::<2>(board.mover),
            blots: landing & opposing::<1>(board.other),
            landing,
        }
    }

    /// Whether a checker that goes by one of these numbers of pips would hit, if it can.
    #[inline(always)]
    pub(super) fn may_hit<const N: usize>(&self, pips: [u32; N]) -> bool {
        let reached = pips.into_iter().map(|pips| self.own << pips);
        let reached = reached.fold(0, |all, points| all | points);
        reached & self.blots != 0
    }

    /// Whether the mover has nothing on the bar.
    #[inline(always)]
    pub(super) fn bar_is_empty(&self) -> bool {
        self.own & ON_BAR == 0
    }

    /// Whether at most one checker is outside the home board: a roll of two dice may bear off.
    #[inline(always)]
    pub(super) fn may_bear_off(&self) -> bool {
        let outside = self.own & OUTSIDE;
        outside & outside.wrapping_sub(1) == 0 && self.pairs & outside == 0
    }
}

/// The points from which a side with checkers on these, but none on the bar, can move by a die.
#[inline(always)]
pub(super) fn sources(own: Points, landing: Points, die: u32) -> Points {
    let moving = own & landing >> die;
    if own & OUTSIDE != 0 {
        return moving;
    }
    let exact = 1 << (FROM_BAR_TO_OFF - die);
    let furthest = own & own.wrapping_neg();
    if furthest < exact {
        moving | own & exact
    } else {
        furthest
    }
}

/// Calls `visit` with the bit of each point, the furthest first.
#[inline(always)]
pub(super) fn each(mut points: Points, mut visit: impl FnMut(u32)) {
    while points != 0 {
        visit(points.trailing_zeros());
        points &= points - 1;
    }
}

/// The points where the mover has at least `N` checkers, the bar included.
#[inline(always)]
pub(in crate::games::backgammon) fn at_least<const N: u64>(mover: Side) -> Points {
    let low = gathered_reversed(tops_of_at_least::<N>(mover.low));
    let high = gathered_reversed(tops_of_at_least::<N>(mover.high));
    (low << 16 | high) >> (31 - FROM_BAR_TO_OFF) & (BOARD | ON_BAR)
}

/// The points where the other side has at least `N` checkers (1 to 4), each the bit of its own
/// numbering: 25 is its bar, and bit 0 speaks of the checkers borne off.
#[inline(always)]
pub(in crate::games::backgammon) fn opposing<const N: u64>(other: Side) -> Points {
    let low = gathered(tops_of_at_least::<N>(other.low));
    let high = gathered(tops_of_at_least::<N>(other.high));
    low | high << 16
}

/// The highest bits of 16 fours, the lowest first.
///
/// The first product brings together the flags of each 16 bits, the second those of the groups: in
/// neither do two partial products meet, so nothing is carried.
#[inline(always)]
const fn gathered(flags: u64) -> u32 {
    let groups = flags.wrapping_mul(0x0249) & 0xF000_F000_F000_F000;
    (groups.wrapping_mul(0x0000_0010_0100_1001) >> 48) as u32
}

/// The highest bits of 16 fours, the highest first.
#[inline(always)]
const fn gathered_reversed(flags: u64) -> u32 {
    let groups = (flags >> 3).wrapping_mul(0x8421) >> 12 & 0x000F_000F_000F_000F;
    (groups.wrapping_mul(0x1000_0100_0010_0001) >> 48) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points that `holds` is true of, in the mover's numbering.
    fn points(holds: impl Fn(u8) -> bool) -> Points {
        (1..=BAR)
            .filter(|&point| holds(point))
            .fold(0, |points, point| points | 1 << bit_of(point))
    }

    #[test]
    fn the_masks_say_what_the_counts_say() {
        for count in 0..=15 {
            for at in 0..=25 {
                let mut mover = [3; 26];
                mover[at] = count;
                let mut other = [1; 26];
                other[at] = count;
                let board = Board {
                    mover: Side::from_counts(&mover),
                    other: Side::from_counts(&other),
                };
                let own = |point: u8| board.mover.count(point);
                let opposing = |point: u8| board.other.count(BAR - point);
                let expected = Masks {
                    own: points(|point| own(point) >= 1),
                    pairs: points(|point| own(point) >= 2),
                    blots: points(|point| point < BAR && opposing(point) == 1),
                    landing: points(|point| point < BAR && opposing(point) < 2),
                };
                assert_eq!(Masks::of(&board), expected, "{count} on {at}");
                let fours = points(|point| own(point) >= 4);
                assert_eq!(at_least::<4>(board.mover), fours, "{count} on {at}");
            }
        }
    }
}
