//! Boards of the Baikal race as data: presets, boards of one's own, and what makes a board playable.

use serde::{Deserialize, Serialize};

use crate::engine::seat::{MAX_SEATS, Seat, SeatSet};

/// A board: one side, repeated round the ring. Cells of a side are numbered from its corner on,
/// which is cell 0 and always Rest; the ring is walked upwards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, try_from = "Numbers")]
pub struct Board {
    /// Sides, each with a start and a home of its own, 2 to 8.
    pub sides: u8,
    /// Ring cells of a side, its corner included; 24 to 120 in all.
    pub cells: u8,
    /// The ring cell from which the home of the side turns off.
    pub gate: u8,
    /// The Transit cell and the cell its arrow leads out to; none without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transit: Option<[u8; 2]>,
    /// The cells with a plane.
    pub planes: Vec<u8>,
    /// The cell with the arrow into the pocket ONE, THREE, FIVE; no pocket without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrow: Option<u8>,
    /// The cell that FIVE leads out to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pocket_exit: Option<u8>,
    /// The faces that leave ONE, THREE and FIVE.
    pub keys: [u8; 3],
}

/// A board as it is written, before its numbers are known to be small enough.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
    sides: i64,
    cells: i64,
    gate: i64,
    transit: Option<[i64; 2]>,
    #[serde(default)]
    planes: Vec<i64>,
    arrow: Option<i64>,
    pocket_exit: Option<i64>,
    keys: Option<[i64; 3]>,
}

impl TryFrom<Numbers> for Board {
    type Error = BoardError;

    fn try_from(numbers: Numbers) -> Result<Board, BoardError> {
        let sides = in_range("sides", numbers.sides, SIDES)?;
        let cells = in_range("cells", numbers.cells, CELLS)?;
        let cell = |key, value: i64| match u8::try_from(value) {
            Ok(cell) if cell < cells => Ok(cell),
            _ => Err(BoardError::NoCell {
                key,
                cell: value,
                cells,
            }),
        };
        let face = |value| in_range("keys", value, FACES);
        let keys = match numbers.keys {
            Some([one, three, five]) => [face(one)?, face(three)?, face(five)?],
            None => KEYS,
        };
        let transit = numbers
            .transit
            .map(|[at, exit]| Ok([cell("transit", at)?, cell("transit exit", exit)?]));
        let planes = numbers.planes.into_iter();
        let optional = |key, value: Option<i64>| value.map(|value| cell(key, value)).transpose();
        Ok(Board {
            sides,
            cells,
            gate: cell("gate", numbers.gate)?,
            transit: transit.transpose()?,
            planes: planes
                .map(|value| cell("planes", value))
                .collect::<Result<_, _>>()?,
            arrow: optional("arrow", numbers.arrow)?,
            pocket_exit: optional("pocket_exit", numbers.pocket_exit)?,
            keys,
        })
    }
}

/// The least and the most a number may be, and how that is said.
type Range = (i64, i64, &'static str);

const SIDES: Range = (2, 8, "2 to 8");
const CELLS: Range = (3, 60, "3 to 60 a side, 24 to 120 in all");
/// A walk of twelve must not meet itself.
const RING: Range = (24, 120, "24 to 120 cells in all");
const FACES: Range = (1, 6, "faces of a die, 1 to 6");

fn in_range(key: &'static str, value: i64, range: Range) -> Result<u8, BoardError> {
    let (least, most, expected) = range;
    match u8::try_from(value) {
        Ok(small) if (least..=most).contains(&value) => Ok(small),
        _ => Err(BoardError::Range {
            key,
            value,
            expected,
        }),
    }
}

/// «Чтобы перейти с ОДИН на ТРИ, нужно на одном из кубиков выкинуть 1 … с ТРИ на ПЯТЬ … 3. И стоя
/// на ПЯТЬ, нужно на одном из кубиков выкинуть 5»
pub(super) const KEYS: [u8; 3] = [1, 3, 5];

/// The most ring cells of a board: a mask of them and of the six after them has 128 bits.
pub(super) const MAX_RING: usize = 120;

const _: () = assert!(MAX_SEATS == 8 && MAX_RING == 120);

/// The names of the preset boards, the default first.
pub const NAMES: &[&str] = &["4x12", "6x12", "8x12", "4x12-P1", "8x10-P1"];

/// What is wrong with a board, naming the key or the cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// A number that does not go.
    #[error("{key} = {value}; expected {expected}")]
    Range {
        /// The key.
        key: &'static str,
        /// Its value.
        value: i64,
        /// What would work.
        expected: &'static str,
    },
    /// A cell that is not on the side.
    #[error("{key} = {cell}: no cell of a side of {cells}; expected 1 to {}", cells - 1)]
    NoCell {
        /// The key.
        key: &'static str,
        /// The cell.
        cell: i64,
        /// Cells of a side.
        cells: u8,
    },
    /// A cell that is two things.
    #[error("cell {cell} is both {first} and {second}; a cell is one thing")]
    Twice {
        /// The cell.
        cell: u8,
        /// What it is.
        first: &'static str,
        /// What else it should be.
        second: &'static str,
    },
    /// An exit onto a special cell.
    #[error("{key}: cell {cell} is {what}; an exit leads to a plain cell")]
    Exit {
        /// The key.
        key: &'static str,
        /// The cell.
        cell: u8,
        /// What it is.
        what: &'static str,
    },
    /// Transit leads to the opposite side.
    #[error("transit on {0} sides; the opposite side needs an even number of them")]
    NoOpposite(u8),
    /// A pocket without a way in or out.
    #[error("arrow and pocket_exit belong together; give both or none")]
    HalfPocket,
}

