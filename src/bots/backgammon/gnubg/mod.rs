//! `gnubg`: GNU Backgammon, asked over a local connection ([`super::external`]).
//!
//! Each worker thread has a program of its own, started at its first decision with the rules of
//! the table. A program that ends or does not answer in time is started again once for the same
//! decision; if that does not help, or the answer is no legal move, the policy has failed
//! ([`Policy::failed`]).

mod link;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::bots::params::{Reader, Whole, Word, Words};
use crate::bots::{Policy, PolicyEntry, View};
use crate::engine::game::Game;
use crate::engine::random::Stream;
use crate::games::backgammon::{Backgammon, Beavers, Rules, Setup};

use super::external::{choice, question};
use link::{Link, Place, Trouble};

const COMMAND: Word = Word {
    name: "command",
    default: "gnubg",
    about: "the program; \"\" for one that listens on `port` already",
};
const ARGS: Words = Words {
    name: "args",
    default: &["-t", "-q", "-r"],
    about: "its arguments: no window, no sound, no settings of the user",
};
const PLIES: Whole = Whole {
    name: "plies",
    default: 0,
    range: 0..=4,
    about: "how many plies it looks ahead, for plays and the cube",
};
const PORT: Whole = Whole {
    name: "port",
    default: 0,
    range: 0..=65_535,
    about: "the port it listens on, with one worker thread only; 0 for a free one for each",
};
const TIMEOUT: Whole = Whole {
    name: "timeout",
    default: 60,
    range: 1..=3600,
    about: "how many seconds its start and each answer may take",
};

/// GNU Backgammon.
struct Gnubg {
    place: Place,
    plies: u32,
    link: Option<Link>,
    failure: Option<String>,
}

pub(super) fn entry() -> PolicyEntry<Backgammon> {
    PolicyEntry {
        name: "gnubg",
        about: "asks GNU Backgammon, which must be installed",
        params: vec![
            COMMAND.param(),
            ARGS.param(),
            PLIES.param(),
            PORT.param(),
            TIMEOUT.param(),
        ],
        build: |table| {
            let gnubg = read(table)?;
            Ok(Box::new(gnubg))
        },
    }
}

fn read(table: &toml::Table) -> Result<Gnubg, String> {
    let mut reader = Reader::new(table);
    let place = Place {
        command: reader.word(&COMMAND)?,
        args: reader.words(&ARGS)?,
        port: reader.whole(&PORT)? as u16,
        timeout: Duration::from_secs(reader.whole(&TIMEOUT)?.into()),
    };
    let plies = reader.whole(&PLIES)?;
    reader.finish()?;
    if place.command.is_empty() && place.port == 0 {
        return Err("port = 0; expected the port of the program that listens already".to_owned());
    }
    Ok(Gnubg {
        place,
        plies,
        link: None,
        failure: None,
    })
}

impl Policy<Backgammon> for Gnubg {
    fn choose(&mut self, view: &View<'_, Backgammon>, _: &mut Stream) -> usize {
        if self.failure.is_some() {
            return 0;
        }
        self.decide(view).unwrap_or_else(|reason| {
            self.failure = Some(reason);
            self.link = None;
            0
        })
    }

    fn is_search(&self) -> bool {
        true
    }

    fn failed(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl Gnubg {
    fn decide(&mut self, view: &View<'_, Backgammon>) -> Result<usize, String> {
        let rules = view.game.rules();
        if let Some(rule) = unknown_rule(rules) {
            return Err(format!("GNU Backgammon does not play by {rule}"));
        }
        let position = || view.game.print(view.state);
        let answer = self
            .answer(rules, &question(view.game, view.state))
            .map_err(|trouble| format!("{trouble}, twice, at {}", position()))?;
        choice(view.state, view.moves, &answer).map_err(|reason| {
            let answer: String = answer.chars().take(100).collect();
            let answer = answer.escape_debug();
            format!("'{answer}' is no answer at {}: {reason}", position())
        })
    }

    /// The answer to a question, the second time from a new program.
    fn answer(&mut self, rules: &Rules, question: &str) -> Result<String, Trouble> {
        match self.try_answer(rules, question) {
            Ok(answer) => Ok(answer),
            Err(_) => self.try_answer(rules, question),
        }
    }

    fn try_answer(&mut self, rules: &Rules, question: &str) -> Result<String, Trouble> {
        let mut link = match self.link.take() {
            Some(link) => link,
            None => Link::new(&self.place, &commands(rules, self.plies))?,
        };
        let answer = link.ask(question)?;
        self.link = Some(link);
        Ok(answer)
    }
}

/// What GNU Backgammon is told before the first question: what no question says.
fn commands(rules: &Rules, plies: u32) -> String {
    let on = |is_on: bool| if is_on { "on" } else { "off" };
    format!(
        "set evaluation chequerplay evaluation plies {plies}\n\
         set evaluation chequerplay evaluation cubeful {}\n\
         set evaluation cubedecision evaluation plies {plies}\n\
         set jacoby {}\n\
         set beavers {}\n",
        on(rules.cube),
        on(rules.jacoby),
        u8::from(rules.beavers != Beavers::Off),
    )
}

/// A house rule it does not know.
fn unknown_rule(rules: &Rules) -> Option<&'static str> {
    if !matches!(rules.setup, Setup::Backgammon | Setup::Nackgammon) {
        return Some("setups of fewer than fifteen checkers");
    }
    if (rules.gammon, rules.backgammon) != (2, 3) {
        return Some("other values of gammon and backgammon than 2 and 3");
    }
    (rules.beavers == Beavers::Raccoons).then_some("beavers = 'raccoons'")
}
