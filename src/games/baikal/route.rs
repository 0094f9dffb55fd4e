//! The way of a token round a board, from its owner's side.
//!
//! All sides are the same, so every seat sees the same route, and no table depends on the seat.
//! A token's place is a *code*, ascending as the notation orders tokens:
//!
//! ```text
//! 0            reserve
//! 1            fresh on the own start
//! 2 + r        ring cell, r steps from the own start; r / cells is the side, counted from the
//!              one after the own, and r % cells the cell of that side
//! pocket ..    three cells of each side: ONE, THREE, FIVE; the own side last
//! lane ..      H0 to H3
//! held ..      held by the seat of side 0, 1, …
//! ```

use super::board::{Board, MAX_RING};
use super::state::{Code, FRESH, RESERVE, RING};

/// What happens on a ring cell to a token that stops there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Plain,
    Rest,
    Transit,
    Plane,
    Arrow,
}

/// Where a walk leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// To this ring cell.
    Ring(u8),
    /// To this cell of the lane, 0 to 3; more is too far.
    Lane(u8),
}

/// A walk from a ring cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walk {
    /// Ring cells strictly between, all of them right behind the first.
    pub(super) passed: u8,
    pub(super) end: End,
}

/// What kind of place a code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Reserve,
    Fresh,
    /// The ring cell so many steps from the own start.
    Ring(u8),
    /// Pocket cell 0 to 2 of a side.
    Pocket(u8, u8),
    /// Lane cell 0 to 3.
    Lane(u8),
    /// Held by the seat at this side, absolute.
    Held(u8),
}

/// What a token of Serious play does with one die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stride {
    /// Where its steps end. The own place if the die is of no use, which is never free.
    pub(super) to: Code,
    /// Where the token is in the end if nobody is in the way: a plane or an
    /// arrow takes it on.
    pub(super) end: Code,
    /// The ring cell it starts from, and those it comes to: bit d if the cell d steps on is one.
    pub(super) r: u8,
    pub(super) cells: u8,
    /// Whether there must be no other token of its owner where it goes: a lane cell, or the start
    /// of one that enters.
    pub(super) alone: bool,
    pub(super) how: How,
}

/// What becomes of a token at the end of its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    /// It stays there, or flies on from a plane.
    Ends,
    /// It rests on a corner.
    Rests,
    /// Chance moves it on from Transit.
    Hops,
    /// The arrow takes it into a pocket that has room.
    Enters,
    /// It goes on in a pocket, or out of it, if there is room.
    Steps,
}

/// A board as tables.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Cells of the ring.
    pub(super) ring: u8,
    pub(super) cells: u8,
    pub(super) sides: u8,
    /// Steps from the own start to the own gate.
    pub(super) gate: u8,
    /// The codes of the first pocket cell, the first lane cell and the first captor.
    pub(super) pocket: Code,
    pub(super) lane: Code,
    pub(super) held: Code,
    /// The word of a seat that is home.
    pub(super) home: u32,
    /// The corners, as bits.
    pub(super) corners: u128,
    places: [Place; 256],
    strides: Box<[[Stride; 8]; 256]>,
    /// For each number of sides the ring cell of a code, as a bit, so many sides on.
    cells_on: Box<[[u128; 256]]>,
    kinds: [Kind; 128],
    flights: [u8; 128],
    pips: [u16; 256],
    transit: u8,
    transit_exit: u8,
    pocket_exit: u8,
}

impl Stride {
    const NONE: Stride = Stride {
        to: RESERVE,
        end: RESERVE,
        r: 0,
        cells: 0,
        alone: true,
        how: How::Ends,
    };
}

