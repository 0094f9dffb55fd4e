//! The notations of backgammon against what GNU Backgammon writes, and against any text at all.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use racelab::engine::seat::Seat;
use racelab::games::backgammon::board::{BAR, Board};
use racelab::games::backgammon::notation::convert::{self, Format};
use racelab::games::backgammon::notation::fibs::{self, Names};
use racelab::games::backgammon::notation::record::{
    Action, ActionKind, GameRecord, GameResult, MatchRecord,
};
use racelab::games::backgammon::notation::{
    Position, gnu_id, legal, mat, match_id, play, position_id, sgf, xgid,
};
use serde::Deserialize;

/// A generator by brute force: every order of dice and checkers, the most dice, the larger die.
fn results(board: &Board, [first, second]: [u8; 2]) -> Vec<Board> {
    let mut ends = Vec::new();
    if first == second {
        spend(board, &[first; 4], 0, &mut ends);
    } else {
        spend(board, &[first, second], 0, &mut ends);
        spend(board, &[second, first], 0, &mut ends);
    }
    let most = ends.iter().map(|end| end.0).max().unwrap_or_default();
    let mut boards: Vec<Board> = ends
        .iter()
        .filter(|end| end.0 == most)
        .map(|end| end.1)
        .collect();
    boards.sort();
    boards.dedup();
    boards
}

/// Plays the dice in this order until stuck; an end counts 8 for each die and, if it is the only
/// one, its face.
fn spend(board: &Board, dice: &[u8], used: u32, ends: &mut Vec<(u32, Board)>) {
    let mut stuck = true;
    if let [die, rest @ ..] = dice {
        for from in 1..=BAR {
            if let Some((_, after)) = legal::step(board, from, *die) {
                stuck = false;
                let used = if used == 0 {
                    8 + u32::from(*die)
                } else {
                    8 * (used / 8 + 1)
                };
                spend(&after, rest, used, ends);
            }
        }
    }
    if stuck {
        ends.push((used, *board));
    }
}

fn golden(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/backgammon")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A row of `notation_examples.tsv`.
struct Row {
    position_id: String,
    match_id: String,
    xgid: String,
    board26: String,
    fibs: String,
}

fn rows() -> Vec<Row> {
    let text = golden("notation_examples.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Row> = rows
        .map(|line| {
            let mut fields = line.split('\t').map(str::to_owned);
            let mut field = || fields.next().expect("a field");
            Row {
                position_id: field(),
                match_id: field(),
                xgid: field(),
                board26: field(),
                fibs: field(),
            }
        })
        .collect();
    assert_eq!(rows.len(), 100);
    rows
}

#[test]
fn every_example_is_the_same_position_in_every_notation() {
    let names = Names {
        you: "root",
        opponent: "gnubg",
    };
    for row in rows() {
        let joined = format!("{}:{}", row.position_id, row.match_id);
        let read =
            |position: Result<Position, _>| position.unwrap_or_else(|e| panic!("{joined}: {e}"));
        let gnu = read(gnu_id::read(&joined));
        let x = read(xgid::read(&row.xgid));
        let fibs = read(fibs::read(&row.fibs));

        assert_eq!(gnu_id::write(&gnu), Ok(joined.clone()));
        assert_eq!(xgid::write(&x), Ok(row.xgid.clone()));
        assert_eq!(fibs::write(&fibs, names), Ok(row.fibs.clone()));

        // Each carries what the others do, but for the rules that only some of them know.
        let no_rules = Position {
            cube_cap: None,
            beavers: false,
            jacoby: false,
            ..x
        };
        assert_eq!(
            Position {
                jacoby: false,
                ..gnu
            },
            no_rules,
            "{joined}"
        );
        assert_eq!(fibs, no_rules, "{joined}");
        assert_eq!(gnu.jacoby, x.jacoby, "{joined}");
        assert_eq!(gnu_id::write(&x), Ok(joined.clone()));
        assert_eq!(fibs::write(&gnu, names), Ok(row.fibs.clone()));
        let checkers = row.fibs.split(':').skip(6).take(26).collect::<Vec<_>>();
        assert_eq!(checkers.join(","), row.board26, "{joined}");
    }
}

/// A game of `truth.jsonl`.
#[derive(Deserialize)]
struct Truth {
    file: String,
    game: usize,
    match_length: u32,
    score_before: [u32; 2],
    crawford_game: bool,
    winner: usize,
    points: u32,
    resigned: bool,
    records: Vec<TruthAction>,
}

#[derive(Deserialize)]
struct TruthAction {
    action: String,
    player: usize,
    dice: Option<[u8; 2]>,
    r#move: Option<Vec<(u8, u8)>>,
    position_id: Option<String>,
}

fn truth() -> Vec<Truth> {
    let games: Vec<Truth> = golden("matches/truth.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a game"))
        .collect();
    assert_eq!(games.len(), 40);
    games
}

/// The names of the fourteen matches, in order.
fn files() -> Vec<String> {
    let mut files: Vec<String> = truth().into_iter().map(|game| game.file).collect();
    files.dedup();
    assert_eq!(files.len(), 14);
    files
}

fn read_mat(file: &str) -> MatchRecord {
    let text = golden(&format!("matches/{file}.mat"));
    mat::read(&text, results).unwrap_or_else(|error| panic!("{file}.mat: {error}"))
}

fn read_sgf(file: &str) -> MatchRecord {
    let text = golden(&format!("matches/{file}.sgf"));
    sgf::read(&text, results).unwrap_or_else(|error| panic!("{file}.sgf: {error}"))
}

/// The name of an action, as the truth has it.
fn name(kind: &ActionKind) -> &'static str {
    match kind {
        ActionKind::Move { .. } => "move",
        ActionKind::Double => "double",
        ActionKind::Take => "take",
        ActionKind::Drop => "drop",
        ActionKind::Resign { .. } => "resign",
    }
}

