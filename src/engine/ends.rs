//! The different ways in which a seat can play out a roll that asks it for several moves.

use std::hash::{Hash, Hasher};

use super::game::{Game, MoveSet, Turn};
use super::seat::Seat;

/// One way a roll can end for the seat that plays it.
#[derive(Clone, Copy, Debug)]
pub struct End<S> {
    /// The position when the seat is asked no more: a roll is awaited, chance or another seat
    /// decides, or the game is over.
    pub state: S,
    /// The index of the first move that leads there, in the decision asked about.
    pub first: usize,
    /// How far the furthest of the moved tokens had come, in pips from the yard.
    pub from: u16,
    /// The pips all others lost on the way, less those they gained.
    pub lost: i16,
}

/// Lists the ends of a roll, each position once: the same steps in another order lead to the same
/// place, in `chinczyk` twenty times over. The buffers are kept from one roll to the next.
#[derive(Clone, Debug)]
pub struct Ends<G: Game> {
    list: Vec<End<G::State>>,
    open: Vec<End<G::State>>,
    seen: Known<G::State>,
    moves: G::Moves,
}

impl<G: Game> Default for Ends<G> {
    fn default() -> Ends<G> {
        Ends {
            list: Vec::new(),
            open: Vec::new(),
            seen: Known::new(),
            moves: G::Moves::default(),
        }
    }
}

impl<G: Game> Ends<G> {
    /// The ends of the roll that `seat` plays in `state`, where it has these moves: in the order
    /// of the number of moves that lead there, then of the moves. Never empty.
    pub fn of(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        moves: &G::Moves,
    ) -> &[End<G::State>] {
        self.list.clear();
        self.open.clear();
        self.seen.clear();
        for (first, mv) in moves.iter().enumerate() {
            let end = End {
                state: *state,
                first,
                from: 0,
                lost: 0,
            };
            self.follow(game, seat, &end, mv);
        }
        let mut next = 0;
        while let Some(&open) = self.open.get(next) {
            next += 1;
            let mut moves = std::mem::take(&mut self.moves);
            game.moves(&open.state, &mut moves);
            for mv in moves.iter() {
                self.follow(game, seat, &open, mv);
            }
            self.moves = moves;
        }
        &self.list
    }

    /// Plays one move and notes where it leads.
    fn follow(&mut self, game: &G, seat: Seat, before: &End<G::State>, mv: G::Move) {
        let mut state = before.state;
        let effect = game.apply(&mut state, mv);
        if !self.seen.insert(&state) {
            return;
        }
        let end = End {
            state,
            first: before.first,
            from: before.from.max(effect.from),
            lost: before.lost + effect.lost,
        };
        if effect.next == Turn::Decision(seat) {
            self.open.push(end);
        } else {
            self.list.push(end);
        }
    }
}

/// A set of positions that is emptied in no time.
#[derive(Clone, Debug)]
struct Known<S> {
    /// Positions with the round in which they were put in; others are free.
    slots: Vec<Option<(u32, S)>>,
    round: u32,
    count: usize,
}

impl<S: Copy + Eq + Hash> Known<S> {
    fn new() -> Known<S> {
        Known {
            slots: vec![None; 64],
            round: 0,
            count: 0,
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(None);
        }
    }

    /// Whether the position is new.
    fn insert(&mut self, state: &S) -> bool {
        if 2 * self.count >= self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![None; 2 * old.len()];
            for (round, state) in old.into_iter().flatten() {
                if round == self.round {
                    let slot = self.slot(&state);
                    self.slots[slot] = Some((round, state));
                }
            }
        }
        let slot = self.slot(state);
        let is_new = !matches!(self.slots[slot], Some((round, _)) if round == self.round);
        if is_new {
            self.slots[slot] = Some((self.round, *state));
            self.count += 1;
        }
        is_new
    }

    /// Where the position is, or the free place where it would be.
    fn slot(&self, state: &S) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = spread(state) as usize & mask;
        while let Some((round, other)) = &self.slots[slot]
            && *round == self.round
            && other != state
        {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// A hash that only has to spread positions.
pub fn spread(value: &impl Hash) -> u64 {
    let mut hasher = Fold(0);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Multiply and fold, eight bytes at a time.
struct Fold(u64);

impl Hasher for Fold {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
