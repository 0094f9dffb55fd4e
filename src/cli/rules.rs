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
#[derive(clap::Args)]
pub struct Args {
    /// Name of the game; `racelab games` lists them
    #[arg(value_name = "GAME")]
    game: String,

    /// Also show the value each option has in this rule set
    #[arg(long, value_name = "NAME", default_value = "default")]
    preset: String,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let preset = &args.preset;
    visit(&args.game, Show { preset, out })
}

struct Show<'a> {
    preset: &'a str,
    out: &'a mut dyn Write,
}

impl Visitor for Show<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let out = self.out;
        let shown: G::Rules = TableSpec {
            preset: self.preset.to_owned(),
            ..TableSpec::of(G::NAME)
        }
        .rules::<G>()?;
        let shown = values(&shown)?;
        let defaults = values(&G::Rules::default())?;

        paragraph(out, 0, &format!("{}: {}", G::NAME, G::ABOUT))?;
        let seats: Vec<String> = G::seat_sets().iter().map(ToString::to_string).collect();
        writeln!(out)?;
        paragraph(
            out,
            0,
            &format!("Seats (--seats), the default first: {}", seats.join(", ")),
        )?;

        writeln!(out, "\nOptions (--rule OPTION=VALUE), the default first:")?;
        for ((option, default), here) in G::Rules::OPTIONS.iter().zip(&defaults).zip(&shown) {
            let mut values = format!("{} = {}", option.name, option.values.join(" | "));
            if here != default {
                values = format!("{values}; in {}: {here}", self.preset);
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
