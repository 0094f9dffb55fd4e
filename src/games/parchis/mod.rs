//! Parchís with one die, for 2 to 4 seats.
//!
//! # The rules
//!
//! Four tokens a seat go once round a ring of 68 squares, into the own lane of seven and to the
//! goal. A 5 must bring a token out of the yard, onto the own start square; it captures a single
//! enemy there.
//!
//! ```text
//!   safe squares     12 17 29 34 46 51 63 68    Nobody is captured there, no enemy may join;
//!   and the starts   A 5, B 22, C 39, D 56      two tokens of one colour there are a barrier,
//!                                               which no token passes.
//!   other squares                               Landing on enemies sends them to the yard, and
//!                                               a token of one's own walks 20 squares more.
//!   the goal                                    is reached by the exact number; another token
//!                                               walks 10 squares more.
//!   a six            counts 7 when no own token is in the yard, must open an own barrier, and
//!                    gives another roll. The third in a turn is not moved: the token that moved
//!                    last goes back to the yard, unless it is in the lane or at the goal.
//! ```
//!
//! Everything is a duty: to enter, to move, to walk a bonus. Who first has four tokens at the
//! goal wins.
//!
//! The source is the Russian rule text of an online game; where it is silent the reading in
//! `docs/rules/parchis.md` decides and says why. The sentences of the source stand at the fields
//! of [`Rules`] and at the rules below. Places are those of the board, `pachisi`.

mod dangers;
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
use crate::games::pachisi::{self, GOAL, LANE, Place, Present, START, has};

pub use moves::{Move, Moves};
pub use rules::{
    BarrierOn, EntryVsPair, EntryVsSingle, ProtectedLanding, Rules, SafeSquares, SixCountsSeven,
    TripleSix,
};
pub use state::State;

use moves::{Switches, captured_by_entry, walkers};

/// A table of Parchís: rules and seats, with what follows from them.
#[derive(Clone, Debug)]
pub struct Parchis {
    rules: Rules,
    seats: SeatSet,
    switches: Switches,
    sheet: Sheet,
}

/// The rules a program is compiled for: they are written once, but the two that nearly every game
/// is played by are compiled apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sheet {
    /// [`Switches::PLAIN`].
    Plain,
    /// [`Switches::SPANISH`].
    Spanish,
    /// Any other house rules.
    House,
}

/// The six faces of the die.
const FACES: &[(u8, u32)] = &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)];

impl Parchis {
    fn at(rules: Rules, seats: SeatSet) -> Parchis {
        let switches = Switches::of(&rules);
        Parchis {
            sheet: match switches {
                Switches::PLAIN => Sheet::Plain,
                Switches::SPANISH => Sheet::Spanish,
                _ => Sheet::House,
            },
            switches,
            rules,
            seats,
        }
    }
}

impl State {
    /// Plays a legal move.
    #[inline(always)]
    fn play(mut self, mv: Move, switches: Switches) -> (State, Effect) {
        if !mv.walks() {
            return self.stay_or_go_back(mv, switches);
        }
        let (from, to) = (mv.from(), mv.to());
        let here;
        (self.board, here) = self.board.walk(from, to);
        let mut bonus = 0;
        // «Когда фишка игрока попадает на клетку, занятую фишками противника, эти фишки выбиваются
        // и возвращаются на свой домашний квадрат, а игрок может переместить любую свою фишку на
        // 20 шагов вперед. Исключением является случай, когда фишки противника находятся на
        // безопасной клетке»
        let mut captured = (Hits::NONE, 0);
        if captures(here, mv, switches) {
            (self, captured) = self.capture(here, mv, switches);
            bonus = switches.capture_bonus;
        }
        let mut second = false;
        if switches.first_five_two && mv.enters() {
            (self, second) = self.enter_another();
        }
        // «Для перемещения фишки игрока к цели нужно выбросить точное количество шагов на кубике,
        // и когда игрок это сделает, он может немедленно переместить другую свою фишку на 10 шагов
        // вперед.»
        let mut finished = false;
        if to == GOAL {
            bonus = switches.goal_bonus;
            finished = self.board.is_finished();
        }
        // «Игрок, который приведет все свои 4 фишки к цели первым, выигрывает.»
        let (turn_ends, next);
        if finished {
            self = self.finish(switches);
            (turn_ends, next) = (true, self.turn());
        } else if bonus != 0 && walkers(&self.board, bonus, switches) != 0 {
            let last = if switches.triple_six == TripleSix::Off {
                0
            } else {
                to
            };
            self.set_turn(self.die(), self.sixes(), last, bonus);
            (turn_ends, next) = (false, Turn::Decision(self.to()));
        } else {
            turn_ends = self.end_roll(to, switches);
            next = Turn::Chance(self.to());
        }
        let effect = Effect {
            from: u16::from(from),
            gained: i16::from(to) - i16::from(from) + i16::from(second),
            lost: captured.1,
            hits: captured.0,
            saved: u8::from(from < LANE && to >= LANE),
            passed: false,
            skipped: 0,
            turn_ends,
            ends_game: next == Turn::Over,
            next,
        };
        (self, effect)
    }

