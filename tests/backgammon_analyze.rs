//! Analyses of backgammon positions: exact ends, forced plays, cubes, rollouts.

use std::sync::LazyLock;

use racelab::experiment::analyze::rollout::{Design, RolledOut, Settings, Style};
use racelab::experiment::analyze::{
    Analysis, AnalyzeError, CubeFound, CubeUse, PlaysFound, Request, analyze,
};
use racelab::games::backgammon::bearoff::Bearoff;
use racelab::games::backgammon::cube::{Double, Response};
use racelab::games::backgammon::evaluate::{Evaluator, Heuristic, named};
use racelab::games::backgammon::notation::{play, xgid};
use racelab::stats::Confidence;

static BEAROFF: LazyLock<Bearoff> = LazyLock::new(Bearoff::build);
static EVALUATOR: LazyLock<Box<dyn Evaluator>> =
    LazyLock::new(|| named("heuristic", BEAROFF.clone()).expect("a known name"));

/// Both sides have three checkers left, on 4, 4 and 3.
const SHORT: &str = "XGID=---AB----------------ba---:0:0:1:00:0:0:0:0:10";
/// The start of a game.
const START: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

fn request(text: &str, rollout: Option<Settings>) -> Request {
    Request {
        position: xgid::read(text).expect(text),
        depth: 0,
        candidates: 10,
        rollout,
    }
}

fn settings(cube: CubeUse, truncate: bool, games: u64) -> Settings {
    Settings {
        style: Style { cube, truncate },
        design: Design { seed: 5, games },
        confidence: Confidence::PERCENT_95,
        drop_losers: false,
        threads: 2,
    }
}

fn cube(request: &Request, evaluator: &dyn Evaluator) -> CubeFound {
    match analyze(request, evaluator, &BEAROFF).expect("a position in play") {
        Analysis::Cube(cube) => *cube,
        Analysis::Plays(_) => panic!("no dice were given"),
    }
}

fn plays(request: &Request) -> PlaysFound {
    match analyze(request, &**EVALUATOR, &BEAROFF).expect("a position in play") {
        Analysis::Plays(plays) => plays,
        Analysis::Cube(_) => panic!("dice were given"),
    }
}

/// Whether a value lies within four standard errors of what was measured.
fn is_near(rolled: &RolledOut, exact: f64) -> bool {
    let measured = rolled.raw;
    let error = measured.standard_error.expect("several blocks");
    assert!(error > 0.0);
    (measured.estimate.value - exact).abs() < 4.0 * error
}

#[test]
fn a_rollout_played_out_agrees_with_the_exact_equity() {
    let text = SHORT;
    let rolled = cube(
        &request(text, Some(settings(CubeUse::Dead, false, 3_600))),
        &**EVALUATOR,
    );
    assert!(rolled.is_exact);
    let rollout = rolled.rollout.expect("asked for").no_double;
    assert!(is_near(&rollout, rolled.cubeless), "{rollout:?}");
    // By exact values all luck is taken out.
    let adjusted = rollout.equity().estimate.value;
    assert!((adjusted - rolled.cubeless).abs() < 1e-6, "{rollout:?}");
}

#[test]
fn a_cubeful_rollout_agrees_with_the_exact_cube() {
    let rolled = cube(
        &request(SHORT, Some(settings(CubeUse::Live, false, 3_600))),
        &**EVALUATOR,
    );
    let rollout = rolled.rollout.expect("asked for");
    assert!(is_near(&rollout.no_double, rolled.verdict.no_double));
    let taken = rollout.double_take.expect("the cube is live");
    assert!(is_near(&taken, rolled.verdict.double_take));
    assert_eq!(rollout.verdict.double, rolled.verdict.double);
}

