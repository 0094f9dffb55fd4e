//! What a side alone can play: nothing blocks it and nothing is hit.
//!
//! A checker left can always use a die: while one is outside the home board, the rear one has
//! more pips than any die; with all at home, the rear one moves or is borne off. So dice are left
//! over only when everything is off, and the rules about playing as many dice as possible and
//! the larger one decide nothing here: to clear a side with the same die takes as many steps in
//! every order, and a single checker that one die of two bears off is borne off by every play.

use crate::games::backgammon::board::{OFF, Side};

/// The furthest point of the home board.
const HOME: u8 = 6;

/// A roll of two dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Roll {
    /// The larger die.
    pub(super) high: u8,
    /// The smaller die.
    pub(super) low: u8,
    /// How many of the 36 throws it is: 1 for a double, 2 otherwise.
    pub(super) weight: u8,
}

/// The 21 rolls.
pub(super) const ROLLS: [Roll; 21] = {
    let mut rolls = [Roll {
        high: 0,
        low: 0,
        weight: 0,
    }; 21];
    let (mut count, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            let weight = if low == high { 1 } else { 2 };
            rolls[count] = Roll { high, low, weight };
            (count, low) = (count + 1, low + 1);
        }
        high += 1;
    }
    rolls
};

/// The mean over the 36 throws of a value for each of [`ROLLS`], summed in their order.
pub(super) fn mean_over_throws(values: impl IntoIterator<Item = f64>) -> f64 {
    let weighted = ROLLS.iter().zip(values);
    let sum: f64 = weighted.map(|(roll, x)| f64::from(roll.weight) * x).sum();
    sum / 36.0
}

/// Every position that a roll can lead to, some more than once, never none.
pub(super) fn plays(side: Side, roll: Roll, into: &mut Vec<Side>) {
    into.clear();
    if roll.high == roll.low {
        repeat(side, roll.high, 4, side.rear(), into);
    } else {
        in_order(side, roll.high, roll.low, into);
        in_order(side, roll.low, roll.high, into);
    }
}

/// Plays a die several times. A play is a set of steps, and the furthest first is always an order
/// of them that is legal; so no step starts behind the one before.
fn repeat(side: Side, die: u8, times: u8, furthest: u8, into: &mut Vec<Side>) {
    if times == 0 || side.rear() == OFF {
        into.push(side);
        return;
    }
    for from in (1..=furthest).rev() {
        if let Some(next) = step(side, from, die) {
            repeat(next, die, times - 1, from, into);
        }
    }
}

/// Plays one die, then another.
fn in_order(side: Side, first: u8, second: u8, into: &mut Vec<Side>) {
    for from in 1..=side.rear() {
        if let Some(next) = step(side, from, first) {
            repeat(next, second, 1, next.rear(), into);
        }
    }
}

/// Moves the checker on `from` by a die, if there is one and it may.
fn step(side: Side, from: u8, die: u8) -> Option<Side> {
    let rear = side.rear();
    if side.count(from) == 0 {
        None
    } else if from > die {
        Some(side.step(from, from - die))
    } else {
        (rear <= HOME && (from == die || from == rear)).then(|| side.step(from, OFF))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions after a roll, as their `Debug` text without what is off.
    fn results(counts: [u8; 8], high: u8, low: u8) -> Vec<String> {
        let mut all = [0; 26];
        all[1..=8].copy_from_slice(&counts);
        let roll = ROLLS.iter().find(|r| (r.high, r.low) == (high, low));
        let mut found = Vec::new();
        plays(Side::from_counts(&all), *roll.expect("a roll"), &mut found);
        found.sort_unstable();
        found.dedup();
        let text = |side: &Side| format!("{side:?}").split(" off").next().unwrap().to_owned();
        found.iter().map(text).collect()
    }

    #[test]
    fn twenty_one_rolls_are_thirty_six_throws() {
        assert_eq!(ROLLS.iter().map(|r| u32::from(r.weight)).sum::<u32>(), 36);
        let pips = mean_over_throws(ROLLS.iter().map(|r| {
            let steps = if r.high == r.low { 2 } else { 1 };
            f64::from(steps * (r.high + r.low))
        }));
        assert!((pips - 49.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn a_large_die_bears_off_only_from_the_rear() {
        // 4:1 2:1, roll 3-1: 4/1 2/1 or 4/off, never 2/off with the 3.
        assert_eq!(results([0, 1, 0, 1, 0, 0, 0, 0], 3, 1), ["1:2", "2:1"]);
        // 4:1 3:1, roll 5-5: both off, two fives are left over.
        assert_eq!(results([0, 0, 1, 1, 0, 0, 0, 0], 5, 5), ["off:2"]);
    }

    #[test]
    fn nothing_is_borne_off_before_all_are_home() {
        // 7:1 1:1, roll 6-5: 7/1 with the 6 leaves 1:2, one of them off with the 5; 7/2 with the 5
        // lets the 6 bear off from the rear point.
        assert_eq!(results([1, 0, 0, 0, 0, 0, 1, 0], 6, 5), ["1:1"]);
        // 7:1, roll 5-2: home and off in one turn.
        assert_eq!(results([0, 0, 0, 0, 0, 0, 1, 0], 5, 2), ["off:1"]);
        // 8:1 6:1, roll 6-1: 8/2 6/5 or 8/1, never 6/off.
        assert_eq!(
            results([0, 0, 0, 0, 0, 1, 0, 1], 6, 1),
            ["5:1 2:1", "6:1 1:1"]
        );
    }
}
