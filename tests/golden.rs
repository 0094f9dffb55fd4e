//! Every golden row of every registered game, through the library.

use std::fs;
use std::path::Path;

use racelab::engine::race::Race;
use racelab::engine::results::result_set;
use racelab::experiment::table::TableSpec;
use racelab::games::{NAMES, Visitor, with_game};
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

struct Found<'a>(&'a Row);

impl Visitor for Found<'_> {
    type Answer = Vec<String>;

    fn visit<G: Race>(self) -> Vec<String> {
        let row = self.0;
        let seats = G::seats_of(&row.position).unwrap_or_else(|e| panic!("{}: {e}", row.id));
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
        result_set(&game, &state, &row.dice).unwrap_or_else(|e| panic!("{}: {e}", row.id))
    }
}

#[test]
fn every_golden_row_has_its_result_set() {
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.jsonl"));
        let lines = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut wrong = Vec::new();
        for line in lines.lines() {
            let row: Row = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let found = with_game(&row.game, Found(&row)).expect("a golden game is registered");
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
