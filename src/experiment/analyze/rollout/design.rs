//! Which games a rollout plays: blocks that share out the first two rolls evenly.

use crate::engine::random::{BlockKey, Purpose};
use crate::engine::seat::Seat;

use super::game::Throws;

/// Throws of two dice.
const THROWS: u64 = 36;

/// The games of a rollout, in blocks that are alike in distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Design {
    /// The seed of the dice.
    pub seed: u64,
    /// Games to play at most.
    pub games: u64,
}

impl Design {
    /// Whether blocks share out the first rolls: when the games are a multiple of 36.
    ///
    /// In a block of 36 games each throw comes first once and second once; over 36 blocks (1,296
    /// games) each pair of throws comes once.
    pub fn is_stratified(self) -> bool {
        self.games.is_multiple_of(THROWS)
    }

    /// Games of a block.
    pub fn block_games(self) -> u64 {
        if self.is_stratified() { THROWS } else { 1 }
    }

    /// Blocks in all.
    pub fn blocks(self) -> u64 {
        self.games / self.block_games()
    }

    /// The throws of each game of a block.
    pub fn throws(self, block: u64) -> impl Iterator<Item = Throws> {
        let Design { seed, .. } = self;
        let shift = self.is_stratified().then(|| shift(seed, block));
        let size = self.block_games();
        (0..size).map(move |game| {
            let designed = match shift {
                Some(shift) => [Some(game), Some((game + shift) % THROWS)],
                None => [None; 2],
            };
            let designed = designed.map(|throw| throw.map(|throw| throw as u8));
            Throws::new(seed, block * size + game, designed)
        })
    }
}

/// How far the second throw of a block is from the first: within 36 blocks every distance once, in
/// an order drawn for them.
fn shift(seed: u64, block: u64) -> u64 {
    let mut order: [u64; THROWS as usize] = std::array::from_fn(|index| index as u64);
    let mut stream = BlockKey::new(seed, block / THROWS).stream(Purpose::Bot, Seat::A);
    for index in (1..order.len()).rev() {
        order.swap(index, stream.below(index as u64 + 1) as usize);
    }
    order[(block % THROWS) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shifts_of_36_blocks_are_all_different() {
        for first in [0, 36] {
            let mut shifts: Vec<u64> = (first..first + 36).map(|block| shift(7, block)).collect();
            assert_ne!(shifts, (0..36).collect::<Vec<_>>());
            shifts.sort_unstable();
            assert_eq!(shifts, (0..36).collect::<Vec<_>>());
        }
    }

    #[test]
    fn other_numbers_of_games_are_single_blocks() {
        let design = |games| Design { seed: 1, games };
        assert_eq!((design(72).blocks(), design(72).block_games()), (2, 36));
        assert_eq!((design(73).blocks(), design(73).block_games()), (73, 1));
        assert_eq!(design(36).throws(0).count(), 36);
    }
}
