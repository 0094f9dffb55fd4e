//! Legal moves of Parchís.

use std::fmt;
use std::hint::select_unpredictable;

use crate::engine::game::MoveSet;
use crate::games::pachisi::{
    Board, GOAL, LANE, LAST_ON_RING, Place, Present, SAFE, SAFE_WITHOUT_STARTS, START, duplicates,
    has, is_on_ring, ones_of, pairs_on_lane,
};

use super::rules::{
    BarrierOn, EntryVsPair, EntryVsSingle, ProtectedLanding, Rules, SafeSquares, SixCountsSeven,
    TripleSix,
};
use super::state::State;

/// Moves the token on one place of its owner's route, or none.
///
/// Moves are ordered as tokens travel: entering first, then from the rearmost token to the
/// furthest, the shorter way first, a pass last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: Place,
    length: u8,
}

/// The place of a pass: behind all others.
const NOWHERE: Place = 0x7f;
/// The place of a penalty.
const LAST_MOVED: Place = 0x7e;

impl Move {
    /// The place moved from: 0 the yard, 1 the own start square, 64 the last ring square, 65 to 71
    /// the lane. Meaningless unless a token walks.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        self.from
    }

    /// The place moved to. Meaningless unless a token walks.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        self.from + self.length
    }

    /// Whether a token walks or enters: neither a pass nor a penalty.
    #[inline(always)]
    pub const fn walks(self) -> bool {
        self.from < LAST_MOVED
    }

    /// Whether the token enters.
    #[inline(always)]
    pub const fn enters(self) -> bool {
        self.from == 0
    }

    /// Whether nothing moves.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.from == NOWHERE
    }

    /// Whether the token that moved last goes back to the yard, because of the third six.
    #[inline(always)]
    pub const fn is_penalty(self) -> bool {
        self.from == LAST_MOVED
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            NOWHERE => write!(f, "pass"),
            LAST_MOVED => write!(f, "penalty"),
            _ => write!(f, "{}>{}", self.from, self.to()),
        }
    }
}

/// The legal moves of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moves {
    /// The mover's four tokens, ascending, and behind them the code of a pass.
    places: u64,
    /// For each of them bit 7 of its byte if it can move `base + 7`, bit 6 if `base + 6`.
    steps: u64,
    /// As wide as the others, because a byte that is read back as part of a word waits for its store.
    base: u64,
}

/// One for each token and the pass.
const EACH: u64 = 0x01_0101_0101;
/// Gathers one bit of each of five bytes by multiplying, in bits 28 to 32 and without a carry.
const GATHER: u64 = 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7 | 1;
/// For each set of five bytes, the first bits of its members, ascending, and behind the last 0xff:
/// the k-th of a set without a branch.
const LISTED: [u64; 32] = {
    let mut listed = [u64::MAX; 32];
    let mut set = 0;
    while set < listed.len() {
        let (mut byte, mut slot) = (0, 0);
        while byte < 5 {
            if set >> byte & 1 == 1 {
                listed[set] &= !(0xff << slot) | (8 * byte) << slot;
                slot += 8;
            }
            byte += 1;
        }
        set += 1;
    }
    listed
};
/// The bit of a pass.
const PASS: u64 = 0x80 << 32;

impl Moves {
    #[inline(always)]
    const fn new(own: u32, steps: u32, length: u8) -> Moves {
        Moves {
            places: (NOWHERE as u64) << 32 | own as u64,
            steps: steps as u64,
            base: (length as u64).wrapping_sub(7),
        }
    }

    /// These, or a pass if there is none.
    #[inline(always)]
    const fn or_pass(self) -> Moves {
        Moves {
            steps: if self.steps == 0 { PASS } else { self.steps },
            ..self
        }
    }

    /// These and a pass.
    #[inline(always)]
    const fn and_pass(self) -> Moves {
        Moves {
            steps: self.steps | PASS,
            ..self
        }
    }

