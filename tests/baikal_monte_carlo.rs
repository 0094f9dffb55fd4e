//! Whole games against published means: `docs/rules/baikal.md`, section 6.2. Seat A always starts.

use racelab::bots::Bot;
use racelab::bots::seated::Seated;
use racelab::engine::game::{Game, MoveSet};
use racelab::engine::play::{Chooser, Counts, SeededDice, play};
use racelab::engine::random::BlockKey;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::games::baikal::{Baikal, Board, Level, Moves, Rules};

/// Nobody is asked in Sprint and Classic.
struct Nobody;

impl<G: Game> Chooser<G> for Nobody {
    fn choose(&mut self, _: &G, _: &G::State, _: Seat, moves: &G::Moves) -> usize {
        panic!("{} moves to choose from", moves.len())
    }
}

/// Means over games, with the standard error of the rolls.
struct Means {
    rolls: f64,
    error: f64,
    captures: f64,
    pushes: f64,
    ransoms: f64,
    wins: Vec<f64>,
}

fn played<const SEATS: usize>(
    rules: &Rules,
    seats: usize,
    games: u64,
    chooser: &mut impl Chooser<Baikal<SEATS>>,
) -> Means {
    let seats = rules.board.seats(seats);
    let game = Baikal::<SEATS>::new(rules.clone(), seats).expect("a table");
    let mut counts = Counts::default();
    let (mut sum, mut squares, mut wins) = (0.0, 0.0, vec![0u32; 8]);
    let mut moves = Moves::default();
    for index in 0..games {
        let mut dice = SeededDice::new(BlockKey::new(11, index));
        let start = game.start(Seat::A);
        let end = play(
            &game,
            start,
            &mut dice,
            chooser,
            &mut counts,
            &mut moves,
            1_000_000,
        );
        assert!(!end.capped);
        let rolls = f64::from(end.rolls);
        (sum, squares) = (sum + rolls, squares + rolls * rolls);
        for seat in seats.iter() {
            wins[seat.index()] += u32::from(end.standing.places[seat] == 1);
        }
    }
    let games = games as f64;
    let mean = sum / games;
    let all = seats.iter();
    let measured = |index: usize| {
        let counts = seats.iter().map(|seat| counts.measured[seat][index]);
        counts.map(f64::from).sum::<f64>() / games
    };
    Means {
        rolls: mean,
        error: ((squares / games - mean * mean) / games).sqrt(),
        captures: all
            .clone()
            .map(|seat| f64::from(counts.captures[seat]))
            .sum::<f64>()
            / games,
        pushes: measured(0),
        ransoms: measured(2),
        wins: all
            .map(|seat| f64::from(wins[seat.index()]) / games)
            .collect(),
    }
}

#[test]
#[ignore = "some hundred thousand games; run it in release"]
fn whole_games_are_as_long_as_published() {
    // Seats, board, rolls (rounded to 1), wins of the first two seats in percent and their error,
    // captures and pushes (rounded to 0.1).
    for (level, board, seats, push, rolls, wins, captures, pushes) in [
        (
            Level::Sprint,
            "4x12",
            2,
            true,
            70.0,
            [51.9, 48.1, 0.4],
            0.5,
            1.8,
        ),
        (
            Level::Sprint,
            "4x12",
            4,
            true,
            125.0,
            [26.4, 25.2, 0.5],
            2.8,
            11.5,
        ),
        (
            Level::Classic,
            "4x12",
            2,
            true,
            95.0,
            [51.3, 48.7, 0.4],
            0.7,
            1.0,
        ),
        (
            Level::Classic,
            "8x12",
            8,
            true,
            652.0,
            [12.5, 12.5, 0.9],
            18.6,
            26.7,
        ),
        (
            Level::Sprint,
            "4x12",
            4,
            false,
            122.0,
            [26.4, 24.5, 0.8],
            2.8,
            0.0,
        ),
        (
            Level::Classic,
            "4x12",
            4,
            false,
            157.0,
            [25.4, 25.4, 0.8],
            3.9,
            0.0,
        ),
    ] {
        let rules = Rules {
            level,
            board: Board::preset(board).expect("a preset"),
            overtake_push: push,
            ..Rules::default()
        };
        let games = 200_000 / (seats as u64 * seats as u64);
        let found = if seats > 4 {
            played::<8>(&rules, seats, games, &mut Nobody)
        } else {
            played::<4>(&rules, seats, games, &mut Nobody)
        };
        let row = format!("{level:?} {board} {seats}");
        // Both sides are rounded or drawn: four standard errors of each.
        let limit = 0.5 + 4.0 * found.error * 2.5;
        assert!(
            (found.rolls - rolls).abs() < limit,
            "{row}: {} rolls",
            found.rolls
        );
        for (seat, (&found, published)) in found.wins.iter().zip([wins[0], wins[1]]).enumerate() {
            let limit = 5.0 * wins[2];
            assert!(
                (100.0 * found - published).abs() < limit,
                "{row}: seat {seat} wins {found}"
            );
        }
        assert!(
            (found.captures - captures).abs() < 0.06 + 0.03 * captures,
            "{row}: {} captures",
            found.captures
        );
        assert!(
            (found.pushes - pushes).abs() < 0.06 + 0.03 * pushes,
            "{row}: {} pushes",
            found.pushes
        );
    }
}

/// `greedy` at all seats.
fn greedy<const SEATS: usize>(board: &str, seats: usize, games: u64) -> Means {
    let rules = Rules {
        level: Level::Serious,
        board: Board::preset(board).expect("a preset"),
        ..Rules::default()
    };
    let policy = Bot::find("greedy").expect("a shipped bot").policy();
    let policies = vec![policy.expect("it plays the game")];
    let mut seated = Seated::new(policies, PerSeat::default(), BlockKey::new(11, 0));
    played::<SEATS>(&rules, seats, games, &mut seated)
}

/// The page's rows are of another bot that weighs one step: games are about as long, the counts
/// of the same order.
#[test]
#[ignore = "some ten thousand games; run it in release"]
fn greedy_games_are_near_the_published_ones() {
    // Rolls, captures, pushes, ransoms.
    for (board, seats, published) in [
        ("4x12", 2, [72.0, 2.7, 2.4, 2.3]),
        ("4x12", 4, [165.0, 11.3, 10.3, 9.2]),
        ("8x12", 8, [662.0, 52.9, 51.5, 46.0]),
    ] {
        let games = 8000 / (seats * seats) as u64;
        let found = if seats > 4 {
            greedy::<8>(board, seats, games)
        } else {
            greedy::<4>(board, seats, games)
        };
        let numbers = [found.rolls, found.captures, found.pushes, found.ransoms];
        println!(
            "{board} {seats}: {numbers:.2?} +- {:.2}, {:.3?}",
            found.error, found.wins
        );
        for (index, (number, published)) in numbers.into_iter().zip(published).enumerate() {
            let ratio: f64 = number / published;
            let is_near = match index {
                0 => (0.8..1.2).contains(&ratio),
                _ => (0.5..1.7).contains(&ratio),
            };
            assert!(is_near, "{board} {seats}: {numbers:?}");
        }
        let fair = 1.0 / seats as f64;
        let limit = 4.0 * (fair / games as f64).sqrt();
        for share in found.wins {
            assert!((share - fair).abs() < limit, "{board} {seats}: {share}");
        }
    }
}
