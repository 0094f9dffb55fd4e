//! Pip-count formulas for the cube in races, for money and for play at the table.
//!
//! Each compares an adjusted pip count of the side on roll with one of the other side; the races
//! meant have no contact left. Sources differ in what they count, not in what they advise on:
//! T. Keith, "Cube Handling in Noncontact Positions", 2004, compares most of them.

use crate::games::backgammon::board::Side;

/// What a formula advises, from the weakest position of the side on roll to the strongest. Each
/// window lies within the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RaceAction {
    /// No double; it would be taken.
    NoDouble,
    /// A first double, no redouble; take.
    Double,
    /// A first double and a redouble; take.
    Redouble,
    /// A double or redouble; pass.
    Pass,
}

impl RaceAction {
    /// The strongest action whose condition holds.
    fn of(double: bool, redouble: bool, pass: bool) -> RaceAction {
        match (double, redouble, pass) {
            (_, _, true) => RaceAction::Pass,
            (_, true, _) => RaceAction::Redouble,
            (true, ..) => RaceAction::Double,
            _ => RaceAction::NoDouble,
        }
    }

    /// Whether the other side takes a double.
    pub fn takes(self) -> bool {
        self != RaceAction::Pass
    }
}

/// The counts a formula compares and what it advises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaceCount {
    /// The count of the side on roll, in pips.
    pub roller: f64,
    /// The count of the other side, in pips.
    pub other: f64,
    /// The advice.
    pub action: RaceAction,
}

/// The rule of 8, 9 and 12 %: with plain pip counts, double when 8 % of one's own count ahead,
/// redouble at 9 %, pass beyond 12 % (B. Robertie, "Advanced Backgammon", 1991).
pub fn eight_nine_twelve(roller: Side, other: Side) -> RaceCount {
    let (own, their) = (i32::from(roller.pips()), i32::from(other.pips()));
    let percents = 100 * (their - own);
    RaceCount {
        roller: f64::from(own),
        other: f64::from(their),
        action: RaceAction::of(
            percents >= 8 * own,
            percents >= 9 * own,
            percents > 12 * own,
        ),
    }
}

/// The Keith count (T. Keith, 2004): to the pips add 2 for each checker more than 1 on the ace
/// point, 1 for each more than 1 on the two point, 1 for each more than 3 on the three point, and 1
/// for each empty point of 4, 5 and 6; the side on roll adds a seventh of its count, rounded down.
/// Double when it then exceeds the other's count by at most 4, redouble by at most 3; take when it
/// exceeds by at least 2.
pub fn keith(roller: Side, other: Side) -> RaceCount {
    let count = keith_count(roller);
    let (own, their) = (count + count / 7, keith_count(other));
    let excess = own - their;
    RaceCount {
        roller: f64::from(own),
        other: f64::from(their),
        action: RaceAction::of(excess <= 4, excess <= 3, excess < 2),
    }
}

/// The Keith count of one side, without the seventh.
fn keith_count(side: Side) -> i32 {
    let over = |point, free: i32| (i32::from(side.count(point)) - free).max(0);
    let gaps: i32 = (4..=6).map(|point| i32::from(side.count(point) == 0)).sum();
    i32::from(side.pips()) + 2 * over(1, 1) + over(2, 1) + over(3, 3) + gaps
}

/// The Thorp count (E. O. Thorp, "The Mathematics of Gambling", 1984): to the pips add 2 for each
/// checker left and 1 for each on the ace point, and take off 1 for each point held in the home
/// board; the side on roll adds a tenth if its count is above 30. Double when it then exceeds the
/// other's count by at most 2, redouble by at most 1; take when the other's exceeds it by at most 2.
pub fn thorp(roller: Side, other: Side) -> RaceCount {
    let count = thorp_count(roller);
    let tenths = if count > 30 { 11 * count } else { 10 * count };
    let their = thorp_count(other);
    let excess = tenths - 10 * their;
    RaceCount {
        roller: f64::from(tenths) / 10.0,
        other: f64::from(their),
        action: RaceAction::of(excess <= 20, excess <= 10, excess < -20),
    }
}

/// The Thorp count of one side, without the tenth.
fn thorp_count(side: Side) -> i32 {
    let held: i32 = (1..=6).map(|point| i32::from(side.count(point) > 0)).sum();
    i32::from(side.pips()) + 2 * i32::from(side.left()) + i32::from(side.count(1)) - held
}

