//! How well and how fast bots play backgammon: `cargo bench --bench backgammon_yardstick`.
//!
//! For each bot the equity it loses a decision, in thousandths of a point, on the money rows of
//! `tests/golden/backgammon/checker_decisions.jsonl`, where GNU Backgammon has looked two plies
//! ahead; with the standard error over the rows, the share of rows it answers as GNU Backgammon
//! does, and its time a decision (building the tables of the bear-off included). Then the cubeless
//! money games against itself that a CPU-second holds.
//!
//! `-- BOT ...` measures these bots: shipped ones or bot files. `-- --games N` plays N games each.
//! The first line, `any move`, is the mean over all legal moves.

use racelab::bots::seated::Seated;
use racelab::bots::{Bot, Policy, SHIPPED, View};
use racelab::engine::game::{Game, MoveSet, Turn};
use racelab::engine::play::{Blind, DEFAULT_CAP, SeededDice, play};
use racelab::engine::random::{BlockKey, Purpose};
use racelab::engine::seat::{PerSeat, Seat, SeatSet};
use racelab::experiment::runner::cpu_seconds;
use racelab::games::backgammon::notation::position_id;
use racelab::games::backgammon::{Backgammon, Move, Moves, Rules, State};
use serde_json::Value;

const ROWS: &str = include_str!("../tests/golden/backgammon/checker_decisions.jsonl");

/// A decision and what each of its moves is worth.
struct Decision {
    game: Backgammon,
    state: State,
    moves: Moves,
    /// The equity of each move, in their order.
    equities: Vec<f64>,
    best: f64,
}

impl Decision {
    /// The decision of a row, if it is one of a game for money.
    fn of(line: &str) -> Option<Decision> {
        let row: Value = serde_json::from_str(line).expect("a JSON object");
        if row["match_length"] != 0 {
            return None;
        }
        let rules = Rules {
            jacoby: row["jacoby"].as_bool().expect("jacoby"),
            ..Rules::default()
        };
        let game = Backgammon::new(rules, SeatSet::first(2)).expect("a table");
        let state = game
            .parse(row["xgid"].as_str().expect("an XGID"))
            .expect("a position");
        let mut moves = Moves::default();
        game.moves(&state, &mut moves);
        let known: Vec<(String, f64)> = ["candidates", "rest_0ply"]
            .iter()
            .flat_map(|list| row[*list].as_array().expect("moves"))
            .map(|one| {
                let result = one["result"].as_str().expect("a result").to_owned();
                (result, one["equity"].as_f64().expect("an equity"))
            })
            .collect();
        let equity = |mv| {
            let Move::Play(board) = mv else {
                panic!("a row is a roll to play: {line}");
            };
            let id = position_id::write(&board);
            let found = known.iter().find(|(result, _)| *result == id);
            found
                .unwrap_or_else(|| panic!("no equity for {id} in {line}"))
                .1
        };
        let equities: Vec<f64> = moves.iter().map(equity).collect();
        assert_eq!(equities.len(), known.len(), "legal moves of {line}");
        Some(Decision {
            // The best by two plies; what was looked at less is worth no more.
            best: row["candidates"][0]["equity"].as_f64().expect("an equity"),
            game,
            state,
            moves,
            equities,
        })
    }

    /// What the move of a policy loses, in points.
    fn loss(&self, policy: &mut dyn Policy<Backgammon>) -> f64 {
        let Turn::Decision(seat) = self.game.turn(&self.state) else {
            panic!("a row is a decision");
        };
        let view = View {
            game: &self.game,
            state: &self.state,
            seat,
            moves: &self.moves,
        };
        let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, seat);
        self.loss_of(policy.choose(&view, &mut random))
    }

    fn loss_of(&self, index: usize) -> f64 {
        (self.best - self.equities[index]).max(0.0)
    }

    /// What any move loses on average.
    fn mean_loss(&self) -> f64 {
        let losses = (0..self.equities.len()).map(|index| self.loss_of(index));
        losses.sum::<f64>() / self.equities.len() as f64
    }
}

