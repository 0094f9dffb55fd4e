//! Janowski's cube model for money play.
//!
//! R. Janowski, "Take-Points in Money Games", 1993. Let W be the mean value of the games won (1 to
//! 3) and L that of the games lost. With a *dead* cube the equity is the straight line from -L at
//! no win to W at all wins. With a *live* cube both sides double at the last moment that is still
//! taken, so the line bends where a double is due:
//!
//! ```text
//!  equity
//!    W |                      /      me cashing:  win = (L + 1) / (W + L + 1/2), equity +1
//!   +1 |              .------'       the other:   win = (L - 1/2) / (W + L + 1/2), equity -1
//!      |            /
//!   -1 |    .------'                 A bend is there only if its side has access to the cube.
//!   -L |---'
//!      +---------------------- win
//! ```
//!
//! A real cube is in between: its equity is the mean of both lines, weighted with the cube life.

use super::chances::Chances;
use super::context::{CubeLife, CubeOwner};

/// A point of an equity line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    /// The probability to win.
    pub(super) win: f64,
    /// What the position is worth there.
    pub(super) worth: f64,
}

/// What a position is worth with a live cube, as a function of the probability to win.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveLine {
    /// Worth when every game is lost.
    pub(super) lost: f64,
    /// Where I am doubled out, if the other side can double.
    pub(super) pass: Option<Knot>,
    /// Where I double the other side out, if I can double.
    pub(super) cash: Option<Knot>,
    /// Worth when every game is won.
    pub(super) won: f64,
}

impl LiveLine {
    /// The worth at a probability to win.
    #[inline]
    pub(super) fn at(&self, win: f64) -> f64 {
        let (mut left, mut right) = (Knot::lost(self.lost), Knot::won(self.won));
        if let Some(pass) = self.pass {
            if win <= pass.win {
                right = pass;
            } else {
                left = pass;
            }
        }
        if let Some(cash) = self.cash {
            if win >= cash.win {
                left = cash;
            } else if cash.win < right.win {
                right = cash;
            }
        }
        let width = right.win - left.win;
        if width <= 0.0 {
            return right.worth;
        }
        left.worth + (win - left.win) / width * (right.worth - left.worth)
    }
}

impl Knot {
    /// Every game is lost.
    #[inline]
    pub(super) fn lost(worth: f64) -> Knot {
        Knot { win: 0.0, worth }
    }

    /// Every game is won.
    #[inline]
    pub(super) fn won(worth: f64) -> Knot {
        Knot { win: 1.0, worth }
    }

    /// Where the straight line from here to `right` is worth that much, between the two.
    #[inline]
    pub(super) fn crossing(self, right: Knot, worth: f64) -> f64 {
        let rise = right.worth - self.worth;
        if rise <= 0.0 {
            return right.win;
        }
        let share = ((worth - self.worth) / rise).clamp(0.0, 1.0);
        self.win + share * (right.win - self.win)
    }
}

/// The probability to win from which a double is to be taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TakePoint {
    /// When the cube will not be turned again.
    pub dead: f64,
    /// When it will be turned at the last moment it is still taken.
    pub live: f64,
}

impl TakePoint {
    /// The take point at a cube life.
    ///
    /// The taker's equity is the weighted mean of two lines through the same loss, so the inverse
    /// take point is the weighted mean of the inverses; in money play that is Janowski's
    /// (L - 1/2) / (W + L + x/2).
    pub fn at(self, life: CubeLife) -> f64 {
        if self.dead <= 0.0 || self.live <= 0.0 {
            return 0.0;
        }
        1.0 / life.between(1.0 / self.dead, 1.0 / self.live)
    }
}

/// The take point in money play of the side whose chances these are; only the values of its wins
/// and losses matter. 25 % with a dead cube and 20 % with a live one when all games are single.
pub fn money_take_point(chances: &Chances) -> TakePoint {
    let (won, lost) = values(chances);
    TakePoint {
        dead: (lost - 0.5) / (won + lost),
        live: (lost - 0.5) / (won + lost + 0.5),
    }
}

/// The money equity per unit of the cube, before any cube action. `jacoby` says that games are
/// single as long as the cube is in the centre.
#[inline]
pub(super) fn equity(chances: &Chances, owner: CubeOwner, jacoby: bool, life: CubeLife) -> f64 {
    let (won, lost) = values(chances);
    let single = jacoby && owner == CubeOwner::Centre;
    let (top, bottom) = if single { (1.0, 1.0) } else { (won, lost) };
    let pass = Knot {
        win: (lost - 0.5) / (won + lost + 0.5),
        worth: -1.0,
    };
    let cash = Knot {
        win: (lost + 1.0) / (won + lost + 0.5),
        worth: 1.0,
    };
    let live = LiveLine {
        lost: -bottom,
        pass: (owner != CubeOwner::Mine).then_some(pass),
        cash: (owner != CubeOwner::Theirs).then_some(cash),
        won: top,
    };
    let dead = chances.win * top - (1.0 - chances.win) * bottom;
    life.between(dead, live.at(chances.win))
}

