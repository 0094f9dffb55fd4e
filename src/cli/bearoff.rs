//! `racelab exact backgammon-bearoff`: the bear-off databases and what they say of a position.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use racelab::games::backgammon::bearoff::{
    CubeState, Database, DatabaseError, Equities, Index, OneSided, TwoSided, build, bytes,
    file_name, load_or_build, race_win,
};
use racelab::games::backgammon::board::{Board, CHECKERS, OFF, Side};
use racelab::games::backgammon::notation::convert::{Content, read};
use racelab::games::backgammon::notation::position_id;
use racelab::report::text::fixed;

use super::{Failure, note, whole};

/// The name of the command, which errors about database files give too.
pub const NAME: &str = "backgammon-bearoff";

/// Backgammon: how many rolls a bear-off takes, and money equities with the cube
///
/// Builds two databases, or reads them from the folder of --out: how many rolls
/// one side needs with up to 15 checkers on its last points, and the exact
/// equities when both sides have at most 6 checkers left, all at home. Then says
/// what they hold about a position, or about a few well-known ones.
///
/// Equities are those of the player on roll for money, in units of the cube; rolls
/// are the mean under the play that needs the fewest; EPC is the effective pip
/// count, 49/6 pips for each of these rolls.
#[derive(clap::Args)]
pub struct Args {
    /// Points of the one-sided database, 1 to 10; 6 are the home board. Those of 7
    /// and 8 take seconds, more takes minutes and gigabytes
    #[arg(long, value_name = "N", default_value = "6", allow_negative_numbers = true,
          value_parser = whole(1..=10))]
    points: u64,

    /// Folder to read the databases from; those missing are built and written
    /// there [default: built in memory]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Position to look up: a Position ID, XGID or `board:` line; may be given
    /// several times
    #[arg(long = "position", value_name = "TEXT")]
    positions: Vec<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let boards: Vec<Board> = args
        .positions
        .iter()
        .map(|text| board(text))
        .collect::<Result<_, _>>()?;
    let index = Index::new(CHECKERS, args.points as u8)
        .map_err(|error| Failure::input("--points", error))?;
    let folder = args.out.as_deref();
    let one_sided: OneSided = database(folder, index, out)?;
    let two_sided: TwoSided = database(folder, Index::LAST_SIX, out)?;
    if boards.is_empty() {
        return well_known(&one_sided, &two_sided, out);
    }
    for board in boards {
        let answer = Answer::of(&board, &one_sided, &two_sided).ok_or_else(|| {
            let id = position_id::write(&board);
            let what = format!(
                "{id} is not in the table; expected all checkers of both sides on their last {} \
                 points, and some left on each",
                args.points
            );
            Failure::input("--position", what)
        })?;
        answer.print(out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn board(text: &str) -> Result<Board, Failure> {
    let no_match = |_: &Board, _: [u8; 2]| Vec::new();
    match read(text, no_match) {
        Ok(Content::Position(position)) => Ok(position.board),
        Ok(Content::Match(_)) => Err(Failure::input(
            "--position",
            "a match; expected one position",
        )),
        Err(error) => Err(Failure::input("--position", error)),
    }
}

/// A database, and a line about it.
fn database<D: Database>(
    folder: Option<&Path>,
    index: Index,
    out: &mut dyn Write,
) -> Result<D, Failure> {
    let failed = |error: DatabaseError| match error {
        DatabaseError::TooLarge { .. } => Failure::Input(error.into()),
        _ => Failure::Run(error.into()),
    };
    let name = file_name::<D>(index);
    let database: D = match folder {
        None => build(index).map_err(failed)?,
        Some(folder) => {
            let path = folder.join(&name);
            let what = if path.exists() {
                "read"
            } else {
                "built and written"
            };
            let database = load_or_build(folder, index).map_err(failed)?;
            note(&format!("{}: {what}", path.display()));
            database
        }
    };
    let bytes = bytes(&database);
    let checksum = blake3::hash(&bytes).to_hex();
    let (positions, size) = (index.len(), bytes.len());
    writeln!(
        out,
        "{name:28} {positions:>7} positions of a side {size:>9} bytes  {}",
        &checksum[..16]
    )?;
    Ok(database)
}

/// What the databases say of a position.
struct Answer {
    board: Board,
    /// Mean rolls of the player on roll and of the other, and their effective pip counts.
    rolls: [f64; 2],
    epc: [f64; 2],
    /// The chance of the player on roll when both play for the fewest rolls.
    win: f64,
    equities: Option<Equities>,
}

impl Answer {
    /// The answer; none outside the one-sided table and when a side is done.
    fn of(board: &Board, one_sided: &OneSided, two_sided: &TwoSided) -> Option<Answer> {
        let sides = [board.mover, board.other];
        if sides.iter().any(|side| side.left() == 0) {
            return None;
        }
        let mover = one_sided.dist(board.mover)?;
        let other = one_sided.dist(board.other)?;
        let both = |of: fn(&OneSided, Side) -> Option<f64>| {
            Some([of(one_sided, sides[0])?, of(one_sided, sides[1])?])
        };
        Some(Answer {
            board: *board,
            rolls: both(OneSided::mean)?,
            epc: both(OneSided::epc)?,
            win: race_win(&mover, &other),
            equities: two_sided.equities(board),
        })
    }

    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "\n{}", position_id::write(&self.board))?;
        let sides = [("on roll", self.board.mover), ("waiting", self.board.other)];
        for (index, (who, side)) in sides.into_iter().enumerate() {
            writeln!(
                out,
                "{who}  {:3} pips  {:9.6} rolls  EPC {:9.5}  {}",
                side.pips(),
                self.rolls[index],
                self.epc[index],
                points(side)
            )?;
        }
        writeln!(out, "race     {:.6} won by the player on roll", self.win)?;
        let Some(equities) = self.equities else {
            return writeln!(
                out,
                "equities are known for 1 to 6 checkers a side in the home board only"
            );
        };
        writeln!(
            out,
            "cube            no double  double, take  double, pass  best"
        )?;
        writeln!(out, "none           {:>10}", fixed(equities.cubeless, 6))?;
        for (name, cube) in [
            ("in the middle", CubeState::Centred),
            ("player on roll", CubeState::Owned),
        ] {
            writeln!(
                out,
                "{name:14} {:>10}    {:>10}      1.000000  {}",
                fixed(equities.no_double(cube), 6),
                fixed(equities.double_take(), 6),
                action(&equities, cube)
            )?;
        }
        writeln!(
            out,
            "other player   {:>10}",
            fixed(equities.opponent_owns, 6)
        )
    }
}

