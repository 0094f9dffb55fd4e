//! Bots in groups: the same bots under several rule sets.

use super::*;
use crate::engine::random::{BlockKey, Purpose, Stream};
use crate::engine::seat::Seat;
use crate::stats::elo::PER_THETA;
use crate::stats::interval::clopper_pearson;
use crate::stats::{Confidence, multiple};

fn stream(seed: u64, block: u64) -> Stream {
    BlockKey::new(seed, block).stream(Purpose::Bot, Seat::A)
}

/// A game of all bots by their strengths: everybody's luck is that of the dice, which `shared` of them have in common
/// with the games of the same block, and the farthest wins.
fn places(strengths: &[f64], dice: &mut Stream, own: &mut Stream, shared: f64) -> Vec<usize> {
    let mut far: Vec<(f64, usize)> = strengths
        .iter()
        .enumerate()
        .map(|(bot, strength)| {
            let (common, alone) = (dice.unit(), own.unit());
            let luck = if own.unit() < shared { common } else { alone };
            // Gumbel luck makes the model of Plackett and Luce true.
            (strength - libm::log(-libm::log(luck.max(1e-300))), bot)
        })
        .collect();
    far.sort_by(|a, b| b.0.total_cmp(&a.0));
    far.into_iter().map(|(_, bot)| bot).collect()
}

/// Blocks of a game under each of two rule sets on shared dice.
fn pool(seed: u64, blocks: u64, strengths: [&[f64]; 2]) -> Rankings {
    let bots = strengths[0].len();
    let groups = (0..2 * bots).map(|player| player / bots).collect();
    let mut rankings = Rankings::in_groups(groups, vec![0, 1]);
    for block in 0..blocks {
        for (set, strengths) in strengths.iter().enumerate() {
            let mut dice = stream(seed, block);
            let mut own = stream(seed + 1, 2 * block + set as u64);
            for _ in 0..2 {
                let order = places(strengths, &mut dice, &mut own, 0.5).into_iter();
                let player = |bot: usize| {
                    vec![Entrant {
                        bot: set * bots + bot,
                        seat: set,
                    }]
                };
                rankings
                    .push(block, 1, order.map(player).collect(), vec![])
                    .unwrap();
            }
        }
    }
    rankings
}

/// The gains of three bots, of which each is a sum of strengths.
fn gain(bot: usize) -> Vec<(usize, f64)> {
    let part = |other: usize| f64::from(u8::from(other == bot)) - 1.0 / 3.0;
    let one = (0..3).map(|other| (other, -part(other)));
    one.chain((0..3).map(|other| (3 + other, part(other))))
        .collect()
}

const STRENGTHS: [f64; 3] = [0.5, 0.1, -0.6];

/// One fit of both groups has the strengths that each has alone.
#[test]
fn groups_do_not_change_each_other() {
    let rankings = pool(1, 80, [&STRENGTHS, &[0.0, 0.4, -0.4]]);
    let together = rankings.fit(Prior::None).unwrap();
    for group in 0..2 {
        let mut alone = Rankings::new(3, 1);
        for (&(block, order), &games) in &rankings.games {
            let order = &rankings.orders[order];
            if order.places[0][0].bot / 3 == group {
                let of = |entrant: &Entrant| Entrant {
                    bot: entrant.bot % 3,
                    seat: 0,
                };
                let places = order.places.iter();
                let places = places.map(|tied| tied.iter().map(of).collect());
                alone.push(block, games, places.collect(), vec![]).unwrap();
            }
        }
        let alone = alone.fit(Prior::None).unwrap();
        for bot in 0..3 {
            let both = [
                together.strengths()[3 * group + bot],
                together.errors()[3 * group + bot].unwrap(),
            ];
            let expected = [alone.strengths()[bot], alone.errors()[bot].unwrap()];
            for (value, expected) in both.into_iter().zip(expected) {
                assert!((value - expected).abs() < 1e-9, "{value} {expected}");
            }
        }
    }
}

/// Rules that change no game change no strength, which is seen only where blocks are clustered across groups.
#[test]
fn the_same_games_twice_are_no_gain() {
    let mut rankings = Rankings::in_groups(vec![0, 0, 0, 1, 1, 1], vec![0, 1]);
    for block in 0..40 {
        let (mut dice, mut own) = (stream(3, block), stream(4, block));
        let order = places(&STRENGTHS, &mut dice, &mut own, 0.5);
        for set in 0..2 {
            let player = |&bot: &usize| {
                vec![Entrant {
                    bot: 3 * set + bot,
                    seat: set,
                }]
            };
            rankings
                .push(block, 1, order.iter().map(player).collect(), vec![])
                .unwrap();
        }
    }
    let fit = rankings.fit(Prior::None).unwrap();
    for bot in 0..3 {
        let gain = fit.combination(&gain(bot));
        assert!(gain.difference.abs() < 1e-9, "{gain:?}");
        assert_eq!(gain.known_error(), None);
        assert_eq!(gain.interval(Some(40), Confidence::PERCENT_95), None);
        assert!(gain.p_value_of_blocks(Some(40)) >= 1.0);
    }
    assert_eq!(fit.all_zero(&[gain(1), gain(2)], Some(40)), None);
}

