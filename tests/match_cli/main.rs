//! `racelab match` from outside: verdicts with their exit codes, the same bytes whatever happens on the way, and all it
//! refuses.

use std::fs;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

#[path = "../support/lab.rs"]
mod lab;
mod rates;

use lab::Lab;

fn code(lab: &Lab, line: &str) -> i32 {
    lab.run(line).status.code().expect("it ends by itself")
}

#[test]
fn a_stronger_bot_of_four() {
    assert_snapshot!(Lab::new().seen("match racer random --game mensch --threads 2"), @r"
racer against random: mensch, preset default, seats ABCD; n = 320 games

question          one racer against 3 of random
verdict           STRONGER: racer wins more than its share
share of wins     0.5250 (0.2775 to 0.7567): of racer, equal bots 0.2500; 95 %
                  confidence sequence, valid at every look
Elo, 4 sides      208.23 (24.64 to 387.99): ln[(n - 1)p/(1 - p)] · 400/ln 10
                  with the ends of that sequence; after an early stop it lies a
                  little too far out
LOS               100.00 %: a normal approximation, not valid after a stop that
                  the games chose; not for decisions
variance ratio    0.828: independent games that one game of a block is worth
played            20 blocks, 80 games

question          3 of racer against one random
verdict           STRONGER: racer wins more than its share
share of wins     0.9792 (0.8056 to 0.9969): of racer, equal bots 0.7500; 95 %
                  confidence sequence, valid at every look
Elo, 4 sides      477.99 (56.14 to 814.68): ln[(n - 1)p/(1 - p)] · 400/ln 10
                  with the ends of that sequence; after an early stop it lies a
                  little too far out
LOS               100.00 %: a normal approximation, not valid after a stop that
                  the games chose; not for decisions
variance ratio    1.065: independent games that one game of a block is worth
played            60 blocks, 240 games
together          the same in both directions
exit code 0
");
}

#[test]
fn a_bot_against_itself() {
    assert_snapshot!(Lab::new().seen("match racer racer --game mensch --seats AC"), @r"
racer against racer: mensch, preset default, seats AC; n = 1,236 games

question          racer against racer
verdict           DEGENERATE: racer and racer play alike, there is nothing to
                  test
share of wins     0.5000 (0.4903 to 0.5097): of racer, equal bots 0.5000; 95 %
                  confidence sequence, valid at every look
Elo               0.00 (-6.75 to 6.75): ln[(n - 1)p/(1 - p)] · 400/ln 10 with
                  the ends of that sequence; after an early stop it lies a
                  little too far out
divergence        no game diverged in 618 blocks; divergence rate below 0.004836
                  (95 %)
played            618 blocks, 1,236 games
exit code 6
");
}

#[test]
fn hypotheses_of_the_gsprt() {
    let line = "match greedy racer --game mensch --seats AC --test gsprt --elo0 -20 --elo1 20";
    assert_snapshot!(Lab::new().seen(line), @r"
greedy against racer: mensch, preset default, seats AC; n = 120 games

question          greedy against racer
verdict           H0 ACCEPTED: the Elo of greedy is -20 rather than 20
share of wins     0.3667 (0.2313 to 0.5199): of greedy, equal bots 0.5000; 95 %
                  confidence sequence, valid at every look
Elo               -94.94 (-208.59 to 13.84): ln[(n - 1)p/(1 - p)] · 400/ln 10
                  with the ends of that sequence; after an early stop it lies a
                  little too far out
LOS               0.06 %: a normal approximation, not valid after a stop that
                  the games chose; not for decisions
LLR               -3.9363: of elo1 against elo0, asymptotic
variance ratio    1.152: independent games that one game of a block is worth
played            60 blocks, 120 games
exit code 3
");
}

/// The exit code tells the verdict, in the order of the documentation.
#[test]
fn exit_codes() {
    let lab = Lab::new();
    let mensch = |line: &str| code(&lab, &format!("match {line} --game mensch --quiet"));
    assert_eq!(mensch("racer random --seats AC"), 0);
    assert_eq!(mensch("random racer --seats AC"), 3);
    assert_eq!(mensch("random racer --seats AC --test gsprt"), 3);
    // Two bots that play alike in all but a few games, and a margin that is easy to be within.
    let close = "cautious racer --seats AC --margin 20pt --max-blocks 300";
    assert_eq!(mensch(close), 4);
    assert_eq!(mensch("racer greedy --seats AC --max-blocks 5"), 5);
    assert_eq!(mensch("greedy greedy --seats ABCD"), 6);
    assert_eq!(mensch("racer gredy"), 2);
}

/// One JSON object with what the text says.
#[test]
fn json_for_programs() {
    let lab = Lab::new();
    let output = lab.run("match racer random --game mensch --json");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["verdict"], "stronger");
    assert_eq!(json["exit_code"], 0);
    assert_eq!(json["directions"].as_array().map(Vec::len), Some(2));
    let first = &json["directions"][0];
    assert!(first["share"]["low"].as_f64().unwrap() >= 0.25);
    let blocks: u64 = first["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(first["blocks"].as_u64(), Some(blocks));
    assert_eq!(first["games"].as_u64(), Some(4 * blocks));
}

#[test]
fn one_two_and_seven_threads() {
    let lab = Lab::new();
    let line = "match racer greedy --game mensch --seats AC --max-blocks 130 --quiet";
    for threads in [1, 2, 7] {
        code(
            &lab,
            &format!("{line} --threads {threads} --out t{threads}"),
        );
    }
    let one = lab.files("t1");
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    assert_eq!(names, ["match.csv", "match.txt", "run.json", "spec.toml"]);
    assert!(one == lab.files("t2") && one == lab.files("t7"));
    // The spec in the folder plays the same match again.
    code(&lab, "match t1/spec.toml --quiet --out again");
    assert!(one == lab.files("again"));
    assert!(
        one["match.txt"]
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
}

/// Killed once there is a checkpoint, and gone on with: the same bytes.
#[test]
fn killed_it_resumes_to_the_same_bytes() {
    let lab = Lab::new();
    let line = "match cautious racer --game mensch --alpha 1e-200 --max-blocks 1200 --quiet";
    let began = Instant::now();
    code(&lab, &format!("{line} --out whole"));
    let mut child = lab
        .command(&format!("{line} --checkpoint 1 --out killed"))
        .spawn()
        .expect("the program starts");
    std::thread::sleep((began.elapsed() / 2).max(Duration::from_millis(50)));
    child.kill().expect("it can be killed");
    child.wait().expect("it ended");
    let resumed = code(&lab, &format!("{line} --out killed --resume"));
    assert_eq!(resumed, 5);
    assert!(lab.files("whole") == lab.files("killed"));
    // A finished match keeps its exit code.
    assert_eq!(code(&lab, &format!("{line} --out killed --resume")), 5);
}

/// Undecided at budgets that end between two looks, gone on with by other numbers of threads: the bytes of one run.
#[test]
fn a_larger_budget_goes_on_from_an_undecided_match() {
    let lab = Lab::new();
    for (name, line, code_at_the_end) in [
        (
            "never",
            "match cautious racer --game mensch --alpha 1e-200",
            5,
        ),
        ("decided", "match racer greedy --game mensch --seats AC", 0),
        (
            "gsprt",
            "match greedy racer --game mensch --seats AC --test gsprt --elo0 -20 --elo1 20",
            3,
        ),
    ] {
        let whole = format!("{line} --max-blocks 190 --quiet --out {name}-whole");
        assert_eq!(code(&lab, &whole), code_at_the_end, "{name}");
        let steps = [
            (7, "--threads 1"),
            (51, "--threads 7 --resume"),
            (190, "--threads 2 --resume"),
        ];
        for (blocks, how) in steps {
            let line = format!("{line} --max-blocks {blocks} {how} --quiet --out {name}");
            let expected = if blocks == 190 { code_at_the_end } else { 5 };
            assert_eq!(code(&lab, &line), expected, "{name}, {blocks} blocks");
        }
        assert!(
            lab.files(&format!("{name}-whole")) == lab.files(name),
            "{name}: other bytes"
        );
    }
    // The spec of the folder says it all but the budget.
    let seen = lab.seen("match never/spec.toml --max-blocks 195 --resume --quiet --out never");
    assert_eq!(seen, "exit code 5");
    let seen = lab.seen("match never/spec.toml --max-blocks 5 --resume --quiet --out never");
    assert_snapshot!(seen, @"
    racelab: never: holds a run of another spec: there is max_blocks = 195, here max_blocks = 5; use the same spec, or --force to start over
    exit code 2
    ");
}

/// What is decided stays decided.
#[test]
fn a_decided_match_is_not_gone_on_with() {
    let lab = Lab::new();
    let line = "match racer greedy --game mensch --seats AC --quiet --out x";
    assert_eq!(code(&lab, &format!("{line} --max-blocks 100")), 0);
    let before = lab.files("x");
    assert_snapshot!(lab.seen(&format!("{line} --max-blocks 1000 --resume")), @r"
racelab: x: is already decided, a larger budget changes nothing; --force plays it again
exit code 2
");
    assert!(before == lab.files("x"));
}

/// Killed while a larger budget is played: either budget can be gone on with.
#[test]
fn killed_while_going_on() {
    let lab = Lab::new();
    let line = "match cautious racer --game mensch --alpha 1e-200 --quiet";
    let began = Instant::now();
    code(&lab, &format!("{line} --max-blocks 800 --out whole"));
    let half = (began.elapsed() / 2).max(Duration::from_millis(50));
    code(&lab, &format!("{line} --max-blocks 90 --out x"));
    let mut child = lab
        .command(&format!(
            "{line} --max-blocks 800 --checkpoint 1 --resume --out x"
        ))
        .spawn()
        .expect("the program starts");
    std::thread::sleep(half);
    child.kill().expect("it can be killed");
    child.wait().expect("it ended");
    assert_eq!(
        code(&lab, &format!("{line} --max-blocks 800 --resume --out x")),
        5
    );
    assert!(lab.files("whole") == lab.files("x"));
}

/// The note names the command, and a result of an older version says why it cannot go on.
#[test]
fn going_on_is_told() {
    let lab = Lab::new();
    let line = "match racer greedy --game mensch --seats AC --max-blocks 20 --out x";
    let seen = lab.seen(line);
    assert!(
        seen.contains("racelab: undecided; to play on, raise --max-blocks: ")
            && seen.contains("--out x --resume"),
        "{seen}"
    );
    fs::remove_file(lab.path("x/state.json")).unwrap();
    let larger = line.replace("20", "40");
    assert_snapshot!(lab.seen(&format!("{larger} --resume")), @r"
racelab: x: keeps no counts to go on from; --force plays it again with the larger budget
exit code 2
");
}

#[test]
fn a_checkpoint_that_was_tampered_with_is_refused() {
    let lab = Lab::new();
    let line = "match cautious racer --game mensch --seats AC --alpha 1e-200 --out x --quiet";
    let mut child = lab
        .command(&format!("{line} --max-blocks 1000000"))
        .spawn()
        .expect("the program starts");
    let began = Instant::now();
    while !lab.path("x/state.json").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "no checkpoint");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ended");
    let path = lab.path("x/state.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"games\":0", "\"games\":1", 1)).unwrap();
    let seen = lab.seen(&format!("{line} --max-blocks 1000000 --resume"));
    assert!(
        seen.contains("its counts are not those that were written; --force starts over"),
        "{seen}"
    );
    let seen = lab.seen(&format!("{line} --max-blocks 5 --resume"));
    assert!(seen.contains("holds a run of another spec"), "{seen}");
}

#[test]
fn what_cannot_be_asked() {
    let lab = Lab::new();
    lab.write("one.toml", "game = 'mensch'\nbots = ['racer']\n");
    lab.write(
        "typo.toml",
        "game = 'mensch'\nbots = ['racer', 'greedy']\nmargn = '1pt'\n",
    );
    let mut seen = Vec::new();
    for line in [
        "racer --game mensch",
        "racer greedy",
        "racer greedy --game chess",
        "racer gredy --game mensch",
        "racer net --game mensch",
        "racer greedy --game mensch --margin 25pt",
        "racer greedy --game mensch --margin 1",
        "racer greedy --game mensch --alpha 0",
        "racer greedy --game mensch --alpha nan",
        "racer greedy --game mensch --test gsprt --beta 0.7",
        "racer greedy --game mensch --test gsprt --elo0 5 --elo1 5",
        "racer greedy --game mensch --beta nan",
        "racer greedy --game mensch --elo1 1e400",
        "racer greedy --game mensch --elo0 -inf",
        "racer greedy --game mensch --max-blocks 0",
        "racer greedy --game mensch --max-blocks 100000000000000000000",
        "racer greedy --game mensch --seed -1",
        "racer greedy --game mensch --resume",
        "one.toml",
        "typo.toml",
        "none.toml",
    ] {
        let all = lab.seen(&format!("match {line}"));
        let first = all.lines().next().unwrap_or_default();
        assert!(all.ends_with("exit code 2"), "{line}: {all}");
        seen.push(first.to_owned());
    }
    assert_snapshot!(seen.join("\n"), @r#"
racelab: match: 'racer' has nobody to play against; name two bots, or a spec file ending in .toml
racelab: game: none named; say what is played, e.g. --game mensch
racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
racelab: bots: no bot 'gredy'; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
racelab: bots: bot 'net': policy 'net' does not play mensch; policies that do: random, run-home, greedy, cautious, racer, expectimax, rollout, learned
racelab: margin: 25pt is not below the fair share of 25pt; ask for less
racelab: --margin: '1'; '1' is no margin; expected points above 0 and below 100, e.g. 1pt or 0.5pt
racelab: alpha: 0; expected above 0 and at most 0.5, e.g. 0.05
racelab: alpha: NaN; expected above 0 and at most 0.5, e.g. 0.05
racelab: beta: 0.7; expected above 0 and at most 0.5, e.g. 0.05
racelab: elo0, elo1: 5 and 5; expected elo0 below elo1, both between -2000 and 2000, e.g. 0 and 5
racelab: beta: NaN; expected above 0 and at most 0.5, e.g. 0.05
racelab: elo0, elo1: 0 and inf; expected elo0 below elo1, both between -2000 and 2000, e.g. 0 and 5
racelab: elo0, elo1: -inf and 5; expected elo0 below elo1, both between -2000 and 2000, e.g. 0 and 5
racelab: --max-blocks: '0'; expected a whole number from 1 to 1000000000000
racelab: --max-blocks: '100000000000000000000'; expected a whole number from 1 to 1000000000000
racelab: --seed: '-1'; expected a whole number from 0 to 9223372036854775807
racelab: the following required arguments were not provided: --out <FOLDER>; see 'racelab --help'
racelab: bots: 1 named; a match is between two, e.g. bots = ["racer", "greedy"]
racelab: typo.toml: line 3: unknown field `margn`, expected one of `game`, `preset`, `seats`, `direction`, `test`, `margin`, `alpha`, `beta`, `elo0`, `elo1`, `max_blocks`, `seed`, `cap`, `rules`, `bots`
racelab: none.toml: no such file
"#);
}
