//! What a search remembers.

use std::hash::Hash;

use crate::engine::ends::spread;

use super::Chances;

/// The positions of one decision that have been valued already: many rolls move nothing, and two
/// moves of a turn can be played in either order. A position is found again only by its exact
/// value and depth, so no choice changes. Saves 3 to 11 % of the instructions at depth 2 and 13 to
/// 21 % at depth 3.
pub(super) struct Seen<S> {
    entries: Vec<Entry<S>>,
    decision: u64,
}

#[derive(Clone)]
struct Entry<S> {
    decision: u64,
    key: Option<(S, u32)>,
    chances: Chances,
}

impl<S: Copy + Eq + Hash> Seen<S> {
    /// Entries; a newer position takes the place of an older one.
    const SIZE: usize = 1024;

    pub(super) fn new() -> Seen<S> {
        let empty = Entry {
            decision: 0,
            key: None,
            chances: Chances::default(),
        };
        Seen {
            entries: vec![empty; Self::SIZE],
            decision: 0,
        }
    }

    /// Forgets everything: the next decision may be of another table or seat.
    pub(super) fn forget(&mut self) {
        self.decision += 1;
    }

    pub(super) fn place(state: &S, rolls: u32) -> usize {
        (spread(state) ^ u64::from(rolls)) as usize % Self::SIZE
    }

    pub(super) fn get(&self, place: usize, state: &S, rolls: u32) -> Option<Chances> {
        let entry = &self.entries[place];
        (entry.decision == self.decision && entry.key == Some((*state, rolls)))
            .then_some(entry.chances)
    }

    pub(super) fn put(&mut self, place: usize, state: &S, rolls: u32, chances: Chances) {
        self.entries[place] = Entry {
            decision: self.decision,
            key: Some((*state, rolls)),
            chances,
        };
    }
}
