//! `pip`: counts pips, its own with what the bear-off will waste, and looks a little around.

use crate::bots::float::dot;
use crate::bots::params::Number;
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::sight::{HOME, Points, Sight, THEIR_BAR, THEIR_HOME};

use super::odds::Odds;
use super::{Judge, Kind, build, read_weights, weight};

/// Own points 1 to 12: who is hit there loses more than half the way.
const NEAR_HALF: Points = (1 << 13) - 2;

/// The weights, in pips per unit.
const WEIGHTS: [Number; WEIGHT_COUNT] = [
    weight("race", 1.0, "a pip of lead, hits included"),
    weight(
        "wastage",
        -0.5,
        "a pip that the bear-off is expected to waste",
    ),
    weight(
        "near_blot",
        -6.0,
        "an own lone checker on 1 to 12 within six pips of a checker that can hit it",
    ),
    weight("far_blot", -2.5, "the same on 13 to 24"),
    weight(
        "slot",
        -1.0,
        "an own lone checker that can be hit from farther away",
    ),
    weight("home", 4.0, "a point held in the own home board"),
    weight("anchor", 3.0, "a point held in the other side's home board"),
    weight("bar", 5.0, "the other side is on the bar"),
    weight(
        "shut",
        1.5,
        "and for each point held in the own home board then",
    ),
];
const WEIGHT_COUNT: usize = 9;

/// Fitted to 20,000 games against itself, see [`super::fit::odds`].
const ODDS: Odds = Odds {
    bias: -0.1408,
    slope: 0.0142,
    gammon_bias: -1.4219,
    gammon_slope: 0.0101,
};

pub(super) const KIND: Kind = Kind {
    name: "pip",
    about: "runs the race: counts pips and what the bear-off wastes, hits, hides lone checkers and makes home points",
    params: || WEIGHTS.iter().map(Number::param).collect(),
    odds: ODDS,
    read: |reader| {
        let weights = read_weights(reader, &WEIGHTS)?;
        Ok(Box::new(Pip { weights }))
    },
    build: |table| build(table, &KIND),
};

/// Hundredths of a pip that a checker on the points 1 to 5, and an empty point of the home board,
/// waste: the fit of [`crate::games::backgammon::cube::wastage`].
const CHECKER: [u32; 5] = [215, 142, 90, 37, 16];
const GAP: u32 = 145;

/// The pips that the bear-off of these checkers will waste, less a constant.
#[inline(always)]
pub(super) fn wastage(side: Side, own: Points) -> f64 {
    let gaps = 6 - (own & HOME).count_ones();
    let checkers = (1..).zip(CHECKER);
    let stacked: u32 = checkers
        .map(|(point, waste)| u32::from(side.count(point)) * waste)
        .sum();
    f64::from(stacked + GAP * gaps) * 0.01
}

struct Pip {
    weights: [f64; WEIGHT_COUNT],
}

impl Judge for Pip {
    #[inline(always)]
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let lead = f64::from(i32::from(sight.their_pips) - i32::from(sight.pips));
        let waste = wastage(board.mover, sight.own);
        if !sight.is_contact() {
            return dot(&self.weights[..2], &[lead, waste]);
        }
        let count = |points: Points| f64::from(points.count_ones());
        let direct = sight.in_direct_reach();
        let home = count(sight.made & HOME);
        let on_bar = f64::from(sight.theirs & THEIR_BAR);
        let values = [
            lead,
            waste,
            count(direct & NEAR_HALF),
            count(direct & !NEAR_HALF),
            count(sight.in_reach() & !direct),
            home,
            count(sight.made & THEIR_HOME),
            on_bar,
            on_bar * home,
        ];
        dot(&self.weights, &values)
    }
}
