//! `run-home`: always the token that has come furthest, or always the one that has come least.

use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;

use super::params::{Choice, Reader};
use super::{Policy, PolicyEntry, View};

const PICK: Choice = Choice {
    name: "pick",
    values: &["front", "rear"],
    about: "\"front\" moves the token that has come furthest, \"rear\" the one that has come least",
};

pub(super) fn entry<G: Game>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "run-home",
        about: "runs one token home: always the one that has come furthest",
        params: vec![PICK.param()],
        build: |table| {
            let mut reader = Reader::new(table);
            let pick = match reader.choice(&PICK)? {
                0 => Pick::Front,
                _ => Pick::Rear,
            };
            reader.finish()?;
            Ok(Box::new(RunHome { pick }))
        },
    }
}

#[derive(Clone, Copy)]
enum Pick {
    Front,
    Rear,
}

struct RunHome {
    pick: Pick,
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
