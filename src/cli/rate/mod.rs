//! `racelab rate`: the strengths of all bots of some result folders.

mod rules;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use racelab::experiment::folder::Earlier;
use racelab::experiment::rating::effects::GainRow;
use racelab::experiment::rating::{self, Played, Pool, RatingError, Taken, rows};
use racelab::experiment::spec::engine_fingerprint;
use racelab::experiment::study_folder::{RATING, StudyFolder};
use racelab::report::csv;
use racelab::stats::alpha_rank;
use racelab::stats::plackett_luce::{Fit, Goodness};
use serde::Serialize;
use serde_json::{Value, json};

use super::Failure;
use super::stats::input::real;
use super::stats::rankings::{Errors, Results, by_strength, describe};
use super::stats::report::{Format, Output, Report, fixed, grouped, number};

/// Rate the bots of finished tournaments and matches: one strength each, with its
/// error
///
/// The Plackett-Luce fit of who won, or with --placings of all places, over any
/// number of result folders of one game. Where all folders keep games.csv
/// (tournament --games-csv) errors follow the blocks of shared dice and seats have
/// effects of their own. Where folders differ in rules, it also tells which bot
/// gains under which. docs/ratings.md says how to read it.
///
///     racelab rate results/mensch-bots
///     racelab rate out/a out/b --placings --out out/ratings
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Result folders of finished tournaments and matches
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,

    /// Use all places of a game, not only who won; those behind the winner are as
    /// the game stood when it ended
    #[arg(long)]
    placings: bool,

    /// Add so many games won and lost by every bot against a ghost, usually 0.5;
    /// draws the ratings together but makes them finite for all results
    /// [default: none]
    #[arg(long, value_name = "G", allow_negative_numbers = true, value_parser = real(1e-6..=1000.0))]
    ghost: Option<f64>,

    /// Folder for ratings.csv, los.csv, pairs.csv, seats.csv, rules.csv and the
    /// text [default: none]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Replace earlier ratings in that folder
    #[arg(long, requires = "out")]
    force: bool,

    #[command(flatten)]
    output: Output,
}

/// What the ratings were made of, for `spec.toml`.
#[derive(Serialize)]
struct Spec {
    folders: Vec<String>,
    placings: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ghost: Option<f64>,
    confidence: f64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let taken = if args.placings {
        Taken::Placings
    } else {
        Taken::Winners
    };
    let played: Vec<Played> = args
        .folders
        .iter()
        .map(|folder| Played::read(folder, taken))
        .collect::<Result<_, _>>()?;
    let pool = Pool::join(&played)?;
    let (game, seats, capped) = (pool.game.clone(), pool.seats.clone(), pool.capped);
    let results = Results {
        bots: pool.bots.clone(),
        seats: pool.sides.clone(),
        rules: pool.rules.iter().map(|rules| rules.label.clone()).collect(),
        errors: match pool.errors {
            rating::Errors::Blocks => Errors::Blocks,
            rating::Errors::Games(factor) if pool.matches > 0 => Errors::OfMatches(factor),
            rating::Errors::Games(factor) => Errors::Wider(factor),
        },
        rankings: pool.rankings.clone(),
    };
    let place = args.folders[0].display().to_string();
    must_have_winners(results.rankings.games(), capped, &place)?;
    let (mut report, fit) = describe("rate", &results, args.ghost, args.output.confidence, &place)?;
    report.field("game", json!(game));
    report.field("table", json!(seats));
    report.field("placings", json!(args.placings));
    report.field("capped", json!(capped));
    report.row(
        "games",
        format!(
            "{game}, seats {seats}; {} of {}",
            if args.placings {
                "all places"
            } else {
                "winners"
            },
            match args.folders.len() {
                1 => "one folder".to_owned(),
                count => format!("{count} folders"),
            }
        ),
    );
    if capped > 0 {
        let text = format!(
            "{} games stopped at the cap, which are left out",
            grouped(capped)
        );
        report.row("capped", text);
    }
    if pool.matches > 0 {
        let text = format!(
            "{} of the folders; a match stops when it knows, so its share lies a little too far out",
            pool.matches
        );
        report.row("matches", text);
    }
    report.field("matches", json!(pool.matches));
    let gains = rules::describe(&mut report, &pool, args.ghost);
    let goodness = fit.goodness(&results.rankings);
    intransitive(&mut report, &goodness, &results.bots);
    if let Some(path) = &args.out {
        save(
            args,
            path,
            (&report, &fit, &goodness),
            (&game, &results),
            &gains,
        )?;
    }
    report.write(args.output.format, out)?;
    Ok(ExitCode::SUCCESS)
}

