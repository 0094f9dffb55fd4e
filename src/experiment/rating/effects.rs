//! What the rules change about strengths: which bot gains under which rule set.
//!
//! A change of rules that helped all bots alike would show in no game. What games tell is how a bot's strength against
//! the others differs: under each rule set every bot has a strength of its own, and its *gain* is its strength under
//! the rules minus that under the first rule set, each against the average of the bots that play under all of them.
//! Gains add to 0. All strengths come from one fit, so that blocks of shared dice are clustered across rule sets too.

use serde::Serialize;

use crate::stats::Confidence;
use crate::stats::elo::PER_THETA;
use crate::stats::multiple::holm;
use crate::stats::plackett_luce::{Contrast, FitError, Joint, Prior};

use super::rows::six;
use super::{Errors, Pool};

/// A bot under a rule set: a row of `rules.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct GainRow {
    /// The rule set: the options in which it differs from another.
    pub rules: String,
    /// The bot.
    pub bot: String,
    /// Blocks of the rule set, the least of which is the n of all intervals; unknown where a folder does not keep them.
    pub blocks: Option<u64>,
    /// Games of the bot under the rule set.
    pub games: u64,
    /// Strength in Elo under the rules, 0 on average of the bots that play under all rule sets.
    pub elo: f64,
    /// Its standard error; unknown if bots play alike.
    pub error: Option<f64>,
    /// `elo` minus that under the first rule set; unknown there, and for a bot that does not play under all.
    pub gain: Option<f64>,
    /// Its standard error.
    pub gain_error: Option<f64>,
    /// Its interval.
    pub gain_low: Option<f64>,
    /// Its interval.
    pub gain_high: Option<f64>,
    /// That there is no gain, by Holm's procedure over all gains.
    pub holm_p: Option<f64>,
}

/// What the rules change.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects {
    /// A row for each bot under each rule set, the strongest under the first one first.
    pub rows: Vec<GainRow>,
    /// The bots that play under all rule sets.
    pub common: usize,
    /// Whether all gains are 0; none if bots play alike or there are too few blocks.
    pub test: Option<Joint>,
    /// The log-likelihood of all games with strengths for each rule set.
    pub log_likelihood: f64,
}

/// Why the games do not tell what the rules change.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Untold {
    /// Gains are against the average of these.
    #[error("fewer than two bots play under every rule set, and a gain is against the others")]
    FewCommon,
    /// No strengths under one of the rule sets.
    #[error("under {rules}: {reason}")]
    NotConnected {
        /// The rule set.
        rules: String,
        /// Which bots.
        reason: String,
    },
    /// No fit.
    #[error("{0}")]
    Fit(FitError),
}

/// A sum of strengths: bots by their numbers, each times a number.
type Sum = Vec<(usize, f64)>;

impl Pool {
    /// What the rules change, with intervals of this level; for several rule sets only.
    ///
    /// # Errors
    /// When the games do not tell.
    ///
    /// # Panics
    /// Never: p-values are between 0 and 1.
    pub fn effects(&self, confidence: Confidence) -> Result<Effects, Untold> {
        let sets = 0..self.rules.len();
        let common: Vec<usize> = (0..self.bots.len())
            .filter(|&bot| sets.clone().all(|set| self.player(set, bot).is_some()))
            .collect();
        if common.len() < 2 {
            return Err(Untold::FewCommon);
        }
        let fit = self
            .apart
            .fit(Prior::None)
            .map_err(|error| self.untold(error))?;
        let fit = match self.errors {
            Errors::Blocks => fit,
            Errors::Games(factor) => fit.with_wider_errors(factor),
        };
        // Of the rule set with the fewest blocks, so that none is taken for surer than it is.
        let blocks = self.rules.iter().map(|rules| rules.blocks).min();
        let blocks = blocks.filter(|_| self.errors == Errors::Blocks);
        let strength = |set: usize, bot: usize| -> Option<Sum> {
            let part = -1.0 / common.len() as f64;
            let average = common
                .iter()
                .filter_map(|&bot| Some((self.player(set, bot)?, part)));
            let own = std::iter::once((self.player(set, bot)?, 1.0));
            Some(own.chain(average).collect())
        };
        let gain = |set: usize, bot: usize| -> Option<Sum> {
            let before = strength(0, bot)?;
            let minus = before.into_iter().map(|(player, x)| (player, -x));
            let is_gain = set > 0 && common.contains(&bot);
            is_gain.then_some(strength(set, bot)?.into_iter().chain(minus).collect())
        };
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        let first = |bot: usize| {
            let sum = (sets.clone()).find_map(|set| strength(set, bot));
            sum.map_or(0.0, |sum| fit.combination(&sum).difference)
        };
        order.sort_by(|&a, &b| first(b).total_cmp(&first(a)));
        let (mut rows, mut p_values) = (Vec::new(), Vec::new());
        for (set, rules) in self.rules.iter().enumerate() {
            for &bot in &order {
                let Some(sum) = strength(set, bot) else {
                    continue;
                };
                let own = fit.combination(&sum);
                let mut row = GainRow {
                    rules: rules.label.clone(),
                    bot: self.bots[bot].clone(),
                    blocks: blocks.map(|_| rules.blocks),
                    games: rules.games[bot],
                    elo: six(PER_THETA * own.difference),
                    error: own.known_error().map(|error| six(PER_THETA * error)),
                    ..GainRow::default()
                };
                if let Some(sum) = gain(set, bot) {
                    let gain = fit.combination(&sum);
                    p_values.push((rows.len(), gain.p_value_of_blocks(blocks)));
                    fill(&mut row, gain, blocks, confidence);
                }
                rows.push(row);
            }
        }
        let values: Vec<f64> = p_values.iter().map(|&(_, p)| p).collect();
        let adjusted = holm(&values).expect("p-values are between 0 and 1");
        for (&(row, _), p) in p_values.iter().zip(adjusted) {
            rows[row].holm_p = Some(six(p));
        }
        // Gains of one rule set add to 0: the last says nothing new.
        let free = |set: usize| {
            let bots = common[1..].iter();
            bots.filter_map(move |&bot| gain(set, bot))
        };
        let free: Vec<Sum> = sets.clone().flat_map(free).collect();
        Ok(Effects {
            rows,
            common: common.len(),
            test: fit.all_zero(&free, blocks),
            log_likelihood: fit.log_likelihood(),
        })
    }

    /// The number of a bot under a rule set in [`Pool::apart`].
    fn player(&self, set: usize, bot: usize) -> Option<usize> {
        self.players.iter().position(|&player| player == (set, bot))
    }

    fn untold(&self, error: FitError) -> Untold {
        let FitError::NotConnected(groups) = error else {
            return Untold::Fit(error);
        };
        let names: Vec<String> = self
            .players
            .iter()
            .map(|&(_, bot)| self.bots[bot].clone())
            .collect();
        let set = self.players[groups.group[0]].0;
        Untold::NotConnected {
            rules: self.rules[set].label.clone(),
            reason: groups.explain(&names),
        }
    }
}

fn fill(row: &mut GainRow, gain: Contrast, blocks: Option<u64>, confidence: Confidence) {
    row.gain = Some(six(PER_THETA * gain.difference));
    row.gain_error = gain.known_error().map(|error| six(PER_THETA * error));
    let ends = gain.interval(blocks, confidence);
    row.gain_low = ends.map(|ends| six(PER_THETA * ends.low));
    row.gain_high = ends.map(|ends| six(PER_THETA * ends.high));
}
