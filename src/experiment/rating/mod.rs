//! Ratings of all bots that met in some result folders of tournaments and matches.
//!
//! [`Played::read`] takes a folder apart: of every game the winner and who sat where if `games.csv` was kept, else the
//! wins of every bot in every line-up or direction of a match. [`Pool::join`] puts folders of one game together into
//! [`Rankings`], which the Plackett–Luce fit of [`crate::stats::plackett_luce`] takes; where they differ in rules,
//! [`Pool::effects`] tells what those change. An entrant is a side of the table: partners are one.

pub mod effects;
mod matches;
pub mod pairing;
mod read;
pub mod rounds;
pub mod rows;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::stats::plackett_luce::{Entrant, GameError, Rankings};

pub use read::Played;

use read::Ended;

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
        "{path}: {field} is {there}, in {first} it is {here}; ratings are of one game and one set of seats, rate them \
         apart"
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
        "{path}: line-up {line_up} was played on the same dice in {first}; play one of them with another seed{or}"
    )]
    Shared {
        /// The folder.
        path: String,
        /// The other.
        first: String,
        /// The bots.
        line_up: String,
        /// What else helps.
        or: &'static str,
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

/// A rule set of a pool.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RuleSet {
    /// The options in which it differs from another one of the pool, as `option=value`; empty if there is one.
    pub label: String,
    /// The folders.
    pub folders: Vec<String>,
    /// Blocks.
    pub blocks: u64,
    /// Games.
    pub all_games: u64,
    /// Games of each bot.
    pub games: Vec<u64>,
}

/// The games of several folders.
#[derive(Debug)]
pub struct Pool {
    /// The game.
    pub game: String,
    /// The seats in play.
    pub seats: String,
    /// What sits at the table; one nameless seat if they are not told apart.
    pub sides: Vec<String>,
    /// The bots, in the order of `Entrant::bot`.
    pub bots: Vec<String>,
    /// The rule sets, in the order of the folders.
    pub rules: Vec<RuleSet>,
    /// The games: each bot of one strength, the seats with effects of their own under each rule set, one rule set after
    /// the other.
    pub rankings: Rankings,
    /// The games with strengths for each rule set.
    pub apart: Rankings,
    /// Rule set and bot, in the order of `Entrant::bot` of [`apart`](Self::apart).
    pub players: Vec<(usize, usize)>,
    /// How many of the folders are matches, which stopped when they knew.
    pub matches: usize,
    /// Games stopped at the cap, which are left out.
    pub capped: u64,
    /// Where errors come from.
    pub errors: Errors,
}

impl Pool {
    /// Puts the games of folders together.
    ///
    /// # Errors
    /// When they are not of one game and set of seats, when two bots share a name, or when the same games come twice.
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
        let (rules, set_of) = rule_sets(folders);
        let mut games = Games::new(&bots, rules, players(folders, &set_of, &bots), sides.len());
        let mut seeds: Vec<u64> = Vec::new();
        for (folder, &set) in folders.iter().zip(&set_of) {
            // Blocks of one seed share their dice, in whichever folder they are.
            let seed = seeds.iter().position(|&seed| seed == folder.seed);
            let seed = seed.unwrap_or_else(|| {
                seeds.push(folder.seed);
                seeds.len() - 1
            }) as u64;
            let names = folder.bots.iter().map(|(name, _)| name.as_str());
            let numbers: Vec<usize> = names.map(|name| bots.numbers[name]).collect();
            for game in &folder.results {
                let entrant = |&Entrant { bot, seat }: &Entrant| Entrant {
                    bot: numbers[bot],
                    seat: set * sides.len() + if by_block { seat } else { 0 },
                };
                let ended = Ended {
                    block: seed << 40 | game.block,
                    games: game.games,
                    places: each(&game.places, entrant),
                    rest: game.rest.iter().map(entrant).collect(),
                };
                games.push(set, ended).map_err(|reason| RatingError::Game {
                    path: folder.path.clone(),
                    reason,
                })?;
            }
        }
        let rules = games.rules();
        let worth = folders
            .iter()
            .filter_map(|folder| folder.least_ratio)
            .fold(1.0, f64::min);
        Ok(Pool {
            game: first.game.clone(),
            seats: first.seats.clone(),
            sides,
            bots: bots.names,
            rules,
            rankings: games.together,
            apart: games.apart,
            players: games.players,
            matches: folders.iter().filter(|folder| folder.is_match).count(),
            capped: folders.iter().map(|folder| folder.capped).sum(),
            errors: if by_block {
                Errors::Blocks
            } else {
                Errors::Games((1.0 / worth).sqrt())
            },
        })
    }
}

