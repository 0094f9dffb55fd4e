//! `racelab match`: is one bot stronger than another? A match that stops when it knows.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::balance::margin::Margin;
use racelab::experiment::duel::run::{self, Options};
use racelab::experiment::duel::spec::{
    Directions, Match, MatchError, MatchSpec, TestKind, overall,
};
use racelab::experiment::duel::{Direction, Duel, DuelState, Outcome, Test, Verdict};
use racelab::experiment::folder::Earlier;
use racelab::experiment::record::RecordError;
use racelab::experiment::spec::{BotRef, MAX_BLOCKS, MAX_CAP};
use racelab::experiment::study_folder::{MATCH, StudyFolder};
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;
use racelab::report::matches::{self, Timing};
use serde_json::{Value, json};

use super::stats::report::{
    Format, Report, estimate_json, estimate_text, fixed, grouped, number, percent,
};
use super::table::visit_seats;
use super::tournament::{INTERRUPTED, resume_command, stop_on_signal};
use super::{Failure, note, whole};

/// Ask whether bot A is stronger than bot B; stops when it knows
///
/// Plays blocks, one seed of dice in all rotations, until A is shown stronger,
/// weaker, or within a margin, by a test that may be looked at after any block.
/// With more than two sides both directions are asked: one A against a table of
/// B, and a table of A against one B. The same flags give the same bytes,
/// whatever the number of threads.
///
/// Exit codes: 0 stronger (or H1 accepted), 3 weaker (or H0 accepted), 4 within
/// the margin, 5 undecided, 6 degenerate: the two play alike, 7 the directions
/// differ; 1 failure, 2 bad input, 130 interrupted. docs/ratings.md says more.
///
///     racelab match racer greedy --game mensch
///     racelab match mine.toml racer --game mensch --seats AC --test gsprt
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// A and B, by name or bot file; or one spec file (TOML)
    #[arg(value_name = "A B|SPEC", num_args = 1..=2, required = true)]
    what: Vec<String>,

    /// Game; `racelab games` lists them
    #[arg(long, value_name = "NAME")]
    game: Option<String>,

    /// Rule set to start from [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rule that differs from the preset; may be given several times
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seats in play, e.g. `AC` [default: the game's first seat set]
    #[arg(long, value_name = "LETTERS")]
    seats: Option<SeatSet>,

    /// Who sits alone [default: both]
    #[arg(long, value_name = "WHO")]
    direction: Option<Directions>,

    /// What stops the match [default: e-process]
    #[arg(long, value_name = "TEST")]
    test: Option<TestKind>,

    /// How far from the fair share still counts as equal, in points of 1 %
    /// [default: 1pt, with more than four sides 0.5pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    margin: Option<Margin>,

    /// Probability of a wrong verdict, above 0 and at most 0.5 [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    alpha: Option<f64>,

    /// Probability of accepting H0 when H1 is true, for gsprt [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    beta: Option<f64>,

    /// Elo of A under H0, for gsprt [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: Option<f64>,

    /// Elo of A under H1, for gsprt [default: 5]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: Option<f64>,

    /// Blocks of each direction at most, 1 to 10^12 [default: 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_BLOCKS))]
    max_blocks: Option<u64>,

    /// Seed of all dice and bots, 0 to 2^63-1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Rolls after which a game is stopped and shared by all [default: 1000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=MAX_CAP as u64))]
    cap: Option<u64>,

    /// Print the spec the file and flags make, as TOML, and play nothing
    #[arg(long)]
    print_spec: bool,

    #[command(flatten)]
    running: Running,
}

/// How a match is carried out.
#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools)] // Flags: each is there or not.
struct Running {
    /// Result folder, so that the match can be resumed [default: none]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Worker threads, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=1024))]
    threads: Option<u64>,

    /// Seconds between checkpoints, 1 to 3600
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true,
          value_parser = whole(1..=3600))]
    checkpoint: u64,

    /// Go on with the unfinished match of the same spec in the result folder, or
    /// with an undecided one with a larger --max-blocks
    #[arg(long, conflicts_with = "force", requires = "out")]
    resume: bool,

    /// Replace an earlier match in the result folder
    #[arg(long, requires = "out")]
    force: bool,

    /// How to print the answer: lines for people, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// One JSON object instead of lines: short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// No progress and no text
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let spec = args.spec()?;
    let game = spec.game.clone();
    visit_seats(&game, spec.seats, MatchOf { args, spec, out })
}

