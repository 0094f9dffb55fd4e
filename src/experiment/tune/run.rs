//! Plays a tuning: generations, the race of finalists, the dice it was tuned on once more, the match against the bot as it
//! was, and the measurement of what was gained.
//!
//! A checkpoint holds counts and nothing else. A run that goes on tells them to the search again, which then asks for the
//! same candidates as before: so an interruption changes nothing.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::race::Race;
use crate::experiment::duel::{self, Duel, DuelState};
use crate::experiment::record::RecordError;
use crate::experiment::study_folder::StudyFolder;
use crate::stats::Moments;

use super::objective::{Crew, Scores};
use super::search::{Generation, Search};
use super::space::Candidate;
use super::spec::Tuning;

/// How far a tuning is: whole numbers only.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneState {
    /// The generations, or rounds of the race.
    pub tuning: Vec<Generation>,
    /// The rounds of the race of finalists.
    pub selection: Vec<Generation>,
    /// Candidate and incumbent on dice it was tuned on.
    pub in_sample: Comparison,
    /// Candidate against incumbent.
    pub validation: Option<DuelState>,
    /// Candidate and incumbent on dice that nobody has seen.
    pub held_out: Comparison,
}

/// Candidate and incumbent on the same dice against the panel.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Blocks played.
    pub blocks: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// For each opponent, and last for all together: block scores of the candidate, of the incumbent, and their
    /// difference, in steps.
    pub members: Vec<[Moments; 3]>,
}

impl Comparison {
    fn push(&mut self, scores: &Scores, members: usize) {
        self.members.resize(members + 1, [Moments::EMPTY; 3]);
        self.blocks += scores.bots[0].len() as u64;
        self.capped += scores.capped;
        for (mine, theirs) in scores.bots[0].iter().zip(&scores.bots[1]) {
            let pairs = mine
                .iter()
                .zip(theirs)
                .map(|(&a, &b)| (i64::from(a), i64::from(b)));
            let all = pairs
                .clone()
                .fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
            for (moments, (a, b)) in self.members.iter_mut().zip(pairs.chain([all])) {
                moments[0].push(a);
                moments[1].push(b);
                moments[2].push(a - b);
            }
        }
    }
}

/// Where a tuning is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Generations.
    Tuning,
    /// The race of finalists.
    Selection,
    /// Dice it was tuned on, once more.
    InSample,
    /// The match.
    Validation,
    /// Dice that nobody has seen.
    HeldOut,
}

/// How a tuning is carried out; nothing here changes a number.
pub struct Options<'a> {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Set from outside to stop after the generation that is being played.
    pub stop: &'a AtomicBool,
    /// Called after every step: where it is, and what share of the games of this stage is played.
    pub watch: &'a dyn Fn(Stage, &TuneState, f64),
}

/// The time between two checkpoints of what is cheap to play again.
const PAUSE: Duration = Duration::from_secs(2);
/// Blocks between two looks at what is compared.
const CHUNK: u64 = 100;

/// The searches of a tuning, as far as its state has come.
pub struct Course {
    /// The search.
    pub search: Search,
    /// The race of finalists, if there is one.
    pub selection: Option<Search>,
    /// Who was asked in each generation of the search.
    pub asked: Vec<Vec<Candidate>>,
    /// Who was asked in each round of the race of finalists.
    pub finalists: Vec<Vec<Candidate>>,
}

impl Course {
    /// Tells the searches what was played.
    pub fn new<G: Race>(tuning: &Tuning<G>, state: &TuneState) -> Course {
        let mut course = Course {
            search: Search::new(tuning),
            selection: None,
            asked: Vec::new(),
            finalists: Vec::new(),
        };
        for generation in &state.tuning {
            course.asked.push(course.search.ask(&tuning.space));
            course.search.tell(generation, tuning.steps());
        }
        if course.is_tuned(tuning) {
            course.select(tuning);
            for round in &state.selection {
                if let Some(race) = &mut course.selection {
                    course.finalists.push(race.ask(&tuning.space));
                    race.tell(round, tuning.steps());
                }
            }
        }
        course
    }

    fn is_tuned<G: Race>(&self, tuning: &Tuning<G>) -> bool {
        self.asked.len() >= tuning.spec.generations() as usize || self.search.is_decided()
    }

    fn is_selected<G: Race>(&self, tuning: &Tuning<G>) -> bool {
        let rounds = tuning.spec.search.rounds.unwrap_or(0) as usize;
        let race = self.selection.as_ref();
        race.is_none_or(|race| race.is_decided() || self.finalists.len() >= rounds)
    }

