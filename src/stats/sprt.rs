//! Sequential tests of one against one in the words of chess testers: W/L/D or pairs of games, bounds in Elo.
//!
//! A front end of the [GSPRT](super::gsprt): it turns the bounds into a [`Model`] of the block score, a game being a
//! block of one game and a pair a block of two.

use super::bayes_elo::{BayesElo, Results};
use super::counts::ScoreCounts;
use super::gsprt::{Bounds, LlrError, Model, llr};
use super::verdict::{ErrorRates, Verdict};

/// What one Elo of the bounds means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The usual Elo: the expected score is 1/(1 + 10^(−elo/400)).
    Logistic,
    /// Normalised Elo: 800/ln 10 for each standard deviation of a game (Van den Bergh).
    Normalized,
    /// [`BayesElo`], turned into an expected score with the draw Elo of the results. Only for W/L/D.
    Bayes,
}

/// A test of "elo ≤ null" against "elo ≥ alternative".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The unit of the two bounds.
    pub scale: Scale,
    /// The null hypothesis, in Elo.
    pub null: f64,
    /// The alternative, in Elo.
    pub alternative: f64,
    /// How often the test may be wrong.
    pub rates: ErrorRates,
}

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The log-likelihood ratio; positive speaks for the alternative.
    pub llr: f64,
    /// Where the test stops.
    pub bounds: Bounds,
    /// What it says now.
    pub verdict: Verdict,
}

/// Why the test has no state.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The bounds are no pair of finite numbers in order.
    #[error("elo bounds {null} and {alternative} are not two numbers with the smaller first")]
    Bounds {
        /// The null.
        null: f64,
        /// The alternative.
        alternative: f64,
    },
    /// `BayesElo` needs one result of each kind.
    #[error("the model bayes needs at least one win, one draw and one loss")]
    NoDrawElo,
    /// `BayesElo` knows games, not pairs.
    #[error(
        "the model bayes is for wins, losses and draws, not for pairs; use logistic or normalized"
    )]
    BayesOfPairs,
    /// There is no likelihood ratio.
    #[error(transparent)]
    Llr(#[from] LlrError),
}

impl Sprt {
    /// The test after these games.
    ///
    /// # Errors
    ///
    /// If the bounds are not in order, if the scale is [`Scale::Bayes`] and a kind of result is missing, or as
    /// [`llr`].
    pub fn trinomial(&self, results: Results) -> Result<State, SprtError> {
        let model = match self.scale {
            Scale::Bayes => {
                let draw = BayesElo::of(results).ok_or(SprtError::NoDrawElo)?.draw;
                let mean = |elo| BayesElo { elo, draw }.chances().score();
                Model::Mean {
                    null: mean(self.null),
                    alternative: mean(self.alternative),
                }
            }
            Scale::Logistic | Scale::Normalized => self.model(1)?,
        };
        let Results {
            wins,
            draws,
            losses,
        } = results;
        self.state(vec![losses, draws, wins], model)
    }

    /// The test after these pairs of games, by the score of the pair: 0, ½, 1, 1½ and 2 points.
    ///
    /// # Errors
    ///
    /// If the bounds are not in order, if the scale is [`Scale::Bayes`], or as [`llr`].
    pub fn pentanomial(&self, pairs: [u64; 5]) -> Result<State, SprtError> {
        self.state(pairs.to_vec(), self.model(2)?)
    }

    fn model(&self, games: u32) -> Result<Model, SprtError> {
        match self.scale {
            Scale::Logistic => Model::elo(2, self.null, self.alternative).ok_or(self.no_bounds()),
            Scale::Normalized => Ok(Model::normalised_elo(
                0.5,
                games,
                self.null,
                self.alternative,
            )),
            Scale::Bayes => Err(SprtError::BayesOfPairs),
        }
    }

    fn no_bounds(&self) -> SprtError {
        SprtError::Bounds {
            null: self.null,
            alternative: self.alternative,
        }
    }

    fn state(&self, cells: Vec<u64>, model: Model) -> Result<State, SprtError> {
        if !(self.null < self.alternative && (self.alternative - self.null).is_finite()) {
            return Err(self.no_bounds());
        }
        let counts = ScoreCounts::from_counts(cells).expect("three and five are grids");
        let llr = llr(&counts, model)?;
        let bounds = Bounds::new(self.rates);
        Ok(State {
            llr,
            bounds,
            verdict: bounds.verdict(llr),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(scale: Scale, null: f64, alternative: f64) -> Sprt {
        Sprt {
            scale,
            null,
            alternative,
            rates: ErrorRates::PERCENT_5,
        }
    }

    fn wld(wins: u64, losses: u64, draws: u64) -> Results {
        Results {
            wins,
            draws,
            losses,
        }
    }

    #[track_caller]
    fn assert_llr(state: Result<State, SprtError>, expected: f64, tolerance: f64) {
        let llr = state.unwrap().llr;
        assert!(
            (llr - expected).abs() < tolerance,
            "{llr} is not {expected}"
        );
    }

    #[test]
    fn all_scales_of_fastchess() {
        let games = wld(36_433, 36_027, 68_692);
        assert_llr(
            test(Scale::Normalized, 0.0, 2.0).trinomial(games),
            0.923_29,
            1e-5,
        );
        let games = wld(21_404, 21_184, 40_708);
        assert_llr(
            test(Scale::Logistic, 0.5, 2.5).trinomial(games),
            -1.571_89,
            1e-5,
        );
        let games = wld(68_965, 68_526, 128_429);
        assert_llr(test(Scale::Bayes, 0.0, 2.0).trinomial(games), -1.26, 0.0126);
    }

    #[test]
    fn pairs_of_fastchess_and_fishtest() {
        let pairs = [365, 16_618, 36_229, 16_974, 390];
        assert_llr(
            test(Scale::Normalized, 0.0, 2.0).pentanomial(pairs),
            2.250_37,
            1e-5,
        );
        let pairs = [223, 9_863, 21_279, 10_037, 246];
        let state = test(Scale::Logistic, 0.5, 2.5).pentanomial(pairs).unwrap();
        assert_eq!(state.verdict, Verdict::Null);
        assert!((state.bounds.lower + 2.9444).abs() < 5e-5);
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        let games = wld(3, 2, 1);
        for (null, alternative) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            for scale in [Scale::Logistic, Scale::Normalized] {
                let refused = test(scale, null, alternative).trinomial(games);
                assert!(
                    matches!(refused, Err(SprtError::Bounds { .. })),
                    "{refused:?}"
                );
            }
        }
        let bayes = test(Scale::Bayes, 0.0, 2.0);
        assert_eq!(bayes.trinomial(wld(3, 2, 0)), Err(SprtError::NoDrawElo));
        assert_eq!(bayes.pentanomial([1; 5]), Err(SprtError::BayesOfPairs));
        assert_eq!(
            test(Scale::Logistic, 0.0, 2.0).trinomial(wld(0, 0, 0)),
            Err(SprtError::Llr(LlrError::NoBlocks))
        );
    }
}
