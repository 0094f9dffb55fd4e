//! Alpha-rank: how long an evolving population stays with each strategy (Omidshafiei et al. 2019).
//!
//! For bots that beat each other in a circle one number per bot misleads; the share of time a population of imitators
//! spends with each still exists. One population of `size` individuals plays one strategy until a single mutant of
//! another takes over or dies out (Fudenberg & Imhof 2006); with selection of strength α the mutant τ among residents
//! σ takes over with probability `ρ = 1/(1 + Σₖ Π exp(−α (fτ(l) − fσ(l))))`, the product over l ≤ k, f the mean payoffs when l
//! individuals play τ.

/// The shares of time, in the order of `payoffs`; they add to 1. `payoffs[i][j]` is what strategy i gets against j,
/// for example its share of wins.
///
/// `None` for no strategy, a matrix that is not square or not finite, fewer than two individuals, or a `selection`
/// that is negative or so strong that a probability is lost to rounding.
pub fn stationary(payoffs: &[Vec<f64>], size: u32, selection: f64) -> Option<Vec<f64>> {
    let n = payoffs.len();
    let square = payoffs
        .iter()
        .all(|row| row.len() == n && row.iter().all(|payoff| payoff.is_finite()));
    if n == 0 || !square || size < 2 || !(selection >= 0.0 && selection.is_finite()) {
        return None;
    }
    // The chain's steps; a factor common to all does not change where it stays.
    let mut steps = vec![vec![0.0; n]; n];
    for (resident, row) in steps.iter_mut().enumerate() {
        for (mutant, step) in row.iter_mut().enumerate() {
            if mutant != resident {
                *step = fixation(payoffs, resident, mutant, size, selection);
            }
        }
    }
    stay(steps)
}

fn fixation(
    payoffs: &[Vec<f64>],
    resident: usize,
    mutant: usize,
    size: u32,
    selection: f64,
) -> f64 {
    let others = f64::from(size - 1);
    let mut sum = 1.0;
    let mut product = 1.0;
    for mutants in 1..size {
        let (l, rest) = (f64::from(mutants), f64::from(size - mutants));
        let mutant_gets =
            ((l - 1.0) * payoffs[mutant][mutant] + rest * payoffs[mutant][resident]) / others;
        let resident_gets =
            (l * payoffs[resident][mutant] + (rest - 1.0) * payoffs[resident][resident]) / others;
        product *= libm::exp(-selection * (mutant_gets - resident_gets));
        sum += product;
    }
    1.0 / sum
}

/// The stationary law of a chain with these rates off the diagonal, without a subtraction (Grassmann, Taksar & Heyman
/// 1985): states are taken out one after the other, then weighed in reverse.
fn stay(mut steps: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = steps.len();
    for last in (1..n).rev() {
        let leaving: f64 = steps[last][..last].iter().sum();
        for from in 0..last {
            steps[from][last] /= leaving;
            for to in 0..last {
                let detour = steps[from][last] * steps[last][to];
                steps[from][to] += detour;
            }
        }
    }
    let mut shares = vec![1.0; n];
    for state in 1..n {
        shares[state] = (0..state)
            .map(|from| shares[from] * steps[from][state])
            .sum();
    }
    let total: f64 = shares.iter().sum();
    let shares: Vec<f64> = shares.iter().map(|share| share / total).collect();
    shares
        .iter()
        .all(|share| share.is_finite())
        .then_some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_strategies_of_han_and_others_2013() {
        // Commitment, cooperation, defection, fake and free: r = 1, t = 2, p = 0, s = −1, δ = 4, ε = 1/4.
        let payoffs = [
            vec![0.875, 0.75, 0.0, 2.75, 0.75],
            vec![1.0, 1.0, -1.0, -1.0, -1.0],
            vec![0.0, 2.0, 0.0, 0.0, 0.0],
            vec![-2.0, 2.0, 0.0, 0.0, 0.0],
            vec![1.0, 2.0, 0.0, 0.0, 0.0],
        ];
        let expected = [
            0.409_667_87,
            0.079_598_41,
            0.205_069_98,
            0.085_059_83,
            0.220_603_9,
        ];
        let shares = stationary(&payoffs, 20, 0.1).unwrap();
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 1e-8, "{shares:?}");
        }
    }

    #[test]
    fn a_circle_is_a_tie() {
        let circle = [
            vec![0.5, 1.0, 0.0],
            vec![0.0, 0.5, 1.0],
            vec![1.0, 0.0, 0.5],
        ];
        for share in stationary(&circle, 50, 1.0).unwrap() {
            assert!((share - 1.0 / 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_no_game_has_no_ranking() {
        assert_eq!(stationary(&[], 20, 0.1), None);
        assert_eq!(stationary(&[vec![0.0, 1.0]], 20, 0.1), None);
        assert_eq!(stationary(&[vec![f64::NAN]], 20, 0.1), None);
        let two = [vec![0.5, 0.9], vec![0.1, 0.5]];
        assert_eq!(stationary(&two, 1, 0.1), None);
        assert_eq!(stationary(&two, 20, -1.0), None);
        assert_eq!(stationary(&two, 20, f64::NAN), None);
        assert_eq!(stationary(&[vec![0.5]], 20, 0.1), Some(vec![1.0]));
    }
}
