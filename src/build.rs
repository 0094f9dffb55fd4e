//! Tells the program which revision it was built from, where that is known.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let revision = git(&["rev-parse", "--short=12", "HEAD"]).filter(|text| !text.is_empty());
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])
        .is_some_and(|text| !text.is_empty());
    let text = match revision {
        Some(revision) if changed => format!("{revision}-dirty"),
        Some(revision) => revision,
        None => "unknown".to_owned(),
    };
    println!("cargo::rustc-env=RACELAB_GIT={text}");
    for path in ["src", ".git/HEAD", ".git/index"] {
        // A path that does not exist would make every build a new one.
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
