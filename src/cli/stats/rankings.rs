//! `rankings`: strengths of many bots from placings or wins.

use std::collections::HashMap;
use std::path::PathBuf;

use racelab::stats::Confidence;
use racelab::stats::elo::PER_THETA;
use racelab::stats::multiple::holm;
use racelab::stats::plackett_luce::{Entrant, Fit, FitError, Prior, Rankings};
use serde_json::{Value, json};

use super::super::Failure;
use super::input::{Cell, Form, MOST, Sheet, real};
use super::report::{Output, Report, fixed, grouped, number, probability};

/// Ratings of many bots: the Plackett-Luce fit of placings or wins
///
/// Placings: columns game, bot, place and if wanted seat, block; one row for each
/// player of each game. Equal places are tied; an empty place means the bot
/// played but was not placed. Wins: columns winner, loser and if wanted games,
/// block. Games of one block may depend on each other (shared dice): errors are
/// clustered by block. Without the column each game is a block of its own.
///
///     racelab stats rankings --csv games.csv
///     racelab stats rankings --csv games.csv --winner-only --ghost 0.5
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Read the results from a file
    #[arg(long, value_name = "FILE")]
    csv: PathBuf,

    /// Use only who came first; the rest of a game is not placed
    #[arg(long)]
    winner_only: bool,

    /// Add so many games won and lost by every bot against a ghost, usually 0.5;
    /// draws the ratings together but makes them finite for all results
    /// [default: none]
    #[arg(long, value_name = "G", allow_negative_numbers = true, value_parser = real(1e-6..=1000.0))]
    ghost: Option<f64>,

    #[command(flatten)]
    pub output: Output,
}

const FORMS: [Form; 2] = [
    Form {
        needed: &["game", "bot", "place"],
        optional: &["seat", "block"],
    },
    Form {
        needed: &["winner", "loser"],
        optional: &["games", "block"],
    },
];
/// The fit takes the cube of the number of bots.
const MOST_BOTS: usize = 300;
const MOST_SEATS: usize = 16;
/// The most bots whose pairs fit on 80 columns.
const MOST_SHOWN: usize = 8;

/// Below this, errors by block are too small too often.
pub const FEWEST_BLOCKS: u64 = 30;

/// Numbers for names, in order of appearance.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    known: HashMap<String, usize>,
}

impl Names {
    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.known.get(name) {
            return index;
        }
        let index = self.names.len();
        self.known.insert(name.to_owned(), index);
        self.names.push(name.to_owned());
        index
    }

    fn at_most(&mut self, cell: &Cell, most: usize) -> Result<usize, Failure> {
        let index = self.index(cell.name()?);
        if index < most {
            Ok(index)
        } else {
            Err(cell.wrong(&format!(
                "'{}' is one too many; expected at most {most} different",
                cell.text
            )))
        }
    }
}

/// All results of a file, or of folders.
pub struct Results {
    pub bots: Vec<String>,
    /// One nameless seat if they are not told apart.
    pub seats: Vec<String>,
    /// The rule sets under each of which seats have effects of their own; one nameless one if there is one.
    pub rules: Vec<String>,
    pub errors: Errors,
    pub rankings: Rankings,
}

/// A player of a game and its place, if it has one.
type Placed = (Option<u64>, Entrant);

/// What the games of a file share.
#[derive(Clone, Copy, PartialEq)]
pub enum Errors {
    /// Blocks are named.
    Blocks,
    /// Each game is a block of its own.
    Games,
    /// Games are only counted.
    Independent,
    /// Games are only counted, and are known to be worth less than independent ones: errors are this much wider.
    Wider(f64),
    /// The same of games of which some are of matches.
    OfMatches(f64),
}

impl Args {
    pub fn report(&self) -> Result<Report, Failure> {
        let results = self.read()?;
        let path = self.csv.display().to_string();
        let confidence = self.output.confidence;
        Ok(describe("rankings", &results, self.ghost, confidence, &path)?.0)
    }

