//! The `racelab` command.

fn main() {}
