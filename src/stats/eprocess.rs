//! The test that may stop at any time: a bet against the hypothesis, and the confidence sequence it gives.
//!
//! For H0 "the mean is at most m" one stakes, at every block, a fixed fraction f of the wealth on scores above m:
//! a score a multiplies the wealth by 1 + λ(a − m), λ = f/m. While H0 holds no bet gains on average, whatever the
//! law of the scores in [0, 1], so the wealth K is a non-negative supermartingale and P(K ever ≥ 1/α) ≤ α
//! (Ville 1939). K is averaged over the fractions [`BETS`]. It depends on the counts of the scores only, hence
//! shards merge exactly. Background: Shafer 2021; Ramdas, Grünwald, Vovk & Shafer 2023; Waudby-Smith & Ramdas 2024.
//!
//! With shards, the blocks looked at must be 0, 1, …, B − 1 without gaps: leaving out blocks that are still being
//! played leaves out long games.

use super::confidence::Confidence;
use super::counts::ScoreCounts;
use super::interval::{Estimate, Interval};
use super::quantile::bisect;
use super::verdict::{ErrorRates, Verdict};

/// The fractions of the wealth staked: 1/2, 1/4, …, 1/4096, averaged with equal weights.
///
/// For small effects the nearest fraction loses at most about a sixth of the best one's growth, and the smallest
/// serves up to some 10^8 blocks; beyond that the sequence stays valid but hardly narrows. Part of the test's definition: with
/// another grid the same counts give another e-value.
pub const BETS: [f64; 12] = {
    let mut bets = [0.5; 12];
    let mut i = 1;
    while i < bets.len() {
        bets[i] = bets[i - 1] / 2.0;
        i += 1;
    }
    bets
};

/// The hypothesis an e-value speaks against, about the mean block score; the number is strictly between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Null {
    /// The mean is at most this.
    AtMost(f64),
    /// The mean is at least this.
    AtLeast(f64),
}

/// The natural logarithm of the e-value (wealth) against `null`. Reject at level α when it is ever ≥ −ln α:
/// 2.996 for 5 %. No blocks give 0. `None` if the number in `null` is not strictly between 0 and 1.
pub fn ln_e_value(counts: &ScoreCounts, null: Null) -> Option<f64> {
    match null {
        Null::AtMost(mean) => in_range(mean).then(|| ln_wealth(counts, mean)),
        Null::AtLeast(mean) => in_range(mean).then(|| ln_wealth(&counts.mirrored(), 1.0 - mean)),
    }
}

/// The verdict between "mean ≤ `null`" and "mean ≥ `alternative`": the alternative when the e-value against the null
/// reaches 1/α, the null when the one against the alternative reaches 1/β. If both do, the stronger one counts.
///
/// The rates hold for any rule of looking and stopping, provided the first verdict that is not open stands.
/// `None` unless 0 < `null` < `alternative` < 1.
pub fn verdict(
    counts: &ScoreCounts,
    null: f64,
    alternative: f64,
    rates: ErrorRates,
) -> Option<Verdict> {
    if null >= alternative {
        return None;
    }
    let for_alternative = ln_e_value(counts, Null::AtMost(null))? + libm::log(rates.alpha());
    let for_null = ln_e_value(counts, Null::AtLeast(alternative))? + libm::log(rates.beta());
    Some(if for_alternative.max(for_null) < 0.0 {
        Verdict::Open
    } else if for_alternative >= for_null {
        Verdict::Alternative
    } else {
        Verdict::Null
    })
}

/// The mean block score in [0, 1] with its confidence sequence: all means m against which neither side's e-value
/// reaches 2/α. All intervals of a run cover the mean together at the stated level, so it may be looked at after any
/// block. `n` counts blocks. `None` without a block.
///
/// Both e-values are monotone in m, so the set is an interval and bisection finds its ends to the last bit. Even when
/// all blocks are equal it has positive width: no spread seen is not no spread.
pub fn confidence_sequence(counts: &ScoreCounts, confidence: Confidence) -> Option<Estimate> {
    let value = counts.mean()?;
    let threshold = -libm::log(confidence.alpha() / 2.0);
    let high = 1.0 - lower_end(&counts.mirrored(), threshold);
    let interval = Interval {
        low: lower_end(counts, threshold).min(value),
        high: high.max(value),
    };
    Some(Estimate {
        value,
        n: counts.blocks(),
        interval: Some(interval),
    })
}

