//! Plays a match: blocks in order, in chunks whose sizes depend on nothing but how many were played, with a look after
//! each.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bots::seated::Seated;
use crate::engine::play::{Blind, Played, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::PerSeat;
use crate::experiment::record::RecordError;

use super::{Direction, Duel, DuelState};

/// How a match is carried out; nothing here changes a number.
pub struct Options<'a> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Set from outside to stop after the chunk that is being played.
    pub stop: &'a AtomicBool,
    /// Called after every look, to show or to save how far the match is.
    pub watch: &'a dyn Fn(&DuelState) -> Result<(), RecordError>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Options<'static> {
    /// So many threads, to the end, and nobody looks on.
    pub fn quiet(threads: usize) -> Options<'static> {
        Options {
            threads,
            stop: &NEVER,
            watch: &|_| Ok(()),
        }
    }
}

/// Blocks between two looks at most.
const MOST: u64 = 10_000;

/// The first look after so many blocks. Looks lie a twentieth of the blocks before apart, so that at most a twentieth is
/// played in vain, and few enough that the threads are busy. Where a budget ended between two of them changes none.
fn next_look(blocks: u64) -> u64 {
    let mut look = 0;
    while look <= blocks && look / 20 < MOST {
        look += (look / 20).max(20);
    }
    if look <= blocks {
        look += ((blocks - look) / MOST + 1) * MOST;
    }
    look
}

/// Plays what is missing; whether the match is over then: false when it was told to stop.
///
/// # Errors
/// When a bot cannot choose any more, and those of `watch`.
pub fn run<G: Race>(
    duel: &Duel<G>,
    state: &mut DuelState,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build();
    let pool = pool.map_err(|error| RecordError::Io {
        path: "threads".to_owned(),
        reason: error.to_string(),
    })?;
    let workers: Vec<Mutex<Worker<'_, G>>> = (0..options.threads)
        .map(|_| Mutex::new(Worker::new(duel)))
        .collect();
    while !state.closed {
        if options.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let blocks = state.blocks..next_look(state.blocks).min(duel.settings.max_blocks);
        state.merge(&play_chunk(duel, &pool, &workers, blocks)?);
        duel.look(state);
        (options.watch)(state)?;
    }
    Ok(true)
}

/// Plays blocks on all threads and merges what each counted.
fn play_chunk<G: Race>(
    duel: &Duel<G>,
    pool: &ThreadPool,
    workers: &[Mutex<Worker<'_, G>>],
    blocks: Range<u64>,
) -> Result<DuelState, RecordError> {
    let next = AtomicU64::new(blocks.start);
    let results = pool.broadcast(|context| {
        let worker = &workers[context.index()];
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = duel.fresh();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks.end {
                return Ok(counts);
            }
            worker.block(block, &mut counts)?;
        }
    });
    let mut all = duel.fresh();
    for counts in results {
        all.merge(&counts?);
    }
    Ok(all)
}

/// One thread's bots.
pub struct Worker<'a, G: Race> {
    duel: &'a Duel<G>,
    bots: Seated<G>,
    moves: G::Moves,
    /// A's score in each rotation of the last block.
    points: Vec<u32>,
}

/// The games of a block.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Games {
    /// A's score, in steps.
    pub score: u32,
    /// Games played.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Whether not all games went the same way.
    pub diverged: bool,
}

impl<'a, G: Race> Worker<'a, G> {
    /// Makes the bots of a match.
    ///
    /// # Panics
    /// Never: the bots were made once when the match was checked.
    pub fn new(duel: &'a Duel<G>) -> Worker<'a, G> {
        let policies = duel.bots.iter().map(|bot| {
            bot.policy::<G>()
                .expect("the bots were made once when the match was checked")
        });
        Worker {
            duel,
            bots: Seated::new(policies.collect(), PerSeat::default(), BlockKey::new(0, 0)),
            moves: G::Moves::default(),
            points: Vec::new(),
        }
    }

    /// Plays and counts a block in all rotations.
    fn block(&mut self, block: u64, counts: &mut DuelState) -> Result<(), RecordError> {
        let games = self.games(block)?;
        for (rotation, &points) in counts.rotations.iter_mut().zip(&self.points) {
            rotation.push(points.into());
        }
        counts.games += games.games;
        counts.capped += games.capped;
        counts.blocks += 1;
        counts.diverged += u64::from(games.diverged);
        counts
            .scores
            .push(games.score)
            .expect("a block has one game for each side");
        Ok(())
    }

    /// Plays a block in all rotations.
    ///
    /// # Errors
    /// When a bot cannot choose any more.
    pub fn games(&mut self, block: u64) -> Result<Games, RecordError> {
        let Duel {
            direction, sides, ..
        } = self.duel;
        let (alone, others) = match direction {
            Direction::OneAgainstMany => (0, 1),
            Direction::ManyAgainstOne => (1, 0),
        };
        let mut games = Games::default();
        let mut first: Option<Played> = None;
        self.points.clear();
        for rotation in 0..sides.rotations {
            let seating = sides.seating(alone, others, rotation);
            let played = self.play(block, seating)?;
            let points = self.points(&played, rotation);
            games.games += 1;
            games.capped += u64::from(played.capped);
            games.score += points;
            self.points.push(points);
            let first = first.get_or_insert(played);
            let same = first.standing.places == played.standing.places
                && (first.rolls, first.capped) == (played.rolls, played.capped);
            games.diverged |= !same;
        }
        Ok(games)
    }

    /// A's part of a game, in steps: all of one that A won, a fair part of one that nobody did.
    fn points(&self, played: &Played, rotation: usize) -> u32 {
        let Duel {
            direction, sides, ..
        } = self.duel;
        let all = sides.count as u32;
        let alone = match sides
            .winner(&played.standing.places)
            .filter(|_| !played.capped)
        {
            None => 1,
            Some(winner) => all * u32::from(winner == rotation),
        };
        match direction {
            Direction::OneAgainstMany => alone,
            Direction::ManyAgainstOne => all - alone,
        }
    }

    fn play(&mut self, block: u64, seating: PerSeat<usize>) -> Result<Played, RecordError> {
        let Duel {
            game,
            settings,
            sides,
            bots,
            ..
        } = self.duel;
        let key = BlockKey::new(settings.seed, settings.first_block.wrapping_add(block));
        self.bots.sit(seating, key);
        let played = play(
            game,
            game.start(sides.seats[0]),
            &mut SeededDice::new(key),
            &mut self.bots,
            &mut Blind,
            &mut self.moves,
            settings.cap,
        );
        match self.bots.failure() {
            None => Ok(played),
            Some((number, reason)) => Err(RecordError::Bot {
                bot: bots[number].name.clone(),
                reason: reason.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next_look;

    #[test]
    fn looks_do_not_depend_on_where_a_budget_ended() {
        let mut look = 0;
        while look < 300_000 {
            let chunk = (look / 20).clamp(20, 10_000);
            for blocks in [look, look + 1, look + chunk / 2, look + chunk - 1] {
                assert_eq!(next_look(blocks), look + chunk, "{blocks}");
            }
            look += chunk;
        }
        // In one step from there on.
        let far = next_look(1_000_000_000_000);
        assert!(far > 1_000_000_000_000 && far <= 1_000_000_010_000);
    }
}
