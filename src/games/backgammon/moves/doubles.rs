//! The plays of a double: up to four steps of the same die.
//!
//! The steps of a play can be made in any order, so only those from the furthest point to the
//! nearest are looked at. Such sequences lead to different boards: compare two at the first step
//! in which they differ, and the one that starts further away has fewer checkers there. So it is
//! also the smaller board, and boards are found in ascending order.

use super::masks::{BOARD, Masks, ON_BAR, Points, at_least, each, sources};
use super::out::Out;
use super::stage::Stage;
use crate::games::backgammon::board::Board;

/// A stage of the roll and what its next steps depend on; `HITS` as in [`Stage`], `BEARS` whether a
/// checker may be borne off: mostly not, and then where a step can start takes two instructions.
#[derive(Clone, Copy)]
struct Node<const HITS: bool, const BEARS: bool> {
    stage: Stage<HITS>,
    /// Where the mover has at least 1, 2, 3 and 4 checkers; right for as many of these as there
    /// are steps to come, and for the points in `reach`.
    own: [Points; 4],
    /// The point of the last step and those nearer home.
    reach: Points,
}

/// What stays the same during a roll.
#[derive(Clone, Copy)]
struct Roll {
    die: u32,
    /// As in [`Masks`].
    landing: Points,
}

/// Finds the plays of a double.
#[inline(always)]
pub(super) fn plays<const HITS: bool>(out: &mut Out<'_>, board: &Board, masks: &Masks, die: u32) {
    // Three steps bring home three checkers: with more outside, none is borne off.
    if board.mover.outside() > 3 {
        Node::<HITS, false>::plays(out, board, masks, die);
    } else {
        Node::<HITS, true>::plays(out, board, masks, die);
    }
}

impl<const HITS: bool, const BEARS: bool> Node<HITS, BEARS> {
    /// Finds the plays.
    #[inline(always)]
    fn plays(out: &mut Out<'_>, board: &Board, masks: &Masks, die: u32) {
        let roll = Roll {
            die,
            landing: masks.landing,
        };
        let mut start = Self::start(board, masks);
        let mut steps = 4;
        while steps > 0 && start.own[0] & ON_BAR & roll.landing >> die != 0 {
            start = start.after(0, roll);
            steps -= 1;
        }
        if start.own[0] & ON_BAR == 0 {
            // No order of the steps leaves fewer than another: without a full play, one step less.
            while steps > 0 && out.is_empty() {
                start.walk(out, roll, steps);
                steps -= 1;
            }
        }
        if out.is_empty() {
            out.push(start.stage.board);
        }
    }

    #[inline(always)]
    fn start(board: &Board, masks: &Masks) -> Self {
        Node {
            stage: Stage {
                board: *board,
                blots: masks.blots,
            },
            own: [
                masks.own,
                masks.pairs,
                at_least::<3>(board.mover),
                at_least::<4>(board.mover),
            ],
            reach: Points::MAX,
        }
    }

    /// Adds the boards that so many steps lead to, 1 to 4.
    #[inline(always)]
    fn walk(self, out: &mut Out<'_>, roll: Roll, steps: u32) {
        let mut last = |node: Self| node.stage.finish(out, node.sources(roll), roll.die);
        match steps {
            4 => self.step(roll, |node| {
                node.step(roll, |node| node.step(roll, &mut last));
            }),
            3 => self.step(roll, |node| node.step(roll, &mut last)),
            2 => self.step(roll, last),
            _ => last(self),
        }
    }

    #[inline(always)]
    fn sources(&self, roll: Roll) -> Points {
        let from = if BEARS {
            sources(self.own[0], roll.landing, roll.die)
        } else {
            self.own[0] & roll.landing >> roll.die
        };
        from & self.reach
    }

    /// Takes each step, from the furthest point on.
    #[inline(always)]
    fn step(self, roll: Roll, mut visit: impl FnMut(Self)) {
        each(self.sources(roll), |from| visit(self.after(from, roll)));
    }

    #[inline(always)]
    fn after(&self, from: u32, Roll { die, .. }: Roll) -> Self {
        let bit: Points = 1 << from;
        let to = bit << die & BOARD;
        // One checker fewer where it was, one more where it is.
        let [one, two, three, four] = self.own;
        let own = [
            one ^ (one ^ two) & bit | to,
            two ^ (two ^ three) & bit | to & one,
            three ^ (three ^ four) & bit | to & two,
            four | to & three,
        ];
        Node {
            stage: self.stage.after(from, die),
            own,
            reach: bit.wrapping_neg(),
        }
    }
}
