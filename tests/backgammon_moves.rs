//! The plays of backgammon against other programs, known counts and a naive model.

#[path = "support/backgammon_positions.rs"]
mod backgammon_positions;
#[path = "support/naive_backgammon.rs"]
mod naive_backgammon;

use std::collections::HashSet;

use backgammon_positions::{all_rolls, below, decoded, placement, roll};
use naive_backgammon::Position;
use racelab::games::backgammon::board::Board;
use racelab::games::backgammon::moves::{OneDie, Plays, Steps};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// The plays as a set; they must be distinct, in ascending order, and there must be one.
fn set(plays: &Plays) -> HashSet<Board> {
    assert!(!plays.is_empty());
    assert!(plays.windows(2).all(|pair| pair[0] < pair[1]), "{plays:?}");
    plays.iter().copied().collect()
}

fn dice(text: &str) -> (u8, u8) {
    let digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
    (digits[0], digits[1])
}

/// Compares the plays of every row with those listed by GNU Backgammon; the number of rows.
fn check_listed(table: &str) -> usize {
    let mut plays = Plays::default();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [id, position, roll, .., results, _] = cells[..] else {
            panic!("a short row: {row}");
        };
        plays.generate(&decoded(position), dice(roll));
        let expected: HashSet<Board> = results.split(' ').map(decoded).collect();
        assert_eq!(set(&plays), expected, "row {id}: {position} {roll}");
    })
    .count()
}

#[test]
fn gnu_backgammon_lists_the_same_plays_in_its_own_games() {
    let table = include_str!("golden/backgammon/movegen_selfplay.tsv");
    assert_eq!(check_listed(table), 2080);
}

#[test]
fn gnu_backgammon_lists_the_same_plays_in_contrived_positions() {
    let table = include_str!("golden/backgammon/movegen_stress.tsv");
    assert_eq!(check_listed(table), 1496);
}

/// Plays of 1,000 positions: of all doubles, and of all mixed rolls.
fn totals(ids: &str) -> (usize, usize) {
    let mut plays = Plays::default();
    let (mut doubles, mut mixed) = (0, 0);
    for id in ids.lines() {
        let board = decoded(id);
        for (large, small) in all_rolls() {
            plays.generate(&board, (large, small));
            if large == small {
                doubles += plays.len();
            } else {
                mixed += plays.len();
            }
        }
    }
    (doubles, mixed)
}

#[test]
fn wildbg_counts_the_same_plays() {
    let contact = include_str!("golden/backgammon/wildbg-positions/contact.csv");
    assert_eq!(totals(contact), (218_356, 185_957));
    let race = include_str!("golden/backgammon/wildbg-positions/race.csv");
    assert_eq!(totals(race), (140_720, 122_570));
}

/// Positions where a generator easily goes wrong: the roll, then how each legal board is reached.
const TRICKY: &[(&str, &[&str], &[&str])] = &[
    // Both dice, although 2/off wins at once.
    ("Q5eOQSACAAAAAA", &["51", "61", "31"], &["2/1 1/off"]),
    // Either die enters, not both: the larger.
    ("mOfggQTbAABAAA", &["53"], &["bar/20"]),
    ("2M2kCgIAAAABAA", &["32"], &["bar/22"]),
    // One order only, over a point in between.
    ("2LudAAB3BwCAAA", &["61"], &["23/16"]),
    // Entering with the 1 would kill the 3.
    ("ZrcNgAK/OwAARg", &["31"], &["bar/22 2/1", "bar/22 3/2"]),
    // Three of four; one of four.
    ("2OwBAD52dwcAQA", &["66"], &["bar/7"]),
    ("jW0bAgKfAwLgDQ", &["55"], &["10/5"]),
    // The last checker comes home and off in one turn.
    ("dxIAAL4PAgAAAA", &["52"], &["7/off"]),
    // It must come home first; then the larger die bears off from the 6.
    ("uNUBAD52dxcAAA", &["63"], &["7/4 6/off"]),
    // The same checkers, one more of them off: both are legal.
    ("ansLEBB/BAAAAA", &["63"], &["4/off 1/off", "4/off"]),
    // Two on the bar, one enters, the rest of the roll is dead.
    ("2L0JgAYcz8EBYA", &["63"], &["bar/22"]),
];

/// The position after checkers were moved; the points landed on are cleared of blots.
fn moved(id: &str, steps: &str) -> Board {
    let mut position = Position::of(&decoded(id));
    for step in steps.split(' ') {
        let (from, to) = step.split_once('/').expect("from/to");
        let point = |name: &str| match name {
            "bar" => 25,
            "off" => 0,
            _ => name.parse().expect("a point"),
        };
        let (from, to): (usize, usize) = (point(from), point(to));
        position.mover[from] -= 1;
        position.mover[to] += 1;
        if to > 0 {
            position.other[25] += std::mem::take(&mut position.other[25 - to]);
        }
    }
    position.board()
}

#[test]
fn tricky_positions() {
    let mut plays = Plays::default();
    for &(id, rolls, expected) in TRICKY {
        let expected: HashSet<Board> = expected.iter().map(|steps| moved(id, steps)).collect();
        for roll in rolls {
            plays.generate(&decoded(id), dice(roll));
            assert_eq!(set(&plays), expected, "{id} {roll}");
        }
    }
}

