//! `wld`, `penta` and `blocks`: one bot against others, by game, by pair and by block.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::ValueEnum;
use racelab::stats::bayes_elo::{BayesElo, Results, wald_llr};
use racelab::stats::eprocess::{self, Null};
use racelab::stats::gsprt::{Bounds, Model, llr};
use racelab::stats::interval::block_mean;
use racelab::stats::sprt::{Scale, Sprt, SprtError};
use racelab::stats::{BlockMean, Confidence, ErrorRates, ScoreCounts, Verdict, elo};
use serde_json::json;

use super::super::Failure;
use super::input::{Form, MOST, Sheet, counts, real, whole};
use super::report::{Output, Report, fixed, grouped, number};

/// The two hypotheses of a sequential test.
#[derive(clap::Args)]
pub struct Test {
    /// Null hypothesis of a sequential test, in Elo; with --elo1
    #[arg(long, value_name = "ELO", requires = "elo1", allow_negative_numbers = true, value_parser = real(-10_000.0..=10_000.0))]
    elo0: Option<f64>,

    /// Alternative of a sequential test, in Elo above --elo0
    #[arg(long, value_name = "ELO", requires = "elo0", allow_negative_numbers = true, value_parser = real(-10_000.0..=10_000.0))]
    elo1: Option<f64>,

    /// What one Elo of the two means
    #[arg(long, value_enum, default_value_t = ScaleArg::Logistic)]
    model: ScaleArg,

    /// Chance to accept the alternative when the null is true
    #[arg(long, value_name = "P", default_value = "0.05", allow_negative_numbers = true, value_parser = real(1e-12..=0.999))]
    alpha: f64,

    /// Chance to accept the null when the alternative is true
    #[arg(long, value_name = "P", default_value = "0.05", allow_negative_numbers = true, value_parser = real(1e-12..=0.999))]
    beta: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScaleArg {
    /// The usual Elo
    Logistic,
    /// 800/ln 10 for each standard deviation of a game
    Normalized,
    /// `BayesElo`, with the draw Elo of the results; for `wld` only
    Bayes,
}

impl Test {
    fn rates(&self) -> Result<ErrorRates, Failure> {
        ErrorRates::new(self.alpha, self.beta).map_err(|error| Failure::input("--alpha", error))
    }

    fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let rates = self.rates()?;
        let bounds = self.elo0.zip(self.elo1);
        let sprt = bounds.map(|(null, alternative)| Sprt {
            scale: match self.model {
                ScaleArg::Logistic => Scale::Logistic,
                ScaleArg::Normalized => Scale::Normalized,
                ScaleArg::Bayes => Scale::Bayes,
            },
            null,
            alternative,
            rates,
        });
        match sprt {
            Some(Sprt {
                null, alternative, ..
            }) if null >= alternative => Err(Failure::input(
                "--elo1",
                format!("{alternative} is not above --elo0 {null}"),
            )),
            sprt => Ok(sprt),
        }
    }
}

/// One against one by game: score, Elo, and a sequential test
///
/// Every game counts for itself; for games played in pairs with the same dice
/// use `penta`. Columns of the CSV: wins, losses, draws; its rows are summed.
///
///     racelab stats wld 136 96 111
///     racelab stats wld 68965 68526 128429 --elo0 0 --elo1 2 --model bayes
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Wld {
    /// Games won, lost and drawn
    #[arg(value_name = "WINS LOSSES DRAWS", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    test: Test,

    #[command(flatten)]
    pub output: Output,
}

impl Wld {
    pub fn report(&self) -> Result<Report, Failure> {
        const COLUMNS: &[&str; 3] = &["wins", "losses", "draws"];
        let given = match &self.csv {
            Some(path) => Sheet::sums(path, COLUMNS)?,
            None => counts(&self.counts, COLUMNS)?,
        };
        let results = Results {
            wins: given[0],
            losses: given[1],
            draws: given[2],
        };
        let title = format!(
            "{} wins, {} losses, {} draws: n = {} games",
            grouped(results.wins),
            grouped(results.losses),
            grouped(results.draws),
            grouped(given.iter().sum())
        );
        let mut report = Report::new("wld", title, self.output.confidence);
        report.field("wins", json!(results.wins));
        report.field("losses", json!(results.losses));
        report.field("draws", json!(results.draws));
        let cells = vec![results.losses, results.draws, results.wins];
        let grid = ScoreCounts::from_counts(cells).expect("three cells are a grid");
        let duel = Duel {
            grid: &grid,
            games: 1,
            seats: 2,
            unit: "games",
        };
        duel.describe(&mut report, self.output.confidence)?;
        match BayesElo::of(results) {
            Some(bayes) => {
                let words = format!(
                    "with draw Elo {}, in the model of BayesElo",
                    fixed(bayes.draw, 2)
                );
                report.value("bayes_elo", "BayesElo", bayes.elo, 2, &words);
                report.field("draw_elo", number(bayes.draw));
            }
            None => report.missing("bayes_elo", "BayesElo", "it needs a win, a draw and a loss"),
        }
        if let Some(sprt) = self.test.sprt()? {
            if let Some(llr) = wald_llr(results, sprt.null, sprt.alternative)
                .filter(|_| sprt.scale == Scale::Bayes)
            {
                let words = "LLR of the older test of two simple hypotheses in BayesElo";
                report.value("wald_llr", "Wald LLR", llr, 5, words);
            }
            gsprt(&mut report, &sprt, sprt.trinomial(results))?;
        }
        Ok(report)
    }
}