    fn read(&self) -> Result<Results, Failure> {
        let sheet = Sheet::read(&self.csv, &FORMS)?;
        if sheet.has("winner") {
            self.wins(&sheet)
        } else {
            self.placings(&sheet)
        }
    }

    fn wins(&self, sheet: &Sheet) -> Result<Results, Failure> {
        let (mut bots, mut blocks) = (Names::default(), Names::default());
        let mut games: Vec<(u64, u64, usize, usize)> = Vec::new();
        for (number, row) in (0..).zip(sheet.rows(["winner", "loser", "games", "block"])) {
            let [Some(winner), Some(loser), count, block] = row else {
                continue;
            };
            let pair = (
                bots.at_most(&winner, MOST_BOTS)?,
                bots.at_most(&loser, MOST_BOTS)?,
            );
            if pair.0 == pair.1 {
                return Err(loser.wrong(&format!("'{}' against itself", loser.text)));
            }
            let count = count.map_or(Ok(1), |count| count.whole(0..=MOST))?;
            let block = match block {
                Some(block) => blocks.index(block.name()?) as u64,
                None => number,
            };
            games.push((block, count, pair.0, pair.1));
        }
        let mut rankings = Rankings::new(bots.names.len(), 1);
        let alone = |bot| vec![Entrant { bot, seat: 0 }];
        for (block, count, winner, loser) in games {
            let pushed = rankings.push(block, count, vec![alone(winner), alone(loser)], vec![]);
            pushed.map_err(|error| Failure::input(&self.csv.display().to_string(), error))?;
        }
        // A row that counts many games is no block.
        let errors = if sheet.has("block") {
            Errors::Blocks
        } else {
            Errors::Independent
        };
        Ok(Results {
            bots: bots.names,
            seats: vec![String::new()],
            rules: vec![String::new()],
            errors,
            rankings,
        })
    }

    fn placings(&self, sheet: &Sheet) -> Result<Results, Failure> {
        let [mut bots, mut seats, mut blocks, mut games] =
            std::array::from_fn(|_| Names::default());
        // By game: its block, and its players with their places.
        let mut players: Vec<(u64, Vec<Placed>)> = Vec::new();
        for row in sheet.rows(["game", "bot", "place", "seat", "block"]) {
            let [Some(game), Some(bot), Some(place), seat, block] = row else {
                continue;
            };
            let index = games.index(game.name()?);
            let entrant = Entrant {
                bot: bots.at_most(&bot, MOST_BOTS)?,
                seat: seat
                    .as_ref()
                    .map_or(Ok(0), |seat| seats.at_most(seat, MOST_SEATS))?,
            };
            let placed = if place.text.is_empty() {
                None
            } else {
                Some(place.whole(1..=1000)?)
            };
            let of_block = match &block {
                Some(block) => blocks.index(block.name()?) as u64,
                None => index as u64,
            };
            if index == players.len() {
                players.push((of_block, Vec::new()));
            }
            let (known, entrants) = &mut players[index];
            if *known != of_block {
                return Err(block.unwrap_or(game).wrong("the game stands in two blocks"));
            }
            if seat.is_some() && entrants.iter().any(|(_, other)| other.seat == entrant.seat) {
                return Err(game.wrong(&format!("two players at one seat in game '{}'", game.text)));
            }
            entrants.push((placed, entrant));
        }
        let seated = sheet.has("seat");
        let mut rankings = Rankings::new(bots.names.len(), seats.names.len().max(1));
        for ((block, entrants), game) in players.into_iter().zip(&games.names) {
            self.push(&mut rankings, block, entrants).map_err(|error| {
                Failure::input(&format!("{} game '{game}'", self.csv.display()), error)
            })?;
        }
        let seats = if seated {
            seats.names
        } else {
            vec![String::new()]
        };
        let errors = if sheet.has("block") {
            Errors::Blocks
        } else {
            Errors::Games
        };
        Ok(Results {
            bots: bots.names,
            seats,
            rules: vec![String::new()],
            errors,
            rankings,
        })
    }

