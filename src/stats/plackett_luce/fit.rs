//! The maximum-likelihood fit by Newton's method.
//!
//! Every choice is a multinomial logit whose log-worths are linear in the parameters, so the log-likelihood is concave
//! and Newton's method with halved steps finds its only maximum.

use super::layout::Layout;
use super::{Entrant, NotConnected, Order, Rankings};
use crate::stats::elo::PER_THETA;
use crate::stats::linear::Matrix;
use crate::stats::quantile::normal_cdf;

/// What is added to the results before the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior {
    /// Nothing: plain maximum likelihood.
    None,
    /// This many games won and as many lost by every bot against a ghost of fixed strength, usually 0.5. Strengths are
    /// then finite for any results, and drawn towards each other. Say so where they are shown.
    Ghost(f64),
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// There are no games or fewer than two bots.
    #[error("a rating needs two bots and a game")]
    NoGames,
    /// The bots fall into groups.
    #[error("the bots cannot be rated together: a group of {} never won or never lost against the others", .0.group.len())]
    NotConnected(NotConnected),
    /// Seats or ties cannot be told from strengths, for example because every bot always had the same seat.
    #[error(
        "the results do not determine the strengths, the effects of seats and the ties together"
    )]
    NotDetermined,
    /// The likelihood grows without end.
    #[error("the strengths or effects run away: a seat or a kind of tie always won or never did")]
    Infinite,
}

/// The fitted strengths and how sure they are.
#[derive(Clone, Debug)]
pub struct Fit {
    layout: Layout,
    parameters: Vec<f64>,
    log_likelihood: f64,
    rounds: u32,
    observed: Matrix,
    clustered: Option<Matrix>,
}

/// A difference of strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// θ of the first minus θ of the second.
    pub difference: f64,
    /// Its standard error.
    pub error: f64,
}

impl Contrast {
    /// The error, if it is above the noise of rounding. Bots that play alike have the same score in every block: their
    /// clustered variance is 0 but for rounding, and that shows nothing.
    pub fn known_error(&self) -> Option<f64> {
        known(self.error)
    }

    /// The probability that the first is the stronger, Φ(difference/error): a normal approximation, one minus the
    /// one-sided p-value; ½ where the error is [unknown](Self::known_error).
    pub fn superiority(&self) -> f64 {
        self.known_error()
            .map_or(0.5, |error| normal_cdf(self.difference / error))
    }

    /// The two-sided p-value of equal strength; 1 where the error is [unknown](Self::known_error).
    pub fn p_value(&self) -> f64 {
        self.known_error().map_or(1.0, |error| {
            2.0 * normal_cdf(-(self.difference / error).abs())
        })
    }
}

/// An error above the noise of rounding.
fn known(error: f64) -> Option<f64> {
    (error > 1e-9).then_some(error)
}

/// A choice in numbers: what was chosen and all that could have been.
pub(super) struct Choice {
    pub(super) chosen: Vec<(usize, f64)>,
    pub(super) alternatives: Vec<Vec<(usize, f64)>>,
}

impl Choice {
    fn of_order(layout: &Layout, order: &Order) -> Vec<Self> {
        let choices = order.choices().map(|(chosen, left)| Self {
            chosen: layout.features(chosen),
            alternatives: layout.alternatives(&left),
        });
        choices.collect()
    }

    /// Adds `weight` times the gradient of the log-likelihood and, if asked for, the information. Returns the
    /// log-likelihood.
    fn add(
        &self,
        at: &[f64],
        weight: f64,
        gradient: &mut [f64],
        information: Option<&mut Matrix>,
    ) -> f64 {
        let worth =
            |features: &[(usize, f64)]| features.iter().map(|&(i, x)| x * at[i]).sum::<f64>();
        let logs: Vec<f64> = self
            .alternatives
            .iter()
            .map(|features| worth(features))
            .collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worths: Vec<f64> = logs.iter().map(|log| libm::exp(log - largest)).collect();
        let total: f64 = worths.iter().sum();
        let mut mean: Vec<(usize, f64)> = Vec::new();
        for (features, share) in self.alternatives.iter().zip(&worths) {
            for &(i, x) in features {
                mean.push((i, x * share / total));
            }
        }
        mean.sort_unstable_by_key(|&(i, _)| i);
        mean.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            sum.1 += if same { next.1 } else { 0.0 };
            same
        });
        for &(i, x) in &self.chosen {
            gradient[i] += weight * x;
        }
        for &(i, x) in &mean {
            gradient[i] -= weight * x;
        }
        if let Some(information) = information {
            for (features, share) in self.alternatives.iter().zip(&worths) {
                information.add_square(features, weight * share / total);
            }
            information.add_square(&mean, -weight);
        }
        weight * (worth(&self.chosen) - largest - libm::log(total))
    }
}

