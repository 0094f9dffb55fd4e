//! `TrueSkill` (Herbrich, Minka & Graepel, *`TrueSkill`: a Bayesian skill rating system*, NIPS 2006) for players without
//! teams.
//!
//! Skills are normal, a performance is a skill with noise, and the places say of each two neighbours by how much one
//! performed better: more than a margin, or within it for a tie. Of the truncated differences only mean and variance
//! are kept (expectation propagation), passed up and down the places until nothing changes.

use super::{BETA, Skill, TAU, in_order};
use crate::stats::quantile;

/// The skills after a game in which player i came on `places[i]`, 1 the best; equal places are ties. `draws` is the
/// share of games of two that are expected to be drawn, 0 (no ties then) to below 1, 0.1 where nothing is known.
///
/// # Panics
/// When there are not as many places as skills, when `draws` is out of its range, or when players tie though it is 0.
pub fn rate(skills: &[Skill], places: &[u32], draws: f64) -> Vec<Skill> {
    assert_eq!(skills.len(), places.len(), "a place for each skill");
    assert!((0.0..1.0).contains(&draws), "a share of draws");
    let order = in_order(places);
    let tied: Vec<bool> = order
        .windows(2)
        .map(|pair| places[pair[0]] == places[pair[1]])
        .collect();
    assert!(
        draws > 0.0 || tied.iter().all(|&tied| !tied),
        "players tied where no draw is expected"
    );
    let margin = if draws > 0.0 {
        quantile::normal_two_sided(1.0 - draws) * std::f64::consts::SQRT_2 * BETA
    } else {
        0.0
    };
    let priors: Vec<Message> = order
        .iter()
        .map(|&player| {
            let Skill { mean, deviation } = skills[player];
            Message::normal(mean, deviation * deviation + TAU * TAU)
        })
        .collect();
    let performances: Vec<Message> = priors
        .iter()
        .map(|prior| prior.with_noise(BETA * BETA))
        .collect();
    let told = differences(&performances, &tied, margin);
    let mut rated = skills.to_vec();
    for ((&player, prior), told) in order.iter().zip(priors).zip(told) {
        rated[player] = prior.times(told.with_noise(BETA * BETA)).skill();
    }
    rated
}

/// What the places tell about each performance, the best first.
fn differences(performances: &[Message], tied: &[bool], margin: f64) -> Vec<Message> {
    let pairs = tied.len();
    // What a pair tells its better and its worse player.
    let mut to_better = vec![Message::NOTHING; pairs];
    let mut to_worse = vec![Message::NOTHING; pairs];
    let mut moved = f64::INFINITY;
    let mut rounds = 0;
    while moved > 1e-10 && rounds < 1000 {
        moved = 0.0;
        rounds += 1;
        for pair in (0..pairs).chain((0..pairs.saturating_sub(1)).rev()) {
            // Each without what this very pair has told it.
            let better = match pair.checked_sub(1) {
                Some(before) => performances[pair].times(to_worse[before]),
                None => performances[pair],
            };
            let worse = match to_better.get(pair + 1) {
                Some(&next) => performances[pair + 1].times(next),
                None => performances[pair + 1],
            };
            let difference = better.minus(worse);
            let told = difference.truncated(margin, tied[pair]).without(difference);
            let up = worse.plus(told);
            moved = moved.max(up.distance(to_better[pair]));
            to_better[pair] = up;
            to_worse[pair] = better.minus(told);
        }
    }
    let all = performances.iter().enumerate().map(|(player, _)| {
        let before = player
            .checked_sub(1)
            .map_or(Message::NOTHING, |pair| to_worse[pair]);
        let after = to_better.get(player).copied().unwrap_or(Message::NOTHING);
        before.times(after)
    });
    all.collect()
}

/// A normal law by its precision and its precision times its mean: products and quotients are sums and differences.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Message {
    precision: f64,
    weighted_mean: f64,
}

impl Message {
    const NOTHING: Message = Message {
        precision: 0.0,
        weighted_mean: 0.0,
    };

    fn normal(mean: f64, variance: f64) -> Message {
        Message {
            precision: 1.0 / variance,
            weighted_mean: mean / variance,
        }
    }

    fn mean(self) -> f64 {
        if self.precision == 0.0 {
            0.0
        } else {
            self.weighted_mean / self.precision
        }
    }

    fn variance(self) -> f64 {
        1.0 / self.precision
    }

    fn skill(self) -> Skill {
        Skill {
            mean: self.mean(),
            deviation: self.variance().sqrt(),
        }
    }

    fn times(self, other: Message) -> Message {
        Message {
            precision: self.precision + other.precision,
            weighted_mean: self.weighted_mean + other.weighted_mean,
        }
    }

    fn without(self, other: Message) -> Message {
        Message {
            precision: self.precision - other.precision,
            weighted_mean: self.weighted_mean - other.weighted_mean,
        }
    }

