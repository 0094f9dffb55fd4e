//! The spec of a tuning: what a TOML file or the command line asks, checked and spelled out.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bots::Bot;
use crate::engine::notation::{from_toml, read_text};
use crate::engine::play::DEFAULT_CAP;
use crate::engine::race::Race;
use crate::engine::seat::SeatSet;
use crate::experiment::balance::players::Sides;
use crate::experiment::duel::{Direction, Duel, DuelError, Settings};
use crate::experiment::spec::{BotRef, MAX_CAP, SpecError, engine_fingerprint};
use crate::experiment::table::TableSpec;
use crate::stats::optimise::{MAX_AXES, NtbeaSettings};

use super::domains::{DomainSpec, Domains, MAX_DOMAIN, Overlap};
use super::settings::{ReportingSpec, SearchSpec, ValidationSpec};
use super::space::{Candidate, ParamSpec, Space};

/// The most opponents of a panel.
pub const MAX_PANEL: usize = 20;
/// The most candidates of a race, and the largest population.
pub const MAX_FIELD: usize = 1_000;
/// What a tuned bot is called at most: `-candidate` must fit behind it.
const MAX_NAME: usize = 30;

/// How better parameters are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A walk of simultaneous perturbations: numbers, also whole ones, many parameters.
    Spsa,
    /// A normal distribution that adapts: up to 30 numbers.
    #[default]
    CmaEs,
    /// The N-tuple bandit evolutionary algorithm: a few values for each parameter.
    Ntbea,
    /// All candidates on the same dice, dropped when proven worse: a finite set.
    Racing,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Spsa => "spsa",
            Method::CmaEs => "cma-es",
            Method::Ntbea => "ntbea",
            Method::Racing => "racing",
        })
    }
}

/// What is asked. Every field has the name it has in a TOML file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// The name of the tuning, and of its result folder.
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
    /// How better parameters are looked for.
    #[serde(default)]
    pub method: Method,
    /// Blocks in which a candidate is tried, each against every opponent of the panel.
    #[serde(default = "default_blocks")]
    pub blocks: u64,
    /// Generations; of a race, rounds at most. Each has dice of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
    /// The seed of all dice, bots and of the search.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Rolls after which a game is stopped; every side gets the same part of it.
    #[serde(default = "default_cap")]
    pub cap: u32,
    /// The bot to tune: a shipped one, a bot file, or a bot written out.
    pub bot: BotRef,
    /// The opponents: each fills all other sides, and all count the same.
    pub panel: Vec<BotRef>,
    /// The rules that differ from the preset.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// What is tuned.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, ParamSpec>,
    /// Sets of parameters that race, instead of all combinations of `params`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<toml::Table>,
    /// The settings of the method.
    #[serde(default)]
    pub search: SearchSpec,
    /// The match against the bot as it was.
    #[serde(default)]
    pub validation: ValidationSpec,
    /// The measurement of what was gained.
    #[serde(default)]
    pub reporting: ReportingSpec,
    /// Which blocks serve which purpose.
    #[serde(default)]
    pub domains: DomainSpec,
}

fn default_preset() -> String {
    "default".to_owned()
}

const fn default_blocks() -> u64 {
    100
}

const fn default_seed() -> u64 {
    1
}

const fn default_cap() -> u32 {
    DEFAULT_CAP
}

