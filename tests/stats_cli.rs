//! `racelab stats` from outside: what it prints, and all it refuses.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use insta::assert_snapshot;

/// The files the tests read, with their texts.
const FILES: &[(&str, &str)] = &[
    ("wld.csv", "wins,losses,draws\n100,90,80\n36,6,31\n"),
    (
        "blocks.csv",
        "score,blocks\n0,4148\n1,9718\n2,5138\n3,932\n4,64\n",
    ),
    (
        "seats.csv",
        "seat,wins\nyellow,255000\ngreen,250000\nred,248000\nblack,247000\n",
    ),
    ("shares.csv", "wins,games\n56,70\n48,80\n"),
    (
        "p.csv",
        "name,p\nlength,0.001\ncaptures,0.012\nleads,0.03\nluck,0.4\n",
    ),
    (
        "wins.csv",
        "winner,loser,games\nalpha,beta,30\nbeta,alpha,10\nalpha,gamma,25\ngamma,alpha,15\nbeta,gamma,22\ngamma,beta,18\n",
    ),
    (
        "games.csv",
        "game,bot,place,seat,block\n1,x,1,A,0\n1,y,2,B,0\n1,z,3,C,0\n2,y,1,A,0\n2,z,2,B,0\n2,x,2,C,0\n3,z,1,A,1\n3,x,,B,1\n3,y,,C,1\n4,x,1,B,1\n4,y,2,A,1\n4,z,3,C,1\n5,y,1,C,2\n5,x,2,B,2\n5,z,3,A,2\n6,x,1,C,2\n6,z,2,A,2\n6,y,3,B,2\n",
    ),
    ("always.csv", "game,bot,place\n1,x,1\n1,y,2\n"),
    ("typo.csv", "game,bot,plce\n1,x,1\n1,y,2\n"),
    ("short.csv", "winner,loser\na,b\nc\n"),
    ("half.csv", "winner,games\na,1\n"),
    ("twice.csv", "wins,losses,draws,wins\n1,2,3,4\n"),
    ("empty.csv", ""),
    ("header.csv", "winner,loser\n"),
    ("self.csv", "winner,loser\na,a\n"),
    ("negative.csv", "winner,loser,games\na,b,-3\n"),
    ("letters.csv", "wins,losses,draws\n1,2,3\n4,x,6\n"),
    (
        "huge.csv",
        "wins,losses,draws\n1,2,3\n4,5,99999999999999999999\n",
    ),
    ("sum.csv", "wins,games\n1,1000000000000\n1,1\n"),
    ("place.csv", "game,bot,place\n1,x,0\n1,y,2\n"),
    ("alone.csv", "game,bot,place\n1,x,1\n"),
    ("unplaced.csv", "game,bot,place\n1,x,\n1,y,\n"),
    ("seat.csv", "game,bot,place,seat\n1,x,1,A\n1,y,2,A\n"),
    ("split.csv", "game,bot,place,block\n1,x,1,0\n1,y,2,1\n"),
    ("nameless.csv", "winner,loser\n,b\n"),
    ("three.csv", "wins,games\n1,2\n1,2\n1,2\n"),
    ("same.csv", "seat,wins\nA,1\nA,2\n"),
    (
        "fixed.csv",
        "game,bot,place,seat\n1,x,1,A\n1,y,2,B\n2,y,1,B\n2,x,2,A\n",
    ),
    ("pvalue.csv", "p\n0.5\n-0.1\n"),
];

/// Three bots that beat each other in a circle, in 40 blocks.
fn circle() -> String {
    let mut text = "winner,loser,games,block\n".to_owned();
    for block in 0..40 {
        for (winner, loser, games) in [
            ("rock", "scissors", 2),
            ("scissors", "paper", 2),
            ("paper", "rock", 2),
            ("scissors", "rock", block % 2),
            ("paper", "scissors", 1),
            ("rock", "paper", u32::from(block % 3 > 0)),
        ] {
            writeln!(text, "{winner},{loser},{games},{block}").unwrap();
        }
    }
    text
}

fn racelab(folder: &Path, line: &str) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .arg("stats")
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::write(folder.path().join("circle.csv"), circle()).unwrap();
    fs::write(
        folder.path().join("latin.csv"),
        b"winner,loser\nJos\xe9,b\n",
    )
    .unwrap();
    fs::create_dir(folder.path().join("folder.csv")).unwrap();
    folder
}

/// What one would see of some command lines, one after the other.
fn transcript(lines: &str) -> String {
    let folder = folder();
    let mut transcript = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let output = racelab(folder.path(), line);
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        let code = output.status.code().expect("the program ends by itself");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        let _ = writeln!(
            transcript,
            "$ racelab stats {line}\n{stdout}{stderr}exit code {code}\n"
        );
    }
    transcript
}

