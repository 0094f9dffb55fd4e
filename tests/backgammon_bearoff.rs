//! The bear-off tables against published numbers, a second solver, play, and each other.
//!
//! The golden rows are exact values of an independent double-precision dynamic programme, beside
//! the rounded ones of GNU Backgammon 1.07's databases, which are not used here.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, OnceLock};

use racelab::engine::random::{BlockKey, DiceStream};
use racelab::engine::seat::Seat;
use racelab::games::backgammon::bearoff::{
    Bearoff, CubeState, Database, DatabaseError, Index, OneSided, TwoSided, build, file_name,
    load_or_build, race_win, read, write,
};
use racelab::games::backgammon::board::{Board, Side};
use racelab::stats::Moments;

/// Standard errors that a simulation may be off by.
const TOLERANCE: f64 = 4.0;

/// One build for all tests.
fn bearoff() -> &'static Bearoff {
    static TABLES: OnceLock<Bearoff> = OnceLock::new();
    TABLES.get_or_init(Bearoff::build)
}

/// Checkers on the points 1 to 6.
type Home = [u8; 6];

/// The side, what is missing from 15 checkers borne off.
fn side(home: Home) -> Side {
    let mut counts = [0; 26];
    counts[0] = 15 - home.iter().sum::<u8>();
    counts[1..=6].copy_from_slice(&home);
    Side::from_counts(&counts)
}

/// The checkers of a side in its home board.
fn home(side: Side) -> Home {
    std::array::from_fn(|i| side.count(i as u8 + 1))
}

fn parse_home(text: &str) -> Home {
    let counts: Vec<u8> = text.split(' ').map(|n| n.parse().unwrap()).collect();
    counts.try_into().expect("six points")
}

