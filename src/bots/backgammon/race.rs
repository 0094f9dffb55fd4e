//! `race`: runs, and bears off and doubles by the tables of the bear-off.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use crate::bots::params::{Number, Text};
use crate::games::backgammon::bearoff::{Bearoff, DatabaseError, Equities, race_win};
use crate::games::backgammon::board::{Board, Side};
use crate::games::backgammon::cube::Chances;
use crate::games::backgammon::cube::wastage::effective_pips;
use crate::games::backgammon::sight::Sight;

use super::odds::{self, Odds};
use super::{Judge, Kind, build, weight};

const SHOTS: Number = weight(
    "shots",
    -0.7,
    "contact: a throw of 36 that hits a lone checker, in pips",
);
const TABLES: Text = Text {
    name: "tables",
    about: "folder of the bear-off tables, read from there or built (1 to 2 s) and written there; empty: built when first needed and kept in memory",
};

/// Fitted to 20,000 games against itself, see [`super::fit::odds`].
const ODDS: Odds = Odds {
    bias: -0.1939,
    slope: 0.0225,
    gammon_bias: -1.7605,
    gammon_slope: 0.013,
};

pub(super) const KIND: Kind = Kind {
    name: "race",
    about: "runs for home by the effective pip count; the bear-off is exact, from tables, and so is the cube there in games for money",
    params: || vec![SHOTS.param(), TABLES.param()],
    odds: ODDS,
    read: |reader| {
        let shots = reader.number(&SHOTS)?;
        let loaded = match reader.text(&TABLES)? {
            "" => None,
            folder => Some(load(folder).map_err(|error| format!("tables: {error}"))?),
        };
        Ok(Box::new(Race { shots, loaded }))
    },
    build: |table| build(table, &KIND),
};

struct Race {
    shots: f64,
    loaded: Option<Bearoff>,
}

/// The tables of the process: one for each folder.
static LOADED: Mutex<BTreeMap<String, Bearoff>> = Mutex::new(BTreeMap::new());
/// And those built in memory.
static BUILT: OnceLock<Bearoff> = OnceLock::new();

fn load(folder: &str) -> Result<Bearoff, DatabaseError> {
    let mut loaded = LOADED
        .lock()
        .expect("no thread fails while it loads tables");
    if let Some(tables) = loaded.get(folder) {
        return Ok(tables.clone());
    }
    let tables = apart(|| Bearoff::load_or_build(Path::new(folder)))?;
    loaded.insert(folder.to_owned(), tables.clone());
    Ok(tables)
}

/// Runs `work`, which uses all threads, in threads of its own.
///
/// A worker that waits for others takes up other work of its pool meanwhile: another game, whose
/// bot would wait for the very tables that its own thread is building.
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new()
        .build()
        .expect("threads can be started");
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| pool.install(work));
        worker.join().expect("tables are built without a fault")
    })
}

impl Race {
    fn tables(&self) -> &Bearoff {
        match &self.loaded {
            Some(tables) => tables,
            None => BUILT.get_or_init(|| apart(Bearoff::build)),
        }
    }

    /// The effective pip count, exact in the home board.
    fn pips(&self, side: Side) -> f64 {
        if side.rear() > 6 {
            return effective_pips(side);
        }
        let exact = self.tables().one_sided.epc(side);
        exact.unwrap_or_else(|| effective_pips(side))
    }

    /// What the two-sided table knows of a board.
    fn equities(&self, board: &Board) -> Option<Equities> {
        if board.mover.rear() > 6 || board.other.rear() > 6 {
            return None;
        }
        self.tables().two_sided.equities(board)
    }

    /// The index of the play that loses least by the two-sided table, if it knows all of them.
    fn exact_play(&self, plays: &[Board]) -> Option<usize> {
        if plays
            .iter()
            .any(|board| board.mover.rear() > 6 || board.other.rear() > 6)
        {
            return None;
        }
        let table = &self.tables().two_sided;
        let mut best = None;
        for (index, board) in plays.iter().enumerate() {
            let theirs = table.equities(&board.swapped())?.cubeless;
            if best.is_none_or(|(_, least)| theirs < least) {
                best = Some((index, theirs));
            }
        }
        best.map(|(index, _)| index)
    }
}

impl Judge for Race {
    fn value(&self, sight: &Sight, board: &Board) -> f64 {
        let (own, theirs) = if sight.is_contact() {
            (effective_pips(board.mover), effective_pips(board.other))
        } else {
            (self.pips(board.mover), self.pips(board.other))
        };
        theirs - own + self.shots * f64::from(sight.shots())
    }

    fn best(&self, before: &Board, plays: &[Board], _evenly: bool) -> usize {
        let exact = if before.is_contact() {
            None
        } else {
            self.exact_play(plays)
        };
        exact.unwrap_or_else(|| self.most_valuable(before, plays))
    }

    fn race(&self, board: &Board) -> Option<Chances> {
        if board.mover.rear() > 6 || board.other.rear() > 6 {
            return None;
        }
        let tables = self.tables();
        let win = match tables.two_sided.equities(board) {
            Some(equities) => 0.5 + 0.5 * equities.cubeless,
            None => race_win(
                &tables.one_sided.dist(board.mover)?,
                &tables.one_sided.dist(board.other)?,
            ),
        };
        Some(odds::without_gammons(win))
    }

    fn exact(&self, board: &Board) -> Option<Equities> {
        self.equities(board)
    }
}
