//! The laws of the engine at tables that the registry's own test does not reach: every level on
//! every board, with two seats and with all of them.

use racelab::engine::game::Game;
use racelab::engine::laws::check;
use racelab::games::baikal::{Baikal, Board, Level, Rules};

fn keeps_the_laws(level: Level) {
    for board in ["4x12", "6x12", "8x12", "4x12-P1", "8x10-P1"] {
        let board = Board::preset(board).expect("a preset");
        for seats in [board.seats(2), board.seats(board.sides.into())] {
            let rules = Rules {
                level,
                board: board.clone(),
                ..Rules::default()
            };
            if seats.len() <= 4 {
                check(
                    &Baikal::<4>::new(rules, seats).expect("a table of four"),
                    3,
                    1,
                );
            } else {
                check(
                    &Baikal::<8>::new(rules, seats).expect("a table of eight"),
                    3,
                    1,
                );
            }
        }
    }
}

#[test]
fn sprint_keeps_the_laws_on_every_board() {
    keeps_the_laws(Level::Sprint);
}

#[test]
fn classic_keeps_the_laws_on_every_board() {
    keeps_the_laws(Level::Classic);
}

#[test]
fn serious_keeps_the_laws_on_every_board() {
    keeps_the_laws(Level::Serious);
}
