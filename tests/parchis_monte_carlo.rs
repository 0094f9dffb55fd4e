//! Random self-play of Parchís against the baselines of 4.5 of its rules page, games by another
//! engine of the same rules, and against exact numbers. Everything must agree within four
//! standard errors, those of both sides together.

use racelab::engine::game::{Game, MoveSet};
use racelab::engine::play::{Chooser, Counts, DEFAULT_CAP, Played, SeededDice, play};
use racelab::engine::race::Race;
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::{PerSeat, Seat};
use racelab::games::parchis::{Moves, Parchis, Rules, State};
use racelab::stats::Moments;

/// Standard errors that two honest numbers may differ by.
const TOLERANCE: f64 = 4.0;
/// Games behind each published row.
const PUBLISHED_GAMES: u32 = 6000;

/// Any legal move, each seat with a stream of its own.
struct Any(PerSeat<Stream>);

impl Chooser<Parchis> for Any {
    fn choose(&mut self, _: &Parchis, _: &State, seat: Seat, moves: &Moves) -> usize {
        self.0[seat].below(moves.len() as u64) as usize
    }
}

fn game_of(game: &Parchis, start: State, key: BlockKey) -> (Played, Counts) {
    let mut counts = Counts::default();
    let played = play(
        game,
        start,
        &mut SeededDice::new(key),
        &mut Any(PerSeat::from_fn(|seat| key.stream(Purpose::Bot, seat))),
        &mut counts,
        &mut Moves::default(),
        DEFAULT_CAP,
    );
    assert!(!played.capped, "a game without end");
    (played, counts)
}

#[track_caller]
fn assert_agrees(what: &str, measured: f64, published: f64, error: f64) {
    let z = (measured - published) / error;
    println!("{what:<40} {measured:>10.4} {published:>10.4} {z:>6.2}");
    assert!(
        z.abs() < TOLERANCE,
        "{what}: {measured} and {published}, {z:.2} standard errors"
    );
}

fn compare(seed: u64, n: u32) {
    let share = (1.0 / f64::from(n) + 1.0 / f64::from(PUBLISHED_GAMES)).sqrt();
    for (seats, turns, sd, rolls, captures, wins) in [
        (
            "ABCD",
            290.2,
            50.9,
            346.6,
            18.10,
            &[0.2505, 0.2455, 0.2507, 0.2533][..],
        ),
        ("AC", 153.4, 21.9, 183.2, 2.59, &[0.5002, 0.4998]),
    ] {
        let game = Parchis::new(Rules::default(), seats.parse().expect("seats")).expect("a table");
        let [mut of_turns, mut of_rolls, mut of_captures] = [Moments::default(); 3];
        let mut won = PerSeat::from_fn(|_| 0_u32);
        for block in 0..n {
            let key = BlockKey::new(seed, block.into());
            let (played, counts) = game_of(&game, game.start(Seat::A), key);
            of_turns.push(counts.turns().into());
            of_rolls.push(played.rolls.into());
            of_captures.push(counts.captures.as_array().iter().sum::<u32>().into());
            for seat in game.seats().iter() {
                won[seat] += u32::from(played.standing.places[seat] == 1);
            }
        }
        for (what, moments, published) in [
            ("turns", &of_turns, turns),
            ("rolls", &of_rolls, rolls),
            ("captures", &of_captures, captures),
        ] {
            let error = moments.sd().expect("two games") * share;
            let mean = moments.mean().expect("a game");
            // The published means are rounded.
            let rounding = if what == "captures" { 0.005 } else { 0.05 };
            assert_agrees(
                &format!("{seats} {what}"),
                mean,
                published,
                error.hypot(rounding),
            );
        }
        let spread = of_turns.sd().expect("two games");
        assert_agrees(
            &format!("{seats} sd of turns"),
            spread,
            sd,
            sd * share / 2.0_f64.sqrt(),
        );
        for (seat, &published) in game.seats().iter().zip(wins) {
            let rate = f64::from(won[seat]) / f64::from(n);
            let error = f64::sqrt(published * (1.0 - published)) * share;
            assert_agrees(&format!("{seats} won by {seat}"), rate, published, error);
        }
    }
}

/// The turns a lone last token needs, simulated: section 4.2.
fn lone_token(seed: u64, n: u32) {
    let game = Parchis::solitaire(Rules::default()).expect("a table for one");
    let start = game.endgame(1).expect("an endgame");
    let mut turns = Moments::default();
    for block in 0..n {
        let (_, counts) = game_of(&game, start, BlockKey::new(seed, block.into()));
        turns.push(counts.turns().into());
    }
    let error = turns.sd().expect("two games") / f64::from(n).sqrt();
    assert_agrees(
        "lone token",
        turns.mean().expect("a game"),
        26.289_661_949_558,
        error,
    );
}

/// Two last tokens in their lanes, simulated: section 4.3.
fn two_lanes(seed: u64, n: u32) {
    let game = Parchis::new(Rules::default(), "AC".parse().expect("seats")).expect("a table");
    for (text, published) in [
        ("A:c7,G,G,G C:c7,G,G,G to=A", 216.0 / 389.0),
        ("A:c1,G,G,G C:c2,G,G,G to=A", 0.611_259_529_857),
        ("A:c2,G,G,G C:c1,G,G,G to=A", 0.477_124_469_727),
    ] {
        let start = game.parse(text).expect("a position");
        let wins = (0..n).filter(|&block| {
            let (played, _) = game_of(&game, start, BlockKey::new(seed, block.into()));
            played.standing.places[Seat::A] == 1
        });
        let rate = wins.count() as f64 / f64::from(n);
        let error = f64::sqrt(published * (1.0 - published) / f64::from(n));
        assert_agrees(text, rate, published, error);
    }
}

#[test]
fn random_play_is_near_the_published_baselines() {
    compare(1, 500);
    lone_token(1, 2000);
    two_lanes(1, 2000);
}

#[test]
#[ignore = "four hundred thousand games: a minute"]
fn random_play_matches_the_published_baselines() {
    compare(2, 200_000);
    lone_token(2, 200_000);
    two_lanes(2, 200_000);
}
