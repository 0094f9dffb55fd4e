//! Legal moves of Chińczyk.

use std::fmt;

use crate::engine::game::MoveSet;
use crate::games::pachisi::{
    Board, GOAL, LANE, Place, Present, SAFE, SAFE_WITHOUT_STARTS, duplicates, has, is_on_ring,
    pairs_on_lane,
};

use super::Chinczyk;
use super::rules::{
    BonusTiming, EnterOn, MustUse, ProtectedLanding, Rules, SafeSet, TeamEnd, TripleDoublet,
};
use super::state::{Memory, State};

/// One step of one token, or none.
///
/// Moves are ordered as tokens travel: entering first, then from the rearmost token to the
/// furthest, for one token the shorter step first, a pass last. Only the moves of a position may
/// be played in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What enters a token: a die, or both together.
pub(super) const FIVE: u8 = 5;

impl Move {
    /// Plays nothing more of the dice, or not the bonus that is offered.
    pub const PASS: Move = Move(u16::MAX);

    /// The token enters, on a five.
    pub(super) const ENTER: Move = Move(FIVE as u16);

    /// A step of so many pips from this place.
    #[inline(always)]
    pub(super) const fn step(from: Place, pips: u8) -> Move {
        Move((from as u16) << 8 | pips as u16)
    }

    /// The place moved from: 0 the yard, 1 to 64 the ring from the own start, 65 to 71 the lane.
    /// Meaningless for a pass.
    #[inline(always)]
    pub const fn from(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The place moved to: 0 the yard, 72 the goal. Meaningless for a pass.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        match (self.from(), self.pips()) {
            (_, 0) => 0,
            (0, _) => 1,
            (from, pips) => from + pips,
        }
    }

    /// The pips of the die or bonus that the move uses, 5 for entering, 0 for the penalty.
    /// Meaningless for a pass.
    #[inline(always)]
    pub const fn pips(self) -> u8 {
        self.0 as u8
    }

    /// Whether a token enters.
    #[inline(always)]
    pub const fn enters(self) -> bool {
        self.from() == 0
    }

    /// Whether nothing is moved.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// Whether a token is sent back by the third doublet.
    #[inline(always)]
    pub const fn is_penalty(self) -> bool {
        self.pips() == 0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return write!(f, "pass");
        }
        write!(f, "{}+{}", self.from(), self.pips())
    }
}

/// The legal moves as a mask.
///
/// Bit 0 enters a token, bits `1 + 2 * index` and `2 + 2 * index` move the token of this index
/// by the lower and the higher die (or by a bonus, with the first of the two), the last passes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moves {
    /// The mover's tokens, ascending, a byte each.
    tokens: u32,
    /// The pips of the lower and the higher die, in two bytes.
    pips: u16,
    mask: u16,
}

/// A token enters.
const ENTERS: u16 = 1;
/// All tokens by the lower die or a bonus.
const BY_LOWER: u16 = 0b1010_1010;
/// All tokens by the higher die.
const BY_HIGHER: u16 = BY_LOWER << 1;
/// A pass.
const PASSES: u16 = 1 << 9;

/// How many bits of five are set: a table, because the baseline has no instruction for it.
const COUNTS: [u8; 32] = {
    let mut counts = [0; 32];
    let mut mask = 0;
    while mask < counts.len() {
        counts[mask] = mask.count_ones() as u8;
        mask += 1;
    }
    counts
};

/// Which bit of five is the set one of this index: without a loop, whose length would be as
/// random as the choice.
const SELECT: [[u8; 8]; 32] = {
    let mut select = [[0; 8]; 32];
    let mut mask = 0usize;
    while mask < select.len() {
        let (mut index, mut rest) = (0, mask);
        while rest != 0 {
            select[mask][index] = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            index += 1;
        }
        mask += 1;
    }
    select
};

impl Moves {
    #[inline(always)]
    const fn new(board: &Board, [low, high]: [u8; 2], mask: u16) -> Moves {
        Moves {
            tokens: board.own(),
            pips: low as u16 | (high as u16) << 8,
            mask,
        }
    }

    /// The lower and the higher five bits.
    #[inline(always)]
    const fn halves(self) -> [usize; 2] {
        [self.mask as usize & 31, self.mask as usize >> 5 & 31]
    }

    /// The move of a bit.
    #[inline(always)]
    const fn at(self, bit: u32) -> Move {
        if bit == 0 {
            return Move::ENTER;
        }
        if bit == PASSES.trailing_zeros() {
            return Move::PASS;
        }
        let from = self.tokens >> (8 * ((bit - 1) >> 1)) & 0xff;
        let pips = self.pips >> (8 * ((bit - 1) & 1)) & 0xff;
        Move::step(from as Place, pips as u8)
    }

