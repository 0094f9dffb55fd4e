//! NTBEA, the N-tuple bandit evolutionary algorithm, for parameters with a few values each (Lucas, Liu & Perez-Liebana
//! 2018; Goodman & Lucas 2020): one candidate is played, many are only guessed.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::random::Stream;

use super::stream;

/// How NTBEA searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NtbeaSettings {
    /// Runs side by side, 1 to 8; each gives one point for the final race.
    pub runs: usize,
    /// Mutations of the point at hand that are guessed in each generation, at least 1.
    pub neighbours: usize,
    /// The weight k of what is not known, in standard deviations of the scores seen; at least 0.
    pub exploration: f64,
}

/// ε, which keeps the bonus of a tuple never seen finite.
const EPSILON: f64 = 0.5;

/// The index of a value for each parameter.
type Point = Vec<usize>;

/// Runs of NTBEA side by side. The candidates of a generation, one of each run, are meant to share their dice.
#[derive(Clone, Debug)]
pub struct Ntbea {
    sizes: Vec<usize>,
    settings: NtbeaSettings,
    seed: u64,
    next: u32,
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct Run {
    current: Point,
    model: Model,
}

impl Ntbea {
    /// A search over parameters with so many values each, all at least 1. Every run begins at a point of its own, drawn at
    /// random.
    ///
    /// # Panics
    /// Unless there are 1 to 8 runs.
    pub fn new(sizes: Vec<usize>, settings: NtbeaSettings, seed: u64) -> Ntbea {
        let first = |run: usize| {
            let mut random = stream(seed, 0, run);
            let current = sizes
                .iter()
                .map(|&size| random.below(size as u64) as usize)
                .collect();
            Run {
                current,
                model: Model::new(sizes.len()),
            }
        };
        assert!((1..=8).contains(&settings.runs), "NTBEA has 1 to 8 runs");
        Ntbea {
            runs: (0..settings.runs).map(first).collect(),
            sizes,
            settings,
            seed,
            next: 0,
        }
    }

    /// The point of each run.
    pub fn ask(&self) -> Vec<Vec<usize>> {
        self.runs.iter().map(|run| run.current.clone()).collect()
    }

    /// Takes what each run's point scored, and chooses the next.
    pub fn tell(&mut self, values: &[f64]) {
        self.next += 1;
        for (number, (run, &value)) in self.runs.iter_mut().zip(values).enumerate() {
            run.model.learn(&run.current, value);
            let mut random = stream(self.seed, self.next, number);
            let mut best: Option<(f64, Point)> = None;
            for _ in 0..self.settings.neighbours {
                let point = mutated(&run.current, &self.sizes, &mut random);
                let score = run.model.guess(&point, self.settings.exploration);
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((score, point));
                }
            }
            if let Some((_, point)) = best {
                run.current = point;
            }
        }
    }

    /// What each run holds best of the points it has played: the highest mean over all tuples. Equal ones stand once.
    pub fn best(&self) -> Vec<Vec<usize>> {
        let found = self.runs.iter().map(|run| run.model.best());
        let mut points: Vec<Point> = Vec::new();
        for point in found.flatten() {
            if !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }
}

/// The point with at least one value changed; each other one with probability 1/parameters.
fn mutated(point: &Point, sizes: &[usize], random: &mut Stream) -> Point {
    let n = sizes.len() as u64;
    let free: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at] > 1).collect();
    if free.is_empty() {
        return point.clone();
    }
    let always = free[random.below(free.len() as u64) as usize];
    let mut next = point.clone();
    for &at in &free {
        if at == always || random.below(n) == 0 {
            let other = random.below(sizes[at] as u64 - 1) as usize;
            next[at] = other + usize::from(other >= point[at]);
        }
    }
    next
}

/// What is known of single values, of pairs and of whole points.
#[derive(Clone, Debug)]
struct Model {
    /// The parameters of each tuple.
    tuples: Vec<Vec<usize>>,
    /// For each tuple: its values, how often they were played, and the sum of the scores.
    seen: Vec<BTreeMap<Point, (f64, f64)>>,
    n: f64,
    sum: f64,
    sum_sq: f64,
    played: BTreeSet<Point>,
}

impl Model {
    fn new(parameters: usize) -> Model {
        let singles = (0..parameters).map(|at| vec![at]);
        let pairs = (0..parameters).flat_map(|a| (a + 1..parameters).map(move |b| vec![a, b]));
        let mut tuples: Vec<Vec<usize>> = singles.chain(pairs).collect();
        if parameters > 2 {
            tuples.push((0..parameters).collect());
        }
        Model {
            seen: vec![BTreeMap::new(); tuples.len()],
            tuples,
            n: 0.0,
            sum: 0.0,
            sum_sq: 0.0,
            played: BTreeSet::new(),
        }
    }