    /// The token that moved last goes back to the yard.
    const PENALTY: Moves = Moves {
        places: (LAST_MOVED as u64) << 32,
        steps: PASS,
        base: 0,
    };

    /// [`MoveSet::get`] where six and seven may be walked.
    #[cold]
    #[inline(never)]
    fn get_of_both_lengths(self, index: usize) -> Move {
        let mut rest = self.steps;
        for _ in 0..index {
            rest &= rest.wrapping_sub(1);
        }
        assert!(rest != 0, "a move was chosen that is not there");
        self.first(rest)
    }

    /// The move of the lowest bit of `rest`, some of the legal ones.
    #[inline(always)]
    fn first(&self, rest: u64) -> Move {
        let bit = rest.trailing_zeros();
        let from = (self.places >> (bit & 0x38)) as Place & 0x7f;
        Move {
            from,
            length: self.base.wrapping_add(u64::from(bit) & 7) as u8,
        }
    }
}

impl MoveSet for Moves {
    type Move = Move;

    #[inline(always)]
    fn len(&self) -> usize {
        // A sum of bytes, gathered in the fifth by multiplying.
        let each = (self.steps >> 7 & EACH) + (self.steps >> 6 & EACH);
        (each.wrapping_mul(EACH) >> 32) as usize & 0xff
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Move {
        if self.steps & EACH << 6 != 0 {
            return self.get_of_both_lengths(index);
        }
        let set = ((self.steps >> 7).wrapping_mul(GATHER) >> 28) as usize & 31;
        let bit = LISTED[set] >> (8 * (index & 7)) & 0xff;
        assert!(bit < 64, "a move was chosen that is not there");
        Move {
            from: (self.places >> bit) as Place & 0x7f,
            length: self.base.wrapping_add(7) as u8,
        }
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.steps & self.steps.wrapping_sub(1) == 0
    }

    #[inline(always)]
    fn forced(&self) -> Move {
        self.first(self.steps)
    }

    #[inline(always)]
    fn idle(&self) -> Option<Move> {
        (self.steps == PASS).then(|| self.first(PASS))
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        let mut rest = self.steps;
        std::iter::from_fn(move || {
            let mv = (rest != 0).then(|| self.first(rest));
            rest &= rest.wrapping_sub(1);
            mv
        })
    }
}

/// The house rules as the board is asked about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools)] // House rules, one field each.
pub(super) struct Switches {
    /// The safe squares: bit `place - 1`.
    pub(super) safe: u64,
    /// The squares on which a pair is a barrier: bit `place - 1`.
    pub(super) barriers: u64,
    pub(super) entry_vs_single: EntryVsSingle,
    pub(super) entry_vs_pair: EntryVsPair,
    pub(super) share: bool,
    pub(super) six_counts_seven: SixCountsSeven,
    pub(super) six_breaks_barrier: bool,
    pub(super) bonus_optional: bool,
    pub(super) triple_six: TripleSix,
    pub(super) lane_barrier: bool,
    pub(super) first_five_two: bool,
    pub(super) play_on: bool,
    pub(super) capture_bonus: u8,
    pub(super) goal_bonus: u8,
}

impl Switches {
    /// The rules nearly every game is played by: what follows from the default rules.
    pub(super) const PLAIN: Switches = Switches {
        safe: SAFE,
        barriers: SAFE,
        entry_vs_single: EntryVsSingle::Capture,
        entry_vs_pair: EntryVsPair::Blocked,
        share: false,
        six_counts_seven: SixCountsSeven::Auto,
        six_breaks_barrier: true,
        bonus_optional: false,
        triple_six: TripleSix::LastMoved,
        lane_barrier: false,
        first_five_two: false,
        play_on: false,
        capture_bonus: 20,
        goal_bonus: 10,
    };

    /// What follows from the preset `spanish`.
    pub(super) const SPANISH: Switches = Switches {
        barriers: u64::MAX,
        entry_vs_pair: EntryVsPair::Last,
        share: true,
        triple_six: TripleSix::Wiki,
        lane_barrier: true,
        first_five_two: true,
        ..Switches::PLAIN
    };

