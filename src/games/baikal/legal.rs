//! Which actions of a decision are legal.

use crate::engine::game::MoveSet;

use super::Baikal;
use super::act::Change;
use super::moves::{Move, Moves};
use super::route::{How, Place, Stride};
use super::rules::{Level, MaxRule};
use super::state::{Code, Field, Phase, RESERVE, RING, State, bits, contains, nth, picked, twins};

impl<const SEATS: usize> Baikal<SEATS> {
    /// The legal moves of a decision.
    #[inline(always)]
    pub(super) fn legal(&self, state: &State<SEATS>, out: &mut Moves) {
        out.clear();
        match state.phase() {
            Phase::Leave => out.push(Move::LEAVE),
            _ if self.rules.level != Level::Serious => out.push(self.only_move(state)),
            Phase::First => self.first(state, out),
            Phase::Second => self.second(state, state.get(Field::DIE), out),
            Phase::Reply => self.actions(state, self.blocks(state, state.actor()), 6, out),
            _ => unreachable!("nothing is to be decided"),
        }
    }

    /// Sprint and Classic: the token that is on its way, or the next one from the reserve.
    ///
    /// «Игроки перегоняют по одной фишке. … Когда фишка загнана в Дом до упора, выводим на поле
    /// следующую фишку.»
    #[inline(always)]
    pub(super) fn active(&self, word: u32) -> Code {
        let reserve = word.trailing_zeros() / 8;
        let lowest = (word >> (8 * (reserve & 3))) as Code;
        // Only homed tokens are left when the lowest stands where they would end.
        if reserve > 3 || lowest == self.route.lane + reserve as u8 {
            RESERVE
        } else {
            lowest
        }
    }

    /// Sprint and Classic hold no choices.
    ///
    /// Sprint: «на такое количество клеток, которое выпало в сумме на двух кубиках»; Classic:
    /// «сначала соответственно первому кубику, на котором выпало большее количество очков, потом
    /// соответственно второму»; in the pocket the die that is the key goes first.
    #[inline(always)]
    fn only_move(&self, state: &State<SEATS>) -> Move {
        let code = self.active(state.tokens[state.to()]);
        let die = state.get(Field::DIE);
        if state.phase() == Phase::Second {
            return Move::new(die, code);
        }
        let high = state.get(Field::HIGH);
        if let Place::Pocket(_, depth) = self.route.place(code) {
            let key = self.keys[usize::from(depth)];
            return if key == high || key == die {
                Move::new(key, code)
            } else {
                Move::PASS
            };
        }
        match self.rules.level {
            Level::Sprint => Move::new(die + high, code),
            _ => Move::new(high, code),
        }
    }

    /// The ring cells that are blocks, as `slot` counts them: bit r, and bit ring + r again for
    /// walks past the own start.
    #[inline(always)]
    pub(super) fn blocks(&self, state: &State<SEATS>, slot: usize) -> u128 {
        let twins = state.tokens.map(twins);
        // All words at once: mostly there is no pair at all.
        if twins.into_iter().fold(0, |all, twins| all | twins) == 0 {
            return 0;
        }
        let mut blocks = 0;
        for (other, twins) in twins.into_iter().enumerate() {
            let cell_of = self.route.cell_on(self.turns[other][slot].sides);
            for code in picked(state.tokens[other], twins) {
                blocks |= cell_of[usize::from(code)];
            }
        }
        blocks &= !self.route.corners;
        blocks | blocks << self.route.ring
    }

    /// Serious: whether a token of `slot` can use a die, ransom apart.
    ///
    /// «Фишка выводится на поле, если на одном из кубиков выпало 6. … Если на Старте уже стоит своя
    /// фишка, которую игрок ввел в игру, но еще ни разу ей не сходил, то следующую фишку он ввести в
    /// игру … не может.» In the lane: «такой ход не разрешается, фишка остается на месте»; «обгонять
    /// свою фишку в Доме допускается»
    #[inline(always)]
    fn can(&self, state: &State<SEATS>, slot: usize, blocks: u128, code: Code, die: u8) -> bool {
        let stride = self.route.stride(code, die);
        if stride.how == How::Steps {
            return self.has_room(state, slot, code);
        }
        let is_taken = stride.alone & contains(state.tokens[slot], stride.to);
        !is_taken && (blocks == 0 || (blocks >> stride.r) as u8 & stride.cells == 0)
    }

