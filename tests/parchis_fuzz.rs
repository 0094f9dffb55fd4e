//! Parchís at tables with random house rules: whatever is played, the board stays in order.

use racelab::engine::game::{Game, MoveSet, Turn};
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::{Seat, SeatSet};
use racelab::games::parchis::{
    BarrierOn, EntryVsPair, EntryVsSingle, Moves, Parchis, ProtectedLanding, Rules, SafeSquares,
    SixCountsSeven, State, TripleSix,
};

const LAST_ON_RING: u8 = 64;
const GOAL: u8 = 72;
const SAFE: [u8; 8] = [12, 17, 29, 34, 46, 51, 63, 68];
const STARTS: [u8; 4] = [5, 22, 39, 56];

fn random_rules(random: &mut Stream) -> Rules {
    fn any<T: Copy>(random: &mut Stream, values: &[T]) -> T {
        values[random.below(values.len() as u64) as usize]
    }
    let bonuses = [0, 1, 3, 7, 10, 17, 20, 34, 50, 64, 70];
    Rules {
        safe_squares: any(random, &[SafeSquares::All12, SafeSquares::WithoutStarts]),
        entry_vs_single: any(random, &[EntryVsSingle::Capture, EntryVsSingle::Blocked]),
        entry_vs_pair: any(
            random,
            &[EntryVsPair::Blocked, EntryVsPair::Last, EntryVsPair::Both],
        ),
        barrier_on: any(random, &[BarrierOn::Safe, BarrierOn::Any, BarrierOn::None]),
        protected_landing: any(random, &[ProtectedLanding::Forbid, ProtectedLanding::Share]),
        six_counts_seven: any(
            random,
            &[
                SixCountsSeven::Auto,
                SixCountsSeven::Off,
                SixCountsSeven::Choice,
            ],
        ),
        six_breaks_barrier: any(random, &[true, false]),
        bonus_optional: any(random, &[true, false]),
        triple_six: any(
            random,
            &[TripleSix::LastMoved, TripleSix::Wiki, TripleSix::Off],
        ),
        lane_barrier: any(random, &[true, false]),
        first_five_two: any(random, &[true, false]),
        one_out: any(random, &[true, false]),
        play_on: any(random, &[true, false]),
        capture_bonus: any(random, &bonuses),
        goal_bonus: any(random, &bonuses),
    }
}

/// The printed square of a place on the ring.
fn square(seat: Seat, place: u8) -> u8 {
    (4 + 17 * seat.index() as u8 + place - 1) % 68 + 1
}

/// Four tokens a seat, two on a square at most, and strangers side by side only where the rules
/// of the table let them.
fn board_is_in_order(game: &Parchis, state: &State) {
    let rules = game.rules();
    let text = game.print(state);
    let mut on: [Vec<Seat>; 69] = std::array::from_fn(|_| Vec::new());
    for seat in game.seats().iter() {
        let places = state.places(seat);
        assert!(places.is_sorted() && places[3] <= GOAL, "{text}");
        for place in places
            .into_iter()
            .filter(|&place| 0 < place && place < GOAL)
        {
            let twins = places.into_iter().filter(|&other| other == place);
            assert!(twins.count() <= 2, "{text}: three on one square, {rules:?}");
            if place <= LAST_ON_RING {
                on[usize::from(square(seat, place))].push(seat);
            }
        }
    }
    for (square, seats) in (0..).zip(on) {
        assert!(seats.len() <= 2, "{text}: {square} is too full, {rules:?}");
        let mixed = seats.iter().any(|&seat| seat != seats[0]);
        let start = STARTS.contains(&square);
        let safe = SAFE.contains(&square) || start && rules.safe_squares == SafeSquares::All12;
        let shared = safe && rules.protected_landing == ProtectedLanding::Share;
        let kept = start && rules.entry_vs_pair == EntryVsPair::Last;
        assert!(
            !mixed || shared || kept,
            "{text}: {square} is shared, {rules:?}"
        );
    }
    // What a position remembers beside its tokens is what a text without it says: the pairs.
    assert_eq!(game.parse(&text), Ok(*state), "{text}, {rules:?}");
}

/// Plays turns at random; a table with other rules and seats after each game.
fn fuzz(seed: u64, turns: u32) {
    let mut random = BlockKey::new(seed, 0).stream(Purpose::Bot, Seat::A);
    let mut played = 0;
    while played < turns {
        let rules = random_rules(&mut random);
        let seats: SeatSet = loop {
            let set = random.below(16);
            let seats = (0..4).filter(|seat| set >> seat & 1 == 1).map(Seat::new);
            let seats: SeatSet = seats.collect();
            if seats.len() >= 2 {
                break seats;
            }
        };
        let game = Parchis::new(rules, seats).expect("any combination is played");
        let mut state = game.start(seats.iter().next().expect("a seat"));
        // Barriers without end can be made; nobody has to wait for it.
        for _ in 0..20_000 {
            board_is_in_order(&game, &state);
            match game.turn(&state) {
                Turn::Chance(_) => {
                    game.roll(&mut state, random.below(6) as u8 + 1);
                }
                Turn::Decision(_) => {
                    let mut moves = Moves::default();
                    game.moves(&state, &mut moves);
                    let mv = moves.get(random.below(moves.len() as u64) as usize);
                    played += u32::from(game.apply(&mut state, mv).turn_ends);
                }
                Turn::Over => break,
            }
        }
    }
}

#[test]
fn random_play_by_random_rules_keeps_the_board_in_order() {
    fuzz(1, 30_000);
}

#[test]
#[ignore = "a million turns: a minute"]
fn a_million_turns_by_random_rules_keep_the_board_in_order() {
    fuzz(2, 1_000_000);
}
