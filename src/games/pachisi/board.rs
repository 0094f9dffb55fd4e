//! Sixteen tokens on the board, seen from the seat to move.

use std::hint::select_unpredictable;

use crate::engine::seat::Seat;

use super::{GOAL, LANE, Place, QUARTER, has, is_on_ring, ring_bit, seen_from};

/// A byte of every token.
const EACH: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every token's byte, which no place uses.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The tokens of a corner where nobody sits.
const NOBODY: u32 = 0x7f7f_7f7f;
/// Tokens all at the goal.
const FINISHED: u32 = 0x0101_0101 * GOAL as u32;
/// What no token is on, for a square that is not on a seat's route.
const OFF_ROUTE: u64 = 0x7e;
/// Tokens all in the yard.
const IN_YARD: u32 = 0;

const TO_SHIFT: u32 = 4;
const TO: u64 = 3 << TO_SHIFT;
const BEHIND: u64 = 15;
const MEMO_SHIFT: u32 = 6;

/// Where all tokens stand, whose move it is, and 58 bits in which a game remembers its turn.
///
/// ```text
/// tokens[0]   mover's four tokens in bytes 0 … 3, the opposite corner's in bytes 4 … 7
/// tokens[1]   the next corner's in bytes 0 … 3, the last corner's in bytes 4 … 7
///             each four ascending; 0 yard, 1 … 64 ring, 65 … 71 lane, 72 goal,
///             0x7f at a corner where nobody sits
/// pairs       bit p - 1: on ring place p of the mover stand two tokens of one side
/// rest        63 … 6  memo, the game's      5-4 seat to move      3-0 pairs behind the start
/// ```
///
/// The mover comes first, so everything the rules ask about it has a fixed address. Who sits across
/// shares its word, so a turn passes by exchanging the words. `pairs`
/// repeats what the tokens say: barriers are asked for at every step and change seldom. A *side*
/// is a seat, or in team play the two seats across.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::games) struct Board {
    tokens: [u64; 2],
    pairs: u64,
    rest: u64,
}

const _: () = assert!(size_of::<Board>() == 32);

/// The tokens that stand on one square: the high bit of each token's byte, laid out as
/// [`Board`] lays out its tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::games) struct Present(pub [u64; 2]);

impl Present {
    /// The mover's own.
    #[inline(always)]
    pub(in crate::games) const fn own(self) -> u32 {
        self.0[0] as u32
    }

    /// Those of the seat `corners` further on, 0 to 3.
    #[inline(always)]
    pub(in crate::games) const fn of(self, corners: usize) -> u32 {
        (self.0[corners & 1] >> (32 * (corners >> 1))) as u32
    }

    /// Those of the other three seats.
    #[inline(always)]
    pub(in crate::games) const fn others(self) -> Present {
        Present([self.0[0] & !(u32::MAX as u64), self.0[1]])
    }

    /// Those of the two neighbours: the enemies in team play.
    #[inline(always)]
    pub(in crate::games) const fn neighbours(self) -> Present {
        Present([0, self.0[1]])
    }