/// One against one by pair of games with the same dice: the pentanomial
///
/// The counts are pairs with 0, 1/2, 1, 1 1/2 and 2 points. Columns of the CSV:
/// `ll`, `ld`, `wl_dd`, `wd`, `ww`; its rows are summed.
///
///     racelab stats penta 34 54 63 64 75
///     racelab stats penta 365 16618 36229 16974 390 --elo0 0 --elo1 2 \
///         --model normalized
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Penta {
    /// Pairs by points: two losses; loss and draw; win and loss or two draws; win
    /// and draw; two wins
    #[arg(value_name = "LL LD WL+DD WD WW", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    test: Test,

    #[command(flatten)]
    pub output: Output,
}

impl Penta {
    pub fn report(&self) -> Result<Report, Failure> {
        const COLUMNS: &[&str; 5] = &["ll", "ld", "wl_dd", "wd", "ww"];
        let given = match &self.csv {
            Some(path) => Sheet::sums(path, COLUMNS)?,
            None => counts(&self.counts, COLUMNS)?,
        };
        let pairs: [u64; 5] = given.clone().try_into().expect("five counts");
        let n: u64 = given.iter().sum();
        let title = format!("n = {} pairs, {} games", grouped(n), grouped(2 * n));
        let mut report = Report::new("penta", title, self.output.confidence);
        report.field("pairs", json!(pairs));
        let grid = ScoreCounts::from_counts(given).expect("five cells are a grid");
        let duel = Duel {
            grid: &grid,
            games: 2,
            seats: 2,
            unit: "pairs",
        };
        duel.describe(&mut report, self.output.confidence)?;
        if let Some(sprt) = self.test.sprt()? {
            gsprt(&mut report, &sprt, sprt.pentanomial(pairs))?;
        }
        Ok(report)
    }
}

fn gsprt(
    report: &mut Report,
    sprt: &Sprt,
    state: Result<racelab::stats::sprt::State, SprtError>,
) -> Result<(), Failure> {
    let hypotheses = format!("elo0 {} against elo1 {}", sprt.null, sprt.alternative);
    match state {
        Ok(state) => {
            llr_rows(report, state.llr, state.bounds, &hypotheses);
            sequential_verdict(report, state.verdict, &hypotheses);
            Ok(())
        }
        Err(error @ (SprtError::Llr(_) | SprtError::NoDrawElo)) => {
            report.missing("llr", "LLR", &error.to_string());
            report.verdict("undecided", "there is no likelihood ratio");
            Ok(())
        }
        Err(error) => Err(Failure::input("--model", error)),
    }
}

fn llr_rows(report: &mut Report, llr: f64, bounds: Bounds, hypotheses: &str) {
    let words = format!(
        "GSPRT log-likelihood ratio of {hypotheses}; it stops at {} or {}; error rates hold approximately, for looks \
         in the order of play",
        fixed(bounds.lower, 4),
        fixed(bounds.upper, 4)
    );
    report.value("llr", "LLR", llr, 5, &words);
    report.row(
        "note",
        "where a test stopped early, score and Elo are biased away from the bound it crossed; the sequence is not".to_owned(),
    );
    report.field("llr_lower", number(bounds.lower));
    report.field("llr_upper", number(bounds.upper));
}

fn sequential_verdict(report: &mut Report, verdict: Verdict, hypotheses: &str) {
    match verdict {
        Verdict::Alternative => {
            report.verdict("alternative", "the GSPRT accepts the higher of the two");
        }
        Verdict::Null => report.verdict("null", "the GSPRT accepts the lower of the two"),
        Verdict::Open => report.verdict(
            "undecided",
            &format!("play on; nothing is shown yet about {hypotheses}"),
        ),
    }
}

