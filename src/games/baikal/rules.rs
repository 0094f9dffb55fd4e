//! The house rules of the Baikal race.

use std::fmt;
use std::path::Path;

use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::engine::game::{Preset, RuleOption, RuleSet};
use crate::engine::notation::{from_toml, read_text};

use super::board::{Board, NAMES};

/// The house rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is a house rule of its own, on or off.
pub struct Rules {
    /// Which of the three games of the sheet is played.
    pub level: Level,
    /// The board: in specs the name of a preset, a path that ends in `.toml`, or a table with the
    /// fields of [`Board`]. Written back as a name or a table, so a file is read only once.
    #[serde(serialize_with = "write_board", deserialize_with = "read_board")]
    pub board: Board,
    /// A passed token is pushed back one cell; without it only those in the pocket are pushed.
    pub overtake_push: bool,
    /// What the second die does when the first brought a token home (Classic).
    pub second_die_after_home: SecondDie,
    /// A die burnt by a Rest with the first one counts as used in the maximum rule (Serious).
    pub rest_burn_counts: bool,
    /// A captor whose reply ends on Rest skips its next turn (Serious).
    pub reply_rest_skip: bool,
    /// Rest can cost the next turn; without it only the dice of this one.
    pub corner_skip: bool,
    /// After a ransom the captor moves six (Serious).
    pub ransom_reply: bool,
    /// A captured token is held by its captor; without it it returns to its reserve (Serious).
    pub capture_keeps: bool,
    /// The two tokens of a block may not share a double (Serious).
    pub double_block: bool,
    /// What must be used of a roll (Serious).
    pub max_rule: MaxRule,
    /// The faces that leave the three cells of the pocket.
    pub keys: Keys,
    /// The others play on for places when a seat is home.
    pub play_on: bool,
}

/// The three games of the sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// One token at a time walks the sum of both dice.
    Sprint,
    /// One token at a time walks each die, the bigger one first.
    Classic,
    /// All tokens at once, free choice, blocks, captures held for ransom.
    Serious,
}

/// What the second die does when the first brought a token home.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondDie {
    /// Nothing.
    Burn,
    /// Brings out the next token and walks it.
    Play,
}

/// What must be used of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MaxRule {
    /// As many pips as possible.
    Pips,
    /// Whatever can be used after a free first choice.
    None,
}

/// The faces that leave the three cells of the pocket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// Those of the board.
    Board,
    /// These, whatever the board says.
    Faces([u8; 3]),
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            level: Level::Serious,
            board: Board::default(),
            overtake_push: true,
            second_die_after_home: SecondDie::Burn,
            rest_burn_counts: true,
            reply_rest_skip: true,
            corner_skip: true,
            ransom_reply: true,
            capture_keeps: true,
            double_block: true,
            max_rule: MaxRule::Pips,
            keys: Keys::Board,
            play_on: false,
        }
    }
}

impl Rules {
    /// The faces that leave ONE, THREE and FIVE.
    pub fn key_faces(&self) -> [u8; 3] {
        match self.keys {
            Keys::Board => self.board.keys,
            Keys::Faces(faces) => faces,
        }
    }
}

