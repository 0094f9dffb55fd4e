//! How a game may end from a board: exact where tables know it, estimated elsewhere.

use std::sync::Arc;

use libm::{erfc, exp};

use super::bearoff::{Bearoff, race_win};
use super::board::{BAR, Board, Side};
use super::cube::Chances;
use super::cube::wastage::effective_pips;
use super::net;

/// Says how a game may end, without the cube.
pub trait Evaluator: Send + Sync {
    /// The chances of the mover, who is about to roll. Neither side has borne off everything.
    fn chances(&self, board: &Board) -> Chances;

    /// The chances for each board, in their order: one call for the plays of a roll.
    fn chances_of_all(&self, boards: &[Board], out: &mut Vec<Chances>) {
        out.clear();
        out.extend(boards.iter().map(|board| self.chances(board)));
    }
}

/// The names of the evaluators, the default first.
pub const NAMES: [&str; 3] = ["net", "heuristic", "bearoff"];

/// A name that is no evaluator's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no evaluator '{name}'; known: {}", NAMES.join(", "))]
pub struct UnknownEvaluator {
    /// The name asked for.
    pub name: String,
}

/// The evaluator of this name. All look into the tables first; `bearoff` is for boards that
/// they [cover](covers), from where no others are reached.
///
/// # Errors
/// When no evaluator has the name.
pub fn named(name: &str, bearoff: Bearoff) -> Result<Box<dyn Evaluator>, UnknownEvaluator> {
    match name {
        "net" => Ok(Box::new(Tabled::new(
            bearoff,
            Nets(net::Evaluator::shipped()),
        ))),
        "heuristic" | "bearoff" => Ok(Box::new(Tabled::new(bearoff, Heuristic))),
        _ => Err(UnknownEvaluator {
            name: name.to_owned(),
        }),
    }
}

/// The trained nets.
#[derive(Clone, Debug)]
struct Nets(Arc<net::Evaluator>);

impl Evaluator for Nets {
    fn chances(&self, board: &Board) -> Chances {
        self.0.evaluate(board)
    }

    fn chances_of_all(&self, boards: &[Board], out: &mut Vec<Chances>) {
        let boards = boards.iter().copied();
        self.0
            .evaluate_all(boards, &mut net::Scratch::default(), out);
    }
}

/// The result of a game that the mover has just ended by bearing off his last checker; `None` when
/// it goes on.
pub fn finished(board: &Board) -> Option<Chances> {
    if board.mover.rear() > 0 {
        return None;
    }
    let gammon = board.other.off() == 0;
    // The winner's home board is the loser's points 19 to 24.
    let backgammon = gammon && board.other.rear() > 18;
    Some(Chances {
        win: 1.0,
        win_g: f64::from(u8::from(gammon)),
        win_bg: f64::from(u8::from(backgammon)),
        lose_g: 0.0,
        lose_bg: 0.0,
    })
}

/// Whether the bear-off tables hold a board: both sides have all checkers in their home boards
/// and have borne off at least one, so that no gammon is possible any more.
pub fn covers(board: &Board) -> bool {
    let is_covered = |side: Side| side.rear() <= 6 && side.off() > 0;
    is_covered(board.mover) && is_covered(board.other)
}

/// The chances of a game without gammons.
fn singles(win: f64) -> Chances {
    Chances {
        win,
        win_g: 0.0,
        win_bg: 0.0,
        lose_g: 0.0,
        lose_bg: 0.0,
    }
}

/// The bear-off tables where they apply, another evaluator elsewhere.
///
/// Up to six checkers a side the chances are exact. With more of them each side's number of rolls
/// is, if it plays for the fewest; see [`race_win`].
#[derive(Clone, Debug)]
pub struct Tabled<E> {
    bearoff: Bearoff,
    rest: E,
}

impl<E: Evaluator> Tabled<E> {
    /// These tables, and `rest` where they do not apply.
    pub fn new(bearoff: Bearoff, rest: E) -> Tabled<E> {
        Tabled { bearoff, rest }
    }

