//! Self-play of Mensch ärgere dich nicht against the published table of 3.2: games of millions by
//! another engine of the same rules. Everything must agree within four standard errors, those of
//! both sides together.

use std::collections::BTreeMap;
use std::fmt::Write;

use racelab::bots::Bot;
use racelab::bots::seated::Seated;
use racelab::engine::game::Game;
use racelab::engine::play::{Counts, DEFAULT_CAP, SeededDice, play};
use racelab::engine::random::BlockKey;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::table::TableSpec;
use racelab::games::mensch::{Mensch, Moves};
use racelab::stats::Moments;
use rayon::prelude::*;

/// Standard errors that two honest numbers may differ by.
const TOLERANCE: f64 = 4.0;
/// Games behind each published row of self-play.
const PUBLISHED_GAMES: u32 = 400_000;
/// Games behind each seating of the published head-to-head scores. Of the single bots the number
/// is not published; theirs is taken to be the same.
const PUBLISHED_GAMES_PER_SEATING: u32 = 200_000;

/// A published row of self-play, or of one option against the default.
struct Row {
    seats: &'static str,
    bot: &'static str,
    /// The option that is not at its default.
    option: &'static str,
    turns: f64,
    rolls: f64,
    captures: f64,
    /// Share of rolls with two or more legal moves.
    choices: Option<f64>,
    /// Percent won, from seat A on; of the option rows only that of seat A is published.
    wins: &'static [f64],
    /// Turns: percent of the games and how long they are at most.
    quantiles: &'static [(f64, u32)],
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row { seats: "AC", bot: "random", option: "", turns: 165.650, rolls: 214.175, captures: 11.678, choices: Some(0.42412), wins: &[50.79, 49.21], quantiles: &[] },
    Row { seats: "AC", bot: "run-home", option: "", turns: 121.732, rolls: 160.965, captures: 6.764, choices: Some(0.36640), wins: &[51.00, 49.00], quantiles: &[(5.0, 88), (50.0, 119), (95.0, 164), (99.9, 214)] },
    Row { seats: "AB", bot: "random", option: "", turns: 161.200, rolls: 209.342, captures: 11.407, choices: Some(0.40995), wins: &[49.94, 50.06], quantiles: &[] },
    Row { seats: "AB", bot: "run-home", option: "", turns: 121.280, rolls: 161.389, captures: 7.101, choices: Some(0.35444), wins: &[57.27, 42.73], quantiles: &[] },
    Row { seats: "ABC", bot: "random", option: "", turns: 309.123, rolls: 420.788, captures: 35.875, choices: Some(0.32160), wins: &[33.59, 35.14, 31.28], quantiles: &[] },
    Row { seats: "ABC", bot: "run-home", option: "", turns: 218.194, rolls: 301.957, captures: 21.698, choices: Some(0.28344), wins: &[38.59, 32.13, 29.28], quantiles: &[] },
    Row { seats: "ABCD", bot: "random", option: "", turns: 504.640, rolls: 717.170, captures: 73.784, choices: Some(0.24843), wins: &[25.19, 25.02, 25.07, 24.72], quantiles: &[(5.0, 310), (50.0, 490), (95.0, 750), (99.9, 1057)] },
    Row { seats: "ABCD", bot: "run-home", option: "", turns: 349.625, rolls: 502.365, captures: 45.655, choices: Some(0.22746), wins: &[25.45, 25.12, 24.85, 24.57], quantiles: &[] },
    Row { seats: "AC", bot: "random", option: "forced_capture=false", turns: 138.926, rolls: 176.110, captures: 6.093, choices: None, wins: &[50.69], quantiles: &[] },
    Row { seats: "AC", bot: "random", option: "lane_jump=true", turns: 148.835, rolls: 195.233, captures: 11.011, choices: None, wins: &[50.68], quantiles: &[] },
    Row { seats: "AC", bot: "run-home", option: "forced_capture=false", turns: 107.603, rolls: 140.944, captures: 4.065, choices: None, wins: &[51.15], quantiles: &[] },
    Row { seats: "AC", bot: "run-home", option: "lane_jump=true", turns: 118.982, rolls: 157.847, captures: 6.676, choices: None, wins: &[50.96], quantiles: &[] },
    Row { seats: "ABCD", bot: "random", option: "forced_capture=false", turns: 386.098, rolls: 525.168, captures: 46.113, choices: None, wins: &[25.31], quantiles: &[] },
    Row { seats: "ABCD", bot: "random", option: "lane_jump=true", turns: 481.850, rolls: 687.031, captures: 71.045, choices: None, wins: &[25.29], quantiles: &[] },
    Row { seats: "ABCD", bot: "run-home", option: "forced_capture=false", turns: 261.004, rolls: 364.967, captures: 26.427, choices: None, wins: &[25.72], quantiles: &[] },
    Row { seats: "ABCD", bot: "run-home", option: "lane_jump=true", turns: 343.015, rolls: 493.717, captures: 44.948, choices: None, wins: &[25.36], quantiles: &[] },
];