    /// Whether a token of a pocket can go on, with its key.
    #[inline(never)]
    fn has_room(&self, state: &State<SEATS>, slot: usize, code: Code) -> bool {
        let Place::Pocket(side, depth) = self.route.place(code) else {
            unreachable!("{code} is no pocket cell")
        };
        self.can_step(state, slot, side, depth)
    }

    /// The tokens of the acting slot that can use the die, ransom apart: bit i for the token of byte
    /// i of its word, of equal ones for the first. A captor that replies enters nobody: «Ввести фишку
    /// в игру на эти 6 Вы не можете»
    #[inline(always)]
    fn users(&self, state: &State<SEATS>, blocks: u128, die: u8) -> u8 {
        let slot = state.actor();
        let stays = state.get(Field::STAYS);
        let codes = state.codes(slot);
        let mut users = 0;
        for (index, code) in codes.into_iter().enumerate() {
            let new = index == 0 || codes[index - 1] != code;
            let can = new && self.can(state, slot, blocks, code, die);
            users |= u8::from(can) << index;
        }
        if codes[0] == RESERVE && slot != state.to() {
            users &= !1;
        }
        // «Если выпал дубль, такие фишки … передвигать вместе нельзя»
        if stays != 0 {
            let stay = (0..4).filter(|&index| codes[index] == stays);
            users &= !stay.map(|index| 1 << index).sum::<u8>();
        }
        users
    }

    /// Whether the acting slot can use the die, ransom apart.
    #[inline(always)]
    pub(super) fn has_action(&self, state: &State<SEATS>, die: u8) -> bool {
        let blocks = self.blocks(state, state.actor());
        self.users(state, blocks, die) != 0
    }

    /// All non-ransom actions with a die.
    #[inline(always)]
    fn actions(&self, state: &State<SEATS>, blocks: u128, die: u8, out: &mut Moves) {
        let users = self.users(state, blocks, die);
        list(state.tokens[state.actor()], users, die, out);
    }

    /// Every captor a token can be ransomed from, with a six.
    ///
    /// «Игрок, чью фишку Вы срубили, выкупает ее у Вас когда выкинет 6 на кубике … Игрок может
    /// выкупить фишку в любой ход по своему усмотрению.»
    #[inline(always)]
    fn ransoms(&self, state: &State<SEATS>, out: &mut Moves) {
        let mut before = RESERVE;
        for code in state.codes(state.to()) {
            if code >= self.route.held && code != before {
                out.push(Move::new(6, code));
            }
            before = code;
        }
    }

    /// Serious, second action.
    fn second(&self, state: &State<SEATS>, die: u8, out: &mut Moves) {
        self.actions(state, self.blocks(state, state.to()), die, out);
        let free = out.is_empty();
        if die == 6 {
            self.ransoms(state, out);
        }
        if free {
            out.push(Move::PASS);
        }
    }

    /// Serious, first action: all that use as many pips as can be used, and ransoms, which are
    /// never forced.
    ///
    /// «Сходить нужно МАКСИМАЛЬНО ВОЗМОЖНЫЙ ВАРИАНТ.»
    fn first(&self, state: &State<SEATS>, out: &mut Moves) {
        let (low, high) = (state.get(Field::DIE), state.get(Field::HIGH));
        let blocks = self.blocks(state, state.to());
        let word = state.tokens[state.to()];
        let by_low = self.users(state, blocks, low);
        let by_high = if high == low {
            0
        } else {
            self.users(state, blocks, high)
        };
        let mut best = [by_low, by_high];
        let is_choice = by_low.count_ones() + by_high.count_ones() > 1;
        if is_choice && self.rules.max_rule == MaxRule::Pips {
            let others = self.others_on_ring(state, state.to());
            let both = |first, users, second, may: u8| {
                let uses_both = |&at: &u32| {
                    let mv = Move::new(first, nth(word, at));
                    self.uses_both(state, [blocks, others], mv, second, may & !(1 << at))
                };
                bits(users).filter(uses_both).map(|at| 1 << at).sum()
            };
            let may = if high == low { by_low } else { by_high };
            let both = [
                both(low, by_low, high, may),
                both(high, by_high, low, by_low),
            ];
            if both != [0; 2] {
                best = both;
            } else if by_high != 0 {
                best[0] = 0;
            }
        }
        list(word, best[0], low, out);
        list(word, best[1], high, out);
        let free = out.is_empty();
        if high == 6 {
            self.ransoms(state, out);
        }
        if free {
            out.push(Move::PASS);
        }
    }

