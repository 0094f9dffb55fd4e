//! A training run in a folder, which may be killed at any time and goes on from its last
//! checkpoint to the same bytes.
//!
//! | file | holds |
//! |---|---|
//! | `checkpoint.bin` | nets in training, settings, games played |
//! | `log.csv` | one row per checkpoint |
//! | `nets.net` | the nets with their weights rounded, as they would be shipped |

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::NetError;
use crate::engine::file::write_bytes;

/// Nets in training, one batch of games after another.
pub trait Trainee: Sized {
    /// A row of `log.csv`.
    type Row: Serialize + DeserializeOwned;

    /// Games played so far.
    fn games(&self) -> u64;

    /// Games to play in all.
    fn goal(&self) -> u64;

    /// Plays a batch of games, or what is left to play, and learns from them.
    fn batch(&mut self);

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
    #[error("{folder}: there is a training run already; resume it or choose another folder")]
    Exists {
        /// The folder.
        folder: String,
    },
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
    /// Begins a run with these nets; the folder is made if need be.
    ///
    /// # Errors
    /// When the folder holds a run, or cannot be written to.
    pub fn begin(folder: &Path, trainer: T) -> Result<Run<T>, RunError> {
        if folder.join("checkpoint.bin").exists() {
            return Err(RunError::Exists {
                folder: folder.display().to_string(),
            });
        }
        fs::create_dir_all(folder).map_err(|error| NetError::io(folder, &error))?;
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
        let path = folder.join("checkpoint.bin");
        let bytes = fs::read(&path).map_err(|error| NetError::io(&path, &error))?;
        let trainer = T::from_bytes(&bytes).map_err(|reason| NetError::foreign(&path, reason))?;
        check(folder, trainer.settings(), asked)?;
        let rows = read_log::<T>(&folder.join("log.csv"), trainer.games())?;
        Ok(Run {
            folder: folder.to_owned(),
            trainer: prepare(trainer),
            rows,
        })
    }

    /// Trains until `games` have been played or all are, and saves; what the log says then.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn train_to(&mut self, games: u64) -> Result<&T::Row, RunError> {
        let goal = games.min(self.trainer.goal());
        while self.trainer.games() < goal {
            self.trainer.batch();
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
        write(&self.folder.join("log.csv"), &log_of::<T>(&self.rows))?;
        write(&self.folder.join("nets.net"), &self.trainer.nets_file())?;
        write(
            &self.folder.join("checkpoint.bin"),
            &self.trainer.to_bytes(),
        )?;
        Ok(self.rows.last().expect("the row just added"))
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
    for ((field, found), (_, asked)) in found.into_iter().zip(asked) {
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
