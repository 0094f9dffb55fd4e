//! `racelab train` of the games whose bot is `learned`, from outside.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// `racelab` with these arguments and a number of threads: exit code, stdout, stderr.
fn racelab(threads: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("racelab").expect("the program");
    command.env("RAYON_NUM_THREADS", threads).args(arguments);
    let output = command.output().expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// `racelab train GAME` for a few games of small nets.
fn train(threads: &str, game: &str, folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let out = folder.to_str().expect("a plain name");
    let few = ["--games", "48", "--hidden", "8", "--pairs", "4"];
    let (code, out, error) = racelab(
        threads,
        &[&["train", game, "--out", out][..], &few, more].concat(),
    );
    (
        code,
        out,
        error.replace(&folder.display().to_string(), "DIR"),
    )
}

fn files(folder: &Path) -> [Vec<u8>; 3] {
    ["checkpoint.bin", "log.csv", "nets.net"]
        .map(|name| fs::read(folder.join(name)).expect("a file of the run"))
}

/// One thread, two that stop and go on with seven, and a run that was killed after it had written
/// all but its checkpoint.
#[test]
fn a_run_gives_the_same_bytes_however_it_is_run() {
    for (game, seats, enemies) in [
        ("mensch", "AC,ABCD", &[][..]),
        ("parchis", "AC", &[]),
        ("parchis", "ABCD", &["--enemies", "random", "--inputs", "2"]),
        (
            "chinczyk",
            "AC",
            &["--teacher", "racer", "--views", "mover", "--every", "3"],
        ),
        ("baikal", "ABC", &[]),
    ] {
        let [straight, broken] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
        let seats = [&["--seats", seats, "--checkpoint", "16"][..], enemies].concat();
        let (code, said, error) = train("1", game, straight.path(), &seats);
        assert_eq!(code, Some(0), "{game}: {error}");
        let first = [&seats[..], &["--until", "16"]].concat();
        assert_eq!(train("2", game, broken.path(), &first).0, Some(0));
        let kept = fs::read(broken.path().join("checkpoint.bin")).expect("a checkpoint");
        let on = [&seats[..], &["--resume"]].concat();
        let second = [&on[..], &["--until", "32"]].concat();
        assert_eq!(train("7", game, broken.path(), &second).0, Some(0));
        fs::write(broken.path().join("checkpoint.bin"), kept).expect("an older checkpoint");
        let (code, again, error) = train("2", game, broken.path(), &on);
        assert_eq!(code, Some(0), "{game}: {error}");
        assert_eq!(files(straight.path()), files(broken.path()), "{game}");
        assert_eq!(said, again, "{game}");
    }
}

#[test]
fn a_trained_net_sits_down_at_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let (code, out, error) = train("2", "chinczyk", &run, &["--rule", "teams=true"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.starts_with("ABCD: wins "), "{out}");
    assert!(out.ends_with("; 16 games; equal 50.0)\n"), "{out}");
    let bot = folder.path().join("pupil.toml");
    let net = run.join("nets.net");
    let text = format!("name = 'pupil'\npolicy = 'learned'\n[params]\nnet = {net:?}\n");
    fs::write(&bot, text).expect("a bot file");
    let bots = format!("{},random", bot.display());
    let trace = ["trace", "chinczyk", "--seats", "AC", "--bots", &bots];
    let (code, out, error) = racelab("1", &trace);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("place 1: "), "{out}");
    let other = ["trace", "mensch", "--seats", "AC", "--bots", &bots];
    let (code, _, error) = racelab("1", &other);
    assert_eq!(code, Some(2));
    assert!(
        error.contains("a net of chinczyk, not of mensch"),
        "{error}"
    );
}

/// The share, in per cent, that a net wins of 400 games against `random` after training. Equal bots
/// would win 200; ten is a standard error.
fn share_after(flags: &[&str]) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let long = ["--games", "320", "--hidden", "8", "--pairs", "200"];
    let out = folder.path().display().to_string();
    let start = ["train", "mensch", "--seats", "AC", "--out", &out];
    let (code, out, error) = racelab("2", &[&start[..], flags, &long].concat());
    assert_eq!(code, Some(0), "{error}");
    let share = out.strip_prefix("AC: wins ");
    let share = share.and_then(|rest| rest.split_once(" % against random (95 % "));
    share
        .and_then(|(share, _)| share.parse().ok())
        .expect("a share against random")
}

