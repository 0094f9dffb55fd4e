//! The Plackett-Luce model of Weng & Lin, *A Bayesian approximation method for online ranking*, JMLR 12 (2011),
//! 267-300, algorithm 4, for players without teams.

use super::{BETA, Skill, TAU};

/// The least share of its variance that a player keeps in one game.
const KAPPA: f64 = 1e-4;

/// The skills after a game in which player i came on `places[i]`, 1 the best; equal places are ties.
///
/// # Panics
/// When there are not as many places as skills.
pub fn rate(skills: &[Skill], places: &[u32]) -> Vec<Skill> {
    assert_eq!(skills.len(), places.len(), "a place for each skill");
    let variance = |skill: &Skill| skill.deviation * skill.deviation + TAU * TAU;
    let total: f64 = skills
        .iter()
        .map(|skill| variance(skill) + BETA * BETA)
        .sum();
    let c = total.sqrt();
    let weights: Vec<f64> = skills
        .iter()
        .map(|skill| libm::exp(skill.mean / c))
        .collect();
    let players = 0..skills.len();
    // Of each player: the weights of those not before it, and how many share its place.
    let rest = players.clone().map(|q| {
        let behind = players.clone().filter(|&i| places[i] >= places[q]);
        behind.map(|i| weights[i]).sum::<f64>()
    });
    let rest: Vec<f64> = rest.collect();
    let sharing = |q: usize| places.iter().filter(|&&place| place == places[q]).count() as f64;
    let updated = players.clone().map(|i| {
        let (mut omega, mut delta) = (0.0, 0.0);
        for q in players.clone().filter(|&q| places[q] <= places[i]) {
            let chance = weights[i] / rest[q];
            omega += (f64::from(u8::from(q == i)) - chance) / sharing(q);
            delta += chance * (1.0 - chance) / sharing(q);
        }
        let variance = variance(&skills[i]);
        let gamma = variance.sqrt() / c;
        let kept = (1.0 - gamma * delta * variance / (c * c)).max(KAPPA);
        Skill {
            mean: skills[i].mean + omega * variance / c,
            deviation: (variance * kept).sqrt(),
        }
    });
    updated.collect()
}

#[cfg(test)]
mod tests {
    use super::super::NEWCOMER;
    use super::*;

    /// `OpenSkill` 6.2, four players in order.
    #[test]
    fn open_skill_of_four_newcomers() {
        let rated = rate(&[NEWCOMER; 4], &[1, 2, 3, 4]);
        for (skill, mean) in rated.iter().zip([27.7953, 26.5529, 24.6894, 20.9624]) {
            assert!((skill.mean - mean).abs() < 5e-5, "{skill:?} is not {mean}");
            assert!(skill.deviation < NEWCOMER.deviation);
        }
    }

    #[test]
    fn places_count_not_the_order_they_are_told_in() {
        let (a, b) = (
            NEWCOMER,
            Skill {
                mean: 30.0,
                deviation: 2.0,
            },
        );
        let told = rate(&[a, b, a], &[2, 1, 3]);
        let otherwise = rate(&[a, a, b], &[3, 2, 1]);
        assert_eq!(told[1], otherwise[2]);
        assert_eq!(told[0], otherwise[1]);
    }

    #[test]
    fn a_tie_of_equals_moves_nobody() {
        for skill in rate(&[NEWCOMER; 3], &[1, 1, 1]) {
            assert!((skill.mean - 25.0).abs() < 1e-12);
            assert!(skill.deviation < NEWCOMER.deviation);
        }
    }
}
