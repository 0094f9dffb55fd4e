//! Racing: all candidates play the same blocks, and who is proven worse than the leader drops out (Maron & Moore 1994,
//! here with e-values).

use std::collections::BTreeMap;

use crate::stats::ScoreCounts;
use crate::stats::eprocess::{Null, ln_e_value};

/// A race of k candidates. A candidate drops out when the e-value of "it scores at least as much as the leader", from
/// the blocks both have played, reaches k/α. Whoever is truly best is dropped with a probability of at most α, whenever
/// one looks and whoever leads: only the tests of the others against it can fail, and each does with at most α/k.
#[derive(Clone, Debug)]
pub struct Race {
    alpha: f64,
    /// The steps of a block score.
    steps: u32,
    alive: Vec<bool>,
    /// The sum of the scores of those alive, in steps.
    totals: Vec<u64>,
    /// For each pair a < b how many blocks had which difference, score of a − score of b + steps.
    differences: BTreeMap<(usize, usize), Vec<u64>>,
}

impl Race {
    /// A race of so many candidates whose block scores are 0, 1/`steps`, …, 1. `alpha` is in (0, 1).
    ///
    /// # Panics
    /// Unless there is a candidate, and 1 to 32,767 steps.
    pub fn new(candidates: usize, steps: u32, alpha: f64) -> Race {
        assert!(candidates > 0, "a race has a candidate");
        assert!((1..=32_767).contains(&steps), "a race has a finite grid");
        Race {
            alpha,
            steps,
            alive: vec![true; candidates],
            totals: vec![0; candidates],
            differences: BTreeMap::new(),
        }
    }

    /// Those who are to play the next blocks, ascending.
    pub fn ask(&self) -> Vec<usize> {
        (0..self.alive.len()).filter(|&i| self.alive[i]).collect()
    }

    /// Takes the block scores, in steps, of those that were asked, in their order; then drops whom it can.
    pub fn tell(&mut self, blocks: &[Vec<u32>]) {
        let asked = self.ask();
        let cells = 2 * self.steps as usize + 1;
        for (&a, mine) in asked.iter().zip(blocks) {
            self.totals[a] += mine.iter().map(|&score| u64::from(score)).sum::<u64>();
            for (&b, theirs) in asked.iter().zip(blocks).filter(|&(&b, _)| b > a) {
                let counts = self.differences.entry((a, b));
                let counts = counts.or_insert_with(|| vec![0; cells]);
                for (x, y) in mine.iter().zip(theirs) {
                    counts[(x + self.steps - y) as usize] += 1;
                }
            }
        }
        let leader = self.leader();
        let limit = libm::log(self.alive.len() as f64 / self.alpha);
        for candidate in asked {
            self.alive[candidate] &=
                candidate == leader || self.ln_e_below(candidate, leader) < limit;
        }
        let alive = &self.alive;
        self.differences.retain(|&(a, b), _| alive[a] && alive[b]);
    }

    /// ln of the e-value against "`candidate` scores at least as much as `leader`".
    fn ln_e_below(&self, candidate: usize, leader: usize) -> f64 {
        let pair = (candidate.min(leader), candidate.max(leader));
        let Some(counts) = self.differences.get(&pair) else {
            return 0.0;
        };
        let counts = ScoreCounts::from_counts(counts.clone()).expect("the grid was checked");
        // Differences from −1 to 1 lie on 0 to 1, and none at ½.
        let leads = if candidate > leader {
            counts
        } else {
            counts.mirrored()
        };
        ln_e_value(&leads, Null::AtMost(0.5)).expect("½ is in range")
    }

    /// Who has scored most of those alive; of equal ones the first.
    pub fn leader(&self) -> usize {
        let mut alive = self.ask().into_iter();
        let first = alive.next().expect("the leader never drops out");
        alive.fold(first, |best, i| {
            if self.totals[i] > self.totals[best] {
                i
            } else {
                best
            }
        })
    }

    /// Whether only one is left.
    pub fn is_decided(&self) -> bool {
        self.alive.iter().filter(|&&alive| alive).count() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::stream;
    use super::*;

    /// Blocks of four games in which candidate i wins each with probability `shares[i]`.
    fn blocks(shares: &[f64], count: usize, seed: u64, round: u32) -> Vec<Vec<u32>> {
        let mut random = stream(seed, round, 5);
        let mut games = |share: f64| (0..4).map(|_| u32::from(random.unit() < share)).sum();
        let scores = |&share: &f64| (0..count).map(|_| games(share)).collect();
        shares.iter().map(scores).collect()
    }

    /// Rounds of 100 blocks until one is left; the leader and the rounds it took.
    fn run(shares: &[f64], rounds: u32, seed: u64) -> (Race, u32) {
        let mut race = Race::new(shares.len(), 4, 0.05);
        for round in 0..rounds {
            if race.is_decided() {
                return (race, round);
            }
            let asked: Vec<f64> = race.ask().iter().map(|&i| shares[i]).collect();
            race.tell(&blocks(&asked, 100, seed, round));
        }
        (race, rounds)
    }

    #[test]
    fn the_best_of_a_finite_set_is_left() {
        let shares = [0.25, 0.31, 0.22, 0.26, 0.18];
        for seed in 0..10 {
            let (race, rounds) = run(&shares, 100, seed);
            assert!(race.is_decided() && race.leader() == 1, "seed {seed}");
            assert!(rounds < 60, "seed {seed}: {rounds}");
        }
    }

    #[test]
    fn of_equal_candidates_few_are_dropped() {
        // Four equal ones: each is dropped in at most 5 % of the races.
        let mut dropped = [0; 4];
        for seed in 0..200 {
            let (race, _) = run(&[0.25; 4], 20, seed);
            for (count, alive) in dropped.iter_mut().zip(&race.alive) {
                *count += usize::from(!alive);
            }
        }
        assert!(dropped.iter().all(|&count| count <= 10), "{dropped:?}");
    }

    #[test]
    fn candidates_that_never_differ_stay() {
        let mut race = Race::new(2, 1, 0.05);
        race.tell(&[vec![1; 1000], vec![1; 1000]]);
        assert_eq!((race.ask(), race.leader()), (vec![0, 1], 0));
        race.tell(&[vec![0; 30], vec![1; 30]]);
        assert_eq!(race.leader(), 1);
    }
}
