//! What a learned evaluator sees of tokens on this board.

use super::{GOAL, Place};

/// Inputs for four tokens: four that say whether at least 1, 2, 3, 4 are in the yard, one for
/// each square of the route with the number of tokens there, four for those at the goal.
pub(in crate::games) const TOKENS: usize = 4 + 71 + 4;

/// Writes the tokens of one seat into [`TOKENS`] zeros.
pub(in crate::games) fn show(places: [Place; 4], out: &mut [f32]) {
    let (mut yard, mut goal) = (0, TOKENS - 4);
    for place in places {
        match place {
            0 => {
                out[yard] = 1.0;
                yard += 1;
            }
            GOAL => {
                out[goal] = 1.0;
                goal += 1;
            }
            _ => out[3 + usize::from(place)] += 1.0,
        }
    }
}
