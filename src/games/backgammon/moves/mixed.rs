//! The plays of two different dice.

use super::OneDie;
use super::masks::{Masks, ON_BAR, Points, each, sources};
use super::out::Out;
use super::seconds::{Sets, Words};
use super::stage::Stage;
use super::tables::{hit_if, stepped};
use crate::games::backgammon::board::Board;

/// The board after the first step.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct First {
    board: Board,
    /// The points from which the second step hits.
    hits_from: Points,
}

/// A board and two dice, `a` smaller than `b`; `HITS` as in [`Stage`].
pub(super) struct Mixed<'a, const HITS: bool> {
    start: Stage<HITS>,
    masks: &'a Masks,
    a: u32,
    b: u32,
    /// The points from which a checker, any that is not borne off, can move by `a` or `b`.
    by_a: Points,
    by_b: Points,
}

impl<'a, const HITS: bool> Mixed<'a, HITS> {
    #[inline(always)]
    pub(super) fn new(board: &Board, masks: &'a Masks, [a, b]: [u32; 2]) -> Mixed<'a, HITS> {
        Mixed {
            start: Stage {
                board: *board,
                blots: masks.blots,
            },
            masks,
            a,
            b,
            by_a: masks.own & masks.landing >> a,
            by_b: masks.own & masks.landing >> b,
        }
    }

    /// Finds the plays.
    #[inline(always)]
    pub(super) fn plays(&self, out: &mut Out<'_>, one_die: OneDie) {
        let on_bar = self.masks.own & ON_BAR != 0;
        if on_bar && self.masks.pairs & ON_BAR != 0 {
            if self.by_a & self.by_b & ON_BAR != 0 {
                out.push(self.both_from(0));
            }
        } else if !on_bar && self.masks.may_bear_off() {
            self.bearing_off(out);
        } else {
            let heads = if on_bar { ON_BAR } else { Points::MAX };
            self.running(out, (self.by_a | self.by_b) & heads);
        }
        if out.is_empty() {
            self.lone_die(out, one_die);
        }
    }

    /// The board after a step by each die from one point.
    #[inline(always)]
    fn both_from(&self, from: u32) -> Board {
        self.start.after(from, self.a).board_after(from, self.b)
    }

    /// The plays of both dice that touch a point of `heads` and nothing further, when nothing can
    /// be borne off; in ascending order, as they are found. For each point, the furthest first:
    ///
    /// * both steps from this point;
    /// * the second step from a point less than `a` nearer, in the order of these points: this one
    ///   by `b`, then this one by `a`;
    /// * this one by `b`, and any point from `a` nearer on;
    /// * this one by `a`, and any point from `a` nearer on.
    ///
    /// Where the second step begins on the point that the first has reached, it is by the same
    /// checker or might as well be. Such a play leads to the same board whichever die comes
    /// first, unless the checker hits on its way.
    ///
    /// The plays of a point are the bits of a word ([`Words`]), all found in one loop: with a loop
    /// for each of the four, and a branch for each hit, four branches more of a random ply are hard
    /// to guess, and games take 18 % more time.
    #[inline(always)]
    fn running(&self, out: &mut Out<'_>, heads: Points) {
        let &Mixed { a, b, .. } = self;
        let (by_a, by_b) = (self.by_a, self.by_b);
        let by_both = self.masks.own & self.masks.landing >> (a + b);
        let (hits_by_a, hits_by_b) = (self.masks.blots >> a, self.masks.blots >> b);
        let forks = by_both & by_a & by_b;
        let words = Words::new(
            a,
            b,
            &Sets {
                by_a,
                by_b,
                pairs: by_a & by_b & self.masks.pairs,
                by_b_then_a: by_both & by_b,
                only_by_a_then_b: by_both & by_a & !by_b,
                // A checker more on the other side's bar makes a greater board; of two blots, the
                // one that is further on the other side's way makes the smaller.
                forks_a_first: forks & hits_by_b & !hits_by_a,
                forks_b_first: forks & hits_by_a,
            },
        );
        each(heads, |from| {
            let first = |die, hits: Points, hits_from| First {
                board: self.start.board_after_if(from, die, hits >> from),
                hits_from,
            };
            let firsts = [
                // The point this step has reached is no blot any more.
                first(b, hits_by_b, hits_by_a & !(1 << ((from + b - a) % 32))),
                // The second step starts no further away, and so ends elsewhere.
                first(a, hits_by_a, hits_by_b),
            ];
            let mut word = words.of::<HITS>(from);
            while word != 0 {
                let second = words.second(word);
                let First { board, hits_from } = &firsts[second.first()];
                let step = second.step(from);
                out.push(Board {
                    mover: stepped(board.mover, step),
                    other: if HITS {
                        hit_if(board.other, hits_from >> (step % 32), step)
                    } else {
                        board.other
                    },
                });
                word &= word - 1;
            }
        });
    }

    /// The plays of both dice when a checker may be borne off and none is on the bar: here many
    /// ways lead to the same board.
    fn bearing_off(&self, out: &mut Out<'_>) {
        let Masks {
            own,
            pairs,
            landing,
            ..
        } = *self.masks;
        let by_b = sources(own, landing, self.b);
        let by_a = sources(own, landing, self.a);
        // What could move by `b` before the other moved by `a` has done so: the same board.
        for (from, first, second, done) in [(by_b, self.b, self.a, 0), (by_a, self.a, self.b, by_b)]
        {
            each(from, |from| {
                let bit: Points = 1 << from;
                let own = own & !(bit & !pairs) | bit << first & landing;
                let after = self.start.after(from, first);
                after.finish_anew(out, sources(own, landing, second) & !done, second);
            });
        }
    }

    /// The plays of one die when both cannot be played, or the unchanged board.
    #[cold]
    fn lone_die(&self, out: &mut Out<'_>, one_die: OneDie) {
        let Masks { own, landing, .. } = *self.masks;
        for die in [self.b, self.a] {
            if out.is_empty() || one_die == OneDie::Either {
                let from = if self.masks.bar_is_empty() {
                    sources(own, landing, die)
                } else {
                    ON_BAR & landing >> die
                };
                self.start.finish_anew(out, from, die);
            }
        }
        if out.is_empty() {
            out.push(self.start.board);
        }
    }
}
