//! What the plays of a future are chosen by, and what judges where it ends.

use crate::bots::Param;
use crate::bots::float::logistic;
use crate::bots::learned::{self, Scratch};
use crate::bots::params::{Choice, Number, Reader, first_said};
use crate::bots::racer::{Weights, worth};
use crate::engine::race::Race;
use crate::engine::seat::Seat;

const EVALUATOR: Choice = Choice {
    name: "evaluator",
    values: &["racer", "learned"],
    about: "what chooses and judges: \"racer\" weighs the features of a position, \"learned\" asks the net of the policy learned",
};
const TEMPERATURE: Number = Number {
    name: "temperature",
    default: 50.0,
    range: 1.0..=1000.0,
    about: "the score above `par` that makes this seat e times as likely to win as not, with \"racer\"",
};
const PAR: Number = Number {
    name: "par",
    default: 0.0,
    range: -1000.0..=1000.0,
    about: "the score of a position that is won as often as not, with \"racer\"",
};
const WEIGHTS: &str = "weights";

/// The merit of a game that is won; of one that is lost the same below 0. More than any score.
const WON: f64 = 1e9;

/// The parameters.
pub(super) fn params<G: Race>() -> Vec<Param> {
    let mut params = vec![EVALUATOR.param(), TEMPERATURE.param(), PAR.param()];
    params.push(Param {
        name: WEIGHTS,
        default: "{}".to_owned(),
        about: "a table: the weights of the evaluator \"racer\" that differ from its own"
            .to_owned(),
    });
    if !G::INPUTS.is_empty() {
        params.extend([learned::NET.param(), learned::NET_HASH.param()]);
    }
    params
}

/// Says what a position is worth to a seat that has played.
pub(super) struct Judge<G> {
    temperature: f64,
    par: f64,
    evaluator: Evaluator<G>,
}

enum Evaluator<G> {
    Racer(Weights<G>),
    Learned(learned::Evaluator<G>, Scratch),
}

impl<G: Race> Judge<G> {
    /// Reads the parameters.
    pub(super) fn read(table: &toml::Table, reader: &mut Reader<'_>) -> Result<Judge<G>, String> {
        let evaluator = reader.choice(&EVALUATOR)?;
        let temperature = reader.number(&TEMPERATURE)?;
        let par = reader.number(&PAR)?;
        let weights = reader.table(WEIGHTS, Weights::<G>::read)?;
        let net = match G::INPUTS {
            [] => None,
            _ => Some(learned::NetFile::of(reader)?),
        };
        // What belongs to the other evaluator is a slip, not a wish.
        let (others, name) = if evaluator == 0 {
            (&[learned::NET.name, learned::NET_HASH.name][..], "learned")
        } else {
            (&[WEIGHTS, TEMPERATURE.name, PAR.name][..], "racer")
        };
        if let Some(other) = first_said(table, others) {
            return Err(format!("{other}: only with evaluator = \"{name}\""));
        }
        let evaluator = if evaluator == 0 {
            Evaluator::Racer(weights)
        } else if let Some(net) = net {
            Evaluator::Learned(net.read()?, Scratch::default())
        } else {
            return Err(format!(
                "evaluator = \"learned\"; {} has no learned evaluator, expected \"racer\"",
                G::NAME
            ));
        };
        Ok(Judge {
            temperature,
            par,
            evaluator,
        })
    }

    /// Forgets the position that others are compared with.
    pub(super) fn forget(&mut self) {
        if let Evaluator::Learned(_, scratch) = &mut self.evaluator {
            scratch.forget();
        }
    }

    /// What a position is worth to a seat, in the unit of the evaluator: a score, or a chance.
    pub(super) fn merit(&mut self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let evaluator = &mut self.evaluator;
        let mut judge = |state: &G::State, seat| match super::won(game, state, seat) {
            Some(true) => WON,
            Some(false) => -WON,
            None => match evaluator {
                Evaluator::Racer(weights) => weights.score(game, state, seat),
                Evaluator::Learned(net, scratch) => net.chance(game, state, seat, scratch),
            },
        };
        worth(game, state, seat, &mut judge)
    }

    /// The chance to win that a merit stands for.
    pub(super) fn chance(&self, merit: f64) -> f64 {
        match self.evaluator {
            Evaluator::Racer(_) => logistic((merit - self.par) / self.temperature),
            Evaluator::Learned(..) => merit.clamp(0.0, 1.0),
        }
    }
}
