//! Training of the nets of backgammon as a run in a folder.
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

use serde::{Deserialize, Serialize};

use super::{Settings, Trainer};
use crate::engine::net::{Trainee, sealed, unsealed};
use crate::games::backgammon::net::Evaluator;

const MAGIC: [u8; 16] = *b"racelab bg train";
const HEADER: usize = 64;

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

impl Settings {
    /// The settings with the names of their flags.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        vec![
            ("seed", self.seed.to_string()),
            ("games", self.games.to_string()),
            ("hidden", self.hidden.to_string()),
            ("race-hidden", self.race_hidden.to_string()),
            ("lambda", self.lambda.to_string()),
            ("step", self.first_step.to_string()),
            ("last-step", self.last_step.to_string()),
        ]
    }
}

impl Trainee for Trainer {
    type Row = Row;

    fn games(&self) -> u64 {
        self.games
    }

    fn goal(&self) -> u64 {
        self.settings.games
    }

    fn batch(&mut self) -> Result<(), String> {
        self.play_and_learn();
        Ok(())
    }

    fn row(&mut self) -> Row {
        let reference = self.reference.as_ref();
        let loss = reference.map(|reference| reference.loss(&self.finished()));
        Row {
            games: self.games,
            step: self.step(),
            loss: loss.map(|loss| loss.mean),
            best: loss.map(|loss| loss.best),
        }
    }

    fn games_of(row: &Row) -> u64 {
        row.games
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.settings.named()
    }

    fn nets_file(&self) -> Vec<u8> {
        self.finished().to_bytes()
    }

    fn to_bytes(&self) -> Vec<u8> {
        write(self)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Trainer, String> {
        read(bytes)
    }
}

/// The content of a checkpoint.
fn write(trainer: &Trainer) -> Vec<u8> {
    let settings = trainer.settings;
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
