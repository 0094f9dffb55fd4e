//! Bear-off databases as files: built once, read by every later run.
//!
//! Little-endian throughout:
//!
//! ```text
//! bytes   0-15    "racelab bearoff\n"
//!        16-19    version of the format
//!        20-23    1 one-sided, 2 two-sided
//!        24-27    checkers
//!        28-31    points
//!        32-39    bytes of the payload
//!        40-      the payload
//!        then 32  BLAKE3 of everything before
//! ```

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::engine::file::write_bytes;
use crate::engine::notation::io_reason;

use super::index::Index;

/// How a file begins.
const MAGIC: [u8; 16] = *b"racelab bearoff\n";
/// The version of the format.
const VERSION: u32 = 1;
/// Bytes before the payload.
const HEADER: usize = 40;
/// Bytes of the checksum.
const CHECKSUM: usize = 32;
/// What to do about a broken file.
const AGAIN: &str = "delete it and run 'racelab exact backgammon-bearoff' to build it again";

/// A table over an [`Index`] that can be built and kept in a file.
pub trait Database: Sized {
    /// What it is called in messages and names of files.
    const NAME: &'static str;
    /// What it is called in the file.
    const TAG: u32;
    /// The most positions of a side it is built for.
    const MAX_POSITIONS: usize;

    /// Computes the table, on all threads of rayon's pool; its bytes do not depend on them. See
    /// [`build`], which looks at the size first.
    fn build(index: Index) -> Self;

    /// The positions in it.
    fn index(&self) -> Index;

    /// The content of its file.
    fn payload(&self) -> Vec<u8>;

    /// The table with this content; `None` when no table has it.
    fn from_payload(index: Index, bytes: &[u8]) -> Option<Self>;
}

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It would not fit into memory.
    #[error(
        "a {name} database of {checkers} checkers on {points} points has {positions} positions of \
         a side, more than {most}; ask for fewer checkers or points"
    )]
    TooLarge {
        /// Which database.
        name: &'static str,
        /// The checkers asked for.
        checkers: u8,
        /// The points asked for.
        points: u8,
        /// Positions of a side.
        positions: usize,
        /// The most there may be.
        most: usize,
    },
    /// A file or folder that cannot be read or written.
    #[error("{path}: {reason}")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A file that does not hold the database.
    #[error("{path}: {reason}; {AGAIN}")]
    Foreign {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn io_error(path: &Path, error: &io::Error) -> DatabaseError {
    DatabaseError::Io {
        path: path.display().to_string(),
        reason: io_reason(error),
    }
}

/// Computes a database, on all threads of rayon's pool; its bytes do not depend on them.
///
/// # Errors
/// When it has more positions than [`Database::MAX_POSITIONS`].
pub fn build<D: Database>(index: Index) -> Result<D, DatabaseError> {
    if index.len() > D::MAX_POSITIONS {
        return Err(DatabaseError::TooLarge {
            name: D::NAME,
            checkers: index.checkers(),
            points: index.points(),
            positions: index.len(),
            most: D::MAX_POSITIONS,
        });
    }
    Ok(D::build(index))
}

/// The name of a database's file, as `bearoff-one-sided-15x6.bin` for 15 checkers on 6 points.
pub fn file_name<D: Database>(index: Index) -> String {
    let (checkers, points) = (index.checkers(), index.points());
    format!("bearoff-{}-{checkers}x{points}.bin", D::NAME)
}

/// The database in a folder; if it is not there yet, it is built and written. The folder is made
/// if need be.
///
/// # Errors
/// When it is too large, or its file is broken, cannot be read, or not written.
pub fn load_or_build<D: Database>(folder: &Path, index: Index) -> Result<D, DatabaseError> {
    let path: PathBuf = folder.join(file_name::<D>(index));
    if path.exists() {
        return read(&path, index);
    }
    fs::create_dir_all(folder).map_err(|error| io_error(folder, &error))?;
    let database = build(index)?;
    write(&database, &path)?;
    Ok(database)
}

/// The bytes of a database's file; the last 32 are the BLAKE3 of those before.
pub fn bytes<D: Database>(database: &D) -> Vec<u8> {
    let payload = database.payload();
    let mut bytes = header::<D>(database.index(), payload.len());
    bytes.extend(payload);
    let checksum = blake3::hash(&bytes);
    bytes.extend(checksum.as_bytes());
    bytes
}

/// Writes a database so that after any interruption there is the old file or the new, never a
/// part: beside it, synced, renamed, and the folder synced.
///
/// # Errors
/// When the file cannot be written.
pub fn write<D: Database>(database: &D, path: &Path) -> Result<(), DatabaseError> {
    write_bytes(path, &bytes(database)).map_err(|error| io_error(path, &error))
}

/// Reads a database of this size.
///
/// # Errors
/// When the file cannot be read, is no such database, or not a whole one.
pub fn read<D: Database>(path: &Path, index: Index) -> Result<D, DatabaseError> {
    let content = read_content::<D>(path, index).map_err(|error| io_error(path, &error))?;
    content.map_err(|reason| DatabaseError::Foreign {
        path: path.display().to_string(),
        reason,
    })
}

/// What a file of this payload begins with.
fn header<D: Database>(index: Index, payload: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let fields = [
        VERSION,
        D::TAG,
        index.checkers().into(),
        index.points().into(),
    ];
    bytes.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
    bytes.extend((payload as u64).to_le_bytes());
    bytes
}

/// The database in a file, or what is wrong with it. The beginning is checked first, so that
/// nothing else is read whole.
fn read_content<D: Database>(path: &Path, index: Index) -> io::Result<Result<D, String>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(HEADER as u64).read_to_end(&mut bytes)?;
    let payload = match check_header::<D>(&bytes, index) {
        Ok(payload) => payload,
        Err(reason) => return Ok(Err(reason)),
    };
    let expected = payload.saturating_add((HEADER + CHECKSUM) as u64);
    let length = file.metadata()?.len();
    if length != expected {
        return Ok(Err(format!("{length} bytes long instead of {expected}")));
    }
    file.read_to_end(&mut bytes)?;
    Ok(check_content(&bytes, index))
}

