//! The doubling cube in the hand of a bot.
//!
//! | `cube` | last checkers, for money | race, for money | else |
//! |---|---|---|---|
//! | `janowski` | exact, if the bot knows | the live-cube model | the live-cube model |
//! | `pips` | a pip-count formula | a pip-count formula | the live-cube model |
//! | `never` | no double; answers as above | no double; answers by the model | no double; answers by the model |
//!
//! The model ([`decide`]) is fed with the bot's own [`Chances`]; at a match score it takes its
//! equities from the match equity table. After the Crawford game the trailer doubles at once: it
//! has nothing to lose by it. Nobody doubles who would win the match with the cube as it is.
//!
//! Exact equities ([`Equities`]) are those of a cube without a cap and without beavers; a double
//! that would be beavered is never right there, so beavers change nothing.

use std::borrow::Cow;

use crate::bots::Param;
use crate::bots::View;
use crate::bots::params::{Choice, Number, Reader, Text};
use crate::engine::game::Game;
use crate::engine::game::MoveSet;
use crate::engine::notation::read_text;
use crate::games::backgammon::bearoff::{CubeState, Equities};
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::cube::race::{
    RaceAction, RaceCount, eight_nine_twelve, keith, thorp, trice,
};
use crate::games::backgammon::cube::{
    Chances, Crawford, CubeContext, CubeLife, CubeOwner, CubeVerdict, MatchScore, Met, Response,
    Stakes, cubeful_equity, decide,
};
use crate::games::backgammon::{Backgammon, Beavers, Move, Phase, State};

const CUBE: Choice = Choice {
    name: "cube",
    values: &["janowski", "pips", "never"],
    about: "how it doubles: \"janowski\" by the live-cube model, \"pips\" the same, but races for money by a pip count, \"never\" not at all",
};
const COUNT: Choice = Choice {
    name: "count",
    values: &["keith", "trice", "eight-nine-twelve", "thorp"],
    about: "the pip count of cube = \"pips\": \"keith\", \"trice\", \"eight-nine-twelve\" or \"thorp\"",
};
const COUNTS: [fn(Side, Side) -> RaceCount; 4] = [keith, trice, eight_nine_twelve, thorp];
const LIFE: Number = Number {
    name: "cube_life",
    default: 0.7,
    range: 0.0..=1.0,
    about: "Janowski's cube life with contact: 0 is a dead cube, 1 one that is always used at the last moment",
};
const MET: Text = Text {
    name: "met",
    about: "match equity table: the files MET_pre_crawford.csv and MET_post_crawford.csv; empty: Kazaross XG2",
};

/// The parameters of the cube.
pub(super) fn params() -> [Param; 4] {
    [CUBE.param(), COUNT.param(), LIFE.param(), MET.param()]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Janowski,
    Pips,
    Never,
}

/// How a bot doubles and answers.
pub(super) struct Cube {
    style: Style,
    count: fn(Side, Side) -> RaceCount,
    life: CubeLife,
    met: Cow<'static, Met>,
}

impl Cube {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Cube, String> {
        let style = match reader.choice(&CUBE)? {
            0 => Style::Janowski,
            1 => Style::Pips,
            _ => Style::Never,
        };
        let count = COUNTS[reader.choice(&COUNT)?];
        let life = CubeLife::new(reader.number(&LIFE)?).map_err(|error| error.to_string())?;
        let met = match reader.text(&MET)? {
            "" => Cow::Borrowed(Met::kazaross_xg2()),
            prefix => Cow::Owned(read_met(prefix)?),
        };
        Ok(Cube {
            style,
            count,
            life,
            met,
        })
    }

    /// The index of the move at a decision about the cube. For money by what is known `exact`ly of
    /// the board; else by the `chances` of the side on roll.
    pub(super) fn choose(
        &self,
        view: &View<'_, Backgammon>,
        exact: impl FnOnce(&Board) -> Option<Equities>,
        chances: impl FnOnce(&Board) -> Chances,
    ) -> usize {
        let context = context(view.game, view.state);
        let wanted = match view.state.phase() {
            Phase::Cube if self.doubles_unseen(&context) => Move::Double,
            Phase::Cube if !self.may_gain(&context) => Move::Roll,
            phase => self.weigh(phase, &view.state.board, &context, exact, chances),
        };
        // Who may not beaver takes.
        let index = view.moves.iter().position(|mv| mv == wanted);
        index.unwrap_or(0)
    }

    /// Whether nothing has to be known of the position: the trailer after the Crawford game.
    fn doubles_unseen(&self, context: &CubeContext) -> bool {
        let Stakes::Match(score) = context.stakes else {
            return false;
        };
        let trails = score.crawford() == Crawford::After && score.me() > score.opponent();
        trails && self.may_gain(context)
    }

