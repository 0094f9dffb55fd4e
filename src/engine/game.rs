//! The contract between a game and everything else.
//!
//! A game is a value that holds its rules as tables; a position is a packed [`Game::State`] that
//! is copied freely. Chance and choice are different types: no bot can be asked to roll, no die
//! can move a token. Every promise made here is checked by [`crate::engine::laws`] for every
//! registered game, preset and seat set.

use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::random::DiceStream;
use super::scribe::{Names, Scribe, ScribeError};
use super::seat::{MAX_SEATS, PerSeat, Seat, SeatSet};

/// Whose move it is, and what kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Turn {
    /// This seat rolls next.
    Chance(Seat),
    /// This seat chooses a move.
    Decision(Seat),
    /// The game is finished.
    #[default]
    Over,
}

/// Tokens sent back by one move, counted for each seat (0 to 15).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Hits {
    /// The first seat that was hit, `A`'s index if nobody was.
    first: u8,
    /// Its tokens.
    count: u8,
    /// Four bits for each further seat.
    others: u32,
}

impl Hits {
    /// Nobody was hit.
    pub const NONE: Hits = Hits {
        first: 0,
        count: 0,
        others: 0,
    };

    /// `count` tokens of `victim`.
    #[inline]
    pub const fn of(victim: Seat, count: u8) -> Hits {
        Hits {
            first: if count == 0 { 0 } else { victim.index() as u8 },
            count,
            others: 0,
        }
    }

    /// These tokens and `count` more, of a seat not among them.
    #[must_use]
    pub const fn and(self, victim: Seat, count: u8) -> Hits {
        if self.is_none() {
            return Hits::of(victim, count);
        }
        Hits {
            others: self.others | (count as u32) << (4 * victim.index()),
            ..self
        }
    }

    /// Whether nobody was hit.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.count == 0
    }

    /// How many tokens of `victim` were sent back.
    #[inline]
    pub const fn count(self, victim: Seat) -> u8 {
        if victim.index() as u8 == self.first {
            self.count
        } else {
            (self.others >> (4 * victim.index()) & 15) as u8
        }
    }

    /// The first seat that was hit with its tokens, seat `A` and 0 if nobody was.
    #[inline(always)]
    pub const fn first(self) -> (Seat, u32) {
        (Seat::new((self.first & 7) as usize), self.count as u32)
    }

    /// The further seats that were hit, each with its tokens.
    #[inline(always)]
    pub fn others(self) -> impl Iterator<Item = (Seat, u32)> {
        let mut rest = self.others;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros() / 4;
            let count = rest.checked_shr(4 * index)? & 15;
            rest &= !(15 << (4 * index));
            Some((Seat::new(index as usize), count))
        })
    }

    /// Each seat that was hit with its tokens.
    pub fn iter(self) -> impl Iterator<Item = (Seat, u32)> {
        let first = (!self.is_none()).then(|| self.first());
        first.into_iter().chain(self.others())
    }
}

/// What a move did, in the terms of any race.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effect {
    /// How far the moved token had come before the move, in pips from the yard (yard: 0).
    pub from: u16,
    /// How many pips the mover's tokens gained; negative when a token had to turn back.
    pub gained: i16,
    /// How many pips the other seats' tokens lost; negative when they gained by it, which only
    /// happens in a game that [shifts](Game::SHIFTS_OTHERS) them.
    pub lost: i16,
    /// The tokens sent back.
    pub hits: Hits,
    /// Tokens that can no longer be hit because of this move.
    pub saved: u8,
    /// Whether nothing moved: no legal move, or a pass.
    pub passed: bool,
    /// Whether the mover's turn is over; also when the game is.
    pub turn_ends: bool,
    /// Turns that passed without a roll after this one ended: seats that had to skip theirs.
    pub skipped: u8,
    /// Whether a game is over: all of it, or one game of a match that goes on with a new one.
    pub ends_game: bool,
    /// What [`Game::turn`] says after the move.
    pub next: Turn,
}

/// The legal moves of one decision, sorted, unique and never empty.
pub trait MoveSet: Default + Clone + Debug + Send {
    /// The game's move type.
    type Move: Copy + Ord;