    /// Where an action leads that plainly does nothing but move its token, as nine of ten do: it
    /// passes and captures nobody, and a plane or an arrow takes it where nobody is. None if it does
    /// more, or may.
    #[inline(always)]
    pub(super) fn quiet(
        &self,
        state: &State<SEATS>,
        slot: usize,
        others: u128,
        mv: Move,
    ) -> Option<Code> {
        let stride = self.route.stride(mv.code(), mv.die());
        let is_met = self.ahead(others, stride.r, 6) as u8 & stride.cells != 0;
        let is_plain = stride.end == stride.to;
        let goes = !is_met && stride.how != How::Steps;
        (goes && (is_plain || self.is_deserted(state, slot, others, stride))).then_some(stride.end)
    }

    /// Whether there is no token where a plane or an arrow leads, own or of others.
    fn is_deserted(&self, state: &State<SEATS>, slot: usize, others: u128, stride: Stride) -> bool {
        if stride.how == How::Enters {
            let side = (stride.to - RING) / self.route.cells;
            return (0..SEATS).all(|other| {
                let side = self.turned_side(side, slot, other);
                !contains(state.tokens[other], self.route.pocket(side, 0))
            });
        }
        !contains(state.tokens[slot], stride.end) && others >> (stride.end - RING) & 1 == 0
    }

    /// Whether the maximum rule counts the other die as used after a first action; `rest` are the
    /// other tokens that could use it before.
    #[inline(always)]
    fn uses_both(
        &self,
        state: &State<SEATS>,
        [blocks, others]: [u128; 2],
        mv: Move,
        other: u8,
        rest: u8,
    ) -> bool {
        match self.route.stride(mv.code(), mv.die()).how {
            How::Rests => self.rules.rest_burn_counts,
            // No look-ahead through chance.
            How::Hops => true,
            _ => {
                self.leaves_second(state, [blocks, others], mv, other, rest)
                    || self.second_is_used(state, others, mv, other)
            }
        }
    }

    /// Whether it is plain to see that a first action leaves the other die usable: it is
    /// [quiet](Baikal::quiet) and comes to no own token, so that no block and nothing but its own
    /// token is new, and it or another can use the die. The short way for four of five
    /// first actions; without it a roll of `greedy` takes 8 % more instructions.
    #[inline(always)]
    fn leaves_second(
        &self,
        state: &State<SEATS>,
        [blocks, others]: [u128; 2],
        mv: Move,
        other: u8,
        rest: u8,
    ) -> bool {
        let slot = state.to();
        let word = state.tokens[slot];
        let Some(to) = self.quiet(state, slot, others, mv) else {
            return false;
        };
        if contains(word, to) {
            return false;
        }
        let another = if to < self.route.lane {
            rest != 0
        } else {
            // The lane cell it takes is no longer free.
            bits(rest).any(|at| self.route.stride(nth(word, at), other).to != to)
        };
        another || self.route.stride(to, other).to != to && self.can(state, slot, blocks, to, other)
    }

    /// Whether the maximum rule counts the other die as used after this first action.
    fn second_is_used(&self, state: &State<SEATS>, others: u128, mv: Move, other: u8) -> bool {
        let mut after = *state;
        self.act(&mut after, mv, others, &mut Change::default());
        after.tokens[after.to()] == self.route.home || self.has_action(&after, other)
    }
}

/// Adds the moves of these tokens of a word with a die.
#[inline(always)]
fn list(word: u32, users: u8, die: u8, out: &mut Moves) {
    for at in 0..4 {
        out.push_if(users >> at & 1 == 1, Move::new(die, nth(word, at)));
    }
}
