//! `seats`, `proportion` and `compare`: shares of independent games.

use std::path::PathBuf;

use racelab::stats::mixture::bernoulli_sequence;
use racelab::stats::proportions::{tost_difference, tost_share, two_shares};
use racelab::stats::{Estimate, Interval, interval, seats, selection};
use serde_json::json;

use super::super::{Failure, whole as in_range};
use super::input::{Form, MOST, Sheet, counts, real, whole};
use super::report::{
    Output, Report, estimate_json, estimate_text, fixed, grouped, interval_text, number,
    probability,
};

/// Whether all seats win equally often, from the winners' seats
///
/// For independent games of the same bot in every seat. Columns of the CSV:
/// seat, wins.
///
///     racelab stats seats 25500 25000 24800 24700
///     racelab stats seats 25500 25000 24800 24700 --margin 0.01
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Seats {
    /// Games won from each seat
    #[arg(value_name = "WINS", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    /// Call the seats balanced if every chance is within this of its fair share
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = real(1e-6..=0.5))]
    margin: Option<f64>,

    /// Wins per seat that the e-value believes to have seen before; large values
    /// find small deviations
    #[arg(long, value_name = "A", default_value = "100", allow_negative_numbers = true, value_parser = real(1e-3..=1e9))]
    concentration: f64,

    /// Games near which the confidence sequences are narrowest; choose before
    /// looking
    #[arg(long, value_name = "N", default_value = "10000", allow_negative_numbers = true, value_parser = in_range(1..=MOST))]
    tuned_to: u64,

    #[command(flatten)]
    pub output: Output,
}

/// The most seats of a table, or bots of a list.
const MOST_SEATS: usize = 64;

impl Seats {
    pub fn report(&self) -> Result<Report, Failure> {
        let (names, wins) = self.read()?;
        if !(2..=MOST_SEATS).contains(&wins.len()) {
            let given = wins.len();
            return Err(Failure::input(
                "counts",
                format!("{given} seats; expected 2 to {MOST_SEATS}, or --csv FILE"),
            ));
        }
        let n: u64 = wins.iter().sum();
        let confidence = self.output.confidence;
        let fair = 1.0 / wins.len() as f64;
        let title = format!(
            "n = {} games, {} seats: fair is {} each",
            grouped(n),
            wins.len(),
            fixed(fair, 5)
        );
        let mut report = Report::new("seats", title, confidence);
        report.field("n", json!(n));
        let Some(test) = seats::chi_square(&wins) else {
            return Err(Failure::input(
                "counts",
                "no game at all; expected a count above 0",
            ));
        };
        let each = confidence.shared_by(wins.len() as u32);
        let sequences: Vec<Estimate> = wins
            .iter()
            .map(|&won| {
                bernoulli_sequence(won, n, self.tuned_to as f64, each)
                    .expect("a seat wins at most all games")
            })
            .collect();
        for (name, sequence) in names.iter().zip(&sequences) {
            report.row(&format!("seat {name}"), estimate_text(*sequence, 5));
        }
        let rows = names.iter().zip(&wins).zip(&sequences).map(|((name, won), sequence)| {
            json!({"seat": name, "wins": won, "share": estimate_json(*sequence)})
        });
        report.field("seats", json!(rows.collect::<Vec<_>>()));
        report.row(
            "",
            format!(
                "share of wins; {} confidence sequences that hold together and at every look",
                report.percent()
            ),
        );
        let words = format!("Pearson's test of equal seats, df = {}", test.degrees);
        report.value("chi_square", "chi-square", test.statistic, 4, &words);
        report.field("p_value", number(test.p_value));
        report.row("p-value", format!("{}: the chance of such a chi-square if seats are equal, for one look at a planned n", probability(test.p_value)));
        let ln_e = seats::ln_e_value(&wins, self.concentration).expect("there are games");
        let words = format!(
            "ln of the Dirichlet e-value (a = {}) against equal seats; unequal at {} or more, at any time",
            self.concentration,
            fixed(-libm::log(confidence.alpha()), 3)
        );
        report.value("ln_e", "ln E", ln_e, 4, &words);
        spread(&mut report, &wins, n);
        match self.margin {
            Some(margin) => band_verdict(&mut report, &names, &sequences, fair, margin),
            None if ln_e >= -libm::log(confidence.alpha()) => {
                report.verdict("unequal", "the e-value shows that the seats differ; by how much: see the shares");
            }
            None => report.verdict(
                "undecided",
                "the always-valid test does not show a difference; that is no proof of balance, which needs --margin",
            ),
        }
        Ok(report)
    }

