//! Shows that each optimiser finds the optimum of a noisy objective whose optimum is known, and what it costs:
//! `cargo run --release --example tune_synthetic -- results/tune-synthetic`.
//!
//! Writes `loss.csv`, a row for each method and every 300 blocks played: by how much the true score of what the method holds
//! best is below the optimum, the median of 20 seeds. `loss.svg` draws it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use racelab::stats::optimise::synthetic::{Hill, axes, means};
use racelab::stats::optimise::{CmaEs, Ntbea, NtbeaSettings, Race, Spsa};

const SEEDS: u64 = 20;
/// Blocks of one evaluation.
const BLOCKS: usize = 50;
/// The steps of a block score in a race.
const STEPS: u32 = 1_000;
/// The methods and the loss that their median must stay below in the end, in points of share.
const METHODS: [(&str, Method, f64); 4] = [
    ("spsa", spsa, 1.0),
    ("cma-es", cma_es, 1.0),
    ("ntbea", ntbea, 1.0),
    ("racing", racing, 0.01),
];

/// After each generation: blocks played so far, and the loss of what is held best.
type Method = fn(&Hill, u64) -> Vec<(usize, f64)>;

/// On the grid of the methods for finite sets, too, and far from where the others start.
fn hill() -> Hill {
    Hill {
        optimum: vec![1.0, -1.0, 2.0],
    }
}

fn spsa(hill: &Hill, seed: u64) -> Vec<(usize, f64)> {
    let (mut walk, mut losses) = (Spsa::new(axes(3), &[-4.0; 3], 300, 0.2, seed), Vec::new());
    for generation in 0..300 {
        let pair = walk.ask();
        let scores = hill.play(&pair, generation, BLOCKS, seed);
        let sum = |of: usize| scores[of].iter().sum::<f64>();
        walk.tell(sum(0) - sum(1));
        losses.push((2 * BLOCKS, hill.loss(&walk.best())));
    }
    losses
}

fn cma_es(hill: &Hill, seed: u64) -> Vec<(usize, f64)> {
    let (mut search, mut losses) = (
        CmaEs::new(axes(3), &[-4.0; 3], 8, 32, seed),
        Vec::<(usize, f64)>::new(),
    );
    while losses.iter().map(|loss| loss.0).sum::<usize>() < 600 * BLOCKS {
        let candidates = search.ask();
        let scores = hill.play(&candidates, losses.len() as u32, BLOCKS, seed);
        search.tell(&means(&scores));
        losses.push((candidates.len() * BLOCKS, hill.loss(&search.best())));
    }
    losses
}

/// Nine values for each parameter, −4 to 4.
fn number(index: usize) -> f64 {
    f64::from(index as u32) - 4.0
}

fn ntbea(hill: &Hill, seed: u64) -> Vec<(usize, f64)> {
    let settings = NtbeaSettings {
        runs: 1,
        neighbours: 50,
        exploration: 1.0,
    };
    let (mut search, mut losses) = (Ntbea::new(vec![9; 3], settings, seed), Vec::new());
    let numbers = |point: &Vec<usize>| -> Vec<f64> { point.iter().map(|&i| number(i)).collect() };
    for generation in 0..600 {
        let points: Vec<Vec<f64>> = search.ask().iter().map(numbers).collect();
        search.tell(&means(&hill.play(&points, generation, BLOCKS, seed)).values);
        losses.push((BLOCKS, hill.loss(&numbers(&search.best()[0]))));
    }
    losses
}

