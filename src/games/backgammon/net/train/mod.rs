//! Training by self-play: temporal differences, from random weights, without any expert.
//!
//! The nets play both sides, each roll by the play whose outcome they value most. When a game is
//! over, its positions are gone through from the last to the first, and the chances of each are
//! moved towards its *return*: the chances of the position after it, seen by the other side,
//! mixed with that position's own return (Sutton's TD(λ) in its forward view; Tesauro, "Temporal
//! Difference Learning and TD-Gammon", 1995):
//!
//! ```text
//! return(t) = swapped((1 - λ) · chances(t + 1) + λ · return(t + 1))
//! ```
//!
//! Games of a batch are played with the same weights, so they may be played by several threads;
//! then the nets learn from them one after another. The bytes of the result depend on the
//! [`Settings`] alone.

mod checkpoint;
mod duel;
mod game;
mod reference;

use std::sync::{Arc, LazyLock};

use rayon::prelude::*;

use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::Seat;
use crate::games::backgammon::bearoff::{self, Index, OneSided};

use super::{Evaluator, Layers, OUTPUTS, Scratch, Search, inputs, open_outcomes};
use game::{Game, Position, play};

pub use checkpoint::Row;
pub use duel::{Duel, duel};
pub use reference::{Decision, Loss, Reference, ReferenceError};

/// Games played with the same weights.
const BATCH: u64 = 16;
/// The block of the random weights: games count from 0, and there are fewer.
const WEIGHTS: u64 = u64::MAX;

/// What a training run is made of: all that its result depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The seed of weights and dice.
    pub seed: u64,
    /// Games to play.
    pub games: u64,
    /// Hidden units of the contact net, a multiple of 8.
    pub hidden: usize,
    /// Hidden units of the race net, a multiple of 8.
    pub race_hidden: usize,
    /// λ, 0 to 1: how much of a return comes from beyond the next position.
    pub lambda: f64,
    /// The step size of the first game; it falls exponentially to that of the last.
    pub first_step: f64,
    /// The step size of the last game.
    pub last_step: f64,
}

/// Nets in training.
#[derive(Clone, Debug)]
pub struct Trainer {
    settings: Settings,
    nets: Evaluator,
    games: u64,
    reference: Option<Arc<Reference>>,
}

impl Trainer {
    /// Nets with random weights.
    pub fn new(settings: Settings) -> Trainer {
        let stream = |seat| BlockKey::new(settings.seed, WEIGHTS).stream(Purpose::Bot, seat);
        let nets = Evaluator {
            contact: random_layers(inputs::CONTACT, settings.hidden, stream(Seat::A)),
            race: random_layers(inputs::RACE, settings.race_hidden, stream(Seat::new(1))),
            bearoff: None,
        };
        Trainer::resumed(settings, nets, 0)
    }

    /// Nets that have been trained elsewhere; the hidden units are theirs, not those of the
    /// settings.
    pub fn from_nets(settings: Settings, nets: Evaluator) -> Trainer {
        let settings = Settings {
            hidden: nets.contact.hidden(),
            race_hidden: nets.race.hidden(),
            ..settings
        };
        Trainer::resumed(settings, nets, 0)
    }

    /// Nets that have been trained for some games already.
    fn resumed(settings: Settings, nets: Evaluator, games: u64) -> Trainer {
        static BEAROFF: LazyLock<Arc<OneSided>> = LazyLock::new(|| {
            Arc::new(bearoff::build(Index::HOME).expect("the home board is small enough"))
        });
        Trainer {
            settings,
            nets: nets.with_bearoff(Arc::clone(&BEAROFF)),
            games,
            reference: None,
        }
    }

    /// The trainer whose log says how well the nets play the decisions of a reference.
    #[must_use]
    pub fn measured_by(self, reference: Option<Reference>) -> Trainer {
        let reference = reference.map(Arc::new);
        Trainer { reference, ..self }
    }

    /// The nets as they would be shipped: with their weights rounded, without a table.
    pub fn finished(&self) -> Evaluator {
        Evaluator {
            contact: self.nets.contact.rounded(),
            race: self.nets.race.rounded(),
            bearoff: None,
        }
    }

