//! An objective with a known optimum and noise like that of block means, to try optimisers on.

use super::{Axis, Scores, normal, stream};

/// A hill: the score of a block is ½ − ¹⁄₁₀₀ Σ (x − optimum)² and noise, part of it common to all candidates.
pub(super) struct Objective {
    pub(super) optimum: Vec<f64>,
}

impl Objective {
    pub(super) fn new(optimum: Vec<f64>) -> Objective {
        Objective { optimum }
    }

    /// How much the score of a point is below the best.
    pub(super) fn loss(&self, x: &[f64]) -> f64 {
        let squares = self
            .optimum
            .iter()
            .zip(x)
            .map(|(best, x)| (x - best).powi(2));
        squares.sum::<f64>() / 100.0
    }

    /// The scores of each candidate in each block of a generation: standard deviation 0.2 for the dice they share and 0.2
    /// of their own, about that of the share of wins in two games.
    pub(super) fn play(
        &self,
        candidates: &[Vec<f64>],
        generation: u32,
        blocks: usize,
        seed: u64,
    ) -> Vec<Vec<f64>> {
        let mut random = stream(!seed, generation, 7);
        let common: Vec<f64> = (0..blocks).map(|_| 0.2 * normal(&mut random)).collect();
        let mut score = |x: &Vec<f64>| {
            let value = 0.5 - self.loss(x);
            let scores = common
                .iter()
                .map(|dice| value + dice + 0.2 * normal(&mut random));
            scores.collect()
        };
        candidates.iter().map(&mut score).collect()
    }
}

/// Means over the blocks, and the variance of the noise that is not common: it is known here.
pub(super) fn noise(blocks: &[Vec<f64>]) -> Scores {
    let n = blocks[0].len() as f64;
    Scores {
        values: blocks
            .iter()
            .map(|scores| scores.iter().sum::<f64>() / n)
            .collect(),
        noise: 0.04 / n,
    }
}

/// Axes from −4 to 4 with steps of ½.
pub(super) fn axes(count: usize) -> Vec<Axis> {
    let axis = Axis {
        low: -4.0,
        high: 4.0,
        step: 0.5,
        whole: false,
    };
    vec![axis; count]
}
