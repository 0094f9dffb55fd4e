//! Exact numbers of the rules page of Parchís: the dice and entering (4.1), a lone last token
//! (4.2) and two lone tokens in their lanes (4.3).

use std::collections::HashMap;

use racelab::engine::game::{Effect, Game, MoveSet, Turn};
use racelab::engine::race::Race;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{Outlook, Play, Solution, solve};
use racelab::experiment::table::TableSpec;
use racelab::games::parchis::{Moves, Parchis, Rules, State};

const A: Seat = Seat::A;
const GOAL: u8 = 72;

fn at(options: &str, text: &str) -> (Parchis, State) {
    let mut spec = TableSpec::of("parchis");
    spec.seats = Some(Parchis::seats_of(text).expect("a position"));
    for option in options.split_whitespace() {
        spec.change(option).expect("option=value");
    }
    let game: Parchis = spec.game().expect("a table");
    let state = game
        .parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    (game, state)
}

#[track_caller]
fn assert_near(what: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-9,
        "{what}: {found:.12} is not {expected:.12}"
    );
}

/// What adds up over the turn that begins in a position, or part of it: of every roll and, with
/// equal shares, of every move.
fn turn_sum(game: &Parchis, start: &State, adds: &impl Fn(&State, &Effect) -> f64) -> f64 {
    let mut sum = 0.0;
    let mut open = vec![(*start, 1.0)];
    while let Some((state, weight)) = open.pop() {
        match game.turn(&state) {
            Turn::Chance(_) => open.extend(game.rolls(&state).iter().map(|&(roll, _)| {
                let mut rolled = state;
                game.roll(&mut rolled, roll);
                (rolled, weight / 6.0)
            })),
            Turn::Decision(_) => {
                let mut moves = Moves::default();
                game.moves(&state, &mut moves);
                let weight = weight / moves.len() as f64;
                for mv in moves.iter() {
                    let mut next = state;
                    let effect = game.apply(&mut next, mv);
                    sum += weight * adds(&state, &effect);
                    if !effect.turn_ends {
                        open.push((next, weight));
                    }
                }
            }
            Turn::Over => {}
        }
    }
    sum
}

/// The chance that a token enters in a turn; entering ends the turn, so there is one at most.
fn entering(text: &str) -> f64 {
    let (game, state) = at("", text);
    turn_sum(&game, &state, &|_, effect| {
        f64::from(u8::from(effect.from == 0 && effect.gained == 1))
    })
}

#[test]
fn the_first_token_enters_with_43_of_216() {
    let enters = entering("A:H,H,H,H B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A");
    assert_near("a turn", enters, 43.0 / 216.0);
    let stays: f64 = 1.0 - enters;
    for (seats, published) in [
        (
            4,
            &[
                0.338_273_467_674,
                0.270_931_990_313,
                0.216_996_455_205,
                0.173_798_086_807,
            ][..],
        ),
        (2, &[216.0 / 389.0, 173.0 / 389.0]),
    ] {
        for (seat, &published) in (0..).zip(published) {
            let first = stays.powi(seat) * enters / (1.0 - stays.powi(seats));
            assert_near(
                &format!("seat {seat} of {seats} is the first"),
                first,
                published,
            );
        }
    }
}

#[test]
fn a_turn_has_43_rolls_in_36_and_three_sixes_once_in_216() {
    let (game, state) = at("", "A:H,H,20,G C:H,H,H,H to=A");
    let rolls = turn_sum(&game, &state, &|_, _| 1.0);
    assert_near("rolls", rolls, 43.0 / 36.0);
    let third = turn_sum(&game, &state, &|state, _| {
        f64::from(u8::from(state.die() == 6 && state.sixes() == 2))
    });
    assert_near("three sixes", third, 1.0 / 216.0);
}

#[test]
fn pips_of_a_turn_in_which_every_roll_is_playable() {
    for (options, text, published) in [
        ("", "A:7,G,G,G C:H,H,H,H to=A", 313.0 / 72.0),
        (
            "six_counts_seven=off",
            "A:7,G,G,G C:H,H,H,H to=A",
            299.0 / 72.0,
        ),
        ("", "A:H,H,H,7 C:H,H,H,H to=A", 341.0 / 108.0),
    ] {
        let (game, state) = at(options, text);
        // Walked, not entered, and not the way back.
        let pips = turn_sum(&game, &state, &|_, effect| {
            if effect.from == 0 {
                0.0
            } else {
                f64::from(effect.gained.max(0))
            }
        });
        assert_near(&format!("{text} {options}"), pips, published);
    }
}

/// The chance that A hits the lone token of C so many squares ahead with its own, its others being
/// where `others` says.
fn hits(ahead: u8, others: &str) -> f64 {
    // C does not walk from 35 to 38, and is safe on some squares.
    let from = (7..11)
        .find(|from| ![12, 17, 22, 29].contains(&(from + ahead)))
        .expect("one of four");
    let text = format!("A:{others},{from} C:H,H,H,{} to=A", from + ahead);
    let (game, state) = at("", &text);
    turn_sum(&game, &state, &|_, effect| {
        f64::from(u8::from(!effect.hits.is_none()))
    })
}

#[test]
fn a_lone_token_hits_what_is_ahead() {
    let chance = |sixes: usize| [6.0, 36.0, 216.0_f64][sixes].recip();
    for ahead in 1..=20 {
        let expected = match ahead {
            1..=5 | 7 => chance(0),
            8..=12 | 14 => chance(1),
            15..=19 => chance(2),
            _ => 0.0,
        };
        assert_near(&format!("{ahead} ahead"), hits(ahead, "G,G,G"), expected);
    }
    for ahead in 1..=17 {
        let expected = match ahead {
            1..=4 | 6 => chance(0),
            7..=10 | 12 => chance(1),
            13..=16 => chance(2),
            _ => 0.0,
        };
        assert_near(
            &format!("{ahead} ahead, some in the yard"),
            hits(ahead, "H,H,H"),
            expected,
        );
    }
}

