//! The spec of a tournament: what a TOML file or the command line says, checked and spelled out.

mod error;
mod fields;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bots::{Bot, BotError};
use crate::engine::game::Game;
use crate::engine::notation::{from_toml, read_text};
use crate::engine::play::DEFAULT_CAP;
use crate::engine::race::Race;
use crate::engine::seat::{PerSeat, SeatSet};

use super::balance::margin::Margin;
use super::saved_games::MAX_SAVED;
use super::schedule::{Schedule, ScheduleKind, Seatings};
use super::table::{TableError, TableSpec};
use fields::{seed_text, whole};

pub use error::SpecError;
pub use fields::BotRef;

/// The most blocks of one run.
pub const MAX_BLOCKS: u64 = 1_000_000_000_000;
/// The most rolls of one game.
pub const MAX_CAP: u32 = DEFAULT_CAP;
/// The most rounds of a Swiss tournament.
pub const MAX_ROUNDS: u64 = 10_000;
/// The most bots of one run.
pub const MAX_BOTS: usize = 1000;

/// What is to be played. Every field has the name it has in a TOML file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the experiment, and of its result folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The game.
    pub game: String,
    /// The preset its rules start from.
    #[serde(default = "default_preset")]
    pub preset: String,
    /// The seats in play; the game's first seat set if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<SeatSet>,
    /// Which line-ups are made of the bots.
    #[serde(default)]
    pub schedule: ScheduleKind,
    /// Which seatings of a line-up are played.
    #[serde(default)]
    pub seatings: Seatings,
    /// The line-ups of `schedule = "line-ups"`, each a bot name for every seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line_ups: Vec<Vec<String>>,
    /// How many blocks are played; each plays every line-up in all its rotations on the same dice.
    #[serde(
        default = "default_blocks",
        deserialize_with = "whole::<_, _, MAX_BLOCKS>"
    )]
    pub blocks: u64,
    /// The rounds of `schedule = "swiss"`; if missing, one more than halving the bots takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// How far from one half a pair's score still counts as equal, in schedules of rounds; 1 point if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// The probability of a wrong order of any pair, in schedules of rounds; 0.05 if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The seed of all dice and bots.
    #[serde(default = "default_seed", with = "seed_text")]
    pub seed: u64,
    /// Rolls after which a game is stopped and counted apart.
    #[serde(
        default = "default_cap",
        deserialize_with = "whole::<_, _, { MAX_CAP as u64 }>"
    )]
    pub cap: u32,
    /// The most points a game can give or cost, in games that are played for points; none if
    /// missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cap: Option<u32>,
    /// Whether `games.csv`, one row a game, is written.
    #[serde(default)]
    pub games_csv: bool,
    /// The notation in which every game is written to a file of its own, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub save_games: Option<String>,
    /// The rules that differ from the preset.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// The bots: names of shipped ones, bot files, or bots written out.
    pub bots: Vec<BotRef>,
}

fn default_preset() -> String {
    "default".to_owned()
}

const fn default_blocks() -> u64 {
    1000
}

const fn default_seed() -> u64 {
    1
}

const fn default_cap() -> u32 {
    DEFAULT_CAP
}

impl Spec {
    /// A spec of this game and these bots, everything else at its default.
    pub fn new(game: &str, bots: Vec<BotRef>) -> Spec {
        Spec {
            name: String::new(),
            game: game.to_owned(),
            preset: default_preset(),
            seats: None,
            schedule: ScheduleKind::default(),
            seatings: Seatings::default(),
            line_ups: Vec::new(),
            blocks: default_blocks(),
            rounds: None,
            margin: None,
            alpha: None,
            seed: default_seed(),
            cap: default_cap(),
            score_cap: None,
            games_csv: false,
            save_games: None,
            rules: toml::Table::new(),
            bots,
        }
    }

