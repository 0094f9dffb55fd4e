//! `pubstyle`: a linear evaluator with fitted weights, in the manner of the public benchmark bots.
//!
//! The features are those of [`super::linear`]; the weights of the bot file come from
//! [`super::fit`], that is from games of the evaluator against itself, and from nowhere else. Say
//! `cargo run --release --example fit_pubstyle` to fit them again.

use crate::bots::Param;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::sight::Sight;

use super::linear::Weights;
use super::odds::Odds;
use super::{Judge, Kind, build};

const CONTACT: &str = "contact";
const RACE: &str = "race";

/// Values are log odds of the expected result already, see [`super::fit`]; so the odds depend
/// little on the weights. The bot file has its own, fitted with them.
const ODDS: Odds = Odds {
    bias: -0.1826,
    slope: 0.8392,
    gammon_bias: -1.949,
    gammon_slope: 0.5731,
};

pub(super) const KIND: Kind = Kind {
    name: "pubstyle",
    about: "a linear evaluator, one for contact and one for races; its weights are fitted by self-play",
    params: || {
        let table = |name, about: &str| Param {
            name,
            default: "{}".to_owned(),
            about: format!(
                "a table of weights {about}: own_blot, own_made, own_extra, their_blot, their_made and their_extra \
                 are lists for the points 1 to 24, others numbers; empty: only the lead in pips counts"
            ),
        };
        vec![table(CONTACT, "for contact"), table(RACE, "for the race")]
    },
    odds: ODDS,
    read: |reader| {
        let contact = reader.table(CONTACT, Weights::read)?;
        let race = reader.table(RACE, Weights::read)?;
        Ok(Box::new(Linear { contact, race }))
    },
    build: |table| build(table, &KIND),
};

/// The weights of both phases.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Linear {
    pub(super) contact: Weights,
    pub(super) race: Weights,
}

impl Judge for Linear {
    #[inline]
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let weights = if sight.is_contact() {
            &self.contact
        } else {
            &self.race
        };
        weights.value(sight, board)
    }
}