/// The log-likelihood as a function of the parameters.
struct Likelihood {
    size: usize,
    choices: Vec<(f64, Vec<Choice>)>,
    /// The choices of the games against the ghost, each played this often.
    ghost: Vec<Choice>,
    ghost_games: f64,
}

impl Likelihood {
    fn value(&self, at: &[f64], gradient: &mut [f64], mut information: Option<&mut Matrix>) -> f64 {
        let mut value = 0.0;
        for (weight, choices) in &self.choices {
            for choice in choices {
                value += choice.add(at, *weight, gradient, information.as_deref_mut());
            }
        }
        for choice in &self.ghost {
            value += choice.add(at, self.ghost_games, gradient, information.as_deref_mut());
        }
        value
    }

    /// The part of the log-likelihood and of the information that comes from games, not from the ghost.
    fn of_games(&self, at: &[f64]) -> (f64, Matrix) {
        let gradient = &mut vec![0.0; self.size];
        let mut information = Matrix::zero(self.size);
        let mut value = 0.0;
        for (weight, choices) in &self.choices {
            for choice in choices {
                value += choice.add(at, *weight, gradient, Some(&mut information));
            }
        }
        (value, information)
    }

    /// The maximum, the inverse of the information there, and how many rounds it took.
    fn maximum(&self) -> Result<(Vec<f64>, Matrix, u32), FitError> {
        /// A strength of e^40 to 1 is never data.
        const RUNAWAY: f64 = 40.0;
        const MOST_ROUNDS: u32 = 200;
        /// Steps so small are taken as they are: of a sum over very many games they change less than its rounding.
        const NEAR: f64 = 1e-4;
        let mut at = vec![0.0; self.size];
        let mut before = f64::INFINITY;
        for round in 1..=MOST_ROUNDS {
            let mut gradient = vec![0.0; self.size];
            let mut information = Matrix::zero(self.size);
            let value = self.value(&at, &mut gradient, Some(&mut information));
            let Some(factor) = information.cholesky() else {
                let settled = at.iter().all(|x| x.abs() < RUNAWAY / 2.0);
                return Err(if settled {
                    FitError::NotDetermined
                } else {
                    FitError::Infinite
                });
            };
            let step = factor.solve(&gradient);
            let largest = step.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
            if largest < 1e-11 {
                return Ok((at, factor.inverse(), round));
            }
            let mut scale = 1.0;
            loop {
                let next: Vec<f64> = at
                    .iter()
                    .zip(&step)
                    .map(|(x, step)| x + scale * step)
                    .collect();
                let after = self.value(&next, &mut vec![0.0; self.size], None);
                if largest < NEAR || after >= value || scale < 1e-6 {
                    at = next;
                    break;
                }
                scale /= 2.0;
            }
            if at.iter().any(|x| x.is_nan() || x.abs() > RUNAWAY) {
                return Err(FitError::Infinite);
            }
            if largest < 1e-7 && largest >= before {
                // Rounding allows no more.
                return Ok((at, factor.inverse(), round));
            }
            before = largest;
        }
        Err(FitError::Infinite)
    }
}