impl RuleSet for Rules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            name: "level",
            values: &["serious", "sprint", "classic"],
            effect: "which of the three games of the sheet is played",
            source: "«Игра подразделяется на три уровня сложности … (Рекомендуем)», the third",
        },
        RuleOption {
            name: "board",
            values: NAMES,
            effect: "the board: one of these, a path that ends in .toml, or a table with sides, cells, gate, transit, planes, arrow, pocket_exit, keys",
            source: "the sheet does not show its board; docs/rules/baikal.md says what is known",
        },
        RuleOption {
            name: "overtake_push",
            values: &["true", "false"],
            effect: "a passed token is pushed back one cell; false: only those in the pocket are pushed",
            source: "«Когда обгоняете фишку соперника, то отодвигаете ее на одну клетку назад»",
        },
        RuleOption {
            name: "second_die_after_home",
            values: &["burn", "play"],
            effect: "classic: what the second die does when the first brought a token home",
            source: "«Ходите фишкой сколько возможно, остальные очки сгорают»; play: the next token comes out",
        },
        RuleOption {
            name: "rest_burn_counts",
            values: &["true", "false"],
            effect: "serious: a die burnt by a first-die Rest counts as used in the maximum rule",
            source: "«Если Вы попали туда с первого кубика, то по второму кубику не ходите», a normal outcome",
        },
        RuleOption {
            name: "reply_rest_skip",
            values: &["true", "false"],
            effect: "serious: a captor whose reply ends on Rest skips its next turn",
            source: "«При остановке фишки на Угловой клетке, игрок пропускает ход»",
        },
        RuleOption {
            name: "corner_skip",
            values: &["true", "false"],
            effect: "Rest can cost the next turn; false: only the dice of this one",
            source: "«Если попали со второго кубика … пропускаете следующий ход»",
        },
        RuleOption {
            name: "ransom_reply",
            values: &["true", "false"],
            effect: "serious: after a ransom the captor moves six",
            source: "«выкупает ее у Вас когда выкинет 6 на кубике, при этом Вы ходите 6»",
        },
        RuleOption {
            name: "capture_keeps",
            values: &["true", "false"],
            effect: "serious: a captured token is held for ransom; false: it returns to its reserve",
            source: "«срубили чужую фишку, то Вы забираете ее себе»",
        },
        RuleOption {
            name: "double_block",
            values: &["true", "false"],
            effect: "serious: the two tokens of a block may not share a double",
            source: "«Если выпал дубль, такие фишки … передвигать вместе нельзя»",
        },
        RuleOption {
            name: "max_rule",
            values: &["pips", "none"],
            effect: "serious: as many pips as possible must be used; none: any action may come first",
            source: "«Сходить нужно МАКСИМАЛЬНО ВОЗМОЖНЫЙ ВАРИАНТ»",
        },
        RuleOption {
            name: "keys",
            values: &["board", "[1, 3, 5]", "[1, 3, 6]", "[1, 2, 3]"],
            effect: "the faces that leave the three cells of the pocket; those of the board, 1, 3, 5 on all presets",
            source: "«Чтобы перейти с ОДИН на ТРИ, нужно на одном из кубиков выкинуть 1»",
        },
        RuleOption {
            name: "play_on",
            values: &["false", "true"],
            effect: "the others play on for places when a seat is home",
            source: "«Выигрывает тот, кто первый составит все свои фишки в своем Доме»",
        },
    ];

    /// With the keys of these rules, which may differ from the board's.
    fn drawing(&self) -> Option<String> {
        let mut board = self.board.clone();
        let name = board.name();
        board.keys = self.key_faces();
        Some(super::drawing::draw(&board, name))
    }

    fn presets() -> Vec<Preset<Rules>> {
        let level = |name, about, level| Preset {
            name,
            about,
            rules: Rules {
                level,
                ..Rules::default()
            },
        };
        vec![
            level(
                "default",
                "the level the sheet recommends, serious",
                Level::Serious,
            ),
            level(
                "sprint",
                "one token at a time walks the sum of both dice",
                Level::Sprint,
            ),
            level(
                "classic",
                "one token at a time walks each die, the bigger one first",
                Level::Classic,
            ),
            level(
                "serious",
                "all tokens, free choice, blocks, ransom",
                Level::Serious,
            ),
        ]
    }
}

fn write_board<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    match board.name() {
        Some(name) => serializer.serialize_str(name),
        None => board.serialize(serializer),
    }
}

/// Every error begins with the name of the option, because it says more than its values could.
fn read_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
    let refused = |reason: &dyn fmt::Display| D::Error::custom(format!("board: {reason}"));
    let board = deserializer.deserialize_any(AnyBoard);
    let board = board.map_err(|error| refused(&error))?;
    board.validate().map_err(|error| refused(&error))?;
    Ok(board)
}

struct AnyBoard;

impl<'de> Visitor<'de> for AnyBoard {
    type Value = Board;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a board, a path that ends in .toml, or a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Board, E> {
        if let Some(board) = Board::preset(text) {
            return Ok(board);
        }
        // A table, as the command line gives it.
        if text.starts_with('{') {
            let document = format!("board = {text}");
            let mut table: BoardTable = from_toml(&document).map_err(E::custom)?;
            return table.board.take().ok_or_else(|| E::custom("no board"));
        }
        let is_file = Path::new(text).extension().is_some_and(|end| end == "toml");
        if !is_file {
            return Err(E::custom(format!(
                "no board '{text}'; known: {}, or a path that ends in .toml",
                NAMES.join(", ")
            )));
        }
        let in_file = |reason| E::custom(format!("{text}: {reason}"));
        let board = read_text(Path::new(text)).map_err(in_file)?;
        from_toml(&board).map_err(in_file)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Board, A::Error> {
        Board::deserialize(MapAccessDeserializer::new(map))
    }
}

#[derive(Deserialize)]
struct BoardTable {
    board: Option<Board>,
}

impl Serialize for Keys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Keys::Board => serializer.serialize_str("board"),
            Keys::Faces(faces) => faces.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        deserializer.deserialize_any(AnyKeys)
    }
}

struct AnyKeys;

impl<'de> Visitor<'de> for AnyKeys {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"board\" or three faces of a die")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Keys, E> {
        match text {
            "board" => Ok(Keys::Board),
            other => Err(E::custom(format!("'{other}' is no list of three faces"))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Keys, A::Error> {
        let mut faces = [0u8; 3];
        for face in &mut faces {
            *face = seq
                .next_element()?
                .filter(|face| (1..=6).contains(face))
                .ok_or_else(|| A::Error::custom("expected three faces, 1 to 6"))?;
        }
        match seq.next_element::<u8>()? {
            None => Ok(Keys::Faces(faces)),
            Some(_) => Err(A::Error::custom("expected three faces, 1 to 6")),
        }
    }
}
