//! Training of learned evaluators by play: temporal differences, from random weights, without any
//! expert.
//!
//! One net plays all seats, each roll for the best chance it sees. When a game is over, its
//! positions that awaited a roll are gone through from the last to the first, and for every seat
//! in play the chance of each is moved towards its *return*: the chance of the position after it,
//! mixed with that position's own return (Sutton's TD(λ) in its forward view; Tesauro, "Temporal
//! Difference Learning and TD-Gammon", 1995):
//!
//! ```text
//! return(t, seat) = (1 - λ) · chance(t + 1, seat) + λ · return(t + 1, seat)
//! ```
//!
//! With *enemies* in the settings the net plays one seat, or one team, and that bot the others.
//! Then the net learns from the positions that its own moves lead to, for its own seats alone:
//! it comes to the best answer to that bot, as far as it can see.
//!
//! With a *teacher* in the settings that bot plays all seats, and the net learns what positions are
//! worth among such bots: the first step of policy iteration, from where self-play can go on.
//!
//! The games go round the tables of the settings, round the seat that starts, and with enemies
//! round the seat of the net. Games of a batch are played with the same weights, so several threads
//! may play them; then the net learns from them one after another. The bytes of the result depend
//! on the [`Settings`] alone.

mod checkpoint;
mod duel;
mod game;

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bots::learned::{Evaluator, Scratch};
use crate::bots::{Bot, BotError};
use crate::engine::race::{Inputs, Race};
use crate::engine::random::{BlockKey, Purpose};
use crate::engine::seat::{Seat, SeatSet};

use super::table::{TableError, TableSpec};
use game::{Player, Record};

pub use checkpoint::Row;
pub use duel::{Duel, duel};

/// Games played with the same weights.
const BATCH: u64 = 16;
/// The block of the random weights: games count from 0, and there are fewer.
const WEIGHTS: u64 = u64::MAX;

/// What a training run is made of: all that its result depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game and its rules; its seats mean nothing.
    pub table: TableSpec,
    /// The seats of the tables that are played at, in turn.
    pub seats: Vec<SeatSet>,
    /// The seed of weights and dice.
    pub seed: u64,
    /// Games to play.
    pub games: u64,
    /// The version of what the net sees, [`Inputs::version`](crate::engine::race::Inputs).
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub inputs: u32,
    /// Hidden units, a multiple of 8.
    pub hidden: usize,
    /// λ, 0 to 1: how much of a return comes from beyond the next position.
    pub lambda: f64,
    /// The step size of the first game; it falls exponentially to that of the last.
    pub first_step: f64,
    /// The step size of the last game.
    pub last_step: f64,
    /// The bot at the other seats; none: the net plays all seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enemies: Option<Bot>,
    /// The bot at all seats; none: the net plays. Not with enemies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Bot>,
    /// Whose chances of a position are learned.
    #[serde(default, skip_serializing_if = "Views::is_default")]
    pub views: Views,
    /// Of the positions that a seat's moves lead to, one in so many is learned from, at least 1.
    #[serde(default = "each", skip_serializing_if = "is_each")]
    pub every: u64,
}

const fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_first(inputs: &u32) -> bool {
    *inputs == 1
}

const fn each() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_each(every: &u64) -> bool {
    *every == 1
}

/// Whose chances of a position are learned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Views {
    /// That of every seat the net plays
    #[default]
    All,
    /// That of the seat whose move led there, which is all that a choice asks for
    Mover,
}

impl Views {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    fn is_default(&self) -> bool {
        *self == Views::All
    }
}

