//! Backgammon: money play, matches, the cube.

pub mod board;
pub mod moves;
pub mod step;
