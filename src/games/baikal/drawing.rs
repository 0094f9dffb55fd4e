//! A board drawn for a terminal of 80 columns, cell by cell.

use std::fmt::Write as _;

use crate::engine::seat::Seat;

use super::board::Board;

/// The most cells beside each other; each takes two columns.
const WIDEST: usize = 39;

/// Cells of a lane and of a pocket.
const LANE: usize = 4;
const POCKET: [&str; 3] = ["1", "3", "5"];

/// The board with a legend: its sides laid out as a rectangle, or, where they do not go into one,
/// one side, for all are alike.
pub(super) fn draw(board: &Board, name: Option<&str>) -> String {
    let (sides, cells, ring) = (board.sides, board.cells, board.ring());
    let name = name.map_or(String::new(), |name| format!(" {name}"));
    let mut text = format!("Board{name}: {sides} sides of {cells} cells, a ring of {ring}, ");
    if let Some(grid) = Grid::of_ring(board) {
        text.push_str("walked clockwise. Side 0,\n");
        let place = if sides == 4 {
            "the bottom"
        } else {
            "the bottom right"
        };
        let _ = writeln!(
            text,
            "that of seat A, is at {place} and begins at its right end.\n"
        );
        grid.write(&mut text);
        text.push('\n');
        legend(board, true, &mut text);
    } else {
        text.push_str("walked clockwise.\n");
        text.push_str("One side, walked from left to right; all are alike.\n\n");
        Grid::of_side(board).write(&mut text);
        text.push('\n');
        legend(board, false, &mut text);
    }
    text
}

/// Marks by row and column; empty ones are bare table.
struct Grid(Vec<Vec<String>>);

impl Grid {
    fn new(width: usize, height: usize) -> Grid {
        Grid(vec![vec![String::new(); width]; height])
    }

    /// Puts a mark where there is none yet.
    fn put(&mut self, [x, y]: [usize; 2], mark: &str) -> Option<()> {
        let place = self.0.get_mut(y)?.get_mut(x)?;
        if !place.is_empty() {
            return None;
        }
        mark.clone_into(place);
        Some(())
    }

    /// All sides: one at the left, one at the right, as many at the top as at the bottom. None if
    /// they do not go into such a rectangle, or the lanes and pockets not inside.
    fn of_ring(board: &Board) -> Option<Grid> {
        let (sides, cells) = (usize::from(board.sides), usize::from(board.cells));
        let long = sides
            .checked_sub(2)
            .filter(|rest| rest % 2 == 0 && *rest > 0)?
            / 2;
        let (width, height) = (long * cells, cells);
        if width + 1 > WIDEST {
            return None;
        }
        // The cell `depth` cells inside of ring cell r.
        let place = |r: usize, depth: usize| {
            let edges = [width, height, width, height];
            let (mut edge, mut along) = (0, r);
            while along >= edges[edge] {
                along -= edges[edge];
                edge += 1;
            }
            match edge {
                0 => [width - along, height - depth],
                1 => [depth, height - along],
                2 => [along, depth],
                _ => [width - depth, along],
            }
        };
        let mut grid = Grid::new(width + 1, height + 1);
        for r in 0..board.ring() {
            let (side, cell) = (r / cells, r % cells);
            let mark = if cell == 0 {
                Seat::new((side + sides - 1) % sides).to_string()
            } else {
                mark(board, cell).to_owned()
            };
            grid.put(place(r, 0), &mark)?;
        }
        for side in 0..sides {
            grid.put_inside(board, |cell, depth| {
                (cell < cells).then(|| place(side * cells + cell, depth))
            })?;
        }
        Some(grid)
    }

    /// One side, with the corner behind it.
    fn of_side(board: &Board) -> Grid {
        let cells = usize::from(board.cells);
        let mut grid = Grid::new(cells + LANE, LANE + 1);
        for cell in 0..=cells {
            let mark = if cell % cells == 0 {
                "*"
            } else {
                mark(board, cell)
            };
            grid.put([cell, 0], mark);
        }
        // Where lane and pocket meet, what is drawn first stays.
        grid.put_inside(board, |cell, depth| Some([cell, depth]));
        grid
    }

