//! What a bot loses in the bear-off of backgammon, where the two-sided table knows every position.

use crate::bots::Bot;
use crate::engine::game::{Game, MoveSet, RuleSet};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::backgammon::bearoff::{CubeState, Database, Index, TwoSided};
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::{Backgammon, Move, Moves, Phase, Rules};

use super::{Decision, Regret, RegretError};

/// The most checkers a side can have left.
pub const MOST_CHECKERS: u8 = 6;

/// Checkers of a side.
const CHECKERS: u8 = 15;

/// The table keeps equities in units of 2^-30; differences below four of them are none.
const TIE: f64 = 4.0 / (1u32 << 30) as f64;

/// What `bot` loses by its plays when both sides have 1 to `checkers` checkers left, all at home,
/// and no cube is played: every position and every roll once.
///
/// # Errors
/// When the bot does not play backgammon, or cannot go on.
///
/// # Panics
/// When `checkers` is not 1 to [`MOST_CHECKERS`].
pub fn bearoff(bot: &Bot, checkers: u8) -> Result<Regret<Backgammon>, RegretError> {
    assert!((1..=MOST_CHECKERS).contains(&checkers), "1 to 6 checkers");
    let presets = Rules::presets();
    let preset = presets.iter().find(|preset| preset.name == "cubeless");
    let rules = preset.expect("a preset without a cube").rules.clone();
    let game = Backgammon::new(rules, SeatSet::first(2)).expect("a preset can be played");
    let index = Index::new(checkers, 6).expect("the home board is small enough");
    let table = TwoSided::build(index);
    let mut policy = bot.policy::<Backgammon>()?;
    let mut regret = Regret::new(0, TIE);
    let mut moves = Moves::default();
    let mut worths = Vec::new();
    let open = || {
        let sides = (0..index.len()).map(|rank| rest_off(index.side(rank)));
        sides.filter(|side| side.left() > 0)
    };
    for mover in open() {
        for other in open() {
            regret.states += 1;
            let mut before = game.start(Seat::A);
            before.board = Board { mover, other };
            before.set_phase(Phase::Roll);
            for &(roll, _) in game.rolls(&before) {
                let mut state = before;
                game.roll(&mut state, roll);
                game.moves(&state, &mut moves);
                if state.phase() != Phase::Play || moves.is_forced() {
                    continue;
                }
                worths.clear();
                worths.extend(moves.iter().map(|mv| worth(&table, mv)));
                let decision = Decision {
                    state: &state,
                    roll: Some(roll),
                    seat: Seat::A,
                    moves: &moves,
                    worths: &worths,
                };
                regret.judge(&game, policy.as_mut(), &decision);
            }
        }
    }
    regret.finish(policy.as_ref())
}

/// A side with all checkers borne off that are not on a point.
fn rest_off(side: Side) -> Side {
    let mut counts = side.counts();
    counts[0] = CHECKERS - side.left();
    Side::from_counts(&counts)
}

/// The chance to win of the side that has made a play.
fn worth(table: &TwoSided, mv: Move) -> f64 {
    let Move::Play(board) = mv else {
        unreachable!("no cube is played")
    };
    if board.mover.left() == 0 {
        return 1.0;
    }
    let equity = table.equity(&board.swapped(), CubeState::Cubeless);
    let equity = equity.expect("no checker comes back");
    0.5 - 0.5 * equity
}
