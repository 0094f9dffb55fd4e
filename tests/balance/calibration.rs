//! Verdicts on a game whose probabilities are known: how often they are wrong, and how soon they are right.
//!
//! `cargo test --release --test balance calibration -- --ignored --nocapture` plays 2,000 repetitions of each row and
//! prints the tables; without `--ignored` a few hundred short ones are played.

use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::Seat;
use racelab::experiment::balance::bernoulli::{self, Tuning};
use racelab::experiment::balance::decide::{Answer, Question};
use racelab::experiment::balance::jackknife::{GROUPS, Jackknife};
use racelab::stats::{Confidence, ScoreCounts};

/// A game without a board: each seat wins with a probability in units of 1/10,000.
struct Fake<'a> {
    chances: &'a [u64],
    random: Stream,
}

impl Fake<'_> {
    fn new(chances: &[u64], repetition: u64) -> Fake<'_> {
        assert_eq!(chances.iter().sum::<u64>(), 10_000);
        Fake {
            chances,
            random: BlockKey::new(2026, repetition).stream(Purpose::Bot, Seat::A),
        }
    }

    fn winner(&mut self) -> usize {
        let mut ticket = self.random.below(10_000);
        let mut seat = 0;
        while ticket >= self.chances[seat] {
            ticket -= self.chances[seat];
            seat += 1;
        }
        seat
    }
}

/// The rule of the study, or that of the planner's table: *balanced* corrected too, tuned to 25,000 games.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Study,
    Corrected,
}

fn answer(rule: Rule, question: &Question, wins: &[u64], games: u64) -> Answer {
    if rule == Rule::Study {
        return question.seats(wins, games);
    }
    let corrected = Confidence::PERCENT_95.shared_by(question.units);
    let tuning = Tuning::at(25_000.0, corrected);
    let threshold = (f64::from(question.units) / question.alpha).ln();
    let rejected =
        |won: u64, null: f64| bernoulli::ln_e_value(won, games, null, tuning) >= threshold;
    let (low, high) = (
        question.fair - question.margin,
        question.fair + question.margin,
    );
    let mut all_inside = true;
    for (seat, &won) in wins.iter().enumerate() {
        let share = won as f64 / games as f64;
        if share > high && rejected(won, high) || share < low && rejected(won, low) {
            return Answer::Unbalanced(seat);
        }
        all_inside &= share > low && share < high && rejected(won, low) && rejected(won, high);
    }
    if all_inside {
        Answer::Balanced
    } else {
        Answer::Undecided
    }
}

/// The shares of balanced, unbalanced and undecided repetitions, and the mean games.
fn repeat(rule: Rule, question: &Question, chances: &[u64], repetitions: u64) -> [f64; 4] {
    const LOOK: u64 = 1_000;
    const BUDGET: u64 = 400_000;
    let mut counts = [0_u64; 4];
    for repetition in 0..repetitions {
        let mut fake = Fake::new(chances, repetition);
        let mut wins = vec![0; chances.len()];
        let (mut games, mut said) = (0, Answer::Undecided);
        while games < BUDGET && said == Answer::Undecided {
            for _ in 0..LOOK {
                wins[fake.winner()] += 1;
            }
            games += LOOK;
            said = answer(rule, question, &wins, games);
        }
        let cell = match said {
            Answer::Balanced => 0,
            Answer::Unbalanced(_) => 1,
            Answer::Undecided => 2,
        };
        counts[cell] += 1;
        counts[3] += games;
    }
    counts.map(|count| count as f64 / repetitions as f64)
}

const FOUR: Question = Question {
    fair: 0.25,
    margin: 0.01,
    alpha: 0.05,
    units: 4,
    together: 1,
};

/// Truth in units of 1/10,000, then balanced, unbalanced, undecided, mean games of the planner's table.
const TABLE: [([u64; 4], [f64; 4]); 5] = [
    ([2_500, 2_500, 2_500, 2_500], [1.0, 0.0, 0.0, 43_000.0]),
    ([2_553, 2_508, 2_480, 2_459], [1.0, 0.0, 0.0, 113_000.0]),
    ([2_600, 2_500, 2_500, 2_400], [0.0, 0.008, 0.992, 397_000.0]),
    (
        [2_620, 2_500, 2_460, 2_420],
        [0.001, 0.291, 0.708, 354_000.0],
    ),
    ([2_700, 2_500, 2_450, 2_350], [0.0, 1.0, 0.0, 24_000.0]),
];

fn print(rule: &str, truth: &[u64], seen: [f64; 4]) {
    let [balanced, unbalanced, undecided, games] = seen;
    println!(
        "| {truth:?} | {rule} | {balanced:.4} | {unbalanced:.4} | {undecided:.4} | {games:.0} |"
    );
}

#[test]
#[ignore = "minutes; prints the tables of the note"]
fn calibration_the_planner_s_table_is_reproduced() {
    for (truth, expected) in TABLE {
        let seen = repeat(Rule::Corrected, &FOUR, &truth, 2_000);
        print("corrected", &truth, seen);
        // Two samples of 1,000 and 2,000 repetitions: four standard errors of their difference.
        for (seen, expected) in seen.iter().zip(expected).take(3) {
            let error = (expected * (1.0 - expected) * 1.5e-3 + 2e-6_f64).sqrt();
            assert!(
                (seen - expected).abs() <= 4.0 * error,
                "{truth:?}: {seen} {expected}"
            );
        }
        assert!(
            (seen[3] / expected[3] - 1.0).abs() < 0.08,
            "{truth:?}: {} games",
            seen[3]
        );
    }
}

