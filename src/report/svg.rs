//! Charts as inline SVG, coloured by the variables of the page they stand in.
//!
//! Lengths along the page are percentages and texts keep their size, so a chart fits a phone as
//! well as a sheet of paper. Every mark has its numbers in a tooltip.

use std::fmt::{self, Display, Write};

use askama::filters::{Escaper, Html};

use crate::experiment::summary::LengthRow;

use super::text::{counted, grouped, percent, width};

/// A share with its interval: one bar.
pub struct Bar {
    /// What the bar is, above it on the left.
    pub label: String,
    /// Its numbers, above it on the right.
    pub numbers: String,
    /// The tooltip.
    pub tip: String,
    /// The length of the bar, 0 to 1.
    pub share: Option<f64>,
    /// The whisker, from low to high.
    pub interval: Option<(f64, f64)>,
}

/// A cell of a heat map.
pub struct Cell {
    /// What is written in it.
    pub text: String,
    /// What is written below that, smaller.
    pub below: String,
    /// The tooltip.
    pub tip: String,
    /// What its colour shows.
    pub value: Option<f64>,
}

/// A row of a heat map: its label and cells; a missing cell stays empty.
pub struct Row {
    /// The label, on the left.
    pub label: String,
    /// The cells, as many as there are columns.
    pub cells: Vec<Option<Cell>>,
}

/// Horizontal bars with whiskers over a common axis from 0, and a line at the fair share.
pub fn bars(name: &str, bars: &[Bar], fair: f64) -> String {
    const ROW: f64 = 40.0;
    const TOP: f64 = 20.0;
    let reach = |bar: &Bar| bar.interval.map_or(0.0, |(_, high)| high);
    let most = bars
        .iter()
        .map(|bar| reach(bar).max(bar.share.unwrap_or(0.0)));
    // The fair share stays clear of the end, where the numbers stand.
    let (step, top) = axis(most.fold((fair * 1.15).min(1.0), f64::max), 5.0);
    let x = |share: f64| Percent(share / top);
    let end = TOP + ROW * bars.len() as f64 + 6.0;
    let mut svg = Svg::new("bars", name, "100%", end + 20.0);
    for tick in ticks(step, top) {
        svg.line("grid", (x(tick), end), (x(tick), TOP));
        let label = format!("{} %", percent(Some(tick), tick_decimals(step)));
        svg.text("tick", anchor(tick / top), (x(tick), end + 15.0), &label);
    }
    for (number, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * number as f64;
        svg.open(&bar.tip);
        if let Some(share) = bar.share {
            let size = (Percent(share / top), 13.0);
            svg.rect("bar", (Percent(0.0), y + 20.0), size, "");
        }
        if let Some((low, high)) = bar.interval {
            let middle = y + 26.5;
            svg.line("whisker", (x(low), middle), (x(high), middle));
            for end in [low, high] {
                svg.line("whisker", (x(end), middle - 5.0), (x(end), middle + 5.0));
            }
        }
        svg.close();
    }
    svg.line("mark", (x(fair), TOP - 4.0), (x(fair), end));
    let label = format!("fair share {} %", percent(Some(fair), 1));
    svg.text("tick", anchor(fair / top), (x(fair), 11.0), &label);
    // The texts last: they stay readable where the line passes.
    for (number, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * number as f64 + 14.0;
        svg.open(&bar.tip);
        svg.text("name", "start", (Percent(0.0), y), &bar.label);
        svg.text("numbers", "end", (Percent(1.0), y), &bar.numbers);
        svg.close();
    }
    svg.end()
}

/// A table whose cells are coloured by how far their value is from `even`: one colour above,
/// another below, the strongest at the largest distance.
pub fn heat_map(name: &str, columns: &[String], rows: &[Row], even: f64) -> String {
    // Many columns get small cells, so that thirty bots fit a page.
    let (cell, height) = if columns.len() > 12 {
        (26.0, 24.0)
    } else {
        (54.0, 40.0)
    };
    let letters = rows.iter().map(|row| width(&row.label));
    let left = 8.0 * letters.max().unwrap_or(0) as f64 + 12.0;
    let top = 22.0;
    let values = rows.iter().flat_map(|row| row.cells.iter().flatten());
    let far = values
        .filter_map(|cell| Some((cell.value? - even).abs()))
        .fold(0.0, f64::max);
    let full = (
        left + cell * columns.len() as f64,
        top + height * rows.len() as f64,
    );
    let mut svg = Svg::new("heat", name, &Number(full.0).to_string(), full.1 + 2.0);
    for (number, column) in columns.iter().enumerate() {
        let middle = left + cell * (number as f64 + 0.5);
        svg.text("tick", "middle", (Number(middle), top - 8.0), column);
    }
    for (number, row) in rows.iter().enumerate() {
        let y = top + height * number as f64;
        let middle = y + height / 2.0 + 4.5;
        svg.text("name", "start", (Number(0.0), middle), &row.label);
        for (number, there) in row.cells.iter().enumerate() {
            let Some(there) = there else { continue };
            let x = left + cell * number as f64;
            let distance = there.value.map_or(0.0, |value| value - even);
            let class = if distance < 0.0 { "less" } else { "more" };
            let strength = if far > 0.0 { distance.abs() / far } else { 0.0 };
            svg.open(&there.tip);
            svg.rect(
                class,
                (Number(x + 1.0), y + 1.0),
                (Number(cell - 2.0), height - 2.0),
                &format!(" fill-opacity=\"{}\"", Number(0.04 + 0.5 * strength)),
            );
            let at = Number(x + cell / 2.0);
            if there.below.is_empty() {
                svg.text("value", "middle", (at, middle), &there.text);
            } else {
                svg.text("value", "middle", (at, middle - 6.0), &there.text);
                svg.text("below", "middle", (at, middle + 8.0), &there.below);
            }
            svg.close();
        }
    }
    svg.end()
}

