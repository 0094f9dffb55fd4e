//! Random games of wildbg's move generator, counted and timed; prints one JSON line, for
//! `backgammon_peers.py`.
//!
//! wildbg hands out a new list of all positions for every roll; the allocator is that of its own
//! benches. Before it plays, its plays from the start are counted: 447 for one roll, and for two
//! rolls the number of `cargo bench --bench backgammon`. Further words name files of GNU Position
//! IDs, one a line, whose plays must be the four totals of wildbg's benchmark positions.
//!
//! `backgammon-wildbg-random GAMES [SEED [CONTACT RACE]]`

use engine::dice::{ALL_21, Dice};
use engine::position::{GameState, Position, STARTING};
use mimalloc::MiMalloc;

#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

/// The plays from the start, each of the 21 rolls once.
const PLAYS_OF_ONE_ROLL: usize = 447;
/// The plays of two rolls from the start, each of the 21 rolls once.
const PLAYS_OF_TWO_ROLLS: usize = 202_782;
/// The plays of wildbg's 1,000 contact and 1,000 race positions: doubles, mixed rolls.
const PLAYS_OF_CONTACT: (usize, usize) = (218_356, 185_957);
const PLAYS_OF_RACE: (usize, usize) = (140_720, 122_570);

fn plays(position: &Position, rolls: impl Fn(&Dice) -> bool) -> Vec<Position> {
    let rolls = ALL_21
        .iter()
        .map(|(dice, _)| dice)
        .filter(|dice| rolls(dice));
    rolls
        .flat_map(|dice| position.all_positions_after_moving(dice))
        .collect()
}

fn plays_of_file(path: &str) -> (usize, usize) {
    let ids = std::fs::read_to_string(path).expect("a file of position ids");
    let positions: Vec<Position> = ids.lines().map(position).collect();
    let total = |double| {
        let is_wanted = |dice: &Dice| matches!(dice, Dice::Double(_)) == double;
        positions
            .iter()
            .map(|position| plays(position, is_wanted).len())
            .sum()
    };
    (total(true), total(false))
}

/// The position of a GNU Position ID: for the opponent, then for the side on roll, a run of ones as
/// long as the stack of every point, from the own ace point to the bar, each closed by a zero.
fn position(id: &str) -> Position {
    let digit = |letter| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = id.bytes().map(digit).collect();
    let bit = |index: usize| {
        let (byte, bit) = (index / 8, index % 8);
        let from_left = byte * 8 + 7 - bit;
        digits
            .get(from_left / 6)
            .is_some_and(|digit| digit >> (5 - from_left % 6) & 1 == 1)
    };
    let mut pips = [0i8; 26];
    let mut at = 0;
    for stack in 0..50 {
        while bit(at) {
            match stack {
                0..25 => pips[24 - stack] -= 1,
                _ => pips[stack - 24] += 1,
            }
            at += 1;
        }
        at += 1;
    }
    Position::try_from(pips).expect("a position")
}

/// Plays one game, whose first roll is no double; the rolls.
fn play(random: &mut fastrand::Rng) -> u64 {
    let mut position = STARTING;
    let mut rolls = 0;
    while position.game_state() == GameState::Ongoing {
        let (a, b) = (random.usize(1..=6), random.usize(1..=6));
        if rolls == 0 && a == b {
            continue;
        }
        rolls += 1;
        let plays = position.all_positions_after_moving(&Dice::new(a, b));
        position = plays[random.usize(..plays.len())];
    }
    rolls
}

fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = words
        .first()
        .and_then(|word| word.parse().ok())
        .expect("GAMES [SEED]");
    let seed = words.get(1).map_or(1, |word| word.parse().expect("a seed"));
    let first = plays(&STARTING, |_| true);
    assert_eq!(first.len(), PLAYS_OF_ONE_ROLL, "other plays of one roll");
    let second: usize = first
        .iter()
        .map(|position| plays(position, |_| true).len())
        .sum();
    assert_eq!(second, PLAYS_OF_TWO_ROLLS, "other plays of two rolls");
    if let [_, _, contact, race] = &words[..] {
        assert_eq!(
            plays_of_file(contact),
            PLAYS_OF_CONTACT,
            "other plays of contact"
        );
        assert_eq!(plays_of_file(race), PLAYS_OF_RACE, "other plays of race");
    }
    let mut random = fastrand::Rng::with_seed(seed);
    let began = cpu_seconds();
    let rolls: u64 = (0..games).map(|_| play(&mut random)).sum();
    let seconds = cpu_seconds() - began;
    println!(
        "{{\"peer\": \"wildbg\", \"games\": {games}, \"rolls\": {rolls}, \
         \"cpu_seconds\": {seconds:.6}, \"games_per_cpu_second\": {:.3}}}",
        games as f64 / seconds
    );
}
