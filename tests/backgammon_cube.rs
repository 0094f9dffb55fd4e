//! The cube model against GNU Backgammon's cube decisions, fed with its own cubeless probabilities.
//!
//! GNU Backgammon looks two plies ahead with the cube, the model not at all: what differs is what
//! the next rolls tell. `cargo test --test backgammon_cube -- --nocapture` prints the table.

use std::collections::BTreeMap;
use std::fs;

use racelab::games::backgammon::board::{Board, Side};
use racelab::games::backgammon::cube::wastage::effective_pips;
use racelab::games::backgammon::cube::{
    Chances, Crawford, CubeContext, CubeLife, CubeOwner, CubeVerdict, Double, MatchScore, Met,
    Stakes, decide,
};
use racelab::games::backgammon::net::{Evaluator, Search};
use serde_json::Value;

/// Decisions closer than this may go either way.
const CLEAR: f64 = 0.02;
/// Share of the clear decisions whether to double that must be answered alike, in each kind: a
/// little below the worst, 15 of 16.
const FLOOR: f64 = 0.92;

/// What was compared and found for one kind of decision.
#[derive(Default)]
struct Kind {
    /// Clear decisions whether to double, and those answered alike.
    doubles: (u32, u32),
    /// Clear decisions whether to take, and those answered alike.
    takes: (u32, u32),
    /// Cubes that cannot be turned to any use, and those recognised.
    unavailable: (u32, u32),
    /// Rows.
    rows: u32,
    /// Sums of the errors without a double, of their squares, and the same of a double taken.
    errors: [f64; 4],
}

impl Kind {
    fn add(&mut self, row: &Value, verdict: &CubeVerdict) {
        let number = |key: &str| row[key].as_f64().expect("an equity");
        let (none, taken) = (number("eq_no_double"), number("eq_double_take"));
        let offer = taken.min(number("eq_double_pass"));
        if row["double"] == "unavailable" {
            count(&mut self.unavailable, verdict.double == Double::Unavailable);
        } else {
            if (none - offer).abs() > CLEAR {
                count(&mut self.doubles, verdict.doubles() == (none < offer));
            }
            if (taken - 1.0).abs() > CLEAR {
                count(&mut self.takes, verdict.takes() == (taken < 1.0));
            }
        }
        let (no_double, double_take) = (verdict.no_double - none, verdict.double_take - taken);
        let errors = [
            no_double,
            no_double * no_double,
            double_take,
            double_take * double_take,
        ];
        for (sum, error) in self.errors.iter_mut().zip(errors) {
            *sum += error;
        }
        self.rows += 1;
    }

    /// Root mean square errors without a double and of a double taken.
    fn errors(&self) -> [f64; 2] {
        let mean = |sum: f64| (sum / f64::from(self.rows)).sqrt();
        [mean(self.errors[1]), mean(self.errors[3])]
    }
}

fn count(tally: &mut (u32, u32), alike: bool) {
    tally.0 += 1;
    tally.1 += u32::from(alike);
}

fn golden(name: &str) -> String {
    let path = format!(
        "{}/tests/golden/backgammon/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn chances(row: &Value) -> Chances {
    let number = |key: &str| row["cubeless_probs"][key].as_f64().expect("a probability");
    Chances {
        win: number("win"),
        win_g: number("win_g"),
        win_bg: number("win_bg"),
        lose_g: number("lose_g"),
        lose_bg: number("lose_bg"),
    }
}

fn context(row: &Value) -> CubeContext {
    let number = |key: &str| row[key].as_u64().expect("a count");
    let flag = |key: &str| row[key].as_bool().expect("a flag");
    let owner = match row["cube_owner"].as_str() {
        Some("centre") => CubeOwner::Centre,
        Some("on_roll") => CubeOwner::Mine,
        _ => CubeOwner::Theirs,
    };
    let length = number("match_length");
    let stakes = if length == 0 {
        Stakes::Money {
            jacoby: flag("jacoby"),
            beavers: flag("beavers"),
        }
    } else {
        let away = |key: &str| u16::try_from(length - number(key)).expect("a distance");
        let (me, opponent) = (away("score_on_roll"), away("score_opponent"));
        let crawford = match (flag("crawford"), me.min(opponent)) {
            (true, _) => Crawford::Now,
            (false, 1) => Crawford::After,
            (false, _) => Crawford::Before,
        };
        Stakes::Match(MatchScore::new(me, opponent, crawford).expect("a score"))
    };
    CubeContext {
        owner,
        value: u32::try_from(number("cube")).expect("a cube"),
        stakes,
    }
}

/// A side from 25 counts: points 1 to 24, then the bar.
fn side(row: &Value) -> Side {
    let mut counts = [0; 26];
    for (count, found) in counts[1..]
        .iter_mut()
        .zip(row.as_array().expect("25 counts"))
    {
        *count = found
            .as_u64()
            .and_then(|n| u8::try_from(n).ok())
            .expect("a count");
    }
    counts[0] = 15 - counts[1..].iter().sum::<u8>();
    Side::from_counts(&counts)
}

/// The verdicts on GNU Backgammon's own probabilities.
fn kinds() -> BTreeMap<String, Kind> {
    kinds_by(|row, _| chances(row))
}

/// The verdicts on the probabilities that `chances` sees.
fn kinds_by(mut chances: impl FnMut(&Value, &Board) -> Chances) -> BTreeMap<String, Kind> {
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for line in golden("cube_decisions.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let board = Board {
            mover: side(&row["on_roll"]),
            other: side(&row["opponent"]),
        };
        let life = CubeLife::of(&board);
        let seen = chances(&row, &board);
        let verdict = decide(&seen, &context(&row), Met::kazaross_xg2(), life);
        let kind = row["kind"].as_str().expect("a kind").to_string();
        kinds.entry(kind).or_default().add(&row, &verdict);
    }
    kinds
}

