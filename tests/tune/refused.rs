//! What cannot be tuned is refused in one line that says what would have worked.

use super::{Lab, SPOILT, small};

#[test]
fn wrong_questions() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    lab.write(
        "broken.toml",
        "game = 'mensch'\nbot = 'racer'\npanel = ['greedy']\nsed = 1\n",
    );
    lab.write(
        "overlap.toml",
        "game = 'mensch'\nbot = 'racer'\npanel = ['greedy']\n[params.lead]\nlower = 0\nupper = 1\n\
         [domains]\nreporting = 2999\n",
    );
    let racer = "--game mensch --bot racer --panel greedy";
    for (line, expected) in [
        (
            "",
            "tune: nothing to tune; name a spec file, or --game, --bot, --panel and --param",
        ),
        ("missing.toml", "missing.toml: no such file"),
        (
            "broken.toml",
            "broken.toml: line 4: unknown field `sed`, expected one of `name`, ",
        ),
        (
            "overlap.toml",
            "domains: tuning is blocks 0 to 2999 and reporting blocks 2999 to 4998 of the same dice; dice that one has \
             seen prove nothing in the other: move one of them, or leave [domains] out",
        ),
        ("--game chess --bot racer", "game: no game 'chess'; known: "),
        ("--game mensch --bot gredy", "bot: no bot 'gredy'; known: "),
        (
            "--game mensch --bot jailer",
            "bot: bot 'jailer': policy 'jailer' does not play mensch",
        ),
        (
            "--game mensch --bot racer --param lead=0:1",
            "panel: 0 opponents; expected 1 to 20, e.g. panel = [\"greedy\", \"racer\"]",
        ),
        (
            "--game mensch --bot racer --panel greedy,greedy",
            "panel: 'greedy' is named twice",
        ),
        (racer, "params: nothing to tune; name parameters of the bot"),
        (
            &format!("{racer} --param lead"),
            "--param: 'lead' names no range or values; expected e.g. lead=0:1:0.05 or pick=front,rear",
        ),
        (
            &format!("{racer} --param lead=1:0"),
            "params.lead: 1 to 0 is no range; expected lower below upper, both finite",
        ),
        (
            &format!("{racer} --param lead=0:nan"),
            "params.lead: 0 to NaN is no range",
        ),
        (
            &format!("{racer} --param leed=0:1"),
            "params.leed: no parameter of the policy 'racer'; known: progress, lead, ",
        ),
        (
            &format!("{racer} --param lead=0:1 --blocks 1"),
            "--blocks: '1'; expected a whole number from 2 to 1000000",
        ),
        (
            &format!("{racer} --param lead=0:1 --blocks 100000000000000000000"),
            "--blocks: '100000000000000000000'; expected a whole number from 2 to 1000000",
        ),
        (
            &format!("{racer} --param lead=0:1 --alpha nan"),
            "validation.alpha: NaN; expected above 0 and at most 0.5, e.g. 0.05",
        ),
        (
            &format!("{racer} --param lead=0:1 --margin 30pt"),
            "validation.margin: 30pt is not below the fair share of 25pt; ask for less",
        ),
        (
            &format!("{racer} --param lead=0:1 --name a/b"),
            "name: 'a/b' names no result folder",
        ),
        (
            &format!("{racer} --param lead=0:1 --method best"),
            "invalid value 'best' for '--method <WHICH>'",
        ),
        (
            &format!("{racer} --param lead=0:1 --out none --resume"),
            "none: holds no run to resume; leave out --resume to start one",
        ),
    ] {
        assert_refused(&lab, line, expected);
    }
}

#[test]
fn flags_at_odds() {
    let racer = "--game mensch --bot racer --panel greedy";
    for (flags, expected) in [
        (
            "--param lead=0:1 --param progress=0:1 --param lead=0:2",
            "--param: 'lead' is given twice; expected each parameter once",
        ),
        (
            "--param lead=0:1 --margin -1pt",
            "--margin: '-1pt'; '-1pt' is no margin; expected points above 0 and below 100, e.g. 1pt or 0.5pt",
        ),
    ] {
        assert_refused(&Lab::new(), &format!("{racer} {flags}"), expected);
    }
}

/// One line that begins so, and exit code 2.
fn assert_refused(lab: &Lab, line: &str, expected: &str) {
    let seen = lab.seen(&format!("tune {line}"));
    assert!(
        seen.starts_with(&format!("racelab: {expected}")),
        "{line}\n{seen}"
    );
    assert!(seen.ends_with("exit code 2"), "{line}\n{seen}");
    assert_eq!(seen.lines().count(), 2, "{line}\n{seen}");
}

#[test]
fn folders_in_use_are_left_alone() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    let line = small("racing").replace("--generations 6", "--generations 1");
    let first = lab.tune(&line, "out");
    let again = lab.seen(&format!("tune {line} --out out"));
    assert_eq!(
        again,
        "racelab: out: holds a finished result; --force plays it again, --out puts the new one elsewhere\nexit code 2"
    );
    let other = lab.seen(&format!(
        "tune {} --out out --resume",
        line.replace("--seed 5", "--seed 6")
    ));
    assert!(
        other.starts_with("racelab: out: holds a run of another spec: there is seed = 5"),
        "{other}"
    );
    let forced = lab.tune(&format!("{line} --force"), "out");
    assert!(first == forced);
    lab.write("notes.txt", "mine");
    let taken = lab.seen(&format!("tune {line} --out ."));
    assert!(
        taken.contains("is not empty and holds no result of racelab"),
        "{taken}"
    );
}

#[test]
fn a_printed_spec_is_a_spec() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    let line = small("cma-es");
    let printed = lab.run(&format!("tune {line} --print-spec"));
    let text = String::from_utf8(printed.stdout).unwrap();
    insta::assert_snapshot!(text, @r##"
name = "tune-mensch"
game = "mensch"
preset = "default"
seats = "AC"
method = "cma-es"
blocks = 30
generations = 15
seed = 5
cap = 1000000
panel = ["greedy", "run-home"]

[bot]
name = "spoilt"
policy = "racer"

[bot.params]
exposed = 0.4
lead = -0.5

[params.exposed]
lower = -1.0
upper = 1.0
step = 0.2

[params.lead]
lower = -1.0
upper = 1.0
step = 0.2

[search]

[validation]
blocks = 300
alpha = 0.05

[reporting]
blocks = 150

[domains]
"##);
    lab.write("tune-mensch.toml", &text);
    let again = lab.run("tune tune-mensch.toml --print-spec");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}