    fn known(&self, board: &Board) -> Option<Chances> {
        if !covers(board) {
            return None;
        }
        if let Some(equities) = self.bearoff.two_sided.equities(board) {
            return Some(singles(f64::midpoint(1.0, equities.cubeless)));
        }
        let dist = |side| self.bearoff.one_sided.dist(side);
        Some(singles(race_win(&dist(board.mover)?, &dist(board.other)?)))
    }
}

impl<E: Evaluator> Evaluator for Tabled<E> {
    fn chances(&self, board: &Board) -> Chances {
        self.known(board)
            .unwrap_or_else(|| self.rest.chances(board))
    }
}

/// An estimate from pips, points and blots.
///
/// With contact the chance to win is a logistic function of the features of both sides
/// (`features`), and so is the share of gammons among the wins of either side; backgammons are a
/// fixed share of the gammons. The weights are logistic regressions, with a ridge of 0.001, on the
/// 2,500 contact boards in the golden decisions of GNU Backgammon (2-ply chances; each decision
/// weighted with the root of its boards). The root mean square error of the chance to win is 0.093
/// on these boards, 0.104 in five-fold cross-validation over decisions. Choosing by its
/// cubeless equity loses 0.06 points a decision on the contact money decisions there; a random
/// player loses 0.29.
///
/// Without contact it is D. Kleinman's formula (1980) on effective pip counts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Heuristic;

impl Evaluator for Heuristic {
    fn chances(&self, board: &Board) -> Chances {
        if board.is_contact() {
            contact(board)
        } else {
            race(board)
        }
    }
}

/// Number of [`features`] of a side.
const FEATURES: usize = 15;
/// Backgammons among the gammons of the fitted boards.
const BACKGAMMONS: f64 = 0.046;

/// Log-odds of the mover's win: a constant, the weights of the mover's and of the other's features.
const WIN: (f64, [f64; FEATURES], [f64; FEATURES]) = (
    0.301,
    [
        -1.314, -0.118, 0.056, 0.095, -0.161, 0.534, 0.101, -0.223, -0.058, -0.052, 0.987, -0.560,
        -0.173, -0.329, -0.427,
    ],
    [
        1.103, 0.040, -0.057, -0.008, 0.259, -0.241, -0.098, 0.424, 0.071, -0.059, -0.483, 0.426,
        0.196, 0.218, 0.423,
    ],
);
/// Log-odds that a win is a gammon or more: a constant, the weights of the winner's and of the
/// loser's features.
const GAMMON: (f64, [f64; FEATURES], [f64; FEATURES]) = (
    -1.095,
    [
        -1.508, 0.048, 0.138, -0.083, 0.237, -0.301, 0.131, 0.521, -0.138, 0.095, 0.945, -0.021,
        0.156, 0.265, 0.132,
    ],
    [
        0.749, 0.297, -0.193, -0.189, 0.105, 0.074, 0.245, 0.189, -0.497, 0.187, 0.0, -0.215,
        0.166, 0.269, 0.343,
    ],
);
/// What being on roll adds to the log-odds of [`GAMMON`].
const GAMMON_ON_ROLL: f64 = 0.284;

/// The chances with contact.
fn contact(board: &Board) -> Chances {
    let mover = features(board.mover, board.other);
    let other = features(board.other, board.mover);
    let win = logistic(odds(&WIN, &mover, &other));
    let gammons = |winner, loser, on_roll| logistic(odds(&GAMMON, winner, loser) + on_roll);
    let win_g = if board.other.off() == 0 {
        win * gammons(&mover, &other, GAMMON_ON_ROLL)
    } else {
        0.0
    };
    let lose_g = if board.mover.off() == 0 {
        (1.0 - win) * gammons(&other, &mover, 0.0)
    } else {
        0.0
    };
    Chances {
        win,
        win_g,
        win_bg: win_g * BACKGAMMONS,
        lose_g,
        lose_bg: lose_g * BACKGAMMONS,
    }
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + exp(-odds))
}

fn odds(
    weights: &(f64, [f64; FEATURES], [f64; FEATURES]),
    first: &[f64; FEATURES],
    second: &[f64; FEATURES],
) -> f64 {
    let dot = |weights: &[f64; FEATURES], values: &[f64; FEATURES]| -> f64 {
        weights.iter().zip(values).map(|(w, x)| w * x).sum()
    };
    weights.0 + dot(&weights.1, first) + dot(&weights.2, second)
}