/// Why there is nothing to train.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Rules or seats that do not fit.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A game without inputs.
    #[error("{0} has nothing for a learned evaluator to see")]
    NoInputs(&'static str),
    /// A version of the inputs that the game does not have.
    #[error("inputs: no version {asked} of {game}; known: {known}")]
    NoVersion {
        /// The game.
        game: &'static str,
        /// The version asked for.
        asked: u32,
        /// Those there are.
        known: String,
    },
    /// Enemies or a teacher that do not play the game.
    #[error(transparent)]
    Bot(#[from] BotError),
}

/// The inputs of a game of this version.
fn inputs<G: Race>(version: u32) -> Result<Inputs, TrainError> {
    if G::INPUTS.is_empty() {
        return Err(TrainError::NoInputs(G::NAME));
    }
    let found = G::INPUTS.iter().find(|inputs| inputs.version == version);
    found.copied().ok_or_else(|| {
        let known: Vec<String> = G::INPUTS.iter().map(|i| i.version.to_string()).collect();
        TrainError::NoVersion {
            game: G::NAME,
            asked: version,
            known: known.join(", "),
        }
    })
}

/// A net in training.
#[derive(Clone, Debug)]
pub struct Trainer<G: Race> {
    settings: Settings,
    tables: Vec<G>,
    net: Evaluator<G>,
    games: u64,
    since: Since,
}

/// What happened since the last row of the log.
#[derive(Clone, Copy, Default, Debug)]
struct Since {
    squares: f64,
    positions: u64,
    rolls: u64,
    games: u64,
}

impl<G: Race> Trainer<G> {
    /// A net with random weights, or the one given, whose inputs and hidden units then count.
    ///
    /// # Errors
    /// When the game cannot be learned, or nobody can sit down at a table.
    pub fn new(mut settings: Settings, from: Option<Evaluator<G>>) -> Result<Self, TrainError> {
        let net = if let Some(net) = from {
            settings.hidden = net.hidden();
            settings.inputs = net.inputs().version;
            net
        } else {
            let random = BlockKey::new(settings.seed, WEIGHTS).stream(Purpose::Bot, Seat::A);
            Evaluator::random(inputs::<G>(settings.inputs)?, settings.hidden, random)
        };
        Trainer::resumed(settings, net, 0)
    }

    /// A net that has been trained for some games already.
    fn resumed(settings: Settings, net: Evaluator<G>, games: u64) -> Result<Self, TrainError> {
        let table = |&seats: &SeatSet| {
            let seats = Some(seats);
            let table = settings.table.clone();
            TableSpec { seats, ..table }.game()
        };
        let tables = settings.seats.iter().map(table).collect::<Result<_, _>>()?;
        for bot in [&settings.enemies, &settings.teacher].into_iter().flatten() {
            bot.policy::<G>()?;
        }
        Ok(Trainer {
            settings,
            tables,
            net,
            games,
            since: Since::default(),
        })
    }

    /// The net as it would be shipped: with its weights rounded.
    pub fn finished(&self) -> Evaluator<G> {
        self.net.rounded()
    }

    /// The tables that are played at.
    pub fn tables(&self) -> &[G] {
        &self.tables
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

    fn play_and_learn(&mut self) -> Result<(), String> {
        let end = (self.games + BATCH).min(self.settings.games);
        let net = Arc::new(self.net.clone());
        let (tables, seed) = (&self.tables, self.settings.seed);
        let enemies = self.settings.enemies.as_ref();
        let settings = &self.settings;
        let count = tables.len() as u64;
        let records: Result<Vec<Record>, String> = (self.games..end)
            .into_par_iter()
            .map_init(
                || Player::new(Arc::clone(&net), settings),
                |player, game| {
                    let player = player.as_mut().map_err(|error| error.to_string())?;
                    let table = &tables[(game % count) as usize];
                    let seats: Vec<Seat> = table.seats().iter().collect();
                    let at = |round: u64| seats[(round % seats.len() as u64) as usize];
                    let round = game / count;
                    let learners = match enemies {
                        Some(_) => table.side(at(round / seats.len() as u64)),
                        None => table.seats(),
                    };
                    Ok(player.play(table, learners, at(round), BlockKey::new(seed, game)))
                },
            )
            .collect();
        let mut scratch = Scratch::default();
        for record in &records? {
            self.learn(record, &mut scratch);
            self.games += 1;
        }
        Ok(())
    }

    /// Moves the chances of all positions of a game towards their returns, the last first.
    fn learn(&mut self, record: &Record, scratch: &mut Scratch) {
        let step = self.step() as f32;
        let lambda = self.settings.lambda as f32;
        let Some((last, before)) = record.chances.split_last() else {
            return;
        };
        self.since.games += 1;
        self.since.rolls += record.rolls;
        let result = |seat: usize| last[seat].unwrap_or_default();
        let mut returns: Vec<f32> = (0..last.len()).map(result).collect();
        let mut after = returns.clone();
        for (position, chances) in before.iter().enumerate().rev() {
            let seen = chances.iter().enumerate();
            for (seat, chance) in seen.filter_map(|(seat, chance)| Some((seat, (*chance)?))) {
                returns[seat] = (1.0 - lambda) * after[seat] + lambda * returns[seat];
                let inputs = record.inputs(position, seat);
                self.net.learn(inputs, returns[seat], step, scratch);
                let error = f64::from(chance - result(seat));
                self.since.squares += error * error;
                self.since.positions += 1;
                after[seat] = chance;
            }
        }
    }
}
