//! `expectimax`: looks through the coming rolls, every one with its exact weight.
//!
//! **Depth** counts rolls. At depth `d` each of my moves is followed through the next `d` rolls,
//! whoever rolls them, with the best reply to each; then, where the next roll would come, the
//! evaluator judges. Depth 1: my move, one roll, the best reply. A die thrown in the middle of a
//! roll belongs to that roll. The value of a move is the mean over all those rolls.
//!
//! Where there are more moves than **`filter`**, those that the evaluator likes best without a
//! search are searched. At a decision about the stakes nothing is searched, and in the search
//! nobody changes them: no double, and take.
//!
//! **Values** are chances to win, one for each seat, together 1. The evaluator scores the position
//! for each seat and the shares of the scores ([`softmax`]) are the chances; a finished game
//! is 1 for its winner and 0 for the others. Each seat plays for its own chance (max^n), or, with
//! `paranoid`, all others play against mine.

mod seen;
#[cfg(test)]
mod tests;

use crate::engine::ends::{End, Ends};
use crate::engine::game::{MoveSet, Turn};
use crate::engine::race::Race;
use crate::engine::random::Stream;
use crate::engine::seat::{MAX_SEATS, Seat};

use super::float::{Best, softmax};
use super::learned::{self, Scratch};
use super::params::{Choice, Flag, Number, Reader, Whole, first_said};
use super::racer::Weights;
use super::{Policy, PolicyEntry, View};

use seen::Seen;

const DEPTH: Whole = Whole {
    name: "depth",
    default: 1,
    range: 1..=3,
    about: "how many rolls are looked through after the move",
};
const FILTER: Whole = Whole {
    name: "filter",
    default: 5,
    range: 1..=10_000,
    about: "how many moves are searched: those that the evaluator likes best at once",
};
const EVALUATOR: Choice = Choice {
    name: "evaluator",
    values: &["racer", "progress", "learned"],
    about: "what judges a position: \"racer\" weighs its features, \"progress\" counts the pips come, \"learned\" asks the net of the policy learned",
};
const PARANOID: Flag = Flag {
    name: "paranoid",
    about: "true: all others play against this seat; false: each plays for itself",
};
const TEMPERATURE: Number = Number {
    name: "temperature",
    default: 50.0,
    range: 1.0..=1000.0,
    about: "the lead in pips that makes a seat e times as likely to win",
};
const WEIGHTS: &str = "weights";

pub(super) fn entry<G: Race>() -> PolicyEntry<G> {
    PolicyEntry {
        name: "expectimax",
        about: "looks through the coming rolls and plays for the best chance to win",
        params: vec![
            DEPTH.param(),
            FILTER.param(),
            EVALUATOR.param(),
            PARANOID.param(),
            TEMPERATURE.param(),
            super::Param {
                name: WEIGHTS,
                default: "{}".to_owned(),
                about: "a table: the weights of the evaluator \"racer\" that differ from its own"
                    .to_owned(),
            },
            learned::NET.param(),
            learned::NET_HASH.param(),
        ],
        build: |table| {
            let mut reader = Reader::new(table);
            let depth = reader.whole(&DEPTH)?;
            let filter = reader.whole(&FILTER)? as usize;
            let evaluator = reader.choice(&EVALUATOR)?;
            let paranoid = reader.flag(&PARANOID)?;
            let temperature = reader.number(&TEMPERATURE)?;
            let has_weights = table.contains_key(WEIGHTS);
            let weights = reader.table(WEIGHTS, Weights::<G>::read)?;
            let net = learned::NetFile::of(&mut reader)?;
            reader.finish()?;
            let of_a_net = [learned::NET.name, learned::NET_HASH.name];
            if let Some(name) = first_said(table, &of_a_net).filter(|_| evaluator != 2) {
                return Err(format!("{name}: only with evaluator = \"learned\""));
            }
            let evaluator = match evaluator {
                0 => Evaluator::Racer(weights),
                _ if has_weights => {
                    return Err("weights: only the evaluator \"racer\" has weights".to_owned());
                }
                1 => Evaluator::Progress,
                _ => Evaluator::Learned(net.read()?),
            };
            Ok(Box::new(Expectimax {
                depth,
                judge: Judge {
                    filter,
                    evaluator,
                    paranoid,
                    temperature,
                },
                seen: Seen::new(),
                rooms: Vec::new(),
                scratch: Scratch::default(),
            }))
        },
    }
}

/// What judges a position where the search ends.
enum Evaluator<G> {
    Racer(Weights<G>),
    Progress,
    Learned(learned::Evaluator<G>),
}

/// What the values depend on beside the position.
struct Judge<G> {
    filter: usize,
    evaluator: Evaluator<G>,
    paranoid: bool,
    temperature: f64,
}

