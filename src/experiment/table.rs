//! The table of an experiment: which game, by which rules, for which seats.

use serde::{Deserialize, Serialize};

use crate::engine::game::{Game, RuleSet, RulesError};
use crate::engine::notation::toml_reason;
use crate::engine::seat::SeatSet;

/// A game, a preset of its rules with changes, and the seats in play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// The name of the game.
    pub game: String,
    /// The preset the rules start from.
    #[serde(default = "default_preset")]
    pub preset: String,
    /// The seats in play; the game's first seat set if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<SeatSet>,
    /// The rules that differ from the preset.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
}

fn default_preset() -> String {
    "default".to_owned()
}

/// A table nobody can sit down at.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// A name that is no preset's.
    #[error("preset: no preset '{name}' of {game}; known: {known}")]
    NoPreset {
        /// The name asked for.
        name: String,
        /// The game.
        game: &'static str,
        /// The presets of the game.
        known: String,
    },
    /// An option that does not exist, or a value it cannot take.
    #[error("rules: {0}")]
    Option(String),
    /// A combination the game refuses.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl TableSpec {
    /// The default table of a game.
    pub fn of(game: &str) -> TableSpec {
        TableSpec {
            game: game.to_owned(),
            preset: default_preset(),
            seats: None,
            rules: toml::Table::new(),
        }
    }

    /// Adds a rule change as a command line gives it: `lane_jump=true`, `tries=1`.
    ///
    /// # Errors
    /// When the text is not `option=value`.
    pub fn change(&mut self, text: &str) -> Result<(), TableError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(TableError::Option(format!(
                "'{text}' changes nothing; expected option=value, see racelab rules {}",
                self.game
            )));
        };
        let value = match value.parse::<toml::Value>() {
            Ok(value) if !value.is_table() => value,
            _ => toml::Value::String(value.to_owned()),
        };
        // Flags are written with dashes, fields with underscores; both are understood.
        self.rules.insert(name.trim().replace('-', "_"), value);
        Ok(())
    }

    /// Adds the rule changes of a command line.
    ///
    /// # Errors
    /// When a text is not `option=value`, or an option is changed twice.
    pub fn change_all(&mut self, texts: &[String]) -> Result<(), TableError> {
        let mut changed = TableSpec::of(&self.game);
        for text in texts {
            let before = changed.rules.len();
            changed.change(text)?;
            if changed.rules.len() == before {
                let name = text.split('=').next().unwrap_or(text).trim();
                return Err(TableError::Option(format!(
                    "'{name}' is given twice; expected each option once"
                )));
            }
        }
        self.rules.extend(changed.rules);
        Ok(())
    }

    /// The rules: the preset with the changes.
    ///
    /// # Errors
    /// When there is no such preset, option or value.
    pub fn rules<G: Game>(&self) -> Result<G::Rules, TableError> {
        let presets = G::Rules::presets();
        let Some(preset) = presets.iter().find(|preset| preset.name == self.preset) else {
            let known: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
            return Err(TableError::NoPreset {
                name: self.preset.clone(),
                game: G::NAME,
                known: known.join(", "),
            });
        };
        let mut rules = toml::Table::try_from(&preset.rules)
            .map_err(|error| TableError::Option(error.to_string()))?;
        for (name, value) in &self.rules {
            let Some(option) = G::Rules::OPTIONS.iter().find(|option| option.name == name) else {
                let known: Vec<&str> = G::Rules::OPTIONS.iter().map(|option| option.name).collect();
                return Err(TableError::Option(format!(
                    "no option '{name}' of {}; known: {}",
                    G::NAME,
                    known.join(", ")
                )));
            };
            rules.insert(name.clone(), value.clone());
            // One option at a time, so that the error names the one at fault.
            if let Err(error) = G::Rules::deserialize(rules.clone()) {
                // An option that is more than a list of values says itself what is wrong, behind
                // its name.
                let reason = toml_reason(&error);
                let explained = reason.starts_with(&format!("{name}: "));
                return Err(TableError::Option(if explained {
                    reason
                } else {
                    format!("{name} = {value}; expected {}", option.values.join(" or "))
                }));
            }
        }
        G::Rules::deserialize(rules).map_err(|error| TableError::Option(toml_reason(&error)))
    }

    /// The table itself.
    ///
    /// # Errors
    /// When the rules or seats do not exist or do not fit.
    pub fn game<G: Game>(&self) -> Result<G, TableError> {
        let seats = self.seats.unwrap_or_else(|| G::seat_sets()[0]);
        Ok(G::new(self.rules::<G>()?, seats)?)
    }
}
