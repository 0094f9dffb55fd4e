//! What a tuning finds and says.

use super::{Lab, METHODS, SPOILT, small};

/// A bot that was spoilt on purpose: every method makes it better, and proves it on new dice.
#[test]
fn a_spoilt_bot_gets_better() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    for method in METHODS {
        let files = lab.tune(&small(method), method);
        let run: serde_json::Value = serde_json::from_str(&files["run.json"]).unwrap();
        assert_eq!(run["verdict"], "stronger", "{method}: {run}");
        assert!(run["margin_proven"].as_f64().unwrap() > 0.0);
        assert!(
            run["gain_held_out"].as_f64().unwrap() > 0.05,
            "{method}: {run}"
        );
        let tuned = &files["spoilt-tuned.toml"];
        assert!(tuned.contains("name = \"spoilt-tuned\""), "{tuned}");
        // The tuned bot is the one that the match was about, and plays.
        let candidate = &files["spoilt-candidate.toml"];
        let params = |text: &str| text.split("[params]").nth(1).map(str::to_owned);
        assert_eq!(params(tuned), params(candidate));
        let seen = lab.seen(&format!(
            "tournament --game mensch --seats AC --bots {method}/spoilt-tuned.toml,greedy --blocks 10 --quiet --out t-{method}"
        ));
        assert_eq!(seen, "exit code 0");
    }
}

/// Two candidates that play alike: nothing is called tuned.
#[test]
fn what_is_not_proven_is_not_called_tuned() {
    let lab = Lab::new();
    // Between seats that may not pass, progress is the same for all moves.
    let line = "--game mensch --seats AC --bot racer --panel greedy --method racing --param progress=0.1,0.2 \
                --blocks 20 --generations 3 --validation-blocks 50 --reporting-blocks 20";
    let files = lab.tune(line, "out");
    let run: serde_json::Value = serde_json::from_str(&files["run.json"]).unwrap();
    // The bot itself comes first among equals.
    assert_eq!(run["verdict"], "kept");
    assert!(files.contains_key("racer-candidate.toml") && !files.contains_key("racer-tuned.toml"));
    let spsa = "--game mensch --seats AC --bot racer --panel greedy --method spsa --param progress=0.1:0.3:0.05 \
                --blocks 20 --generations 3 --validation-blocks 50 --reporting-blocks 20 --seed 2";
    let files = lab.tune(spsa, "spsa");
    assert!(!files.contains_key("racer-tuned.toml"));
}

/// The text for people, the rows and the bot file, to the letter.
#[test]
fn a_report_to_the_letter() {
    let lab = Lab::new();
    lab.write("spoilt.toml", SPOILT);
    let files = lab.tune(&small("racing"), "out");
    insta::assert_snapshot!(files["report.md"], @"");
    let rows: Vec<&str> = files["generations.csv"].lines().take(4).collect();
    insta::assert_snapshot!(rows.join("\n"), @"");
    insta::assert_snapshot!(files["gains.csv"], @"");
    insta::assert_snapshot!(files["spoilt-tuned.toml"], @"");
}
