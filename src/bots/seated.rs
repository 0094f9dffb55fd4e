//! Policies sitting at a table: who chooses for which seat, and with which random numbers.

use crate::engine::game::Game;
use crate::engine::play::Chooser;
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::{PerSeat, Seat};

use super::{Policy, View};

/// Policies at seats. One policy may sit at several seats; each seat has a stream of its own.
pub struct Seated<G: Game> {
    policies: Vec<Box<dyn Policy<G>>>,
    at: PerSeat<usize>,
    random: PerSeat<Stream>,
}

impl<G: Game> Seated<G> {
    /// These policies, `at[seat]` the one that plays a seat; random numbers of `block`.
    pub fn new(
        policies: Vec<Box<dyn Policy<G>>>,
        at: PerSeat<usize>,
        block: BlockKey,
    ) -> Seated<G> {
        Seated {
            policies,
            at,
            random: streams(block),
        }
    }

    /// The same policies at other seats, with the random numbers of another block.
    pub fn sit(&mut self, at: PerSeat<usize>, block: BlockKey) {
        self.at = at;
        self.random = streams(block);
    }
}

fn streams(block: BlockKey) -> PerSeat<Stream> {
    PerSeat::from_fn(|seat| block.stream(Purpose::Bot, seat))
}

impl<G: Game> Chooser<G> for Seated<G> {
    #[inline]
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) -> usize {
        let view = View {
            game,
            state,
            seat,
            moves,
        };
        self.policies[self.at[seat]].choose(&view, &mut self.random[seat])
    }
}
