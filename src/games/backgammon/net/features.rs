//! What a player sees at a glance: shots, blockades, anchors, timing.
//!
//! All features are whole multiples of 1/128 between 0 and 8; see [`super::inputs`] for why.

use std::sync::LazyLock;

use crate::games::backgammon::board::{BAR, Side};

/// The points of the board as a set: bit `n` is the point `n` of the side in view.
const BOARD: u32 = (1 << 25) - 2;
/// The home board.
const HOME: u32 = 0b111_1110;

/// One side in the forms that features are counted from.
pub(super) struct Sketch {
    /// Checkers by point, 0 off to 25 bar.
    pub(super) counts: [u8; 26],
    /// Points with a checker, the bar included.
    some: u32,
    /// Points with two or more.
    made: u32,
    /// The furthest point with a checker.
    rear: u32,
    /// For each point, the sum over the checkers beyond it of the pips to it.
    pips_to: [u32; 26],
}

impl Sketch {
    #[inline]
    pub(super) fn of(side: Side) -> Sketch {
        let counts = side.counts();
        let (mut some, mut made) = (0, 0);
        let (mut pips_to, mut pips, mut beyond) = ([0; 26], 0, 0);
        for point in (1..=25usize).rev() {
            let count = u32::from(counts[point]);
            some |= u32::from(count > 0) << point;
            made |= u32::from(count > 1) << point;
            beyond += count;
            pips += beyond;
            pips_to[point - 1] = pips;
        }
        Sketch {
            counts,
            some,
            made,
            rear: side.rear().into(),
            pips_to,
        }
    }

    /// Pips to bear off everything.
    fn pips(&self) -> u32 {
        self.pips_to[0]
    }

    /// Points on the board with one checker.
    fn blots(&self) -> u32 {
        self.some & !self.made & BOARD
    }

    /// The sum of the counts on a range of points.
    fn on(&self, points: std::ops::RangeInclusive<usize>) -> u32 {
        self.counts[points]
            .iter()
            .map(|&count| u32::from(count))
            .sum()
    }
}

/// A set of points as the other side numbers them; the bar drops out.
fn mirrored(points: u32) -> u32 {
    // Bit n to bit 31 - n, and that to 25 - n.
    (points & BOARD).reverse_bits() >> 6
}

/// What the hits of all 36 throws amount to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Shots {
    /// Throws that hit.
    hits: u32,
    /// Throws that hit two blots at once.
    double_hits: u32,
    /// The pips the furthest blot hit loses, summed over the throws.
    pips: u32,
}

impl Shots {
    fn add(&mut self, throws: u32, hit: u32, twice: bool) {
        if hit != 0 {
            self.hits += throws;
            // The point where it is hit is what the blot has come.
            self.pips += throws * hit.ilog2();
            self.double_hits += if twice { throws } else { 0 };
        }
    }
}

/// The shots of a side at `blots`, where `blocked` points cannot be landed on. Plays are looked
/// at as steps of one or two checkers; a second checker on the bar leaves only entering hits.
fn shots(me: &Sketch, blocked: u32, blots: u32) -> Shots {
    let mut shots = Shots::default();
    if blots == 0 {
        return shots;
    }
    let waiting = me.counts[usize::from(BAR)];
    let field = me.some & BOARD;
    for a in 1..=6u32 {
        for b in 1..a {
            let (hit, twice) = match waiting {
                0 => hits_of_two(field, blocked, blots, a, b),
                1 => (hits_from_bar(field, blocked, blots, a, b), false),
                _ => ((entry(a) | entry(b)) & blots, false),
            };
            shots.add(2, hit, twice);
        }
        let hit = hits_of_double(field, waiting.into(), blocked, blots, a);
        shots.add(1, hit, hit.count_ones() > 1);
    }
    shots
}

/// Where a die enters.
fn entry(die: u32) -> u32 {
    1 << (u32::from(BAR) - die)
}

/// What two different dice can hit, and whether both at once.
#[inline(always)]
fn hits_of_two(field: u32, blocked: u32, blots: u32, a: u32, b: u32) -> (u32, bool) {
    let (by_a, by_b) = (field >> a, field >> b);
    let joined = (by_a & !blocked) >> b | (by_b & !blocked) >> a;
    let (first, second) = (by_a & blots, by_b & blots);
    let twice = first != 0 && second != 0 && (first | second).count_ones() > 1;
    (first | second | joined & blots, twice)
}

