//! Verdicts on seats, on the first move and on strategies.

use serde::{Serialize, Serializer};

use crate::engine::race::Race;
use crate::experiment::balance::decide::{self, Answer, overall};
use crate::experiment::balance::margin::Margin;
use crate::experiment::balance::run::{Kind, Look, StudyState};
use crate::experiment::balance::spec::Study;
use crate::experiment::balance::tally::{FamilyState, RunState, RunTally};
use crate::stats::ScoreCounts;

use super::{Number, Results, Valued, families};

/// What a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Does any seat win more or less than its share?
    #[default]
    Seats,
    /// Does the side that moves first, where the dice say who does?
    FirstMove,
    /// Does any player win more than its share against a table of others?
    Strategies,
}

/// A row of `verdicts.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct VerdictRow {
    /// What it is about.
    pub question: Question,
    /// The seats in play.
    pub seats: String,
    /// The rule set.
    pub rules: String,
    /// The bot at all seats; `all` for the answer over all bots.
    pub bot: String,
    /// The verdict.
    #[serde(serialize_with = "word")]
    pub answer: Answer,
    /// The verdict in words.
    pub verdict: String,
    /// The margin, in points.
    pub margin: String,
    /// The seat, side or player that is furthest off.
    pub unit: String,
    /// Its share of wins.
    pub share: Number,
    /// The interval the verdict rests on.
    pub low: Number,
    /// Its upper end.
    pub high: Number,
    /// The share of equals.
    pub fair_share: Number,
    /// Games played; of strategies, those of the match-up whose share this is.
    pub games: u64,
    /// Games after which the verdict was reached.
    pub decided_after: Option<u64>,
    /// Whether inequality is proven, though perhaps inside the margin.
    pub detectable: Option<bool>,
    /// About how many more games a verdict takes.
    pub more_games: Option<u64>,
}

/// A row of `seats.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct SeatRow {
    /// The seats in play.
    pub seats: String,
    /// The rule set.
    pub rules: String,
    /// The bot at all seats.
    pub bot: String,
    /// The seat, or the seats that win together.
    pub seat: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// `wins` / `games`.
    pub share: Number,
    /// Its confidence sequence, together with all seats and bots.
    pub low: Number,
    /// Its upper end.
    pub high: Number,
    /// Its confidence sequence alone, for *balanced*.
    pub alone_low: Number,
    /// Its upper end.
    pub alone_high: Number,
    /// The share of equals.
    pub fair_share: Number,
}

/// A row of `bots.csv`.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct BotRow {
    /// The seats in play.
    pub seats: String,
    /// The rule set.
    pub rules: String,
    /// The player alone.
    pub player: String,
    /// The bot at every other seat.
    pub against: String,
    /// Blocks, the n of the interval.
    pub blocks: u64,
    /// Games of all rotations.
    pub games: u64,
    /// Share of games won.
    pub share: Number,
    /// Its confidence sequence, together with all players.
    pub low: Number,
    /// Its upper end.
    pub high: Number,
    /// The share of equals.
    pub fair_share: Number,
    /// Whether it wins more than its share by more than the margin.
    #[serde(serialize_with = "word")]
    pub answer: Answer,
    /// What to know.
    pub note: &'static str,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde asks.
fn word<S: Serializer>(answer: &Answer, serializer: S) -> Result<S::Ok, S::Error> {
    answer.word().serialize(serializer)
}

/// The note on a match-up whose games nobody's way of playing changed.
const ALIKE: &str = "the same wins in every block";

/// A verdict in words.
fn words(
    answer: Answer,
    margin: Margin,
    unit: &str,
    games: u64,
    more: Option<u64>,
    above: bool,
) -> String {
    let sign = if above { "+" } else { "±" };
    match answer {
        Answer::Balanced => format!("BALANCED within {sign}{margin}"),
        Answer::Unbalanced(_) => format!("UNBALANCED beyond {sign}{margin} ({unit})"),
        Answer::Undecided => {
            let more = more.map_or_else(
                || "too close to the margin to say how many more".to_owned(),
                |more| format!("about {} more needed", thousands(rounded(more))),
            );
            format!("UNDECIDED after {} games ({more})", thousands(games))
        }
    }
}