struct Expectimax<G: Race> {
    depth: u32,
    judge: Judge<G>,
    seen: Seen<G::State>,
    rooms: Vec<Room<G>>,
    scratch: Scratch,
}

/// Where a search keeps the ends of one roll. Each roll of a line has its own.
struct Room<G: Race> {
    ends: Ends<G>,
    merits: Vec<(f64, usize)>,
}

impl<G: Race> Policy<G> for Expectimax<G> {
    fn choose(&mut self, view: &View<'_, G>, _: &mut Stream) -> usize {
        if view.game.is_about_stakes(view.state) {
            return 0;
        }
        self.seen.forget();
        self.scratch.forget();
        let mut search = Search {
            game: view.game,
            me: view.seat,
            judge: &self.judge,
            seen: &mut self.seen,
            rooms: &mut self.rooms,
            scratch: &mut self.scratch,
        };
        let mut best = Best::NONE;
        if G::CHAINS {
            search.each_end(view.state, view.seat, view.moves, true, |search, end| {
                let chances = search.value(&end.state, self.depth);
                best.offer(end.first, search.share(&chances, view.seat), end.from);
            });
            return best.index();
        }
        search.each_candidate(view.state, view.seat, view.moves, |search, index, mv| {
            let (chances, from) = search.after(view.state, view.seat, mv, self.depth);
            best.offer(index, search.share(&chances, view.seat), from);
        });
        best.index()
    }

    fn is_search(&self) -> bool {
        true
    }
}

/// The chance of each seat to win.
type Chances = [f64; MAX_SEATS];

/// The search of one decision.
struct Search<'a, G: Race> {
    game: &'a G,
    me: Seat,
    judge: &'a Judge<G>,
    seen: &'a mut Seen<G::State>,
    rooms: &'a mut Vec<Room<G>>,
    scratch: &'a mut Scratch,
}

