//! A position of Mensch ärgere dich nicht in 32 bytes.

use crate::engine::seat::Seat;

/// A place of one token on its owner's route: 0 the yard, 1 the own start cell, 40 the last ring
/// cell, 41 to 44 the lane. It is also the distance the token has come from its yard.
pub(super) type Place = u8;

/// The first lane place, L1.
pub(super) const LANE_START: Place = 41;
/// The last place, L4.
pub(super) const GOAL: Place = 44;
/// The ring places of a token word.
pub(super) const RING: u64 = ((1 << 40) - 1) << 1;
/// The lane places of a token word.
pub(super) const LANE: u64 = 0b1111 << 41;
/// The first lane place as a bit of a token word.
pub(super) const LANE_BIT: u64 = 1 << LANE_START;
/// All places of a token word that are on the board.
pub(super) const BOARD: u64 = RING | LANE;
/// The place of the own start cell.
pub(super) const START_PLACE: u32 = 1;
/// The own start cell.
pub(super) const START: u64 = 1 << START_PLACE;
/// One token in the yard, in the yard's counter.
pub(super) const ONE_IN_YARD: u64 = 1 << 45;
/// The counter of the tokens in the yard.
pub(super) const YARD: u64 = 0b111 << 45;

/// The tokens of a word, wherever they are.
pub(super) const TOKENS: u64 = BOARD | YARD;

const SERIES_SHIFT: u32 = 48;
const TO_SHIFT: u32 = 59;
const DIE_SHIFT: u32 = 61;
const TO: u64 = 3 << TO_SHIFT;
/// One corner further.
const ONE_SEAT: u64 = 1 << TO_SHIFT;
const DIE: u64 = 7 << DIE_SHIFT;
/// The die of a finished game.
const OVER: u64 = 7;

/// A position.
///
/// One word for each of the four corners, **the mover's first**, then in the order of play. So
/// everything the rules ask about the mover has a fixed address, and passing the turn is one
/// rotation.
///
/// ```text
/// bits    63-61   60-59   58 … 50   49-48   47-45   44-41   40 … 1                 0
///          die     to        0      series  yard    lane    ring                   0
///         [        first word only       ]  count   L4-L1   own numbering, 1 = own start
/// ```
///
/// * `to` is the seat to move (or the winner), `die` the roll to be played (0: a roll is awaited;
///   7: the game is over).
/// * `series` is the number of tries left, the coming roll included, when that is not what a new
///   turn with these tokens has; else 0. So a new turn need not look at the tokens, and there is
///   still only one way to write a position.
/// * A corner nobody sits at is a word of 0; a seat in play always has four tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) words: [u64; 4],
}

const _: () = assert!(size_of::<State>() == 32);

impl State {
    /// A position that awaits a roll: the tokens of each corner as words, the seat to roll, and
    /// the tries it has left, 0 for those of a new turn.
    pub(super) fn awaiting(corners: [u64; 4], to: Seat, series: u8) -> State {
        let mut words = corners;
        words.rotate_left(to.index() & 3);
        words[0] |= (to.index() as u64) << TO_SHIFT | u64::from(series) << SERIES_SHIFT;
        State { words }
    }

    /// A finished position.
    pub(super) fn finished(corners: [u64; 4], winner: Seat) -> State {
        let mut state = State::awaiting(corners, winner, 0);
        state.win(state.tokens());
        state
    }

    /// The seat to move, or the winner of a finished game.
    #[inline(always)]
    pub fn to(&self) -> Seat {
        Seat::new((self.words[0] >> TO_SHIFT & 3) as usize)
    }

    /// The tries left, the coming roll included; 0 for those of a new turn with these tokens.
    #[inline(always)]
    pub(super) fn series(&self) -> u8 {
        (self.words[0] >> SERIES_SHIFT & 3) as u8
    }

    /// The roll to be played, 0 when a roll is awaited.
    #[inline(always)]
    pub fn die(&self) -> u8 {
        (self.words[0] >> DIE_SHIFT) as u8
    }

