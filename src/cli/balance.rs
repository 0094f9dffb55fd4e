//! `racelab balance`: is a rule balanced? A study with a verdict, to a folder of results.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::balance::design::DesignKind;
use racelab::experiment::balance::margin::Margin;
use racelab::experiment::balance::results::{Results, progress};
use racelab::experiment::balance::run::{self, Options, StudyState};
use racelab::experiment::balance::spec::{MAX_BUDGET, Study, StudyError, StudySpec};
use racelab::experiment::balance::{plan, run::Look};
use racelab::experiment::folder::Earlier;
use racelab::experiment::record::RecordError;
use racelab::experiment::spec::{BotRef, MAX_CAP};
use racelab::experiment::study_folder::{BALANCE, StudyFolder};
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;
use racelab::report::balance::{self as report, Timing};

use super::table::visit_seats;
use super::tournament::{INTERRUPTED, resume_command, stop_on_signal};
use super::{Failure, note, whole};

/// Ask whether rules are balanced: seats, strategies, options, luck
///
/// Four questions are answered for each rule set, set of seats and bot: does any
/// seat win more than its share, does any way of playing, what does each option
/// change, and how much is luck. Each stops as soon as its verdict is proven, or
/// at its share of the budget. The same spec gives the same bytes, whatever the
/// number of threads; docs/verdicts.md says how to read them.
#[derive(clap::Args)]
pub struct Args {
    /// Spec file (TOML), or the name of a game
    #[arg(value_name = "SPEC|GAME")]
    what: Option<String>,

    /// Game; `racelab games` lists them
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Bots, by name or bot file; `racelab bots` lists those that come along
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    bots: Option<Vec<String>>,

    /// Rule set to start from [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rule that differs from the preset and is not studied; may be given several
    /// times
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Sets of seats, each asked about on its own, e.g. `AB,AC` [default: the
    /// game's first seat set]
    #[arg(long, value_name = "LETTERS,...", value_delimiter = ',')]
    seats: Option<Vec<SeatSet>>,

    /// Option to study, with all its values or with some: `tries=3,1`; may be
    /// given several times
    #[arg(long = "option", value_name = "OPTION[=VALUE,...]")]
    option: Vec<String>,

    /// Options to study, each with all its values
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    options: Vec<String>,

    /// Whether all combinations of options are played or a fraction of resolution V
    /// [default: full]
    #[arg(long, value_name = "WHICH")]
    design: Option<DesignKind>,

    /// The metric of the named question about options [default: `seat_spread`]
    #[arg(long, value_name = "METRIC")]
    primary: Option<String>,

    /// How far from its fair share a seat may be, in points of 1 % [default: 1pt,
    /// with more than four sides 0.5pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    margin: Option<Margin>,

    /// How far above its fair share a player may be [default: 5pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    strategy_margin: Option<Margin>,

    /// Probability of a wrong verdict, above 0 and at most 0.5 [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    alpha: Option<f64>,

    /// Games of the whole study at most, 1 to 10^12 [default: 400,000 for each seat
    /// question]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_BUDGET))]
    budget: Option<u64>,

    /// Blocks from which the effects of options are told [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1_000..=1_000_000_000))]
    effect_blocks: Option<u64>,

    /// Blocks of each player against a table at most; 0 leaves the question out
    /// [default: 2000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=1_000_000_000))]
    strategy_blocks: Option<u64>,

    /// Blocks in which luck is measured; 0 leaves the question out [default: 500]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=1_000_000_000))]
    luck_blocks: Option<u64>,

    /// Seed of all dice and bots, 0 to 2^63-1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Rolls after which a game is stopped and counted apart [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_CAP as u64))]
    cap: Option<u64>,

    /// Name of the study [default: that of the spec file, or balance-GAME]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Print the spec the file and flags make, as TOML, and play nothing
    #[arg(long)]
    print_spec: bool,

    #[command(flatten)]
    running: Running,
}

/// How a study is carried out.
#[derive(clap::Args)]
struct Running {
    /// Result folder [default: results/NAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Worker threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1024))]
    threads: Option<u64>,

    /// Minutes the study may take by a short probe of speed; beyond them it does
    /// not begin [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000))]
    minutes: Option<u64>,

