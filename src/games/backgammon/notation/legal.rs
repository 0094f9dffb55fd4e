//! Plays as written, checked against a board.
//!
//! What is legal is said by a generator the caller hands over: all boards a roll may lead to, the
//! mover's side still first, the unchanged board when nothing can move.

use std::cmp::Reverse;

use crate::games::backgammon::board::{BAR, Board, OFF, Side};
use crate::games::backgammon::step::Step;

/// A play that the dice and the board allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// One step for each die, with the hits it makes.
    pub steps: Vec<Step>,
    /// The board after it, the mover's side still first.
    pub board: Board,
}

/// Why a play is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalPlay {
    /// The dice do not take the checkers there.
    #[error("the roll {}{} does not play it from this board", .0[0], .0[1])]
    NotTheseDice([u8; 2]),
    /// The steps are possible one by one, but the rules ask for another play.
    #[error("the rules do not allow it with {}{}: as many dice as possible must be played, of one die the larger", .0[0], .0[1])]
    NotThisPlay([u8; 2]),
}

/// Plays `written` on `board`: `24/13` may take several dice, stars may be missing.
///
/// # Errors
/// When the dice cannot play it, or no legal result is this board.
pub fn play(
    board: &Board,
    dice: [u8; 2],
    written: &[Step],
    results: &mut impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Result<Played, IllegalPlay> {
    let legal = results(board, dice);
    let mut possible = false;
    // In any order people write; the furthest first is always playable if any order is.
    let mut sorted = written.to_vec();
    sorted.sort_by_key(|step| Reverse((step.from, step.to)));
    for order in [written, &sorted] {
        for spend in spendings(dice) {
            let mut search = Search {
                written: order,
                steps: Vec::with_capacity(4),
                accept: &mut |board| {
                    possible = true;
                    legal.contains(board)
                },
            };
            if let Some(board) = search.run(*board, 0, None, spend) {
                let steps = search.steps;
                return Ok(Played { steps, board });
            }
        }
    }
    Err(if possible {
        IllegalPlay::NotThisPlay(dice)
    } else {
        IllegalPlay::NotTheseDice(dice)
    })
}

/// The orders in which dice can be spent: both, or four of a kind.
fn spendings([first, second]: [u8; 2]) -> impl Iterator<Item = Dice> {
    let dice = |faces: [u8; 4], left| Dice { faces, left };
    let orders = if first == second {
        [Some(dice([first; 4], 4)), None]
    } else {
        let order = |first, second| Some(dice([first, second, 0, 0], 2));
        [order(first, second), order(second, first)]
    };
    orders.into_iter().flatten()
}

/// Dice still to spend, in this order.
#[derive(Clone, Copy)]
struct Dice {
    faces: [u8; 4],
    left: usize,
}

impl Dice {
    fn next(self) -> Option<(u8, Dice)> {
        let [first, second, third, fourth] = self.faces;
        let rest = Dice {
            faces: [second, third, fourth, 0],
            left: self.left.checked_sub(1)?,
        };
        Some((first, rest))
    }
}

/// A search for the steps of single dice behind the written ones.
struct Search<'a> {
    written: &'a [Step],
    steps: Vec<Step>,
    accept: &'a mut dyn FnMut(&Board) -> bool,
}

impl Search<'_> {
    /// Plays the written steps from `index` on, the first from `at` if its checker is under way.
    fn run(&mut self, board: Board, index: usize, at: Option<u8>, dice: Dice) -> Option<Board> {
        let Some(&written) = self.written.get(index) else {
            return (self.accept)(&board).then_some(board);
        };
        let from = at.unwrap_or(written.from);
        let (die, rest) = dice.next()?;
        let (step, after) = step(&board, from, die)?;
        if step.to < written.to {
            // A die too large for this step: it may still fit a later one in the other order.
            return None;
        }
        self.steps.push(step);
        let found = if step.to == written.to {
            self.run(after, index + 1, None, rest)
        } else {
            self.run(after, index, Some(step.to), rest)
        };
        if found.is_none() {
            self.steps.pop();
        }
        found
    }
}

/// One checker moved by one die, if its point, the bar and the other side allow it.
pub fn step(board: &Board, from: u8, die: u8) -> Option<(Step, Board)> {
    let Board { mover, other } = *board;
    if mover.count(from) == 0 || (mover.bar() > 0 && from != BAR) {
        return None;
    }
    let to = from.saturating_sub(die);
    if to == OFF {
        return bears_off(mover, from, die).then(|| {
            let step = Step {
                from,
                to,
                hit: false,
            };
            (
                step,
                Board {
                    mover: mover.step(from, to),
                    other,
                },
            )
        });
    }
    let theirs = BAR - to;
    let hit = match other.count(theirs) {
        0 => false,
        1 => true,
        _ => return None,
    };
    let other = if hit { other.step(theirs, BAR) } else { other };
    let mover = mover.step(from, to);
    Some((Step { from, to, hit }, Board { mover, other }))
}

