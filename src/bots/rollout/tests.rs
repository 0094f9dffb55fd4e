use super::super::trial::{bot, chosen, position, refusal, wins};
use super::*;
use crate::games::mensch::{self, Mensch};
use crate::games::parchis::{self, Parchis};

/// The move a policy chooses in a position of Parchís.
fn at_parchis(params: &str, text: &str) -> String {
    let game = Parchis::new(parchis::Rules::default(), Parchis::seats_of(text).unwrap()).unwrap();
    let state = game.parse(text).unwrap();
    let Turn::Decision(seat) = game.turn(&state) else {
        panic!("nobody chooses in '{text}'");
    };
    let mut moves = parchis::Moves::default();
    game.moves(&state, &mut moves);
    assert!(moves.len() > 1, "there is no choice in '{text}'");
    let view = View {
        game: &game,
        state: &state,
        seat,
        moves: &moves,
    };
    let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, seat);
    let mut policy = bot("rollout", params).policy::<Parchis>().unwrap();
    let index = policy.choose(&view, &mut random);
    game.move_text(&state, moves.get(index))
}

#[test]
fn it_keeps_out_of_reach_and_brings_tokens_home() {
    for params in ["", "horizon = 2\nenemies = 'random'", "horizon = 0"] {
        let text = "A:H,H,r5,r25 C:H,H,H,r21 to=A dice=3";
        assert_eq!(chosen("rollout", params, text), "r25>r28");
        let text = "A:H,H,r5,r33 C:H,H,H,H to=A dice=3";
        assert_eq!(chosen("rollout", params, text), "r33>r36");
    }
}

/// The token on c5 reaches the goal; the other then walks onto C.
#[test]
fn it_sees_what_a_whole_roll_leads_to() {
    let text = "A:H,H,20,c5 C:H,H,H,30 to=A dice=3";
    assert_eq!(at_parchis("enemies = 'random'", text), "c5>G");
}

#[test]
fn it_takes_the_win_at_hand() {
    // Weights that like everything better than running home.
    let foolish = "weights = { progress = -10, settled = -100 }";
    let text = "A:r39,L2,L3,L4 C:H,H,H,r11 to=A dice=1";
    let (game, state) = position(text);
    let mut moves = mensch::Moves::default();
    game.moves(&state, &mut moves);
    assert_eq!(moves.len(), 1, "the only move wins");
    let mut won = state;
    game.apply(&mut won, moves.get(0));
    let mut judge = judge(foolish);
    assert!(judge.merit(&game, &won, Seat::A) > judge.merit(&game, &state, Seat::A));
    let lost = judge.merit(&game, &won, Seat::new(2));
    assert_eq!(
        (judge.chance(lost).to_bits(), judge.chance(-lost).to_bits()),
        (0, 1f64.to_bits())
    );
}

fn judge(params: &str) -> Judge<Mensch> {
    let table: toml::Table = params.parse().unwrap();
    let mut reader = Reader::new(&table);
    Judge::read(&table, &mut reader).unwrap()
}

/// C's dice are the same however often A has rolled before, and its choices too.
#[test]
fn every_seat_meets_the_same_luck_whatever_the_others_do() {
    let (game, state) = position("A:r1,H,H,H C:r9,H,H,H to=A");
    let (a, c) = (Seat::A, Seat::new(2));
    let luck = |before: usize| {
        let mut streams = Streams::new(BlockKey::new(5, 6), PerSeat::default());
        for _ in 0..before {
            streams.roll(&game, &state, a);
            streams.choices(a).below(3);
        }
        let rolls: Vec<u8> = (0..30).map(|_| streams.roll(&game, &state, c)).collect();
        (rolls, streams.choices(c).below(1 << 40))
    };
    assert_eq!(luck(0), luck(7));
    let other = Streams::new(BlockKey::new(5, 7), PerSeat::default())
        .choices(c)
        .below(1 << 40);
    assert_ne!(luck(0).1, other);
}

#[test]
fn the_same_view_gets_the_same_answer_whatever_was_asked_before() {
    let (rollout, random) = (bot("rollout", "samples = 20"), bot("random", ""));
    let first = wins(&rollout, &random, "AC", 20);
    assert!(first > 26, "{first} of 40");
    assert_eq!(first, wins(&rollout, &random, "AC", 20));
    let text = "A:H,H,r5,r20 C:H,H,r11,r25 to=A dice=3";
    let mut policy = bot("rollout", "").policy::<Mensch>().unwrap();
    let (game, state) = position(text);
    let mut moves = mensch::Moves::default();
    game.moves(&state, &mut moves);
    let view = View {
        game: &game,
        state: &state,
        seat: Seat::A,
        moves: &moves,
    };
    let answers: Vec<usize> = (0..9)
        .map(|block| {
            let mut random = BlockKey::new(1, block).stream(Purpose::Bot, Seat::A);
            policy.choose(&view, &mut random)
        })
        .collect();
    assert_eq!(answers, vec![answers[0]; 9]);
    assert_eq!(policy.habit(), Habit::Deterministic);
}

