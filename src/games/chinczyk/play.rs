//! What a move does.

use crate::engine::game::{Effect, Hits, Turn};
use crate::engine::seat::Seat;
use crate::games::pachisi::{Board, GOAL, LANE, Place, is_on_ring};

use super::Chinczyk;
use super::moves::{FIVE, Move, Switches};
use super::state::{Memory, State};

/// The tokens a step sent back, and the pips they had come.
type Captured = (Hits, i16);

impl Chinczyk {
    #[inline(always)]
    pub(super) fn play(&self, state: &mut State, mv: Move, switches: Switches) -> Effect {
        if mv.is_pass() {
            return Self::pass(state, switches);
        }
        if mv.is_penalty() {
            return Self::punish(state, mv, switches);
        }
        let mut board = state.0;
        let (memory, (hits, lost)) = Self::walk(&mut board, state.memory(), mv, switches);
        let (from, to) = (mv.from(), mv.to());
        let effect = Effect {
            from: u16::from(from),
            gained: i16::from(to) - i16::from(from),
            lost,
            hits,
            saved: u8::from(from < LANE && to >= LANE),
            ..Effect::default()
        };
        // Only the goal can finish a seat.
        if to == GOAL && board.is_finished() {
            return self.finish(state, board, effect, switches);
        }
        *state = State(board);
        Self::go_on(state, memory, effect, switches)
    }

    /// Plays a step: what is left of the roll, and what was captured. Bonuses nobody can use and
    /// dice nobody can play are still there.
    #[inline(always)]
    pub(super) fn walk(
        board: &mut Board,
        memory: Memory,
        mv: Move,
        switches: Switches,
    ) -> (Memory, Captured) {
        let (from, to) = (mv.from(), mv.to());
        let bonus = switches.plays_bonus(memory);
        let mut memory = if bonus {
            memory.without_bonus()
        } else {
            use_dice(memory, mv)
        };
        board.advance(from, to, switches.teams);
        if switches.no_march {
            memory = march(board, memory, from, bonus, switches);
        }
        let mut captured = (Hits::NONE, 0);
        if to == GOAL {
            // «Każdorazowo za doprowadzenie pionka do pozycji końcowej gracz otrzymuje bonus 15
            // pól.»
            memory = memory.earn(switches.goal_bonus);
        } else if is_on_ring(to) && switches.captures_on(to) {
            // «Pionek przeciwnika wraca do pozycji początkowej (dom), a gracz, który zbił pionek
            // otrzymuje bonus w wysokości 10 pól.» One, however many there are.
            let victims = switches.enemies(board.at(to));
            if !victims.is_none() {
                captured = capture(board, to, switches);
                memory = memory.earn(switches.capture_bonus);
            }
        }
        (memory, captured)
    }

    /// What is to be played next of a roll, nothing if the roll is played: a bonus that nobody
    /// can take is lost, dice that nobody can play are given up.
    #[inline(always)]
    pub(super) fn next_part(
        board: &Board,
        mut memory: Memory,
        switches: Switches,
    ) -> Option<Memory> {
        loop {
            if !memory.is_mid_roll() {
                return None;
            }
            if Self::can_go_on(board, memory, switches) {
                return Some(memory);
            }
            memory = if switches.plays_bonus(memory) {
                memory.without_bonus()
            } else {
                memory.with_dice(0, 0).with_march(0)
            };
        }
    }

    /// The roll goes on, or the next one comes.
    #[inline(always)]
    fn go_on(state: &mut State, memory: Memory, effect: Effect, switches: Switches) -> Effect {
        let to = state.to();
        if let Some(memory) = Self::next_part(&state.0, memory, switches) {
            state.0.set_memo(memory.0);
            return Effect {
                next: Turn::Decision(to),
                ..effect
            };
        }
        // «Wyrzucenie dubletu … daje graczowi możliwość ponownego rzutu kostkami w tej samej
        // kolejce.»
        if memory.again() {
            let doubles = memory.doubles() + u8::from(switches.penalty);
            state.0.set_memo(Memory::awaiting(doubles).0);
            return Effect {
                next: Turn::Chance(to),
                ..effect
            };
        }
        Self::end_turn(state, effect, switches)
    }

    #[inline(always)]
    fn end_turn(state: &mut State, effect: Effect, switches: Switches) -> Effect {
        state.0.pass_turn(0, switches.both_finish);
        Effect {
            turn_ends: true,
            next: Turn::Chance(state.to()),
            ..effect
        }
    }

