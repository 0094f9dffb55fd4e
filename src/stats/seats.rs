//! Is every seat equally good? Tests of the winners' seats over *independent* games.
//!
//! Both take how often each seat won. The rotations of a block share their dice: count one game per block, or blocks
//! of one game, and give each seat the same bot.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::quantile::stirling_remainder;

/// Pearson's test of equal shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// Σ (count − expected)²/expected.
    pub statistic: f64,
    /// Seats − 1.
    pub degrees: u32,
    /// The probability of a statistic at least as large when all seats are equal; for one look at a planned number of
    /// games.
    pub p_value: f64,
}

/// Tests that all seats win equally often (Pearson 1900). An approximation for at least about five expected wins per
/// seat. `None` for fewer than two seats or no game.
pub fn chi_square(wins: &[u64]) -> Option<ChiSquare> {
    let games = total(wins)?;
    let seats = wins.len() as u128;
    // In integers: Σ (seats · count − games)²/(seats · games).
    let squares = wins.iter().map(|&count| {
        let excess = (seats * u128::from(count)).abs_diff(games) as f64;
        excess * excess
    });
    let statistic = squares.sum::<f64>() / (seats as f64 * games as f64);
    let degrees = u32::try_from(wins.len() - 1).ok()?;
    let law = ChiSquared::new(f64::from(degrees)).ok()?;
    Some(ChiSquare {
        statistic,
        degrees,
        p_value: law.sf(statistic),
    })
}

/// The natural logarithm of the e-value against equal seats, which may be looked at after any game: reject at level α
/// when it is ever ≥ −ln α (Lindon & Malek 2022).
///
/// E = B(a + c)/B(a) · Π seats^c for the counts c, B the multivariate beta function: the bet of one who believes in
/// shares drawn from the symmetric Dirichlet law with `concentration` a > 0 per seat. With a = 100 it finds small
/// deviations from equality much sooner than with a = 1. `None` for fewer than two seats, no game, or a
/// `concentration` that is not positive and finite.
pub fn ln_e_value(wins: &[u64], concentration: f64) -> Option<f64> {
    let games = total(wins)? as f64;
    if !(concentration > 0.0 && concentration.is_finite()) {
        return None;
    }
    let seats = wins.len() as f64;
    // ln Γ(x) is (x − ½) ln x − x + a small remainder. The large parts of all terms are collected in ln(x/mean x) per
    // seat, so that digits are not lost in the difference of huge logarithms.
    let ln_beta_by_size = |mean: f64, parts: &mut dyn Iterator<Item = f64>| {
        let per_seat = |part: f64| (part - 0.5) * libm::log(part / mean) + stirling_remainder(part);
        let shared = (seats - 1.0) / 2.0 * libm::log(std::f64::consts::TAU)
            - (seats - 1.0) / 2.0 * libm::log(mean)
            + libm::log(seats) / 2.0
            - stirling_remainder(seats * mean);
        parts.map(per_seat).sum::<f64>() + shared
    };
    let after = ln_beta_by_size(
        games / seats + concentration,
        &mut wins.iter().map(|&count| count as f64 + concentration),
    );
    let before = ln_beta_by_size(concentration, &mut wins.iter().map(|_| concentration));
    Some(after - before)
}

/// Σ (p − 1/n)², how unequal the chances of the seats are, without the upward bias of noise:
/// Σ (p̂ − 1/n)² − Σ p̂(1 − p̂)/(N − 1) for N *independent* games.
///
/// 0 on average in a fair game, hence often a little negative there. Its root is comparable with a deviation in share;
/// max |p̂ − 1/n| is not, see [`largest_deviation`](super::selection::largest_deviation). `None` for fewer than two
/// seats or games.
pub fn unbiased_spread(wins: &[u64]) -> Option<f64> {
    let games = total(wins).filter(|&games| games > 1)? as f64;
    let fair = 1.0 / wins.len() as f64;
    let terms = wins.iter().map(|&count| {
        let share = count as f64 / games;
        (share - fair) * (share - fair) - share * (1.0 - share) / (games - 1.0)
    });
    Some(terms.sum())
}

