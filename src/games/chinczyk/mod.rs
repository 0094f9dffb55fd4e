//! Chińczyk with two dice, for 2 to 4 seats.
//!
//! # The rules
//!
//! The board is that of Parchís: a ring of 68 squares `1` to `68`, walked upwards; A starts on
//! `5`, B on `22`, C on `39`, D on `56`; after 63 squares a token turns into its own lane `c1` to
//! `c7`, behind which lies the goal. All four tokens wait in the yard.
//!
//! ```text
//! A turn: roll two dice and play them one after the other, in any order, with one token or two.
//!   enter   a five, or both dice if they make five, brings a token to the own start square
//!   walk    so many squares; exactly to the goal, never past a blockade
//!   land    on an own token: the two are a blockade, which nobody passes or enters
//!           on an enemy: it goes back to its yard; on a black square (12 17 29 34 46 51 63 68)
//!           it stays, and the tokens share the square
//!   bonus   10 for a capture, 15 for a token at the goal: at once, with one token
//!   pass    any die or bonus may be given up
//!   again   after a doublet; the third in a row is not played, it sends a token back
//! With all four tokens in the yard and no five the turn is over. Who first has all tokens at the
//! goal wins; in team play with the partner across.
//! ```
//!
//! The source is the Polish rule text of an online game; where it is silent the reading in
//! `docs/rules/chinczyk.md` decides and says why. The sentences of the source stand at the
//! options of [`Rules`] and at the rules below.

mod features;
mod insight;
mod moves;
mod play;
mod rules;
mod state;
mod text;

use crate::engine::game::{
    DiceError, Effect, Game, PositionError, RulesError, Script, Standing, Turn,
};
use crate::engine::random::DiceStream;
use crate::engine::seat::{Seat, SeatSet};
use crate::games::pachisi::{self, Board, text::seats_of};

pub use moves::{Move, Moves};
pub use rules::{
    BonusTiming, EnterOn, MustUse, ProtectedLanding, Rules, SafeSet, TeamEnd, TripleDoublet,
};
pub use state::State;

use moves::Switches;
use state::Memory;

/// A table of Chińczyk: rules and seats, with what follows from them.
#[derive(Clone, Debug)]
pub struct Chinczyk {
    rules: Rules,
    seats: SeatSet,
    switches: Switches,
    /// Whether the rules are those nearly every game is played by.
    is_full: bool,
}

/// Two dice: their order never matters, so the lower is named first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll {
    low: u8,
    high: u8,
}

impl Roll {
    /// The roll of two faces, 1 to 6 each, in either order.
    ///
    /// # Panics
    /// When a face is not on the die.
    #[inline(always)]
    pub const fn new(one: u8, two: u8) -> Roll {
        assert!(
            1 <= one && one <= 6 && 1 <= two && two <= 6,
            "a die has six faces"
        );
        if one <= two {
            Roll {
                low: one,
                high: two,
            }
        } else {
            Roll {
                low: two,
                high: one,
            }
        }
    }
}

/// The 21 rolls; of the 36 ways the dice can fall a doublet is one, each other roll two.
const ROLLS: [(Roll, u32); 21] = {
    let mut rolls = [(Roll { low: 1, high: 1 }, 1); 21];
    let mut index = 0;
    let mut low = 1;
    while low <= 6 {
        let mut high = low;
        while high <= 6 {
            rolls[index] = (Roll { low, high }, if low == high { 1 } else { 2 });
            index += 1;
            high += 1;
        }
        low += 1;
    }
    rolls
};

impl Chinczyk {
    fn at(rules: Rules, seats: SeatSet) -> Chinczyk {
        let switches = Switches::of(&rules);
        Chinczyk {
            switches,
            is_full: switches == Switches::FULL,
            rules,
            seats,
        }
    }

    /// The seat and, in team play, its partner across.
    #[inline]
    fn side_of(&self, seat: Seat) -> SeatSet {
        let one = SeatSet::EMPTY.with(seat);
        if self.switches.teams {
            one.with(Seat::new((seat.index() + 2) & 3))
        } else {
            one
        }
    }

    /// Whether the roll is the third doublet of a turn, which costs a token.
    fn is_third_doublet(&self, memory: Memory) -> bool {
        self.switches.penalty && memory.doubles() == 2 && memory.again()
    }

