//! The records of an unfinished run: lost, broken, foreign.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use insta::assert_snapshot;
use racelab::experiment::record::Record;
use racelab::experiment::runner::{self, Options, Progress};
use racelab::experiment::spec::{Experiment, Spec};
use racelab::games::mensch::Mensch;

use super::{Lab, assert_same};

const SPEC: &str = "name = 'x'\ngame = 'mensch'\nbots = ['greedy', 'random']\nseats = 'AC'\n\
                    blocks = 4000\ngames_csv = true\n";

fn experiment() -> Experiment<Mensch> {
    Spec::parse(SPEC).unwrap().resolve().unwrap()
}

/// Leaves a run in `out` as one that was killed after its last record.
fn unfinished(lab: &Lab, out: &str) {
    let experiment = experiment();
    lab.write(&format!("{out}/spec.toml"), experiment.spec.to_toml());
    let folder = lab.path(out).join("records");
    fs::create_dir(&folder).unwrap();
    let options = Options {
        threads: 2,
        checkpoint: Duration::from_millis(5),
        stop: &AtomicBool::new(false),
        progress: &Progress::default(),
    };
    assert!(runner::run(&experiment, &folder, &options).unwrap());
    let records = Record::read_all(&folder, &experiment).unwrap();
    assert!(records.len() > 2, "only {} records", records.len());
}

/// What one sees when the run goes on, with the numbers that depend on time left out.
fn resumed(lab: &Lab) -> String {
    let seen = lab.seen("x.toml --out x --resume --quiet");
    let job = experiment().job();
    let mut said = String::new();
    for part in seen.split_inclusive(&job) {
        let digits = part
            .find(|c: char| !c.is_ascii_digit() && c != '-')
            .unwrap_or(0);
        let range = said.ends_with("JOB") && part.starts_with('-');
        said += if range { "-LO-HI" } else { &part[..digits] };
        said += &part[digits..].replace(&job, "JOB");
    }
    said
}

#[test]
fn a_lost_record_is_played_again() {
    let lab = Lab::new();
    lab.write("x.toml", SPEC);
    let undisturbed = lab.play("x.toml", "undisturbed");
    unfinished(&lab, "x");
    let records = lab.records("x");
    fs::remove_file(lab.path("x/records").join(&records[1])).unwrap();
    assert_same(&undisturbed, &lab.play("x.toml --resume", "x"));
}

