//! Where which parameter of a fit stands, and what a choice looks like in parameters.

use super::fit::Choice;
use super::{Entrant, Rankings};
use crate::stats::linear::Matrix;

/// Where which parameter stands. One strength of each group of bots is fixed at 0: that of the ghost, or else of the
/// first bot; the effect of the first seat of each group is fixed at 0.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The group of each bot.
    pub(super) bots: Vec<usize>,
    /// The group of each seat.
    pub(super) seats: Vec<usize>,
    pub(super) ghost: bool,
    /// The sizes of ties.
    pub(super) ties: Vec<usize>,
    bot_at: Vec<Option<usize>>,
    seat_at: Vec<Option<usize>>,
}

/// Numbers from `next` on for all but the first of each group.
fn numbered(groups: &[usize], next: &mut usize) -> Vec<Option<usize>> {
    let number = |(index, group): (usize, &usize)| {
        groups[..index].contains(group).then(|| {
            *next += 1;
            *next - 1
        })
    };
    groups.iter().enumerate().map(number).collect()
}

impl Layout {
    pub(super) fn new(rankings: &Rankings, ghost: bool) -> Layout {
        let mut next = 0;
        let bot_at = if ghost {
            next = rankings.bots.len();
            (0..next).map(Some).collect()
        } else {
            numbered(&rankings.bots, &mut next)
        };
        Layout {
            bots: rankings.bots.clone(),
            seats: rankings.seats.clone(),
            ghost,
            ties: rankings.ties(),
            bot_at,
            seat_at: numbered(&rankings.seats, &mut next),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tie(0) + self.ties.len()
    }

    pub(super) fn bot(&self, bot: usize) -> Option<usize> {
        self.bot_at[bot]
    }

    pub(super) fn seat(&self, seat: usize) -> Option<usize> {
        self.seat_at[seat]
    }

    pub(super) fn tie(&self, index: usize) -> usize {
        self.bot_at.iter().chain(&self.seat_at).flatten().count() + index
    }

    /// Whether all strengths are compared with each other.
    pub(super) fn is_one_group(&self) -> bool {
        self.bots.windows(2).all(|two| two[0] == two[1])
    }

    /// The bots of the group of this one.
    pub(super) fn peers(&self, bot: usize) -> Vec<usize> {
        let all = 0..self.bots.len();
        all.filter(|&other| self.bots[other] == self.bots[bot])
            .collect()
    }

    /// The sparse vector x of a group of entrants: their alternative has log-worth x · parameters.
    pub(super) fn features(&self, group: &[Entrant]) -> Vec<(usize, f64)> {
        let part = 1.0 / group.len() as f64;
        let mut features: Vec<(usize, f64)> = Vec::with_capacity(2 * group.len() + 1);
        let indices = group
            .iter()
            .flat_map(|entrant| [self.bot(entrant.bot), self.seat(entrant.seat)]);
        for index in indices.flatten() {
            match features.iter_mut().find(|(known, _)| *known == index) {
                Some((_, value)) => *value += part,
                None => features.push((index, part)),
            }
        }
        if let Some(tie) = self.ties.iter().position(|&size| size == group.len()) {
            features.push((self.tie(tie), 1.0));
        }
        features
    }

    /// A matrix over the parameters without the row and column of the first bot, if it has one.
    pub(super) fn without_first(&self, matrix: &Matrix) -> Matrix {
        let skipped = usize::from(self.ghost);
        let mut rest = Matrix::zero(matrix.size() - skipped);
        for row in 0..rest.size() {
            for column in 0..rest.size() {
                rest.add(row, column, matrix.get(row + skipped, column + skipped));
            }
        }
        rest
    }

    /// The covariance of differences from the first bot (and of seats and ties) from that of the strengths.
    pub(super) fn against_first(&self, covariance: &Matrix) -> Matrix {
        let mut rest = self.without_first(covariance);
        if self.ghost {
            let own = |index: usize| f64::from(u8::from(index + 1 < self.bots.len()));
            for row in 0..rest.size() {
                for column in 0..rest.size() {
                    let change = own(row) * own(column) * covariance.get(0, 0)
                        - own(row) * covariance.get(0, column + 1)
                        - own(column) * covariance.get(row + 1, 0);
                    rest.add(row, column, change);
                }
            }
        }
        rest
    }

    pub(super) fn parameters_against_first(&self, mut parameters: Vec<f64>) -> Vec<f64> {
        if self.ghost {
            let first = parameters.remove(0);
            for strength in &mut parameters[..self.bots.len() - 1] {
                *strength -= first;
            }
        }
        parameters
    }

    /// A win and a loss of every bot against the ghost. Where pairs tie, these games could have been tied too.
    pub(super) fn ghost_choices(&self) -> Vec<Choice> {
        let tie = self
            .ties
            .first()
            .filter(|&&size| size == 2)
            .map(|_| self.tie(0));
        let bots = if self.ghost { 0..self.bots.len() } else { 0..0 };
        let choices = bots.flat_map(|bot| {
            [vec![(bot, 1.0)], vec![]].map(|chosen| Choice {
                chosen,
                alternatives: [vec![(bot, 1.0)], vec![]]
                    .into_iter()
                    .chain(tie.map(|tie| vec![(bot, 0.5), (tie, 1.0)]))
                    .collect(),
            })
        });
        choices.collect()
    }

    /// All groups that could have been chosen among `left`.
    pub(super) fn alternatives(&self, left: &[Entrant]) -> Vec<Vec<(usize, f64)>> {
        let sizes = std::iter::once(1).chain(self.ties.iter().copied());
        let mut alternatives = Vec::new();
        for size in sizes.filter(|&size| size <= left.len()) {
            for_each_group(left, size, &mut |group| {
                alternatives.push(self.features(group));
            });
        }
        alternatives
    }
}

/// Calls `f` with every group of `size` entrants.
fn for_each_group(left: &[Entrant], size: usize, f: &mut impl FnMut(&[Entrant])) {
    fn extend(
        left: &[Entrant],
        size: usize,
        group: &mut Vec<Entrant>,
        f: &mut impl FnMut(&[Entrant]),
    ) {
        if group.len() == size {
            return f(group);
        }
        for (i, &entrant) in left.iter().enumerate() {
            group.push(entrant);
            extend(&left[i + 1..], size, group, f);
            group.pop();
        }
    }
    extend(left, size, &mut Vec::with_capacity(size), f);
}