    /// Whether there is none.
    #[inline(always)]
    pub(in crate::games) const fn is_none(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether there are two or more.
    #[inline(always)]
    pub(in crate::games) const fn are_several(self) -> bool {
        let [across, beside] = self.0;
        let two = across & across.wrapping_sub(1) | beside & beside.wrapping_sub(1);
        two != 0 || across != 0 && beside != 0
    }
}

/// Every place as every corner sees it: what the tokens are compared with.
const SEEN: [[u64; 2]; 128] = {
    let mut seen = [[0; 2]; 128];
    let mut place = 0;
    while place < seen.len() {
        let mut corner = 0;
        while corner < 4 {
            let code = if corner == 0 {
                place as u64
            } else {
                match seen_from(place as Place, corner as u8) {
                    Some(place) => place as u64,
                    None => OFF_ROUTE,
                }
            };
            let bytes = (code & 0x7f) * (EACH & u32::MAX as u64);
            seen[place][corner % 2] |= bytes << (32 * (corner / 2));
            corner += 1;
        }
        place += 1;
    }
    seen
};

impl Board {
    /// A board with these tokens at the four corners, each ascending, none where nobody sits.
    pub(in crate::games) fn new(corners: [Option<[Place; 4]>; 4], to: Seat, mates: bool) -> Board {
        let word = |corners_on: usize| {
            let corner = (to.index() + corners_on) & 3;
            u64::from(corners[corner].map_or(NOBODY, u32::from_le_bytes))
        };
        let mut board = Board {
            tokens: [word(0) | word(2) << 32, word(1) | word(3) << 32],
            pairs: 0,
            rest: (to.index() as u64) << TO_SHIFT,
        };
        // From each corner, because no seat's own route has all 68 squares.
        for _ in 0..4 {
            for place in board
                .own()
                .to_le_bytes()
                .into_iter()
                .filter(|&place| is_on_ring(place))
            {
                board.settle_pair(place, mates);
            }
            board.turn();
        }
        board
    }

    /// The seat to move, or that moved last in a finished game.
    #[inline(always)]
    pub(in crate::games) const fn to(&self) -> Seat {
        Seat::new((self.rest >> TO_SHIFT & 3) as usize)
    }

    /// What the game remembers, 58 bits.
    #[inline(always)]
    pub(in crate::games) const fn memo(&self) -> u64 {
        self.rest >> MEMO_SHIFT
    }

    /// Sets what the game remembers.
    #[inline(always)]
    pub(in crate::games) const fn set_memo(&mut self, memo: u64) {
        self.rest = self.rest & (TO | BEHIND) | memo << MEMO_SHIFT;
    }

    /// The mover's four tokens, ascending, the rearmost in the lowest byte.
    #[inline(always)]
    pub(in crate::games) const fn own(&self) -> u32 {
        self.tokens[0] as u32
    }

    /// The four tokens of the corner so many corners further on, 0 to 3.
    #[inline(always)]
    pub(in crate::games) const fn tokens(&self, corners: usize) -> u32 {
        (self.tokens[corners & 1] >> (32 * (corners >> 1))) as u32
    }

    /// How many corners further on than the mover a seat sits.
    #[inline(always)]
    pub(in crate::games) const fn corners_to(&self, seat: Seat) -> usize {
        (seat.index() + 4 - self.to().index()) & 3
    }

    /// The four places of a seat's tokens, ascending.
    #[inline]
    pub(in crate::games) const fn places(&self, seat: Seat) -> [Place; 4] {
        self.tokens(self.corners_to(seat)).to_le_bytes()
    }

    /// How far a seat's tokens have come in all, 0 to 288.
    #[inline]
    pub(in crate::games) fn progress(&self, seat: Seat) -> u32 {
        self.places(seat).into_iter().map(u32::from).sum()
    }

    /// Whether all four of the mover's tokens are at the goal.
    #[inline(always)]
    pub(in crate::games) const fn is_finished(&self) -> bool {
        self.own() == FINISHED
    }

    /// Whether all four of a seat's tokens are at the goal.
    #[inline(always)]
    pub(in crate::games) const fn has_finished(&self, seat: Seat) -> bool {
        self.tokens(self.corners_to(seat)) == FINISHED
    }

    /// Whether all four of the mover's tokens are in the yard.
    #[inline(always)]
    pub(in crate::games) const fn all_in_yard(&self) -> bool {
        self.own() == IN_YARD
    }

    /// Whether the mover has a token in the yard.
    #[inline(always)]
    pub(in crate::games) const fn one_in_yard(&self) -> bool {
        self.own() as u8 == 0
    }

