//! Sets of points as flags in the fours of a [`Side`]: no bit is moved to make one, and one product
//! counts it.
//!
//! [`super::sight`] has such sets with a bit for each point. A judge that only asks how many points
//! are in a set has it cheaper here.

use super::board::{BAR, OFF, Side};
use super::sight::Points;

/// A set of places in the numbering of one side: 0 the checkers borne off, 1 to 24 the points, 25 the
/// bar. The highest bit of each four of [`Side`] says whether its place is in the set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags {
    high: u64,
    low: u64,
}

/// The lowest bit of each four.
const ONES: u64 = 0x1111_1111_1111_1111;
/// The highest bit of each four.
const TOPS: u64 = 8 * ONES;
/// All places but those of the checkers borne off.
const PLACES: Flags = Flags::of_points((1 << (BAR + 1)) - (1 << (OFF + 1)));

/// The highest bit of each four is set when the count is `N` or more, 1 to 8.
#[inline(always)]
pub(super) const fn tops_of_at_least<const N: u64>(counts: u64) -> u64 {
    const { assert!(1 <= N && N <= 8) };
    let carried = (counts & !TOPS) + (8 - N) * ONES;
    (carried | counts) & TOPS
}

impl Flags {
    /// The places where a side has at least `N` checkers, 1 to 8.
    #[inline(always)]
    pub const fn at_least<const N: u64>(side: Side) -> Flags {
        Flags {
            high: tops_of_at_least::<N>(side.high),
            low: tops_of_at_least::<N>(side.low),
        }
    }

    /// The set of these points.
    pub const fn of_points(points: Points) -> Flags {
        let (mut bits, mut point) = (0, 0);
        while point < Points::BITS {
            bits |= (points as u128 >> point & 1) << (4 * point + 3);
            point += 1;
        }
        Flags::of_bits(bits)
    }

    #[inline(always)]
    const fn of_bits(bits: u128) -> Flags {
        Flags {
            high: (bits >> 64) as u64,
            low: bits as u64,
        }
    }

    #[inline(always)]
    const fn bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The same points in the numbering of the other side: the point 24 is its point 1, the bar its
    /// place 0. Checkers borne off are left out.
    #[inline(always)]
    #[must_use]
    pub const fn turned(self) -> Flags {
        /// The fours in the opposite order.
        const fn reversed(fours: u64) -> u64 {
            const LOWER: u64 = 0x0F0F_0F0F_0F0F_0F0F;
            let pairs = fours.swap_bytes();
            (pairs & LOWER) << 4 | pairs >> 4 & LOWER
        }
        let places = self.and(PLACES);
        let reversed = Flags {
            high: reversed(places.low),
            low: reversed(places.high),
        };
        Flags::of_bits(reversed.bits() >> (4 * (31 - BAR)))
    }

    /// The places one to six above those of the set.
    #[inline(always)]
    #[must_use]
    pub const fn six_above(self) -> Flags {
        let bits = self.bits();
        let two = bits << 4 | bits << 8;
        Flags::of_bits(two | two << 8 | two << 16)
    }

    /// All places from the lowest of the set on, none if it is empty.
    #[inline(always)]
    #[must_use]
    pub const fn from_lowest(self) -> Flags {
        const TOPS: u128 = u128::MAX / 15 * 8;
        let bits = self.bits();
        let lowest = bits & bits.wrapping_neg();
        Flags::of_bits(lowest.wrapping_neg() & TOPS)
    }

    /// The places of both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Flags) -> Flags {
        Flags {
            high: self.high & other.high,
            low: self.low & other.low,
        }
    }

    /// The places of this set that are not in the other.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: Flags) -> Flags {
        Flags {
            high: self.high & !other.high,
            low: self.low & !other.low,
        }
    }

    /// Whether a place is in both sets.
    #[inline(always)]
    pub const fn meets(self, other: Flags) -> bool {
        self.high & other.high | self.low & other.low != 0
    }

    /// How many places are in the set, if they are at most 15.
    #[inline(always)]
    pub const fn count(self) -> usize {
        // The highest four of the product is the sum of all; no other can overflow before it does.
        let ones = (self.high >> 3) + (self.low >> 3);
        (ones.wrapping_mul(ONES) >> 60) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn places() -> impl Iterator<Item = u8> {
        0..=BAR
    }

    /// The set of the places that `holds` is true of.
    fn flags(holds: impl Fn(u8) -> bool) -> Flags {
        let points = places().filter(|&place| holds(place));
        Flags::of_points(points.fold(0, |set, place| set | 1 << place))
    }

    proptest! {
        /// Against the counts themselves, place by place.
        #[test]
        fn sets_are_what_the_counts_say(counts: [u8; 26]) {
            // Most places empty, some with one or two, few with more.
            let counts = counts.map(|count| count / 16 * u8::from(count % 16 > 9));
            let side = Side::from_counts(&counts);
            let count = |place: u8| counts[usize::from(place)];
            let held = Flags::at_least::<1>(side);
            prop_assert_eq!(held, flags(|place| count(place) >= 1));
            prop_assert_eq!(Flags::at_least::<2>(side), flags(|place| count(place) >= 2));
            prop_assert_eq!(Flags::at_least::<8>(side), flags(|place| count(place) >= 8));

            let turned = held.turned();
            prop_assert_eq!(turned, flags(|place| place < BAR && count(BAR - place) > 0));

            let near = |place: u8| (1..=6).any(|step| place >= step && count(place - step) > 0);
            let place = flags(|_| true);
            prop_assert_eq!(held.six_above().and(place), flags(near));
            let lowest = places().find(|&place| count(place) > 0);
            let beyond = |place| lowest.is_some_and(|lowest| place >= lowest);
            prop_assert_eq!(held.from_lowest().and(place), flags(beyond));

            let even = flags(|place| place.is_multiple_of(2));
            let is_even = |place: u8| place.is_multiple_of(2) && count(place) > 0;
            prop_assert_eq!(held.and(even), flags(is_even));
            prop_assert_eq!(held.without(even), flags(|place| count(place) > 0 && !is_even(place)));
            prop_assert_eq!(held.meets(even), places().any(is_even));
            prop_assert_eq!(held.and(even).count(), places().filter(|&place| is_even(place)).count());
        }
    }
}
