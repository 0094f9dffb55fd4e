//! Legal moves of Mensch ärgere dich nicht.

use std::fmt;

use crate::engine::game::MoveSet;

use super::Mensch;
use super::rules::Rules;
use super::state::{BOARD, GOAL, Place, START, START_PLACE, State, ones};

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
        self.bit.trailing_zeros() as u8
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
        self.bit == DECLINE
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

    #[inline(always)]
    fn len(&self) -> usize {
        self.from.count_ones() as usize
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Move {
        // Four tokens and a pass: the loop has four rounds, each a conditional move. As many rounds
        // as `index` says would be mispredicted once in six rolls.
        let mut rest = self.from;
        for round in 0..4 {
            rest = if index > round {
                rest & rest.wrapping_sub(1)
            } else {
                rest
            };
        }
        assert!(rest != 0, "move {index} of {} was chosen", self.len());
        self.first(rest)
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.from.is_power_of_two()
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        ones(self.from).map(|place| self.first(1 << place))
    }
}

/// The place reached from `from` with this die: bringing out ends on the start cell, a number
/// too large for the lane (legal only with `bounce`) turns back at its end.
#[inline(always)]
pub(super) fn target(from: Place, die: u8) -> Place {
    if from == 0 {
        return START_PLACE as Place;
    }
    let place = from + die;
    if place > GOAL {
        turned_back(place)
    } else {
        place
    }
}

/// [`target`] as bits of a token word.
#[inline(always)]
pub(super) fn target_bit(from: u64, die: u8) -> u64 {
    // Bringing out goes from bit 0 to the start cell, whatever the six says.
    let reached = from << walked(from, die);
    if reached > 1 << GOAL {
        1 << turned_back(reached.trailing_zeros() as Place)
    } else {
        reached
    }
}

/// How many bits of a token word a die moves: one from the yard's bit 0 to the start cell.
#[inline(always)]
fn walked(from: u64, die: u8) -> u64 {
    u64::from(die) - (from & 1) * (6 - u64::from(START_PLACE))
}

/// The place reached when a number leads past the end of the lane. Cold: so it is a branch that
/// no game takes without `bounce`, instead of six instructions on every move.
#[cold]
#[inline(never)]
fn turned_back(place: Place) -> Place {
    2 * GOAL - place
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
    pub(super) bonus_on_unplayable_six: bool,
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
        bonus_on_unplayable_six: false,
        series: 3,
    };

    pub(super) fn of(rules: &Rules) -> Switches {
        Switches {
            forced_capture: rules.forced_capture,
            vacate_chain: rules.vacate_chain,
            capture_before_vacate: rules.capture_before_vacate,
            may_pass: rules.may_pass,
            capture_gives_roll: rules.capture_gives_roll,
            bonus_on_unplayable_six: rules.bonus_on_unplayable_six,
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
/// die and by the bits of a token word from the lane up: four lane cells, then the yard's counter.
///
/// A set bit is a place a token *cannot* move from, because of the lane, its end and the own
/// tokens in it; bit 0 is the yard, which only a six opens, and only if somebody waits there. The
/// highest bit is set if somebody waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reach(Box<[[u64; 128]; 8]>);

/// Where [`Reach`] says that somebody waits in the yard.
const WAITING_SHIFT: u32 = 63;

impl Reach {
    pub(super) fn new(rules: &Rules) -> Reach {
        let mut reach = Reach(Box::new([[0; 128]; 8]));
        for (die, row) in (0..).zip(reach.0.iter_mut()) {
            for (index, blocked) in row.iter_mut().enumerate() {
                let (lane, waiting) = (index & 15, index >> 4 > 0);
                for from in 1..=GOAL {
                    let stands = (1..=6).contains(&die) && !walks(rules, from, die, lane);
                    *blocked |= u64::from(stands) << from;
                }
                *blocked |= u64::from(die != 6 || !waiting);
                *blocked |= u64::from(waiting) << WAITING_SHIFT;
            }
        }
        reach
    }

    /// The row of a die and the mover's tokens.
    #[inline(always)]
    fn of(&self, die: u8, word: u64) -> u64 {
        self.0[die as usize & 7][(word >> 41) as usize & 127]
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
        let own = state.own();

        // Every token that can walk the number: not onto an own token, not out of the lane.
        let blocked = self.reach.of(die, state.tokens());
        let steps = own & !(own >> die) & !blocked;
        // «Фишка выходит из дома только с шестёркой и ставится на вашу стартовую клетку.»
        let bring_out = !(own >> START_PLACE | blocked) & 1;

        if switches.forced_capture && switches.capture_before_vacate {
            let enemies = state.enemies();
            let captures = steps & enemies >> die | bring_out & enemies >> START_PLACE;
            if captures != 0 {
                return Moves::new(captures, captures).or_decline(switches);
            }
        }
        // «Сначала нужно освободить старт: если в доме ещё есть фишки, а на стартовой клетке
        // стоит ваша фишка, вы обязаны сходить именно ею … если она может пойти.»
        let vacate = if switches.vacate_chain {
            chain(own, steps, die)
        } else {
            steps & START
        };
        // «Затем: с шестёркой, если в доме есть фишки, а старт не занят вашей фишкой, вы обязаны
        // вывести фишку из дома.» The two exclude each other. A value is chosen here, no branch
        // taken: which rule applies is as good as random, and a branch would be mispredicted in
        // every third roll.
        let waiting = (blocked.cast_signed() >> WAITING_SHIFT).cast_unsigned();
        let duty = (vacate | bring_out) & waiting;
        let from = if duty != 0 { duty } else { steps };
        if from == 0 {
            let nothing = Moves::new(NOTHING, 0);
            // Declining differs only where the roll would have kept the turn.
            let keeps_turn = self.tries(state) > 1 || die == 6 && switches.bonus_on_unplayable_six;
            return if keeps_turn {
                nothing.or_decline(switches)
            } else {
                nothing
            };
        }
        // «Затем: если включена опция «Бить обязательно», вы обязаны выбить фишку соперника …
        // Во всех остальных случаях выбор свободный.» Vacating and bringing out leave no choice
        // that this could narrow.
        let captures = from & state.enemies() >> walked(bring_out, die);
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
