//! `racelab tournament`: bots against bots, millions of games, to a folder of results.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::balance::margin::Margin;
use racelab::experiment::folder::{Earlier, FolderError, ResultFolder};
use racelab::experiment::record::{Record, RecordError};
use racelab::experiment::runner::{self, Options, Progress};
use racelab::experiment::schedule::{ScheduleKind, Seatings};
use racelab::experiment::spec::{
    BotRef, Experiment, MAX_BLOCKS, MAX_CAP, MAX_ROUNDS, Spec, SpecError,
};
use racelab::experiment::summary::Summary;
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;
use racelab::report;

use super::rounds::{self, Running};
use super::table::visit_seats;
use super::{Failure, note, whole};

/// Play bots against each other and write win rates to a folder
///
/// What to play is said by a spec file, by flags, or by both: a flag replaces
/// what the file says. Every block is one seed of dice; on it every line-up is
/// played in all its rotations, so that no bot gains from its seat or its luck.
/// The same spec gives the same bytes, whatever the number of threads.
#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools)] // Flags: each is there or not.
pub struct Args {
    /// Spec file (TOML); without one, --game and --bots say what to play
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,

    /// Game; `racelab games` lists them
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Bots, by name or bot file; `racelab bots` lists those that come along
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    bots: Option<Vec<String>>,

    /// Rule set to start from [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rule that differs from the preset; may be given several times
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seats in play, e.g. `AC` [default: the game's first seat set]
    #[arg(long, value_name = "LETTERS")]
    seats: Option<SeatSet>,

    /// Which line-ups are made of the bots [default: round-robin]
    #[arg(long, value_name = "KIND")]
    schedule: Option<ScheduleKind>,

    /// Whether a line-up keeps its order around the table or takes every one
    /// [default: rotations]
    #[arg(long, value_name = "WHICH")]
    seatings: Option<Seatings>,

    /// One line-up, a bot for each seat; may be given several times, with
    /// --schedule line-ups
    #[arg(long = "line-up", value_name = "A,B,...")]
    line_ups: Vec<String>,

    /// Blocks, 1 to 10^12 [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_BLOCKS))]
    blocks: Option<u64>,

    /// Rounds of --schedule swiss, 1 to 10000 [default: one more than halving the
    /// bots takes]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_ROUNDS))]
    rounds: Option<u64>,

    /// How far from one half a pair's score still counts as equal, in points of 1 %,
    /// with --schedule swiss or adaptive [default: 1pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    margin: Option<Margin>,

    /// Probability of a wrong order of any pair, above 0 and at most 0.5, with
    /// --schedule swiss or adaptive [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    alpha: Option<f64>,

    /// Seed of all dice and bots, 0 to 2^64-1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,

    /// Rolls after which a game is stopped and counted apart [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_CAP.into()))]
    cap: Option<u64>,

    /// Points a game gives or costs at most, where games are played for points
    /// [default: no cap]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1_000_000))]
    score_cap: Option<u64>,

    /// Write games.csv too: one row a game
    #[arg(long)]
    games_csv: bool,

    /// Write every game to a file of its own in OUT/games: `mat` or `sgf`, for
    /// backgammon; a match is one game
    #[arg(long, value_name = "FORMAT")]
    save_games: Option<String>,

    /// Name of the experiment [default: that of the spec file, or of the game]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Result folder [default: results/NAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Worker threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1024))]
    threads: Option<u64>,

    /// Seconds between checkpoints, 1 to 3600; in runs of many minutes up to a
    /// twentieth of the time so far, at most a minute: kill -9 loses no more
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true,
          value_parser = whole(1..=3600))]
    checkpoint: u64,

    /// Go on with the unfinished run of the same spec in the result folder
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace an earlier result in the result folder
    #[arg(long)]
    force: bool,

    /// Print the spec the file and flags make, as TOML, and play nothing
    #[arg(long)]
    print_spec: bool,

    /// No progress and no table
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let spec = args.spec()?;
    let game = spec.game.clone();
    visit_seats(&game, spec.seats, Tournament { args, spec, out })
}

