//! Mensch ärgere dich nicht, for 2 to 4 seats.
//!
//! # The rules
//!
//! The board is a ring of 40 cells `r0` to `r39`, walked upwards. Seat A starts on `r0`, B on
//! `r10`, C on `r20`, D on `r30`. The cell before the own start is the entrance of the own lane
//! `L1` to `L4`; after one lap the lane is compulsory. All four tokens wait in the yard.
//!
//! ```text
//!   B  yard         r18 r19 r20       yard  C     A turn: roll; walk one token by the
//!                   r17 L1  r21                   number; a six that was played gives
//!                   r16 L2  r22                   another roll. With no token on the ring
//!                   r15 L3  r23                   and none on the lane that could still
//!   r10 r11 r12 r13 r14 L4  r24 r25 r26 r27 r28   advance, up to three tries for the six
//!   r9  L1  L2  L3  L4      L4  L3  L2  L1  r29   that brings a token out.
//!   r8  r7  r6  r5  r4  L4  r34 r33 r32 r31 r30
//!                   r3  L3  r35                   The first of these that applies is a
//!                   r2  L2  r36                   duty: vacate the start, bring out,
//!                   r1  L1  r37                   capture. Landing on an enemy captures
//!   A  yard         r0  r39 r38       yard  D     it. Who first fills the lane wins.
//! ```
//!
//! The source is the Russian rule text of an online game; where it is silent the reading in
//! `docs/rules/mensch.md` decides and says why. The sentences of the source stand at the fields
//! of [`Rules`] and at the rules below.
//!
//! # Places
//!
//! Inside this module a token stands on a *place* of its owner's route: 0 the yard, 1 the own
//! start cell, 40 the last ring cell, 41 to 44 the lane. So a place is also the distance from the
//! yard, every seat's rules look the same, and the other seats' tokens are turned into the
//! mover's numbering when they matter.

mod features;
mod insight;
mod moves;
mod rules;
mod state;
mod text;

use crate::engine::game::{
    DiceError, Effect, Game, Hits, PositionError, RulesError, Script, Standing, Turn,
};
use crate::engine::random::DiceStream;
use crate::engine::seat::{Seat, SeatSet};

pub use moves::{Move, Moves};
pub use rules::{Distance, Rules, Tries};
pub use state::State;

use moves::{Reach, Switches};
use state::{
    BOARD, HOME, LANE, LANE_BIT, LANE_START, ONE_IN_YARD, RING, START, YARD, bit_of,
    cells_seen_from, place_of, places,
};

/// A table of Mensch ärgere dich nicht: rules and seats, with what follows from them.
#[derive(Clone, Debug)]
pub struct Mensch {
    rules: Rules,
    seats: SeatSet,
    switches: Switches,
    reach: Reach,
}

/// The six faces of the die.
const FACES: &[(u8, u32)] = &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)];

impl Mensch {
    /// A table for one: no rule of the game provides it, but how fast a lone player gets home is
    /// the yardstick of every race, so the exact solver sits down there.
    pub fn solitaire(rules: Rules) -> Mensch {
        Mensch::at(rules, SeatSet::first(1))
    }

    fn at(rules: Rules, seats: SeatSet) -> Mensch {
        Mensch {
            switches: Switches::of(&rules),
            reach: Reach::new(&rules),
            rules,
            seats,
        }
    }

    /// Rolls in the coming turn of a seat with these tokens: the full series if it has no token
    /// on the ring and none on the lane with a free cell ahead, whatever the die.
    ///
    /// «Если у вас нет ни одной фишки на пути и нет фишек на финишной дорожке, которые могли бы
    /// ещё продвинуться, у вас три попытки выбросить шестёрку»
    #[inline(always)]
    fn new_series(&self, word: u64) -> u8 {
        let own = word & BOARD;
        // Nothing on the ring and the lane filled from its end: adding the lowest token carries
        // through all the others and leaves the board.
        let stuck = (own + (own & own.wrapping_neg())) & BOARD == 0;
        if stuck { self.switches.series } else { 1 }
    }

