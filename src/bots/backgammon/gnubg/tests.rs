use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use super::*;
use crate::engine::game::{MoveSet, Turn};
use crate::engine::random::{BlockKey, Purpose};
use crate::engine::seat::{Seat, SeatSet};
use crate::games::backgammon::Moves;

/// What a fake program does with one question.
#[derive(Clone, Copy)]
enum Reply {
    Say(&'static str),
    /// Half a line, and no more.
    Half,
    Hang,
    Close,
}
use Reply::{Close, Half, Hang, Say};

/// A program that listens and does this with the questions of one connection after another; its
/// port, and the questions.
fn fake(connections: &'static [&'static [Reply]]) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, questions) = channel();
    spawn(move || {
        let mut hanging = Vec::new();
        for replies in connections {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            for reply in *replies {
                let Some(Ok(question)) = lines.next() else {
                    break;
                };
                let _ = send.send(question);
                match reply {
                    Say(text) => stream.write_all(text.as_bytes()).unwrap(),
                    Half => stream.write_all(b"8/5 ").unwrap(),
                    Hang | Close => {}
                }
                if matches!(reply, Half | Hang) {
                    hanging.push(stream.try_clone().unwrap());
                }
            }
        }
        // Long enough for every timeout of these tests.
        sleep(Duration::from_secs(20));
        drop(hanging);
    });
    (port, questions)
}

fn gnubg(params: &str) -> Gnubg {
    read(&params.parse().unwrap()).unwrap()
}

fn connected(port: u16) -> Gnubg {
    gnubg(&format!("command = ''\nport = {port}\ntimeout = 1"))
}

fn table(rules: Rules) -> Backgammon {
    Backgammon::new(rules, SeatSet::first(2)).unwrap()
}

/// The move chosen in a position, as text, or why the policy failed.
fn chosen_at(policy: &mut Gnubg, game: &Backgammon, text: &str) -> Result<String, String> {
    let state = game.parse(text).unwrap();
    let Turn::Decision(seat) = game.turn(&state) else {
        panic!("nobody chooses in '{text}'");
    };
    let mut moves = Moves::default();
    game.moves(&state, &mut moves);
    let view = View {
        game,
        state: &state,
        seat,
        moves: &moves,
    };
    let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, Seat::A);
    let index = policy.choose(&view, &mut random);
    match policy.failed() {
        None => Ok(game.move_text(&state, moves.get(index))),
        Some(reason) => Err(reason.to_owned()),
    }
}

fn chosen(policy: &mut Gnubg, text: &str) -> Result<String, String> {
    chosen_at(policy, &table(Rules::default()), text)
}

/// The start with 3-1 to play, before the roll, and with a double to answer.
const ROLLED: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10";
const BEFORE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10";
const DOUBLED: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:1:0:10";

#[test]
fn answers_become_moves() {
    let (port, questions) = fake(&[&[
        Say("8/5 6/5 \n"),
        Say("double\n"),
        Say("drop\n"),
        Say("take\r\n"),
    ]]);
    let mut policy = connected(port);
    assert_eq!(chosen(&mut policy, ROLLED).as_deref(), Ok("8/5 6/5"));
    assert_eq!(chosen(&mut policy, BEFORE).as_deref(), Ok("doubles to 2"));
    assert_eq!(chosen(&mut policy, DOUBLED).as_deref(), Ok("drops"));
    assert_eq!(chosen(&mut policy, DOUBLED).as_deref(), Ok("takes"));
    let asked: Vec<String> = questions.try_iter().collect();
    assert_eq!(asked.len(), 4);
    assert!(
        asked[0].starts_with("board:You:Opponent:0:0:0:0:-2:"),
        "{}",
        asked[0]
    );
    assert!(asked[0].contains(":1:3:1:3:1:1:1:1:0:"), "{}", asked[0]);
}

#[test]
fn a_program_that_ends_or_is_silent_is_asked_once_more() {
    for first in [&[Close][..], &[Hang], &[Half]] {
        let connections = match first[0] {
            Close => fake(&[&[Close], &[Say("8/5 6/5\n")]]),
            Hang => fake(&[&[Hang], &[Say("8/5 6/5\n")]]),
            _ => fake(&[&[Half], &[Say("8/5 6/5\n")]]),
        };
        let mut policy = connected(connections.0);
        assert_eq!(chosen(&mut policy, ROLLED).as_deref(), Ok("8/5 6/5"));
    }
}

#[test]
fn a_program_that_fails_twice_fails_the_policy_in_one_line() {
    let (port, _questions) = fake(&[&[Close], &[Close]]);
    let mut policy = connected(port);
    let reason = chosen(&mut policy, ROLLED).unwrap_err();
    insta::assert_snapshot!(reason, @"the connection is closed, twice, at 4HPwATDgc/ABMA:cIkFAAAAAAAA");
    // It is not asked again.
    let began = Instant::now();
    assert_eq!(chosen(&mut policy, BEFORE), Err(reason));
    assert!(began.elapsed() < Duration::from_millis(500));

    let (port, _questions) = fake(&[&[Hang], &[Half]]);
    let reason = chosen(&mut connected(port), ROLLED).unwrap_err();
    assert!(reason.starts_with("no answer after 1 s, twice"), "{reason}");
}

