//! Exact answers: who wins how often and how long a game lasts, without playing it.
//!
//! [`solve`] explores every position that can be reached, cuts the graph into strongly connected
//! components and works through them from the end of the game backwards. What a race cannot
//! undo is thus done in one pass; only positions that captures tie together are swept again and
//! again, until nothing changes.
//!
//! Each seat plays by a bot or optimally. Two optimal seats play for the win against each other;
//! one optimal seat among bots maximises its own wins; a seat alone minimises its turns. The
//! optimal moves are found first and then written into the graph, so that every expectation is
//! of one fixed way to play: of equally good moves the first.

mod components;
mod graph;
mod optimum;
mod sweep;

use crate::bots::{Habit, Policy};
use crate::engine::game::{Game, Turn};
use crate::engine::seat::{PerSeat, Seat, SeatSet};

use components::{Components, solving_order, strong_components};
use graph::{Explorer, Graph, Index};
use sweep::{Aim, Columns};

pub use optimum::{Decision, Optimum, Perfect};
pub use sweep::TIE;

/// How a seat plays.
pub enum Play<G: Game> {
    /// The best it can.
    Optimal,
    /// As a bot does.
    Bot(Box<dyn Policy<G>>),
}

impl<G: Game> Play<G> {
    fn habit(&self) -> Option<Habit> {
        match self {
            Play::Optimal => None,
            Play::Bot(policy) => Some(policy.habit()),
        }
    }
}

/// Why there is no exact answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ExactError {
    /// More positions than the bound allows.
    #[error(
        "{found} positions found and {open} of them not yet explored, at the bound of {bound}; \
         raise --max-states or start nearer to the end of the game"
    )]
    TooManyStates {
        /// Positions found so far.
        found: usize,
        /// Those whose successors are not known yet.
        open: usize,
        /// The bound.
        bound: usize,
    },
    /// Several seats play optimally, but the game is not between two.
    #[error(
        "seats {seats} cannot all play optimally: with more than two seats one seat's gain is no \
         other seat's loss; let at most one play optimally and give the others bots"
    )]
    ManyOptimal {
        /// The seats that should.
        seats: SeatSet,
    },
    /// A position from which nobody ever wins.
    #[error("played this way, the game never ends from '{position}' on")]
    NeverEnds {
        /// The position.
        position: String,
    },
    /// The values still change after the last sweep.
    #[error("the values still change by {residual:e} after {sweeps} sweeps")]
    NotSettled {
        /// The last change, relative to the value if that is above 1.
        residual: f64,
        /// The sweeps done.
        sweeps: u32,
    },
}

/// What to expect from a position on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// The probability that a seat is first at the end.
    pub win: PerSeat<f64>,
    /// The expected turns, by all seats, the last one included.
    pub turns: f64,
    /// The expected rolls, by all seats.
    pub rolls: f64,
    /// The expected captures, by all seats.
    pub captures: f64,
}

/// How the optimal moves were found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Optimised {
    /// Decisions of optimal seats with more than one legal move.
    pub choices: usize,
    /// Those where another move is as good as the one chosen, to within 1e-12.
    pub ties: usize,
    /// The most sweeps a component took.
    pub sweeps: u32,
    /// The last change in any component, relative to values above 1.
    pub residual: f64,
}

/// The exact answer for a position and for all that can follow it.
pub struct Solution<G: Game> {
    index: Index<G::State>,
    start: Option<Node>,
    columns: Columns,
    values: Vec<f64>,
    /// Positions that await a roll.
    pub states: usize,
    /// Strongly connected components of the game with every option of optimal seats.
    pub components: usize,
    /// How the optimal moves were found, if a seat had a choice and played optimally.
    pub optimised: Option<Optimised>,
    /// The most sweeps a component took.
    pub sweeps: u32,
    /// The last change in any component, relative to values above 1.
    pub residual: f64,
}

/// Solves the game from some positions on; [`Solution::at`] then knows all that can follow them.
///
/// Bots must choose as their [`Habit`] promises. Seats not in play are ignored.
///
/// # Errors
/// When more than `max_states` positions can be reached, when several of more than two seats
/// play optimally and one of them has a choice, or when the values do not settle.
pub fn solve<G: Game>(
    game: &G,
    starts: &[G::State],
    plays: &mut PerSeat<Play<G>>,
    max_states: usize,
) -> Result<Solution<G>, ExactError> {
    let aim = Aim::of(game, plays);
    let explored = Explorer::new(game, plays, max_states).explore(starts)?;
    let Ordered {
        index,
        mut graph,
        components,
    } = Ordered::of(game, explored)?;

    let optimised = if graph.has_choices() {
        let found = aim.optimise(&graph, &components)?;
        let (decided, choices, ties) = aim.decide(&graph, &found.values);
        graph = decided;
        ends(game, &index, &strong_components(&graph).1)?;
        Some(Optimised {
            choices,
            ties,
            sweeps: found.sweeps,
            residual: found.residual,
        })
    } else {
        None
    };

    let columns = Columns::of(game.seats());
    let found = columns.evaluate(&graph, &components)?;
    let awaits_roll =
        |state: &&G::State| matches!(game.turn(state), Turn::Chance(_)) && !game.is_mid_roll(state);
    Ok(Solution {
        start: starts.first().and_then(|state| index.find(state)),
        states: index.states().iter().filter(awaits_roll).count(),
        components: components.len(),
        optimised,
        sweeps: found.sweeps,
        residual: found.residual,
        values: found.values,
        columns,
        index,
    })
}

impl<G: Game> Solution<G> {
    /// What to expect from `state` on; nothing if it cannot follow the position solved.
    pub fn at(&self, state: &G::State) -> Option<Outlook> {
        let node = self.index.find(state)?;
        Some(self.columns.outlook(&self.values, node))
    }

    /// What to expect from the first of the positions solved.
    ///
    /// # Panics
    /// When none was given.
    pub fn outlook(&self) -> Outlook {
        let start = self.start.expect("a position was solved");
        self.columns.outlook(&self.values, start)
    }
}

/// Positions and their graph, numbered in the order of solving.
struct Ordered<G: Game> {
    index: Index<G::State>,
    graph: Graph,
    components: Components,
}

impl<G: Game> Ordered<G> {
    fn of(
        game: &G,
        (mut index, graph): (Index<G::State>, Graph),
    ) -> Result<Ordered<G>, ExactError> {
        let total = |state| {
            let seats = game.seats().iter();
            seats.map(|seat| game.progress(state, seat)).sum()
        };
        let progress: Vec<u32> = index.states().iter().map(total).collect();
        let (order, components) = solving_order(&graph, &progress);
        ends(game, &index, &components)?;
        index.renumber(&order);
        Ok(Ordered {
            graph: graph.renumbered(&order),
            index,
            components,
        })
    }
}

/// Refuses a game that may go on for ever.
fn ends<G: Game>(
    game: &G,
    index: &Index<G::State>,
    components: &Components,
) -> Result<(), ExactError> {
    components.trap.map_or(Ok(()), |node| {
        Err(ExactError::NeverEnds {
            position: game.print(&index.states()[node as usize]),
        })
    })
}

/// The seats in play that play optimally.
fn optimal_seats<G: Game>(game: &G, plays: &PerSeat<Play<G>>) -> SeatSet {
    let optimal = |seat: &Seat| plays[*seat].habit().is_none();
    game.seats().iter().filter(optimal).collect()
}

/// The type of a graph's node numbers.
type Node = u32;
