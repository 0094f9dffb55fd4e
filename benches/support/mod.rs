//! What the benches play, and the check that it is what they say.

// Several bench targets include this file, and each uses only a part of it.
#![allow(dead_code)]

#[path = "../../tests/support/mensch_examples.rs"]
mod mensch_examples;
#[path = "../../tests/support/naive_mensch.rs"]
mod naive_mensch;

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use naive_mensch::{Choice, NaiveRules, Next, Position};
use racelab::bots::Bot;
use racelab::bots::seated::Seated;
use racelab::engine::game::{Game, MoveSet};
use racelab::engine::perft::perft;
use racelab::engine::play::{
    Blind, Chooser, Counts, DEFAULT_CAP, Observer, Played, SeededDice, play,
};
use racelab::engine::random::{BlockKey, Purpose, Stream};
use racelab::engine::seat::{PerSeat, Seat, SeatSet};
use racelab::experiment::record::Record;
use racelab::experiment::runner::{self, Options, Progress};
use racelab::experiment::spec::{BotRef, Spec};
use racelab::experiment::table::TableSpec;
use racelab::games::mensch::{Mensch, Move, Moves, Rules, State};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// The seed of everything here; it is also that of a spec that names none.
const SEED: u64 = 1;

/// Games behind the totals of [`SELF_PLAY`] and [`NAIVE_ROLLS`].
const CHECKED: u64 = 100;

/// One bot at all seats.
pub struct SelfPlay {
    pub name: &'static str,
    pub bot: &'static str,
    pub seats: &'static str,
    /// Rolls and captures of the first [`CHECKED`] games.
    totals: [u64; 2],
}

pub const SELF_PLAY: &[SelfPlay] = &[
    SelfPlay::new("random, 4 seats", "random", "ABCD", [76_580, 8_025]),
    SelfPlay::new("random, 2 seats", "random", "AC", [20_965, 1_134]),
    SelfPlay::new("greedy, 4 seats", "greedy", "ABCD", [52_433, 4_797]),
    SelfPlay::new("greedy, 2 seats", "greedy", "AC", [16_431, 721]),
    SelfPlay::new("racer, 4 seats", "racer", "ABCD", [50_598, 4_647]),
    SelfPlay::new("run-home, 4 seats", "run-home", "ABCD", [49_018, 4_437]),
];

/// Rolls of the first [`CHECKED`] games of the naive model.
const NAIVE_ROLLS: u64 = 72_302;

/// What was played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    pub games: u64,
    pub rolls: u64,
    pub captures: u64,
}

impl SelfPlay {
    const fn new(
        name: &'static str,
        bot: &'static str,
        seats: &'static str,
        totals: [u64; 2],
    ) -> SelfPlay {
        SelfPlay {
            name,
            bot,
            seats,
            totals,
        }
    }

    /// The play loop alone, with the bot behind `dyn` as everywhere.
    pub fn bare(&self) -> Bare<Seated<Mensch>> {
        let bot = Bot::find(self.bot).expect("a shipped bot");
        let policy = bot.policy().expect("a bot that plays mensch");
        Bare {
            game: table(self.seats),
            chooser: Seated::new(vec![policy], PerSeat::default(), BlockKey::new(SEED, 0)),
        }
    }

    /// All of a tournament but its tables: schedule, tallies, records on disk.
    pub fn pipeline(&self, games: u64, threads: usize) -> Totals {
        let mut spec = Spec::new("mensch", vec![BotRef::Named(self.bot.to_owned())]);
        spec.seats = Some(self.seats.parse().expect("seats"));
        spec.blocks = games; // One bot alone: a block is one game.
        spec.seed = SEED;
        let experiment = spec.resolve::<Mensch>().expect("a spec");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options {
            threads,
            checkpoint: Duration::from_secs(60),
            stop: &AtomicBool::new(false),
            progress: &Progress::default(),
        };
        runner::run(&experiment, folder.path(), &options).expect("a run");
        let records =
            Record::read_all(folder.path(), &experiment).expect("the records just written");
        let mut totals = Totals::default();
        for record in records {
            let rolls = record.tally.rolls.iter();
            totals.games += record.tally.games;
            totals.rolls += rolls
                .map(|(&rolls, games)| u64::from(rolls) * games)
                .sum::<u64>();
            totals.captures += record.tally.captures;
        }
        totals
    }

