//! `games.csv`: one row a game, kept in parts beside the records until the run is finished.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use crate::engine::game::Game;
use crate::engine::notation::io_reason;
use crate::engine::play::{Counts, Played};
use crate::engine::seat::PerSeat;

use super::record::{Record, RecordError, io_error, write_from};
use super::spec::Experiment;

/// What a row says about a game.
#[derive(Clone, Copy, Debug)]
struct Row {
    block: u64,
    line_up: u32,
    rotation: u32,
    places: PerSeat<u8>,
    capped: bool,
    rolls: u32,
    turns: u32,
    captures: u32,
}

/// Rows of games, in any order of their blocks.
#[derive(Clone, Default, Debug)]
pub struct GameRows(Vec<Row>);

/// The bytes of a row in a part: every field little-endian, in the order of `Row`.
const ROW_BYTES: usize = 8 + 4 + 4 + 8 + 1 + 4 + 4 + 4;

/// The name of the file with the rows of a range of blocks.
pub fn part_name(job: &str, lo: u64, hi: u64) -> String {
    format!("{job}-{lo}-{hi}.games")
}

impl GameRows {
    /// Adds a game.
    pub fn push(
        &mut self,
        block: u64,
        line_up: usize,
        rotation: usize,
        played: &Played,
        counts: &Counts,
    ) {
        self.0.push(Row {
            block,
            line_up: line_up as u32,
            rotation: rotation as u32,
            places: played.standing.places,
            capped: played.capped,
            rolls: played.rolls,
            turns: counts.turns(),
            captures: counts.captures.as_array().iter().sum(),
        });
    }

    /// Adds the rows of other blocks.
    pub fn append(&mut self, mut other: GameRows) {
        self.0.append(&mut other.0);
    }

    /// Writes the rows as a part, in the order of their blocks.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(mut self, out: &mut impl Write) -> io::Result<()> {
        // The games of one block were played by one thread, in order.
        self.0.sort_by_key(|row| row.block);
        for row in &self.0 {
            out.write_all(&row.block.to_le_bytes())?;
            out.write_all(&row.line_up.to_le_bytes())?;
            out.write_all(&row.rotation.to_le_bytes())?;
            out.write_all(row.places.as_array())?;
            out.write_all(&[u8::from(row.capped)])?;
            out.write_all(&row.rolls.to_le_bytes())?;
            out.write_all(&row.turns.to_le_bytes())?;
            out.write_all(&row.captures.to_le_bytes())?;
        }
        Ok(())
    }
}

/// Reads the next row of a part.
fn read_row(part: &mut impl io::Read) -> io::Result<Row> {
    let mut bytes = [0; ROW_BYTES];
    part.read_exact(&mut bytes)?;
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    Ok(Row {
        block: u64::from_le_bytes(std::array::from_fn(|byte| bytes[byte])),
        line_up: word(8),
        rotation: word(12),
        places: PerSeat::from_fn(|seat| bytes[16 + seat.index()]),
        capped: bytes[24] == 1,
        rolls: word(25),
        turns: word(29),
        captures: word(33),
    })
}

/// Checks that every record has its part, so that this is not found out after the last block.
///
/// # Errors
/// When a part is missing or not as long as it must be; the error says how to mend it.
pub fn check<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    folder: &Path,
) -> Result<(), RecordError> {
    for record in records {
        let part = folder.join(part_name(&record.job, record.lo, record.hi));
        let games = record.tally.blocks * experiment.schedule.games_per_block() as u64;
        let reason = match std::fs::metadata(&part) {
            Ok(meta) if meta.len() == games * ROW_BYTES as u64 => continue,
            Ok(_) => "not as long as the rows of its games".to_owned(),
            Err(error) => io_reason(&error),
        };
        return Err(broken(&part, record, &reason));
    }
    Ok(())
}

/// The error that a part is not what its record says, and how to mend it.
pub(super) fn broken(part: &Path, record: &Record, reason: &str) -> RecordError {
    let record = Record::file_name(&record.job, record.lo, record.hi);
    RecordError::Foreign {
        path: part.display().to_string(),
        reason: format!("{reason}; delete {record} beside it and its blocks are played again"),
    }
}

/// Joins the parts of all records, which must cover the experiment, into `path`.
///
/// # Errors
/// When a part is missing, cannot be read or has other games than its record, or the file cannot
/// be written.
pub fn join<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    folder: &Path,
    path: &Path,
) -> Result<(), RecordError> {
    write_from(path, |out| {
        let here = |error: io::Error| io_error(path, &error);
        let mut table = csv::Writer::from_writer(out);
        let header = table.write_record([
            "block",
            "line_up",
            "rotation",
            "seats",
            "bots",
            "winner",
            "winning_bot",
            "places",
            "rolls",
            "turns",
            "captures",
            "capped",
        ]);
        header.map_err(|error| here(error.into()))?;
        // One part at a time: there can be more of them than a process may have open.
        for record in records {
            let part = folder.join(part_name(&record.job, record.lo, record.hi));
            let there = |error: io::Error| broken(&part, record, &io_reason(&error));
            let mut rows = BufReader::new(File::open(&part).map_err(there)?);
            for block in record.lo..record.hi {
                for (index, line_up) in experiment.schedule.line_ups.iter().enumerate() {
                    for rotation in 0..line_up.rotations {
                        let row = read_row(&mut rows).map_err(there)?;
                        let game = (block, index as u32, rotation as u32);
                        if (row.block, row.line_up, row.rotation) != game {
                            return Err(broken(&part, record, "holds other games"));
                        }
                        write_row(experiment, &row, &mut table).map_err(here)?;
                    }
                }
            }
        }
        table.flush().map_err(here)
    })
}

fn write_row<G: Game, W: Write>(
    experiment: &Experiment<G>,
    row: &Row,
    table: &mut csv::Writer<W>,
) -> io::Result<()> {
    let seats = experiment.game.seats();
    let line_up = &experiment.schedule.line_ups[row.line_up as usize];
    let bot = |number: usize| &experiment.bots[line_up.bot(number, row.rotation as usize)].name;
    let winner = seats
        .iter()
        .enumerate()
        .find(|&(_, seat)| !row.capped && row.places[seat] == 1);
    let bots: Vec<&str> = (0..seats.len())
        .map(|number| bot(number).as_str())
        .collect();
    let places: Vec<String> = seats
        .iter()
        .map(|seat| row.places[seat].to_string())
        .collect();
    table.write_record([
        &row.block.to_string(),
        &(row.line_up + 1).to_string(),
        &(row.rotation + 1).to_string(),
        &seats.to_string(),
        &bots.join(" "),
        &winner.map_or_else(String::new, |(_, seat)| seat.to_string()),
        &winner.map_or_else(String::new, |(number, _)| bot(number).clone()),
        &places.join(" "),
        &row.rolls.to_string(),
        &row.turns.to_string(),
        &row.captures.to_string(),
        &row.capped.to_string(),
    ])?;
    Ok(())
}
