//! `racelab serve-player`: a bot as an external player of GNU Backgammon.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use racelab::bots::Bot;
use racelab::bots::backgammon::external::{Lines, Player};
use racelab::engine::game::Game;
use racelab::engine::notation::io_reason;
use racelab::experiment::table::TableSpec;
use racelab::games::backgammon::Backgammon;

use super::{Failure, note, whole};

/// Let other programs play against a bot
///
/// Listens on a port of this machine and answers the questions of GNU Backgammon
/// about its player: `set player 0 external localhost:PORT` there. One connection
/// after another is served, until Ctrl-C.
#[derive(clap::Args)]
pub struct Args {
    /// Game
    #[arg(long, value_name = "NAME", default_value = Backgammon::NAME)]
    game: String,

    /// Bot, by name or bot file; `racelab bots` lists those that come along
    #[arg(long, value_name = "NAME")]
    bot: String,

    /// Port, 1 to 65535; 0 takes a free one
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true,
          value_parser = whole(0..=65_535))]
    port: u64,

    /// Rule that differs from the default and that no question tells, e.g.
    /// `jacoby=false`; may be given several times
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,

    /// Seed of the bot, 0 to 2^64-1
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole(0..=u64::MAX))]
    seed: u64,
}

/// How long an accept or a read waits before it looks whether to stop.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a client may take to read an answer.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut player = args.player()?;
    let failed = |error: io::Error| {
        Failure::Run(anyhow::anyhow!("port {}: {}", args.port, io_reason(&error)))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port as u16)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let stop = stop_on_signal()?;
    note(&format!(
        "{} plays on localhost:{port}; Ctrl-C ends it",
        args.bot
    ));
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            // Whatever a client does, the next one is served.
            Ok((stream, _)) => {
                if let Err(error) = serve(stream, &mut player, &stop) {
                    note(&format!("a client is gone: {}", io_reason(&error)));
                }
            }
            Err(_) => sleep(PAUSE),
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn player(&self) -> Result<Player, Failure> {
        if self.game != Backgammon::NAME {
            let what = format!(
                "'{}' has no external players; expected {}",
                self.game,
                Backgammon::NAME
            );
            return Err(Failure::input("game", what));
        }
        let mut table = TableSpec::of(&self.game);
        table.change_all(&self.rules)?;
        let game: Backgammon = table.game()?;
        let policy = Bot::find(&self.bot)?.policy()?;
        Ok(Player::new(policy, game.rules().clone(), self.seed))
    }
}

/// A flag that Ctrl-C and SIGTERM set.
fn stop_on_signal() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = move || set.store(true, Ordering::Relaxed);
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Run(anyhow::anyhow!("Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Answers the lines of one client until it goes or we stop.
fn serve(mut stream: TcpStream, player: &mut Player, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PAUSE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = Lines::default();
    let mut buffer = [0; 4096];
    while !stop.load(Ordering::Relaxed) {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => lines.add(&buffer[..count]),
            Err(error) if is_pause(&error) => continue,
            Err(error) => return Err(error),
        }
        loop {
            match lines.next_line() {
                Ok(None) => break,
                Ok(Some(line)) => {
                    let answer = player.reply(&line) + "\n";
                    stream.write_all(answer.as_bytes())?;
                }
                Err(error) => return stream.write_all(format!("Error: {error}\n").as_bytes()),
            }
        }
    }
    Ok(())
}

fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}
