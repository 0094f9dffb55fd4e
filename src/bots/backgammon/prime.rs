//! `prime`: makes points in a row in front of the other side's checkers and keeps them there.

use crate::bots::float::dot;
use crate::bots::params::Number;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::sight::{FIELD, HOME, Points, Sight, THEIR_BAR, THEIR_HOME};

use super::odds::Odds;
use super::pip::wastage;
use super::{Judge, Kind, build, read_weights, weight};

/// The weights, in pips per unit.
const WEIGHTS: [Number; WEIGHT_COUNT] = [
    weight("race", 0.5, "a pip of lead, hits included"),
    weight(
        "wastage",
        -0.7,
        "a pip that the bear-off is expected to waste",
    ),
    weight(
        "wall",
        0.8,
        "the length of the longest row of held points, squared, 0 to 49",
    ),
    weight(
        "held",
        2.0,
        "a point held by it of the row, for each point behind it that the other side occupies",
    ),
    weight(
        "blocks",
        1.5,
        "a held point within six pips in front of the other side's rearmost checker",
    ),
    weight("home", 2.0, "a point held in the own home board"),
    weight("anchor", 4.0, "a point held in the other side's home board"),
    weight("bar", 8.0, "the other side is on the bar"),
    weight("shots", -0.4, "a throw of 36 that hits a lone checker"),
];
const WEIGHT_COUNT: usize = 9;

/// Fitted to 20,000 games against itself, see [`super::fit::odds`].
const ODDS: Odds = Odds {
    bias: -0.1846,
    slope: 0.0277,
    gammon_bias: -1.1866,
    gammon_slope: 0.0151,
};

pub(super) const KIND: Kind = Kind {
    name: "prime",
    about: "builds walls: points in a row, the more the better with checkers of the other side behind them",
    params: || WEIGHTS.iter().map(Number::param).collect(),
    odds: ODDS,
    read: |reader| {
        let weights = read_weights(reader, &WEIGHTS)?;
        Ok(Box::new(Prime { weights }))
    },
    build: |table| build(table, &KIND),
};

struct Prime {
    weights: [f64; WEIGHT_COUNT],
}

impl Judge for Prime {
    #[inline(always)]
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let lead = f64::from(i32::from(sight.their_pips) - i32::from(sight.pips));
        let waste = wastage(board.mover);
        if !sight.is_contact() {
            // The race alone is left, whatever it weighs against walls.
            return lead - waste;
        }
        let count = |points: Points| f64::from(points.count_ones());
        let (length, row) = sight.prime();
        let behind = row.wrapping_sub(1) & !row & sight.theirs;
        // Six points in front of the rearmost checker of the other side.
        let front = 0b111_1110 << sight.theirs.trailing_zeros();
        let values = [
            lead,
            waste,
            f64::from(length * length),
            f64::from(length) * count(behind),
            count(sight.made & front & FIELD),
            count(sight.made & HOME),
            count(sight.made & THEIR_HOME),
            (sight.theirs & THEIR_BAR).into(),
            sight.shots().into(),
        ];
        dot(&self.weights, &values)
    }
}
