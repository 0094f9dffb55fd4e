//! Backgammon: money play, matches, the cube.

pub mod bearoff;
pub mod board;
pub mod cube;
pub mod moves;
pub mod notation;
pub mod step;