impl Args {
    /// The spec that the file and the flags make.
    fn spec(&self) -> Result<MatchSpec, Failure> {
        let mut spec = match (&self.what[..], &self.game) {
            ([file], _) if Path::new(file).extension().is_some_and(|end| end == "toml") => {
                MatchSpec::read(Path::new(file))?
            }
            ([one], _) => {
                return Err(Failure::input(
                    "match",
                    format!(
                        "'{}' has nobody to play against; name two bots, or a spec file ending in .toml",
                        one.escape_debug()
                    ),
                ));
            }
            (bots, Some(game)) => {
                let bots = bots.iter().cloned().map(BotRef::Named).collect();
                MatchSpec::new(game, bots)
            }
            (_, None) => {
                return Err(Failure::input(
                    "game",
                    "none named; say what is played, e.g. --game mensch",
                ));
            }
        };
        if let Some(game) = &self.game {
            spec.game.clone_from(game);
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
        spec.direction = self.direction.unwrap_or(spec.direction);
        spec.test = self.test.unwrap_or(spec.test);
        spec.margin = self.margin.or(spec.margin);
        spec.alpha = self.alpha.unwrap_or(spec.alpha);
        spec.beta = self.beta.unwrap_or(spec.beta);
        spec.elo0 = self.elo0.unwrap_or(spec.elo0);
        spec.elo1 = self.elo1.unwrap_or(spec.elo1);
        spec.max_blocks = self.max_blocks.unwrap_or(spec.max_blocks);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.cap = self.cap.map_or(spec.cap, |cap| cap as u32);
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

struct MatchOf<'a> {
    args: &'a Args,
    spec: MatchSpec,
    out: &'a mut dyn Write,
}

impl Visitor for MatchOf<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let this: Match<G> = self.spec.resolve()?;
        if self.args.print_spec {
            self.out.write_all(this.spec.to_toml().as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let running = &self.args.running;
        let mut folder = None;
        if let Some(path) = &running.out {
            let opened = StudyFolder::open(path, MATCH, &this.spec.to_toml(), running.earlier())?;
            let Some(opened) = opened else {
                note(&format!(
                    "{}: the match is finished, nothing to resume",
                    path.display()
                ));
                return Ok(ExitCode::from(matches::exit_code(path).unwrap_or(0)));
            };
            folder = Some(opened);
        }
        let began = Instant::now();
        let mut states = this.fresh();
        if let Some(folder) = &folder {
            states = folder.load(&this.counts_id())?.unwrap_or(states);
            for (duel, state) in this.duels.iter().zip(&mut states) {
                duel.reopen(state);
            }
            folder.raise(&this.spec.to_toml())?;
        }
        let finished = play(&this, &mut states, folder.as_ref(), running).map_err(|error| {
            let again = match folder {
                Some(_) => format!(
                    "; to go on afterwards: {}",
                    resume_command(std::env::args_os())
                ),
                None => String::new(),
            };
            Failure::Run(anyhow::anyhow!("{error}{again}"))
        })?;
        if !finished {
            let blocks: u64 = states.iter().map(|state| state.blocks).sum();
            note(&match folder {
                Some(_) => format!(
                    "stopped after {blocks} blocks; go on with: {}",
                    resume_command(std::env::args_os())
                ),
                None => format!(
                    "stopped after {blocks} blocks and forgotten; with --out FOLDER it could be resumed"
                ),
            });
            return Ok(ExitCode::from(INTERRUPTED));
        }
        finish(running, &this, &states, folder, began, self.out)
    }
}

/// Says what the match has shown, and writes it into the folder if there is one.
fn finish<G: Race>(
    running: &Running,
    this: &Match<G>,
    states: &[DuelState],
    folder: Option<StudyFolder>,
    began: Instant,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let code = exit_code(overall(states.iter().map(|state| state.verdict)));
    let report = report(this, states);
    if let Some(folder) = folder {
        let timing = Timing {
            wall_seconds: (began.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            threads: running.threads(),
        };
        let mut text = Vec::new();
        report.write(Format::Table, &mut text)?;
        let verdict = matches::Verdict {
            word: &word(states),
            exit_code: code,
            text: &String::from_utf8_lossy(&text),
        };
        matches::write(&folder, this, states, verdict, timing)?;
        if matches::is_undecided(states) {
            // The counts stay for a larger budget.
            if !running.quiet {
                note(&format!(
                    "undecided; to play on, raise --max-blocks: {}",
                    resume_command(std::env::args_os())
                ));
            }
        } else {
            folder.finish();
        }
    }
    if !running.quiet {
        let format = if running.json {
            Format::Json
        } else {
            running.format
        };
        report.write(format, out)?;
    }
    Ok(ExitCode::from(code))
}

/// The exit code that tells a verdict of all directions.
fn exit_code(verdict: Option<Verdict>) -> u8 {
    match verdict {
        Some(Verdict::Stronger | Verdict::AcceptsH1) => 0,
        Some(Verdict::Weaker | Verdict::AcceptsH0) => 3,
        Some(Verdict::WithinMargin) => 4,
        Some(Verdict::Undecided) => 5,
        Some(Verdict::Degenerate) => 6,
        None => 7,
    }
}

/// The verdict of all directions together, as a word.
fn word(states: &[DuelState]) -> String {
    overall(states.iter().map(|state| state.verdict))
        .map_or("directions-differ".to_owned(), |all| all.to_string())
}

/// Plays what is missing; whether that is all.
fn play<G: Race>(
    this: &Match<G>,
    states: &mut [DuelState],
    folder: Option<&StudyFolder>,
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
    let stop = stop_on_signal();
    let save = |states: &[DuelState]| -> Result<(), RecordError> {
        folder.map_or(Ok(()), |folder| {
            folder.save(&this.counts_id(), &states.to_vec())
        })
    };
    // From the first moment on the folder is known as that of a match.
    save(states)?;
    let mut finished = true;
    for (number, duel) in this.duels.iter().enumerate() {
        let all = states.to_vec();
        let times = Mutex::new((Instant::now(), Instant::now()));
        let watch = |state: &DuelState| {
            let mut times = times.lock().expect("only this thread looks");
            let (shown, saved) = &mut *times;
            if shown.elapsed() > Duration::from_millis(200) {
                bar.set_message(progress(duel, state));
                bar.tick();
                *shown = Instant::now();
            }
            if saved.elapsed() >= Duration::from_secs(running.checkpoint) {
                let mut all = all.clone();
                all[number] = state.clone();
                save(&all)?;
                *saved = Instant::now();
            }
            Ok(())
        };
        let options = Options {
            threads: running.threads(),
            stop: &stop,
            watch: &watch,
        };
        finished = run::run(duel, &mut states[number], &options)?;
        save(states)?;
        if !finished {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(finished)
}

/// Where a match stands, in one line; the interval is valid at every look.
fn progress<G: Race>(duel: &Duel<G>, state: &DuelState) -> String {
    let outcome = duel.outcome(state);
    let share = outcome
        .share
        .map_or(String::new(), |share| estimate_text(share, 4));
    let elo = outcome.elo.map_or(String::new(), |elo| {
        format!(", Elo {}", fixed(elo.value, 1))
    });
    let llr = outcome
        .llr
        .map_or(String::new(), |llr| format!(", LLR {}", fixed(llr, 2)));
    format!(
        "{} {} blocks, {share}{elo}{llr}",
        duel.direction,
        grouped(state.blocks)
    )
}

/// The final text and JSON.
fn report<G: Race>(this: &Match<G>, states: &[DuelState]) -> Report {
    let first = &this.duels[0];
    let [a, b] = &first.bots;
    let games: u64 = states.iter().map(|state| state.games).sum();
    let title = format!(
        "{} against {}: {}, preset {}, seats {}; n = {} games",
        a.name,
        b.name,
        G::NAME,
        this.spec.preset,
        first.game.seats(),
        grouped(games)
    );
    let mut report = Report::new("match", title, first.confidence());
    report.field("game", json!(G::NAME));
    report.field("preset", json!(this.spec.preset));
    report.field("seats", json!(first.game.seats().to_string()));
    report.field("bots", json!([a.name, b.name]));
    report.field("margin", number(first.margin().share()));
    report.field("seed", json!(this.spec.seed));
    let mut directions = Vec::new();
    for (duel, state) in this.duels.iter().zip(states) {
        let outcome = duel.outcome(state);
        rows(&mut report, duel, state, &outcome);
        directions.push(object(duel, state, &outcome));
    }
    report.field("directions", json!(directions));
    let all = overall(states.iter().map(|state| state.verdict));
    report.field("exit_code", json!(exit_code(all)));
    report.field("verdict", json!(word(states)));
    if states.len() > 1 {
        let sentence = match all {
            Some(Verdict::Undecided) => "UNDECIDED: in one direction or in both",
            Some(_) => "the same in both directions",
            None => "the directions differ: look at each",
        };
        report.row("together", sentence.to_owned());
    }
    report
}

/// The lines of a direction.
fn rows<G: Race>(report: &mut Report, duel: &Duel<G>, state: &DuelState, outcome: &Outcome) {
    let [a, b] = [&duel.bots[0].name, &duel.bots[1].name];
    let others = duel.sides.count - 1;
    let question = match duel.direction {
        _ if others == 1 => format!("{a} against {b}"),
        Direction::OneAgainstMany => format!("one {a} against {others} of {b}"),
        Direction::ManyAgainstOne => format!("{others} of {a} against one {b}"),
    };
    report.plain(String::new());
    report.row("question", question);
    report.row("verdict", sentence(duel, state));
    if let Some(share) = outcome.share {
        report.row(
            "share of wins",
            format!(
                "{}: of {a}, equal bots {}; {} confidence sequence, valid at every look",
                estimate_text(share, 4),
                fixed(duel.fair(), 4),
                percent(duel.confidence())
            ),
        );
    }
    let scale = if others == 1 {
        "Elo".to_owned()
    } else {
        format!("Elo, {} sides", others + 1)
    };
    match outcome.elo {
        Some(elo) => report.row(
            &scale,
            format!(
                "{}: ln[(n - 1)p/(1 - p)] · 400/ln 10 with the ends of that sequence; after an early stop it \
                 lies a little too far out",
                estimate_text(elo, 2)
            ),
        ),
        None => report.row(&scale, "unknown: all games were won or all were lost".to_owned()),
    }
    if let Some(los) = outcome.superiority {
        report.row(
            "LOS",
            format!(
                "{} %: a normal approximation, not valid after a stop that the games chose; not for decisions",
                fixed(100.0 * los, 2)
            ),
        );
    }
    if let Some(llr) = outcome.llr {
        report.row(
            "LLR",
            format!("{}: of elo1 against elo0, asymptotic", fixed(llr, 4)),
        );
    }
    if let Some(ratio) = outcome.variance_ratio {
        report.row(
            "variance ratio",
            format!(
                "{}: independent games that one game of a block is worth",
                fixed(ratio, 3)
            ),
        );
    }
    if let Some(limit) = outcome.divergence_limit {
        report.row(
            "divergence",
            format!(
                "no game diverged in {}; divergence rate below {} ({})",
                blocks(state.blocks),
                fixed(limit, 6),
                percent(duel.confidence())
            ),
        );
    }
    let capped = match state.capped {
        0 => String::new(),
        capped => format!(
            "; {} stopped at the cap and shared by all sides",
            grouped(capped)
        ),
    };
    report.row(
        "played",
        format!(
            "{}, {} games{capped}",
            blocks(state.blocks),
            grouped(state.games)
        ),
    );
}

/// So many blocks in words.
fn blocks(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} block{plural}", grouped(count))
}

/// A verdict in words.
fn sentence<G: Race>(duel: &Duel<G>, state: &DuelState) -> String {
    let [a, b] = [&duel.bots[0].name, &duel.bots[1].name];
    let margin = duel.margin();
    let elos = |h1: bool| match duel.settings.test {
        Test::Gsprt { elo0, elo1, .. } => {
            let (is, other) = if h1 { (elo1, elo0) } else { (elo0, elo1) };
            format!("the Elo of {a} is {is} rather than {other}")
        }
        Test::EProcess => String::new(),
    };
    if state.is_all_capped() {
        return format!(
            "{}: all {} games were stopped at the cap, which says nothing of {a} and {b}; a higher cap",
            state.verdict.to_string().replace('-', " ").to_uppercase(),
            grouped(state.games)
        );
    }
    match state.verdict {
        Verdict::Stronger => format!("STRONGER: {a} wins more than its share"),
        Verdict::Weaker => format!("WEAKER: {a} wins less than its share"),
        Verdict::WithinMargin => {
            format!("WITHIN THE MARGIN: {a} is within ±{margin} of its fair share")
        }
        Verdict::AcceptsH1 => format!("H1 ACCEPTED: {}", elos(true)),
        Verdict::AcceptsH0 => format!("H0 ACCEPTED: {}", elos(false)),
        Verdict::Degenerate => {
            format!("DEGENERATE: {a} and {b} play alike, there is nothing to test")
        }
        Verdict::Undecided => format!(
            "UNDECIDED after {}: neither stronger nor weaker nor within ±{margin} is shown; more blocks or a wider \
             margin",
            blocks(state.blocks)
        ),
    }
}

/// The same for programs.
fn object<G: Race>(duel: &Duel<G>, state: &DuelState, outcome: &Outcome) -> Value {
    let some = |value: Option<f64>| value.map_or(Value::Null, number);
    json!({
        "direction": duel.direction.to_string(),
        "verdict": state.verdict.to_string(),
        "share": outcome.share.map_or(Value::Null, estimate_json),
        "fair_share": number(duel.fair()),
        "elo": outcome.elo.map_or(Value::Null, estimate_json),
        "superiority": some(outcome.superiority),
        "llr": some(outcome.llr),
        "variance_ratio": some(outcome.variance_ratio),
        "divergence_limit": some(outcome.divergence_limit),
        "blocks": state.blocks,
        "games": state.games,
        "capped": state.capped,
        "diverged": state.diverged,
        "scores": state.grid().counts(),
    })
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        Failure::Input(anyhow::Error::new(error))
    }
}
