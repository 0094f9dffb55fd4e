//! racelab: a laboratory for dice race games.

pub mod stats;
