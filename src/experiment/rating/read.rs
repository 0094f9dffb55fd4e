//! A result folder, as far as ratings need it; here that of a tournament.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use crate::engine::notation::{io_reason, read_text};
use crate::engine::race::Race;
use crate::experiment::schedule::{LineUp, Schedule};
use crate::experiment::spec::{Experiment, Spec};
use crate::games::{Visitor, with_table};
use crate::stats::plackett_luce::Entrant;

use super::{RatingError, Taken, matches};

/// Games that ended alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ended {
    pub block: u64,
    pub games: u64,
    pub places: Vec<Vec<Entrant>>,
    pub rest: Vec<Entrant>,
}

/// The games of one folder.
#[derive(Clone, Debug)]
pub struct Played {
    pub(super) path: String,
    pub(super) game: String,
    pub(super) seats: String,
    pub(super) rules: toml::Table,
    pub(super) sides: Vec<String>,
    /// Names and hashes.
    pub(super) bots: Vec<(String, String)>,
    pub(super) seed: u64,
    /// What two folders of the same games have in common: the spec without its name, its files and its length.
    pub(super) games_of: String,
    /// The line-ups by the names of their bots, turned so that equal ones are equal.
    pub(super) line_ups: Vec<Vec<String>>,
    pub(super) by_block: bool,
    /// Whether it is a match, which stopped when it knew.
    pub(super) is_match: bool,
    pub(super) results: Vec<Ended>,
    pub(super) capped: u64,
    pub(super) least_ratio: Option<f64>,
}

/// What a row of `games.csv` says that ratings need.
#[derive(Deserialize)]
struct GameRow {
    block: u64,
    line_up: usize,
    rotation: usize,
    places: String,
    capped: bool,
}

/// What a row of `line_ups.csv` says that ratings need.
#[derive(Deserialize)]
struct LineUpRow {
    line_up: usize,
    bot: String,
    games: u64,
    wins: u64,
    capped: u64,
}

/// What a row of `pairs.csv` says that ratings need.
#[derive(Deserialize)]
struct PairRow {
    variance_ratio: Option<f64>,
}

pub(super) fn broken(path: &Path, reason: impl Into<String>) -> RatingError {
    RatingError::File {
        path: path.display().to_string(),
        reason: reason.into(),
    }
}

impl Played {
    /// Reads a result folder.
    ///
    /// # Errors
    /// When it holds no finished tournament or match, or lacks what is asked for; the error says what makes it.
    pub fn read(folder: &Path, taken: Taken) -> Result<Played, RatingError> {
        let run = folder.join("run.json");
        let text = fs::read_to_string(&run).map_err(|error| {
            broken(
                &run,
                format!("{}; {}", io_reason(&error), unfinished(folder)),
            )
        })?;
        let text: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| broken(&run, format!("no JSON: {error}")))?;
        match text["kind"].as_str() {
            None => {}
            Some("match") => return matches::read(folder, taken),
            Some(kind) => return Err(broken(folder, other_kind(kind))),
        }
        if text["state"] != "complete" {
            let reason = format!(
                "is not finished; racelab tournament {} --resume --out {} goes on with it",
                folder.join("spec.toml").display(),
                folder.display()
            );
            return Err(broken(folder, reason));
        }
        let path = folder.join("spec.toml");
        let text = read_text(&path).map_err(|reason| broken(&path, reason))?;
        let spec = Spec::parse(&text).map_err(|reason| broken(&path, reason))?;
        let game = spec.game.clone();
        let reader = Reader {
            folder,
            path: &path,
            spec,
            taken,
        };
        let seats = reader.spec.seats.unwrap_or_default();
        with_table(&game, seats, reader).map_err(|error| broken(&path, format!("game: {error}")))?
    }

    /// Whether a folder is of the same table as another.
    pub(super) fn must_fit(&self, first: &Played) -> Result<(), RatingError> {
        let differs = |field: &str, there: String, here: String| RatingError::Differs {
            path: self.path.clone(),
            first: first.path.clone(),
            field: field.to_owned(),
            there,
            here,
        };
        for (field, there, here) in [
            ("game", &self.game, &first.game),
            ("seats", &self.seats, &first.seats),
        ] {
            if there != here {
                return Err(differs(field, there.clone(), here.clone()));
            }
        }
        Ok(())
    }
}

/// What would have to be done about a folder without a result.
fn unfinished(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("state.json")).unwrap_or_default();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let shown = folder.display();
    match state["kind"].as_str() {
        Some("match") => format!(
            "the match is not finished, racelab match {shown}/spec.toml --resume --out {shown} goes on with it"
        ),
        _ => "name the result folder of a finished tournament or match".to_owned(),
    }
}

/// Why the result of another command cannot be rated, and what can.
fn other_kind(kind: &str) -> String {
    let instead = "name result folders of racelab tournament or racelab match";
    match kind {
        "rounds" => format!(
            "is a tournament in rounds, whose ratings are in its ratings.csv; {instead}, or play the bots again with \
             --schedule round-robin"
        ),
        "rating" => "is made of ratings; name the folders they were made of".to_owned(),
        other => format!("is the result of racelab {other}; {instead}"),
    }
}

