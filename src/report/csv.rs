//! Rows as CSV files.

use std::path::Path;

use serde::Serialize;

use crate::experiment::record::{RecordError, write_atomically};

/// Writes rows with their header, atomically. Numbers are written with a point, text as UTF-8,
/// unknown values as empty cells.
///
/// # Errors
/// When the file cannot be written.
pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<(), RecordError> {
    write_atomically(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        for row in rows {
            table.serialize(row)?;
        }
        table.flush()
    })
}
