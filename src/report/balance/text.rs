//! The verdict as a block of text, at most 80 columns wide: for a terminal, a forum or an issue.

use std::fmt::Write as _;

use crate::experiment::balance::decide::Answer;
use crate::experiment::balance::results::{
    BotRow, EffectRow, GameRow, Question, Results, VerdictRow,
};
use crate::experiment::balance::spec::SPREAD;
use crate::report::text::{count, fixed, known, percent, percent_range, range, shorten, wrap};

use super::{COMMAND, StudyInfo};

const COLUMNS: usize = 80;
/// The most effects that are spelled out.
const MAX_EFFECTS: usize = 12;
/// The most match-ups that are spelled out.
const MAX_MATCH_UPS: usize = 20;
/// The numbers of a game that stand in the block, with their decimals and factor.
const NUMBERS: &[(&str, &str, usize)] = &[
    ("rolls", "rolls a game", 1),
    ("rolls_50", "median of the rolls", 0),
    ("rolls_95", "95 % have no more rolls than", 0),
    ("captures", "captures a game", 2),
    ("lead_changes", "lead changes per 100 rolls", 2),
    ("null_rolls", "rolls that move nothing, of 100", 1),
    ("choices", "real choices per 100 rolls", 1),
    ("drama", "drama, 0 to 1", 3),
    ("decisiveness", "decisiveness, 0 to 1", 3),
    ("comebacks", "comebacks, share of games", 3),
    ("first_mover", "games won by the first to move", 3),
    ("luck_share", "luck share, at least", 3),
    ("strong_share", "share of the first against the second", 3),
];

/// The block.
pub fn block(results: &Results, info: &StudyInfo) -> String {
    let mut out = String::new();
    line(&mut out, 0, &info.title);
    let facts: Vec<String> = info
        .facts
        .iter()
        .map(|(label, value)| format!("{label} {value}"))
        .collect();
    line(&mut out, 2, &facts.join("; "));
    line(&mut out, 2, &format!("{} games", count(results.games)));
    if !info.remark.is_empty() {
        line(&mut out, 2, &info.remark);
    }
    if info.rules.len() > 1 {
        for (number, rules) in info.rules.iter().enumerate() {
            line(&mut out, 6, &format!("rule set {}: {rules}", number + 1));
        }
    }
    for failure in &results.failures {
        line(&mut out, 2, &format!("FAILED: {failure}"));
    }
    for warning in &results.warnings {
        line(&mut out, 2, &format!("warning: {warning}"));
    }
    for (question, title) in [
        (
            Question::Seats,
            "SEATS: does any seat win more or less than its share?",
        ),
        (
            Question::FirstMove,
            "FIRST MOVE: does whoever moves first win more or less?",
        ),
        (
            Question::Strategies,
            "STRATEGIES: does any player win too much against a table of others?",
        ),
    ] {
        let rows = results
            .verdicts
            .iter()
            .filter(|row| row.question == question);
        let rows: Vec<&VerdictRow> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        line(&mut out, 0, &format!("\n{title}"));
        for row in rows {
            verdict(&mut out, row, &info.rules);
        }
        if question == Question::Strategies {
            match_ups(&mut out, &results.bots, &info.rules);
        }
    }
    effects(&mut out, &results.effects, &info.alpha);
    game(&mut out, &results.game, &info.rules);
    let _ = writeln!(out, "\nPlay it again: {COMMAND}");
    line(
        &mut out,
        2,
        "Intervals of verdicts and of the game are confidence sequences: they hold at every look. An \
         estimate at the moment a question is decided is a little too extreme; its interval is not.",
    );
    out
}

/// Which rule set, where there are several: `3 `.
fn number(rules: &str, all: &[String]) -> String {
    match all.iter().position(|known| known == rules) {
        Some(at) if all.len() > 1 => format!("{} ", at + 1),
        _ => String::new(),
    }
}

/// Whether a rule set is the first of all, the one that is spelled out.
fn is_first(rules: &str, all: &[String]) -> bool {
    all.first().is_none_or(|first| first == rules)
}

/// What a title says where only the first of several rule sets is spelled out.
fn by_first(all: &[String]) -> &'static str {
    if all.len() > 1 { " by rule set 1" } else { "" }
}

fn verdict(out: &mut String, row: &VerdictRow, rules: &[String]) {
    let place = format!("{}{}", number(&row.rules, rules), row.seats);
    if row.bot == "all" && row.question != Question::Strategies {
        line(out, 6, &format!("  {place} ALL BOTS: {}", row.verdict));
        return;
    }
    let name = if row.question == Question::Strategies {
        String::new()
    } else {
        format!("{}: ", row.bot)
    };
    let detectable = match row.answer {
        Answer::Balanced if row.detectable == Some(true) => "; detectable but inside the margin",
        _ => "",
    };
    let share = format!(
        "{} {} % ({}), fair {} %, {} games{detectable}",
        row.unit,
        percent(row.share.0, 2),
        percent_range(row.low.0, row.high.0, 2),
        percent(row.fair_share.0, 2),
        count(row.games)
    );
    line(out, 6, &format!("  {place} {name}{}: {share}", row.verdict));
}