/// The games with the steps of each play in one order, without hits: GNU Backgammon writes equal
/// plays in different orders to its files.
fn unordered(record: &MatchRecord) -> Vec<GameRecord> {
    let mut games = record.games.clone();
    for action in games.iter_mut().flat_map(|game| &mut game.actions) {
        if let ActionKind::Move { steps, .. } = &mut action.kind {
            for step in steps.iter_mut() {
                step.hit = false;
            }
            steps.sort();
        }
    }
    games
}

fn check_against_truth(record: &MatchRecord, games: &[Truth]) {
    let positions = record.positions(results).expect("a record replays");
    assert_eq!(record.games.len(), games.len());
    for (truth, (game, positions)) in games.iter().zip(record.games.iter().zip(&positions)) {
        let place = format!("{} game {}", truth.file, truth.game);
        assert_eq!(record.length, truth.match_length, "{place}");
        assert_eq!(game.score_before, truth.score_before, "{place}");
        assert_eq!(game.crawford, truth.crawford_game, "{place}");
        let winner = Seat::new(truth.winner);
        let points = truth.points;
        assert_eq!(game.result, Some(GameResult { winner, points }), "{place}");
        let last = game.actions.last().map(|action| &action.kind);
        let resigned = matches!(last, Some(ActionKind::Resign { .. }));
        assert_eq!(resigned, truth.resigned, "{place}");
        assert_eq!(game.actions.len(), truth.records.len(), "{place}");
        let actions = game.actions.iter().zip(positions);
        for ((action, position), truth) in actions.zip(&truth.records) {
            assert_eq!(action.player.index(), truth.player, "{place}");
            assert_eq!(name(&action.kind), truth.action, "{place}");
            if let ActionKind::Move { dice, steps } = &action.kind {
                let steps: Vec<_> = steps.iter().map(|step| (step.from, step.to)).collect();
                assert_eq!(Some(*dice), truth.dice, "{place}");
                assert_eq!(Some(steps), truth.r#move, "{place}");
            }
            if let Some(id) = &truth.position_id {
                assert_eq!(position_id::write(&position.board), *id, "{place}");
                assert!(position.check().is_ok(), "{place}");
            }
        }
    }
}

#[test]
fn every_match_replays_from_both_files_to_the_truth() {
    let truth = truth();
    for games in truth.chunk_by(|one, next| one.file == next.file) {
        let file = &games[0].file;
        let record = read_mat(file);
        check_against_truth(&record, games);
        let sgf = read_sgf(file);
        assert_eq!(unordered(&sgf), unordered(&record), "{file}");
        let heads = [&sgf, &record].map(|r| (r.length, r.crawford_rule, &r.players, &r.tags));
        assert_eq!(heads[0], heads[1], "{file}");
        let positions = [&sgf, &record].map(|r| r.positions(results).expect("a record replays"));
        assert_eq!(positions[0], positions[1], "{file}");
    }
}

#[test]
fn a_match_is_written_as_gnu_backgammon_writes_it() {
    for file in files() {
        let record = read_mat(&file);
        let text = mat::write(&record).expect("a match");
        assert_eq!(text, golden(&format!("matches/{file}.mat")), "{file}");
        assert_eq!(mat::read(&text, results), Ok(record), "{file}");

        let record = read_sgf(&file);
        let text = sgf::write(&record);
        assert_eq!(sgf::read(&text, results), Ok(record), "{file}");
        let original = golden(&format!("matches/{file}.sgf"));
        let actions = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with(';'));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(actions(&text), actions(&original), "{file}");
    }
}