/// The bot of the row, the other bot, and the percent the first wins, both sitting in A and C in turn.
const HEAD_TO_HEAD: &[(&str, &str, f64)] = &[
    ("run-home", "random", 76.99),
    ("greedy", "random", 77.10),
    ("run-home", "rear", 95.70),
    ("random", "rear", 86.01),
    ("greedy", "run-home", 50.32),
];

/// The bot in seat A, the bot in the three others, and the percent the first wins.
const SINGLE: &[(&str, &str, f64)] = &[
    ("run-home", "random", 56.21),
    ("rear", "run-home", 0.75),
    ("greedy", "run-home", 25.58),
];

/// What happened in many games.
#[derive(Clone, Default)]
struct Totals {
    turns: Moments,
    rolls: Moments,
    captures: Moments,
    choices: Moments,
    /// Of the sum of rolls and choices: with the two alone it gives their covariance.
    rolls_and_choices: Moments,
    idle: u64,
    wins: PerSeat<u64>,
    lengths: BTreeMap<u32, u64>,
    longest: u32,
}

impl Totals {
    fn merge(mut self, other: &Totals) -> Totals {
        self.turns.merge(&other.turns);
        self.rolls.merge(&other.rolls);
        self.captures.merge(&other.captures);
        self.choices.merge(&other.choices);
        self.rolls_and_choices.merge(&other.rolls_and_choices);
        self.idle += other.idle;
        self.longest = self.longest.max(other.longest);
        for seat in (0..4).map(Seat::new) {
            self.wins[seat] += other.wins[seat];
        }
        for (&turns, &games) in &other.lengths {
            *self.lengths.entry(turns).or_default() += games;
        }
        self
    }

    /// The share of rolls with a choice and the standard deviation of one game around it.
    fn choices_per_roll(&self) -> (f64, f64) {
        let variance = |moments: &Moments| moments.variance().expect("two games");
        let mean_rolls = self.rolls.mean().expect("a game");
        let share = self.choices.mean().expect("a game") / mean_rolls;
        let covariance =
            (variance(&self.rolls_and_choices) - variance(&self.rolls) - variance(&self.choices))
                / 2.0;
        let residual = variance(&self.choices) - 2.0 * share * covariance
            + share * share * variance(&self.rolls);
        (share, residual.sqrt() / mean_rolls)
    }

    /// The share of games of at most so many turns.
    fn share_up_to(&self, turns: u32) -> f64 {
        let games: u64 = self.lengths.range(..=turns).map(|(_, games)| games).sum();
        games as f64 / self.turns.n() as f64
    }
}

