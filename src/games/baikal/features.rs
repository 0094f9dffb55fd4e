//! What a learned evaluator sees of a position of the Baikal race: the same for every board and
//! number of seats.
//!
//! | inputs | what |
//! |---|---|
//! | 4 × 40 | for the seat itself, the next one, the one before (if that is another), and the mean of all others: four that say whether at least 1, 2, 3, 4 tokens are in the reserve, four for those held by others, the tokens on the ring in 24 equal parts of the way, those on ONE, THREE and FIVE, those on H0 to H3, and whether the seat skips its next turn |
//! | 7 | 2 to 8 seats |
//! | 3 | level |
//! | 4 | who rolls next: the seat itself, the next one, the one before, another |
//! | 8 | the features of `racer`, each over its scale |

use crate::engine::race::{Inputs, MAX_FEATURES, Race, input};
use crate::engine::seat::Seat;

use super::Baikal;
use super::route::Place;
use super::rules::Level;
use super::state::State;

/// Parts of the way round the ring.
const PARTS: usize = 24;
/// Inputs for one seat.
const SEAT: usize = 4 + 4 + PARTS + 3 + 4 + 1;
/// Where the inputs other than of seats begin.
const OTHERS: usize = 4 * SEAT;

pub(super) const INPUTS: Inputs = Inputs {
    version: 1,
    count: OTHERS + 7 + 3 + 4 + 8,
};

impl<const SEATS: usize> Baikal<SEATS> {
    pub(super) fn write_inputs(&self, state: &State<SEATS>, seat: Seat, out: &mut [f32]) {
        let slot = self.slot(seat);
        // How far on a slot is, and the block it is shown in.
        let on = |other: usize| (other + self.count - slot) % self.count;
        let block_of = |on: usize| match on {
            0 | 1 => on,
            _ if on + 1 == self.count => 2,
            _ => 3,
        };
        let pooled = self.count.saturating_sub(3).max(1) as f64;
        for other in 0..self.count {
            let block = block_of(on(other));
            let share = if block == 3 { 1.0 / pooled } else { 1.0 };
            let block = &mut out[block * SEAT..][..SEAT];
            self.show(state, other, input(share), block);
        }
        let others = &mut out[OTHERS..];
        others[(self.count.max(2) - 2).min(6)] = 1.0;
        others[7 + match self.rules.level {
            Level::Sprint => 0,
            Level::Classic => 1,
            Level::Serious => 2,
        }] = 1.0;
        others[10 + block_of(on(state.to()))] = 1.0;
        let way = f64::from(self.route.course()) / 4.0;
        let scales = [way, 2.0, 1.0, 2.0, way / 2.0, 1.0, 1.0, way];
        let mut features = [0.0; MAX_FEATURES];
        self.features(state, seat, &mut features);
        for (out, (feature, scale)) in others[14..].iter_mut().zip(features.iter().zip(scales)) {
            *out = input(feature / scale);
        }
    }

    /// Adds the tokens of a slot, each as `share`.
    fn show(&self, state: &State<SEATS>, slot: usize, share: f32, out: &mut [f32]) {
        let (mut reserve, mut held) = (0, 4);
        for code in state.codes(slot) {
            let place = self.route.place(code);
            match place {
                Place::Reserve => {
                    out[reserve] += share;
                    reserve += 1;
                }
                Place::Held(_) => {
                    out[held] += share;
                    held += 1;
                }
                Place::Pocket(_, depth) => out[8 + PARTS + usize::from(depth)] += share,
                Place::Lane(depth) => out[11 + PARTS + usize::from(depth)] += share,
                Place::Fresh | Place::Ring(_) => {
                    let pips = usize::from(self.route.pips(code));
                    let part = pips * PARTS / (usize::from(self.route.ring) + 1);
                    out[8 + part] += share;
                }
            }
        }
        if state.skips(slot) {
            out[SEAT - 1] += share;
        }
    }
}
