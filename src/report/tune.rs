//! The files of a finished tuning.

use std::fmt::Write as _;

use serde::Serialize;

use crate::bots::Bot;
use crate::engine::race::Race;
use crate::experiment::duel::{Outcome, Verdict};
use crate::experiment::record::{RecordError, write_atomically};
use crate::experiment::spec::engine_fingerprint;
use crate::experiment::study_folder::{StudyFolder, TUNE};
use crate::experiment::tune::results::{Gain, Results};
use crate::experiment::tune::run::Stage;
use crate::experiment::tune::space::plain;
use crate::experiment::tune::spec::Tuning;
use crate::stats::Interval;

use super::balance::Timing;
use super::run_json::GIT;
use super::text::{count, percent, percent_range, shorten, width, wrap};

const COLUMNS: usize = 80;

/// A row of `gains.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
struct GainRow<'a> {
    dice: &'static str,
    opponent: &'a str,
    blocks: u64,
    candidate_share: f64,
    incumbent_share: f64,
    gain: f64,
    gain_low: Option<f64>,
    gain_high: Option<f64>,
}

/// The `run.json` of a tuning. Everything but `timing` and `git` is the same for the same spec and version.
#[derive(Serialize)]
struct Run<'a> {
    schema: u32,
    kind: &'static str,
    state: &'static str,
    name: &'a str,
    version: String,
    git: &'static str,
    game: &'static str,
    spec_hash: String,
    seed: u64,
    games: u64,
    games_capped: u64,
    bot: BotLine<'a>,
    candidate: BotLine<'a>,
    verdict: String,
    match_blocks: Option<u64>,
    match_share: Option<f64>,
    match_low: Option<f64>,
    match_high: Option<f64>,
    margin_proven: Option<f64>,
    gain_in_sample: Option<f64>,
    gain_held_out: Option<f64>,
    shrinkage: Option<f64>,
    timing: Timing,
}

#[derive(Serialize)]
struct BotLine<'a> {
    name: &'a str,
    policy: &'a str,
    hash: String,
}

impl<'a> BotLine<'a> {
    fn new(bot: &'a Bot) -> BotLine<'a> {
        BotLine {
            name: &bot.name,
            policy: &bot.policy,
            hash: bot.hash(),
        }
    }
}

/// Writes all results of a finished tuning; `run.json` comes last.
///
/// # Errors
/// When a file cannot be written; those written before stay, and the checkpoint too.
pub fn write<G: Race>(
    folder: &StudyFolder,
    tuning: &Tuning<G>,
    results: &Results,
    timing: Timing,
) -> Result<(), RecordError> {
    write_generations(folder, tuning, results)?;
    let rows = [
        ("in-sample", &results.in_sample),
        ("held-out", &results.held_out),
    ];
    let rows = rows.into_iter().flat_map(|(dice, gains)| {
        gains.iter().map(move |gain| GainRow {
            dice,
            opponent: &gain.opponent,
            blocks: gain.blocks,
            candidate_share: gain.candidate,
            incumbent_share: gain.incumbent,
            gain: gain.gain,
            gain_low: gain.interval.map(|interval| interval.low),
            gain_high: gain.interval.map(|interval| interval.high),
        })
    });
    super::csv::write(&folder.path().join("gains.csv"), &rows.collect::<Vec<_>>())?;
    let block = block(tuning, results);
    let page = format!(
        "# {}\n\nMade by `racelab tune`; docs/tuning.md says how to read it.\n\n```text\n{block}```\n",
        tuning.spec.name
    );
    folder.write("report.md", page.as_bytes())?;
    let mut bots = vec![&results.candidate];
    bots.extend(results.is_better.then_some(&results.tuned));
    for bot in bots {
        let text = bot_file(tuning, results, bot);
        folder.write(&format!("{}.toml", bot.name), text.as_bytes())?;
    }
    let text = serde_json::to_string_pretty(&run(tuning, results, timing));
    let text = text.expect("a run can be written as JSON") + "\n";
    folder.write("run.json", text.as_bytes())
}

fn run<'a, G: Race>(tuning: &'a Tuning<G>, results: &'a Results, timing: Timing) -> Run<'a> {
    let share = results.duel.as_ref().and_then(|duel| duel.share);
    let interval = share.and_then(|share| share.interval);
    Run {
        schema: 1,
        kind: TUNE.name,
        state: "complete",
        name: &tuning.spec.name,
        version: engine_fingerprint(),
        git: GIT,
        game: G::NAME,
        spec_hash: tuning.job(),
        seed: tuning.spec.seed,
        games: results.games,
        games_capped: results.capped,
        bot: BotLine::new(&tuning.bot),
        candidate: BotLine::new(&results.candidate),
        verdict: match &results.duel {
            Some(duel) => duel.verdict.to_string(),
            None => "kept".to_owned(),
        },
        match_blocks: results.duel.as_ref().map(|duel| duel.blocks),
        match_share: share.map(|share| share.value),
        match_low: interval.map(|interval| interval.low),
        match_high: interval.map(|interval| interval.high),
        margin_proven: results.proven,
        gain_in_sample: results.in_sample.last().map(|gain| gain.gain),
        gain_held_out: results.held_out.last().map(|gain| gain.gain),
        shrinkage: results.shrinkage.map(|(value, _)| value),
        timing,
    }
}

/// One row a candidate, its parameters in columns of their own.
fn write_generations<G: Race>(
    folder: &StudyFolder,
    tuning: &Tuning<G>,
    results: &Results,
) -> Result<(), RecordError> {
    let names = tuning.space.dimensions.iter();
    let params: Vec<String> = names
        .map(|dimension| format!("param.{}", dimension.name))
        .collect();
    write_atomically(&folder.path().join("generations.csv"), |out| {
        let mut table = csv::Writer::from_writer(out);
        let fixed = [
            "stage",
            "generation",
            "candidate",
            "blocks",
            "score",
            "low",
            "high",
        ];
        table.write_record(fixed.into_iter().chain(params.iter().map(String::as_str)))?;
        for row in &results.rows {
            let end = |end: Option<f64>| end.map_or_else(String::new, |end| end.to_string());
            let fixed = [
                stage(row.stage).to_owned(),
                row.generation.to_string(),
                row.candidate.to_string(),
                row.blocks.to_string(),
                row.score.to_string(),
                end(row.interval.map(|interval| interval.low)),
                end(row.interval.map(|interval| interval.high)),
            ];
            table.write_record(fixed.into_iter().chain(row.params.iter().map(plain)))?;
        }
        table.flush()
    })
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Tuning => "tuning",
        Stage::Selection => "selection",
        Stage::InSample => "in-sample",
        Stage::Validation => "validation",
        Stage::HeldOut => "held-out",
    }
}

