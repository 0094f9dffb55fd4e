//! What one action does to the board: walk, overtake, capture, and the special cells.
//!
//! Everything is seen from the acting slot: `r` counts ring cells from its own start.

use crate::engine::game::Hits;
use crate::engine::seat::Seat;

use super::Baikal;
use super::route::{End, Kind, Place};
use super::rules::Level;
use super::state::{Code, FRESH, Field, RESERVE, RING, State, contains, count, moved};

/// How an action ended for the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Nothing follows.
    Plain,
    /// The walk ended on a corner.
    Rest,
    /// A die is rolled on the Transit of this side.
    Transit(u8),
}

/// What an action changed, in pips and tokens.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Change {
    pub(super) gained: i16,
    pub(super) lost: i16,
    pub(super) saved: u8,
    /// Tokens passed and pushed back.
    pub(super) pushes: u8,
    /// Tokens pushed on in a pocket, or out of it.
    pub(super) pocket_pushes: u8,
    /// Tokens captured, four bits for each slot.
    hits: u32,
}

impl Change {
    /// Whether tokens of others were pushed.
    #[inline(always)]
    pub(super) fn shifts(&self) -> bool {
        self.pushes | self.pocket_pushes != 0
    }

    /// How many tokens were captured: two at most, on a plane and where it leads.
    #[inline(always)]
    pub(super) fn tokens_hit(&self) -> i32 {
        // One for each slot, and one more for a slot hit twice.
        (self.hits.count_ones() + (self.hits >> 1 & 0x1111_1111).count_ones()).cast_signed()
    }
}

impl<const SEATS: usize> Baikal<SEATS> {
    /// The seats hit.
    #[inline(always)]
    pub(super) fn hits(&self, change: &Change) -> Hits {
        if change.hits == 0 {
            return Hits::NONE;
        }
        let mut hits = Hits::NONE;
        for slot in 0..SEATS {
            let tokens = (change.hits >> (4 * slot) & 15) as u8;
            if tokens > 0 {
                hits = hits.and(self.seat(slot), tokens);
            }
        }
        hits
    }

    /// Moves one token and accounts for its pips.
    #[inline(always)]
    fn put(
        &self,
        state: &mut State<SEATS>,
        owner: usize,
        [from, to]: [Code; 2],
        change: &mut Change,
    ) {
        state.tokens[owner] = moved(state.tokens[owner], from, to);
        let gain = self.route.pips(to).cast_signed() - self.route.pips(from).cast_signed();
        if owner == state.actor() {
            change.gained += gain;
        } else {
            change.lost -= gain;
        }
    }

    /// How `other` counts the ring cell that is `r` for `slot`.
    #[inline(always)]
    pub(super) fn turned(&self, r: u8, slot: usize, other: usize) -> u8 {
        self.route.on(r, self.turns[slot][other].ring)
    }

    /// How `other` counts the side that is `side` for `slot`.
    #[inline(always)]
    pub(super) fn turned_side(&self, side: u8, slot: usize, other: usize) -> u8 {
        let far = side + self.turns[slot][other].sides;
        if far >= self.route.sides {
            far - self.route.sides
        } else {
            far
        }
    }

    /// Whether a ring cell holds two tokens of one owner; corners never count.
    ///
    /// «Если на какой либо клетке (кроме угловых) оказалось две фишки одного игрока, то он
    /// блокирует проход остальным фишкам, т.е. их перешагнуть или встать на них, никто не может,
    /// даже он сам.»
    pub(super) fn is_block(&self, state: &State<SEATS>, slot: usize, r: u8) -> bool {
        !self.route.is_rest(r)
            && (0..SEATS).any(|other| {
                let code = RING + self.turned(r, slot, other);
                count(state.tokens[other], code) == 2
            })
    }

    /// Captures the single token of another seat on a ring cell that `by` has come to.
    ///
    /// «Если Вы остановились на той клетке, где стоит фишка соперника, то Вы рубите эту фишку»;
    /// Serious: «Вы забираете ее себе»
    #[inline]
    fn capture(&self, state: &mut State<SEATS>, by: usize, r: u8, change: &mut Change) {
        for other in 0..SEATS {
            let code = RING + self.turned(r, by, other);
            if other != by && contains(state.tokens[other], code) {
                self.put(state, other, [code, self.captive(by)], change);
                change.hits += 1 << (4 * other);
            }
        }
    }

