//! Positions and moves of backgammon as text.
//!
//! A position is printed as GNU Backgammon's Position ID and Match ID, joined by a colon; an XGID
//! is read too. What a Match ID does not hold follows as a field: `doubling=declined` when the
//! player on roll could still have doubled, `rolls=N` under the Holland rule.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::engine::game::{DiceError, Game, PositionError, Script, Turn};
use crate::engine::seat::Seat;

use super::board::{Board, CHECKERS, Side};
use super::moves::Steps;
use super::notation::{self, Offer, Position, gnu_id, play, position_id, xgid};
use super::{BOTH, Backgammon, Beavers, Move, Moves, Phase, State, Win};

/// The position, with the rules of the table, as notations know it.
pub(super) fn position(game: &Backgammon, state: &State) -> Position {
    let rules = game.rules();
    let phase = match (state.phase(), state.won_by()) {
        (Phase::Opening, _) => notation::Phase::NotStarted,
        (Phase::Over, Win::Dropped) => notation::Phase::Dropped,
        (Phase::Over, _) => notation::Phase::Over,
        _ => notation::Phase::Playing,
    };
    let offered = matches!(state.phase(), Phase::Answer | Phase::Beaver);
    let beavered = u8::from(state.phase() == Phase::Beaver);
    let dice = state.dice();
    Position {
        board: state.board,
        to: state.on_roll(),
        decides: state.decides(),
        dice: (dice.0 > 0).then_some([dice.0, dice.1]),
        // While a double is offered: the value before it.
        cube: state.cube() - beavered,
        owner: state.owner(),
        offer: offered.then_some(Offer::Double),
        phase,
        score: BOTH.map(|seat| state.score(seat)),
        length: rules.length,
        crawford: state.is_crawford(),
        jacoby: rules.jacoby && rules.length == 0,
        beavers: rules.beavers != Beavers::Off,
        cube_cap: Some(game.cube_cap),
    }
}

pub(super) fn print(game: &Backgammon, state: &State) -> String {
    let mut text = gnu_id::write(&position(game, state))
        .unwrap_or_else(|error| unreachable!("{state:?} cannot be written: {error}"));
    if state.phase() == Phase::Roll && game.may_double(state) {
        text += " doubling=declined";
    }
    if state.rolls() > 0 {
        let _ = write!(text, " rolls={}", state.rolls());
    }
    text
}

/// The position of a text and the fields behind it.
fn split(text: &str) -> (&str, Vec<&str>) {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let rest: Vec<&str> = words.collect();
    // IDs may stand apart from their colon; fields have an equals sign.
    if rest.iter().all(|word| word.contains('=')) {
        (first, rest)
    } else {
        (text, Vec::new())
    }
}

/// The position of a text in any notation.
pub(super) fn read(text: &str) -> Result<Position, PositionError> {
    let (text, _) = split(text);
    // The board of an XGID has 26 characters and its first field ends with a colon.
    let is_xgid = text
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("xgid="))
        || text.matches(':').count() > 1;
    if is_xgid {
        xgid::read(text)
    } else {
        gnu_id::read(text)
    }
}

pub(super) fn parse(game: &Backgammon, text: &str) -> Result<State, PositionError> {
    let position = read(text)?;
    let mut state = from_position(game, &position)?;
    for field in split(text).1 {
        read_field(game, &mut state, field)?;
    }
    Ok(state)
}

fn read_field(game: &Backgammon, state: &mut State, field: &str) -> Result<(), PositionError> {
    match field.split_once('=') {
        Some(("doubling", "declined")) if state.phase() == Phase::Cube => {
            state.set_phase(Phase::Roll);
            Ok(())
        }
        Some(("doubling", _)) => Err(PositionError::new(
            "doubling",
            "expected 'doubling=declined', where the player on roll may double",
        )),
        Some(("rolls", rolls)) if game.counts_rolls(state) => {
            let rolls = rolls.parse().ok().filter(|rolls| (1..=4).contains(rolls));
            let rolls = rolls.ok_or_else(|| PositionError::new("rolls", "expected 1 to 4"))?;
            let declined = state.phase() == Phase::Roll && game.may_double(state);
            state.set_rolls(rolls);
            if matches!(state.phase(), Phase::Roll | Phase::Cube) && !declined {
                state.set_phase(game.before_the_roll(state));
            }
            Ok(())
        }
        Some(("rolls", _)) => Err(PositionError::new(
            "rolls",
            "counted after the Crawford game under the Holland rule only",
        )),
        _ => Err(PositionError::new(
            "fields",
            format!("'{field}' is no field; known: doubling, rolls"),
        )),
    }
}

