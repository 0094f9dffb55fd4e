//! `net`: plays what the trained nets value most at the cube and the score.

use std::sync::Arc;

use crate::bots::params::{Reader, Whole};
use crate::bots::{Policy, PolicyEntry, View};
use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::{
    Chances, Crawford, CubeContext, CubeLife, CubeOwner, MatchScore, Met, Response, Stakes,
    cubeful_equity, decide,
};
use crate::games::backgammon::net::{Evaluator, Scratch, Search};
use crate::games::backgammon::{Backgammon, Beavers, Move, Phase, Rules, State};

const PLIES: Whole = Whole {
    name: "plies",
    default: 0,
    range: 0..=1,
    about: "rolls looked ahead; one takes about two hundred times as long",
};

/// Plays looked at one roll ahead: the best by the nets alone, and those not much worse.
const WIDTH: usize = 10;
/// How much worse, in points.
const MARGIN: f64 = 0.2;

pub(super) fn entry() -> PolicyEntry<Backgammon> {
    PolicyEntry {
        name: "net",
        about: "plays what two trained nets value most, with the cube, at the score",
        params: vec![PLIES.param()],
        build: |table| {
            let mut reader = Reader::new(table);
            let plies = reader.whole(&PLIES)?;
            reader.finish()?;
            Ok(Box::new(Net::new(plies)))
        },
    }
}

struct Net {
    evaluator: Arc<Evaluator>,
    looks_ahead: bool,
    scratch: Scratch,
    search: Search,
    chances: Vec<Chances>,
}

impl Net {
    fn new(plies: u32) -> Net {
        Net {
            evaluator: Evaluator::shipped(),
            looks_ahead: plies > 0,
            scratch: Scratch::default(),
            search: Search::default(),
            chances: Vec::new(),
        }
    }

    /// The index of the best play.
    fn play(&mut self, boards: &[Board], context: &CubeContext) -> usize {
        let after = boards.iter().map(|board| board.swapped());
        self.evaluator
            .evaluate_all(after, &mut self.scratch, &mut self.chances);
        let mut plays: Vec<(f64, usize)> = boards
            .iter()
            .zip(&self.chances)
            .enumerate()
            .map(|(index, (board, chances))| (worth(board, chances, context), index))
            .collect();
        // Stable: of equals the first stays the best.
        plays.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        if self.looks_ahead && plays.len() > 1 {
            let least = plays[0].0 - MARGIN;
            plays.truncate(WIDTH);
            plays.retain(|&(worth, _)| worth >= least);
            for (value, index) in &mut plays {
                let board = &boards[*index];
                let chances = self.search.chances(&self.evaluator, &board.swapped());
                *value = worth(board, &chances, context);
            }
            plays.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        }
        plays[0].1
    }

    /// The chances of the side on roll.
    fn before_the_roll(&mut self, board: &Board) -> Chances {
        if self.looks_ahead {
            self.search.chances(&self.evaluator, board)
        } else {
            self.evaluator.evaluate(board)
        }
    }

    /// What to do about the cube.
    fn cube(&mut self, game: &Backgammon, state: &State) -> Move {
        let chances = self.before_the_roll(&state.board);
        let context = context(game.rules(), state, state.on_roll());
        let life = CubeLife::of(&state.board);
        let verdict = decide(&chances, &context, Met::kazaross_xg2(), life);
        match (state.phase(), verdict.response) {
            (Phase::Answer, Response::Pass) => Move::Drop,
            (Phase::Answer, Response::Take) => Move::Take,
            (Phase::Answer, Response::Beaver) => Move::Beaver,
            // A raccoon doubles what stands on a cube that the other side keeps.
            (Phase::Beaver, _) if verdict.double_take > 0.0 => Move::Beaver,
            (Phase::Cube, _) if verdict.doubles() => Move::Double,
            _ => Move::Roll,
        }
    }
}

impl Policy<Backgammon> for Net {
    fn choose(&mut self, view: &View<'_, Backgammon>, _: &mut Stream) -> usize {
        let boards = view.moves.boards();
        if !boards.is_empty() {
            let context = context(view.game.rules(), view.state, view.seat);
            return self.play(boards, &context);
        }
        let choice = self.cube(view.game, view.state);
        let place = |choice| view.moves.iter().position(|mv| mv == choice);
        // Where beavers are not played, or the cube can go no higher, a beaver is a take.
        place(choice)
            .or_else(|| place(Move::Take))
            .expect("every decision about the cube has a roll or a take")
    }

    fn is_search(&self) -> bool {
        self.looks_ahead
    }
}

