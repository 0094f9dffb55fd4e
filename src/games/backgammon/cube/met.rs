//! The match equity table: how often a match is won from a score.

use std::f64::consts::SQRT_2;
use std::sync::LazyLock;

use super::context::{Crawford, MatchScore};
use super::met_csv::{self, MetError};

static KAZAROSS_XG2: LazyLock<Met> = LazyLock::new(|| {
    let pre = include_str!("met_pre_crawford.csv");
    let post = include_str!("met_post_crawford.csv");
    Met::from_csv(pre, post).expect("the table shipped is sound")
});

/// A match equity table: the chance to win the match before the opening roll of a game, both sides
/// being equally strong.
///
/// Beyond its last row it goes on by a model (see [`Met::win_chance`]), so every score has a chance.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    /// Points away covered by the tables.
    points: usize,
    /// Chances up to the Crawford game, `points` a row.
    pre: Vec<f64>,
    /// Chances of the trailer after it.
    post: Vec<f64>,
    /// Normal deviates of the last column of `pre`.
    edge: Vec<f64>,
    /// Normal deviates a unit of [`lead`], near the last column.
    slope: f64,
    /// What two more points leave of the trailer's chance after the Crawford game.
    decay: f64,
}

impl Met {
    /// The table of Neil Kazaross (2011), 25 points, from rollouts of extreme Gammon 2. Its notice
    /// stands beside the numbers.
    pub fn kazaross_xg2() -> &'static Met {
        &KAZAROSS_XG2
    }

    /// A table from two CSV texts, each with a header line; lines that begin with `#` are comments.
    ///
    /// `pre` has a row for every distance of mine from 1 up: the distance, then my chance at every
    /// distance of the opponent's. Row and column 1 hold the Crawford game. `post` has a row for
    /// every distance of the trailer: the distance, then its chance when the leader is 1 away.
    ///
    /// # Errors
    /// At the first cell that is no chance, misses 1 with its counterpart, or does not grow with the
    /// opponent's distance; and when a table has less than five rows or the two differ.
    pub fn from_csv(pre: &str, post: &str) -> Result<Met, MetError> {
        let (points, pre) = met_csv::pre_crawford(pre)?;
        let post = met_csv::post_crawford(post, points)?;
        let last_column = |me: usize| pre[me * points + points - 1];
        let edge: Vec<f64> = (0..points).map(|me| deviate(last_column(me))).collect();
        Ok(Met {
            slope: slope(&edge),
            decay: decay(&post),
            points,
            pre,
            post,
            edge,
        })
    }

    /// My chance to win the match when I need `me` points and the opponent `opponent`, 0 being
    /// nothing more. `crawford` places the next game. After the Crawford game one side is 1 away;
    /// at any other score the answer is that before it.
    ///
    /// Beyond the table the normal deviate of the chance is that of the nearest score in the table,
    /// plus what the normal law of N. Zadeh ("On doubling in tournament backgammon", Management
    /// Science 23, 1977) adds: a match is a random walk, so the deviate grows with the lead over the
    /// square root of the points still needed, here at the rate of the table's last column. Tables
    /// cut to 15 points predict the cells up to 25 within 0.006. After the Crawford game the
    /// trailer's chance falls by a constant factor every two points: it doubles at once, so each
    /// game it must win brings two.
    #[inline]
    pub fn win_chance(&self, me: u16, opponent: u16, crawford: Crawford) -> f64 {
        if me == 0 {
            return 1.0;
        }
        if opponent == 0 {
            return 0.0;
        }
        if crawford == Crawford::After {
            if opponent == 1 {
                return self.trailer(me);
            }
            if me == 1 {
                return 1.0 - self.trailer(opponent);
            }
        }
        let (row, column) = (usize::from(me), usize::from(opponent));
        if row.max(column) <= self.points {
            return self.pre[(row - 1) * self.points + column - 1];
        }
        self.beyond(row, column)
    }

    /// My chance to win the match once this game has given me `points`, or the opponent when
    /// they are negative.
    #[inline]
    pub(super) fn after(&self, score: MatchScore, points: i64) -> f64 {
        let need = |away: u16, points: i64| {
            away.saturating_sub(u16::try_from(points.max(0)).unwrap_or(u16::MAX))
        };
        let crawford = match score.crawford() {
            Crawford::Before => Crawford::Before,
            Crawford::Now | Crawford::After => Crawford::After,
        };
        let (me, opponent) = (need(score.me(), points), need(score.opponent(), -points));
        self.win_chance(me, opponent, crawford)
    }

    /// The trailer's chance after the Crawford game.
    fn trailer(&self, away: u16) -> f64 {
        let away = usize::from(away);
        let steps = away.saturating_sub(self.points).div_ceil(2);
        (0..steps).fold(self.post[away - 2 * steps - 1], |chance, _| {
            chance * self.decay
        })
    }

    /// The chance at a score outside the table.
    fn beyond(&self, me: usize, opponent: usize) -> f64 {
        if me > opponent {
            return 1.0 - self.beyond(opponent, me);
        }
        let inside = me.min(self.points);
        let added = lead(me, opponent) - lead(inside, self.points);
        normal(self.edge[inside - 1] + self.slope * added)
    }
}

