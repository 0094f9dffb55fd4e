//! The packed engine and the naive model of Mensch ärgere dich nicht must agree: legal moves,
//! result sets and places, on random positions under random options.

#[path = "support/mensch_positions.rs"]
mod mensch_positions;
#[path = "support/naive_mensch.rs"]
mod naive_mensch;

use mensch_positions::{Draft, SEATS, YARD};
use naive_mensch::{
    Choice, NaiveRules, Position, StartCounts, choices, move_name, places, results,
};
use racelab::engine::game::{Game, MoveSet};
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::results::result_set;
use racelab::engine::seat::Seat;
use racelab::experiment::table::TableSpec;
use racelab::games::mensch::{Mensch, Moves};

/// Random options as `option=value`, those of the naive model.
fn options(random: &mut Stream) -> Vec<String> {
    let tries = ["3", "1"][random.below(2) as usize];
    let mut options = vec![format!("tries={tries}")];
    for name in [
        "forced_capture",
        "lane_jump",
        "bonus_on_unplayable_six",
        "vacate_chain",
        "capture_before_vacate",
        "may_pass",
        "capture_gives_roll",
        "bounce",
    ] {
        options.push(format!("{name}={}", random.below(2) == 1));
    }
    options
}

/// A random position; half of the tokens crowd together near a lane and a start.
fn draft(random: &mut Stream, tries: u8) -> Draft {
    let mut offset = || match random.below(6) {
        0 => YARD,
        1 => 40 + random.below(4) as i8,
        2 => 34 + random.below(6) as i8,
        3 => random.below(13) as i8,
        _ => random.below(40) as i8,
    };
    let tokens = std::array::from_fn(|_| std::array::from_fn(|_| offset()));
    Draft {
        seats: random.below(SEATS.len() as u64) as usize,
        tokens,
        to: random.below(4) as usize,
        tries: random.below(tries.into()) as u8 + 1,
    }
}

#[test]
fn engine_and_naive_model_agree_on_200_000_rolls() {
    let mut random = BlockKey::new(1910, 0).stream(Purpose::Bot, Seat::A);
    let mut rolls = 0;
    while rolls < 200_000 {
        let options = options(&mut random);
        let mut naive = NaiveRules::default();
        let mut spec = TableSpec::of("mensch");
        for option in &options {
            spec.change(option).expect("option=value");
            let (name, value) = option.split_once('=').expect("option=value");
            naive
                .set(name, value)
                .expect("an option of the naive model");
        }
        for _ in 0..20 {
            let text = draft(&mut random, naive.tries).text();
            spec.seats = Some(Mensch::seats_of(&text).expect("a position"));
            let game: Mensch = spec.game().expect("a table");
            rolls += agree(&game, &naive, &text);
        }
    }
}

/// Compares everything at one position; the number of rolls compared.
fn agree(game: &Mensch, rules: &NaiveRules, text: &str) -> u32 {
    let state = game
        .parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let position = Position::parse(text).unwrap_or_else(|| panic!("no position: {text}"));
    assert_eq!(game.print(&state), text);
    assert_eq!(position.print(), text);

    let standing = game.standing(&state).places;
    for (seat, place) in places(&position, StartCounts::One) {
        assert_eq!(
            usize::from(standing[Seat::new(seat)]),
            place,
            "{text} seat {seat}"
        );
    }

    for die in 1..=6 {
        let mut rolled = state;
        game.roll(&mut rolled, die);
        let mut moves = Moves::default();
        game.moves(&rolled, &mut moves);
        let found: Vec<String> = moves.iter().map(|mv| game.move_text(&rolled, mv)).collect();
        let expected = choices(rules, &position, die);
        let name = |choice: &Choice| match *choice {
            Choice::Move(played) => move_name(&position, played),
            Choice::Nothing => "–".to_owned(),
            Choice::Decline => "pass".to_owned(),
        };
        let expected: Vec<String> = expected.iter().map(name).collect();
        assert_eq!(found, expected, "{text} die {die} {rules:?}");

        let found = result_set(game, &state, &[die.into()]).expect("a die");
        assert_eq!(
            found,
            results(rules, &position, die),
            "{text} die {die} {rules:?}"
        );
    }
    6
}
