//! XGID: a position in one line, as eXtreme Gammon writes it.
//!
//! `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`, ten fields between colons:
//!
//! 1. the board as X sees it: 26 characters for O's bar, X's points 1 to 24 and X's bar; `A` to
//!    `O` are 1 to 15 checkers of X, `a` to `o` of O, `-` none;
//! 2. the cube as a power of two; 3. its owner and 4. the player on roll: 1 for X, -1 for O,
//!    0 for the centre;
//! 5. `00` before the roll, the dice, or `D` when a double waits for its answer;
//! 6. and 7. the score of X and of O;
//! 8. in a match 1 for the Crawford game; in money play 1 for Jacoby, plus 2 for beavers;
//! 9. the length of the match, 0 for money play; 10. the highest cube as a power of two.
//!
//! X is `B`. A resignation, a beaver that waits and a finished game are not carried.

use std::fmt::Write as _;
use std::str::FromStr;

use super::position::{MAX_CUBE, from_signed, to_signed};
use super::{B, Offer, Phase, Position, opponent};
use crate::engine::game::PositionError;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;

/// What a text may start with.
const PREFIX: &str = "XGID=";
/// The highest cube where a position names none, as eXtreme Gammon has it: 1024.
const DEFAULT_CAP: u8 = 10;

/// The XGID of a position, with its prefix.
///
/// # Errors
/// When the position contradicts itself, or has something no XGID carries.
pub fn write(position: &Position) -> Result<String, PositionError> {
    position.check()?;
    carried("XGID", position)?;
    if position.is_beaver() {
        return Err(PositionError::new(
            "offer",
            "an XGID carries no beaver; expected a plain double or none",
        ));
    }
    let mut text = format!("{PREFIX}{}", board_text(position));
    let dice = match (position.offer, position.dice) {
        (Some(_), _) => "D".to_owned(),
        (None, Some([first, second])) => format!("{first}{second}"),
        (None, None) => "00".to_owned(),
    };
    let rule = if position.length > 0 {
        u8::from(position.crawford)
    } else {
        u8::from(position.jacoby) + 2 * u8::from(position.beavers)
    };
    let _ = write!(
        text,
        ":{}:{}:{}:{dice}:{}:{}:{rule}:{}:{}",
        position.cube,
        position.owner.map_or(0, sign),
        sign(position.to),
        position.score[B.index()],
        position.score[Seat::A.index()],
        position.length,
        position.cube_cap.unwrap_or(DEFAULT_CAP.max(position.cube)),
    );
    Ok(text)
}

/// Refuses what neither an XGID nor a FIBS line carries.
pub(super) fn carried(format: &str, position: &Position) -> Result<(), PositionError> {
    if let Some(Offer::Resign(_)) = position.offer {
        let reason = format!("{format} carries no resignation; expected a double or none");
        return Err(PositionError::new("offer", reason));
    }
    if position.phase != Phase::Playing {
        let reason = format!("{format} carries games in play only");
        return Err(PositionError::new("game state", reason));
    }
    Ok(())
}

/// The position of an XGID, with or without its prefix and its last field.
///
/// # Errors
/// When the text is no XGID or contradicts itself; the error names the field.
pub fn read(text: &str) -> Result<Position, PositionError> {
    let text = text.trim();
    let text = strip_prefix(text);
    let fields: Vec<&str> = text.split(':').map(str::trim).collect();
    if !(9..=10).contains(&fields.len()) {
        let reason = format!("{} fields between colons; expected 10", fields.len());
        return Err(PositionError::new("XGID", reason));
    }
    let to = player("turn", fields[3])?;
    let to = to.ok_or_else(|| PositionError::new("turn", "0; expected 1 or -1"))?;
    let doubled = fields[4].eq_ignore_ascii_case("D");
    let length: u32 = number("match length", fields[8])?;
    let rule: u8 = number("rules", fields[7])?;
    let highest = if length > 0 { 1 } else { 3 };
    if rule > highest {
        let reason = format!("{rule}; expected 0 to {highest}");
        return Err(PositionError::new("rules", reason));
    }
    let position = Position {
        board: read_board(fields[0], to)?,
        to,
        decides: if doubled { opponent(to) } else { to },
        dice: if doubled { None } else { dice(fields[4])? },
        cube: number("cube", fields[1])?,
        owner: player("cube owner", fields[2])?,
        offer: doubled.then_some(Offer::Double),
        phase: Phase::Playing,
        score: [number("score", fields[6])?, number("score", fields[5])?],
        length,
        crawford: length > 0 && rule == 1,
        jacoby: length == 0 && rule & 1 == 1,
        beavers: length == 0 && rule & 2 == 2,
        cube_cap: fields.get(9).map(|field| cap(field)).transpose()?,
    };
    position.check()?;
    if position.is_beaver() {
        return Err(PositionError::new(
            "cube owner",
            "the player who doubles does not own the cube; expected it centred or his",
        ));
    }
    Ok(position)
}

/// The text after `XGID=`, in whatever case.
pub(super) fn strip_prefix(text: &str) -> &str {
    match text.get(..PREFIX.len()) {
        Some(start) if start.eq_ignore_ascii_case(PREFIX) => text[PREFIX.len()..].trim_start(),
        _ => text,
    }
}

fn board_text(position: &Position) -> String {
    let letter = |count: i8| match count {
        0 => '-',
        1.. => char::from(b'A' + count.unsigned_abs() - 1),
        _ => char::from(b'a' + count.unsigned_abs() - 1),
    };
    to_signed(position).map(letter).iter().collect()
}

