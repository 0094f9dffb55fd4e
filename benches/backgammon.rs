//! The plays of backgammon per CPU-second: `cargo bench --bench backgammon`.
//!
//! Everything is checked, then played in rounds by turns; the table shows medians over the rounds
//! in CPU time of this process.
//!
//! `-- --rounds N` plays N rounds. `-- --bare WHAT GAMES` plays games and prints their plies, for
//! callgrind to count instructions: WHAT is `random` or `greedy`.

#[path = "../tests/support/backgammon_positions.rs"]
mod backgammon_positions;

use std::hint::black_box;

use backgammon_positions::{all_rolls, decoded};
use racelab::experiment::runner::cpu_seconds;
use racelab::games::backgammon::board::{Board, CHECKERS};
use racelab::games::backgammon::moves::Plays;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

const CONTACT: &str = include_str!("../tests/golden/backgammon/wildbg-positions/contact.csv");
const RACE: &str = include_str!("../tests/golden/backgammon/wildbg-positions/race.csv");

/// Games of a round, of each kind of self-play.
const GAMES: u64 = 5_000;

/// What was played, or looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Totals {
    games: u64,
    /// Rolls for which plays were generated.
    plies: u64,
    /// The plays generated.
    plays: u64,
}

/// Any of them: the product of a random number below 2^32.
fn random(plays: &mut Plays, number: u64) -> usize {
    (((number & 0xFFFF_FFFF) * plays.len() as u64) >> 32) as usize
}

/// The first of the best by [`score`].
fn greedy(plays: &mut Plays, _: u64) -> usize {
    let scores = plays.iter().map(score).enumerate();
    let best = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("a play").0
}

/// Hits, borne-off checkers and points made, less the blots left.
fn score(board: &Board) -> i32 {
    let points = (1..=24).map(|point| match board.mover.count(point) {
        0 => 0,
        1 => -1,
        _ => 1,
    });
    let gained = board.mover.off() + 3 * board.other.bar();
    points.sum::<i32>() + i32::from(gained)
}

/// Plays whole games without a cube.
fn self_play(choose: impl Fn(&mut Plays, u64) -> usize, games: u64) -> Totals {
    let mut numbers = Pcg64Mcg::seed_from_u64(1);
    let mut plays = Plays::default();
    let mut totals = Totals::default();
    for _ in 0..games {
        let mut board = Board::START;
        let mut is_opening = true;
        loop {
            // The upper half of a number are the dice, the lower half is the choice.
            let number = numbers.next_u64();
            let roll = (((number >> 32) * 36) >> 32) as u8;
            let dice = (roll / 6 + 1, roll % 6 + 1);
            if is_opening && dice.0 == dice.1 {
                continue;
            }
            is_opening = false;
            plays.generate(&board, dice);
            totals.plies += 1;
            totals.plays += plays.len() as u64;
            let chosen = choose(&mut plays, number);
            let next = plays[chosen];
            if next.mover.off() == CHECKERS {
                break;
            }
            board = next.swapped();
        }
    }
    Totals { games, ..totals }
}

/// Finds the plays of these rolls on every board.
fn all_plays(boards: &[Board], is_meant: fn((u8, u8)) -> bool) -> Totals {
    let mut plays = Plays::default();
    let mut totals = Totals::default();
    for board in boards {
        for dice in all_rolls().filter(|&dice| is_meant(dice)) {
            plays.generate(board, dice);
            totals.plies += 1;
            totals.plays += plays.len() as u64;
        }
    }
    totals
}

fn is_double((large, small): (u8, u8)) -> bool {
    large == small
}

fn is_mixed(dice: (u8, u8)) -> bool {
    !is_double(dice)
}

fn boards(ids: &str) -> Vec<Board> {
    ids.lines().map(decoded).collect()
}

/// The boards after every play of every roll on a board, the sides swapped.
fn children(board: &Board) -> Vec<Board> {
    let mut plays = Plays::default();
    let mut children = Vec::new();
    for dice in all_rolls() {
        plays.generate(board, dice);
        children.extend(plays.iter().map(|play| play.swapped()));
    }
    children
}