#[rustfmt::skip]
const LONE_TOKEN: [f64; 71] = [
    21.266_406_135_605, 21.028_237_185_116, 20.789_811_537_813, 20.551_129_050_561, 20.312_189_265_717,
    20.072_992_123_586, 19.833_537_167_237, 19.593_824_020_581, 19.353_852_882_356, 19.113_622_703_148,
    18.873_133_907_192, 18.632_385_318_916, 18.391_377_789_072, 18.150_111_418_155, 17.908_583_573_250,
    17.666_797_879_933, 17.424_748_923_679, 17.182_441_584_707, 16.939_871_128_566, 16.697_038_359_532,
    16.453_954_003_265, 16.210_594_505_826, 15.966_982_557_241, 15.723_092_226_317, 15.478_968_675_381,
    15.234_591_709_084, 14.989_890_444_788, 14.744_972_671_769, 14.499_708_700_981, 14.254_239_895_059,
    14.008_480_283_372, 13.762_385_460_601, 13.516_260_744_006, 13.269_546_261_543, 13.022_969_011_459,
    12.775_765_927_358, 12.528_897_913_225, 12.281_751_252_696, 12.033_206_684_865, 11.786_062_214_808,
    11.536_435_314_551, 11.288_698_197_439, 11.039_532_821_304, 10.793_681_058_481, 10.547_705_768_289,
    10.289_179_117_373, 10.041_529_404_723, 9.784_346_627_542, 9.539_369_083_751, 9.294_657_048_836,
    8.975_402_862_670, 8.751_070_986_537, 8.485_780_358_996, 8.290_340_501_281, 8.045_810_106_740,
    7.824_973_426_466, 7.605_548_159_070, 7.305_733_785_663, 7.230_717_552_716, 6.819_020_360_800,
    6.706_004_163_078, 6.465_611_541_774, 6.259_560_723_514, 6.082_945_736_434, 5.353_488_372_093,
    6.027_906_976_744, 5.023_255_813_953, 5.023_255_813_953, 5.023_255_813_953, 5.023_255_813_953,
    5.023_255_813_953,
];
const LONE_TOKEN_IN_THE_YARD: f64 = 26.289_661_949_558;

/// Everything of a table for one that follows from its last token in the yard, by its place and
/// only where a turn begins.
fn lone_token() -> (HashMap<u8, State>, Solution<Parchis>) {
    let game = Parchis::solitaire(Rules::default()).expect("a table for one");
    let start = game.endgame(1).expect("an endgame");
    let mut begun = HashMap::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if game.turn(&state) != Turn::Chance(A) || state.sixes() > 0 {
            continue;
        }
        let [place, ..] = state.places(A);
        if begun.insert(place, state).is_some() {
            continue;
        }
        for die in 1..=5 {
            let mut next = state;
            game.roll(&mut next, die);
            let mut moves = Moves::default();
            game.moves(&next, &mut moves);
            game.apply(&mut next, moves.get(0));
            open.push(next);
        }
    }
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    let solution = solve(&game, &[start], &mut plays, 1_000_000);
    (begun, solution.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn turns_of_a_lone_last_token() {
    let (begun, solution) = lone_token();
    assert!(solution.optimised.is_none(), "a lone token has no choice");
    let turns = |place: u8| solution.at(&begun[&place]).expect("it was solved").turns;
    assert_near("yard", turns(0), LONE_TOKEN_IN_THE_YARD);
    for (place, published) in (1..).zip(LONE_TOKEN) {
        assert_near(&format!("r = {}", place - 1), turns(place), published);
    }
    assert_near("entering", turns(0) - turns(1), 216.0 / 43.0);
    for place in 67..GOAL {
        assert_near("near the goal", turns(place), 216.0 / 43.0);
    }
    assert_near("r = 65", turns(66), 1296.0 / 215.0);
    assert_near("r = 64", turns(65), 1151.0 / 215.0);
}

/// The chances of A, whose last token needs `mine` squares, against C.
fn lanes(mine: u8, theirs: u8) -> Outlook {
    let text = format!("A:c{},G,G,G C:c{},G,G,G to=A", 8 - mine, 8 - theirs);
    let (game, state) = at("", &text);
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    let solution = solve(&game, &[state], &mut plays, 100_000);
    solution.unwrap_or_else(|error| panic!("{error}")).outlook()
}

#[test]
fn two_lone_tokens_in_their_lanes() {
    let near = [1, 2, 3, 4, 5];
    let published = [
        (&near[..], &near[..], 216.0 / 389.0),
        (&near, &[6], 270_864.0 / 420_509.0),
        (&near, &[7], 52_821_671.0 / 90_829_944.0),
        (&[6], &near, 186_840.0 / 420_509.0),
        (&[6], &[6], 50_659_344.0 / 91_250_453.0),
        (&[6], &[7], 0.477_124_469_727),
        (&[7], &near, 219_701.0 / 420_509.0),
        (&[7], &[6], 0.611_259_529_857),
        (&[7], &[7], 301_024_541.0 / 547_502_718.0),
    ];
    for (mine, theirs, published) in published {
        for &a in mine {
            for &c in theirs {
                let win = lanes(a, c).win[A];
                assert_near(&format!("{a} against {c}"), win, published);
            }
        }
    }
}
