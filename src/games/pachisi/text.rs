//! Tokens of the Pachisi family's board as text.

use std::fmt::Write as _;

use crate::engine::game::PositionError;
use crate::engine::notation::{self, PositionText};
use crate::engine::seat::{Seat, SeatSet};

use super::{Board, Corners, GOAL, LANE, LAST_ON_RING, Place, QUARTER, RING, is_on_ring};

/// The square of a place for its owner: `H`, `1` to `68` (absolute), `c1` to `c7`, `G`.
pub(in crate::games) fn square(seat: Seat, place: Place) -> String {
    match place {
        0 => "H".to_owned(),
        GOAL => "G".to_owned(),
        _ if is_on_ring(place) => {
            let ring = (4 + QUARTER * (seat.index() as u8 & 3) + place - 1) % RING + 1;
            ring.to_string()
        }
        _ => format!("c{}", place - LANE + 1),
    }
}

/// The place of a square for a seat; none if it is not on the seat's route.
pub(in crate::games) fn place(seat: Seat, square: &str) -> Option<Place> {
    match square {
        "H" => return Some(0),
        "G" => return Some(GOAL),
        _ => {}
    }
    if let Some(lane) = square.strip_prefix('c') {
        let lane = notation::number(lane).filter(|lane| (1..=7).contains(lane))?;
        return Some(LANE - 1 + lane as Place);
    }
    let ring = notation::number(square).filter(|&ring| (1..=u64::from(RING)).contains(&ring))?;
    let start = 4 + QUARTER * (seat.index() as u8 & 3);
    let place = (ring as u8 + RING - 1 - start % RING) % RING + 1;
    (place <= LAST_ON_RING).then_some(place)
}

/// The tokens of all seats in play, each followed by a space.
pub(in crate::games) fn print_tokens(board: &Board, seats: SeatSet) -> String {
    let mut text = String::new();
    for seat in seats.iter() {
        let tokens = board.places(seat).map(|place| square(seat, place));
        let _ = write!(text, "{seat}:{} ", tokens.join(","));
    }
    text
}

/// The seats a position text names.
///
/// # Errors
/// When the text is no position.
pub(in crate::games) fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
    let seats = PositionText::split(text)?.seats;
    Ok(seats.iter().map(|&(seat, _)| seat).collect())
}

/// The four tokens of each corner, none where nobody sits, and the seats that have all of them at
/// the goal.
///
/// # Errors
/// When the seats are not those of the table, or a seat has not exactly four tokens on its route,
/// at most two of them on a square.
pub(in crate::games) fn corners(
    parts: &PositionText<'_>,
    table: SeatSet,
) -> Result<(Corners, SeatSet), PositionError> {
    let seats: SeatSet = parts.seats.iter().map(|&(seat, _)| seat).collect();
    if seats != table {
        let reason = format!("the position has {seats}, the table {table}");
        return Err(PositionError::new("seats", reason));
    }
    let mut corners = [None; 4];
    let mut home = SeatSet::EMPTY;
    for (seat, tokens) in &parts.seats {
        let places = places(*seat, tokens)?;
        corners[seat.index() & 3] = Some(places);
        if places == [GOAL; 4] {
            home = home.with(*seat);
        }
    }
    Ok((corners, home))
}

fn places(seat: Seat, tokens: &[&str]) -> Result<[Place; 4], PositionError> {
    let at_seat = |reason| PositionError::new(seat.to_string(), reason);
    let Ok(tokens) = <[&str; 4]>::try_from(tokens) else {
        let reason = format!("{} tokens; a seat has exactly 4", tokens.len());
        return Err(at_seat(reason));
    };
    let mut places = [0; 4];
    for (found, token) in places.iter_mut().zip(tokens) {
        *found = place(seat, token).ok_or_else(|| at_seat(unknown(seat, token)))?;
    }
    places.sort_unstable();
    for three in places.windows(3) {
        if three[0] == three[2] && !matches!(three[0], 0 | GOAL) {
            let reason = format!(
                "three tokens on {}; a square holds two of a seat",
                square(seat, three[0])
            );
            return Err(at_seat(reason));
        }
    }
    Ok(places)
}

/// Why a text is no square of a seat's route.
fn unknown(seat: Seat, token: &str) -> String {
    let on_board = notation::number(token).is_some_and(|ring| (1..=68).contains(&ring));
    if on_board {
        let first = square(seat, LAST_ON_RING);
        format!("{token} is not on {seat}'s route, which turns into its lane after {first}")
    } else {
        format!("'{token}' is no square; expected H, 1 to 68, c1 to c7 or G")
    }
}