    /// The rest of the dice, or the bonus that is offered, is not played.
    #[inline(always)]
    fn pass(state: &mut State, switches: Switches) -> Effect {
        let memory = state.memory();
        if switches.plays_bonus(memory) {
            let left = memory.without_bonus();
            return Self::go_on(state, left, Effect::default(), switches);
        }
        let effect = Effect {
            passed: memory.both_dice(),
            ..Effect::default()
        };
        // «Jeśli w domu (pozycji początkowej) znajdują się jeszcze wszystkie cztery pionki, nie
        // wyrzucenie piątki powoduje stratę kolejki.» On a doublet too.
        let stuck = memory.both_dice()
            && state.0.all_in_yard()
            && !switches.is_five(memory.dice())
            && !switches.stuck_rerolls;
        // The third doublet is not played, even if there is no token to send back.
        let punished = switches.penalty && memory.doubles() == 2 && memory.again();
        if stuck || punished {
            return Self::end_turn(state, effect, switches);
        }
        let left = memory.with_dice(0, 0).with_march(0);
        Self::go_on(state, left, effect, switches)
    }

    /// The third doublet sends a token back.
    #[cold]
    #[inline(never)]
    fn punish(state: &mut State, mv: Move, switches: Switches) -> Effect {
        state.0.retreat(mv.from(), switches.teams);
        let effect = Effect {
            from: u16::from(mv.from()),
            gained: -i16::from(mv.from()),
            ..Effect::default()
        };
        Self::end_turn(state, effect, switches)
    }

    /// «Zakończenie gry następuje wtedy, kiedy jeden z grających umieści wszystkie swoje pionki w
    /// pozycji końcowej.» The partner too with `team_end=both`; until then the seat is passed
    /// over, without the roll of a doublet.
    #[cold]
    #[inline(never)]
    fn finish(
        &self,
        state: &mut State,
        board: Board,
        effect: Effect,
        switches: Switches,
    ) -> Effect {
        let mate = Seat::new((board.to().index() + 2) & 3);
        *state = State(board);
        if switches.both_finish && !board.has_finished(mate) {
            return Self::end_turn(state, effect, switches);
        }
        *state = self.finished(board);
        Effect {
            turn_ends: true,
            ends_game: true,
            next: Turn::Over,
            ..effect
        }
    }

    /// The finished position: as the winner sees it, or the first of the winners.
    pub(super) fn finished(&self, board: Board) -> State {
        let side = self.side_of(board.to());
        let home = side.iter().find(|&seat| board.has_finished(seat));
        let mut board = board.seen_by(home.unwrap_or(board.to()));
        board.set_memo(Memory::OVER.0);
        State(board)
    }
}

/// The dice without those that a step uses: entering uses a five, or else both.
#[inline(always)]
fn use_dice(memory: Memory, mv: Move) -> Memory {
    let [low, high] = memory.dice();
    if mv.enters() && low != FIVE && high != FIVE {
        return memory.with_dice(0, 0);
    }
    let left = if mv.pips() == low { high } else { low };
    memory.with_dice(left, 0)
}

/// With `no_blockade_march`: the place where the rest of a blockade must stay while a doublet is
/// played. A bonus is no part of the doublet, but it may move that token away.
#[cold]
#[inline(never)]
fn march(board: &Board, memory: Memory, from: Place, bonus: bool, switches: Switches) -> Memory {
    let marches = switches.blockades && memory.again() && memory.dice()[0] != 0;
    if !marches {
        return memory.with_march(0);
    }
    if bonus {
        let gone = memory.march() == from && board.at(from).own() == 0;
        return if gone { memory.with_march(0) } else { memory };
    }
    let left_one = from != 0 && board.at(from).own() != 0;
    memory.with_march(if left_one { from } else { 0 })
}

/// Sends the enemies on a square back to their yards.
#[cold]
#[inline(never)]
fn capture(board: &mut Board, to: Place, switches: Switches) -> Captured {
    let victims = switches.enemies(board.at(to));
    let mut hits = Hits::NONE;
    for corners in 1..4 {
        let count = victims.of(corners).count_ones() as u8;
        if count != 0 {
            let victim = Seat::new((board.to().index() + corners) & 3);
            hits = hits.and(victim, count);
        }
    }
    (hits, board.capture(to, victims, switches.teams))
}
