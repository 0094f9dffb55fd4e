//! What the general bots ask of any race, beyond its rules.

use super::game::{Game, MoveSet};
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

/// The most features a game has.
pub const MAX_FEATURES: usize = 16;

/// The values of [`Race::FEATURES`], in order; what is behind the last one means nothing.
pub type FeatureValues = [f64; MAX_FEATURES];

/// What a learned evaluator is shown of the positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// Weights fit one version only: a change of what the numbers mean is a version of its own.
    pub version: u32,
    /// How many numbers.
    pub count: usize,
}

/// A net file that comes with the program: its name in bot files, and its content.
pub type ShippedNet = (&'static str, &'static [u8]);

/// Inputs are multiples of 1 / this, so that sums of them times rounded weights are exact in
/// whatever order.
const INPUT_GRID: f64 = 64.0;

/// The input that stands for a number: on the grid, within -8 and 8.
#[inline]
pub fn input(number: f64) -> f32 {
    let clamped = number.clamp(-8.0, 8.0);
    ((clamped * INPUT_GRID) as i32) as f32 / INPUT_GRID as f32
}

/// A game that can tell bots how a position looks to a seat.
pub trait Race: Game {
    /// One line on what a greedy seat plays for, see [`Race::prizes`].
    const GREED: &'static str =
        "captures when it can, the victim that loses most; else runs the furthest token home";
    /// What `racelab regret` says of a part of the game whose perfect play is known without exploring all positions.
    const KNOWN_PLAY: Option<&'static str> = None;
    /// The features of [`Race::features`], in order.
    const FEATURES: &'static [Feature];

    /// The pips a seat needs in all to finish.
    fn course(&self) -> u32;

    /// The features of a position as `seat` sees it.
    fn features(&self, state: &Self::State, seat: Seat, out: &mut FeatureValues);

    /// Calls `visit` for each move of a decision, in order, with the features of the seat to move
    /// after the move less those before it, and with the pips the moved token had come.
    fn gains(
        &self,
        state: &Self::State,
        seat: Seat,
        moves: &Self::Moves,
        mut visit: impl FnMut(&FeatureValues, u16),
    ) {
        for mv in moves.iter() {
            let (values, from) = gain(self, state, seat, mv);
            visit(&values, from);
        }
    }

    /// Calls `visit` for each move of a decision, in order, with what it is worth to a greedy seat,
    /// in any unit, a pass below all others, and with the pips the moved token had come. False, and
    /// no call, if the pips that others lose by a move are all there is to weigh; the caller then
    /// asks for the effect of each.
    #[inline(always)]
    fn prizes(
        &self,
        _state: &Self::State,
        _seat: Seat,
        _moves: &Self::Moves,
        _visit: impl FnMut(i32, u16),
    ) -> bool {
        false
    }

    /// The pips `seat` must expect to lose to hits before it moves again.
    fn exposure(&self, state: &Self::State, seat: Seat) -> f64;

    /// Whether a decision is about what is played for, such as a doubling cube, and moves nothing
    /// on the board; its first move leaves the stakes as they are.
    fn is_about_stakes(&self, _state: &Self::State) -> bool {
        false
    }

    /// The versions of what [`Race::inputs`] writes, the first for nets that ask for none; none if
    /// the game has nothing for a learned evaluator.
    const INPUTS: &'static [Inputs] = &[];

    /// The net files that come with the program; that named `""` is the bot `learned`.
    const NETS: &'static [ShippedNet] = &[];

    /// Writes what a learned evaluator sees of a position that awaits a roll, from the place of
    /// `seat`, in one of the versions: into as many zeros as [`Inputs::count`] says, each an
    /// [`input`].
    fn inputs(&self, _version: u32, _state: &Self::State, _seat: Seat, _out: &mut [f32]) {}

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

/// What one move changes, by comparing the whole positions.
pub fn gain<G: Race>(game: &G, state: &G::State, seat: Seat, mv: G::Move) -> (FeatureValues, u16) {
    let mut after = *state;
    let effect = game.apply(&mut after, mv);
    let mut gained = [0.0; MAX_FEATURES];
    let mut before = [0.0; MAX_FEATURES];
    game.features(&after, seat, &mut gained);
    game.features(state, seat, &mut before);
    for (gained, before) in gained.iter_mut().zip(before) {
        *gained -= before;
    }
    (gained, effect.from)
}
