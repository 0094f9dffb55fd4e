//! One strength per bot from games of any number of seats (Luce 1959; Plackett 1975; Davidson 1970 for ties).
//!
//! The order of a game is a row of choices: first the winner among all, then the second among the rest, and so on. A
//! choice falls on entrant i with a chance in proportion to its worth exp θ, θ = strength of the bot + effect of the
//! seat. Of a game that is played only to the first winner the rest is unranked, not tied. With games of two it is the
//! model of Bradley & Terry (1952). If ties occur, a group of t tied entrants is an alternative of its own with worth
//! δₜ · (product of the worths)^(1/t) (Davidson 1970; Turner, van Etten, Firth & Kosmidis 2020).
//!
//! The model assumes that the ratio of two bots' chances does not depend on who else plays. Games where capturing the
//! leader is common can break this; look at the [goodness of fit](Fit::goodness).
//!
//! ```
//! use racelab::stats::plackett_luce::{Entrant, Prior, Rankings};
//!
//! // Three bots at a table of three; 0 beats 1 beats 2, but not always.
//! let mut rankings = Rankings::new(3, 1);
//! for (block, order) in (0..).zip([[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0]]) {
//!     let places = order.map(|bot| vec![Entrant { bot, seat: 0 }]);
//!     rankings.push(block, 1, places.to_vec(), vec![]).unwrap();
//! }
//! let fit = rankings.fit(Prior::None).unwrap();
//! assert!(fit.strengths()[0] > fit.strengths()[2]);
//! ```

mod compare;
mod connectivity;
mod fit;
#[cfg(test)]
mod group_tests;
mod layout;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use compare::{Goodness, Joint, Pair};
pub use connectivity::NotConnected;
pub use fit::{Contrast, Fit, FitError, Prior};

/// Who sits where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entrant {
    /// The bot, from 0.
    pub bot: usize,
    /// The seat, from 0; always 0 if seats are not told apart.
    pub seat: usize,
}

/// The results of games, grouped by equal orders; sums do not depend on the order in which games come.
#[derive(Clone, Debug)]
pub struct Rankings {
    /// The group of each bot: strengths of different groups are not compared.
    bots: Vec<usize>,
    /// The group of each seat.
    seats: Vec<usize>,
    orders: Vec<Order>,
    known: BTreeMap<Order, usize>,
    /// (block, index of the order) → games.
    games: BTreeMap<(u64, usize), u64>,
}

/// How a game ended: who was first, second, …, and who has no place. Several in one place are tied.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    places: Vec<Vec<Entrant>>,
    rest: Vec<Entrant>,
}

/// Why a game cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// Nobody was better than anybody.
    #[error("a game needs two entrants and somebody with a place")]
    NoChoice,
    /// An entrant that does not exist.
    #[error("bot {bot} at seat {seat} is beyond the {bots} bots and {seats} seats")]
    Beyond {
        /// The bot.
        bot: usize,
        /// The seat.
        seat: usize,
        /// How many bots there are.
        bots: usize,
        /// How many seats there are.
        seats: usize,
    },
    /// A tie so large that its alternatives cannot be listed.
    #[error(
        "a tie of {tied} among {entrants} has too many alternatives; at most {MOST_ALTERNATIVES}"
    )]
    TooManyTied {
        /// How many are tied.
        tied: usize,
        /// Among how many.
        entrants: usize,
    },
}

/// The most groups that may be an alternative of one choice.
pub const MOST_ALTERNATIVES: usize = 20_000;

impl Rankings {
    /// No games yet, between `bots` bots. `seats` is 1 if seats are not told apart.
    pub fn new(bots: usize, seats: usize) -> Self {
        Self::in_groups(vec![0; bots], vec![0; seats])
    }

    /// No games yet, between bots in groups that never meet each other, as the same bots under several rule sets: each
    /// has strengths of its own, and a difference means something only within a group. Seats have groups too; an
    /// effect is against the first seat of its group. `bots` and `seats` are the group of each.
    pub fn in_groups(bots: Vec<usize>, mut seats: Vec<usize>) -> Self {
        if seats.is_empty() {
            seats.push(0);
        }
        Self {
            bots,
            seats,
            orders: Vec::new(),
            known: BTreeMap::new(),
            games: BTreeMap::new(),
        }
    }