/// The state of a position at this table.
pub(super) fn from_position(
    game: &Backgammon,
    position: &Position,
) -> Result<State, PositionError> {
    let rules = game.rules();
    if position.length != rules.length {
        let named = |length: u32| match length {
            0 => "a game for money".to_owned(),
            length => format!("a match to {length}"),
        };
        let reason = format!(
            "the position is of {}, the table plays {}; expected the same, e.g. by --rule length={}",
            named(position.length),
            named(rules.length),
            position.length
        );
        return Err(PositionError::new("match length", reason));
    }
    if position.cube > game.cube_cap {
        let reason = format!(
            "{}; expected at most {}",
            1 << position.cube,
            rules.cube_cap
        );
        return Err(PositionError::new("cube", reason));
    }
    let board = Board {
        mover: with_checkers(position.board.mover, game.checkers)?,
        other: with_checkers(position.board.other, game.checkers)?,
    };
    let mut state = State::new(board, position.to);
    state.set_cube(position.cube);
    state.set_owner(position.owner);
    state.set_crawford(position.crawford);
    for seat in BOTH {
        let score = position.score[seat.index()];
        // Money sessions count on; a game for money has no score.
        let score = if rules.length == 0 {
            0
        } else {
            score.min(rules.length)
        };
        state.set_score(seat, score);
    }
    set_phase(game, &mut state, position)?;
    Ok(state)
}

fn set_phase(
    game: &Backgammon,
    state: &mut State,
    position: &Position,
) -> Result<(), PositionError> {
    let has_won = |side: Side| side.off() == game.checkers;
    match (position.phase, position.offer) {
        (notation::Phase::Resigned, _) | (_, Some(Offer::Resign(_))) => {
            return Err(PositionError::new(
                "resignation",
                "no game goes on from there; expected a position in play",
            ));
        }
        (notation::Phase::Dropped, _) => state.set_phase(Phase::Over),
        (notation::Phase::NotStarted, _) if position.dice.is_none() => {}
        (notation::Phase::Playing, Some(Offer::Double)) if position.is_beaver() => {
            if game.rules().beavers != Beavers::Raccoons || state.cube() == game.cube_cap {
                return Err(PositionError::new(
                    "offer",
                    "a beaver waits for an answer; expected a table with beavers = 'raccoons'",
                ));
            }
            state.set_cube(state.cube() + 1);
            state.set_phase(Phase::Beaver);
        }
        (notation::Phase::Playing, Some(Offer::Double)) => {
            if !game.may_double(state) {
                return Err(PositionError::new(
                    "offer",
                    "a double is offered by a player who may not double at this table",
                ));
            }
            state.set_phase(Phase::Answer);
        }
        _ if has_won(state.board.mover) || has_won(state.board.other) => {
            if has_won(state.board.other) {
                state.put_on_roll(state.opponent());
            }
            state.set_won_by(Backgammon::win(&state.board));
            state.set_phase(Phase::Over);
        }
        (notation::Phase::Over, _) => {
            return Err(PositionError::new(
                "game state",
                "over, but both sides have checkers left",
            ));
        }
        _ => {
            let phase = game.before_the_roll(state);
            state.set_phase(phase);
            if let Some([one, two]) = position.dice {
                state.set_dice((one, two));
                state.set_phase(Phase::Play);
            }
        }
    }
    Ok(())
}

/// A side read as one of fifteen checkers, at a table that plays with so many.
fn with_checkers(side: Side, checkers: u8) -> Result<Side, PositionError> {
    let spare = CHECKERS - checkers;
    if side.off() < spare {
        let reason = format!("{} of one side; expected at most {checkers}", side.left());
        return Err(PositionError::new("checkers", reason));
    }
    let mut counts = side.counts();
    counts[0] -= spare;
    Ok(Side::from_counts(&counts))
}

