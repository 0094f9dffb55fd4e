//! Training of a learned evaluator as a run in a folder.
//!
//! ```text
//! bytes   0-15    "racelab training"
//!        16-23    games played
//!        24-31    bytes of the settings
//!        32-      the settings as TOML
//!        then     the net, as in a net file, with its own checksum
//!        then 32  BLAKE3 of everything before
//! ```

use serde::{Deserialize, Serialize};

use super::{Settings, Since, Trainer};
use crate::bots::Bot;
use crate::bots::learned::Evaluator;
use crate::engine::net::{Trainee, sealed, unsealed};
use crate::engine::notation::from_toml;
use crate::engine::race::Race;

const MAGIC: [u8; 16] = *b"racelab training";
const HEADER: usize = 32;

/// One line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Games played.
    pub games: u64,
    /// The step size from here on.
    pub step: f64,
    /// Mean square of what the chances were off the result, over all seats and positions since
    /// the row before; empty in the first row.
    pub error: Option<f64>,
    /// Mean rolls of a game since the row before; empty in the first row.
    pub rolls: Option<f64>,
}

impl Settings {
    /// The settings with the names of their flags.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        let seats: Vec<String> = self.seats.iter().map(ToString::to_string).collect();
        let rules: Vec<String> = self
            .table
            .rules
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        let named = |bot: &Option<Bot>| match bot {
            Some(bot) if bot.params.is_empty() => bot.name.clone(),
            Some(bot) => format!(
                "{} with {}",
                bot.name,
                bot.params.to_string().trim().replace('\n', ", ")
            ),
            None => "none".to_owned(),
        };
        vec![
            ("game", self.table.game.clone()),
            ("preset", self.table.preset.clone()),
            (
                "rule",
                if rules.is_empty() {
                    "none".to_owned()
                } else {
                    rules.join(" ")
                },
            ),
            ("seats", seats.join(",")),
            ("seed", self.seed.to_string()),
            ("games", self.games.to_string()),
            ("inputs", self.inputs.to_string()),
            ("hidden", self.hidden.to_string()),
            ("lambda", self.lambda.to_string()),
            ("step", self.first_step.to_string()),
            ("last-step", self.last_step.to_string()),
            ("enemies", named(&self.enemies)),
            ("teacher", named(&self.teacher)),
            ("views", format!("{:?}", self.views).to_lowercase()),
            ("every", self.every.to_string()),
        ]
    }
}

impl<G: Race> Trainee for Trainer<G> {
    type Row = Row;

    fn games(&self) -> u64 {
        self.games
    }

    fn goal(&self) -> u64 {
        self.settings.games
    }

    fn batch(&mut self) -> Result<(), String> {
        self.play_and_learn()
    }

    fn row(&mut self) -> Row {
        let since = std::mem::take(&mut self.since);
        let Since {
            squares,
            positions,
            rolls,
            games,
        } = since;
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        Row {
            games: self.games,
            step: self.step(),
            error: mean(squares, positions),
            rolls: mean(rolls as f64, games),
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
        let settings = toml::to_string(&self.settings).expect("settings can be written as TOML");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((settings.len() as u64).to_le_bytes());
        bytes.extend(settings.as_bytes());
        bytes.extend(self.net.to_bytes());
        sealed(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Trainer<G>, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("no checkpoint of a training run of a learned evaluator".to_owned());
        }
        let content = unsealed(bytes)?;
        let cut_off = || "cut off".to_owned();
        let (header, rest) = content.split_at_checked(HEADER).ok_or_else(cut_off)?;
        let (numbers, _) = header[MAGIC.len()..].as_chunks();
        let [games, length] = [0, 1].map(|place| u64::from_le_bytes(numbers[place]));
        let length = usize::try_from(length).map_err(|_| cut_off())?;
        let (settings, net) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let settings = str::from_utf8(settings).map_err(|error| error.to_string())?;
        let settings: Settings = from_toml(settings)?;
        let net = Evaluator::from_bytes(net)?;
        Trainer::resumed(settings, net, games).map_err(|error| error.to_string())
    }
}
