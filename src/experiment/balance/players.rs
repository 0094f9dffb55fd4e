//! Who plays whom: the bots themselves, the same bots with a restriction, and the seats that win together.

use crate::bots::{Bot, BotError, Policy, View};
use crate::engine::game::{Effect, Game, MoveSet};
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::{PerSeat, Seat};

/// Which seats win and lose together, numbered from 0 in seat order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides {
    /// How many sides.
    pub count: usize,
    /// The side of each seat in play.
    pub of: PerSeat<usize>,
    /// The seats in play, in order.
    pub seats: Vec<Seat>,
    /// The rotations that bring one bot to every side.
    pub rotations: usize,
    /// What each side is called: its seats.
    pub names: Vec<String>,
}

impl Sides {
    /// The sides of a table.
    pub fn of<G: Game>(game: &G) -> Sides {
        let seats: Vec<Seat> = game.seats().iter().collect();
        let mut sides = Vec::new();
        let mut of = PerSeat::default();
        for &seat in &seats {
            let side = game.side(seat);
            of[seat] = sides
                .iter()
                .position(|&known| known == side)
                .unwrap_or_else(|| {
                    sides.push(side);
                    sides.len() - 1
                });
        }
        Sides {
            count: sides.len(),
            of,
            rotations: sides.len(),
            names: sides.iter().map(ToString::to_string).collect(),
            seats,
        }
    }

    /// The side that won, if one did: the one of a seat with the first place.
    pub fn winner(&self, places: &PerSeat<u8>) -> Option<usize> {
        let mut seats = self.seats.iter();
        seats
            .find(|&&seat| places[seat] == 1)
            .map(|&seat| self.of[seat])
    }

    /// Who sits where when the hero holds side `rotation` and another plays all others.
    pub fn seating(&self, hero: usize, others: usize, rotation: usize) -> PerSeat<usize> {
        PerSeat::from_fn(|seat| {
            if self.seats.contains(&seat) && self.of[seat] == rotation {
                hero
            } else {
                others
            }
        })
    }
}

/// Somebody at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// A bot as it is.
    Bot(usize),
    /// A bot that captures only when every move does.
    NeverCaptures(usize),
    /// A bot that brings tokens in only when nothing else can move.
    EntersLast(usize),
    /// Any legal move.
    Random,
}

/// One player alone against a table of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// The one.
    pub hero: Player,
    /// The bot at every other seat.
    pub others: usize,
}

/// Every bot against a table of each other one, then the probes against each: a bot that loses nothing by not
/// capturing, or by staying at home, or wins by chance, says that the rules reward the wrong thing.
pub fn tables(bots: &[Bot]) -> Vec<Table> {
    let count = bots.len();
    let pairs = (0..count).flat_map(|hero| (0..count).map(move |others| (hero, others)));
    let mut tables: Vec<Table> = pairs
        .filter(|(hero, others)| hero != others)
        .map(|(hero, others)| Table {
            hero: Player::Bot(hero),
            others,
        })
        .collect();
    let has_random = bots.iter().any(|bot| bot.policy == "random");
    for others in 0..count {
        let mut probes = vec![Player::NeverCaptures(others), Player::EntersLast(others)];
        probes.extend((!has_random).then_some(Player::Random));
        tables.extend(probes.into_iter().map(|hero| Table { hero, others }));
    }
    tables
}

impl Player {
    /// The number of the player among the policies of [`policies`].
    pub fn index(self, bots: usize) -> usize {
        match self {
            Player::Bot(bot) => bot,
            Player::NeverCaptures(bot) => bots + bot,
            Player::EntersLast(bot) => 2 * bots + bot,
            Player::Random => 3 * bots,
        }
    }

    /// What the player is called.
    pub fn name(self, bots: &[Bot]) -> String {
        match self {
            Player::Bot(bot) => bots[bot].name.clone(),
            Player::NeverCaptures(bot) => format!("{}/never-captures", bots[bot].name),
            Player::EntersLast(bot) => format!("{}/enters-last", bots[bot].name),
            Player::Random => "random".to_owned(),
        }
    }
}

