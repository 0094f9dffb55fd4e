//! `racelab perft`: how many paths of play there are.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use racelab::engine::game::Turn;
use racelab::engine::perft::{self, perft_counted};
use racelab::engine::race::Race;
use racelab::games::Visitor;

use super::table::TableArgs;
use super::{Failure, note, whole};

/// The largest depth: what no count of any game passes 64 bits at.
const DEEPEST: u64 = 16;

/// Count the paths of play from a position, roll by roll
///
/// Each line is a number of rolls and the number of ways to play that many:
/// every roll once and every legal move. A finished game ends its path and
/// counts only at its own depth. The speed goes to stderr.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Position to count from, as `racelab trace` prints them [default: the
    /// start, first seat to roll]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,

    /// Rolls to count to, 1 to 16
    #[arg(long, value_name = "N", default_value = "6", allow_negative_numbers = true,
          value_parser = whole(1..=DEEPEST))]
    depth: u64,

    /// Count each roll as often as it falls: of two dice each of the 36 pairs
    #[arg(long)]
    weighted: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    args.table
        .visit(args.position.as_deref(), Count { args, out })
}

struct Count<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Count<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let table = &self.args.table;
        let (game, state) = if let Some(text) = &self.args.position {
            table.game_and_position::<G>(text)?
        } else {
            let game: G = table.game()?;
            let first = game.seats().iter().next().expect("a table has seats");
            let start = game.start(first);
            (game, start)
        };
        if game.turn(&state) == Turn::Over {
            return Err(Failure::input(
                "position",
                "the game is over; expected a position that awaits a roll",
            ));
        }
        let how = if self.args.weighted {
            perft::Count::Weights
        } else {
            perft::Count::Rolls
        };
        for depth in 1..=self.args.depth as u32 {
            let started = Instant::now();
            let count = perft_counted(&game, &state, depth, how);
            let seconds = started.elapsed().as_secs_f64();
            writeln!(self.out, "{depth:<2} {count:>20}")?;
            self.out.flush()?;
            if depth == self.args.depth as u32 {
                let speed = count as f64 / seconds / 1e6;
                note(&format!(
                    "depth {depth} in {seconds:.3} s, {speed:.1} million nodes/s"
                ));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
