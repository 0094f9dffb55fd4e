//! `racelab tournament` with `--schedule swiss` or `adaptive`: pairings that follow from the results so far.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use racelab::engine::race::Race;
use racelab::experiment::duel::DuelError;
use racelab::experiment::folder::Earlier;
use racelab::experiment::rating::pairing::pair;
use racelab::experiment::rating::rounds::{self, Options, Order, Rounds, RoundsState};
use racelab::experiment::record::RecordError;
use racelab::experiment::spec::{Experiment, engine_fingerprint};
use racelab::experiment::study_folder::{ROUNDS, StudyFolder};
use racelab::report::csv;
use racelab::stats::Confidence;
use serde::Serialize;
use serde_json::json;

use super::rate::{intransitive, must_have_winners, write_ratings, write_run};
use super::stats::rankings::{Errors, Results, by_strength, describe};
use super::stats::report::{Format, Report, estimate_text, grouped};
use super::tournament::{INTERRUPTED, resume_command, stop_on_signal};
use super::{Failure, note};

/// How a tournament is carried out.
pub struct Running<'a> {
    pub path: &'a Path,
    pub threads: usize,
    pub checkpoint: Duration,
    pub earlier: Earlier,
    pub quiet: bool,
}

/// A row of `pairs.csv`.
#[derive(Serialize, Default)]
struct PairRow {
    bot: String,
    other: String,
    blocks: u64,
    games: u64,
    score: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    order: String,
}

/// A row of `rounds.csv`.
#[derive(Serialize, Default)]
struct RoundRow {
    round: usize,
    bot: String,
    other: String,
}

