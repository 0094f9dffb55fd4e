//! The generalised sequential probability ratio test on the grid of block scores, as chess engine testers use it.
//!
//! The data are turned twice into the most likely law of block scores that meets a constraint, once for each
//! hypothesis; the log-likelihood ratio of the two laws (LLR) is compared with Wald's bounds (Wald 1945; Van den
//! Bergh, "A practical introduction to the GSPRT" and "Normalized Elo"). Asymptotic: for a guarantee at any number
//! of blocks use the [e-process](super::eprocess). Look only after whole blocks, in block order, and do not reopen
//! a decision.

use super::counts::ScoreCounts;
use super::elo;
use super::quantile::bisect;
use super::verdict::{ErrorRates, Verdict};

/// The count an empty cell gets, so that both constraints can be met.
pub const EMPTY_CELL: f64 = 1e-3;

/// The two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// On the mean block score in [0, 1] ("logistic" in chess).
    Mean {
        /// The mean under the null hypothesis.
        null: f64,
        /// The mean under the alternative.
        alternative: f64,
    },
    /// On t = (mean − reference)/sd of the block score ("normalized" in chess).
    TValue {
        /// The mean of equal bots: 1/seats for the share of wins.
        reference: f64,
        /// t under the null hypothesis.
        null: f64,
        /// t under the alternative.
        alternative: f64,
    },
}

/// Why there is no log-likelihood ratio.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LlrError {
    /// There is nothing to judge yet.
    #[error("no block has been played")]
    NoBlocks,
    /// All blocks had the same score inside the grid; the spread is unknown and no ratio means anything.
    #[error("no game diverged in {blocks} blocks, so there is no likelihood ratio")]
    NoDivergence {
        /// How many blocks.
        blocks: u64,
    },
    /// No law on the grid meets the constraint.
    #[error(
        "no law of block scores meets the hypothesis {hypothesis}; means lie strictly between 0 and 1"
    )]
    Unreachable {
        /// The mean or t-value.
        hypothesis: f64,
    },
}

impl Model {
    /// Hypotheses in Elo for the share of wins among `seats` seats; see [`elo::from_share`].
    /// `None` for fewer than two seats or Elo that is not finite.
    pub fn elo(seats: u32, null: f64, alternative: f64) -> Option<Self> {
        Some(Self::Mean {
            null: elo::to_share(null, seats)?,
            alternative: elo::to_share(alternative, seats)?,
        })
    }

    /// Hypotheses in normalised Elo per game, for blocks of `games` games: t = √games · nElo / [`elo::PER_T`].
    pub fn normalised_elo(reference: f64, games: u32, null: f64, alternative: f64) -> Self {
        let t = |normalised: f64| f64::from(games).sqrt() * normalised / elo::PER_T;
        Self::TValue {
            reference,
            null: t(null),
            alternative: t(alternative),
        }
    }
}

/// The log-likelihood ratio of `model`: positive speaks for the alternative.
///
/// With p̂ the observed shares of the scores a (an empty cell counted as [`EMPTY_CELL`]), the most likely law with
/// mean s is p̂/(1 + θ(a − s)), θ the root of Σ p̂ (a − s)/(1 + θ(a − s)) = 0.
///
/// # Errors
///
/// If there is no block, if all blocks have the same score and it is neither 0 nor 1, or if no law on the grid meets
/// a hypothesis.
pub fn llr(counts: &ScoreCounts, model: Model) -> Result<f64, LlrError> {
    let blocks = counts.blocks();
    let cells = counts.counts();
    if blocks == 0 {
        return Err(LlrError::NoBlocks);
    }
    if cells[1..cells.len() - 1].contains(&blocks) {
        return Err(LlrError::NoDivergence { blocks });
    }
    let observed = Observed::of(counts);
    let (null, alternative) = match model {
        Model::Mean { null, alternative } => (
            observed.tilt_to_mean(null)?,
            observed.tilt_to_mean(alternative)?,
        ),
        Model::TValue {
            reference,
            null,
            alternative,
        } => (
            observed.tilt_to_t(reference, null)?,
            observed.tilt_to_t(reference, alternative)?,
        ),
    };
    let ratios = null
        .iter()
        .zip(&alternative)
        .map(|(null, alternative)| null - alternative);
    Ok(observed.total
        * observed
            .shares
            .iter()
            .zip(ratios)
            .map(|(share, ratio)| share * ratio)
            .sum::<f64>())
}