/// Games without a winner rate nobody.
pub fn must_have_winners(games: u64, capped: u64, place: &str) -> Result<(), Failure> {
    if games > 0 || capped == 0 {
        return Ok(());
    }
    let reason = format!(
        "all {} games were stopped at the cap; a rating needs games with a winner, play with a higher cap",
        grouped(capped)
    );
    Err(Failure::input(place, reason))
}

/// Writes the ratings into a folder.
fn save(
    args: &Args,
    path: &Path,
    (report, fit, goodness): (&Report, &Fit, &Goodness),
    (game, results): (&str, &Results),
    gains: &[GainRow],
) -> Result<(), Failure> {
    let folders = args.folders.iter().map(|path| path.display().to_string());
    let spec = Spec {
        folders: folders.collect(),
        placings: args.placings,
        ghost: args.ghost,
        confidence: args.output.confidence.level(),
    };
    let earlier = if args.force {
        Earlier::Replace
    } else {
        Earlier::Refuse
    };
    let spec = toml::to_string(&spec).expect("names and numbers can be written as TOML");
    let Some(folder) = StudyFolder::open(path, RATING, &spec, earlier)? else {
        return Ok(());
    };
    write_ratings(&folder, report, fit, &results.bots)?;
    let pairs = rows::met(goodness, &results.bots);
    csv::write(&folder.path().join("pairs.csv"), &pairs)?;
    if results.seats.len() > 1 {
        let seats = rows::seats(fit, &results.seats, &results.rules);
        csv::write(&folder.path().join("seats.csv"), &seats)?;
    }
    if !gains.is_empty() {
        csv::write(&folder.path().join("rules.csv"), gains)?;
    }
    let run = json!({
        "schema": 1,
        "kind": RATING.name,
        "state": "complete",
        "version": engine_fingerprint(),
        "game": game,
        "games": results.rankings.games(),
        "bots": results.bots,
    });
    write_run(&folder, &run)?;
    folder.finish();
    Ok(())
}

/// Says so where no single number per bot tells who beats whom.
pub fn intransitive(report: &mut Report, goodness: &Goodness, bots: &[String]) {
    let circle = rows::circle(goodness, bots.len());
    report.field(
        "circle",
        circle.map_or(Value::Null, |circle| {
            json!(circle.map(|bot| bots[bot].clone()))
        }),
    );
    let misfit = goodness.p_value.is_some_and(|p| p <= report.alpha());
    if let Some([a, b, c]) = circle {
        let [a, b, c] = [a, b, c].map(|bot| &bots[bot]);
        report.row(
            "circle",
            format!("{a} beats {b} beats {c} beats {a}: no order of the bots tells who beats whom"),
        );
    }
    if circle.is_none() && !misfit {
        return report.field("alpha_rank", Value::Null);
    }
    // A population of fifty and a selection at which half a point of share does not decide alone.
    let shares = rows::payoffs(goodness, bots.len())
        .and_then(|payoffs| alpha_rank::stationary(&payoffs, 50, 10.0));
    let Some(shares) = shares else {
        return report.missing("alpha_rank", "alpha-rank", "not every pair of bots met");
    };
    let mut order: Vec<usize> = (0..bots.len()).collect();
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    let shown = order
        .iter()
        .take(5)
        .map(|&bot| format!("{} {}", bots[bot], fixed(shares[bot], 3)));
    let text = format!(
        "{}: share of time a population of imitators stays with a bot, which needs no single number",
        shown.collect::<Vec<_>>().join(", ")
    );
    report.row("alpha-rank", text);
    let all = bots.iter().zip(&shares);
    let all: Vec<Value> = all
        .map(|(bot, &share)| json!({"bot": bot, "share": number(share)}))
        .collect();
    report.field("alpha_rank", json!(all));
}

/// Writes what all ratings have: the strengths, who is stronger than whom, and the text.
pub fn write_ratings(
    folder: &StudyFolder,
    report: &Report,
    fit: &Fit,
    bots: &[String],
) -> Result<(), Failure> {
    let order = by_strength(fit);
    let path = |name: &str| folder.path().join(name);
    csv::write(&path("ratings.csv"), &rows::ratings(fit, bots, &order))?;
    let superiorities =
        rows::superiorities(fit, bots, &order).map_err(|error| Failure::input("ratings", error))?;
    csv::write(&path("los.csv"), &superiorities)?;
    let mut text = Vec::new();
    report.write(Format::Table, &mut text)?;
    folder.write("ratings.txt", &text)?;
    Ok(())
}

/// Writes the file that says a result is finished.
pub fn write_run(folder: &StudyFolder, run: &Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(run).expect("a run can be written as JSON") + "\n";
    folder.write("run.json", text.as_bytes())?;
    Ok(())
}

impl From<RatingError> for Failure {
    fn from(error: RatingError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}
