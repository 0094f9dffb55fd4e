//! Who meets whom: line-ups made of the bots, and the rotations in which a block plays each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

/// The most line-ups of one experiment.
pub const MAX_LINE_UPS: usize = 100_000;

/// Which line-ups are made of the bots.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// Every set of as many bots as there are seats; with fewer bots than seats, every way to
    /// fill the seats in which each bot plays.
    #[default]
    RoundRobin,
    /// Each bot alone against a table of each other bot.
    OneAgainstAll,
    /// The first bot alone against a table of each other bot, and each of these alone against a
    /// table of the first.
    Gauntlet,
    /// The line-ups given in `line_ups`.
    LineUps,
    /// Rounds of pairs, each bot against one near it in the rating so far.
    Swiss,
    /// Pairs, the neighbours in the rating whose order is least known, until all are known.
    Adaptive,
}

/// Which seatings of a line-up are played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Seatings {
    /// The bots in the order of the list, in every rotation: each bot once in every seat.
    #[default]
    Rotations,
    /// Every order around the table, each in every rotation.
    All,
}

impl ScheduleKind {
    /// Whether pairings follow from the results so far.
    pub const fn is_in_rounds(self) -> bool {
        matches!(self, ScheduleKind::Swiss | ScheduleKind::Adaptive)
    }
}

impl fmt::Display for ScheduleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScheduleKind::RoundRobin => "round-robin",
            ScheduleKind::OneAgainstAll => "one-against-all",
            ScheduleKind::Gauntlet => "gauntlet",
            ScheduleKind::LineUps => "line-ups",
            ScheduleKind::Swiss => "swiss",
            ScheduleKind::Adaptive => "adaptive",
        })
    }
}

impl fmt::Display for Seatings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seatings::Rotations => "rotations",
            Seatings::All => "all",
        })
    }
}

/// One line-up: which bot sits where in the first rotation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineUp {
    /// The index of the bot for each seat in play, in seat order.
    pub bots: Vec<usize>,
    /// How many rotations differ: the seats, or fewer when the line-up repeats itself.
    pub rotations: usize,
}

impl LineUp {
    fn new(bots: Vec<usize>) -> LineUp {
        let n = bots.len();
        let repeats = |by: &usize| (0..n).all(|seat| bots[seat] == bots[(seat + by) % n]);
        let rotations = (1..=n).find(repeats).unwrap_or(n);
        LineUp { bots, rotations }
    }

    /// The bot at seat number `seat` (of those in play) in a rotation.
    pub fn bot(&self, seat: usize, rotation: usize) -> usize {
        self.bots[(seat + rotation) % self.bots.len()]
    }

    /// How often a bot sits in the line-up.
    pub fn copies(&self, bot: usize) -> usize {
        self.bots.iter().filter(|&&other| other == bot).count()
    }

    /// The different bots of the line-up, ascending.
    pub fn members(&self) -> Vec<usize> {
        self.bots
            .iter()
            .copied()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }
}

/// The line-ups of an experiment. Every block plays each in all its rotations on the same dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The line-ups, in a fixed order.
    pub line_ups: Vec<LineUp>,
    /// The number of the side of each seat in play, in seat order: seats with the same number
    /// are a team. A rotation of the bots keeps partners together.
    pub sides: Vec<usize>,
}

/// A schedule that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// One bot where two are needed.
    #[error(
        "bots: one bot has nobody to play in schedule '{0}'; name two or more, or use 'round-robin' for self-play"
    )]
    OneBot(&'static str),
    /// Line-ups with a schedule that makes its own.
    #[error("line_ups: given, but schedule is not 'line-ups'")]
    Unasked,
    /// No line-ups with the schedule that needs them.
    #[error("line_ups: none given; schedule 'line-ups' needs at least one")]
    NoneGiven,
    /// A line-up of the wrong length.
    #[error("line_ups: number {number} has {has} bots for {seats} seats")]
    Length {
        /// Which line-up, from 1.
        number: usize,
        /// Its bots.
        has: usize,
        /// The seats in play.
        seats: usize,
    },
    /// A name that is not among the bots.
    #[error("line_ups: number {number}: no bot '{name}' in bots; there: {known}")]
    NoBot {
        /// Which line-up, from 1.
        number: usize,
        /// The name.
        name: String,
        /// The bots.
        known: String,
    },
    /// A bot that no line-up uses.
    #[error("line_ups: bot '{0}' is in no line-up")]
    Unused(String),
    /// The same line-up twice.
    #[error("line_ups: number {number} is number {first} again, as it stands or rotated")]
    Twice {
        /// Which line-up, from 1.
        number: usize,
        /// The one it repeats.
        first: usize,
    },
    /// More line-ups than anybody can read.
    #[error(
        "schedule: more than {MAX_LINE_UPS} line-ups; name fewer bots or line-ups, or use seatings = \"rotations\""
    )]
    TooMany,
}

