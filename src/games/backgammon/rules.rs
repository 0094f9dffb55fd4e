//! The house rules of backgammon.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::engine::game::{Preset, RuleOption, RuleSet};

use super::board::{Board, Side};

/// The longest match, as notations hold it.
pub const MAX_LENGTH: u32 = 999;
/// The highest cube: 2^15, as notations hold it.
pub const MAX_CUBE: u8 = 15;

/// Where the checkers stand at the start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setup {
    /// 24:2 13:5 8:3 6:5.
    #[default]
    Backgammon,
    /// 24:2 23:2 13:4 8:3 6:4.
    Nackgammon,
    /// Two checkers: 24 and 23.
    Hypergammon2,
    /// Three checkers: 24, 23, 22.
    Hypergammon3,
    /// Four checkers: 24 to 21.
    Hypergammon4,
    /// Five checkers: 24 to 20.
    Hypergammon5,
}

impl Setup {
    /// The start position.
    pub fn board(self) -> Board {
        let points: &[(usize, u8)] = match self {
            Setup::Backgammon => &[(24, 2), (13, 5), (8, 3), (6, 5)],
            Setup::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Setup::Hypergammon2 => &[(24, 1), (23, 1)],
            Setup::Hypergammon3 => &[(24, 1), (23, 1), (22, 1)],
            Setup::Hypergammon4 => &[(24, 1), (23, 1), (22, 1), (21, 1)],
            Setup::Hypergammon5 => &[(24, 1), (23, 1), (22, 1), (21, 1), (20, 1)],
        };
        let mut counts = [0; 26];
        for &(point, checkers) in points {
            counts[point] = checkers;
        }
        let side = Side::from_counts(&counts);
        Board {
            mover: side,
            other: side,
        }
    }

    /// Checkers of each side.
    pub fn checkers(self) -> u8 {
        self.board().mover.left()
    }
}

/// What a doubled player may do beside taking and passing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Beavers {
    /// Nothing.
    #[default]
    Off,
    /// Redouble at once and keep the cube.
    Beavers,
    /// And the doubler may then redouble at once, the cube staying where it is.
    Raccoons,
}

/// The house rules of backgammon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // House rules, one field each.
pub struct Rules {
    /// Points of a match; 0 for a single game for money.
    #[serde(deserialize_with = "read_length")]
    pub length: u32,
    /// Whether there is a doubling cube.
    pub cube: bool,
    /// The highest value of the cube, a power of two.
    #[serde(deserialize_with = "read_cube_cap")]
    pub cube_cap: u32,
    /// Whether a match has a Crawford game.
    pub crawford: bool,
    /// Money: gammons and backgammons count single until a double was taken.
    pub jacoby: bool,
    /// Money: whether a double may be answered by a redouble.
    pub beavers: Beavers,
    /// Money: how often equal dice at the opening double the cube.
    #[serde(deserialize_with = "read_automatic_doubles")]
    pub automatic_doubles: u8,
    /// Match: after the Crawford game no double before each side has rolled twice.
    pub holland: bool,
    /// Points of a gammon, in cubes.
    #[serde(deserialize_with = "read_gammon")]
    pub gammon: u8,
    /// Points of a backgammon, in cubes.
    #[serde(deserialize_with = "read_backgammon")]
    pub backgammon: u8,
    /// Where the checkers stand at the start.
    pub setup: Setup,
    /// Whether the larger die must be played when either could be, but not both.
    pub larger_die: bool,
}

/// A whole number that is not below 0; a refusal names the option and all that would have worked.
/// Whether it is too large is for [`Game::new`](crate::engine::game::Game::new) to say.
fn whole<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
    deserializer: D,
    option: &str,
    expected: fmt::Arguments<'_>,
) -> Result<T, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let number = value
        .as_integer()
        .and_then(|number| T::try_from(number).ok());
    let refuse = || D::Error::custom(format!("{option}: {value}; expected {expected}"));
    number.ok_or_else(refuse)
}

fn read_length<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole(deserializer, "length", format_args!("0 to {MAX_LENGTH}"))
}

fn read_cube_cap<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let expected = format_args!("a power of two, 2 to {}", 1 << MAX_CUBE);
    whole(deserializer, "cube_cap", expected)
}

fn read_automatic_doubles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    whole(
        deserializer,
        "automatic_doubles",
        format_args!("0 to {MAX_CUBE}"),
    )
}

fn read_gammon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    whole(deserializer, "gammon", format_args!("1 to 9 cubes"))
}

