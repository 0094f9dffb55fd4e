//! Perft: counts the paths of play, the strongest cheap test of a rules engine.

use rayon::prelude::*;

use super::game::{Game, MoveSet, Turn};

/// How often a roll counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Every different roll once.
    Rolls,
    /// Every roll as often as its weight in [`Game::rolls`]: of two dice each of the 36 pairs once.
    Weights,
}

impl Count {
    fn of(self, weight: u32) -> u64 {
        match self {
            Count::Rolls => 1,
            Count::Weights => weight.into(),
        }
    }
}

/// The number of paths of `rolls` rolls from a position: every roll once and every legal move.
/// A finished game ends its path and counts only when it took exactly `rolls` rolls.
pub fn perft<G: Game>(game: &G, state: &G::State, rolls: u32) -> u64 {
    paths(game, state, rolls, Count::Rolls, &mut Vec::new())
}

/// [`perft`] with buffers for moves that others have used before.
fn paths<G: Game>(
    game: &G,
    state: &G::State,
    rolls: u32,
    count: Count,
    buffers: &mut Vec<G::Moves>,
) -> u64 {
    match game.turn(state) {
        Turn::Over => u64::from(rolls == 0),
        Turn::Chance(_) if rolls == 0 && !game.is_mid_roll(state) => 1,
        Turn::Chance(_) => {
            let left = rolls - u32::from(!game.is_mid_roll(state));
            let mut sum = 0;
            for &(roll, weight) in game.rolls(state) {
                let mut next = *state;
                game.roll(&mut next, roll);
                sum += count.of(weight) * paths(game, &next, left, count, buffers);
            }
            sum
        }
        Turn::Decision(_) => {
            let mut moves = buffers.pop().unwrap_or_default();
            game.moves(state, &mut moves);
            let mut sum = 0;
            for mv in moves.iter() {
                let mut next = *state;
                game.apply(&mut next, mv);
                sum += paths(game, &next, rolls, count, buffers);
            }
            buffers.push(moves);
            sum
        }
    }
}

/// [`perft`] on all cores.
pub fn perft_parallel<G: Game>(game: &G, state: &G::State, rolls: u32) -> u64 {
    perft_counted(game, state, rolls, Count::Rolls)
}

/// [`perft`] on all cores, with rolls counted as `count` says.
pub fn perft_counted<G: Game>(game: &G, state: &G::State, rolls: u32, count: Count) -> u64 {
    // Two rolls give some dozens of positions, enough to share out; the rest of the tree is deep.
    let shared = rolls.min(2);
    let mut positions = Vec::new();
    let root = (1, *state);
    after_rolls(game, root, shared, count, &mut Vec::new(), &mut positions);
    positions
        .par_iter()
        .map_init(Vec::new, |buffers, (times, state)| {
            times * paths(game, state, rolls - shared, count, buffers)
        })
        .sum()
}

/// Collects the end of every path of `rolls` rolls that [`perft`] would count or walk on, with how
/// often it counts.
fn after_rolls<G: Game>(
    game: &G,
    (times, state): (u64, G::State),
    rolls: u32,
    count: Count,
    buffers: &mut Vec<G::Moves>,
    out: &mut Vec<(u64, G::State)>,
) {
    match game.turn(&state) {
        Turn::Chance(_) if rolls > 0 || game.is_mid_roll(&state) => {
            let left = rolls - u32::from(!game.is_mid_roll(&state));
            for &(roll, weight) in game.rolls(&state) {
                let mut next = state;
                game.roll(&mut next, roll);
                let next = (times * count.of(weight), next);
                after_rolls(game, next, left, count, buffers, out);
            }
        }
        Turn::Decision(_) => {
            let mut moves = buffers.pop().unwrap_or_default();
            game.moves(&state, &mut moves);
            for mv in moves.iter() {
                let mut next = state;
                game.apply(&mut next, mv);
                after_rolls(game, (times, next), rolls, count, buffers, out);
            }
            buffers.push(moves);
        }
        Turn::Over if rolls > 0 => {}
        Turn::Over | Turn::Chance(_) => out.push((times, state)),
    }
}
