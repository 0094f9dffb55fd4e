//! What bots ask about a position of Mensch ärgere dich nicht.

use crate::engine::race::{Feature, Race};
use crate::engine::seat::Seat;

use super::state::{BOARD, LANE, ONE_IN_YARD, RING, START, State, YARD, ones, seen_from};
use super::{Mensch, Rules};

/// The pips the tokens of one word have come.
pub(super) fn progress(word: u64) -> u32 {
    ones(word & BOARD).map(u32::from).sum()
}

impl Race for Mensch {
    const COURSE: u32 = 41 + 42 + 43 + 44;

    const FEATURES: &'static [Feature] = &[
        Feature {
            name: "progress",
            about: "pips the own tokens have come, 0 to 170",
            weight: 1.0,
        },
        Feature {
            name: "yard",
            about: "own tokens in the yard, 0 to 4",
            weight: -12.0,
        },
        Feature {
            name: "settled",
            about: "own tokens on the lane with no free cell ahead, 0 to 4",
            weight: 6.0,
        },
        Feature {
            name: "waiting",
            about: "own tokens that only one exact number can still move, 0 to 4",
            weight: -2.0,
        },
        Feature {
            name: "exposed",
            about: "pips of the own ring tokens an enemy stands 1 to 6 cells behind, or can be brought out on",
            weight: -0.3,
        },
        Feature {
            name: "threatened",
            about: "pips of the enemy tokens that stand 1 to 6 cells ahead of an own ring token",
            weight: 0.15,
        },
        Feature {
            name: "rivals",
            about: "pips the other seats' tokens have come, summed",
            weight: -0.4,
        },
    ];

    fn features(&self, state: &State, seat: Seat, out: &mut [f64]) {
        let mine = state.word(seat);
        let ring = mine & RING;
        // Cells that one roll of mine reaches, and of my own cells those an enemy reaches.
        let my_reach = one_roll(ring);
        let mut exposed = 0;
        let mut threatened = 0;
        let mut rivals = 0;
        for corners in 1..4 {
            let other = Seat::new((seat.index() + corners as usize) & 3);
            let theirs = state.word(other);
            if theirs == 0 {
                continue;
            }
            let out = if theirs & YARD != 0 { START } else { 0 };
            exposed |= turn(one_roll(theirs & RING) | out, corners);
            threatened += progress(theirs & turn(my_reach, 4 - corners));
            rivals += progress(theirs);
        }
        let lane = mine & LANE;
        // A lane token is settled when all cells beyond it are taken too.
        let settled = (lane | !(LANE | (LANE - 1))).leading_ones() - (63 - 44);
        let last_free = 44 - settled;
        let waiting = ones(mine & BOARD & !(u64::MAX << last_free))
            .filter(|&place| last_free - u32::from(place) == 1)
            .count();

        out[0] = f64::from(progress(mine));
        out[1] = f64::from(((mine & YARD) >> 45) as u32);
        out[2] = f64::from(settled);
        out[3] = waiting as f64;
        out[4] = f64::from(progress(ring & exposed));
        out[5] = f64::from(threatened);
        out[6] = f64::from(rivals);
    }

    /// Each enemy's next roll only: its dice that hit a token, out of six, independent of the
    /// other enemies; a seat in its three tries brings out onto its start with 91/216.
    fn exposure(&self, state: &State, seat: Seat) -> f64 {
        let mut safe = [1.0f64; 41];
        let ring = state.word(seat) & RING;
        for corners in 1..4 {
            let other = Seat::new((seat.index() + corners as usize) & 3);
            let theirs = state.word(other);
            let mut hits = [0u8; 41];
            for die in 1..=6 {
                for place in ones(turn((theirs & RING) << die & RING, corners) & ring) {
                    hits[usize::from(place)] += 1;
                }
            }
            for place in ones(ring) {
                let brought_out = theirs & YARD != 0 && seen_from(place, corners) == 1;
                let chance = if brought_out && self.tries(theirs) == 3 {
                    91.0 / 216.0
                } else {
                    f64::from(hits[usize::from(place)] + u8::from(brought_out)) / 6.0
                };
                safe[usize::from(place)] *= 1.0 - chance.min(1.0);
            }
        }
        ones(ring)
            .map(|place| f64::from(place) * (1.0 - safe[usize::from(place)]))
            .sum()
    }

    fn solitaire(rules: Rules) -> Option<Mensch> {
        Some(Mensch::solitaire(rules))
    }

    /// The runners wait in the yard, the other tokens fill the lane from its end.
    fn endgame(&self, runners: u8) -> Option<State> {
        if !(1..=4).contains(&runners) {
            return None;
        }
        let settled = LANE << runners & LANE;
        let word = settled + u64::from(runners) * ONE_IN_YARD;
        let corners = std::array::from_fn(|corner| {
            let taken = self.seats.contains(Seat::new(corner));
            if taken { word } else { 0 }
        });
        let first = self.seats.iter().next()?;
        Some(State::awaiting(corners, first, self.tries(word)))
    }
}

/// The ring cells that tokens on these ring cells reach with one roll, in their own numbering:
/// whoever passes the entrance is on its lane.
fn one_roll(ring: u64) -> u64 {
    let three = ring | ring << 1 | ring << 2;
    (three << 1 | three << 4) & RING
}

/// Ring cells in the numbering of the seat `corners` further on, in ours.
fn turn(ring: u64, corners: u8) -> u64 {
    let by = 10 * u32::from(corners);
    (ring << by | ring >> (40 - by)) & RING
}
