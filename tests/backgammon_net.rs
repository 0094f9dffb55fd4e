//! The shipped nets against the judged decisions of `tests/golden/backgammon`, without search and
//! with one roll of it. `cargo test --test backgammon_net -- --nocapture` prints the losses.

use std::path::Path;

use racelab::games::backgammon::board::Board;
use racelab::games::backgammon::net::train::{Decision, Loss, Reference};
use racelab::games::backgammon::net::{Evaluator, Search};

/// Plays looked at one roll ahead.
const WIDTH: usize = 10;

fn reference(name: &str) -> Result<Reference, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/backgammon");
    let path = Path::new(folder).join(name);
    Reference::read(&path).map_err(|error| error.to_string().replace(folder, "DIR"))
}

fn print(search: &str, loss: Loss) {
    let Loss {
        decisions,
        mean,
        best,
    } = loss;
    println!(
        "{search}: {mean:.5} lost per decision, {:.1} % best, {decisions}",
        100.0 * best
    );
}

#[test]
fn plays_without_search_lose_little() {
    let reference = reference("checker_decisions.jsonl").expect("the decisions");
    let loss = reference.loss(&Evaluator::shipped());
    print("no search", loss);
    assert_eq!(loss.decisions, 183);
    assert!(loss.mean < 0.0075, "{loss:?}");
}

#[test]
fn one_roll_of_search_loses_less() {
    let reference = reference("checker_decisions.jsonl").expect("the decisions");
    let evaluator = Evaluator::shipped();
    let mut search = Search::default();
    let loss = reference.loss_by(|decision: &Decision| {
        let after: Vec<Board> = decision
            .plays
            .iter()
            .map(|(play, _)| play.swapped())
            .collect();
        let value = |board: &Board| -evaluator.evaluate(board).equity();
        let mut order: Vec<usize> = (0..after.len()).collect();
        order.sort_by(|&one, &other| value(&after[other]).total_cmp(&value(&after[one])));
        let mut values = vec![f64::NEG_INFINITY; after.len()];
        for &place in order.iter().take(WIDTH) {
            values[place] = -search.chances(&evaluator, &after[place]).equity();
        }
        values
    });
    print("one roll", loss);
    assert!(loss.mean < 0.005, "{loss:?}");
}

#[test]
fn a_file_without_money_decisions_is_refused() {
    let reason = |name| reference(name).expect_err("no decisions");
    assert_eq!(
        reason("bearoff_one_sided.csv"),
        "DIR/bearoff_one_sided.csv:1: no JSON: expected value at line 1 column 1"
    );
    assert!(reason("cube_decisions.jsonl").contains("candidates: expected a list"));
}

/// `racelab train backgammon` with these further arguments: exit code, stdout, stderr.
fn train(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("racelab").expect("the program");
    command.args(["train", "backgammon", "--out"]).arg(folder);
    let output = command.args(arguments).output().expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let shown = folder.display().to_string();
    let error = text(output.stderr).replace(&shown, "DIR");
    (output.status.code(), text(output.stdout), error)
}

#[test]
fn the_program_trains_stops_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = [
        "--games",
        "32",
        "--hidden",
        "8",
        "--race-hidden",
        "8",
        "--pairs",
        "2",
    ];
    let (code, out, error) = train(folder.path(), &[&small[..], &["--until", "16"]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert!(out.ends_with("; 4 games)\n"), "{out}");
    assert_eq!(error, "racelab: 16 games, step 0.0346\n");
    let (code, _, error) = train(folder.path(), &small);
    assert_eq!(code, Some(2));
    assert_eq!(
        error,
        "racelab: --out: DIR: holds a training run; --resume goes on with it, --force starts over\n"
    );
    let (code, _, error) = train(folder.path(), &[&small[..], &["--resume"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(error, "racelab: 32 games, step 0.0080\n");
    let log = std::fs::read_to_string(folder.path().join("log.csv")).expect("a log");
    assert_eq!(log.lines().count(), 4, "{log}");
}

#[test]
fn flags_out_of_range_say_what_would_work() {
    let folder = tempfile::tempdir().expect("a folder");
    for (flags, expected) in [
        (
            ["--hidden", "12"],
            "--hidden: '12'; expected a multiple of 8 from 8 to 1024",
        ),
        (
            ["--lambda", "2"],
            "--lambda: '2'; expected a number from 0 to 1",
        ),
        (
            ["--step", "0"],
            "--step: '0'; expected a number from 1e-12 to 1",
        ),
        (["--from", "no.net"], "--from: no.net: no such file"),
    ] {
        let (code, _, error) = train(folder.path(), &flags);
        assert_eq!(code, Some(2), "{error}");
        assert_eq!(error, format!("racelab: {expected}\n"));
    }
}
