//! What a learned evaluator sees of a position of Chińczyk.
//!
//! | inputs | what |
//! |---|---|
//! | 5 × 79 | for the seat itself, the corners one, two (if an enemy) and three on, and the partner: four that say whether at least 1, 2, 3, 4 tokens are in the yard, one for each square of that corner's own route with the number of tokens there, four for the tokens at the goal |
//! | 3 | whether somebody sits one, two and three corners on |
//! | 1 | whether there are teams |
//! | 4 | who rolls next, counted in corners from the seat |
//! | 2 | whether one or two doublets were played in the turn |
//! | 3 | pips each other corner has come, over 72 |
//! | 13 | the features of `racer`, each over its scale |

use crate::engine::race::{Inputs, MAX_FEATURES, Race, input};
use crate::engine::seat::Seat;
use crate::games::pachisi::GOAL;
use crate::games::pachisi::features::{TOKENS, show};

use super::{Chinczyk, State};

/// Where the inputs other than tokens begin.
const OTHERS: usize = 5 * TOKENS;

pub(super) const INPUTS: Inputs = Inputs {
    version: 1,
    count: OTHERS + 3 + 1 + 4 + 2 + 3 + SCALES.len(),
};

/// What a feature of `racer` is divided by, in their order.
const SCALES: [f64; 13] = [
    72.0, 72.0, 2.0, 2.0, 36.0, 36.0, 1.0, 4.0, 2.0, 2.0, 12.0, 72.0, 72.0,
];

impl Chinczyk {
    pub(super) fn write_inputs(&self, state: &State, seat: Seat, out: &mut [f32]) {
        let at = |corners: usize| Seat::new((seat.index() + corners) & 3);
        let others = &mut out[OTHERS..];
        let has_teams = self.switches.teams;
        others[3] = f32::from(u8::from(has_teams));
        others[4 + ((state.to().index() + 4 - seat.index()) & 3)] = 1.0;
        let doublets = usize::from(state.memory().doubles());
        if doublets > 0 {
            others[7 + doublets.min(2)] = 1.0;
        }
        for corner in (1..4).filter(|&corner| self.seats.contains(at(corner))) {
            others[corner - 1] = 1.0;
            let pips = f64::from(state.0.progress(at(corner)));
            others[9 + corner] = input(pips / f64::from(GOAL));
        }
        let mut features = [0.0; MAX_FEATURES];
        self.features(state, seat, &mut features);
        for (out, (feature, scale)) in others[13..].iter_mut().zip(features.iter().zip(SCALES)) {
            *out = input(feature / scale);
        }
        for corner in (0..4).filter(|&corner| self.seats.contains(at(corner))) {
            let block = if corner == 2 && has_teams { 4 } else { corner };
            let block = &mut out[block * TOKENS..][..TOKENS];
            show(state.0.places(at(corner)), block);
        }
    }
}
