//! What a trained net is worth at the table.

use std::num::NonZeroU32;
use std::sync::Arc;

use rayon::prelude::*;

use crate::bots::learned::{Evaluator, Learned};
use crate::bots::seated::Seated;
use crate::bots::{Bot, BotError};
use crate::engine::play::{Blind, DEFAULT_CAP, SeededDice, play};
use crate::engine::race::Race;
use crate::engine::random::BlockKey;
use crate::engine::seat::{PerSeat, Seat, SeatSet};
use crate::stats::interval::{BlockMean, block_mean};
use crate::stats::{Confidence, Moments};

/// What blocks of games came to: in each the net sits once in every seat, with the other seats
/// played by the same bot, on the same dice. In teams it plays for its whole side.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The seats of the table.
    pub seats: SeatSet,
    /// What equal bots would win.
    pub fair: f64,
    /// The net's wins, summed over the games of each block.
    pub wins: Moments,
}

impl Duel {
    /// Games in a block.
    fn unit(&self) -> NonZeroU32 {
        NonZeroU32::new(self.seats.len() as u32).expect("a table has a seat")
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins.n() * u64::from(self.unit().get())
    }

    /// Share of the games that the net won, with its interval; `None` of fewer than two blocks.
    pub fn share(&self) -> Option<BlockMean> {
        block_mean(&self.wins, self.unit(), Confidence::PERCENT_95)
    }
}

/// Plays blocks of games. Their dice depend on the seed alone, not on threads.
///
/// # Errors
/// When the bot does not play the game.
pub fn duel<G: Race>(
    net: &Evaluator<G>,
    bot: &Bot,
    game: &G,
    seed: u64,
    blocks: u64,
) -> Result<Duel, BotError> {
    bot.policy::<G>()?;
    let net = Arc::new(net.clone());
    let seats = game.seats();
    let sit = || {
        let other = bot.policy::<G>().expect("it could be made before");
        let hero = Box::new(Learned::by(Arc::clone(&net)));
        let at = PerSeat::default();
        let seated = Seated::new(vec![hero, other], at, BlockKey::new(0, 0));
        (seated, G::Moves::default())
    };
    let wins: Vec<i64> = (0..blocks)
        .into_par_iter()
        .map_init(sit, |(seated, moves), block| {
            let key = BlockKey::new(seed, block);
            let won = seats.iter().map(|hero| {
                let side = game.side(hero);
                seated.sit(
                    PerSeat::from_fn(|seat| usize::from(!side.contains(seat))),
                    key,
                );
                let first = first_of(seats, block);
                let start = game.start(first);
                let mut dice = SeededDice::new(key);
                let blind = &mut Blind;
                let played = play(game, start, &mut dice, seated, blind, moves, DEFAULT_CAP);
                i64::from(played.standing.places[hero] == 1)
            });
            won.sum()
        })
        .collect();
    let mut moments = Moments::default();
    for wins in wins {
        moments.push(wins);
    }
    let first = first_of(seats, 0);
    Ok(Duel {
        seats,
        fair: game.side(first).len() as f64 / seats.len() as f64,
        wins: moments,
    })
}

/// The seat that starts a block: each in turn.
fn first_of(seats: SeatSet, block: u64) -> Seat {
    let mut all = seats.iter().cycle();
    let index = (block % seats.len() as u64) as usize;
    all.nth(index).expect("a table has a seat")
}
