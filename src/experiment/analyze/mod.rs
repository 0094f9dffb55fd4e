//! The analysis of one backgammon position: candidate plays, the cube decision, rollouts.
//!
//! ```no_run
//! use racelab::experiment::analyze::{Analysis, Request, analyze};
//! use racelab::games::backgammon::bearoff::Bearoff;
//! use racelab::games::backgammon::evaluate;
//! use racelab::games::backgammon::notation::xgid;
//!
//! let bearoff = Bearoff::build();
//! let evaluator = evaluate::named("heuristic", bearoff.clone())?;
//! let position = xgid::read("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")?;
//! let request = Request { position, depth: 1, candidates: 5, rollout: None };
//! if let Analysis::Plays(plays) = analyze(&request, &*evaluator, &bearoff)? {
//!     println!("{:?} {:+.3}", plays.candidates[0].steps, plays.candidates[0].equity);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;
mod judge;
pub mod rollout;
mod window;

use crate::games::backgammon::bearoff::Bearoff;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::{
    Chances, Crawford, CubeContext, CubeLife, CubeOwner, CubeVerdict, Double, MatchScore,
    ScoreError, Stakes,
};
use crate::games::backgammon::evaluate::{Evaluator, finished};
use crate::games::backgammon::moves::{Plays, Steps};
use crate::games::backgammon::notation::{Offer, Phase, Position};

use judge::{Judge, Scratch};
use rollout::{RolledOut, Settings, Start, roll_out};

pub use judge::CubeUse;
pub use window::Window;

/// What to analyse, and how thoroughly.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The position; with dice, their play is analysed, without, the cube.
    pub position: Position,
    /// 0: the evaluator's word; 1: the mean over the 21 rolls that follow, each played best.
    pub depth: u8,
    /// Plays to keep, the best ones.
    pub candidates: usize,
    /// Games to play for each candidate, if any.
    pub rollout: Option<Settings>,
}

/// Why a position cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// Nothing is left to decide.
    #[error("position: the game is over; expected one in play")]
    Over,
    /// An offer that is no double.
    #[error("position: {0} waits for an answer; expected a double or none")]
    Offer(&'static str),
    /// A score no match has.
    #[error("position: {0}")]
    Score(#[from] ScoreError),
    /// No worker threads.
    #[error("--threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub enum Analysis {
    /// The plays of a roll.
    Plays(PlaysFound),
    /// A cube decision.
    Cube(Box<CubeFound>),
}

/// The plays of a roll.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaysFound {
    /// Legal plays in all.
    pub legal: usize,
    /// The best ones, the best first.
    pub candidates: Vec<Candidate>,
}

/// A play with what it is worth to who plays it. Equities are points per unit of the cube in money
/// play and normalised in a match, see [`CubeVerdict`].
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The steps of the play.
    pub steps: Steps,
    /// The board after it, the sides not swapped.
    pub board: Board,
    /// How the game ends, without the cube.
    pub chances: Chances,
    /// The equity with the cube.
    pub equity: f64,
    /// The equity if the cube is not turned any more.
    pub cubeless: f64,
    /// Whether all of it is exact.
    pub is_exact: bool,
    /// Its rollout.
    pub rollout: Option<RolledOut>,
}

/// A cube decision, as the side on roll sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct CubeFound {
    /// How the game ends, without the cube.
    pub chances: Chances,
    /// The equity if the cube is not turned any more.
    pub cubeless: f64,
    /// What to do.
    pub verdict: CubeVerdict,
    /// Whether the equities are exact.
    pub is_exact: bool,
    /// The other side is to answer a double.
    pub is_answer: bool,
    /// Where doubles and passes begin; `None` when the side on roll may not double.
    pub window: Option<Window>,
    /// The rollout.
    pub rollout: Option<CubeRollout>,
}

/// The rollout of a cube decision.
#[derive(Clone, PartialEq, Debug)]
pub struct CubeRollout {
    /// Without a double now.
    pub no_double: RolledOut,
    /// With a double taken now; `None` when the games were played without the cube.
    pub double_take: Option<RolledOut>,
    /// What to do by these numbers.
    pub verdict: CubeVerdict,
}

