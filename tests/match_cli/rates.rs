//! How often the tests of a match are wrong and how many blocks they take, on blocks whose law is known.
//!
//! `cargo test --release --test match_cli error_rates -- --ignored --nocapture` prints the table of docs/ratings.md.

use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::Seat;
use racelab::stats::gsprt::{self, Bounds, Model};
use racelab::stats::{ErrorRates, ScoreCounts, Verdict, eprocess};

/// Chances of 0, 1, … wins in a block of four, in millionths.
type Law = [u64; 5];

/// Four independent games, each won with chance `share`.
#[allow(clippy::cast_sign_loss)] // Chances are not negative.
fn independent(share: f64) -> Law {
    let lost = 1.0 - share;
    let mut law: Law = [
        lost.powi(4),
        4.0 * lost.powi(3) * share,
        6.0 * lost.powi(2) * share.powi(2),
        4.0 * lost * share.powi(3),
        share.powi(4),
    ]
    .map(|chance: f64| u64::from((1e6 * chance) as u32));
    law[0] += 1_000_000 - law.iter().sum::<u64>();
    law
}

/// Shared dice and bots that play alike in 99 of 100 moves: nearly always one win in four, variance 0.011; `tilt`
/// millionths are moved from no win to two.
fn shared(tilt: u64) -> Law {
    [85_000 - tilt, 833_000, 79_000 + tilt, 3_000, 0]
}

fn mean(law: &Law) -> f64 {
    (0..)
        .zip(law)
        .map(|(wins, &chance)| f64::from(wins) * chance as f64)
        .sum::<f64>()
        / 4e6
}

fn draw(law: &Law, random: &mut Stream) -> u32 {
    let mut ticket = random.below(law.iter().sum());
    for (wins, &chance) in (0..).zip(law) {
        if ticket < chance {
            return wins;
        }
        ticket -= chance;
    }
    unreachable!("the ticket is below the sum")
}

/// Wrong verdicts and mean blocks of both tests, looked at every 50 blocks.
fn trial(
    law: &Law,
    [null, alternative]: [f64; 2],
    right: Verdict,
    repetitions: u64,
) -> [(u64, f64); 2] {
    const MOST: u64 = 100_000;
    let rates = ErrorRates::PERCENT_5;
    let model = Model::Mean { null, alternative };
    let mut sums = [(0, 0.0); 2];
    for repetition in 0..repetitions {
        let mut random = BlockKey::new(2026, repetition).stream(Purpose::Bot, Seat::A);
        let mut counts = ScoreCounts::from_counts(vec![0; 5]).unwrap();
        let mut said = [None; 2];
        while said.contains(&None) && counts.blocks() < MOST {
            for _ in 0..50 {
                counts.push(draw(law, &mut random)).unwrap();
            }
            let bet = eprocess::verdict(&counts, null, alternative, rates).unwrap();
            let ratio = gsprt::llr(&counts, model);
            let ratio = ratio.map_or(Verdict::Open, |llr| Bounds::new(rates).verdict(llr));
            for (said, verdict) in said.iter_mut().zip([bet, ratio]) {
                if said.is_none() && verdict != Verdict::Open {
                    *said = Some((verdict, counts.blocks()));
                }
            }
        }
        for ((wrong, blocks), said) in sums.iter_mut().zip(said) {
            let (verdict, after) = said.unwrap_or((Verdict::Open, MOST));
            *wrong += u64::from(verdict != right && verdict != Verdict::Open);
            *blocks += after as f64 / repetitions as f64;
        }
    }
    sums
}

#[test]
fn the_laws_are_those_of_the_table() {
    let variance = |law: &Law| {
        let mean = mean(law);
        let square = |wins: i32| (f64::from(wins) / 4.0 - mean).powi(2);
        (0..)
            .zip(law)
            .map(|(wins, &chance)| square(wins) * chance as f64 / 1e6)
            .sum::<f64>()
    };
    for share in [0.25, 0.26] {
        assert!((mean(&independent(share)) - share).abs() < 1e-5);
    }
    assert!((variance(&independent(0.25)) - 0.047).abs() < 5e-4);
    assert!((mean(&shared(0)) - 0.25).abs() < 1e-9);
    assert!((mean(&shared(10_000)) - 0.255).abs() < 1e-9);
    assert!((variance(&shared(0)) - 0.011).abs() < 5e-4);
}

/// Few repetitions: the e-process keeps its promise, and both decide.
#[test]
fn a_few_repetitions() {
    let [bet, ratio] = trial(&independent(0.25), [0.25, 0.29], Verdict::Null, 100);
    assert!(bet.0 <= 8 && ratio.0 <= 12, "{bet:?} {ratio:?}");
    assert!(bet.1 < 1_500.0 && ratio.1 < bet.1, "{bet:?} {ratio:?}");
}

/// The table of the trade-off, 1,000 repetitions of each row.
#[test]
#[ignore = "minutes; the numbers stand in docs/ratings.md"]
fn error_rates() {
    let repetitions = 1_000;
    println!("blocks       H0/H1      truth  e-process: errors, blocks  GSPRT: errors, blocks");
    for (name, law, hypotheses, right) in [
        (
            "independent",
            independent(0.25),
            [0.25, 0.26],
            Verdict::Null,
        ),
        (
            "independent",
            independent(0.26),
            [0.25, 0.26],
            Verdict::Alternative,
        ),
        ("shared dice", shared(0), [0.25, 0.255], Verdict::Null),
        (
            "shared dice",
            shared(10_000),
            [0.25, 0.255],
            Verdict::Alternative,
        ),
    ] {
        let [bet, ratio] = trial(&law, hypotheses, right, repetitions);
        let percent = |wrong: u64| 100.0 * wrong as f64 / repetitions as f64;
        let truth = if right == Verdict::Null { "H0" } else { "H1" };
        println!(
            "{name}  {}/{:<5}  {truth}     {:>9.1} %, {:>7.0}    {:>9.1} %, {:>7.0}",
            hypotheses[0],
            hypotheses[1],
            percent(bet.0),
            bet.1,
            percent(ratio.0),
            ratio.1
        );
        // Three standard errors above the promise: 5 % and, of the asymptotic test, what was measured once.
        assert!(percent(bet.0) <= 5.0, "{bet:?}");
        assert!(percent(ratio.0) <= 7.1, "{ratio:?}");
    }
}