    pub(super) fn of(rules: &Rules) -> Switches {
        let safe = match rules.safe_squares {
            SafeSquares::All12 => SAFE,
            SafeSquares::WithoutStarts => SAFE_WITHOUT_STARTS,
        };
        Switches {
            safe,
            barriers: match rules.barrier_on {
                BarrierOn::Safe => safe,
                BarrierOn::Any => u64::MAX,
                BarrierOn::None => 0,
            },
            entry_vs_single: rules.entry_vs_single,
            entry_vs_pair: rules.entry_vs_pair,
            share: rules.protected_landing == ProtectedLanding::Share,
            six_counts_seven: rules.six_counts_seven,
            six_breaks_barrier: rules.six_breaks_barrier,
            bonus_optional: rules.bonus_optional,
            triple_six: rules.triple_six,
            lane_barrier: rules.lane_barrier,
            first_five_two: rules.first_five_two,
            play_on: rules.play_on,
            capture_bonus: rules.capture_bonus,
            goal_bonus: rules.goal_bonus,
        }
    }
}

impl State {
    /// The legal moves of a decision.
    #[inline(always)]
    pub(super) fn legal(&self, switches: Switches, out: &mut Moves) {
        if self.is_bonus() || self.is_third_six() {
            self.out_of_the_ordinary(switches, out);
            return;
        }
        *out = self.legal_of_roll(switches);
    }

    /// The moves of a roll that is not the third six.
    #[inline(always)]
    fn legal_of_roll(&self, switches: Switches) -> Moves {
        let (board, die) = (&self.board, self.die());
        let own = board.own();
        // «Всякий раз, когда на кубике выпадает 5, игрок должен переместить фишку со своего
        // домашнего квадрата на дорожку, если в домашнем квадрате есть фишки.»
        if die == 5 && board.one_in_yard() && can_enter(board, switches) {
            return Moves::new(own, 0x80, START);
        }
        // «Когда на кубике выпадет 6, и все фишки игрока уже находятся за пределами домашнего
        // квадрата, игрок может сделать 7 шагов вместо 6.» Tokens at the goal are not in the yard.
        let seven =
            die == 6 && !board.one_in_yard() && switches.six_counts_seven != SixCountsSeven::Off;
        let length = die + u8::from(seven);
        let mut steps = walkers(board, length, switches);
        if seven && switches.six_counts_seven == SixCountsSeven::Choice {
            steps |= walkers(board, die, switches) >> 1;
        }
        // «И если любые 2 фишки игрока формируют барьер, то игрок должен переместить фишку из
        // своего барьера, таким образом убрав барьер.» If none of them can, any other may.
        if die == 6 && switches.six_breaks_barrier {
            let barrier = barrier_tokens(board, switches);
            let duty = steps & (barrier | barrier >> 1);
            steps = if duty != 0 { duty } else { steps };
        }
        Moves::new(own, steps, length).or_pass()
    }

