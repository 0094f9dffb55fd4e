//! Positions and moves of Chińczyk as text.
//!
//! In the middle of a roll the fields are `dice` (what is still to be played, `1-4` or `4`),
//! `again=1` if that is the rest of a doublet, `bonus` (the pips of one or two, in their order)
//! and `march` (where the rest of a blockade must stay).

use std::fmt::Write as _;

use crate::engine::game::PositionError;
use crate::engine::notation::{self, PositionText};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::pachisi::text::{corners, place, print_tokens, square};
use crate::games::pachisi::{Board, GOAL, MAX_BONUS, is_on_ring};

use super::Chinczyk;
use super::moves::{FIVE, Move};
use super::state::{Memory, State};

pub(super) fn print(game: &Chinczyk, state: &State) -> String {
    let mut text = print_tokens(&state.0, game.seats);
    let (to, memory) = (state.to(), state.memory());
    if memory.is_over() {
        let _ = write!(text, "won={}", game.side_of(to));
        return text;
    }
    let _ = write!(text, "to={to}");
    if memory.doubles() > 0 {
        let _ = write!(text, " doubles={}", memory.doubles());
    }
    let [low, high] = memory.dice();
    match (low, high) {
        (0, _) => {}
        (_, 0) => {
            let _ = write!(text, " dice={low}");
        }
        _ => {
            let _ = write!(text, " dice={low}-{high}");
        }
    }
    if memory.again() && !memory.both_dice() {
        text.push_str(" again=1");
    }
    match (memory.bonus(), memory.second_bonus()) {
        (0, _) => {}
        (bonus, 0) => {
            let _ = write!(text, " bonus={bonus}");
        }
        (bonus, second) => {
            let _ = write!(text, " bonus={bonus}-{second}");
        }
    }
    if memory.march() > 0 {
        let _ = write!(text, " march={}", square(to, memory.march()));
    }
    text
}

pub(super) fn parse(game: &Chinczyk, text: &str) -> Result<State, PositionError> {
    let parts = PositionText::split(text)?;
    let (tokens, home) = corners(&parts, game.seats)?;
    let fields = ["to", "doubles", "dice", "again", "bonus", "march", "won"];
    parts.only_fields(&fields)?;
    let mates = game.switches.teams;
    if let Some(winners) = parts.field("won") {
        if parts.fields.len() > 1 {
            let reason = "a finished position has no other field";
            return Err(PositionError::new("won", reason));
        }
        let side = winning_side(game, winners, home)?;
        let first = side.iter().find(|&seat| home.contains(seat));
        let board = Board::new(tokens, first.unwrap_or(Seat::A), mates);
        return Ok(game.finished(board));
    }
    let to = parts.seat_field("to", game.seats)?.ok_or_else(|| {
        PositionError::new("to", "missing; expected the seat that rolls, e.g. to=A")
    })?;
    // With `team_end=both` the partner of a seat that is home plays on.
    let over = home
        .iter()
        .find(|&seat| !game.switches.both_finish || home_together(game, seat, home) || seat == to);
    if let Some(seat) = over {
        let reason = format!(
            "all four tokens are at the goal: expected won={}",
            game.side_of(seat)
        );
        return Err(PositionError::new(seat.to_string(), reason));
    }
    let mut board = Board::new(tokens, to, mates);
    board.set_memo(memory(game, &parts, &board)?.0);
    Ok(State(board))
}

/// The winners a text names: one seat's team, which is home.
fn winning_side(game: &Chinczyk, winners: &str, home: SeatSet) -> Result<SeatSet, PositionError> {
    let at_won = |reason| PositionError::new("won", reason);
    let side = game
        .seats
        .iter()
        .map(|seat| game.side_of(seat))
        .find(|side| side.to_string() == winners)
        .ok_or_else(|| at_won(format!("'{winners}' is no side of this table")))?;
    if game.switches.both_finish {
        if !side.iter().all(|seat| home.contains(seat)) {
            return Err(at_won(format!("{side} must have all tokens at the goal")));
        }
    } else if home.len() != 1 || !home.iter().all(|seat| side.contains(seat)) {
        let one = if side.len() == 1 { "" } else { "one of " };
        let reason = format!("{one}{side} and nobody else must have all four tokens at the goal");
        return Err(at_won(reason));
    }
    Ok(side)
}

/// Whether a seat and its partner have all their tokens at the goal.
fn home_together(game: &Chinczyk, seat: Seat, home: SeatSet) -> bool {
    game.side_of(seat).iter().all(|mate| home.contains(mate))
}

