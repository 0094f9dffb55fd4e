//! Rows for tables: what the counts of an experiment say, with intervals.
//!
//! Each type here is one row of a CSV file, its fields the columns in order; columns are only ever
//! added at the end, and what is unknown is an empty cell. Intervals are 95 % Student intervals
//! over blocks, never over games.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::Serialize;

use crate::engine::game::{Game, Measure};
use crate::stats::interval::{BlockMean, block_mean};
use crate::stats::variance_ratio::variance_ratio;
use crate::stats::{Confidence, Interval, Moments};

use super::spec::Experiment;
use super::tally::{BotSeat, Pair, Tally};

/// A bot at a seat, or at all seats together: one row of `summary.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct BotRow {
    /// The bot.
    pub bot: String,
    /// The seat, `all` for all together.
    pub seat: String,
    /// Blocks: the n of every interval.
    pub blocks: u64,
    /// Games, counted once for each seat the bot holds.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Share of games won, 0 to 1.
    pub share: Option<f64>,
    /// Lower end of its interval.
    pub share_low: Option<f64>,
    /// Upper end of its interval.
    pub share_high: Option<f64>,
    /// The share of each of equal bots: one over the number of sides, which are seats or teams.
    pub fair_share: f64,
    /// Mean place, 1 is best.
    pub mean_place: Option<f64>,
    /// Lower end of its interval.
    pub place_low: Option<f64>,
    /// Upper end of its interval.
    pub place_high: Option<f64>,
    /// Mean rolls of its games, by all seats.
    pub mean_rolls: Option<f64>,
    /// Mean turns of its games, by all seats.
    pub mean_turns: Option<f64>,
    /// Tokens it sent back.
    pub captures_made: u64,
    /// Tokens it had sent back.
    pub captures_suffered: u64,
    /// Tokens it sent back, a game.
    pub mean_captures_made: Option<f64>,
    /// Tokens it had sent back, a game.
    pub mean_captures_suffered: Option<f64>,
}

/// A bot against another: one row of `pairs.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct PairRow {
    /// The bot.
    pub bot: String,
    /// The other bot.
    pub other: String,
    /// Blocks: the n of the interval.
    pub blocks: u64,
    /// Meetings: games in which both sit, once for each pair of their seats.
    pub meetings: u64,
    /// Meetings in which the bot had the better place.
    pub better: u64,
    /// Meetings with the same place; all meetings of capped games.
    pub same: u64,
    /// Meetings in which the bot had the worse place.
    pub worse: u64,
    /// Share of meetings with the better place, the same place counting half; 0 to 1.
    pub score: Option<f64>,
    /// Lower end of its interval.
    pub score_low: Option<f64>,
    /// Upper end of its interval.
    pub score_high: Option<f64>,
    /// How many times smaller the variance of the score is than if games were independent.
    pub variance_ratio: Option<f64>,
    /// What to know before the numbers are used.
    pub note: String,
}

/// A bot in a line-up: one row of `line_ups.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct LineUpRow {
    /// The number of the line-up, from 1.
    pub line_up: usize,
    /// Its bots in the order of the seats.
    pub bots: String,
    /// The bot this row is about.
    pub bot: String,
    /// Seats it holds.
    pub copies: usize,
    /// Blocks: the n of the interval.
    pub blocks: u64,
    /// Games of the line-up.
    pub games: u64,
    /// Games the bot won, at whichever of its seats.
    pub wins: u64,
    /// Share of games won, 0 to 1.
    pub share: Option<f64>,
    /// Lower end of its interval.
    pub share_low: Option<f64>,
    /// Upper end of its interval.
    pub share_high: Option<f64>,
    /// What equal bots would win: its seats over all seats.
    pub fair_share: f64,
    /// Mean rolls of a finished game.
    pub mean_rolls: Option<f64>,
    /// Mean turns of a finished game.
    pub mean_turns: Option<f64>,
    /// Games stopped at the cap.
    pub capped: u64,
}

