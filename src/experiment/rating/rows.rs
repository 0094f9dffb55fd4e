//! The rows of `ratings.csv`, `los.csv`, `pairs.csv` and `seats.csv`.

use serde::Serialize;

use crate::stats::elo::PER_THETA;
use crate::stats::multiple::{NotAPValue, holm};
use crate::stats::plackett_luce::{Fit, Goodness};

/// A bot.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct RatingRow {
    /// 1 for the strongest.
    pub rank: usize,
    /// The bot.
    pub bot: String,
    /// Strength in Elo, 0 on average.
    pub elo: f64,
    /// Standard error of `elo`; unknown if all bots play alike.
    pub error: Option<f64>,
    /// Quasi-standard error: that of a difference is about the root of the sum of squares of two.
    pub quasi_error: Option<f64>,
    /// Chance to win a game in which every bot plays once.
    pub worth: f64,
}

/// Two bots by their ratings.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct LosRow {
    /// A bot.
    pub bot: String,
    /// Another bot.
    pub other: String,
    /// Elo of `bot` minus Elo of `other`.
    pub elo_difference: f64,
    /// Its standard error; unknown if the two play alike.
    pub error: Option<f64>,
    /// That `bot` is the stronger one: a normal approximation.
    pub los: f64,
    /// That the difference is none, by Holm's procedure over all pairs.
    pub holm_p: f64,
}

/// Two bots by their games.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct MetRow {
    /// A bot.
    pub bot: String,
    /// Another bot.
    pub other: String,
    /// Times one of them was placed and the other was left.
    pub meetings: f64,
    /// Times that was `bot`.
    pub observed: f64,
    /// How often the ratings expect it.
    pub expected: f64,
    /// `observed` as a share of the meetings.
    pub share: f64,
    /// `expected` as a share of the meetings.
    pub expected_share: f64,
    /// (observed − expected)/standard deviation in the model: beyond ±3 the ratings mislead about this pair.
    pub misfit: f64,
}

pub(super) fn six(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    // Never a negative zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A seat under a rule set.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct SeatRow {
    /// The rule set: the options in which it differs from another; empty if there is one.
    pub rules: String,
    /// The seat.
    pub seat: String,
    /// The seat it is compared with.
    pub against: String,
    /// What the seat is worth more, in Elo.
    pub elo: f64,
    /// Its standard error; unknown if all bots play alike.
    pub error: Option<f64>,
}

/// A row for each seat of each rule set but the first seat. `seats` are those of one rule set, `rules` the rule sets.
pub fn seats(fit: &Fit, seats: &[String], rules: &[String]) -> Vec<SeatRow> {
    let row = |(number, (rules, seat)): (usize, (&String, &String))| {
        let effect = fit.seat_contrast(number);
        SeatRow {
            rules: rules.clone(),
            seat: seat.clone(),
            against: seats[0].clone(),
            elo: six(PER_THETA * effect.difference),
            error: effect.known_error().map(|error| six(PER_THETA * error)),
        }
    };
    let all = rules
        .iter()
        .flat_map(|rules| seats.iter().map(move |seat| (rules, seat)));
    let all = all
        .enumerate()
        .filter(|(number, _)| number % seats.len() > 0);
    all.map(row).collect()
}

/// A row for each bot, in this order.
pub fn ratings(fit: &Fit, bots: &[String], order: &[usize]) -> Vec<RatingRow> {
    let (elo, errors, worths, quasi) = (fit.elo(), fit.errors(), fit.worths(), fit.quasi_errors());
    let row = |(&bot, rank): (&usize, usize)| RatingRow {
        rank,
        bot: bots[bot].clone(),
        elo: six(elo[bot]),
        error: errors[bot].map(|error| six(PER_THETA * error)),
        quasi_error: quasi.as_ref().map(|quasi| six(PER_THETA * quasi[bot])),
        worth: six(worths[bot]),
    };
    order.iter().zip(1..).map(row).collect()
}

