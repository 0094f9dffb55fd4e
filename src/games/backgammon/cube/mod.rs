//! Cube theory: match equity, take points, doubling, and what a position is worth with the cube.
//!
//! Pure numbers: nothing here moves a checker or looks for a move. A bot estimates [`Chances`], and
//! [`decide`] says whether to double and to take, [`cubeful_equity`] what the position is worth.
//!
//! ```
//! use racelab::games::backgammon::cube::{
//!     Chances, CubeContext, CubeLife, CubeOwner, Met, Stakes, decide,
//! };
//!
//! let chances = Chances { win: 0.72, win_g: 0.15, win_bg: 0.0, lose_g: 0.04, lose_bg: 0.0 };
//! let context = CubeContext {
//!     owner: CubeOwner::Centre,
//!     value: 1,
//!     stakes: Stakes::Money { jacoby: true, beavers: false },
//! };
//! let verdict = decide(&chances, &context, Met::kazaross_xg2(), CubeLife::CONTACT);
//! assert_eq!(verdict.to_string(), "Double, take");
//! ```

mod chances;
mod context;
mod decide;
mod janowski;
mod match_play;
mod met;
mod met_csv;
pub mod race;
pub mod wastage;

pub use chances::Chances;
pub use context::{
    Crawford, CubeContext, CubeLife, CubeOwner, LifeError, MatchScore, ScoreError, Stakes,
};
pub use decide::{CubeVerdict, Double, Response, cubeful_equity, decide};
pub use janowski::{TakePoint, money_take_point};
pub use match_play::{match_chance, match_take_point};
pub use met::Met;
pub use met_csv::{MetError, MetProblem, MetTable};
