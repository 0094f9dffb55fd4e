//! Fits the weights of the backgammon bot `pubstyle` and prints its bot file:
//! `cargo run --release --example fit_pubstyle -- [GAMES [RATE [LAMBDA]]] > bots/backgammon/pubstyle.toml`.
//!
//! With the name of a bot instead of numbers it prints what the values of that bot mean: the
//! `odds_…` and `gammon_…` of its bot file.

use std::process::ExitCode;
use std::str::FromStr;

use racelab::bots::Bot;
use racelab::bots::backgammon::fit::{Odds, Training, odds, pubstyle};

/// Games that the odds rest on.
const ODDS_GAMES: u64 = 20_000;
const ODDS_SEED: u64 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first() {
        Some(name) if name.parse::<f64>().is_err() => print_odds(name),
        _ => print_fit(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("fit_pubstyle: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn print_odds(name: &str) -> Result<(), String> {
    let bot = Bot::find(name).map_err(|error| error.to_string())?;
    println!("{}", lines(&odds(&bot, ODDS_GAMES, ODDS_SEED)?));
    Ok(())
}

fn lines(odds: &Odds) -> String {
    format!(
        "odds_bias = {:.4}\nodds_slope = {:.4}\ngammon_bias = {:.4}\ngammon_slope = {:.4}",
        odds.bias, odds.slope, odds.gammon_bias, odds.gammon_slope
    )
}

fn print_fit(arguments: &[String]) -> Result<(), String> {
    let defaults = Training::default();
    let training = Training {
        games: number(arguments, 0, defaults.games)?,
        rate: number(arguments, 1, defaults.rate)?,
        lambda: number(arguments, 2, defaults.lambda)?,
        ..defaults
    };
    let params = pubstyle(&training, |played| {
        if played.is_multiple_of(4_000) {
            eprintln!("{played} games");
        }
    });
    let mut bot = Bot {
        name: "pubstyle".to_owned(),
        policy: "pubstyle".to_owned(),
        params,
    };
    let odds = odds(&bot, ODDS_GAMES, ODDS_SEED)?;
    let odds: toml::Table = lines(&odds).parse().map_err(|error| format!("{error}"))?;
    // Numbers before tables, as TOML wants them.
    bot.params = odds.into_iter().chain(bot.params).collect();
    println!(
        "# A linear evaluator; weights fitted by {} games against itself (rate {}, lambda {}):\n\
         # cargo run --release --example fit_pubstyle\n{}",
        training.games,
        training.rate,
        training.lambda,
        toml::to_string(&bot).map_err(|error| error.to_string())?
    );
    Ok(())
}

/// The number at this place of the arguments.
fn number<T: FromStr>(arguments: &[String], place: usize, default: T) -> Result<T, String> {
    let Some(text) = arguments.get(place) else {
        return Ok(default);
    };
    let expected =
        |_| format!("'{text}'; expected GAMES, RATE and LAMBDA, such as 120000 0.01 0.7");
    text.parse().map_err(expected)
}
