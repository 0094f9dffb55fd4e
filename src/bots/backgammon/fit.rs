//! Fitting to self-play: the weights of `pubstyle`, and what the balances of any judge mean.
//!
//! Nothing but games of our own bots goes in. The same options give the same bits on every machine
//! and for any number of threads: games are played in batches with fixed weights, and what they
//! teach is added in their order.

use rayon::prelude::*;

use crate::bots::Bot;
use crate::bots::float::logistic;
use crate::bots::params::Reader;
use crate::engine::random::{BlockKey, DiceStream};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::{Board, CHECKERS};
use crate::games::backgammon::moves::Plays;
use crate::games::backgammon::sight::Sight;

use super::linear::{FEATURES, GROUPS, SCALARS, Weights};
use super::pubstyle::Linear;
use super::{Judge, KINDS};

pub use super::odds::Odds;

/// How to fit the weights of `pubstyle`.
#[derive(Clone, PartialEq, Debug)]
pub struct Training {
    /// Games in all.
    pub games: u64,
    /// Games played with the same weights.
    pub batch: u64,
    /// About what a weight changes by after each of the first batches; in the end a tenth of it.
    pub rate: f64,
    /// How far a result reaches back: λ of TD(λ), 0 to 1.
    pub lambda: f64,
    /// The dice.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Training {
        Training {
            games: 120_000,
            batch: 32,
            rate: 0.01,
            lambda: 0.7,
            seed: 1,
        }
    }
}

/// A game of a judge against itself, without a cube.
struct Game {
    /// The boards after each play, as the side sees them that has played.
    boards: Vec<Board>,
    /// What the last of them has won: 1, 2 or 3.
    points: u8,
}

fn self_play(judge: &dyn Judge, key: BlockKey, plays: &mut Plays) -> Game {
    let mut dice = key.dice(Seat::A);
    let mut board = Board::START;
    let mut boards = Vec::with_capacity(80);
    let mut roll = opening(&mut dice);
    loop {
        plays.generate(&board, roll);
        let chosen = if plays.len() > 1 {
            judge.best(&board, plays, true)
        } else {
            0
        };
        let played = plays[chosen];
        boards.push(played);
        if played.mover.off() == CHECKERS {
            let points = match (played.other.off(), played.other.rear()) {
                (1.., _) => 1,
                (0, ..=18) => 2,
                _ => 3,
            };
            return Game { boards, points };
        }
        board = played.swapped();
        roll = (dice.die(), dice.die());
    }
}

/// The first roll: two different dice.
fn opening(dice: &mut DiceStream) -> (u8, u8) {
    loop {
        let roll = (dice.die(), dice.die());
        if roll.0 != roll.1 {
            return roll;
        }
    }
}

/// What games teach: for each phase a gradient over the weights.
type Steps = [Vec<f64>; 2];

/// Fits the weights of `pubstyle` by TD(λ) on its games against itself, from weights of 0 but for
/// the lead in pips; the `[params]` of a bot file.
///
/// The value of a board through the logistic function is the expected result of the side that has
/// just played: 0 a gammon lost, 1/4 a game lost, 3/4 a game won, 1 a gammon won. Its target is
/// one less that of the next board, λ of the way to the final result (Sutton 1988); the gradient is
/// that of the cross-entropy, (target - result) · feature, and the steps are Adam's (Kingma & Ba
/// 2014).
pub fn pubstyle(training: &Training, mut progress: impl FnMut(u64)) -> toml::Table {
    let zero = || {
        let table = toml::Table::new();
        Weights::read(&mut Reader::new(&table)).expect("defaults are in range")
    };
    let mut linear = Linear {
        contact: zero(),
        race: zero(),
    };
    let mut steppers = [Stepper::new(), Stepper::new()];
    let mut played = 0;
    while played < training.games {
        let batch = training.batch.min(training.games - played);
        let keys = played..played + batch;
        let keys = keys
            .into_par_iter()
            .map(|block| BlockKey::new(training.seed, block));
        let lessons: Vec<Steps> = keys
            .map_init(Plays::default, |plays, key| {
                let game = self_play(&linear, key, plays);
                lesson(&linear, &game, training.lambda)
            })
            .collect();
        let done = played as f64 / training.games as f64;
        let rate = training.rate * (1.0 - 0.9 * done);
        let [contact, race] = &mut steppers;
        linear.contact = contact.learnt(&linear.contact, &lessons, 0, rate);
        linear.race = race.learnt(&linear.race, &lessons, 1, rate);
        played += batch;
        progress(played);
    }
    to_params(&linear)
}

/// The running means of a gradient and of its square, for each weight.
struct Stepper {
    means: Vec<[f64; 2]>,
}

impl Stepper {
    /// What a batch leaves of the mean of the gradient, and of its square.
    const KEPT: [f64; 2] = [0.9, 0.99];

    fn new() -> Stepper {
        Stepper {
            means: vec![[0.0; 2]; FEATURES],
        }
    }

    /// The weights of a phase after what a batch has taught.
    fn learnt(&mut self, weights: &Weights, lessons: &[Steps], phase: usize, rate: f64) -> Weights {
        let mut learnt = weights.as_slice().to_vec();
        for (index, (weight, means)) in learnt.iter_mut().zip(&mut self.means).enumerate() {
            let gradient: f64 = lessons.iter().map(|lesson| lesson[phase][index]).sum();
            let [mean, square] = means;
            *mean = Self::KEPT[0] * *mean + (1.0 - Self::KEPT[0]) * gradient;
            *square = Self::KEPT[1] * *square + (1.0 - Self::KEPT[1]) * gradient * gradient;
            *weight += rate * *mean / (square.sqrt() + 1e-3);
        }
        Weights::new(learnt)
    }
}

