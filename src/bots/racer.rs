//! `racer`: weighs what its move leads to, feature by feature. A roll that asks for several moves
//! is looked at as a whole.

use std::marker::PhantomData;

use crate::engine::ends::Ends;
use crate::engine::game::{MoveSet, Turn};
use crate::engine::race::{FeatureValues, MAX_FEATURES, Race};
use crate::engine::random::Stream;
use crate::engine::seat::Seat;

use super::float::{Best, dot};
use super::params::{Number, Reader};
use super::{Param, Policy, PolicyEntry, View};

/// The weight of each feature of the game `G`, in pips per unit.
#[derive(Clone, Debug)]
pub(super) struct Weights<G> {
    weights: FeatureValues,
    game: PhantomData<fn() -> G>,
}

/// The parameter that sets the weight of each feature.
fn numbers<G: Race>() -> impl Iterator<Item = Number> {
    G::FEATURES.iter().map(|feature| Number {
        name: feature.name,
        default: feature.weight,
        range: -1000.0..=1000.0,
        about: feature.about,
    })
}

impl<G: Race> Weights<G> {
    /// Reads the weights that differ from the game's own.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Weights<G>, String> {
        let mut weights = [0.0; MAX_FEATURES];
        for (weight, number) in weights.iter_mut().zip(numbers::<G>()) {
            *weight = reader.number(&number)?;
        }
        Ok(Weights {
            weights,
            game: PhantomData,
        })
    }

    /// The game's own weights.
    pub(super) fn of_the_game() -> Weights<G> {
        let mut weights = [0.0; MAX_FEATURES];
        for (weight, feature) in weights.iter_mut().zip(G::FEATURES) {
            *weight = feature.weight;
        }
        Weights {
            weights,
            game: PhantomData,
        }
    }

    /// Changes the weight of the feature with this index.
    pub(super) fn set(&mut self, feature: usize, weight: f64) {
        self.weights[feature] = weight;
    }

    /// What the position is worth to a seat.
    #[inline]
    pub(super) fn score(&self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let mut values = [0.0; MAX_FEATURES];
        game.features(state, seat, &mut values);
        let count = G::FEATURES.len();
        dot(&self.weights[..count], &values[..count])
    }
}

/// What a position in which the seat has played its roll is worth to it, by what `judge` says of
/// positions that await a roll: the mean over dice still to be thrown in that roll, and after the
/// reply that another seat likes best.
pub(super) fn worth<G: Race>(
    game: &G,
    state: &G::State,
    seat: Seat,
    judge: &mut impl FnMut(&G::State, Seat) -> f64,
) -> f64 {
    match game.turn(state) {
        Turn::Chance(_) if game.is_mid_roll(state) => {
            let (mut sum, mut total) = (0.0, 0);
            for &(roll, weight) in game.rolls(state) {
                let mut next = *state;
                game.roll(&mut next, roll);
                sum += f64::from(weight) * worth(game, &next, seat, judge);
                total += weight;
            }
            sum / f64::from(total)
        }
        Turn::Decision(other) if other != seat => {
            let mut moves = G::Moves::default();
            game.moves(state, &mut moves);
            let mut best = (f64::NEG_INFINITY, *state);
            for mv in moves.iter() {
                let mut after = *state;
                game.apply(&mut after, mv);
                let score = judge(&after, other);
                if score > best.0 {
                    best = (score, after);
                }
            }
            judge(&best.1, seat)
        }
        _ => judge(state, seat),
    }
}

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "racer",
        about: "plays the move whose position is worth most, a weighted sum of its features",
        params: numbers::<G>()
            .map(|number| number.param())
            .collect::<Vec<Param>>(),
        build: |table| {
            let mut reader = Reader::new(table);
            let weights = Weights::<G>::read(&mut reader)?;
            reader.finish()?;
            Ok(Racer::judging_by(weights))
        },
    }
}

