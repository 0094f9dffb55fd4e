//! Parchís against its rules page: the positions and turns of section 3, the counts of 4.4, and
//! what the page says about each option.

#[path = "support/pachisi.rs"]
mod pachisi;
#[path = "support/parchis_examples.rs"]
mod parchis_examples;

use std::collections::{BTreeSet, HashSet};

use parchis_examples::{EXAMPLES, SWITCHES, TURNS};
use racelab::engine::game::{Effect, Game, MoveSet, Turn};
use racelab::engine::perft::perft_parallel;
use racelab::engine::results::result_set;
use racelab::engine::seat::{Seat, SeatSet};
use racelab::experiment::table::TableSpec;
use racelab::games::parchis::{Move, Moves, Parchis, State};

/// A table with some options set, `one_out=true barrier_on=any`.
fn table(options: &str, seats: &str) -> Parchis {
    let mut spec = TableSpec::of("parchis");
    spec.seats = Some(seats.parse().expect("seats"));
    for option in options.split_whitespace() {
        match option.strip_prefix("preset=") {
            Some(preset) => preset.clone_into(&mut spec.preset),
            None => spec.change(option).expect("option=value"),
        }
    }
    spec.game()
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn at(options: &str, text: &str) -> (Parchis, State) {
    let seats = Parchis::seats_of(text).expect("a position").to_string();
    let game = table(options, &seats);
    let state = game
        .parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    (game, state)
}

fn legal(game: &Parchis, state: &State) -> Vec<Move> {
    let mut moves = Moves::default();
    game.moves(state, &mut moves);
    moves.iter().collect()
}

/// The text of a page's position, canonical, to where the fields begin.
fn board(game: &Parchis, page: &str) -> String {
    let seats = game.seats().to_string();
    let to = seats.chars().next().expect("a seat");
    let text = format!("{} to={to}", pachisi::tokens(page, &seats));
    let finished = text.replace(&format!("to={to}"), &format!("won={to}"));
    let state = game.parse(&text).or_else(|_| game.parse(&finished));
    let text = game.print(&state.unwrap_or_else(|error| panic!("{page}: {error}")));
    tokens_of(&text).to_owned()
}

/// A position text without its fields.
fn tokens_of(text: &str) -> &str {
    let fields = text.find('=').expect("fields");
    text[..fields].rsplit_once(' ').expect("tokens").0
}

#[test]
fn positions_have_the_steps_and_boards_of_the_rules_page() {
    for &(id, page, mover, die, options, steps, after) in EXAMPLES.iter().chain(SWITCHES) {
        let game = table(options, "ABCD");
        let to = pachisi::seat(mover);
        let text = format!("{} to={to}", pachisi::tokens(page, "ABCD"));
        let state = game
            .parse(&text)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        let mut rolled = state;
        game.roll(&mut rolled, die);
        let found = legal(&game, &rolled);
        let found: BTreeSet<String> = found
            .iter()
            .filter(|mv| !mv.is_pass())
            .map(|&mv| game.move_text(&rolled, mv).replace('#', ""))
            .collect();
        let expected: BTreeSet<String> = steps.split_whitespace().map(pachisi::step).collect();
        assert_eq!(found, expected, "{id}: {page} die {die} {options}");

        let found = result_set(&game, &state, &[i64::from(die)]).expect("a die");
        let boards: BTreeSet<&str> = found.iter().map(|text| tokens_of(text)).collect();
        let expected: Vec<String> = after.split('/').map(|page| board(&game, page)).collect();
        let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
        assert_eq!(boards, expected, "{id}: {page} die {die} {options}");
        let next = if after.contains("Y[*,*,*,*]") {
            "won=A".to_owned()
        } else if die == 6 {
            format!("to={to} sixes=1")
        } else {
            format!(
                "to={}",
                if to == 'D' {
                    'A'
                } else {
                    char::from(to as u8 + 1)
                }
            )
        };
        for text in &found {
            let fields = &text[tokens_of(text).len() + 1..];
            assert!(fields.starts_with(&next), "{id}: {text}, not {next}");
        }
    }
}

#[test]
fn turns_go_as_the_rules_page_says() {
    for &(id, page, seats, options, dice, moves, after, fields) in TURNS {
        let seats: SeatSet = seats.parse().expect("seats");
        let game = table(options, &seats.to_string());
        let text = format!("{} to=A", pachisi::tokens(page, &seats.to_string()));
        let mut state = game
            .parse(&text)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        let mut dice = dice.iter();
        for name in moves.split(", ") {
            if let Turn::Chance(_) = game.turn(&state) {
                game.roll(&mut state, *dice.next().expect("a die for every roll"));
            }
            let name = if name.contains('>') {
                pachisi::step(name)
            } else {
                name.to_owned()
            };
            let legal = legal(&game, &state);
            let mv = legal
                .iter()
                .find(|&&mv| game.move_text(&state, mv).trim_end_matches('#') == name);
            let position = game.print(&state);
            let mv = *mv.unwrap_or_else(|| panic!("{id}: no {name} at {position}: {legal:?}"));
            game.apply(&mut state, mv);
        }
        assert_eq!(dice.next(), None, "{id}: every die is used");
        let expected = format!("{} {fields}", board(&game, after));
        assert_eq!(game.print(&state), expected, "{id}");
    }
}

/// Position, seats, and for 1, 2, 3, … rolls the paths and the distinct boards with the seat to
/// roll.
type Counts = (&'static str, &'static str, &'static [(u64, usize)]);

/// The counts of 4.4.
#[rustfmt::skip]
const PERFT: &[Counts] = &[
    ("", "ABCD", &[(6, 3), (36, 7), (216, 14), (1296, 30), (7776, 92), (46656, 360), (279_936, 1504), (1_679_616, 6360), (10_077_696, 23119)]),
    ("", "AC", &[(6, 3), (36, 6), (216, 20), (1296, 84), (7776, 275), (46906, 752), (289_411, 2087), (1_831_601, 6214), (12_046_208, 17370)]),
    ("Y[5,12,12,30] B[22,29,40,c2] R[39,45,46] G[56,10,63,c7]", "ABCD", &[(17, 17), (452, 452), (8272, 8240), (137_672, 135_293)]),
    ("Y[10,17,17,c1] B[13,13,16] R[66,67,2,3] G[*,51,c4,12]", "ABCD", &[(15, 15), (126, 126), (2517, 2500), (44883, 42181)]),
];

/// Compares the counts of depths that have at most so many paths, but more than so many.
fn perft_agrees(more_than: u64, at_most: u64) {
    for &(page, seats, counts) in PERFT {
        let game = table("", seats);
        let text = format!("{} to=A", pachisi::tokens(page, seats));
        let start = game.parse(&text).expect("a position");
        let mut level = HashSet::from([start]);
        for (depth, &(paths, boards)) in (1..).zip(counts) {
            if paths > at_most {
                break;
            }
            level = level
                .iter()
                .flat_map(|state| after_a_roll(&game, state))
                .collect();
            if paths > more_than {
                assert_eq!(
                    perft_parallel(&game, &start, depth),
                    paths,
                    "{text} depth {depth}"
                );
                let distinct: HashSet<([[u8; 4]; 4], Seat)> = level
                    .iter()
                    .map(|state| {
                        (
                            std::array::from_fn(|seat| state.places(Seat::new(seat))),
                            state.to(),
                        )
                    })
                    .collect();
                assert_eq!(distinct.len(), boards, "{text} depth {depth}");
            }
        }
    }
}

/// The positions in which the next roll is awaited.
fn after_a_roll(game: &Parchis, state: &State) -> Vec<State> {
    let mut found = Vec::new();
    let mut open: Vec<State> = (1..=6)
        .map(|die| {
            let mut rolled = *state;
            game.roll(&mut rolled, die);
            rolled
        })
        .collect();
    while let Some(state) = open.pop() {
        match game.turn(&state) {
            Turn::Decision(_) => open.extend(legal(game, &state).into_iter().map(|mv| {
                let mut next = state;
                game.apply(&mut next, mv);
                next
            })),
            Turn::Chance(_) => found.push(state),
            Turn::Over => {}
        }
    }
    found
}

#[test]
fn perft_counts_the_paths_and_boards_of_the_rules_page() {
    perft_agrees(0, 300_000);
}

#[test]
#[ignore = "twelve million paths: half a minute"]
fn perft_counts_deep_paths_and_boards() {
    perft_agrees(300_000, u64::MAX);
}

/// «with `blocked` entry is impossible while any enemy token stands there», beside a pair, too.
#[test]
fn who_forms_no_barrier_blocks_the_entry_beside_one_that_does() {
    let beside = "A:H,20,30,40 B:H,H,5,5 D:H,H,H,5 to=A dice=5";
    let alone = "A:H,20,30,40 B:H,H,5,5 D:H,H,H,H to=A dice=5";
    for (options, text, enters) in [
        ("entry_vs_single=blocked entry_vs_pair=both", beside, false),
        ("entry_vs_single=blocked entry_vs_pair=last", beside, false),
        ("entry_vs_single=blocked entry_vs_pair=both", alone, true),
        ("entry_vs_single=blocked entry_vs_pair=last", alone, true),
        ("entry_vs_single=blocked barrier_on=none", alone, false),
        ("entry_vs_pair=both", beside, true),
        ("entry_vs_pair=last", beside, true),
        ("", beside, false),
    ] {
        let (game, state) = at(options, text);
        let entered = legal(&game, &state).iter().any(|mv| mv.enters());
        assert_eq!(entered, enters, "{options}: {text}");
    }
}

#[test]
fn a_table_with_one_out_begins_on_the_start_squares() {
    let game = table("one_out=true", "ABCD");
    let text = game.print(&game.start(Seat::A));
    assert_eq!(text, "A:H,H,H,5 B:H,H,H,22 C:H,H,H,39 D:H,H,H,56 to=A");
}

/// The only move of a die, played.
fn forced(game: &Parchis, state: &mut State, die: u8) -> Effect {
    game.roll(state, die);
    let moves = legal(game, state);
    assert_eq!(moves.len(), 1, "{}: {moves:?}", game.print(state));
    game.apply(state, moves[0])
}

#[test]
fn places_are_the_winner_then_the_way_still_to_go() {
    // From the yard: B has come 18 and 72, C 1 and 72, D 71.
    let (game, mut state) = at("", "A:c7,G,G,G B:H,H,39,G C:H,H,39,G D:H,H,H,c7 to=A");
    let effect = forced(&game, &mut state, 1);
    assert!(effect.ends_game && effect.next == Turn::Over);
    assert_eq!(
        game.print(&state),
        "A:G,G,G,G B:H,H,39,G C:H,H,39,G D:H,H,H,c7 won=A"
    );
    assert_eq!(places(&game, &state), [1, 2, 3, 4]);
    // Equals share a place.
    let (game, state) = at("", "A:G,G,G,G B:H,H,39,G C:H,H,H,G D:H,H,18,G won=A");
    assert_eq!(places(&game, &state), [1, 3, 4, 2]);
    let (game, state) = at("", "A:G,G,G,G B:H,H,23,22 C:H,H,H,41 D:H,H,H,H won=A");
    assert_eq!(places(&game, &state), [1, 2, 2, 4]);
}

fn places(game: &Parchis, state: &State) -> [u8; 4] {
    let places = game.standing(state).places;
    std::array::from_fn(|seat| places[Seat::new(seat)])
}

#[test]
fn the_others_play_on_for_places() {
    let (game, mut state) = at("play_on=true", "A:c7,G,G,G B:c6,G,G,G C:c5,G,G,G to=A");
    forced(&game, &mut state, 1);
    assert_eq!(
        game.print(&state),
        "A:G,G,G,G B:c6,G,G,G C:c5,G,G,G to=B done=A"
    );
    forced(&game, &mut state, 1);
    forced(&game, &mut state, 3);
    assert_eq!(
        game.print(&state),
        "A:G,G,G,G B:c7,G,G,G C:G,G,G,G won=A done=AC"
    );
    assert_eq!(places(&game, &state), [1, 3, 2, 0]);
    assert_eq!(game.turn(&state), Turn::Over);
}

#[test]
fn who_is_home_is_passed_over_and_rolls_no_more() {
    let (game, mut state) = at(
        "play_on=true",
        "A:c1,G,G,G B:c6,G,G,G C:c5,G,G,G D:H,H,H,H to=B",
    );
    forced(&game, &mut state, 1);
    forced(&game, &mut state, 1);
    forced(&game, &mut state, 1);
    // The six that brings the last token home gives no roll.
    forced(&game, &mut state, 6);
    let text = "A:G,G,G,G B:c7,G,G,G C:c6,G,G,G D:H,H,H,H to=B done=A";
    assert_eq!(game.print(&state), text);
    for die in [1, 1, 1] {
        forced(&game, &mut state, die);
    }
    let text = "A:G,G,G,G B:G,G,G,G C:c7,G,G,G D:H,H,H,H to=C done=AB";
    assert_eq!(game.print(&state), text);
    forced(&game, &mut state, 1);
    assert_eq!(
        game.print(&state),
        text.replace("c7", "G")
            .replace("to=C done=AB", "won=A done=ABC")
    );
    assert_eq!(game.parse(&game.print(&state)), Ok(state));
}

#[test]
fn texts_that_are_no_positions_are_refused() {
    for (options, text, part) in [
        ("", "A:H,H,H C:H,H,H,H to=A", "A: 3 tokens"),
        ("", "A:H,H,H,69 C:H,H,H,H to=A", "A: '69' is no square"),
        ("", "A:H,H,H,2 C:H,H,H,H to=A", "A: 2 is not on A's route"),
        ("", "A:H,20,20,20 C:H,H,H,H to=A", "A: three tokens on 20"),
        ("", "A:H,H,H,5 C:H,H,H,H", "to: missing"),
        ("", "A:H,H,H,5 C:H,H,H,H to=B", "to: 'B'"),
        (
            "",
            "A:H,H,H,5 C:H,H,H,H to=A sixes=3",
            "sixes: '3'; expected 1 to 2",
        ),
        ("", "A:H,H,H,5 C:H,H,H,H to=A sixes=0", "sixes: '0'"),
        (
            "",
            "A:H,H,H,5 C:H,H,H,H to=A last=5",
            "last: only together with sixes",
        ),
        ("", "A:H,H,H,5 C:H,H,H,H to=A sixes=1 last=6", "last: '6'"),
        ("", "A:H,H,H,5 C:H,H,H,H to=A sixes=1 last=H", "last: 'H'"),
        (
            "triple_six=off",
            "A:H,H,H,5 C:H,H,H,H to=A sixes=1 last=6",
            "last: '6'",
        ),
        ("", "A:H,H,H,5 C:H,H,H,H to=A dice=7", "dice: '7'"),
        (
            "",
            "A:H,H,H,5 C:H,H,H,H to=A bonus=20",
            "bonus: only in the middle",
        ),
        (
            "",
            "A:H,H,H,5 C:H,H,H,H to=A doubles=1",
            "doubles: no such field",
        ),
        ("", "A:H,H,H,5 C:H,H,H,H to=A done=A", "done: no such field"),
        (
            "",
            "A:G,G,G,G C:H,H,H,H to=C",
            "A: all four tokens are on G",
        ),
        ("", "A:G,G,G,G C:G,G,G,G won=A", "won: A and nobody else"),
        ("", "A:G,G,G,G C:H,H,H,H won=C", "won: C and nobody else"),
        (
            "",
            "A:G,G,G,G C:H,H,H,H won=A sixes=1",
            "won: a finished position",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:G,G,G,G C:H,H,H,H won=A",
            "done: missing; expected the order",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H to=A",
            "to: A has all four",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H won=A",
            "won: A must be the first",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:G,G,G,G C:H,H,H,H to=C done=AB",
            "AB: all four",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H to=B done=C",
            "done: 'C'",
        ),
        (
            "play_on=true",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H to=B done=AA",
            "done: 'AA'",
        ),
    ] {
        let seats = Parchis::seats_of(text).expect("seats").to_string();
        let error = table(options, &seats).parse(text);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn counters_that_do_not_matter_are_dropped() {
    let text = "A:H,H,H,5 C:H,H,H,H to=A sixes=2 last=5";
    let (game, state) = at("triple_six=off", text);
    assert_eq!(game.print(&state), "A:H,H,H,5 C:H,H,H,H to=A");
}

#[test]
fn bonuses_out_of_range_are_refused() {
    for (option, reason) in [
        (
            "capture_bonus=71",
            "capture_bonus: 71 squares are not played; expected 0 to 70",
        ),
        (
            "goal_bonus=1000000000000",
            "goal_bonus: 1000000000000 squares are not played; expected 0 to 70",
        ),
        (
            "goal_bonus=many",
            "goal_bonus: expected a whole number, 0 to 70",
        ),
    ] {
        let mut spec = TableSpec::of("parchis");
        spec.change(option).expect("option=value");
        let error = spec.game::<Parchis>().expect_err(option).to_string();
        assert!(error.ends_with(reason), "{error}");
    }
    for option in [
        "capture_bonus=-1",
        "goal_bonus=300",
        "barrier_on=all",
        "max_stack=2",
    ] {
        let mut spec = TableSpec::of("parchis");
        spec.change(option).expect("option=value");
        assert!(spec.game::<Parchis>().is_err(), "{option}");
    }
}
