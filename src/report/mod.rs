//! Reports: rows as CSV, as a table for the terminal, as a page. Computes nothing.

pub mod csv;
pub mod folder;
pub mod run_json;