struct Reader<'a> {
    folder: &'a Path,
    path: &'a Path,
    spec: Spec,
    taken: Taken,
}

impl Visitor for Reader<'_> {
    type Answer = Result<Played, RatingError>;

    fn visit<G: Race>(self) -> Self::Answer {
        let experiment: Experiment<G> = self
            .spec
            .resolve_played()
            .map_err(|error| broken(self.path, error.to_string()))?;
        let sides = side_names(&experiment);
        for (line_up, number) in experiment.schedule.line_ups.iter().zip(1..) {
            if by_side(&experiment.schedule, line_up, 0).is_none() {
                let reason = format!(
                    "line-up {number} seats two bots on one side; ratings need one bot a side"
                );
                return Err(broken(self.folder, reason));
            }
        }
        let common = Spec {
            name: String::new(),
            blocks: 1,
            games_csv: false,
            save_games: None,
            ..experiment.spec.clone()
        };
        let bots = experiment.bots.iter();
        let mut played = Played {
            path: self.folder.display().to_string(),
            game: G::NAME.to_owned(),
            seats: experiment.game.seats().to_string(),
            rules: experiment.spec.rules.clone(),
            sides,
            bots: bots.map(|bot| (bot.name.clone(), bot.hash())).collect(),
            seed: experiment.spec.seed,
            games_of: common.to_toml(),
            line_ups: named(&experiment),
            by_block: self.folder.join("games.csv").exists(),
            is_match: false,
            results: Vec::new(),
            capped: 0,
            least_ratio: None,
        };
        if played.by_block {
            self.games(&experiment.schedule, &mut played)?;
        } else if self.taken == Taken::Placings {
            let reason = format!(
                "keeps no places of single games; racelab tournament {} --games-csv --out FOLDER makes games.csv",
                self.path.display()
            );
            return Err(broken(self.folder, reason));
        } else {
            self.line_ups(&experiment.schedule, &mut played)?;
        }
        self.least_ratio(&mut played)?;
        Ok(played)
    }
}

/// The rows of a table.
pub(super) fn rows<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, RatingError> {
    let file = File::open(path).map_err(|error| broken(path, io_reason(&error)))?;
    let mut table = csv::Reader::from_reader(BufReader::new(file));
    let rows = table.deserialize().zip(2..);
    rows.map(|(row, line)| {
        row.map_err(|error: csv::Error| {
            let said = error.to_string();
            let reason = said.rsplit(": ").next().unwrap_or("no row").to_owned();
            broken(
                path,
                format!("line {line}: {reason}; not as racelab wrote it"),
            )
        })
    })
    .collect()
}

/// The line-ups by the names of their bots, the rotation that sorts first.
fn named<G: Race>(experiment: &Experiment<G>) -> Vec<Vec<String>> {
    let name = |line_up: &LineUp, seat, rotation| {
        let bot: usize = line_up.bot(seat, rotation);
        experiment.bots[bot].name.clone()
    };
    let line_ups = experiment.schedule.line_ups.iter();
    line_ups
        .filter_map(|line_up| {
            let seats = line_up.bots.len();
            let rotations = 0..line_up.rotations;
            rotations
                .map(|rotation| {
                    (0..seats)
                        .map(|seat| name(line_up, seat, rotation))
                        .collect::<Vec<_>>()
                })
                .min()
        })
        .collect()
}