/// The games as they come together.
struct Games {
    together: Rankings,
    apart: Rankings,
    players: Vec<(usize, usize)>,
    rules: Vec<RuleSet>,
    blocks: Vec<BTreeSet<u64>>,
}

impl Games {
    fn new(
        bots: &Roster<'_>,
        mut rules: Vec<RuleSet>,
        players: Vec<(usize, usize)>,
        seats: usize,
    ) -> Games {
        for set in &mut rules {
            set.games = vec![0; bots.names.len()];
        }
        let seats: Vec<usize> = (0..rules.len()).flat_map(|set| vec![set; seats]).collect();
        let groups = players.iter().map(|&(set, _)| set).collect();
        Games {
            together: Rankings::in_groups(vec![0; bots.names.len()], seats.clone()),
            apart: Rankings::in_groups(groups, seats),
            players,
            blocks: vec![BTreeSet::new(); rules.len()],
            rules,
        }
    }

    /// Adds games of a rule set.
    fn push(&mut self, set: usize, game: Ended) -> Result<(), GameError> {
        let Games { players, rules, .. } = self;
        rules[set].all_games += game.games;
        self.blocks[set].insert(game.block);
        let entrants = game.places.iter().flatten().chain(&game.rest);
        let playing: BTreeSet<usize> = entrants.map(|entrant| entrant.bot).collect();
        for bot in playing {
            rules[set].games[bot] += game.games;
        }
        if rules.len() > 1 {
            let player = |entrant: &Entrant| Entrant {
                bot: players
                    .binary_search(&(set, entrant.bot))
                    .expect("all players are listed"),
                ..*entrant
            };
            let rest = game.rest.iter().map(player).collect();
            let places = each(&game.places, player);
            self.apart.push(game.block, game.games, places, rest)?;
        }
        self.together
            .push(game.block, game.games, game.places, game.rest)
    }

    /// The rule sets with their counts.
    fn rules(&mut self) -> Vec<RuleSet> {
        for (set, blocks) in self.rules.iter_mut().zip(&self.blocks) {
            set.blocks = blocks.len() as u64;
        }
        std::mem::take(&mut self.rules)
    }
}

/// Places with each entrant by another number.
fn each(places: &[Vec<Entrant>], number: impl Fn(&Entrant) -> Entrant) -> Vec<Vec<Entrant>> {
    let tied = |tied: &Vec<Entrant>| tied.iter().map(&number).collect();
    places.iter().map(tied).collect()
}

/// Who plays under which rule set, in order.
fn players(folders: &[Played], set_of: &[usize], bots: &Roster<'_>) -> Vec<(usize, usize)> {
    let mut players = BTreeSet::new();
    for (folder, &set) in folders.iter().zip(set_of) {
        for (name, _) in &folder.bots {
            players.insert((set, bots.numbers[name.as_str()]));
        }
    }
    players.into_iter().collect()
}

/// The rule sets of some folders, in their order, and which one each has.
fn rule_sets(folders: &[Played]) -> (Vec<RuleSet>, Vec<usize>) {
    let mut tables: Vec<&toml::Table> = Vec::new();
    let mut sets: Vec<RuleSet> = Vec::new();
    let mut set_of = Vec::new();
    for folder in folders {
        let known = tables.iter().position(|&table| *table == folder.rules);
        let set = known.unwrap_or_else(|| {
            tables.push(&folder.rules);
            sets.push(RuleSet::default());
            sets.len() - 1
        });
        sets[set].folders.push(folder.path.clone());
        set_of.push(set);
    }
    let mut names: Vec<&String> = tables.iter().flat_map(|table| table.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|&name| {
        let mut values = tables.iter().map(|table| table.get(name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    });
    for (set, table) in sets.iter_mut().zip(tables) {
        let value = |name: &String| match table.get(name) {
            Some(toml::Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "none".to_owned(),
        };
        let said = names.iter().map(|name| format!("{name}={}", value(name)));
        set.label = said.collect::<Vec<_>>().join(" ");
    }
    (sets, set_of)
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
                let is_match = first.is_match || folder.is_match;
                return Err(RatingError::Shared {
                    path: folder.path.clone(),
                    first: first.path.clone(),
                    line_up: line_up.join(" "),
                    or: if is_match {
                        ""
                    } else {
                        ", or both with --games-csv"
                    },
                });
            }
        }
    }
    Ok(())
}
