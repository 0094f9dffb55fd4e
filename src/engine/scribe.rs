//! Writing whole games down, in the notations that a game has for them.

use super::game::{Effect, Game};
use super::play::Observer;
use super::seat::{PerSeat, Seat};

/// Writes down one game as it is played; seen from its start to its end.
pub trait Scribe<G: Game>: Observer<G> {
    /// The text of a file with what was seen; a game that was stopped ends unfinished.
    fn text(&self) -> String;
}

/// Why games are not written down in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScribeError {
    /// A game without a notation for whole games.
    #[error("'{format}'; {game} has no notation for whole games")]
    NoNotation {
        /// The game.
        game: &'static str,
        /// The format asked for.
        format: String,
    },
    /// A format the game does not have.
    #[error("no format '{format}'; {game} knows {}", .known.join(", "))]
    NoFormat {
        /// The game.
        game: &'static str,
        /// The format asked for.
        format: String,
        /// Those it has.
        known: &'static [&'static str],
    },
    /// Rules the format has no place for.
    #[error("{format} cannot hold games with {rule}; expected {expected}")]
    Rules {
        /// The format asked for.
        format: &'static str,
        /// The rule, as in a spec.
        rule: String,
        /// What would have worked.
        expected: &'static str,
    },
}

/// The names at the table, by seat.
pub type Names<'a> = PerSeat<&'a str>;

/// Two observers of the same game, the first to be told first.
pub struct Both<'a, A, B: ?Sized>(pub &'a mut A, pub &'a mut B);

impl<G: Game, A: Observer<G>, B: Observer<G> + ?Sized> Observer<G> for Both<'_, A, B> {
    fn rolled(&mut self, game: &G, state: &G::State, seat: Seat, roll: G::Roll) {
        self.0.rolled(game, state, seat, roll);
        self.1.rolled(game, state, seat, roll);
    }

    fn choosing(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) {
        self.0.choosing(game, state, seat, moves);
        self.1.choosing(game, state, seat, moves);
    }

    fn moving(&mut self, game: &G, state: &G::State, seat: Seat, mv: G::Move) {
        self.0.moving(game, state, seat, mv);
        self.1.moving(game, state, seat, mv);
    }

    /// The first one plays: a move is played once.
    fn play(&mut self, game: &G, state: &mut G::State, seat: Seat, mv: G::Move) -> Effect {
        self.0.play(game, state, seat, mv)
    }

    fn moved(&mut self, game: &G, state: &G::State, seat: Seat, effect: &Effect) {
        self.0.moved(game, state, seat, effect);
        self.1.moved(game, state, seat, effect);
    }
}
