//! Backgammon from outside: notations, tables, saved matches.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use insta::assert_snapshot;
use racelab::experiment::record::Record;
use racelab::experiment::runner::{self, Options, Progress};
use racelab::experiment::spec::{Experiment, Spec};
use racelab::games::backgammon::Backgammon;
use racelab::games::backgammon::board::Board;
use racelab::games::backgammon::moves::Plays;
use racelab::games::backgammon::notation::record::{Action, ActionKind, MatchRecord};
use racelab::games::backgammon::notation::{mat, sgf};

/// A folder to work in, and the program.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    fn run(&self, line: &str, stdin: &[u8]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        command.args(words(line)).current_dir(self.0.path());
        let mut command = assert_cmd::Command::from_std(command);
        command
            .write_stdin(stdin)
            .output()
            .expect("the program starts")
    }

    /// What one would see: stdout, stderr and the exit code.
    fn seen(&self, line: &str, stdin: &str) -> String {
        self.seen_bytes(line, stdin.as_bytes())
    }

    fn seen_bytes(&self, line: &str, stdin: &[u8]) -> String {
        let output = self.run(line, stdin);
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let code = output.status.code().expect("the program ends by itself");
        let (out, error) = (text(output.stdout), text(output.stderr));
        format!("{out}{error}exit code {code}")
    }

    /// What one would see of some command lines, one after the other.
    fn transcript(&self, lines: &str) -> String {
        let mut transcript = String::new();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let _ = writeln!(transcript, "$ racelab {line}\n{}", self.seen(line, ""));
        }
        transcript
    }

    /// Plays a tournament that must succeed; the files of its games by name.
    fn games(&self, line: &str, out: &str) -> BTreeMap<String, String> {
        let line = format!("tournament --game backgammon --quiet --out {out} {line}");
        assert_eq!(self.seen(&line, ""), "exit code 0", "{line}");
        self.files(&format!("{out}/games"))
    }

    fn files(&self, folder: &str) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let files = entries.map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (
                name.into_owned(),
                fs::read_to_string(&path).expect("a text"),
            )
        });
        files.collect()
    }
}

/// The words of a command line; 'single quotes' keep spaces together.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

fn golden(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/backgammon");
    folder.join(name)
}

fn results(board: &Board, dice: [u8; 2]) -> Vec<Board> {
    let mut plays = Plays::default();
    plays.generate(board, dice.into());
    plays.to_vec()
}

/// The match of a file the program wrote.
fn read_back(name: &str, text: &str) -> MatchRecord {
    let record = match name.rsplit_once('.') {
        Some((_, "mat")) => mat::read(text, results),
        _ => sgf::read(text, results),
    };
    let record = record.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert!(record.positions(results).is_ok(), "{name}");
    record
}

