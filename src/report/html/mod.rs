//! The report of a tournament as one page: no other file, no network, the same bytes again.

mod tables;

use askama::Template;

use crate::experiment::summary::{BotRow, Length, LengthRow, PairRow, Summary};

pub use super::PageInfo;
use super::svg::{self, Bar};
use super::text::{
    UNKNOWN, count, counted, decimals, known, percent, percent_range, plus_minus, reach, shorten,
};
use tables::{Cell, Table, tables};

/// The columns of a name above a bar.
const NAME: usize = 22;
/// The columns of a name beside a row of cells: with four cells, as wide as a phone.
const SHORT_NAME: usize = 16;

const STYLE: &str = include_str!("../page.css");
const SCRIPT: &str = include_str!("../page.js");

/// The page. All texts of the user are escaped; sorting tables is all that needs a script.
///
/// # Panics
/// Never: writing to a string does not fail.
pub fn page(summary: &Summary, info: &PageInfo) -> String {
    let mut facts = info.all_facts(summary);
    let counts = [
        ("rolls", summary.all_rolls),
        ("rolls that moved nothing", summary.idle),
        ("decisions with a choice", summary.choices),
        ("tokens sent back", summary.captures),
    ];
    facts.extend(counts.map(|(label, n)| (label.to_owned(), count(n))));
    let page = Page {
        info,
        facts,
        warnings: &summary.warnings,
        charts: charts(summary),
        tables: tables(summary),
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
<meta name="generator" content="{{ info.version }}">
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
<pre><code>{{ info.command }}</code></pre>
{% for chart in charts %}
<h2>{{ chart.title }}</h2>
<figure>
<div class="{{ chart.class }}" tabindex="0" role="group" aria-label="{{ chart.title }}">{{ chart.svg|safe }}</div>
<figcaption>{{ chart.caption }}</figcaption>
</figure>
{% endfor %}
<h2>How to read this</h2>
<p>A <em>block</em> is one set of dice, played by every line-up in all its rotations, so that each
bot meets the same luck at each seat. Blocks are independent of each other; the games of a block
are not. Every interval is therefore a 95 % Student interval over blocks, never over games. Each
stands for itself: of twenty such intervals one misses the true value on average.</p>
<p>The <em>fair share</em> is what equal bots would win: one game in as many as there are
seats, or teams where seats win together.
The <em>score</em> of a bot against another is its share of meetings with the better place, the
same place counting half: 50 % is even. To tell two bots apart, look at their score, not at
whether two intervals overlap.</p>
<p>The <em>variance ratio</em> says how many times smaller the variance of a score is than if the
games were independent. At 2, half the games tell as much; at 1, sharing the dice gains nothing;
below 1, the games of a block repeat each other.</p>
{% for table in tables %}
<h2>{{ table.title }}</h2>
<p class="note">{{ table.note }}</p>
<details{% if table.open %} open{% endif %}>
<summary>{{ table.shown }}</summary>
<div class="box" tabindex="0" role="group" aria-label="{{ table.title }}">
<table>
<thead><tr>{% for (head, numbers) in table.heads %}<th scope="col"{% if *numbers %} class="number"{% endif %}>{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in table.rows %}
<tr>{% for cell in row %}{% match cell %}{% when Cell::Name with (text) %}<th scope="row">{{ text }}</th>{% when Cell::Text with (text) %}<td>{{ text }}</td>{% when Cell::Number with (text, Some(key)) %}<td class="number" data-n="{{ key }}">{{ text }}</td>{% when Cell::Number with (text, None) %}<td class="number">{{ text }}</td>{% endmatch %}{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
</div>
</details>
{% endfor %}
<footer><p>{{ info.version }}</p></footer>
<script>
{{ SCRIPT|safe }}</script>
</body>
</html>
"##
)]
struct Page<'a> {
    info: &'a PageInfo,
    facts: Vec<(String, String)>,
    warnings: &'a [String],
    charts: Vec<Chart>,
    tables: Vec<Table>,
}

/// A chart and what to see in it.
struct Chart {
    title: &'static str,
    /// `box` for a chart that may be wider than the page.
    class: &'static str,
    svg: String,
    caption: String,
}

fn charts(summary: &Summary) -> Vec<Chart> {
    let all: Vec<&BotRow> = bots(summary).collect();
    let mut charts = Vec::new();
    if let Some(first) = all.first() {
        charts.push(Chart {
            title: "Share of wins",
            class: "plain",
            svg: share_bars(&all, first.fair_share),
            caption: "Bars: share of games won, a game counted once for each seat the bot holds. \
                      Whiskers: 95 % interval over blocks. Dashed: what equal bots would win."
                .to_owned(),
        });
        charts.push(Chart {
            title: "Share of wins at each seat, %",
            class: "box",
            svg: seat_map(summary, &all, first.fair_share),
            caption: "Blue: more than the fair share. Orange: less. The stronger the colour, the \
                      further."
                .to_owned(),
        });
    }
    if !summary.pairs.is_empty() {
        charts.push(Chart {
            title: "Head to head, %",
            class: "box",
            svg: pair_map(&summary.pairs, &all),
            caption: "How often the bot of the row has the better place than the bot of the \
                      column, the same place counting half. Blue: more than half. Orange: less."
                .to_owned(),
        });
    }
    let lengths = [
        ("Length of a game in rolls", "rolls", &summary.rolls),
        ("Length of a game in turns", "turns", &summary.turns),
    ];
    for (title, measure, length) in lengths {
        let rows = summary.lengths.iter().filter(|row| row.measure == measure);
        let rows: Vec<&LengthRow> = rows.collect();
        if !rows.is_empty() {
            charts.push(length_chart(title, measure, length, &rows));
        }
    }
    charts
}

