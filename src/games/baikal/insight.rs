//! What bots ask about a position of the Baikal race.

use crate::engine::game::Game;
use crate::engine::race::{Feature, FeatureValues, Inputs, Race, ShippedNet};
use crate::engine::seat::Seat;

use super::moves::Moves;
use super::route::Place;
use super::rules::Level;
use super::state::{Code, RESERVE, RING, State, count};
use super::{Baikal, Rules, features};

const fn feature(name: &'static str, about: &'static str, weight: f64) -> Feature {
    Feature {
        name,
        about,
        weight,
    }
}

impl<const SEATS: usize> Race for Baikal<SEATS> {
    const GREED: &'static str = "plays the action that pays best at once: pips, captures, tokens brought into play, bought back, kept out of reach";
    const INPUTS: &'static [Inputs] = &[features::INPUTS];
    const NETS: &'static [ShippedNet] = &[("", include_bytes!("learned.net"))];

    fn inputs(&self, _: u32, state: &State<SEATS>, seat: Seat, out: &mut [f32]) {
        self.write_inputs(state, seat, out);
    }

    const FEATURES: &'static [Feature] = &[
        feature(
            "progress",
            "pips the own tokens have come, 0 to 4 rings and 10",
            1.0,
        ),
        feature("reserve", "own tokens in the reserve, 0 to 4", -10.0),
        feature("held", "own tokens held by others, 0 to 4", -22.0),
        feature(
            "captives",
            "tokens of others held by the seat, 0 to 28",
            12.0,
        ),
        feature(
            "exposed",
            "pips the own lone tokens must expect to lose to one roll of each other seat",
            -1.0,
        ),
        feature("blocks", "own blocks on the ring, 0 to 2", 1.0),
        feature(
            "rests",
            "whether the seat skips its next turn, 0 or 1",
            -8.0,
        ),
        feature(
            "rivals",
            "pips the other seats' tokens have come, their mean",
            -0.5,
        ),
        feature(
            "pocket",
            "steps the own tokens have still to go in pockets, 0 to 12",
            -10.0,
        ),
    ];

    fn course(&self) -> u32 {
        self.route.course()
    }

    fn features(&self, state: &State<SEATS>, seat: Seat, out: &mut FeatureValues) {
        let slot = self.slot(seat);
        let codes = state.codes(slot).into_iter();
        let held = codes.filter(|&code| code >= self.route.held).count();
        let own = self.route.held + self.sides[slot];
        let captives: usize = self
            .slots()
            .map(|other| count(state.tokens[other], own))
            .sum();
        let others = self.seats.iter().filter(|&other| other != seat);
        let rivals: u32 = others.map(|other| self.progress(state, other)).sum();
        let values = [
            f64::from(self.progress(state, seat)),
            count(state.tokens[slot], RESERVE) as f64,
            held as f64,
            captives as f64,
            self.exposure(state, seat),
            self.on_ring(state, slot)
                .filter(|&(_, tokens)| tokens == 2)
                .count() as f64,
            f64::from(u8::from(state.skips(slot))),
            f64::from(rivals) / self.count.saturating_sub(1).max(1) as f64,
            f64::from(self.pocket_steps(state, slot)),
        ];
        out[..values.len()].copy_from_slice(&values);
    }

    /// One roll of each other seat, of any of its tokens on the ring; what stands between, flights
    /// and Transit are left out.
    fn exposure(&self, state: &State<SEATS>, seat: Seat) -> f64 {
        let slot = self.slot(seat);
        let lone = self.on_ring(state, slot).filter(|&(_, tokens)| tokens == 1);
        let lost = lone.map(|(code, _)| {
            let safe = self.slots().filter(|&other| other != slot).map(|other| {
                let r = self.turned(code - RING, slot, other);
                1.0 - f64::from(self.hit_chance(state, other, r)) / 36.0
            });
            f64::from(self.route.pips(code)) * (1.0 - safe.product::<f64>())
        });
        lost.sum()
    }

    #[inline]
    fn prizes(
        &self,
        state: &State<SEATS>,
        _: Seat,
        moves: &Moves,
        visit: impl FnMut(i32, u16),
    ) -> bool {
        self.greed(state, moves, visit);
        true
    }

    fn solitaire(rules: Rules) -> Option<Self> {
        Some(Baikal::solitaire(rules))
    }
}

impl<const SEATS: usize> Baikal<SEATS> {
    /// The steps that the tokens of a slot have still to go in pockets.
    fn pocket_steps(&self, state: &State<SEATS>, slot: usize) -> u8 {
        let steps = |code| match self.route.place(code) {
            Place::Pocket(_, depth) => 3 - depth,
            _ => 0,
        };
        state.codes(slot).into_iter().map(steps).sum()
    }

    /// The ring cells apart from corners with tokens of a slot, and how many.
    fn on_ring(&self, state: &State<SEATS>, slot: usize) -> impl Iterator<Item = (Code, usize)> {
        let word = state.tokens[slot];
        let mut before = RESERVE;
        state.codes(slot).into_iter().filter_map(move |code| {
            let new = std::mem::replace(&mut before, code) != code;
            let on_ring =
                matches!(self.route.place(code), Place::Ring(r) if !self.route.is_rest(r));
            (new && on_ring).then(|| (code, count(word, code)))
        })
    }

    /// Of 36 rolls those with which a slot can land on a ring cell of its own counting.
    fn hit_chance(&self, state: &State<SEATS>, slot: usize, r: u8) -> u32 {
        let mut before = RESERVE;
        let mut rolls = 0;
        for code in state.codes(slot) {
            let from = match self.route.place(code) {
                Place::Ring(from) => from,
                Place::Fresh => 0,
                _ => continue,
            };
            let behind = if r < from { self.route.ring } else { 0 };
            let cells = r + behind - from;
            // Nobody walks past its own gate.
            let turns_in = from <= self.route.gate && from + cells > self.route.gate;
            if code != before && !turns_in {
                rolls += rolls_for(self.rules.level, cells);
            }
            before = code;
        }
        rolls.min(36)
    }
}

/// Of 36 rolls those with which one token can stop so many cells on.
fn rolls_for(level: Level, cells: u8) -> u32 {
    let cells = u32::from(cells);
    let by_sum = match cells {
        2..=12 => 6 - cells.abs_diff(7),
        _ => 0,
    };
    let by_die = match (level, cells) {
        (_, 0 | 7..) | (Level::Sprint, _) => 0,
        // The bigger one goes first.
        (Level::Classic, _) => 2 * cells - 1,
        (Level::Serious, _) => 11,
    };
    by_sum + by_die
}