    /// How many moves there are, at least 1.
    fn len(&self) -> usize;

    /// Always false for the moves of a decision.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The move at `index` in ascending order.
    ///
    /// # Panics
    /// When `index` is not below [`MoveSet::len`].
    fn get(&self, index: usize) -> Self::Move;

    /// Whether there is only one move, so that no bot needs to be asked.
    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.len() == 1
    }

    /// The move of a forced decision.
    #[inline(always)]
    fn forced(&self) -> Self::Move {
        self.get(0)
    }

    /// The only move, where nothing can move and the moves say so at once. A shortcut for the play
    /// loop: `None` is always right.
    #[inline(always)]
    fn idle(&self) -> Option<Self::Move> {
        None
    }

    /// The moves in ascending order.
    fn iter(&self) -> impl Iterator<Item = Self::Move> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The move that captures most or, if none captures, comes from furthest, where the moves
    /// tell without a look at the position. Asked only when there is more than one.
    #[inline(always)]
    fn greediest(&self) -> Option<Self::Move> {
        None
    }
}

/// How a game stands: places with ties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The place of each seat in play: 1 is best, equals share the better place (1, 2, 2, 4).
    /// 0 for a seat that is not in play.
    pub places: PerSeat<u8>,
}

impl Standing {
    /// The standing in which a higher merit is a better place.
    pub fn by_merit<T: Ord>(seats: SeatSet, merit: impl Fn(Seat) -> T) -> Standing {
        let merits = PerSeat::from_fn(|seat| seats.contains(seat).then(|| merit(seat)));
        let place = |mine: &Option<T>| {
            // An empty seat compares below all others, so nobody is behind it.
            let better = merits.as_array().iter().filter(|&other| other > mine);
            better.count() as u8 + 1
        };
        Standing {
            places: PerSeat::from_fn(|seat| match &merits[seat] {
                None => 0,
                mine => place(mine),
            }),
        }
    }
}

/// One house rule, for `racelab rules`.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption {
    /// The field in specs and result sets.
    pub name: &'static str,
    /// The values it can take, the default first.
    pub values: &'static [&'static str],
    /// What it changes.
    pub effect: &'static str,
    /// The sentence of the source it rests on, or who plays it that way.
    pub source: &'static str,
}

/// A named rule set.
#[derive(Clone, Copy, Debug)]
pub struct Preset<R> {
    /// The name in specs.
    pub name: &'static str,
    /// Whose rules these are.
    pub about: &'static str,
    /// The rules.
    pub rules: R,
}

/// The house rules of a game: one documented, defaulted, serialised field each.
pub trait RuleSet:
    Clone + PartialEq + Default + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The fields, in the order of the struct.
    const OPTIONS: &'static [RuleOption];

    /// The known rule sets; the first is `default` and equals `Self::default()`.
    fn presets() -> Vec<Preset<Self>>;

    /// The board of these rules drawn in lines of at most 80 columns, with what its marks mean, if
    /// boards differ.
    fn drawing(&self) -> Option<String> {
        None
    }
}

/// A combination of rules and seats that no table can play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct RulesError {
    /// The field or fields at fault.
    pub field: &'static str,
    /// What is wrong and what would work.
    pub reason: String,
}

/// A text that is no position, naming the seat or field and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct PositionError {
    /// The seat or field at fault.
    pub place: String,
    /// What was expected.
    pub reason: String,
}

impl PositionError {
    /// The error at this seat or field.
    pub fn new(place: impl Into<String>, reason: impl Into<String>) -> PositionError {
        PositionError {
            place: place.into(),
            reason: reason.into(),
        }
    }
}

/// A script of dice that does not fit what the game asks for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiceError {
    /// The script ended before the roll did.
    #[error("dice: the script runs out after {0} faces")]
    RunsOut(usize),
    /// A number that is no face.
    #[error("dice: {0} is no face of a die; faces are 1 to 6")]
    NoFace(i64),
}

/// Something a game counts for each seat beside wins and captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// The name in `measures.csv`.
    pub name: &'static str,
    /// What is counted, with its unit.
    pub about: &'static str,
    /// Whether it is a score of points, which a spec can cap.
    pub is_score: bool,
}

