//! The exact solver against the numbers of `docs/rules/mensch.md` (sections 3.1 and 3.3 to 3.5).

use racelab::bots::Bot;
use racelab::engine::game::{Game, MoveSet, RuleSet, Turn};
use racelab::engine::play::{Chooser, Counts, DEFAULT_CAP, SeededDice, play};
use racelab::engine::race::Race;
use racelab::engine::random::BlockKey;
use racelab::engine::seat::{PerSeat, Seat};
use racelab::experiment::exact::{ExactError, Outlook, Play, Solution, solve};
use racelab::experiment::table::TableSpec;
use racelab::games::mensch::{Mensch, Moves, Rules, State, Tries};

const A: Seat = Seat::A;
const BOUND: usize = 5_000_000;

// --- Tables and positions -------------------------------------------------------------------

/// The rules with some options changed: `rules("lane_jump=true tries=1")`.
fn rules(options: &str) -> Rules {
    let mut spec = TableSpec::of("mensch");
    for option in options.split_whitespace() {
        spec.change(option).unwrap();
    }
    spec.rules::<Mensch>().unwrap()
}

fn table(options: &str, seats: &str) -> Mensch {
    Mensch::new(rules(options), seats.parse().unwrap()).unwrap()
}

/// The default table of a position, and the position.
fn at(text: &str) -> (Mensch, State) {
    let game = Mensch::new(Rules::default(), Mensch::seats_of(text).unwrap()).unwrap();
    let state = game.parse(text).unwrap();
    (game, state)
}

/// `"optimal"` for all seats, or one name for each: `"run-home optimal"`.
fn plays(game: &Mensch, names: &str) -> PerSeat<Play<Mensch>> {
    let mut names = names.split_whitespace().cycle();
    let mut plays = PerSeat::from_fn(|_| Play::Optimal);
    for seat in game.seats().iter() {
        plays[seat] = match names.next().unwrap() {
            "optimal" => Play::Optimal,
            name => Play::Bot(Bot::find(name).unwrap().policy().unwrap()),
        };
    }
    plays
}

fn solved(game: &Mensch, state: &State, names: &str) -> Solution<Mensch> {
    solve(game, &[*state], &mut plays(game, names), BOUND).unwrap_or_else(|error| panic!("{error}"))
}

/// Fails when a number differs from the published one by more than its last printed digit.
#[track_caller]
fn assert_digits(what: &str, found: f64, published: &str) {
    let digits = published
        .split_once('.')
        .map_or(0, |(_, after)| after.len());
    let value: f64 = published.parse().unwrap();
    let unit = format!("1e-{digits}").parse::<f64>().unwrap();
    assert!(
        (found - value).abs() <= 0.51 * unit + 1e-14 * value,
        "{what}: {found:.14}, published {published}"
    );
}

// --- Exact enumeration of the first rolls ----------------------------------------------------

/// In lowest terms.
type Fraction = (u128, u128);

/// A way the first rolls can go. Its probability is `weight / 6^max`.
struct Path {
    state: State,
    rolls: u32,
    weight: u128,
    hits: u32,
}

/// Every way the next rolls can go without a choice: until `until` holds, the game is over or
/// `max` rolls were made.
fn paths(game: &Mensch, start: &State, max: u32, until: impl Fn(&State) -> bool) -> Vec<Path> {
    let mut done = Vec::new();
    let mut open = vec![Path {
        state: *start,
        rolls: 0,
        weight: 6u128.pow(max),
        hits: 0,
    }];
    while let Some(path) = open.pop() {
        let over = game.turn(&path.state) == Turn::Over;
        if over || path.rolls == max || path.rolls > 0 && until(&path.state) {
            done.push(path);
            continue;
        }
        for &(roll, weight) in game.rolls(&path.state) {
            let mut state = path.state;
            game.roll(&mut state, roll);
            let mut moves = Moves::default();
            game.moves(&state, &mut moves);
            assert!(moves.is_forced(), "these positions offer no choice");
            let effect = game.apply(&mut state, moves.get(0));
            open.push(Path {
                state,
                rolls: path.rolls + 1,
                weight: path.weight * u128::from(weight) / 6,
                hits: path.hits + effect.hits.iter().map(|(_, count)| count).sum::<u32>(),
            });
        }
    }
    done
}

