//! One roll ahead: the 21 rolls with the best play of each.

use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::{Chances, CubeContext};

use super::judge::{CubeUse, Judge, Played, Scratch, Worth};

/// The 21 rolls, the larger die first, each with its number among the 36 throws.
pub const ROLLS: [((u8, u8), f64); 21] = {
    let mut rolls = [((0, 0), 0.0); 21];
    let (mut at, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[at] = ((high, low), if high == low { 1.0 } else { 2.0 });
            (at, low) = (at + 1, low + 1);
        }
        high += 1;
    }
    rolls
};

/// The place of a throw of two dice in [`ROLLS`].
pub fn roll_index(throw: (u8, u8)) -> usize {
    let (high, low) = (usize::from(throw.0.max(throw.1)), throw.0.min(throw.1));
    high * (high - 1) / 2 + usize::from(low) - 1
}

/// The numbers of a [`Worth`]: the five chances and the equity.
pub type Numbers = [f64; 6];

/// The numbers of a worth.
pub fn numbers(worth: &Worth) -> Numbers {
    let c = &worth.chances;
    [c.win, c.win_g, c.win_bg, c.lose_g, c.lose_bg, worth.equity]
}

/// The chances among the numbers.
pub fn chances_of(numbers: &Numbers) -> Chances {
    let [win, win_g, win_bg, lose_g, lose_bg, _] = *numbers;
    Chances {
        win,
        win_g,
        win_bg,
        lose_g,
        lose_bg,
    }
}

/// The best play of every roll, in the order of [`ROLLS`], for the side on roll.
pub fn best_plays(
    judge: &Judge<'_>,
    board: &Board,
    context: &CubeContext,
    cube: CubeUse,
    scratch: &mut Scratch,
) -> [Played; 21] {
    ROLLS.map(|(dice, _)| judge.best(board, dice, context, cube, scratch))
}

/// The mean over the 36 throws of numbers for each of [`ROLLS`], summed in their order.
pub fn mean(rolls: &[Numbers; 21]) -> Numbers {
    let mut sum = [0.0; 6];
    for ((_, weight), numbers) in ROLLS.iter().zip(rolls) {
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += weight * number;
        }
    }
    sum.map(|sum| sum / 36.0)
}

/// The chances of the side on roll, a roll deeper than the evaluator's: the mean over its rolls,
/// each played best by equity.
pub fn chances(
    judge: &Judge<'_>,
    board: &Board,
    context: &CubeContext,
    scratch: &mut Scratch,
) -> Chances {
    let plays = best_plays(judge, board, context, CubeUse::Live, scratch);
    chances_of(&mean(&plays.map(|play| numbers(&play.worth))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_throw_has_its_roll() {
        let mut found = [0u32; 21];
        for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            let index = roll_index((a, b));
            assert_eq!(ROLLS[index].0, (a.max(b), a.min(b)));
            found[index] += 1;
        }
        assert_eq!(
            found.map(f64::from).map(f64::to_bits),
            ROLLS.map(|(_, weight)| weight.to_bits())
        );
    }
}
