//! The options of a table of Chińczyk.

use serde::{Deserialize, Serialize};

use crate::engine::game::{Preset, RuleOption, RuleSet};
use crate::games::pachisi;

/// The house rules: the options the source lets the host of a table switch first, then the
/// switches for what it leaves open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is a house rule of its own, on or off.
pub struct Rules {
    /// *Bicie*: landing on an enemy sends it back to its yard.
    pub captures: bool,
    /// *Blokady*: two tokens of one side on a square are a blockade.
    pub blockades: bool,
    /// *Bezpieczne pola*: on the safe squares of [`Rules::safe_set`] nobody is captured.
    pub safe_squares: bool,
    /// *Pasowanie dozwolone*: what is left of a roll, or a bonus, may be declined.
    pub passing: bool,
    /// *Kara za 3 dublety*: what the third doublet of a turn costs.
    pub triple_doublet: TripleDoublet,
    /// *Gra zespołowa*: the seats across play together; needs four seats.
    pub teams: bool,
    /// With [`Rules::teams`]: who must be home for the game to end.
    pub team_end: TeamEnd,
    /// What a token enters on.
    pub enter_on: EnterOn,
    /// A five that can enter a token must.
    pub enter_compulsory: bool,
    /// Whether one may land beside an enemy that cannot be captured.
    pub protected_landing: ProtectedLanding,
    /// The squares that [`Rules::safe_squares`] makes safe.
    pub safe_set: SafeSet,
    /// A doublet rolls again although all tokens are in the yard and none can enter.
    pub stuck_doublet_rerolls: bool,
    /// Without [`Rules::passing`]: how much of a roll must be used.
    pub must_use: MustUse,
    /// When a bonus is played.
    pub bonus_timing: BonusTiming,
    /// The two tokens of one blockade may not both move by one doublet.
    pub no_blockade_march: bool,
    /// Pips of the bonus for a capture, 0 to 70; 0 is none.
    #[serde(deserialize_with = "pachisi::capture_bonus")]
    pub capture_bonus: u8,
    /// Pips of the bonus for a token that reaches the goal, 0 to 70; 0 is none.
    #[serde(deserialize_with = "pachisi::goal_bonus")]
    pub goal_bonus: u8,
}

/// What the third doublet of a turn costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TripleDoublet {
    /// It is not played: the token that has come furthest, not one at the goal, goes back to the
    /// yard, and the turn ends.
    MostAdvanced,
    /// Nothing: it is played as any other.
    Off,
}

/// Who must be home for a team to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeamEnd {
    /// One of the partners.
    First,
    /// Both; who is home is passed over.
    Both,
}

/// What a token enters on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnterOn {
    /// A five on one die, or both dice if they make five.
    DieOrSum,
    /// A five on one die.
    Die,
}

/// Whether one may land on a square with an enemy that cannot be captured there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtectedLanding {
    /// Yes, the tokens share the square.
    Share,
    /// No.
    Forbid,
}

/// Which squares are safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SafeSet {
    /// The eight black ones, which are nobody's start.
    WithoutStarts,
    /// The start squares too.
    All12,
}

/// How much of a roll must be used where passing is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MustUse {
    /// One die after the other, as long as one can be used.
    Sequence,
    /// As many dice as possible; if only one, the higher where either could be.
    MaxDice,
}

/// When a bonus is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BonusTiming {
    /// At once, before the next die.
    Now,
    /// When the dice are played, in the order earned.
    EndOfRoll,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            captures: true,
            blockades: true,
            safe_squares: true,
            passing: true,
            triple_doublet: TripleDoublet::MostAdvanced,
            teams: false,
            team_end: TeamEnd::First,
            enter_on: EnterOn::DieOrSum,
            enter_compulsory: false,
            protected_landing: ProtectedLanding::Share,
            safe_set: SafeSet::WithoutStarts,
            stuck_doublet_rerolls: false,
            must_use: MustUse::Sequence,
            bonus_timing: BonusTiming::Now,
            no_blockade_march: false,
            capture_bonus: 10,
            goal_bonus: 15,
        }
    }
}