/// A bot file that says where it comes from.
fn bot_file<G: Race>(tuning: &Tuning<G>, results: &Results, bot: &Bot) -> String {
    let spec = &tuning.spec;
    let mut text = String::new();
    let panel: Vec<&str> = tuning.panel.iter().map(|bot| bot.name.as_str()).collect();
    let from = format!(
        "{} tuned for {} ({}, seats {}) against {} by racelab tune: {}, spec {}.",
        tuning.bot.name,
        G::NAME,
        spec.preset,
        tuning.game.seats(),
        panel.join(", "),
        spec.name,
        tuning.job()
    );
    for line in [from, verdict(tuning, results)] {
        for line in wrap(&line, COLUMNS - 2, 0).lines() {
            let _ = writeln!(text, "# {line}");
        }
    }
    text + &toml::to_string(bot).expect("a bot can be written as TOML")
}

/// The verdict in words.
pub fn verdict<G: Race>(tuning: &Tuning<G>, results: &Results) -> String {
    let name = &tuning.bot.name;
    let Some(duel) = &results.duel else {
        return format!("Kept: nothing better than {name} was found; there is nothing to prove.");
    };
    let said = match duel.verdict {
        Verdict::Stronger => format!("Better than {name} on new dice"),
        Verdict::Weaker => format!("Worse than {name} on new dice"),
        Verdict::WithinMargin => format!("No better than {name}: within the margin on new dice"),
        Verdict::Degenerate => format!("Plays as {name} does: no game went another way"),
        _ => format!("Not proven better than {name} on new dice"),
    };
    format!("{said}: {}.", match_line(tuning, results, duel))
}

fn match_line<G: Race>(tuning: &Tuning<G>, results: &Results, duel: &Outcome) -> String {
    let share = duel.share.map(|share| share.value);
    let ends = duel.share.and_then(|share| share.interval);
    let level = 100.0 * (1.0 - tuning.spec.validation.alpha);
    format!(
        "alone at the table it wins {} % ({}, always valid at {level} %), fair {} %; {} blocks, {} games",
        percent(share, 2),
        percent_range(ends.map(|ends| ends.low), ends.map(|ends| ends.high), 2),
        percent(Some(results.fair), 2),
        count(duel.blocks),
        count(duel.games)
    )
}