    /// The moves of a bonus, and what the third six leaves.
    #[cold]
    #[inline(never)]
    fn out_of_the_ordinary(self, switches: Switches, out: &mut Moves) {
        let bonus = self.bonus();
        let own = self.board.own();
        if self.is_bonus() {
            let moves = Moves::new(own, walkers(&self.board, bonus, switches), bonus);
            *out = if switches.bonus_optional {
                moves.and_pass()
            } else {
                moves.or_pass()
            };
            return;
        }
        // «Но если игрок выбросит 6 снова, в третий раз подряд, то последняя перемещенная фишка
        // игрока должна вернуться на домашний квадрат, если она не находится на последних цветных
        // клетках рядом с целью.»
        *out = if is_on_ring(self.last()) {
            Moves::PENALTY
        } else {
            Moves::new(own, 0, 0).or_pass()
        };
    }
}

/// Whether a token of the yard can be placed on the own start square.
#[inline(always)]
pub(super) fn can_enter(board: &Board, switches: Switches) -> bool {
    if has(board.pairs(), START) {
        can_enter_beside_a_pair(*board, switches)
    } else {
        captures_singles(switches) || board.at(START).others().is_none()
    }
}

/// Whether a token that enters captures enemies that form no barrier.
#[inline(always)]
fn captures_singles(switches: Switches) -> bool {
    switches.entry_vs_single == EntryVsSingle::Capture || !has(switches.safe, START)
}

/// A pair stands on the start square.
#[cold]
#[inline(never)]
fn can_enter_beside_a_pair(board: Board, switches: Switches) -> bool {
    let here = board.at(START);
    if is_two(here.own()) {
        return false;
    }
    let is_barrier = has(switches.barriers, START);
    if is_barrier && switches.entry_vs_pair == EntryVsPair::Blocked {
        return false;
    }
    // Who forms no barrier stands in the way as if there were none.
    let forms_none = |corner| {
        let tokens = here.of(corner);
        tokens != 0 && !(is_barrier && is_two(tokens))
    };
    captures_singles(switches) || !(1..4).any(forms_none)
}

/// The enemies among these on the start square that a token captures as it enters.
pub(super) fn captured_by_entry(board: &Board, here: Present, switches: Switches) -> Present {
    let enemies = here.others();
    let is_barrier = has(board.pairs() & switches.barriers, START);
    if switches.entry_vs_pair != EntryVsPair::Last || !is_barrier {
        return enemies;
    }
    // One of the pair stays.
    let mut captured = enemies;
    for corner in 1..4 {
        let tokens = enemies.of(corner);
        if is_two(tokens) {
            let stays = u64::from(tokens & tokens.wrapping_neg()) << (32 * (corner >> 1));
            captured.0[corner & 1] &= !stays;
        }
    }
    captured
}

/// Whether these are two tokens of one colour.
#[inline(always)]
const fn is_two(tokens: u32) -> bool {
    tokens & tokens.wrapping_sub(1) != 0
}

/// The own tokens that can walk so many squares, each place once: their bytes' high bits.
#[inline(always)]
pub(super) fn walkers(board: &Board, length: u8, switches: Switches) -> u32 {
    /// One for each token.
    const EACH: u32 = 0x0101_0101;
    let own = board.own();
    let in_yard = !(own + 0x7f * EACH);
    // «Для перемещения фишки игрока к цели нужно выбросить точное количество шагов на кубике»
    let overshoots = own + EACH * (u32::from(length) + 127 - u32::from(GOAL));
    let twins = duplicates(own);
    let steps = !(in_yard | overshoots | twins) & (0x80 * EACH);

    // Most ways are free at a glance: only the others are looked at square by square. On a lane
    // only own tokens stand, and nobody is stopped there without two on one square.
    let twins_on_lane =
        twins & (own + EACH * (128 - u32::from(LANE))) & !(own + EACH * (128 - u32::from(GOAL)));
    if twins_on_lane != 0 || length > 7 {
        return steps & !stopped(board, steps, length, switches);
    }
    let doubtful = starting_points(own) & not_free_at_a_glance(board, length, switches);
    if doubtful == 0 {
        steps
    } else {
        steps & !stopped_at(board, doubtful, length, switches)
    }
}

/// The places of these tokens from which one can end its way on the ring: bit `place`.
#[inline(always)]
fn starting_points(tokens: u32) -> u64 {
    const BIT: [u64; 128] = {
        let mut bits = [0; 128];
        let mut place = START;
        while place < LAST_ON_RING {
            bits[place as usize] = 1 << place;
            place += 1;
        }
        bits
    };
    let [a, b, c, d] = tokens.to_le_bytes().map(|place| BIT[place as usize & 127]);
    (a | b) | (c | d)
}

/// The places, bit `place`, from which a token meets a barrier on its way, or may not be alone at
/// its end: all four tokens are looked up at once. For lengths 1 to 7.
#[inline(always)]
fn not_free_at_a_glance(board: &Board, length: u8, switches: Switches) -> u64 {
    let barriers = board.pairs() & switches.barriers;
    (switches.safe | board.pairs()) >> (length - 1) | next_squares(barriers, length)
}

/// The squares with one of these among the next `count`, 1 to 7, itself the first: by doubling,
/// and without a branch on the die.
#[inline(always)]
fn next_squares(squares: u64, count: u8) -> u64 {
    let two = squares | squares >> 1;
    let four = two | two >> 2;
    let few = select_unpredictable(count >= 2, two, squares);
    let most = select_unpredictable(count >= 4, four, few);
    // How far `count` is beyond 1, 2 or 4.
    let more = 0x3210_1000_u32 >> (4 * count) & 3;
    most | most >> more
}

/// Those of these tokens that cannot walk so many squares.
#[inline(always)]
fn stopped(board: &Board, tokens: u32, length: u8, switches: Switches) -> u32 {
    let mut stopped = 0;
    for index in ones_of(tokens) {
        let from = board.own().to_le_bytes()[index];
        stopped |= u32::from(is_stopped(board, from, length, switches)) << (8 * index + 7);
    }
    stopped
}

/// The own tokens at these places, bit `place`, that cannot walk so many squares.
#[inline(always)]
fn stopped_at(board: &Board, places: u64, length: u8, switches: Switches) -> u32 {
    let mut stopped = 0;
    let mut rest = places;
    while rest != 0 {
        let from = rest.trailing_zeros() as Place;
        if is_stopped(board, from, length, switches) {
            stopped |= board.at(from).own();
        }
        rest &= rest - 1;
    }
    stopped
}

/// Whether a token cannot walk so many squares.
#[inline(always)]
fn is_stopped(board: &Board, from: Place, length: u8, switches: Switches) -> bool {
    let barriers = board.pairs() & switches.barriers;
    is_blocked(board, barriers, from, length, switches) || !can_land(board, from + length, switches)
}

/// Whether a barrier stands on the way or at its end.
///
/// «Когда две фишки одного цвета занимают одну и ту же безопасную клетку, они образуют барьер, и
/// ни одна фишка не может пройти мимо них, включая фишки того же цвета.»
#[inline(always)]
fn is_blocked(board: &Board, barriers: u64, from: Place, length: u8, switches: Switches) -> bool {
    let way = u64::MAX >> (64 - length.min(64));
    let on_ring = barriers.checked_shr(from.into()).unwrap_or(0) & way != 0;
    let on_lane = || {
        let lane = u128::from(pairs_on_lane(board.own())) << LAST_ON_RING;
        lane >> from & ((1 << length) - 1) != 0
    };
    on_ring || switches.lane_barrier && on_lane()
}

/// Whether a token may end its way on a place where no barrier is.
#[inline(always)]
fn can_land(board: &Board, to: Place, switches: Switches) -> bool {
    if to == GOAL {
        return true;
    }
    let here = board.at(to);
    // A square holds two.
    if is_two(here.own()) {
        return false;
    }
    // «Исключением является случай, когда фишки противника находятся на безопасной клетке …, в
    // этом случае игрок не может переместить свою фишку на эту клетку.»
    if !has(switches.safe, to) {
        return true;
    }
    if switches.share {
        !here.are_several()
    } else {
        here.others().is_none()
    }
}

/// The own tokens that form a barrier, of each pair the one that [`walkers`] lists.
#[inline(always)]
pub(super) fn barrier_tokens(board: &Board, switches: Switches) -> u32 {
    let own = board.own();
    let mut paired = duplicates(own) >> 8;
    for index in ones_of(paired) {
        let place = own.to_le_bytes()[index];
        let on_lane = switches.lane_barrier && (LANE..GOAL).contains(&place);
        if !has(switches.barriers, place) && !on_lane {
            paired &= !(0x80 << (8 * index));
        }
    }
    paired
}
