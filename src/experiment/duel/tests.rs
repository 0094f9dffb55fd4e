use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::run::{Options, run};
use super::*;
use crate::experiment::runner::play_blocks;
use crate::experiment::spec::{Experiment, Spec};
use crate::experiment::table::TableSpec;
use crate::games::mensch::Mensch;

fn table(seats: &str) -> Mensch {
    let spec = TableSpec {
        seats: Some(seats.parse().unwrap()),
        ..TableSpec::of("mensch")
    };
    spec.game().unwrap()
}

fn duel(seats: &str, bots: [&str; 2], direction: Direction, settings: Settings) -> Duel<Mensch> {
    let bots = bots.map(|bot| Bot::find(bot).unwrap());
    Duel::new(table(seats), bots, direction, settings).unwrap()
}

fn played(duel: &Duel<Mensch>, threads: usize) -> DuelState {
    let mut state = duel.fresh();
    assert!(run(duel, &mut state, &Options::quiet(threads)).unwrap());
    state
}

/// Nothing is ever decided at this level.
const NEVER: Settings = Settings {
    test: Test::EProcess,
    margin: None,
    alpha: 1e-300,
    max_blocks: 90,
    seed: 3,
    first_block: 0,
    cap: DEFAULT_CAP,
};

#[test]
fn the_scores_are_those_of_a_tournament() {
    let spec = Spec::parse(
        "game = 'mensch'\nseats = 'ABCD'\nschedule = 'one-against-all'\nblocks = 90\nseed = 3\n\
         bots = ['racer', 'greedy']",
    );
    let experiment: Experiment<Mensch> = spec.unwrap().resolve().unwrap();
    let tally = play_blocks(&experiment, 0..90);
    // Line-up 0 is one racer against three greedy, line-up 1 one greedy against three racers; members ascend.
    for (line_up, direction) in [Direction::OneAgainstMany, Direction::ManyAgainstOne]
        .into_iter()
        .enumerate()
    {
        let state = played(&duel("ABCD", ["racer", "greedy"], direction, NEVER), 2);
        assert_eq!(state.grid().counts(), tally.line_ups[line_up].wins[0]);
        assert_eq!((state.blocks, state.games, state.capped), (90, 360, 0));
        assert_eq!(state.verdict, Verdict::Undecided);
    }
}

#[test]
fn a_clear_difference_is_found_from_both_sides() {
    let settings = Settings::default();
    for (bots, direction, verdict) in [
        (
            ["racer", "random"],
            Direction::OneAgainstMany,
            Verdict::Stronger,
        ),
        (
            ["racer", "random"],
            Direction::ManyAgainstOne,
            Verdict::Stronger,
        ),
        (
            ["random", "racer"],
            Direction::OneAgainstMany,
            Verdict::Weaker,
        ),
        (
            ["random", "racer"],
            Direction::ManyAgainstOne,
            Verdict::Weaker,
        ),
    ] {
        let duel = duel("ABCD", bots, direction, settings);
        let state = played(&duel, 2);
        let outcome = duel.outcome(&state);
        let ends = outcome.share.unwrap().interval.unwrap();
        let elo = outcome.elo.unwrap().value;
        assert_eq!(state.verdict, verdict, "{bots:?} {direction}");
        assert!(state.blocks < 2_000);
        if verdict == Verdict::Stronger {
            assert!(ends.low >= duel.fair() && elo > 0.0);
        } else {
            assert!(ends.high <= duel.fair() && elo < 0.0);
        }
    }
}

#[test]
fn a_bot_against_itself_is_degenerate_by_either_test() {
    let gsprt = Test::Gsprt {
        elo0: 0.0,
        elo1: 5.0,
        beta: 0.05,
    };
    for (test, blocks) in [(Test::EProcess, 618), (gsprt, 1_001)] {
        let settings = Settings {
            test,
            ..Settings::default()
        };
        let duel = duel(
            "AC",
            ["racer", "racer"],
            Direction::OneAgainstMany,
            settings,
        );
        let state = played(&duel, 2);
        let outcome = duel.outcome(&state);
        assert_eq!((state.verdict, state.diverged), (Verdict::Degenerate, 0));
        assert_eq!(state.blocks, blocks);
        assert_eq!(
            (outcome.llr, outcome.variance_ratio, outcome.superiority),
            (None, None, None)
        );
        assert!(outcome.divergence_limit.unwrap() < 3.0 / blocks as f64);
    }
}

#[test]
fn few_blocks_or_capped_games_do_not_show_that_bots_play_alike() {
    let gsprt = Test::Gsprt {
        elo0: 0.0,
        elo1: 5.0,
        beta: 0.05,
    };
    for (test, cap, max_blocks) in [
        (Test::EProcess, DEFAULT_CAP, 20),
        (gsprt, DEFAULT_CAP, 20),
        (Test::EProcess, 1, 20),
        (gsprt, 1, 1_100),
    ] {
        let settings = Settings {
            test,
            max_blocks,
            cap,
            ..Settings::default()
        };
        let one = Direction::OneAgainstMany;
        let duel = duel("AC", ["racer", "racer"], one, settings);
        let state = played(&duel, 2);
        assert_eq!((state.verdict, state.diverged), (Verdict::Undecided, 0));
        let limit = duel.outcome(&state).divergence_limit;
        assert_eq!(limit.is_some(), cap == DEFAULT_CAP);
    }
}

