//! Luck, roll by roll: a control variate whose mean is 0 whatever the bots do.
//!
//! U(s, d) is the chance a plain evaluator gives a side after roll d in position s is played as that evaluator likes
//! best. What a roll is worth is U(s, d) less its mean over all rolls, weighted as the dice are; the sum L over a game
//! has mean exactly 0. So W − βL estimates the wins W without bias for any β that was fixed before, and what it takes
//! off the variance of W is the share of luck: at least 1 − Var(W − βL)/Var(W) (Burch et al. 2018, AIVAT).

use serde::{Deserialize, Serialize};

use crate::engine::game::{MoveSet, Turn};
use crate::engine::play::{Dice, SeededDice};
use crate::engine::race::{FeatureValues, MAX_FEATURES, Race};
use crate::engine::seat::{MAX_SEATS, Seat};
use crate::stats::Moments;

use super::jackknife::GROUPS;
use super::players::Sides;

/// The temperatures tried on the pilot's dice, in thousandths of the course.
pub const TEMPERATURES: [u32; 5] = [20, 50, 100, 200, 400];
/// Luck is summed in millionths of a game.
pub const UNIT: u32 = 1_000_000;

/// The sum of the features with the game's own weights.
pub(super) fn weigh<G: Race>(values: &FeatureValues) -> f64 {
    let terms = G::FEATURES.iter().zip(values);
    terms.fold(0.0, |sum, (feature, value)| sum + feature.weight * value)
}

/// The value function with its temperature, and β, both fixed on other dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// The temperature of the softmax, in thousandths of the course.
    pub temperature: u32,
    /// β in thousandths, 0 to 1000.
    pub beta: u32,
}

impl Frozen {
    /// The hash of what U is, to be quoted beside a luck share.
    pub fn hash<G: Race>(self) -> String {
        let weights = G::FEATURES
            .iter()
            .map(|feature| format!("{} {}\n", feature.name, feature.weight));
        let weights: String = weights.collect();
        let text = format!("{} {}\n{weights}", G::NAME, self.temperature);
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }
}

/// Values positions for one side, at several temperatures at once.
pub struct Judge<'a, G: Race> {
    sides: &'a Sides,
    hero: usize,
    temperatures: &'a [u32],
    moves: &'a mut G::Moves,
}

/// A value for each temperature.
type Values = [f64; TEMPERATURES.len()];

impl<G: Race> Judge<'_, G> {
    /// The chance of the hero's side in `state`, which awaits a roll or is the end.
    fn value(&self, game: &G, state: &G::State) -> Values {
        let mut values = [0.0; TEMPERATURES.len()];
        if game.turn(state) == Turn::Over {
            let won = self.sides.winner(&game.standing(state).places) == Some(self.hero);
            values.fill(f64::from(u8::from(won)));
            return values;
        }
        let mut scores = [0.0; MAX_SEATS];
        let mut features = [0.0; MAX_FEATURES];
        for &seat in &self.sides.seats {
            game.features(state, seat, &mut features);
            scores[self.sides.of[seat]] += weigh::<G>(&features);
        }
        let scores = &scores[..self.sides.count];
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (value, &temperature) in values.iter_mut().zip(self.temperatures) {
            let pips = f64::from(game.course()) * f64::from(temperature) / 1e3;
            let share = |score: f64| libm::exp((score - top) / pips);
            let all: f64 = scores.iter().map(|&score| share(score)).sum();
            *value = share(scores[self.hero]) / all;
        }
        values
    }

    /// The value after a roll, played as the evaluator likes best.
    fn after(&mut self, game: &G, state: &G::State, roll: G::Roll) -> Values {
        let mut after = *state;
        let mut turn = game.roll(&mut after, roll);
        while let Turn::Decision(seat) = turn {
            game.moves(&after, self.moves);
            let mut best = (0, f64::NEG_INFINITY);
            if !self.moves.is_forced() && !game.is_about_stakes(&after) {
                let mut index = 0;
                game.gains(&after, seat, self.moves, |values, _| {
                    let score = weigh::<G>(values);
                    if score > best.1 {
                        best = (index, score);
                    }
                    index += 1;
                });
            }
            turn = game.apply(&mut after, self.moves.get(best.0)).next;
        }
        self.value(game, &after)
    }
}

/// The dice of a block, with what each roll was worth to one side.
pub struct LuckDice<'a, G: Race> {
    dice: SeededDice,
    judge: Judge<'a, G>,
    luck: Values,
}

impl<'a, G: Race> LuckDice<'a, G> {
    /// These dice, seen from the side of `hero`, with these temperatures.
    pub fn new(
        dice: SeededDice,
        sides: &'a Sides,
        hero: usize,
        temperatures: &'a [u32],
        moves: &'a mut G::Moves,
    ) -> LuckDice<'a, G> {
        LuckDice {
            dice,
            judge: Judge {
                sides,
                hero,
                temperatures,
                moves,
            },
            luck: [0.0; TEMPERATURES.len()],
        }
    }

    /// The luck of the hero so far, in [`UNIT`], for each temperature.
    pub fn luck(&self) -> [i64; TEMPERATURES.len()] {
        self.luck
            .map(|luck| (luck * f64::from(UNIT)).round() as i64)
    }
}

