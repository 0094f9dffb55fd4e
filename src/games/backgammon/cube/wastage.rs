//! The effective pip count: pips plus what the bear-off will waste.
//!
//! W. Trice, "Effective Pip Count", 2000: the effective pip count is the mean number of rolls to
//! bear off times the mean of a roll, 49/6 pips; wastage is what it exceeds the pip count by.

use crate::games::backgammon::board::Side;

/// Pips of a mean roll, doubles played four times.
pub const PIPS_PER_ROLL: f64 = 49.0 / 6.0;

/// Wastage of any bear-off, in pips.
const BASE: f64 = 1.15;
/// Wastage of each checker on the points 1 to 5, in pips; on 6 and beyond it wastes nothing.
const CHECKER: [f64; 5] = [2.15, 1.42, 0.90, 0.37, 0.16];
/// Wastage of each empty point of the home board, in pips.
const GAP: f64 = 1.45;

/// An estimate of the pips a side will waste in bearing off.
///
/// Linear in the checkers on each point and the number of empty points, by least squares over all
/// 54,263 positions with up to 15 checkers in the home board, solved exactly for the least mean
/// number of rolls: root mean square error 1.0 pips, at worst 6.5 (a few checkers). A checker
/// outside counts as one on the six point, since it can still come there without waste.
pub fn wastage(side: Side) -> f64 {
    if side.left() == 0 {
        return 0.0;
    }
    let checkers = (1..).zip(CHECKER);
    let stacked = checkers.fold(BASE, |sum, (point, waste)| {
        sum + f64::from(side.count(point)) * waste
    });
    let empty_below = (1..6).filter(|&point| side.count(point) == 0).count();
    let empty_six = usize::from(side.rear() < 6);
    stacked + (empty_below + empty_six) as f64 * GAP
}

/// An estimate of the effective pip count.
pub fn effective_pips(side: Side) -> f64 {
    f64::from(side.pips()) + wastage(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(counts: [u8; 6]) -> Side {
        let mut all = [0; 26];
        all[1..7].copy_from_slice(&counts);
        Side::from_counts(&all)
    }

    /// Exact effective pip counts; the stacks on the ace point are Trice's 7n + 1 for n rolls.
    #[test]
    fn near_exact_counts() {
        let exact = [
            ([15, 0, 0, 0, 0, 0], 57.0),
            ([13, 0, 0, 0, 0, 0], 50.0),
            ([0, 0, 0, 5, 5, 5], 82.269),
            ([0, 0, 0, 0, 0, 15], 100.174),
        ];
        for (counts, pips) in exact {
            let found = effective_pips(home(counts));
            assert!((found - pips).abs() < 2.0, "{counts:?}: {found} for {pips}");
        }
    }

    #[test]
    fn nothing_left_wastes_nothing() {
        assert_eq!(wastage(Side::default()).to_bits(), 0f64.to_bits());
    }

    /// Two checkers on 8 waste what two on 6 do: five gaps below, none on the six point.
    #[test]
    fn a_checker_outside_fills_the_six_point() {
        let mut counts = [0; 26];
        counts[8] = 2;
        let outside = wastage(Side::from_counts(&counts));
        assert_eq!(
            outside.to_bits(),
            wastage(home([0, 0, 0, 0, 0, 2])).to_bits()
        );
    }
}
