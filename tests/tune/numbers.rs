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
    insta::assert_snapshot!(files["report.md"], @r##"
# tune-mensch

Made by `racelab tune`; docs/tuning.md says how to read it.

```text
tune-mensch: spoilt of mensch
preset default; seats AC; panel greedy, run-home; method racing; 6 generations
  of 30 blocks; seed 5; spec 238c19abfc0de859; 9,040 games

PARAMETERS
  exposed 0.4 -> 0
  lead -0.5 -> 0

VERDICT
  Better than spoilt on new dice: alone at the table it wins 95.00 %
    (55.01–99.85, always valid at 95 %), fair 50.00 %; 20 blocks, 40 games.
  Margin proven: +5.01 points of share above fair.

GAIN in points of share, with 95 % intervals
  against    dice it was tuned on      new dice
  greedy     +48.00 (+41.95 to +54.05) +42.67 (+36.65 to +48.68)
  run-home   +47.67 (+41.59 to +53.75) +42.33 (+36.22 to +48.44)
  the panel  +47.83 (+41.80 to +53.87) +42.50 (+36.47 to +48.53)
  blocks     150                       150
  Shrinkage: +5.33 (-3.20 to +13.87)

  55 evaluations: of so many equal candidates the best looks +12.98 points
  better than it is by luck alone.
  Tuning, selection, match and new dice share no dice. The share of a match that
  stopped early lies a little too far from fair; its interval holds, and so do
  the gains, whose blocks were planned.
```
"##);
    let rows: Vec<&str> = files["generations.csv"].lines().take(4).collect();
    insta::assert_snapshot!(rows.join("\n"), @r##"
stage,generation,candidate,blocks,score,low,high,param.exposed,param.lead
tuning,1,1,30,0.15,0.06297926819042222,0.23702073180957778,0.4,-0.5
tuning,1,2,30,0.31666666666666665,0.19182296712762492,0.4415103662057084,-0.8,-0.5
tuning,1,3,30,0.4,0.28606311698633097,0.513936883013669,-0.4,-0.5
"##);
    insta::assert_snapshot!(files["gains.csv"], @r##"
dice,opponent,blocks,candidate_share,incumbent_share,gain,gain_low,gain_high
in-sample,greedy,150,0.61,0.13,0.48,0.4195161522618344,0.5404838477381656
in-sample,run-home,150,0.6066666666666667,0.13,0.4766666666666667,0.41585394991024155,0.5374793834230918
in-sample,the panel,150,0.6083333333333334,0.13,0.47833333333333333,0.4179548849887094,0.5387117816779573
held-out,greedy,150,0.5700000000000001,0.14333333333333334,0.42666666666666664,0.3665401146813013,0.48679321865203196
held-out,run-home,150,0.5733333333333334,0.15,0.42333333333333334,0.3622340104015031,0.4844326562651636
held-out,the panel,150,0.5716666666666667,0.14666666666666667,0.425,0.3646553183417338,0.48534468165826616
"##);
    insta::assert_snapshot!(files["spoilt-tuned.toml"], @r##"
# spoilt tuned for mensch (default, seats AC) against greedy, run-home by
# racelab tune: tune-mensch, spec 238c19abfc0de859.
# Better than spoilt on new dice: alone at the table it wins 95.00 %
# (55.01–99.85, always valid at 95 %), fair 50.00 %; 20 blocks, 40 games.
name = "spoilt-tuned"
policy = "racer"

[params]
exposed = 0
lead = 0
"##);
}
