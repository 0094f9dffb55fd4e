//! The house rules of Parchís.

use serde::{Deserialize, Serialize};

use crate::engine::game::{Preset, RuleOption, RuleSet};
use crate::games::pachisi;

/// The house rules. Every one is a question the source leaves open or that other tables answer
/// otherwise; any combination can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is a house rule of its own, on or off.
pub struct Rules {
    /// The squares on which nobody is captured.
    pub safe_squares: SafeSquares,
    /// What a token that enters does to enemies on a safe start square that are no barrier.
    pub entry_vs_single: EntryVsSingle,
    /// What a token that enters does to an enemy barrier on the start square.
    pub entry_vs_pair: EntryVsPair,
    /// The squares on which two tokens of one colour are a barrier.
    pub barrier_on: BarrierOn,
    /// Whether a token may end on a safe square beside an enemy.
    pub protected_landing: ProtectedLanding,
    /// What a six is worth when no own token waits in the yard.
    pub six_counts_seven: SixCountsSeven,
    /// With a six a token of an own barrier must move, if one can.
    pub six_breaks_barrier: bool,
    /// A bonus may be declined.
    pub bonus_optional: bool,
    /// What the third six in a turn does.
    pub triple_six: TripleSix,
    /// Two own tokens on one lane square are a barrier.
    pub lane_barrier: bool,
    /// While all four tokens are in the yard, an entering five brings out two.
    pub first_five_two: bool,
    /// Every seat begins with one token on its start square.
    pub one_out: bool,
    /// The others play on for the places behind the winner.
    pub play_on: bool,
    /// The squares another token moves after a capture, 0 to 70; 0 is no bonus.
    #[serde(deserialize_with = "pachisi::capture_bonus")]
    pub capture_bonus: u8,
    /// The squares another token moves after one has reached the goal, 0 to 70; 0 is no bonus.
    #[serde(deserialize_with = "pachisi::goal_bonus")]
    pub goal_bonus: u8,
}

/// The squares on which nobody is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SafeSquares {
    /// 5 12 17 22 29 34 39 46 51 56 63 68, the starts among them.
    All12,
    /// Those that are nobody's start: 12 17 29 34 46 51 63 68.
    WithoutStarts,
}

/// What a token that enters does to enemies on a safe start square that are no barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryVsSingle {
    /// They are captured.
    Capture,
    /// Nobody can enter.
    Blocked,
}

/// What a token that enters does to an enemy barrier on the start square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryVsPair {
    /// Nobody can enter.
    Blocked,
    /// One of the two is captured, the other stays beside the token that entered.
    Last,
    /// Both are captured, for one bonus.
    Both,
}

/// The squares on which two tokens of one colour are a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierOn {
    /// The safe squares.
    Safe,
    /// Every square of the ring.
    Any,
    /// None.
    None,
}

/// Whether a token may end on a safe square beside an enemy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtectedLanding {
    /// Never.
    Forbid,
    /// Yes, if it is the second token there.
    Share,
}

/// What a six is worth when no own token waits in the yard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SixCountsSeven {
    /// Seven.
    Auto,
    /// Six.
    Off,
    /// Six or seven, as the player likes.
    Choice,
}

/// What the third six in a turn does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TripleSix {
    /// Not moved, it sends the token that moved last in this turn to the yard, if it is on the
    /// ring, and ends the turn.
    LastMoved,
    /// The same, but after a second six that nothing could move nobody is sent home.
    Wiki,
    /// Nothing: sixes are not counted.
    Off,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            safe_squares: SafeSquares::All12,
            entry_vs_single: EntryVsSingle::Capture,
            entry_vs_pair: EntryVsPair::Blocked,
            barrier_on: BarrierOn::Safe,
            protected_landing: ProtectedLanding::Forbid,
            six_counts_seven: SixCountsSeven::Auto,
            six_breaks_barrier: true,
            bonus_optional: false,
            triple_six: TripleSix::LastMoved,
            lane_barrier: false,
            first_five_two: false,
            one_out: false,
            play_on: false,
            capture_bonus: 20,
            goal_bonus: 10,
        }
    }
}

