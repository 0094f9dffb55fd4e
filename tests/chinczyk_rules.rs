//! Chińczyk against its rules page: every position of section 2.1, every scripted turn of 2.2,
//! the options worked out by hand, and the counts of section 4.4 of the rules page of Parchís.

#[path = "support/chinczyk_notation.rs"]
mod chinczyk_notation;

use std::collections::{BTreeSet, HashMap, HashSet};

use chinczyk_notation::{Squares, position, squares, squares_of};
use racelab::engine::game::{Game, MoveSet, Script, Turn};
use racelab::engine::random::{BlockKey, Purpose};
use racelab::engine::seat::Seat;
use racelab::experiment::table::TableSpec;
use racelab::games::chinczyk::{Chinczyk, Move, Moves, Rules, State};

/// The table of a position with some options set, and the position.
fn table(options: &str, text: &str) -> (Chinczyk, State) {
    let mut spec = TableSpec::of("chinczyk");
    spec.seats = Some(Chinczyk::seats_of(text).expect("a position"));
    for option in options.split_whitespace() {
        spec.change(option).expect("option=value");
    }
    let game: Chinczyk = spec
        .game()
        .unwrap_or_else(|error| panic!("{options}: {error}"));
    let state = game
        .parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    (game, state)
}

fn legal(game: &Chinczyk, state: &State) -> Moves {
    let mut moves = Moves::default();
    game.moves(state, &mut moves);
    moves
}

// --- Positions ------------------------------------------------------------------------------

/// Id, board, mover, dice, options, the boards after the roll, and what is next.
type Example = (
    &'static str,
    &'static str,
    char,
    [i64; 2],
    &'static str,
    &'static [&'static str],
    &'static str,
);

