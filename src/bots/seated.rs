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
    /// The decisions of the policies that search, and how long they took.
    clocks: Vec<Option<Clock>>,
    at: PerSeat<usize>,
    /// The seats of the policies that take any move.
    any_move: SeatSet,
    /// The seats of the policies that take the greediest move.
    greediest: SeatSet,
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
            clocks: policies
                .iter()
                .map(|policy| policy.is_search().then(Clock::default))
                .collect(),
            policies,
            at: PerSeat::default(),
            any_move: SeatSet::EMPTY,
            greediest: SeatSet::EMPTY,
            random: streams(block),
        };
        seated.sit(at, block);
        seated
    }

    /// The same policies at other seats, with the random numbers of another block.
    pub fn sit(&mut self, at: PerSeat<usize>, block: BlockKey) {
        self.at = at;
        self.any_move = self.seats_of(|policy| policy.habit() == Habit::Uniform);
        self.greediest = self.seats_of(|policy| policy.is_greedy());
        self.random = streams(block);
    }

    /// The seats of the policies that are so.
    fn seats_of(&self, is_so: impl Fn(&dyn Policy<G>) -> bool) -> SeatSet {
        let seats = (0..MAX_SEATS).map(Seat::new);
        seats
            .filter(|&seat| is_so(&*self.policies[self.at[seat]]))
            .collect()
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
    /// Who takes any move need not be asked: the same draw, without the call. Nor who takes the
    /// greediest, where the moves name it.
    #[inline(always)]
    fn choose_blindly(&mut self, seat: Seat, moves: &G::Moves) -> Option<G::Move> {
        if self.any_move.contains(seat) {
            let index = self.random[seat].below(moves.len() as u64) as usize;
            return Some(moves.get(index));
        }
        if self.greediest.contains(seat) {
            return moves.greediest();
        }
        None
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