impl RuleSet for Rules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            name: "safe_squares",
            values: &["all12", "without_starts"],
            effect: "where nobody is captured: the twelve marked squares, or those that are no start",
            source: "«безопасной клетке (отмеченной звездочкой)»; the start is «отмеченную цветом игрока», safe in every Spanish sheet",
        },
        RuleOption {
            name: "entry_vs_single",
            values: &["capture", "blocked"],
            effect: "entering onto a safe start square with enemies that are no barrier captures them, or is impossible",
            source: "the source is silent; capture: the rule sheets of the US, Spain and Colombia",
        },
        RuleOption {
            name: "entry_vs_pair",
            values: &["blocked", "last", "both"],
            effect: "an enemy barrier on the start square blocks entering, loses one token, or loses both",
            source: "«они образуют барьер, и ни одна фишка не может пройти мимо них»; last: Spanish sheets",
        },
        RuleOption {
            name: "barrier_on",
            values: &["safe", "any", "none"],
            effect: "where two tokens of one colour are a barrier",
            source: "«Когда две фишки одного цвета занимают одну и ту же безопасную клетку, они образуют барьер»; any: Spanish sheets",
        },
        RuleOption {
            name: "protected_landing",
            values: &["forbid", "share"],
            effect: "a token may not end on a safe square beside an enemy, or may as the second token there",
            source: "«в этом случае игрок не может переместить свою фишку на эту клетку»; share: Spanish sheets",
        },
        RuleOption {
            name: "six_counts_seven",
            values: &["auto", "off", "choice"],
            effect: "with no own token in the yard a six is seven squares, six, or what the player likes",
            source: "«все фишки игрока уже находятся за пределами домашнего квадрата, игрок может сделать 7 шагов вместо 6»; a duty in Spanish sheets",
        },
        RuleOption {
            name: "six_breaks_barrier",
            values: &["true", "false"],
            effect: "with a six a token of an own barrier must move, if one can",
            source: "«если любые 2 фишки игрока формируют барьер, то игрок должен переместить фишку из своего барьера»",
        },
        RuleOption {
            name: "bonus_optional",
            values: &["false", "true"],
            effect: "a bonus may be declined",
            source: "«игрок может переместить любую свою фишку на 20 шагов вперед»; a duty in Spanish sheets",
        },
        RuleOption {
            name: "triple_six",
            values: &["last_moved", "wiki", "off"],
            effect: "the third six sends home the token that moved last in the turn; wiki: not after a second six that nothing could move",
            source: "«если игрок выбросит 6 снова, в третий раз подряд, то последняя перемещенная фишка игрока должна вернуться»; wiki: Wikipedia",
        },
        RuleOption {
            name: "lane_barrier",
            values: &["false", "true"],
            effect: "two own tokens on one lane square are a barrier too",
            source: "barriers stand on a «безопасную клетку», which no lane square is; true: the program parchis5",
        },
        RuleOption {
            name: "first_five_two",
            values: &["false", "true"],
            effect: "while all four tokens are in the yard, an entering five brings out two",
            source: "«игрок должен переместить свою фишку»: one; true: many Spanish portals",
        },
        RuleOption {
            name: "one_out",
            values: &["false", "true"],
            effect: "every seat begins with one token on its start square",
            source: "«все свои 4 фишки из домашнего квадрата»; true: the sheet of gamevelvet.com",
        },
        RuleOption {
            name: "play_on",
            values: &["false", "true"],
            effect: "the others play on for the places behind the winner",
            source: "«Игрок, который приведет все свои 4 фишки к цели первым, выигрывает»",
        },
        RuleOption {
            name: "capture_bonus",
            values: &["20", "0", "1", "50", "70"],
            effect: "squares another token moves after a capture, 0 to 70",
            source: "«игрок может переместить любую свою фишку на 20 шагов вперед»",
        },
        RuleOption {
            name: "goal_bonus",
            values: &["10", "0", "1", "20", "70"],
            effect: "squares another token moves after one has reached the goal, 0 to 70",
            source: "«он может немедленно переместить другую свою фишку на 10 шагов вперед»",
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
                name: "spanish",
                about: "as most Spanish sheets: barriers anywhere, safe squares shared, the first five brings out two",
                rules: Rules {
                    barrier_on: BarrierOn::Any,
                    protected_landing: ProtectedLanding::Share,
                    entry_vs_pair: EntryVsPair::Last,
                    first_five_two: true,
                    triple_six: TripleSix::Wiki,
                    lane_barrier: true,
                    ..Rules::default()
                },
            },
        ]
    }
}
