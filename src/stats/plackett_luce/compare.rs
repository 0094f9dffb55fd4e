//! Comparing bots in pairs: quasi-standard errors, superiority, and whether the model fits.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, StudentsT};

use super::{Contrast, Fit, Rankings};
use crate::stats::linear::Matrix;
use crate::stats::quantile::{normal_two_sided, student_two_sided};
use crate::stats::{Confidence, Interval};

/// Two bots, the lower number first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The lower number.
    pub first: usize,
    /// The higher number.
    pub second: usize,
    /// Choices in which one of them was chosen and the other was left.
    pub meetings: f64,
    /// How often that was the first.
    pub observed: f64,
    /// How often the model expects it.
    pub expected: f64,
    /// The variance of `observed` in the model.
    pub variance: f64,
}

/// How well the model predicts who of a pair comes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Goodness {
    /// Every pair that met.
    pub pairs: Vec<Pair>,
    /// Σ (observed − expected)²/variance.
    pub statistic: f64,
    /// Pairs that met minus parameters; 0 if every pair can be fitted exactly, then there is nothing to test.
    pub degrees: usize,
    /// The probability of a statistic at least as large if the model holds. Approximate: pairs of one game are not
    /// independent, nor are games of one block. `None` without a degree of freedom.
    pub p_value: Option<f64>,
}

impl Contrast {
    /// The interval of the difference: Student's over so many blocks by which the errors are clustered, the normal one
    /// if they are not; none where the error is [unknown](Self::known_error) or there are fewer than two blocks.
    pub fn interval(&self, blocks: Option<u64>, confidence: Confidence) -> Option<Interval> {
        let error = self.known_error()?;
        let alpha = confidence.alpha();
        let errors = match blocks {
            None => normal_two_sided(alpha),
            Some(blocks) => {
                let df = blocks.checked_sub(1).filter(|&df| df > 0)?;
                student_two_sided(alpha, df as f64)
            }
        };
        Some(Interval::around(self.difference, errors * error))
    }

    /// The two-sided p-value of no difference by the same law; 1 where there is no interval.
    pub fn p_value_of_blocks(&self, blocks: Option<u64>) -> f64 {
        let Some(blocks) = blocks else {
            return self.p_value();
        };
        let law = StudentsT::new(0.0, 1.0, blocks.saturating_sub(1) as f64).ok();
        let t = self.known_error().map(|error| self.difference / error);
        law.zip(t)
            .map_or(1.0, |(law, t)| (2.0 * law.sf(t.abs())).clamp(0.0, 1.0))
    }
}

/// Whether several sums of strengths are all 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Wald's statistic; with few blocks Hotelling's, scaled so that it follows an F law.
    pub statistic: f64,
    /// How many sums there are.
    pub degrees: usize,
    /// The degrees of freedom of the errors; none where they are taken for known, then the statistic follows a
    /// chi-square law.
    pub of_errors: Option<u64>,
    /// The probability of a statistic at least as large if all are 0.
    pub p_value: f64,
}

impl Fit {
    /// Tests that all of some [sums of strengths](Fit::combination) are 0, by their covariance. `blocks` is how many
    /// blocks the errors are clustered by, none if they are not. `None` if the covariance is singular, as where bots
    /// play alike, or there are too few blocks.
    pub fn all_zero(&self, sums: &[Vec<(usize, f64)>], blocks: Option<u64>) -> Option<Joint> {
        let degrees = sums.len();
        let mut covariance = Matrix::zero(degrees);
        for (row, one) in sums.iter().enumerate() {
            for (column, other) in sums.iter().enumerate() {
                covariance.add(row, column, self.covariance(one, other));
            }
        }
        let values: Vec<Contrast> = sums.iter().map(|sum| self.combination(sum)).collect();
        if degrees == 0 || values.iter().any(|value| value.known_error().is_none()) {
            return None;
        }
        let values: Vec<f64> = values.iter().map(|value| value.difference).collect();
        let solved = covariance.cholesky()?.solve(&values);
        let wald: f64 = values.iter().zip(solved).map(|(x, y)| x * y).sum();
        let Some(blocks) = blocks else {
            let law = ChiSquared::new(degrees as f64).ok()?;
            return Some(Joint {
                statistic: wald,
                degrees,
                of_errors: None,
                p_value: law.sf(wald),
            });
        };
        let rest = blocks
            .checked_sub(degrees as u64)
            .filter(|&rest| rest > 0)?;
        let statistic = wald * rest as f64 / (degrees as f64 * (blocks - 1) as f64);
        let law = FisherSnedecor::new(degrees as f64, rest as f64).ok()?;
        Some(Joint {
            statistic,
            degrees,
            of_errors: Some(rest),
            p_value: law.sf(statistic),
        })
    }

