//! Reading match equity tables from CSV.

use std::fmt;

use thiserror::Error;

/// What a chance and its counterpart may miss 1 by, for tables rounded to five places.
const ROUNDING: f64 = 1e-5;
/// The smallest table that says how chances go on beyond it.
pub(super) const MIN_POINTS: usize = 5;

/// Which of the two tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetTable {
    /// Up to the Crawford game.
    PreCrawford,
    /// From there on.
    PostCrawford,
}

impl fmt::Display for MetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MetTable::PreCrawford => "pre-Crawford",
            MetTable::PostCrawford => "post-Crawford",
        })
    }
}

/// What is wrong with a match equity table, and where.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{table} table, line {line}, column {column}: {problem}")]
pub struct MetError {
    /// The table.
    pub table: MetTable,
    /// The line of the text, from 1, comments counted.
    pub line: usize,
    /// The cell of the line, from 1, the row's name counted.
    pub column: usize,
    /// What is wrong.
    pub problem: MetProblem,
}

/// What is wrong with a cell of a match equity table.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MetProblem {
    /// The cell holds no chance.
    #[error("'{0}' is no chance; a number between 0 and 1, both excluded")]
    NoChance(String),
    /// The row is named differently.
    #[error("row '{found}', expected '{expected}': rows are points away from 1 up, after a header")]
    Row {
        /// The name found.
        found: String,
        /// The name expected.
        expected: usize,
    },
    /// The row is too short or too long.
    #[error("{found} chances in this row, expected {expected}")]
    Width {
        /// Chances found.
        found: usize,
        /// Chances expected.
        expected: usize,
    },
    /// The table has too few rows, or not as many as its counterpart.
    #[error("the table ends after {found} rows, expected {expected}")]
    Height {
        /// Rows found.
        found: usize,
        /// Rows expected.
        expected: String,
    },
    /// The chances of both sides do not sum to 1.
    #[error("{chance} here and {counterpart} for the other side must sum to 1")]
    Sum {
        /// The chance of this cell.
        chance: f64,
        /// The chance of the same score seen by the other side.
        counterpart: f64,
    },
    /// The chance does not change as the score does.
    #[error(
        "{chance} after {before}: chances rise with the opponent's distance, fall with one's own"
    )]
    Order {
        /// The chance of this cell.
        chance: f64,
        /// The chance of the cell before it.
        before: f64,
    },
}

/// One row: where it is in the text, and its chances.
struct Row {
    line: usize,
    chances: Vec<f64>,
}

/// The pre-Crawford chances row by row and their number of rows.
pub(super) fn pre_crawford(text: &str) -> Result<(usize, Vec<f64>), MetError> {
    let table = MetTable::PreCrawford;
    let rows = rows(table, text, |rows| rows)?;
    at_least(table, &rows, MIN_POINTS)?;
    for (me, row) in rows.iter().enumerate() {
        for (opponent, &chance) in row.chances.iter().enumerate() {
            let fail = |problem| Err(error(table, row.line, opponent + 2, problem));
            let counterpart = rows[opponent].chances[me];
            if (chance + counterpart - 1.0).abs() > ROUNDING {
                return fail(MetProblem::Sum {
                    chance,
                    counterpart,
                });
            }
            if let Some(&before) = opponent.checked_sub(1).map(|left| &row.chances[left])
                && chance <= before
            {
                return fail(MetProblem::Order { chance, before });
            }
        }
    }
    Ok((
        rows.len(),
        rows.into_iter().flat_map(|row| row.chances).collect(),
    ))
}

/// The trailer's chances after the Crawford game, by the points it is away.
pub(super) fn post_crawford(text: &str, points: usize) -> Result<Vec<f64>, MetError> {
    let table = MetTable::PostCrawford;
    let rows = rows(table, text, |_| 1)?;
    at_least(table, &rows, points)?;
    let mut before = 1.0;
    for (index, row) in rows.iter().enumerate() {
        let chance = row.chances[0];
        let fail = |problem| Err(error(table, row.line, 2, problem));
        if index == 0 && (chance - 0.5).abs() > ROUNDING {
            return fail(MetProblem::Sum {
                chance,
                counterpart: chance,
            });
        }
        if chance >= before {
            return fail(MetProblem::Order { chance, before });
        }
        before = chance;
    }
    if rows.len() > points {
        let expected = points.to_string();
        return Err(height(table, &rows, expected));
    }
    Ok(rows.into_iter().map(|row| row.chances[0]).collect())
}

/// The rows below the header, each named and as wide as it must be.
fn rows(table: MetTable, text: &str, width: impl Fn(usize) -> usize) -> Result<Vec<Row>, MetError> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<_> = lines.skip(1).collect();
    let width = width(lines.len());
    let read = |(index, &(line, text))| row(table, index + 1, line, text, width);
    lines.iter().enumerate().map(read).collect()
}

/// One row: its name, which must be `name`, and `width` chances.
fn row(
    table: MetTable,
    name: usize,
    line: usize,
    text: &str,
    width: usize,
) -> Result<Row, MetError> {
    let mut cells = text.split(',').map(str::trim);
    let found = cells.next().unwrap_or_default();
    if found != name.to_string() {
        let found = found.to_string();
        let expected = name;
        return Err(error(table, line, 1, MetProblem::Row { found, expected }));
    }
    let cells: Vec<&str> = cells.collect();
    if cells.len() != width {
        let (found, expected) = (cells.len(), width);
        let column = found.min(width) + 2;
        return Err(error(
            table,
            line,
            column,
            MetProblem::Width { found, expected },
        ));
    }
    let chance = |(index, &cell): (usize, &&str)| match cell.parse() {
        Ok(chance) if 0.0 < chance && chance < 1.0 => Ok(chance),
        _ => Err(error(
            table,
            line,
            index + 2,
            MetProblem::NoChance(cell.to_string()),
        )),
    };
    let chances = cells
        .iter()
        .enumerate()
        .map(chance)
        .collect::<Result<_, _>>()?;
    Ok(Row { line, chances })
}

/// Whether the table has that many rows.
fn at_least(table: MetTable, rows: &[Row], expected: usize) -> Result<(), MetError> {
    if rows.len() < expected {
        return Err(height(table, rows, format!("at least {expected}")));
    }
    Ok(())
}

/// The error of a table with too few or too many rows, at its last one.
fn height(table: MetTable, rows: &[Row], expected: String) -> MetError {
    let line = rows.last().map_or(1, |row| row.line);
    let found = rows.len();
    error(table, line, 1, MetProblem::Height { found, expected })
}

fn error(table: MetTable, line: usize, column: usize, problem: MetProblem) -> MetError {
    MetError {
        table,
        line,
        column,
        problem,
    }
}
