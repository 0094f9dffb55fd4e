//! What another set of seats changes: two players or four, neighbours or opposite corners.
//!
//! A set of seats is a factor like an option, but its games are others: each is compared with the first set as two samples,
//! Welch's way. Both are played on the same dice as far as they have the same seats, which makes games a little more alike
//! than independent ones and the intervals a little too wide.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::engine::race::Race;
use crate::experiment::balance::course::METRICS;
use crate::experiment::balance::run::{Kind, StudyState};
use crate::experiment::balance::spec::Study;
use crate::experiment::balance::tally::EffectTally;
use crate::stats::{Interval, Moments};

use super::{EffectRow, Number, Valued, families};

/// Adds the effects of all sets of seats but the first, and their interactions with every option.
pub(super) fn add<G: Race>(study: &Study<G>, state: &StudyState, rows: &mut Vec<EffectRow>) {
    for (bot, entrant) in study.bots.iter().enumerate() {
        let tallies: Vec<(usize, &EffectTally)> = families(study, state)
            .filter(|&(_, kind, _)| matches!(kind, Kind::Seats(of) if of == bot))
            .filter_map(|(cells, _, state)| Some((cells, state.tally.effects.as_ref()?)))
            .collect();
        let Some((&(first, base), others)) = tallies.split_first() else {
            continue;
        };
        for &(other, tally) in others {
            rows.extend(compared(
                study,
                &entrant.name,
                (first, base),
                (other, tally),
                others.len(),
            ));
        }
    }
}

/// What one set of seats changes, for one bot. All effects on one metric have intervals that cover together.
fn compared<G: Race>(
    study: &Study<G>,
    bot: &str,
    (first, base): (usize, &EffectTally),
    (other, tally): (usize, &EffectTally),
    sets: usize,
) -> Vec<EffectRow> {
    let contrasts = study.contrasts();
    let seats = |cells: usize| study.cells[cells].seats.to_string();
    let change = format!("seats: {} → {}", seats(first), seats(other));
    let same_sides = study.cells[first].sides.count == study.cells[other].sides.count;
    let alpha = study.spec.alpha / (sets * contrasts.len()) as f64;
    let mut rows = Vec::new();
    for (number, contrast) in contrasts.iter().enumerate().rev() {
        // The mean is the last; the interactions of two options with seats would be of three factors.
        let is_mean = number + 1 == contrasts.len();
        if !is_mean && contrast.factor.is_none() {
            continue;
        }
        for (index, metric) in METRICS.iter().enumerate() {
            // The share of one seat of two is no measure for that of one of four.
            if metric.name == "first_seat" && !same_sides {
                continue;
            }
            let mut row = EffectRow {
                seats: format!("{},{}", seats(first), seats(other)),
                bot: bot.to_owned(),
                effect: if is_mean {
                    change.clone()
                } else {
                    format!("{} × {change}", contrast.name)
                },
                kind: if is_mean {
                    "seats"
                } else {
                    "seats-interaction"
                },
                metric: metric.name,
                blocks: base.blocks.min(tally.blocks),
                ..EffectRow::default()
            };
            let unit = f64::from(contrast.unit * metric.unit);
            match difference(&base.sums[number][index], &tally.sums[number][index], alpha) {
                Some((value, interval, p)) => {
                    let interval = Interval {
                        low: interval.low / unit,
                        high: interval.high / unit,
                    };
                    let valued = Valued::with(value / unit, Some(interval));
                    (row.change, row.low, row.high) = (valued.value, valued.low, valued.high);
                    row.p = Number(Some(p));
                }
                None => "the same in every block".clone_into(&mut row.note),
            }
            rows.push(row);
        }
    }
    rows
}

/// The mean of the second sample minus that of the first, with its interval and the two-sided p-value of no difference
/// (Welch 1947). `None` with fewer than two blocks, or where neither varies.
fn difference(first: &Moments, second: &Moments, alpha: f64) -> Option<(f64, Interval, f64)> {
    let value = second.mean()? - first.mean()?;
    let variances = [first, second].map(|sums| Some(sums.standard_error()?.powi(2)));
    let [Some(a), Some(b)] = variances else {
        return None;
    };
    let variance = a + b;
    if variance <= 0.0 {
        return None;
    }
    let freedom = variance.powi(2)
        / (a.powi(2) / (first.n() - 1) as f64 + b.powi(2) / (second.n() - 1) as f64);
    let law = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let reach = law.inverse_cdf(1.0 - alpha / 2.0) * variance.sqrt();
    let interval = Interval {
        low: value - reach,
        high: value + reach,
    };
    let p = (2.0 * law.sf((value / variance.sqrt()).abs())).clamp(0.0, 1.0);
    Some((value, interval, p))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[i64]) -> Moments {
        let mut moments = Moments::EMPTY;
        for &value in values {
            moments.push(value);
        }
        moments
    }

    /// `scipy.stats.ttest_ind([31, 40, 29, 35], [27, 20, 25, 28, 22], equal_var=False)`: t 3.27399, 5.17089 degrees of
    /// freedom, p 0.02103993, 95 % interval 2.081203 to 16.618797.
    #[test]
    fn two_samples_by_welch() {
        let (first, second) = (moments(&[27, 20, 25, 28, 22]), moments(&[31, 40, 29, 35]));
        let (value, interval, p) = difference(&first, &second, 0.05).unwrap();
        assert!((value - 9.35).abs() < 1e-12);
        assert!((p - 0.021_039_93).abs() < 1e-7, "{p}");
        assert!((interval.low - 2.081_203).abs() < 1e-5, "{interval:?}");
        assert!((interval.high - 16.618_797).abs() < 1e-5, "{interval:?}");
    }

    #[test]
    fn what_never_varies_has_no_error() {
        assert!(difference(&moments(&[3, 3]), &moments(&[4, 4]), 0.05).is_none());
        assert!(difference(&moments(&[3]), &moments(&[4, 5]), 0.05).is_none());
    }
}