/// What two different dice can hit when one checker has to enter.
fn hits_from_bar(field: u32, blocked: u32, blots: u32, a: u32, b: u32) -> u32 {
    let way = |enters: u32, goes_on: u32| {
        let entered = entry(enters) & !blocked;
        if entered == 0 {
            return 0;
        }
        (entered | (field | entered) >> goes_on) & blots
    };
    way(a, b) | way(b, a)
}

/// What four steps of a die can hit.
fn hits_of_double(field: u32, waiting: u32, blocked: u32, blots: u32, die: u32) -> u32 {
    let mut reached = field;
    let mut hit = 0;
    if waiting > 0 {
        let entered = entry(die) & !blocked;
        if entered == 0 {
            return 0;
        }
        hit = entered & blots;
        reached |= entered;
    }
    for _ in waiting..4 {
        reached = reached >> die & !blocked;
        hit |= reached & blots;
    }
    hit
}

/// For each pattern of blocked points among the twelve ahead (the highest bit is the next point):
/// how many of the 36 throws carry one checker seven points or more.
static ESCAPES: LazyLock<[u8; 4096]> = LazyLock::new(|| {
    std::array::from_fn(|pattern| {
        let open = |pips: u32| pips > 12 || pattern >> (12 - pips) & 1 == 0;
        let mut throws = 0;
        for a in 1..=6u32 {
            for b in 1..a {
                let passes = a + b >= 7 && open(a + b) && (open(a) || open(b));
                throws += 2 * u8::from(passes);
            }
            let steps = (1..=4).take_while(|&step| open(step * a)).count() as u32;
            throws += u8::from(steps * a >= 7);
        }
        throws
    })
});

/// Throws that carry a checker on this point past six others, by [`ESCAPES`].
#[inline(always)]
fn escapes(table: &[u8; 4096], blocked: u32, point: u32) -> u32 {
    let ahead = (u64::from(blocked) << 12 >> point) as usize & 0xfff;
    u32::from(table[ahead])
}

/// The longest run of ones.
fn longest_run(mut points: u32) -> u32 {
    let mut run = 0;
    while points != 0 {
        points &= points >> 1;
        run += 1;
    }
    run
}

/// Features of a side with contact.
pub(super) const CONTACT: usize = 24;

/// The features of a side, `me`, against the other, in units of 1/128; in this order, counts
/// being scaled to be of the same size:
///
/// * pips to bear off everything, and to leave all contact behind;
/// * throws that hit, the pips hit away, throws that hit twice;
/// * throws by which the furthest checker escapes, all those in the opponent's home and on the
///   bar, and the fewest from any of the points 13 to 25;
/// * points made at home; throws that keep a waiting opponent on the bar, for up to two checkers;
/// * the longest row of points made, and how many of the six points before the opponent's furthest
///   checker;
/// * anchors (18 to 24), how far advanced the best is, and checkers behind 17;
/// * blots, and those at home;
/// * timing: pips that can be played outside without breaking the home board;
/// * checkers on the ace, deuce and three points, and those beyond three on a point;
/// * pips to bring everything home, builders (7 to 11), the furthest point, and points made from 3
///   to 8.
pub(super) fn contact(me: &Sketch, other: &Sketch) -> [u32; CONTACT] {
    let table = &*ESCAPES;
    let blocked = mirrored(other.made);
    let shots = shots(me, blocked, mirrored(other.blots()));
    // Where the other side's furthest checker is: behind it nothing can be hit.
    let last_contact = (u32::from(BAR)).saturating_sub(other.rear);
    let home = (me.made & HOME).count_ones();
    let shut = home * home;
    let waiting = u32::from(other.counts[usize::from(BAR)].min(2));
    let my_wall = mirrored(me.made);
    let cage = (my_wall << 6 >> other.rear & 0x3f).count_ones();
    let anchors = me.made >> 18 & 0x7f;
    let most_advanced = if anchors == 0 {
        0
    } else {
        7 - anchors.trailing_zeros()
    };
    let fleeing: u32 = (19..=25)
        .map(|point| u32::from(me.counts[point as usize]) * escapes(table, blocked, point))
        .sum();
    let narrowest = (13..=25).map(|point| escapes(table, blocked, point)).min();
    let outside_pips: u32 = (7..=18)
        .map(|point| (point as u32 - 6) * u32::from(me.counts[point]))
        .sum();
    let stacked = me.counts[1..25]
        .iter()
        .map(|&count| u32::from(count.saturating_sub(3)))
        .sum::<u32>();
    [
        me.pips(),
        me.pips_to[last_contact as usize],
        4 * shots.hits,
        shots.pips / 4,
        4 * shots.double_hits,
        4 * escapes(table, blocked, me.rear),
        fleeing,
        4 * narrowest.unwrap_or(0),
        16 * home,
        4 * shut * waiting,
        16 * longest_run(me.made & BOARD),
        16 * cage,
        32 * anchors.count_ones(),
        16 * most_advanced,
        16 * me.on(18..=24),
        16 * me.blots().count_ones(),
        32 * (me.blots() & HOME).count_ones(),
        outside_pips,
        16 * me.on(1..=3),
        16 * stacked,
        me.pips_to[6],
        16 * me.on(7..=11),
        8 * me.rear,
        16 * (me.made & 0b1_1111_1000).count_ones(),
    ]
}

