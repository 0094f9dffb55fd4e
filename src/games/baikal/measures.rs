//! What is counted for each seat of a Baikal race.

use crate::engine::game::{Measure, Measured};
use crate::engine::seat::Seat;

use super::Baikal;
use super::moves::Move;
use super::state::{Phase, State};

const fn measure(name: &'static str, about: &'static str) -> Measure {
    Measure {
        name,
        about,
        is_score: false,
    }
}

/// The measures, in the order of their indices below.
pub(super) const ALL: &[Measure] = &[
    measure("pushes", "tokens of others passed and pushed back"),
    measure("pocket_pushes", "tokens of others pushed on in a pocket"),
    measure("ransoms", "own tokens bought back"),
    measure(
        "replies",
        "sixes moved because another seat bought a token back",
    ),
    measure("rests", "turns skipped because of Rest"),
];

const PUSHES: usize = 0;
const POCKET_PUSHES: usize = 1;
const RANSOMS: usize = 2;
const REPLIES: usize = 3;
const RESTS: usize = 4;

/// Counts what a move, about to be played, adds.
#[inline(always)]
pub(super) fn count<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &State<SEATS>,
    seat: Seat,
    mv: Move,
    out: &mut Measured,
) {
    if mv == Move::PASS {
        return;
    }
    let mut after = *state;
    let (effect, change) = game.play(&mut after, mv);
    let counts = &mut out[seat];
    counts[PUSHES] += i32::from(change.pushes);
    counts[POCKET_PUSHES] += i32::from(change.pocket_pushes);
    counts[RANSOMS] += i32::from(mv != Move::LEAVE && mv.code() >= game.route.held);
    counts[REPLIES] += i32::from(state.phase() == Phase::Reply);
    let mut slot = state.to();
    for _ in 0..effect.skipped {
        slot = game.next_at_play(&after, slot);
        out[game.seat(slot)][RESTS] += 1;
    }
}
