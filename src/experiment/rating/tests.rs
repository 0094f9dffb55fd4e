use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::rounds::{Options, Rounds, RoundsState, run};
use super::rows;
use crate::experiment::spec::Spec;
use crate::games::mensch::Mensch;
use crate::stats::plackett_luce::{Goodness, Prior, bradley_terry};

fn goodness(wins: [[u64; 3]; 3]) -> Goodness {
    let wins: Vec<Vec<u64>> = wins.iter().map(|row| row.to_vec()).collect();
    let rankings = bradley_terry(&wins).unwrap();
    rankings.fit(Prior::None).unwrap().goodness(&rankings)
}

#[test]
fn a_circle_is_named_and_an_order_is_not() {
    let circle = goodness([[0, 70, 40], [30, 0, 65], [60, 35, 0]]);
    assert_eq!(rows::circle(&circle, 3), Some([0, 1, 2]));
    let other_way = goodness([[0, 30, 60], [70, 0, 35], [40, 65, 0]]);
    assert_eq!(rows::circle(&other_way, 3), Some([0, 2, 1]));
    // A circle whose last link is within the noise, and an order.
    let loose = goodness([[0, 70, 48], [30, 0, 65], [52, 35, 0]]);
    assert_eq!(rows::circle(&loose, 3), None);
    let order = goodness([[0, 70, 80], [30, 0, 65], [20, 35, 0]]);
    assert_eq!(rows::circle(&order, 3), None);
}

#[test]
fn pairs_are_told_from_both_sides() {
    let circle = goodness([[0, 70, 40], [30, 0, 65], [60, 35, 0]]);
    let bots = ["a", "b", "c"].map(str::to_owned);
    let rows = rows::met(&circle, &bots);
    assert_eq!(rows.len(), 6);
    for both in rows.chunks(2) {
        assert_eq!(
            (&both[0].bot, &both[0].other),
            (&both[1].other, &both[1].bot)
        );
        assert!((both[0].share + both[1].share - 1.0).abs() < 1e-9);
        assert!((both[0].misfit + both[1].misfit).abs() < 1e-9);
    }
    let payoffs = rows::payoffs(&circle, 3).unwrap();
    assert_eq!(payoffs[0], [0.5, 0.7, 0.4]);
    // One pair that never met.
    let open = goodness([[0, 7, 4], [3, 0, 0], [6, 0, 0]]);
    assert_eq!(rows::payoffs(&open, 3), None);
}

/// Broken off after every few blocks of a pair, and gone on with from what was saved: the same counts.
#[test]
fn pairs_may_be_broken_off() {
    let text = "game = 'mensch'\nseats = 'AC'\nbots = ['racer', 'greedy', 'random']\nschedule = 'SCHEDULE'\nblocks = 110";
    for schedule in ["swiss", "adaptive"] {
        let spec = Spec::parse(&text.replace("SCHEDULE", schedule)).unwrap();
        let experiment = spec.resolve::<Mensch>().unwrap();
        let rounds = Rounds::new(&experiment).unwrap();
        let mut whole = rounds.fresh();
        let never = AtomicBool::new(false);
        let hour = Duration::from_secs(3600);
        let quiet = Options {
            threads: 2,
            stop: &never,
            pause: hour,
            watch: &|_| Ok(()),
        };
        assert!(run(&rounds, &mut whole, &quiet).unwrap());

        let mut state = rounds.fresh();
        let mut parts = 0;
        loop {
            let stop = AtomicBool::new(false);
            let watch = |state: &RoundsState| {
                // The first look of every run ends it.
                stop.store(state.part.blocks > 0, Ordering::Relaxed);
                Ok(())
            };
            let options = Options {
                threads: 3,
                stop: &stop,
                pause: Duration::ZERO,
                watch: &watch,
            };
            if run(&rounds, &mut state, &options).unwrap() {
                break;
            }
            parts += 1;
            let saved = serde_json::to_string(&state).unwrap();
            state = serde_json::from_str(&saved).unwrap();
        }
        assert!(parts > 10, "{schedule}: broken off {parts} times");
        assert!(state == whole, "{schedule}: other counts");
    }
}
