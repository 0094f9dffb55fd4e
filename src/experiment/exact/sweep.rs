//! Values from the end of the game backwards, component by component.

use std::ops::Range;

use crate::engine::game::Game;
use crate::engine::seat::{PerSeat, Seat, SeatSet};

use super::components::Components;
use super::graph::{Edge, Graph, Kind, Role};
use super::{ExactError, Node, Outlook, Play, optimal_seats};

/// A component is swept until no value changes by more than this, relative to the value if that
/// is above 1, and then on for as long as the changes still get smaller.
const TOLERANCE: f64 = 1e-13;

/// Sweeps after which a component is given up.
const MAX_SWEEPS: u32 = 100_000;

/// Options are as good as each other when their values differ by no more than this, relative to
/// values above 1.
pub const TIE: f64 = 1e-12;

/// Values of all nodes and how they were found.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    pub(super) sweeps: u32,
    pub(super) residual: f64,
}

/// Repeats `sweep`, which answers with the largest relative change, over each component until it
/// changes nothing more.
fn settle(
    components: &Components,
    values: &mut [f64],
    mut sweep: impl FnMut(&mut [f64], Range<Node>) -> f64,
) -> Result<(u32, f64), ExactError> {
    let mut most = 0;
    let mut worst: f64 = 0.0;
    for component in components.iter() {
        let mut sweeps = 0;
        let mut before = f64::INFINITY;
        let residual = loop {
            let change = sweep(values, component.clone());
            sweeps += 1;
            if change == 0.0 || change <= TOLERANCE && change >= before {
                break change;
            }
            before = change;
            if sweeps == MAX_SWEEPS || !change.is_finite() {
                return Err(ExactError::NotSettled {
                    residual: change,
                    sweeps,
                });
            }
        };
        most = most.max(sweeps);
        worst = worst.max(residual);
    }
    Ok((most, worst))
}

fn change(old: f64, new: f64) -> f64 {
    (new - old).abs() / new.abs().max(1.0)
}

/// What a node has values for: the wins of each seat in play, turns, rolls, captures.
pub(super) struct Columns {
    seats: SeatSet,
}

impl Columns {
    pub(super) fn of(seats: SeatSet) -> Columns {
        Columns { seats }
    }

    fn len(&self) -> usize {
        self.seats.len() + 3
    }

    /// The columns of the wins, in the order of the seats.
    fn wins(&self) -> impl Iterator<Item = (usize, Seat)> {
        self.seats.iter().enumerate()
    }

    pub(super) fn outlook(&self, values: &[f64], node: Node) -> Outlook {
        let row = &values[node as usize * self.len()..][..self.len()];
        let mut win = PerSeat::default();
        for (column, seat) in self.wins() {
            win[seat] = row[column];
        }
        let counts = &row[self.seats.len()..];
        Outlook {
            win,
            turns: counts[0],
            rolls: counts[1],
            captures: counts[2],
        }
    }

    /// The values of a graph without choices.
    pub(super) fn evaluate(
        &self,
        graph: &Graph,
        components: &Components,
    ) -> Result<Found, ExactError> {
        let width = self.len();
        let mut values = vec![0.0; graph.len() * width];
        for &(node, winners) in &graph.finished {
            for (column, seat) in self.wins() {
                values[node as usize * width + column] = f64::from(winners.contains(seat));
            }
        }
        let gains: Vec<(f64, [f64; 3])> = graph
            .kinds()
            .iter()
            .map(|kind| {
                let probability = kind.probability();
                let gain = |count: u16| probability * f64::from(count);
                let counts = [kind.turns, kind.rolls, kind.captures].map(gain);
                (probability, counts)
            })
            .collect();

        let mut row = vec![0.0; width];
        let (sweeps, residual) = settle(components, &mut values, |values, component| {
            let mut largest: f64 = 0.0;
            for node in component.clone() {
                let edges = graph.edges(node);
                if edges.is_empty() {
                    continue;
                }
                row.fill(0.0);
                let mut stays = 0.0;
                for edge in edges {
                    let (probability, counts) = &gains[edge.kind as usize];
                    if edge.to == node {
                        stays += probability;
                    } else {
                        let successor = &values[edge.to as usize * width..][..width];
                        for (sum, value) in row.iter_mut().zip(successor) {
                            *sum += probability * value;
                        }
                    }
                    for (sum, gain) in row[width - 3..].iter_mut().zip(counts) {
                        *sum += gain;
                    }
                }
                // A roll that changes nothing is only repeated: no sweeps needed for it.
                let leaves = 1.0 - stays;
                let old = &mut values[node as usize * width..][..width];
                for (old, sum) in old.iter_mut().zip(&row) {
                    let new = sum / leaves;
                    largest = largest.max(change(*old, new));
                    *old = new;
                }
            }
            // Nothing in a single node can still change.
            if component.len() == 1 && largest.is_finite() {
                0.0
            } else {
                largest
            }
        })?;
        Ok(Found {
            values,
            sweeps,
            residual,
        })
    }
}