impl Rankings {
    /// Fits the strengths, the effects of the seats and the ties.
    ///
    /// # Errors
    ///
    /// If there is no game, or if no finite or no unique maximum exists.
    pub fn fit(&self, prior: Prior) -> Result<Fit, FitError> {
        if self.bots() < 2 || self.games() == 0 {
            return Err(FitError::NoGames);
        }
        let ghost = match prior {
            Prior::Ghost(games) if games > 0.0 => games,
            _ => {
                self.connected().map_err(FitError::NotConnected)?;
                0.0
            }
        };
        let layout = Layout::new(self, ghost > 0.0);
        if layout.ghost && !layout.is_one_group() {
            // One ghost would make strengths comparable that are not.
            return Err(FitError::NotDetermined);
        }
        let choices = self
            .counted()
            .into_iter()
            .map(|(order, games)| (games, Choice::of_order(&layout, order)));
        let likelihood = Likelihood {
            size: layout.len(),
            choices: choices.collect(),
            ghost: layout.ghost_choices(),
            ghost_games: ghost,
        };
        let (parameters, with_ghost, rounds) = likelihood.maximum()?;
        let (log_likelihood, information) = likelihood.of_games(&parameters);
        let meat = self.meat(&likelihood, &parameters);
        // From here on the first bot is the reference. Errors come from the games alone, as in R's PlackettLuce; if
        // those leave some difference open, from the games with the ghost.
        let (observed, clustered) =
            if let Some(factor) = layout.without_first(&information).cholesky() {
                let bread = factor.inverse();
                let clustered = meat.map(|meat| bread.sandwich(&layout.without_first(&meat)));
                (bread, clustered)
            } else {
                let clustered = meat.map(|meat| layout.against_first(&with_ghost.sandwich(&meat)));
                (layout.against_first(&with_ghost), clustered)
            };
        let parameters = layout.parameters_against_first(parameters);
        Ok(Fit {
            layout: Layout::new(self, false),
            parameters,
            log_likelihood,
            rounds,
            observed,
            clustered,
        })
    }

    /// Σ over blocks of s sᵀ · B/(B − 1), s the gradient of a block's games. `None` with fewer than two blocks.
    fn meat(&self, likelihood: &Likelihood, at: &[f64]) -> Option<Matrix> {
        let gradients: Vec<Vec<(usize, f64)>> = likelihood
            .choices
            .iter()
            .map(|(_, choices)| {
                let mut gradient = vec![0.0; likelihood.size];
                for choice in choices {
                    choice.add(at, 1.0, &mut gradient, None);
                }
                let sparse = gradient.into_iter().enumerate().filter(|(_, x)| *x != 0.0);
                sparse.collect()
            })
            .collect();
        let blocks = self.blocks() as f64;
        let mut meat = Matrix::zero(likelihood.size);
        let mut games = self.games.iter().peekable();
        let mut sum = vec![0.0; likelihood.size];
        while let Some((&(block, order), &count)) = games.next() {
            for &(i, x) in &gradients[order] {
                sum[i] += count as f64 * x;
            }
            if games.peek().is_none_or(|((next, _), _)| *next != block) {
                let sparse: Vec<(usize, f64)> = sum
                    .iter()
                    .copied()
                    .enumerate()
                    .filter(|(_, x)| *x != 0.0)
                    .collect();
                meat.add_square(&sparse, blocks / (blocks - 1.0));
                sum.fill(0.0);
            }
        }
        (blocks > 1.0).then_some(meat)
    }
}

impl Fit {
    /// The strengths θ of the bots, which add to 0 in each group. Bot i beats bot j with chance 1/(1 + e^(θⱼ − θᵢ))
    /// from equal seats.
    pub fn strengths(&self) -> Vec<f64> {
        let raw = |bot: usize| self.raw(self.layout.bot(bot));
        let strength = |bot: usize| {
            let peers = self.layout.peers(bot);
            let sum: f64 = peers.iter().map(|&other| raw(other)).sum();
            raw(bot) - sum / peers.len() as f64
        };
        (0..self.layout.bots.len()).map(strength).collect()
    }

    /// The strengths in Elo, 0 on average.
    pub fn elo(&self) -> Vec<f64> {
        self.strengths()
            .into_iter()
            .map(|theta| PER_THETA * theta)
            .collect()
    }

    /// The worths e^θ as shares that add to 1: the chances to win of a game in which every bot plays once.
    pub fn worths(&self) -> Vec<f64> {
        let worths: Vec<f64> = self.strengths().into_iter().map(libm::exp).collect();
        let total: f64 = worths.iter().sum();
        worths.into_iter().map(|worth| worth / total).collect()
    }

    /// The effects of the seats on θ, that of the first seat of each group being 0.
    pub fn seat_effects(&self) -> Vec<f64> {
        (0..self.layout.seats.len())
            .map(|seat| self.raw(self.layout.seat(seat)))
            .collect()
    }

