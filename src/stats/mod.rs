//! Statistics of games: intervals, sequential tests, effect sizes, optimisers. Knows no file and no game.
//!
//! Everything starts from two integer records of a run. [`Moments`] keeps the count, the sum and the sum of
//! squares of per-block scores; [`ScoreCounts`] keeps how many blocks had each score. Both merge exactly, in any
//! order, so a result does not depend on the number of threads or shards.
//!
//! A *block* is one dice seed played in all rotations of a line-up. Blocks are independent; the games of a block
//! share their dice and are not. Hence every standard error here comes from blocks.
//!
//! ```
//! use racelab::stats::{Confidence, ScoreCounts, elo, eprocess, gsprt};
//!
//! // One A against three B, 20,000 blocks of four games; the cells are 0, 1, 2, 3 and 4 wins of A.
//! let counts = ScoreCounts::from_counts(vec![4148, 9718, 5138, 932, 64]).unwrap();
//!
//! let share = eprocess::confidence_sequence(&counts, Confidence::PERCENT_95).unwrap();
//! assert!(share.interval.unwrap().low > 0.25);
//! assert_eq!(elo::from_share(share.value, 4).unwrap().round(), 34.0);
//!
//! let model = gsprt::Model::Mean { null: 0.25, alternative: 0.26 };
//! assert!(gsprt::llr(&counts, model).unwrap() > 100.0);
//! ```

pub mod alpha_rank;
pub mod asymptotic;
pub mod bayes_elo;
pub mod confidence;
pub mod counts;
pub mod elo;
pub mod eprocess;
pub mod exact;
pub mod gsprt;
pub mod interval;
pub mod mixture;
pub mod moments;
pub mod multiple;
pub mod online;
pub mod optimise;
pub mod order;
pub mod plackett_luce;
pub mod plan;
pub mod proportions;
pub mod seats;
pub mod selection;
pub mod sprt;
pub mod spsa;
pub mod variance_ratio;
pub mod verdict;

mod linear;
mod quantile;

pub use confidence::Confidence;
pub use counts::ScoreCounts;
pub use interval::{BlockMean, Estimate, Interval};
pub use moments::Moments;
pub use verdict::{ErrorRates, Verdict};
