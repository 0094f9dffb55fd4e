//! The one place where bots compute with fractions, so that two machines choose the same move.
//!
//! Rust adds and multiplies as IEEE 754 says, without reordering; what is left to the system's
//! mathematics library, `exp`, comes from `libm` instead. Sums run from the first term to the
//! last. Every parameter is finite and in a range ([`super::params`]), so nothing here can become
//! infinite or no number.

/// The sum of the products, from the first to the last.
#[inline]
pub(super) fn dot(weights: &[f64], values: &[f64]) -> f64 {
    let terms = weights.iter().zip(values);
    terms.fold(0.0, |sum, (weight, value)| sum + weight * value)
}

/// Turns scores into shares of 1: who scores `temperature` more has e times the share.
#[inline]
pub(super) fn softmax(scores: &mut [f64], temperature: f64) {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = libm::exp((*score - top) / temperature);
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

/// The probability with these log odds.
#[inline]
pub(super) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// The best of the moves offered so far. Of equal scores wins the token that had come furthest,
/// of equally far tokens the move that comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    index: usize,
    score: f64,
    from: u16,
}

impl Best {
    /// Nothing has been offered.
    pub(super) const NONE: Best = Best {
        index: 0,
        score: f64::NEG_INFINITY,
        from: 0,
    };

    /// Offers the move at `index`, of a token that had come `from` pips.
    #[inline]
    #[allow(clippy::float_cmp)] // Equal means the same bits: machines must agree.
    pub(super) fn offer(&mut self, index: usize, score: f64, from: u16) {
        if score > self.score || score == self.score && from > self.from {
            *self = Best { index, score, from };
        }
    }

    /// The index of the best move.
    pub(super) fn index(self) -> usize {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1e16 + 1 is 1e16: another order would give 1.
    #[test]
    fn sums_run_from_first_to_last() {
        let values = [1e16, 1.0, -1e16];
        assert_eq!(dot(&[1.0, 1.0, 1.0], &values).to_bits(), 0.0f64.to_bits());
    }

    #[test]
    fn shares_are_the_same_bits_on_every_machine() {
        let mut shares = [3.0, 1.0, -2.5, 0.0];
        softmax(&mut shares, 2.0);
        assert_eq!(
            shares.map(f64::to_bits),
            [
                4_603_617_841_673_722_148, // 0.604
                4_597_176_935_439_015_191, // 0.222
                4_585_727_784_108_239_777, // 0.039
                4_594_025_672_879_125_360, // 0.135
            ]
        );
    }

    #[test]
    fn log_odds_far_from_zero_are_certain() {
        let chances = [-1e6, 0.0, 1e6].map(logistic);
        assert_eq!(
            chances.map(f64::to_bits),
            [0.0f64, 0.5, 1.0].map(f64::to_bits)
        );
        let mirrored = logistic(1.5) + logistic(-1.5);
        assert!((mirrored - 1.0).abs() < 1e-15, "{mirrored}");
    }

    #[test]
    fn far_apart_scores_stay_numbers() {
        let mut shares = [1e6, -1e6];
        softmax(&mut shares, 0.1);
        assert_eq!(shares.map(f64::to_bits), [1.0f64, 0.0].map(f64::to_bits));
    }

    #[test]
    fn ties_go_to_the_furthest_token_then_to_the_first_move() {
        let mut best = Best::NONE;
        for (index, (score, from)) in [(1.0, 4), (2.0, 3), (2.0, 9), (2.0, 9), (0.0, 40)]
            .into_iter()
            .enumerate()
        {
            best.offer(index, score, from);
        }
        assert_eq!(best.index(), 2);
    }
}
