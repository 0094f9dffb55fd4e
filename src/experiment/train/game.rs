//! A game of self-play.

use std::sync::Arc;

use crate::bots::Bot;
use crate::bots::learned::{Evaluator, Learned, Scratch};
use crate::bots::seated::Seated;
use crate::engine::game::{Effect, Turn};
use crate::engine::play::{Observer, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::{PerSeat, Seat};

/// Rolls after which a game of self-play is broken off. Where passing is allowed, a net that has
/// learned nothing may pass for ever: such a game is played again by the furthest token, so that
/// there is an end to learn from.
const CAP: u32 = 4000;

/// The numbers of the net and of the bot that plays again.
const NET: usize = 0;
const FURTHEST: usize = 1;

/// What the net saw of a game and said of it.
#[derive(Debug)]
pub(super) struct Record {
    /// For each position that awaited a roll, and the last one, the chance of each seat in play.
    pub(super) chances: Vec<Vec<f32>>,
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

/// Plays games of a net against itself.
pub(super) struct Player<G: Race> {
    net: Arc<Evaluator<G>>,
    seated: Seated<G>,
    scratch: Scratch,
    moves: G::Moves,
}

impl<G: Race> Player<G> {
    pub(super) fn new(net: Arc<Evaluator<G>>) -> Player<G> {
        let policy = Box::new(Learned::by(Arc::clone(&net)));
        let furthest = Bot::find("run-home").and_then(|bot| bot.policy::<G>());
        let furthest = furthest.expect("run-home plays every game");
        let at = PerSeat::from_fn(|_| NET);
        Player {
            net,
            seated: Seated::new(vec![policy, furthest], at, BlockKey::new(0, 0)),
            scratch: Scratch::default(),
            moves: G::Moves::default(),
        }
    }

    /// The game with the dice of a block, from the start on, or as far as the cap.
    pub(super) fn play(&mut self, game: &G, first: Seat, block: BlockKey) -> Record {
        let seats: Vec<Seat> = game.seats().iter().collect();
        let start = game.start(first);
        let mut watcher = Watcher {
            positions: Vec::new(),
        };
        let Player { seated, moves, .. } = self;
        for policy in [NET, FURTHEST] {
            watcher.positions.clear();
            watcher.positions.push(start);
            seated.sit(PerSeat::from_fn(|_| policy), block);
            let mut dice = SeededDice::new(block);
            let played = play(game, start, &mut dice, seated, &mut watcher, moves, CAP);
            if !played.capped {
                break;
            }
        }
        let count = G::INPUTS.map_or(0, |inputs| inputs.count);
        let mut record = Record {
            chances: Vec::with_capacity(watcher.positions.len()),
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

/// Keeps the positions that await a roll, and the finished one.
struct Watcher<S> {
    positions: Vec<S>,
}

impl<G: Race> Observer<G> for Watcher<G::State> {
    fn moved(&mut self, game: &G, state: &G::State, _seat: Seat, effect: &Effect) {
        if effect.next == Turn::Over || game.awaits_roll(state) {
            self.positions.push(*state);
        }
    }
}
