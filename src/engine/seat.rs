//! Seats of a table and the sets and tables indexed by them.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most seats any game has.
pub const MAX_SEATS: usize = 8;

/// A place at the table, `A` to `H`, in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u32);

impl Seat {
    /// The seat `A`.
    pub const A: Seat = Seat(0);

    /// The seat with this index, 0 for `A`.
    ///
    /// # Panics
    /// When `index` is 8 or more.
    #[inline]
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a table has at most eight seats");
        Seat(index as u32)
    }

    /// 0 for `A`, 7 for `H`.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask repeats the type's invariant, so that tables of eight need no bounds check.
        (self.0 & 7) as usize
    }

    /// `'A'` to `'H'`.
    pub const fn letter(self) -> char {
        (b'A' + self.0 as u8) as char
    }

    /// The seat of a letter `A` to `H`.
    pub fn from_letter(letter: char) -> Option<Seat> {
        ('A'..='H')
            .contains(&letter)
            .then(|| Seat(u32::from(letter) - u32::from('A')))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of seats, written as its letters in order: `AC`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `count` seats: `first(3)` is `ABC`.
    ///
    /// # Panics
    /// When `count` is more than 8.
    pub const fn first(count: usize) -> SeatSet {
        assert!(count <= MAX_SEATS, "a table has at most eight seats");
        SeatSet(((1u16 << count) - 1) as u8)
    }

    /// This set with `seat` in it.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// Whether `seat` is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// How many seats are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..MAX_SEATS as u32)
            .map(Seat)
            .filter(move |&seat| self.contains(seat))
    }

    /// The seat after `seat` in the order of play, which is cyclic; `seat` itself if it is alone.
    ///
    /// # Panics
    /// When the set is empty.
    pub fn next(self, seat: Seat) -> Seat {
        assert!(!self.is_empty(), "an empty table has no next seat");
        let mut next = Seat((seat.0 + 1) % MAX_SEATS as u32);
        while !self.contains(next) {
            next = Seat((next.0 + 1) % MAX_SEATS as u32);
        }
        next
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

impl fmt::Display for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.iter().map(Seat::letter).collect();
        f.pad(&letters)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeatSet({self})")
    }
}

/// A text that names no set of seats.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeatSetError {
    /// A character that is no seat.
    #[error("'{0}' is no seat; seats are letters A to H, e.g. 'AC' or 'ABCD'")]
    NoSeat(char),
    /// The same seat twice.
    #[error("seat {0} is named twice")]
    Twice(Seat),
    /// No seat at all.
    #[error("no seat is named; write the letters of the seats in play, e.g. 'AC' or 'ABCD'")]
    Empty,
}

impl FromStr for SeatSet {
    type Err = SeatSetError;

    fn from_str(text: &str) -> Result<SeatSet, SeatSetError> {
        let mut seats = SeatSet::EMPTY;
        for letter in text.chars() {
            let seat = Seat::from_letter(letter).ok_or(SeatSetError::NoSeat(letter))?;
            if seats.contains(seat) {
                return Err(SeatSetError::Twice(seat));
            }
            seats = seats.with(seat);
        }
        if seats.is_empty() {
            return Err(SeatSetError::Empty);
        }
        Ok(seats)
    }
}

impl Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// One value for each of the eight possible seats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PerSeat<T>([T; MAX_SEATS]);

impl<T> PerSeat<T> {
    /// The table with `value(seat)` at each seat.
    pub fn from_fn(mut value: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat(std::array::from_fn(|index| value(Seat::new(index))))
    }

    /// The values, `A` first.
    pub const fn as_array(&self) -> &[T; MAX_SEATS] {
        &self.0
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_set_prints_what_it_parses() {
        for text in ["A", "AC", "ABC", "ABCD", "ABCDEFGH"] {
            assert_eq!(text.parse::<SeatSet>().unwrap().to_string(), text);
        }
        assert_eq!("CA".parse::<SeatSet>().unwrap().to_string(), "AC");
    }

    #[test]
    fn a_text_that_is_no_seat_set_is_refused() {
        assert_eq!("AX".parse::<SeatSet>(), Err(SeatSetError::NoSeat('X')));
        assert_eq!("ACA".parse::<SeatSet>(), Err(SeatSetError::Twice(Seat::A)));
        assert_eq!("".parse::<SeatSet>(), Err(SeatSetError::Empty));
    }

    #[test]
    fn the_order_of_play_is_cyclic() {
        let seats: SeatSet = "ACD".parse().unwrap();
        let order: Vec<char> = std::iter::successors(Some(Seat::A), |&s| Some(seats.next(s)))
            .take(5)
            .map(Seat::letter)
            .collect();
        assert_eq!(order, ['A', 'C', 'D', 'A', 'C']);
    }
}