/// The number of games; `None` if it is 0 or there are fewer than two seats.
fn total(wins: &[u64]) -> Option<u128> {
    let games = wins.iter().map(|&count| u128::from(count)).sum();
    (games > 0 && wins.len() > 1).then_some(games)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The e-value as its definition says.
    fn naive(wins: &[u64], a: f64) -> f64 {
        let (n, games) = (wins.len() as f64, wins.iter().sum::<u64>() as f64);
        let gain: f64 = wins
            .iter()
            .map(|&c| libm::lgamma(a + c as f64) - libm::lgamma(a))
            .sum();
        gain - libm::lgamma(n * a + games) + libm::lgamma(n * a) + games * n.ln()
    }

    #[track_caller]
    fn assert_close(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn a_hundred_thousand_games() {
        let wins = [25_500, 25_000, 24_800, 24_700];
        let test = chi_square(&wins).unwrap();
        assert_close(test.statistic, 15.2, 1e-12);
        assert_close(test.p_value, 0.001_653_47, 5e-9);
        assert_eq!(test.degrees, 3);
        assert_close(ln_e_value(&wins, 1.0).unwrap(), -7.9172, 5e-5);
        assert_close(ln_e_value(&wins, 100.0).unwrap(), -0.7449, 5e-5);
    }

    #[test]
    fn a_million_games() {
        let wins = [255_000, 250_000, 248_000, 247_000];
        assert_close(chi_square(&wins).unwrap().statistic, 152.0, 1e-12);
        assert_close(ln_e_value(&wins, 1.0).unwrap(), 56.8164, 5e-5);
        assert_close(ln_e_value(&wins, 100.0).unwrap(), 63.9940, 5e-5);
    }

    #[test]
    fn huge_counts_keep_their_digits() {
        // 10^12 games, perfectly even: ln E ≈ −(3/2) ln(games) + const. Doubling the games adds −(3/2) ln 2.
        let even = |per_seat: u64| ln_e_value(&[per_seat; 4], 1.0).unwrap();
        assert_close(
            even(500_000_000_000) - even(250_000_000_000),
            -1.5 * 2.0_f64.ln(),
            1e-9,
        );
    }

    #[test]
    fn a_fair_bet_gains_nothing_on_average() {
        // E[E] over the 27 outcomes of three games with three equal seats.
        let mut expectation = 0.0;
        for outcome in 0_usize..27 {
            let mut wins = [0; 3];
            for seat in [outcome % 3, outcome / 3 % 3, outcome / 9] {
                wins[seat] += 1;
            }
            expectation += ln_e_value(&wins, 2.5).unwrap().exp() / 27.0;
        }
        assert_close(expectation, 1.0, 1e-13);
    }

    #[test]
    fn the_spread_is_unbiased() {
        // Three games of two seats with chances 0.7 and 0.3: the mean over all outcomes is 2 · 0.2² = 0.08.
        let choose = [1.0, 3.0, 3.0, 1.0];
        let mean: f64 = (0..4_u64)
            .map(|k| {
                let chance =
                    choose[k as usize] * 0.7_f64.powi(k as i32) * 0.3_f64.powi(3 - k as i32);
                chance * unbiased_spread(&[k, 3 - k]).unwrap()
            })
            .sum();
        assert_close(mean, 0.08, 1e-15);
        assert_eq!(
            (unbiased_spread(&[1, 0]), unbiased_spread(&[5])),
            (None, None)
        );
    }

    #[test]
    fn without_seats_or_games_there_is_no_test() {
        assert_eq!(
            (chi_square(&[]), chi_square(&[3]), chi_square(&[0, 0])),
            (None, None, None)
        );
        assert_eq!(
            (ln_e_value(&[3], 1.0), ln_e_value(&[0, 0], 1.0)),
            (None, None)
        );
        for concentration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(ln_e_value(&[1, 2], concentration), None);
        }
        assert!(
            chi_square(&[u64::MAX, u64::MAX]).is_some()
                && ln_e_value(&[u64::MAX, 0], 1.0).is_some()
        );
    }

    proptest! {
        #[test]
        fn the_e_value_is_its_definition(wins in prop::collection::vec(0_u64..5_000, 2..9), a in 0.1..200.0) {
            prop_assume!(wins.iter().any(|&count| count > 0));
            let (actual, expected) = (ln_e_value(&wins, a).unwrap(), naive(&wins, a));
            prop_assert!((actual - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{} {}", actual, expected);
        }
    }
}