impl Schedule {
    /// The schedule of bots with these names at a table whose seats belong to these sides,
    /// numbered from 0 in seat order. Where seats form teams, a bot plays all seats of its side,
    /// unless line-ups are given.
    ///
    /// # Errors
    /// When the schedule cannot be made of these bots.
    pub fn new(
        kind: ScheduleKind,
        seatings: Seatings,
        given: &[Vec<String>],
        names: &[&str],
        sides: &[usize],
    ) -> Result<Schedule, ScheduleError> {
        if kind != ScheduleKind::LineUps && !given.is_empty() {
            return Err(ScheduleError::Unasked);
        }
        let n = names.len();
        let teams = sides.iter().max().map_or(0, |most| most + 1);
        let one_against = |one: usize, all: usize| {
            let mut bots = vec![all; teams];
            bots[0] = one;
            bots
        };
        let several = |schedule| {
            if n < 2 {
                Err(ScheduleError::OneBot(schedule))
            } else {
                Ok(())
            }
        };
        // Made one by one: there can be more than fit into memory before they are refused.
        let tables: Box<dyn Iterator<Item = Vec<usize>>> = match kind {
            ScheduleKind::RoundRobin => {
                let mut tables = Vec::new();
                choose(n, teams, &mut Vec::new(), &mut tables)?;
                Box::new(tables.into_iter())
            }
            ScheduleKind::OneAgainstAll => {
                several("one-against-all")?;
                let pairs = (0..n).flat_map(|one| (0..n).map(move |all| (one, all)));
                let pairs = pairs.filter(|(one, all)| one != all);
                Box::new(pairs.map(|(one, all)| one_against(one, all)))
            }
            ScheduleKind::Gauntlet => {
                several("gauntlet")?;
                let others = 1..n;
                Box::new(others.flat_map(|other| [one_against(0, other), one_against(other, 0)]))
            }
            ScheduleKind::LineUps => Box::new(read(given, names, sides.len())?.into_iter()),
            // Made as they go; see `rating::rounds`.
            ScheduleKind::Swiss => {
                several("swiss")?;
                Box::new(std::iter::empty())
            }
            ScheduleKind::Adaptive => {
                several("adaptive")?;
                Box::new(std::iter::empty())
            }
        };
        let mut line_ups: Vec<LineUp> = Vec::new();
        let mut seen = BTreeSet::new();
        let by_seat = |table: Vec<usize>| match kind {
            ScheduleKind::LineUps => table,
            _ => sides.iter().map(|&side| table[side]).collect(),
        };
        for table in tables {
            let orders = match seatings {
                Seatings::Rotations => vec![table],
                Seatings::All => orders(&table, MAX_LINE_UPS - line_ups.len())?,
            };
            // At two seats A against B is B against A: the rotations of one are those of the other.
            for order in orders.into_iter().map(by_seat) {
                if seen.insert(first_rotation(&order)) {
                    line_ups.push(LineUp::new(order));
                }
            }
            if line_ups.len() > MAX_LINE_UPS {
                return Err(ScheduleError::TooMany);
            }
        }
        Ok(Schedule {
            line_ups,
            sides: sides.to_vec(),
        })
    }

    /// The share of wins of each of equal bots: one over the number of sides.
    pub fn fair_share(&self) -> f64 {
        1.0 / self.teams() as f64
    }

    /// The chance that a bot of a line-up is on the winning side if all are equal.
    pub fn fair_share_of(&self, line_up: &LineUp, bot: usize) -> f64 {
        let on_side = |&side: &usize| {
            let seats = self.sides.iter().zip(&line_up.bots);
            seats
                .into_iter()
                .any(|(&other, &seated)| other == side && seated == bot)
        };
        (0..self.teams()).filter(on_side).count() as f64 / self.teams() as f64
    }

    /// How often two bots of a line-up meet in a game: each seat of the one with each seat of the
    /// other that is not its partner.
    pub fn meetings(&self, line_up: &LineUp, a: usize, b: usize) -> usize {
        let seats = || self.sides.iter().zip(&line_up.bots);
        let meets = |side: usize| {
            seats()
                .filter(|&(&other, &bot)| bot == b && other != side)
                .count()
        };
        seats()
            .filter(|&(_, &bot)| bot == a)
            .map(|(&side, _)| meets(side))
            .sum()
    }

    fn teams(&self) -> usize {
        self.sides.iter().max().map_or(0, |most| most + 1)
    }

    /// The games of one block.
    pub fn games_per_block(&self) -> usize {
        self.line_ups.iter().map(|line_up| line_up.rotations).sum()
    }
}

