//! Boards of one's own and texts that are refused.

use racelab::engine::game::{Game, MoveSet, RuleSet, Turn};
use racelab::engine::random::{BlockKey, Purpose};
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::table::TableSpec;
use racelab::games::baikal::{Baikal, Board, Keys, Level, MaxRule, Moves, Rules, SecondDie};

/// The rules with these changes, or why not.
fn rules(changes: &[&str]) -> Result<Rules, String> {
    let mut spec = TableSpec::of("baikal");
    for change in changes {
        spec.change(change).map_err(|error| error.to_string())?;
    }
    spec.rules::<Baikal>().map_err(|error| error.to_string())
}

#[test]
fn a_board_is_a_name_a_file_or_a_table_and_is_written_back_whole() {
    assert_eq!(rules(&["board=8x12"]).expect("a preset").board.sides, 8);
    let file = concat!(
        "board=",
        env!("CARGO_MANIFEST_DIR"),
        "/docs/boards/hexagon.toml"
    );
    let from_file = rules(&[file]).expect("a file");
    assert_eq!(from_file.key_faces(), [1, 3, 6]);
    let written = toml::to_string(&from_file).expect("a table");
    assert!(!written.contains("hexagon"), "{written}");
    assert_eq!(toml::from_str::<Rules>(&written).as_ref(), Ok(&from_file));
    let table = "board={ sides = 6, cells = 10, gate = 5, transit = [1, 2], planes = [3, 7], arrow = 6, pocket_exit = 8, keys = [1, 3, 6] }";
    assert_eq!(rules(&[table]), Ok(from_file));
    assert_eq!(
        rules(&[
            "board={ sides = 4, cells = 12, gate = 6, transit = [2, 3], planes = [4, 8], arrow = 9, pocket_exit = 11 }"
        ]),
        rules(&["board=4x12"])
    );
    assert_eq!(
        rules(&["keys=[1, 2, 3]"]).expect("keys").key_faces(),
        [1, 2, 3]
    );
}

#[test]
fn a_board_that_cannot_be_played_is_refused_by_key_or_cell() {
    for (board, reason) in [
        (
            "5x12",
            "no board '5x12'; known: 4x12, 6x12, 8x12, 4x12-P1, 8x10-P1, or a path that ends in .toml",
        ),
        ("none.toml", "none.toml: no such file"),
        (
            "{ sides = 9, cells = 12, gate = 6 }",
            "line 1: sides = 9; expected 2 to 8",
        ),
        (
            "{ sides = 1000000000, cells = 12, gate = 6 }",
            "line 1: sides = 1000000000; expected 2 to 8",
        ),
        (
            "{ sides = 4, cells = -1, gate = 6 }",
            "line 1: cells = -1; expected 3 to 60 a side, 24 to 120 in all",
        ),
        (
            "{ sides = 2, cells = 1000000000, gate = 6 }",
            "line 1: cells = 1000000000; expected 3 to 60 a side, 24 to 120 in all",
        ),
        (
            "{ sides = 2, cells = 61, gate = 6 }",
            "line 1: cells = 61; expected 3 to 60 a side, 24 to 120 in all",
        ),
        (
            "{ sides = 8, cells = 60, gate = 6 }",
            "sides x cells = 480; expected 24 to 120 cells in all",
        ),
        (
            "{ sides = 4, cells = 12, gate = 256 }",
            "line 1: gate = 256: no cell of a side of 12; expected 1 to 11",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, keys = [1, 3, 500] }",
            "line 1: keys = 500; expected faces of a die, 1 to 6",
        ),
        (
            "{ sides = 4, cells = 5, gate = 2 }",
            "sides x cells = 20; expected 24 to 120 cells in all",
        ),
        (
            "{ sides = 4, cells = 12, gate = 12 }",
            "line 1: gate = 12: no cell of a side of 12; expected 1 to 11",
        ),
        (
            "{ sides = 4, cells = 12, gate = 0 }",
            "cell 0 is both the corner (Rest) and the gate; a cell is one thing",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, planes = [6] }",
            "cell 6 is both the gate and a plane; a cell is one thing",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, planes = [4, 4] }",
            "cell 4 is both a plane and a plane; a cell is one thing",
        ),
        (
            "{ sides = 5, cells = 12, gate = 6, transit = [2, 3] }",
            "transit on 5 sides; the opposite side needs an even number of them",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, transit = [2, 0] }",
            "transit exit: cell 0 is the corner (Rest); an exit leads to a plain cell",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, planes = [4], arrow = 9, pocket_exit = 4 }",
            "pocket_exit: cell 4 is a plane; an exit leads to a plain cell",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, arrow = 9 }",
            "arrow and pocket_exit belong together; give both or none",
        ),
        (
            "{ sides = 4, cells = 12, gate = 6, keys = [1, 3, 7] }",
            "line 1: keys = 7; expected faces of a die, 1 to 6",
        ),
    ] {
        let error = rules(&[&format!("board={board}")]).expect_err(board);
        assert_eq!(error, format!("rules: board: {reason}"), "{board}");
    }
    // Of a board that was not read, the table asks again.
    let board = Board {
        gate: 12,
        ..Board::default()
    };
    let error = board.validate().expect_err("no such cell");
    assert_eq!(
        error.to_string(),
        "gate = 12: no cell of a side of 12; expected 1 to 11"
    );
    let error = rules(&["board={ sides = 4, cells = 12 }"]).expect_err("no gate");
    assert!(error.contains("gate"), "{error}");
}

