//! Policies that judge positions as `racer` does and lean to one way of playing: `blockader`,
//! `sprinter`, `jailer`, `blocker`. Each is a few parameters that set weights of the game's features; the other features
//! keep the game's own weights. They play the games that have what they lean to.

use crate::engine::race::Race;

use super::params::{Number, Reader};
use super::racer::{Racer, Weights};
use super::{Policy, PolicyEntry};

/// A way of playing.
struct Lean {
    name: &'static str,
    about: &'static str,
    /// The first one is what the policy is about.
    levers: &'static [Lever],
}

/// A parameter that sets the weight of a feature.
struct Lever {
    number: Number,
    /// The names the feature has in different games.
    features: &'static [&'static str],
    /// 1, or -1 where the parameter is a cost.
    sign: f64,
}

/// A parameter in pips for each unit of the feature.
const fn lever(
    name: &'static str,
    default: f64,
    features: &'static [&'static str],
    about: &'static str,
) -> Lever {
    Lever {
        number: Number {
            name,
            default,
            range: 0.0..=100.0,
            about,
        },
        features,
        sign: 1.0,
    }
}

/// A parameter that is a cost.
const fn cost(
    name: &'static str,
    default: f64,
    features: &'static [&'static str],
    about: &'static str,
) -> Lever {
    let lever = lever(name, default, features, about);
    Lever {
        sign: -1.0,
        ..lever
    }
}

const PARTNER: Lever = lever(
    "partner",
    0.5,
    &["partner"],
    "what a pip that the partner's tokens have come is worth",
);

const CAUTION: Lever = caution(0.6);
const WARINESS: Lever = caution(1.0);

const fn caution(default: f64) -> Lever {
    let about = "what a pip that must be expected to be lost costs";
    cost("caution", default, &["exposed"], about)
}

const BLOCKADER: Lean = Lean {
    name: "blockader",
    about: "makes barriers and keeps them, best in front of enemy tokens",
    levers: &[
        lever(
            "barrier",
            6.0,
            &["barriers", "blockades"],
            "what an own barrier is worth",
        ),
        lever(
            "held",
            2.0,
            &["held"],
            "what an enemy token behind an own barrier is worth",
        ),
        CAUTION,
        lever(
            "hurry",
            0.1,
            &["lead"],
            "what it is worth to have one token far ahead of the others",
        ),
        PARTNER,
    ],
};

const SPRINTER: Lean = Lean {
    name: "sprinter",
    about: "brings tokens to the goal, and spends every bonus on that",
    levers: &[
        lever(
            "finish",
            20.0,
            &["goal", "home"],
            "what a token that is home is worth",
        ),
        lever("lane", 8.0, &["lane"], "what a token in the lane is worth"),
        lever(
            "hurry",
            0.5,
            &["lead"],
            "what it is worth to have one token far ahead of the others",
        ),
        CAUTION,
        PARTNER,
    ],
};

const JAILER: Lean = Lean {
    name: "jailer",
    about: "captures and keeps what it captures; buys its own tokens back when the reply is cheap",
    levers: &[
        lever(
            "captive",
            18.0,
            &["captives"],
            "what a captured token of another seat is worth",
        ),
        cost(
            "ransom",
            22.0,
            &["held"],
            "what an own token held by another seat costs: the higher, the sooner it is bought back",
        ),
        WARINESS,
    ],
};

const BLOCKER: Lean = Lean {
    name: "blocker",
    about: "walks in pairs that nobody may pass or capture",
    levers: &[
        lever("block", 8.0, &["blocks"], "what an own block is worth"),
        WARINESS,
    ],
};

/// The policies that play this game.
pub(super) fn entries<G: Race>() -> Vec<PolicyEntry<G>> {
    let mut entries = Vec::new();
    if BLOCKADER.plays::<G>() {
        entries.push(BLOCKADER.entry(|table| build(&BLOCKADER, table)));
    }
    if SPRINTER.plays::<G>() {
        entries.push(SPRINTER.entry(|table| build(&SPRINTER, table)));
    }
    if JAILER.plays::<G>() {
        entries.push(JAILER.entry(|table| build(&JAILER, table)));
    }
    if BLOCKER.plays::<G>() {
        entries.push(BLOCKER.entry(|table| build(&BLOCKER, table)));
    }
    entries
}

impl Lever {
    /// The index of its feature, if the game has it.
    fn feature<G: Race>(&self) -> Option<usize> {
        let known = |name: &&str| G::FEATURES.iter().position(|feature| feature.name == *name);
        self.features.iter().find_map(known)
    }
}

impl Lean {
    /// Whether the game's rolls ask for several moves and it has what the policy is about.
    fn plays<G: Race>(&self) -> bool {
        G::CHAINS && self.levers[0].feature::<G>().is_some()
    }

    fn entry<G: Race>(&self, build: super::Build<G>) -> PolicyEntry<G> {
        let levers = self.levers.iter();
        let used = levers.filter(|lever| lever.feature::<G>().is_some());
        PolicyEntry {
            name: self.name,
            about: self.about,
            params: used.map(|lever| lever.number.param()).collect(),
            build,
        }
    }
}

fn build<G: Race>(lean: &Lean, table: &toml::Table) -> Result<Box<dyn Policy<G>>, String> {
    let mut reader = Reader::new(table);
    let mut weights = Weights::<G>::of_the_game();
    for lever in lean.levers {
        if let Some(feature) = lever.feature::<G>() {
            weights.set(feature, lever.sign * reader.number(&lever.number)?);
        }
    }
    reader.finish()?;
    Ok(Racer::judging_by(weights))
}
