use super::super::trial::{bot, chosen, position, refusal, wins};
use super::*;
use crate::engine::game::Game;
use crate::engine::play::{Blind, Chooser, SeededDice, play};
use crate::engine::random::{BlockKey, Purpose};
use crate::games::mensch::{Mensch, Moves, Rules, State};

const PROGRESS: &str = "evaluator = 'progress'";

#[test]
fn one_roll_shows_the_hit_that_threatens() {
    // C stands four cells behind r25; r28 is out of its reach.
    let text = "A:H,H,r5,r25 C:H,H,H,r21 to=A dice=3";
    assert_eq!(chosen("expectimax", PROGRESS, text), "r25>r28");
    let text = "A:H,H,r5,r20 C:H,H,H,H to=A dice=3";
    assert_eq!(chosen("expectimax", PROGRESS, text), "r20>r23");
}

/// From r11 the token hits r17 with a six, if C leaves it there: that is the second roll.
#[test]
fn two_rolls_show_the_own_chance_to_hit() {
    let text = "A:L3,L4,r10,r30 C:H,L3,L4,r17 to=A dice=1";
    assert_eq!(chosen("expectimax", PROGRESS, text), "r30>r31");
    let deeper = format!("{PROGRESS}\ndepth = 2");
    assert_eq!(chosen("expectimax", &deeper, text), "r10>r11");
}

fn judge(paranoid: bool) -> Judge<Mensch> {
    let table = toml::Table::new();
    let mut reader = Reader::new(&table);
    Judge {
        filter: 5,
        evaluator: Evaluator::Racer(Weights::read(&mut reader).unwrap()),
        paranoid,
        temperature: 50.0,
    }
}

fn value(judge: &Judge<Mensch>, text: &str, rolls: u32) -> Chances {
    let (game, state) = position(text);
    let mut search = Search {
        game: &game,
        me: Seat::A,
        judge,
        seen: &mut Seen::new(),
        rooms: &mut Vec::new(),
        scratch: &mut Scratch::default(),
    };
    search.value(&state, rolls)
}

