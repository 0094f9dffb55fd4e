//! A folder to work in, and the program from outside.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Lab(tempfile::TempDir);

/// The files of a result folder.
pub type Files = BTreeMap<String, String>;

impl Lab {
    pub fn new() -> Lab {
        Lab(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    /// What one would see on a terminal, and the exit code.
    pub fn seen(&self, line: &str) -> String {
        let output = self.run(line);
        let code = output.status.code().expect("the program ends by itself");
        format!(
            "{}{}exit code {code}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }

    /// All files of a finished result, `run.json` without its `timing`.
    pub fn files(&self, folder: &str) -> Files {
        files(&self.path(folder))
    }
}

fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).expect("a result folder");
    let files = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut text = fs::read_to_string(&path).expect("results are text");
        if name == "run.json" {
            let mut run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            run.as_object_mut().unwrap().remove("timing");
            text = run.to_string();
        }
        (name, text)
    });
    files.collect()
}
