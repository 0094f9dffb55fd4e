//! The plays of two different dice that touch one point and nothing further, as one word.
//!
//! Each bit stands for a second step, and so for a play; they are in the order of the plays. One
//! word has all plays of a point, so that there is one loop, whose end is one branch to guess, and
//! not one for each kind of second step. For dice `a < b` and a second step from `n` points nearer:
//!
//! ```text
//! bits  0        both steps from this point
//!       2n - 1   n < a: by a, this point by b
//!       2n       n < a: by b, this point by a
//!       8 + n    a <= n < b: by a, this point by b
//!       8 + b    n = a: by b, this point by a, if that goes before the next
//!       9 + b    n = b: by a, this point by b: the same checker
//!       10 + b   n = a: by b, this point by a, if that goes after the last
//!       10 + n   n > b: by a, this point by b
//!       34 + n   n >= a: by b, this point by a
//! ```

use super::masks::Points;
use super::tables::index;

/// A second step: where it is in the tables of [`super::tables`], less the bit of the point; and
/// whether this point was moved by `a`.
#[derive(Clone, Copy)]
pub(super) struct Second(u16);

impl Second {
    /// The bit that says that this point was moved by `a`; an index has no room for it.
    const AFTER_A: u16 = 1 << 15;

    /// Which step came first: 0 by `b`, 1 by `a`.
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        usize::from(self.0 >> 15)
    }

    /// The index of the step in the tables, with [`Second::AFTER_A`] beyond it, for the point of
    /// this bit; modulo 32 it is the bit of the point where the second step starts.
    #[inline(always)]
    pub(super) fn step(self, from: u32) -> usize {
        usize::from(self.0) + from as usize
    }
}

/// What the bits mean, for all dice.
static SECONDS: [[[Second; 64]; 8]; 8] = {
    let mut table = [[[Second(0); 64]; 8]; 8];
    let mut a = 1;
    while a < 6 {
        let mut b = a + 1;
        while b <= 6 {
            table[a as usize][b as usize] = seconds(a, b);
            b += 1;
        }
        a += 1;
    }
    table
};

/// What the bits mean for these dice.
const fn seconds(a: u32, b: u32) -> [Second; 64] {
    let mut table = [Second(0); 64];
    let mut nearer = 0;
    while nearer <= 24 {
        let by_a = Second((index(0, a) + nearer) as u16);
        let by_b = Second((index(0, b) + nearer) as u16 | Second::AFTER_A);
        if nearer == 0 {
            table[0] = by_b;
        } else {
            if nearer < a as usize {
                table[2 * nearer - 1] = by_a;
                table[2 * nearer] = by_b;
            }
            if nearer == a as usize {
                table[8 + b as usize] = by_b;
                table[10 + b as usize] = by_b;
            }
            let gap = (nearer >= b as usize) as usize + (nearer > b as usize) as usize;
            table[8 + gap + nearer] = by_a;
            table[34 + nearer] = by_b;
        }
        nearer += 1;
    }
    table
}

/// For a set of points 1 to 4 nearer, the bits of the second steps by `a`.
static NEAR: [u16; 32] = {
    let mut table = [0; 32];
    let mut points = 0;
    while points < 32 {
        let mut nearer = 1;
        while nearer <= 4 {
            table[points] |= (points as u16 >> nearer & 1) << (2 * nearer - 1);
            nearer += 1;
        }
        points += 1;
    }
    table
};

/// The points of a roll from which two steps can be made, as sets; nothing can be borne off.
#[derive(Clone, Copy)]
pub(super) struct Sets {
    /// From which a checker can move by `a`.
    pub(super) by_a: Points,
    /// From which one can move by `b`.
    pub(super) by_b: Points,
    /// From which two checkers can move, one by `a` and one by `b`.
    pub(super) pairs: Points,
    /// From which one can move by `b`, then by `a`.
    pub(super) by_b_then_a: Points,
    /// From which one can move by `a`, then by `b`, but not by `b` first.
    pub(super) only_by_a_then_b: Points,
    /// From which one can move both ways, to boards that differ: it hits on its way. That by `b`
    /// first is the greater board.
    pub(super) forks_a_first: Points,
    /// Of these forks, those where it is the smaller board.
    pub(super) forks_b_first: Points,
}

/// What the words of a roll are made of.
#[derive(Clone, Copy)]
pub(super) struct Words {
    by_a: Points,
    by_b: Points,
    b: u32,
    /// What is only looked at for the point itself, shifted beforehand to where it belongs; and the
    /// bits it has there.
    ends: [u64; 2],
    joined: [u64; 2],
    /// The forks with `a` first, and 32 bits on the others.
    forks: u64,
    near: Points,
    /// Without those on which the first step has ended.
    far_before_b: Points,
    far_after_b: Points,
    far_after_a: Points,
    seconds: &'static [Second; 64],
}

impl Words {
    #[inline(always)]
    pub(super) fn new(a: u32, b: u32, sets: &Sets) -> Words {
        let far: Points = (!1 << a) | 1 << a;
        Words {
            by_a: sets.by_a,
            by_b: sets.by_b,
            b,
            ends: [
                u64::from(sets.pairs) | u64::from(sets.only_by_a_then_b) << (34 + a),
                1 | 1 << (34 + a),
            ],
            joined: [u64::from(sets.by_b_then_a) << (9 + b), 1 << (9 + b)],
            forks: u64::from(sets.forks_a_first) | u64::from(sets.forks_b_first) << 32,
            near: (1 << a) - 2,
            far_before_b: far & ((1 << b) - 1),
            far_after_b: !1 << b,
            far_after_a: !1 << a,
            seconds: &SECONDS[(a % 8) as usize][(b % 8) as usize],
        }
    }

    /// The word of the point of this bit.
    #[inline(always)]
    pub(super) fn of<const HITS: bool>(&self, from: u32) -> u64 {
        let (by_a, by_b) = (self.by_a >> from, self.by_b >> from);
        let second_by_a = by_a & (by_b & 1).wrapping_neg();
        let second_by_b = by_b & (by_a & 1).wrapping_neg();
        let near = |second: Points| NEAR[(second & self.near) as usize % 32];
        let mut word = u64::from(near(second_by_a) | near(second_by_b) << 1)
            | self.ends[0] >> from & self.ends[1]
            | self.joined[0] >> from & self.joined[1]
            | u64::from(second_by_a & self.far_before_b) << 8
            | u64::from(second_by_a & self.far_after_b) << 10
            | u64::from(second_by_b & self.far_after_a) << 34;
        if HITS {
            let forks = self.forks >> from & (1 | 1 << 32);
            word |= (forks | forks >> 30) << (8 + self.b) & (5 << (8 + self.b));
        }
        word
    }

    /// The second step of the lowest bit of a word.
    #[inline(always)]
    pub(super) fn second(&self, word: u64) -> Second {
        self.seconds[word.trailing_zeros() as usize % 64]
    }
}
