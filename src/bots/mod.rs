//! Bots: named opponents, made of a policy and its parameters.
//!
//! A policy is one file here and one line in [`policies`]. It sees a [`View`] and answers with the
//! index of a legal move, so it cannot play illegally. A bot file (TOML) names a policy and its
//! parameters; the shipped ones in `bots/` are built into the binary.

pub mod backgammon;
mod cautious;
mod expectimax;
mod float;
mod greedy;
mod leaning;
pub mod learned;
mod params;
mod racer;
mod random;
mod rollout;
mod run_home;
pub mod seated;
#[cfg(test)]
mod trial;

use std::any::Any;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::game::Game;
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::Seat;
use crate::games::{NAMES, Visitor, with_game};

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
    /// Every move is equally likely: `random.below` of their number.
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

    /// Whether it takes the move that [`MoveSet::greediest`] names, where it names one.
    ///
    /// [`MoveSet::greediest`]: crate::engine::game::MoveSet::greediest
    fn is_greedy(&self) -> bool {
        false
    }

    /// Whether a decision takes so long that its time is worth measuring.
    fn is_search(&self) -> bool {
        false
    }

    /// Why it cannot choose any more, in one line: another program it asks is gone. Its choices
    /// mean nothing from then on, and the game is not counted.
    fn failed(&self) -> Option<&str> {
        None
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
    pub about: String,
}

/// Makes a policy from `[params]`; the text of an error names the key and what would have worked.
pub type Build<G> = fn(&toml::Table) -> Result<Box<dyn Policy<G>>, String>;

/// A policy as the registry knows it.
pub struct PolicyEntry<G: Game> {
    /// The name in bot files.
    pub name: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    /// Its parameters for this game.
    pub params: Vec<Param>,
    /// Makes the policy from the `[params]` of a bot file.
    pub build: Build<G>,
}

