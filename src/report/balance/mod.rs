//! The files of a finished study of balance.

mod page;
mod text;

use serde::Serialize;

use crate::engine::race::Race;
use crate::experiment::balance::results::Results;
use crate::experiment::balance::run::{Kind, StudyState};
use crate::experiment::balance::spec::Study;
use crate::experiment::record::RecordError;
use crate::experiment::spec::engine_fingerprint;
use crate::experiment::study_folder::{BALANCE, StudyFolder};

use super::csv;
use super::run_json::GIT;

pub use text::block;

/// What was studied, for the head of a report.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StudyInfo {
    /// The headline: the name of the spec.
    pub title: String,
    /// What was asked, as label and value.
    pub facts: Vec<(String, String)>,
    /// The rule sets, by their labels.
    pub rules: Vec<String>,
    /// The probability of a wrong verdict, in percent.
    pub alpha: String,
    /// What to know about the design; empty if nothing.
    pub remark: String,
}

/// The command that plays a study again from its folder.
pub const COMMAND: &str = "racelab balance spec.toml --out again";

/// What was studied.
pub fn info<G: Race>(study: &Study<G>) -> StudyInfo {
    let spec = &study.spec;
    let joined = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(", ");
    let margins = joined(
        &mut study
            .cells
            .iter()
            .map(|cells| format!("±{} at {}", cells.margin, cells.seats)),
    );
    let mut facts = vec![
        ("game", G::NAME.to_owned()),
        ("preset", spec.preset.clone()),
        (
            "seats",
            joined(&mut study.cells.iter().map(|cells| cells.seats.to_string())),
        ),
        (
            "bots",
            joined(&mut study.bots.iter().map(|bot| bot.name.clone())),
        ),
        ("margin of seats", margins),
        ("margin of strategies", format!("+{}", spec.strategy_margin)),
        ("error probability", format!("{} %", percent(spec.alpha))),
    ];
    if study.has_options() {
        facts.push(("options", joined(&mut spec.options.iter().cloned())));
        facts.push(("named question", spec.primary.clone()));
    }
    facts.push(("seed", spec.seed.to_string()));
    facts.push(("spec", study.job()));
    let facts = facts
        .into_iter()
        .map(|(label, value)| (label.to_owned(), value));
    StudyInfo {
        title: spec.name.clone(),
        facts: facts.collect(),
        rules: (0..study.design.runs())
            .map(|run| study.rules_label(run))
            .collect(),
        alpha: percent(spec.alpha),
        remark: study.design.remark(spec.design).unwrap_or_default(),
    }
}

fn percent(share: f64) -> String {
    ((share * 1e8).round() / 1e6).to_string()
}

/// How long a study took.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Timing {
    /// Seconds of this run; of a resumed study only the last one's.
    pub wall_seconds: f64,
    /// Worker threads.
    pub threads: usize,
}

/// The `run.json` of a study. Everything but `timing` and `git` is the same for the same spec and version.
#[derive(Serialize)]
struct Run<'a> {
    schema: u32,
    kind: &'static str,
    state: &'static str,
    name: &'a str,
    version: String,
    git: &'static str,
    game: &'static str,
    spec_hash: String,
    seed: u64,
    games: u64,
    rule_sets: usize,
    resolution: Option<usize>,
    bots: Vec<BotLine<'a>>,
    luck: Vec<LuckLine>,
    warnings: &'a [String],
    failures: &'a [String],
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

/// A value function that was fixed before luck was measured with it.
#[derive(Serialize)]
struct LuckLine {
    seats: String,
    rules: String,
    bots: String,
    u: String,
    temperature_of_course: f64,
    beta: f64,
}

/// Writes all results of a finished study; `run.json` comes last.
///
/// # Errors
/// When a file cannot be written; those written before stay, and the checkpoint too.
pub fn write<G: Race>(
    folder: &StudyFolder,
    study: &Study<G>,
    state: &StudyState,
    results: &Results,
    timing: Timing,
) -> Result<(), RecordError> {
    let path = |name: &str| folder.path().join(name);
    let info = info(study);
    csv::write(&path("verdicts.csv"), &results.verdicts)?;
    csv::write(&path("seats.csv"), &results.seats)?;
    csv::write(&path("bots.csv"), &results.bots)?;
    csv::write(&path("effects.csv"), &results.effects)?;
    csv::write(&path("game.csv"), &results.game)?;
    folder.write("verdict.txt", text::block(results, &info).as_bytes())?;
    folder.write("report.html", page::page(results, &info).as_bytes())?;
    let run = Run {
        schema: 1,
        kind: BALANCE.name,
        state: "complete",
        name: &study.spec.name,
        version: engine_fingerprint(),
        git: GIT,
        game: G::NAME,
        spec_hash: study.job(),
        seed: study.spec.seed,
        games: results.games,
        rule_sets: study.design.runs(),
        resolution: study.design.resolution,
        bots: study
            .bots
            .iter()
            .map(|bot| BotLine {
                name: &bot.name,
                policy: &bot.policy,
                hash: bot.hash(),
            })
            .collect(),
        luck: luck_lines(study, state),
        warnings: &results.warnings,
        failures: &results.failures,
        undecided: study.is_undecided(state),
        timing,
    };
    let text = serde_json::to_string_pretty(&run).expect("a run can be written as JSON") + "\n";
    folder.write("run.json", text.as_bytes())
}

fn luck_lines<G: Race>(study: &Study<G>, state: &StudyState) -> Vec<LuckLine> {
    let mut lines = Vec::new();
    for (family, state) in study.families().into_iter().zip(&state.0) {
        let Kind::Luck(hero, others) = family.kind else {
            continue;
        };
        for (run, frozen) in state.runs.iter().map(|run| run.frozen).enumerate() {
            lines.extend(frozen.map(|frozen| LuckLine {
                seats: study.cells[family.cells].seats.to_string(),
                rules: study.rules_label(run),
                bots: format!(
                    "{} against {}",
                    study.bots[hero].name, study.bots[others].name
                ),
                u: frozen.hash::<G>(),
                temperature_of_course: f64::from(frozen.temperature) / 1e3,
                beta: f64::from(frozen.beta) / 1e3,
            }));
        }
    }
    lines
}
