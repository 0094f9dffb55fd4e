//! Plays the missing blocks of an experiment and writes records.
//!
//! Workers take blocks in ascending order from one counter, so whenever they stop, what they have
//! played is a range without gaps.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bots::seated::Seated;
use crate::engine::game::Game;
use crate::engine::play::{Counts, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::{PerSeat, Seat};

use super::games_csv::{self, GameRows, part_name};
use super::record::{Meta, Record, RecordError, missing, write_atomically};
use super::spec::Experiment;
use super::tally::{Counter, Tally};

/// How a run is carried out; nothing here changes a number.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// The time between two checkpoints.
    pub checkpoint: Duration,
    /// Set from outside to stop after the blocks that are being played.
    pub stop: &'a AtomicBool,
    /// What has been played, for a progress bar.
    pub progress: &'a Progress,
}

/// What has been played so far, for whoever looks on.
#[derive(Default, Debug)]
pub struct Progress {
    blocks: AtomicU64,
    games: AtomicU64,
}

impl Progress {
    /// Blocks played, those of earlier runs included.
    pub fn blocks(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Games played by this run.
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }
}

/// The most games whose rows are kept in memory before they are written.
const MAX_ROWS: u64 = 1_000_000;

/// Plays all blocks that the records in `folder` do not cover, and writes records. Whether all
/// blocks are played then: false when it was told to stop.
///
/// # Errors
/// When a record cannot be read or written.
pub fn run<G: Race>(
    experiment: &Experiment<G>,
    folder: &Path,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let job = experiment.job();
    let records = Record::read_all(folder, experiment)?;
    if experiment.spec.games_csv {
        games_csv::check(experiment, &records, folder)?;
    }
    let played: u64 = records.iter().map(|record| record.tally.blocks).sum();
    options.progress.blocks.store(played, Ordering::Relaxed);
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| RecordError::Io {
            path: "threads".to_owned(),
            reason: error.to_string(),
        })?;
    let began = Instant::now();
    for (mut lo, hi) in missing(&records, experiment.spec.blocks) {
        while lo < hi {
            if options.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            // Long runs need fewer records: at most about a twentieth of the work is at risk.
            let pause = options
                .checkpoint
                .max((began.elapsed() / 20).min(Duration::from_secs(60)));
            let (record, rows) = play_from(
                experiment,
                &job,
                lo..hi,
                Instant::now() + pause,
                &pool,
                options,
            );
            if record.hi > lo {
                if let Some(rows) = rows {
                    let path = folder.join(part_name(&job, lo, record.hi));
                    write_atomically(&path, |file| rows.write(file))?;
                }
                record.write(folder)?;
            }
            lo = record.hi;
        }
    }
    Ok(true)
}

/// The counts of some blocks, played in this thread.
pub fn play_blocks<G: Race>(experiment: &Experiment<G>, blocks: std::ops::Range<u64>) -> Tally {
    let mut worker = Worker::new(experiment);
    blocks.for_each(|block| worker.block(block));
    worker.finish().tally
}

/// The tally of no blocks of an experiment.
pub fn empty_tally<G: Game>(experiment: &Experiment<G>) -> Tally {
    Tally::new(
        &experiment.schedule,
        experiment.bots.len(),
        experiment.game.seats().len(),
    )
}