/// All policies that play a game.
pub fn policies<G: Race>() -> Vec<PolicyEntry<G>> {
    let mut all = vec![
        random::entry(),
        run_home::entry(),
        greedy::entry(),
        cautious::entry(),
        racer::entry(),
        expectimax::entry(),
        rollout::entry(),
    ];
    all.extend(leaning::entries());
    all.extend(learned::entry());
    // The policies of one game are taken where `G` is that game.
    let own: Box<dyn Any> = Box::new(backgammon::entries());
    if let Ok(own) = own.downcast::<Vec<PolicyEntry<G>>>() {
        all.extend(*own);
    }
    all
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

/// The bot files that come with the program: name and text. Those in a folder play the games it is
/// named after.
pub const SHIPPED: &[(&str, &str)] = &[
    ("random", include_str!("../../bots/random.toml")),
    ("run-home", include_str!("../../bots/run-home.toml")),
    ("rear", include_str!("../../bots/rear.toml")),
    ("greedy", include_str!("../../bots/greedy.toml")),
    ("cautious", include_str!("../../bots/cautious.toml")),
    ("racer", include_str!("../../bots/racer.toml")),
    ("expectimax", include_str!("../../bots/expectimax.toml")),
    ("expectimax-2", include_str!("../../bots/expectimax-2.toml")),
    (
        "learned",
        include_str!("../../bots/mensch+parchis+baikal+backgammon/learned.toml"),
    ),
    (
        "blockader",
        include_str!("../../bots/parchis+chinczyk/blockader.toml"),
    ),
    (
        "sprinter",
        include_str!("../../bots/parchis+chinczyk/sprinter.toml"),
    ),
    (
        "rollout-random",
        include_str!("../../bots/parchis/rollout-random.toml"),
    ),
    (
        "rollout-spanish",
        include_str!("../../bots/parchis/rollout-spanish.toml"),
    ),
    (
        "rollout-answer",
        include_str!("../../bots/parchis/rollout-answer.toml"),
    ),
    (
        "rollout-answer-256",
        include_str!("../../bots/parchis/rollout-answer-256.toml"),
    ),
    ("jailer", include_str!("../../bots/baikal/jailer.toml")),
    ("blocker", include_str!("../../bots/baikal/blocker.toml")),
    ("pip", include_str!("../../bots/backgammon/pip.toml")),
    (
        "blot-safe",
        include_str!("../../bots/backgammon/blot-safe.toml"),
    ),
    ("prime", include_str!("../../bots/backgammon/prime.toml")),
    ("race", include_str!("../../bots/backgammon/race.toml")),
    (
        "pubstyle",
        include_str!("../../bots/backgammon/pubstyle.toml"),
    ),
    ("net", include_str!("../../bots/backgammon/net.toml")),
    ("gnubg", include_str!("../../bots/backgammon/gnubg.toml")),
    // Made by `racelab tune`.
    (
        "pip-tuned",
        include_str!("../../bots/backgammon/pip-tuned.toml"),
    ),
    (
        "racer-tuned",
        include_str!("../../bots/baikal/racer-tuned.toml"),
    ),
    (
        "racer-two-tuned",
        include_str!("../../bots/mensch/racer-two-tuned.toml"),
    ),
    (
        "parchis-racer-tuned",
        include_str!("../../bots/parchis/parchis-racer-tuned.toml"),
    ),
    (
        "two-dice-sprinter-tuned",
        include_str!("../../bots/chinczyk/two-dice-sprinter-tuned.toml"),
    ),
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
    /// Parameters that fit other games.
    #[error("bot '{bot}': plays {games}, not {game}: params: {reason}")]
    OtherGame {
        /// The bot.
        bot: String,
        /// The games it plays.
        games: String,
        /// The game it was asked to play.
        game: &'static str,
        /// Which parameter, and what would have worked.
        reason: String,
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
            return Bot::read(Path::new(name));
        }
        Err(BotError::Unknown {
            name: name.to_owned(),
        })
    }

    /// The bot of a bot file.
    ///
    /// # Errors
    /// When the file cannot be read or does not describe a bot.
    pub fn read(path: &Path) -> Result<Bot, BotError> {
        let shown = path.display().to_string();
        match crate::engine::notation::read_text(path) {
            Ok(text) => Bot::parse(&shown, &text),
            Err(reason) => Err(BotError::Unreadable {
                path: shown,
                reason,
            }),
        }
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

    /// This bot if its name can stand in a table, with the hash of its net file among the
    /// parameters if it names one; `path` says where it was named.
    ///
    /// # Errors
    /// When it cannot.
    pub fn checked(mut self, path: &str) -> Result<Bot, BotError> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        let letters = self.name.chars().count();
        if (1..=40).contains(&letters) && self.name.chars().all(is_plain) {
            if ["learned", "expectimax", "rollout"].contains(&self.policy.as_str()) {
                learned::fill_in_hash(&mut self.params);
            }
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

    /// The hash of what the bot is: policy and parameters, whatever its name.
    ///
    /// # Panics
    /// Never: parameters come from TOML and go back there.
    pub fn hash(&self) -> String {
        let params = toml::to_string(&self.params).expect("parameters can be written as TOML");
        let text = format!("{}\n{params}", self.policy);
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The names of the games that its policy plays.
    pub fn games(&self) -> Vec<&'static str> {
        struct Plays<'a>(&'a Bot);
        impl Visitor for Plays<'_> {
            type Answer = bool;

            fn visit<G: Race>(self) -> bool {
                self.0.built::<G>().is_ok()
            }
        }
        let plays = |game: &&'static str| with_game(game, Plays(self)) == Ok(true);
        NAMES.iter().copied().filter(plays).collect()
    }

    /// The policy of this bot for a game.
    ///
    /// # Errors
    /// When the policy does not play the game or refuses the parameters.
    pub fn policy<G: Race>(&self) -> Result<Box<dyn Policy<G>>, BotError> {
        self.built().map_err(|error| match error {
            BotError::Params { bot, reason } => match self.games()[..] {
                [] => BotError::Params { bot, reason },
                ref games => BotError::OtherGame {
                    bot,
                    games: games.join(", "),
                    game: G::NAME,
                    reason,
                },
            },
            other => other,
        })
    }

    /// [`Bot::policy`], whose error does not look at other games.
    fn built<G: Race>(&self) -> Result<Box<dyn Policy<G>>, BotError> {
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::trial::refusal;
    use super::*;

    struct Build<'a>(&'a Bot);

    impl Visitor for Build<'_> {
        type Answer = Result<(), BotError>;

        fn visit<G: Race>(self) -> Self::Answer {
            self.0.policy::<G>().map(|_| ())
        }
    }

    /// Every bot file: its name, and the games it plays.
    fn files() -> Vec<(String, Vec<&'static str>)> {
        let entries = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).unwrap();
            entries.map(|entry| entry.unwrap().path()).collect()
        };
        let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut files = Vec::new();
        for path in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("bots")) {
            if path.is_file() {
                files.push((name(&path), NAMES.to_vec()));
                continue;
            }
            let folder = name(&path);
            let games: Vec<&str> = folder
                .split('+')
                .map(|game| *NAMES.iter().find(|&&known| known == game).unwrap())
                .collect();
            files.extend(
                entries(&path)
                    .iter()
                    .map(|file| (name(file), games.clone())),
            );
        }
        files
    }

    #[test]
    fn every_shipped_bot_bears_its_name_and_plays_its_games() {
        for (name, games) in files() {
            let bot = Bot::find(&name).unwrap();
            assert_eq!(bot.name, name);
            for game in NAMES {
                let built = with_game(game, Build(&bot)).unwrap();
                let plays = games.contains(game);
                assert_eq!(built.is_ok(), plays, "{name} at {game}: {built:?}");
            }
        }
    }

    #[test]
    fn every_bot_file_is_shipped() {
        let mut files: Vec<String> = files().into_iter().map(|(name, _)| name).collect();
        let mut shipped: Vec<&str> = SHIPPED.iter().map(|&(name, _)| name).collect();
        files.sort();
        shipped.sort_unstable();
        assert_eq!(files, shipped);
    }

    struct CheckDefaults;

    impl Visitor for CheckDefaults {
        type Answer = ();

        fn visit<G: Race>(self) {
            // Where no net comes with the program, the learned bot asks for one.
            let needs_net = learned::Evaluator::<G>::shipped("").is_none();
            let is_ready = |entry: &PolicyEntry<G>| {
                let is_learned = entry.name == "learned" && !G::INPUTS.is_empty();
                !(is_learned && needs_net)
            };
            for entry in policies::<G>().into_iter().filter(is_ready) {
                let line = |param: &Param| format!("{} = {}\n", param.name, param.default);
                let defaults: String = entry.params.iter().map(line).collect();
                let built = (entry.build)(&defaults.parse().unwrap());
                assert!(built.is_ok(), "{} refuses:\n{defaults}", entry.name);
            }
        }
    }

    #[test]
    fn a_policy_accepts_the_defaults_it_shows() {
        for game in NAMES {
            with_game(game, CheckDefaults).unwrap();
        }
    }

    #[test]
    fn a_bot_at_another_game_says_which_it_plays() {
        let bot = Bot::find("rollout-spanish").expect("it is shipped");
        let error = with_game("mensch", Build(&bot)).unwrap().unwrap_err();
        let said = error.to_string();
        let expected = "bot 'rollout-spanish': plays parchis, not mensch: params: weights: no parameter 'barriers'";
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn a_refused_parameter_is_one_line_that_says_what_would_work() {
        for (policy, params, reason) in [
            ("random", "x = 1", "no parameter 'x'; this policy has none"),
            ("greedy", "x = 1", "no parameter 'x'; this policy has none"),
            (
                "run-home",
                "pick = 'last'",
                "pick = \"last\"; expected \"front\" or \"rear\"",
            ),
            (
                "run-home",
                "pik = 'rear'",
                "no parameter 'pik'; known: pick",
            ),
        ] {
            let expected = format!("bot '{policy}': params: {reason}");
            assert_eq!(refusal(policy, params), expected);
        }
    }
}
