//! CMA-ES: a normal distribution that moves, widens and turns towards what scored well (Hansen & Ostermeier 2001; the
//! formulas and their numbers are those of Hansen's tutorial, arXiv 1604.00772, without negative weights).

use super::eigen::{self, Eigen};
use super::{Axis, Scores, normal, stream};

/// The most parameters; beyond them a full covariance matrix learns too slowly to be of use.
pub const MAX_AXES: usize = 30;

/// The population that Hansen's tutorial proposes for so many parameters: 4 + ⌊3 ln n⌋.
#[allow(clippy::cast_sign_loss)] // The logarithm of at least 1.
pub fn default_population(axes: usize) -> usize {
    4 + (3.0 * libm::log(axes.max(1) as f64)) as usize
}

/// A run of CMA-ES with the whole covariance matrix.
///
/// What leaves the range is reflected at its ends, and the distribution learns from where the reflection landed. When more
/// than half of what tells the candidates apart is noise, the population grows by half; when less than a fifth is, it
/// shrinks again: more candidates average the noise over the distribution, where more games for each would not.
#[derive(Clone, Debug)]
pub struct CmaEs {
    axes: Vec<Axis>,
    seed: u64,
    next: u32,
    /// The population at hand, at first and at most.
    population: (usize, usize, usize),
    /// The mean, in steps.
    mean: Vec<f64>,
    sigma: f64,
    covariance: Vec<Vec<f64>>,
    eigen: Eigen,
    path_sigma: Vec<f64>,
    path_c: Vec<f64>,
    /// The candidates of the generation at hand, in steps.
    asked: Vec<Vec<f64>>,
}

/// What follows from the population and the number of parameters.
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The mean length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(population: usize, axes: usize) -> Constants {
        let n = axes as f64;
        let half = population as f64 / 2.0 + 0.5;
        let raw = (1..=population / 2).map(|rank| libm::log(half) - libm::log(rank as f64));
        let raw: Vec<f64> = raw.collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff);
        Constants {
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu: c_mu.min(1.0 - c_1),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
        }
    }
}

impl CmaEs {
    /// A distribution around `start`, which is clipped to the axes, one step wide in each direction. The population is at
    /// least 4 and at most `most`.
    ///
    /// # Panics
    /// Without an axis or with more than [`MAX_AXES`].
    pub fn new(axes: Vec<Axis>, start: &[f64], population: usize, most: usize, seed: u64) -> CmaEs {
        let n = axes.len();
        assert!(
            (1..=MAX_AXES).contains(&n),
            "CMA-ES has 1 to {MAX_AXES} axes"
        );
        let unit = |row| (0..n).map(|column| f64::from(row == column)).collect();
        let covariance: Vec<Vec<f64>> = (0..n).map(unit).collect();
        let population = population.max(4);
        let mean = axes.iter().zip(start);
        CmaEs {
            mean: mean
                .map(|(axis, x)| x.clamp(axis.low, axis.high) / axis.step)
                .collect(),
            axes,
            seed,
            next: 0,
            population: (population, population, most.max(population)),
            sigma: 1.0,
            eigen: eigen::symmetric(&covariance),
            covariance,
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            asked: Vec::new(),
        }
    }

