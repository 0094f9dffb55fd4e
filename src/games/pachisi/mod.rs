//! The board of the Pachisi family in the West, for up to four seats: 68 squares in a ring, four
//! lanes, four tokens a seat. It knows where tokens stand and how they are counted, and no rule.
//!
//! ```text
//!                     34
//!                  33    35         The ring is walked upwards, 68 to 1. Seat A starts on 5
//!               …  B's  C's  …      and turns into its lane c1 … c7 after 68; B starts on 22
//!              22  lanes     39     and turns after 17, C on 39 after 34, D on 56 after 51.
//!          17                  51   Behind the lane lies the goal G.
//!               5  A's  D's  56
//!               …             …     Safe squares in the printed board: 5 12 17 22 29 34 39
//!                  1     67         46 51 56 63 68, the four starts among them.
//!                     68
//! ```
//!
//! # Places
//!
//! A token stands on a *place* of its owner's route: 0 the yard, 1 its start square, 64 its last
//! ring square, 65 to 71 its lane c1 to c7, 72 the goal. So a place is also the distance from the
//! yard, and all seats look the same. The rules pages count *progress*, which is one less.

mod board;
mod bonus;
pub(super) mod features;
pub(super) mod text;

pub(super) use board::{Board, Present, duplicates, ones_of, pairs_on_lane};
pub(super) use bonus::{MAX_BONUS, capture_bonus, check as check_bonus, goal_bonus};

/// A place of one token on its owner's route: 0 the yard, 1 the own start, 64 the last ring
/// square, 65 to 71 the lane, 72 the goal. It is also the distance the token has come.
pub(super) type Place = u8;

/// The four tokens of each corner, none where nobody sits.
pub(super) type Corners = [Option<[Place; 4]>; 4];

/// The own start square.
pub(super) const START: Place = 1;
/// The last ring square before the own lane.
pub(super) const LAST_ON_RING: Place = 64;
/// The first lane square, c1.
pub(super) const LANE: Place = 65;
/// The goal.
pub(super) const GOAL: Place = 72;
/// Squares in the ring.
pub(super) const RING: u8 = 68;
/// Squares from one seat's start to the next seat's.
pub(super) const QUARTER: u8 = 17;

/// The twelve safe squares of the printed board, starts included: bit `place - 1`, the same for
/// every seat.
pub(super) const SAFE: u64 = {
    let progress = [0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63];
    let mut mask = 0;
    let mut index = 0;
    while index < progress.len() {
        mask |= 1 << progress[index];
        index += 1;
    }
    mask
};

/// The eight safe squares that are nobody's start.
pub(super) const SAFE_WITHOUT_STARTS: u64 = SAFE & !(1 | 1 << 17 | 1 << 34 | 1 << 51);

/// Whether a place is on the ring.
#[inline(always)]
pub(super) const fn is_on_ring(place: Place) -> bool {
    place >= START && place <= LAST_ON_RING
}

/// Whether a mask of ring squares, bit `place - 1`, has this place; no lane square is in one.
#[inline(always)]
pub(super) const fn has(mask: u64, place: Place) -> bool {
    mask & ring_bit(place) != 0
}

/// A place in a mask of ring squares: bit `place - 1`, none if it is not on the ring. Looked up,
/// because whether a token is on the ring cannot be guessed.
#[inline(always)]
pub(super) const fn ring_bit(place: Place) -> u64 {
    const BITS: [u64; 128] = {
        let mut bits = [0; 128];
        let mut place = START;
        while place <= LAST_ON_RING {
            bits[place as usize] = 1 << (place - 1);
            place += 1;
        }
        bits
    };
    BITS[place as usize & 127]
}

/// The place of a ring square for the seat that sits `corners` further on, if its route comes by.
pub(super) const fn seen_from(place: Place, corners: u8) -> Option<Place> {
    if !is_on_ring(place) {
        return None;
    }
    let seen = (place + RING - 1 - QUARTER * corners) % RING + 1;
    if seen <= LAST_ON_RING {
        Some(seen)
    } else {
        None
    }
}
