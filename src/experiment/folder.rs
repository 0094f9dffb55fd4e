//! Result folders: who may write where, and what is left of an earlier run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::record::{RecordError, TEMPORARY, io_error, write_atomically};
use super::spec::Spec;

/// The folder of the records of an unfinished run.
const RECORDS: &str = "records";
const SPEC: &str = "spec.toml";
const LOCK: &str = "racelab.lock";
/// The file that says a run is finished; it is written last.
const DONE: &str = "run.json";
/// Everything that a run writes.
const FILES: &[&str] = &[
    SPEC,
    "summary.csv",
    "pairs.csv",
    "line_ups.csv",
    "lengths.csv",
    "games.csv",
    "report.html",
    DONE,
];

/// What to do about an earlier run in the same folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// There must be none.
    Refuse,
    /// Go on with it.
    Resume,
    /// Delete what it wrote.
    Replace,
}

/// A result folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A finished result is in the way.
    #[error(
        "{0}: holds a finished result; --force plays it again, --out puts the new one elsewhere"
    )]
    Finished(String),
    /// An unfinished run is in the way.
    #[error("{0}: holds an unfinished run; --resume goes on with it, --force starts over")]
    Unfinished(String),
    /// Files of somebody else are in the way.
    #[error("{0}: is not empty and holds no result of racelab; choose another folder with --out")]
    Taken(String),
    /// There is nothing to go on with.
    #[error("{0}: holds no run to resume; leave out --resume to start one")]
    Nothing(String),
    /// The run there is of another spec.
    #[error(
        "{path}: holds a run of another spec: {differences}; use the same spec, or --force to start over"
    )]
    Differs {
        /// The folder.
        path: String,
        /// The fields that differ, with both values.
        differences: String,
    },
    /// Another process writes there.
    #[error(
        "{0}: another racelab is at work there; wait for it, or choose another folder with --out"
    )]
    Locked(String),
    /// A file that cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl FolderError {
    /// Whether the input is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        !matches!(self, FolderError::Record(_))
    }
}

/// A result folder, held by this process.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// Released when it is closed.
    lock: File,
    finished: bool,
}

impl ResultFolder {
    /// Takes a folder for a run of `spec`, which must be resolved.
    ///
    /// # Errors
    /// When an earlier run or another process is in the way, or the folder cannot be written.
    pub fn open(path: &Path, spec: &Spec, earlier: Earlier) -> Result<ResultFolder, FolderError> {
        let shown = || path.display().to_string();
        let io = |error: &io::Error| FolderError::Record(io_error(path, error));
        let is_ours = path.join(SPEC).exists() || path.join(DONE).exists();
        let is_empty = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(io(&error)),
        };
        let finished = is_finished(&path.join(DONE));
        match earlier {
            Earlier::Refuse if is_ours && finished => return Err(FolderError::Finished(shown())),
            Earlier::Refuse if is_ours => return Err(FolderError::Unfinished(shown())),
            Earlier::Refuse | Earlier::Replace
                if !is_ours && !is_empty && !only_leftovers(path) =>
            {
                return Err(FolderError::Taken(shown()));
            }
            Earlier::Resume if !path.join(SPEC).exists() => {
                return Err(FolderError::Nothing(shown()));
            }
            _ => {}
        }
        fs::create_dir_all(path).map_err(|error| io(&error))?;
        let lock_path = path.join(LOCK);
        let lock = File::create(&lock_path).map_err(|error| io_error(&lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Locked(shown())),
            Err(TryLockError::Error(error)) => return Err(io(&error)),
        }
        let mut folder = ResultFolder {
            path: path.to_owned(),
            lock,
            finished,
        };
        match earlier {
            Earlier::Resume => folder.compare(spec)?,
            Earlier::Replace => folder.clear()?,
            Earlier::Refuse => {}
        }
        folder.remove_leftovers();
        let records = folder.records();
        fs::create_dir_all(&records).map_err(|error| io_error(&records, &error))?;
        if earlier != Earlier::Resume {
            folder.finished = false;
            folder.write(SPEC, spec.to_toml().as_bytes())?;
        }
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the records.
    pub fn records(&self) -> PathBuf {
        self.path.join(RECORDS)
    }

    /// Whether an earlier run has finished, so that there is nothing to resume.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Writes one file of the folder, atomically.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        write_atomically(&self.path.join(name), |file| file.write_all(bytes))
    }

    /// Lets go of the folder after all results are written: the records are no longer needed.
    pub fn finish(self) {
        let _ = fs::remove_dir_all(self.records());
        self.release();
    }

    /// Lets go of the folder with the run unfinished.
    pub fn release(self) {
        let _ = fs::remove_file(self.path.join(LOCK));
        drop(self.lock);
    }

    /// The run there must be of the same spec.
    fn compare(&self, spec: &Spec) -> Result<(), FolderError> {
        let path = self.path.join(SPEC);
        let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
        let there: toml::Table =
            crate::engine::notation::from_toml(&text).map_err(|reason| RecordError::Foreign {
                path: path.display().to_string(),
                reason,
            })?;
        let here: toml::Table = toml::Table::try_from(spec).expect("a spec can be written as TOML");
        let mut differences = Vec::new();
        differing("", &there, &here, &mut differences);
        if differences.is_empty() {
            return Ok(());
        }
        Err(FolderError::Differs {
            path: self.path.display().to_string(),
            differences: differences.join(", "),
        })
    }

    /// Deletes what an earlier run wrote, and nothing else.
    fn clear(&self) -> Result<(), FolderError> {
        for name in FILES.iter().rev() {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_error(&path, &error).into());
                }
                _ => {}
            }
        }
        let records = self.records();
        match fs::remove_dir_all(&records) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error(&records, &error).into())
            }
            _ => Ok(()),
        }
    }

    /// Deletes files that an interrupted run was writing.
    fn remove_leftovers(&self) {
        for folder in [&self.path, &self.records()] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Whether nothing but the traces of a run that never began is in a folder.
fn only_leftovers(path: &Path) -> bool {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .all(|name| name == LOCK || name == RECORDS || name.starts_with(TEMPORARY))
}

/// Whether a `run.json` says that the run is complete.
fn is_finished(path: &Path) -> bool {
    let run: Option<serde_json::Value> = fs::read_to_string(path)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok());
    run.is_some_and(|run| run["state"] == "complete")
}

/// The fields in which two tables differ, with both values.
fn differing(prefix: &str, there: &toml::Table, here: &toml::Table, said: &mut Vec<String>) {
    let mut names: Vec<&String> = there.keys().chain(here.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let text = |value: Option<&toml::Value>| match value {
            None => "missing".to_owned(),
            Some(value) => shortened(&value.to_string()),
        };
        match (there.get(name), here.get(name)) {
            (Some(toml::Value::Table(there)), Some(toml::Value::Table(here))) => {
                differing(&format!("{prefix}{name}."), there, here, said);
            }
            (a, b) if a == b => {}
            (a, b) => said.push(format!(
                "{prefix}{name} is {} there, {} here",
                text(a),
                text(b)
            )),
        }
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST {
        return line;
    }
    line.chars().take(MOST - 1).chain(['…']).collect()
}
