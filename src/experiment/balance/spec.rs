//! The spec of a study: what a TOML file or the command line asks, checked and spelled out.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bots::Bot;
use crate::engine::game::{Game, RuleSet};
use crate::engine::notation::{from_toml, read_text};
use crate::engine::play::DEFAULT_CAP;
use crate::engine::race::Race;
use crate::engine::seat::SeatSet;
use crate::experiment::spec::{BotRef, MAX_CAP, SpecError, engine_fingerprint};
use crate::experiment::table::{TableError, TableSpec};

use super::course::METRICS;
use super::design::{Design, DesignError, DesignKind, Factor, plain};
use super::margin::Margin;
use super::players::{Sides, Table, tables};

/// The games of a seat question if no budget is given, for each rule set, seat set and bot.
pub const SEAT_GAMES: u64 = 400_000;
/// Blocks with which the value function is tuned, on dice of their own, before luck is measured.
pub const PILOT_BLOCKS: u64 = 200;
/// The most games of a study.
pub const MAX_BUDGET: u64 = 1_000_000_000_000;
/// The metric that needs no games of its own but is no mean of games.
pub const SPREAD: &str = "seat_spread";
/// The metric that is taken from the first two bots against each other.
pub const SKILL_GAP: &str = "skill_gap";

/// What is asked. Every field has the name it has in a TOML file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// The name of the study, and of its result folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The game.
    pub game: String,
    /// The preset its rules start from.
    #[serde(default = "default_preset")]
    pub preset: String,
    /// The sets of seats that are asked about, each on its own; the game's first if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatSet>,
    /// The options to study: `name` for all its values, or `name=value,value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Which combinations of their values are played.
    #[serde(default)]
    pub design: DesignKind,
    /// The metric of the named question about the options; all others are exploration.
    #[serde(default = "default_primary")]
    pub primary: String,
    /// How far from its fair share a seat may be; 1 point, with more than four sides 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// How far above its fair share a bot may be.
    #[serde(default = "default_strategy_margin")]
    pub strategy_margin: Margin,
    /// The probability of a wrong verdict, at most.
    #[serde(default = "default_alpha")]
    pub alpha: f64,
    /// Games of the whole study at most; if missing, 400,000 for each seat question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// Blocks that all rule sets play, from which effects are told.
    #[serde(default = "default_effect_blocks")]
    pub effect_blocks: u64,
    /// Blocks of each bot against a table of each other one at most; 0 leaves the question out.
    #[serde(default = "default_strategy_blocks")]
    pub strategy_blocks: u64,
    /// Blocks in which luck is measured; 0 leaves the question out.
    #[serde(default = "default_luck_blocks")]
    pub luck_blocks: u64,
    /// The seed of all dice and bots.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Rolls after which a game is stopped and counted apart.
    #[serde(default = "default_cap")]
    pub cap: u32,
    /// The rules that differ from the preset and are not studied.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// The bots: names of shipped ones, bot files, or bots written out.
    pub bots: Vec<BotRef>,
}

fn default_preset() -> String {
    "default".to_owned()
}

fn default_primary() -> String {
    SPREAD.to_owned()
}

const fn default_strategy_margin() -> Margin {
    Margin::points(5.0)
}

const fn default_alpha() -> f64 {
    0.05
}

const fn default_effect_blocks() -> u64 {
    10_000
}

const fn default_strategy_blocks() -> u64 {
    2_000
}

const fn default_luck_blocks() -> u64 {
    500
}

const fn default_seed() -> u64 {
    1
}

const fn default_cap() -> u32 {
    DEFAULT_CAP
}

