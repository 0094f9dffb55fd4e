//! Both sides bearing off: exact equities, with and without the doubling cube.

use rayon::prelude::*;

use crate::games::backgammon::board::{Board, Side};

use super::file::Database;
use super::index::Index;
use super::plays::{ROLLS, mean_over_throws, plays};

/// Where the cube is, as the side on roll sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeState {
    /// There is none: the equity is the winning chance less the losing chance.
    Cubeless,
    /// In the middle: both may double.
    Centred,
    /// The side on roll owns it and may redouble.
    Owned,
    /// The other side owns it.
    OpponentOwns,
}

/// Money equities of the side on roll before it rolls, in units of the current cube, when it
/// does not double this turn and both play best from then on.
///
/// Gammons count nothing here, so these hold with Jacoby's rule and without.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Equities {
    /// Without a cube.
    pub cubeless: f64,
    /// With the cube of the side on roll.
    pub owned: f64,
    /// With the cube in the middle.
    pub centred: f64,
    /// With the cube of the other side.
    pub opponent_owns: f64,
}

impl Equities {
    /// The equity if the side on roll does not double this turn.
    pub fn no_double(&self, cube: CubeState) -> f64 {
        match cube {
            CubeState::Cubeless => self.cubeless,
            CubeState::Centred => self.centred,
            CubeState::Owned => self.owned,
            CubeState::OpponentOwns => self.opponent_owns,
        }
    }

    /// The equity if the side on roll doubles and the other takes: twice the cube, then its.
    pub fn double_take(&self) -> f64 {
        2.0 * self.opponent_owns
    }

    /// Whether the other side takes a double; if taking and passing cost the same, it takes.
    pub fn takes(&self) -> bool {
        self.double_take() <= 1.0
    }

    /// Whether the side on roll doubles; if it gains nothing, it does not.
    pub fn doubles(&self, cube: CubeState) -> bool {
        self.after_cube_action(cube) > self.no_double(cube)
    }

    /// The equity when both choose best, doubling and answering included. A double that is
    /// passed wins 1.
    pub fn after_cube_action(&self, cube: CubeState) -> f64 {
        let wait = self.no_double(cube);
        match cube {
            CubeState::Cubeless | CubeState::OpponentOwns => wait,
            CubeState::Centred | CubeState::Owned => wait.max(self.double_take().min(1.0)),
        }
    }
}

/// The equities of every pair of positions of a few checkers.
///
/// Gammons are taken to be impossible: both sides have borne off a checker. Everything is
/// computed in f64, the play of each roll chosen for each state of the cube by its exact equity,
/// and kept in units of 2^-30, which is an error below 1e-9. The table of 6 checkers on 6 points
/// takes half a second of one core and 14 MB, that of 7 checkers 2 s and 47 MB.
#[derive(Clone, PartialEq, Debug)]
pub struct TwoSided {
    index: Index,
    /// For each position of the side on roll, for each of the other side: cubeless, owned,
    /// centred, opponent owns.
    equities: Vec<[i32; 4]>,
}

/// An equity of 1 as it is stored.
const ONE: f64 = (1 << 30) as f64;

impl TwoSided {
    /// The equity of the side on roll before its cube action, when both play best; see
    /// [`TwoSided::equities`] for when there is none.
    pub fn equity(&self, board: &Board, cube: CubeState) -> Option<f64> {
        let equities = self.equities(board)?;
        Some(equities.after_cube_action(cube))
    }

    /// The equities of the side on roll, in all states of the cube. A side that is done has won:
    /// 1 or -1. `None` outside the table, when both are done, and when one is not done and has
    /// not borne off a checker, because it could lose a gammon.
    pub fn equities(&self, board: &Board) -> Option<Equities> {
        let mover = self.index.rank(board.mover)?;
        let other = self.index.rank(board.other)?;
        let can_lose_a_gammon = |rank, side: Side| rank > 0 && side.off() == 0;
        let known = (mover, other) != (0, 0)
            && !can_lose_a_gammon(mover, board.mover)
            && !can_lose_a_gammon(other, board.other);
        known.then(|| read(self.equities[mover * self.index.len() + other]))
    }
}

/// Equities from their stored form.
fn read(stored: [i32; 4]) -> Equities {
    let [cubeless, owned, centred, opponent_owns] = stored.map(|x| f64::from(x) / ONE);
    Equities {
        cubeless,
        owned,
        centred,
        opponent_owns,
    }
}

