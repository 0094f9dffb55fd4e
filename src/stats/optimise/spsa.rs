//! SPSA (Spall 1992) as chess testers run it: all parameters are moved at once, up or down at random, and the walk
//! follows whichever of the two won more.

use crate::stats::spsa::Schedule;

use super::{Axis, stream};

/// A walk of simultaneous perturbation. The gains are those of [`Schedule`]: generation k plays θ + c Δ against θ − c Δ,
/// Δ = ±1 for each parameter, and moves θ by R c (won − lost) Δ, clipped to the range.
#[derive(Clone, Debug)]
pub struct Spsa {
    axes: Vec<Axis>,
    iterations: u32,
    rate: f64,
    seed: u64,
    next: u32,
    theta: Vec<f64>,
    /// c Δ of the generation at hand.
    tried: Vec<f64>,
}

impl Spsa {
    /// A walk of `iterations` generations, at least 1, from `start`, which is clipped to the axes. `rate` is R of the last
    /// generation, in steps for each block that one of the two wins and the other loses.
    pub fn new(axes: Vec<Axis>, start: &[f64], iterations: u32, rate: f64, seed: u64) -> Spsa {
        let clipped = axes
            .iter()
            .zip(start)
            .map(|(axis, x)| x.clamp(axis.low, axis.high));
        Spsa {
            theta: clipped.collect(),
            tried: vec![0.0; axes.len()],
            axes,
            iterations,
            rate,
            seed,
            next: 0,
        }
    }

    /// θ + c Δ and θ − c Δ, clipped. Whole parameters are rounded up with the probability of their fraction, both with the
    /// same draw, and c is at least ½ for them: so the two always differ unless the range ends there.
    pub fn ask(&mut self) -> [Vec<f64>; 2] {
        let mut random = stream(self.seed, self.next, 0);
        let mut pair = [Vec::new(), Vec::new()];
        for ((axis, &theta), tried) in self.axes.iter().zip(&self.theta).zip(&mut self.tried) {
            let up = random.below(2) == 1;
            let part = random.unit();
            let step = gains(axis, self.iterations, self.rate, self.next).0;
            *tried = if up { step } else { -step };
            for (candidate, x) in pair.iter_mut().zip([theta + *tried, theta - *tried]) {
                let x = if axis.whole { (x + part).floor() } else { x };
                candidate.push(x.clamp(axis.low, axis.high));
            }
        }
        pair
    }

    /// Takes how many blocks the first candidate won more than the second: the sum over blocks of the difference of their
    /// scores.
    pub fn tell(&mut self, won: f64) {
        for ((axis, theta), tried) in self.axes.iter().zip(&mut self.theta).zip(&self.tried) {
            let rate = gains(axis, self.iterations, self.rate, self.next).1;
            *theta = (*theta + rate * won * tried).clamp(axis.low, axis.high);
        }
        self.next += 1;
    }

    /// Where the walk is; whole parameters rounded to the nearest.
    pub fn best(&self) -> Vec<f64> {
        let rounded = |(axis, &x): (&Axis, &f64)| if axis.whole { x.round() } else { x };
        self.axes.iter().zip(&self.theta).map(rounded).collect()
    }
}

/// c and R of a parameter in a generation; R in the parameter's own steps.
fn gains(axis: &Axis, iterations: u32, rate: f64, k: u32) -> (f64, f64) {
    let schedule = Schedule {
        iterations,
        last_step: axis.step,
        last_rate: rate,
    };
    let gains = schedule.gains(k);
    let least = if axis.whole { 0.5 } else { 0.0 };
    (gains.step.max(least), gains.rate)
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Hill, axes};
    use super::*;

    /// Runs a walk on a synthetic objective; where it ends.
    fn walk(objective: &Hill, axes: Vec<Axis>, seed: u64) -> Vec<f64> {
        let start: Vec<f64> = axes.iter().map(|axis| axis.low).collect();
        let mut spsa = Spsa::new(axes, &start, 400, 0.2, seed);
        for generation in 0..400 {
            let pair = spsa.ask();
            let scores = objective.play(&pair, generation, 50, seed);
            let sum = |of: usize| scores[of].iter().sum::<f64>();
            spsa.tell(sum(0) - sum(1));
        }
        spsa.best()
    }

    #[test]
    fn it_finds_the_optimum_of_a_noisy_objective() {
        let objective = Hill {
            optimum: vec![0.6, -1.2, 2.5],
        };
        for seed in 0..5 {
            let found = walk(&objective, axes(3), seed);
            assert!(objective.loss(&found) < 0.02, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn whole_parameters_are_played_whole() {
        let axis = Axis {
            low: 0.0,
            high: 9.0,
            step: 0.1,
            whole: true,
        };
        let mut spsa = Spsa::new(vec![axis], &[4.3], 10, 0.1, 1);
        let mut seen = Vec::new();
        for _ in 0..10 {
            let [a, b] = spsa.ask();
            assert!(a[0].fract() == 0.0 && b[0].fract() == 0.0 && (a[0] - b[0]).abs() >= 1.0);
            seen.extend([a[0], b[0]]);
            spsa.tell(0.0);
        }
        // Without a winner it stays; c of ½ reaches 3.8 to 4.8, rounded 3 to 5.
        assert_eq!(spsa.best(), [4.0]);
        assert!(
            seen.iter().all(|x| (3.0..=5.0).contains(x)) && seen.contains(&3.0),
            "{seen:?}"
        );
    }

    #[test]
    fn a_step_is_the_rate_times_what_was_won() {
        let axis = Axis {
            low: -100.0,
            high: 100.0,
            step: 2.0,
            whole: false,
        };
        let mut spsa = Spsa::new(vec![axis], &[1.0], 1, 0.25, 3);
        let [a, b] = spsa.ask();
        // The last of one iteration: c = 2, R = 1/4; both lie c away.
        assert!(((a[0] - b[0]).abs() - 4.0).abs() < 1e-12);
        spsa.tell(3.0);
        let expected = 1.0 + 0.25 * 3.0 * (a[0] - 1.0);
        assert!((spsa.best()[0] - expected).abs() < 1e-12);
    }
}
