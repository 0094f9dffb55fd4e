//! Where the cube is, what it shows and what is played for.

use thiserror::Error;

use crate::games::backgammon::board::Board;

/// Who may turn the cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CubeOwner {
    /// Nobody has turned it: both may.
    Centre,
    /// The side in view.
    Mine,
    /// The other side.
    Theirs,
}

/// Where the game stands to the Crawford game, the one without a cube which begins when a side
/// first is one point away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crawford {
    /// The Crawford game is still to come.
    Before,
    /// This is the Crawford game.
    Now,
    /// The Crawford game is over.
    After,
}

/// What is played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stakes {
    /// Every point counts the same.
    Money {
        /// Gammons and backgammons count only once the cube has been turned.
        jacoby: bool,
        /// Who takes may turn the cube again at once and keep it.
        beavers: bool,
    },
    /// The match alone counts.
    Match(MatchScore),
}

/// The points both sides still need, the side in view first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchScore {
    me: u16,
    opponent: u16,
    crawford: Crawford,
}

/// Why there is no such score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ScoreError {
    /// A side has no points to go.
    #[error("score {me}-away {opponent}-away: the match is over; both sides need at least 1 point")]
    Over {
        /// Points the side in view needs.
        me: u16,
        /// Points the other side needs.
        opponent: u16,
    },
    /// The Crawford game has come, and nobody is one point away.
    #[error(
        "score {me}-away {opponent}-away: the Crawford game comes when a side is 1-away; \
         before it say `Crawford::Before`"
    )]
    TooEarly {
        /// Points the side in view needs.
        me: u16,
        /// Points the other side needs.
        opponent: u16,
    },
    /// The Crawford game is said to come later, and one side alone is one point away.
    #[error(
        "score {me}-away {opponent}-away: the Crawford game is not to come any more; \
         say `Crawford::Now` or `Crawford::After`"
    )]
    TooLate {
        /// Points the side in view needs.
        me: u16,
        /// Points the other side needs.
        opponent: u16,
    },
}

impl MatchScore {
    /// The score at which I need `me` points and the opponent `opponent`.
    ///
    /// # Errors
    /// When a side needs no point, or the score and the Crawford game do not fit together. At one
    /// point each, where the cube is dead, all three are accepted.
    pub fn new(me: u16, opponent: u16, crawford: Crawford) -> Result<MatchScore, ScoreError> {
        let nearest = me.min(opponent);
        if nearest == 0 {
            return Err(ScoreError::Over { me, opponent });
        }
        match crawford {
            Crawford::Now | Crawford::After if nearest > 1 => {
                Err(ScoreError::TooEarly { me, opponent })
            }
            Crawford::Before if nearest == 1 && me != opponent => {
                Err(ScoreError::TooLate { me, opponent })
            }
            _ => Ok(MatchScore {
                me,
                opponent,
                crawford,
            }),
        }
    }

    /// Points the side in view needs, at least 1.
    #[inline]
    pub fn me(self) -> u16 {
        self.me
    }

    /// Points the other side needs, at least 1.
    #[inline]
    pub fn opponent(self) -> u16 {
        self.opponent
    }

    /// Where this game stands to the Crawford game.
    #[inline]
    pub fn crawford(self) -> Crawford {
        self.crawford
    }

    /// The score seen by the other side.
    #[inline]
    #[must_use]
    pub fn swapped(self) -> MatchScore {
        MatchScore {
            me: self.opponent,
            opponent: self.me,
            crawford: self.crawford,
        }
    }
}

/// The cube and what is played for, as one side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CubeContext {
    /// Who may turn the cube.
    pub owner: CubeOwner,
    /// What the cube shows, at least 1. Money equities are per unit of it and do not change.
    pub value: u32,
    /// What is played for.
    pub stakes: Stakes,
}

impl CubeContext {
    /// The same seen by the other side.
    #[inline]
    #[must_use]
    pub fn swapped(self) -> CubeContext {
        let owner = match self.owner {
            CubeOwner::Centre => CubeOwner::Centre,
            CubeOwner::Mine => CubeOwner::Theirs,
            CubeOwner::Theirs => CubeOwner::Mine,
        };
        let stakes = match self.stakes {
            Stakes::Match(score) => Stakes::Match(score.swapped()),
            money @ Stakes::Money { .. } => money,
        };
        CubeContext {
            owner,
            stakes,
            ..self
        }
    }

    /// Whether a double of the side in view can be right: it has access to the cube, this is not
    /// the Crawford game, and the cube as it is does not already win it the match.
    #[inline]
    pub fn may_double(self) -> bool {
        let has_access = self.owner != CubeOwner::Theirs;
        has_access
            && match self.stakes {
                Stakes::Money { .. } => true,
                Stakes::Match(score) => {
                    score.crawford != Crawford::Now && self.value < u32::from(score.me)
                }
            }
    }
}

/// Janowski's cube life x: 0, the cube is never used again (dead), to 1, every double is made at
/// the last moment it is still taken (live).
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct CubeLife(f64);

