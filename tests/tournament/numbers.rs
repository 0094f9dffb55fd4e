//! The numbers of the tables add up, and a second computation from `games.csv` agrees.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use insta::assert_snapshot;
use serde_json::Value;

use super::Lab;

type Row = BTreeMap<String, String>;

fn number(row: &Row, column: &str) -> f64 {
    let cell = &row[column];
    cell.parse()
        .unwrap_or_else(|_| panic!("{column}: '{cell}'"))
}

fn count(row: &Row, column: &str) -> u64 {
    row[column]
        .parse()
        .unwrap_or_else(|_| panic!("{column}: '{}'", row[column]))
}

#[track_caller]
fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 2e-6, "{a} is not {b}");
}

fn sum(rows: &[Row], column: &str) -> u64 {
    rows.iter().map(|row| count(row, column)).sum()
}

#[test]
fn the_tables_add_up() {
    let lab = Lab::new();
    for (number_of_run, (line, games_per_block)) in [
        ("--bots greedy,random,rear --seats AC", 6),
        ("--bots greedy,random --seatings all", 14),
        ("--bots greedy,random,rear,racer,run-home", 20),
        (
            "--bots greedy,random,rear --seats ABC --schedule one-against-all",
            18,
        ),
        (
            "--bots greedy,random,rear --schedule gauntlet --cap 400",
            16,
        ),
        ("--bots random", 1),
    ]
    .into_iter()
    .enumerate()
    {
        let blocks = 12;
        let out = number_of_run.to_string();
        let files = lab.play(
            &format!("--game mensch {line} --blocks {blocks} --games-csv --name x"),
            &out,
        );
        let run: Value = serde_json::from_str(&files["run.json"]).unwrap();
        let [summary, pairs, line_ups, lengths, games] =
            ["summary", "pairs", "line_ups", "lengths", "games"]
                .map(|name| lab.rows(&format!("{out}/{name}.csv")));
        let all = blocks * games_per_block;
        let capped = run["capped"].as_u64().unwrap();
        assert_eq!(capped > 0, line.contains("--cap"), "{line}");
        assert_eq!(run["games"].as_u64(), Some(all), "{line}");
        assert_eq!(games.len() as u64, all, "{line}");
        assert_eq!(sum(&games, "rolls"), run["rolls"].as_u64().unwrap());
        assert_eq!(sum(&games, "captures"), run["captures"].as_u64().unwrap());

        let (whole, by_seat): (Vec<Row>, Vec<Row>) =
            summary.into_iter().partition(|row| row["seat"] == "all");
        assert_eq!(sum(&whole, "wins") + capped, all, "{line}");
        let seats = games[0]["seats"].len() as u64;
        assert_eq!(sum(&whole, "games"), all * seats, "{line}");
        for column in ["wins", "games", "captures_made", "captures_suffered"] {
            assert_eq!(
                sum(&whole, column),
                sum(&by_seat, column),
                "{line}: {column}"
            );
        }
        assert_eq!(
            sum(&whole, "captures_made"),
            sum(&whole, "captures_suffered")
        );
        assert_eq!(sum(&whole, "captures_made"), sum(&games, "captures"));
        let won: f64 = whole
            .iter()
            .map(|row| number(row, "share") * number(row, "games"))
            .sum();
        assert!(
            (won - (all - capped) as f64).abs() < 1e-5 * (all * seats) as f64,
            "{line}: {won}"
        );
        for row in &whole {
            assert_near(
                number(row, "share"),
                number(row, "wins") / number(row, "games"),
            );
        }

        let (mut rolls, mut turns): (Vec<Row>, Vec<Row>) = lengths
            .into_iter()
            .partition(|row| row["measure"] == "rolls");
        for rows in [&mut rolls, &mut turns] {
            assert_eq!(sum(rows, "games"), all - capped);
            assert_near(number(rows.last().unwrap(), "cumulative"), 1.0);
        }

        for row in &line_ups {
            let of_line_up = line_ups
                .iter()
                .filter(|other| other["line_up"] == row["line_up"]);
            let wins: u64 = of_line_up.map(|other| count(other, "wins")).sum();
            assert_eq!(wins + count(row, "capped"), count(row, "games"), "{line}");
        }

        for row in &pairs {
            let mirrored = pairs
                .iter()
                .find(|other| other["bot"] == row["other"] && other["other"] == row["bot"])
                .expect("every pair stands both ways");
            assert_eq!(row["better"], mirrored["worse"]);
            assert_eq!(row["same"], mirrored["same"]);
            assert_eq!(row["variance_ratio"], mirrored["variance_ratio"]);
            assert_near(number(row, "score") + number(mirrored, "score"), 1.0);
            if !row["score_low"].is_empty() {
                assert_near(
                    number(row, "score_low") + number(mirrored, "score_high"),
                    1.0,
                );
            }
            let meetings = count(row, "better") + count(row, "same") + count(row, "worse");
            assert_eq!(meetings, count(row, "meetings"), "{line}");
            let points = number(row, "better") + number(row, "same") / 2.0;
            assert_near(number(row, "score"), points / meetings as f64);
        }
    }
}

/// Mean and sample variance.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (n - 1.0))
}