    /// The step size at a game.
    pub fn step(&self) -> f64 {
        let Settings {
            first_step,
            last_step,
            games,
            ..
        } = self.settings;
        let share = self.games as f64 / games as f64;
        first_step * libm::pow(last_step / first_step, share)
    }

    /// Plays a batch of games, or what is left to play, and learns from them.
    fn play_and_learn(&mut self) {
        let seed = self.settings.seed;
        let end = (self.games + BATCH).min(self.settings.games);
        let nets = &self.nets;
        let games: Vec<Game> = (self.games..end)
            .into_par_iter()
            .map_init(Search::default, |search, game| {
                play(search, nets, BlockKey::new(seed, game).dice(Seat::A))
            })
            .collect();
        let mut scratch = Scratch::default();
        for game in &games {
            self.learn(game, &mut scratch);
            self.games += 1;
        }
    }

    /// Moves the chances of all positions of a game towards their returns, the last first.
    fn learn(&mut self, game: &Game, scratch: &mut Scratch) {
        let step = self.step() as f32;
        let lambda = self.settings.lambda as f32;
        let mut positions = game.positions.iter().rev();
        let Some(last) = positions.next() else { return };
        let (mut after, mut result) = (last.chances, last.chances);
        for position in positions {
            let mixed = std::array::from_fn(|at| (1.0 - lambda) * after[at] + lambda * result[at]);
            result = swapped(mixed);
            self.learn_position(position, &result, step, scratch);
            after = position.chances;
        }
    }

    fn learn_position(
        &mut self,
        position: &Position,
        result: &[f32; OUTPUTS],
        step: f32,
        scratch: &mut Scratch,
    ) {
        let board = &position.board;
        let open = open_outcomes(board);
        let targets = std::array::from_fn(|at| open[at].then_some(result[at]));
        if board.is_contact() {
            let mut values = [0.0; inputs::CONTACT];
            inputs::contact(board, &mut values);
            let net = &mut self.nets.contact;
            net.train(&values, &targets, step, &mut scratch.contact);
        } else {
            let mut values = [0.0; inputs::RACE];
            inputs::race(board, &mut values);
            let net = &mut self.nets.race;
            net.train(&values, &targets, step, &mut scratch.race);
        }
    }
}

/// The outputs as the other side sees them.
fn swapped([win, win_g, win_bg, lose_g, lose_bg]: [f32; OUTPUTS]) -> [f32; OUTPUTS] {
    [1.0 - win, lose_g, lose_bg, win_g, win_bg]
}

