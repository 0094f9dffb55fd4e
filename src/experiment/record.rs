//! Records: the counts of ranges of blocks, as files.
//!
//! A record is named by its job and range and written atomically, so a run on one machine is the
//! same thing as many shards merged, and resuming is asking which ranges are missing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::file;
use crate::engine::game::Game;

use super::runner::empty_tally;
use super::spec::Experiment;
use super::tally::Tally;

/// The version of the record format.
pub const SCHEMA: u32 = 1;

/// The counts of the blocks `lo..hi` of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the format.
    pub schema: u32,
    /// The job: a hash of everything that decides the numbers.
    pub job: String,
    /// The first block.
    pub lo: u64,
    /// One past the last block.
    pub hi: u64,
    /// The counts.
    pub tally: Tally,
    /// The hash of everything above.
    pub digest: String,
    /// What says nothing about the games; left out of every comparison.
    pub meta: Meta,
}

/// What a record says about its making.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// Seconds of wall-clock time.
    pub wall_seconds: f64,
    /// Seconds of processor time, over all threads.
    pub cpu_seconds: f64,
    /// For each bot that searches: decisions and the nanoseconds they took, in the order of the
    /// bots; zeros for the others.
    pub decisions: Vec<(u64, u64)>,
}

/// A folder of records that cannot be used, or a run that cannot fill it.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file that cannot be read or written.
    #[error("{path}: {reason}")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A bot that cannot choose any more.
    #[error("bot '{bot}': {reason}")]
    Bot {
        /// The bot.
        bot: String,
        /// What happened.
        reason: String,
    },
    /// A file that is no record of this job.
    #[error("{path}: {reason}")]
    Foreign {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two records that share a block.
    #[error("{path}: blocks {lo}..{hi} are counted by {other} too; delete one of the two")]
    Overlap {
        /// The second file.
        path: String,
        /// The name of the first.
        other: String,
        /// Its first block.
        lo: u64,
        /// One past its last block.
        hi: u64,
    },
}

/// An error at a path.
pub fn io_error(path: &Path, error: &io::Error) -> RecordError {
    RecordError::Io {
        path: path.display().to_string(),
        reason: crate::engine::notation::io_reason(error),
    }
}

/// Whether a path is that of a record or of its rows or texts of games, of whichever job.
pub fn is_record_file(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let endings = [".json", ".games", ".texts"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending));
    let parts: Vec<&str> = stem.map_or_else(Vec::new, |stem| stem.split('-').collect());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    matches!(parts[..], [job, lo, hi] if is_hash(job) && is_number(lo) && is_number(hi))
}

impl Record {
    /// The record of the blocks `lo..hi`.
    pub fn new(job: &str, lo: u64, hi: u64, tally: Tally, meta: Meta) -> Record {
        Record {
            schema: SCHEMA,
            job: job.to_owned(),
            lo,
            hi,
            digest: digest(job, lo, hi, &tally),
            tally,
            meta,
        }
    }

    /// The name of the file of a range.
    pub fn file_name(job: &str, lo: u64, hi: u64) -> String {
        format!("{job}-{lo}-{hi}.json")
    }

    /// Writes the record into a folder of records. A record that is already there stays.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), RecordError> {
        let path = folder.join(Record::file_name(&self.job, self.lo, self.hi));
        if path.exists() {
            return Ok(());
        }
        let text = serde_json::to_string(self).expect("a record can be written as JSON");
        write_atomically(&path, |file| file.write_all(text.as_bytes()))
    }

    /// Reads all records of an experiment in a folder, in the order of their blocks.
    ///
    /// # Errors
    /// When a file cannot be read, is broken, or two records overlap.
    pub fn read_all<G: Game>(
        folder: &Path,
        experiment: &Experiment<G>,
    ) -> Result<Vec<Record>, RecordError> {
        let job = experiment.job();
        let shape = empty_tally(experiment);
        let mut records: Vec<(Record, PathBuf)> = Vec::new();
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io_error(folder, &error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| io_error(folder, &error))?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let foreign = |reason: String| RecordError::Foreign {
                path: path.display().to_string(),
                reason,
            };
            let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
            let record: Record = serde_json::from_str(&text)
                .map_err(|error| foreign(format!("no record: {error}; {AGAIN}")))?;
            if record.schema != SCHEMA {
                return Err(foreign(format!(
                    "a record of schema {}, this racelab reads {SCHEMA}; {AGAIN}",
                    record.schema
                )));
            }
            if record.job != job {
                return Err(foreign(format!(
                    "a record of job {}, this one is {job}; move it away",
                    record.job
                )));
            }
            let named = Record::file_name(&record.job, record.lo, record.hi);
            let honest = record.tally.has_the_shape_of(&shape)
                && record.digest == digest(&job, record.lo, record.hi, &record.tally)
                && record.hi.checked_sub(record.lo) == Some(record.tally.blocks)
                && record.hi <= experiment.spec.blocks
                && path.file_name().is_some_and(|name| *name == *named);
            if !honest {
                return Err(foreign(format!(
                    "its counts are not those of the blocks in its name; {AGAIN}"
                )));
            }
            records.push((record, path));
        }
        records.sort_by_key(|(record, _)| record.lo);
        for pair in records.windows(2) {
            let (first, (second, path)) = (&pair[0].0, &pair[1]);
            if second.lo < first.hi {
                return Err(RecordError::Overlap {
                    path: path.display().to_string(),
                    other: Record::file_name(&first.job, first.lo, first.hi),
                    lo: second.lo,
                    hi: second.hi,
                });
            }
        }
        Ok(records.into_iter().map(|(record, _)| record).collect())
    }
}

/// What to do about a broken record.
const AGAIN: &str = "delete it and its blocks are played again";

/// The hash of what a record says about the games.
fn digest(job: &str, lo: u64, hi: u64, tally: &Tally) -> String {
    let text = serde_json::to_vec(&(SCHEMA, job, lo, hi, tally)).expect("a tally can be written");
    blake3::hash(&text).to_hex()[..16].to_owned()
}

/// The ranges of `0..blocks` that no record covers, ascending.
pub fn missing(records: &[Record], blocks: u64) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for record in records {
        if record.lo > next {
            gaps.push((next, record.lo));
        }
        next = record.hi;
    }
    if next < blocks {
        gaps.push((next, blocks));
    }
    gaps
}

/// Writes a file so that after any interruption there is the old file or the new, never a part:
/// beside it, synced, renamed, and the folder synced.
///
/// # Errors
/// When the file cannot be written.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut io::BufWriter<&File>) -> io::Result<()>,
) -> Result<(), RecordError> {
    write_from(path, |out| {
        write(out).map_err(|error| io_error(path, &error))
    })
}

/// Writes a file like [`write_atomically`], out of others whose errors name them.
///
/// # Errors
/// When the file cannot be written, and those of `write`.
pub fn write_from(
    path: &Path,
    write: impl FnOnce(&mut io::BufWriter<&File>) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let written = file::write_atomically(path, |out| write(out).map_err(Unwritten::Cause));
    written.map_err(|error| match error {
        Unwritten::Here(error) => io_error(path, &error),
        Unwritten::Cause(error) => error,
    })
}

/// Why a file was not written: itself, or what went into it.
enum Unwritten {
    Here(io::Error),
    Cause(RecordError),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::Here(error)
    }
}
