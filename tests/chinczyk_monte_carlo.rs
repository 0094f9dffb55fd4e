//! Chińczyk by simulation: the random baselines of section 4.5 of the rules page of Parchís, and
//! a lone token that plays by the exact solution.

use racelab::engine::game::{Game, MoveSet, Turn};
use racelab::engine::play::{Chooser, Counts, DEFAULT_CAP, SeededDice, play};
use racelab::engine::race::Race;
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{Play, Solution, solve};
use racelab::games::chinczyk::{Chinczyk, Move, Moves, Rules, State};
use rayon::prelude::*;

/// Any distinct die and origin; a pass like any other move, or only if nothing moves.
struct Any {
    random: Stream,
    passes: bool,
}

impl Chooser<Chinczyk> for Any {
    fn choose(&mut self, _: &Chinczyk, _: &State, _: Seat, moves: &Moves) -> usize {
        let last = moves.get(moves.len() - 1);
        let steps = moves.len() - usize::from(!self.passes && last == Move::PASS);
        self.random.below(steps as u64) as usize
    }
}

/// Sum and sum of squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.n - self.mean().powi(2)).sqrt()
    }

    fn error(&self) -> f64 {
        self.deviation() / self.n.sqrt()
    }
}

/// Wins by seat, turns, rolls and captures of random games.
fn sample(game: &Chinczyk, passes: bool, games: u64) -> (Vec<f64>, [Sums; 3]) {
    let ends: Vec<_> = (0..games)
        .into_par_iter()
        .map(|number| {
            let block = BlockKey::new(45, number);
            let mut any = Any {
                random: block.stream(Purpose::Bot, Seat::A),
                passes,
            };
            let mut counts = Counts::default();
            let (start, mut dice) = (game.start(Seat::A), SeededDice::new(block));
            let mut moves = Moves::default();
            let played = play(
                game,
                start,
                &mut dice,
                &mut any,
                &mut counts,
                &mut moves,
                DEFAULT_CAP,
            );
            assert!(!played.capped);
            let captures: u32 = game.seats().iter().map(|seat| counts.captures[seat]).sum();
            (
                played.standing,
                [counts.turns(), played.rolls, captures].map(f64::from),
            )
        })
        .collect();
    let mut sums = [Sums::default(); 3];
    for (_, values) in &ends {
        for (sums, &value) in sums.iter_mut().zip(values) {
            sums.add(value);
        }
    }
    let won = |seat| {
        ends.iter()
            .filter(|(standing, _)| standing.places[seat] == 1)
            .count()
    };
    let wins = game
        .seats()
        .iter()
        .map(|seat| won(seat) as f64 / games as f64);
    (wins.collect(), sums)
}

/// Seats, whether passes are drawn, games of the published sample, wins, turns with their
/// deviation, rolls, captures.
type Baseline = (&'static str, bool, f64, &'static [f64], f64, f64, f64, f64);

#[rustfmt::skip]
const BASELINES: &[Baseline] = &[
    ("ABCD", false, 4000.0, &[0.2627, 0.2612, 0.2432, 0.2328], 159.6, 26.5, 188.5, 16.16),
    ("AC", false, 4000.0, &[0.501, 0.499], 79.1, 11.7, 93.4, 2.78),
    ("ABCD", true, 2000.0, &[0.2605, 0.2555, 0.241, 0.243], 298.4, 59.1, 352.1, 18.37),
];

#[test]
#[ignore = "takes a minute; run with --release -- --ignored"]
fn random_games_are_those_of_the_rules_page() {
    const GAMES: u64 = 100_000;
    for &(seats, passes, n, wins, turns, deviation, rolls, captures) in BASELINES {
        let seats = seats.parse().expect("seats");
        let game = Chinczyk::new(Rules::default(), seats).expect("a table");
        let (won, sums) = sample(&game, passes, GAMES);
        // Both are samples: the error of the difference, of theirs with our deviation.
        for (seat, (found, published)) in won.iter().zip(wins).enumerate() {
            let error = (published * (1.0 - published) * (1.0 / n + 1.0 / GAMES as f64)).sqrt();
            assert!(
                (found - published).abs() < 4.0 * error,
                "{seats} {passes}, seat {seat}: {found}"
            );
        }
        for (what, sums, published) in [
            ("turns", sums[0], turns),
            ("rolls", sums[1], rolls),
            ("captures", sums[2], captures),
        ] {
            let error = sums.deviation() * (1.0 / n + 1.0 / sums.n).sqrt();
            let found = sums.mean();
            assert!(
                (found - published).abs() < 4.0 * error,
                "{seats} {passes}, {what}: {found}"
            );
        }
        let found = sums[0].deviation();
        assert!(
            (found / deviation - 1.0).abs() < 4.0 / (2.0 * n).sqrt() * 1.2,
            "{seats}: {found}"
        );
    }
}

/// Plays the move that the exact solution likes best.
struct Best<'a>(&'a Solution<Chinczyk>);

impl Chooser<Chinczyk> for Best<'_> {
    fn choose(&mut self, game: &Chinczyk, state: &State, _: Seat, moves: &Moves) -> usize {
        let turns = moves.iter().map(|mv| {
            let mut next = *state;
            let mut turns = f64::from(u8::from(game.apply(&mut next, mv).turn_ends));
            // The solution knows no position in which there is nothing to choose.
            let mut forced = Moves::default();
            while let Turn::Decision(_) = game.turn(&next) {
                game.moves(&next, &mut forced);
                if !forced.is_forced() {
                    break;
                }
                turns += f64::from(u8::from(game.apply(&mut next, forced.get(0)).turn_ends));
            }
            match game.turn(&next) {
                Turn::Over => turns,
                _ => turns + self.0.at(&next).expect("was solved").turns,
            }
        });
        let turns: Vec<f64> = turns.collect();
        let best = (0..turns.len()).min_by(|&a, &b| turns[a].total_cmp(&turns[b]));
        best.expect("a move")
    }
}

#[test]
#[ignore = "takes a minute; run with --release -- --ignored"]
fn a_lone_token_that_plays_the_solution_takes_the_turns_it_promises() {
    let game = Chinczyk::solitaire(Rules::default()).expect("a table for one");
    let start = game.endgame(1).expect("a runner");
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    let solution = solve(&game, &[start], &mut plays, 100_000).expect("a small game");
    let mut turns = Sums::default();
    for number in 0..100_000 {
        let mut dice = SeededDice::new(BlockKey::new(46, number));
        let mut counts = Counts::default();
        let mut moves = Moves::default();
        play(
            &game,
            start,
            &mut dice,
            &mut Best(&solution),
            &mut counts,
            &mut moves,
            DEFAULT_CAP,
        );
        turns.add(f64::from(counts.turns()));
    }
    let (found, exact) = (turns.mean(), 12.213_531_270_140);
    assert!(
        (found - exact).abs() < 4.0 * turns.error(),
        "{found} is not {exact}"
    );
    assert!((solution.outlook().turns - exact).abs() < 1e-9);
}
