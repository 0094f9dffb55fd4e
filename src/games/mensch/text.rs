//! Positions and moves of Mensch ärgere dich nicht as text.

use std::fmt::Write as _;

use crate::engine::game::{Game, PositionError};
use crate::engine::notation::{self, PositionText};
use crate::engine::seat::{Seat, SeatSet};

use super::moves::{Move, target};
use super::state::{BOARD, GOAL, LANE, LANE_START, ONE_IN_YARD, Place, State, bit_of, places};
use super::{Mensch, Tries};

/// The cell of a place: `H`, `r0` to `r39` (absolute), `L1` to `L4`.
fn cell(seat: Seat, place: Place) -> String {
    match place {
        0 => "H".to_owned(),
        1..=40 => format!("r{}", (usize::from(place) - 1 + 10 * seat.index()) % 40),
        _ => format!("L{}", place - 40),
    }
}

/// The place of a cell for its owner.
fn place(seat: Seat, cell: &str) -> Option<Place> {
    if cell == "H" {
        return Some(0);
    }
    let number = |digits: &str| notation::number(digits).filter(|&number| number < 40);
    if let Some(ring) = cell.strip_prefix('r').and_then(number) {
        let ring = usize::try_from(ring).ok()?;
        return Some(((ring + 40 - 10 * seat.index()) % 40) as Place + 1);
    }
    let lane = cell.strip_prefix('L').and_then(number)?;
    (1..=4).contains(&lane).then(|| 40 + lane as Place)
}

pub(super) fn print(game: &Mensch, state: &State) -> String {
    let mut text = String::new();
    for seat in game.seats().iter() {
        let yard = std::iter::repeat_n(0, state.yard(seat).into());
        let tokens: Vec<String> = yard
            .chain(state.on_board(seat))
            .map(|place| cell(seat, place))
            .collect();
        let _ = write!(text, "{seat}:{} ", tokens.join(","));
    }
    let to = state.to();
    if state.is_over() {
        let _ = write!(text, "won={to}");
        return text;
    }
    let _ = write!(text, "to={to}");
    let tries = game.tries(state);
    if tries > 1 {
        let _ = write!(text, " tries={tries}");
    }
    if state.die() > 0 {
        let _ = write!(text, " dice={}", state.die());
    }
    text
}

pub(super) fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
    Ok(PositionText::split(text)?
        .seats
        .iter()
        .map(|&(seat, _)| seat)
        .collect())
}

pub(super) fn parse(game: &Mensch, text: &str) -> Result<State, PositionError> {
    let parts = PositionText::split(text)?;
    let seats: SeatSet = parts.seats.iter().map(|&(seat, _)| seat).collect();
    if seats != game.seats() {
        return Err(PositionError::new(
            "seats",
            format!("the position has {seats}, the table {}", game.seats()),
        ));
    }
    parts.only_fields(&["to", "tries", "dice", "won"])?;

    let mut corners = [0; 4];
    let mut home = SeatSet::EMPTY;
    for (seat, tokens) in &parts.seats {
        let word = tokens_word(*seat, tokens)?;
        corners[seat.index()] = word;
        if word & LANE == LANE {
            home = home.with(*seat);
        }
    }

    if let Some(winner) = parts.seat_field("won", seats)? {
        if parts.fields.len() > 1 {
            return Err(PositionError::new(
                "won",
                "a finished position has no other field",
            ));
        }
        if home != SeatSet::EMPTY.with(winner) {
            return Err(PositionError::new(
                "won",
                format!("{winner} and nobody else must have all four tokens on its lane"),
            ));
        }
        let state = State::finished(corners, winner);
        return no_shared_cell(game, &state).map(|()| state);
    }
    let to = parts.seat_field("to", seats)?.ok_or_else(|| {
        PositionError::new("to", "missing; expected the seat that rolls, e.g. to=A")
    })?;
    if !home.is_empty() {
        return Err(PositionError::new(
            home.to_string(),
            format!("all four tokens are on the lane, so the game is over: expected won={home}"),
        ));
    }
    let tries = parts.number_field("tries", 1..=3)?.unwrap_or(1) as u8;
    let tries = match game.rules.tries {
        Tries::Three => tries,
        Tries::One => 1,
    };
    let mut state = game.awaiting(corners, to, tries);
    no_shared_cell(game, &state)?;
    if let Some(die) = parts.number_field("dice", 1..=6)? {
        state.set_die(die as u8);
    }
    Ok(state)
}

/// The word of a seat's four tokens.
fn tokens_word(seat: Seat, tokens: &[&str]) -> Result<u64, PositionError> {
    if tokens.len() != 4 {
        return Err(PositionError::new(
            seat.to_string(),
            format!("{} tokens; a seat has exactly 4", tokens.len()),
        ));
    }
    let mut word = 0;
    for token in tokens {
        let place = place(seat, token).ok_or_else(|| {
            PositionError::new(
                seat.to_string(),
                format!("'{token}' is no cell; expected H, r0 to r39 or L1 to L4"),
            )
        })?;
        if place == 0 {
            word += ONE_IN_YARD;
        } else if word & bit_of(place) != 0 {
            return Err(PositionError::new(
                seat.to_string(),
                format!("two tokens on {token}; a cell holds one"),
            ));
        } else {
            word |= bit_of(place);
        }
    }
    Ok(word)
}

/// A ring cell holds one token, whoever owns it.
fn no_shared_cell(game: &Mensch, state: &State) -> Result<(), PositionError> {
    let mut owner: [Option<Seat>; 40] = [None; 40];
    for seat in game.seats().iter() {
        for place in state.on_board(seat).filter(|&place| place <= 40) {
            let ring = (usize::from(place) - 1 + 10 * seat.index()) % 40;
            if let Some(first) = owner[ring].replace(seat) {
                return Err(PositionError::new(
                    seat.to_string(),
                    format!("r{ring} is taken by {first}; a cell holds one token"),
                ));
            }
        }
    }
    Ok(())
}

pub(super) fn move_text(game: &Mensch, state: &State, mv: Move) -> String {
    if mv.is_pass() {
        return if mv.is_declined() { "pass" } else { "–" }.to_owned();
    }
    let seat = state.to();
    let to = target(mv.from(), state.die());
    let mut after = *state;
    game.apply(&mut after, mv);
    let mark = match (after.is_over(), mv.captures()) {
        (true, _) => "#",
        (false, true) => "x",
        (false, false) => "",
    };
    format!("{}>{}{mark}", cell(seat, mv.from()), cell(seat, to))
}

pub(super) fn why_no_move(game: &Mensch, state: &State) -> String {
    let own = state.own();
    let die = state.die();
    let mut reasons = Vec::new();
    if state.yard_is_occupied() {
        reasons.push(if die == 6 {
            // Cannot happen while another token may walk the six, see the structural facts.
            "the start cell is taken by an own token".to_owned()
        } else {
            "only a six leaves the yard".to_owned()
        });
    }
    for place in places(own & BOARD) {
        let name = cell(state.to(), place);
        let end = place + die;
        reasons.push(if end > GOAL && !game.rules.bounce {
            format!("{name} has only {} to go", GOAL - place)
        } else if end > GOAL && 2 * GOAL - end < LANE_START {
            format!("{name} would be turned back out of its lane")
        } else if own & !bit_of(place) & bit_of(target(place, die)) != 0 {
            format!("{name} would land on an own token")
        } else {
            format!("{name} may not jump its own lane")
        });
    }
    reasons.join(", ")
}
