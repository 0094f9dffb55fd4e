//! `racelab rules`: the house rules of a game, its presets and its seats.

use std::io::Write;
use std::process::ExitCode;

use racelab::engine::game::RuleSet;
use racelab::engine::race::Race;
use racelab::experiment::table::TableSpec;
use racelab::games::Visitor;

use super::Failure;
use super::table::visit;
use super::text::paragraph;

/// Show the house rules of a game, its rule sets and its seats
///
/// Each option stands with its values, what it changes and the sentence of the
/// source it rests on. Change one for a single run with `--rule OPTION=VALUE`.
/// Where boards differ, as in `baikal`, the board is drawn.
#[derive(clap::Args)]
pub struct Args {
    /// Name of the game; `racelab games` lists them
    #[arg(value_name = "GAME")]
    game: String,

    /// Also show the value each option has in this rule set
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: String,

    /// Rule that differs from the rule set, e.g. `board=8x12`; may be given
    /// several times [default: none]
    #[arg(long = "rule", value_name = "OPTION=VALUE")]
    rules: Vec<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut spec = TableSpec {
        preset: args.preset.clone(),
        ..TableSpec::of(&args.game)
    };
    spec.change_all(&args.rules)?;
    visit(&args.game, Show { spec, out })
}

struct Show<'a> {
    spec: TableSpec,
    out: &'a mut dyn Write,
}

impl Visitor for Show<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let out = self.out;
        let rules: G::Rules = self.spec.rules::<G>()?;
        let shown = values(&rules)?;
        let defaults = values(&G::Rules::default())?;

        paragraph(out, 0, &format!("{}: {}", G::NAME, G::ABOUT))?;
        let seats: Vec<String> = G::seat_sets().iter().map(ToString::to_string).collect();
        writeln!(out)?;
        paragraph(
            out,
            0,
            &format!("Seats (--seats), the default first: {}", seats.join(", ")),
        )?;

        if let Some(drawing) = rules.drawing() {
            write!(out, "\n{drawing}")?;
        }

        writeln!(out, "\nOptions (--rule OPTION=VALUE), the default first:")?;
        for ((option, default), here) in G::Rules::OPTIONS.iter().zip(&defaults).zip(&shown) {
            let mut values = format!("{} = {}", option.name, option.values.join(" | "));
            if here != default {
                let place = if self.spec.rules.contains_key(option.name) {
                    "here".to_owned()
                } else {
                    format!("in {}", self.spec.preset)
                };
                values = format!("{values}; {place}: {here}");
            }
            paragraph(out, 2, &values)?;
            paragraph(out, 6, option.effect)?;
            paragraph(out, 6, option.source)?;
        }

        writeln!(out, "\nPresets (--preset NAME):")?;
        for preset in G::Rules::presets() {
            paragraph(out, 2, preset.name)?;
            paragraph(out, 6, preset.about)?;
            let rules = values(&preset.rules)?;
            let changes = G::Rules::OPTIONS.iter().zip(defaults.iter().zip(&rules));
            let changes: Vec<String> = changes
                .filter(|(_, (default, here))| default != here)
                .map(|(option, (_, here))| format!("{}={here}", option.name))
                .collect();
            paragraph(out, 6, &changes.join(" "))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The value of each option, in the order of the struct, as `--rule` takes it.
fn values<R: RuleSet>(rules: &R) -> Result<Vec<String>, Failure> {
    let table = toml::Table::try_from(rules).map_err(|error| Failure::Run(error.into()))?;
    let bare = |value: &toml::Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let options = R::OPTIONS.iter();
    Ok(options.map(|option| bare(&table[option.name])).collect())
}