#[test]
fn an_analysed_money_session_with_automatic_doubles() {
    let record = read_sgf("money_analysed");
    assert!(record.jacoby);
    assert_eq!(record.players, ["Ann B", "root"]);
    let cubes: Vec<u8> = record.games.iter().map(|game| game.cube).collect();
    assert_eq!(cubes, [0, 1]);
    let points: Vec<u32> = record
        .games
        .iter()
        .filter_map(|g| g.result.map(|r| r.points))
        .collect();
    assert_eq!(points, [1, 4]);
    assert_eq!(
        sgf::read(&sgf::write(&record), results).as_ref(),
        Ok(&record)
    );
    let text = mat::write(&record).expect("a session");
    assert_eq!(mat::read(&text, results).as_ref(), Ok(&record));

    let unmarked = read_mat("money_analysed");
    // GNU Backgammon's file knows nothing of the automatic double: it counts half the points.
    let (mat, sgf) = (unordered(&unmarked), unordered(&record));
    assert_eq!(mat[0], sgf[0]);
    let plays = sgf[1].actions.len() - 1;
    assert_eq!(mat[1].actions[..plays], sgf[1].actions[..plays]);
    assert_eq!(
        mat::write(&unmarked),
        Ok(golden("matches/money_analysed.mat"))
    );
}

#[test]
fn a_beaver_and_a_raccoon() {
    let record = read_sgf("money_beaver");
    assert_eq!(unordered(&record), unordered(&read_mat("money_beaver")));
    let positions = record.positions(results).expect("a record replays");
    // Before the beaver, the raccoon, the take and the roll after it.
    let ids: Vec<String> = positions[0][2..=5]
        .iter()
        .map(|position| {
            match_id::write(&Position {
                dice: None,
                ..*position
            })
            .expect("an ID")
        })
        .collect();
    assert_eq!(
        ids,
        [
            "cBEAAAAAAAAA",
            "QRkAAAAAAAAA",
            "QhEAAAAAAAAA",
            "QwkAAAAAAAAA"
        ]
    );
    let unmarked = read_mat("money_beaver");
    assert_eq!(
        mat::write(&unmarked),
        Ok(golden("matches/money_beaver.mat") + "\n")
    );
}

#[test]
fn a_megabyte_of_analysis_is_passed_over() {
    let comment = format!("C[{}]", "a \\] in a remark ".repeat(60_000));
    let text = golden("matches/m3pt_02.sgf").replacen("\n;", &format!("{comment}\n;"), 1);
    assert!(text.len() > 1_000_000);
    assert_eq!(sgf::read(&text, results), Ok(read_sgf("m3pt_02")));
}

#[test]
fn matches_convert_to_each_other() {
    let text = golden("matches/m5pt_01.mat");
    let sgf = convert::convert(&text, Format::Sgf, results).expect("SGF");
    assert_eq!(convert::convert(&sgf, Format::Mat, results), Ok(text));
}