/// All ways to fill the seats: sets of different bots if there are enough, else multisets in
/// which every bot plays.
fn choose(
    n: usize,
    seats: usize,
    chosen: &mut Vec<usize>,
    tables: &mut Vec<Vec<usize>>,
) -> Result<(), ScheduleError> {
    if chosen.len() == seats {
        let different = chosen.iter().collect::<BTreeSet<_>>().len();
        if different == n.min(seats) {
            tables.push(chosen.clone());
        }
        return if tables.len() > MAX_LINE_UPS {
            Err(ScheduleError::TooMany)
        } else {
            Ok(())
        };
    }
    let last = chosen.last().copied();
    let from = match last {
        None => 0,
        // Enough bots for all seats: no bot twice.
        Some(last) if n >= seats => last + 1,
        Some(last) => last,
    };
    for bot in from..n {
        chosen.push(bot);
        choose(n, seats, chosen, tables)?;
        chosen.pop();
    }
    Ok(())
}

/// Every order of a table that is not a rotation of an earlier one, the first bot staying first.
fn orders(table: &[usize], limit: usize) -> Result<Vec<Vec<usize>>, ScheduleError> {
    let mut found = BTreeSet::new();
    let mut order = table[1..].to_vec();
    order.sort_unstable();
    loop {
        let mut whole = vec![table[0]];
        whole.extend(&order);
        found.insert(first_rotation(&whole));
        if found.len() > limit {
            return Err(ScheduleError::TooMany);
        }
        if !next_permutation(&mut order) {
            return Ok(found.into_iter().collect());
        }
    }
}

/// The next order in lexicographic sequence; false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let swap = order
        .iter()
        .rposition(|&bot| bot > order[pivot])
        .expect("the one after is larger");
    order.swap(pivot, swap);
    order[pivot + 1..].reverse();
    true
}

/// The rotation that sorts first: equal for line-ups that are rotations of each other.
fn first_rotation(bots: &[usize]) -> Vec<usize> {
    let rotated = |by: usize| {
        let mut rotation = bots.to_vec();
        rotation.rotate_left(by);
        rotation
    };
    (0..bots.len())
        .map(rotated)
        .min()
        .expect("a table has seats")
}

