//! The result folders of all commands but a plain tournament: who may write there, and how far an earlier run came.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::file::{TEMPORARY, write_bytes};
use crate::engine::notation::io_reason;

use super::folder::{
    DONE, Earlier, FolderError, LOCK, SPEC, STATE, kind_of, lock, remove, unwritable,
};
use super::record::{RecordError, io_error};

/// What kind of result a folder holds.
#[derive(PartialEq, Eq, Debug)]
pub struct Kind {
    /// The `kind` in its `run.json`.
    pub name: &'static str,
    /// Everything that a run writes beside spec, checkpoint and `run.json`.
    pub files: &'static [&'static str],
    /// How the other files it writes end, those that are named after a bot.
    pub endings: &'static [&'static str],
    /// The fields of its spec that may be raised when an undecided run is gone on with.
    pub budgets: &'static [&'static str],
}

/// A study of balance.
pub const BALANCE: &Kind = &Kind {
    name: "balance",
    files: &[
        "verdicts.csv",
        "seats.csv",
        "bots.csv",
        "effects.csv",
        "game.csv",
        "verdict.txt",
        "report.html",
    ],
    endings: &[],
    budgets: &["budget", "strategy_blocks"],
};

/// A match of two bots.
pub const MATCH: &Kind = &Kind {
    name: "match",
    files: &["match.csv", "match.txt"],
    endings: &[],
    budgets: &["max_blocks"],
};

/// Ratings of the bots of other folders.
pub const RATING: &Kind = &Kind {
    name: "rating",
    files: &[
        "ratings.csv",
        "los.csv",
        "pairs.csv",
        "seats.csv",
        "rules.csv",
        "ratings.txt",
    ],
    endings: &[],
    budgets: &[],
};

/// A tournament in rounds.
pub const ROUNDS: &Kind = &Kind {
    name: "rounds",
    files: &[
        "ratings.csv",
        "los.csv",
        "pairs.csv",
        "rounds.csv",
        "ratings.txt",
    ],
    endings: &[],
    budgets: &[],
};

/// A tuning.
pub const TUNE: &Kind = &Kind {
    name: "tune",
    files: &["generations.csv", "gains.csv", "report.md"],
    endings: &["-candidate.toml", "-tuned.toml"],
    budgets: &[],
};

/// A checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint<T> {
    schema: u32,
    kind: String,
    job: String,
    digest: String,
    state: T,
}

const SCHEMA: u32 = 2;

/// A result folder, held by this process until it is dropped.
#[derive(Debug)]
pub struct StudyFolder {
    path: PathBuf,
    kind: &'static Kind,
    /// Released when it is closed.
    _lock: File,
}

impl Drop for StudyFolder {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.join(LOCK));
    }
}

/// What a folder holds before a run.
enum Found {
    Nothing,
    Foreign,
    Unfinished,
    Finished,
}

/// What a folder holds. A spec alone is what an early end left, if it is `spec`, the one at hand.
fn found(path: &Path, kind: &Kind, spec: &str) -> Result<Found, FolderError> {
    if path.is_file() {
        return Err(FolderError::NoFolder(path.display().to_string()));
    }
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(unwritable(path, &error)),
        Ok(entries) => entries.flatten().map(|entry| entry.file_name()),
    };
    if let Some(there) = kind_of(path).filter(|there| there != kind.name) {
        return Err(FolderError::other_kind(path, &there, kind.name));
    }
    let same_spec = || fs::read_to_string(path.join(SPEC)).is_ok_and(|there| there == spec);
    let leftover = |name: &std::ffi::OsString| {
        name == LOCK || name.to_string_lossy().starts_with(TEMPORARY) || name == SPEC && same_spec()
    };
    let only_leftovers = entries.into_iter().all(|name| leftover(&name));
    Ok(if is_finished(path, kind) {
        Found::Finished
    } else if path.join(STATE).exists() && path.join(SPEC).exists() {
        Found::Unfinished
    } else if only_leftovers {
        Found::Nothing
    } else {
        Found::Foreign
    })
}