    /// Reads a spec file. A spec without a name gets that of the file. Bot files beside it are
    /// read too; those that are not there are looked up from the working folder later.
    ///
    /// # Errors
    /// When the file cannot be read or is no spec, or a bot file is broken.
    pub fn read(path: &Path) -> Result<Spec, SpecError> {
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|reason| SpecError::Unreadable {
            path: shown.clone(),
            reason,
        })?;
        let mut spec = Spec::parse(&text).map_err(|reason| SpecError::Malformed {
            path: shown,
            reason,
        })?;
        if spec.name.is_empty() {
            spec.name = path
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        }
        for bot in &mut spec.bots {
            if let BotRef::Named(name) = bot {
                let beside = path.with_file_name(&*name);
                if is_bot_file(name) && beside.exists() {
                    *bot = BotRef::Inline(Bot::read(&beside)?);
                }
            }
        }
        Ok(spec)
    }

    /// Reads the text of a spec.
    ///
    /// # Errors
    /// When the text is no spec: the line and what was expected.
    pub fn parse(text: &str) -> Result<Spec, String> {
        from_toml(text)
    }

    /// The table the spec describes.
    pub fn table(&self) -> TableSpec {
        TableSpec {
            game: self.game.clone(),
            preset: self.preset.clone(),
            seats: self.seats,
            rules: self.rules.clone(),
        }
    }

    /// Checks the spec and spells it out; every input error is found here, before a game is
    /// played.
    ///
    /// # Errors
    /// When something cannot be played; the error names the field.
    pub fn resolve<G: Race>(&self) -> Result<Experiment<G>, SpecError> {
        self.resolve_with(|bot| bot.policy::<G>().map(drop))
    }

    /// Checks the spec of a result as [`Spec::resolve`] does, but for its bots: they need not play
    /// any more, and a net may have changed since.
    ///
    /// # Errors
    /// Those of [`Spec::resolve`] but for bots that do not play.
    pub fn resolve_played<G: Race>(&self) -> Result<Experiment<G>, SpecError> {
        self.resolve_with(|_| Ok(()))
    }

    fn resolve_with<G: Race>(
        &self,
        can_play: impl Fn(&Bot) -> Result<(), BotError>,
    ) -> Result<Experiment<G>, SpecError> {
        let in_range = |field, value, low, high| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(SpecError::Range {
                    field,
                    value,
                    low,
                    high,
                })
            }
        };
        in_range("blocks", self.blocks, 1, MAX_BLOCKS)?;
        in_range("cap", self.cap.into(), 1, MAX_CAP.into())?;
        if let Some(cap) = self.score_cap {
            in_range("score_cap", cap.into(), 1, 1_000_000)?;
            if !G::MEASURES.iter().any(|measure| measure.is_score) {
                return Err(SpecError::NoScore(G::NAME));
            }
        }
        let game: G = self.table().game()?;

        if self.bots.len() > MAX_BOTS {
            return Err(SpecError::ManyBots(self.bots.len()));
        }
        let mut bots: Vec<Bot> = Vec::new();
        for (bot, number) in self.bots.iter().zip(1..) {
            let bot = match bot {
                BotRef::Named(name) => Bot::find(name)?,
                BotRef::Inline(bot) => bot.clone().checked(&format!("number {number}"))?,
            };
            can_play(&bot)?;
            if bots.iter().any(|other| other.name == bot.name) {
                return Err(SpecError::SameName(bot.name));
            }
            bots.push(bot);
        }
        if bots.is_empty() {
            return Err(SpecError::NoBots);
        }
        let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
        let schedule = Schedule::new(
            self.schedule,
            self.seatings,
            &self.line_ups,
            &names,
            &sides(&game),
        )?;
        self.check_saving(&game, &schedule)?;
        self.check_rounds()?;

        let name = if self.name.is_empty() {
            G::NAME.to_owned()
        } else {
            self.name.clone()
        };
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        if name.chars().count() > 100 || !name.chars().all(is_plain) || name.starts_with('.') {
            return Err(SpecError::Name(name.escape_debug().to_string()));
        }
        let rules = toml::Table::try_from(game.rules())
            .map_err(|error| TableError::Option(error.to_string()))?;
        let resolved = Spec {
            name,
            seats: Some(game.seats()),
            rules,
            bots: bots.iter().cloned().map(BotRef::Inline).collect(),
            ..self.clone()
        };
        Ok(Experiment {
            game,
            bots,
            schedule,
            spec: resolved,
        })
    }

    /// Whether what the spec asks for and its schedule go together.
    fn check_rounds(&self) -> Result<(), SpecError> {
        let in_rounds = self.schedule.is_in_rounds();
        let misplaced = |field, needs| Err(SpecError::Misplaced { field, needs });
        if self.rounds.is_some() && self.schedule != ScheduleKind::Swiss {
            return misplaced("rounds", "schedule = \"swiss\"");
        }
        for (field, given) in [
            ("margin", self.margin.is_some()),
            ("alpha", self.alpha.is_some()),
        ] {
            if given && !in_rounds {
                return misplaced(field, "schedule = \"swiss\" or \"adaptive\"");
            }
        }
        for (field, given) in [
            ("games_csv", self.games_csv),
            ("save_games", self.save_games.is_some()),
            ("score_cap", self.score_cap.is_some()),
            ("seatings", self.seatings != Seatings::Rotations),
        ] {
            if given && in_rounds {
                return misplaced(field, "a schedule that is not swiss or adaptive");
            }
        }
        match self.rounds {
            Some(rounds) if !(1..=MAX_ROUNDS).contains(&rounds) => Err(SpecError::Range {
                field: "rounds",
                value: rounds,
                low: 1,
                high: MAX_ROUNDS,
            }),
            _ => Ok(()),
        }
    }

    /// Whether games can be saved as the spec asks.
    fn check_saving<G: Game>(&self, game: &G, schedule: &Schedule) -> Result<(), SpecError> {
        let Some(format) = &self.save_games else {
            return Ok(());
        };
        let nobody = PerSeat::from_fn(|_| "nobody");
        game.scribe(format, &nobody).map_err(SpecError::Scribe)?;
        let games = schedule.games_per_block() as u64;
        let games = self.blocks.saturating_mul(games);
        if games > MAX_SAVED {
            return Err(SpecError::ManyGames(games));
        }
        Ok(())
    }

    /// The spec with its bot files read into it, so that it says the same in every folder.
    ///
    /// # Errors
    /// When a bot file cannot be read or does not describe a bot.
    pub fn with_bot_files(mut self) -> Result<Spec, SpecError> {
        for bot in &mut self.bots {
            if let BotRef::Named(name) = bot
                && is_bot_file(name)
            {
                *bot = BotRef::Inline(Bot::find(name)?);
            }
        }
        Ok(self)
    }

    /// The spec as TOML.
    ///
    /// # Panics
    /// Never: every field of a spec can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field of a spec can be written as TOML")
    }
}

