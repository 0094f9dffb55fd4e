//! A game to learn from.

use std::sync::Arc;

use crate::bots::learned::{Evaluator, Learned, Scratch};
use crate::bots::seated::Seated;
use crate::bots::{Bot, BotError};
use crate::engine::game::{Effect, Turn};
use crate::engine::play::{Observer, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::{PerSeat, Seat, SeatSet};

/// Rolls after which a game is broken off. Where passing is allowed, a net that has learned
/// nothing may pass for ever: such a game is played again with the furthest token at its seats, so
/// that there is an end to learn from.
const CAP: u32 = 4000;

/// The numbers of the net, of the bot that plays again, and of the enemies.
const NET: usize = 0;
const FURTHEST: usize = 1;
const ENEMIES: usize = 2;

/// What the net saw of a game and said of it.
#[derive(Debug)]
pub(super) struct Record {
    /// For each position that is learned from, and the last one, the chance of each learning seat.
    pub(super) chances: Vec<Vec<f32>>,
    /// Positions of the game that awaited a roll.
    pub(super) rolls: u64,
    /// The inputs of each seat in each of these positions but the last.
    inputs: Vec<f32>,
    seats: usize,
    count: usize,
}

impl Record {
    /// The inputs of the position at an index, from the place of the seat at an index.
    pub(super) fn inputs(&self, position: usize, seat: usize) -> &[f32] {
        &self.inputs[(position * self.seats + seat) * self.count..][..self.count]
    }
}

/// Plays games of a net against itself, or against enemies.
pub(super) struct Player<G: Race> {
    net: Arc<Evaluator<G>>,
    seated: Seated<G>,
    scratch: Scratch,
    moves: G::Moves,
}

impl<G: Race> Player<G> {
    /// The net, and the bot at the seats it does not play.
    ///
    /// # Errors
    /// When that bot does not play the game, or a file that it reads has changed.
    pub(super) fn new(
        net: Arc<Evaluator<G>>,
        enemies: Option<&Bot>,
    ) -> Result<Player<G>, BotError> {
        let policy = Box::new(Learned::by(Arc::clone(&net)));
        let furthest = Bot::find("run-home").and_then(|bot| bot.policy::<G>());
        let mut policies = vec![policy, furthest.expect("run-home plays every game")];
        policies.extend(enemies.map(Bot::policy::<G>).transpose()?);
        let at = PerSeat::from_fn(|_| NET);
        Ok(Player {
            net,
            seated: Seated::new(policies, at, BlockKey::new(0, 0)),
            scratch: Scratch::default(),
            moves: G::Moves::default(),
        })
    }

    /// The game with the dice of a block, from the start on, or as far as the cap. The net sits at
    /// these seats, the enemies at the others.
    pub(super) fn play(
        &mut self,
        game: &G,
        learners: SeatSet,
        first: Seat,
        block: BlockKey,
    ) -> Record {
        let seats: Vec<Seat> = learners.iter().collect();
        let start = game.start(first);
        let mut watcher = Watcher {
            learners,
            positions: Vec::new(),
            rolls: 0,
        };
        let Player { seated, moves, .. } = self;
        for policy in [NET, FURTHEST] {
            watcher.positions.clear();
            watcher.positions.push(start);
            watcher.rolls = 1;
            let is_enemy = |seat| game.seats().contains(seat) && !learners.contains(seat);
            let at = |seat| if is_enemy(seat) { ENEMIES } else { policy };
            seated.sit(PerSeat::from_fn(at), block);
            let mut dice = SeededDice::new(block);
            let played = play(game, start, &mut dice, seated, &mut watcher, moves, CAP);
            if !played.capped {
                break;
            }
        }
        let count = G::INPUTS.map_or(0, |inputs| inputs.count);
        let mut record = Record {
            chances: Vec::with_capacity(watcher.positions.len()),
            rolls: watcher.rolls,
            inputs: vec![0.0; watcher.positions.len() * seats.len() * count],
            seats: seats.len(),
            count,
        };
        let mut blocks = record.inputs.chunks_mut(count.max(1));
        for state in &watcher.positions {
            self.scratch.forget();
            let mut chances = Vec::with_capacity(seats.len());
            for &seat in &seats {
                if let (true, Some(block)) = (game.turn(state) != Turn::Over, blocks.next()) {
                    game.inputs(state, seat, block);
                }
                let chance = self.net.chance(game, state, seat, &mut self.scratch);
                chances.push(chance as f32);
            }
            record.chances.push(chances);
        }
        record
    }
}

/// Keeps the positions that await a roll after a move of a learner, and the finished one.
struct Watcher<S> {
    learners: SeatSet,
    positions: Vec<S>,
    rolls: u64,
}

impl<G: Race> Observer<G> for Watcher<G::State> {
    fn moved(&mut self, game: &G, state: &G::State, seat: Seat, effect: &Effect) {
        let is_over = effect.next == Turn::Over;
        let awaits_roll = !is_over && game.awaits_roll(state);
        self.rolls += u64::from(awaits_roll);
        if is_over || (awaits_roll && self.learners.contains(seat)) {
            self.positions.push(*state);
        }
    }
}
