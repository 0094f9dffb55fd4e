//! One roll of search: what the nets say after the best reply to each of the 21 rolls.

use super::{Evaluator, NO_GAMMONS, Scratch};
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::Chances;
use crate::games::backgammon::moves::Plays;

/// The buffers of a search, to be used again and again.
#[derive(Clone, Default, Debug)]
pub struct Search {
    plays: Plays,
    scratch: Scratch,
}

impl Search {
    /// The chances of the side to roll, as the mean over its 36 throws of its chances after the
    /// play it values most by cubeless money equity.
    pub fn chances(&mut self, evaluator: &Evaluator, board: &Board) -> Chances {
        if let Some(chances) = evaluator.known(board) {
            return chances;
        }
        let mut sum = NO_GAMMONS;
        for high in 1..=6 {
            for low in 1..=high {
                let throws = if high == low { 1.0 } else { 2.0 };
                let chances = self.reply(evaluator, board, (high, low)).1.swapped();
                sum = add(&sum, throws / 36.0, &chances);
            }
        }
        sum
    }

    /// The play of a roll that the nets value most by cubeless money equity, the first of equals:
    /// the board after it, seen by the side to roll next, and that side's chances.
    pub fn reply(
        &mut self,
        evaluator: &Evaluator,
        board: &Board,
        roll: (u8, u8),
    ) -> (Board, Chances) {
        self.plays.generate(board, roll);
        self.scratch.forget();
        let mut best: Option<(f64, Board, Chances)> = None;
        for play in self.plays.iter() {
            let next = play.swapped();
            let chances = evaluator.chances(&next, &mut self.scratch);
            let equity = chances.equity();
            if best.is_none_or(|(least, ..)| equity < least) {
                best = Some((equity, next, chances));
            }
        }
        let (_, next, chances) = best.expect("a roll has a play");
        (next, chances)
    }
}

/// Chances plus a multiple of others.
fn add(sum: &Chances, share: f64, chances: &Chances) -> Chances {
    Chances {
        win: sum.win + share * chances.win,
        win_g: sum.win_g + share * chances.win_g,
        win_bg: sum.win_bg + share * chances.win_bg,
        lose_g: sum.lose_g + share * chances.lose_g,
        lose_bg: sum.lose_bg + share * chances.lose_bg,
    }
}