/// The policies of all players: the bots, the restricted bots, random play.
///
/// # Errors
/// When a bot does not play the game.
pub fn policies<G: Race>(bots: &[Bot]) -> Result<Vec<Box<dyn Policy<G>>>, BotError> {
    let mut all = Vec::new();
    for bot in bots {
        all.push(bot.policy()?);
    }
    for shuns in [captures, enters] {
        for bot in bots {
            let reference = bot.policy()?;
            all.push(Box::new(Restricted { reference, shuns }) as Box<dyn Policy<G>>);
        }
    }
    all.push(Bot::find("random")?.policy()?);
    Ok(all)
}

/// Whether a move sends a token back.
fn captures(effect: &Effect) -> bool {
    !effect.hits.is_none()
}

/// Whether a move brings a token in.
fn enters(effect: &Effect) -> bool {
    effect.from == 0 && !effect.passed
}

/// A bot that shuns some moves while there are others: then it plays the one that the game's own weights value most.
struct Restricted<G: Game> {
    reference: Box<dyn Policy<G>>,
    shuns: fn(&Effect) -> bool,
}

impl<G: Race> Policy<G> for Restricted<G> {
    fn choose(&mut self, view: &View<'_, G>, random: &mut Stream) -> usize {
        let View {
            game, state, seat, ..
        } = *view;
        let chosen = self.reference.choose(view, random);
        let shunned = |index| (self.shuns)(&game.preview(state, view.moves.get(index)));
        if game.is_about_stakes(state) || !shunned(chosen) {
            return chosen;
        }
        let mut best = (f64::NEG_INFINITY, chosen);
        let mut index = 0;
        game.gains(state, seat, view.moves, |values, _| {
            let score = super::luck::weigh::<G>(values);
            if score > best.0 && !shunned(index) {
                best = (score, index);
            }
            index += 1;
        });
        best.1
    }

    fn failed(&self) -> Option<&str> {
        self.reference.failed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose};
    use crate::games::mensch::{Mensch, Moves, Rules};

    fn bots() -> Vec<Bot> {
        ["greedy", "run-home"]
            .map(|name| Bot::find(name).unwrap())
            .into()
    }

    /// Greedy captures; restricted, it does not while there is another move.
    #[test]
    fn a_restricted_bot_shuns_captures() {
        let rules = Rules {
            forced_capture: false,
            ..Rules::default()
        };
        let game = Mensch::new(rules, "AC".parse().unwrap()).unwrap();
        let mut state = game.parse("A:H,H,r4,L1 C:H,H,H,r7 to=A").unwrap();
        game.roll(&mut state, 3);
        let mut moves = Moves::default();
        game.moves(&state, &mut moves);
        let mut policies = policies::<Mensch>(&bots()).unwrap();
        let mut chosen = |player: Player| {
            let mut random = BlockKey::new(1, 1).stream(Purpose::Bot, Seat::A);
            let view = View {
                game: &game,
                state: &state,
                seat: Seat::A,
                moves: &moves,
            };
            let index = policies[player.index(2)].choose(&view, &mut random);
            game.move_text(&state, moves.get(index))
        };
        assert_eq!(chosen(Player::Bot(0)), "r4>r7x");
        assert_eq!(chosen(Player::NeverCaptures(0)), "L1>L4");
        assert_eq!(chosen(Player::EntersLast(0)), "r4>r7x");
    }

    #[test]
    fn everybody_meets_everybody_and_the_probes() {
        let names: Vec<String> = tables(&bots())
            .iter()
            .map(|table| {
                format!(
                    "{} - {}",
                    table.hero.name(&bots()),
                    bots()[table.others].name
                )
            })
            .collect();
        assert_eq!(
            names,
            [
                "greedy - run-home",
                "run-home - greedy",
                "greedy/never-captures - greedy",
                "greedy/enters-last - greedy",
                "random - greedy",
                "run-home/never-captures - run-home",
                "run-home/enters-last - run-home",
                "random - run-home",
            ]
        );
    }
}