/// A count, its digits in groups of three.
fn thousands(n: u64) -> String {
    if n < 1_000 {
        n.to_string()
    } else {
        format!("{},{:03}", thousands(n / 1_000), n % 1_000)
    }
}

/// A number of games to two digits.
fn rounded(games: u64) -> u64 {
    let digits = games.max(1).ilog10();
    let unit = 10_u64.pow(digits.saturating_sub(1));
    games.div_ceil(unit) * unit
}

/// Adds all verdicts with what they rest on.
pub(super) fn add<G: Race>(study: &Study<G>, state: &StudyState, results: &mut Results) {
    for (number, cells) in study.cells.iter().enumerate() {
        for run in 0..study.design.runs() {
            let asked = |kind: fn(Kind) -> bool| {
                let families = families(study, state);
                families.filter(move |&(cells, of, _)| cells == number && kind(of))
            };
            let mut rows = Vec::new();
            for (_, kind, state) in asked(|kind| matches!(kind, Kind::Seats(_))) {
                let Kind::Seats(bot) = kind else { continue };
                rows.extend(seats(study, number, run, bot, state, &mut results.seats));
            }
            for question in [Question::Seats, Question::FirstMove] {
                let of_bots: Vec<&VerdictRow> =
                    rows.iter().filter(|row| row.question == question).collect();
                if !of_bots.is_empty() {
                    let all = for_all(&of_bots, cells.margin);
                    results.verdicts.extend(of_bots.into_iter().cloned());
                    results.verdicts.push(all);
                }
            }
            let tables: Vec<&FamilyState> = asked(|kind| matches!(kind, Kind::Table(_)))
                .map(|(_, _, state)| state)
                .collect();
            if !tables.is_empty() {
                let row = strategies(study, number, run, &tables, &mut results.bots);
                results.verdicts.push(row);
            }
        }
    }
}

/// The verdicts on one bot's games: seats, and the first move where it is not always the same side's.
fn seats<G: Race>(
    study: &Study<G>,
    number: usize,
    run: usize,
    bot: usize,
    state: &FamilyState,
    rows: &mut Vec<SeatRow>,
) -> Vec<VerdictRow> {
    let cells = &study.cells[number];
    let (tally, run_state) = (&state.tally.runs[run], &state.runs[run]);
    let question = study.seat_question(number);
    let base = VerdictRow {
        seats: cells.seats.to_string(),
        rules: study.rules_label(run),
        bot: study.bots[bot].name.clone(),
        margin: cells.margin.to_string(),
        fair_share: Number(Some(question.fair)),
        games: tally.games,
        ..VerdictRow::default()
    };
    for (side, &wins) in tally.wins.iter().enumerate() {
        let together = Valued::of(question.share(wins, tally.games));
        let alone = Valued::of(question.share_alone(wins, tally.games));
        rows.push(SeatRow {
            seats: base.seats.clone(),
            rules: base.rules.clone(),
            bot: base.bot.clone(),
            seat: cells.sides.names[side].clone(),
            games: tally.games,
            wins,
            share: together.value,
            low: together.low,
            high: together.high,
            alone_low: alone.low,
            alone_high: alone.high,
            fair_share: base.fair_share,
        });
    }
    let units: Vec<&str> = cells.sides.names.iter().map(String::as_str).collect();
    let seats = verdict(
        &question,
        &tally.wins,
        &units,
        run_state.answer,
        run_state.decided_at,
        base.clone(),
        cells.margin,
    );
    let first = tally.first_varies().then(|| {
        let base = VerdictRow {
            question: Question::FirstMove,
            ..base
        };
        let question = study.first_question(number);
        let wins = [tally.first_wins];
        verdict(
            &question,
            &wins,
            &["first"],
            run_state.first,
            run_state.first_at,
            base,
            cells.margin,
        )
    });
    [Some(seats), first].into_iter().flatten().collect()
}

