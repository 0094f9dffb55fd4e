//! The graph of all positions that can be reached: exploration and its compact form.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::bots::{Habit, View};
use crate::engine::game::{Effect, Game, MoveSet, Standing, Turn};
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::{PerSeat, Seat, SeatSet};

use super::{ExactError, Node, Play, optimal_seats};

/// Positions numbered in the order they were found.
pub(super) struct Index<S> {
    states: Vec<S>,
    /// Open addressing: the number of a position plus 1, or 0. At most half full.
    slots: Vec<Node>,
}

impl<S: Copy + Eq + Hash> Index<S> {
    fn new() -> Index<S> {
        Index {
            states: Vec::new(),
            slots: vec![0; 1024],
        }
    }

    pub(super) fn states(&self) -> &[S] {
        &self.states
    }

    /// The number of a position, if it was found.
    pub(super) fn find(&self, state: &S) -> Option<Node> {
        self.slots[self.slot(state)].checked_sub(1)
    }

    /// The number of a position, which is new if it was not found before.
    fn insert(&mut self, state: S) -> Node {
        let slot = self.slot(&state);
        if let Some(node) = self.slots[slot].checked_sub(1) {
            return node;
        }
        self.states.push(state);
        let count = self.states.len() as Node;
        self.slots[slot] = count;
        if 2 * self.states.len() > self.slots.len() {
            self.slots = vec![0; 2 * self.slots.len()];
            for known in 0..self.states.len() {
                let slot = self.slot(&self.states[known]);
                self.slots[slot] = known as Node + 1;
            }
        }
        count - 1
    }

    /// Numbers the positions anew: `order` lists their old numbers in the new order.
    pub(super) fn renumber(&mut self, order: &[Node]) {
        self.states = order.iter().map(|&old| self.states[old as usize]).collect();
        let ranks = ranks(order);
        for slot in &mut self.slots {
            if let Some(old) = slot.checked_sub(1) {
                *slot = ranks[old as usize] + 1;
            }
        }
    }

    /// Where a position stands, or where it would.
    fn slot(&self, state: &S) -> usize {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let mask = self.slots.len() - 1;
        let mut slot = hasher.finish() as usize & mask;
        while let Some(node) = self.slots[slot].checked_sub(1) {
            if self.states[node as usize] == *state {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// The inverse of an order.
fn ranks(order: &[Node]) -> Vec<Node> {
    let mut ranks = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        ranks[old as usize] = new as Node;
    }
    ranks
}

/// Whether an edge is chance, or an option of a choice. The options of one choice stand one
/// after the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// No choice.
    Plain,
    /// An option of this seat, and not the last.
    Option(Seat),
    /// The last option of this seat.
    LastOption(Seat),
}

impl Role {
    pub(super) fn seat(self) -> Option<Seat> {
        match self {
            Role::Plain => None,
            Role::Option(seat) | Role::LastOption(seat) => Some(seat),
        }
    }
}

/// What edges have in common but for where they lead. There are few kinds and many edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The probability is `weight / total`; for an option, of the choice it belongs to.
    pub(super) weight: u64,
    pub(super) total: u64,
    pub(super) rolls: u16,
    pub(super) turns: u16,
    pub(super) captures: u16,
    pub(super) role: Role,
}

impl Kind {
    fn and_then(self, effect: &Effect) -> Kind {
        let hits: u32 = effect.hits.iter().map(|(_, count)| count).sum();
        Kind {
            turns: self.turns + u16::from(effect.turn_ends) + u16::from(effect.skipped),
            captures: self.captures + hits as u16,
            ..self
        }
    }

