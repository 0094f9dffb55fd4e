//! The files of a finished run.

use crate::engine::game::Game;
use crate::experiment::folder::ResultFolder;
use crate::experiment::record::{Record, RecordError};
use crate::experiment::spec::{Experiment, engine_fingerprint};
use crate::experiment::summary::Summary;
use crate::experiment::{games_csv, saved_games};

use super::html::{self, PageInfo};
use super::{csv, run_json};

/// Writes all results of an experiment whose blocks are all in `records`. `run.json` comes last:
/// where it says `complete`, everything else is there.
///
/// # Errors
/// When a file cannot be written; those written before stay, and the records too.
pub fn write<G: Game>(
    folder: &ResultFolder,
    experiment: &Experiment<G>,
    records: &[Record],
    summary: &Summary,
    threads: usize,
) -> Result<(), RecordError> {
    let path = |name: &str| folder.path().join(name);
    csv::write(&path("summary.csv"), &summary.bots)?;
    csv::write(&path("pairs.csv"), &summary.pairs)?;
    csv::write(&path("line_ups.csv"), &summary.line_ups)?;
    csv::write(&path("lengths.csv"), &summary.lengths)?;
    if !G::MEASURES.is_empty() {
        csv::write(&path("measures.csv"), &summary.measures)?;
    }
    if experiment.spec.games_csv {
        games_csv::join(experiment, records, &folder.records(), &path("games.csv"))?;
    }
    if experiment.spec.save_games.is_some() {
        let games = path(saved_games::FOLDER);
        saved_games::write_files(experiment, records, &folder.records(), &games)?;
    }
    let page = html::page(summary, &page_info(experiment));
    folder.write("report.html", page.as_bytes())?;
    let run = run_json::text(experiment, records, summary, threads);
    folder.write("run.json", run.as_bytes())
}

/// What was played, for the head of a report.
pub fn page_info<G: Game>(experiment: &Experiment<G>) -> PageInfo {
    let spec = &experiment.spec;
    let rules = &spec.preset;
    let changes = experiment.rule_changes();
    let rules = if changes.is_empty() {
        rules.clone()
    } else {
        format!("{rules}, but {}", changes.join(", "))
    };
    let facts = [
        ("game", G::NAME.to_owned()),
        ("rules", rules),
        ("seats", experiment.game.seats().to_string()),
        ("schedule", spec.schedule.to_string()),
        ("seatings", spec.seatings.to_string()),
        ("seed", spec.seed.to_string()),
        ("spec", experiment.job()),
    ];
    PageInfo {
        title: spec.name.clone(),
        facts: facts.map(|(label, value)| (label.to_owned(), value)).into(),
        command: "racelab tournament spec.toml --out again".to_owned(),
        version: engine_fingerprint(),
    }
}
