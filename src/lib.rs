//! racelab: a laboratory for dice race games.

pub mod bots;
pub mod engine;
pub mod experiment;
pub mod games;
pub mod report;
pub mod stats;
