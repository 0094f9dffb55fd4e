//! An analysis as text of 80 columns.

use std::io::{self, Write};

use racelab::experiment::analyze::rollout::{Measured, RolledOut};
use racelab::experiment::analyze::{
    Analysis, Candidate, CubeFound, CubeRollout, PlaysFound, Request, Window,
};
use racelab::games::backgammon::cube::{Chances, CubeVerdict, Response};
use racelab::games::backgammon::notation::{Position, play, position_id, xgid};

use super::Args;

/// Columns of a play beside its numbers; a longer one stands on a line of its own.
const PLAY: usize = 23;

pub fn write(
    out: &mut dyn Write,
    args: &Args,
    request: &Request,
    analysis: &Analysis,
) -> io::Result<()> {
    let position = &request.position;
    writeln!(out, "{}", text_of(position))?;
    writeln!(out, "{}", situation(position))?;
    writeln!(out, "evaluator {}, depth {}", args.bot, args.depth)?;
    match analysis {
        Analysis::Plays(plays) => write_plays(out, plays)?,
        Analysis::Cube(cube) => write_cube(out, cube)?,
    }
    if request.rollout.is_some() {
        let kind = if args.cubeful {
            "with the cube"
        } else {
            "cubeless"
        };
        let level = 100.0 * args.confidence;
        writeln!(out, "rollout {kind}, seed {}", args.seed)?;
        writeln!(
            out,
            "+- is the standard error over blocks, [] the {level} % interval"
        )?;
    }
    Ok(())
}

/// The position as an XGID, or as a Position ID where an XGID does not carry it.
pub fn text_of(position: &Position) -> String {
    xgid::write(position).unwrap_or_else(|_| position_id::write(&position.board))
}

