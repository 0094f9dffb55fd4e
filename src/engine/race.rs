//! What the general bots ask of any race, beyond its rules.

use super::game::Game;
use super::seat::Seat;

/// One number a linear evaluator weighs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Feature {
    /// The key of its weight in a bot file.
    pub name: &'static str,
    /// What it measures, with its range.
    pub about: &'static str,
    /// The weight a bot file that does not name it gets, in pips per unit.
    pub weight: f64,
}

/// A game that can tell bots how a position looks to a seat.
pub trait Race: Game {
    /// The pips a seat needs in all to finish.
    const COURSE: u32;

    /// The features of [`Race::features`], in order.
    const FEATURES: &'static [Feature];

    /// The features of a position as `seat` sees it.
    ///
    /// # Panics
    /// When `out` is shorter than [`Race::FEATURES`].
    fn features(&self, state: &Self::State, seat: Seat, out: &mut [f64]);

    /// The pips `seat` must expect to lose to hits before it moves again.
    fn exposure(&self, state: &Self::State, seat: Seat) -> f64;

    /// A table for one seat, if the game makes sense alone. No game's rules provide it; how fast
    /// a lone player gets home is the yardstick of its bots.
    fn solitaire(_rules: Self::Rules) -> Option<Self> {
        None
    }

    /// The endgame in which every seat has so many tokens still to run, none of them begun, and
    /// all others at their goal; the first seat rolls. None if the game has no such endgame.
    fn endgame(&self, _runners: u8) -> Option<Self::State> {
        None
    }
}