/// Something the game counts beside wins, for a bot: one row of `measures.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct MeasureRow {
    /// The bot.
    pub bot: String,
    /// What is counted.
    pub measure: &'static str,
    /// Blocks: the n of the interval.
    pub blocks: u64,
    /// Games (of a match experiment: matches), counted once for each seat the bot holds.
    pub games: u64,
    /// The sum over all games.
    pub total: i64,
    /// The mean of a game.
    pub mean: Option<f64>,
    /// Lower end of its interval.
    pub mean_low: Option<f64>,
    /// Upper end of its interval.
    pub mean_high: Option<f64>,
    /// What to know before the numbers are used.
    pub note: &'static str,
}

/// How many games were so long: one row of `lengths.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct LengthRow {
    /// `rolls` or `turns`.
    pub measure: &'static str,
    /// The least length of this row.
    pub from: u32,
    /// The greatest length of this row.
    pub to: u32,
    /// Finished games of such a length.
    pub games: u64,
    /// Their share of all finished games, 0 to 1.
    pub share: f64,
    /// The share of finished games no longer than `to`, 0 to 1.
    pub cumulative: f64,
}

/// Length of finished games in one measure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Length {
    /// Finished games.
    pub games: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Standard deviation of one game.
    pub sd: Option<f64>,
    /// The least.
    pub min: Option<u32>,
    /// Quantiles: percent and value.
    pub quantiles: Vec<(u32, u32)>,
    /// The greatest.
    pub max: Option<u32>,
}

/// Everything the tables and the report show.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Bots, strongest first, each at all seats and then at each seat.
    pub bots: Vec<BotRow>,
    /// Every ordered pair of bots that met, in the order of `bots`.
    pub pairs: Vec<PairRow>,
    /// Every bot of every line-up.
    pub line_ups: Vec<LineUpRow>,
    /// What the game counts beside wins, for every bot; empty for most games.
    pub measures: Vec<MeasureRow>,
    /// The distribution of lengths.
    pub lengths: Vec<LengthRow>,
    /// Lengths in rolls.
    pub rolls: Length,
    /// Lengths in turns.
    pub turns: Length,
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Rolls of all games.
    pub all_rolls: u64,
    /// Rolls that moved nothing.
    pub idle: u64,
    /// Decisions with more than one legal move.
    pub choices: u64,
    /// Tokens sent back.
    pub captures: u64,
    /// What to know before the numbers are used, a sentence each.
    pub warnings: Vec<String>,
}

/// The percentiles of a length.
const PERCENTS: [u32; 6] = [5, 25, 50, 75, 95, 99];
/// The most rows of a measure in `lengths.csv`.
const MAX_BINS: u32 = 60;
/// Blocks below which intervals are rough.
const FEW_BLOCKS: u64 = 100;