    /// Whether the game is finished.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        u64::from(self.die()) == OVER
    }

    /// Sets the roll to be played.
    #[inline(always)]
    pub(super) fn set_die(&mut self, die: u8) {
        self.words[0] = self.words[0] & !DIE | u64::from(die) << DIE_SHIFT;
    }

    /// The mover's tokens, the yard's counter included.
    #[inline(always)]
    pub(super) fn tokens(&self) -> u64 {
        self.words[0] & TOKENS
    }

    /// The mover, whose roll moved nothing, rolls again and has so many tries left.
    #[inline(always)]
    pub(super) fn try_again(&mut self, series: u8) {
        self.words[0] = self.words[0] & (TO | TOKENS) | u64::from(series) << SERIES_SHIFT;
    }

    /// The mover, now with these tokens, has won.
    #[inline(always)]
    pub(super) fn win(&mut self, tokens: u64) {
        self.words[0] = tokens | self.words[0] & TO | OVER << DIE_SHIFT;
    }

    /// The mover, now with these tokens, rolls again.
    #[inline(always)]
    pub(super) fn roll_again(&mut self, tokens: u64) {
        self.words[0] = tokens | self.words[0] & TO;
    }

    /// The mover, now with these tokens, passes the turn to the next seat in play.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self, tokens: u64) {
        let [first, b, c, d] = self.words;
        self.words = [b | (first + ONE_SEAT) & TO, c, d, tokens];
        if self.words[0] & TOKENS == 0 {
            *self = self.at_next_seat();
        }
    }

    /// This position after the corners where nobody sits. By value and not inline: so the
    /// words of a full table stay in registers.
    #[inline(never)]
    fn at_next_seat(mut self) -> State {
        while self.words[0] & TOKENS == 0 {
            let [a, b, c, d] = self.words;
            self.words = [b | (a + ONE_SEAT) & TO, c, d, 0];
        }
        self
    }

    /// The mover's tokens on the board: bit p for a token on place p.
    #[inline(always)]
    pub(super) fn own(&self) -> u64 {
        self.words[0] & BOARD
    }

    /// Whether the mover has a token in its yard.
    #[inline(always)]
    pub(super) fn yard_is_occupied(&self) -> bool {
        self.words[0] & YARD != 0
    }

    /// The ring cells of all other seats, in the mover's numbering: bit p for its place p.
    #[inline(always)]
    pub(super) fn enemies(&self) -> u64 {
        let turned = |word: u64, by: u32| {
            let ring = word & RING;
            ring << by | ring >> (40 - by)
        };
        (turned(self.words[1], 10) | turned(self.words[2], 20) | turned(self.words[3], 30)) & RING
    }

    /// The tokens of a seat as a word: bit p for a token on place p, see [`YARD`] for the rest.
    #[inline]
    pub(super) fn word(&self, seat: Seat) -> u64 {
        let index = (seat.index() + 4 - self.to().index()) & 3;
        self.words[index] & TOKENS
    }

    /// How many tokens a seat has in its yard.
    pub fn yard(&self, seat: Seat) -> u8 {
        ((self.word(seat) & YARD) >> 45) as u8
    }

    /// The places of a seat's tokens on the board, ascending: 1 to 40 on the ring from its own
    /// start cell, 41 to 44 in its lane.
    pub fn on_board(&self, seat: Seat) -> impl Iterator<Item = u8> + use<> {
        ones(self.word(seat) & BOARD)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:012x?}", self.to(), self.words)
    }
}

/// The positions of the set bits, ascending.
#[inline]
pub(super) fn ones(mask: u64) -> impl Iterator<Item = u8> {
    std::iter::successors((mask != 0).then_some(mask), |&rest| {
        let rest = rest & (rest - 1);
        (rest != 0).then_some(rest)
    })
    .map(|rest| rest.trailing_zeros() as u8)
}

/// The ring cells of a mask, in the numbering of the seat `corners` further on.
#[inline(always)]
pub(super) const fn cells_seen_from(cells: u64, corners: u32) -> u64 {
    let ring = cells & RING;
    (ring >> (10 * corners) | ring << (40 - 10 * corners)) & RING
}

/// The place, in the numbering of the seat `corners` further on, of the ring cell that is
/// `place` for us.
#[inline(always)]
pub(super) fn seen_from(place: Place, corners: u8) -> Place {
    (place + 40 - 1 - 10 * corners) % 40 + 1
}
