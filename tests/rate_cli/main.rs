//! `racelab rate` and tournaments in rounds from outside: ratings of result folders, the same bytes whatever happens on
//! the way, and all that is refused.

use std::fs;
use std::time::Instant;

use insta::assert_snapshot;

#[path = "../support/lab.rs"]
mod lab;
mod refused;

use lab::Lab;

fn play(lab: &Lab, line: &str) {
    let seen = lab.seen(&format!("tournament --quiet {line}"));
    assert_eq!(seen, "exit code 0", "{line}");
}

#[test]
fn folders_with_their_games() {
    let lab = Lab::new();
    play(
        &lab,
        "--game mensch --seats AC --bots racer,greedy,random --blocks 60 --games-csv --out a",
    );
    play(
        &lab,
        "--game mensch --seats AC --bots racer,cautious,greedy --seed 2 --blocks 60 --games-csv --out b",
    );
    assert_snapshot!(lab.seen("rate a b --out ratings"), @r"
n = 720 games in 120 blocks, 4 bots: Plackett-Luce strengths in Elo, 0 on
average
rank  bot            Elo    error    quasi      worth
   1  racer        99.02    13.59    14.55   0.373242
   2  cautious     66.45    15.31    16.17   0.309429
   3  greedy       28.02    12.02    12.74   0.248029
   4  random     -193.48    20.73    26.09   0.069301
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors are clustered
                  by block
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
seat C            -2.27 ± 20.93: Elo more than seat A, with its standard error
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2      3      4
   1        -  93.88  99.98 100.00
   2     6.12      -  96.89 100.00
   3     0.02   3.11      - 100.00
   4     0.00   0.00   0.00      -
pairs             4 of 6 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               chi-square 1.31 (df = 1), p = 0.2529: the pairs do not
                  contradict the ratings
farthest pair     racer before random: 104 of 120 times, the ratings expect
                  101.2
games             mensch, seats AC; winners of 2 folders
exit code 0
");
    let files = lab.files("ratings");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "los.csv",
            "pairs.csv",
            "ratings.csv",
            "ratings.txt",
            "run.json",
            "seats.csv",
            "spec.toml"
        ]
    );
    assert_snapshot!(files["seats.csv"], @r"
rules,seat,against,elo,error
,C,A,-2.266857,20.927341
");
    assert_snapshot!(files["ratings.csv"], @r"
rank,bot,elo,error,quasi_error,worth
1,racer,99.017036,13.590304,14.54966,0.373242
2,cautious,66.445191,15.313867,16.169636,0.309429
3,greedy,28.021721,12.024969,12.744863,0.248029
4,random,-193.483948,20.731421,26.091765,0.069301
");
    // In the other order the ratings are the same, and two placings of two are a winner and a loser.
    let placings = lab.seen("rate b a --placings");
    assert!(
        placings.contains("   1  racer        99.02    13.59"),
        "{placings}"
    );
}

/// The same tournament with and without `games.csv`: the same strengths, wider errors, and the words for it.
#[test]
fn folders_without_their_games() {
    let lab = Lab::new();
    let line = "--game mensch --bots racer,greedy,cautious --schedule one-against-all --blocks 40";
    play(&lab, &format!("{line} --games-csv --out with"));
    play(&lab, &format!("{line} --out without"));
    assert_snapshot!(lab.seen("rate without"), @r"
n = 960 games, 3 bots: Plackett-Luce strengths in Elo, 0 on average
rank  bot            Elo    error    quasi      worth
   1  racer        17.39    10.69    13.09   0.366332
   2  cautious      8.70    10.68    13.08   0.348447
   3  greedy      -26.09    10.69    13.10   0.285221
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors take games for
                  independent and are 1.01 times as wide, by the least variance
                  ratio of a pair; with --games-csv they would follow the blocks
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2      3
   1        -  68.08  99.05
   2    31.92      -  96.98
   3     0.95   3.02      -
pairs             0 of 3 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               chi-square 1.53 (df = 1), p = 0.2159: the pairs do not
                  contradict the ratings
farthest pair     racer before cautious: 237 of 478 times, the ratings expect
                  245.0
games             mensch, seats ABCD; winners of one folder
exit code 0
");
    let elo = |folder: &str| -> Vec<f64> {
        let output = lab.run(&format!("rate {folder} --format json"));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let bots = json["bots"].as_array().unwrap();
        bots.iter()
            .map(|bot| bot["elo"].as_f64().unwrap())
            .collect()
    };
    // Seats are told apart in one of them only.
    for (with, without) in elo("with").into_iter().zip(elo("without")) {
        assert!((with - without).abs() < 1.0, "{with} {without}");
    }
}

/// Two bots that choose alike have the same score in every block, which shows nothing about their error.
#[test]
fn the_error_of_bots_that_play_alike_is_unknown() {
    let lab = Lab::new();
    lab.write("twin.toml", "name = 'twin'\npolicy = 'racer'\n");
    play(
        &lab,
        "--game mensch --seats AC --bots racer,twin.toml --blocks 40 --games-csv --out twins",
    );
    let seen = lab.seen("rate twins --out ratings");
    let table: Vec<&str> = seen.lines().skip(1).take(3).collect();
    assert_snapshot!(table.join("\n"), @"
    rank  bot         Elo    error    quasi      worth
       1  twin       0.00  unknown  unknown   0.500000
       2  racer      0.00  unknown  unknown   0.500000
    ");
    let files = lab.files("ratings");
    assert_snapshot!(files["ratings.csv"], @"
    rank,bot,elo,error,quasi_error,worth
    1,twin,0.0,,,0.5
    2,racer,0.0,,,0.5
    ");
    assert_snapshot!(files["los.csv"], @"
    bot,other,elo_difference,error,los,holm_p
    twin,racer,0.0,,0.5,1.0
    racer,twin,0.0,,0.5,1.0
    ");
    let output = lab.run("rate twins --format json");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for error in [
        &json["bots"][0]["error"],
        &json["bots"][0]["quasi_error"],
        &json["pairs"][0]["error"],
    ] {
        assert!(error.is_null(), "{json}");
    }
}

/// More than a hundred thousand games of a shipped result.
#[test]
fn a_shipped_result() {
    let lab = Lab::new();
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/results/mensch-bots");
    let output = lab.run(&format!("rate {results} --format json"));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["n"], 140_000);
    let bots = json["bots"].as_array().unwrap();
    let names: Vec<&str> = bots
        .iter()
        .map(|bot| bot["bot"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "expectimax",
            "racer",
            "cautious",
            "run-home",
            "greedy",
            "random",
            "rear"
        ]
    );
}

/// Matches beside a tournament: what each won, whatever stopped at the cap, with words for what matches are.
#[test]
fn matches_beside_a_tournament() {
    let lab = Lab::new();
    lab.run("match racer greedy --game mensch --max-blocks 40 --alpha 1e-200 --quiet --out duel");
    assert_snapshot!(lab.seen("rate duel"), @r"
n = 320 games, 2 bots: Plackett-Luce strengths in Elo, 0 on average
rank  bot          Elo    error    quasi      worth
   1  racer      27.56    11.25    15.91   0.578677
   2  greedy    -27.56    11.25    15.91   0.421323
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors take games for
                  independent and are 1.00 times as wide, by the least variance
                  ratio of a pair
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2
   1        -  99.29
   2     0.71      -
pairs             1 of 1 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               unknown: there are no more pairs than parameters, so nothing
                  can be tested
games             mensch, seats ABCD; winners of one folder
matches           1 of the folders; a match stops when it knows, so its share
                  lies a little too far out
exit code 0
");
    // The same games as a tournament counts them: the two directions are its two line-ups.
    play(
        &lab,
        "--game mensch --bots racer,greedy --schedule one-against-all --blocks 40 --out table",
    );
    let elo = |line: &str| -> serde_json::Value {
        let output = lab.run(&format!("rate {line} --format json"));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(json["bots"][0]["elo"].is_f64(), "{json}");
        json["bots"][0]["elo"].clone()
    };
    assert_eq!(elo("duel"), elo("table"));
    let seen = lab.seen("rate duel table");
    assert!(
        seen.contains("was played on the same dice in duel; play one of them with another seed\n"),
        "{seen}"
    );
    // With a cap some games have no winner, and a step of the histogram is a part of a game.
    lab.run(
        "match racer greedy --game mensch --max-blocks 40 --alpha 1e-200 --cap 300 --quiet --out capped",
    );
    play(
        &lab,
        "--game mensch --bots racer,greedy --schedule one-against-all --blocks 40 --cap 300 --out capped-table",
    );
    assert_eq!(elo("capped"), elo("capped-table"));
    // A tournament that kept its games loses blocks and seats beside a match.
    play(
        &lab,
        "--game mensch --bots racer,greedy,random --blocks 20 --seed 2 --games-csv --out pool",
    );
    let seen = lab.seen("rate duel pool");
    assert!(seen.contains("1 of the folders; a match stops"), "{seen}");
    assert!(!seen.contains("\nseat "), "{seen}");
    // A cut table is refused.
    let path = lab.path("duel/match.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen(",160,", ",161,", 1)).unwrap();
    let seen = lab.seen("rate duel");
    assert!(
        seen.contains("duel/match.csv: line 2: scores; not as racelab wrote it"),
        "{seen}"
    );
}

/// Folders that differ in rules: who gains under which.
#[test]
fn folders_of_two_rule_sets() {
    let lab = Lab::new();
    let line = "--game mensch --seats AC --bots racer,greedy,random --games-csv --blocks 60";
    play(&lab, &format!("{line} --out forced"));
    play(
        &lab,
        &format!("{line} --rule forced_capture=false --out free"),
    );
    play(
        &lab,
        "--game mensch --seats AC --bots racer,cautious --games-csv --blocks 60 --seed 2 --out more",
    );
    assert_snapshot!(lab.seen("rate forced free more --out ratings"), @r"
n = 840 games in 120 blocks, 4 bots: Plackett-Luce strengths in Elo, 0 on
average
rank  bot            Elo    error    quasi      worth
   1  racer       123.04    15.27    17.59   0.403808
   2  cautious     82.14    25.63    30.43   0.319088
   3  greedy       19.55    18.44    19.32   0.222557
   4  random     -224.72    22.06    24.41   0.054546
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors are clustered
                  by block
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
seat C            -23.54 ± 23.49: Elo more than seat A, with its standard error;
                  under rules 1
seat C            2.94 ± 24.53: Elo more than seat A, with its standard error;
                  under rules 2
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2      3      4
   1        -  91.99  99.99 100.00
   2     8.01      -  94.11 100.00
   3     0.01   5.89      - 100.00
   4     0.00   0.00   0.00      -
pairs             4 of 6 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               unknown: there are no more pairs than parameters, so nothing
                  can be tested
games             mensch, seats AC; winners of 3 folders

rules 1           forced_capture=true: n = 480 games in 120 blocks; forced, more
rules 2           forced_capture=false: n = 360 games in 60 blocks; free
bot                rules       Elo    error      gain     95 % interval   Holm p
racer                  1    138.19    19.34
                       2    164.69    20.08     26.51      -5.5 to 58.6   0.2066
cautious               1     97.30    34.96
greedy                 1     35.38    15.53
                       2     60.19    17.84     24.81      -6.9 to 56.5   0.2066
random                 1   -173.57    18.35
                       2   -224.89    24.37    -51.32     -98.0 to -4.6   0.0952
Elo               under these rules, 0 on average of the 3 bots that play under
                  all of them
gain              Elo more than under rules 1, against the same average: gains
                  add to 0, what helps all alike shows in no game; p by Holm's
                  procedure over all gains
same strengths    F 2.38 (df = 2, 58), p = 0.1015: no change of strengths is
                  shown, which does not show that there is none
exit code 0
");
    let files = lab.files("ratings");
    assert!(
        files["ratings.txt"]
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
    assert_snapshot!(files["rules.csv"], @r"
rules,bot,blocks,games,elo,error,gain,gain_error,gain_low,gain_high,holm_p
forced_capture=true,racer,120,360,138.188893,19.343981,,,,,
forced_capture=true,cautious,120,120,97.30047,34.95577,,,,,
forced_capture=true,greedy,120,240,35.381343,15.533439,,,,,
forced_capture=true,random,120,240,-173.570235,18.352948,,,,,
forced_capture=false,racer,60,240,164.694683,20.08379,26.50579,16.019068,-5.548291,58.559871,0.206617
forced_capture=false,greedy,60,240,60.194892,17.83999,24.813549,15.841739,-6.885697,56.512796,0.206617
forced_capture=false,random,60,240,-224.889575,24.370809,-51.319339,23.328614,-97.999788,-4.638891,0.095242
");
    assert_snapshot!(files["seats.csv"], @r"
rules,seat,against,elo,error
forced_capture=true,C,A,-23.536076,23.485111
forced_capture=false,C,A,2.942355,24.533809
");
    // The order of the folders names the reference; the gains turn their sign.
    let gain = |line: &str| -> f64 {
        let output = lab.run(&format!("rate {line} --format json"));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let gains = json["gains"].as_array().expect("gains");
        let of_racer = gains
            .iter()
            .filter(|row| row["bot"] == "racer")
            .find_map(|row| row["gain"].as_f64());
        of_racer.expect("a gain")
    };
    assert!((gain("forced free") + gain("free forced")).abs() < 1e-6);
}

/// Where nothing tells what the rules change, the reason stands there.
#[test]
fn gains_that_are_unknown() {
    let lab = Lab::new();
    let line = "--game mensch --seats AC --bots racer,greedy,random --games-csv --blocks 30";
    play(&lab, &format!("{line} --out forced"));
    play(
        &lab,
        &format!("{line} --rule forced_capture=false --out free"),
    );
    play(
        &lab,
        "--game mensch --seats AC --bots racer,cautious --blocks 30 --rule forced_capture=false --seed 3 --out other",
    );
    let seen = lab.seen("rate forced other");
    assert!(
        seen.contains("gains             unknown: fewer than two bots play under every rule set"),
        "{seen}"
    );
    let seen = lab.seen("rate forced free --ghost 0.5");
    assert!(
        seen.contains("gains             unknown: not told with --ghost"),
        "{seen}"
    );
}

const SWISS: &str = "--game mensch --seats AC --schedule swiss --bots racer,cautious,greedy,run-home,random --blocks 30";
const ADAPTIVE: &str =
    "--game mensch --schedule adaptive --bots racer,greedy,random --blocks 400 --margin 5pt";

#[test]
fn a_swiss_tournament() {
    let lab = Lab::new();
    assert_snapshot!(lab.seen(&format!("tournament {SWISS} --out swiss")), @r"
n = 480 games in 240 blocks, 5 bots: Plackett-Luce strengths in Elo, 0 on
average
rank  bot            Elo    error    quasi      worth
   1  racer        77.34    16.99    18.26   0.278320
   2  cautious     70.81    17.21    17.92   0.268052
   3  run-home     27.81    19.09    21.31   0.209269
   4  greedy        1.96    19.42    21.87   0.180331
   5  random     -177.92    22.15    26.02   0.064028
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors are clustered
                  by block
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2      3      4      5
   1        -  60.02  95.90  99.66 100.00
   2    39.98      -  94.74  99.33 100.00
   3     4.10   5.26      -  78.38 100.00
   4     0.34   0.67  21.62      - 100.00
   5     0.00   0.00   0.00   0.00      -
pairs             5 of 10 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               chi-square 0.36 (df = 4), p = 0.9856: the pairs do not
                  contradict the ratings
farthest pair     racer before cautious: 32 of 60 times, the ratings expect 30.6
caution           who met whom followed from results, so errors, LOS and Holm's
                  procedure are approximations; the order of neighbours below is
                  not
played            4 rounds, 240 of at most 240 blocks, 480 games, 0 stopped at
                  the cap
neighbours        0 of 4 in this order decided by their own games, within ±1pt
                  or apart; all pairs together are wrong with probability 0.05
                  at most, whenever one looks
                  racer - cautious: UNDECIDED; score of racer 0.5333 (0.2862 to
                  0.7617), 30 blocks
                  cautious - run-home: UNDECIDED; score of cautious 0.5667
                  (0.3194 to 0.7761), 30 blocks
                  run-home - greedy: never met
                  greedy - random: UNDECIDED; score of greedy 0.7500 (0.4304 to
                  0.9209), 30 blocks

Results in swiss
exit code 0
");
    let files = lab.files("swiss");
    assert_snapshot!(files["rounds.csv"], @r"
round,bot,other
1,racer,greedy
1,cautious,run-home
2,racer,cautious
2,run-home,random
3,racer,random
3,cautious,greedy
4,racer,run-home
4,greedy,random
");
    assert_snapshot!(files["pairs.csv"], @r"
bot,other,blocks,games,score,score_low,score_high,order
racer,cautious,30,60,0.533333,0.286216,0.761743,undecided
racer,greedy,30,60,0.6,0.328428,0.815374,undecided
racer,run-home,30,60,0.566667,0.294277,0.802031,undecided
racer,random,30,60,0.8,0.469415,0.94503,undecided
cautious,greedy,30,60,0.616667,0.345577,0.821764,undecided
cautious,run-home,30,60,0.566667,0.319422,0.776107,undecided
greedy,random,30,60,0.75,0.430358,0.920888,undecided
run-home,random,30,60,0.766667,0.448526,0.924951,undecided
");
}

#[test]
fn an_adaptive_tournament() {
    let lab = Lab::new();
    assert_snapshot!(lab.seen(&format!("tournament {ADAPTIVE} --out adaptive")), @r"
n = 2,000 games in 250 blocks, 3 bots: Plackett-Luce strengths in Elo, 0 on
average
rank  bot          Elo    error    quasi      worth
   1  racer      87.49    11.00    10.28   0.452404
   2  greedy     85.18     9.26     0.00   0.446412
   3  random   -172.67    17.55    25.81   0.101184
worth             chance to win a game in which every bot plays once
error             standard error of Elo minus the average; errors are clustered
                  by block
quasi             quasi-standard error: that of a difference is about √(quasi₁²
                  + quasi₂²)
LOS in %          that the row is stronger than the column; a normal
                  approximation, not for decisions
            1      2      3
   1        -  58.91 100.00
   2    41.09      - 100.00
   3     0.00   0.00      -
pairs             2 of 3 differ by Holm's procedure at 0.0500; the others are
                  undecided
fit               unknown: there are no more pairs than parameters, so nothing
                  can be tested
caution           who met whom followed from results, so errors, LOS and Holm's
                  procedure are approximations; the order of neighbours below is
                  not
played            4 rounds, 250 of at most 400 blocks, 2,000 games, 0 stopped at
                  the cap
neighbours        2 of 2 in this order decided by their own games, within ±5pt
                  or apart; all pairs together are wrong with probability 0.05
                  at most, whenever one looks
                  racer - greedy: within the margin; score of racer 0.5025
                  (0.4556 to 0.5486), 200 blocks
                  greedy - random: greedy is stronger; score of greedy 0.7625
                  (0.5735 to 0.8424), 50 blocks

Results in adaptive
exit code 0
");
}

#[test]
fn rounds_are_the_same_for_any_threads_and_after_a_kill() {
    let lab = Lab::new();
    for (number, line) in [SWISS, ADAPTIVE].into_iter().enumerate() {
        let began = Instant::now();
        play(&lab, &format!("{line} --threads 1 --out one{number}"));
        let time = began.elapsed();
        let one = lab.files(&format!("one{number}"));
        for threads in [2, 7] {
            play(
                &lab,
                &format!("{line} --threads {threads} --out t{threads}-{number}"),
            );
            assert!(one == lab.files(&format!("t{threads}-{number}")));
        }
        let mut child = lab
            .command(&format!(
                "tournament --quiet {line} --threads 1 --checkpoint 1 --out k{number}"
            ))
            .spawn()
            .expect("the program starts");
        std::thread::sleep(time / 2);
        child.kill().expect("it can be killed");
        child.wait().expect("it ended");
        let seen = lab.seen(&format!(
            "tournament --quiet {line} --out k{number} --resume"
        ));
        // A quick machine may have finished before the kill.
        let was_late = seen.contains("the run is finished, nothing to resume\nexit code 0");
        assert!(seen == "exit code 0" || was_late, "{seen}");
        assert!(one == lab.files(&format!("k{number}")));
        // The spec in the folder plays the same tournament again.
        play(&lab, &format!("one{number}/spec.toml --out again{number}"));
        assert!(one == lab.files(&format!("again{number}")));
    }
}

#[test]
fn what_rounds_have_no_use_for() {
    let lab = Lab::new();
    let mut seen = Vec::new();
    for line in [
        "--schedule swiss --games-csv",
        "--schedule swiss --seatings all",
        "--schedule adaptive --rounds 3",
        "--schedule swiss --rounds 0",
        "--schedule round-robin --margin 1pt",
        "--alpha 0.1",
        "--schedule adaptive --alpha 0.9",
        "--schedule adaptive --margin 50pt",
    ] {
        let all = lab.seen(&format!(
            "tournament --game mensch --bots racer,greedy --out x {line}"
        ));
        assert!(all.ends_with("exit code 2"), "{line}: {all}");
        seen.push(all.lines().next().unwrap_or_default().to_owned());
    }
    seen.push(lab.seen("tournament --game mensch --bots racer --schedule swiss --out x"));
    assert_snapshot!(seen.join("\n"), @r#"
racelab: games_csv: given, but it needs a schedule that is not swiss or adaptive; leave it out
racelab: seatings: given, but it needs a schedule that is not swiss or adaptive; leave it out
racelab: rounds: given, but it needs schedule = "swiss"; leave it out
racelab: --rounds: '0'; expected a whole number from 1 to 10000
racelab: margin: given, but it needs schedule = "swiss" or "adaptive"; leave it out
racelab: alpha: given, but it needs schedule = "swiss" or "adaptive"; leave it out
racelab: alpha: 0.9; expected above 0 and at most 0.5, e.g. 0.05
racelab: margin: 50pt is not below the fair share of 50pt; ask for less
racelab: bots: one bot has nobody to play in schedule 'swiss'; name two or more, or use 'round-robin' for self-play
exit code 2
"#);
}