/// Writes all matches in both formats for `benches/peers/gnubg_import.py`.
#[test]
#[ignore = "writes to target/tmp/gnubg"]
fn files_for_gnu_backgammon() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gnubg");
    fs::create_dir_all(&folder).expect("a folder");
    for file in files().into_iter().chain(["money_beaver".to_owned()]) {
        let record = read_sgf(&file);
        let text = mat::write(&record).expect("a match");
        fs::write(folder.join(format!("{file}.mat")), text).expect("a file");
        fs::write(folder.join(format!("{file}.sgf")), sgf::write(&record)).expect("a file");
    }
}

/// The error of a short match with one text put in the place of another.
fn refused(from: &str, to: &str) -> String {
    let text = golden("matches/m5pt_05.mat");
    assert!(text.contains(from));
    let text = text.replacen(from, to, 1);
    mat::read(&text, results)
        .expect_err("a broken file")
        .to_string()
}

#[test]
fn a_broken_match_file_names_the_place() {
    insta::assert_snapshot!(refused("5 point match", "a match"), @"line 3: found 'a match'; expected the length, as in 5 point match");
    insta::assert_snapshot!(refused("Game 2", "Game 3"), @"line 15, game 1: found 'Game 3'; expected the next game's number");
    insta::assert_snapshot!(refused("root : 1", "root : 2"), @"line 16, game 2: the score is 0-2; expected 0-1 after the games before");
    insta::assert_snapshot!(refused("root : 1", "root"), @"line 16, game 2: found 'gnubg : 0                      root'; expected the names and scores, as in Ann : 0     Bob : 0");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "62: 24/18 13/10"), @"line 7, game 1: the roll 62 does not play it from this board");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "62: 24/18"), @"line 7, game 1: the rules do not allow it with 62: as many dice as possible must be played, of one die the larger");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "62: 24/18 13-11"), @"line 7, game 1: '13-11' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "72: 24/18 13/11"), @"line 7, game 1: found '72: 24/18 13/11'; expected a roll as in 31:, Doubles => 2, Takes, Drops or Wins 1 point");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "66: 24/18(2) 13/7(2)"), @"line 7, game 1: the game starts with 66; expected two different dice");
    insta::assert_snapshot!(refused("62: 24/18 13/11", "Doubles => 2"), @"line 7, game 1: the game starts with a cube action; expected a roll");
    insta::assert_snapshot!(refused("Doubles => 2", "Doubles => 4"), @"line 12, game 1: found 'Doubles => 4'; expected the cube at twice its value");
    insta::assert_snapshot!(refused(" Drops ", " Takes "), @"line 13, game 1: 1 points given up; expected 2, 4 or 6");
    insta::assert_snapshot!(refused(" Drops ", " Sleeps "), @"line 13, game 1: found 'Sleeps                       Wins 1 poin'; expected a roll as in 31:, Doubles => 2, Takes, Drops or Wins 1 point");
    insta::assert_snapshot!(refused("Wins 1 point", "Wins 2 points"), @"line 13, game 1: B wins 2; expected B with 1");
    insta::assert_snapshot!(refused("66:                          Doubles", "66: 13/7                     Doubles"), @"line 12, game 1: the roll 66 does not play it from this board");
}

#[test]
fn the_legal_part_of_a_broken_file_is_kept_on_request() {
    let whole = read_mat("m5pt_05");
    let text = golden("matches/m5pt_05.mat").replacen("32: 7/4* 6/4", "32: 7/4* 6/3", 1);
    let (record, error) = mat::read_prefix(&text, results);
    let error = error.expect("a broken file");
    assert_eq!(error.game, 4);
    assert_eq!(record.games.len(), 4);
    assert_eq!(record.games[..3], whole.games[..3]);
    let kept = &record.games[3];
    assert_eq!(kept.result, None);
    assert_eq!(
        kept.actions[..],
        whole.games[3].actions[..kept.actions.len()]
    );
    assert_eq!(kept.actions.len(), 13);
}

