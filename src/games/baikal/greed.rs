//! What a move of the Baikal race is worth to a greedy seat: the pips it gains and takes, tokens
//! held captive, and the own ones that are not at play or can be captured.

use crate::engine::game::MoveSet;

use super::Baikal;
use super::moves::{Move, Moves};
use super::route::Place;
use super::state::{FRESH, State, contains, count};

// In pips. Of many tried in serious play they win most against `random`, but little
// depends on them: half or twice as much costs a seat of two one or two wins in a hundred.

/// What a token in the reserve costs: only a six moves it.
const RESERVED: i32 = 10;
/// What a captive costs its owner, and about what it is worth to its captor.
const HELD: i32 = 22;
const CAPTIVE: i32 = HELD - RESERVED;
/// What each step still to go in a pocket costs: only one face moves a token there.
const STEP: i32 = 10;

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

impl<const SEATS: usize> Baikal<SEATS> {
    /// Calls `visit` for each move with its worth, in 36ths of a pip, and the pips the moved token
    /// had come. What others can reach is counted from where they stood before the move, and as if
    /// nothing stood between and nobody turned into a lane.
    #[inline]
    pub(super) fn greed(
        &self,
        state: &State<SEATS>,
        moves: &Moves,
        mut visit: impl FnMut(i32, u16),
    ) {
        let slot = state.actor();
        let others = self.others_on_ring(state, slot);
        let attackers = others | self.others_fresh(state, slot);
        let captive = if self.keeps_captives { CAPTIVE } else { 0 };
        for mv in moves.iter() {
            if mv == Move::PASS {
                visit(i32::MIN, 0);
                continue;
            }
            let mut after = *state;
            let (change, from) = self.try_out(&mut after, mv, others);
            let pips = i32::from(change.gained) + i32::from(change.lost);
            let worth = pips + captive * change.tokens_hit();
            let burden = self.burden(&after, slot, attackers, captive);
            visit(36 * worth - burden, self.route.pips(from));
        }
    }

    /// The starts of other seats with a fresh token on them, as `slot` counts ring cells.
    #[inline]
    fn others_fresh(&self, state: &State<SEATS>, slot: usize) -> u128 {
        let mut cells = 0;
        for other in (0..SEATS).filter(|&other| other != slot) {
            if contains(state.tokens[other], FRESH) {
                cells |= 1 << self.turned(0, other, slot);
            }
        }
        cells
    }

    /// Of 36 rolls those with which others, on these cells, can land on a ring cell.
    #[inline]
    fn hits_on(&self, others: u128, r: u8) -> u8 {
        let behind = if r >= REACH {
            others >> (r - REACH)
        } else {
            others << (REACH - r) | others >> (self.route.ring + r - REACH)
        };
        HITS[behind as usize & (HITS.len() - 1)]
    }

    /// What the tokens of a slot cost that wait, and what the lone ones must expect to lose, in
    /// 36ths of a pip.
    #[inline]
    fn burden(&self, board: &State<SEATS>, slot: usize, others: u128, captive: i32) -> i32 {
        let word = board.tokens[slot];
        let cost = |code| match self.route.place(code) {
            Place::Reserve => 36 * RESERVED,
            Place::Held(_) => 36 * HELD,
            Place::Pocket(_, depth) => 36 * STEP * (3 - i32::from(depth)),
            Place::Ring(r) if !self.route.is_rest(r) && count(word, code) == 1 => {
                let lost = i32::from(self.route.pips(code)) + captive;
                i32::from(self.hits_on(others, r)) * lost
            }
            _ => 0,
        };
        board.codes(slot).into_iter().map(cost).sum()
    }
}
