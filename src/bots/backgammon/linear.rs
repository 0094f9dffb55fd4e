//! A linear evaluator: a weight for every checker where it stands, and for a few things to see.
//!
//! | group | features |
//! |---|---|
//! | `own_blot`, `their_blot` | for each point 1 to 24: one checker stands there |
//! | `own_made`, `their_made` | two or more stand there |
//! | `own_extra`, `their_extra` | checkers there beyond the second |
//! | [`SCALARS`] | the bar, checkers off, pips, shots, walls |
//!
//! Each side's points are in its own numbering. There is one set of weights for contact and one
//! for the race. The value of a board is the sum of weights times features; through the logistic
//! function it is the expected result of the side that has just played, see [`super::fit`].

use crate::bots::float::dot;
use crate::bots::params::{List, Number, Reader};
use crate::games::backgammon::board::{BAR, Board};
use crate::games::backgammon::sight::{HOME, Sight, THEIR_BAR, THEIR_HOME};

use super::weight;

/// The groups with a weight for each point.
pub(super) const GROUPS: [&str; 6] = [
    "own_blot",
    "own_made",
    "own_extra",
    "their_blot",
    "their_made",
    "their_extra",
];
const POINTS: usize = 24;

/// The features with a weight of their own.
pub(super) const SCALARS: [Number; SCALAR_COUNT] = [
    weight("constant", 0.0, "always 1"),
    weight("lead", 1.0, "pips of lead, in 50"),
    weight("own_bar", 0.0, "own checkers on the bar"),
    weight("their_bar", 0.0, "checkers of the other side on the bar"),
    weight("own_off", 0.0, "own checkers borne off, in 15"),
    weight(
        "their_off",
        0.0,
        "checkers of the other side borne off, in 15",
    ),
    weight("shots", 0.0, "throws that hit an own lone checker, of 36"),
    weight(
        "risk",
        0.0,
        "the same, times the points the other side holds in its home board, in 6",
    ),
    weight(
        "threat",
        0.0,
        "throws that would hit a checker of the other side if it left it, of 36",
    ),
    weight(
        "shut",
        0.0,
        "points held in the own home board while the other side is on the bar",
    ),
    weight(
        "wall",
        0.0,
        "the longest row of own held points, squared, in 36",
    ),
    weight(
        "held",
        0.0,
        "the length of that row times the points the other side occupies behind it, in 6",
    ),
    weight(
        "their_wall",
        0.0,
        "the longest row of the other side, squared, in 36",
    ),
    weight(
        "their_held",
        0.0,
        "its length times the points occupied behind it, in 6",
    ),
    weight(
        "home",
        0.0,
        "points held in the own home board while the other side has a checker in it or on the bar, in 6",
    ),
    weight(
        "their_home",
        0.0,
        "points held in the other's home board by it while an own checker is in it, in 6",
    ),
];
pub(super) const SCALAR_COUNT: usize = 16;
/// Features of a board.
pub(super) const FEATURES: usize = GROUPS.len() * POINTS + SCALAR_COUNT;
/// Where the scalars begin.
const SCALARS_AT: usize = GROUPS.len() * POINTS;

/// The weights of one phase of the game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    weights: Vec<f64>,
    /// What so many checkers on a point add: the own points, then the other side's.
    stacks: Vec<[f64; 16]>,
}

impl Weights {
    pub(super) fn new(weights: Vec<f64>) -> Weights {
        assert_eq!(weights.len(), FEATURES, "a weight for each feature");
        let stack = |side: usize, point: usize| {
            let at = |group: usize| weights[(3 * side + group) * POINTS + point];
            let (blot, made, extra) = (at(0), at(1), at(2));
            std::array::from_fn(|count| match count {
                0 => 0.0,
                1 => blot,
                _ => made + (count - 2) as f64 * extra,
            })
        };
        let stacks = (0..2).flat_map(|side| (0..POINTS).map(move |point| (side, point)));
        Weights {
            stacks: stacks.map(|(side, point)| stack(side, point)).collect(),
            weights,
        }
    }

