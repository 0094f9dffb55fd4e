//! Published fits.

use super::*;

fn alone(bot: usize) -> Vec<Entrant> {
    vec![Entrant { bot, seat: 0 }]
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected}"
    );
}

/// Rows of places as R's `PlackettLuce` writes them: 1 is first, equal numbers are tied, 0 did not take part.
fn from_places<const N: usize>(rows: &[[u32; N]]) -> Rankings {
    let mut rankings = Rankings::new(N, 1);
    for (block, row) in (0..).zip(rows) {
        let places = (1..=N as u32).map(|place| {
            let tied = (0..N).filter(|&bot| row[bot] == place);
            tied.map(|bot| Entrant { bot, seat: 0 }).collect()
        });
        rankings.push(block, 1, places.collect(), vec![]).unwrap();
    }
    rankings
}

#[test]
fn citations_of_stigler_1994() {
    // Rows: cited in; columns: Biometrika, Communications in Statistics, JASA, JRSS-B. A citation is a win.
    let cited = [
        vec![714, 730, 498, 221],
        vec![33, 425, 68, 17],
        vec![320, 813, 1072, 142],
        vec![284, 276, 325, 188],
    ];
    let fit = bradley_terry(&cited).unwrap().fit(Prior::None).unwrap();
    assert_close(fit.contrast(1, 0).difference, -2.9491, 5e-5);
    assert_close(fit.contrast(2, 0).difference, -0.4796, 5e-5);
    assert_close(fit.contrast(3, 0).difference, 0.2690, 5e-5);
    assert!(!fit.is_clustered());
}

#[test]
fn equal_rows_are_equal_strengths() {
    let wins = [vec![0, 4, 2], vec![1, 0, 2], vec![3, 3, 0]];
    let fit = bradley_terry(&wins).unwrap().fit(Prior::None).unwrap();
    let strengths = fit.strengths();
    assert_close(strengths[0], strengths[2], 1e-12);
    assert!(strengths[1] < strengths[0]);
}

const FRUITS: [[u32; 3]; 6] = [
    [1, 2, 0],
    [3, 1, 2],
    [2, 1, 1],
    [1, 2, 3],
    [2, 1, 1],
    [1, 0, 2],
];

#[test]
fn fruits_with_ties_and_a_ghost() {
    let fit = from_places(&FRUITS)
        .fit(Prior::Ghost(0.5))
        .unwrap()
        .with_independent_games();
    let [banana, orange] = [1, 2].map(|fruit| fit.contrast(fruit, 0));
    assert_close(banana.difference, 0.286_798_7, 5e-8);
    assert_close(orange.difference, -0.463_668_7, 5e-8);
    assert_close(banana.error, 1.0129, 5e-5);
    assert_close(orange.error, 1.0280, 5e-5);
    let [(size, tie)] = fit.ties()[..] else {
        panic!("ties of two only")
    };
    assert_eq!(size, 2);
    assert_close(tie, -1.070_112_9, 5e-8);
    assert_close(-2.0 * fit.log_likelihood(), 21.61, 5e-3);
}

/// Four salad dressings, ranked by tartness by 32 judges (Critchlow & Fligner 1991), from the tartest on.
///
/// The judges' own rankings are not printed where the fit is, but all that a fit sees of them is how often each dressing was
/// first (A 2, B 23, C 5, D 2), how often each was last (22, 1, 3, 6), and how often each two were left over for the last two
/// places (AB 3, AC 7, AD 16, BC 0, BD 1, CD 5). These counts follow from the published worths: the likelihood equations are
/// linear in them, and of all counts of 32 rankings these alone satisfy them within 2e-5; the next digits of the errors
/// and the likelihood then check both. Any rankings with these counts do. `benches/tools/salad_counts.py` finds them.
const SALADS: [(&str, usize); 10] = [
    ("ABCD", 2),
    ("BACD", 3),
    ("BCDA", 15),
    ("BDAC", 3),
    ("BDCA", 2),
    ("CABD", 1),
    ("CBDA", 1),
    ("CDAB", 1),
    ("CDBA", 2),
    ("DBCA", 2),
];

