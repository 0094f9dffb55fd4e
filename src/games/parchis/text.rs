//! Positions and moves of Parchís as text.

use std::fmt::Write as _;

use crate::engine::game::{Game, PositionError};
use crate::engine::notation::PositionText;
use crate::engine::seat::{Seat, SeatSet};
use crate::games::pachisi::text::{corners, place, print_tokens, square};
use crate::games::pachisi::{GOAL, LANE, MAX_BONUS, Place};

use super::Parchis;
use super::moves::Move;
use super::rules::TripleSix;
use super::state::State;

pub(super) fn print(game: &Parchis, state: &State) -> String {
    let mut text = print_tokens(&state.board, game.seats());
    let done: Vec<Seat> = state.done().collect();
    if state.is_over() {
        let _ = write!(text, "won={}", done[0]);
    } else {
        let to = state.to();
        let _ = write!(text, "to={to}");
        if state.sixes() > 0 {
            let _ = write!(text, " sixes={}", state.sixes());
        }
        if state.last() > 0 {
            let _ = write!(text, " last={}", square(to, state.last()));
        }
        if state.die() > 0 {
            let _ = write!(text, " dice={}", state.die());
        }
        if state.bonus() > 0 {
            let _ = write!(text, " bonus={}", state.bonus());
        }
    }
    // The winner alone needs no list.
    if done.len() > usize::from(state.is_over()) {
        let order: String = done.iter().map(Seat::to_string).collect();
        let _ = write!(text, " done={order}");
    }
    text
}

pub(super) fn parse(game: &Parchis, text: &str) -> Result<State, PositionError> {
    let parts = PositionText::split(text)?;
    let seats = game.seats();
    let (corners, home) = corners(&parts, seats)?;
    let known: &[&str] = &["to", "sixes", "last", "dice", "bonus", "won", "done"];
    parts.only_fields(if game.rules.play_on {
        known
    } else {
        &known[..6]
    })?;
    let done = done(&parts, home, game.rules.play_on)?;

    if let Some(winner) = parts.seat_field("won", seats)? {
        if parts
            .fields
            .iter()
            .any(|&(key, _)| key != "won" && key != "done")
        {
            let reason = "a finished position has no other field";
            return Err(PositionError::new("won", reason));
        }
        let finished = if game.rules.play_on {
            seats.len() - 1
        } else {
            1
        };
        if done.first() != Some(&winner) || done.len() != finished {
            let reason = if game.rules.play_on {
                format!("{winner} must be the first of all seats but one with four tokens on G")
            } else {
                format!("{winner} and nobody else must have all four tokens on G")
            };
            return Err(PositionError::new("won", reason));
        }
        let mut state = State::awaiting(corners, done.last().copied().unwrap_or(winner));
        for &seat in &done {
            state.set_done(seat);
        }
        state.end();
        return Ok(state);
    }
    let to = parts.seat_field("to", seats)?.ok_or_else(|| {
        PositionError::new("to", "missing; expected the seat that rolls, e.g. to=A")
    })?;
    let over = if game.rules.play_on {
        home.len() + 1 >= seats.len()
    } else {
        !home.is_empty()
    };
    if over {
        let reason = format!("all four tokens are on G, so the game is over: expected won={home}");
        return Err(PositionError::new(home.to_string(), reason));
    }
    if home.contains(to) {
        let reason = format!("{to} has all four tokens on G and rolls no more");
        return Err(PositionError::new("to", reason));
    }
    let mut state = State::awaiting(corners, to);
    for &seat in &done {
        state.set_done(seat);
    }

    let die = parts.number_field("dice", 1..=6)?.unwrap_or(0) as u8;
    let bonus = parts
        .number_field("bonus", 1..=MAX_BONUS.into())?
        .unwrap_or(0) as u8;
    if bonus > 0 && die == 0 {
        return Err(PositionError::new(
            "bonus",
            "only in the middle of a roll, with dice",
        ));
    }
    let mut sixes = parts.number_field("sixes", 1..=2)?.unwrap_or(0) as u8;
    let mut last = last(&parts, &state, sixes > 0 || bonus > 0)?;
    if game.rules.triple_six == TripleSix::Off {
        (sixes, last) = (0, 0);
    }
    state.set_turn(die, sixes, last, bonus);
    Ok(state)
}

