//! Plays cubeless money games by racelab's rules and counts them, for `backgammon_sanity.py`.
//!
//! `backgammon-referee ONE OTHER GAMES SEED`: a player is a bot of racelab, or a name that begins
//! with `peer-`. What a peer plays is asked on standard output: its name, 25 counts of its side
//! (points 1 to 24, bar), 25 of the other side in its own numbering, and two dice; the answer is a
//! line with the 50 counts after the play, the sides not swapped. It must be a legal play. Plays
//! without a choice are not asked. In the end come lines of a name and numbers.
//!
//! A player against itself plays GAMES games, seen by the side that starts. Two players play half
//! of them with the same dice and seats changed, seen by ONE.

use std::error::Error;
use std::io::{self, BufRead, Write};

use racelab::bots::{Bot, Policy, View};
use racelab::engine::game::{Effect, Game, Measured, MoveSet};
use racelab::engine::play::{Chooser, DEFAULT_CAP, Observer, SeededDice, play};
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::{PerSeat, Seat, SeatSet};
use racelab::games::backgammon::board::{Board, Side};
use racelab::games::backgammon::{BOTH, Backgammon, Moves, Phase, Roll, Rules, State};
use racelab::stats::Moments;

enum Player {
    Peer(String),
    Bot(Box<dyn Policy<Backgammon>>),
}

impl Player {
    fn named(name: &str) -> Result<Player, Box<dyn Error>> {
        if name.starts_with("peer-") {
            return Ok(Player::Peer(name.to_owned()));
        }
        Ok(Player::Bot(Bot::find(name)?.policy()?))
    }
}

/// Two players at the table.
struct Table {
    players: Vec<Player>,
    at: PerSeat<usize>,
    random: PerSeat<Stream>,
}

impl Chooser<Backgammon> for Table {
    fn choose(&mut self, game: &Backgammon, state: &State, seat: Seat, moves: &Moves) -> usize {
        match &mut self.players[self.at[seat]] {
            Player::Peer(name) => ask(name, state, moves).unwrap_or_else(|error| {
                eprintln!("{name}: {}: {error}", shown(&state.board));
                std::process::exit(1)
            }),
            Player::Bot(policy) => {
                let view = View {
                    game,
                    state,
                    seat,
                    moves,
                };
                policy.choose(&view, &mut self.random[seat])
            }
        }
    }
}

/// The index of the play that a peer chooses.
fn ask(name: &str, state: &State, moves: &Moves) -> Result<usize, Box<dyn Error>> {
    let (high, low) = state.dice();
    println!("{name} {} {high} {low}", shown(&state.board));
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let line = line.trim();
    let is_it = |board: &Board| shown(board) == line;
    let index = moves.boards().iter().position(is_it);
    index.ok_or_else(|| format!("{high}-{low}: '{line}' is no legal play").into())
}

/// The 50 counts of a board.
fn shown(board: &Board) -> String {
    let counts = |side: Side| side.counts().into_iter().skip(1);
    let counts = counts(board.mover).chain(counts(board.other));
    let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
    counts.join(" ")
}

/// What the rolls of all games led to.
#[derive(Default)]
struct Facts {
    rolls: u64,
    results: u64,
    most: usize,
    stuck: u64,
    on_the_bar: u64,
    doubles: u64,
    moves: Moves,
    /// Who started this game.
    starter: Option<Seat>,
    measured: Measured,
}

impl Observer<Backgammon> for Facts {
    fn rolled(&mut self, game: &Backgammon, state: &State, _: Seat, _: Roll) {
        assert_eq!(state.phase(), Phase::Play, "no cube, no ties");
        self.starter.get_or_insert(state.on_roll());
        game.moves(state, &mut self.moves);
        let (results, dice) = (self.moves.boards().len(), state.dice());
        self.rolls += 1;
        self.results += results as u64;
        self.most = self.most.max(results);
        self.stuck += u64::from(self.moves.boards() == [state.board]);
        self.on_the_bar += u64::from(state.board.mover.bar() > 0);
        self.doubles += u64::from(dice.0 == dice.1);
    }

    fn play(
        &mut self,
        game: &Backgammon,
        state: &mut State,
        seat: Seat,
        mv: racelab::games::backgammon::Move,
    ) -> Effect {
        game.apply_counted(state, seat, mv, &mut self.measured)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [one, other, games, seed] = &arguments[..] else {
        return Err("expected ONE OTHER GAMES SEED".into());
    };
    let (games, seed): (u64, u64) = (games.parse()?, seed.parse()?);
    let is_mirror = one == other;
    let rules = Rules {
        cube: false,
        jacoby: false,
        ..Rules::default()
    };
    let game = Backgammon::new(rules, SeatSet::first(2))?;
    let mut table = Table {
        players: vec![Player::named(one)?, Player::named(other)?],
        at: PerSeat::default(),
        random: PerSeat::from_fn(|seat| BlockKey::new(seed, 0).stream(Purpose::Bot, seat)),
    };
    let (mut facts, mut moves) = (Facts::default(), Moves::default());
    let (mut blocks, mut ends) = (Moments::default(), [0u64; 7]);
    let seats = if is_mirror { &BOTH[..1] } else { &BOTH[..] };
    for block in 0..games / seats.len() as u64 {
        let key = BlockKey::new(seed, block);
        let mut won = 0;
        for &seat in seats {
            table.at = PerSeat::from_fn(|other| usize::from(other != seat));
            table.random = PerSeat::from_fn(|seat| key.stream(Purpose::Bot, seat));
            (facts.starter, facts.measured) = (None, Measured::default());
            play(
                &game,
                game.start(Seat::A),
                &mut SeededDice::new(key),
                &mut table,
                &mut facts,
                &mut moves,
                DEFAULT_CAP,
            );
            let seen_by = if is_mirror { facts.starter } else { Some(seat) };
            // The first measure of backgammon is the points.
            let points = facts.measured[seen_by.ok_or("a game without a roll")?][0];
            ends[(points + 3) as usize] += 1;
            won += i64::from(points);
        }
        blocks.push(won);
    }
    let per_game = seats.len() as f64;
    let share = |count: u64| count as f64 / facts.rolls as f64;
    println!("result games {}", ends.iter().sum::<u64>());
    if let (Some(mean), Some(error)) = (blocks.mean(), blocks.standard_error()) {
        println!("result points {} {}", mean / per_game, error / per_game);
    }
    println!("result ends {ends:?}");
    println!("result rolls {}", facts.rolls);
    println!("result results {}", share(facts.results));
    println!("result most {}", facts.most);
    println!("result stuck {}", share(facts.stuck));
    println!("result bar {}", share(facts.on_the_bar));
    println!("result doubles {}", share(facts.doubles));
    Ok(())
}