    fn check(&self) {
        let [rolls, captures] = self.totals;
        let totals = Totals {
            games: CHECKED,
            rolls,
            captures,
        };
        assert_eq!(self.bare().count(0..CHECKED), totals, "{}", self.name);
        assert_eq!(self.bare().play(0..CHECKED), rolls, "{}", self.name);
        for threads in [1, 2] {
            assert_eq!(
                self.pipeline(CHECKED, threads),
                totals,
                "{}, {threads} threads",
                self.name
            );
        }
    }
}

/// The table of these seats, by the default rules.
pub fn table(seats: &str) -> Mensch {
    let seats: SeatSet = seats.parse().expect("seats");
    Mensch::new(Rules::default(), seats).expect("a table")
}

/// The play loop of a table and nothing around it.
pub struct Bare<C> {
    game: Mensch,
    chooser: C,
}

/// A chooser that is ready for the next game.
pub trait Reseed: Chooser<Mensch> {
    /// Takes the random numbers of a block.
    fn reseed(&mut self, block: BlockKey);
}

impl Reseed for Seated<Mensch> {
    fn reseed(&mut self, block: BlockKey) {
        self.sit(PerSeat::default(), block);
    }
}

/// The bot `random` without the `dyn`: what the rules engine costs by itself.
pub struct InPlace(PerSeat<Stream>);

impl Chooser<Mensch> for InPlace {
    #[inline(always)]
    fn choose_blindly(&mut self, seat: Seat, moves: &Moves) -> Option<Move> {
        let index = self.0[seat].below(moves.len() as u64) as usize;
        Some(moves.get(index))
    }

    fn choose(&mut self, _: &Mensch, _: &State, _: Seat, _: &Moves) -> usize {
        unreachable!("this bot never looks at the position")
    }
}

impl Reseed for InPlace {
    fn reseed(&mut self, block: BlockKey) {
        *self = InPlace::new(block);
    }
}

impl InPlace {
    fn new(block: BlockKey) -> InPlace {
        InPlace(PerSeat::from_fn(|seat| block.stream(Purpose::Bot, seat)))
    }
}

/// Random play of four seats without `dyn`.
pub fn random_in_place() -> Bare<InPlace> {
    Bare {
        game: table("ABCD"),
        chooser: InPlace::new(BlockKey::new(SEED, 0)),
    }
}

impl<C: Reseed> Bare<C> {
    /// Plays a game on the dice of each block; the rolls.
    pub fn play(&mut self, blocks: Range<u64>) -> u64 {
        blocks
            .map(|block| u64::from(self.game(block, &mut Blind).rolls))
            .sum()
    }

    /// Plays a game on the dice of each block and counts what a tournament counts.
    pub fn count(&mut self, blocks: Range<u64>) -> Totals {
        let mut totals = Totals::default();
        for block in blocks {
            let mut counts = Counts::default();
            let played = self.game(block, &mut counts);
            totals.games += 1;
            totals.rolls += u64::from(played.rolls);
            let captures = counts.captures.as_array().iter();
            totals.captures += captures.map(|&count| u64::from(count)).sum::<u64>();
        }
        totals
    }

    fn game(&mut self, block: u64, observer: &mut impl Observer<Mensch>) -> Played {
        let key = BlockKey::new(SEED, block);
        self.chooser.reseed(key);
        play(
            &self.game,
            self.game.start(Seat::A),
            &mut SeededDice::new(key),
            &mut self.chooser,
            observer,
            &mut Moves::default(),
            DEFAULT_CAP,
        )
    }
}