#[test]
fn a_second_computation_from_the_games_agrees() {
    const BLOCKS: usize = 30;
    /// The 97.5 % point of Student's law with 29 degrees of freedom, from a printed table.
    const T: f64 = 2.045_230;
    let lab = Lab::new();
    lab.play(
        "--game mensch --bots greedy,random,rear --seats ABC --seatings all --blocks 30 --games-csv \
         --name x --seed 5",
        "x",
    );
    let [summary, pairs, games] =
        ["summary", "pairs", "games"].map(|name| lab.rows(&format!("x/{name}.csv")));
    let per_block = games.len() / BLOCKS;
    // Of each game: its block, its number in the block, and the place of each bot.
    let places: Vec<BTreeMap<&str, u32>> = games
        .iter()
        .map(|game| {
            let places = game["places"]
                .split(' ')
                .map(|place| place.parse().unwrap());
            game["bots"].split(' ').zip(places).collect()
        })
        .collect();
    for (number, game) in games.iter().enumerate() {
        assert_eq!(count(game, "block"), (number / per_block) as u64);
        assert_eq!(places[number][game["winning_bot"].as_str()], 1);
    }
    for row in summary.iter().filter(|row| row["seat"] == "all") {
        let won = |game: &BTreeMap<&str, u32>| f64::from(u8::from(game[row["bot"].as_str()] == 1));
        let shares: Vec<f64> = places
            .chunks(per_block)
            .map(|block| block.iter().map(won).sum::<f64>() / per_block as f64)
            .collect();
        let (mean, variance) = moments(&shares);
        let half = T * (variance / BLOCKS as f64).sqrt();
        assert_near(number(row, "share"), mean);
        assert_near(number(row, "share_low"), (mean - half).max(0.0));
        assert_near(number(row, "share_high"), (mean + half).min(1.0));
    }
    for row in &pairs {
        // Losers who have come equally far share a place.
        let points = |game: &BTreeMap<&str, u32>| {
            let places = (game[row["bot"].as_str()], game[row["other"].as_str()]);
            match places.0.cmp(&places.1) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 0.0,
            }
        };
        let blocks: Vec<f64> = places
            .chunks(per_block)
            .map(|block| block.iter().map(points).sum())
            .collect();
        let (mean, variance) = moments(&blocks);
        let of_game = |number: usize| {
            let all = places.iter().skip(number).step_by(per_block);
            moments(&all.map(points).collect::<Vec<f64>>()).1
        };
        let independent: f64 = (0..per_block).map(of_game).sum();
        assert_near(number(row, "score"), mean / per_block as f64);
        assert_near(number(row, "variance_ratio"), independent / variance);
        let half = T * (variance / BLOCKS as f64).sqrt() / per_block as f64;
        assert_near(
            number(row, "score_high"),
            (mean / per_block as f64 + half).min(1.0),
        );
    }
}

#[test]
fn of_capped_games_nobody_is_the_winner() {
    let lab = Lab::new();
    let files = lab.play(
        "--game mensch --bots greedy,random --cap 10 --blocks 3 --games-csv",
        "x",
    );
    let run: Value = serde_json::from_str(&files["run.json"]).unwrap();
    let warnings: Vec<&str> = run["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning.as_str().unwrap())
        .collect();
    assert_snapshot!(warnings.join("\n"), @r"
only 3 blocks: intervals are rough below 100; play more with --blocks
36 of 36 games were stopped at 10 rolls: nobody won them, pairs count them as equal; raise --cap or look for a bot that does not want to finish
1 pair scored the same in every block: see the notes in pairs.csv
");
    for row in lab.rows("x/summary.csv") {
        assert_eq!((row["wins"].as_str(), row["share"].as_str()), ("0", "0.0"));
    }
    for row in lab.rows("x/pairs.csv") {
        // Games that nobody finished are no sign that two bots play alike.
        assert!(!row["note"].contains("diverged"), "{}", row["note"]);
        assert_eq!(
            (row["same"].as_str(), row["score"].as_str()),
            (row["meetings"].as_str(), "0.5")
        );
    }
    for row in lab.rows("x/games.csv") {
        assert_eq!(
            (row["winner"].as_str(), row["capped"].as_str()),
            ("", "true")
        );
    }
    assert_eq!(
        files["lengths.csv"],
        "measure,from,to,games,share,cumulative\n"
    );
}

#[test]
fn bots_that_never_differ_are_called_that() {
    let lab = Lab::new();
    lab.write("twin.toml", "name = 'twin'\npolicy = 'greedy'");
    let files = lab.play(
        "--game mensch --bots greedy,twin.toml --blocks 150 --name x",
        "x",
    );
    assert_snapshot!(files["pairs.csv"], @r"
bot,other,blocks,meetings,better,same,worse,score,score_low,score_high,variance_ratio,note
greedy,twin,150,6000,2983,34,2983,0.5,,,,no game diverged in 150 blocks; divergence rate < 1.98e-2 (95 %)
twin,greedy,150,6000,2983,34,2983,0.5,,,,no game diverged in 150 blocks; divergence rate < 1.98e-2 (95 %)
");
    let run: Value = serde_json::from_str(&files["run.json"]).unwrap();
    assert_snapshot!(run["warnings"][0].as_str().unwrap(), @"1 pair scored the same in every block: see the notes in pairs.csv");
}

#[test]
fn one_block_has_no_intervals() {
    let lab = Lab::new();
    let files = lab.play(
        "--game mensch --bots greedy,random --seats AC --blocks 1 --name x",
        "x",
    );
    for row in lab
        .rows("x/summary.csv")
        .iter()
        .chain(&lab.rows("x/pairs.csv"))
    {
        for (column, cell) in row {
            let unknown = column.ends_with("_low") || column.ends_with("_high");
            assert!(!unknown || cell.is_empty(), "{column} is {cell}");
        }
    }
    assert!(
        files["run.json"].contains("only 1 block: "),
        "{}",
        files["run.json"]
    );
}