/// A study that cannot be made, naming the field.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// What a tournament would refuse too.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A design that cannot be made.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// An option that cannot be studied.
    #[error("options: {0}")]
    Option(String),
    /// A rule set of the design that the game refuses.
    #[error("options: {label}: {reason}")]
    RuleSet {
        /// The rule set.
        label: String,
        /// What the game says.
        reason: TableError,
    },
    /// The same seats twice.
    #[error("seats: {0} is named twice")]
    SeatsTwice(SeatSet),
    /// A share cannot be so far from fair.
    #[error("{field}: {margin} is as much as the fair share of {sides} sides; take less")]
    Margin {
        /// The field.
        field: &'static str,
        /// The margin.
        margin: Margin,
        /// The sides of the table.
        sides: usize,
    },
    /// A probability that is none.
    #[error("alpha: {0}; expected above 0 and at most 0.5, e.g. 0.05")]
    Alpha(f64),
    /// A metric that does not exist.
    #[error("primary: no metric '{name}'; known: {known}")]
    Primary {
        /// The name.
        name: String,
        /// The metrics.
        known: String,
    },
    /// A budget in which the study has no room.
    #[error(
        "budget: {budget} games; the study needs at least {needed}: {reason}. Raise it, or ask for less"
    )]
    Budget {
        /// The budget.
        budget: u64,
        /// The least that is needed.
        needed: u64,
        /// What needs them.
        reason: String,
    },
    /// A budget for an earlier run that has played more.
    #[error(
        "budget: it leaves {most} games to each seat question, of which {played} are played; raise it to go on"
    )]
    Played {
        /// What was played.
        played: u64,
        /// What the budget at hand leaves.
        most: u64,
    },
    /// An earlier run without the question.
    #[error("strategy_blocks: the run there does not ask about strategies; --force starts over")]
    NotAsked,
}

impl StudySpec {
    /// A spec of this game, everything else at its default.
    pub fn new(game: &str) -> StudySpec {
        StudySpec {
            name: String::new(),
            game: game.to_owned(),
            preset: default_preset(),
            seats: Vec::new(),
            options: Vec::new(),
            design: DesignKind::default(),
            primary: default_primary(),
            margin: None,
            strategy_margin: default_strategy_margin(),
            alpha: default_alpha(),
            budget: None,
            effect_blocks: default_effect_blocks(),
            strategy_blocks: default_strategy_blocks(),
            luck_blocks: default_luck_blocks(),
            seed: default_seed(),
            cap: default_cap(),
            rules: toml::Table::new(),
            bots: Vec::new(),
        }
    }

