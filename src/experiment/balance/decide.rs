//! Verdicts: what the wins so far say about seats, and the block scores about strategies. Pure functions of counts.
//!
//! *Balanced* must reject, for every share, both that it is at or below fair − δ and that it is at or above fair + δ,
//! each at level α: an intersection–union test, which needs no correction (Berger 1982). *Unbalanced* must reject
//! for some share that it lies within the band: α is split over all shares asked about together (Bonferroni).

use serde::{Deserialize, Serialize};

use crate::stats::{Estimate, ScoreCounts, eprocess};

use super::bernoulli::{self, Tuning};
use super::plan;

/// What is asked about some shares of wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The share of each if all are equal, between 0 and 1.
    pub fair: f64,
    /// How far from it still counts as balanced, above 0.
    pub margin: f64,
    /// The probability of a wrong verdict, at most.
    pub alpha: f64,
    /// The shares of one question: seats, or sides where seats win together; bots where bots are asked about.
    pub units: u32,
    /// Questions of the same table answered together: one for each bot.
    pub together: u32,
}

/// What is known about a question.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// All shares lie within the margin.
    Balanced,
    /// One share lies outside: the number of the one that is proven furthest.
    Unbalanced(usize),
    /// Neither is proven yet.
    #[default]
    Undecided,
}

impl Answer {
    /// `balanced`, `unbalanced` or `undecided`.
    pub const fn word(self) -> &'static str {
        match self {
            Answer::Balanced => "balanced",
            Answer::Unbalanced(_) => "unbalanced",
            Answer::Undecided => "undecided",
        }
    }
}

impl Question {
    /// The tuning of its sequences: to the games that the planner names.
    pub fn tuning(&self) -> Tuning {
        let intervals = self.units * self.together;
        let games = plan::always_valid(self.fair, self.margin, self.alpha, intervals);
        let shared = plan::level(self.alpha).shared_by(intervals);
        Tuning::at(games.max(1) as f64, shared)
    }

    /// The answer after `games`, of which each seat or side won so many.
    pub fn seats(&self, wins: &[u64], games: u64) -> Answer {
        let tuning = self.tuning();
        let unbalanced = -libm::log(self.alpha / f64::from(self.units * self.together));
        let balanced = -libm::log(self.alpha);
        let (low, high) = (self.fair - self.margin, self.fair + self.margin);
        let mut furthest = (unbalanced, None);
        let mut all_inside = games > 0;
        for (unit, &won) in wins.iter().enumerate() {
            let share = won as f64 / games.max(1) as f64;
            let against = |null: f64| bernoulli::ln_e_value(won, games, null, tuning);
            let beyond = if share > high {
                against(high)
            } else if share < low {
                against(low)
            } else {
                f64::NEG_INFINITY
            };
            // Of two seats both are as far off: then the first one is named.
            let further = match furthest.1 {
                None => beyond >= furthest.0,
                Some(_) => beyond > furthest.0 + 1e-6,
            };
            if further {
                furthest = (beyond, Some(unit));
            }
            all_inside &= share > low
                && share < high
                && against(low) >= balanced
                && against(high) >= balanced;
        }
        match furthest.1 {
            Some(unit) => Answer::Unbalanced(unit),
            None if all_inside => Answer::Balanced,
            None => Answer::Undecided,
        }
    }

    /// A share with the confidence sequence of all shares asked about together: outside the band when *unbalanced*.
    pub fn share(&self, won: u64, games: u64) -> Option<Estimate> {
        let shared = plan::level(self.alpha).shared_by(self.units * self.together);
        bernoulli::confidence_sequence(won, games, shared, self.tuning())
    }

    /// A share with the interval of a single one: inside the band for all shares when *balanced*.
    pub fn share_alone(&self, won: u64, games: u64) -> Option<Estimate> {
        bernoulli::confidence_sequence(won, games, plan::level(self.alpha), self.tuning())
    }

    /// Whether the games prove, though perhaps inside the margin, that some share is not the fair one.
    pub fn detectable(&self, wins: &[u64], games: u64) -> bool {
        let rejected = -libm::log(self.alpha / f64::from(self.units * self.together));
        let tuning = self.tuning();
        wins.iter()
            .any(|&won| bernoulli::ln_e_value(won, games, self.fair, tuning) >= rejected)
    }

    /// About how many more games a verdict takes if the shares are as they look; `None` when a share looks exactly
    /// on the margin.
    pub fn more_games(&self, wins: &[u64], games: u64) -> Option<u64> {
        let off = |&won: &u64| (won as f64 / games.max(1) as f64 - self.fair).abs();
        let furthest = wins.iter().map(off).fold(0.0, f64::max);
        let needed = plan::expected(self, furthest)?;
        // It has taken longer than expected already: then at least as long again, as a rule.
        Some(
            needed
                .checked_sub(games)
                .filter(|&more| more > 0)
                .unwrap_or(games.max(1)),
        )
    }

