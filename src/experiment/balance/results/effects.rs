//! What each option changes: main effects and interactions, with intervals and adjusted p-values.
//!
//! All effects of one metric stand with intervals that cover together. The named question, the main effects on the
//! primary metric, is corrected by Holm's method; everything else is exploration, by Benjamini and Hochberg's.

use std::num::NonZeroU32;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::engine::race::Race;
use crate::experiment::balance::course::METRICS;
use crate::experiment::balance::design::Contrast;
use crate::experiment::balance::jackknife::{GROUPS, Jackknife};
use crate::experiment::balance::plan;
use crate::experiment::balance::run::{Kind, StudyState};
use crate::experiment::balance::spec::{SKILL_GAP, SPREAD, Study};
use crate::experiment::balance::tally::EffectTally;
use crate::stats::{Moments, interval, multiple};

use super::{Number, Results, Valued, families, tables};

/// A row of `effects.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct EffectRow {
    /// The seats in play.
    pub seats: String,
    /// The bot at all seats, or the two of the skill gap.
    pub bot: String,
    /// The option with its two values, two options, two sets of seats, or an option and sets of seats.
    pub effect: String,
    /// `main` or `interaction`; `seats` or `seats-interaction` where two sets of seats are compared.
    pub kind: &'static str,
    /// The number that changes.
    pub metric: &'static str,
    /// Blocks that all rule sets played.
    pub blocks: u64,
    /// The change, in the unit of the metric.
    pub change: Number,
    /// Its interval, together with all effects on the metric.
    pub low: Number,
    /// Its upper end.
    pub high: Number,
    /// The probability of such a change without any effect; empty where nothing can be said.
    pub p: Number,
    /// Adjusted: Holm in the named question, else Benjamini–Hochberg.
    pub p_adjusted: Number,
    /// Whether it belongs to the named question.
    pub named: bool,
    /// The share of games that the option changed at all.
    pub games_changed: Number,
    /// What to know.
    pub note: String,
}

/// Adds the effects of all options.
pub(super) fn add<G: Race>(study: &Study<G>, state: &StudyState, results: &mut Results) {
    let contrasts = study.design.contrasts();
    for (cells, kind, state) in families(study, state) {
        let Some(effects) = &state.tally.effects else {
            continue;
        };
        let base = EffectRow {
            seats: study.cells[cells].seats.to_string(),
            blocks: effects.blocks,
            ..EffectRow::default()
        };
        let alpha = study.spec.alpha;
        let rows = match kind {
            Kind::Seats(bot) => EffectRow {
                bot: study.bots[bot].name.clone(),
                ..base
            }
            .of_seats(&contrasts, effects, alpha),
            Kind::Table(_) => EffectRow {
                bot: format!("{} against {}", study.bots[0].name, study.bots[1].name),
                metric: SKILL_GAP,
                ..base
            }
            .of_table(
                &contrasts,
                effects,
                study.cells[cells].sides.rotations as u32,
                alpha,
            ),
            Kind::Luck(..) => Vec::new(),
        };
        results.effects.extend(rows);
    }
    tables::add(study, state, &mut results.effects);
    for row in &mut results.effects {
        row.named = row.kind == "main" && row.metric == study.spec.primary;
    }
    adjust(&mut results.effects, true, multiple::holm);
    adjust(&mut results.effects, false, multiple::benjamini_hochberg);
}

