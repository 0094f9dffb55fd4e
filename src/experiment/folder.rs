//! Result folders: who may write where, and what is left of an earlier run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::engine::file::TEMPORARY;

use super::record::{RecordError, io_error, is_record_file, write_atomically};
use super::saved_games::{self, is_game_file};
use super::spec::Spec;

/// The folder of the records of an unfinished run.
const RECORDS: &str = "records";
pub(super) const SPEC: &str = "spec.toml";
pub(super) const LOCK: &str = "racelab.lock";
/// The file that says a run is finished; it is written last.
pub(super) const DONE: &str = "run.json";
/// How far a run of another command is; gone when it is finished.
pub(super) const STATE: &str = "state.json";
/// What the folder of a tournament is called beside the kinds of [`super::study_folder`].
const TOURNAMENT: &str = "tournament";
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
    /// The result of another command is in the way.
    #[error(
        "{path}: holds a result of another kind ({there}, not {here}); choose another folder with --out"
    )]
    OtherKind {
        /// The folder.
        path: String,
        /// The kind of the result there.
        there: String,
        /// The kind of the result at hand.
        here: &'static str,
    },
    /// A file is in the way.
    #[error("{0}: is no folder; choose another one with --out")]
    NoFolder(String),
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
    /// The result there is not open any more.
    #[error("{0}: is already decided, a larger budget changes nothing; --force plays it again")]
    Decided(String),
    /// An undecided result without its counts.
    #[error("{0}: keeps no counts to go on from; --force plays it again with the larger budget")]
    NoCounts(String),
    /// Another process writes there.
    #[error(
        "{0}: another racelab is at work there; wait for it, or choose another folder with --out"
    )]
    Locked(String),
    /// A folder nobody can write to.
    #[error("{path}: {reason}; choose another folder with --out")]
    Unwritable {
        /// The folder.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A file that cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl FolderError {
    pub(super) fn other_kind(path: &Path, there: &str, here: &'static str) -> FolderError {
        FolderError::OtherKind {
            path: path.display().to_string(),
            there: there.to_owned(),
            here,
        }
    }

    /// Whether the input is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        !matches!(
            self,
            FolderError::Record(_) | FolderError::Unwritable { .. }
        )
    }
}

/// What is in a folder before a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// Nothing that anybody misses.
    Nothing,
    /// Files that are not ours.
    Foreign,
    /// A run that has not finished.
    Unfinished,
    /// A result.
    Finished,
}

impl Found {
    fn at(path: &Path) -> Result<Found, FolderError> {
        if path.is_file() {
            return Err(FolderError::NoFolder(path.display().to_string()));
        }
        match fs::read_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(unwritable(path, &error)),
            Ok(_) => {}
        }
        if let Some(there) = kind_of(path).filter(|there| there != TOURNAMENT) {
            return Err(FolderError::other_kind(path, &there, TOURNAMENT));
        }
        // A `spec.toml` alone may be one that somebody wrote by hand.
        Ok(match state(&path.join(DONE)) {
            Some(state) if state == "complete" => Found::Finished,
            Some(_) => Found::Unfinished,
            None if path.join(SPEC).exists() && path.join(RECORDS).is_dir() => Found::Unfinished,
            None if only_leftovers(path) => Found::Nothing,
            None => Found::Foreign,
        })
    }

    /// Refuses what must not be done to such a folder.
    fn allow(self, earlier: Earlier, path: &Path) -> Result<(), FolderError> {
        let shown = path.display().to_string();
        match (earlier, self) {
            (Earlier::Refuse | Earlier::Replace, Found::Foreign) => Err(FolderError::Taken(shown)),
            (Earlier::Refuse, Found::Finished) => Err(FolderError::Finished(shown)),
            (Earlier::Refuse, Found::Unfinished) => Err(FolderError::Unfinished(shown)),
            (Earlier::Resume, Found::Foreign | Found::Nothing) => Err(FolderError::Nothing(shown)),
            (Earlier::Resume, _) if !path.join(SPEC).exists() => Err(FolderError::Nothing(shown)),
            _ => Ok(()),
        }
    }
}