    /// Whether there is none: no decision, the game goes on by itself.
    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.mask == 0
    }

    /// Those of some bits.
    const fn only(self, bits: u16) -> Moves {
        Moves {
            mask: self.mask & bits,
            ..self
        }
    }
}

impl MoveSet for Moves {
    type Move = Move;

    #[inline(always)]
    fn len(&self) -> usize {
        let [low, high] = self.halves();
        usize::from(COUNTS[low] + COUNTS[high])
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Move {
        assert!(
            index < self.len(),
            "move {index} of {} was chosen",
            self.len()
        );
        let [low, high] = self.halves();
        let in_low = usize::from(COUNTS[low]);
        let bit = if index < in_low {
            SELECT[low][index & 7]
        } else {
            5 + SELECT[high][(index - in_low) & 7]
        };
        self.at(u32::from(bit))
    }

    #[inline(always)]
    fn is_forced(&self) -> bool {
        self.mask & self.mask.wrapping_sub(1) == 0
    }

    #[inline(always)]
    fn forced(&self) -> Move {
        self.at(self.mask.trailing_zeros())
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        let mut rest = self.mask;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(self.at(bit))
        })
    }
}

/// The house rules as the inner loop asks for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools)] // House rules, one field each.
pub(super) struct Switches {
    pub(super) captures: bool,
    pub(super) blockades: bool,
    /// The squares on which nobody is captured: bit `place - 1`.
    pub(super) safe: u64,
    pub(super) passing: bool,
    pub(super) penalty: bool,
    pub(super) teams: bool,
    pub(super) both_finish: bool,
    pub(super) enter_on_sum: bool,
    pub(super) enter_compulsory: bool,
    pub(super) share: bool,
    pub(super) stuck_rerolls: bool,
    pub(super) max_dice: bool,
    pub(super) bonus_waits: bool,
    pub(super) no_march: bool,
    pub(super) capture_bonus: u8,
    pub(super) goal_bonus: u8,
}

impl Switches {
    /// The rules nearly every game is played by: `full`.
    pub(super) const FULL: Switches = Switches {
        captures: true,
        blockades: true,
        safe: SAFE_WITHOUT_STARTS,
        passing: true,
        penalty: true,
        teams: false,
        both_finish: false,
        enter_on_sum: true,
        enter_compulsory: false,
        share: true,
        stuck_rerolls: false,
        max_dice: false,
        bonus_waits: false,
        no_march: false,
        capture_bonus: 10,
        goal_bonus: 15,
    };

    pub(super) fn of(rules: &Rules) -> Switches {
        let safe = match (rules.safe_squares, rules.safe_set) {
            (false, _) => 0,
            (true, SafeSet::WithoutStarts) => SAFE_WITHOUT_STARTS,
            (true, SafeSet::All12) => SAFE,
        };
        Switches {
            captures: rules.captures,
            blockades: rules.blockades,
            safe,
            passing: rules.passing,
            penalty: rules.triple_doublet == TripleDoublet::MostAdvanced,
            teams: rules.teams,
            both_finish: rules.teams && rules.team_end == TeamEnd::Both,
            enter_on_sum: rules.enter_on == EnterOn::DieOrSum,
            enter_compulsory: rules.enter_compulsory,
            share: rules.protected_landing == ProtectedLanding::Share,
            stuck_rerolls: rules.stuck_doublet_rerolls,
            max_dice: rules.must_use == MustUse::MaxDice && !rules.passing,
            bonus_waits: rules.bonus_timing == BonusTiming::EndOfRoll,
            no_march: rules.no_blockade_march,
            capture_bonus: rules.capture_bonus,
            goal_bonus: rules.goal_bonus,
        }
    }

    /// The tokens that are not of the mover's side.
    #[inline(always)]
    pub(super) const fn enemies(self, here: Present) -> Present {
        if self.teams {
            here.neighbours()
        } else {
            here.others()
        }
    }

    /// Whether enemies on a square are captured by who lands there.
    #[inline(always)]
    pub(super) const fn captures_on(self, place: Place) -> bool {
        self.captures && !has(self.safe, place)
    }

    /// The five is rolled: «po wyrzuceniu na kostkach liczby pięć».
    #[inline(always)]
    pub(super) const fn is_five(self, [low, high]: [u8; 2]) -> bool {
        low == FIVE || high == FIVE || self.enter_on_sum && high != 0 && low + high == FIVE
    }

    /// Whether the next thing to be played is a bonus, not a die.
    #[inline(always)]
    pub(super) const fn plays_bonus(self, memory: Memory) -> bool {
        memory.bonus() != 0 && (!self.bonus_waits || memory.dice()[0] == 0)
    }
}