    /// Reads a spec file. A spec without a name gets that of the file; bot files beside it are read too.
    ///
    /// # Errors
    /// When the file cannot be read or is no spec, or a bot file is broken.
    pub fn read(path: &Path) -> Result<StudySpec, StudyError> {
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|reason| SpecError::Unreadable {
            path: shown.clone(),
            reason,
        })?;
        let mut spec = StudySpec::parse(&text).map_err(|reason| SpecError::Malformed {
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
                if beside.extension().is_some_and(|ending| ending == "toml") && beside.exists() {
                    *bot = BotRef::Inline(Bot::read(&beside).map_err(SpecError::Bot)?);
                }
            }
        }
        Ok(spec)
    }

    /// Reads the text of a spec.
    ///
    /// # Errors
    /// When the text is no spec: the line and what was expected.
    pub fn parse(text: &str) -> Result<StudySpec, String> {
        from_toml(text)
    }

    /// The spec as TOML.
    ///
    /// # Panics
    /// Never: every field of a spec can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field of a spec can be written as TOML")
    }

    /// The spec with its bot files read into it, so that it says the same in every folder.
    ///
    /// # Errors
    /// When a bot file cannot be read or does not describe a bot.
    pub fn with_bot_files(mut self) -> Result<StudySpec, StudyError> {
        for bot in &mut self.bots {
            if let BotRef::Named(name) = bot
                && Path::new(name)
                    .extension()
                    .is_some_and(|ending| ending == "toml")
            {
                *bot = BotRef::Inline(Bot::find(name).map_err(SpecError::Bot)?);
            }
        }
        Ok(self)
    }

    /// Checks the spec and spells it out; every input error is found here, before a game is played.
    ///
    /// # Errors
    /// When something cannot be played or asked; the error names the field.
    pub fn resolve<G: Race>(&self) -> Result<Study<G>, StudyError> {
        self.check_numbers()?;
        let bots = self.resolved_bots::<G>()?;
        let seats = self.resolved_seats::<G>()?;
        let base = TableSpec {
            game: self.game.clone(),
            preset: self.preset.clone(),
            seats: None,
            rules: self.rules.clone(),
        };
        let factors = self.factors::<G>(&base)?;
        let design = Design::new(self.design, factors)?;
        let cells = self.cells::<G>(&base, &design, &seats)?;
        let name = match self.name.as_str() {
            "" => format!("balance-{}", G::NAME),
            name => name.to_owned(),
        };
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        if name.chars().count() > 100 || !name.chars().all(is_plain) || name.starts_with('.') {
            return Err(SpecError::Name(name.escape_debug().to_string()).into());
        }
        let rules = base.rules::<G>().map_err(SpecError::Table)?;
        let mut rules = toml::Table::try_from(rules).expect("rules can be written as TOML");
        for factor in &design.factors {
            rules.remove(&factor.name);
        }
        let spell = |factor: &Factor| {
            let values: Vec<String> = factor.values.iter().map(plain).collect();
            format!("{}={}", factor.name, values.join(","))
        };
        let spec = StudySpec {
            name,
            seats,
            options: design.factors.iter().map(spell).collect(),
            rules,
            bots: bots.iter().cloned().map(BotRef::Inline).collect(),
            ..self.clone()
        };
        let tables = tables(&bots);
        let mut study = Study {
            design,
            cells,
            tables,
            bots,
            seat_games: SEAT_GAMES,
            spec,
        };
        study.seat_games = study.allotted()?;
        Ok(study)
    }

    fn check_numbers(&self) -> Result<(), StudyError> {
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
        in_range("cap", self.cap.into(), 1, MAX_CAP.into())?;
        in_range("seed", self.seed, 0, i64::MAX as u64)?;
        in_range("effect_blocks", self.effect_blocks, 1_000, 1_000_000_000)?;
        in_range("strategy_blocks", self.strategy_blocks, 0, 1_000_000_000)?;
        in_range("luck_blocks", self.luck_blocks, 0, 1_000_000_000)?;
        if let Some(budget) = self.budget {
            in_range("budget", budget, 1, MAX_BUDGET)?;
        }
        if !(self.alpha > 0.0 && self.alpha <= 0.5) {
            return Err(StudyError::Alpha(self.alpha));
        }
        let known = METRICS.iter().map(|metric| metric.name);
        let known: Vec<&str> = [SPREAD, SKILL_GAP].into_iter().chain(known).collect();
        if !known.contains(&self.primary.as_str()) {
            return Err(StudyError::Primary {
                name: self.primary.clone(),
                known: known.join(", "),
            });
        }
        Ok(())
    }

    fn resolved_bots<G: Race>(&self) -> Result<Vec<Bot>, StudyError> {
        let mut bots: Vec<Bot> = Vec::new();
        for (bot, number) in self.bots.iter().zip(1..) {
            let bot = match bot {
                BotRef::Named(name) => Bot::find(name),
                BotRef::Inline(bot) => bot.clone().checked(&format!("number {number}")),
            };
            let bot = bot.map_err(SpecError::Bot)?;
            bot.policy::<G>().map_err(SpecError::Bot)?;
            if bots.iter().any(|other| other.name == bot.name) {
                return Err(SpecError::SameName(bot.name).into());
            }
            bots.push(bot);
        }
        if bots.is_empty() {
            return Err(SpecError::NoBots.into());
        }
        Ok(bots)
    }

    /// The largest of the sets of seats, none if the game's own is asked about.
    pub fn most_seats(&self) -> Option<SeatSet> {
        self.seats.iter().copied().max_by_key(|seats| seats.len())
    }

    fn resolved_seats<G: Game>(&self) -> Result<Vec<SeatSet>, StudyError> {
        if self.seats.is_empty() {
            return Ok(vec![G::seat_sets()[0]]);
        }
        for (number, seats) in self.seats.iter().enumerate() {
            if self.seats[..number].contains(seats) {
                return Err(StudyError::SeatsTwice(*seats));
            }
        }
        Ok(self.seats.clone())
    }

    /// The options with their values; the one the rules have comes first unless values were given.
    fn factors<G: Game>(&self, base: &TableSpec) -> Result<Vec<Factor>, StudyError> {
        let rules = base.rules::<G>().map_err(SpecError::Table)?;
        let rules = toml::Table::try_from(rules).expect("rules can be written as TOML");
        let mut factors: Vec<Factor> = Vec::new();
        for text in &self.options {
            let (name, values) = match text.split_once('=') {
                None => (text.as_str(), None),
                Some((name, values)) => (name, Some(values)),
            };
            let name = name.trim().replace('-', "_");
            let options = G::Rules::OPTIONS;
            let Some(option) = options.iter().find(|option| option.name == name) else {
                let known: Vec<&str> = options.iter().map(|option| option.name).collect();
                return Err(StudyError::Option(format!(
                    "no option '{name}' of {}; known: {}",
                    G::NAME,
                    known.join(", ")
                )));
            };
            if factors.iter().any(|factor| factor.name == name) {
                return Err(StudyError::Option(format!("'{name}' is named twice")));
            }
            if self.rules.contains_key(&name) {
                return Err(StudyError::Option(format!(
                    "'{name}' is also fixed by rules; take it out there"
                )));
            }
            let own = &rules[&name];
            let values: Vec<toml::Value> = if let Some(values) = values {
                let values = values.split(',');
                values.map(|value| read_value(value.trim())).collect()
            } else {
                let all = option.values.iter().map(|value| read_value(value));
                let others = all.filter(|value| value != own);
                std::iter::once(own.clone()).chain(others).collect()
            };
            for value in &values {
                let mut table = base.clone();
                table.rules.insert(name.clone(), value.clone());
                table
                    .rules::<G>()
                    .map_err(|error| StudyError::Option(error.to_string()))?;
            }
            let repeated =
                (1..values.len()).any(|number| values[..number].contains(&values[number]));
            if values.len() < 2 || repeated {
                return Err(StudyError::Option(format!(
                    "'{text}' compares nothing; expected two or more different values, e.g. {name}={}",
                    option.values[..option.values.len().min(2)].join(",")
                )));
            }
            factors.push(Factor { name, values });
        }
        Ok(factors)
    }

    /// The tables of each seat set: one for each rule set.
    fn cells<G: Game>(
        &self,
        base: &TableSpec,
        design: &Design,
        seats: &[SeatSet],
    ) -> Result<Vec<Cells<G>>, StudyError> {
        let cells = seats.iter().map(|&seats| {
            let game = |run: usize| {
                let mut table = TableSpec {
                    seats: Some(seats),
                    ..base.clone()
                };
                for (factor, &level) in design.factors.iter().zip(&design.levels[run]) {
                    table
                        .rules
                        .insert(factor.name.clone(), factor.values[level].clone());
                }
                table.game::<G>().map_err(|reason| StudyError::RuleSet {
                    label: format!("{} {seats}", design.label(run))
                        .trim_start()
                        .to_owned(),
                    reason,
                })
            };
            let games: Vec<G> = (0..design.runs()).map(game).collect::<Result<_, _>>()?;
            let sides = Sides::of(&games[0]);
            let margin = self.margin.unwrap_or(Margin::for_sides(sides.count));
            let fair = 1.0 / sides.count as f64;
            for (field, margin) in [
                ("margin", margin),
                ("strategy_margin", self.strategy_margin),
            ] {
                if margin.share() >= fair.min(1.0 - fair) {
                    return Err(StudyError::Margin {
                        field,
                        margin,
                        sides: sides.count,
                    });
                }
            }
            Ok(Cells {
                seats,
                sides,
                margin,
                games,
            })
        });
        cells.collect()
    }
}