/// Section 2.1.
#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    // no five: turn lost
    ("C01", "", 'A', [1, 2], "", &[""], "to=B"),
    // doublet but four at home and no five: turn lost, no re-roll
    ("C02", "", 'A', [3, 3], "", &[""], "to=B"),
    // enter, then 2 with the same token; any part may be passed
    ("C03", "", 'A', [5, 2], "", &["", "Y[5]", "Y[7]"], "to=B"),
    // 1+4 is a five (uses both dice)
    ("C04", "", 'A', [1, 4], "", &["", "Y[5]"], "to=B"),
    // variant: a five on one die only
    ("C04b", "", 'A', [1, 4], "enter_on=die", &[""], "to=B"),
    // 2+3 is a five
    ("C05", "", 'A', [2, 3], "", &["", "Y[5]"], "to=B"),
    // two entries, or entry and 5 on; then re-roll
    ("C06", "", 'A', [5, 5], "", &["", "Y[10]", "Y[5,5]", "Y[5]"], "to=A doubles=1"),
    // sum entry or dice separately
    ("C07", "Y[20,5]", 'A', [1, 4], "", &["Y[20,10]", "Y[20,5,5]", "Y[20,5]", "Y[20,6]", "Y[20,9]", "Y[21,5]", "Y[21,9]", "Y[24,5]", "Y[24,6]", "Y[25,5]"], "to=B"),
    // each die is a separate step; 7 past the blockade impossible
    ("C08", "Y[10] B[12,12]", 'A', [1, 6], "", &["Y[10] B[12,12]", "Y[11] B[12,12]"], "to=B"),
    // no capture, no bonus, shared square
    ("C10", "Y[10] B[13]", 'A', [3, 6], "captures=false", &["Y[10] B[13]", "Y[13] B[13]", "Y[16] B[13]", "Y[19] B[13]"], "to=B"),
    // black square: no capture, may share
    ("C11", "Y[10] B[12]", 'A', [2, 6], "", &["Y[10] B[12]", "Y[12] B[12]", "Y[16] B[12]", "Y[18] B[12]"], "to=B"),
    // safe squares off: capture on 12
    ("C11b", "Y[10] B[12]", 'A', [2, 6], "safe_squares=false", &["Y[10] B[12]", "Y[12]", "Y[16] B[12]", "Y[18]", "Y[18] B[12]", "Y[22]", "Y[28]"], "to=B"),
    // variant: may not land there
    ("C11c", "Y[10] B[12]", 'A', [2, 6], "protected_landing=forbid", &["Y[10] B[12]", "Y[16] B[12]", "Y[18] B[12]"], "to=B"),
    // start squares are not black: capture on 22
    ("C12", "Y[20] B[22]", 'A', [2, 6], "", &["Y[20] B[22]", "Y[22]", "Y[26] B[22]", "Y[28]", "Y[28] B[22]", "Y[32]", "Y[38]"], "to=B"),
    // own second pawn never allowed
    ("C14", "Y[13,10]", 'A', [3, 6], "blockades=false", &["Y[13,10]", "Y[16,10]", "Y[16,13]", "Y[19,10]", "Y[19,13]", "Y[22,10]"], "to=B"),
    // 
    ("C16", "Y[10]", 'A', [2, 2], "", &["Y[10]", "Y[12]", "Y[14]"], "to=A doubles=1"),
    // +15 to another pawn, before the second die
    ("C17", "Y[c5,20]", 'A', [3, 1], "", &["Y[*,20]", "Y[*,21]", "Y[*,35]", "Y[*,36]", "Y[c5,20]", "Y[c5,21]", "Y[c5,23]", "Y[c5,24]", "Y[c6,20]", "Y[c6,23]"], "to=B"),
    // 2 finishes; 4 alone cannot
    ("C19", "Y[*,*,*,c6]", 'A', [2, 4], "", &["Y[*,*,*,*]", "Y[*,*,*,c6]"], "to=B"),
    // two ones finish
    ("C19b", "Y[*,*,*,c6]", 'A', [1, 1], "", &["Y[*,*,*,*]", "Y[*,*,*,c6]", "Y[*,*,*,c7]"], "to=A doubles=1"),
    // exact count only
    ("C20", "Y[*,*,*,c7]", 'A', [2, 3], "", &["Y[*,*,*,c7]"], "to=B"),
    // no passing: both dice must be used (same end either way)
    ("C21", "Y[10]", 'A', [3, 6], "passing=false", &["Y[19]"], "to=B"),
    // mate is "ours": shared square becomes a blockade, no capture
    ("C23", "Y[10] R[13]", 'A', [3, 6], "teams=true", &["Y[10] R[13]", "Y[13] R[13]", "Y[16] R[13]", "Y[19] R[13]"], "to=B"),
    // Blokady off: mate square closed
    ("C23b", "Y[10] R[13]", 'A', [3, 6], "teams=true blockades=false", &["Y[10] R[13]", "Y[16] R[13]", "Y[19] R[13]"], "to=B"),
    // mixed team blockade stops the enemy
    ("C24", "Y[13] B[10] R[13]", 'B', [4, 6], "teams=true", &["Y[13] B[10] R[13]"], "to=C"),
    // entry captures, +10 at once
    ("C26", "B[5]", 'A', [5, 1], "", &["B[5]", "Y[15]", "Y[16]", "Y[5]", "Y[6]"], "to=B"),
    // enemy blockade on start stops entry; 5 may be used as a step
    ("C27", "Y[30] B[5,5]", 'A', [5, 2], "", &["Y[30] B[5,5]", "Y[32] B[5,5]", "Y[35] B[5,5]", "Y[37] B[5,5]"], "to=B"),
    // +15 has no taker
    ("C28", "Y[c7]", 'A', [1, 2], "", &["Y[*]", "Y[c7]"], "to=B"),
    // moving both pawns of a blockade with a doublet is allowed
    ("C29", "Y[12,12]", 'A', [3, 3], "", &["Y[12,12]", "Y[15,12]", "Y[15,15]", "Y[18,12]"], "to=A doubles=1"),
    // black square may hold several colours
    ("C31", "Y[10] B[12] R[12]", 'A', [2, 6], "", &["Y[10] B[12] R[12]", "Y[12] B[12] R[12]", "Y[16] B[12] R[12]", "Y[18] B[12] R[12]"], "to=B"),
    // entering is optional
    ("C32", "Y[58]", 'A', [6, 5], "", &["Y[58,11]", "Y[58,5]", "Y[58]", "Y[63]", "Y[64,5]", "Y[64]", "Y[c1]"], "to=B"),
];

