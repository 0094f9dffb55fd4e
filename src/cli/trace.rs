//! `racelab trace`: one game, roll by roll.

use std::io::{self, Write};
use std::process::ExitCode;

use racelab::bots::seated::Seated;
use racelab::bots::{Bot, Policy};
use racelab::engine::game::{Effect, Game, MoveSet};
use racelab::engine::play::{Counts, DEFAULT_CAP, Observer, Played, SeededDice, play};
use racelab::engine::race::Race;
use racelab::engine::random::BlockKey;
use racelab::engine::seat::{PerSeat, Seat, SeatSet};
use racelab::games::Visitor;

use super::table::TableArgs;
use super::text::paragraph;
use super::{Failure, whole};

/// Play one game and print it roll by roll
///
/// Each roll shows its number, the seat, the bot, the roll and the move, why
/// nothing could move if nothing could, and the position that awaits the next
/// roll. The same seed and block give the same game every time.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Bots in the order of the seats, or one for all; `racelab bots` lists them
    #[arg(
        long,
        value_name = "A,B,...",
        value_delimiter = ',',
        default_value = "random"
    )]
    bots: Vec<String>,

    /// Seed of the dice and of the bots, 0 to 2^64-1
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    seed: u64,

    /// Block of the seed, 0 to 2^64-1: each is another game
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    block: u64,

    /// Rolls after which the game is stopped, 1 to 1000000
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole(1..=DEFAULT_CAP.into()))]
    max_rolls: u64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    args.table.visit(None, Show { args, out })
}

struct Show<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Show<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let game: G = self.args.table.game()?;
        let block = BlockKey::new(self.args.seed, self.args.block);
        let (names, mut bots) = seat_bots(&self.args.bots, &game, block)?;
        let mut trace = Trace::new(self.out, names);
        let first = game.seats().iter().next().expect("a table has seats");
        let played = play(
            &game,
            game.start(first),
            &mut SeededDice::new(block),
            &mut bots,
            &mut trace,
            &mut G::Moves::default(),
            self.args.max_rolls as u32,
        );
        if let Some((_, reason)) = bots.failure() {
            return Err(Failure::Run(anyhow::anyhow!("bots: {reason}")));
        }
        trace.end(game.seats(), &played)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The bots of these names at the seats of a game: the name at each seat, and who chooses there.
fn seat_bots<G: Race>(
    names: &[String],
    game: &G,
    block: BlockKey,
) -> Result<(PerSeat<String>, Seated<G>), Failure> {
    let seats = game.seats();
    if names.len() != 1 && names.len() != seats.len() {
        return Err(Failure::input(
            "bots",
            format!(
                "{} bots for the {} seats {seats}; expected one for each seat or one for all",
                names.len(),
                seats.len()
            ),
        ));
    }
    let mut bots = Vec::new();
    let mut policies: Vec<Box<dyn Policy<G>>> = Vec::new();
    for name in names {
        let bot = Bot::find(name)?;
        policies.push(bot.policy()?);
        bots.push(bot.name);
    }
    let mut at = PerSeat::from_fn(|_| 0);
    for (index, seat) in seats.iter().enumerate() {
        at[seat] = index.min(bots.len() - 1);
    }
    let name = |seat| {
        if seats.contains(seat) {
            bots[at[seat]].clone()
        } else {
            String::new()
        }
    };
    Ok((PerSeat::from_fn(name), Seated::new(policies, at, block)))
}

/// Prints a game as it is played.
struct Trace<'a> {
    out: &'a mut dyn Write,
    bots: PerSeat<String>,
    /// The width of the longest bot name.
    width: usize,
    rolls: u32,
    /// The roll, until its first move is printed.
    roll: Option<String>,
    /// What stands before the next move: number, seat, bot and roll, the first time only.
    head: String,
    /// The move about to be played, and why nothing moves.
    move_text: String,
    why_nothing: String,
    counts: Counts,
    /// The first error of writing; after it nothing is written.
    written: io::Result<()>,
}