/// Added to four tokens it sets the high bits of those in the lane or at the goal.
const TO_LANE: u32 = 0x0101_0101 * (128 - LANE as u32);
/// Added to four tokens it sets the high bits of those at the goal.
const TO_GOAL: u32 = 0x0101_0101 * (128 - GOAL as u32);

/// The squares that blockades close to the mover: bit `place - 1`, those behind the goal too.
///
/// «blokadę, której nie może przekroczyć żaden pionek żadnego z grających, w tym również tego
/// gracza, który blokadę stworzył»
#[inline(always)]
pub(super) fn closed(board: &Board, switches: Switches) -> u128 {
    let behind_goal = u128::MAX << GOAL;
    if !switches.blockades {
        return behind_goal;
    }
    let own = board.own();
    // The high bits of the tokens in the lane that stand on another: hardly ever one.
    let in_lane = (own + TO_LANE) & !(own + TO_GOAL);
    let lane = if duplicates(own) & in_lane == 0 {
        0
    } else {
        pairs_on_lane(own)
    };
    behind_goal | u128::from(lane) << (LANE - 1) | u128::from(board.pairs())
}

/// How far a token on a place can go before a closed square: pips, from 0 the yard to enter.
#[inline(always)]
pub(super) fn free_ahead(closed: u128, place: Place, switches: Switches) -> u8 {
    let ahead = closed >> place;
    if switches.capture_bonus < 64 && switches.goal_bonus < 64 {
        (ahead as u64 | 1 << 63).trailing_zeros() as u8
    } else {
        ahead.trailing_zeros() as u8
    }
}

/// Whether a token may end its move on a square that no blockade closes.
#[inline(always)]
pub(super) fn may_land(board: &Board, to: Place, switches: Switches) -> bool {
    if switches.blockades && switches.share || to == GOAL {
        return true;
    }
    let here = board.at(to);
    // «W przeciwnym przypadku niemożliwe jest postawienie drugiego pionka na tym samym polu.»
    let friends = here.own() != 0 || switches.teams && here.of(2) != 0;
    if friends && !switches.blockades {
        return false;
    }
    let beside_enemy = is_on_ring(to) && !switches.enemies(here).is_none();
    switches.share || !beside_enemy || switches.captures_on(to)
}

/// Whether a token on a place can move so many pips, if it can go `free` pips before a closed
/// square. Yard tokens move by entering only: «Wyprowadzenie każdego z pionków z
/// pozycji początkowej możliwe jest jedynie po wyrzuceniu na kostkach liczby pięć.»
#[inline(always)]
fn can_step(board: &Board, place: Place, pips: u8, free: u8, switches: Switches) -> bool {
    place != 0 && free >= pips && may_land(board, place + pips, switches)
}

/// Whether a token can enter on these dice.
#[inline(always)]
fn can_enter(board: &Board, dice: [u8; 2], closed: u128, switches: Switches) -> bool {
    switches.is_five(dice) && board.one_in_yard() && closed & 1 == 0 && may_land(board, 1, switches)
}

impl Chinczyk {
    /// The steps of tokens that a position allows, and their pips.
    #[inline(always)]
    pub(super) fn steps(board: &Board, memory: Memory, switches: Switches) -> Moves {
        let closed = closed(board, switches);
        let is_bonus = switches.plays_bonus(memory);
        let pips @ [low, high] = if is_bonus {
            [memory.bonus(), 0]
        } else {
            memory.dice()
        };
        let own = board.own();
        let same = duplicates(own);
        let mut mask = 0;
        for index in 0..4 {
            let place = (own >> (8 * index)) as Place;
            let free = free_ahead(closed, place, switches);
            let by_low = can_step(board, place, low, free, switches);
            let by_high = high != 0 && can_step(board, place, high, free, switches);
            let token = u16::from(by_low) | u16::from(by_high) << 1;
            let first = (same >> (8 * index + 7) & 1) as u16;
            // Identical tokens do the same.
            mask |= (token & first.wrapping_sub(1)) << (1 + 2 * index);
        }
        // So do equal dice; without a die there are only bonuses and entries left.
        if high == low {
            mask &= BY_LOWER;
        }
        if is_bonus || low == 0 {
            let mask = if is_bonus { mask } else { 0 };
            return Moves::new(board, pips, mask);
        }
        if switches.no_march && memory.march() != 0 {
            mask &= !stays(board, memory.march());
        }
        if can_enter(board, pips, closed, switches) {
            if switches.enter_compulsory {
                mask &= match pips {
                    [FIVE, FIVE] => 0,
                    [FIVE, _] => BY_HIGHER,
                    [_, FIVE] => BY_LOWER,
                    _ => 0,
                };
            }
            mask |= ENTERS;
        }
        Moves::new(board, pips, mask)
    }