/// Twelve points, two of them the optimum and its neighbour.
fn racing(hill: &Hill, seed: u64) -> Vec<(usize, f64)> {
    let field: Vec<Vec<f64>> = (0..12_u32)
        .map(|i| {
            let spread = f64::from(i) - 5.0;
            vec![1.0 + spread, -1.0, 2.0 - spread / 2.0]
        })
        .collect();
    let (mut race, mut losses) = (Race::new(field.len(), STEPS, 0.05), Vec::new());
    for round in 0..400 {
        if race.is_decided() {
            break;
        }
        let asked: Vec<Vec<f64>> = race.ask().iter().map(|&i| field[i].clone()).collect();
        let scores = hill.play(&asked, round, BLOCKS, seed);
        let steps = |score: &f64| {
            let share = score.clamp(0.0, 1.0);
            (0..=STEPS)
                .rev()
                .find(|&step| f64::from(step) <= share * f64::from(STEPS))
                .unwrap_or(0)
        };
        let blocks: Vec<Vec<u32>> = scores
            .iter()
            .map(|scores| scores.iter().map(steps).collect())
            .collect();
        race.tell(&blocks);
        losses.push((asked.len() * BLOCKS, hill.loss(&field[race.leader()])));
    }
    losses
}

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    match write(Path::new(&folder)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tune_synthetic: {folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes both files; whether every method came near enough.
fn write(folder: &Path) -> std::io::Result<bool> {
    let mut csv = "method,blocks,loss\n".to_owned();
    let mut curves = Vec::new();
    let mut all_near = true;
    for (name, method, near) in METHODS {
        let mut runs = Vec::new();
        for seed in 1..=SEEDS {
            let mut blocks = 0;
            let mut run = Vec::new();
            for (more, loss) in method(&hill(), seed) {
                blocks += more;
                run.push((blocks, loss));
            }
            runs.push(run);
        }
        let last = median(runs.iter().map(|run| run.last().map_or(1.0, |end| end.1)));
        let verdict = if 100.0 * last < near {
            "found"
        } else {
            "NOT FOUND"
        };
        println!(
            "{name}: median loss {:.3} points, optimum {verdict}",
            100.0 * last
        );
        all_near &= 100.0 * last < near;
        let curve = curve(&runs);
        for (blocks, loss) in &curve {
            let _ = writeln!(csv, "{name},{blocks},{loss:.6}");
        }
        curves.push((name, curve));
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join("loss.csv"), csv)?;
    fs::write(folder.join("loss.svg"), svg(&curves))?;
    Ok(all_near)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median loss at every 300 blocks; a run that has ended stays where it is.
fn curve(runs: &[Vec<(usize, f64)>]) -> Vec<(usize, f64)> {
    let at = |run: &Vec<(usize, f64)>, blocks: usize| {
        let reached = run.iter().take_while(|point| point.0 <= blocks).last();
        reached.map(|point| point.1)
    };
    (1..=100)
        .map(|step| step * 300)
        .filter_map(|blocks| {
            let losses: Option<Vec<f64>> = runs.iter().map(|run| at(run, blocks)).collect();
            Some((blocks, median(losses?.into_iter())))
        })
        .collect()
}

/// Lines over blocks, the loss in points on a logarithmic axis from 0.01 to 100.
fn svg(curves: &[(&str, Vec<(usize, f64)>)]) -> String {
    let x = |blocks: f64| 60.0 + blocks / 30_000.0 * 480.0;
    let y = |loss: f64| 300.0 - ((100.0 * loss).max(0.01).log10() + 2.0) / 4.0 * 270.0;
    let mut out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 350\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"640\" height=\"350\" fill=\"white\"/>\n"
        .to_owned();
    for power in -2..=2 {
        let loss = 10.0_f64.powi(power);
        let level = y(loss / 100.0);
        let _ = writeln!(
            out,
            "<path d=\"M60 {level:.1}H540\" stroke=\"#ddd\"/><text x=\"54\" y=\"{:.1}\" text-anchor=\"end\">{loss}</text>",
            level + 4.0
        );
    }
    for blocks in [0_u32, 10_000, 20_000, 30_000] {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"318\" text-anchor=\"middle\">{blocks}</text>",
            x(blocks.into())
        );
    }
    out.push_str(
        "<text x=\"300\" y=\"340\" text-anchor=\"middle\">blocks played</text>\n\
         <text x=\"60\" y=\"18\">points of score below the optimum, median of 20 seeds</text>\n",
    );
    for ((name, points), colour) in curves
        .iter()
        .zip(["#c1272d", "#0071bc", "#2e8b57", "#8a2be2"])
    {
        let line: Vec<String> = points
            .iter()
            .map(|&(blocks, loss)| format!("{:.1} {:.1}", x(blocks as f64), y(loss)))
            .collect();
        let _ = writeln!(
            out,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join("L")
        );
        let end = points.last().map_or(300.0, |&(_, loss)| y(loss));
        let _ = writeln!(
            out,
            "<text x=\"546\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            end + 4.0
        );
    }
    out + "</svg>\n"
}