/// The options that section 2.1 has no row for, worked out by hand.
#[rustfmt::skip]
const OPTIONS: &[Example] = &[
    // the five must enter, now or after the 2; the roll cannot be passed, the 2 can
    ("five", "Y[20]", 'A', [5, 2], "enter_compulsory=true", &["Y[20,5]", "Y[20,7]", "Y[22,5]"], "to=B"),
    ("sum", "Y[20]", 'A', [1, 4], "enter_compulsory=true", &["Y[20,5]"], "to=B"),
    ("sum not on a die", "Y[20]", 'A', [1, 4], "enter_compulsory=true enter_on=die", &["Y[20]", "Y[21]", "Y[24]", "Y[25]"], "to=B"),
    ("two fives", "Y[20]", 'A', [5, 5], "enter_compulsory=true", &["Y[20,5,5]"], "to=A doubles=1"),
    // the start is full, so the five is free, until 5>7 opens it
    ("start full", "Y[5,5,20]", 'A', [5, 2], "enter_compulsory=true",
        &["Y[5,5,20]", "Y[10,5,20]", "Y[12,5,20]", "Y[10,7,20]", "Y[10,5,22]", "Y[25,5,5]", "Y[25,7,5]", "Y[27,5,5]", "Y[7,5,5,20]", "Y[22,5,5]"], "to=B"),
    // only one die can be used: the higher
    ("sequence", "Y[*,*,*,c2]", 'A', [2, 6], "passing=false", &["Y[*,*,*,*]", "Y[*,*,*,c4]"], "to=B"),
    ("higher die", "Y[*,*,*,c2]", 'A', [2, 6], "passing=false must_use=max_dice", &["Y[*,*,*,*]"], "to=B"),
    // c2>c3 would leave the 6 without a token
    ("in sequence", "Y[*,*,10,c2] B[12,12]", 'A', [1, 6], "passing=false", &["Y[*,*,*,11] B[12,12]", "Y[*,*,10,c3] B[12,12]"], "to=B"),
    ("both dice", "Y[*,*,10,c2] B[12,12]", 'A', [1, 6], "passing=false must_use=max_dice", &["Y[*,*,*,11] B[12,12]"], "to=B"),
    // with passing there is no such duty
    ("passing", "Y[*,*,*,c2]", 'A', [2, 6], "must_use=max_dice", &["Y[*,*,*,*]", "Y[*,*,*,c4]", "Y[*,*,*,c2]"], "to=B"),
    // at once: 13, 23, 33 and then the 6; later: 13, 19 and then the bonus
    ("bonus at once", "Y[10] B[13,23]", 'A', [3, 6], "passing=false", &["Y[39]", "Y[19] B[13,23]"], "to=B"),
    ("bonus at the end", "Y[10] B[13,23]", 'A', [3, 6], "passing=false bonus_timing=end_of_roll", &["Y[29] B[23]", "Y[19] B[13,23]"], "to=B"),
    // who passes the 6 keeps the bonus earned with the 3
    ("bonus after a pass", "Y[10] B[13]", 'A', [3, 6], "bonus_timing=end_of_roll",
        &["Y[10] B[13]", "Y[13]", "Y[19]", "Y[23]", "Y[29]", "Y[16] B[13]", "Y[19] B[13]"], "to=B"),
    // 13 with 10 for the capture and 15 for the goal; or 13, 14 and 10; or no capture
    ("two bonuses", "Y[*,*,10,c7] B[13]", 'A', [3, 1], "passing=false bonus_timing=end_of_roll", &["Y[*,*,*,38]", "Y[*,*,c7,24]", "Y[*,*,c7,14] B[13]"], "to=B"),
    ("no bonus", "Y[10] B[13]", 'A', [3, 6], "capture_bonus=0", &["Y[10] B[13]", "Y[13]", "Y[19]", "Y[16] B[13]", "Y[19] B[13]"], "to=B"),
    ("no march", "Y[12,12]", 'A', [3, 3], "no_blockade_march=true", &["Y[12,12]", "Y[15,12]", "Y[18,12]"], "to=A doubles=1"),
    ("a third token", "Y[12,12,20]", 'A', [3, 3], "no_blockade_march=true passing=false", &["Y[18,12,20]", "Y[15,12,23]", "Y[12,12,26]"], "to=A doubles=1"),
    ("no march home", "Y[c7,c7]", 'A', [1, 1], "no_blockade_march=true passing=false", &["Y[*,c7]"], "to=A doubles=1"),
    ("no blockade", "Y[c7,c7]", 'A', [1, 1], "no_blockade_march=true blockades=false passing=false", &["Y[*,*]"], "to=A doubles=1"),
    ("starts are safe", "Y[20] B[22]", 'A', [2, 6], "safe_set=all12", &["Y[20] B[22]", "Y[22] B[22]", "Y[26] B[22]", "Y[28] B[22]"], "to=B"),
    ("entering beside", "B[5]", 'A', [5, 1], "safe_set=all12", &["B[5]", "Y[5] B[5]", "Y[6] B[5]"], "to=B"),
    ("entering forbidden", "B[5]", 'A', [5, 1], "safe_set=all12 protected_landing=forbid", &["B[5]"], "to=B"),
    ("stuck", "", 'A', [3, 3], "stuck_doublet_rerolls=true", &[""], "to=A doubles=1"),
    ("no penalty", "Y[20]", 'A', [3, 3], "triple_doublet=off passing=false", &["Y[26]"], "to=A"),
    // the first partner home ends the game, or only the second
    ("first home", "Y[*,*,*,c7]", 'A', [1, 1], "teams=true passing=false", &["Y[*,*,*,*]"], "won=AC"),
    ("one home", "Y[*,*,*,c7]", 'A', [1, 1], "teams=true team_end=both passing=false", &["Y[*,*,*,*]"], "to=B"),
    ("both home", "Y[*,*,*,c7] R[*,*,*,*]", 'A', [1, 2], "teams=true team_end=both passing=false", &["Y[*,*,*,*] R[*,*,*,*]"], "won=AC"),
    ("passed over", "B[22] R[*,*,*,*]", 'B', [1, 2], "teams=true team_end=both passing=false", &["B[25] R[*,*,*,*]"], "to=D"),
    // the doublet of a penalty is not played
    ("penalty", "Y[c2,20]", 'A', [3, 3], "doubles=2", &["Y[20]"], "to=B"),
    ("penalty in the lane", "Y[*,c7,c7,5]", 'A', [5, 5], "doubles=2", &["Y[*,c7,5]"], "to=B"),
    ("penalty of nobody", "Y[*,*,*]", 'A', [5, 5], "doubles=2", &["Y[*,*,*]"], "to=B"),
];

