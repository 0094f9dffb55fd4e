//! Perft: counts the paths of play, the strongest cheap test of a rules engine.

use rayon::prelude::*;

use super::game::{Game, MoveSet, Turn};

/// The number of paths of `rolls` rolls from a position: every roll once and every legal move.
/// A finished game ends its path and counts only when it took exactly `rolls` rolls.
pub fn perft<G: Game>(game: &G, state: &G::State, rolls: u32) -> u64 {
    count(game, state, rolls, &mut Vec::new())
}

/// [`perft`] with buffers for moves that others have used before.
fn count<G: Game>(game: &G, state: &G::State, rolls: u32, buffers: &mut Vec<G::Moves>) -> u64 {
    match game.turn(state) {
        Turn::Over => u64::from(rolls == 0),
        Turn::Chance(_) if rolls == 0 && !game.is_mid_roll(state) => 1,
        Turn::Chance(_) => {
            let left = rolls - u32::from(!game.is_mid_roll(state));
            let mut paths = 0;
            for &(roll, _) in game.rolls(state) {
                let mut next = *state;
                game.roll(&mut next, roll);
                paths += count(game, &next, left, buffers);
            }
            paths
        }
        Turn::Decision(_) => {
            let mut moves = buffers.pop().unwrap_or_default();
            game.moves(state, &mut moves);
            let mut paths = 0;
            for mv in moves.iter() {
                let mut next = *state;
                game.apply(&mut next, mv);
                paths += count(game, &next, rolls, buffers);
            }
            buffers.push(moves);
            paths
        }
    }
}

/// [`perft`] on all cores.
pub fn perft_parallel<G: Game>(game: &G, state: &G::State, rolls: u32) -> u64 {
    // Two rolls give some dozens of positions, enough to share out; the rest of the tree is deep.
    let shared = rolls.min(2);
    let mut positions = Vec::new();
    after_rolls(game, state, shared, &mut Vec::new(), &mut positions);
    positions
        .par_iter()
        .map_init(Vec::new, |buffers, state| {
            count(game, state, rolls - shared, buffers)
        })
        .sum()
}

/// Collects the end of every path of `rolls` rolls that [`perft`] would count or walk on.
fn after_rolls<G: Game>(
    game: &G,
    state: &G::State,
    rolls: u32,
    buffers: &mut Vec<G::Moves>,
    out: &mut Vec<G::State>,
) {
    match game.turn(state) {
        Turn::Chance(_) if rolls > 0 || game.is_mid_roll(state) => {
            let left = rolls - u32::from(!game.is_mid_roll(state));
            for &(roll, _) in game.rolls(state) {
                let mut next = *state;
                game.roll(&mut next, roll);
                after_rolls(game, &next, left, buffers, out);
            }
        }
        Turn::Decision(_) => {
            let mut moves = buffers.pop().unwrap_or_default();
            game.moves(state, &mut moves);
            for mv in moves.iter() {
                let mut next = *state;
                game.apply(&mut next, mv);
                after_rolls(game, &next, rolls, buffers, out);
            }
            buffers.push(moves);
        }
        Turn::Over if rolls > 0 => {}
        Turn::Over | Turn::Chance(_) => out.push(*state),
    }
}
