//! A Position ID and a Match ID joined by a colon, as GNU Backgammon prints and takes them.

use super::{Position, match_id, position_id};
use crate::engine::game::PositionError;

/// `4HPwATDgc/ABMA:cAkAAAAAAAAA`.
///
/// # Errors
/// When the position contradicts itself, see [`Position::check`].
pub fn write(position: &Position) -> Result<String, PositionError> {
    let match_id = match_id::write(position)?;
    Ok(format!(
        "{}:{match_id}",
        position_id::write(&position.board)
    ))
}

/// The position of both IDs; a Position ID alone is [money play](Position::money).
///
/// # Errors
/// When one of the IDs is none, or they contradict themselves.
pub fn read(text: &str) -> Result<Position, PositionError> {
    let Some((board, rest)) = text.split_once(':') else {
        let position = Position::money(position_id::read(text)?);
        position.check()?;
        return Ok(position);
    };
    match_id::read(rest, position_id::read(board)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::Board;

    #[test]
    fn a_position_id_alone_is_money_play() {
        let position = Position::money(Board::START);
        assert_eq!(read("4HPwATDgc/ABMA"), Ok(position));
        assert_eq!(read(" 4HPwATDgc/ABMA : cAkAAAAAAAAA "), Ok(position));
        let error = read("AAAAAAAAAAAAAA").expect_err("an empty board");
        assert_eq!(error.place, "board");
    }
}