/// The board and the options of an example: what stands among the options but is none is a field.
fn example(board: &str, mover: char, options: &str) -> (Chinczyk, State) {
    let (fields, options): (Vec<&str>, Vec<&str>) = options
        .split_whitespace()
        .partition(|option| option.starts_with("doubles="));
    let fields = format!("to={mover} {}", fields.join(" "));
    table(&options.join(" "), &position(board, "ABCD", fields.trim()))
}

#[test]
fn positions_lead_where_the_rules_page_says() {
    for (id, board, mover, dice, options, after, next) in EXAMPLES.iter().chain(OPTIONS) {
        let (game, state) = example(board, *mover, options);
        let mut found = BTreeSet::new();
        for text in game.result_set(&state, dice).expect("two dice") {
            let (squares, fields) = squares_of(&text);
            let home = squares.iter().any(|tokens| tokens == &["G"; 4]);
            let expected = if home && !options.contains("both") {
                "won=A"
            } else {
                next
            };
            assert!(
                fields.starts_with(expected),
                "{id}: {text}, expected {next}"
            );
            found.insert(squares);
        }
        let expected: BTreeSet<Squares> = after.iter().map(|board| squares(board)).collect();
        assert_eq!(found, expected, "{id}: {board} {dice:?} {options}");
    }
}

// --- Whole turns ----------------------------------------------------------------------------

