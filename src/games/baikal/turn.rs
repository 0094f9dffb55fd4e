//! The turn: which actions are legal, and what follows an action.

use crate::engine::game::{Effect, MoveSet, Turn};

use super::Baikal;
use super::act::{Change, Stop};
use super::moves::{Move, Moves};
use super::route::{End, Kind, Place};
use super::rules::{Level, MaxRule, SecondDie};
use super::state::{Code, FRESH, Field, Phase, RESERVE, RING, State, contains, count, pairs};

impl<const SEATS: usize> Baikal<SEATS> {
    /// The legal moves of a decision.
    #[inline(always)]
    pub(super) fn legal(&self, state: &State<SEATS>, out: &mut Moves) {
        out.clear();
        match (state.phase(), self.rules.level) {
            (Phase::Leave, _) => out.push(Move::LEAVE),
            (Phase::First, Level::Serious) => self.first(state, out),
            (Phase::Second, Level::Serious) => self.second(state, state.get(Field::DIE), out),
            (Phase::Reply, _) => self.actions(state, self.blocks(state, state.actor()), 6, out),
            (_, Level::Sprint | Level::Classic) => out.push(self.only_move(state)),
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
    fn blocks(&self, state: &State<SEATS>, slot: usize) -> u128 {
        let mut blocks = 0u128;
        for other in 0..SEATS {
            pairs(state.tokens[other], |code| {
                if let Place::Ring(r) = self.route.place(code)
                    && !self.route.is_rest(r)
                {
                    blocks |= 1 << self.turned(r, other, slot);
                }
            });
        }
        blocks | blocks << self.route.ring
    }

    /// Serious: whether a token of `slot` can use a die, ransom apart.
    #[inline]
    fn can(&self, state: &State<SEATS>, slot: usize, blocks: u128, code: Code, die: u8) -> bool {
        let word = state.tokens[slot];
        let r = match self.route.place(code) {
            // «Фишка выводится на поле, если на одном из кубиков выпало 6. … Если на Старте уже
            // стоит своя фишка, которую игрок ввел в игру, но еще ни разу ей не сходил, то
            // следующую фишку он ввести в игру … не может.»
            Place::Reserve => return die == 6 && !contains(word, FRESH),
            Place::Held(_) => return false,
            // «Чтобы перейти с ОДИН на ТРИ, нужно на одном из кубиков выкинуть 1» …
            Place::Pocket(side, depth) => {
                return die == self.keys[usize::from(depth)]
                    && self.can_step(state, slot, side, depth);
            }
            Place::Lane(depth) => return self.fits(word, depth + die),
            Place::Fresh => 0,
            Place::Ring(r) => r,
        };
        let walk = self.route.walk(r, die);
        let (cells, fits) = match walk.end {
            End::Ring(_) => (walk.passed + 1, true),
            End::Lane(depth) => (walk.passed, self.fits(word, depth)),
        };
        fits && blocks >> (r + 1) & ((1 << cells) - 1) == 0
    }

    /// Whether a lane cell is there and free. «такой ход не разрешается, фишка остается на месте»;
    /// «обгонять свою фишку в Доме допускается»
    #[inline(always)]
    fn fits(&self, word: u32, depth: u8) -> bool {
        depth <= 3 && !contains(word, self.route.lane + depth)
    }

    /// Calls `visit` for each place with a token of the acting slot that can use the die, ransom
    /// apart, until it answers true. A captor that replies enters nobody: «Ввести фишку в игру на
    /// эти 6 Вы не можете»
    #[inline]
    fn any_action(
        &self,
        state: &State<SEATS>,
        blocks: u128,
        die: u8,
        mut visit: impl FnMut(Code) -> bool,
    ) -> bool {
        let slot = state.actor();
        let replies = slot != state.to();
        let stays = state.get(Field::STAYS);
        let mut before = None;
        for code in state.codes(slot) {
            let new = before != Some(code);
            before = Some(code);
            // «Если выпал дубль, такие фишки … передвигать вместе нельзя»
            let out = code == stays && stays != 0 || replies && code == RESERVE;
            if new && !out && self.can(state, slot, blocks, code, die) && visit(code) {
                return true;
            }
        }
        false
    }

    /// Whether the acting slot can use the die, ransom apart.
    #[inline(always)]
    fn has_action(&self, state: &State<SEATS>, die: u8) -> bool {
        let blocks = self.blocks(state, state.actor());
        self.any_action(state, blocks, die, |_| true)
    }

    /// All non-ransom actions with a die.
    #[inline(always)]
    fn actions(&self, state: &State<SEATS>, blocks: u128, die: u8, out: &mut Moves) {
        self.any_action(state, blocks, die, |code| {
            out.push(Move::new(die, code));
            false
        });
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
        let mut all = Moves::default();
        self.actions(state, blocks, low, &mut all);
        if high != low {
            self.actions(state, blocks, high, &mut all);
        }
        let all = all;
        if all.len() == 1 || self.rules.max_rule == MaxRule::None {
            *out = all;
        } else {
            let others = self.others_on_ring(state, state.to());
            let mut most = 0;
            let mut values = [0; 8];
            for (value, mv) in values.iter_mut().zip(all.iter()) {
                let other = low + high - mv.die();
                let both = self.leaves_second(state, [blocks, others], &all, mv, other)
                    || self.second_is_used(state, others, mv, other);
                *value = mv.die() + if both { other } else { 0 };
                most = most.max(*value);
            }
            for (value, mv) in values.into_iter().zip(all.iter()) {
                if value == most {
                    out.push(mv);
                }
            }
        }
        let free = out.is_empty();
        if high == 6 {
            self.ransoms(state, out);
        }
        if free {
            out.push(Move::PASS);
        }
    }

    /// Whether it is plain to see that a first action leaves the other die usable: it walks to a
    /// plain ring cell without own tokens and passes nobody, so that no block and nothing but its
    /// own token is new, and it or another can use the die. The short way for nine of ten
    /// first actions; without it a roll takes half as long again.
    #[inline(always)]
    fn leaves_second(
        &self,
        state: &State<SEATS>,
        [blocks, others]: [u128; 2],
        all: &Moves,
        mv: Move,
        other: u8,
    ) -> bool {
        let slot = state.to();
        let word = state.tokens[slot];
        let r = match self.route.place(mv.code()) {
            Place::Fresh => 0,
            Place::Ring(r) => r,
            _ => return false,
        };
        let End::Ring(to) = self.route.walk(r, mv.die()).end else {
            return false;
        };
        if self.route.kind(to) != Kind::Plain || contains(word, RING + to) {
            return false;
        }
        // Others that are passed or captured may be pushed into a block, or out of a pocket's way.
        if self.ahead(others, r, mv.die()) & !1 != 0 {
            return false;
        }
        let another = |second: Move| second.die() == other && second.code() != mv.code();
        all.iter().any(another) || self.can(state, slot, blocks, RING + to, other)
    }

    /// Whether the maximum rule counts the other die as used after this first action.
    fn second_is_used(&self, state: &State<SEATS>, others: u128, mv: Move, other: u8) -> bool {
        let mut after = *state;
        let stop = self.act(&mut after, mv, others, &mut Change::default());
        match stop {
            Stop::Rest => self.rules.rest_burn_counts,
            // No look-ahead through chance.
            Stop::Transit(_) => true,
            Stop::Plain => {
                after.tokens[after.to()] == self.route.home || self.has_action(&after, other)
            }
        }
    }

    /// Plays an action of the acting slot on the board; of the turn only the token that may not
    /// share a double is noted. `others` as [`Baikal::others_on_ring`] tells of the acting slot.
    #[inline]
    pub(super) fn act(
        &self,
        state: &mut State<SEATS>,
        mv: Move,
        others: u128,
        change: &mut Change,
    ) -> Stop {
        let code = mv.code();
        let slot = state.actor();
        match self.route.place(code) {
            Place::Reserve if self.rules.level == Level::Serious => self.enter(state, change),
            Place::Pocket(..) => self.step(state, code, change),
            Place::Ring(r) => {
                let splits = state.get(Field::DOUBLE) == 1
                    && state.phase() == Phase::First
                    && self.rules.double_block
                    && count(state.tokens[slot], code) == 2
                    && !self.route.is_rest(r);
                if splits {
                    state.set(Field::STAYS, code);
                }
                return self.walk(state, code, mv.die(), others, change);
            }
            _ => return self.walk(state, code, mv.die(), others, change),
        }
        Stop::Plain
    }

    /// Plays a move on the board only: how it ended, what it changed and the place it left.
    #[inline(always)]
    fn on_board(
        &self,
        state: &mut State<SEATS>,
        mv: Move,
        others: u128,
        change: &mut Change,
    ) -> (Stop, Code) {
        if mv == Move::LEAVE {
            let from = RING + self.route.transit(state.get(Field::FROM));
            self.leave(state, change);
            (Stop::Plain, from)
        } else {
            (self.act(state, mv, others, change), mv.code())
        }
    }

    /// Whether a move buys a token back.
    #[inline(always)]
    pub(super) fn is_ransom(&self, mv: Move) -> bool {
        mv != Move::PASS && mv.code() >= self.route.held
    }

    /// What a move would do to the tokens.
    #[inline(always)]
    pub(super) fn look(&self, state: &State<SEATS>, mv: Move) -> Effect {
        let mut effect = Effect {
            passed: mv == Move::PASS,
            ..Effect::default()
        };
        let others = self.others_on_ring(state, state.actor());
        let (change, from) = self.try_out(&mut { *state }, mv, others);
        self.tell(&change, from, &mut effect);
        effect
    }

    /// Plays a move without the turn: what it changes on the board, and the place it leaves, the
    /// reserve if it takes no token along.
    #[inline(always)]
    pub(super) fn try_out(
        &self,
        board: &mut State<SEATS>,
        mv: Move,
        others: u128,
    ) -> (Change, Code) {
        let mut change = Change::default();
        if mv == Move::PASS {
            return (change, RESERVE);
        }
        if self.is_ransom(mv) {
            let slot = board.to();
            board.tokens[slot] = super::state::moved(board.tokens[slot], mv.code(), RESERVE);
            return (change, RESERVE);
        }
        let (_, from) = self.on_board(board, mv, others, &mut change);
        (change, from)
    }

    /// Writes down what happened to the tokens.
    #[inline(always)]
    fn tell(&self, change: &Change, from: Code, effect: &mut Effect) {
        effect.from = self.route.pips(from);
        effect.gained = change.gained;
        effect.lost = change.lost;
        effect.saved = change.saved;
        effect.hits = self.hits(change);
    }

    /// Plays a move, and what follows without anybody's choice.
    #[inline(always)]
    pub(super) fn play(&self, state: &mut State<SEATS>, mv: Move) -> (Effect, Change) {
        let mut change = Change::default();
        let mut effect = Effect::default();
        if mv == Move::PASS {
            effect.passed = true;
            self.finish_roll(state, &mut effect);
        } else if self.is_ransom(mv) {
            spend(state, mv.die());
            self.ransom(state, mv.code(), &mut effect);
        } else {
            let others = self.others_on_ring(state, state.actor());
            let (stop, from) = self.on_board(state, mv, others, &mut change);
            self.tell(&change, from, &mut effect);
            spend(state, mv.die());
            self.go_on(state, stop, &mut effect);
        }
        effect.next = self.turn_of(state);
        (effect, change)
    }

    /// «при этом Вы ходите 6, а игрок эти 6 не ходит»: the captor moves at once, if it can.
    fn ransom(&self, state: &mut State<SEATS>, code: Code, effect: &mut Effect) {
        let payer = state.to();
        state.tokens[payer] = super::state::moved(state.tokens[payer], code, RESERVE);
        let captor = self.slot_at(code - self.route.held);
        if self.rules.ransom_reply && state.tokens[captor] != self.route.home {
            let mut replying = *state;
            replying.set(Field::ACTOR, captor as u8);
            replying.set_phase(Phase::Reply);
            if self.has_reply(&replying) {
                *state = replying;
                return;
            }
        }
        self.after_first(state, effect);
    }

    /// Whether the captor that is to reply has a six to move; entering is none.
    pub(super) fn has_reply(&self, state: &State<SEATS>) -> bool {
        self.has_action(state, 6)
    }

    /// What follows an action that moved a token of the acting slot.
    #[inline(always)]
    fn go_on(&self, state: &mut State<SEATS>, stop: Stop, effect: &mut Effect) {
        let slot = state.actor();
        // «При попадании на зеленую клетку Транзит Вы сразу кидаете один кубик»
        if let Stop::Transit(side) = stop {
            state.set_phase(Phase::Hop);
            for field in [Field::FROM, Field::AT, Field::FREE] {
                state.set(field, side);
            }
            return;
        }
        let is_payer = slot == state.to();
        if state.tokens[slot] == self.route.home {
            self.come_home(state, slot, effect);
            if effect.ends_game {
                return;
            }
            if is_payer {
                self.end_turn(state, effect);
                return;
            }
        }
        if !is_payer {
            if stop == Stop::Rest && self.rules.reply_rest_skip && self.rules.corner_skip {
                state.set_skip(slot);
            }
            state.set(Field::ACTOR, state.to() as u8);
            self.after_first(state, effect);
        } else if stop == Stop::Rest {
            // «Если Вы попали туда с первого кубика, то по второму кубику не ходите (и дубль тоже
            // сгорает) … Если Вы попали туда со второго кубика, то пропускаете следующий ход. Если
            // попали со второго кубика, а у Вас дубль, то так же дубль сгорает, а Вы ходите в
            // следующий раз по порядку.» Sprint walks one sum: as with the second die.
            let is_last = state.get(Field::DIE) == 0;
            if is_last && state.get(Field::DOUBLE) == 0 && self.rules.corner_skip {
                state.set_skip(slot);
            }
            self.end_turn(state, effect);
        } else {
            self.after_first(state, effect);
        }
    }

    /// Goes on with the die in hand, if there is one and it can be used.
    #[inline(always)]
    fn after_first(&self, state: &mut State<SEATS>, effect: &mut Effect) {
        let die = state.get(Field::DIE);
        if die != 0 && self.can_use(state, die) {
            state.set_phase(Phase::Second);
        } else {
            self.finish_roll(state, effect);
        }
    }

    /// Whether the slot to move has anything to do with its second die.
    #[inline(always)]
    pub(super) fn can_use(&self, state: &State<SEATS>, die: u8) -> bool {
        let word = state.tokens[state.to()];
        if self.rules.level == Level::Serious {
            let ransom = die == 6 && state.codes(state.to())[3] >= self.route.held;
            return ransom || self.has_action(state, die);
        }
        match self.route.place(self.active(word)) {
            // The first die brought a token home.
            Place::Reserve => self.rules.second_die_after_home == SecondDie::Play,
            Place::Pocket(_, depth) => self.keys[usize::from(depth)] == die,
            _ => true,
        }
    }

    /// «Если на обоих кубиках выпало одинаковое количество очков (дубль), то игрок получает право
    /// на дополнительных ход, заново бросив кубики»
    #[inline(always)]
    fn finish_roll(&self, state: &mut State<SEATS>, effect: &mut Effect) {
        if state.get(Field::DOUBLE) == 1 {
            state.await_roll(state.to());
        } else {
            self.end_turn(state, effect);
        }
    }

    /// Passes the dice on, over the seats that skip a turn or are home.
    #[inline(always)]
    fn end_turn(&self, state: &mut State<SEATS>, effect: &mut Effect) {
        let mut to = self.next_at_play(state, state.to());
        while state.skips(to) {
            state.clear_skip(to);
            effect.skipped += 1;
            to = self.next_at_play(state, to);
        }
        state.await_roll(to);
        effect.turn_ends = true;
    }

    /// The slot after this one that is not home.
    #[inline(always)]
    pub(super) fn next_at_play(&self, state: &State<SEATS>, slot: usize) -> usize {
        let mut next = slot;
        loop {
            next = if next + 1 == self.count { 0 } else { next + 1 };
            if !self.rules.play_on || state.tokens[next] != self.route.home {
                return next;
            }
        }
    }

    /// A slot has all its tokens home: «Выигрывает тот, кто первый составит все свои фишки в своем
    /// Доме.»
    #[cold]
    fn come_home(&self, state: &mut State<SEATS>, slot: usize, effect: &mut Effect) {
        let home = self
            .slots()
            .filter(|&slot| state.tokens[slot] == self.route.home);
        let home = home.count();
        let mut winner = slot;
        if self.rules.play_on {
            state.set_home(home - 1, slot);
            state.clear_skip(slot);
            if home + 1 < self.count {
                return;
            }
            winner = state.home(0);
        }
        state.end(winner);
        effect.turn_ends = true;
        effect.ends_game = true;
    }

    #[inline(always)]
    pub(super) fn turn_of(&self, state: &State<SEATS>) -> Turn {
        match state.phase() {
            Phase::Roll => Turn::Chance(self.seat(state.to())),
            Phase::Hop => Turn::Chance(self.seat(state.actor())),
            Phase::Over => Turn::Over,
            _ => Turn::Decision(self.seat(state.actor())),
        }
    }
}

/// Takes a die out of the hand; a captor replies with none of the payer's.
#[inline(always)]
fn spend<const SEATS: usize>(state: &mut State<SEATS>, die: u8) {
    let (low, high) = (state.get(Field::DIE), state.get(Field::HIGH));
    let left = match state.phase() {
        Phase::First if die == high => low,
        Phase::First if die == low => high,
        // The sum of Sprint.
        Phase::First | Phase::Second => 0,
        _ => return,
    };
    state.set(Field::DIE, left);
    state.set(Field::HIGH, 0);
    if left == 0 {
        state.set(Field::STAYS, 0);
    }
}