impl<G: Race> Dice<G> for LuckDice<'_, G> {
    fn roll(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Roll {
        let rolled = self.dice.roll(game, state, seat);
        let rolls = game.rolls(state);
        let all: u32 = rolls.iter().map(|&(_, weight)| weight).sum();
        for &(roll, weight) in rolls {
            let share = f64::from(weight) / f64::from(all);
            let came = f64::from(u8::from(roll == rolled));
            let values = self.judge.after(game, state, roll);
            for (luck, value) in self.luck.iter_mut().zip(values) {
                *luck += (came - share) * value;
            }
        }
        rolled
    }
}

/// Wins and luck of some games, in whole numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckSums {
    /// Games the hero won.
    pub wins: u64,
    /// Luck of a game.
    pub luck: Moments,
    /// Luck of the games won, summed.
    pub luck_of_wins: i64,
}

impl LuckSums {
    /// Counts a game.
    pub fn push(&mut self, won: bool, luck: i64) {
        self.wins += u64::from(won);
        self.luck.push(luck);
        self.luck_of_wins += if won { luck } else { 0 };
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &LuckSums) {
        self.wins += other.wins;
        self.luck.merge(&other.luck);
        self.luck_of_wins += other.luck_of_wins;
    }

    /// Var(W), Cov(W, L) and Var(L); `None` where nothing varies.
    fn variances(&self) -> Option<(f64, f64, f64)> {
        let games = self.luck.n() as f64;
        let share = self.wins as f64 / games;
        let unit = f64::from(UNIT);
        let luck = self.luck.variance()? * (games - 1.0) / games / (unit * unit);
        let both = self.luck_of_wins as f64 / games / unit - share * self.luck.mean()? / unit;
        let wins = share * (1.0 - share);
        (wins > 0.0 && luck > 0.0).then_some((wins, both, luck))
    }

    /// The β that takes most off the variance, and the share it takes off.
    fn best(&self) -> (f64, f64) {
        self.variances().map_or((0.0, 0.0), |(wins, both, luck)| {
            let beta = (both / luck).clamp(0.0, 1.0);
            (
                beta,
                1.0 - (wins - 2.0 * beta * both + beta * beta * luck) / wins,
            )
        })
    }

    /// The share of the variance of W that βL takes off.
    pub fn share(&self, beta: u32) -> Option<f64> {
        let beta = f64::from(beta) / 1e3;
        let (wins, both, luck) = self.variances()?;
        Some((2.0 * beta * both - beta * beta * luck) / wins)
    }
}

/// The temperature and β that did best in the pilot.
pub fn freeze(pilot: &[LuckSums]) -> Frozen {
    let mut best = (
        0.0,
        Frozen {
            temperature: TEMPERATURES[0],
            beta: 0,
        },
    );
    for (sums, &temperature) in pilot.iter().zip(&TEMPERATURES) {
        let (beta, share) = sums.best();
        if share > best.0 {
            let beta = (beta * 1e3).round() as u32;
            best = (share, Frozen { temperature, beta });
        }
    }
    best.1
}

/// Luck of many blocks, in groups for the jackknife.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckTally {
    /// The games, by the number of their block modulo [`GROUPS`].
    pub groups: Vec<LuckSums>,
    /// Luck of a block.
    pub blocks: Moments,
}

impl Default for LuckTally {
    fn default() -> LuckTally {
        LuckTally {
            groups: vec![LuckSums::default(); GROUPS],
            blocks: Moments::EMPTY,
        }
    }
}

impl LuckTally {
    /// Adds other blocks.
    pub fn merge(&mut self, other: &LuckTally) {
        for (mine, theirs) in self.groups.iter_mut().zip(&other.groups) {
            mine.merge(theirs);
        }
        self.blocks.merge(&other.blocks);
    }

    /// How many standard errors the mean luck of a block is from 0; beyond 4 the dice or U are wrong.
    pub fn off(&self) -> Option<f64> {
        let error = self.blocks.standard_error().filter(|&error| error > 0.0)?;
        Some(self.blocks.mean()? / error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W = 1, 0, 1, 0 with L = 0.5, −0.5, 0.5, −0.5: with β = 1 a quarter of the variance is left, 0.0625 of 0.25 is
    /// what L does not explain; best is β = 1 at the end of its range.
    #[test]
    fn variances_by_hand() {
        let mut sums = LuckSums::default();
        for won in [true, false, true, false] {
            sums.push(won, if won { 250_000 } else { -250_000 });
        }
        let (wins, both, luck) = sums.variances().unwrap();
        assert!(
            (wins - 0.25).abs() < 1e-12 && (both - 0.125).abs() < 1e-12,
            "{both}"
        );
        assert!((luck - 0.0625).abs() < 1e-12, "{luck}");
        assert!((sums.share(1_000).unwrap() - 0.75).abs() < 1e-12);
        assert_eq!(
            freeze(&[sums]),
            Frozen {
                temperature: 20,
                beta: 1_000
            }
        );
    }

    #[test]
    fn luck_that_says_nothing_is_left_out() {
        let mut sums = LuckSums::default();
        for (won, luck) in [(true, 1), (true, -1), (false, 1), (false, -1)] {
            sums.push(won, luck);
        }
        assert_eq!(freeze(&[sums]).beta, 0);
    }
}