/// One bot against others in blocks on shared dice, from the block scores
///
/// The counts are the blocks in which the bot won 0, 1, 2, ... of the games of a
/// block: with n rotations of one against n - 1 these are n + 1 counts. Columns
/// of the CSV: score (in wins), blocks.
///
///     racelab stats blocks 4148 9718 5138 932 64
///     racelab stats blocks 4148 9718 5138 932 64 --elo0 0 --elo1 9.15
///     racelab stats blocks 10 41 12 --seats 4
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Blocks {
    /// Blocks with 0, 1, 2, ... games won
    #[arg(value_name = "COUNT", num_args = 0.., allow_negative_numbers = true)]
    counts: Vec<String>,

    /// Read the counts from a file
    #[arg(long, value_name = "FILE", conflicts_with = "counts")]
    csv: Option<PathBuf>,

    /// Seats at the table, 2 to 16; an equal bot wins one game in so many
    /// [default: the games of a block, at least 2]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::super::whole(2..=16))]
    seats: Option<u64>,

    #[command(flatten)]
    test: Test,

    #[command(flatten)]
    pub output: Output,
}

/// The most games of a block.
const MOST_GAMES: u64 = 1000;

impl Blocks {
    pub fn report(&self) -> Result<Report, Failure> {
        let cells = self.cells()?;
        let games = cells.len() as u32 - 1;
        let seats = self.seats.map_or(games.clamp(2, 16), |seats| seats as u32);
        let n: u64 = cells.iter().sum();
        let title = format!(
            "n = {} blocks of {games} games, {seats} seats: an equal bot scores 1/{seats} = {}",
            grouped(n),
            fixed(1.0 / f64::from(seats), 5)
        );
        let confidence = self.output.confidence;
        let mut report = Report::new("blocks", title, confidence);
        report.field("blocks", json!(cells));
        report.field("seats", json!(seats));
        let grid =
            ScoreCounts::from_counts(cells).map_err(|error| Failure::input("counts", error))?;
        let duel = Duel {
            grid: &grid,
            games,
            seats,
            unit: "blocks",
        };
        duel.describe(&mut report, confidence)?;
        if let Some(sprt) = self.test.sprt()? {
            sequential(&mut report, &duel, &sprt)?;
        }
        Ok(report)
    }

    fn cells(&self) -> Result<Vec<u64>, Failure> {
        let Some(path) = &self.csv else {
            if !(2..=MOST_GAMES as usize + 1).contains(&self.counts.len()) {
                let given = self.counts.len();
                return Err(Failure::input(
                    "counts",
                    format!(
                        "{given} given; expected one for each score, 2 to {}, or --csv FILE",
                        MOST_GAMES + 1
                    ),
                ));
            }
            let count = |(score, text): (usize, &String)| {
                whole(text, 0..=MOST)
                    .map_err(|reason| Failure::input(&format!("count of score {score}"), reason))
            };
            return self.counts.iter().enumerate().map(count).collect();
        };
        let sheet = Sheet::read(
            path,
            &[Form {
                needed: &["score", "blocks"],
                optional: &[],
            }],
        )?;
        let mut cells = vec![0; 2];
        for row in sheet.rows(["score", "blocks"]) {
            let [Some(score), Some(blocks)] = row else {
                continue;
            };
            let index = score.whole(0..=MOST_GAMES)? as usize;
            cells.resize(cells.len().max(index + 1), 0);
            cells[index] += blocks.whole(0..=MOST)?;
            if cells[index] > MOST {
                return Err(blocks.wrong(&format!("more than {MOST} blocks of score {index}")));
            }
        }
        Ok(cells)
    }
}

fn sequential(report: &mut Report, duel: &Duel, sprt: &Sprt) -> Result<(), Failure> {
    let hypotheses = format!("elo0 {} against elo1 {}", sprt.null, sprt.alternative);
    let model = match sprt.scale {
        Scale::Logistic => Model::elo(duel.seats, sprt.null, sprt.alternative),
        Scale::Normalized => Some(Model::normalised_elo(
            duel.fair(),
            duel.games,
            sprt.null,
            sprt.alternative,
        )),
        Scale::Bayes => return Err(Failure::input("--model", SprtError::BayesOfPairs)),
    };
    let model = model.expect("the bounds are finite");
    match llr(duel.grid, model) {
        Ok(llr) => {
            let bounds = Bounds::new(sprt.rates);
            llr_rows(report, llr, bounds, &hypotheses);
            if !matches!(model, Model::Mean { .. }) {
                sequential_verdict(report, bounds.verdict(llr), &hypotheses);
            }
        }
        Err(error) => {
            report.missing("llr", "LLR", &error.to_string());
            if !matches!(model, Model::Mean { .. }) {
                report.verdict("undecided", "there is no likelihood ratio");
            }
        }
    }
    if let Model::Mean { null, alternative } = model {
        let verdict = eprocess::verdict(duel.grid, null, alternative, sprt.rates);
        match verdict {
            Some(Verdict::Alternative) => report.verdict(
                "alternative",
                &format!(
                    "the e-process shows a mean above {}; it holds at any time of stopping",
                    fixed(null, 5)
                ),
            ),
            Some(Verdict::Null) => report.verdict(
                "null",
                &format!(
                    "the e-process shows a mean below {}; it holds at any time of stopping",
                    fixed(alternative, 5)
                ),
            ),
            Some(Verdict::Open) | None => report.verdict(
                "undecided",
                &format!("the e-process needs more blocks to tell {hypotheses} apart"),
            ),
        }
    }
    Ok(())
}