/// Whether a bot is named by its file.
fn is_bot_file(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "toml")
}

/// A spec that has been checked: the table, the bots and the line-ups.
pub struct Experiment<G: Game> {
    /// The table.
    pub game: G,
    /// The bots; no two of one name.
    pub bots: Vec<Bot>,
    /// The line-ups and their rotations.
    pub schedule: Schedule,
    /// The spec with everything spelled out: playing it again gives the same bytes.
    pub spec: Spec,
}

impl<G: Game> Experiment<G> {
    /// The hash of everything that decides the numbers: the job's identity.
    pub fn job(&self) -> String {
        let hash =
            blake3::hash(format!("{}\n{}", engine_fingerprint(), self.spec.to_toml()).as_bytes());
        hash.to_hex()[..16].to_owned()
    }

    /// The rules that differ from the preset, as `option=value`.
    ///
    /// # Panics
    /// Never: the preset was found when the spec was checked.
    pub fn rule_changes(&self) -> Vec<String> {
        let preset = TableSpec {
            rules: toml::Table::new(),
            ..self.spec.table()
        };
        let preset = preset.rules::<G>().expect("the preset was found before");
        let preset = toml::Table::try_from(preset).expect("rules can be written as TOML");
        let changed = self
            .spec
            .rules
            .iter()
            .filter(|(name, value)| preset.get(*name) != Some(value));
        changed
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// The hash of the game and its rules.
    pub fn rules_hash(&self) -> String {
        let rules = toml::to_string(&self.spec.rules).expect("rules can be written as TOML");
        blake3::hash(format!("{}\n{rules}", G::NAME).as_bytes()).to_hex()[..16].to_owned()
    }
}

/// What else decides the numbers: the version of the program.
pub fn engine_fingerprint() -> String {
    format!("racelab {}", env!("CARGO_PKG_VERSION"))
}

/// The number of the side of each seat in play, in seat order.
fn sides<G: Game>(game: &G) -> Vec<usize> {
    let mut sides = Vec::new();
    let number = |seat| {
        let side = game.side(seat);
        let known = sides.iter().position(|&known| known == side);
        known.unwrap_or_else(|| {
            sides.push(side);
            sides.len() - 1
        })
    };
    game.seats().iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mensch::Mensch;

    fn spec(text: &str) -> Spec {
        Spec::parse(text).unwrap()
    }

    fn refused(text: &str) -> String {
        match spec(text).resolve::<Mensch>() {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_resolved_spec_resolves_to_itself() {
        let spec =
            spec("game = 'mensch'\nbots = ['greedy', 'rear']\nseed = '18446744073709551615'");
        let first = spec.resolve::<Mensch>().unwrap();
        let again = Spec::parse(&first.spec.to_toml()).unwrap();
        let again = again.resolve::<Mensch>().unwrap();
        assert_eq!(first.spec, again.spec);
        assert_eq!(first.job(), again.job());
        assert_eq!(first.spec.seed, u64::MAX);
    }

    #[test]
    fn what_cannot_be_played_is_refused_by_field() {
        let mensch = |more: &str| refused(&format!("game = 'mensch'\nbots = ['random']\n{more}"));
        assert_eq!(
            mensch("name = 'a/b'"),
            "name: 'a/b' names no result folder; expected 1 to 100 letters, digits or -_.+, as name \
             in the spec or with --name"
        );
        assert_eq!(
            refused("game = 'mensch'\nbots = []"),
            "bots: none named; expected at least one, e.g. bots = [\"greedy\", \"random\"]"
        );
        assert_eq!(
            refused("game = 'mensch'\nbots = ['greedy', 'greedy']"),
            "bots: two bots are named 'greedy'; give one of them another name in its file"
        );
    }

    #[test]
    fn numbers_of_a_spec_made_in_code_are_checked() {
        let spec = spec("game = 'mensch'\nbots = ['random']");
        let refused = |spec: Spec| spec.resolve::<Mensch>().err().unwrap().to_string();
        let no_blocks = Spec {
            blocks: 0,
            ..spec.clone()
        };
        assert_eq!(refused(no_blocks), "blocks: 0; expected 1 to 1000000000000");
        let no_rolls = Spec {
            cap: 0,
            ..spec.clone()
        };
        assert_eq!(refused(no_rolls), "cap: 0; expected 1 to 1000000");
        let bots = vec![BotRef::Named("random".to_owned()); 1001];
        let crowd = Spec { bots, ..spec };
        assert_eq!(
            refused(crowd),
            "bots: 1001 named; at most 1000 play in one tournament"
        );
    }

    #[test]
    fn a_wrong_field_is_refused_with_its_line() {
        assert_eq!(
            Spec::parse("game = 'mensch'\nbots = ['random']\nseeed = 3").unwrap_err(),
            "line 3: unknown field `seeed`, expected one of `name`, `game`, `preset`, `seats`, \
             `schedule`, `seatings`, `line_ups`, `blocks`, `rounds`, `margin`, `alpha`, `seed`, `cap`, `score_cap`, `games_csv`, \
             `save_games`, `rules`, `bots`"
        );
        assert_eq!(
            Spec::parse("game = 'mensch'\nbots = ['random']\nseed = -1").unwrap_err(),
            "line 3: invalid value: integer `-1`, expected a seed from 0 to 2^64-1 (above 2^63-1 \
             in quotes)"
        );
    }
}