fn read_board(text: &str, to: Seat) -> Result<Board, PositionError> {
    let found = text.chars().count();
    if found != 26 {
        let reason = format!("{found} characters; expected 26");
        return Err(PositionError::new("board", reason));
    }
    let mut signed = [0; 26];
    for (count, letter) in signed.iter_mut().zip(text.chars()) {
        *count = match letter {
            '-' => 0,
            'A'..='O' => (letter as u8 - b'A' + 1).cast_signed(),
            'a'..='o' => -(letter as u8 - b'a' + 1).cast_signed(),
            _ => {
                let reason = format!("{letter:?}; expected - or a letter from A to O or a to o");
                return Err(PositionError::new("board", reason));
            }
        };
    }
    from_signed(&signed, to)
}

fn sign(seat: Seat) -> i8 {
    if seat == B { 1 } else { -1 }
}

fn player(field: &str, text: &str) -> Result<Option<Seat>, PositionError> {
    match text {
        "1" => Ok(Some(B)),
        "-1" => Ok(Some(Seat::A)),
        "0" => Ok(None),
        _ => Err(PositionError::new(
            field,
            format!("{}; expected 1, 0 or -1", quoted(text)),
        )),
    }
}

fn dice(text: &str) -> Result<Option<[u8; 2]>, PositionError> {
    match text.as_bytes() {
        b"00" => Ok(None),
        [first @ b'1'..=b'6', second @ b'1'..=b'6'] => Ok(Some([first - b'0', second - b'0'])),
        _ => Err(PositionError::new(
            "dice",
            format!(
                "{}; expected 00, two faces as in 31, or D for a double",
                quoted(text)
            ),
        )),
    }
}

/// The cap of the cube; one beyond what any notation counts is none.
fn cap(text: &str) -> Result<u8, PositionError> {
    let cap: u8 = number("highest cube", text)?;
    if cap > MAX_CUBE {
        let reason = format!("2^{cap}; expected at most 2^{MAX_CUBE}");
        return Err(PositionError::new("highest cube", reason));
    }
    Ok(cap)
}

/// A text of the input in an error: on one line, whatever it holds.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.escape_debug())
}

/// A plain decimal number in a field.
pub(super) fn number<T: FromStr>(field: &str, text: &str) -> Result<T, PositionError> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().ok_or_else(|| {
        PositionError::new(
            field,
            format!("{}; expected a number in range", quoted(text)),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10";

    #[test]
    fn the_start_of_a_money_game() {
        let position = Position {
            cube_cap: Some(10),
            ..Position::money(Board::START)
        };
        assert_eq!(read(START), Ok(position));
        assert_eq!(read(&format!("\txgid= {} ", &START[5..])), Ok(position));
        assert_eq!(
            read(&START[5..START.len() - 3]).map(|p| p.cube_cap),
            Ok(None)
        );
        assert_eq!(write(&position).as_deref(), Ok(START));
    }

    #[test]
    fn the_board_is_seen_by_x_whoever_rolls() {
        // GNU Backgammon reads this as jM/gDQDYzeAJIA.
        let text = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8";
        let position = read(text).expect("an XGID");
        assert_eq!(position.to, Seat::A);
        assert_eq!(
            super::super::position_id::write(&position.board),
            "jM/gDQDYzeAJIA"
        );
        assert_eq!(write(&position).as_deref(), Ok(text));
    }

    #[test]
    fn a_double_waits_for_the_other_player() {
        let position = read(&START.replace(":00:", ":D:")).expect("an XGID");
        assert_eq!((position.to, position.decides), (B, Seat::A));
        assert_eq!(write(&position).map(|text| text.contains(":D:")), Ok(true));
    }

    #[test]
    fn a_text_that_is_no_xgid_is_refused() {
        let reason = |from: &str, to: &str| {
            let text = START.replace(from, to);
            read(&text).expect_err(&text).to_string()
        };
        insta::assert_snapshot!(reason(":0:10", ""), @"XGID: 8 fields between colons; expected 10");
        insta::assert_snapshot!(reason("E---c", "E--c"), @"board: 25 characters; expected 26");
        insta::assert_snapshot!(reason("E-C", "E-P"), @"board: 'P'; expected - or a letter from A to O or a to o");
        insta::assert_snapshot!(reason("E-C", "E-H"), @"board: 20 checkers of one side; expected at most 15");
        insta::assert_snapshot!(reason("=-b", "=Ab"), @"board: a checker on the other side's bar; expected each on its own");
        insta::assert_snapshot!(reason("00", "07"), @"dice: '07'; expected 00, two faces as in 31, or D for a double");
        insta::assert_snapshot!(reason("00", "B"), @"dice: 'B'; expected 00, two faces as in 31, or D for a double");
        insta::assert_snapshot!(reason(":0:0:1:00", ":11:0:1:00"), @"cube: 2^11; expected at most 2^10");
        insta::assert_snapshot!(reason(":0:0:1:00", ":0:1:1:00"), @"cube owner: somebody owns a cube of 1; expected the centre");
        insta::assert_snapshot!(reason(":0:0:1:00", ":0:0:0:00"), @"turn: 0; expected 1 or -1");
        insta::assert_snapshot!(reason(":1:0:10", ":1:7:10"), @"Crawford: set; expected a match in which somebody is one point away");
        insta::assert_snapshot!(reason("00:0:0:1:0", "00:7:0:0:7"), @"score: 7; expected less than the 7 of the match");
        insta::assert_snapshot!(reason(":1:0:10", ":4:0:10"), @"rules: 4; expected 0 to 3");
        insta::assert_snapshot!(reason(":1:0:10", ":1:0:99"), @"highest cube: 2^99; expected at most 2^15");
        insta::assert_snapshot!(reason(":1:0:10", ":1:x:10"), @"match length: 'x'; expected a number in range");
    }
}
