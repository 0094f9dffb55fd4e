//! A training run in a folder, which may be killed at any time and goes on from its last
//! checkpoint to the same bytes.
//!
//! | file | holds |
//! |---|---|
//! | `checkpoint.bin` | nets in training, settings, games played |
//! | `log.csv` | one row per checkpoint |
//! | `nets.net` | the nets with their weights rounded, as they would be shipped |

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::NetError;
use crate::engine::file::{TEMPORARY, write_bytes};

const CHECKPOINT: &str = "checkpoint.bin";
const LOG: &str = "log.csv";
const NETS: &str = "nets.net";

/// How checkpoints of all kinds of nets begin.
const MARK: &[u8] = b"racelab ";

/// Nets in training, one batch of games after another.
pub trait Trainee: Sized {
    /// A row of `log.csv`.
    type Row: Serialize + DeserializeOwned;

    /// Games played so far.
    fn games(&self) -> u64;

    /// Games to play in all.
    fn goal(&self) -> u64;

    /// Plays a batch of games, or what is left to play, and learns from them.
    ///
    /// # Errors
    /// When an opponent cannot play any more, and why; nothing is learned then.
    fn batch(&mut self) -> Result<(), String>;

    /// What the log says of the nets as they are now, and of the games since the row before.
    fn row(&mut self) -> Self::Row;

    /// The number of games that a row is about.
    fn games_of(row: &Self::Row) -> u64;

