//! Games and rolls of the Baikal race in a second: `cargo bench --bench baikal`.
//!
//! First a table by processor time, medians of five rounds, then criterion, whose groups count
//! games of a tournament and rolls of the bare loop. Sprint and Classic ask nobody, so their bot
//! does not matter.

#[path = "support/races.rs"]
mod races;

use races::Case;

const fn case(
    preset: &'static str,
    rules: &'static [&'static str],
    [bot, seats]: [&'static str; 2],
    games: u64,
    totals: [u64; 2],
) -> Case {
    Case {
        game: "baikal",
        preset,
        rules,
        bot,
        seats,
        checked: 20,
        totals,
        games,
    }
}

const OCTAGON: &[&str] = &["board=8x12"];

const CASES: &[Case] = &[
    case("sprint", &[], ["random", "AC"], 4000, [1_360, 14]),
    case("sprint", &[], ["random", "ABCD"], 2000, [2_230, 63]),
    case(
        "sprint",
        OCTAGON,
        ["random", "ABCDEFGH"],
        500,
        [10_508, 290],
    ),
    case("classic", &[], ["random", "AC"], 4000, [2_024, 7]),
    case("classic", &[], ["random", "ABCD"], 2000, [3_383, 85]),
    case(
        "classic",
        OCTAGON,
        ["random", "ABCDEFGH"],
        500,
        [12_676, 341],
    ),
    case("serious", &[], ["random", "AC"], 1000, [1_813, 33]),
    case("serious", &[], ["random", "ABCD"], 500, [3_538, 178]),
    case(
        "serious",
        OCTAGON,
        ["random", "ABCDEFGH"],
        100,
        [13_065, 889],
    ),
    case("serious", &[], ["greedy", "AC"], 1000, [1_422, 44]),
    case("serious", &[], ["greedy", "ABCD"], 500, [3_621, 277]),
    case(
        "serious",
        OCTAGON,
        ["greedy", "ABCDEFGH"],
        100,
        [14_551, 1_475],
    ),
];

fn main() {
    races::main("baikal", CASES);
}
