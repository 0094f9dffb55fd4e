//! Random games of the crate bkgm, counted and timed; prints one JSON line, for `backgammon_bkgm.py`.
//!
//! bkgm hands out a new list of all positions for every roll; the allocator and the generator of
//! random numbers are those of its own benches. Before it plays, its plays of two rolls from the
//! start are counted: the number is that of `cargo bench --bench backgammon`.
//!
//! `backgammon-bkgm-random GAMES [SEED]`

use bkgm::dice::ALL_21;
use bkgm::variants::BACKGAMMON;
use bkgm::{ClassicRules, Dice, GameState, Position, State, legal_positions_with};
use mimalloc::MiMalloc;

#[global_allocator]
static GLOBAL: MiMalloc = MiMalloc;

/// The plays of two rolls from the start, each of the 21 rolls once.
const PLAYS_OF_TWO_ROLLS: usize = 202_782;

fn plays(position: Position<15>, dice: &Dice) -> Vec<Position<15>> {
    legal_positions_with::<ClassicRules, 15>(position, dice)
}

fn plays_of_two_rolls() -> usize {
    let first = ALL_21.iter().flat_map(|(dice, _)| plays(BACKGAMMON, dice));
    let second = |position: Position<15>| {
        let lengths = ALL_21.iter().map(|(dice, _)| plays(position, dice).len());
        lengths.sum::<usize>()
    };
    first.map(second).sum()
}

/// Plays one game, whose first roll is no double; the rolls.
fn play(random: &mut fastrand::Rng) -> u64 {
    let mut position = BACKGAMMON;
    let mut rolls = 0;
    while let GameState::Ongoing = position.game_state() {
        let (a, b) = (random.usize(1..=6), random.usize(1..=6));
        if rolls == 0 && a == b {
            continue;
        }
        rolls += 1;
        let plays = plays(position, &Dice::new(a, b));
        position = plays[random.usize(..plays.len())];
    }
    rolls
}

fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let games = numbers.next().and_then(Result::ok).expect("GAMES [SEED]");
    let seed = numbers.next().map_or(1, |seed| seed.expect("a seed"));
    assert_eq!(plays_of_two_rolls(), PLAYS_OF_TWO_ROLLS, "other plays");
    let mut random = fastrand::Rng::with_seed(seed);
    let began = cpu_seconds();
    let rolls: u64 = (0..games).map(|_| play(&mut random)).sum();
    let seconds = cpu_seconds() - began;
    println!(
        "{{\"peer\": \"bkgm\", \"games\": {games}, \"rolls\": {rolls}, \
         \"cpu_seconds\": {seconds:.6}, \"games_per_cpu_second\": {:.3}}}",
        games as f64 / seconds
    );
}