#[test]
fn a_finished_game_is_worth_one_to_its_winner() {
    let won = "A:r5,H,H,H C:L1,L2,L3,L4 won=C";
    assert_eq!(value(&judge(false), won, 3)[..4], [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn the_chances_of_all_seats_together_are_one() {
    for rolls in 0..3 {
        let text = "A:H,H,r5,r20 B:H,H,L4,r11 C:H,H,H,H D:H,H,H,r0 to=B";
        let chances = value(&judge(false), text, rolls);
        assert!(
            (chances.iter().sum::<f64>() - 1.0).abs() < 1e-12,
            "{chances:?}"
        );
    }
}

/// C needs a two: one die in six ends the game, whatever is thought of the other five.
#[test]
fn the_roll_that_wins_has_its_exact_weight() {
    let text = "A:H,H,H,r5 C:r18,L2,L3,L4 to=C";
    let judge = judge(false);
    let chances = value(&judge, text, 1);
    // Two wins; one walks to the entrance; the other four leave the board as it is.
    let moved = value(&judge, "A:H,H,H,r5 C:r19,L2,L3,L4 to=A", 0);
    let same = value(&judge, "A:H,H,H,r5 C:r18,L2,L3,L4 to=A", 0);
    let expected = (1.0 + moved[2] + 4.0 * same[2]) / 6.0;
    assert!((chances[2] - expected).abs() < 1e-12);
}

/// The search without its memory, written plainly.
fn plain(search: &mut Search<'_, Mensch>, state: &State, rolls: u32) -> Chances {
    match search.game.turn(state) {
        Turn::Over => search.result(state),
        Turn::Chance(_) if rolls == 0 => search.evaluate(state),
        Turn::Chance(_) => {
            let mut sum = [0.0; MAX_SEATS];
            for die in 1..=6 {
                let mut next = *state;
                search.game.roll(&mut next, die);
                let chances = plain(search, &next, rolls - 1);
                sum = std::array::from_fn(|seat| sum[seat] + chances[seat]);
            }
            sum.map(|sum| sum / 6.0)
        }
        Turn::Decision(seat) => {
            let (game, judge, me) = (search.game, search.judge, search.me);
            let mut moves = Moves::default();
            game.moves(state, &mut moves);
            let values = moves.iter().map(|mv| {
                let mut next = *state;
                game.apply(&mut next, mv);
                plain(search, &next, rolls)
            });
            let merit = |chances: &Chances| {
                if judge.paranoid && seat != me {
                    -chances[me.index()]
                } else {
                    chances[seat.index()]
                }
            };
            let best = values.reduce(|best, next| {
                if merit(&next) > merit(&best) {
                    next
                } else {
                    best
                }
            });
            best.unwrap()
        }
    }
}

/// Plays at random and compares both searches, bit for bit, at every decision.
struct Compare {
    judge: Judge<Mensch>,
    seen: Seen<State>,
    random: Stream,
    compared: u32,
}

impl Chooser<Mensch> for Compare {
    fn choose(&mut self, game: &Mensch, state: &State, me: Seat, moves: &Moves) -> usize {
        self.seen.forget();
        let mut search = Search {
            game,
            me,
            judge: &self.judge,
            seen: &mut self.seen,
            rooms: &mut Vec::new(),
            scratch: &mut Scratch::default(),
        };
        for mv in moves.iter() {
            let mut after = *state;
            game.apply(&mut after, mv);
            let expected = plain(&mut search, &after, 2);
            let found = search.value(&after, 2);
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
            self.compared += 1;
        }
        self.random.below(moves.len() as u64) as usize
    }
}

#[test]
fn remembering_positions_changes_no_value() {
    for (seats, paranoid) in [("AC", false), ("ABCD", false), ("ABC", true)] {
        let game = Mensch::new(Rules::default(), seats.parse().unwrap()).unwrap();
        let block = BlockKey::new(8, 8);
        let mut compare = Compare {
            judge: judge(paranoid),
            seen: Seen::new(),
            random: block.stream(Purpose::Bot, Seat::A),
            compared: 0,
        };
        let start = game.start(Seat::A);
        let mut moves = Moves::default();
        play(
            &game,
            start,
            &mut SeededDice::new(block),
            &mut compare,
            &mut Blind,
            &mut moves,
            400,
        );
        assert!(compare.compared > 50, "{}", compare.compared);
    }
}

/// B hits C, which loses 36 pips, for its own good, and A, which loses 3, out of spite.
#[test]
fn paranoid_others_play_against_me() {
    let text = "A:H,H,H,r2 B:H,H,r0,r13 C:H,H,H,r15 D:H,H,H,H to=B dice=2";
    let own = value(&judge(false), text, 0);
    let spiteful = value(&judge(true), text, 0);
    assert!(
        spiteful[0] < own[0] && spiteful[1] < own[1],
        "{spiteful:?} {own:?}"
    );
}

#[test]
fn it_plays_the_same_game_twice_and_beats_random() {
    let (search, random) = (bot("expectimax", ""), bot("random", ""));
    let first = wins(&search, &random, "AC", 60);
    assert!(first > 84, "{first} of 120");
    assert_eq!(first, wins(&search, &random, "AC", 60));
}

#[test]
fn refused_parameters_say_what_would_work() {
    for (params, reason) in [
        ("depth = 7", "depth = 7; expected 1 to 3"),
        (
            "depth = 1.5",
            "depth = 1.5; expected a whole number, 1 to 3",
        ),
        (
            "depth = 'deep'",
            "depth = \"deep\"; expected a whole number, 1 to 3",
        ),
        ("filter = 0", "filter = 0; expected 1 to 10000"),
        (
            "evaluator = 'best'",
            "evaluator = \"best\"; expected \"racer\" or \"progress\" or \"learned\"",
        ),
        ("paranoid = 1", "paranoid = 1; expected true or false"),
        ("temperature = 0", "temperature = 0; expected 1 to 1000"),
        (
            "weights = 3",
            "weights = 3; expected a table, [params.weights]",
        ),
        (
            "weights = { lead = 'x' }",
            "weights: lead = \"x\"; expected a number, -1000 to 1000",
        ),
        (
            "weights = { speed = 1 }",
            "weights: no parameter 'speed'; known: progress, lead, settled, exposed, threatened, rivals",
        ),
        (
            "evaluator = 'progress'\nweights = { lead = 1 }",
            "weights: only the evaluator \"racer\" has weights",
        ),
        ("net = 'my.net'", "net: only with evaluator = \"learned\""),
        (
            "evaluator = 'progress'\nnet_hash = '00112233aabbccdd'",
            "net_hash: only with evaluator = \"learned\"",
        ),
        (
            "deph = 2",
            "no parameter 'deph'; known: depth, filter, evaluator, paranoid, temperature, weights, net, net_hash",
        ),
    ] {
        let expected = format!("bot 'expectimax': params: {reason}");
        assert_eq!(refusal("expectimax", params), expected);
    }
}