    fn read(&self) -> Result<(Vec<String>, Vec<u64>), Failure> {
        let Some(path) = &self.csv else {
            let wins: Result<Vec<u64>, Failure> = (1..)
                .zip(&self.counts)
                .map(|(seat, text)| {
                    whole(text, 0..=MOST)
                        .map_err(|reason| Failure::input(&format!("seat {seat}"), reason))
                })
                .collect();
            let wins = wins?;
            return Ok((
                (1..=wins.len()).map(|seat| seat.to_string()).collect(),
                wins,
            ));
        };
        let sheet = Sheet::read(
            path,
            &[Form {
                needed: &["seat", "wins"],
                optional: &[],
            }],
        )?;
        let (mut names, mut wins): (Vec<String>, Vec<u64>) = (Vec::new(), Vec::new());
        for row in sheet.rows(["seat", "wins"]) {
            let [Some(seat), Some(won)] = row else {
                continue;
            };
            let name = seat.name()?;
            if names.iter().any(|known| known == name) {
                return Err(seat.wrong(&format!("'{name}' stands twice")));
            }
            names.push(name.to_owned());
            wins.push(won.whole(0..=MOST)?);
        }
        Ok((names, wins))
    }
}

fn spread(report: &mut Report, wins: &[u64], n: u64) {
    let largest = wins
        .iter()
        .map(|&won| (won as f64 / n as f64 - 1.0 / wins.len() as f64).abs())
        .fold(0.0, f64::max);
    let noise = match selection::largest_deviation(wins.len() as u32, n) {
        Some(noise) => format!(
            "; a fair game shows {} on average by noise alone",
            fixed(noise, 5)
        ),
        None => String::new(),
    };
    report.value(
        "largest_deviation",
        "largest deviation",
        largest,
        5,
        &format!("of a share from fair{noise}"),
    );
    match seats::unbiased_spread(wins) {
        Some(spread) => {
            let words = "squared deviations of the chances in all, without the bias of noise; about 0 if fair";
            report.field("unbiased_spread", number(spread));
            report.row("unbiased spread", format!("{spread:.3e}: {words}"));
        }
        None => report.missing("unbiased_spread", "unbiased spread", "it needs two games"),
    }
}

/// Whether all confidence sequences are inside a band around `fair`, or one outside.
fn band_verdict(
    report: &mut Report,
    names: &[String],
    sequences: &[Estimate],
    fair: f64,
    margin: f64,
) {
    let (low, high) = (fair - margin, fair + margin);
    let ends = |sequence: &Estimate| sequence.interval.expect("a sequence has ends");
    let outside = |ends: Interval| ends.high < low || ends.low > high;
    report.field("margin", number(margin));
    let worst = sequences
        .iter()
        .position(|sequence| outside(ends(sequence)));
    if let Some(seat) = worst {
        let sentence = format!(
            "the chance of seat {} is beyond the margin of {margin}: {}",
            names[seat],
            interval_text(ends(&sequences[seat]), 5)
        );
        report.verdict("unbalanced", &sentence);
    } else if sequences
        .iter()
        .all(|sequence| ends(sequence).low > low && ends(sequence).high < high)
    {
        let detectable = sequences
            .iter()
            .any(|sequence| !ends(sequence).contains(fair));
        let but = if detectable {
            ", though a difference is detectable"
        } else {
            ""
        };
        report.verdict(
            "balanced",
            &format!("every chance is within {margin} of fair{but}"),
        );
    } else {
        report.verdict(
            "undecided",
            &format!("some chances may be within {margin} of fair or beyond; play on"),
        );
    }
}