#[test]
fn games_of_two_players() {
    assert_snapshot!(transcript("
        wld 136 96 111
        wld --csv wld.csv --confidence 0.99
        wld 68965 68526 128429 --elo0 0 --elo1 2 --model bayes
        wld 5 0 0 --elo0 0 --elo1 5 --model bayes
    "), @r#"
    $ racelab stats wld 136 96 111
    136 wins, 96 losses, 111 draws: n = 343 games
    score             0.55831 (0.51501 to 0.60160): mean score; equal bots get
                      0.50000. 95 % Student interval, for one look at a planned n
    Elo               40.70 (10.44 to 71.60): Elo difference, the same interval
    nElo              49.70 (12.93 to 86.46): normalised Elo: how hard the
                      difference is to see, not how large it is
    LOS               0.99596: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.166181: variance of the score between games
    sequence          0.55831 (0.48203 to 0.63370): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              1.5964: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -0.6497: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    BayesElo          45.60: with draw Elo 118.57, in the model of BayesElo
    exit code 0

    $ racelab stats wld --csv wld.csv --confidence 0.99
    136 wins, 96 losses, 111 draws: n = 343 games
    score             0.55831 (0.50129 to 0.61532): mean score; equal bots get
                      0.50000. 99 % Student interval, for one look at a planned n
    Elo               40.70 (0.90 to 81.60): Elo difference, the same interval
    nElo              49.70 (1.37 to 98.02): normalised Elo: how hard the difference
                      is to see, not how large it is
    LOS               0.99596: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.166181: variance of the score between games
    sequence          0.55831 (0.47170 to 0.64340): score, 99 % confidence sequence
                      of the e-process: valid at every look
    ln E              1.5964: ln of the e-value for "stronger"; shown at 4.605 or
                      more, at any time
    ln E              -0.6497: ln of the e-value for "weaker"; shown at 4.605 or
                      more, at any time
    BayesElo          45.60: with draw Elo 118.57, in the model of BayesElo
    exit code 0

    $ racelab stats wld 68965 68526 128429 --elo0 0 --elo1 2 --model bayes
    68,965 wins, 68,526 losses, 128,429 draws: n = 265,920 games
    score             0.50083 (0.49946 to 0.50219): mean score; equal bots get
                      0.50000. 95 % Student interval, for one look at a planned n
    Elo               0.57 (-0.38 to 1.52): Elo difference, the same interval
    nElo              0.80 (-0.52 to 2.12): normalised Elo: how hard the difference
                      is to see, not how large it is
    LOS               0.88178: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.129260: variance of the score between games
    sequence          0.50083 (0.49839 to 0.50326): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              -0.4068: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -1.4959: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    BayesElo          0.75: with draw Elo 183.04, in the model of BayesElo
    Wald LLR          -1.26215: LLR of the older test of two simple hypotheses in
                      BayesElo
    LLR               -1.26216: GSPRT log-likelihood ratio of elo0 0 against elo1 2;
                      it stops at -2.9444 or 2.9444; error rates hold approximately,
                      for looks in the order of play
    note              where a test stopped early, score and Elo are biased away from
                      the bound it crossed; the sequence is not
    verdict           UNDECIDED: play on; nothing is shown yet about elo0 0 against
                      elo1 2
    exit code 0

    $ racelab stats wld 5 0 0 --elo0 0 --elo1 5 --model bayes
    5 wins, 0 losses, 0 draws: n = 5 games
    score             1.00000: the score of all games: no interval. A share of at
                      most 0.450720 scores otherwise (95 %)
    Elo               unknown: nothing diverged
    nElo              unknown: no spread was seen
    LOS               unknown: no spread was seen
    variance          0.000000: variance of the score between games
    sequence          1.00000 (0.17671 to 1.00000): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              0.6119: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -0.2649: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    BayesElo          unknown: it needs a win, a draw and a loss
    LLR               unknown: the model bayes needs at least one win, one draw and
                      one loss
    verdict           UNDECIDED: there is no likelihood ratio
    exit code 0
    "#);
}

#[test]
fn pairs_of_games() {
    assert_snapshot!(transcript("
        penta 34 54 63 64 75
        penta 379 10170 21828 10640 343 --elo0 0 --elo1 2 --model normalized
    "), @r#"
    $ racelab stats penta 34 54 63 64 75
    n = 290 pairs, 580 games
    score             0.57931 (0.54037 to 0.61825): mean score; equal bots get
                      0.50000. 95 % Student interval, for one look at a planned n
    Elo               55.58 (28.12 to 83.75): Elo difference, the same interval
    nElo              57.84 (29.56 to 86.11): normalised Elo: how hard the
                      difference is to see, not how large it is
    LOS               0.99997: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.113498: variance of the score between pairs
    sequence          0.57931 (0.50907 to 0.64586): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              5.0415: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -0.6748: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    exit code 0

    $ racelab stats penta 379 10170 21828 10640 343 --elo0 0 --elo1 2 --model normalized
    n = 43,360 pairs, 86,720 games
    score             0.50229 (0.50056 to 0.50403): mean score; equal bots get
                      0.50000. 95 % Student interval, for one look at a planned n
    Elo               1.59 (0.39 to 2.80): Elo difference, the same interval
    nElo              3.05 (0.74 to 5.36): normalised Elo: how hard the difference
                      is to see, not how large it is
    LOS               0.99514: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.034154: variance of the score between pairs
    sequence          0.50229 (0.49919 to 0.50540): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              1.4645: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -1.1016: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    LLR               2.94550: GSPRT log-likelihood ratio of elo0 0 against elo1 2;
                      it stops at -2.9444 or 2.9444; error rates hold approximately,
                      for looks in the order of play
    note              where a test stopped early, score and Elo are biased away from
                      the bound it crossed; the sequence is not
    verdict           ALTERNATIVE: the GSPRT accepts the higher of the two
    exit code 0
    "#);
}

#[test]
fn blocks_of_many_seats() {
    assert_snapshot!(transcript("
        blocks --csv blocks.csv --elo0 0 --elo1 9.15
        blocks 1764 16696 1484 54 2 --elo0 0 --elo1 9.15 --model normalized
        blocks 3 9 2
    "), @r#"
    $ racelab stats blocks --csv blocks.csv --elo0 0 --elo1 9.15
    n = 20,000 blocks of 4 games, 4 seats: an equal bot scores 1/4 = 0.25000
    score             0.28807 (0.28527 to 0.29088): mean score; equal bots get
                      0.25000. 95 % Student interval, for one look at a planned n
    Elo               33.68 (31.29 to 36.05): Elo of one against 3 equal others, the
                      same interval
    nElo              32.66 (30.25 to 35.06): normalised Elo: how hard the
                      difference is to see, not how large it is
    LOS               1.00000: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.041021: variance of the score between blocks
    sequence          0.28807 (0.28313 to 0.29311): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              364.4303: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              -1.8344: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    LLR               169.21143: GSPRT log-likelihood ratio of elo0 0 against elo1
                      9.15; it stops at -2.9444 or 2.9444; error rates hold
                      approximately, for looks in the order of play
    note              where a test stopped early, score and Elo are biased away from
                      the bound it crossed; the sequence is not
    verdict           ALTERNATIVE: the e-process shows a mean above 0.25000; it
                      holds at any time of stopping
    exit code 0

    $ racelab stats blocks 1764 16696 1484 54 2 --elo0 0 --elo1 9.15 --model normalized
    n = 20,000 blocks of 4 games, 4 seats: an equal bot scores 1/4 = 0.25000
    score             0.24793 (0.24648 to 0.24937): mean score; equal bots get
                      0.25000. 95 % Student interval, for one look at a planned n
    Elo               -1.93 (-3.28 to -0.58): Elo of one against 3 equal others, the
                      same interval
    nElo              -3.46 (-5.86 to -1.05): normalised Elo: how hard the
                      difference is to see, not how large it is
    LOS               0.00245: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.010877: variance of the score between blocks
    sequence          0.24793 (0.24540 to 0.25051): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              -1.0370: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              1.9306: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    LLR               -48.85990: GSPRT log-likelihood ratio of elo0 0 against elo1
                      9.15; it stops at -2.9444 or 2.9444; error rates hold
                      approximately, for looks in the order of play
    note              where a test stopped early, score and Elo are biased away from
                      the bound it crossed; the sequence is not
    verdict           NULL: the GSPRT accepts the lower of the two
    exit code 0

    $ racelab stats blocks 3 9 2
    n = 14 blocks of 2 games, 2 seats: an equal bot scores 1/2 = 0.50000
    score             0.46429 (0.28653 to 0.64204): mean score; equal bots get
                      0.50000. 95 % Student interval, for one look at a planned n
    Elo               -24.86 (-158.48 to 101.49): Elo difference, the same interval
    nElo              -28.50 (-157.19 to 100.19): normalised Elo: how hard the
                      difference is to see, not how large it is
    LOS               0.33212: chance to be better, a normal approximation; not
                      valid after stopping at will
    variance          0.094780: variance of the score between blocks
    sequence          0.46429 (0.18035 to 0.77808): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              -0.1190: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              0.0121: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    exit code 0
    "#);
}

#[test]
fn blocks_in_which_nothing_diverged() {
    assert_snapshot!(transcript("
        blocks 0 70 0 0 0 --elo0 0 --elo1 5
    "), @r#"
    $ racelab stats blocks 0 70 0 0 0 --elo0 0 --elo1 5
    n = 70 blocks of 4 games, 4 seats: an equal bot scores 1/4 = 0.25000
    score             0.25000: the score of all blocks: no interval. A share of at
                      most 0.041893 scores otherwise (95 %)
    Elo               unknown: nothing diverged
    nElo              unknown: no spread was seen
    LOS               unknown: no spread was seen
    variance          0.000000: variance of the score between blocks
    sequence          0.25000 (0.21154 to 0.36538): score, 95 % confidence sequence
                      of the e-process: valid at every look
    ln E              0.0000: ln of the e-value for "stronger"; shown at 2.996 or
                      more, at any time
    ln E              0.0000: ln of the e-value for "weaker"; shown at 2.996 or
                      more, at any time
    LLR               unknown: no game diverged in 70 blocks, so there is no
                      likelihood ratio
    verdict           UNDECIDED: the e-process needs more blocks to tell elo0 0
                      against elo1 5 apart
    exit code 0
    "#);
}

#[test]
fn seats() {
    assert_snapshot!(transcript("
        seats 25500 25000 24800 24700
        seats --csv seats.csv
        seats --csv seats.csv --margin 0.01
        seats 700 300 --margin 0.05
    "), @r#"
    $ racelab stats seats 25500 25000 24800 24700
    n = 100,000 games, 4 seats: fair is 0.25000 each
    seat 1            0.25500 (0.24994 to 0.26010)
    seat 2            0.25000 (0.24497 to 0.25507)
    seat 3            0.24800 (0.24298 to 0.25306)
    seat 4            0.24700 (0.24199 to 0.25205)
                      share of wins; 95 % confidence sequences that hold together
                      and at every look
    chi-square        15.2000: Pearson's test of equal seats, df = 3
    p-value           0.0017: the chance of such a chi-square if seats are equal,
                      for one look at a planned n
    ln E              -0.7449: ln of the Dirichlet e-value (a = 100) against equal
                      seats; unequal at 2.996 or more, at any time
    largest deviation 0.00500: of a share from fair; a fair game shows 0.00189 on
                      average by noise alone
    unbiased spread   3.050e-5: squared deviations of the chances in all, without
                      the bias of noise; about 0 if fair
    verdict           UNDECIDED: the always-valid test does not show a difference;
                      that is no proof of balance, which needs --margin
    exit code 0

    $ racelab stats seats --csv seats.csv
    n = 1,000,000 games, 4 seats: fair is 0.25000 each
    seat yellow       0.25500 (0.25327 to 0.25673)
    seat green        0.25000 (0.24828 to 0.25172)
    seat red          0.24800 (0.24629 to 0.24972)
    seat black        0.24700 (0.24529 to 0.24872)
                      share of wins; 95 % confidence sequences that hold together
                      and at every look
    chi-square        152.0000: Pearson's test of equal seats, df = 3
    p-value           9.8e-33: the chance of such a chi-square if seats are equal,
                      for one look at a planned n
    ln E              63.9940: ln of the Dirichlet e-value (a = 100) against equal
                      seats; unequal at 2.996 or more, at any time
    largest deviation 0.00500: of a share from fair; a fair game shows 0.00060 on
                      average by noise alone
    unbiased spread   3.725e-5: squared deviations of the chances in all, without
                      the bias of noise; about 0 if fair
    verdict           UNEQUAL: the e-value shows that the seats differ; by how much:
                      see the shares
    exit code 0

    $ racelab stats seats --csv seats.csv --margin 0.01
    n = 1,000,000 games, 4 seats: fair is 0.25000 each
    seat yellow       0.25500 (0.25327 to 0.25673)
    seat green        0.25000 (0.24828 to 0.25172)
    seat red          0.24800 (0.24629 to 0.24972)
    seat black        0.24700 (0.24529 to 0.24872)
                      share of wins; 95 % confidence sequences that hold together
                      and at every look
    chi-square        152.0000: Pearson's test of equal seats, df = 3
    p-value           9.8e-33: the chance of such a chi-square if seats are equal,
                      for one look at a planned n
    ln E              63.9940: ln of the Dirichlet e-value (a = 100) against equal
                      seats; unequal at 2.996 or more, at any time
    largest deviation 0.00500: of a share from fair; a fair game shows 0.00060 on
                      average by noise alone
    unbiased spread   3.725e-5: squared deviations of the chances in all, without
                      the bias of noise; about 0 if fair
    verdict           BALANCED: every chance is within 0.01 of fair, though a
                      difference is detectable
    exit code 0

    $ racelab stats seats 700 300 --margin 0.05
    n = 1,000 games, 2 seats: fair is 0.50000 each
    seat 1            0.70000 (0.63884 to 0.75608)
    seat 2            0.30000 (0.24392 to 0.36116)
                      share of wins; 95 % confidence sequences that hold together
                      and at every look
    chi-square        160.0000: Pearson's test of equal seats, df = 1
    p-value           1.1e-36: the chance of such a chi-square if seats are equal,
                      for one look at a planned n
    ln E              67.1216: ln of the Dirichlet e-value (a = 100) against equal
                      seats; unequal at 2.996 or more, at any time
    largest deviation 0.20000: of a share from fair; a fair game shows 0.01262 on
                      average by noise alone
    unbiased spread   7.958e-2: squared deviations of the chances in all, without
                      the bias of noise; about 0 if fair
    verdict           UNBALANCED: the chance of seat 1 is beyond the margin of 0.05:
                      0.63884 to 0.75608
    exit code 0
    "#);
}

#[test]
fn shares() {
    assert_snapshot!(transcript("
        proportion 81 263
        proportion 25100 100000 --target 0.25 --margin 0.01
        proportion 0 20 --target 0.5 --margin 0.1
    "), @r#"
    $ racelab stats proportion 81 263
    81 of n = 263 independent games
    share             0.30798 (0.25529 to 0.36621): 95 % Wilson interval, for one
                      look at a planned n
                      0.30798 (0.25274 to 0.36762): 95 % Clopper-Pearson interval:
                      exact, often a little too long
                      0.30798 (0.16674 to 0.49215): 95 % confidence sequence: valid
                      at every look
    exit code 0

    $ racelab stats proportion 25100 100000 --target 0.25 --margin 0.01
    25,100 of n = 100,000 independent games
    share             0.25100 (0.24832 to 0.25370): 95 % Wilson interval, for one
                      look at a planned n
                      0.25100 (0.24831 to 0.25370): 95 % Clopper-Pearson interval:
                      exact, often a little too long
                      0.25100 (0.24657 to 0.25546): 95 % confidence sequence: valid
                      at every look
    TOST              3.8e-11: p-value of "within 0.01 of 0.25" by two exact
                      one-sided tests (2.7e-16 too low, 3.8e-11 too high)
    verdict           EQUIVALENT: both one-sided tests reject: the difference is
                      inside the margin
    exit code 0

    $ racelab stats proportion 0 20 --target 0.5 --margin 0.1
    0 of n = 20 independent games
    share             0.00000 (0.00000 to 0.16113): 95 % Wilson interval, for one
                      look at a planned n
                      0.00000 (0.00000 to 0.16843): 95 % Clopper-Pearson interval:
                      exact, often a little too long
                      0.00000 (0.00000 to 0.95693): 95 % confidence sequence: valid
                      at every look
    TOST              1.0000: p-value of "within 0.1 of 0.5" by two exact one-sided
                      tests (1.0000 too low, 1.1e-8 too high)
    verdict           DIFFERENT: the whole interval is beyond the margin
    exit code 0
    "#);
}

#[test]
fn differences() {
    assert_snapshot!(transcript("
        compare --csv shares.csv
        compare 65 100 70 100 --margin 0.1
        compare 5 5 6 6 --margin 0.1
    "), @r#"
    $ racelab stats compare --csv shares.csv
    56 of 70 against 48 of 80 independent games
    first share       0.80000 (0.69183 to 0.87695): n = 70; 95 % Wilson interval
    second share      0.60000 (0.49045 to 0.70038): n = 80; 95 % Wilson interval
    difference        0.20000 (0.05243 to 0.33387): first minus second; 95 %
                      Newcombe interval, for one look at a planned n
    z                 2.6502: difference in pooled standard errors
    p-value           0.0080: the chance of such a z, either way, if the chances are
                      equal
    verdict           DIFFERENT: the interval of the difference does not hold 0
    exit code 0

    $ racelab stats compare 65 100 70 100 --margin 0.1
    65 of 100 against 70 of 100 independent games
    first share       0.65000 (0.55254 to 0.73636): n = 100; 95 % Wilson interval
    second share      0.70000 (0.60415 to 0.78105): n = 100; 95 % Wilson interval
    difference        -0.05000 (-0.17676 to 0.07901): first minus second; 95 %
                      Newcombe interval, for one look at a planned n
    z                 -0.7549: difference in pooled standard errors
    p-value           0.4503: the chance of such a z, either way, if the chances are
                      equal
    TOST              0.2248: p-value of "closer than 0.1": z = 0.7559 and -2.2678,
                      p = 0.2248 and 0.0117
    verdict           UNDECIDED: neither closeness nor a difference beyond the
                      margin is shown
    exit code 0

    $ racelab stats compare 5 5 6 6 --margin 0.1
    5 of 5 against 6 of 6 independent games
    first share       1.00000 (0.56552 to 1.00000): n = 5; 95 % Wilson interval
    second share      1.00000 (0.60967 to 1.00000): n = 6; 95 % Wilson interval
    difference        0.00000 (-0.43448 to 0.39033): first minus second; 95 %
                      Newcombe interval, for one look at a planned n
    z                 unknown: all games were won, or none
    TOST              unknown: both shares are 0 or 1, so there is no standard error
    verdict           UNDECIDED: play more games
    exit code 0
    "#);
}

#[test]
fn families_of_tests() {
    assert_snapshot!(transcript("
        p-values 0.001 0.012 0.03 0.4
        p-values --csv p.csv --confidence 0.99
    "), @r#"
    $ racelab stats p-values 0.001 0.012 0.03 0.4
    n = 4 tests; adjusted p-values, to be rejected at 0.0500 or less
    test          p Bonferroni       Holm         BH
    1        0.0010     0.0040     0.0040     0.0040
    2        0.0120     0.0480     0.0360     0.0240
    3        0.0300     0.1200     0.0600     0.0400
    4        0.4000     1.0000     0.4000     0.4000
    Bonferroni        2 rejected; bounds the chance of any false rejection
    Holm              2 rejected; bounds the chance of any false rejection
    BH                3 rejected; bounds the expected share of false rejections
                      among the rejected
    exit code 0

    $ racelab stats p-values --csv p.csv --confidence 0.99
    n = 4 tests; adjusted p-values, to be rejected at 0.0100 or less
    test              p Bonferroni       Holm         BH
    length       0.0010     0.0040     0.0040     0.0040
    captures     0.0120     0.0480     0.0360     0.0240
    leads        0.0300     0.1200     0.0600     0.0400
    luck         0.4000     1.0000     0.4000     0.4000
    Bonferroni        1 rejected; bounds the chance of any false rejection
    Holm              1 rejected; bounds the chance of any false rejection
    BH                1 rejected; bounds the expected share of false rejections
                      among the rejected
    exit code 0
    "#);
}

#[test]
fn ratings_from_wins() {
    assert_snapshot!(transcript("
        rankings --csv wins.csv
        rankings --csv circle.csv
    "), @r#"
    $ racelab stats rankings --csv wins.csv
    n = 120 games, 3 bots: Plackett-Luce strengths in Elo, 0 on average
    rank  bot         Elo    error    quasi      worth
       1  alpha     91.32    27.94    35.04   0.523786
       2  gamma    -42.62    26.84    32.38   0.242271
       3  beta     -48.70    26.93    32.60   0.233944
    worth             chance to win a game in which every bot plays once
    error             standard error of Elo minus the average; errors take all games
                      for independent
    quasi             quasi-standard error: that of a difference is about √(quasi₁²
                      + quasi₂²)
    LOS in %          that the row is stronger than the column; a normal
                      approximation, not for decisions
                1      2      3
       1        -  99.75  99.83
       2     0.25      -  55.26
       3     0.17  44.74      -
    pairs             2 of 3 differ by Holm's procedure at 0.0500; the others are
                      undecided
    fit               chi-square 1.84 (df = 1), p = 0.1753: the pairs do not
                      contradict the ratings
    farthest pair     alpha before beta: 30 of 40 times, the ratings expect 27.7
    exit code 0

    $ racelab stats rankings --csv circle.csv
    n = 326 games in 40 blocks, 3 bots: Plackett-Luce strengths in Elo, 0 on average
    rank  bot            Elo    error    quasi      worth
       1  paper        13.81     3.28     2.43   0.359590
       2  rock          7.10     5.26     7.52   0.345970
       3  scissors    -20.91     3.80     4.11   0.294440
    worth             chance to win a game in which every bot plays once
    error             standard error of Elo minus the average; errors are clustered
                      by block
    quasi             quasi-standard error: that of a difference is about √(quasi₁²
                      + quasi₂²)
    LOS in %          that the row is stronger than the column; a normal
                      approximation, not for decisions
                1      2      3
       1        -  80.21 100.00
       2    19.79      -  99.95
       3     0.00   0.05      -
    pairs             2 of 3 differ by Holm's procedure at 0.0500; the others are
                      undecided
    fit               chi-square 75.36 (df = 1), p = 3.9e-18: one number per bot
                      does not tell who beats whom here; look at the pairs, the
                      ratings mislead
    farthest pair     rock before scissors: 80 of 100 times, the ratings expect 54.0
    exit code 0
    "#);
}

#[test]
fn ratings_from_placings() {
    assert_snapshot!(transcript("
        rankings --csv games.csv
        rankings --csv games.csv --winner-only --ghost 0.5
        rankings --csv always.csv --ghost 0.5
    "), @r#"
    $ racelab stats rankings --csv games.csv
    n = 6 games in 3 blocks, 3 bots: Plackett-Luce strengths in Elo, 0 on average
    rank  bot       Elo    error    quasi      worth
       1  x      185.30    31.36  unknown   0.675739
       2  y       12.37   114.19  unknown   0.249722
       3  z     -197.66   115.17  unknown   0.074539
    worth             chance to win a game in which every bot plays once
    error             standard error of Elo minus the average; errors are clustered
                      by block
    quasi             quasi-standard error: that of a difference is about √(quasi₁²
                      + quasi₂²)
    seat B            -296.44 ± 91.03: Elo more than seat A, with its standard error
    seat C            -295.44 ± 303.94: Elo more than seat A, with its standard
                      error
    ties of 2         -1.7687: ln δ of Davidson's model
    LOS in %          that the row is stronger than the column; a normal
                      approximation, not for decisions
                1      2      3
       1        -  92.26  99.90
       2     7.74      -  82.24
       3     0.10  17.76      -
    pairs             unknown: errors by block need 30 blocks or more
    fit               unknown: there are no more pairs than parameters, so nothing
                      can be tested
    exit code 0

    $ racelab stats rankings --csv games.csv --winner-only --ghost 0.5
    n = 6 games in 3 blocks, 3 bots: Plackett-Luce strengths in Elo, 0 on average
    rank  bot       Elo    error    quasi      worth
       1  x      147.08    28.71  unknown   0.619795
       2  y        0.50   154.91  unknown   0.266553
       3  z     -147.58   154.65  unknown   0.113652
    worth             chance to win a game in which every bot plays once
    error             standard error of Elo minus the average; errors are clustered
                      by block
    quasi             quasi-standard error: that of a difference is about √(quasi₁²
                      + quasi₂²)
    ghost             0.5 wins and losses of every bot against a ghost are added
    seat B            -328.26 ± 157.62: Elo more than seat A, with its standard
                      error
    seat C            -149.54 ± 215.07: Elo more than seat A, with its standard
                      error
    LOS in %          that the row is stronger than the column; a normal
                      approximation, not for decisions
                1      2      3
       1        -  81.96  96.75
       2    18.04      -  68.45
       3     3.25  31.55      -
    pairs             unknown: errors by block need 30 blocks or more
    fit               unknown: there are no more pairs than parameters, so nothing
                      can be tested
    exit code 0

    $ racelab stats rankings --csv always.csv --ghost 0.5
    n = 1 games, 2 bots: Plackett-Luce strengths in Elo, 0 on average
    rank  bot       Elo    error    quasi      worth
       1  x      131.38   225.82   319.35   0.819448
       2  y     -131.38   225.82   319.35   0.180552
    worth             chance to win a game in which every bot plays once
    error             standard error of Elo minus the average; errors take all games
                      for independent
    quasi             quasi-standard error: that of a difference is about √(quasi₁²
                      + quasi₂²)
    ghost             0.5 wins and losses of every bot against a ghost are added
    LOS in %          that the row is stronger than the column; a normal
                      approximation, not for decisions
                1      2
       1        -  71.97
       2    28.03      -
    pairs             0 of 1 differ by Holm's procedure at 0.0500; the others are
                      undecided
    fit               unknown: there are no more pairs than parameters, so nothing
                      can be tested
    exit code 0
    "#);
}

#[test]
fn everything_as_json() {
    assert_snapshot!(transcript("
        wld 136 96 111 --format json
        penta 34 54 63 64 75 --format json
        blocks 0 70 0 --format json
        seats 3 4 --format json
        proportion 81 263 --format json
        compare 56 70 48 80 --format json
        p-values 0.01 0.5 --format json
        rankings --csv wins.csv --format json
    "), @r#"
    $ racelab stats wld 136 96 111 --format json
    {"test":"wld","confidence":0.95,"wins":136,"losses":96,"draws":111,"n":343,"score":{"value":0.558309037901,"n":343,"low":0.51501470723,"high":0.601603368572},"elo":{"value":40.7024581865,"n":343,"low":10.4364250209,"high":71.597840671},"normalized_elo":{"value":49.6958137153,"n":343,"low":12.9273631203,"high":86.4642643102},"los":0.995964256287,"variance":0.166180758017,"sequence":{"value":0.558309037901,"n":343,"low":0.482028186752,"high":0.633702841633},"ln_e_stronger":1.59641099907,"ln_e_weaker":-0.649733916079,"bayes_elo":45.5988566267,"draw_elo":118.571431461}
    exit code 0

    $ racelab stats penta 34 54 63 64 75 --format json
    {"test":"penta","confidence":0.95,"pairs":[34,54,63,64,75],"n":290,"score":{"value":0.579310344828,"n":290,"low":0.540373087605,"high":0.61824760205},"elo":{"value":55.5797804204,"n":290,"low":28.1153046764,"high":83.7522667382},"normalized_elo":{"value":57.8356247127,"n":290,"low":29.5602484693,"high":86.1110009562},"los":0.999969510687,"variance":0.113497792626,"sequence":{"value":0.579310344828,"n":290,"low":0.50906517227,"high":0.645856864013},"ln_e_stronger":5.04150228591,"ln_e_weaker":-0.674779293581}
    exit code 0

    $ racelab stats blocks 0 70 0 --format json
    {"test":"blocks","confidence":0.95,"blocks":[0,70,0],"seats":2,"n":70,"score":{"value":0.5,"n":70,"low":null,"high":null},"divergence_below":0.0418933440669,"elo":null,"normalized_elo":null,"los":null,"variance":0.0,"sequence":{"value":0.5,"n":70,"low":0.423081005695,"high":0.576918994305},"ln_e_stronger":0.0,"ln_e_weaker":0.0}
    exit code 0

    $ racelab stats seats 3 4 --format json
    {"test":"seats","confidence":0.95,"n":7,"seats":[{"seat":"1","wins":3,"share":{"value":0.428571428571,"n":7,"low":0.000252921079423,"high":0.999269290078}},{"seat":"2","wins":4,"share":{"value":0.571428571429,"n":7,"low":0.000730709922076,"high":0.999747078921}}],"chi_square":0.142857142857,"p_value":0.705456986111,"ln_e":-0.0148158084458,"largest_deviation":0.0714285714286,"unbiased_spread":-0.0714285714286,"verdict":"undecided"}
    exit code 0

    $ racelab stats proportion 81 263 --format json
    {"test":"proportion","confidence":0.95,"wins":81,"n":263,"wilson":{"value":0.307984790875,"n":263,"low":0.255288519878,"high":0.366209576983},"clopper_pearson":{"value":0.307984790875,"n":263,"low":0.252736745585,"high":0.367621922601},"sequence":{"value":0.307984790875,"n":263,"low":0.166744059019,"high":0.492150325864}}
    exit code 0

    $ racelab stats compare 56 70 48 80 --format json
    {"test":"compare","confidence":0.95,"first":{"value":0.8,"n":70,"low":0.691833555037,"high":0.876952607516},"second":{"value":0.6,"n":80,"low":0.490454650052,"high":0.700381724041},"difference":{"value":0.2,"n":150,"low":0.0524314724024,"high":0.333872654037},"z":2.65017195126,"p_value":0.0080450813682,"verdict":"different"}
    exit code 0

    $ racelab stats p-values 0.01 0.5 --format json
    {"test":"p-values","confidence":0.95,"tests":[{"name":"1","p":0.01,"bonferroni":0.02,"holm":0.02,"benjamini_hochberg":0.02},{"name":"2","p":0.5,"bonferroni":1.0,"holm":0.5,"benjamini_hochberg":0.5}],"rejected_bonferroni":1,"rejected_holm":1,"rejected_benjamini_hochberg":1}
    exit code 0

    $ racelab stats rankings --csv wins.csv --format json
    {"test":"rankings","confidence":0.95,"n":120,"blocks":null,"log_likelihood":-77.4040536581,"ghost":null,"bots":[{"bot":"alpha","elo":91.3193558309,"error":27.9359704237,"quasi_error":35.0444130084,"worth":0.52378568772},{"bot":"gamma","elo":-42.6217400642,"error":26.8445061753,"quasi_error":32.3842259124,"worth":0.242270696331},{"bot":"beta","elo":-48.6976157667,"error":26.9303349324,"quasi_error":32.5973061966,"worth":0.23394361595}],"errors_clustered":false,"seat_effects":[],"ties":[],"pairs":[{"stronger":"alpha","weaker":"gamma","elo":133.941095895,"error":47.7163386174,"los":0.997499954799,"holm_p":0.0103177833383},{"stronger":"alpha","weaker":"beta","elo":140.016971598,"error":47.8612082419,"los":0.998280369444,"holm_p":0.0103177833383},{"stronger":"gamma","weaker":"beta","elo":6.07587570251,"error":45.9491290366,"los":0.552599006088,"holm_p":0.894801987825}],"pairs_that_differ":2,"chi_square":1.83735687925,"degrees":1,"p_value":0.175261053358}
    exit code 0
    "#);
}

#[test]
#[allow(clippy::too_many_lines)] // A table of what was typed and what was said.
fn wrong_numbers_are_refused() {
    assert_snapshot!(transcript("
        wld
        wld 1 2
        wld 1 -2 3
        wld 1 2.5 3
        wld 1 2 99999999999999999999
        wld 1 2 1000000000001
        wld 0 0 0
        wld 1 2 3 --csv wld.csv
        wld 1 2 3 --elo0 3 --elo1 1
        wld 1 2 3 --elo0 3
        wld 1 2 3 --elo0 nan --elo1 3
        wld 1 2 3 --model elo
        wld 1 2 3 --confidence 95
        wld 1 2 3 --elo0 0 --elo1 3 --alpha 0.9 --beta 0.2
        penta 1 2 3 4
        penta 1 2 3 4 5 --elo0 0 --elo1 3 --model bayes
        blocks
        blocks 3
        blocks 1 x
        blocks 0 0 0
        blocks 1 2 --seats 1
        blocks 1 2 3 --elo0 0 --elo1 3 --model bayes
        seats 5
        seats 0 0
        seats 1 -1
        seats 1 2 --margin 0.6
        seats 1 2 --concentration 0
        seats 1 2 --tuned-to 0
        proportion 3 2
        proportion 0 0
        proportion 1 2 --target 0.1 --margin 0.1
        proportion 1 2 --target 0.1
        compare 1 2 3
        compare 1 2 3 2
        compare 1 2 3 4 --margin 1
        p-values
        p-values 0.5 1.5
        p-values nan
        rankings
        rankings --csv wins.csv --ghost 0
        wdl 1 2 3
    "), @r#"
    $ racelab stats wld
    racelab: counts: 0 given; expected 3: WINS LOSSES DRAWS, or --csv FILE
    exit code 2

    $ racelab stats wld 1 2
    racelab: counts: 2 given; expected 3: WINS LOSSES DRAWS, or --csv FILE
    exit code 2

    $ racelab stats wld 1 -2 3
    racelab: losses: '-2'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats wld 1 2.5 3
    racelab: losses: '2.5'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats wld 1 2 99999999999999999999
    racelab: draws: '99999999999999999999'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats wld 1 2 1000000000001
    racelab: draws: '1000000000001'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats wld 0 0 0
    racelab: counts: no games at all; expected a count above 0
    exit code 2

    $ racelab stats wld 1 2 3 --csv wld.csv
    racelab: the argument '[WINS LOSSES DRAWS]...' cannot be used with '--csv <FILE>'; see 'racelab --help'
    exit code 2

    $ racelab stats wld 1 2 3 --elo0 3 --elo1 1
    racelab: --elo1: 1 is not above --elo0 3
    exit code 2

    $ racelab stats wld 1 2 3 --elo0 3
    racelab: the following required arguments were not provided: --elo1 <ELO>; see 'racelab --help'
    exit code 2

    $ racelab stats wld 1 2 3 --elo0 nan --elo1 3
    racelab: --elo0: 'nan'; expected a number from -10000 to 10000
    exit code 2

    $ racelab stats wld 1 2 3 --model elo
    racelab: invalid value 'elo' for '--model <MODEL>'; [possible values: logistic, normalized, bayes]; see 'racelab --help'
    exit code 2

    $ racelab stats wld 1 2 3 --confidence 95
    racelab: --confidence: '95'; expected a number strictly between 0 and 1, usually 0.95
    exit code 2

    $ racelab stats wld 1 2 3 --elo0 0 --elo1 3 --alpha 0.9 --beta 0.2
    racelab: --alpha: error rates 0.9 and 0.2 must be above 0 and add to less than 1; usual is 0.05 and 0.05
    exit code 2

    $ racelab stats penta 1 2 3 4
    racelab: counts: 4 given; expected 5: LL LD WL_DD WD WW, or --csv FILE
    exit code 2

    $ racelab stats penta 1 2 3 4 5 --elo0 0 --elo1 3 --model bayes
    racelab: --model: the model bayes is for wins, losses and draws, not for pairs; use logistic or normalized
    exit code 2

    $ racelab stats blocks
    racelab: counts: 0 given; expected one for each score, 2 to 1001, or --csv FILE
    exit code 2

    $ racelab stats blocks 3
    racelab: counts: 1 given; expected one for each score, 2 to 1001, or --csv FILE
    exit code 2

    $ racelab stats blocks 1 x
    racelab: count of score 1: 'x'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats blocks 0 0 0
    racelab: counts: no blocks at all; expected a count above 0
    exit code 2

    $ racelab stats blocks 1 2 --seats 1
    racelab: --seats: '1'; expected a whole number from 2 to 16
    exit code 2

    $ racelab stats blocks 1 2 3 --elo0 0 --elo1 3 --model bayes
    racelab: --model: the model bayes is for wins, losses and draws, not for pairs; use logistic or normalized
    exit code 2

    $ racelab stats seats 5
    racelab: counts: 1 seats; expected 2 to 64, or --csv FILE
    exit code 2

    $ racelab stats seats 0 0
    racelab: counts: no game at all; expected a count above 0
    exit code 2

    $ racelab stats seats 1 -1
    racelab: seat 2: '-1'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats seats 1 2 --margin 0.6
    racelab: --margin: '0.6'; expected a number from 0.000001 to 0.5
    exit code 2

    $ racelab stats seats 1 2 --concentration 0
    racelab: --concentration: '0'; expected a number from 0.001 to 1000000000
    exit code 2

    $ racelab stats seats 1 2 --tuned-to 0
    racelab: --tuned-to: '0'; expected a whole number from 1 to 1000000000000
    exit code 2

    $ racelab stats proportion 3 2
    racelab: wins: 3 of only 2 games
    exit code 2

    $ racelab stats proportion 0 0
    racelab: games: 0; expected at least one game
    exit code 2

    $ racelab stats proportion 1 2 --target 0.1 --margin 0.1
    racelab: --margin: 0.1 ± 0.1 is not strictly between 0 and 1
    exit code 2

    $ racelab stats proportion 1 2 --target 0.1
    racelab: the following required arguments were not provided: --margin <D>; see 'racelab --help'
    exit code 2

    $ racelab stats compare 1 2 3
    racelab: counts: 3 given; expected 4: WINS1 GAMES1 WINS2 GAMES2, or --csv FILE
    exit code 2

    $ racelab stats compare 1 2 3 2
    racelab: wins: 3 of only 2 games
    exit code 2

    $ racelab stats compare 1 2 3 4 --margin 1
    racelab: --margin: '1'; expected a number from 0.000000001 to 0.999
    exit code 2

    $ racelab stats p-values
    racelab: p-values: none given; expected numbers from 0 to 1, or --csv FILE
    exit code 2

    $ racelab stats p-values 0.5 1.5
    racelab: p-value 2: '1.5'; expected a number from 0 to 1
    exit code 2

    $ racelab stats p-values nan
    racelab: p-value 1: 'nan'; expected a number from 0 to 1
    exit code 2

    $ racelab stats rankings
    racelab: the following required arguments were not provided: --csv <FILE>; see 'racelab --help'
    exit code 2

    $ racelab stats rankings --csv wins.csv --ghost 0
    racelab: --ghost: '0'; expected a number from 0.000001 to 1000
    exit code 2

    $ racelab stats wdl 1 2 3
    racelab: unrecognized subcommand 'wdl'; see 'racelab --help'
    exit code 2
    "#);
}

#[test]
#[allow(clippy::too_many_lines)] // A table of what was typed and what was said.
fn wrong_files_are_refused() {
    assert_snapshot!(transcript("
        rankings --csv missing.csv
        rankings --csv folder.csv
        rankings --csv empty.csv
        rankings --csv header.csv
        rankings --csv typo.csv
        rankings --csv half.csv
        rankings --csv short.csv
        rankings --csv latin.csv
        rankings --csv self.csv
        rankings --csv nameless.csv
        rankings --csv negative.csv
        rankings --csv place.csv
        rankings --csv alone.csv
        rankings --csv unplaced.csv
        rankings --csv seat.csv
        rankings --csv split.csv
        rankings --csv always.csv
        rankings --csv fixed.csv
        wld --csv wins.csv
        wld --csv twice.csv
        wld --csv letters.csv
        wld --csv huge.csv
        proportion --csv sum.csv
        compare --csv three.csv
        seats --csv same.csv
        p-values --csv pvalue.csv
    "), @r#"
    $ racelab stats rankings --csv missing.csv
    racelab: missing.csv: no such file
    exit code 2

    $ racelab stats rankings --csv folder.csv
    racelab: folder.csv: is a directory
    exit code 2

    $ racelab stats rankings --csv empty.csv
    racelab: empty.csv: line 1: empty; expected a header with the columns game, bot, place, seat, block
    exit code 2

    $ racelab stats rankings --csv header.csv
    racelab: header.csv: line 2: no row below the header
    exit code 2

    $ racelab stats rankings --csv typo.csv
    racelab: typo.csv: line 1: unknown column 'plce'; known: game, bot, place, seat, block
    exit code 2

    $ racelab stats rankings --csv half.csv
    racelab: half.csv: line 1: no column 'loser'; found: winner, games; needed: winner, loser
    exit code 2

    $ racelab stats rankings --csv short.csv
    racelab: short.csv: line 3: 1 cells; the header has 2 columns
    exit code 2

    $ racelab stats rankings --csv latin.csv
    racelab: latin.csv: not UTF-8 after byte 16
    exit code 2

    $ racelab stats rankings --csv self.csv
    racelab: self.csv line 2 column loser: 'a' against itself
    exit code 2

    $ racelab stats rankings --csv nameless.csv
    racelab: nameless.csv line 2 column winner: empty; expected a name
    exit code 2

    $ racelab stats rankings --csv negative.csv
    racelab: negative.csv line 2 column games: '-3'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats rankings --csv place.csv
    racelab: place.csv line 2 column place: '0'; expected a whole number from 1 to 1000
    exit code 2

    $ racelab stats rankings --csv alone.csv
    racelab: alone.csv game '1': a game needs two entrants and somebody with a place
    exit code 2

    $ racelab stats rankings --csv unplaced.csv
    racelab: unplaced.csv game '1': a game needs two entrants and somebody with a place
    exit code 2

    $ racelab stats rankings --csv seat.csv
    racelab: seat.csv line 3 column game: two players at one seat in game '1'
    exit code 2

    $ racelab stats rankings --csv split.csv
    racelab: split.csv line 3 column block: the game stands in two blocks
    exit code 2

    $ racelab stats rankings --csv always.csv
    racelab: always.csv: no finite ratings: x never finished behind the others; more games between them, or --ghost 0.5
    exit code 2

    $ racelab stats rankings --csv fixed.csv
    racelab: fixed.csv: the results do not determine the strengths, the effects of seats and the ties together
    exit code 2

    $ racelab stats wld --csv wins.csv
    racelab: wins.csv: line 1: unknown column 'winner'; known: wins, losses, draws
    exit code 2

    $ racelab stats wld --csv twice.csv
    racelab: twice.csv: line 1: column 'wins' stands twice
    exit code 2

    $ racelab stats wld --csv letters.csv
    racelab: letters.csv line 3 column losses: 'x'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats wld --csv huge.csv
    racelab: huge.csv line 3 column draws: '99999999999999999999'; expected a whole number from 0 to 1000000000000
    exit code 2

    $ racelab stats proportion --csv sum.csv
    racelab: sum.csv line 3 column games: the sum is 1000000000001; expected at most 1000000000000
    exit code 2

    $ racelab stats compare --csv three.csv
    racelab: three.csv: 3 rows; expected two, one for each share
    exit code 2

    $ racelab stats seats --csv same.csv
    racelab: same.csv line 3 column seat: 'A' stands twice
    exit code 2

    $ racelab stats p-values --csv pvalue.csv
    racelab: pvalue.csv line 3 column p: '-0.1'; expected a number from 0 to 1
    exit code 2
    "#);
}

#[test]
fn help_of_every_test_fits_80_columns_and_shows_an_example() {
    let folder = folder();
    for test in [
        "wld",
        "penta",
        "blocks",
        "seats",
        "proportion",
        "compare",
        "rankings",
        "p-values",
    ] {
        let output = racelab(folder.path(), &format!("{test} --help"));
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(
            help.contains(&format!("    racelab stats {test} ")),
            "{help}"
        );
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{test}: {line}");
        }
    }
}

#[test]
fn no_line_of_an_answer_is_longer_than_80_characters() {
    let folder = folder();
    for line in [
        "wld 999999999999 999999999999 999999999999 --elo0 -1000 --elo1 1000",
        "blocks 999999999999 999999999999 999999999999 999999999999 --seats 16",
        "seats 1 2 3 4 5 6 7 8 --margin 0.01",
        "rankings --csv circle.csv",
    ] {
        let output = racelab(folder.path(), line);
        assert_eq!(output.status.code(), Some(0), "{line}");
        for shown in String::from_utf8(output.stdout).unwrap().lines() {
            assert!(shown.chars().count() <= 80, "{line}: {shown}");
        }
    }
}

#[test]
fn json_is_one_object_with_the_numbers_of_the_text() {
    let folder = folder();
    let output = racelab(folder.path(), "blocks --csv blocks.csv --format json");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["n"], 20_000);
    assert!((answer["score"]["value"].as_f64().unwrap() - 0.288_075).abs() < 5e-7);
    assert!(answer["ln_e_stronger"].as_f64().unwrap() > 300.0);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_a_normal_silent_end() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .args(["stats", "p-values"])
        .args(std::iter::repeat_n("0.5", 20_000))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), b"".as_slice())
    );
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_utf8_is_one_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let output = Command::new(assert_cmd::cargo::cargo_bin!("racelab"))
        .args(["stats", "wld", "1", "2"])
        .arg(OsStr::from_bytes(b"\xff"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}
