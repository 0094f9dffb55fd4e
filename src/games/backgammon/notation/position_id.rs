//! GNU Backgammon's Position ID: a board in 14 characters.
//!
//! Eighty bits, the lowest first: for the player *not* on roll and then for the player on roll,
//! for each of the points 1 to 24 and the bar as many ones as checkers stand there, and a zero.

use super::base64;
use super::position::side_on_board;
use crate::engine::game::PositionError;
use crate::games::backgammon::board::{BAR, Board, Side};

const FIELD: &str = "Position ID";
const BYTES: usize = 10;

/// The Position ID of a board, `4HPwATDgc/ABMA` for the start.
pub fn write(board: &Board) -> String {
    let mut bits = Bits::default();
    bits.push(board.other);
    bits.push(board.mover);
    base64::encode::<BYTES>(bits.word)
}

/// The board of a Position ID. A side has fifteen checkers: those not on the board are off.
///
/// # Errors
/// When the text is no Position ID, or a side would have more than fifteen checkers.
pub fn read(text: &str) -> Result<Board, PositionError> {
    let mut bits = Bits {
        word: base64::decode::<BYTES>(FIELD, text.trim())?,
        ..Bits::default()
    };
    let other = bits.pull()?;
    let mover = bits.pull()?;
    if bits.word >> bits.at != 0 {
        return Err(PositionError::new(
            FIELD,
            "checkers beyond the bar; expected 25 groups for each side",
        ));
    }
    Ok(Board { mover, other })
}

/// The key of a board and the bit it is at.
#[derive(Default)]
struct Bits {
    word: u128,
    at: u32,
}

impl Bits {
    fn push(&mut self, side: Side) {
        for point in 1..=BAR {
            let count = u32::from(side.count(point));
            self.word |= ((1 << count) - 1) << self.at;
            self.at += count + 1;
        }
    }

    fn pull(&mut self) -> Result<Side, PositionError> {
        let mut counts = [0; 26];
        for count in &mut counts[1..] {
            let ones = (self.word >> self.at).trailing_ones();
            *count = ones as u8;
            self.at += ones + 1;
            // Eighty bits hold at most eighty ones, so a full word ends here.
            if self.at > 8 * BYTES as u32 {
                return Err(PositionError::new(
                    FIELD,
                    "more checkers than 80 bits hold; expected at most 15 a side",
                ));
            }
        }
        side_on_board(counts).map_err(|error| PositionError::new(FIELD, error.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start() {
        assert_eq!(write(&Board::START), "4HPwATDgc/ABMA");
        assert_eq!(read(" 4HPwATDgc/ABMA\n"), Ok(Board::START));
    }

    #[test]
    fn the_player_not_on_roll_comes_first() {
        let board = Board {
            mover: Board::START.mover.step(6, 5),
            other: Board::START.other,
        };
        assert_eq!(write(&board)[..7], write(&Board::START)[..7]);
        assert_eq!(read(&write(&board)), Ok(board));
    }

    #[test]
    fn a_text_that_is_no_position_id_is_refused() {
        let reason = |text| read(text).expect_err("no ID").to_string();
        insta::assert_snapshot!(reason("4HPwATDgc/ABM"), @"Position ID: 13 characters; expected 14");
        insta::assert_snapshot!(reason("4HPwATDgc-ABMA"), @"Position ID: '-' is no base64; expected A to Z, a to z, 0 to 9, + or /");
        insta::assert_snapshot!(reason("//////////////"), @"Position ID: the last character holds more than the 80 bits");
        insta::assert_snapshot!(reason("/////wAAAAAAAA"), @"Position ID: 32 checkers of one side; expected at most 15");
        insta::assert_snapshot!(reason("AAAAAAAAAAAAgA"), @"Position ID: checkers beyond the bar; expected 25 groups for each side");
    }
}
