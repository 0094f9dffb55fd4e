//! What the general bots ask of backgammon.

use crate::engine::race::{Feature, FeatureValues, Race};
use crate::engine::seat::Seat;

use super::board::{BAR, Board, OFF};
use super::sight::{HOME, Sight};
use super::text::side;
use super::{Backgammon, Phase, State};

/// How far the leading one of the moved checkers had come: 25 less its point.
#[inline(always)]
pub(super) fn furthest_moved(before: &Board, after: &Board) -> u16 {
    match after.mover.first_fewer(before.mover) {
        OFF => 0,
        point => u16::from(BAR - point),
    }
}

/// The pips that lone checkers of the side in view must expect to lose to the other's next roll.
fn exposed(sight: &Sight) -> f64 {
    let mut blots = sight.in_reach();
    let mut pips = 0;
    while blots != 0 {
        let point = blots.trailing_zeros();
        pips += (u32::from(BAR) - point) * sight.shots_at(1 << point);
        blots &= blots - 1;
    }
    f64::from(pips) / 36.0
}

/// What a seat sees of a position.
fn sight(state: &State, seat: Seat) -> Sight {
    let sight = Sight::of(&state.board);
    if seat == state.on_roll() {
        sight
    } else {
        sight.turned()
    }
}

impl Race for Backgammon {
    const KNOWN_PLAY: Option<&'static str> = Some("the bear-off alone is quick: --bearoff 6");
    const FEATURES: &'static [Feature] = &[
        Feature {
            name: "progress",
            about: "pips the own checkers have come, 0 to 375",
            weight: 1.0,
        },
        Feature {
            name: "rivals",
            about: "pips the other side's checkers have come, 0 to 375",
            weight: -1.0,
        },
        Feature {
            name: "exposed",
            about: "pips the own lone checkers must expect to lose to the next roll, 0 to 345",
            weight: -1.0,
        },
        Feature {
            name: "home",
            about: "points held in the own home board, 0 to 6",
            weight: 5.0,
        },
        Feature {
            name: "prime",
            about: "held points in a row, 0 to 7",
            weight: 3.0,
        },
        Feature {
            name: "bar",
            about: "checkers of the other side on the bar, 0 to 15",
            weight: 6.0,
        },
        Feature {
            name: "back",
            about: "own checkers in the other side's home board or on the bar, 0 to 15",
            weight: -2.0,
        },
        Feature {
            name: "off",
            about: "own checkers borne off, 0 to 15",
            weight: 1.0,
        },
        Feature {
            name: "stacked",
            about: "own checkers on a point beyond the third, 0 to 12",
            weight: -1.0,
        },
    ];

    fn course(&self) -> u32 {
        375
    }

    fn features(&self, state: &State, seat: Seat, out: &mut FeatureValues) {
        let mine = side(state, seat);
        let theirs = side(state, super::BOTH[1 - seat.index()]);
        let sight = sight(state, seat);
        let most = f64::from(u16::from(self.checkers) * 25);
        let back: u8 = (19..=BAR).map(|point| mine.count(point)).sum();
        let stacked: u8 = (1..BAR)
            .map(|point| mine.count(point).saturating_sub(3))
            .sum();
        let values = [
            most - f64::from(sight.pips),
            most - f64::from(sight.their_pips),
            exposed(&sight),
            (sight.made & HOME).count_ones().into(),
            sight.prime().0.into(),
            theirs.bar().into(),
            back.into(),
            mine.off().into(),
            stacked.into(),
        ];
        out[..values.len()].copy_from_slice(&values);
    }

    fn exposure(&self, state: &State, seat: Seat) -> f64 {
        exposed(&sight(state, seat))
    }

    /// What to do about the cube.
    fn is_about_stakes(&self, state: &State) -> bool {
        state.phase() != Phase::Play
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::board::Side;

    fn side_of(points: &[(usize, u8)]) -> Side {
        let mut counts = [0; 26];
        let mut off = 15;
        for &(point, checkers) in points {
            counts[point] = checkers;
            off -= checkers;
        }
        counts[0] = off;
        Side::from_counts(&counts)
    }

    /// A lone checker on 18 that 17 throws hit, and one that nothing can reach.
    #[test]
    fn exposed_checkers_lose_what_they_had_come() {
        let board = Board {
            mover: side_of(&[(18, 1), (2, 1)]),
            other: side_of(&[(13, 1)]),
        };
        let pips = exposed(&Sight::of(&board));
        assert!((pips - 7.0 * 17.0 / 36.0).abs() < 1e-12, "{pips}");
    }
}
