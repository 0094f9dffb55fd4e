//! The Baikal race, for 2 to 8 seats: two dice, three levels, boards as data.
//!
//! # The rules
//!
//! Every seat has a side of the board. All sides are alike; the ring is walked clockwise. The
//! board `4x12`, seat A at the bottom:
//!
//! ```text
//! 2.0 .  T  .  P  .  g  .  P  >  .  .  3.0  2.0  a corner: Rest, and the start of the
//! .   5              H0       1  3  5  .         seat at its left: A 1.0, B 2.0, …
//! .   3              H1                T    g    gate: the own lane H0 to H3 turns off
//! >   1              H2                .    T    Transit: one die says where it leads
//! P                  H3                P    P    plane: flies to the next plane
//! .                                    .    >    arrow into the pocket ONE, THREE, FIVE;
//! g   H0 H1 H2 H3          H3 H2 H1 H0 g         each is left with its own number
//! .                                    .    .    plain
//! P                  H3                P
//! .                  H2             1  >    Side s is counted s.0 to s.11 from the corner
//! T                  H1             3  .    at its owner's right: 2 Transit, 3 its way out,
//! .   5  3  1        H0             5  .    4 and 8 planes, 6 gate, 9 arrow, 11 the way out
//! 1.0 .  .  >  P  .  g  .  P  .  T  .  0.0  of FIVE.
//! ```
//!
//! * Sprint: one token at a time walks the sum of both dice. Classic: it walks each die, the
//!   bigger one first. Serious: all tokens, free choice; a six enters; two tokens of one owner on
//!   a cell are a block; captured tokens are held until a six ransoms them, and their captor
//!   then moves six at once; as many pips as possible must be used.
//! * A passed token is pushed back by a cell, one that is landed on is captured; neither on a
//!   corner, in a pocket or in a lane.
//! * Rest costs the second die if it was reached with the first, else the next turn; a double
//!   then only loses its extra roll. Doubles roll again.
//! * In the lane each token goes as far as it can; who first fills it wins.
//!
//! The source is the Russian sheet of a boxed game, which does not show its board; what is known,
//! what was chosen and where readings differ is in `docs/rules/baikal.md`. The sentences of the
//! source stand at the fields of [`Rules`] and where a rule is implemented.
//!
//! # Tables of four and of eight
//!
//! A position takes four bytes a seat and eight for the turn. [`Baikal<4>`] holds tables of up to
//! four seats in 24 bytes, [`Baikal<8>`] those of up to eight in 40; their rules are the same.

mod act;
mod board;
mod drawing;
mod features;
mod greed;
mod insight;
mod legal;
mod measures;
mod moves;
mod route;
mod rules;
mod state;
mod text;
mod turn;

use crate::engine::game::{
    DiceError, Effect, Game, Measure, Measured, PositionError, RulesError, Script, Standing, Turn,
};
use crate::engine::random::DiceStream;
use crate::engine::seat::{Seat, SeatSet};

pub use act::Throw;
pub use board::{Board, BoardError};
pub use moves::{Move, Moves};
pub use rules::{Keys, Level, MaxRule, Rules, SecondDie};
pub use state::State;

use route::Route;
use state::{Field, Phase};

/// A table of the Baikal race: rules and seats, with what follows from them.
#[derive(Clone, Debug)]
pub struct Baikal<const SEATS: usize = 4> {
    rules: Rules,
    seats: SeatSet,
    /// How many slots are in play.
    count: usize,
    /// The side of each slot.
    sides: [u8; SEATS],
    /// How a slot's counting of ring cells and sides turns into another's.
    turns: [[Offset; SEATS]; SEATS],
    route: Route,
    keys: [u8; 3],
    keeps_captives: bool,
    /// What tokens cost a greedy seat.
    costs: [greed::Cost; 256],
}

/// What is added to a ring cell and to a side as one slot counts them for another's counting.
#[derive(Clone, Copy, Default, Debug)]
struct Offset {
    ring: u8,
    sides: u8,
}

/// What chance decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Roll {
    /// Two dice, the higher one first.
    Dice(u8, u8),
    /// The die on Transit.
    Transit(Throw),
}

