//! Backgammon: money play, matches, the cube.
//!
//! A *game* is played for money ([`Rules::length`] 0) or as part of a match; the whole match is
//! then what starts, goes on and is over here. Whoever is on roll comes first in the packed
//! [`State`]. The legal plays of a roll are the distinct boards it can lead to ([`moves`]); the
//! cube is offered and answered by moves of its own ([`Move`]), so that every bot is asked about
//! it like about any other decision.

pub mod bearoff;
pub mod board;
mod choice;
pub mod cube;
pub mod evaluate;
pub mod flags;
mod insight;
mod measures;
pub mod moves;
pub mod net;
pub mod notation;
mod rules;
mod scribe;
pub mod sight;
mod state;
pub mod step;
mod text;

use crate::engine::game::{
    DiceError, Effect, Game, Hits, Measure, Measured, PositionError, RulesError, Script, Standing,
    Turn,
};
use crate::engine::random::DiceStream;
use crate::engine::scribe::{Names, Scribe, ScribeError};
use crate::engine::seat::{Seat, SeatSet};

use board::Board;
use moves::OneDie;
use notation::Position;

pub use choice::{Move, Moves};
pub use rules::{Beavers, MAX_CUBE, MAX_LENGTH, Rules, Setup};
pub use state::{Phase, State, Win};

/// The seats of every game.
pub const BOTH: [Seat; 2] = [Seat::A, Seat::new(1)];

/// A table of backgammon: rules with what follows from them.
#[derive(Clone, Debug)]
pub struct Backgammon {
    rules: Rules,
    start: Board,
    checkers: u8,
    one_die: OneDie,
    /// The highest cube as a power of two.
    cube_cap: u8,
}

/// Two dice.
pub type Roll = (u8, u8);