/// Games of a table with these bots, one for each seat in play, on the dice of blocks of their own.
fn games(spec: &TableSpec, bots: &[&str], seed: u64, games: u32) -> Totals {
    const CHUNK: u32 = 500;
    let game: Mensch = spec.game().expect("a table");
    let bots: Vec<Bot> = bots
        .iter()
        .map(|name| Bot::find(name).expect("a shipped bot"))
        .collect();
    let mut at = PerSeat::default();
    for (index, seat) in game.seats().iter().enumerate() {
        at[seat] = index;
    }
    let chunk = |first: u32| {
        let policies = bots.iter().map(|bot| bot.policy().expect("a policy"));
        let mut seated = Seated::new(policies.collect(), at, BlockKey::new(seed, 0));
        let mut totals = Totals::default();
        for block in first..games.min(first + CHUNK) {
            add_game(
                &game,
                &mut seated,
                at,
                BlockKey::new(seed, block.into()),
                &mut totals,
            );
        }
        totals
    };
    (0..games.div_ceil(CHUNK))
        .into_par_iter()
        .map(|number| chunk(number * CHUNK))
        .reduce(Totals::default, |a, b| a.merge(&b))
}

fn add_game(
    game: &Mensch,
    bots: &mut Seated<Mensch>,
    at: PerSeat<usize>,
    key: BlockKey,
    totals: &mut Totals,
) {
    bots.sit(at, key);
    let mut counts = Counts::default();
    let played = play(
        game,
        game.start(Seat::A),
        &mut SeededDice::new(key),
        bots,
        &mut counts,
        &mut Moves::default(),
        DEFAULT_CAP,
    );
    assert!(!played.capped, "a game without end");
    let captures: u32 = counts.captures.as_array().iter().sum();
    totals.turns.push(counts.turns().into());
    totals.rolls.push(played.rolls.into());
    totals.captures.push(captures.into());
    totals.choices.push(counts.choices.into());
    totals
        .rolls_and_choices
        .push(i64::from(played.rolls) + i64::from(counts.choices));
    totals.idle += u64::from(counts.idle());
    totals.longest = totals.longest.max(counts.turns());
    *totals.lengths.entry(counts.turns()).or_default() += 1;
    for seat in game.seats().iter() {
        totals.wins[seat] += u64::from(played.standing.places[seat] == 1);
    }
}

/// What was measured beside what was published, as a table.
#[derive(Default)]
struct Comparison {
    lines: String,
    compared: u32,
    worst: f64,
    outside: Vec<String>,
}

impl Comparison {
    /// Adds a line. `sd` is that of one game; each side has so many.
    fn add(&mut self, what: &str, [measured, published]: [f64; 2], sd: f64, games: [u32; 2]) {
        let z = (measured - published) / standard_error(sd, games);
        self.line(what, &format!("{measured:.4}"), &published.to_string(), z);
    }

    /// Adds a line on a percentage; `games` of each side are behind it.
    fn add_percent(&mut self, what: &str, [measured, published]: [f64; 2], games: [u32; 2]) {
        let share = published / 100.0;
        let sd = 100.0 * (share * (1.0 - share)).sqrt();
        self.add(what, [measured, published], sd, games);
    }

    fn line(&mut self, what: &str, measured: &str, published: &str, z: f64) {
        let line = format!("{what:<50} {measured:>10} {published:>10} {z:>6.2}");
        self.compared += 1;
        self.worst = self.worst.max(z.abs());
        if z.abs() > TOLERANCE {
            self.outside.push(line.clone());
        }
        writeln!(self.lines, "{line}").expect("text");
    }

    /// Adds a line on something of which no number is published.
    fn note(&mut self, what: &str, measured: &str) {
        writeln!(self.lines, "{what:<50} {measured:>10}").expect("text");
    }

    fn finish(self, games: u32) {
        println!(
            "{:<50} {:>10} {:>10} {:>6}",
            "what", "measured", "published", "z"
        );
        print!("{}", self.lines);
        println!(
            "{} numbers, {games} games a row; the furthest is {:.2} standard errors off",
            self.compared, self.worst
        );
        assert!(self.outside.is_empty(), "\n{}", self.outside.join("\n"));
    }
}

fn standard_error(sd: f64, games: [u32; 2]) -> f64 {
    sd * games
        .iter()
        .map(|&games| 1.0 / f64::from(games))
        .sum::<f64>()
        .sqrt()
}

fn table(seats: &str, option: &str) -> TableSpec {
    let mut spec = TableSpec::of("mensch");
    spec.seats = Some(seats.parse().expect("seats"));
    if !option.is_empty() {
        spec.change(option).expect("option=value");
    }
    spec
}

