//! What a learned evaluator sees of a position of Parchís.
//!
//! | inputs | what |
//! |---|---|
//! | 4 × 79 | for the seat itself and the corners one, two and three on: four that say whether at least 1, 2, 3, 4 tokens are in the yard, one for each square of that corner's own route with the number of tokens there, four for the tokens at the goal |
//! | 3 | whether somebody sits one, two and three corners on |
//! | 4 | who rolls next, counted in corners from the seat |
//! | 2 | whether one or two sixes were rolled in the turn |
//! | 3 | pips each other corner has come, over 72 |
//! | 16 | the features of `racer`, each over its scale |

use crate::engine::race::{Inputs, MAX_FEATURES, Race, input};
use crate::engine::seat::Seat;
use crate::games::pachisi::GOAL;
use crate::games::pachisi::features::{TOKENS, show};

use super::Parchis;
use super::state::State;

/// Where the other inputs begin.
const OTHERS: usize = 4 * TOKENS;

pub(super) const INPUTS: Inputs = Inputs {
    version: 1,
    count: OTHERS + 3 + 4 + 2 + 3 + SCALES.len(),
};

/// What a feature of `racer` is divided by, in their order.
const SCALES: [f64; MAX_FEATURES] = [
    72.0, 72.0, 2.0, 2.0, 2.0, 1.0, 4.0, 2.0, 36.0, 0.5, 6.0, 36.0, 0.5, 72.0, 20.0, 12.0,
];

impl Parchis {
    pub(super) fn write_inputs(&self, state: &State, seat: Seat, out: &mut [f32]) {
        let at = |corners: usize| Seat::new((seat.index() + corners) & 3);
        let others = &mut out[OTHERS..];
        let next = (state.to().index() + 4 - seat.index()) & 3;
        others[3 + next] = 1.0;
        let sixes = usize::from(state.sixes());
        if sixes > 0 {
            others[6 + sixes] = 1.0;
        }
        for corner in 1..4 {
            if self.seats.contains(at(corner)) {
                others[corner - 1] = 1.0;
                let pips: u32 = state.places(at(corner)).into_iter().map(u32::from).sum();
                others[8 + corner] = input(f64::from(pips) / f64::from(GOAL));
            }
        }
        let mut features = [0.0; MAX_FEATURES];
        self.features(state, seat, &mut features);
        for (out, (feature, scale)) in others[12..].iter_mut().zip(features.iter().zip(SCALES)) {
            *out = input(feature / scale);
        }
        for corner in (0..4).filter(|&corner| self.seats.contains(at(corner))) {
            let block = &mut out[corner * TOKENS..][..TOKENS];
            show(state.places(at(corner)), block);
        }
    }
}
