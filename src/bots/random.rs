//! `random`: every legal move is equally likely.

use crate::engine::game::{Game, MoveSet};
use crate::engine::random::Stream;

use super::params::Reader;
use super::{Habit, Policy, PolicyEntry, View};

struct Random;

pub(super) fn entry<G: Game>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "random",
        about: "any legal move, all equally likely",
        params: vec![],
        build: |table| {
            Reader::new(table).finish()?;
            Ok(Box::new(Random))
        },
    }
}

impl<G: Game> Policy<G> for Random {
    fn choose(&mut self, view: &View<'_, G>, random: &mut Stream) -> usize {
        random.below(view.moves.len() as u64) as usize
    }

    fn habit(&self) -> Habit {
        Habit::Uniform
    }
}
