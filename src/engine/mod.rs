//! The engine: what every game is made of. Knows no game.

pub mod ends;
pub mod file;
pub mod game;
pub mod laws;
pub mod net;
pub mod notation;
pub mod perft;
pub mod play;
pub mod race;
pub mod random;
pub mod results;
pub mod scribe;
pub mod seat;
