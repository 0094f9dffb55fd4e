//! `pip`: counts pips, its own with what the bear-off will waste, and looks a little around.

use crate::bots::params::Number;
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::sight::{HOME, Points, Sight, THEIR_BAR, THEIR_HOME};

use super::odds::Odds;
use super::{Judge, Kind, build, read_weights, weight};

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
        Ok(Box::new(Pip::new(weights)))
    },
    build: |table| build(table, &KIND),
};

/// Hundredths of a pip that a checker on the points 1 to 6, and an empty point of the home board,
/// waste: the fit of [`crate::games::backgammon::cube::wastage`].
const CHECKER: [u16; 6] = [215, 142, 90, 37, 16, 0];
const GAP: u16 = 145;

/// Hundredths of a pip that two neighbouring points of the home board waste, by their counts; for
/// the points 1 and 2, 3 and 4, 5 and 6.
static WASTE: [[u16; 256]; 3] = {
    let mut table = [[0; 256]; 3];
    let mut pair = 0;
    while pair < 3 {
        let mut counts = 0;
        while counts < 256 {
            let (low, high) = (counts as u16 & 15, counts as u16 >> 4);
            let gaps = (low == 0) as u16 + (high == 0) as u16;
            table[pair][counts] =
                low * CHECKER[2 * pair] + high * CHECKER[2 * pair + 1] + gaps * GAP;
            counts += 1;
        }
        pair += 1;
    }
    table
};

/// The pips that the bear-off of these checkers will waste, less a constant.
#[inline(always)]
pub(super) fn wastage(side: Side) -> f64 {
    let waste = |pair: u8| WASTE[usize::from(pair)][usize::from(side.counts_of_two(2 * pair + 1))];
    f64::from(waste(0) + waste(1) + waste(2)) * 0.01
}

/// The weights as products with all the counts there are: what is looked up is neither counted
/// nor converted nor multiplied. Self-play takes a fifth fewer instructions by it.
struct Pip {
    race: f64,
    wastage: f64,
    near_blots: [f64; 16],
    far_blots: [f64; 16],
    slots: [f64; 16],
    /// By the set of the six points.
    home: [f64; 64],
    anchor: [f64; 64],
    bar: f64,
    shut: [f64; 64],
}

impl Pip {
    fn new(weights: [f64; WEIGHT_COUNT]) -> Pip {
        let [
            race,
            wastage,
            near_blot,
            far_blot,
            slot,
            home,
            anchor,
            bar,
            shut,
        ] = weights;
        let counts = |weight: f64| std::array::from_fn(|count| weight * count as f64);
        let sets =
            |weight: f64| std::array::from_fn(|set: usize| weight * f64::from(set.count_ones()));
        Pip {
            race,
            wastage,
            near_blots: counts(near_blot),
            far_blots: counts(far_blot),
            slots: counts(slot),
            home: sets(home),
            anchor: sets(anchor),
            bar,
            shut: sets(shut),
        }
    }
}

/// How many points of `direct` are in the near half, 1 to 12, where who is hit loses more than half
/// the way, how many in the far half, and how many points are in `slots`; at most 15 each.
///
/// Counted together, by neighbours first: without the instruction of newer machines each count
/// would take as long.
#[inline(always)]
fn counted(direct: Points, slots: Points) -> [usize; 3] {
    const ONES: u64 = 0x5555_5555_5555_5555;
    const TWOS: u64 = 0x3333_3333_3333_3333;
    const FOURS: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    // The halves, 1 to 12 and 13 to 24, each in two bytes of their own.
    let sets = u64::from(direct) << 3 | u64::from(slots) << 32;
    let twos = sets - (sets >> 1 & ONES);
    let fours = (twos & TWOS) + (twos >> 2 & TWOS);
    let bytes = (fours + (fours >> 4)) & FOURS;
    let pairs = bytes + (bytes >> 8);
    let count = |at: u32| (pairs >> at) as usize & 15;
    [count(0), count(16), (count(32) + count(48)) & 15]
}

impl Judge for Pip {
    #[inline(always)]
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let lead = f64::from(i32::from(sight.their_pips) - i32::from(sight.pips));
        let race = self.race * lead + self.wastage * wastage(board.mover);
        if !sight.is_contact() {
            return race;
        }
        let direct = sight.in_direct_reach();
        let [near, far, slots] = counted(direct, sight.in_reach() & !direct);
        let home = (sight.made & HOME) as usize >> 1;
        let anchor = (sight.made & THEIR_HOME) as usize >> 19;
        // From the first term to the last, as all sums of bots.
        let value = race
            + self.near_blots[near]
            + self.far_blots[far]
            + self.slots[slots]
            + self.home[home]
            + self.anchor[anchor];
        if sight.theirs & THEIR_BAR == 0 {
            value
        } else {
            value + self.bar + self.shut[home]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR_HALF: Points = (1 << 13) - 2;

    #[test]
    fn sets_are_counted_apart() {
        for (direct, slots) in [
            (0, 0),
            (1 << 12 | 1 << 13, 1 << 1 | 1 << 24),
            (0x155_5554, 0x0AA_AAAA),
            (0x1FFE, 0x1FF_E000),
            (0x1FF_E000, 0x1FFE),
            (0b110, 0x1FF_F000),
        ] {
            let expected = [direct & NEAR_HALF, direct & !NEAR_HALF, slots];
            let expected = expected.map(|set: Points| set.count_ones() as usize);
            assert_eq!(counted(direct, slots), expected, "{direct:x} {slots:x}");
        }
    }

    /// Three checkers on the ace point, one on the five: four empty points.
    #[test]
    fn the_bear_off_wastes_stacks_and_gaps() {
        let mut counts = [0; 26];
        (counts[0], counts[1], counts[5]) = (11, 3, 1);
        let waste = wastage(Side::from_counts(&counts));
        assert!(
            (waste - (3.0 * 2.15 + 0.16 + 4.0 * 1.45)).abs() < 1e-12,
            "{waste}"
        );
    }
}
