//! What the balance of a board means: how the game ends.

use crate::bots::float::logistic;
use crate::bots::params::{Number, Reader};
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::Chances;
use crate::games::backgammon::cube::race::kleinman;

/// The logistic map from the balance of a board with contact, its value to the side that has just
/// played less that to the other, to the chances of the side that has just played:
///
/// ```text
/// win            = 1 / (1 + exp(-(bias + slope · balance)))
/// gammons of won = 1 / (1 + exp(-(gammon_bias + gammon_slope · balance)))
/// of lost        = 1 / (1 + exp(-(gammon_bias - gammon_slope · balance)))
/// ```
///
/// Nobody loses a gammon who has borne off a checker. Backgammons are left out.
///
/// The numbers are maximum-likelihood fits to the outcomes of a bot's games against itself, see
/// [`super::fit::odds`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    /// Log odds of winning at a balance of 0.
    pub bias: f64,
    /// Log odds of winning gained by a unit of balance.
    pub slope: f64,
    /// Log odds that a game won is a gammon at a balance of 0.
    pub gammon_bias: f64,
    /// Log odds of a gammon gained by a unit of balance.
    pub gammon_slope: f64,
}

impl Odds {
    /// The parameters with these defaults.
    pub(super) fn numbers(&self) -> [Number; 4] {
        let number = |name, default, about| Number {
            name,
            default,
            range: -100.0..=100.0,
            about,
        };
        [
            number(
                "odds_bias",
                self.bias,
                "cube: log odds of the side that has played to win at a balance of 0",
            ),
            number(
                "odds_slope",
                self.slope,
                "cube: what a unit of it adds to these log odds",
            ),
            number(
                "gammon_bias",
                self.gammon_bias,
                "cube: log odds at a balance of 0 that a game won is a gammon",
            ),
            number(
                "gammon_slope",
                self.gammon_slope,
                "cube: what a unit of it adds to these log odds",
            ),
        ]
    }

    /// Reads the numbers that differ from these.
    pub(super) fn read(&self, reader: &mut Reader<'_>) -> Result<Odds, String> {
        let [bias, slope, gammon_bias, gammon_slope] = self.numbers();
        Ok(Odds {
            bias: reader.number(&bias)?,
            slope: reader.number(&slope)?,
            gammon_bias: reader.number(&gammon_bias)?,
            gammon_slope: reader.number(&gammon_slope)?,
        })
    }

    /// The chances of the mover of a board, which has just played; the board has this balance.
    pub(super) fn chances(&self, balance: f64, board: &Board) -> Chances {
        let win = logistic(self.bias + self.slope * balance);
        let gammons = |share: f64, off: u8, sign: f64| {
            let odds = self.gammon_bias + sign * self.gammon_slope * balance;
            if off > 0 { 0.0 } else { share * logistic(odds) }
        };
        Chances {
            win,
            win_g: gammons(win, board.other.off(), 1.0),
            win_bg: 0.0,
            lose_g: gammons(1.0 - win, board.mover.off(), -1.0),
            lose_bg: 0.0,
        }
    }
}

/// How a race without contact ends for the mover, before its roll: by Kleinman's metric.
pub(super) fn of_race(board: &Board) -> Chances {
    without_gammons(kleinman(board.mover, board.other).win)
}

/// The chances when only single games can be won.
pub(super) fn without_gammons(win: f64) -> Chances {
    Chances {
        win,
        win_g: 0.0,
        win_bg: 0.0,
        lose_g: 0.0,
        lose_bg: 0.0,
    }
}
