use super::rows;
use crate::stats::plackett_luce::{Goodness, Prior, bradley_terry};

fn goodness(wins: [[u64; 3]; 3]) -> Goodness {
    let wins: Vec<Vec<u64>> = wins.iter().map(|row| row.to_vec()).collect();
    let rankings = bradley_terry(&wins).unwrap();
    rankings.fit(Prior::None).unwrap().goodness(&rankings)
}

#[test]
fn a_circle_is_named_and_an_order_is_not() {
    let circle = goodness([[0, 70, 40], [30, 0, 65], [60, 35, 0]]);
    assert_eq!(rows::circle(&circle, 3), Some([0, 1, 2]));
    let other_way = goodness([[0, 30, 60], [70, 0, 35], [40, 65, 0]]);
    assert_eq!(rows::circle(&other_way, 3), Some([0, 2, 1]));
    // A circle whose last link is within the noise, and an order.
    let loose = goodness([[0, 70, 48], [30, 0, 65], [52, 35, 0]]);
    assert_eq!(rows::circle(&loose, 3), None);
    let order = goodness([[0, 70, 80], [30, 0, 65], [20, 35, 0]]);
    assert_eq!(rows::circle(&order, 3), None);
}

#[test]
fn pairs_are_told_from_both_sides() {
    let circle = goodness([[0, 70, 40], [30, 0, 65], [60, 35, 0]]);
    let bots = ["a", "b", "c"].map(str::to_owned);
    let rows = rows::met(&circle, &bots);
    assert_eq!(rows.len(), 6);
    for both in rows.chunks(2) {
        assert_eq!(
            (&both[0].bot, &both[0].other),
            (&both[1].other, &both[1].bot)
        );
        assert!((both[0].share + both[1].share - 1.0).abs() < 1e-9);
        assert!((both[0].misfit + both[1].misfit).abs() < 1e-9);
    }
    let payoffs = rows::payoffs(&circle, 3).unwrap();
    assert_eq!(payoffs[0], [0.5, 0.7, 0.4]);
    // One pair that never met.
    let open = goodness([[0, 7, 4], [3, 0, 0], [6, 0, 0]]);
    assert_eq!(rows::payoffs(&open, 3), None);
}
