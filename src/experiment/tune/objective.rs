//! Plays candidates against the panel: all of them on the same dice.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bots::seated::Seated;
use crate::bots::{Bot, Policy};
use crate::engine::play::{Blind, Played, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::PerSeat;
use crate::experiment::record::RecordError;

use super::spec::Tuning;

/// The threads that play.
pub struct Crew<'a, G: Race> {
    tuning: &'a Tuning<G>,
    pool: ThreadPool,
}

/// What some bots scored in some blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// For each bot and block the score against each opponent, in steps; a block against one has as many as the square of
    /// the sides.
    pub bots: Vec<Vec<Vec<u32>>>,
    /// Games stopped at the cap.
    pub capped: u64,
}

impl<'a, G: Race> Crew<'a, G> {
    /// So many threads, at least 1.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn new(tuning: &'a Tuning<G>, threads: usize) -> Result<Crew<'a, G>, RecordError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RecordError::Io {
            path: "threads".to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Crew { tuning, pool })
    }

    /// Plays every bot on every block against every opponent, in all rotations.
    ///
    /// # Errors
    /// When a bot does not play the game or cannot choose any more.
    pub fn play(&self, bots: &[Bot], blocks: Range<u64>) -> Result<Scores, RecordError> {
        let count = bots.len() as u64;
        let jobs = (blocks.end - blocks.start) * count;
        let next = AtomicU64::new(0);
        let failed = AtomicBool::new(false);
        let results = self.pool.broadcast(|_| {
            let mut worker = Worker::new(self.tuning, bots)?;
            let mut done = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                // Block by block, so that all threads are at the end at once.
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= jobs {
                    break;
                }
                let bot = (job % count) as usize;
                let score = worker.block(bot, blocks.start + job / count);
                let score = score.inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                done.push((bot, job / count, score));
            }
            Ok((done, worker.capped))
        });
        let length = (blocks.end - blocks.start) as usize;
        let mut scores = Scores {
            bots: vec![vec![Vec::new(); length]; bots.len()],
            capped: 0,
        };
        for result in results {
            let (done, capped) = result?;
            scores.capped += capped;
            for (bot, block, score) in done {
                scores.bots[bot][block as usize] = score;
            }
        }
        Ok(scores)
    }
}

/// One thread's bots: the panel, then the candidates.
struct Worker<'a, G: Race> {
    tuning: &'a Tuning<G>,
    names: Vec<&'a str>,
    bots: Seated<G>,
    moves: G::Moves,
    capped: u64,
}

impl<'a, G: Race> Worker<'a, G> {
    fn new(tuning: &'a Tuning<G>, bots: &'a [Bot]) -> Result<Worker<'a, G>, RecordError> {
        let mut policies: Vec<Box<dyn Policy<G>>> = Vec::new();
        for bot in tuning.panel.iter().chain(bots) {
            policies.push(bot.policy().map_err(|error| RecordError::Bot {
                bot: bot.name.clone(),
                reason: error.to_string(),
            })?);
        }
        let all = tuning.panel.iter().chain(bots);
        Ok(Worker {
            tuning,
            names: all.map(|bot| bot.name.as_str()).collect(),
            bots: Seated::new(policies, PerSeat::default(), BlockKey::new(0, 0)),
            moves: G::Moves::default(),
            capped: 0,
        })
    }

    /// What a candidate scores against each opponent.
    fn block(&mut self, candidate: usize, block: u64) -> Result<Vec<u32>, RecordError> {
        let Tuning { sides, panel, .. } = self.tuning;
        let key = BlockKey::new(self.tuning.spec.seed, block);
        let hero = panel.len() + candidate;
        let mut scores = Vec::with_capacity(panel.len());
        for opponent in 0..panel.len() {
            let mut score = 0;
            for rotation in 0..sides.rotations {
                let seating = sides.seating(hero, opponent, rotation);
                let played = self.game(seating, key)?;
                self.capped += u64::from(played.capped);
                let winner = sides.winner(&played.standing.places);
                score += match winner.filter(|_| !played.capped) {
                    None => 1,
                    Some(winner) => sides.count as u32 * u32::from(winner == rotation),
                };
            }
            scores.push(score);
        }
        Ok(scores)
    }

    fn game(&mut self, seating: PerSeat<usize>, key: BlockKey) -> Result<Played, RecordError> {
        let Tuning {
            game, sides, spec, ..
        } = self.tuning;
        self.bots.sit(seating, key);
        let played = play(
            game,
            game.start(sides.seats[0]),
            &mut SeededDice::new(key),
            &mut self.bots,
            &mut Blind,
            &mut self.moves,
            spec.cap,
        );
        match self.bots.failure() {
            None => Ok(played),
            Some((number, reason)) => Err(RecordError::Bot {
                bot: self.names[number].to_owned(),
                reason: reason.to_owned(),
            }),
        }
    }
}
