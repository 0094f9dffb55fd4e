//! GNU Backgammon at both ends, from outside: our bots as its external player, and a run whose
//! opponent is missing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const RACELAB: &str = env!("CARGO_BIN_EXE_racelab");

/// The first turn of a match to 5 as GNU Backgammon asks about it, 2-1 to play.
const OPENING: &str = "board:gnubg:root:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";

/// A running `serve-player`.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(bot: &str) -> Server {
        let mut child = Command::new(RACELAB)
            .args(["serve-player", "--bot", bot])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let stderr = child.stderr.take().unwrap();
        BufReader::new(stderr).read_line(&mut said).unwrap();
        let rest = format!("racelab: {bot} plays on localhost:");
        let rest = said.strip_prefix(&rest).unwrap();
        let port = rest.split(';').next().unwrap().parse().unwrap();
        Server { child, port }
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).unwrap();
        BufReader::new(stream)
    }

    /// Ends it as Ctrl-C does; its exit code.
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &id]).status();
        assert!(killed.unwrap().success());
        self.child.wait().unwrap().code()
    }
}

fn ask(client: &mut BufReader<TcpStream>, bytes: &[u8]) -> String {
    client.get_mut().write_all(bytes).unwrap();
    let mut answer = String::new();
    client.read_line(&mut answer).unwrap();
    answer
}

#[test]
fn a_bot_answers_one_client_after_another() {
    let server = Server::start("greedy");
    let mut client = server.connect();
    assert_eq!(ask(&mut client, b"version\n"), "Interface: 2\n");
    // A zero byte after the line feed, as GNU Backgammon sends.
    let question = format!("{OPENING}\n\0");
    assert_eq!(ask(&mut client, question.as_bytes()), "24/22 6/5\n");
    let roll = question.replace(":2:1:2:1:", ":0:0:0:0:");
    assert_eq!(ask(&mut client, roll.as_bytes()), "roll\n");
    // Half a line, then the rest; two lines at once.
    client.get_mut().write_all(b"ver").unwrap();
    assert_eq!(ask(&mut client, b"sion\nhello\n"), "Interface: 2\n");
    assert!(ask(&mut client, b"").starts_with("Error: 'hello' is no command"));
    assert!(ask(&mut client, b"\xff\xfe:\x01\n").starts_with("Error: '"));
    drop(client);
    let mut client = server.connect();
    client.get_mut().write_all(b"board:half a line").unwrap();
    drop(client);
    let mut client = server.connect();
    assert_eq!(ask(&mut client, b"version\n"), "Interface: 2\n");
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn a_line_without_end_is_refused_and_the_next_client_served() {
    let server = Server::start("random");
    let mut client = server.connect();
    let answer = ask(&mut client, &vec![b'x'; (16 << 10) + 1]);
    assert_eq!(answer, "Error: a line of more than 16384 bytes\n");
    assert_eq!(client.read_line(&mut String::new()).unwrap(), 0);
    let mut client = server.connect();
    assert_eq!(ask(&mut client, b"version\n"), "Interface: 2\n");
    assert_eq!(server.interrupt(), Some(0));
}

fn racelab(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(RACELAB);
    command.args(args).current_dir(folder).output().unwrap()
}

#[test]
fn only_backgammon_has_external_players() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["serve-player", "--game", "mensch", "--bot", "greedy"];
    let output = racelab(&args, folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "racelab: game: 'mensch' has no external players; expected backgammon\n"
    );
}

#[test]
fn a_missing_opponent_stops_the_run_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "name = \"absent\"\npolicy = \"gnubg\"\n[params]\ncommand = \"./absent\"\n";
    std::fs::write(folder.path().join("absent.toml"), bot).unwrap();
    let args = [
        "tournament",
        "--game",
        "backgammon",
        "--bots",
        "absent.toml,random",
        "--blocks",
        "4",
        "--threads",
        "2",
        "--out",
        "out",
        "--quiet",
    ];
    let output = racelab(&args, folder.path());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let told = "racelab: bot 'absent': './absent' cannot be started: no such program";
    assert!(said.starts_with(told), "{said}");
    assert!(said.contains("; to go on afterwards: "), "{said}");
    let state = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    assert!(state.contains("\"stopped\""), "{state}");
    let resume = [&args[..], &["--resume"]].concat();
    assert_eq!(racelab(&resume, folder.path()).status.code(), Some(1));
}

/// Needs GNU Backgammon: `cargo test --test backgammon_gnubg -- --ignored`.
#[test]
#[ignore = "needs GNU Backgammon"]
fn gnu_backgammon_plays_against_our_server() {
    let server = Server::start("random");
    let mut gnubg = Command::new("sh")
        .args(["-c", "PATH=$PATH:/usr/games exec gnubg -t -q -r"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let commands = format!(
        "set player 0 external localhost:{}\nset player 1 gnubg\n\
         set player 1 chequerplay evaluation plies 0\n\
         set player 1 cubedecision evaluation plies 0\n\
         set display off\nset automatic roll on\nset automatic game on\nnew match 3\n",
        server.port
    );
    let mut input = gnubg.stdin.take().unwrap();
    input.write_all(commands.as_bytes()).unwrap();
    drop(input);
    let mut said = String::new();
    gnubg
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    gnubg.wait().unwrap();
    assert!(said.contains("has won the match"), "{said}");
    assert_eq!(server.interrupt(), Some(0));
}
