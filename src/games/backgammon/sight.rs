//! A board as one side sees it: who stands where as sets of points, pips, shots.
//!
//! What evaluators read is here without a loop over points. A set has a bit for each point in the
//! numbering of the side in view: 1 to 24, 25 its bar, 0 the bar of the other side. Its own
//! checkers travel to lower bits, those of the other side to higher ones.

use super::board::{BAR, Board, Side};
use super::moves::{at_least, opposing};

/// A set of points.
pub type Points = u32;

/// The points 1 to 24.
pub const FIELD: Points = (1 << 25) - 2;
/// The home board of the side in view, 1 to 6.
pub const HOME: Points = 0b111_1110;
/// The home board of the other side, 19 to 24.
pub const THEIR_HOME: Points = HOME << 18;
/// The bar of the other side.
pub const THEIR_BAR: Points = 1;

/// A board seen by one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sight {
    /// Where it has a checker, its bar included.
    pub own: Points,
    /// Where it has two or more.
    pub made: Points,
    /// Where the other side has a checker, its bar included.
    pub theirs: Points,
    /// Where the other side has two or more.
    pub their_made: Points,
    /// Pips it has to go, 0 to 375.
    pub pips: u16,
    /// Pips the other side has to go.
    pub their_pips: u16,
}

/// The points of a side with at least `N` checkers, in its own numbering.
#[inline(always)]
fn held<const N: u64>(side: Side) -> Points {
    opposing::<N>(side) & !1
}

/// The same set in the numbering of the other side.
#[inline(always)]
const fn turned(points: Points) -> Points {
    points.reverse_bits() >> (31 - BAR)
}

impl Sight {
    /// What the mover sees.
    #[inline]
    pub fn of(board: &Board) -> Sight {
        let blind = Sight {
            own: 0,
            made: 0,
            theirs: 0,
            their_made: 0,
            pips: 0,
            their_pips: 0,
        };
        blind.with_own(board.mover).with_theirs(board.other)
    }

    /// The same with these checkers of its own.
    #[inline(always)]
    #[must_use]
    pub fn with_own(self, own: Side) -> Sight {
        Sight {
            own: held::<1>(own),
            made: held::<2>(own),
            pips: own.pips(),
            ..self
        }
    }

    /// The same with these checkers of the other side.
    #[inline(always)]
    #[must_use]
    pub fn with_theirs(self, theirs: Side) -> Sight {
        Sight {
            // Points counted from their bar, as masks of moves are, are those counted from the
            // home of the side in view.
            theirs: at_least::<1>(theirs),
            their_made: at_least::<2>(theirs),
            their_pips: theirs.pips(),
            ..self
        }
    }

    /// What the other side sees.
    #[must_use]
    pub fn turned(self) -> Sight {
        Sight {
            own: turned(self.theirs),
            made: turned(self.their_made),
            theirs: turned(self.own),
            their_made: turned(self.made),
            pips: self.their_pips,
            their_pips: self.pips,
        }
    }

    /// Own lone checkers on the board.
    #[inline(always)]
    pub fn blots(&self) -> Points {
        self.own & !self.made & FIELD
    }

    /// Whether the two sides can still hit or block each other.
    #[inline(always)]
    pub fn is_contact(&self) -> bool {
        self.own & self.beyond_their_rear() != 0
    }

    /// Own lone checkers that a checker of the other side has still to pass.
    #[inline(always)]
    pub fn in_reach(&self) -> Points {
        self.blots() & self.beyond_their_rear()
    }

    /// The points from the rearmost of the other side on; none when it has borne off.
    #[inline(always)]
    fn beyond_their_rear(&self) -> Points {
        let rear = self.theirs & self.theirs.wrapping_neg();
        rear.wrapping_neg()
    }

    /// The own points held in a row: the length of the longest row, 0 to 7, and its points.
    #[inline]
    pub fn prime(&self) -> (u32, Points) {
        let (mut starts, mut length) = (self.made & FIELD, 0);
        let mut last = 0;
        while starts != 0 {
            last = starts;
            length += 1;
            starts &= self.made >> length & FIELD;
        }
        // Of rows of the same length the foremost: most has still to pass it.
        let lowest = last & last.wrapping_neg();
        (length, lowest.wrapping_mul((1 << length) - 1))
    }

    /// The throws of 36 by which the other side hits a lone checker, each throw once: by one die,
    /// by both, or by three or four steps of a double. Points held stop the steps in between, and
    /// checkers on the bar enter first.
    pub fn shots(&self) -> u32 {
        self.shots_at(self.in_reach())
    }

    /// The throws of 36 by which the other side hits a checker on one of these points.
    pub fn shots_at(&self, blots: Points) -> u32 {
        if blots == 0 {
            return 0;
        }
        let attack = Attack {
            from: self.theirs & !THEIR_BAR,
            on_bar: self.theirs & THEIR_BAR,
            two_on_bar: self.their_made & THEIR_BAR != 0,
            open: FIELD & !self.made,
            blots,
        };
        attack.throws()
    }
}

/// The other side about to hit; its checkers travel to higher bits.
struct Attack {
    /// Its checkers on the board.
    from: Points,
    /// Bit 0 when it has one on the bar.
    on_bar: Points,
    two_on_bar: bool,
    /// Where it may land.
    open: Points,
    /// What it wants to hit.
    blots: Points,
}

impl Attack {
    /// The throws of 36 that hit.
    fn throws(&self) -> u32 {
        let landed: [Points; 7] = std::array::from_fn(|die| self.landed(self.first_movers(), die));
        let next = landed.map(|landed| self.next_movers(landed));
        let mut throws = 0;
        for large in 1..=6 {
            for small in 1..large {
                let one = landed[large] | landed[small];
                let both = next[large] << small | next[small] << large;
                throws += 2 * u32::from((one | both) & self.blots != 0);
            }
            throws += u32::from(self.double(large));
        }
        throws
    }

