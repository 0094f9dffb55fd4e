//! Numbers of the positions of one side: a bijection, so that a table needs no keys.

use crate::games::backgammon::board::{OFF, Side};

/// Most checkers of a side.
const MAX_CHECKERS: u8 = 15;
/// Most points: 3,268,760 positions of 15 checkers.
const MAX_POINTS: u8 = 10;

/// A size that no table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no bear-off table of {checkers} checkers on {points} points; known: 1 to {MAX_CHECKERS} \
     checkers on 1 to {MAX_POINTS} points"
)]
pub struct SizeError {
    /// The checkers asked for.
    pub checkers: u8,
    /// The points asked for.
    pub points: u8,
}

/// The positions of at most `checkers` checkers on the points 1 to `points`, numbered from 0.
///
/// A position is the rising sequence `s(1) ≤ s(2) ≤ …`, where `s(k)` counts the checkers on the
/// points 1 to k. Its number in the combinatorial number system (Knuth, TAOCP 4A, 7.2.1.3) is
///
/// ```text
/// Σ C(s(k) + k - 1, k)   over the points k
/// ```
///
/// so 0 is the side that is done, fewer checkers have smaller numbers, and a table of fewer
/// checkers on as many points is the beginning of the larger one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Index {
    checkers: u8,
    points: u8,
}

impl Index {
    /// All 15 checkers in the home board: 54,264 positions.
    pub const HOME: Index = Index {
        checkers: MAX_CHECKERS,
        points: 6,
    };

    /// The last 6 checkers in the home board: 924 positions.
    pub const LAST_SIX: Index = Index {
        checkers: 6,
        points: 6,
    };

    /// At most `checkers` checkers on the points 1 to `points`.
    ///
    /// # Errors
    /// Outside 1 to 15 checkers on 1 to 10 points.
    pub const fn new(checkers: u8, points: u8) -> Result<Index, SizeError> {
        if checkers == 0 || checkers > MAX_CHECKERS || points == 0 || points > MAX_POINTS {
            return Err(SizeError { checkers, points });
        }
        Ok(Index { checkers, points })
    }

    /// Most checkers of a position.
    pub const fn checkers(self) -> u8 {
        self.checkers
    }

    /// The furthest point.
    pub const fn points(self) -> u8 {
        self.points
    }

    /// Positions.
    #[allow(clippy::len_without_is_empty)] // The position with everything off is always there.
    pub const fn len(self) -> usize {
        BINOMIALS[(self.checkers + self.points) as usize][self.points as usize] as usize
    }

    /// The number of a position, whatever is borne off; `None` with too many checkers or one
    /// behind the last point.
    pub fn rank(self, side: Side) -> Option<usize> {
        let on_points = || (1..=self.points).map(|point| side.count(point)).sum::<u8>();
        (side.rear() <= self.points && on_points() <= self.checkers)
            .then(|| self.rank_unchecked(side))
    }

    /// The number of a position for which [`Index::rank`] has one; any number or a panic otherwise.
    #[inline]
    pub fn rank_unchecked(self, side: Side) -> usize {
        let mut near = 0;
        let mut rank = 0;
        for point in 1..=self.points {
            near += side.count(point);
            rank += BINOMIALS[usize::from(near + point - 1)][usize::from(point)];
        }
        rank as usize
    }

    /// The position with a number; what is missing from all checkers is borne off.
    ///
    /// # Panics
    /// When the number is not below [`Index::len`].
    pub fn side(self, rank: usize) -> Side {
        assert!(
            rank < self.len(),
            "position {rank} of {} was asked for",
            self.len()
        );
        let mut rest = rank as u32;
        let mut counts = [0; 26];
        let mut behind = self.checkers;
        let mut place = usize::from(OFF);
        for point in (1..=self.points).rev() {
            let term = |near: u8| BINOMIALS[usize::from(near + point - 1)][usize::from(point)];
            let near = (0..=behind).rev().find(|&near| term(near) <= rest);
            let near = near.expect("C(k - 1, k) is 0");
            counts[place] = behind - near;
            rest -= term(near);
            (behind, place) = (near, usize::from(point));
        }
        counts[place] = behind;
        Side::from_counts(&counts)
    }

    /// The numbers of the positions with 0, 1, 2, … pips, each list ascending.
    pub(super) fn by_pips(self) -> Vec<Vec<u32>> {
        let most = u16::from(self.checkers) * u16::from(self.points);
        let mut levels = vec![Vec::new(); usize::from(most) + 1];
        for rank in 0..self.len() {
            levels[usize::from(self.side(rank).pips())].push(rank as u32);
        }
        levels
    }
}

/// Rows of Pascal's triangle that are needed: the number of positions is C(25, 10) at most.
const ROWS: usize = (MAX_CHECKERS + MAX_POINTS) as usize + 1;
/// Entries of a row that are needed.
const ENTRIES: usize = MAX_POINTS as usize + 1;

/// `BINOMIALS[n][k]` is C(n, k), which is 0 for n < k.
const BINOMIALS: [[u32; ENTRIES]; ROWS] = {
    let mut triangle = [[0; ENTRIES]; ROWS];
    let mut n = 0;
    while n < ROWS {
        triangle[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < ENTRIES {
            triangle[n][k] = triangle[n - 1][k - 1] + triangle[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    triangle
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_positions_are_in_bijection() {
        for (checkers, points, positions) in [
            (1, 1, 2),
            (6, 6, 924),
            (15, 6, 54_264),
            (3, 10, 286),
            (15, 8, 490_314),
        ] {
            let index = Index::new(checkers, points).expect("a size");
            assert_eq!(index.len(), positions, "{checkers} on {points}");
            for rank in 0..index.len() {
                let side = index.side(rank);
                assert_eq!(index.rank(side), Some(rank), "{side:?}");
                assert_eq!(side.left() + side.off(), checkers, "{side:?}");
            }
        }
    }

    #[test]
    fn fewer_checkers_come_first() {
        let last = Index::LAST_SIX;
        for rank in 0..last.len() {
            assert_eq!(Index::HOME.rank(last.side(rank)), Some(rank));
        }
        assert_eq!(Index::HOME.side(last.len()).left(), 7);
    }

    #[test]
    fn what_is_not_in_the_table_has_no_number() {
        let mut counts = [0; 26];
        counts[7] = 1;
        let outside = Side::from_counts(&counts);
        assert_eq!(Index::HOME.rank(outside), None);
        assert!(Index::new(15, 7).unwrap().rank(outside).is_some());
        counts[7] = 0;
        counts[1] = 7;
        assert_eq!(Index::LAST_SIX.rank(Side::from_counts(&counts)), None);
        counts[2..=6].fill(15);
        assert_eq!(Index::HOME.rank(Side::from_counts(&counts)), None);
    }

    #[test]
    fn levels_hold_every_position_once() {
        let levels = Index::LAST_SIX.by_pips();
        assert_eq!(levels.len(), 37);
        assert_eq!(levels[0], [0]);
        assert_eq!(levels.iter().map(Vec::len).sum::<usize>(), 924);
    }

    #[test]
    fn a_size_out_of_range_names_the_range() {
        for (checkers, points) in [(0, 6), (16, 6), (15, 0), (15, 11)] {
            assert!(Index::new(checkers, points).is_err());
        }
        assert_eq!(
            Index::new(15, 11).unwrap_err().to_string(),
            "no bear-off table of 15 checkers on 11 points; known: 1 to 15 checkers on 1 to 10 \
             points"
        );
    }
}
