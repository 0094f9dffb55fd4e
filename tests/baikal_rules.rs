//! Positions that show one rule each, numbered as the rules were written down, and what follows.
//!
//! Seats A, B, C, D sit at sides 0 to 3 of `4x12`; their starts are 1.0, 2.0, 3.0, 0.0, their
//! gates 0.6, 1.6, 2.6, 3.6. Tokens left out wait in the reserve.

use std::collections::BTreeSet;

use racelab::engine::game::Game;
use racelab::games::baikal::{Baikal, Board, Level, Rules};

use Level::{Classic, Serious, Sprint};

fn table(level: Level, board: &str, seats: &str) -> Baikal {
    let rules = Rules {
        level,
        board: Board::preset(board).expect("a preset"),
        ..Rules::default()
    };
    Baikal::new(rules, seats.parse().expect("seats")).expect("a table")
}

/// A position text with the tokens in the reserve filled in.
fn filled(text: &str) -> String {
    let part = |part: &str| match part.split_once(':') {
        Some((seat, tokens)) => {
            let given = tokens.split(',').filter(|token| !token.is_empty());
            let mut tokens: Vec<&str> = given.collect();
            tokens.resize(4, "R");
            format!("{seat}:{}", tokens.join(","))
        }
        None => part.to_owned(),
    };
    text.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

/// The positions that these dice lead to.
fn reached(game: &Baikal, position: &str, dice: &[i64]) -> BTreeSet<String> {
    let state = game.parse(&filled(position)).expect(position);
    let results = game.result_set(&state, dice).expect("enough dice");
    results.into_iter().collect()
}

fn canonical(game: &Baikal, positions: &[&str]) -> BTreeSet<String> {
    let texts = positions.iter().map(|text| {
        let state = game.parse(&filled(text)).expect(text);
        game.print(&state)
    });
    texts.collect()
}

/// Number, level, position, dice with those on Transit, and everything that can follow.
type Row = (
    &'static str,
    Level,
    &'static str,
    &'static [i64],
    &'static [&'static str],
);