/// A result folder, held by this process until it is dropped.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// Released when it is closed.
    _lock: File,
    finished: bool,
}

/// Removes the lock while it is still held; how a run ends does not matter.
impl Drop for ResultFolder {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.join(LOCK));
    }
}

impl ResultFolder {
    /// Takes a folder for a run of `spec`, which must be resolved.
    ///
    /// # Errors
    /// When an earlier run or another process is in the way, or the folder cannot be written.
    pub fn open(path: &Path, spec: &Spec, earlier: Earlier) -> Result<ResultFolder, FolderError> {
        // Looked at twice: now, to touch nothing that is not ours, and again when nobody else can
        // change it. A run that another process is at is not called unfinished.
        match Found::at(path)? {
            Found::Unfinished => {}
            found => found.allow(earlier, path)?,
        }
        fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?;
        let mut folder = ResultFolder {
            path: path.to_owned(),
            _lock: lock(path)?,
            finished: false,
        };
        let found = Found::at(path)?;
        found.allow(earlier, path)?;
        folder.finished = earlier == Earlier::Resume && found == Found::Finished;
        if earlier == Earlier::Resume {
            folder.compare(spec)?;
        }
        folder.remove_leftovers();
        // Before anything is removed: with it, what is left of a removal is known as ours.
        let records = folder.records();
        fs::create_dir_all(&records).map_err(|error| io_error(&records, &error))?;
        if earlier != Earlier::Resume {
            folder.clear()?;
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
        let _ = self.clear_records();
        // Stays when somebody else's files are in it.
        let _ = fs::remove_dir(self.records());
    }

    /// The run there must be of the same spec and version.
    fn compare(&self, spec: &Spec) -> Result<(), FolderError> {
        let path = self.path.join(SPEC);
        let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
        let mut there: toml::Table =
            crate::engine::notation::from_toml(&text).map_err(|reason| RecordError::Foreign {
                path: path.display().to_string(),
                reason: format!("{reason}; --force starts over"),
            })?;
        let mut here: toml::Table =
            toml::Table::try_from(spec).expect("a spec can be written as TOML");
        if let Some(version) = run_field(&self.path.join(DONE), "version") {
            let name = "version of racelab".to_owned();
            there.insert(name.clone(), version.into());
            here.insert(name, env!("CARGO_PKG_VERSION").into());
        }
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

    /// Deletes what an earlier run wrote, and nothing else; the spec, which says whose folder it
    /// is, last.
    fn clear(&self) -> Result<(), FolderError> {
        self.clear_records()?;
        self.clear_games()?;
        for name in FILES.iter().rev() {
            remove(&self.path.join(name))?;
        }
        Ok(())
    }

    /// Deletes all records, and nothing else.
    fn clear_records(&self) -> Result<(), RecordError> {
        for path in entries(&self.records()) {
            if is_record_file(&path) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Deletes all saved games, and nothing else.
    fn clear_games(&self) -> Result<(), RecordError> {
        let games = self.path.join(saved_games::FOLDER);
        for path in entries(&games) {
            if is_game_file(&path) {
                remove(&path)?;
            }
        }
        // Stays when somebody else's files are in it.
        let _ = fs::remove_dir(games);
        Ok(())
    }

    /// Deletes files that an interrupted run was writing.
    fn remove_leftovers(&self) {
        for folder in [&self.path, &self.records()] {
            for path in entries(folder) {
                if is_temporary(&path) {
                    let _ = fs::remove_file(path);
                }
            }
        }
    }
}

/// Takes the lock of a folder.
pub(super) fn lock(folder: &Path) -> Result<File, FolderError> {
    let path = folder.join(LOCK);
    loop {
        let file = File::create(&path).map_err(|error| unwritable(folder, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Locked(folder.display().to_string()));
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(folder, &error)),
        }
        if is_at(&file, &path) {
            return Ok(file);
        }
    }
}

/// Whether an open file is the one at a path. If not, whoever held the lock has removed it after
/// this process opened it: a lock on it excludes nobody.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |meta: io::Result<fs::Metadata>| meta.map(|meta| (meta.dev(), meta.ino())).ok();
    let open = number(file.metadata());
    open.is_some() && open == number(fs::metadata(path))
}

/// Where an open file cannot be removed, it stays at its path.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> FolderError {
    FolderError::Unwritable {
        path: path.display().to_string(),
        reason: crate::engine::notation::io_reason(error),
    }
}

pub(super) fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(path, &error)),
        _ => Ok(()),
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn is_temporary(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY))
}

