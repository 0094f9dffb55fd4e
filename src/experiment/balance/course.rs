//! The course of a game, in numbers: who led when, how it turned, how late it was decided. `docs/balance.md` defines
//! them for any number of seats.

use crate::engine::game::{Effect, Game};
use crate::engine::play::{Counts, Observer, Played};
use crate::engine::race::Race;
use crate::engine::seat::{MAX_SEATS, Seat};

use super::players::Sides;

/// A number about a game: a mean of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// The name in `game.csv` and `effects.csv`.
    pub name: &'static str,
    /// What is counted, with its unit.
    pub about: &'static str,
    /// How many of the whole numbers that are counted make 1.
    pub unit: u32,
    /// Whether it needs a winner, so that capped games have none.
    pub needs_winner: bool,
}

const fn metric(name: &'static str, about: &'static str, unit: u32) -> Metric {
    Metric {
        name,
        about,
        unit,
        needs_winner: false,
    }
}

const fn of_winners(name: &'static str, about: &'static str, unit: u32) -> Metric {
    Metric {
        needs_winner: true,
        ..metric(name, about, unit)
    }
}

/// The numbers about a game, in the order of [`Numbers::metrics`].
pub const METRICS: [Metric; 10] = [
    metric("first_seat", "share of games won by the first side", 1),
    metric("rolls", "rolls of a game, by all seats", 1),
    metric("turns", "turns of a game, by all seats", 1),
    metric("captures", "tokens sent back in a game", 1),
    metric(
        "lead_changes",
        "changes of the lead per 100 rolls of a game",
        1_000,
    ),
    metric(
        "null_rolls",
        "rolls that moved nothing, per 100 rolls of a game",
        1_000,
    ),
    metric(
        "choices",
        "decisions with more than one legal move, per 100 rolls of a game",
        1_000,
    ),
    of_winners(
        "drama",
        "how far the winner was behind while behind, 0 to 1",
        1_000_000,
    ),
    of_winners(
        "decisiveness",
        "share of the game gone when the winner took the lead for good",
        1_000_000,
    ),
    of_winners(
        "comebacks",
        "share of games whose winner was once a quarter of the course behind",
        1,
    ),
];

/// One game, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The side that won; none in a capped game.
    pub winner: Option<usize>,
    /// The side that made the first move.
    pub first: usize,
    /// Rolls, by all seats.
    pub rolls: u32,
    /// The values of [`METRICS`]; what needs a winner is 0 without one.
    pub metrics: [i64; METRICS.len()],
    /// A hash of how it went: two games with another one differed.
    pub print: u64,
}

/// Watches one game.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    sides: &'a Sides,
    counts: Counts,
    first: Option<usize>,
    rolls: u32,
    leader: Option<usize>,
    lead_changes: u32,
    /// For each side: the last roll at which it did not lead alone.
    not_leading: [u32; MAX_SEATS],
    /// For each side: the sum of √(pips behind), how often it was behind, and the most it ever was.
    behind: [(f64, u32, u32); MAX_SEATS],
}

