//! Experiments: from a spec to a result folder.
//!
//! A [`spec::Spec`] says what to play; [`spec::Spec::resolve`] checks it and spells it out; the
//! [`runner`] plays the blocks that no [`record`] covers; the records merge into one
//! [`tally::Tally`]; [`summary`] turns counts into rows with intervals; [`folder`] keeps it all in
//! one place.

pub mod analyze;
pub mod balance;
pub mod duel;
pub mod exact;
pub mod folder;
pub mod games_csv;
pub mod rating;
pub mod record;
pub mod regret;
pub mod runner;
pub mod saved_games;
pub mod schedule;
pub mod spec;
pub mod study_folder;
pub mod summary;
pub mod table;
pub mod tally;
pub mod train;
pub mod tune;
