//! The plays of backgammon, written from the rules with plain arrays and sets: slow and short.

// Several targets include this file, and each uses only a part of it.
#![allow(dead_code)]

use std::collections::HashSet;

use racelab::games::backgammon::board::{Board, Side};

/// The counts of both sides, each in its own numbering: 0 off, 1 to 24, 25 the bar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub mover: [u8; 26],
    pub other: [u8; 26],
}

impl Position {
    pub fn of(board: &Board) -> Position {
        Position {
            mover: board.mover.counts(),
            other: board.other.counts(),
        }
    }

    pub fn board(&self) -> Board {
        Board {
            mover: Side::from_counts(&self.mover),
            other: Side::from_counts(&self.other),
        }
    }

    /// The position after one checker has moved by one die, if it may.
    fn step(&self, from: usize, die: usize) -> Option<Position> {
        let is_there = self.mover[from] > 0;
        let must_enter = self.mover[25] > 0 && from != 25;
        if !is_there || must_enter {
            return None;
        }
        let mut after = *self;
        after.mover[from] -= 1;
        if from <= die {
            let all_home = self.mover[7..].iter().all(|&count| count == 0);
            let is_furthest = self.mover[from + 1..].iter().all(|&count| count == 0);
            after.mover[0] += 1;
            return (all_home && (from == die || is_furthest)).then_some(after);
        }
        let to = from - die;
        after.mover[to] += 1;
        match self.other[25 - to] {
            0 => {}
            1 => {
                after.other[25 - to] = 0;
                after.other[25] += 1;
            }
            _ => return None,
        }
        Some(after)
    }

    /// Adds every position that playing dice in this order, as far as they go, passes through,
    /// with the number of dice played.
    fn walk(&self, dice: &[usize], played: usize, found: &mut HashSet<(usize, Position)>) {
        if !found.insert((played, *self)) {
            return; // Been here with the same dice to come.
        }
        if let Some((&die, rest)) = dice.split_first() {
            for from in 1..26 {
                if let Some(after) = self.step(from, die) {
                    after.walk(rest, played + 1, found);
                }
            }
        }
    }

    fn passed_through(&self, dice: &[usize]) -> HashSet<(usize, Position)> {
        let mut found = HashSet::new();
        self.walk(dice, 0, &mut found);
        found
    }

    /// The legal results of a roll; with `either`, a lone die need not be the larger.
    pub fn results(&self, dice: (u8, u8), either: bool) -> HashSet<Position> {
        let (small, large) = (dice.0.min(dice.1).into(), dice.0.max(dice.1).into());
        let orders: Vec<Vec<usize>> = if small == large {
            vec![vec![small; 4]]
        } else {
            vec![vec![large, small], vec![small, large]]
        };
        let mut found: Vec<_> = orders
            .iter()
            .map(|order| self.passed_through(order))
            .collect();
        let longest = |found: &HashSet<(usize, Position)>| {
            found
                .iter()
                .map(|&(played, _)| played)
                .max()
                .expect("itself")
        };
        let most = found.iter().map(longest).max().expect("an order");
        if most == 1 && found.len() == 2 && longest(&found[0]) == 1 && !either {
            found.truncate(1); // The larger die alone.
        }
        let all = found.into_iter().flatten();
        all.filter(|&(played, _)| played == most)
            .map(|(_, position)| position)
            .collect()
    }
}