#[test]
fn salad_dressings_of_critchlow_and_fligner_1991() {
    let rankings: Vec<Vec<usize>> = SALADS
        .iter()
        .flat_map(|&(order, judges)| {
            let dressings = order.bytes().map(|letter| usize::from(letter - b'A'));
            std::iter::repeat_n(dressings.collect(), judges)
        })
        .collect();
    assert_eq!(rankings.len(), 32);
    let fit = rate(&rankings, 4, Prior::None);
    let published = [0.041_858_63, 0.641_758_51, 0.199_504_46, 0.116_878_39];
    for (worth, published) in fit.worths().iter().zip(published) {
        assert_close(*worth, published, 1e-8);
    }
    for (dressing, difference, error) in [
        (1, 2.729_91, 0.448_07),
        (2, 1.561_54, 0.396_47),
        (3, 1.026_84, 0.377_06),
    ] {
        let contrast = fit.contrast(dressing, 0);
        assert_close(contrast.difference, difference, 5e-6);
        assert_close(contrast.error, error, 5e-6);
    }
    assert_close(fit.log_likelihood(), -76.415_289, 5e-7);
}

/// The 36 races of the NASCAR season 2002 (Hunter 2004): a line a race, the drivers from first to last. Four drivers
/// who always came last are left out; see [`with_the_last`].
fn nascar() -> Vec<Vec<usize>> {
    let races = include_str!("nascar2002.txt").lines();
    let driver = |number: &str| number.parse::<usize>().unwrap() - 1;
    races
        .map(|race| race.split(' ').map(driver).collect())
        .collect()
}

fn rate(races: &[Vec<usize>], drivers: usize, prior: Prior) -> Fit {
    let mut rankings = Rankings::new(drivers, 1);
    for (block, race) in (0..).zip(races) {
        let places = race.iter().map(|&driver| alone(driver)).collect();
        rankings.push(block, 1, places, vec![]).unwrap();
    }
    rankings.fit(prior).unwrap().with_independent_games()
}

#[test]
fn nascar_2002_by_maximum_likelihood() {
    let fit = rate(&nascar(), 83, Prior::None);
    assert_close(fit.log_likelihood(), -4191.0973, 5e-5);
    // P. Jones, S. Pruett, M. Martin, Marcis, Trickle, Varde against driver 1.
    for (driver, published, digits) in [
        (58, 4.15, 4.1477),
        (68, 3.62, 3.6162),
        (51, 2.08, 2.0763),
        (15, 0.03, 0.0258),
        (17, -0.31, -0.3113),
        (40, -0.15, -0.1451),
    ] {
        let difference = fit.contrast(driver - 1, 0).difference;
        assert_close(difference, published, 5e-3);
        assert_close(difference, digits, 6e-5);
    }
    let worths = fit.worths();
    for (driver, worth) in [(58, 0.1864), (68, 0.1096), (51, 0.0235)] {
        assert_close(worths[driver - 1], worth, 5e-5);
    }
}

/// Races 5, 8, 11, 15 and 31 have one driver less; A. Hillenburg was last in 5 and 8, three others in one each.
fn with_the_last(mut races: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    for (race, driver) in [(5, 83), (8, 83), (11, 84), (15, 85), (31, 86)] {
        assert_eq!(races[race - 1].len(), 42);
        races[race - 1].push(driver);
    }
    races
}

#[test]
fn nascar_2002_with_all_87_drivers_and_a_ghost() {
    let fit = rate(&with_the_last(nascar()), 87, Prior::Ghost(0.5));
    for (driver, expected) in [(58, 3.20), (68, 2.77), (51, 1.91)] {
        assert_close(fit.contrast(driver - 1, 0).difference, expected, 5e-3);
    }
    let hillenburg = fit.contrast(83, 0);
    assert_close(hillenburg.difference, -2.171_065, 5e-7);
    assert_close(hillenburg.error, 1.812_994, 5e-7);
}

#[test]
fn who_always_loses_has_no_strength_without_a_ghost() {
    let mut rankings = Rankings::new(3, 1);
    for (block, [first, second]) in (0..).zip([[0, 1], [1, 0], [0, 2], [1, 2]]) {
        rankings
            .push(block, 1, vec![alone(first), alone(second)], vec![])
            .unwrap();
    }
    let error = rankings.fit(Prior::None).unwrap_err();
    let FitError::NotConnected(groups) = error else {
        panic!("{error}")
    };
    let names = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(
        groups.explain(&names),
        "c never finished ahead of the others"
    );
    let fit = rankings.fit(Prior::Ghost(0.5)).unwrap();
    assert!(fit.strengths()[2] < fit.strengths()[1] && fit.strengths()[2].is_finite());
    assert_close(fit.strengths().iter().sum(), 0.0, 1e-12);
}