/// Whether nothing but the traces of a run that never began is in a folder.
fn only_leftovers(path: &Path) -> bool {
    entries(path).all(|entry| {
        is_temporary(&entry)
            || entry.ends_with(LOCK)
            || entry.ends_with(RECORDS) && entries(&entry).all(|entry| is_temporary(&entry))
    })
}

/// The kind of result that is in a folder, finished or not; none if it is not known to be ours.
pub(super) fn kind_of(path: &Path) -> Option<String> {
    let run = path.join(DONE);
    let of_tournament = || state(&run).map(|_| TOURNAMENT.to_owned());
    let has_records = || path.join(SPEC).exists() && path.join(RECORDS).is_dir();
    let unfinished = || has_records().then(|| TOURNAMENT.to_owned());
    run_field(&run, "kind")
        .or_else(of_tournament)
        .or_else(|| run_field(&path.join(STATE), "kind"))
        .or_else(unfinished)
}

/// The state of the run that a `run.json` of ours tells about.
fn state(path: &Path) -> Option<String> {
    run_field(path, "spec_hash").and_then(|_| run_field(path, "state"))
}

/// A text field of a `run.json`.
fn run_field(path: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let run: serde_json::Value = serde_json::from_str(&text).ok()?;
    run[name].as_str().map(str::to_owned)
}

/// The fields in which two tables differ, with both values.
fn differing(prefix: &str, there: &toml::Table, here: &toml::Table, said: &mut Vec<String>) {
    let mut names: Vec<&String> = there.keys().chain(here.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let name_there = format!("{prefix}{name}");
        match (there.get(name), here.get(name)) {
            (a, b) if a == b => {}
            (Some(toml::Value::Array(there)), Some(toml::Value::Array(here)))
                if by_name(there) != by_name(here) =>
            {
                let (there, here) = (by_name(there), by_name(here));
                differing(&format!("{name_there}."), &there, &here, said);
            }
            (Some(toml::Value::Table(there)), Some(toml::Value::Table(here))) => {
                differing(&format!("{name_there}."), there, here, said);
            }
            (a, b) => said.push(format!(
                "{name_there} is {} there, {} here",
                shown(a),
                shown(b)
            )),
        }
    }
}

/// The tables of an array by their names; none when it has other values.
fn by_name(values: &[toml::Value]) -> toml::Table {
    let named = values.iter().map(|value| {
        let name = value.get("name")?.as_str()?;
        Some((name.to_owned(), value.clone()))
    });
    named.collect::<Option<_>>().unwrap_or_default()
}

/// A value on one short line; a list of bots by their names.
fn shown(value: Option<&toml::Value>) -> String {
    match value {
        None => "missing".to_owned(),
        Some(toml::Value::Array(values)) => {
            let each = values
                .iter()
                .map(|value| shown(Some(value.get("name").unwrap_or(value))));
            format!("[{}]", each.collect::<Vec<_>>().join(", "))
        }
        Some(value) => shortened(&value.to_string()),
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
