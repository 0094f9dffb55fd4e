//! The naive model of Mensch ärgere dich nicht against the golden rows, the counts and the examples of its rules page.

#[path = "support/mensch_examples.rs"]
mod mensch_examples;
#[path = "support/naive_mensch.rs"]
mod naive_mensch;

use std::collections::HashMap;
use std::ops::Range;

use mensch_examples::{EXAMPLES, MAY_PASS, MAY_PASS_OPTIONS, PERFT, SEQUENCES, SWITCHES, TRIES};
use naive_mensch::{
    Choice, LANE, Move, NaiveRules, Next, Position, START, StartCounts, YARD, choices, distance,
    legal, move_name, perft, places, play, random_game, results, tries_of_a_new_turn,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

/// The default rules with some options set: `rules("lane_jump=true tries=1")`.
fn rules(options: &str) -> NaiveRules {
    let mut rules = NaiveRules::default();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("name=value");
        rules
            .set(name, value)
            .unwrap_or_else(|| panic!("no option {option}"));
    }
    rules
}

fn position(text: &str) -> Position {
    Position::parse(text).unwrap_or_else(|| panic!("no position: {text}"))
}

/// The legal moves as the rules page writes them, `–` if there are none.
fn legal_names(rules: &NaiveRules, position: &Position, die: u8) -> String {
    let moves = legal(rules, position, die);
    if moves.is_empty() {
        return "–".to_string();
    }
    let names: Vec<String> = moves.iter().map(|&m| move_name(position, m)).collect();
    names.join(" ")
}

/// What follows the tokens in the text of a position: `to=A tries=2`.
fn next_of(text: &str) -> &str {
    let start = text.find("to=").or_else(|| text.find("won="));
    &text[start.expect("to= or won=")..]
}

#[test]
fn every_golden_row_is_reproduced() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    for line in include_str!("golden/mensch.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a JSON object");
        let mut rules = NaiveRules::default();
        for (name, value) in row["rules"].as_object().expect("rules") {
            rules
                .set(name, &value.to_string())
                .unwrap_or_else(|| panic!("no option {name}={value}"));
        }
        let text = row["position"].as_str().expect("position");
        let die = row["dice"][0].as_u64().expect("a die") as u8;
        let results = results(&rules, &position(text), die);
        if row["results"] != Value::from(results.clone()) {
            wrong.push(format!("{line}\n  here: {results:?}"));
        }
        rows += 1;
    }
    assert_eq!(rows, 2000);
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn golden_positions_are_printed_as_they_were_read() {
    for line in include_str!("golden/mensch.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a JSON object");
        let results = row["results"].as_array().expect("results");
        for text in results.iter().chain([&row["position"]]) {
            let text = text.as_str().expect("a text");
            assert_eq!(position(text).print(), text);
        }
    }
}

#[test]
fn the_parser_takes_any_token_order_and_missing_defaults() {
    for (given, canonical) in [
        (
            "A:L2,r0,H,H C:r19,H,r28,H to=A",
            "A:H,H,r0,L2 C:H,H,r28,r19 to=A",
        ),
        (
            "B:H,H,H,r9 D:H,H,H,H to=D tries=1",
            "B:H,H,H,r9 D:H,H,H,H to=D",
        ),
        (
            "A:L4,L3,L2,L1 C:H,H,H,L1 won=A",
            "A:L1,L2,L3,L4 C:H,H,H,L1 won=A",
        ),
    ] {
        assert_eq!(position(given).print(), canonical);
    }
}

