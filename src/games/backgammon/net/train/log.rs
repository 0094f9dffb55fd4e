//! The progress of a run as a CSV file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checkpoint::RunError;
use crate::engine::file::write_bytes;
use crate::games::backgammon::net::NetError;

/// One line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Games played.
    pub games: u64,
    /// The step size from here on.
    pub step: f64,
    /// Mean equity lost per decision of the reference; empty without one.
    pub loss: Option<f64>,
    /// Share of decisions of the reference that were played best; empty without one.
    pub best: Option<f64>,
}

/// The rows of a log up to a number of games: a run that was killed may have logged more than its
/// checkpoint holds.
pub(super) fn read(path: &Path, games: u64) -> Result<Vec<Row>, RunError> {
    let foreign = |error: csv::Error| NetError::foreign(path, error.to_string());
    let mut rows = Vec::new();
    let mut reader = csv::Reader::from_path(path).map_err(foreign)?;
    for row in reader.deserialize() {
        let row: Row = row.map_err(foreign)?;
        if row.games <= games {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Writes a whole log.
pub(super) fn write(path: &Path, rows: &[Row]) -> Result<(), RunError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is plain numbers");
    }
    let bytes = writer.into_inner().expect("a vector takes every byte");
    write_bytes(path, &bytes).map_err(|error| NetError::io(path, &error))?;
    Ok(())
}
