//! Standard notation of a play: `24/18*/13`, `bar/22 6/5(2)`, `6/off`.

use std::fmt::Write as _;

use crate::games::backgammon::board::{BAR, OFF};
use crate::games::backgammon::step::Step;

/// The most checkers a play moves.
const MAX_STEPS: usize = 4;
/// What is written when nothing can move.
pub const NO_PLAY: &str = "(no play)";

/// A text that is no play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// A part that is no move of a checker.
    #[error("'{0}' is no move; expected from/to, as in 13/8, bar/22*, 6/off(2) or 24/18*/13")]
    NoMove(String),
    /// A move that does not go down.
    #[error("'{0}' does not move towards the home board; expected a lower point after each slash")]
    Upwards(String),
    /// More than four moves.
    #[error("more than four moves in one play; expected one for each die, four after a double")]
    TooMany,
}

/// A play as a person writes it: moves of one checker joined, equal moves counted, hits starred,
/// the furthest first.
pub fn write(steps: &[Step]) -> String {
    if steps.is_empty() {
        return NO_PLAY.to_owned();
    }
    let mut groups: Vec<(Vec<Step>, usize)> = Vec::new();
    for way in ways(steps) {
        match groups
            .iter_mut()
            .find(|(known, _)| points(known) == points(&way))
        {
            Some((_, times)) => *times += 1,
            None => groups.push((way, 1)),
        }
    }
    let texts: Vec<String> = groups
        .iter()
        .map(|(way, times)| way_text(way, *times))
        .collect();
    texts.join(" ")
}

/// The steps joined into the ways of single checkers, without the points passed unhit.
fn ways(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut sorted = steps.to_vec();
    // The hit comes first among equal steps: the second finds nobody to hit.
    sorted.sort_by_key(|step| (std::cmp::Reverse((step.from, step.to)), !step.hit));
    let mut ways: Vec<Vec<Step>> = Vec::new();
    for step in sorted {
        let goes_on = |way: &&mut Vec<Step>| way.last().is_some_and(|last| last.to == step.from);
        match ways.iter_mut().find(goes_on) {
            None => ways.push(vec![step]),
            Some(way) => match way.last_mut() {
                Some(last) if !last.hit => (last.to, last.hit) = (step.to, step.hit),
                _ => way.push(step),
            },
        }
    }
    ways.sort_by_key(|way| std::cmp::Reverse(points(way)));
    ways
}

/// The points of a way. Ways of the same points are written alike, a hit at the end being the
/// first one's.
fn points(way: &[Step]) -> Vec<(u8, u8)> {
    way.iter().map(|step| (step.from, step.to)).collect()
}

fn way_text(way: &[Step], times: usize) -> String {
    let mut text = match way[0].from {
        BAR => "bar".to_owned(),
        point => point.to_string(),
    };
    for step in way {
        text.push('/');
        match step.to {
            OFF => text.push_str("off"),
            point => text.push_str(&point.to_string()),
        }
        if step.hit {
            text.push('*');
        }
    }
    if times > 1 {
        let _ = write!(text, "({times})");
    }
    text
}

