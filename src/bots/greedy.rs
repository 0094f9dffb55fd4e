//! `greedy`: captures when it can, the victim that loses most; else runs the furthest token home.

use serde::Deserialize;

use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;

use super::{Policy, PolicyEntry, View, params};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Greedy {}

pub(super) fn entry<G: Game>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "greedy",
        about: "captures when it can, the victim that loses most; else runs the furthest token home",
        params: vec![],
        build: |table| params::<Greedy>(table).map(|bot| Box::new(bot) as Box<dyn Policy<G>>),
    }
}

impl<G: Game> Policy<G> for Greedy {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let mut best = (0, (0, false, 0));
        for (index, mv) in view.moves.iter().enumerate() {
            let effect = view.game.preview(view.state, mv);
            let merit = (effect.lost, !effect.passed, effect.from);
            if merit > best.1 {
                best = (index, merit);
            }
        }
        best.0
    }
}
