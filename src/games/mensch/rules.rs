//! The house rules of Mensch ärgere dich nicht.

use serde::{Deserialize, Serialize};

use crate::engine::game::{Preset, RuleOption, RuleSet};

/// The house rules: the source's three options first, then the switches with which other rule
/// sheets and programs differ from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is a house rule of its own, on or off.
pub struct Rules {
    /// If any possible move captures, only capturing moves are legal.
    pub forced_capture: bool,
    /// Own tokens on the lane may be jumped, from the ring and inside the lane.
    pub lane_jump: bool,
    /// Every seat begins with one token on its start cell.
    pub one_out: bool,
    /// Rolls in the series of a seat that nothing but a six can help.
    pub tries: Tries,
    /// A six that nothing can walk still gives another roll.
    pub bonus_on_unplayable_six: bool,
    /// If the token on the start cell is blocked by an own token, that one must move, and so on.
    pub vacate_chain: bool,
    /// A forced capture comes before vacating the start cell and bringing out.
    pub capture_before_vacate: bool,
    /// Any roll may be declined, which ends the turn.
    pub may_pass: bool,
    /// A move that captures gives another roll.
    pub capture_gives_roll: bool,
    /// Too large a number is walked back from the last lane cell.
    pub bounce: bool,
    /// How far a token has come, when losers with equally many tokens on the lane are ranked.
    pub distance: Distance,
}

/// Rolls in the series of a seat that nothing but a six can help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tries {
    /// One roll, as in any other turn.
    One,
    /// Up to three rolls.
    Three,
}

/// What one token counts when the losers are ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distance {
    /// The cells it has come from its yard: the start cell counts 1, the last lane cell 44.
    FromYard,
    /// The cells it has come from its start cell: a token there counts no more than in the yard.
    FromStart,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            forced_capture: true,
            lane_jump: false,
            one_out: false,
            tries: Tries::Three,
            bonus_on_unplayable_six: false,
            vacate_chain: false,
            capture_before_vacate: false,
            may_pass: false,
            capture_gives_roll: false,
            bounce: false,
            distance: Distance::FromYard,
        }
    }
}

impl RuleSet for Rules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            name: "forced_capture",
            values: &["true", "false"],
            effect: "if any possible move captures, only capturing moves are legal",
            source: "«Бить обязательно: если кубик позволяет выбить фишку, это нужно сделать»",
        },
        RuleOption {
            name: "lane_jump",
            values: &["false", "true"],
            effect: "own tokens on the lane may be jumped",
            source: "«Прыжки на финишной дорожке: позволяют перепрыгивать свои фишки на самой дорожке»",
        },
        RuleOption {
            name: "one_out",
            values: &["false", "true"],
            effect: "every seat begins with one token on its start cell",
            source: "«Одна фишка уже на старте: в начале у каждого одна фишка стоит на стартовой клетке»",
        },
        RuleOption {
            name: "tries",
            values: &["3", "1"],
            effect: "rolls in a turn in which nothing but a six helps",
            source: "«у вас три попытки выбросить шестёрку»; 1: OpenSpiel's maedn",
        },
        RuleOption {
            name: "bonus_on_unplayable_six",
            values: &["false", "true"],
            effect: "a six that nothing can walk still gives another roll",
            source: "«Шестёрка, которой нельзя сходить, дополнительного броска не даёт»; true: OpenSpiel's maedn",
        },
        RuleOption {
            name: "vacate_chain",
            values: &["false", "true"],
            effect: "if the start token is blocked by an own token, that one must move, and so on",
            source: "«вы обязаны сходить именно ею, … если она может пойти»; true: Schwabentor tournament rule 6",
        },
        RuleOption {
            name: "capture_before_vacate",
            values: &["false", "true"],
            effect: "a forced capture comes before vacating the start and bringing out",
            source: "«правила применяются по порядку: сначала нужно освободить старт»; true: HTWG programme",
        },
        RuleOption {
            name: "may_pass",
            values: &["false", "true"],
            effect: "any roll may be declined, which ends the turn",
            source: "«Если ни одна фишка не может пойти, ход переходит»; true: the easy mode of hartard-bernhard.de",
        },
        RuleOption {
            name: "capture_gives_roll",
            values: &["false", "true"],
            effect: "a move that captures gives another roll; with a six still only one",
            source: "not in the source, which names only the six; true: a common Ludo rule",
        },
        RuleOption {
            name: "bounce",
            values: &["false", "true"],
            effect: "too large a number is walked back from the last lane cell",
            source: "«дальше последней клетки идти нельзя»; true: the programme of gideon.smdng.nl",
        },
        RuleOption {
            name: "distance",
            values: &["from-yard", "from-start"],
            effect: "what a token counts when losers are ranked: the start cell 1, or 0 as the yard",
            source: "«Остальных ранжируют … по пройденному пути», which leaves it open",
        },
    ];

    fn presets() -> Vec<Preset<Rules>> {
        vec![
            Preset {
                name: "default",
                about: "the source's rules as they stand",
                rules: Rules::default(),
            },
            Preset {
                name: "schmidt_official",
                about: "the Schmidt sheet: captures free, lane jumps, one token out at the start",
                rules: Rules {
                    forced_capture: false,
                    lane_jump: true,
                    one_out: true,
                    ..Rules::default()
                },
            },
            Preset {
                name: "openspiel",
                about: "the game `maedn` of OpenSpiel: captures free, lane jumps, one try, every six rolls again",
                rules: Rules {
                    forced_capture: false,
                    lane_jump: true,
                    tries: Tries::One,
                    bonus_on_unplayable_six: true,
                    ..Rules::default()
                },
            },
        ]
    }
}

impl Tries {
    /// The number of rolls.
    pub const fn count(self) -> u8 {
        match self {
            Tries::One => 1,
            Tries::Three => 3,
        }
    }
}

impl Serialize for Tries {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.count())
    }
}

impl<'de> Deserialize<'de> for Tries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Tries, D::Error> {
        match i64::deserialize(deserializer)? {
            1 => Ok(Tries::One),
            3 => Ok(Tries::Three),
            other => Err(serde::de::Error::custom(format!(
                "{other} tries are not played"
            ))),
        }
    }
}
