//! Experiments: from a spec to a result folder.

pub mod exact;
pub mod table;
