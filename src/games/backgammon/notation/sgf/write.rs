//! Writing SGF without analysis.

use std::fmt::Write as _;

use super::super::record::{Action, ActionKind, GameRecord, MatchRecord};
use super::{DATE, TAGS};
use crate::engine::seat::Seat;
use crate::games::backgammon::board::{BAR, OFF};

/// The SGF text of a match: a game tree for each game. Tags that SGF has no property for are left
/// out.
pub fn write(record: &MatchRecord) -> String {
    let mut text = String::new();
    for (index, game) in record.games.iter().enumerate() {
        write_root(&mut text, record, index, game);
        for action in &game.actions {
            write_action(&mut text, action);
        }
        text.push_str(")\n");
    }
    text
}

fn write_root(text: &mut String, record: &MatchRecord, index: usize, game: &GameRecord) {
    let [white, black] = record.players.each_ref().map(|name| escaped(name));
    let [white_score, black_score] = game.score_before;
    let _ = write!(
        text,
        "(;FF[4]GM[6]CA[UTF-8]AP[racelab:{}]MI[length:{}][game:{index}][ws:{white_score}]\
         [bs:{black_score}]PW[{white}]PB[{black}]",
        env!("CARGO_PKG_VERSION"),
        record.length,
    );
    if index == 0 {
        for (name, property) in TAGS {
            if let Some(tag) = record.tags.iter().find(|tag| tag.name == name) {
                let value = escaped(&tag.value);
                let value = if name == DATE {
                    value.replace('.', "-")
                } else {
                    value
                };
                let _ = write!(text, "{property}[{value}]");
            }
        }
    }
    let rules = match () {
        () if game.crawford => "Crawford:CrawfordGame",
        () if record.crawford_rule => "Crawford",
        () if record.jacoby => "Jacoby",
        () => "",
    };
    if !rules.is_empty() {
        let _ = write!(text, "RU[{rules}]");
    }
    if game.cube > 0 {
        let _ = write!(text, "CV[{}]", 1u32 << game.cube);
    }
    if let Some(result) = game.result {
        let winner = colour(result.winner);
        let last = game.actions.last().map(|action| &action.kind);
        let resigned = if matches!(last, Some(ActionKind::Resign { .. })) {
            "R"
        } else {
            ""
        };
        let _ = write!(text, "RE[{winner}+{}{resigned}]", result.points);
    }
}

fn write_action(text: &mut String, action: &Action) {
    let player = action.player;
    let value = match &action.kind {
        ActionKind::Move { dice, steps } => {
            let letters = steps.iter().flat_map(|step| [step.from, step.to]);
            let letters: String = letters.map(|point| letter(player, point)).collect();
            format!("{}{}{letters}", dice[0], dice[1])
        }
        ActionKind::Double => "double".to_owned(),
        ActionKind::Take => "take".to_owned(),
        ActionKind::Drop => "drop".to_owned(),
        // It stands in the result.
        ActionKind::Resign { .. } => return,
    };
    let _ = write!(text, "\n;{}[{value}]", colour(player));
}

fn colour(player: Seat) -> char {
    if player == Seat::A { 'W' } else { 'B' }
}

/// The letter of a point in the player's own numbering.
fn letter(player: Seat, point: u8) -> char {
    char::from(match point {
        BAR => b'y',
        OFF => b'z',
        point if player == Seat::A => b'a' + point - 1,
        point => b'x' - (point - 1),
    })
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
