//! The tables of the page.

use crate::experiment::summary::{BotRow, LineUpRow, MeasureRow, PairRow, Summary};
use crate::report::text::{count, counted, known, percent, percent_range, range};

use super::{bots, share_digits};

/// The most rows of a table; the rest is in its file.
const MAX_ROWS: usize = 1000;
/// The most rows of a table that is not folded up.
const MAX_OPEN: usize = 60;

/// A table: headings with whether numbers stand below, and rows.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) note: String,
    pub(super) shown: String,
    pub(super) open: bool,
    pub(super) heads: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell of a table; a number has the key it is sorted by.
pub(super) enum Cell {
    Name(String),
    Text(String),
    Number(String, Option<f64>),
}

impl Cell {
    fn name(text: &str) -> Cell {
        Cell::Name(text.to_owned())
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    fn count(n: u64) -> Cell {
        Cell::Number(count(n), Some(n as f64))
    }

    fn known(value: Option<f64>) -> Cell {
        Cell::Number(known(value, 2), value)
    }

    fn percent(share: Option<f64>, digits: usize) -> Cell {
        Cell::Number(percent(share, digits), share)
    }

    fn percent_range(low: Option<f64>, high: Option<f64>, digits: usize) -> Cell {
        Cell::Number(percent_range(low, high, digits), low)
    }

    fn range(low: Option<f64>, high: Option<f64>) -> Cell {
        Cell::Number(range(low, high, 2), low)
    }
}

impl Table {
    /// A table of as many rows as a page holds; `file` has them all.
    fn new<R>(
        title: &'static str,
        note: &str,
        file: &str,
        heads: &[&'static str],
        rows: &[R],
        cells: impl Fn(&R) -> Vec<Cell>,
    ) -> Table {
        let all = rows.len();
        let rows: Vec<Vec<Cell>> = rows.iter().take(MAX_ROWS).map(cells).collect();
        let numbers = |column: usize| {
            rows.first()
                .is_some_and(|row| matches!(row[column], Cell::Number(..)))
        };
        let shown = if rows.len() < all {
            format!(
                "{} of {} rows; all are in {file}",
                count(rows.len() as u64),
                count(all as u64)
            )
        } else {
            format!("{}, as in {file}", counted(all as u64, "row"))
        };
        Table {
            title,
            note: note.to_owned(),
            shown,
            open: rows.len() <= MAX_OPEN,
            heads: heads
                .iter()
                .enumerate()
                .map(|(column, &head)| (head, numbers(column)))
                .collect(),
            rows,
        }
    }
}

pub(super) fn tables(summary: &Summary) -> Vec<Table> {
    let digits = 1 + share_digits(&bots(summary).collect::<Vec<_>>());
    let digits = digits.min(3);
    let blocks = format!("Intervals are over {}.", counted(summary.blocks, "block"));
    let tables = [
        bot_table(&summary.bots, &blocks, digits),
        pair_table(&summary.pairs, &blocks, digits),
        line_up_table(&summary.line_ups, &blocks, digits),
        measure_table(&summary.measures, &blocks),
    ];
    tables
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn measure_table(rows: &[MeasureRow], blocks: &str) -> Table {
    let note = rows
        .iter()
        .map(|row| row.note)
        .find(|note| !note.is_empty());
    let note = note.map_or_else(String::new, |note| format!(" Points: {note}."));
    Table::new(
        "What was counted",
        &format!("{blocks}{note}"),
        "measures.csv",
        &["bot", "measure", "games", "total", "a game", "95 %"],
        rows,
        |row| {
            vec![
                Cell::name(&row.bot),
                Cell::text(row.measure),
                Cell::count(row.games),
                Cell::Number(row.total.to_string(), Some(row.total as f64)),
                Cell::Number(known(row.mean, 4), row.mean),
                Cell::Number(range(row.mean_low, row.mean_high, 4), row.mean_low),
            ]
        },
    )
}

fn bot_table(rows: &[BotRow], blocks: &str, digits: usize) -> Table {
    Table::new(
        "Bots and seats",
        &format!(
            "{blocks} Captures are tokens sent back, a game; rolls and turns are of all seats."
        ),
        "summary.csv",
        &[
            "bot",
            "seat",
            "games",
            "wins",
            "wins, %",
            "95 %",
            "mean place",
            "95 %",
            "captures made",
            "captures suffered",
            "rolls",
            "turns",
        ],
        rows,
        |row| {
            vec![
                Cell::name(&row.bot),
                Cell::text(&row.seat),
                Cell::count(row.games),
                Cell::count(row.wins),
                Cell::percent(row.share, digits),
                Cell::percent_range(row.share_low, row.share_high, digits),
                Cell::known(row.mean_place),
                Cell::range(row.place_low, row.place_high),
                Cell::known(row.mean_captures_made),
                Cell::known(row.mean_captures_suffered),
                Cell::known(row.mean_rolls),
                Cell::known(row.mean_turns),
            ]
        },
    )
}

fn pair_table(rows: &[PairRow], blocks: &str, digits: usize) -> Table {
    Table::new(
        "Pairs",
        &format!(
            "{blocks} A meeting is a game in which both sit, once for each pair of their seats."
        ),
        "pairs.csv",
        &[
            "bot",
            "against",
            "meetings",
            "better",
            "same",
            "worse",
            "score, %",
            "95 %",
            "variance ratio",
            "note",
        ],
        rows,
        |row| {
            vec![
                Cell::name(&row.bot),
                Cell::name(&row.other),
                Cell::count(row.meetings),
                Cell::count(row.better),
                Cell::count(row.same),
                Cell::count(row.worse),
                Cell::percent(row.score, digits),
                Cell::percent_range(row.score_low, row.score_high, digits),
                Cell::known(row.variance_ratio),
                Cell::text(&row.note),
            ]
        },
    )
}

fn line_up_table(rows: &[LineUpRow], blocks: &str, digits: usize) -> Table {
    Table::new(
        "Line-ups",
        &format!(
            "{blocks} The fair share of a bot is its seats over all seats, of teams its sides over all sides."
        ),
        "line_ups.csv",
        &[
            "no.",
            "line-up",
            "bot",
            "seats",
            "games",
            "wins",
            "wins, %",
            "95 %",
            "fair share, %",
            "rolls",
            "turns",
            "stopped at the cap",
        ],
        rows,
        |row| {
            vec![
                Cell::count(row.line_up as u64),
                Cell::text(&row.bots),
                Cell::name(&row.bot),
                Cell::count(row.copies as u64),
                Cell::count(row.games),
                Cell::count(row.wins),
                Cell::percent(row.share, digits),
                Cell::percent_range(row.share_low, row.share_high, digits),
                Cell::percent(Some(row.fair_share), 1),
                Cell::known(row.mean_rolls),
                Cell::known(row.mean_turns),
                Cell::count(row.capped),
            ]
        },
    )
}
