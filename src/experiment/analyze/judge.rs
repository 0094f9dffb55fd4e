//! What boards are worth: chances, stakes and cube together.

use crate::games::backgammon::bearoff::{Bearoff, CubeState, Equities};
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::{
    Chances, CubeContext, CubeLife, CubeOwner, CubeVerdict, Double, MatchScore, Met, Response,
    Stakes, cubeful_equity, decide, match_chance,
};
use crate::games::backgammon::evaluate::{Evaluator, finished};
use crate::games::backgammon::moves::Plays;

/// Whether the cube is turned from here on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CubeUse {
    /// It stays where it is.
    Dead,
    /// Both sides turn it when they should.
    Live,
}

/// What is expected of a board, as one side sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// How the game ends, without the cube.
    pub chances: Chances,
    /// The equity at the stakes, in units of [`Judge::unit`]: points of money play, or normalised
    /// match winning chances.
    pub equity: f64,
}

impl Worth {
    /// The same for the other side.
    #[must_use]
    pub fn swapped(&self) -> Worth {
        Worth {
            chances: self.chances.swapped(),
            equity: -self.equity,
        }
    }
}

/// Judges boards by an evaluator, bear-off tables and a match equity table.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Estimates how games end.
    pub evaluator: &'a dyn Evaluator,
    /// Exact values of the end.
    pub bearoff: &'a Bearoff,
    /// The cube that equities are counted in, 1 or more.
    pub unit: u32,
}

/// Buffers, to be used again and again.
#[derive(Default)]
pub struct Scratch {
    plays: Plays,
    boards: Vec<Board>,
    chances: Vec<Chances>,
}

/// A play, by the board it leads to (the sides not swapped), and what it is worth to who plays it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Played {
    /// The board after the play.
    pub board: Board,
    /// What it is worth.
    pub worth: Worth,
}