    /// Nothing moves, or the third six sends a token back.
    #[inline(always)]
    fn stay_or_go_back(mut self, mv: Move, switches: Switches) -> (State, Effect) {
        let mut last = self.last();
        let mut lost = 0;
        if mv.is_penalty() {
            self = self.send_back(last);
            lost = last;
        } else if switches.triple_six == TripleSix::Wiki && self.sixes() == 1 && self.bonus() == 0 {
            // The second six could not be moved, so the third will send nobody home.
            last = 0;
        }
        let effect = Effect {
            from: u16::from(lost),
            gained: -i16::from(lost),
            passed: !mv.is_penalty(),
            turn_ends: self.end_roll(last, switches),
            next: Turn::Chance(self.to()),
            ..Effect::default()
        };
        (self, effect)
    }

    /// «Также игрок получает дополнительный ход, если на кубике выпадает 6.» The third six ends
    /// the turn. Whether the turn ends.
    #[inline(always)]
    fn end_roll(&mut self, last: Place, switches: Switches) -> bool {
        let again = self.die() == 6 && !self.is_third_six();
        if !again {
            self.pass_turn(switches);
        } else if switches.triple_six == TripleSix::Off {
            self.set_turn(0, 0, 0, 0);
        } else {
            self.set_turn(0, self.sixes() + 1, last, 0);
        }
        !again
    }

    /// The turn passes to the next seat in play.
    #[inline(always)]
    fn pass_turn(&mut self, switches: Switches) {
        if switches.play_on {
            self.board.pass_turn(self.board.memo() & state::DONE, true);
        } else {
            self.board.pass_turn(0, false);
        }
    }

    /// Sends the enemies that stood where a token moved to their yards: who they were, and the
    /// pips they lose. What happens seldom is not inlined and takes the position by value, so
    /// that its words stay in registers elsewhere.
    #[cold]
    #[inline(never)]
    fn capture(mut self, here: Present, mv: Move, switches: Switches) -> (State, (Hits, i16)) {
        let victims = if mv.enters() {
            captured_by_entry(&self.board, here, switches)
        } else {
            here.others()
        };
        let mut hits = Hits::NONE;
        for corner in 1..4 {
            let count = victims.of(corner).count_ones() as u8;
            if count > 0 {
                hits = hits.and(Seat::new((self.to().index() + corner) & 3), count);
            }
        }
        let lost = self.board.capture(mv.to(), victims, false);
        (self, (hits, lost))
    }

    /// Of four tokens in the yard one has entered: the second, if it fits beside it.
    #[cold]
    #[inline(never)]
    fn enter_another(mut self) -> (State, bool) {
        let [.., third, _] = self.board.places(self.to());
        let fits = third == 0 && self.board.at(START).others().is_none();
        if fits {
            self.board.advance(0, START, false);
        }
        (self, fits)
    }

    #[cold]
    #[inline(never)]
    fn send_back(mut self, last: Place) -> State {
        self.board.retreat(last, false);
        self
    }

    /// All four tokens of the mover are at the goal.
    #[cold]
    #[inline(never)]
    fn finish(mut self, switches: Switches) -> State {
        self.set_done(self.to());
        let others = (1..4).map(|corner| self.board.tokens(corner));
        let running = others.filter(|&tokens| is_running(tokens)).count();
        if switches.play_on && running > 1 {
            self.pass_turn(switches);
        } else {
            self.end();
        }
        self
    }
}