    pub(super) fn probability(&self) -> f64 {
        self.weight as f64 / self.total as f64
    }
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: Node,
    /// Index into [`Graph::kinds`].
    pub(super) kind: u32,
}

/// Positions and what can follow them. A node is a position that awaits a roll, that awaits a
/// choice which directly follows another one, or one finished game for every set of winners.
#[derive(Default)]
pub(super) struct Graph {
    edges: Vec<Edge>,
    /// Where the edges of each node end.
    ends: Vec<u32>,
    kinds: Vec<Kind>,
    /// The finished games: node and winners.
    pub(super) finished: Vec<(Node, SeatSet)>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether a seat is left to choose anywhere.
    pub(super) fn has_choices(&self) -> bool {
        self.kinds.iter().any(|kind| kind.role.seat().is_some())
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(super) fn range(&self, node: Node) -> std::ops::Range<usize> {
        let node = node as usize;
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }

    pub(super) fn edge(&self, edge: usize) -> Edge {
        self.edges[edge]
    }

    pub(super) fn edges(&self, node: Node) -> &[Edge] {
        &self.edges[self.range(node)]
    }

    /// A graph in which the edges of each node are equally likely.
    #[cfg(test)]
    pub(super) fn of_edges(nodes: &[&[Node]]) -> Graph {
        let mut graph = Graph::default();
        for targets in nodes {
            let kind = Kind {
                weight: 1,
                total: targets.len() as u64,
                rolls: 1,
                turns: 1,
                captures: 0,
                role: Role::Plain,
            };
            for &to in *targets {
                let kind_number = graph.kinds.len() as u32;
                graph.edges.push(Edge {
                    to,
                    kind: kind_number,
                });
            }
            graph.kinds.push(kind);
            graph.ends.push(graph.edges.len() as u32);
        }
        graph
    }

    /// The graph with its nodes numbered anew: `order` lists their old numbers in the new order.
    pub(super) fn renumbered(self, order: &[Node]) -> Graph {
        let ranks = ranks(order);
        let mut edges = Vec::with_capacity(self.edges.len());
        let mut ends = Vec::with_capacity(self.ends.len());
        for &old in order {
            edges.extend(self.edges(old).iter().map(|edge| Edge {
                to: ranks[edge.to as usize],
                ..*edge
            }));
            ends.push(edges.len() as u32);
        }
        let finished = self.finished.iter();
        let finished = finished
            .map(|&(node, winners)| (ranks[node as usize], winners))
            .collect();
        Graph {
            edges,
            ends,
            finished,
            ..self
        }
    }

    /// The graph in which each choice is decided: `decide` is given the seat and the options and
    /// answers with one of them.
    pub(super) fn decided(&self, mut decide: impl FnMut(Seat, &[Edge]) -> Edge) -> Graph {
        let mut fixed = Graph {
            kinds: self
                .kinds
                .iter()
                .map(|kind| Kind {
                    role: Role::Plain,
                    ..*kind
                })
                .collect(),
            finished: self.finished.clone(),
            ..Graph::default()
        };
        for node in 0..self.len() as Node {
            let mut options = self.range(node).start;
            for edge in self.range(node) {
                match self.kinds[self.edges[edge].kind as usize].role {
                    Role::Plain => fixed.edges.push(self.edges[edge]),
                    Role::Option(_) => continue,
                    Role::LastOption(seat) => {
                        fixed.edges.push(decide(seat, &self.edges[options..=edge]));
                    }
                }
                options = edge + 1;
            }
            fixed.ends.push(fixed.edges.len() as u32);
        }
        fixed
    }
}

/// Walks the game from a position, as the seats play it.
pub(super) struct Explorer<'a, G: Game> {
    game: &'a G,
    plays: &'a mut PerSeat<Play<G>>,
    optimal: SeatSet,
    max_states: usize,
    /// Never drawn from: a bot that draws is not deterministic.
    random: Stream,
    index: Index<G::State>,
    kind_numbers: HashMap<Kind, u32>,
    graph: Graph,
}

impl<'a, G: Game> Explorer<'a, G> {
    pub(super) fn new(
        game: &'a G,
        plays: &'a mut PerSeat<Play<G>>,
        max_states: usize,
    ) -> Explorer<'a, G> {
        Explorer {
            game,
            optimal: optimal_seats(game, plays),
            plays,
            max_states,
            random: BlockKey::new(0, 0).stream(Purpose::Bot, Seat::A),
            index: Index::new(),
            kind_numbers: HashMap::new(),
            graph: Graph::default(),
        }
    }

    /// The positions that can follow these, and their graph.
    pub(super) fn explore(
        mut self,
        starts: &[G::State],
    ) -> Result<(Index<G::State>, Graph), ExactError> {
        for start in starts {
            self.node(*start);
        }
        let mut explored = 0;
        while let Some(&state) = self.index.states.get(explored) {
            self.expand(&state)?;
            self.graph.ends.push(self.graph.edges.len() as u32);
            explored += 1;
            let found = self.index.states.len();
            if found > self.max_states {
                return Err(ExactError::TooManyStates {
                    found,
                    open: found - explored,
                    bound: self.max_states,
                });
            }
        }
        Ok((self.index, self.graph))
    }