#[test]
fn a_file_of_another_program_is_read() {
    let text = "\u{feff}; [Site \"Somewhere\"]\r\n; [Crawford \"Off\"]\r\n\r\n3 Point Match\r\n\r\nGame 1\r\n\
                Ann : 0\tBob Bo : 0\r\n 1) 31: 8/5, 6/5                65: 24/13\r\n\
                 2) Doubles => 2                   drops\r\n Wins 1 point and the match\r\n";
    let record = mat::read(text, results).expect("a match");
    assert_eq!(record.players, ["Ann", "Bob Bo"]);
    assert!(!record.crawford_rule);
    assert_eq!(
        record.games[0].result,
        Some(GameResult {
            winner: Seat::A,
            points: 1
        })
    );
    let Action {
        kind: ActionKind::Move { steps, .. },
        ..
    } = &record.games[0].actions[1]
    else {
        panic!("a move");
    };
    assert_eq!(steps.len(), 2);
    assert_eq!(
        mat::read(&mat::write(&record).expect("a match"), results),
        Ok(record)
    );
}

#[test]
fn names_that_look_like_something_else_are_read_back() {
    let mut record = read_mat("m1pt_01");
    for name in [
        ";semicolon",
        "Game 2",
        "Wins 1 point",
        "a:b",
        "1) 31:",
        "Анна",
    ] {
        record.players = [name.to_owned(), format!("{name} too")];
        let text = mat::write(&record).expect("a match");
        assert_eq!(mat::read(&text, results).as_ref(), Ok(&record));
        assert_eq!(
            sgf::read(&sgf::write(&record), results).as_ref(),
            Ok(&record)
        );
    }
    for name in ["a : b", "", " a", "a\nb"] {
        record.players[0] = name.to_owned();
        assert_eq!(
            mat::write(&record),
            Err(mat::WriteError::Name(name.to_owned()))
        );
    }
}

#[test]
fn a_broken_sgf_names_the_place() {
    let refused = |from: &str, to: &str| {
        let text = golden("matches/m3pt_00.sgf").replacen(from, to, 1);
        sgf::read(&text, results)
            .expect_err("a broken file")
            .to_string()
    };
    insta::assert_snapshot!(refused("GM[6]", "GM[1]"), @"line 1, game 1: found '1'; expected GM[6], backgammon");
    insta::assert_snapshot!(refused("21xwmk", "21xwm"), @"line 2, game 1: found '21xwm'; expected a roll and its moves as in 31hefe, or double, take, drop");
    insta::assert_snapshot!(refused("21xwmk", "21xwml"), @"line 2, game 1: the roll 21 does not play it from this board");
    insta::assert_snapshot!(refused("21xwmk", "21wxmk"), @"line 2, game 1: found '21wxmk'; expected a roll and its moves as in 31hefe, or double, take, drop");
    insta::assert_snapshot!(refused("W+1]", "B+1]"), @"line 1, game 1: B wins 1; expected A with 1");
    insta::assert_snapshot!(refused("W+1]", "W+1R]"), @"line 1, game 1: found 'W+1R'; expected no resignation, as the game was decided");
    insta::assert_snapshot!(refused("W+3R", "W+4R"), @"line 22, game 2: 4 points given up; expected 1, 2 or 3");
    insta::assert_snapshot!(refused("[length:3]", "[length:x]"), @"line 1, game 1: found 'length:x'; expected a number, as in MI[length:3][ws:0][bs:0]");
    insta::assert_snapshot!(refused("[ws:1]", "[ws:2]"), @"line 22, game 2: the score is 2-0; expected 1-0 after the games before");
    insta::assert_snapshot!(refused("drop]", "drop"), @"line 21, game 1: found 'drop)(;FF[4'; expected a roll and its moves as in 31hefe, or double, take, drop");
    insta::assert_snapshot!(refused(";W[21xwmk]", ";AW[a]"), @"line 2, game 1: found 'AW'; expected a game from the start, without set-up properties");
}

