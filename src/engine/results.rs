//! Result sets: every position a roll can lead to, whatever an engine calls a move.

use std::collections::BTreeSet;

use super::game::{DiceError, Game, MoveSet, Script, Turn};

/// The positions that await the next roll (or are finished) after the dice of a script were
/// played out in every legal way, the choices of all seats included; sorted by code points,
/// without duplicates, never empty. Every branch reads the script from its start; unread faces
/// are ignored.
///
/// # Errors
/// When a face is not on the die or a branch needs more faces than the script has.
pub fn result_set<G: Game>(
    game: &G,
    state: &G::State,
    faces: &[i64],
) -> Result<Vec<String>, DiceError> {
    let mut script = Script::new(faces);
    let mut next = *state;
    if let Turn::Chance(_) = game.turn(state) {
        let roll = game.read_roll(state, &mut script)?;
        game.roll(&mut next, roll);
    }
    let mut found = BTreeSet::new();
    follow(game, &next, &script, &mut found)?;
    Ok(found.into_iter().collect())
}

fn follow<G: Game>(
    game: &G,
    state: &G::State,
    script: &Script<'_>,
    found: &mut BTreeSet<String>,
) -> Result<(), DiceError> {
    match game.turn(state) {
        Turn::Decision(_) => {
            let mut moves = G::Moves::default();
            game.moves(state, &mut moves);
            for mv in moves.iter() {
                let mut next = *state;
                game.apply(&mut next, mv);
                follow(game, &next, script, found)?;
            }
        }
        Turn::Chance(_) if game.is_mid_roll(state) => {
            let mut script = script.clone();
            let mut next = *state;
            let roll = game.read_roll(state, &mut script)?;
            game.roll(&mut next, roll);
            follow(game, &next, &script, found)?;
        }
        Turn::Chance(_) | Turn::Over => {
            found.insert(game.print(state));
        }
    }
    Ok(())
}
