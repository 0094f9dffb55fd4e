//! One side alone: how many rolls it needs when it plays for the fewest on average.

use rayon::prelude::*;

use crate::games::backgammon::board::Side;

use super::dist::{Dist, ONE, quantise};
use super::file::Database;
use super::index::Index;
use super::plays::{ROLLS, mean_over_throws, plays};

/// Pips of an average roll: (30 · 7 + 6 · 14) / 36.
const PIPS_A_ROLL: f64 = 49.0 / 6.0;

/// For every position of one side: the mean and the distribution of the number of rolls until
/// everything is borne off, under the policy that makes the mean smallest.
///
/// Of plays with the same mean the policy takes the one with the smallest number in the
/// [`Index`]. It does not matter which: in the home board (and on 7 points) positions a roll leads
/// to have the same distribution whenever their means are within 1e-8 of each other.
///
/// All is computed in f64. Means are kept so; distributions are rounded to 2^-31 (see [`Dist`]).
///
/// For 15 checkers, with the time of one core:
///
/// | points | positions | file | built in |
/// |---|---|---|---|
/// | 6 | 54,264 | 2.7 MB | 1 s |
/// | 7 | 170,544 | 9.3 MB | 4 s |
/// | 8 | 490,314 | 29 MB | 14 s |
#[derive(Clone, PartialEq, Debug)]
pub struct OneSided {
    index: Index,
    means: Vec<f64>,
    spans: Vec<Span>,
    /// The distributions one after another, in units of 2^-31.
    chances: Vec<u32>,
}

/// Where a distribution is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    /// Its place among the chances.
    start: u32,
    /// How many chances it has.
    len: u8,
    /// The fewest rolls.
    first: u8,
}

impl OneSided {
    /// The mean number of rolls until everything is borne off; `None` outside the table.
    pub fn mean(&self, side: Side) -> Option<f64> {
        self.index.rank(side).map(|rank| self.means[rank])
    }

    /// The effective pip count: the mean number of rolls in pips of an average roll, 49/6 each
    /// (Trice, "Backgammon Boot Camp", 2004). `None` outside the table.
    pub fn epc(&self, side: Side) -> Option<f64> {
        self.mean(side).map(|mean| mean * PIPS_A_ROLL)
    }

    /// The distribution of the number of rolls; `None` outside the table.
    pub fn dist(&self, side: Side) -> Option<Dist<'_>> {
        self.index.rank(side).map(|rank| self.dist_at(rank))
    }

    fn dist_at(&self, rank: usize) -> Dist<'_> {
        let Span { start, len, first } = self.spans[rank];
        Dist::new(first, &self.chances[start as usize..][..usize::from(len)])
    }
}

/// What is known of a position while the table is built.
#[derive(Clone, Default)]
struct Solved {
    mean: f64,
    /// The chance to need `first`, `first + 1`, … rolls.
    first: usize,
    chances: Vec<f64>,
}

impl Solved {
    /// A position from those that the best play of each of [`ROLLS`] leads to.
    fn after(best: &[&Solved]) -> Solved {
        let first = best.iter().map(|next| next.first).min();
        let end = best
            .iter()
            .map(|next| next.first + next.chances.len())
            .max();
        let (first, end) = (first.expect("21 rolls"), end.expect("21 rolls"));
        let mut chances = vec![0.0; end - first];
        for (roll, next) in ROLLS.iter().zip(best) {
            for (sum, chance) in chances[next.first - first..].iter_mut().zip(&next.chances) {
                *sum += f64::from(roll.weight) * chance;
            }
        }
        for chance in &mut chances {
            *chance /= 36.0;
        }
        Solved {
            mean: 1.0 + mean_over_throws(best.iter().map(|next| next.mean)),
            first: first + 1,
            chances,
        }
    }
}

/// Solves a position whose successors are solved.
fn solve(index: Index, solved: &[Solved], rank: usize, buffer: &mut Vec<Side>) -> Solved {
    let side = index.side(rank);
    let best: Vec<&Solved> = ROLLS
        .iter()
        .map(|&roll| {
            plays(side, roll, buffer);
            &solved[fastest(index, solved, buffer)]
        })
        .collect();
    Solved::after(&best)
}

/// The number of the position with the smallest mean; of those with the same, the smallest.
fn fastest(index: Index, solved: &[Solved], sides: &[Side]) -> usize {
    let ranks = sides.iter().map(|&side| index.rank_unchecked(side));
    let means = ranks.map(|rank| (solved[rank].mean, rank));
    let least = means.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    least.expect("there is always a play").1
}

impl Database for OneSided {
    const NAME: &'static str = "one-sided";
    const TAG: u32 = 1;
    const MAX_POSITIONS: usize = 3_268_760;

    /// Works through the positions by rising pips, those of the same pips in parallel: each
    /// depends only on positions with fewer.
    fn build(index: Index) -> OneSided {
        let mut solved = vec![Solved::default(); index.len()];
        solved[0].chances = vec![1.0];
        for level in &index.by_pips()[1..] {
            let news: Vec<Solved> = level
                .par_iter()
                .map_init(Vec::new, |buffer, &rank| {
                    solve(index, &solved, rank as usize, buffer)
                })
                .collect();
            for (&rank, new) in level.iter().zip(news) {
                solved[rank as usize] = new;
            }
        }
        let mut table = OneSided {
            index,
            means: solved.iter().map(|position| position.mean).collect(),
            spans: Vec::with_capacity(index.len()),
            chances: Vec::new(),
        };
        for position in &solved {
            let (cut, chances) = quantise(&position.chances);
            table.push(position.first as u8 + cut, &chances);
        }
        table
    }