#[test]
fn options_and_seats_that_do_not_exist_are_refused() {
    assert_eq!(
        rules(&["level=hard"]).expect_err("a level"),
        "rules: level = \"hard\"; expected serious or sprint or classic"
    );
    assert!(
        rules(&["hop_push=true"])
            .expect_err("no option")
            .starts_with("rules: no option 'hop_push' of baikal; known: level, board,")
    );
    assert!(rules(&["keys=[1, 3]"]).is_err() && rules(&["keys=[1, 3, 9]"]).is_err());
    let refused = |seats: &str| {
        let seats = seats.parse().expect("seats");
        Baikal::<4>::new(Rules::default(), seats)
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(
        refused("AE"),
        "seats, board: there is no seat E at 4x12; its 4 sides are A to D"
    );
    assert_eq!(
        refused("A"),
        "seats: 'A' are 1; this table has 2 to 4, e.g. 'AC'"
    );
}

#[test]
#[allow(clippy::too_many_lines)] // A table, one row a refusal.
fn a_text_that_is_no_position_says_what_was_expected() {
    let serious: Baikal =
        Baikal::new(Rules::default(), "AC".parse().expect("seats")).expect("a table");
    let sprint = Rules {
        level: Level::Sprint,
        ..Rules::default()
    };
    let sprint: Baikal = Baikal::new(sprint, "AC".parse().expect("seats")).expect("a table");
    for (game, text, reason) in [
        (
            &serious,
            "A:R,R,R C:R,R,R,R to=A",
            "A: 3 tokens; a seat has exactly 4",
        ),
        (
            &serious,
            "A:S,S,R,R C:R,R,R,R to=A",
            "A: two tokens S; the first must move before the second enters",
        ),
        (
            &serious,
            "A:1.5,1.5,1.5,R C:R,R,R,R to=A",
            "A: 3 tokens on 1.5; a cell holds two",
        ),
        (
            &serious,
            "A:H1,H1,R,R C:R,R,R,R to=A",
            "A: two tokens on H1; a lane cell holds one",
        ),
        (
            &serious,
            "A:1.5,R,R,R C:1.5,R,R,R to=A",
            "C: 1.5 is taken by A; only a corner is shared",
        ),
        (
            &serious,
            "A:1!3,R,R,R C:1!3,R,R,R to=A",
            "C: 1!3 is taken by A; only a corner is shared",
        ),
        (
            &serious,
            "A:R,R,R,R C:R,R,R,R to=A skip=A",
            "skip: A has no turn to skip; expected seats that are to roll later",
        ),
        (
            &serious,
            "A:R,R,R,R C:R,R,R,R to=A skip=B",
            "skip: 'B'; expected seats in play, of AC",
        ),
        (
            &serious,
            "A:H0,H1,H2,H3 C:R,R,R,R to=C",
            "A: all four tokens are home, so the game is over: expected won=…",
        ),
        (
            &serious,
            "A:H0,H1,H2,H3 C:R,R,R,R won=C",
            "won: C and nobody else must have all four tokens home",
        ),
        (
            &serious,
            "A:H0,H1,H2,H3 C:R,R,R,R won=A skip=C",
            "won: a finished position has no other field",
        ),
        (
            &serious,
            "A:R,R,R,R C:R,R,R,R",
            "to: missing; expected the seat that rolls, e.g. to=A",
        ),
        (
            &serious,
            "A:R,R,R,R C:R,R,R,R to=A dice=7-1",
            "dice: expected two faces, e.g. 5-3",
        ),
        (
            &serious,
            "A:R,R,R,R C:R,R,R,R to=A dice=5",
            "dice: expected a die that can be used",
        ),
        (
            &sprint,
            "A:1.5,1.6,R,R C:R,R,R,R to=A",
            "A: more than one token on its way; only Serious has several",
        ),
        (
            &sprint,
            "A:xC,R,R,R C:R,R,R,R to=A",
            "A: xC is only played in Serious",
        ),
    ] {
        let error = game.parse(text).expect_err(text);
        assert_eq!(error.to_string(), reason, "{text}");
    }
    for token in [
        "xA", "xB", "4.0", "1.12", "1!2", "H4", "T", "01.1", "1.", "!",
    ] {
        let text = format!("A:{token},R,R,R C:R,R,R,R to=A");
        let error = serious.parse(&text).expect_err(token).to_string();
        assert!(
            error.starts_with(&format!("A: '{token}' is no place; expected R")),
            "{error}"
        );
    }
}

#[test]
fn with_play_on_the_places_are_the_order_of_coming_home() {
    let rules = Rules {
        play_on: true,
        level: Level::Classic,
        ..Rules::default()
    };
    let game: Baikal = Baikal::new(rules, "ABC".parse().expect("seats")).expect("a table");
    let home = |text: &str, dice: &[i64]| {
        let state = game.parse(text).expect(text);
        game.result_set(&state, dice).expect("dice")
    };
    let after = home("A:H1,H2,H3,0.6 B:R,R,R,R C:R,R,R,R to=A", &[5, 1]);
    assert_eq!(after, ["A:H0,H1,H2,H3 B:R,R,R,R C:R,R,R,R to=B done=A"]);
    // The double of a seat that is home is nobody's, and its turn is passed over.
    let after = home(
        "A:H0,H1,H2,H3 B:R,R,R,R C:1.2,H1,H2,H3 to=B done=A",
        &[2, 1, 1],
    );
    assert!(after[0].ends_with("to=C done=A"), "{after:?}");
    let after = home(
        "A:H0,H1,H2,H3 B:R,R,R,R C:2.6,H1,H2,H3 to=C done=A",
        &[4, 4],
    );
    assert_eq!(after, ["A:H0,H1,H2,H3 B:R,R,R,R C:H0,H1,H2,H3 won=ACB"]);
    let end = game.parse(&after[0]).expect("a finished position");
    let places = game.standing(&end).places;
    assert_eq!([0, 1, 2].map(|seat| places[Seat::new(seat)]), [1, 3, 2]);
    let error = game
        .parse("A:H0,H1,H2,H3 B:R,R,R,R C:R,R,R,R to=B")
        .expect_err("no order");
    assert_eq!(
        error.to_string(),
        "done: ''; the seats with all four tokens home are 'A'"
    );
}

/// Plays random games on random boards with random options; every position printed is read back,
/// and the parser refuses what breaks an invariant.
fn fuzz(seed: u64, rolls: u64) {
    let mut random = BlockKey::new(seed, 0).stream(Purpose::Bot, Seat::A);
    let mut left = rolls;
    let mut boards = 0;
    while left > 0 {
        let mut below = |bound: u64| random.below(bound) as u8;
        let cells = 6 + below(10);
        let mut cell = || 1 + below(u64::from(cells) - 1);
        let board = Board {
            gate: cell(),
            transit: Some([cell(), cell()]),
            planes: vec![cell(), cell()],
            arrow: Some(cell()),
            pocket_exit: Some(cell()),
            keys: [1 + cell() % 6, 1 + cell() % 6, 1 + cell() % 6],
            sides: 2 + below(7),
            cells,
        };
        if board.validate().is_err() {
            continue;
        }
        let mut coin = || below(2) == 0;
        let rules = Rules {
            overtake_push: coin(),
            rest_burn_counts: coin(),
            reply_rest_skip: coin(),
            corner_skip: coin(),
            ransom_reply: coin(),
            capture_keeps: coin(),
            double_block: coin(),
            play_on: coin(),
            keys: Keys::Board,
            max_rule: if coin() { MaxRule::Pips } else { MaxRule::None },
            second_die_after_home: if coin() {
                SecondDie::Burn
            } else {
                SecondDie::Play
            },
            level: [
                Level::Sprint,
                Level::Classic,
                Level::Serious,
                Level::Serious,
            ][usize::from(below(4))],
            board,
        };
        let sets = rules.board.seat_sets();
        let seats = sets[usize::from(below(sets.len() as u64))];
        let game = Baikal::<8>::new(rules.clone(), seats).expect("a board that was checked");
        boards += 1;
        let block = BlockKey::new(seed, boards);
        let mut dice = PerSeat::from_fn(|seat| block.dice(seat));
        let first = seats.iter().next().expect("a seat");
        let mut state = game.start(first);
        let mut moves = Moves::default();
        // Some random boards hardly let anybody home.
        for _ in 0..4_000 {
            let text = game.print(&state);
            assert_eq!(game.parse(&text), Ok(state), "{text} by {rules:?}");
            match game.turn(&state) {
                Turn::Chance(seat) => {
                    left = left.saturating_sub(1);
                    let roll = game.sample(&state, &mut dice[seat]);
                    game.roll(&mut state, roll);
                }
                Turn::Decision(_) => {
                    game.moves(&state, &mut moves);
                    let index = random.below(moves.len() as u64) as usize;
                    game.apply(&mut state, moves.get(index));
                }
                Turn::Over => break,
            }
        }
    }
    assert!(boards > rolls / 10_000, "{boards}");
}

#[test]
fn random_boards_and_options_keep_the_invariants() {
    fuzz(1, 50_000);
}

#[test]
#[ignore = "a million rolls; run it in release"]
fn random_boards_and_options_keep_the_invariants_for_a_million_rolls() {
    fuzz(2, 1_000_000);
}

fn drawing(board: &str) -> String {
    let rules = rules(&[&format!("board={board}")]).expect(board);
    rules.drawing().expect("a drawing")
}

/// Each cell of each board is there once: the ring, the lanes and the pockets.
#[test]
fn every_board_is_drawn_cell_by_cell() {
    for name in ["4x12", "6x12", "8x12", "4x12-P1", "8x10-P1"] {
        let board = Board::preset(name).expect("a preset");
        let text = drawing(name);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        let grid = text.split("\n\n").nth(1).expect("a grid");
        let marks = grid.lines().flat_map(|line| {
            let letters: Vec<char> = line.chars().skip(2).collect();
            let marks = letters
                .chunks(2)
                .map(|mark| mark.iter().collect::<String>());
            marks.map(|mark| mark.trim().to_owned()).collect::<Vec<_>>()
        });
        let mut counts = std::collections::BTreeMap::<String, usize>::new();
        for mark in marks.filter(|mark| !mark.is_empty()) {
            *counts.entry(mark).or_default() += 1;
        }
        let sides = usize::from(board.sides);
        for mark in [
            "T", "t", "g", ">", "x", "H0", "H1", "H2", "H3", "1", "3", "5",
        ] {
            assert_eq!(counts.remove(mark), Some(sides), "{name}: {mark}");
        }
        assert_eq!(
            counts.remove("P"),
            Some(sides * board.planes.len()),
            "{name}"
        );
        let corners = "ABCDEFGH".chars().take(sides);
        for corner in corners {
            assert_eq!(
                counts.remove(&corner.to_string()),
                Some(1),
                "{name}: {corner}"
            );
        }
        let plain = board.ring() - sides * (6 + board.planes.len());
        assert_eq!(counts.remove("."), Some(plain), "{name}");
        assert_eq!(counts.len(), 0, "{name}: {counts:?}");
    }
}

#[test]
fn the_square_and_the_octagon_look_like_this() {
    insta::assert_snapshot!(drawing("4x12"), @r"
Board 4x12: 4 sides of 12 cells, a ring of 48, walked clockwise. Side 0,
that of seat A, is at the bottom and begins at its right end.

  B . T t P . g . P > . x C
  x 5         H0    1 3 5 .
  . 3         H1          T
  > 1         H2          t
  P           H3          P
  .                       .
  g H0H1H2H3      H3H2H1H0g
  .                       .
  P           H3          P
  t           H2        1 >
  T           H1        3 .
  . 5 3 1     H0        5 x
  A x . > P . g . P t T . D

  A..D  corner, cell 0: Rest, and the start of that seat; A's is 1.0, D's 0.0
  .     plain cell
  T t   Transit, cell 2: a die says where it leads; t, cell 3: the way out
  P     plane, cells 4, 8: flies to the next plane
  g H   gate, cell 6: where the home of the side turns off, H0 to H3
  >     arrow, cell 9: into the pocket 1, 3, 5
  1 3 5 pocket: a 1, then a 3, then a 5 leads on; no other number does
  x     cell 11: where the 5 of the pocket leads out
");
    insta::assert_snapshot!(drawing("8x10-P1"), @r"
Board 8x10-P1: 8 sides of 10 cells, a ring of 80, walked clockwise. Side 0,
that of seat A, is at the bottom right and begins at its right end.

  D T t P . g . > . x E T t P . g . > . x F T t P . g . > . x G
  x 5       H0  1 3 5           H0  1 3 5           H0  1 3 5 T
  . 3       H1                  H1                  H1        t
  > 1       H2                  H2                  H2        P
  .         H3                  H3                  H3        .
  g H0H1H2H3                                          H3H2H1H0g
  .         H3                  H3                  H3        .
  P         H2                  H2                  H2      1 >
  t         H1                  H1                  H1      3 .
  T 5 3 1   H0          5 3 1   H0          5 3 1   H0      5 x
  C x . > . g . P t T B x . > . g . P t T A x . > . g . P t T H

  A..H  corner, cell 0: Rest, and the start of that seat; A's is 1.0, H's 0.0
  .     plain cell
  T t   Transit, cell 1: a die says where it leads; t, cell 2: the way out
  P     plane, cell 3: flies to the next plane
  g H   gate, cell 5: where the home of the side turns off, H0 to H3
  >     arrow, cell 7: into the pocket 1, 3, 5
  1 3 5 pocket: a 1, then a 3, then a 5 leads on; no other number does
  x     cell 9: where the 5 of the pocket leads out
");
}

#[test]
fn a_board_that_is_no_rectangle_shows_one_side() {
    let board = "{ sides = 3, cells = 9, gate = 4, planes = [2], keys = [2, 4, 6], arrow = 6, pocket_exit = 8 }";
    insta::assert_snapshot!(drawing(board), @r"
Board: 3 sides of 9 cells, a ring of 27, walked clockwise.
One side, walked from left to right; all are alike.

  * . P . g . > . x *
          H0  1 3 5
          H1
          H2
          H3

  *     corner, cell 0: Rest, and the start of the seat before it
  .     plain cell
  P     plane, cell 2: flies to the next plane
  g H   gate, cell 4: where the home of the side turns off, H0 to H3
  >     arrow, cell 6: into the pocket 1, 3, 5
  1 3 5 pocket: a 2, then a 4, then a 6 leads on; no other number does
  x     cell 8: where the 5 of the pocket leads out
");
    let wide = "{ sides = 2, cells = 60, gate = 30 }";
    insta::assert_snapshot!(drawing(wide), @r"
Board: 2 sides of 60 cells, a ring of 120, walked clockwise.
One side, walked from left to right; all are alike.

  * . . . . . . . . . . . . . . . . . . . . . . . . . . . . . g . . . . . . . .
                                                              H0
                                                              H1
                                                              H2
                                                              H3
  . . . . . . . . . . . . . . . . . . . . . *

  *     corner, cell 0: Rest, and the start of the seat before it
  .     plain cell
  g H   gate, cell 30: where the home of the side turns off, H0 to H3
");
}
