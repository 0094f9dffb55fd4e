//! "Is option X balanced?": rule studies with a verdict one can trust.
//!
//! A [`spec::StudySpec`] says what to ask; [`spec::StudySpec::resolve`] checks it; [`run`] plays the blocks in order,
//! looks after every chunk and stops each question as soon as it is [decided](decide); [`results`] turns the counts
//! into rows. Four questions are answered, each for every rule set and set of seats: whether any seat wins more than
//! its share, whether any bot or restricted way of playing does, what each option changes, and how much is luck.

// Sizes and counts that are computed with fractions are never negative.
#![allow(clippy::cast_sign_loss)]

pub mod bernoulli;
pub mod course;
pub mod decide;
pub mod design;
pub mod jackknife;
mod looks;
pub mod luck;
pub mod margin;
pub mod plan;
pub mod players;
pub mod results;
pub mod run;
pub mod spec;
pub mod tally;
