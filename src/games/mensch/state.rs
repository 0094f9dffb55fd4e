//! A position of Mensch ärgere dich nicht in 32 bytes.

use crate::engine::seat::Seat;

/// A place of one token on its owner's route: 0 the yard, 1 the own start cell, 40 the last ring
/// cell, 41 to 44 the lane. It is also the distance the token has come from its yard.
pub(super) type Place = u8;

/// The first lane place, L1.
pub(super) const LANE_START: Place = 41;
/// The last place, L4.
pub(super) const GOAL: Place = 44;
/// The place of the own start cell.
pub(super) const START_PLACE: Place = 1;

/// Bits of a token word between the yard and the places of the board: the start cell is six bits
/// from the yard, so that the six that brings a token out walks like every other number.
pub(super) const YARD_GAP: u32 = 5;
/// The ring places of a token word.
pub(super) const RING: u64 = ((1 << 40) - 1) << (YARD_GAP + 1);
/// The lane places of a token word.
pub(super) const LANE: u64 = 0b1111 << LANE_SHIFT;
/// The first lane place as the number of its bit.
pub(super) const LANE_SHIFT: u32 = LANE_START as u32 + YARD_GAP;
/// The first lane place as a bit of a token word.
pub(super) const LANE_BIT: u64 = 1 << LANE_SHIFT;
/// All places of a token word that are on the board.
pub(super) const BOARD: u64 = RING | LANE;
/// The own start cell.
pub(super) const START: u64 = bit_of(START_PLACE);
/// The place of all tokens in the yard. The bit is always set, whoever waits there; how many do is
/// in the yard's counter.
pub(super) const HOME: u64 = bit_of(0);
/// One token in the yard, in the yard's counter.
pub(super) const ONE_IN_YARD: u64 = 1 << (LANE_SHIFT + 4);
/// The counter of the tokens in the yard.
pub(super) const YARD: u64 = 0b111 * ONE_IN_YARD;

/// The tokens of a word, wherever they are.
pub(super) const TOKENS: u64 = BOARD | YARD;

const SERIES_SHIFT: u32 = 53;
const OWNER_SHIFT: u32 = 59;
const DIE_SHIFT: u32 = 61;
const OWNER: u64 = 3 << OWNER_SHIFT;
/// The die of a finished game.
const OVER: u64 = 7;

/// A place as a bit of a token word.
#[inline(always)]
pub(super) const fn bit_of(place: Place) -> u64 {
    if place == 0 {
        1
    } else {
        1 << (place as u32 + YARD_GAP)
    }
}

/// The place of a token word's lowest bit.
#[inline(always)]
pub(super) const fn place_of(bit: u64) -> Place {
    bit.trailing_zeros().saturating_sub(YARD_GAP) as Place
}

/// A position.
///
/// One word for each of the four corners, **the mover's first**, then in the order of play. So
/// everything the rules ask about the mover has a fixed address, and passing the turn is one
/// rotation.
///
/// ```text
/// bits  63-61  60-59  58…55  54-53   52-50  49-46  45 … 6                      5…1  0
///        die   owner    0    series  yard   lane   ring                         0   1
///       first   of           first   count  L4-L1  own numbering, 6 = own start     home
///       word   word          word
/// ```
///
/// * `owner` is the corner whose tokens the word holds, so the first word's is the seat to move
///   (or the winner), and passing the turn need not write it down.
/// * `die` is the roll to be played (0: a roll is awaited; 7: the game is over).
/// * `series` is the number of tries left, the coming roll included, when that is not what a new
///   turn with these tokens has; else 0. So a new turn need not look at the tokens, and there is
///   still only one way to write a position.
/// * `home` is where moves from the yard begin. Its bit is always set; how many tokens wait is in the
///   yard's count.
/// * A corner nobody sits at is a word of 0; a seat in play always has four tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The mover's, the last to move, the next, the one after: were neighbours in play neighbours
    /// in memory, passing the turn would load two words at once that were stored one by one, and
    /// such a load waits for the stores.
    words: [u64; 4],
}

const _: () = assert!(size_of::<State>() == 32);

impl State {
    /// The position of these words, the mover's first, then in the order of play.
    #[inline(always)]
    pub(super) fn of([mover, next, across, last]: [u64; 4]) -> State {
        State {
            words: [mover, last, next, across],
        }
    }

    /// The words, the mover's first, then in the order of play.
    #[inline(always)]
    pub(super) fn in_order(&self) -> [u64; 4] {
        let [mover, last, next, across] = self.words;
        [mover, next, across, last]
    }

    /// A position that awaits a roll: the tokens of each corner as words, the seat to roll, and
    /// the tries it has left, 0 for those of a new turn.
    pub(super) fn awaiting(corners: [u64; 4], to: Seat, series: u8) -> State {
        let mut words = corners;
        for (owner, word) in (0..).zip(&mut words).filter(|(_, word)| **word != 0) {
            *word |= owner << OWNER_SHIFT | HOME;
        }
        words.rotate_left(to.index() & 3);
        words[0] |= u64::from(series) << SERIES_SHIFT;
        State::of(words)
    }