/// A histogram of lengths: rows of one measure, in order. Marks are drawn as vertical lines:
/// class and length.
pub fn histogram(name: &str, rows: &[&LengthRow], marks: &[(&str, u32)]) -> String {
    const TOP: f64 = 8.0;
    const HEIGHT: f64 = 170.0;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return String::new();
    };
    let from = f64::from(first.from);
    let span = f64::from(last.to) + 1.0 - from;
    let x = |length: f64| Percent((length - from) / span);
    let (step, most) = axis(rows.iter().map(|row| row.share).fold(0.0, f64::max), 5.0);
    let end = TOP + HEIGHT;
    let y = |share: f64| end - HEIGHT * share / most;
    let mut svg = Svg::new("histogram", name, "100%", end + 20.0);
    for tick in ticks(step, most) {
        svg.line("grid", (Percent(0.0), y(tick)), (Percent(1.0), y(tick)));
    }
    for row in rows {
        svg.open(&format!(
            "{} to {} {}: {}, {} %; {} % are no longer",
            row.from,
            row.to,
            row.measure,
            counted(row.games, "game"),
            percent(Some(row.share), 2),
            percent(Some(row.cumulative), 2),
        ));
        let width = f64::from(row.to) + 1.0 - f64::from(row.from);
        svg.rect(
            "bar",
            (x(row.from.into()), y(row.share)),
            (Percent(width / span), end - y(row.share)),
            "",
        );
        svg.close();
    }
    for tick in ticks(step, most) {
        let label = format!("{} %", percent(Some(tick), tick_decimals(step)));
        svg.text("tick side", "end", (Percent(0.0), y(tick) + 4.0), &label);
    }
    for &(class, length) in marks {
        let at = x(f64::from(length) + 0.5);
        svg.line(class, (at, TOP), (at, end));
    }
    let (step, _) = axis(span, 9.0);
    let step = step.max(1.0);
    let least = (from / step).ceil() * step;
    for tick in ticks(step, from + span - least).map(|tick| least + tick) {
        let label = grouped(&format!("{tick:.0}"));
        let side = anchor((tick - from) / span);
        svg.text("tick", side, (x(tick), end + 15.0), &label);
    }
    svg.end()
}

/// A step of 1, 2 or 5 times a power of ten, and the multiple of it that ends an axis from 0 to
/// `most`, of at most so many steps.
fn axis(most: f64, steps: f64) -> (f64, f64) {
    let most = if most.is_finite() && most > 0.0 {
        most
    } else {
        1.0
    };
    let power = 10f64.powf((most / steps).log10().floor());
    let sizes = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let fits = |step: &f64| most / step <= steps + 1e-9;
    let step = sizes.into_iter().find(fits).unwrap_or(10.0 * power);
    (step, (most / step - 1e-9).ceil() * step)
}

/// The multiples of a step from 0 to `top`.
fn ticks(step: f64, top: f64) -> impl Iterator<Item = f64> {
    let multiples = (0u32..).map(move |tick| f64::from(tick) * step);
    multiples.take_while(move |&tick| tick <= top + step * 1e-9)
}

/// The decimals of a tick in percent.
fn tick_decimals(step: f64) -> usize {
    match step * 100.0 + 1e-9 {
        step if step >= 1.0 => 0,
        step if step >= 0.1 => 1,
        step if step >= 0.01 => 2,
        _ => 3,
    }
}

/// Which side of a text stands at a place from 0 to 1, so that it stays inside.
fn anchor(place: f64) -> &'static str {
    match place {
        place if place < 0.08 => "start",
        place if place > 0.92 => "end",
        _ => "middle",
    }
}

/// A number with two decimals at most; what is no number is 0.
#[derive(Clone, Copy)]
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = (self.0 * 100.0).round();
        // Adding 0 makes -0 a plain 0.
        let value = if cents.is_finite() {
            cents / 100.0 + 0.0
        } else {
            0.0
        };
        write!(f, "{value}")
    }
}