#[test]
fn a_net_learns_to_answer_the_bot_of_enemies() {
    assert!(share_after(&["--enemies", "random"]) > 57.5);
}

#[test]
fn a_net_learns_from_the_games_of_a_teacher() {
    let flags = ["--teacher", "racer", "--views", "mover"];
    assert!(share_after(&[&flags[..], &["--against", "random"]].concat()) > 57.5);
}

#[test]
fn what_cannot_be_trained_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, flags, expected) in [
        ("chess", &[][..], "game: no game 'chess'; known: mensch, "),
        (
            "mensch",
            &["--race-hidden", "8"],
            "--race-hidden: means nothing for mensch; leave it out",
        ),
        (
            "backgammon",
            &["--preset", "match7"],
            "--preset: means nothing for backgammon; leave it out",
        ),
        (
            "backgammon",
            &["--enemies", "random"],
            "--enemies: means nothing for backgammon; leave it out",
        ),
        (
            "mensch",
            &["--inputs", "2"],
            "inputs: no version 2 of mensch; known: 1",
        ),
        (
            "backgammon",
            &["--inputs", "1"],
            "--inputs: means nothing for backgammon; leave it out",
        ),
        (
            "mensch",
            &["--enemies", "jailer"],
            "--enemies: bot 'jailer': policy 'jailer' does not play mensch; ",
        ),
        (
            "mensch",
            &["--against", "jailer"],
            "--against: bot 'jailer': policy 'jailer' does not play mensch; ",
        ),
        (
            "mensch",
            &["--teacher", "jailer"],
            "--teacher: bot 'jailer': policy 'jailer' does not play mensch; ",
        ),
        (
            "backgammon",
            &["--teacher", "pip"],
            "--teacher: means nothing for backgammon; leave it out",
        ),
        (
            "backgammon",
            &["--views", "mover"],
            "--views: means nothing for backgammon; leave it out",
        ),
        (
            "mensch",
            &["--seats", "AX"],
            "--seats: 'AX'; 'X' is no seat",
        ),
        ("mensch", &["--seats", "ABE"], "seats: "),
        (
            "mensch",
            &["--rule", "tries=2"],
            "rules: tries = 2; expected 3 or 1",
        ),
        (
            "mensch",
            &["--lambda", "NaN"],
            "--lambda: 'NaN'; expected a number from 0 to 1",
        ),
        (
            "mensch",
            &["--from", "no.net"],
            "--from: no.net: no such file",
        ),
    ] {
        let (code, out, error) = train("1", game, folder.path(), flags);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{flags:?}: {error}");
        let expected = format!("racelab: {expected}");
        assert!(error.starts_with(&expected), "{error}\n{expected}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_run_is_neither_overwritten_nor_resumed_with_other_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let seats = ["--seats", "AC", "--until", "16"];
    assert_eq!(train("1", "mensch", folder.path(), &seats).0, Some(0));
    for (more, expected) in [
        (
            &["--seats", "AC"][..],
            "--out: DIR: holds a training run; --resume goes on with it, --force starts over",
        ),
        (
            &["--resume", "--seats", "AB"],
            "--out: DIR: the run has seats AC, not AB; resume it with its own settings",
        ),
        (
            &["--resume", "--seats", "AC", "--rule", "tries=1"],
            "--out: DIR: the run has rule none, not tries=1; resume it with its own settings",
        ),
        (
            &["--resume", "--seats", "AC", "--enemies", "random"],
            "--out: DIR: the run has enemies none, not random; resume it with its own settings",
        ),
        (
            &["--resume", "--seats", "AC", "--teacher", "racer"],
            "--out: DIR: the run has teacher none, not racer; resume it with its own settings",
        ),
        (
            &["--resume", "--seats", "AC", "--views", "mover"],
            "--out: DIR: the run has views all, not mover; resume it with its own settings",
        ),
    ] {
        let (code, _, error) = train("1", "mensch", folder.path(), more);
        assert_eq!(code, Some(2));
        assert_eq!(error, format!("racelab: {expected}\n"));
    }
    let path = folder.path().join("checkpoint.bin");
    let mut bytes = fs::read(&path).expect("a checkpoint");
    bytes[40] ^= 1;
    fs::write(&path, bytes).expect("a damaged checkpoint");
    let (code, _, error) = train("1", "mensch", folder.path(), &["--resume", "--seats", "AC"]);
    assert_eq!(code, Some(1));
    let damaged = "its checksum is not that of its content; it is damaged or cut off";
    assert_eq!(
        error,
        format!("racelab: --out: DIR/checkpoint.bin: {damaged}\n")
    );
}

/// The names and contents of a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

/// A number of games that is no whole number of batches is said, and one signal saves what was played.
#[test]
#[cfg(unix)]
fn what_was_played_is_said_and_saved() {
    let whole = tempfile::tempdir().expect("a folder");
    let flags = ["--seats", "AC", "--until", "30"];
    let (code, _, error) = train("1", "mensch", whole.path(), &flags);
    assert_eq!(code, Some(0));
    assert!(
        error.ends_with("racelab: 32 games, since they are played in batches of 16\n"),
        "{error}"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let long = [
        "--seats",
        "AC",
        "--games",
        "100000000",
        "--checkpoint",
        "100000000",
    ];
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .args(["train", "mensch", "--seed", "9", "--hidden", "8"])
        .args(long)
        .arg("--out")
        .arg(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let began = std::time::Instant::now();
    while !folder.path().join("checkpoint.bin").exists() {
        assert!(began.elapsed().as_secs() < 60, "no checkpoint");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.expect("kill").success());
    let code = child.wait().expect("it ends").code();
    let mut error = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut stderr, &mut error).expect("text");
    assert_eq!(code, Some(130), "{error}");
    assert!(
        error.contains("games; go on with: ") && error.contains(" --resume"),
        "{error}"
    );
    // The first row, and one for what was played.
    let log = fs::read_to_string(folder.path().join("log.csv")).expect("a log");
    let rows: Vec<&str> = log.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{log}");
    let games: u64 = rows[1].split(',').next().unwrap().parse().unwrap();
    assert!(games > 0 && games.is_multiple_of(16), "{log}");
    // So many games in one run have the same nets.
    let straight = tempfile::tempdir().expect("a folder");
    let until = games.to_string();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
    command.args([
        "train", "mensch", "--seed", "9", "--hidden", "8", "--pairs", "2",
    ]);
    command.args(long).args(["--until", &until]).arg("--out");
    assert!(
        command
            .arg(straight.path())
            .output()
            .unwrap()
            .status
            .success()
    );
    for name in ["nets.net", "checkpoint.bin", "log.csv"] {
        let [one, other] = [&folder, &straight].map(|at| fs::read(at.path().join(name)).unwrap());
        assert!(one == other, "{name}");
    }
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let taken = "DIR: is not empty and holds no training run; choose another folder with --out";
    let broken = "DIR: holds a training run without its checkpoint.bin; --force starts over";
    let nothing = "DIR: holds no checkpoint.bin to resume from; leave out --resume to start a run";
    for (files, flags, expected) in [
        (&["run.json", "spec.toml"][..], &[][..], taken),
        (&["run.json", "spec.toml"], &["--force"], taken),
        (&["run.json", "spec.toml"], &["--resume"], nothing),
        (&["thesis.txt", "nets.net"], &["--force"], taken),
        (&["checkpoint.bin"], &["--force"], taken),
        (&["log.csv", "nets.net"], &[], broken),
        (&["log.csv", "nets.net"], &["--resume"], nothing),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        for name in files {
            fs::write(folder.path().join(name), "of somebody else").expect("a file");
        }
        let before = listing(folder.path());
        for game in ["mensch", "backgammon"] {
            let (code, out, error) = train("1", game, folder.path(), flags);
            assert_eq!((code, out.as_str()), (Some(2), ""), "{files:?} {flags:?}");
            assert_eq!(error, format!("racelab: --out: {expected}\n"));
            assert_eq!(listing(folder.path()), before, "{files:?} {flags:?}");
        }
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let (code, _, error) = train("1", "mensch", file.path(), &["--force"]);
    let expected = "racelab: --out: DIR: is no folder; choose another one with --out\n";
    assert_eq!((code, error.as_str()), (Some(2), expected));
}

#[test]
fn force_starts_over_to_the_same_bytes() {
    let [first, other] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
    let seats = ["--seats", "AC"];
    assert_eq!(train("1", "mensch", first.path(), &seats).0, Some(0));
    let seeded = [&seats[..], &["--seed", "2"]].concat();
    assert_eq!(train("1", "mensch", other.path(), &seeded).0, Some(0));
    assert_ne!(files(first.path()), files(other.path()));
    let again = [&seats[..], &["--force"]].concat();
    assert_eq!(train("1", "mensch", other.path(), &again).0, Some(0));
    assert_eq!(files(first.path()), files(other.path()));
    fs::remove_file(other.path().join("checkpoint.bin")).expect("the checkpoint");
    assert_eq!(train("1", "mensch", other.path(), &again).0, Some(0));
    assert_eq!(files(first.path()), files(other.path()));
}

/// A bot that plays by the net of a run cannot be trained against while that run is cleared.
#[test]
fn force_keeps_the_net_of_an_opponent() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    assert_eq!(train("1", "mensch", &run, &["--seats", "AC"]).0, Some(0));
    let kept = files(&run);
    let pupil = folder.path().join("pupil.toml");
    let net = run.join("nets.net").display().to_string();
    let text = format!("name = 'pupil'\npolicy = 'learned'\n[params]\nnet = '{net}'\n");
    fs::write(&pupil, text).expect("a bot file");
    for flag in ["--enemies", "--against"] {
        let pupil = pupil.to_str().expect("a plain name");
        let flags = ["--seats", "AC", "--force", flag, pupil];
        let (code, _, error) = train("1", "mensch", &run, &flags);
        let expected = format!(
            "racelab: {flag}: 'pupil' plays by DIR/nets.net, which --force would clear; copy it first\n"
        );
        assert_eq!((code, error), (Some(2), expected));
        assert_eq!(files(&run), kept);
    }
}

/// Its net is another one in the middle of a run: the run ends where it last wrote itself down.
#[test]
fn an_opponent_that_changes_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for (run, seed) in [("one", "1"), ("two", "2")] {
        let flags = ["--seats", "AC", "--seed", seed];
        assert_eq!(train("1", "mensch", &at(run), &flags).0, Some(0));
    }
    fs::copy(at("one").join("nets.net"), at("enemy.net")).expect("a net");
    let net = at("enemy.net").display().to_string();
    let text = format!("name = 'pupil'\npolicy = 'learned'\n[params]\nnet = '{net}'\n");
    fs::write(at("pupil.toml"), text).expect("a bot file");
    let run = std::process::Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .args(["train", "mensch", "--seats", "AC", "--hidden", "8"])
        .args(["--games", "100000000", "--checkpoint", "16", "--out"])
        .arg(at("long"))
        .arg("--enemies")
        .arg(at("pupil.toml"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("a run");
    while !at("long").join("checkpoint.bin").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    fs::copy(at("two").join("nets.net"), at("enemy.net")).expect("another net");
    let ended = run.wait_with_output().expect("the end of the run");
    let error = String::from_utf8(ended.stderr).expect("UTF-8");
    let last = error.lines().last().unwrap_or_default();
    assert!(last.contains("bot 'pupil': params: "), "{error}");
    assert!(
        last.ends_with("the run stands as at its last checkpoint"),
        "{error}"
    );
    assert!(!error.contains("internal error"), "{error}");
    assert_eq!(ended.status.code(), Some(1), "{error}");
    assert!(at("long").join("checkpoint.bin").exists());
}

/// A net file says what it sees: nobody need say it again to play by it or to go on from it.
#[test]
fn a_net_keeps_its_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let net = first.join("nets.net").display().to_string();
    let flags = ["--seats", "AC", "--enemies", "random"];
    let (code, _, error) = train(
        "1",
        "parchis",
        &first,
        &[&flags[..], &["--inputs", "2"]].concat(),
    );
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = train(
        "1",
        "parchis",
        &second,
        &[&flags[..], &["--from", &net]].concat(),
    );
    assert_eq!(code, Some(0), "{error}");
    let versions = [first, second].map(|run| fs::read(run.join("nets.net")).expect("a net")[32]);
    assert_eq!(versions, [2, 2]);
}

/// What the nets to begin with are made of need not be said, and cannot be said otherwise; the command
/// that is printed goes on.
#[test]
fn the_net_to_begin_with_is_what_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let flags = ["--seats", "AC"];
    let first = [&flags[..], &["--inputs", "2"]].concat();
    assert_eq!(train("1", "parchis", &at("first"), &first).0, Some(0));
    let net = at("first").join("nets.net").display().to_string();
    for (flag, value, has) in [("--inputs", "1", "2"), ("--hidden", "16", "8")] {
        let out = at("no").display().to_string();
        let line = [
            "train", "parchis", "--out", &out, "--from", &net, flag, value,
        ];
        let (code, _, error) = racelab("1", &line);
        let reason = format!("the nets of --from have {has}, leave it out");
        assert_eq!(code, Some(2), "{error}");
        assert_eq!(error, format!("racelab: {flag}: {value}; {reason}\n"));
    }

    let out = at("second").display().to_string();
    let line = [
        "train",
        "parchis",
        "--seats",
        "AC",
        "--pairs",
        "4",
        "--games",
        "100000000",
    ];
    let line = [
        &line[..],
        &["--checkpoint", "16", "--from", &net, "--out", &out],
    ]
    .concat();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .args(&line)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let began = std::time::Instant::now();
    while !at("second").join("checkpoint.bin").exists() {
        assert!(began.elapsed().as_secs() < 60, "no checkpoint");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.expect("kill").success());
    let mut error = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut stderr, &mut error).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{error}");
    let (_, printed) = error.split_once("go on with: ").expect("a command");
    assert!(!printed.contains("--from"), "{printed}");
    let printed: Vec<&str> = printed.split_whitespace().skip(1).collect();
    let (code, _, error) = racelab("1", &[&printed[..], &["--until", "16"]].concat());
    assert!(!error.contains("cannot be used"), "{error}");
    assert_eq!(code, Some(0), "{error}");
}