/// The rule of 62 (W. Trice, "Backgammon Boot Camp", 2004): with plain pip counts the other side
/// may be behind by no more than the point of last take, for N pips of the side on roll (N - 5) / 7
/// rounded down up to 62 pips, N / 10 + 1 rounded up from there. Redouble from 2 pips before that
/// point, double from 3.
pub fn trice(roller: Side, other: Side) -> RaceCount {
    let (own, their) = (i32::from(roller.pips()), i32::from(other.pips()));
    let (lead, last_take) = (their - own, point_of_last_take(own));
    RaceCount {
        roller: f64::from(own),
        other: f64::from(their),
        action: RaceAction::of(
            lead >= last_take - 3,
            lead >= last_take - 2,
            lead > last_take,
        ),
    }
}

/// The pips the other side may be behind and still take, by the rule of 62.
fn point_of_last_take(pips: i32) -> i32 {
    if pips <= 62 {
        (pips - 5).div_euclid(7)
    } else {
        (pips + 9) / 10 + 1
    }
}

/// The Kleinman metric (D. Kleinman, "Vision Laughs at Counting", 1980): the roll is worth 4 pips,
/// so with D the lead plus 4 and S the sum of both counts less 4, K is D squared over S. Double
/// above 0.44, redouble above 0.61, pass above 1.2. The metric of the lead behind is negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kleinman {
    /// K, with the sign of D.
    pub metric: f64,
    /// The probability that the side on roll wins the race: the normal law at the root of K / 2.
    pub win: f64,
    /// The advice.
    pub action: RaceAction,
}