#[test]
fn positions_convert_one_by_one_and_line_by_line() {
    let desk = Desk::new();
    assert_snapshot!(desk.transcript("
        convert 4HPwATDgc/ABMA --to xgid
        convert XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10 --to gnu-id
        convert 4HPwATDgc/ABMA:cInlABAAEAAE --to fibs
        convert XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10 --to position-id
    "), @r#"
$ racelab convert 4HPwATDgc/ABMA --to xgid
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10
exit code 0
$ racelab convert XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10 --to gnu-id
4HPwATDgc/ABMA:cInlABAAEAAE
exit code 0
$ racelab convert 4HPwATDgc/ABMA:cInlABAAEAAE --to fibs
board:You:Opponent:7:2:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1
exit code 0
$ racelab convert XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10 --to position-id
4HPwATDgc/ABMA
exit code 0
"#);
    let lines = "4HPwATDgc/ABMA\r\n\nnonsense\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n4HPwATDgc/ABM\n";
    assert_snapshot!(desk.seen("convert --to xgid", lines), @r#"
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
racelab: stdin: line 3: Position ID: 8 characters; expected 14
racelab: stdin: line 5: Position ID: 13 characters; expected 14
racelab: convert: 2 of 4 lines with an error
exit code 2
"#);
    desk.write("some.txt", lines);
    assert_snapshot!(desk.seen("convert some.txt --to gnu-id --out new.txt", ""), @r#"
racelab: some.txt: line 3: Position ID: 8 characters; expected 14
racelab: some.txt: line 5: Position ID: 13 characters; expected 14
racelab: convert: 2 of 4 lines with an error
exit code 2
"#);
    assert_snapshot!(desk.read("new.txt"), @r#"
4HPwATDgc/ABMA:cAkAAAAAAAAA
4HPwATDgc/ABMA:cAkAAAAAAAAE
"#);
}

#[test]
fn what_cannot_be_converted_is_named() {
    let desk = Desk::new();
    desk.write("empty.txt", "\n \n");
    desk.write("bytes.txt", b"4HPwATDgc/ABMA\nab\xffcd\n");
    desk.write(
        "bytes.mat",
        b" 3 point match\n\n Game 1\n M\xfcller : 0   Bob : 0\n",
    );
    desk.write(
        "broken.mat",
        " 3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/9\n",
    );
    desk.write("ok.txt", "4HPwATDgc/ABMA");
    fs::create_dir(desk.path("folder")).expect("a folder");
    assert_snapshot!(desk.transcript("
        convert nowhere.mat --to sgf
        convert folder --to sgf
        convert empty.txt --to xgid
        convert bytes.txt --to xgid
        convert bytes.mat --to sgf
        convert broken.mat --to sgf
        convert broken.mat --to xgid
        convert ok.txt --to mat
        convert ok.txt --to png
        convert ok.txt --to xgid --prefix
        convert ok.txt --to xgid --out missing/out.txt
        convert ok.txt
    "), @r#"
$ racelab convert nowhere.mat --to sgf
racelab: 'nowhere.mat': no such file, and no position: Position ID: 11 characters; expected 14
exit code 2
$ racelab convert folder --to sgf
racelab: folder: is a directory
exit code 2
$ racelab convert empty.txt --to xgid
racelab: empty.txt: empty; expected a position or a match
exit code 2
$ racelab convert bytes.txt --to xgid
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10
racelab: bytes.txt: line 2: not UTF-8 after byte 2
racelab: convert: 1 of 2 lines with an error
exit code 2
$ racelab convert bytes.mat --to sgf
racelab: bytes.mat: line 4: not UTF-8; expected a file saved as UTF-8
exit code 2
$ racelab convert broken.mat --to sgf
racelab: broken.mat: line 5, game 1: '6/9' does not move towards the home board; expected a lower point after each slash
exit code 2
$ racelab convert broken.mat --to xgid
racelab: broken.mat: line 5, game 1: '6/9' does not move towards the home board; expected a lower point after each slash
exit code 2
$ racelab convert ok.txt --to mat
racelab: ok.txt: line 1: the text is a position; expected position-id, gnu-id, xgid or fibs as the format to write, not mat
exit code 2
$ racelab convert ok.txt --to png
racelab: --to: 'png'; no format 'png'; known: position-id, gnu-id, xgid, fibs, mat, sgf
exit code 2
$ racelab convert ok.txt --to xgid --prefix
racelab: --prefix: a position has no part to keep; expected a match, mat or sgf
exit code 2
$ racelab convert ok.txt --to xgid --out missing/out.txt
racelab: missing/out.txt: no such file
exit code 1
$ racelab convert ok.txt
racelab: the following required arguments were not provided: --to <FORMAT>; see 'racelab --help'
exit code 2
"#);
}

#[test]
fn golden_matches_convert_there_and_back() {
    let desk = Desk::new();
    for name in ["m7pt_01", "m1pt_03", "money_beaver"] {
        let mat = golden(&format!("matches/{name}.mat"));
        let line = format!("convert '{}' --to sgf --out there.sgf", mat.display());
        assert_eq!(desk.seen(&line, ""), "exit code 0");
        assert_eq!(
            desk.seen("convert there.sgf --to mat --out back.mat", ""),
            "exit code 0"
        );
        let text = fs::read_to_string(&mat).expect("a golden match");
        let there = read_back("there.sgf", &desk.read("there.sgf"));
        assert_eq!(there.games, read_back("x.mat", &text).games, "{name}");
        assert_eq!(
            there.games,
            read_back("back.mat", &desk.read("back.mat")).games,
            "{name}"
        );
    }
}

#[test]
fn the_prefix_of_a_broken_match_is_kept() {
    let desk = Desk::new();
    let text = " 3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  \
                1)                             31: 8/5 6/5\n  \
                2)  Doubles => 2                Drops\n      Wins 1 point\n\n \
                Game 2\n Ann : 1   Bob : 0\n  \
                1) 31: 8/5 6/5                 52: 13/8 24/22\n  \
                2) 66: 24/18(2) 13/7(9)\n  3) 11: 6/5(4)\n";
    desk.write("broken.mat", text);
    assert_snapshot!(desk.transcript("
        convert broken.mat --to mat
        convert broken.mat --to mat --prefix
        convert broken.mat --to sgf --prefix
    "), @r#"
$ racelab convert broken.mat --to mat
racelab: broken.mat: line 12, game 2: '13/7(9)' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13
exit code 2
$ racelab convert broken.mat --to mat --prefix
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             31: 8/5 6/5 
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                        Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22 

racelab: broken.mat: line 12, game 2: '13/7(9)' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13; kept 1 finished game and 2 actions of game 2, dropped lines 12 to 13
exit code 0
$ racelab convert broken.mat --to sgf --prefix
(;FF[4]GM[6]CA[UTF-8]AP[racelab:0.1.0]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]RE[W+1]
;B[31qtst]
;W[double]
;B[drop])
(;FF[4]GM[6]CA[UTF-8]AP[racelab:0.1.0]MI[length:3][game:1][ws:1][bs:0]PW[Ann]PB[Bob]RU[Crawford]
;W[31hefe]
;B[52lqac])
racelab: broken.mat: line 12, game 2: '13/7(9)' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13; kept 1 finished game and 2 actions of game 2, dropped lines 12 to 13
exit code 0
"#);
    desk.write("none.mat", " 3 point match\n\n Game 7\n");
    assert_snapshot!(desk.seen("convert none.mat --to mat --prefix", ""), @r#"
racelab: none.mat: line 3: found 'Game 7'; expected the next game's number; no game comes before it
exit code 2
"#);
}

#[test]
fn the_bear_off_tables_are_built_once_and_say_what_a_position_is_worth() {
    let desk = Desk::new();
    let id = "AwAAKAEAAAAAAA";
    assert_snapshot!(desk.transcript(&format!("
        exact backgammon-bearoff
        exact backgammon-bearoff --out tables --position {id}
        exact backgammon-bearoff --out tables --position {id} --position 2x0AAOy2AQAAAA
    ")), @r#"
$ racelab exact backgammon-bearoff
bearoff-one-sided-15x6.bin     54264 positions of a side   2745712 bytes  6a175f7021b8e99b
bearoff-two-sided-6x6.bin        924 positions of a side  13660488 bytes  3b8227257af3798d

position        on roll          waiting     rolls     EPC  no double  double, take  best
/38AAAD/fwAAAA  1:15             the same   6.9796  57.000
4P8PAADg/w8AAA  6:15             the same  12.2662 100.174
+L4PAAD4vg8AAA  6:5 5:5 4:5      the same  10.0738  82.269
3HsPAADcew8AAA  6:4 5:4 4:4 3:3  the same   9.3826  76.625
AQAARAAAAAAAAA  4:1 1:1          1:1        1.1944   9.755   0.611111      1.222222  double, pass
AQAAiAAAAAAAAA  5:1 2:1          1:1        1.4753  12.048   0.055556      0.111111  double, take
AQAABAEAAAAAAA  6:1 1:1          1:1        1.5864  12.956  -0.166667     -0.333333  no double, take
BwAAcAAAAAAAAA  1:3              the same   1.8333  14.972   0.722222      1.444444  double, pass
HwAAwAcAAAAAAA  1:5              the same   2.6944  22.005   0.768519      1.151235  double, pass
4AcAAPADAAAAAA  6:6              the same   5.3124  43.385   0.485008      0.443023  no double, take
exit code 0
$ racelab exact backgammon-bearoff --out tables --position AwAAKAEAAAAAAA
bearoff-one-sided-15x6.bin     54264 positions of a side   2745712 bytes  6a175f7021b8e99b
bearoff-two-sided-6x6.bin        924 positions of a side  13660488 bytes  3b8227257af3798d

AwAAKAEAAAAAAA
on roll    7 pips   1.864198 rolls  EPC  15.22428  4:1 2:1 1:1
waiting    2 pips   1.000000 rolls  EPC   8.16667  1:2
race     0.138889 won by the player on roll
cube            no double  double, take  double, pass  best
none            -0.722222
in the middle   -0.722222     -1.444444      1.000000  no double, take
player on roll  -0.722222     -1.444444      1.000000  no double, take
other player    -0.722222
racelab: tables/bearoff-one-sided-15x6.bin: built and written
racelab: tables/bearoff-two-sided-6x6.bin: built and written
exit code 0
$ racelab exact backgammon-bearoff --out tables --position AwAAKAEAAAAAAA --position 2x0AAOy2AQAAAA
bearoff-one-sided-15x6.bin     54264 positions of a side   2745712 bytes  6a175f7021b8e99b
bearoff-two-sided-6x6.bin        924 positions of a side  13660488 bytes  3b8227257af3798d

AwAAKAEAAAAAAA
on roll    7 pips   1.864198 rolls  EPC  15.22428  4:1 2:1 1:1
waiting    2 pips   1.000000 rolls  EPC   8.16667  1:2
race     0.138889 won by the player on roll
cube            no double  double, take  double, pass  best
none            -0.722222
in the middle   -0.722222     -1.444444      1.000000  no double, take
player on roll  -0.722222     -1.444444      1.000000  no double, take
other player    -0.722222
racelab: tables/bearoff-one-sided-15x6.bin: read
racelab: tables/bearoff-two-sided-6x6.bin: read
racelab: --position: 2x0AAOy2AQAAAA is not in the table; expected all checkers of both sides on their last 6 points, and some left on each
exit code 2
"#);
    let name = "tables/bearoff-two-sided-6x6.bin";
    let bytes = fs::read(desk.path(name)).expect("the table was written");
    desk.write(name, &bytes[..100]);
    assert_snapshot!(desk.transcript("
        exact backgammon-bearoff --out tables
        exact backgammon-bearoff --position 4HPwATDgc/ABMA
        exact backgammon-bearoff --position nonsense
        exact backgammon-bearoff --points 11
        exact mensch backgammon-bearoff
    "), @r#"
$ racelab exact backgammon-bearoff --out tables
bearoff-one-sided-15x6.bin     54264 positions of a side   2745712 bytes  6a175f7021b8e99b
racelab: tables/bearoff-one-sided-15x6.bin: read
racelab: tables/bearoff-two-sided-6x6.bin: 100 bytes long instead of 13660488; delete it and run 'racelab exact backgammon-bearoff' to build it again
exit code 1
$ racelab exact backgammon-bearoff --position 4HPwATDgc/ABMA
bearoff-one-sided-15x6.bin     54264 positions of a side   2745712 bytes  6a175f7021b8e99b
bearoff-two-sided-6x6.bin        924 positions of a side  13660488 bytes  3b8227257af3798d
racelab: --position: 4HPwATDgc/ABMA is not in the table; expected all checkers of both sides on their last 6 points, and some left on each
exit code 2
$ racelab exact backgammon-bearoff --position nonsense
racelab: --position: Position ID: 8 characters; expected 14
exit code 2
$ racelab exact backgammon-bearoff --points 11
racelab: --points: '11'; expected a whole number from 1 to 10
exit code 2
$ racelab exact mensch backgammon-bearoff
racelab: the subcommand 'backgammon-bearoff' cannot be used with '<GAME>'; see 'racelab --help'
exit code 2
"#);
}

#[test]
fn perft_counts_the_published_numbers() {
    let desk = Desk::new();
    let line = "perft backgammon --rule cube=false --position 4HPwATDgc/ABMA --depth 2";
    let output = desk.run(line, b"");
    assert_snapshot!(String::from_utf8_lossy(&output.stdout), @r#"
1                   447
2                202782
"#);
}

#[test]
fn a_game_is_traced_move_by_move() {
    let desk = Desk::new();
    let seen = desk.seen(
        "trace backgammon --bots greedy,random --seed 3 --max-rolls 8",
        "",
    );
    assert_snapshot!(seen, @r#"
   1 A greedy 6-5 24/18 8/3
    xGfwQSDgc/ABMA:cAkAAAAAAAAA
                  rolls
    xGfwQSDgc/ABMA:cAkAAAAAAAAA doubling=declined
   2 B random 5-2 13/11 13/8
    4PPIATDEZ/BBIA:MAEAAAAAAAAA
                  rolls
    4PPIATDEZ/BBIA:MAEAAAAAAAAA doubling=declined
   3 A greedy 6-4 18/14* 8/2
    ik/wBSDg8+AAWA:cAkAAAAAAAAA
                  doubles to 2
    ik/wBSDg8+AAWA:cBEAAAAAAAAA
                  takes
    ik/wBSDg8+AAWA:QQkAAAAAAAAA
   4 B random 3-3 bar/22* 13/4
    yOfBADLCJ/gCUA:AQEAAAAAAAAA
                  rolls
    yOfBADLCJ/gCUA:AQEAAAAAAAAA doubling=declined
   5 A greedy 6-4 bar/21* 8/2
    hg/4AiLg82AAWQ:QQkAAAAAAAAA
   6 B random 5-2 bar/20 13/11*
    4PNIQDKGD/gAUQ:AQEAAAAAAAAA
                  rolls
    4PNIQDKGD/gAUQ:AQEAAAAAAAAA doubling=declined
   7 A greedy 4-2 bar/21 6/4
    Jg/4ACPg80hAMg:QQkAAAAAAAAA
   8 B random 5-2 20/15 11/9
    4PNCAjImD/gAIw:AQEAAAAAAAAA
                  rolls
    4PNCAjImD/gAIw:AQEAAAAAAAAA doubling=declined

stopped after 8 rolls, as it stands:
  place 1: A greedy
  place 2: B random
turns 8, rolls that moved nothing 0, choices 15
captures made A 2, B 2
captures suffered A 2, B 2
exit code 0
"#);
}

/// Both throw a die for the first play; it is of the one who threw more.
#[test]
fn the_first_play_is_of_the_side_that_threw_more() {
    let desk = Desk::new();
    let seen = desk.seen(
        "trace backgammon --preset cubeless --bots random,pip --seed 5 --max-rolls 2",
        "",
    );
    let plays: Vec<&str> = seen.lines().filter(|line| line.contains('-')).collect();
    assert!(plays[0].starts_with("   1 B pip    4-6 "), "{seen}");
    assert!(plays[1].starts_with("   2 A random 4-1 "), "{seen}");
}

/// The rows of the golden move lists as `racelab results` reads them.
fn jsonl(name: &str, rows: usize) -> String {
    let text = fs::read_to_string(golden(name)).expect("golden rows");
    let mut lines = String::new();
    for row in text.lines().filter(|row| !row.starts_with('#')).take(rows) {
        let cells: Vec<&str> = row.split('\t').collect();
        let mut results: Vec<&str> = cells[8].split(' ').collect();
        results.sort_unstable();
        let dice: Vec<u32> = cells[2]
            .chars()
            .filter_map(|die| die.to_digit(10))
            .collect();
        let row = serde_json::json!({
            "id": cells[0], "game": "backgammon", "position": cells[1], "dice": dice,
            "results": results,
        });
        let _ = writeln!(lines, "{row}");
    }
    lines
}

#[test]
fn results_agree_with_the_golden_move_lists() {
    let desk = Desk::new();
    for (name, rows) in [("movegen_selfplay.tsv", 2080), ("movegen_stress.tsv", 1496)] {
        let lines = jsonl(name, usize::MAX);
        assert_eq!(
            desk.seen("results --check", &lines),
            format!(
                "racelab: results: {rows} lines: {rows} agree, 0 differ, 0 with an error\nexit code 0"
            ),
            "{name}"
        );
    }
}

/// Any length works that notations can hold, not only those that are listed.
#[test]
fn a_length_that_cannot_be_played_is_refused_with_all_that_can() {
    let desk = Desk::new();
    let position = "4HPwATDgc/ABMA:cAkAAAAAAAAA";
    for (rules, reason) in [
        (r#"{"length":-3}"#, "rules: length: -3; expected 0 to 999"),
        (
            r#"{"length":1000}"#,
            "rules: length: 1000; expected 0 to 999",
        ),
        (
            r#"{"length":"x"}"#,
            r#"rules: length: "x"; expected 0 to 999"#,
        ),
        (r#"{"length":2.5}"#, "rules: length: 2.5; expected 0 to 999"),
        (
            r#"{"gammon":-1}"#,
            "rules: gammon: -1; expected 1 to 9 cubes",
        ),
        (
            r#"{"cube_cap":-2}"#,
            "rules: cube_cap: -2; expected a power of two, 2 to 32768",
        ),
        (
            r#"{"automatic_doubles":99}"#,
            "rules: automatic_doubles: 99; expected 0 to 15",
        ),
    ] {
        for flags in ["", "--check"] {
            let line = format!(
                r#"{{"id":1,"game":"backgammon","rules":{rules},"position":"{position}","dice":[6,1],"results":[]}}"#
            );
            let seen = desk.run(&format!("results {flags}"), format!("{line}\n").as_bytes());
            let shown: serde_json::Value = serde_json::from_slice(&seen.stdout).expect("a row");
            assert_eq!(shown["error"], reason, "{rules}");
        }
    }
    assert_eq!(
        desk.seen("perft backgammon --rule length=-3", ""),
        "racelab: rules: length: -3; expected 0 to 999\nexit code 2"
    );
}

/// A mean of what is counted is not below 0, however few games there were of a kind.
#[test]
fn intervals_of_counts_end_at_nothing() {
    let desk = Desk::new();
    let line = "tournament --game backgammon --bots pip --blocks 40 --quiet --out few";
    assert_eq!(desk.seen(line, ""), "exit code 0");
    let mut rows = csv::Reader::from_path(desk.path("few/measures.csv")).expect("a table");
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    let lows = |row: &csv::StringRecord| row[6].parse::<f64>().ok();
    let counts = rows.iter().filter(|row| &row[1] != "points");
    let lows: Vec<f64> = counts.filter_map(lows).collect();
    assert!(lows.iter().all(|&low| low >= 0.0), "{rows:?}");
    assert!(lows.contains(&0.0), "{rows:?}");
}

#[test]
fn a_wrong_result_is_shown() {
    let desk = Desk::new();
    let lines = jsonl("movegen_stress.tsv", 1);
    let mut row: serde_json::Value = serde_json::from_str(&lines).expect("a row");
    let right = row["results"][0].take();
    row["results"][0] = "4HPwATDgc/ABMA".into();
    let seen = desk.run("results --check", format!("{row}\n").as_bytes());
    let shown: serde_json::Value = serde_json::from_slice(&seen.stdout).expect("a row");
    assert_eq!(shown["missing"], serde_json::json!(["4HPwATDgc/ABMA"]));
    assert_eq!(shown["too_much"], serde_json::json!([right]));
    assert_eq!(seen.status.code(), Some(1));
}

#[test]
fn saved_matches_are_those_that_were_played() {
    let desk = Desk::new();
    let line = "--bots greedy,random --preset match7 --blocks 12 --seed 5 --games-csv";
    let mats = desk.games(&format!("{line} --save-games mat --threads 1"), "mat");
    let sgfs = desk.games(&format!("{line} --save-games sgf --threads 3"), "sgf");
    assert_eq!(mats.len(), 24);
    let names: Vec<&str> = mats.keys().map(String::as_str).collect();
    assert_eq!(names[0], "block-00-line-up-1-rotation-1.mat");
    assert_eq!(names[23], "block-11-line-up-1-rotation-2.mat");

    let table = desk.read("mat/games.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    for ((name, text), row) in mats.iter().zip(rows.records()) {
        let row = row.expect("a row");
        let record = read_back(name, text);
        let sgf = name.replace(".mat", ".sgf");
        assert_eq!(record.games, read_back(&sgf, &sgfs[&sgf]).games, "{name}");
        assert_eq!(record.players.join(" "), row[4], "{name}");
        assert_eq!(record.length, 7);
        let last = record.games.last().expect("a game");
        let winner = last.result.expect("a result").winner;
        assert_eq!(winner.to_string(), row[5], "{name}");
        assert_eq!(record.players[winner.index()], row[6], "{name}");
    }
}

fn is_double(action: &Action) -> bool {
    action.kind == ActionKind::Double
}

#[test]
fn saved_games_are_read_back_under_every_rule_that_can_be_saved() {
    let desk = Desk::new();
    let tables = [
        ("--preset cubeless", "random,greedy", "mat"),
        ("--preset dmp", "random,greedy", "sgf"),
        ("--rule beavers=raccoons", "random", "mat"),
        (
            "--rule beavers=beavers --rule jacoby=false",
            "random",
            "sgf",
        ),
        (
            "--rule beavers=raccoons --rule automatic_doubles=3",
            "random",
            "sgf",
        ),
        ("--rule length=5 --rule holland=true", "random", "mat"),
        (
            "--rule length=5 --rule crawford=false",
            "random,greedy",
            "sgf",
        ),
        ("--rule cube_cap=4", "random", "mat"),
    ];
    let mut raccoons = 0;
    for (index, (rules, bots, format)) in tables.iter().enumerate() {
        let line = format!("{rules} --bots {bots} --blocks 40 --save-games {format}");
        let games = desk.games(&line, &format!("out{index}"));
        assert_eq!(games.len(), 40 * bots.split(',').count(), "{rules}");
        for (name, text) in games {
            let record = read_back(&name, &text);
            let last = record.games.last().expect("a game");
            assert!(last.result.is_some(), "{rules} {name}");
            let actions = record.games.iter().flat_map(|game| game.actions.windows(3));
            raccoons += actions.filter(|three| three.iter().all(is_double)).count();
        }
    }
    assert!(raccoons > 0, "not every word of the cube was spoken");
}

#[test]
fn a_capped_game_is_saved_unfinished() {
    let desk = Desk::new();
    let games = desk.games(
        "--bots random --blocks 1 --cap 5 --save-games mat --preset cubeless",
        "out",
    );
    assert_snapshot!(games["block-0-line-up-1-rotation-1.mat"], @r#"
0 point match

Game 1
random : 0                     random : 0
 1) 31: 8/5 6/5                 41: 8/4 24/23 
 2) 66: 24/18 13/7 8/2* 7/1*    65: 
 3) 52: 13/8 8/6
"#);
}

const SAVED: &str = "--bots greedy,random --blocks 200 --seed 8 --save-games mat";

/// Leaves the run of `SAVED` in `out` as one that was killed after its last record.
fn killed(desk: &Desk, out: &str, spec: &str) -> Vec<Record> {
    let experiment: Experiment<Backgammon> = Spec::parse(spec).unwrap().resolve().unwrap();
    let folder = desk.path(out).join("records");
    fs::create_dir_all(&folder).expect("a folder");
    desk.write(&format!("{out}/spec.toml"), spec);
    let options = Options {
        threads: 2,
        checkpoint: Duration::from_millis(5),
        stop: &AtomicBool::new(false),
        progress: &Progress::default(),
    };
    assert!(runner::run(&experiment, &folder, &options).unwrap());
    let records = Record::read_all(&folder, &experiment).unwrap();
    assert!(records.len() > 2, "only {} records", records.len());
    records
}

#[test]
fn a_run_goes_on_with_the_games_it_has_saved() {
    let desk = Desk::new();
    let undisturbed = desk.games(SAVED, "undisturbed");
    let spec = desk.read("undisturbed/spec.toml");
    let records = killed(&desk, "out", &spec);
    let name = |ending: &str| {
        let Record { job, lo, hi, .. } = &records[1];
        format!("{job}-{lo}-{hi}.{ending}")
    };
    let remove = |ending| fs::remove_file(desk.path("out/records").join(name(ending))).unwrap();

    remove("texts");
    let line = format!("tournament --game backgammon --quiet --out out --resume {SAVED}");
    let seen = desk.seen(&line, "");
    let refused = format!(
        "racelab: out/records/{}: no such file; delete {} beside it and its blocks are played \
         again; to go on afterwards: ",
        name("texts"),
        name("json")
    );
    assert!(seen.starts_with(&refused), "{seen}");
    assert!(seen.ends_with("exit code 1"), "{seen}");

    remove("json");
    assert_eq!(desk.games(&format!("{SAVED} --resume"), "out"), undisturbed);
    assert!(!desk.path("out/records").exists(), "parts are left over");
}

#[test]
fn another_run_leaves_no_game_of_the_one_before() {
    let desk = Desk::new();
    desk.games(SAVED, "out");
    desk.write("out/games/mine.txt", "not ours");
    let again = desk.games(
        "--bots greedy,random --blocks 2 --save-games sgf --force",
        "out",
    );
    let names: Vec<&str> = again.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "block-0-line-up-1-rotation-1.sgf",
            "block-0-line-up-1-rotation-2.sgf",
            "block-1-line-up-1-rotation-1.sgf",
            "block-1-line-up-1-rotation-2.sgf",
            "mine.txt"
        ]
    );
}

#[test]
fn what_cannot_be_saved_is_refused_before_a_game_is_played() {
    let desk = Desk::new();
    assert_snapshot!(desk.transcript("
        tournament --game mensch --bots greedy --save-games mat
        tournament --game backgammon --bots greedy --save-games xgid
        tournament --game backgammon --bots greedy,random --save-games mat --blocks 50001
        tournament --game backgammon --bots greedy --save-games mat --preset nackgammon
        tournament --game backgammon --bots greedy --save-games sgf --rule larger_die=false
        tournament --game backgammon --bots greedy --save-games sgf --rule gammon=1
        tournament --game backgammon --bots greedy --save-games mat --rule automatic_doubles=1
    "), @r#"
$ racelab tournament --game mensch --bots greedy --save-games mat
racelab: save_games: 'mat'; mensch has no notation for whole games
exit code 2
$ racelab tournament --game backgammon --bots greedy --save-games xgid
racelab: save_games: no format 'xgid'; backgammon knows mat, sgf
exit code 2
$ racelab tournament --game backgammon --bots greedy,random --save-games mat --blocks 50001
racelab: save_games: 100002 games; at most 100000 are saved, one file each; ask for fewer blocks
exit code 2
$ racelab tournament --game backgammon --bots greedy --save-games mat --preset nackgammon
racelab: save_games: mat cannot hold games with another setup; expected setup = 'backgammon'
exit code 2
$ racelab tournament --game backgammon --bots greedy --save-games sgf --rule larger_die=false
racelab: save_games: sgf cannot hold games with larger_die = false; expected larger_die = true
exit code 2
$ racelab tournament --game backgammon --bots greedy --save-games sgf --rule gammon=1
racelab: save_games: sgf cannot hold games with gammon = 1, backgammon = 3; expected gammon = 2, backgammon = 3
exit code 2
$ racelab tournament --game backgammon --bots greedy --save-games mat --rule automatic_doubles=1
racelab: save_games: mat cannot hold games with automatic_doubles = 1; expected sgf as the format, or automatic_doubles = 0
exit code 2
"#);
}

#[test]
fn what_is_no_match_and_what_is_no_file_is_refused() {
    let desk = Desk::new();
    desk.write("none.mat", " 7 point match\n");
    desk.write("there.txt", "");
    std::os::unix::fs::symlink("there.txt", desk.path("link.txt")).expect("a link");
    let beaver = "XGID=-b----E-C---eE---c-e----B-:3:-1:1:D:0:0:0:0:10";
    for (line, place) in [
        ("convert none.mat --to sgf".to_owned(), "none.mat: no game"),
        ("convert none.mat --to mat".to_owned(), "none.mat: no game"),
        (
            "convert 4HPwATDgc/ABMA --to xgid --out link.txt".to_owned(),
            "--out: link.txt: no regular file",
        ),
        (format!("convert {beaver} --to gnu-id"), "cube owner"),
    ] {
        let output = desk.run(&line, b"");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(place), "{line}: {said}");
    }
    assert_eq!(desk.read("there.txt"), "");
}