/// The ratio of two means as if block scores were normal with the observed variance:
/// B (s₁ − s₀)(2 mean − s₀ − s₁)/2σ². Quick, but several per cent off where the mean is far from both hypotheses; use
/// [`llr`] for decisions. `None` with no block or when all are equal.
pub fn normal_approximation(counts: &ScoreCounts, null: f64, alternative: f64) -> Option<f64> {
    let (blocks, steps) = (counts.blocks() as f64, f64::from(counts.steps()));
    let moments = counts.moments();
    let variance = moments.variance().filter(|_| !moments.is_constant())? * (blocks - 1.0) / blocks;
    let mean = counts.mean()?;
    let distance = (alternative - null) * (2.0 * mean - null - alternative);
    Some(blocks * distance / (2.0 * variance / (steps * steps)))
}

/// Wald's bounds for a log-likelihood ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At or below this the null hypothesis is accepted: ln(β/(1 − α)).
    pub lower: f64,
    /// At or above this the alternative is accepted: ln((1 − β)/α).
    pub upper: f64,
}

impl Bounds {
    /// The bounds for the given error rates (Wald 1945); ∓2.944 for 5 % each.
    pub fn new(rates: ErrorRates) -> Self {
        let (alpha, beta) = (rates.alpha(), rates.beta());
        Self {
            lower: libm::log(beta / (1.0 - alpha)),
            upper: libm::log((1.0 - beta) / alpha),
        }
    }

    /// The verdict at log-likelihood ratio `llr`.
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper {
            Verdict::Alternative
        } else if llr <= self.lower {
            Verdict::Null
        } else {
            Verdict::Open
        }
    }
}

/// The observed law, with no empty cell.
struct Observed {
    scores: Vec<f64>,
    shares: Vec<f64>,
    total: f64,
}

impl Observed {
    fn of(counts: &ScoreCounts) -> Self {
        let steps = f64::from(counts.steps());
        let cells: Vec<f64> = counts
            .counts()
            .iter()
            .map(|&count| if count == 0 { EMPTY_CELL } else { count as f64 })
            .collect();
        let total = cells.iter().sum();
        Self {
            scores: (0..cells.len()).map(|score| score as f64 / steps).collect(),
            shares: cells.iter().map(|cell| cell / total).collect(),
            total,
        }
    }

    /// ln(p̂/p) in each cell, for the most likely law p with this mean.
    fn tilt_to_mean(&self, mean: f64) -> Result<Vec<f64>, LlrError> {
        let deviations: Vec<f64> = self.scores.iter().map(|score| score - mean).collect();
        self.tilt(&deviations)
            .ok_or(LlrError::Unreachable { hypothesis: mean })
    }

    /// ln(p̂/p) in each cell, for the most likely law p with (mean − reference)/sd = t.
    ///
    /// The constraint is not linear in p. Around a law with mean μ and standard deviation σ, the standard deviation
    /// of p is (σ + Σ p (a − μ)²/σ)/2 to first order; with that the constraint is linear, and its solution is the
    /// next law to expand around. Ten rounds from the uniform law, fewer if the law stands still.
    fn tilt_to_t(&self, reference: f64, t: f64) -> Result<Vec<f64>, LlrError> {
        let unreachable = LlrError::Unreachable { hypothesis: t };
        let mut law = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        let mut logs = Vec::new();
        for _ in 0..10 {
            let expect = |f: &dyn Fn(f64) -> f64| {
                law.iter()
                    .zip(&self.scores)
                    .map(|(p, &a)| p * f(a))
                    .sum::<f64>()
            };
            let mean = expect(&|a| a);
            let sd = expect(&|a| (a - mean) * (a - mean)).sqrt();
            if sd <= 0.0 {
                return Err(unreachable);
            }
            let deviation = |a: f64| a - reference - t * (sd + (a - mean) * (a - mean) / sd) / 2.0;
            let deviations: Vec<f64> = self.scores.iter().map(|&a| deviation(a)).collect();
            logs = self.tilt(&deviations).ok_or(unreachable)?;
            let next: Vec<f64> = self
                .shares
                .iter()
                .zip(&logs)
                .map(|(share, log)| share * libm::exp(-log))
                .collect();
            let change = law
                .iter()
                .zip(&next)
                .map(|(old, new)| (old - new).abs())
                .fold(0.0, f64::max);
            law = next;
            if change < 1e-9 {
                break;
            }
        }
        Ok(logs)
    }

