//! Count, sum and sum of squares of whole numbers, without rounding.

use serde::{Deserialize, Serialize};

use super::exact;

/// The exact first and second moments of a list of whole numbers, such as block scores in points.
///
/// Two values are equal when count, sum and sum of squares are. Merging is exact: identity, order and grouping do not
/// matter. All results are exact as long as Σx² < 2^128, which |x| < 2^32 guarantees for any count; beyond that the
/// sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Moments {
    n: u64,
    sum: i128,
    sum_sq: u128,
}

/// Sums that no list of whole numbers has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {n} whole numbers have sum {sum} and sum of squares {sum_sq}")]
pub struct ImpossibleMoments {
    /// The stated count.
    pub n: u64,
    /// The stated sum.
    pub sum: i128,
    /// The stated sum of squares.
    pub sum_sq: u128,
}

impl Moments {
    /// The moments of no number at all.
    pub const EMPTY: Self = Self {
        n: 0,
        sum: 0,
        sum_sq: 0,
    };

    /// Adds one number.
    pub fn push(&mut self, value: i64) {
        self.push_times(value, 1);
    }

    /// Adds the same number `times` times.
    pub fn push_times(&mut self, value: i64, times: u64) {
        let square = u128::from(value.unsigned_abs()) * u128::from(value.unsigned_abs());
        self.n = self.n.saturating_add(times);
        self.sum = self
            .sum
            .saturating_add(i128::from(value) * i128::from(times));
        self.sum_sq = self
            .sum_sq
            .saturating_add(square.saturating_mul(u128::from(times)));
    }

    /// Adds all numbers of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.n = self.n.saturating_add(other.n);
        self.sum = self.sum.saturating_add(other.sum);
        self.sum_sq = self.sum_sq.saturating_add(other.sum_sq);
    }

    /// How many numbers.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Their sum.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The sum of their squares.
    pub fn sum_sq(&self) -> u128 {
        self.sum_sq
    }

    /// The mean, in the unit of the numbers. `None` without a number.
    pub fn mean(&self) -> Option<f64> {
        let n = i128::from(self.n);
        let rest = self.sum.checked_rem_euclid(n)?;
        Some((self.sum.div_euclid(n)) as f64 + rest as f64 / n as f64)
    }

    /// The unbiased variance Σ(x − mean)²/(n − 1), in squared units. `None` with fewer than two numbers.
    ///
    /// The sum is formed in integers, so a large mean costs no digit: two roundings in all.
    pub fn variance(&self) -> Option<f64> {
        let degrees = self.n.checked_sub(1).filter(|&degrees| degrees > 0)?;
        Some(self.squares_about_mean()?.to_f64() / degrees as f64)
    }

    /// The standard deviation √variance, in the unit of the numbers. `None` with fewer than two numbers.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean, sd/√n. `None` with fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.n as f64).sqrt())
    }

    /// Whether all numbers are the same, decided exactly. True for one number, false for none.
    pub fn is_constant(&self) -> bool {
        self.squares_about_mean()
            .is_some_and(|squares| squares.whole == 0 && squares.numerator == 0)
    }

    /// Σ(x − mean)². With the floor c of the mean and r = Σ(x − c), this is Σ(x − c)² − r²/n.
    /// `None` without a number, or if the sums belong to no list of numbers.
    fn squares_about_mean(&self) -> Option<Squares> {
        let n = i128::from(self.n);
        let rest = self.sum.checked_rem_euclid(n)?.unsigned_abs();
        let floor = self.sum.div_euclid(n);
        // Σ(x − c)² = Σx² − c(Σx + r), the product taken in absolute value.
        let shifted = self.sum.checked_add(rest.cast_signed())?;
        let product = floor.unsigned_abs().checked_mul(shifted.unsigned_abs())?;
        let about_floor = if (floor < 0) == (shifted < 0) {
            self.sum_sq.checked_sub(product)?
        } else {
            self.sum_sq.checked_add(product)?
        };
        let n = u128::from(self.n);
        let square = rest * rest;
        let whole = about_floor.checked_sub(square.div_ceil(n))?;
        Some(Squares {
            whole,
            numerator: square.div_ceil(n) * n - square,
            denominator: n,
        })
    }
}

/// `whole + numerator/denominator` with both parts non-negative, so that turning it into a float cancels nothing.
struct Squares {
    whole: u128,
    numerator: u128,
    denominator: u128,
}

impl Squares {
    fn to_f64(&self) -> f64 {
        self.whole as f64 + self.numerator as f64 / self.denominator as f64
    }
}

impl Extend<i64> for Moments {
    fn extend<I: IntoIterator<Item = i64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<i64> for Moments {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        let mut moments = Self::EMPTY;
        moments.extend(values);
        moments
    }
}

/// The form in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[serde(with = "exact")]
    n: u64,
    #[serde(with = "exact")]
    sum: i128,
    #[serde(with = "exact")]
    sum_sq: u128,
}

impl From<Moments> for Record {
    fn from(Moments { n, sum, sum_sq }: Moments) -> Self {
        Self { n, sum, sum_sq }
    }
}

impl TryFrom<Record> for Moments {
    type Error = ImpossibleMoments;