/// Whether a move onto these tokens sends enemies to their yards.
#[inline(always)]
fn captures(here: Present, mv: Move, switches: Switches) -> bool {
    !here.others().is_none() && (mv.enters() || !has(switches.safe, mv.to()))
}

/// Whether somebody sits there with a token short of the goal.
fn is_running(tokens: u32) -> bool {
    tokens.to_le_bytes()[0] < GOAL
}

/// [`State::play`] at tables with house rules of their own.
#[inline(never)]
fn play_by_house_rules(state: State, mv: Move, switches: Switches) -> (State, Effect) {
    state.play(mv, switches)
}

/// [`State::legal`] at tables with house rules of their own.
#[inline(never)]
fn legal_by_house_rules(state: State, switches: Switches, out: &mut Moves) {
    state.legal(switches, out);
}

impl Game for Parchis {
    const NAME: &'static str = "parchis";
    const ABOUT: &'static str = "Parchís: one die, 68 squares, barriers and bonuses, 2 to 4 seats";
    const CHAINS: bool = true;
    type Rules = Rules;
    type State = State;
    type Roll = u8;
    type Move = Move;
    type Moves = Moves;

    fn new(rules: Rules, seats: SeatSet) -> Result<Parchis, RulesError> {
        super::corners::check_seats(seats)?;
        for (field, bonus) in [
            ("capture_bonus", rules.capture_bonus),
            ("goal_bonus", rules.goal_bonus),
        ] {
            pachisi::check_bonus(field, bonus.into())?;
        }
        Ok(Parchis::at(rules, seats))
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
        let tokens = [0, 0, 0, if self.rules.one_out { START } else { 0 }];
        let corners =
            std::array::from_fn(|corner| self.seats.contains(Seat::new(corner)).then_some(tokens));
        State::awaiting(corners, first)
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        state.turn()
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
        match self.sheet {
            Sheet::Plain => state.legal(Switches::PLAIN, out),
            Sheet::Spanish => state.legal(Switches::SPANISH, out),
            Sheet::House => legal_by_house_rules(*state, self.switches, out),
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) -> Effect {
        // Each case stores its own result, so that where nothing is called all stays in registers.
        match self.sheet {
            Sheet::Plain => {
                let (after, effect) = state.play(mv, Switches::PLAIN);
                *state = after;
                effect
            }
            Sheet::Spanish => {
                let (after, effect) = state.play(mv, Switches::SPANISH);
                *state = after;
                effect
            }
            Sheet::House => {
                let (after, effect) = play_by_house_rules(*state, mv, self.switches);
                *state = after;
                effect
            }
        }
    }

    /// The order of coming home, then the way still to go; equals share a place.
    fn standing(&self, state: &State) -> Standing {
        Standing::by_merit(self.seats, |seat| {
            let place = state.done().position(|done| done == seat);
            let before = place.map_or(0, |place| 4 - place);
            (before, state.board.progress(seat))
        })
    }

    fn progress(&self, state: &State, seat: Seat) -> u32 {
        state.board.progress(seat)
    }

    fn print(&self, state: &State) -> String {
        text::print(self, state)
    }

    fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
        pachisi::text::seats_of(text)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::RuleSet;

    #[test]
    fn the_presets_are_compiled_with_their_rules() {
        for preset in Rules::presets() {
            let game = Parchis::new(preset.rules, "ABCD".parse().expect("seats")).expect("a table");
            assert_ne!(game.sheet, Sheet::House, "{}", preset.name);
        }
        let rules = Rules {
            one_out: true,
            ..Rules::default()
        };
        let one_out = Parchis::new(rules, "AC".parse().expect("seats")).expect("a table");
        assert_eq!(one_out.sheet, Sheet::Plain, "it changes the start alone");
        let rules = Rules {
            goal_bonus: 9,
            ..Rules::default()
        };
        let other = Parchis::new(rules, "AC".parse().expect("seats")).expect("a table");
        assert_eq!(other.sheet, Sheet::House);
    }
}