    fn may_gain(&self, context: &CubeContext) -> bool {
        self.style != Style::Never && context.may_double()
    }

    fn weigh(
        &self,
        phase: Phase,
        board: &Board,
        context: &CubeContext,
        exact: impl FnOnce(&Board) -> Option<Equities>,
        chances: impl FnOnce(&Board) -> Chances,
    ) -> Move {
        let is_money = matches!(context.stakes, Stakes::Money { .. });
        if self.style == Style::Pips && is_money && !board.is_contact() {
            let action = (self.count)(board.mover, board.other).action;
            return by_count(phase, action, context.owner);
        }
        if is_money && let Some(equities) = exact(board) {
            return by_equities(phase, &equities, context);
        }
        let life = if board.is_contact() {
            self.life
        } else {
            CubeLife::race(board.mover.pips())
        };
        let chances = chances(board);
        if phase == Phase::Beaver {
            let equity = cubeful_equity(&chances, context, &self.met, life);
            return if equity > 0.0 {
                Move::Beaver
            } else {
                Move::Roll
            };
        }
        by_verdict(phase, &decide(&chances, context, &self.met, life))
    }
}

fn by_verdict(phase: Phase, verdict: &CubeVerdict) -> Move {
    match (phase, verdict.response) {
        (Phase::Cube, _) if verdict.doubles() => Move::Double,
        (Phase::Cube, _) => Move::Roll,
        (_, Response::Take) => Move::Take,
        (_, Response::Pass) => Move::Drop,
        (_, Response::Beaver) => Move::Beaver,
    }
}

/// What is right by the exact equities of the side on roll.
fn by_equities(phase: Phase, equities: &Equities, context: &CubeContext) -> Move {
    let cube = match context.owner {
        CubeOwner::Centre => CubeState::Centred,
        CubeOwner::Mine => CubeState::Owned,
        CubeOwner::Theirs => CubeState::OpponentOwns,
    };
    let beavers = matches!(context.stakes, Stakes::Money { beavers: true, .. });
    let double = equities.double_take();
    match phase {
        Phase::Cube if equities.doubles(cube) => Move::Double,
        Phase::Answer if !equities.takes() => Move::Drop,
        Phase::Answer if beavers && double < 0.0 => Move::Beaver,
        Phase::Answer => Move::Take,
        // A raccoon doubles what stands on a cube that the other side keeps.
        Phase::Beaver if double > 0.0 => Move::Beaver,
        _ => Move::Roll,
    }
}

/// What a pip count advises. It knows no beavers.
fn by_count(phase: Phase, action: RaceAction, owner: CubeOwner) -> Move {
    let least = match owner {
        CubeOwner::Centre => RaceAction::Double,
        CubeOwner::Mine | CubeOwner::Theirs => RaceAction::Redouble,
    };
    match phase {
        Phase::Cube if action >= least => Move::Double,
        Phase::Answer if action.takes() => Move::Take,
        Phase::Answer => Move::Drop,
        _ => Move::Roll,
    }
}

/// The cube as the side on roll sees it, before what is offered now.
pub(super) fn context(game: &Backgammon, state: &State) -> CubeContext {
    let owner = match state.owner() {
        None => CubeOwner::Centre,
        Some(owner) if owner == state.on_roll() => CubeOwner::Mine,
        Some(_) => CubeOwner::Theirs,
    };
    CubeContext {
        owner,
        value: 1 << state.cube(),
        stakes: stakes(game, state),
    }
}

fn stakes(game: &Backgammon, state: &State) -> Stakes {
    let rules = game.rules();
    if rules.length == 0 {
        return Stakes::Money {
            jacoby: rules.jacoby,
            beavers: rules.beavers != Beavers::Off,
        };
    }
    let away = |seat| (rules.length - state.score(seat)) as u16;
    let (me, opponent) = (away(state.on_roll()), away(state.opponent()));
    let crawford = match me.min(opponent) {
        1 if state.is_crawford() => Crawford::Now,
        1 => Crawford::After,
        _ => Crawford::Before,
    };
    let score = MatchScore::new(me, opponent, crawford);
    Stakes::Match(score.unwrap_or_else(|error| unreachable!("{state:?}: {error}")))
}

fn read_met(prefix: &str) -> Result<Met, String> {
    let read = |part: &str| {
        let path = format!("{prefix}_{part}_crawford.csv");
        read_text(path.as_ref()).map_err(|reason| format!("met: {path}: {reason}"))
    };
    Met::from_csv(&read("pre")?, &read("post")?).map_err(|error| format!("met: {prefix}: {error}"))
}
