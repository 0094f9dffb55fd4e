//! "Is bot A stronger than bot B?": a match that stops when it knows.
//!
//! [`Duel::new`] checks what is asked; [`run`](run::run) plays blocks 0, 1, … in order, looks after chunks of fixed
//! size and stops as soon as A is shown [stronger, weaker or within a margin](Verdict), or the budget of blocks ends.
//! A block is one seed of dice in all rotations: the side of the one bot sits at each side of the table once. What is
//! counted depends on the settings alone: not on threads, interruptions or speed.
//!
//! ```no_run
//! use racelab::bots::Bot;
//! use racelab::experiment::duel::{Direction, Duel, Settings, run};
//! use racelab::experiment::table::TableSpec;
//! use racelab::games::mensch::Mensch;
//!
//! let game: Mensch = TableSpec::of("mensch").game()?;
//! let bots = [Bot::find("racer")?, Bot::find("greedy")?];
//! let duel = Duel::new(game, bots, Direction::OneAgainstMany, Settings::default())?;
//! let mut state = duel.fresh();
//! run::run(&duel, &mut state, &run::Options::quiet(2))?;
//! println!("{:?} after {} blocks", state.verdict, state.blocks);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod run;
pub mod spec;
pub mod state;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bots::{Bot, BotError};
use crate::engine::play::DEFAULT_CAP;
use crate::engine::race::Race;
use crate::stats::{Confidence, ErrorRates, elo, gsprt};

use super::balance::margin::Margin;
use super::balance::players::Sides;
use super::spec::MAX_BLOCKS;

pub use state::{DuelState, Outcome};

/// Who sits alone. At a table of two sides both directions are the same games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// One A against B on every other side: does A invade a table of B?
    #[default]
    OneAgainstMany,
    /// A on every side but one, where B sits: does B fail to invade a table of A?
    ManyAgainstOne,
}

/// When the match stops.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum Test {
    /// Betting against equality and against both ends of the margin: valid at every look, for any law of block scores.
    #[default]
    EProcess,
    /// The generalised sequential probability ratio test of two hypotheses about A's Elo; asymptotic.
    Gsprt {
        /// A's Elo under H0.
        elo0: f64,
        /// A's Elo under H1, above `elo0`.
        elo1: f64,
        /// The probability of accepting H0 when H1 is true.
        beta: f64,
    },
}

/// What a match has shown. The first verdict that is reached stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A wins more than its share.
    Stronger,
    /// A wins less than its share.
    Weaker,
    /// A's share is within the margin of the fair one.
    WithinMargin,
    /// The GSPRT accepts H1: A's Elo is elo1 rather than elo0.
    AcceptsH1,
    /// The GSPRT accepts H0: A's Elo is elo0 rather than elo1.
    AcceptsH0,
    /// No block had a game that went another way than the others of the block: the two play alike.
    Degenerate,
    /// Nothing of the above is shown.
    #[default]
    Undecided,
}

/// How a match is decided and played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// When it stops.
    pub test: Test,
    /// How far from the fair share still counts as equal; none for that of [`Margin::for_sides`].
    pub margin: Option<Margin>,
    /// The probability of a wrong verdict at most, above 0 and at most 0.5; of the GSPRT that of accepting H1 when H0
    /// is true.
    pub alpha: f64,
    /// Blocks at most, 1 to [`MAX_BLOCKS`].
    pub max_blocks: u64,
    /// The seed of all dice and bots.
    pub seed: u64,
    /// The number of the first block: matches of one seed that share no number share no dice.
    pub first_block: u64,
    /// Rolls after which a game is stopped. Nobody has won it then, and every side gets the same part of it.
    pub cap: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            test: Test::EProcess,
            margin: None,
            alpha: 0.05,
            max_blocks: DEFAULT_BLOCKS,
            seed: 1,
            first_block: 0,
            cap: DEFAULT_CAP,
        }
    }
}

/// Blocks at most, unless said otherwise.
pub const DEFAULT_BLOCKS: u64 = 100_000;

/// A match that cannot be played, naming the field.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// A bot that does not play the game.
    #[error("bots: {0}")]
    Bot(BotError),
    /// A table at which there is nobody to beat.
    #[error("seats: {0} has one side in play; a match needs two or more")]
    OneSide(String),
    /// A margin that leaves no room.
    #[error("margin: {margin} is not below the fair share of {fair}; ask for less")]
    Margin {
        /// The margin.
        margin: Margin,
        /// The share of wins of equal bots, or what is left of 1, in points.
        fair: Margin,
    },
    /// No error probability.
    #[error("alpha: {0}; expected above 0 and at most 0.5, e.g. 0.05")]
    Alpha(f64),
    /// No error probability.
    #[error("beta: {0}; expected above 0 and at most 0.5, e.g. 0.05")]
    Beta(f64),
    /// A budget outside its range.
    #[error("max_blocks: {0}; expected 1 to {MAX_BLOCKS}")]
    Blocks(u64),
    /// A cap outside its range.
    #[error("cap: {0}; expected 1 to {DEFAULT_CAP}")]
    Cap(u32),
    /// Hypotheses that are not two.
    #[error(
        "elo0, elo1: {elo0} and {elo1}; expected elo0 below elo1, both between -2000 and 2000, e.g. 0 and 5"
    )]
    Elo {
        /// A's Elo under H0.
        elo0: f64,
        /// A's Elo under H1.
        elo1: f64,
    },
}