/// Id, board, dice, choices in order, options, the board after the turn, and what is next.
type Scripted = (
    &'static str,
    &'static str,
    &'static [[i64; 2]],
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

/// Section 2.2.
#[rustfmt::skip]
const TURNS: &[Scripted] = &[
    // the third doublet removes the token on 30
    ("Q21", "Y[20,30]", &[[1, 1], [2, 2], [3, 3]], "20>21 21>22 22>24 24>26", "", "Y[26]", "to=B"),
    ("Q22", "", &[[5, 5], [1, 2]], "h>5 h>5 5>6 6>8", "", "Y[5,8]", "to=B"),
    // passing keeps the roll of a doublet
    ("Q23", "Y[10]", &[[3, 3], [1, 2]], "pass 10>11 11>13", "", "Y[13]", "to=B"),
    ("Q24", "", &[[4, 4]], "", "", "", "to=B"),
    ("Q24b", "", &[[4, 4], [5, 1]], "h>5 5>6", "stuck_doublet_rerolls=true", "Y[6]", "to=B"),
    // the 15 has no taker
    ("Q25", "Y[*,*,c7,c6]", &[[1, 2]], "c7>* c6>*", "", "Y[*,*,*,*]", "won=A"),
    ("no penalty", "Y[20]", &[[1, 1], [1, 1], [1, 1], [1, 2]], "20>21 21>22 22>23 23>24 24>25 25>26 26>27 27>29", "triple_doublet=off", "Y[29]", "to=B"),
];

/// A move as the rules page writes it.
fn page_text(game: &Chinczyk, state: &State, mv: Move) -> String {
    let text = game.move_text(state, mv);
    let text = text.trim_end_matches(['x', '#']);
    text.replace('H', "h").replace('G', "*")
}

#[test]
fn turns_go_as_the_rules_page_says() {
    for (id, board, dice, choices, options, after, next) in TURNS {
        let (game, mut state) = example(board, 'A', options);
        let mut choices = choices.split_whitespace();
        let faces: Vec<i64> = dice.iter().flatten().copied().collect();
        let mut script = Script::new(&faces);
        while !script.unread().is_empty() {
            assert_eq!(game.turn(&state), Turn::Chance(Seat::A), "{id}");
            let roll = game.read_roll(&state, &mut script).expect("two dice");
            game.roll(&mut state, roll);
            while let Turn::Decision(_) = game.turn(&state) {
                let moves = legal(&game, &state);
                let mv = if moves.is_forced() {
                    moves.get(0)
                } else {
                    let choice = choices.next().expect("a choice is left");
                    let chosen = moves
                        .iter()
                        .find(|&mv| page_text(&game, &state, mv) == choice);
                    chosen.unwrap_or_else(|| panic!("{id}: {choice} of {moves:?}"))
                };
                game.apply(&mut state, mv);
            }
        }
        assert_eq!(choices.next(), None, "{id}");
        let (found, fields) = squares_of(&game.print(&state));
        assert_eq!((found, fields.as_str()), (squares(after), *next), "{id}");
    }
}

#[test]
fn no_die_of_a_penalty_is_offered() {
    let (game, mut state) = example("Y[20,30]", 'A', "doubles=2");
    let roll = game
        .read_roll(&state, &mut Script::new(&[3, 3]))
        .expect("two dice");
    game.roll(&mut state, roll);
    let moves = legal(&game, &state);
    assert_eq!(moves.len(), 1);
    assert_eq!(game.move_text(&state, moves.get(0)), "30>H");
    let effect = game.apply(&mut state, moves.get(0));
    assert_eq!(
        (effect.from, effect.gained, effect.passed),
        (26, -26, false)
    );
}

/// Orders of the same steps lead to equal positions in the middle of a roll too, so that a
/// search sees each result once.
#[test]
fn orders_of_the_same_steps_are_one_position() {
    let (game, mut state) = example("Y[10,20,30]", 'A', "");
    let roll = game
        .read_roll(&state, &mut Script::new(&[3, 3]))
        .expect("two dice");
    game.roll(&mut state, roll);
    let mut paths = Vec::new();
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        if game.turn(&state) != Turn::Decision(Seat::A) {
            paths.push(state);
            continue;
        }
        for mv in legal(&game, &state).iter() {
            let mut next = state;
            game.apply(&mut next, mv);
            open.push(next);
        }
    }
    // One pass at once; three first steps, after each of them three more and a pass.
    assert_eq!(paths.len(), 1 + 3 * 4);
    // Nothing, three single steps, three double steps, three pairs.
    assert_eq!(paths.iter().collect::<HashSet<_>>().len(), 10);
}