/// The lead in units of the root of the points both sides need.
fn lead(me: usize, opponent: usize) -> f64 {
    (opponent as f64 - me as f64) / (opponent as f64 + me as f64).sqrt()
}

/// The least-squares slope through the origin of the last column's deviates over the lead, from
/// half the distance on: nearer to the end of the match other laws rule.
fn slope(edge: &[f64]) -> f64 {
    let points = edge.len();
    let (mut products, mut squares) = (0.0, 0.0);
    for me in points / 2..points {
        let lead = lead(me, points);
        products += lead * edge[me - 1];
        squares += lead * lead;
    }
    products / squares
}

/// The mean share that two more points leave of the trailer's chance, in the upper half.
fn decay(post: &[f64]) -> f64 {
    let upper = &post[post.len() / 2..];
    let shares = upper.iter().skip(2).zip(upper);
    let sum: f64 = shares.map(|(further, nearer)| further / nearer).sum();
    sum / (upper.len() - 2) as f64
}

/// The normal distribution function.
fn normal(deviate: f64) -> f64 {
    0.5 * libm::erfc(-deviate / SQRT_2)
}

/// Its inverse, by bisection to the last bit, within ±8 (chances down to 6e-16).
fn deviate(chance: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal(middle) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Crawford::{After, Before, Now};

    const PRE: &str = include_str!("met_pre_crawford.csv");
    const POST: &str = include_str!("met_post_crawford.csv");

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found} for {expected}"
        );
    }

    #[test]
    fn published_scores() {
        let met = Met::kazaross_xg2();
        let chances = [
            (1, 1, Before, 0.5),
            (1, 1, After, 0.5),
            (1, 2, Now, 0.67736),
            (2, 1, Now, 0.32264),
            (2, 1, After, 0.48803),
            (1, 4, After, 1.0 - 0.31002),
            (2, 3, Before, 0.59947),
            (0, 3, After, 1.0),
            (3, 0, After, 0.0),
        ];
        for (me, opponent, crawford, chance) in chances {
            close(met.win_chance(me, opponent, crawford), chance, 1e-12);
        }
    }

    #[test]
    fn both_sides_share_one_match() {
        let met = Met::kazaross_xg2();
        for me in 1..=64 {
            for opponent in 1..=64 {
                for crawford in [Before, After] {
                    let sum = met.win_chance(me, opponent, crawford)
                        + met.win_chance(opponent, me, crawford);
                    close(sum, 1.0, 1e-12);
                }
            }
        }
    }

    #[test]
    fn more_points_to_go_are_worse_also_beyond_the_table() {
        let met = Met::kazaross_xg2();
        for me in 1..=64 {
            for opponent in 1..=64 {
                let chance = met.win_chance(me, opponent, Before);
                assert!(
                    met.win_chance(me + 1, opponent, Before) < chance,
                    "{me} {opponent}"
                );
            }
            assert!(met.win_chance(me + 1, 1, After) < met.win_chance(me, 1, After));
        }
    }

    /// The step over the edge continues the last one inside: at most 40 % less, 30 % more.
    #[test]
    fn chances_go_on_smoothly_over_the_edge() {
        let met = Met::kazaross_xg2();
        for me in 2..=24 {
            let step = |to| met.win_chance(me, to, Before) - met.win_chance(me, to - 1, Before);
            let ratio = step(26) / step(25);
            assert!((0.6..1.3).contains(&ratio), "{me}-away: {ratio}");
        }
        for away in [26, 27] {
            let step = met.win_chance(away, 1, After) / met.win_chance(away - 2, 1, After);
            close(step, 0.6, 0.005);
        }
    }

    /// The model's error where it can be seen: a table cut to 15 points against the whole one.
    #[test]
    fn a_shorter_table_predicts_the_longer_one() {
        let whole = Met::kazaross_xg2();
        let cut = |text: &str| -> String {
            let rows = text.lines().filter(|line| !line.starts_with('#')).take(16);
            let cells = rows.map(|row| row.split(',').take(16).collect::<Vec<_>>().join(","));
            cells.collect::<Vec<_>>().join("\n")
        };
        let short = Met::from_csv(&cut(PRE), &cut(POST)).expect("a table");
        for me in 1..=25 {
            for opponent in 1..=25 {
                let found = short.win_chance(me, opponent, Before);
                close(found, whole.win_chance(me, opponent, Before), 0.006);
            }
            let found = short.win_chance(me, 1, After);
            close(found, whole.win_chance(me, 1, After), 0.0005);
        }
    }

    #[test]
    fn deviates_undo_the_normal_law() {
        close(normal(1.0), 0.841_344_746_068_543, 1e-15);
        for deviation in [-3.0, -0.5, 0.0, 1.25] {
            close(deviate(normal(deviation)), deviation, 1e-12);
        }
    }

    /// Errors name the line and the cell.
    #[test]
    fn errors_name_the_cell() {
        let error =
            |pre: &str, post: &str| Met::from_csv(pre, post).expect_err("wrong").to_string();
        let pre = |from: &str, to: &str| error(&PRE.replacen(from, to, 1), POST);
        let post = |from: &str, to: &str| error(PRE, &POST.replacen(from, to, 1));
        assert_eq!(
            pre("0.677360", "67.7"),
            "pre-Crawford table, line 8, column 3: '67.7' is no chance; a number between 0 and 1, \
             both excluded"
        );
        assert_eq!(
            pre("0.677360", "0.6"),
            "pre-Crawford table, line 8, column 3: 0.6 here and 0.32264 for the other side must \
             sum to 1"
        );
        assert_eq!(
            error(
                &PRE.replace("0.677360", "0.4").replace("0.322640", "0.6"),
                POST
            ),
            "pre-Crawford table, line 8, column 3: 0.4 after 0.5: chances rise with the opponent's \
             distance, fall with one's own"
        );
        assert_eq!(
            pre("0.677360,", ""),
            "pre-Crawford table, line 8, column 26: 24 chances in this row, expected 25"
        );
        assert_eq!(
            pre("\n3,", "\n4,"),
            "pre-Crawford table, line 10, column 1: row '4', expected '3': rows are points away \
             from 1 up, after a header"
        );
        assert_eq!(
            error("away,1\n1,0.5\n", POST),
            "pre-Crawford table, line 2, column 1: the table ends after 1 rows, expected at least 5"
        );
        assert_eq!(
            post("\n25,0.001181", ""),
            "post-Crawford table, line 30, column 1: the table ends after 24 rows, expected at \
             least 25"
        );
        assert_eq!(
            post("0.500000", "0.4"),
            "post-Crawford table, line 7, column 2: 0.4 here and 0.4 for the other side must sum \
             to 1"
        );
        assert_eq!(
            post("0.488030", "0.6"),
            "post-Crawford table, line 8, column 2: 0.6 after 0.5: chances rise with the opponent's \
             distance, fall with one's own"
        );
    }
}