    /// Where a token goes that `by` captures.
    #[inline(always)]
    fn captive(&self, by: usize) -> Code {
        if self.keeps_captives {
            self.route.held + self.sides[by]
        } else {
            RESERVE
        }
    }

    /// Walks a token of the acting slot from the reserve (Sprint and Classic), ring or lane; `others`
    /// as [`Baikal::others_on_ring`] tells.
    #[inline]
    pub(super) fn walk(
        &self,
        state: &mut State<SEATS>,
        code: Code,
        steps: u8,
        others: u128,
        change: &mut Change,
    ) -> Stop {
        let slot = state.actor();
        let r = match self.route.place(code) {
            Place::Lane(depth) => {
                self.walk_in_lane(state, code, depth + steps, change);
                return Stop::Plain;
            }
            Place::Ring(r) => r,
            _ => 0,
        };
        let walk = self.route.walk(r, steps);
        let ahead = self.ahead(others, r, steps);
        let passed = if self.rules.overtake_push {
            ahead & ((2 << walk.passed) - 2)
        } else {
            0
        };
        match walk.end {
            End::Lane(depth) => {
                self.walk_in_lane(state, code, depth, change);
                change.saved += 1;
                self.overtake(state, slot, r, passed, change);
                Stop::Plain
            }
            End::Ring(to) => {
                self.put(state, slot, [code, RING + to], change);
                self.overtake(state, slot, r, passed, change);
                let kind = self.route.kind(to);
                if ahead >> steps & 1 == 1 {
                    self.capture(state, slot, to, change);
                }
                self.land(state, slot, to, kind, change)
            }
        }
    }

    /// Serious walks only what fits; in Sprint and Classic a token stops at the stop:
    /// «Ходите фишкой сколько возможно, остальные очки сгорают.»
    #[inline(always)]
    fn walk_in_lane(&self, state: &mut State<SEATS>, code: Code, depth: u8, change: &mut Change) {
        let slot = state.actor();
        let mut depth = depth;
        if self.rules.level != Level::Serious {
            let lane = self.route.lane;
            let codes = state.codes(slot).into_iter();
            let homed = codes
                .filter(|&other| other >= lane && other != code)
                .count();
            depth = depth.min(3 - homed as u8);
        }
        self.put(state, slot, [code, self.route.lane + depth], change);
    }

    /// The ring cells with tokens of other seats, as `slot` counts them; a fresh token is on its start.
    #[inline(always)]
    pub(super) fn others_on_ring(&self, state: &State<SEATS>, slot: usize) -> u128 {
        let mut cells = 0u128;
        for other in 0..SEATS {
            let cell_of = self.route.cell_on(self.turns[other][slot].sides);
            // No branch, which would be missed: which slot it is changes with every roll.
            let word = state.tokens[other] & u32::from(other == slot).wrapping_sub(1);
            if self.rules.level == Level::Serious {
                for code in word.to_le_bytes() {
                    cells |= cell_of[usize::from(code)];
                }
            } else {
                // Only the lowest behind the reserve can be on the ring.
                let active = (word >> (word.trailing_zeros() & 0b11000)) as Code;
                cells |= cell_of[usize::from(active)];
            }
        }
        cells
    }

    /// Where others, on these cells, can be met before a ring cell: bit d if a token is d cells on
    /// and on no corner, up to `steps`.
    #[inline(always)]
    pub(super) fn ahead(&self, others: u128, r: u8, steps: u8) -> u32 {
        let others = others & !self.route.corners;
        let round = others >> r | others << (self.route.ring - r);
        round as u32 & ((2 << steps) - 1)
    }

    /// Pushes the tokens of others that were passed, the nearest first, each back by one cell if
    /// it has room there: a corner, an empty cell, or one with a single token of its own owner.
    ///
    /// «Когда обгоняете фишку соперника, то отодвигаете ее на одну клетку назад, исключение – если
    /// она стоит на угловой клетке Отдых.»
    #[inline(always)]
    fn overtake(
        &self,
        state: &mut State<SEATS>,
        slot: usize,
        r: u8,
        passed: u32,
        change: &mut Change,
    ) {
        let mut passed = passed;
        while passed != 0 {
            let cell = self.route.on(r, passed.trailing_zeros() as u8);
            passed &= passed - 1;
            self.push_back(state, slot, cell, change);
        }
    }

