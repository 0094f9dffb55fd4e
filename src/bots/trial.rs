//! What the tests of policies share: a bot's move in a position, and short matches.

use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::play::{Blind, Chooser, DEFAULT_CAP, SeededDice, play};
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::{PerSeat, Seat, SeatSet};
use crate::games::mensch::{Mensch, Moves, Rules, State};

use super::{Bot, Policy, View};

/// The bot of this policy and these `[params]`.
pub(super) fn bot(policy: &str, params: &str) -> Bot {
    Bot {
        name: policy.to_owned(),
        policy: policy.to_owned(),
        params: params.parse().unwrap(),
    }
}

/// What is said about these parameters of a policy.
pub(super) fn refusal(policy: &str, params: &str) -> String {
    match bot(policy, params).policy::<Mensch>() {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The table and state of a position text.
pub(super) fn position(text: &str) -> (Mensch, State) {
    let game = Mensch::new(Rules::default(), Mensch::seats_of(text).unwrap()).unwrap();
    let state = game.parse(text).unwrap();
    (game, state)
}

/// The move a policy chooses, as text.
pub(super) fn chosen(policy: &str, params: &str, text: &str) -> String {
    let (game, state) = position(text);
    let Turn::Decision(seat) = game.turn(&state) else {
        panic!("nobody chooses in '{text}'");
    };
    let mut moves = Moves::default();
    game.moves(&state, &mut moves);
    assert!(moves.len() > 1, "there is no choice in '{text}'");
    let view = View {
        game: &game,
        state: &state,
        seat,
        moves: &moves,
    };
    let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, seat);
    let mut policy = bot(policy, params).policy::<Mensch>().unwrap();
    let index = policy.choose(&view, &mut random);
    game.move_text(&state, moves.get(index))
}

/// One bot at the seat `hero`, the other at all the others.
struct Pair {
    policies: [Box<dyn Policy<Mensch>>; 2],
    hero: Seat,
    random: PerSeat<Stream>,
}

impl Chooser<Mensch> for Pair {
    fn choose(&mut self, game: &Mensch, state: &State, seat: Seat, moves: &Moves) -> usize {
        let view = View {
            game,
            state,
            seat,
            moves,
        };
        self.policies[usize::from(seat != self.hero)].choose(&view, &mut self.random[seat])
    }
}

/// How many of its games one bot of `hero` wins against bots of `others` at every other seat: one
/// game from each seat in each block.
pub(super) fn wins(hero: &Bot, others: &Bot, seats: &str, blocks: u64) -> u64 {
    let seats: SeatSet = seats.parse().unwrap();
    let game = Mensch::new(Rules::default(), seats).unwrap();
    let mut moves = Moves::default();
    let mut wins = 0;
    for block in 0..blocks {
        let key = BlockKey::new(20, block);
        for seat in seats.iter() {
            let mut pair = Pair {
                policies: [hero.policy().unwrap(), others.policy().unwrap()],
                hero: seat,
                random: PerSeat::from_fn(|seat| key.stream(Purpose::Bot, seat)),
            };
            let played = play(
                &game,
                game.start(Seat::A),
                &mut SeededDice::new(key),
                &mut pair,
                &mut Blind,
                &mut moves,
                DEFAULT_CAP,
            );
            wins += u64::from(played.standing.places[seat] == 1);
        }
    }
    wins
}
