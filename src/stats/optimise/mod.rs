//! Optimisers of a noisy score, as ask and tell: `ask` gives the candidates of a generation, whoever owns the games
//! plays them all on the same dice, `tell` takes what they scored.
//!
//! All of them maximise. They draw their random numbers from the stream (seed, generation, run) with the purpose
//! [`Purpose::Search`], so the same seed and the same scores give the same candidates; nothing else is remembered, and a
//! run that was interrupted is restored by telling the old scores again.
//!
//! | | for | returns |
//! |---|---|---|
//! | [`Spsa`] | numbers, also whole ones; two candidates a generation | where the walk ended |
//! | [`CmaEs`] | up to 30 numbers | the mean of the distribution, never the best sample |
//! | [`Ntbea`] | a few values for each parameter | one point for each run, to be raced |
//! | [`Race`] | a finite set | whoever is left, or leads at the end |

mod cma_es;
mod eigen;
mod ntbea;
mod race;
mod spsa;
pub mod synthetic;

pub use cma_es::{CmaEs, MAX_AXES, default_population};
pub use ntbea::{Ntbea, NtbeaSettings};
pub use race::Race;
pub use spsa::Spsa;

use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::Seat;

/// A number that is tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    /// The least value.
    pub low: f64,
    /// The greatest value, above `low`.
    pub high: f64,
    /// How far a first try goes, above 0: the spread of CMA-ES at first, the perturbation of SPSA at the end.
    pub step: f64,
    /// Whether only whole numbers can be played.
    pub whole: bool,
}

/// What the candidates of a generation scored.
#[derive(Clone, PartialEq, Debug)]
pub struct Scores {
    /// The mean score of each candidate, in the order in which they were asked.
    pub values: Vec<f64>,
    /// The variance of the noise in each value, as far as it is not common to all candidates.
    pub noise: f64,
}

/// The random numbers of a generation; `run` tells apart searches that go on side by side, at most eight.
fn stream(seed: u64, generation: u32, run: usize) -> Stream {
    BlockKey::new(seed, generation.into()).stream(Purpose::Search, Seat::new(run))
}

/// A standard normal number (Box & Muller 1958); takes two draws.
fn normal(stream: &mut Stream) -> f64 {
    // 1 − u is in (0, 1], where the logarithm is finite.
    let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * stream.unit())
}