/// The probability of the paths chosen.
fn chance(paths: &[Path], chosen: impl Fn(&Path) -> bool) -> Fraction {
    let whole: u128 = paths.iter().map(|path| path.weight).sum();
    let part: u128 = paths
        .iter()
        .filter(|path| chosen(path))
        .map(|path| path.weight)
        .sum();
    lowest(part, whole)
}

fn lowest(part: u128, whole: u128) -> Fraction {
    let (mut a, mut b) = (part, whole);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (part / a, whole / a)
}

// --- 3.1: facts ------------------------------------------------------------------------------

#[test]
fn f1_to_f4_leaving_the_yard() {
    let (game, start) = at("A:H,H,H,H C:H,H,H,H to=A tries=3");
    // One series: it ends with a token out or with the turn.
    let series = paths(&game, &start, 3, |state| {
        state.yard(A) < 4 || state.to() != A
    });
    assert_eq!(
        chance(&series, |path| path.state.yard(A) < 4),
        (91, 216),
        "F1"
    );

    let (out, of) = chance(&series, |path| path.state.yard(A) < 4);
    assert_eq!((of, out), (216, 91), "F2: mean of the turns");
    assert_eq!(
        lowest((of - out) * of, out * out),
        (27_000, 8281),
        "F2: variance"
    );

    let rolls: u128 = series
        .iter()
        .map(|path| path.weight * u128::from(path.rolls))
        .sum();
    assert_eq!(lowest(rolls, 216), (91, 36), "F3: rolls of a series");
    assert_eq!(lowest(91 * of, 36 * out), (6, 1), "F3: rolls until out");

    let stays = 1.0 - out as f64 / of as f64;
    for (turns, published) in [
        (1, "0.578703703704"),
        (2, "0.334897976680"),
        (3, "0.193806699468"),
        (5, "0.064905471519"),
        (10, "0.004212720233"),
    ] {
        assert_digits("F4", stays.powi(turns), published);
    }
}

#[test]
fn f5_and_f6_who_is_out_first() {
    for (seats, published) in [
        ("AC", &["0.633431085044", "0.366568914956"][..]),
        (
            "ABC",
            &["0.522574791949", "0.302415967563", "0.175009240488"],
        ),
    ] {
        let game = table("", seats);
        let out = |state: &State| game.seats().iter().any(|seat| state.yard(seat) < 4);
        let round = paths(&game, &game.start(A), 3 * seats.len() as u32, |state| {
            out(state) || state.to() == A && game.tries(state) == 3
        });
        let (any, of) = chance(&round, |path| out(&path.state));
        for (seat, published) in game.seats().iter().zip(published) {
            let (own, whole) = chance(&round, |path| path.state.yard(seat) < 4);
            let first = own as f64 / whole as f64 / (any as f64 / of as f64);
            assert_digits(&format!("{seats} {seat}"), first, published);
        }
    }
}

/// The offsets of the tokens of A on the board.
fn offsets(state: &State) -> Vec<u8> {
    state.on_board(A).map(|place| place - 1).collect()
}

/// The chances after the first turn of A: of these tokens on the board when it ends, and of two
/// tokens out. Paths stop with the turn, or before the first choice, when two are out for good.
fn first_turn(game: &Mensch) -> (impl Fn(&[u8]) -> Fraction + use<>, Fraction) {
    let turn = paths(game, &game.start(A), 8, |state| {
        state.to() != A || state.yard(A) <= 2 && !offsets(state).contains(&0)
    });
    let two_out = chance(&turn, |path| path.state.yard(A) <= 2);
    let ends_on = move |tokens: &[u8]| {
        chance(&turn, |path| {
            path.state.to() != A && offsets(&path.state) == tokens
        })
    };
    (ends_on, two_out)
}

#[test]
fn f9_the_position_after_the_first_turn() {
    for seats in ["AC", "ABC", "ABCD"] {
        let (ends_on, two_out) = first_turn(&table("", seats));
        assert_eq!(ends_on(&[]), (125, 216));
        for k in 1..=5 {
            assert_eq!(ends_on(&[k]), (91, 1296), "{k}");
            assert_eq!(ends_on(&[6 + k]), (91, 7776), "{}", 6 + k);
            assert_eq!(ends_on(&[k, 6]), (91, 46_656), "{k}, 6");
        }
        assert_eq!(two_out, (91, 7776));
    }
}

