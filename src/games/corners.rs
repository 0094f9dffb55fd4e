//! What all boards with four corners refuse.

use crate::engine::game::RulesError;
use crate::engine::seat::SeatSet;

/// Refuses seats the board does not have, and tables of one.
pub(super) fn check_seats(seats: SeatSet) -> Result<(), RulesError> {
    let reason = if let Some(seat) = seats.iter().find(|seat| seat.index() >= 4) {
        format!("there is no seat {seat} at this board; its corners are A, B, C, D")
    } else if seats.len() < 2 {
        format!(
            "'{seats}' is {} seat; 2 to 4 play, e.g. 'AC' or 'ABCD'",
            seats.len()
        )
    } else {
        return Ok(());
    };
    let field = "seats";
    Err(RulesError { field, reason })
}
