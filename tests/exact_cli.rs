//! `racelab exact` from outside.

use assert_cmd::Command;

fn exact(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("racelab")
        .unwrap()
        .arg("exact")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

#[test]
fn the_one_runner_endgame_as_a_table() {
    let (out, _, code) = exact(&[
        "mensch",
        "--runners",
        "1",
        "--seats",
        "AC",
        "--rule",
        "tries=1",
    ]);
    assert_eq!(code, Some(0));
    let answer: Vec<&str> = out.lines().take(9).collect();
    insta::assert_snapshot!(answer.join("\n"), @"
    mensch default tries=1
    A:H,L2,L3,L4 C:H,L2,L3,L4 to=A
    P(A wins)        0.515980191435  optimal
    P(C wins)        0.484019808565  optimal
    E turns           31.509420386072
    E rolls           36.611304463287
    E captures         0.259050500555
    states                       3202
    components                    817
    ");
}

#[test]
fn a_position_as_json() {
    let (out, _, _) = exact(&[
        "mensch",
        "--position",
        "A:r39,L2,L3,L4 C:r19,L2,L3,L4 to=C",
        "--play",
        "random",
        "--format",
        "json",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["states"], 2);
    assert_eq!(answer["seats"][1]["seat"], "C");
    let win = answer["seats"][1]["win"].as_f64().unwrap();
    assert!((win - 6.0 / 11.0).abs() < 1e-15);
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    for (args, reason) in [
        (
            &["mensch", "--runners", "2", "--seats", "ABC"][..],
            "seats ABC cannot all play optimally",
        ),
        (
            &["mensch", "--seats", "AC", "--max-states", "1000"],
            "positions found and",
        ),
        (
            &["mensch", "--runners", "5"],
            "--runners: '5'; expected a whole number from 1 to 4",
        ),
        (
            &["mensch", "--runners", "1", "--play", "random,random,random"],
            "--play: 3 names for the 4 seats ABCD; expected one for each seat or one for all",
        ),
        (
            &["mensch", "--runners", "1", "--play", "gredy"],
            "--play: no bot 'gredy'; known: ",
        ),
    ] {
        let (out, error, code) = exact(args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}");
        assert!(error.contains(reason), "{args:?}: {error}");
    }
}
