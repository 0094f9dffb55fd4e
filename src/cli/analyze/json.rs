//! An analysis as one JSON object.

use serde_json::{Value, json};

use racelab::experiment::analyze::rollout::{Measured, RolledOut};
use racelab::experiment::analyze::{Analysis, Candidate, CubeFound, Request};
use racelab::games::backgammon::cube::{Chances, CubeVerdict};
use racelab::games::backgammon::notation::{play, position_id};

use super::{Args, table};

pub fn object(args: &Args, request: &Request, analysis: &Analysis) -> Value {
    let mut object = json!({
        "game": args.game,
        "position": table::text_of(&request.position),
        "dice": request.position.dice,
        "bot": args.bot,
        "depth": args.depth,
    });
    if request.rollout.is_some() {
        object["rollout"] = json!({
            "games": args.rollout,
            "cubeful": args.cubeful,
            "play_out": args.play_out,
            "confidence": args.confidence,
            "seed": args.seed.to_string(),
        });
    }
    match analysis {
        Analysis::Plays(plays) => {
            object["legal"] = json!(plays.legal);
            object["plays"] = plays.candidates.iter().map(candidate).collect();
        }
        Analysis::Cube(found) => object["cube"] = cube(found),
    }
    object
}

fn chances(chances: &Chances) -> Value {
    json!({
        "win": chances.win,
        "win_g": chances.win_g,
        "win_bg": chances.win_bg,
        "lose_g": chances.lose_g,
        "lose_bg": chances.lose_bg,
    })
}

fn candidate(candidate: &Candidate) -> Value {
    json!({
        "play": play::write(&candidate.steps),
        "result": position_id::write(&candidate.board),
        "equity": candidate.equity,
        "cubeless": candidate.cubeless,
        "exact": candidate.is_exact,
        "chances": chances(&candidate.chances),
        "rollout": candidate.rollout.as_ref().map(rolled_out),
    })
}

fn measured(measured: &Measured) -> Value {
    let interval = measured.estimate.interval;
    json!({
        "value": measured.estimate.value,
        "blocks": measured.estimate.n,
        "standard_error": measured.standard_error,
        "low": interval.map(|interval| interval.low),
        "high": interval.map(|interval| interval.high),
    })
}

fn rolled_out(rollout: &RolledOut) -> Value {
    let [win, win_g, win_bg, lose_g, lose_bg, equity] = rollout.adjusted.each_ref().map(measured);
    json!({
        "games": rollout.games,
        "rolls": rollout.rolls,
        "capped": rollout.capped,
        "equity": equity,
        "win": win,
        "win_g": win_g,
        "win_bg": win_bg,
        "lose_g": lose_g,
        "lose_bg": lose_bg,
        "raw": measured(&rollout.raw),
        "luck": measured(&rollout.luck),
        "luck_weight": rollout.luck_weight,
        "variance_ratio": rollout.variance_ratio,
        "difference": rollout.difference.as_ref().map(measured),
        "behind": rollout.is_behind,
    })
}

fn verdict(verdict: &CubeVerdict) -> Value {
    json!({
        "no_double": verdict.no_double,
        "double_take": verdict.double_take,
        "double_pass": verdict.double_pass,
        "verdict": verdict.to_string(),
        "answer": table::answer(verdict).0,
    })
}

fn cube(cube: &CubeFound) -> Value {
    let window = cube.window.map(|window| {
        json!({
            "double": window.double,
            "pass": window.pass,
            "too_good": window.too_good,
            "take_live": window.take.live,
            "take_dead": window.take.dead,
        })
    });
    let rollout = cube.rollout.as_ref().map(|rollout| {
        json!({
            "no_double": rolled_out(&rollout.no_double),
            "double_take": rollout.double_take.as_ref().map(rolled_out),
            "decision": verdict(&rollout.verdict),
        })
    });
    json!({
        "chances": chances(&cube.chances),
        "cubeless": cube.cubeless,
        "exact": cube.is_exact,
        "is_answer": cube.is_answer,
        "decision": verdict(&cube.verdict),
        "window": window,
        "rollout": rollout,
    })
}