/// Mean, standard error and the share of zeros.
fn summary(losses: &[f64]) -> [f64; 3] {
    let n = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / n;
    let squares: f64 = losses.iter().map(|loss| (loss - mean).powi(2)).sum();
    let right = losses.iter().filter(|&&loss| loss == 0.0).count();
    [mean, (squares / (n * (n - 1.0))).sqrt(), right as f64 / n]
}

fn policy(bot: &Bot) -> Option<Box<dyn Policy<Backgammon>>> {
    match bot.policy() {
        Ok(policy) => Some(policy),
        Err(error) => {
            eprintln!("{error}");
            None
        }
    }
}

/// Cubeless games for money of a bot against itself in a CPU-second.
fn games_per_second(bot: &Bot, games: u64) -> f64 {
    let rules = Rules {
        cube: false,
        jacoby: false,
        ..Rules::default()
    };
    let game = Backgammon::new(rules, SeatSet::first(2)).expect("a table");
    let policies = vec![policy(bot).expect("it has played before")];
    let mut seated = Seated::new(policies, PerSeat::default(), BlockKey::new(1, 0));
    let mut moves = Moves::default();
    let began = cpu_seconds();
    for block in 0..games {
        let key = BlockKey::new(1, block);
        seated.sit(PerSeat::default(), key);
        let start = game.start(Seat::A);
        let dice = &mut SeededDice::new(key);
        let played = play(
            &game,
            start,
            dice,
            &mut seated,
            &mut Blind,
            &mut moves,
            DEFAULT_CAP,
        );
        assert!(!played.capped, "{} never ends game {block}", bot.name);
    }
    games as f64 / (cpu_seconds() - began)
}

fn main() {
    let decisions: Vec<Decision> = ROWS.lines().filter_map(Decision::of).collect();
    assert_eq!(decisions.len(), 183, "money rows");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` asks only whether the bench works.
    let is_timed = arguments.iter().any(|argument| argument == "--bench");
    let mut names: Vec<String> = Vec::new();
    let mut games: u64 = if is_timed { 2_000 } else { 1 };
    let mut rest = arguments
        .into_iter()
        .filter(|argument| argument != "--bench");
    while let Some(argument) = rest.next() {
        if argument == "--games" {
            let number = rest.next().and_then(|number| number.parse().ok());
            games = number.expect("--games is followed by a number");
        } else {
            names.push(argument);
        }
    }
    if names.is_empty() {
        names = SHIPPED.iter().map(|&(name, _)| name.to_owned()).collect();
    }
    println!("bot              loss/1000     ±     same    µs/decision   games/CPU-s");
    let losses: Vec<f64> = decisions.iter().map(Decision::mean_loss).collect();
    let [mean, error, _] = summary(&losses);
    println!("{:<16}{:>10.1}{:>6.1}", "any move", mean * 1e3, error * 1e3);
    for name in names {
        let bot = Bot::find(&name).unwrap_or_else(|error| panic!("{error}"));
        let Some(mut policy) = policy(&bot) else {
            continue;
        };
        let began = cpu_seconds();
        let losses: Vec<f64> = decisions.iter().map(|row| row.loss(&mut *policy)).collect();
        let micros = (cpu_seconds() - began) * 1e6 / losses.len() as f64;
        let [mean, error, right] = summary(&losses);
        // A bot that searches plays fewer games: they take as long.
        let games = if policy.is_search() {
            games.div_ceil(500)
        } else {
            games
        };
        let speed = games_per_second(&bot, games);
        println!(
            "{:<16}{:>10.1}{:>6.1}{:>8.1}%{micros:>13.1}{speed:>14.0}",
            bot.name,
            mean * 1e3,
            error * 1e3,
            right * 100.0,
        );
    }
}