#[test]
fn the_gsprt_accepts_one_of_its_hypotheses() {
    let settings = |elo0, elo1| Settings {
        test: Test::Gsprt {
            elo0,
            elo1,
            beta: 0.05,
        },
        ..Settings::default()
    };
    for (elo0, elo1, verdict) in [
        (0.0, 50.0, Verdict::AcceptsH1),
        (1_000.0, 1_100.0, Verdict::AcceptsH0),
    ] {
        for direction in [Direction::OneAgainstMany, Direction::ManyAgainstOne] {
            let duel = duel("ABCD", ["racer", "random"], direction, settings(elo0, elo1));
            let state = played(&duel, 1);
            assert_eq!(state.verdict, verdict, "{elo0} {direction}");
            let llr = duel.outcome(&state).llr.unwrap();
            assert!(llr.abs() >= 2.944 && (llr > 0.0) == (verdict == Verdict::AcceptsH1));
        }
    }
}

/// One thread, many, or one that is told to stop after every chunk.
#[test]
fn threads_and_interruptions_change_nothing() {
    let settings = Settings {
        max_blocks: 110,
        ..NEVER
    };
    let duel = duel(
        "AC",
        ["racer", "random"],
        Direction::OneAgainstMany,
        settings,
    );
    let one = played(&duel, 1);
    assert_eq!(played(&duel, 2), one);
    assert_eq!(played(&duel, 7), one);

    let stop = AtomicBool::new(false);
    let looks = Cell::new(0);
    let watch = |_: &DuelState| {
        looks.set(looks.get() + 1);
        stop.store(true, Ordering::Relaxed);
        Ok(())
    };
    let options = Options {
        threads: 2,
        stop: &stop,
        watch: &watch,
    };
    let mut text = serde_json::to_string(&duel.fresh()).unwrap();
    loop {
        let mut state: DuelState = serde_json::from_str(&text).unwrap();
        stop.store(false, Ordering::Relaxed);
        let is_over = run(&duel, &mut state, &options).unwrap();
        text = serde_json::to_string(&state).unwrap();
        if is_over {
            break;
        }
    }
    assert_eq!(text, serde_json::to_string(&one).unwrap());
    assert_eq!(looks.get(), 6);
}

#[test]
fn other_blocks_are_other_dice() {
    let from = |first_block| {
        let settings = Settings {
            first_block,
            max_blocks: 40,
            ..NEVER
        };
        let duel = duel(
            "AC",
            ["racer", "random"],
            Direction::OneAgainstMany,
            settings,
        );
        played(&duel, 1)
    };
    assert_ne!(from(0).scores, from(40).scores);
}

#[test]
fn a_game_without_a_winner_is_shared() {
    let settings = Settings {
        cap: 10,
        max_blocks: 20,
        ..NEVER
    };
    for (direction, score) in [
        (Direction::OneAgainstMany, 4),
        (Direction::ManyAgainstOne, 12),
    ] {
        let state = played(&duel("ABCD", ["racer", "random"], direction, settings), 1);
        assert_eq!((state.games, state.capped), (80, 80));
        assert_eq!(state.scores.counts()[score], 20);
        assert_eq!(state.grid().steps(), 16);
    }
}

#[test]
fn elo_is_the_same_question_in_both_directions() {
    let many = duel(
        "ABCD",
        ["racer", "random"],
        Direction::ManyAgainstOne,
        NEVER,
    );
    let one = duel(
        "ABCD",
        ["racer", "random"],
        Direction::OneAgainstMany,
        NEVER,
    );
    assert!((one.elo(0.30).unwrap() - 43.66).abs() < 5e-3);
    assert!((many.elo(0.70).unwrap() + 43.66).abs() < 5e-3);
    assert!((many.elo(many.fair()).unwrap()).abs() < 1e-9);
    assert_eq!((one.elo(0.0), many.elo(1.0)), (None, None));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |settings| {
        let bots = ["racer", "random"].map(|bot| Bot::find(bot).unwrap());
        let duel = Duel::new(table("ABCD"), bots, Direction::OneAgainstMany, settings);
        duel.err().unwrap().to_string()
    };
    let settings = Settings::default();
    let margin = Some("25pt".parse().unwrap());
    assert_eq!(
        refused(Settings { margin, ..settings }),
        "margin: 25pt is not below the fair share of 25pt; ask for less"
    );
    let alpha = f64::NAN;
    assert_eq!(
        refused(Settings { alpha, ..settings }),
        "alpha: NaN; expected above 0 and at most 0.5, e.g. 0.05"
    );
    let max_blocks = 0;
    assert_eq!(
        refused(Settings {
            max_blocks,
            ..settings
        }),
        "max_blocks: 0; expected 1 to 1000000000000"
    );
    let test = Test::Gsprt {
        elo0: 5.0,
        elo1: 5.0,
        beta: 0.05,
    };
    assert_eq!(
        refused(Settings { test, ..settings }),
        "elo0, elo1: 5 and 5; expected elo0 below elo1, both between -2000 and 2000, e.g. 0 and 5"
    );
    let bots = ["racer", "net"].map(|bot| Bot::find(bot).unwrap());
    let error = Duel::new(table("AC"), bots, Direction::OneAgainstMany, settings);
    let error = error.err().unwrap().to_string();
    assert!(error.starts_with(
        "bots: bot 'net': policy 'net' does not play mensch; policies that do: random"
    ));
}
