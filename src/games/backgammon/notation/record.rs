//! A match as it was played.

use super::Position;
use super::replay::{Builder, ReplayError, Terms};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::step::Step;

/// A match or a money session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchRecord {
    /// Points of the match; 0 for a money session.
    pub length: u32,
    /// Whether a match has a Crawford game.
    pub crawford_rule: bool,
    /// Whether a money session is known to be played with the Jacoby rule.
    pub jacoby: bool,
    /// The names, by seat.
    pub players: [String; 2],
    /// What else the file says about the match, in its order.
    pub tags: Vec<Tag>,
    /// The games in order. One without a result was broken off and left the score as it was.
    pub games: Vec<GameRecord>,
}

/// A remark about the match: `EventDate` `2026.11.30`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name as `.mat` files have it.
    pub name: String,
    /// The value, without line breaks.
    pub value: String,
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Points won before, by seat.
    pub score_before: [u32; 2],
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// The cube at the start as a power of two: automatic doubles of money play.
    pub cube: u8,
    /// What the players did, in order.
    pub actions: Vec<Action>,
    /// How it ended; `None` while it has not.
    pub result: Option<GameResult>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who won.
    pub winner: Seat,
    /// The points he got, which may carry him past the length of the match.
    pub points: u32,
}

/// What a player did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Who.
    pub player: Seat,
    /// What.
    pub kind: ActionKind,
}

/// The kinds of action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// A roll and its play.
    Move {
        /// The dice in the order of the file.
        dice: [u8; 2],
        /// One step for each die played; none when nothing could move.
        steps: Vec<Step>,
    },
    /// A double; as an answer to a double, a beaver or raccoon.
    Double,
    /// The double is taken.
    Take,
    /// The double is dropped.
    Drop,
    /// The game is given up.
    Resign {
        /// The points given: one, two or three times the cube.
        points: u32,
    },
}

/// An action of a record that does not fit what went before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}: {problem}")]
pub struct RecordError {
    /// The game, the first being 1.
    pub game: usize,
    /// What is wrong.
    #[source]
    pub problem: ReplayError,
}

impl MatchRecord {
    /// What all games are played for and by.
    pub fn terms(&self) -> Terms {
        Terms {
            length: self.length,
            crawford_rule: self.crawford_rule,
            jacoby: self.jacoby,
        }
    }

    /// The position before each action, for each game; a roll is on the board already.
    ///
    /// `results` is the generator [`super::legal`] speaks of.
    ///
    /// # Errors
    /// When an action or result does not fit what went before.
    pub fn positions(
        &self,
        results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
    ) -> Result<Vec<Vec<Position>>, RecordError> {
        let mut builder = Builder::new(self.terms(), results);
        let games = self.games.iter().zip(1..);
        games
            .map(|(game, number)| {
                let positions = replay(&mut builder, game);
                positions.map_err(|problem| RecordError {
                    game: number,
                    problem,
                })
            })
            .collect()
    }
}

/// The positions of one game.
fn replay<F: FnMut(&Board, [u8; 2]) -> Vec<Board>>(
    builder: &mut Builder<F>,
    game: &GameRecord,
) -> Result<Vec<Position>, ReplayError> {
    builder.start(game.score_before, game.crawford, game.cube)?;
    let mut positions = Vec::with_capacity(game.actions.len());
    for action in &game.actions {
        positions.push(builder.position_before(action));
        builder.act(action.clone())?;
    }
    if let Some(result) = game.result {
        builder.end(result)?;
    }
    Ok(positions)
}
