//! `run-home`: always the token that has come furthest, or always the one that has come least.

use serde::Deserialize;

use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;

use super::{Param, Policy, PolicyEntry, View, params};

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Pick {
    #[default]
    Front,
    Rear,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RunHome {
    pick: Pick,
}

pub(super) fn entry<G: Game>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "run-home",
        about: "runs one token home: always the one that has come furthest",
        params: vec![Param {
            name: "pick",
            default: "\"front\"".to_owned(),
            about: "\"front\" moves the token that has come furthest, \"rear\" the one that has come least",
        }],
        build: |table| params::<RunHome>(table).map(|bot| Box::new(bot) as Box<dyn Policy<G>>),
    }
}

impl<G: Game> Policy<G> for RunHome {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let come = |mv| {
            let effect = view.game.preview(view.state, mv);
            // A pass moves no token and is the last resort of both.
            (!effect.passed, effect.from)
        };
        let moves = view.moves.iter().enumerate();
        let chosen = match self.pick {
            Pick::Front => moves.max_by_key(|&(index, mv)| (come(mv), std::cmp::Reverse(index))),
            Pick::Rear => moves.min_by_key(|&(_, mv)| {
                let (moved, from) = come(mv);
                (!moved, from)
            }),
        };
        chosen.map_or(0, |(index, _)| index)
    }
}