    /// Pushes the tokens of others on a ring cell back by one, if there is room.
    fn push_back(&self, state: &mut State<SEATS>, slot: usize, cell: u8, change: &mut Change) {
        let behind = self.route.on(cell, self.route.ring - 1);
        for other in (0..SEATS).filter(|&other| other != slot) {
            let from = RING + self.turned(cell, slot, other);
            let to = RING + self.turned(behind, slot, other);
            if !contains(state.tokens[other], from) {
                continue;
            }
            let room = self.route.is_rest(behind)
                || (0..SEATS).all(|any| {
                    let code = RING + self.turned(behind, slot, any);
                    let tokens = count(state.tokens[any], code);
                    tokens == 0 || any == other && tokens == 1
                });
            if room {
                self.put(state, other, [from, to], change);
                change.pushes += 1;
            }
        }
    }

    /// A walk has ended on a ring cell and captured there: what the cell does.
    #[inline]
    fn land(
        &self,
        state: &mut State<SEATS>,
        slot: usize,
        r: u8,
        kind: Kind,
        change: &mut Change,
    ) -> Stop {
        match kind {
            Kind::Plain => Stop::Plain,
            Kind::Rest => Stop::Rest,
            Kind::Transit => Stop::Transit(r / self.route.cells),
            // «передвигаете свою фишку на следующую по кругу такую клетку (если она заблокирована,
            // то ваш перелет сгорает). При перелете, рубить допускается во всех случаях.»
            Kind::Plane => {
                let to = self.route.flight(r);
                if !self.is_block(state, slot, to) {
                    self.put(state, slot, [RING + r, RING + to], change);
                    self.capture(state, slot, to, change);
                }
                Stop::Plain
            }
            // «Если Вы остановились на клетке с зеленой стрелкой, то передвигаете свою фишку по
            // стрелке на соседнюю зеленую клетку.»
            Kind::Arrow => {
                let side = r / self.route.cells;
                if self.admit(state, slot, side, 0, change) {
                    let one = self.route.pocket(side, 0);
                    self.put(state, slot, [RING + r, one], change);
                }
                Stop::Plain
            }
        }
    }

    /// Makes room for a token of `slot` on a pocket cell; false, and nothing changed, if there is
    /// none. A token of another seat is pushed on, from FIVE out to the ring.
    ///
    /// «Когда игрок попал на 1 3 5 или передвигается там, а впереди уже есть фишка соперника, то
    /// такая фишка не обгоняется и не рубится, а проталкивается вперед.»
    fn admit(
        &self,
        state: &mut State<SEATS>,
        slot: usize,
        side: u8,
        depth: u8,
        change: &mut Change,
    ) -> bool {
        for other in 0..SEATS {
            let theirs = self.turned_side(side, slot, other);
            let code = self.route.pocket(theirs, depth);
            let tokens = count(state.tokens[other], code);
            if tokens == 0 {
                continue;
            }
            if tokens == 2 || other == slot {
                return tokens == 1;
            }
            if depth < 2 {
                if !self.admit(state, other, theirs, depth + 1, change) {
                    return false;
                }
                self.put(state, other, [code, code + 1], change);
            } else {
                let exit = self.route.pocket_exit(theirs);
                if self.is_block(state, other, exit) {
                    return false;
                }
                self.put(state, other, [code, RING + exit], change);
                self.capture(state, other, exit, change);
            }
            change.pocket_pushes += 1;
            return true;
        }
        true
    }

    /// Moves a token on inside the pocket, or out of it.
    pub(super) fn step(&self, state: &mut State<SEATS>, code: Code, change: &mut Change) {
        let slot = state.actor();
        let Place::Pocket(side, depth) = self.route.place(code) else {
            unreachable!("{code} is no pocket cell")
        };
        if depth < 2 {
            self.admit(state, slot, side, depth + 1, change);
            self.put(state, slot, [code, code + 1], change);
        } else {
            let exit = self.route.pocket_exit(side);
            self.put(state, slot, [code, RING + exit], change);
            self.capture(state, slot, exit, change);
        }
    }