/// A cube life that is none.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("cube life {0}: must be from 0 (dead) to 1 (live), such as 0.7")]
pub struct LifeError(f64);

impl CubeLife {
    /// The cube is never used again.
    pub const DEAD: CubeLife = CubeLife(0.0);
    /// Every double is made at the last moment it is still taken.
    pub const LIVE: CubeLife = CubeLife(1.0);
    /// Positions with contact. Fitted to the two-ply cube decisions of GNU Backgammon in
    /// `tests/golden/backgammon/cube_decisions.jsonl`: of its 113 clear contact decisions to double
    /// or not, 107 are reproduced at 0.68, 110 at 0.70 and 0.72, 106 at 0.80.
    pub const CONTACT: CubeLife = CubeLife(0.7);

    /// A cube life from 0 to 1.
    ///
    /// # Errors
    /// When `life` is not in that range.
    pub fn new(life: f64) -> Result<CubeLife, LifeError> {
        if (0.0..=1.0).contains(&life) {
            Ok(CubeLife(life))
        } else {
            Err(LifeError(life))
        }
    }

    /// Races: 0.5 at the very end, where few rolls are left to double at the right moment, growing
    /// by 0.003 a pip of the side on roll up to that of contact.
    ///
    /// Fitted by hand to exact two-sided bear-offs of up to six checkers (best at 0.5) and to the
    /// races among GNU Backgammon's cube decisions (40 to 110 pips, best from 0.64 to 0.72).
    pub fn race(pips: u16) -> CubeLife {
        CubeLife((0.5 + 0.003 * f64::from(pips)).min(CubeLife::CONTACT.0))
    }

    /// The life that fits a board with its mover to play.
    pub fn of(board: &Board) -> CubeLife {
        if board.is_contact() {
            CubeLife::CONTACT
        } else {
            CubeLife::race(board.mover.pips())
        }
    }

    /// The number, 0 to 1.
    #[inline]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Between what holds for a dead and for a live cube.
    #[inline]
    pub(super) fn between(self, dead: f64, live: f64) -> f64 {
        (1.0 - self.0) * dead + self.0 * live
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::Side;
    use Crawford::{After, Before, Now};
    use CubeOwner::{Centre, Mine, Theirs};

    #[test]
    fn scores_fit_the_crawford_game() {
        let error = |me, opponent, crawford| {
            let score = MatchScore::new(me, opponent, crawford);
            score.expect_err("no such score").to_string()
        };
        assert_eq!(
            error(0, 3, After),
            "score 0-away 3-away: the match is over; both sides need at least 1 point"
        );
        assert_eq!(
            error(2, 3, Now),
            "score 2-away 3-away: the Crawford game comes when a side is 1-away; \
             before it say `Crawford::Before`"
        );
        assert_eq!(
            error(4, 1, Before),
            "score 4-away 1-away: the Crawford game is not to come any more; \
             say `Crawford::Now` or `Crawford::After`"
        );
        for crawford in [Before, Now, After] {
            assert!(MatchScore::new(1, 1, crawford).is_ok());
        }
    }

    #[test]
    fn doubling_needs_access_and_a_use() {
        let at = |owner, value, me, opponent, crawford| {
            let score = MatchScore::new(me, opponent, crawford).expect("a score");
            let context = CubeContext {
                owner,
                value,
                stakes: Stakes::Match(score),
            };
            (context.may_double(), context.swapped().may_double())
        };
        assert_eq!(at(Centre, 1, 5, 5, Before), (true, true));
        assert_eq!(at(Mine, 2, 5, 5, Before), (true, false));
        assert_eq!(at(Theirs, 2, 5, 5, Before), (false, true));
        assert_eq!(at(Mine, 4, 4, 5, Before), (false, false), "dead cube");
        assert_eq!(at(Centre, 1, 1, 5, Now), (false, false), "Crawford game");
        assert_eq!(at(Centre, 1, 1, 5, After), (false, true), "leader, trailer");
        assert_eq!(at(Centre, 1, 1, 1, After), (false, false), "one point each");
    }

    #[test]
    fn life_is_a_share() {
        assert_eq!(
            CubeLife::new(1.5).expect_err("too long").to_string(),
            "cube life 1.5: must be from 0 (dead) to 1 (live), such as 0.7"
        );
        assert!(CubeLife::new(f64::NAN).is_err());
        assert_eq!(CubeLife::new(1.0), Ok(CubeLife::LIVE));
    }

    #[test]
    fn races_are_less_live_the_shorter_they_are() {
        let home = |ace| {
            let mut counts = [0; 26];
            counts[1] = ace;
            Side::from_counts(&counts)
        };
        let race = Board {
            mover: home(10),
            other: home(2),
        };
        assert_eq!(CubeLife::of(&Board::START), CubeLife::CONTACT);
        assert!((CubeLife::of(&race).get() - 0.53).abs() < 1e-12);
        assert_eq!(CubeLife::race(120), CubeLife::CONTACT);
    }
}