/// A share of independent games: intervals, and whether it is close to a value
///
/// Columns of the CSV: wins, games; its rows are summed.
///
///     racelab stats proportion 81 263
///     racelab stats proportion 25100 100000 --target 0.25 --margin 0.01
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Proportion {
    /// Games won and games played
    #[arg(value_name = "WINS GAMES", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    /// Value the chance may be equivalent to; with --margin
    #[arg(long, value_name = "P", requires = "margin", allow_negative_numbers = true, value_parser = real(0.0..=1.0))]
    target: Option<f64>,

    /// How close to --target counts as equivalent
    #[arg(long, value_name = "D", requires = "target", allow_negative_numbers = true, value_parser = real(1e-9..=0.5))]
    margin: Option<f64>,

    /// Games near which the confidence sequence is narrowest; choose before
    /// looking
    #[arg(long, value_name = "N", default_value = "10000", allow_negative_numbers = true, value_parser = in_range(1..=MOST))]
    tuned_to: u64,

    #[command(flatten)]
    pub output: Output,
}

/// Checks a pair of wins and games.
fn wins_of(wins: u64, games: u64) -> Result<(u64, u64), Failure> {
    match (wins, games) {
        (_, 0) => Err(Failure::input("games", "0; expected at least one game")),
        _ if wins > games => Err(Failure::input(
            "wins",
            format!("{wins} of only {games} games"),
        )),
        pair => Ok(pair),
    }
}

impl Proportion {
    pub fn report(&self) -> Result<Report, Failure> {
        const COLUMNS: &[&str; 2] = &["wins", "games"];
        let given = match &self.csv {
            Some(path) => Sheet::sums(path, COLUMNS)?,
            None => counts(&self.counts, COLUMNS)?,
        };
        let (wins, n) = wins_of(given[0], given[1])?;
        let confidence = self.output.confidence;
        let title = format!("{} of n = {} independent games", grouped(wins), grouped(n));
        let mut report = Report::new("proportion", title, confidence);
        report.field("wins", json!(wins));
        report.field("n", json!(n));
        let percent = report.percent();
        let wilson = interval::wilson(wins, n, confidence).expect("the counts are checked");
        let exact = interval::clopper_pearson(wins, n, confidence).expect("the counts are checked");
        let sequence = bernoulli_sequence(wins, n, self.tuned_to as f64, confidence)
            .expect("the counts are checked");
        report.estimate(
            "wilson",
            "share",
            wilson,
            5,
            &format!("{percent} Wilson interval, for one look at a planned n"),
        );
        report.estimate(
            "clopper_pearson",
            "",
            exact,
            5,
            &format!("{percent} Clopper-Pearson interval: exact, often a little too long"),
        );
        report.estimate(
            "sequence",
            "",
            sequence,
            5,
            &format!("{percent} confidence sequence: valid at every look"),
        );
        if let (Some(target), Some(margin)) = (self.target, self.margin) {
            let Some(test) = tost_share(wins, n, target, margin) else {
                return Err(Failure::input(
                    "--margin",
                    format!("{target} ± {margin} is not strictly between 0 and 1"),
                ));
            };
            let p = test.p_value();
            report.field("tost_p", number(p));
            report.row("TOST", format!(
                "{}: p-value of \"within {margin} of {target}\" by two exact one-sided tests ({} too low, {} too high)",
                probability(p),
                probability(test.too_low),
                probability(test.too_high)
            ));
            let ends = exact.interval.expect("the exact interval exists");
            equivalence(
                &mut report,
                p,
                ends.high < target - margin || ends.low > target + margin,
            );
        }
        Ok(report)
    }
}

fn equivalence(report: &mut Report, p: f64, beyond: bool) {
    if p <= report.alpha() {
        report.verdict(
            "equivalent",
            "both one-sided tests reject: the difference is inside the margin",
        );
    } else if beyond {
        report.verdict("different", "the whole interval is beyond the margin");
    } else {
        report.verdict(
            "undecided",
            "neither closeness nor a difference beyond the margin is shown",
        );
    }
}