impl Judge<'_> {
    /// The match equity table.
    fn met() -> &'static Met {
        Met::kazaross_xg2()
    }

    /// What a board is worth to the side that has just played it, which sees the cube as
    /// `context` says: the result of a game that is over, an exact value or an estimate.
    pub fn after_play(&self, board: &Board, context: &CubeContext, cube: CubeUse) -> Worth {
        let next = board.swapped();
        let exact = self.exact(&next, &context.swapped(), cube);
        self.settled(board, context)
            .or_else(|| exact.map(|worth| worth.swapped()))
            .unwrap_or_else(|| {
                let chances = self.evaluator.chances(&next).swapped();
                self.estimated(&next, chances, context, cube)
            })
    }

    /// What chances are worth to their side; `next` is the board of the side to roll.
    pub fn estimated(
        &self,
        next: &Board,
        chances: Chances,
        context: &CubeContext,
        cube: CubeUse,
    ) -> Worth {
        let life = match cube {
            CubeUse::Dead => CubeLife::DEAD,
            CubeUse::Live => CubeLife::of(next),
        };
        Worth {
            chances,
            equity: self.equity(&chances, context, life),
        }
    }

    /// The equity of chances in the common unit.
    pub fn equity(&self, chances: &Chances, context: &CubeContext, life: CubeLife) -> f64 {
        self.in_units(cubeful_equity(chances, context, Self::met(), life), context)
    }

    /// The result of a game that the side which has just played has won.
    fn settled(&self, board: &Board, context: &CubeContext) -> Option<Worth> {
        let chances = finished(board)?;
        let equity = self.equity(&chances, context, CubeLife::DEAD);
        Some(Worth { chances, equity })
    }

    /// The exact worth to the side on roll, its cube action included; `None` where no table tells:
    /// elsewhere than in the last six checkers, and at match scores with a live cube.
    pub fn exact(&self, board: &Board, context: &CubeContext, cube: CubeUse) -> Option<Worth> {
        let equities = self.equities(board)?;
        let win = f64::midpoint(1.0, equities.cubeless);
        let chances = Chances {
            win,
            win_g: 0.0,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        };
        let equity = match (cube, context.stakes) {
            (CubeUse::Dead, _) => self.equity(&chances, context, CubeLife::DEAD),
            (CubeUse::Live, Stakes::Money { .. }) => self.in_units(
                equities.after_cube_action(cube_state(context.owner)),
                context,
            ),
            (CubeUse::Live, Stakes::Match(_)) => return None,
        };
        Some(Worth { chances, equity })
    }

    /// The exact equities of the side on roll at money play, where there are any.
    pub fn equities(&self, board: &Board) -> Option<Equities> {
        self.bearoff.two_sided.equities(board)
    }

    /// The cube decision of the side on roll with these chances, exact where tables tell.
    pub fn decide(&self, board: &Board, chances: &Chances, context: &CubeContext) -> CubeVerdict {
        match (context.stakes, self.equities(board)) {
            (Stakes::Money { .. }, Some(exact)) => {
                let no_double = exact.no_double(cube_state(context.owner));
                verdict(no_double, exact.double_take(), context)
            }
            _ => decide(chances, context, Self::met(), CubeLife::of(board)),
        }
    }

    /// What the side whose double is passed has won.
    pub fn passed(&self, context: &CubeContext) -> f64 {
        self.in_units(1.0, context)
    }

    /// An equity per unit of the cube in `context` in the common unit. Those of a match are scaled
    /// so that the match winning chance stays.
    fn in_units(&self, equity: f64, context: &CubeContext) -> f64 {
        match context.stakes {
            _ if context.value == self.unit => equity,
            Stakes::Money { .. } => equity * f64::from(context.value) / f64::from(self.unit),
            Stakes::Match(score) => {
                let (low, high) = ends(context.value, score);
                let (unit_low, unit_high) = ends(self.unit, score);
                let chance = low + f64::midpoint(equity, 1.0) * (high - low);
                2.0 * (chance - unit_low) / (unit_high - unit_low) - 1.0
            }
        }
    }

    /// The best play of a roll for the mover of `board`, by equity; of equals the first.
    pub fn best(
        &self,
        board: &Board,
        dice: (u8, u8),
        context: &CubeContext,
        cube: CubeUse,
        scratch: &mut Scratch,
    ) -> Played {
        let Scratch {
            plays,
            boards,
            chances,
        } = scratch;
        plays.generate(board, dice);
        let settled = |board: &Board| {
            let worth = self.settled(board, context)?;
            Some(Played {
                board: *board,
                worth,
            })
        };
        if let Some(won) = plays.iter().find_map(settled) {
            return won;
        }
        boards.clear();
        boards.extend(plays.iter().map(|board| board.swapped()));
        self.evaluator.chances_of_all(boards, chances);
        let worth = |(next, chances): (&Board, &Chances)| {
            let exact = self.exact(next, &context.swapped(), cube);
            let worth = exact.map(|worth| worth.swapped());
            let worth =
                worth.unwrap_or_else(|| self.estimated(next, chances.swapped(), context, cube));
            Played {
                board: next.swapped(),
                worth,
            }
        };
        let better = |best: Played, play: Played| {
            if play.worth.equity > best.worth.equity {
                play
            } else {
                best
            }
        };
        let plays = boards.iter().zip(chances.iter()).map(worth);
        plays.reduce(better).expect("a roll has a play")
    }
}

/// The cube decision by equities without a double and with one that is taken, per unit of the cube.
/// A double that makes no difference is not made.
pub fn verdict(no_double: f64, double_take: f64, context: &CubeContext) -> CubeVerdict {
    let beavers = matches!(context.stakes, Stakes::Money { beavers: true, .. });
    let response = match double_take {
        take if take > 1.0 => Response::Pass,
        take if take < 0.0 && beavers => Response::Beaver,
        _ => Response::Take,
    };
    let doubled = match response {
        Response::Pass => 1.0,
        Response::Take => double_take,
        Response::Beaver => 2.0 * double_take,
    };
    let double = match () {
        () if !context.may_double() => Double::Unavailable,
        () if doubled > no_double => Double::Yes,
        () if no_double > 1.0 => Double::TooGood,
        () => Double::No,
    };
    CubeVerdict {
        no_double,
        double_take,
        double_pass: 1.0,
        double,
        response,
        redouble: context.owner == CubeOwner::Mine,
    }
}

/// The cube of a side as the bear-off tables name it.
fn cube_state(owner: CubeOwner) -> CubeState {
    match owner {
        CubeOwner::Centre => CubeState::Centred,
        CubeOwner::Mine => CubeState::Owned,
        CubeOwner::Theirs => CubeState::OpponentOwns,
    }
}

/// The match winning chances after losing and after winning a single game.
fn ends(value: u32, score: MatchScore) -> (f64, f64) {
    let after = |win| {
        let chances = Chances {
            win,
            win_g: 0.0,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        };
        let (owner, met) = (CubeOwner::Theirs, Met::kazaross_xg2());
        match_chance(&chances, owner, value, score, met, CubeLife::DEAD)
    };
    (after(0.0), after(1.0))
}
