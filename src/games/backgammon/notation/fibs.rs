//! The `board:` line of FIBS, which GNU Backgammon's external player speaks too.
//!
//! Fifty-three fields between colons: `board`, both names ("you" first), the length of the match
//! (0, or 9999 on FIBS, for money play), both scores, 26 signed counts of checkers, the colour of
//! the player on roll (1 or -1), your dice and the opponent's, the cube, whether you and whether
//! the opponent may double, whether a double waits, your colour and direction, your home and bar,
//! checkers off and on the bar (you, opponent), how many can move, a forced move, whether the
//! Crawford game is past, redoubles.
//!
//! "You" is `B`. We write what GNU Backgammon writes: colour 1, direction -1 (from 24 down to 1),
//! money play as 0, the dice in both fields, 0 on the bar, redoubles 0 in the Crawford game and 1
//! otherwise. A waiting double is -1 when you decide and 1 when the opponent does; a reader looks
//! at the sign only for a beaver, as on FIBS it is always 1. Jacoby, beavers as a rule, the cap of
//! the cube, a resignation and a finished game are not carried.

use super::position::{MAX_CUBE, from_signed, to_signed};
use super::xgid::{carried, number, quoted};
use super::{B, Offer, Position, opponent};
use crate::engine::game::PositionError;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::CHECKERS;

const FIELDS: usize = 53;
/// A match without end on FIBS.
const UNLIMITED: u32 = 9999;

/// The names in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Names<'a> {
    /// The player `B`, who sees the board.
    pub you: &'a str,
    /// The player `A`.
    pub opponent: &'a str,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Names {
            you: "You",
            opponent: "Opponent",
        }
    }
}

/// The FIBS line of a position.
///
/// # Errors
/// When the position contradicts itself or has something no line carries, or a name holds a
/// colon or a space.
pub fn write(position: &Position, names: Names) -> Result<String, PositionError> {
    position.check()?;
    carried("a FIBS line", position)?;
    for name in [names.you, names.opponent] {
        if name.is_empty() || name.contains(|c: char| c == ':' || c.is_whitespace()) {
            let reason = format!(
                "{}; expected a name without colons and spaces",
                quoted(name)
            );
            return Err(PositionError::new("name", reason));
        }
    }
    let [his_score, my_score] = position.score;
    let checkers = to_signed(position).map(|count| count.to_string()).join(":");
    let turn = colour(position.to);
    let dice = position.dice.unwrap_or([0; 2]);
    let [first, second] = dice;
    let may_double = |seat| u8::from(position.owner.is_none_or(|owner| owner == seat));
    let doubled = match position.offer {
        Some(_) => -colour(position.decides),
        None => 0,
    };
    let past_crawford = u8::from(one_away(position) > 0 && !position.crawford);
    Ok(format!(
        "board:{}:{}:{}:{my_score}:{his_score}:{checkers}:{turn}:{first}:{second}:{first}:{second}:\
         {}:{}:{}:{doubled}:1:-1:0:25:{}:{}:0:0:0:0:{past_crawford}:{}",
        names.you,
        names.opponent,
        position.length,
        1u32 << position.cube,
        may_double(B),
        may_double(Seat::A),
        position.side(B).off(),
        position.side(Seat::A).off(),
        u8::from(!position.crawford),
    ))
}

/// The position of a FIBS line. Text after the last field, as some servers send, is refused.
///
/// # Errors
/// When the text is no FIBS line or contradicts itself; the error names the field.
pub fn read(text: &str) -> Result<Position, PositionError> {
    let fields: Vec<&str> = text.trim().split(':').map(str::trim).collect();
    if fields.len() != FIELDS || !fields[0].eq_ignore_ascii_case("board") {
        let found = fields.len();
        let reason = format!("{found} fields; expected {FIELDS}, the first of them 'board'");
        return Err(PositionError::new("FIBS line", reason));
    }
    let line = Line(&fields);
    let you = line.sign("colour", 41)?;
    let turn = line.sign("turn", 32)?;
    let to = if turn == you { B } else { Seat::A };
    let length = match number("match length", fields[3])? {
        UNLIMITED => 0,
        length => length,
    };
    let mut position = Position {
        score: [number("score", fields[5])?, number("score", fields[4])?],
        board: from_signed(&line.checkers(you)?, to)?,
        dice: line.dice(to)?,
        cube: line.cube()?,
        owner: line.owner()?,
        to,
        decides: to,
        length,
        jacoby: false,
        ..Position::money(super::super::board::Board::START)
    };
    line.offer(&mut position, you)?;
    position.crawford =
        one_away(&position) == 1 && length > 1 && line.integer("Crawford", 51)? == 0;
    line.check_off(&position)?;
    position.check()?;
    Ok(position)
}

