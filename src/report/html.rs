//! The report of a tournament as one page: no other file, no network, the same bytes again.

use askama::Template;

use crate::experiment::summary::{
    BotRow, Length, LengthRow, LineUpRow, MeasureRow, PairRow, Summary,
};

pub use super::PageInfo;
use super::svg::{self, Bar};
use super::text::{
    UNKNOWN, count, counted, decimals, known, percent, percent_range, plus_minus, range, reach,
    shorten,
};

/// The most rows of a table; the rest is in its file.
const MAX_ROWS: usize = 1000;
/// The most rows of a table that is not folded up.
const MAX_OPEN: usize = 60;
/// The columns of a name above a bar.
const NAME: usize = 22;
/// The columns of a name beside a row of cells: with four cells, as wide as a phone.
const SHORT_NAME: usize = 16;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

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

/// A table: headings with whether numbers stand below, and rows.
struct Table {
    title: &'static str,
    note: String,
    shown: String,
    open: bool,
    heads: Vec<(&'static str, bool)>,
    rows: Vec<Vec<Cell>>,
}

/// A cell of a table; a number has the key it is sorted by.
enum Cell {
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

fn tables(summary: &Summary) -> Vec<Table> {
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

#[cfg(test)]
mod tests {
    use super::super::fixtures::{info, summary};
    use super::*;

    /// Elements without content.
    const VOID: [&str; 3] = ["meta", "line", "rect"];

    /// Called with the name of a tag and its attributes.
    type Seen<'a> = &'a mut dyn FnMut(&str, &[(&str, &str)]);

    /// Checks that tags are closed in order, attributes quoted and every `&` an entity, and
    /// calls `seen` with every tag and with its attributes.
    fn check(page: &str, seen: Seen<'_>) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
        while let Some(start) = rest.find('<') {
            let text = &rest[..start];
            assert!(!text.contains('>'), "{text}");
            entities(text);
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "in order");
                continue;
            }
            let tag = tag.strip_suffix('/').unwrap_or(tag);
            let (name, mut more) = tag.split_once(' ').unwrap_or((tag, ""));
            let mut attributes = Vec::new();
            while let Some((key, after)) = more.split_once("=\"") {
                let (value, after) = after.split_once('"').expect("a quoted value");
                entities(value);
                attributes.push((key.trim(), value));
                more = after;
            }
            assert!(matches!(more.trim(), "" | "open"), "{tag}");
            seen(name, &attributes);
            if matches!(name, "style" | "script") {
                let (_, after) = rest.split_once(&format!("</{name}>")).expect("its end");
                rest = after;
            } else if !VOID.contains(&name) {
                open.push(name);
            }
        }
        assert_eq!(open, [""; 0]);
    }

    fn entities(text: &str) {
        for after in text.split('&').skip(1) {
            let (name, _) = after.split_once(';').expect("an entity");
            assert!(
                name.chars().all(|c| c == '#' || c.is_ascii_alphanumeric()),
                "{text}"
            );
        }
    }

    /// Checks a page as far as a page of any summary can be checked.
    fn check_all(summary: &Summary, info: &PageInfo) -> String {
        let text = page(summary, info);
        check(&text, &mut |tag, attributes| {
            assert!(
                !matches!(tag, "link" | "img" | "iframe" | "object" | "a"),
                "{tag}"
            );
            for &(key, value) in attributes {
                assert!(!matches!(key, "src" | "href" | "xlink:href"), "{key}");
                let geometry = [
                    "x",
                    "y",
                    "x1",
                    "x2",
                    "y1",
                    "y2",
                    "width",
                    "height",
                    "fill-opacity",
                ];
                if geometry.contains(&key) {
                    let number = value.strip_suffix('%').unwrap_or(value).parse::<f64>();
                    let number = number.unwrap_or_else(|_| panic!("{tag} {key}={value}"));
                    assert!(number.is_finite(), "{tag} {key}={value}");
                    let size = matches!(key, "width" | "height");
                    assert!(!size || number >= 0.0, "{tag} {key}={value}");
                }
            }
        });
        for load in ["http://", "https://", "url(", "@import"] {
            assert!(!text.contains(load), "{load}");
        }
        assert_eq!(text, page(summary, info), "the same bytes again");
        text
    }

    #[test]
    fn pages_of_all_sizes_are_well_formed() {
        let names: Vec<String> = (0..30)
            .map(|bot| format!("ein-langer-Name-ё-{bot}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for bots in [0, 1, 2, 8, 30] {
            for blocks in [0, 1, 1000] {
                check_all(&summary(&names[..bots], 4, blocks), &info());
            }
        }
    }

    #[test]
    fn numbers_that_are_none_draw_nothing_broken() {
        let mut odd = summary(&["a", "b"], 2, 100);
        odd.bots[0].share = Some(f64::NAN);
        odd.bots[0].share_high = Some(f64::INFINITY);
        odd.pairs[0].score = Some(f64::NAN);
        odd.lengths[0].share = f64::NAN;
        check_all(&odd, &info());
    }

    #[test]
    fn what_users_write_is_text() {
        let evil = "<script>alert('&\"')</script>";
        let mut played = summary(&[evil, "b"], 2, 100);
        played.warnings.push(evil.to_owned());
        played.pairs[0].note = evil.to_owned();
        let info = PageInfo {
            title: evil.to_owned(),
            facts: vec![(evil.to_owned(), evil.to_owned())],
            command: evil.to_owned(),
            version: evil.to_owned(),
        };
        let mut scripts = 0;
        let text = check_all(&played, &info);
        check(&text, &mut |tag, _| scripts += usize::from(tag == "script"));
        assert_eq!(scripts, 1, "the one that sorts");
        assert!(!text.contains(evil));
    }

    #[test]
    fn a_page_says_what_was_played_and_how_to_repeat_it() {
        let mut played = summary(&["greedy", "random"], 2, 1234);
        played.warnings.push("few blocks".to_owned());
        let text = check_all(&played, &info());
        for part in [
            "<title>four-bots</title>",
            "<li>few blocks</li>",
            "<dt>rules</dt><dd>default, lane_jump = true</dd>",
            "<dt>blocks</dt><dd>1,234</dd>",
            "<pre><code>racelab tournament experiments/four-bots.toml</code></pre>",
            "<title>greedy against random: 70.00 % (68.50–71.50), 4,936 games</title>",
            "<footer><p>racelab 0.1.0</p></footer>",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn long_tables_are_cut_and_say_so() {
        let mut played = summary(&["greedy", "random"], 2, 100);
        played.line_ups = vec![played.line_ups[0].clone(); 1500];
        let text = check_all(&played, &info());
        assert!(text.contains("<summary>1,000 of 1,500 rows; all are in line_ups.csv</summary>"));
    }

    #[test]
    fn the_script_is_short() {
        assert!(SCRIPT.lines().count() <= 25);
    }
}