/// Equities in their stored form.
fn store(equities: Equities) -> [i32; 4] {
    let Equities {
        cubeless,
        owned,
        centred,
        opponent_owns,
    } = equities;
    [cubeless, owned, centred, opponent_owns].map(|x| (x * ONE).round() as i32)
}

/// For every position and each of [`ROLLS`] the positions that can be played to.
type Successors = Vec<[Vec<u32>; ROLLS.len()]>;

fn successors(index: Index) -> Successors {
    let mut buffer = Vec::new();
    let mut of = |side, roll| {
        plays(side, roll, &mut buffer);
        let ranks = buffer.iter().map(|&next| index.rank_unchecked(next) as u32);
        let mut ranks: Vec<u32> = ranks.collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    };
    (0..index.len())
        .map(|rank| ROLLS.map(|roll| of(index.side(rank), roll)))
        .collect()
}

/// The equities of a position from those that the other side faces after each play, the best of
/// its cube actions included (`faced`, by the number of the position played to).
fn solve(successors: &[Vec<u32>; ROLLS.len()], faced: &[Equities]) -> Equities {
    let best = successors.each_ref().map(|plays| {
        let start = [f64::INFINITY; 4];
        plays.iter().fold(start, |least, &play| {
            let next = faced[play as usize];
            // The mover's cube is the opponent's next, and the other way round.
            [
                least[0].min(next.cubeless),
                least[1].min(next.opponent_owns),
                least[2].min(next.centred),
                least[3].min(next.owned),
            ]
        })
    });
    let mean = |state: usize| -mean_over_throws(best.iter().map(|least| least[state]));
    Equities {
        cubeless: mean(0),
        owned: mean(1),
        centred: mean(2),
        opponent_owns: mean(3),
    }
}

impl Database for TwoSided {
    const NAME: &'static str = "two-sided";
    const TAG: u32 = 2;
    const MAX_POSITIONS: usize = 3_003;

    /// Works through the pairs by rising pips of both sides together, those of the same sum in
    /// parallel: a turn leads to fewer.
    fn build(index: Index) -> TwoSided {
        let size = index.len();
        let (successors, levels) = (successors(index), index.by_pips());
        let mut equities = vec![[0; 4]; size * size];
        let mut faced = vec![Equities::default(); size * size];
        for playing in 1..size {
            for (cell, equity) in [(playing, 1.0), (playing * size, -1.0)] {
                faced[cell] = decided(equity);
                equities[cell] = store(decided(equity));
            }
        }
        for sum in 2..2 * levels.len() - 1 {
            let pairs = pairs(&levels, sum);
            let solved: Vec<Equities> = pairs
                .par_iter()
                .map(|&(mover, other)| solve(&successors[mover], &faced[other * size..][..size]))
                .collect();
            for (&(mover, other), new) in pairs.iter().zip(solved) {
                equities[mover * size + other] = store(new);
                faced[mover * size + other] = Equities {
                    owned: new.after_cube_action(CubeState::Owned),
                    centred: new.after_cube_action(CubeState::Centred),
                    ..new
                };
            }
        }
        TwoSided { index, equities }
    }

    fn index(&self) -> Index {
        self.index
    }

