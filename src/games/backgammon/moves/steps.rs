//! The steps of a play, one checker and one die each: what notation writes and reads.

use std::fmt;
use std::ops::Deref;

use super::{Plays, Step};
use crate::games::backgammon::board::{BAR, Board, OFF};

/// The steps of one play in the order they are made, at most four; none when nothing moves.
///
/// Reads as a slice of [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Steps {
    steps: [Step; 4],
    len: u8,
}

/// Steps that are no legal play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{steps} is no legal play of {}{}; one is {legal}", dice.0, dice.1)]
pub struct IllegalSteps {
    /// What was to be played: `24/18 13/12`.
    pub steps: String,
    /// The roll.
    pub dice: (u8, u8),
    /// A legal play of it.
    pub legal: Steps,
}

impl Steps {
    /// Adds a step at the end.
    ///
    /// # Panics
    /// When there are four already: no roll has a fifth.
    pub fn push(&mut self, step: Step) {
        self.steps[usize::from(self.len)] = step;
        self.len += 1;
    }

    /// The steps of a play that leads to `result`, one of the [`Plays`] of this roll; `None` when
    /// no steps do.
    ///
    /// Of several ways it is the one with the most dice, then with the larger die first, then with
    /// the first step from the furthest point, then the next. All ways hit the same blots: which
    /// checkers of the other side are on the bar is part of the result.
    pub fn between(board: &Board, dice: (u8, u8), result: &Board) -> Option<Steps> {
        let mut search = Search {
            result,
            best: None,
            is_double: dice.0 == dice.1,
        };
        for order in orders(dice) {
            search.walk(board, &order, BAR, Steps::default());
        }
        search.best
    }

    /// The board after these steps (from, to), 25 for the bar and 0 for off, in any order.
    ///
    /// A step may stand for several of the same checker, as 24/13 does with 65; if they can be
    /// made in several ways, then in one that hits the fewest blots.
    ///
    /// # Errors
    /// When the steps are no legal play of the roll.
    pub fn play(board: &Board, dice: (u8, u8), steps: &[(u8, u8)]) -> Result<Board, IllegalSteps> {
        let mut reached = Vec::new();
        if steps.len() <= 4 {
            for order in orders(dice) {
                make_all(board, &order, &mut steps.to_vec(), &mut reached);
            }
        }
        let mut plays = Plays::default();
        plays.generate(board, dice);
        let legal = reached.into_iter().filter(|board| plays.contains(board));
        legal
            .min_by_key(|board| board.other.bar())
            .ok_or_else(|| IllegalSteps {
                steps: listed(steps.iter().map(|&(from, to)| Step {
                    from,
                    to,
                    hit: false,
                })),
                dice,
                legal: Steps::between(board, dice, &plays[0]).unwrap_or_default(),
            })
    }
}

/// The orders in which the dice can be played, the larger first.
fn orders((first, second): (u8, u8)) -> Vec<Vec<u8>> {
    let (small, large) = (first.min(second), first.max(second));
    if small == large {
        vec![vec![small; 4]]
    } else {
        vec![vec![large, small], vec![small, large]]
    }
}

/// The board after one step by a die, and the step, if it is legal by itself.
fn step(board: &Board, from: u8, die: u8) -> Option<(Board, Step)> {
    let furthest = board.mover.rear();
    if !(1..=BAR).contains(&from) || board.mover.count(from) == 0 {
        return None;
    }
    if furthest == BAR && from != BAR {
        return None;
    }
    let to = from.saturating_sub(die);
    let bears_off = furthest <= 6 && (from == die || from == furthest);
    let opposing = if to == OFF {
        0
    } else {
        board.other.count(BAR - to)
    };
    if to == OFF && !bears_off || opposing > 1 {
        return None;
    }
    let hit = opposing == 1;
    let after = Board {
        mover: board.mover.step(from, to),
        other: if hit {
            board.other.step(BAR - to, BAR)
        } else {
            board.other
        },
    };
    Some((after, Step { from, to, hit }))
}

/// The search for the steps between two boards.
struct Search<'a> {
    result: &'a Board,
    /// The best steps so far: the first found of those with the most dice.
    best: Option<Steps>,
    /// Then the steps can go from the furthest point to the nearest.
    is_double: bool,
}

impl Search<'_> {
    /// Tries these dice in this order, from this point and those nearer home.
    fn walk(&mut self, board: &Board, dice: &[u8], furthest: u8, made: Steps) {
        if board == self.result && self.best.is_none_or(|best| best.len() < made.len()) {
            self.best = Some(made);
        }
        let Some((&die, dice)) = dice.split_first() else {
            return;
        };
        for from in (1..=furthest).rev() {
            if let Some((after, step)) = step(board, from, die) {
                let mut made = made;
                made.push(step);
                let furthest = if self.is_double { from } else { BAR };
                self.walk(&after, dice, furthest, made);
            }
        }
    }
}