#[test]
fn luck_is_zero_in_the_mean_and_adjusting_for_it_saves_games() {
    let start = request(START, Some(settings(CubeUse::Dead, true, 720)));
    let rollout = cube(&start, &Heuristic).rollout.expect("asked for");
    let rolled = rollout.no_double;
    let error = rolled.luck.standard_error.expect("several blocks");
    assert!(rolled.luck.estimate.value.abs() < 4.0 * error, "{rolled:?}");
    assert!(rolled.variance_ratio > Some(1.0), "{rolled:?}");
    assert_eq!((rolled.games, rolled.capped), (720, 0));
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let with = |threads| {
        let settings = Settings {
            threads,
            drop_losers: true,
            ..settings(CubeUse::Live, true, 72)
        };
        let text = START.replace(":00:", ":31:");
        let request = Request {
            candidates: 2,
            ..request(&text, Some(settings))
        };
        analyze(&request, &Heuristic, &BEAROFF).expect("a position in play")
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn the_rollout_stops_once_one_play_is_ahead() {
    // Two checkers off are better than one.
    let text = "XGID=-BBD------------------dbb-:0:0:1:31:0:0:0:0:10";
    let settings = Settings {
        drop_losers: true,
        ..settings(CubeUse::Dead, false, 12_960)
    };
    let found = plays(&request(text, Some(settings)));
    let best = found.candidates[0].rollout.as_ref().expect("rolled out");
    assert!(best.games < 12_960 && !best.is_behind);
    let others = found.candidates[1..].iter();
    assert!(others.len() > 0);
    assert!(
        others
            .clone()
            .all(|play| play.rollout.as_ref().is_some_and(|rolled| rolled.is_behind))
    );
    assert_eq!(play::write(&found.candidates[0].steps), "3/off 1/off");
}

#[test]
fn a_forced_play_is_the_only_one() {
    let text = "XGID=-----aE-C---eE---cbd----AA:0:0:1:66:0:0:0:0:10";
    let found = plays(&request(text, None));
    assert_eq!((found.legal, found.candidates.len()), (1, 1));
    assert_eq!(play::write(&found.candidates[0].steps), "(no play)");
}

#[test]
fn the_cube_is_doubled_passed_and_too_good() {
    // Seven checkers against six, all near.
    let sure = "XGID=-BBBA---------------acab--:0:0:1:00:0:0:0:0:10";
    let found = cube(&request(sure, None), &**EVALUATOR);
    assert_eq!(found.verdict.double, Double::Yes);
    assert_eq!(found.verdict.response, Response::Pass);
    // The other side has all fifteen far away: a gammon is certain, which
    // counts nothing by the Jacoby rule.
    let gammon = "XGID=-B----------o-------------:0:0:1:00:0:0:0:0:10";
    assert_eq!(
        cube(&request(gammon, None), &**EVALUATOR).verdict.double,
        Double::TooGood
    );
    let jacoby = gammon.replace(":0:0:0:0:10", ":0:0:1:0:10");
    let found = cube(&request(&jacoby, None), &**EVALUATOR);
    assert_ne!(found.verdict.double, Double::TooGood);
}

#[test]
fn a_doubled_player_is_told_to_answer() {
    let doubled = SHORT.replace(":00:", ":D:");
    let found = cube(&request(&doubled, None), &**EVALUATOR);
    let undoubled = cube(&request(SHORT, None), &**EVALUATOR);
    assert!(found.is_answer && !undoubled.is_answer);
    assert_eq!(found.verdict, undoubled.verdict);
}

#[test]
fn a_roll_deeper_the_chances_stay_chances() {
    let deeper = Request {
        depth: 1,
        ..request(&START.replace(":00:", ":31:"), None)
    };
    let found = plays(&deeper);
    assert_eq!(play::write(&found.candidates[0].steps), "8/5 6/5");
    let shallow = plays(&Request { depth: 0, ..deeper });
    assert_ne!(found.candidates[0].chances, shallow.candidates[0].chances);
}

#[test]
fn what_is_over_is_refused() {
    let over = "XGID=------------o-------------:0:0:1:00:0:0:0:0:10";
    let error = analyze(&request(over, None), &Heuristic, &BEAROFF);
    assert!(matches!(error, Err(AnalyzeError::Over)));
}

#[test]
fn bad_input_is_one_line_that_names_the_field() {
    let start = ["--position", START];
    for (args, reason) in [
        (
            &["--position", "4HPwATDgc"][..],
            "--position: Position ID: 9 characters; expected 14",
        ),
        (
            &[start[0], start[1], "--dice", "37"],
            "--dice: '37'; expected two faces from 1 to 6, as 31",
        ),
        (
            &[start[0], start[1], "--bot", "gnu"],
            "--bot: no evaluator 'gnu'; known: net, heuristic, bearoff",
        ),
        (
            &[start[0], start[1], "--bot", "bearoff"],
            "--bot: 'bearoff' knows only positions with all checkers at home and one of each side \
             off; for others use --bot heuristic",
        ),
        (
            &[start[0], start[1], "--depth", "2"],
            "--depth: '2'; expected a whole number from 0 to 1",
        ),
        (
            &[start[0], start[1], "--confidence", "2"],
            "--confidence: confidence 2 is not strictly between 0 and 1; usual is 0.95",
        ),
    ] {
        let output = assert_cmd::Command::cargo_bin("racelab")
            .expect("the binary")
            .args(["analyze", "backgammon"])
            .args(args)
            .output()
            .expect("it runs");
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(error, format!("racelab: {reason}\n"));
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(2)));
    }
}
