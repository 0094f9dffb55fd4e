//! Legal moves of Mensch ärgere dich nicht.

use std::fmt;
use std::hint::select_unpredictable;

use crate::engine::game::MoveSet;

use super::Mensch;
use super::rules::Rules;
use super::state::{
    BOARD, GOAL, HOME, LANE_SHIFT, Place, START, START_PLACE, State, bit_of, ones, place_of,
};

/// Moves the token on one place of its owner's route, or none.
///
/// Moves are ordered as tokens travel: bringing out first, then from the rearmost token to the
/// furthest, a pass last. Only the moves of a position may be played in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The bit of the place moved from, or of a pass.
    bit: u64,
    captures: bool,
}

/// The source bit of "nothing can move".
const NOTHING: u64 = 1 << 62;
/// The source bit of a declined roll.
const DECLINE: u64 = 1 << 63;

impl Move {
    /// The place moved from: 0 the yard, 1 to 40 the ring from the own start, 41 to 44 the lane.
    /// Meaningless for a pass.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        place_of(self.bit)
    }

    /// The place moved from as a bit of a token word, the yard as bit 0.
    #[inline(always)]
    pub(super) const fn bit(self) -> u64 {
        self.bit
    }

    /// Whether the move sends an enemy back to its yard.
    #[inline(always)]
    pub const fn captures(self) -> bool {
        self.captures
    }

    /// Whether nothing moves.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.bit >= NOTHING
    }

    /// Whether a roll is declined (only with `may_pass`).
    #[inline(always)]
    pub const fn is_declined(self) -> bool {
        self.bit & DECLINE != 0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bit {
            NOTHING => write!(f, "no move"),
            DECLINE => write!(f, "decline"),
            _ => write!(f, "{}{}", self.from(), if self.captures { "x" } else { "" }),
        }
    }
}

/// The legal moves as masks over the places moved from: bit 0 brings out, bit 62 or 63 passes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moves {
    from: u64,
    captures: u64,
}

impl Moves {
    #[inline(always)]
    const fn new(from: u64, captures: u64) -> Moves {
        Moves { from, captures }
    }

    /// The moves from the first, the second … on: four tokens and a pass.
    #[inline(always)]
    fn rests(&self) -> [u64; 5] {
        let mut rests = [self.from; 5];
        for index in 1..rests.len() {
            rests[index] = rests[index - 1] & rests[index - 1].wrapping_sub(1);
        }
        rests
    }

    /// The move of the lowest bit of `rest`, some of the legal ones.
    #[inline(always)]
    fn first(&self, rest: u64) -> Move {
        let bit = rest & rest.wrapping_neg();
        Move {
            bit,
            captures: self.captures & bit != 0,
        }
    }
}

impl MoveSet for Moves {
    type Move = Move;