/// The text of the cause is in the text of the error, so the cause is not told apart from it.
impl From<BotError> for DuelError {
    fn from(error: BotError) -> DuelError {
        DuelError::Bot(error)
    }
}

/// A match that has been checked.
pub struct Duel<G: Race> {
    /// The table.
    pub game: G,
    /// A, whose strength is asked about, and B.
    pub bots: [Bot; 2],
    /// Who sits alone.
    pub direction: Direction,
    /// How it is decided and played.
    pub settings: Settings,
    /// The sides of the table.
    pub sides: Sides,
}

/// Whether this is an error probability.
fn is_level(level: f64) -> bool {
    level > 0.0 && level <= 0.5
}

/// Checks what only the GSPRT asks.
pub(super) fn check_gsprt([elo0, elo1]: [f64; 2], alpha: f64, beta: f64) -> Result<(), DuelError> {
    let in_range = |elo: f64| (-2000.0..=2000.0).contains(&elo);
    if !(in_range(elo0) && in_range(elo1) && elo0 < elo1) {
        return Err(DuelError::Elo { elo0, elo1 });
    }
    if !is_level(beta) || ErrorRates::new(alpha, beta).is_err() {
        return Err(DuelError::Beta(beta));
    }
    Ok(())
}

impl<G: Race> Duel<G> {
    /// Checks what is asked.
    ///
    /// # Errors
    /// When it cannot be played; the error names the field.
    pub fn new(
        game: G,
        bots: [Bot; 2],
        direction: Direction,
        settings: Settings,
    ) -> Result<Duel<G>, DuelError> {
        for bot in &bots {
            bot.policy::<G>()?;
        }
        let sides = Sides::of(&game);
        if sides.count < 2 {
            return Err(DuelError::OneSide(game.seats().to_string()));
        }
        if !is_level(settings.alpha) {
            return Err(DuelError::Alpha(settings.alpha));
        }
        if !(1..=MAX_BLOCKS).contains(&settings.max_blocks) {
            return Err(DuelError::Blocks(settings.max_blocks));
        }
        if !(1..=DEFAULT_CAP).contains(&settings.cap) {
            return Err(DuelError::Cap(settings.cap));
        }
        if let Test::Gsprt { elo0, elo1, beta } = settings.test {
            check_gsprt([elo0, elo1], settings.alpha, beta)?;
        }
        let duel = Duel {
            game,
            bots,
            direction,
            settings,
            sides,
        };
        let room = duel.fair().min(1.0 - duel.fair());
        if duel.margin().share() >= room {
            return Err(DuelError::Margin {
                margin: duel.margin(),
                fair: Margin::points(100.0 * room),
            });
        }
        Ok(duel)
    }

    /// A's share of wins if both bots are equal.
    pub fn fair(&self) -> f64 {
        let sides = self.sides.count as f64;
        match self.direction {
            Direction::OneAgainstMany => 1.0 / sides,
            Direction::ManyAgainstOne => (sides - 1.0) / sides,
        }
    }

    /// How far from the fair share still counts as equal.
    pub fn margin(&self) -> Margin {
        let margin = self.settings.margin;
        margin.unwrap_or(Margin::for_sides(self.sides.count))
    }

    /// The level of the intervals.
    ///
    /// # Panics
    /// Never: alpha was checked.
    pub fn confidence(&self) -> Confidence {
        Confidence::from_alpha(self.settings.alpha).expect("alpha was checked before")
    }

    /// A's Elo over B from A's share of wins, by the Plackett–Luce law of one bot among equal others; `None` at 0 or 1.
    pub fn elo(&self, share: f64) -> Option<f64> {
        let sides = self.sides.count as u32;
        match self.direction {
            Direction::OneAgainstMany => elo::from_share(share, sides),
            Direction::ManyAgainstOne => elo::from_share(1.0 - share, sides).map(|elo| -elo),
        }
    }

    /// A's share of wins with this Elo over B.
    fn share(&self, elo: f64) -> f64 {
        let sides = self.sides.count as u32;
        let alone = |elo| elo::to_share(elo, sides).expect("two sides and a finite Elo");
        match self.direction {
            Direction::OneAgainstMany => alone(elo),
            Direction::ManyAgainstOne => 1.0 - alone(-elo),
        }
    }

    /// The hypotheses of the GSPRT, if it decides, and its error rates.
    pub fn hypotheses(&self) -> Option<(gsprt::Model, ErrorRates)> {
        let Test::Gsprt { elo0, elo1, beta } = self.settings.test else {
            return None;
        };
        let model = gsprt::Model::Mean {
            null: self.share(elo0),
            alternative: self.share(elo1),
        };
        Some((model, ErrorRates::new(self.settings.alpha, beta).ok()?))
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::OneAgainstMany => "one-against-many",
            Direction::ManyAgainstOne => "many-against-one",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Stronger => "stronger",
            Verdict::Weaker => "weaker",
            Verdict::WithinMargin => "within-margin",
            Verdict::AcceptsH1 => "accepts-h1",
            Verdict::AcceptsH0 => "accepts-h0",
            Verdict::Degenerate => "degenerate",
            Verdict::Undecided => "undecided",
        })
    }
}

#[cfg(test)]
mod tests;