    /// The rolls left in the mover's series, the coming one included, 1 to 3.
    #[inline(always)]
    pub fn tries(&self, state: &State) -> u8 {
        match state.series() {
            0 => self.new_series(state.tokens()),
            left => left,
        }
    }

    /// The position in which `to` awaits a roll and has `tries` left.
    fn awaiting(&self, corners: [u64; 4], to: Seat, tries: u8) -> State {
        let is_new = tries == self.new_series(corners[to.index()]);
        State::awaiting(corners, to, if is_new { 0 } else { tries })
    }

    /// Sends the enemy on a ring cell of the mover's numbering back to its yard; the tokens it loses and
    /// the distance it had come.
    #[inline(always)]
    fn capture(state: &mut State, cell: u64) -> (Hits, i16) {
        let [mover, b, c, d] = state.in_order();
        let hit = [
            b & cells_seen_from(cell, 1),
            c & cells_seen_from(cell, 2),
            d & cells_seen_from(cell, 3),
        ];
        let less = |word, hit| (word ^ hit) + if hit == 0 { 0 } else { ONE_IN_YARD };
        *state = State::of([mover, less(b, hit[0]), less(c, hit[1]), less(d, hit[2])]);
        let corners = if hit[0] != 0 {
            1
        } else if hit[1] != 0 {
            2
        } else {
            3
        };
        let cells = hit[0] | hit[1] | hit[2];
        assert!(
            cells != 0,
            "a capturing move was offered where no enemy stands"
        );
        let victim = Seat::new((state.to().index() + corners) & 3);
        (Hits::of(victim, 1), i16::from(place_of(cells)))
    }

    /// What one token on this place counts when losers are ranked.
    fn distance(&self, place: u8) -> u32 {
        match self.rules.distance {
            Distance::FromYard => u32::from(place),
            Distance::FromStart => u32::from(place.saturating_sub(1)),
        }
    }
}

impl Game for Mensch {
    const NAME: &'static str = "mensch";
    const ABOUT: &'static str = "Mensch ärgere dich nicht: one die, 40 cells, 2 to 4 seats";
    type Rules = Rules;
    type State = State;
    type Roll = u8;
    type Move = Move;
    type Moves = Moves;

    fn new(rules: Rules, seats: SeatSet) -> Result<Mensch, RulesError> {
        super::corners::check_seats(seats)?;
        Ok(Mensch::at(rules, seats))
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
        let word = if self.rules.one_out {
            (3 * ONE_IN_YARD) | START
        } else {
            4 * ONE_IN_YARD
        };
        let corners = std::array::from_fn(|corner| {
            if self.seats.contains(Seat::new(corner)) {
                word
            } else {
                0
            }
        });
        State::awaiting(corners, first, 0)
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.die() == 0 {
            Turn::Chance(state.to())
        } else if state.is_over() {
            Turn::Over
        } else {
            Turn::Decision(state.to())
        }
    }