    /// Whether a position with one die left or a bonus allows a step: [`Chinczyk::steps`] in half
    /// the instructions.
    #[inline(always)]
    pub(super) fn can_go_on(board: &Board, memory: Memory, switches: Switches) -> bool {
        if switches.no_march && memory.march() != 0 {
            return !Self::steps(board, memory, switches).is_none();
        }
        let closed = closed(board, switches);
        let is_bonus = switches.plays_bonus(memory);
        let die = memory.dice()[0];
        let pips = if is_bonus { memory.bonus() } else { die };
        let mut can = !is_bonus && can_enter(board, [die, 0], closed, switches);
        for place in board.own().to_le_bytes() {
            let free = free_ahead(closed, place, switches);
            can |= can_step(board, place, pips, free, switches);
        }
        can
    }

    /// The legal moves of a decision.
    #[inline(always)]
    pub(super) fn legal(&self, state: &State, switches: Switches) -> Moves {
        let (board, memory) = (&state.0, state.memory());
        if switches.penalty && memory.doubles() == 2 && memory.again() {
            return penalty(board);
        }
        let mut moves = Self::steps(board, memory, switches);
        if switches.max_dice && memory.dice()[0] != 0 {
            moves = self.using_most_dice(state, moves);
        }
        // «gracz ma zawsze możliwość zrezygnowania z całego ruchu lub tylko jednej części»
        let duty =
            switches.enter_compulsory && moves.mask & ENTERS != 0 && !switches.plays_bonus(memory);
        if moves.mask == 0 || switches.passing && !duty {
            moves.mask |= PASSES;
        }
        moves
    }

    /// Of some moves with dice left those on the lines that use the most dice; if only one can be
    /// used, the higher where either could.
    #[cold]
    #[inline(never)]
    fn using_most_dice(&self, state: &State, moves: Moves) -> Moves {
        let most = self.most_dice(state, moves);
        let mut kept = Moves { mask: 0, ..moves };
        for bit in 0..PASSES.trailing_zeros() {
            if moves.mask >> bit & 1 == 1 && self.dice_after(state, moves.at(bit)) == most {
                kept.mask |= 1 << bit;
            }
        }
        let [_, high] = state.memory().dice();
        // The entry on a five is a step of the die that shows it.
        let by_higher = BY_HIGHER | if high == FIVE { ENTERS } else { 0 };
        let either = high != 0 && most == 1 && !self.switches.plays_bonus(state.memory());
        if either && kept.mask & by_higher != 0 {
            kept = kept.only(by_higher);
        }
        kept
    }

    /// The most dice that the rest of the roll can use from here.
    fn most_dice(&self, state: &State, moves: Moves) -> u8 {
        let lines = moves.iter().map(|mv| self.dice_after(state, mv));
        lines.max().unwrap_or(0)
    }

    /// The most dice that a step and the rest of the roll can use.
    fn dice_after(&self, state: &State, mv: Move) -> u8 {
        let left = |memory: Memory| memory.dice().into_iter().filter(|&die| die != 0).count() as u8;
        let before = left(state.memory());
        let mut board = state.0;
        let (memory, _) = Self::walk(&mut board, state.memory(), mv, self.switches);
        let used = before - left(memory);
        if memory.dice()[0] == 0 || board.is_finished() {
            return used;
        }
        let Some(memory) = Self::next_part(&board, memory, self.switches) else {
            return used;
        };
        board.set_memo(memory.0);
        let rest = State(board);
        used + self.most_dice(&rest, Self::steps(&board, memory, self.switches))
    }
}

/// «trzykrotne wyrzucenie dubletu powoduje powrót pionka do pozycji początkowej»: of the token
/// that has come furthest, the lane included, the goal not.
#[cold]
#[inline(never)]
fn penalty(board: &Board) -> Moves {
    let places = board.own().to_le_bytes();
    let furthest = (0..4).rfind(|&index| places[index] != GOAL && places[index] != 0);
    let mask = furthest.map_or(PASSES, |index| 1 << (1 + 2 * index));
    Moves::new(board, [0, 0], mask)
}

/// The steps of the token that must stay where the other of its blockade has left, unless a
/// third has come, which may go.
#[cold]
#[inline(never)]
fn stays(board: &Board, place: Place) -> u16 {
    let here = board.at(place).own();
    if here == 0 || here & (here - 1) != 0 {
        return 0;
    }
    0b110 << (2 * (here.trailing_zeros() / 8))
}