/// The 21 rolls of two dice.
const DICE: &[(Roll, u32)] = &{
    let mut rolls = [(Roll::Dice(1, 1), 1); 21];
    let (mut index, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[index] = (Roll::Dice(high, low), if low == high { 1 } else { 2 });
            index += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
};

/// What the die on Transit can say.
const THROWS: &[(Roll, u32)] = &[
    (Roll::Transit(Throw::Out), 1),
    (Roll::Transit(Throw::Next), 1),
    (Roll::Transit(Throw::Opposite), 1),
];

impl<const SEATS: usize> Baikal<SEATS> {
    /// A table for one: no rule of the game provides it, but how fast a lone player gets home is
    /// the yardstick of every race, so the exact solver sits down there.
    pub fn solitaire(rules: Rules) -> Baikal<SEATS> {
        Baikal::at(rules, SeatSet::first(1))
    }

    /// The seat sets worth testing and offering at the board of these rules; [`Game::seat_sets`]
    /// only knows the default board.
    pub fn seat_sets_of(rules: &Rules) -> Vec<SeatSet> {
        let mut sets = rules.board.seat_sets();
        sets.retain(|seats| seats.len() <= SEATS);
        sets
    }

    fn at(rules: Rules, seats: SeatSet) -> Baikal<SEATS> {
        let keys = rules.key_faces();
        let route = Route::new(&rules.board, keys);
        let mut sides = [0; SEATS];
        for (side, seat) in sides.iter_mut().zip(seats.iter()) {
            *side = seat.index() as u8;
        }
        let turns = sides.map(|mine| {
            sides.map(|theirs| {
                let sides = (mine + route.sides - theirs) % route.sides;
                Offset {
                    ring: sides * route.cells,
                    sides,
                }
            })
        });
        let keeps_captives = rules.level == Level::Serious && rules.capture_keeps;
        Baikal {
            count: seats.len(),
            sides,
            turns,
            costs: greed::costs(&route, keeps_captives),
            route,
            keys,
            keeps_captives,
            rules,
            seats,
        }
    }

    /// The slot of a seat in play, any other number if it is not.
    fn slot(&self, seat: Seat) -> usize {
        self.slot_at(seat.index() as u8)
    }

    /// The slot at a side.
    fn slot_at(&self, side: u8) -> usize {
        let mut slots = self.slots();
        slots
            .find(|&slot| self.sides[slot] == side)
            .unwrap_or(SEATS)
    }

    /// The slots that are home, in the order they came there; without `play_on` none but the
    /// winner of a finished game.
    fn home(&self, state: &State<SEATS>) -> impl Iterator<Item = usize> {
        let home = self
            .slots()
            .filter(|&slot| state.tokens[slot] == self.route.home);
        let (count, state, winner) = (home.count(), *state, state.to());
        let ordered = self.rules.play_on;
        (0..count).map(move |index| if ordered { state.home(index) } else { winner })
    }
}

impl<const SEATS: usize> Game for Baikal<SEATS> {
    const NAME: &'static str = "baikal";
    const ABOUT: &'static str = "The Baikal race: two dice, three levels, any board, 2 to 8 seats";
    const MOST_SEATS: usize = SEATS;
    const CHAINS: bool = true;
    const SHIFTS_OTHERS: bool = true;
    const MEASURES: &'static [Measure] = measures::ALL;
    type Rules = Rules;
    type State = State<SEATS>;
    type Roll = Roll;
    type Move = Move;
    type Moves = Moves;

    fn new(rules: Rules, seats: SeatSet) -> Result<Baikal<SEATS>, RulesError> {
        let error = |field, reason| Err(RulesError { field, reason });
        if let Err(reason) = rules.board.validate() {
            return error("board", reason.to_string());
        }
        let sides = usize::from(rules.board.sides);
        if let Some(seat) = seats.iter().find(|seat| seat.index() >= sides) {
            let board = rules.board.name().unwrap_or("this board");
            let last = Seat::new(sides - 1);
            return error(
                "seats, board",
                format!("there is no seat {seat} at {board}; its {sides} sides are A to {last}"),
            );
        }
        if !(2..=SEATS).contains(&seats.len()) {
            let number = seats.len();
            return error(
                "seats",
                format!("'{seats}' are {number}; this table has 2 to {SEATS}, e.g. 'AC'"),
            );
        }
        Ok(Baikal::at(rules, seats))
    }

    /// Those of the default board; [`Baikal::seat_sets_of`] knows the others.
    fn seat_sets() -> Vec<SeatSet> {
        let mut sets = Self::seat_sets_of(&Rules::default());
        sets.push(SeatSet::first(2));
        sets
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> SeatSet {
        self.seats
    }

    /// «Фишки раскладываются за пределами игрового поля недалеко от старта.»
    fn start(&self, first: Seat) -> State<SEATS> {
        assert!(self.seats.contains(first), "seat {first} is not in play");
        State::awaiting([0; SEATS], self.slot(first))
    }

    #[inline(always)]
    fn turn(&self, state: &State<SEATS>) -> Turn {
        self.turn_of(state)
    }

    #[inline(always)]
    fn is_mid_roll(&self, state: &State<SEATS>) -> bool {
        state.phase() == Phase::Hop
    }

    fn rolls(&self, state: &State<SEATS>) -> &'static [(Roll, u32)] {
        if self.is_mid_roll(state) {
            THROWS
        } else {
            DICE
        }
    }

    #[inline(always)]
    fn sample(&self, state: &State<SEATS>, dice: &mut DiceStream) -> Roll {
        let first = dice.die();
        if self.is_mid_roll(state) {
            return Roll::Transit(Throw::of(first));
        }
        let second = dice.die();
        Roll::Dice(first.max(second), first.min(second))
    }

    fn read_roll(&self, state: &State<SEATS>, script: &mut Script<'_>) -> Result<Roll, DiceError> {
        let first = script.face()?;
        if self.is_mid_roll(state) {
            return Ok(Roll::Transit(Throw::of(first)));
        }
        let second = script.face()?;
        Ok(Roll::Dice(first.max(second), first.min(second)))
    }

    #[inline(always)]
    fn roll(&self, state: &mut State<SEATS>, roll: Roll) -> Turn {
        match roll {
            Roll::Dice(high, low) => {
                debug_assert!(state.phase() == Phase::Roll, "two dice are not awaited");
                state.set(Field::HIGH, high);
                state.set(Field::DIE, low);
                state.set(Field::DOUBLE, u8::from(high == low));
                state.set_phase(Phase::First);
            }
            Roll::Transit(throw) => {
                debug_assert!(state.phase() == Phase::Hop, "no token is on Transit");
                if self.hop(state, throw) {
                    state.set_phase(Phase::Leave);
                }
            }
        }
        self.turn_of(state)
    }

    #[inline(always)]
    fn moves(&self, state: &State<SEATS>, out: &mut Moves) {
        self.legal(state, out);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State<SEATS>, mv: Move) -> Effect {
        self.play(state, mv).0
    }

    /// Without the turn, which takes longer.
    #[inline(always)]
    fn preview(&self, state: &State<SEATS>, mv: Move) -> Effect {
        self.look(state, mv)
    }

    /// The seats that are home in the order they came there, then the others by tokens in the lane
    /// and the way they have come.
    fn standing(&self, state: &State<SEATS>) -> Standing {
        Standing::by_merit(self.seats, |seat| {
            let slot = self.slot(seat);
            let place = self.home(state).position(|home| home == slot);
            let lane = self.route.lane..self.route.held;
            let codes = state.codes(slot).into_iter();
            let in_lane = codes.filter(|code| lane.contains(code)).count();
            let first = place.map_or(0, |place| SEATS - place);
            (first, in_lane, self.progress(state, seat))
        })
    }

    fn progress(&self, state: &State<SEATS>, seat: Seat) -> u32 {
        let codes = state.codes(self.slot(seat)).into_iter();
        codes.map(|code| u32::from(self.route.pips(code))).sum()
    }

    #[inline(always)]
    fn apply_counted(
        &self,
        state: &mut State<SEATS>,
        seat: Seat,
        mv: Move,
        out: &mut Measured,
    ) -> Effect {
        measures::play(self, state, seat, mv, out)
    }

    fn print(&self, state: &State<SEATS>) -> String {
        text::print(self, state)
    }

    fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
        text::seats_of(text)
    }

    fn parse(&self, text: &str) -> Result<State<SEATS>, PositionError> {
        text::parse(self, text)
    }

    fn roll_text(&self, roll: Roll) -> String {
        text::roll_text(roll)
    }

    fn move_text(&self, state: &State<SEATS>, mv: Move) -> String {
        text::move_text(self, state, mv)
    }

    fn why_no_move(&self, state: &State<SEATS>) -> String {
        text::why_no_move(self, state)
    }
}
