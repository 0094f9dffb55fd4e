//! `racelab regret` from outside, and its numbers against those of the exact solver.

mod numbers;

use assert_cmd::Command;

fn regret(args: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::cargo_bin("racelab").unwrap();
    let output = command.arg("regret").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

/// The endgame with both last tokens on the way, which C can hit.
const CHASE: &str = "A:r30,r36,L3,L4 C:r25,L2,L3,L4 to=A";

#[test]
fn a_table_names_the_worst_decisions() {
    let (out, error, code) = regret(&["run-home", "mensch", "--position", CHASE, "--top", "3"]);
    assert_eq!((error.as_str(), code), ("", Some(0)));
    insta::assert_snapshot!(out, @"
    mensch default, run-home
    A:r30,r36,L3,L4 C:r25,L2,L3,L4 to=A
    seat  wins, perfect             bot            lost  lost to its best enemy
    A    0.527577656673  0.499740165990  0.027837490683  0.027837490683
    C    0.472422343327  0.472422343327  0.000000000000  0.000000000000
    positions         71734
    decisions        149582  51035 of them lose something
    mean loss   0.008146838  each decision counted once
    0.155003897  A:r29,r34,L3,L4 C:r39,L2,L3,L4 to=A dice=6
                 plays r34>L1, best r29>r35
    0.153040480  A:r31,r36,L3,L4 C:r37,L2,L3,L4 to=A dice=4
                 plays r36>L1, best r31>r35
    0.153040480  A:r31,r35,L3,L4 C:r37,L2,L3,L4 to=A dice=5
                 plays r35>L1, best r31>r36
    ");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn a_seat_alone_loses_turns() {
    let args = ["rear", "mensch", "--solitaire", "--runners", "2"];
    let (out, error, code) = regret(&[&args[..], &["--top", "1"]].concat());
    assert_eq!((error.as_str(), code), ("", Some(0)));
    insta::assert_snapshot!(out, @"
    mensch default, rear
    A:H,H,L3,L4 to=A tries=3
    seat  turns, perfect             bot            lost
    A   27.664556959970 34.023863120889  6.359306160919
    positions           907
    decisions          4130  3460 of them lose something
    mean loss   0.241468138  each decision counted once
    6.000000000  A:r37,L1,L3,L4 to=A dice=1
                 plays r37>r38, best L1>L2
    ");
}

#[test]
fn all_mistakes_are_rows_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mistakes.csv");
    let file = path.to_str().unwrap();
    let args = ["random", "mensch", "--position", CHASE];
    let (out, _, code) = regret(&[&args[..], &["--top", "0", "--out", file]].concat());
    assert_eq!(code, Some(0));
    let wrong = out.lines().find(|line| line.starts_with("decisions"));
    let wrong: usize = wrong
        .unwrap()
        .split_whitespace()
        .nth(2)
        .unwrap()
        .parse()
        .unwrap();
    let rows = std::fs::read_to_string(&path).unwrap();
    assert_eq!(rows.lines().count(), wrong + 1);
    let head: Vec<&str> = rows.lines().take(2).collect();
    insta::assert_snapshot!(head.join("\n"), @r#"
    seat,position,roll,chosen,best,worth_best,worth_chosen,loss
    A,"A:r34,r35,L3,L4 C:r7,L2,L3,L4 to=A dice=6",6,any,r35>L2,0.6849713094016128,0.521316032919646,0.16365527648196676
    "#);
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_reason() {
    for (args, reason) in [
        (
            &["gredy", "mensch", "--seats", "AC", "--runners", "1"][..],
            "BOT: no bot 'gredy'; known: ",
        ),
        (
            &["jailer", "mensch", "--seats", "AC", "--runners", "1"],
            "BOT: bot 'jailer': policy 'jailer' does not play mensch; ",
        ),
        (
            &["racer", "mensch", "--runners", "1"],
            "seats ABCD cannot all play optimally",
        ),
        (
            &["racer", "mensch", "--seats", "AC", "--max-states", "1000"],
            "positions found and",
        ),
        (
            &["racer", "mensch", "--runners", "5"],
            "--runners: '5'; expected a whole number from 1 to 4",
        ),
        (
            &["racer", "backgammon", "--bearoff", "-1"],
            "--bearoff: '-1'; expected a whole number from 1 to 6",
        ),
        (
            &["racer", "mensch", "--top", "-1"],
            "--top: '-1'; expected a whole number from 0 to 1000",
        ),
        (
            &["racer", "backgammon", "--solitaire"],
            "--solitaire: backgammon is not played alone",
        ),
    ] {
        let (out, error, code) = regret(args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}");
        assert!(error.contains(reason), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    let args = [
        "racer",
        "mensch",
        "--position",
        CHASE,
        "--out",
        "no/such/folder.csv",
    ];
    let (_, error, code) = regret(&args);
    assert_eq!(code, Some(1));
    assert!(error.contains("--out: no/such/folder.csv: "), "{error}");
}

#[cfg(unix)]
#[test]
fn a_device_or_a_link_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("there.csv");
    let link = folder.path().join("link.csv");
    std::fs::write(&file, "kept").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    // A socket stands for all devices: replacing one of the system's is not put to the test.
    let socket = folder.path().join("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for special in [&link, &socket, &folder.path().to_path_buf()] {
        let shown = special.to_str().unwrap();
        let args = ["racer", "mensch", "--position", CHASE, "--out", shown];
        let (out, error, code) = regret(&args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{error}");
        let what = "no regular file; expected a new file or one to replace";
        assert_eq!(error, format!("racelab: --out: {shown}: {what}\n"));
    }
    assert!(link.is_symlink());
    assert!(!socket.is_file());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
}