impl<G: Race> Search<'_, G> {
    /// The chance that the side of a seat wins.
    fn share(&self, chances: &Chances, seat: Seat) -> f64 {
        let side = self.game.side(seat);
        side.iter().map(|mate| chances[mate.index()]).sum()
    }

    /// The chances of the seats when `rolls` more rolls are looked through.
    fn value(&mut self, state: &G::State, rolls: u32) -> Chances {
        match self.game.turn(state) {
            Turn::Over => self.result(state),
            Turn::Decision(_) if self.game.is_about_stakes(state) => {
                let mut moves = G::Moves::default();
                self.game.moves(state, &mut moves);
                let mut next = *state;
                self.game.apply(&mut next, moves.get(0));
                self.value(&next, rolls)
            }
            Turn::Decision(seat) => self.best_reply(state, seat, rolls),
            Turn::Chance(_) if self.game.is_mid_roll(state) => self.mean(state, rolls),
            Turn::Chance(_) => {
                let place = Seen::place(state, rolls);
                if let Some(chances) = self.seen.get(place, state, rolls) {
                    return chances;
                }
                let chances = match rolls {
                    0 => self.evaluate(state),
                    _ => self.mean(state, rolls - 1),
                };
                self.seen.put(place, state, rolls, chances);
                chances
            }
        }
    }

    /// The mean over what chance decides now.
    fn mean(&mut self, state: &G::State, rolls: u32) -> Chances {
        let mut sum = [0.0; MAX_SEATS];
        let mut total = 0;
        for &(roll, weight) in self.game.rolls(state) {
            let mut next = *state;
            self.game.roll(&mut next, roll);
            let chances = self.value(&next, rolls);
            for (sum, chance) in sum.iter_mut().zip(chances) {
                *sum += f64::from(weight) * chance;
            }
            total += weight;
        }
        sum.map(|sum| sum / f64::from(total))
    }

    /// The chances after a move of `seat`, and how far its token had come. Who ends a game of a
    /// match by a move has won it.
    fn after(&mut self, state: &G::State, seat: Seat, mv: G::Move, rolls: u32) -> (Chances, u16) {
        let mut next = *state;
        let effect = self.game.apply(&mut next, mv);
        let chances = if effect.ends_game && self.game.turn(&next) != Turn::Over {
            let mut won = [0.0; MAX_SEATS];
            won[seat.index()] = 1.0;
            won
        } else {
            self.value(&next, rolls)
        };
        (chances, effect.from)
    }

    /// Calls `visit` with the moves that are to be searched, in order, and their indices.
    fn each_candidate(
        &mut self,
        state: &G::State,
        seat: Seat,
        moves: &G::Moves,
        mut visit: impl FnMut(&mut Self, usize, G::Move),
    ) {
        let filter = self.judge.filter;
        if moves.len() <= filter {
            for (index, mv) in moves.iter().enumerate() {
                visit(self, index, mv);
            }
            return;
        }
        let mut merits: Vec<(f64, usize)> = moves
            .iter()
            .enumerate()
            .map(|(index, mv)| {
                let (chances, _) = self.after(state, seat, mv, 0);
                (self.share(&chances, seat), index)
            })
            .collect();
        keep_best(&mut merits, filter);
        for (_, index) in merits {
            visit(self, index, moves.get(index));
        }
    }

    /// Calls `visit` with the ends of a roll that are to be searched, in order: the best ones
    /// if `filtered`, else all.
    fn each_end(
        &mut self,
        state: &G::State,
        seat: Seat,
        moves: &G::Moves,
        filtered: bool,
        mut visit: impl FnMut(&mut Self, &End<G::State>),
    ) {
        let mut room = self.rooms.pop().unwrap_or_else(|| Room {
            ends: Ends::default(),
            merits: Vec::new(),
        });
        let ends = room.ends.of(self.game, state, seat, moves);
        if !filtered || ends.len() <= self.judge.filter {
            for end in ends {
                visit(self, end);
            }
        } else {
            room.merits.clear();
            for (index, end) in ends.iter().enumerate() {
                let chances = self.value(&end.state, 0);
                room.merits.push((self.share(&chances, seat), index));
            }
            keep_best(&mut room.merits, self.judge.filter);
            for &(_, index) in &room.merits {
                visit(self, &ends[index]);
            }
        }
        self.rooms.push(room);
    }

    /// The chances after the move that `seat` likes best; of equal ones the first.
    fn best_reply(&mut self, state: &G::State, seat: Seat, rolls: u32) -> Chances {
        let mut moves = G::Moves::default();
        self.game.moves(state, &mut moves);
        let mut best = [0.0; MAX_SEATS];
        let mut best_merit = f64::NEG_INFINITY;
        let mut consider = |search: &Self, chances: Chances| {
            let is_mine = search.game.side(search.me).contains(seat);
            let merit = if search.judge.paranoid && !is_mine {
                -search.share(&chances, search.me)
            } else {
                search.share(&chances, seat)
            };
            if merit > best_merit {
                (best, best_merit) = (chances, merit);
            }
        };
        if G::CHAINS {
            self.each_end(state, seat, &moves, rolls > 0, |search, end| {
                let chances = search.value(&end.state, rolls);
                consider(search, chances);
            });
            return best;
        }
        let mut offer = |search: &mut Self, mv| {
            let (chances, _) = search.after(state, seat, mv, rolls);
            consider(search, chances);
        };
        if rolls == 0 {
            // Nothing is searched: a filter would cost more than it saves.
            for mv in moves.iter() {
                offer(self, mv);
            }
        } else {
            self.each_candidate(state, seat, &moves, |search, _, mv| offer(search, mv));
        }
        best
    }

    /// A finished game: 1 for the winner, shared if several win.
    fn result(&self, state: &G::State) -> Chances {
        let places = self.game.standing(state).places;
        let winners = self.game.seats().iter().filter(|&seat| places[seat] == 1);
        let share = 1.0 / winners.clone().count() as f64;
        let mut chances = [0.0; MAX_SEATS];
        for seat in winners {
            chances[seat.index()] = share;
        }
        chances
    }

    /// What the evaluator takes the chances for.
    fn evaluate(&mut self, state: &G::State) -> Chances {
        let seats = self.game.seats();
        let mut shares = [0.0; MAX_SEATS];
        for (share, seat) in shares.iter_mut().zip(seats.iter()) {
            *share = match &self.judge.evaluator {
                Evaluator::Racer(weights) => weights.score(self.game, state, seat),
                Evaluator::Progress => f64::from(self.game.progress(state, seat)),
                Evaluator::Learned(net) => net.chance(self.game, state, seat, self.scratch),
            };
        }
        let shares = &mut shares[..seats.len()];
        if let Evaluator::Learned(_) = self.judge.evaluator {
            // Each seat is asked about for itself; together they have all chances.
            let sum: f64 = shares.iter().sum();
            for share in &mut *shares {
                *share /= sum;
            }
        } else {
            softmax(shares, self.judge.temperature);
        }
        let mut chances = [0.0; MAX_SEATS];
        for (share, seat) in shares.iter().zip(seats.iter()) {
            chances[seat.index()] = *share;
        }
        chances
    }
}

/// Keeps the highest merits, of equal ones the first, in the order of their indices.
fn keep_best(merits: &mut Vec<(f64, usize)>, count: usize) {
    merits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    merits.truncate(count);
    merits.sort_by_key(|&(_, index)| index);
}
