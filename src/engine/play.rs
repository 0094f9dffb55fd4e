//! The play loop: one game from a position to its end.

use std::hint::black_box;

use super::game::{Effect, Game, Measured, MoveSet, Standing, Turn};
use super::random::{BlockKey, DiceStream};
use super::seat::{PerSeat, Seat};

/// The dice of a game.
pub trait Dice<G: Game> {
    /// The next roll of `seat`.
    fn roll(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Roll;
}

/// Each seat's own stream of dice: the k-th roll of a seat depends on (seed, block, seat, k) only.
#[derive(Clone, Debug)]
pub struct SeededDice(PerSeat<DiceStream>);

impl SeededDice {
    /// The dice of a block.
    pub fn new(block: BlockKey) -> SeededDice {
        SeededDice(PerSeat::from_fn(|seat| block.dice(seat)))
    }
}

impl<G: Game> Dice<G> for SeededDice {
    #[inline(always)]
    fn roll(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Roll {
        game.sample(state, &mut self.0[seat])
    }
}

/// Who chooses among the moves of a decision.
pub trait Chooser<G: Game> {
    /// A move chosen without looking at the position, if the seat chooses so.
    #[inline(always)]
    fn choose_blindly(&mut self, _seat: Seat, _moves: &G::Moves) -> Option<G::Move> {
        None
    }

    /// The index of the chosen move. Asked only when there is more than one.
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) -> usize;
}

/// What may be seen of a game as it is played. Hooks do nothing but the game's part unless they are
/// overridden.
pub trait Observer<G: Game> {
    /// `roll` was rolled by `seat`; `state` awaits its move or its next roll.
    #[inline(always)]
    fn rolled(&mut self, _game: &G, _state: &G::State, _seat: Seat, _roll: G::Roll) {}

    /// `seat` has more than one legal move in `state`.
    #[inline(always)]
    fn choosing(&mut self, _game: &G, _state: &G::State, _seat: Seat, _moves: &G::Moves) {}

    /// `seat` is about to play `mv` in `state`.
    #[inline(always)]
    fn moving(&mut self, _game: &G, _state: &G::State, _seat: Seat, _mv: G::Move) {}

    /// Plays the move; whoever counts what only the game sees can have it counted.
    #[inline(always)]
    fn play(&mut self, game: &G, state: &mut G::State, _seat: Seat, mv: G::Move) -> Effect {
        game.apply(state, mv)
    }

    /// The move had this effect and led to `state`.
    #[inline(always)]
    fn moved(&mut self, _game: &G, _state: &G::State, _seat: Seat, _effect: &Effect) {}
}

/// An observer that looks at nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Blind;

impl<G: Game> Observer<G> for Blind {}

/// How a game went, as far as the loop itself must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The places at the end; of a capped game, as they stood.
    pub standing: Standing,
    /// Whether the game was stopped at the cap instead of finishing.
    pub capped: bool,
    /// Rolls, by all seats; what chance is asked in the middle of one does not count.
    pub rolls: u32,
}

/// Counts what happens in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Turns in the lower half, rolls that moved nothing in the upper one: so the loop adds to one
    /// word at each roll, and not to two.
    turns_and_idle: u64,
    /// Decisions with more than one legal move.
    pub choices: u32,
    /// Tokens each seat sent back.
    pub captures: PerSeat<u32>,
    /// Tokens each seat had sent back.
    pub suffered: PerSeat<u32>,
    /// What [`Game::MEASURES`] counted.
    pub measured: Measured,
}

/// One roll that moved nothing, in the word that counts them with the turns.
const IDLE: u64 = 1 << 32;

impl Counts {
    /// Turns, by all seats; the last one counts, and so do those that are skipped.
    pub const fn turns(&self) -> u32 {
        self.turns_and_idle as u32
    }

    /// Rolls that moved nothing.
    pub const fn idle(&self) -> u32 {
        (self.turns_and_idle / IDLE) as u32
    }
}

impl<G: Game> Observer<G> for Counts {
    #[inline(always)]
    fn choosing(&mut self, _game: &G, _state: &G::State, _seat: Seat, _moves: &G::Moves) {
        self.choices += 1;
    }

    #[inline(always)]
    fn play(&mut self, game: &G, state: &mut G::State, seat: Seat, mv: G::Move) -> Effect {
        game.apply_counted(state, seat, mv, &mut self.measured)
    }

    #[inline(always)]
    fn moved(&mut self, _game: &G, _state: &G::State, seat: Seat, effect: &Effect) {
        let turns = u64::from(effect.turn_ends) + u64::from(effect.skipped);
        self.turns_and_idle += turns + IDLE * u64::from(effect.passed);
        if !effect.hits.is_none() {
            // The first apart: where nobody else can be hit, no loop is left.
            let (first, count) = effect.hits.first();
            self.captures[seat] += count;
            self.suffered[first] += count;
            for (victim, count) in effect.hits.others() {
                self.captures[seat] += count;
                self.suffered[victim] += count;
            }
        }
    }
}

/// Rolls after which a game is stopped and counted apart. No game of 20 million came near it.
pub const DEFAULT_CAP: u32 = 1_000_000;

/// Plays on from `start`, which awaits a roll, to the end or to `cap` rolls.
///
/// # Panics
/// When `start` awaits a decision, or `chooser` names a move that is not there.
#[inline]
pub fn play<G: Game>(
    game: &G,
    start: G::State,
    dice: &mut impl Dice<G>,
    chooser: &mut impl Chooser<G>,
    observer: &mut impl Observer<G>,
    moves: &mut G::Moves,
    cap: u32,
) -> Played {
    // A copy of our own can live in registers; what was handed over would be written back to the
    // caller's memory at every roll.
    let mut state = start;
    let mut rolls = 0;
    let mut turn = game.turn(&state);
    assert!(
        !matches!(turn, Turn::Decision(_)),
        "a game is played from a roll"
    );
    while let Turn::Chance(seat) = turn
        && rolls < cap
    {
        rolls += u32::from(!game.is_mid_roll(&state));
        let roll = dice.roll(game, &state, seat);
        turn = game.roll(&mut state, roll);
        observer.rolled(game, &state, seat, roll);

        while let Turn::Decision(seat) = turn {
            game.moves(&state, moves);
            // Bots are not asked when there is nothing to choose. Where nothing can move at all, what
            // the game does then stands here once more, without all that a move needs.
            if let Some(mv) = moves.idle() {
                observer.moving(game, &state, seat, mv);
                let effect = observer.play(game, &mut state, seat, mv);
                observer.moved(game, &state, seat, &effect);
                turn = effect.next;
                continue;
            }
            let mv = if moves.is_forced() {
                moves.forced()
            } else {
                observer.choosing(game, &state, seat, moves);
                if let Some(mv) = chooser.choose_blindly(seat, moves) {
                    mv
                } else {
                    // A copy the compiler cannot see through: so the position itself can stay in
                    // registers while bots are shown one in memory.
                    let seen = black_box(state);
                    moves.get(chooser.choose(game, &seen, seat, moves))
                }
            };
            observer.moving(game, &state, seat, mv);
            let effect = observer.play(game, &mut state, seat, mv);
            observer.moved(game, &state, seat, &effect);
            turn = effect.next;
        }
    }
    let capped = turn != Turn::Over;
    let end = black_box(state);
    Played {
        standing: game.standing(&end),
        capped,
        rolls,
    }
}