/// One verdict with the share that is furthest off.
fn verdict(
    question: &decide::Question,
    wins: &[u64],
    units: &[&str],
    answer: Answer,
    decided_at: u64,
    base: VerdictRow,
    margin: Margin,
) -> VerdictRow {
    let games = base.games;
    let off = |unit: usize| (wins[unit] as f64 / games.max(1) as f64 - question.fair).abs();
    let furthest = (0..wins.len()).max_by(|&a, &b| off(a).total_cmp(&off(b)).then(b.cmp(&a)));
    let unit = match answer {
        Answer::Unbalanced(unit) => unit,
        _ => furthest.unwrap_or(0),
    };
    let share = Valued::of(if answer == Answer::Balanced {
        question.share_alone(wins[unit], games)
    } else {
        question.share(wins[unit], games)
    });
    let undecided = answer == Answer::Undecided;
    let more_games = question.more_games(wins, games).filter(|_| undecided);
    VerdictRow {
        answer,
        verdict: words(answer, margin, units[unit], games, more_games, false),
        unit: units[unit].to_owned(),
        share: share.value,
        low: share.low,
        high: share.high,
        decided_after: (!undecided).then_some(decided_at),
        detectable: Some(question.detectable(wins, games)),
        more_games,
        ..base
    }
}

/// The verdict over all bots: balanced only if it is for each of them.
fn for_all(rows: &[&VerdictRow], margin: Margin) -> VerdictRow {
    let answer = overall(rows.iter().map(|row| row.answer));
    let names = |answer: fn(Answer) -> bool| {
        let named = rows
            .iter()
            .filter(|row| answer(row.answer))
            .map(|row| row.bot.as_str());
        named.collect::<Vec<_>>().join(", ")
    };
    let verdict = match answer {
        Answer::Balanced => format!("BALANCED within ±{margin} for all bots"),
        Answer::Unbalanced(_) => {
            let unbalanced = names(|answer| matches!(answer, Answer::Unbalanced(_)));
            format!("UNBALANCED beyond ±{margin} for {unbalanced}")
        }
        Answer::Undecided => format!(
            "UNDECIDED for {}",
            names(|answer| answer == Answer::Undecided)
        ),
    };
    let first = rows[0];
    let sum = |of: fn(&VerdictRow) -> Option<u64>| {
        let known: Vec<u64> = rows.iter().filter_map(|row| of(row)).collect();
        (!known.is_empty()).then(|| known.iter().sum())
    };
    VerdictRow {
        question: first.question,
        seats: first.seats.clone(),
        rules: first.rules.clone(),
        bot: "all".to_owned(),
        answer,
        verdict,
        margin: first.margin.clone(),
        fair_share: first.fair_share,
        games: rows.iter().map(|row| row.games).sum(),
        detectable: Some(rows.iter().any(|row| row.detectable == Some(true))),
        more_games: sum(|row| row.more_games),
        ..VerdictRow::default()
    }
}

/// The verdict on the strategies of a table.
fn strategies<G: Race>(
    study: &Study<G>,
    number: usize,
    run: usize,
    tables: &[&FamilyState],
    rows: &mut Vec<BotRow>,
) -> VerdictRow {
    let cells = &study.cells[number];
    let question = study.strategy_question(number);
    let from = rows.len();
    for (table, state) in study.tables.iter().zip(tables) {
        let (tally, run): (&RunTally, &RunState) = (&state.tally.runs[run], &state.runs[run]);
        let scores = ScoreCounts::from_counts(tally.scores.clone());
        let share = Valued::of(scores.ok().and_then(|scores| question.score(&scores)));
        rows.push(BotRow {
            seats: cells.seats.to_string(),
            rules: String::new(),
            player: table.hero.name(&study.bots),
            against: study.bots[table.others].name.clone(),
            blocks: tally.blocks,
            games: tally.games,
            share: share.value,
            low: share.low,
            high: share.high,
            fair_share: Number(Some(question.fair)),
            answer: run.answer,
            note: if is_alike(&tally.scores) { ALIKE } else { "" },
        });
    }
    for row in &mut rows[from..] {
        row.rules = study.rules_label(run);
    }
    let rows = &rows[from..];
    let best = (0..rows.len()).max_by(|&a, &b| {
        let share = |row: usize| rows[row].share.0.unwrap_or(0.0);
        share(a).total_cmp(&share(b)).then(b.cmp(&a))
    });
    let best = &rows[best.unwrap_or(0)];
    let answer = overall(rows.iter().map(|row| row.answer));
    let margin = study.spec.strategy_margin;
    let games = rows.iter().map(|row| row.games).sum();
    let unit = format!("{} against {}", best.player, best.against);
    let verdict = match answer {
        Answer::Undecided => {
            let open = rows
                .iter()
                .filter(|row| row.answer == Answer::Undecided)
                .count();
            format!(
                "UNDECIDED after {} games ({open} of {} match-ups open)",
                thousands(games),
                rows.len()
            )
        }
        answer => words(answer, margin, &unit, games, None, true),
    };
    VerdictRow {
        question: Question::Strategies,
        seats: cells.seats.to_string(),
        rules: study.rules_label(run),
        bot: "all".to_owned(),
        answer,
        verdict,
        margin: margin.to_string(),
        unit,
        share: best.share,
        low: best.low,
        high: best.high,
        fair_share: best.fair_share,
        games: best.games,
        ..VerdictRow::default()
    }
}