/// The boards a roll can lead to, as Position IDs seen by the player on roll.
pub(super) fn result_set(
    game: &Backgammon,
    state: &State,
    faces: &[i64],
) -> Result<Vec<String>, DiceError> {
    let mut state = *state;
    if state.phase() != Phase::Play && state.phase() != Phase::Over {
        // Whatever is decided about the cube, the roll has the same results.
        if state.phase() != Phase::Opening {
            state.set_phase(Phase::Roll);
        }
        let roll = game.read_roll(&state, &mut Script::new(faces))?;
        if let Turn::Chance(_) = game.roll(&mut state, roll) {
            return Ok(vec![position_id::write(&state.board)]);
        }
    }
    if state.phase() == Phase::Over {
        return Ok(vec![position_id::write(&state.board)]);
    }
    let mut moves = Moves::default();
    game.moves(&state, &mut moves);
    let found: BTreeSet<String> = moves.boards().iter().map(position_id::write).collect();
    Ok(found.into_iter().collect())
}

/// The steps that lead to a board.
pub(super) fn steps(state: &State, result: &Board) -> Steps {
    Steps::between(&state.board, state.dice(), result).unwrap_or_default()
}

pub(super) fn move_text(game: &Backgammon, state: &State, mv: Move) -> String {
    match mv {
        Move::Roll => "rolls".to_owned(),
        Move::Double => format!("doubles to {}", 2 << state.cube()),
        Move::Take => "takes".to_owned(),
        Move::Drop => "drops".to_owned(),
        Move::Beaver if state.phase() == Phase::Answer => {
            format!("beavers to {}", 4 << state.cube())
        }
        Move::Beaver => format!("raccoons to {}", 2 << state.cube()),
        Move::Play(result) => {
            let text = play::write(&steps(state, &result));
            if result.mover.off() == game.checkers {
                format!("{text} #")
            } else {
                text
            }
        }
    }
}

pub(super) fn why_no_move(state: &State) -> String {
    let (one, two) = state.dice();
    let bar = state.board.mover.bar();
    let dice = if one == two {
        format!("a {one}")
    } else {
        format!("a {one} or a {two}")
    };
    match bar {
        0 => format!("every point that {dice} reaches is held, or it may not bear off yet"),
        1 => format!("a checker is on the bar and {dice} does not enter"),
        _ => format!("{bar} checkers are on the bar and {dice} does not enter"),
    }
}

/// The seat's checkers.
pub(super) fn side(state: &State, seat: Seat) -> Side {
    if seat == state.on_roll() {
        state.board.mover
    } else {
        state.board.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::seat::SeatSet;
    use crate::games::backgammon::Rules;

    fn table(rules: Rules) -> Backgammon {
        Backgammon::new(rules, SeatSet::first(2)).unwrap()
    }

    #[test]
    fn the_start_is_the_well_known_id() {
        let game = table(Rules::default());
        let text = game.print(&game.start(Seat::A));
        assert!(text.starts_with("4HPwATDgc/ABMA:"), "{text}");
        assert_eq!(game.parse(&text), Ok(game.start(Seat::A)));
    }

    #[test]
    fn a_position_id_alone_is_money_and_before_the_roll() {
        let game = table(Rules::default());
        let state = game.parse("4HPwATDgc/ABMA").unwrap();
        assert_eq!(state.phase(), Phase::Cube);
        let results = game.result_set(&state, &[3, 1]).unwrap();
        assert_eq!(results.len(), 16);
    }

    #[test]
    fn a_match_is_refused_at_a_money_table() {
        let game = table(Rules::default());
        let text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:7:10";
        let error = game.parse(text).unwrap_err().to_string();
        assert_eq!(
            error,
            "match length: the position is of a match to 7, the table plays a game for money; \
             expected the same, e.g. by --rule length=7"
        );
        let rules = Rules {
            length: 7,
            ..Rules::default()
        };
        let state = table(rules).parse(text).unwrap();
        assert_eq!([state.score(BOTH[1]), state.score(BOTH[0])], [2, 1]);
    }
}