    fn rolls(&self, _: &State) -> &'static [(u8, u32)] {
        FACES
    }

    #[inline(always)]
    fn sample(&self, _: &State, dice: &mut DiceStream) -> u8 {
        dice.die()
    }

    fn read_roll(&self, _: &State, script: &mut Script<'_>) -> Result<u8, DiceError> {
        script.face()
    }

    #[inline(always)]
    fn roll(&self, state: &mut State, roll: u8) -> Turn {
        debug_assert!(state.die() == 0 && (1..=6).contains(&roll));
        state.set_die(roll);
        Turn::Decision(state.to())
    }

    #[inline(always)]
    fn moves(&self, state: &State, out: &mut Moves) {
        // The rules are written once; the common case is compiled with all switches off.
        *out = if self.switches.are_plain() {
            self.legal(state, Switches::PLAIN)
        } else {
            self.legal(state, self.switches)
        };
    }

    /// «После хода на шестёрку вы бросаете кубик ещё раз, и так сколько угодно раз подряд»;
    /// «Побеждает тот, кто первым поставил все четыре фишки на четыре клетки финишной дорожки;
    /// партия заканчивается сразу»
    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) -> Effect {
        let die = state.die();
        let mut mover = state.mover();
        if mv.is_pass() {
            // A roll that nothing can walk costs one try; declining ends the turn.
            let tries_left = if mv.is_declined() {
                0
            } else if die == self.switches.idle_bonus {
                1
            } else {
                self.tries(state) - 1
            };
            if tries_left > 0 {
                let is_new = tries_left == self.new_series(mover);
                state.try_again(if is_new { 0 } else { tries_left });
            } else {
                state.pass_turn(mover);
            }
            return Effect {
                passed: true,
                turn_ends: tries_left == 0,
                next: Turn::Chance(state.to()),
                ..Effect::default()
            };
        }

        let from = mv.bit();
        let to = moves::target_bit(from, die, self.rules.bounce);
        // Bringing out takes one from the yard's counter instead of the bit.
        let brought_out = (from & HOME) * (ONE_IN_YARD - HOME);
        mover = (mover & !from | to) - brought_out;
        // A capture may count as a six.
        let mut counts_as = die;
        let (hits, lost) = if mv.captures() {
            if self.switches.capture_gives_roll {
                counts_as = 6;
            }
            Self::capture(state, to)
        } else {
            (Hits::NONE, 0)
        };
        let effect = Effect {
            from: u16::from(mv.from()),
            gained: i16::from(place_of(to)) - i16::from(mv.from()),
            lost,
            hits,
            saved: u8::from(from < LANE_BIT && to >= LANE_BIT),
            passed: false,
            turn_ends: true,
            skipped: 0,
            ends_game: true,
            next: Turn::Over,
        };
        // All four in the lane: none anywhere else.
        if mover & (RING | YARD) == 0 {
            state.win(mover);
            return effect;
        }
        let again = counts_as == 6;
        if again {
            state.roll_again(mover);
        } else {
            state.pass_turn(mover);
        }
        Effect {
            turn_ends: !again,
            ends_game: false,
            next: Turn::Chance(state.to()),
            ..effect
        }
    }

    #[inline(always)]
    fn preview(&self, state: &State, mv: Move) -> Effect {
        if mv.is_pass() {
            return Effect {
                passed: true,
                ..Effect::default()
            };
        }
        let from = mv.from();
        let place = moves::target(from, state.die());
        let (hits, lost) = if mv.captures() {
            Self::capture(&mut { *state }, bit_of(place))
        } else {
            (Hits::NONE, 0)
        };
        Effect {
            from: u16::from(from),
            gained: i16::from(place) - i16::from(from),
            lost,
            hits,
            saved: u8::from(from < LANE_START && place >= LANE_START),
            ..Effect::default()
        }
    }

    /// «Остальных ранжируют по числу фишек на финишной дорожке, затем по пройденному пути; при
    /// равенстве они делят место»
    fn standing(&self, state: &State) -> Standing {
        Standing::by_merit(self.seats, |seat| {
            let tokens = state.word(seat) & BOARD;
            let won = state.is_over() && state.to() == seat;
            let distance: u32 = places(tokens).map(|place| self.distance(place)).sum();
            (won, (tokens & LANE).count_ones(), distance)
        })
    }

    fn progress(&self, state: &State, seat: Seat) -> u32 {
        insight::progress(state.word(seat))
    }

    fn print(&self, state: &State) -> String {
        text::print(self, state)
    }

    fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
        text::seats_of(text)
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        text::parse(self, text)
    }

    fn roll_text(&self, roll: u8) -> String {
        roll.to_string()
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        text::move_text(self, state, mv)
    }

    fn why_no_move(&self, state: &State) -> String {
        text::why_no_move(self, state)
    }
}
