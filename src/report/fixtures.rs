//! Summaries made by hand, for the tests of reports.

use crate::experiment::summary::{BotRow, Length, LengthRow, LineUpRow, PairRow, Summary};

use super::PageInfo;

/// A run of these bots that nobody played: numbers of the right kind, the first bot best.
pub fn summary(names: &[&str], seats: usize, blocks: u64) -> Summary {
    let n = names.len();
    let known = |value: f64| (blocks > 1).then_some(value);
    let bot = |number: usize, seat: usize| {
        let share = 1.0 / seats as f64 * (1.0 + 0.2 / (1.0 + number as f64) - 0.01 * seat as f64);
        BotRow {
            bot: names[number].to_owned(),
            seat: match seat {
                0 => "all".to_owned(),
                seat => ["A", "B", "C", "D", "E", "F", "G", "H"][seat - 1].to_owned(),
            },
            blocks,
            games: 4 * blocks,
            wins: blocks,
            share: (blocks > 0).then_some(share),
            share_low: known(share - 0.012),
            share_high: known(share + 0.012),
            fair_share: 1.0 / seats as f64,
            mean_place: (blocks > 0).then_some(2.5),
            place_low: known(2.4),
            place_high: known(2.6),
            mean_rolls: (blocks > 0).then_some(300.25),
            mean_turns: (blocks > 0).then_some(250.5),
            captures_made: 10 * blocks,
            captures_suffered: 9 * blocks,
            mean_captures_made: (blocks > 0).then_some(2.5),
            mean_captures_suffered: (blocks > 0).then_some(2.25),
        }
    };
    let pair = |number: usize, other: usize| {
        let score = 0.5 + (other as f64 - number as f64) * 0.4 / n as f64;
        PairRow {
            bot: names[number].to_owned(),
            other: names[other].to_owned(),
            blocks,
            meetings: 4 * blocks,
            better: 2 * blocks,
            same: 0,
            worse: 2 * blocks,
            score: (blocks > 0).then_some(score),
            score_low: known(score - 0.015),
            score_high: known(score + 0.015),
            variance_ratio: known(1.25),
            note: String::new(),
        }
    };
    let line_up = LineUpRow {
        line_up: 1,
        bots: names.join(" "),
        bot: names.first().copied().unwrap_or_default().to_owned(),
        copies: 1,
        blocks,
        games: 4 * blocks,
        wins: blocks,
        share: (blocks > 0).then_some(0.25),
        share_low: known(0.24),
        share_high: known(0.26),
        fair_share: 1.0 / seats as f64,
        mean_rolls: (blocks > 0).then_some(300.25),
        mean_turns: (blocks > 0).then_some(250.5),
        capped: 0,
    };
    let bins = ["rolls", "turns"].into_iter().flat_map(|measure| {
        (0..10).map(move |bin| LengthRow {
            measure,
            from: 200 + 20 * bin,
            to: 219 + 20 * bin,
            games: blocks,
            share: 0.1,
            cumulative: 0.1 * f64::from(bin + 1),
        })
    });
    Summary {
        measures: Vec::new(),
        bots: (0..n)
            .flat_map(|number| (0..=seats).map(move |seat| (number, seat)))
            .map(|(number, seat)| bot(number, seat))
            .collect(),
        pairs: (0..n)
            .flat_map(|number| (0..n).map(move |other| (number, other)))
            .filter(|(number, other)| number != other)
            .map(|(number, other)| pair(number, other))
            .collect(),
        line_ups: vec![line_up],
        lengths: bins.filter(|_| blocks > 0).collect(),
        rolls: length(300, blocks),
        turns: length(250, blocks),
        blocks,
        games: 4 * blocks,
        capped: 0,
        all_rolls: 1200 * blocks,
        idle: 400 * blocks,
        choices: 600 * blocks,
        captures: 40 * blocks,
        warnings: Vec::new(),
    }
}

fn length(median: u32, blocks: u64) -> Length {
    let quantiles = [(5, median - 80), (50, median), (95, median + 90)];
    Length {
        games: 4 * blocks,
        mean: (blocks > 0).then_some(f64::from(median) + 0.25),
        sd: (blocks > 1).then_some(50.0),
        min: (blocks > 0).then_some(median - 100),
        quantiles: quantiles.into_iter().filter(|_| blocks > 0).collect(),
        max: (blocks > 0).then_some(median + 100),
    }
}

/// What a spec says of such a run.
pub fn info() -> PageInfo {
    let facts = [
        ("game", "mensch"),
        ("rules", "default, lane_jump = true"),
        ("seats", "ABCD"),
        ("schedule", "round-robin"),
        ("seed", "1"),
        ("job", "0123456789abcdef"),
    ];
    let facts = facts.map(|(label, value)| (label.to_owned(), value.to_owned()));
    PageInfo {
        title: "four-bots".to_owned(),
        facts: facts.into(),
        command: "racelab tournament experiments/four-bots.toml".to_owned(),
        version: "racelab 0.1.0".to_owned(),
    }
}