/// Two shares of independent games: difference, tests of equality and closeness
///
/// Columns of the CSV: wins, games; two rows.
///
///     racelab stats compare 56 70 48 80
///     racelab stats compare 65 100 70 100 --margin 0.1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Compare {
    /// Games won and games played, of the first and of the second
    #[arg(value_name = "WINS1 GAMES1 WINS2 GAMES2", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    /// Difference below which the two count as equivalent
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = real(1e-9..=0.999))]
    margin: Option<f64>,

    #[command(flatten)]
    pub output: Output,
}

impl Compare {
    pub fn report(&self) -> Result<Report, Failure> {
        let given = self.read()?;
        let [first, second] = [wins_of(given[0], given[1])?, wins_of(given[2], given[3])?];
        let confidence = self.output.confidence;
        let title = format!(
            "{} of {} against {} of {} independent games",
            grouped(first.0),
            grouped(first.1),
            grouped(second.0),
            grouped(second.1)
        );
        let mut report = Report::new("compare", title, confidence);
        let percent = report.percent();
        for (key, label, (wins, n)) in [
            ("first", "first share", first),
            ("second", "second share", second),
        ] {
            let share = interval::wilson(wins, n, confidence).expect("the counts are checked");
            report.estimate(
                key,
                label,
                share,
                5,
                &format!("n = {}; {percent} Wilson interval", grouped(n)),
            );
        }
        let difference = interval::newcombe(first.0, first.1, second.0, second.1, confidence);
        let difference = difference.expect("the counts are checked");
        let words =
            format!("first minus second; {percent} Newcombe interval, for one look at a planned n");
        report.estimate("difference", "difference", difference, 5, &words);
        match two_shares(first, second) {
            Some(test) => {
                report.value("z", "z", test.z, 4, "difference in pooled standard errors");
                report.field("p_value", number(test.p_value));
                report.row(
                    "p-value",
                    format!(
                        "{}: the chance of such a z, either way, if the chances are equal",
                        probability(test.p_value)
                    ),
                );
            }
            None => report.missing("z", "z", "all games were won, or none"),
        }
        let ends = difference.interval.expect("the counts are checked");
        match self.margin {
            Some(margin) => closeness(&mut report, first, second, margin, ends),
            None if ends.contains(0.0) => report.verdict(
                "undecided",
                "no difference is shown; that is no proof of equality, which needs --margin",
            ),
            None => report.verdict(
                "different",
                "the interval of the difference does not hold 0",
            ),
        }
        Ok(report)
    }

    fn read(&self) -> Result<Vec<u64>, Failure> {
        let Some(path) = &self.csv else {
            return counts(&self.counts, &["wins1", "games1", "wins2", "games2"]);
        };
        let sheet = Sheet::read(
            path,
            &[Form {
                needed: &["wins", "games"],
                optional: &[],
            }],
        )?;
        let mut given = Vec::new();
        for cell in sheet.rows(["wins", "games"]).flatten().flatten() {
            given.push(cell.whole(0..=MOST)?);
        }
        match given.len() {
            4 => Ok(given),
            cells => Err(Failure::input(
                &path.display().to_string(),
                format!("{} rows; expected two, one for each share", cells / 2),
            )),
        }
    }
}

/// Whether two shares are closer than `margin`; `ends` are those of their difference.
fn closeness(
    report: &mut Report,
    first: (u64, u64),
    second: (u64, u64),
    margin: f64,
    ends: Interval,
) {
    let Some(test) = tost_difference(first, second, margin) else {
        report.missing(
            "tost_p",
            "TOST",
            "both shares are 0 or 1, so there is no standard error",
        );
        return report.verdict("undecided", "play more games");
    };
    let p = test.tost.p_value();
    report.field("tost_z_low", number(test.z_low));
    report.field("tost_z_high", number(test.z_high));
    report.field("tost_p", number(p));
    let text = format!(
        "{}: p-value of \"closer than {margin}\": z = {} and {}, p = {} and {}",
        probability(p),
        fixed(test.z_low, 4),
        fixed(test.z_high, 4),
        probability(test.tost.too_low),
        probability(test.tost.too_high)
    );
    report.row("TOST", text);
    equivalence(report, p, ends.low > margin || ends.high < -margin);
}