impl Route {
    /// The tables of a board; `keys` are the faces that leave the cells of a pocket.
    pub(super) fn new(board: &Board, keys: [u8; 3]) -> Route {
        let (sides, cells) = (board.sides, board.cells);
        let ring = board.ring() as u8;
        let pocket = RING + ring;
        let lane = pocket + 3 * sides;
        let held = lane + 4;
        let [transit, transit_exit] = board.transit.unwrap_or_default();
        let mut kinds = [Kind::Plain; 128];
        let mut flights = [0; 128];
        for r in 0..ring {
            let cell = r % cells;
            let is = |special: Option<u8>| special == Some(cell);
            kinds[usize::from(r)] = if cell == 0 {
                Kind::Rest
            } else if is(board.transit.map(|[cell, _]| cell)) {
                Kind::Transit
            } else if is(board.arrow) {
                Kind::Arrow
            } else if board.planes.contains(&cell) {
                Kind::Plane
            } else {
                Kind::Plain
            };
            let mut next = (1..=ring).map(|steps| (r + steps) % ring);
            let next = next.find(|r| board.planes.contains(&(r % cells)));
            flights[usize::from(r)] = next.unwrap_or(r);
        }
        let mut route = Route {
            ring,
            cells,
            sides,
            gate: ring - cells + board.gate,
            pocket,
            lane,
            held,
            home: u32::from_le_bytes(std::array::from_fn(|depth| lane + depth as u8)),
            corners: (0..sides).map(|side| 1 << (side * cells)).sum(),
            places: [Place::Reserve; 256],
            strides: Box::new([[Stride::NONE; 8]; 256]),
            cells_on: vec![[0; 256]; usize::from(sides)].into(),
            kinds,
            flights,
            pips: [0; 256],
            transit,
            transit_exit,
            pocket_exit: board.pocket_exit.unwrap_or_default(),
        };
        let arrow = board.arrow.unwrap_or_default();
        for code in 0..=u8::MAX {
            let place = route.find_place(code);
            let pips = match place {
                Place::Reserve | Place::Held(_) => 0,
                Place::Fresh => route.pips_of_ring(0),
                Place::Ring(r) => route.pips_of_ring(r),
                Place::Pocket(side, depth) => {
                    let entered = route.pips_of_ring(side * cells + arrow) + u16::from(depth);
                    entered.min(route.pips_of_ring(route.pocket_exit(side)))
                }
                Place::Lane(depth) => u16::from(ring + 1 + depth),
            };
            route.places[usize::from(code)] = place;
            route.pips[usize::from(code)] = pips;
            for die in 1..=6 {
                route.strides[usize::from(code)][usize::from(die)] =
                    route.find_stride(code, die, keys);
            }
            let r = match place {
                Place::Fresh => 0,
                Place::Ring(r) => r,
                _ => continue,
            };
            for side in 0..sides {
                let bit = 1 << route.on(r, side * cells);
                route.cells_on[usize::from(side)][usize::from(code)] = bit;
            }
        }
        route
    }

    /// Pips from the reserve: the cell behind the own gate is 1, for a token there has the whole
    /// ring before it, the own gate as many as the ring has cells.
    fn pips_of_ring(&self, r: u8) -> u16 {
        let behind = u16::from(r) + u16::from(self.ring - self.gate);
        if r > self.gate {
            behind - u16::from(self.ring)
        } else {
            behind
        }
    }

    /// How far a token has come, in pips. What is left is exact on the ring and in the lane.
    #[inline(always)]
    pub(super) fn pips(&self, code: Code) -> u16 {
        self.pips[usize::from(code)]
    }

    /// The pips of four tokens that are home.
    pub(super) fn course(&self) -> u32 {
        4 * u32::from(self.ring) + 1 + 2 + 3 + 4
    }

    /// What kind of place a code is.
    #[inline(always)]
    pub(super) fn place(&self, code: Code) -> Place {
        self.places[usize::from(code)]
    }

    fn find_place(&self, code: Code) -> Place {
        match code {
            RESERVE => Place::Reserve,
            FRESH => Place::Fresh,
            _ if code < self.pocket => Place::Ring(code - RING),
            _ if code < self.lane => {
                let index = code - self.pocket;
                Place::Pocket(index / 3, index % 3)
            }
            _ if code < self.held => Place::Lane(code - self.lane),
            _ => Place::Held(code - self.held),
        }
    }