/// The line-ups as given.
fn read(
    given: &[Vec<String>],
    names: &[&str],
    seats: usize,
) -> Result<Vec<Vec<usize>>, ScheduleError> {
    if given.is_empty() {
        return Err(ScheduleError::NoneGiven);
    }
    if given.len() > MAX_LINE_UPS {
        return Err(ScheduleError::TooMany);
    }
    let index: BTreeMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let mut tables: Vec<Vec<usize>> = Vec::new();
    let mut numbers = BTreeMap::new();
    for (line_up, number) in given.iter().zip(1..) {
        if line_up.len() != seats {
            return Err(ScheduleError::Length {
                number,
                has: line_up.len(),
                seats,
            });
        }
        let bots = line_up.iter().map(|name| {
            index
                .get(name.as_str())
                .copied()
                .ok_or_else(|| ScheduleError::NoBot {
                    number,
                    name: name.escape_debug().to_string(),
                    known: names.join(", "),
                })
        });
        let bots: Vec<usize> = bots.collect::<Result<_, _>>()?;
        if let Some(first) = numbers.insert(first_rotation(&bots), number) {
            return Err(ScheduleError::Twice { number, first });
        }
        tables.push(bots);
    }
    let used: BTreeSet<usize> = tables.iter().flatten().copied().collect();
    match (0..names.len()).find(|bot| !used.contains(bot)) {
        Some(unused) => Err(ScheduleError::Unused(names[unused].to_owned())),
        None => Ok(tables),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every seat a side of its own.
    fn alone(seats: usize) -> Vec<usize> {
        (0..seats).collect()
    }

    fn line_ups(kind: ScheduleKind, seatings: Seatings, bots: usize, seats: usize) -> Vec<String> {
        line_ups_of(kind, seatings, bots, &alone(seats))
    }

    fn line_ups_of(
        kind: ScheduleKind,
        seatings: Seatings,
        bots: usize,
        sides: &[usize],
    ) -> Vec<String> {
        let names = ["a", "b", "c", "d", "e", "f"];
        let schedule = Schedule::new(kind, seatings, &[], &names[..bots], sides).unwrap();
        let text = |line_up: &LineUp| -> String {
            let bots: String = line_up.bots.iter().map(|&bot| names[bot]).collect();
            format!("{bots}*{}", line_up.rotations)
        };
        schedule.line_ups.iter().map(text).collect()
    }

    #[test]
    fn round_robin_takes_every_set_of_bots() {
        let play =
            |bots, seats| line_ups(ScheduleKind::RoundRobin, Seatings::Rotations, bots, seats);
        assert_eq!(play(3, 2), ["ab*2", "ac*2", "bc*2"]);
        assert_eq!(
            play(5, 4),
            ["abcd*4", "abce*4", "abde*4", "acde*4", "bcde*4"]
        );
        // Fewer bots than seats: everybody plays, some twice.
        assert_eq!(play(2, 4), ["aaab*4", "aabb*4", "abbb*4"]);
        assert_eq!(play(1, 4), ["aaaa*1"]);
    }

    #[test]
    fn all_seatings_are_the_orders_around_the_table() {
        let play = |bots, seats| line_ups(ScheduleKind::RoundRobin, Seatings::All, bots, seats);
        assert_eq!(
            play(4, 4),
            ["abcd*4", "abdc*4", "acbd*4", "acdb*4", "adbc*4", "adcb*4"]
        );
        assert_eq!(play(2, 4), ["aaab*4", "aabb*4", "abab*2", "abbb*4"]);
        assert_eq!(play(2, 2), ["ab*2"]);
    }

    #[test]
    fn one_against_all_goes_both_ways() {
        let play = |bots, seats| {
            line_ups(
                ScheduleKind::OneAgainstAll,
                Seatings::Rotations,
                bots,
                seats,
            )
        };
        assert_eq!(play(2, 4), ["abbb*4", "baaa*4"]);
        assert_eq!(play(3, 2), ["ab*2", "ac*2", "bc*2"]);
        let gauntlet = line_ups(ScheduleKind::Gauntlet, Seatings::Rotations, 3, 4);
        assert_eq!(gauntlet, ["abbb*4", "baaa*4", "accc*4", "caaa*4"]);
    }

    #[test]
    fn a_bot_plays_all_seats_of_its_team() {
        let across = [0, 1, 0, 1];
        for kind in [ScheduleKind::RoundRobin, ScheduleKind::OneAgainstAll] {
            for seatings in [Seatings::Rotations, Seatings::All] {
                let found = line_ups_of(kind, seatings, 3, &across);
                assert_eq!(found, ["abab*2", "acac*2", "bcbc*2"], "{kind} {seatings}");
            }
        }
        let names = ["a", "b", "c", "d"];
        let given = [
            names.map(str::to_owned).to_vec(),
            ["a", "a", "b", "b"].map(str::to_owned).to_vec(),
        ];
        let kind = ScheduleKind::LineUps;
        let mixed = Schedule::new(kind, Seatings::Rotations, &given, &names, &across).unwrap();
        let [apart, together] = &mixed.line_ups[..] else {
            panic!("two line-ups were given");
        };
        assert_eq!(mixed.meetings(apart, 0, 1), 1);
        assert_eq!(mixed.meetings(apart, 0, 2), 0, "partners do not meet");
        assert_eq!(mixed.meetings(together, 0, 1), 2);
        let near = |share: f64, expected: f64| (share - expected).abs() < 1e-12;
        assert!(near(mixed.fair_share_of(apart, 0), 0.5));
        assert!(near(mixed.fair_share_of(together, 0), 1.0), "on both sides");
        assert!(near(mixed.fair_share(), 0.5));
    }

    #[test]
    fn given_line_ups_are_checked() {
        let make = |given: &[&[&str]]| {
            let given: Vec<Vec<String>> = given
                .iter()
                .map(|line_up| line_up.iter().map(|&name| name.to_owned()).collect())
                .collect();
            Schedule::new(
                ScheduleKind::LineUps,
                Seatings::Rotations,
                &given,
                &["a", "b"],
                &alone(3),
            )
            .map(|schedule| schedule.line_ups.len())
            .map_err(|error| error.to_string())
        };
        assert_eq!(make(&[&["a", "b", "b"], &["a", "a", "b"]]), Ok(2));
        let refused = |given| make(given).unwrap_err();
        assert_eq!(
            refused(&[]),
            "line_ups: none given; schedule 'line-ups' needs at least one"
        );
        assert_eq!(
            refused(&[&["a", "b"]]),
            "line_ups: number 1 has 2 bots for 3 seats"
        );
        assert_eq!(
            refused(&[&["a", "b", "x"]]),
            "line_ups: number 1: no bot 'x' in bots; there: a, b"
        );
        assert_eq!(
            refused(&[&["a", "a", "a"]]),
            "line_ups: bot 'b' is in no line-up"
        );
        assert_eq!(
            refused(&[&["a", "b", "b"], &["b", "b", "a"]]),
            "line_ups: number 2 is number 1 again, as it stands or rotated"
        );
    }

    #[test]
    fn too_many_line_ups_are_refused_at_once() {
        let names: Vec<String> = (0..40).map(|number| format!("b{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let make =
            |seatings| Schedule::new(ScheduleKind::RoundRobin, seatings, &[], &names, &alone(8));
        assert_eq!(make(Seatings::All), Err(ScheduleError::TooMany));
        assert_eq!(make(Seatings::Rotations), Err(ScheduleError::TooMany));
    }
}