/// What both sides should do, as players say it.
fn action(equities: &Equities, cube: CubeState) -> &'static str {
    match (equities.doubles(cube), equities.takes()) {
        (true, true) => "double, take",
        (true, false) => "double, pass",
        (false, true) => "no double, take",
        (false, false) => "no double, pass",
    }
}

/// `6:5 5:5`: the points with checkers, the furthest first.
fn points(side: Side) -> String {
    let points = (OFF + 1..=side.rear()).rev();
    let held = points.filter(|&point| side.count(point) > 0);
    let texts: Vec<String> = held
        .map(|point| format!("{point}:{}", side.count(point)))
        .collect();
    texts.join(" ")
}

/// Checkers on the points 1 to 6 of the player on roll and of the other.
const WELL_KNOWN: [[[u8; 6]; 2]; 10] = [
    // Everything on one point: the least and the most rolls at home.
    [[15, 0, 0, 0, 0, 0]; 2],
    [[0, 0, 0, 0, 0, 15]; 2],
    // As bear-offs begin.
    [[0, 0, 0, 5, 5, 5]; 2],
    [[0, 0, 3, 4, 4, 4]; 2],
    // Two checkers against one on the ace: it is this roll or never.
    [[1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0]],
    [[0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]],
    [[1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0]],
    // Rolls against rolls: three and five checkers on the ace points.
    [[3, 0, 0, 0, 0, 0]; 2],
    [[5, 0, 0, 0, 0, 0]; 2],
    // The last six on the six points.
    [[0, 0, 0, 0, 0, 6]; 2],
];

/// A table of well-known positions.
fn well_known(
    one_sided: &OneSided,
    two_sided: &TwoSided,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    writeln!(
        out,
        "\nposition        on roll          waiting     rolls     EPC  no double  double, take  \
         best"
    )?;
    for sides in WELL_KNOWN {
        let [mover, other] = sides.map(|home| {
            let mut counts = [0; 26];
            counts[1..=6].copy_from_slice(&home);
            counts[0] = CHECKERS - home.iter().sum::<u8>();
            Side::from_counts(&counts)
        });
        let board = Board { mover, other };
        // On fewer points than six some are not in the table.
        let Some(answer) = Answer::of(&board, one_sided, two_sided) else {
            continue;
        };
        write!(
            out,
            "{}  {:15}  {:8} {:8.4} {:7.3}",
            position_id::write(&board),
            points(mover),
            if mover == other {
                "the same".to_owned()
            } else {
                points(other)
            },
            answer.rolls[0],
            answer.epc[0]
        )?;
        if let Some(equities) = answer.equities {
            write!(
                out,
                "  {:>9}  {:>12}  {}",
                fixed(equities.centred, 6),
                fixed(equities.double_take(), 6),
                action(&equities, CubeState::Centred)
            )?;
        }
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
