//! `racelab plan`: how many games and minutes a verdict needs.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use racelab::engine::race::Race;
use racelab::engine::seat::SeatSet;
use racelab::experiment::balance::margin::Margin;
use racelab::experiment::balance::spec::{Study, StudySpec};
use racelab::experiment::balance::{plan, run};
use racelab::experiment::spec::BotRef;
use racelab::games::Visitor;

use super::Failure;
use super::table::visit_seats;

/// Tell how many games and minutes a verdict on the seats needs
///
/// For each set of seats: the games of a test of fixed size, the least an
/// always-valid verdict takes, and what is to be expected, if all seats are
/// equal and if one is half a margin off. Minutes come from a short probe of
/// speed with one thread.
#[derive(clap::Args)]
pub struct Args {
    /// Name of the game; `racelab games` lists them
    #[arg(value_name = "GAME")]
    game: String,

    /// Bots, by name or bot file
    #[arg(
        long,
        value_name = "A,B,...",
        value_delimiter = ',',
        default_value = "run-home"
    )]
    bots: Vec<String>,

    /// Sets of seats, e.g. `AB,ABCD` [default: the game's first seat set]
    #[arg(long, value_name = "LETTERS,...", value_delimiter = ',')]
    seats: Vec<SeatSet>,

    /// Rule set [default: default]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// How far from its fair share a seat may be [default: 1pt, with more than
    /// four sides 0.5pt]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    margin: Option<Margin>,

    /// Probability of a wrong verdict, above 0 and at most 0.5
    #[arg(
        long,
        value_name = "P",
        default_value = "0.05",
        allow_negative_numbers = true
    )]
    alpha: f64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut spec = StudySpec::new(&args.game);
    spec.bots = args.bots.iter().cloned().map(BotRef::Named).collect();
    spec.seats.clone_from(&args.seats);
    spec.margin = args.margin;
    spec.alpha = args.alpha;
    (spec.strategy_blocks, spec.luck_blocks) = (0, 0);
    if let Some(preset) = &args.preset {
        spec.preset.clone_from(preset);
    }
    visit_seats(&args.game, spec.most_seats(), Planned { spec, out })
}

struct Planned<'a> {
    spec: StudySpec,
    out: &'a mut dyn Write,
}

impl Visitor for Planned<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let study: Study<G> = self.spec.resolve()?;
        writeln!(
            self.out,
            "Games for each rule set and bot; one game is one block. Minutes for all bots\nwith one thread.\n"
        )?;
        writeln!(
            self.out,
            "{:<9} {:>7} {:>12} {:>12} {:>12} {:>12} {:>8}",
            "seats", "margin", "fixed size", "at least", "if equal", "half a way", "minutes"
        )?;
        for (number, cells) in study.cells.iter().enumerate() {
            let alone = StudySpec {
                seats: vec![cells.seats],
                ..study.spec.clone()
            };
            let rate = run::probe(&alone.resolve::<G>()?, Duration::from_millis(500))?[0];
            let question = study.seat_question(number);
            let (fair, margin, alpha) = (question.fair, question.margin, question.alpha);
            let fixed = plan::fixed_size(fair, margin, alpha, 0.1);
            let least = plan::always_valid(fair, margin, alpha, question.units * question.together);
            let equal = plan::expected(&question, 0.0).unwrap_or(u64::MAX);
            let half = plan::expected(&question, margin / 2.0).unwrap_or(u64::MAX);
            let minutes = equal as f64 * f64::from(question.together) / rate / 60.0;
            let minutes = if minutes < 0.05 {
                "< 0.1".to_owned()
            } else {
                format!("{minutes:.1}")
            };
            writeln!(
                self.out,
                "{:<9} {:>7} {fixed:>12} {least:>12} {equal:>12} {half:>12} {minutes:>8}",
                cells.seats,
                cells.margin.to_string()
            )?;
        }
        writeln!(
            self.out,
            "\nfixed size: two one-sided tests with power 90 %, to be looked at once\n\
             at least: where an always-valid interval, all seats and bots together, is\n\
             as narrow as the margin; if equal: what a verdict takes if all seats are;\n\
             half a way: if one is half the margin off; minutes: those of \"if equal\""
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