    /// All that the result depends on, with the names of the flags.
    fn settings(&self) -> Vec<(&'static str, String)>;

    /// The content of `nets.net`.
    fn nets_file(&self) -> Vec<u8>;

    /// The content of a checkpoint.
    fn to_bytes(&self) -> Vec<u8>;

    /// The nets in training of a checkpoint, or what is wrong with it.
    ///
    /// # Errors
    /// When the bytes are no checkpoint of these nets.
    fn from_bytes(bytes: &[u8]) -> Result<Self, String>;
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file of the run.
    #[error(transparent)]
    File(#[from] NetError),
    /// A new run in a folder that has one.
    #[error("{0}: holds a training run; --resume goes on with it, --force starts over")]
    Exists(String),
    /// A new run where one has lost its checkpoint.
    #[error("{0}: holds a training run without its checkpoint.bin; --force starts over")]
    Broken(String),
    /// Files of somebody else are in the way.
    #[error("{0}: is not empty and holds no training run; choose another folder with --out")]
    Taken(String),
    /// A file is in the way.
    #[error("{0}: is no folder; choose another one with --out")]
    NoFolder(String),
    /// An opponent cannot play any more.
    #[error("{0}; the run stands as at its last checkpoint")]
    Opponent(String),
    /// There is nothing to go on with.
    #[error("{0}: holds no checkpoint.bin to resume from; leave out --resume to start a run")]
    Nothing(String),
    /// A run that was begun with other settings.
    #[error("{folder}: the run has {field} {found}, not {asked}; resume it with its own settings")]
    Other {
        /// The folder.
        folder: String,
        /// The setting.
        field: &'static str,
        /// Its value in the run.
        found: String,
        /// The value asked for.
        asked: String,
    },
}

/// A training run in its folder.
#[derive(Debug)]
pub struct Run<T: Trainee> {
    folder: PathBuf,
    trainer: T,
    rows: Vec<T::Row>,
}

impl<T: Trainee> Run<T> {
    /// Begins a run with these nets; the folder is made if need be. `replace` does away with a run
    /// that is there already.
    ///
    /// # Errors
    /// When the folder holds a run that is not to be replaced or anything else, or cannot be
    /// written to.
    pub fn begin(folder: &Path, trainer: T, replace: bool) -> Result<Run<T>, RunError> {
        let shown = || folder.display().to_string();
        match Found::at(folder)? {
            Found::Foreign => return Err(RunError::Taken(shown())),
            Found::Run if !replace => return Err(RunError::Exists(shown())),
            Found::Broken if !replace => return Err(RunError::Broken(shown())),
            Found::Nothing | Found::Run | Found::Broken => {}
        }
        fs::create_dir_all(folder).map_err(|error| NetError::io(folder, &error))?;
        // The old checkpoint first: it must not be resumed with the new log.
        remove(&folder.join(CHECKPOINT))?;
        sweep(folder);
        let mut run = Run {
            folder: folder.to_owned(),
            trainer,
            rows: Vec::new(),
        };
        run.save()?;
        Ok(run)
    }

    /// Goes on with a run from its last checkpoint; `asked` are the settings it must have been
    /// begun with, and `prepare` adds what a checkpoint does not hold.
    ///
    /// # Errors
    /// When there is none, it is damaged, or was begun with other settings.
    pub fn resume(
        folder: &Path,
        asked: &[(&'static str, String)],
        prepare: impl FnOnce(T) -> T,
    ) -> Result<Run<T>, RunError> {
        if !matches!(Found::at(folder)?, Found::Run) {
            return Err(RunError::Nothing(folder.display().to_string()));
        }
        sweep(folder);
        let path = folder.join(CHECKPOINT);
        let bytes = fs::read(&path).map_err(|error| NetError::io(&path, &error))?;
        let trainer = T::from_bytes(&bytes).map_err(|reason| NetError::foreign(&path, reason))?;
        check(folder, trainer.settings(), asked)?;
        let rows = read_log::<T>(&folder.join(LOG), trainer.games())?;
        Ok(Run {
            folder: folder.to_owned(),
            trainer: prepare(trainer),
            rows,
        })
    }

    /// Trains until `games` have been played or all are, or `stop` is set from outside, and saves; what the log says
    /// then. Whole batches are played, so a few more games may be.
    ///
    /// # Errors
    /// When the folder cannot be written to, or an opponent cannot play any more.
    pub fn train_to(&mut self, games: u64, stop: &AtomicBool) -> Result<&T::Row, RunError> {
        let goal = games.min(self.trainer.goal());
        while self.trainer.games() < goal && !stop.load(Ordering::Relaxed) {
            self.trainer.batch().map_err(RunError::Opponent)?;
        }
        self.save()
    }

    /// The nets in training.
    pub fn trainer(&self) -> &T {
        &self.trainer
    }

    /// Writes log, nets and then the checkpoint, from which all three would be written again.
    fn save(&mut self) -> Result<&T::Row, RunError> {
        self.rows.push(self.trainer.row());
        write(&self.folder.join(LOG), &log_of::<T>(&self.rows))?;
        write(&self.folder.join(NETS), &self.trainer.nets_file())?;
        write(&self.folder.join(CHECKPOINT), &self.trainer.to_bytes())?;
        Ok(self.rows.last().expect("the row just added"))
    }
}

/// What a folder holds before a run.
enum Found {
    /// Nothing that anybody misses.
    Nothing,
    /// A run and its checkpoint.
    Run,
    /// Log or nets of a run, and nothing else.
    Broken,
    /// Files that are not ours.
    Foreign,
}

impl Found {
    fn at(folder: &Path) -> Result<Found, RunError> {
        if folder.is_file() {
            return Err(RunError::NoFolder(folder.display().to_string()));
        }
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(NetError::io(folder, &error).into()),
            Ok(entries) => entries.flatten().map(|entry| entry.file_name()),
        };
        let path = folder.join(CHECKPOINT);
        if path.exists() {
            let is_ours = begins_with_mark(&path).map_err(|error| NetError::io(&path, &error))?;
            return Ok(if is_ours { Found::Run } else { Found::Foreign });
        }
        let mut found = Found::Nothing;
        for name in entries.filter(|name| !is_temporary(name)) {
            if name != LOG && name != NETS {
                return Ok(Found::Foreign);
            }
            found = Found::Broken;
        }
        Ok(found)
    }
}

/// Whether a file is a checkpoint of ours, whole or not: an empty one is what a full disk can leave.
fn begins_with_mark(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?
        .take(MARK.len() as u64)
        .read_to_end(&mut start)?;
    Ok(MARK.starts_with(&start))
}

fn is_temporary(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(TEMPORARY)
}

/// Removes what a run that was killed was writing.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn remove(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(NetError::io(path, &error).into()),
        _ => Ok(()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    write_bytes(path, bytes).map_err(|error| NetError::io(path, &error).into())
}

/// The rows of a log up to a number of games: a run that was killed may have logged more than its
/// checkpoint holds.
fn read_log<T: Trainee>(path: &Path, games: u64) -> Result<Vec<T::Row>, RunError> {
    let foreign = |error: csv::Error| NetError::foreign(path, error.to_string());
    let mut rows = Vec::new();
    let mut reader = csv::Reader::from_path(path).map_err(foreign)?;
    for row in reader.deserialize() {
        let row: T::Row = row.map_err(foreign)?;
        if T::games_of(&row) <= games {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// A whole log.
fn log_of<T: Trainee>(rows: &[T::Row]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is plain numbers");
    }
    writer.into_inner().expect("a vector takes every byte")
}

/// Refuses to go on with other settings than a run was begun with.
fn check(
    folder: &Path,
    found: Vec<(&'static str, String)>,
    asked: &[(&'static str, String)],
) -> Result<(), RunError> {
    for (field, found) in found {
        let Some((_, asked)) = asked.iter().find(|(name, _)| *name == field) else {
            continue;
        };
        if found != *asked {
            return Err(RunError::Other {
                folder: folder.display().to_string(),
                field,
                found,
                asked: asked.clone(),
            });
        }
    }
    Ok(())
}
