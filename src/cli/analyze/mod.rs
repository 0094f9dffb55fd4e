//! `racelab analyze`: the plays and the cube of one backgammon position.

mod json;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use racelab::engine::game::Game;
use racelab::experiment::analyze::rollout::{Design, Settings, Style};
use racelab::experiment::analyze::{AnalyzeError, CubeUse, Request, analyze};
use racelab::games::backgammon::Backgammon;
use racelab::games::backgammon::bearoff::Bearoff;
use racelab::games::backgammon::evaluate::{self, covers};
use racelab::games::backgammon::moves::Plays;
use racelab::games::backgammon::notation::convert::{Content, read};
use racelab::games::backgammon::notation::{Offer, Position};
use racelab::stats::Confidence;

use super::{Failure, note, whole};

/// Analyse a backgammon position: the best plays, or the cube decision
///
/// With dice, the plays from the best down; without, whether to double and to
/// take. Equities are points per unit of the cube for money, and normalised in
/// a match: +1 is winning a single game at this cube, -1 losing one.
#[derive(clap::Args)]
pub struct Args {
    /// Name of the game
    #[arg(value_name = "GAME", value_parser = [Backgammon::NAME])]
    game: String,

    /// Position as an XGID, a Position ID, both IDs of GNU Backgammon joined by a
    /// colon, or a FIBS board line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: String,

    /// Roll to play, e.g. `31` [default: that of the position, if it has one]
    #[arg(long, value_name = "DICE")]
    dice: Option<String>,

    /// Evaluator: `heuristic` for all positions, `bearoff` for those that the
    /// bear-off tables hold
    #[arg(long, value_name = "NAME", default_value = evaluate::NAMES[0])]
    bot: String,

    /// Rolls to look ahead, 0 or 1
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true,
          value_parser = whole(0..=1))]
    depth: u64,

    /// Plays to show, and to roll out, 1 to 1000
    #[arg(long, value_name = "K", default_value = "10", allow_negative_numbers = true,
          value_parser = whole(1..=1000))]
    candidates: u64,

    /// Games to play for each candidate, best a multiple of 36 or 1296
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1..=10_000_000))]
    rollout: Option<u64>,

    /// Turn the cube in rollouts; without it results are counted as if it was dead
    #[arg(long, requires = "rollout")]
    cubeful: bool,

    /// Play every game of a rollout to its end, not just to the exact bear-off tables
    #[arg(long, requires = "rollout")]
    play_out: bool,

    /// Confidence of the intervals, and at which a rollout stops early
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "0.95",
        allow_negative_numbers = true
    )]
    confidence: f64,

    /// Seed of the dice, 0 to 2^64-1
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Worker threads, 0 to 1024; 0 for one on each core. The results do not
    /// depend on it
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true,
          value_parser = whole(0..=1024))]
    threads: u64,

    /// Folder to keep the bear-off tables in [default: compute them every time]
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut position = read_position(&args.position)?;
    if let Some(text) = &args.dice {
        set_dice(&mut position, text)?;
    }
    let request = Request {
        position,
        depth: args.depth as u8,
        candidates: args.candidates as usize,
        rollout: settings(args)?,
    };
    if !evaluate::NAMES.contains(&args.bot.as_str()) {
        return Err(unknown(&args.bot));
    }
    if args.bot == "bearoff" && !covers(&position.board) {
        let reason = "'bearoff' knows only positions with all checkers at home and one of each \
                      side off; for others use --bot heuristic";
        return Err(Failure::input("--bot", reason));
    }
    let bearoff = match &args.tables {
        None => Bearoff::build(),
        Some(folder) => {
            Bearoff::load_or_build(folder).map_err(|error| Failure::Run(error.into()))?
        }
    };
    let evaluator = evaluate::named(&args.bot, bearoff.clone()).map_err(|_| unknown(&args.bot))?;
    let analysis = analyze(&request, &*evaluator, &bearoff).map_err(failure)?;
    if args.json {
        writeln!(out, "{}", json::object(args, &request, &analysis))?;
    } else {
        table::write(out, args, &request, &analysis)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str) -> Failure {
    let name = name.to_owned();
    Failure::input("--bot", evaluate::UnknownEvaluator { name })
}

fn failure(error: AnalyzeError) -> Failure {
    match error {
        AnalyzeError::Threads(_) => Failure::Run(error.into()),
        _ => Failure::Input(error.into()),
    }
}

fn read_position(text: &str) -> Result<Position, Failure> {
    let mut plays = Plays::default();
    let content = read(text, |board, [first, second]| {
        plays.generate(board, (first, second));
        plays.to_vec()
    });
    match content {
        Ok(Content::Position(position)) => Ok(position),
        Ok(Content::Match(_)) => Err(Failure::input(
            "--position",
            "a match; expected a position, such as an XGID",
        )),
        Err(error) => Err(Failure::input("--position", error)),
    }
}

fn set_dice(position: &mut Position, text: &str) -> Result<(), Failure> {
    let [first @ b'1'..=b'6', second @ b'1'..=b'6'] = text.as_bytes() else {
        let reason = format!(
            "'{}'; expected two faces from 1 to 6, as 31",
            text.escape_debug()
        );
        return Err(Failure::input("--dice", reason));
    };
    if position.offer == Some(Offer::Double) {
        let reason = "a double waits for its answer; leave the dice out";
        return Err(Failure::input("--dice", reason));
    }
    position.dice = Some([first - b'0', second - b'0']);
    Ok(())
}

fn settings(args: &Args) -> Result<Option<Settings>, Failure> {
    let confidence =
        Confidence::new(args.confidence).map_err(|error| Failure::input("--confidence", error))?;
    let Some(games) = args.rollout else {
        return Ok(None);
    };
    let design = Design {
        seed: args.seed,
        games,
    };
    if !design.is_stratified() {
        note(&format!(
            "--rollout: {games} is no multiple of 36, so the first rolls are not shared out evenly"
        ));
    }
    Ok(Some(Settings {
        style: Style {
            cube: if args.cubeful {
                CubeUse::Live
            } else {
                CubeUse::Dead
            },
            truncate: !args.play_out,
        },
        design,
        confidence,
        drop_losers: true,
        threads: args.threads as usize,
    }))
}
