//! Who meets whom next: Swiss rounds, and the neighbours whose order is least known.
//!
//! A pairing depends on the merged results of all earlier rounds and on nothing else, so threads, interruptions and
//! speed cannot change it.

use std::collections::BTreeMap;

/// Two bots, the lower number first.
pub type Pair = (usize, usize);

/// Two bots in order of their numbers.
pub fn pair(a: usize, b: usize) -> Pair {
    (a.min(b), a.max(b))
}

/// The pairs of a Swiss round. `order` lists all bots from the best on; `met` says how often two have met; `byes` how
/// often a bot had nobody to play.
///
/// In the first round, when nobody has met, the upper half meets the lower half. Later neighbours meet: from the top on
/// each bot the nearest below that it has met least often. With an odd number the lowest of those with the fewest byes
/// sits out.
pub fn swiss(order: &[usize], met: &BTreeMap<Pair, u64>, byes: &[u64]) -> Vec<Pair> {
    let mut left: Vec<usize> = order.to_vec();
    if left.len() % 2 == 1 {
        let fewest = left.iter().map(|&bot| byes[bot]).min().unwrap_or(0);
        let out = left.iter().rposition(|&bot| byes[bot] == fewest);
        left.remove(out.expect("somebody has the fewest"));
    }
    if met.is_empty() {
        let half = left.len() / 2;
        return (0..half).map(|i| pair(left[i], left[half + i])).collect();
    }
    let mut pairs = Vec::new();
    while left.len() > 1 {
        let top = left.remove(0);
        let times = |&bot: &usize| met.get(&pair(top, bot)).copied().unwrap_or(0);
        let fewest = left.iter().map(times).min().unwrap_or(0);
        let next = left.iter().position(|bot| times(bot) == fewest);
        let other = left.remove(next.expect("somebody was met least often"));
        pairs.push(pair(top, other));
    }
    pairs
}

/// How well the order of two bots is known: the logarithm of the larger e-value against either being at least as good.
/// Larger is better known.
pub type Known = f64;

/// Of the neighbours in `order` the undecided pair whose order is least known; the highest one of several. `None` when
/// all are decided. `known` is `None` for a decided pair.
pub fn least_known(order: &[usize], known: impl Fn(Pair) -> Option<Known>) -> Option<Pair> {
    let mut least: Option<(Known, Pair)> = None;
    for neighbours in order.windows(2) {
        let this = pair(neighbours[0], neighbours[1]);
        if let Some(evidence) = known(this)
            && least.is_none_or(|(other, _)| evidence < other)
        {
            least = Some((evidence, this));
        }
    }
    least.map(|(_, pair)| pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_round_folds_the_list() {
        let none = BTreeMap::new();
        assert_eq!(swiss(&[0, 1, 2, 3], &none, &[0; 4]), [(0, 2), (1, 3)]);
        // The last sits out, and next time somebody else.
        assert_eq!(swiss(&[0, 1, 2, 3, 4], &none, &[0; 5]), [(0, 2), (1, 3)]);
    }

    #[test]
    fn neighbours_that_have_not_met_meet() {
        let met = BTreeMap::from([((0, 2), 1), ((1, 3), 1)]);
        assert_eq!(swiss(&[0, 1, 2, 3], &met, &[0; 4]), [(0, 1), (2, 3)]);
        assert_eq!(swiss(&[2, 0, 1, 3], &met, &[0; 4]), [(1, 2), (0, 3)]);
        assert_eq!(
            swiss(&[0, 1, 2, 3, 4], &met, &[0, 0, 0, 0, 1]),
            [(0, 1), (2, 4)]
        );
        // Nobody new is left: who was met least often.
        let all = BTreeMap::from([((0, 1), 2), ((0, 2), 1), ((0, 3), 2), ((1, 3), 1)]);
        assert_eq!(swiss(&[0, 1, 2, 3], &all, &[0; 4]), [(0, 2), (1, 3)]);
    }

    #[test]
    fn the_least_known_neighbours_play_on() {
        let known = |pair: Pair| match pair {
            (0, 1) => Some(1.0),
            (1, 2) => Some(0.5),
            (2, 3) => None,
            _ => Some(0.0),
        };
        assert_eq!(least_known(&[0, 1, 2, 3], known), Some((1, 2)));
        assert_eq!(least_known(&[0, 2, 3, 1], known), Some((0, 2)));
        assert_eq!(least_known(&[2, 3], known), None);
    }
}
