//! Bots written for backgammon alone.
//!
//! Each has a `Judge`, which says what a board is worth to the side that has just played, and
//! plays the move whose board is worth most. What a value means for winning, its `Odds`, is what
//! the doubling cube needs; the handling of the cube (`Cube`) is the same for all.

mod blot_safe;
mod cube;
pub mod external;
pub mod fit;
mod gnubg;
mod linear;
mod net;
mod odds;
mod pip;
mod prime;
mod pubstyle;
mod race;
#[cfg(test)]
mod tests;

use crate::engine::game::Game;
use crate::engine::random::Stream;
use crate::games::backgammon::bearoff::Equities;
use crate::games::backgammon::board::Board;
use crate::games::backgammon::cube::Chances;
use crate::games::backgammon::sight::Sight;
use crate::games::backgammon::{Backgammon, Rules};

use super::float::Best;
use super::params::{Number, Reader};
use super::{Build, Param, Policy, PolicyEntry, View};

use cube::Cube;
use odds::Odds;

/// A policy of this folder.
struct Kind {
    name: &'static str,
    about: &'static str,
    /// The parameters of its judge.
    params: fn() -> Vec<Param>,
    /// What the values of its judge mean when nothing else is said.
    odds: Odds,
    read: fn(&mut Reader<'_>) -> Result<Box<dyn Judge>, String>,
    build: Build<Backgammon>,
}

const KINDS: [&Kind; 5] = [
    &pip::KIND,
    &blot_safe::KIND,
    &prime::KIND,
    &race::KIND,
    &pubstyle::KIND,
];

/// The policies that play backgammon only.
pub(super) fn entries() -> Vec<PolicyEntry<Backgammon>> {
    let entry = |kind: &Kind| {
        let mut params = (kind.params)();
        params.extend(kind.odds.numbers().iter().map(Number::param));
        params.extend(cube::params());
        PolicyEntry {
            name: kind.name,
            about: kind.about,
            params,
            build: kind.build,
        }
    };
    let mut entries: Vec<PolicyEntry<Backgammon>> = KINDS.map(entry).into();
    entries.push(net::entry());
    // By the name that the learned bot of every other game has.
    entries.push(PolicyEntry {
        name: "learned",
        ..net::entry()
    });
    entries.push(gnubg::entry());
    entries
}

/// A policy from `[params]`.
fn build(table: &toml::Table, kind: &Kind) -> Result<Box<dyn Policy<Backgammon>>, String> {
    let mut reader = Reader::new(table);
    let judge = (kind.read)(&mut reader)?;
    let odds = kind.odds.read(&mut reader)?;
    let cube = Cube::read(&mut reader)?;
    reader.finish()?;
    Ok(Box::new(Player { judge, odds, cube }))
}

/// A weight of a judge.
const fn weight(name: &'static str, default: f64, about: &'static str) -> Number {
    Number {
        name,
        default,
        range: -1000.0..=1000.0,
        about,
    }
}

/// Reads the weights that differ from their defaults.
fn read_weights<const N: usize>(
    reader: &mut Reader<'_>,
    numbers: &[Number; N],
) -> Result<[f64; N], String> {
    let mut weights = [0.0; N];
    for (weight, number) in weights.iter_mut().zip(numbers) {
        *weight = reader.number(number)?;
    }
    Ok(weights)
}

/// Judges boards.
trait Judge: Send + Sync {
    /// What a board is worth to the side that has just played, which is its mover; more is better.
    fn value(&self, sight: &Sight, board: &Board) -> f64;

    /// The index of the play whose board is worth most; of equal ones the first. `evenly` says that
    /// all plays that bear nothing off go equally many pips, see [`plays_evenly`].
    fn best(&self, before: &Board, plays: &[Board], _evenly: bool) -> usize {
        self.most_valuable(before, plays)
    }

    /// The same by [`Judge::value`].
    fn most_valuable(&self, before: &Board, plays: &[Board]) -> usize {
        let mut sight = Sight::of(before);
        let mut other = before.other;
        let mut best = Best::NONE;
        for (index, board) in plays.iter().enumerate() {
            // Only a hit changes the other side.
            if board.other != other {
                other = board.other;
                sight = sight.with_theirs(other);
            }
            sight = sight.with_own(board.mover);
            best.offer(index, self.value(&sight, board), 0);
        }
        best.index()
    }

    /// How much more a board is worth to the side that has just played than it would be to the
    /// other side. Most judges look at their own checkers first; the two views together see both.
    fn balance(&self, board: &Board) -> f64 {
        let sight = Sight::of(board);
        let theirs = self.value(&sight.turned(), &board.swapped());
        self.value(&sight, board) - theirs
    }

    /// How a race without contact ends for the side on roll, when better is known than by
    /// counting pips.
    fn race(&self, _board: &Board) -> Option<Chances> {
        None
    }

    /// What a board is worth for money to the side on roll, with the cube, when that is known
    /// exactly.
    fn exact(&self, _board: &Board) -> Option<Equities> {
        None
    }
}

/// Whether all plays of a roll that bear nothing off go equally many pips: of both dice, of each
/// step of a double that can be played, or of the one die that must be. Without the duty to play the
/// larger one, either may be the only one.
fn plays_evenly(rules: &Rules) -> bool {
    rules.larger_die
}

/// A judge with a cube in its hand.
struct Player {
    judge: Box<dyn Judge>,
    odds: Odds,
    cube: Cube,
}

impl Player {
    /// How the game ends for the side on roll, before it rolls.
    fn chances(&self, board: &Board) -> Chances {
        if board.is_contact() {
            // Values are known right after a play: that of the other side.
            let theirs = board.swapped();
            let balance = self.judge.balance(&theirs);
            self.odds.chances(balance, &theirs).swapped()
        } else {
            let known = self.judge.race(board);
            known.unwrap_or_else(|| odds::of_race(board))
        }
    }
}

impl Policy<Backgammon> for Player {
    fn choose(&mut self, view: &View<'_, Backgammon>, _: &mut Stream) -> usize {
        match view.moves.boards() {
            [] => {
                let exact = |board: &Board| self.judge.exact(board);
                self.cube.choose(view, exact, |board| self.chances(board))
            }
            plays => {
                let evenly = plays_evenly(view.game.rules());
                self.judge.best(&view.state.board, plays, evenly)
            }
        }
    }
}