impl Summary {
    /// The rows of an experiment with these counts.
    pub fn new<G: Game>(experiment: &Experiment<G>, tally: &Tally) -> Summary {
        let mut order: Vec<usize> = (0..experiment.bots.len()).collect();
        let seat_games = seat_games(experiment);
        let share = |bot: usize| {
            let games: u64 = seat_games[bot].iter().sum();
            ratio(tally.bots[bot].wins, games * tally.blocks)
        };
        // Strongest first; equals in the order of the spec.
        order.sort_by(|&a, &b| {
            share(b)
                .partial_cmp(&share(a))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let bots = order
            .iter()
            .flat_map(|&bot| bot_rows(experiment, tally, bot, &seat_games[bot]));
        let pairs = order
            .iter()
            .flat_map(|&bot| order.iter().map(move |&other| (bot, other)));
        let pairs = pairs.filter_map(|(bot, other)| pair_row(experiment, tally, bot, other));
        let measures = order
            .iter()
            .flat_map(|&bot| measure_rows(experiment, tally, bot, seat_games[bot].iter().sum()));
        let mut lengths = length_rows("rolls", &tally.rolls);
        lengths.extend(length_rows("turns", &tally.turns));
        Summary {
            bots: bots.collect(),
            pairs: pairs.collect(),
            measures: measures.collect(),
            line_ups: line_up_rows(experiment, tally),
            lengths,
            rolls: length(&tally.rolls),
            turns: length(&tally.turns),
            blocks: tally.blocks,
            games: tally.games,
            capped: tally.capped,
            all_rolls: tally.all_rolls,
            idle: tally.idle,
            choices: tally.choices,
            captures: tally.captures,
            warnings: warnings(tally, experiment.spec.cap),
        }
    }
}

/// Sentences that say when the numbers can mislead, and what to do.
fn warnings(tally: &Tally, cap: u32) -> Vec<String> {
    let mut said = Vec::new();
    if tally.blocks < FEW_BLOCKS {
        said.push(format!(
            "only {}: intervals are rough below {FEW_BLOCKS}; play more with --blocks",
            counted(tally.blocks, "block")
        ));
    }
    if tally.capped > 0 {
        said.push(format!(
            "{} of {} games were stopped at {cap} rolls: nobody won them, pairs count them as \
             equal; raise --cap or look for a bot that does not want to finish",
            tally.capped, tally.games
        ));
    }
    let frozen = tally
        .pairs
        .iter()
        .filter(|pair| !pair.games.is_empty() && pair.points.is_constant());
    let frozen = frozen.count();
    if frozen > 0 && tally.blocks > 1 {
        said.push(format!(
            "{} scored the same in every block: see the notes in pairs.csv",
            counted(frozen as u64, "pair")
        ));
    }
    said
}

/// A count with its noun.
fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// For each bot its games in one block at each seat number.
fn seat_games<G: Game>(experiment: &Experiment<G>) -> Vec<Vec<u64>> {
    let seats = experiment.game.seats().len();
    let mut games = vec![vec![0; seats]; experiment.bots.len()];
    for line_up in &experiment.schedule.line_ups {
        for rotation in 0..line_up.rotations {
            for seat in 0..seats {
                games[line_up.bot(seat, rotation)][seat] += 1;
            }
        }
    }
    games
}

fn bot_rows<G: Game>(
    experiment: &Experiment<G>,
    tally: &Tally,
    bot: usize,
    seat_games: &[u64],
) -> Vec<BotRow> {
    let seats = experiment.game.seats();
    let row = |seat: String, counts: &BotSeat, per_block: u64| {
        let games = per_block * tally.blocks;
        let unit = NonZeroU32::new(per_block as u32);
        let share = unit.and_then(|unit| block_mean(&counts.won, unit, Confidence::PERCENT_95));
        let place = unit.and_then(|unit| block_mean(&counts.places, unit, Confidence::PERCENT_95));
        let share_interval = interval(share.as_ref()).map(|interval| interval.clipped(0.0, 1.0));
        let place_interval =
            interval(place.as_ref()).map(|interval| interval.clipped(1.0, seats.len() as f64));
        BotRow {
            bot: experiment.bots[bot].name.clone(),
            seat,
            blocks: tally.blocks,
            games,
            wins: counts.wins,
            share: share.as_ref().map(|share| round(share.value())),
            share_low: share_interval.map(|interval| round(interval.low)),
            share_high: share_interval.map(|interval| round(interval.high)),
            fair_share: round(experiment.schedule.fair_share()),
            mean_place: place.as_ref().map(|place| round(place.value())),
            place_low: place_interval.map(|interval| round(interval.low)),
            place_high: place_interval.map(|interval| round(interval.high)),
            mean_rolls: ratio(total(&counts.rolls), games),
            mean_turns: ratio(total(&counts.turns), games),
            captures_made: counts.captures,
            captures_suffered: counts.suffered,
            mean_captures_made: ratio(counts.captures, games),
            mean_captures_suffered: ratio(counts.suffered, games),
        }
    };
    let mut rows = vec![row(
        "all".to_owned(),
        &tally.bots[bot],
        seat_games.iter().sum(),
    )];
    for (number, seat) in seats.iter().enumerate() {
        let per_block = seat_games[number];
        let counts = &tally.bot_seats[bot * seats.len() + number];
        if per_block > 0 {
            rows.push(row(seat.to_string(), counts, per_block));
        }
    }
    rows
}

/// Why a mean of points has no interval.
const UNBOUNDED: &str = "no interval: the cube has no bound, so the variance may be infinite; cap \
                         the points of a game with score_cap, or the cube with cube_cap";

fn measure_rows<G: Game>(
    experiment: &Experiment<G>,
    tally: &Tally,
    bot: usize,
    per_block: u64,
) -> Vec<MeasureRow> {
    let bounded = experiment.spec.score_cap.is_some() || experiment.game.scores_are_bounded();
    let measured = G::MEASURES.iter().zip(&tally.bots[bot].measures);
    let row = |(measure, sums): (&Measure, &Moments)| {
        let unit = NonZeroU32::new(per_block as u32);
        let mean = unit.and_then(|unit| block_mean(sums, unit, Confidence::PERCENT_95));
        let refused = measure.is_score && !bounded;
        let interval = interval(mean.as_ref()).filter(|_| !refused);
        // Only a score can be below nothing.
        let least = if measure.is_score {
            f64::NEG_INFINITY
        } else {
            0.0
        };
        let interval = interval.map(|interval| interval.clipped(least, f64::INFINITY));
        MeasureRow {
            bot: experiment.bots[bot].name.clone(),
            measure: measure.name,
            blocks: tally.blocks,
            games: per_block * tally.blocks,
            total: sums.sum() as i64,
            mean: mean.as_ref().map(|mean| round(mean.value())),
            mean_low: interval.map(|interval| round(interval.low)),
            mean_high: interval.map(|interval| round(interval.high)),
            note: if refused { UNBOUNDED } else { "" },
        }
    };
    measured.map(row).collect()
}

fn pair_row<G: Game>(
    experiment: &Experiment<G>,
    tally: &Tally,
    bot: usize,
    other: usize,
) -> Option<PairRow> {
    if bot == other {
        return None;
    }
    let pair: &Pair = tally.pair(bot.min(other), bot.max(other));
    let per_block: usize = experiment
        .schedule
        .line_ups
        .iter()
        .map(|line_up| line_up.rotations * experiment.schedule.meetings(line_up, bot, other))
        .sum();
    let unit = NonZeroU32::new(2 * per_block as u32)?;
    let first = bot < other;
    let mean = block_mean(&pair.points, unit, Confidence::PERCENT_95);
    let mirror = |score: f64| if first { score } else { 1.0 - score };
    let score_interval = interval(mean.as_ref()).map(|interval| {
        let interval = interval.clipped(0.0, 1.0);
        let (low, high) = (mirror(interval.low), mirror(interval.high));
        Interval {
            low: low.min(high),
            high: low.max(high),
        }
    });
    let note = match mean {
        Some(BlockMean::Constant {
            blocks,
            divergence_below,
            ..
        }) if pair.better == pair.worse && pair.better > 0 => format!(
            "no game diverged in {blocks} blocks; divergence rate < {divergence_below:.2e} (95 %)"
        ),
        Some(BlockMean::Constant {
            blocks,
            divergence_below,
            ..
        }) => format!(
            "the same score in all {blocks} blocks; another one in < {divergence_below:.2e} of blocks (95 %)"
        ),
        _ => String::new(),
    };
    let (better, worse) = if first {
        (pair.better, pair.worse)
    } else {
        (pair.worse, pair.better)
    };
    Some(PairRow {
        bot: experiment.bots[bot].name.clone(),
        other: experiment.bots[other].name.clone(),
        blocks: tally.blocks,
        meetings: per_block as u64 * tally.blocks,
        better,
        same: pair.same,
        worse,
        score: mean.as_ref().map(|mean| round(mirror(mean.value()))),
        score_low: score_interval.map(|interval| round(interval.low)),
        score_high: score_interval.map(|interval| round(interval.high)),
        variance_ratio: variance_ratio(&pair.games, &pair.points).map(round),
        note,
    })
}

fn line_up_rows<G: Game>(experiment: &Experiment<G>, tally: &Tally) -> Vec<LineUpRow> {
    let mut rows = Vec::new();
    for (number, (line_up, counts)) in experiment
        .schedule
        .line_ups
        .iter()
        .zip(&tally.line_ups)
        .enumerate()
    {
        let names: Vec<&str> = line_up
            .bots
            .iter()
            .map(|&bot| experiment.bots[bot].name.as_str())
            .collect();
        let games = line_up.rotations as u64 * tally.blocks;
        for (bot, wins) in line_up.members().into_iter().zip(&counts.wins) {
            let mut won = Moments::EMPTY;
            for (wins, &blocks) in (0..).zip(wins) {
                won.push_times(wins, blocks);
            }
            let unit = NonZeroU32::new(line_up.rotations as u32).expect("a line-up has a rotation");
            let share = block_mean(&won, unit, Confidence::PERCENT_95);
            let share_interval =
                interval(share.as_ref()).map(|interval| interval.clipped(0.0, 1.0));
            rows.push(LineUpRow {
                line_up: number + 1,
                bots: names.join(" "),
                bot: experiment.bots[bot].name.clone(),
                copies: line_up.copies(bot),
                blocks: tally.blocks,
                games,
                wins: total(&won),
                share: share.as_ref().map(|share| round(share.value())),
                share_low: share_interval.map(|interval| round(interval.low)),
                share_high: share_interval.map(|interval| round(interval.high)),
                fair_share: round(experiment.schedule.fair_share_of(line_up, bot)),
                mean_rolls: counts.rolls.mean().map(round),
                mean_turns: counts.turns.mean().map(round),
                capped: counts.capped,
            });
        }
    }
    rows
}

fn length_rows(measure: &'static str, lengths: &BTreeMap<u32, u64>) -> Vec<LengthRow> {
    let (Some((&least, _)), Some((&most, _))) =
        (lengths.first_key_value(), lengths.last_key_value())
    else {
        return Vec::new();
    };
    let nice = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u32.pow(power)));
    let width = nice
        .into_iter()
        .find(|width| most / width - least / width < MAX_BINS)
        .unwrap_or(u32::MAX);
    let all: u64 = lengths.values().sum();
    let mut so_far = 0;
    let bins = least / width..=most / width;
    let row = |bin: u32| {
        let (from, to) = (bin * width, bin * width + (width - 1));
        let games: u64 = lengths.range(from..=to).map(|(_, &games)| games).sum();
        so_far += games;
        LengthRow {
            measure,
            from,
            to,
            games,
            share: round(games as f64 / all as f64),
            cumulative: round(so_far as f64 / all as f64),
        }
    };
    bins.map(row).collect()
}