/// Wald's statistic of one sum is the square of its t, and Hotelling's law is Student's then.
#[test]
fn one_gain_is_tested_as_alone() {
    let rankings = pool(5, 50, [&STRENGTHS, &[0.0, 0.4, -0.4]]);
    let fit = rankings.fit(Prior::None).unwrap();
    let (joint, own) = (
        fit.all_zero(&[gain(0)], Some(50)).unwrap(),
        fit.combination(&gain(0)),
    );
    assert!((joint.p_value - own.p_value_of_blocks(Some(50))).abs() < 1e-9);
    let known = fit.all_zero(&[gain(0)], None).unwrap();
    assert!((known.p_value - own.p_value()).abs() < 1e-6);
    assert_eq!((joint.degrees, joint.of_errors), (1, Some(49)));
    // An interval that ends at no gain belongs to the p-value.
    let level = Confidence::from_alpha(joint.p_value).unwrap();
    let ends = own.interval(Some(50), level).unwrap();
    assert!(ends.low.abs().min(ends.high.abs()) < 1e-6, "{ends:?}");
    // Which of the gains is left out does not matter, and as many blocks as gains tell nothing.
    let [a, b] = [[0, 1], [2, 0]].map(|two| two.map(gain));
    let [a, b] = [a, b].map(|two| fit.all_zero(&two, Some(50)).unwrap());
    assert!((a.statistic - b.statistic).abs() < 1e-6);
    assert_eq!(fit.all_zero(&[gain(0), gain(1)], Some(2)), None);
}

/// A group that falls apart is named, and a ghost would tie groups together.
#[test]
fn a_group_must_hold_together() {
    let mut rankings = Rankings::in_groups(vec![0, 0, 1, 1], vec![0, 1]);
    let alone = |bot: usize| vec![Entrant { bot, seat: bot / 2 }];
    for (winner, loser) in [(0, 1), (1, 0), (2, 3)] {
        rankings
            .push(0, 1, vec![alone(winner), alone(loser)], vec![])
            .unwrap();
    }
    let FitError::NotConnected(found) = rankings.fit(Prior::None).unwrap_err() else {
        panic!("bot 3 never won");
    };
    assert_eq!(found.group, [2]);
    assert_eq!((found.wins, found.losses), (true, false));
    assert_eq!(
        rankings.fit(Prior::Ghost(0.5)).unwrap_err(),
        FitError::NotDetermined
    );
}

/// How often rules that change nothing are said to change something, and one bot's gain of 100 Elo is found.
#[test]
#[ignore = "thousands of fits: the figures of docs/ratings.md"]
fn rules_that_change_nothing() {
    const POOLS: u64 = 1_000;
    let gained = STRENGTHS[1] + 100.0 / PER_THETA;
    for (truth, second) in [
        ("none", STRENGTHS),
        ("100 Elo", [STRENGTHS[0], gained, STRENGTHS[2]]),
    ] {
        let (mut tests, mut holm, mut covered) = (0, 0, 0);
        // Gains are against the average, which the gain of one of three moves too.
        let truths = [0, 1, 2].map(|bot| {
            let mean: f64 = (0..3).map(|bot| second[bot] - STRENGTHS[bot]).sum::<f64>() / 3.0;
            second[bot] - STRENGTHS[bot] - mean
        });
        for number in 0..POOLS {
            let rankings = pool(10 + 2 * number, 60, [&STRENGTHS, &second]);
            let fit = rankings.fit(Prior::None).unwrap();
            let joint = fit.all_zero(&[gain(1), gain(2)], Some(60)).unwrap();
            tests += u64::from(joint.p_value <= 0.05);
            let gains = [0, 1, 2].map(|bot| fit.combination(&gain(bot)));
            let p = gains.map(|gain| gain.p_value_of_blocks(Some(60)));
            let p = multiple::holm(&p).unwrap();
            holm += u64::from(p.iter().any(|&p| p <= 0.05));
            let ends = gains.map(|gain| gain.interval(Some(60), Confidence::PERCENT_95).unwrap());
            covered += ends
                .iter()
                .zip(truths)
                .filter(|(ends, truth)| ends.contains(*truth))
                .count() as u64;
        }
        println!(
            "gain {truth}: the test rejects in {tests} of {POOLS}, Holm some gain in {holm}, {covered} of {} intervals \
             hold",
            3 * POOLS
        );
        if truth == "none" {
            for wrong in [tests, holm] {
                let range = clopper_pearson(wrong, POOLS, Confidence::new(0.99).unwrap());
                let low = range.unwrap().interval.unwrap().low;
                assert!(low <= 0.05, "{wrong} of {POOLS} wrong at 5 %");
            }
        } else {
            assert!(tests > POOLS / 2, "{tests}");
        }
    }
}
