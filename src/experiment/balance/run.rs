//! Plays a study: blocks in order, in chunks of fixed size, with a look after each.
//!
//! A look sees blocks 0, 1, … without gaps, whoever played them, so verdicts depend on the spec alone: not on threads,
//! interruptions or speed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use crate::bots::BotError;
use crate::bots::seated::Seated;
use crate::engine::game::Game;
use crate::engine::play::{Blind, Played, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::PerSeat;
use crate::experiment::record::RecordError;

use super::course::{Course, METRICS, Numbers};
use super::decide::Question;
use super::design::Contrast;
use super::jackknife::GROUPS;
use super::luck::{LuckDice, LuckSums, TEMPERATURES, freeze};
use super::players::{Player, policies};
use super::spec::{Cells, PILOT_BLOCKS, Study};
use super::tally::{EffectTally, FamilyState, FamilyTally, RunState, RunTally};
use crate::experiment::study_folder::StudyFolder;

/// What is asked of one set of seats, by all rule sets on the same dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whether any seat wins more than its share, and what the options change: this bot at all seats.
    Seats(usize),
    /// Whether a player wins more than its share against a table: the number of it.
    Table(usize),
    /// How much is luck: the bot followed, the bot at all other seats.
    Luck(usize, usize),
}

/// One question at one set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The number of the seat set.
    pub cells: usize,
    /// What is asked.
    pub kind: Kind,
}

impl<G: Race> Study<G> {
    /// All questions, in the order in which they are played.
    pub fn families(&self) -> Vec<Family> {
        let at_all = |kind: Kind| (0..self.cells.len()).map(move |cells| Family { cells, kind });
        let mut families: Vec<Family> = (0..self.bots.len())
            .map(Kind::Seats)
            .flat_map(at_all)
            .collect();
        if self.spec.strategy_blocks > 0 {
            families.extend((0..self.tables.len()).map(Kind::Table).flat_map(at_all));
        }
        if self.spec.luck_blocks > 0 {
            let pairs = self.luck_pairs().into_iter();
            families.extend(
                pairs
                    .map(|(hero, others)| Kind::Luck(hero, others))
                    .flat_map(at_all),
            );
        }
        families
    }

    /// What is asked about the seats of a table.
    pub fn seat_question(&self, cells: usize) -> Question {
        let Cells { sides, margin, .. } = &self.cells[cells];
        Question {
            fair: 1.0 / sides.count as f64,
            margin: margin.share(),
            alpha: self.spec.alpha,
            units: sides.count as u32,
            together: self.bots.len() as u32,
        }
    }

    /// What is asked about the side that moves first.
    pub fn first_question(&self, cells: usize) -> Question {
        Question {
            units: 1,
            ..self.seat_question(cells)
        }
    }

    /// What is asked about one player against a table.
    pub fn strategy_question(&self, cells: usize) -> Question {
        Question {
            margin: self.spec.strategy_margin.share(),
            units: self.tables.len() as u32,
            together: 1,
            ..self.seat_question(cells)
        }
    }

    /// Whether the effect of options on the skill gap is told from this table: the first bot against the second.
    pub(super) fn tells_skill(&self, table: usize) -> bool {
        table == 0 && self.bots.len() > 1 && self.has_options()
    }

    /// What is counted of the blocks that all rule sets play: what each option changes and, to compare sets of seats, the
    /// mean, which comes last.
    pub(super) fn contrasts(&self) -> Vec<Contrast> {
        let mut contrasts = self.design.contrasts();
        contrasts.extend((self.cells.len() > 1).then(|| self.design.mean()));
        contrasts
    }

    /// The counts of no blocks.
    fn empty(&self, family: Family) -> FamilyTally {
        let sides = self.cells[family.cells].sides.count;
        let runs = self.design.runs();
        let options = self.design.factors.len();
        let contrasts = self.contrasts().len();
        let (run, effects) = match family.kind {
            Kind::Seats(_) => (
                RunTally::of_seats(sides),
                self.has_options()
                    .then(|| EffectTally::new(contrasts, options, METRICS.len(), runs, sides)),
            ),
            Kind::Table(table) => (
                RunTally::of_table(sides),
                self.tells_skill(table)
                    .then(|| EffectTally::new(contrasts, 0, 1, 0, 0)),
            ),
            Kind::Luck(..) => (RunTally::of_luck(), None),
        };
        FamilyTally {
            runs: vec![run; runs],
            effects,
        }
    }

