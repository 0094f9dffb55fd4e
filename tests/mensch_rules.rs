//! Mensch ärgere dich nicht against its rules page: the positions and dice of section 4, the
//! counts of 3.7, the structural facts of 3.6 and the exact numbers of 3.1.

#[path = "support/mensch_examples.rs"]
mod mensch_examples;
#[path = "support/mensch_positions.rs"]
mod mensch_positions;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use mensch_examples::{EXAMPLES, MAY_PASS, MAY_PASS_OPTIONS, PERFT, SEQUENCES, SWITCHES, TRIES};
use mensch_positions::{Draft, SEATS, YARD, offsets};
use proptest::prelude::*;
use racelab::engine::game::{Effect, Game, MoveSet, Script, Turn};
use racelab::engine::perft::perft_parallel;
use racelab::engine::play::{Chooser, Dice, Observer, SeededDice, play};
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::results::result_set;
use racelab::engine::seat::Seat;
use racelab::experiment::table::TableSpec;
use racelab::games::mensch::{Distance, Mensch, Move, Moves, Rules, State};

/// The table of a position with some options set, `lane_jump=true tries=1`, and the position.
fn table(options: &str, text: &str) -> (Mensch, State) {
    let mut spec = TableSpec::of("mensch");
    spec.seats = Some(Mensch::seats_of(text).expect("a position"));
    for option in options.split_whitespace() {
        spec.change(option).expect("option=value");
    }
    let game: Mensch = spec.game().expect("a table");
    let state = game.parse(text).expect("a position");
    (game, state)
}

/// The legal moves with a die.
fn legal(game: &Mensch, state: &State, die: u8) -> (State, Vec<Move>) {
    let mut rolled = *state;
    game.roll(&mut rolled, die);
    let mut moves = Moves::default();
    game.moves(&rolled, &mut moves);
    (rolled, moves.iter().collect())
}

/// The legal moves with a die as the rules page writes them.
fn names(game: &Mensch, state: &State, die: u8) -> Vec<String> {
    let (rolled, moves) = legal(game, state, die);
    moves
        .iter()
        .map(|&mv| game.move_text(&rolled, mv))
        .collect()
}

/// The names of the moves that move a token.
fn moving(game: &Mensch, state: &State, die: u8) -> BTreeSet<String> {
    let names = names(game, state, die);
    names
        .into_iter()
        .filter(|name| name != "–" && name != "pass")
        .collect()
}

#[test]
fn examples_have_the_legal_moves_and_the_next_roll_of_the_rules_page() {
    for (id, text, options, die, moves, next) in EXAMPLES.iter().chain(SWITCHES) {
        let (game, state) = table(options, text);
        let found = names(&game, &state, *die).join(" ");
        assert_eq!(found, *moves, "{id}: {text} {options} die {die}");
        let faces = [i64::from(*die)];
        for result in result_set(&game, &state, &faces).expect("a die") {
            let ends = result.ends_with(&format!(" {next}"));
            assert!(
                ends,
                "{id}: {text} {options} die {die}: {result}, not {next}"
            );
        }
    }
}

#[test]
fn any_roll_may_be_declined_with_may_pass() {
    for (text, die, expected) in MAY_PASS {
        let (game, state) = table(MAY_PASS_OPTIONS, text);
        let found = result_set(&game, &state, &[i64::from(*die)]).expect("a die");
        assert_eq!(found, *expected, "{text} die {die}");
    }
}

/// P12: the turn of A comes after C has walked one cell.
#[test]
fn three_tries_need_an_empty_ring_and_a_lane_closed_from_the_end() {
    for (cells, tries) in TRIES {
        let text = format!("A:{cells} C:H,H,H,r25 to=C");
        for (options, expected) in [("", *tries), ("lane_jump=true", *tries), ("tries=1", 1)] {
            let (game, state) = table(options, &text);
            let (mut after, moves) = legal(&game, &state, 1);
            game.apply(&mut after, moves[0]);
            let expected = if expected == 3 {
                "to=A tries=3"
            } else {
                "to=A"
            };
            let after = game.print(&after);
            assert!(after.ends_with(expected), "{cells} {options}: {after}");
        }
    }
}

