//! A game to learn from.

use std::sync::Arc;

use crate::bots::learned::{Evaluator, Learned, Scratch};
use crate::bots::seated::Seated;
use crate::bots::{Bot, BotError, Policy};
use crate::engine::game::{Effect, Turn};
use crate::engine::play::{Observer, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::{BlockKey, Purpose};
use crate::engine::seat::{PerSeat, Seat, SeatSet};

use super::{Settings, Views};

/// Rolls after which a game is broken off. Where passing is allowed, a net that has learned
/// nothing may pass for ever: such a game is played again with the furthest token at its seats, so
/// that there is an end to learn from.
const CAP: u32 = 4000;

/// The numbers of who plays, the net or its teacher, of the bot that plays again, and of the enemies.
const NET: usize = 0;
const FURTHEST: usize = 1;
const ENEMIES: usize = 2;

/// What the net saw of a game and said of it.
#[derive(Debug)]
pub(super) struct Record {
    /// For each position that is learned from, and the last one, the chance of each learning seat
    /// whose view counts.
    pub(super) chances: Vec<Vec<Option<f32>>>,
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
    views: Views,
    every: u64,
}

impl<G: Race> Player<G> {
    /// The net or its teacher, and the bot at the seats it does not play.
    ///
    /// # Errors
    /// When that bot does not play the game, or a file that it reads has changed.
    pub(super) fn new(net: Arc<Evaluator<G>>, settings: &Settings) -> Result<Player<G>, BotError> {
        let enemies = settings.enemies.as_ref();
        let policy: Box<dyn Policy<G>> = match &settings.teacher {
            Some(teacher) => teacher.policy()?,
            None => Box::new(Learned::by(Arc::clone(&net))),
        };
        let furthest = Bot::find("run-home").and_then(|bot| bot.policy::<G>());
        let mut policies = vec![policy, furthest.expect("run-home plays every game")];
        policies.extend(enemies.map(Bot::policy::<G>).transpose()?);
        let at = PerSeat::from_fn(|_| NET);
        Ok(Player {
            net,
            seated: Seated::new(policies, at, BlockKey::new(0, 0)),
            scratch: Scratch::default(),
            moves: G::Moves::default(),
            views: settings.views,
            every: settings.every,
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
            every: self.every,
            moves: PerSeat::default(),
        };
        let Player { seated, moves, .. } = self;
        for policy in [NET, FURTHEST] {
            watcher.positions.clear();
            watcher.positions.push((start, None));
            watcher.rolls = 1;
            // Each game begins to count elsewhere, so that no position is left out always.
            let offset = block.stream(Purpose::Bot, first).below(self.every);
            watcher.moves = PerSeat::from_fn(|_| offset);
            let is_enemy = |seat| game.seats().contains(seat) && !learners.contains(seat);
            let at = |seat| if is_enemy(seat) { ENEMIES } else { policy };
            seated.sit(PerSeat::from_fn(at), block);
            let mut dice = SeededDice::new(block);
            let played = play(game, start, &mut dice, seated, &mut watcher, moves, CAP);
            if !played.capped {
                break;
            }
        }
        let inputs = self.net.inputs();
        let mut record = Record {
            chances: Vec::with_capacity(watcher.positions.len()),
            rolls: watcher.rolls,
            inputs: vec![0.0; watcher.positions.len() * seats.len() * inputs.count],
            seats: seats.len(),
            count: inputs.count,
        };
        let mut blocks = record.inputs.chunks_mut(inputs.count);
        for (state, mover) in &watcher.positions {
            self.scratch.forget();
            let is_over = game.turn(state) == Turn::Over;
            let mut chances = Vec::with_capacity(seats.len());
            for &seat in &seats {
                let block = blocks.next();
                let is_mover = mover.is_none_or(|mover| mover == seat);
                if !(is_over || is_mover || self.views == Views::All) {
                    chances.push(None);
                    continue;
                }
                if let (false, Some(block)) = (is_over, block) {
                    game.inputs(inputs.version, state, seat, block);
                }
                let chance = self.net.chance(game, state, seat, &mut self.scratch);
                chances.push(Some(chance as f32));
            }
            record.chances.push(chances);
        }
        record
    }
}

/// Keeps the positions that await a roll after a move of a learner, and the finished one, with who
/// moved.
struct Watcher<S> {
    learners: SeatSet,
    positions: Vec<(S, Option<Seat>)>,
    rolls: u64,
    /// One in so many positions of a seat is kept.
    every: u64,
    /// Positions that the moves of each seat have led to, from some number on.
    moves: PerSeat<u64>,
}

impl<G: Race> Observer<G> for Watcher<G::State> {
    fn moved(&mut self, game: &G, state: &G::State, seat: Seat, effect: &Effect) {
        let is_over = effect.next == Turn::Over;
        let awaits_roll = !is_over && game.awaits_roll(state);
        self.rolls += u64::from(awaits_roll);
        let is_learners = awaits_roll && self.learners.contains(seat);
        self.moves[seat] += u64::from(is_learners);
        if is_over || (is_learners && self.moves[seat].is_multiple_of(self.every)) {
            self.positions.push((*state, Some(seat)));
        }
    }
}
