//! Numbers about the game: length, turns of fortune, luck and skill, each with n and an interval.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::Serialize;

use crate::engine::race::Race;
use crate::experiment::balance::course::METRICS;
use crate::experiment::balance::decide::Question;
use crate::experiment::balance::jackknife::Jackknife;
use crate::experiment::balance::luck::{LuckSums, LuckTally, UNIT};
use crate::experiment::balance::players::Player;
use crate::experiment::balance::run::{Kind, StudyState};
use crate::experiment::balance::spec::Study;
use crate::experiment::balance::tally::{RunState, RunTally};
use crate::experiment::balance::{bernoulli, plan};
use crate::stats::{Estimate, Interval, ScoreCounts, asymptotic, eprocess};

use super::{Number, Results, Valued, families};

/// A row of `game.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct GameRow {
    /// The seats in play.
    pub seats: String,
    /// The rule set.
    pub rules: String,
    /// The bot at all seats, or one against another.
    pub bots: String,
    /// The number.
    pub metric: String,
    /// What it is, with its unit.
    pub about: String,
    /// Games, or blocks where a block has several games.
    pub n: u64,
    /// The value.
    pub value: Number,
    /// Its confidence sequence.
    pub low: Number,
    /// Its upper end.
    pub high: Number,
    /// The standard deviation of a game, of a mean of games.
    pub sd: Number,
    /// What to know.
    pub note: String,
}

/// The percentiles of the length.
const PERCENTILES: [u32; 6] = [5, 25, 50, 75, 95, 99];

/// Adds the numbers of every question.
pub(super) fn add<G: Race>(study: &Study<G>, state: &StudyState, results: &mut Results) {
    for (cells, kind, state) in families(study, state) {
        for (run, (tally, run_state)) in state.tally.runs.iter().zip(&state.runs).enumerate() {
            let base = GameRow {
                seats: study.cells[cells].seats.to_string(),
                rules: study.rules_label(run),
                ..GameRow::default()
            };
            let name = |bot: usize| study.bots[bot].name.as_str();
            match kind {
                Kind::Seats(bot) => {
                    let base = GameRow {
                        bots: name(bot).to_owned(),
                        ..base
                    };
                    of_games(
                        &base,
                        tally,
                        &study.first_question(cells),
                        &mut results.game,
                    );
                }
                Kind::Table(table) => {
                    let table = study.tables[table];
                    if let (Player::Bot(0), 1) = (table.hero, table.others) {
                        let base = GameRow {
                            bots: format!("{} against {}", name(0), name(1)),
                            ..base
                        };
                        results.game.extend(skill(base, tally, study.spec.alpha));
                    }
                }
                Kind::Luck(hero, others) => {
                    let bots = if hero == others {
                        name(hero).to_owned()
                    } else {
                        format!("{} against {}", name(hero), name(others))
                    };
                    let base = GameRow { bots, ..base };
                    of_luck::<G>(&base, tally, run_state, study.spec.alpha, results);
                }
            }
        }
    }
}

/// The means of games, the length, and who moves first.
fn of_games(base: &GameRow, tally: &RunTally, question: &Question, rows: &mut Vec<GameRow>) {
    let level = plan::level(question.alpha);
    let tuned = plan::always_valid(question.fair, question.margin, question.alpha, 1);
    let tuned = u32::try_from(tuned)
        .ok()
        .and_then(NonZeroU32::new)
        .unwrap_or(NonZeroU32::MIN);
    for (metric, moments) in METRICS.iter().zip(&tally.metrics) {
        let unit = NonZeroU32::new(metric.unit).expect("units are at least 1");
        let mean = asymptotic::confidence_sequence(moments, unit, level, tuned);
        rows.push(GameRow {
            metric: metric.name.to_owned(),
            about: metric.about.to_owned(),
            n: moments.n(),
            sd: Number(moments.sd().map(|sd| sd / f64::from(metric.unit))),
            ..base.clone().valued(Valued::of(mean))
        });
    }
    let games: u64 = tally.rolls.values().sum();
    let rho = asymptotic::tuned_rho(f64::from(tuned.get()), level);
    let width = if games > 0 {
        asymptotic::half_width(games as f64, rho, level)
    } else {
        0.0
    };
    for percent in PERCENTILES {
        let q = f64::from(percent) / 100.0;
        let reach = width * (q * (1.0 - q)).sqrt();
        let at = |q: f64| quantile(&tally.rolls, games, q);
        let valued = match (at(q), at(q - reach), at(q + reach)) {
            (Some(value), Some(low), Some(high)) => {
                Valued::with(value, Some(Interval { low, high }))
            }
            _ => Valued::default(),
        };
        rows.push(GameRow {
            metric: format!("rolls_{percent}"),
            about: format!("{percent} % of the finished games have no more rolls"),
            n: games,
            ..base.clone().valued(valued)
        });
    }
    let share = |metric: &str, about: &str, of: u64| GameRow {
        metric: metric.to_owned(),
        about: about.to_owned(),
        n: tally.games,
        ..base
            .clone()
            .valued(Valued::of(bernoulli::confidence_sequence(
                of,
                tally.games,
                level,
                question.tuning(),
            )))
    };
    rows.push(share(
        "capped",
        "share of games stopped at the cap",
        tally.capped,
    ));
    rows.push(share(
        "first_mover",
        "share of games won by the side that moved first",
        tally.first_wins,
    ));
    if let Some(last) = rows.last_mut() {
        last.note = format!("fair share {:.4}", question.fair);
    }
}

