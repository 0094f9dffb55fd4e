//! `pip`: counts pips, its own with what the bear-off will waste, and looks a little around.

use crate::bots::float::Best;
use crate::bots::params::Number;
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::flags::Flags;
use crate::games::backgammon::sight::{FIELD, HOME, Sight, THEIR_HOME};

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
    weight(
        "home",
        4.0,
        "a point held in the own home board; it, blots, anchor and bar count only while the two sides can meet",
    ),
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

/// The weights as products with all the counts there are: what is looked up is neither converted
/// nor multiplied.
struct Pip {
    race: f64,
    wastage: f64,
    near_blots: [f64; 16],
    far_blots: [f64; 16],
    slots: [f64; 16],
    home: [f64; 16],
    anchor: [f64; 16],
    bar: f64,
    shut: [f64; 16],
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
        Pip {
            race,
            wastage,
            near_blots: counts(near_blot),
            far_blots: counts(far_blot),
            slots: counts(slot),
            home: counts(home),
            anchor: counts(anchor),
            bar,
            shut: counts(shut),
        }
    }

    /// What a side's lead is worth.
    #[inline(always)]
    fn lead(&self, pips: u16, facing: &Facing) -> f64 {
        self.race * f64::from(i32::from(facing.pips) - i32::from(pips))
    }

    /// The same where a checker was borne off. Out of the way of all the other plays.
    #[cold]
    #[inline(never)]
    fn lead_bearing_off(&self, own: Side, facing: &Facing) -> f64 {
        self.lead(own.pips(), facing)
    }

    /// What checkers are worth to the side that has just played, with what its lead is worth.
    #[inline(always)]
    fn worth(&self, own: Side, lead: f64, facing: &Facing) -> f64 {
        /// Where who is hit loses more than half the way, and the rest.
        const NEAR_HALF: Flags = Flags::of_points((1 << 13) - 2);
        const FAR_HALF: Flags = Flags::of_points(FIELD & !((1 << 13) - 2));
        const HOME_BOARD: Flags = Flags::of_points(HOME);
        const THEIR_HOME_BOARD: Flags = Flags::of_points(THEIR_HOME);

        let race = lead + self.wastage * wastage(own);
        let held = Flags::at_least::<1>(own);
        if !held.meets(facing.beyond) {
            return race;
        }
        let made = Flags::at_least::<2>(own);
        let blots = held.without(made);
        let direct = blots.and(facing.direct);
        let home = made.and(HOME_BOARD).count();
        // From the first term to the last, as all sums of bots.
        let value = race
            + self.near_blots[direct.and(NEAR_HALF).count()]
            + self.far_blots[direct.and(FAR_HALF).count()]
            + self.slots[blots.and(facing.indirect).count()]
            + self.home[home]
            + self.anchor[made.and(THEIR_HOME_BOARD).count()];
        if facing.is_on_bar {
            value + self.bar + self.shut[home]
        } else {
            value
        }
    }
}

/// What the other side's checkers mean to a side that faces them.
struct Facing {
    pips: u16,
    is_on_bar: bool,
    /// From its rearmost checker on, the own bar included: where the two can still meet.
    beyond: Flags,
    /// The points within six pips of a checker that can hit there.
    direct: Flags,
    /// The points where a lone checker can be hit from farther away only.
    indirect: Flags,
}

impl Facing {
    #[inline(always)]
    fn new(other: Side) -> Facing {
        const BOARD: Flags = Flags::of_points(FIELD);
        let theirs = Flags::at_least::<1>(other).turned();
        let (direct, beyond) = (theirs.six_above(), theirs.from_lowest());
        Facing {
            pips: other.pips(),
            is_on_bar: other.bar() > 0,
            beyond,
            direct: direct.and(BOARD),
            indirect: beyond.without(direct).and(BOARD),
        }
    }
}

impl Judge for Pip {
    fn value(&self, _: &Sight, board: &Board) -> f64 {
        let facing = Facing::new(board.other);
        let lead = self.lead(board.mover.pips(), &facing);
        self.worth(board.mover, lead, &facing)
    }

    fn best(&self, before: &Board, plays: &[Board], evenly: bool) -> usize {
        if !evenly {
            return self.most_valuable(before, plays);
        }
        let off = before.mover.off();
        let walk = plays.iter().find(|board| board.mover.off() == off);
        let walked = walk.map_or(0, |board| board.mover.pips());
        let mut other = before.other;
        let mut facing = Facing::new(other);
        let mut lead_of_walk = self.lead(walked, &facing);
        let mut best = Best::NONE;
        for (index, board) in plays.iter().enumerate() {
            // Only a hit changes the other side.
            if board.other != other {
                other = board.other;
                facing = Facing::new(other);
                lead_of_walk = self.lead(walked, &facing);
            }
            let own = board.mover;
            let lead = if own.off() == off {
                lead_of_walk
            } else {
                self.lead_bearing_off(own, &facing)
            };
            best.offer(index, self.worth(own, lead, &facing), 0);
        }
        best.index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose};
    use crate::engine::seat::Seat;
    use crate::games::backgammon::moves::Plays;

    /// The same by counting point after point.
    fn counted(board: &Board) -> f64 {
        let weights = WEIGHTS.map(|weight| weight.default);
        let [race, waste, near, far, slot, home, anchor, bar, shut] = weights;
        let own = |point: u8| board.mover.count(point);
        let their = |point: u8| board.other.count(25 - point);
        let pips = |count: &dyn Fn(u8) -> u8| -> f64 {
            (1..=25)
                .map(|point| f64::from(point) * f64::from(count(point)))
                .sum()
        };
        let lead = pips(&|point| board.other.count(point)) - pips(&own);
        let value = race * lead + waste * wastage(board.mover);
        let Some(rear) = (0..=24).find(|&point| their(point) > 0) else {
            return value;
        };
        if (rear..=25).all(|point| own(point) == 0) {
            return value;
        }
        let blots = (1..=24).filter(|&point| own(point) == 1 && point >= rear);
        let of_blots: f64 = blots
            .map(|point| {
                let is_near = (1..=6.min(point)).any(|pips| their(point - pips) > 0);
                match point {
                    _ if !is_near => slot,
                    ..=12 => near,
                    _ => far,
                }
            })
            .sum();
        let held = |points: std::ops::RangeInclusive<u8>| {
            f64::from(points.filter(|&point| own(point) > 1).count() as u8)
        };
        let of_points = home * held(1..=6) + anchor * held(19..=24);
        let of_bar = if their(0) > 0 {
            bar + shut * held(1..=6)
        } else {
            0.0
        };
        value + of_blots + of_points + of_bar
    }

    /// In random games: from the start to the last checker.
    #[test]
    fn values_are_counted_and_the_short_way_finds_the_same_play() {
        let pip = Pip::new(WEIGHTS.map(|weight| weight.default));
        let mut plays = Plays::default();
        for block in 0..40 {
            let key = BlockKey::new(5, block);
            let (mut dice, mut random) = (key.dice(Seat::A), key.stream(Purpose::Bot, Seat::A));
            let mut board = Board::START;
            while board.mover.off() < 15 && board.other.off() < 15 {
                plays.generate(&board, (dice.die(), dice.die()));
                for play in plays.iter() {
                    let (value, counted) = (pip.value(&Sight::of(play), play), counted(play));
                    assert!((value - counted).abs() < 1e-9, "{value} {counted} {play:?}");
                }
                let best = pip.best(&board, &plays, true);
                assert_eq!(best, pip.most_valuable(&board, &plays), "{board:?}");
                let chosen = random.below(plays.len() as u64) as usize;
                board = plays[chosen].swapped();
            }
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
