//! How many rolls a side needs: a distribution in 31 bits a number.

/// A probability of 1, in the unit that probabilities are stored in.
pub(super) const ONE: u32 = 1 << 31;
/// That unit.
const UNIT: f64 = 1.0 / ONE as f64;

/// The distribution of the number of rolls that a side needs to bear off everything.
///
/// Probabilities are multiples of 2^-31, each within 1e-8 of the exact one, and sum to 1 exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dist<'a> {
    first: u8,
    chances: &'a [u32],
}

impl<'a> Dist<'a> {
    /// The distribution with `chances[i]` · 2^-31 at `first + i` rolls.
    pub(super) fn new(first: u8, chances: &'a [u32]) -> Dist<'a> {
        Dist { first, chances }
    }

    /// The chance to need exactly this many rolls.
    pub fn exactly(&self, rolls: usize) -> f64 {
        let place = rolls.checked_sub(self.first.into());
        let chance = place.and_then(|place| self.chances.get(place));
        chance.map_or(0.0, |&chance| f64::from(chance) * UNIT)
    }

    /// The chance to be done within this many rolls.
    pub fn within(&self, rolls: usize) -> f64 {
        let places = rolls.saturating_add(1).saturating_sub(self.first.into());
        let chances = &self.chances[..places.min(self.chances.len())];
        f64::from(chances.iter().sum::<u32>()) * UNIT
    }

    /// The fewest and the most rolls with a chance of at least 2^-32.
    pub fn range(&self) -> (usize, usize) {
        let first = usize::from(self.first);
        (first, first + self.chances.len() - 1)
    }

    /// The mean number of rolls, to within 1e-6.
    pub fn mean(&self) -> f64 {
        self.moment(|rolls| rolls)
    }

    /// The variance of the number of rolls.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.moment(|rolls| (rolls - mean) * (rolls - mean))
    }

    /// The expectation of a function of the number of rolls, summed from the fewest on.
    fn moment(&self, of: impl Fn(f64) -> f64) -> f64 {
        let (first, last) = self.range();
        (first..=last)
            .map(|rolls| self.exactly(rolls) * of(rolls as f64))
            .sum()
    }
}

/// The chance that the side on roll is done first, when each needs rolls as distributed:
///
/// ```text
/// Σ P(mover needs n) · P(other needs n or more)
/// ```
///
/// Exact for two sides that play for themselves. Best play looks at the other side too; with the
/// last six checkers of both in the home board that changes the chance by 0.014 at most.
pub fn race_win(mover: &Dist<'_>, other: &Dist<'_>) -> f64 {
    let (mut win, mut other_left) = (0.0, 1.0);
    for rolls in 0..=mover.range().1 {
        win += mover.exactly(rolls) * other_left;
        other_left -= other.exactly(rolls);
    }
    win
}

/// Rounds probabilities to multiples of 2^-31 that sum to 1, and cuts the zeros at both ends.
/// What rounding leaves over goes to the largest. Returns how many were cut in front.
pub(super) fn quantise(chances: &[f64]) -> (u8, Vec<u32>) {
    #[allow(clippy::cast_sign_loss)] // No probability is negative.
    let rounded = |&chance: &f64| (chance / UNIT).round() as u32;
    let mut units: Vec<u32> = chances.iter().map(rounded).collect();
    let sum: u32 = units.iter().sum();
    let largest = units.iter_mut().max().expect("a distribution has a value");
    *largest = (u64::from(*largest) + u64::from(ONE) - u64::from(sum)) as u32;
    let cut = units.iter().take_while(|&&unit| unit == 0).count();
    let end = units
        .iter()
        .rposition(|&unit| unit > 0)
        .expect("the largest");
    (cut as u8, units[cut..=end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_the_sum_and_cuts_the_ends() {
        let third = 1.0 / 3.0;
        let (cut, units) = quantise(&[0.0, third, third, third, 1e-12]);
        assert_eq!((cut, units.len()), (1, 3));
        assert_eq!(units.iter().sum::<u32>(), ONE);
        assert_eq!(quantise(&[1.0]), (0, vec![ONE]));
    }

    #[test]
    #[allow(clippy::float_cmp)] // Multiples of 2^-31 are exact.
    fn a_distribution_answers_by_hand() {
        let dist = Dist::new(2, &[ONE / 4, ONE / 2, ONE / 4]);
        assert_eq!(dist.range(), (2, 4));
        let asked = [0, 1, 2, 3, 4, 5];
        assert_eq!(
            asked.map(|n| dist.exactly(n)),
            [0.0, 0.0, 0.25, 0.5, 0.25, 0.0]
        );
        assert_eq!(
            asked.map(|n| dist.within(n)),
            [0.0, 0.0, 0.25, 0.75, 1.0, 1.0]
        );
        assert_eq!((dist.mean(), dist.variance()), (3.0, 0.5));
    }

    #[test]
    #[allow(clippy::float_cmp)] // Multiples of 2^-31 are exact.
    fn the_mover_wins_a_tie() {
        let even = Dist::new(1, &[ONE / 2, ONE / 2]);
        let one = Dist::new(1, &[ONE]);
        let done = Dist::new(0, &[ONE]);
        assert_eq!(race_win(&even, &even), 0.75);
        assert_eq!(race_win(&even, &one), 0.5);
        assert_eq!(race_win(&one, &even), 1.0);
        assert_eq!(race_win(&one, &done), 0.0);
    }
}
