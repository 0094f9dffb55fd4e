//! What a move of the Baikal race is worth to a greedy seat: the pips it gains and takes, tokens
//! held captive, and the own ones that are not at play or can be captured.

use crate::engine::game::MoveSet;

use super::Baikal;
use super::moves::{Move, Moves};
use super::route::{Place, Route};
use super::state::{Code, RESERVE, State, contains, count, twins};

// In pips. Of many tried in serious play they win most against `random`, but little
// depends on them: half or twice as much costs a seat of two one or two wins in a hundred.

/// What a token in the reserve costs: only a six moves it.
const RESERVED: i16 = 10;
/// What a captive costs its owner, and about what it is worth to its captor.
const HELD: i16 = 22;
const CAPTIVE: i32 = (HELD - RESERVED) as i32;
/// What each step still to go in a pocket costs: only one face moves a token there.
const STEP: i16 = 10;

/// The cells behind a token from which one roll can reach it.
const REACH: u8 = 12;

/// Of 36 rolls those with which a token can come so many cells on, with one die or both.
const fn rolls_for(cells: u32) -> u32 {
    let by_die = if cells <= 6 { 11 } else { 0 };
    let by_sum = if cells >= 2 { 6 - cells.abs_diff(7) } else { 0 };
    by_die + by_sum
}

/// Of 36 rolls those with which tokens behind a cell can land on it; bit d: one stands
/// [`REACH`] - d cells behind. Rolls that two of them can use count twice.
static HITS: [u8; 1 << REACH] = {
    let mut hits = [0; 1 << REACH];
    let mut tokens: usize = 1;
    while tokens < hits.len() {
        let others = hits[tokens & (tokens - 1)] as u32;
        let sum = others + rolls_for(REACH as u32 - tokens.trailing_zeros());
        hits[tokens] = if sum > 36 { 36 } else { sum as u8 };
        tokens += 1;
    }
    hits
};

/// What a token costs where it stands.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Cost {
    /// In 36ths of a pip, whatever stands around it: it waits.
    waits: i16,
    /// What its owner loses when it is captured, in pips, if it can be.
    stake: i16,
    /// What shifts the [`REACH`] ring cells behind it to the low bits: so far down, and what is
    /// beyond the own start so far up.
    down: u8,
    up: u8,
}

/// What a token costs at each place.
pub(super) fn costs(route: &Route, keeps_captives: bool) -> [Cost; 256] {
    let captive = if keeps_captives { CAPTIVE } else { 0 };
    std::array::from_fn(|code| {
        let mut cost = Cost::default();
        match route.place(code as Code) {
            Place::Reserve => cost.waits = 36 * RESERVED,
            Place::Held(_) => cost.waits = 36 * HELD,
            Place::Pocket(_, depth) => cost.waits = 36 * STEP * (3 - i16::from(depth)),
            Place::Ring(r) if !route.is_rest(r) => {
                cost.stake = route.pips(code as Code).cast_signed() + captive as i16;
                (cost.down, cost.up) = if r >= REACH {
                    (r - REACH, REACH)
                } else {
                    (route.ring + r - REACH, REACH - r)
                };
            }
            _ => {}
        }
        cost
    })
}

impl<const SEATS: usize> Baikal<SEATS> {
    /// Calls `visit` for each move with its worth, in 36ths of a pip, and the pips the moved token
    /// had come. The worth is what it gains and takes, and how much less the own tokens cost after
    /// it. What others can reach is counted from where they stood before the move, and as if nothing
    /// stood between and nobody turned into a lane.
    #[inline]
    pub(super) fn greed(
        &self,
        state: &State<SEATS>,
        moves: &Moves,
        mut visit: impl FnMut(i32, u16),
    ) {
        let slot = state.actor();
        let word = state.tokens[slot];
        let others = self.others_on_ring(state, slot);
        let captive = if self.keeps_captives { CAPTIVE } else { 0 };
        for mv in moves.iter() {
            if mv == Move::PASS {
                visit(i32::MIN, 0);
                continue;
            }
            // Most moves change nothing else: only that token is counted again.
            let to = if self.is_ransom(mv) {
                Some(RESERVE)
            } else {
                self.quiet(state, slot, others, mv)
            };
            if let Some(to) = to {
                let from = self.route.pips(mv.code());
                let gained = i32::from(self.route.pips(to)) - i32::from(from);
                let eased = self.eased(word, others, [mv.code(), to]);
                visit(36 * gained + eased, from);
                continue;
            }
            let mut after = *state;
            let (change, from) = self.try_out(&mut after, mv, others);
            let pips = i32::from(change.gained) + i32::from(change.lost);
            let worth = pips + captive * change.tokens_hit();
            let eased = self.burden(word, others) - self.burden(after.tokens[slot], others);
            visit(36 * worth + eased, self.route.pips(from));
        }
    }

    /// What a token costs that waits, and what it must expect to lose if it is alone, in 36ths of a
    /// pip; others stand on these cells. Without branches: they would be missed too often.
    #[inline(always)]
    fn cost(&self, others: u128, code: Code) -> [i32; 2] {
        let cost = self.costs[usize::from(code)];
        let behind = (others >> cost.down) as usize | (others as usize) << cost.up;
        let hits = HITS[behind & (HITS.len() - 1)];
        let risk = i32::from(hits) * i32::from(cost.stake);
        [i32::from(cost.waits), risk]
    }

    /// What the tokens of a word cost together; two on a ring cell are safe.
    #[inline]
    fn burden(&self, word: u32, others: u128) -> i32 {
        let twins = twins(word);
        let mut paired = twins | twins << 8;
        let mut sum = 0;
        for code in word.to_le_bytes() {
            let [waits, risk] = self.cost(others, code);
            sum += waits + risk * i32::from(paired & 0x80 == 0);
            paired >>= 8;
        }
        sum
    }

    /// How much less the tokens of a word cost when one of them moves.
    #[inline(always)]
    fn eased(&self, word: u32, others: u128, [from, to]: [Code; 2]) -> i32 {
        // Of two one stays behind alone; with one that was alone there are two.
        let leaves_one = i32::from(count(word, from) == 2);
        let joins_one = i32::from(contains(word, to));
        let [waited, left] = self.cost(others, from);
        let [waits, come] = self.cost(others, to);
        waited - waits + left * (1 - 2 * leaves_one) - come * (1 - 2 * joins_one)
    }
}
