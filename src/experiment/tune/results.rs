//! What a finished tuning says in numbers.

use std::num::NonZeroU32;

use crate::bots::Bot;
use crate::engine::race::Race;
use crate::experiment::duel::{Outcome, Verdict};
use crate::stats::interval::block_mean;
use crate::stats::selection::best_of;
use crate::stats::{BlockMean, Confidence, Interval, Moments};

use super::run::{Comparison, Course, Stage, TuneState};
use super::search::Generation;
use super::space::{Candidate, plain};
use super::spec::Tuning;

/// A candidate of a generation.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Tuning or selection.
    pub stage: Stage,
    /// The generation or round, from 1.
    pub generation: usize,
    /// The candidate, from 1.
    pub candidate: usize,
    /// Its parameters.
    pub params: Candidate,
    /// Blocks.
    pub blocks: u64,
    /// Its mean score against the panel, 0 to 1.
    pub score: f64,
    /// The 95 % interval of the score from its blocks; `None` if all were equal.
    pub interval: Option<Interval>,
}

/// How much better the candidate scores than the incumbent on the same dice.
#[derive(Clone, PartialEq, Debug)]
pub struct Gain {
    /// Against whom; the whole panel comes last.
    pub opponent: String,
    /// Blocks.
    pub blocks: u64,
    /// The candidate's mean score.
    pub candidate: f64,
    /// The incumbent's.
    pub incumbent: f64,
    /// The difference.
    pub gain: f64,
    /// Its 95 % interval, for a planned number of blocks; `None` if no block differed.
    pub interval: Option<Interval>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// Every candidate that was tried.
    pub rows: Vec<Row>,
    /// Each parameter as it was and as it is.
    pub changes: Vec<(String, String, String)>,
    /// The candidate.
    pub candidate: Bot,
    /// The same under the name it bears if it has won.
    pub tuned: Bot,
    /// Whether the candidate is the bot as it was.
    pub is_kept: bool,
    /// Gains on dice it was tuned on: against each opponent, and against all.
    pub in_sample: Vec<Gain>,
    /// Gains on dice that nobody has seen.
    pub held_out: Vec<Gain>,
    /// The gain in sample minus that held out, with its interval.
    pub shrinkage: Option<(f64, Option<Interval>)>,
    /// The match; `None` if there was nothing to prove.
    pub duel: Option<Outcome>,
    /// The share of wins of equal bots in the match.
    pub fair: f64,
    /// How many points of share above fair are proven: the lower end of the match's confidence sequence.
    pub proven: Option<f64>,
    /// Whether the candidate has won the match.
    pub is_better: bool,
    /// Evaluations of candidates, and by how much noise alone lifts the best looking of so many equal ones.
    pub luck: Option<(u32, f64)>,
    /// Games played.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
}

impl Results {
    /// What the counts of a finished tuning say.
    pub fn new<G: Race>(tuning: &Tuning<G>, state: &TuneState) -> Results {
        let course = Course::new(tuning, state);
        let chosen = course.chosen(tuning);
        let start = tuning.space.start();
        let mut rows = Vec::new();
        for (stage, asked, played) in [
            (Stage::Tuning, &course.asked, &state.tuning),
            (Stage::Selection, &course.finalists, &state.selection),
        ] {
            for ((number, candidates), generation) in (1..).zip(asked).zip(played) {
                rows.extend(of_generation(
                    tuning,
                    (stage, number),
                    candidates,
                    generation,
                ));
            }
        }
        let names = tuning
            .space
            .dimensions
            .iter()
            .zip(start.iter().zip(&chosen));
        let changes =
            names.map(|(dimension, (old, new))| (dimension.name.clone(), plain(old), plain(new)));
        let named = |ending: &str| {
            let name = format!("{}-{ending}", tuning.bot.name);
            tuning.space.bot(&tuning.bot, &chosen, &name)
        };
        let candidate = named("candidate");
        let duel = tuning.duel(&candidate).ok().zip(state.validation.as_ref());
        let outcome = duel.as_ref().map(|(duel, state)| duel.outcome(state));
        let in_sample = gains(tuning, &state.in_sample);
        let held_out = gains(tuning, &state.held_out);
        let fair = 1.0 / tuning.sides.count as f64;
        let interval = outcome.as_ref().and_then(|outcome| outcome.share?.interval);
        Results {
            changes: changes.collect(),
            tuned: named("tuned"),
            candidate,
            is_kept: chosen == start,
            shrinkage: shrinkage(in_sample.last(), held_out.last()),
            in_sample,
            held_out,
            fair,
            proven: interval.map(|interval| interval.low - fair),
            is_better: outcome
                .as_ref()
                .is_some_and(|outcome| outcome.verdict == Verdict::Stronger),
            duel: outcome,
            luck: luck(&rows),
            games: state.games(tuning),
            capped: state.capped(),
            rows,
        }
    }
}