/// Analyses a position.
///
/// # Errors
/// When there is nothing to decide, or the position contradicts itself.
pub fn analyze(
    request: &Request,
    evaluator: &dyn Evaluator,
    bearoff: &Bearoff,
) -> Result<Analysis, AnalyzeError> {
    let position = &request.position;
    check(position)?;
    let context = context(position)?;
    let task = Task {
        judge: Judge {
            evaluator,
            bearoff,
            unit: context.value,
        },
        request,
        context,
        is_capped: position.cube_cap.is_some_and(|cap| position.cube >= cap),
    };
    match position.dice {
        Some([first, second]) => task.plays((first, second)).map(Analysis::Plays),
        None => Ok(Analysis::Cube(Box::new(task.cube()?))),
    }
}

fn check(position: &Position) -> Result<(), AnalyzeError> {
    let in_play = matches!(position.phase, Phase::Playing | Phase::NotStarted);
    if !in_play || position.board.mover.left() == 0 || position.board.other.left() == 0 {
        return Err(AnalyzeError::Over);
    }
    match position.offer {
        Some(Offer::Resign(_)) => Err(AnalyzeError::Offer("a resignation")),
        Some(Offer::Double) if position.is_beaver() => Err(AnalyzeError::Offer("a beaver")),
        _ => Ok(()),
    }
}

/// The cube and the stakes as the side on roll sees them.
///
/// # Errors
/// When no match has the score.
pub fn context(position: &Position) -> Result<CubeContext, ScoreError> {
    let owner = match position.owner {
        None => CubeOwner::Centre,
        Some(owner) if owner == position.to => CubeOwner::Mine,
        Some(_) => CubeOwner::Theirs,
    };
    let stakes = if position.length == 0 {
        Stakes::Money {
            jacoby: position.jacoby,
            beavers: position.beavers,
        }
    } else {
        let own = position.to.index();
        let away = |seat: usize| (position.length - position.score[seat]) as u16;
        let (me, opponent) = (away(own), away(1 - own));
        let crawford = match me.min(opponent) {
            1 if position.crawford => Crawford::Now,
            1 => Crawford::After,
            _ => Crawford::Before,
        };
        Stakes::Match(MatchScore::new(me, opponent, crawford)?)
    };
    Ok(CubeContext {
        owner,
        value: 1 << position.cube,
        stakes,
    })
}

/// One analysis.
struct Task<'a> {
    judge: Judge<'a>,
    request: &'a Request,
    context: CubeContext,
    /// The cube is as high as it goes.
    is_capped: bool,
}