/// The same bot file and the same path, and another net there.
#[test]
fn another_net_is_another_bot() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let text = format!(
        "name = 'pupil'\npolicy = 'learned'\n[params]\nnet = '{}'\n",
        at("pupil.net")
    );
    fs::write(at("pupil.toml"), text).expect("a bot file");
    let bots = format!("{},random", at("pupil.toml"));
    let play = |out: &str, flag: &[&str]| {
        let line = [
            "tournament",
            "--game",
            "mensch",
            "--seats",
            "AC",
            "--blocks",
            "8",
        ];
        let rest = ["--quiet", "--bots", &bots, "--out", out];
        racelab("1", &[&line[..], &rest, flag].concat())
    };
    let field = |out: &str, name: &str| {
        let text = fs::read_to_string(Path::new(out).join("run.json")).expect("a result");
        let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        run[name].to_string()
    };
    let mut hashes = Vec::new();
    for seed in ["1", "2"] {
        let run = folder.path().join(format!("run{seed}"));
        let flags = ["--seats", "AC", "--seed", seed];
        assert_eq!(train("1", "mensch", &run, &flags).0, Some(0));
        fs::copy(run.join("nets.net"), at("pupil.net")).expect("the net");
        let out = at(&format!("played{seed}"));
        let (code, _, error) = play(&out, &[]);
        assert_eq!(code, Some(0), "{error}");
        hashes.push(field(&out, "spec_hash"));
    }
    assert_ne!(hashes[0], hashes[1]);
    let (code, _, error) = play(&at("played1"), &["--resume"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("net_hash"), "{error}");
    let spec = at("played1/spec.toml");
    let (code, _, error) = racelab("1", &["tournament", &spec, "--quiet", "--out", &at("new")]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("is another net now"), "{error}");
    let both = ["rate", &at("played1"), &at("played2")];
    let (code, out, error) = racelab("1", &both);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{error}");
    assert!(error.contains("pupil"), "{error}");
}
