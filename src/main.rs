//! The `racelab` command: parse, run, print the error, exit code.

mod cli;

use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|panic| cli::note(&internal_error(panic))));
    match panic::catch_unwind(cli::run) {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => failure.report(),
        // The hook has said what happened.
        Err(_) => ExitCode::FAILURE,
    }
}

/// What a panic says to a user: that it is not theirs to solve, and where to look.
fn internal_error(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let place = panic
        .location()
        .map_or_else(String::new, |place| format!(" at {place}"));
    format!("internal error: {what}{place}, please report")
}
