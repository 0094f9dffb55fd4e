//! Rows as CSV files.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::experiment::record::{RecordError, write_atomically};

/// Writes rows with their header, atomically. Numbers are written with a point, text as UTF-8,
/// unknown values as empty cells.
///
/// # Errors
/// When the file cannot be written.
pub fn write<T: Serialize + Default>(path: &Path, rows: &[T]) -> Result<(), RecordError> {
    write_atomically(path, |out| {
        if rows.is_empty() {
            return out.write_all(&header::<T>()?);
        }
        let mut table = csv::Writer::from_writer(out);
        for row in rows {
            table.serialize(row)?;
        }
        table.flush()
    })
}

/// The header of a table without rows: the first line of a table with one.
fn header<T: Serialize + Default>() -> io::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.serialize(T::default())?;
    let mut text = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    let end = text
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |end| end + 1);
    text.truncate(end);
    Ok(text)
}