fn compare_self_play(row: &Row, seed: u64, n: u32, comparison: &mut Comparison) {
    let bots = vec![row.bot; row.seats.len()];
    let totals = games(&table(row.seats, row.option), &bots, seed, n);
    let sides = [n, PUBLISHED_GAMES];
    let name = [row.seats, row.bot, row.option].join(" ");
    let name = name.trim_end();
    for (what, moments, published) in [
        ("turns", &totals.turns, row.turns),
        ("rolls", &totals.rolls, row.rolls),
        ("captures", &totals.captures, row.captures),
    ] {
        let measured = moments.mean().expect("a game");
        let sd = moments.sd().expect("two games");
        comparison.add(&format!("{name}: {what}"), [measured, published], sd, sides);
    }
    if let Some(published) = row.choices {
        let (measured, sd) = totals.choices_per_roll();
        let what = format!("{name}: rolls with a choice");
        comparison.add(&what, [measured, published], sd, sides);
    }
    for (&published, letter) in row.wins.iter().zip(row.seats.chars()) {
        let seat = Seat::from_letter(letter).expect("a seat");
        let measured = 100.0 * totals.wins[seat] as f64 / f64::from(n);
        let what = format!("{name}: % won by {seat}");
        comparison.add_percent(&what, [measured, published], sides);
    }
    for &(percent, turns) in row.quantiles {
        // A quantile is a whole number of turns: its percentage lies between those of the games
        // shorter than it and of the games no longer.
        let share = percent / 100.0;
        let (below, up_to) = (totals.share_up_to(turns - 1), totals.share_up_to(turns));
        let off = share - share.clamp(below, up_to);
        let z = off / standard_error((share * (1.0 - share)).sqrt(), sides);
        let mut lengths = totals.lengths.keys();
        let measured = lengths
            .find(|&&turns| totals.share_up_to(turns) >= share)
            .expect("no game is longer than the longest");
        let what = format!("{name}: turns, {percent} % of games");
        comparison.line(&what, &measured.to_string(), &turns.to_string(), z);
    }
    let idle = totals.idle as f64 / totals.rolls.sum() as f64;
    comparison.note(&format!("{name}: idle rolls"), &format!("{idle:.4}"));
    comparison.note(
        &format!("{name}: longest, turns"),
        &totals.longest.to_string(),
    );
    assert!(
        !row.option.is_empty() || (0.145..0.215).contains(&idle),
        "{name}: a share of {idle} of all rolls moves nothing; published are 15 to 21 %"
    );
}

/// All rows with so many games each.
fn compare(n: u32) {
    let mut comparison = Comparison::default();
    let mut seeds = 1..;
    let mut seed = || seeds.next().expect("seeds do not run out");
    for row in ROWS {
        compare_self_play(row, seed(), n, &mut comparison);
    }
    for &(bot, other, published) in HEAD_TO_HEAD {
        let spec = table("AC", "");
        let as_first = games(&spec, &[bot, other], seed(), n / 2).wins[Seat::A];
        let as_second = games(&spec, &[other, bot], seed(), n / 2).wins[Seat::new(2)];
        let measured = 100.0 * (as_first + as_second) as f64 / f64::from(n / 2 * 2);
        comparison.add_percent(
            &format!("AC {bot} against {other}: % won"),
            [measured, published],
            [n, 2 * PUBLISHED_GAMES_PER_SEATING],
        );
    }
    for &(bot, others, published) in SINGLE {
        let wins = games(
            &table("ABCD", ""),
            &[bot, others, others, others],
            seed(),
            n,
        )
        .wins;
        let measured = 100.0 * wins[Seat::A] as f64 / f64::from(n);
        comparison.add_percent(
            &format!("ABCD {bot} in A against three {others}: % won"),
            [measured, published],
            [n, PUBLISHED_GAMES_PER_SEATING],
        );
    }
    comparison.finish(n);
}

#[test]
fn self_play_is_near_the_published_table() {
    compare(2_000);
}

#[test]
#[ignore = "ten million games: minutes"]
fn self_play_matches_the_published_table() {
    compare(400_000);
}