#[test]
fn f10_the_position_after_the_first_turn_with_one_out() {
    for seats in ["AC", "ABC", "ABCD"] {
        let (ends_on, two_out) = first_turn(&table("one_out=true", seats));
        for k in 1..=5 {
            assert_eq!(ends_on(&[k]), (1, 6), "{k}");
            assert_eq!(ends_on(&[6 + k]), (1, 36), "{}", 6 + k);
            assert_eq!(ends_on(&[k, 6]), (1, 216), "{k}, 6");
        }
        assert_eq!(two_out, (1, 36));
    }
}

#[test]
fn f12_to_f14_the_last_token() {
    let game = Mensch::solitaire(Rules::default());
    let start = game.endgame(1).unwrap();
    let solution = solved(&game, &start, "optimal");
    let outlook = solution.at(&start).unwrap();
    assert_digits("F14 turns", outlook.turns, "15.865693854316");
    assert_digits("F14 rolls", outlook.rolls, "22.190480976828");

    // Bring the token out and walk it one by one: on offset 0 it has 40 steps to L1.
    let step = |state: &mut State, die: u8| {
        game.roll(state, die);
        let mut moves = Moves::default();
        game.moves(state, &mut moves);
        game.apply(state, moves.get(0));
    };
    let mut state = start;
    step(&mut state, 6);
    let mut left = vec![];
    for _ in 0..40 {
        let outlook = solution.at(&state).unwrap();
        left.push((outlook.rolls, outlook.turns));
        step(&mut state, 1);
    }
    left.reverse();
    // 41 to 43 steps, which the page lists too, no last token can have before it.
    let left = |k: usize| left[k - 1];
    for k in 1..=6 {
        assert_digits("R", left(k).0, "6.0000000000000");
        assert_digits("T", left(k).1, "6.0000000000000");
    }
    for (k, rolls) in [
        (7, 7.0),
        (8, 43.0 / 6.0),
        (9, 265.0 / 36.0),
        (10, 1639.0 / 216.0),
        (11, 10177.0 / 1296.0),
        (12, 63463.0 / 7776.0),
    ] {
        assert_digits(&format!("R({k})"), left(k).0, &format!("{rolls:.13}"));
    }
    for (k, published) in [
        (20, "10.476468718077"),
        (30, "13.333483619142"),
        (40, "16.190480976828"),
    ] {
        assert_digits(&format!("R({k})"), left(k).0, published);
    }
    for (k, published) in [
        (7, "6.833333333333"),
        (8, "6.972222222222"),
        (9, "7.134259259259"),
        (10, "7.323302469136"),
        (11, "7.543852880658"),
        (12, "7.801161694102"),
        (20, "9.730390598398"),
        (30, "12.111236349285"),
        (40, "14.492067480690"),
    ] {
        assert_digits(&format!("T({k})"), left(k).1, published);
    }
}

#[test]
fn f15_rolls_of_a_turn_in_which_every_six_is_playable() {
    let (game, state) = at("A:r0,L2,L3,L4 C:H,H,H,H to=A");
    let turn = paths(&game, &state, 5, |state| state.to() != A);
    for j in 1..5 {
        let ends = |path: &Path| path.state.to() != A && path.rolls == j;
        assert_eq!(chance(&turn, ends), (5, 6u128.pow(j)), "{j} rolls");
    }
    // Each roll walks its number: the mean advance of the first roll is 7/2, of the turn
    // 7/2 · 6/5 = 21/5.
    let first = paths(&game, &state, 1, |_| true);
    let pips: u128 = first
        .iter()
        .map(|path| {
            path.weight * u128::from(game.progress(&path.state, A) - game.progress(&state, A))
        })
        .sum();
    assert_eq!(lowest(pips, 6), (7, 2));
}

