//! The files of a finished match.

use serde::Serialize;

use crate::engine::race::Race;
use crate::experiment::duel::spec::Match;
use crate::experiment::duel::{self, Duel, DuelState};
use crate::experiment::record::RecordError;
use crate::experiment::spec::engine_fingerprint;
use crate::experiment::study_folder::{MATCH, StudyFolder};
use crate::stats::Estimate;

use super::csv;
use super::run_json::GIT;

/// A row of `match.csv`: one direction.
#[derive(Serialize, Default)]
struct Row {
    direction: String,
    bot: String,
    other: String,
    verdict: String,
    blocks: u64,
    games: u64,
    capped: u64,
    diverged: u64,
    share: Option<f64>,
    share_low: Option<f64>,
    share_high: Option<f64>,
    fair_share: f64,
    margin: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: Option<f64>,
    variance_ratio: Option<f64>,
    llr: Option<f64>,
    steps: u32,
    scores: String,
}

fn row<G: Race>(duel: &Duel<G>, state: &DuelState) -> Row {
    let outcome = duel.outcome(state);
    let six = |value: f64| (value * 1e6).round() / 1e6;
    let value = |estimate: Option<Estimate>| estimate.map(|estimate| six(estimate.value));
    let ends = |estimate: Option<Estimate>| estimate.and_then(|estimate| estimate.interval);
    let grid = state.grid();
    let scores: Vec<String> = grid.counts().iter().map(ToString::to_string).collect();
    Row {
        direction: duel.direction.to_string(),
        bot: duel.bots[0].name.clone(),
        other: duel.bots[1].name.clone(),
        verdict: state.verdict.to_string(),
        blocks: state.blocks,
        games: state.games,
        capped: state.capped,
        diverged: state.diverged,
        share: value(outcome.share),
        share_low: ends(outcome.share).map(|ends| six(ends.low)),
        share_high: ends(outcome.share).map(|ends| six(ends.high)),
        fair_share: six(duel.fair()),
        margin: six(duel.margin().share()),
        elo: value(outcome.elo),
        elo_low: ends(outcome.elo).map(|ends| six(ends.low)),
        elo_high: ends(outcome.elo).map(|ends| six(ends.high)),
        superiority: outcome.superiority.map(six),
        variance_ratio: outcome.variance_ratio.map(six),
        llr: outcome.llr.map(six),
        steps: grid.steps(),
        scores: scores.join(" "),
    }
}

/// The `run.json` of a match. Everything but `timing` and `git` is the same for the same spec and version.
#[derive(Serialize)]
struct Run<'a> {
    schema: u32,
    kind: &'static str,
    state: &'static str,
    version: String,
    git: &'static str,
    game: &'static str,
    spec_hash: String,
    seed: u64,
    games: u64,
    verdict: &'a str,
    exit_code: u8,
    bots: Vec<BotLine<'a>>,
    /// Whether a larger budget may say more; the checkpoint is kept then.
    undecided: bool,
    timing: Timing,
}

#[derive(Serialize)]
struct BotLine<'a> {
    name: &'a str,
    policy: &'a str,
    hash: String,
}

/// How long a match took.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Timing {
    /// Seconds of this run; of a resumed match only the last one's.
    pub wall_seconds: f64,
    /// Worker threads.
    pub threads: usize,
}

/// What a match says in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict<'a> {
    /// The verdict of all directions together.
    pub word: &'a str,
    /// The exit code that tells it.
    pub exit_code: u8,
    /// The same for people.
    pub text: &'a str,
}

/// Writes all results of a finished match; `run.json` comes last.
///
/// # Errors
/// When a file cannot be written; those written before stay, and the checkpoint too.
pub fn write<G: Race>(
    folder: &StudyFolder,
    this: &Match<G>,
    states: &[DuelState],
    verdict: Verdict<'_>,
    timing: Timing,
) -> Result<(), RecordError> {
    let rows: Vec<Row> = this
        .duels
        .iter()
        .zip(states)
        .map(|(duel, state)| row(duel, state))
        .collect();
    csv::write(&folder.path().join("match.csv"), &rows)?;
    folder.write("match.txt", verdict.text.as_bytes())?;
    let run = Run {
        schema: 1,
        kind: MATCH.name,
        state: "complete",
        version: engine_fingerprint(),
        git: GIT,
        game: G::NAME,
        spec_hash: this.job(),
        seed: this.spec.seed,
        games: states.iter().map(|state| state.games).sum(),
        verdict: verdict.word,
        exit_code: verdict.exit_code,
        bots: this.duels[0]
            .bots
            .iter()
            .map(|bot| BotLine {
                name: &bot.name,
                policy: &bot.policy,
                hash: bot.hash(),
            })
            .collect(),
        undecided: is_undecided(states),
        timing,
    };
    let text = serde_json::to_string_pretty(&run).expect("a run can be written as JSON") + "\n";
    folder.write("run.json", text.as_bytes())
}

/// Whether a direction has no verdict.
pub fn is_undecided(states: &[DuelState]) -> bool {
    let mut states = states.iter();
    states.any(|state| state.verdict == duel::Verdict::Undecided)
}

/// The exit code that a finished match in a folder had; none if there is none.
pub fn exit_code(folder: &std::path::Path) -> Option<u8> {
    let text = std::fs::read_to_string(folder.join("run.json")).ok()?;
    let run: serde_json::Value = serde_json::from_str(&text).ok()?;
    run["exit_code"].as_u64()?.try_into().ok()
}