impl<'a> Course<'a> {
    /// Nothing has been seen yet.
    pub fn new(sides: &'a Sides) -> Course<'a> {
        Course {
            sides,
            counts: Counts::default(),
            first: None,
            rolls: 0,
            leader: None,
            lead_changes: 0,
            not_leading: [0; MAX_SEATS],
            behind: [(0.0, 0, 0); MAX_SEATS],
        }
    }

    /// What was seen of a game that went so.
    pub fn numbers<G: Race>(&self, game: &G, played: &Played) -> Numbers {
        let winner = self.sides.winner(&played.standing.places);
        let winner = winner.filter(|_| !played.capped);
        let rolls = i64::from(played.rolls.max(1));
        let per_100_rolls = |count: u32| i64::from(count) * 100_000 / rolls;
        // A side's course is that of all its seats.
        let course = game.course() * (self.sides.seats.len() / self.sides.count) as u32;
        let captures: u32 = self.counts.captures.as_array().iter().sum();
        let of_winner = winner.map_or([0; 3], |winner| {
            let (roots, times, most) = self.behind[winner];
            let mean = roots / f64::from(times.max(1)) / f64::from(course).sqrt();
            [
                (mean * 1e6).round() as i64,
                i64::from(self.not_leading[winner]) * 1_000_000 / rolls,
                i64::from(4 * most >= course),
            ]
        });
        Numbers {
            winner,
            first: self.first.unwrap_or(0),
            rolls: played.rolls,
            metrics: [
                i64::from(winner == Some(0)),
                played.rolls.into(),
                self.counts.turns().into(),
                captures.into(),
                per_100_rolls(self.lead_changes),
                per_100_rolls(self.counts.idle()),
                per_100_rolls(self.counts.choices),
                of_winner[0],
                of_winner[1],
                of_winner[2],
            ],
            print: self.print(played),
        }
    }

    /// Choices are left out: a rule that forbids what a bot would not do anyway takes some away.
    fn print(&self, played: &Played) -> u64 {
        let places = played
            .standing
            .places
            .as_array()
            .iter()
            .map(|&place| u64::from(place));
        let captures = self
            .counts
            .captures
            .as_array()
            .iter()
            .map(|&count| u64::from(count));
        let behind = self
            .behind
            .iter()
            .map(|&(roots, times, _)| roots.to_bits() ^ u64::from(times));
        let counts = [
            played.rolls,
            self.counts.turns(),
            self.counts.idle(),
            self.lead_changes,
        ];
        let counts = counts.into_iter().map(u64::from);
        places
            .chain(captures)
            .chain(behind)
            .chain(counts)
            .fold(0, |print: u64, value| {
                (print.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            })
    }
}

impl<G: Game> Observer<G> for Course<'_> {
    /// How the sides stand at each roll, before it is played.
    fn rolled(&mut self, game: &G, state: &G::State, _: Seat, _: G::Roll) {
        self.rolls += 1;
        let mut progress = [0; MAX_SEATS];
        for &seat in &self.sides.seats {
            progress[self.sides.of[seat]] += game.progress(state, seat);
        }
        let progress = &progress[..self.sides.count];
        let most = progress.iter().copied().max().unwrap_or(0);
        let leaders = progress.iter().filter(|&&pips| pips == most).count();
        let alone = (leaders == 1).then(|| progress.iter().position(|&pips| pips == most));
        let alone = alone.flatten();
        for (side, &pips) in progress.iter().enumerate() {
            if alone != Some(side) {
                self.not_leading[side] = self.rolls;
            }
            if pips < most {
                let (roots, times, furthest) = &mut self.behind[side];
                *roots += f64::from(most - pips).sqrt();
                *times += 1;
                *furthest = (*furthest).max(most - pips);
            }
        }
        if let Some(side) = alone
            && self.leader != alone
        {
            self.lead_changes += u32::from(self.leader.is_some());
            self.leader = Some(side);
        }
    }

    fn choosing(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) {
        self.counts.choosing(game, state, seat, moves);
    }

    fn moved(&mut self, game: &G, state: &G::State, seat: Seat, effect: &Effect) {
        self.first.get_or_insert(self.sides.of[seat]);
        self.counts.moved(game, state, seat, effect);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::Standing;
    use crate::engine::seat::PerSeat;
    use crate::games::mensch::{Mensch, Rules};

    /// Five rolls: even, A ahead, C ahead by 6, even, A ahead again and for good.
    #[test]
    fn a_game_by_hand() {
        let game = Mensch::new(Rules::default(), "AC".parse().unwrap()).unwrap();
        let sides = Sides::of(&game);
        let mut course = Course::new(&sides);
        for text in [
            "A:H,H,H,H C:H,H,H,H to=A tries=3",
            "A:H,H,H,r3 C:H,H,H,H to=A",
            "A:H,H,H,r3 C:H,H,H,r29 to=A",
            "A:H,H,H,r9 C:H,H,H,r29 to=A",
            "A:H,H,H,r14 C:H,H,H,r29 to=A",
        ] {
            let state = game.parse(text).unwrap();
            course.rolled(&game, &state, Seat::A, 1);
        }
        let played = Played {
            standing: Standing {
                places: PerSeat::from_fn(|seat| match seat.index() {
                    0 => 1,
                    2 => 2,
                    _ => 0,
                }),
            },
            capped: false,
            rolls: 5,
        };
        let numbers = course.numbers(&game, &played);
        assert_eq!(numbers.winner, Some(0));
        let value = |name: &str| {
            let at = METRICS.iter().position(|metric| metric.name == name);
            numbers.metrics[at.unwrap()]
        };
        // Two changes in five rolls; √(6/170) behind, once; not alone in the lead until the fourth roll.
        assert_eq!(value("lead_changes"), 40_000);
        assert_eq!(value("drama"), 187_867);
        assert_eq!(value("decisiveness"), 800_000);
        assert_eq!((value("comebacks"), value("first_seat")), (0, 1));
        let capped = Played {
            capped: true,
            ..played
        };
        let numbers = course.numbers(&game, &capped);
        assert_eq!((numbers.winner, numbers.metrics[7]), (None, 0));
    }
}