    /// Adds `games` games of one block that ended alike: `places` from the first on, several in one place being tied;
    /// `rest` played but have no place. Games of one block may depend on each other. Empty places are left out.
    ///
    /// # Errors
    ///
    /// If nobody has a place, if there are fewer than two entrants, if one does not exist, or if a tie is too large.
    pub fn push(
        &mut self,
        block: u64,
        games: u64,
        places: Vec<Vec<Entrant>>,
        rest: Vec<Entrant>,
    ) -> Result<(), GameError> {
        let order = Order::new(places, rest);
        order.check(self.bots.len(), self.seats.len())?;
        let next = self.orders.len();
        let index = *self.known.entry(order.clone()).or_insert(next);
        if index == next {
            self.orders.push(order);
        }
        let sum = self.games.entry((block, index)).or_insert(0);
        *sum = sum.saturating_add(games);
        Ok(())
    }

    /// How many bots there are.
    pub fn bots(&self) -> usize {
        self.bots.len()
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
            .values()
            .fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// How many blocks the games come from.
    pub fn blocks(&self) -> u64 {
        let mut blocks: Vec<u64> = self.games.keys().map(|&(block, _)| block).collect();
        blocks.dedup();
        blocks.len() as u64
    }

    /// The sizes of ties that occur, from 2 up.
    pub(crate) fn ties(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self
            .orders
            .iter()
            .flat_map(|order| order.places.iter().map(Vec::len))
            .filter(|&size| size > 1)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The different orders with their number of games.
    pub(crate) fn counted(&self) -> Vec<(&Order, f64)> {
        let mut counts = vec![0; self.orders.len()];
        for (&(_, index), &games) in &self.games {
            counts[index] += u128::from(games);
        }
        self.orders
            .iter()
            .zip(counts.into_iter().map(|count| count as f64))
            .collect()
    }
}

/// A table of wins: `wins[i][j]` is how often bot i beat bot j. Each game is a block of its own, so only the
/// observed-information errors mean anything.
///
/// # Errors
///
/// If a row is longer than the table.
pub fn bradley_terry(wins: &[Vec<u64>]) -> Result<Rankings, GameError> {
    let mut rankings = Rankings::new(wins.len(), 1);
    let alone = |bot| vec![Entrant { bot, seat: 0 }];
    for (winner, row) in wins.iter().enumerate() {
        for (loser, &games) in row.iter().enumerate() {
            if winner != loser && games > 0 {
                rankings.push(0, games, vec![alone(winner), alone(loser)], vec![])?;
            }
        }
    }
    Ok(rankings)
}

impl Order {
    fn new(places: Vec<Vec<Entrant>>, mut rest: Vec<Entrant>) -> Self {
        let mut places: Vec<_> = places.into_iter().filter(|tied| !tied.is_empty()).collect();
        for tied in &mut places {
            tied.sort_unstable();
        }
        rest.sort_unstable();
        Self { places, rest }
    }

    fn check(&self, bots: usize, seats: usize) -> Result<(), GameError> {
        let entrants = self.places.iter().flatten().chain(&self.rest);
        if self.places.is_empty() || entrants.clone().count() < 2 {
            return Err(GameError::NoChoice);
        }
        if let Some(&Entrant { bot, seat }) = entrants
            .clone()
            .find(|entrant| entrant.bot >= bots || entrant.seat >= seats)
        {
            return Err(GameError::Beyond {
                bot,
                seat,
                bots,
                seats,
            });
        }
        let entrants = entrants.count();
        let largest = self.places.iter().map(Vec::len).max().unwrap_or(1);
        let fits = (2..=largest).all(|size| choose(entrants, size) <= MOST_ALTERNATIVES);
        fits.then_some(()).ok_or(GameError::TooManyTied {
            tied: largest,
            entrants,
        })
    }

    /// The choices of the order: who was chosen, and among whom.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (&[Entrant], Vec<Entrant>)> {
        (0..self.places.len()).filter_map(move |place| {
            let left = self.places[place..].iter().flatten().chain(&self.rest);
            let left: Vec<Entrant> = left.copied().collect();
            (left.len() > 1).then_some((self.places[place].as_slice(), left))
        })
    }
}

/// n over k, or `usize::MAX` if it is beyond [`MOST_ALTERNATIVES`].
fn choose(n: usize, k: usize) -> usize {
    let mut ways: usize = 1;
    for i in 0..k {
        ways = ways.saturating_mul(n - i) / (i + 1);
        if ways > MOST_ALTERNATIVES * 100 {
            return usize::MAX;
        }
    }
    ways
}