    /// Without an instruction for it, counting bits takes longer than taking four away; and
    /// [`Moves::get`] takes the same ones away.
    #[inline(always)]
    fn len(&self) -> usize {
        self.rests().map(|rest| usize::from(rest != 0)).iter().sum()
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Move {
        // A value is chosen in each round, no branch taken: as many rounds as `index` says would
        // be mispredicted once in six rolls.
        let rests = self.rests();
        let mut rest = self.from;
        for (round, after) in rests.into_iter().enumerate().skip(1) {
            rest = select_unpredictable(index >= round, after, rest);
        }
        assert!(rest != 0, "a move was chosen that is not there");
        self.first(rest)
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.from & self.from.wrapping_sub(1) == 0
    }

    #[inline(always)]
    fn forced(&self) -> Move {
        Move {
            bit: self.from,
            captures: self.captures != 0,
        }
    }

    #[inline(always)]
    fn idle(&self) -> Option<Move> {
        (self.from == NOTHING).then_some(Move {
            bit: NOTHING,
            captures: false,
        })
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        ones(self.from).map(|bit| self.first(bit))
    }

    /// Which of two captures takes most, only the position tells.
    #[inline(always)]
    fn greediest(&self) -> Option<Move> {
        let captures = self.captures;
        if captures & captures.wrapping_sub(1) != 0 {
            return None;
        }
        let best = if captures != 0 { captures } else { self.from };
        let furthest = (best & !DECLINE).ilog2();
        Some(Move {
            bit: 1 << furthest,
            captures: captures != 0,
        })
    }
}

/// The place reached from `from` with this die: bringing out ends on the start cell, a number
/// too large for the lane (legal only with `bounce`) turns back at its end.
#[inline(always)]
pub(super) fn target(from: Place, die: u8) -> Place {
    if from == 0 {
        return START_PLACE;
    }
    let place = from + die;
    if place > GOAL {
        2 * GOAL - place
    } else {
        place
    }
}

/// [`target`] as bits of a token word.
#[inline(always)]
pub(super) fn target_bit(from: u64, die: u8, bounce: bool) -> u64 {
    if bounce {
        return bounced(from, die);
    }
    from << die
}

/// [`target_bit`] where a number may lead past the end of the lane. Cold: so it is a branch that
/// most games never take, instead of six instructions on every move.
#[cold]
#[inline(never)]
fn bounced(from: u64, die: u8) -> u64 {
    bit_of(target(place_of(from), die))
}

/// The house rules that change which moves are legal or who rolls next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools)] // House rules, one field each.
pub(super) struct Switches {
    pub(super) forced_capture: bool,
    pub(super) vacate_chain: bool,
    pub(super) capture_before_vacate: bool,
    pub(super) may_pass: bool,
    pub(super) capture_gives_roll: bool,
    /// The face that gives another roll though it moves nothing: 6, or 0 for none.
    pub(super) idle_bonus: u8,
    /// Rolls in the series of a seat that only a six can help.
    pub(super) series: u8,
}

impl Switches {
    /// The rules nearly every game is played by.
    pub(super) const PLAIN: Switches = Switches {
        forced_capture: true,
        vacate_chain: false,
        capture_before_vacate: false,
        may_pass: false,
        capture_gives_roll: false,
        idle_bonus: 0,
        series: 3,
    };

    pub(super) fn of(rules: &Rules) -> Switches {
        Switches {
            forced_capture: rules.forced_capture,
            vacate_chain: rules.vacate_chain,
            capture_before_vacate: rules.capture_before_vacate,
            may_pass: rules.may_pass,
            capture_gives_roll: rules.capture_gives_roll,
            idle_bonus: 6 * u8::from(rules.bonus_on_unplayable_six),
            series: rules.tries.count(),
        }
    }

    /// Whether the rules about legal moves are the plain ones.
    #[inline(always)]
    pub(super) fn are_plain(self) -> bool {
        self.forced_capture && !self.vacate_chain && !self.capture_before_vacate && !self.may_pass
    }
}

/// What a die and the lane and yard of the mover say about the places moved from. Indexed by the
/// bits of a token word from the lane up (four lane cells, then the yard's counter) and by the die.
///
/// A set bit is a place a token can move from as far as the lane, its end and the own tokens in it
/// are concerned; bit 0 is the yard, which only a six opens, and only if somebody waits there. The
/// highest bit is set if somebody waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reach(Box<[[u64; 8]; 128]>);

/// Where [`Reach`] says that somebody waits in the yard.
const WAITING_SHIFT: u32 = 63;

impl Reach {
    pub(super) fn new(rules: &Rules) -> Reach {
        let mut reach = Reach(Box::new([[0; 8]; 128]));
        for (index, row) in reach.0.iter_mut().enumerate() {
            let (lane, waiting) = (index & 15, index >> 4 > 0);
            for (die, open) in (0..).zip(row.iter_mut()) {
                for from in 1..=GOAL {
                    if !(1..=6).contains(&die) || walks(rules, from, die, lane) {
                        *open |= bit_of(from);
                    }
                }
                *open |= u64::from(die == 6 && waiting);
                *open |= u64::from(waiting) << WAITING_SHIFT;
            }
        }
        reach
    }

