//! The settings of a tuning: those of its method, of the match and of the report.

use serde::{Deserialize, Serialize};

use crate::experiment::balance::margin::Margin;
use crate::stats::optimise::default_population;

use super::spec::{MAX_FIELD, Method, TuneError, TuneSpec};

/// The settings of a method; each belongs to some methods only.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// SPSA: how far the last generation moves, in steps for each block won and not lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// CMA-ES: candidates of the first generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
    /// CMA-ES: candidates at most, when noise asks for more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_population: Option<usize>,
    /// NTBEA: searches side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// NTBEA: mutations that are guessed in each generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<usize>,
    /// NTBEA: the weight of what is not known, in standard deviations of the scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<f64>,
    /// NTBEA: rounds of the final race at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Racing and NTBEA: the probability that a race drops the best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
}

/// The held-out match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationSpec {
    /// Blocks at most.
    #[serde(default = "default_budget")]
    pub blocks: u64,
    /// How far from the fair share still counts as equal; none for that of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// The probability of a wrong verdict.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
}

/// The measurement of what was gained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportingSpec {
    /// Blocks that both bots play against the panel; as many at most of those it was tuned on.
    #[serde(default = "default_reporting")]
    pub blocks: u64,
}

impl Default for ValidationSpec {
    fn default() -> ValidationSpec {
        ValidationSpec {
            blocks: default_budget(),
            margin: None,
            alpha: default_alpha(),
        }
    }
}

impl Default for ReportingSpec {
    fn default() -> ReportingSpec {
        ReportingSpec {
            blocks: default_reporting(),
        }
    }
}

const fn default_budget() -> u64 {
    20_000
}

const fn default_alpha() -> f64 {
    0.05
}

const fn default_reporting() -> u64 {
    2_000
}

impl SearchSpec {
    /// The settings of the method, spelled out.
    pub(super) fn resolved(
        &self,
        spec: &TuneSpec,
        parameters: usize,
    ) -> Result<SearchSpec, TuneError> {
        let method = spec.method;
        let belongs = |name, given: bool, methods: &[Method]| {
            if !given || methods.contains(&method) {
                return Ok(());
            }
            let methods: Vec<String> = methods.iter().map(ToString::to_string).collect();
            let reason = format!("for the method {}, not {method}", methods.join(" or "));
            Err(TuneError::Search { name, reason })
        };
        belongs("rate", self.rate.is_some(), &[Method::Spsa])?;
        belongs("population", self.population.is_some(), &[Method::CmaEs])?;
        belongs(
            "max_population",
            self.max_population.is_some(),
            &[Method::CmaEs],
        )?;
        belongs("runs", self.runs.is_some(), &[Method::Ntbea])?;
        belongs("neighbours", self.neighbours.is_some(), &[Method::Ntbea])?;
        belongs("exploration", self.exploration.is_some(), &[Method::Ntbea])?;
        belongs("rounds", self.rounds.is_some(), &[Method::Ntbea])?;
        let races = [Method::Racing, Method::Ntbea];
        belongs("alpha", self.alpha.is_some(), &races)?;
        let alpha = real("alpha", self.alpha.unwrap_or(0.05), 1e-9, 0.5)?;
        let mut all = SearchSpec::default();
        match method {
            Method::Spsa => {
                let rate = self.rate.unwrap_or(0.5 / (spec.blocks as f64).sqrt());
                all.rate = Some(real("rate", rate, 1e-9, 1e3)?);
            }
            Method::CmaEs => {
                let population = self.population.unwrap_or(default_population(parameters));
                let most = self.max_population.unwrap_or(4 * population);
                all.population = Some(count("population", population, 4, MAX_FIELD)?);
                all.max_population = Some(count("max_population", most, population, MAX_FIELD)?);
            }
            Method::Ntbea => {
                all.runs = Some(count("runs", self.runs.unwrap_or(3), 1, 8)?);
                let neighbours = self.neighbours.unwrap_or(50);
                all.neighbours = Some(count("neighbours", neighbours, 1, 10_000)?);
                let exploration = self.exploration.unwrap_or(1.0);
                all.exploration = Some(real("exploration", exploration, 0.0, 1e3)?);
                let rounds = self.rounds.unwrap_or(20) as usize;
                all.rounds = Some(count("rounds", rounds, 1, 1_000_000)? as u32);
                all.alpha = Some(alpha);
            }
            Method::Racing => all.alpha = Some(alpha),
        }
        Ok(all)
    }
}

fn count(name: &'static str, value: usize, low: usize, high: usize) -> Result<usize, TuneError> {
    let reason = format!("{value}; expected {low} to {high}");
    let found = (low..=high).contains(&value).then_some(value);
    found.ok_or(TuneError::Search { name, reason })
}

fn real(name: &'static str, value: f64, low: f64, high: f64) -> Result<f64, TuneError> {
    let reason = format!("{value}; expected {low} to {high}");
    let found = (low..=high).contains(&value).then_some(value);
    found.ok_or(TuneError::Search { name, reason })
}
