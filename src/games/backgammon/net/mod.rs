//! A learned evaluator: what a position is worth, from two small nets trained by self-play.
//!
//! ```
//! use racelab::games::backgammon::board::Board;
//! use racelab::games::backgammon::net::Evaluator;
//!
//! let evaluator = Evaluator::shipped();
//! let chances = evaluator.evaluate(&Board::START);
//! assert!(chances.win > 0.5 && chances.win < 0.55, "the roll is worth something");
//! ```
//!
//! A board is always seen by the side that is to roll, and so are the chances. One net knows the
//! boards with contact, the other the races; what is decided, or known from a bear-off table, is
//! not asked of them. [`train`] is how the nets came to be.

mod features;
mod file;
mod inputs;
mod search;
pub mod train;

use std::sync::{Arc, LazyLock};

use super::bearoff::{OneSided, race_win};
use super::board::{Board, Side};
use super::cube::Chances;
use crate::engine::net::{self, Work};

pub use search::Search;

/// Outputs of a net: win, win gammon, win backgammon, lose gammon, lose backgammon.
const OUTPUTS: usize = 5;
/// A net of backgammon.
type Layers = net::Layers<OUTPUTS>;

/// The net file that comes with the program.
const SHIPPED: &[u8] = include_bytes!("shipped.net");

/// Says how a position ends, on average.
///
/// Evaluations are the same bits on every machine, and whether a board is evaluated alone or among
/// others.
#[derive(Clone, Debug)]
pub struct Evaluator {
    contact: Layers,
    race: Layers,
    bearoff: Option<Arc<OneSided>>,
}

/// The buffers of evaluations, to be used again and again.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    contact: Work,
    race: Work,
}

impl Scratch {
    fn forget(&mut self) {
        self.contact.forget();
        self.race.forget();
    }
}

impl Evaluator {
    /// The nets that come with the program.
    ///
    /// # Panics
    /// Never: the file is built in, and a test reads it.
    pub fn shipped() -> Arc<Evaluator> {
        static EVALUATOR: LazyLock<Arc<Evaluator>> = LazyLock::new(|| {
            Arc::new(Evaluator::from_bytes(SHIPPED).expect("the shipped nets are whole"))
        });
        Arc::clone(&EVALUATOR)
    }

    /// The evaluator that looks up bear-offs of both sides in a table instead of asking a net.
    #[must_use]
    pub fn with_bearoff(mut self, bearoff: Arc<OneSided>) -> Evaluator {
        self.bearoff = Some(bearoff);
        self
    }

    /// The chances of the side to roll. For more than one board of a roll see
    /// [`Evaluator::evaluate_all`].
    pub fn evaluate(&self, board: &Board) -> Chances {
        self.chances(board, &mut Scratch::default())
    }

    /// The chances of the side to roll for each board, in their order. Fastest for boards that
    /// have most in common, such as those after the plays of a roll.
    pub fn evaluate_all(
        &self,
        boards: impl IntoIterator<Item = Board>,
        scratch: &mut Scratch,
        out: &mut Vec<Chances>,
    ) {
        scratch.forget();
        out.clear();
        let boards = boards.into_iter();
        out.extend(boards.map(|board| self.chances(&board, scratch)));
    }

    /// The chances, from the sums of an earlier board if the scratch holds them.
    #[inline]
    fn chances(&self, board: &Board, scratch: &mut Scratch) -> Chances {
        if let Some(chances) = self.known(board) {
            return chances;
        }
        let outputs = if board.is_contact() {
            let mut values = [0.0; inputs::CONTACT];
            inputs::contact(board, &mut values);
            self.contact.evaluate(&values, &mut scratch.contact)
        } else {
            let mut values = [0.0; inputs::RACE];
            inputs::race(board, &mut values);
            self.race.evaluate(&values, &mut scratch.race)
        };
        possible(board, outputs)
    }

    /// The chances that need no net: of a game that is over, or from the bear-off table.
    #[inline]
    fn known(&self, board: &Board) -> Option<Chances> {
        if is_done(board.other) {
            return Some(won_by_mover(board.swapped()).swapped());
        }
        if is_done(board.mover) {
            return Some(won_by_mover(*board));
        }
        // A side that has borne off a checker cannot lose a gammon.
        if board.mover.off() == 0 || board.other.off() == 0 {
            return None;
        }
        let table = self.bearoff.as_ref()?;
        let (mover, other) = (table.dist(board.mover)?, table.dist(board.other)?);
        Some(Chances {
            win: race_win(&mover, &other),
            ..NO_GAMMONS
        })
    }
}

const NO_GAMMONS: Chances = Chances {
    win: 0.0,
    win_g: 0.0,
    win_bg: 0.0,
    lose_g: 0.0,
    lose_bg: 0.0,
};