    /// The candidates of the next generation.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        let mut random = stream(self.seed, self.next, 0);
        self.asked = (0..self.population.0)
            .map(|_| self.sample(&mut random))
            .collect();
        let played = |steps: &Vec<f64>| self.unscaled(steps);
        self.asked.iter().map(played).collect()
    }

    fn sample(&self, random: &mut crate::engine::random::Stream) -> Vec<f64> {
        let scaled: Vec<f64> = self
            .eigen
            .values
            .iter()
            .map(|value| value.max(0.0).sqrt() * normal(random))
            .collect();
        let rows = self.eigen.vectors.iter().zip(&self.mean).zip(&self.axes);
        rows.map(|((row, mean), axis)| {
            let x = mean + self.sigma * dot(row, &scaled);
            reflected(x, axis.low / axis.step, axis.high / axis.step)
        })
        .collect()
    }

    fn unscaled(&self, steps: &[f64]) -> Vec<f64> {
        let numbers = self.axes.iter().zip(steps);
        numbers
            .map(|(axis, x)| (x * axis.step).clamp(axis.low, axis.high))
            .collect()
    }

    /// Takes the scores of the candidates that were asked.
    pub fn tell(&mut self, scores: &Scores) {
        let mut order: Vec<usize> = (0..self.asked.len()).collect();
        // A stable sort: of equal scores the first asked comes first.
        order.sort_by(|&a, &b| scores.values[b].total_cmp(&scores.values[a]));
        let constants = Constants::new(self.asked.len(), self.axes.len());
        let chosen = order.iter().zip(&constants.weights);
        // Steps from the mean, in units of sigma, with their weights.
        let steps: Vec<(f64, Vec<f64>)> = chosen
            .map(|(&index, &weight)| {
                let from_mean = self.asked[index].iter().zip(&self.mean);
                (
                    weight,
                    from_mean.map(|(x, mean)| (x - mean) / self.sigma).collect(),
                )
            })
            .collect();
        self.update(&constants, &steps);
        self.fit_population(scores);
        self.next += 1;
    }

    fn update(&mut self, constants: &Constants, steps: &[(f64, Vec<f64>)]) {
        let n = self.axes.len();
        let mean_step: Vec<f64> = (0..n)
            .map(|i| steps.iter().map(|(weight, step)| weight * step[i]).sum())
            .collect();
        for (mean, step) in self.mean.iter_mut().zip(&mean_step) {
            *mean += self.sigma * step;
        }
        let Constants {
            c_sigma, c_c, c_1, ..
        } = *constants;
        let whitened = self.whitened(&mean_step);
        let pull = (c_sigma * (2.0 - c_sigma) * constants.mu_eff).sqrt();
        for (path, step) in self.path_sigma.iter_mut().zip(&whitened) {
            *path = (1.0 - c_sigma) * *path + pull * step;
        }
        let length = dot(&self.path_sigma, &self.path_sigma).sqrt();
        // While the step length grows fast, the path of the covariance stalls.
        let age = libm::pow(1.0 - c_sigma, 2.0 * f64::from(self.next + 1));
        let goes_on = length / (1.0 - age).sqrt() < (1.4 + 2.0 / (n as f64 + 1.0)) * constants.chi;
        let pull = f64::from(goes_on) * (c_c * (2.0 - c_c) * constants.mu_eff).sqrt();
        for (path, step) in self.path_c.iter_mut().zip(&mean_step) {
            *path = (1.0 - c_c) * *path + pull * step;
        }
        let lost = f64::from(!goes_on) * c_c * (2.0 - c_c);
        let kept = 1.0 + c_1 * lost - c_1 - constants.c_mu;
        for i in 0..n {
            for j in 0..n {
                let spread: f64 = steps.iter().map(|(w, step)| w * step[i] * step[j]).sum();
                self.covariance[i][j] = kept * self.covariance[i][j]
                    + c_1 * self.path_c[i] * self.path_c[j]
                    + constants.c_mu * spread;
            }
        }
        let growth = c_sigma / constants.d_sigma * (length / constants.chi - 1.0);
        // Wider than this it would only be reflected to and fro.
        self.sigma = (self.sigma * libm::exp(growth.min(1.0))).clamp(1e-6, 1e3);
        self.eigen = eigen::symmetric(&self.covariance);
    }

    /// C^(−½) v.
    fn whitened(&self, vector: &[f64]) -> Vec<f64> {
        let n = self.axes.len();
        let Eigen { values, vectors } = &self.eigen;
        let along: Vec<f64> = (0..n)
            .map(|k| {
                let length: f64 = (0..n).map(|i| vectors[i][k] * vector[i]).sum();
                length / values[k].max(1e-20).sqrt()
            })
            .collect();
        (0..n).map(|i| dot(&vectors[i], &along)).collect()
    }

    fn fit_population(&mut self, scores: &Scores) {
        let n = scores.values.len() as f64;
        let mean = scores.values.iter().sum::<f64>() / n;
        let squares = scores
            .values
            .iter()
            .map(|value| (value - mean) * (value - mean));
        let spread = squares.sum::<f64>() / (n - 1.0);
        let (now, least, most) = self.population;
        self.population.0 = if scores.noise > spread / 2.0 {
            now.div_ceil(2) + now
        } else if scores.noise < spread / 5.0 {
            now * 2 / 3
        } else {
            now
        }
        .clamp(least, most);
    }

    /// How many candidates the next generation has.
    pub fn population(&self) -> usize {
        self.population.0
    }

    /// The mean of the distribution.
    pub fn best(&self) -> Vec<f64> {
        self.unscaled(&self.mean)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `x` folded into `low..=high` as by mirrors at both ends.
fn reflected(x: f64, low: f64, high: f64) -> f64 {
    let width = high - low;
    let along = (x - low).rem_euclid(2.0 * width);
    low + if along > width {
        2.0 * width - along
    } else {
        along
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::synthetic::{Hill, axes, means};
    use super::*;

    /// The mean after some generations of 20 blocks.
    fn run(objective: &Hill, generations: u32, most: usize, seed: u64) -> CmaEs {
        let axes = axes(objective.optimum.len());
        let start: Vec<f64> = axes.iter().map(|axis| axis.low).collect();
        let mut search = CmaEs::new(axes, &start, 10, most, seed);
        for generation in 0..generations {
            let candidates = search.ask();
            let blocks = objective.play(&candidates, generation, 100, seed);
            search.tell(&means(&blocks));
        }
        search
    }

    #[test]
    fn it_finds_the_optimum_of_a_noisy_objective() {
        let objective = Hill {
            optimum: vec![0.6, -1.2, 2.5],
        };
        for seed in 0..5 {
            let found = run(&objective, 60, 40, seed).best();
            assert!(objective.loss(&found) < 0.02, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn without_noise_it_turns_along_a_narrow_valley() {
        // A valley along the diagonal, a hundred times as long as wide.
        let mut search = CmaEs::new(axes(2), &[-3.0, 2.0], 8, 8, 1);
        for _ in 0..150 {
            let value = |x: &Vec<f64>| {
                let (along, across) = (x[0] + x[1] - 1.0, x[0] - x[1]);
                -along * along - 1e4 * across * across
            };
            let values = search.ask().iter().map(value).collect();
            search.tell(&Scores { values, noise: 0.0 });
        }
        let best = search.best();
        assert!(
            (best[0] - 0.5).abs() < 1e-3 && (best[1] - 0.5).abs() < 1e-3,
            "{best:?}"
        );
    }

    #[test]
    fn an_optimum_at_the_edge_is_reached() {
        let objective = Hill {
            optimum: vec![4.0, -4.0],
        };
        let found = run(&objective, 60, 40, 2).best();
        assert!(objective.loss(&found) < 0.02, "{found:?}");
    }

    #[test]
    fn noise_raises_the_population_and_clarity_lowers_it() {
        let mut search = CmaEs::new(axes(2), &[0.0, 0.0], 6, 20, 1);
        let mut tell = |noise: f64| {
            let values = search.ask().iter().map(|x| x[0]).collect();
            search.tell(&Scores { values, noise });
            search.population()
        };
        assert_eq!(
            [tell(1e9), tell(1e9), tell(1e9), tell(1e9)],
            [9, 14, 20, 20]
        );
        assert_eq!([tell(0.0), tell(0.0), tell(0.0), tell(0.0)], [13, 8, 6, 6]);
    }

    proptest! {
        #[test]
        fn reflections_stay_inside(x in -100.0..100.0_f64) {
            let inside = reflected(x, -1.5, 2.0);
            prop_assert!((-1.5..=2.0).contains(&inside));
            if (-1.5..=2.0).contains(&x) {
                prop_assert!((inside - x).abs() < 1e-12);
            }
            // A mirror at the upper end.
            prop_assert!((reflected(4.0 - x, -1.5, 2.0) - inside).abs() < 1e-9);
        }
    }
}
