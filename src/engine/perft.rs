//! Perft: counts the paths of play, the strongest cheap test of a rules engine.

use super::game::{Game, MoveSet, Turn};

/// The number of paths of `rolls` rolls from a position: every roll once and every legal move.
/// A finished game ends its path and counts only when it took exactly `rolls` rolls.
pub fn perft<G: Game>(game: &G, state: &G::State, rolls: u32) -> u64 {
    match game.turn(state) {
        Turn::Over => u64::from(rolls == 0),
        Turn::Chance(_) if rolls == 0 => 1,
        Turn::Chance(_) => {
            let each = game.rolls(state).iter().map(|&(roll, _)| {
                let mut next = *state;
                game.roll(&mut next, roll);
                let left = if game.is_mid_roll(state) {
                    rolls
                } else {
                    rolls - 1
                };
                perft(game, &next, left)
            });
            each.sum()
        }
        Turn::Decision(_) => {
            let mut moves = G::Moves::default();
            game.moves(state, &mut moves);
            let each = moves.iter().map(|mv| {
                let mut next = *state;
                game.apply(&mut next, mv);
                perft(game, &next, rolls)
            });
            each.sum()
        }
    }
}