/// A share of the width.
#[derive(Clone, Copy)]
struct Percent(f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", Number(self.0 * 100.0))
    }
}

/// An SVG element being written. Writing to a string cannot fail.
struct Svg(String);

impl Svg {
    fn new(class: &str, name: &str, width: &str, height: f64) -> Svg {
        let height = Number(height);
        let mut svg = Svg(format!("<svg class=\"{class}\" role=\"img\" aria-label=\""));
        svg.escaped(name);
        let _ = write!(svg.0, "\" width=\"{width}\" height=\"{height}\"");
        if !width.ends_with('%') {
            let _ = write!(svg.0, " viewBox=\"0 0 {width} {height}\"");
        }
        svg.0.push_str(">\n");
        svg
    }

    fn open(&mut self, tip: &str) {
        self.0.push_str("<g><title>");
        self.escaped(tip);
        self.0.push_str("</title>\n");
    }

    fn close(&mut self) {
        self.0.push_str("</g>\n");
    }

    fn line<X: Display>(&mut self, class: &str, from: (X, f64), to: (X, f64)) {
        let (y1, y2) = (Number(from.1), Number(to.1));
        let (x1, x2) = (from.0, to.0);
        let _ = writeln!(
            self.0,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    fn rect<X: Display>(&mut self, class: &str, at: (X, f64), size: (X, f64), more: &str) {
        let (x, width) = (at.0, size.0);
        let (y, height) = (Number(at.1), Number(size.1));
        let _ = writeln!(
            self.0,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{more}/>"
        );
    }

    fn text<X: Display>(&mut self, class: &str, anchor: &str, at: (X, f64), text: &str) {
        let (x, y) = (at.0, Number(at.1));
        let _ = write!(
            self.0,
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">"
        );
        self.escaped(text);
        self.0.push_str("</text>\n");
    }

    fn escaped(&mut self, text: &str) {
        let _ = Html.write_escaped_str(&mut self.0, text);
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_steps_and_reaches_its_end() {
        let shown = |most| {
            let (step, top) = axis(most, 5.0);
            format!("{} {}", Number(step), Number(top))
        };
        assert_eq!(shown(0.36), "0.1 0.4");
        assert_eq!(shown(1.0), "0.2 1");
        assert_eq!(shown(0.25), "0.05 0.25");
        assert_eq!(shown(280.0), "100 300");
        assert_eq!(shown(f64::NAN), "0.2 1");
        assert_eq!(ticks(0.1, 0.4).count(), 5);
    }

    #[test]
    fn numbers_stay_numbers() {
        assert_eq!(Number(1.0 / 3.0).to_string(), "0.33");
        assert_eq!(Number(-0.001).to_string(), "0");
        assert_eq!(Number(f64::NAN).to_string(), "0");
        assert_eq!(Percent(f64::INFINITY).to_string(), "0%");
    }

    #[test]
    fn a_bar_reads_as_written() {
        let bar = Bar {
            label: "a<b".to_owned(),
            numbers: "30.0 %".to_owned(),
            tip: "a<b wins".to_owned(),
            share: Some(0.3),
            interval: Some((0.2, 0.4)),
        };
        insta::assert_snapshot!(bars("shares", &[bar], 0.25), @r#"
        <svg class="bars" role="img" aria-label="shares" width="100%" height="86">
        <line class="grid" x1="0%" y1="66" x2="0%" y2="20"/>
        <text class="tick" text-anchor="start" x="0%" y="81">0 %</text>
        <line class="grid" x1="25%" y1="66" x2="25%" y2="20"/>
        <text class="tick" text-anchor="middle" x="25%" y="81">10 %</text>
        <line class="grid" x1="50%" y1="66" x2="50%" y2="20"/>
        <text class="tick" text-anchor="middle" x="50%" y="81">20 %</text>
        <line class="grid" x1="75%" y1="66" x2="75%" y2="20"/>
        <text class="tick" text-anchor="middle" x="75%" y="81">30 %</text>
        <line class="grid" x1="100%" y1="66" x2="100%" y2="20"/>
        <text class="tick" text-anchor="end" x="100%" y="81">40 %</text>
        <g><title>a&#60;b wins</title>
        <rect class="bar" x="0%" y="40" width="75%" height="13"/>
        <line class="whisker" x1="50%" y1="46.5" x2="100%" y2="46.5"/>
        <line class="whisker" x1="50%" y1="41.5" x2="50%" y2="51.5"/>
        <line class="whisker" x1="100%" y1="41.5" x2="100%" y2="51.5"/>
        </g>
        <line class="mark" x1="62.5%" y1="16" x2="62.5%" y2="66"/>
        <text class="tick" text-anchor="middle" x="62.5%" y="11">fair share 25.0 %</text>
        <g><title>a&#60;b wins</title>
        <text class="name" text-anchor="start" x="0%" y="34">a&#60;b</text>
        <text class="numbers" text-anchor="end" x="100%" y="34">30.0 %</text>
        </g>
        </svg>
        "#);
    }
}