fn length(lengths: &BTreeMap<u32, u64>) -> Length {
    let mut moments = Moments::EMPTY;
    for (&length, &games) in lengths {
        moments.push_times(length.into(), games);
    }
    let quantile = |percent: u32| {
        // The smallest length that at least this share of the games does not exceed.
        let needed = (u128::from(moments.n()) * u128::from(percent))
            .div_ceil(100)
            .max(1) as u64;
        let mut so_far = 0;
        let found = lengths.iter().find(|&(_, &games)| {
            so_far += games;
            so_far >= needed
        });
        found.map(|(&length, _)| (percent, length))
    };
    Length {
        games: moments.n(),
        mean: moments.mean().map(round),
        sd: moments.sd().map(round),
        min: lengths.keys().next().copied(),
        quantiles: PERCENTS
            .iter()
            .filter_map(|&percent| quantile(percent))
            .collect(),
        max: lengths.keys().next_back().copied(),
    }
}

fn interval(mean: Option<&BlockMean>) -> Option<Interval> {
    mean.and_then(BlockMean::interval)
}

/// The sum of counts, which are never negative.
fn total(counts: &Moments) -> u64 {
    counts.sum().unsigned_abs() as u64
}

/// A ratio of counts; nothing of nothing is unknown.
fn ratio(count: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| round(count as f64 / of as f64))
}

/// Six decimals: finer than any run resolves, and the same text on every machine.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
