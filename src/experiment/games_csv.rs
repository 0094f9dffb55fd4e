//! `games.csv`: one row a game, kept in parts beside the records until the run is finished.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::engine::game::Game;
use crate::engine::play::{Counts, Played};
use crate::engine::seat::PerSeat;

use super::record::{Record, RecordError, io_error, write_atomically};
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
            turns: counts.turns,
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

/// Reads the next row of a part; none at its end.
fn read_row(part: &mut impl io::Read) -> io::Result<Option<Row>> {
    let mut bytes = [0; ROW_BYTES];
    match part.read_exact(&mut bytes) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    Ok(Some(Row {
        block: u64::from_le_bytes(std::array::from_fn(|byte| bytes[byte])),
        line_up: word(8),
        rotation: word(12),
        places: PerSeat::from_fn(|seat| bytes[16 + seat.index()]),
        capped: bytes[24] == 1,
        rolls: word(25),
        turns: word(29),
        captures: word(33),
    }))
}

/// Joins the parts of all records, which must cover the experiment, into `path`.
///
/// # Errors
/// When a part is missing or cannot be read, or the file cannot be written.
pub fn join<G: Game>(
    experiment: &Experiment<G>,
    records: &[Record],
    folder: &Path,
    path: &Path,
) -> Result<(), RecordError> {
    let parts: Vec<PathBuf> = records
        .iter()
        .map(|record| folder.join(part_name(&record.job, record.lo, record.hi)))
        .collect();
    let mut readers = Vec::new();
    for part in &parts {
        readers.push(File::open(part).map_err(|error| io_error(part, &error))?);
    }
    write_atomically(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        table.write_record([
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
        ])?;
        for reader in readers {
            let mut reader = BufReader::new(reader);
            while let Some(row) = read_row(&mut reader)? {
                write_row(experiment, &row, &mut table)?;
            }
        }
        table.flush()
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