#[test]
fn f17_a_lone_runner_behind_hits_with_a_sixth_for_each_six_pips() {
    for k in 1..=18u32 {
        let (game, state) = at(&format!("A:r2,L2,L3,L4 C:r{},L2,L3,L4 to=A", 2 + k));
        let turn = paths(&game, &state, 6, |state| state.to() != A);
        let expected = (1, 6u128.pow(k.div_ceil(6)));
        assert_eq!(chance(&turn, |path| path.hits > 0), expected, "{k} behind");
    }
}

#[test]
fn f18_a_token_on_the_start_of_an_enemy_in_its_three_tries() {
    let (game, state) = at("A:H,H,H,H C:H,H,H,r0 to=A tries=3");
    let turn = paths(&game, &state, 3, |state| {
        state.to() != A || state.yard(A) < 4
    });
    assert_eq!(chance(&turn, |path| path.hits > 0), (91, 216));
}

#[test]
fn f19_an_end_race_is_won_by_the_mover_with_six_elevenths() {
    for a in 1..=6 {
        for c in 1..=6 {
            let (game, state) = at(&format!(
                "A:r{},L2,L3,L4 C:r{},L2,L3,L4 to=A",
                40 - a,
                20 - c
            ));
            let win = solved(&game, &state, "optimal").outlook().win[A];
            assert!((win - 6.0 / 11.0).abs() < 1e-14, "{a} against {c}: {win}");
        }
    }
}

// --- 3.3: one player -------------------------------------------------------------------------

#[test]
fn solitaire() {
    for (jump, play, turns, rolls) in [
        (false, "random", "63.844952688026", "77.224348439402"),
        (false, "run-home", "51.841965992992", "65.418959157710"),
        (false, "optimal", "50.895075107625", "64.476320509556"),
        (true, "random", "51.238671037933", "64.753972445064"),
        (true, "run-home", "50.399733874149", "63.987042893295"),
        (true, "optimal", "50.377318170640", "63.963739819496"),
    ] {
        let alone = |one_out| {
            let game = Mensch::solitaire(Rules {
                lane_jump: jump,
                one_out,
                ..Rules::default()
            });
            solved(&game, &game.start(A), play).outlook()
        };
        let found = alone(false);
        assert_digits(&format!("{play}, jump {jump}, turns"), found.turns, turns);
        assert_digits(&format!("{play}, jump {jump}, rolls"), found.rolls, rolls);
        assert_digits("win", found.win[A], "1.000000000000");

        // A token that is out already saves the way out, whoever plays.
        let head_start = alone(true);
        assert_digits(play, found.turns - head_start.turns, "1.373626373626");
        assert_digits(play, found.rolls - head_start.rolls, "6.000000000000");
    }
}

#[test]
fn solitaire_with_a_single_try() {
    let game = Mensch::solitaire(Rules {
        tries: Tries::One,
        ..Rules::default()
    });
    let found = solved(&game, &game.start(A), "run-home").outlook();
    assert_digits("turns", found.turns, "55.774377919202");
    assert_digits("rolls", found.rolls, "65.418959157710");
}

/// Nothing ties solitaire positions together but rolls that move nothing.
#[test]
fn solitaire_takes_one_component_for_a_position() {
    let game = Mensch::solitaire(Rules::default());
    let solution = solved(&game, &game.start(A), "random");
    // The own configurations of section 3.8, all won ones as one, and the tries of those in
    // which a series of three is rolled.
    assert_eq!(solution.components, 149_986);
    assert_eq!(solution.states, 149_986 - 1 + 4 * 2);
}

// --- 3.4: one runner each --------------------------------------------------------------------

#[track_caller]
fn assert_row(what: &str, found: &Outlook, game: &Mensch, win: &[&str], counts: [&str; 3]) {
    for (seat, published) in game.seats().iter().zip(win) {
        assert_digits(&format!("{what}: {seat} wins"), found.win[seat], published);
    }
    assert_digits(&format!("{what}: turns"), found.turns, counts[0]);
    assert_digits(&format!("{what}: rolls"), found.rolls, counts[1]);
    assert_digits(&format!("{what}: captures"), found.captures, counts[2]);
}

