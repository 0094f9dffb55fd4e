//! Whole games against published means: `docs/rules/baikal.md`, section 6.2. Seat A always starts.

use racelab::engine::game::{Game, MoveSet};
use racelab::engine::play::{Chooser, Counts, SeededDice, play};
use racelab::engine::random::BlockKey;
use racelab::engine::seat::Seat;
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
    wins: Vec<f64>,
}

fn played<const SEATS: usize>(rules: &Rules, seats: usize, games: u64) -> Means {
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
            &mut Nobody,
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
    Means {
        rolls: mean,
        error: ((squares / games - mean * mean) / games).sqrt(),
        captures: all
            .clone()
            .map(|seat| f64::from(counts.captures[seat]))
            .sum::<f64>()
            / games,
        pushes: all
            .clone()
            .map(|seat| f64::from(counts.measured[seat][0]))
            .sum::<f64>()
            / games,
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
            played::<8>(&rules, seats, games)
        } else {
            played::<4>(&rules, seats, games)
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