const ROWS: &[Row] = &[
    ("1", Sprint, "A: C: to=A", &[4, 3], &["A:1.7 C: to=C"]),
    (
        "2a Rest by the sum costs the next turn",
        Sprint,
        "A:1.7 C: to=A",
        &[3, 2],
        &["A:2.0 C: to=C skip=A"],
    ),
    (
        "2b a double only its extra roll",
        Sprint,
        "A:1.6 C: to=A",
        &[3, 3],
        &["A:2.0 C: to=C"],
    ),
    (
        "3a Rest by the first die burns the second",
        Classic,
        "A:1.7 C: to=A",
        &[5, 2],
        &["A:2.0 C: to=C"],
    ),
    (
        "3b by the second costs the next turn",
        Classic,
        "A:1.7 C: to=A",
        &[3, 2],
        &["A:2.0 C: to=C skip=A"],
    ),
    (
        "3c a double only its extra roll",
        Classic,
        "A:1.10 C: to=A",
        &[1, 1],
        &["A:2.0 C: to=C"],
    ),
    (
        "4 a token pushed onto Transit stays there",
        Classic,
        "A:1.0 C:1.3 to=A",
        &[5, 1],
        &["A:1.6 C:1.2 to=C"],
    ),
    (
        "6a capture on the arrow, then into the pocket",
        Sprint,
        "A:1.3 C:1.9 to=A",
        &[4, 2],
        &["A:1!1 C: to=C"],
    ),
    (
        "6c",
        Serious,
        "A:1.4,H1,H2,H3 C:1.9 to=A",
        &[5, 1],
        &["A:1!3,H1,H2,H3 C:xA to=C", "A:1.10,H1,H2,H3 C:1.8 to=C"],
    ),
    (
        "7b a block in ONE keeps it on the arrow",
        Serious,
        "A:1.4,H1,H2,H3 C:1!1,1!1 to=A",
        &[5, 1],
        &["A:1.10,H1,H2,H3 C:1!1,1!1 to=C"],
    ),
    (
        "8a the key goes first, then the next key",
        Classic,
        "A:1!1 C: to=A",
        &[3, 1],
        &["A:1!5 C: to=C"],
    ),
    ("8b", Classic, "A:1!3 C: to=A", &[5, 3], &["A:1.11 C: to=C"]),
    (
        "8c out of FIVE and on",
        Classic,
        "A:1!5 C: to=A",
        &[6, 5],
        &["A:2.5 C: to=C"],
    ),
    (
        "8e no key",
        Classic,
        "A:1!1 C: to=A",
        &[6, 3],
        &["A:1!1 C: to=C"],
    ),
    ("8f", Sprint, "A:1!1 C: to=A", &[1, 1], &["A:1!3 C: to=A"]),
    (
        "8g into the pocket and on",
        Classic,
        "A:1.5 C: to=A",
        &[4, 1],
        &["A:1!3 C: to=C"],
    ),
    (
        "9a a flight pushes nobody",
        Classic,
        "A:1.1 C:1.6 to=A",
        &[3, 2],
        &["A:1.10 C:1.6 to=C"],
    ),
    (
        "10 forced onto the plane: a new lap",
        Serious,
        "A:0.3,H1,H2,H3 C: to=A",
        &[6, 1, 1],
        &["A:1.3,H1,H2,H3 C: to=C"],
    ),
    (
        "11 a flight over a block",
        Serious,
        "A:1.3 C:1.5,1.5 to=A",
        &[4, 1],
        &["A:2.0 C:1.5,1.5 to=C skip=A"],
    ),
    (
        "12 a flight onto a block burns",
        Serious,
        "A:1.1 C:1.8,1.8 to=A",
        &[3, 2],
        &["A:1.6 C:1.8,1.8 to=C"],
    ),
    ("13a", Serious, "A: C: to=A", &[6, 3], &["A:1.3 C: to=C"]),
    (
        "13b no second entry while one is fresh",
        Serious,
        "A: C: to=A",
        &[6, 6],
        &["A:1.6 C: to=A"],
    ),
    ("13c", Serious, "A: C: to=A", &[5, 4], &["A: C: to=C"]),
    (
        "14a the order that uses both dice",
        Serious,
        "A:1.5 C:1.10,1.10 to=A",
        &[4, 1],
        &["A:1!3 C:1.10,1.10 to=C"],
    ),
    (
        "14b",
        Serious,
        "A:1.5 C:1.10,1.10 to=A",
        &[5, 2],
        &["A:1.7 C:1.10,1.10 to=C"],
    ),
    (
        "16 a double does not move a block",
        Serious,
        "A:1.5,1.5 C: to=A",
        &[2, 2],
        &["A:1.5,1!1 C: to=A"],
    ),
    (
        "17a a ransom and its reply",
        Serious,
        "A:0.1,1!3 C:xA,3.3,H2,H3 to=C",
        &[6, 2],
        &[
            "A:1!3,H0 C:3.5,H2,H3 to=A",
            "A:0.1,1!3 C:3.11,H2,H3,xA to=A",
        ],
    ),
    (
        "17b it drives A into the pocket",
        Serious,
        "A:1.3,1!3 C:xA,3.3,H2,H3 to=C",
        &[6, 2],
        &[
            "A:1!1,1!3 C:3.5,H2,H3 to=A",
            "A:1.3,1!3 C:3.11,H2,H3,xA to=A",
        ],
    ),
    (
        "17c no reply",
        Serious,
        "A:1!1,1!3 C:xA,3.3,H2,H3 to=C",
        &[6, 2],
        &[
            "A:1!1,1!3 C:3.5,H2,H3 to=A",
            "A:1!1,1!3 C:3.11,H2,H3,xA to=A",
        ],
    ),
    (
        "17e a reply enters nobody",
        Serious,
        "A: C:xA,3.3,H2,H3 to=C",
        &[6, 2],
        &["A: C:3.5,H2,H3 to=A", "A: C:3.11,H2,H3,xA to=A"],
    ),
    (
        "19a clamped to the stop",
        Sprint,
        "A:0.5,H3 C: to=A",
        &[5, 4],
        &["A:H2,H3 C: to=C"],
    ),
    (
        "19b not at the stop yet",
        Sprint,
        "A:0.5,H3 C: to=A",
        &[1, 1],
        &["A:H0,H3 C: to=A"],
    ),
    (
        "19c what is left burns",
        Classic,
        "A:0.5 C: to=A",
        &[6, 2],
        &["A:H3 C: to=C"],
    ),
    (
        "20a Transit: next, opposite, out",
        Classic,
        "A:1.0 C: to=A",
        &[2, 1, 3, 5, 1],
        &["A:0.8 C: to=C"],
    ),
    (
        "23",
        Serious,
        "A:0.6,H1,H2,H3 C: to=A",
        &[2, 1],
        &["A:H0,H1,H2,H3 C: won=A"],
    ),
    (
        "25",
        Serious,
        "A:0.5,H0,H1,H3 C: to=A",
        &[2, 1],
        &["A:0.6,H1,H2,H3 C: to=C"],
    ),
];