    /// The ring places of the mover with two tokens of one side: bit `place - 1`.
    #[inline(always)]
    pub(in crate::games) const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The tokens on a square of the mover's route. All of the mover's own in the yard or at
    /// the goal when that is the place.
    #[inline(always)]
    pub(in crate::games) const fn at(&self, place: Place) -> Present {
        let seen = &SEEN[place as usize & 127];
        Present([
            zero_bytes(self.tokens[0] ^ seen[0]),
            zero_bytes(self.tokens[1] ^ seen[1]),
        ])
    }

    /// Moves one of the mover's tokens; whoever stands on the target stays there.
    #[inline(always)]
    pub(in crate::games) fn advance(&mut self, from: Place, to: Place, mates: bool) {
        self.tokens[0] = self.tokens[0] & !u64::from(u32::MAX)
            | u64::from(replaced(self.tokens[0] as u32, from, to));
        if is_on_ring(from) && self.pairs >> (from - 1) & 1 == 1 {
            self.settle_pair(from, mates);
        }
        if is_on_ring(to) {
            let here = self.at(to);
            let own = here.own();
            let two = own & own.wrapping_sub(1) != 0 || mates && here.of(2) != 0;
            self.pairs |= u64::from(two) << (to - 1);
        }
    }

    /// [`Board::advance`] where teams do not matter: the board after it, and who stood on the
    /// target before. By value, so that the four words stay in registers.
    #[inline(always)]
    pub(in crate::games) fn walk(mut self, from: Place, to: Place) -> (Board, Present) {
        let here = self.at(to);
        let own = replaced(self.tokens[0] as u32, from, to);
        self.tokens[0] = self.tokens[0] & !u64::from(u32::MAX) | u64::from(own);
        if has(self.pairs, from) {
            self = self.with_pair_settled(from);
        }
        self.pairs |= select_unpredictable(here.own() != 0, ring_bit(to), 0);
        (self, here)
    }

    #[cold]
    #[inline(never)]
    fn with_pair_settled(mut self, place: Place) -> Board {
        self.settle_pair(place, false);
        self
    }

    /// Sends one of the mover's own tokens back to the yard.
    #[inline]
    pub(in crate::games) fn retreat(&mut self, from: Place, mates: bool) {
        self.advance(from, 0, mates);
    }

    /// Sends these tokens of other seats, which stand on `place`, back to their yards; how many
    /// pips they had come in all.
    pub(in crate::games) fn capture(&mut self, place: Place, victims: Present, mates: bool) -> i16 {
        let mut lost = 0;
        for corner in 1..4 {
            let mut rest = victims.of(corner);
            if rest == 0 {
                continue;
            }
            let (half, shift) = (corner & 1, 32 * (corner >> 1));
            let mut word = (self.tokens[half] >> shift) as u32;
            while rest != 0 {
                let index = rest.trailing_zeros() / 8;
                lost += i16::from(word.to_le_bytes()[index as usize]);
                // Those further behind make room for it at the rear.
                let behind = word & ((1 << (8 * index)) - 1);
                let ahead = word & u32::MAX.checked_shl(8 * index + 8).unwrap_or(0);
                word = behind << 8 | ahead;
                rest &= rest - 1;
            }
            let others = self.tokens[half] & !(u64::from(u32::MAX) << shift);
            self.tokens[half] = others | u64::from(word) << shift;
        }
        self.settle_pair(place, mates);
        lost
    }

    /// Whether two tokens of one side stand on a ring place of the mover, as the tokens say it.
    fn settle_pair(&mut self, place: Place, mates: bool) {
        let here = self.at(place);
        let two = |tokens: u32| tokens & tokens.wrapping_sub(1) != 0;
        let pair = (0..4).any(|corner| two(here.of(corner)))
            || mates && (0..2).any(|corner| here.of(corner) != 0 && here.of(corner + 2) != 0);
        let bit = 1 << (place - 1);
        self.pairs = self.pairs & !bit | if pair { bit } else { 0 };
    }