/// Whether the folder holds a finished result of this kind, not that of another command.
fn is_finished(path: &Path, kind: &Kind) -> bool {
    let text = fs::read_to_string(path.join(DONE)).unwrap_or_default();
    let run: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    run["kind"] == kind.name && run["state"] == "complete"
}

impl StudyFolder {
    /// Takes a folder for the study of a resolved spec; none if an earlier run has finished it and is to be resumed.
    ///
    /// # Errors
    /// When an earlier run or another process is in the way, or the folder cannot be written.
    pub fn open(
        path: &Path,
        kind: &'static Kind,
        spec: &str,
        earlier: Earlier,
    ) -> Result<Option<StudyFolder>, FolderError> {
        let shown = || path.display().to_string();
        match (earlier, found(path, kind, spec)?) {
            (Earlier::Refuse | Earlier::Replace, Found::Foreign) => {
                return Err(FolderError::Taken(shown()));
            }
            (Earlier::Refuse, Found::Finished) => return Err(FolderError::Finished(shown())),
            (Earlier::Resume, Found::Foreign | Found::Nothing) => {
                return Err(FolderError::Nothing(shown()));
            }
            _ => {}
        }
        fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?;
        let folder = StudyFolder {
            path: path.to_owned(),
            kind,
            _lock: lock(path)?,
        };
        // Only now can nobody else be at it.
        folder.sweep();
        let there = found(path, kind, spec)?;
        if matches!((earlier, &there), (Earlier::Refuse, Found::Unfinished)) {
            return Err(FolderError::Unfinished(shown()));
        }
        if earlier == Earlier::Resume {
            let is_raised = folder.compare(spec)?;
            return match (there, is_raised) {
                (Found::Finished, false) => {
                    // An end between the last result and the checkpoint leaves it behind.
                    if !folder.is_undecided() {
                        folder.finish();
                    }
                    Ok(None)
                }
                (Found::Finished, true) if !folder.is_undecided() => {
                    Err(FolderError::Decided(shown()))
                }
                (_, true) if !path.join(STATE).exists() => Err(FolderError::NoCounts(shown())),
                _ => Ok(Some(folder)),
            };
        }
        folder.replace(spec)?;
        Ok(Some(folder))
    }

