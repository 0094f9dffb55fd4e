//! Many tests at once: adjusted p-values.
//!
//! Each function takes the p-values of a family and returns their adjusted values in the same order; reject those
//! at or below the level. A p-value is in [0, 1].

/// A number that is no p-value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("p-value {value} at position {position} is not between 0 and 1")]
pub struct NotAPValue {
    /// Its place in the list, from 0.
    pub position: usize,
    /// The number.
    pub value: f64,
}

/// p · m, at most 1: bounds the probability of any false rejection, whatever the dependence (Bonferroni 1936;
/// Dunn 1961).
///
/// # Errors
///
/// If a number is no p-value.
pub fn bonferroni(p_values: &[f64]) -> Result<Vec<f64>, NotAPValue> {
    check(p_values)?;
    Ok(p_values
        .iter()
        .map(|p| (p * p_values.len() as f64).min(1.0))
        .collect())
}

/// The step-down method: the same guarantee as [`bonferroni`], never a rejection fewer (Holm 1979).
///
/// # Errors
///
/// If a number is no p-value.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, NotAPValue> {
    check(p_values)?;
    let m = p_values.len();
    let mut adjusted = vec![0.0; m];
    let mut largest = 0.0_f64;
    for (rank, position) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max((p_values[position] * (m - rank) as f64).min(1.0));
        adjusted[position] = largest;
    }
    Ok(adjusted)
}

/// The step-up method: bounds the expected share of false rejections among the rejections, for independent or
/// positively dependent tests (Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001).
///
/// # Errors
///
/// If a number is no p-value.
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, NotAPValue> {
    check(p_values)?;
    let m = p_values.len() as f64;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (rank, position) in ascending(p_values).into_iter().enumerate().rev() {
        smallest = smallest.min(p_values[position] * (m / (rank + 1) as f64));
        adjusted[position] = smallest;
    }
    Ok(adjusted)
}

fn check(p_values: &[f64]) -> Result<(), NotAPValue> {
    match p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(position) => Err(NotAPValue {
            position,
            value: p_values[position],
        }),
        None => Ok(()),
    }
}

/// The positions from the smallest p-value to the largest, equal ones in order of position.
fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..p_values.len()).collect();
    positions.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    positions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example of Benjamini & Hochberg 1995.
    const FIFTEEN: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];

    fn rejected(adjusted: Result<Vec<f64>, NotAPValue>) -> usize {
        adjusted.unwrap().iter().filter(|&&p| p <= 0.05).count()
    }

    #[test]
    fn rejections_of_benjamini_and_hochberg_1995() {
        assert_eq!(rejected(bonferroni(&FIFTEEN)), 3);
        assert_eq!(rejected(holm(&FIFTEEN)), 3);
        assert_eq!(rejected(benjamini_hochberg(&FIFTEEN)), 4);
    }

    #[test]
    fn three_by_hand() {
        let close = |actual: Vec<f64>, expected: [f64; 3]| {
            assert!(
                actual
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| (a - b).abs() < 1e-15),
                "{actual:?} is not {expected:?}"
            );
        };
        let family = [0.04, 0.01, 0.03];
        close(bonferroni(&family).unwrap(), [0.12, 0.03, 0.09]);
        close(holm(&family).unwrap(), [0.06, 0.03, 0.06]);
        close(benjamini_hochberg(&family).unwrap(), [0.04, 0.03, 0.04]);
    }

    #[test]
    fn an_empty_family_and_a_wrong_number() {
        assert_eq!(holm(&[]), Ok(vec![]));
        assert_eq!(
            holm(&[0.5, 1.5]),
            Err(NotAPValue {
                position: 1,
                value: 1.5
            })
        );
        assert!(bonferroni(&[f64::NAN]).is_err() && benjamini_hochberg(&[-0.1]).is_err());
    }

    proptest! {
        #[test]
        fn methods_are_ordered_and_ignore_order(family in prop::collection::vec(0.0..=1.0, 1..20)) {
            let (b, h, fdr) = (bonferroni(&family).unwrap(), holm(&family).unwrap(), benjamini_hochberg(&family).unwrap());
            for i in 0..family.len() {
                prop_assert!(family[i] <= fdr[i] && fdr[i] <= h[i] + 1e-15 && h[i] <= b[i]);
            }
            let reversed: Vec<f64> = family.iter().rev().copied().collect();
            let mut back = holm(&reversed).unwrap();
            back.reverse();
            prop_assert_eq!(back, h);
        }
    }
}