    /// Quasi-standard errors (Firth & de Menezes 2004): one number q for each bot such that the error of any
    /// difference is about √(qᵢ² + qⱼ²). They minimise Σ (ln vᵢⱼ − ln(qᵢ² + qⱼ²))² over the variances v of all
    /// differences. `None` if no positive numbers do, or two bots play alike; with two bots both get half.
    pub fn quasi_errors(&self) -> Option<Vec<f64>> {
        let n = self.strengths().len();
        let mut variances = Vec::new();
        for i in 0..n {
            for j in i + 1..n {
                let error = self.contrast(i, j).known_error()?;
                variances.push((i, j, error * error));
            }
        }
        quasi_variances(n, &variances).map(|q| q.into_iter().map(f64::sqrt).collect())
    }

    /// Compares how often each bot of a pair came first with what the model expects, tied places left out.
    pub fn goodness(&self, rankings: &Rankings) -> Goodness {
        let n = rankings.bots();
        let mut table = vec![[0.0; 4]; n * n];
        for (order, games) in rankings.counted() {
            for (chosen, left) in order.choices() {
                let &[winner] = chosen else { continue };
                for &loser in left.iter().filter(|other| other.bot != winner.bot) {
                    let first = winner.bot < loser.bot;
                    let (a, b) = if first {
                        (winner, loser)
                    } else {
                        (loser, winner)
                    };
                    let p = 1.0 / (1.0 + libm::exp(self.worth(b) - self.worth(a)));
                    let cell = &mut table[a.bot * n + b.bot];
                    cell[0] += games;
                    cell[1] += if first { games } else { 0.0 };
                    cell[2] += games * p;
                    cell[3] += games * p * (1.0 - p);
                }
            }
        }
        let pairs: Vec<Pair> = table
            .into_iter()
            .enumerate()
            .filter(|(_, cell)| cell[0] > 0.0)
            .map(|(index, [meetings, observed, expected, variance])| Pair {
                first: index / n,
                second: index % n,
                meetings,
                observed,
                expected,
                variance,
            })
            .collect();
        let statistic = pairs
            .iter()
            .map(|pair| {
                (pair.observed - pair.expected) * (pair.observed - pair.expected) / pair.variance
            })
            .sum();
        let degrees = pairs.len().saturating_sub(self.free_parameters());
        let law = ChiSquared::new(degrees as f64).ok().filter(|_| degrees > 0);
        Goodness {
            pairs,
            statistic,
            degrees,
            p_value: law.map(|law| law.sf(statistic)),
        }
    }
}