    /// Nothing has been played.
    pub fn fresh(&self) -> StudyState {
        let fresh = |family| FamilyState {
            next: 0,
            runs: vec![RunState::default(); self.design.runs()],
            tally: self.empty(family),
        };
        StudyState(self.families().into_iter().map(fresh).collect())
    }
}

/// How far a study is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StudyState(pub Vec<FamilyState>);

impl StudyState {
    /// Games played so far.
    pub fn games(&self) -> u64 {
        let runs = self.0.iter().flat_map(|family| &family.tally.runs);
        runs.map(|run| run.games).sum()
    }
}

/// How a study is carried out; nothing here changes a number.
pub struct Options<'a, G: Race> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// The time between two checkpoints.
    pub checkpoint: Duration,
    /// Set from outside to stop after the chunk that is being played.
    pub stop: &'a AtomicBool,
    /// Called after every look.
    pub watch: &'a dyn Fn(&Look<'_, G>),
}

/// What can be seen after a chunk.
pub struct Look<'a, G: Race> {
    /// The study.
    pub study: &'a Study<G>,
    /// The question at hand.
    pub family: Family,
    /// How far it is.
    pub state: &'a FamilyState,
    /// The number of the question, from 0, and how many there are.
    pub number: (usize, usize),
}

/// Plays what is missing; whether all is played then: false when it was told to stop. Checkpoints are written into
/// `folder`, if there is one.
///
/// # Errors
/// When a checkpoint cannot be written, or a bot cannot choose any more.
pub fn run<G: Race>(
    study: &Study<G>,
    state: &mut StudyState,
    folder: Option<&StudyFolder>,
    options: &Options<'_, G>,
) -> Result<bool, RecordError> {
    let crew = Crew::new(study, options.threads)?;
    let families = study.families();
    // From the first moment on the folder is known as that of a study.
    save(study, state, folder)?;
    let mut written = Instant::now();
    for (number, &family) in families.iter().enumerate() {
        if !state.0[number].is_closed()
            && matches!(family.kind, Kind::Luck(..))
            && state.0[number].next == 0
        {
            let frozen = crew.pilot(family)?;
            for (run, pilot) in state.0[number].runs.iter_mut().zip(frozen) {
                run.frozen = Some(freeze(&pilot));
            }
        }
        while !state.0[number].is_closed() {
            if options.stop.load(Ordering::Relaxed) {
                save(study, state, folder)?;
                return Ok(false);
            }
            let this = &mut state.0[number];
            let end = study.limits(family.kind).next_look(this.next);
            let counts = crew.chunk(family, this, this.next..end)?;
            this.tally.merge(&counts);
            this.next = end;
            study.look(family, this);
            (options.watch)(&Look {
                study,
                family,
                state: this,
                number: (number, families.len()),
            });
            if written.elapsed() >= options.checkpoint {
                save(study, state, folder)?;
                written = Instant::now();
            }
        }
    }
    save(study, state, folder)?;
    Ok(true)
}

fn save<G: Race>(
    study: &Study<G>,
    state: &StudyState,
    folder: Option<&StudyFolder>,
) -> Result<(), RecordError> {
    folder.map_or(Ok(()), |folder| folder.save(&study.counts_id(), state))
}

