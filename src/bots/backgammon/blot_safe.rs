//! `blot-safe`: leaves the fewest shots, and among plays as safe runs the race.

use crate::bots::float::dot;
use crate::bots::params::Number;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::sight::{FIELD, HOME, Sight, THEIR_HOME};

use super::odds::Odds;
use super::pip::wastage;
use super::{Judge, Kind, build, read_weights, weight};

/// The weights, in pips per unit.
const WEIGHTS: [Number; WEIGHT_COUNT] = [
    weight("race", 1.0, "a pip of lead, hits included"),
    weight(
        "wastage",
        -0.5,
        "a pip that the bear-off is expected to waste",
    ),
    weight("shots", -3.0, "a throw of 36 that hits a lone checker"),
    weight(
        "blot",
        -1.0,
        "a lone checker that the other side has still to pass",
    ),
    weight("point", 3.0, "a point held"),
    weight("home", 2.0, "and it is in the own home board"),
    weight(
        "back",
        -1.0,
        "a point occupied in the other side's home board",
    ),
];
const WEIGHT_COUNT: usize = 7;

/// Fitted to 20,000 games against itself, see [`super::fit::odds`].
const ODDS: Odds = Odds {
    bias: -0.1189,
    slope: 0.0192,
    gammon_bias: -2.062,
    gammon_slope: 0.0112,
};

pub(super) const KIND: Kind = Kind {
    name: "blot-safe",
    about: "plays safe: the fewest throws that hit a lone checker, held points, then the race",
    params: || WEIGHTS.iter().map(Number::param).collect(),
    odds: ODDS,
    read: |reader| {
        let weights = read_weights(reader, &WEIGHTS)?;
        Ok(Box::new(BlotSafe { weights }))
    },
    build: |table| build(table, &KIND),
};

struct BlotSafe {
    weights: [f64; WEIGHT_COUNT],
}

impl Judge for BlotSafe {
    #[inline(always)]
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let lead = f64::from(i32::from(sight.their_pips) - i32::from(sight.pips));
        let waste = wastage(board.mover);
        if !sight.is_contact() {
            return dot(&self.weights[..2], &[lead, waste]);
        }
        let values = [
            lead,
            waste,
            sight.shots().into(),
            sight.in_reach().count_ones().into(),
            (sight.made & FIELD).count_ones().into(),
            (sight.made & HOME).count_ones().into(),
            (sight.own & THEIR_HOME).count_ones().into(),
        ];
        dot(&self.weights, &values)
    }
}