#[test]
fn a_broken_record_is_refused_and_the_others_stay() {
    let lab = Lab::new();
    lab.write("x.toml", SPEC);
    let undisturbed = lab.play("x.toml", "undisturbed");
    unfinished(&lab, "x");
    let records = lab.records("x");
    let path = lab.path("x/records").join(&records[0]);
    let whole = fs::read_to_string(&path).unwrap();
    let mut seen = String::new();
    let mut with = |what: &str, text: &str| {
        fs::write(&path, text).unwrap();
        seen += &format!("{what}: {}\n", resumed(&lab));
    };
    with("empty", "");
    with("truncated", &whole[..whole.len() / 2]);
    with(
        "another schema",
        &whole.replacen("\"schema\":1", "\"schema\":2", 1),
    );
    with(
        "another job",
        &whole.replacen("\"job\":\"", "\"job\":\"f", 1),
    );
    with(
        "another count",
        &whole.replacen("\"games\":", "\"games\":1", 1),
    );
    with("another field", &whole.replacen("{", "{\"x\":1,", 1));
    fs::write(&path, &whole).unwrap();

    let part = path.with_extension("games");
    let rows = fs::read(&part).unwrap();
    let mut with = |what: &str, rows: &[u8]| {
        fs::write(&part, rows).unwrap();
        seen += &format!("{what}: {}\n", resumed(&lab));
    };
    with("truncated rows", &rows[..rows.len() - 1]);
    let mut others = rows.clone();
    others[8] = 77;
    with("rows of another line-up", &others);
    fs::remove_file(&part).unwrap();
    seen += &format!("no rows: {}\n", resumed(&lab));
    fs::write(&part, &rows).unwrap();

    let copy = path.with_file_name("copy.json");
    fs::copy(&path, &copy).unwrap();
    seen += &format!("under another name: {}\n", resumed(&lab));
    fs::remove_file(&copy).unwrap();
    fs::create_dir(&copy).unwrap();
    seen += &format!("a folder: {}\n", resumed(&lab));
    fs::remove_dir(&copy).unwrap();
    assert_snapshot!(seen, @r#"
empty: racelab: x/records/JOB-LO-HI.json: no record: EOF while parsing a value at line 1 column 0; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
truncated: racelab: x/records/JOB-LO-HI.json: no record: expected `"` at line 1 column 2555; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
another schema: racelab: x/records/JOB-LO-HI.json: a record of schema 2, this racelab reads 1; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
another job: racelab: x/records/JOB-LO-HI.json: a record of job fJOB, this one is JOB; move it away; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
another count: racelab: x/records/JOB-LO-HI.json: its counts are not those of the blocks in its name; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
another field: racelab: x/records/JOB-LO-HI.json: no record: unknown field `x`, expected one of `schema`, `job`, `lo`, `hi`, `tally`, `digest`, `meta` at line 1 column 4; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
truncated rows: racelab: x/records/JOB-LO-HI.games: not as long as the rows of its games; delete JOB-LO-HI.json beside it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
rows of another line-up: racelab: x/records/JOB-LO-HI.games: holds other games; delete JOB-LO-HI.json beside it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
no rows: racelab: x/records/JOB-LO-HI.games: no such file; delete JOB-LO-HI.json beside it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
under another name: racelab: x/records/copy.json: its counts are not those of the blocks in its name; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
a folder: racelab: x/records/copy.json: is a directory; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
"#);

    // Nothing of this has touched what was right.
    assert_same(&undisturbed, &lab.play("x.toml --resume", "x"));
}

#[test]
fn two_records_of_the_same_blocks_are_refused() {
    let lab = Lab::new();
    lab.write("x.toml", SPEC.replace("games_csv = true\n", ""));
    let spec = SPEC.replace("games_csv = true\n", "");
    let experiment: Experiment<Mensch> = Spec::parse(&spec).unwrap().resolve().unwrap();
    lab.write("x/spec.toml", experiment.spec.to_toml());
    let folder = lab.path("x/records");
    fs::create_dir(&folder).unwrap();
    let job = experiment.job();
    for (lo, hi) in [(0, 5), (4, 6)] {
        let tally = runner::play_blocks(&experiment, lo..hi);
        Record::new(&job, lo, hi, tally, Default::default())
            .write(&folder)
            .unwrap();
    }
    let seen = lab
        .seen("x.toml --out x --resume --quiet")
        .replace(&job, "JOB");
    assert_snapshot!(seen, @r"
racelab: x/records/JOB-4-6.json: blocks 4..6 are counted by JOB-0-5.json too; delete one of the two; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
");
    let (lo, hi) = (4000, 4002);
    for file in fs::read_dir(&folder).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    let tally = runner::play_blocks(&experiment, lo..hi);
    Record::new(&job, lo, hi, tally, Default::default())
        .write(&folder)
        .unwrap();
    let seen = lab
        .seen("x.toml --out x --resume --quiet")
        .replace(&job, "JOB");
    assert_snapshot!(seen, @r"
racelab: x/records/JOB-4000-4002.json: its counts are not those of the blocks in its name; delete it and its blocks are played again; to go on afterwards: racelab tournament x.toml --out x --quiet --resume
exit code 1
");
}

#[test]
fn files_of_others_among_the_records_stay() {
    let lab = Lab::new();
    lab.write("x.toml", SPEC);
    unfinished(&lab, "x");
    lab.write("x/records/notes.txt", "mine");
    lab.write("x/notes.txt", "mine too");
    assert_eq!(lab.seen("x.toml --out x --resume --quiet"), "exit code 0");
    assert_eq!(lab.names("x/records"), ["notes.txt"]);
    assert_eq!(lab.seen("x.toml --out x --force --quiet"), "exit code 0");
    assert_eq!(lab.names("x/records"), ["notes.txt"]);
    assert!(lab.names("x").contains(&"notes.txt".to_owned()));
}