fn read_backgammon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    whole(deserializer, "backgammon", format_args!("1 to 9 cubes"))
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            length: 0,
            cube: true,
            cube_cap: 1 << MAX_CUBE,
            crawford: true,
            jacoby: true,
            beavers: Beavers::Off,
            automatic_doubles: 0,
            holland: false,
            gammon: 2,
            backgammon: 3,
            setup: Setup::Backgammon,
            larger_die: true,
        }
    }
}

impl RuleSet for Rules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            name: "length",
            values: &["0", "1", "3", "5", "7", "11", "25"],
            effect: "points of a match, 0 to 999; 0 is a single game for money",
            source: "«Матчи играют до заранее заданного числа очков»",
        },
        RuleOption {
            name: "cube",
            values: &["true", "false"],
            effect: "there is a doubling cube",
            source: "«В начале партии куб находится в центре и имеет стоимость 1»",
        },
        RuleOption {
            name: "cube_cap",
            values: &["32768", "64", "2"],
            effect: "the highest value of the cube, a power of two up to 32768",
            source: "«число 64 не является обязательным абсолютным пределом»; 32768: the most a Match ID holds",
        },
        RuleOption {
            name: "crawford",
            values: &["true", "false"],
            effect: "one game of a match, after somebody first is a point away, has no cube",
            source: "«ровно одну партию после того, как спортсмен впервые достиг счёта «до победы одно очко», играют без куба»",
        },
        RuleOption {
            name: "jacoby",
            values: &["true", "false"],
            effect: "money: gammons and backgammons count single until a double was taken",
            source: "«до первого принятого удвоения марс и кокс считаются оином. В обычном матче это правило не используют»",
        },
        RuleOption {
            name: "beavers",
            values: &["off", "beavers", "raccoons"],
            effect: "money: a double may be answered by a redouble that keeps the cube, and that by another",
            source: "not in the source; GNU Backgammon's money sessions",
        },
        RuleOption {
            name: "automatic_doubles",
            values: &["0", "1", "3"],
            effect: "money: how often equal dice at the opening double the cube, 0 to 15",
            source: "«при равных значениях бросок повторяют», and nothing else happens",
        },
        RuleOption {
            name: "holland",
            values: &["false", "true"],
            effect: "match: after the Crawford game no double before each side has rolled twice",
            source: "«После кроуфордской партии куб снова доступен»; true: the Holland rule",
        },
        RuleOption {
            name: "gammon",
            values: &["2", "1", "3"],
            effect: "what a gammon counts, in cubes, 1 to 9",
            source: "«Марс: проигравший не снял ни одной шашки — 2×»",
        },
        RuleOption {
            name: "backgammon",
            values: &["3", "1", "2"],
            effect: "what a backgammon counts, in cubes, 1 to 9",
            source: "«Кокс: … хотя бы одна его шашка осталась на баре или в доме победителя — 3×»",
        },
        RuleOption {
            name: "setup",
            values: &[
                "backgammon",
                "nackgammon",
                "hypergammon2",
                "hypergammon3",
                "hypergammon4",
                "hypergammon5",
            ],
            effect: "where the checkers stand at the start",
            source: "«2 шашки на 24-м пункте, 5 на 13-м, 3 на 8-м и 5 на 6-м»; the others: GNU Backgammon",
        },
        RuleOption {
            name: "larger_die",
            values: &["true", "false"],
            effect: "when either die can be played but not both, it must be the larger",
            source: "«Если каждое доступно отдельно, но вместе их сыграть нельзя, обязательно используется большее»",
        },
    ];

    fn presets() -> Vec<Preset<Rules>> {
        let preset = |name, about, rules| Preset { name, about, rules };
        let default = Rules::default;
        vec![
            preset("default", "a game for money: cube, Jacoby rule", default()),
            preset(
                "cubeless",
                "a game for money without a cube; gammons count",
                Rules {
                    cube: false,
                    jacoby: false,
                    ..default()
                },
            ),
            preset(
                "match7",
                "a match to 7 points with the Crawford rule",
                Rules {
                    length: 7,
                    ..default()
                },
            ),
            preset(
                "dmp",
                "double match point: one game, a win is a win",
                Rules {
                    length: 1,
                    ..default()
                },
            ),
            preset(
                "nackgammon",
                "Nack Ballard's start position, for money",
                Rules {
                    setup: Setup::Nackgammon,
                    ..default()
                },
            ),
            preset(
                "hypergammon",
                "three checkers a side, for money",
                Rules {
                    setup: Setup::Hypergammon3,
                    ..default()
                },
            ),
        ]
    }
}