/// Random games of four seats by the naive model of the tests; the rolls.
pub fn naive(games: u64) -> u64 {
    let rules = NaiveRules::default();
    let start = Position::start(&rules, &[0, 1, 2, 3]);
    let mut rng = Pcg64Mcg::seed_from_u64(SEED);
    (0..games)
        .map(|_| naive_mensch::random_game(&rules, &start, &mut rng).1)
        .sum()
}

/// A position with a known number of paths.
pub struct Tree {
    game: Mensch,
    start: State,
    rolls: u32,
    /// Paths of so many rolls.
    pub paths: u64,
}

impl Tree {
    /// The tree that is timed: two seats from the start, a million paths and a half.
    pub fn from_the_start() -> Tree {
        Tree::of(mensch_examples::PERFT[0], 8)
    }

    /// A tree of a crowded board, where most rolls leave a choice: a million paths.
    pub fn crowded() -> Tree {
        Tree::of(mensch_examples::PERFT[6], 6)
    }

    fn of((options, position, counts): (&str, &str, &[u64]), rolls: u32) -> Tree {
        let mut spec = TableSpec::of("mensch");
        spec.seats = Some(Mensch::seats_of(position).expect("a position"));
        for option in options.split_whitespace() {
            spec.change(option).expect("option=value");
        }
        let game: Mensch = spec.game().expect("a table");
        Tree {
            start: game.parse(position).expect("a position"),
            game,
            rolls,
            paths: counts[rolls as usize - 1],
        }
    }

    /// Walks all paths; how many.
    pub fn walk(&self) -> u64 {
        perft(&self.game, &self.start, self.rolls)
    }
}

/// A game as its dice and choices, both in order.
#[derive(Default)]
struct Script(Vec<(u8, usize)>);

impl Observer<Mensch> for Script {
    fn rolled(&mut self, _: &Mensch, _: &State, _: Seat, roll: u8) {
        self.0.push((roll, 0));
    }

    fn moving(&mut self, game: &Mensch, state: &State, _: Seat, mv: Move) {
        let mut moves = Moves::default();
        game.moves(state, &mut moves);
        let index = moves.iter().position(|legal| legal == mv);
        self.0.last_mut().expect("a roll came before").1 = index.expect("a legal move");
    }
}

/// Plays games of the engine again on the naive model, roll by roll.
fn check_against_naive(games: u64) {
    let rules = NaiveRules::default();
    let mut bare = random_in_place();
    for block in 0..games {
        let mut script = Script::default();
        let played = bare.game(block, &mut script);
        let mut position = Position::start(&rules, &[0, 1, 2, 3]);
        for &(die, index) in &script.0 {
            let choices: Vec<Choice> = naive_mensch::choices(&rules, &position, die);
            position = naive_mensch::play(&rules, &position, die, choices[index]);
        }
        let winner = (0..4).find(|&seat| played.standing.places[Seat::new(seat)] == 1);
        let won = Next::Won(winner.expect("a winner"));
        assert_eq!(position.next, won, "game {block} of the naive model");
    }
}

/// Checks everything that is about to be timed.
pub fn check() {
    for self_play in SELF_PLAY {
        self_play.check();
    }
    let [rolls, _] = SELF_PLAY[0].totals;
    assert_eq!(random_in_place().play(0..CHECKED), rolls, "random in place");
    assert_eq!(naive(CHECKED), NAIVE_ROLLS, "naive model");
    check_against_naive(10);
    for &(options, position, counts) in mensch_examples::PERFT {
        let rolls = counts.iter().take_while(|&&paths| paths < 60_000).count() as u32;
        let tree = Tree::of((options, position, counts), rolls);
        assert_eq!(tree.walk(), tree.paths, "{position} {options}");
    }
    for tree in [Tree::from_the_start(), Tree::crowded()] {
        assert_eq!(tree.walk(), tree.paths, "paths of {} rolls", tree.rolls);
    }
}

/// Whether `cargo bench` asks for times; `cargo test` asks only whether the bench works.
pub fn is_timed() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}