    /// ln(1 + θx) in each cell with deviation x, θ the root of Σ p̂ x/(1 + θx) = 0; `None` if all deviations have
    /// one sign. The sum falls from +∞ to −∞ between the poles −1/max x and −1/min x.
    fn tilt(&self, deviations: &[f64]) -> Option<Vec<f64>> {
        let largest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
        if !(smallest < 0.0 && 0.0 < largest) {
            return None;
        }
        let left_of_root = |theta: f64| {
            let terms = self
                .shares
                .iter()
                .zip(deviations)
                .map(|(share, x)| share * x / (1.0 + theta * x));
            terms.sum::<f64>() > 0.0
        };
        let theta = bisect(-1.0 / largest, -1.0 / smallest, left_of_root);
        let logs: Vec<f64> = deviations.iter().map(|x| libm::log1p(theta * x)).collect();
        // A hypothesis next to 0 or 1 puts θ on a pole.
        logs.iter().all(|log| log.is_finite()).then_some(logs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr_of(cells: &[u64], model: Model) -> f64 {
        llr(&ScoreCounts::from_counts(cells.to_vec()).unwrap(), model).unwrap()
    }

    fn logistic(null: f64, alternative: f64) -> Model {
        Model::elo(2, null, alternative).unwrap()
    }

    fn normalised(games: u32, null: f64, alternative: f64) -> Model {
        Model::normalised_elo(0.5, games, null, alternative)
    }

    /// Asserts the published value within 1 % and the digits recomputed from the formulas.
    #[track_caller]
    fn assert_llr(cells: &[u64], model: Model, published: f64, recomputed: f64) {
        let actual = llr_of(cells, model);
        assert!(
            (actual / published - 1.0).abs() < 0.01,
            "{actual} is not {published} for {cells:?}"
        );
        let digits = if recomputed.abs() > 100.0 { 1e-3 } else { 1e-5 };
        assert!(
            (actual - recomputed).abs() < digits,
            "{actual} is not {recomputed} for {cells:?}"
        );
    }

    #[test]
    fn trinomials_of_chess_testers() {
        // Losses, draws, wins.
        assert_llr(
            &[36_027, 68_692, 36_433],
            normalised(1, 0.0, 2.0),
            0.92,
            0.923_29,
        );
        assert_llr(
            &[21_184, 40_708, 21_404],
            logistic(0.5, 2.5),
            -1.57,
            -1.571_89,
        );
        assert_llr(
            &[57_030, 106_593, 57_433],
            logistic(0.0, 2.0),
            -2.59,
            -2.593_02,
        );
    }

    #[test]
    fn pentanomials_of_chess_testers() {
        assert_llr(
            &[365, 16_618, 36_229, 16_974, 390],
            normalised(2, 0.0, 2.0),
            2.25,
            2.250_37,
        );
        assert_llr(
            &[127, 4_883, 10_712, 5_150, 104],
            normalised(2, -1.75, 0.25),
            3.01,
            3.010_15,
        );
        assert_llr(
            &[0, 0, 0, 0, 5_550],
            normalised(2, 0.0, 5.0),
            111.82,
            111.798,
        );
        assert_llr(
            &[223, 9_863, 21_279, 10_037, 246],
            logistic(0.5, 2.5),
            -3.07,
            -3.074_13,
        );
        assert_llr(
            &[177, 1_629, 3_083, 1_780, 221],
            normalised(2, 0.0, 3.0),
            2.91,
            2.912_86,
        );
        assert_llr(
            &[39, 2_226, 31_451, 2_412, 40],
            logistic(0.2, 0.9),
            2.162_54,
            2.162_54,
        );
        assert_llr(
            &[39, 2_226, 31_451, 2_412, 40],
            normalised(2, 0.764, 3.439),
            2.162_94,
            2.162_94,
        );
        let shown = llr_of(&[379, 10_170, 21_828, 10_640, 343], normalised(2, 0.0, 2.0));
        assert!(
            (shown - 2.9455).abs() < 5e-5 && (shown / 2.945_98 - 1.0).abs() < 0.01,
            "{shown}"
        );
    }

    #[test]
    fn blocks_of_four_seats() {
        let strong = [4148, 9718, 5138, 932, 64];
        let even = [1764, 16696, 1484, 54, 2];
        let mean = |null, alternative| Model::Mean { null, alternative };
        for (cells, model, expected) in [
            (strong, mean(0.25, 0.26), 169.134_81),
            (strong, mean(0.25, 0.255), 91.179_69),
            (
                strong,
                Model::TValue {
                    reference: 0.25,
                    null: 0.0,
                    alternative: 0.05,
                },
                168.127_62,
            ),
            (even, mean(0.25, 0.26), -123.565_27),
            (even, mean(0.24, 0.25), 53.603_29),
        ] {
            let actual = llr_of(&cells, model);
            assert!(
                (actual - expected).abs() < 6e-6,
                "{actual} is not {expected} for {model:?}"
            );
        }
    }

    #[test]
    fn the_normal_approximation_is_off_far_from_the_null() {
        let counts = |cells: [u64; 5]| ScoreCounts::from_counts(cells.to_vec()).unwrap();
        let strong = normal_approximation(&counts([4148, 9718, 5138, 932, 64]), 0.25, 0.26);
        let even = normal_approximation(&counts([1764, 16696, 1484, 54, 2]), 0.25, 0.26);
        assert!((strong.unwrap() - 161.27).abs() < 0.005, "{strong:?}");
        assert!((even.unwrap() + 130.09).abs() < 0.005, "{even:?}");
        assert_eq!(
            normal_approximation(&counts([0, 5, 0, 0, 0]), 0.25, 0.26),
            None
        );
        assert_eq!(normal_approximation(&counts([0; 5]), 0.25, 0.26), None);
    }

    #[test]
    fn the_other_side_sees_the_opposite_ratio() {
        let cells = [4148, 9718, 5138, 932, 64];
        let mut mirrored = cells;
        mirrored.reverse();
        let here = llr_of(
            &cells,
            Model::Mean {
                null: 0.25,
                alternative: 0.26,
            },
        );
        let there = llr_of(
            &mirrored,
            Model::Mean {
                null: 0.74,
                alternative: 0.75,
            },
        );
        assert!((here + there).abs() < 1e-8, "{here} {there}");
    }

    #[test]
    fn without_divergence_there_is_no_ratio() {
        let of =
            |cells: &[u64], model| llr(&ScoreCounts::from_counts(cells.to_vec()).unwrap(), model);
        let model = Model::Mean {
            null: 0.25,
            alternative: 0.26,
        };
        assert_eq!(of(&[0, 0, 0], model), Err(LlrError::NoBlocks));
        assert_eq!(
            of(&[0, 70, 0, 0, 0], model),
            Err(LlrError::NoDivergence { blocks: 70 })
        );
        assert!(of(&[0, 70], model).unwrap() > 0.0);
        assert!(of(&[70, 0], model).unwrap() < 0.0);
    }

    #[test]
    fn hypotheses_no_law_can_meet_are_errors() {
        let counts = ScoreCounts::from_counts(vec![3, 4, 5]).unwrap();
        for hypothesis in [0.0, 1.0, -0.5, 7.0, 1e-320, f64::INFINITY] {
            let model = Model::Mean {
                null: 0.5,
                alternative: hypothesis,
            };
            assert_eq!(
                llr(&counts, model),
                Err(LlrError::Unreachable { hypothesis })
            );
        }
        let nan = Model::Mean {
            null: 0.5,
            alternative: f64::NAN,
        };
        assert!(matches!(
            llr(&counts, nan),
            Err(LlrError::Unreachable { .. })
        ));
        let far = Model::TValue {
            reference: 0.5,
            null: 0.0,
            alternative: 1e9,
        };
        assert_eq!(
            llr(&counts, far),
            Err(LlrError::Unreachable { hypothesis: 1e9 })
        );
        assert_eq!(Model::elo(1, 0.0, 1.0), None);
    }

    #[test]
    fn walds_bounds() {
        let bounds = Bounds::new(ErrorRates::PERCENT_5);
        assert!((bounds.upper - 2.9444).abs() < 5e-5 && (bounds.lower + 2.9444).abs() < 5e-5);
        assert_eq!(bounds.verdict(2.95), Verdict::Alternative);
        assert_eq!(bounds.verdict(-2.95), Verdict::Null);
        assert_eq!(bounds.verdict(0.0), Verdict::Open);
        let uneven = Bounds::new(ErrorRates::new(0.01, 0.2).unwrap());
        assert!(
            (uneven.upper - 80_f64.ln()).abs() < 1e-14
                && (uneven.lower - (0.2 / 0.99_f64).ln()).abs() < 1e-14
        );
    }
}