    /// Seconds between checkpoints, 1 to 3600
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true,
          value_parser = whole(1..=3600))]
    checkpoint: u64,

    /// Go on with the unfinished study of the same spec in the result folder, or
    /// with an undecided one with a larger --budget or --strategy-blocks
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace an earlier study in the result folder
    #[arg(long)]
    force: bool,

    /// No progress and no text
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let spec = args.spec()?;
    let game = spec.game.clone();
    visit_seats(&game, spec.most_seats(), Balance { args, spec, out })
}

impl Args {
    /// The spec that the file and the flags make.
    fn spec(&self) -> Result<StudySpec, Failure> {
        let is_file = |what: &&String| {
            Path::new(what)
                .extension()
                .is_some_and(|ending| ending == "toml")
        };
        let mut spec = match (&self.what, &self.game) {
            (Some(what), _) if is_file(&what) => StudySpec::read(Path::new(what))?,
            (Some(game), _) | (None, Some(game)) => StudySpec::new(game),
            (None, None) => {
                return Err(Failure::input(
                    "balance",
                    "nothing to ask about; name a spec file, or a game and --bots",
                ));
            }
        };
        if let Some(game) = &self.game {
            spec.game.clone_from(game);
        }
        if let Some(bots) = &self.bots {
            spec.bots = bots.iter().cloned().map(BotRef::Named).collect();
        }
        if let Some(preset) = &self.preset {
            spec.preset.clone_from(preset);
        }
        let mut table = TableSpec {
            rules: std::mem::take(&mut spec.rules),
            ..TableSpec::of(&spec.game)
        };
        table.change_all(&self.rules)?;
        spec.rules = table.rules;
        if let Some(seats) = &self.seats {
            spec.seats.clone_from(seats);
        }
        if !self.options.is_empty() || !self.option.is_empty() {
            spec.options = self.options.iter().chain(&self.option).cloned().collect();
        }
        spec.design = self.design.unwrap_or(spec.design);
        if let Some(primary) = &self.primary {
            spec.primary.clone_from(primary);
        }
        spec.margin = self.margin.or(spec.margin);
        spec.strategy_margin = self.strategy_margin.unwrap_or(spec.strategy_margin);
        spec.alpha = self.alpha.unwrap_or(spec.alpha);
        spec.budget = self.budget.or(spec.budget);
        spec.effect_blocks = self.effect_blocks.unwrap_or(spec.effect_blocks);
        spec.strategy_blocks = self.strategy_blocks.unwrap_or(spec.strategy_blocks);
        spec.luck_blocks = self.luck_blocks.unwrap_or(spec.luck_blocks);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.cap = self.cap.map_or(spec.cap, |cap| cap as u32);
        if let Some(name) = &self.name {
            spec.name.clone_from(name);
        }
        Ok(spec)
    }
}

impl Running {
    fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads as usize,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    fn earlier(&self) -> Earlier {
        match (self.resume, self.force) {
            (true, _) => Earlier::Resume,
            (false, true) => Earlier::Replace,
            (false, false) => Earlier::Refuse,
        }
    }
}

struct Balance<'a> {
    args: &'a Args,
    spec: StudySpec,
    out: &'a mut dyn Write,
}