/// Features of a side in a race.
pub(super) const RACE: usize = 6;

/// The features of a side in a race, in units of 1/128: pips to bear off and to bring home
/// everything, checkers left, home points occupied, how deep checkers lie, checkers outside.
pub(super) fn race(me: &Sketch) -> [u32; RACE] {
    let home_points = (me.some & HOME).count_ones();
    let left = me.on(1..=25);
    // A checker on the ace point wastes most of a die, on the deuce point some.
    let deep = 3 * u32::from(me.counts[1]) + u32::from(me.counts[2]);
    [
        2 * me.pips(),
        2 * me.pips_to[6],
        8 * left,
        16 * home_points,
        4 * deep,
        16 * (left - me.on(1..=6)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side with these checkers on these points.
    fn side(checkers: &[(usize, u8)]) -> Sketch {
        let mut counts = [0; 26];
        for &(point, count) in checkers {
            counts[point] = count;
        }
        Sketch::of(Side::from_counts(&counts))
    }

    fn points(points: &[u32]) -> u32 {
        points.iter().fold(0, |set, point| set | 1 << point)
    }

    /// Throws that hit a lone blot so many points ahead when nothing is in the way: the table in
    /// every book (Magriel, "Backgammon", 1976).
    #[test]
    fn shots_at_a_blot_are_those_of_the_books() {
        let book = [
            11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0,
        ];
        let hitter = side(&[(24, 1)]);
        for (distance, hits) in (1..).zip(book) {
            let blot = 24 - distance;
            let found = shots(&hitter, 0, points(&[blot]));
            assert_eq!(found.hits, hits, "{distance} away");
            assert_eq!(found.pips, hits * blot, "{distance} away");
            assert_eq!(found.double_hits, 0, "{distance} away");
        }
    }

    #[test]
    fn blocks_take_shots_away() {
        let hitter = side(&[(24, 1)]);
        // 8 away: 6-2, 5-3, 4-4 and 2-2.
        let open = shots(&hitter, 0, points(&[16]));
        let blocked = shots(&hitter, points(&[22, 18, 20]), points(&[16]));
        assert_eq!((open.hits, blocked.hits), (6, 2), "only 5-3 is left");
    }

    /// With two on the bar only entering hits; with one, another checker may hit after it.
    #[test]
    fn a_checker_on_the_bar_hits_by_entering() {
        let waiting = side(&[(25, 2)]);
        assert_eq!(shots(&waiting, 0, points(&[20])).hits, 11);
        let shut = points(&[19, 20, 21, 22, 23]);
        assert_eq!(shots(&waiting, shut, points(&[24])).hits, 11);
        let one = side(&[(25, 1), (13, 1)]);
        assert_eq!(shots(&one, shut, points(&[10])).hits, 3, "3-1 and 1-1");
    }

    #[test]
    fn two_blots_can_be_hit_at_once() {
        let hitters = side(&[(13, 2)]);
        let found = shots(&hitters, 0, points(&[10, 8]));
        assert_eq!(found.double_hits, 2, "5-3");
    }

    #[test]
    fn a_prime_lets_nobody_out() {
        let open = escapes(&ESCAPES, 0, 24);
        // 7 to 11 pips without a double, and 2-2 to 6-6.
        assert_eq!(open, 18 + 5);
        let five = points(&[23, 22, 21, 20, 19]);
        assert_eq!(escapes(&ESCAPES, five, 24), 11, "every six");
        assert_eq!(escapes(&ESCAPES, five | points(&[18]), 24), 0);
    }

    #[test]
    fn runs_are_measured() {
        assert_eq!(longest_run(0), 0);
        assert_eq!(longest_run(0b11_0111_0110), 3);
    }
}