/// How many players are one point away from winning the match.
fn one_away(position: &Position) -> usize {
    let away = |&&score: &&u32| position.length > 0 && score + 1 == position.length;
    position.score.iter().filter(away).count()
}

/// 1 for "you", -1 for the opponent.
fn colour(seat: Seat) -> i32 {
    if seat == B { 1 } else { -1 }
}

/// The fields of a line.
struct Line<'a>(&'a [&'a str]);

impl Line<'_> {
    fn integer(&self, field: &str, index: usize) -> Result<i32, PositionError> {
        let text = self.0[index];
        text.parse()
            .map_err(|_| PositionError::new(field, format!("{}; expected a number", quoted(text))))
    }

    fn sign(&self, field: &str, index: usize) -> Result<i32, PositionError> {
        match self.integer(field, index)? {
            sign @ (1 | -1) => Ok(sign),
            other => {
                let reason = format!("{other}; expected 1 or -1");
                Err(PositionError::new(field, reason))
            }
        }
    }

    /// The checkers as [`from_signed`] takes them.
    fn checkers(&self, you: i32) -> Result<[i8; 26], PositionError> {
        let direction = self.sign("direction", 42)?;
        let mut signed = [0; 26];
        for point in 0..26 {
            let text = self.0[6 + point];
            let count = text.parse::<i8>().ok();
            let count = count.filter(|count| count.unsigned_abs() <= CHECKERS);
            let count = count.ok_or_else(|| {
                PositionError::new(
                    "board",
                    format!("{}; expected -15 to 15 checkers", quoted(text)),
                )
            })?;
            let own = if direction == -1 { point } else { 25 - point };
            signed[own] = if you == 1 { count } else { -count };
        }
        Ok(signed)
    }

    /// The dice of the player on roll: his own field, or the other where his is empty.
    fn dice(&self, to: Seat) -> Result<Option<[u8; 2]>, PositionError> {
        let pair = |index| -> Result<[u8; 2], PositionError> {
            Ok([
                number("dice", self.0[index])?,
                number("dice", self.0[index + 1])?,
            ])
        };
        let (own, other) = if to == B {
            (pair(33)?, pair(35)?)
        } else {
            (pair(35)?, pair(33)?)
        };
        let dice = if own == [0; 2] { other } else { own };
        Ok((dice != [0; 2]).then_some(dice))
    }

    fn cube(&self) -> Result<u8, PositionError> {
        let value: u32 = number("cube", self.0[37])?;
        if !value.is_power_of_two() || value > 1 << MAX_CUBE {
            let reason = format!("{value}; expected a power of two up to {}", 1 << MAX_CUBE);
            return Err(PositionError::new("cube", reason));
        }
        Ok(value.ilog2() as u8)
    }

    /// Who alone may double owns the cube, once it was turned.
    fn owner(&self) -> Result<Option<Seat>, PositionError> {
        let may = |index| self.integer("may double", index).map(|flag| flag != 0);
        Ok(match (self.cube()?, may(38)?, may(39)?) {
            (0, ..) | (_, true, true) => None,
            (_, true, false) => Some(B),
            (_, false, true) => Some(Seat::A),
            (_, false, false) => {
                return Err(PositionError::new(
                    "may double",
                    "nobody; expected somebody once the cube was turned",
                ));
            }
        })
    }

    fn offer(&self, position: &mut Position, you: i32) -> Result<(), PositionError> {
        let doubled = self.integer("was doubled", 40)?;
        if doubled == 0 {
            return Ok(());
        }
        position.offer = Some(Offer::Double);
        position.decides = match position.is_beaver() {
            true if doubled.signum() == you => Seat::A,
            true => B,
            false => opponent(position.to),
        };
        Ok(())
    }

    /// Checkers off are 0 where a program does not count them.
    fn check_off(&self, position: &Position) -> Result<(), PositionError> {
        for (index, seat) in [(45, B), (46, Seat::A)] {
            let off = position.side(seat).off();
            let written = self.integer("checkers off", index)?;
            if written != 0 && written != i32::from(off) {
                let reason = format!("{written}; expected {off}, as the others are on the board");
                return Err(PositionError::new("checkers off", reason));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::Board;

    /// As GNU Backgammon shows the first turn of a money game.
    const START: &str = "board:You:Opponent:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:\
                         0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";

    #[test]
    fn the_start_of_a_money_game() {
        let position = Position {
            jacoby: false,
            ..Position::money(Board::START)
        };
        assert_eq!(read(START), Ok(position));
        assert_eq!(write(&position, Names::default()).as_deref(), Ok(START));
        assert_eq!(
            read(&START.replace("Opponent:0", "Opponent:9999")),
            Ok(position)
        );
    }

    #[test]
    fn the_other_colour_and_direction_show_the_same_board() {
        let line = "board:You:Opponent:0:0:0:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:\
                    -1:0:0:0:0:1:1:1:0:-1:-1:0:25:0:0:0:0:0:0:0:1";
        assert_eq!(read(line), read(START));
        let line = "board:You:Opponent:0:0:0:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:\
                    1:0:0:0:0:1:1:1:0:1:1:25:0:0:0:0:0:0:0:0:1";
        assert_eq!(read(line), read(START));
    }

    #[test]
    fn doubles_and_beavers() {
        // As GNU Backgammon shows them: the opponent doubled; our double was beavered.
        let doubled = START.replace(
            ":0:2:0:1:0:0:0:0:1:1:1:0:1:",
            ":0:2:0:-1:0:0:0:0:1:1:1:-1:1:",
        );
        let position = read(&doubled).expect("a line");
        assert_eq!((position.to, position.decides), (Seat::A, B));
        assert_eq!(write(&position, Names::default()), Ok(doubled));
        let beaver = START.replace(
            ":0:2:0:1:0:0:0:0:1:1:1:0:1:",
            ":0:2:0:1:0:0:0:0:2:0:1:-1:1:",
        );
        let position = read(&beaver).expect("a line");
        assert!(position.is_beaver());
        assert_eq!((position.to, position.decides), (B, B));
        assert_eq!(write(&position, Names::default()), Ok(beaver));
    }

    #[test]
    fn a_text_that_is_no_fibs_line_is_refused() {
        let reason = |from: &str, to: &str| {
            let text = START.replace(from, to);
            read(&text).expect_err(&text).to_string()
        };
        insta::assert_snapshot!(reason("board:", ""), @"FIBS line: 52 fields; expected 53, the first of them 'board'");
        insta::assert_snapshot!(reason(":5:0:3:", ":25:0:3:"), @"board: '25'; expected -15 to 15 checkers");
        insta::assert_snapshot!(reason(":5:0:3:", ":15:0:3:"), @"board: 25 checkers of one side; expected at most 15");
        insta::assert_snapshot!(reason("0:2:0:1:0:0:0:0:1", "0:2:0:3:0:0:0:0:1"), @"turn: 3; expected 1 or -1");
        insta::assert_snapshot!(reason("0:2:0:1:0:0:0:0:1", "0:2:0:1:7:1:0:0:1"), @"dice: 7 is no face of a die; expected 1 to 6");
        insta::assert_snapshot!(reason("0:2:0:1:0:0:0:0:1", "0:2:0:1:0:0:0:0:3"), @"cube: 3; expected a power of two up to 32768");
        insta::assert_snapshot!(reason("0:0:0:0:1:1:1:0:1", "0:0:0:0:2:0:0:0:1"), @"may double: nobody; expected somebody once the cube was turned");
        insta::assert_snapshot!(reason("25:0:0:0", "25:3:0:0"), @"checkers off: 3; expected 0, as the others are on the board");
        insta::assert_snapshot!(reason("Opponent:0:0", "Opponent:5:5"), @"score: 5; expected less than the 5 of the match");
    }
}