    /// A finished position.
    pub(super) fn finished(corners: [u64; 4], winner: Seat) -> State {
        let mut state = State::awaiting(corners, winner, 0);
        state.win(state.mover());
        state
    }

    /// The seat to move, or the winner of a finished game.
    #[inline(always)]
    pub fn to(&self) -> Seat {
        Seat::new((self.words[0] >> OWNER_SHIFT & 3) as usize)
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

    /// Sets the roll to be played, which was awaited.
    #[inline(always)]
    pub(super) fn set_die(&mut self, die: u8) {
        debug_assert_eq!(self.die(), 0, "a roll waits to be played");
        // The bits are clear already. Said again, so that who asks for the die next has it as it was
        // rolled and does not wait for the word.
        self.words[0] = self.words[0] & !(7 << DIE_SHIFT) | u64::from(die) << DIE_SHIFT;
    }

    /// The mover's tokens, the yard's counter included.
    #[inline(always)]
    pub(super) fn tokens(&self) -> u64 {
        self.words[0] & TOKENS
    }

    /// The mover's word as it is between turns: its tokens and whose they are.
    #[inline(always)]
    pub(super) fn mover(&self) -> u64 {
        self.words[0] & (OWNER | TOKENS | HOME)
    }

    /// The mover, whose roll moved nothing, rolls again and has so many tries left.
    #[inline(always)]
    pub(super) fn try_again(&mut self, series: u8) {
        self.words[0] = self.mover() | u64::from(series) << SERIES_SHIFT;
    }

    /// The mover, now with this word, has won.
    #[inline(always)]
    pub(super) fn win(&mut self, mover: u64) {
        self.words[0] = mover | OVER << DIE_SHIFT;
    }

    /// The mover, now with this word, rolls again.
    #[inline(always)]
    pub(super) fn roll_again(&mut self, mover: u64) {
        self.words[0] = mover;
    }

    /// The mover, now with this word, passes the turn to the next seat in play.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self, mover: u64) {
        let [_, b, c, d] = self.in_order();
        *self = State::of(if b != 0 {
            [b, c, d, mover]
        } else if c != 0 {
            [c, d, mover, 0]
        } else if d != 0 {
            [d, mover, 0, 0]
        } else {
            [mover, 0, 0, 0]
        });
    }

    /// The mover's tokens on the board.
    #[inline(always)]
    pub(super) fn own(&self) -> u64 {
        self.words[0] & BOARD
    }

    /// Where moves may begin: the mover's tokens on the board, and the yard.
    #[inline(always)]
    pub(super) fn sources(&self) -> u64 {
        self.words[0] & (BOARD | HOME)
    }

    /// Whether the mover has a token in its yard.
    #[inline(always)]
    pub(super) fn yard_is_occupied(&self) -> bool {
        self.words[0] & YARD != 0
    }

    /// The ring cells of all other seats, in the mover's numbering.
    #[inline(always)]
    pub(super) fn enemies(&self) -> u64 {
        let [_, theirs @ ..] = self.in_order();
        cells_turned(theirs)
    }

    /// The tokens of a seat as a word, without its owner.
    #[inline]
    pub(super) fn word(&self, seat: Seat) -> u64 {
        let index = (seat.index() + 4 - self.to().index()) & 3;
        self.in_order()[index] & TOKENS
    }

    /// How many tokens a seat has in its yard.
    pub fn yard(&self, seat: Seat) -> u8 {
        (self.word(seat) / ONE_IN_YARD) as u8
    }

    /// The places of a seat's tokens on the board, ascending: 1 to 40 on the ring from its own
    /// start cell, 41 to 44 in its lane.
    pub fn on_board(&self, seat: Seat) -> impl Iterator<Item = u8> + use<> {
        places(self.word(seat) & BOARD)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:012x?}", self.to(), self.in_order())
    }
}

/// The set bits, each alone, ascending.
#[inline]
pub(super) fn ones(mask: u64) -> impl Iterator<Item = u64> {
    std::iter::successors((mask != 0).then_some(mask), |&rest| {
        let rest = rest & (rest - 1);
        (rest != 0).then_some(rest)
    })
    .map(|rest| rest & rest.wrapping_neg())
}

/// The places of the set bits of a token word, ascending.
#[inline]
pub(super) fn places(mask: u64) -> impl Iterator<Item = Place> {
    ones(mask).map(place_of)
}

/// The ring cells of the words one, two and three corners on, in our numbering.
#[inline(always)]
pub(super) fn cells_turned([b, c, d]: [u64; 3]) -> u64 {
    cells_turned_by(b, 10) | cells_turned_by(c, 20) | cells_turned_by(d, 30)
}

/// The ring cells of a word whose start is so many cells on, in our numbering.
#[inline(always)]
pub(super) fn cells_turned_by(word: u64, by: u32) -> u64 {
    let ring = word & RING;
    (ring << by | ring >> (40 - by)) & RING
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
