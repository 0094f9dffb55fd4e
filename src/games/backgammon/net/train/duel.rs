//! Two evaluators against each other, with the same dice for both.

use std::num::NonZeroU32;

use rayon::prelude::*;

use super::game::opening;
use crate::engine::random::BlockKey;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::net::{Evaluator, Search, is_done, won_by_mover};
use crate::stats::interval::{BlockMean, block_mean};
use crate::stats::{Confidence, Moments};

/// What two games with the same dice, each side starting once, came to.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The points of the first evaluator, summed over the two games of each pair.
    pub points: Moments,
}

impl Duel {
    /// Points per game of the first evaluator, cubeless money play, with its interval; `None` of
    /// fewer than two pairs.
    pub fn points_per_game(&self) -> Option<BlockMean> {
        let games = NonZeroU32::new(2).expect("a pair is two games");
        block_mean(&self.points, games, Confidence::PERCENT_95)
    }
}

/// Plays pairs of games. Their dice depend on the seed alone, not on threads.
pub fn duel(first: &Evaluator, second: &Evaluator, seed: u64, pairs: u64) -> Duel {
    let points: Vec<i64> = (0..pairs)
        .into_par_iter()
        .map_init(Search::default, |search, pair| {
            let starts = play(search, [first, second], seed, pair);
            starts - play(search, [second, first], seed, pair)
        })
        .collect();
    let mut moments = Moments::default();
    for points in points {
        moments.push(points);
    }
    Duel { points: moments }
}

/// The points of the evaluator that starts.
fn play(search: &mut Search, evaluators: [&Evaluator; 2], seed: u64, pair: u64) -> i64 {
    let mut dice = BlockKey::new(seed, pair).dice(Seat::A);
    let mut board = Board::START;
    let mut roll = opening(&mut dice);
    let mut turn = 0;
    loop {
        let (next, _) = search.reply(evaluators[turn], &board, roll);
        if is_done(next.other) {
            let win = won_by_mover(next.swapped());
            let points = 1 + i64::from(win.win_g > 0.0) + i64::from(win.win_bg > 0.0);
            return if turn == 0 { points } else { -points };
        }
        board = next;
        turn = 1 - turn;
        roll = (dice.die(), dice.die());
    }
}
