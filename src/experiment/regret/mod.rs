//! Distance from perfect play: what a bot's choices lose where the exact solver knows the answer.
//!
//! Two seats, or one alone. For every decision that can come up from a position on, whoever plays
//! how, the options are worth what they are worth when both sides play their best from there on;
//! the *loss* of a choice is what the best option is worth more. For a seat alone it is counted in
//! expected turns, else in chances to win.
//!
//! For each seat the bot is also evaluated as a whole: its chance to win against a perfect
//! opponent, and against the opponent that plays best against just this bot (which is what
//! `racelab exact --play` computes). Both are below what perfect play has, the second at most the
//! first.

mod bearoff;

use std::sync::Arc;

use crate::bots::{Bot, BotError, Habit, Policy, View};
use crate::engine::game::{Game, MoveSet};
use crate::engine::race::Race;
use crate::engine::random::{BlockKey, Purpose};
use crate::engine::seat::{PerSeat, Seat};

pub use bearoff::{MOST_CHECKERS, bearoff};

use super::exact::{Decision, ExactError, Optimum, Perfect, Play, TIE, solve};

/// Why there is no regret.
#[derive(Debug, thiserror::Error)]
pub enum RegretError {
    /// The game is too large, or has too many seats.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The bot cannot play it.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The bot fell silent.
    #[error("{0}")]
    Failed(String),
}

/// A decision that the bot does not play best.
#[derive(Clone, Debug)]
pub struct Mistake<G: Game> {
    /// The position, with the roll to be played.
    pub state: G::State,
    /// The roll; none if the decision follows another of the same roll.
    pub roll: Option<G::Roll>,
    /// The seat that chooses.
    pub seat: Seat,
    /// What the bot plays; none if it takes any move.
    pub chosen: Option<G::Move>,
    /// The first of the best moves.
    pub best: G::Move,
    /// What the best move is worth: a chance to win, or expected turns to come, negative.
    pub worth: f64,
    /// What the bot's choice is worth less, above 0.
    pub loss: f64,
}

/// What a seat has when the bot plays it: chances to win, or expected turns of a seat alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AtSeat {
    /// The seat.
    pub seat: Seat,
    /// With perfect play on both sides.
    pub perfect: f64,
    /// With the bot against a perfect opponent.
    pub bot: f64,
    /// With the bot against the opponent that is best against it.
    pub exploited: f64,
}

/// How far a bot is from perfect play.
#[derive(Debug)]
pub struct Regret<G: Game> {
    /// Positions that await a roll.
    pub states: usize,
    /// Decisions with more than one legal move.
    pub decisions: u64,
    /// The sum of what they lose.
    pub lost: f64,
    /// Those that lose something, the worst first.
    pub mistakes: Vec<Mistake<G>>,
    /// The bot at each seat, from the position on; nothing where there is no such position.
    pub seats: Vec<AtSeat>,
    /// Worths that differ by less, relative to those above 1, are as good as each other.
    tie: f64,
}

impl<G: Game> Regret<G> {
    /// Mean loss of a decision, each counted once; none without decisions.
    pub fn mean(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.lost / self.decisions as f64)
    }
}

/// What `bot` loses from a position on.
///
/// # Errors
/// When the game from there on has no exact answer, or the bot does not play it.
pub fn regret<G: Race>(
    game: &G,
    start: &G::State,
    bot: &Bot,
    max_states: usize,
) -> Result<Regret<G>, RegretError> {
    let optimum = Arc::new(Optimum::of(game, &[*start], max_states)?);
    let mut regret = Regret::new(optimum.states, TIE);
    let mut policy = bot.policy::<G>()?;
    optimum.each_decision(game, |decision| {
        regret.judge(game, policy.as_mut(), decision);
    });
    let mut regret = regret.finish(policy.as_ref())?;
    for seat in game.seats().iter() {
        regret
            .seats
            .push(at_seat(game, start, bot, seat, &optimum, max_states)?);
    }
    Ok(regret)
}

impl<G: Game> Regret<G> {
    fn new(states: usize, tie: f64) -> Regret<G> {
        Regret {
            states,
            decisions: 0,
            lost: 0.0,
            mistakes: Vec::new(),
            seats: Vec::new(),
            tie,
        }
    }

    /// The mistakes in order, if the policy could choose to the end.
    fn finish(mut self, policy: &dyn Policy<G>) -> Result<Regret<G>, RegretError> {
        if let Some(reason) = policy.failed() {
            return Err(RegretError::Failed(reason.to_owned()));
        }
        // Stable: of equal losses the first found stays the first.
        let mistakes = &mut self.mistakes;
        mistakes.sort_by(|one, other| other.loss.total_cmp(&one.loss));
        Ok(self)
    }

    /// Counts what a policy loses in one decision.
    fn judge(&mut self, game: &G, policy: &mut dyn Policy<G>, decision: &Decision<'_, G>) {
        let &Decision {
            state,
            roll,
            seat,
            moves,
            worths,
        } = decision;
        let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (chosen, worth) = match policy.habit() {
            Habit::Uniform => (None, worths.iter().sum::<f64>() / worths.len() as f64),
            Habit::Deterministic => {
                let view = View {
                    game,
                    state,
                    seat,
                    moves,
                };
                // Never drawn from.
                let mut random = BlockKey::new(0, 0).stream(Purpose::Bot, seat);
                let index = policy.choose(&view, &mut random);
                (Some(moves.get(index)), worths[index])
            }
        };
        self.decisions += 1;
        let loss = best - worth;
        let is_best = |loss: f64| loss <= self.tie * best.abs().max(1.0);
        if is_best(loss) {
            return;
        }
        let first = worths.iter().position(|&worth| is_best(best - worth));
        self.lost += loss;
        self.mistakes.push(Mistake {
            state: *state,
            roll,
            seat,
            chosen,
            best: moves.get(first.expect("one is the best")),
            worth: best,
            loss,
        });
    }
}

/// The bot at one seat.
fn at_seat<G: Race>(
    game: &G,
    start: &G::State,
    bot: &Bot,
    seat: Seat,
    optimum: &Arc<Optimum<G>>,
    max_states: usize,
) -> Result<AtSeat, RegretError> {
    let is_alone = game.seats().len() == 1;
    let against = |others: &dyn Fn() -> Play<G>| {
        let policy = bot.policy::<G>()?;
        let mut plays = PerSeat::from_fn(|_| others());
        plays[seat] = Play::Bot(policy);
        let found = solve(game, &[*start], &mut plays, max_states)?.outlook();
        let worth = if is_alone {
            found.turns
        } else {
            found.win[seat]
        };
        Ok::<f64, RegretError>(worth)
    };
    let perfect = optimum.worth(game, start, seat);
    let perfect = perfect.expect("the position was solved");
    let bot = against(&|| Play::Bot(Box::new(Perfect::of(Arc::clone(optimum)))))?;
    Ok(AtSeat {
        seat,
        perfect: if is_alone { -perfect } else { perfect },
        bot,
        exploited: if is_alone {
            bot
        } else {
            against(&|| Play::Optimal)?
        },
    })
}
