//! What is counted while games are played: integers only, so that tallies of any split of the
//! blocks merge to the same bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::game::{MAX_MEASURES, Measure};
use crate::engine::play::{Counts, Played};
use crate::engine::seat::{Seat, SeatSet};
use crate::stats::Moments;

use super::schedule::Schedule;

/// The counts of a range of blocks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Blocks played.
    pub blocks: u64,
    /// Games played, capped ones included.
    pub games: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Rolls of all games.
    pub all_rolls: u64,
    /// Rolls that moved nothing.
    pub idle: u64,
    /// Decisions with more than one legal move.
    pub choices: u64,
    /// Tokens sent back.
    pub captures: u64,
    /// Finished games by their rolls.
    pub rolls: BTreeMap<u32, u64>,
    /// Finished games by their turns.
    pub turns: BTreeMap<u32, u64>,
    /// Each bot at each seat number: index `bot * seats + seat`.
    pub bot_seats: Vec<BotSeat>,
    /// Each bot at all its seats together.
    pub bots: Vec<BotSeat>,
    /// Each pair of bots `a < b`, in the order (0, 1), (0, 2), … (1, 2), ….
    pub pairs: Vec<Pair>,
    /// Each line-up.
    pub line_ups: Vec<LineUpTally>,
}

/// A bot at a seat. Its games are counted once for each seat it holds.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotSeat {
    /// Games won.
    pub wins: u64,
    /// Tokens it sent back.
    pub captures: u64,
    /// Tokens it had sent back.
    pub suffered: u64,
    /// Wins of a block.
    pub won: Moments,
    /// Sum of the places of a block.
    pub places: Moments,
    /// Sum of the rolls of the games of a block.
    pub rolls: Moments,
    /// Sum of the turns of the games of a block.
    pub turns: Moments,
    /// Sums of what the game counts beside, see `Game::MEASURES`, of a block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Moments>,
}

/// Two bots against each other, as `a` sees it: two points for a better place, one for the same.
/// Where a bot sits several times, every seat of the one meets every seat of the other.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Meetings in which `a` had the better place.
    pub better: u64,
    /// Meetings with the same place; all of a capped game.
    pub same: u64,
    /// Meetings in which `a` had the worse place.
    pub worse: u64,
    /// Points of a block.
    pub points: Moments,
    /// Points of a game, for each game of a block in which both sit, in the order of the
    /// schedule: what the variance would be if games were independent.
    pub games: Vec<Moments>,
}

/// The games of one line-up.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineUpTally {
    /// Games stopped at the cap.
    pub capped: u64,
    /// Rolls of a finished game.
    pub rolls: Moments,
    /// Turns of a finished game.
    pub turns: Moments,
    /// For each member of the line-up, in the order of `LineUp::members`: how many blocks it won
    /// 0, 1, … of its games in. The grid of the sequential tests.
    pub wins: Vec<Vec<u64>>,
}

/// Index of the pair `a < b` among `n` bots.
fn pair_index(a: usize, b: usize, n: usize) -> usize {
    a * n - a * (a + 1) / 2 + (b - a - 1)
}

impl Tally {
    /// The tally of no blocks.
    pub fn new(schedule: &Schedule, bots: usize, seats: usize, measures: usize) -> Tally {
        let bot_seat = BotSeat {
            measures: vec![Moments::EMPTY; measures],
            ..BotSeat::default()
        };
        let mut pairs = vec![Pair::default(); bots * bots.saturating_sub(1) / 2];
        for line_up in &schedule.line_ups {
            let members = line_up.members();
            for (index, &a) in members.iter().enumerate() {
                for &b in &members[index + 1..] {
                    let games = &mut pairs[pair_index(a, b, bots)].games;
                    games.resize(games.len() + line_up.rotations, Moments::EMPTY);
                }
            }
        }
        let line_ups = schedule.line_ups.iter().map(|line_up| LineUpTally {
            wins: vec![vec![0; line_up.rotations + 1]; line_up.members().len()],
            ..LineUpTally::default()
        });
        Tally {
            blocks: 0,
            games: 0,
            capped: 0,
            all_rolls: 0,
            idle: 0,
            choices: 0,
            captures: 0,
            rolls: BTreeMap::new(),
            turns: BTreeMap::new(),
            bot_seats: vec![bot_seat.clone(); bots * seats],
            bots: vec![bot_seat; bots],
            pairs,
            line_ups: line_ups.collect(),
        }
    }