fn situation(position: &Position) -> String {
    let (me, opponent) = (position.to.index(), 1 - position.to.index());
    let stakes = if position.length == 0 {
        let rules = [
            (position.jacoby, ", Jacoby"),
            (position.beavers, ", beavers"),
        ];
        let rules = rules.into_iter().filter(|(on, _)| *on);
        format!("money{}", rules.map(|(_, name)| name).collect::<String>())
    } else {
        let crawford = if position.crawford { ", Crawford" } else { "" };
        let away = |seat: usize| position.length - position.score[seat];
        format!("{}-away {}-away{crawford}", away(me), away(opponent))
    };
    let owner = match position.owner {
        None => "centred",
        Some(owner) if owner == position.to => "of the player on roll",
        Some(_) => "of the other player",
    };
    let turn = match (position.dice, position.offer) {
        (Some([first, second]), _) => format!("{first}{second} to play"),
        (None, Some(_)) => "doubled".to_owned(),
        (None, None) => "to roll".to_owned(),
    };
    let cube = 1u32 << position.cube;
    format!("{stakes}; cube {cube} {owner}; {turn}")
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// The chances; a minus marks gammons and backgammons lost.
fn write_chances(out: &mut dyn Write, chances: &Chances) -> io::Result<()> {
    let Chances {
        win,
        win_g,
        win_bg,
        lose_g,
        lose_bg,
    } = *chances;
    let [win, win_g, win_bg, lose_g, lose_bg] = [win, win_g, win_bg, lose_g, lose_bg].map(percent);
    writeln!(
        out,
        "win {win} %, gam {win_g}, bg {win_bg}, -gam {lose_g}, -bg {lose_bg}"
    )
}

fn write_plays(out: &mut dyn Write, plays: &PlaysFound) -> io::Result<()> {
    let shown = plays.candidates.len();
    writeln!(out, "{shown} of {} legal plays; chances in %", plays.legal)?;
    writeln!(
        out,
        "\n    {:PLAY$} {:>7} {:>7} {:>8} {:>5} {:>5} {:>4} {:>5} {:>4}",
        "play", "equity", "diff", "cubeless", "win", "gam", "bg", "-gam", "-bg"
    )?;
    let best = plays.candidates.iter().map(|play| play.equity);
    let best = best.fold(f64::NEG_INFINITY, f64::max);
    for (place, candidate) in (1..).zip(&plays.candidates) {
        write_candidate(out, place, candidate, best)?;
    }
    if plays.candidates.iter().any(|play| play.is_exact) {
        writeln!(out, "* exact")?;
    }
    Ok(())
}

fn write_candidate(
    out: &mut dyn Write,
    place: usize,
    candidate: &Candidate,
    best: f64,
) -> io::Result<()> {
    let mut name = play::write(&candidate.steps);
    if candidate.is_exact {
        name.push('*');
    }
    write!(out, "{place:>3} {name:PLAY$}")?;
    if name.len() > PLAY {
        write!(out, "\n    {:PLAY$}", "")?;
    }
    let difference = match candidate.equity - best {
        0.0 => String::new(),
        difference => format!("{difference:+.4}"),
    };
    let c = &candidate.chances;
    let [win, win_g, win_bg, lose_g, lose_bg] =
        [c.win, c.win_g, c.win_bg, c.lose_g, c.lose_bg].map(|share| 100.0 * share);
    writeln!(
        out,
        " {:>+7.4} {difference:>7} {:>+8.4} {win:>5.1} {win_g:>5.1} {win_bg:>4.1} \
         {lose_g:>5.1} {lose_bg:>4.1}",
        candidate.equity, candidate.cubeless
    )?;
    match &candidate.rollout {
        Some(rollout) => write_rollout(out, rollout),
        None => Ok(()),
    }
}

/// A mean with its standard error and interval.
fn mean(measured: &Measured) -> String {
    let error = measured.standard_error;
    let error = error.map_or_else(String::new, |error| format!(" +-{error:.4}"));
    let interval = measured
        .estimate
        .interval
        .map_or_else(String::new, |interval| {
            format!(" [{:+.4} {:+.4}]", interval.low, interval.high)
        });
    format!("{:+.4}{error}{interval}", measured.estimate.value)
}

fn write_rollout(out: &mut dyn Write, rollout: &RolledOut) -> io::Result<()> {
    let RolledOut { games, rolls, .. } = rollout;
    let blocks = rollout.raw.estimate.n;
    writeln!(out, "      rolled out {}", mean(rollout.equity()))?;
    if let Some(difference) = &rollout.difference {
        let behind = if rollout.is_behind { ", behind" } else { "" };
        writeln!(out, "      to the best {}{behind}", mean(difference))?;
    }
    let share = |index: usize| {
        let measured: &Measured = &rollout.adjusted[index];
        let error = measured.standard_error;
        let error = error.map_or_else(String::new, |error| format!("+-{:.2}", 100.0 * error));
        format!("{:.2}{error}", 100.0 * measured.estimate.value)
    };
    writeln!(
        out,
        "      win {} %, gam {}, bg {}",
        share(0),
        share(1),
        share(2)
    )?;
    writeln!(out, "      -gam {}, -bg {}", share(3), share(4))?;
    writeln!(out, "      raw {}", mean(&rollout.raw))?;
    let weight = rollout.luck_weight;
    writeln!(out, "      luck {}, weight {weight}", mean(&rollout.luck))?;
    let ratio = rollout.variance_ratio;
    let ratio = ratio.map_or_else(String::new, |ratio| format!(", variance ratio {ratio:.1}"));
    writeln!(
        out,
        "      {games} games in {blocks} blocks, {:.1} rolls each{ratio}",
        *rolls as f64 / *games as f64
    )?;
    if rollout.capped > 0 {
        writeln!(out, "      {} games too long, estimated", rollout.capped)?;
    }
    Ok(())
}

fn write_cube(out: &mut dyn Write, cube: &CubeFound) -> io::Result<()> {
    write_chances(out, &cube.chances)?;
    let exact = if cube.is_exact { ", exact" } else { "" };
    writeln!(out, "\ncubeless equity {:+.4}{exact}", cube.cubeless)?;
    write_verdict(out, &cube.verdict, cube.is_answer)?;
    if let Some(window) = &cube.window {
        write_window(out, window)?;
    }
    match &cube.rollout {
        Some(rollout) => write_cube_rollout(out, rollout, cube.is_answer),
        None => Ok(()),
    }
}

fn write_verdict(out: &mut dyn Write, verdict: &CubeVerdict, is_answer: bool) -> io::Result<()> {
    let best = verdict.equity();
    let rows = [
        ("no double", verdict.no_double),
        ("double, take", verdict.double_take),
        ("double, pass", verdict.double_pass),
    ];
    for (name, equity) in rows {
        writeln!(out, "  {name:14} {equity:>+8.4} {:>+8.4}", equity - best)?;
    }
    writeln!(out, "{verdict}")?;
    if is_answer {
        let (answer, costs) = answer(verdict);
        writeln!(
            out,
            "the player doubled should {answer}; the other answer costs {costs:.4}"
        )?;
    }
    Ok(())
}

/// What to answer, and what the wrong answer costs.
pub fn answer(verdict: &CubeVerdict) -> (&'static str, f64) {
    let name = match verdict.response {
        Response::Pass => "drop",
        Response::Take => "take",
        Response::Beaver => "beaver",
    };
    (name, (verdict.double_take - verdict.double_pass).abs())
}

fn write_window(out: &mut dyn Write, window: &Window) -> io::Result<()> {
    let [double, pass, live, dead] = [
        window.double,
        window.pass,
        window.take.live,
        window.take.dead,
    ]
    .map(percent);
    let too_good = window.too_good.map(percent);
    let too_good = too_good.map_or_else(String::new, |from| format!(", too good from {from} %"));
    writeln!(
        out,
        "market window: double from {double} % wins, pass from {pass} %{too_good}"
    )?;
    writeln!(
        out,
        "take point of the other side {live} % (live cube) to {dead} % (dead)"
    )
}

fn write_cube_rollout(
    out: &mut dyn Write,
    rollout: &CubeRollout,
    is_answer: bool,
) -> io::Result<()> {
    writeln!(out, "\n  no double")?;
    write_rollout(out, &rollout.no_double)?;
    if let Some(taken) = &rollout.double_take {
        writeln!(out, "  double, take")?;
        write_rollout(out, taken)?;
    }
    writeln!(out, "\nby the rollout")?;
    write_verdict(out, &rollout.verdict, is_answer)
}
