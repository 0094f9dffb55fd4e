//! A training run in a folder, which may be killed at any time and goes on from its last
//! checkpoint to the same bytes.
//!
//! | file | holds |
//! |---|---|
//! | `checkpoint.bin` | nets in training, settings, games played |
//! | `log.csv` | one [`Row`] per checkpoint |
//! | `nets.net` | the nets with their weights rounded, as they would be shipped |
//!
//! The checkpoint is a head of fixed length, the bytes of a net file, and a checksum:
//!
//! ```text
//! bytes   0-15    "racelab bg train"
//!        16-23    games played
//!        24-39    seed, games to play
//!        40-63    λ, first step, last step as f64
//!        64-      nets, as in a net file, with their own checksum
//!        then 32  BLAKE3 of everything before
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use super::{Reference, Row, Settings, Trainer, log};
use crate::engine::file::write_bytes;
use crate::games::backgammon::net::file::{sealed, unsealed};
use crate::games::backgammon::net::{Evaluator, NetError};

const MAGIC: [u8; 16] = *b"racelab bg train";
const HEADER: usize = 64;

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
pub struct Run {
    folder: PathBuf,
    trainer: Trainer,
    rows: Vec<Row>,
    reference: Option<Reference>,
}

impl Run {
    /// Begins a run with these nets; the folder is made if need be.
    ///
    /// # Errors
    /// When the folder holds a run, or cannot be written to.
    pub fn begin(
        folder: &Path,
        trainer: Trainer,
        reference: Option<Reference>,
    ) -> Result<Run, RunError> {
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
            reference,
        };
        run.save()?;
        Ok(run)
    }

    /// Goes on with a run from its last checkpoint.
    ///
    /// # Errors
    /// When there is none, it is damaged, or was begun with other settings.
    pub fn resume(
        folder: &Path,
        settings: &Settings,
        reference: Option<Reference>,
    ) -> Result<Run, RunError> {
        let path = folder.join("checkpoint.bin");
        let bytes = fs::read(&path).map_err(|error| NetError::io(&path, &error))?;
        let trainer = read(&bytes).map_err(|reason| NetError::foreign(&path, reason))?;
        check(folder, trainer.settings(), settings)?;
        let rows = log::read(&folder.join("log.csv"), trainer.games())?;
        Ok(Run {
            folder: folder.to_owned(),
            trainer,
            rows,
            reference,
        })
    }

    /// Trains until `games` have been played or all are, and saves.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn train_to(&mut self, games: u64) -> Result<&Row, RunError> {
        let goal = games.min(self.trainer.settings().games);
        while self.trainer.games() < goal {
            self.trainer.batch();
        }
        self.save()
    }

    /// The nets in training.
    pub fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// Writes log, nets and then the checkpoint, from which all three would be written again.
    fn save(&mut self) -> Result<&Row, RunError> {
        let finished = self.trainer.finished();
        let loss = self
            .reference
            .as_ref()
            .map(|reference| reference.loss(&finished));
        self.rows.push(Row {
            games: self.trainer.games(),
            step: self.trainer.step(),
            loss: loss.map(|loss| loss.mean),
            best: loss.map(|loss| loss.best),
        });
        log::write(&self.folder.join("log.csv"), &self.rows)?;
        finished.write(&self.folder.join("nets.net"))?;
        let path = self.folder.join("checkpoint.bin");
        write_bytes(&path, &write(&self.trainer)).map_err(|error| NetError::io(&path, &error))?;
        Ok(self.rows.last().expect("the row just added"))
    }
}

/// The content of a checkpoint.
fn write(trainer: &Trainer) -> Vec<u8> {
    let settings = trainer.settings();
    let mut bytes = MAGIC.to_vec();
    for number in [trainer.games(), settings.seed, settings.games] {
        bytes.extend(number.to_le_bytes());
    }
    for number in [settings.lambda, settings.first_step, settings.last_step] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(trainer.nets.to_bytes());
    sealed(bytes)
}

/// The nets in training of a checkpoint, or what is wrong with it.
fn read(bytes: &[u8]) -> Result<Trainer, String> {
    if !bytes.starts_with(&MAGIC) {
        return Err("no checkpoint of a training run".to_owned());
    }
    let content = unsealed(bytes)?;
    if content.len() < HEADER {
        return Err("cut off".to_owned());
    }
    let (header, nets) = content.split_at(HEADER);
    let nets = Evaluator::from_bytes(nets)?;
    let (numbers, _) = header[MAGIC.len()..].as_chunks();
    let whole = |place: usize| u64::from_le_bytes(numbers[place]);
    let float = |place: usize| f64::from_le_bytes(numbers[place]);
    let settings = Settings {
        seed: whole(1),
        games: whole(2),
        hidden: nets.contact.hidden(),
        race_hidden: nets.race.hidden(),
        lambda: float(3),
        first_step: float(4),
        last_step: float(5),
    };
    Ok(Trainer::resumed(settings, nets, whole(0)))
}

/// Refuses to go on with other settings than a run was begun with.
fn check(folder: &Path, found: &Settings, asked: &Settings) -> Result<(), RunError> {
    let fields = |settings: &Settings| {
        [
            ("seed", settings.seed.to_string()),
            ("games", settings.games.to_string()),
            ("hidden", settings.hidden.to_string()),
            ("race-hidden", settings.race_hidden.to_string()),
            ("lambda", settings.lambda.to_string()),
            ("step", settings.first_step.to_string()),
            ("last-step", settings.last_step.to_string()),
        ]
    };
    for ((field, found), (_, asked)) in fields(found).into_iter().zip(fields(asked)) {
        if found != asked {
            return Err(RunError::Other {
                folder: folder.display().to_string(),
                field,
                found,
                asked,
            });
        }
    }
    Ok(())
}