    /// Whether [`Baikal::step`] has room.
    pub(super) fn can_step(&self, state: &State<SEATS>, slot: usize, side: u8, depth: u8) -> bool {
        if depth < 2 {
            self.admit(
                &mut { *state },
                slot,
                side,
                depth + 1,
                &mut Change::default(),
            )
        } else {
            !self.is_block(state, slot, self.route.pocket_exit(side))
        }
    }

    /// A throw on Transit; true when the token leaves.
    ///
    /// «1 или 2 – выходите по стрелке на светлую клетку. 3 или 4 – … на следующую по кругу такую же
    /// клетку Транзит … 5 или 6 – … на противоположной стороне … Если после трех бросков Вы еще не
    /// вышли, то бросив кубик в четвертый раз выходите на светлую клетку там, куда передвинете
    /// фишку согласно выпавшим очкам на кубике.»
    pub(super) fn hop(&self, state: &mut State<SEATS>, throw: Throw) -> bool {
        let slot = state.actor();
        let code = RING + self.route.transit(state.get(Field::FROM));
        let mut others = *state;
        others.tokens[slot] = moved(state.tokens[slot], code, RESERVE);
        let blocks = self.blocks(&others, slot);
        let is_open = |r: u8| blocks >> r & 1 == 0;

        let steps = match throw {
            Throw::Out => 0,
            Throw::Next => 1,
            Throw::Opposite => self.route.sides / 2,
        };
        let at = (state.get(Field::AT) + steps) % self.route.sides;
        state.set(Field::AT, at);
        if is_open(self.route.transit(at)) {
            state.set(Field::FREE, at);
        }
        let throws = state.get(Field::THROWS) + 1;
        let last = throws == 4;
        let out = is_open(self.route.transit_exit(at));
        if !last && (!out || throw != Throw::Out) {
            state.set(Field::THROWS, throws);
            return false;
        }
        // A blocked exit leaves it on the last Transit cell that is no block.
        if !out {
            state.set(Field::AT, state.get(Field::FREE));
            state.set(Field::STRANDED, 1);
        }
        state.set(Field::THROWS, 0);
        state.set(Field::FREE, 0);
        true
    }

    /// Puts the token that hopped where it leaves Transit.
    pub(super) fn leave(&self, state: &mut State<SEATS>, change: &mut Change) {
        let slot = state.actor();
        let at = state.get(Field::AT);
        let from = self.route.transit(state.get(Field::FROM));
        let to = if state.get(Field::STRANDED) == 1 {
            self.route.transit(at)
        } else {
            self.route.transit_exit(at)
        };
        for field in [Field::FROM, Field::AT, Field::STRANDED] {
            state.set(field, 0);
        }
        self.put(state, slot, [RING + from, RING + to], change);
        self.capture(state, slot, to, change);
    }

    /// Brings a token out: «Фишка выводится на поле, если на одном из кубиков выпало 6. Тогда игрок
    /// ставит ее на свой Старт»
    pub(super) fn enter(&self, state: &mut State<SEATS>, change: &mut Change) {
        self.put(state, state.actor(), [RESERVE, FRESH], change);
    }
}

/// What a die on Transit says, two faces each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Throw {
    /// 1 or 2: leave by the arrow.
    Out,
    /// 3 or 4: on to the next Transit.
    Next,
    /// 5 or 6: on to the Transit of the opposite side.
    Opposite,
}

impl Throw {
    /// The throw of a face, 1 to 6.
    #[inline]
    pub const fn of(face: u8) -> Throw {
        match face {
            1 | 2 => Throw::Out,
            3 | 4 => Throw::Next,
            _ => Throw::Opposite,
        }
    }
}

impl<const SEATS: usize> Baikal<SEATS> {
    /// The slots in play.
    #[inline(always)]
    pub(super) fn slots(&self) -> std::ops::Range<usize> {
        // The bound repeats the type's invariant, for tables of so many.
        0..self.count.min(SEATS)
    }

    /// The seat of a slot.
    #[inline(always)]
    pub(super) fn seat(&self, slot: usize) -> Seat {
        Seat::new(usize::from(self.sides[slot]))
    }
}
