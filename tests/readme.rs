//! What README.md and docs/ show is what a reader gets.
//!
//! In each page, from its top to its end and in one temporary folder with `bots/` and
//! `experiments/` in it:
//!
//! * a block after a line that ends with `` `file.toml`: `` is written to that file;
//! * of an `sh` block the racelab commands are run and must succeed (other programs are not run);
//! * of a `console` block every command after `$` is run, and what follows must be what it prints,
//!   stderr after stdout. A line `...` stands for any lines, `...` at the end of a line for its rest.
//!
//! Tournaments whose output is not shown play two blocks. A block after `<!-- slow -->` is left to
//! `cargo test --test readme -- --ignored`.
#![cfg(unix)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A fenced block of a page.
struct Block {
    line: usize,
    language: String,
    text: String,
    /// The file that the line before the block names.
    file: Option<String>,
    slow: bool,
}

/// README.md and every page below docs/.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![Path::new(ROOT).join("README.md")];
    let mut folders = vec![Path::new(ROOT).join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("docs can be read") {
            let path = entry.expect("docs can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (number, line) in (1..).zip(page.lines()) {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some("")) => {
                blocks.extend(open.take());
                before = "";
            }
            (Some(block), _) => block.text.extend([line, "\n"]),
            (None, Some(language)) => {
                let named = before
                    .strip_suffix("`:")
                    .and_then(|text| text.rsplit_once('`'));
                open = Some(Block {
                    line: number,
                    language: language.to_owned(),
                    text: String::new(),
                    file: named.map(|(_, file)| file.to_owned()),
                    slow: before == "<!-- slow -->",
                });
            }
            (None, None) if !line.trim().is_empty() => before = line,
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The commands of an `sh` block that this program can run, each on one line.
fn commands(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let lines = joined
        .lines()
        .map(|line| line.replace("cargo run --release -- ", "racelab "));
    let ours = lines.filter(|line| line.starts_with("racelab "));
    ours.map(|line| {
        let plays = line.contains(" tournament ")
            && !line.contains("--print-spec")
            && !line.contains("--blocks");
        let line = line.split(" #").next().unwrap_or_default().to_owned();
        if plays { line + " --blocks 2" } else { line }
    })
    .collect()
}

/// The commands of a `console` block with the output shown.
fn shown(text: &str) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            shown.push((command.to_owned(), String::new()));
        } else {
            let (_, output) = shown.last_mut().expect("a console block begins with '$ '");
            let _ = writeln!(output, "{line}");
        }
    }
    shown
}

/// Runs a command as a reader's shell would; whether it succeeded, and what it printed.
fn run(command: &str, folder: &Path) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_racelab"));
    let mut path = program
        .parent()
        .expect("the program is in a folder")
        .as_os_str()
        .to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = assert_cmd::Command::from_std(Command::new("sh"))
        .args(["-c", command])
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .expect("there is a shell");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("racelab writes UTF-8");
    (output.status.success(), text)
}

/// Whether the lines of an output are those shown.
fn fits(output: &[&str], shown: &[&str]) -> bool {
    match (output.first(), shown.first()) {
        (_, Some(&"...")) => (0..=output.len()).any(|from| fits(&output[from..], &shown[1..])),
        (Some(line), Some(expected)) => {
            let same = match expected.strip_suffix("...") {
                Some(beginning) => line.starts_with(beginning),
                None => line.trim_end() == *expected,
            };
            same && fits(&output[1..], &shown[1..])
        }
        (None, None) => true,
        _ => false,
    }
}

/// Follows a page as a reader would; what went wrong.
fn follow(page: &Path, slow_too: bool) -> String {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for name in ["bots", "experiments"] {
        let to = folder.path().join(name);
        fs::create_dir(&to).expect("the folder is new");
        for entry in fs::read_dir(Path::new(ROOT).join(name)).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_file() {
                let name = path.file_name().expect("a file");
                fs::copy(&path, to.join(name)).expect("it can be copied");
            }
        }
    }
    let mut wrong = String::new();
    let text = fs::read_to_string(page).expect("the page can be read");
    for block in blocks(&text) {
        let place = format!("{}:{}", page.display(), block.line);
        if let Some(file) = &block.file {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, &block.text).expect("it can be written");
        }
        if block.slow && !slow_too {
            continue;
        }
        match block.language.as_str() {
            "sh" => {
                for command in commands(&block.text) {
                    let (done, output) = run(&command, folder.path());
                    if !done {
                        let _ = writeln!(wrong, "{place}\n$ {command}\n{output}");
                    }
                }
            }
            "console" => {
                for (command, expected) in shown(&block.text) {
                    let (_, output) = run(&command, folder.path());
                    let lines: Vec<&str> = output.lines().collect();
                    if !fits(&lines, &expected.lines().collect::<Vec<_>>()) {
                        let _ = writeln!(
                            wrong,
                            "{place}\n$ {command}\n{output}but shown is\n{expected}"
                        );
                    }
                }
            }
            _ => {}
        }
    }
    wrong
}