/// Something that is timed, with what it must find.
struct Line {
    name: &'static str,
    run: Box<dyn Fn() -> Totals>,
    expected: Totals,
    /// CPU-seconds of each round.
    rounds: Vec<f64>,
}

impl Line {
    fn games(
        name: &'static str,
        choose: impl Fn(&mut Plays, u64) -> usize + Copy + 'static,
        plies: u64,
        plays: u64,
    ) -> Line {
        Line {
            name,
            run: Box::new(move || self_play(choose, GAMES)),
            expected: Totals {
                games: GAMES,
                plies,
                plays,
            },
            rounds: Vec::new(),
        }
    }

    fn boards(
        name: &'static str,
        boards: Vec<Board>,
        is_meant: fn((u8, u8)) -> bool,
        plays: u64,
    ) -> Line {
        let rolls = all_rolls().filter(|&dice| is_meant(dice)).count();
        Line {
            name,
            expected: Totals {
                games: 0,
                plies: (boards.len() * rolls) as u64,
                plays,
            },
            run: Box::new(move || all_plays(&boards, is_meant)),
            rounds: Vec::new(),
        }
    }

    fn round(&mut self) {
        let began = cpu_seconds();
        black_box((self.run)());
        self.rounds.push(cpu_seconds() - began);
    }

    fn print(&self) {
        let mut rounds = self.rounds.clone();
        rounds.sort_by(f64::total_cmp);
        let seconds = rounds[rounds.len() / 2];
        let Totals {
            games,
            plies,
            plays,
        } = self.expected;
        let games = match games {
            0 => String::new(),
            _ => format!("{:.0}", games as f64 / seconds),
        };
        println!(
            "{:<24}{:>9.3}{:>9.1}{:>12.0}{:>9.2}{:>13.0}{games:>10}",
            self.name,
            seconds * 1e3,
            seconds * 1e9 / plies as f64,
            plies as f64 / seconds,
            seconds * 1e9 / plays as f64,
            plays as f64 / seconds,
        );
    }
}

fn lines() -> Vec<Line> {
    vec![
        Line::games("random self-play", random, 482_868, 9_038_509),
        Line::games("greedy self-play", greedy, 284_644, 3_272_596),
        Line::boards(
            "wildbg contact, doubles",
            boards(CONTACT),
            is_double,
            218_356,
        ),
        Line::boards("wildbg contact, mixed", boards(CONTACT), is_mixed, 185_957),
        Line::boards("wildbg race, doubles", boards(RACE), is_double, 140_720),
        Line::boards("wildbg race, mixed", boards(RACE), is_mixed, 122_570),
        Line::boards(
            "perft of two rolls",
            children(&Board::START),
            |_| true,
            202_782,
        ),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        Some(&arguments[at + 1..])
    };
    if let Some([what, games, ..]) = value("--bare") {
        let games = games.parse().expect("a number of games");
        let played = match what.as_str() {
            "random" => self_play(random, games),
            "greedy" => self_play(greedy, games),
            _ => panic!("nothing is called '{what}'; known: random, greedy"),
        };
        println!("{}", played.plies);
        return;
    }
    let mut lines = lines();
    for line in &lines {
        assert_eq!((line.run)(), line.expected, "{}", line.name);
    }
    // `cargo test` asks only whether the bench works.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let rounds = match value("--rounds") {
        Some([rounds, ..]) => rounds.parse().expect("a number of rounds"),
        _ => 9,
    };
    assert!(rounds > 0, "no round, no median");
    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        lines.iter_mut().for_each(Line::round);
    }
    println!("CPU time, medians of {rounds} rounds\n");
    println!(
        "{:<24}{:>9}{:>9}{:>12}{:>9}{:>13}{:>10}",
        "", "ms", "ns/ply", "plies/s", "ns/play", "plays/s", "games/s"
    );
    lines.iter().for_each(Line::print);
}