    /// Removes what a run that was killed was writing.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes what an earlier run wrote, and nothing else, and writes the spec of the new one.
    fn replace(&self, spec: &str) -> Result<(), FolderError> {
        // With it, what is left of a removal is known as ours; what says that it is finished goes first.
        if self.path.join(DONE).exists() {
            let mark = serde_json::json!({ "kind": self.kind.name });
            self.write(STATE, mark.to_string().as_bytes())?;
        }
        self.remove(DONE)?;
        for name in self.kind.files {
            self.remove(name)?;
        }
        let entries = fs::read_dir(&self.path).map_err(|error| unwritable(&self.path, &error))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if self.kind.endings.iter().any(|end| name.ends_with(end)) {
                self.remove(&name)?;
            }
        }
        self.write(SPEC, spec.as_bytes())?;
        Ok(self.remove(STATE)?)
    }

    fn remove(&self, name: &str) -> Result<(), RecordError> {
        remove(&self.path.join(name))
    }

    /// Whether the result there is finished and left something undecided.
    fn is_undecided(&self) -> bool {
        let text = fs::read_to_string(self.path.join(DONE)).unwrap_or_default();
        let run: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        run["undecided"] == true
    }

    /// Writes the spec that raises a budget of the run there, and takes away the results of the smaller one; does
    /// nothing if the spec is the same. The checkpoint stays: whenever this ends early, either spec can be gone on with.
    ///
    /// # Errors
    /// When a file cannot be written or removed.
    pub fn raise(&self, spec: &str) -> Result<(), RecordError> {
        if fs::read_to_string(self.path.join(SPEC)).is_ok_and(|there| there == spec) {
            return Ok(());
        }
        self.remove(DONE)?;
        for name in self.kind.files {
            self.remove(name)?;
        }
        self.write(SPEC, spec.as_bytes())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one file of the folder, atomically.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let path = self.path.join(name);
        write_bytes(&path, bytes).map_err(|error| io_error(&path, &error))
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save<T: Serialize>(&self, job: &str, state: &T) -> Result<(), RecordError> {
        let checkpoint = Checkpoint {
            schema: SCHEMA,
            kind: self.kind.name.to_owned(),
            job: job.to_owned(),
            digest: digest(state),
            state,
        };
        let text = serde_json::to_vec(&checkpoint).expect("a state can be written as JSON");
        self.write(STATE, &text)
    }

    /// The checkpoint of an earlier run of this job; none if there is none.
    ///
    /// # Errors
    /// When it cannot be read or is of another run.
    pub fn load<T: Serialize + DeserializeOwned>(
        &self,
        job: &str,
    ) -> Result<Option<T>, RecordError> {
        let path = self.path.join(STATE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_error(&path, &error)),
            Ok(text) => text,
        };
        let foreign = |reason: &str| RecordError::Foreign {
            path: path.display().to_string(),
            reason: format!("{reason}; --force starts over"),
        };
        let checkpoint: Checkpoint<T> = serde_json::from_str(&text)
            .map_err(|error| foreign(&format!("no checkpoint: {error}")))?;
        if checkpoint.schema != SCHEMA || checkpoint.job != job {
            return Err(foreign("a checkpoint of another run or version"));
        }
        if checkpoint.digest != digest(&checkpoint.state) {
            return Err(foreign("its counts are not those that were written"));
        }
        Ok(Some(checkpoint.state))
    }

    /// Lets go of the folder after all results are written.
    pub fn finish(self) {
        let _ = fs::remove_file(self.path.join(STATE));
    }

    /// The run there must be of the same spec, or of one with smaller budgets; whether it is such a one.
    fn compare(&self, spec: &str) -> Result<bool, FolderError> {
        let path = self.path.join(SPEC);
        let there = fs::read_to_string(&path).map_err(|error| RecordError::Io {
            path: path.display().to_string(),
            reason: io_reason(&error),
        })?;
        if there.lines().eq(spec.lines()) {
            return Ok(false);
        }
        if self.is_raised(&there, spec) {
            return Ok(true);
        }
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (there, here) = (lines(&there), lines(spec));
        let only = |these: &[String], those: &[String]| {
            let lines = these
                .iter()
                .filter(|line| !line.is_empty() && !those.contains(line));
            match lines.cloned().collect::<Vec<_>>().join(", ") {
                lines if lines.is_empty() => "nothing".to_owned(),
                lines => lines,
            }
        };
        Err(FolderError::Differs {
            path: self.path.display().to_string(),
            differences: format!(
                "there is {}, here {}",
                only(&there, &here),
                only(&here, &there)
            ),
        })
    }

    /// Whether two specs differ in budgets alone, and none is smaller here. A budget left out is for the command to
    /// judge.
    fn is_raised(&self, there: &str, here: &str) -> bool {
        let (Ok(mut there), Ok(mut here)) =
            (there.parse::<toml::Table>(), here.parse::<toml::Table>())
        else {
            return false;
        };
        let larger = self.kind.budgets.iter().all(|&name| {
            let number = |value: Option<toml::Value>| value.and_then(|value| value.as_integer());
            match (number(there.remove(name)), number(here.remove(name))) {
                (Some(there), Some(here)) => there <= here,
                _ => true,
            }
        });
        larger && there == here
    }
}

/// The hash of what a checkpoint says about the games.
fn digest<T: Serialize>(state: &T) -> String {
    let text = serde_json::to_vec(state).expect("a state can be written as JSON");
    blake3::hash(&text).to_hex()[..16].to_owned()
}