fn follow_all(slow_too: bool) {
    let pages = pages();
    let followed = std::thread::scope(|scope| {
        let threads: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(move || follow(page, slow_too)))
            .collect();
        let wrong = threads
            .into_iter()
            .map(|thread| thread.join().expect("a page was followed"));
        wrong.collect::<String>()
    });
    assert!(followed.is_empty(), "\n{followed}");
}

#[test]
fn every_page_shows_what_a_reader_gets() {
    follow_all(false);
}

#[test]
#[ignore = "takes a minute"]
fn every_page_shows_what_a_patient_reader_gets() {
    follow_all(true);
}

/// A link to a file of this repository leads to a file.
#[test]
fn every_link_leads_somewhere() {
    let mut wrong = String::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("the page can be read");
        let folder = page.parent().expect("a page is in a folder");
        for part in text.split("](").skip(1) {
            let link = part.split(')').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            // Results are not part of the crate that is published.
            if !link.starts_with("http")
                && !file.starts_with("results/")
                && !folder.join(file).exists()
            {
                let _ = writeln!(wrong, "{}: {link}", page.display());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The table of the README is that of the committed result.
#[test]
fn the_table_is_that_of_the_result_folder() {
    let Ok(summary) = fs::read_to_string(Path::new(ROOT).join("results/mensch-bots/summary.csv"))
    else {
        return; // The published crate comes without results.
    };
    let mut rows = csv::Reader::from_reader(summary.as_bytes());
    let mut table = String::from(
        "| bot | games | wins | 95 % interval | mean place | captures made | suffered |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows.deserialize::<HashMap<String, String>>() {
        let row = row.expect("the summary has a header");
        if row["seat"] != "all" {
            continue;
        }
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        let percent = |name: &str| 100.0 * number(name);
        let _ = writeln!(
            table,
            "| {} | {} | {:.1} % | {:.1} to {:.1} % | {:.2} | {:.1} | {:.1} |",
            row["bot"],
            row["games"],
            percent("share"),
            percent("share_low"),
            percent("share_high"),
            number("mean_place"),
            number("mean_captures_made"),
            number("mean_captures_suffered"),
        );
    }
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).expect("it is there");
    let block = readme
        .split_once("<!-- table:begin -->\n")
        .and_then(|(_, rest)| rest.split_once("<!-- table:end -->"))
        .map(|(block, _)| block)
        .expect("the README has its marks");
    assert!(block.contains(&table), "the README should show\n{table}");
}

/// The cells of the best bot of a result folder; none in the published crate, which comes without
/// results.
fn best_of(folder: &str) -> Option<Vec<String>> {
    let path = Path::new(ROOT)
        .join("results")
        .join(folder)
        .join("summary.csv");
    let summary = fs::read_to_string(path).ok()?;
    let best = summary.lines().nth(1).expect("there is a bot");
    let cells: Vec<String> = best.split(',').map(str::to_owned).collect();
    assert_eq!(cells[1], "all", "{folder}");
    Some(cells)
}

fn percent(cell: &str) -> String {
    format!("{:.1}", 100.0 * cell.parse::<f64>().expect("a share"))
}

/// What the README says of Parchís by Spanish rules, as the results have it.
#[test]
fn the_bot_beside_the_public_engine_is_that_of_the_results() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).expect("it is there");
    let Some(cells) = best_of("parchis-bots/spanish") else {
        return;
    };
    let sentence = format!(
        "`{}` wins {} % ({} to {} %)",
        cells[0],
        percent(&cells[5]),
        percent(&cells[6]),
        percent(&cells[7])
    );
    assert!(readme.contains(&sentence), "{sentence}");
}

/// The best bot of each other experiment the README names, as its results have it.
#[test]
fn the_best_bots_are_those_of_the_results() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).expect("it is there");
    for folder in [
        "parchis-bots",
        "chinczyk-teams",
        "baikal-bots",
        "backgammon-bots",
    ] {
        let Some(cells) = best_of(folder) else {
            return;
        };
        let row = format!(
            "| [{folder}](results/{folder}/) | {} | {} | {} % | {} to {} % | {} % |",
            cells[0],
            cells[3],
            percent(&cells[5]),
            percent(&cells[6]),
            percent(&cells[7]),
            percent(&cells[8]),
        );
        assert!(readme.contains(&row), "the README should show\n{row}");
    }
}