    /// ln δ for each size of ties that occurs, the size first.
    pub fn ties(&self) -> Vec<(usize, f64)> {
        let value = |(index, &size)| (size, self.parameters[self.layout.tie(index)]);
        self.layout.ties.iter().enumerate().map(value).collect()
    }

    /// The log-likelihood of the games at the fitted parameters, those against the ghost left out.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }

    /// How many rounds Newton's method took.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether errors are clustered by block; without a second block they come from the observed information.
    pub fn is_clustered(&self) -> bool {
        self.clustered.is_some()
    }

    /// The same fit with errors from the observed information alone: right only if all games are independent.
    #[must_use]
    pub fn with_independent_games(mut self) -> Self {
        self.clustered = None;
        self
    }

    /// The same fit with errors from the observed information times `factor`, at least 1: for games that are worth
    /// less than independent ones.
    #[must_use]
    pub fn with_wider_errors(self, factor: f64) -> Self {
        let fit = self.with_independent_games();
        Self {
            observed: fit.observed.times(factor * factor),
            ..fit
        }
    }

    /// The difference of two strengths with its standard error.
    pub fn contrast(&self, first: usize, second: usize) -> Contrast {
        let (a, b) = (self.layout.bot(first), self.layout.bot(second));
        Contrast {
            difference: self.raw(a) - self.raw(b),
            error: self.variance_of(&[(a, 1.0), (b, -1.0)]).sqrt(),
        }
    }

    /// The standard errors of [`strengths`](Self::strengths), differences from the average bot; `None` for bots that
    /// have the average score in every block, as if all play alike.
    pub fn errors(&self) -> Vec<Option<f64>> {
        let error = |bot: usize| {
            let peers = self.layout.peers(bot);
            let share = 1.0 / peers.len() as f64;
            let terms = peers
                .into_iter()
                .map(|other| (other, f64::from(u8::from(other == bot)) - share));
            self.combination(&terms.collect::<Vec<_>>()).known_error()
        };
        (0..self.layout.bots.len()).map(error).collect()
    }

    /// A sum of strengths, each times a number; the numbers must add to 0 in each group of bots.
    pub fn combination(&self, terms: &[(usize, f64)]) -> Contrast {
        let value = |&(bot, x): &(usize, f64)| x * self.raw(self.layout.bot(bot));
        Contrast {
            difference: terms.iter().map(value).sum(),
            error: self.covariance(terms, terms).max(0.0).sqrt(),
        }
    }

    /// The covariance of two such sums.
    pub(super) fn covariance(&self, one: &[(usize, f64)], other: &[(usize, f64)]) -> f64 {
        let places = |terms: &[(usize, f64)]| -> Vec<(Option<usize>, f64)> {
            let place = |&(bot, x): &(usize, f64)| (self.layout.bot(bot), x);
            terms.iter().map(place).collect()
        };
        self.covariance_of(&places(one), &places(other))
    }

    /// The effect of a seat against the first of its group, with its standard error.
    pub fn seat_contrast(&self, seat: usize) -> Contrast {
        let index = self.layout.seat(seat);
        Contrast {
            difference: self.raw(index),
            error: self.variance_of(&[(index, 1.0)]).sqrt(),
        }
    }

    pub(super) fn worth(&self, entrant: Entrant) -> f64 {
        self.raw(self.layout.bot(entrant.bot)) + self.raw(self.layout.seat(entrant.seat))
    }

    pub(super) fn free_parameters(&self) -> usize {
        let of_one_group = |groups: &[usize]| groups.iter().filter(|&&g| g == groups[0]).count();
        self.layout.bots.len() - 1 + of_one_group(&self.layout.seats) - 1
    }

    fn raw(&self, index: Option<usize>) -> f64 {
        index.map_or(0.0, |index| self.parameters[index])
    }

    fn variance_of(&self, terms: &[(Option<usize>, f64)]) -> f64 {
        self.covariance_of(terms, terms).max(0.0)
    }

    fn covariance_of(&self, one: &[(Option<usize>, f64)], other: &[(Option<usize>, f64)]) -> f64 {
        let covariance = self.clustered.as_ref().unwrap_or(&self.observed);
        let mut sum = 0.0;
        for &(a, x) in one {
            for &(b, y) in other {
                if let (Some(a), Some(b)) = (a, b) {
                    sum += x * y * covariance.get(a, b);
                }
            }
        }
        sum
    }
}