/// A value as a command line gives it: TOML if it is, else text.
fn read_value(text: &str) -> toml::Value {
    match text.parse::<toml::Value>() {
        Ok(value) if !value.is_table() => value,
        _ => toml::Value::String(text.to_owned()),
    }
}

/// The tables of one set of seats.
pub struct Cells<G: Game> {
    /// The seats in play.
    pub seats: SeatSet,
    /// Who wins together with whom.
    pub sides: Sides,
    /// The margin of the seat question.
    pub margin: Margin,
    /// The game by each rule set of the design.
    pub games: Vec<G>,
}

/// A study that has been checked.
pub struct Study<G: Game> {
    /// The rule sets.
    pub design: Design,
    /// The tables of each seat set.
    pub cells: Vec<Cells<G>>,
    /// Who plays whom alone against a table.
    pub tables: Vec<Table>,
    /// The bots; no two of one name.
    pub bots: Vec<Bot>,
    /// The most games of each seat question.
    pub seat_games: u64,
    /// The spec with everything spelled out: playing it again gives the same bytes.
    pub spec: StudySpec,
}

/// The most games of the parts of a study.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GamesNeeded {
    /// Seat fairness and the effects of options.
    pub seats: u64,
    /// Bots alone against a table.
    pub strategies: u64,
    /// Luck.
    pub luck: u64,
}