/// Gauss–Newton on the logarithms, from half the mean variance of a bot's differences.
fn quasi_variances(n: usize, variances: &[(usize, usize, f64)]) -> Option<Vec<f64>> {
    if variances.iter().any(|(_, _, v)| *v <= 0.0) {
        return None;
    }
    if n == 2 {
        return Some(vec![variances[0].2 / 2.0; 2]);
    }
    let others = (n - 1) as f64;
    let mut q = vec![0.0; n];
    for &(i, j, v) in variances {
        q[i] += v / others / 2.0;
        q[j] += v / others / 2.0;
    }
    let misfit = |q: &[f64]| -> Option<f64> {
        let terms = variances.iter().map(|&(i, j, v)| {
            let fitted = q[i] + q[j];
            (fitted > 0.0).then(|| libm::log(v / fitted))
        });
        terms.map(|term| Some(term? * term?)).sum()
    };
    for _ in 0..100 {
        let before = misfit(&q)?;
        let mut normal = Matrix::zero(n);
        let mut right = vec![0.0; n];
        for &(i, j, v) in variances {
            let slope = 1.0 / (q[i] + q[j]);
            let residual = libm::log(v * slope);
            normal.add_square(&[(i, slope), (j, slope)], 1.0);
            right[i] += slope * residual;
            right[j] += slope * residual;
        }
        let step = normal.cholesky()?.solve(&right);
        let mut scale = 1.0;
        let next = loop {
            let next: Vec<f64> = q
                .iter()
                .zip(&step)
                .map(|(q, step)| q + scale * step)
                .collect();
            if misfit(&next).is_some_and(|after| after <= before) || scale < 1e-9 {
                break next;
            }
            scale /= 2.0;
        };
        let moved = q
            .iter()
            .zip(&next)
            .map(|(old, new)| ((old - new) / old).abs())
            .fold(0.0, f64::max);
        q = next;
        if moved < 1e-12 || scale < 1e-9 {
            break;
        }
    }
    // Who alone links two others has a variance of exactly 0, which rounding may put on either side.
    let most = q.iter().copied().fold(0.0, f64::max);
    let of_rounding = 1e-9 * most;
    q.iter()
        .all(|q| *q >= -of_rounding)
        .then(|| q.iter().map(|q| q.max(0.0)).collect())
}

#[cfg(test)]
mod tests {
    use super::quasi_variances;

    #[test]
    fn quasi_variances_of_independent_strengths_are_their_variances() {
        let own = [0.5, 0.1, 0.02, 0.3];
        let mut variances = Vec::new();
        for i in 0..4 {
            for j in i + 1..4 {
                variances.push((i, j, own[i] + own[j]));
            }
        }
        let q = quasi_variances(4, &variances).unwrap();
        assert!(
            q.iter().zip(own).all(|(q, own)| (q - own).abs() < 1e-10),
            "{q:?}"
        );
        // Dependent strengths: no other numbers come closer.
        let dependent = [
            (0, 1, 0.5),
            (0, 2, 0.6),
            (0, 3, 0.9),
            (1, 2, 0.3),
            (1, 3, 0.4),
            (2, 3, 0.8),
        ];
        let misfit = |q: &[f64]| {
            let terms = dependent
                .iter()
                .map(|&(i, j, v)| libm::log(v / (q[i] + q[j])));
            terms.map(|term| term * term).sum::<f64>()
        };
        let q = quasi_variances(4, &dependent).unwrap();
        for (i, change) in [(0, 1e-4), (1, -1e-4), (2, 1e-4), (3, -1e-4), (0, -1e-4)] {
            let mut other = q.clone();
            other[i] += change;
            assert!(misfit(&other) > misfit(&q), "{q:?}");
        }
        // B met A and C, who never met: their difference varies as both together.
        for (ab, bc) in [(1.0, 2.0), (0.3, 0.7), (1.1, 5.3), (400.0, 1606.7)] {
            let chain = [(0, 1, ab), (1, 2, bc), (0, 2, ab + bc)];
            let q = quasi_variances(3, &chain).expect("variances that add up");
            for (found, expected) in q.iter().zip([ab, 0.0, bc]) {
                assert!((found - expected).abs() < 1e-6 * bc, "{q:?}");
            }
        }
        assert_eq!(quasi_variances(2, &[(0, 1, 3.0)]), Some(vec![1.5, 1.5]));
        assert_eq!(quasi_variances(2, &[(0, 1, 0.0)]), None);
    }
}