impl EffectRow {
    fn of_seats(self, contrasts: &[Contrast], effects: &EffectTally, alpha: f64) -> Vec<EffectRow> {
        let mut rows = Vec::new();
        for (number, contrast) in contrasts.iter().enumerate() {
            let twins = contrast.factor.map(|factor| effects.twins[factor]);
            let never = matches!(twins, Some((compared, 0)) if compared > 0);
            let base = EffectRow {
                games_changed: Number(
                    twins
                        .filter(|twins| twins.0 > 0)
                        .map(|(compared, differed)| differed as f64 / compared as f64),
                ),
                ..self.clone().named_after(contrast)
            };
            let together = alpha / contrasts.len() as f64;
            for (metric, sums) in METRICS.iter().zip(&effects.sums[number]) {
                let mut row = EffectRow {
                    metric: metric.name,
                    ..base.clone()
                };
                row.mean(sums, contrast.unit * metric.unit, together);
                // Choices may change although no game does: a rule takes away what the bot would not do.
                if never && metric.name != "choices" {
                    NEVER.clone_into(&mut row.note);
                }
                rows.push(row);
            }
            rows.push(EffectRow {
                metric: SPREAD,
                note: if never {
                    NEVER.to_owned()
                } else {
                    String::new()
                },
                ..base.spread(contrast, effects, together)
            });
        }
        rows
    }

    fn of_table(
        self,
        contrasts: &[Contrast],
        effects: &EffectTally,
        games: u32,
        alpha: f64,
    ) -> Vec<EffectRow> {
        let rows = contrasts.iter().zip(&effects.sums).map(|(contrast, sums)| {
            let mut row = self.clone().named_after(contrast);
            row.mean(
                &sums[0],
                contrast.unit * games,
                alpha / contrasts.len() as f64,
            );
            row
        });
        rows.collect()
    }

    fn named_after(self, contrast: &Contrast) -> EffectRow {
        EffectRow {
            effect: contrast.name.clone(),
            kind: if contrast.factor.is_some() {
                "main"
            } else {
                "interaction"
            },
            ..self
        }
    }

    /// A mean of blocks: the planned number of them has been played, so Student's interval holds.
    fn mean(&mut self, sums: &Moments, unit: u32, alpha: f64) {
        let unit = NonZeroU32::new(unit).expect("units are at least 1");
        let mean = interval::block_mean(sums, unit, plan::level(alpha));
        if let Some(mean) = mean {
            let valued = Valued::with(mean.value(), mean.interval());
            (self.change, self.low, self.high) = (valued.value, valued.low, valued.high);
        }
        match sums.standard_error().filter(|_| !sums.is_constant()) {
            Some(error) => {
                let t = sums.mean().unwrap_or(0.0) / error;
                let law = StudentsT::new(0.0, 1.0, (sums.n() - 1) as f64);
                let law = law.expect("there are at least two blocks");
                self.p = Number(Some((2.0 * law.sf(t.abs())).clamp(0.0, 1.0)));
            }
            None => "the same in every block".clone_into(&mut self.note),
        }
    }

    /// The change of Σ(p − 1/n)², without the part that is noise, in squared points.
    fn spread(self, contrast: &Contrast, effects: &EffectTally, alpha: f64) -> EffectRow {
        let statistic = |without: Option<usize>| {
            let spreads = effects.wins.iter().map(|groups| {
                let mut wins = vec![0; groups[0].len()];
                for (group, more) in groups.iter().enumerate().take(GROUPS) {
                    if Some(group) != without {
                        wins.iter_mut()
                            .zip(more)
                            .for_each(|(mine, more)| *mine += more);
                    }
                }
                spread(&wins)
            });
            let spreads: Vec<f64> = spreads.collect::<Option<_>>()?;
            let terms = contrast.signs.iter().zip(spreads);
            let sum: f64 = terms.map(|(&sign, spread)| sign as f64 * spread).sum();
            Some(sum / f64::from(contrast.unit))
        };
        let Some(jackknife) = Jackknife::new(statistic) else {
            return self;
        };
        let valued = Valued::with(jackknife.value, jackknife.interval(alpha));
        EffectRow {
            change: valued.value,
            low: valued.low,
            high: valued.high,
            p: Number((jackknife.error > 0.0).then(|| jackknife.p_value())),
            ..self
        }
    }
}

const NEVER: &str = "the option never acted for this bot: the effect is exactly 0";

