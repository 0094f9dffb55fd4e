//! The rules of a game's course: whose turn it is, what the cube allows, what a game is worth.
//!
//! Every reader of matches builds its record here, so a record that was read is one that can be
//! replayed.

use super::legal::{self, IllegalPlay};
use super::play::PlayError;
use super::position::{MAX_CUBE, MAX_POINTS};
use super::record::{Action, ActionKind, GameRecord, GameResult};
use super::{Offer, Position, opponent};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::{BAR, Board, Side};
use crate::games::backgammon::step::Step;

/// What the games of a match are played for and by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Points of the match; 0 for money play.
    pub length: u32,
    /// Whether a match has a Crawford game.
    pub crawford_rule: bool,
    /// Money play: gammons count only after a double was taken.
    pub jacoby: bool,
}

/// An action that does not fit what went before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// A number no match reaches.
    #[error("{0}; expected at most {MAX_POINTS} points")]
    TooLong(u32),
    /// A game with another score than the games before it lead to.
    #[error("the score is {}-{}; expected {}-{} after the games before", .found[0], .found[1], .expected[0], .expected[1])]
    Score {
        /// What the file says.
        found: [u32; 2],
        /// What the games before lead to.
        expected: [u32; 2],
    },
    /// A game after the last one.
    #[error("a game after the match was won; expected the end")]
    MatchOver,
    /// A game marked as the Crawford game at another score.
    #[error("not the Crawford game; expected a match in which somebody is one point away")]
    NoCrawford,
    /// A cube that starts too high.
    #[error("automatic doubles to 2^{0}; expected none in a match, up to 2^{MAX_CUBE} for money")]
    StartingCube(u8),
    /// An action before the first game.
    #[error("an action outside of a game; expected the start of a game first")]
    NoGame,
    /// An action after the end.
    #[error("the game is over; expected nothing more in it")]
    GameOver,
    /// The wrong player acts.
    #[error("{found} acts; expected {expected}")]
    Turn {
        /// Who acts.
        found: Seat,
        /// Whose turn it is.
        expected: Seat,
    },
    /// A first roll of two equal dice.
    #[error("the game starts with {0}{0}; expected two different dice")]
    OpeningDouble(u8),
    /// A cube action before the first roll.
    #[error("the game starts with a cube action; expected a roll")]
    OpeningCube,
    /// A roll or double while a double waits, in a match.
    #[error("a double waits; expected take or drop")]
    DoubleWaits,
    /// A take or drop without a double.
    #[error("nothing to take or drop; expected a double before it")]
    NoDouble,
    /// A double where there is no cube.
    #[error("no doubling in {0}")]
    NoCube(&'static str),
    /// A double with the opponent's cube.
    #[error("the cube is the opponent's; expected a roll")]
    NotHisCube,
    /// A double beyond what the notations count.
    #[error("the cube is at 2^{MAX_CUBE} already; expected no more doubles")]
    CubeLimit,
    /// A play that is none.
    #[error(transparent)]
    Play(#[from] IllegalPlay),
    /// Points no resignation gives.
    #[error("{points} points given up; expected {cube}, {} or {}", 2 * .cube, 3 * .cube)]
    Resignation {
        /// What the file says.
        points: u32,
        /// The value of the cube.
        cube: u32,
    },
    /// A result that is not the one of the game.
    #[error("{} wins {}; expected {} with {}", .found.winner, .found.points, .expected.winner, .expected.points)]
    Result {
        /// What the file says.
        found: GameResult,
        /// What the play leads to.
        expected: GameResult,
    },
}

/// A place in a file and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}{}: {problem}", game_text(*.game))]
pub struct FileError {
    /// The line, the first being 1.
    pub line: usize,
    /// The game, the first being 1; 0 before it.
    pub game: usize,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

fn game_text(game: usize) -> String {
    if game == 0 {
        String::new()
    } else {
        format!(", game {game}")
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// Text of another form.
    #[error("found '{found}'; expected {expected}")]
    Text {
        /// The text, cut to one short line.
        found: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A text that is no play.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// An action that does not fit.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Problem {
    /// The problem that `found` is not what was `expected`.
    pub(super) fn text(found: &str, expected: &'static str) -> Problem {
        let line = found.trim().chars().filter(|letter| !letter.is_control());
        let found = line.take(40).collect();
        Problem::Text { found, expected }
    }
}

/// Builds the games of a record action by action, each checked against those before.
pub struct Builder<F> {
    terms: Terms,
    results: F,
    games: Vec<GameRecord>,
    /// The position of the last game, its player on roll unknown before the first action.
    position: Position,
    score: [u32; 2],
}

impl<F: FnMut(&Board, [u8; 2]) -> Vec<Board>> Builder<F> {
    /// A match without games yet; `results` is the generator [`super::legal`] speaks of.
    pub fn new(terms: Terms, results: F) -> Builder<F> {
        Builder {
            terms,
            results,
            games: Vec::new(),
            position: Position::money(Board::START),
            score: [0; 2],
        }
    }

    /// What the games are played for and by.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// Settles what the games are played for and by, before the first of them.
    pub fn set_terms(&mut self, terms: Terms) {
        self.terms = terms;
    }

    /// The games so far; the last may be unfinished.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The games built.
    pub fn into_games(self) -> Vec<GameRecord> {
        self.games
    }

    /// Whether the Crawford rule makes a game at this score its game: somebody is one point away
    /// for the first time.
    pub fn is_crawford_next(&self, score: [u32; 2]) -> bool {
        let length = self.terms.length;
        let one_away = |score: [u32; 2]| score.iter().any(|&points| points == length - 1);
        self.terms.crawford_rule
            && length > 1
            && one_away(score)
            && !self.games.iter().any(|game| one_away(game.score_before))
    }

    /// Starts a game at this score.
    ///
    /// # Errors
    /// When the score is not the one the games before lead to, or the match is over.
    pub fn start(&mut self, score: [u32; 2], crawford: bool, cube: u8) -> Result<(), ReplayError> {
        let Terms { length, jacoby, .. } = self.terms;
        let high = score[0].max(score[1]);
        if length.max(high) > MAX_POINTS {
            return Err(ReplayError::TooLong(length.max(high)));
        }
        // A session may go on from an earlier one.
        if score != self.score && !self.games.is_empty() {
            let (found, expected) = (score, self.score);
            return Err(ReplayError::Score { found, expected });
        }
        if length > 0 && high >= length {
            return Err(ReplayError::MatchOver);
        }
        if crawford && (length == 0 || high + 1 < length) {
            return Err(ReplayError::NoCrawford);
        }
        if cube > if length > 0 { 0 } else { MAX_CUBE } {
            return Err(ReplayError::StartingCube(cube));
        }
        self.score = score;
        self.position = Position {
            cube,
            score,
            length,
            crawford,
            jacoby: jacoby && length == 0,
            ..Position::money(Board::START)
        };
        self.games.push(GameRecord {
            score_before: score,
            crawford,
            cube,
            actions: Vec::new(),
            result: None,
        });
        Ok(())
    }

    /// Before the first double, which `player` is about to make, the cube of the last game was
    /// this already: automatic doubles, in files that do not say so.
    ///
    /// # Errors
    /// When it is a match, or the player may not double.
    pub fn automatic_doubles(&mut self, player: Seat, cube: u8) -> Result<(), ReplayError> {
        if self.is_opening() {
            return Err(ReplayError::OpeningCube);
        }
        expect(player, self.position.decides)?;
        if self.terms.length > 0 || cube >= MAX_CUBE {
            return Err(ReplayError::StartingCube(cube));
        }
        let game = self.games.last_mut().ok_or(ReplayError::NoGame)?;
        game.cube = cube;
        self.position.cube = cube;
        Ok(())
    }

    /// The position before an action: the player on roll, and a roll that it has.
    pub fn position_before(&self, action: &Action) -> Position {
        let mut position = self.position;
        if self.is_opening() {
            (position.to, position.decides) = (action.player, action.player);
        }
        if let ActionKind::Move { dice, .. } = action.kind {
            position.dice = Some(dice);
        }
        position
    }

    /// The value of the cube as a power of two, before an offered double is taken.
    pub fn cube(&self) -> u8 {
        self.position.cube
    }

    /// Whether a double waits for its answer.
    pub fn is_doubled(&self) -> bool {
        self.position.offer.is_some()
    }

    /// The player on roll.
    pub fn on_roll(&self) -> Seat {
        self.position.to
    }

    /// Who must answer a beaver or raccoon, if one waits.
    pub fn beaver_answerer(&self) -> Option<Seat> {
        self.position.is_beaver().then_some(self.position.decides)
    }

    /// Whether nobody has doubled in the last game.
    pub fn is_undoubled(&self) -> bool {
        self.position.owner.is_none() && !self.is_doubled()
    }

    fn is_opening(&self) -> bool {
        self.games
            .last()
            .is_some_and(|game| game.actions.is_empty())
    }

    /// Adds an action to the last game; steps become those of single dice.
    ///
    /// # Errors
    /// When it does not fit what went before.
    pub fn act(&mut self, action: Action) -> Result<(), ReplayError> {
        let game = self.games.last().ok_or(ReplayError::NoGame)?;
        if game.result.is_some() {
            return Err(ReplayError::GameOver);
        }
        let opening = self.is_opening();
        let Action { player, kind } = action;
        let mut result = None;
        let kind = match kind {
            ActionKind::Move { dice, steps } => {
                self.open(opening, player, dice)?;
                let steps = self.turn(player, dice, &steps)?;
                result = self.borne_off();
                ActionKind::Move { dice, steps }
            }
            ActionKind::Resign { points } => {
                result = Some(self.resign(player, points)?);
                kind
            }
            _ if opening => return Err(ReplayError::OpeningCube),
            ActionKind::Double => {
                self.double(player)?;
                kind
            }
            ActionKind::Take => {
                self.answer(player)?;
                self.position.cube += 1;
                self.position.owner = Some(opponent(self.position.to));
                self.position.decides = self.position.to;
                self.position.offer = None;
                kind
            }
            ActionKind::Drop => {
                self.answer(player)?;
                result = Some(GameResult {
                    winner: opponent(player),
                    points: 1 << self.position.cube,
                });
                kind
            }
        };
        let game = self.games.last_mut().ok_or(ReplayError::NoGame)?;
        game.actions.push(Action { player, kind });
        if let Some(result) = result {
            self.finish(result);
        }
        Ok(())
    }

    /// The first roll decides who starts, so its dice differ.
    fn open(&mut self, opening: bool, player: Seat, dice: [u8; 2]) -> Result<(), ReplayError> {
        if !opening {
            return Ok(());
        }
        if dice[0] == dice[1] {
            return Err(ReplayError::OpeningDouble(dice[0]));
        }
        (self.position.to, self.position.decides) = (player, player);
        Ok(())
    }

    /// Plays a roll and passes the turn.
    fn turn(
        &mut self,
        player: Seat,
        dice: [u8; 2],
        steps: &[Step],
    ) -> Result<Vec<Step>, ReplayError> {
        if self.is_doubled() {
            return Err(ReplayError::DoubleWaits);
        }
        expect(player, self.position.to)?;
        let played = legal::play(&self.position.board, dice, steps, &mut self.results)?;
        self.position.board = played.board.swapped();
        self.position.to = opponent(player);
        self.position.decides = self.position.to;
        Ok(played.steps)
    }

    fn double(&mut self, player: Seat) -> Result<(), ReplayError> {
        expect(player, self.position.decides)?;
        // A beaver takes the double that waits and doubles once more.
        if self.position.cube + u8::from(self.is_doubled()) >= MAX_CUBE {
            return Err(ReplayError::CubeLimit);
        }
        if self.is_doubled() {
            return self.beaver();
        }
        if self.position.crawford {
            return Err(ReplayError::NoCube("the Crawford game; expected a roll"));
        }
        if self.terms.length == 1 {
            return Err(ReplayError::NoCube("a match to one point; expected a roll"));
        }
        if self.position.owner == Some(opponent(player)) {
            return Err(ReplayError::NotHisCube);
        }
        self.position.offer = Some(Offer::Double);
        self.position.decides = opponent(player);
        Ok(())
    }

    /// The double is taken and doubled again at once; the cube stays with who was doubled first.
    fn beaver(&mut self) -> Result<(), ReplayError> {
        if self.terms.length > 0 {
            return Err(ReplayError::DoubleWaits);
        }
        self.position.cube += 1;
        self.position.owner = Some(opponent(self.position.to));
        self.position.decides = opponent(self.position.decides);
        Ok(())
    }

    fn answer(&self, player: Seat) -> Result<(), ReplayError> {
        if !self.is_doubled() {
            return Err(ReplayError::NoDouble);
        }
        expect(player, self.position.decides)
    }

    fn resign(&self, player: Seat, points: u32) -> Result<GameResult, ReplayError> {
        let cube = 1 << self.position.cube;
        if !points.is_multiple_of(cube) || !(1..=3).contains(&(points / cube)) {
            return Err(ReplayError::Resignation { points, cube });
        }
        let winner = opponent(player);
        Ok(GameResult { winner, points })
    }

    /// The result, if the player who just moved has borne off his last checker.
    fn borne_off(&self) -> Option<GameResult> {
        let Board { mover, other } = self.position.board;
        let gammons = !self.position.jacoby || self.position.owner.is_some();
        let level = if gammons { level(mover) } else { 1 };
        (other.left() == 0).then(|| GameResult {
            winner: opponent(self.position.to),
            points: level << self.position.cube,
        })
    }

    fn finish(&mut self, result: GameResult) {
        self.score[result.winner.index()] += result.points;
        if let Some(game) = self.games.last_mut() {
            game.result = Some(result);
        }
    }

    /// Ends the last game as the file says. A game that its play has not ended was resigned.
    ///
    /// # Errors
    /// When the play led to another result, or no resignation gives these points.
    pub fn end(&mut self, found: GameResult) -> Result<(), ReplayError> {
        let game = self.games.last().ok_or(ReplayError::NoGame)?;
        let Some(expected) = game.result else {
            return self.act(Action {
                player: opponent(found.winner),
                kind: ActionKind::Resign {
                    points: found.points,
                },
            });
        };
        if found == expected {
            return Ok(());
        }
        // Files that do not say whether the Jacoby rule is in use show it by what they count.
        let single = GameResult {
            points: 1 << self.position.cube,
            ..expected
        };
        if self.terms.length > 0 || self.position.owner.is_some() || found != single {
            return Err(ReplayError::Result { found, expected });
        }
        self.score[expected.winner.index()] -= expected.points;
        self.finish(found);
        Ok(())
    }
}

/// Refuses an action of the wrong player.
fn expect(found: Seat, expected: Seat) -> Result<(), ReplayError> {
    if found == expected {
        Ok(())
    } else {
        Err(ReplayError::Turn { found, expected })
    }
}

/// What a finished game counts: 1, or 2 if the loser has borne nothing off, or 3 if he also has a
/// checker on the bar or in the winner's home.
fn level(loser: Side) -> u32 {
    match (loser.off() > 0, loser.rear() > BAR - 7) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::super::B;
    use super::super::legal::every_result;
    use super::*;
    use crate::games::backgammon::moves::Steps;

    #[test]
    fn the_cube_goes_to_its_limit_and_no_further() {
        let mut builder = Builder::new(Terms::default(), every_result);
        builder.start([0; 2], false, 0).expect("a game");
        let (mut player, mut other) = (Seat::A, B);
        for cube in 0..=MAX_CUBE {
            let board = builder.position.board;
            let result = every_result(&board, [2, 1])[0];
            let steps = Steps::between(&board, (2, 1), &result).expect("a play");
            let kind = ActionKind::Move {
                dice: [2, 1],
                steps: steps.to_vec(),
            };
            builder.act(Action { player, kind }).expect("a play");
            (player, other) = (other, player);
            let mut act = |player, kind| builder.act(Action { player, kind });
            let doubled = act(player, ActionKind::Double);
            if cube == MAX_CUBE {
                assert_eq!(doubled, Err(ReplayError::CubeLimit));
                break;
            }
            assert_eq!(doubled, Ok(()), "2^{cube}");
            if cube == MAX_CUBE - 1 {
                let beaver = act(other, ActionKind::Double);
                assert_eq!(beaver, Err(ReplayError::CubeLimit));
            }
            assert_eq!(act(other, ActionKind::Take), Ok(()));
            assert_eq!(builder.cube(), cube + 1);
        }
    }
}
