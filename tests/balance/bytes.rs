//! The same bytes for any number of threads, in one run or in three.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use racelab::experiment::balance::run::{self, Look, Options};
use racelab::experiment::balance::spec::StudySpec;
use racelab::experiment::folder::Earlier;
use racelab::experiment::study_folder::{BALANCE, StudyFolder};
use racelab::games::mensch::Mensch;

use super::{Lab, SMALL};

#[test]
fn one_two_and_seven_threads() {
    let lab = Lab::new();
    let one = lab.study(&format!("{SMALL} --threads 1"), "one");
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "bots.csv",
            "effects.csv",
            "game.csv",
            "report.html",
            "run.json",
            "seats.csv",
            "spec.toml",
            "state.json",
            "verdict.txt",
            "verdicts.csv"
        ]
    );
    for threads in [2, 7] {
        let other = lab.study(
            &format!("{SMALL} --threads {threads}"),
            &format!("out{threads}"),
        );
        assert!(one == other, "{threads} threads make other bytes");
    }
    // The spec in the folder plays the same study again.
    let again = lab.study("one/spec.toml", "again");
    assert!(one == again, "the resolved spec makes other bytes");
    assert!(
        one["verdict.txt"]
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
}

/// Undecided at smaller budgets and gone on with by other numbers of threads: the bytes of one run.
#[test]
fn a_larger_budget_goes_on_from_an_undecided_study() {
    let lab = Lab::new();
    let with = |budget: u64, blocks: u64| {
        SMALL
            .replace("--budget 40000", &format!("--budget {budget}"))
            .replace(
                "--strategy-blocks 150",
                &format!("--strategy-blocks {blocks}"),
            )
    };
    let whole = lab.study(&with(60_000, 230), "whole");
    lab.study(&format!("{} --threads 1", with(40_000, 200)), "x");
    lab.study(&format!("{} --threads 7 --resume", with(51_000, 200)), "x");
    let seen = lab.seen(&format!(
        "balance {} --quiet --out x --resume",
        with(50_000, 200)
    ));
    assert!(seen.contains("holds a run of another spec"), "{seen}");
    let larger = lab.study(&format!("{} --threads 2 --resume", with(60_000, 230)), "x");
    assert!(whole == larger, "a study in three steps has other bytes");
}

/// Stopped after the second and the ninth look, and gone on with: the same counts as in one run.
#[test]
fn three_runs_are_one() {
    let text = "game = 'mensch'\nseats = ['AC']\noptions = ['one_out']\nbots = ['run-home', 'greedy']\n\
                effect_blocks = 1500\nstrategy_blocks = 150\nluck_blocks = 100\nbudget = 20000";
    let study = StudySpec::parse(text).unwrap().resolve::<Mensch>().unwrap();
    let play = |state: &mut run::StudyState, looks: usize, folder: Option<&StudyFolder>| {
        let (stop, seen) = (AtomicBool::new(false), Cell::new(0));
        let watch = |_: &Look<'_, Mensch>| {
            seen.set(seen.get() + 1);
            stop.store(seen.get() >= looks, Ordering::Relaxed);
        };
        let options = Options {
            threads: 2,
            checkpoint: Duration::from_secs(60),
            stop: &stop,
            watch: &watch,
        };
        run::run(&study, state, folder, &options).unwrap()
    };
    let mut whole = study.fresh();
    assert!(play(&mut whole, usize::MAX, None));

    let place = tempfile::tempdir().unwrap();
    let spec = study.spec.to_toml();
    let open = |earlier| {
        StudyFolder::open(place.path(), BALANCE, &spec, earlier)
            .unwrap()
            .unwrap()
    };
    let first = open(Earlier::Refuse);
    assert!(!play(&mut study.fresh(), 2, Some(&first)));
    drop(first);
    let mut finished = false;
    for looks in [7, usize::MAX] {
        let folder = open(Earlier::Resume);
        let mut state = folder.load(&study.counts_id()).unwrap().unwrap();
        finished = play(&mut state, looks, Some(&folder));
        if finished {
            assert!(state == whole, "a resumed study has other counts");
        }
    }
    assert!(finished);
}
