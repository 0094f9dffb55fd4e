//! The program at the other end: started, connected to, asked and ended.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::bots::backgammon::external::{Lines, TooLong};
use crate::engine::notation::io_reason;

/// Which program, and how it is reached.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The program; empty for one that listens already.
    pub(super) command: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// The port it shall listen on; 0 for a free one.
    pub(super) port: u16,
    /// How long its start and each answer may take.
    pub(super) timeout: Duration,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(
        "'{command}' cannot be started: {reason}; expected GNU Backgammon, e.g. by command = \"/usr/games/gnubg\""
    )]
    Start { command: String, reason: String },
    #[error("'{command}' ended at its start: {status}")]
    Ended { command: String, status: ExitStatus },
    #[error("nobody listens on port {port} after {seconds} s")]
    Deaf { port: u16, seconds: u64 },
    #[error("no answer after {seconds} s")]
    Slow { seconds: u64 },
    #[error("the connection is closed")]
    Closed,
    #[error("the connection is broken: {}", io_reason(.0))]
    Broken(io::Error),
    #[error("the answer is {0}")]
    Endless(#[from] TooLong),
}

/// A program that listens, and the connection to it.
pub(super) struct Link {
    stream: TcpStream,
    lines: Lines,
    timeout: Duration,
    /// Dropped after the connection.
    _program: Option<Program>,
}

impl Link {
    /// Starts the program, which reads `commands` and the one to listen, and connects to it.
    pub(super) fn new(place: &Place, commands: &str) -> Result<Link, Trouble> {
        let until = Instant::now() + place.timeout;
        let port = match place.port {
            0 => free_port().map_err(Trouble::Broken)?,
            port => port,
        };
        let mut program = if place.command.is_empty() {
            None
        } else {
            let commands = format!("{commands}external localhost:{port}");
            Some(Program::start(place, &commands)?)
        };
        loop {
            if let Some(stream) = connect(port) {
                return Ok(Link {
                    stream,
                    lines: Lines::default(),
                    timeout: place.timeout,
                    _program: program,
                });
            }
            if let Some(program) = &mut program {
                program.check(&place.command)?;
            }
            if Instant::now() >= until {
                let seconds = place.timeout.as_secs();
                return Err(Trouble::Deaf { port, seconds });
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// The line that answers a line.
    pub(super) fn ask(&mut self, question: &str) -> Result<String, Trouble> {
        let until = Instant::now() + self.timeout;
        let sent = self.stream.write_all(format!("{question}\n").as_bytes());
        sent.map_err(|error| self.trouble(error))?;
        let mut buffer = [0; 1024];
        loop {
            if let Some(line) = self.lines.next_line()? {
                return Ok(line);
            }
            let left = until.saturating_duration_since(Instant::now());
            // A timeout of zero would be none.
            let left = left.max(Duration::from_millis(1));
            let read = self.stream.set_read_timeout(Some(left));
            match read.and_then(|()| self.stream.read(&mut buffer)) {
                Ok(0) => return Err(Trouble::Closed),
                Ok(count) => self.lines.add(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.trouble(error)),
            }
        }
    }

    fn trouble(&self, error: io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Trouble::Slow {
                seconds: self.timeout.as_secs(),
            },
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Trouble::Closed,
            _ => Trouble::Broken(error),
        }
    }
}

/// A port nobody listens on.
fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// A connection to this port of this machine, if somebody listens there.
fn connect(port: u16) -> Option<TcpStream> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    // While nobody listens, a connection may get the very port it looks for as its own.
    let is_itself = stream.local_addr().ok() == Some(address);
    let ready = stream.set_nodelay(true);
    (!is_itself && ready.is_ok()).then_some(stream)
}

/// Runs the program with its commands as input, and beside it a watcher that ends it when our end
/// of the pipe is closed: by [`Program::drop`], or because we are gone, however that came about.
/// Debian keeps the program where not every PATH leads.
const SCRIPT: &str = r#"PATH=$PATH:/usr/games
exec 3<&0
(cat <&3 >/dev/null; kill $$) 2>/dev/null &
exec 3<&-
exec "$@" <<END
$RACELAB_COMMANDS
END
"#;

/// A running program.
struct Program(Child);

impl Program {
    fn start(place: &Place, commands: &str) -> Result<Program, Trouble> {
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "sh", &place.command])
            .args(&place.args)
            .env("RACELAB_COMMANDS", commands)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for us: the game at hand is played to its end.
            .process_group(0)
            .spawn();
        child.map(Program).map_err(|error| Trouble::Start {
            command: place.command.clone(),
            reason: io_reason(&error),
        })
    }

    /// Whether it still runs.
    fn check(&mut self, command: &str) -> Result<(), Trouble> {
        let command = command.to_owned();
        match self.0.try_wait() {
            Ok(None) | Err(_) => Ok(()),
            // As shells say it.
            Ok(Some(status)) if matches!(status.code(), Some(126 | 127)) => Err(Trouble::Start {
                command,
                reason: "no such program".to_owned(),
            }),
            Ok(Some(status)) => Err(Trouble::Ended { command, status }),
        }
    }
}

impl Drop for Program {
    /// Ends it by its watcher; if that takes long, by force.
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        for _ in 0..100 {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
