//! One game of a rollout.

use crate::engine::random::{BlockKey, DiceStream};
use crate::engine::seat::Seat;
use crate::games::backgammon::BOTH;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::{Chances, CubeContext, CubeOwner};
use crate::games::backgammon::evaluate::finished;

use super::super::ahead::{Numbers, best_plays, mean, numbers, roll_index};
use super::super::judge::{CubeUse, Judge, Scratch, Worth};

/// Rolls after which a game is stopped and estimated; games have some 60.
const MOST_ROLLS: u32 = 5_000;

/// Where the games of a rollout begin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Start {
    /// The board, the side to roll first.
    pub board: Board,
    /// The cube as the side to roll sees it.
    pub context: CubeContext,
    /// Whether the results are those of the side to roll, not of the other.
    pub own: bool,
    /// Whether the side to roll may double before its first roll.
    pub may_double: bool,
}

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether the cube is turned.
    pub cube: CubeUse,
    /// Whether a game ends where a table knows what it is worth.
    pub truncate: bool,
}

/// The throws of a game: the first two as the design has them, the others from streams.
pub struct Throws {
    designed: [Option<(u8, u8)>; 2],
    rolled: usize,
    dice: [DiceStream; 2],
}

impl Throws {
    /// The throws of game number `game`, by their numbers from 0 to 35 where they are designed.
    pub fn new(seed: u64, game: u64, designed: [Option<u8>; 2]) -> Throws {
        let key = BlockKey::new(seed, game);
        Throws {
            designed: designed.map(|throw| throw.map(|throw| (throw / 6 + 1, throw % 6 + 1))),
            rolled: 0,
            dice: BOTH.map(|seat: Seat| key.dice(seat)),
        }
    }

    fn next(&mut self) -> (u8, u8) {
        let rolled = self.rolled;
        self.rolled += 1;
        let dice = &mut self.dice[rolled % 2];
        let throw = (dice.die(), dice.die());
        self.designed
            .get(rolled)
            .copied()
            .flatten()
            .unwrap_or(throw)
    }
}

/// What a game came to, for the side whose results are counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The result, or the value it was stopped at.
    pub raw: Numbers,
    /// The luck of all rolls: what each was worth beyond the mean of the 21. Its expectation is 0.
    pub luck: Numbers,
    /// Rolls.
    pub rolls: u32,
    /// Whether it was stopped for its length.
    pub capped: bool,
}

/// A game on its way.
struct Table {
    board: Board,
    context: CubeContext,
    /// Whether the results of the side on roll are counted.
    own: bool,
}

impl Table {
    /// A worth of the side on roll as the numbers that are counted.
    fn counted(&self, worth: &Worth) -> Numbers {
        numbers(&if self.own { *worth } else { worth.swapped() })
    }

    fn pass_turn(&mut self, board: Board) {
        self.board = board.swapped();
        self.context = self.context.swapped();
        self.own = !self.own;
    }
}

/// Plays a game to its end: each roll is played best by the evaluator, without looking ahead.
pub fn play(
    judge: &Judge<'_>,
    start: &Start,
    style: Style,
    throws: &mut Throws,
    scratch: &mut Scratch,
) -> Outcome {
    let mut table = Table {
        board: start.board,
        context: start.context,
        own: start.own,
    };
    let mut luck = [0.0; 6];
    for rolls in 0..MOST_ROLLS {
        let ended = |raw| Outcome {
            raw,
            luck,
            rolls,
            capped: false,
        };
        if rolls > 0 || start.may_double {
            if let Some(worth) = known(judge, &table, style) {
                return ended(table.counted(&worth));
            }
            if let Some(worth) = cube_action(judge, &mut table, style.cube) {
                return ended(table.counted(&worth));
            }
        }
        let plays = best_plays(judge, &table.board, &table.context, style.cube, scratch);
        let values = plays.map(|play| table.counted(&play.worth));
        let (roll, mean) = (roll_index(throws.next()), mean(&values));
        for (index, luck) in luck.iter_mut().enumerate() {
            *luck += values[roll][index] - mean[index];
        }
        let board = plays[roll].board;
        if finished(&board).is_some() {
            return Outcome {
                raw: values[roll],
                luck,
                rolls: rolls + 1,
                capped: false,
            };
        }
        table.pass_turn(board);
    }
    let chances = judge.evaluator.chances(&table.board);
    let worth = judge.estimated(&table.board, chances, &table.context, style.cube);
    Outcome {
        raw: table.counted(&worth),
        luck,
        rolls: MOST_ROLLS,
        capped: true,
    }
}

/// What the side on roll is known to be worth, if games end there.
fn known(judge: &Judge<'_>, table: &Table, style: Style) -> Option<Worth> {
    if style.truncate {
        judge.exact(&table.board, &table.context, style.cube)
    } else {
        None
    }
}

/// Doubles if the side on roll should; the worth to it when the other passes.
fn cube_action(judge: &Judge<'_>, table: &mut Table, cube: CubeUse) -> Option<Worth> {
    if cube == CubeUse::Dead || !table.context.may_double() {
        return None;
    }
    let chances = judge.evaluator.chances(&table.board);
    let verdict = judge.decide(&table.board, &chances, &table.context);
    if !verdict.doubles() {
        return None;
    }
    if !verdict.takes() {
        return Some(Worth {
            chances: WON,
            equity: judge.passed(&table.context),
        });
    }
    table.context.value = table.context.value.saturating_mul(2);
    table.context.owner = CubeOwner::Theirs;
    None
}

/// A single game won, as by a pass.
const WON: Chances = Chances {
    win: 1.0,
    win_g: 0.0,
    win_bg: 0.0,
    lose_g: 0.0,
    lose_bg: 0.0,
};
