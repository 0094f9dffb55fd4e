//! Ratings of all bots that met in some result folders of tournaments.
//!
//! [`Played::read`] takes a folder apart: of every game the winner and who sat where if `games.csv` was kept, else the
//! wins of every bot in every line-up. [`Pool::join`] puts folders of one game and one rule set together into
//! [`Rankings`], which the Plackett–Luce fit of [`crate::stats::plackett_luce`] takes. An entrant is a side of the
//! table: partners are one.

pub mod pairing;
mod read;
pub mod rounds;
pub mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::stats::plackett_luce::{Entrant, GameError, Rankings};

pub use read::Played;

/// What is taken of a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Taken {
    /// Who won; the others have no place.
    #[default]
    Winners,
    /// Every place; those behind the winner are as the game stood when it ended.
    Placings,
}

/// Folders that cannot be rated, or not together.
#[derive(Debug, thiserror::Error)]
pub enum RatingError {
    /// A file that cannot be used.
    #[error("{path}: {reason}")]
    File {
        /// The file or folder.
        path: String,
        /// What is wrong; what would have worked.
        reason: String,
    },
    /// Two folders that are not of one table.
    #[error(
        "{path}: {field} is {there}, in {first} it is {here}; ratings are of one game and one rule set, rate them apart"
    )]
    Differs {
        /// The folder.
        path: String,
        /// The first folder.
        first: String,
        /// What differs.
        field: String,
        /// Its value in the folder.
        there: String,
        /// Its value in the first.
        here: String,
    },
    /// Two bots of one name.
    #[error(
        "{path}: bot '{bot}' has other parameters than in {first}; give one of them another name and play again"
    )]
    TwoBots {
        /// The folder.
        path: String,
        /// The first folder with a bot of that name.
        first: String,
        /// The name.
        bot: String,
    },
    /// The same games twice.
    #[error("{path}: holds the games of {first} again; name it once")]
    Twice {
        /// The folder.
        path: String,
        /// The other.
        first: String,
    },
    /// Some games twice, and no blocks that would tell.
    #[error(
        "{path}: line-up {line_up} was played on the same dice in {first}; play one of them with another seed, or both \
         with --games-csv"
    )]
    Shared {
        /// The folder.
        path: String,
        /// The other.
        first: String,
        /// The bots.
        line_up: String,
    },
    /// A game that cannot be taken.
    #[error("{path}: {reason}")]
    Game {
        /// The folder.
        path: String,
        /// Why.
        reason: GameError,
    },
}

/// Where errors come from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Errors {
    /// From blocks: every folder kept its games.
    Blocks,
    /// From games taken for independent, times this factor, at least 1: what blocks were worth where they were worth
    /// least, by `pairs.csv`.
    Games(f64),
}

/// The games of several folders.
#[derive(Debug)]
pub struct Pool {
    /// The game.
    pub game: String,
    /// The seats in play.
    pub seats: String,
    /// What sits at the table, in the order of `Entrant::seat`; one nameless seat if they are not told apart.
    pub sides: Vec<String>,
    /// The bots, in the order of `Entrant::bot`.
    pub bots: Vec<String>,
    /// The games.
    pub rankings: Rankings,
    /// Games stopped at the cap, which are left out.
    pub capped: u64,
    /// Where errors come from.
    pub errors: Errors,
}

impl Pool {
    /// Puts the games of folders together.
    ///
    /// # Errors
    /// When they are not of one game, rule set and set of seats, when two bots share a name, or when the same games
    /// come twice.
    pub fn join(folders: &[Played]) -> Result<Pool, RatingError> {
        let first = &folders[0];
        for (number, folder) in folders.iter().enumerate() {
            folder.must_fit(first)?;
            let mut earlier = folders[..number].iter();
            if let Some(twin) = earlier.find(|other| other.games_of == folder.games_of) {
                return Err(RatingError::Twice {
                    path: folder.path.clone(),
                    first: twin.path.clone(),
                });
            }
        }
        let bots = Roster::of(folders)?;
        let by_block = folders.iter().all(|folder| folder.by_block);
        if !by_block {
            must_not_share(folders)?;
        }
        let sides = if by_block {
            first.sides.clone()
        } else {
            vec![String::new()]
        };
        let mut rankings = Rankings::new(bots.names.len(), sides.len());
        let mut seeds: Vec<u64> = Vec::new();
        for folder in folders {
            // Blocks of one seed share their dice, in whichever folder they are.
            let seed = seeds.iter().position(|&seed| seed == folder.seed);
            let seed = seed.unwrap_or_else(|| {
                seeds.push(folder.seed);
                seeds.len() - 1
            }) as u64;
            let entrant = |&Entrant { bot, seat }: &Entrant| Entrant {
                bot: bots.numbers[folder.bots[bot].0.as_str()],
                seat: if by_block { seat } else { 0 },
            };
            for game in &folder.results {
                let places = game.places.iter();
                let places = places.map(|tied| tied.iter().map(entrant).collect());
                let rest = game.rest.iter().map(entrant).collect();
                rankings
                    .push(seed << 40 | game.block, game.games, places.collect(), rest)
                    .map_err(|reason| RatingError::Game {
                        path: folder.path.clone(),
                        reason,
                    })?;
            }
        }
        let worth = folders
            .iter()
            .filter_map(|folder| folder.least_ratio)
            .fold(1.0, f64::min);
        Ok(Pool {
            game: first.game.clone(),
            seats: first.seats.clone(),
            sides,
            bots: bots.names,
            rankings,
            capped: folders.iter().map(|folder| folder.capped).sum(),
            errors: if by_block {
                Errors::Blocks
            } else {
                Errors::Games((1.0 / worth).sqrt())
            },
        })
    }
}

/// All bots of some folders.
struct Roster<'a> {
    names: Vec<String>,
    numbers: BTreeMap<&'a str, usize>,
}

impl<'a> Roster<'a> {
    fn of(folders: &'a [Played]) -> Result<Roster<'a>, RatingError> {
        let mut roster = Roster {
            names: Vec::new(),
            numbers: BTreeMap::new(),
        };
        let mut known: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        for folder in folders {
            for (name, hash) in &folder.bots {
                let (there, path) = *known.entry(name).or_insert((hash, &folder.path));
                if there != hash {
                    return Err(RatingError::TwoBots {
                        path: folder.path.clone(),
                        first: path.to_owned(),
                        bot: name.clone(),
                    });
                }
                let next = roster.names.len();
                if *roster.numbers.entry(name).or_insert(next) == next {
                    roster.names.push(name.clone());
                }
            }
        }
        Ok(roster)
    }
}

/// Where errors do not follow blocks, no game may count twice.
fn must_not_share(folders: &[Played]) -> Result<(), RatingError> {
    let mut seen: BTreeMap<(u64, &[String]), &Played> = BTreeMap::new();
    for folder in folders {
        for line_up in &folder.line_ups {
            if let Some(first) = seen.insert((folder.seed, line_up), folder) {
                return Err(RatingError::Shared {
                    path: folder.path.clone(),
                    first: first.path.clone(),
                    line_up: line_up.join(" "),
                });
            }
        }
    }
    Ok(())
}