impl Visitor for Balance<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let study: Study<G> = self.spec.resolve()?;
        if self.args.print_spec {
            let spec = StudySpec {
                name: study.spec.name.clone(),
                ..self.spec.with_bot_files()?
            };
            self.out.write_all(spec.to_toml().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let running = &self.args.running;
        if !running.resume {
            announce(&study, running)?;
        }
        let path = match &running.out {
            Some(path) => path.clone(),
            None => Path::new("results").join(&study.spec.name),
        };
        let opened = StudyFolder::open(&path, BALANCE, &study.spec.to_toml(), running.earlier())?;
        let Some(folder) = opened else {
            note(&format!(
                "{}: the study is finished, nothing to resume",
                path.display()
            ));
            return Ok(ExitCode::SUCCESS);
        };
        let began = Instant::now();
        let earlier = folder.load(&study.counts_id())?;
        let mut state = earlier.unwrap_or_else(|| study.fresh());
        study.reopen(&mut state)?;
        folder.raise(&study.spec.to_toml())?;
        let stop = stop_on_signal();
        let finished = play(&study, &mut state, &folder, running, &stop).map_err(|error| {
            let command = resume_command(std::env::args_os());
            Failure::Run(anyhow::anyhow!("{error}; to go on afterwards: {command}"))
        })?;
        if !finished {
            note(&format!(
                "stopped after {} games; go on with: {}",
                state.games(),
                resume_command(std::env::args_os())
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let results = Results::new(&study, &state);
        let timing = Timing {
            wall_seconds: (began.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            threads: running.threads(),
        };
        report::write(&folder, &study, &state, &results, timing)?;
        // Of what is undecided the counts stay for a larger budget.
        let is_undecided = study.is_undecided(&state);
        if !is_undecided {
            folder.finish();
        }
        if !running.quiet {
            write!(
                self.out,
                "{}",
                report::block(&results, &report::info(&study))
            )?;
            writeln!(self.out, "\nResults in {}", path.display())?;
            if is_undecided {
                note(&format!(
                    "something is undecided; to play on, raise --budget or --strategy-blocks: {}",
                    resume_command(std::env::args_os())
                ));
            }
        }
        match results.failures.first() {
            None => Ok(ExitCode::SUCCESS),
            Some(failure) => Err(Failure::Run(anyhow::anyhow!(
                "self-check failed: {failure}"
            ))),
        }
    }
}

/// Says what the study may take, before a game is played.
///
/// # Errors
/// When that is more than the minutes it may take.
fn announce<G: Race>(study: &Study<G>, running: &Running) -> Result<(), Failure> {
    if running.quiet && running.minutes.is_none() {
        return Ok(());
    }
    let needed = study.games_needed();
    let rates = run::probe(study, Duration::from_millis(200))?;
    let seconds = |rates: [f64; 3]| {
        let games = [needed.seats, needed.strategies, needed.luck];
        let each = games
            .iter()
            .zip(rates)
            .map(|(&games, rate)| games as f64 / rate);
        each.sum::<f64>() / running.threads() as f64
    };
    let minutes = (seconds(rates) / 60.0).ceil().max(1.0);
    if let Some(most) = running.minutes
        && minutes > most as f64
    {
        return Err(Failure::input(
            "minutes",
            format!(
                "the study may take {} games and about {minutes:.0} minutes, more than {most}; ask for less, lower \
                 budget, or raise --minutes",
                needed.total()
            ),
        ));
    }
    if running.quiet {
        return Ok(());
    }
    note(&format!(
        "at most {} games: {} for seats and options, {} for strategies, {} for luck; about {minutes:.0} min",
        needed.total(),
        needed.seats,
        needed.strategies,
        needed.luck
    ));
    if let Some(remark) = study.design.remark(study.spec.design) {
        note(&remark);
    }
    for (number, cells) in study.cells.iter().enumerate() {
        let question = study.seat_question(number);
        let expected = plan::expected(&question, 0.0).unwrap_or(u64::MAX);
        if expected > study.seat_games {
            note(&format!(
                "{}: a verdict at ±{} takes about {expected} games if all is fair, for each rule set and bot; the \
                 budget leaves {}, so expect it to stay undecided",
                cells.seats, cells.margin, study.seat_games
            ));
        }
    }
    Ok(())
}

/// Plays what is missing; whether that is all.
fn play<G: Race>(
    study: &Study<G>,
    state: &mut StudyState,
    folder: &StudyFolder,
    running: &Running,
    stop: &Arc<AtomicBool>,
) -> Result<bool, RecordError> {
    let bar = if running.quiet || !io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new_spinner()
    };
    let style =
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is fixed");
    bar.set_style(style);
    let shown = Mutex::new(Instant::now());
    let watch = |look: &Look<'_, G>| {
        let mut shown = shown.lock().expect("only this thread looks");
        if shown.elapsed() > Duration::from_millis(200) {
            bar.set_message(progress(look));
            bar.tick();
            *shown = Instant::now();
        }
    };
    let options = Options {
        threads: running.threads(),
        checkpoint: Duration::from_secs(running.checkpoint),
        stop,
        watch: &watch,
    };
    let finished = run::run(study, state, Some(folder), &options);
    bar.finish_and_clear();
    debug_assert!(
        finished.is_err()
            || stop.load(Ordering::Relaxed)
            || state
                .0
                .iter()
                .all(racelab::experiment::balance::tally::FamilyState::is_closed)
    );
    finished
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        Failure::Run(anyhow::Error::new(error))
    }
}