    fn index(&self) -> Index {
        self.index
    }

    /// The means as f64; for each position the number of chances and the fewest rolls, a byte
    /// each; the chances as u32.
    fn payload(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(10 * self.means.len() + 4 * self.chances.len());
        bytes.extend(self.means.iter().flat_map(|mean| mean.to_le_bytes()));
        bytes.extend(self.spans.iter().flat_map(|span| [span.len, span.first]));
        bytes.extend(self.chances.iter().flat_map(|chance| chance.to_le_bytes()));
        bytes
    }

    fn from_payload(index: Index, bytes: &[u8]) -> Option<OneSided> {
        let (means, rest) = bytes.split_at_checked(8 * index.len())?;
        let (spans, chances) = rest.split_at_checked(2 * index.len())?;
        let (means, _) = means.as_chunks();
        let (spans, _) = spans.as_chunks();
        let (chances, []) = chances.as_chunks() else {
            return None;
        };
        let chances: Vec<u32> = chances.iter().map(|&c| u32::from_le_bytes(c)).collect();
        let mut table = OneSided {
            index,
            means: means.iter().map(|&mean| f64::from_le_bytes(mean)).collect(),
            spans: Vec::with_capacity(index.len()),
            chances: Vec::with_capacity(chances.len()),
        };
        let mut rest = &chances[..];
        for &[len, first] in spans {
            let (dist, behind) = rest.split_at_checked(usize::from(len))?;
            table.push(first, dist);
            rest = behind;
        }
        (rest.is_empty() && table.is_sound()).then_some(table)
    }
}

impl OneSided {
    /// Adds the distribution of the next position.
    fn push(&mut self, first: u8, chances: &[u32]) {
        self.spans.push(Span {
            start: self.chances.len() as u32,
            len: chances.len() as u8,
            first,
        });
        self.chances.extend_from_slice(chances);
    }

    /// Whether every distribution sums to 1 and every mean is a number.
    fn is_sound(&self) -> bool {
        let sums_to_one = |span: &Span| {
            let chances = &self.chances[span.start as usize..][..usize::from(span.len)];
            chances.iter().map(|&chance| u64::from(chance)).sum::<u64>() == u64::from(ONE)
        };
        self.spans.iter().all(sums_to_one) && self.means.iter().all(|mean| mean.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(points: &[u8]) -> Side {
        let mut counts = [0; 26];
        for &point in points {
            counts[usize::from(point)] += 1;
        }
        Side::from_counts(&counts)
    }

    #[test]
    fn small_positions_by_hand() {
        let table = OneSided::build(Index::new(4, 7).unwrap());
        // One checker on the ace, two there, three there: one roll, one roll, a double or two.
        let means = [1.0, 1.0, 2.0 - 6.0 / 36.0, 2.0 - 6.0 / 36.0];
        for (checkers, mean) in (1..).zip(means) {
            let found = table.mean(side(&vec![1; checkers])).unwrap();
            assert!(
                (found - mean).abs() < 1e-15,
                "{checkers} on the ace: {found}"
            );
        }
        // One on the six: 27 of 36 throws bear it off at once, and no 5 of the others is left.
        let six = table.dist(side(&[6])).unwrap();
        assert_eq!(six.range(), (1, 2));
        assert!((six.exactly(1) - 0.75).abs() < 1e-9);
        // One on the seven point: 6-1 to 6-5, 5-2 to 5-4 and 4-3, twice each, and 2-2 to 6-6.
        let seven = table.dist(side(&[7])).unwrap();
        assert!((seven.exactly(1) - 23.0 / 36.0).abs() < 1e-9, "{seven:?}");
        assert!(table.dist(side(&[])).unwrap().within(0) >= 1.0);
        assert!((table.epc(side(&[1])).unwrap() - 49.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn outside_the_table_there_is_no_answer() {
        let table = OneSided::build(Index::new(2, 3).unwrap());
        assert_eq!(table.mean(side(&[4])), None);
        assert_eq!(table.dist(side(&[1, 1, 1])), None);
        assert_eq!(table.epc(side(&[25])), None);
        assert!(table.mean(side(&[3, 3])).is_some());
    }

    #[test]
    fn a_payload_is_read_back_and_a_broken_one_is_not() {
        let index = Index::new(3, 4).unwrap();
        let table = OneSided::build(index);
        let bytes = table.payload();
        assert_eq!(OneSided::from_payload(index, &bytes), Some(table));
        for cut in [1, 4, bytes.len() - 8] {
            assert_eq!(OneSided::from_payload(index, &bytes[cut..]), None);
            assert_eq!(
                OneSided::from_payload(index, &bytes[..bytes.len() - cut]),
                None
            );
        }
        let mut other = bytes.clone();
        *other.last_mut().unwrap() ^= 1;
        assert_eq!(OneSided::from_payload(index, &other), None);
    }
}
