//! How a game may end, as six probabilities.

/// Cubeless probabilities of how the game ends, for one side.
///
/// Each from 0 to 1 and cumulative: `win_g` counts gammons and backgammons won, `win_bg` only
/// backgammons, so `win >= win_g >= win_bg`, and likewise `1 - win >= lose_g >= lose_bg`. What an
/// estimate breaks of this is read as the nearest possible.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The side wins, whatever the value.
    pub win: f64,
    /// The side wins a gammon or a backgammon.
    pub win_g: f64,
    /// The side wins a backgammon.
    pub win_bg: f64,
    /// The side loses a gammon or a backgammon.
    pub lose_g: f64,
    /// The side loses a backgammon.
    pub lose_bg: f64,
}

impl Chances {
    /// The same game seen by the other side.
    #[inline]
    #[must_use]
    pub fn swapped(&self) -> Chances {
        Chances {
            win: 1.0 - self.win,
            win_g: self.lose_g,
            win_bg: self.lose_bg,
            lose_g: self.win_g,
            lose_bg: self.win_bg,
        }
    }

    /// The cubeless money equity in points per unit of the cube, -3 to 3.
    #[inline]
    pub fn equity(&self) -> f64 {
        2.0 * self.win - 1.0 + self.win_g + self.win_bg - self.lose_g - self.lose_bg
    }

    /// How the games that are won are won.
    #[inline]
    pub(super) fn wins(&self) -> Values {
        Values::of(self.win, self.win_g, self.win_bg)
    }

    /// How the games that are lost are lost.
    #[inline]
    pub(super) fn losses(&self) -> Values {
        Values::of(1.0 - self.win, self.lose_g, self.lose_bg)
    }
}

/// Shares of the values among the games one side wins; the rest are single.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Values {
    /// Value 2, from 0 to 1.
    pub(super) gammons: f64,
    /// Value 3, from 0 to 1.
    pub(super) backgammons: f64,
}

impl Values {
    /// Shares of `gammons` (backgammons included) and `backgammons` in `games`.
    #[inline]
    fn of(games: f64, gammons: f64, backgammons: f64) -> Values {
        if games <= 0.0 {
            return Values {
                gammons: 0.0,
                backgammons: 0.0,
            };
        }
        let doubled = (gammons / games).clamp(0.0, 1.0);
        let tripled = (backgammons / games).clamp(0.0, doubled);
        Values {
            gammons: doubled - tripled,
            backgammons: tripled,
        }
    }

    /// The mean of what a single game, a gammon and a backgammon are worth.
    #[inline]
    pub(super) fn mean(self, single: f64, gammon: f64, backgammon: f64) -> f64 {
        let singles = 1.0 - self.gammons - self.backgammons;
        singles * single + self.gammons * gammon + self.backgammons * backgammon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANCES: Chances = Chances {
        win: 0.5,
        win_g: 0.125,
        win_bg: 0.0625,
        lose_g: 0.25,
        lose_bg: 0.0,
    };

    /// 0.375 · 1 + 0.0625 · 2 + 0.0625 · 3 - 0.25 · 1 - 0.25 · 2 by hand.
    #[test]
    fn equity_adds_values_times_probabilities() {
        assert_eq!(CHANCES.equity().to_bits(), (-0.0625f64).to_bits());
        assert_eq!(CHANCES.swapped().equity().to_bits(), 0.0625f64.to_bits());
        assert_eq!(CHANCES.swapped().swapped(), CHANCES);
    }

    #[test]
    fn values_are_shares_of_the_games_won() {
        let mean = CHANCES.wins().mean(1.0, 2.0, 3.0);
        assert_eq!(mean.to_bits(), (0.6875f64 / 0.5).to_bits());
        assert_eq!(
            CHANCES.losses().mean(1.0, 2.0, 3.0).to_bits(),
            1.5f64.to_bits()
        );
    }

    #[test]
    fn impossible_estimates_become_the_nearest_possible() {
        let broken = Chances {
            win: 0.25,
            win_g: 0.5,
            win_bg: 0.75,
            lose_g: -0.5,
            lose_bg: 0.5,
        };
        assert_eq!(broken.wins().mean(1.0, 2.0, 3.0).to_bits(), 3f64.to_bits());
        assert_eq!(
            broken.losses().mean(1.0, 2.0, 3.0).to_bits(),
            1f64.to_bits()
        );
        let lost = Chances { win: 0.0, ..broken };
        assert_eq!(lost.wins().mean(1.0, 2.0, 3.0).to_bits(), 1f64.to_bits());
    }
}
