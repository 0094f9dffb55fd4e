//! Games and rolls per CPU-second, side by side in one run: `cargo bench --bench speed`.
//!
//! Every round plays everything once, in turn, and reads the processor time of this process; the
//! table shows medians over the rounds, a ratio is the median of the rounds' own ratios. So a
//! machine that slows down for a while slows both sides of a ratio.
//!
//! `-- --rounds N` plays N rounds. `-- --bare WHAT GAMES` plays games of the bare loop and prints
//! their rolls, for `benches/callgrind.sh` to count instructions.

mod support;

use std::hint::black_box;

use racelab::experiment::runner::cpu_seconds;
use support::{SELF_PLAY, SelfPlay, Tree};

/// Games of a round, for each line of the table.
const GAMES: u64 = 10_000;
/// Games of the naive model in a round.
const NAIVE_GAMES: u64 = 1_000;

const WIDTH: usize = 27;

/// Something that is timed: what it is and how to play it; the games and the rolls.
struct Line {
    name: String,
    run: Box<dyn FnMut() -> (u64, u64)>,
    /// For each round: CPU-seconds, games, rolls.
    rounds: Vec<(f64, u64, u64)>,
}

impl Line {
    fn new(name: impl Into<String>, run: impl FnMut() -> (u64, u64) + 'static) -> Line {
        Line {
            name: name.into(),
            run: Box::new(run),
            rounds: Vec::new(),
        }
    }

    fn round(&mut self) {
        let began = cpu_seconds();
        let (games, rolls) = black_box((self.run)());
        self.rounds.push((cpu_seconds() - began, games, rolls));
    }

    fn games_per_second(&self) -> f64 {
        median(
            self.rounds
                .iter()
                .map(|&(seconds, games, _)| games as f64 / seconds),
        )
    }

    fn rolls_per_second(&self) -> f64 {
        median(
            self.rounds
                .iter()
                .map(|&(seconds, _, rolls)| rolls as f64 / seconds),
        )
    }

    /// How many times more rolls a second than the other.
    fn times_the_rolls_of(&self, other: &Line) -> f64 {
        let rate = |&(seconds, _, rolls): &(f64, u64, u64)| rolls as f64 / seconds;
        let pairs = self.rounds.iter().zip(&other.rounds);
        median(pairs.map(|(mine, theirs)| rate(mine) / rate(theirs)))
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// A whole number with its thousands apart: `1,234,567`.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        Some(&arguments[at + 1..])
    };
    if let Some([what, games, ..]) = value("--bare") {
        println!("{}", bare(what, games.parse().expect("a number of games")));
        return;
    }
    support::check();
    if !support::is_timed() {
        return;
    }
    let rounds = match value("--rounds") {
        Some([rounds, ..]) => rounds.parse().expect("a number of rounds"),
        _ => 9,
    };
    assert!(rounds > 0, "no round, no median");
    measure(rounds);
}

/// Plays games of the bare loop and counts nothing but rolls, unless `what` says so.
fn bare(what: &str, games: u64) -> u64 {
    let bot = |bot: &str| {
        let is_meant = |self_play: &&SelfPlay| self_play.bot == bot && self_play.seats == "ABCD";
        let self_play = SELF_PLAY.iter().find(is_meant);
        self_play
            .unwrap_or_else(|| panic!("nothing is called '{what}'"))
            .bare()
    };
    match what {
        "random-in-place" => support::random_in_place().play(0..games),
        "random-counted" => bot("random").count(0..games).rolls,
        "naive" => support::naive(games),
        _ => bot(what).play(0..games),
    }
}