    /// Adds the edges of a node.
    fn expand(&mut self, state: &G::State) -> Result<(), ExactError> {
        let mut kind = Kind {
            weight: 1,
            total: 1,
            rolls: 0,
            turns: 0,
            captures: 0,
            role: Role::Plain,
        };
        match self.game.turn(state) {
            Turn::Over => Ok(()),
            Turn::Decision(_) => self.land(*state, kind),
            Turn::Chance(_) => {
                let rolls = self.game.rolls(state);
                kind.rolls = u16::from(!self.game.is_mid_roll(state));
                kind.total = rolls.iter().map(|&(_, weight)| u64::from(weight)).sum();
                rolls.iter().try_for_each(|&(roll, weight)| {
                    let mut next = *state;
                    self.game.roll(&mut next, roll);
                    kind.weight = u64::from(weight);
                    self.land(next, kind)
                })
            }
        }
    }

    /// Adds the edge or edges to where a roll leads.
    fn land(&mut self, state: G::State, kind: Kind) -> Result<(), ExactError> {
        let (state, kind) = self.follow(state, kind);
        let Turn::Decision(seat) = self.game.turn(&state) else {
            self.push(state, kind);
            return Ok(());
        };
        let mut moves = G::Moves::default();
        self.game.moves(&state, &mut moves);
        match self.plays[seat].habit() {
            Some(Habit::Deterministic) => unreachable!("its moves are followed"),
            Some(Habit::Uniform) => {
                let kind = Kind {
                    total: kind.total * moves.len() as u64,
                    ..kind
                };
                moves.iter().try_for_each(|mv| {
                    let (next, kind) = self.after(&state, kind, mv);
                    self.land(next, kind)
                })
            }
            None => self.keep_open(&state, kind, seat, &moves),
        }
    }

    /// Adds the options of an optimal seat.
    fn keep_open(
        &mut self,
        state: &G::State,
        kind: Kind,
        seat: Seat,
        moves: &G::Moves,
    ) -> Result<(), ExactError> {
        if self.optimal.len() > 1 && self.game.seats().len() > 2 {
            return Err(ExactError::ManyOptimal {
                seats: self.optimal,
            });
        }
        for (number, mv) in moves.iter().enumerate() {
            let (next, kind) = self.after(state, kind, mv);
            let (next, mut kind) = self.follow(next, kind);
            kind.role = if number + 1 == moves.len() {
                Role::LastOption(seat)
            } else {
                Role::Option(seat)
            };
            self.push(next, kind);
        }
        Ok(())
    }

    /// Plays on while there is nothing to decide: one legal move, or a bot that always answers
    /// the same.
    fn follow(&mut self, mut state: G::State, mut kind: Kind) -> (G::State, Kind) {
        let mut moves = G::Moves::default();
        while let Turn::Decision(seat) = self.game.turn(&state) {
            self.game.moves(&state, &mut moves);
            let mv = match &mut self.plays[seat] {
                _ if moves.is_forced() => moves.get(0),
                Play::Bot(policy) if policy.habit() == Habit::Deterministic => {
                    let view = View {
                        game: self.game,
                        state: &state,
                        seat,
                        moves: &moves,
                    };
                    moves.get(policy.choose(&view, &mut self.random))
                }
                _ => break,
            };
            (state, kind) = self.after(&state, kind, mv);
        }
        (state, kind)
    }

    fn after(&self, state: &G::State, kind: Kind, mv: G::Move) -> (G::State, Kind) {
        let mut next = *state;
        let effect = self.game.apply(&mut next, mv);
        (next, kind.and_then(&effect))
    }

    fn push(&mut self, state: G::State, kind: Kind) {
        let to = self.node(state);
        let kinds = &mut self.graph.kinds;
        let kind = *self.kind_numbers.entry(kind).or_insert_with(|| {
            kinds.push(kind);
            kinds.len() as u32 - 1
        });
        self.graph.edges.push(Edge { to, kind });
    }

    /// The node of a position. All games that the same seats have won are one node.
    fn node(&mut self, state: G::State) -> Node {
        if self.game.turn(&state) != Turn::Over {
            return self.index.insert(state);
        }
        let winners = winners(self.game.seats(), self.game.standing(&state));
        let known = self.graph.finished.iter().find(|known| known.1 == winners);
        if let Some(&(node, _)) = known {
            return node;
        }
        let node = self.index.insert(state);
        self.graph.finished.push((node, winners));
        node
    }
}

fn winners(seats: SeatSet, standing: Standing) -> SeatSet {
    let first = |seat: &Seat| standing.places[*seat] == 1;
    seats.iter().filter(first).collect()
}
