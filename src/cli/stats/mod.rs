//! `racelab stats`: the statistics of the project from numbers anybody has.

mod duel;
pub mod input;
mod many;
pub mod rankings;
pub mod report;
mod shares;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use super::Failure;

/// Compute a statistical test from counts: intervals, Elo, sequential tests, ratings
///
/// The counts stand on the command line or in a CSV file with a header. Every
/// number is printed with what it is and what it may be used for. Where the data
/// decide nothing the verdict is UNDECIDED.
///
///     racelab stats wld 136 96 111
///     racelab stats blocks 4148 9718 5138 932 64 --format json
///     racelab stats rankings --csv games.csv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    test: Test,
}

#[derive(Subcommand)]
#[command(
    subcommand_value_name = "TEST",
    subcommand_help_heading = "Tests",
    disable_help_subcommand = true
)]
enum Test {
    Wld(duel::Wld),
    Penta(duel::Penta),
    Blocks(duel::Blocks),
    Seats(shares::Seats),
    Proportion(shares::Proportion),
    Compare(shares::Compare),
    Rankings(rankings::Args),
    PValues(many::PValues),
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let (report, output) = match &args.test {
        Test::Wld(args) => (args.report()?, &args.output),
        Test::Penta(args) => (args.report()?, &args.output),
        Test::Blocks(args) => (args.report()?, &args.output),
        Test::Seats(args) => (args.report()?, &args.output),
        Test::Proportion(args) => (args.report()?, &args.output),
        Test::Compare(args) => (args.report()?, &args.output),
        Test::Rankings(args) => (args.report()?, &args.output),
        Test::PValues(args) => (args.report()?, &args.output),
    };
    report.write(output.format, out)?;
    Ok(ExitCode::SUCCESS)
}