impl GamesNeeded {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.seats
            .saturating_add(self.strategies)
            .saturating_add(self.luck)
    }
}

impl<G: Race> Study<G> {
    /// The hash of everything that decides the numbers: the job's identity.
    pub fn job(&self) -> String {
        let text = format!("balance {}\n{}", engine_fingerprint(), self.spec.to_toml());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The identity of the counts: the job without its budgets, since larger ones go on from the same counts.
    pub fn counts_id(&self) -> String {
        let spec = StudySpec {
            budget: None,
            strategy_blocks: 0,
            ..self.spec.clone()
        };
        let text = format!("balance {}\n{}", engine_fingerprint(), spec.to_toml());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The rule set of a run of the design in words: its options, or else the preset.
    pub fn rules_label(&self, run: usize) -> String {
        if self.design.factors.is_empty() {
            self.spec.preset.clone()
        } else {
            self.design.label(run)
        }
    }

    /// Whether any option is studied.
    pub fn has_options(&self) -> bool {
        !self.design.factors.is_empty()
    }

    /// Blocks that all rule sets play on the same dice, whatever is decided earlier.
    pub fn shared_blocks(&self) -> u64 {
        if self.has_options() {
            self.spec.effect_blocks
        } else {
            0
        }
    }

    /// The seat questions: rule sets, seat sets and bots.
    pub fn seat_questions(&self) -> u64 {
        (self.design.runs() * self.cells.len() * self.bots.len()) as u64
    }

    /// The most games the study can take, by its parts.
    pub fn games_needed(&self) -> GamesNeeded {
        let runs = self.design.runs() as u64;
        let mut needed = GamesNeeded {
            seats: self.seat_questions().saturating_mul(self.seat_games),
            ..GamesNeeded::default()
        };
        for cells in &self.cells {
            let rotations = cells.sides.rotations as u64;
            let strategies = self.tables.len() as u64 * rotations * runs;
            needed.strategies += strategies.saturating_mul(self.spec.strategy_blocks);
            if self.spec.luck_blocks > 0 {
                let games: u64 = self
                    .luck_pairs()
                    .iter()
                    .map(|&(hero, table)| if hero == table { 1 } else { rotations })
                    .sum();
                needed.luck += (games * runs).saturating_mul(self.spec.luck_blocks + PILOT_BLOCKS);
            }
        }
        needed
    }

    /// The games in which luck is measured, by the bot followed and the bot of the others: each bot among its like, and
    /// the first bot against the second.
    pub fn luck_pairs(&self) -> Vec<(usize, usize)> {
        let own = (0..self.bots.len()).map(|bot| (bot, bot));
        own.chain((self.bots.len() > 1).then_some((0, 1))).collect()
    }

    /// The games of each seat question within the budget.
    fn allotted(&self) -> Result<u64, StudyError> {
        let Some(budget) = self.spec.budget else {
            return Ok(SEAT_GAMES.max(self.shared_blocks()));
        };
        let needed = self.games_needed();
        let fixed = needed.strategies + needed.luck;
        let each = budget.saturating_sub(fixed) / self.seat_questions();
        let (least, what) = match self.shared_blocks() {
            0 => (1_000, "a first look"),
            blocks => (blocks, "the effects of options"),
        };
        if each < least {
            return Err(StudyError::Budget {
                budget,
                needed: fixed + least * self.seat_questions(),
                reason: format!(
                    "{} seat questions with {least} games each for {what}, {} for strategies, {} for luck",
                    self.seat_questions(),
                    needed.strategies,
                    needed.luck
                ),
            });
        }
        Ok(each)
    }
}