#[test]
#[ignore = "minutes; prints the tables of the note"]
fn calibration_the_rule_of_the_study() {
    for (truth, expected) in TABLE {
        let seen = repeat(Rule::Study, &FOUR, &truth, 2_000);
        print("study", &truth, seen);
        assert!(seen[3] < expected[3] * 1.08, "{truth:?}: {} games", seen[3]);
    }
    // Exactly on the margin: whatever is said is wrong.
    let two = Question {
        fair: 0.5,
        units: 2,
        ..FOUR
    };
    let loose = Question {
        fair: 0.5,
        margin: 0.05,
        units: 2,
        ..FOUR
    };
    for (question, truth) in [
        (&FOUR, vec![2_600, 2_500, 2_500, 2_400]),
        (&FOUR, vec![2_600, 2_600, 2_400, 2_400]),
        (&two, vec![5_100, 4_900]),
        (&loose, vec![5_500, 4_500]),
    ] {
        let seen = repeat(Rule::Study, question, &truth, 2_000);
        print("on the margin", &truth, seen);
        // One in twenty, and what chance adds to 2,000 repetitions.
        let most = 0.05 + 3.0 * (0.05_f64 * 0.95 / 2_000.0).sqrt();
        assert!(seen[0] <= most && seen[1] <= most, "{truth:?}: {seen:?}");
    }
}

/// Block scores of four games with mean exactly fair + margin: neither answer more often than allowed.
#[test]
#[ignore = "minutes; prints the tables of the note"]
fn calibration_strategies_on_the_margin() {
    let question = Question {
        margin: 0.05,
        units: 8,
        ..FOUR
    };
    // 0.3 of four games: the binomial law, and one with more spread.
    for chances in [
        [2_401, 4_116, 2_646, 756, 81],
        [3_750, 3_000, 1_500, 1_000, 750],
    ] {
        let mean: u64 = (0..)
            .zip(chances)
            .map(|(score, chance)| score * chance)
            .sum();
        assert_eq!(mean, 12_000);
        let mut counts = [0_u64; 3];
        for repetition in 0..2_000 {
            let mut fake = Fake::new(&chances, repetition);
            let mut cells = vec![0_u64; 5];
            let mut said = Answer::Undecided;
            for _ in 0..200 {
                (0..100).for_each(|_| cells[fake.winner()] += 1);
                let scores = ScoreCounts::from_counts(cells.clone()).unwrap();
                said = question.strategy(&scores);
                if said != Answer::Undecided {
                    break;
                }
            }
            counts[match said {
                Answer::Balanced => 0,
                Answer::Unbalanced(_) => 1,
                Answer::Undecided => 2,
            }] += 1;
        }
        println!(
            "| strategies {chances:?} | balanced, unbalanced, undecided | {counts:?} of 2000 |"
        );
        assert!(counts[0] <= 129 && counts[1] <= 30, "{counts:?}");
    }
}

/// The change of the spread between two rule sets with the same shares: an effect is claimed no more often than allowed.
#[test]
#[ignore = "minutes; prints the tables of the note"]
fn calibration_the_spread_of_two_equal_rule_sets() {
    for chances in [
        vec![2_500; 4],
        vec![2_700, 2_500, 2_450, 2_350],
        vec![5_000; 2],
    ] {
        let fair = 1.0 / chances.len() as f64;
        let mut claimed = 0;
        for repetition in 0..1_000 {
            let mut fake = Fake::new(&chances, repetition);
            let mut wins = vec![vec![vec![0_u64; chances.len()]; GROUPS]; 2];
            for block in 0..10_000 {
                for groups in &mut wins {
                    groups[block % GROUPS][fake.winner()] += 1;
                }
            }
            let spread = |groups: &[Vec<u64>], without: Option<usize>| {
                let kept = || {
                    groups
                        .iter()
                        .enumerate()
                        .filter(|&(group, _)| Some(group) != without)
                };
                let of = |seat: usize| kept().map(|(_, wins)| wins[seat]).sum::<u64>() as f64;
                let games: f64 = (0..chances.len()).map(of).sum();
                let shares = (0..chances.len()).map(|seat| of(seat) / games);
                let terms = shares.map(|p| (p - fair).powi(2) - p * (1.0 - p) / (games - 1.0));
                terms.sum::<f64>()
            };
            let change = |without| Some(spread(&wins[1], without) - spread(&wins[0], without));
            claimed += u32::from(Jackknife::new(change).unwrap().p_value() <= 0.05);
        }
        println!("| spread {chances:?} | an effect claimed | {claimed} of 1000 |");
        assert!(claimed <= 71, "{claimed}");
    }
}

/// The same in short, for every run of the tests.
#[test]
fn calibration_in_short() {
    let fair = repeat(Rule::Study, &FOUR, &[2_500; 4], 40);
    assert!(
        (fair[0] - 1.0).abs() < 1e-9 && fair[3] < 43_000.0,
        "{fair:?}"
    );
    let far = repeat(Rule::Study, &FOUR, &[2_700, 2_500, 2_450, 2_350], 40);
    assert!((far[1] - 1.0).abs() < 1e-9 && far[3] < 30_000.0, "{far:?}");
}
