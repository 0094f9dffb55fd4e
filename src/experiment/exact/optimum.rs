//! Optimal play, position by position: what every option of every decision is worth.

use std::sync::Arc;

use crate::bots::{Policy, View};
use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::random::Stream;
use crate::engine::seat::{PerSeat, Seat};

use super::graph::{Explorer, Index};
use super::sweep::{Aim, TIE};
use super::{ExactError, Ordered, Play};

/// What all positions that can follow some others are worth when every seat plays its best.
pub struct Optimum<G: Game> {
    index: Index<G::State>,
    values: Vec<f64>,
    aim: Aim,
    /// Positions that await a roll.
    pub states: usize,
}

/// A decision of a seat with more than one legal move.
pub struct Decision<'a, G: Game> {
    /// The position, with the roll to be played.
    pub state: &'a G::State,
    /// The roll it came from; none if the decision directly follows another one.
    pub roll: Option<G::Roll>,
    /// The seat that chooses.
    pub seat: Seat,
    /// Its legal moves.
    pub moves: &'a G::Moves,
    /// What each is worth to the seat, the more the better: its chance to win; for a seat alone
    /// the expected turns still to come, negative.
    pub worths: &'a [f64],
}

impl<G: Game> Optimum<G> {
    /// Solves the game from some positions on, all seats playing their best.
    ///
    /// # Errors
    /// When more than `max_states` positions can be reached, when more than two seats
    /// play, or when the values do not settle.
    pub fn of(game: &G, starts: &[G::State], max_states: usize) -> Result<Optimum<G>, ExactError> {
        let seats = game.seats();
        if seats.len() > 2 {
            return Err(ExactError::ManyOptimal { seats });
        }
        let mut plays = PerSeat::from_fn(|_| Play::Optimal);
        let aim = Aim::of(game, &plays);
        let explored = Explorer::new(game, &mut plays, max_states).explore(starts)?;
        let Ordered {
            index,
            graph,
            components,
        } = Ordered::of(game, explored)?;
        let values = aim.optimise(&graph, &components)?.values;
        let states = index.states().iter();
        let states = states.filter(|state| game.awaits_roll(state)).count();
        Ok(Optimum {
            index,
            values,
            aim,
            states,
        })
    }

    /// What a position is worth to a seat, the more the better; none if it was not reached.
    pub fn worth(&self, game: &G, state: &G::State, seat: Seat) -> Option<f64> {
        let value = match (game.turn(state), self.aim) {
            (Turn::Over, Aim::Fewest) => 0.0,
            (Turn::Over, Aim::Win(winner)) => {
                f64::from(u8::from(game.standing(state).places[winner] == 1))
            }
            _ => self.values[self.index.find(state)? as usize],
        };
        Some(self.aim.seen_by(seat, value))
    }

    /// What each move of a decision is worth to the seat that chooses, the more the better.
    ///
    /// # Panics
    /// When the position does not follow those that were solved.
    pub fn worths(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        moves: &G::Moves,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        for mv in moves.iter() {
            let mut next = *state;
            let effect = game.apply(&mut next, mv);
            let mut turns = u32::from(effect.turn_ends) + u32::from(effect.skipped);
            turns += follow(game, &mut next);
            let worth = self.worth(game, &next, seat);
            let worth = worth.expect("every option of a decision was explored");
            out.push(match self.aim {
                Aim::Fewest => worth - f64::from(turns),
                Aim::Win(_) => worth,
            });
        }
    }

    /// Calls `visit` with every decision of the positions solved, in a fixed order.
    pub fn each_decision(&self, game: &G, mut visit: impl FnMut(&Decision<'_, G>)) {
        let mut moves = G::Moves::default();
        let mut worths = Vec::new();
        let mut consider = |state: &G::State, roll| {
            let Turn::Decision(seat) = game.turn(state) else {
                return;
            };
            game.moves(state, &mut moves);
            self.worths(game, state, seat, &moves, &mut worths);
            visit(&Decision {
                state,
                roll,
                seat,
                moves: &moves,
                worths: &worths,
            });
        };
        for state in self.index.states() {
            if matches!(game.turn(state), Turn::Decision(_)) {
                consider(state, None);
                continue;
            }
            if game.turn(state) == Turn::Over {
                continue;
            }
            for &(roll, _) in game.rolls(state) {
                let mut next = *state;
                game.roll(&mut next, roll);
                follow(game, &mut next);
                consider(&next, Some(roll));
            }
        }
    }
}

/// Plays on while only one move is legal; how many turns ended.
fn follow<G: Game>(game: &G, state: &mut G::State) -> u32 {
    let mut moves = G::Moves::default();
    let mut turns = 0;
    while let Turn::Decision(_) = game.turn(state) {
        game.moves(state, &mut moves);
        if !moves.is_forced() {
            break;
        }
        let effect = game.apply(state, moves.get(0));
        turns += u32::from(effect.turn_ends) + u32::from(effect.skipped);
    }
    turns
}

/// Plays the first of the best moves, wherever the optimum knows the position.
pub struct Perfect<G: Game> {
    optimum: Arc<Optimum<G>>,
    worths: Vec<f64>,
}

impl<G: Game> Perfect<G> {
    /// The play of this optimum.
    pub fn of(optimum: Arc<Optimum<G>>) -> Perfect<G> {
        Perfect {
            optimum,
            worths: Vec::new(),
        }
    }
}

impl<G: Game> Policy<G> for Perfect<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let View {
            game,
            state,
            seat,
            moves,
        } = *view;
        let Perfect { optimum, worths } = self;
        optimum.worths(game, state, seat, moves, worths);
        let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let good_enough = best - TIE * best.abs().max(1.0);
        let good = worths.iter().position(|&worth| worth >= good_enough);
        good.expect("one is the best")
    }
}
