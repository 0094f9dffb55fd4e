//! Ratings that follow a player from game to game: for live pairing and leagues that never end.
//!
//! They depend on the order of the games and know nothing of shared dice, so they say who to pair next, not who is
//! stronger: for that fit all games together, see [`plackett_luce`](super::plackett_luce).
//!
//! * [`true_skill`]: n players, ties, by the factor graph of `TrueSkill`;
//! * [`weng_lin`]: n players in closed form, the Plackett-Luce model of Weng & Lin;
//! * [`glicko2`]: pairs of players in rating periods, with a volatility.

pub mod glicko2;
pub mod true_skill;
pub mod weng_lin;

/// What is believed of a player's strength: normal with this mean and standard deviation, in the units of the system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, above 0.
    pub deviation: f64,
}

/// What is believed of a player without a game by [`true_skill`] and [`weng_lin`]: 25 ± 25/3.
pub const NEWCOMER: Skill = Skill {
    mean: 25.0,
    deviation: 25.0 / 3.0,
};
/// How much a performance scatters about the skill: 25/6, half the deviation of a [`NEWCOMER`].
pub const BETA: f64 = 25.0 / 6.0;
/// How much a skill may change from game to game: a hundredth of the deviation of a [`NEWCOMER`].
pub const TAU: f64 = 25.0 / 300.0;

/// The players of a game, the best place first; those who tie as they are told.
fn in_order(places: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&player| places[player]);
    order
}