impl RuleSet for Rules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption {
            name: "captures",
            values: &["true", "false"],
            effect: "landing on an enemy sends it back to its yard and earns a bonus",
            source: "«powoduje jego zbicie (o ile przy zakładaniu stolika włączona jest opcja Bicie)»",
        },
        RuleOption {
            name: "blockades",
            values: &["true", "false"],
            effect: "two tokens of one side on a square stop everybody; without it they may not stand there",
            source: "«Postawienie dwóch pionków na tym samym polu formuje blokadę, której nie może przekroczyć żaden pionek żadnego z grających»",
        },
        RuleOption {
            name: "safe_squares",
            values: &["true", "false"],
            effect: "nobody is captured on a safe square",
            source: "«Zakończenie ruchu na tzw. bezpiecznym polu … blokuje przeciwnikowi możliwość zbicia stojącego tam pionka»",
        },
        RuleOption {
            name: "passing",
            values: &["true", "false"],
            effect: "the rest of a roll, or a bonus, may be declined; without it one plays as long as one can",
            source: "«O ile nie jest wyłączona opcja Pasowanie dozwolone, gracz ma zawsze możliwość zrezygnowania z całego ruchu lub tylko jednej części»",
        },
        RuleOption {
            name: "triple_doublet",
            values: &["most_advanced", "off"],
            effect: "the third doublet sends the most advanced token back and ends the turn",
            source: "«Przy włączonej opcji kara za 3 dublety trzykrotne wyrzucenie dubletu powoduje powrót pionka do pozycji początkowej»",
        },
        RuleOption {
            name: "teams",
            values: &["false", "true"],
            effect: "the seats across play together; four seats only",
            source: "«W przypadku gry w cztery osoby możliwe jest włączenie opcji gry zespołowej»",
        },
        RuleOption {
            name: "team_end",
            values: &["first", "both"],
            effect: "a team wins when one partner is home, or when both are",
            source: "«kiedy jeden z grających umieści wszystkie swoje pionki w pozycji końcowej»; both: rygalo.com",
        },
        RuleOption {
            name: "enter_on",
            values: &["die_or_sum", "die"],
            effect: "a token enters on a five of one die or of both together, or of one die only",
            source: "«po wyrzuceniu na kostkach liczby pięć»; die: «wyrzucenie piątki»",
        },
        RuleOption {
            name: "enter_compulsory",
            values: &["false", "true"],
            effect: "a five that can enter a token must be used for it",
            source: "«Wyrzucenie piątki pozwala na umieszczenie»; true: US Parcheesi",
        },
        RuleOption {
            name: "protected_landing",
            values: &["share", "forbid"],
            effect: "whether one may land beside an enemy that cannot be captured",
            source: "«blokuje przeciwnikowi możliwość zbicia», only that; forbid: US Parcheesi",
        },
        RuleOption {
            name: "safe_set",
            values: &["without_starts", "all12"],
            effect: "the safe squares: the eight black ones, or the four start squares too",
            source: "«twierdzy (czarne pola na planszy)»; all12: US Parcheesi",
        },
        RuleOption {
            name: "stuck_doublet_rerolls",
            values: &["false", "true"],
            effect: "a doublet rolls again although all tokens wait in the yard and none can enter",
            source: "«nie wyrzucenie piątki powoduje stratę kolejki»; true: US Parcheesi",
        },
        RuleOption {
            name: "must_use",
            values: &["sequence", "max_dice"],
            effect: "without passing: play as long as a die can be used, or use as many dice as possible",
            source: "not in the source; max_dice: as in backgammon",
        },
        RuleOption {
            name: "bonus_timing",
            values: &["now", "end_of_roll"],
            effect: "a bonus is played at once, or after the dice",
            source: "«gracz, który zbił pionek otrzymuje bonus», which leaves it open; end_of_roll: US Parcheesi",
        },
        RuleOption {
            name: "no_blockade_march",
            values: &["false", "true"],
            effect: "the two tokens of one blockade may not both move by one doublet",
            source: "not in the source; true: US Parcheesi",
        },
        RuleOption {
            name: "capture_bonus",
            values: &["10", "0 to 70"],
            effect: "pips one token may move after a capture; 0 is none",
            source: "«otrzymuje bonus w wysokości 10 pól»",
        },
        RuleOption {
            name: "goal_bonus",
            values: &["15", "0 to 70"],
            effect: "pips one token may move after another reached the goal; 0 is none",
            source: "«Każdorazowo za doprowadzenie pionka do pozycji końcowej gracz otrzymuje bonus 15 pól»",
        },
    ];

    fn presets() -> Vec<Preset<Rules>> {
        vec![
            Preset {
                name: "default",
                about: "all the source's options on, but for teams",
                rules: Rules::default(),
            },
            Preset {
                name: "full",
                about: "another name of the default",
                rules: Rules::default(),
            },
            Preset {
                name: "bare",
                about: "captures, blockades, safe squares and the penalty off",
                rules: Rules {
                    captures: false,
                    blockades: false,
                    safe_squares: false,
                    triple_doublet: TripleDoublet::Off,
                    ..Rules::default()
                },
            },
            Preset {
                name: "us",
                about: "as Parcheesi is played in the United States",
                rules: Rules {
                    passing: false,
                    enter_compulsory: true,
                    protected_landing: ProtectedLanding::Forbid,
                    safe_set: SafeSet::All12,
                    bonus_timing: BonusTiming::EndOfRoll,
                    no_blockade_march: true,
                    capture_bonus: 20,
                    goal_bonus: 10,
                    ..Rules::default()
                },
            },
        ]
    }
}