/// The most measures of a game.
pub const MAX_MEASURES: usize = 10;

/// What [`Game::MEASURES`] counted for each seat, in order; the rest is 0.
pub type Measured = PerSeat<[i32; MAX_MEASURES]>;

/// A dice race.
pub trait Game: Sized + Send + Sync + 'static {
    /// The id in specs, CSV and file names.
    const NAME: &'static str;
    /// One line for `racelab games`.
    const ABOUT: &'static str;
    /// The most seats that a position has room for. A game for more may have a wider type of the
    /// same name and rules; the registry finds the narrowest with room.
    const MOST_SEATS: usize = MAX_SEATS;
    /// Whether a game can end before a seat has finished: by giving up.
    const CONCEDES: bool = false;
    /// Whether [`Game::result_set`] lists the positions that await the next roll; not those of
    /// backgammon, whose notation shows boards before the turn is passed.
    const RESULT_SETS_ARE_POSITIONS: bool = true;
    /// Whether one roll can ask the same seat for several moves, one after the other.
    const CHAINS: bool = false;
    /// Whether a move can shift tokens of other seats without sending them back, and can send
    /// back tokens of the mover's own. Without it only hits cost pips, and only others'.
    const SHIFTS_OTHERS: bool = false;
    /// What is counted for each seat beside wins and captures.
    const MEASURES: &'static [Measure] = &[];
    /// The house rules.
    type Rules: RuleSet;
    /// A position, packed and compared by value.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// What chance decides.
    type Roll: Copy + Eq + Debug;
    /// What a seat decides. A pass is a move.
    type Move: Copy + Ord + Debug;
    /// The legal moves of one decision.
    type Moves: MoveSet<Move = Self::Move>;

    /// The game at this table under these rules.
    ///
    /// # Errors
    /// When no table can play this combination; the error names the field.
    fn new(rules: Self::Rules, seats: SeatSet) -> Result<Self, RulesError>;

    /// The seat sets worth testing and offering, the default first.
    fn seat_sets() -> Vec<SeatSet>;

    /// The rules in force.
    fn rules(&self) -> &Self::Rules;

    /// The seats in play.
    fn seats(&self) -> SeatSet;

    /// The start position, `first` to roll.
    ///
    /// # Panics
    /// When `first` is not in play.
    fn start(&self, first: Seat) -> Self::State;

    /// Whose move it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Whether chance is asked in the middle of a roll, not for a new one.
    fn is_mid_roll(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether the next roll is still to come, whatever is decided before it.
    fn awaits_roll(&self, state: &Self::State) -> bool {
        matches!(self.turn(state), Turn::Chance(_)) && !self.is_mid_roll(state)
    }

    /// Every roll that can come, with its exact integer weight.
    fn rolls(&self, state: &Self::State) -> &'static [(Self::Roll, u32)];

    /// Draws a roll with exactly the weights of [`Game::rolls`].
    fn sample(&self, state: &Self::State, dice: &mut DiceStream) -> Self::Roll;

    /// The roll that the next faces of a script give.
    ///
    /// # Errors
    /// When a face is not on the die or the script runs out.
    fn read_roll(
        &self,
        state: &Self::State,
        script: &mut Script<'_>,
    ) -> Result<Self::Roll, DiceError>;

    /// Applies a roll to a position that awaits one; what [`Game::turn`] says then.
    fn roll(&self, state: &mut Self::State, roll: Self::Roll) -> Turn;

    /// The legal moves at a decision: sorted, unique, never empty.
    fn moves(&self, state: &Self::State, out: &mut Self::Moves);

    /// Plays a move of [`Game::moves`].
    fn apply(&self, state: &mut Self::State, mv: Self::Move) -> Effect;

    /// What `mv` would do, without doing it. Only `turn_ends`, `skipped`, `ends_game`
    /// and `next` may be left at their defaults.
    #[inline]
    fn preview(&self, state: &Self::State, mv: Self::Move) -> Effect {
        let mut copy = *state;
        self.apply(&mut copy, mv)
    }

    /// How the seats stand: the places if the game ended now.
    fn standing(&self, state: &Self::State) -> Standing;

    /// The seats that win and lose together with `seat`, itself included: its team.
    fn side(&self, seat: Seat) -> SeatSet {
        SeatSet::EMPTY.with(seat)
    }

    /// How far the tokens of `seat` have come in all, in pips (a token in the yard: 0).
    fn progress(&self, state: &Self::State, seat: Seat) -> u32;

    /// Whether no game can give more than some hundred points, so that an interval of the mean
    /// says something: without a bound the variance may be infinite.
    fn scores_are_bounded(&self) -> bool {
        true
    }

    /// Plays a move as [`Game::apply`] does and adds what it counts for [`Game::MEASURES`]; only a
    /// game that has some need know how.
    #[inline(always)]
    fn apply_counted(
        &self,
        state: &mut Self::State,
        _seat: Seat,
        mv: Self::Move,
        _out: &mut Measured,
    ) -> Effect {
        self.apply(state, mv)
    }

    /// What a roll can lead to, see [`super::results::result_set`].
    ///
    /// # Errors
    /// When a face is not on the die or the script runs out.
    fn result_set(&self, state: &Self::State, faces: &[i64]) -> Result<Vec<String>, DiceError> {
        super::results::result_set(self, state, faces)
    }

    /// Who writes a whole game down in a format, for players of these names.
    ///
    /// # Errors
    /// When the game has no such format, or the format no place for its rules.
    fn scribe(
        &self,
        format: &str,
        _names: &Names<'_>,
    ) -> Result<Box<dyn Scribe<Self>>, ScribeError> {
        Err(ScribeError::NoNotation {
            game: Self::NAME,
            format: format.to_owned(),
        })
    }

    /// The position as one line of text, see `docs/positions.md`.
    fn print(&self, state: &Self::State) -> String;

    /// The seats a position text names; enough to build the game it belongs to.
    ///
    /// # Errors
    /// When the text is no position.
    fn seats_of(text: &str) -> Result<SeatSet, PositionError>;

    /// The position of a text, for the seats of this game.
    ///
    /// # Errors
    /// When the text is no position of this game; the error names the seat or field.
    fn parse(&self, text: &str) -> Result<Self::State, PositionError>;

    /// A roll as a person writes it: `6`, `5-3`.
    fn roll_text(&self, roll: Self::Roll) -> String;

    /// A move as a person writes it, before it is played: `r34>L2#`.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String;

    /// At a decision that leaves only the pass: why nothing can move.
    fn why_no_move(&self, state: &Self::State) -> String;
}

