//! What cannot be played: one line that names the place, nothing written.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use insta::assert_snapshot;

use super::{Lab, assert_same, words};

/// What one sees of spec files with these texts; none of them may leave anything behind.
fn specs(texts: &[&str]) -> String {
    let lab = Lab::new();
    let mut seen = String::new();
    for text in texts {
        lab.write("s.toml", text);
        let shown = text.lines().last().unwrap_or_default();
        let _ = writeln!(
            seen,
            "{shown}\n  {}",
            lab.seen("s.toml").replace('\n', "\n  ")
        );
    }
    assert_eq!(lab.names("."), ["s.toml"]);
    seen
}

#[test]
#[allow(clippy::too_many_lines)] // Most of them are the texts.
fn a_spec_with_a_wrong_field_is_refused_with_its_line() {
    let two = |line: &str| format!("game = 'mensch'\nbots = ['greedy', 'random']\n{line}");
    let texts = [
        "seeed = 3",
        "name = 3",
        "blocks = 0",
        "blocks = -1",
        "blocks = 1e20",
        "blocks = 100000000000000000000",
        "blocks = 2000000000000",
        "blocks = 'ten'",
        "cap = 0",
        "cap = 5000000000",
        "seed = -1",
        "seed = 1.5",
        "seed = 'x'",
        "seed = '18446744073709551616'",
        "games_csv = 1",
        "schedule = 'knockout'",
        "seatings = 'some'",
        "seats = 'AX'",
        "seats = 3",
        "line_ups = 'all'",
        "rules = 3",
        "blocks = 1\nblocks = 2",
        "blocks",
        "= 3",
        "blocks = [",
    ]
    .map(two);
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    texts.extend([
        "",
        "game = 'mensch'",
        "game = 'mensch'\nbots = 'greedy'",
        "game = 'mensch'\nbots = [3]",
    ]);
    assert_snapshot!(specs(&texts), @r#"
    seeed = 3
      racelab: s.toml: line 3: unknown field `seeed`, expected one of `name`, `game`, `preset`, `seats`, `schedule`, `seatings`, `line_ups`, `blocks`, `rounds`, `margin`, `alpha`, `seed`, `cap`, `score_cap`, `games_csv`, `save_games`, `rules`, `bots`
      exit code 2
    name = 3
      racelab: s.toml: line 3: invalid type: integer `3`, expected a string
      exit code 2
    blocks = 0
      racelab: s.toml: line 3: invalid value: integer `0`, expected a whole number from 1 to 1000000000000
      exit code 2
    blocks = -1
      racelab: s.toml: line 3: invalid value: integer `-1`, expected a whole number from 1 to 1000000000000
      exit code 2
    blocks = 1e20
      racelab: s.toml: line 3: invalid type: floating point `100000000000000000000.0`, expected a whole number from 1 to 1000000000000
      exit code 2
    blocks = 100000000000000000000
      racelab: s.toml: line 3: invalid value: integer `100000000000000000000`, expected a whole number from 1 to 1000000000000
      exit code 2
    blocks = 2000000000000
      racelab: s.toml: line 3: invalid value: integer `2000000000000`, expected a whole number from 1 to 1000000000000
      exit code 2
    blocks = 'ten'
      racelab: s.toml: line 3: invalid type: string "ten", expected a whole number from 1 to 1000000000000
      exit code 2
    cap = 0
      racelab: s.toml: line 3: invalid value: integer `0`, expected a whole number from 1 to 1000000
      exit code 2
    cap = 5000000000
      racelab: s.toml: line 3: invalid value: integer `5000000000`, expected a whole number from 1 to 1000000
      exit code 2
    seed = -1
      racelab: s.toml: line 3: invalid value: integer `-1`, expected a seed from 0 to 2^64-1 (above 2^63-1 in quotes)
      exit code 2
    seed = 1.5
      racelab: s.toml: line 3: invalid type: floating point `1.5`, expected a seed from 0 to 2^64-1 (above 2^63-1 in quotes)
      exit code 2
    seed = 'x'
      racelab: s.toml: line 3: invalid value: string "x", expected a seed from 0 to 2^64-1 (above 2^63-1 in quotes)
      exit code 2
    seed = '18446744073709551616'
      racelab: s.toml: line 3: invalid value: string "18446744073709551616", expected a seed from 0 to 2^64-1 (above 2^63-1 in quotes)
      exit code 2
    games_csv = 1
      racelab: s.toml: line 3: invalid type: integer `1`, expected a boolean
      exit code 2
    schedule = 'knockout'
      racelab: s.toml: line 3: unknown variant `knockout`, expected one of `round-robin`, `one-against-all`, `gauntlet`, `line-ups`, `swiss`, `adaptive`
      exit code 2
    seatings = 'some'
      racelab: s.toml: line 3: unknown variant `some`, expected `rotations` or `all`
      exit code 2
    seats = 'AX'
      racelab: s.toml: line 3: 'X' is no seat; seats are letters A to H, e.g. 'AC' or 'ABCD'
      exit code 2
    seats = 3
      racelab: s.toml: line 3: invalid type: integer `3`, expected a string
      exit code 2
    line_ups = 'all'
      racelab: s.toml: line 3: invalid type: string "all", expected a sequence
      exit code 2
    rules = 3
      racelab: s.toml: line 3: invalid type: integer `3`, expected a map
      exit code 2
    blocks = 2
      racelab: s.toml: line 4: duplicate key
      exit code 2
    blocks
      racelab: s.toml: line 3: key with no value, expected `=`
      exit code 2
    = 3
      racelab: s.toml: line 3: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
      exit code 2
    blocks = [
      racelab: s.toml: line 3: unclosed array, expected `]`
      exit code 2

      racelab: s.toml: line 1: missing field `game`
      exit code 2
    game = 'mensch'
      racelab: s.toml: line 1: missing field `bots`
      exit code 2
    bots = 'greedy'
      racelab: s.toml: line 2: invalid type: string "greedy", expected a sequence
      exit code 2
    bots = [3]
      racelab: s.toml: line 2: invalid type: integer `3`, expected a bot name, a bot file or a table with name, policy and params
      exit code 2
    "#);
}

#[test]
fn a_spec_that_cannot_be_played_is_refused_by_field() {
    let two = |line: &str| format!("game = 'mensch'\nbots = ['greedy', 'random']\n{line}");
    let texts = [
        "preset = 'parchis'", "seats = 'A'", "seats = 'AE'", "rules = { jump = true }",
        "rules = { tries = 2 }", "name = 'a/b'", "name = '..'",
        "line_ups = [['greedy', 'random']]", "schedule = 'line-ups'",
        "schedule = 'line-ups'\nline_ups = [['greedy', 'random']]",
        "seats = 'AC'\nschedule = 'line-ups'\nline_ups = [['greedy', 'rear']]",
        "seats = 'AC'\nschedule = 'line-ups'\nline_ups = [['greedy', 'greedy']]",
        "seats = 'AC'\nschedule = 'line-ups'\nline_ups = [['greedy', 'random'], ['random', 'greedy']]",
    ]
    .map(two);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_snapshot!(specs(&texts), @r"
preset = 'parchis'
  racelab: preset: no preset 'parchis' of mensch; known: default, schmidt_official, openspiel
  exit code 2
seats = 'A'
  racelab: seats: 'A' is 1 seat; 2 to 4 play, e.g. 'AC' or 'ABCD'
  exit code 2
seats = 'AE'
  racelab: seats: there is no seat E at this board; its corners are A, B, C, D
  exit code 2
rules = { jump = true }
  racelab: rules: no option 'jump' of mensch; known: forced_capture, lane_jump, one_out, tries, bonus_on_unplayable_six, vacate_chain, capture_before_vacate, may_pass, capture_gives_roll, bounce, distance
  exit code 2
rules = { tries = 2 }
  racelab: rules: tries = 2; expected 3 or 1
  exit code 2
name = 'a/b'
  racelab: name: 'a/b' names no result folder; expected 1 to 100 letters, digits or -_.+, as name in the spec or with --name
  exit code 2
name = '..'
  racelab: name: '..' names no result folder; expected 1 to 100 letters, digits or -_.+, as name in the spec or with --name
  exit code 2
line_ups = [['greedy', 'random']]
  racelab: line_ups: given, but schedule is not 'line-ups'
  exit code 2
schedule = 'line-ups'
  racelab: line_ups: none given; schedule 'line-ups' needs at least one
  exit code 2
line_ups = [['greedy', 'random']]
  racelab: line_ups: number 1 has 2 bots for 4 seats
  exit code 2
line_ups = [['greedy', 'rear']]
  racelab: line_ups: number 1: no bot 'rear' in bots; there: greedy, random
  exit code 2
line_ups = [['greedy', 'greedy']]
  racelab: line_ups: bot 'random' is in no line-up
  exit code 2
line_ups = [['greedy', 'random'], ['random', 'greedy']]
  racelab: line_ups: number 2 is number 1 again, as it stands or rotated
  exit code 2
");
}

#[test]
fn bots_that_cannot_play_are_refused() {
    let bots = |bots: &str| format!("game = 'mensch'\nbots = {bots}");
    let texts = [
        "[]",
        "['gredy']",
        "['greedy', 'greedy']",
        "['none.toml']",
        "['s.toml']",
        "['greedy', {}]",
        "[{ name = 'a', policy = 'chess' }]",
        "[{ name = 'a' }]",
        "[{ name = '', policy = 'greedy' }]",
        "[{ name = 'a b', policy = 'greedy' }]",
        "[{ name = 'a', policy = 'greedy', depth = 1 }]",
        "[{ name = 'a', policy = 'greedy', params = { x = 1 } }]",
        "[{ name = 'a', policy = 'expectimax', params = { depth = 9 } }]",
        "['greedy', { name = 'greedy', policy = 'random' }]",
    ]
    .map(bots);
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    texts.extend([
        "game = 'chess'\nbots = ['greedy']",
        "game = 'mensch'\nbots = ['greedy']\nschedule = 'gauntlet'",
        "game = 'mensch'\nbots = ['greedy']\nschedule = 'one-against-all'",
    ]);
    assert_snapshot!(specs(&texts), @r#"
    bots = []
      racelab: bots: none named; expected at least one, e.g. bots = ["greedy", "random"]
      exit code 2
    bots = ['gredy']
      racelab: bots: no bot 'gredy'; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
      exit code 2
    bots = ['greedy', 'greedy']
      racelab: bots: two bots are named 'greedy'; give one of them another name in its file
      exit code 2
    bots = ['none.toml']
      racelab: bots: none.toml: no such file
      exit code 2
    bots = ['s.toml']
      racelab: bots: s.toml: line 2: unknown field `bots`, expected one of `name`, `policy`, `params`
      exit code 2
    bots = ['greedy', {}]
      racelab: s.toml: line 2: missing field `name`
      exit code 2
    bots = [{ name = 'a', policy = 'chess' }]
      racelab: bots: bot 'a': policy 'chess' does not play mensch; policies that do: random, run-home, greedy, cautious, racer, expectimax, rollout, learned
      exit code 2
    bots = [{ name = 'a' }]
      racelab: s.toml: line 2: missing field `policy`
      exit code 2
    bots = [{ name = '', policy = 'greedy' }]
      racelab: bots: number 1: name: '' is no bot name; expected 1 to 40 letters, digits or -_.+
      exit code 2
    bots = [{ name = 'a b', policy = 'greedy' }]
      racelab: bots: number 1: name: 'a b' is no bot name; expected 1 to 40 letters, digits or -_.+
      exit code 2
    bots = [{ name = 'a', policy = 'greedy', depth = 1 }]
      racelab: s.toml: line 2: unknown field `depth`, expected one of `name`, `policy`, `params`
      exit code 2
    bots = [{ name = 'a', policy = 'greedy', params = { x = 1 } }]
      racelab: bots: bot 'a': params: no parameter 'x'; this policy has none
      exit code 2
    bots = [{ name = 'a', policy = 'expectimax', params = { depth = 9 } }]
      racelab: bots: bot 'a': params: depth = 9; expected 1 to 3
      exit code 2
    bots = ['greedy', { name = 'greedy', policy = 'random' }]
      racelab: bots: two bots are named 'greedy'; give one of them another name in its file
      exit code 2
    bots = ['greedy']
      racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
      exit code 2
    schedule = 'gauntlet'
      racelab: bots: one bot has nobody to play in schedule 'gauntlet'; name two or more, or use 'round-robin' for self-play
      exit code 2
    schedule = 'one-against-all'
      racelab: bots: one bot has nobody to play in schedule 'one-against-all'; name two or more, or use 'round-robin' for self-play
      exit code 2
    "#);
}

#[test]
fn a_crowd_is_refused_at_once() {
    let lab = Lab::new();
    let spec = |bots: usize, more: &str| {
        let bots = (0..bots).map(|number| format!("{{ name = 'b{number}', policy = 'random' }}, "));
        let bots: String = bots.collect();
        lab.write(
            "s.toml",
            format!("game = 'mensch'\nbots = [{bots}]\n{more}"),
        );
        lab.seen("s.toml")
    };
    let line_ups = "['b0', 'b1', 'b0', 'b1'], ".repeat(100_001);
    let seen = [
        spec(1001, ""),
        spec(100, ""),
        spec(40, "seatings = 'all'"),
        spec(1000, "schedule = 'one-against-all'"),
        spec(
            2,
            &format!("schedule = 'line-ups'\nline_ups = [{line_ups}]"),
        ),
    ];
    assert_snapshot!(seen.join("\n"), @r#"
racelab: bots: 1001 named; at most 1000 play in one tournament
exit code 2
racelab: schedule: more than 100000 line-ups; name fewer bots or line-ups, or use seatings = "rotations"
exit code 2
racelab: schedule: more than 100000 line-ups; name fewer bots or line-ups, or use seatings = "rotations"
exit code 2
racelab: schedule: more than 100000 line-ups; name fewer bots or line-ups, or use seatings = "rotations"
exit code 2
racelab: schedule: more than 100000 line-ups; name fewer bots or line-ups, or use seatings = "rotations"
exit code 2
"#);
}

#[test]
#[allow(clippy::too_many_lines)] // Most of them are the texts.
fn flags_are_refused_like_fields() {
    let lab = Lab::new();
    assert_snapshot!(lab.transcript("
        --blocks 5
        --game mensch
        --game chess --bots greedy
        --game mensch --bots ''
        --game mensch --bots gredy,random
        --game mensch --bots greedy,greedy
        --game mensch --bots greedy,none.toml
        --game mensch --bots greedy --blocks 0
        --game mensch --bots greedy --blocks -1
        --game mensch --bots greedy --blocks 100000000000000000000
        --game mensch --bots greedy --seed -1
        --game mensch --bots greedy --seed 18446744073709551616
        --game mensch --bots greedy --cap 0
        --game mensch --bots greedy --threads 0
        --game mensch --bots greedy --threads 1025
        --game mensch --bots greedy --checkpoint 0
        --game mensch --bots greedy --schedule knockout
        --game mensch --bots greedy --seats AX
        --game mensch --bots greedy --rule jump
        --game mensch --bots greedy --rule tries=2
        --game mensch --bots greedy --preset parchis
        --game mensch --bots greedy --name a/b
        --game mensch --bots greedy --line-up greedy
        --game mensch --bots greedy --resume --force
        --game mensch --bots greedy --resume
        one.toml two.toml
        none.toml
        .
    "), @r#"
    $ --blocks 5
    racelab: tournament: nothing to play; name a spec file, or --game and --bots
    exit code 2
    $ --game mensch
    racelab: bots: none named; expected at least one, e.g. bots = ["greedy", "random"]
    exit code 2
    $ --game chess --bots greedy
    racelab: game: no game 'chess'; known: mensch, parchis, chinczyk, backgammon, baikal
    exit code 2
    $ --game mensch --bots ''
    racelab: bots: no bot ''; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
    exit code 2
    $ --game mensch --bots gredy,random
    racelab: bots: no bot 'gredy'; known: random, run-home, rear, greedy, cautious, racer, expectimax, expectimax-2, learned, blockader, sprinter, rollout-random, rollout-spanish, rollout-answer, rollout-answer-256, jailer, blocker, pip, blot-safe, prime, race, pubstyle, net, gnubg, pip-tuned, racer-tuned, racer-two-tuned, parchis-racer-tuned, two-dice-sprinter-tuned; or a bot file ending in .toml
    exit code 2
    $ --game mensch --bots greedy,greedy
    racelab: bots: two bots are named 'greedy'; give one of them another name in its file
    exit code 2
    $ --game mensch --bots greedy,none.toml
    racelab: bots: none.toml: no such file
    exit code 2
    $ --game mensch --bots greedy --blocks 0
    racelab: --blocks: '0'; expected a whole number from 1 to 1000000000000
    exit code 2
    $ --game mensch --bots greedy --blocks -1
    racelab: --blocks: '-1'; expected a whole number from 1 to 1000000000000
    exit code 2
    $ --game mensch --bots greedy --blocks 100000000000000000000
    racelab: --blocks: '100000000000000000000'; expected a whole number from 1 to 1000000000000
    exit code 2
    $ --game mensch --bots greedy --seed -1
    racelab: --seed: '-1'; expected a whole number from 0 to 18446744073709551615
    exit code 2
    $ --game mensch --bots greedy --seed 18446744073709551616
    racelab: --seed: '18446744073709551616'; expected a whole number from 0 to 18446744073709551615
    exit code 2
    $ --game mensch --bots greedy --cap 0
    racelab: --cap: '0'; expected a whole number from 1 to 1000000
    exit code 2
    $ --game mensch --bots greedy --threads 0
    racelab: --threads: '0'; expected a whole number from 1 to 1024
    exit code 2
    $ --game mensch --bots greedy --threads 1025
    racelab: --threads: '1025'; expected a whole number from 1 to 1024
    exit code 2
    $ --game mensch --bots greedy --checkpoint 0
    racelab: --checkpoint: '0'; expected a whole number from 1 to 3600
    exit code 2
    $ --game mensch --bots greedy --schedule knockout
    racelab: invalid value 'knockout' for '--schedule <KIND>'; [possible values: round-robin, one-against-all, gauntlet, line-ups, swiss, adaptive]; see 'racelab --help'
    exit code 2
    $ --game mensch --bots greedy --seats AX
    racelab: --seats: 'AX'; 'X' is no seat; seats are letters A to H, e.g. 'AC' or 'ABCD'
    exit code 2
    $ --game mensch --bots greedy --rule jump
    racelab: rules: 'jump' changes nothing; expected option=value, see racelab rules mensch
    exit code 2
    $ --game mensch --bots greedy --rule tries=2
    racelab: rules: tries = 2; expected 3 or 1
    exit code 2
    $ --game mensch --bots greedy --preset parchis
    racelab: preset: no preset 'parchis' of mensch; known: default, schmidt_official, openspiel
    exit code 2
    $ --game mensch --bots greedy --name a/b
    racelab: name: 'a/b' names no result folder; expected 1 to 100 letters, digits or -_.+, as name in the spec or with --name
    exit code 2
    $ --game mensch --bots greedy --line-up greedy
    racelab: line_ups: given, but schedule is not 'line-ups'
    exit code 2
    $ --game mensch --bots greedy --resume --force
    racelab: the argument '--resume' cannot be used with '--force'; see 'racelab --help'
    exit code 2
    $ --game mensch --bots greedy --resume
    racelab: results/mensch: holds no run to resume; leave out --resume to start one
    exit code 2
    $ one.toml two.toml
    racelab: unexpected argument 'two.toml' found; see 'racelab --help'
    exit code 2
    $ none.toml
    racelab: none.toml: no such file
    exit code 2
    $ .
    racelab: .: is a directory
    exit code 2
    "#);
    lab.write(
        "latin.toml",
        b"game = 'mensch'\nname = '\xe4'\nbots = ['greedy']",
    );
    lab.write("a b.toml", "game = 'mensch'\nbots = ['greedy']");
    assert_snapshot!(lab.transcript("latin.toml\n'a b.toml'"), @r"
$ latin.toml
racelab: latin.toml: the text is not UTF-8
exit code 2
$ 'a b.toml'
racelab: name: 'a b' names no result folder; expected 1 to 100 letters, digits or -_.+, as name in the spec or with --name
exit code 2
");
    assert_eq!(lab.names("."), ["a b.toml", "latin.toml"]);
}

const LINE: &str = "--game mensch --bots greedy,random --blocks 5 --name x";
const SMALL: &str = "--game mensch --bots greedy,random --blocks 5 --quiet --name x";

#[test]
fn an_earlier_result_is_kept_unless_forced() {
    let lab = Lab::new();
    let first = lab.play(LINE, "x");
    assert_snapshot!(lab.transcript(&format!("
        {SMALL} --out x
        {SMALL} --out x --resume
        {SMALL} --out x --resume --seed 2
    ")), @r"
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out x
racelab: x: holds a finished result; --force plays it again, --out puts the new one elsewhere
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out x --resume
racelab: x: the run is finished, nothing to resume
exit code 0
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out x --resume --seed 2
racelab: x: holds a run of another spec: seed is 1 there, 2 here; use the same spec, or --force to start over
exit code 2
");
    assert_same(&first, &lab.files("x"));
    let other = lab.play(
        "--game mensch --bots greedy,random --blocks 6 --name x --force",
        "x",
    );
    assert_ne!(first["summary.csv"], other["summary.csv"]);
    assert_same(&first, &lab.play(&format!("{LINE} --force"), "x"));
}

#[test]
fn another_spec_does_not_go_on_with_a_run() {
    let lab = Lab::new();
    let first = lab.play(LINE, "x");
    lab.write(
        "greedy.toml",
        "name = 'greedy'\npolicy = 'expectimax'\nparams = { depth = 2 }",
    );
    assert_snapshot!(lab.transcript("
        --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --seed 2
        --game mensch --bots greedy,rear --blocks 5 --name x --out x --resume
        --game mensch --bots greedy.toml,random --blocks 5 --name x --out x --resume
        --game mensch --bots greedy,random,rear --blocks 5 --name x --out x --resume
        --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --rule tries=1
        --game mensch --bots greedy,random --blocks 6 --name y --out x --resume --games-csv
        --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --seats AC
    "), @r#"
$ --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --seed 2
racelab: x: holds a run of another spec: seed is 1 there, 2 here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy,rear --blocks 5 --name x --out x --resume
racelab: x: holds a run of another spec: bots.random is { name = "random", policy = "random" } there, missing here, bots.rear is missing there, { name = "rear", params = { pick = "rear" }, policy = "run-… here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy.toml,random --blocks 5 --name x --out x --resume
racelab: x: holds a run of another spec: bots.greedy.params is missing there, { depth = 2 } here, bots.greedy.policy is "greedy" there, "expectimax" here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy,random,rear --blocks 5 --name x --out x --resume
racelab: x: holds a run of another spec: bots.rear is missing there, { name = "rear", params = { pick = "rear" }, policy = "run-… here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --rule tries=1
racelab: x: holds a run of another spec: rules.tries is 3 there, 1 here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy,random --blocks 6 --name y --out x --resume --games-csv
racelab: x: holds a run of another spec: blocks is 5 there, 6 here, games_csv is false there, true here, name is "x" there, "y" here; use the same spec, or --force to start over
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --name x --out x --resume --seats AC
racelab: x: holds a run of another spec: seats is "ABCD" there, "AC" here; use the same spec, or --force to start over
exit code 2
"#);
    let run = fs::read_to_string(lab.path("x/run.json")).unwrap();
    lab.write(
        "x/run.json",
        run.replace("\"version\": \"", "\"version\": \"9"),
    );
    let seen = lab.seen("x/spec.toml --out x --resume");
    let version = env!("CARGO_PKG_VERSION");
    assert_snapshot!(seen.replace(version, "VERSION"), @r#"
racelab: x: holds a run of another spec: version of racelab is "9VERSION" there, "VERSION" here; use the same spec, or --force to start over
exit code 2
"#);
    lab.write("x/run.json", run);
    lab.write("x/spec.toml", "blocks = ");
    assert_snapshot!(lab.seen(&format!("{LINE} --out x --resume")), @r"
racelab: x/spec.toml: line 1: string values must be quoted, expected literal string; --force starts over
exit code 1
");
    assert_same(&first, &lab.play(&format!("{LINE} --force"), "x"));
}

#[test]
fn what_is_not_ours_is_not_touched() {
    let lab = Lab::new();
    lab.write("mine/summary.csv", "mine");
    lab.write(
        "spec/spec.toml",
        "# by hand\ngame = 'mensch'\nbots = ['greedy']\nblocks = 2\n",
    );
    lab.write("other/run.json", "{\"state\": \"complete\"}");
    lab.write("photos/records/1.jpg", "");
    lab.write("file", "");
    let mut lines = String::new();
    for out in ["mine", "spec", "other", "photos", "file"] {
        for how in ["", " --force", " --resume"] {
            let _ = writeln!(lines, "{SMALL} --out {out}{how}");
        }
    }
    assert_snapshot!(lab.transcript(&lines), @r"
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out mine
racelab: mine: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out mine --force
racelab: mine: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out mine --resume
racelab: mine: holds no run to resume; leave out --resume to start one
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out spec
racelab: spec: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out spec --force
racelab: spec: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out spec --resume
racelab: spec: holds no run to resume; leave out --resume to start one
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out other
racelab: other: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out other --force
racelab: other: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out other --resume
racelab: other: holds no run to resume; leave out --resume to start one
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out photos
racelab: photos: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out photos --force
racelab: photos: is not empty and holds no result of racelab; choose another folder with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out photos --resume
racelab: photos: holds no run to resume; leave out --resume to start one
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out file
racelab: file: is no folder; choose another one with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out file --force
racelab: file: is no folder; choose another one with --out
exit code 2
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out file --resume
racelab: file: is no folder; choose another one with --out
exit code 2
");
    assert_eq!(
        fs::read_to_string(lab.path("mine/summary.csv")).unwrap(),
        "mine"
    );
    for (folder, name) in [
        ("mine", "summary.csv"),
        ("spec", "spec.toml"),
        ("other", "run.json"),
        ("photos", "records"),
    ] {
        assert_eq!(lab.names(folder), [name]);
    }
    // An empty folder is as good as none.
    fs::create_dir(lab.path("empty")).unwrap();
    lab.play("--game mensch --bots greedy --blocks 2", "empty");
}

/// Neither `--force` nor anything else touches the result of another command.
#[test]
fn results_of_other_commands_are_left_alone() {
    let lab = Lab::new();
    let of = |command: &str, line: &str| {
        let mut run = Command::new(assert_cmd::cargo::cargo_bin!("racelab"));
        run.arg(command)
            .args(words(line))
            .current_dir(lab.path("."));
        run.output().expect("the program starts")
    };
    let matched = "racer random --game mensch --seats AC --max-blocks 5 --quiet";
    let rounds = format!("{SMALL} --schedule swiss");
    assert_eq!(
        lab.seen(&format!("{SMALL} --out tournament")),
        "exit code 0"
    );
    assert_eq!(lab.seen(&format!("{rounds} --out rounds")), "exit code 0");
    of("match", &format!("{matched} --out match"));
    of("rate", "tournament --out rating");
    let bytes = || {
        let folders = ["tournament", "rounds", "match", "rating"];
        let paths = folders.iter().flat_map(|out| {
            let entries = fs::read_dir(lab.path(out)).expect("a result folder");
            entries.map(|entry| entry.expect("an entry").path())
        });
        let files = paths.map(|path| (fs::read(&path).expect("a file"), path));
        files.collect::<BTreeSet<_>>()
    };
    let before = bytes();
    let mut said = String::new();
    for how in ["", " --force"] {
        for (command, line) in [
            ("tournament", format!("{SMALL} --out match{how}")),
            ("tournament", format!("{SMALL} --out rounds{how}")),
            ("tournament", format!("{rounds} --out tournament{how}")),
            ("match", format!("{matched} --out rating{how}")),
            ("rate", format!("tournament --out tournament{how}")),
        ] {
            let _ = writeln!(said, "{}", lab.said(&of(command, &line)));
        }
    }
    // Nor of a run that has not finished.
    let run = lab.path("match/run.json");
    fs::rename(&run, lab.path("run.json")).unwrap();
    let counts = fs::read(lab.path("match/state.json")).expect("the counts of an undecided match");
    lab.write("match/state.json", r#"{"schema":2,"kind":"match"}"#);
    let _ = writeln!(
        said,
        "{}",
        lab.seen(&format!("{SMALL} --out match --force"))
    );
    fs::write(lab.path("match/state.json"), counts).unwrap();
    fs::rename(lab.path("run.json"), &run).unwrap();
    assert_snapshot!(said, @r"
racelab: match: holds a result of another kind (match, not tournament); choose another folder with --out
exit code 2
racelab: rounds: holds a result of another kind (rounds, not tournament); choose another folder with --out
exit code 2
racelab: tournament: holds a result of another kind (tournament, not rounds); choose another folder with --out
exit code 2
racelab: rating: holds a result of another kind (rating, not match); choose another folder with --out
exit code 2
racelab: tournament: holds a result of another kind (tournament, not rating); choose another folder with --out
exit code 2
racelab: match: holds a result of another kind (match, not tournament); choose another folder with --out
exit code 2
racelab: rounds: holds a result of another kind (rounds, not tournament); choose another folder with --out
exit code 2
racelab: tournament: holds a result of another kind (tournament, not rounds); choose another folder with --out
exit code 2
racelab: rating: holds a result of another kind (rating, not match); choose another folder with --out
exit code 2
racelab: tournament: holds a result of another kind (tournament, not rating); choose another folder with --out
exit code 2
racelab: match: holds a result of another kind (match, not tournament); choose another folder with --out
exit code 2
");
    assert!(before == bytes());
}

#[test]
fn a_result_that_cannot_be_written_is_said_with_its_place() {
    let lab = Lab::new();
    lab.write("file", "");
    assert_snapshot!(lab.transcript(&format!("{SMALL} --out file/below\n{SMALL} --out /proc/here")), @r"
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out file/below
racelab: file/below: not a directory; choose another folder with --out
exit code 1
$ --game mensch --bots greedy,random --blocks 5 --quiet --name x --out /proc/here
racelab: /proc/here: no such file; choose another folder with --out
exit code 1
");
    assert_eq!(lab.names("."), ["file"]);
    // A folder where a file must be.
    lab.play(LINE, "whole");
    let spec = fs::read(lab.path("whole/spec.toml")).unwrap();
    lab.write("x/spec.toml", spec);
    lab.write("x/records/.racelab-1", "");
    lab.write("x/pairs.csv/file", "");
    assert_snapshot!(lab.seen(&format!("{SMALL} --out x --resume")), @r"
racelab: x/pairs.csv: is a directory; to go on afterwards: racelab tournament --game mensch --bots greedy,random --blocks 5 --quiet --name x --out x --resume
exit code 1
");
    assert_eq!(lab.records("x").len(), 1, "what was played is kept");
    assert!(!lab.names("x").contains(&"racelab.lock".to_owned()));
    assert_snapshot!(lab.seen(&format!("{SMALL} --out x --force")), @r"
racelab: x/pairs.csv: is a directory
exit code 1
");
    fs::remove_file(lab.path("x/pairs.csv/file")).unwrap();
    fs::remove_dir(lab.path("x/pairs.csv")).unwrap();
    assert_same(
        &lab.files("whole"),
        &lab.play(&format!("{LINE} --resume"), "x"),
    );
}

/// A disk of 48 kB, in a view of the file system that nobody else sees.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    use std::process::Command;

    let lab = Lab::new();
    fs::create_dir(lab.path("disk")).unwrap();
    let line = "--game mensch --bots greedy,random --blocks 300 --games-csv --name x";
    let undisturbed = lab.play(line, "undisturbed");
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-ec", script]);
        command.current_dir(lab.0.path()).output()
    };
    let mounts = unshare("mount -t tmpfs -o size=48k none disk");
    if !mounts.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this machine lets no test mount a small disk");
        return;
    }
    let program = assert_cmd::cargo::cargo_bin!("racelab");
    let run = format!(
        "'{}' tournament {line} --quiet --out disk/x",
        program.display()
    );
    let script = format!(
        "mount -t tmpfs -o size=48k none disk\n{run} && exit 9\nls -A disk/x disk/x/records\n\
         mount -o remount,size=9m disk\n{run} --resume\ncp -r disk/x saved"
    );
    let output = unshare(&script).unwrap();
    let run: serde_json::Value = serde_json::from_str(&undisturbed["run.json"]).unwrap();
    let job = run["spec_hash"].as_str().unwrap();
    let listed = String::from_utf8_lossy(&output.stdout);
    assert_snapshot!(lab.said(&output).replace(job, "JOB"), @r"
racelab: disk/x/records/JOB-0-300.games: no storage space; to go on afterwards: racelab tournament --game mensch --bots greedy,random --blocks 300 --games-csv --name x --quiet --out disk/x --resume
exit code 0
");
    assert_snapshot!(listed, @r"
disk/x:
records
run.json
spec.toml

disk/x/records:
");
    assert_same(&undisturbed, &lab.files("saved"));
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_reading_the_output_is_a_normal_end() {
    use std::process::Stdio;

    let lab = Lab::new();
    let line = "--game mensch --bots greedy,random --blocks 2 --name x";
    for (out, more) in [("closed", ""), ("printed", "--print-spec")] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = lab.command(&format!("{line} --out {out} {more}"));
        let output = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(lab.said(&output), "exit code 0");
    }
    assert_same(&lab.files("closed"), &lab.play(line, "read"));
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = lab
        .command(&format!("{line} --out full"))
        .stdout(full)
        .output()
        .unwrap();
    assert_snapshot!(lab.said(&output), @r"
racelab: stdout: no storage space
exit code 1
");
    assert_same(&lab.files("full"), &lab.files("read"));
}
