//! `cautious`: leaves as few pips as it can to the enemies' next roll, but keeps running.
//!
//! Avoiding danger and nothing else freezes: such a bot scored 44 % against random play
//! (`docs/rules/mensch.md`, 3.2). So what a move risks is weighed against what it captures and
//! against how far its token had come: who runs the furthest token has the fewest tokens out.

use crate::engine::ends::Ends;
use crate::engine::game::MoveSet;
use crate::engine::race::Race;
use crate::engine::random::Stream;

use super::float::{Best, dot};
use super::params::{Number, Reader};
use super::{Policy, PolicyEntry, View};

const CAUTION: Number = Number {
    name: "caution",
    default: 1.0,
    range: 0.0..=100.0,
    about: "what a pip that must be expected to be lost to the next hits costs",
};
const CAPTURE: Number = Number {
    name: "capture",
    default: 1.0,
    range: 0.0..=100.0,
    about: "what a pip taken from an enemy is worth",
};
const HURRY: Number = Number {
    name: "hurry",
    default: 0.2,
    range: 0.0..=100.0,
    about: "what a pip that the moved token had come is worth: the higher, the more the furthest token runs",
};

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "cautious",
        about: "risks as few pips as it can to the next hits, yet captures and keeps running",
        params: vec![CAUTION.param(), CAPTURE.param(), HURRY.param()],
        build: |table| {
            let mut reader = Reader::new(table);
            let weights = [
                -reader.number(&CAUTION)?,
                reader.number(&CAPTURE)?,
                reader.number(&HURRY)?,
            ];
            reader.finish()?;
            Ok(Box::new(Cautious::<G> {
                weights,
                ends: Ends::default(),
            }))
        },
    }
}

struct Cautious<G: Race> {
    weights: [f64; 3],
    ends: Ends<G>,
}

impl<G: Race> Policy<G> for Cautious<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        let mut best = Best::NONE;
        if G::CHAINS {
            for end in self.ends.of(view.game, view.state, view.seat, view.moves) {
                let values = [
                    view.game.exposure(&end.state, view.seat),
                    f64::from(end.lost),
                    f64::from(end.from),
                ];
                best.offer(end.first, dot(&self.weights, &values), end.from);
            }
            return best.index();
        }
        for (index, mv) in view.moves.iter().enumerate() {
            let mut after = *view.state;
            let effect = view.game.apply(&mut after, mv);
            let values = [
                view.game.exposure(&after, view.seat),
                f64::from(effect.lost),
                f64::from(effect.from),
            ];
            best.offer(index, dot(&self.weights, &values), effect.from);
        }
        best.index()
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{bot, chosen, refusal, wins};

    #[test]
    fn it_leaves_the_start_cell_of_an_enemy_with_a_full_yard() {
        let text = "A:H,H,r5,r20 C:H,H,H,H to=A dice=3";
        assert_eq!(chosen("cautious", "", text), "r20>r23");
        // With the six it would come to stand there.
        let text = "A:L3,L4,r14,r30 C:H,H,H,H to=A dice=6";
        assert_eq!(chosen("cautious", "hurry = 0", text), "r30>r36");
    }

    #[test]
    fn it_takes_its_furthest_token_out_of_reach() {
        // C stands four cells behind r25; seven are out of reach.
        let text = "A:H,H,r5,r25 C:H,H,H,r21 to=A dice=3";
        assert_eq!(chosen("cautious", "", text), "r25>r28");
    }

    #[test]
    fn without_danger_it_runs_its_furthest_token() {
        let text = "A:H,H,r5,r12 C:H,H,H,r21 to=A dice=3";
        assert_eq!(chosen("cautious", "", text), "r12>r15");
        assert_eq!(chosen("cautious", "hurry = 0", text), "r12>r15");
    }

    #[test]
    fn caution_is_weighed_against_hurry() {
        // r3 is one cell ahead of C; r30 runs on safely either way.
        let text = "A:L3,L4,r3,r30 C:H,L3,L4,r2 to=A dice=6";
        assert_eq!(chosen("cautious", "", text), "r30>r36");
        assert_eq!(chosen("cautious", "hurry = 0", text), "r3>r9");
    }

    #[test]
    fn it_does_not_freeze() {
        let (cautious, random) = (bot("cautious", ""), bot("random", ""));
        let won = wins(&cautious, &random, "AC", 150);
        assert!(won > 210, "{won} of 300");
        let won = wins(&cautious, &random, "ABCD", 75);
        assert!(won > 130, "{won} of 300");
    }

    #[test]
    fn refused_parameters_name_their_range() {
        for (params, reason) in [
            ("caution = -1", "caution = -1; expected 0 to 100"),
            ("caution = nan", "caution = nan; expected 0 to 100"),
            ("hurry = true", "hurry = true; expected a number, 0 to 100"),
            (
                "haste = 1",
                "no parameter 'haste'; known: caution, capture, hurry",
            ),
        ] {
            let expected = format!("bot 'cautious': params: {reason}");
            assert_eq!(refusal("cautious", params), expected);
        }
    }
}
