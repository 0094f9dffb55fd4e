//! Self-play of any game for its bench: the answer first, then games and rolls in a second.
//!
//! `-- --bare CASE GAMES` plays games of the bare loop and prints their rolls, for callgrind to
//! count instructions.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use racelab::bots::Bot;
use racelab::bots::seated::Seated;
use racelab::engine::play::{Blind, Counts, DEFAULT_CAP, Observer, Played, SeededDice, play};
use racelab::engine::race::Race;
use racelab::engine::random::BlockKey;
use racelab::engine::seat::{PerSeat, SeatSet};
use racelab::experiment::record::Record;
use racelab::experiment::runner::{self, Options, Progress, cpu_seconds};
use racelab::experiment::spec::{BotRef, Spec};
use racelab::games::{Visitor, with_table};

/// The seed of everything here; it is also that of a spec that names none.
const SEED: u64 = 1;

/// One bot at all seats of a table.
pub struct Case {
    pub game: &'static str,
    pub preset: &'static str,
    /// Rules that differ from the preset, `option=value`.
    pub rules: &'static [&'static str],
    pub bot: &'static str,
    pub seats: &'static str,
    /// Games behind the totals.
    pub checked: u64,
    /// Rolls and captures of so many games.
    pub totals: [u64; 2],
    /// Games of one sample: enough that the folder of a tournament does not matter.
    pub games: u64,
}

/// What was played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Totals {
    games: u64,
    rolls: u64,
    captures: u64,
}

impl Case {
    fn name(&self) -> String {
        let rules = self.rules.iter().map(|rule| format!(" {rule}"));
        let rules: String = rules.collect();
        let seats = self.seats.len();
        format!(
            "{} {}{rules}, {}, {seats} seats",
            self.game, self.preset, self.bot
        )
    }

    fn set(&self) -> SeatSet {
        self.seats.parse().expect("seats")
    }

    fn spec(&self, games: u64) -> Spec {
        let mut spec = Spec::new(self.game, vec![BotRef::Named(self.bot.to_owned())]);
        self.preset.clone_into(&mut spec.preset);
        let mut table = spec.table();
        for rule in self.rules {
            table.change(rule).expect("option=value");
        }
        spec.rules = table.rules;
        spec.seats = Some(self.set());
        spec.blocks = games; // One bot alone: a block is one game.
        spec.seed = SEED;
        spec
    }

    fn with<V: Visitor>(&self, visitor: V) -> V::Answer {
        with_table(self.game, self.set(), visitor).expect("a game")
    }
}

/// All of a tournament but its tables: schedule, tallies, records on disk.
struct Pipeline<'a>(&'a Case, u64);

impl Visitor for Pipeline<'_> {
    type Answer = Totals;

    fn visit<G: Race>(self) -> Totals {
        let Pipeline(case, games) = self;
        let experiment = case.spec(games).resolve::<G>().expect("a spec");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options {
            threads: 1,
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
}

/// The play loop alone, with the bot behind `dyn` as everywhere, and with or without counting.
struct Bare<'a> {
    case: &'a Case,
    games: u64,
    counts: bool,
}

impl Visitor for Bare<'_> {
    type Answer = Totals;

    fn visit<G: Race>(self) -> Totals {
        let game: G = self.case.spec(1).table().game().expect("a table");
        let bot = Bot::find(self.case.bot).expect("a shipped bot");
        let policy = bot.policy().expect("a bot that plays the game");
        let mut seated = Seated::new(vec![policy], PerSeat::default(), BlockKey::new(SEED, 0));
        let mut totals = Totals::default();
        for block in 0..self.games {
            let mut counts = Counts::default();
            let played = if self.counts {
                one(&game, &mut seated, block, &mut counts)
            } else {
                one(&game, &mut seated, block, &mut Blind)
            };
            totals.games += 1;
            totals.rolls += u64::from(played.rolls);
            let captures = counts.captures.as_array().iter();
            totals.captures += captures.map(|&count| u64::from(count)).sum::<u64>();
        }
        totals
    }
}

