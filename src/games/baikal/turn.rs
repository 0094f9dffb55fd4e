//! The turn: what follows an action.

use crate::engine::game::{Effect, Turn};

use super::Baikal;
use super::act::{Change, Stop};
use super::moves::Move;
use super::route::Place;
use super::rules::{Level, SecondDie};
use super::state::{Code, Field, Phase, RESERVE, RING, State, count};

impl<const SEATS: usize> Baikal<SEATS> {
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
