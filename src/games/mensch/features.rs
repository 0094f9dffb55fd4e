//! What a learned evaluator sees of a position of Mensch ärgere dich nicht.
//!
//! | inputs | what |
//! |---|---|
//! | 4 × 48 | for the seat itself and the corners one, two and three on: four that say whether at least 1, 2, 3, 4 tokens are in the yard, then one for each place of that corner's own route, 1 on it or 0 |
//! | 3 | whether somebody sits one, two and three corners on |
//! | 4 | who rolls next, counted in corners from the seat |
//! | 2 | whether two or three tries are left |
//! | 3 | pips the own tokens have come over 44; their squares over 44² ; how many are settled |
//! | 3 × 4 | for each other corner: pips come over 44; own tokens, and pips over 44, that its next roll is expected to take; pips over 44 that the own next roll is expected to take from it |

use crate::engine::race::{Inputs, input};
use crate::engine::seat::Seat;

use super::Mensch;
use super::insight::{progress, settled};
use super::state::{BOARD, ONE_IN_YARD, RING, State, YARD, places, seen_from};

/// Inputs for each corner.
const CORNER: usize = 48;
/// Where the other inputs begin.
const OTHERS: usize = 4 * CORNER;

pub(super) const INPUTS: Inputs = Inputs {
    version: 1,
    count: OTHERS + 3 + 4 + 2 + 3 + 3 * 4,
};

impl Mensch {
    pub(super) fn write_inputs(&self, state: &State, seat: Seat, out: &mut [f32]) {
        let at = |corners: usize| Seat::new((seat.index() + corners) & 3);
        let words = [0, 1, 2, 3].map(|corners| state.word(at(corners)));
        for (corner, word) in words.into_iter().enumerate() {
            let block = &mut out[corner * CORNER..][..CORNER];
            block[..((word & YARD) / ONE_IN_YARD) as usize].fill(1.0);
            for place in places(word & BOARD) {
                block[3 + usize::from(place)] = 1.0;
            }
        }
        let others = &mut out[OTHERS..];
        let (taken, others) = others.split_at_mut(3);
        for (corner, taken) in (1..).zip(taken) {
            *taken = f32::from(u8::from(self.seats.contains(at(corner))));
        }
        let (next, others) = others.split_at_mut(4);
        next[(state.to().index() + 4 - seat.index()) & 3] = 1.0;
        let tries = self.tries(state);
        if tries > 1 {
            others[usize::from(tries) - 2] = 1.0;
        }
        let own = words[0] & BOARD;
        let squares: u32 = places(own).map(|place| u32::from(place).pow(2)).sum();
        others[2] = input(f64::from(progress(words[0])) / 44.0);
        others[3] = input(f64::from(squares) / (44.0 * 44.0));
        others[4] = input(f64::from(settled(own)));
        for (corner, dense) in (1..4).zip(others[5..].chunks_mut(4)) {
            let theirs = words[usize::from(corner)];
            let (tokens, lost) = self.toll(words[0], theirs, corner);
            let (_, taken) = self.toll(theirs, words[0], 4 - corner);
            dense[0] = input(f64::from(progress(theirs)) / 44.0);
            dense[1] = input(f64::from(tokens) / 216.0);
            dense[2] = input(f64::from(lost) / (216.0 * 44.0));
            dense[3] = input(f64::from(taken) / (216.0 * 44.0));
        }
    }

    /// How many of a seat's tokens, and of their pips, the next roll of the seat `corners` on is
    /// expected to take, in 216ths.
    fn toll(&self, mine: u64, theirs: u64, corners: u8) -> (u32, u32) {
        let (mut tokens, mut pips) = (0, 0);
        for place in places(mine & RING) {
            let chance = self.hit_chance(theirs, seen_from(place, corners));
            tokens += chance;
            pips += chance * u32::from(place);
        }
        (tokens, pips)
    }
}