/// The rows of the bots at all seats together.
fn bots(summary: &Summary) -> impl Iterator<Item = &BotRow> {
    summary.bots.iter().filter(|row| row.seat == "all")
}

fn share_digits(summary: &[&BotRow]) -> usize {
    let reaches = summary
        .iter()
        .filter_map(|row| reach(row.share, row.share_low, row.share_high));
    decimals(reaches)
}

fn share_bars(all: &[&BotRow], fair: f64) -> String {
    let digits = share_digits(all);
    let bar = |row: &&BotRow| {
        let interval = percent_range(row.share_low, row.share_high, digits);
        let numbers = match interval.as_str() {
            "" => format!("{} %", percent(row.share, digits)),
            interval => format!("{} % ({interval})", percent(row.share, digits)),
        };
        Bar {
            label: shorten(&row.bot, NAME),
            tip: format!(
                "{}: {numbers}; {} of {}, {}",
                row.bot,
                count(row.wins),
                counted(row.games, "game"),
                counted(row.blocks, "block")
            ),
            numbers,
            share: row.share,
            interval: row.share_low.zip(row.share_high),
        }
    };
    let rows: Vec<Bar> = all.iter().map(bar).collect();
    svg::bars("Share of wins of each bot with its interval", &rows, fair)
}

fn seat_map(summary: &Summary, all: &[&BotRow], fair: f64) -> String {
    let seats = summary.bots.iter().filter(|row| row.seat != "all");
    let mut seats: Vec<String> = seats.map(|row| row.seat.clone()).collect();
    seats.sort();
    seats.dedup();
    let row = |bot: &&BotRow| svg::Row {
        label: shorten(&bot.bot, SHORT_NAME),
        cells: seats
            .iter()
            .map(|seat| {
                let mut rows = summary.bots.iter();
                let row = rows.find(|row| row.bot == bot.bot && row.seat == *seat)?;
                Some(svg::Cell {
                    text: percent(row.share, 1),
                    below: plus_minus(reach(row.share, row.share_low, row.share_high), 1),
                    tip: with_interval(
                        &format!("{} at {seat}", bot.bot),
                        row.share,
                        (row.share_low, row.share_high),
                        row.games,
                    ),
                    value: row.share,
                })
            })
            .collect(),
    };
    let rows: Vec<svg::Row> = all.iter().map(row).collect();
    svg::heat_map(
        "Share of wins of each bot at each seat",
        &seats,
        &rows,
        fair,
    )
}

fn pair_map(pairs: &[PairRow], all: &[&BotRow]) -> String {
    let columns: Vec<String> = (1..=all.len()).map(|number| number.to_string()).collect();
    let many = all.len() > 12;
    let cell = |bot: &BotRow, other: &BotRow| {
        let mut pairs = pairs.iter();
        let pair = pairs.find(|pair| pair.bot == bot.bot && pair.other == other.bot)?;
        Some(svg::Cell {
            text: percent(pair.score, usize::from(!many)),
            below: if many {
                String::new()
            } else {
                plus_minus(reach(pair.score, pair.score_low, pair.score_high), 1)
            },
            tip: with_interval(
                &format!("{} against {}", pair.bot, pair.other),
                pair.score,
                (pair.score_low, pair.score_high),
                pair.meetings,
            ),
            value: pair.score,
        })
    };
    let row = |(number, bot): (usize, &&BotRow)| svg::Row {
        label: shorten(&format!("{} {}", number + 1, bot.bot), SHORT_NAME),
        cells: all.iter().map(|other| cell(bot, other)).collect(),
    };
    let rows: Vec<svg::Row> = all.iter().enumerate().map(row).collect();
    svg::heat_map("Score of each bot against each other", &columns, &rows, 0.5)
}

/// A tooltip: `a against b: 52.10 % (51.05–53.15), 4,000 games`.
fn with_interval(
    what: &str,
    share: Option<f64>,
    (low, high): (Option<f64>, Option<f64>),
    games: u64,
) -> String {
    let interval = match percent_range(low, high, 2) {
        interval if interval.is_empty() => String::new(),
        interval => format!(" ({interval})"),
    };
    format!(
        "{what}: {} %{interval}, {}",
        percent(share, 2),
        counted(games, "game")
    )
}

fn length_chart(title: &'static str, measure: &str, length: &Length, rows: &[&LengthRow]) -> Chart {
    let at = |percent: u32| {
        let mut quantiles = length.quantiles.iter();
        quantiles
            .find(|&&(at, _)| at == percent)
            .map(|&(_, value)| value)
    };
    let shown =
        |value: Option<u32>| value.map_or_else(|| UNKNOWN.to_owned(), |value| count(value.into()));
    let marks = [("edge", 5), ("mark", 50), ("edge", 95)];
    let marks: Vec<(&str, u32)> = marks
        .iter()
        .filter_map(|&(class, percent)| Some((class, at(percent)?)))
        .collect();
    Chart {
        title,
        class: "plain",
        svg: svg::histogram(title, rows, &marks),
        caption: format!(
            "{}: mean {} {measure}, standard deviation {}, from {} to {}. Dashed: \
             median {}. Dotted: 5 % and 95 %, {} and {}.",
            counted(length.games, "finished game"),
            known(length.mean, 1),
            known(length.sd, 1),
            shown(length.min),
            shown(length.max),
            shown(at(50)),
            shown(at(5)),
            shown(at(95)),
        ),
    }
}

#[cfg(test)]
mod tests;