impl Default for Board {
    fn default() -> Board {
        Board::preset("4x12").expect("the default board is a preset")
    }
}

impl Board {
    /// The preset of this name.
    pub fn preset(name: &str) -> Option<Board> {
        let twelve = |sides, planes: &[u8]| Board {
            sides,
            cells: 12,
            gate: 6,
            transit: Some([2, 3]),
            planes: planes.to_vec(),
            arrow: Some(9),
            pocket_exit: Some(11),
            keys: KEYS,
        };
        Some(match name {
            "4x12" => twelve(4, &[4, 8]),
            "6x12" => twelve(6, &[4, 8]),
            "8x12" => twelve(8, &[4, 8]),
            "4x12-P1" => twelve(4, &[4]),
            "8x10-P1" => Board {
                sides: 8,
                cells: 10,
                gate: 5,
                transit: Some([1, 2]),
                planes: vec![3],
                arrow: Some(7),
                pocket_exit: Some(9),
                keys: KEYS,
            },
            _ => return None,
        })
    }

    /// The name of the preset this board is, if it is one.
    pub fn name(&self) -> Option<&'static str> {
        let mut names = NAMES.iter().copied();
        names.find(|name| Board::preset(name).as_ref() == Some(self))
    }

    /// Cells of the ring.
    pub fn ring(&self) -> usize {
        usize::from(self.sides) * usize::from(self.cells)
    }

    /// Checks that the board can be played on.
    ///
    /// # Errors
    /// When it cannot; the error names the key or the cell.
    pub fn validate(&self) -> Result<(), BoardError> {
        let cells = usize::from(self.cells);
        in_range("sides", self.sides.into(), SIDES)?;
        in_range("cells", self.cells.into(), CELLS)?;
        in_range("sides x cells", i64::from(self.ring() as u32), RING)?;
        for face in self.keys {
            in_range("keys", face.into(), FACES)?;
        }

        let mut taken: Vec<(u8, &'static str)> = vec![(0, "the corner (Rest)")];
        let mut take = |key, cell: u8, what| {
            if usize::from(cell) >= cells {
                let (cell, cells) = (cell.into(), self.cells);
                return Err(BoardError::NoCell { key, cell, cells });
            }
            if let Some(&(_, first)) = taken.iter().find(|&&(other, _)| other == cell) {
                return Err(BoardError::Twice {
                    cell,
                    first,
                    second: what,
                });
            }
            taken.push((cell, what));
            Ok(())
        };
        take("gate", self.gate, "the gate")?;
        if let Some([cell, _]) = self.transit {
            take("transit", cell, "Transit")?;
            if self.sides % 2 == 1 {
                return Err(BoardError::NoOpposite(self.sides));
            }
        }
        for &cell in &self.planes {
            take("planes", cell, "a plane")?;
        }
        if let Some(cell) = self.arrow {
            take("arrow", cell, "the arrow")?;
        }
        if self.arrow.is_some() != self.pocket_exit.is_some() {
            return Err(BoardError::HalfPocket);
        }
        let exits = [
            ("transit exit", self.transit.map(|[_, exit]| exit)),
            ("pocket_exit", self.pocket_exit),
        ];
        for (key, exit) in exits {
            let Some(cell) = exit else { continue };
            if usize::from(cell) >= cells {
                let (cell, cells) = (cell.into(), self.cells);
                return Err(BoardError::NoCell { key, cell, cells });
            }
            // The gate is an ordinary ring cell for all others.
            let special = taken
                .iter()
                .find(|&&(other, _)| other == cell && cell != self.gate);
            if let Some(&(_, what)) = special {
                return Err(BoardError::Exit { key, cell, what });
            }
        }
        Ok(())
    }

    /// The seats of `count` players, spread as evenly as the sides allow: seat i sits at side
    /// i · sides / count, rounded down.
    ///
    /// # Panics
    /// When there are fewer sides than players, or no players.
    pub fn seats(&self, count: usize) -> SeatSet {
        let sides = usize::from(self.sides);
        assert!(
            (1..=sides).contains(&count),
            "{count} players at {sides} sides"
        );
        (0..count)
            .map(|index| Seat::new(index * sides / count))
            .collect()
    }

    /// The seat sets worth testing and offering at this board: two to all of its sides.
    pub fn seat_sets(&self) -> Vec<SeatSet> {
        (2..=usize::from(self.sides))
            .rev()
            .map(|count| self.seats(count))
            .collect()
    }
}
