//! The protocol of GNU Backgammon's external players: one line asks, one line answers.
//!
//! A question is a FIBS board line ([`fibs`]). With dice in it the answer is a play, `13/11 24/23`,
//! or nothing when nothing can move; without, it is `roll` or `double`; while a double waits,
//! `take`, `drop` or `beaver`. `accept` and `reject` are other words for the first two. `version`
//! is answered by `Interface: 2`, anything else by `Error: ` and what is wrong. GNU Backgammon ends
//! its questions with a line feed and a zero byte, which belongs to no line.

use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::backgammon::board::Board;
use crate::games::backgammon::moves::Steps;
use crate::games::backgammon::notation::fibs::{self, Names};
use crate::games::backgammon::notation::{B, Position, play};
use crate::games::backgammon::{Backgammon, Beavers, Move, Moves, Phase, Rules, State};

use crate::bots::{Policy, View};

/// The longest line, in bytes; a question has about 150.
pub const MAX_LINE: usize = 16 << 10;

/// Cuts what comes over a connection into lines.
#[derive(Default, Debug)]
pub struct Lines(Vec<u8>);

/// A line that is longer than [`MAX_LINE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a line of more than {MAX_LINE} bytes")]
pub struct TooLong;

impl Lines {
    /// Adds what has come.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.iter().filter(|&&byte| byte != 0));
    }

    /// The next whole line, without its end; none while it has not come.
    ///
    /// # Errors
    /// When it is too long, or will be.
    pub fn next_line(&mut self) -> Result<Option<String>, TooLong> {
        let end = self.0.iter().position(|&byte| byte == b'\n');
        if end.unwrap_or(self.0.len()) > MAX_LINE {
            return Err(TooLong);
        }
        let line = end.map(|end| self.0.drain(..=end).collect::<Vec<u8>>());
        Ok(line.map(|line| String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

/// The question about a decision. Whoever decides is "you" in it.
///
/// # Panics
/// When nobody decides in `state`.
pub fn question(game: &Backgammon, state: &State) -> String {
    fibs::write(&seen_by_you(game.position(state)), Names::default())
        .unwrap_or_else(|error| panic!("{state:?} is no question: {error}"))
}

/// The position with the seats changed so that `B` decides.
fn seen_by_you(position: Position) -> Position {
    if position.decides == B {
        return position;
    }
    let [of_a, of_b] = position.score;
    Position {
        to: across(position.to),
        decides: B,
        owner: position.owner.map(across),
        score: [of_b, of_a],
        ..position
    }
}

fn across(seat: Seat) -> Seat {
    if seat == B { Seat::A } else { B }
}

/// The index of the move an answer means.
///
/// # Errors
/// When it is no answer or none of these moves; the text says what would be.
pub fn choice(state: &State, moves: &Moves, answer: &str) -> Result<usize, String> {
    // What an error repeats must fit a line.
    let may_be_play = answer.len() <= 100 && !answer.contains(char::is_control);
    let wanted = match answer {
        "roll" => Move::Roll,
        "double" => Move::Double,
        "take" | "accept" => Move::Take,
        "drop" | "reject" => Move::Drop,
        "beaver" => Move::Beaver,
        _ if may_be_play && state.phase() == Phase::Play => Move::Play(board(state, answer)?),
        _ => return Err(expected(state, moves)),
    };
    let index = moves.iter().position(|mv| mv == wanted);
    index.ok_or_else(|| expected(state, moves))
}

/// The board a written play leads to.
fn board(state: &State, text: &str) -> Result<Board, String> {
    let steps = play::read(text).map_err(|error| error.to_string())?;
    let points: Vec<(u8, u8)> = steps.iter().map(|step| (step.from, step.to)).collect();
    Steps::play(&state.board, state.dice(), &points).map_err(|error| error.to_string())
}

/// The answers to a question about the cube, or one of those to a roll.
fn expected(state: &State, moves: &Moves) -> String {
    let shown = if state.phase() == Phase::Play {
        1
    } else {
        moves.len()
    };
    let answers: Vec<String> = moves
        .iter()
        .take(shown)
        .map(|mv| answer(state, mv))
        .collect();
    match state.phase() {
        Phase::Play => format!("expected a play, as {}", answers[0]),
        _ => format!("expected {}", answers.join(" or ")),
    }
}

/// A move as an answer.
fn answer(state: &State, mv: Move) -> String {
    match mv {
        Move::Roll => "roll".to_owned(),
        Move::Double => "double".to_owned(),
        Move::Take => "take".to_owned(),
        Move::Drop => "drop".to_owned(),
        Move::Beaver => "beaver".to_owned(),
        Move::Play(result) => {
            let steps = Steps::between(&state.board, state.dice(), &result).unwrap_or_default();
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            steps.join(" ")
        }
    }
}

/// A bot as an external player.
pub struct Player {
    policy: Box<dyn Policy<Backgammon>>,
    /// Those a question does not carry; the length of the match is that of the question.
    rules: Rules,
    random: Stream,
    moves: Moves,
}

impl Player {
    /// A player for tables with these rules; random choices are those of `seed`.
    pub fn new(policy: Box<dyn Policy<Backgammon>>, rules: Rules, seed: u64) -> Player {
        Player {
            policy,
            rules,
            random: BlockKey::new(seed, 0).stream(Purpose::Bot, B),
            moves: Moves::default(),
        }
    }

    /// What is answered to a line.
    pub fn reply(&mut self, line: &str) -> String {
        self.answer(line)
            .unwrap_or_else(|reason| format!("Error: {reason}"))
    }

    fn answer(&mut self, line: &str) -> Result<String, String> {
        let word = line.split([':', ' ']).next().unwrap_or(line);
        match word.to_ascii_lowercase().as_str() {
            "board" => self.decide(line),
            "version" => Ok("Interface: 2".to_owned()),
            _ => {
                let shown: String = word.chars().take(20).collect();
                Err(format!(
                    "'{}' is no command; expected board:..., a FIBS board line, or version",
                    shown.escape_debug()
                ))
            }
        }
    }

    fn decide(&mut self, line: &str) -> Result<String, String> {
        let position = fibs::read(line).map_err(|error| error.to_string())?;
        let raccoons = self.rules.beavers == Beavers::Raccoons && position.length == 0;
        if position.is_beaver() && !raccoons {
            return Ok("take".to_owned());
        }
        let rules = rules_of(&self.rules, position.length);
        let game = Backgammon::new(rules, SeatSet::first(2)).map_err(|error| error.to_string())?;
        let state = game.state(&position).map_err(|error| error.to_string())?;
        match game.turn(&state) {
            Turn::Chance(_) => Ok("roll".to_owned()),
            Turn::Over => Err("the game is over; expected one in play".to_owned()),
            Turn::Decision(seat) => self.choose(&game, &state, seat),
        }
    }

    fn choose(&mut self, game: &Backgammon, state: &State, seat: Seat) -> Result<String, String> {
        game.moves(state, &mut self.moves);
        let mut index = 0;
        if !self.moves.is_forced() {
            let moves = &self.moves;
            let view = View {
                game,
                state,
                seat,
                moves,
            };
            index = self.policy.choose(&view, &mut self.random);
        }
        if let Some(reason) = self.policy.failed() {
            return Err(reason.to_owned());
        }
        let mv = self.moves.get(index);
        Ok(match (state.phase(), mv) {
            // To roll at a beavered cube is to take it.
            (Phase::Beaver, Move::Roll) => "take".to_owned(),
            _ => answer(state, mv),
        })
    }
}

/// The rules at a table of this length: those of money play do not bind a match, nor the other way
/// round.
fn rules_of(rules: &Rules, length: u32) -> Rules {
    let rules = Rules {
        length,
        ..rules.clone()
    };
    if length == 0 {
        return Rules {
            holland: false,
            ..rules
        };
    }
    Rules {
        beavers: Beavers::Off,
        automatic_doubles: 0,
        ..rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::Bot;

    fn player(rules: Rules) -> Player {
        let policy = Bot::find("greedy").unwrap().policy().unwrap();
        Player::new(policy, rules, 1)
    }

    /// A question as GNU Backgammon asks it in a match to 5.
    const OPENING: &str = "board:gnubg:root:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";

    #[test]
    fn a_player_answers_plays_and_the_cube() {
        let mut player = player(Rules::default());
        // Greedy moves a checker from the rear. The turn is that of `root`, seen by `gnubg`.
        assert_eq!(player.reply(OPENING), "24/22 6/5");
        let roll = OPENING.replace(":2:1:2:1:", ":0:0:0:0:");
        assert_eq!(player.reply(&roll), "roll");
        let doubled = roll.replace(":1:1:1:0:1:-1:", ":1:1:1:-1:1:-1:");
        assert_eq!(player.reply(&doubled), "take");
        // The cube belongs to the other side: nothing to ask the bot.
        let owned = roll.replace(":1:1:1:0:1:-1:", ":2:1:0:0:1:-1:");
        assert_eq!(player.reply(&owned), "roll");
    }

    #[test]
    fn a_player_with_nothing_to_move_answers_an_empty_line() {
        let closed = "board:you:me:0:0:0:0:2:2:2:2:2:2:0:0:0:0:0:0:0:0:0:0:0:0:-2:-2:-2:-2:-2:-3:1:1:6:6:6:6:2:1:0:0:1:-1:0:25:2:2:0:0:0:0:0:1";
        assert_eq!(player(Rules::default()).reply(closed), "");
    }

    #[test]
    fn a_beaver_is_taken() {
        let beaver = OPENING
            .replace("root:5", "root:0")
            .replace("-1:2:1:2:1:1:1:1:0:1:-1", "1:0:0:0:0:2:0:1:-1:1:-1");
        assert_eq!(player(Rules::default()).reply(&beaver), "take");
        let raccoons = Rules {
            beavers: Beavers::Raccoons,
            ..Rules::default()
        };
        assert_eq!(player(raccoons).reply(&beaver), "take");
    }

    #[test]
    fn whatever_is_no_question_is_an_error() {
        let mut player = player(Rules::default());
        assert_eq!(player.reply("version"), "Interface: 2");
        insta::assert_snapshot!(player.reply(""), @"Error: '' is no command; expected board:..., a FIBS board line, or version");
        insta::assert_snapshot!(player.reply("hello\u{1}you"), @r"Error: 'hello\u{1}you' is no command; expected board:..., a FIBS board line, or version");
        insta::assert_snapshot!(player.reply("board:x"), @"Error: FIBS line: 2 fields; expected 53, the first of them 'board'");
        let over = OPENING.replace("root:5:0", "root:5:5");
        insta::assert_snapshot!(player.reply(&over), @"Error: score: 5; expected less than the 5 of the match");
    }

    #[test]
    fn lines_are_cut_without_zero_bytes_and_refused_when_too_long() {
        let mut lines = Lines::default();
        lines.add(b"one\n\0two\r");
        assert_eq!(lines.next_line(), Ok(Some("one".to_owned())));
        assert_eq!(lines.next_line(), Ok(None));
        lines.add(b"\n\0\xff\n");
        assert_eq!(lines.next_line(), Ok(Some("two".to_owned())));
        assert_eq!(lines.next_line(), Ok(Some("\u{fffd}".to_owned())));
        lines.add(&[b'x'; MAX_LINE]);
        assert_eq!(lines.next_line(), Ok(None));
        lines.add(b"x");
        assert_eq!(lines.next_line(), Err(TooLong));
    }

    #[test]
    fn a_question_shows_the_one_who_decides_as_you() {
        let game = Backgammon::new(Rules::default(), SeatSet::first(2)).unwrap();
        let mut state = game.start(Seat::A);
        // A wins the opening with 3-1: the same question as if it were B.
        let mut other = state;
        game.roll(&mut state, (3, 1));
        game.roll(&mut other, (1, 3));
        assert_ne!(state.on_roll(), other.on_roll());
        assert_eq!(question(&game, &state), question(&game, &other));
        let read = fibs::read(&question(&game, &state)).unwrap();
        assert_eq!((read.decides, read.dice), (B, Some([3, 1])));
    }

    #[test]
    fn an_answer_is_a_legal_move_or_told_what_would_be() {
        let game = Backgammon::new(Rules::default(), SeatSet::first(2)).unwrap();
        let mut state = game.start(Seat::A);
        game.roll(&mut state, (3, 1));
        let mut moves = Moves::default();
        game.moves(&state, &mut moves);
        let index = choice(&state, &moves, "8/5 6/5").unwrap();
        assert_eq!(game.move_text(&state, moves.get(index)), "8/5 6/5");
        let wrong = |answer| choice(&state, &moves, answer).unwrap_err();
        insta::assert_snapshot!(wrong("8/4 8/4"), @"8/4 8/4 is no legal play of 31; one is 24/21 24/23");
        insta::assert_snapshot!(wrong("roll"), @"expected a play, as 24/21 24/23");
        insta::assert_snapshot!(wrong("Error: what"), @"'error:' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13");
        let state = game.parse("4HPwATDgc/ABMA").unwrap();
        game.moves(&state, &mut moves);
        assert_eq!(choice(&state, &moves, "double"), Ok(1));
        assert_eq!(
            choice(&state, &moves, "8/5").unwrap_err(),
            "expected roll or double"
        );
        assert_eq!(
            choice(&state, &moves, "take").unwrap_err(),
            "expected roll or double"
        );
    }
}