/// What the fields of a text remember of the turn.
fn memory(
    game: &Chinczyk,
    parts: &PositionText<'_>,
    board: &Board,
) -> Result<Memory, PositionError> {
    let doubles = parts.number_field("doubles", 1..=2)?.unwrap_or(0) as u8;
    let doubles = if game.switches.penalty { doubles } else { 0 };
    let mut memory = Memory::awaiting(doubles);

    let [one, two] = pair(parts, "dice", 6)?;
    let (low, high) = if two == 0 {
        (one, 0)
    } else {
        (one.min(two), one.max(two))
    };
    memory = memory.with_dice(low, high);
    let bonuses = pair(parts, "bonus", MAX_BONUS)?;
    for bonus in bonuses {
        memory = memory.earn(bonus);
    }
    if bonuses[1] > 0 && !game.switches.bonus_waits {
        let reason = "two bonuses; each is played at once";
        return Err(PositionError::new("bonus", reason));
    }
    let rest = memory.is_mid_roll() && !memory.both_dice();
    if memory.both_dice() && memory.bonus() > 0 {
        let reason = "expected none while neither die is played";
        return Err(PositionError::new("bonus", reason));
    }
    let again = parts.number_field("again", 1..=1)?.is_some();
    if again && (!rest || doubles == 2) {
        let reason = "expected only with the rest of a doublet that is no third one";
        return Err(PositionError::new("again", reason));
    }
    memory = memory.with_again(again || high > 0 && low == high);
    if rest && Chinczyk::steps(board, memory, game.switches).is_none() {
        let reason = "nothing can move so; expected the position that awaits the next roll";
        return Err(PositionError::new("dice", reason));
    }
    if let Some(text) = parts.field("march") {
        let marches = game.switches.no_march && game.switches.blockades && again && low > 0;
        let stays = place(board.to(), text)
            .filter(|&place| marches && place != 0 && place != GOAL && board.at(place).own() != 0);
        let Some(stays) = stays else {
            let reason = format!("'{text}' is no square where the rest of a blockade must stay");
            return Err(PositionError::new("march", reason));
        };
        memory = memory.with_march(stays);
        if Chinczyk::steps(board, memory, game.switches).is_none() {
            let reason = "nothing can move so; expected the position that awaits the next roll";
            return Err(PositionError::new("march", reason));
        }
    }
    Ok(memory)
}

/// A field of one or two numbers from 1 to `most`; 0 is none.
fn pair(parts: &PositionText<'_>, key: &str, most: u8) -> Result<[u8; 2], PositionError> {
    let Some(text) = parts.field(key) else {
        return Ok([0; 2]);
    };
    let number = |text: &str| {
        notation::number(text)
            .filter(|number| (1..=u64::from(most)).contains(number))
            .map(|number| number as u8)
    };
    let read = match text.split_once('-') {
        None => number(text).map(|one| [one, 0]),
        Some((one, two)) => number(one).zip(number(two)).map(|(one, two)| [one, two]),
    };
    read.ok_or_else(|| {
        let reason = format!("'{text}'; expected one or two of 1 to {most}, e.g. 1-4");
        PositionError::new(key, reason)
    })
}

pub(super) fn move_text(game: &Chinczyk, state: &State, mv: Move) -> String {
    let (board, memory, seat) = (&state.0, state.memory(), state.to());
    if mv.is_pass() {
        let nothing = Chinczyk::steps(board, memory, game.switches).is_none();
        return if nothing || game.is_third_doublet(memory) {
            "–"
        } else {
            "pass"
        }
        .to_owned();
    }
    let (from, to) = (mv.from(), mv.to());
    let mut after = *state;
    let effect = super::Game::apply(game, &mut after, mv);
    let mut text = format!("{}>{}", square(seat, from), square(seat, to));
    for (_, count) in effect.hits.iter() {
        for _ in 0..count {
            text.push('x');
        }
    }
    if effect.ends_game {
        text.push('#');
    }
    text
}

/// Why nothing can move.
pub(super) fn why_no_move(game: &Chinczyk, state: &State) -> String {
    let (board, memory, seat) = (&state.0, state.memory(), state.to());
    let dice @ [low, high] = memory.dice();
    if game.is_third_doublet(memory) {
        return "the third doublet is not played, and no token is out to be sent back".to_owned();
    }
    if !Chinczyk::steps(board, memory, game.switches).is_none() {
        return "what is left is declined".to_owned();
    }
    let mut reasons = Vec::new();
    if board.one_in_yard() {
        reasons.push(if game.switches.is_five(dice) {
            format!("{} is closed", square(seat, 1))
        } else {
            "only a five leaves the yard".to_owned()
        });
    }
    for place in board.places(seat) {
        if place == 0 || place == GOAL {
            continue;
        }
        let name = square(seat, place);
        let nearest = if low == FIVE && high == 0 { FIVE } else { low };
        reasons.push(if place + nearest > GOAL {
            format!("{name} has only {} to go", GOAL - place)
        } else if is_on_ring(place) || game.switches.blockades {
            format!("{name} is blocked")
        } else {
            format!("{name} would land on an own token")
        });
    }
    reasons.dedup();
    reasons.join(", ")
}
