//! The market window: the chances to win at which a double is right, and at which it is passed.

use crate::games::backgammon::cube::Stakes;
use crate::games::backgammon::cube::{
    Chances, CubeContext, CubeLife, CubeVerdict, Met, TakePoint, decide, match_take_point,
    money_take_point,
};

/// Probabilities to win of the side on roll, the shares of gammons among wins and losses being
/// those of the position, by Janowski's model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// From here on a double gains.
    pub double: f64,
    /// From here on it is passed.
    pub pass: f64,
    /// From here on playing for a gammon gains more than a pass gives, if ever.
    pub too_good: Option<f64>,
    /// The other side's take point.
    pub take: TakePoint,
}

/// The window of a side that may double.
pub fn window(chances: &Chances, context: &CubeContext, life: CubeLife) -> Window {
    let at = |win| decide(&with_win(chances, win), context, Met::kazaross_xg2(), life);
    let gains = |verdict: CubeVerdict| verdict.double_take.min(1.0) > verdict.no_double;
    let pass = first(0.0, 1.0, |win| at(win).double_take > 1.0);
    let is_too_good = |win| at(win).no_double > 1.0;
    Window {
        double: first(0.0, pass, |win| gains(at(win))),
        pass,
        too_good: is_too_good(1.0).then(|| first(pass, 1.0, is_too_good)),
        take: take_point(chances, context),
    }
}

/// The take point of the side that is doubled.
fn take_point(chances: &Chances, context: &CubeContext) -> TakePoint {
    let taker = chances.swapped();
    match context.stakes {
        Stakes::Money { .. } => money_take_point(&taker),
        Stakes::Match(score) => {
            match_take_point(&taker, context.value, score.swapped(), Met::kazaross_xg2())
        }
    }
}

/// The same game with another chance to win.
fn with_win(chances: &Chances, win: f64) -> Chances {
    let scale = |part: f64, of: f64, to: f64| if of > 0.0 { part / of * to } else { 0.0 };
    let (lost, lose) = (1.0 - chances.win, 1.0 - win);
    Chances {
        win,
        win_g: scale(chances.win_g, chances.win, win),
        win_bg: scale(chances.win_bg, chances.win, win),
        lose_g: scale(chances.lose_g, lost, lose),
        lose_bg: scale(chances.lose_bg, lost, lose),
    }
}

/// Where a condition that holds from some point on begins to, to 2^-40; `high` if it never does.
fn first(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::cube::CubeOwner;

    /// Single games for money with a live and with a dead cube (Janowski 1993).
    #[test]
    fn without_gammons_the_window_is_that_of_the_textbook() {
        let chances = Chances {
            win: 0.6,
            win_g: 0.0,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        };
        let stakes = Stakes::Money {
            jacoby: false,
            beavers: false,
        };
        let context = CubeContext {
            owner: CubeOwner::Centre,
            value: 1,
            stakes,
        };
        let dead = window(&chances, &context, CubeLife::DEAD);
        assert!((dead.double - 0.5).abs() < 1e-9 && (dead.pass - 0.75).abs() < 1e-9);
        let live = window(&chances, &context, CubeLife::LIVE);
        assert!((live.double - 0.8).abs() < 1e-9 && (live.pass - 0.8).abs() < 1e-9);
        assert_eq!((live.take.dead, live.take.live), (0.25, 0.2));
        assert_eq!(live.too_good, None);
    }

    #[test]
    fn many_gammons_make_a_position_too_good() {
        let chances = Chances {
            win: 0.8,
            win_g: 0.6,
            win_bg: 0.0,
            lose_g: 0.0,
            lose_bg: 0.0,
        };
        let context = CubeContext {
            owner: CubeOwner::Centre,
            value: 1,
            stakes: Stakes::Money {
                jacoby: false,
                beavers: false,
            },
        };
        let window = window(&chances, &context, CubeLife::CONTACT);
        let too_good = window.too_good.expect("gammons");
        assert!(window.double < window.pass && window.pass < too_good && too_good < 0.8);
    }
}
