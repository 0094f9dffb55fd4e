//! What the nets are shown of a board.
//!
//! For each side, the one to roll first:
//!
//! | inputs | contact | race | value |
//! |---|---|---|---|
//! | each point, 1 to 24 | 4 | 4 | one checker; two; three or more; half of those beyond three |
//! | bar | 2 | - | one or more; half of those beyond one |
//! | off | 3 | 3 | quarters of the first, second and third five |
//! | features | 24 | 6 | see [`features`] |
//!
//! Every input is a multiple of 1/128 below 8 and every weight of a finished net one of 2^-10, so
//! that the products are multiples of 2^-17 and sums below 64 exact in an f32: however a sum is
//! put together, from nothing or from a similar board's, its bits are the same.

use crate::games::backgammon::board::Board;

use super::features::{self, Sketch};

/// The version of the inputs: a net read from a file must have been trained on these.
pub(super) const VERSION: u32 = 1;

/// Inputs of a side that say where its checkers are, without the bar.
const PLACES: usize = 24 * 4 + 3;
/// Inputs of the contact net.
pub(super) const CONTACT: usize = 2 * (PLACES + 2 + features::CONTACT);
/// Inputs of the race net.
pub(super) const RACE: usize = 2 * (PLACES + features::RACE);

/// The four inputs of a point by its checkers.
const POINT: [[f32; 4]; 16] = {
    let mut units = [[0.0, 0.0, 1.0, 0.0]; 16];
    units[0] = [0.0; 4];
    units[1] = [1.0, 0.0, 0.0, 0.0];
    units[2] = [0.0, 1.0, 0.0, 0.0];
    let mut count = 4;
    while count < 16 {
        units[count][3] = (count - 3) as f32 / 2.0;
        count += 1;
    }
    units
};

/// The two inputs of the bar by its checkers.
fn bar(count: u8) -> [f32; 2] {
    [
        f32::from(count.min(1)),
        f32::from(count.saturating_sub(1)) / 2.0,
    ]
}

/// The three inputs of the checkers borne off.
fn off(count: u8) -> [f32; 3] {
    [0, 5, 10].map(|full: u8| f32::from(count.saturating_sub(full).min(5)) / 4.0)
}

/// Writes inputs one after another.
struct Writer<'a>(&'a mut [f32]);

impl Writer<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, values: [f32; N]) {
        let (now, later) = std::mem::take(&mut self.0).split_at_mut(N);
        now.copy_from_slice(&values);
        self.0 = later;
    }

    #[inline(always)]
    fn places(&mut self, side: &Sketch) {
        for &count in &side.counts[1..=24] {
            self.put(POINT[usize::from(count & 15)]);
        }
        self.put(off(side.counts[0]));
    }
}

#[inline(always)]
fn scaled<const N: usize>(features: [u32; N]) -> [f32; N] {
    features.map(|feature| feature as f32 / 128.0)
}

/// Writes the inputs of a board with contact.
#[inline]
pub(super) fn contact(board: &Board, out: &mut [f32; CONTACT]) {
    let (mover, other) = (Sketch::of(board.mover), Sketch::of(board.other));
    let mut out = Writer(out);
    for (me, opponent) in [(&mover, &other), (&other, &mover)] {
        out.places(me);
        out.put(bar(me.counts[25]));
        out.put(scaled(features::contact(me, opponent)));
    }
}

/// Writes the inputs of a board without contact.
#[inline]
pub(super) fn race(board: &Board, out: &mut [f32; RACE]) {
    let mut out = Writer(out);
    for me in [Sketch::of(board.mover), Sketch::of(board.other)] {
        out.places(&me);
        out.put(scaled(features::race(&me)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::{CHECKERS, Side};
    use crate::games::backgammon::moves::Plays;

    /// Every input is on the grid that makes sums exact.
    fn check(values: &[f32], board: &Board) {
        for (place, &value) in values.iter().enumerate() {
            let steps = value * 128.0;
            let is_whole = steps.to_bits() == steps.trunc().to_bits();
            assert!(
                is_whole && (0.0..1024.0).contains(&steps),
                "{place}: {value} of {board:?}"
            );
        }
    }

    #[test]
    fn inputs_are_multiples_of_a_128th_below_8() {
        let (mut board, mut plays) = (Board::START, Plays::default());
        let mut contact_values = [0.0; CONTACT];
        let mut race_values = [0.0; RACE];
        for turn in 0..400u32 {
            plays.generate(&board, ((turn % 6 + 1) as u8, (turn / 6 % 6 + 1) as u8));
            // Odd choices lead to odd boards.
            board = plays[(turn as usize * 7) % plays.len()].swapped();
            if board.mover.rear() == 0 || board.other.rear() == 0 {
                board = Board::START;
            }
            contact(&board, &mut contact_values);
            check(&contact_values, &board);
            race(&board, &mut race_values);
            check(&race_values, &board);
        }
    }

    /// All checkers of both sides where they weigh most.
    #[test]
    fn inputs_of_crowded_points_stay_below_8() {
        for point in 1..=25 {
            let mut counts = [0; 26];
            counts[point] = CHECKERS;
            let side = Side::from_counts(&counts);
            let board = Board {
                mover: side,
                other: side,
            };
            let mut values = [0.0; CONTACT];
            contact(&board, &mut values);
            check(&values, &board);
        }
    }

    #[test]
    fn both_sides_look_alike_at_the_start() {
        let mut values = [0.0; CONTACT];
        contact(&Board::START, &mut values);
        let (mover, other) = values.split_at(CONTACT / 2);
        assert_eq!(mover, other);
        // Point 6 holds five checkers, point 24 two.
        assert_eq!(mover[20..24], [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(mover[92..96], [0.0, 1.0, 0.0, 0.0]);
    }
}