    /// Adds the counts of other blocks of the same experiment.
    ///
    /// # Panics
    /// When the other tally is of another experiment.
    pub fn merge(&mut self, other: &Tally) {
        assert!(
            self.has_the_shape_of(other),
            "tallies of two experiments do not add up"
        );
        self.blocks += other.blocks;
        self.games += other.games;
        self.capped += other.capped;
        self.all_rolls += other.all_rolls;
        self.idle += other.idle;
        self.choices += other.choices;
        self.captures += other.captures;
        for (mine, theirs) in [
            (&mut self.rolls, &other.rolls),
            (&mut self.turns, &other.turns),
        ] {
            for (&length, &games) in theirs {
                *mine.entry(length).or_default() += games;
            }
        }
        merge_all(&mut self.bot_seats, &other.bot_seats, BotSeat::merge);
        merge_all(&mut self.bots, &other.bots, BotSeat::merge);
        merge_all(&mut self.pairs, &other.pairs, |mine, theirs| {
            mine.better += theirs.better;
            mine.same += theirs.same;
            mine.worse += theirs.worse;
            mine.points.merge(&theirs.points);
            merge_all(&mut mine.games, &theirs.games, Moments::merge);
        });
        merge_all(&mut self.line_ups, &other.line_ups, |mine, theirs| {
            mine.capped += theirs.capped;
            mine.rolls.merge(&theirs.rolls);
            mine.turns.merge(&theirs.turns);
            for (mine, theirs) in mine.wins.iter_mut().zip(&theirs.wins) {
                merge_all(mine, theirs, |mine, theirs| *mine += theirs);
            }
        });
    }

    /// Whether another tally is of the same bots, seats and line-ups.
    pub fn has_the_shape_of(&self, other: &Tally) -> bool {
        let wins = |tally: &Tally| -> Vec<Vec<usize>> {
            let lengths = |line_up: &LineUpTally| line_up.wins.iter().map(Vec::len).collect();
            tally.line_ups.iter().map(lengths).collect()
        };
        let games = |tally: &Tally| -> Vec<usize> {
            tally.pairs.iter().map(|pair| pair.games.len()).collect()
        };
        let measures = |tally: &Tally| -> Vec<usize> {
            let each = tally.bot_seats.iter().chain(&tally.bots);
            each.map(|bot| bot.measures.len()).collect()
        };
        self.bot_seats.len() == other.bot_seats.len()
            && measures(self) == measures(other)
            && self.bots.len() == other.bots.len()
            && games(self) == games(other)
            && wins(self) == wins(other)
    }

    /// The pair `a < b`.
    pub fn pair(&self, a: usize, b: usize) -> &Pair {
        &self.pairs[pair_index(a, b, self.bots.len())]
    }
}

fn merge_all<T>(mine: &mut [T], theirs: &[T], merge: impl Fn(&mut T, &T)) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        merge(mine, theirs);
    }
}

impl BotSeat {
    fn merge(&mut self, other: &BotSeat) {
        self.wins += other.wins;
        self.captures += other.captures;
        self.suffered += other.suffered;
        self.won.merge(&other.won);
        self.places.merge(&other.places);
        self.rolls.merge(&other.rolls);
        self.turns.merge(&other.turns);
        merge_all(&mut self.measures, &other.measures, Moments::merge);
    }
}

/// The sums of one bot, at one seat or all, in the block that is being played.
#[derive(Clone, Copy, Default)]
struct Sums {
    wins: u64,
    places: u64,
    captures: u64,
    suffered: u64,
    rolls: u64,
    turns: u64,
    measures: [i64; MAX_MEASURES],
}

/// How the measures of a game are counted.
#[derive(Clone, Copy, Debug)]
pub struct Measuring {
    /// What the game counts.
    pub measures: &'static [Measure],
    /// The most points a game can give or cost.
    pub score_cap: Option<u32>,
}

impl Measuring {
    /// What a game counts as it is.
    pub const fn uncapped(measures: &'static [Measure]) -> Measuring {
        Measuring {
            measures,
            score_cap: None,
        }
    }

    /// What a game adds to a measure.
    fn counted(&self, measure: usize, value: i32) -> i64 {
        match self.score_cap {
            Some(cap) if self.measures[measure].is_score => {
                i64::from(value).clamp(-i64::from(cap), i64::from(cap))
            }
            _ => value.into(),
        }
    }
}

/// Counts games into a [`Tally`], block by block.
pub struct Counter<'a> {
    schedule: &'a Schedule,
    seats: Vec<Seat>,
    bots: usize,
    measuring: Measuring,
    /// The pairs of different bots of each line-up, as indices into `LineUp::bots` are not stable
    /// under rotation: (pair, a, b).
    pairs: Vec<Vec<(usize, usize, usize)>>,
    members: Vec<Vec<usize>>,
    tally: Tally,
    block: Vec<Sums>,
    points: Vec<i64>,
    games_of_pair: Vec<usize>,
    wins_of_line_up: Vec<u64>,
    /// The number of the last game each bot won.
    last_win: Vec<u64>,
}

