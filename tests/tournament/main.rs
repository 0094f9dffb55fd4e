//! Tournaments from outside: the same bytes whatever happens on the way, and exact texts for
//! everything that is refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

mod bytes;
mod conformance;
#[cfg(unix)]
mod interrupted;
mod numbers;
mod records;
mod refused;

/// A folder to work in, and the program.
struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Lab {
        Lab(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        command.arg("tournament").args(words(line));
        command.current_dir(self.0.path());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    /// What one would see on stderr, and the exit code.
    fn seen(&self, line: &str) -> String {
        self.said(&self.run(line))
    }

    fn said(&self, output: &Output) -> String {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code().expect("the program ends by itself");
        let here = self.0.path().display().to_string();
        let program = assert_cmd::cargo::cargo_bin!("racelab")
            .display()
            .to_string();
        let text = text.replace(&program, "racelab").replace(&here, "HERE");
        format!("{text}exit code {code}")
    }

    /// What one would see of some command lines, one after the other.
    fn transcript(&self, lines: &str) -> String {
        let mut transcript = String::new();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let _ = writeln!(transcript, "$ {line}\n{}", self.seen(line));
        }
        transcript
    }

    /// Runs a tournament that must succeed; the bytes of its result folder.
    fn play(&self, line: &str, out: &str) -> Files {
        let seen = self.seen(&format!("{line} --quiet --out '{out}'"));
        assert_eq!(seen, "exit code 0", "{line}");
        self.files(out)
    }

    /// All files of a finished result, `run.json` without its `timing`.
    fn files(&self, out: &str) -> Files {
        let entries = fs::read_dir(self.path(out)).expect("a result folder");
        let files = entries.map(|entry| {
            let path = entry.expect("an entry").path();
            assert!(path.is_file(), "{} is left over", path.display());
            let mut text = fs::read_to_string(&path).expect("results are text");
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name == "run.json" {
                let mut run: Value = serde_json::from_str(&text).expect("JSON");
                assert_eq!(run["state"], "complete");
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

    /// What is in a folder, sorted.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Records of an unfinished run.
    fn records(&self, out: &str) -> Vec<String> {
        let mut names = self.names(&format!("{out}/records"));
        names.retain(|name| name.ends_with(".json"));
        names
    }

    fn rows(&self, file: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path(file)).expect("a table");
        reader
            .deserialize()
            .map(|row| row.expect("a row"))
            .collect()
    }
}

type Files = BTreeMap<String, String>;

/// The words of a command line; 'single quotes' keep spaces together.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

#[track_caller]
fn assert_same(a: &Files, b: &Files) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(a), names(b));
    for (name, text) in a {
        assert_eq!(text, &b[name], "{name}");
    }
}