/// W and L: the mean values of the games won and lost, 1 to 3.
#[inline]
fn values(chances: &Chances) -> (f64, f64) {
    let wins = chances.wins().mean(1.0, 2.0, 3.0);
    let losses = chances.losses().mean(1.0, 2.0, 3.0);
    (wins, losses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use CubeOwner::{Centre, Mine, Theirs};

    fn race(win: f64) -> Chances {
        Chances {
            win,
            win_g: 0.0,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        }
    }

    /// W = 1.25, L = 1.5 at even chances.
    const GAMMONS: Chances = Chances {
        win: 0.5,
        win_g: 0.125,
        win_bg: 0.0,
        lose_g: 0.25,
        lose_bg: 0.0,
    };

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    }

    #[test]
    fn take_points_without_gammons_are_25_and_20_percent() {
        let point = money_take_point(&race(0.3));
        close(point.dead, 0.25);
        close(point.live, 0.2);
        close(point.at(CubeLife::DEAD), 0.25);
        close(point.at(CubeLife::LIVE), 0.2);
        let life = CubeLife::new(0.6).expect("a life");
        close(point.at(life), 0.5 / 2.3);
    }

    #[test]
    fn take_points_with_gammons() {
        let point = money_take_point(&GAMMONS);
        close(point.dead, 1.0 / 2.75);
        close(point.live, 1.0 / 3.25);
        close(point.at(CubeLife::CONTACT), 1.0 / (2.75 + 0.35));
    }

    /// Who takes at the take point gets, at twice the cube, what passing costs.
    #[test]
    fn at_the_take_point_taking_equals_passing() {
        for life in [CubeLife::DEAD, CubeLife::CONTACT, CubeLife::LIVE] {
            let win = money_take_point(&race(0.3)).at(life);
            close(2.0 * equity(&race(win), Mine, false, life), -1.0);
        }
    }

    #[test]
    fn a_dead_cube_is_worth_the_cubeless_equity() {
        for owner in [Centre, Mine, Theirs] {
            close(
                equity(&GAMMONS, owner, false, CubeLife::DEAD),
                GAMMONS.equity(),
            );
        }
    }

    /// Janowski's live lines without gammons: 5/2 p - 1 owned, 5/2 p - 3/2 not owned, and from
    /// -1 at 20 % to +1 at 80 % in the centre.
    #[test]
    fn live_lines_without_gammons() {
        for win in [0.2, 0.35, 0.5, 0.65, 0.8] {
            let at = |owner| equity(&race(win), owner, false, CubeLife::LIVE);
            close(at(Mine), 2.5 * win - 1.0);
            close(at(Theirs), 2.5 * win - 1.5);
            close(at(Centre), (win - 0.5) / 0.3);
        }
    }

    #[test]
    fn the_cube_belongs_to_one_side_at_a_time() {
        for win in [0.0, 0.1, 0.3, 0.5, 0.72, 0.9, 1.0] {
            let chances = Chances { win, ..GAMMONS };
            let swapped = chances.swapped();
            for (owner, seen) in [(Centre, Centre), (Mine, Theirs), (Theirs, Mine)] {
                for jacoby in [false, true] {
                    let here = equity(&chances, owner, jacoby, CubeLife::CONTACT);
                    let there = equity(&swapped, seen, jacoby, CubeLife::CONTACT);
                    close(here, -there);
                }
            }
        }
    }

    /// Between the live take and cash points; outside, one of the two does not matter.
    #[test]
    fn owning_the_cube_is_better_than_sharing_it() {
        for step in 21..80 {
            let chances = race(f64::from(step) / 100.0);
            let at = |owner| equity(&chances, owner, false, CubeLife::CONTACT);
            assert!(at(Theirs) < at(Centre) && at(Centre) < at(Mine), "{step} %");
        }
    }

    /// With gammons at constant shares of the wins and losses.
    #[test]
    fn equity_rises_with_the_probability_to_win() {
        let at = |step: u32, owner, jacoby| {
            let win = f64::from(step) / 200.0;
            let chances = Chances {
                win,
                win_g: 0.25 * win,
                win_bg: 0.0,
                lose_g: 0.5 * (1.0 - win),
                lose_bg: 0.0,
            };
            equity(&chances, owner, jacoby, CubeLife::CONTACT)
        };
        for owner in [Centre, Mine, Theirs] {
            for jacoby in [false, true] {
                for step in 0..200 {
                    assert!(
                        at(step, owner, jacoby) < at(step + 1, owner, jacoby),
                        "{owner:?} {step}"
                    );
                }
            }
        }
    }

    /// Gammons are won after a double only: without one the equity ends at +1.
    #[test]
    fn jacoby_makes_games_single() {
        let sure = Chances {
            win: 1.0,
            win_g: 1.0,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        };
        close(equity(&sure, Centre, true, CubeLife::CONTACT), 1.0);
        close(equity(&sure, Centre, false, CubeLife::CONTACT), 2.0);
        close(equity(&sure, Mine, true, CubeLife::CONTACT), 2.0);
    }
}