/// Section 1.2 and register E24: places by remaining distance; a team shares a place.
#[test]
fn places_are_by_remaining_distance() {
    let end = position("Y[*,*,*,*] B[22,22] R[40] G[c1]", "ABCD", "");
    for (options, fields, expected) in [
        ("", "won=A", [1, 3, 3, 2]),
        ("teams=true", "won=AC", [1, 3, 1, 3]),
        ("teams=true team_end=both", "to=B", [1, 3, 1, 3]),
    ] {
        let (game, state) = table(options, &format!("{end}{fields}"));
        let places = game.standing(&state).places;
        assert_eq!(places.as_array()[..4], expected, "{options}");
    }
}

// --- What is refused ------------------------------------------------------------------------

#[test]
fn impossible_tables_name_the_fields() {
    for (rules, seats, expected) in [
        (
            Rules {
                teams: true,
                ..Rules::default()
            },
            "ABC",
            "teams, seats: two play against two, but 'ABC' are 3",
        ),
        (
            Rules {
                teams: true,
                ..Rules::default()
            },
            "AC",
            "teams, seats: two play against two, but 'AC' are 2",
        ),
        (
            Rules {
                goal_bonus: 71,
                ..Rules::default()
            },
            "AC",
            "goal_bonus: 71 squares are not played; expected 0 to 70",
        ),
        (
            Rules::default(),
            "A",
            "seats: 'A' is 1 seat; 2 to 4 play, e.g. 'AC' or 'ABCD'",
        ),
        (
            Rules::default(),
            "AE",
            "seats: there is no seat E at this board; its corners are A, B, C, D",
        ),
    ] {
        let error = Chinczyk::new(rules, seats.parse().expect("seats")).expect_err("no table");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn texts_that_are_no_position_are_refused() {
    let two = "A:H,H,H,20 C:H,H,H,H";
    for (options, text, expected) in [
        (
            "",
            "A:H,H,H,3 C:H,H,H,H to=A",
            "A: 3 is not on A's route, which turns into its lane after 68",
        ),
        (
            "",
            "A:H,12,12,12 C:H,H,H,H to=A",
            "A: three tokens on 12; a square holds two of a seat",
        ),
        (
            "",
            "A:G,G,G,G C:H,H,H,H to=C",
            "A: all four tokens are at the goal: expected won=A",
        ),
        (
            "",
            "A:G,G,G,c1 C:H,H,H,H won=A",
            "won: A and nobody else must have all four tokens at the goal",
        ),
        (
            "",
            "A:G,G,G,G C:G,G,G,G won=A",
            "won: A and nobody else must have all four tokens at the goal",
        ),
        (
            "",
            "A:G,G,G,G C:H,H,H,H won=B",
            "won: 'B' is no side of this table",
        ),
        (
            "",
            "A:G,G,G,G C:H,H,H,H won=A doubles=1",
            "won: a finished position has no other field",
        ),
        (
            "teams=true",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H D:H,H,H,H won=A",
            "won: 'A' is no side of this table",
        ),
        (
            "teams=true team_end=both",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H D:H,H,H,H won=AC",
            "won: AC must have all tokens at the goal",
        ),
        (
            "teams=true team_end=both",
            "A:G,G,G,G B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A",
            "A: all four tokens are at the goal: expected won=AC",
        ),
        (
            "",
            &format!("{two} to=A doubles=3"),
            "doubles: '3'; expected 1 to 2",
        ),
        (
            "",
            &format!("{two} to=A dice=7"),
            "dice: '7'; expected one or two of 1 to 6, e.g. 1-4",
        ),
        (
            "",
            &format!("{two} to=A again=1"),
            "again: expected only with the rest of a doublet that is no third one",
        ),
        (
            "",
            &format!("{two} to=A bonus=10-15"),
            "bonus: two bonuses; each is played at once",
        ),
        (
            "",
            &format!("{two} to=A dice=1-2 bonus=10"),
            "bonus: expected none while neither die is played",
        ),
        (
            "",
            &format!("{two} to=C dice=1"),
            "dice: nothing can move so; expected the position that awaits the next roll",
        ),
        (
            "",
            &format!("{two} to=A march=20"),
            "march: '20' is no square where the rest of a blockade must stay",
        ),
    ] {
        let mut spec = TableSpec::of("chinczyk");
        spec.seats = Some(Chinczyk::seats_of(text).expect("seats"));
        for option in options.split_whitespace() {
            spec.change(option).expect("option=value");
        }
        let game: Chinczyk = spec.game().expect("a table");
        let error = game.parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

// --- Counts ---------------------------------------------------------------------------------

/// Board, seats, options, then for each number of rolls the paths and the positions.
type Count = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(u64, usize)],
);

const MID: &str = "Y[5,12,12,30] B[22,29,40,c2] R[39,45,46] G[56,10,63,c7]";
const END: &str = "Y[*,*,c3,c7] R[*,*,68,c5]";
const CLASH: &str = "Y[10,17,17,c1] B[13,13,16] R[66,67,2,3] G[*,51,c4,12]";
const CLASH2: &str = "Y[10,17,18,c1] B[13,14,16] R[66,67,2,3] G[*,51,c4,12]";

/// The rows 003 of section 4.4 of the rules page of Parchís.
#[rustfmt::skip]
const COUNTS: &[Count] = &[
    ("", "ABCD", "", &[(63, 11), (4447, 154), (323_386, 1763), (23_247_499, 21_452)]),
    ("", "AC", "", &[(63, 11), (4447, 147), (531_538, 1482), (76_893_647, 11_350)]),
    (MID, "ABCD", "", &[(2268, 514), (3_960_145, 196_666)]),
    (END, "AC", "", &[(136, 17), (37_470, 488), (4_285_662, 1640)]),
    (CLASH, "ABCD", "", &[(594, 121), (264_938, 9600)]),
    (CLASH2, "ABCD", "", &[(2218, 540), (1_770_080, 67_839)]),
    (CLASH2, "ABCD", "blockades=false", &[(2076, 501), (1_448_334, 55_556)]),
];

/// Positions, each with the number of paths that lead to it.
type Paths = HashMap<State, u64>;

/// Plays out what is left of the rolls of some positions.
fn played_out(game: &Chinczyk, mut open: Paths) -> Paths {
    let mut done = Paths::new();
    while !open.is_empty() {
        for (state, paths) in std::mem::take(&mut open) {
            let Turn::Decision(_) = game.turn(&state) else {
                *done.entry(state).or_default() += paths;
                continue;
            };
            for mv in legal(game, &state).iter() {
                let mut next = state;
                game.apply(&mut next, mv);
                *open.entry(next).or_default() += paths;
            }
        }
    }
    done
}

/// Of the ordered pairs of dice each counts; a finished game goes on being counted.
#[test]
fn paths_and_positions_are_those_of_the_rules_page() {
    for (board, seats, options, counts) in COUNTS {
        let (game, state) = table(options, &position(board, seats, "to=A"));
        let mut layer = Paths::from([(state, 1)]);
        let mut finished = 0;
        for (rolls, &(paths, positions)) in (1..).zip(*counts) {
            let mut rolled = Paths::new();
            for (state, paths) in layer {
                for &(roll, weight) in game.rolls(&state) {
                    let mut next = state;
                    game.roll(&mut next, roll);
                    *rolled.entry(next).or_default() += paths * u64::from(weight);
                }
            }
            layer = played_out(&game, rolled);
            let over = |state: &State| game.turn(state) == Turn::Over;
            let ends = layer.iter().filter(|(state, _)| over(state));
            finished += ends.map(|(_, paths)| paths).sum::<u64>();
            layer.retain(|state, _| !over(state));
            let found = finished + layer.values().sum::<u64>();
            assert_eq!(
                found, paths,
                "paths of {board} {seats} {options} after {rolls}"
            );
            let boards: HashSet<String> = layer
                .keys()
                .map(|state| {
                    let text = game.print(state);
                    text.split(" doubles").next().expect("a text").to_owned()
                })
                .collect();
            assert_eq!(
                boards.len(),
                positions,
                "positions of {board} {seats} {options} after {rolls}"
            );
        }
    }
}

// --- Random play ----------------------------------------------------------------------------

/// The table of random options and seats.
fn any_table(seed: u64) -> Chinczyk {
    let mut random = BlockKey::new(seed, 1).stream(Purpose::Bot, Seat::A);
    loop {
        let mut spec = TableSpec::of("chinczyk");
        let seats = ["ABCD", "ABCD", "ABC", "AC", "AB"][random.below(5) as usize];
        spec.seats = Some(seats.parse().expect("seats"));
        for option in <Rules as racelab::engine::game::RuleSet>::OPTIONS {
            let value = match option.name {
                "capture_bonus" | "goal_bonus" => random.below(71).to_string(),
                _ => option.values[random.below(2) as usize].to_owned(),
            };
            spec.change(&format!("{}={value}", option.name))
                .expect("option=value");
        }
        // Teams need four seats.
        if let Ok(game) = spec.game() {
            return game;
        }
    }
}

/// Plays at random by random rules; whatever is reached must be a board the rules allow.
fn fuzz(seeds: std::ops::Range<u64>, turns: u32) {
    for seed in seeds {
        let game = any_table(seed);
        let block = BlockKey::new(seed, 2);
        let mut random = block.stream(Purpose::Bot, Seat::A);
        let mut dice = block.dice(Seat::A);
        let mut state = game.start(Seat::A);
        let mut left = turns;
        while left > 0 {
            match game.turn(&state) {
                Turn::Chance(_) => {
                    sound(&game, &state);
                    let roll = game.sample(&state, &mut dice);
                    game.roll(&mut state, roll);
                }
                Turn::Decision(_) => {
                    let moves = legal(&game, &state);
                    let mv = moves.get(random.below(moves.len() as u64) as usize);
                    left -= u32::from(game.apply(&mut state, mv).turn_ends);
                }
                Turn::Over => state = game.start(Seat::A),
            }
        }
    }
}

/// Four tokens a seat, at most two friends a square, and no enemies together where one of them
/// would have been captured. That what the packed state repeats is right, reading its text shows.
fn sound(game: &Chinczyk, state: &State) {
    let rules = game.rules();
    let text = game.print(state);
    assert_eq!(game.parse(&text), Ok(*state), "{rules:?} {text}");
    let mut on: HashMap<&str, Vec<usize>> = HashMap::new();
    for part in text.split(' ').filter(|part| part.contains(':')) {
        let (seat, tokens) = part.split_once(':').expect("a seat");
        let seat = "ABCD".find(seat).expect("a seat");
        assert_eq!(tokens.split(',').count(), 4, "{text}");
        for (index, token) in tokens.split(',').enumerate() {
            let next = tokens.split(',').nth(index + 1);
            let crowded = next == Some(token) && token.starts_with('c') && !rules.blockades;
            assert!(!crowded, "{rules:?} {text}");
            if token.parse::<u8>().is_ok() {
                on.entry(token).or_default().push(seat);
            }
        }
    }
    for (square, seats) in on {
        let side = |seat: usize| if rules.teams { seat % 2 } else { seat };
        for &seat in &seats {
            let friends = seats
                .iter()
                .filter(|&&other| side(other) == side(seat))
                .count();
            let most = if rules.blockades { 2 } else { 1 };
            assert!(friends <= most, "{rules:?} {square} in {text}");
        }
        let mixed = seats.iter().any(|&seat| side(seat) != side(seats[0]));
        let all12 = rules.safe_set == racelab::games::chinczyk::SafeSet::All12;
        let black = ["12", "17", "29", "34", "46", "51", "63", "68"].contains(&square);
        let start = ["5", "22", "39", "56"].contains(&square);
        let safe = rules.safe_squares && (black || start && all12);
        let share = rules.protected_landing == racelab::games::chinczyk::ProtectedLanding::Share;
        let may_share = share && (safe || !rules.captures);
        assert!(!mixed || may_share, "{rules:?} {square} in {text}");
    }
}

#[test]
fn random_play_by_random_rules_is_sound() {
    fuzz(0..300, 200);
}

/// A million turns.
#[test]
#[ignore = "takes minutes; run with --release -- --ignored"]
fn a_million_turns_by_random_rules_are_sound() {
    fuzz(1000..3000, 500);
}
