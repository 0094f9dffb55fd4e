//! What can be wrong with a spec.

use crate::bots::BotError;
use crate::engine::scribe::ScribeError;
use crate::experiment::saved_games::MAX_SAVED;
use crate::experiment::schedule::ScheduleError;
use crate::experiment::table::TableError;

use super::MAX_BOTS;

/// A spec that cannot be played, naming the field.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A file that cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A file that does not say what a spec says.
    #[error("{path}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        reason: String,
    },
    /// A name that would not make a folder name.
    #[error(
        "name: '{0}' names no result folder; expected 1 to 100 letters, digits or -_.+, as name in the spec or with --name"
    )]
    Name(String),
    /// A number outside its range.
    #[error("{field}: {value}; expected {low} to {high}")]
    Range {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
    },
    /// A cap on points where there are none.
    #[error("score_cap: {0} is not played for points; leave it out")]
    NoScore(&'static str),
    /// No bot at all.
    #[error("bots: none named; expected at least one, e.g. bots = [\"greedy\", \"random\"]")]
    NoBots,
    /// More bots than anybody can compare.
    #[error("bots: {0} named; at most {MAX_BOTS} play in one tournament")]
    ManyBots(usize),
    /// Two bots of one name.
    #[error("bots: two bots are named '{0}'; give one of them another name in its file")]
    SameName(String),
    /// A bot that does not exist or does not play the game.
    #[error("bots: {0}")]
    Bot(BotError),
    /// A table nobody can sit down at.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Games that cannot be saved.
    #[error("save_games: {0}")]
    Scribe(ScribeError),
    /// More games than a folder should hold.
    #[error(
        "save_games: {0} games; at most {MAX_SAVED} are saved, one file each; ask for fewer blocks"
    )]
    ManyGames(u64),
    /// A field that its schedule has no use for.
    #[error("{field}: given, but it needs {needs}; leave it out")]
    Misplaced {
        /// The field.
        field: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A schedule that cannot be made of these bots.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

/// The text of the cause is in the text of the error, so the cause is not told apart from it.
impl From<BotError> for SpecError {
    fn from(error: BotError) -> SpecError {
        SpecError::Bot(error)
    }
}