fn print(kinds: &BTreeMap<String, Kind>) {
    let share = |(all, alike): (u32, u32)| format!("{alike}/{all}");
    println!(
        "{:<22}{:>5}{:>9}{:>9}{:>13}{:>14}{:>16}",
        "kind", "rows", "double", "take", "unavailable", "rms no double", "rms double/take"
    );
    for (name, kind) in kinds {
        let [none, taken] = kind.errors();
        println!(
            "{name:<22}{:>5}{:>9}{:>9}{:>13}{none:>14.4}{taken:>16.4}",
            kind.rows,
            share(kind.doubles),
            share(kind.takes),
            share(kind.unavailable),
        );
    }
}

#[test]
fn verdicts_agree_with_gnu_backgammon() {
    let kinds = kinds();
    print(&kinds);
    assert_eq!(kinds.values().map(|kind| kind.rows).sum::<u32>(), 278);
    for (name, kind) in &kinds {
        let (cubes, recognised) = kind.unavailable;
        assert_eq!(recognised, cubes, "{name}: unavailable cubes");
        let (takes, taken) = kind.takes;
        assert_eq!(taken, takes, "{name}: takes");
        let (doubles, doubled) = kind.doubles;
        let share = f64::from(doubled) / f64::from(doubles.max(1));
        assert!(
            doubles == 0 || share >= FLOOR,
            "{name}: {doubled} of {doubles} doubles"
        );
    }
}

/// Doubles and takes answered alike among the clear ones of these kinds.
fn alike(kinds: &BTreeMap<String, Kind>, is_meant: impl Fn(&str) -> bool) -> f64 {
    let meant = kinds.iter().filter(|(name, _)| is_meant(name));
    let (mut all, mut alike) = (0, 0);
    for (_, kind) in meant {
        all += kind.doubles.0 + kind.takes.0;
        alike += kind.doubles.1 + kind.takes.1;
    }
    f64::from(alike) / f64::from(all)
}

/// The nets, without search and looking one roll ahead, decide about the cube as GNU Backgammon
/// does in 85 of 100 clear money decisions and in 75 of 100 at a match score.
#[test]
fn the_nets_agree_with_gnu_backgammon() {
    let nets = Evaluator::shipped();
    let mut search = Search::default();
    let kinds = [
        kinds_by(|_, board| nets.evaluate(board)),
        kinds_by(|_, board| search.chances(&nets, board)),
    ];
    for (kinds, rolls) in kinds.iter().zip(["no search", "one roll ahead"]) {
        println!("nets, {rolls}");
        print(kinds);
        let is_money = |name: &str| name.starts_with("money");
        let money = alike(kinds, is_money);
        let matches = alike(kinds, |name| !is_money(name));
        println!("alike: money {money:.3}, match {matches:.3}");
        assert!(money >= 0.85, "{rolls}: money {money}");
        assert!(matches >= 0.75, "{rolls}: match {matches}");
    }
}

#[test]
fn equities_are_near_those_of_gnu_backgammon() {
    for (name, kind) in kinds() {
        let [none, taken] = kind.errors();
        assert!(none < 0.08, "{name}: {none} without a double");
        assert!(taken < 0.06, "{name}: {taken} for a double taken");
    }
}

/// Where the cube is dead or not to be had, nothing is left to a model.
#[test]
fn cubes_without_use_are_exact() {
    let kinds = kinds();
    for name in ["crawford", "match_deadcube", "postcrawford_leader"] {
        let none = kinds[name].errors()[0];
        assert!(none < 0.0001, "{name}: {none}");
    }
}

/// The estimate of the effective pip count against exact bear-offs.
#[test]
fn effective_pips_are_near_exact_bear_offs() {
    let text = golden("bearoff_one_sided.csv");
    let (mut rows, mut squares) = (0, 0.0);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let mut counts = [0; 26];
        for (count, cell) in counts[1..7].iter_mut().zip(cells[1].split(' ')) {
            *count = cell.parse().expect("a count");
        }
        let exact: f64 = cells[5].parse().expect("pips");
        let error = effective_pips(Side::from_counts(&counts)) - exact;
        squares += error * error;
        rows += 1;
    }
    let error = (squares / f64::from(rows)).sqrt();
    println!("effective pips: root mean square error {error:.3} in {rows} bear-offs");
    assert!(rows > 100 && error < 1.3, "{error} in {rows} bear-offs");
}