    /// Whether one bot against a table of another wins more than its share beyond the margin: `Balanced` if not,
    /// `Unbalanced(0)` if so. `scores` are of whole blocks.
    pub fn strategy(&self, scores: &ScoreCounts) -> Answer {
        let limit = self.fair + self.margin;
        let e_value = |null| eprocess::ln_e_value(scores, null).unwrap_or(f64::NEG_INFINITY);
        let beyond = e_value(eprocess::Null::AtMost(limit));
        if beyond >= -libm::log(self.alpha / f64::from(self.units * self.together)) {
            Answer::Unbalanced(0)
        } else if e_value(eprocess::Null::AtLeast(limit)) >= -libm::log(self.alpha) {
            Answer::Balanced
        } else {
            Answer::Undecided
        }
    }

    /// The mean block score with the confidence sequence of all match-ups together.
    pub fn score(&self, scores: &ScoreCounts) -> Option<Estimate> {
        // One side decides "unbalanced", so the level of both together is twice that of one.
        let alpha = (2.0 * self.alpha / f64::from(self.units * self.together)).min(0.5);
        eprocess::confidence_sequence(scores, plan::level(alpha))
    }
}

/// The answer to several questions at once: balanced if all are, unbalanced if one is.
pub fn overall(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut all = Answer::Balanced;
    for (number, answer) in answers.into_iter().enumerate() {
        match answer {
            Answer::Unbalanced(_) => return Answer::Unbalanced(number),
            Answer::Undecided => all = Answer::Undecided,
            Answer::Balanced => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: Question = Question {
        fair: 0.25,
        margin: 0.01,
        alpha: 0.05,
        units: 4,
        together: 1,
    };

    #[test]
    fn plain_cases() {
        assert_eq!(FOUR.seats(&[0; 4], 0), Answer::Undecided);
        assert_eq!(FOUR.seats(&[250; 4], 1_000), Answer::Undecided);
        assert_eq!(FOUR.seats(&[25_000; 4], 100_000), Answer::Balanced);
        let one_up = [28_000, 24_000, 24_000, 24_000];
        assert_eq!(FOUR.seats(&one_up, 100_000), Answer::Unbalanced(0));
        let last_down = [2_550, 2_550, 2_550, 2_350];
        assert_eq!(FOUR.seats(&last_down, 10_000), Answer::Undecided);
        let last_down = last_down.map(|wins| 100 * wins);
        assert_eq!(FOUR.seats(&last_down, 1_000_000), Answer::Unbalanced(3));
    }

    /// The 0.5-point effect of the simulator at 400,000 games: seen, and balanced within one point.
    #[test]
    fn detectable_but_inside_the_margin() {
        let wins = [102_120, 100_320, 99_200, 98_360];
        assert_eq!(FOUR.seats(&wins, 400_000), Answer::Balanced);
        assert!(FOUR.detectable(&wins, 400_000));
        assert!(!FOUR.detectable(&[100_000; 4], 400_000));
    }

    /// The shown interval and the verdict agree.
    #[test]
    fn the_interval_of_an_unbalanced_seat_is_outside_the_band() {
        for wins in 26_000..28_000_u64 {
            let rest = (100_000 - wins) / 3;
            let counts = [wins, rest, rest, 100_000 - wins - 2 * rest];
            let low = FOUR.share(wins, 100_000).unwrap().interval.unwrap().low;
            let is_unbalanced = FOUR.seats(&counts, 100_000) == Answer::Unbalanced(0);
            assert_eq!(is_unbalanced, low >= 0.26 - 1e-10, "{wins}: {low}");
        }
    }

    #[test]
    fn how_many_more() {
        // The lower limit is 23,009.08: 1.6 times that where all are equal, four times half a margin off.
        assert_eq!(FOUR.more_games(&[2_500; 4], 10_000), Some(26_815));
        let half_off = [12_750, 12_250, 12_500, 12_500];
        assert_eq!(FOUR.more_games(&half_off, 50_000), Some(42_036));
        assert_eq!(FOUR.more_games(&[26, 24, 25, 25], 100), None);
        assert_eq!(FOUR.more_games(&[500_000; 4], 2_000_000), Some(2_000_000));
    }

    #[test]
    fn a_strategy_that_wins_too_much() {
        let question = Question {
            margin: 0.05,
            units: 6,
            ..FOUR
        };
        let scores = |cells: [u64; 5]| ScoreCounts::from_counts(cells.to_vec()).unwrap();
        assert_eq!(question.strategy(&scores([0; 5])), Answer::Undecided);
        let fair = scores([3_164, 4_219, 2_109, 469, 39]);
        assert_eq!(question.strategy(&fair), Answer::Balanced);
        let strong = scores([1_000, 3_000, 3_500, 2_000, 500]);
        assert_eq!(question.strategy(&strong), Answer::Unbalanced(0));
        assert!(question.score(&strong).unwrap().interval.unwrap().low > 0.3);
    }

    #[test]
    fn all_bots_must_be_balanced() {
        use Answer::{Balanced, Unbalanced, Undecided};
        assert_eq!(overall([Balanced, Balanced]), Balanced);
        assert_eq!(overall([Undecided, Balanced, Unbalanced(3)]), Unbalanced(2));
        assert_eq!(overall([Undecided, Balanced]), Undecided);
    }
}
