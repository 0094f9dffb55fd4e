//! The laws every game keeps: each promise of [`Game`] and
//! [`Race`], checked on seeded random games.
//!
//! A test below runs them for every registered game, preset, option value and seat set without
//! being asked. A game under construction can call [`check`] on its own.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::ends::Ends;
use super::game::{Effect, Game, Hits, MoveSet, RuleSet, Script, Turn};
use super::perft::{perft, perft_parallel};
use super::play::{Blind, Chooser, Played, SeededDice, play};
use super::race::{FeatureValues, MAX_FEATURES, Race};
use super::random::{BlockKey, DiceStream, Purpose, Stream};
use super::results::result_set;
use super::seat::{PerSeat, Seat};

/// Rolls after which a random game counts as endless.
const CAP: u32 = 100_000;

/// Faces of a script, as many as the golden files have: two dice, and four on Transit for each of
/// them, are the most that a roll of any game asks for.
const FACES: usize = 18;

/// Checks every law at every position of some random games at this table.
///
/// # Panics
/// When the game breaks a law; the message names the law and the position.
pub fn check<G: Race>(game: &G, seed: u64, games: u64) {
    rules_describe_themselves::<G>();
    table_is_what_was_asked_for(game);
    sampler_has_the_exact_weights(game, seed);
    for block in 0..games {
        let mut faces = BlockKey::new(!seed, block).stream(Purpose::Bot, Seat::A);
        let block = BlockKey::new(seed, block);
        let (rolls, end) = walk(game, block, &mut faces);
        let standing = game.standing(&end);
        let walked = Played {
            standing,
            capped: false,
            rolls,
        };
        for _ in 0..2 {
            assert_eq!(
                played(game, block),
                walked,
                "{}: same streams, same game",
                G::NAME
            );
        }
    }
}

/// A promise that must hold; the message says which one does not, where, and what was seen.
macro_rules! law {
    ($holds:expr, $law:literal; $game:expr, $state:expr $(, $seen:expr)*) => {
        assert!(
            $holds,
            "{}: {} at '{}'{}",
            G::NAME,
            $law,
            $game.print($state),
            String::new() $(+ &format!(", {} = {:?}", stringify!($seen), $seen))*
        )
    };
}

/// Options and presets say what the rules' fields are.
fn rules_describe_themselves<G: Game>() {
    let presets = G::Rules::presets();
    assert_eq!(presets[0].name, "default", "the first preset is default");
    assert_eq!(
        presets[0].rules,
        G::Rules::default(),
        "the preset is the default"
    );
    let names: HashSet<_> = presets.iter().map(|preset| preset.name).collect();
    assert_eq!(names.len(), presets.len(), "preset names are unique");

    let fields = toml::Table::try_from(G::Rules::default()).expect("rules are a table");
    let options = G::Rules::OPTIONS;
    let described: HashSet<_> = options.iter().map(|option| option.name).collect();
    let existing: HashSet<_> = fields.keys().map(String::as_str).collect();
    assert_eq!(
        described, existing,
        "the options are the fields of the rules"
    );
    for option in options {
        let default = &fields[option.name];
        let default = default.as_str().map_or(default.to_string(), str::to_owned);
        assert_eq!(
            option.values.first(),
            Some(&default.as_str()),
            "{}: the default is the first value",
            option.name
        );
    }
    for preset in presets {
        let written = toml::to_string(&preset.rules).expect("rules are a table");
        let read: G::Rules = toml::from_str(&written).expect("rules are read back");
        assert_eq!(read, preset.rules, "rules are read as they were written");
    }

    let sets = G::seat_sets();
    let unique: HashSet<_> = sets.iter().collect();
    assert!(!sets.is_empty() && unique.len() == sets.len(), "seat sets");
}

