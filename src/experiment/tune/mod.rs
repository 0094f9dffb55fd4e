//! Tuning: better `[params]` for a bot, found on some dice and proven on others.
//!
//! A [`spec::TuneSpec`] says what is tuned against whom; [`spec::TuneSpec::resolve`] checks it. [`run`] plays generation
//! after generation: [`search`] asks for candidates, [`objective`] plays all of them on the same dice, new ones in each
//! generation. In the end the candidate plays the bot it came from in a match on dice that no candidate has seen, and
//! only what wins it is called tuned.
//!
//! Four [`domains`] of blocks share no dice: tuning, the selection among finalists, the match, and the report of what was
//! gained.

// Sizes and counts that are computed with fractions are never negative.
#![allow(clippy::cast_sign_loss)]

pub mod domains;
pub mod objective;
pub mod results;
pub mod run;
pub mod search;
pub mod settings;
pub mod space;
pub mod spec;