/// The seats that have come home, in their order.
fn done(
    parts: &PositionText<'_>,
    home: SeatSet,
    play_on: bool,
) -> Result<Vec<Seat>, PositionError> {
    let Some(order) = parts.field("done") else {
        if play_on && home.len() > 1 {
            let reason = format!("missing; expected the order in which {home} came home");
            return Err(PositionError::new("done", reason));
        }
        return Ok(home.iter().collect());
    };
    let listed: Vec<Seat> = order.chars().filter_map(Seat::from_letter).collect();
    let set: SeatSet = listed.iter().copied().collect();
    if set != home || listed.len() != home.len() || order.len() != home.len() {
        let reason =
            format!("'{order}'; expected each of '{home}', whose four tokens are on G, once");
        return Err(PositionError::new("done", reason));
    }
    Ok(listed)
}

/// Where the token stands that moved last in this turn.
fn last(parts: &PositionText<'_>, state: &State, counts: bool) -> Result<Place, PositionError> {
    let Some(text) = parts.field("last") else {
        return Ok(0);
    };
    let to = state.to();
    if !counts {
        return Err(PositionError::new("last", "only together with sixes"));
    }
    let found = place(to, text).filter(|&place| place > 0 && state.places(to).contains(&place));
    found.ok_or_else(|| {
        let reason = format!("'{text}'; expected the square of a token of {to} out of the yard");
        PositionError::new("last", reason)
    })
}

pub(super) fn move_text(game: &Parchis, state: &State, mv: Move) -> String {
    if mv.is_pass() {
        return if state.bonus() > 0 { "pass" } else { "–" }.to_owned();
    }
    let to = state.to();
    if mv.is_penalty() {
        return format!("{}>H", square(to, state.last()));
    }
    let mut after = *state;
    let effect = game.apply(&mut after, mv);
    let mut text = String::new();
    if state.bonus() > 0 {
        let _ = write!(text, "+{} ", state.bonus());
    }
    if mv.enters() && effect.gained > 1 {
        text.push_str("H,");
    }
    let _ = write!(text, "{}>{}", square(to, mv.from()), square(to, mv.to()));
    for (victim, count) in effect.hits.iter() {
        for _ in 0..count {
            let _ = write!(text, "x{victim}");
        }
    }
    if effect.ends_game {
        text.push('#');
    }
    text
}

pub(super) fn why_no_move(game: &Parchis, state: &State) -> String {
    let to = state.to();
    let die = state.die();
    if state.bonus() > 0 {
        return "the bonus may be declined".to_owned();
    }
    if die == 6 && state.sixes() == 2 {
        return "the third six is not moved".to_owned();
    }
    let mut places = state.places(to).to_vec();
    places.dedup();
    let seven = die == 6 && places[0] > 0;
    let length = match (seven, game.rules.six_counts_seven) {
        (true, super::SixCountsSeven::Auto) => 7,
        _ => die,
    };
    let mut reasons = Vec::new();
    for place in places {
        let name = square(to, place);
        let end = place + length;
        reasons.push(match place {
            0 if die == 5 => "the start square is held".to_owned(),
            0 => "only a five leaves the yard".to_owned(),
            GOAL => continue,
            _ if end > GOAL => format!("{name} has only {} to go", GOAL - place),
            _ if end >= LANE && place >= LANE => {
                format!("{name} has no way to {}", square(to, end))
            }
            _ => format!("{name} is barred from {}", square(to, end)),
        });
    }
    reasons.join(", ")
}