    fn push(
        &self,
        rankings: &mut Rankings,
        block: u64,
        mut entrants: Vec<Placed>,
    ) -> Result<(), racelab::stats::plackett_luce::GameError> {
        entrants.sort_by_key(|&(place, _)| place.unwrap_or(u64::MAX));
        let (mut places, mut rest): (Vec<Vec<Entrant>>, Vec<Entrant>) = Default::default();
        let mut last = None;
        for (place, entrant) in entrants {
            match place {
                Some(place) if last == Some(place) => {
                    places.last_mut().expect("it has begun").push(entrant);
                }
                Some(place) if !(self.winner_only && last.is_some()) => {
                    places.push(vec![entrant]);
                    last = Some(place);
                }
                _ => rest.push(entrant),
            }
        }
        rankings.push(block, 1, places, rest)
    }
}

/// Fits the ratings and says all there is to say about them; `place` is what an error names.
pub fn describe(
    test: &str,
    results: &Results,
    ghost: Option<f64>,
    confidence: Confidence,
    place: &str,
) -> Result<(Report, Fit), Failure> {
    let Results { rankings, bots, .. } = results;
    let prior = ghost.map_or(Prior::None, Prior::Ghost);
    let fit = rankings
        .fit(prior)
        .map_err(|error| refuse(&error, place, bots))?;
    let fit = match results.errors {
        Errors::Independent => fit.with_independent_games(),
        Errors::Wider(factor) | Errors::OfMatches(factor) => fit.with_wider_errors(factor),
        Errors::Blocks | Errors::Games => fit,
    };
    let blocked = results.errors == Errors::Blocks;
    let blocks = if blocked {
        format!(" in {} blocks", grouped(rankings.blocks()))
    } else {
        String::new()
    };
    let title = format!(
        "n = {} games{blocks}, {} bots: Plackett-Luce strengths in Elo, 0 on average",
        grouped(rankings.games()),
        bots.len()
    );
    let mut report = Report::new(test, title, confidence);
    report.field("n", json!(rankings.games()));
    report.field(
        "blocks",
        if blocked {
            json!(rankings.blocks())
        } else {
            Value::Null
        },
    );
    report.field("log_likelihood", number(fit.log_likelihood()));
    report.field("ghost", ghost.map_or(Value::Null, number));
    let order = by_strength(&fit);
    table(&mut report, &fit, bots, &order);
    notes(&mut report, &fit, results, ghost);
    let few = fit.is_clustered() && rankings.blocks() < FEWEST_BLOCKS;
    pairs(&mut report, &fit, bots, &order, few)?;
    fits(&mut report, &fit, results);
    Ok((report, fit))
}

/// The bots from the strongest on.
pub fn by_strength(fit: &Fit) -> Vec<usize> {
    let elo = fit.elo();
    let mut order: Vec<usize> = (0..elo.len()).collect();
    order.sort_by(|&a, &b| elo[b].total_cmp(&elo[a]));
    order
}

fn refuse(error: &FitError, place: &str, bots: &[String]) -> Failure {
    match error {
        FitError::NotConnected(groups) => {
            let groups = groups.explain(bots);
            Failure::input(
                place,
                format!("no finite ratings: {groups}; more games between them, or --ghost 0.5"),
            )
        }
        FitError::Infinite => Failure::input(place, format!("{error}; more games, or --ghost 0.5")),
        _ => Failure::input(place, error),
    }
}