    /// The lane and the pocket of a side; `place` knows where its cells are.
    fn put_inside(
        &mut self,
        board: &Board,
        place: impl Fn(usize, usize) -> Option<[usize; 2]>,
    ) -> Option<()> {
        for depth in 0..LANE {
            let at = place(usize::from(board.gate), depth + 1)?;
            self.put(at, &format!("H{depth}"))?;
        }
        if let (Some(arrow), Some(exit)) = (board.arrow, board.pocket_exit) {
            for (depth, mark) in POCKET.iter().enumerate() {
                let arrow = usize::from(arrow);
                let cell = if usize::from(exit) >= arrow {
                    arrow + depth
                } else {
                    arrow.checked_sub(depth)?
                };
                self.put(place(cell, 1)?, mark)?;
            }
        }
        Some(())
    }

    /// Writes the rows; what is too wide goes on below.
    fn write(&self, text: &mut String) {
        let width = self.0.first().map_or(0, Vec::len);
        for from in (0..width).step_by(WIDEST) {
            for row in &self.0 {
                let part = &row[from..width.min(from + WIDEST)];
                let mut line = String::new();
                for mark in part {
                    let _ = write!(line, "{mark:<2}");
                }
                let line = line.trim_end();
                if !line.is_empty() {
                    let _ = writeln!(text, "  {line}");
                }
            }
        }
    }
}

/// The mark of a ring cell that is no corner.
fn mark(board: &Board, cell: usize) -> &'static str {
    let is = |special: Option<u8>| special.is_some_and(|special| usize::from(special) == cell);
    if is(Some(board.gate)) {
        "g"
    } else if is(board.transit.map(|[cell, _]| cell)) {
        "T"
    } else if is(board.arrow) {
        ">"
    } else if board.planes.iter().any(|&plane| is(Some(plane))) {
        "P"
    } else if is(board.transit.map(|[_, exit]| exit)) {
        "t"
    } else if is(board.pocket_exit) {
        "x"
    } else {
        "."
    }
}

/// What the marks mean, and which cells of a side they are.
fn legend(board: &Board, has_seats: bool, text: &mut String) {
    let mut line = |mark: &str, about: String| {
        let _ = writeln!(text, "  {mark:<5} {about}");
    };
    if has_seats {
        let last = Seat::new(usize::from(board.sides) - 1);
        line(
            &format!("A..{last}"),
            format!("corner, cell 0: Rest, and the start of that seat; A's is 1.0, {last}'s 0.0"),
        );
    } else {
        line(
            "*",
            "corner, cell 0: Rest, and the start of the seat before it".to_owned(),
        );
    }
    line(".", "plain cell".to_owned());
    if let Some([cell, exit]) = board.transit {
        line(
            "T t",
            format!("Transit, cell {cell}: a die says where it leads; t, cell {exit}: the way out"),
        );
    }
    if !board.planes.is_empty() {
        let mut planes = board.planes.clone();
        planes.sort_unstable();
        let planes: Vec<String> = planes.iter().map(ToString::to_string).collect();
        let cells = if planes.len() == 1 { "cell" } else { "cells" };
        line(
            "P",
            format!(
                "plane, {cells} {}: flies to the next plane",
                planes.join(", ")
            ),
        );
    }
    line(
        "g H",
        format!(
            "gate, cell {}: where the home of the side turns off, H0 to H3",
            board.gate
        ),
    );
    if let (Some(arrow), Some(exit)) = (board.arrow, board.pocket_exit) {
        line(">", format!("arrow, cell {arrow}: into the pocket 1, 3, 5"));
        let [one, three, five] = board.keys;
        line(
            "1 3 5",
            format!(
                "pocket: a {one}, then a {three}, then a {five} leads on; no other number does"
            ),
        );
        line(
            "x",
            format!("cell {exit}: where the 5 of the pocket leads out"),
        );
    }
}