/// The block of text, at most 80 columns wide.
pub fn block<G: Race>(tuning: &Tuning<G>, results: &Results) -> String {
    let mut out = String::new();
    let spec = &tuning.spec;
    let panel: Vec<&str> = tuning.panel.iter().map(|bot| bot.name.as_str()).collect();
    line(
        &mut out,
        0,
        &format!("{}: {} of {}", spec.name, tuning.bot.name, G::NAME),
    );
    let generations = results.rows.iter().filter(|row| row.stage == Stage::Tuning);
    let generations = generations.map(|row| row.generation).max().unwrap_or(0);
    let facts = format!(
        "preset {}; seats {}; panel {}; method {}; {generations} generations of {} blocks; seed {}; spec {}; {} games",
        spec.preset,
        tuning.game.seats(),
        panel.join(", "),
        spec.method,
        count(spec.blocks),
        spec.seed,
        tuning.job(),
        count(results.games)
    );
    line(&mut out, 2, &facts);
    if results.capped > 0 {
        let capped = count(results.capped);
        line(
            &mut out,
            2,
            &format!("{capped} games were stopped at the cap: nobody won them"),
        );
    }
    out.push_str("\nPARAMETERS\n");
    let longest = results.changes.iter().map(|(name, ..)| width(name)).max();
    for (name, old, new) in &results.changes {
        let gap = longest.unwrap_or(0) - width(name);
        let change = if old == new {
            format!("{old}, as it was")
        } else {
            format!("{old} -> {new}")
        };
        line(&mut out, 6, &format!("  {name}{:gap$}  {change}", ""));
    }
    out.push_str("\nVERDICT\n");
    line(&mut out, 4, &format!("  {}", verdict(tuning, results)));
    if let Some(proven) = results.proven {
        let proven = if proven > 0.0 {
            format!("{} points of share above fair", signed(proven))
        } else {
            "none".to_owned()
        };
        line(&mut out, 4, &format!("  Margin proven: {proven}."));
    }
    gain_table(&mut out, results);
    notes(&mut out, results);
    out
}

/// The gains side by side.
fn gain_table(out: &mut String, results: &Results) {
    if results.in_sample.is_empty() {
        return;
    }
    out.push_str("\nGAIN in points of share, with 95 % intervals\n");
    let names = results.in_sample.iter().map(|gain| width(&gain.opponent));
    let longest = names.max().unwrap_or(0).clamp(8, 24);
    let row = |out: &mut String, name: &str, cells: [&str; 2]| {
        let name = shorten(name, longest);
        let gap = longest - width(&name);
        let _ = writeln!(out, "  {name}{:gap$}  {:<26}{}", "", cells[0], cells[1]);
    };
    let unseen = |at: usize| results.held_out.get(at);
    row(out, "against", ["dice it was tuned on", "new dice"]);
    for (at, seen) in results.in_sample.iter().enumerate() {
        let text = |gain: &Gain| points(gain.gain, gain.interval);
        let unseen = unseen(at).map_or_else(String::new, text);
        row(out, &seen.opponent, [&text(seen), &unseen]);
    }
    let blocks = |gains: &[Gain]| gains.last().map_or(0, |gain| gain.blocks);
    let (seen, unseen) = (blocks(&results.in_sample), blocks(&results.held_out));
    row(out, "blocks", [&count(seen), &count(unseen)]);
    if let Some((value, interval)) = results.shrinkage {
        let _ = writeln!(out, "  Shrinkage: {}", points(value, interval));
    }
}

fn notes(out: &mut String, results: &Results) {
    out.push('\n');
    if let Some((tried, luck)) = results.luck {
        let text = format!(
            "  {} evaluations: of so many equal candidates the best looks {} points better than it is by luck alone.",
            count(tried.into()),
            signed(luck)
        );
        line(out, 2, &text);
    }
    line(
        out,
        2,
        "  Tuning, selection, match and new dice share no dice. The share of a match that stopped early lies a \
         little too far from fair; its interval holds, and so do the gains, whose blocks were planned.",
    );
}

fn signed(share: f64) -> String {
    format!("{:+.2}", 100.0 * share)
}

/// A gain with its interval.
fn points(gain: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(ends) => format!(
            "{} ({} to {})",
            signed(gain),
            signed(ends.low),
            signed(ends.high)
        ),
        None => format!("{} (no block differed)", signed(gain)),
    }
}

/// Words in lines that fit, later ones indented.
fn line(out: &mut String, indent: usize, text: &str) {
    let first = text.len() - text.trim_start().len();
    let wrapped = wrap(
        text.trim_start(),
        COLUMNS - first,
        indent.saturating_sub(first),
    );
    for wrapped in wrapped.lines() {
        let _ = writeln!(out, "{:first$}{wrapped}", "");
    }
}