/// What a play is worth to its player, by the chances of the side to roll after it.
fn worth(board: &Board, chances: &Chances, context: &CubeContext) -> f64 {
    let life = CubeLife::of(&board.swapped());
    cubeful_equity(&chances.swapped(), context, Met::kazaross_xg2(), life)
}

/// Cube and score as a seat sees them.
fn context(rules: &Rules, state: &State, seat: Seat) -> CubeContext {
    let owner = match state.owner() {
        None => CubeOwner::Centre,
        Some(owner) if owner == seat => CubeOwner::Mine,
        Some(_) => CubeOwner::Theirs,
    };
    CubeContext {
        owner,
        value: 1 << state.cube(),
        stakes: stakes(rules, state, seat),
    }
}

fn stakes(rules: &Rules, state: &State, seat: Seat) -> Stakes {
    if rules.length == 0 {
        return Stakes::Money {
            jacoby: rules.jacoby,
            beavers: rules.beavers != Beavers::Off,
        };
    }
    let other = if seat == state.on_roll() {
        state.opponent()
    } else {
        state.on_roll()
    };
    let [me, opponent] = [seat, other].map(|seat| (rules.length - state.score(seat)) as u16);
    let crawford = if state.is_crawford() {
        Crawford::Now
    } else if me.min(opponent) == 1 {
        Crawford::After
    } else {
        Crawford::Before
    };
    let score = MatchScore::new(me, opponent, crawford);
    Stakes::Match(score.expect("a match that goes on has a score"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose};
    use crate::engine::seat::SeatSet;
    use crate::games::backgammon::Moves;
    use crate::games::backgammon::board::Side;

    fn table(rules: Rules) -> Backgammon {
        Backgammon::new(rules, SeatSet::first(2)).expect("a table")
    }

    /// What the bot chooses in a position.
    fn chosen(game: &Backgammon, state: &State, plies: u32) -> Move {
        let mut moves = Moves::default();
        game.moves(state, &mut moves);
        let view = View {
            game,
            state,
            seat: state.decides(),
            moves: &moves,
        };
        let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, Seat::A);
        moves.get(Net::new(plies).choose(&view, &mut random))
    }

    /// After the opening roll, 3-1 of the first seat, on a board.
    fn to_play(game: &Backgammon, board: Board) -> State {
        let mut state = game.start(Seat::A);
        game.roll(&mut state, (3, 1));
        state.board = board;
        state
    }

    /// Before the second roll, the board seen by the side on roll.
    fn before_roll(game: &Backgammon, board: Board) -> State {
        let mut state = to_play(game, board.swapped());
        game.apply(&mut state, Move::Play(board.swapped()));
        assert_eq!(state.phase(), Phase::Cube);
        state
    }

    /// The same, doubled.
    fn doubled(game: &Backgammon, board: Board) -> State {
        let mut state = before_roll(game, board);
        game.apply(&mut state, Move::Double);
        state
    }

    #[test]
    fn it_makes_the_five_point_with_31() {
        let game = table(Rules::default());
        let state = to_play(&game, Board::START);
        let expected = Move::Play(Board {
            mover: Board::START.mover.step(8, 5).step(6, 5),
            ..Board::START
        });
        for plies in [0, 1] {
            assert_eq!(chosen(&game, &state, plies), expected, "{plies} plies");
        }
    }

    /// Two checkers on these points of the home board, the others off.
    fn last_two(one: usize, other: usize) -> Side {
        let mut counts = [0; 26];
        counts[0] = 13;
        counts[one] += 1;
        counts[other] += 1;
        Side::from_counts(&counts)
    }

    /// Checkers on 4 and 1 are off with 29 of the 36 throws; if not, the other side is.
    #[test]
    fn it_doubles_a_great_favourite_and_passes_against_it() {
        let game = table(Rules::default());
        let board = Board {
            mover: last_two(4, 1),
            other: last_two(1, 1),
        };
        assert_eq!(chosen(&game, &before_roll(&game, board), 1), Move::Double);
        assert_eq!(chosen(&game, &doubled(&game, board), 1), Move::Drop);
    }

    #[test]
    fn it_does_not_double_at_the_start_and_takes_there() {
        let game = table(Rules::default());
        let before = before_roll(&game, Board::START);
        assert_eq!(chosen(&game, &before, 0), Move::Roll);
        assert_eq!(chosen(&game, &doubled(&game, Board::START), 0), Move::Take);
    }

    #[test]
    fn a_parameter_out_of_range_is_refused() {
        let table = "plies = 2".parse().expect("a table");
        let refused = (entry().build)(&table).err();
        assert_eq!(refused.as_deref(), Some("plies = 2; expected 0 to 1"));
    }
}
