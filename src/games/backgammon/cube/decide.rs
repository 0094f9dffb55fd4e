//! Cube decisions: to double, to take, and what the position is worth.

use std::fmt;

use super::chances::Chances;
use super::context::{CubeContext, CubeLife, CubeOwner, Stakes};
use super::janowski;
use super::match_play::Play;
use super::met::Met;

/// Equities closer than this are equal.
const TIE: f64 = 1e-5;

/// What the side in view should do before its roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Double {
    /// It cannot double, or gains nothing by it in any case: the other side owns the cube, this is
    /// the Crawford game, or the cube as it is already wins it the match.
    Unavailable,
    /// Doubling costs equity.
    No,
    /// Doubling makes no difference.
    Optional,
    /// Doubling gains equity.
    Yes,
    /// Playing on for a gammon is worth more than the point a pass would give.
    TooGood,
}

/// What the other side should do when doubled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Give up the game.
    Pass,
    /// Play on and own the cube.
    Take,
    /// Take, turn the cube once more and keep it.
    Beaver,
}

/// A cube decision of the side in view, with what each choice is worth to it.
///
/// In money play equities are points per unit of the cube as it is now; in a match they are
/// normalised so that +1 is the match winning chance after a double and a pass and -1 that after
/// losing a single game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeVerdict {
    /// The equity without a double now.
    pub no_double: f64,
    /// The equity of a double that is taken; a beaver is worth twice as much.
    pub double_take: f64,
    /// The equity of a double that is passed: 1.
    pub double_pass: f64,
    /// What the side in view should do.
    pub double: Double,
    /// What the other side should do when doubled.
    pub response: Response,
    /// Whether the side in view owns the cube, so that doubling is redoubling.
    pub redouble: bool,
}

impl CubeVerdict {
    /// Whether to double.
    pub fn doubles(&self) -> bool {
        self.double == Double::Yes
    }

    /// Whether the other side plays on when doubled.
    pub fn takes(&self) -> bool {
        self.response != Response::Pass
    }

    /// Whether the other side beavers when doubled.
    pub fn beavers(&self) -> bool {
        self.response == Response::Beaver
    }

    /// The equity when both sides do what they should: what a position is worth to the side that
    /// has the roll and the cube action before it.
    pub fn equity(&self) -> f64 {
        if self.doubles() {
            self.doubled()
        } else {
            self.no_double
        }
    }

    /// The equity of a double, rightly answered.
    fn doubled(&self) -> f64 {
        match self.response {
            Response::Pass => self.double_pass,
            Response::Take => self.double_take,
            Response::Beaver => 2.0 * self.double_take,
        }
    }

    /// What to do, by the equities.
    fn choice(&self) -> Double {
        let gain = self.doubled() - self.no_double;
        if gain.abs() <= TIE {
            Double::Optional
        } else if gain > 0.0 {
            Double::Yes
        } else if self.no_double > self.double_pass {
            Double::TooGood
        } else {
            Double::No
        }
    }
}

impl fmt::Display for CubeVerdict {
    /// `Double, take`, `No redouble, beaver`, `Too good to double, pass`, `Cube unavailable`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let double = match (self.double, self.redouble) {
            (Double::Unavailable, _) => return f.write_str("Cube unavailable"),
            (Double::No, false) => "No double",
            (Double::No, true) => "No redouble",
            (Double::Optional, false) => "Optional double",
            (Double::Optional, true) => "Optional redouble",
            (Double::Yes, false) => "Double",
            (Double::Yes, true) => "Redouble",
            (Double::TooGood, false) => "Too good to double",
            (Double::TooGood, true) => "Too good to redouble",
        };
        let response = match self.response {
            Response::Pass => "pass",
            Response::Take => "take",
            Response::Beaver => "beaver",
        };
        write!(f, "{double}, {response}")
    }
}

/// The cube decision of the side whose chances these are, which is about to roll. `met` matters at
/// match scores only.
pub fn decide(chances: &Chances, context: &CubeContext, met: &Met, life: CubeLife) -> CubeVerdict {
    let (no_double, double_take) = equities(chances, context, met, life);
    let response = match context.stakes {
        Stakes::Money { beavers: true, .. } if double_take < 0.0 => Response::Beaver,
        _ if double_take <= 1.0 => Response::Take,
        _ => Response::Pass,
    };
    let verdict = CubeVerdict {
        no_double,
        double_take,
        double_pass: 1.0,
        double: Double::Unavailable,
        response,
        redouble: context.owner == CubeOwner::Mine,
    };
    if context.may_double() {
        let double = verdict.choice();
        CubeVerdict { double, ..verdict }
    } else {
        verdict
    }
}

/// The equity of the side whose chances these are with the cube as it is, the other side being the
/// next to roll and to double. Units as in [`CubeVerdict`].
///
/// For choosing among plays at a score: the chances after the play, seen by the side that played.
#[inline]
pub fn cubeful_equity(chances: &Chances, context: &CubeContext, met: &Met, life: CubeLife) -> f64 {
    match context.stakes {
        Stakes::Money { jacoby, .. } => janowski::equity(chances, context.owner, jacoby, life),
        Stakes::Match(score) => {
            let play = Play::new(chances, score, met);
            let chance = play.chance(context.owner, context.value, life);
            play.equity(chance, context.value)
        }
    }
}

