//! A lone player's race, solved exactly: `docs/rules/baikal.md`, section 6.1.

use racelab::engine::game::Game;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{Play, solve};
use racelab::games::baikal::{Baikal, Board, Level, Rules};

#[test]
fn a_lone_player_needs_as_many_rolls_and_turns_as_published() {
    for (board, level, rolls, turns) in [
        ("4x12", Level::Sprint, 42.638_937, 37.656_003),
        ("4x12", Level::Classic, 59.989_459, 52.546_792),
        ("8x12", Level::Sprint, 88.360_104, 78.324_868),
        ("8x12", Level::Classic, 127.137_871, 111.255_208),
        ("4x12-P1", Level::Sprint, 42.701_470, 37.711_825),
        ("4x12-P1", Level::Classic, 56.428_389, 49.251_793),
    ] {
        let game: Baikal = Baikal::solitaire(Rules {
            level,
            board: Board::preset(board).expect("a preset"),
            ..Rules::default()
        });
        let mut plays = PerSeat::from_fn(|_| Play::Optimal);
        let start = game.start(Seat::A);
        let solution = solve(&game, &[start], &mut plays, 100_000).expect("a small game");
        let found = solution.outlook();
        for (name, found, published) in
            [("rolls", found.rolls, rolls), ("turns", found.turns, turns)]
        {
            let agrees = (found - published).abs() < 1e-6;
            assert!(
                agrees,
                "{board} {level:?}: {found} {name}, published {published}"
            );
        }
    }
}