    /// The equities as i32.
    fn payload(&self) -> Vec<u8> {
        let numbers = self.equities.as_flattened();
        numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn from_payload(index: Index, bytes: &[u8]) -> Option<TwoSided> {
        let (numbers, []) = bytes.as_chunks() else {
            return None;
        };
        let numbers: Vec<i32> = numbers.iter().map(|&x| i32::from_le_bytes(x)).collect();
        let (equities, []) = numbers.as_chunks() else {
            return None;
        };
        let sound = equities.len() == index.len() * index.len()
            && numbers.iter().all(|&x| f64::from(x).abs() <= ONE);
        sound.then(|| TwoSided {
            index,
            equities: equities.to_vec(),
        })
    }
}

/// The equities of a game that is over.
fn decided(equity: f64) -> Equities {
    Equities {
        cubeless: equity,
        owned: equity,
        centred: equity,
        opponent_owns: equity,
    }
}

/// The pairs (on roll, other) of positions, neither of them done, with so many pips together.
/// Neighbours share the other side, on whose part of the table [`solve`] works.
fn pairs(levels: &[Vec<u32>], sum: usize) -> Vec<(usize, usize)> {
    let most = levels.len() - 1;
    let mut pairs = Vec::new();
    for pips in sum.saturating_sub(most).max(1)..=most.min(sum - 1) {
        for &other in &levels[pips] {
            let movers = levels[sum - pips].iter();
            pairs.extend(movers.map(|&mover| (mover as usize, other as usize)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side with checkers on these points, the others of 15 borne off.
    fn side(points: &[u8]) -> Side {
        let mut counts = [0; 26];
        counts[0] = 15 - points.len() as u8;
        for &point in points {
            counts[usize::from(point)] += 1;
        }
        Side::from_counts(&counts)
    }

    fn board(mover: &[u8], other: &[u8]) -> Board {
        Board {
            mover: side(mover),
            other: side(other),
        }
    }

    #[test]
    fn the_last_roll_by_hand() {
        let table = TwoSided::build(Index::new(2, 6).unwrap());
        // 6 against 1-1: 27 throws of 36 win at once, after any other the opponent is done.
        let last = table.equities(&board(&[6], &[1, 1])).unwrap();
        assert_eq!(last, decided(0.5));
        assert_eq!((last.double_take(), last.takes()), (1.0, true));
        assert!(last.doubles(CubeState::Centred) && last.doubles(CubeState::Owned));
        assert!(!last.doubles(CubeState::OpponentOwns) && !last.doubles(CubeState::Cubeless));
        // 6-1 against 1-1: 15 throws win, so waiting and doubling both lose on average.
        let behind = table.equities(&board(&[6, 1], &[1, 1])).unwrap();
        assert!((behind.cubeless + 1.0 / 6.0).abs() < 1e-9);
        assert!(!behind.doubles(CubeState::Centred));
        // 5-2 against 1-1: 19 throws win, a double; without a cube a thirty-sixth of 2 is won.
        let ahead = board(&[5, 2], &[1, 1]);
        let double = 2.0 * (19.0 - 17.0) / 36.0;
        let equity = |cube| table.equity(&ahead, cube).unwrap();
        assert!((equity(CubeState::Cubeless) - double / 2.0).abs() < 1e-9);
        assert!((equity(CubeState::Centred) - double).abs() < 1e-9);
    }

    #[test]
    fn a_cube_turned_once_more_is_worth_more_to_its_owner() {
        let index = Index::new(3, 6).unwrap();
        let table = TwoSided::build(index);
        for cell in 0..index.len() * index.len() {
            let Equities {
                cubeless,
                owned,
                centred,
                opponent_owns,
            } = read(table.equities[cell]);
            assert!(owned >= centred && owned >= cubeless, "cell {cell}");
            assert!(
                cubeless >= opponent_owns && centred >= opponent_owns,
                "cell {cell}"
            );
        }
    }

    #[test]
    fn finished_games_and_gammons() {
        let table = TwoSided::build(Index::new(2, 6).unwrap());
        assert_eq!(table.equities(&board(&[], &[3])), Some(decided(1.0)));
        assert_eq!(table.equities(&board(&[3], &[])), Some(decided(-1.0)));
        assert_eq!(table.equities(&board(&[], &[])), None);
        assert_eq!(table.equities(&board(&[1, 1, 1], &[1])), None);
        assert_eq!(table.equities(&board(&[1], &[7])), None);
        // Hypergammon: two checkers left and the third not borne off yet, but elsewhere.
        let mut hyper = board(&[1], &[6, 6]);
        hyper.other = hyper.other.step(0, 25);
        assert_eq!(table.equities(&hyper), None);
        let mut counts = [0; 26];
        counts[6] = 2;
        hyper.other = Side::from_counts(&counts);
        assert_eq!(table.equities(&hyper), None, "two checkers, none borne off");
    }

    #[test]
    fn a_payload_is_read_back_and_a_broken_one_is_not() {
        let index = Index::new(1, 4).unwrap();
        let table = TwoSided::build(index);
        let bytes = table.payload();
        assert_eq!(TwoSided::from_payload(index, &bytes), Some(table));
        for cut in [1, 4, 16] {
            assert_eq!(TwoSided::from_payload(index, &bytes[cut..]), None);
        }
        let mut outside = bytes.clone();
        outside[3] = 0x7f;
        assert_eq!(TwoSided::from_payload(index, &outside), None);
    }
}