    /// Lets the finalists race if there is more than one, the bot as it was among them.
    fn select<G: Race>(&mut self, tuning: &Tuning<G>) {
        let found = self.search.best(&tuning.space);
        if found.len() > 1 {
            let mut field = vec![tuning.space.start()];
            for candidate in found {
                if !field.contains(&candidate) {
                    field.push(candidate);
                }
            }
            self.selection = Some(Search::race(tuning, field));
        }
    }

    /// What the searches hold best.
    pub fn chosen<G: Race>(&self, tuning: &Tuning<G>) -> Candidate {
        let last = self.selection.as_ref().unwrap_or(&self.search);
        last.best(&tuning.space).remove(0)
    }
}

/// Plays what is missing; whether all is played then: false when it was told to stop.
///
/// # Errors
/// When a checkpoint cannot be written, or a bot cannot choose any more.
pub fn run<G: Race>(
    tuning: &Tuning<G>,
    state: &mut TuneState,
    folder: &StudyFolder,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let crew = Crew::new(tuning, options.threads)?;
    let job = tuning.job();
    // From the first moment on the folder is known as that of a tuning.
    folder.save(&job, state)?;
    let mut course = Course::new(tuning, state);
    let finished = generations(tuning, &crew, &mut course, state, folder, options)?
        && finals(tuning, &crew, &course, state, folder, options)?;
    folder.save(&job, state)?;
    Ok(finished)
}

fn stops(options: &Options<'_>) -> bool {
    options.stop.load(Ordering::Relaxed)
}

/// The generations, then the race of finalists.
fn generations<G: Race>(
    tuning: &Tuning<G>,
    crew: &Crew<'_, G>,
    course: &mut Course,
    state: &mut TuneState,
    folder: &StudyFolder,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let job = tuning.job();
    while !course.is_tuned(tuning) {
        if stops(options) {
            return Ok(false);
        }
        let number = course.asked.len() as u64;
        let asked = course.search.ask(&tuning.space);
        let blocks = slice(&tuning.domains.tuning, number, tuning.spec.blocks);
        let scores = crew.play(&bots(tuning, &asked), blocks)?;
        let generation = Generation::new(&scores, course.search.is_race());
        course.search.tell(&generation, tuning.steps());
        course.asked.push(asked);
        state.tuning.push(generation);
        folder.save(&job, state)?;
        let share = course.asked.len() as f64 / f64::from(tuning.spec.generations());
        (options.watch)(Stage::Tuning, state, share);
    }
    if course.selection.is_none() {
        course.select(tuning);
    }
    while !course.is_selected(tuning) {
        if stops(options) {
            return Ok(false);
        }
        let Some(race) = &mut course.selection else {
            break;
        };
        let number = course.finalists.len() as u64;
        let asked = race.ask(&tuning.space);
        let blocks = slice(&tuning.domains.selection, number, tuning.spec.blocks);
        let scores = crew.play(&bots(tuning, &asked), blocks)?;
        let round = Generation::new(&scores, true);
        race.tell(&round, tuning.steps());
        course.finalists.push(asked);
        state.selection.push(round);
        folder.save(&job, state)?;
        let rounds = f64::from(tuning.spec.search.rounds.unwrap_or(1));
        let share = course.finalists.len() as f64 / rounds;
        (options.watch)(Stage::Selection, state, share);
    }
    Ok(true)
}

/// Everything that follows when the candidate is known. If it is the bot as it was, nothing does.
fn finals<G: Race>(
    tuning: &Tuning<G>,
    crew: &Crew<'_, G>,
    course: &Course,
    state: &mut TuneState,
    folder: &StudyFolder,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let chosen = course.chosen(tuning);
    if chosen == tuning.space.start() {
        return Ok(true);
    }
    let pair = bots(tuning, &[chosen, tuning.space.start()]);
    let seen = seen(tuning, state);
    let finished = compare(
        tuning,
        crew,
        &pair,
        (Stage::InSample, seen),
        state,
        folder,
        options,
    )? && validate(tuning, &pair[0], state, folder, options)?;
    let unseen = (Stage::HeldOut, tuning.domains.reporting.clone());
    Ok(finished && compare(tuning, crew, &pair, unseen, state, folder, options)?)
}

/// The last of the blocks that candidates were tried on, as many as the report measures if there are.
fn seen<G: Race>(tuning: &Tuning<G>, state: &TuneState) -> Range<u64> {
    let used = state.tuning.len() as u64 * tuning.spec.blocks;
    let end = tuning.domains.tuning.start + used;
    end - used.min(tuning.spec.reporting.blocks)..end
}