/// The table has the rules and seats asked for, and whoever is asked to start, starts.
fn table_is_what_was_asked_for<G: Game>(game: &G) {
    let again = G::new(game.rules().clone(), game.seats()).expect("the table can be set again");
    assert_eq!(again.rules(), game.rules());
    assert_eq!(again.seats(), game.seats());
    for first in game.seats().iter() {
        let start = game.start(first);
        let turn = game.turn(&start);
        law!(turn == Turn::Chance(first), "the first seat starts"; game, &start, turn);
        law!(!game.is_mid_roll(&start), "a start is no mid-roll"; game, &start);
        law!(again.start(first) == start, "a start is always the same"; game, &start);
    }
}

/// The sampler draws every roll as often as its weight says, and no other.
fn sampler_has_the_exact_weights<G: Game>(game: &G, seed: u64) {
    const DRAWS: u32 = 60_000;
    let first = game.seats().iter().next().expect("a table has seats");
    let start = game.start(first);
    let rolls = game.rolls(&start);
    let mut dice = BlockKey::new(seed, u64::MAX).dice(first);
    let mut counts = vec![0u32; rolls.len()];
    for _ in 0..DRAWS {
        let drawn = game.sample(&start, &mut dice);
        let listed = rolls.iter().position(|&(roll, _)| roll == drawn);
        counts[listed.expect("a sampled roll is one of the rolls")] += 1;
    }
    let total: u32 = rolls.iter().map(|&(_, weight)| weight).sum();
    let chi: f64 = rolls
        .iter()
        .zip(&counts)
        .map(|(&(_, weight), &count)| {
            let expected = f64::from(DRAWS) * f64::from(weight) / f64::from(total);
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    // Mean plus four and a half standard deviations, and a margin for few degrees of freedom.
    let freedom = (rolls.len() - 1) as f64;
    let limit = freedom + 4.5 * (2.0 * freedom).sqrt() + 8.0;
    law!(chi < limit, "the sampler has the exact weights"; game, &start, counts);
}

/// Plays a random game with the dice and choices of a block; the number of rolls and the end.
fn walk<G: Race>(game: &G, block: BlockKey, faces: &mut Stream) -> (u32, G::State) {
    let mut dice: PerSeat<DiceStream> = PerSeat::from_fn(|seat| block.dice(seat));
    let mut choices = block.stream(Purpose::Bot, Seat::A);
    let first = game.seats().iter().next().expect("a table has seats");
    let mut state = game.start(first);
    // Kept from decision to decision on purpose: what is left in it must not matter.
    let mut moves = G::Moves::default();
    let mut rolls = 0;
    loop {
        every_position(game, &state);
        match game.turn(&state) {
            Turn::Chance(seat) => {
                chance(game, &state, seat);
                // Counting paths walks whole trees: now and then is enough.
                if rolls % 16 == 0 {
                    if G::RESULT_SETS_ARE_POSITIONS {
                        result_sets(game, &state, faces);
                    }
                    paths(game, &state);
                }
                assert!(rolls < CAP, "{}: a game ends", G::NAME);
                rolls += u32::from(!game.is_mid_roll(&state));
                let roll = game.sample(&state, &mut dice[seat]);
                game.roll(&mut state, roll);
            }
            Turn::Decision(seat) => {
                game.moves(&state, &mut moves);
                decision(game, &state, seat, &moves);
                let index = pick(&moves, &mut choices);
                game.apply(&mut state, moves.get(index));
            }
            Turn::Over => {
                over(game, &state);
                return (rolls, state);
            }
        }
    }
}

fn pick<M: MoveSet>(moves: &M, choices: &mut Stream) -> usize {
    match moves.len() {
        1 => 0,
        len => choices.below(len as u64) as usize,
    }
}

/// What holds at every position, in the middle of a roll too.
fn every_position<G: Race>(game: &G, state: &G::State) {
    let text = game.print(state);
    law!(!text.contains(char::is_control), "a position is one line"; game, state);
    law!(G::seats_of(&text) == Ok(game.seats()), "the text names the seats"; game, state);
    let read = game.parse(&text);
    law!(read == Ok(*state), "a printed position is read back"; game, state, read);
    let shuffled = turned_around(&text);
    let read = game.parse(&shuffled);
    law!(read == Ok(*state), "any order of tokens is read"; game, state, shuffled, read);
    if let Ok(read) = read {
        law!(hash(&read) == hash(state), "equal states have equal hashes"; game, state);
        law!(game.print(&read) == text, "only the canonical text is printed"; game, state);
    }

    let places = game.standing(state).places;
    for seat in (0..8).map(Seat::new) {
        let better = game
            .seats()
            .iter()
            .filter(|&other| places[other] < places[seat]);
        let expected = if game.seats().contains(seat) {
            better.count() + 1
        } else {
            0
        };
        law!(usize::from(places[seat]) == expected, "equals share a place"; game, state, places);
    }

    let mut features: FeatureValues = [f64::NAN; MAX_FEATURES];
    for seat in game.seats().iter() {
        let side = game.side(seat);
        let belongs = side.contains(seat) && side.iter().all(|mate| game.side(mate) == side);
        law!(belongs, "every seat is on one side"; game, state, seat, side);
        let level = side.iter().all(|mate| places[mate] == places[seat]);
        law!(level, "a team shares a place"; game, state, seat, places);
        let progress = game.progress(state, seat);
        law!(progress <= game.course(), "nobody is past the course"; game, state, seat, progress);
        features.fill(f64::NAN);
        game.features(state, seat, &mut features);
        let finite = features[..G::FEATURES.len()]
            .iter()
            .all(|feature| feature.is_finite());
        law!(finite, "every feature is a number"; game, state, seat, features);
        let exposure = game.exposure(state, seat);
        let possible = exposure.is_finite() && exposure >= 0.0;
        law!(possible, "exposure is a number of pips"; game, state, seat, exposure);
    }
}

/// The text with the list of each part in reverse: the same position for every game.
fn turned_around(text: &str) -> String {
    let part = |part: &str| match part.split_once(':') {
        Some((seat, list)) if list.contains(',') => {
            let list: Vec<&str> = list.rsplit(',').collect();
            format!("{seat}:{}", list.join(","))
        }
        _ => part.to_owned(),
    };
    text.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn chance<G: Game>(game: &G, state: &G::State, seat: Seat) {
    law!(game.seats().contains(seat), "who rolls is in play"; game, state, seat);
    let rolls = game.rolls(state);
    law!(!rolls.is_empty(), "there is a roll"; game, state);
    for (index, &(roll, weight)) in rolls.iter().enumerate() {
        law!(weight > 0, "weights are positive"; game, state, roll);
        let unique = rolls[..index].iter().all(|&(other, _)| other != roll);
        law!(unique, "rolls are listed once"; game, state, roll);
        let (mut one, mut two) = (*state, *state);
        let next = game.roll(&mut one, roll);
        game.roll(&mut two, roll);
        law!(next == game.turn(&one), "a roll says what is next"; game, state, roll, next);
        law!(one == two, "the same roll gives the same state"; game, state, roll);
        law!(one != *state, "a roll is remembered"; game, state, roll);
    }
    let texts: HashSet<String> = rolls.iter().map(|&(r, _)| game.roll_text(r)).collect();
    law!(texts.len() == rolls.len(), "rolls have texts of their own"; game, state, texts);
}

fn decision<G: Game>(game: &G, state: &G::State, seat: Seat, moves: &G::Moves) {
    law!(game.seats().contains(seat), "who decides is in play"; game, state, seat);
    let list: Vec<G::Move> = moves.iter().collect();
    law!(!list.is_empty() && !moves.is_empty(), "there is a move"; game, state);
    law!(list.len() == moves.len(), "the number of moves is that of the list"; game, state, list);
    law!(list.is_sorted_by(|a, b| a < b), "moves are sorted and unique"; game, state, list);
    law!(moves.is_forced() == (list.len() == 1), "one move is forced"; game, state, list);
    if let Some(mv) = moves.idle() {
        law!(list == [mv], "where nothing can move there is no other move"; game, state, list);
    }
    let same = list
        .iter()
        .enumerate()
        .all(|(index, &mv)| moves.get(index) == mv);
    law!(same, "a move is found by its index"; game, state, list);
    let mut fresh = G::Moves::default();
    game.moves(state, &mut fresh);
    let same = fresh.iter().eq(list.iter().copied());
    law!(same, "what was in the buffer does not matter"; game, state, list);

    let texts: HashSet<String> = list.iter().map(|&mv| game.move_text(state, mv)).collect();
    law!(texts.len() == list.len(), "moves have texts of their own"; game, state, texts);

    if G::CHAINS {
        ends(game, state, seat, moves);
    }
    for &mv in &list {
        let mut after = *state;
        let effect = game.apply(&mut after, mv);
        moved(game, state, seat, mv, &after, &effect);
    }
    if list.iter().all(|&mv| game.preview(state, mv).passed) {
        let reason = game.why_no_move(state);
        law!(!reason.is_empty(), "there is a reason why nothing moves"; game, state);
    }
}

/// The ends of a roll are the positions that the moves of its seat lead to, each once.
fn ends<G: Game>(game: &G, state: &G::State, seat: Seat, moves: &G::Moves) {
    fn reach<G: Game>(game: &G, state: &G::State, seat: Seat, found: &mut HashSet<G::State>) {
        for after in decided(game, state, &mut G::Moves::default()) {
            if game.turn(&after) == Turn::Decision(seat) {
                reach(game, &after, seat, found);
            } else {
                found.insert(after);
            }
        }
    }
    let mut expected = HashSet::new();
    reach(game, state, seat, &mut expected);
    let mut ends = Ends::default();
    let listed = ends.of(game, state, seat, moves);
    let found: HashSet<G::State> = listed.iter().map(|end| end.state).collect();
    law!(found.len() == listed.len(), "a roll's ends differ"; game, state);
    law!(found == expected, "a roll's ends are what its moves reach"; game, state);
    let known = listed.iter().all(|end| end.first < moves.len());
    law!(known, "an end begins with a move"; game, state);
}

/// A move and its effect tell the same.
fn moved<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    mv: G::Move,
    after: &G::State,
    effect: &Effect,
) {
    let mut again = *state;
    let same = game.apply(&mut again, mv) == *effect && again == *after;
    law!(same, "the same move has the same effect"; game, state, mv);

    let preview = game.preview(state, mv);
    let within_the_turn = |effect: &Effect| {
        let Effect {
            turn_ends,
            skipped,
            ends_game,
            next,
            ..
        } = Effect::default();
        Effect {
            turn_ends,
            skipped,
            ends_game,
            next,
            ..*effect
        }
    };
    let agrees = within_the_turn(&preview) == within_the_turn(effect);
    law!(agrees, "a preview is the effect"; game, state, mv, preview, effect);

    let turn = game.turn(after);
    law!(effect.next == turn, "the effect says what is next"; game, state, mv, turn, effect);
    let settled = match turn {
        Turn::Chance(_) => !game.is_mid_roll(after),
        Turn::Decision(next) => next != seat,
        Turn::Over => true,
    };
    law!(!effect.turn_ends || settled, "a turn ends between rolls"; game, state, mv, turn);
    let chains = G::CHAINS || turn != Turn::Decision(seat) || effect.ends_game;
    law!(chains, "a game whose rolls ask for several moves says so"; game, state, mv, turn);
    law!(effect.turn_ends || effect.skipped == 0, "turns pass after a turn"; game, state, mv, effect);
    let ends = effect.turn_ends || turn != Turn::Over;
    law!(ends, "a turn ends with the game"; game, state, mv);

    law!(effect.ends_game || turn != Turn::Over, "the end ends a game"; game, state, mv);
    if !effect.ends_game {
        race_agrees(game, state, seat, after, effect);
    }
}

/// The effect of a move in pips is the progress the seats made and lost.
fn race_agrees<G: Game>(game: &G, state: &G::State, seat: Seat, after: &G::State, effect: &Effect) {
    let gain = |seat| i64::from(game.progress(after, seat)) - i64::from(game.progress(state, seat));
    let gained = gain(seat);
    law!(gained == i64::from(effect.gained),
        "pips gained are progress"; game, state, gained, effect);
    let mut lost = 0;
    for other in game.seats().iter().filter(|&other| other != seat) {
        let gain = gain(other);
        let shifted = G::SHIFTS_OTHERS;
        law!(gain <= 0 || shifted, "nobody gains by another's move"; game, state, other, gain);
        let hit = effect.hits.count(other) > 0;
        law!(hit || gain == 0 || shifted, "only who is hit loses pips"; game, state, other, gain);
        lost -= gain;
    }
    law!(lost == i64::from(effect.lost), "pips lost are progress"; game, state, lost, effect);
    let in_play = effect
        .hits
        .iter()
        .all(|(victim, count)| count > 0 && game.seats().contains(victim));
    let other = effect.hits.count(seat) == 0 || G::SHIFTS_OTHERS;
    law!(in_play && other, "only others in play are hit"; game, state, effect);
    let nothing = effect.gained == 0 && effect.hits == Hits::NONE && effect.saved == 0;
    law!(!effect.passed || nothing, "a pass does nothing"; game, state, effect);
}

fn over<G: Race>(game: &G, state: &G::State) {
    let places = game.standing(state).places;
    let winners: Vec<Seat> = game
        .seats()
        .iter()
        .filter(|&seat| places[seat] == 1)
        .collect();
    let side: Vec<Seat> = winners
        .first()
        .map_or(vec![], |&winner| game.side(winner).iter().collect());
    law!(winners == side, "one seat wins, with its team"; game, state, winners, side);
    let progress = winners
        .iter()
        .map(|&winner| game.progress(state, winner))
        .max();
    let finished = progress == Some(game.course()) || G::CONCEDES;
    law!(finished, "a winner has gone the whole course"; game, state, progress);
}

/// Result sets are what the moves reach.
fn result_sets<G: Game>(game: &G, state: &G::State, random: &mut Stream) {
    for _ in 0..6 {
        let faces: [i64; FACES] = std::array::from_fn(|_| i64::from(random.below(6) as u8) + 1);
        let found = result_set(game, state, &faces).expect("so many faces are enough");
        law!(!found.is_empty(), "a result set is not empty"; game, state, faces);
        let sorted = found.is_sorted_by(|a, b| a < b);
        law!(sorted, "a result set is sorted and unique"; game, state, found);

        let mut script = Script::new(&faces);
        let roll = game
            .read_roll(state, &mut script)
            .expect("so many faces are enough");
        let listed = game.rolls(state).iter().any(|&(listed, _)| listed == roll);
        law!(listed, "a roll that is read can be rolled"; game, state, roll);
        let mut rolled = *state;
        game.roll(&mut rolled, roll);
        let mut reached = HashSet::new();
        reach(game, &rolled, &script, &mut reached);
        let texts: HashSet<String> = reached.iter().map(|state| game.print(state)).collect();
        law!(texts.len() == reached.len(), "positions have texts of their own"; game, state, texts);
        let same = texts.len() == found.len() && found.iter().all(|text| texts.contains(text));
        law!(same, "a result set is what the moves reach"; game, state, found, texts);
    }
}

/// Perft counts every move of every roll.
fn paths<G: Game>(game: &G, state: &G::State) {
    if game.is_mid_roll(state) {
        return;
    }
    let mut paths = 0;
    for &(roll, _) in game.rolls(state) {
        let mut rolled = *state;
        game.roll(&mut rolled, roll);
        paths += count(game, &rolled, &mut G::Moves::default());
    }
    let counted = perft(game, state, 1);
    law!(counted == paths, "perft counts every move of every roll"; game, state, counted, paths);
    // As deep as some hundred thousand paths.
    let depth = match paths {
        0..50 => 3,
        50..500 => 2,
        _ => 1,
    };
    let (one, many) = (
        perft(game, state, depth),
        perft_parallel(game, state, depth),
    );
    law!(one == many, "perft on all cores counts the same"; game, state, one, many);
}

/// Collects the positions after the rest of a roll.
fn reach<G: Game>(
    game: &G,
    state: &G::State,
    script: &Script<'_>,
    reached: &mut HashSet<G::State>,
) {
    match game.turn(state) {
        Turn::Decision(_) => {
            for after in decided(game, state, &mut G::Moves::default()) {
                reach(game, &after, script, reached);
            }
        }
        Turn::Chance(_) if game.is_mid_roll(state) => {
            let (mut script, mut rolled) = (script.clone(), *state);
            let roll = game
                .read_roll(state, &mut script)
                .expect("so many faces are enough");
            game.roll(&mut rolled, roll);
            reach(game, &rolled, &script, reached);
        }
        Turn::Chance(_) | Turn::Over => {
            reached.insert(*state);
        }
    }
}

/// The number of ways to play the rest of a roll.
fn count<G: Game>(game: &G, state: &G::State, moves: &mut G::Moves) -> u64 {
    match game.turn(state) {
        Turn::Decision(_) => {
            let mut paths = 0;
            for state in decided(game, state, moves) {
                paths += count(game, &state, moves);
            }
            paths
        }
        Turn::Chance(_) if game.is_mid_roll(state) => {
            let mut paths = 0;
            for &(roll, _) in game.rolls(state) {
                let mut rolled = *state;
                game.roll(&mut rolled, roll);
                paths += count(game, &rolled, moves);
            }
            paths
        }
        Turn::Chance(_) | Turn::Over => 1,
    }
}

/// The state after each legal move.
fn decided<G: Game>(game: &G, state: &G::State, moves: &mut G::Moves) -> Vec<G::State> {
    game.moves(state, moves);
    let after = |mv| {
        let mut after = *state;
        game.apply(&mut after, mv);
        after
    };
    moves.iter().map(after).collect()
}

/// Chooses as [`walk`] does.
struct Any(Stream);

impl<G: Game> Chooser<G> for Any {
    fn choose(&mut self, _: &G, _: &G::State, _: Seat, moves: &G::Moves) -> usize {
        pick(moves, &mut self.0)
    }
}

/// The game of the play loop with the streams of [`walk`].
fn played<G: Game>(game: &G, block: BlockKey) -> Played {
    let first = game.seats().iter().next().expect("a table has seats");
    play(
        game,
        game.start(first),
        &mut SeededDice::new(block),
        &mut Any(block.stream(Purpose::Bot, Seat::A)),
        &mut Blind,
        &mut G::Moves::default(),
        CAP,
    )
}

#[cfg(test)]
mod tests {
    // The laws know no game; only this test asks the registry for all of them.
    use super::*;
    use crate::experiment::table::TableSpec;
    use crate::games::{NAMES, Visitor, with_game};

    struct EveryTable;

    impl Visitor for EveryTable {
        type Answer = ();

        fn visit<G: Race>(self) {
            let mut tables = 0;
            for preset in G::Rules::presets() {
                for seats in G::seat_sets() {
                    let game = G::new(preset.rules.clone(), seats).expect("a preset can be played");
                    check(&game, 1, 2);
                    tables += 1;
                }
            }
            for option in G::Rules::OPTIONS {
                for value in option.values {
                    let mut spec = TableSpec::of(G::NAME);
                    spec.change(&format!("{}={value}", option.name))
                        .expect("option=value");
                    // Some options need others; the game says so and the presets cover them.
                    if let Ok(game) = spec.game::<G>() {
                        check(&game, 2, 1);
                        tables += 1;
                    }
                }
            }
            assert!(tables > 0);
        }
    }

    #[test]
    fn every_game_keeps_the_laws_at_every_table() {
        for name in NAMES {
            with_game(name, EveryTable).expect("the registry knows its names");
        }
    }
}