    pub(super) fn as_slice(&self) -> &[f64] {
        &self.weights
    }

    /// Reads a table of groups and scalars.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Weights, String> {
        let mut weights = Vec::with_capacity(FEATURES);
        for name in GROUPS {
            let list = List {
                name,
                len: POINTS,
                range: -1000.0..=1000.0,
            };
            weights.extend(reader.list(&list)?);
        }
        for number in &SCALARS {
            weights.push(reader.number(number)?);
        }
        Ok(Weights::new(weights))
    }

    /// The sum of weights times features.
    #[inline]
    pub(super) fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let (own, theirs) = self.stacks.split_at(POINTS);
        let mut sum = dot(&self.weights[SCALARS_AT..], &scalars(sight, board));
        for ((own, theirs), point) in own.iter().zip(theirs).zip(1..BAR) {
            sum += own[usize::from(board.mover.count(point))];
            sum += theirs[usize::from(board.other.count(point))];
        }
        sum
    }

    /// Calls `visit` with each feature of a board that is not 0, and its value.
    pub(super) fn features(sight: &Sight, board: &Board, mut visit: impl FnMut(usize, f64)) {
        for (side, checkers) in [board.mover, board.other].into_iter().enumerate() {
            for point in 1..BAR {
                let at = |group: usize| (3 * side + group) * POINTS + usize::from(point - 1);
                match checkers.count(point) {
                    0 => {}
                    1 => visit(at(0), 1.0),
                    2 => visit(at(1), 1.0),
                    count => {
                        visit(at(1), 1.0);
                        visit(at(2), f64::from(count - 2));
                    }
                }
            }
        }
        for (index, value) in scalars(sight, board).into_iter().enumerate() {
            if value != 0.0 {
                visit(SCALARS_AT + index, value);
            }
        }
    }
}

/// The values of [`SCALARS`].
#[inline]
fn scalars(sight: &Sight, board: &Board) -> [f64; SCALAR_COUNT] {
    let lead = i32::from(sight.their_pips) - i32::from(sight.pips);
    let mut values = [0.0; SCALAR_COUNT];
    values[0] = 1.0;
    values[1] = f64::from(lead) / 50.0;
    values[4] = f64::from(board.mover.off()) / 15.0;
    values[5] = f64::from(board.other.off()) / 15.0;
    if !sight.is_contact() {
        return values;
    }
    let turned = sight.turned();
    let shots = f64::from(sight.shots()) / 36.0;
    let (home, their_home) = (held_home(sight), held_home(&turned));
    let [wall, held] = walls(sight);
    let [their_wall, their_held] = walls(&turned);
    values[2] = board.mover.bar().into();
    values[3] = board.other.bar().into();
    values[6] = shots;
    values[7] = shots * their_home / 6.0;
    values[8] = f64::from(turned.shots()) / 36.0;
    values[9] = f64::from(sight.theirs & THEIR_BAR) * home / 6.0;
    values[10] = wall;
    values[11] = held;
    values[12] = their_wall;
    values[13] = their_held;
    values[14] = if sight.theirs & (HOME | THEIR_BAR) == 0 {
        0.0
    } else {
        home
    };
    values[15] = if sight.own & THEIR_HOME == 0 {
        0.0
    } else {
        their_home
    };
    values
}

/// Points held in the own home board.
fn held_home(sight: &Sight) -> f64 {
    (sight.made & HOME).count_ones().into()
}

/// The longest row squared, and what it holds.
fn walls(sight: &Sight) -> [f64; 2] {
    let (length, row) = sight.prime();
    let behind = row.wrapping_sub(1) & !row & sight.theirs;
    let length = f64::from(length);
    [
        length * length / 36.0,
        length * f64::from(behind.count_ones()) / 6.0,
    ]
}
