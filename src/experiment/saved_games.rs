//! `games/`: whole games in a notation of their own, one file each, kept in parts beside the
//! records until the run is finished.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use crate::engine::game::Game;
use crate::engine::notation::io_reason;
use crate::engine::scribe::Scribe;
use crate::engine::seat::PerSeat;

use super::games_csv::broken;
use super::record::{Record, RecordError, io_error};
use super::schedule::LineUp;
use super::spec::Experiment;

/// The most games of a run that are saved: a folder of more files serves nobody.
pub const MAX_SAVED: u64 = 100_000;

/// The most games whose texts are kept in memory before they are written: a match to 25 points
/// takes some 50 kB.
pub const MAX_TEXTS: u64 = 2000;

/// The folder of the files in a result folder.
pub const FOLDER: &str = "games";

/// The name of the file with the texts of a range of blocks.
pub fn part_name(job: &str, lo: u64, hi: u64) -> String {
    format!("{job}-{lo}-{hi}.texts")
}

/// Texts of games, the blocks in any order, the games of a block in theirs.
#[derive(Clone, Default, Debug)]
pub struct GameTexts(Vec<(u64, String)>);

impl GameTexts {
    /// Adds a game of a block.
    pub fn push(&mut self, block: u64, text: String) {
        self.0.push((block, text));
    }

    /// Adds the games of other blocks.
    pub fn append(&mut self, mut other: GameTexts) {
        self.0.append(&mut other.0);
    }

    /// Writes the texts as a part, in the order of their blocks: each the number of its bytes as
    /// a little-endian u32, then those.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(mut self, out: &mut impl Write) -> io::Result<()> {
        // The games of one block were played by one thread, in order.
        self.0.sort_by_key(|(block, _)| *block);
        for (_, text) in &self.0 {
            out.write_all(&(text.len() as u32).to_le_bytes())?;
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

/// Who writes down the game of a line-up in a rotation, if games are saved.
///
/// # Panics
/// When the game does not have the format, which is checked with the spec.
pub fn scribe<G: Game>(
    experiment: &Experiment<G>,
    line_up: &LineUp,
    rotation: usize,
) -> Option<Box<dyn Scribe<G>>> {
    let format = experiment.spec.save_games.as_deref()?;
    let mut names = PerSeat::from_fn(|_| "");
    for (number, seat) in experiment.game.seats().iter().enumerate() {
        names[seat] = experiment.bots[line_up.bot(number, rotation)].name.as_str();
    }
    let scribe = experiment.game.scribe(format, &names);
    Some(scribe.expect("the format was tried when the spec was checked"))
}

/// Checks that every record has its part, so that this is not found out after the last block.
///
/// # Errors
/// When a part is missing or does not hold the games of its record; the error says how to mend it.
pub fn check<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    folder: &Path,
) -> Result<(), RecordError> {
    records
        .iter()
        .try_for_each(|record| each_text(experiment, record, folder, &mut |_, _| Ok(())))
}

/// Writes the games of all records, which must cover the experiment, as files into `games`. Not
/// atomically each: `run.json`, written after them, says that they are whole.
///
/// # Errors
/// When a part is missing, cannot be read or has other games than its record, or a file cannot be
/// written.
pub fn write_files<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    folder: &Path,
    games: &Path,
) -> Result<(), RecordError> {
    fs::create_dir_all(games).map_err(|error| io_error(games, &error))?;
    for record in records {
        each_text(experiment, record, folder, &mut |name, text| {
            let path = games.join(name);
            fs::write(&path, text).map_err(|error| io_error(&path, &error))
        })?;
    }
    File::open(games)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| io_error(games, &error))
}

/// What is done with the name and the text of a game's file.
type Save<'a> = &'a mut dyn FnMut(&str, &[u8]) -> Result<(), RecordError>;

/// Calls `save` for each game of a record, in order.
fn each_text<G: Game>(
    experiment: &Experiment<G>,
    record: &Record,
    folder: &Path,
    save: Save<'_>,
) -> Result<(), RecordError> {
    let part = folder.join(part_name(&record.job, record.lo, record.hi));
    let there = |error: io::Error| broken(&part, record, &io_reason(&error));
    let mut texts = BufReader::new(File::open(&part).map_err(there)?);
    for block in record.lo..record.hi {
        for (index, line_up) in experiment.schedule.line_ups.iter().enumerate() {
            for rotation in 0..line_up.rotations {
                let text = read_text(&mut texts).map_err(there)?;
                save(&file_name(experiment, block, index, rotation), &text)?;
            }
        }
    }
    if texts.read(&mut [0]).map_err(there)? > 0 {
        return Err(broken(&part, record, "holds other games"));
    }
    Ok(())
}

/// Reads the next text of a part.
fn read_text(part: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    part.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    let mut text = Vec::new();
    part.take(length.into()).read_to_end(&mut text)?;
    if text.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(text)
}

/// The name of a game's file: `block-017-line-up-2-rotation-1.mat`, counted as in `games.csv`;
/// with as many digits as the last one has, so that names sort as the games were played.
fn file_name<G: Game>(
    experiment: &Experiment<G>,
    block: u64,
    line_up: usize,
    rotation: usize,
) -> String {
    let line_ups = &experiment.schedule.line_ups;
    let rotations = line_ups.iter().map(|line_up| line_up.rotations).max();
    let [blocks, of_line_ups, of_rotations] = [
        experiment.spec.blocks.saturating_sub(1),
        line_ups.len() as u64,
        rotations.unwrap_or(1) as u64,
    ]
    .map(|last| last.checked_ilog10().unwrap_or(0) as usize + 1);
    let format = experiment.spec.save_games.as_deref().unwrap_or_default();
    format!(
        "block-{block:0blocks$}-line-up-{:0of_line_ups$}-rotation-{:0of_rotations$}.{format}",
        line_up + 1,
        rotation + 1
    )
}

/// Whether a path is that of a game's file, of whichever run.
pub fn is_game_file(path: &Path) -> bool {
    let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
        return false;
    };
    let numbers = stem.strip_prefix("block-").and_then(|rest| {
        let (block, rest) = rest.split_once("-line-up-")?;
        let (line_up, rotation) = rest.split_once("-rotation-")?;
        Some([block, line_up, rotation])
    });
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    path.extension().is_some() && numbers.is_some_and(|numbers| numbers.into_iter().all(is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_games_are_those_of_game_files() {
        for (name, ours) in [
            ("games/block-017-line-up-2-rotation-1.mat", true),
            ("block-0-line-up-1-rotation-2.sgf", true),
            ("block-0-line-up-1-rotation-2", false),
            ("block--line-up-1-rotation-2.mat", false),
            ("block-x-line-up-1-rotation-2.mat", false),
            ("notes.mat", false),
        ] {
            assert_eq!(is_game_file(Path::new(name)), ours, "{name}");
        }
    }

    #[test]
    fn texts_are_written_block_by_block_and_read_back() {
        let mut texts = GameTexts::default();
        texts.push(3, "c".to_owned());
        let mut other = GameTexts::default();
        other.push(2, "first".to_owned());
        other.push(2, String::new());
        texts.append(other);
        let mut bytes = Vec::new();
        texts.write(&mut bytes).unwrap();
        let mut part = &bytes[..];
        for text in ["first", "", "c"] {
            assert_eq!(read_text(&mut part).unwrap(), text.as_bytes());
        }
        assert!(read_text(&mut part).is_err());
        assert!(read_text(&mut &bytes[..6]).is_err());
    }
}