/// Games per second of one thread, for each kind of question: seats, strategies and luck. Short, and only for plans.
///
/// # Errors
/// When a bot does not play the game or cannot choose any more.
pub fn probe<G: Race>(study: &Study<G>, time: Duration) -> Result<[f64; 3], RecordError> {
    let crew = Crew::new(study, 1)?;
    let mut rates = [f64::INFINITY; 3];
    let each = |wanted: &dyn Fn(Kind) -> bool| -> Result<f64, RecordError> {
        let families = study
            .families()
            .into_iter()
            .filter(|family| wanted(family.kind));
        let families: Vec<Family> = families.collect();
        let mut state = study.fresh().0.remove(0);
        for run in &mut state.runs[1..] {
            run.closed = true;
        }
        let (mut games, began) = (0, Instant::now());
        for &family in families.iter().cycle() {
            state.tally = study.empty(family);
            state.runs[0].frozen = Some(freeze(&[]));
            let block = games;
            let counts = crew.chunk(family, &state, block..block + 25)?;
            games += counts.runs[0].games;
            if began.elapsed() > time {
                break;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        Ok(if games == 0 {
            f64::INFINITY
        } else {
            games as f64 / seconds
        })
    };
    rates[0] = each(&|kind| matches!(kind, Kind::Seats(_)))?;
    rates[1] = each(&|kind| matches!(kind, Kind::Table(_)))?;
    rates[2] = each(&|kind| matches!(kind, Kind::Luck(..)))?;
    Ok(rates)
}

/// The threads with their bots.
struct Crew<'a, G: Race> {
    study: &'a Study<G>,
    contrasts: Vec<Contrast>,
    /// For each option the rule sets that only it tells apart.
    twins: Vec<Vec<(usize, usize)>>,
    pool: ThreadPool,
    workers: Vec<Mutex<Worker<'a, G>>>,
}

impl<'a, G: Race> Crew<'a, G> {
    fn new(study: &'a Study<G>, threads: usize) -> Result<Crew<'a, G>, RecordError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RecordError::Io {
            path: "threads".to_owned(),
            reason: error.to_string(),
        })?;
        let workers = (0..threads).map(|_| Worker::new(study).map(Mutex::new));
        let workers: Result<Vec<_>, BotError> = workers.collect();
        Ok(Crew {
            study,
            contrasts: study.contrasts(),
            twins: (0..study.design.factors.len())
                .map(|factor| study.design.twins(factor))
                .collect(),
            pool,
            workers: workers.expect("the bots were made once when the spec was checked"),
        })
    }

    /// Plays blocks on all threads and merges what each counted.
    fn each_block<T: Send>(
        &self,
        blocks: std::ops::Range<u64>,
        empty: impl Fn() -> T + Sync,
        play: impl Fn(&mut Worker<'a, G>, u64, &mut T) -> Result<(), RecordError> + Sync,
        merge: impl Fn(&mut T, &T),
    ) -> Result<T, RecordError> {
        let next = AtomicU64::new(blocks.start);
        let results = self.pool.broadcast(|context| {
            let worker = &self.workers[context.index()];
            let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            let mut counts = empty();
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks.end {
                    return Ok(counts);
                }
                play(&mut worker, block, &mut counts)?;
            }
        });
        let mut all = empty();
        for counts in results {
            merge(&mut all, &counts?);
        }
        Ok(all)
    }

    /// The counts of some blocks, by the rule sets that are not closed.
    fn chunk(
        &self,
        family: Family,
        state: &FamilyState,
        blocks: std::ops::Range<u64>,
    ) -> Result<FamilyTally, RecordError> {
        self.each_block(
            blocks,
            || self.study.empty(family),
            |worker, block, counts| match family.kind {
                Kind::Seats(bot) => self.seats(worker, family.cells, bot, state, block, counts),
                Kind::Table(table) => self.table(worker, family.cells, table, state, block, counts),
                Kind::Luck(hero, others) => {
                    self.luck(worker, (family.cells, hero, others), state, block, counts)
                }
            },
            FamilyTally::merge,
        )
    }

    /// One game by each rule set, the same bot at all seats.
    fn seats(
        &self,
        worker: &mut Worker<'a, G>,
        cells: usize,
        bot: usize,
        state: &FamilyState,
        block: u64,
        counts: &mut FamilyTally,
    ) -> Result<(), RecordError> {
        let Cells { sides, games, .. } = &self.study.cells[cells];
        let mut numbers: Vec<Option<Numbers>> = vec![None; games.len()];
        for (run, game) in games.iter().enumerate() {
            if state.runs[run].closed {
                continue;
            }
            let mut course = Course::new(sides);
            let played = worker.play(game, PerSeat::from_fn(|_| bot), block, &mut course)?;
            let seen = course.numbers(game, &played);
            counts.runs[run].blocks += 1;
            counts.runs[run].game(&seen);
            numbers[run] = Some(seen);
        }
        let numbers: Option<Vec<Numbers>> = numbers.into_iter().collect();
        let is_shared = block < self.study.shared_blocks();
        let (Some(effects), Some(numbers), true) = (&mut counts.effects, numbers, is_shared) else {
            return Ok(());
        };
        effects.block(&self.contrasts, |run, metric| numbers[run].metrics[metric]);
        for (pairs, (compared, differed)) in self.twins.iter().zip(&mut effects.twins) {
            for &(first, other) in pairs {
                *compared += 1;
                *differed += u64::from(numbers[first].print != numbers[other].print);
            }
        }
        for (numbers, groups) in numbers.iter().zip(&mut effects.wins) {
            if let Some(winner) = numbers.winner {
                groups[(block % GROUPS as u64) as usize][winner] += 1;
            }
        }
        Ok(())
    }

    /// One player against a table, at every side in turn, by each rule set.
    fn table(
        &self,
        worker: &mut Worker<'a, G>,
        cells: usize,
        table: usize,
        state: &FamilyState,
        block: u64,
        counts: &mut FamilyTally,
    ) -> Result<(), RecordError> {
        let Cells { sides, games, .. } = &self.study.cells[cells];
        let bots = self.study.bots.len();
        let table = self.study.tables[table];
        let (hero, others) = (
            table.hero.index(bots),
            Player::Bot(table.others).index(bots),
        );
        let mut scores = vec![0; games.len()];
        for (run, game) in games.iter().enumerate() {
            if state.runs[run].closed {
                continue;
            }
            let counts = &mut counts.runs[run];
            for rotation in 0..sides.rotations {
                let seating = sides.seating(hero, others, rotation);
                let played = worker.play(game, seating, block, &mut Blind)?;
                let winner = sides
                    .winner(&played.standing.places)
                    .filter(|_| !played.capped);
                scores[run] += usize::from(winner == Some(rotation));
                counts.games += 1;
                counts.capped += u64::from(played.capped);
            }
            counts.blocks += 1;
            counts.scores[scores[run]] += 1;
        }
        if let Some(effects) = &mut counts.effects {
            effects.block(&self.contrasts, |run, _| {
                i64::try_from(scores[run]).unwrap_or(i64::MAX)
            });
        }
        Ok(())
    }

    /// Games in which luck is measured: one, or one for each side if two bots play.
    fn luck(
        &self,
        worker: &mut Worker<'a, G>,
        (cells, hero, others): (usize, usize, usize),
        state: &FamilyState,
        block: u64,
        counts: &mut FamilyTally,
    ) -> Result<(), RecordError> {
        let Cells { sides, games, .. } = &self.study.cells[cells];
        for (run, game) in games.iter().enumerate() {
            let Some(frozen) = state.runs[run].frozen.filter(|_| !state.runs[run].closed) else {
                continue;
            };
            let counts = &mut counts.runs[run];
            let mut of_block = 0;
            for rotation in 0..if hero == others { 1 } else { sides.rotations } {
                let seating = sides.seating(hero, others, rotation);
                let key = BlockKey::new(self.study.spec.seed, block);
                let temperatures = [frozen.temperature];
                let (played, luck) =
                    worker.play_for_luck(game, cells, seating, key, rotation, &temperatures)?;
                let winner = sides
                    .winner(&played.standing.places)
                    .filter(|_| !played.capped);
                let tally = counts.luck.get_or_insert_default();
                tally.groups[(block % GROUPS as u64) as usize]
                    .push(winner == Some(rotation), luck[0]);
                of_block += luck[0];
                counts.games += 1;
                counts.capped += u64::from(played.capped);
            }
            counts.luck.get_or_insert_default().blocks.push(of_block);
            counts.blocks += 1;
        }
        Ok(())
    }

    /// Wins and luck at each temperature, by each rule set, on dice that nothing else is played with.
    fn pilot(&self, family: Family) -> Result<Vec<Vec<LuckSums>>, RecordError> {
        let Kind::Luck(hero, others) = family.kind else {
            return Ok(Vec::new());
        };
        let Cells { sides, games, .. } = &self.study.cells[family.cells];
        let seed = self.study.spec.seed ^ u64::from_le_bytes(*b"pilotpil");
        self.each_block(
            0..PILOT_BLOCKS,
            || vec![vec![LuckSums::default(); TEMPERATURES.len()]; games.len()],
            |worker, block, counts| {
                for (game, counts) in games.iter().zip(counts) {
                    for rotation in 0..if hero == others { 1 } else { sides.rotations } {
                        let seating = sides.seating(hero, others, rotation);
                        let key = BlockKey::new(seed, block);
                        let (played, luck) = worker.play_for_luck(
                            game,
                            family.cells,
                            seating,
                            key,
                            rotation,
                            &TEMPERATURES,
                        )?;
                        let winner = sides.winner(&played.standing.places);
                        let won = winner.filter(|_| !played.capped) == Some(rotation);
                        for (sums, luck) in counts.iter_mut().zip(luck) {
                            sums.push(won, luck);
                        }
                    }
                }
                Ok(())
            },
            |mine, theirs| {
                for (mine, theirs) in mine.iter_mut().flatten().zip(theirs.iter().flatten()) {
                    mine.merge(theirs);
                }
            },
        )
    }
}

