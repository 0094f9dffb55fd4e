//! `greedy`: captures when it can, the victim that loses most; else runs the furthest token home.
//! A game in which there is more to grab says what a move is worth.

use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::Seat;

use super::params::Reader;
use super::{Policy, PolicyEntry, View};

/// In a game whose rolls ask for several moves, what a move lets the seat capture next counts
/// too, and after a capture what its bonus captures, and so on.
struct Greedy;

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "greedy",
        about: G::GREED,
        params: vec![],
        build: |table| {
            Reader::new(table).finish()?;
            Ok(Box::new(Greedy))
        },
    }
}

impl<G: Race> Policy<G> for Greedy {
    fn is_greedy(&self) -> bool {
        true
    }

    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let mut index = 0;
        let mut best = (0, None);
        let weighs = view
            .game
            .prizes(view.state, view.seat, view.moves, |prize, from| {
                let merit = Some((prize, from));
                if merit > best.1 {
                    best = (index, merit);
                }
                index += 1;
            });
        if weighs {
            return best.0;
        }
        let mut best = (0, (0, false, 0));
        for (index, mv) in view.moves.iter().enumerate() {
            let effect = view.game.preview(view.state, mv);
            let lost = if G::CHAINS {
                spoils(view.game, view.state, view.seat, mv, true)
            } else {
                effect.lost
            };
            let merit = (lost, !effect.passed, effect.from);
            if merit > best.1 {
                best = (index, merit);
            }
        }
        best.0
    }
}

/// The pips the others lose to a move, and to the best move that may follow it in the same roll:
/// after any move if `look_on`, else only after a capture.
fn spoils<G: Game>(game: &G, state: &G::State, seat: Seat, mv: G::Move, look_on: bool) -> i16 {
    let mut after = *state;
    let effect = game.apply(&mut after, mv);
    let goes_on = effect.next == Turn::Decision(seat) && (look_on || !effect.hits.is_none());
    if !goes_on {
        return effect.lost;
    }
    let mut moves = G::Moves::default();
    game.moves(&after, &mut moves);
    let rest = moves
        .iter()
        .map(|mv| spoils(game, &after, seat, mv, false))
        .max();
    effect.lost + rest.unwrap_or(0)
}
