//! The files of a finished run.

use crate::engine::game::Game;
use crate::experiment::folder::ResultFolder;
use crate::experiment::games_csv;
use crate::experiment::record::{Record, RecordError};
use crate::experiment::spec::Experiment;
use crate::experiment::summary::Summary;

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
    if experiment.spec.games_csv {
        games_csv::join(experiment, records, &folder.records(), &path("games.csv"))?;
    }
    let run = run_json::text(experiment, records, summary, threads);
    folder.write("run.json", run.as_bytes())
}
