//! A result folder of a match, as far as ratings need it.

use std::path::Path;

use serde::Deserialize;

use crate::bots::Bot;
use crate::engine::race::Race;
use crate::experiment::duel::Direction;
use crate::experiment::duel::spec::{Match, MatchSpec};
use crate::games::{Visitor, with_table};
use crate::stats::plackett_luce::Entrant;

use super::read::{Ended, broken, rows};
use super::{Played, RatingError, Taken};

/// What a row of `match.csv` says that ratings need.
#[derive(Deserialize)]
struct MatchRow {
    games: u64,
    capped: u64,
    variance_ratio: Option<f64>,
    steps: usize,
    scores: String,
}

/// Reads the folder of a finished match.
pub(super) fn read(folder: &Path, taken: Taken) -> Result<Played, RatingError> {
    if taken == Taken::Placings {
        let reason = "is a match, which keeps no places, only who won; leave out --placings";
        return Err(broken(folder, reason));
    }
    let path = folder.join("spec.toml");
    let spec = MatchSpec::read(&path).map_err(|error| broken(folder, error.to_string()))?;
    let (game, seats) = (spec.game.clone(), spec.seats.unwrap_or_default());
    let reader = Reader {
        folder,
        path: &path,
        spec,
    };
    with_table(&game, seats, reader).map_err(|error| broken(&path, format!("game: {error}")))?
}

struct Reader<'a> {
    folder: &'a Path,
    path: &'a Path,
    spec: MatchSpec,
}

impl Visitor for Reader<'_> {
    type Answer = Result<Played, RatingError>;

    fn visit<G: Race>(self) -> Self::Answer {
        let this: Match<G> = self
            .spec
            .resolve()
            .map_err(|error| broken(self.path, error.to_string()))?;
        let first = &this.duels[0];
        let named = |bot: &Bot| (bot.name.clone(), bot.hash());
        let [a, b] = [0, 1].map(|bot| named(&first.bots[bot]));
        if a == b {
            let reason = "is a match of a bot with itself, which tells no strength; leave it out";
            return Err(broken(self.folder, reason));
        }
        let common = MatchSpec {
            max_blocks: 0,
            ..this.spec.clone()
        };
        let path = self.folder.join("match.csv");
        let rows: Vec<MatchRow> = rows(&path)?;
        if rows.len() != this.duels.len() {
            let reason = format!("expected {} rows, one for each direction", this.duels.len());
            return Err(broken(&path, reason));
        }
        let mut played = Played {
            path: self.folder.display().to_string(),
            game: G::NAME.to_owned(),
            seats: first.game.seats().to_string(),
            rules: this.spec.rules.clone(),
            sides: vec![String::new()],
            bots: vec![a, b],
            seed: this.spec.seed,
            games_of: format!("match\n{}", common.to_toml()),
            line_ups: Vec::new(),
            by_block: false,
            is_match: true,
            results: Vec::new(),
            capped: 0,
            least_ratio: None,
        };
        for ((row, duel), line) in rows.iter().zip(&this.duels).zip(2..) {
            let wrong = |what: &str| {
                broken(
                    &path,
                    format!("line {line}: {what}; not as racelab wrote it"),
                )
            };
            let sides = duel.sides.count;
            let alone = match duel.direction {
                Direction::OneAgainstMany => 0,
                Direction::ManyAgainstOne => 1,
            };
            let won = wins(row, sides, alone == 0).ok_or_else(|| wrong("scores"))?;
            let mut line_up = vec![1 - alone; sides];
            line_up[0] = alone;
            let mut names: Vec<String> = line_up
                .iter()
                .map(|&bot| played.bots[bot].0.clone())
                .collect();
            // Turned so that equal ones are equal, as those of tournaments: the rotation that sorts first.
            let mut turned = names.clone();
            for _ in 1..sides {
                turned.rotate_left(1);
                names = names.min(turned.clone());
            }
            played.line_ups.push(names);
            for (winner, games) in [(0, won), (1, row.games - row.capped - won)] {
                let mut rest: Vec<Entrant> = line_up
                    .iter()
                    .map(|&bot| Entrant { bot, seat: 0 })
                    .collect();
                let at = line_up.iter().position(|&bot| bot == winner);
                let first = rest.remove(at.expect("both play"));
                if games > 0 {
                    played.results.push(Ended {
                        block: 0,
                        games,
                        places: vec![vec![first]],
                        rest,
                    });
                }
            }
            played.capped += row.capped;
            let ratios = played.least_ratio.into_iter().chain(row.variance_ratio);
            played.least_ratio = ratios
                .filter(|ratio| *ratio > 0.0 && ratio.is_finite())
                .min_by(f64::total_cmp);
        }
        Ok(played)
    }
}

/// The games that A won, from the histogram of its block scores; none if it does not fit the games.
fn wins(row: &MatchRow, sides: usize, is_alone: bool) -> Option<u64> {
    let counts: Result<Vec<u64>, _> = row.scores.split(' ').map(str::parse).collect();
    let counts = counts.ok().filter(|counts| counts.len() == row.steps + 1)?;
    let blocks: u64 = counts.iter().sum();
    let steps: u64 = counts
        .iter()
        .zip(0..)
        .map(|(count, score)| count * score)
        .sum();
    let sides = sides as u64;
    if row.games != blocks * sides || row.capped > row.games {
        return None;
    }
    // Where a game had no winner, each side got an n-th of it and a game is n steps.
    let won = match row.steps as u64 / sides {
        1 if row.capped == 0 => steps,
        per_game if per_game == sides => {
            let of_capped = row.capped * if is_alone { 1 } else { sides - 1 };
            let won = steps.checked_sub(of_capped)?;
            (won % sides == 0).then_some(won / sides)?
        }
        _ => return None,
    };
    (won <= row.games - row.capped).then_some(won)
}