/// A tuning that cannot be made, naming the field.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// What a tournament would refuse too.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The bot that is tuned.
    #[error("bot: {0}")]
    Bot(String),
    /// The panel.
    #[error("panel: {0}")]
    Panel(String),
    /// A parameter.
    #[error("params.{name}: {reason}")]
    Param {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What is tuned as a whole.
    #[error("params: {0}")]
    Params(String),
    /// A set of parameters that is to race.
    #[error("candidates: {0}")]
    Candidates(String),
    /// A setting of the method.
    #[error("search.{name}: {reason}")]
    Search {
        /// The setting.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Domains that share dice.
    #[error(transparent)]
    Overlap(#[from] Overlap),
    /// A match that cannot be played.
    #[error("validation.{0}")]
    Validation(DuelError),
}

impl TuneSpec {
    /// Reads a spec file. A spec without a name gets that of the file; bot files beside it are read too.
    ///
    /// # Errors
    /// When the file cannot be read or is no spec, or a bot file is broken.
    pub fn read(path: &Path) -> Result<TuneSpec, TuneError> {
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|reason| SpecError::Unreadable {
            path: shown.clone(),
            reason,
        })?;
        let mut spec = TuneSpec::parse(&text).map_err(|reason| SpecError::Malformed {
            path: shown,
            reason,
        })?;
        if spec.name.is_empty() {
            spec.name = path
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        }
        for bot in spec.panel.iter_mut().chain([&mut spec.bot]) {
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
    pub fn parse(text: &str) -> Result<TuneSpec, String> {
        from_toml(text)
    }

    /// The spec as TOML.
    ///
    /// # Panics
    /// Never: every field of a spec can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field of a spec can be written as TOML")
    }

    /// The table it is tuned for.
    pub fn table(&self) -> TableSpec {
        TableSpec {
            game: self.game.clone(),
            preset: self.preset.clone(),
            seats: self.seats,
            rules: self.rules.clone(),
        }
    }

    /// Generations, or rounds of a race.
    pub fn generations(&self) -> u32 {
        self.generations.unwrap_or(match self.method {
            Method::Spsa => 100,
            Method::CmaEs => 30,
            Method::Ntbea => 60,
            Method::Racing => 50,
        })
    }

    /// Checks the spec and spells it out; every input error is found here, before a game is played.
    ///
    /// # Errors
    /// When something cannot be played or tuned; the error names the field.
    pub fn resolve<G: Race>(&self) -> Result<Tuning<G>, TuneError> {
        self.check_numbers()?;
        let game: G = self.table().game().map_err(SpecError::Table)?;
        let bot = resolved::<G>(&self.bot).map_err(TuneError::Bot)?;
        if bot.name.chars().count() > MAX_NAME {
            return Err(TuneError::Bot(format!(
                "'{}' is too long a name to put '-candidate' behind it; at most {MAX_NAME} letters",
                bot.name
            )));
        }
        let panel = self.resolved_panel::<G>()?;
        let (space, field) = self.what_is_tuned::<G>(&bot)?;
        let mut spec = TuneSpec {
            name: self.resolved_name::<G>()?,
            generations: Some(self.generations()),
            seats: Some(game.seats()),
            bot: BotRef::Inline(bot.clone()),
            panel: panel.iter().cloned().map(BotRef::Inline).collect(),
            search: self.search.resolved(self, space.dimensions.len())?,
            rules: toml::Table::try_from(game.rules()).expect("rules can be written as TOML"),
            ..self.clone()
        };
        let tuning = self.blocks.saturating_mul(self.generations().into());
        let rounds = spec.search.rounds.unwrap_or(0);
        let selection = self.blocks.saturating_mul(rounds.into());
        for (field, blocks) in [("blocks", tuning), ("search.rounds", selection)] {
            in_range(field, blocks, 0, MAX_DOMAIN)?;
        }
        let lengths = [
            tuning,
            selection,
            self.validation.blocks,
            self.reporting.blocks,
        ];
        let domains = Domains::new(self.domains, lengths)?;
        spec.domains = domains.spec();
        let sides = Sides::of(&game);
        let tuning = Tuning {
            game,
            sides,
            bot,
            panel,
            space,
            field,
            domains,
            spec,
        };
        tuning.duel(&tuning.bot)?;
        Ok(tuning)
    }

    fn check_numbers(&self) -> Result<(), TuneError> {
        in_range("blocks", self.blocks, 2, 1_000_000)?;
        in_range("generations", self.generations().into(), 1, 1_000_000)?;
        in_range("seed", self.seed, 0, i64::MAX as u64)?;
        in_range("cap", self.cap.into(), 1, MAX_CAP.into())?;
        in_range("validation.blocks", self.validation.blocks, 1, MAX_DOMAIN)?;
        in_range("reporting.blocks", self.reporting.blocks, 2, MAX_DOMAIN)?;
        for first in [
            self.domains.tuning,
            self.domains.selection,
            self.domains.validation,
            self.domains.reporting,
        ] {
            in_range("domains", first.unwrap_or(0), 0, i64::MAX as u64 / 2)?;
        }
        Ok(())
    }

    fn resolved_name<G: Race>(&self) -> Result<String, TuneError> {
        let name = match self.name.as_str() {
            "" => format!("tune-{}", G::NAME),
            name => name.to_owned(),
        };
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        if name.chars().count() > 100 || !name.chars().all(is_plain) || name.starts_with('.') {
            return Err(SpecError::Name(name.escape_debug().to_string()).into());
        }
        Ok(name)
    }

    fn resolved_panel<G: Race>(&self) -> Result<Vec<Bot>, TuneError> {
        let mut panel: Vec<Bot> = Vec::new();
        for bot in &self.panel {
            let bot = resolved::<G>(bot).map_err(TuneError::Panel)?;
            if panel.iter().any(|other| other.name == bot.name) {
                return Err(TuneError::Panel(format!("'{}' is named twice", bot.name)));
            }
            panel.push(bot);
        }
        if panel.is_empty() || panel.len() > MAX_PANEL {
            return Err(TuneError::Panel(format!(
                "{} opponents; expected 1 to {MAX_PANEL}, e.g. panel = [\"greedy\", \"racer\"]",
                panel.len()
            )));
        }
        Ok(panel)
    }

    /// The space, and who races if the method is a race.
    fn what_is_tuned<G: Race>(&self, bot: &Bot) -> Result<(Space, Vec<Candidate>), TuneError> {
        let is_listed = matches!(self.method, Method::Ntbea | Method::Racing);
        if !self.candidates.is_empty() {
            return self.given_candidates::<G>(bot);
        }
        if self.params.is_empty() {
            return Err(TuneError::Params(
                "nothing to tune; name parameters of the bot, e.g. [params.lead] with lower and upper"
                    .to_owned(),
            ));
        }
        let space = Space::new::<G>(bot, self.params.clone().into_iter(), is_listed)?;
        let dimensions = space.dimensions.len();
        if self.method == Method::CmaEs {
            if dimensions > MAX_AXES {
                return Err(TuneError::Params(format!(
                    "{dimensions} parameters; cma-es takes at most {MAX_AXES}, spsa any number"
                )));
            }
            if let Some(whole) = self.params.iter().find(|(_, spec)| spec.whole) {
                return Err(TuneError::Param {
                    name: whole.0.clone(),
                    reason: "whole numbers are for the methods spsa, ntbea and racing".to_owned(),
                });
            }
        }
        if self.method != Method::Racing {
            return Ok((space, Vec::new()));
        }
        let field = all_combinations(&space)?;
        Ok((space, field))
    }

    /// The race of parameter sets that are written out.
    fn given_candidates<G: Race>(&self, bot: &Bot) -> Result<(Space, Vec<Candidate>), TuneError> {
        let refuse = |reason: String| Err(TuneError::Candidates(reason));
        if self.method != Method::Racing {
            return refuse(format!("for the method racing, not {}", self.method));
        }
        if !self.params.is_empty() {
            return refuse("given with params; a race takes one of them".to_owned());
        }
        if self.candidates.len() >= MAX_FIELD {
            return refuse(format!(
                "{} given; at most {}",
                self.candidates.len(),
                MAX_FIELD - 1
            ));
        }
        let mut params: BTreeMap<String, ParamSpec> = BTreeMap::new();
        for candidate in &self.candidates {
            for (name, value) in candidate {
                let values = &mut params.entry(name.clone()).or_default().values;
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
        let space = Space::new::<G>(bot, params.into_iter(), true)?;
        let mut field = vec![space.start()];
        for (candidate, number) in self.candidates.iter().zip(1..) {
            let values = space.dimensions.iter().map(|dimension| {
                let given = candidate.get(&dimension.name);
                given.unwrap_or(&dimension.start).clone()
            });
            let candidate: Candidate = values.collect();
            if field.contains(&candidate) {
                return refuse(format!("number {number} is the bot itself or named before"));
            }
            field.push(candidate);
        }
        Ok((space, field))
    }

    /// The spec with its bot files read into it, so that it says the same in every folder.
    ///
    /// # Errors
    /// When a bot file cannot be read or does not describe a bot.
    pub fn with_bot_files(mut self) -> Result<TuneSpec, TuneError> {
        for bot in self.panel.iter_mut().chain([&mut self.bot]) {
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
}

/// The bot as it is, and every combination of values.
fn all_combinations(space: &Space) -> Result<Vec<Candidate>, TuneError> {
    let sizes = space.sizes();
    let count = sizes
        .iter()
        .fold(1_usize, |count, &size| count.saturating_mul(size));
    if count >= MAX_FIELD {
        return Err(TuneError::Params(format!(
            "{count} combinations; a race has at most {} and the bot itself: name fewer values, or use ntbea",
            MAX_FIELD - 1
        )));
    }
    let mut field = vec![space.start()];
    for number in 0..count {
        let mut rest = number;
        let indices: Vec<usize> = sizes
            .iter()
            .map(|size| {
                let index = rest % size;
                rest /= size;
                index
            })
            .collect();
        let candidate = space.of_indices(&indices);
        if !field.contains(&candidate) {
            field.push(candidate);
        }
    }
    Ok(field)
}

fn in_range(field: &'static str, value: u64, low: u64, high: u64) -> Result<(), SpecError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(SpecError::Range {
        field,
        value,
        low,
        high,
    })
}

/// The bot, if it plays the game.
fn resolved<G: Race>(bot: &BotRef) -> Result<Bot, String> {
    let found = match bot {
        BotRef::Named(name) => Bot::find(name),
        BotRef::Inline(bot) => bot.clone().checked("the spec"),
    };
    let bot = found.map_err(|error| error.to_string())?;
    bot.policy::<G>().map_err(|error| error.to_string())?;
    Ok(bot)
}

/// A tuning that has been checked.
pub struct Tuning<G: Race> {
    /// The table.
    pub game: G,
    /// Its sides.
    pub sides: Sides,
    /// The bot that is tuned, as it is: the incumbent.
    pub bot: Bot,
    /// Its opponents.
    pub panel: Vec<Bot>,
    /// What is tuned.
    pub space: Space,
    /// Who races, the bot as it is first; empty unless the method is a race.
    pub field: Vec<Candidate>,
    /// Which blocks serve which purpose.
    pub domains: Domains,
    /// The spec with everything spelled out.
    pub spec: TuneSpec,
}

impl<G: Race> Tuning<G> {
    /// The hash of everything that decides the numbers: the job's identity.
    pub fn job(&self) -> String {
        let text = format!("tune {}\n{}", engine_fingerprint(), self.spec.to_toml());
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The steps of a block score: every game has as many as there are sides, so that each can get its part of a game that
    /// nobody has won.
    pub fn steps(&self) -> u32 {
        let sides = self.sides.count as u32;
        self.panel.len() as u32 * sides * sides
    }

    /// Games that a candidate plays in a block.
    pub fn games_per_block(&self) -> u64 {
        (self.panel.len() * self.sides.rotations) as u64
    }

    /// How NTBEA searches.
    pub fn ntbea(&self) -> NtbeaSettings {
        let search = &self.spec.search;
        NtbeaSettings {
            runs: search.runs.unwrap_or(1),
            neighbours: search.neighbours.unwrap_or(1),
            exploration: search.exploration.unwrap_or(1.0),
        }
    }

    /// The held-out match of a candidate against the bot as it was.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn duel(&self, candidate: &Bot) -> Result<Duel<G>, TuneError> {
        let game: G = self.spec.table().game().map_err(SpecError::Table)?;
        let ValidationSpec {
            blocks,
            margin,
            alpha,
        } = self.spec.validation;
        let settings = Settings {
            margin,
            alpha,
            max_blocks: blocks,
            seed: self.spec.seed,
            first_block: self.domains.validation.start,
            cap: self.spec.cap,
            ..Settings::default()
        };
        let bots = [candidate.clone(), self.bot.clone()];
        Duel::new(game, bots, Direction::OneAgainstMany, settings).map_err(TuneError::Validation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mensch::Mensch;

    const SPEC: &str = "game = 'mensch'\nbot = 'racer'\npanel = ['greedy']\n";

    fn refused(text: &str) -> String {
        match TuneSpec::parse(&format!("{SPEC}{text}"))
            .unwrap()
            .resolve::<Mensch>()
        {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_resolved_spec_resolves_to_itself() {
        for method in ["spsa", "cma-es", "ntbea", "racing"] {
            let text = format!("{SPEC}method = '{method}'\n[params.lead]\nlower = 0\nupper = 1");
            let first = TuneSpec::parse(&text).unwrap().resolve::<Mensch>().unwrap();
            let again = TuneSpec::parse(&first.spec.to_toml()).unwrap();
            let again = again.resolve::<Mensch>().unwrap();
            assert_eq!(first.spec, again.spec);
            assert_eq!(first.job(), again.job());
        }
    }

    #[test]
    fn a_race_is_the_bot_and_all_combinations() {
        let text = format!(
            "{SPEC}method = 'racing'\nparams = {{lead = {{values = [0.25, 0.5]}}, exposed = {{values = [-0.45, 0.0]}}}}"
        );
        let tuning = TuneSpec::parse(&text).unwrap().resolve::<Mensch>().unwrap();
        let field: Vec<String> = tuning
            .field
            .iter()
            .map(|candidate| {
                candidate
                    .iter()
                    .map(super::super::space::plain)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        assert_eq!(field, ["-0.45 0.25", "0 0.25", "-0.45 0.5", "0 0.5"]);
    }

    #[test]
    fn what_cannot_be_tuned_is_refused_by_field() {
        let lead = "[params.lead]\nlower = 0\nupper = 1\n";
        for (text, reason) in [
            (
                String::new(),
                "params: nothing to tune; name parameters of the bot, e.g. [params.lead] with lower and upper",
            ),
            (
                format!("blocks = 1\n{lead}"),
                "blocks: 1; expected 2 to 1000000",
            ),
            (
                format!("{lead}[search]\nrate = 1"),
                "search.rate: for the method spsa, not cma-es",
            ),
            (
                format!("{lead}[search]\npopulation = 3"),
                "search.population: 3; expected 4 to 1000",
            ),
            (
                format!("{lead}[validation]\nalpha = 0.9"),
                "validation.alpha: 0.9; expected above 0 and at most 0.5, e.g. 0.05",
            ),
            (
                format!("{lead}[domains]\nvalidation = 0"),
                "domains: tuning is blocks 0 to 2999 and validation blocks 0 to 19999 of the same dice; dice that one \
                 has seen prove nothing in the other: move one of them, or leave [domains] out",
            ),
            (
                format!("{lead}[[candidates]]\nlead = 0.5"),
                "candidates: for the method racing, not cma-es",
            ),
        ] {
            assert_eq!(refused(&text), reason);
        }
        let crowd = "method = 'racing'\n[params.lead]\nlower = 0\nupper = 1\nstep = 0.01\n[params.rivals]\nlower = -2\nupper = 0\n";
        assert_eq!(
            refused(crowd),
            "params: 1111 combinations; a race has at most 999 and the bot itself: name fewer values, or use ntbea"
        );
    }
}