/// Adds the boards after all of these steps, made in any order by dice in this order.
fn make_all(board: &Board, dice: &[u8], steps: &mut Vec<(u8, u8)>, reached: &mut Vec<Board>) {
    if steps.is_empty() {
        reached.push(*board);
        return;
    }
    let Some((&die, dice)) = dice.split_first() else {
        return;
    };
    for index in 0..steps.len() {
        let (from, to) = steps[index];
        let Some((after, step)) = step(board, from, die) else {
            continue;
        };
        if step.to == to {
            steps.remove(index);
            make_all(&after, dice, steps, reached);
            steps.insert(index, (from, to));
        } else if step.to > to {
            steps[index].0 = step.to;
            make_all(&after, dice, steps, reached);
            steps[index].0 = from;
        }
    }
}

impl Deref for Steps {
    type Target = [Step];

    fn deref(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }
}

impl fmt::Display for Step {
    /// `24/18*`, `bar/20`, `6/off`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            BAR => f.write_str("bar/")?,
            from => write!(f, "{from}/")?,
        }
        match self.to {
            OFF => f.write_str("off")?,
            to => write!(f, "{to}")?,
        }
        f.write_str(if self.hit { "*" } else { "" })
    }
}

impl fmt::Display for Steps {
    /// Each step, in order: `24/18* 18/13`; `nothing` when there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&listed(self.iter().copied()))
    }
}

fn listed(steps: impl Iterator<Item = Step>) -> String {
    let steps: Vec<String> = steps.map(|step| step.to_string()).collect();
    if steps.is_empty() {
        "nothing".to_owned()
    } else {
        steps.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::Side;

    fn side(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        for &(point, count) in points {
            counts[point] = count;
        }
        Side::from_counts(&counts)
    }

    /// The canonical steps of every play of a roll, in the order of the plays.
    fn all(board: &Board, dice: (u8, u8)) -> Vec<String> {
        let mut plays = Plays::default();
        plays.generate(board, dice);
        let steps = |play| Steps::between(board, dice, play).expect("a play");
        plays.iter().map(|play| steps(play).to_string()).collect()
    }

    #[test]
    fn the_larger_die_and_the_furthest_checker_come_first() {
        let alone = Board {
            mover: side(&[(24, 1), (0, 14)]),
            other: side(&[(7, 1), (6, 2), (0, 12)]),
        };
        // 24/19 is blocked with a 5, and the blot on 18 is hit on the way.
        assert_eq!(all(&alone, (5, 6)), ["24/18* 18/13"]);
        assert_eq!(all(&alone, (6, 3)), ["24/21 21/15", "24/18* 18/15"]);
        assert_eq!(all(&alone, (5, 5)), ["nothing"]);
        let ace = Board {
            mover: side(&[(6, 1), (0, 14)]),
            other: side(&[(0, 14), (1, 1)]),
        };
        // Both dice where one would do.
        assert_eq!(all(&ace, (6, 1)), ["6/5 5/off"]);
    }

    #[test]
    fn steps_are_played_in_any_order_and_may_be_joined() {
        let board = Board {
            mover: side(&[(25, 1), (13, 2), (0, 12)]),
            other: side(&[(5, 1), (16, 2), (0, 12)]),
        };
        let played = |dice, steps: &[(u8, u8)]| Steps::play(&board, dice, steps);
        let after = played((5, 2), &[(13, 11), (25, 20)]).expect("a play");
        assert_eq!(
            after,
            played((2, 5), &[(25, 20), (13, 11)]).expect("a play")
        );
        assert_eq!(after.other.bar(), 1);
        // Joined steps keep from hitting if they can.
        let joined = played((5, 2), &[(25, 18)]).expect("a play");
        assert_eq!(joined.other.bar(), 0);
        let hitting = played((5, 2), &[(25, 20), (20, 18)]).expect("a play");
        assert_eq!((hitting.mover, hitting.other.bar()), (joined.mover, 1));
    }

    #[test]
    fn illegal_steps_are_told_with_a_legal_play() {
        let told = |dice, steps: &[(u8, u8)]| {
            let error = Steps::play(&Board::START, dice, steps).expect_err("illegal steps");
            error.to_string()
        };
        assert_eq!(
            told((6, 5), &[(25, 19), (6, 0)]),
            "bar/19 6/off is no legal play of 65; one is 24/18 18/13"
        );
        // Half a roll, nothing, too much, and points that are none.
        for steps in [
            &[(13, 7)][..],
            &[],
            &[(13, 7); 5],
            &[(200, 3), (0, 0)],
            &[(7, 13), (3, 200)],
        ] {
            told((6, 5), steps);
        }
    }
}