/// What the estimate looks at, of a side that plays against `other`, in the order of the weights.
fn features(side: Side, other: Side) -> [f64; FEATURES] {
    let (own, their) = (Shape::of(side), Shape::of(other));
    let shots = shots(&own.counts, &their.counts);
    let on_bar = own.counts[25];
    let back: u8 = own.counts[19..].iter().sum();
    let held = |points: &[u8]| points.iter().filter(|&&count| count >= 2).count() as f64;
    [
        f64::from(side.pips()) / 100.0,
        f64::from(on_bar),
        own.home,
        own.prime,
        shots.direct,
        shots.way,
        shots.indirect,
        // Anchors: points held in the other's home board or next to it, the best two again.
        held(&own.counts[18..25]),
        held(&own.counts[20..22]),
        f64::from(back),
        f64::from(side.off()) / 10.0,
        f64::from(own.counts[1] + own.counts[2]) / 5.0,
        if on_bar > 0 { their.home } else { 0.0 },
        shots.direct * their.home / 5.0,
        f64::from(back) * (their.prime - 3.0).max(0.0) / 4.0,
    ]
}

/// The points of a side.
struct Shape {
    counts: [u8; 26],
    /// Points held by two or more checkers in the home board.
    home: f64,
    /// The longest row of held points.
    prime: f64,
}

impl Shape {
    fn of(side: Side) -> Shape {
        let counts = side.counts();
        let (mut row, mut prime, mut home) = (0u8, 0u8, 0u8);
        for (point, &count) in counts.iter().enumerate().take(25).skip(1) {
            row = if count >= 2 { row + 1 } else { 0 };
            prime = prime.max(row);
            home += u8::from(count >= 2 && point <= 6);
        }
        Shape {
            counts,
            home: f64::from(home),
            prime: f64::from(prime),
        }
    }
}

/// Blots that the other side can hit.
struct Shots {
    /// Blots with an enemy 1 to 6 pips behind.
    direct: f64,
    /// The way these have come, each as a share of 24 pips.
    way: f64,
    /// Other blots with an enemy 7 to 11 pips behind.
    indirect: f64,
}

fn shots(own: &[u8; 26], their: &[u8; 26]) -> Shots {
    let mut shots = Shots {
        direct: 0.0,
        way: 0.0,
        indirect: 0.0,
    };
    // His point 25 - p is on our p; his bar is our 0.
    let stands = |cell: usize| their[usize::from(BAR) - cell] > 0;
    for point in (1..25).filter(|&point| own[point] == 1) {
        if (1..=6.min(point)).any(|distance| stands(point - distance)) {
            shots.direct += 1.0;
            shots.way += (25 - point) as f64 / 24.0;
        } else if (7..=11.min(point)).any(|distance| stands(point - distance)) {
            shots.indirect += 1.0;
        }
    }
    shots
}

/// Half a roll in pips: what being on roll is worth in a race.
const ON_ROLL: f64 = 4.0;
/// Pips for a first checker off once all are at home.
const FIRST_OFF: f64 = 7.0;

/// The chances without contact.
fn race(board: &Board) -> Chances {
    let (mover, other) = (board.mover, board.other);
    let (own, their) = (to_go(mover), to_go(other));
    let win = ahead(their - own + ON_ROLL, own + their - ON_ROLL);
    let (win_g, win_bg) = saved(own, other, ON_ROLL);
    let (lose_g, lose_bg) = saved(their, mover, -ON_ROLL);
    Chances {
        win,
        win_g: win_g.min(win),
        win_bg: win_bg.min(win_g).min(win),
        lose_g: lose_g.min(1.0 - win),
        lose_bg: lose_bg.min(lose_g).min(1.0 - win),
    }
}

/// The chance to win a race with this lead, the roll included, over so many pips of both sides
/// together: the normal law at lead / √(2 · pips) (D. Kleinman, 1980).
fn ahead(lead: f64, pips: f64) -> f64 {
    0.5 * erfc(-0.5 * lead / pips.max(1.0).sqrt())
}