/// One thread's bots.
struct Worker<'a, G: Race> {
    study: &'a Study<G>,
    players: Seated<G>,
    moves: G::Moves,
    judged: G::Moves,
}

impl<'a, G: Race> Worker<'a, G> {
    fn new(study: &'a Study<G>) -> Result<Worker<'a, G>, BotError> {
        let players = policies(&study.bots)?;
        Ok(Worker {
            study,
            players: Seated::new(players, PerSeat::default(), BlockKey::new(0, 0)),
            moves: G::Moves::default(),
            judged: G::Moves::default(),
        })
    }

    fn play(
        &mut self,
        game: &G,
        seating: PerSeat<usize>,
        block: u64,
        observer: &mut impl crate::engine::play::Observer<G>,
    ) -> Result<Played, RecordError> {
        let key = BlockKey::new(self.study.spec.seed, block);
        self.players.sit(seating, key);
        let mut dice = SeededDice::new(key);
        let played = play(
            game,
            start(game),
            &mut dice,
            &mut self.players,
            observer,
            &mut self.moves,
            self.study.spec.cap,
        );
        self.checked(played)
    }

    fn play_for_luck(
        &mut self,
        game: &G,
        cells: usize,
        seating: PerSeat<usize>,
        key: BlockKey,
        hero: usize,
        temperatures: &[u32],
    ) -> Result<(Played, [i64; TEMPERATURES.len()]), RecordError> {
        self.players.sit(seating, key);
        let sides = &self.study.cells[cells].sides;
        let dice = SeededDice::new(key);
        let mut dice = LuckDice::new(dice, sides, hero, temperatures, &mut self.judged);
        let played = play(
            game,
            start(game),
            &mut dice,
            &mut self.players,
            &mut Blind,
            &mut self.moves,
            self.study.spec.cap,
        );
        let luck = dice.luck();
        Ok((self.checked(played)?, luck))
    }

    /// The game, if all bots could choose.
    fn checked(&self, played: Played) -> Result<Played, RecordError> {
        match self.players.failure() {
            None => Ok(played),
            Some((number, reason)) => {
                let bots = &self.study.bots;
                Err(RecordError::Bot {
                    bot: bots[number % bots.len()].name.clone(),
                    reason: reason.to_owned(),
                })
            }
        }
    }
}

/// The start position, the first seat to roll.
fn start<G: Game>(game: &G) -> G::State {
    let first = game.seats().iter().next().expect("a table has seats");
    game.start(first)
}
