//! Positions as text, for every registered game: what is printed is read back, and no text makes
//! a parser panic.

use proptest::prelude::*;
use racelab::engine::game::{MoveSet, Turn};
use racelab::engine::race::Race;
use racelab::engine::random::{BlockKey, Purpose};
use racelab::engine::seat::Seat;
use racelab::games::{NAMES, Visitor, with_game};

/// Reads a text as every game; what is read must be printed canonically.
struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    type Answer = Result<(), TestCaseError>;

    fn visit<G: Race>(self) -> Self::Answer {
        let text = self.0;
        let seats = G::seats_of(text).ok().into_iter();
        for seats in seats.chain(G::seat_sets()) {
            let Ok(game) = G::new(Default::default(), seats) else {
                continue;
            };
            match game.parse(text) {
                Err(error) => {
                    let error = error.to_string();
                    prop_assert!(error.contains(": "), "no place named: {}", error);
                }
                Ok(state) => {
                    let printed = game.print(&state);
                    prop_assert_eq!(game.parse(&printed), Ok(state));
                }
            }
        }
        Ok(())
    }
}

fn read(text: &str) -> Result<(), TestCaseError> {
    for name in NAMES {
        with_game(name, Read(text)).expect("a registered game")?;
    }
    Ok(())
}

/// Plays some rolls of a random game; every position must be read back.
struct Play {
    seats: usize,
    seed: u64,
    rolls: u32,
}

impl Visitor for Play {
    type Answer = Result<String, TestCaseError>;

    fn visit<G: Race>(self) -> Self::Answer {
        let sets = G::seat_sets();
        let seats = sets[self.seats % sets.len()];
        let game = G::new(Default::default(), seats).expect("a table");
        let block = BlockKey::new(self.seed, 0);
        let mut choices = block.stream(Purpose::Bot, Seat::A);
        let first = seats.iter().next().expect("a seat");
        let mut dice = block.dice(first);
        let mut state = game.start(first);
        let mut moves = G::Moves::default();
        let mut rolls = self.rolls;
        loop {
            let text = game.print(&state);
            prop_assert_eq!(game.parse(&text), Ok(state), "{}", text);
            match game.turn(&state) {
                Turn::Chance(_) if rolls > 0 => {
                    rolls -= 1;
                    let roll = game.sample(&state, &mut dice);
                    game.roll(&mut state, roll);
                }
                Turn::Decision(_) => {
                    game.moves(&state, &mut moves);
                    let index = choices.below(moves.len() as u64) as usize;
                    game.apply(&mut state, moves.get(index));
                }
                Turn::Chance(_) | Turn::Over => return Ok(text),
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(seats in 0..20usize, seed: u64, rolls in 0..200u32) {
        for name in NAMES {
            with_game(name, Play { seats, seed, rolls }).expect("a registered game")?;
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in ".{0,120}") {
        read(&text)?;
    }

    #[test]
    fn no_text_of_the_right_letters_makes_a_parser_panic(
        text in "([A-I]:[HGLRScrx0-9.!,]{0,24} ){0,5}([a-z]{2,5}=[A-D0-9]{0,3} ?){0,3}"
    ) {
        read(&text)?;
    }

    /// A position with one character replaced, removed or doubled.
    #[test]
    fn no_typing_error_makes_a_parser_panic(
        seed: u64, rolls in 0..200u32, at in 0..120usize, with in prop::option::of(any::<char>()),
        double: bool
    ) {
        for name in NAMES {
            let play = Play { seats: seed as usize, seed, rolls };
            let text = with_game(name, play).expect("a registered game")?;
            let mut chars: Vec<char> = text.chars().collect();
            let at = at % chars.len();
            match with {
                Some(char) if double => chars.insert(at, char),
                Some(char) => chars[at] = char,
                None if double => chars.insert(at, chars[at]),
                None => {
                    chars.remove(at);
                }
            }
            read(&chars.into_iter().collect::<String>())?;
        }
    }
}