/// P24 and P24b, with both readings of A17.
#[test]
fn ranking_counts_lane_tokens_then_distance_and_shares_places() {
    let p24 = "A:L1,L2,L3,L4 B:H,r9,L2,L4 C:H,r19,r18,L4 D:H,H,L1,L4 won=A";
    let p24b = "A:L1,L2,L3,L4 B:H,H,H,H C:H,H,H,H D:H,H,H,r30 won=A";
    for (text, options, expected) in [
        (p24, "", [1, 2, 4, 3]),
        (p24, "distance=from-start", [1, 2, 4, 3]),
        (p24b, "", [1, 3, 3, 2]),
        (p24b, "distance=from-start", [1, 2, 2, 2]),
    ] {
        let (game, state) = table(options, text);
        let places = game.standing(&state).places;
        assert_eq!(places.as_array()[..4], expected, "{text} {options}");
    }
    let (game, state) = table("", p24);
    let progress = [0, 1, 2, 3].map(|seat| game.progress(&state, Seat::new(seat)));
    assert_eq!(progress, [170, 126, 123, 85]);
    assert_eq!(game.rules().distance, Distance::FromYard);
}

/// Dice written down in advance. Whoever plays with them must use them all.
struct Scripted<'a>(Script<'a>);

impl Dice<Mensch> for Scripted<'_> {
    fn roll(&mut self, game: &Mensch, state: &State, _: Seat) -> u8 {
        game.read_roll(state, &mut self.0).expect("a die is left")
    }
}

/// Nobody is to be asked.
struct Forced;

impl Chooser<Mensch> for Forced {
    fn choose(&mut self, game: &Mensch, state: &State, _: Seat, moves: &Moves) -> usize {
        panic!("a choice between {moves:?} at {}", game.print(state))
    }
}

/// What was played, and the position it led to.
#[derive(Default)]
struct Record {
    moves: Vec<String>,
    reached: String,
}

impl Observer<Mensch> for Record {
    fn moving(&mut self, game: &Mensch, state: &State, _: Seat, mv: Move) {
        self.moves.push(game.move_text(state, mv));
    }

    fn moved(&mut self, game: &Mensch, state: &State, _: Seat, _: &Effect) {
        self.reached = game.print(state);
    }
}

#[test]
fn sequences_of_the_rules_page() {
    for (id, text, dice, moves, reached) in SEQUENCES {
        let (game, state) = table("", text);
        let faces: Vec<i64> = dice.iter().map(|&die| die.into()).collect();
        let mut script = Scripted(Script::new(&faces));
        let mut record = Record::default();
        let cap = dice.len() as u32;
        let mut buffer = Moves::default();
        let played = play(
            &game,
            state,
            &mut script,
            &mut Forced,
            &mut record,
            &mut buffer,
            cap,
        );
        assert_eq!(script.0.unread(), [0i64; 0], "{id}: every die is rolled");
        assert_eq!(played.rolls, cap, "{id}");
        assert_eq!(record.moves.join(" "), *moves, "{id}");
        assert_eq!(record.reached, *reached, "{id}");
    }
    let (game, state) = table("", "A:H,r0,r6,r18 C:H,H,H,H to=A");
    assert_eq!(
        names(&game, &state, 6),
        ["r6>r12", "r18>r24"],
        "F23: the eighth six"
    );
}

/// Compares the counts of 3.7 that lie in a range, which is about the time they take.
fn check_perft(range: Range<u64>) {
    for (options, text, counts) in PERFT {
        let (game, state) = table(options, text);
        for (depth, &count) in (1..).zip(*counts) {
            if range.contains(&count) {
                let found = perft_parallel(&game, &state, depth);
                assert_eq!(found, count, "{text} {options} at depth {depth}");
            }
        }
    }
}

#[test]
fn perft_counts_match() {
    check_perft(0..13_000_000);
}

#[test]
#[ignore = "takes a minute"]
fn deep_perft_counts_match() {
    check_perft(13_000_000..u64::MAX);
}

/// Any position of any table.
fn draft() -> impl Strategy<Value = Draft> {
    let tokens = prop::array::uniform4(prop::array::uniform4(YARD..44));
    (0..SEATS.len(), tokens, 0..4usize, 1..=3u8).prop_map(|(seats, tokens, to, tries)| Draft {
        seats,
        tokens,
        to,
        tries,
    })
}