/// What the numbers are.
fn notes(report: &mut Report, fit: &Fit, results: &Results, ghost: Option<f64>) {
    let wider;
    let errors = match results.errors {
        Errors::Blocks if fit.is_clustered() => "errors are clustered by block",
        Errors::Wider(factor) | Errors::OfMatches(factor) => {
            let blocks = match results.errors {
                Errors::Wider(_) => "; with --games-csv they would follow the blocks",
                _ => "",
            };
            wider = format!(
                "errors take games for independent and are {} times as wide, by the least variance ratio of a pair\
                 {blocks}",
                fixed(factor, 2)
            );
            &wider
        }
        Errors::Games if fit.is_clustered() => {
            "errors take each game for independent of the others; name the blocks of shared dice in the column block"
        }
        _ => "errors take all games for independent",
    };
    report.field(
        "errors_clustered",
        json!(fit.is_clustered() && results.errors == Errors::Blocks),
    );
    report.row(
        "error",
        format!("standard error of Elo minus the average; {errors}"),
    );
    report.row(
        "quasi",
        "quasi-standard error: that of a difference is about √(quasi₁² + quasi₂²)".to_owned(),
    );
    if let Some(ghost) = ghost {
        report.row(
            "ghost",
            format!("{ghost} wins and losses of every bot against a ghost are added"),
        );
    }
    let mut seats = Vec::new();
    for (set, rules) in results.rules.iter().enumerate() {
        for (seat, name) in results.seats.iter().enumerate().skip(1) {
            let effect = fit.seat_contrast(set * results.seats.len() + seat);
            let value = PER_THETA * effect.difference;
            let error = effect.known_error().map(|error| PER_THETA * error);
            let first = &results.seats[0];
            let mut text = format!(
                "{} ± {}: Elo more than seat {first}, with its standard error",
                fixed(value, 2),
                known(error)
            );
            let mut object = json!({
                "seat": name, "against": first, "elo": number(value), "error": optional(error),
            });
            if results.rules.len() > 1 {
                text = format!("{text}; under rules {}", set + 1);
                object["rules"] = json!(rules);
            }
            report.row(&format!("seat {name}"), text);
            seats.push(object);
        }
    }
    report.field("seat_effects", json!(seats));
    let mut ties = Vec::new();
    for (size, log) in fit.ties() {
        report.row(
            &format!("ties of {size}"),
            format!("{}: ln δ of Davidson's model", fixed(log, 4)),
        );
        ties.push(json!({"size": size, "ln_delta": number(log)}));
    }
    report.field("ties", json!(ties));
}

/// An error in Elo for people.
pub fn known(error: Option<f64>) -> String {
    error.map_or_else(|| "unknown".to_owned(), |error| fixed(error, 2))
}

/// And for programs.
pub fn optional(error: Option<f64>) -> Value {
    error.map_or(Value::Null, number)
}

pub fn shortened(name: &str, width: usize) -> String {
    name.chars()
        .map(|char| if char.is_control() { '?' } else { char })
        .take(width)
        .collect()
}

/// The bots from the strongest on.
fn table(report: &mut Report, fit: &Fit, bots: &[String], order: &[usize]) {
    let (elo, errors, worths, quasi) = (fit.elo(), fit.errors(), fit.worths(), fit.quasi_errors());
    let width = bots
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(3, 30);
    report.plain(format!(
        "{:>4}  {:width$}{:>10}{:>9}{:>9}{:>11}",
        "rank", "bot", "Elo", "error", "quasi", "worth"
    ));
    let mut rows = Vec::new();
    for (rank, &bot) in (1..).zip(order) {
        let error = errors[bot].map(|error| PER_THETA * error);
        let of_quasi = quasi.as_ref().map(|quasi| PER_THETA * quasi[bot]);
        report.plain(format!(
            "{rank:>4}  {:width$}{:>10}{:>9}{:>9}{:>11}",
            shortened(&bots[bot], 30),
            fixed(elo[bot], 2),
            known(error),
            known(of_quasi),
            fixed(worths[bot], 6)
        ));
        rows.push(json!({
            "bot": bots[bot],
            "elo": number(elo[bot]),
            "error": optional(error),
            "quasi_error": optional(of_quasi),
            "worth": number(worths[bot]),
        }));
    }
    report.field("bots", json!(rows));
    report.row(
        "worth",
        "chance to win a game in which every bot plays once".to_owned(),
    );
}