/// Whether a side has nothing left to bear off.
#[inline]
fn is_done(side: Side) -> bool {
    side.rear() == 0
}

/// Whether a side would lose a backgammon if the game ended now: it has a checker on the bar or in
/// the winner's home board.
fn is_far_back(side: Side) -> bool {
    side.rear() > 18
}

/// The game that the mover has won.
fn won_by_mover(board: Board) -> Chances {
    let gammon = board.other.off() == 0;
    let backgammon = gammon && is_far_back(board.other);
    Chances {
        win: 1.0,
        win_g: gammon.into(),
        win_bg: backgammon.into(),
        ..NO_GAMMONS
    }
}

/// Which of the five outputs can be other than 0: nobody loses a gammon who has borne off a
/// checker, nor a backgammon in a race without a checker far back.
#[inline]
fn open_outcomes(board: &Board) -> [bool; OUTPUTS] {
    let gammon = |loser: Side| loser.off() == 0;
    let backgammon = |loser: Side| gammon(loser) && (board.is_contact() || is_far_back(loser));
    [
        true,
        gammon(board.other),
        backgammon(board.other),
        gammon(board.mover),
        backgammon(board.mover),
    ]
}

/// What the outputs of a net mean on a board: impossible outcomes have no chance, and no outcome
/// has more than the one it is part of.
#[inline]
fn possible(board: &Board, outputs: [f32; OUTPUTS]) -> Chances {
    let open = open_outcomes(board);
    let chance = |place: usize, most: f64| {
        if open[place] {
            f64::from(outputs[place]).min(most)
        } else {
            0.0
        }
    };
    let win = f64::from(outputs[0]);
    let (win_g, lose_g) = (chance(1, win), chance(3, 1.0 - win));
    Chances {
        win,
        win_g,
        win_bg: chance(2, win_g),
        lose_g,
        lose_bg: chance(4, lose_g),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::moves::Plays;

    fn side(checkers: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        for &(point, count) in checkers {
            counts[point] = count;
        }
        Side::from_counts(&counts)
    }

    fn lost_by_mover(mover: &[(usize, u8)]) -> (f64, f64, f64) {
        let board = Board {
            mover: side(mover),
            other: side(&[(0, 15)]),
        };
        let Chances {
            win,
            lose_g,
            lose_bg,
            ..
        } = Evaluator::shipped().evaluate(&board);
        (win, lose_g, lose_bg)
    }

    #[test]
    fn a_game_that_is_over_is_worth_what_it_is() {
        assert_eq!(lost_by_mover(&[(0, 1), (6, 14)]), (0.0, 0.0, 0.0));
        assert_eq!(lost_by_mover(&[(18, 15)]), (0.0, 1.0, 0.0));
        assert_eq!(lost_by_mover(&[(19, 1), (6, 14)]), (0.0, 1.0, 1.0));
        assert_eq!(lost_by_mover(&[(25, 1), (6, 14)]), (0.0, 1.0, 1.0));
    }

    #[test]
    fn impossible_outcomes_have_no_chance() {
        let board = Board {
            mover: side(&[(0, 1), (20, 14)]),
            other: side(&[(18, 15)]),
        };
        let chances = Evaluator::shipped().evaluate(&board);
        assert_eq!((chances.lose_g, chances.lose_bg), (0.0, 0.0));
        assert!(chances.win_g > 0.0 && chances.win_bg <= chances.win_g);
    }

    #[test]
    fn a_board_is_worth_the_same_alone_and_among_others() {
        let evaluator = Evaluator::shipped();
        let mut plays = Plays::default();
        let (mut scratch, mut all) = (Scratch::default(), Vec::new());
        for roll in [(3, 1), (6, 5), (2, 2), (4, 4)] {
            plays.generate(&Board::START, roll);
            let boards = plays.iter().map(|play| play.swapped());
            evaluator.evaluate_all(boards.clone(), &mut scratch, &mut all);
            assert_eq!(
                all,
                boards
                    .map(|board| evaluator.evaluate(&board))
                    .collect::<Vec<_>>()
            );
        }
    }

    /// One checker each on the ace point: the side to roll wins.
    #[test]
    fn a_bearoff_table_is_believed() {
        let last = side(&[(0, 14), (1, 1)]);
        let board = Board {
            mover: last,
            other: last,
        };
        let table = crate::games::backgammon::bearoff::Index::new(2, 6).expect("a size");
        let table = crate::games::backgammon::bearoff::build(table).expect("a table");
        let evaluator = Evaluator::from_bytes(SHIPPED).expect("the shipped nets");
        let chances = evaluator.with_bearoff(Arc::new(table)).evaluate(&board);
        assert_eq!(chances.win.to_bits(), 1f64.to_bits());
        assert_eq!(chances.equity().to_bits(), 1f64.to_bits());
    }
}