/// Plays what is worth most by its weights.
pub(super) struct Racer<G: Race> {
    weights: Weights<G>,
    ends: Ends<G>,
}

impl<G: Race> Racer<G> {
    pub(super) fn judging_by(weights: Weights<G>) -> Box<dyn Policy<G>> {
        Box::new(Racer {
            weights,
            ends: Ends::default(),
        })
    }
}

impl<G: Race> Policy<G> for Racer<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let mut best = Best::NONE;
        if G::CHAINS {
            let ends = self.ends.of(view.game, view.state, view.seat, view.moves);
            for end in ends {
                let mut judge = |state: &G::State, seat| self.weights.score(view.game, state, seat);
                let score = worth(view.game, &end.state, view.seat, &mut judge);
                best.offer(end.first, score, end.from);
            }
            return best.index();
        }
        let count = G::FEATURES.len();
        let weights = &self.weights.weights[..count];
        let mut index = 0;
        view.game
            .gains(view.state, view.seat, view.moves, |values, from| {
                best.offer(index, dot(weights, &values[..count]), from);
                index += 1;
            });
        best.index()
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{bot, chosen, refusal, wins};

    #[test]
    fn it_runs_the_token_that_is_nearly_home() {
        let text = "A:H,H,r5,r33 C:H,H,H,H to=A dice=3";
        assert_eq!(chosen("racer", "", text), "r33>r36");
    }

    #[test]
    fn it_leaves_the_start_cell_of_an_enemy_with_a_full_yard() {
        let text = "A:H,H,r20,r25 C:H,H,H,H to=A dice=3";
        assert_eq!(chosen("racer", "", text), "r20>r23");
        assert_eq!(chosen("racer", "exposed = 0.0", text), "r25>r28");
    }

    #[test]
    fn of_two_captures_it_takes_the_one_that_costs_the_enemy_more() {
        let text = "A:H,H,r5,r12 C:H,H,r8,r15 to=A dice=3";
        // r8 has come 29 pips for C, r15 has come 36.
        assert_eq!(chosen("racer", "", text), "r12>r15x");
        assert_eq!(chosen("racer", "rivals = 100\nlead = 0", text), "r5>r8x");
    }

    #[test]
    fn of_equal_moves_it_takes_the_furthest_token() {
        let text = "A:H,H,r5,r12 C:H,H,H,r25 to=A dice=3";
        let nothing = "progress=0\nlead=0\nsettled=0\nexposed=0\nthreatened=0\nrivals=0";
        assert_eq!(chosen("racer", nothing, text), "r12>r15");
    }

    #[test]
    fn it_beats_the_bots_without_eyes() {
        let racer = bot("racer", "");
        // Expected: 60 of 100; four standard errors are 5.
        for other in ["run-home", "greedy"] {
            let won = wins(&racer, &bot(other, ""), "AC", 800);
            assert!(won > 880, "{won} of 1600 against {other}");
        }
        let won = wins(&racer, &bot("random", ""), "ABCD", 75);
        assert!(won > 130, "{won} of 300");
    }

    #[test]
    fn it_plays_the_same_game_twice() {
        let (racer, greedy) = (bot("racer", ""), bot("greedy", ""));
        let first = wins(&racer, &greedy, "ABCD", 20);
        assert_eq!(first, wins(&racer, &greedy, "ABCD", 20));
    }

    #[test]
    fn refused_weights_name_their_range_or_the_features() {
        for (params, reason) in [
            ("lead = 1001", "lead = 1001; expected -1000 to 1000"),
            ("lead = inf", "lead = inf; expected -1000 to 1000"),
            (
                "lead = 'big'",
                "lead = \"big\"; expected a number, -1000 to 1000",
            ),
            (
                "speed = 1",
                "no parameter 'speed'; known: progress, lead, settled, exposed, threatened, rivals",
            ),
        ] {
            let expected = format!("bot 'racer': params: {reason}");
            assert_eq!(refusal("racer", params), expected);
        }
    }
}