/// Each player alone against a table, by the first rule set.
fn match_ups(out: &mut String, rows: &[BotRow], rules: &[String]) {
    let first: Vec<&BotRow> = rows
        .iter()
        .filter(|row| is_first(&row.rules, rules))
        .collect();
    let title = format!("  each against a table of others{}:", by_first(rules));
    line(out, 2, &title);
    for row in first.iter().take(MAX_MATCH_UPS) {
        let note = if row.note.is_empty() {
            String::new()
        } else {
            format!("; {}", row.note)
        };
        let text = format!(
            "    {} {} against {}: {} % ({}), {} games, {}{note}",
            row.seats,
            row.player,
            row.against,
            percent(row.share.0, 2),
            percent_range(row.low.0, row.high.0, 2),
            count(row.games),
            row.answer.word()
        );
        line(out, 6, &text);
    }
    if first.len() > MAX_MATCH_UPS || rows.len() > first.len() {
        line(out, 2, "    and more in bots.csv");
    }
}

fn effects(out: &mut String, rows: &[EffectRow], alpha: &str) {
    if rows.is_empty() {
        return;
    }
    let level = alpha.parse::<f64>().unwrap_or(5.0) / 100.0;
    let found = |row: &&EffectRow| row.p_adjusted.0.is_some_and(|p| p <= level);
    line(out, 0, "\nOPTIONS: what does each change?");
    for row in rows.iter().filter(|row| row.named) {
        let verdict = if !row.note.is_empty() {
            row.note.as_str()
        } else if found(&row) {
            "an effect"
        } else {
            "no effect proven"
        };
        effect(
            out,
            row,
            &format!("{verdict} (Holm p {})", known(row.p_adjusted.0, 4)),
        );
    }
    let mut others: Vec<&EffectRow> = rows.iter().filter(|row| !row.named).filter(found).collect();
    let all = rows.iter().filter(|row| !row.named).count();
    line(
        out,
        2,
        &format!(
            "  exploration: {} of {all} other changes found (Benjamini-Hochberg, {alpha} %)",
            others.len()
        ),
    );
    // What another set of seats changes is rarely news; what options do comes first.
    others.sort_by(|a, b| {
        let p = |row: &EffectRow| row.p.0.unwrap_or(1.0);
        let of_seats = |row: &EffectRow| row.kind == "seats";
        of_seats(a).cmp(&of_seats(b)).then(p(a).total_cmp(&p(b)))
    });
    for row in others.iter().take(MAX_EFFECTS) {
        effect(out, row, "");
    }
    if others.len() > MAX_EFFECTS {
        line(out, 2, "  and more in effects.csv");
    }
}

fn effect(out: &mut String, row: &EffectRow, verdict: &str) {
    let range = match range(row.low.0, row.high.0, 3) {
        range if range.is_empty() => String::new(),
        range => format!(" ({})", range.replace('–', " to ")),
    };
    // Where sets of seats are compared, the effect names them.
    let seats = if row.kind.starts_with("seats") {
        String::new()
    } else {
        format!("{} ", row.seats)
    };
    let text = format!(
        "  {seats}{}: {}: {} {}{range}, {} blocks {verdict}",
        row.bot,
        row.effect,
        if row.metric == SPREAD {
            "seat_spread, squared points,"
        } else {
            row.metric
        },
        row.change
            .0
            .map_or_else(|| "unknown".to_owned(), |change| signed(change, 3)),
        count(row.blocks)
    );
    line(out, 6, &text);
}

/// A number that shows which way it goes.
fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.starts_with('-') {
        text
    } else {
        format!("+{text}")
    }
}

/// The numbers of the first rule set; the others are in `game.csv`.
fn game(out: &mut String, rows: &[GameRow], rules: &[String]) {
    let rows: Vec<&GameRow> = rows
        .iter()
        .filter(|row| is_first(&row.rules, rules))
        .collect();
    let mut tables: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.seats, &*row.bots)).collect();
    tables.sort_unstable();
    tables.dedup();
    if tables.is_empty() {
        return;
    }
    let title = format!("\nTHE GAME{}; all rule sets in game.csv", by_first(rules));
    line(out, 0, &title);
    for (seats, bots) in tables {
        let of_table = rows
            .iter()
            .filter(|row| row.seats == seats && row.bots == bots);
        let of_table: Vec<_> = of_table.collect();
        let n = of_table.iter().map(|row| row.n).max().unwrap_or(0);
        let mut text = format!("  {seats} {bots}, n {}:", count(n));
        for &(metric, label, decimals) in NUMBERS {
            if let Some(row) = of_table.iter().find(|row| row.metric == metric) {
                let interval = range(row.low.0, row.high.0, decimals);
                let _ = write!(text, " {label} {}", known(row.value.0, decimals));
                if !interval.is_empty() {
                    let _ = write!(text, " ({interval})");
                }
                if row.n != n {
                    let _ = write!(text, ", n {}", count(row.n));
                }
                text.push(';');
            }
        }
        line(out, 6, text.trim_end_matches(';'));
    }
}

/// Words in lines that fit, later ones indented; an empty line before a text that begins with one.
fn line(out: &mut String, indent: usize, text: &str) {
    let (text, first) = match text.strip_prefix('\n') {
        Some(rest) => {
            out.push('\n');
            (rest, 0)
        }
        None => (text, text.len() - text.trim_start().len()),
    };
    let wrapped = wrap(
        &shorten(text.trim_start(), 4_000),
        COLUMNS - first,
        indent.saturating_sub(first),
    );
    for wrapped in wrapped.lines() {
        let _ = writeln!(out, "{:first$}{wrapped}", "");
    }
}
