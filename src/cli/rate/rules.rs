//! What `racelab rate` says about folders that differ in rules: which bot gains under which.

use racelab::experiment::rating::effects::{Effects, GainRow};
use racelab::experiment::rating::{Errors, Pool};
use racelab::stats::plackett_luce::Joint;
use serde_json::{Value, json};

use super::super::stats::rankings::{FEWEST_BLOCKS, known, optional, shortened};
use super::super::stats::report::{Report, fixed, grouped, number, percent, probability};

/// Says what the rules change, if there are several rule sets; the rows of `rules.csv`.
pub fn describe(report: &mut Report, pool: &Pool, ghost: Option<f64>) -> Vec<GainRow> {
    let by_block = pool.errors == Errors::Blocks;
    let sets: Vec<Value> = pool
        .rules
        .iter()
        .map(|rules| {
            json!({
                "rules": rules.label,
                "folders": rules.folders,
                "games": rules.all_games,
                "blocks": by_block.then_some(rules.blocks),
            })
        })
        .collect();
    report.field("rules", json!(sets));
    if pool.rules.len() < 2 {
        return Vec::new();
    }
    report.plain(String::new());
    for (rules, number) in pool.rules.iter().zip(1..) {
        let blocks = if by_block {
            format!(" in {} blocks", grouped(rules.blocks))
        } else {
            String::new()
        };
        let text = format!(
            "{}: n = {} games{blocks}; {}",
            rules.label,
            grouped(rules.all_games),
            rules.folders.join(", ")
        );
        report.row(&format!("rules {number}"), text);
    }
    if ghost.is_some() {
        let reason =
            "not told with --ghost, which would draw the strengths of each rule set together";
        report.missing("gains", "gains", reason);
        return Vec::new();
    }
    let effects = match pool.effects(report.confidence()) {
        Ok(effects) => effects,
        Err(reason) => {
            report.missing("gains", "gains", &reason.to_string());
            return Vec::new();
        }
    };
    table(report, pool, &effects);
    let blocks = pool.rules.iter().map(|rules| rules.blocks).min();
    if by_block && blocks.is_some_and(|blocks| blocks < FEWEST_BLOCKS) {
        let reason =
            format!("errors by block need {FEWEST_BLOCKS} blocks or more of each rule set");
        report.missing("rules_matter", "same strengths", &reason);
    } else {
        verdict(report, effects.test);
    }
    effects.rows
}

/// Each bot under each rule set.
fn table(report: &mut Report, pool: &Pool, effects: &Effects) {
    let interval = format!("{} interval", percent(report.confidence()));
    report.plain(format!(
        "{:18}{:>6}{:>10}{:>9}{:>10}{:>18}{:>9}",
        "bot", "rules", "Elo", "error", "gain", interval, "Holm p"
    ));
    let set_of = |row: &GainRow| {
        let mut sets = pool.rules.iter();
        sets.position(|rules| rules.label == row.rules).unwrap_or(0)
    };
    let mut bots: Vec<&str> = Vec::new();
    for row in &effects.rows {
        if !bots.contains(&row.bot.as_str()) {
            bots.push(&row.bot);
        }
    }
    for bot in bots {
        let of_bot = effects.rows.iter().filter(|row| row.bot == bot);
        for (number, row) in of_bot.enumerate() {
            let name = if number == 0 {
                shortened(bot, 17)
            } else {
                String::new()
            };
            let cell = |value: Option<f64>, digits| {
                value.map_or(String::new(), |value| fixed(value, digits))
            };
            let ends = match (row.gain, row.gain_low, row.gain_high) {
                (Some(_), Some(low), Some(high)) => {
                    format!("{} to {}", fixed(low, 1), fixed(high, 1))
                }
                (Some(_), ..) => "unknown".to_owned(),
                _ => String::new(),
            };
            let p = row.holm_p.map_or(String::new(), probability);
            let line = format!(
                "{name:18}{:>6}{:>10}{:>9}{:>10}{ends:>18}{p:>9}",
                set_of(row) + 1,
                fixed(row.elo, 2),
                known(row.error),
                cell(row.gain, 2),
            );
            report.plain(line.trim_end().to_owned());
        }
    }
    let rows = effects.rows.iter().map(|row| {
        json!({
            "rules": row.rules,
            "bot": row.bot,
            "blocks": row.blocks,
            "games": row.games,
            "elo": number(row.elo),
            "error": optional(row.error),
            "gain": optional(row.gain),
            "gain_error": optional(row.gain_error),
            "gain_low": optional(row.gain_low),
            "gain_high": optional(row.gain_high),
            "holm_p": optional(row.holm_p),
        })
    });
    report.field("gains", rows.collect());
    report.row(
        "Elo",
        format!(
            "under these rules, 0 on average of the {} bots that play under all of them",
            effects.common
        ),
    );
    report.row(
        "gain",
        "Elo more than under rules 1, against the same average: gains add to 0, what helps all alike shows in no game; \
         p by Holm's procedure over all gains"
            .to_owned(),
    );
}

/// Whether the rules change who is how strong.
fn verdict(report: &mut Report, test: Option<Joint>) {
    let Some(test) = test else {
        let reason = "bots play alike in every block, or the blocks are too few to test";
        return report.missing("rules_matter", "same strengths", reason);
    };
    let differ = test.p_value <= report.alpha();
    report.field("rules_p_value", number(test.p_value));
    report.field("rules_matter", json!(differ));
    let law = match test.of_errors {
        Some(errors) => format!(
            "F {} (df = {}, {errors})",
            fixed(test.statistic, 2),
            test.degrees
        ),
        None => format!(
            "chi-square {} (df = {})",
            fixed(test.statistic, 2),
            test.degrees
        ),
    };
    let says = if differ {
        "the rules change who is how strong; the strengths at the top are a mixture of these"
    } else {
        "no change of strengths is shown, which does not show that there is none"
    };
    report.row(
        "same strengths",
        format!("{law}, p = {}: {says}", probability(test.p_value)),
    );
}
