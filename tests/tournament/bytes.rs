//! The same spec gives the same bytes.

use std::fs;

use insta::assert_snapshot;

use super::{Lab, assert_same};

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let lab = Lab::new();
    lab.write(
        "line-ups.toml",
        "game = 'mensch'\nseats = 'ABC'\nbots = ['racer', 'cautious', 'rear']\n\
         schedule = 'line-ups'\nline_ups = [['racer', 'rear', 'rear'], ['racer', 'racer', 'cautious']]\n",
    );
    for (number, line) in [
        "--game mensch --bots greedy,random,rear --blocks 40",
        "--game mensch --bots greedy,random --blocks 30 --games-csv --seatings all",
        "--game mensch --bots greedy,random,rear --seats AC --schedule one-against-all --blocks 40 --games-csv",
        "--game mensch --bots expectimax,racer,random --schedule gauntlet --blocks 3 --games-csv",
        "line-ups.toml --blocks 20 --games-csv --preset schmidt_official",
        "--game mensch --bots random --blocks 30 --rule tries=1 --cap 150",
    ]
    .iter()
    .enumerate()
    {
        let out = |threads: u32| format!("{number}-{threads}");
        let one = lab.play(&format!("{line} --name x --threads 1"), &out(1));
        assert_eq!(one.contains_key("games.csv"), line.contains("games-csv"));
        for threads in [2, 7] {
            let more = format!("{line} --name x --threads {threads}");
            assert_same(&one, &lab.play(&more, &out(threads)));
        }
    }
}

#[test]
fn a_printed_spec_plays_the_same_wherever_it_is_saved() {
    let lab = Lab::new();
    lab.write(
        "own.toml",
        "name = 'own'\npolicy = 'run-home'\nparams = { pick = 'rear' }",
    );
    let line = "--game mensch --bots greedy,own.toml --seats AC --rule lane-jump=true \
                --seed 18446744073709551615 --blocks 7 --cap 900 --games-csv";
    let played = lab.play(line, "flags");
    let printed = lab.run(&format!("{line} --print-spec"));
    assert!(printed.status.success());
    assert_snapshot!(String::from_utf8_lossy(&printed.stdout), @r#"
name = "mensch"
game = "mensch"
preset = "default"
seats = "AC"
schedule = "round-robin"
seatings = "rotations"
blocks = 7
seed = "18446744073709551615"
cap = 900
games_csv = true
bots = ["greedy", { name = "own", policy = "run-home", params = { pick = "rear" } }]

[rules]
lane_jump = true
"#);
    lab.write("elsewhere/saved.toml", &printed.stdout);
    assert_same(&played, &lab.play("elsewhere/saved.toml", "saved"));
    fs::remove_file(lab.path("own.toml")).unwrap();
    assert_same(&played, &lab.play("elsewhere/saved.toml", "alone"));
    assert_same(&played, &lab.play("flags/spec.toml", "resolved"));
    let again = lab.run("elsewhere/saved.toml --print-spec");
    assert_eq!(again.stdout, printed.stdout);
}

#[test]
fn bot_files_are_looked_up_beside_the_spec() {
    let lab = Lab::new();
    lab.write("own.toml", "name = 'own'\npolicy = 'random'");
    lab.write("a b/own.toml", "name = 'own'\npolicy = 'greedy'");
    lab.write(
        "a b/s.toml",
        "game = 'mensch'\nbots = ['own.toml', 'rear']\nblocks = 4",
    );
    lab.play("'a b/s.toml'", "out");
    let spec = fs::read_to_string(lab.path("out/spec.toml")).unwrap();
    assert!(spec.contains("policy = \"greedy\""), "{spec}");
    fs::remove_file(lab.path("a b/own.toml")).unwrap();
    lab.play("'a b/s.toml'", "from-here");
    fs::remove_file(lab.path("own.toml")).unwrap();
    assert_snapshot!(lab.seen("'a b/s.toml' --out none"), @r"
racelab: bots: own.toml: no such file
exit code 2
");
}

#[cfg(target_os = "linux")]
#[test]
fn folders_whose_names_are_no_text_work() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let lab = Lab::new();
    let strange = lab.0.path().join(OsStr::from_bytes(b"\xffx"));
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("own.toml"), "name = 'own'\npolicy = 'greedy'").unwrap();
    let spec = strange.join("s.toml");
    fs::write(
        &spec,
        "game = 'mensch'\nbots = ['own.toml', 'rear']\nblocks = 4",
    )
    .unwrap();
    let output = lab
        .command("")
        .arg(&spec)
        .arg("--out")
        .arg(strange.join("out"))
        .output();
    assert_eq!(lab.said(&output.unwrap()), "exit code 0");
    assert!(strange.join("out/run.json").exists());
    assert_snapshot!(lab.said(&lab.command("").arg(strange.join("none")).output().unwrap()), @r"
racelab: HERE/�x/none: no such file
exit code 2
");
}
