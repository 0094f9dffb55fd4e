//! Legal moves of Mensch ärgere dich nicht.

use std::fmt;

use crate::engine::game::MoveSet;

use super::Mensch;
use super::rules::Rules;
use super::state::{BOARD, GOAL, LANE, Place, START, START_PLACE, State, ones};

/// Moves the token on one place of its owner's route, or none.
///
/// Moves are ordered as tokens travel: bringing out first, then from the rearmost token to the
/// furthest, a pass last. Only the moves of a position may be played in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The place moved from, or the bit of a pass.
    from: u8,
    captures: bool,
}

/// The source bit of "nothing can move".
const NULL_BIT: u32 = 62;
/// The source bit of a declined roll.
const DECLINE_BIT: u32 = 63;

impl Move {
    /// The place moved from: 0 the yard, 1 to 40 the ring from the own start, 41 to 44 the lane.
    /// Meaningless for a pass.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        self.from
    }

    /// Whether the move sends an enemy back to its yard.
    #[inline(always)]
    pub const fn captures(self) -> bool {
        self.captures
    }

    /// Whether nothing moves.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.from >= NULL_BIT as u8
    }

    /// Whether a roll is declined (only with `may_pass`).
    #[inline(always)]
    pub const fn is_declined(self) -> bool {
        self.from == DECLINE_BIT as u8
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u32::from(self.from) {
            NULL_BIT => write!(f, "no move"),
            DECLINE_BIT => write!(f, "decline"),
            from => write!(f, "{from}{}", if self.captures { "x" } else { "" }),
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

    #[inline(always)]
    fn at(&self, bit: u32) -> Move {
        Move {
            from: bit as u8,
            captures: self.captures >> bit & 1 == 1,
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
        self.at(rest.trailing_zeros())
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.from.is_power_of_two()
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        ones(self.from).map(|bit| self.at(u32::from(bit)))
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

/// Which places a die cannot move from: those on the board because of the lane, its end and the
/// own tokens in it, and the yard (bit 0) because the die is no six. Indexed by die and by the
/// four lane cells of the mover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reach([[u64; 16]; 8]);

impl Reach {
    pub(super) fn new(rules: &Rules) -> Reach {
        Reach(std::array::from_fn(|die| {
            std::array::from_fn(|lane| {
                let blocked = (1..=GOAL)
                    .filter(|&from| (1..=6).contains(&die) && !walks(rules, from, die as u8, lane));
                blocked.fold(u64::from(die != 6), |blocked, from| blocked | 1 << from)
            })
        }))
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
        let lane = (own & LANE) >> 41;
        let blocked = self.reach.0[die as usize & 7][lane as usize & 15];
        let steps = own & !(own >> die) & !blocked;
        // «Фишка выходит из дома только с шестёркой и ставится на вашу стартовую клетку.»
        let waiting = u64::from(state.yard_is_occupied());
        let bring_out = waiting & !blocked & !(own >> START_PLACE);

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
            chain(own, steps, die) * waiting
        } else {
            steps & waiting << START_PLACE
        };
        // «Затем: с шестёркой, если в доме есть фишки, а старт не занят вашей фишкой, вы обязаны
        // вывести фишку из дома.» The two exclude each other. A value is chosen here, no branch
        // taken: which rule applies is as good as random, and a branch would be mispredicted in
        // every third roll.
        let duty = vacate | bring_out;
        let from = if duty != 0 { duty } else { steps };
        if from == 0 {
            let nothing = Moves::new(1 << NULL_BIT, 0);
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
        let walked = u64::from(die) - bring_out * (6 - u64::from(START_PLACE));
        let captures = from & state.enemies() >> walked;
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
                from: self.from | 1 << DECLINE_BIT,
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
