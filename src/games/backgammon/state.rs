//! A position of a game, its cube and its match, in 48 bytes.

use std::fmt;

use crate::engine::seat::Seat;

use super::board::Board;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Both sides roll one die for the first turn.
    Opening,
    /// The player on roll may double.
    Cube,
    /// The player on roll rolls; doubling is not possible, or was declined.
    Roll,
    /// The opponent answers a double.
    Answer,
    /// The player on roll answers a beaver.
    Beaver,
    /// The player on roll plays the dice.
    Play,
    /// The game for money, or the match, is over; the winner is on roll.
    Over,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Win {
    /// A double was passed.
    Dropped,
    /// Oin: the loser has borne off.
    Single,
    /// Mars: the loser has borne off nothing.
    Gammon,
    /// Koks: and has a checker on the bar or in the winner's home board.
    Backgammon,
}

/// A position.
///
/// The checkers of the player on roll first; then one word:
///
/// ```text
/// bits  51-49   48-34    33-19    18     17-16  15-12  11-9   8-6    5-4    3      2-0
///       rolls   score B  score A  craw-  cube   cube   die 2  die 1  won    on     phase
///                                 ford   owner  log2                 by     roll
/// ```
///
/// * `rolls` counts the first four rolls of a game, and only under the Holland rule.
/// * `cube owner` is 0 in the centre, else the seat's index and 1.
/// * `won by` says how the last game ended, once all is over.
/// * scores are points won before this game, or in all once the match is over; 0 for money.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The checkers, those of the player on roll first.
    pub board: Board,
    info: u64,
}

const _: () = assert!(size_of::<State>() == 48);

/// A field of the word: its lowest bit and its width.
#[derive(Clone, Copy)]
struct Field(u32, u32);

const PHASE: Field = Field(0, 3);
const ON_ROLL: Field = Field(3, 1);
const WON_BY: Field = Field(4, 2);
const DICE: [Field; 2] = [Field(6, 3), Field(9, 3)];
const CUBE: Field = Field(12, 4);
const OWNER: Field = Field(16, 2);
const CRAWFORD: Field = Field(18, 1);
const SCORES: [Field; 2] = [Field(19, 15), Field(34, 15)];
const ROLLS: Field = Field(49, 3);

impl State {
    /// A position before the opening roll, `first` to hold the dice: cube at 1, no score.
    pub(super) fn new(board: Board, first: Seat) -> State {
        let mut state = State { board, info: 0 };
        state.set(ON_ROLL, first.index() as u64);
        state
    }

    #[inline(always)]
    fn get(&self, Field(low, width): Field) -> u64 {
        self.info >> low & ((1 << width) - 1)
    }

    #[inline(always)]
    fn set(&mut self, Field(low, width): Field, value: u64) {
        debug_assert!(value < 1 << width);
        let mask = ((1 << width) - 1) << low;
        self.info = self.info & !mask | value << low;
    }

    /// What happens next.
    #[inline(always)]
    pub fn phase(&self) -> Phase {
        match self.get(PHASE) {
            0 => Phase::Opening,
            1 => Phase::Cube,
            2 => Phase::Roll,
            3 => Phase::Answer,
            4 => Phase::Beaver,
            5 => Phase::Play,
            _ => Phase::Over,
        }
    }

    #[inline(always)]
    pub(crate) fn set_phase(&mut self, phase: Phase) {
        self.set(PHASE, phase as u64);
    }

    /// The player on roll; the winner once all is over.
    #[inline(always)]
    pub fn on_roll(&self) -> Seat {
        Seat::new(self.get(ON_ROLL) as usize)
    }

    /// The opponent of the player on roll.
    #[inline(always)]
    pub fn opponent(&self) -> Seat {
        Seat::new(1 - self.get(ON_ROLL) as usize)
    }