    fn first_movers(&self) -> Points {
        if self.on_bar == 0 {
            self.from
        } else {
            self.on_bar
        }
    }

    fn landed(&self, movers: Points, die: usize) -> Points {
        movers << die & self.open
    }

    /// Who can play the second step: who has landed goes on; others only once the bar is empty.
    fn next_movers(&self, landed: Points) -> Points {
        if self.on_bar == 0 {
            landed
        } else if landed == 0 || self.two_on_bar {
            0
        } else {
            landed | self.from
        }
    }

    /// Whether a double hits by up to four steps.
    fn double(&self, die: usize) -> bool {
        let mut landed = self.landed(self.first_movers(), die);
        let mut hit = landed & self.blots;
        landed = self.landed(self.next_movers(landed), die);
        for _ in 1..4 {
            hit |= landed & self.blots;
            landed = self.landed(landed, die);
        }
        hit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `24:2 13:5`: point and checkers of one side; the rest are off.
    fn side(text: &str) -> Side {
        let mut counts = [0; 26];
        let mut off = 15;
        for place in text.split_whitespace() {
            let (point, checkers) = place.split_once(':').expect("point:checkers");
            let checkers: u8 = checkers.parse().expect("a count");
            counts[point.parse::<usize>().expect("a point")] = checkers;
            off -= checkers;
        }
        counts[0] = off;
        Side::from_counts(&counts)
    }

    fn side_of_one(point: u8) -> Side {
        side("").step(0, point)
    }

    fn sight(own: &str, theirs: &str) -> Sight {
        Sight::of(&Board {
            mover: side(own),
            other: side(theirs),
        })
    }

    fn set(points: &[u32]) -> Points {
        points.iter().fold(0, |set, point| set | 1 << point)
    }

    #[test]
    fn sets_are_in_the_numbering_of_the_viewer() {
        let sight = sight("25:1 13:2 6:1", "25:2 24:1 5:3");
        assert_eq!(sight.own, set(&[25, 13, 6]));
        assert_eq!(sight.made, set(&[13]));
        assert_eq!(sight.theirs, set(&[0, 1, 20]));
        assert_eq!(sight.their_made, set(&[0, 20]));
        assert_eq!((sight.pips, sight.their_pips), (57, 89));
        assert_eq!(sight.turned().turned(), sight);
        assert_eq!(sight.turned().theirs, set(&[0, 12, 19]));
    }

    #[test]
    fn pips_are_those_counted_point_by_point() {
        let mut counts = [0u8; 26];
        for shift in 0..26usize {
            for (point, count) in counts.iter_mut().enumerate() {
                *count = u8::from((point + shift).is_multiple_of(3));
            }
            let side = Side::from_counts(&counts);
            let pips: u16 = (0..)
                .zip(counts)
                .map(|(point, n)| point * u16::from(n))
                .sum();
            assert_eq!(side.pips(), pips, "{counts:?}");
            assert_eq!(side_of_one(shift as u8).pips(), shift as u16);
        }
        assert_eq!(side("25:15").pips(), 375);
    }

    /// The well-known table of shots at a distance with nothing in between.
    #[test]
    fn shots_at_an_open_distance_are_the_textbook_numbers() {
        let shots = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3];
        for (distance, shots) in (1..).zip(shots) {
            let theirs = format!("{}:1", 25 - 18 + distance);
            assert_eq!(sight("18:1", &theirs).shots(), shots, "distance {distance}");
        }
        assert_eq!(sight("18:1", "6:1").shots(), 0, "behind it");
    }

    /// Six away with the points at one, three and five away held: each six (11), 4-2 by way of
    /// either, 2-2.
    #[test]
    fn a_held_point_in_between_stops_the_sum() {
        assert_eq!(sight("18:1 17:2 15:2 13:2", "13:1").shots(), 11 + 2 + 1);
    }

    /// A checker on the bar enters on 1 to 6, against a home board of five points with one gap.
    #[test]
    fn checkers_on_the_bar_enter_first() {
        let own = "6:2 5:2 4:2 3:2 2:2 1:1";
        // An ace hits the blot in the gap.
        assert_eq!(sight(own, "25:1").shots(), 11);
        assert_eq!(sight(own, "25:2").shots(), 11);
        // The gap is on 3: entering there leaves the other die, 1 from their 14 to the blot on 12.
        let own = "12:1 6:2 5:2 4:2 2:2 1:2";
        assert_eq!(sight(own, "25:1 14:1").shots(), 2);
        assert_eq!(sight(own, "25:2 14:1").shots(), 0);
    }

    #[test]
    fn what_can_be_reached() {
        let sight = sight("20:1 15:1 8:1 2:1", "20:1 1:2");
        // They stand on 5 and 24: 2 has been passed.
        assert_eq!(sight.in_reach(), set(&[8, 15, 20]));
        assert!(sight.is_contact());
    }

    #[test]
    fn the_longest_row_of_held_points() {
        assert_eq!(
            sight("8:2 7:2 6:2 4:2 3:2", "").prime(),
            (3, set(&[6, 7, 8]))
        );
        assert_eq!(sight("9:2 8:2 4:2 3:2", "").prime(), (2, set(&[3, 4])));
        assert_eq!(sight("8:1", "").prime(), (0, 0));
        let contact = sight("8:1", "16:1");
        assert!(!contact.is_contact() && sight("9:1", "17:1").is_contact());
    }
}