fn measure(rounds: u32) {
    let mut tournaments: Vec<Line> = SELF_PLAY.iter().map(|line| tournament(line, 1)).collect();
    tournaments.push(tournament(&SELF_PLAY[0], 2));
    let mut bare_loops: Vec<Line> = SELF_PLAY.iter().map(bare_loop).collect();
    let mut in_place = support::random_in_place();
    bare_loops.push(Line::new("random, 4 seats, no dyn", move || {
        (GAMES, in_place.play(0..GAMES))
    }));
    bare_loops.push(Line::new("naive model, random, 4", || {
        (NAIVE_GAMES, support::naive(NAIVE_GAMES))
    }));
    let mut trees = [
        ("perft from the start", Tree::from_the_start()),
        ("perft, crowded board", Tree::crowded()),
    ]
    .map(|(name, tree)| Line::new(name, move || (1, tree.walk())));

    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        let lines = tournaments.iter_mut().chain(&mut bare_loops);
        lines.chain(&mut trees).for_each(Line::round);
    }

    println!("CPU time, medians of {rounds} rounds; ratios per roll, within a round\n");
    println!(
        "{:<WIDTH$} {:>12} {:>13} {:>9} {:>8}",
        "whole tournament", "games/CPU-s", "rolls/CPU-s", "ns/roll", "naive x"
    );
    let naive = bare_loops.last().expect("the naive model comes last");
    print_play(&tournaments, naive);
    println!("bare loop");
    print_play(&bare_loops, naive);
    println!(
        "\n{:<WIDTH$} {:>12} {:>13} {:>9}",
        "counting paths", "", "paths/CPU-s", "ns/path"
    );
    for line in &trees {
        let rate = line.rolls_per_second();
        let (name, paths, time) = (&line.name, grouped(rate), 1e9 / rate);
        println!("{name:<WIDTH$} {:>12} {paths:>13} {time:>9.2}", "");
    }
    print_targets(&tournaments, naive);
}

fn tournament(self_play: &'static SelfPlay, threads: usize) -> Line {
    let name = match threads {
        1 => self_play.name.to_owned(),
        _ => format!("{}, {threads} threads", self_play.name),
    };
    Line::new(name, move || {
        let totals = self_play.pipeline(GAMES, threads);
        (totals.games, totals.rolls)
    })
}

fn bare_loop(self_play: &SelfPlay) -> Line {
    let mut bare = self_play.bare();
    Line::new(self_play.name, move || (GAMES, bare.play(0..GAMES)))
}

fn print_play(lines: &[Line], naive: &Line) {
    for line in lines {
        println!(
            "{:<WIDTH$} {:>12} {:>13} {:>9.2} {:>8.1}",
            line.name,
            grouped(line.games_per_second()),
            grouped(line.rolls_per_second()),
            1e9 / line.rolls_per_second(),
            line.times_the_rolls_of(naive),
        );
    }
}

/// Prints the targets beside what was measured. Nothing fails: a busy machine misses most of them.
fn print_targets(tournaments: &[Line], naive: &Line) {
    println!(
        "\n{:<45}{:>10} {:>10}",
        "target, whole tournament", "asked", "measured"
    );
    for (name, least) in [
        ("random, 4 seats", 100_000.0),
        ("greedy, 4 seats", 150_000.0),
        ("racer, 4 seats", 80_000.0),
    ] {
        let line = tournaments.iter().find(|line| line.name == name);
        let measured = line.expect("a line of this name").games_per_second();
        target(
            &format!("{name}: games per CPU-second"),
            &[grouped(least), grouped(measured)],
            measured >= least,
        );
    }
    let random = &tournaments[0];
    let ratio = random.times_the_rolls_of(naive);
    target(
        "random, 4 seats: times the naive model",
        &["6.0".to_owned(), format!("{ratio:.1}")],
        ratio >= 6.0,
    );
    let two_threads = tournaments.last().expect("two threads come last");
    let cost = 1.0 / two_threads.times_the_rolls_of(random);
    target(
        "CPU time of a game, 2 threads over 1, at most",
        &["1.05".to_owned(), format!("{cost:.3}")],
        cost <= 1.05,
    );
}

fn target(what: &str, [asked, measured]: &[String; 2], is_met: bool) {
    let verdict = if is_met { "met" } else { "missed" };
    println!("{what:<45}{asked:>10} {measured:>10} {verdict}");
}
