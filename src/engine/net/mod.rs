//! Small nets: evaluation, training steps, and what their files have in common. Same bits on every
//! machine.

mod file;
mod layers;
mod run;
mod sigmoid;

pub use file::{NetError, hidden_units, read_bytes, sealed, unsealed};
pub use layers::{LANES, Layers, Work};
pub use run::{Run, RunError, Trainee};
