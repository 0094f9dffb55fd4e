//! An objective with a known optimum and noise like that of block means, to try optimisers on.

use super::{Axis, Scores, normal, stream};

/// A hill: the score of a block is ½ − ¹⁄₁₀₀ Σ (x − optimum)², and noise. A standard deviation of 0.2 comes from dice that
/// all candidates share and 0.2 is each candidate's own, about as in a block of two games.
#[derive(Clone, PartialEq, Debug)]
pub struct Hill {
    /// Where the score is best.
    pub optimum: Vec<f64>,
}

impl Hill {
    /// How much the mean score of a point is below the best, 0 or more.
    pub fn loss(&self, x: &[f64]) -> f64 {
        let squares = self.optimum.iter().zip(x);
        squares
            .map(|(best, x)| (x - best) * (x - best))
            .sum::<f64>()
            / 100.0
    }

    /// The scores of each candidate in each block of a generation. The dice depend on the seed and the generation, and are
    /// the same for all candidates.
    pub fn play(
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

/// Means over blocks that a [`Hill`] gave, with the variance of their noise, which is known here.
pub fn means(blocks: &[Vec<f64>]) -> Scores {
    let n = blocks.first().map_or(1.0, |scores| scores.len() as f64);
    Scores {
        values: blocks
            .iter()
            .map(|scores| scores.iter().sum::<f64>() / n)
            .collect(),
        noise: 0.04 / n,
    }
}

/// Axes from −4 to 4 with steps of ½.
pub fn axes(count: usize) -> Vec<Axis> {
    let axis = Axis {
        low: -4.0,
        high: 4.0,
        step: 0.5,
        whole: false,
    };
    vec![axis; count]
}
