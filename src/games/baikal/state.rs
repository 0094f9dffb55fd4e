//! The packed position of a Baikal race.

/// Where a token stands, as its owner sees the board: see [`super::route::Route`] for the codes.
pub(super) type Code = u8;

/// In the reserve.
pub(super) const RESERVE: Code = 0;
/// On its own start, entered and not moved yet.
pub(super) const FRESH: Code = 1;
/// The first of the ring cells, the own start.
pub(super) const RING: Code = 2;

/// A position: the tokens of each seat and the state of the turn.
///
/// Seats are numbered as they sit round the table, without the empty sides: *slots*. A slot's word
/// holds the codes of its four tokens, a byte each, ascending from the low end. Two positions are
/// equal if the same roll is awaited, or the same choice, by the same tokens.
///
/// ```text
/// bits of `turn`   0..3    slot to roll, or that rolled; of a finished game the winner
///                  3..11   slots that skip their next turn
///                  11..14  Phase
///                  14..17  First: the lower die; later the die still to play; or 0
///                  17..20  First: the higher die. Hop, Leave: side of the Transit landed on
///                  20      the roll was a double, which gives another
///                  21..29  code of the ring cell whose token may not share a double, or 0
///                  29..32  Hop, Leave: side reached
///                  32..35  Hop: side of the last Transit reached that is no block
///                  35..37  Hop: throws made
///                  37      Leave: stays on the Transit cell
///                  38..41  slot that acts: the one that rolled, or a captor that replies
///                  41..62  slots that are home, in order, three bits each (only if the others play on)
/// ```
///
/// Sides are counted from the one after the own, as the acting slot sees them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State<const SEATS: usize> {
    pub(super) tokens: [u32; SEATS],
    turn: u64,
}

const _: () = assert!(size_of::<State<4>>() == 24);
const _: () = assert!(size_of::<State<8>>() == 40);

/// What is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Two dice.
    Roll,
    /// The first action of a roll.
    First,
    /// The second.
    Second,
    /// The die of a token on Transit.
    Hop,
    /// That a token leaves Transit.
    Leave,
    /// The reply of a captor.
    Reply,
    /// Nothing.
    Over,
}

const PHASES: [Phase; 8] = [
    Phase::Roll,
    Phase::First,
    Phase::Second,
    Phase::Hop,
    Phase::Leave,
    Phase::Reply,
    Phase::Over,
    Phase::Over,
];

/// Some bits of the turn.
#[derive(Clone, Copy)]
pub(super) struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    pub(super) const TO: Field = Field::new(0, 3);
    pub(super) const SKIP: Field = Field::new(3, 8);
    const PHASE: Field = Field::new(11, 3);
    pub(super) const DIE: Field = Field::new(14, 3);
    pub(super) const HIGH: Field = Field::new(17, 3);
    pub(super) const FROM: Field = Field::HIGH;
    pub(super) const DOUBLE: Field = Field::new(20, 1);
    pub(super) const STAYS: Field = Field::new(21, 8);
    pub(super) const AT: Field = Field::new(29, 3);
    pub(super) const FREE: Field = Field::new(32, 3);
    pub(super) const THROWS: Field = Field::new(35, 2);
    pub(super) const STRANDED: Field = Field::new(37, 1);
    pub(super) const ACTOR: Field = Field::new(38, 3);

    const fn new(shift: u32, width: u32) -> Field {
        Field { shift, width }
    }

    const fn mask(self) -> u64 {
        ((1 << self.width) - 1) << self.shift
    }

    /// The slot that came home as this one, counted from 0.
    const fn place(index: usize) -> Field {
        Field::new(41 + 3 * index as u32, 3)
    }

    /// What lives longer than a roll.
    const KEPT: u64 = Field::SKIP.mask() | !((1 << 41) - 1);
}

impl<const SEATS: usize> State<SEATS> {
    /// The position in which slot `to` awaits a roll.
    pub(super) fn awaiting(tokens: [u32; SEATS], to: usize) -> State<SEATS> {
        let mut state = State { tokens, turn: 0 };
        state.await_roll(to);
        state
    }

    #[inline(always)]
    pub(super) fn get(&self, field: Field) -> u8 {
        ((self.turn & field.mask()) >> field.shift) as u8
    }

    #[inline(always)]
    pub(super) fn set(&mut self, field: Field, value: u8) {
        self.turn = self.turn & !field.mask() | u64::from(value) << field.shift;
    }

    #[inline(always)]
    pub(super) fn phase(&self) -> Phase {
        PHASES[usize::from(self.get(Field::PHASE)) & 7]
    }

    #[inline(always)]
    pub(super) fn set_phase(&mut self, phase: Phase) {
        self.set(Field::PHASE, phase as u8);
    }

    /// The slot to roll, or that rolled; of a finished game the winner.
    #[inline(always)]
    pub(super) fn to(&self) -> usize {
        usize::from(self.get(Field::TO)) & (SEATS - 1)
    }

