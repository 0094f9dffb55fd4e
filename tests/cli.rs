//! The program from outside: exact output, exact error texts, exit codes.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::Value;

fn racelab() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
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

fn run(args: &[&str], stdin: &[u8]) -> Output {
    assert_cmd::Command::from_std({
        let mut command = racelab();
        command.args(args);
        command
    })
    .write_stdin(stdin)
    .output()
    .expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes UTF-8")
}

/// What one would see: stdout, stderr and the exit code.
fn seen(line: &str, stdin: &str) -> String {
    let output = run(&words(line), stdin.as_bytes());
    let code = output.status.code().expect("the program ends by itself");
    format!(
        "{}{}exit code {code}",
        text(&output.stdout),
        text(&output.stderr)
    )
}

/// What one would see of some command lines, one after the other.
fn transcript(lines: &str) -> String {
    let mut transcript = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let _ = writeln!(transcript, "$ racelab {line}\n{}", seen(line, ""));
    }
    transcript
}

/// Only stdout of a command that must succeed.
fn stdout(line: &str) -> String {
    let output = run(&words(line), b"");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{line}: {}",
        text(&output.stderr)
    );
    text(&output.stdout).to_owned()
}

#[test]
fn games_are_listed() {
    assert_snapshot!(seen("games", ""), @"
    mensch      Mensch ärgere dich nicht: one die, 40 cells, 2 to 4 seats
    parchis     Parchís: one die, 68 squares, barriers and bonuses, 2 to 4 seats
    chinczyk    Chińczyk: two dice, 68 squares, blockades and bonuses, 2 to 4 seats
    backgammon  Backgammon: two dice, 24 points, doubling cube, money and matches
    baikal      The Baikal race: two dice, three levels, any board, 2 to 8 seats
    exit code 0
    ");
}

#[test]
fn rules_show_options_presets_and_seats() {
    assert_snapshot!(seen("rules mensch --preset openspiel", ""), @r"
mensch: Mensch ärgere dich nicht: one die, 40 cells, 2 to 4 seats

Seats (--seats), the default first: ABCD, AC, ABC, AB

Options (--rule OPTION=VALUE), the default first:
  forced_capture = true | false; in openspiel: false
      if any possible move captures, only capturing moves are legal
      «Бить обязательно: если кубик позволяет выбить фишку, это нужно сделать»
  lane_jump = false | true; in openspiel: true
      own tokens on the lane may be jumped
      «Прыжки на финишной дорожке: позволяют перепрыгивать свои фишки на самой
      дорожке»
  one_out = false | true
      every seat begins with one token on its start cell
      «Одна фишка уже на старте: в начале у каждого одна фишка стоит на
      стартовой клетке»
  tries = 3 | 1; in openspiel: 1
      rolls in a turn in which nothing but a six helps
      «у вас три попытки выбросить шестёрку»; 1: OpenSpiel's maedn
  bonus_on_unplayable_six = false | true; in openspiel: true
      a six that nothing can walk still gives another roll
      «Шестёрка, которой нельзя сходить, дополнительного броска не даёт»; true:
      OpenSpiel's maedn
  vacate_chain = false | true
      if the start token is blocked by an own token, that one must move, and so
      on
      «вы обязаны сходить именно ею, … если она может пойти»; true: Schwabentor
      tournament rule 6
  capture_before_vacate = false | true
      a forced capture comes before vacating the start and bringing out
      «правила применяются по порядку: сначала нужно освободить старт»; true:
      HTWG programme
  may_pass = false | true
      any roll may be declined, which ends the turn
      «Если ни одна фишка не может пойти, ход переходит»; true: the easy mode of
      hartard-bernhard.de
  capture_gives_roll = false | true
      a move that captures gives another roll; with a six still only one
      not in the source, which names only the six; true: a common Ludo rule
  bounce = false | true
      too large a number is walked back from the last lane cell
      «дальше последней клетки идти нельзя»; true: the programme of
      gideon.smdng.nl
  distance = from-yard | from-start
      what a token counts when losers are ranked: the start cell 1, or 0 as the
      yard
      «Остальных ранжируют … по пройденному пути», which leaves it open

Presets (--preset NAME):
  default
      the source's rules as they stand
  schmidt_official
      the Schmidt sheet: captures free, lane jumps, one token out at the start
      forced_capture=false lane_jump=true one_out=true
  openspiel
      the game `maedn` of OpenSpiel: captures free, lane jumps, one try, every
      six rolls again
      forced_capture=false lane_jump=true tries=1 bonus_on_unplayable_six=true
exit code 0
");
}

#[test]
fn bots_show_their_parameters() {
    let all = stdout("bots --game mensch");
    for (name, _) in racelab::bots::SHIPPED {
        let plays = format!("{name}, by the policy ");
        let does_not = |line: &str| {
            line.starts_with(&format!("{name}: plays ")) && line.ends_with(", not mensch")
        };
        assert!(all.contains(&plays) != all.lines().any(does_not), "{name}");
    }
    let rear = all.split("\n\n").find(|part| part.starts_with("rear,"));
    assert_snapshot!(rear.expect("rear is shipped"), @r#"
    rear, by the policy run-home
        runs one token home: always the one that has come furthest
        plays mensch, parchis, chinczyk, backgammon, baikal
        pick = "rear" (default "front")
            "front" moves the token that has come furthest, "rear" the one that has
            come least
    "#);
}

#[test]
fn perft_counts_by_depth() {
    assert_snapshot!(stdout("perft mensch --seats AC"), @r"
1                     6
2                    36
3                   216
4                  1296
5                  7776
6                 46661
");
    assert_snapshot!(stdout("perft mensch --depth 4 --rule forced-capture=false \
        --position 'A:H,r0,r4,L2 B:r13,r16,r35,L4 C:H,H,r28,r9 D:r31,r3,r22,r29 to=A'"), @r"
1                     6
2                    97
3                  1234
4                 19549
");
    let output = run(&["perft", "mensch", "--depth", "1"], b"");
    let speed = text(&output.stderr);
    assert!(
        speed.starts_with("racelab: depth 1 in ") && speed.ends_with(" nodes/s\n"),
        "{speed}"
    );
}

#[test]
fn trace_shows_every_roll_and_why_nothing_moves() {
    assert_snapshot!(stdout("trace mensch --seats AC --bots greedy,rear --max-rolls 9"), @r"
   1 A greedy 3 –
    only a six leaves the yard
    A:H,H,H,H C:H,H,H,H to=A tries=2
   2 A greedy 1 –
    only a six leaves the yard
    A:H,H,H,H C:H,H,H,H to=A
   3 A greedy 6 H>r0
    A:H,H,H,r0 C:H,H,H,H to=A
   4 A greedy 6 r0>r6
    A:H,H,H,r6 C:H,H,H,H to=A
   5 A greedy 2 r6>r8
    A:H,H,H,r8 C:H,H,H,H to=C tries=3
   6 C rear   4 –
    only a six leaves the yard
    A:H,H,H,r8 C:H,H,H,H to=C tries=2
   7 C rear   6 H>r20
    A:H,H,H,r8 C:H,H,H,r20 to=C
   8 C rear   4 r20>r24
    A:H,H,H,r8 C:H,H,H,r24 to=A
   9 A greedy 5 r8>r13
    A:H,H,H,r13 C:H,H,H,r24 to=C

stopped after 9 rolls, as it stands:
  place 1: A greedy
  place 2: C rear
turns 3, rolls that moved nothing 3, choices 0
captures made A 0, C 0
captures suffered A 0, C 0
");
    assert_snapshot!(stdout("trace mensch --rule one-out=true --max-rolls 4"), @r"
   1 A random 3 r0>r3
    A:H,H,H,r3 B:H,H,H,r10 C:H,H,H,r20 D:H,H,H,r30 to=B
   2 B random 1 r10>r11
    A:H,H,H,r3 B:H,H,H,r11 C:H,H,H,r20 D:H,H,H,r30 to=C
   3 C random 4 r20>r24
    A:H,H,H,r3 B:H,H,H,r11 C:H,H,H,r24 D:H,H,H,r30 to=D
   4 D random 5 r30>r35
    A:H,H,H,r3 B:H,H,H,r11 C:H,H,H,r24 D:H,H,H,r35 to=A

stopped after 4 rolls, as it stands:
  place 1: D random
  place 2: C random
  place 3: A random
  place 4: B random
turns 4, rolls that moved nothing 0, choices 0
captures made A 0, B 0, C 0, D 0
captures suffered A 0, B 0, C 0, D 0
");
}

#[test]
fn trace_ends_with_places_and_counts() {
    let whole = stdout("trace mensch --seats ABC --bots run-home,random,rear --seed 7 --block 3");
    let lines: Vec<&str> = whole.lines().collect();
    assert_snapshot!(lines[lines.len() - 10..].join("\n"), @r"
 360 A run-home 2 r38>L1#
    A:L1,L2,L3,L4 B:r14,r37,L2,L4 C:H,r26,r28,L4 won=A

finished after 360 rolls:
  place 1: A run-home
  place 2: B random
  place 3: C rear
turns 241, rolls that moved nothing 86, choices 106
captures made A 9, B 12, C 9
captures suffered A 10, B 7, C 13
");
    assert_eq!(
        whole,
        stdout("trace mensch --seats ABC --bots run-home,random,rear --seed 7 --block 3")
    );
    assert_ne!(
        whole,
        stdout("trace mensch --seats ABC --bots run-home,random,rear --seed 7 --block 4")
    );
}

#[test]
fn a_bad_table_is_refused() {
    assert_snapshot!(transcript("
        perft chess
        trace chess
        rules chess
        bots --game chess
        rules mensch --preset parchis
        perft mensch --preset parchis
        perft mensch --rule jump
        perft mensch --rule jump=true
        perft mensch --rule tries=2
        perft mensch --rule tries=three
        perft mensch --rule 'lane-jump=may be'
        trace mensch --seats AX
        trace mensch --seats ''
        trace mensch --seats AA
        trace mensch --seats A
        trace mensch --seats AE
    "), @r#"
    $ racelab perft chess
    racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
    exit code 2
    $ racelab trace chess
    racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
    exit code 2
    $ racelab rules chess
    racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
    exit code 2
    $ racelab bots --game chess
    racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
    exit code 2
    $ racelab rules mensch --preset parchis
    racelab: preset: no preset 'parchis' of mensch; known: default, schmidt_official, openspiel
    exit code 2
    $ racelab perft mensch --preset parchis
    racelab: preset: no preset 'parchis' of mensch; known: default, schmidt_official, openspiel
    exit code 2
    $ racelab perft mensch --rule jump
    racelab: rules: 'jump' changes nothing; expected option=value, see racelab rules mensch
    exit code 2
    $ racelab perft mensch --rule jump=true
    racelab: rules: no option 'jump' of mensch; known: forced_capture, lane_jump, one_out, tries, bonus_on_unplayable_six, vacate_chain, capture_before_vacate, may_pass, capture_gives_roll, bounce, distance
    exit code 2
    $ racelab perft mensch --rule tries=2
    racelab: rules: tries = 2; expected 3 or 1
    exit code 2
    $ racelab perft mensch --rule tries=three
    racelab: rules: tries = "three"; expected 3 or 1
    exit code 2
    $ racelab perft mensch --rule 'lane-jump=may be'
    racelab: rules: lane_jump = "may be"; expected false or true
    exit code 2
    $ racelab trace mensch --seats AX
    racelab: --seats: 'AX'; 'X' is no seat; seats are letters A to H, e.g. 'AC' or 'ABCD'
    exit code 2
    $ racelab trace mensch --seats ''
    racelab: --seats: ''; no seat is named; write the letters of the seats in play, e.g. 'AC' or 'ABCD'
    exit code 2
    $ racelab trace mensch --seats AA
    racelab: --seats: 'AA'; seat A is named twice
    exit code 2
    $ racelab trace mensch --seats A
    racelab: seats: 'A' is 1 seat; 2 to 4 play, e.g. 'AC' or 'ABCD'
    exit code 2
    $ racelab trace mensch --seats AE
    racelab: seats: there is no seat E at this board; its corners are A, B, C, D
    exit code 2
    "#);
}

/// The last of two would win otherwise, and one wrong experiment run.
#[test]
fn a_rule_given_twice_is_refused() {
    for (game, rule) in [
        ("mensch", "lane-jump=true"),
        ("parchis", "captures=true"),
        ("chinczyk", "captures=true"),
        ("baikal", "level=sprint"),
        ("backgammon", "length=7"),
    ] {
        let (name, _) = rule.split_once('=').expect("a rule");
        let other = name.replace('-', "_") + "=5";
        for command in [
            format!("rules {game}"),
            format!("perft {game} --depth 1"),
            format!("trace {game}"),
            format!("exact {game}"),
            format!("regret random {game}"),
            format!("tournament --game {game} --bots random"),
            format!("balance --game {game} --bots random"),
            format!("match random greedy --game {game}"),
            format!("tune --game {game} --bot racer --panel greedy"),
        ] {
            let line = format!("{command} --rule {rule} --rule {other}");
            let given = other.split('=').next().unwrap_or_default();
            assert_eq!(
                seen(&line, ""),
                format!(
                    "racelab: rules: '{given}' is given twice; expected each option once\nexit code 2"
                ),
                "{line}"
            );
        }
    }
    assert_snapshot!(transcript("
        train mensch --out none --rule tries=1 --rule tries=1
        serve-player --bot pip --port 0 --rule length=7 --rule length=5
    "), @"
    $ racelab train mensch --out none --rule tries=1 --rule tries=1
    racelab: rules: 'tries' is given twice; expected each option once
    exit code 2
    $ racelab serve-player --bot pip --port 0 --rule length=7 --rule length=5
    racelab: rules: 'length' is given twice; expected each option once
    exit code 2
    ");
}

#[test]
fn a_bad_position_is_refused() {
    assert_snapshot!(transcript("
        perft mensch --position ''
        perft mensch --position 'A:H,H,H,H to=A'
        perft mensch --position 'A:H,H,H C:H,H,H,H to=A'
        perft mensch --position 'A:H,H,H,r40 C:H,H,H,H to=A'
        perft mensch --position 'A:H,H,H,r1 C:H,H,H,r1 to=A'
        perft mensch --position 'A:H,H,H,H C:H,H,H,H to=B'
        perft mensch --position 'A:H,H,H,H C:H,H,H,H'
        perft mensch --position 'A:H,H,H,H C:H,H,H,H to=A sixes=1'
        perft mensch --position 'A:H,H,H,H C:H,H,H,H to=A tries=18446744073709551616'
        perft mensch --position 'A:H,H,H,H E:H,H,H,H to=A'
        perft mensch --position 'A:L1,L2,L3,L4 C:H,H,H,H won=A'
        perft mensch --seats AB --position 'A:H,H,H,H C:H,H,H,H to=A'
    "), @r"
$ racelab perft mensch --position ''
racelab: position: seats: 0 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H to=A'
racelab: position: seats: 1 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'
exit code 2
$ racelab perft mensch --position 'A:H,H,H C:H,H,H,H to=A'
racelab: position: A: 3 tokens; a seat has exactly 4
exit code 2
$ racelab perft mensch --position 'A:H,H,H,r40 C:H,H,H,H to=A'
racelab: position: A: 'r40' is no cell; expected H, r0 to r39 or L1 to L4
exit code 2
$ racelab perft mensch --position 'A:H,H,H,r1 C:H,H,H,r1 to=A'
racelab: position: C: r1 is taken by A; a cell holds one token
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H C:H,H,H,H to=B'
racelab: position: to: 'B' is no seat in play; in play: AC
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H C:H,H,H,H'
racelab: position: to: missing; expected the seat that rolls, e.g. to=A
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H C:H,H,H,H to=A sixes=1'
racelab: position: sixes: no such field; known: to, tries, dice, won
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H C:H,H,H,H to=A tries=18446744073709551616'
racelab: position: tries: '18446744073709551616'; expected 1 to 3
exit code 2
$ racelab perft mensch --position 'A:H,H,H,H E:H,H,H,H to=A'
racelab: seats: there is no seat E at this board; its corners are A, B, C, D
exit code 2
$ racelab perft mensch --position 'A:L1,L2,L3,L4 C:H,H,H,H won=A'
racelab: position: the game is over; expected a position that awaits a roll
exit code 2
$ racelab perft mensch --seats AB --position 'A:H,H,H,H C:H,H,H,H to=A'
racelab: position: seats: the position has AC, the table AB
exit code 2
");
}

#[test]
fn a_bad_number_is_refused() {
    assert_snapshot!(transcript("
        perft mensch --depth 0
        perft mensch --depth -1
        perft mensch --depth 17
        perft mensch --depth 100000000000000000000
        perft mensch --depth six
        trace mensch --max-rolls 0
        trace mensch --max-rolls -1
        trace mensch --max-rolls 100000000000000000000
        trace mensch --seed -1
        trace mensch --seed 18446744073709551616
        trace mensch --block 1.5
    "), @r"
$ racelab perft mensch --depth 0
racelab: --depth: '0'; expected a whole number from 1 to 16
exit code 2
$ racelab perft mensch --depth -1
racelab: --depth: '-1'; expected a whole number from 1 to 16
exit code 2
$ racelab perft mensch --depth 17
racelab: --depth: '17'; expected a whole number from 1 to 16
exit code 2
$ racelab perft mensch --depth 100000000000000000000
racelab: --depth: '100000000000000000000'; expected a whole number from 1 to 16
exit code 2
$ racelab perft mensch --depth six
racelab: --depth: 'six'; expected a whole number from 1 to 16
exit code 2
$ racelab trace mensch --max-rolls 0
racelab: --max-rolls: '0'; expected a whole number from 1 to 1000000
exit code 2
$ racelab trace mensch --max-rolls -1
racelab: --max-rolls: '-1'; expected a whole number from 1 to 1000000
exit code 2
$ racelab trace mensch --max-rolls 100000000000000000000
racelab: --max-rolls: '100000000000000000000'; expected a whole number from 1 to 1000000
exit code 2
$ racelab trace mensch --seed -1
racelab: --seed: '-1'; expected a whole number from 0 to 18446744073709551615
exit code 2
$ racelab trace mensch --seed 18446744073709551616
racelab: --seed: '18446744073709551616'; expected a whole number from 0 to 18446744073709551615
exit code 2
$ racelab trace mensch --block 1.5
racelab: --block: '1.5'; expected a whole number from 0 to 18446744073709551615
exit code 2
");
}

#[test]
fn bad_bots_are_refused() {
    assert_snapshot!(transcript("
        trace mensch --bots gredy
        trace mensch --bots ''
        trace mensch --bots random,random,random --seats AC
        trace mensch --bots no/such/bot.toml
    "), @"
    $ racelab trace mensch --bots gredy
    racelab: bots: no bot 'gredy'; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
    exit code 2
    $ racelab trace mensch --bots ''
    racelab: bots: no bot ''; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
    exit code 2
    $ racelab trace mensch --bots random,random,random --seats AC
    racelab: bots: 3 bots for the 2 seats AC; expected one for each seat or one for all
    exit code 2
    $ racelab trace mensch --bots no/such/bot.toml
    racelab: bots: no/such/bot.toml: no such file
    exit code 2
    ");
    let folder = tempfile::tempdir().expect("a folder");
    let mut transcript = String::new();
    for (name, text) in [
        ("broken.toml", "name = "),
        ("typo.toml", "name = \"x\"\npolicy = \"random\"\nparam = 1"),
        ("policy.toml", "name = \"x\"\npolicy = \"clever\""),
        (
            "param.toml",
            "name = \"x\"\npolicy = \"run-home\"\n[params]\nspeed = 1",
        ),
        (
            "value.toml",
            "name = \"x\"\npolicy = \"run-home\"\n[params]\npick = \"middle\"",
        ),
        ("name.toml", "name = \"a\\nb\"\npolicy = \"random\""),
    ] {
        std::fs::write(folder.path().join(name), text).expect("a file");
        let mut command = racelab();
        command
            .current_dir(folder.path())
            .args(["trace", "mensch", "--bots", name]);
        let output = command.output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{name}");
        transcript.push_str(self::text(&output.stderr));
    }
    assert_snapshot!(transcript, @r#"
racelab: bots: broken.toml: line 1: string values must be quoted, expected literal string
racelab: bots: typo.toml: line 3: unknown field `param`, expected one of `name`, `policy`, `params`
racelab: bots: bot 'x': policy 'clever' does not play mensch; policies that do: random, run-home, greedy, cautious, racer, expectimax, rollout, learned
racelab: bots: bot 'x': params: no parameter 'speed'; known: pick
racelab: bots: bot 'x': params: pick = "middle"; expected "front" or "rear"
racelab: bots: name.toml: name: 'a\nb' is no bot name; expected 1 to 40 letters, digits or -_.+
"#);
}

#[test]
fn bad_usage_is_one_line() {
    assert_snapshot!(transcript("
        trac
        perft
        perft mensch --seeds 3
        perft mensch extra
        trace mensch --seed
        trace mensch --seed 1 --seed 2
        results file.jsonl
        results --check=yes
    "), @"
    $ racelab trac
    racelab: unrecognized subcommand 'trac'; tip: some similar subcommands exist: 'train', 'trace'; see 'racelab --help'
    exit code 2
    $ racelab perft
    racelab: the following required arguments were not provided: <GAME>; see 'racelab --help'
    exit code 2
    $ racelab perft mensch --seeds 3
    racelab: unexpected argument '--seeds' found; tip: a similar argument exists: '--seats'; see 'racelab --help'
    exit code 2
    $ racelab perft mensch extra
    racelab: unexpected argument 'extra' found; see 'racelab --help'
    exit code 2
    $ racelab trace mensch --seed
    racelab: a value is required for '--seed <N>' but none was supplied; see 'racelab --help'
    exit code 2
    $ racelab trace mensch --seed 1 --seed 2
    racelab: the argument '--seed <N>' cannot be used multiple times; see 'racelab --help'
    exit code 2
    $ racelab results file.jsonl
    racelab: unexpected argument 'file.jsonl' found; see 'racelab --help'
    exit code 2
    $ racelab results --check=yes
    racelab: unexpected value 'yes' for '--check' found; no more were expected; see 'racelab --help'
    exit code 2
    ");
    let nothing = run(&[], b"");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("Usage: racelab <COMMAND>"));
}

#[test]
fn everything_fits_80_columns() {
    for line in [
        "--help",
        "help trace",
        "games --help",
        "rules --help",
        "bots --help",
        "trace --help",
        "perft --help",
        "results --help",
        "games",
        "rules mensch",
        "rules mensch --preset schmidt_official",
        "rules mensch --preset openspiel",
        "rules baikal --rule board=8x12",
        "bots",
        "trace mensch --bots greedy --block 2",
    ] {
        for shown in stdout(line).lines() {
            assert!(shown.chars().count() <= 80, "racelab {line}: {shown}");
        }
    }
}

/// A line of the golden form.
fn question(id: &str, position: &str, dice: &str) -> String {
    format!("{{\"id\":{id},\"game\":\"mensch\",\"position\":\"{position}\",\"dice\":{dice}}}\n")
}

const P03: &str = "A:H,H,r0,r10 C:H,H,H,r14 to=A";

#[test]
fn results_are_filled_in_and_keys_keep_their_order() {
    let stdin = [
        &question("1", P03, "[4]"),
        "\n",
        "{\"note\":\"ü\",\"dice\":[6,9],\"results\":[\"?\"],\"position\":\"A:H,H,H,H C:H,H,H,H to=A\",\
         \"game\":\"mensch\",\"rules\":{\"tries\":1}}\r\n",
        // The last line needs no end.
        question("{\"a\":[1.5]}", "A:H,H,r10,r11 C:H,H,H,r12 to=A", "[3]").trim_end(),
    ]
    .concat();
    assert_snapshot!(seen("results", &stdin), @r#"
{"id":1,"game":"mensch","position":"A:H,H,r0,r10 C:H,H,H,r14 to=A","dice":[4],"results":["A:H,H,r4,r10 C:H,H,H,r14 to=C"]}
{"note":"ü","dice":[6,9],"results":["A:H,H,H,r0 C:H,H,H,H to=A"],"position":"A:H,H,H,H C:H,H,H,H to=A","game":"mensch","rules":{"tries":1}}
{"id":{"a":[1.5]},"game":"mensch","position":"A:H,H,r10,r11 C:H,H,H,r12 to=A","dice":[3],"results":["A:H,H,r10,r14 C:H,H,H,r12 to=C","A:H,H,r11,r13 C:H,H,H,r12 to=C"]}
exit code 0
"#);
}

#[test]
fn a_line_results_cannot_take_gets_its_error_in_its_place() {
    let mut stdin: Vec<u8> = [
        question("1", P03, "[4]").as_str(),
        "nonsense\n",
        "[1]\n",
        "{\"id\":4}\n",
        "{\"id\":5,\"game\":\"chess\",\"position\":\"\",\"dice\":[]}\n",
        "{\"id\":6,\"game\":6}\n",
        &question("7", P03, "[]"),
        &question("8", P03, "[7]"),
        &question("9", P03, "[0]"),
        &question("10", P03, "[-1]"),
        &question("11", P03, "[100000000000000000000]"),
        &question("12", P03, "[\"6\"]"),
        &question("13", P03, "6"),
        &question("14", "A:L1,L2,L3,L4 C:H,H,H,H won=A", "[6]"),
        &question("15", "A:H,H,H,H F:H,H,H,H to=A", "[6]"),
        &question("16", "A:H,H,H,H to=A", "[6]"),
        &question("17", "A:H,H,H,H C:H,H,H,H to=A tries=99999999999999999999", "[6]"),
        "{\"id\":18,\"game\":\"mensch\",\"position\":7,\"dice\":[1]}\n",
        "{\"id\":19,\"game\":\"mensch\",\"position\":\"\",\"dice\":[1],\"rules\":[]}\n",
        "{\"id\":20,\"game\":\"mensch\",\"position\":\"\",\"dice\":[1],\"rules\":{\"jump\":true}}\n",
        "{\"id\":21,\"game\":\"mensch\",\"position\":\"\",\"dice\":[1],\"rules\":{\"tries\":\"3\"}}\n",
        "{\"id\":22,\"game\":\"mensch\",\"position\":\"\",\"dice\":[1],\"rules\":{\"tries\":null}}\n",
        "{\"game\":\"mensch\",\"position\":\"\",\"dice\":[1]}\n",
        "{\"id\":24,\n",
    ]
    .concat()
    .into_bytes();
    stdin.extend(b"{\"id\":\"\xff\"}\n");
    stdin.extend(b"{\"id\":\"");
    stdin.resize(stdin.len() + (1 << 20), b'x');
    stdin.extend(b"\"}\n");
    stdin.extend(question("27", P03, "[4]").bytes());
    let output = run(&["results"], &stdin);
    assert_eq!(output.status.code(), Some(1));
    assert_snapshot!(text(&output.stdout), @r#"
    {"id":1,"game":"mensch","position":"A:H,H,r0,r10 C:H,H,H,r14 to=A","dice":[4],"results":["A:H,H,r4,r10 C:H,H,H,r14 to=C"]}
    {"id":null,"error":"line 2: no JSON: expected ident at column 2"}
    {"id":null,"error":"line 3: JSON, but no object; expected {\"game\":…,\"position\":…,\"dice\":[…]}"}
    {"id":4,"error":"game: missing; expected a string"}
    {"id":5,"error":"game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal"}
    {"id":6,"error":"game: 6 is no text; expected a string"}
    {"id":7,"error":"dice: the script runs out after 0 faces"}
    {"id":8,"error":"dice: 7 is no face of a die; faces are 1 to 6"}
    {"id":9,"error":"dice: 0 is no face of a die; faces are 1 to 6"}
    {"id":10,"error":"dice: -1 is no face of a die; faces are 1 to 6"}
    {"id":11,"error":"dice: 1e+20 is no face of a die; faces are 1 to 6"}
    {"id":12,"error":"dice: \"6\" is no face of a die; faces are 1 to 6"}
    {"id":13,"error":"dice: 6 is no list; expected e.g. [6]"}
    {"id":14,"error":"position: the game is over; expected one that awaits a roll"}
    {"id":15,"error":"position: seats: there is no seat F at this board; its corners are A, B, C, D"}
    {"id":16,"error":"position: seats: 1 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'"}
    {"id":17,"error":"position: tries: '99999999999999999999'; expected 1 to 3"}
    {"id":18,"error":"position: 7 is no text; expected a string"}
    {"id":19,"error":"rules: [] is no object; expected {\"option\":value}"}
    {"id":20,"error":"position: seats: 0 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'"}
    {"id":21,"error":"position: seats: 0 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'"}
    {"id":22,"error":"position: seats: 0 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'"}
    {"id":null,"error":"line 23: position: seats: 0 found; two or more play, e.g. 'A:H,H,H,H C:H,H,H,H to=A'"}
    {"id":null,"error":"line 24: no JSON: EOF while parsing a value at column 9"}
    {"id":null,"error":"line 25: not UTF-8 after byte 7"}
    {"id":null,"error":"line 26: longer than 1048576 bytes"}
    {"id":27,"game":"mensch","position":"A:H,H,r0,r10 C:H,H,H,r14 to=A","dice":[4],"results":["A:H,H,r4,r10 C:H,H,H,r14 to=C"]}
    "#);
    assert_snapshot!(text(&output.stderr), @r"racelab: results: 25 of 27 lines with an error");
}

#[test]
fn check_says_what_is_missing_and_what_is_too_much() {
    let row = |id: &str, results: &str| {
        let question = question(id, "A:H,H,r10,r11 C:H,H,H,r12 to=A", "[3]");
        question.replace('}', &format!(",\"results\":{results}}}"))
    };
    let (one, two) = (
        "\"A:H,H,r10,r14 C:H,H,H,r12 to=C\"",
        "\"A:H,H,r11,r13 C:H,H,H,r12 to=C\"",
    );
    let good = row("1", &format!("[{one},{two}]"));
    assert_snapshot!(seen("results --check", &good), @r"
racelab: results: 1 lines: 1 agree, 0 differ, 0 with an error
exit code 0
");
    let stdin = [
        good,
        row("2", &format!("[{one}]")),
        row("3", &format!("[{one},{two},\"x\"]")),
        row("4", "[]"),
        row("5", &format!("[{two},{one}]")),
        row("6", "7"),
        question("7", P03, "[4]"),
        "nonsense\n".to_owned(),
    ]
    .concat();
    assert_snapshot!(seen("results --check", &stdin), @r#"
{"id":2,"missing":[],"too_much":["A:H,H,r11,r13 C:H,H,H,r12 to=C"]}
{"id":3,"missing":["x"],"too_much":[]}
{"id":4,"missing":[],"too_much":["A:H,H,r10,r14 C:H,H,H,r12 to=C","A:H,H,r11,r13 C:H,H,H,r12 to=C"]}
{"id":5,"error":"results: the right positions, but not sorted or not without duplicates"}
{"id":6,"error":"results: missing or no list of positions; --check compares with it"}
{"id":7,"error":"results: missing or no list of positions; --check compares with it"}
{"id":null,"error":"line 8: no JSON: expected ident at column 2"}
racelab: results: 8 lines: 1 agree, 3 differ, 4 with an error
exit code 1
"#);
}

#[test]
fn golden_rows_pass_the_check_and_are_written_as_they_were_read() {
    let golden = include_str!("golden/mensch.jsonl");
    assert_snapshot!(seen("results --check", golden), @r"
racelab: results: 2000 lines: 2000 agree, 0 differ, 0 with an error
exit code 0
");
    let output = run(&["results"], golden.as_bytes());
    let read = |line: &str| serde_json::from_str::<Value>(line).expect("a JSON object");
    let written: Vec<Value> = text(&output.stdout).lines().map(read).collect();
    assert_eq!(written, golden.lines().map(read).collect::<Vec<_>>());
}

/// Blanks are a blank line only where the line is short enough to be one.
#[test]
fn a_line_that_begins_with_a_mebibyte_of_blanks_is_not_dropped() {
    let long = format!("{}{}", " ".repeat(2 << 20), question("1", P03, "[4]"));
    let output = run(&["results"], (long + &question("2", P03, "[4]")).as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers = text(&output.stdout);
    let mut lines = answers.lines();
    let error = lines.next().expect("an answer");
    assert!(
        error.contains("line 1: longer than 1048576 bytes"),
        "{error}"
    );
    assert!(lines.next().expect("an answer").starts_with("{\"id\":2,"));
}

/// Whoever asks one question at a time gets each answer before the next.
#[test]
fn results_answer_while_the_input_is_open() {
    let mut command = racelab();
    command
        .arg("results")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut ask = child.stdin.take().expect("stdin");
    let mut answers = BufReader::new(child.stdout.take().expect("stdout"));
    for id in ["1", "2", "3"] {
        // The next line begins, but is not there yet.
        let line = question(id, P03, "[4]");
        ask.write_all(line.as_bytes())
            .and_then(|()| ask.write_all(b" "))
            .expect("it reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("it answers");
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
    drop(ask);
    assert!(child.wait().expect("it ends").success());
}

/// Lines enough to fill any pipe.
fn many_lines() -> String {
    question("1", P03, "[4]").repeat(2000)
}

#[test]
fn a_closed_pipe_is_a_normal_silent_end() {
    for line in [
        "games",
        "rules mensch",
        "bots",
        "trace mensch",
        "perft mensch",
        "results",
        "--help",
    ] {
        let mut command = racelab();
        command.args(words(line));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("stdin");
        // The program may end before it has read everything.
        let _ = stdin.write_all(many_lines().as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(text(&output.stderr), "", "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_one_line_error() {
    for line in [
        "games",
        "rules mensch",
        "bots",
        "trace mensch",
        "perft mensch",
        "results",
        "--help",
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full");
        let mut command = racelab();
        command
            .args(words(line))
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let _ = child
            .stdin
            .take()
            .expect("stdin")
            .write_all(many_lines().as_bytes());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert_eq!(
            text(&output.stderr),
            "racelab: stdout: no storage space\n",
            "{line}"
        );
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_a_one_line_error() {
    let mut command = racelab();
    command
        .arg("results")
        .stdin(std::fs::File::open(".").expect("a folder"));
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "racelab: stdin: is a directory\n");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"A\xff");
    let mut transcript = String::new();
    for args in [
        &["perft"][..],
        &["perft", "mensch", "--position"],
        &["trace", "mensch", "--bots"],
    ] {
        let output = racelab()
            .args(args)
            .arg(strange)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2));
        transcript.push_str(text(&output.stderr));
    }
    assert_snapshot!(transcript, @r"
racelab: invalid UTF-8 was detected in one or more arguments; see 'racelab --help'
racelab: invalid UTF-8 was detected in one or more arguments; see 'racelab --help'
racelab: invalid UTF-8 was detected in one or more arguments; see 'racelab --help'
");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever comes in: one line out for each line in, exit code 0 or 1, no panic.
    #[test]
    fn no_input_breaks_results(lines in prop::collection::vec(line(), 0..8)) {
        let mut stdin = lines.join(&b'\n');
        stdin.push(b'\n');
        let output = run(&["results"], &stdin);
        let asked = stdin.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        prop_assert_eq!(text(&output.stdout).lines().count(), asked.count());
        prop_assert!(matches!(output.status.code(), Some(0 | 1)));
        prop_assert!(text(&output.stderr).lines().count() <= 1);
    }

    /// Whatever is asked: exit code 0 or 2, one line if it is refused, no panic.
    #[test]
    fn no_arguments_break_the_program(
        command in prop::sample::select(vec!["perft", "trace", "rules", "bots", "games"]),
        args in prop::collection::vec(argument(), 0..5)
    ) {
        let args: Vec<&str> = [command].into_iter().chain(args.iter().map(String::as_str)).collect();
        let output = run(&args, b"");
        let code = output.status.code();
        prop_assert!(matches!(code, Some(0 | 2)), "{:?}: {}", args, text(&output.stderr));
        prop_assert!(text(&output.stderr).lines().count() <= 1, "{}", text(&output.stderr));
    }
}

/// A line that is nearly right.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let position = "[AB]:(H,){3}(H|r[0-9]{1,2}|L[1-5]) [CD]:(H,){3}(H|r[0-9]{1,2}) to=[A-D]";
    let good = (position, -1..8i64).prop_map(|(position, die)| {
        question("1", &position, &format!("[{die}]"))
            .trim_end()
            .to_owned()
            .into_bytes()
    });
    let broken =
        (good, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, at, byte)| {
            let at = at.index(line.len());
            line[at] = byte;
            line
        });
    prop_oneof![broken, prop::collection::vec(any::<u8>(), 0..40)]
}

fn argument() -> impl Strategy<Value = String> {
    let flag = "mensch|--(preset|rule|seats|position|depth|bots|seed|block|game)";
    let value = "default|tries=[0-9a-z]|[a-z_]{1,9}=(true|false)|[A-D]{1,4}|[0-4]|greedy,rear";
    // No NUL byte: the system takes none in an argument.
    prop_oneof![4 => flag, 4 => value, 1 => "[^\0]{0,12}"]
}