    /// The row of a die and the mover's tokens.
    #[inline(always)]
    fn of(&self, die: u8, word: u64) -> u64 {
        self.0[(word >> LANE_SHIFT) as usize & 127][die as usize & 7]
    }
}

/// Whether the lane lets a token on `from` walk `die` places, cell by cell.
///
/// «Число должно выпасть точно: дальше последней клетки идти нельзя … свои фишки перепрыгивать
/// нельзя (если не включена соответствующая опция)»
fn walks(rules: &Rules, from: Place, die: u8, lane: usize) -> bool {
    let end = from + die;
    if end > GOAL && !rules.bounce {
        return false;
    }
    // The places passed and, last, the one reached; after the end of the lane it goes back. The
    // token that walks is in nobody's way, its own included.
    let path = (from + 1..=end).map(|step| if step > GOAL { 2 * GOAL - step } else { step });
    let taken = |place: Place| place > 40 && place != from && lane >> (place - 41) & 1 == 1;
    let reached = target(from, die);
    let stays_on_the_ring = end <= 40;
    let ends_on_the_lane = reached > 40 && !taken(reached);
    stays_on_the_ring || ends_on_the_lane && (rules.lane_jump || !path.into_iter().any(taken))
}

impl Mensch {
    /// The legal moves, as the source orders its rules: «Когда возможных ходов несколько, правила
    /// применяются по порядку».
    #[inline(always)]
    pub(super) fn legal(&self, state: &State, switches: Switches) -> Moves {
        let die = state.die();
        let own = state.sources();

        // Every token that can walk the number: not onto an own token, not out of the lane.
        // «Фишка выходит из дома только с шестёркой и ставится на вашу стартовую клетку.»
        // What the table says comes last, for it is what has to be waited for.
        let open = self.reach.of(die, state.tokens());
        let steps = own & !(own >> die) & open;

        if switches.forced_capture && switches.capture_before_vacate {
            let captures = steps & state.enemies() >> die;
            if captures != 0 {
                return Moves::new(captures, captures).or_decline(switches);
            }
        }
        // «Сначала нужно освободить старт: если в доме ещё есть фишки, а на стартовой клетке
        // стоит ваша фишка, вы обязаны сходить именно ею … если она может пойти.»
        // «Затем: с шестёркой, если в доме есть фишки, а старт не занят вашей фишкой, вы обязаны
        // вывести фишку из дома.» The two exclude each other. A value is chosen here, no branch
        // taken: which rule applies is as good as random, and a branch would be mispredicted in
        // every third roll.
        let vacate = if switches.vacate_chain {
            chain(own, steps, die)
        } else {
            START
        };
        let waiting = (open.cast_signed() >> WAITING_SHIFT).cast_unsigned();
        let duty = steps & ((vacate | HOME) & waiting);
        if steps == 0 {
            let nothing = Moves::new(NOTHING, 0);
            // Declining differs only where the roll would have kept the turn.
            let keeps_turn = self.tries(state) > 1 || die == switches.idle_bonus;
            return if keeps_turn {
                nothing.or_decline(switches)
            } else {
                nothing
            };
        }
        let from = if duty != 0 { duty } else { steps };
        // «Затем: если включена опция «Бить обязательно», вы обязаны выбить фишку соперника …
        // Во всех остальных случаях выбор свободный.» Vacating and bringing out leave no choice
        // that this could narrow.
        let captures = from & state.enemies() >> die;
        let from = if switches.forced_capture && captures != 0 {
            captures
        } else {
            from
        };
        Moves::new(from, captures).or_decline(switches)
    }
}

impl Moves {
    #[inline(always)]
    fn or_decline(self, switches: Switches) -> Moves {
        if switches.may_pass {
            Moves {
                from: self.from | DECLINE,
                ..self
            }
        } else {
            self
        }
    }
}

/// The token that the duty to vacate the start falls on: the one on the start cell, or the own
/// token that blocks it, or the one that blocks that; none if the chain ends in front of a token
/// that the lane blocks.
fn chain(own: u64, steps: u64, die: u8) -> u64 {
    let mut token = START;
    while own & token != 0 {
        if steps & token != 0 {
            return token;
        }
        token = token << die & BOARD;
    }
    0
}
