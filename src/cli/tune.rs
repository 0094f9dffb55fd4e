//! `racelab tune`: better parameters for a bot, proven on dice it has not seen.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::balance::margin::Margin;
use racelab::experiment::folder::Earlier;
use racelab::experiment::record::RecordError;
use racelab::experiment::spec::{BotRef, MAX_CAP};
use racelab::experiment::study_folder::{StudyFolder, TUNE};
use racelab::experiment::table::TableSpec;
use racelab::experiment::tune::results::Results;
use racelab::experiment::tune::run::{self, Options, Stage, TuneState};
use racelab::experiment::tune::space::ParamSpec;
use racelab::experiment::tune::spec::{Method, TuneError, TuneSpec, Tuning};
use racelab::games::Visitor;
use racelab::report::balance::Timing;
use racelab::report::tune as report;

use super::table::visit_seats;
use super::tournament::{INTERRUPTED, resume_command, stop_on_signal};
use super::{Failure, note, whole};

/// Tune the parameters of a bot, and prove on new dice that it got better
///
/// Candidates play a panel of opponents, all of a generation on the same dice. In
/// the end the candidate plays the bot as it was in a match on dice that no
/// candidate has seen, which stops when it knows. NAME-candidate.toml is written in
/// any case, NAME-tuned.toml only if the match is won. The same spec gives the same
/// bytes, whatever the number of threads; docs/tuning.md has the methods.
#[derive(clap::Args)]
pub struct Args {
    /// Spec file (TOML)
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,

    /// Game; `racelab games` lists them
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Bot to tune, by name or bot file
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,

    /// Opponents, by name or bot file; all count the same
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    panel: Option<Vec<String>>,

    /// Parameter to tune: a range with its step, `lead=0:1:0.05`, or values,
    /// `pick=front,rear`; may be given several times
    #[arg(long = "param", value_name = "NAME=RANGE|VALUES")]
    params: Vec<String>,

    /// How to search [default: cma-es]
    #[arg(long, value_name = "WHICH")]
    method: Option<Method>,

    /// Rule set to start from [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rule that differs from the preset; may be given several times
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seats in play, e.g. `AC` [default: the game's first seat set]
    #[arg(long, value_name = "LETTERS")]
    seats: Option<SeatSet>,

    /// Blocks in which a candidate is tried, 2 to 10^6 [default: 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(2..=1_000_000))]
    blocks: Option<u64>,

    /// Generations, or rounds of a race [default: by method]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000))]
    generations: Option<u64>,

    /// Blocks of the match against the bot as it was, at most [default: 20000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000_000_000))]
    validation_blocks: Option<u64>,

    /// How far from the fair share counts as equal in the match [default: 1pt, with
    /// more than four sides 0.5pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    margin: Option<Margin>,

    /// Probability of a wrong verdict of the match, above 0 and at most 0.5
    /// [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    alpha: Option<f64>,

    /// Blocks from which the gain is told [default: 2000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(2..=1_000_000_000_000))]
    reporting_blocks: Option<u64>,

    /// Seed of all dice, bots and of the search, 0 to 2^63-1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Rolls after which a game is stopped [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_CAP as u64))]
    cap: Option<u64>,

    /// Name of the tuning [default: that of the spec file, or tune-GAME]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Print the spec the file and flags make, as TOML, and play nothing
    #[arg(long)]
    print_spec: bool,

    #[command(flatten)]
    running: Running,
}

/// How a tuning is carried out.
#[derive(clap::Args)]
struct Running {
    /// Result folder [default: results/NAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Worker threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1024))]
    threads: Option<u64>,

    /// Go on with the unfinished tuning of the same spec in the result folder
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace an earlier tuning in the result folder
    #[arg(long)]
    force: bool,