/// The smallest mean m against which "the mean is at most m" is not rejected.
fn lower_end(counts: &ScoreCounts, threshold: f64) -> f64 {
    match counts.mean() {
        Some(mean) if mean > 0.0 => bisect(0.0, mean, |m| ln_wealth(counts, m) >= threshold),
        _ => 0.0,
    }
}

/// ln of the wealth against "the mean is at most `mean`", 0 < `mean` ≤ 1.
fn ln_wealth(counts: &ScoreCounts, mean: f64) -> f64 {
    let logs = BETS.map(|bet| {
        counts
            .occupied()
            .map(|(score, count)| count * libm::log1p(bet * (score / mean - 1.0)))
            .sum::<f64>()
    });
    let largest = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if largest.is_infinite() {
        return largest;
    }
    let average = logs
        .into_iter()
        .map(|log| libm::exp(log - largest))
        .sum::<f64>()
        / BETS.len() as f64;
    largest + libm::log(average)
}

fn in_range(mean: f64) -> bool {
    mean > 0.0 && mean < 1.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const P95: Confidence = Confidence::PERCENT_95;

    fn counts(cells: &[u64]) -> ScoreCounts {
        ScoreCounts::from_counts(cells.to_vec()).unwrap()
    }

    fn ends(cells: &[u64]) -> (f64, f64) {
        let interval = confidence_sequence(&counts(cells), P95)
            .unwrap()
            .interval
            .unwrap();
        (interval.low, interval.high)
    }

    /// The wealth as its definition says, without logarithms.
    fn naive_wealth(cells: &[u64], mean: f64) -> f64 {
        let steps = (cells.len() - 1) as f64;
        let products = BETS.map(|bet| {
            (0_u32..)
                .zip(cells)
                .fold(1.0_f64, |product, (score, &count)| {
                    product
                        * (1.0 + bet / mean * (f64::from(score) / steps - mean)).powi(count as i32)
                })
        });
        products.iter().sum::<f64>() / 12.0
    }

    #[test]
    fn the_bets_halve() {
        assert_eq!((BETS[0], BETS[1], BETS[11]), (0.5, 0.25, 1.0 / 4096.0));
    }

    #[test]
    fn one_certain_win_is_a_bet_won() {
        // Against "at most 1/4" a win multiplies by 1 + f(4 − 1); the fractions add to 1 − 1/4096.
        let e = ln_e_value(&counts(&[0, 1]), Null::AtMost(0.25))
            .unwrap()
            .exp();
        assert!((e - (1.0 + 3.0 * (1.0 - 1.0 / 4096.0) / 12.0)).abs() < 1e-14);
    }

    #[test]
    fn a_fair_bet_gains_nothing_on_average() {
        // Given the law 0.3, 0.5, 0.2 on 0, ½, 1 with mean 0.45: E[K] over all outcomes of three blocks is 1.
        let law = [0.3, 0.5, 0.2];
        for null in [Null::AtMost(0.45), Null::AtLeast(0.45)] {
            let mut expectation = 0.0;
            for outcome in 0..27 {
                let scores = [outcome % 3, outcome / 3 % 3, outcome / 9];
                let mut cells = [0; 3];
                for score in scores {
                    cells[score] += 1;
                }
                let probability: f64 = scores.iter().map(|&score| law[score]).product();
                expectation += probability * ln_e_value(&counts(&cells), null).unwrap().exp();
            }
            assert!((expectation - 1.0).abs() < 1e-14, "{expectation}");
        }
    }

    #[test]
    fn a_clear_advantage_is_found_and_a_fair_share_is_not_rejected() {
        let strong = counts(&[4148, 9718, 5138, 932, 64]);
        assert_eq!(
            verdict(&strong, 0.25, 0.26, ErrorRates::PERCENT_5),
            Some(Verdict::Alternative)
        );
        let even = counts(&[1764, 16696, 1484, 54, 2]);
        assert_eq!(
            verdict(&even, 0.25, 0.26, ErrorRates::PERCENT_5),
            Some(Verdict::Null)
        );
        let few = counts(&[17, 167, 15, 1, 0]);
        assert_eq!(
            verdict(&few, 0.25, 0.26, ErrorRates::PERCENT_5),
            Some(Verdict::Open)
        );
        // Far inside, both hypotheses are wrong; the farther one is given up.
        let between = counts(&[75_200_000, 24_800_000]);
        assert_eq!(
            verdict(&between, 0.24, 0.25, ErrorRates::PERCENT_5),
            Some(Verdict::Alternative)
        );
    }

    #[test]
    fn means_outside_the_unit_interval_have_no_e_value() {
        let some = counts(&[1, 1]);
        for mean in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert_eq!(ln_e_value(&some, Null::AtMost(mean)), None);
            assert_eq!(ln_e_value(&some, Null::AtLeast(mean)), None);
            assert_eq!(verdict(&some, 0.5, mean, ErrorRates::PERCENT_5), None);
        }
        assert_eq!(verdict(&some, 0.5, 0.4, ErrorRates::PERCENT_5), None);
    }

    #[test]
    fn a_win_refutes_a_mean_next_to_zero() {
        let ln_e = ln_e_value(&counts(&[5, 1]), Null::AtMost(1e-320)).unwrap();
        assert!(ln_e > 700.0, "{ln_e}");
    }

    #[test]
    fn no_blocks_prove_nothing() {
        let none = counts(&[0, 0]);
        assert_eq!(ln_e_value(&none, Null::AtMost(0.5)), Some(0.0));
        assert_eq!(confidence_sequence(&none, P95), None);
    }

    #[test]
    fn all_wins_bound_the_mean_from_below_only() {
        // 1,000 wins: the half bet alone gives K = (1 + (1/m − 1)/2)^1000 / 12.
        let (low, high) = ends(&[0, 1_000]);
        assert!(
            low > 0.98 && low < 0.995 && (high - 1.0).abs() < 1e-15,
            "{low} {high}"
        );
        let (mirrored_low, mirrored_high) = ends(&[1_000, 0]);
        assert!(mirrored_low.abs() < 1e-15 && (mirrored_high - (1.0 - low)).abs() < 1e-14);
    }

    #[test]
    fn equal_blocks_keep_a_positive_width() {
        let (low, high) = ends(&[0, 1_000, 0, 0, 0]);
        assert!(
            0.24 < low && low < 0.2499 && 0.2501 < high && high < 0.26,
            "{low} {high}"
        );
    }

    #[test]
    fn the_width_follows_the_spread_of_blocks() {
        // The factor over sd/√B; a fixed-size interval would have 1.96.
        for (cells, sd) in [
            ([4148, 9718, 5138, 932, 64], 0.041_019_f64.sqrt()),
            ([1764, 16696, 1484, 54, 2], 0.01_f64.sqrt()),
        ] {
            let (low, high) = ends(&cells);
            let factor = (high - low) / 2.0 / (sd / 20_000_f64.sqrt());
            assert!((3.0..3.8).contains(&factor), "{factor}");
        }
        let (low, high) = ends(&[3_000_000_000, 1_000_000_000]);
        assert!(
            low < 0.25 && 0.25 < high && high - low < 3e-4,
            "{low} {high}"
        );
    }

    proptest! {
        #[test]
        fn the_e_value_is_its_definition(cells in prop::collection::vec(0_u64..30, 2..6), mean in 0.05..0.95) {
            let counts = counts(&cells);
            let expected = naive_wealth(&cells, mean);
            let actual = ln_e_value(&counts, Null::AtMost(mean)).unwrap().exp();
            prop_assert!((actual / expected - 1.0).abs() < 1e-10, "{} {}", actual, expected);
            let mirrored = ln_e_value(&counts.mirrored(), Null::AtLeast(1.0 - mean)).unwrap().exp();
            prop_assert!((mirrored / expected - 1.0).abs() < 1e-10);
        }

        #[test]
        fn the_sequence_is_what_neither_side_rejects(cells in prop::collection::vec(0_u64..3_000, 2..6), m in 0.01..0.99) {
            prop_assume!(cells.iter().any(|&count| count > 0));
            let (low, high) = ends(&cells);
            prop_assert!(0.0 <= low && low <= high && high <= 1.0);
            let counts = counts(&cells);
            let stronger = f64::max(
                ln_e_value(&counts, Null::AtMost(m)).unwrap(),
                ln_e_value(&counts, Null::AtLeast(m)).unwrap(),
            );
            let inside = (low..=high).contains(&m);
            prop_assert!(inside == (stronger < 40.0_f64.ln()) || (m - low).abs().min((m - high).abs()) < 1e-9);
        }
    }
}
