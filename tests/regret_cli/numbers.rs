//! Regret against the exact solver and against positions counted by hand.

use std::sync::Arc;

use racelab::bots::{Bot, Habit, Policy, View};
use racelab::engine::game::{Game, MoveSet};
use racelab::engine::race::Race;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{Optimum, Perfect, Play, solve};
use racelab::experiment::regret::{Mistake, bearoff, regret};
use racelab::games::mensch::{Mensch, Rules};
use racelab::games::parchis::Parchis;

const MAX: usize = 2_000_000;

/// The one-runner endgame of two seats.
fn runners() -> (Mensch, <Mensch as Game>::State) {
    let game = Mensch::new(Rules::default(), "AC".parse().unwrap()).unwrap();
    let state = game.endgame(1).unwrap();
    (game, state)
}

fn position(text: &str) -> (Mensch, <Mensch as Game>::State) {
    let game = Mensch::new(Rules::default(), Mensch::seats_of(text).unwrap()).unwrap();
    let state = game.parse(text).unwrap();
    (game, state)
}

fn bot(name: &str) -> Bot {
    Bot::find(name).unwrap()
}

/// Chances of the first seat, or turns of a seat alone, as the exact solver has them.
fn exact<G: Race>(game: &G, state: &G::State, plays: &mut PerSeat<Play<G>>) -> f64 {
    let found = solve(game, &[*state], plays, MAX).unwrap().outlook();
    if game.seats().len() == 1 {
        found.turns
    } else {
        found.win[Seat::A]
    }
}

#[test]
fn nobody_can_do_better_than_the_optimum_and_the_optimum_does_as_well() {
    let (game, state) = position("A:r30,r36,L3,L4 C:r25,L2,L3,L4 to=A");
    let optimum = Arc::new(Optimum::of(&game, &[state], MAX).unwrap());
    let mut perfect: Box<dyn Policy<Mensch>> = Box::new(Perfect::of(Arc::clone(&optimum)));
    assert_eq!(perfect.habit(), Habit::Deterministic);
    let mut random = racelab::engine::random::BlockKey::new(1, 1)
        .stream(racelab::engine::random::Purpose::Bot, Seat::A);
    let mut decisions = 0;
    optimum.each_decision(&game, |decision| {
        let view = View {
            game: &game,
            state: decision.state,
            seat: decision.seat,
            moves: decision.moves,
        };
        let chosen = decision.worths[perfect.choose(&view, &mut random)];
        let best = decision.worths.iter().copied().fold(0.0, f64::max);
        assert!(best - chosen < 1e-11, "{}", game.print(decision.state));
        assert_eq!(decision.worths.len(), decision.moves.len());
        decisions += 1;
    });
    assert!(decisions > 1000, "{decisions}");

    // Played against each other, the perfect players get what optimising found.
    let mut plays = PerSeat::from_fn(|_| {
        Play::Bot(Box::new(Perfect::of(Arc::clone(&optimum))) as Box<dyn Policy<Mensch>>)
    });
    let played = exact(&game, &state, &mut plays);
    let optimal = exact(&game, &state, &mut PerSeat::from_fn(|_| Play::Optimal));
    let worth = optimum.worth(&game, &state, Seat::A).unwrap();
    assert!((played - optimal).abs() < 1e-9, "{played} {optimal}");
    assert!((worth - optimal).abs() < 1e-9, "{worth} {optimal}");
}

#[test]
fn the_loss_of_a_seat_is_the_difference_of_two_exact_answers() {
    let (game, state) = position("A:r30,r36,L3,L4 C:r25,L2,L3,L4 to=A");
    let optimal = exact(&game, &state, &mut PerSeat::from_fn(|_| Play::Optimal));
    for name in ["random", "rear", "run-home"] {
        let found = regret(&game, &state, &bot(name), MAX).unwrap();
        let mut plays = PerSeat::from_fn(|_| Play::Optimal);
        plays[Seat::A] = Play::Bot(bot(name).policy().unwrap());
        let exploited = exact(&game, &state, &mut plays);
        let at = found.seats[0];
        assert!((at.perfect - optimal).abs() < 1e-9, "{name}: {at:?}");
        assert!((at.exploited - exploited).abs() < 1e-9, "{name}: {at:?}");
        assert!(at.exploited <= at.bot + 1e-9, "{name}: {at:?}");
        assert!(at.bot <= at.perfect + 1e-9, "{name}: {at:?}");
        // Where single decisions lose, so does the whole.
        assert!(
            found.lost > 0.0 && at.perfect - at.bot > 1e-6,
            "{name}: {at:?}"
        );
    }
}