/// The steps of a play, one for each slash; `24/13` is one step however many dice it takes.
///
/// Read as people write: any order and case, commas or spaces, `25` or `bar`, `0` or `off`,
/// a star or none, nothing at all or `(no play)` for a pass.
///
/// # Errors
/// When a part is no move, a move does not go down, or there are more than four.
pub fn read(text: &str) -> Result<Vec<Step>, PlayError> {
    let text = text.trim().to_ascii_lowercase();
    if [
        "",
        "(no play)",
        "no play",
        "(no move)",
        "no move",
        "cannot move",
        "pass",
    ]
    .contains(&text.as_str())
    {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    let separator = |letter: char| letter.is_whitespace() || letter == ',' || letter == ';';
    for part in text.split(separator).filter(|part| !part.is_empty()) {
        let (way, times) = read_way(part)?;
        for _ in 0..times {
            steps.extend_from_slice(&way);
        }
        // A second checker finds nobody to hit where the first did.
        for index in 1..steps.len() {
            let (before, step) = (&steps[..index], steps[index]);
            if before.iter().any(|other| other.hit && other.to == step.to) {
                steps[index].hit = false;
            }
        }
        if steps.len() > MAX_STEPS {
            return Err(PlayError::TooMany);
        }
    }
    Ok(steps)
}

/// One part, `24/18*/13(2)`, and how often it is played.
fn read_way(part: &str) -> Result<(Vec<Step>, usize), PlayError> {
    let no_move = || PlayError::NoMove(part.to_owned());
    // Some write the star after the count: 8/5(2)*.
    let (body, late_star) = match part.strip_suffix(")*") {
        Some(_) => (&part[..part.len() - 1], true),
        None => (part, false),
    };
    let (body, times) = match body
        .strip_suffix(')')
        .and_then(|body| body.rsplit_once('('))
    {
        Some((body, "1")) => (body, 1),
        Some((body, "2")) => (body, 2),
        Some((body, "3")) => (body, 3),
        Some((body, "4")) => (body, 4),
        Some(_) => return Err(no_move()),
        None => (body, 1),
    };
    let mut points = body.split('/');
    let mut from = match points.next() {
        Some("bar" | "b") => BAR,
        Some(text) => point(text)
            .filter(|&point| point > OFF)
            .ok_or_else(no_move)?,
        None => return Err(no_move()),
    };
    let mut way = Vec::new();
    for text in points {
        let (text, hit) = match text.strip_suffix('*') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let to = match text {
            "off" | "o" => OFF,
            text => point(text)
                .filter(|&point| point < BAR)
                .ok_or_else(no_move)?,
        };
        if to >= from {
            return Err(PlayError::Upwards(part.to_owned()));
        }
        if hit && to == OFF {
            return Err(no_move());
        }
        way.push(Step { from, to, hit });
        from = to;
        if way.len() > MAX_STEPS {
            return Err(PlayError::TooMany);
        }
    }
    match way.last_mut() {
        None => return Err(no_move()),
        Some(last) => last.hit |= late_star && last.to != OFF,
    }
    Ok((way, times))
}

/// A point from 0 to 25.
fn point(text: &str) -> Option<u8> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain
        .then(|| text.parse().ok())
        .flatten()
        .filter(|&point| point <= BAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn step(from: u8, to: u8) -> Step {
        Step {
            from,
            to,
            hit: false,
        }
    }

    fn hit(from: u8, to: u8) -> Step {
        Step {
            from,
            to,
            hit: true,
        }
    }

    #[test]
    fn plays_are_written_as_people_write_them() {
        assert_eq!(write(&[]), "(no play)");
        assert_eq!(write(&[step(8, 5), step(6, 5)]), "8/5 6/5");
        assert_eq!(write(&[step(24, 18), step(18, 13)]), "24/13");
        assert_eq!(write(&[hit(24, 18), step(18, 13)]), "24/18*/13");
        assert_eq!(write(&[step(6, 5), step(25, 22)]), "bar/22 6/5");
        assert_eq!(
            write(&[step(6, 0), step(6, 0), step(5, 0), step(5, 0)]),
            "6/off(2) 5/off(2)"
        );
        assert_eq!(
            write(&[hit(8, 5), step(8, 5), step(6, 3), step(6, 3)]),
            "8/5*(2) 6/3(2)"
        );
        assert_eq!(
            write(&[step(13, 8), step(13, 8), hit(8, 3), step(8, 3)]),
            "13/3*(2)"
        );
        assert_eq!(
            write(&[hit(13, 7), hit(7, 1), step(13, 7), step(7, 1)]),
            "13/7*/1* 13/1"
        );
    }

    #[test]
    fn plays_are_read_as_people_write_them() {
        let read = |text| read(text).expect(text);
        assert_eq!(read(" 8/5, 6/5 "), [step(8, 5), step(6, 5)]);
        assert_eq!(read("BAR/22 6/OFF"), [step(25, 22), step(6, 0)]);
        assert_eq!(read("25/22 6/0"), [step(25, 22), step(6, 0)]);
        assert_eq!(read("24/18*/13"), [hit(24, 18), step(18, 13)]);
        assert_eq!(read("8/5*(2) 6/3"), [hit(8, 5), step(8, 5), step(6, 3)]);
        assert_eq!(read("8/5(2)*"), read("8/5*(2)"));
        for pass in ["", "(no play)", "Cannot move", " PASS "] {
            assert_eq!(read(pass), []);
        }
    }

    #[test]
    fn a_text_that_is_no_play_is_refused() {
        for text in [
            "13", "13/", "/8", "bar/bar", "off/3", "26/20", "13-8", "8/5(9)", "6/off*", "+8/5",
        ] {
            assert_eq!(read(text), Err(PlayError::NoMove(text.to_owned())));
        }
        assert_eq!(read("8/8"), Err(PlayError::Upwards("8/8".to_owned())));
        assert_eq!(read("8/5/6"), Err(PlayError::Upwards("8/5/6".to_owned())));
        assert_eq!(read("8/5(3) 6/3(2)"), Err(PlayError::TooMany));
        assert_eq!(read("24/20/16/12/8/4"), Err(PlayError::TooMany));
    }

    /// Where each checker ends: what a play does to the mover's side.
    fn change(steps: &[Step]) -> [i8; 26] {
        let mut change = [0; 26];
        for step in steps {
            change[usize::from(step.from)] -= 1;
            change[usize::from(step.to)] += 1;
        }
        change
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            ways in prop::collection::vec((1..=25u8, 1..=6u8), 0..=4),
        ) {
            let steps: Vec<Step> = ways
                .iter()
                .map(|&(from, die)| step(from, from.saturating_sub(die)))
                .collect();
            let read = read(&write(&steps)).expect("a play");
            prop_assert_eq!(change(&read), change(&steps));
            prop_assert_eq!(write(&read), write(&steps));
        }
    }
}
