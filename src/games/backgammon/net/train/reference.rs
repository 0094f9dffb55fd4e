//! How well nets play decisions that a strong program has judged. A yardstick only: nothing here
//! is ever learnt from.

use std::path::Path;

use serde_json::Value;

use crate::engine::notation::read_text;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::net::{Evaluator, Scratch};
use crate::games::backgammon::notation::position_id;

/// A roll to play and what every play is worth.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The boards after the plays, the sides not swapped, and their equities; the best first.
    pub plays: Vec<(Board, f64)>,
}

/// Judged decisions.
#[derive(Clone, Default, Debug)]
pub struct Reference {
    decisions: Vec<Decision>,
}

/// Why decisions cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReferenceError {
    /// The file, and the line if one is wrong.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Equity lost by playing the reference's decisions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Decisions.
    pub decisions: usize,
    /// The mean of the best equity less that of the play chosen.
    pub mean: f64,
    /// The share of decisions in which the best play was chosen.
    pub best: f64,
}

impl Reference {
    /// Reads the money decisions among lines of JSON. Of a line it wants `kind`, which begins with
    /// `money`, and the lists `candidates` and `rest_0ply` of objects with the Position ID
    /// `result` after a play, seen by the player, and its `equity`.
    ///
    /// # Errors
    /// When the file cannot be read, a line says something else, or none is a money decision.
    pub fn read(path: &Path) -> Result<Reference, ReferenceError> {
        let shown = path.display().to_string();
        let wrong = |place: String, reason: String| ReferenceError { place, reason };
        let text = read_text(path).map_err(|reason| wrong(shown.clone(), reason))?;
        let mut decisions = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let decision =
                decision(line).map_err(|reason| wrong(format!("{shown}:{number}"), reason))?;
            decisions.extend(decision);
        }
        if decisions.is_empty() {
            let reason = "no line is a money decision; expected some with kind money_…".to_owned();
            return Err(wrong(shown, reason));
        }
        Ok(Reference { decisions })
    }

    /// The decisions.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The loss of nets that play for the best cubeless money equity, without search.
    pub fn loss(&self, nets: &Evaluator) -> Loss {
        let (mut scratch, mut chances) = (Scratch::default(), Vec::new());
        self.loss_by(|decision| {
            let boards = decision.plays.iter().map(|(play, _)| play.swapped());
            nets.evaluate_all(boards, &mut scratch, &mut chances);
            chances.iter().map(|chances| -chances.equity()).collect()
        })
    }

    /// The loss of playing the play that `value` gives the highest number, the first of equals.
    pub fn loss_by(&self, mut value: impl FnMut(&Decision) -> Vec<f64>) -> Loss {
        let (mut lost, mut best) = (0.0, 0u32);
        for decision in &self.decisions {
            let values = value(decision);
            let mut chosen = 0;
            for (place, value) in values.iter().enumerate() {
                if *value > values[chosen] {
                    chosen = place;
                }
            }
            lost += decision.plays[0].1 - decision.plays[chosen].1;
            best += u32::from(chosen == 0);
        }
        let decisions = self.decisions.len();
        Loss {
            decisions,
            mean: lost / decisions as f64,
            best: f64::from(best) / decisions as f64,
        }
    }
}

/// The decision on a line; `None` if it is not for money.
fn decision(line: &str) -> Result<Option<Decision>, String> {
    let row: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
    let kind = row["kind"].as_str().ok_or("kind: expected a text")?;
    if !kind.starts_with("money") {
        return Ok(None);
    }
    let mut plays = Vec::new();
    for list in ["candidates", "rest_0ply"] {
        let found = row[list].as_array();
        let found = found.ok_or_else(|| format!("{list}: expected a list"))?;
        for play in found {
            let result = play["result"].as_str();
            let result = result.ok_or_else(|| format!("{list}: result: expected a text"))?;
            let board = position_id::read(result).map_err(|error| format!("{list}: {error}"))?;
            let equity = play["equity"].as_f64();
            let equity = equity.ok_or_else(|| format!("{list}: equity: expected a number"))?;
            plays.push((board, equity));
        }
    }
    if plays.is_empty() {
        return Err("candidates: expected at least one".to_owned());
    }
    Ok(Some(Decision { plays }))
}
