//! A position with everything around it that a notation may carry.

use super::{B, opponent};
use crate::engine::game::PositionError;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::{BAR, Board, CHECKERS, Side};

/// The longest match and the highest score a Match ID holds: 15 bits.
pub const MAX_POINTS: u32 = 32_767;
/// The highest cube a Match ID holds, as a power of two: 4 bits.
pub const MAX_CUBE: u8 = 15;

/// What waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Offer {
    /// A double, or in money play a beaver or raccoon.
    Double,
    /// A resignation: 1 single game, 2 gammon, 3 backgammon.
    Resign(u8),
}

/// How far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    /// Nothing was played yet.
    NotStarted,
    /// In play.
    #[default]
    Playing,
    /// Ended by bearing off.
    Over,
    /// Ended by a resignation.
    Resigned,
    /// Ended by a dropped double.
    Dropped,
}

/// A position, the score and the rules, as far as notations carry them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The checkers, those of `to` first.
    pub board: Board,
    /// The player on roll: who rolls, or plays the dice, once nothing is offered any more.
    pub to: Seat,
    /// Who decides now: `to`, or whoever must answer the offer.
    pub decides: Seat,
    /// The dice to play, in the order of the text; `None` before the roll.
    pub dice: Option<[u8; 2]>,
    /// The value of the cube as a power of two, before an offered double is taken.
    pub cube: u8,
    /// Who owns the cube; `None` when it is in the centre.
    pub owner: Option<Seat>,
    /// What waits for an answer.
    pub offer: Option<Offer>,
    /// How far the game is.
    pub phase: Phase,
    /// Points won before this game, by seat.
    pub score: [u32; 2],
    /// Points of the match; 0 for money play.
    pub length: u32,
    /// Whether this is the Crawford game, which has no doubling.
    pub crawford: bool,
    /// Money play: gammons count only after a double was taken.
    pub jacoby: bool,
    /// Money play: a doubled player may redouble at once and keep the cube.
    pub beavers: bool,
    /// The highest cube as a power of two, where the text names one.
    pub cube_cap: Option<u8>,
}

impl Position {
    /// This board in money play with the Jacoby rule: `B` to roll, the cube in the centre.
    pub const fn money(board: Board) -> Position {
        Position {
            board,
            to: B,
            decides: B,
            dice: None,
            cube: 0,
            owner: None,
            offer: None,
            phase: Phase::Playing,
            score: [0; 2],
            length: 0,
            crawford: false,
            jacoby: true,
            beavers: false,
            cube_cap: None,
        }
    }

    /// Whether the double on offer is a beaver or a raccoon: the cube is the answerer's already.
    pub fn is_beaver(&self) -> bool {
        self.offer == Some(Offer::Double) && self.owner == Some(opponent(self.to))
    }

    /// The checkers of a seat.
    pub fn side(&self, seat: Seat) -> Side {
        if seat == self.to {
            self.board.mover
        } else {
            self.board.other
        }
    }

    /// Checks what every reader and writer relies on.
    ///
    /// # Errors
    /// When a field is out of its range or contradicts another; the error names the field.
    pub fn check(&self) -> Result<(), PositionError> {
        check_board(&self.board)?;
        self.check_dice()?;
        self.check_cube()?;
        self.check_offer()?;
        self.check_score()
    }

    fn check_dice(&self) -> Result<(), PositionError> {
        let Some(dice) = self.dice else {
            return Ok(());
        };
        if let Some(die) = dice.iter().find(|die| !(1..=6).contains(*die)) {
            let reason = format!("{die} is no face of a die; expected 1 to 6");
            return Err(PositionError::new("dice", reason));
        }
        if self.offer == Some(Offer::Double) {
            return Err(PositionError::new(
                "dice",
                "rolled while a double waits; expected none",
            ));
        }
        Ok(())
    }

    fn check_cube(&self) -> Result<(), PositionError> {
        let cap = self.cube_cap.unwrap_or(MAX_CUBE).min(MAX_CUBE);
        if self.cube > cap {
            let reason = format!("2^{}; expected at most 2^{cap}", self.cube);
            return Err(PositionError::new("cube", reason));
        }
        if self.cube == 0 && self.owner.is_some() {
            return Err(PositionError::new(
                "cube owner",
                "somebody owns a cube of 1; expected the centre",
            ));
        }
        Ok(())
    }

    fn check_offer(&self) -> Result<(), PositionError> {
        let expected = match self.offer {
            _ if self.phase != Phase::Playing => return Ok(()),
            Some(Offer::Resign(1..=3)) => return Ok(()),
            Some(Offer::Resign(level)) => {
                let reason = format!("{level}; expected 1 to 3");
                return Err(PositionError::new("resignation", reason));
            }
            Some(Offer::Double) if self.is_beaver() && self.length == 0 => return Ok(()),
            Some(Offer::Double) if self.is_beaver() => {
                return Err(PositionError::new(
                    "cube owner",
                    "the player who doubles does not own the cube; expected it centred or his",
                ));
            }
            Some(Offer::Double) => opponent(self.to),
            None => self.to,
        };
        if self.decides != expected {
            let reason = format!("{} decides; expected {expected}", self.decides);
            return Err(PositionError::new("turn", reason));
        }
        Ok(())
    }

