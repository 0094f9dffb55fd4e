//! What the studies find where it is known.

use racelab::experiment::balance::decide::Answer;
use racelab::experiment::balance::results::{Question, Results};
use racelab::experiment::balance::run::{self, Options};
use racelab::experiment::balance::spec::StudySpec;
use racelab::games::mensch::Mensch;

fn found(text: &str) -> Results {
    let study = StudySpec::parse(text).unwrap().resolve::<Mensch>().unwrap();
    let mut state = study.fresh();
    let options = Options {
        threads: 2,
        checkpoint: std::time::Duration::from_secs(60),
        stop: &std::sync::atomic::AtomicBool::new(false),
        watch: &|_| {},
    };
    assert!(run::run(&study, &mut state, None, &options).unwrap());
    Results::new(&study, &state)
}

/// Opposite corners are nearly balanced; neighbours are not, the first seat wins three games of five.
#[test]
fn neighbours_are_not_balanced_and_opposite_corners_are() {
    let results = found(
        "game = 'mensch'\nseats = ['AC', 'AB']\nbots = ['racer']\nmargin = '3pt'\nstrategy_blocks = 0\nluck_blocks = 0",
    );
    let answer = |seats: &str| {
        let mut rows = results.verdicts.iter();
        let row = rows
            .find(|row| row.question == Question::Seats && row.seats == seats && row.bot == "all");
        row.unwrap().answer
    };
    assert_eq!(answer("AC"), Answer::Balanced);
    assert!(
        matches!(answer("AB"), Answer::Unbalanced(_)),
        "{:?}",
        results.verdicts
    );
}

/// Four seats instead of two are a factor like a house rule: longer games, and how much more an option changes in them.
#[test]
fn another_set_of_seats_is_an_effect_too() {
    let results = found(
        "game = 'mensch'\nseats = ['AC', 'ABCD']\noptions = ['one_out', 'tries=3,1']\nbots = ['greedy']\n\
         effect_blocks = 1000\nbudget = 8000\nmargin = '5pt'\nstrategy_blocks = 0\nluck_blocks = 0",
    );
    let of = |kind: &str, effect: &str, metric: &str| {
        let mut rows = results.effects.iter();
        rows.find(|row| row.kind == kind && row.effect == effect && row.metric == metric)
            .cloned()
    };
    let seats = "seats: AC → ABCD";
    let mean = |seats: &str| {
        let rows = results.game.iter();
        let rows = rows.filter(|row| row.seats == seats && row.metric == "rolls");
        let means: Vec<f64> = rows.map(|row| row.value.0.unwrap()).collect();
        assert_eq!(means.len(), 4);
        means.iter().sum::<f64>() / 4.0
    };
    // All questions stop after the same 1,000 blocks, so the means of the game are those of the effect.
    let rolls = of("seats", seats, "rolls").unwrap();
    assert!((rolls.change.0.unwrap() - (mean("ABCD") - mean("AC"))).abs() < 1e-5);
    assert!(
        rolls.low.0.unwrap() > 200.0 && rolls.p.0.unwrap() < 1e-9,
        "{rolls:?}"
    );
    let change = |seats: &str, effect: &str| {
        let mut rows = results.effects.iter();
        let row =
            rows.find(|row| row.seats == seats && row.effect == effect && row.metric == "rolls");
        row.unwrap().change.0.unwrap()
    };
    for option in ["one_out: false → true", "tries: 3 → 1"] {
        let more = of("seats-interaction", &format!("{option} × {seats}"), "rolls").unwrap();
        let expected = change("ABCD", option) - change("AC", option);
        assert!((more.change.0.unwrap() - expected).abs() < 1e-5, "{more:?}");
    }
    // The share of one seat of two is not compared with that of one of four, and nothing belongs to the named question.
    assert_eq!(of("seats", seats, "first_seat"), None);
    assert!(
        results
            .effects
            .iter()
            .all(|row| !row.named || row.kind == "main")
    );
}

/// A bot that always captures when it can is not touched by the duty to capture.
#[test]
fn an_option_that_never_acts_has_effect_0_and_is_said_so() {
    let results = found(
        "game = 'mensch'\nseats = ['AC']\noptions = ['capture_gives_roll', 'may_pass']\nbots = ['greedy']\n\
         effect_blocks = 1000\nbudget = 8000\nstrategy_blocks = 0\nluck_blocks = 0",
    );
    let of = |effect: &str, metric: &str| {
        let mut rows = results.effects.iter();
        let row = rows.find(|row| {
            row.kind == "main" && row.effect.starts_with(effect) && row.metric == metric
        });
        row.unwrap()
    };
    // Greedy never passes.
    let never = of("may_pass", "rolls");
    assert_eq!(
        (never.change.0, never.games_changed.0),
        (Some(0.0), Some(0.0))
    );
    assert_eq!(
        never.note,
        "the option never acted for this bot: the effect is exactly 0"
    );
    let acts = of("capture_gives_roll", "turns");
    assert!(
        acts.games_changed.0 > Some(0.5) && acts.p.0 < Some(1e-6),
        "{acts:?}"
    );
}

/// The mean luck is 0, luck explains more than nothing and less than all, and the stronger bot wins more.
#[test]
fn luck_and_skill() {
    let results = found(
        "game = 'mensch'\nseats = ['AC']\nbots = ['racer', 'random']\nbudget = 20000\nstrategy_blocks = 500\n\
         luck_blocks = 400",
    );
    assert!(results.failures.is_empty(), "{:?}", results.failures);
    let value = |metric: &str, bots: &str| {
        let mut rows = results.game.iter();
        rows.find(|row| row.metric == metric && row.bots == bots)
            .unwrap()
            .value
            .0
            .unwrap()
    };
    let luck = value("luck_share", "racer");
    assert!(luck > 0.3 && luck < 0.95, "{luck}");
    assert!(value("strong_share", "racer against random") > 0.8);
    let strategies = results
        .verdicts
        .iter()
        .find(|row| row.question == Question::Strategies)
        .unwrap();
    assert!(
        matches!(strategies.answer, Answer::Unbalanced(_)),
        "{strategies:?}"
    );
}