#[test]
fn one_runner_each() {
    for (seats, options, win, counts) in [
        (
            "AC",
            "",
            ["0.520915547322", "0.479084452678"],
            ["25.829379264059", "39.428669734416", "0.237851916239"],
        ),
        (
            "AB",
            "",
            ["0.497295993750", "0.502704006250"],
            ["26.384092085046", "40.793989002841", "0.405144073243"],
        ),
        (
            "AC",
            "tries=1",
            ["0.515980191435", "0.484019808565"],
            ["31.509420386072", "36.611304463287", "0.259050500555"],
        ),
    ] {
        let game = table(options, seats);
        let solution = solved(&game, &game.endgame(1).unwrap(), "optimal");
        assert!(solution.optimised.is_none(), "one runner leaves no choice");
        let what = format!("{seats} {options}");
        assert_row(&what, &solution.outlook(), &game, &win, counts);
    }
}

#[test]
fn one_runner_each_on_its_start_cell() {
    let game = table("", "AC");
    let on_start = game.parse("A:r0,L2,L3,L4 C:r20,L2,L3,L4 to=A").unwrap();
    assert_row(
        "on the start cells",
        &solved(&game, &on_start, "optimal").outlook(),
        &game,
        &["0.526524836897", "0.473475163103"],
        ["22.833563536968", "26.719615268950", "0.132676572692"],
    );
}

/// Three seats may be solved `optimal` as long as nobody has a choice; chances add up to 1.
#[test]
fn one_runner_each_of_three() {
    let game = table("", "ABC");
    let found = solved(&game, &game.endgame(1).unwrap(), "optimal").outlook();
    let sum: f64 = found.win.as_array().iter().sum();
    assert!((sum - 1.0).abs() < 1e-13, "{sum}");
    assert_simulated(&game, &found, 200_000);
}

struct First;

impl Chooser<Mensch> for First {
    fn choose(&mut self, _: &Mensch, state: &State, _: Seat, _: &Moves) -> usize {
        panic!("{state:?} offers a choice");
    }
}

/// Plays the one-runner endgame and compares at four standard errors.
fn assert_simulated(game: &Mensch, exact: &Outlook, games: u64) {
    let start = game.endgame(1).unwrap();
    let mut moves = Moves::default();
    let mut wins = PerSeat::<u64>::default();
    let mut turns = (0.0, 0.0);
    let mut captures = (0.0, 0.0);
    for block in 0..games {
        let mut dice = SeededDice::new(BlockKey::new(2024, block));
        let mut counts = Counts::default();
        let played = play(
            game,
            start,
            &mut dice,
            &mut First,
            &mut counts,
            &mut moves,
            DEFAULT_CAP,
        );
        for seat in game.seats().iter() {
            wins[seat] += u64::from(played.standing.places[seat] == 1);
        }
        let add = |sums: &mut (f64, f64), value: u32| {
            sums.0 += f64::from(value);
            sums.1 += f64::from(value).powi(2);
        };
        add(&mut turns, counts.turns());
        add(&mut captures, counts.captures.as_array().iter().sum());
    }
    let n = games as f64;
    let check = |what: &str, (sum, squares): (f64, f64), expected: f64| {
        let mean = sum / n;
        let error = ((squares / n - mean * mean) / n).sqrt();
        assert!(
            (mean - expected).abs() < 4.0 * error,
            "{what}: {mean} ± {error}, exact {expected}"
        );
    };
    for seat in game.seats().iter() {
        let wins = wins[seat] as f64;
        check(&format!("{seat} wins"), (wins, wins), exact.win[seat]);
    }
    check("turns", turns, exact.turns);
    check("captures", captures, exact.captures);
}

#[test]
fn one_runner_each_played_a_million_times() {
    for (seats, options) in [("AC", ""), ("AB", ""), ("AC", "tries=1")] {
        let game = table(options, seats);
        let exact = solved(&game, &game.endgame(1).unwrap(), "optimal").outlook();
        assert_simulated(&game, &exact, 330_000);
    }
}

// --- 3.5: two runners each -------------------------------------------------------------------

