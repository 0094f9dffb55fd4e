//! Plays backgammon by a net file, line by line, for `backgammon_gnubg.py`.
//!
//! A line holds 25 counts of the side to move (points 1 to 24, bar), 25 of the other side in its
//! own numbering, and two dice; the answer is the 50 counts after the play, the sides not swapped.
//!
//! `backgammon-net-player [NETS]` plays the nets of a file, by default the shipped ones.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use racelab::games::backgammon::board::{Board, Side};
use racelab::games::backgammon::net::{Evaluator, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let evaluator = match std::env::args().nth(1) {
        Some(path) => Arc::new(Evaluator::read(Path::new(&path))?),
        None => Evaluator::shipped(),
    };
    let mut search = Search::default();
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let numbers: Vec<u8> = line?
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        let &[ref counts @ .., first, second] = &numbers[..] else {
            return Err("expected 50 counts and two dice".into());
        };
        let (mover, other) = counts.split_at_checked(25).ok_or("expected 50 counts")?;
        let board = Board {
            mover: side(mover)?,
            other: side(other)?,
        };
        let (next, _) = search.reply(&evaluator, &board, (first, second));
        let after = next.swapped();
        let shown: Vec<String> = [after.mover, after.other]
            .into_iter()
            .flat_map(|side| side.counts().into_iter().skip(1))
            .map(|count| count.to_string())
            .collect();
        writeln!(stdout, "{}", shown.join(" "))?;
        stdout.flush()?;
    }
    Ok(())
}

/// A side of 15 checkers with these on the points 1 to 24 and the bar.
fn side(counts: &[u8]) -> Result<Side, String> {
    let left: u32 = counts.iter().map(|&count| u32::from(count)).sum();
    if counts.len() != 25 || left > 15 {
        return Err("expected 25 counts of at most 15 checkers".to_owned());
    }
    let mut all = [0; 26];
    all[0] = 15 - left as u8;
    all[1..].copy_from_slice(counts);
    Ok(Side::from_counts(&all))
}