    /// The turn passes to the next seat in play; of the memo only `keep` stays. Seats with all
    /// tokens at the goal are passed over if `skip_finished`.
    #[inline(always)]
    pub(in crate::games) fn pass_turn(&mut self, keep: u64, skip_finished: bool) {
        self.turn();
        while self.own() == NOBODY || skip_finished && self.own() == FINISHED {
            self.turn();
        }
        self.rest &= TO | BEHIND | keep << MEMO_SHIFT;
    }

    /// The same board seen from the next corner.
    #[inline(always)]
    fn turn(&mut self) {
        let [across, beside] = self.tokens;
        self.tokens = [beside, across.rotate_right(32)];
        let (pairs, behind) = (self.pairs, self.rest & BEHIND);
        let quarter = u32::from(QUARTER);
        // A ring of 68 bits, the last four of them in `rest`, turned by a quarter.
        self.pairs = pairs >> quarter | behind << (64 - quarter) | pairs << (68 - quarter);
        self.rest = self.rest & !(TO | BEHIND)
            | (self.rest + (1 << TO_SHIFT)) & TO
            | pairs >> (quarter - 4) & BEHIND;
    }

    /// The same board as another seat in play sees it, its memo included.
    pub(in crate::games) fn seen_by(mut self, seat: Seat) -> Board {
        while self.to() != seat {
            self.turn();
        }
        self
    }
}

/// The high bits of the bytes that are 0, exact for bytes below 128: adding 127 carries into the
/// high bit unless the byte is 0.
#[inline(always)]
const fn zero_bytes(word: u64) -> u64 {
    !(word + 0x7f * EACH) & HIGH
}

/// Four ascending tokens with one moved, ascending again.
#[inline(always)]
const fn replaced(tokens: u32, from: Place, to: Place) -> u32 {
    let each = EACH as u32;
    let found = zero_bytes((tokens ^ (each * from as u32)) as u64) as u32;
    // One of the four it is: said so, the search for a bit is one instruction.
    let index = (found | 1 << 31).trailing_zeros() & 0x18;
    let behind = (1u32 << index) - 1;
    let rest = (tokens & behind | (tokens >> index >> 8) << index) as u64;
    // Of the three that stay, the first that is not behind the target: a byte's high bit survives
    // the subtraction exactly where it is at least `to`.
    let ahead = ((rest | HIGH & 0x80_8080) - (EACH & 0x01_0101) * to as u64) & 0x80_8080 | 1 << 31;
    let slot = ahead.trailing_zeros() & 0x18;
    let behind = (1u64 << slot) - 1;
    (rest & behind | (to as u64) << slot | (rest & !behind) << 8) as u32
}

/// The tokens that stand where the one before them in the list stands: their bytes' high bits.
/// Without them every place is listed once.
#[inline(always)]
pub(in crate::games) const fn duplicates(tokens: u32) -> u32 {
    // The rearmost token has nobody before it.
    let before = tokens << 8 | 0x7d;
    zero_bytes((tokens ^ before) as u64) as u32
}

/// The own lane squares with two tokens: bit `place - 65`, c1 to c7.
#[inline(always)]
pub(in crate::games) fn pairs_on_lane(tokens: u32) -> u8 {
    let mut lane = 0;
    for index in ones_of(duplicates(tokens)) {
        let place = tokens.to_le_bytes()[index];
        if (LANE..GOAL).contains(&place) {
            lane |= 1 << (place - LANE);
        }
    }
    lane
}

/// The indexes, 0 to 3, of the tokens whose bytes' high bits are set.
#[inline(always)]
pub(in crate::games) fn ones_of(mut high_bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = (high_bits != 0).then(|| high_bits.trailing_zeros() as usize / 8);
        high_bits &= high_bits.wrapping_sub(1);
        index
    })
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tokens = self.tokens.map(u64::to_le_bytes);
        write!(
            f,
            "{}:{tokens:?}:{:x}:{:x}",
            self.to(),
            self.pairs,
            self.rest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose, Stream};

    /// The board, and the same tokens as plain lists.
    fn boards(random: &mut Stream) -> (Board, [Option<[Place; 4]>; 4], bool) {
        let mates = random.below(2) == 0;
        let absent = if mates { 9 } else { random.below(6) as usize };
        let corners = std::array::from_fn(|corner| {
            let mut places: [Place; 4] = std::array::from_fn(|_| random.below(73) as Place);
            // Squares shared often enough to be tested.
            for place in &mut places {
                if random.below(2) == 0 {
                    *place = (random.below(3) * 17) as Place + 1;
                }
            }
            places.sort_unstable();
            (corner != absent).then_some(places)
        });
        let to = (0..4).find(|&corner| corner != absent).expect("three sit");
        (Board::new(corners, Seat::new(to), mates), corners, mates)
    }

    fn absolute(corner: usize, place: Place) -> Option<u8> {
        is_on_ring(place).then(|| (place - 1 + QUARTER * corner as u8) % 68)
    }

    #[test]
    fn a_board_says_what_lists_of_tokens_say() {
        let mut random = BlockKey::new(7, 7).stream(Purpose::Bot, Seat::A);
        for _ in 0..20_000 {
            let (mut board, mut corners, mates) = boards(&mut random);
            for _ in 0..8 {
                let to = board.to().index();
                let own = corners[to].expect("the mover sits");
                let (from, to_place) = (own[random.below(4) as usize], random.below(73) as Place);
                if from != to_place {
                    board.advance(from, to_place, mates);
                    let tokens = corners[to].as_mut().expect("the mover sits");
                    *tokens
                        .iter_mut()
                        .find(|place| **place == from)
                        .expect("is there") = to_place;
                    tokens.sort_unstable();
                }
                if let Some(square) = absolute(to, to_place)
                    && random.below(3) == 0
                {
                    let here = board.at(to_place).others();
                    let lost = board.capture(to_place, here, mates);
                    let mut expected = 0;
                    for (corner, tokens) in corners.iter_mut().enumerate() {
                        for place in tokens.iter_mut().flatten() {
                            if corner != to && absolute(corner, *place) == Some(square) {
                                expected += i16::from(*place);
                                *place = 0;
                            }
                        }
                        if let Some(tokens) = tokens {
                            tokens.sort_unstable();
                        }
                    }
                    assert_eq!(lost, expected);
                }
                assert_eq!(board.seen_by(board.to()), board);
                assert_eq!(board, Board::new(corners, board.to(), mates), "{corners:?}");
                let place = random.below(73) as Place;
                let here = board.at(place);
                for ahead in 0..4 {
                    let corner = (to + ahead) & 3;
                    let found = here.of(ahead).count_ones() as usize;
                    let stands = |&&other: &&Place| match absolute(to, place) {
                        Some(square) => absolute(corner, other) == Some(square),
                        None => ahead == 0 && other == place,
                    };
                    let expected = corners[corner].iter().flatten().filter(stands).count();
                    assert_eq!(found, expected, "{corners:?} {place} {ahead}");
                }
                if random.below(2) == 0 {
                    board.set_memo(0b1011);
                    board.pass_turn(0b10, false);
                    assert_eq!(board.memo(), 0b10);
                    board.set_memo(0);
                }
            }
        }
    }

    #[test]
    fn duplicates_are_listed_once() {
        for (tokens, expected) in [
            ([0, 0, 0, 0], 0x8080_8000u32),
            ([0, 1, 1, 72], 0x0080_0000),
            ([5, 6, 7, 7], 0x8000_0000),
            ([1, 2, 3, 4], 0),
        ] {
            assert_eq!(
                duplicates(u32::from_le_bytes(tokens)),
                expected,
                "{tokens:?}"
            );
        }
        assert_eq!(
            pairs_on_lane(u32::from_le_bytes([65, 65, 71, 71])),
            0b100_0001
        );
        assert_eq!(pairs_on_lane(u32::from_le_bytes([0, 0, 72, 72])), 0);
    }
}
