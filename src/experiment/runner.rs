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
use crate::engine::play::{Counts, Played, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::scribe::{Both, Scribe};
use crate::engine::seat::{PerSeat, Seat};

use super::games_csv::{self, GameRows, part_name};
use super::record::{Meta, Record, RecordError, missing, write_atomically};
use super::saved_games::{self, GameTexts};
use super::spec::Experiment;
use super::tally::{Counter, Measuring, Tally};

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
/// When a record cannot be read or written, or a bot cannot choose any more: then the blocks since
/// the last checkpoint are not counted, and those before it stay.
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
    if experiment.spec.save_games.is_some() {
        saved_games::check(experiment, &records, folder)?;
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
            let Stretch {
                record,
                rows,
                texts,
            } = play_from(
                experiment,
                &job,
                lo..hi,
                Instant::now() + pause,
                &pool,
                options,
            )?;
            if record.hi > lo {
                if let Some(rows) = rows {
                    let path = folder.join(part_name(&job, lo, record.hi));
                    write_atomically(&path, |file| rows.write(file))?;
                }
                if let Some(texts) = texts {
                    let path = folder.join(saved_games::part_name(&job, lo, record.hi));
                    write_atomically(&path, |file| texts.write(file))?;
                }
                record.write(folder)?;
            }
            lo = record.hi;
        }
    }
    Ok(true)
}

/// The counts of some blocks, played in this thread.
///
/// # Panics
/// When a bot cannot choose any more.
pub fn play_blocks<G: Race>(experiment: &Experiment<G>, blocks: std::ops::Range<u64>) -> Tally {
    let mut worker = Worker::new(experiment);
    for block in blocks {
        if let Err(error) = worker.block(block) {
            panic!("{error}");
        }
    }
    worker.finish().tally
}

/// The tally of no blocks of an experiment.
pub fn empty_tally<G: Game>(experiment: &Experiment<G>) -> Tally {
    Tally::new(
        &experiment.schedule,
        experiment.bots.len(),
        experiment.game.seats().len(),
        G::MEASURES.len(),
    )
}

/// What was played between two checkpoints.
struct Stretch {
    record: Record,
    /// Rows for `games.csv`, if it is asked for.
    rows: Option<GameRows>,
    /// The games themselves, if they are saved.
    texts: Option<GameTexts>,
}

/// Plays blocks from `range.start` until the range ends, the time is up or it is told to stop.
fn play_from<G: Race>(
    experiment: &Experiment<G>,
    job: &str,
    range: std::ops::Range<u64>,
    until: Instant,
    pool: &ThreadPool,
    options: &Options<'_>,
) -> Result<Stretch, RecordError> {
    let began = (Instant::now(), cpu_seconds());
    let with_rows = experiment.spec.games_csv;
    let with_texts = experiment.spec.save_games.is_some();
    let games_per_block = experiment.schedule.games_per_block() as u64;
    let most = match (with_texts, with_rows) {
        (true, _) => (saved_games::MAX_TEXTS / games_per_block).max(1),
        (false, true) => (MAX_ROWS / games_per_block).max(1),
        (false, false) => u64::MAX,
    };
    let end = range.end.min(range.start.saturating_add(most));
    let next = AtomicU64::new(range.start);
    let failed = AtomicBool::new(false);
    let results = pool.broadcast(|_| {
        let mut worker = Worker::new(experiment);
        let goes_on = || !options.stop.load(Ordering::Relaxed) && Instant::now() < until;
        while goes_on() && !failed.load(Ordering::Relaxed) {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= end {
                break;
            }
            if let Err(error) = worker.block(block) {
                failed.store(true, Ordering::Relaxed);
                return Err(error);
            }
            options.progress.blocks.fetch_add(1, Ordering::Relaxed);
            options
                .progress
                .games
                .fetch_add(games_per_block, Ordering::Relaxed);
        }
        Ok(worker.finish())
    });
    let hi = next.into_inner().min(end);

    let mut tally = empty_tally(experiment);
    let mut rows = GameRows::default();
    let mut texts = GameTexts::default();
    let mut decisions = vec![(0, 0); experiment.bots.len()];
    for result in results {
        let result = result?;
        tally.merge(&result.tally);
        rows.append(result.rows);
        texts.append(result.texts);
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
    Ok(Stretch {
        record: Record::new(job, range.start, hi, tally, meta),
        rows: with_rows.then_some(rows),
        texts: with_texts.then_some(texts),
    })
}

/// What one thread has counted.
struct WorkerResult {
    tally: Tally,
    rows: GameRows,
    texts: GameTexts,
    decisions: Vec<(u64, u64)>,
}

/// One thread's bots and counts.
struct Worker<'a, G: Race> {
    experiment: &'a Experiment<G>,
    seats: Vec<Seat>,
    bots: Seated<G>,
    counter: Counter<'a>,
    rows: Option<GameRows>,
    texts: GameTexts,
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
            counter: Counter::new(
                &experiment.schedule,
                experiment.bots.len(),
                seats,
                Measuring {
                    measures: G::MEASURES,
                    score_cap: experiment.spec.score_cap,
                },
            ),
            rows: experiment.spec.games_csv.then(GameRows::default),
            texts: GameTexts::default(),
            moves: G::Moves::default(),
        }
    }

    /// Plays every line-up in every rotation on the dice of one block.
    ///
    /// # Errors
    /// When a bot cannot choose any more; what is counted is of no use then.
    fn block(&mut self, block: u64) -> Result<(), RecordError> {
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
                let scribe = saved_games::scribe(self.experiment, line_up, rotation);
                let played = match scribe {
                    Some(scribe) => self.play_and_write(block, scribe, &mut counts),
                    None => play(
                        game,
                        start,
                        &mut SeededDice::new(key),
                        &mut self.bots,
                        &mut counts,
                        &mut self.moves,
                        spec.cap,
                    ),
                };
                if let Some((number, reason)) = self.bots.failure() {
                    return Err(RecordError::Bot {
                        bot: self.experiment.bots[number].name.clone(),
                        reason: reason.to_owned(),
                    });
                }
                self.counter.game(index, rotation, &played, &counts);
                if let Some(rows) = &mut self.rows {
                    rows.push(block, index, rotation, &played, &counts);
                }
            }
        }
        self.counter.end_block();
        Ok(())
    }

    /// Plays a game that is saved. Not where the others are played, so that their loop stays small.
    #[inline(never)]
    fn play_and_write(
        &mut self,
        block: u64,
        mut scribe: Box<dyn Scribe<G>>,
        counts: &mut Counts,
    ) -> Played {
        let Experiment { game, spec, .. } = self.experiment;
        let played = play(
            game,
            game.start(self.seats[0]),
            &mut SeededDice::new(BlockKey::new(spec.seed, block)),
            &mut self.bots,
            &mut Both(counts, &mut *scribe),
            &mut self.moves,
            spec.cap,
        );
        self.texts.push(block, scribe.text());
        played
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
            texts: self.texts,
        }
    }
}

/// Seconds of processor time that all threads of this process have used.
pub fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