impl<'a> Trace<'a> {
    fn new(out: &'a mut dyn Write, bots: PerSeat<String>) -> Trace<'a> {
        let widths = bots.as_array().iter().map(|name| name.chars().count());
        Trace {
            out,
            width: widths.max().unwrap_or(0),
            bots,
            rolls: 0,
            roll: None,
            head: String::new(),
            move_text: String::new(),
            why_nothing: String::new(),
            counts: Counts::default(),
            written: Ok(()),
        }
    }

    fn write(&mut self, position: &str) -> io::Result<()> {
        writeln!(self.out, "{} {}", self.head, self.move_text)?;
        paragraph(self.out, 4, &self.why_nothing)?;
        writeln!(self.out, "    {position}")
    }

    /// The places with their ties, and the counts.
    fn end(self, seats: SeatSet, played: &Played) -> io::Result<()> {
        self.written?;
        let out = self.out;
        if played.capped {
            writeln!(out, "\nstopped after {} rolls, as it stands:", played.rolls)?;
        } else {
            writeln!(out, "\nfinished after {} rolls:", played.rolls)?;
        }
        for place in 1..=seats.len() as u8 {
            let here = seats
                .iter()
                .filter(|&seat| played.standing.places[seat] == place);
            let names: Vec<String> = here
                .map(|seat| format!("{seat} {}", self.bots[seat]))
                .collect();
            if !names.is_empty() {
                writeln!(out, "  place {place}: {}", names.join(", "))?;
            }
        }
        let counts = &self.counts;
        writeln!(
            out,
            "turns {}, rolls that moved nothing {}, choices {}",
            counts.turns(),
            counts.idle(),
            counts.choices
        )?;
        let list = |count: &PerSeat<u32>| {
            let each = seats.iter().map(|seat| format!("{seat} {}", count[seat]));
            each.collect::<Vec<_>>().join(", ")
        };
        writeln!(out, "captures made {}", list(&counts.captures))?;
        writeln!(out, "captures suffered {}", list(&counts.suffered))
    }
}

impl<G: Game> Observer<G> for Trace<'_> {
    fn rolled(&mut self, game: &G, _: &G::State, _: Seat, roll: G::Roll) {
        self.rolls += 1;
        self.roll = Some(game.roll_text(roll));
    }

    fn choosing(&mut self, game: &G, state: &G::State, seat: Seat, moves: &G::Moves) {
        Observer::<G>::choosing(&mut self.counts, game, state, seat, moves);
    }

    fn moving(&mut self, game: &G, state: &G::State, seat: Seat, mv: G::Move) {
        // Who plays a roll need not be who threw it: in backgammon both throw for the first play.
        if let Some(roll) = self.roll.take() {
            let (rolls, bot, width) = (self.rolls, &self.bots[seat], self.width);
            self.head = format!("{rolls:>4} {seat} {bot:width$} {roll}");
        }
        self.move_text = game.move_text(state, mv);
        self.why_nothing.clear();
        if game.preview(state, mv).passed {
            let mut moves = G::Moves::default();
            game.moves(state, &mut moves);
            let can_move = moves.iter().any(|mv| !game.preview(state, mv).passed);
            // With more than one way to move nothing, this one was chosen.
            self.why_nothing = if can_move || moves.len() > 1 && moves.get(0) != mv {
                "declined".to_owned()
            } else {
                game.why_no_move(state)
            };
        }
    }

    fn moved(&mut self, game: &G, state: &G::State, seat: Seat, effect: &Effect) {
        Observer::<G>::moved(&mut self.counts, game, state, seat, effect);
        if self.written.is_ok() {
            self.written = self.write(&game.print(state));
        }
        // A second move of the same roll stands below the first.
        self.head = " ".repeat(self.head.chars().count());
    }
}
