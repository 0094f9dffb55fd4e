//! The exact solver against the numbers 003 of the rules page of Parchís: sections 4.1 to 4.3.

use racelab::engine::game::{Game, MoveSet, Turn};
use racelab::engine::race::Race;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{Play, Solution, solve};
use racelab::experiment::table::TableSpec;
use racelab::games::chinczyk::{Chinczyk, Move, Moves, State};

const A: Seat = Seat::A;
const BOUND: usize = 5_000_000;

fn table(options: &str, seats: &str) -> Chinczyk {
    let mut spec = TableSpec::of("chinczyk");
    spec.seats = Some(seats.parse().expect("seats"));
    for option in options.split_whitespace() {
        spec.change(option).expect("option=value");
    }
    spec.game().expect("a table")
}

fn solved(game: &Chinczyk, starts: &[State]) -> Solution<Chinczyk> {
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    solve(game, starts, &mut plays, BOUND).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_near(what: &str, found: f64, published: &str) {
    let value: f64 = published.parse().expect("a number");
    assert!(
        (found - value).abs() <= 1e-9,
        "{what}: {found:.12}, published {published}"
    );
}

#[track_caller]
fn assert_fraction(what: &str, found: f64, (part, whole): (u32, u32)) {
    let expected = f64::from(part) / f64::from(whole);
    assert!(
        (found - expected).abs() < 1e-12,
        "{what}: {found}, published {part}/{whole}"
    );
}

// --- 4.1: dice and entry --------------------------------------------------------------------

/// Every roll of a position with its chance, and the legal moves after it.
fn rolled(game: &Chinczyk, state: &State) -> impl Iterator<Item = (f64, State, Moves)> {
    game.rolls(state).iter().map(|&(roll, weight)| {
        let mut next = *state;
        game.roll(&mut next, roll);
        let mut moves = Moves::default();
        game.moves(&next, &mut moves);
        (f64::from(weight) / 36.0, next, moves)
    })
}

/// What a turn that declines everything is expected to add up to, when a roll with these moves
/// adds `gain`, or ends the turn with it. Rolls that change nothing are a geometric series.
fn turn(game: &Chinczyk, state: &State, gain: &impl Fn(&Moves) -> (f64, bool)) -> f64 {
    let (mut sum, mut again) = (0.0, 0.0);
    for (chance, mut next, moves) in rolled(game, state) {
        let (gained, ends) = gain(&moves);
        sum += chance * gained;
        if ends || game.apply(&mut next, moves.get(moves.len() - 1)).turn_ends {
            continue;
        }
        if next == *state {
            again += chance;
        } else {
            sum += chance * turn(game, &next, gain);
        }
    }
    sum / (1.0 - again)
}

/// The chance that a token enters in the turn of a seat with all four in the yard, which enters
/// when it can.
fn enters(game: &Chinczyk) -> f64 {
    turn(game, &game.start(A), &|moves| {
        let enters = moves.get(0) != Move::PASS;
        (f64::from(u8::from(enters)), enters)
    })
}

#[test]
fn leaving_the_yard() {
    for (options, expected) in [
        ("", (5, 12)),
        ("enter_on=die", (11, 36)),
        ("stuck_doublet_rerolls=true", (11_245, 23_328)),
        ("stuck_doublet_rerolls=true triple_doublet=off", (15, 31)),
        ("stuck_doublet_rerolls=true enter_on=die", (8243, 23_328)),
        (
            "stuck_doublet_rerolls=true enter_on=die triple_doublet=off",
            (11, 31),
        ),
    ] {
        let game = table(options, "ABCD");
        assert_fraction(options, enters(&game), expected);
    }
}

/// The first to enter, when each enters in a turn with the same chance.
#[test]
fn who_enters_first() {
    for (seats, options, published) in [
        (
            "ABCD",
            "",
            &[
                "0.471229888192",
                "0.274884101445",
                "0.160349059176",
                "0.093536951186",
            ][..],
        ),
        (
            "ABCD",
            "enter_on=die",
            &[
                "0.398153284235",
                "0.276495336275",
                "0.192010650191",
                "0.133340729299",
            ],
        ),
        ("AC", "", &["0.631578947368", "0.368421052632"]),
    ] {
        let game = table(options, seats);
        let enters = enters(&game);
        let round = 1.0
            - game
                .seats()
                .iter()
                .fold(1.0, |stays, _| stays * (1.0 - enters));
        for (turn, published) in (0..).zip(published) {
            let first = (1.0 - enters).powi(turn) * enters / round;
            assert_near(&format!("{seats} {options} {turn}"), first, published);
        }
    }
}

#[test]
fn rolls_of_a_turn_that_is_never_stuck() {
    let text = "A:H,H,H,20 C:H,H,H,H to=A";
    for (options, expected) in [("", (43, 36)), ("triple_doublet=off", (6, 5))] {
        let game = table(options, "AC");
        let state = game.parse(text).expect("a position");
        assert_fraction(options, turn(&game, &state, &|_| (1.0, false)), expected);
    }
}

#[test]
fn fives() {
    let game = table("", "AC");
    let chance = |holds: &dyn Fn(&str) -> bool| -> f64 {
        let rolls = game.rolls(&game.start(A)).iter();
        let held = rolls.filter(|&&(roll, _)| holds(&game.roll_text(roll)));
        held.map(|&(_, weight)| f64::from(weight) / 36.0).sum()
    };
    let sum = |roll: &str| ["1-4", "2-3"].contains(&roll);
    let doublet = |roll: &str| roll.as_bytes()[0] == roll.as_bytes()[2];
    assert_fraction("some die 5", chance(&|roll| roll.contains('5')), (11, 36));
    assert_fraction("sum 5", chance(&sum), (1, 9));
    assert_fraction(
        "either",
        chance(&|roll| sum(roll) || roll.contains('5')),
        (5, 12),
    );
    assert_fraction("5-5", chance(&|roll| roll == "5-5"), (1, 36));
    assert_fraction("doublet", chance(&doublet), (1, 6));
}

// --- 4.2: a lone last token -------------------------------------------------------------------

/// The positions of a lone last token at the start of a turn, by its place.
fn lone_token(game: &Chinczyk) -> Vec<State> {
    let start = game.endgame(1).expect("a runner");
    let mut found = vec![None; 72];
    let mut open = vec![(start, true)];
    let mut seen = std::collections::HashSet::new();
    while let Some((state, is_new)) = open.pop() {
        if !seen.insert((state, is_new)) {
            continue;
        }
        match game.turn(&state) {
            Turn::Over => {}
            Turn::Chance(_) => {
                let place = game.progress(&state, A) - 3 * 72;
                if is_new {
                    found[place as usize] = Some(state);
                }
                for &(roll, _) in game.rolls(&state) {
                    let mut next = state;
                    game.roll(&mut next, roll);
                    open.push((next, false));
                }
            }
            Turn::Decision(_) => {
                let mut moves = Moves::default();
                game.moves(&state, &mut moves);
                for mv in moves.iter() {
                    let mut next = state;
                    let effect = game.apply(&mut next, mv);
                    open.push((next, effect.turn_ends));
                }
            }
        }
    }
    found
        .into_iter()
        .map(|state| state.expect("every place is reached"))
        .collect()
}

/// Turns left of a lone last token: in the yard, then on r = 0 to 70.
#[rustfmt::skip]
const LONE: [&str; 72] = [
    "12.213531270140",    "10.492701286123",    "10.371045422174",    "10.249321527577",
    "10.127529754963",    "10.005669782767",    "9.883741869173",    "9.761745541064",
    "9.639681238590",    "9.517548420949",    "9.395347705445",    "9.273078506707",
    "9.150741413282",    "9.028335934460",    "8.905862102138",    "8.783319791484",
    "8.660708065741",    "8.538028159452",    "8.415278308046",    "8.292462412018",
    "8.169575999573",    "8.046626054016",    "7.923601889642",    "7.800515222169",
    "7.677350772847",    "7.554125734798",    "7.430816855377",    "7.307453908098",
    "7.184000795664",    "7.060515050773",    "6.936939901144",    "6.813333882919",
    "6.689613684778",    "6.565840055618",    "6.441928770617",    "6.318004399550",
    "6.194024490754",    "6.069931369842",    "5.945917373202",    "5.821542006191",
    "5.697613612911",    "5.573003065065",    "5.449247777444",    "5.323794693047",
    "5.199788996715",    "5.073568660914",    "4.950418212568",    "4.825590532462",
    "4.702448846773",    "4.576126667522",    "4.449719075854",    "4.324871302378",
    "4.200430088100",    "4.081611277354",    "3.946819512106",    "3.818936395424",
    "3.687312668856",    "3.575751877523",    "3.467019018801",    "3.390196255142",
    "3.171398384055",    "2.991250176665",    "2.918145558058",    "2.846087387562",
    "2.834307985330",    "2.769001867382",    "2.047452868234",    "2.141697424493",
    "2.339030663240",    "2.469092050643",    "2.727446339070",    "2.914644727730",
];

#[test]
fn a_lone_token_goes_home_as_fast_as_it_can() {
    let game = lone("");
    let states = lone_token(&game);
    let solution = solved(&game, &states);
    for (place, (state, published)) in states.iter().zip(LONE).enumerate() {
        let turns = solution.at(state).expect("was solved").turns;
        assert_near(&format!("place {place}"), turns, published);
    }
}

fn lone(options: &str) -> Chinczyk {
    Chinczyk::solitaire(table(options, "AC").rules().clone()).expect("a table for one")
}

#[test]
fn a_lone_token_by_other_rules() {
    for (options, published) in [
        (
            "passing=false",
            &[
                (0, "12.615017983"),
                (1, "10.894188242"),
                (64, "3.216907623"),
                (66, "2.447173251"),
                (71, "2.918264769"),
            ][..],
        ),
        ("enter_on=die", &[(0, "12.868251098"), (1, "10.519613655")]),
    ] {
        let game = lone(options);
        let states = lone_token(&game);
        let solution = solved(&game, &states);
        for &(place, published) in published {
            let turns = solution.at(&states[place]).expect("was solved").turns;
            assert_near(&format!("{options} place {place}"), turns, published);
        }
    }
}

// --- 4.3: a race of two last tokens -------------------------------------------------------------

/// The chance of the seat to roll, by its steps to the goal and then the other's.
#[rustfmt::skip]
const RACE: [[&str; 7]; 7] = [
    ["0.606554899954", "0.592722811580", "0.566496211590", "0.555423275854", "0.531414203474", "0.522550073360", "0.622778631177"],
    ["0.628029020328", "0.614455292967", "0.588511337394", "0.577581583232", "0.553680908255", "0.544889198032", "0.645668001680"],
    ["0.668780196847", "0.656016533214", "0.631257007320", "0.620852464679", "0.597733930167", "0.589276076226", "0.689105203890"],
    ["0.685975587964", "0.673519078930", "0.649208783658", "0.639005845489", "0.616191143331", "0.607863522258", "0.707276340102"],
    ["0.723288751676", "0.711812114084", "0.689130030230", "0.679620392033", "0.658065279072", "0.650224020639", "0.746504784113"],
    ["0.737055978580", "0.725892179410", "0.703725371504", "0.694438728378", "0.673287174916", "0.665603995423", "0.760839475085"],
    ["0.581304947655", "0.564438176314", "0.531358425941", "0.517477146554", "0.486267785527", "0.474888368437", "0.612446629421"],
];

/// The square of A or C so many steps before its goal.
fn square(seat: char, steps: usize) -> String {
    match (seat, steps) {
        (_, 72) => "H".to_owned(),
        ('A', 71) => "5".to_owned(),
        ('A', 8) => "68".to_owned(),
        ('C', 71) => "39".to_owned(),
        ('C', 8) => "34".to_owned(),
        _ => format!("c{}", 8 - steps),
    }
}

/// Nobody captures, and two single tokens form no blockade: all contact there could be.
#[test]
fn two_last_tokens_race() {
    let game = table("captures=false", "AC");
    let at = |mover, other| {
        let (mover, other) = (square('A', mover), square('C', other));
        let text = format!("A:{mover},G,G,G C:{other},G,G,G to=A");
        game.parse(&text).expect("a position")
    };
    let solution = solved(&game, &[at(72, 72)]);
    let wins = |mover, other| solution.at(&at(mover, other)).expect("was solved").win[A];
    for (mover, row) in (1..).zip(RACE) {
        for (other, published) in (1..).zip(row) {
            assert_near(&format!("{mover} v {other}"), wins(mover, other), published);
        }
    }
    assert_near("both in the yard", wins(72, 72), "0.555506493477");
    assert_near("both on their start", wins(71, 71), "0.568227201274");
    assert_near("8 v 8", wins(8, 8), "0.613533695309");
}