fn one<G: Race>(
    game: &G,
    seated: &mut Seated<G>,
    block: u64,
    observer: &mut impl Observer<G>,
) -> Played {
    let key = BlockKey::new(SEED, block);
    seated.sit(PerSeat::default(), key);
    let first = game.seats().iter().next().expect("seats");
    play(
        game,
        game.start(first),
        &mut SeededDice::new(key),
        seated,
        observer,
        &mut G::Moves::default(),
        DEFAULT_CAP,
    )
}

impl Case {
    fn pipeline(&self, games: u64) -> Totals {
        self.with(Pipeline(self, games))
    }

    fn bare(&self, games: u64, counts: bool) -> Totals {
        self.with(Bare {
            case: self,
            games,
            counts,
        })
    }

    fn check(&self) {
        let [rolls, captures] = self.totals;
        let totals = Totals {
            games: self.checked,
            rolls,
            captures,
        };
        assert_eq!(self.bare(self.checked, true), totals, "{}", self.name());
        assert_eq!(
            self.bare(self.checked, false).rolls,
            rolls,
            "{}",
            self.name()
        );
        assert_eq!(self.pipeline(self.checked), totals, "{}", self.name());
    }
}

/// Checks all cases and, if it was asked for, times them.
pub fn main(name: &str, cases: &[Case]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let at = arguments.iter().position(|argument| argument == "--bare");
    if let Some([what, games, ..]) = at.map(|at| &arguments[at + 1..]) {
        let case = cases.iter().find(|case| case.name() == *what);
        let names = || cases.iter().map(Case::name).collect::<Vec<_>>().join("; ");
        let case = case.unwrap_or_else(|| panic!("no case '{what}'; known: {}", names()));
        let games = games.parse().expect("a number of games");
        println!("{}", case.bare(games, false).rolls);
        return;
    }
    for case in cases {
        case.check();
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    table(cases);
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    group(&mut criterion, &format!("{name}/games"), cases, |case| {
        case.pipeline(case.games).games
    });
    group(&mut criterion, &format!("{name}/rolls"), cases, |case| {
        case.bare(case.games, false).rolls
    });
    criterion.final_summary();
}

/// Prints what one core plays in a second of its own time, which a busy machine hardly changes.
fn table(cases: &[Case]) {
    const ROUNDS: usize = 5;
    println!(
        "{:<44} {:>9} {:>9} {:>13}",
        "one core, processor time", "games/s", "Mrolls/s", "bare Mrolls/s"
    );
    for case in cases {
        let mut rates: Vec<[f64; 3]> = Vec::new();
        for _ in 0..ROUNDS {
            let timed = |play: &dyn Fn() -> Totals| {
                let began = cpu_seconds();
                let totals = play();
                (totals, cpu_seconds() - began)
            };
            let (whole, seconds) = timed(&|| case.pipeline(case.games));
            let (bare, bare_seconds) = timed(&|| case.bare(case.games, false));
            rates.push([
                whole.games as f64 / seconds,
                whole.rolls as f64 / seconds,
                bare.rolls as f64 / bare_seconds,
            ]);
        }
        let median = |column: usize| {
            let mut values: Vec<f64> = rates.iter().map(|rates| rates[column]).collect();
            values.sort_by(f64::total_cmp);
            values[ROUNDS / 2]
        };
        println!(
            "{:<44} {:>9.0} {:>9.2} {:>13.2}",
            case.name(),
            median(0),
            median(1) / 1e6,
            median(2) / 1e6
        );
    }
    println!();
}

fn group(criterion: &mut Criterion, name: &str, cases: &[Case], play: impl Fn(&Case) -> u64) {
    let mut group = criterion.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat);
    for case in cases {
        group.throughput(Throughput::Elements(play(case)));
        group.bench_function(BenchmarkId::from_parameter(case.name()), |bencher| {
            bencher.iter(|| play(case));
        });
    }
    group.finish();
}