#[test]
fn what_is_no_position_is_refused() {
    for text in [
        "",
        "A:H,H,H,H to=A",                        // one seat
        "A:H,H,H C:H,H,H,H to=A",                // three tokens
        "A:H,H,H,H,H C:H,H,H,H to=A",            // five tokens
        "A:H,H,H,r40 C:H,H,H,H to=A",            // no such cell
        "A:H,H,H,r01 C:H,H,H,H to=A",            // no such name
        "A:H,H,H,L5 C:H,H,H,H to=A",             // no such cell
        "A:H,H,r3,r3 C:H,H,H,H to=A",            // two tokens on a ring cell
        "A:H,H,H,r3 C:H,H,H,r3 to=A",            // two colours on a ring cell
        "A:H,H,L3,L3 C:H,H,H,H to=A",            // two tokens on a lane cell
        "A:H,H,H,H C:H,H,H,H to=B",              // a vacant seat
        "A:H,H,H,H C:H,H,H,H",                   // nobody to roll
        "A:H,H,H,H C:H,H,H,H to=A tries=4",      // too many tries
        "A:H,H,H,H C:H,H,H,H to=A tries=0",      // too few tries
        "A:L1,L2,L3,L4 C:H,H,H,H to=C",          // a winner, not named
        "A:H,L2,L3,L4 C:H,H,H,H won=A",          // no winner
        "A:L1,L2,L3,L4 C:L1,L2,L3,L4 won=A",     // two winners
        "A:L1,L2,L3,L4 C:H,H,H,H won=A tries=2", // a field too many
        "A:H,H,H,H A:H,H,H,H C:H,H,H,H to=A",    // a seat twice
        "C:H,H,H,H A:H,H,H,H to=A",              // seats out of order
        "A:H,H,H,H  C:H,H,H,H to=A",             // two spaces
        "A:H,H,H,H C:H,H,H,H to=A ",             // a space at the end
        "A:H,H,H,H E:H,H,H,H to=A",              // no such seat
    ] {
        assert_eq!(Position::parse(text), None, "{text:?}");
    }
}

/// Compares the counts of 3.7 that lie in a range, which is about the time they take.
fn check_perft(range: Range<u64>) {
    for (options, text, counts) in PERFT {
        for (depth, &count) in (1..).zip(*counts) {
            if range.contains(&count) {
                let sequences = perft(&rules(options), &position(text), depth);
                assert_eq!(sequences, count, "{text} {options} at depth {depth}");
            }
        }
    }
}

#[test]
fn perft_counts_match() {
    check_perft(0..2_000_000);
}

#[test]
#[ignore = "takes minutes"]
fn deep_perft_counts_match() {
    check_perft(2_000_000..u64::MAX);
}

#[test]
fn games_start_as_the_rules_say() {
    for (options, seats, text) in [
        ("", &[0, 2][..], "A:H,H,H,H C:H,H,H,H to=A tries=3"),
        ("tries=1", &[1, 3], "B:H,H,H,H D:H,H,H,H to=B"),
        (
            "one_out=true",
            &[0, 1, 2],
            "A:H,H,H,r0 B:H,H,H,r10 C:H,H,H,r20 to=A",
        ),
    ] {
        assert_eq!(Position::start(&rules(options), seats).print(), text);
    }
}

#[test]
fn examples_have_the_legal_moves_and_the_next_roll_of_the_rules_page() {
    for (id, text, options, die, moves, next) in EXAMPLES.iter().chain(SWITCHES) {
        let (rules, position) = (rules(options), position(text));
        let found = legal_names(&rules, &position, *die);
        assert_eq!(found, *moves, "{id}: {text} {options} die {die}");
        for result in results(&rules, &position, *die) {
            let expected = next_of(&result) == *next;
            assert!(
                expected,
                "{id}: {text} {options} die {die}: {result}, not {next}"
            );
        }
    }
}

#[test]
fn any_roll_may_be_declined_with_may_pass() {
    let rules = rules(MAY_PASS_OPTIONS);
    for &(text, die, expected) in MAY_PASS {
        assert_eq!(
            results(&rules, &position(text), die),
            expected,
            "{text} die {die}"
        );
    }
}

/// P12.
#[test]
fn three_tries_need_an_empty_ring_and_a_lane_closed_from_the_end() {
    for &(cells, tries) in TRIES {
        let own = position(&format!("A:{cells} C:H,H,H,H to=A")).own(0);
        for options in ["", "lane_jump=true"] {
            assert_eq!(tries_of_a_new_turn(&rules(options), own), tries, "{cells}");
        }
        assert_eq!(tries_of_a_new_turn(&rules("tries=1"), own), 1, "{cells}");
    }
}

/// P24 and P24b.
#[test]
fn ranking_counts_lane_tokens_then_distance_and_shares_places() {
    let both = [StartCounts::One, StartCounts::Zero];
    let p24 = position("A:L1,L2,L3,L4 B:H,r9,L2,L4 C:H,r19,r18,L4 D:H,H,L1,L4 won=A");
    for start_counts in both {
        assert_eq!(places(&p24, start_counts), [(0, 1), (1, 2), (2, 4), (3, 3)]);
    }
    let distances = [0, 1, 2, 3].map(|seat| distance(p24.own(seat), StartCounts::One));
    assert_eq!(distances, [170, 126, 123, 85]);

    let p24b = position("A:L1,L2,L3,L4 B:H,H,H,H C:H,H,H,H D:H,H,H,r30 won=A");
    let [one, zero] = both.map(|start_counts| places(&p24b, start_counts));
    assert_eq!(one, [(0, 1), (1, 3), (2, 3), (3, 2)]);
    assert_eq!(zero, [(0, 1), (1, 2), (2, 2), (3, 2)]);
}

