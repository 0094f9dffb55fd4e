//! Writing `.mat` files.

use std::fmt::Write as _;

use super::super::record::{Action, ActionKind, GameRecord, GameResult, MatchRecord};
use super::{CRAWFORD, JACOBY};
use crate::engine::seat::Seat;
use crate::games::backgammon::step::Step;

/// Columns of an entry on the left; GNU Backgammon pads shorter ones.
const COLUMN: usize = 27;
/// Columns of the left name and its score.
const NAME_COLUMN: usize = 30;

/// What a `.mat` file cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// A name that would not be read back.
    #[error("the name '{0}'; expected one without ' : ', line breaks or spaces at its ends")]
    Name(String),
    /// A tag that would not be read back.
    #[error("the tag '{0}'; expected a name without quotes and a value without line breaks")]
    Tag(String),
    /// Automatic doubles that no later double shows.
    #[error("game {0} has automatic doubles but no other; expected a double, or use SGF")]
    AutomaticDoubles(usize),
}

/// The `.mat` text of a match. A resignation is not marked: the game just ends.
///
/// # Errors
/// When a name, a tag or automatic doubles would be lost.
pub fn write(record: &MatchRecord) -> Result<String, WriteError> {
    let mut text = headers(record)?;
    let _ = writeln!(text, " {} point match\n", record.length);
    for name in &record.players {
        let broken = name.contains(" : ") || name.contains(char::is_control);
        if broken || name.is_empty() || name.trim() != name {
            return Err(WriteError::Name(name.clone()));
        }
    }
    for (game, number) in record.games.iter().zip(1..) {
        let doubled = game
            .actions
            .iter()
            .any(|action| action.kind == ActionKind::Double);
        if game.cube > 0 && !doubled {
            return Err(WriteError::AutomaticDoubles(number));
        }
        let [left, right] = &record.players;
        let [left_score, right_score] = game.score_before;
        let left = format!("{left} : {left_score}");
        let _ = writeln!(text, " Game {number}");
        let _ = writeln!(text, " {left:NAME_COLUMN$} {right} : {right_score}");
        write_game(&mut text, game);
        text.push('\n');
    }
    Ok(text)
}

/// The headers: the tags, and the rules where they are not what a reader assumes.
fn headers(record: &MatchRecord) -> Result<String, WriteError> {
    let mut text = String::new();
    for tag in &record.tags {
        let broken = tag.name.contains(['"', ']']) || tag.value.ends_with('"');
        if broken || tag.name.contains(char::is_control) || tag.value.contains(char::is_control) {
            return Err(WriteError::Tag(tag.name.clone()));
        }
        let _ = writeln!(text, "; [{} \"{}\"]", tag.name, tag.value);
    }
    if record.length > 0 && !record.crawford_rule {
        let _ = writeln!(text, "; [{CRAWFORD} \"Off\"]");
    }
    if record.length == 0 && record.jacoby {
        let _ = writeln!(text, "; [{JACOBY} \"On\"]");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

fn write_game(text: &mut String, game: &GameRecord) {
    let mut rows = Rows {
        text,
        count: 0,
        open: false,
    };
    let mut cube = game.cube;
    let mut doubled = false;
    let mut beavered = false;
    let mut dropped = None;
    for action in &game.actions {
        let entry = match &action.kind {
            ActionKind::Move { dice, steps } => move_text(*dice, steps),
            ActionKind::Double => {
                cube += u8::from(doubled);
                let word = if doubled { "Beavers" } else { "Doubles" };
                (beavered, doubled) = (doubled, true);
                format!(" {word} => {}", 2u64 << cube)
            }
            ActionKind::Take => {
                cube += 1;
                doubled = false;
                // GNU Backgammon has no entry for it after a beaver.
                if std::mem::take(&mut beavered) {
                    continue;
                }
                " Takes".to_owned()
            }
            ActionKind::Drop => {
                dropped = Some(action.player);
                " Drops".to_owned()
            }
            // The format has no mark for it.
            ActionKind::Resign { .. } => continue,
        };
        rows.entry(action, &entry);
    }
    match game.result {
        // Beside the drop of the left player, in the winner's column.
        Some(result) if dropped == Some(Seat::A) => rows.right(&format!(" {} ", wins(result))),
        Some(result) => {
            rows.close();
            let indent = if result.winner == Seat::A { 6 } else { 34 };
            let _ = writeln!(rows.text, "{:indent$}{}", "", wins(result));
        }
        None => rows.close(),
    }
}

fn wins(result: GameResult) -> String {
    let plural = if result.points == 1 { "" } else { "s" };
    format!("Wins {} point{plural}", result.points)
}

/// `31: 8/5 6/5 `, with a space after all but a fourth step.
fn move_text(dice: [u8; 2], steps: &[Step]) -> String {
    let mut text = format!("{}{}: ", dice[0], dice[1]);
    for (step, number) in steps.iter().zip(1..) {
        let star = if step.hit { "*" } else { "" };
        let space = if number < 4 { " " } else { "" };
        let _ = write!(text, "{}/{}{star}{space}", step.from, step.to);
    }
    text
}

/// The rows of two columns.
struct Rows<'a> {
    text: &'a mut String,
    count: usize,
    /// A row whose right column is still free.
    open: bool,
}

impl Rows<'_> {
    fn entry(&mut self, action: &Action, entry: &str) {
        if action.player == Seat::A {
            self.left(entry);
        } else {
            self.right(entry);
        }
    }

    fn left(&mut self, entry: &str) {
        self.close();
        self.count += 1;
        let _ = write!(self.text, "{:3}) {entry:COLUMN$} ", self.count);
        self.open = true;
    }

    fn right(&mut self, entry: &str) {
        if !self.open {
            self.left("");
        }
        self.text.push_str(entry);
        self.close();
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.text.push('\n');
        }
    }
}