#[test]
fn an_answer_that_is_no_move_is_named_with_its_position() {
    for (said, told) in [
        (
            "8/3\n",
            "'8/3' is no answer at 4HPwATDgc/ABMA:cIkFAAAAAAAA: 8/3 is no legal play of 31",
        ),
        (
            "\n",
            "'' is no answer at 4HPwATDgc/ABMA:cIkFAAAAAAAA: nothing is no legal play of 31",
        ),
        ("\u{1b}[2J\n", r"'\u{1b}[2J' is no answer at"),
        ("Error: board\n", "'Error: board' is no answer at"),
        (
            "take\n",
            "'take' is no answer at 4HPwATDgc/ABMA:cIkFAAAAAAAA: expected a play, as",
        ),
    ] {
        let replies: &'static [Reply] = Box::leak(Box::new([Say(said)]));
        let (port, _questions) = fake(Box::leak(Box::new([replies])));
        let reason = chosen(&mut connected(port), ROLLED).unwrap_err();
        assert!(reason.starts_with(told), "{reason}");
        assert!(!reason.contains(char::is_control), "{reason:?}");
    }
    let endless: &'static str = Box::leak("x".repeat(20_000).into_boxed_str());
    let replies: &'static [Reply] = Box::leak(Box::new([Say(endless)]));
    let (port, _questions) = fake(Box::leak(Box::new([replies, replies])));
    let reason = chosen(&mut connected(port), ROLLED).unwrap_err();
    assert!(
        reason.starts_with("the answer is a line of more than 16384 bytes"),
        "{reason}"
    );
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let mut policy = gnubg("command = 'no-such-program'");
    let reason = chosen(&mut policy, ROLLED).unwrap_err();
    let told = "'no-such-program' cannot be started: no such program; expected GNU Backgammon";
    assert!(reason.starts_with(told), "{reason}");
    let mut policy = gnubg("command = 'sh'\nargs = ['-c', 'exit 3']");
    let reason = chosen(&mut policy, ROLLED).unwrap_err();
    assert!(
        reason.starts_with("'sh' ended at its start: exit status: 3"),
        "{reason}"
    );
}

#[test]
fn a_program_is_ended_with_its_policy_and_reads_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let program = format!("cat >{0}; echo $$ >>{0}; exec sleep 100", said.display());
    let mut policy = gnubg(&format!(
        "command = 'sh'\nargs = ['-c', '{program}']\ntimeout = 1"
    ));
    let reason = chosen(&mut policy, ROLLED).unwrap_err();
    assert!(reason.contains("after 1 s, twice"), "{reason}");
    let said = std::fs::read_to_string(said).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "set evaluation chequerplay evaluation plies 0");
    assert_eq!(lines[3..5], ["set jacoby on", "set beavers 0"]);
    assert!(lines[5].starts_with("external localhost:"), "{said}");
    let id: u32 = lines[6].parse().unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
}

#[test]
fn rules_it_does_not_know_are_refused() {
    let game = table(Rules {
        beavers: Beavers::Raccoons,
        ..Rules::default()
    });
    let reason = chosen_at(&mut connected(1), &game, ROLLED).unwrap_err();
    assert_eq!(
        reason,
        "GNU Backgammon does not play by beavers = 'raccoons'"
    );
}

#[test]
fn parameters_are_checked() {
    let refused = |params: &str| read(&params.parse().unwrap()).err().unwrap();
    assert_eq!(refused("plies = 5"), "plies = 5; expected 0 to 4");
    assert_eq!(
        refused("args = '-t'"),
        "args = \"-t\"; expected a list of texts"
    );
    assert_eq!(
        refused("command = 1"),
        "command = 1; expected a text on one line"
    );
    assert_eq!(
        refused("command = ''"),
        "port = 0; expected the port of the program that listens already"
    );
}

/// Needs GNU Backgammon: `cargo test --lib gnubg -- --ignored`.
#[test]
#[ignore = "needs GNU Backgammon"]
fn gnu_backgammon_answers() {
    let mut policy = gnubg("");
    assert_eq!(chosen(&mut policy, ROLLED).as_deref(), Ok("8/5 6/5"));
    assert_eq!(chosen(&mut policy, BEFORE).as_deref(), Ok("rolls"));
    assert_eq!(chosen(&mut policy, DOUBLED).as_deref(), Ok("takes"));
    // A won race: a double and a pass.
    let won = "XGID=-CB--------------eee------:0:0:1:00:0:0:1:0:10";
    assert_eq!(chosen(&mut policy, won).as_deref(), Ok("doubles to 2"));
    let hopeless = "XGID=-CB--------------eee------:0:0:1:D:0:0:1:0:10";
    assert_eq!(chosen(&mut policy, hopeless).as_deref(), Ok("drops"));
}
