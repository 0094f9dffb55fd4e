//! Runs that are killed, stopped, or meet another run.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::{Lab, assert_same};

/// A tournament that takes about three seconds in one thread here.
fn three_seconds(lab: &Lab) -> String {
    let line = "--game mensch --bots expectimax,racer,random --schedule gauntlet --games-csv \
                --name long --threads 1 --checkpoint 1";
    let began = Instant::now();
    lab.play(&format!("{line} --blocks 2"), "calibration");
    let each = began.elapsed().as_secs_f64() / 2.0;
    let blocks = (3.0 / each).clamp(10.0, 100_000.0) as u64;
    format!("{line} --blocks {blocks}")
}

fn start(lab: &Lab, line: &str) -> Child {
    let mut command = lab.command(line);
    command
        .arg("--quiet")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let began = Instant::now();
    while !there() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "waited for {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    let status = child.wait().expect("it ended");
    assert_eq!(status.code(), None, "it ended before it was killed");
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_bytes() {
    let lab = Lab::new();
    let line = three_seconds(&lab);
    let undisturbed = lab.play(&line, "undisturbed");

    let out = "--out killed";
    let has_begun = || lab.path("killed/run.json").exists();
    let child = start(&lab, &format!("{line} {out}"));
    wait_for("the start", has_begun);
    kill(child);
    // Again while nothing is saved, and then with one record after the other.
    let child = start(&lab, &format!("{line} {out} --resume"));
    std::thread::sleep(Duration::from_millis(300));
    kill(child);
    assert_eq!(lab.records("killed").len(), 0);
    let child = start(&lab, &format!("{line} {out} --resume"));
    wait_for("a record", || lab.records("killed").len() == 1);
    kill(child);
    lab.write("killed/.racelab-Ab12", "half a file");
    lab.write("killed/records/.racelab-Cd34", "half a record");
    let records = lab.records("killed");
    assert_snapshot!(lab.seen(&format!("{line} {out}")), @r"
racelab: killed: holds an unfinished run; --resume goes on with it, --force starts over
exit code 2
");
    assert_same(
        &undisturbed,
        &lab.play(&format!("{line} --resume"), "killed"),
    );
    assert_eq!(records.len(), 1);
    assert_snapshot!(lab.seen(&format!("{line} {out} --resume")), @r"
racelab: killed: the run is finished, nothing to resume
exit code 0
");
}

#[test]
fn signals_finish_the_block_and_say_how_to_go_on() {
    let lab = Lab::new();
    let line = three_seconds(&lab);
    let undisturbed = lab.play(&line, "undisturbed");
    for (name, out) in [("-INT", "it's an ä"), ("-TERM", "term")] {
        let mut command = lab.command(&line);
        let child = command
            .args(["--quiet", "--out", out])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for("the start", || lab.path(out).join("run.json").exists());
        std::thread::sleep(Duration::from_millis(200));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let said = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        let [first, second] = lines[..] else {
            panic!("{said}")
        };
        assert_eq!(
            first,
            "racelab: finishing the blocks at hand; again to stop at once"
        );
        let (stopped, resume) = second.split_once("; go on with: ").expect("a command");
        let records = lab.records(out);
        assert_eq!(records.len(), 1, "the blocks at hand are saved");
        let saved = records[0]
            .trim_end_matches(".json")
            .rsplit('-')
            .next()
            .unwrap();
        assert!(
            stopped.starts_with(&format!("racelab: stopped after {saved} of ")),
            "{stopped}"
        );
        let state = fs::read_to_string(lab.path(out).join("run.json")).unwrap();
        assert!(state.contains("\"state\": \"stopped\""), "{state}");
        assert!(
            state.contains(&format!("\"blocks_played\": {saved}\n")),
            "{state}"
        );
        assert!(!lab.path(out).join("racelab.lock").exists());
        let resumed = Command::new("sh")
            .arg("-c")
            .arg(resume)
            .current_dir(lab.0.path())
            .output();
        assert_eq!(lab.said(&resumed.unwrap()), "exit code 0", "{resume}");
        assert_same(&undisturbed, &lab.files(out));
    }
}

#[test]
fn a_folder_in_which_a_run_is_at_work_is_refused() {
    let lab = Lab::new();
    let line = "--game mensch --bots greedy,random --blocks 1000000 --out busy";
    let mut child = start(&lab, line);
    wait_for("the start", || lab.path("busy/run.json").exists());
    let seen = lab.transcript(&format!("{line}\n{line} --resume\n{line} --force"));
    assert!(lab.path("busy/racelab.lock").exists());
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_snapshot!(seen, @r"
$ --game mensch --bots greedy,random --blocks 1000000 --out busy
racelab: busy: another racelab is at work there; wait for it, or choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 1000000 --out busy --resume
racelab: busy: another racelab is at work there; wait for it, or choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 1000000 --out busy --force
racelab: busy: another racelab is at work there; wait for it, or choose another folder with --out
exit code 2
");
    // A lock that a killed run left behind holds nobody up.
    lab.write("busy/racelab.lock", "");
    let mut child = start(&lab, &format!("{line} --force"));
    // The earlier run left one that says it was stopped.
    wait_for("the start", || {
        fs::read_to_string(lab.path("busy/run.json")).is_ok_and(|text| text.contains("running"))
    });
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!lab.path("busy/racelab.lock").exists());
}