/// Who is stronger than whom: the matrix of LOS for people, all pairs with Holm's p-values for programs.
fn pairs(
    report: &mut Report,
    fit: &Fit,
    bots: &[String],
    order: &[usize],
    few: bool,
) -> Result<(), Failure> {
    let mut all = Vec::new();
    for (i, &first) in order.iter().enumerate() {
        for &second in &order[i + 1..] {
            all.push((first, second, fit.contrast(first, second)));
        }
    }
    let p_values: Vec<f64> = all
        .iter()
        .map(|(.., contrast)| contrast.p_value())
        .collect();
    let adjusted = holm(&p_values).map_err(|error| Failure::input("ratings", error))?;
    let alpha = report.alpha();
    let rows: Vec<Value> = all
        .iter()
        .zip(&adjusted)
        .map(|((first, second, contrast), adjusted)| {
            json!({
                "stronger": bots[*first],
                "weaker": bots[*second],
                "elo": number(PER_THETA * contrast.difference),
                "error": optional(contrast.known_error().map(|error| PER_THETA * error)),
                "los": number(contrast.superiority()),
                "holm_p": number(*adjusted),
            })
        })
        .collect();
    report.field("pairs", json!(rows));
    if order.len() <= MOST_SHOWN {
        report.row(
            "LOS in %",
            "that the row is stronger than the column; a normal approximation, not for decisions"
                .to_owned(),
        );
        let numbers: Vec<String> = (1..=order.len()).map(|rank| format!("{rank:>7}")).collect();
        let numbers = numbers.concat();
        report.plain(format!("{:>4}  {numbers}", ""));
        for (rank, &row) in (1..).zip(order) {
            let cells = order.iter().map(|&column| {
                let los = 100.0 * fit.contrast(row, column).superiority();
                if row == column {
                    format!("{:>7}", "-")
                } else {
                    format!("{:>7}", fixed(los, 2))
                }
            });
            report.plain(format!("{rank:>4}  {}", cells.collect::<Vec<_>>().concat()));
        }
    }
    if few {
        let reason = format!("errors by block need {FEWEST_BLOCKS} blocks or more");
        report.missing("pairs_that_differ", "pairs", &reason);
        return Ok(());
    }
    let shown = adjusted.iter().filter(|&&p| p <= alpha).count();
    report.field("pairs_that_differ", json!(shown));
    let of = all.len();
    let text = format!(
        "{shown} of {of} differ by Holm's procedure at {}; the others are undecided",
        fixed(alpha, 4)
    );
    report.row("pairs", text);
    Ok(())
}

/// Whether one number per bot tells who beats whom.
fn fits(report: &mut Report, fit: &Fit, results: &Results) {
    let goodness = fit.goodness(&results.rankings);
    report.field("chi_square", number(goodness.statistic));
    report.field("degrees", json!(goodness.degrees));
    let Some(p) = goodness.p_value else {
        return report.missing(
            "p_value",
            "fit",
            "there are no more pairs than parameters, so nothing can be tested",
        );
    };
    report.field("p_value", number(p));
    let says = if p <= report.alpha() {
        "one number per bot does not tell who beats whom here; look at the pairs, the ratings mislead"
    } else {
        "the pairs do not contradict the ratings"
    };
    report.row(
        "fit",
        format!(
            "chi-square {} (df = {}), p = {}: {says}",
            fixed(goodness.statistic, 2),
            goodness.degrees,
            probability(p)
        ),
    );
    let worst = goodness.pairs.iter().max_by(|a, b| {
        let misfit = |pair: &racelab::stats::plackett_luce::Pair| {
            (pair.observed - pair.expected) * (pair.observed - pair.expected) / pair.variance
        };
        misfit(a).total_cmp(&misfit(b))
    });
    if let Some(pair) = worst {
        report.row(
            "farthest pair",
            format!(
                "{} before {}: {} of {} times, the ratings expect {}",
                results.bots[pair.first],
                results.bots[pair.second],
                pair.observed,
                pair.meetings,
                fixed(pair.expected, 1)
            ),
        );
    }
}
