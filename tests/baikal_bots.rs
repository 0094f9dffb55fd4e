//! How the bots of the Baikal race play: `greedy` move by move, and who beats whom.

use racelab::bots::{Bot, View};
use racelab::engine::game::{Game, MoveSet, Turn};
use racelab::engine::random::{BlockKey, Purpose};
use racelab::experiment::runner::play_blocks;
use racelab::experiment::spec::{BotRef, Spec};
use racelab::games::baikal::{Baikal, Moves, Rules};

/// The move `greedy` chooses, as text. `text` awaits two dice.
fn chosen(text: &str, [high, low]: [i64; 2]) -> String {
    let seats = Baikal::<4>::seats_of(text).expect("seats");
    let game: Baikal = Baikal::new(Rules::default(), seats).expect("a table");
    let state = game
        .parse(&format!("{text} dice={high}-{low}"))
        .expect(text);
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
    let bot = Bot::find("greedy").expect("it is shipped");
    let mut policy = bot.policy::<Baikal>().expect("it plays the game");
    let index = policy.choose(&view, &mut random);
    game.move_text(&state, moves.get(index))
}

#[test]
fn greedy_weighs_captures_blots_captives_and_pockets() {
    for (why, text, dice, expected) in [
        (
            "of equal pips the furthest",
            "A:1.1,2.1,R,R C:R,R,R,R to=A",
            [4, 2],
            "4:2.1>2.5",
        ),
        (
            "a capture",
            "A:1.1,2.1,R,R C:1.3,R,R,R to=A",
            [4, 2],
            "2:1.1>1.3x",
        ),
        (
            "out of reach: 1.10 is five cells before C, 2.1 eight",
            "A:1.10,2.7,R,R C:1.5,R,R,R to=A",
            [3, 3],
            "3:1.10>2.1",
        ),
        (
            "a ransom",
            "A:1.1,2.1,xC,H3 C:R,R,R,R to=A",
            [6, 3],
            "6:xC>R",
        ),
        (
            "past the arrow",
            "A:1.1,2.5,R,R C:R,R,R,R to=A",
            [4, 4],
            "4:1.1>1.5",
        ),
        (
            "a token from the reserve",
            "A:1.1,2.1,R,R C:R,R,R,R to=A",
            [6, 5],
            "6:R>S",
        ),
    ] {
        assert_eq!(chosen(text, dice), expected, "{why}: {text}");
    }
}

/// The share of wins of the first bot: one of it against the others in rotation.
fn share(bots: [&str; 2], seats: &str, blocks: u64) -> f64 {
    let mut spec = Spec::new(
        "baikal",
        bots.map(|bot| BotRef::Named(bot.to_owned())).to_vec(),
    );
    spec.seats = Some(seats.parse().expect("seats"));
    let experiment = spec.resolve::<Baikal>().expect("a spec");
    let tally = play_blocks(&experiment, 0..blocks);
    let pair = tally.pair(0, 1);
    let points = (2 * pair.better + pair.same) as f64;
    points / (2 * (pair.better + pair.same + pair.worse)) as f64
}

#[test]
fn greedy_beats_random_and_jailer_beats_greedy() {
    // Expected: 84 % and 60 % of 600 games; four standard errors are 6 and 8.
    let greedy = share(["greedy", "random"], "AC", 300);
    assert!(greedy > 0.78, "{greedy}");
    let jailer = share(["jailer", "greedy"], "AC", 300);
    assert!(jailer > 0.52, "{jailer}");
}