/// The effective pips of a side; of its last two checkers the plain ones, for one roll often takes
/// both, and what it wastes costs no other.
fn to_go(side: Side) -> f64 {
    if side.left() <= 2 {
        f64::from(side.pips())
    } else {
        effective_pips(side)
    }
}

/// The chances that a side with these effective pips is done before the loser has a checker off,
/// and before his last one has left the winner's home board.
fn saved(winner: f64, loser: Side, on_roll: f64) -> (f64, f64) {
    if loser.off() > 0 {
        return (0.0, 0.0);
    }
    let pips_beyond = |line: u8| -> f64 {
        let pips = |point| f64::from(loser.count(point)) * f64::from(point - line);
        (line + 1..=BAR).map(pips).sum()
    };
    let before = |pips: f64| ahead(pips - winner + on_roll, pips + winner);
    let backgammon = match pips_beyond(18) {
        0.0 => 0.0,
        pips => before(pips),
    };
    (before(pips_beyond(6) + FIRST_OFF), backgammon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        for &(point, count) in points {
            counts[point] = count;
        }
        counts[0] = 15 - counts.iter().sum::<u8>();
        Side::from_counts(&counts)
    }

    #[test]
    fn the_start_is_about_even_and_better_on_roll() {
        let chances = Heuristic.chances(&Board::START);
        assert!((0.5..0.6).contains(&chances.win), "{chances:?}");
        assert!((0.05..0.3).contains(&chances.win_g), "{chances:?}");
    }

    #[test]
    fn estimates_keep_their_order_in_any_race_and_on_the_bar() {
        let racer = side(&[(1, 2)]);
        let late = side(&[(24, 3), (12, 12)]);
        for board in [
            Board {
                mover: racer,
                other: side(&[(6, 15)]),
            },
            Board {
                mover: side(&[(6, 15)]),
                other: racer,
            },
            Board {
                mover: side(&[(25, 2), (13, 13)]),
                other: side(&[(6, 8), (5, 7)]),
            },
            Board {
                mover: racer,
                other: late,
            },
        ] {
            let c = Heuristic.chances(&board);
            assert!(c.win >= c.win_g && c.win_g >= c.win_bg && c.win_bg >= 0.0);
            assert!(1.0 - c.win >= c.lose_g && c.lose_g >= c.lose_bg && c.lose_bg >= 0.0);
        }
        let ahead = Board {
            mover: racer,
            other: side(&[(24, 3), (12, 12)]),
        };
        assert!(race(&ahead).win_bg > 0.9);
    }

    #[test]
    fn a_finished_game_is_worth_what_the_loser_has_left() {
        let won = side(&[]);
        let value = |other| finished(&Board { mover: won, other }).map(|c| c.equity());
        assert_eq!(value(side(&[(6, 14)])), Some(1.0));
        assert_eq!(value(side(&[(18, 15)])), Some(2.0));
        assert_eq!(value(side(&[(19, 1), (6, 14)])), Some(3.0));
        assert_eq!(value(side(&[(25, 1), (6, 14)])), Some(3.0));
        assert_eq!(finished(&Board::START), None);
    }

    #[test]
    fn tables_answer_what_they_cover() {
        let last = side(&[(1, 2)]);
        let board = Board {
            mover: last,
            other: last,
        };
        assert!(covers(&board) && !covers(&Board::START));
        let tabled = Tabled::new(Bearoff::build(), Heuristic);
        assert_eq!(tabled.chances(&board), singles(1.0));
        let seven = Board {
            mover: side(&[(6, 7)]),
            other: side(&[(6, 7)]),
        };
        let (exact, guess) = (tabled.chances(&seven), Heuristic.chances(&seven));
        assert!((exact.win - guess.win).abs() < 0.05, "{exact:?} {guess:?}");
        assert_ne!(exact, guess);
        assert_eq!(
            tabled.chances(&Board::START),
            Heuristic.chances(&Board::START)
        );
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        let error = named("gnu", Bearoff::build()).map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no evaluator 'gnu'; known: net, heuristic, bearoff"
        );
    }
}