/// The [`Kleinman`] metric of a race.
pub fn kleinman(roller: Side, other: Side) -> Kleinman {
    let (own, their) = (f64::from(roller.pips()), f64::from(other.pips()));
    let lead = their - own + 4.0;
    let metric = lead * lead.abs() / (their + own - 4.0).max(1.0);
    Kleinman {
        metric,
        win: 0.5 * libm::erfc(-0.5 * metric.abs().sqrt().copysign(metric)),
        action: RaceAction::of(metric > 0.44, metric > 0.61, metric > 1.2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RaceAction::{Double, NoDouble, Pass, Redouble};

    /// `8:4 7:2`: point and checkers.
    fn side(text: &str) -> Side {
        let mut counts = [0; 26];
        for place in text.split(' ') {
            let (point, checkers) = place.split_once(':').expect("point:checkers");
            counts[point.parse::<usize>().expect("a point")] = checkers.parse().expect("a count");
        }
        Side::from_counts(&counts)
    }

    /// 100 pips, and a side of 100 + `lead` pips.
    fn hundred(lead: u8) -> (Side, Side) {
        let mut counts = [0; 26];
        (counts[10], counts[10 + usize::from(lead)]) = (9, 1);
        if lead == 0 {
            counts[10] = 10;
        }
        (side("10:10"), Side::from_counts(&counts))
    }

    fn actions(formula: fn(Side, Side) -> RaceCount, leads: [u8; 6]) -> [RaceAction; 6] {
        leads.map(|lead| {
            let (roller, other) = hundred(lead);
            formula(roller, other).action
        })
    }

    #[test]
    fn eight_nine_and_twelve_percent() {
        assert_eq!(
            actions(eight_nine_twelve, [0, 7, 8, 9, 12, 13]),
            [NoDouble, NoDouble, Double, Redouble, Redouble, Pass]
        );
    }

    /// 100 pips: the last take is 11 pips behind.
    #[test]
    fn the_rule_of_62_at_100_pips() {
        assert_eq!(
            actions(trice, [0, 7, 8, 9, 11, 12]),
            [NoDouble, NoDouble, Double, Redouble, Redouble, Pass]
        );
    }

    /// The two halves of the rule meet at 62.
    #[test]
    fn points_of_last_take() {
        let points = [
            (5, 0),
            (12, 1),
            (33, 4),
            (61, 8),
            (62, 8),
            (63, 8),
            (70, 8),
            (71, 9),
            (110, 12),
        ];
        for (pips, point) in points {
            assert_eq!(point_of_last_take(pips), point, "{pips} pips");
        }
    }

    /// The position of D. Scoones, rec.games.backgammon, March 1998: 84 to 96 pips. C. Bower finds a
    /// Thorp difference of exactly 0, a redouble and a take, while 14 % is a pass.
    #[test]
    fn scoones_position() {
        let roller = side("8:4 7:2 6:3 5:2 3:2 2:2");
        let other = side("16:1 11:2 9:1 7:1 6:3 5:2 4:1 3:2 2:2");
        let count = thorp(roller, other);
        assert_eq!(
            (count.roller.to_bits(), count.other.to_bits()),
            (121f64.to_bits(), 121f64.to_bits())
        );
        assert_eq!(count.action, Redouble);
        assert!(count.action.takes());
        let percent = eight_nine_twelve(roller, other);
        assert_eq!(
            (percent.roller.to_bits(), percent.other.to_bits()),
            (84f64.to_bits(), 96f64.to_bits())
        );
        assert_eq!(percent.action, Pass);
    }

    /// `XGID=-----CFACA-Aaaa-abaeba----`, bgonline.org, December 2014: 102 to 112 pips. The gap on
    /// the four point and the seventh make the Keith count 117 to 112, "a no double".
    #[test]
    fn keith_count_with_a_gap() {
        let roller = side("11:1 9:1 8:3 7:1 6:6 5:3");
        let other = side("13:1 12:1 11:1 9:1 8:2 7:1 6:5 5:2 4:1");
        let count = keith(roller, other);
        assert_eq!(
            (count.roller.to_bits(), count.other.to_bits()),
            (117f64.to_bits(), 112f64.to_bits())
        );
        assert_eq!(count.action, NoDouble);
    }

    /// 57 pips, 2 for the second checker on the ace point, 1 for that on the two point: 60, and 8
    /// with the seventh. 26 pips, 6 + 2 + 1 for stacks, 3 for gaps: 38.
    #[test]
    fn keith_count_by_hand() {
        let even = side("6:3 5:3 4:3 3:2 2:2 1:2");
        let stacked = side("3:4 2:3 1:4");
        assert_eq!(keith_count(even), 60);
        assert_eq!(keith_count(stacked), 22 + 6 + 2 + 1 + 3);
        assert_eq!(keith(even, stacked).roller.to_bits(), 68f64.to_bits());
        let windows = [
            (63, NoDouble),
            (64, Double),
            (65, Redouble),
            (66, Redouble),
            (67, Pass),
        ];
        for (pips, action) in windows {
            let filler = format!("8:4 6:1 5:1 4:1 {}:1", pips - 47);
            assert_eq!(keith(even, side(&filler)).action, action, "68 to {pips}");
        }
    }

    /// No tenth up to 30: 10 pips, 2 · 4 checkers, 1 on the ace point, 4 points held.
    #[test]
    fn thorp_count_of_a_short_race() {
        let short = side("4:1 3:1 2:1 1:1");
        assert_eq!(thorp(short, short).roller.to_bits(), 15f64.to_bits());
        assert_eq!(thorp(short, short).action, Redouble);
        let longer = side("6:1 4:1 3:1 1:1");
        assert_eq!(thorp_count(longer), 14 + 8 + 1 - 4);
        assert_eq!(thorp(short, longer).action, Pass);
        assert_eq!(thorp(longer, short).action, NoDouble);
    }

    /// Ø. Johansen, rec.games.backgammon, February 2001: 100 to 113 pips, K = 1.383, 79.7 %; 100 to
    /// 106 pips, K = 0.495, 68.8 % by a formula fitted to Kleinman's table.
    #[test]
    fn kleinman_chances() {
        for (lead, metric, win) in [(13, 1.383, 0.797), (6, 0.495, 0.688)] {
            let (roller, other) = hundred(lead);
            let race = kleinman(roller, other);
            assert!((race.metric - metric).abs() < 0.001, "{race:?}");
            assert!((race.win - win).abs() < 0.003, "{race:?}");
        }
    }

    /// 100 to 110 pips: D = 14, S = 206, K = 0.951; level, K = 16 / 196.
    #[test]
    fn kleinman_metric_by_hand() {
        let (roller, other) = hundred(10);
        let race = kleinman(roller, other);
        assert!((race.metric - 196.0 / 206.0).abs() < 1e-12);
        assert_eq!(race.action, Redouble);
        let (roller, other) = hundred(0);
        assert!((kleinman(roller, other).metric - 16.0 / 196.0).abs() < 1e-12);
        let (ahead, behind) = hundred(12);
        assert_eq!(kleinman(ahead, behind).action, Pass);
        let trails = kleinman(behind, ahead);
        assert!(trails.metric < 0.0 && trails.win < 0.5);
    }
}