/// The bytes of the payload, after a header that is right for the database.
fn check_header<D: Database>(bytes: &[u8], index: Index) -> Result<u64, String> {
    if !bytes.starts_with(&MAGIC) {
        return Err("no bear-off database".to_owned());
    }
    if bytes.len() < HEADER {
        return Err(format!("only {} bytes long", bytes.len()));
    }
    let (fields, _) = bytes[MAGIC.len()..].as_chunks();
    let version = u32::from_le_bytes(fields[0]);
    if version != VERSION {
        return Err(format!(
            "a bear-off database of version {version}, this racelab reads {VERSION}"
        ));
    }
    if !bytes.starts_with(&header::<D>(index, 0)[..HEADER - 8]) {
        let (checkers, points) = (index.checkers(), index.points());
        let name = D::NAME;
        return Err(format!(
            "not the {name} database of {checkers} checkers on {points} points"
        ));
    }
    let payload = bytes[HEADER - 8..].try_into().expect("8 bytes are left");
    Ok(u64::from_le_bytes(payload))
}

/// The database in the bytes of a whole file.
fn check_content<D: Database>(bytes: &[u8], index: Index) -> Result<D, String> {
    let split = bytes.split_last_chunk::<CHECKSUM>();
    let (hashed, checksum) = split
        .filter(|(hashed, _)| hashed.len() >= HEADER)
        .ok_or("cut off")?;
    if blake3::hash(hashed) != *checksum {
        return Err("its checksum is not that of its content".to_owned());
    }
    let database = D::from_payload(index, &hashed[HEADER..]);
    database.ok_or_else(|| "its numbers are not those of a bear-off".to_owned())
}
