//! Matches written down as they are played, in the formats other programs read.

use crate::engine::game::{Effect, Game};
use crate::engine::play::Observer;
use crate::engine::scribe::{Names, Scribe, ScribeError};
use crate::engine::seat::Seat;

use super::board::Board;
use super::notation::record::{Action, ActionKind, GameRecord, GameResult, MatchRecord};
use super::notation::{mat, sgf};
use super::{BOTH, Backgammon, Move, Phase, Roll, Rules, Setup, State, Win, text};

/// The formats, as specs name them; files end in them.
const FORMATS: &[&str] = &["mat", "sgf"];

/// Who writes a match or a game for money down.
pub(super) fn scribe(
    game: &Backgammon,
    format: &str,
    names: &Names<'_>,
) -> Result<Box<dyn Scribe<Backgammon>>, ScribeError> {
    let Some(&format) = FORMATS.iter().find(|known| **known == format) else {
        return Err(ScribeError::NoFormat {
            game: Backgammon::NAME,
            format: format.to_owned(),
            known: FORMATS,
        });
    };
    let rules = game.rules();
    check(rules, format)?;
    Ok(Box::new(MatchScribe {
        as_sgf: format == "sgf",
        record: MatchRecord {
            length: rules.length,
            crawford_rule: rules.crawford && rules.length > 0,
            jacoby: rules.jacoby && rules.length == 0,
            players: BOTH.map(|seat| names[seat].to_owned()),
            ..MatchRecord::default()
        },
    }))
}

/// Refuses rules under which a file would be read as another game than was played.
fn check(rules: &Rules, format: &'static str) -> Result<(), ScribeError> {
    let refuse = |rule: String, expected| {
        Err(ScribeError::Rules {
            format,
            rule,
            expected,
        })
    };
    if rules.setup != Setup::Backgammon {
        return refuse("another setup".to_owned(), "setup = 'backgammon'");
    }
    if !rules.larger_die {
        return refuse("larger_die = false".to_owned(), "larger_die = true");
    }
    if (rules.gammon, rules.backgammon) != (2, 3) {
        let values = format!(
            "gammon = {}, backgammon = {}",
            rules.gammon, rules.backgammon
        );
        return refuse(values, "gammon = 2, backgammon = 3");
    }
    if rules.automatic_doubles > 0 && format == "mat" {
        let rule = format!("automatic_doubles = {}", rules.automatic_doubles);
        return refuse(rule, "sgf as the format, or automatic_doubles = 0");
    }
    Ok(())
}

/// A match, or a game for money, so far.
struct MatchScribe {
    as_sgf: bool,
    record: MatchRecord,
}

impl MatchScribe {
    /// The game that is being played.
    fn game(&mut self) -> &mut GameRecord {
        let game = self.record.games.last_mut();
        game.expect("a game begins with a roll")
    }

    fn act(&mut self, player: Seat, kind: ActionKind) {
        self.game().actions.push(Action { player, kind });
    }

    fn play(&mut self, game: &Backgammon, state: &State, seat: Seat, result: &Board) {
        let (one, two) = state.dice();
        let kind = ActionKind::Move {
            dice: [one, two],
            steps: text::steps(state, result).to_vec(),
        };
        self.act(seat, kind);
        if result.mover.off() == game.checkers {
            let was_doubled = state.owner().is_some();
            let points = game.points(Backgammon::win(result), state.cube(), was_doubled);
            self.end(seat, points);
        }
    }

    fn end(&mut self, winner: Seat, points: u32) {
        self.game().result = Some(GameResult { winner, points });
    }
}

impl Observer<Backgammon> for MatchScribe {
    fn rolled(&mut self, _: &Backgammon, state: &State, _: Seat, _: Roll) {
        // Equal dice at the opening are thrown again; the cube tells of them.
        let is_over = |game: &GameRecord| game.result.is_some();
        if state.phase() == Phase::Play && self.record.games.last().is_none_or(is_over) {
            self.record.games.push(GameRecord {
                score_before: BOTH.map(|seat| state.score(seat)),
                crawford: state.is_crawford(),
                cube: state.cube(),
                actions: Vec::new(),
                result: None,
            });
        }
    }

    fn moving(&mut self, game: &Backgammon, state: &State, seat: Seat, mv: Move) {
        match mv {
            Move::Play(result) => self.play(game, state, seat, &result),
            Move::Roll => {}
            Move::Double | Move::Beaver => self.act(seat, ActionKind::Double),
            Move::Take => self.act(seat, ActionKind::Take),
            Move::Drop => {
                self.act(seat, ActionKind::Drop);
                let points = game.points(Win::Dropped, state.cube(), true);
                self.end(state.on_roll(), points);
            }
        }
    }

    fn moved(&mut self, _: &Backgammon, state: &State, _: Seat, _: &Effect) {
        // Here a beaver or raccoon that nobody answers, or that is rolled at, is taken without a
        // word; in a record it is taken by who faces it.
        let last = self.game().actions.last();
        let faces = last.filter(|last| last.kind == ActionKind::Double);
        if let Some(double) = faces
            && state.phase() == Phase::Roll
        {
            let taker = BOTH[1 - double.player.index()];
            self.act(taker, ActionKind::Take);
        }
    }
}

impl Scribe<Backgammon> for MatchScribe {
    fn text(&self) -> String {
        if self.as_sgf {
            return sgf::write(&self.record);
        }
        mat::write(&self.record).unwrap_or_else(|error| {
            unreachable!("rules and names of bots were checked before the game: {error}")
        })
    }
}