#[test]
fn many_plays() {
    let mut plays = Plays::default();
    for (id, roll, count) in [("4HPwAHCzbUkAIg", "11", 400), ("CAAAQIq0ZkMAAA", "44", 729)] {
        plays.generate(&decoded(id), dice(roll));
        assert_eq!(set(&plays).len(), count, "{id} {roll}");
    }
}

/// The most plays that a search for boards with many has found.
#[test]
fn as_many_plays_as_were_ever_seen() {
    let mut position = Position {
        mover: [0; 26],
        other: [0; 26],
    };
    for point in [3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 23, 24] {
        position.mover[point] = 1;
    }
    position.other[0] = 15;
    let mut plays = Plays::default();
    plays.generate(&position.board(), (1, 1));
    assert_eq!(set(&plays).len(), 2226);
    assert_eq!(position.results((1, 1), false).len(), 2226);
}

/// Sequences of so many plays from this board; with `weighted`, a mixed roll counts twice.
fn perft(board: &Board, depth: usize, weighted: bool, buffers: &mut [Plays]) -> u64 {
    let (plays, deeper) = buffers.split_first_mut().expect("a buffer for each depth");
    all_rolls()
        .map(|(large, small)| {
            plays.generate(board, (large, small));
            let paths = if depth == 1 {
                plays.len() as u64
            } else {
                let next = plays.iter().map(|play| play.swapped());
                next.map(|next| perft(&next, depth - 1, weighted, deeper))
                    .sum()
            };
            paths * if weighted && large != small { 2 } else { 1 }
        })
        .sum()
}

fn perft_from_start(depth: usize, weighted: bool) -> u64 {
    let mut buffers = vec![Plays::default(); depth];
    perft(&Board::START, depth, weighted, &mut buffers)
}

#[test]
fn perft_of_two_rolls() {
    assert_eq!(
        [1, 2].map(|depth| perft_from_start(depth, false)),
        [447, 202_782]
    );
    assert_eq!(
        [1, 2].map(|depth| perft_from_start(depth, true)),
        [637, 419_783]
    );
}

#[test]
#[ignore = "116 million plays: seconds with --release"]
fn perft_of_three_rolls() {
    let count = perft_from_start(3, false);
    println!("{count}");
    assert_eq!(count, 116_154_993); // The naive model counts as many.
}

#[test]
fn plays_of_the_opening_rolls() {
    let mut plays = Plays::default();
    let counts = all_rolls().map(|dice| {
        plays.generate(&Board::START, dice);
        plays.len()
    });
    let expected = [
        42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11,
    ];
    assert!(counts.eq(expected));
}

/// Compares the plays by both rules about a lone die with those of the naive model.
fn check_against_naive(board: &Board, dice: (u8, u8), plays: &mut Plays) {
    let position = Position::of(board);
    for (one_die, either) in [(OneDie::Larger, false), (OneDie::Either, true)] {
        plays.generate_with(board, dice, one_die);
        let expected: HashSet<Board> = position
            .results(dice, either)
            .iter()
            .map(Position::board)
            .collect();
        assert_eq!(set(plays), expected, "{one_die:?}, {dice:?} on {board:?}");
    }
}

/// Plays games of random moves and compares every ply with the naive model; the plies.
fn check_games(start: Board, games: u64) -> u64 {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut plays = Plays::default();
    let mut plies = 0;
    for _ in 0..games {
        let mut board = start;
        while board.mover.left() > 0 && board.other.left() > 0 {
            let dice = roll(&mut random);
            check_against_naive(&board, dice, &mut plays);
            plays.generate(&board, dice);
            board = plays[below(&mut random, plays.len())].swapped();
            plies += 1;
        }
    }
    plies
}

#[test]
fn the_naive_model_agrees_in_random_games() {
    assert!(check_games(Board::START, 100) > 5_000);
    let mut counts = [0; 26];
    counts[22..25].fill(1);
    let hypergammon = Position {
        mover: counts,
        other: counts,
    };
    assert!(check_games(hypergammon.board(), 1_000) > 5_000);
}

#[test]
fn the_naive_model_agrees_in_random_placements() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let mut plays = Plays::default();
    for _ in 0..20_000 {
        let checkers = [15, 15, 3, 1 + below(&mut random, 8) as u8][below(&mut random, 4)];
        let board = placement(&mut random, checkers);
        check_against_naive(&board, roll(&mut random), &mut plays);
    }
}

#[test]
fn every_play_has_steps_that_lead_to_it() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let mut plays = Plays::default();
    for _ in 0..300 {
        let board = placement(&mut random, 15);
        let dice = roll(&mut random);
        plays.generate(&board, dice);
        for play in plays.iter() {
            let steps = Steps::between(&board, dice, play).expect("steps to a play");
            let hits = steps.iter().filter(|step| step.hit).count();
            let more_on_the_bar = play.other.bar() - board.other.bar();
            assert_eq!(hits, usize::from(more_on_the_bar), "{steps} on {board:?}");
            let pairs: Vec<(u8, u8)> = steps.iter().map(|step| (step.from, step.to)).collect();
            assert_eq!(Steps::play(&board, dice, &pairs).as_ref(), Ok(play));
        }
    }
}

#[test]
fn the_order_of_the_dice_does_not_matter() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let (mut plays, mut turned) = (Plays::default(), Plays::default());
    for _ in 0..1_000 {
        let board = placement(&mut random, 15);
        let (first, second) = roll(&mut random);
        plays.generate(&board, (first, second));
        turned.generate(&board, (second, first));
        assert_eq!(*plays, *turned);
    }
}