/// Scores of one bot against others.
struct Duel<'a> {
    grid: &'a ScoreCounts,
    /// Games of a block.
    games: u32,
    seats: u32,
    /// What n counts.
    unit: &'static str,
}

impl Duel<'_> {
    fn fair(&self) -> f64 {
        1.0 / f64::from(self.seats)
    }

    fn describe(&self, report: &mut Report, confidence: Confidence) -> Result<(), Failure> {
        let moments = self.grid.moments();
        let unit = NonZeroU32::new(self.grid.steps()).expect("a grid has steps");
        let games = NonZeroU32::new(self.games).expect("a block has games");
        let n = self.grid.blocks();
        report.field("n", json!(n));
        let (percent, fair) = (report.percent(), fixed(self.fair(), 5));
        let Some(mean) = block_mean(&moments, unit, confidence) else {
            return Err(Failure::input(
                "counts",
                format!("no {} at all; expected a count above 0", self.unit),
            ));
        };
        match mean {
            BlockMean::Estimated(estimate) => {
                let words = match estimate.interval {
                    Some(_) => format!(
                        "mean score; equal bots get {fair}. {percent} Student interval, for one look at a planned n"
                    ),
                    None => format!(
                        "mean score; equal bots get {fair}. One of the {} gives no interval",
                        self.unit
                    ),
                };
                report.estimate("score", "score", estimate, 5, &words);
                match elo::from_estimate(estimate, self.seats) {
                    Some(elo) => {
                        let words = match self.seats {
                            2 => "Elo difference, the same interval".to_owned(),
                            seats => format!(
                                "Elo of one against {} equal others, the same interval",
                                seats - 1
                            ),
                        };
                        report.estimate("elo", "Elo", elo, 2, &words);
                    }
                    None => report.missing("elo", "Elo", "all won or all lost"),
                }
            }
            BlockMean::Constant {
                value,
                blocks,
                divergence_below,
            } => {
                let words = format!(
                    "the score of all {}: no interval. A share of at most {} scores otherwise ({percent})",
                    self.unit,
                    fixed(divergence_below, 6)
                );
                let alone = racelab::stats::Estimate {
                    value,
                    n: blocks,
                    interval: None,
                };
                report.estimate("score", "score", alone, 5, &words);
                report.field("divergence_below", number(divergence_below));
                report.missing("elo", "Elo", "nothing diverged");
            }
        }
        match elo::normalised(&moments, unit, self.fair(), games, confidence) {
            Some(normalised) => {
                let words =
                    "normalised Elo: how hard the difference is to see, not how large it is";
                report.estimate("normalized_elo", "nElo", normalised, 2, words);
            }
            None => report.missing("normalized_elo", "nElo", "no spread was seen"),
        }
        match elo::likelihood_of_superiority(&moments, unit, self.fair()) {
            Some(los) => {
                let words =
                    "chance to be better, a normal approximation; not valid after stopping at will";
                report.value("los", "LOS", los, 5, words);
            }
            None => report.missing("los", "LOS", "no spread was seen"),
        }
        if let Some(variance) = moments.variance() {
            let square = f64::from(unit.get()) * f64::from(unit.get());
            report.value(
                "variance",
                "variance",
                variance / square,
                6,
                &format!("variance of the score between {}", self.unit),
            );
        }
        self.at_any_time(report, confidence);
        Ok(())
    }

    /// What may be looked at after every block.
    fn at_any_time(&self, report: &mut Report, confidence: Confidence) {
        if let Some(sequence) = eprocess::confidence_sequence(self.grid, confidence) {
            let words = format!(
                "score, {} confidence sequence of the e-process: valid at every look",
                report.percent()
            );
            report.estimate("sequence", "sequence", sequence, 5, &words);
        }
        for (key, null, words) in [
            ("ln_e_stronger", Null::AtMost(self.fair()), "stronger"),
            ("ln_e_weaker", Null::AtLeast(self.fair()), "weaker"),
        ] {
            let ln_e = eprocess::ln_e_value(self.grid, null).expect("a fair share is a mean");
            let rejects = -libm::log(confidence.alpha());
            let words = format!(
                "ln of the e-value for \"{words}\"; shown at {} or more, at any time",
                fixed(rejects, 3)
            );
            report.value(key, "ln E", ln_e, 4, &words);
        }
    }
}
