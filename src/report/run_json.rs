//! `run.json`: where the numbers of a result folder come from.

use serde::Serialize;

use crate::engine::game::Game;
use crate::experiment::record::Record;
use crate::experiment::spec::Experiment;
use crate::experiment::summary::{Length, Summary};
use crate::stats::exact;

/// The file. Everything but `timing` is the same for the same spec, seed and version.
#[derive(Serialize)]
struct Run<'a> {
    schema: u32,
    state: &'static str,
    name: &'a str,
    version: &'static str,
    git: &'static str,
    game: &'static str,
    spec_hash: String,
    rules_hash: String,
    #[serde(with = "exact")]
    seed: u64,
    blocks: u64,
    games: u64,
    capped: u64,
    rolls: u64,
    idle_rolls: u64,
    choices: u64,
    captures: u64,
    bots: Vec<BotLine<'a>>,
    length: Lengths<'a>,
    warnings: &'a [String],
    timing: Timing<'a>,
}

#[derive(Serialize)]
struct BotLine<'a> {
    name: &'a str,
    policy: &'a str,
    hash: String,
}

#[derive(Serialize)]
struct Lengths<'a> {
    rolls: &'a Length,
    turns: &'a Length,
}

#[derive(Serialize)]
struct Timing<'a> {
    wall_seconds: f64,
    cpu_seconds: f64,
    threads: usize,
    games_per_second: f64,
    games_per_cpu_second: f64,
    decisions: Vec<DecisionLine<'a>>,
}

/// How long a bot that searches thinks.
#[derive(Serialize)]
struct DecisionLine<'a> {
    bot: &'a str,
    decisions: u64,
    mean_microseconds: f64,
}

/// The version and, where it is known, the revision this program was built from.
pub const GIT: &str = env!("RACELAB_GIT");

/// The text of `run.json` of a finished run.
pub fn text<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    summary: &Summary,
    threads: usize,
) -> String {
    let wall: f64 = records.iter().map(|record| record.meta.wall_seconds).sum();
    let cpu: f64 = records.iter().map(|record| record.meta.cpu_seconds).sum();
    let rate = |seconds: f64| {
        if seconds > 0.0 {
            (summary.games as f64 / seconds).round()
        } else {
            0.0
        }
    };
    let seconds = |value: f64| (value * 1e3).round() / 1e3;
    let bots = experiment.bots.iter().map(|bot| BotLine {
        name: &bot.name,
        policy: &bot.policy,
        hash: bot.hash(),
    });
    let decisions = experiment
        .bots
        .iter()
        .enumerate()
        .filter_map(|(index, bot)| {
            let of_bot = |record: &Record| {
                record
                    .meta
                    .decisions
                    .get(index)
                    .copied()
                    .unwrap_or_default()
            };
            let (count, nanos) = records
                .iter()
                .map(of_bot)
                .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            (count > 0).then(|| DecisionLine {
                bot: &bot.name,
                decisions: count,
                mean_microseconds: seconds(nanos as f64 / 1e3 / count as f64),
            })
        });
    let run = Run {
        schema: 1,
        state: "complete",
        name: &experiment.spec.name,
        version: env!("CARGO_PKG_VERSION"),
        git: GIT,
        game: G::NAME,
        spec_hash: experiment.job(),
        rules_hash: experiment.rules_hash(),
        seed: experiment.spec.seed,
        blocks: summary.blocks,
        games: summary.games,
        capped: summary.capped,
        rolls: summary.all_rolls,
        idle_rolls: summary.idle,
        choices: summary.choices,
        captures: summary.captures,
        bots: bots.collect(),
        length: Lengths {
            rolls: &summary.rolls,
            turns: &summary.turns,
        },
        warnings: &summary.warnings,
        timing: Timing {
            wall_seconds: seconds(wall),
            cpu_seconds: seconds(cpu),
            threads,
            games_per_second: rate(wall),
            games_per_cpu_second: rate(cpu),
            decisions: decisions.collect(),
        },
    };
    pretty(&run)
}

/// The text of `run.json` while a run is not finished.
pub fn unfinished<G: Game>(experiment: &Experiment<G>, state: &str, blocks_played: u64) -> String {
    pretty(&serde_json::json!({
        "schema": 1,
        "state": state,
        "name": experiment.spec.name,
        "version": env!("CARGO_PKG_VERSION"),
        "game": G::NAME,
        "spec_hash": experiment.job(),
        "blocks": experiment.spec.blocks,
        "blocks_played": blocks_played,
    }))
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a run can be written as JSON") + "\n"
}
