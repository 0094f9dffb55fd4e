//! `learned`: plays what a net trained by self-play takes for the best chance to win.
//!
//! The net sees a position that awaits a roll from the place of one seat ([`Race::inputs`]) and
//! says how likely that seat, or its team, is to win. All seats of all tables share it. `racelab
//! train` makes such nets, see `docs/learning.md`.

mod file;
mod policy;

use std::marker::PhantomData;

use crate::engine::game::Turn;
use crate::engine::net::{Layers, Work};
use crate::engine::race::{Inputs, Race};
use crate::engine::random::Stream;
use crate::engine::seat::Seat;

pub use policy::Learned;
pub(super) use policy::{NET, NET_HASH, NetFile, entry, fill_in_hash};

/// A learned evaluator of the game `G`.
#[derive(Debug)]
pub struct Evaluator<G> {
    inputs: Inputs,
    layers: Layers<1>,
    game: PhantomData<fn() -> G>,
}

/// By hand: the game itself need not be cloned.
impl<G> Clone for Evaluator<G> {
    fn clone(&self) -> Evaluator<G> {
        Evaluator {
            inputs: self.inputs,
            layers: self.layers.clone(),
            game: PhantomData,
        }
    }
}

/// The buffers of evaluations, to be used again and again.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    inputs: Vec<f32>,
    work: Work,
}

impl Scratch {
    /// Forgets the position that others are compared with.
    pub fn forget(&mut self) {
        self.work.forget();
    }
}

impl<G: Race> Evaluator<G> {
    /// An evaluator with small random weights that sees these inputs of the game.
    pub fn random(inputs: Inputs, hidden: usize, mut random: Stream) -> Evaluator<G> {
        let weights: Vec<f32> = (0..Layers::<1>::weights(inputs.count, hidden))
            .map(|_| (0.2 * random.unit() - 0.1) as f32)
            .collect();
        let layers = Layers::from_weights(inputs.count, hidden, &weights);
        Evaluator::of(inputs, layers)
    }

    fn of(inputs: Inputs, layers: Layers<1>) -> Evaluator<G> {
        Evaluator {
            inputs,
            layers,
            game: PhantomData,
        }
    }

    /// What it sees.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// Hidden units.
    pub fn hidden(&self) -> usize {
        self.layers.hidden()
    }

    /// The evaluator as it would be shipped: with its weights rounded.
    #[must_use]
    pub fn rounded(&self) -> Evaluator<G> {
        Evaluator::of(self.inputs, self.layers.rounded())
    }

    /// The chance that the side of `seat` wins from a position that awaits a roll; of a finished
    /// game, what it came to.
    pub fn chance(&self, game: &G, state: &G::State, seat: Seat, scratch: &mut Scratch) -> f64 {
        if game.turn(state) == Turn::Over {
            return f64::from(u8::from(game.standing(state).places[seat] == 1));
        }
        scratch.inputs.clear();
        scratch.inputs.resize(self.inputs.count, 0.0);
        game.inputs(self.inputs.version, state, seat, &mut scratch.inputs);
        let [chance] = self.layers.evaluate(&scratch.inputs, &mut scratch.work);
        f64::from(chance)
    }

    /// One step of gradient descent on the cross entropy of the chance of a position with these
    /// inputs to `target`.
    pub fn learn(&mut self, inputs: &[f32], target: f32, step: f32, scratch: &mut Scratch) {
        self.layers
            .train(inputs, &[Some(target)], step, &mut scratch.work);
    }
}
