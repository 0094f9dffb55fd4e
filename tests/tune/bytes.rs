//! The same bytes for any number of threads, in one run or in several.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Lab, METHODS, SPOILT, files, small};

#[test]
fn one_two_and_seven_threads() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    for method in METHODS {
        let line = small(method);
        let one = lab.tune(&format!("{line} --threads 1"), &format!("{method}-1"));
        for threads in [2, 7] {
            let out = format!("{method}-{threads}");
            let other = lab.tune(&format!("{line} --threads {threads}"), &out);
            assert!(one == other, "{method}: {threads} threads make other bytes");
        }
        // The spec in the folder plays the same tuning again.
        let again = lab.tune(&format!("{method}-1/spec.toml"), &format!("{method}-again"));
        assert!(
            one == again,
            "{method}: the resolved spec makes other bytes"
        );
        let report = &one["report.md"];
        assert!(
            report.lines().all(|line| line.chars().count() <= 80),
            "{report}"
        );
    }
}

/// Killed again and again, wherever it is.
#[test]
fn killed_and_gone_on_with() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    for method in ["cma-es", "ntbea"] {
        let line = small(method);
        let whole = lab.tune(&line, &format!("{method}-whole"));
        let out = format!("{method}-killed");
        let began = Instant::now();
        let mut resume = "";
        let mut pause = 60;
        while !lab.path(&out).join("run.json").exists() {
            let mut run = lab.start(&format!("tune {line} --quiet --out {out} {resume}"));
            sleep(Duration::from_millis(pause));
            run.kill().expect("it can be killed");
            run.wait().expect("it ends");
            if lab.path(&out).join("state.json").exists() {
                resume = "--resume";
            }
            // Every run gets further, however slow the machine.
            pause += pause / 2;
            assert!(began.elapsed() < Duration::from_secs(120), "it never ends");
        }
        let seen = lab.seen(&format!("tune {line} --quiet --out {out} --resume"));
        assert!(seen.ends_with("exit code 0"), "{seen}");
        let killed = files(&lab.path(&out));
        assert!(whole == killed, "{method}: a killed tuning has other bytes");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_the_generation_and_says_how_to_go_on() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    let line = small("cma-es").replace("--generations 15", "--generations 900");
    let run = lab.start(&format!("tune {line} --out stopped"));
    while !lab.path("stopped").join("state.json").exists() {
        sleep(Duration::from_millis(20));
    }
    let id = run.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.expect("kill runs").success());
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("go on with: "), "{said}");
    assert!(
        said.trim_end().ends_with("--out stopped --resume"),
        "{said}"
    );
}
