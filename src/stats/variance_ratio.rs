//! What playing in blocks was worth.

use super::moments::Moments;

/// The realised variance ratio VR = Σ Var(game of the block) / Var(block): how many independent games one game of a
/// block was worth. Above 1, shared dice and rotation saved games; 1 means they did nothing.
///
/// `games` holds one entry per game of the block, the moments of its scores over all blocks; `blocks` holds the sums
/// of a block's game scores, in the same whole-number unit. For won or lost games the numerator is Σ p(1 − p); the
/// average over g games and the unit cancel. All variances are unbiased ones.
///
/// `None` if no ratio exists: fewer than two blocks, no game, a game not played in every block, or all block sums
/// equal (nothing diverged; see [`BlockMean::Constant`](super::BlockMean::Constant)).
pub fn variance_ratio(games: &[Moments], blocks: &Moments) -> Option<f64> {
    if games.is_empty() || blocks.is_constant() || games.iter().any(|game| game.n() != blocks.n()) {
        return None;
    }
    let independent = games.iter().map(Moments::variance).sum::<Option<f64>>()?;
    Some(independent / blocks.variance()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns: the games of a block. Rows: blocks.
    fn ratio<const G: usize>(blocks: &[[i64; G]]) -> Option<f64> {
        let games: Vec<Moments> = (0..G)
            .map(|game| blocks.iter().map(|block| block[game]).collect())
            .collect();
        variance_ratio(
            &games,
            &blocks.iter().map(|block| block.iter().sum()).collect(),
        )
    }

    #[test]
    fn opposite_games_of_a_block_are_worth_more() {
        // The games have variances 1/3 and 1/4, their sums 1, 1, 1, 2 have 1/4.
        let vr = ratio(&[[0, 1], [1, 0], [0, 1], [1, 1]]).unwrap();
        assert!((vr - 7.0 / 3.0).abs() < 1e-15, "{vr}");
    }

    #[test]
    fn equal_games_of_a_block_are_worth_half() {
        assert_eq!(ratio(&[[0, 0], [1, 1], [0, 0], [1, 1]]), Some(0.5));
    }

    #[test]
    fn without_any_divergence_there_is_no_ratio() {
        assert_eq!(ratio(&[[0, 1], [1, 0], [1, 0]]), None);
        assert_eq!(ratio(&[[0, 1]]), None);
        assert_eq!(ratio::<2>(&[]), None);
        assert_eq!(variance_ratio(&[], &[0, 1].into_iter().collect()), None);
        let three: Moments = [0, 1, 1].into_iter().collect();
        assert_eq!(
            variance_ratio(&[three], &[0, 1].into_iter().collect()),
            None
        );
    }
}
