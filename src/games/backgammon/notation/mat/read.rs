//! Reading `.mat` files line by line.

use super::super::record::{Action, ActionKind, GameResult, MatchRecord, Tag};
use super::super::replay::{Builder, FileError, Problem};
use super::super::{B, play};
use super::{CRAWFORD, JACOBY};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::Board;

/// Columns of white space before an entry of the right side when the left one is empty: the
/// columns are 28 wide, an entry starts one or two in.
const RIGHT_COLUMN: usize = 14;
/// What a line of play starts its entries with.
const ENTRIES: &str = "a roll as in 31:, Doubles => 2, Takes, Drops or Wins 1 point";

/// The match of a `.mat` text; `results` is the generator [`super::super::legal`] speaks of.
///
/// # Errors
/// When a line is not what it should be or an action is illegal; the error names line and game.
pub fn read(
    text: &str,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Result<MatchRecord, FileError> {
    match read_prefix(text, results) {
        (record, None) => Ok(record),
        (_, Some(error)) => Err(error),
    }
}

/// All of a `.mat` text up to its first error, and that error.
pub fn read_prefix(
    text: &str,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> (MatchRecord, Option<FileError>) {
    let mut lines = text.lines().zip(1..);
    let mut record = MatchRecord::default();
    let failed = |line, game, problem| {
        Some(FileError {
            line,
            game,
            problem,
        })
    };
    let last_line = text.lines().count().max(1);
    let length = match head(&mut lines, &mut record) {
        Ok(length) => length,
        Err((line, problem)) => return (record, failed(line.unwrap_or(last_line), 0, problem)),
    };
    settle_rules(&mut record, length);
    let mut reader = Reader {
        builder: Builder::new(record.terms(), results),
        names: None,
        awaits_names: false,
    };
    let mut error = None;
    for (line, number) in lines {
        if let Err(problem) = reader.line(line) {
            error = failed(number, reader.game(), problem);
            break;
        }
    }
    if error.is_none() && reader.awaits_names {
        let problem = Problem::text("the end", "the names and scores of the game");
        error = failed(last_line, reader.game(), problem);
    }
    record.players = reader.names.unwrap_or_default();
    record.games = reader.builder.into_games();
    (record, error)
}

/// Reads up to the line `5 point match`: its number. An error without a line is at the end.
fn head<'a>(
    lines: &mut impl Iterator<Item = (&'a str, usize)>,
    record: &mut MatchRecord,
) -> Result<u32, (Option<usize>, Problem)> {
    for (line, number) in lines {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.starts_with(';') {
            record.tags.extend(tag(line));
        } else if !line.is_empty() {
            let length = line
                .split_whitespace()
                .next()
                .and_then(|word| word.parse().ok());
            let is_head = line.to_ascii_lowercase().ends_with("point match");
            return length.filter(|_| is_head).ok_or_else(|| {
                let problem = Problem::text(line, "the length, as in 5 point match");
                (Some(number), problem)
            });
        }
    }
    let problem = Problem::text("the end", "the length, as in 5 point match");
    Err((None, problem))
}

/// The tag of a header line `; [Name "value"]`; other remarks have none.
fn tag(line: &str) -> Option<Tag> {
    let inner = line.trim_start_matches(';').trim();
    let inner = inner.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once('"')?;
    let value = value.trim_end().strip_suffix('"')?;
    Some(Tag {
        name: name.trim().to_owned(),
        value: value.to_owned(),
    })
}

/// The rules by their headers, which are no longer tags then.
fn settle_rules(record: &mut MatchRecord, length: u32) {
    let mut take = |name: &str| {
        let index = record
            .tags
            .iter()
            .position(|tag| tag.name.eq_ignore_ascii_case(name))?;
        Some(record.tags.remove(index).value.eq_ignore_ascii_case("on"))
    };
    let (crawford, jacoby) = (take(CRAWFORD), take(JACOBY));
    record.length = length;
    record.crawford_rule = length > 0 && crawford.unwrap_or(true);
    record.jacoby = length == 0 && jacoby.unwrap_or(false);
}

struct Reader<F> {
    builder: Builder<F>,
    names: Option<[String; 2]>,
    /// After `Game n`.
    awaits_names: bool,
}

impl<F: FnMut(&Board, [u8; 2]) -> Vec<Board>> Reader<F> {
    /// The number of the game being read.
    fn game(&self) -> usize {
        self.builder.games().len() + usize::from(self.awaits_names)
    }

    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let text = line.trim();
        if text.is_empty() {
            return Ok(());
        }
        // Before remarks, as a name may start like one.
        if self.awaits_names {
            return self.game_head(text);
        }
        if text.starts_with(';') {
            return Ok(());
        }
        if let Some(number) = prefixed(text, "game ") {
            let expected = self.builder.games().len() + 1;
            if number.trim().parse() != Ok(expected) {
                return Err(Problem::text(text, "the next game's number"));
            }
            self.awaits_names = true;
            return Ok(());
        }
        let is_result = prefixed(text, "wins ").is_some();
        let entries = match text.split_once(')') {
            Some((turn, _)) if turn.parse::<u32>().is_ok() => {
                &line[line.find(')').map_or(0, |at| at + 1)..]
            }
            _ if is_result => line,
            _ => {
                return Err(Problem::text(
                    text,
                    "Game 1, or a turn as in 1) 31: 8/5 6/5",
                ));
            }
        };
        for (player, entry) in cells(entries)? {
            self.entry(player, entry)?;
        }
        Ok(())
    }

    /// The line `Ann : 0    Bob : 0` of a game.
    fn game_head(&mut self, text: &str) -> Result<(), Problem> {
        let expected = "the names and scores, as in Ann : 0     Bob : 0";
        let parsed = names_and_scores(text).ok_or_else(|| Problem::text(text, expected))?;
        let (names, score) = parsed;
        if self.names.as_ref().is_some_and(|known| *known != names) {
            return Err(Problem::text(text, "the names of the first game"));
        }
        let crawford = self.builder.is_crawford_next(score);
        self.builder.start(score, crawford, 0)?;
        self.names = Some(names);
        self.awaits_names = false;
        Ok(())
    }

    fn entry(&mut self, player: Seat, entry: &str) -> Result<(), Problem> {
        self.take_beaver(player, entry)?;
        let kind = match entry.split_once(':') {
            Some((dice, text)) => ActionKind::Move {
                dice: read_dice(dice).ok_or_else(|| Problem::text(entry, ENTRIES))?,
                steps: play::read(text)?,
            },
            None => match self.word(player, entry)? {
                None => return Ok(()),
                Some(kind) => kind,
            },
        };
        Ok(self.builder.act(Action { player, kind })?)
    }

    /// A beaver that is taken has no entry: the player on roll just rolls.
    fn take_beaver(&mut self, player: Seat, entry: &str) -> Result<(), Problem> {
        let Some(taker) = self.builder.beaver_answerer() else {
            return Ok(());
        };
        if player == self.builder.on_roll() && entry.contains(':') {
            let take = Action {
                player: taker,
                kind: ActionKind::Take,
            };
            self.builder.act(take)?;
        }
        Ok(())
    }

    /// An entry of words; a result is no action.
    fn word(&mut self, player: Seat, entry: &str) -> Result<Option<ActionKind>, Problem> {
        let lower = entry.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        match words[..] {
            [
                "doubles" | "redoubles" | "beavers" | "raccoons",
                "=>",
                value,
            ] => {
                let value = value.parse().ok();
                let value = value.ok_or_else(|| Problem::text(entry, "Doubles => 2"))?;
                self.check_cube(player, entry, value)?;
                Ok(Some(ActionKind::Double))
            }
            ["takes"] => Ok(Some(ActionKind::Take)),
            ["drops" | "passes"] => Ok(Some(ActionKind::Drop)),
            ["wins", points, "point" | "points"]
            | ["wins", points, "point" | "points", "and", "the", "match"] => {
                let points = points.parse().ok();
                let points = points.ok_or_else(|| Problem::text(entry, "Wins 1 point"))?;
                let winner = player;
                self.builder.end(GameResult { winner, points })?;
                Ok(None)
            }
            _ => Err(Problem::text(entry, ENTRIES)),
        }
    }

    /// The value a cube is turned to. In money play the first one shows automatic doubles.
    fn check_cube(&mut self, player: Seat, entry: &str, value: u32) -> Result<(), Problem> {
        if !value.is_power_of_two() || value < 2 {
            return Err(Problem::text(entry, "a power of two after Doubles =>"));
        }
        let before = value.ilog2() as u8 - 1;
        let cube = self.builder.cube() + u8::from(self.builder.is_doubled());
        if before != cube {
            if self.builder.terms().length > 0 || !self.builder.is_undoubled() {
                return Err(Problem::text(entry, "the cube at twice its value"));
            }
            self.builder.automatic_doubles(player, before)?;
        }
        Ok(())
    }
}

/// The rest of a text after a prefix in any case.
fn prefixed<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start
        .eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

/// Both names and scores; a name may hold anything but ` : `.
fn names_and_scores(text: &str) -> Option<([String; 2], [u32; 2])> {
    let (left, right) = text.split_once(" : ")?;
    let (middle, right_score) = right.rsplit_once(" : ")?;
    let (left_score, right) = middle.trim_start().split_once(char::is_whitespace)?;
    let names = [left, right].map(|name| name.trim().to_owned());
    let scores = [left_score.parse().ok()?, right_score.trim().parse().ok()?];
    names
        .iter()
        .all(|name| !name.is_empty())
        .then_some((names, scores))
}

/// The entries of a line of play, each with the player of its column.
fn cells(line: &str) -> Result<Vec<(Seat, &str)>, Problem> {
    let starts: Vec<usize> = words(line)
        .filter(|(_, word)| starts_entry(word))
        .map(|(at, _)| at)
        .collect();
    let text = |from: usize, to: usize| line[from..to].trim();
    match starts[..] {
        [] if line.trim().is_empty() => Ok(Vec::new()),
        [first, ..] if !line[..first].trim().is_empty() => Err(Problem::text(line, ENTRIES)),
        [only] => {
            let player = if only < RIGHT_COLUMN { Seat::A } else { B };
            Ok(vec![(player, text(only, line.len()))])
        }
        [left, right] => Ok(vec![
            (Seat::A, text(left, right)),
            (B, text(right, line.len())),
        ]),
        _ => Err(Problem::text(line, ENTRIES)),
    }
}

/// The words of a line and where each starts.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split_inclusive(char::is_whitespace)
        .filter_map(move |part| {
            let start = at;
            at += part.len();
            let word = part.trim_end();
            (!word.is_empty()).then_some((start, word))
        })
}

/// Whether a word is the first of an entry.
fn starts_entry(word: &str) -> bool {
    let dice = word.split_once(':').and_then(|(dice, _)| read_dice(dice));
    let known = [
        "doubles",
        "redoubles",
        "beavers",
        "raccoons",
        "takes",
        "drops",
        "passes",
        "wins",
    ];
    dice.is_some() || known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn read_dice(text: &str) -> Option<[u8; 2]> {
    match text.trim().as_bytes() {
        [first @ b'1'..=b'6', second @ b'1'..=b'6'] => Some([first - b'0', second - b'0']),
        _ => None,
    }
}