impl Args {
    /// The spec that the file and the flags make.
    fn spec(&self) -> Result<Spec, Failure> {
        let mut spec = match (&self.spec, &self.game) {
            (Some(path), _) => Spec::read(path)?,
            (None, Some(game)) => Spec::new(game, Vec::new()),
            (None, None) => {
                return Err(Failure::input(
                    "tournament",
                    "nothing to play; name a spec file, or --game and --bots",
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
        spec.seats = self.seats.or(spec.seats);
        spec.schedule = self.schedule.unwrap_or(spec.schedule);
        spec.seatings = self.seatings.unwrap_or(spec.seatings);
        if !self.line_ups.is_empty() {
            let line_ups = self.line_ups.iter();
            spec.line_ups = line_ups
                .map(|text| text.split(',').map(str::to_owned).collect())
                .collect();
        }
        spec.blocks = self.blocks.unwrap_or(spec.blocks);
        spec.rounds = self.rounds.or(spec.rounds);
        spec.margin = self.margin.or(spec.margin);
        spec.alpha = self.alpha.or(spec.alpha);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.cap = self.cap.map_or(spec.cap, |cap| cap as u32);
        spec.score_cap = self.score_cap.map(|cap| cap as u32).or(spec.score_cap);
        spec.games_csv |= self.games_csv;
        if self.save_games.is_some() {
            spec.save_games.clone_from(&self.save_games);
        }
        if let Some(name) = &self.name {
            spec.name.clone_from(name);
        }
        Ok(spec)
    }

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

struct Tournament<'a> {
    args: &'a Args,
    spec: Spec,
    out: &'a mut dyn Write,
}

impl Visitor for Tournament<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let experiment: Experiment<G> = self.spec.resolve()?;
        if self.args.print_spec {
            let spec = Spec {
                name: experiment.spec.name.clone(),
                ..self.spec.with_bot_files()?
            };
            self.out.write_all(spec.to_toml().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let path = match &self.args.out {
            Some(path) => path.clone(),
            None => Path::new("results").join(&experiment.spec.name),
        };
        if experiment.spec.schedule.is_in_rounds() {
            let running = Running {
                path: &path,
                threads: self.args.threads(),
                checkpoint: Duration::from_secs(self.args.checkpoint),
                earlier: self.args.earlier(),
                quiet: self.args.quiet,
            };
            return rounds::run(&experiment, &running, self.out);
        }
        let folder = ResultFolder::open(&path, &experiment.spec, self.args.earlier())?;
        if folder.is_finished() {
            folder.finish();
            note(&format!(
                "{}: the run is finished, nothing to resume",
                path.display()
            ));
            return Ok(ExitCode::SUCCESS);
        }
        let summary = match play(self.args, &experiment, &folder) {
            Ok(Some(summary)) => summary,
            Ok(None) => return Ok(ExitCode::from(INTERRUPTED)),
            Err(error) => {
                // What it was is more important than whether this can be written.
                if let Ok(records) = Record::read_all(&folder.records(), &experiment) {
                    let _ = write_state(&experiment, &folder, "stopped", blocks(&records));
                }
                let command = resume_command(std::env::args_os());
                return Err(Failure::Run(anyhow::anyhow!(
                    "{error}; to go on afterwards: {command}"
                )));
            }
        };
        folder.finish();
        if !self.args.quiet {
            let info = report::folder::page_info(&experiment);
            write!(self.out, "{}", report::terminal::table(&summary, &info))?;
            writeln!(self.out, "\nResults in {}", path.display())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays what is missing and writes the results; none when it was told to stop.
fn play<G: Race>(
    args: &Args,
    experiment: &Experiment<G>,
    folder: &ResultFolder,
) -> Result<Option<Summary>, RecordError> {
    let threads = args.threads();
    let stop = stop_on_signal();
    write_state(experiment, folder, "running", 0)?;
    let progress = Arc::new(Progress::default());
    let options = Options {
        threads,
        checkpoint: Duration::from_secs(args.checkpoint),
        stop: &stop,
        progress: &progress,
    };
    let quiet = args.quiet || !io::stderr().is_terminal();
    let all_played = with_bar(quiet, experiment, &progress, || {
        runner::run(experiment, &folder.records(), &options)
    })?;
    let records = Record::read_all(&folder.records(), experiment)?;
    if !all_played {
        note(&format!(
            "stopped after {} of {} blocks; go on with: {}",
            blocks(&records),
            experiment.spec.blocks,
            resume_command(std::env::args_os())
        ));
        write_state(experiment, folder, "stopped", blocks(&records))?;
        return Ok(None);
    }
    let mut tally = runner::empty_tally(experiment);
    for record in &records {
        tally.merge(&record.tally);
    }
    let summary = Summary::new(experiment, &tally);
    report::folder::write(folder, experiment, &records, &summary, threads)?;
    Ok(Some(summary))
}

fn blocks(records: &[Record]) -> u64 {
    records.iter().map(|record| record.tally.blocks).sum()
}

/// Writes a `run.json` that says how far an unfinished run is.
fn write_state<G: Race>(
    experiment: &Experiment<G>,
    folder: &ResultFolder,
    state: &str,
    blocks: u64,
) -> Result<(), RecordError> {
    let text = report::run_json::unfinished(experiment, state, blocks);
    folder.write("run.json", text.as_bytes())
}

/// The exit code of a run that a signal stopped, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C and SIGTERM set; the second one ends the program at once.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    stop_saying("finishing the blocks at hand; again to stop at once")
}

/// The same, saying this when it is set.
pub fn stop_saying(finishing: &'static str) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        note(finishing);
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        note(&format!("Ctrl-C will not save the last blocks: {error}"));
    }
    stop
}

/// The command that goes on with the run of these arguments: the same one, with --resume.
pub fn resume_command(args: impl Iterator<Item = OsString>) -> String {
    let mut words: Vec<OsString> = args
        .filter(|word| word != "--force" && word != "--resume")
        .collect();
    // After `--` it would be a spec file.
    let end = words.iter().position(|word| word == "--");
    words.insert(end.unwrap_or(words.len()), "--resume".into());
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &OsStr) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=:+@%".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => text.to_owned(),
        Some(text) if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
        // What cannot stand in a line of text is spelled out, as bash, zsh and ksh read it.
        _ => {
            let bytes = word.as_encoded_bytes().iter();
            let spelled: String = bytes
                .map(|&byte| match byte {
                    b'\'' | b'\\' => format!("\\{}", byte as char),
                    b' '..=b'~' => (byte as char).to_string(),
                    _ => format!("\\{byte:03o}"),
                })
                .collect();
            format!("$'{spelled}'")
        }
    }
}

/// Does the work with a progress bar on stderr.
fn with_bar<G: Race, T>(
    quiet: bool,
    experiment: &Experiment<G>,
    progress: &Progress,
    work: impl FnOnce() -> T,
) -> T {
    if quiet {
        return work();
    }
    let bar = ProgressBar::new(experiment.spec.blocks);
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  ETA {eta}")
        .expect("the template is fixed");
    bar.set_style(style);
    let began = Instant::now();
    let (end, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let pause = Duration::from_millis(200);
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let games = progress.games() as f64;
                let rate = games / began.elapsed().as_secs_f64().max(1e-3);
                bar.set_position(progress.blocks());
                bar.set_message(format!("{rate:.0} games/s"));
            }
            bar.finish_and_clear();
        });
        // Dropped with the work done or in a panic; both end the bar.
        let _end = end;
        work()
    })
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        if error.is_input() {
            Failure::Input(anyhow::Error::new(error))
        } else {
            Failure::Run(anyhow::Error::new(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resumed(words: &[&str]) -> String {
        resume_command(words.iter().map(OsString::from))
    }

    #[test]
    fn the_command_that_resumes_is_the_same_with_resume() {
        assert_eq!(
            resumed(&[
                "racelab",
                "tournament",
                "a.toml",
                "--force",
                "--seats",
                "AC"
            ]),
            "racelab tournament a.toml --seats AC --resume"
        );
        assert_eq!(
            resumed(&["racelab", "tournament", "--resume", "--", "-x.toml"]),
            "racelab tournament --resume -- -x.toml"
        );
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(
            resumed(&["x", "größe", "", "a b", "it's", "$x", "a\nb'\\", "~"]),
            "x größe '' 'a b' 'it'\\''s' '$x' $'a\\012b\\'\\\\' '~' --resume"
        );
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_spelled_out() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"a\xffb")), "$'a\\377b'");
        assert_eq!(
            quoted(OsStr::from_bytes("ä\x01".as_bytes())),
            "$'\\303\\244\\001'"
        );
    }
}