#[track_caller]
fn assert_two_runners(options: &str, play: &str, win: &str, turns: &str, on_start: &str) {
    let game = table(options, "AC");
    // Neither position can follow the other.
    let in_yard = game.endgame(2).unwrap();
    let half_out = game.parse("A:H,r0,L3,L4 C:H,r20,L3,L4 to=A").unwrap();
    let starts = [in_yard, half_out];
    let solution = solve(&game, &starts, &mut plays(&game, play), BOUND).unwrap();
    let what = format!("{options} {play}");
    let found = solution.outlook();
    assert_digits(&what, found.win[A], win);
    assert_digits(&what, found.turns, turns);
    assert_digits(&what, solution.at(&half_out).unwrap().win[A], on_start);
    // With lane jumps some choices are ties, which change neither chances nor turns.
    let ties = solution.optimised.map_or(0, |best| best.ties);
    assert!(ties == 0 || game.rules().lane_jump, "{what}: {ties} ties");
}

#[test]
fn two_runners_front_against_front() {
    assert_two_runners(
        "",
        "run-home",
        "0.513829800025",
        "54.390019",
        "0.515962878575",
    );
}

#[test]
#[ignore = "half a minute"]
fn two_runners_random_against_random() {
    assert_two_runners(
        "",
        "random",
        "0.510041843120",
        "60.443629",
        "0.510695123929",
    );
}

#[test]
#[ignore = "half a minute"]
fn two_runners_optimal() {
    assert_two_runners(
        "",
        "optimal",
        "0.510482548089",
        "57.788688",
        "0.511051807605",
    );
}

#[test]
#[ignore = "half a minute"]
fn two_runners_optimal_with_free_captures() {
    assert_two_runners(
        "forced_capture=false",
        "optimal",
        "0.510465608207",
        "57.702065",
        "0.511026289137",
    );
}

#[test]
#[ignore = "half a minute"]
fn two_runners_optimal_with_lane_jumps() {
    assert_two_runners(
        "lane_jump=true",
        "optimal",
        "0.510378568796",
        "56.289938",
        "0.510759017639",
    );
}

#[test]
#[ignore = "half a minute"]
fn two_runners_optimal_against_front() {
    for (play, win, turns, on_start) in [
        (
            "optimal run-home",
            "0.560880128448",
            "55.950318",
            "0.559679905393",
        ),
        (
            "run-home optimal",
            "0.462950381213",
            "56.264401",
            "0.466192509076",
        ),
    ] {
        assert_two_runners("", play, win, turns, on_start);
    }
}

#[test]
#[ignore = "half a minute"]
fn two_runners_optimal_against_front_with_free_captures() {
    for (play, win, turns, on_start) in [
        (
            "optimal run-home",
            "0.587555302628",
            "54.295434",
            "0.587309813132",
        ),
        (
            "run-home optimal",
            "0.437816786815",
            "54.698881",
            "0.440214435676",
        ),
    ] {
        assert_two_runners("forced_capture=false", play, win, turns, on_start);
    }
}

// --- Refusals --------------------------------------------------------------------------------

#[test]
fn more_than_two_seats_cannot_all_play_optimally() {
    let game = table("", "ABC");
    let refused = solve(
        &game,
        &[game.endgame(2).unwrap()],
        &mut plays(&game, "optimal"),
        BOUND,
    );
    let seats = game.seats();
    assert_eq!(refused.err(), Some(ExactError::ManyOptimal { seats }));
}

#[test]
fn a_game_with_too_many_positions_is_refused_before_memory_ends() {
    let game = table("", "AC");
    let refused = solve(&game, &[game.start(A)], &mut plays(&game, "random"), 10_000);
    match refused.err() {
        Some(ExactError::TooManyStates {
            found,
            open,
            bound: 10_000,
        }) => {
            assert!(
                found > 10_000 && found < 10_100 && open > 0,
                "{found}, {open}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// Every rule set that is offered can be solved near the end of the game.
#[test]
fn every_preset_solves_its_one_runner_endgame() {
    for preset in Rules::presets() {
        for seats in ["AC", "AB"] {
            let game = Mensch::new(preset.rules.clone(), seats.parse().unwrap()).unwrap();
            let found = solved(&game, &game.endgame(1).unwrap(), "random").outlook();
            let sum: f64 = found.win.as_array().iter().sum();
            assert!((sum - 1.0).abs() < 1e-13, "{}: {sum}", preset.name);
        }
    }
}