/// Dice faces written down in advance, read in order.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    faces: &'a [i64],
    read: usize,
}

impl<'a> Script<'a> {
    /// A script of these faces.
    pub const fn new(faces: &'a [i64]) -> Script<'a> {
        Script { faces, read: 0 }
    }

    /// The next face, 1 to 6.
    ///
    /// # Errors
    /// When it is not on the die or the script runs out.
    pub fn face(&mut self) -> Result<u8, DiceError> {
        let &face = self
            .faces
            .get(self.read)
            .ok_or(DiceError::RunsOut(self.read))?;
        self.read += 1;
        match face {
            1..=6 => Ok(face.unsigned_abs() as u8),
            _ => Err(DiceError::NoFace(face)),
        }
    }

    /// The faces not read yet.
    pub fn unread(&self) -> &'a [i64] {
        &self.faces[self.read..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_for_each_seat() {
        let (b, d) = (Seat::new(1), Seat::new(3));
        let hits = Hits::NONE.and(d, 2).and(b, 1);
        assert_eq!(
            [hits.count(Seat::A), hits.count(b), hits.count(d)],
            [0, 1, 2]
        );
        assert_eq!(hits.first(), (d, 2));
        assert_eq!(hits.iter().collect::<Vec<_>>(), [(d, 2), (b, 1)]);
        assert_eq!(Hits::of(b, 0), Hits::NONE);
        assert!(Hits::NONE.is_none() && !hits.is_none());
        assert_eq!(Hits::NONE.iter().count(), 0);
    }
}