#[test]
fn groups_are_explained() {
    let explain = |games: &[[usize; 2]], bots| {
        let mut rankings = Rankings::new(bots, 1);
        for (block, [first, second]) in (0..).zip(games) {
            rankings
                .push(block, 1, vec![alone(*first), alone(*second)], vec![])
                .unwrap();
        }
        let names: Vec<String> = (0..bots).map(|bot| format!("bot{bot}")).collect();
        rankings.connected().unwrap_err().explain(&names)
    };
    assert_eq!(explain(&[[0, 1], [1, 0]], 3), "bot2 never met the others");
    assert_eq!(
        explain(&[[0, 1], [0, 2], [1, 2], [2, 1]], 3),
        "bot0 never finished behind the others"
    );
    let two = [[0, 1], [1, 0], [2, 3], [3, 2]];
    assert_eq!(explain(&two, 4), "bot0, bot1 never met the others");
}

#[test]
fn without_games_there_is_no_fit() {
    assert_eq!(
        Rankings::new(3, 1).fit(Prior::None).unwrap_err(),
        FitError::NoGames
    );
    assert_eq!(
        Rankings::new(1, 1).fit(Prior::None).unwrap_err(),
        FitError::NoGames
    );
    let mut rankings = Rankings::new(2, 1);
    assert_eq!(
        rankings.push(0, 1, vec![alone(0)], vec![]),
        Err(GameError::NoChoice)
    );
    assert_eq!(
        rankings.push(0, 1, vec![], alone(0)),
        Err(GameError::NoChoice)
    );
    assert!(
        rankings
            .push(0, 1, vec![alone(0), alone(2)], vec![])
            .is_err()
    );
}

/// Games of two: bot 0 has seat 0 and beats bot 1 in 30 of 40 games; with seats changed it wins 20 of 40.
fn with_seats() -> Rankings {
    let mut rankings = Rankings::new(2, 2);
    for (seat, wins, games) in [(0, 30, 40), (1, 20, 40)] {
        let one = vec![Entrant { bot: 0, seat }];
        let two = vec![Entrant {
            bot: 1,
            seat: 1 - seat,
        }];
        rankings
            .push(0, wins, vec![one.clone()], two.clone())
            .unwrap();
        rankings.push(1, games - wins, vec![two], one).unwrap();
    }
    rankings
}

#[test]
fn seats_have_an_effect_of_their_own() {
    // ln 3 = θ + β, 0 = θ − β in differences: both are ln 3/2.
    let fit = with_seats().fit(Prior::None).unwrap();
    let half = 3.0_f64.ln() / 2.0;
    assert_close(fit.contrast(0, 1).difference, half, 1e-10);
    assert_close(fit.seat_contrast(1).difference, -half, 1e-10);
    assert_close(fit.seat_effects()[0], 0.0, 0.0);
    // The observed information by hand: 40 p(1 − p) = 7.5 and 10 games; θ = (sum)/2, so its variance is (1/7.5 + 1/10)/4.
    let independent = fit.with_independent_games();
    assert_close(
        independent.contrast(0, 1).error,
        ((1.0 / 7.5 + 0.1) / 4.0_f64).sqrt(),
        1e-10,
    );
    // A seat that one bot always has cannot be told from it.
    let mut fixed = Rankings::new(2, 2);
    let [a, b] = [0, 1].map(|i| vec![Entrant { bot: i, seat: i }]);
    fixed
        .push(0, 3, vec![a.clone(), b.clone()], vec![])
        .unwrap();
    fixed.push(0, 2, vec![b, a], vec![]).unwrap();
    assert_eq!(fixed.fit(Prior::None).unwrap_err(), FitError::NotDetermined);
}

#[test]
fn errors_follow_the_blocks() {
    // The same 20 games: each a block of its own, or in blocks of two equal games.
    let [a, b] = [0, 1].map(alone);
    let (mut single, mut double) = (Rankings::new(2, 1), Rankings::new(2, 1));
    for game in 0..20_u64 {
        let places = if game < 12 {
            vec![a.clone(), b.clone()]
        } else {
            vec![b.clone(), a.clone()]
        };
        single.push(game, 1, places.clone(), vec![]).unwrap();
        double.push(game / 2, 1, places, vec![]).unwrap();
    }
    let [single, double] = [single, double].map(|rankings| rankings.fit(Prior::None).unwrap());
    let independent = single.clone().with_independent_games().contrast(0, 1);
    assert_close(independent.error, (1.0 / (20.0 * 0.24_f64)).sqrt(), 1e-10);
    assert_close(
        single.contrast(0, 1).error,
        independent.error * (20.0 / 19.0_f64).sqrt(),
        1e-10,
    );
    assert_close(
        double.contrast(0, 1).error,
        independent.error * (2.0 * 10.0 / 9.0_f64).sqrt(),
        1e-10,
    );
}