/// The rows of a golden file, without its header.
fn golden(name: &str) -> Vec<csv::StringRecord> {
    let path = format!(
        "{}/tests/golden/backgammon/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut reader = csv::Reader::from_path(path).expect("golden data");
    reader.records().collect::<Result<_, _>>().expect("rows")
}

fn number(row: &csv::StringRecord, column: usize) -> f64 {
    row[column].parse().expect("a number")
}

/// All results of a roll, written from the rules: every order of the dice, as many dice as
/// possible, the larger one if only one of two can be played.
fn legal_results(start: Home, dice: &[u8]) -> Vec<Home> {
    let mut longest = (0, 0);
    let mut found: Vec<((usize, u8), Home)> = Vec::new();
    let orders = match *dice {
        [a, b] if a != b => vec![vec![a, b], vec![b, a]],
        _ => vec![[dice[0]; 4].to_vec()],
    };
    for order in orders {
        let mut front = vec![start];
        for played in 1..=order.len() {
            let die = usize::from(order[played - 1]);
            front = front.iter().flat_map(|&from| steps(from, die)).collect();
            front.sort_unstable();
            front.dedup();
            // One die alone: the larger is better. Several: all orders are as good.
            let rank = (played, if played == 1 { order[0] } else { 0 });
            found.extend(front.iter().map(|&end| (rank, end)));
            if !front.is_empty() {
                longest = longest.max(rank);
            }
        }
    }
    found.retain(|&(rank, _)| rank == longest);
    let mut ends: Vec<Home> = found.into_iter().map(|(_, end)| end).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// All single steps of a die.
fn steps(from: Home, die: usize) -> Vec<Home> {
    let highest = (1..=6).rev().find(|&point| from[point - 1] > 0);
    let mut ends = Vec::new();
    for point in (1..=6).filter(|&point| from[point - 1] > 0) {
        let mut end = from;
        end[point - 1] -= 1;
        if point > die {
            end[point - die - 1] += 1;
        } else if point < die && Some(point) != highest {
            continue;
        }
        ends.push(end);
    }
    ends
}

/// What the second solver knows of a position.
struct Naive {
    mean: f64,
    /// The chance to need 0, 1, 2, … rolls.
    dist: [f64; MOST_ROLLS],
}

/// More rolls than any position needs: 90 pips, 3 at least a roll.
const MOST_ROLLS: usize = 31;

/// Solves a position when all that follow it are known.
fn solve(position: Home, known: &HashMap<Home, Naive>) -> Naive {
    let (mut mean, mut dist) = (1.0, [0.0; MOST_ROLLS]);
    for (high, low) in (1..=6).flat_map(|high| (1..=high).map(move |low| (high, low))) {
        let chance = if high == low { 1.0 / 36.0 } else { 1.0 / 18.0 };
        let ends = legal_results(position, &[high, low]);
        let ends: Vec<&Naive> = ends.iter().map(|end| &known[end]).collect();
        let best = ends.iter().min_by(|a, b| a.mean.total_cmp(&b.mean));
        let best = best.expect("a play");
        mean += chance * best.mean;
        for (sum, later) in dist[1..].iter_mut().zip(best.dist) {
            *sum += chance * later;
        }
        assert!(
            !ends.iter().any(|end| ties(best, end)),
            "{position:?} {high}-{low}: two plays tie, and the distribution is one of several"
        );
    }
    Naive { mean, dist }
}

/// Whether two positions need as many rolls on average, but are otherwise distributed.
fn ties(a: &Naive, b: &Naive) -> bool {
    let differ = |(x, y): (&f64, &f64)| (x - y).abs() > 1e-9;
    (a.mean - b.mean).abs() < 1e-9 && a.dist.iter().zip(&b.dist).any(differ)
}

/// The positions of up to 12 checkers, solved the other way. (The others agree too; they are two
/// thirds of the work.)
fn second_solution() -> HashMap<Home, Naive> {
    let few = Index::new(12, 6).unwrap();
    let mut positions: Vec<Side> = (1..few.len()).map(|rank| few.side(rank)).collect();
    positions.sort_by_key(|side| side.pips());
    let (mean, mut dist) = (0.0, [0.0; MOST_ROLLS]);
    dist[0] = 1.0;
    let mut known = HashMap::from([([0; 6], Naive { mean, dist })]);
    for position in positions.into_iter().map(home) {
        let naive = solve(position, &known);
        known.insert(position, naive);
    }
    known
}

#[test]
fn one_sided_golden_rows() {
    let table = &bearoff().one_sided;
    let rows = golden("bearoff_one_sided.csv");
    assert_eq!(rows.len(), 134);
    for row in &rows {
        let side = side(parse_home(&row[1]));
        let mean = table.mean(side).unwrap();
        assert!((mean - number(row, 4)).abs() < 1e-6, "{row:?}: mean {mean}");
        let epc = table.epc(side).unwrap();
        assert!((epc - number(row, 5)).abs() < 1e-5, "{row:?}: epc {epc}");
        let dist = table.dist(side).unwrap();
        for (rolls, chance) in row[7].split(' ').enumerate() {
            let found = dist.exactly(rolls);
            let chance: f64 = chance.parse().unwrap();
            assert!(
                (found - chance).abs() < 1e-8,
                "{row:?}: {rolls} rolls {found}"
            );
        }
    }
}

#[test]
fn published_means() {
    let table = &bearoff().one_sided;
    for (position, mean) in [
        ([0, 0, 0, 5, 5, 5], 10.0738),
        ([15, 0, 0, 0, 0, 0], 6.9796),
        ([0, 0, 0, 0, 0, 15], 12.2662),
    ] {
        let found = table.mean(side(position)).unwrap();
        assert!((found - mean).abs() < 5e-5, "{position:?}: {found}");
    }
}

#[test]
fn every_position_agrees_with_a_second_solver() {
    let table = &bearoff().one_sided;
    for (position, naive) in second_solution() {
        let side = side(position);
        let mean = table.mean(side).unwrap();
        assert!((mean - naive.mean).abs() < 1e-10, "{position:?}: {mean}");
        let dist = table.dist(side).unwrap();
        assert!((dist.mean() - mean).abs() < 1e-6, "{position:?}: {dist:?}");
        assert!(dist.within(MOST_ROLLS) >= 1.0, "{position:?}: {dist:?}");
        for (rolls, chance) in naive.dist.iter().enumerate() {
            let found = dist.exactly(rolls);
            assert!(
                (found - chance).abs() < 1e-8,
                "{position:?}: {rolls} rolls {found}"
            );
        }
    }
}

#[test]
fn two_sided_golden_rows() {
    let table = &bearoff().two_sided;
    let rows = golden("bearoff_two_sided.csv");
    assert_eq!(rows.len(), 233);
    for row in &rows {
        let board = Board {
            mover: side(parse_home(&row[1])),
            other: side(parse_home(&row[2])),
        };
        let equities = table.equities(&board).unwrap();
        let found = [
            equities.cubeless,
            equities.owned,
            equities.centred,
            equities.opponent_owns,
            equities.after_cube_action(CubeState::Centred),
            equities.after_cube_action(CubeState::Owned),
        ];
        for (column, found) in (4..).zip(found) {
            let exact = number(row, column);
            assert!(
                (found - exact).abs() < 1e-6,
                "{row:?}: column {column} is {found}"
            );
        }
        assert_eq!(
            equities.doubles(CubeState::Centred),
            &row[10] == "double",
            "{row:?}"
        );
        assert_eq!(equities.takes(), &row[11] == "take", "{row:?}");
    }
}

/// A race in which both play for the fewest rolls is nearly the race played best.
#[test]
fn two_distributions_nearly_give_the_exact_race() {
    let Bearoff {
        one_sided,
        two_sided,
    } = bearoff();
    let mut worst: f64 = 0.0;
    for mover in 1..Index::LAST_SIX.len() {
        for other in 1..Index::LAST_SIX.len() {
            let board = Board {
                mover: side(home(Index::LAST_SIX.side(mover))),
                other: side(home(Index::LAST_SIX.side(other))),
            };
            let exact = two_sided.equity(&board, CubeState::Cubeless).unwrap();
            let dists = [board.mover, board.other].map(|side| one_sided.dist(side).unwrap());
            let race = 2.0 * race_win(&dists[0], &dists[1]) - 1.0;
            worst = worst.max((race - exact).abs());
        }
    }
    // Of equity, so 0.014 of winning chance.
    assert!(worst > 0.02 && worst < 0.028, "{worst}");
}

/// Rolls two dice.
fn throw(dice: &mut DiceStream) -> [u8; 2] {
    [dice.die(), dice.die()]
}

fn least(ends: Vec<Home>, of: impl Fn(Home) -> f64) -> Home {
    let value = |&end: &Home| of(end);
    let by = |a: &Home, b: &Home| value(a).total_cmp(&value(b));
    ends.into_iter().min_by(by).expect("a play")
}

#[test]
fn played_out_a_side_needs_its_mean() {
    let table = &bearoff().one_sided;
    let mean_of = |end: Home| table.mean(side(end)).unwrap();
    for (case, position) in [[0, 0, 0, 5, 5, 5], [3, 0, 2, 0, 1, 2], [0, 1, 0, 0, 0, 1]]
        .into_iter()
        .enumerate()
    {
        let mut moments = Moments::default();
        for game in 0..4_000 {
            let mut dice = BlockKey::new(case as u64, game).dice(Seat::A);
            let (mut left, mut rolls) = (position, 0);
            while left != [0; 6] {
                left = least(legal_results(left, &throw(&mut dice)), mean_of);
                rolls += 1;
            }
            moments.push(rolls);
        }
        check(&moments, mean_of(position), &format!("{position:?}"));
    }
}

#[test]
fn played_out_a_race_is_worth_its_equity() {
    let table = &bearoff().two_sided;
    let equity = |mover: Home, other: Home| {
        let board = Board {
            mover: side(mover),
            other: side(other),
        };
        table.equity(&board, CubeState::Cubeless).unwrap()
    };
    for (case, start) in [
        [[1, 1, 1, 1, 1, 1], [2, 0, 2, 0, 0, 1]],
        [[0, 0, 0, 0, 0, 6], [0, 0, 0, 3, 3, 0]],
        [[0, 0, 2, 0, 1, 0], [0, 1, 1, 0, 1, 0]],
    ]
    .into_iter()
    .enumerate()
    {
        let mut moments = Moments::default();
        for game in 0..4_000 {
            let mut dice = BlockKey::new(100 + case as u64, game).dice(Seat::A);
            let [mut mover, mut other] = start;
            let mut sign = 1;
            while other != [0; 6] {
                let ends = legal_results(mover, &throw(&mut dice));
                let end = least(ends, |end| equity(other, end));
                (mover, other, sign) = (other, end, -sign);
            }
            // The side that just moved is done: the one on roll has lost.
            moments.push(-sign);
        }
        check(&moments, equity(start[0], start[1]), &format!("{start:?}"));
    }
}

/// Whether a sample agrees with an exact mean.
fn check(moments: &Moments, exact: f64, name: &str) {
    let mean = moments.mean().expect("games");
    let error = moments.standard_error().expect("games");
    let off = (mean - exact).abs() / error;
    assert!(off < TOLERANCE, "{name}: {mean} ± {error}, exact {exact}");
}

/// The bytes of a build on so many threads.
fn bytes_on<D: Database>(threads: usize, index: Index) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool").install(|| D::build(index).payload())
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let few = Index::new(5, 7).unwrap();
    assert_eq!(bytes_on::<OneSided>(1, few), bytes_on::<OneSided>(3, few));
    let pairs = Index::new(3, 6).unwrap();
    assert_eq!(
        bytes_on::<TwoSided>(1, pairs),
        bytes_on::<TwoSided>(3, pairs)
    );
}

/// The databases as hashes: the same bytes on every machine.
#[test]
fn fingerprints() {
    let hash = |payload: Vec<u8>| blake3::hash(&payload).to_hex()[..16].to_owned();
    let one_sided = hash(bearoff().one_sided.payload());
    let two_sided = hash(bearoff().two_sided.payload());
    assert_eq!(
        [one_sided, two_sided],
        ["7a2cbc6cd62473e1", "b016c64088b8539a"]
    );
}

#[test]
fn a_database_is_built_once_and_then_read() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("tables");
    let index = Index::new(3, 4).unwrap();
    let built: OneSided = load_or_build(&below, index).unwrap();
    let path = below.join(file_name::<OneSided>(index));
    assert_eq!(path.file_name().unwrap(), "bearoff-one-sided-3x4.bin");
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(load_or_build::<OneSided>(&below, index).unwrap(), built);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
    assert_eq!(fs::read_dir(&below).unwrap().count(), 1);
}

