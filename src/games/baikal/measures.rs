//! What is counted for each seat of a Baikal race.

use crate::engine::game::{Effect, Measure, Measured};
use crate::engine::seat::Seat;

use super::Baikal;
use super::moves::Move;
use super::rules::Level;
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

/// Plays a move and counts what it adds.
#[inline(always)]
pub(super) fn play<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &mut State<SEATS>,
    seat: Seat,
    mv: Move,
    out: &mut Measured,
) -> Effect {
    let (mover, replies) = (state.to(), state.phase() == Phase::Reply);
    let (effect, change) = game.play(state, mv);
    let counts = &mut out[seat];
    if change.shifts() {
        counts[PUSHES] += i32::from(change.pushes);
        counts[POCKET_PUSHES] += i32::from(change.pocket_pushes);
    }
    // Sprint and Classic know neither.
    if game.rules.level == Level::Serious {
        counts[RANSOMS] += i32::from(game.is_ransom(mv));
        counts[REPLIES] += i32::from(replies);
    }
    let mut slot = mover;
    for _ in 0..effect.skipped {
        slot = game.next_at_play(state, slot);
        out[game.seat(slot)][RESTS] += 1;
    }
    effect
}
