//! Policies sitting at a table: who chooses for which seat, and with which random numbers.

use std::time::{Duration, Instant};

use crate::engine::game::{Game, MoveSet};
use crate::engine::play::Chooser;
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::{MAX_SEATS, PerSeat, Seat, SeatSet};

use super::{Habit, Policy, View};

/// Policies at seats. One policy may sit at several seats; each seat has a stream of its own.
pub struct Seated<G: Game> {
    policies: Vec<Box<dyn Policy<G>>>,
    /// The policies that take any move.
    uniform: Vec<bool>,
    /// The decisions of the policies that search, and how long they took.
    clocks: Vec<Option<Clock>>,
    at: PerSeat<usize>,
    /// The seats of the policies that take any move.
    any_move: SeatSet,
    random: PerSeat<Stream>,
}

/// How much a policy that searches has decided.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// Decisions with more than one move.
    pub decisions: u64,
    /// The time they took.
    pub time: Duration,
}

impl<G: Game> Seated<G> {
    /// These policies, `at[seat]` the one that plays a seat; random numbers of `block`.
    pub fn new(
        policies: Vec<Box<dyn Policy<G>>>,
        at: PerSeat<usize>,
        block: BlockKey,
    ) -> Seated<G> {
        let mut seated = Seated {
            uniform: policies
                .iter()
                .map(|policy| policy.habit() == Habit::Uniform)
                .collect(),
            clocks: policies
                .iter()
                .map(|policy| policy.is_search().then(Clock::default))
                .collect(),
            policies,
            at: PerSeat::default(),
            any_move: SeatSet::EMPTY,
            random: streams(block),
        };
        seated.sit(at, block);
        seated
    }

    /// The same policies at other seats, with the random numbers of another block.
    pub fn sit(&mut self, at: PerSeat<usize>, block: BlockKey) {
        self.at = at;
        let takes_any = |&seat: &Seat| self.uniform[at[seat]];
        self.any_move = (0..MAX_SEATS).map(Seat::new).filter(takes_any).collect();
        self.random = streams(block);
    }

    /// For each policy, in order: what it decided and how long that took, if it searches.
    pub fn clocks(&self) -> &[Option<Clock>] {
        &self.clocks
    }

    /// The number of a policy that cannot choose any more, and why.
    pub fn failure(&self) -> Option<(usize, &str)> {
        let mut numbered = self.policies.iter().enumerate();
        numbered.find_map(|(number, policy)| Some((number, policy.failed()?)))
    }
}

fn streams(block: BlockKey) -> PerSeat<Stream> {
    PerSeat::from_fn(|seat| block.stream(Purpose::Bot, seat))
}

impl<G: Game> Chooser<G> for Seated<G> {
    /// Who takes any move need not be asked: the same draw, without the call.
    #[inline(always)]
    fn choose_blindly(&mut self, seat: Seat, moves: &G::Moves) -> Option<usize> {
        self.any_move
            .contains(seat)
            .then(|| self.random[seat].below(moves.len() as u64) as usize)
    }

    #[inline(never)]
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) -> usize {
        let view = View {
            game,
            state,
            seat,
            moves,
        };
        let random = &mut self.random[seat];
        let policy = &mut self.policies[self.at[seat]];
        let Some(clock) = &mut self.clocks[self.at[seat]] else {
            return policy.choose(&view, random);
        };
        let began = Instant::now();
        let chosen = policy.choose(&view, random);
        clock.time += began.elapsed();
        clock.decisions += 1;
        chosen
    }
}
