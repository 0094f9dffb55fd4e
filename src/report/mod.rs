//! Reports: rows as CSV, as a table for the terminal, as a page. Computes nothing.

pub mod csv;
