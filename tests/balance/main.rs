//! Studies of balance: verdicts that are seldom wrong, the same bytes whatever happens on the way, and exact texts for
//! everything that is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

mod bytes;
mod calibration;
mod numbers;
mod refused;

/// A folder to work in, and the program.
struct Lab(tempfile::TempDir);

/// The files of a result folder.
type Files = BTreeMap<String, String>;

impl Lab {
    fn new() -> Lab {
        Lab(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command.output().expect("the program starts")
    }

    /// What one would see on stderr, and the exit code.
    fn seen(&self, line: &str) -> String {
        let output = self.run(line);
        let code = output.status.code().expect("the program ends by itself");
        format!(
            "{}exit code {code}",
            String::from_utf8_lossy(&output.stderr)
        )
    }

    /// Runs a study that must succeed; the bytes of its result folder, `run.json` without its `timing`.
    fn study(&self, line: &str, out: &str) -> Files {
        let seen = self.seen(&format!("balance {line} --quiet --out {out}"));
        assert_eq!(seen, "exit code 0", "{line}");
        files(&self.path(out))
    }
}

/// All files of a finished study.
fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).expect("a result folder");
    let files = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut text = fs::read_to_string(&path).expect("results are text");
        if name == "run.json" {
            let mut run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            run.as_object_mut()
                .unwrap()
                .remove("timing")
                .expect("timing");
            text = run.to_string();
        }
        (name, text)
    });
    files.collect()
}

/// A study of seconds that asks everything.
const SMALL: &str = "mensch --seats AC,AB --option lane_jump --bots run-home,greedy --effect-blocks 1500 \
                     --strategy-blocks 150 --luck-blocks 100 --budget 40000 --seed 7";