/// Whether several blocks all had the same score.
fn is_alike(scores: &[u64]) -> bool {
    let mut seen = scores.iter().filter(|&&blocks| blocks > 0);
    seen.next().is_some_and(|&blocks| blocks > 1) && seen.next().is_none()
}

/// One line on how a question stands while it is played: confidence sequences, which may be looked at any time.
pub fn progress<G: Race>(look: &Look<'_, G>) -> String {
    let (study, number) = (look.study, look.family.cells);
    let seats = study.cells[number].seats;
    let open = look
        .state
        .runs
        .iter()
        .position(|run| !run.closed)
        .unwrap_or(0);
    let tally = &look.state.tally.runs[open];
    let percent = |share: Option<crate::stats::Estimate>| {
        share
            .and_then(|share| share.interval)
            .map_or_else(String::new, |interval| {
                format!("{:.1}–{:.1} %", 100.0 * interval.low, 100.0 * interval.high)
            })
    };
    let what = match look.family.kind {
        Kind::Seats(bot) => {
            let question = study.seat_question(number);
            let off = |&&wins: &&u64| wins.abs_diff((tally.games as f64 * question.fair) as u64);
            let (side, wins) = tally
                .wins
                .iter()
                .enumerate()
                .max_by_key(|(_, wins)| off(wins))
                .map_or((0, 0), |(side, &wins)| (side, wins));
            let name = &study.cells[number].sides.names[side];
            let share = percent(question.share(wins, tally.games));
            format!("{}, {name} {share}", study.bots[bot].name)
        }
        Kind::Table(table) => {
            let table = study.tables[table];
            let scores = ScoreCounts::from_counts(tally.scores.clone()).ok();
            let share =
                percent(scores.and_then(|scores| study.strategy_question(number).score(&scores)));
            format!("{} {share}", table.hero.name(&study.bots))
        }
        Kind::Luck(hero, _) => format!("luck of {}", study.bots[hero].name),
    };
    format!(
        "{}/{} {seats} {what}, block {}",
        look.number.0 + 1,
        look.number.1,
        look.state.next
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_score_in_several_blocks_is_alike() {
        assert!(is_alike(&[0, 400, 0]));
        assert!(!is_alike(&[1, 399, 0]));
        assert!(!is_alike(&[0, 1, 0]));
        assert!(!is_alike(&[0, 0, 0]));
    }

    #[test]
    fn verdicts_in_words() {
        let margin = Margin::points(1.0);
        let said = |answer, more| words(answer, margin, "B", 400_000, more, false);
        assert_eq!(said(Answer::Balanced, None), "BALANCED within ±1pt");
        assert_eq!(
            said(Answer::Unbalanced(1), None),
            "UNBALANCED beyond ±1pt (B)"
        );
        assert_eq!(
            said(Answer::Undecided, Some(123_456)),
            "UNDECIDED after 400,000 games (about 130,000 more needed)"
        );
        assert_eq!(
            said(Answer::Undecided, None),
            "UNDECIDED after 400,000 games (too close to the margin to say how many more)"
        );
    }
}