    /// Who decides in this phase.
    #[inline(always)]
    pub fn decides(&self) -> Seat {
        match self.phase() {
            Phase::Answer => self.opponent(),
            _ => self.on_roll(),
        }
    }

    /// Makes `seat` the player on roll; the board is turned when it was the other one.
    #[inline(always)]
    pub(super) fn put_on_roll(&mut self, seat: Seat) {
        if self.on_roll() != seat {
            self.board = self.board.swapped();
            self.set(ON_ROLL, seat.index() as u64);
        }
    }

    /// The turn goes to the opponent after a play to this board.
    ///
    /// The board is turned on its way: read back to be turned in place it would have to wait until
    /// it is written, for 2 % of the time of a random game.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self, played: Board) {
        self.board = played.swapped();
        let Field(low, width) = DICE[1];
        let dice = (1 << (low + width)) - (1 << DICE[0].0);
        self.info = (self.info ^ 1 << ON_ROLL.0) & !dice;
        self.set_phase(Phase::Roll);
    }

    /// The dice to be played, the larger first; zeros when none wait.
    #[inline(always)]
    pub fn dice(&self) -> (u8, u8) {
        (self.get(DICE[0]) as u8, self.get(DICE[1]) as u8)
    }

    #[inline(always)]
    pub(super) fn set_dice(&mut self, (one, two): (u8, u8)) {
        self.set(DICE[0], one.max(two).into());
        self.set(DICE[1], one.min(two).into());
    }

    /// The value of the cube as a power of two; the value before the double while one is offered.
    #[inline(always)]
    pub fn cube(&self) -> u8 {
        self.get(CUBE) as u8
    }

    pub(super) fn set_cube(&mut self, cube: u8) {
        self.set(CUBE, cube.into());
    }

    /// Who owns the cube; none while it is in the centre.
    #[inline(always)]
    pub fn owner(&self) -> Option<Seat> {
        match self.get(OWNER) {
            0 => None,
            index => Some(Seat::new(index as usize - 1)),
        }
    }

    pub(super) fn set_owner(&mut self, owner: Option<Seat>) {
        self.set(OWNER, owner.map_or(0, |seat| seat.index() as u64 + 1));
    }

    /// Whether this is the Crawford game.
    #[inline(always)]
    pub fn is_crawford(&self) -> bool {
        self.get(CRAWFORD) == 1
    }

    pub(super) fn set_crawford(&mut self, crawford: bool) {
        self.set(CRAWFORD, crawford.into());
    }

    /// The points a seat has won in the match.
    #[inline(always)]
    pub fn score(&self, seat: Seat) -> u32 {
        self.get(SCORES[seat.index() & 1]) as u32
    }

    pub(super) fn set_score(&mut self, seat: Seat, score: u32) {
        self.set(SCORES[seat.index() & 1], score.into());
    }

    /// Rolls of this game so far, at most 4; counted only under the Holland rule.
    pub fn rolls(&self) -> u8 {
        self.get(ROLLS) as u8
    }

    pub(super) fn set_rolls(&mut self, rolls: u8) {
        self.set(ROLLS, rolls.min(4).into());
    }

    /// How the game ended, once all is over.
    pub fn won_by(&self) -> Win {
        match self.get(WON_BY) {
            0 => Win::Dropped,
            1 => Win::Single,
            2 => Win::Gammon,
            _ => Win::Backgammon,
        }
    }

    pub(super) fn set_won_by(&mut self, win: Win) {
        self.set(WON_BY, win as u64);
    }

    /// The next game of a match: everything but the score as at the start.
    pub(super) fn next_game(&self, board: Board) -> State {
        let mut next = State::new(board, Seat::A);
        for seat in [Seat::A, Seat::new(1)] {
            next.set_score(seat, self.score(seat));
        }
        next
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (on_roll, phase) = (self.on_roll(), self.phase());
        write!(f, "{on_roll} {phase:?} {:x} {:?}", self.info, self.board)
    }
}