    /// No progress and no text
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let spec = args.spec()?;
    let (game, seats) = (spec.game.clone(), spec.seats);
    visit_seats(&game, seats, Tune { args, spec, out })
}

impl Args {
    /// The spec that the file and the flags make.
    fn spec(&self) -> Result<TuneSpec, Failure> {
        let mut spec = match (&self.spec, &self.game, &self.bot) {
            (Some(path), ..) => TuneSpec::read(path)?,
            (None, Some(game), Some(bot)) => {
                let text = format!(
                    "game = {}\nbot = {}\npanel = []",
                    toml::Value::from(game.clone()),
                    toml::Value::from(bot.clone())
                );
                TuneSpec::parse(&text).map_err(|error| Failure::input("tune", error))?
            }
            _ => {
                return Err(Failure::input(
                    "tune",
                    "nothing to tune; name a spec file, or --game, --bot, --panel and --param",
                ));
            }
        };
        if let Some(game) = &self.game {
            spec.game.clone_from(game);
        }
        if let Some(bot) = &self.bot {
            spec.bot = BotRef::Named(bot.clone());
        }
        if let Some(panel) = &self.panel {
            spec.panel = panel.iter().cloned().map(BotRef::Named).collect();
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
        let mut params = BTreeMap::new();
        for param in &self.params {
            let (name, range) = param_of(param).map_err(|what| Failure::input("--param", what))?;
            if params.insert(name.clone(), range).is_some() {
                let what = format!("'{name}' is given twice; expected each parameter once");
                return Err(Failure::input("--param", what));
            }
        }
        spec.params.extend(params);
        self.numbers(&mut spec);
        Ok(spec)
    }

    fn numbers(&self, spec: &mut TuneSpec) {
        spec.seats = self.seats.or(spec.seats);
        spec.method = self.method.unwrap_or(spec.method);
        spec.blocks = self.blocks.unwrap_or(spec.blocks);
        let generations = self.generations.map(|generations| generations as u32);
        spec.generations = generations.or(spec.generations);
        spec.validation.blocks = self.validation_blocks.unwrap_or(spec.validation.blocks);
        spec.validation.margin = self.margin.or(spec.validation.margin);
        spec.validation.alpha = self.alpha.unwrap_or(spec.validation.alpha);
        spec.reporting.blocks = self.reporting_blocks.unwrap_or(spec.reporting.blocks);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.cap = self.cap.map_or(spec.cap, |cap| cap as u32);
        if let Some(name) = &self.name {
            spec.name.clone_from(name);
        }
    }
}

/// A parameter as a command line gives it: `lead=0:1:0.05` or `pick=front,rear`.
fn param_of(text: &str) -> Result<(String, ParamSpec), String> {
    let refuse = || {
        format!("'{text}' names no range or values; expected e.g. lead=0:1:0.05 or pick=front,rear")
    };
    let (name, what) = text.split_once('=').ok_or_else(refuse)?;
    let mut spec = ParamSpec::default();
    if what.contains(':') {
        let ends: Option<Vec<f64>> = what.split(':').map(|end| end.parse().ok()).collect();
        let ends = ends.filter(|ends| (2..=3).contains(&ends.len()));
        let ends = ends.ok_or_else(refuse)?;
        (spec.lower, spec.upper) = (Some(ends[0]), Some(ends[1]));
        spec.step = ends.get(2).copied();
    } else {
        let value = |word: &str| match word.parse::<toml::Value>() {
            Ok(value) if !value.is_table() => value,
            _ => toml::Value::String(word.to_owned()),
        };
        spec.values = what.split(',').map(value).collect();
    }
    Ok((name.to_owned(), spec))
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

struct Tune<'a> {
    args: &'a Args,
    spec: TuneSpec,
    out: &'a mut dyn Write,
}

impl Visitor for Tune<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let tuning: Tuning<G> = self.spec.resolve()?;
        if self.args.print_spec {
            let spec = TuneSpec {
                name: tuning.spec.name.clone(),
                ..self.spec.with_bot_files()?
            };
            self.out.write_all(spec.to_toml().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let running = &self.args.running;
        let path = match &running.out {
            Some(path) => path.clone(),
            None => Path::new("results").join(&tuning.spec.name),
        };
        let opened = StudyFolder::open(&path, TUNE, &tuning.spec.to_toml(), running.earlier())?;
        let Some(folder) = opened else {
            note(&format!(
                "{}: the tuning is finished, nothing to resume",
                path.display()
            ));
            return Ok(ExitCode::SUCCESS);
        };
        let began = Instant::now();
        let mut state: TuneState = folder.load(&tuning.job())?.unwrap_or_default();
        let finished = play(&tuning, &mut state, &folder, running).map_err(|error| {
            let command = resume_command(std::env::args_os());
            Failure::Run(anyhow::anyhow!("{error}; to go on afterwards: {command}"))
        })?;
        if !finished {
            note(&format!(
                "stopped after {} games; go on with: {}",
                state.games(&tuning),
                resume_command(std::env::args_os())
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let results = Results::new(&tuning, &state);
        let timing = Timing {
            wall_seconds: (began.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            threads: running.threads(),
        };
        report::write(&folder, &tuning, &results, timing)?;
        folder.finish();
        if !running.quiet {
            let block = report::block(&tuning, &results);
            write!(self.out, "{block}\nResults in {}\n", path.display())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays what is missing; whether that is all.
fn play<G: Race>(
    tuning: &Tuning<G>,
    state: &mut TuneState,
    folder: &StudyFolder,
    running: &Running,
) -> Result<bool, RecordError> {
    let bar = if running.quiet || !io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new_spinner()
    };
    let style =
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is fixed");
    bar.set_style(style);
    let (began, before) = (Instant::now(), state.games(tuning));
    let shown = Mutex::new(None::<Instant>);
    let watch = |stage: Stage, state: &TuneState, share: f64| {
        let mut shown = shown.lock().expect("only this thread looks");
        if shown.is_none_or(|shown| shown.elapsed() > Duration::from_millis(200)) {
            let games = (state.games(tuning) - before) as f64;
            let rate = games / began.elapsed().as_secs_f64().max(1e-3);
            let left = state.games_left(tuning, stage, share) / rate.max(1e-3);
            bar.set_message(message(tuning, state, stage, left));
            bar.tick();
            *shown = Some(Instant::now());
        }
    };
    let options = Options {
        threads: running.threads(),
        stop: &stop_on_signal(),
        watch: &watch,
    };
    let finished = run::run(tuning, state, folder, &options);
    bar.finish_and_clear();
    finished
}

/// Where a tuning is, in one line; `left` seconds at most.
fn message<G: Race>(tuning: &Tuning<G>, state: &TuneState, stage: Stage, left: f64) -> String {
    let at = match stage {
        Stage::Tuning => format!(
            "generation {} of {}",
            state.tuning.len(),
            tuning.spec.generations()
        ),
        Stage::Selection => format!("race of finalists, round {}", state.selection.len()),
        Stage::InSample => "dice it was tuned on".to_owned(),
        Stage::Validation => {
            let blocks = state.validation.as_ref().map_or(0, |duel| duel.blocks);
            format!(
                "match, block {blocks} of {} at most",
                tuning.spec.validation.blocks
            )
        }
        Stage::HeldOut => "new dice".to_owned(),
    };
    format!("{at}; ETA at most {:.0} min", (left / 60.0).ceil())
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_a_range_or_values() {
        let (name, spec) = param_of("lead=0:1:0.05").unwrap();
        assert_eq!(
            (name.as_str(), spec.lower, spec.step),
            ("lead", Some(0.0), Some(0.05))
        );
        let (_, spec) = param_of("depth=1,2").unwrap();
        assert_eq!(spec.values, [1, 2].map(toml::Value::Integer));
        for wrong in ["lead", "lead=1:2:3:4", "lead=a:b"] {
            assert!(param_of(wrong).unwrap_err().contains("expected e.g."));
        }
    }
}
