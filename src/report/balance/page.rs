//! The report of a study as one page: no other file, no network, the same bytes again.

use askama::Template;
use serde::Serialize;

use crate::experiment::balance::results::{Results, SeatRow};
use crate::report::svg::{self, Bar};
use crate::report::text::{count, percent, percent_range, shorten};

use super::{COMMAND, StudyInfo, text};

/// The most charts; the rest is in the tables.
const MAX_CHARTS: usize = 16;
/// The most rows of a table; the rest is in its file.
const MAX_ROWS: usize = 1_000;

const STYLE: &str = include_str!("../page.css");
const SCRIPT: &str = include_str!("../page.js");

/// The page. All texts of the user are escaped; sorting tables is all that needs a script.
///
/// # Panics
/// Never: writing to a string does not fail.
pub fn page(results: &Results, info: &StudyInfo) -> String {
    let mut facts = info.facts.clone();
    facts.push(("games".to_owned(), count(results.games)));
    let page = Page {
        info,
        facts,
        warnings: results.failures.iter().chain(&results.warnings).collect(),
        block: text::block(results, info),
        charts: charts(&results.seats),
        tables: vec![
            table("Verdicts", "verdicts.csv", &results.verdicts),
            table("Seats", "seats.csv", &results.seats),
            table("One against a table", "bots.csv", &results.bots),
            table("What the options change", "effects.csv", &results.effects),
            table("Numbers about the game", "game.csv", &results.game),
        ],
    };
    page.render().expect("writing to a string does not fail")
}

#[derive(Template)]
#[template(
    ext = "html",
    whitespace = "minimize",
    source = r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{{ info.title }}</title>
<style>
{{ STYLE|safe }}</style>
</head>
<body>
<h1>{{ info.title }}</h1>
{% if !warnings.is_empty() %}
<ul class="warnings" aria-label="Warnings">
{% for warning in warnings %}
<li>{{ warning }}</li>
{% endfor %}
</ul>
{% endif %}
<dl>
{% for (label, value) in facts %}
<dt>{{ label }}</dt><dd>{{ value }}</dd>
{% endfor %}
</dl>
<p>Play it again, with the same numbers:</p>
<pre><code>{{ COMMAND }}</code></pre>
<h2>Verdict</h2>
<pre><code>{{ block }}</code></pre>
{% for chart in charts %}
<h2>{{ chart.title }}</h2>
<figure>
<div class="plain" tabindex="0" role="group" aria-label="{{ chart.title }}">{{ chart.svg|safe }}</div>
<figcaption>Bars: share of games each seat won, the same bot at all seats. Whiskers: confidence sequence, all seats
and bots of the table together. Dashed: the share of equal seats.</figcaption>
</figure>
{% endfor %}
<h2>How to read this</h2>
<p><em>Balanced</em> means proven to lie within the margin, <em>unbalanced</em> proven to lie outside, <em>undecided</em>
that neither is proven. Each is wrong with at most the stated probability, whenever the study stopped. A verdict holds
for the bots that played: other ways of playing may meet the rules elsewhere.</p>
{% for table in tables %}
{% if !table.rows.is_empty() %}
<h2>{{ table.title }}</h2>
<p class="note">All rows with all digits: {{ table.file }}</p>
<details>
<summary>{{ table.shown }}</summary>
<div class="box" tabindex="0" role="group" aria-label="{{ table.title }}">
<table>
<thead><tr>{% for (head, number) in table.heads %}<th scope="col"{% if *number %} class="number"{% endif %}>{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in table.rows %}
<tr>{% for (cell, number) in row %}{% if *number %}<td class="number" data-n="{{ cell }}">{{ cell }}</td>{% else %}<td>{{ cell }}</td>{% endif %}{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
</div>
</details>
{% endif %}
{% endfor %}
<script>
{{ SCRIPT|safe }}</script>
</body>
</html>
"##
)]
struct Page<'a> {
    info: &'a StudyInfo,
    facts: Vec<(String, String)>,
    warnings: Vec<&'a String>,
    block: String,
    charts: Vec<Chart>,
    tables: Vec<Table>,
}

struct Chart {
    title: String,
    svg: String,
}

/// One chart for each table: its seats with each bot.
fn charts(rows: &[SeatRow]) -> Vec<Chart> {
    let same = |a: &SeatRow, b: &SeatRow| a.seats == b.seats && a.rules == b.rules;
    let mut charts: Vec<(&SeatRow, Vec<Bar>)> = Vec::new();
    for row in rows {
        let interval = percent_range(row.low.0, row.high.0, 2);
        let numbers = format!("{} % ({interval})", percent(row.share.0, 2));
        let bar = Bar {
            label: shorten(&format!("{} {}", row.seat, row.bot), 30),
            tip: format!(
                "{} at {}: {numbers}, {} games",
                row.bot,
                row.seat,
                count(row.games)
            ),
            numbers,
            share: row.share.0,
            interval: row.low.0.zip(row.high.0),
        };
        match charts.iter_mut().find(|(first, _)| same(first, row)) {
            Some((_, bars)) => bars.push(bar),
            None => charts.push((row, vec![bar])),
        }
    }
    let charts = charts.into_iter().take(MAX_CHARTS).map(|(row, bars)| {
        let title = format!("Seats {}, {}", row.seats, row.rules);
        Chart {
            svg: svg::bars(&title, &bars, row.fair_share.0.unwrap_or(0.0)),
            title,
        }
    });
    charts.collect()
}

struct Table {
    title: &'static str,
    file: &'static str,
    shown: String,
    /// The columns, and whether they hold numbers.
    heads: Vec<(String, bool)>,
    rows: Vec<Vec<(String, bool)>>,
}

/// A CSV file as a table.
fn table<T: Serialize>(title: &'static str, file: &'static str, rows: &[T]) -> Table {
    let values = rows.iter().take(MAX_ROWS).map(|row| {
        let value = serde_json::to_value(row).expect("a row has plain fields");
        value.as_object().cloned().unwrap_or_default()
    });
    let values: Vec<_> = values.collect();
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::Null => (String::new(), false),
        serde_json::Value::String(text) => (text.clone(), false),
        value => (value.to_string(), value.is_number()),
    };
    let heads = values.first().map(|row| {
        let heads = row.keys().map(|name| {
            let is_number = values.iter().any(|row| row[name].is_number());
            (name.replace('_', " "), is_number)
        });
        heads.collect()
    });
    Table {
        title,
        file,
        shown: match rows.len() {
            all if all > MAX_ROWS => format!(
                "the first {} of {} rows",
                count(MAX_ROWS as u64),
                count(all as u64)
            ),
            all => format!("{} rows", count(all as u64)),
        },
        heads: heads.unwrap_or_default(),
        rows: values
            .iter()
            .map(|row| row.values().map(cell).collect())
            .collect(),
    }
}