#[test]
fn winners_only_is_the_first_choice() {
    // One A against two B at seats that do not matter: A's share of wins p gives θ = ln(2p/(1 − p)).
    let mut rankings = Rankings::new(2, 1);
    let [a, b] = [0, 1].map(|bot| Entrant { bot, seat: 0 });
    rankings.push(0, 50, vec![vec![a]], vec![b, b]).unwrap();
    rankings.push(0, 50, vec![vec![b]], vec![a, b]).unwrap();
    let fit = rankings.fit(Prior::None).unwrap();
    assert_close(fit.contrast(0, 1).difference, 2.0_f64.ln(), 1e-10);
    assert_close(fit.worths()[0], 2.0 / 3.0, 1e-10);
    assert_eq!((rankings.games(), rankings.blocks()), (100, 1));
}

#[test]
fn goodness_finds_a_circle() {
    let circle = [vec![0, 60, 40], vec![40, 0, 60], vec![60, 40, 0]];
    let rankings = bradley_terry(&circle).unwrap();
    let fit = rankings.fit(Prior::None).unwrap();
    let goodness = fit.goodness(&rankings);
    // Every pair: 60 observed, 50 expected, variance 25.
    assert_close(goodness.statistic, 12.0, 1e-9);
    assert_eq!((goodness.degrees, goodness.pairs.len()), (1, 3));
    assert_close(goodness.p_value.unwrap(), 0.000_532_0, 5e-7);
    let exact = bradley_terry(&[vec![0, 3], vec![2, 0]]).unwrap();
    assert_eq!(
        exact.fit(Prior::None).unwrap().goodness(&exact).p_value,
        None
    );
}

#[test]
fn quasi_errors_of_citations_give_back_the_errors_of_differences() {
    let cited = [
        vec![0, 730, 498, 221],
        vec![33, 0, 68, 17],
        vec![320, 813, 0, 142],
        vec![284, 276, 325, 0],
    ];
    let fit = bradley_terry(&cited).unwrap().fit(Prior::None).unwrap();
    let quasi = fit.quasi_errors().unwrap();
    for i in 0..4 {
        for j in 0..i {
            let expected = fit.contrast(i, j).error;
            assert_close(quasi[i].hypot(quasi[j]) / expected, 1.0, 0.05);
        }
    }
    assert_close(
        fit.errors().iter().flatten().map(|e| e * e).sum(),
        {
            let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs
                .map(|(i, j)| fit.contrast(i, j).error.powi(2))
                .sum::<f64>()
                / 4.0
        },
        1e-12,
    );
}

/// So many games that the likelihood's rounding is larger than what the last steps gain.
#[test]
fn very_many_games_have_a_fit() {
    let wins = [
        vec![0, 523_456_789, 912_345_678],
        vec![498_765_432, 0, 898_765_431],
        vec![101_234_567, 123_456_788, 0],
    ];
    let fit = bradley_terry(&wins).unwrap().fit(Prior::None).unwrap();
    assert!(fit.rounds() < 20, "{}", fit.rounds());
    let goodness = fit.goodness(&bradley_terry(&wins).unwrap());
    // At the maximum every bot has won as often as the ratings expect.
    let excess: f64 = goodness.pairs[..2]
        .iter()
        .map(|pair| pair.observed - pair.expected)
        .sum();
    assert!(excess.abs() < 1.0, "{excess}");
}

#[test]
fn an_error_of_rounding_noise_shows_nothing() {
    for (difference, error) in [(0.0, 0.0), (3e-16, 1e-17), (1e-12, 1e-10), (0.7, 0.0)] {
        let contrast = Contrast { difference, error };
        assert_eq!((contrast.superiority(), contrast.p_value()), (0.5, 1.0));
    }
    let known = Contrast {
        difference: 0.2,
        error: 0.1,
    };
    assert_close(known.superiority(), 0.977_25, 1e-5);
    assert_close(known.p_value(), 0.045_50, 1e-5);
}