    /// The slot that acts: the one that rolled, or a captor that replies.
    #[inline(always)]
    pub(super) fn actor(&self) -> usize {
        usize::from(self.get(Field::ACTOR)) & (SEATS - 1)
    }

    /// Ends a roll: `to` rolls next.
    #[inline(always)]
    pub(super) fn await_roll(&mut self, to: usize) {
        let to = to as u64;
        self.turn = self.turn & Field::KEPT
            | to << Field::TO.shift
            | to << Field::ACTOR.shift
            | (Phase::Roll as u64) << Field::PHASE.shift;
    }

    /// Ends the game for `winner`; nothing but the tokens and the order of those home is kept.
    pub(super) fn end(&mut self, winner: usize) {
        self.turn &= !((1 << 41) - 1);
        self.await_roll(winner);
        self.set_phase(Phase::Over);
    }

    /// The slot that came home as this one, counted from 0.
    pub(super) fn home(&self, index: usize) -> usize {
        usize::from(self.get(Field::place(index)))
    }

    pub(super) fn set_home(&mut self, index: usize, slot: usize) {
        self.set(Field::place(index), slot as u8);
    }

    #[inline(always)]
    pub(super) fn skips(&self, slot: usize) -> bool {
        self.get(Field::SKIP) >> slot & 1 == 1
    }

    #[inline(always)]
    pub(super) fn set_skip(&mut self, slot: usize) {
        self.turn |= 1 << (Field::SKIP.shift + slot as u32);
    }

    #[inline(always)]
    pub(super) fn clear_skip(&mut self, slot: usize) {
        self.turn &= !(1 << (Field::SKIP.shift + slot as u32));
    }

    /// The tokens of a slot, ascending.
    #[inline(always)]
    pub(super) fn codes(&self, slot: usize) -> [Code; 4] {
        self.tokens[slot].to_le_bytes()
    }
}

impl<const SEATS: usize> std::fmt::Debug for State<SEATS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x?} {:016x}", self.tokens, self.turn)
    }
}

/// How many tokens of a word have this code.
#[inline(always)]
pub(super) fn count(word: u32, code: Code) -> usize {
    4 - nonzero(word ^ each(code)).count_ones() as usize
}

/// The highest bit of each byte that is not zero, exactly: no carry leaves a byte.
#[inline(always)]
const fn nonzero(word: u32) -> u32 {
    (((word & !HIGH) + !HIGH) | word) & HIGH
}

/// Marks in the highest bit of its byte each token outside the reserve that stands with the next.
#[inline(always)]
pub(super) fn twins(word: u32) -> u32 {
    nonzero(word) & !nonzero(word ^ word >> 8) & 0x0080_8080
}

/// The codes of the tokens that are marked in the highest bits of their bytes.
#[inline(always)]
pub(super) fn picked(word: u32, marks: u32) -> impl Iterator<Item = Code> {
    let mut marks = marks;
    std::iter::from_fn(move || {
        let at = marks.checked_ilog2()?;
        marks ^= 1 << at;
        Some((word >> (at - 7)) as Code)
    })
}

/// The numbers of the bits that are set, ascending.
#[inline(always)]
pub(super) fn bits(set: u8) -> impl Iterator<Item = u32> {
    let mut set = set;
    std::iter::from_fn(move || {
        let at = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (at < 8).then_some(at)
    })
}

/// The code of the token of this byte of a word.
#[inline(always)]
pub(super) fn nth(word: u32, index: u32) -> Code {
    (word >> (8 * index)) as Code
}

/// Whether a token of a word has this code.
#[inline(always)]
pub(super) fn contains(word: u32, code: Code) -> bool {
    // A byte is zero where the codes agree; the lowest such byte is found exactly.
    let differs = word ^ each(code);
    differs.wrapping_sub(EACH) & !differs & HIGH != 0
}

/// One in each byte of a word.
const EACH: u32 = 0x0101_0101;
/// The highest bit of each byte.
const HIGH: u32 = 0x80 * EACH;

/// A code in each byte of a word.
#[inline(always)]
const fn each(code: Code) -> u32 {
    code as u32 * EACH
}

/// The word with one token of code `from` moved to `to`. Without branches: which token it is and
/// where it goes in the order is as good as random.
#[inline(always)]
pub(super) fn moved(word: u32, from: Code, to: Code) -> u32 {
    debug_assert!(contains(word, from), "{from} is not in {word:08x}");
    let differs = word ^ each(from);
    let at = (differs.wrapping_sub(EACH) & !differs & HIGH).trailing_zeros() & 0b11000;
    let below = (1 << at) - 1;
    let others = word & below | word >> 8 & !below;
    let less = |token: u32| u32::from(to > (others >> (8 * token)) as Code);
    let at = 8 * (less(0) + less(1) + less(2));
    let below = (1 << at) - 1;
    others & below | u32::from(to) << at | (others & !below) << 8
}
