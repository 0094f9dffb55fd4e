//! What a tournament counts beside wins: points, kinds of wins, and what was done with the cube.

use crate::engine::game::{Measure, Measured};
use crate::engine::seat::Seat;

use super::{Backgammon, Move, Phase, State, Win};

const fn measure(name: &'static str, about: &'static str) -> Measure {
    Measure {
        name,
        about,
        is_score: false,
    }
}

/// The measures, in the order of [`Index`].
pub(super) const ALL: &[Measure] = &[
    Measure {
        name: "points",
        about: "points won less points lost",
        is_score: true,
    },
    measure("games", "games won, of a match all of its games"),
    measure("gammons", "of these by a gammon"),
    measure("backgammons", "of these by a backgammon"),
    measure("drops", "of these because the other side passed a double"),
    measure("doubles", "doubles offered"),
    measure("takes", "doubles taken, beavers included"),
    measure("passes", "doubles passed"),
    measure("beavers", "beavers and raccoons"),
    measure(
        "turns",
        "how often the cube had been turned in the games won, summed",
    ),
];

/// Places in [`ALL`].
enum Index {
    Points,
    Games,
    Gammons,
    Backgammons,
    Drops,
    Doubles,
    Takes,
    Passes,
    Beavers,
    Turns,
}

/// Counts what a move of `seat` adds.
#[inline(always)]
pub(super) fn count(game: &Backgammon, state: &State, seat: Seat, mv: Move, out: &mut Measured) {
    let mut add = |what: Index| out[seat][what as usize] += 1;
    match mv {
        Move::Play(result) if result.mover.off() < game.checkers => {}
        Move::Play(result) => won(game, state, Backgammon::win(&result), out),
        Move::Roll => {}
        Move::Double => add(Index::Doubles),
        Move::Take => add(Index::Takes),
        Move::Beaver => {
            add(Index::Beavers);
            if state.phase() == Phase::Answer {
                add(Index::Takes);
            }
        }
        Move::Drop => {
            add(Index::Passes);
            won(game, state, Win::Dropped, out);
        }
    }
}

/// The player on roll has won a game.
#[cold]
fn won(game: &Backgammon, state: &State, win: Win, out: &mut Measured) {
    let points = game
        .points(win, state.cube(), state.owner().is_some())
        .cast_signed();
    out[state.opponent()][Index::Points as usize] -= points;
    let mine = &mut out[state.on_roll()];
    mine[Index::Points as usize] += points;
    mine[Index::Games as usize] += 1;
    mine[Index::Turns as usize] += i32::from(state.cube());
    match win {
        Win::Dropped => mine[Index::Drops as usize] += 1,
        Win::Single => {}
        Win::Gammon => mine[Index::Gammons as usize] += 1,
        Win::Backgammon => mine[Index::Backgammons as usize] += 1,
    }
}