/// Plays blocks from `range.start` until the range ends, the time is up or it is told to stop.
fn play_from<G: Race>(
    experiment: &Experiment<G>,
    job: &str,
    range: std::ops::Range<u64>,
    until: Instant,
    pool: &ThreadPool,
    options: &Options<'_>,
) -> (Record, Option<GameRows>) {
    let began = (Instant::now(), cpu_seconds());
    let with_rows = experiment.spec.games_csv;
    let games_per_block = experiment.schedule.games_per_block() as u64;
    let most = if with_rows {
        (MAX_ROWS / games_per_block).max(1)
    } else {
        u64::MAX
    };
    let end = range.end.min(range.start.saturating_add(most));
    let next = AtomicU64::new(range.start);
    let results = pool.broadcast(|_| {
        let mut worker = Worker::new(experiment);
        while !options.stop.load(Ordering::Relaxed) && Instant::now() < until {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= end {
                break;
            }
            worker.block(block);
            options.progress.blocks.fetch_add(1, Ordering::Relaxed);
            options
                .progress
                .games
                .fetch_add(games_per_block, Ordering::Relaxed);
        }
        worker.finish()
    });
    let hi = next.into_inner().min(end);

    let mut tally = empty_tally(experiment);
    let mut rows = GameRows::default();
    let mut decisions = vec![(0, 0); experiment.bots.len()];
    for result in results {
        tally.merge(&result.tally);
        rows.append(result.rows);
        for (sum, (count, nanos)) in decisions.iter_mut().zip(result.decisions) {
            sum.0 += count;
            sum.1 += nanos;
        }
    }
    let meta = Meta {
        wall_seconds: began.0.elapsed().as_secs_f64(),
        cpu_seconds: cpu_seconds() - began.1,
        decisions,
    };
    let record = Record::new(job, range.start, hi, tally, meta);
    (record, with_rows.then_some(rows))
}

/// What one thread has counted.
struct WorkerResult {
    tally: Tally,
    rows: GameRows,
    decisions: Vec<(u64, u64)>,
}

/// One thread's bots and counts.
struct Worker<'a, G: Race> {
    experiment: &'a Experiment<G>,
    seats: Vec<Seat>,
    bots: Seated<G>,
    counter: Counter<'a>,
    rows: Option<GameRows>,
    moves: G::Moves,
}

impl<'a, G: Race> Worker<'a, G> {
    fn new(experiment: &'a Experiment<G>) -> Worker<'a, G> {
        let policies = experiment.bots.iter().map(|bot| {
            bot.policy::<G>()
                .expect("the bots were made once when the spec was checked")
        });
        let seats = experiment.game.seats();
        Worker {
            experiment,
            seats: seats.iter().collect(),
            bots: Seated::new(policies.collect(), PerSeat::default(), BlockKey::new(0, 0)),
            counter: Counter::new(&experiment.schedule, experiment.bots.len(), seats),
            rows: experiment.spec.games_csv.then(GameRows::default),
            moves: G::Moves::default(),
        }
    }

    /// Plays every line-up in every rotation on the dice of one block.
    fn block(&mut self, block: u64) {
        let game = &self.experiment.game;
        let spec = &self.experiment.spec;
        let key = BlockKey::new(spec.seed, block);
        let start = game.start(self.seats[0]);
        for (index, line_up) in self.experiment.schedule.line_ups.iter().enumerate() {
            for rotation in 0..line_up.rotations {
                let mut at = PerSeat::default();
                for (number, &seat) in self.seats.iter().enumerate() {
                    at[seat] = line_up.bot(number, rotation);
                }
                self.bots.sit(at, key);
                let mut counts = Counts::default();
                let played = play(
                    game,
                    start,
                    &mut SeededDice::new(key),
                    &mut self.bots,
                    &mut counts,
                    &mut self.moves,
                    spec.cap,
                );
                self.counter.game(index, rotation, &played, &counts);
                if let Some(rows) = &mut self.rows {
                    rows.push(block, index, rotation, &played, &counts);
                }
            }
        }
        self.counter.end_block();
    }

    fn finish(self) -> WorkerResult {
        let decisions = self.bots.clocks().iter().map(|clock| {
            let clock = clock.unwrap_or_default();
            (clock.decisions, clock.time.as_nanos() as u64)
        });
        WorkerResult {
            decisions: decisions.collect(),
            tally: self.counter.finish(),
            rows: self.rows.unwrap_or_default(),
        }
    }
}

/// Seconds of processor time that all threads of this process have used.
pub fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