#[test]
fn every_numbered_position_leads_where_the_page_says() {
    for &(number, level, position, dice, expected) in ROWS {
        let game = table(level, "4x12", "AC");
        let expected = canonical(&game, expected);
        assert_eq!(
            reached(&game, position, dice),
            expected,
            "{number}: {position} {dice:?}"
        );
    }
}

#[test]
fn row_18_what_each_die_does_for_a_token_before_its_lane() {
    let game = table(Serious, "4x12", "AC");
    // The pocket tokens wait for their numbers; H2 itself may move by a one.
    for (die, to) in [
        (1, Some("0.6")),
        (2, Some("H0")),
        (3, Some("H1")),
        (4, None),
        (5, Some("H3")),
        (6, None),
    ] {
        let with = |token: &str| format!("A:{token},1!5,1!5,H2 C: to=");
        let position = with("0.5") + &format!("A dice={die}");
        let moved: Vec<String> = match game.parse(&filled(&position)) {
            Ok(state) => game.result_set(&state, &[]).expect("no dice"),
            Err(error) => {
                assert_eq!(error.to_string(), "dice: expected a die that can be used");
                Vec::new()
            }
        };
        let staying = moved.iter().filter(|text| text.contains("0.5")).count();
        assert_eq!(
            moved.len() - staying,
            usize::from(to.is_some()),
            "{die}: {moved:?}"
        );
        if let Some(to) = to {
            let expected = canonical(&game, &[&(with(to) + "C")]);
            assert!(
                expected.iter().all(|text| moved.contains(text)),
                "{die}: {moved:?}"
            );
        }
    }
}

#[test]
fn row_20c_transit_on_the_octagon() {
    let game = table(Classic, "8x12", "AE");
    let expected = canonical(&game, &["A:5.8 E: to=E"]);
    assert_eq!(reached(&game, "A:1.0 E: to=A", &[2, 1, 5, 1]), expected);
}

#[test]
fn row_22_a_captor_wins_by_its_reply() {
    let game = table(Serious, "4x12", "AC");
    let results = reached(&game, "A:0.3,H0,H1,H3 C:3.3,xA to=C", &[6, 2, 1, 1]);
    let expected = canonical(&game, &["A:H0,H1,H2,H3 C:3.3 won=A"]);
    assert!(expected.is_subset(&results), "{results:?}");
}

#[test]
fn row_26_from_start_to_gate() {
    for (board, seat, start, gate, pips) in [
        ("4x12", "A", "1.0", "0.6", 42),
        ("6x12", "A", "1.0", "0.6", 66),
        ("8x12", "A", "1.0", "0.6", 90),
        ("8x12", "H", "0.0", "7.6", 90),
    ] {
        let other = if seat == "A" { "B" } else { "A" };
        let game = table(Serious, board, &format!("{seat}{other}"));
        let at = |token: &str| {
            let text = filled(&format!("{seat}:{token} {other}: to={other}"));
            let state = game.parse(&text).expect("a position");
            let seat =
                racelab::engine::seat::Seat::from_letter(seat.chars().next().expect("a letter"));
            game.progress(&state, seat.expect("a seat"))
        };
        assert_eq!(at(gate) - at(start), pips, "{board} {seat}");
    }
}