    fn learn(&mut self, point: &Point, value: f64) {
        for (tuple, seen) in self.tuples.iter().zip(&mut self.seen) {
            let entry = seen.entry(part(point, tuple)).or_default();
            entry.0 += 1.0;
            entry.1 += value;
        }
        self.n += 1.0;
        self.sum += value;
        self.sum_sq += value * value;
        self.played.insert(point.clone());
    }

    /// The mean over tuples of: the mean score of the tuple + k √(ln N / (n + ε)). Of a tuple never seen the mean of all
    /// scores is taken.
    fn guess(&self, point: &Point, exploration: f64) -> f64 {
        let mean = self.sum / self.n.max(1.0);
        let spread = (self.sum_sq / self.n.max(1.0) - mean * mean)
            .max(0.0)
            .sqrt();
        let k = exploration * spread;
        let tuples = self.tuples.iter().zip(&self.seen).map(|(tuple, seen)| {
            let (n, sum) = seen.get(&part(point, tuple)).copied().unwrap_or_default();
            let known = if n > 0.0 { sum / n } else { mean };
            known + k * (libm::log(self.n.max(1.0)) / (n + EPSILON)).sqrt()
        });
        tuples.sum::<f64>() / self.tuples.len() as f64
    }

    fn best(&self) -> Option<Point> {
        let mut best: Option<(f64, &Point)> = None;
        for point in &self.played {
            let value = self.guess(point, 0.0);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, point));
            }
        }
        best.map(|(_, point)| point.clone())
    }
}

fn part(point: &Point, tuple: &[usize]) -> Point {
    tuple.iter().map(|&at| point[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Hill, means};
    use super::*;

    const SETTINGS: NtbeaSettings = NtbeaSettings {
        runs: 3,
        neighbours: 50,
        exploration: 1.0,
    };

    #[test]
    fn it_finds_the_best_values_of_a_noisy_objective() {
        // Nine values from −4 to 4 for each of three parameters; the best are 5, 3 and 6.
        let objective = Hill {
            optimum: vec![1.0, -1.0, 2.0],
        };
        let number = |point: &Point| point.iter().map(|&i| i as f64 - 4.0).collect::<Vec<f64>>();
        let mut exact = 0;
        for seed in 0..4 {
            let mut search = Ntbea::new(vec![9; 3], SETTINGS, seed);
            for generation in 0..150 {
                let points: Vec<Vec<f64>> = search.ask().iter().map(number).collect();
                let blocks = objective.play(&points, generation, 100, seed);
                search.tell(&means(&blocks).values);
            }
            let found = search.best();
            assert!(
                found
                    .iter()
                    .all(|point| objective.loss(&number(point)) <= 0.03),
                "seed {seed}: {found:?}"
            );
            exact += usize::from(found.contains(&vec![5, 3, 6]));
        }
        assert!(exact >= 3, "{exact} of 4");
    }

    #[test]
    fn the_guess_is_its_formula() {
        let mut model = Model::new(2);
        model.learn(&vec![0, 1], 0.4);
        model.learn(&vec![0, 0], 0.6);
        // Tuples (0), (1) and (0, 1); mean 0.5, spread 0.1, N = 2.
        let bonus = |n: f64| 0.2 * (2.0_f64.ln() / (n + 0.5)).sqrt();
        let expected = (0.5 + bonus(2.0) + 0.4 + bonus(1.0) + 0.4 + bonus(1.0)) / 3.0;
        assert!((model.guess(&vec![0, 1], 2.0) - expected).abs() < 1e-12);
        // Never seen: the mean of all.
        let unseen = (0.5 + bonus(0.0)) * 3.0 / 3.0;
        assert!((model.guess(&vec![1, 2], 2.0) - unseen).abs() < 1e-12);
        assert_eq!(model.best(), Some(vec![0, 0]));
    }

    #[test]
    fn a_mutation_changes_something_and_stays_on_the_grid() {
        let mut random = stream(1, 1, 1);
        let sizes = [1, 2, 5];
        for _ in 0..500 {
            let next = mutated(&vec![0, 1, 3], &sizes, &mut random);
            assert!(next != [0, 1, 3] && next.iter().zip(&sizes).all(|(value, size)| value < size));
        }
        assert_eq!(mutated(&vec![0], &[1], &mut random), [0]);
    }
}