/// A net with small random weights, and outcomes other than a plain win or loss unlikely.
fn random_layers(inputs: usize, hidden: usize, mut random: Stream) -> Layers {
    let weights: Vec<f32> = (0..Layers::weights(inputs, hidden))
        .map(|_| (0.2 * random.unit() - 0.1) as f32)
        .collect();
    Layers::from_weights(inputs, hidden, &weights)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    use crate::engine::net::{Run, RunError, Trainee};
    use std::fs;
    use std::path::Path;

    const SETTINGS: Settings = Settings {
        seed: 7,
        games: 80,
        hidden: 8,
        race_hidden: 8,
        lambda: 0.25,
        first_step: 0.1,
        last_step: 0.05,
    };

    fn files(folder: &Path) -> [Vec<u8>; 3] {
        ["checkpoint.bin", "log.csv", "nets.net"]
            .map(|name| fs::read(folder.join(name)).expect("a file of the run"))
    }

    fn resume(folder: &Path, settings: &Settings) -> Result<Run<Trainer>, RunError> {
        Run::resume(folder, &settings.named(), |trainer| trainer)
    }

    /// A run straight through on two threads, and one of one thread that is killed after a
    /// checkpoint, having logged one more.
    #[test]
    fn a_resumed_run_gives_the_bytes_of_a_straight_one() {
        let pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("threads")
        };
        let straight = tempfile::tempdir().expect("a folder");
        pool(2).install(|| {
            let mut run =
                Run::begin(straight.path(), Trainer::new(SETTINGS), false).expect("a run");
            for games in [32, 64, 80] {
                run.train_to(games, &NEVER).expect("a checkpoint");
            }
        });

        let broken = tempfile::tempdir().expect("a folder");
        let folder = broken.path();
        pool(1).install(|| {
            let mut run = Run::begin(folder, Trainer::new(SETTINGS), false).expect("a run");
            run.train_to(32, &NEVER).expect("a checkpoint");
            let kept = fs::read(folder.join("checkpoint.bin")).expect("a checkpoint");
            run.train_to(64, &NEVER).expect("a checkpoint");
            fs::write(folder.join("checkpoint.bin"), kept).expect("the older checkpoint");
            let mut run = resume(folder, &SETTINGS).expect("a run");
            assert_eq!(run.trainer().games(), 32);
            for games in [64, 80] {
                run.train_to(games, &NEVER).expect("a checkpoint");
            }
        });
        assert_eq!(files(straight.path()), files(folder));
    }

    #[test]
    fn a_run_is_neither_overwritten_nor_resumed_with_other_settings() {
        let folder = tempfile::tempdir().expect("a folder");
        let shown = folder.path().display().to_string();
        let reason = |error: RunError| error.to_string().replace(&shown, "DIR");
        let resume = |settings: &Settings| resume(folder.path(), settings);
        let none = reason(resume(&SETTINGS).expect_err("no run"));
        insta::assert_snapshot!(none, @"DIR: holds no checkpoint.bin to resume from; leave out --resume to start a run");

        Run::begin(folder.path(), Trainer::new(SETTINGS), false).expect("a run");
        let again = Run::begin(folder.path(), Trainer::new(SETTINGS), false);
        let again = again.expect_err("a run is there");
        insta::assert_snapshot!(reason(again), @"DIR: holds a training run; --resume goes on with it, --force starts over");
        let other = Settings {
            lambda: 0.5,
            ..SETTINGS
        };
        insta::assert_snapshot!(reason(resume(&other).expect_err("another λ")), @"DIR: the run has lambda 0.25, not 0.5; resume it with its own settings");
        let path = folder.path().join("checkpoint.bin");
        let mut bytes = fs::read(&path).expect("a checkpoint");
        bytes[70] ^= 1;
        fs::write(&path, bytes).expect("a damaged checkpoint");
        insta::assert_snapshot!(reason(resume(&SETTINGS).expect_err("damaged")), @"DIR/checkpoint.bin: its checksum is not that of its content; it is damaged or cut off");
    }

    #[test]
    fn three_hundred_games_teach_something() {
        let settings = Settings {
            games: 304,
            ..SETTINGS
        };
        let beginner = Trainer::new(settings).finished();
        let mut trainer = Trainer::new(settings);
        while trainer.games() < 304 {
            trainer.batch().expect("no opponent can fail");
        }
        let found = duel(&trainer.finished(), &beginner, 1, 100);
        let mean = found.points_per_game().expect("a hundred pairs").value();
        assert!(mean > 1.0, "{mean} points per game against random weights");
    }

    #[test]
    fn training_can_begin_with_other_nets() {
        let nets = Trainer::new(SETTINGS).finished();
        let settings = Settings {
            hidden: 16,
            ..SETTINGS
        };
        let trainer = Trainer::from_nets(settings, nets.clone());
        assert_eq!(trainer.settings, SETTINGS);
        assert_eq!(trainer.finished().to_bytes(), nets.to_bytes());
    }

    #[test]
    fn nobody_beats_itself() {
        let nets = Evaluator::shipped();
        let found = duel(&nets, &nets, 3, 10);
        assert_eq!((found.points.sum(), found.points.n()), (0, 10));
    }

    #[test]
    fn the_step_falls_from_the_first_to_the_last() {
        let mut trainer = Trainer::new(SETTINGS);
        assert_eq!(trainer.step().to_bits(), 0.1f64.to_bits());
        trainer.games = 80;
        assert!((trainer.step() - 0.05).abs() < 1e-12);
    }
}