impl Task<'_> {
    fn cube_use(&self) -> CubeUse {
        if self.is_capped {
            CubeUse::Dead
        } else {
            CubeUse::Live
        }
    }

    fn plays(&self, dice: (u8, u8)) -> Result<PlaysFound, AnalyzeError> {
        let board = &self.request.position.board;
        let mut plays = Plays::default();
        plays.generate(board, dice);
        let mut scratch = Scratch::default();
        let mut candidates: Vec<Candidate> = plays
            .iter()
            .map(|result| self.candidate(board, dice, result, &mut scratch))
            .collect();
        candidates.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        candidates.truncate(self.request.candidates);
        if let Some(settings) = &self.request.rollout {
            self.roll_out_plays(&mut candidates, settings)?;
        }
        Ok(PlaysFound {
            legal: plays.len(),
            candidates,
        })
    }

    fn candidate(
        &self,
        board: &Board,
        dice: (u8, u8),
        result: &Board,
        scratch: &mut Scratch,
    ) -> Candidate {
        let (judge, context, next) = (&self.judge, &self.context, result.swapped());
        let theirs = context.swapped();
        let is_exact =
            finished(result).is_some() || judge.exact(&next, &theirs, self.cube_use()).is_some();
        let worth = if self.request.depth == 0 || is_exact {
            judge.after_play(result, context, self.cube_use())
        } else {
            let chances = ahead::chances(judge, &next, &theirs, scratch).swapped();
            judge.estimated(&next, chances, context, self.cube_use())
        };
        Candidate {
            steps: Steps::between(board, dice, result).expect("a play has its steps"),
            board: *result,
            chances: worth.chances,
            equity: worth.equity,
            cubeless: judge.equity(&worth.chances, context, CubeLife::DEAD),
            is_exact,
            rollout: None,
        }
    }

    /// Rolls out the plays that do not end the game, and sorts by the result.
    fn roll_out_plays(
        &self,
        candidates: &mut [Candidate],
        settings: &Settings,
    ) -> Result<(), AnalyzeError> {
        if candidates
            .iter()
            .any(|candidate| finished(&candidate.board).is_some())
        {
            return Ok(());
        }
        let start = |candidate: &Candidate| Start {
            board: candidate.board.swapped(),
            context: self.context.swapped(),
            own: false,
            may_double: true,
        };
        let starts: Vec<Start> = candidates.iter().map(start).collect();
        let results = roll_out(&self.judge, &starts, &self.settings(settings))?;
        for (candidate, result) in candidates.iter_mut().zip(results) {
            candidate.rollout = Some(result);
        }
        candidates.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        Ok(())
    }

    /// The settings, without a cube that cannot be turned.
    fn settings(&self, settings: &Settings) -> Settings {
        let mut settings = *settings;
        if self.is_capped {
            settings.style.cube = CubeUse::Dead;
        }
        settings
    }

    fn cube(&self) -> Result<CubeFound, AnalyzeError> {
        let (judge, context) = (&self.judge, &self.context);
        let board = &self.request.position.board;
        let is_exact = judge.equities(board).is_some();
        let chances = if self.request.depth == 0 || is_exact {
            judge.evaluator.chances(board)
        } else {
            ahead::chances(judge, board, context, &mut Scratch::default())
        };
        let verdict = self.verdict(&chances);
        let rollout = match &self.request.rollout {
            Some(settings) => Some(self.roll_out_cube(&self.settings(settings))?),
            None => None,
        };
        let may_double = verdict.double != Double::Unavailable;
        Ok(CubeFound {
            chances,
            cubeless: judge.equity(&chances, context, CubeLife::DEAD),
            verdict,
            is_exact: is_exact && matches!(context.stakes, Stakes::Money { .. }),
            is_answer: self.request.position.offer.is_some(),
            window: may_double.then(|| window::window(&chances, context, CubeLife::of(board))),
            rollout,
        })
    }

    fn verdict(&self, chances: &Chances) -> CubeVerdict {
        let board = &self.request.position.board;
        let mut verdict = self.judge.decide(board, chances, &self.context);
        if self.is_capped {
            verdict.double = Double::Unavailable;
        }
        verdict
    }

    fn roll_out_cube(&self, settings: &Settings) -> Result<CubeRollout, AnalyzeError> {
        let no_double = Start {
            board: self.request.position.board,
            context: self.context,
            own: true,
            may_double: false,
        };
        let mut starts = vec![no_double];
        if settings.style.cube == CubeUse::Live && self.context.may_double() {
            let doubled = CubeContext {
                owner: CubeOwner::Theirs,
                value: self.context.value.saturating_mul(2),
                ..self.context
            };
            starts.push(Start {
                context: doubled,
                ..no_double
            });
        }
        let settings = Settings {
            drop_losers: false,
            ..*settings
        };
        let mut results = roll_out(&self.judge, &starts, &settings)?.into_iter();
        let no_double = results.next().expect("the first was rolled out");
        let double_take = results.next();
        let value = |rolled: &RolledOut| rolled.equity().estimate.value;
        let numbers = no_double.adjusted.map(|measured| measured.estimate.value);
        let mut verdict = self.verdict(&ahead::chances_of(&numbers));
        if let Some(taken) = &double_take {
            verdict = judge::verdict(value(&no_double), value(taken), &self.context);
        }
        Ok(CubeRollout {
            no_double,
            double_take,
            verdict,
        })
    }
}

/// What plays are sorted by: those still in play before those dropped, by their equity.
fn rank(candidate: &Candidate) -> f64 {
    /// More than any equity.
    const DROPPED: f64 = 1e6;
    candidate.rollout.as_ref().map_or(0.0, |rollout| {
        let equity = rollout.equity().estimate.value;
        if rollout.is_behind {
            equity - DROPPED
        } else {
            equity
        }
    })
}
