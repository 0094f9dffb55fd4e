//! Reports: rows as CSV, as a table for the terminal, as a page. Computes nothing.

pub mod balance;
pub mod csv;
#[cfg(test)]
mod fixtures;
pub mod folder;
pub mod html;
pub mod matches;
pub mod run_json;
mod svg;
pub mod terminal;
pub mod text;
pub mod tune;

use crate::experiment::summary::Summary;

/// What a report says about a run beside its numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PageInfo {
    /// The headline: the name of the spec.
    pub title: String,
    /// What was played, as label and value: game, rules, seats, schedule, seed, job. Counts of
    /// blocks and games are not among them; they are added from the summary.
    pub facts: Vec<(String, String)>,
    /// The command that plays it again.
    pub command: String,
    /// The program and its version.
    pub version: String,
}

impl PageInfo {
    /// All facts: those of the spec, then the counts of the summary.
    fn all_facts(&self, summary: &Summary) -> Vec<(String, String)> {
        let counted = |label: &str, n: u64| (label.to_owned(), text::count(n));
        let mut facts = self.facts.clone();
        facts.push(counted("blocks", summary.blocks));
        facts.push(counted("games", summary.games));
        if summary.capped > 0 {
            facts.push(counted("stopped at the cap", summary.capped));
        }
        facts
    }
}