/// Whether a die takes a checker off: all are home, and it is exact or the furthest.
fn bears_off(mover: Side, from: u8, die: u8) -> bool {
    mover.rear() <= 6 && (from == die || mover.rear() == from)
}

/// A generator by brute force: every order of dice and checkers, the most dice, the larger die.
#[cfg(test)]
pub(super) fn every_result(board: &Board, dice: [u8; 2]) -> Vec<Board> {
    fn go(board: &Board, dice: Dice, used: usize, found: &mut Vec<(usize, u8, Board)>, first: u8) {
        let next = dice.next();
        let moves = next.into_iter().flat_map(|(die, rest)| {
            (1..=BAR).filter_map(move |from| step(board, from, die).map(|(_, b)| (b, rest, die)))
        });
        let mut stuck = true;
        for (after, rest, die) in moves {
            stuck = false;
            go(
                &after,
                rest,
                used + 1,
                found,
                first.max(die * u8::from(used == 0)),
            );
        }
        if stuck {
            found.push((used, first, *board));
        }
    }
    let mut found = Vec::new();
    for dice in spendings(dice) {
        go(board, dice, 0, &mut found, 0);
    }
    let most = found.iter().map(|end| end.0).max().unwrap_or(0);
    found.retain(|end| end.0 == most);
    if most == 1 {
        let larger = found.iter().map(|end| end.1).max().unwrap_or(0);
        found.retain(|end| end.1 == larger);
    }
    let mut boards: Vec<Board> = found.into_iter().map(|end| end.2).collect();
    boards.sort();
    boards.dedup();
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::notation::{play as text, position_id};

    /// The play of a text on the board of a Position ID, as written afterwards.
    fn played(id: &str, dice: [u8; 2], play: &str) -> Result<String, IllegalPlay> {
        let board = position_id::read(id).expect(id);
        let written = text::read(play).expect(play);
        let played = super::play(&board, dice, &written, &mut every_result)?;
        Ok(text::write(&played.steps))
    }

    const START: &str = "4HPwATDgc/ABMA";

    #[test]
    fn compound_moves_take_as_many_dice_as_they_need() {
        assert_eq!(played(START, [6, 5], "24/13").as_deref(), Ok("24/13"));
        assert_eq!(
            played(START, [3, 3], "24/15 13/10").as_deref(),
            Ok("24/15 13/10")
        );
        assert_eq!(played(START, [3, 1], "6/5 8/5").as_deref(), Ok("8/5 6/5"));
        let board = Board::START;
        let steps = super::play(
            &board,
            [6, 5],
            &text::read("24/13").unwrap(),
            &mut every_result,
        );
        let steps = steps.expect("lover's leap").steps;
        assert_eq!(
            steps.iter().map(|s| (s.from, s.to)).collect::<Vec<_>>(),
            [(24, 18), (18, 13)]
        );
    }

    #[test]
    fn what_the_dice_or_the_rules_forbid_is_refused() {
        let dice = |dice| Err(IllegalPlay::NotTheseDice(dice));
        assert_eq!(played(START, [6, 5], "24/14"), dice([6, 5]));
        assert_eq!(played(START, [5, 5], "24/19"), dice([5, 5]));
        assert_eq!(
            played(START, [3, 1], "8/5"),
            Err(IllegalPlay::NotThisPlay([3, 1]))
        );
        assert_eq!(
            played(START, [3, 1], ""),
            Err(IllegalPlay::NotThisPlay([3, 1]))
        );
    }

    #[test]
    fn the_tricky_cases_of_the_rules() {
        // Position ID, roll, the number of results and one of them.
        let cases = [
            ("Q5eOQSACAAAAAA", [5, 1], 1, "2/1*/off"),
            ("mOfggQTbAABAAA", [5, 3], 1, "bar/20"),
            ("2M2kCgIAAAABAA", [3, 2], 1, "bar/22"),
            ("2LudAAB3BwCAAA", [6, 1], 1, "23/16"),
            ("ZrcNgAK/OwAARg", [3, 1], 2, "bar/22 2/1"),
            ("2OwBAD52dwcAQA", [6, 6], 1, "bar/7"),
            ("jW0bAgKfAwLgDQ", [5, 5], 1, "10/5*"),
            ("dxIAAL4PAgAAAA", [5, 2], 1, "7/off"),
            ("uNUBAD52dxcAAA", [6, 3], 1, "7/4 6/off"),
            ("ansLEBB/BAAAAA", [6, 3], 2, "4/off"),
            ("2L0JgAYcz8EBYA", [6, 3], 1, "bar/22"),
        ];
        for (id, dice, count, play) in cases {
            let board = position_id::read(id).expect(id);
            assert_eq!(every_result(&board, dice).len(), count, "{id}");
            assert_eq!(played(id, dice, play).as_deref(), Ok(play), "{id}");
        }
    }
}
