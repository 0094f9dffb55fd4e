//! What `racelab rate` refuses.

use std::fs;

use insta::assert_snapshot;

use crate::lab::Lab;
use crate::play;

#[test]
fn what_cannot_be_rated() {
    let lab = Lab::new();
    let mensch = "--game mensch --seats AC";
    play(
        &lab,
        &format!("{mensch} --blocks 5 --bots racer,greedy --out a"),
    );
    play(
        &lab,
        &format!("{mensch} --blocks 6 --bots racer,greedy --out longer"),
    );
    play(
        &lab,
        "--game mensch --blocks 5 --bots racer,greedy --out four",
    );
    lab.write("greedy.toml", "name = 'greedy'\npolicy = 'racer'\n");
    play(
        &lab,
        &format!("{mensch} --blocks 5 --bots racer,greedy.toml --out other --seed 2"),
    );
    play(
        &lab,
        &format!("{mensch} --blocks 5 --bots rear,racer --out one-sided --seed 3"),
    );
    play(
        &lab,
        &format!("{mensch} --blocks 5 --bots random,greedy,racer --out more"),
    );
    lab.run("match racer greedy --game mensch --seats AC --max-blocks 5 --quiet --out match");
    lab.run("match racer racer --game mensch --seats AC --max-blocks 5 --quiet --out itself");
    lab.run("match racer greedy --game mensch --seats AC --max-blocks 5 --quiet --out unfinished");
    fs::remove_file(lab.path("unfinished/run.json")).unwrap();
    play(
        &lab,
        &format!("{mensch} --blocks 5 --bots racer,greedy --schedule swiss --out swiss"),
    );
    lab.run("rate a --out rating");
    fs::create_dir(lab.path("empty")).unwrap();
    let mut seen = Vec::new();
    for line in [
        "a longer",
        "a more",
        "a four",
        "a other",
        "one-sided",
        "a --placings",
        "match --placings",
        "itself",
        "unfinished",
        "swiss",
        "rating",
        "empty",
        "none",
        "a --ghost 0",
    ] {
        let all = lab.seen(&format!("rate {line}"));
        assert!(all.ends_with("exit code 2"), "{line}: {all}");
        seen.push(all.lines().next().unwrap_or_default().to_owned());
    }
    assert_snapshot!(seen.join("\n"), @r"
racelab: longer: holds the games of a again; name it once
racelab: more: line-up greedy racer was played on the same dice in a; play one of them with another seed, or both with --games-csv
racelab: four: seats is ABCD, in a it is AC; ratings are of one game and one set of seats, rate them apart
racelab: other: bot 'greedy' has other parameters than in a; give one of them another name and play again
racelab: one-sided: no finite ratings: rear never finished ahead of the others; more games between them, or --ghost 0.5
racelab: a: keeps no places of single games; racelab tournament a/spec.toml --games-csv --out FOLDER makes games.csv
racelab: match: is a match, which keeps no places, only who won; leave out --placings
racelab: itself: is a match of a bot with itself, which tells no strength; leave it out
racelab: unfinished/run.json: no such file; the match is not finished, racelab match unfinished/spec.toml --resume --out unfinished goes on with it
racelab: swiss: is a tournament in rounds, whose ratings are in its ratings.csv; name result folders of racelab tournament or racelab match, or play the bots again with --schedule round-robin
racelab: rating: is made of ratings; name the folders they were made of
racelab: empty/run.json: no such file; name the result folder of a finished tournament or match
racelab: none/run.json: no such file; name the result folder of a finished tournament or match
racelab: --ghost: '0'; expected a number from 0.000001 to 1000
");
    // A cut file is refused, not half rated.
    let path = lab.path("a/line_ups.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("racer greedy,racer", "racer greedy,nobody"),
    )
    .unwrap();
    let seen = lab.seen("rate a");
    assert!(
        seen.contains("line 2: bot 'nobody' is not in line-up 1"),
        "{seen}"
    );
}

/// A `games.csv` that was cut, or has games twice, is not what the run played.
#[test]
fn games_that_are_not_those_of_the_run_are_refused() {
    let lab = Lab::new();
    play(
        &lab,
        "--game mensch --seats AC --bots racer,greedy --blocks 20 --games-csv --out a",
    );
    let path = lab.path("a/games.csv");
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 41);
    fs::write(&path, lines[..30].join("\n") + "\n").unwrap();
    let cut = lab.seen("rate a");
    let twice = [&lines[..40], &lines[5..6]].concat();
    fs::write(&path, twice.join("\n") + "\n").unwrap();
    assert_snapshot!(format!("{cut}\n{}", lab.seen("rate a")), @r"
racelab: a/games.csv: holds 29 games, the run 40; not as racelab wrote it
exit code 2
racelab: a/games.csv: line 41: a game that stands above already
exit code 2
");
}