    /// The law of the sum with noise of this variance.
    fn with_noise(self, variance: f64) -> Message {
        let kept = 1.0 / (1.0 + variance * self.precision);
        Message {
            precision: self.precision * kept,
            weighted_mean: self.weighted_mean * kept,
        }
    }

    /// The law of the sum, of two independent.
    fn plus(self, other: Message) -> Message {
        // Without dividing by the precision of either, which may be 0: then nothing is known.
        let shared = self.precision * other.precision / (self.precision + other.precision);
        if shared == 0.0 {
            return Message::NOTHING;
        }
        Message {
            precision: shared,
            weighted_mean: shared * (self.mean() + other.mean()),
        }
    }

    fn minus(self, other: Message) -> Message {
        self.plus(Message {
            weighted_mean: -other.weighted_mean,
            ..other
        })
    }

    /// The normal law with the mean and the variance that a difference has when it is known to exceed the margin, or of a
    /// tie to be within it.
    fn truncated(self, margin: f64, tied: bool) -> Message {
        let scale = self.variance().sqrt();
        let (t, e) = (self.mean() / scale, margin / scale);
        let (v, w) = if tied { within(t, e) } else { beyond(t, e) };
        Message::normal(
            self.mean() + scale * v,
            self.variance() * (1.0 - w).max(f64::EPSILON),
        )
    }

    fn distance(self, other: Message) -> f64 {
        (self.precision - other.precision)
            .abs()
            .max((self.weighted_mean - other.weighted_mean).abs())
    }
}

/// The corrections of mean and variance, in standard deviations, when the difference exceeds the margin.
fn beyond(t: f64, e: f64) -> (f64, f64) {
    let x = t - e;
    let ln_density = -0.5 * x * x - 0.5 * libm::log(2.0 * std::f64::consts::PI);
    let v = libm::exp(ln_density - quantile::ln_normal_cdf(x));
    (v, v * (v + x))
}

/// The corrections when it is within the margin.
fn within(t: f64, e: f64) -> (f64, f64) {
    let far = t.abs();
    let (low, high) = (-e - far, e - far);
    let chance = quantile::normal_cdf(high) - quantile::normal_cdf(low);
    if chance < 1e-300 {
        return (t.signum() * high, 1.0);
    }
    let v = (density(low) - density(high)) / chance;
    let w = v * v + (high * density(high) - low * density(low)) / chance;
    (t.signum() * v, w)
}

fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::NEWCOMER;
    use super::*;

    fn assert_rated(rated: &[Skill], expected: &[(f64, f64)]) {
        for (skill, &(mean, deviation)) in rated.iter().zip(expected) {
            let near =
                (skill.mean - mean).abs() < 6e-4 && (skill.deviation - deviation).abs() < 6e-4;
            assert!(near, "{rated:?} is not {expected:?}");
        }
    }

    /// The published defaults, ties expected in a tenth of games.
    #[test]
    fn newcomers_of_two_and_four() {
        let two = rate(&[NEWCOMER; 2], &[1, 2], 0.1);
        assert_rated(&two, &[(29.396, 7.171), (20.604, 7.171)]);
        let four = rate(&[NEWCOMER; 4], &[1, 2, 3, 4], 0.1);
        let expected = [
            (33.207, 6.348),
            (27.401, 5.787),
            (22.599, 5.787),
            (16.793, 6.348),
        ];
        assert_rated(&four, &expected);
        let untied = rate(&[NEWCOMER; 4], &[1, 2, 3, 4], 0.0);
        assert_rated(&untied, &[(32.678, 6.409), (27.217, 5.827)]);
    }

    /// Of two newcomers who tie nobody moves, and both are known better: 25 ± 6.458 by the published calculator.
    #[test]
    fn a_tie() {
        let tied = rate(&[NEWCOMER; 2], &[1, 1], 0.1);
        assert_rated(&tied, &[(25.0, 6.458), (25.0, 6.458)]);
    }

    #[test]
    fn players_may_be_told_in_any_order() {
        let strong = Skill {
            mean: 30.0,
            deviation: 3.0,
        };
        let told = rate(&[NEWCOMER, strong, NEWCOMER], &[3, 1, 2], 0.1);
        let sorted = rate(&[strong, NEWCOMER, NEWCOMER], &[1, 2, 3], 0.1);
        assert_eq!(told, [sorted[2], sorted[0], sorted[1]]);
    }

    #[test]
    fn an_upset_beyond_belief_is_still_a_number() {
        let sure = |mean| Skill {
            mean,
            deviation: 0.01,
        };
        for skill in rate(&[sure(-500.0), sure(500.0)], &[1, 2], 0.1) {
            assert!(skill.mean.is_finite() && skill.deviation > 0.0);
        }
    }
}
