//! A game of self-play.

use crate::engine::random::DiceStream;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::Chances;
use crate::games::backgammon::net::{Evaluator, OUTPUTS, Search};

/// A position of a game, seen by the side to roll.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) board: Board,
    /// What the nets said of it when it was played; exact if it is the last.
    pub(super) chances: [f32; OUTPUTS],
}

/// The positions of a game from the first after a play to the first that is known exactly.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) positions: Vec<Position>,
}

/// Plays a game of the nets against themselves, to a position that needs no net.
pub(super) fn play(search: &mut Search, nets: &Evaluator, mut dice: DiceStream) -> Game {
    let mut positions = Vec::with_capacity(80);
    let mut board = Board::START;
    let mut roll = opening(&mut dice);
    loop {
        let (next, chances) = search.reply(nets, &board, roll);
        board = next;
        positions.push(Position {
            board,
            chances: to_outputs(&chances),
        });
        if nets.known(&board).is_some() {
            return Game { positions };
        }
        roll = (dice.die(), dice.die());
    }
}

/// The roll of the opening: two different dice.
pub(super) fn opening(dice: &mut DiceStream) -> (u8, u8) {
    loop {
        let roll = (dice.die(), dice.die());
        if roll.0 != roll.1 {
            return roll;
        }
    }
}

fn to_outputs(chances: &Chances) -> [f32; OUTPUTS] {
    let Chances {
        win,
        win_g,
        win_bg,
        lose_g,
        lose_bg,
    } = *chances;
    [win, win_g, win_bg, lose_g, lose_bg].map(|chance| chance as f32)
}