/// Σ(p̂ − 1/n)² − Σ p̂(1 − p̂)/(N − 1) in squared points: unbiased for independent games, so a fair table has 0 on
/// average. `None` with fewer than two games.
pub(super) fn spread(wins: &[u64]) -> Option<f64> {
    let games = wins.iter().sum::<u64>() as f64;
    let fair = 1.0 / wins.len() as f64;
    let terms = wins.iter().map(|&wins| {
        let share = wins as f64 / games;
        (share - fair).powi(2) - share * (1.0 - share) / (games - 1.0)
    });
    (games > 1.0).then(|| 1e4 * terms.sum::<f64>())
}

/// Adjusts the p-values of the named question, or of all others.
fn adjust(
    rows: &mut [EffectRow],
    named: bool,
    method: fn(&[f64]) -> Result<Vec<f64>, multiple::NotAPValue>,
) {
    let family = rows.iter().filter(|row| row.named == named);
    let p_values: Vec<f64> = family.filter_map(|row| row.p.0).collect();
    let adjusted = method(&p_values).expect("p-values lie between 0 and 1");
    let family = rows
        .iter_mut()
        .filter(|row| row.named == named && row.p.0.is_some());
    for (row, p) in family.zip(adjusted) {
        row.p_adjusted = Number(Some(p));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over the eight courses of three games of two fair seats: (3, 0) and (0, 3) twice 2 · 0.25, else −1/3 · 0.5 …
    #[test]
    fn the_spread_of_a_fair_table_is_0_on_average() {
        let mean: f64 = [([3, 0], 1.0), ([2, 1], 3.0), ([1, 2], 3.0), ([0, 3], 1.0)]
            .iter()
            .map(|(wins, courses)| courses / 8.0 * spread(wins).unwrap())
            .sum();
        assert!(mean.abs() < 1e-9, "{mean}");
        assert_eq!(spread(&[1, 0]), None);
    }

    #[test]
    fn the_spread_of_a_table_that_is_not() {
        // Seats at 0.6 and 0.4: 2 · 0.1² = 200 squared points.
        assert!((spread(&[600_000, 400_000]).unwrap() - 200.0).abs() < 0.01);
    }

    #[test]
    fn the_named_question_and_exploration_are_adjusted_apart() {
        let row = |named, p| EffectRow {
            named,
            p: Number(p),
            ..EffectRow::default()
        };
        let mut rows = [
            row(true, Some(0.01)),
            row(false, Some(0.04)),
            row(true, Some(0.03)),
            row(true, None),
        ];
        adjust(&mut rows, true, multiple::holm);
        adjust(&mut rows, false, multiple::benjamini_hochberg);
        let adjusted: Vec<Option<f64>> = rows.iter().map(|row| row.p_adjusted.0).collect();
        assert_eq!(adjusted, [Some(0.02), Some(0.04), Some(0.03), None]);
    }

    /// Two blocks of a two-valued option: changes 1 and 3, so 2 on average.
    #[test]
    fn a_main_effect_by_hand() {
        let contrast = Contrast {
            name: "x: false → true".to_owned(),
            factor: Some(0),
            signs: vec![-1, 1],
            unit: 1,
        };
        let mut effects = EffectTally::new(1, 1, METRICS.len(), 2, 2);
        for (off, on) in [(10, 11), (20, 23)] {
            effects.block(std::slice::from_ref(&contrast), |run, _| {
                if run == 0 { off } else { on }
            });
        }
        effects.twins[0] = (2, 2);
        let rows = EffectRow::default().of_seats(&[contrast], &effects, 0.05);
        let rolls = rows.iter().find(|row| row.metric == "rolls").unwrap();
        assert_eq!(rolls.change, Number(Some(2.0)));
        // Standard error 1, one degree of freedom: t = 2, and ±12.706.
        assert!((rolls.high.0.unwrap() - 14.706_2).abs() < 1e-3, "{rolls:?}");
        assert!((rolls.p.0.unwrap() - 0.295_167).abs() < 1e-5, "{rolls:?}");
        assert_eq!(rolls.games_changed, Number(Some(1.0)));
    }
}
