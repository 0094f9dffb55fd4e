//! `greedy`: captures when it can, the victim that loses most; else runs the furthest token home.

use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;

use super::params::Reader;
use super::{Policy, PolicyEntry, View};

struct Greedy;

pub(super) fn entry<G: Game>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "greedy",
        about: "captures when it can, the victim that loses most; else runs the furthest token home",
        params: vec![],
        build: |table| {
            Reader::new(table).finish()?;
            Ok(Box::new(Greedy))
        },
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
