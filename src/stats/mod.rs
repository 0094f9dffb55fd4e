//! Statistics of games: intervals, sequential tests, effect sizes. Knows no file and no game.

pub mod confidence;
pub mod counts;
pub mod exact;
pub mod moments;

pub use confidence::Confidence;
pub use counts::ScoreCounts;
pub use moments::Moments;
