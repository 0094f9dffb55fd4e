//! GNU Backgammon's Match ID: everything around the board in 12 characters.
//!
//! Seventy-two bits, the lowest first:
//!
//! | bits | meaning |
//! |---|---|
//! | 0-3 | cube, as a power of two |
//! | 4-5 | owner: player 0 or 1, 3 for the centre |
//! | 6 | the player on roll |
//! | 7 | Crawford game |
//! | 8-10 | 0 not started, 1 playing, 2 over, 3 resigned, 4 dropped |
//! | 11 | the player who decides |
//! | 12 | a double is offered |
//! | 13-14 | resignation offered: 0 none, 1 single, 2 gammon, 3 backgammon |
//! | 15-17, 18-20 | the dice, 0 before the roll |
//! | 21-35 | length of the match, 0 for money |
//! | 36-50, 51-65 | score of player 0, of player 1 |
//! | 66 | the Jacoby rule is *not* in use |
//!
//! Beavers and the cap of the cube are not carried.

use super::{B, Offer, Phase, Position, base64};
use crate::engine::game::PositionError;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;

const FIELD: &str = "Match ID";
const BYTES: usize = 9;
const CENTRE: u32 = 3;
const PHASES: [Phase; 5] = [
    Phase::NotStarted,
    Phase::Playing,
    Phase::Over,
    Phase::Resigned,
    Phase::Dropped,
];

/// The Match ID of a position.
///
/// # Errors
/// When the position contradicts itself, see [`Position::check`].
pub fn write(position: &Position) -> Result<String, PositionError> {
    position.check()?;
    let mut bits = Bits::default();
    bits.push(4, position.cube.into());
    bits.push(
        2,
        position.owner.map_or(CENTRE, |owner| owner.index() as u32),
    );
    bits.push(1, position.to.index() as u32);
    bits.push(1, position.crawford.into());
    bits.push(3, position.phase as u32);
    bits.push(1, position.decides.index() as u32);
    bits.push(1, (position.offer == Some(Offer::Double)).into());
    bits.push(2, resignation(position));
    for die in position.dice.unwrap_or([0; 2]) {
        bits.push(3, die.into());
    }
    bits.push(15, position.length);
    bits.push(15, position.score[0]);
    bits.push(15, position.score[1]);
    bits.push(1, (!position.jacoby).into());
    Ok(base64::encode::<BYTES>(bits.word))
}

/// The position of a Match ID on a board seen by the player on roll.
///
/// # Errors
/// When the text is no Match ID or contradicts itself or the board.
pub fn read(text: &str, board: Board) -> Result<Position, PositionError> {
    let mut bits = Bits {
        word: base64::decode::<BYTES>(FIELD, text.trim())?,
        at: 0,
    };
    let cube = bits.pull(4) as u8;
    let owner = owner(bits.pull(2))?;
    let to = player(bits.pull(1));
    let crawford = bits.pull(1) == 1;
    let phase = phase(bits.pull(3))?;
    let decides = player(bits.pull(1));
    let doubled = bits.pull(1) == 1;
    let offer = offer(doubled, bits.pull(2))?;
    let dice = dice([bits.pull(3), bits.pull(3)])?;
    let length = bits.pull(15);
    let score = [bits.pull(15), bits.pull(15)];
    // Matches of older programs leave the bit clear; the rule is one of money play.
    let jacoby = bits.pull(1) == 0 && length == 0;
    if bits.word >> bits.at != 0 {
        return Err(PositionError::new(FIELD, "more than 67 bits are in use"));
    }
    let position = Position {
        board,
        to,
        decides,
        dice,
        cube,
        owner,
        offer,
        phase,
        score,
        length,
        crawford,
        jacoby,
        beavers: false,
        cube_cap: None,
    };
    position.check()?;
    Ok(position)
}

fn resignation(position: &Position) -> u32 {
    match position.offer {
        Some(Offer::Resign(level)) => level.into(),
        _ => 0,
    }
}

fn player(bit: u32) -> Seat {
    if bit == 1 { B } else { Seat::A }
}