/// The seat that rolls, its offsets, and whether only a six can help it (1.3).
fn roller(text: &str) -> (char, Vec<i8>, bool) {
    let to = text
        .split("to=")
        .nth(1)
        .and_then(|rest| rest.chars().next())
        .expect("to=");
    let own = offsets(text, to);
    let lane: Vec<i8> = own.iter().copied().filter(|&offset| offset >= 40).collect();
    let on_ring = own.iter().any(|offset| (0..40).contains(offset));
    let closed = lane
        .iter()
        .all(|&offset| offset == 43 || lane.contains(&(offset + 1)));
    (to, own, !on_ring && closed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Facts 1 to 5.
    #[test]
    fn structural_facts_hold_at_every_position(draft in draft(), jump: bool, force: bool) {
        let text = draft.text();
        let (to, own, only_six) = roller(&text);
        let options = |force, jump| format!("forced_capture={force} lane_jump={jump}");
        let (game, state) = table(&options(force, jump), &text);
        let (free, _) = table(&options(false, jump), &text);
        let (jumping, _) = table(&options(force, true), &text);
        let yard = own.contains(&YARD);
        for die in 1..=6 {
            let moves = moving(&game, &state, die);
            prop_assert!(!(yard && die == 6 && moves.is_empty()), "fact 1: {}", text);
            let on_start = yard && own.contains(&0);
            prop_assert!(!(on_start && moves.is_empty()), "fact 2: {} die {}", text, die);
            if only_six {
                prop_assert_eq!(moves.is_empty(), die != 6, "fact 3: {} die {}", text, die);
            }
            let freely = moving(&free, &state, die);
            prop_assert!(moves.is_subset(&freely), "fact 4: {} die {}", text, die);
            prop_assert_eq!(moves.is_empty(), freely.is_empty(), "fact 4: {} die {}", text, die);
            let jumped = moving(&jumping, &state, die);
            prop_assert!(moves.is_subset(&jumped), "fact 4: {} die {}", text, die);
            prop_assert!(moves.len() <= 4, "fact 5: {} die {}", text, die);
            let vacates = moves.iter().any(|name| name.starts_with(&cell_on_start(to)));
            let brings_out = moves.iter().any(|name| name.starts_with("H>"));
            let bound = yard && vacates || brings_out;
            prop_assert!(!bound || moves.len() == 1, "fact 5: {} die {}", text, die);
        }
    }

    /// Fact 6: a move gains its number, or 1 for bringing out, and costs a captured seat the
    /// way of the captured token.
    #[test]
    fn a_move_gains_what_was_rolled(draft in draft(), die in 1..=6u8) {
        let text = draft.text();
        let (game, state) = table("forced_capture=false", &text);
        let (rolled, moves) = legal(&game, &state, die);
        for mv in moves.into_iter().filter(|mv| !mv.is_pass()) {
            let mut after = rolled;
            let effect = game.apply(&mut after, mv);
            let expected = if mv.from() == 0 { 1 } else { i16::from(die) };
            prop_assert_eq!(effect.gained, expected);
            let after = game.print(&after);
            for letter in SEATS[draft.seats].chars() {
                let way = |text| offsets(text, letter).iter().map(|o| i64::from(*o) + 1).sum::<i64>();
                let gain = way(&after) - way(&text);
                let seat = Seat::from_letter(letter).expect("a seat");
                if seat == state.to() {
                    prop_assert_eq!(gain, i64::from(expected));
                } else {
                    let hit = effect.hits.count(seat) == 1;
                    prop_assert_eq!(-gain, if hit { effect.lost.into() } else { 0 });
                    prop_assert_eq!(hit, gain < 0);
                }
            }
        }
    }

    /// Fact 8: the board looks the same from every corner.
    #[test]
    fn turning_the_table_turns_the_result_sets(draft in draft(), die in 1..=6i64, by in 1..4usize) {
        let text = draft.text();
        let (game, state) = table("", &text);
        let mut expected: Vec<String> = result_set(&game, &state, &[die]).expect("a die")
            .iter().map(|text| turned(text, by)).collect();
        expected.sort();
        let (game, state) = table("", &turned(&text, by));
        prop_assert_eq!(result_set(&game, &state, &[die]).expect("a die"), expected);
    }
}

/// `r10>` for B.
fn cell_on_start(letter: char) -> String {
    format!("r{}>", 10 * (letter as usize - 'A' as usize))
}

/// A position seen by people who have moved on by some corners.
fn turned(text: &str, by: usize) -> String {
    let letter = |c: char| (b'A' + (c as u8 - b'A' + by as u8) % 4) as char;
    let mut seats = Vec::new();
    let mut fields = Vec::new();
    for word in text.split(' ') {
        if let Some((seat, list)) = word.split_once(':') {
            let cell = |cell: &str| match cell.strip_prefix('r') {
                Some(ring) => format!(
                    "r{}",
                    (ring.parse::<usize>().expect("a cell") + 10 * by) % 40
                ),
                None => cell.to_owned(),
            };
            let list: Vec<String> = list.split(',').map(cell).collect();
            seats.push(format!(
                "{}:{}",
                seat.chars().map(letter).collect::<String>(),
                list.join(",")
            ));
        } else if let Some((key, seat)) = word.split_once('=').filter(|(key, _)| *key != "tries") {
            fields.push(format!(
                "{key}={}",
                seat.chars().map(letter).collect::<String>()
            ));
        } else {
            fields.push(word.to_owned());
        }
    }
    seats.sort();
    seats.extend(fields);
    seats.join(" ")
}

/// Chooses with a stream.
struct Any(Stream);

impl Chooser<Mensch> for Any {
    fn choose(&mut self, _: &Mensch, _: &State, _: Seat, moves: &Moves) -> usize {
        self.0.below(moves.len() as u64) as usize
    }
}

/// The account of one seat over a game.
#[derive(Clone, Copy, Default)]
struct Account {
    walked: i64,
    brought_out: i64,
    lost: i64,
    captured: i64,
}

#[derive(Default)]
struct Accounts {
    seats: [Account; 4],
    die: u8,
    end: Option<State>,
}

impl Observer<Mensch> for Accounts {
    fn rolled(&mut self, _: &Mensch, _: &State, _: Seat, roll: u8) {
        self.die = roll;
    }

    fn moving(&mut self, _: &Mensch, _: &State, seat: Seat, mv: Move) {
        let account = &mut self.seats[seat.index()];
        if mv.from() == 0 {
            account.brought_out += 1;
        } else if !mv.is_pass() {
            account.walked += i64::from(self.die);
        }
    }

    fn moved(&mut self, _: &Mensch, state: &State, _: Seat, effect: &Effect) {
        for (victim, count) in effect.hits.iter() {
            let account = &mut self.seats[victim.index()];
            // A token that stood on place p had come p - 1 cells from its start.
            account.lost += i64::from(effect.lost) - 1;
            account.captured += i64::from(count);
        }
        self.end = Some(*state);
    }
}

/// Fact 7: nothing a seat rolls is lost or found.
#[test]
fn the_books_of_every_seat_balance() {
    for (options, one_out) in [("", 0), ("one_out=true lane_jump=true", 1)] {
        let (game, _) = table(options, "A:H,H,H,H B:H,H,H,H C:H,H,H,H D:H,H,H,H to=A");
        for block in 0..200 {
            let block = BlockKey::new(37, block);
            let mut accounts = Accounts::default();
            let mut chooser = Any(block.stream(Purpose::Bot, Seat::A));
            let start = game.start(Seat::A);
            let mut dice = SeededDice::new(block);
            let mut buffer = Moves::default();
            play(
                &game,
                start,
                &mut dice,
                &mut chooser,
                &mut accounts,
                &mut buffer,
                u32::MAX,
            );
            let end = game.print(&accounts.end.expect("a game has moves"));
            for (letter, account) in ('A'..='D').zip(accounts.seats) {
                let out = offsets(&end, letter).into_iter().filter(|&o| o != YARD);
                let out: Vec<i64> = out.map(i64::from).collect();
                assert_eq!(
                    account.walked,
                    out.iter().sum::<i64>() + account.lost,
                    "{end} {letter}"
                );
                let came_out = account.brought_out + one_out;
                assert_eq!(
                    came_out,
                    i64::try_from(out.len()).expect("four tokens") + account.captured,
                    "{end} {letter}"
                );
            }
        }
    }
}

/// Adds up the probability of each set of A's tokens when its first turn is over.
///
/// The first legal move stands for all: choices come late in a chain of sixes (F23), with two or
/// more tokens out.
fn first_turn(game: &Mensch, state: &State, chance: f64, sums: &mut HashMap<Vec<i8>, f64>) {
    if game.turn(state) != Turn::Chance(Seat::A) {
        *sums.entry(offsets(&game.print(state), 'A')).or_default() += chance;
        return;
    }
    if chance < 1e-13 {
        return; // a chain of sixes too rare to see
    }
    for &(die, weight) in game.rolls(state) {
        let (mut after, moves) = legal(game, state, die);
        game.apply(&mut after, moves[0]);
        first_turn(game, &after, chance * f64::from(weight) / 6.0, sums);
    }
}

/// F9 and F10.
#[test]
fn first_turn_has_the_exact_distribution() {
    #[rustfmt::skip]
    let rows = [
        ("", 125. / 216., 91. / 1296., 91. / 7776., 91. / 46656., 91. / 7776.),
        ("one_out=true", 0., 1. / 6., 1. / 36., 1. / 216., 1. / 36.),
    ];
    for (options, stay, near, far, pair, two_out) in rows {
        for seats in ["A:H,H,H,H C:H,H,H,H", "A:H,H,H,H B:H,H,H,H C:H,H,H,H"] {
            let (game, _) = table(options, &format!("{seats} to=A"));
            let mut sums = HashMap::new();
            first_turn(&game, &game.start(Seat::A), 1.0, &mut sums);
            let close = |own: [i8; 4], expected: f64| {
                let found = sums.get(&own[..]).copied().unwrap_or_default();
                assert!(
                    (found - expected).abs() < 1e-10,
                    "{options} {own:?} {found}"
                );
            };
            close([YARD; 4], stay);
            for k in 1..=5 {
                close([YARD, YARD, YARD, k], near);
                close([YARD, YARD, YARD, k + 6], far);
                close([YARD, YARD, k, 6], pair);
            }
            let two = sums
                .iter()
                .filter(|(own, _)| own.iter().filter(|&&o| o != YARD).count() >= 2);
            let found: f64 = two.map(|(_, chance)| chance).sum();
            assert!((found - two_out).abs() < 1e-10, "{options} {found}");
        }
    }
}

/// F22: breadth first over the positions of a lone player, the fewest turns of each kept.
#[test]
fn the_shortest_win_takes_33_rolls_in_3_turns() {
    for (one_out, lane_jump, rolls) in [(false, false, 33), (false, true, 33), (true, false, 32)] {
        let game = Mensch::solitaire(Rules {
            one_out,
            lane_jump,
            ..Rules::default()
        });
        let mut layer = HashMap::from([(game.start(Seat::A), 0u32)]);
        let mut seen: HashSet<State> = layer.keys().copied().collect();
        let mut rolled = 0;
        let turns = loop {
            rolled += 1;
            let mut next: HashMap<State, u32> = HashMap::new();
            for (state, turns) in &layer {
                for die in 1..=6 {
                    let (position, moves) = legal(&game, state, die);
                    for mv in moves {
                        let mut after = position;
                        let turns = turns + u32::from(game.apply(&mut after, mv).turn_ends);
                        next.entry(after)
                            .and_modify(|t| *t = turns.min(*t))
                            .or_insert(turns);
                    }
                }
            }
            let won = next.iter().filter(|(state, _)| state.is_over());
            if let Some(turns) = won.map(|(_, &turns)| turns).min() {
                break turns;
            }
            // A shortest way comes to no position later than it could.
            layer = next
                .into_iter()
                .filter(|&(state, _)| seen.insert(state))
                .collect();
        };
        assert_eq!(
            (rolled, turns),
            (rolls, 3),
            "one_out {one_out} lane_jump {lane_jump}"
        );
    }
}