pub fn run<G: Race>(
    experiment: &Experiment<G>,
    running: &Running<'_>,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let rounds = Rounds::new(experiment)?;
    let spec = experiment.spec.to_toml();
    let Some(folder) = StudyFolder::open(running.path, ROUNDS, &spec, running.earlier)? else {
        note(&format!(
            "{}: the run is finished, nothing to resume",
            running.path.display()
        ));
        return Ok(ExitCode::SUCCESS);
    };
    let mut state: RoundsState = folder
        .load(&rounds.job())?
        .unwrap_or_else(|| rounds.fresh());
    let finished = play(&rounds, &mut state, &folder, running).map_err(|error| {
        let command = resume_command(std::env::args_os());
        Failure::Run(anyhow::anyhow!("{error}; to go on afterwards: {command}"))
    })?;
    if !finished {
        note(&format!(
            "stopped after {} blocks; go on with: {}",
            state.blocks(),
            resume_command(std::env::args_os())
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    finish(&rounds, experiment, &state, folder, running, out)
}

/// Says what the tournament has shown, and writes it.
fn finish<G: Race>(
    rounds: &Rounds<'_, G>,
    experiment: &Experiment<G>,
    state: &RoundsState,
    folder: StudyFolder,
    running: &Running<'_>,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let names: Vec<String> = experiment.bots.iter().map(|bot| bot.name.clone()).collect();
    let results = Results {
        bots: names,
        seats: vec![String::new()],
        rules: vec![String::new()],
        errors: Errors::Blocks,
        rankings: rounds.rankings(state, true),
    };
    must_have_winners(
        results.rankings.games(),
        state.games().1,
        &running.path.display().to_string(),
    )?;
    // Few meet in such a tournament: without a ghost one bot that won everything would have no rating.
    let ghost = results.rankings.connected().is_err().then_some(0.5);
    let (mut report, fit) = describe(
        "rounds",
        &results,
        ghost,
        Confidence::from_alpha(rounds.alpha()).unwrap_or(Confidence::PERCENT_95),
        &running.path.display().to_string(),
    )?;
    report.row(
        "caution",
        "who met whom followed from results, so errors, LOS and Holm's procedure are approximations; the order of \
         neighbours below is not"
            .to_owned(),
    );
    intransitive(&mut report, &fit.goodness(&results.rankings), &results.bots);
    neighbours(
        &mut report,
        rounds,
        state,
        &by_strength(&fit),
        &results.bots,
    );
    write_ratings(&folder, &report, &fit, &results.bots)?;
    write_pairs(&folder, rounds, state, &results.bots)?;
    let (games, capped) = state.games();
    let run = json!({
        "schema": 1,
        "kind": ROUNDS.name,
        "state": "complete",
        "name": experiment.spec.name,
        "version": engine_fingerprint(),
        "game": G::NAME,
        "spec_hash": experiment.job(),
        "rules_hash": experiment.rules_hash(),
        "seed": experiment.spec.seed,
        "rounds": state.rounds.len(),
        "blocks": state.blocks(),
        "games": games,
        "capped": capped,
    });
    write_run(&folder, &run)?;
    folder.finish();
    if !running.quiet {
        report.write(Format::Table, out)?;
        writeln!(out, "\nResults in {}", running.path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays what is missing; whether that is all.
fn play<G: Race>(
    rounds: &Rounds<'_, G>,
    state: &mut RoundsState,
    folder: &StudyFolder,
    running: &Running<'_>,
) -> Result<bool, RecordError> {
    let bar = if running.quiet || !io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(rounds.budget())
    };
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  ETA {eta}")
        .expect("the template is fixed");
    bar.set_style(style);
    let stop = stop_on_signal();
    // From the first moment on the folder is known as that of a tournament in rounds.
    folder.save(&rounds.job(), state)?;
    let saved = Cell::new(Instant::now());
    let watch = |state: &RoundsState| {
        bar.set_position(state.blocks() + state.part.blocks);
        bar.set_message(format!("round {}", state.rounds.len()));
        if saved.get().elapsed() >= running.checkpoint {
            folder.save(&rounds.job(), state)?;
            saved.set(Instant::now());
        }
        Ok(())
    };
    let options = Options {
        threads: running.threads,
        stop: &stop,
        pause: running.checkpoint,
        watch: &watch,
    };
    let finished = rounds::run(rounds, state, &options)?;
    bar.finish_and_clear();
    folder.save(&rounds.job(), state)?;
    Ok(finished)
}

/// What is known of the order of neighbours in the rating.
fn neighbours<G: Race>(
    report: &mut Report,
    rounds: &Rounds<'_, G>,
    state: &RoundsState,
    order: &[usize],
    bots: &[String],
) {
    let (games, capped) = state.games();
    report.row(
        "played",
        format!(
            "{} rounds, {} of at most {} blocks, {} games, {} stopped at the cap",
            grouped(state.rounds.len() as u64),
            grouped(state.blocks()),
            grouped(rounds.budget()),
            grouped(games),
            grouped(capped)
        ),
    );
    let mut undecided = 0;
    for two in order.windows(2) {
        let (a, b) = pair(two[0], two[1]);
        let met = state.met().find(|(met, ..)| *met == (a, b));
        let known = met.map_or(Order::Undecided, |&(_, _, order)| order);
        undecided += u64::from(known == Order::Undecided);
    }
    report.field("undecided_neighbours", json!(undecided));
    report.row(
        "neighbours",
        format!(
            "{} of {} in this order decided by their own games, within ±{} or apart; all pairs together are wrong with \
             probability {} at most, whenever one looks",
            order.len() as u64 - 1 - undecided,
            order.len() - 1,
            rounds.margin(),
            rounds.alpha()
        ),
    );
    if order.len() > 12 {
        return;
    }
    for two in order.windows(2) {
        let (a, b) = pair(two[0], two[1]);
        let [first, second] = [&bots[two[0]], &bots[two[1]]];
        let met = state.met().find(|(met, ..)| *met == (a, b));
        let text = match met {
            None => "never met".to_owned(),
            Some((_, tally, known)) => {
                let says = match known {
                    Order::First => format!("{} is stronger", bots[a]),
                    Order::Second => format!("{} is stronger", bots[b]),
                    Order::WithinMargin => "within the margin".to_owned(),
                    Order::Undecided => "UNDECIDED".to_owned(),
                };
                let score = rounds.score(tally).map_or(String::new(), |score| {
                    format!("; score of {} {}", bots[a], estimate_text(score, 4))
                });
                format!("{says}{score}, {} blocks", grouped(tally.blocks))
            }
        };
        report.row("", format!("{first} - {second}: {text}"));
    }
}

fn write_pairs<G: Race>(
    folder: &StudyFolder,
    rounds: &Rounds<'_, G>,
    state: &RoundsState,
    bots: &[String],
) -> Result<(), Failure> {
    let six = |value: f64| (value * 1e6).round() / 1e6;
    let row = |&((a, b), ref tally, order): &((usize, usize), rounds::PairTally, Order)| {
        let score = rounds.score(tally);
        let ends = score.and_then(|score| score.interval);
        PairRow {
            bot: bots[a].clone(),
            other: bots[b].clone(),
            blocks: tally.blocks,
            games: tally.games,
            score: score.map(|score| six(score.value)),
            score_low: ends.map(|ends| six(ends.low)),
            score_high: ends.map(|ends| six(ends.high)),
            order: match order {
                Order::First => bots[a].clone(),
                Order::Second => bots[b].clone(),
                Order::WithinMargin => "within-margin".to_owned(),
                Order::Undecided => "undecided".to_owned(),
            },
        }
    };
    let rows: Vec<PairRow> = state.met().map(row).collect();
    csv::write(&folder.path().join("pairs.csv"), &rows)?;
    let rows = state.rounds.iter().zip(1..).flat_map(|(pairs, round)| {
        pairs.iter().map(move |&(a, b)| RoundRow {
            round,
            bot: bots[a].clone(),
            other: bots[b].clone(),
        })
    });
    let rows: Vec<RoundRow> = rows.collect();
    csv::write(&folder.path().join("rounds.csv"), &rows)?;
    Ok(())
}

impl From<DuelError> for Failure {
    fn from(error: DuelError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}