    fn try_from(Record { n, sum, sum_sq }: Record) -> Result<Self, ImpossibleMoments> {
        let moments = Self { n, sum, sum_sq };
        if moments == Self::EMPTY || moments.squares_about_mean().is_some() {
            Ok(moments)
        } else {
            Err(ImpossibleMoments { n, sum, sum_sq })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(parts: &[&[i64]]) -> Moments {
        parts.iter().fold(Moments::EMPTY, |mut all, part| {
            all.merge(&part.iter().copied().collect());
            all
        })
    }

    #[test]
    fn a_hand_made_sample() {
        let moments: Moments = [2, 4, 4, 4, 5, 5, 7, 9].into_iter().collect();
        assert_eq!((moments.n(), moments.sum(), moments.sum_sq()), (8, 40, 232));
        assert_eq!(moments.mean(), Some(5.0));
        assert_eq!(moments.variance(), Some(32.0 / 7.0));
        assert_eq!(moments.sd(), Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(moments.standard_error(), Some((4.0_f64 / 7.0).sqrt()));
    }

    #[test]
    fn too_few_numbers_are_unknown() {
        assert_eq!(Moments::EMPTY.mean(), None);
        assert_eq!(Moments::EMPTY.variance(), None);
        assert!(!Moments::EMPTY.is_constant());
        let one: Moments = [-3].into_iter().collect();
        assert_eq!(one.mean(), Some(-3.0));
        assert_eq!(one.variance(), None);
        assert!(one.is_constant());
    }

    #[test]
    fn a_far_mean_costs_no_digit() {
        // In floats Σx² − n·mean² would lose all digits here.
        let far = 4_000_000_000;
        let moments: Moments = [far, far + 1, far + 3].into_iter().collect();
        assert_eq!(moments.variance(), Some(14.0 / 6.0));
        let mut many = Moments::EMPTY;
        many.push_times(far, 1 << 60);
        many.push_times(far + 1, 1);
        assert!(!many.is_constant());
        assert!((many.variance().unwrap() * 2.0_f64.powi(60) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn extremes_do_not_panic() {
        let mut moments = Moments::EMPTY;
        for value in [i64::MIN, i64::MAX, 0] {
            moments.push_times(value, u64::MAX);
        }
        moments.merge(&moments.clone());
        let _ = (
            moments.mean(),
            moments.variance(),
            moments.standard_error(),
            moments.is_constant(),
        );
    }

    #[test]
    fn impossible_records_are_refused() {
        for wrong in [
            r#"{"n":0,"sum":1,"sum_sq":1}"#,
            r#"{"n":2,"sum":4,"sum_sq":7}"#,
            r#"{"n":2,"sum":-4,"sum_sq":7}"#,
            r#"{"n":2,"sum":1,"sum_sq":0}"#,
            r#"{"n":1,"sum":"170141183460469231731687303715884105727","sum_sq":1}"#,
        ] {
            let message = serde_json::from_str::<Moments>(wrong)
                .unwrap_err()
                .to_string();
            assert!(message.contains("whole numbers have sum"), "{message}");
        }
        assert!(serde_json::from_str::<Moments>(r#"{"n":0,"sum":0,"sum_sq":0,"mean":0}"#).is_err());
    }

    proptest! {
        #[test]
        fn merging_ignores_identity_order_and_grouping(
            a: Vec<i64>, b: Vec<i64>, c: Vec<i64>
        ) {
            let all = merged(&[&[a.clone(), b.clone(), c.clone()].concat()]);
            prop_assert_eq!(merged(&[&a, &b, &c]), all);
            prop_assert_eq!(merged(&[&c, &[], &a, &b]), all);
            let mut right = merged(&[&a]);
            right.merge(&merged(&[&b, &c]));
            prop_assert_eq!(right, all);
        }

        #[test]
        fn variance_agrees_with_two_passes(values in prop::collection::vec(-1_000_i64..1_000, 2..50)) {
            let moments: Moments = values.iter().copied().collect();
            let mean = moments.mean().unwrap();
            let n = values.len() as f64;
            prop_assert!((mean - values.iter().sum::<i64>() as f64 / n).abs() < 1e-12);
            let naive = values.iter().map(|&x| (x as f64 - mean).powi(2)).sum::<f64>() / (n - 1.0);
            prop_assert!((moments.variance().unwrap() - naive).abs() <= 1e-12 * naive);
            prop_assert_eq!(moments.is_constant(), values.iter().all(|x| *x == values[0]));
        }

        #[test]
        fn repeated_pushes_are_one_push(value: i32, times in 0_u64..20) {
            let mut once = Moments::EMPTY;
            once.push_times(i64::from(value), times);
            prop_assert_eq!(once, (0..times).map(|_| i64::from(value)).collect());
        }

        #[test]
        fn files_keep_every_digit(values: Vec<i32>) {
            let moments: Moments = values.into_iter().map(|value| i64::from(value) * 2).collect();
            let json = serde_json::to_string(&moments).unwrap();
            prop_assert_eq!(serde_json::from_str::<Moments>(&json).unwrap(), moments);
        }
    }
}