impl<'a> Counter<'a> {
    /// A counter for this many bots at these seats.
    pub fn new(
        schedule: &'a Schedule,
        bots: usize,
        seats: SeatSet,
        measuring: Measuring,
    ) -> Counter<'a> {
        let members: Vec<Vec<usize>> = schedule
            .line_ups
            .iter()
            .map(super::schedule::LineUp::members)
            .collect();
        let pairs = members.iter().map(|members| {
            let each = members.iter().enumerate().flat_map(|(index, &a)| {
                members[index + 1..]
                    .iter()
                    .map(move |&b| (pair_index(a, b, bots), a, b))
            });
            each.collect()
        });
        let tally = Tally::new(schedule, bots, seats.len(), measuring.measures.len());
        Counter {
            schedule,
            measuring,
            seats: seats.iter().collect(),
            bots,
            pairs: pairs.collect(),
            members,
            block: vec![Sums::default(); bots * seats.len()],
            points: vec![0; tally.pairs.len()],
            games_of_pair: vec![0; tally.pairs.len()],
            wins_of_line_up: vec![0; bots],
            last_win: vec![0; bots],
            tally,
        }
    }

    /// Counts one game of the current block. Games come in the order of the schedule: line-up by
    /// line-up, rotation by rotation.
    pub fn game(&mut self, line_up: usize, rotation: usize, played: &Played, counts: &Counts) {
        let places = &played.standing.places;
        let seated = &self.schedule.line_ups[line_up];
        let sides = &self.schedule.sides;
        let tally = &mut self.tally;
        tally.games += 1;
        tally.all_rolls += u64::from(played.rolls);
        tally.idle += u64::from(counts.idle());
        tally.choices += u64::from(counts.choices);
        let in_line_up = &mut tally.line_ups[line_up];
        if played.capped {
            tally.capped += 1;
            in_line_up.capped += 1;
        } else {
            in_line_up.rolls.push(played.rolls.into());
            in_line_up.turns.push(counts.turns().into());
            *tally.rolls.entry(played.rolls).or_default() += 1;
            *tally.turns.entry(counts.turns()).or_default() += 1;
        }

        for (number, &seat) in self.seats.iter().enumerate() {
            let bot = seated.bot(number, rotation);
            let sums = &mut self.block[bot * self.seats.len() + number];
            // A capped game has no winner; its places are as it stood.
            let won = u64::from(!played.capped && places[seat] == 1);
            sums.wins += won;
            sums.places += u64::from(places[seat]);
            sums.captures += u64::from(counts.captures[seat]);
            sums.suffered += u64::from(counts.suffered[seat]);
            sums.rolls += u64::from(played.rolls);
            sums.turns += u64::from(counts.turns());
            for measure in 0..self.measuring.measures.len() {
                let value = counts.measured[seat][measure];
                sums.measures[measure] += self.measuring.counted(measure, value);
            }
            // A bot that sits several times still wins a game only once, with its partner or not.
            if won == 1 && self.last_win[bot] != tally.games {
                self.last_win[bot] = tally.games;
                self.wins_of_line_up[bot] += 1;
            }
            tally.captures += u64::from(counts.captures[seat]);
        }

        for &(pair, a, b) in &self.pairs[line_up] {
            let counts = &mut tally.pairs[pair];
            let mut points = 0;
            for (number, &seat) in self.seats.iter().enumerate() {
                if seated.bot(number, rotation) != a {
                    continue;
                }
                for (number_of_other, &other) in self.seats.iter().enumerate() {
                    let partners = sides[number] == sides[number_of_other];
                    if partners || seated.bot(number_of_other, rotation) != b {
                        continue;
                    }
                    if played.capped || places[seat] == places[other] {
                        counts.same += 1;
                        points += 1;
                    } else if places[seat] < places[other] {
                        counts.better += 1;
                        points += 2;
                    } else {
                        counts.worse += 1;
                    }
                }
            }
            counts.games[self.games_of_pair[pair]].push(points);
            self.games_of_pair[pair] += 1;
            self.points[pair] += points;
        }

        if rotation + 1 == seated.rotations {
            for (index, &bot) in self.members[line_up].iter().enumerate() {
                let wins = std::mem::take(&mut self.wins_of_line_up[bot]) as usize;
                tally.line_ups[line_up].wins[index][wins] += 1;
            }
        }
    }

    /// Closes the current block.
    pub fn end_block(&mut self) {
        let seats = self.seats.len();
        for bot in 0..self.bots {
            let mut all = Sums::default();
            for seat in 0..seats {
                let sums = std::mem::take(&mut self.block[bot * seats + seat]);
                for (all, seat) in all.measures.iter_mut().zip(sums.measures) {
                    *all += seat;
                }
                self.tally.bot_seats[bot * seats + seat].push(&sums);
                all.wins += sums.wins;
                all.places += sums.places;
                all.captures += sums.captures;
                all.suffered += sums.suffered;
                all.rolls += sums.rolls;
                all.turns += sums.turns;
            }
            self.tally.bots[bot].push(&all);
        }
        for (pair, points) in self.tally.pairs.iter_mut().zip(&mut self.points) {
            pair.points.push(std::mem::take(points));
        }
        self.games_of_pair.fill(0);
        self.tally.blocks += 1;
    }

    /// What was counted.
    pub fn finish(self) -> Tally {
        self.tally
    }
}

impl BotSeat {
    fn push(&mut self, sums: &Sums) {
        self.wins += sums.wins;
        self.captures += sums.captures;
        self.suffered += sums.suffered;
        self.won.push(sums.wins.cast_signed());
        self.places.push(sums.places.cast_signed());
        self.rolls.push(sums.rolls.cast_signed());
        self.turns.push(sums.turns.cast_signed());
        for (moments, &sum) in self.measures.iter_mut().zip(&sums.measures) {
            moments.push(sum);
        }
    }
}