/// What optimal seats play for.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// A seat alone: the fewest turns.
    Fewest,
    /// This seat wants to win, and every other seat with a choice wants it not to.
    Win(Seat),
}

impl Aim {
    pub(super) fn of<G: Game>(game: &G, plays: &PerSeat<Play<G>>) -> Aim {
        if game.seats().len() == 1 {
            return Aim::Fewest;
        }
        let mut seats = optimal_seats(game, plays).iter();
        seats.next().map_or(Aim::Fewest, Aim::Win)
    }

    /// What an edge is worth, and whether the seat wants more of it.
    fn worth(self, graph: &Graph, values: &[f64], edge: Edge) -> f64 {
        let value = values[edge.to as usize];
        match self {
            Aim::Fewest => value + f64::from(graph.kinds()[edge.kind as usize].turns),
            Aim::Win(_) => value,
        }
    }

    /// A value as `seat` wants more of it: of a chance its own, of turns fewer.
    pub(super) fn seen_by(self, seat: Seat, value: f64) -> f64 {
        match self {
            Aim::Fewest => -value,
            Aim::Win(winner) if winner == seat => value,
            Aim::Win(_) => 1.0 - value,
        }
    }

    /// Whether `seat` prefers larger values.
    fn wants_more(self, seat: Seat) -> bool {
        matches!(self, Aim::Win(winner) if winner == seat)
    }

    /// The value of every node when all choices are made for the best.
    pub(super) fn optimise(
        self,
        graph: &Graph,
        components: &Components,
    ) -> Result<Found, ExactError> {
        let mut values = vec![0.0; graph.len()];
        if let Aim::Win(seat) = self {
            for &(node, winners) in &graph.finished {
                values[node as usize] = f64::from(winners.contains(seat));
            }
        }
        let probabilities: Vec<f64> = graph.kinds().iter().map(Kind::probability).collect();
        let (sweeps, residual) = settle(components, &mut values, |values, component| {
            let mut largest: f64 = 0.0;
            for node in component.clone() {
                let edges = graph.edges(node);
                if edges.is_empty() {
                    continue;
                }
                let mut sum = 0.0;
                let mut stays = 0.0;
                let mut best = f64::NAN;
                let mut may_stay = false;
                for &edge in edges {
                    let probability = probabilities[edge.kind as usize];
                    let worth = self.worth(graph, values, edge);
                    let role = graph.kinds()[edge.kind as usize].role;
                    let Some(seat) = role.seat() else {
                        if edge.to == node {
                            stays += probability;
                            sum += probability * (worth - values[node as usize]);
                        } else {
                            sum += probability * worth;
                        }
                        continue;
                    };
                    may_stay |= edge.to == node;
                    // `max` and `min` ignore the NaN that stands for no option yet.
                    best = if self.wants_more(seat) {
                        best.max(worth)
                    } else {
                        best.min(worth)
                    };
                    if matches!(role, Role::LastOption(_)) {
                        sum += probability * best;
                        best = f64::NAN;
                    }
                }
                let new = sum / (1.0 - stays);
                let change = change(values[node as usize], new);
                // A single node that no option keeps is solved now.
                if component.len() > 1 || may_stay || !change.is_finite() {
                    largest = largest.max(change);
                }
                values[node as usize] = new;
            }
            largest
        })?;
        Ok(Found {
            values,
            sweeps,
            residual,
        })
    }

    /// The graph in which every choice is made for the best, the first of equally good options;
    /// the number of choices and of those with equally good options.
    pub(super) fn decide(self, graph: &Graph, values: &[f64]) -> (Graph, usize, usize) {
        let mut choices = 0;
        let mut ties = 0;
        let decided = graph.decided(|seat, options| {
            let worth = |edge: &Edge| {
                let worth = self.worth(graph, values, *edge);
                if self.wants_more(seat) { worth } else { -worth }
            };
            let best = options.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            let good_enough = best - TIE * best.abs().max(1.0);
            let mut good = options.iter().filter(|edge| worth(edge) >= good_enough);
            let first = good.next().expect("the best option is good enough");
            choices += 1;
            ties += usize::from(good.next().is_some());
            *first
        });
        (decided, choices, ties)
    }
}