/// What one game teaches.
fn lesson(linear: &Linear, game: &Game, lambda: f64) -> Steps {
    let mut steps = [vec![0.0; FEATURES], vec![0.0; FEATURES]];
    let mut target = (2.0 + f64::from(game.points.min(2))) / 4.0;
    for board in game.boards.iter().rev() {
        let sight = Sight::of(board);
        let result = logistic(linear.value(&sight, board));
        let step = target - result;
        let phase = &mut steps[usize::from(!sight.is_contact())];
        Weights::features(&sight, board, |index, value| phase[index] += step * value);
        target = 1.0 - (lambda * target + (1.0 - lambda) * result);
    }
    steps
}

/// The weights as the tables of a bot file, to four places.
fn to_params(linear: &Linear) -> toml::Table {
    let rounded = |weight: f64| toml::Value::Float((weight * 1e4).round() / 1e4);
    let table = |weights: &Weights| {
        let (lists, numbers) = weights.as_slice().split_at(FEATURES - SCALARS.len());
        let mut table = toml::Table::new();
        for (name, list) in GROUPS.iter().zip(lists.chunks(lists.len() / GROUPS.len())) {
            let list = list.iter().map(|&weight| rounded(weight)).collect();
            table.insert((*name).to_owned(), toml::Value::Array(list));
        }
        for (number, &weight) in SCALARS.iter().zip(numbers) {
            table.insert(number.name.to_owned(), rounded(weight));
        }
        toml::Value::Table(table)
    };
    let mut params = toml::Table::new();
    params.insert("contact".to_owned(), table(&linear.contact));
    params.insert("race".to_owned(), table(&linear.race));
    params
}

/// What the balances of a bot mean: the [`Odds`] most likely to give the results of this many games
/// against itself. Every board with contact counts once, with what became of it.
///
/// # Errors
/// When the bot is none of this folder's, or refuses its parameters.
pub fn odds(bot: &Bot, games: u64, seed: u64) -> Result<Odds, String> {
    let kind = KINDS.iter().find(|kind| kind.name == bot.policy);
    let kind = kind.ok_or_else(|| {
        let known = KINDS.map(|kind| kind.name).join(", ");
        format!(
            "bot '{}': its values are not known; expected a policy of {known}",
            bot.name
        )
    })?;
    let judge = (kind.read)(&mut Reader::new(&bot.params))?;
    let (wins, gammons): (Vec<_>, Vec<_>) = (0..games)
        .into_par_iter()
        .map_init(Plays::default, |plays, block| {
            let game = self_play(&*judge, BlockKey::new(seed, block), plays);
            samples(&*judge, &game)
        })
        .collect();
    let [bias, slope] = logistic_regression(&wins.concat());
    let [gammon_bias, gammon_slope] = logistic_regression(&gammons.concat());
    Ok(Odds {
        bias,
        slope,
        gammon_bias,
        gammon_slope,
    })
}

/// A balance and what came true.
type Sample = (f64, bool);

/// The boards of a game with contact: was it won? And, for the winner and the loser alike, as long
/// as the loser has borne off nothing: was it a gammon?
fn samples(judge: &dyn Judge, game: &Game) -> (Vec<Sample>, Vec<Sample>) {
    let (mut wins, mut gammons) = (Vec::new(), Vec::new());
    for (ago, board) in game.boards.iter().rev().enumerate() {
        if !board.is_contact() {
            continue;
        }
        let balance = judge.balance(board);
        let wins_it = ago % 2 == 0;
        wins.push((balance, wins_it));
        let (winners_balance, loser) = if wins_it {
            (balance, board.other)
        } else {
            (-balance, board.mover)
        };
        if loser.off() == 0 {
            gammons.push((winners_balance, game.points > 1));
        }
    }
    (wins, gammons)
}

/// The intercept and slope of the most likely logistic law, by Newton's method.
fn logistic_regression(samples: &[Sample]) -> [f64; 2] {
    let scale = samples.iter().map(|(x, _)| x.abs()).sum::<f64>() / samples.len().max(1) as f64;
    let scale = scale.max(1e-9);
    let [mut intercept, mut slope] = [0.0; 2];
    for _ in 0..12 {
        // The gradient and the Hessian, in units of the mean size of a value.
        let (mut gradient, mut hessian) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
        for &(value, came_true) in samples {
            let x = value / scale;
            let chance = logistic(intercept + slope * x);
            let miss = f64::from(u8::from(came_true)) - chance;
            gradient = [gradient[0] + miss, gradient[1] + miss * x];
            let spread = chance * (1.0 - chance);
            hessian = [
                hessian[0] + spread,
                hessian[1] + spread * x,
                hessian[2] + spread * x * x,
            ];
        }
        let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
        intercept += (hessian[2] * gradient[0] - hessian[1] * gradient[1]) / determinant;
        slope += (hessian[0] * gradient[1] - hessian[1] * gradient[0]) / determinant;
    }
    [intercept, slope / scale]
}
