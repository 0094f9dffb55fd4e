//! `BayesElo`, the model of wins, draws and losses with an Elo of the draw (Coulom 2005; Rao & Kupper 1967).
//!
//! P(win) = 1/(1 + 10^((draw − elo)/400)) and P(loss) = 1/(1 + 10^((draw + elo)/400)); a draw takes the rest. The
//! same difference in strength is fewer `BayesElo` than usual Elo, the more games are drawn.

use std::f64::consts::LN_10;

use super::elo::PER_THETA;

/// Results of one against one from the side of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// The chances of the three results of a game; they add to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Of a win.
    pub win: f64,
    /// Of a draw.
    pub draw: f64,
    /// Of a loss.
    pub loss: f64,
}

impl Chances {
    /// The expected score, a draw counting half.
    pub fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }
}

/// The two parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// The difference in strength; 0 between equals.
    pub elo: f64,
    /// The Elo of the draw; 0 if games are never drawn, 120.4 if a third are between equals.
    pub draw: f64,
}

impl BayesElo {
    /// The model with exactly these shares of results. `None` unless there is a win, a draw and a loss.
    pub fn of(results: Results) -> Option<Self> {
        let Results {
            wins,
            draws,
            losses,
        } = results;
        if wins == 0 || draws == 0 || losses == 0 {
            return None;
        }
        let (won, drawn, lost) = (wins as f64, draws as f64, losses as f64);
        // ln of the odds of "no loss" and of "a win".
        let (not_lost, win) = (
            libm::log((won + drawn) / lost),
            libm::log(won / (drawn + lost)),
        );
        Some(Self {
            elo: PER_THETA / 2.0 * (not_lost + win),
            draw: PER_THETA / 2.0 * (not_lost - win),
        })
    }

    /// The chances of the three results.
    pub fn chances(&self) -> Chances {
        let logistic = |elo: f64| 1.0 / (1.0 + libm::exp(-elo * LN_10 / 400.0));
        let (win, loss) = (
            logistic(self.elo - self.draw),
            logistic(-self.elo - self.draw),
        );
        Chances {
            win,
            draw: 1.0 - win - loss,
            loss,
        }
    }
}

/// The log-likelihood ratio of the sequential probability ratio test that chess testers used before the GSPRT: two
/// simple hypotheses `null` and `alternative` in `BayesElo`, both with the draw Elo of the results (Wald 1945).
/// `None` unless there is a win, a draw and a loss and both hypotheses are finite.
pub fn wald_llr(results: Results, null: f64, alternative: f64) -> Option<f64> {
    let draw = BayesElo::of(results)?.draw;
    let [under_null, under_alternative] =
        [null, alternative].map(|elo| BayesElo { elo, draw }.chances());
    let term =
        |count: u64, alternative: f64, null: f64| count as f64 * libm::log(alternative / null);
    let llr = term(results.wins, under_alternative.win, under_null.win)
        + term(results.draws, under_alternative.draw, under_null.draw)
        + term(results.losses, under_alternative.loss, under_null.loss);
    llr.is_finite().then_some(llr)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn results(losses: u64, draws: u64, wins: u64) -> Results {
        Results {
            wins,
            draws,
            losses,
        }
    }

    #[track_caller]
    fn assert_close(actual: f64, expected: f64, tolerance: f64) {
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn published_pairs() {
        let few = BayesElo::of(results(1, 20, 10)).unwrap();
        assert_close(few.elo, 230.980, 5e-4);
        assert_close(few.draw, 359.868, 5e-4);
        let many = BayesElo::of(results(591, 2163, 716)).unwrap();
        assert_close(many.elo, 20.5207, 5e-5);
        assert_close(many.draw, 254.541, 5e-4);
    }

    #[test]
    fn published_ratios() {
        assert_close(
            wald_llr(results(591, 2163, 716), 0.0, 6.0).unwrap(),
            2.994_84,
            5e-6,
        );
        assert_close(
            wald_llr(results(22_569, 44_137, 22_976), 0.5, 2.5).unwrap(),
            0.975_772,
            5e-7,
        );
    }

    #[test]
    fn the_model_gives_back_its_results() {
        let chances = BayesElo::of(results(591, 2163, 716)).unwrap().chances();
        assert_close(chances.win, 716.0 / 3470.0, 1e-14);
        assert_close(chances.draw, 2163.0 / 3470.0, 1e-14);
        assert_close(chances.score(), (716.0 + 2163.0 / 2.0) / 3470.0, 1e-14);
    }

    #[test]
    fn a_result_never_seen_has_no_model() {
        for counts in [results(0, 1, 1), results(1, 0, 1), results(1, 1, 0)] {
            assert_eq!(BayesElo::of(counts), None);
            assert_eq!(wald_llr(counts, 0.0, 5.0), None);
        }
        assert_eq!(wald_llr(results(1, 1, 1), 0.0, f64::NAN), None);
        assert_eq!(wald_llr(results(1, 1, 1), 0.0, 1e9), None);
    }
}
