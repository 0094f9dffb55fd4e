//! The policy: of all positions a roll can lead to, the one with the best chance.

use std::path::Path;
use std::sync::Arc;

use crate::bots::float::Best;
use crate::bots::params::{Reader, Word};
use crate::bots::racer::worth;
use crate::bots::{Policy, PolicyEntry, View};
use crate::engine::ends::Ends;
use crate::engine::game::MoveSet;
use crate::engine::race::Race;
use crate::engine::random::Stream;

use super::{Evaluator, Scratch};

/// The parameter that names a net file.
pub(in crate::bots) const NET: Word = Word {
    name: "net",
    default: "",
    about: "the net file that `racelab train` made; \"\" is the one that comes with the program",
};

/// The policy, for a game that has inputs.
pub(in crate::bots) fn entry<G: Race>() -> Option<PolicyEntry<G>> {
    G::INPUTS?;
    Some(PolicyEntry {
        name: "learned",
        about: "plays for the best chance to win as a net trained by self-play sees it",
        params: vec![NET.param()],
        build: |table| {
            let mut reader = Reader::new(table);
            let path = reader.word(&NET)?;
            reader.finish()?;
            Ok(Box::new(Learned::by(Arc::new(read(&path)?))))
        },
    })
}

/// The evaluator of a file, or the shipped one.
pub(in crate::bots) fn read<G: Race>(path: &str) -> Result<Evaluator<G>, String> {
    if path.is_empty() {
        let none = || format!("net = \"\"; {} has no shipped net, name a file", G::NAME);
        return Evaluator::shipped().ok_or_else(none);
    }
    Evaluator::read(Path::new(path)).map_err(|error| format!("net: {error}"))
}

/// Plays what an evaluator takes for the best chance.
#[derive(Debug)]
pub struct Learned<G: Race> {
    evaluator: Arc<Evaluator<G>>,
    scratch: Scratch,
    ends: Ends<G>,
}

impl<G: Race> Learned<G> {
    /// The policy that asks this evaluator.
    pub fn by(evaluator: Arc<Evaluator<G>>) -> Learned<G> {
        Learned {
            evaluator,
            scratch: Scratch::default(),
            ends: Ends::default(),
        }
    }
}

impl<G: Race> Policy<G> for Learned<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let View {
            game,
            state,
            seat,
            moves,
        } = *view;
        let Learned {
            evaluator,
            scratch,
            ends,
        } = self;
        scratch.forget();
        let mut judge = |state: &G::State, seat| evaluator.chance(game, state, seat, scratch);
        let mut best = Best::NONE;
        if G::CHAINS {
            for end in ends.of(game, state, seat, moves) {
                let chance = worth(game, &end.state, seat, &mut judge);
                best.offer(end.first, chance, end.from);
            }
            return best.index();
        }
        for (index, mv) in moves.iter().enumerate() {
            let mut after = *state;
            let effect = game.apply(&mut after, mv);
            let chance = worth(game, &after, seat, &mut judge);
            best.offer(index, chance, effect.from);
        }
        best.index()
    }
}
