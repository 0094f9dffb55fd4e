//! Janowski's cube model at a match score.
//!
//! As in money play ([`super::janowski`]), but worth is measured as the chance to win the match, as
//! GNU Backgammon's manual describes it ("Cubeful equities"): the mean of a dead and a live cube,
//! weighted with the cube life. At a score both sides have take points of their own at every value
//! of the cube. With a live cube they follow from those at twice the value, where the other side
//! owns the cube, down to the value at which the cube is dead because it already wins its owner the
//! match.
//!
//! A cube that already wins the other side the match is turned at once: its owner has nothing more
//! to lose (the trailer after the Crawford game, the automatic redouble).

use super::chances::{Chances, Values};
use super::context::{CubeContext, CubeLife, CubeOwner, MatchScore, Stakes};
use super::janowski::{Knot, LiveLine, TakePoint};
use super::met::Met;

/// The chance to win the match from a game whose cubeless chances these are, with the cube at
/// `value` and no cube action of the side in view now.
pub fn match_chance(
    chances: &Chances,
    owner: CubeOwner,
    value: u32,
    score: MatchScore,
    met: &Met,
    life: CubeLife,
) -> f64 {
    Play::new(chances, score, met).chance(owner, value, life)
}

/// The take point of the side in view when the other turns the cube from `value`; of the chances
/// only the values of the games won and lost matter.
pub fn match_take_point(chances: &Chances, value: u32, score: MatchScore, met: &Met) -> TakePoint {
    let play = Play::new(chances, score, met);
    let doubled = value.saturating_mul(2);
    let (lost, won) = (Knot::lost(play.lost(doubled)), Knot::won(play.won(doubled)));
    TakePoint {
        dead: lost.crossing(won, play.passed(value)),
        live: 1.0 - play.swapped().cash_point(value),
    }
}

/// A game at a match score, as one side sees it.
#[derive(Clone, Copy)]
pub(super) struct Play<'a> {
    met: &'a Met,
    score: MatchScore,
    win: f64,
    wins: Values,
    losses: Values,
}

impl<'a> Play<'a> {
    #[inline]
    pub(super) fn new(chances: &Chances, score: MatchScore, met: &'a Met) -> Play<'a> {
        Play {
            met,
            score,
            win: chances.win,
            wins: chances.wins(),
            losses: chances.losses(),
        }
    }

    /// GNU Backgammon's equivalent to money for a match winning chance: -1 is what losing a single
    /// game at this cube leaves, +1 what winning one gives, linear in between. 0 when the match is
    /// so far decided that both are the same number.
    #[inline]
    pub(super) fn equity(&self, chance: f64, cube: u32) -> f64 {
        let (low, high) = (self.passed(cube), self.cashed(cube));
        if high <= low {
            return 0.0;
        }
        2.0 * (chance - low) / (high - low) - 1.0
    }

    /// The match winning chance with this cube, the other side being the next to act.
    pub(super) fn chance(&self, owner: CubeOwner, cube: u32, life: CubeLife) -> f64 {
        let context = CubeContext {
            owner,
            value: cube,
            stakes: Stakes::Match(self.score),
        };
        let (mine, theirs) = (context.may_double(), context.swapped().may_double());
        let dead = self.dead(cube, theirs);
        if !mine && !theirs {
            return dead;
        }
        let pass = || Knot {
            win: 1.0 - self.swapped().cash_point(cube),
            worth: self.passed(cube),
        };
        let cash = || Knot {
            win: self.cash_point(cube),
            worth: self.cashed(cube),
        };
        let live = LiveLine {
            lost: self.lost(cube),
            pass: theirs.then(pass),
            cash: mine.then(cash),
            won: self.won(cube),
        };
        life.between(dead, live.at(self.win))
    }

    /// The chance with a dead cube, which the other side may still turn when it loses the match
    /// with it anyway.
    fn dead(&self, cube: u32, theirs: bool) -> f64 {
        let played = self.mean(cube);
        if theirs && cube >= u32::from(self.score.me()) {
            let doubled = self.mean(cube.saturating_mul(2));
            return played.min(doubled.max(self.passed(cube)));
        }
        played
    }

    /// The mean over the results of the game at this cube.
    fn mean(&self, cube: u32) -> f64 {
        self.win * self.won(cube) + (1.0 - self.win) * self.lost(cube)
    }

    /// The probability to win from which the other side, its cube being live, passes a double from
    /// this cube.
    fn cash_point(&self, cube: u32) -> f64 {
        let doubled = cube.saturating_mul(2);
        let (won, cashed) = (Knot::won(self.won(doubled)), self.cashed(cube));
        if doubled >= u32::from(self.score.opponent()) {
            return Knot::lost(self.lost(doubled)).crossing(won, cashed);
        }
        let redoubled_out = Knot {
            win: 1.0 - self.swapped().cash_point(doubled),
            worth: self.passed(doubled),
        };
        redoubled_out.crossing(won, cashed)
    }

    /// The same game as the other side sees it.
    fn swapped(&self) -> Play<'a> {
        Play {
            met: self.met,
            score: self.score.swapped(),
            win: 1.0 - self.win,
            wins: self.losses,
            losses: self.wins,
        }
    }