/// Plays dice through positions without a choice; the moves made and the position reached.
fn play_forced(rules: &NaiveRules, text: &str, dice: &[u8]) -> (String, String) {
    let mut position = position(text);
    let mut names = Vec::new();
    for &die in dice {
        names.push(legal_names(rules, &position, die));
        let choices = choices(rules, &position, die);
        assert_eq!(choices.len(), 1, "{} die {die}", position.print());
        position = play(rules, &position, die, choices[0]);
    }
    (names.join(" "), position.print())
}

#[test]
fn sequences_of_the_rules_page() {
    for (id, text, dice, moves, reached) in SEQUENCES {
        let expected = (moves.to_string(), reached.to_string());
        assert_eq!(
            play_forced(&NaiveRules::default(), text, dice),
            expected,
            "{id}"
        );
    }
    let eighth_six = legal_names(
        &NaiveRules::default(),
        &position("A:H,r0,r6,r18 C:H,H,H,H to=A"),
        6,
    );
    assert_eq!(eighth_six, "r6>r12 r18>r24", "F23");
}

/// Adds up the probability of each position of A in which the next seat is to roll for the first time.
///
/// The first legal move stands for all: choices come late in a chain of sixes (F23), with two or more tokens out.
fn add_first_turn(
    rules: &NaiveRules,
    position: &Position,
    probability: f64,
    sums: &mut HashMap<[i8; 4], f64>,
) {
    if position.roller() != 0 {
        *sums.entry(position.own(0)).or_default() += probability;
        return;
    }
    if probability < 1e-13 {
        return; // a chain of sixes too rare to see
    }
    for die in 1..=6 {
        let after = play(rules, position, die, choices(rules, position, die)[0]);
        add_first_turn(rules, &after, probability / 6.0, sums);
    }
}

/// F9 and F10, which contain F1.
#[test]
fn first_turn_has_the_exact_distribution() {
    for (options, stay, near, far, pair, two_out) in [
        (
            "",
            125. / 216.,
            91. / 1296.,
            91. / 7776.,
            91. / 46656.,
            91. / 7776.,
        ),
        ("one_out=true", 0., 1. / 6., 1. / 36., 1. / 216., 1. / 36.),
    ] {
        let rules = rules(options);
        let mut sums = HashMap::new();
        add_first_turn(&rules, &Position::start(&rules, &[0, 2]), 1.0, &mut sums);
        let close = |own: [i8; 4], expected: f64| {
            let found = sums.get(&own).copied().unwrap_or_default();
            assert!(
                (found - expected).abs() < 1e-10,
                "{options} {own:?} {found}"
            );
        };
        close([YARD; 4], stay);
        for k in 1..=5 {
            close([YARD, YARD, YARD, k], near);
            close([YARD, YARD, YARD, k + 6], far);
            close([YARD, YARD, k, 6], pair);
        }
        let out_twice = |own: &[i8; 4]| own.iter().filter(|&&offset| offset >= START).count() >= 2;
        let found: f64 = sums
            .iter()
            .filter(|(own, _)| out_twice(own))
            .map(|(_, p)| p)
            .sum();
        assert!((found - two_out).abs() < 1e-10, "{options} {found}");
    }
}

