//! The spec of a match: what a TOML file or the command line says, checked and spelled out.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bots::Bot;
use crate::engine::notation::{from_toml, read_text};
use crate::engine::play::DEFAULT_CAP;
use crate::engine::race::Race;
use crate::engine::seat::SeatSet;
use crate::experiment::balance::margin::Margin;
use crate::experiment::spec::{BotRef, SpecError, engine_fingerprint};
use crate::experiment::table::{TableError, TableSpec};

use super::{
    DEFAULT_BLOCKS, Direction, Duel, DuelError, DuelState, Settings, Test, Verdict, check_gsprt,
};

/// The directions a match asks about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// One A against many B, then many A against one B; at a table of two sides these are one
    #[default]
    Both,
    /// One A against B on every other side
    OneAgainstMany,
    /// A on every side but one, where B sits
    ManyAgainstOne,
}

/// The test that stops a match, by name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TestKind {
    /// Bets against equality and both ends of the margin; valid at every look
    #[default]
    EProcess,
    /// Log-likelihood ratio of elo0 and elo1, as chess testers use it; asymptotic
    Gsprt,
}

/// What is to be played. Every field has the name it has in a TOML file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// The game.
    pub game: String,
    /// The preset its rules start from.
    #[serde(default = "default_preset")]
    pub preset: String,
    /// The seats in play; the game's first seat set if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<SeatSet>,
    /// Who sits alone.
    #[serde(default)]
    pub direction: Directions,
    /// What stops the match.
    #[serde(default)]
    pub test: TestKind,
    /// How far from the fair share still counts as equal; by default 1 point, with more than four sides half a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// The probability of a wrong verdict.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of accepting H0 when H1 is true, for the GSPRT.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// A's Elo under H0, for the GSPRT.
    #[serde(default)]
    pub elo0: f64,
    /// A's Elo under H1, for the GSPRT.
    #[serde(default = "five")]
    pub elo1: f64,
    /// Blocks of each direction at most.
    #[serde(default = "default_blocks")]
    pub max_blocks: u64,
    /// The seed of all dice and bots, up to 2^63-1.
    #[serde(default = "one")]
    pub seed: u64,
    /// Rolls after which a game is stopped and shared.
    #[serde(default = "default_cap")]
    pub cap: u32,
    /// The rules that differ from the preset.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// A, whose strength is asked about, and B: names of shipped bots, bot files, or bots written out.
    pub bots: Vec<BotRef>,
}

fn default_preset() -> String {
    "default".to_owned()
}

const fn five_percent() -> f64 {
    0.05
}

const fn five() -> f64 {
    5.0
}

const fn one() -> u64 {
    1
}

const fn default_blocks() -> u64 {
    DEFAULT_BLOCKS
}

const fn default_cap() -> u32 {
    DEFAULT_CAP
}

/// A spec of a match that cannot be played, naming the field.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A file or a bot that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A table nobody can sit down at.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A question that cannot be asked.
    #[error(transparent)]
    Duel(#[from] DuelError),
    /// Not two bots.
    #[error("bots: {0} named; a match is between two, e.g. bots = [\"racer\", \"greedy\"]")]
    NotTwo(usize),
}

impl MatchSpec {
    /// A spec of this game and these bots, everything else at its default.
    pub fn new(game: &str, bots: Vec<BotRef>) -> MatchSpec {
        MatchSpec {
            game: game.to_owned(),
            preset: default_preset(),
            seats: None,
            direction: Directions::Both,
            test: TestKind::EProcess,
            margin: None,
            alpha: five_percent(),
            beta: five_percent(),
            elo0: 0.0,
            elo1: five(),
            max_blocks: DEFAULT_BLOCKS,
            seed: one(),
            cap: DEFAULT_CAP,
            rules: toml::Table::new(),
            bots,
        }
    }

    /// Reads a spec file; bot files beside it are read too.
    ///
    /// # Errors
    /// When the file cannot be read or is no spec of a match, or a bot file is broken.
    pub fn read(path: &Path) -> Result<MatchSpec, SpecError> {
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|reason| SpecError::Unreadable {
            path: shown.clone(),
            reason,
        })?;
        let mut spec: MatchSpec = from_toml(&text).map_err(|reason| SpecError::Malformed {
            path: shown,
            reason,
        })?;
        for bot in &mut spec.bots {
            if let BotRef::Named(name) = bot {
                let beside = path.with_file_name(&*name);
                if beside.extension().is_some_and(|ending| ending == "toml") && beside.exists() {
                    *bot = BotRef::Inline(Bot::read(&beside).map_err(SpecError::Bot)?);
                }
            }
        }
        Ok(spec)
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