/// The 21 rolls: the larger die first; each pair of different dice is two of the 36 throws.
const ROLLS: &[(Roll, u32)] = &{
    let mut rolls = [((0, 0), 0); 21];
    let (mut at, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[at] = ((high, low), if high == low { 1 } else { 2 });
            at += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
};

/// The 36 throws of two dice, one for each side; `N` of them, without the equal ones if 30.
const fn throws<const N: usize>() -> [(Roll, u32); N] {
    let mut rolls = [((0, 0), 0); N];
    let (mut at, mut a) = (0, 1);
    while a <= 6 {
        let mut b = 1;
        while b <= 6 {
            if N == 36 || a != b {
                rolls[at] = ((a, b), 1);
                at += 1;
            }
            b += 1;
        }
        a += 1;
    }
    rolls
}

/// The opening: the die of `A`, then that of `B`. «при равных значениях бросок повторяют»
const OPENING: &[(Roll, u32)] = &throws::<30>();
/// The opening when equal dice double the cube.
const OPENING_WITH_TIES: &[(Roll, u32)] = &throws::<36>();

impl Backgammon {
    /// Whether the player on roll may double now.
    ///
    /// «В начале своего хода, до броска, игрок может предложить удвоение, если куб в центре или
    /// принадлежит ему.»
    #[inline]
    fn may_double(&self, state: &State) -> bool {
        self.rules.cube
            && state.owner().is_none_or(|owner| owner == state.on_roll())
            && state.cube() < self.cube_cap
            && !state.is_crawford()
            && self.rules.length != 1
            && !self.too_early(state)
    }

    /// Whether the Holland rule forbids a double: after the Crawford game, until each side has
    /// rolled twice.
    fn too_early(&self, state: &State) -> bool {
        self.counts_rolls(state) && state.rolls() < 4
    }

    /// Whether rolls are counted in this game.
    fn counts_rolls(&self, state: &State) -> bool {
        let away_one = |seat| state.score(seat) + 1 == self.rules.length;
        self.rules.holland
            && self.rules.crawford
            && !state.is_crawford()
            && BOTH.into_iter().any(away_one)
    }

    /// Whether equal dice at the opening double the cube once more.
    #[inline]
    fn doubles_on_ties(&self, state: &State) -> bool {
        state.cube() < self.rules.automatic_doubles.min(self.cube_cap)
    }

    /// What the player on roll does first.
    #[inline]
    fn before_the_roll(&self, state: &State) -> Phase {
        if self.may_double(state) {
            Phase::Cube
        } else {
            Phase::Roll
        }
    }

    /// How the player on roll has won by bearing off the last checker.
    ///
    /// «Марс: проигравший не снял ни одной шашки. Кокс: … а хотя бы одна его шашка осталась на
    /// баре или в доме победителя»
    fn win(board: &Board) -> Win {
        // The winner's home board is the loser's points 19 to 24.
        if board.other.off() > 0 {
            Win::Single
        } else if board.other.rear() > 18 {
            Win::Backgammon
        } else {
            Win::Gammon
        }
    }

    /// The points of a win with this cube.
    ///
    /// «Правило Джакоби применяется в игре на деньги: до первого принятого удвоения марс и кокс
    /// считаются оином.»
    pub fn points(&self, win: Win, cube: u8, was_doubled: bool) -> u32 {
        let is_single = self.rules.jacoby && self.rules.length == 0 && !was_doubled;
        let cubes = match win {
            Win::Dropped | Win::Single => 1,
            _ if is_single => 1,
            Win::Gammon => self.rules.gammon,
            Win::Backgammon => self.rules.backgammon,
        };
        u32::from(cubes) << cube
    }

    /// Ends the game: the player on roll has won it. A match that is not over goes on with the
    /// next game.
    #[inline(never)]
    fn end_game(&self, state: &mut State, win: Win) {
        let winner = state.on_roll();
        if self.rules.length > 0 {
            let points = self.points(win, state.cube(), state.owner().is_some());
            let before = state.score(winner);
            let score = (before + points).min(self.rules.length);
            state.set_score(winner, score);
            if score < self.rules.length {
                let last = self.rules.length - 1;
                let loser_is_there = state.score(state.opponent()) == last;
                let mut next = state.next_game(self.start);
                // «ровно одну партию после того, как спортсмен впервые достиг счёта «до победы
                // одно очко», играют без куба»
                let first_there = score == last && before < last && !loser_is_there;
                next.set_crawford(self.rules.crawford && first_there);
                *state = next;
                return;
            }
        }
        state.set_won_by(win);
        state.set_dice((0, 0));
        state.set_phase(Phase::Over);
    }

    /// Gives the cube to its taker, doubled.
    fn turn_cube(&self, state: &mut State, owner: Seat) {
        state.set_cube((state.cube() + 1).min(self.cube_cap));
        state.set_owner(Some(owner));
    }

    /// A choice about the cube; whether the game is over by it.
    #[inline(never)]
    fn use_cube(&self, state: &mut State, mv: Move) -> bool {
        match mv {
            Move::Roll => state.set_phase(Phase::Roll),
            Move::Double => state.set_phase(Phase::Answer),
            Move::Take => {
                // «После принятия удвоения принявший спортсмен становится владельцем куба»
                let taker = state.opponent();
                self.turn_cube(state, taker);
                state.set_phase(Phase::Roll);
            }
            Move::Drop => {
                // «Пас завершает партию по текущей стоимости куба»
                self.end_game(state, Win::Dropped);
                return true;
            }
            Move::Beaver => {
                // Beaver: the double and one more, the cube to the taker. Raccoon: one more, and
                // the cube stays with him.
                let owner = state.opponent();
                let raccoons = self.rules.beavers == Beavers::Raccoons;
                let beavers = state.phase() == Phase::Answer;
                if beavers {
                    self.turn_cube(state, owner);
                }
                self.turn_cube(state, owner);
                let may_go_on = beavers && raccoons && state.cube() < self.cube_cap;
                state.set_phase(if may_go_on {
                    Phase::Beaver
                } else {
                    Phase::Roll
                });
            }
            Move::Play(_) => unreachable!("a play is no choice about the cube"),
        }
        false
    }

    #[inline(always)]
    fn play(&self, state: &mut State, result: Board) -> Effect {
        let before = state.board;
        let mut effect = Effect {
            next: Turn::Over,
            ..Self::preview_play(&before, state.opponent(), &result)
        };
        effect.turn_ends = true;
        if result.mover.off() == self.checkers {
            state.board = result;
            self.end_game(state, Self::win(&result));
            effect.ends_game = true;
        } else {
            state.pass_turn(result);
            let phase = self.before_the_roll(state);
            state.set_phase(phase);
        }
        effect.next = self.turn(state);
        effect
    }

    /// What a play does to both sides. Put in place, so that what nobody reads of it is not
    /// computed: in a tournament most of it, and 10 % of a random game.
    #[inline(always)]
    fn preview_play(before: &Board, victim: Seat, result: &Board) -> Effect {
        let hits = result.other.bar() - before.other.bar();
        Effect {
            from: insight::furthest_moved(before, result),
            gained: before.mover.pips().cast_signed() - result.mover.pips().cast_signed(),
            lost: if hits == 0 {
                0
            } else {
                (result.other.pips() - before.other.pips()).cast_signed()
            },
            hits: Hits::of(victim, hits),
            saved: result.mover.off() - before.mover.off(),
            // Nothing is hit where nothing moves.
            passed: before.mover == result.mover,
            ..Effect::default()
        }
    }
}

impl Game for Backgammon {
    const NAME: &'static str = "backgammon";
    const ABOUT: &'static str = "Backgammon: two dice, 24 points, doubling cube, money and matches";
    const CONCEDES: bool = true;
    const RESULT_SETS_ARE_POSITIONS: bool = false;
    const MEASURES: &'static [Measure] = measures::ALL;
    type Rules = Rules;
    type State = State;
    type Roll = Roll;
    type Move = Move;
    type Moves = Moves;

    fn new(rules: Rules, seats: SeatSet) -> Result<Backgammon, RulesError> {
        let wrong = |field, reason: String| Err(RulesError { field, reason });
        if seats != SeatSet::first(2) {
            return wrong("seats", format!("'{seats}'; two play, as 'AB'"));
        }
        if rules.length > MAX_LENGTH {
            let length = rules.length;
            return wrong("length", format!("{length}; expected 0 to {MAX_LENGTH}"));
        }
        if !rules.cube_cap.is_power_of_two() || !(2..=1 << MAX_CUBE).contains(&rules.cube_cap) {
            let cap = rules.cube_cap;
            let reason = format!("{cap}; expected a power of two, 2 to {}", 1 << MAX_CUBE);
            return wrong("cube_cap", reason);
        }
        for (field, value) in [("gammon", rules.gammon), ("backgammon", rules.backgammon)] {
            if !(1..=9).contains(&value) {
                return wrong(field, format!("{value}; expected 1 to 9 cubes"));
            }
        }
        if rules.automatic_doubles > MAX_CUBE {
            let times = rules.automatic_doubles;
            return wrong(
                "automatic_doubles",
                format!("{times}; expected 0 to {MAX_CUBE}"),
            );
        }
        let money_only = "is for money games; it goes with length = 0 only".to_owned();
        if rules.length > 0 && rules.beavers != Beavers::Off {
            return wrong("beavers, length", money_only);
        }
        if rules.length > 0 && rules.automatic_doubles > 0 {
            return wrong("automatic_doubles, length", money_only);
        }
        if !rules.cube && rules.beavers != Beavers::Off {
            let reason = "there is nothing to redouble without a cube".to_owned();
            return wrong("beavers, cube", reason);
        }
        if !rules.cube && rules.automatic_doubles > 0 {
            let reason = "there is nothing to double without a cube".to_owned();
            return wrong("automatic_doubles, cube", reason);
        }
        if rules.holland && rules.length == 0 {
            let reason = "is for matches; it goes with a length of at least 1".to_owned();
            return wrong("holland, length", reason);
        }
        if rules.holland && !rules.crawford {
            let reason = "needs the Crawford game it comes after".to_owned();
            return wrong("holland, crawford", reason);
        }
        Ok(Backgammon {
            start: rules.setup.board(),
            checkers: rules.setup.checkers(),
            one_die: if rules.larger_die {
                OneDie::Larger
            } else {
                OneDie::Either
            },
            cube_cap: rules.cube_cap.trailing_zeros() as u8,
            rules,
        })
    }

    fn seat_sets() -> Vec<SeatSet> {
        vec![SeatSet::first(2)]
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn seats(&self) -> SeatSet {
        SeatSet::first(2)
    }

    /// Before the opening roll; whose turn is first, the dice say.
    fn start(&self, first: Seat) -> State {
        assert!(first.index() < 2, "seat {first} is not in play");
        State::new(self.start, first)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase() {
            Phase::Opening | Phase::Roll => Turn::Chance(state.on_roll()),
            Phase::Cube | Phase::Play | Phase::Beaver => Turn::Decision(state.on_roll()),
            Phase::Answer => Turn::Decision(state.opponent()),
            Phase::Over => Turn::Over,
        }
    }

    fn awaits_roll(&self, state: &State) -> bool {
        !matches!(state.phase(), Phase::Play | Phase::Over)
    }

    fn rolls(&self, state: &State) -> &'static [(Roll, u32)] {
        match state.phase() {
            Phase::Opening if self.doubles_on_ties(state) => OPENING_WITH_TIES,
            Phase::Opening => OPENING,
            _ => ROLLS,
        }
    }

    /// Two dice of the stream; in the opening the first is that of `A`, and equal dice are
    /// thrown again.
    #[inline]
    fn sample(&self, state: &State, dice: &mut DiceStream) -> Roll {
        let mut roll = (dice.die(), dice.die());
        if state.phase() != Phase::Opening {
            return (roll.0.max(roll.1), roll.0.min(roll.1));
        }
        while roll.0 == roll.1 && !self.doubles_on_ties(state) {
            roll = (dice.die(), dice.die());
        }
        roll
    }

    fn read_roll(&self, state: &State, script: &mut Script<'_>) -> Result<Roll, DiceError> {
        let opens = state.phase() == Phase::Opening;
        loop {
            let roll = (script.face()?, script.face()?);
            if !opens {
                return Ok((roll.0.max(roll.1), roll.0.min(roll.1)));
            }
            if roll.0 != roll.1 || self.doubles_on_ties(state) {
                return Ok(roll);
            }
        }
    }

    /// «Спортсмен, у которого выпало большее значение, начинает и разыгрывает оба выпавших числа
    /// без нового броска»
    #[inline]
    fn roll(&self, state: &mut State, roll: Roll) -> Turn {
        if state.phase() == Phase::Opening {
            if roll.0 == roll.1 {
                // An automatic double: the cube stays in the centre, the dice are thrown again.
                state.set_cube(state.cube() + 1);
                return Turn::Chance(state.on_roll());
            }
            state.put_on_roll(BOTH[usize::from(roll.1 > roll.0)]);
        }
        if self.rules.holland && self.counts_rolls(state) {
            state.set_rolls(state.rolls() + 1);
        }
        state.set_dice(roll);
        state.set_phase(Phase::Play);
        Turn::Decision(state.on_roll())
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Moves) {
        match state.phase() {
            Phase::Play => out.play(&state.board, state.dice(), self.one_die),
            Phase::Cube => out.of(&[Move::Roll, Move::Double]),
            Phase::Answer if self.may_beaver(state) => {
                out.of(&[Move::Take, Move::Drop, Move::Beaver]);
            }
            Phase::Answer => out.of(&[Move::Take, Move::Drop]),
            Phase::Beaver => out.of(&[Move::Roll, Move::Beaver]),
            Phase::Opening | Phase::Roll | Phase::Over => {
                unreachable!("there is nothing to choose in {state:?}")
            }
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) -> Effect {
        if let Move::Play(result) = mv {
            return self.play(state, result);
        }
        let ends_game = self.use_cube(state, mv);
        Effect {
            ends_game,
            turn_ends: ends_game,
            next: self.turn(state),
            ..Effect::default()
        }
    }

    #[inline]
    fn preview(&self, state: &State, mv: Move) -> Effect {
        match mv {
            Move::Play(result) => {
                let ends_game = result.mover.off() == self.checkers;
                Effect {
                    ends_game,
                    ..Self::preview_play(&state.board, state.opponent(), &result)
                }
            }
            Move::Drop => Effect {
                ends_game: true,
                ..Effect::default()
            },
            _ => Effect::default(),
        }
    }

    /// The winner before the loser. While nobody has won: who leads the match; then, or for money,
    /// who has fewer pips to go.
    fn standing(&self, state: &State) -> Standing {
        Standing::by_merit(self.seats(), |seat| {
            let is_over = state.phase() == Phase::Over;
            if is_over {
                return (seat == state.on_roll(), 0, 0);
            }
            (false, state.score(seat), self.progress(state, seat))
        })
    }

    fn progress(&self, state: &State, seat: Seat) -> u32 {
        let side = if seat == state.on_roll() {
            state.board.mover
        } else {
            state.board.other
        };
        u32::from(self.checkers) * 25 - u32::from(side.pips())
    }

    fn scores_are_bounded(&self) -> bool {
        !self.rules.cube || self.rules.cube_cap <= 64
    }

    // Inlined always, like the preview of a play, so that what nobody reads is not computed.
    #[inline(always)]
    fn apply_counted(&self, state: &mut State, seat: Seat, mv: Move, out: &mut Measured) -> Effect {
        measures::count(self, state, seat, mv, out);
        self.apply(state, mv)
    }

    fn result_set(&self, state: &State, faces: &[i64]) -> Result<Vec<String>, DiceError> {
        text::result_set(self, state, faces)
    }

    fn scribe(
        &self,
        format: &str,
        names: &Names<'_>,
    ) -> Result<Box<dyn Scribe<Backgammon>>, ScribeError> {
        scribe::scribe(self, format, names)
    }

    fn print(&self, state: &State) -> String {
        text::print(self, state)
    }

    fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
        text::read(text).map(|_| SeatSet::first(2))
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        text::parse(self, text)
    }

    fn roll_text(&self, roll: Roll) -> String {
        format!("{}-{}", roll.0, roll.1)
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        text::move_text(self, state, mv)
    }

    fn why_no_move(&self, state: &State) -> String {
        text::why_no_move(state)
    }
}

impl Backgammon {
    /// A position of this table as the notations know it.
    pub fn position(&self, state: &State) -> Position {
        text::position(self, state)
    }

    /// What a position of the notations is at this table.
    ///
    /// # Errors
    /// When it is none of this table: another length of the match, a cube above its cap.
    pub fn state(&self, position: &Position) -> Result<State, PositionError> {
        text::from_position(self, position)
    }

    /// Whether the answer to this double may be a beaver.
    fn may_beaver(&self, state: &State) -> bool {
        self.rules.beavers != Beavers::Off && state.cube() + 2 <= self.cube_cap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_doubles_stop_at_the_cap_of_the_cube() {
        let rules = Rules {
            cube_cap: 2,
            automatic_doubles: 3,
            ..Rules::default()
        };
        let game = Backgammon::new(rules, SeatSet::first(2)).unwrap();
        let mut state = game.start(Seat::A);
        game.roll(&mut state, (4, 4));
        assert_eq!((state.phase(), state.cube()), (Phase::Opening, 1));
        assert_eq!(game.rolls(&state), OPENING);
        game.roll(&mut state, (6, 1));
        assert!(!game.may_double(&state));
    }
}