/// The blocks of a generation.
fn slice(domain: &Range<u64>, number: u64, blocks: u64) -> Range<u64> {
    let first = domain.start + number * blocks;
    first..first + blocks
}

/// The bots of some candidates, under numbers.
fn bots<G: Race>(tuning: &Tuning<G>, candidates: &[Candidate]) -> Vec<crate::bots::Bot> {
    let numbered = candidates.iter().zip(1..);
    numbered
        .map(|(candidate, number)| {
            let name = format!("{}-{number}", tuning.bot.name);
            tuning.space.bot(&tuning.bot, candidate, &name)
        })
        .collect()
}

/// Candidate and incumbent against the panel, on blocks of one domain.
fn compare<G: Race>(
    tuning: &Tuning<G>,
    crew: &Crew<'_, G>,
    pair: &[crate::bots::Bot],
    (stage, blocks): (Stage, Range<u64>),
    state: &mut TuneState,
    folder: &StudyFolder,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let job = tuning.job();
    let all = blocks.end - blocks.start;
    let mut written = Instant::now();
    loop {
        let comparison = match stage {
            Stage::InSample => &mut state.in_sample,
            _ => &mut state.held_out,
        };
        if comparison.blocks >= all {
            return Ok(true);
        }
        if stops(options) {
            return Ok(false);
        }
        let first = blocks.start + comparison.blocks;
        let scores = crew.play(pair, first..blocks.end.min(first + CHUNK))?;
        comparison.push(&scores, tuning.panel.len());
        let share = comparison.blocks as f64 / all as f64;
        if written.elapsed() >= PAUSE {
            folder.save(&job, state)?;
            written = Instant::now();
        }
        (options.watch)(stage, state, share);
    }
}

/// The match against the bot as it was.
fn validate<G: Race>(
    tuning: &Tuning<G>,
    candidate: &crate::bots::Bot,
    state: &mut TuneState,
    folder: &StudyFolder,
    options: &Options<'_>,
) -> Result<bool, RecordError> {
    let match_up: Duel<G> = tuning.duel(candidate).map_err(|error| RecordError::Bot {
        bot: candidate.name.clone(),
        reason: error.to_string(),
    })?;
    let job = tuning.job();
    let mut duel_state = state.validation.take().unwrap_or_else(|| match_up.fresh());
    let written = std::cell::Cell::new(Instant::now());
    let shown = std::cell::RefCell::new(state.clone());
    let watch = |now: &DuelState| {
        let mut shown = shown.borrow_mut();
        shown.validation = Some(now.clone());
        if written.get().elapsed() >= PAUSE {
            folder.save(&job, &*shown)?;
            written.set(Instant::now());
        }
        let share = now.blocks as f64 / tuning.spec.validation.blocks as f64;
        (options.watch)(Stage::Validation, &shown, share);
        Ok(())
    };
    let run = duel::run::Options {
        threads: options.threads,
        stop: options.stop,
        watch: &watch,
    };
    let finished = duel::run::run(&match_up, &mut duel_state, &run);
    state.validation = Some(duel_state);
    finished
}

impl TuneState {
    /// About how many games are left at most, `share` of a stage being played.
    pub fn games_left<G: Race>(&self, tuning: &Tuning<G>, stage: Stage, share: f64) -> f64 {
        let spec = &tuning.spec;
        let block = tuning.games_per_block() as f64;
        let tried = |generations: &[Generation]| {
            let played = generations
                .iter()
                .map(|generation| generation.blocks * generation.scores.len() as u64);
            played.sum::<u64>() as f64 * block
        };
        let rounds = f64::from(spec.search.rounds.unwrap_or(0));
        let finalists = spec.search.runs.unwrap_or(0) as f64 + 1.0;
        let compared = 2.0 * spec.reporting.blocks as f64 * block;
        let rotations = tuning.sides.rotations as f64;
        let all = [
            (Stage::Tuning, tried(&self.tuning) / share.max(1e-9)),
            (
                Stage::Selection,
                rounds * finalists * spec.blocks as f64 * block,
            ),
            (Stage::InSample, compared),
            (Stage::Validation, spec.validation.blocks as f64 * rotations),
            (Stage::HeldOut, compared),
        ];
        let ahead = all.iter().skip_while(|(which, _)| *which != stage);
        let left = |(which, games): &(Stage, f64)| {
            let played = if *which == stage { share } else { 0.0 };
            games * (1.0 - played).max(0.0)
        };
        ahead.map(left).sum()
    }
}
