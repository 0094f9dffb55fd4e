//! `racelab games`: which games there are.

use std::io::Write;
use std::process::ExitCode;

use racelab::engine::race::Race;
use racelab::games::{NAMES, Visitor};

use super::Failure;
use super::table::visit;

/// List the games, one line each
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let width = NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in NAMES {
        writeln!(out, "{name:width$}  {}", visit(name, About)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct About;

impl Visitor for About {
    type Answer = Result<&'static str, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        Ok(G::ABOUT)
    }
}
