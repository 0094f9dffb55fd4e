//! Statistics of games: intervals, sequential tests, effect sizes. Knows no file and no game.

pub mod asymptotic;
pub mod confidence;
pub mod counts;
pub mod elo;
pub mod eprocess;
pub mod exact;
pub mod gsprt;
pub mod interval;
pub mod moments;
pub mod multiple;
pub mod variance_ratio;
pub mod verdict;

mod quantile;

pub use confidence::Confidence;
pub use counts::ScoreCounts;
pub use interval::{BlockMean, Estimate, Interval};
pub use moments::Moments;
pub use verdict::{ErrorRates, Verdict};