/// Reads a text as everything; what is read must be written and read back.
fn read_as_everything(text: &str) -> Result<(), TestCaseError> {
    for read in [gnu_id::read, xgid::read, fibs::read] {
        match read(text) {
            Ok(position) => {
                let id = gnu_id::write(&position).expect("a checked position");
                let read = gnu_id::read(&id).expect("its own text");
                let beavers = position.beavers;
                let cube_cap = position.cube_cap;
                prop_assert_eq!(
                    Position {
                        beavers,
                        cube_cap,
                        ..read
                    },
                    position
                );
            }
            Err(error) => prop_assert!(!error.place.is_empty() && !error.reason.contains('\n')),
        }
    }
    if let Ok(board) = position_id::read(text) {
        prop_assert_eq!(position_id::read(&position_id::write(&board)), Ok(board));
    }
    if let Ok(position) = match_id::read(text, Board::START) {
        let id = match_id::write(&position).expect("a checked position");
        prop_assert_eq!(match_id::read(&id, Board::START), Ok(position));
    }
    if let Ok(steps) = play::read(text) {
        prop_assert_eq!(
            play::read(&play::write(&steps)).map(|s| s.len() <= 4),
            Ok(true)
        );
    }
    for (record, error) in [
        mat::read_prefix(text, results),
        sgf::read_prefix(text, results),
    ] {
        prop_assert!(record.positions(results).is_ok());
        if let Some(error) = error {
            prop_assert!(!error.to_string().contains('\n'));
        }
        if let Ok(text) = mat::write(&record) {
            let games = mat::read_prefix(&text, results).0.games;
            prop_assert!(games.len() == record.games.len() || record.players[0].is_empty());
        }
        let again = sgf::read(&sgf::write(&record), results);
        prop_assert!(again.is_ok() || record.games.is_empty());
    }
    Ok(())
}

/// A valid text of every kind, each kind as often.
fn valid() -> impl Strategy<Value = String> {
    let plays = [
        "bar/22* 24/18*/13(2) 6/off",
        "8/5 6/5",
        "25/0",
        "bar/20*(2) 13/8",
        "6/off(4)",
    ];
    let plays = plays.map(str::to_owned).to_vec();
    let of_rows = |text: fn(Row) -> String| rows().into_iter().map(text).collect();
    let matches = |end: &str| {
        let files = ["m1pt_01", "m3pt_00", "m5pt_05", "money_beaver"];
        files
            .map(|file| golden(&format!("matches/{file}.{end}")))
            .to_vec()
    };
    let kinds: [Vec<String>; 8] = [
        plays,
        of_rows(|row| row.position_id),
        of_rows(|row| row.match_id),
        of_rows(|row| format!("{}:{}", row.position_id, row.match_id)),
        of_rows(|row| row.xgid),
        of_rows(|row| row.fibs),
        matches("mat"),
        matches("sgf"),
    ];
    prop::sample::select(kinds.to_vec()).prop_flat_map(prop::sample::select)
}

/// A valid text with some characters replaced, removed, doubled or cut off.
fn mutated() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        prop::sample::select(
            "0123456789:/-*()[];abxyzABDWR \n\\"
                .chars()
                .collect::<Vec<_>>()
        ),
        any::<char>(),
    ];
    let change = (any::<prop::sample::Index>(), 0..5u8, letter);
    (valid(), prop::collection::vec(change, 1..4)).prop_map(|(text, changes)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (index, how, letter) in changes {
            if letters.is_empty() {
                break;
            }
            let at = index.index(letters.len());
            match how {
                0 | 1 => letters[at] = letter,
                2 => letters.insert(at, letter),
                3 => drop(letters.remove(at)),
                _ => letters.truncate(at),
            }
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>()) {
        read_as_everything(&text)?;
    }

    #[test]
    fn no_changed_text_makes_a_reader_panic(text in mutated()) {
        read_as_everything(&text)?;
    }
}

/// A million cases, or as many as `PROPTEST_CASES` says.
#[test]
#[ignore = "takes minutes"]
fn no_changed_text_makes_a_reader_panic_for_long() {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = ProptestConfig::with_cases(cases.unwrap_or(1_000_000));
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let texts = prop_oneof![any::<String>(), mutated()];
    runner
        .run(&texts, |text| read_as_everything(&text))
        .expect("no panic");
}
