//! Reading SGF game by game.

use super::super::B;
use super::super::record::{Action, ActionKind, GameResult, MatchRecord, Tag};
use super::super::replay::{Builder, FileError, Problem, Terms};
use super::tree::{Node, Trees};
use super::{DATE, TAGS};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::{BAR, Board, OFF};
use crate::games::backgammon::step::Step;

/// Properties that set up a position by hand.
const SETUP: [&str; 6] = ["AB", "AW", "AE", "PL", "DI", "CP"];

/// The match of an SGF text; `results` is the generator [`super::super::legal`] speaks of.
///
/// # Errors
/// When the text is no SGF of backgammon or an action is illegal; the error names line and game.
pub fn read(
    text: &str,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Result<MatchRecord, FileError> {
    match read_prefix(text, results) {
        (record, None) => Ok(record),
        (_, Some(error)) => Err(error),
    }
}

/// All of an SGF text up to its first error, and that error.
pub fn read_prefix(
    text: &str,
    mut results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> (MatchRecord, Option<FileError>) {
    let mut reader = Reader {
        trees: Trees::new(text),
        record: MatchRecord::default(),
        builder: Builder::new(Terms::default(), &mut results),
        line: 1,
        game: 0,
    };
    let problem = reader.all().err();
    let Reader {
        mut record,
        builder,
        line,
        game,
        ..
    } = reader;
    record.games = builder.into_games();
    (
        record,
        problem.map(|problem| FileError {
            line,
            game,
            problem,
        }),
    )
}

struct Reader<'a, 'f, F> {
    trees: Trees<'a>,
    record: MatchRecord,
    builder: Builder<&'f mut F>,
    /// Where an error is.
    line: usize,
    game: usize,
}

impl<F: FnMut(&Board, [u8; 2]) -> Vec<Board>> Reader<'_, '_, F> {
    fn all(&mut self) -> Result<(), Problem> {
        loop {
            let mut nodes = Vec::new();
            self.game += 1;
            let next = self.trees.next(&mut nodes);
            if next != Ok(None) {
                self.nodes(&nodes)?;
            }
            self.line = self.trees.line();
            match next? {
                Some(()) => {}
                None if self.game == 1 => {
                    return Err(Problem::text(
                        "the end",
                        "a game tree as in (;FF[4]GM[6] …)",
                    ));
                }
                None => return Ok(()),
            }
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<(), Problem> {
        let Some(root) = nodes.first() else {
            return Ok(());
        };
        self.line = root.line;
        self.root(root)?;
        for node in nodes {
            self.line = node.line;
            self.node(node)?;
        }
        self.line = root.line;
        match root.text("RE") {
            Some(text) => self.result(&text),
            None => Ok(()),
        }
    }

    /// The root of a game: what it is played for, and its score.
    fn root(&mut self, root: &Node) -> Result<(), Problem> {
        let game = root.text("GM").unwrap_or_default();
        if game.trim() != "6" {
            return Err(Problem::text(&game, "GM[6], backgammon"));
        }
        let rules = root.text("RU").unwrap_or_default();
        let has = |name: &str| {
            rules
                .split(':')
                .any(|rule| rule.trim().eq_ignore_ascii_case(name))
        };
        let info = |name| match_info(root, name);
        let length = info("length")?.unwrap_or(0);
        let terms = Terms {
            length,
            crawford_rule: length > 0 && has("Crawford"),
            jacoby: length == 0 && has("Jacoby"),
        };
        if self.game == 1 {
            self.record = match_of(root, terms);
            self.builder.set_terms(terms);
        } else if terms.length != self.builder.terms().length {
            return Err(Problem::text(
                &length.to_string(),
                "the length of the first game",
            ));
        }
        let score = [info("ws")?.unwrap_or(0), info("bs")?.unwrap_or(0)];
        let crawford = length > 0 && has("CrawfordGame");
        self.builder.start(score, crawford, starting_cube(root)?)?;
        Ok(())
    }

    /// A node of the main line: at most one action.
    fn node(&mut self, node: &Node) -> Result<(), Problem> {
        if let Some(name) = SETUP.iter().find(|name| !node.values(name).is_empty()) {
            return Err(Problem::text(
                name,
                "a game from the start, without set-up properties",
            ));
        }
        for (name, player) in [("W", Seat::A), ("B", B)] {
            for value in node.values(name) {
                let kind = action(player, value)?;
                self.builder.act(Action { player, kind })?;
            }
        }
        Ok(())
    }

    /// `W+4R`: the winner, the points, and R if the loser resigned.
    fn result(&mut self, text: &str) -> Result<(), Problem> {
        let text = text.trim();
        if ["", "?", "0", "void", "draw"].contains(&text.to_ascii_lowercase().as_str()) {
            return Ok(());
        }
        let problem = || Problem::text(text, "a result as in W+2 or B+4R");
        let (winner, rest) = text.split_once('+').ok_or_else(problem)?;
        let winner = match winner {
            "W" | "w" => Seat::A,
            "B" | "b" => B,
            _ => return Err(problem()),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let points = rest[..digits].parse().map_err(|_| problem())?;
        let resigned = match rest[digits..].trim() {
            "" => false,
            "R" | "Resign" | "T" | "Time" | "F" | "Forfeit" => true,
            _ => return Err(problem()),
        };
        let decided = self
            .builder
            .games()
            .last()
            .is_some_and(|game| game.result.is_some());
        if resigned && decided {
            return Err(Problem::text(
                text,
                "no resignation, as the game was decided",
            ));
        }
        Ok(self.builder.end(GameResult { winner, points })?)
    }
}

/// The match of the first game's root.
fn match_of(root: &Node, terms: Terms) -> MatchRecord {
    let tags = TAGS.iter().filter_map(|&(name, property)| {
        let value = root.text(property)?;
        let value = if name == DATE {
            value.replace('-', ".")
        } else {
            value
        };
        Some(Tag {
            name: name.to_owned(),
            value,
        })
    });
    MatchRecord {
        length: terms.length,
        crawford_rule: terms.crawford_rule,
        jacoby: terms.jacoby,
        players: ["PW", "PB"].map(|name| root.text(name).unwrap_or_default()),
        tags: tags.collect(),
        games: Vec::new(),
    }
}

/// A number of `MI[length:3][game:0][ws:0][bs:0]`.
fn match_info(root: &Node, name: &str) -> Result<Option<u32>, Problem> {
    let named = |value: &&str| value.split_once(':').map(|(key, _)| key.trim()) == Some(name);
    let Some(value) = root.values("MI").iter().find(|value| named(value)) else {
        return Ok(None);
    };
    let number = value
        .split_once(':')
        .and_then(|(_, number)| number.trim().parse().ok());
    let expected = "a number, as in MI[length:3][ws:0][bs:0]";
    number
        .map(Some)
        .ok_or_else(|| Problem::text(value, expected))
}

/// The cube of automatic doubles, `CV[2]`, as a power of two.
fn starting_cube(root: &Node) -> Result<u8, Problem> {
    let Some(text) = root.text("CV") else {
        return Ok(0);
    };
    let value: Option<u32> = text.trim().parse().ok();
    let value = value.filter(|value| value.is_power_of_two());
    let value = value.ok_or_else(|| Problem::text(&text, "the cube's value, as in CV[2]"))?;
    Ok(value.ilog2() as u8)
}

/// The action of a move property.
fn action(player: Seat, value: &str) -> Result<ActionKind, Problem> {
    let text = value.trim().to_ascii_lowercase();
    match text.as_str() {
        "double" => return Ok(ActionKind::Double),
        "take" => return Ok(ActionKind::Take),
        "drop" => return Ok(ActionKind::Drop),
        _ => {}
    }
    let problem = || {
        Problem::text(
            value,
            "a roll and its moves as in 31hefe, or double, take, drop",
        )
    };
    let [first @ b'1'..=b'6', second @ b'1'..=b'6', letters @ ..] = text.as_bytes() else {
        return Err(problem());
    };
    let (pairs, rest) = letters.as_chunks::<2>();
    if pairs.len() > 4 || !rest.is_empty() {
        return Err(problem());
    }
    let step = |&[from, to]: &[u8; 2]| {
        let (from, to) = (point(player, from)?, point(player, to)?);
        (to < from).then_some(Step {
            from,
            to,
            hit: false,
        })
    };
    let steps: Option<Vec<Step>> = pairs.iter().map(step).collect();
    Ok(ActionKind::Move {
        dice: [first - b'0', second - b'0'],
        steps: steps.ok_or_else(problem)?,
    })
}

/// The point of a letter in the player's own numbering.
fn point(player: Seat, letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'x' if player == Seat::A => Some(letter - b'a' + 1),
        b'a'..=b'x' => Some(b'x' - letter + 1),
        b'y' => Some(BAR),
        b'z' => Some(OFF),
        _ => None,
    }
}