/// The equities without a double and with one that is taken.
fn equities(chances: &Chances, context: &CubeContext, met: &Met, life: CubeLife) -> (f64, f64) {
    match context.stakes {
        Stakes::Money { jacoby, .. } => (
            janowski::equity(chances, context.owner, jacoby, life),
            2.0 * janowski::equity(chances, CubeOwner::Theirs, false, life),
        ),
        Stakes::Match(score) => {
            let play = Play::new(chances, score, met);
            let cube = context.value;
            let played = play.chance(context.owner, cube, life);
            let taken = play.chance(CubeOwner::Theirs, cube.saturating_mul(2), life);
            (play.equity(played, cube), play.equity(taken, cube))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::cube::Crawford::{After, Before, Now};
    use crate::games::backgammon::cube::MatchScore;
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

    fn money(owner: CubeOwner) -> CubeContext {
        CubeContext {
            owner,
            value: 2,
            stakes: Stakes::Money {
                jacoby: false,
                beavers: true,
            },
        }
    }

    fn verdict(chances: &Chances, context: &CubeContext) -> CubeVerdict {
        decide(chances, context, Met::kazaross_xg2(), CubeLife::CONTACT)
    }

    /// From hopeless to too good, by the chances alone.
    #[test]
    fn verdicts_in_the_order_of_strength() {
        let gammons = Chances {
            win: 0.9,
            win_g: 0.6,
            ..race(0.9)
        };
        let texts = |owner| {
            [race(0.4), race(0.6), race(0.75), race(0.85), gammons]
                .map(|chances| verdict(&chances, &money(owner)).to_string())
        };
        assert_eq!(
            texts(Centre),
            [
                "No double, beaver",
                "No double, take",
                "Double, take",
                "Double, pass",
                "Too good to double, pass"
            ]
        );
        assert_eq!(
            texts(Mine),
            [
                "No redouble, beaver",
                "No redouble, take",
                "Redouble, take",
                "Redouble, pass",
                "Too good to redouble, pass"
            ]
        );
        assert_eq!(texts(Theirs), ["Cube unavailable"; 5]);
    }

    /// A dead cube is turned by the favourite and taken with a quarter of the wins.
    #[test]
    fn the_last_roll() {
        let at = |win| {
            let context = money(Centre);
            decide(&race(win), &context, Met::kazaross_xg2(), CubeLife::DEAD)
        };
        assert_eq!(at(0.51).to_string(), "Double, take");
        assert_eq!(at(0.5).to_string(), "Optional double, take");
        assert_eq!(at(0.7499).to_string(), "Double, take");
        assert_eq!(at(0.7501).to_string(), "Double, pass");
        assert_eq!(at(0.625).equity().to_bits(), 0.5f64.to_bits());
    }

    /// Beavers double what the doubler loses; without the option it is a take.
    #[test]
    fn beavers_are_an_option() {
        let bold = verdict(&race(0.5), &money(Centre));
        assert!(bold.beavers() && bold.takes() && !bold.doubles());
        let stakes = Stakes::Money {
            jacoby: false,
            beavers: false,
        };
        let context = CubeContext {
            stakes,
            ..money(Centre)
        };
        let calm = verdict(&race(0.5), &context);
        assert_eq!(calm.response, Response::Take);
        assert_eq!(calm.double_take.to_bits(), bold.double_take.to_bits());
    }

    /// Gammons that count only after a double make doubling right earlier.
    #[test]
    fn jacoby_makes_the_gammonish_side_double() {
        let attack = Chances {
            win: 0.85,
            win_g: 0.6,
            ..race(0.85)
        };
        let with = |jacoby| {
            let stakes = Stakes::Money {
                jacoby,
                beavers: false,
            };
            let context = CubeContext {
                owner: Centre,
                value: 1,
                stakes,
            };
            verdict(&attack, &context)
        };
        assert_eq!(with(true).to_string(), "Double, pass");
        assert_eq!(with(false).to_string(), "Too good to double, pass");
    }

    #[test]
    fn match_verdicts() {
        let at = |me, opponent, crawford, owner, value, win| {
            let score = MatchScore::new(me, opponent, crawford).expect("a score");
            let context = CubeContext {
                owner,
                value,
                stakes: Stakes::Match(score),
            };
            verdict(&race(win), &context).to_string()
        };
        assert_eq!(at(1, 3, Now, Centre, 1, 0.7), "Cube unavailable");
        assert_eq!(at(3, 1, Now, Centre, 1, 0.7), "Cube unavailable");
        assert_eq!(at(1, 3, After, Centre, 1, 0.7), "Cube unavailable");
        assert_eq!(at(3, 1, After, Centre, 1, 0.1), "Double, take");
        assert_eq!(at(4, 7, Before, Mine, 4, 0.7), "Cube unavailable");
        assert_eq!(at(2, 2, Before, Centre, 1, 0.7), "Double, pass");
        assert_eq!(at(2, 2, Before, Centre, 1, 0.6), "Double, take");
    }

    /// 1-away 999-away: no game changes anything in 53 bits.
    #[test]
    fn a_decided_match_has_equity_zero() {
        let score = MatchScore::new(1, 999, After).expect("a score");
        let context = CubeContext {
            owner: Centre,
            value: 1,
            stakes: Stakes::Match(score),
        };
        let found = cubeful_equity(&race(0.7), &context, Met::kazaross_xg2(), CubeLife::CONTACT);
        assert_eq!(found.to_bits(), 0f64.to_bits());
    }

    /// +1 is a double and a pass, -1 a single game lost, at any score.
    #[test]
    fn match_equities_are_normalised() {
        for (me, opponent) in [(7, 5), (2, 9), (25, 25)] {
            let score = MatchScore::new(me, opponent, Before).expect("a score");
            let context = CubeContext {
                owner: Centre,
                value: 1,
                stakes: Stakes::Match(score),
            };
            for (win, equity) in [(1.0, 1.0), (0.0, -1.0)] {
                let met = Met::kazaross_xg2();
                let found = cubeful_equity(&race(win), &context, met, CubeLife::CONTACT);
                assert!(
                    (found - equity).abs() < 1e-12,
                    "{me} {opponent} {win}: {found}"
                );
            }
        }
    }
}