    fn check_score(&self) -> Result<(), PositionError> {
        let high = self.score[0].max(self.score[1]);
        if self.length > MAX_POINTS {
            let reason = format!("{}; expected at most {MAX_POINTS}", self.length);
            return Err(PositionError::new("match length", reason));
        }
        if high > MAX_POINTS {
            let reason = format!("{high}; expected at most {MAX_POINTS}");
            return Err(PositionError::new("score", reason));
        }
        let finished = self.phase != Phase::Playing && self.phase != Phase::NotStarted;
        if self.length > 0 && high >= self.length && !finished {
            let reason = format!(
                "{high}; expected less than the {} of the match",
                self.length
            );
            return Err(PositionError::new("score", reason));
        }
        if self.crawford && (self.length == 0 || high + 1 < self.length) {
            return Err(PositionError::new(
                "Crawford",
                "set; expected a match in which somebody is one point away",
            ));
        }
        if self.length > 0 && (self.jacoby || self.beavers) {
            return Err(PositionError::new(
                "rules",
                "Jacoby or beavers in a match; expected them in money play only",
            ));
        }
        Ok(())
    }
}

/// Refuses a board no game can show.
fn check_board(board: &Board) -> Result<(), PositionError> {
    for side in [board.mover, board.other] {
        check_count(side.left().into())?;
    }
    if board.mover.left() == 0 && board.other.left() == 0 {
        return Err(PositionError::new(
            "board",
            "no checkers; expected some of at least one side",
        ));
    }
    let shared = |&point: &u8| board.mover.count(point) > 0 && board.other.count(BAR - point) > 0;
    if let Some(point) = (1..BAR).find(shared) {
        let reason = format!("both sides on the mover's {point} point; expected one");
        return Err(PositionError::new("board", reason));
    }
    Ok(())
}

/// Refuses more than fifteen checkers of one side.
fn check_count(checkers: u32) -> Result<(), PositionError> {
    if checkers > CHECKERS.into() {
        let reason = format!("{checkers} checkers of one side; expected at most {CHECKERS}");
        return Err(PositionError::new("board", reason));
    }
    Ok(())
}

/// The side with these checkers on points 1 to 24 and, index 25, on the bar; the rest is off.
pub(super) fn side_on_board(mut counts: [u8; 26]) -> Result<Side, PositionError> {
    counts[0] = 0;
    let left: u32 = counts.iter().map(|&count| u32::from(count)).sum();
    check_count(left)?;
    counts[0] = CHECKERS - left as u8;
    Ok(Side::from_counts(&counts))
}

/// The board of 26 signed counts as `B` sees it: index 0 the bar of `A`, 1 to 24 the points of
/// `B`, 25 his bar; his checkers positive, those of `A` negative.
pub(super) fn from_signed(signed: &[i8; 26], to: Seat) -> Result<Board, PositionError> {
    if signed[0] > 0 || signed[25] < 0 {
        return Err(PositionError::new(
            "board",
            "a checker on the other side's bar; expected each on its own",
        ));
    }
    let own = std::array::from_fn(|point| signed[point].max(0).cast_unsigned());
    let his = std::array::from_fn(|point| signed[25 - point].min(0).unsigned_abs());
    let board = Board {
        mover: side_on_board(own)?,
        other: side_on_board(his)?,
    };
    Ok(if to == B { board } else { board.swapped() })
}

/// The 26 signed counts of [`from_signed`].
pub(super) fn to_signed(position: &Position) -> [i8; 26] {
    let (own, his) = (position.side(B), position.side(Seat::A));
    std::array::from_fn(|point| {
        let mine = if point > 0 { own.count(point as u8) } else { 0 };
        let theirs = if point < 25 {
            his.count(25 - point as u8)
        } else {
            0
        };
        mine.cast_signed() - theirs.cast_signed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place an error names when the starting position is changed like this.
    fn refused(change: impl FnOnce(&mut Position)) -> String {
        let mut position = Position::money(Board::START);
        change(&mut position);
        position.check().expect_err("a bad position").place
    }

    #[test]
    fn a_contradiction_is_named() {
        assert_eq!(Position::money(Board::START).check(), Ok(()));
        assert_eq!(refused(|p| p.dice = Some([7, 1])), "dice");
        assert_eq!(refused(|p| p.cube = 16), "cube");
        assert_eq!(refused(|p| p.owner = Some(B)), "cube owner");
        assert_eq!(refused(|p| p.decides = Seat::A), "turn");
        assert_eq!(refused(|p| p.offer = Some(Offer::Double)), "turn");
        assert_eq!(refused(|p| p.offer = Some(Offer::Resign(4))), "resignation");
        assert_eq!(refused(|p| p.crawford = true), "Crawford");
        assert_eq!(refused(|p| p.length = 5), "rules");
        assert_eq!(refused(|p| p.score = [0, 40_000]), "score");
        assert_eq!(refused(|p| p.board = Board::default()), "board");
        let beyond = |p: &mut Position| (p.jacoby, p.length, p.score) = (false, 5, [5, 0]);
        assert_eq!(refused(beyond), "score");
    }

    #[test]
    fn the_signed_view_of_the_start() {
        let position = Position::money(Board::START);
        let signed = to_signed(&position);
        assert_eq!(
            (signed[24], signed[1], signed[19], signed[6]),
            (2, -2, -5, 5)
        );
        assert_eq!(from_signed(&signed, B), Ok(Board::START));
    }
}