/// The facts of 3.6 that need no long proof, in every position of some random games.
#[test]
fn structural_facts_hold_in_random_games() {
    let mut rng = Pcg64Mcg::seed_from_u64(36);
    for options in ["", "forced_capture=false", "lane_jump=true", "one_out=true"] {
        let rules = rules(options);
        let free = NaiveRules {
            forced_capture: false,
            ..rules.clone()
        };
        let jumping = NaiveRules {
            lane_jump: true,
            ..rules.clone()
        };
        for seats in [&[0, 2][..], &[0, 1, 2], &[0, 1, 2, 3]] {
            let mut position = Position::start(&rules, seats);
            while let Next::Roll { seat, tries } = position.next {
                let text = position.print();
                assert_eq!(Position::parse(&text).as_ref(), Some(&position));
                let own = position.own(seat);
                let yard = own.contains(&YARD);
                for die in 1..=6 {
                    let moves = legal(&rules, &position, die);
                    let within = |others: &NaiveRules| {
                        let others = legal(others, &position, die);
                        moves.iter().all(|played| others.contains(played))
                    };
                    assert!(!(yard && die == 6 && moves.is_empty()), "fact 1: {text}");
                    assert!(
                        !(yard && own.contains(&START) && moves.is_empty()),
                        "fact 2: {text} {die}"
                    );
                    if tries_of_a_new_turn(&rules, own) == 3 {
                        assert_eq!(moves.is_empty(), die != 6, "fact 3: {text} {die}");
                    } else {
                        assert_eq!(tries, 1, "fact 3: {text}");
                    }
                    assert!(within(&free), "fact 4: {text} {die}");
                    assert_eq!(
                        moves.is_empty(),
                        legal(&free, &position, die).is_empty(),
                        "fact 4: {text}"
                    );
                    assert!(within(&jumping), "fact 4: {text} {die}");
                    assert!(moves.len() <= 4, "fact 5: {text} {die}");
                    for &played in &moves {
                        check_gain(&rules, &position, die, played);
                    }
                }
                let die = rng.random_range(1..=6);
                let choices = choices(&rules, &position, die);
                position = play(
                    &rules,
                    &position,
                    die,
                    choices[rng.random_range(0..choices.len())],
                );
            }
        }
    }
}

/// Fact 6: a move gains its number, or 1 for bringing out, and costs the captured seat the token's way.
fn check_gain(rules: &NaiveRules, position: &Position, die: u8, played: Move) {
    let after = play(rules, position, die, Choice::Move(played));
    let gain = |seat: usize| {
        let [before, after] = [position, &after].map(|p| distance(p.own(seat), StartCounts::One));
        after - before
    };
    for seat in position.seats() {
        let expected = if seat == position.roller() {
            if played.from == YARD { 1 } else { die.into() }
        } else if played.captured == Some(seat) {
            assert!(played.to < LANE);
            let clockwise = 10 * (position.roller() as i8 - seat as i8);
            -i32::from((clockwise + played.to).rem_euclid(40) + 1)
        } else {
            0
        };
        assert_eq!(gain(seat), expected, "{} {played:?}", position.print());
    }
}

/// Means of 3.1, 3.2 and 3.4 within four standard errors: share of games won by the first seat, and rolls a game.
#[test]
fn random_games_have_the_published_means() {
    let start2 = "A:H,H,H,H C:H,H,H,H to=A tries=3";
    let start4 = "A:H,H,H,H B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A tries=3";
    #[rustfmt::skip]
    let rows = [
        ("", start2, 4000_u32, 0.5079, Some(214.175)),
        ("forced_capture=false", start2, 4000, 0.5069, Some(176.110)),
        ("lane_jump=true", start2, 4000, 0.5068, Some(195.233)),
        ("", start4, 1000, 0.2519, Some(717.170)),
        ("", "A:H,L2,L3,L4 C:H,L2,L3,L4 to=A tries=3", 20_000, 0.520_915_547_322, Some(39.428_669_734)),
        ("tries=1", "A:H,L2,L3,L4 C:H,L2,L3,L4 to=A", 20_000, 0.515_980_191_435, Some(36.611_304_463)),
        ("", "A:r0,L2,L3,L4 C:r20,L2,L3,L4 to=A", 20_000, 0.526_524_836_897, Some(26.719_615_269)),
        ("", "A:r35,L2,L3,L4 C:r18,L2,L3,L4 to=A", 20_000, 6.0 / 11.0, None), // F19
    ];
    let mut rng = Pcg64Mcg::seed_from_u64(1914);
    for (options, text, games, win_share, mean_rolls) in rows {
        let rules = rules(options);
        let start = position(text);
        let (mut wins, mut sum, mut squares) = (0_u32, 0_u64, 0_u64);
        for _ in 0..games {
            let (winner, rolls) = random_game(&rules, &start, &mut rng);
            wins += u32::from(winner == 0);
            sum += rolls;
            squares += rolls * rolls;
        }
        let games = f64::from(games);
        let share = f64::from(wins) / games;
        let error = (win_share * (1.0 - win_share) / games).sqrt();
        assert!(
            (share - win_share).abs() < 4.0 * error,
            "{text} {options}: share {share}"
        );
        if let Some(mean_rolls) = mean_rolls {
            let mean = sum as f64 / games;
            let error = ((squares as f64 / games - mean * mean) / games).sqrt();
            assert!(
                (mean - mean_rolls).abs() < 4.0 * error,
                "{text} {options}: rolls {mean}"
            );
        }
    }
}
