//! Bots: named opponents, made of a policy and its parameters.
//!
//! A policy is one file here and one line in [`policies`]. It sees a [`View`] and answers with the
//! index of a legal move, so it cannot play illegally. A bot file (TOML) names a policy and its
//! parameters; the shipped ones in `bots/` are built into the binary.

mod greedy;
mod random;
mod run_home;
pub mod seated;

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::game::Game;
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::Seat;

/// What a policy is shown when it must choose. There is always more than one move.
#[derive(Debug)]
pub struct View<'a, G: Game> {
    /// The table: rules and seats.
    pub game: &'a G,
    /// The position, with the roll to be played.
    pub state: &'a G::State,
    /// The seat that chooses.
    pub seat: Seat,
    /// Its legal moves.
    pub moves: &'a G::Moves,
}

/// What can be said of a policy's choices without asking it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Habit {
    /// The same view always gets the same answer.
    Deterministic,
    /// Every move is equally likely.
    Uniform,
}

/// How a bot chooses. One value plays one seat or many, in one thread.
pub trait Policy<G: Game>: Send {
    /// The index of the chosen move. Random choices are drawn from `random` and nowhere else.
    fn choose(&mut self, view: &View<'_, G>, random: &mut Stream) -> usize;

    /// What its choices depend on.
    fn habit(&self) -> Habit {
        Habit::Deterministic
    }

    /// Whether a decision takes so long that its time is worth measuring.
    fn is_search(&self) -> bool {
        false
    }
}

/// One parameter of a policy, for `racelab bots` and for error messages.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The key in `[params]`.
    pub name: &'static str,
    /// The value when the file does not name it.
    pub default: String,
    /// What it does, with its range.
    pub about: &'static str,
}

/// A policy as the registry knows it.
pub struct PolicyEntry<G: Game> {
    /// The name in bot files.
    pub name: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    /// Its parameters for this game.
    pub params: Vec<Param>,
    /// Makes the policy from the `[params]` of a bot file.
    pub build: fn(&toml::Table) -> Result<Box<dyn Policy<G>>, String>,
}

/// All policies that play a game.
pub fn policies<G: Race>() -> Vec<PolicyEntry<G>> {
    vec![random::entry(), run_home::entry(), greedy::entry()]
}

/// A named opponent: what a bot file says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bot {
    /// The name in tables.
    pub name: String,
    /// The policy it plays by.
    pub policy: String,
    /// The parameters of the policy that differ from its defaults.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub params: toml::Table,
}

/// The bot files that come with the program: name and text.
pub const SHIPPED: &[(&str, &str)] = &[
    ("random", include_str!("../../bots/random.toml")),
    ("run-home", include_str!("../../bots/run-home.toml")),
    ("rear", include_str!("../../bots/rear.toml")),
    ("greedy", include_str!("../../bots/greedy.toml")),
];

/// Why there is no such bot, or why it cannot play.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// A name that is neither shipped nor a file.
    #[error(
        "no bot '{name}'; known: {}; or a bot file ending in .toml",
        shipped_names()
    )]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// A bot file that cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A bot file that does not say what a bot file says.
    #[error("{path}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        reason: String,
    },
    /// A policy that does not exist for this game.
    #[error("bot '{bot}': policy '{policy}' does not play {game}; policies that do: {known}")]
    NoPolicy {
        /// The bot.
        bot: String,
        /// The policy it asks for.
        policy: String,
        /// The game.
        game: &'static str,
        /// The policies that play the game.
        known: String,
    },
    /// Parameters the policy refuses.
    #[error("bot '{bot}': params: {reason}")]
    Params {
        /// The bot.
        bot: String,
        /// Which parameter and what would have worked.
        reason: String,
    },
}

fn shipped_names() -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|&(name, _)| name).collect();
    names.join(", ")
}

impl Bot {
    /// The bot of this name: a shipped one, or a file if the name ends in `.toml`.
    ///
    /// # Errors
    /// When there is no such bot, or its file cannot be read or does not describe a bot.
    pub fn find(name: &str) -> Result<Bot, BotError> {
        if let Some((name, text)) = SHIPPED.iter().find(|&&(shipped, _)| shipped == name) {
            return Bot::parse(name, text);
        }
        if Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "toml")
        {
            let text = std::fs::read_to_string(name).map_err(|error| BotError::Unreadable {
                path: name.to_owned(),
                reason: crate::engine::notation::io_reason(&error),
            })?;
            return Bot::parse(name, &text);
        }
        Err(BotError::Unknown {
            name: name.to_owned(),
        })
    }

    /// The bot a file's text describes; `path` is for error messages.
    ///
    /// # Errors
    /// When the text does not describe a bot.
    pub fn parse(path: &str, text: &str) -> Result<Bot, BotError> {
        let malformed = |reason: String| BotError::Malformed {
            path: path.to_owned(),
            reason,
        };
        let bot: Bot = crate::engine::notation::from_toml(text).map_err(malformed)?;
        bot.checked(path)
    }

    /// This bot if its name can stand in a table; `path` says where it was named.
    ///
    /// # Errors
    /// When it cannot.
    pub fn checked(self, path: &str) -> Result<Bot, BotError> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        let letters = self.name.chars().count();
        if (1..=40).contains(&letters) && self.name.chars().all(is_plain) {
            return Ok(self);
        }
        Err(BotError::Malformed {
            path: path.to_owned(),
            reason: format!(
                "name: '{}' is no bot name; expected 1 to 40 letters, digits or -_.+",
                self.name.escape_debug()
            ),
        })
    }

    /// The policy of this bot for a game.
    ///
    /// # Errors
    /// When the policy does not play the game or refuses the parameters.
    pub fn policy<G: Race>(&self) -> Result<Box<dyn Policy<G>>, BotError> {
        let all = policies::<G>();
        let Some(entry) = all.iter().find(|entry| entry.name == self.policy) else {
            let known: Vec<&str> = all.iter().map(|entry| entry.name).collect();
            return Err(BotError::NoPolicy {
                bot: self.name.clone(),
                policy: self.policy.clone(),
                game: G::NAME,
                known: known.join(", "),
            });
        };
        (entry.build)(&self.params).map_err(|reason| BotError::Params {
            bot: self.name.clone(),
            reason,
        })
    }
}

/// The parameters of a policy from a bot file's table; the text of the error names the key and
/// lists what would have worked.
fn params<T: DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    T::deserialize(table.clone()).map_err(|error| crate::engine::notation::toml_reason(&error))
}