fn owner(bits: u32) -> Result<Option<Seat>, PositionError> {
    match bits {
        0 | 1 => Ok(Some(player(bits))),
        CENTRE => Ok(None),
        _ => Err(PositionError::new(
            "cube owner",
            format!("{bits}; expected 0, 1 or {CENTRE} for the centre"),
        )),
    }
}

fn phase(bits: u32) -> Result<Phase, PositionError> {
    PHASES
        .get(bits as usize)
        .copied()
        .ok_or_else(|| PositionError::new("game state", format!("{bits}; expected 0 to 4")))
}

fn offer(doubled: bool, resigned: u32) -> Result<Option<Offer>, PositionError> {
    match (doubled, resigned) {
        (false, 0) => Ok(None),
        (true, 0) => Ok(Some(Offer::Double)),
        (false, level) => Ok(Some(Offer::Resign(level as u8))),
        (true, _) => Err(PositionError::new(
            "offer",
            "a double and a resignation at once; expected one",
        )),
    }
}

fn dice(faces: [u32; 2]) -> Result<Option<[u8; 2]>, PositionError> {
    match faces {
        [0, 0] => Ok(None),
        [0, die] | [die, 0] => Err(PositionError::new(
            "dice",
            format!("only one die, {die}; expected two or none"),
        )),
        faces => Ok(Some(faces.map(|die| die as u8))),
    }
}

/// The key of a match and the bit it is at.
#[derive(Default)]
struct Bits {
    word: u128,
    at: u32,
}

impl Bits {
    fn push(&mut self, width: u32, value: u32) {
        self.word |= u128::from(value) << self.at;
        self.at += width;
    }

    fn pull(&mut self, width: u32) -> u32 {
        let value = (self.word >> self.at) & ((1 << width) - 1);
        self.at += width;
        value as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turn_of_a_money_game() {
        let position = Position::money(Board::START);
        assert_eq!(write(&position).as_deref(), Ok("cAkAAAAAAAAA"));
        assert_eq!(read("cAkAAAAAAAAA", Board::START), Ok(position));
    }

    #[test]
    fn a_double_a_beaver_and_a_raccoon() {
        // As GNU Backgammon shows a money game after `double`, `redouble`, `redouble`.
        let read = |text| read(text, Board::START).expect("a Match ID");
        let double = read("cBEAAAAAAAAA");
        assert_eq!((double.to, double.decides), (B, Seat::A));
        assert_eq!(double.offer, Some(Offer::Double));
        let beaver = read("QRkAAAAAAAAA");
        assert_eq!((beaver.cube, beaver.owner), (1, Some(Seat::A)));
        assert_eq!((beaver.to, beaver.decides), (B, B));
        assert!(beaver.is_beaver() && !double.is_beaver());
        let raccoon = read("QhEAAAAAAAAA");
        assert_eq!((raccoon.cube, raccoon.decides), (2, Seat::A));
        for (text, position) in [("cBEAAAAAAAAA", double), ("QhEAAAAAAAAA", raccoon)] {
            assert_eq!(write(&position).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_text_that_is_no_match_id_is_refused() {
        let reason = |text| read(text, Board::START).expect_err("no ID").to_string();
        insta::assert_snapshot!(reason("cAkAAAAAAAA"), @"Match ID: 11 characters; expected 12");
        insta::assert_snapshot!(reason("cAk!AAAAAAAA"), @"Match ID: '!' is no base64; expected A to Z, a to z, 0 to 9, + or /");
        insta::assert_snapshot!(reason("YAkAAAAAAAAA"), @"cube owner: 2; expected 0, 1 or 3 for the centre");
        insta::assert_snapshot!(reason("cIkDAAAAAAAA"), @"dice: only one die, 7; expected two or none");
        insta::assert_snapshot!(reason("cIkfAAAAAAAA"), @"dice: 7 is no face of a die; expected 1 to 6");
        insta::assert_snapshot!(reason("cAmgAFAAAAAE"), @"score: 5; expected less than the 5 of the match");
        insta::assert_snapshot!(reason("cAkAAAAAAAAg"), @"Match ID: more than 67 bits are in use");
    }
}
