//! Experiments: from a spec to a result folder.

pub mod table;