/// What the sides are called: their seats.
fn side_names<G: Race>(experiment: &Experiment<G>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for seat in experiment.game.seats().iter() {
        let name = experiment.game.side(seat).to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The bot of each side in a rotation; none if partners are different bots.
fn by_side(schedule: &Schedule, line_up: &LineUp, rotation: usize) -> Option<Vec<usize>> {
    let mut bots: Vec<Option<usize>> = Vec::new();
    for (number, &side) in schedule.sides.iter().enumerate() {
        bots.resize(bots.len().max(side + 1), None);
        let bot = line_up.bot(number, rotation);
        if *bots[side].get_or_insert(bot) != bot {
            return None;
        }
    }
    bots.into_iter().collect()
}

impl Reader<'_> {
    fn rows<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Result<Vec<T>, RatingError> {
        rows(&self.folder.join(name))
    }

    /// The line-up of a row, which counts from 1.
    fn line_up<'s>(
        &self,
        schedule: &'s Schedule,
        number: usize,
        name: &str,
        line: usize,
    ) -> Result<&'s LineUp, RatingError> {
        let line_up = number
            .checked_sub(1)
            .and_then(|index| schedule.line_ups.get(index));
        line_up.ok_or_else(|| {
            let reason = format!("line {line}: no line-up {number} in spec.toml");
            broken(&self.folder.join(name), reason)
        })
    }

    /// Every game with its block and its seats.
    fn games(&self, schedule: &Schedule, played: &mut Played) -> Result<(), RatingError> {
        let path = self.folder.join("games.csv");
        let rows = self.rows::<GameRow>("games.csv")?;
        let games = self
            .spec
            .blocks
            .saturating_mul(schedule.games_per_block() as u64);
        if rows.len() as u64 != games {
            let reason = format!(
                "holds {} games, the run {games}; not as racelab wrote it",
                rows.len()
            );
            return Err(broken(&path, reason));
        }
        let mut seen = HashSet::new();
        for (row, line) in rows.into_iter().zip(2..) {
            let wrong = |what: &str| broken(&path, format!("line {line}: {what}"));
            if !seen.insert((row.block, row.line_up, row.rotation)) {
                return Err(wrong("a game that stands above already"));
            }
            let line_up = self.line_up(schedule, row.line_up, "games.csv", line)?;
            let bots = row
                .rotation
                .checked_sub(1)
                .filter(|&rotation| rotation < line_up.rotations)
                .and_then(|rotation| by_side(schedule, line_up, rotation))
                .ok_or_else(|| wrong("no such rotation of the line-up"))?;
            let places: Result<Vec<u8>, _> = row.places.split(' ').map(str::parse).collect();
            let places = places
                .ok()
                .filter(|places| places.len() == schedule.sides.len() && !places.contains(&0))
                .ok_or_else(|| wrong("places: expected one for every seat"))?;
            if row.block >= 1 << 40 {
                return Err(wrong("block: no such block"));
            }
            if row.capped {
                played.capped += 1;
                continue;
            }
            let mut sides: Vec<(u8, Entrant)> = bots
                .into_iter()
                .enumerate()
                .map(|(seat, bot)| {
                    let best = schedule.sides.iter().zip(&places);
                    let best = best.filter(|&(&side, _)| side == seat);
                    let place = best.map(|(_, &place)| place).min();
                    (place.unwrap_or(u8::MAX), Entrant { bot, seat })
                })
                .collect();
            sides.sort_by_key(|&(place, _)| place);
            played.results.push(self.result(row.block, &sides));
        }
        Ok(())
    }

    /// A game by the places of its sides, best first.
    fn result(&self, block: u64, sides: &[(u8, Entrant)]) -> Ended {
        let groups = sides.chunk_by(|a, b| a.0 == b.0);
        let mut places: Vec<Vec<Entrant>> = groups
            .map(|tied| tied.iter().map(|&(_, entrant)| entrant).collect())
            .collect();
        let rest = match self.taken {
            Taken::Placings => Vec::new(),
            Taken::Winners => places.split_off(1).concat(),
        };
        Ended {
            block,
            games: 1,
            places,
            rest,
        }
    }

    /// The wins of every bot in every line-up, without blocks and seats.
    fn line_ups(&self, schedule: &Schedule, played: &mut Played) -> Result<(), RatingError> {
        let mut last = 0;
        for (row, line) in self.rows::<LineUpRow>("line_ups.csv")?.into_iter().zip(2..) {
            let line_up = self.line_up(schedule, row.line_up, "line_ups.csv", line)?;
            let wrong = |what: String| {
                broken(
                    &self.folder.join("line_ups.csv"),
                    format!("line {line}: {what}"),
                )
            };
            let winner = played.bots.iter().position(|(name, _)| *name == row.bot);
            let winner = winner
                .filter(|&bot| line_up.copies(bot) > 0)
                .ok_or_else(|| {
                    wrong(format!(
                        "bot '{}' is not in line-up {}",
                        row.bot.escape_debug(),
                        row.line_up
                    ))
                })?;
            if row.wins > row.games || row.capped > row.games {
                return Err(wrong("more wins or capped games than games".to_owned()));
            }
            if row.line_up != last {
                played.capped += row.capped;
                last = row.line_up;
            }
            let mut rest: Vec<Entrant> = by_side(schedule, line_up, 0)
                .unwrap_or_default()
                .into_iter()
                .map(|bot| Entrant { bot, seat: 0 })
                .collect();
            let seat = rest.iter().position(|entrant| entrant.bot == winner);
            let Some(seat) = seat.filter(|_| rest.len() > 1 && row.wins > 0) else {
                continue;
            };
            let winner = rest.remove(seat);
            played.results.push(Ended {
                block: 0,
                games: row.wins,
                places: vec![vec![winner]],
                rest,
            });
        }
        Ok(())
    }

    /// The least that a game of a block was worth in any pair.
    fn least_ratio(&self, played: &mut Played) -> Result<(), RatingError> {
        let ratios = self.rows::<PairRow>("pairs.csv")?.into_iter();
        let ratios = ratios.filter_map(|row| row.variance_ratio);
        played.least_ratio = ratios
            .filter(|ratio| *ratio > 0.0 && ratio.is_finite())
            .min_by(f64::total_cmp);
        Ok(())
    }
}