#[test]
fn both_tables_come_back_from_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let Bearoff {
        one_sided,
        two_sided,
    } = bearoff();
    let path = |name: String| folder.path().join(name);
    write(&**one_sided, &path(file_name::<OneSided>(Index::HOME))).unwrap();
    write(&**two_sided, &path(file_name::<TwoSided>(Index::LAST_SIX))).unwrap();
    let again = Bearoff::load_or_build(folder.path()).unwrap();
    assert!(again.one_sided == *one_sided && again.two_sided == *two_sided);
    let shared = Arc::clone(&again.two_sided);
    let side = side([2, 0, 0, 0, 0, 1]);
    let board = Board {
        mover: side,
        other: side,
    };
    let there = std::thread::spawn(move || shared.equities(&board));
    assert_eq!(there.join().unwrap(), two_sided.equities(&board));
}

#[test]
fn a_broken_file_says_how_to_get_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.bin");
    let index = Index::new(2, 3).unwrap();
    write(&OneSided::build(index), &path).unwrap();
    let whole = fs::read(&path).unwrap();
    let message = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = read::<OneSided>(&path, index).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        let again = "; delete it and run 'racelab exact backgammon-bearoff' to build it again";
        let said = error.strip_suffix(again).expect("what to do");
        let named = format!("{}: ", path.display());
        said.strip_prefix(&named).expect("the file").to_owned()
    };
    assert_eq!(message(b"id,checkers\n"), "no bear-off database");
    assert_eq!(message(b""), "no bear-off database");
    assert_eq!(message(&whole[..20]), "only 20 bytes long");
    let length = whole.len();
    let cut = format!("{} bytes long instead of {length}", length - 1);
    assert_eq!(message(&whole[..length - 1]), cut);
    let longer = [&whole[..], b"x"].concat();
    let cut = format!("{} bytes long instead of {length}", length + 1);
    assert_eq!(message(&longer), cut);
    let changed = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        bytes
    };
    assert_eq!(
        message(&changed(16)),
        "a bear-off database of version 5, this racelab reads 1"
    );
    let other = "not the one-sided database of 2 checkers on 3 points";
    for place in [20, 24, 28] {
        assert_eq!(message(&changed(place)), other);
    }
    for place in [40, length - 40, length - 1] {
        let wrong = "its checksum is not that of its content";
        assert_eq!(message(&changed(place)), wrong);
    }
    let mut forged = changed(length - 40);
    let hash = blake3::hash(&forged[..length - 32]);
    forged[length - 32..].copy_from_slice(hash.as_bytes());
    assert_eq!(message(&forged), "its numbers are not those of a bear-off");
}

#[test]
fn what_cannot_be_is_said_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.bin");
    let error = read::<TwoSided>(&missing, Index::LAST_SIX).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}: no such file", missing.display())
    );
    let error = build::<TwoSided>(Index::HOME).unwrap_err();
    assert!(matches!(error, DatabaseError::TooLarge { .. }));
    assert_eq!(
        error.to_string(),
        "a two-sided database of 15 checkers on 6 points has 54264 positions of a side, more than \
         3003; ask for fewer checkers or points"
    );
}