#[test]
fn refused_parameters_say_what_would_work() {
    for (params, reason) in [
        ("samples = 0", "samples = 0; expected 1 to 100000"),
        ("horizon = -1", "horizon = -1; expected 0 to 1000"),
        ("candidates = 0", "candidates = 0; expected 1 to 10000"),
        ("drop_at = nan", "drop_at = nan; expected 0 to 100"),
        ("temperature = 0", "temperature = 0; expected 1 to 1000"),
        (
            "par = 'even'",
            "par = \"even\"; expected a number, -1000 to 1000",
        ),
        (
            "evaluator = 'progress'",
            "evaluator = \"progress\"; expected \"racer\" or \"learned\"",
        ),
        (
            "evaluator = 'learned'\nweights = { lead = 1 }",
            "weights: only with evaluator = \"racer\"",
        ),
        (
            "evaluator = 'learned'\npar = 3",
            "par: only with evaluator = \"racer\"",
        ),
        ("net = 'my.net'", "net: only with evaluator = \"learned\""),
        (
            "weights = { lead = 'x' }",
            "weights: lead = \"x\"; expected a number, -1000 to 1000",
        ),
        (
            "enemies = 'expectimax'",
            "enemies = \"expectimax\"; expected one of random, run-home, rear, greedy, cautious, racer, learned, racer-two-tuned",
        ),
        (
            "enemies = 'gredy.toml'",
            "enemies = \"gredy.toml\"; expected one of random, run-home, rear, greedy, cautious, racer, learned, racer-two-tuned",
        ),
        (
            "depth = 2",
            "no parameter 'depth'; known: enemies, samples, horizon, candidates, drop_at, seed, first_rolls, evaluator, temperature, par, weights, net, net_hash",
        ),
    ] {
        let expected = format!("bot 'rollout': params: {reason}");
        assert_eq!(refusal("rollout", params), expected);
    }
    assert_eq!(
        refusal("rollout", "enemies = 'jailer'"),
        "bot 'rollout': plays baikal, not mensch: params: enemies = \"jailer\"; expected one of random, run-home, rear, greedy, cautious, racer, learned, racer-two-tuned",
    );
}

/// In 216 futures each face should be a seat's first roll 36 times, and each of the 36 pairs that
/// of two seats six times.
#[test]
fn even_first_rolls_come_up_about_as_often_as_they_should() {
    let (game, state) = position("A:r1,H,H,H C:r9,H,H,H to=A");
    let [a, b] = [Seat::A, Seat::new(1)];
    let counts = |spread: Option<&Spread>| {
        let mut counts = [[0u32; 6]; 6];
        for future in 0..216 {
            let first = spread.map_or(PerSeat::default(), |spread| spread.of(future));
            let mut streams = Streams::new(BlockKey::new(5, future), first);
            let [x, y] = [a, b].map(|seat| usize::from(streams.roll(&game, &state, seat)) - 1);
            counts[x][y] += 1;
        }
        counts
    };
    let even = counts(Some(&Spread::new(7, a)));
    for face in 0..6 {
        let of_a: u32 = even[face].iter().sum();
        let of_b: u32 = even.iter().map(|row| row[face]).sum();
        assert!(of_a.abs_diff(36) <= 2 && of_b.abs_diff(36) <= 2, "{even:?}");
    }
    let squares = |counts: [[u32; 6]; 6]| -> u32 {
        let pairs = counts.as_flattened().iter();
        pairs.map(|count| count.abs_diff(6).pow(2)).sum()
    };
    // Independent rolls would come to 210 in the mean.
    assert!(squares(even) < 140, "{even:?}");
    assert!(squares(counts(None)) > 140);
    // Later rolls are drawn as ever.
    let streams = |spread: Option<&Spread>| {
        let first = spread.map_or(PerSeat::default(), |spread| spread.of(3));
        Streams::new(BlockKey::new(5, 3), first)
    };
    let mut even = streams(Some(&Spread::new(7, a)));
    even.roll(&game, &state, b);
    let drawn = |mut streams: Streams| -> Vec<u8> {
        (0..20).map(|_| streams.roll(&game, &state, b)).collect()
    };
    assert_eq!(drawn(even), drawn(streams(None)));
}

#[test]
fn a_share_of_the_weight_names_a_roll() {
    let rolls = [('a', 1), ('b', 2), ('c', 1)];
    let found: String = [0.0, 0.24, 0.25, 0.5, 0.74, 0.75, 0.999]
        .map(|share| roll_at(&rolls, share))
        .iter()
        .collect();
    assert_eq!(found, "aabbbcc");
}
