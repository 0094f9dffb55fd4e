//! The methods behind one face: candidates out, counts in.

use serde::{Deserialize, Serialize};

use crate::engine::race::Race;
use crate::stats::Moments;
use crate::stats::optimise::{self, CmaEs, Ntbea, Spsa};

use super::objective::Scores;
use super::space::{Candidate, Space};
use super::spec::{Method, Tuning};

/// What the candidates of a generation scored: whole numbers only, from which a search is restored to the last bit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Blocks played by each candidate.
    pub blocks: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// The block scores of each candidate, in steps.
    pub scores: Vec<Moments>,
    /// The sum of the scores of all candidates in each block.
    pub by_block: Moments,
    /// Every block score of every candidate; kept for races only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<Vec<u32>>,
}

impl Generation {
    /// The counts of what was played; `keep` each block score for a race.
    pub fn new(scores: &Scores, keep: bool) -> Generation {
        let sum = |members: &Vec<u32>| members.iter().sum::<u32>();
        let each: Vec<Vec<u32>> = scores
            .bots
            .iter()
            .map(|blocks| blocks.iter().map(sum).collect())
            .collect();
        let blocks = each.first().map_or(0, Vec::len);
        let all = |block: usize| each.iter().map(|scores| i64::from(scores[block])).sum();
        Generation {
            blocks: blocks as u64,
            capped: scores.capped,
            scores: each
                .iter()
                .map(|scores| scores.iter().map(|&score| i64::from(score)).collect())
                .collect(),
            by_block: (0..blocks)
                .map(all)
                .collect::<Vec<i64>>()
                .into_iter()
                .collect(),
            each: if keep { each } else { Vec::new() },
        }
    }

    /// Mean scores, 0 to 1, and the variance of what noise is not common to all: the residual of the two-way layout
    /// candidate × block (Fisher 1925), over the blocks.
    pub fn noisy(&self, steps: u32) -> optimise::Scores {
        let (k, n) = (self.scores.len() as f64, self.blocks as f64);
        let unit = f64::from(steps);
        let sums = self.scores.iter().map(|scores| scores.sum() as f64);
        let sums: Vec<f64> = sums.collect();
        let squares: f64 = self
            .scores
            .iter()
            .map(|scores| scores.sum_sq() as f64)
            .sum();
        let total: f64 = sums.iter().sum();
        let by_candidate = sums.iter().map(|sum| sum * sum).sum::<f64>() / n;
        let by_block = self.by_block.sum_sq() as f64 / k;
        let residual = squares - by_candidate - by_block + total * total / (n * k);
        let freedom = (k - 1.0) * (n - 1.0);
        optimise::Scores {
            values: sums.iter().map(|sum| sum / (n * unit)).collect(),
            noise: if freedom > 0.0 {
                residual.max(0.0) / (freedom * n * unit * unit)
            } else {
                0.0
            },
        }
    }
}

/// A search under way.
#[derive(Clone, Debug)]
pub enum Search {
    /// A walk.
    Spsa(Spsa),
    /// A distribution.
    CmaEs(Box<CmaEs>),
    /// Bandits.
    Ntbea(Ntbea),
    /// A race of these.
    Race(optimise::Race, Vec<Candidate>),
}

impl Search {
    /// The search of a tuning at its beginning.
    pub fn new<G: Race>(tuning: &Tuning<G>) -> Search {
        let Tuning { space, spec, .. } = tuning;
        let start = space.start_numbers();
        match spec.method {
            Method::Spsa => {
                let rate = spec.search.rate.unwrap_or(0.0);
                let walk = Spsa::new(space.axes(), &start, spec.generations(), rate, spec.seed);
                Search::Spsa(walk)
            }
            Method::CmaEs => {
                let least = spec.search.population.unwrap_or(0);
                let most = spec.search.max_population.unwrap_or(0);
                let cma_es = CmaEs::new(space.axes(), &start, least, most, spec.seed);
                Search::CmaEs(Box::new(cma_es))
            }
            Method::Ntbea => Search::Ntbea(Ntbea::new(space.sizes(), tuning.ntbea(), spec.seed)),
            Method::Racing => Search::race(tuning, tuning.field.clone()),
        }
    }

    /// A race of these candidates.
    pub fn race<G: Race>(tuning: &Tuning<G>, field: Vec<Candidate>) -> Search {
        let alpha = tuning.spec.search.alpha.unwrap_or(0.05);
        Search::Race(
            optimise::Race::new(field.len(), tuning.steps(), alpha),
            field,
        )
    }

    /// The candidates of the next generation.
    pub fn ask(&mut self, space: &Space) -> Vec<Candidate> {
        match self {
            Search::Spsa(walk) => walk.ask().iter().map(|x| space.of_numbers(x)).collect(),
            Search::CmaEs(cma_es) => cma_es.ask().iter().map(|x| space.of_numbers(x)).collect(),
            Search::Ntbea(ntbea) => ntbea.ask().iter().map(|x| space.of_indices(x)).collect(),
            Search::Race(race, field) => race.ask().iter().map(|&i| field[i].clone()).collect(),
        }
    }

    /// Takes what they scored.
    pub fn tell(&mut self, generation: &Generation, steps: u32) {
        match self {
            Search::Spsa(walk) => {
                let sum = |of: usize| generation.scores[of].sum() as f64;
                walk.tell((sum(0) - sum(1)) / f64::from(steps));
            }
            Search::CmaEs(cma_es) => cma_es.tell(&generation.noisy(steps)),
            Search::Ntbea(ntbea) => ntbea.tell(&generation.noisy(steps).values),
            Search::Race(race, _) => race.tell(&generation.each),
        }
    }

    /// Whether it needs every block score.
    pub fn is_race(&self) -> bool {
        matches!(self, Search::Race(..))
    }

    /// Whether nothing is left to find out.
    pub fn is_decided(&self) -> bool {
        matches!(self, Search::Race(race, _) if race.is_decided())
    }

    /// What it holds best; of NTBEA one for each run.
    pub fn best(&self, space: &Space) -> Vec<Candidate> {
        match self {
            Search::Spsa(walk) => vec![space.of_numbers(&walk.best())],
            Search::CmaEs(cma_es) => vec![space.of_numbers(&cma_es.best())],
            Search::Ntbea(ntbea) => ntbea.best().iter().map(|x| space.of_indices(x)).collect(),
            Search::Race(race, field) => vec![field[race.leader()].clone()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_what_candidate_and_block_do_not_explain() {
        // Scores a + b without noise: the residual is 0.
        let scores = |rows: &[[u32; 4]]| Scores {
            bots: rows
                .iter()
                .map(|row| row.iter().map(|&score| vec![score]).collect())
                .collect(),
            capped: 0,
        };
        let exact = Generation::new(&scores(&[[1, 2, 3, 6], [2, 3, 4, 7]]), false);
        let exact = exact.noisy(10);
        assert!(exact.noise < 1e-12);
        assert_eq!(exact.values, [0.3, 0.4]);
        // Two candidates, four blocks, differences 1, −1, 1, −1: residuals ± ½, 8 · ¼ over 3 degrees of freedom.
        let noisy = Generation::new(&scores(&[[3, 2, 3, 2], [2, 3, 2, 3]]), false).noisy(1);
        assert!((noisy.noise - 2.0 / 3.0 / 4.0).abs() < 1e-12, "{noisy:?}");
    }
}