    fn find_stride(&self, code: Code, die: u8, keys: [u8; 3]) -> Stride {
        let none = Stride {
            to: code,
            end: code,
            ..Stride::NONE
        };
        let lane = |depth| match depth {
            0..=3 => self.lane + depth,
            _ => code,
        };
        let r = match self.find_place(code) {
            Place::Reserve if die == 6 => {
                return Stride {
                    to: FRESH,
                    end: FRESH,
                    ..none
                };
            }
            Place::Lane(depth) => {
                let to = lane(depth + die);
                return Stride {
                    to,
                    end: to,
                    ..none
                };
            }
            // «Чтобы перейти с ОДИН на ТРИ, нужно на одном из кубиков выкинуть 1» …
            Place::Pocket(_, depth) if die == keys[usize::from(depth)] => {
                return Stride {
                    alone: false,
                    how: How::Steps,
                    ..none
                };
            }
            Place::Reserve | Place::Pocket(..) | Place::Held(_) => return none,
            Place::Fresh => 0,
            Place::Ring(r) => r,
        };
        let walk = self.walk(r, die);
        let cells = |count: u8| (2 << count) - 2;
        match walk.end {
            End::Lane(depth) => Stride {
                to: lane(depth),
                end: lane(depth),
                r,
                cells: cells(walk.passed),
                ..none
            },
            End::Ring(to) => Stride {
                to: RING + to,
                end: match self.kind(to) {
                    Kind::Plane => RING + self.flight(to),
                    Kind::Arrow => self.pocket(to / self.cells, 0),
                    _ => RING + to,
                },
                r,
                cells: cells(die),
                alone: false,
                how: match self.kind(to) {
                    Kind::Plain | Kind::Plane => How::Ends,
                    Kind::Rest => How::Rests,
                    Kind::Transit => How::Hops,
                    Kind::Arrow => How::Enters,
                },
            },
        }
    }

    /// What a token does with a die, of Serious play.
    #[inline(always)]
    pub(super) fn stride(&self, code: Code, die: u8) -> Stride {
        self.strides[usize::from(code)][usize::from(die) & 7]
    }

    /// The ring cell of a code, as a bit, so many sides on; none for other codes. A fresh token is on
    /// the start.
    #[inline(always)]
    pub(super) fn cell_on(&self, sides: u8) -> &[u128; 256] {
        &self.cells_on[usize::from(sides)]
    }

    /// The code of a pocket cell.
    #[inline(always)]
    pub(super) fn pocket(&self, side: u8, depth: u8) -> Code {
        self.pocket + 3 * side + depth
    }

    /// The ring cell so many steps on.
    #[inline(always)]
    pub(super) fn on(&self, r: u8, steps: u8) -> u8 {
        let far = r + steps;
        if far >= self.ring {
            far - self.ring
        } else {
            far
        }
    }

    #[inline(always)]
    pub(super) fn kind(&self, r: u8) -> Kind {
        self.kinds[usize::from(r) & 127]
    }

    #[inline(always)]
    pub(super) fn is_rest(&self, r: u8) -> bool {
        self.kind(r) == Kind::Rest
    }

    /// The next plane after this ring cell.
    #[inline(always)]
    pub(super) fn flight(&self, r: u8) -> u8 {
        self.flights[usize::from(r) & 127]
    }

    pub(super) fn transit(&self, side: u8) -> u8 {
        side * self.cells + self.transit
    }

    pub(super) fn transit_exit(&self, side: u8) -> u8 {
        side * self.cells + self.transit_exit
    }

    pub(super) fn pocket_exit(&self, side: u8) -> u8 {
        side * self.cells + self.pocket_exit
    }

    /// Where `steps` lead from a ring cell; turning into the own lane is automatic.
    ///
    /// «Если по какой-то причине Вы не завернули в Дом, а прошли мимо (например забыли)» is read as
    /// an accident, not a choice.
    #[inline(always)]
    pub(super) fn walk(&self, r: u8, steps: u8) -> Walk {
        let to_gate = if r <= self.gate {
            self.gate - r
        } else {
            self.gate + self.ring - r
        };
        if steps <= to_gate {
            Walk {
                passed: steps - 1,
                end: End::Ring(self.on(r, steps)),
            }
        } else {
            Walk {
                passed: to_gate,
                end: End::Lane(steps - to_gate - 1),
            }
        }
    }
}

const _: () = assert!(2 + MAX_RING + 3 * 8 + 4 + 8 <= 256);