impl TuneState {
    /// Games played so far.
    pub fn games<G: Race>(&self, tuning: &Tuning<G>) -> u64 {
        let of = |generation: &Generation| generation.blocks * generation.scores.len() as u64;
        let tried: u64 = self.tuning.iter().chain(&self.selection).map(of).sum();
        let compared = 2 * (self.in_sample.blocks + self.held_out.blocks);
        let played = self.validation.as_ref().map_or(0, |duel| duel.games);
        (tried + compared) * tuning.games_per_block() + played
    }

    /// Games stopped at the cap.
    pub fn capped(&self) -> u64 {
        let tried = self.tuning.iter().chain(&self.selection);
        tried.map(|generation| generation.capped).sum::<u64>()
            + self.in_sample.capped
            + self.held_out.capped
            + self.validation.as_ref().map_or(0, |duel| duel.capped)
    }
}

/// The mean of block scores, and its interval.
fn mean(scores: &Moments, steps: u32) -> (f64, Option<Interval>) {
    let unit = NonZeroU32::new(steps).unwrap_or(NonZeroU32::MIN);
    let mean = block_mean(scores, unit, Confidence::PERCENT_95);
    let value = mean.as_ref().map_or(0.0, BlockMean::value);
    (value, mean.and_then(|mean| mean.interval()))
}

fn of_generation<'a, G: Race>(
    tuning: &'a Tuning<G>,
    (stage, generation): (Stage, usize),
    candidates: &'a [Candidate],
    played: &'a Generation,
) -> impl Iterator<Item = Row> + 'a {
    let numbered = (1..).zip(candidates).zip(&played.scores);
    numbered.map(move |((candidate, params), scores)| {
        let (score, interval) = mean(scores, tuning.steps());
        Row {
            stage,
            generation,
            candidate,
            params: params.clone(),
            blocks: played.blocks,
            score,
            interval,
        }
    })
}

fn gains<G: Race>(tuning: &Tuning<G>, comparison: &Comparison) -> Vec<Gain> {
    let opponents = tuning.panel.len() as u32;
    let one = tuning.steps() / opponents;
    let names = tuning.panel.iter().map(|bot| (bot.name.clone(), one));
    let names = names.chain([("the panel".to_owned(), tuning.steps())]);
    let members = names.zip(&comparison.members);
    members
        .map(|((opponent, steps), [candidate, incumbent, difference])| {
            let (gain, interval) = mean(difference, steps);
            Gain {
                opponent,
                blocks: comparison.blocks,
                candidate: mean(candidate, steps).0,
                incumbent: mean(incumbent, steps).0,
                gain,
                interval,
            }
        })
        .collect()
}

/// The difference of two gains on different dice: the squares of the half-widths add up.
fn shrinkage(seen: Option<&Gain>, unseen: Option<&Gain>) -> Option<(f64, Option<Interval>)> {
    let (seen, unseen) = (seen?, unseen?);
    let value = seen.gain - unseen.gain;
    let interval = seen.interval.zip(unseen.interval).map(|(a, b)| {
        let (a, b) = (a.half_width(), b.half_width());
        Interval::around(value, (a * a + b * b).sqrt())
    });
    Some((value, interval))
}

/// The evaluations of the search, and what noise alone makes of the best of them: the standard error of a typical score
/// times the expected maximum of as many normal numbers.
fn luck(rows: &[Row]) -> Option<(u32, f64)> {
    let tried: Vec<&Row> = rows
        .iter()
        .filter(|row| row.stage == Stage::Tuning)
        .collect();
    let mut widths: Vec<f64> = tried
        .iter()
        .filter_map(|row| row.interval.map(|interval| interval.half_width()))
        .collect();
    widths.sort_by(f64::total_cmp);
    let typical = widths.get(widths.len() / 2)?;
    let count = u32::try_from(tried.len()).ok()?;
    Some((count, best_of(count)? * typical / 1.96))
}
