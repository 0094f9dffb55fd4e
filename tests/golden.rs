//! Every golden row of every registered game, through the library.

use std::fs;
use std::path::Path;

use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::table::TableSpec;
use racelab::games::{NAMES, Visitor, with_game, with_table};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    game: String,
    rules: toml::Table,
    position: String,
    dice: Vec<i64>,
    results: Vec<String>,
}

/// The seats of a row.
struct Seats<'a>(&'a Row);

impl Visitor for Seats<'_> {
    type Answer = SeatSet;

    fn visit<G: Race>(self) -> SeatSet {
        G::seats_of(&self.0.position).unwrap_or_else(|e| panic!("{}: {e}", self.0.id))
    }
}

struct Found<'a>(&'a Row, SeatSet);

impl Visitor for Found<'_> {
    type Answer = Vec<String>;

    fn visit<G: Race>(self) -> Vec<String> {
        let Found(row, seats) = self;
        let table = TableSpec {
            seats: Some(seats),
            rules: row.rules.clone(),
            ..TableSpec::of(&row.game)
        };
        let game: G = table.game().unwrap_or_else(|e| panic!("{}: {e}", row.id));
        let state = game.parse(&row.position);
        let state = state.unwrap_or_else(|e| panic!("{}: {e}", row.id));
        assert_eq!(
            game.print(&state),
            row.position,
            "{}: canonical text",
            row.id
        );
        game.result_set(&state, &row.dice)
            .unwrap_or_else(|e| panic!("{}: {e}", row.id))
    }
}

#[test]
fn every_golden_row_has_its_result_set() {
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.jsonl"));
        // The rows of backgammon are other programs' tables, see below.
        if *name == "backgammon" {
            continue;
        }
        let lines = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut wrong = Vec::new();
        for line in lines.lines() {
            let row: Row = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let seats = with_game(&row.game, Seats(&row)).expect("a golden game is registered");
            let found = with_table(&row.game, seats, Found(&row, seats)).expect("registered");
            if found != row.results {
                wrong.push(format!(
                    "{}: {found:?}\n  expected {:?}",
                    row.id, row.results
                ));
            }
        }
        assert!(
            lines.lines().count() >= 100,
            "{name}: {}",
            lines.lines().count()
        );
        assert!(
            wrong.is_empty(),
            "{} rows differ:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// The tables of GNU Backgammon: Position ID, dice and the boards after every play.
#[test]
fn every_backgammon_row_has_its_result_set() {
    for table in ["movegen_selfplay.tsv", "movegen_stress.tsv"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/backgammon");
        let text = fs::read_to_string(path.join(table)).expect("a table");
        let mut lines = text.lines();
        let head = lines
            .next()
            .expect("a header")
            .trim_start_matches(['#', ' ']);
        let column = |name| {
            head.split('\t')
                .position(|head| head.trim() == name)
                .expect("a column")
        };
        let (position, dice, results) = (column("position_id"), column("dice"), column("results"));
        let mut rows = 0;
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            let row = Row {
                id: cells[0].to_owned(),
                game: "backgammon".to_owned(),
                rules: toml::Table::new(),
                position: cells[position].to_owned(),
                dice: cells[dice]
                    .bytes()
                    .map(|face| i64::from(face - b'0'))
                    .collect(),
                results: Vec::new(),
            };
            let mut expected: Vec<&str> = cells[results].split_whitespace().collect();
            expected.sort_unstable();
            let game: racelab::games::backgammon::Backgammon =
                TableSpec::of(&row.game).game().expect("a table");
            let state = racelab::engine::game::Game::parse(&game, &row.position).expect(&row.id);
            let found = racelab::engine::game::Game::result_set(&game, &state, &row.dice);
            assert_eq!(found.expect("two dice"), expected, "{table} {}", row.id);
            rows += 1;
        }
        assert!(rows > 1000, "{table}: {rows} rows");
    }
}
