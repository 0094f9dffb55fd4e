//! The plays of two different dice.

use super::OneDie;
use super::masks::{Masks, ON_BAR, Points, each, sources};
use super::out::Out;
use super::stage::Stage;
use crate::games::backgammon::board::Board;

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
    #[inline(always)]
    fn running(&self, out: &mut Out<'_>, heads: Points) {
        let &Mixed { a, b, .. } = self;
        let (by_a, by_b) = (self.by_a, self.by_b);
        let pairs = by_a & by_b & self.masks.pairs;
        let by_both = self.masks.own & self.masks.landing >> (a + b);
        let hits_on_way = self.masks.blots >> a | self.masks.blots >> b;
        let forks = by_both & by_a & by_b & hits_on_way;
        let on_after_b = by_both & by_b & !forks;
        let on_after_a = by_both & by_a & !by_b;
        each(heads, |from| {
            let head: Points = 1 << from;
            if pairs & head != 0 {
                out.push(self.both_from(from));
            }
            let after_a = self.start.after(from, a);
            let after_b = self.start.after(from, b);
            let second_by_a = if by_b & head != 0 { by_a } else { 0 };
            let second_by_b = if by_a & head != 0 { by_b } else { 0 };

            let near = (head << a) - (head << 1);
            each(near & (second_by_a | second_by_b), |next| {
                if second_by_a >> next & 1 != 0 {
                    out.push(after_b.board_after(next, a));
                }
                if second_by_b >> next & 1 != 0 {
                    out.push(after_a.board_after(next, b));
                }
            });
            let far = (head << a).wrapping_neg();
            let joined = head << b;
            let mut second = second_by_a & far & !joined | (head & on_after_b) << b;
            if forks & head != 0 {
                after_b.finish(out, second & (joined - 1), a);
                second &= joined.wrapping_neg();
                let mut ways = [
                    after_a.board_after(from + a, b),
                    after_b.board_after(from + b, a),
                ];
                ways.sort_unstable();
                for way in ways {
                    out.push(way);
                }
            }
            after_b.finish(out, second, a);
            let joined = head << a;
            let second = second_by_b & far & !joined | (head & on_after_a) << a;
            after_a.finish(out, second, b);
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
        for (first, second) in [(self.b, self.a), (self.a, self.b)] {
            each(sources(own, landing, first), |from| {
                let bit: Points = 1 << from;
                let own = own & !(bit & !pairs) | bit << first & landing;
                let after = self.start.after(from, first);
                after.finish_anew(out, sources(own, landing, second), second);
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