/// A row for each pair both ways, in this order.
///
/// # Errors
/// When an error of the fit is no number.
pub fn superiorities(
    fit: &Fit,
    bots: &[String],
    order: &[usize],
) -> Result<Vec<LosRow>, NotAPValue> {
    let pairs = order.iter().enumerate();
    let pairs: Vec<(usize, usize)> = pairs
        .flat_map(|(i, &first)| order[i + 1..].iter().map(move |&second| (first, second)))
        .collect();
    let p_values = pairs.iter().map(|&(a, b)| fit.contrast(a, b).p_value());
    let adjusted = holm(&p_values.collect::<Vec<f64>>())?;
    let mut rows = Vec::new();
    for (&(a, b), &holm_p) in pairs.iter().zip(&adjusted) {
        for (bot, other) in [(a, b), (b, a)] {
            let contrast = fit.contrast(bot, other);
            rows.push(LosRow {
                bot: bots[bot].clone(),
                other: bots[other].clone(),
                elo_difference: six(PER_THETA * contrast.difference),
                error: contrast.known_error().map(|error| six(PER_THETA * error)),
                los: six(contrast.superiority()),
                holm_p: six(holm_p),
            });
        }
    }
    Ok(rows)
}

/// A row for each pair that met, both ways.
pub fn met(goodness: &Goodness, bots: &[String]) -> Vec<MetRow> {
    let mut rows = Vec::new();
    for pair in &goodness.pairs {
        let sd = pair.variance.sqrt();
        for (bot, other, observed, expected) in [
            (pair.first, pair.second, pair.observed, pair.expected),
            (
                pair.second,
                pair.first,
                pair.meetings - pair.observed,
                pair.meetings - pair.expected,
            ),
        ] {
            rows.push(MetRow {
                bot: bots[bot].clone(),
                other: bots[other].clone(),
                meetings: pair.meetings,
                observed,
                expected: six(expected),
                share: six(observed / pair.meetings),
                expected_share: six(expected / pair.meetings),
                misfit: if sd > 0.0 {
                    six((observed - expected) / sd)
                } else {
                    0.0
                },
            });
        }
    }
    rows
}

/// Three bots of which the first beats the second, the second the third and the third the first, each by two standard
/// deviations at least: the circle whose weakest link is strongest. No order of the bots tells who beats whom then.
pub fn circle(goodness: &Goodness, bots: usize) -> Option<[usize; 3]> {
    let mut lead = vec![f64::NEG_INFINITY; bots * bots];
    for pair in &goodness.pairs {
        let z = (2.0 * pair.observed - pair.meetings) / pair.meetings.sqrt();
        lead[pair.first * bots + pair.second] = z;
        lead[pair.second * bots + pair.first] = -z;
    }
    let mut best = (2.0, None);
    for a in 0..bots {
        for b in (0..bots).filter(|&b| lead[a * bots + b] >= 2.0) {
            for c in (a + 1..bots).filter(|&c| b > a && c != b) {
                let link = lead[a * bots + b]
                    .min(lead[b * bots + c])
                    .min(lead[c * bots + a]);
                if link >= best.0 && (best.1.is_none() || link > best.0) {
                    best = (link, Some([a, b, c]));
                }
            }
        }
    }
    best.1
}

/// What each bot got against each other, as alpha-rank takes it; none unless every pair met.
pub fn payoffs(goodness: &Goodness, bots: usize) -> Option<Vec<Vec<f64>>> {
    let mut payoffs = vec![vec![0.5; bots]; bots];
    let met = goodness.pairs.iter().filter(|pair| pair.meetings > 0.0);
    let mut count = 0;
    for pair in met {
        let share = pair.observed / pair.meetings;
        payoffs[pair.first][pair.second] = share;
        payoffs[pair.second][pair.first] = 1.0 - share;
        count += 1;
    }
    (count == bots * bots.saturating_sub(1) / 2).then_some(payoffs)
}