    /// The pips that the tokens of a side have come.
    fn side_progress(&self, state: &State, seat: Seat) -> u32 {
        let side = self.side_of(seat);
        side.iter().map(|mate| state.0.progress(mate)).sum()
    }
}

impl Game for Chinczyk {
    const NAME: &'static str = "chinczyk";
    const ABOUT: &'static str =
        "Chińczyk: two dice, 68 squares, blockades and bonuses, 2 to 4 seats";
    const CHAINS: bool = true;
    type Rules = Rules;
    type State = State;
    type Roll = Roll;
    type Move = Move;
    type Moves = Moves;

    fn new(rules: Rules, seats: SeatSet) -> Result<Chinczyk, RulesError> {
        let error = |field, reason| Err(RulesError { field, reason });
        super::corners::check_seats(seats)?;
        // «W przypadku gry w cztery osoby możliwe jest włączenie opcji gry zespołowej.»
        if rules.teams && seats.len() < 4 {
            let reason = format!("two play against two, but '{seats}' are {}", seats.len());
            return error("teams, seats", reason);
        }
        for (field, bonus) in [
            ("capture_bonus", rules.capture_bonus),
            ("goal_bonus", rules.goal_bonus),
        ] {
            pachisi::check_bonus(field, bonus.into())?;
        }
        Ok(Chinczyk::at(rules, seats))
    }

    fn seat_sets() -> Vec<SeatSet> {
        ["ABCD", "AC", "ABC", "AB"]
            .iter()
            .map(|text| text.parse().expect("these are seats"))
            .collect()
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> SeatSet {
        self.seats
    }

    fn start(&self, first: Seat) -> State {
        assert!(self.seats.contains(first), "seat {first} is not in play");
        let corners =
            std::array::from_fn(|corner| self.seats.contains(Seat::new(corner)).then_some([0; 4]));
        State(Board::new(corners, first, self.switches.teams))
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        let memory = state.memory();
        if memory.is_mid_roll() {
            Turn::Decision(state.to())
        } else if memory.is_over() {
            Turn::Over
        } else {
            Turn::Chance(state.to())
        }
    }

    fn rolls(&self, _: &State) -> &'static [(Roll, u32)] {
        &ROLLS
    }

    #[inline(always)]
    fn sample(&self, _: &State, dice: &mut DiceStream) -> Roll {
        let (one, two) = (dice.die(), dice.die());
        Roll {
            low: one.min(two),
            high: one.max(two),
        }
    }

    fn read_roll(&self, _: &State, script: &mut Script<'_>) -> Result<Roll, DiceError> {
        Ok(Roll::new(script.face()?, script.face()?))
    }

    #[inline(always)]
    fn roll(&self, state: &mut State, roll: Roll) -> Turn {
        let memory = state.memory();
        debug_assert!(!memory.is_mid_roll() && !memory.is_over());
        let memory = memory
            .with_dice(roll.low, roll.high)
            .with_again(roll.low == roll.high);
        state.0.set_memo(memory.0);
        Turn::Decision(state.to())
    }

    #[inline(always)]
    fn moves(&self, state: &State, out: &mut Moves) {
        // The rules are written once; the common case is compiled with all options set.
        *out = if self.is_full {
            self.legal(state, Switches::FULL)
        } else {
            self.legal(state, self.switches)
        };
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) -> Effect {
        if self.is_full {
            self.play(state, mv, Switches::FULL)
        } else {
            self.play(state, mv, self.switches)
        }
    }

    /// In team play the partners share a place.
    fn standing(&self, state: &State) -> Standing {
        let over = state.memory().is_over();
        let winners = self.side_of(state.to());
        Standing::by_merit(self.seats, |seat| {
            let won = over && winners.contains(seat);
            (won, self.side_progress(state, seat))
        })
    }

    fn side(&self, seat: Seat) -> SeatSet {
        self.side_of(seat)
    }

    fn progress(&self, state: &State, seat: Seat) -> u32 {
        state.0.progress(seat)
    }

    fn print(&self, state: &State) -> String {
        text::print(self, state)
    }

    fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
        seats_of(text)
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        text::parse(self, text)
    }

    fn roll_text(&self, roll: Roll) -> String {
        format!("{}-{}", roll.low, roll.high)
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        text::move_text(self, state, mv)
    }

    fn why_no_move(&self, state: &State) -> String {
        text::why_no_move(self, state)
    }
}
