//! What cannot be asked is refused in one line that says what would have worked.

use super::{Lab, SMALL};

#[test]
fn wrong_questions() {
    let lab = Lab::new();
    for (line, expected) in [
        (
            "",
            "balance: nothing to ask about; name a spec file, or a game and --bots",
        ),
        (
            "mensch",
            "bots: none named; expected at least one, e.g. bots = [\"greedy\", \"random\"]",
        ),
        ("chess --bots random", "game: no game 'chess'; known: "),
        ("mensch --bots gredy", "bots: no bot 'gredy'; known: "),
        (
            "mensch --bots net",
            "bots: bot 'net': policy 'net' does not play mensch",
        ),
        (
            "mensch --bots random,random",
            "bots: two bots are named 'random'",
        ),
        (
            "mensch --bots random --option lane",
            "options: no option 'lane' of mensch; known: forced_capture",
        ),
        (
            "mensch --bots random --option tries=3,2",
            "options: rules: tries = 2; expected 3 or 1",
        ),
        (
            "mensch --bots random --option tries=3",
            "options: 'tries=3' compares nothing; expected two or more different values, e.g. tries=3,1",
        ),
        (
            "mensch --bots random --options lane-jump,lane_jump",
            "options: 'lane_jump' is named twice",
        ),
        (
            "mensch --bots random --option tries --rule tries=1",
            "options: 'tries' is also fixed by rules; take it out there",
        ),
        (
            "mensch --bots random --margin 1",
            "--margin: '1'; '1' is no margin; expected points above 0 and below 100, e.g. 1pt or 0.5pt",
        ),
        (
            "mensch --bots random --margin 0pt",
            "--margin: '0pt'; '0pt' is no margin",
        ),
        (
            "mensch --bots random --margin 25pt",
            "margin: 25pt is as much as the fair share of 4 sides; take less",
        ),
        (
            "mensch --bots random --margin=-1pt",
            "--margin: '-1pt'; '-1pt' is no margin",
        ),
        (
            "mensch --bots random --alpha 0",
            "alpha: 0; expected above 0 and at most 0.5, e.g. 0.05",
        ),
        (
            "mensch --bots random --budget 0",
            "--budget: '0'; expected a whole number from 1 to 1000000000000",
        ),
        (
            "mensch --bots random --budget 1000 --strategy-blocks 0 --luck-blocks 0 --options tries,one-out",
            "budget: 1000 games; the study needs at least 40000: 4 seat questions with 10000 games each for the effects of options, 0 for strategies, 0 for luck. Raise it, or ask for less",
        ),
        (
            "mensch --bots random --seats AC,AC",
            "seats: AC is named twice",
        ),
        (
            "mensch --bots random --primary beauty",
            "primary: no metric 'beauty'; known: seat_spread, skill_gap, first_seat",
        ),
        (
            "mensch --bots racer --minutes 1 --budget 1000000000000",
            "minutes: the study may take ",
        ),
    ] {
        let seen = lab.seen(&format!("balance {line}"));
        assert!(
            seen.starts_with(&format!("racelab: {expected}")) && seen.ends_with("exit code 2"),
            "balance {line}\n{seen}\nexpected: {expected}"
        );
        assert_eq!(seen.lines().count(), 2, "{seen}");
    }
}

#[test]
fn two_studies_in_one_folder() {
    let lab = Lab::new();
    lab.study(SMALL, "out");
    let again = |more: &str| lab.seen(&format!("balance {SMALL} --quiet --out out{more}"));
    assert_eq!(
        again(""),
        "racelab: out: holds a finished result; --force plays it again, --out puts the new one elsewhere\nexit code 2"
    );
    assert_eq!(
        again(" --resume"),
        "racelab: out: the study is finished, nothing to resume\nexit code 0"
    );
    let other = again(" --resume --margin 3pt");
    assert!(
        other.contains("holds a run of another spec: there is nothing, here margin = \"3pt\""),
        "{other}"
    );
    assert_eq!(
        again("/sub --resume"),
        "racelab: out/sub: holds no run to resume; leave out --resume to start one\nexit code 2"
    );
    std::fs::create_dir(lab.path("foreign")).unwrap();
    lab.write("foreign/letter.txt", "mine");
    let foreign = lab.seen(&format!("balance {SMALL} --quiet --force --out foreign"));
    assert_eq!(
        foreign,
        "racelab: foreign: is not empty and holds no result of racelab; choose another folder with --out\nexit code 2"
    );
    assert_eq!(again(" --force"), "exit code 0");
}

#[test]
fn flags_and_files_make_the_same_spec() {
    let lab = Lab::new();
    let printed = lab.run(&format!("balance {SMALL} --print-spec"));
    let text = String::from_utf8(printed.stdout).unwrap();
    lab.write("small.toml", &text);
    let again = lab.run("balance small.toml --print-spec");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
    assert!(
        text.contains("name = \"balance-mensch\"") && text.contains("budget = 40000"),
        "{text}"
    );
}

#[test]
fn the_plan() {
    let lab = Lab::new();
    let output = lab.run("plan mensch --seats ABCD,AC --margin 1pt --bots random");
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |seats: &str| {
        let line = text.lines().find(|line| line.starts_with(seats)).unwrap();
        line.split_whitespace()
            .skip(1)
            .take(5)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("ABCD "), ["1pt", "20292", "23010", "36815", "92036"]);
    assert_eq!(row("AC "), ["1pt", "27056", "26884", "43013", "107532"]);
}
