//! Games and rolls of Parchís and Chińczyk in a second: `cargo bench --bench pachisi`.
//!
//! First a table by processor time, medians of five rounds, then criterion, whose groups count
//! games of a tournament and rolls of the bare loop.

#[path = "support/races.rs"]
mod races;

use races::Case;

const fn case(
    game: &'static str,
    preset: &'static str,
    [bot, seats]: [&'static str; 2],
    totals: [u64; 2],
) -> Case {
    Case {
        game,
        preset,
        rules: &[],
        bot,
        seats,
        checked: 20,
        totals,
        games: 500,
    }
}

const CASES: &[Case] = &[
    case("parchis", "default", ["random", "AC"], [3_561, 55]),
    case("parchis", "default", ["random", "ABCD"], [6_819, 330]),
    case("parchis", "default", ["greedy", "AC"], [3_515, 63]),
    case("parchis", "default", ["greedy", "ABCD"], [7_578, 399]),
    case("chinczyk", "default", ["random", "AC"], [3_475, 73]),
    case("chinczyk", "default", ["random", "ABCD"], [6_970, 362]),
    case("chinczyk", "default", ["greedy", "AC"], [2_002, 46]),
    case("chinczyk", "default", ["greedy", "ABCD"], [3_934, 209]),
];

fn main() {
    races::main("pachisi", CASES);
}
