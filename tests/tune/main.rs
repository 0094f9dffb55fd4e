//! Tunings: the same bytes whatever happens on the way, a bot that is known to be bad and gets better, and exact texts for
//! everything that is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

mod bytes;
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

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    fn start(&self, line: &str) -> Child {
        let mut command = self.command(line);
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
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

    /// Runs a tuning that must succeed; the bytes of its result folder, `run.json` without its `timing`.
    fn tune(&self, line: &str, out: &str) -> Files {
        let seen = self.seen(&format!("tune {line} --quiet --out {out}"));
        assert_eq!(seen, "exit code 0", "{line}");
        files(&self.path(out))
    }
}

/// All files of a finished tuning.
fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).expect("a result folder");
    let files = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut text = fs::read_to_string(&path).expect("results are text");
        if name == "run.json" {
            let mut run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let run = run.as_object_mut().unwrap();
            run.remove("timing").expect("timing");
            text = serde_json::to_string(run).unwrap();
        }
        (name, text)
    });
    files.collect()
}

/// `racer` as somebody might have left it: it gives captives away and likes danger.
const SPOILT: &str = "name = 'spoilt'\npolicy = 'racer'\n[params]\nexposed = 0.4\nlead = -0.5\n";

/// A tuning of seconds, by each method.
fn small(method: &str) -> String {
    let params = match method {
        "spsa" | "cma-es" => "--param exposed=-1:1:0.2 --param lead=-1:1:0.2",
        _ => "--param exposed=-0.8,-0.4,0,0.4 --param lead=-0.5,0,0.5",
    };
    let generations = match method {
        "spsa" => 20,
        "cma-es" | "ntbea" => 15,
        _ => 6,
    };
    format!(
        "--game mensch --seats AC --bot spoilt.toml --panel greedy,run-home --method {method} {params} --blocks 30 \
         --generations {generations} --validation-blocks 300 --reporting-blocks 150 --seed 5"
    )
}

const METHODS: [&str; 4] = ["spsa", "cma-es", "ntbea", "racing"];