    /// The chance after the game is won with this cube, over the values of the games won.
    #[inline]
    fn won(&self, cube: u32) -> f64 {
        let after = |value| self.after(value * i64::from(cube));
        self.wins.mean(after(1), after(2), after(3))
    }

    /// The chance after the game is lost with this cube, over the values of the games lost.
    #[inline]
    fn lost(&self, cube: u32) -> f64 {
        let after = |value: i64| self.after(-value * i64::from(cube));
        self.losses.mean(after(1), after(2), after(3))
    }

    /// The chance when the other side passes a double from this cube.
    #[inline]
    fn cashed(&self, cube: u32) -> f64 {
        self.after(i64::from(cube))
    }

    /// The chance when I pass a double from this cube.
    #[inline]
    fn passed(&self, cube: u32) -> f64 {
        self.after(-i64::from(cube))
    }

    #[inline]
    fn after(&self, points: i64) -> f64 {
        self.met.after(self.score, points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::cube::Crawford::{self, After, Before, Now};
    use CubeOwner::{Centre, Mine, Theirs};

    fn score(me: u16, opponent: u16, crawford: Crawford) -> MatchScore {
        MatchScore::new(me, opponent, crawford).expect("a score")
    }

    fn chances(win: f64, gammons: f64) -> Chances {
        Chances {
            win,
            win_g: gammons * win,
            win_bg: 0.0,
            lose_g: gammons * (1.0 - win),
            lose_bg: 0.0,
        }
    }

    fn chance(chances: &Chances, owner: CubeOwner, value: u32, score: MatchScore) -> f64 {
        match_chance(
            chances,
            owner,
            value,
            score,
            Met::kazaross_xg2(),
            CubeLife::CONTACT,
        )
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
    }

    /// At one point each a game is the match, whatever its value.
    #[test]
    fn double_match_point_counts_wins() {
        for owner in [Centre, Mine, Theirs] {
            close(
                chance(&chances(0.6, 0.3), owner, 1, score(1, 1, After)),
                0.6,
            );
        }
    }

    /// 2-away 2-away: passing leaves 2-away 1-away (32.264 %), taking plays for the match, so the
    /// take point is 32.264 %, dead and live.
    #[test]
    fn two_away_two_away_is_played_for_the_match() {
        let point = match_take_point(
            &chances(0.5, 0.2),
            1,
            score(2, 2, Before),
            Met::kazaross_xg2(),
        );
        close(point.dead, 0.32264);
        close(point.live, 0.32264);
    }

    /// 3-away 3-away without gammons, cube turned to 2: pass 2-away from behind 40.053 %; lost
    /// 24.924 % (1-away 3-away), won 75.076 %. Dead (40.053 - 24.924) / (75.076 - 24.924). Live: my
    /// redouble to 4 is for the match, the other passes when it wins less than 24.924 %.
    #[test]
    fn three_away_three_away_by_hand() {
        let point = match_take_point(
            &chances(0.5, 0.0),
            1,
            score(3, 3, Before),
            Met::kazaross_xg2(),
        );
        let dead = (0.400_53 - 0.249_24) / (0.750_76 - 0.249_24);
        close(point.dead, dead);
        close(point.live, dead * 0.750_76);
    }

    /// In the Crawford game, 1-away 2-away: 0.67736 is an even game's share.
    #[test]
    fn the_crawford_game_has_no_cube() {
        let met = Met::kazaross_xg2();
        let leads = score(1, 2, Now);
        let even = chance(&chances(0.5, 0.0), Centre, 1, leads);
        close(even, 0.5 + 0.5 * met.win_chance(1, 1, After));
        close(even, 0.75);
        let gammon = Chances {
            lose_g: 0.5,
            ..chances(0.5, 0.0)
        };
        close(chance(&gammon, Centre, 1, leads), 0.5);
    }

    /// The leader, one point away, is as good as doubled: above its take points, which are at most
    /// 50 %, and without gammons it has what it has with the cube at 2.
    #[test]
    fn after_the_crawford_game_the_trailer_doubles_at_once() {
        for win in [0.51, 0.6, 0.8] {
            let game = chances(win, 0.0);
            for away in [2, 4, 6] {
                let leads = score(1, away, After);
                let centred = chance(&game, Centre, 1, leads);
                close(centred, chance(&game, Mine, 2, leads));
            }
        }
    }

    /// A trailer at an even distance needs as many doubled games after a pass as before: the leader
    /// passes almost for nothing (the free drop). At an odd distance a pass saves the trailer a
    /// game: the leader takes almost everything.
    #[test]
    fn free_drops_come_by_parity() {
        let take_point = |away| {
            let leads = score(1, away, After);
            match_take_point(&chances(0.5, 0.0), 1, leads, Met::kazaross_xg2()).dead
        };
        let free = [2, 4, 6, 8].map(take_point);
        let bound = [3, 5, 7, 9].map(take_point);
        assert!(free.iter().all(|&point| point > 0.3), "{free:?}");
        assert!(bound.iter().all(|&point| point < 0.06), "{bound:?}");
    }

    /// An owner whose cube already wins the match leaves it dead: 2-away with the cube at 2.
    #[test]
    fn an_owners_dead_cube_is_worth_the_mean_of_the_results() {
        let met = Met::kazaross_xg2();
        let game = chances(0.6, 0.0);
        let lost = met.win_chance(2, 4, Before);
        close(
            chance(&game, Mine, 2, score(2, 6, Before)),
            0.6 + 0.4 * lost,
        );
    }

    #[test]
    fn both_sides_share_the_match() {
        for (me, opponent, crawford) in
            [(5, 7, Before), (9, 3, Before), (2, 4, Before), (1, 6, Now)]
        {
            let here = score(me, opponent, crawford);
            for win in [0.05, 0.3, 0.5, 0.77, 1.0] {
                let game = chances(win, 0.25);
                for (owner, seen) in [(Centre, Centre), (Mine, Theirs), (Theirs, Mine)] {
                    let mine = chance(&game, owner, 1, here);
                    let theirs = chance(&game.swapped(), seen, 1, here.swapped());
                    close(mine + theirs, 1.0);
                }
            }
        }
    }

    #[test]
    fn the_chance_rises_with_the_probability_to_win() {
        for (me, opponent, crawford) in [
            (5, 7, Before),
            (4, 2, Before),
            (1, 5, Now),
            (1, 4, After),
            (5, 1, After),
        ] {
            for owner in [Centre, Mine, Theirs] {
                for cube in [1, 2, 4] {
                    let at = |step: u32| {
                        let game = chances(f64::from(step) / 100.0, 0.2);
                        chance(&game, owner, cube, score(me, opponent, crawford))
                    };
                    for step in 0..100 {
                        let (here, next) = (at(step), at(step + 1));
                        assert!(
                            here <= next + 1e-12,
                            "{me} {opponent} {owner:?} {cube} {step}"
                        );
                    }
                }
            }
        }
    }

    /// Far from the end a match is money play.
    #[test]
    fn a_long_match_has_the_take_points_of_money() {
        let game = chances(0.5, 0.25);
        let far = match_take_point(&game, 1, score(200, 200, Before), Met::kazaross_xg2());
        let money = crate::games::backgammon::cube::money_take_point(&game);
        assert!((far.dead - money.dead).abs() < 0.005, "{far:?} {money:?}");
        assert!((far.live - money.live).abs() < 0.005, "{far:?} {money:?}");
    }

    #[test]
    fn any_cube_value_has_an_answer() {
        for cube in [1 << 10, 1 << 31, u32::MAX] {
            let found = chance(&chances(0.6, 0.1), Centre, cube, score(25, 3, Before));
            close(found, 0.6);
        }
    }
}
