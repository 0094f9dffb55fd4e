//! `racelab bots`: which bots come with the program.

use std::io::Write;
use std::process::ExitCode;

use racelab::bots::{Bot, PolicyEntry, SHIPPED, policies};
use racelab::engine::race::Race;
use racelab::games::{NAMES, Visitor};

use super::Failure;
use super::table::visit;
use super::text::paragraph;

/// Letters of a value that is shown.
const LONGEST: usize = 200;

/// List the bots that come with the program, with their parameters
///
/// A bot is a policy with parameters. Your own is a TOML file of the same form,
/// given by its path wherever a bot is named:
///
///     name = "stay-back"
///     policy = "run-home"
///     [params]
///     pick = "rear"
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game to show the parameters for
    #[arg(long, value_name = "GAME", default_value = NAMES[0])]
    game: String,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    visit(&args.game, List(out))
}

struct List<'a>(&'a mut dyn Write);

impl Visitor for List<'_> {
    type Answer = Result<ExitCode, Failure>;

    fn visit<G: Race>(self) -> Self::Answer {
        let policies = policies::<G>();
        for (index, (name, _)) in SHIPPED.iter().enumerate() {
            if index > 0 {
                writeln!(self.0)?;
            }
            let bot = Bot::find(name)?;
            let games = bot.games();
            let policy = policies.iter().find(|policy| policy.name == bot.policy);
            match policy.filter(|_| games.contains(&G::NAME)) {
                Some(policy) => describe(self.0, &bot, policy)?,
                None => writeln!(
                    self.0,
                    "{name}: plays {}, not {}",
                    games.join(", "),
                    G::NAME
                )?,
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn describe<G: Race>(
    out: &mut dyn Write,
    bot: &Bot,
    policy: &PolicyEntry<G>,
) -> Result<(), Failure> {
    writeln!(out, "{}, by the policy {}", bot.name, policy.name)?;
    paragraph(out, 4, policy.about)?;
    paragraph(out, 4, &format!("plays {}", bot.games().join(", ")))?;
    for param in &policy.params {
        let own = bot.params.get(param.name).map(shown);
        let value = match own.filter(|own| *own != param.default) {
            Some(own) => format!("{} = {own} (default {})", param.name, param.default),
            None => format!("{} = {}", param.name, param.default),
        };
        paragraph(out, 4, &value)?;
        paragraph(out, 8, &param.about)?;
    }
    Ok(())
}

/// A value as it is written, or that it is too long to be shown.
fn shown(value: &toml::Value) -> String {
    let text = value.to_string();
    if text.len() > LONGEST {
        "(see the bot file)".to_owned()
    } else {
        text
    }
}