#[test]
fn random_alone_loses_the_turns_that_exact_says() {
    let game = Mensch::solitaire(Rules::default());
    let state = game.endgame(2).unwrap();
    let found = regret(&game, &state, &bot("random"), MAX).unwrap();
    let optimal = exact(&game, &state, &mut PerSeat::from_fn(|_| Play::Optimal));
    let play = || Play::Bot(bot("random").policy().unwrap());
    let random = exact(&game, &state, &mut PerSeat::from_fn(|_| play()));
    let at = found.seats[0];
    assert!(
        (at.bot - at.perfect - (random - optimal)).abs() < 1e-9,
        "{at:?}"
    );
    assert!(random > optimal + 0.1, "{random} {optimal}");
}

#[test]
fn without_a_choice_there_is_no_loss() {
    let (game, state) = runners();
    let found = regret(&game, &state, &bot("random"), MAX).unwrap();
    assert_eq!((found.decisions, found.mistakes.len()), (0, 0));
    assert_eq!(found.mean(), None);
    for at in found.seats {
        assert!((at.perfect - at.bot).abs() < 1e-12, "{at:?}");
    }
}

/// L1 and L2 are still to fill, from r38 and r39. After a two, r39 on L2 leaves a token that needs
/// a two, or two ones: e = 1 + 4/6 e + 1/6 · 6, six turns. r38 on L1 leaves one that must go to
/// L2 first and one behind it that may not jump: a one each, twelve turns.
#[test]
fn a_position_counted_by_hand() {
    let game = Mensch::solitaire(Rules::default());
    let state = game.endgame(2).unwrap();
    let at_two =
        |mistake: &&Mistake<Mensch>| game.print(&mistake.state) == "A:r38,r39,L3,L4 to=A dice=2";
    let found = regret(&game, &state, &bot("rear"), MAX).unwrap();
    let mistake = found.mistakes.iter().find(at_two);
    let mistake = mistake.expect("the rear token is the wrong one");
    assert!((mistake.loss - 6.0).abs() < 1e-9, "{mistake:?}");
    assert!((mistake.worth + 7.0).abs() < 1e-9, "{mistake:?}");
    let text = |mv| game.move_text(&mistake.state, mv);
    assert_eq!(text(mistake.best), "r39>L2");
    assert_eq!(mistake.chosen.map(text).as_deref(), Some("r38>L1"));
    let front = regret(&game, &state, &bot("run-home"), MAX).unwrap();
    assert!(!front.mistakes.iter().any(|mistake| at_two(&mistake)));
}

/// Of up to two checkers on six points there are 28 positions, one of them with none left.
#[test]
fn in_the_bear_off_pip_loses_less_than_random() {
    let random = bearoff(&bot("random"), 2).unwrap();
    let pip = bearoff(&bot("pip"), 2).unwrap();
    assert_eq!(random.decisions, pip.decisions);
    assert_eq!(random.states, 27 * 27);
    assert!(pip.lost < random.lost / 4.0, "{} {}", pip.lost, random.lost);
    assert!(random.mistakes[0].loss > 0.1);
    assert!(random.mistakes.iter().all(|mistake| mistake.loss < 1.0));
}

#[test]
fn a_lone_token_of_parchis_has_no_choice() {
    let game = Parchis::solitaire(racelab::games::parchis::Rules::default()).unwrap();
    let state = game.endgame(1).unwrap();
    let found = regret(&game, &state, &bot("racer"), MAX).unwrap();
    let at = found.seats[0];
    assert!((at.perfect - at.bot).abs() < 1e-9, "{at:?}");
}
