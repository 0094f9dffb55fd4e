//! From counts to rows: the tables of a study's result folder.

mod effects;
mod game;
mod tables;
mod verdicts;

use serde::{Serialize, Serializer};

use crate::engine::race::Race;
use crate::stats::{Estimate, Interval};

use super::run::{Kind, StudyState};
use super::spec::Study;

pub use effects::EffectRow;
pub use game::GameRow;
pub use verdicts::{BotRow, Question, SeatRow, VerdictRow, progress};

/// Everything a study found.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Results {
    /// The verdicts, for each bot and for all of them.
    pub verdicts: Vec<VerdictRow>,
    /// Each seat or side.
    pub seats: Vec<SeatRow>,
    /// Each player alone against a table.
    pub bots: Vec<BotRow>,
    /// What the options change.
    pub effects: Vec<EffectRow>,
    /// Numbers about the game.
    pub game: Vec<GameRow>,
    /// Games played, those that tuned the measure of luck left out.
    pub games: u64,
    /// What to know before the numbers are used.
    pub warnings: Vec<String>,
    /// What shows that the numbers cannot be right.
    pub failures: Vec<String>,
}

impl Results {
    /// What a finished study found.
    pub fn new<G: Race>(study: &Study<G>, state: &StudyState) -> Results {
        let mut results = Results {
            games: state.games(),
            ..Results::default()
        };
        verdicts::add(study, state, &mut results);
        effects::add(study, state, &mut results);
        game::add(study, state, &mut results);
        let capped: u64 = state
            .0
            .iter()
            .flat_map(|family| &family.tally.runs)
            .map(|run| run.capped)
            .sum();
        if capped > 0 {
            results.warnings.push(format!(
                "{capped} games were stopped at the cap of {} rolls; nobody won them, so the shares of the seats do not \
                 add up to 1. Raise cap, or ask whether these rules let a game end",
                study.spec.cap
            ));
        }
        results
    }
}

/// The counts of each question of a kind: the seat set, the kind and the state.
fn families<'a, G: Race>(
    study: &Study<G>,
    state: &'a StudyState,
) -> impl Iterator<Item = (usize, Kind, &'a super::tally::FamilyState)> {
    let families = study.families().into_iter().zip(&state.0);
    families.map(|(family, state)| (family.cells, family.kind, state))
}

/// A number that is not known, or rounded to six decimals.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Number(pub Option<f64>);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Adding 0 turns −0 into 0.
        self.0
            .map(|value| (value * 1e6).round() / 1e6 + 0.0)
            .serialize(serializer)
    }
}

/// A value and its interval.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Valued {
    value: Number,
    low: Number,
    high: Number,
}

impl Valued {
    fn of(estimate: Option<Estimate>) -> Valued {
        estimate.map_or_else(Valued::default, |estimate| {
            Valued::with(estimate.value, estimate.interval)
        })
    }

    fn with(value: f64, interval: Option<Interval>) -> Valued {
        Valued {
            value: Number(Some(value)),
            low: Number(interval.map(|interval| interval.low)),
            high: Number(interval.map(|interval| interval.high)),
        }
    }
}