    /// Checks the spec and spells it out; every input error is found here, before a game is played.
    ///
    /// # Errors
    /// When it cannot be played; the error names the field.
    pub fn resolve<G: Race>(&self) -> Result<Match<G>, MatchError> {
        let mut bots = Vec::new();
        for (bot, number) in self.bots.iter().zip(1..) {
            let bot = match bot {
                BotRef::Named(name) => Bot::find(name),
                BotRef::Inline(bot) => bot.clone().checked(&format!("number {number}")),
            };
            bots.push(bot.map_err(SpecError::Bot)?);
        }
        let pair: [Bot; 2] = bots
            .clone()
            .try_into()
            .map_err(|bots: Vec<Bot>| MatchError::NotTwo(bots.len()))?;
        // A bot may meet itself, but two bots of one name could not be told apart.
        if pair[0].name == pair[1].name && pair[0].hash() != pair[1].hash() {
            return Err(SpecError::SameName(pair[0].name.clone()).into());
        }
        let settings = Settings {
            test: match self.test {
                TestKind::EProcess => Test::EProcess,
                TestKind::Gsprt => Test::Gsprt {
                    elo0: self.elo0,
                    elo1: self.elo1,
                    beta: self.beta,
                },
            },
            margin: self.margin,
            alpha: self.alpha,
            max_blocks: self.max_blocks,
            seed: self.seed,
            first_block: 0,
            cap: self.cap,
        };
        let duel = |direction| -> Result<Duel<G>, MatchError> {
            let game: G = self.table().game()?;
            Ok(Duel::new(game, pair.clone(), direction, settings)?)
        };
        let first = duel(match self.direction {
            Directions::Both | Directions::OneAgainstMany => Direction::OneAgainstMany,
            Directions::ManyAgainstOne => Direction::ManyAgainstOne,
        })?;
        // Also where the e-process does not ask for them: a spec says nothing that is no number.
        check_gsprt([self.elo0, self.elo1], self.alpha, self.beta)?;
        let spec = MatchSpec {
            seats: Some(first.game.seats()),
            margin: Some(first.margin()),
            rules: toml::Table::try_from(first.game.rules())
                .map_err(|error| TableError::Option(error.to_string()))?,
            bots: bots.into_iter().map(BotRef::Inline).collect(),
            ..self.clone()
        };
        let asks_both = self.direction == Directions::Both && first.sides.count > 2;
        let mut duels = vec![first];
        if asks_both {
            duels.push(duel(Direction::ManyAgainstOne)?);
        }
        Ok(Match { duels, spec })
    }

    /// The spec as TOML.
    ///
    /// # Panics
    /// Never: every field of a spec can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field of a spec can be written as TOML")
    }
}

/// A match that has been checked: one question for each direction.
pub struct Match<G: Race> {
    /// The directions asked about, in the order in which they are played.
    pub duels: Vec<Duel<G>>,
    /// The spec with everything spelled out: playing it again gives the same bytes.
    pub spec: MatchSpec,
}

impl<G: Race> Match<G> {
    /// The hash of everything that decides the numbers: the job's identity.
    pub fn job(&self) -> String {
        let text = format!("match {}\n{}", engine_fingerprint(), self.spec.to_toml());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The identity of the counts: the job without its budget, since a larger one goes on from the same counts.
    pub fn counts_id(&self) -> String {
        let spec = MatchSpec {
            max_blocks: 0,
            ..self.spec.clone()
        };
        let text = format!("match {}\n{}", engine_fingerprint(), spec.to_toml());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Nothing has been played.
    pub fn fresh(&self) -> Vec<DuelState> {
        self.duels.iter().map(Duel::fresh).collect()
    }
}

/// What all directions say together: what each says, if all say the same; undecided if one is. `None` if they
/// contradict each other.
pub fn overall(verdicts: impl IntoIterator<Item = Verdict>) -> Option<Verdict> {
    let verdicts: Vec<Verdict> = verdicts.into_iter().collect();
    if verdicts.contains(&Verdict::Undecided) {
        return Some(Verdict::Undecided);
    }
    let first = *verdicts.first()?;
    verdicts
        .iter()
        .all(|&other| other == first)
        .then_some(first)
}
