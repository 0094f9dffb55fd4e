//! The naive model of Mensch ärgere dich nicht against the golden rows, the counts and the examples of its rules page.

#[path = "support/naive_mensch.rs"]
mod naive_mensch;

use std::collections::HashMap;
use std::ops::Range;

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
    let start2 = "A:H,H,H,H C:H,H,H,H to=A tries=3";
    let start3 = "A:H,H,H,H B:H,H,H,H C:H,H,H,H to=A tries=3";
    let start4 = "A:H,H,H,H B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A tries=3";
    let one_out2 = "A:H,H,H,r0 C:H,H,H,r20 to=A";
    let one_out4 = "A:H,H,H,r0 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A";
    let k = "A:H,r0,r4,L2 B:r13,r16,r35,L4 C:H,H,r28,r9 D:r31,r3,r22,r29 to=A";
    let e2 = "A:r36,r37,r38,L2 C:r15,r18,r19,L1 to=A";
    #[rustfmt::skip]
    let rows: [(&str, &str, &[u64]); 10] = [
        ("", start2, &[6, 36, 216, 1296, 7776, 46661, 280_191, 1_691_812, 10_269_190]),
        ("", start3, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_082_448]),
        ("", start4, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_081_488]),
        ("forced_capture=false", start4, &[6, 36, 216, 1296, 7776, 46661, 279_991, 1_680_097, 10_081_488]),
        ("one_out=true", one_out2, &[6, 36, 216, 1296, 7981, 51426, 342_969, 2_423_159]),
        ("one_out=true", one_out4, &[6, 36, 216, 1296, 7780, 46700, 285_117, 1_753_406]),
        ("", k, &[6, 84, 798, 9075, 90552, 1_087_496, 11_626_340, 127_754_921]),
        ("forced_capture=false", k, &[6, 97, 1234, 19549, 254_045, 3_633_451, 48_306_333, 673_536_739]),
        ("", e2, &[10, 80, 752, 6295, 54358, 455_790, 3_681_288, 29_845_754, 229_619_713]),
        ("forced_capture=false", e2, &[10, 80, 752, 6295, 54358, 455_790, 3_681_288, 29_845_754, 229_619_713]),
    ];
    for (options, text, counts) in rows {
        for (depth, &count) in (1..).zip(counts) {
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

/// The positions of section 4: id, position, options, die, legal moves, and what is next after each of them.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &str, &str, u8, &str, &str)] = &[
    ("P01", "A:H,H,H,H C:H,H,H,H to=A tries=3", "", 5, "–", "to=A tries=2"),
    ("P01", "A:H,H,H,H C:H,H,H,H to=A tries=3", "", 6, "H>r0", "to=A"),
    ("P02", "A:H,H,H,r0 C:H,H,H,r3 to=A", "", 3, "r0>r3x", "to=C tries=3"),
    ("P03", "A:H,H,r0,r10 C:H,H,H,r14 to=A", "", 4, "r0>r4", "to=C"),
    ("P05", "A:H,H,r5,r20 C:H,H,H,r11 to=A", "", 6, "H>r0", "to=A"),
    ("P06", "A:H,H,H,r12 C:H,H,H,r0 to=A", "", 6, "H>r0x", "to=A"),
    ("P07", "A:H,H,r0,r9 C:H,H,H,H to=A", "", 6, "r0>r6", "to=A"),
    ("P08", "A:H,H,r0,r6 C:H,H,H,H to=A", "", 6, "r6>r12", "to=A"),
    ("P10", "A:r35,L1,L3,L4 C:H,H,H,H to=A", "", 6, "–", "to=C tries=3"),
    ("P10", "A:r35,L1,L3,L4 C:H,H,H,H to=A", "lane_jump=true", 6, "r35>L2#", "won=A"),
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 1, "L3>L4", "to=C tries=3"),
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 2, "–", "to=C tries=3"), // Q5
    ("P11", "A:H,H,H,L3 C:H,H,H,H to=A", "", 6, "H>r0", "to=A"),
    ("P13", "A:H,r3,L1,L2 C:H,H,H,H to=A", "", 2, "r3>r5 L2>L4", "to=C tries=3"),
    ("P13", "A:H,r3,L1,L2 C:H,H,H,H to=A", "lane_jump=true", 2, "r3>r5 L1>L3 L2>L4", "to=C tries=3"),
    ("P15", "A:H,H,H,r39 C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("P15", "A:H,H,H,r39 C:H,H,H,H to=A", "", 4, "r39>L4", "to=C tries=3"),
    ("P16", "A:H,H,r10,r11 C:H,H,H,r12 to=A", "", 3, "r10>r13 r11>r14", "to=C"),
    ("P18", "A:r0,r5,r30,L4 C:H,H,H,H to=A", "", 6, "r0>r6 r5>r11 r30>r36", "to=A"),
    ("P19", "A:H,H,H,r0 B:H,H,H,r37 to=B", "", 3, "r37>r0x", "to=A tries=3"),
    ("P20", "A:H,H,H,r22 C:H,H,H,r18 to=C", "", 4, "r18>L3", "to=A"),
    ("P21", "A:H,H,H,r39 B:H,H,H,H to=A", "", 1, "r39>L1", "to=B tries=3"),
    ("P21", "A:H,H,H,H B:H,H,H,r39 to=B", "", 1, "r39>r0", "to=A tries=3"),
    ("P22", "A:H,H,H,r0 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A", "one_out=true", 6, "r0>r6", "to=A"),
    ("P22", "A:H,H,H,r6 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=A", "one_out=true", 4, "r6>r10x", "to=B tries=3"),
    ("P23", "A:r34,L2,L3,L4 C:H,H,H,H to=A", "", 6, "r34>L1#", "won=A"),
    ("P25", "A:r39,L2,L3,L4 C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("P25", "A:r39,L2,L3,L4 C:H,H,H,H to=A", "", 1, "r39>L1#", "won=A"),
    ("P27", "A:H,r0,r2,r4 C:H,H,H,H to=A", "", 2, "r4>r6", "to=C tries=3"),
    ("P28", "A:H,H,H,r29 B:H,H,H,H C:H,H,H,H to=A", "", 1, "r29>r30", "to=B tries=3"),
    ("P29", "A:H,H,H,H C:H,H,H,r0 to=A tries=3", "", 4, "–", "to=A tries=2"),
    ("P30", "A:H,H,H,H C:H,H,H,H D:H,H,H,r0 to=D", "", 6, "H>r30", "to=D"),
    ("P32", "A:H,H,r34,L1 C:H,H,H,H to=A", "", 6, "H>r0", "to=A"),
];

/// The switches of 1.9, worked out by hand, in the form of [`EXAMPLES`].
#[rustfmt::skip]
const SWITCHES: &[(&str, &str, &str, u8, &str, &str)] = &[
    ("last try", "A:H,H,H,H C:H,H,H,H to=A", "", 5, "–", "to=C tries=3"),
    ("one try", "A:H,H,H,H C:H,H,H,H to=A", "tries=1", 5, "–", "to=C"),
    ("one try drops tries", "A:H,H,H,H C:H,H,H,H to=A tries=3", "tries=1", 5, "–", "to=C"),
    ("unplayable six", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "", 6, "–", "to=C"),
    ("unplayable six", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "bonus_on_unplayable_six=true", 6, "–", "to=A"),
    ("no six, no bonus", "A:r39,L2,L3,L4 C:H,H,H,r0 to=A", "bonus_on_unplayable_six=true", 5, "–", "to=C"),
    ("blocked start", "A:H,r0,r3,r20 C:H,H,H,r1 to=A", "", 3, "r3>r6 r20>r23", "to=C"),
    ("blocker moves", "A:H,r0,r3,r20 C:H,H,H,r1 to=A", "vacate_chain=true", 3, "r3>r6", "to=C"),
    ("blocker's blocker", "A:H,r0,r3,r6 C:H,H,H,r1 to=A", "vacate_chain=true", 3, "r6>r9", "to=C"),
    ("chain before capture", "A:H,r0,r3,r20 C:H,H,r1,r23 to=A", "vacate_chain=true", 3, "r3>r6", "to=C"),
    ("capture when blocked", "A:H,r0,r3,r20 C:H,H,r23,r1 to=A", "", 3, "r20>r23x", "to=C"),
    ("capture before vacate", "A:H,H,r0,r10 C:H,H,r14,r1 to=A", "capture_before_vacate=true", 4, "r10>r14x", "to=C"),
    ("capture before bring-out", "A:H,H,r5,r20 C:H,H,r11,r1 to=A", "capture_before_vacate=true", 6, "r5>r11x", "to=A"),
    ("only if forced", "A:H,H,r0,r10 C:H,H,r14,r1 to=A", "capture_before_vacate=true forced_capture=false", 4, "r0>r4", "to=C"),
    ("capture rolls again", "A:H,H,H,r5 C:H,H,H,r9 to=A", "capture_gives_roll=true", 4, "r5>r9x", "to=A"),
    ("no capture, no roll", "A:H,H,H,r5 C:H,H,H,r9 to=A", "capture_gives_roll=true", 3, "r5>r8", "to=C"),
    ("bounce onto itself", "A:r30,L1,L2,L3 C:H,H,H,r0 to=A", "bounce=true lane_jump=true", 6, "r30>r36 L1>L1", "to=A"),
    ("bounce past own tokens", "A:r38,L1,L2,L4 C:H,H,H,r0 to=A", "bounce=true", 6, "–", "to=C"),
    ("bounce back over the lane", "A:H,r1,r2,L2 C:H,H,H,r0 to=A", "bounce=true", 5, "r1>r6 r2>r7 L2>L1", "to=C"),
    ("no bounce to the ring", "A:r1,r2,r3,L4 C:H,H,H,r0 to=A", "bounce=true", 4, "r1>r5 r2>r6 r3>r7", "to=C"),
    ("bounce from L4", "A:H,H,H,L4 C:H,H,H,r0 to=A tries=3", "bounce=true", 3, "L4>L1", "to=C"),
];

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
    let rules = rules("may_pass=true bonus_on_unplayable_six=true");
    #[rustfmt::skip]
    let rows: [(&str, u8, &[&str]); 4] = [
        // A declined six gives no extra roll.
        ("A:H,H,H,r5 C:H,H,H,r9 to=A", 6, &["A:H,H,H,r5 C:H,H,H,r9 to=C", "A:H,H,r0,r5 C:H,H,H,r9 to=A"]),
        // Declining ends the series.
        ("A:H,H,H,H C:H,H,H,r9 to=A tries=3", 5, &["A:H,H,H,H C:H,H,H,r9 to=A tries=2", "A:H,H,H,H C:H,H,H,r9 to=C"]),
        // Nothing to play and nothing to keep: declining is the same.
        ("A:H,H,H,H C:H,H,H,r9 to=A", 5, &["A:H,H,H,H C:H,H,H,r9 to=C"]),
        // The roll of an unplayable six may be declined too.
        ("A:r39,L2,L3,L4 C:H,H,H,r9 to=A", 6, &["A:r39,L2,L3,L4 C:H,H,H,r9 to=A", "A:r39,L2,L3,L4 C:H,H,H,r9 to=C"]),
    ];
    for (text, die, expected) in rows {
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
    for (cells, tries) in [
        ("H,H,H,H", 3),
        ("H,H,H,L4", 3),
        ("H,H,L3,L4", 3),
        ("H,L2,L3,L4", 3),
        ("H,H,H,L1", 1),
        ("H,H,L2,L4", 1),
        ("H,L1,L3,L4", 1),
        ("H,H,L1,L2", 1),
        ("H,H,H,r39", 1),
    ] {
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
    let start = "A:H,H,H,H C:H,H,H,H to=A tries=3";
    #[rustfmt::skip]
    let rows: [(&str, &str, &[u8], &str, &str); 7] = [
        ("Q1", start, &[3, 6, 6, 2], "– H>r0 r0>r6 r6>r8", "A:H,H,H,r8 C:H,H,H,H to=C tries=3"),
        ("Q3", start, &[1, 2, 3], "– – –", "A:H,H,H,H C:H,H,H,H to=C tries=3"),
        ("Q3", start, &[1, 2, 6, 3], "– – H>r0 r0>r3", "A:H,H,H,r3 C:H,H,H,H to=C tries=3"),
        ("Q5", "A:H,H,H,L3 C:H,H,H,H to=A", &[2], "–", "A:H,H,H,L3 C:H,H,H,H to=C tries=3"),
        ("Q6", "A:H,H,H,r12 C:H,H,H,r0 to=A", &[6, 1], "H>r0x r0>r1", "A:H,H,r1,r12 C:H,H,H,H to=C tries=3"),
        ("P22", "A:H,H,H,r0 B:H,H,H,r10 to=A", &[6, 4], "r0>r6 r6>r10x", "A:H,H,H,r10 B:H,H,H,H to=B tries=3"),
        ("F23", start, &[6; 7], "H>r0 r0>r6 H>r0 r6>r12 r0>r6 H>r0 r12>r18", "A:H,r0,r6,r18 C:H,H,H,H to=A"),
    ];
    for (id, text, dice, moves, reached) in rows {
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
