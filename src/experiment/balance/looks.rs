//! When a study looks at its counts, and which questions are closed then.

use crate::engine::race::Race;
use crate::stats::ScoreCounts;

use super::decide::Answer;
use super::run::{Family, Kind, StudyState};
use super::spec::{Study, StudyError};
use super::tally::{FamilyState, RunState};

/// How long a question is played.
pub(super) struct Limits {
    /// The blocks at most.
    most: u64,
    /// Those that all rule sets must play.
    shared: u64,
    /// The blocks between two looks.
    chunk: u64,
}

impl Limits {
    /// The first look after so many blocks. Where a smaller budget ended between two of them changes none.
    pub(super) fn next_look(&self, blocks: u64) -> u64 {
        let from = |start: u64| start + ((blocks - start) / self.chunk + 1) * self.chunk;
        let look = if blocks < self.shared {
            from(0).min(self.shared)
        } else {
            from(self.shared)
        };
        look.min(self.most)
    }

    fn close(&self, blocks: u64, is_open: bool) -> bool {
        blocks >= self.most || blocks >= self.shared && !is_open
    }
}

/// Whether something is still asked of a rule set.
fn is_open(run: &RunState, asks_first: bool) -> bool {
    run.answer == Answer::Undecided || asks_first && run.first == Answer::Undecided
}

impl<G: Race> Study<G> {
    /// The blocks of a question at most, those that all rule sets must play, and those of a chunk.
    pub(super) fn limits(&self, kind: Kind) -> Limits {
        let spec = &self.spec;
        match kind {
            Kind::Seats(_) => Limits {
                most: self.seat_games,
                shared: self.shared_blocks(),
                chunk: 1_000,
            },
            Kind::Table(table) => Limits {
                most: spec.strategy_blocks,
                shared: if self.tells_skill(table) {
                    spec.strategy_blocks
                } else {
                    0
                },
                chunk: 100,
            },
            Kind::Luck(..) => Limits {
                most: spec.luck_blocks,
                shared: 0,
                chunk: 100,
            },
        }
    }

    /// Looks at the counts: which questions are answered, and which are closed.
    pub(super) fn look(&self, family: Family, state: &mut FamilyState) {
        let limits = self.limits(family.kind);
        let blocks = state.next;
        for (run, tally) in state.runs.iter_mut().zip(&state.tally.runs) {
            if run.closed {
                continue;
            }
            let (answer, first) = match family.kind {
                Kind::Seats(_) => {
                    let seats = self.seat_question(family.cells);
                    let first = tally.first_varies().then(|| {
                        let question = self.first_question(family.cells);
                        question.seats(&[tally.first_wins], tally.games)
                    });
                    (seats.seats(&tally.wins, tally.games), first)
                }
                Kind::Table(_) => {
                    let scores = ScoreCounts::from_counts(tally.scores.clone());
                    let scores = scores.expect("a block has at least one game");
                    (self.strategy_question(family.cells).strategy(&scores), None)
                }
                Kind::Luck(..) => (Answer::Undecided, None),
            };
            if run.answer == Answer::Undecided {
                (run.answer, run.decided_at) = (answer, blocks);
            }
            if run.first == Answer::Undecided
                && let Some(first) = first
            {
                (run.first, run.first_at) = (first, blocks);
            }
            run.closed = limits.close(blocks, is_open(run, first.is_some()));
        }
    }

    /// Opens what smaller budgets closed undecided; verdicts stand.
    ///
    /// # Errors
    /// When the budgets at hand are not larger.
    pub fn reopen(&self, state: &mut StudyState) -> Result<(), StudyError> {
        let families = self.families();
        if families.len() != state.0.len() {
            return Err(StudyError::NotAsked);
        }
        for (family, state) in families.into_iter().zip(&mut state.0) {
            let limits = self.limits(family.kind);
            if state.next > limits.most {
                return Err(StudyError::Played {
                    played: state.next,
                    most: limits.most,
                });
            }
            for (run, tally) in state.runs.iter_mut().zip(&state.tally.runs) {
                let asks_first = matches!(family.kind, Kind::Seats(_)) && tally.first_varies();
                run.closed = limits.close(state.next, is_open(run, asks_first));
            }
        }
        Ok(())
    }

    /// Whether a question of seats or strategies has no answer, so that a larger budget may give one.
    pub fn is_undecided(&self, state: &StudyState) -> bool {
        let mut families = self.families().into_iter().zip(&state.0);
        families.any(|(family, state)| {
            let asks_first = |run: usize| {
                matches!(family.kind, Kind::Seats(_)) && state.tally.runs[run].first_varies()
            };
            let mut runs = state.runs.iter().enumerate();
            !matches!(family.kind, Kind::Luck(..))
                && runs.any(|(run, state)| is_open(state, asks_first(run)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn looks_do_not_depend_on_where_a_budget_ended() {
        let looks = |most| Limits {
            most,
            shared: 1_500,
            chunk: 1_000,
        };
        let large = looks(10_000);
        let seen = [0, 1_000, 1_500, 2_500, 3_500].map(|blocks| large.next_look(blocks));
        assert_eq!(seen, [1_000, 1_500, 2_500, 3_500, 4_500]);
        assert_eq!(looks(2_700).next_look(2_500), 2_700);
        assert_eq!(large.next_look(2_700), 3_500);
        assert_eq!(large.next_look(1_200), 1_500);
    }
}