/// The least length that a share `q` of the games does not pass.
fn quantile(rolls: &BTreeMap<u32, u64>, games: u64, q: f64) -> Option<f64> {
    let rank = ((q * games as f64).ceil() as u64).clamp(1, games.max(1));
    let mut seen = 0;
    let mut lengths = rolls.iter();
    let found = lengths.find(|&(_, &count)| {
        seen += count;
        seen >= rank
    });
    found.map(|(&length, _)| f64::from(length))
}

/// How often the first bot wins alone against the second.
fn skill(base: GameRow, tally: &RunTally, alpha: f64) -> Option<GameRow> {
    let scores = ScoreCounts::from_counts(tally.scores.clone()).ok()?;
    let share = eprocess::confidence_sequence(&scores, plan::level(alpha))?;
    let seats = scores.steps();
    let elo = crate::stats::elo::from_share(share.value, seats);
    Some(GameRow {
        metric: "strong_share".to_owned(),
        about: "share of games the first bot wins alone against a table of the second".to_owned(),
        n: share.n,
        note: format!(
            "fair share {:.4}{}",
            1.0 / f64::from(seats),
            elo.map_or_else(String::new, |elo| format!(", Elo {elo:.0}"))
        ),
        ..base.valued(Valued::of(Some(share)))
    })
}

/// The share of luck, and the check that luck is 0 on average.
fn of_luck<G: Race>(
    base: &GameRow,
    tally: &RunTally,
    state: &RunState,
    alpha: f64,
    results: &mut Results,
) {
    let (Some(luck), Some(frozen)) = (&tally.luck, state.frozen) else {
        return;
    };
    let share = Jackknife::new(|without| kept(luck, without).share(frozen.beta));
    let valued = share.map_or_else(Valued::default, |share| {
        let interval = share.interval(alpha);
        Valued::with(
            share.value,
            interval.map(|interval| interval.clipped(0.0, 1.0)),
        )
    });
    results.game.push(GameRow {
        metric: "luck_share".to_owned(),
        about: "share of the variance of winning that the dice explain, at least".to_owned(),
        n: tally.blocks,
        note: format!(
            "U {}, beta {:.3}; interval by leaving out groups of blocks",
            frozen.hash::<G>(),
            f64::from(frozen.beta) / 1e3
        ),
        ..base.clone().valued(valued)
    });
    let unit = NonZeroU32::new(UNIT).expect("a unit");
    let mean = crate::stats::interval::block_mean(&luck.blocks, unit, plan::level(alpha));
    let mean = mean.map(|mean| Estimate {
        value: mean.value(),
        n: luck.blocks.n(),
        interval: mean.interval(),
    });
    let off = luck.off();
    results.game.push(GameRow {
        metric: "luck_mean".to_owned(),
        about: "mean luck of a block, 0 if dice and value function are right".to_owned(),
        n: tally.blocks,
        note: off.map_or_else(String::new, |off| {
            format!("{off:.2} standard errors from 0")
        }),
        ..base.clone().valued(Valued::of(mean))
    });
    if let Some(off) = off.filter(|off| off.abs() > 4.0) {
        results.failures.push(format!(
            "the mean luck of {} at {} ({}) is {off:.1} standard errors from 0, more than 4: the dice or their weights \
             are wrong, and no number of this study can be trusted",
            base.bots, base.seats, base.rules
        ));
    }
}

/// The games of all groups but one.
fn kept(luck: &LuckTally, without: Option<usize>) -> LuckSums {
    let mut sums = LuckSums::default();
    for (group, more) in luck.groups.iter().enumerate() {
        if Some(group) != without {
            sums.merge(more);
        }
    }
    sums
}

impl GameRow {
    fn valued(self, valued: Valued) -> GameRow {
        GameRow {
            value: valued.value,
            low: valued.low,
            high: valued.high,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_four_games() {
        let rolls = BTreeMap::from([(10, 2), (30, 1), (90, 1)]);
        let at = |q| quantile(&rolls, 4, q).unwrap() as u32;
        assert_eq!(
            [0.0, 0.5, 0.51, 0.75, 0.76, 1.0].map(at),
            [10, 10, 30, 30, 90, 90]
        );
        assert_eq!(quantile(&BTreeMap::new(), 0, 0.5), None);
    }
}
