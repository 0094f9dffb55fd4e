//! A position of Parchís in 32 bytes.

use crate::engine::game::Turn;
use crate::engine::seat::Seat;
use crate::games::pachisi::{Board, Place};

const SIXES_SHIFT: u32 = 3;
const LAST_SHIFT: u32 = 5;
const BONUS_SHIFT: u32 = 12;
const DONE_SHIFT: u32 = 19;
const DONE_SEATS: u32 = DONE_SHIFT + 2;
/// The seats that have finished, which stay from turn to turn.
pub(super) const DONE: u64 = 0xff << DONE_SHIFT;
/// The die of a finished game.
const OVER: u64 = 7;

/// A position: the board, and in its memo what the turn must remember.
///
/// ```text
/// bits   26 … 21                 20-19   18 … 12   11 … 5      4-3     2 … 0
///        third, second, first    done    bonus     last        sixes   die
///        seat that finished      count   to play   place, or 0
/// ```
///
/// * `die` is the roll to be played; 0: a roll is awaited; 7: the game is over.
/// * `sixes` is how many were rolled in this turn before that roll, `last` where the token stands
///   that moved last in this turn. Both are 0 if sixes are not counted, and in a new turn.
/// * `bonus` is what the next move walks instead of the roll, 0 if it is the roll's.
/// * `done` lists the seats with all tokens at the goal, in the order they came.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) board: Board,
}

const _: () = assert!(size_of::<State>() == 32);

impl State {
    /// A position that awaits a roll at the beginning of a turn.
    pub(super) fn awaiting(corners: [Option<[Place; 4]>; 4], to: Seat) -> State {
        State {
            board: Board::new(corners, to, false),
        }
    }

    /// The seat to move, or that moved last in a finished game.
    #[inline(always)]
    pub fn to(&self) -> Seat {
        self.board.to()
    }

    /// The roll to be played, 0 when a roll is awaited.
    #[inline(always)]
    pub fn die(&self) -> u8 {
        self.board.memo() as u8 & 7
    }

    /// Whose move it is.
    #[inline(always)]
    pub(super) fn turn(&self) -> Turn {
        if self.die() == 0 {
            Turn::Chance(self.to())
        } else if self.is_over() {
            Turn::Over
        } else {
            Turn::Decision(self.to())
        }
    }

    /// Whether the game is finished.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.board.memo() & 7 == OVER
    }

    /// The sixes of this turn before the roll to be played or awaited, 0 to 2.
    #[inline(always)]
    pub fn sixes(&self) -> u8 {
        (self.board.memo() >> SIXES_SHIFT) as u8 & 3
    }

    /// The place of the token that moved last in this turn, 0 if none did or sixes are not counted.
    #[inline(always)]
    pub fn last(&self) -> Place {
        (self.board.memo() >> LAST_SHIFT) as Place & 127
    }

    /// The squares of the bonus to be played, 0 if the roll itself is.
    #[inline(always)]
    pub fn bonus(&self) -> u8 {
        (self.board.memo() >> BONUS_SHIFT) as u8 & 127
    }

    /// Whether a bonus is to be played.
    #[inline(always)]
    pub(super) fn is_bonus(&self) -> bool {
        self.board.memo() & 127 << BONUS_SHIFT != 0
    }

    /// Whether the roll to be played is the third six.
    #[inline(always)]
    pub(super) fn is_third_six(&self) -> bool {
        self.board.memo() & 0b11_111 == 2 << SIXES_SHIFT | 6
    }

    /// The places of a seat's tokens, ascending: 0 the yard, 1 its start square, 64 the last ring
    /// square, 65 to 71 its lane, 72 the goal.
    pub fn places(&self, seat: Seat) -> [u8; 4] {
        self.board.places(seat)
    }

    /// The seats with all tokens at the goal, in the order they came.
    pub fn done(&self) -> impl Iterator<Item = Seat> + use<> {
        let memo = self.board.memo();
        let count = memo >> DONE_SHIFT & 3;
        (0..count)
            .map(move |index| Seat::new((memo >> (DONE_SEATS + 2 * index as u32) & 3) as usize))
    }

    /// Notes what is rolled where a roll is awaited.
    #[inline(always)]
    pub(super) fn set_die(&mut self, die: u8) {
        self.board.set_memo(self.board.memo() | u64::from(die));
    }

    /// Sets the counters of the turn.
    #[inline(always)]
    pub(super) fn set_turn(&mut self, die: u8, sixes: u8, last: Place, bonus: u8) {
        let kept = self.board.memo() & DONE;
        self.board.set_memo(
            kept | u64::from(die)
                | u64::from(sixes) << SIXES_SHIFT
                | u64::from(last) << LAST_SHIFT
                | u64::from(bonus) << BONUS_SHIFT,
        );
    }

    /// The next of the seats in play that have come home, three at the most.
    pub(super) fn set_done(&mut self, seat: Seat) {
        let memo = self.board.memo();
        let count = memo >> DONE_SHIFT & 3;
        let noted = (seat.index() as u64) << (DONE_SEATS + 2 * count as u32);
        self.board.set_memo((memo | noted) + (1 << DONE_SHIFT));
    }

    /// Ends the game.
    pub(super) fn end(&mut self) {
        self.board.set_memo(self.board.memo() & DONE | OVER);
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.board)
    }
}
