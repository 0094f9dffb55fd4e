//! Positions and moves of the Baikal race as text.

use std::fmt::Write as _;

use crate::engine::game::{Game, PositionError};
use crate::engine::notation::{self, PositionText};
use crate::engine::seat::{Seat, SeatSet};

use super::act::Throw;
use super::moves::Move;
use super::route::Place;
use super::rules::Level;
use super::state::{Code, FRESH, Field, Phase, RESERVE, RING, State, count};
use super::{Baikal, Roll};

impl<const SEATS: usize> Baikal<SEATS> {
    /// A side counted from the one after the slot's own, as its number.
    fn side_at(&self, slot: usize, side: u8) -> u8 {
        (self.sides[slot] + 1 + side) % self.route.sides
    }

    /// [`Baikal::side_at`] backwards.
    fn side_from(&self, slot: usize, number: u8) -> u8 {
        (number + 2 * self.route.sides - 1 - self.sides[slot]) % self.route.sides
    }

    /// A token: `R`, `S`, `1.7`, `1!3`, `H0`, `xC`.
    fn token(&self, slot: usize, code: Code) -> String {
        match self.route.place(code) {
            Place::Reserve => "R".to_owned(),
            Place::Fresh => "S".to_owned(),
            Place::Ring(r) => {
                let side = self.side_at(slot, r / self.route.cells);
                format!("{side}.{}", r % self.route.cells)
            }
            Place::Pocket(side, depth) => {
                format!("{}!{}", self.side_at(slot, side), 2 * depth + 1)
            }
            Place::Lane(depth) => format!("H{depth}"),
            Place::Held(side) => format!("x{}", Seat::new(side.into())),
        }
    }

    /// The code of a token's text.
    fn code(&self, slot: usize, token: &str) -> Option<Code> {
        let number = |digits: &str, below: u8| {
            let number = notation::number(digits)?;
            (number < below.into()).then_some(number as u8)
        };
        let (sides, cells) = (self.route.sides, self.route.cells);
        if let Some((side, cell)) = token.split_once('.') {
            let side = self.side_from(slot, number(side, sides)?);
            return Some(RING + side * cells + number(cell, cells)?);
        }
        if let Some((side, cell)) = token.split_once('!') {
            let side = self.side_from(slot, number(side, sides)?);
            let depth = number(cell, 6).filter(|cell| cell % 2 == 1)? / 2;
            let has_pocket = self.rules.board.arrow.is_some();
            return has_pocket.then(|| self.route.pocket(side, depth));
        }
        if let Some(depth) = token.strip_prefix('H') {
            return Some(self.route.lane + number(depth, 4)?);
        }
        if let Some(captor) = token.strip_prefix('x') {
            let captor: SeatSet = captor.parse().ok().filter(|set: &SeatSet| set.len() == 1)?;
            let captor = captor.iter().next()?;
            let other = self.seats.contains(captor) && captor != self.seat(slot);
            return other.then(|| self.route.held + captor.index() as u8);
        }
        match token {
            "R" => Some(RESERVE),
            "S" => Some(FRESH),
            _ => None,
        }
    }

    fn letters(&self, slots: impl Iterator<Item = usize>) -> String {
        slots.map(|slot| self.seat(slot).letter()).collect()
    }

    /// The order of those home, and last the one that is not, if it is alone.
    fn places(&self, state: &State<SEATS>) -> String {
        let home: Vec<usize> = self.home(state).collect();
        let last = self.slots().filter(|slot| !home.contains(slot));
        self.letters(home.iter().copied().chain(last))
    }
}

pub(super) fn print<const SEATS: usize>(game: &Baikal<SEATS>, state: &State<SEATS>) -> String {
    let mut text = String::new();
    for slot in game.slots() {
        let tokens = state.codes(slot).map(|code| game.token(slot, code));
        let _ = write!(text, "{}:{} ", game.seat(slot), tokens.join(","));
    }
    if state.phase() == Phase::Over {
        let won = if game.rules.play_on {
            game.places(state)
        } else {
            game.seat(state.to()).to_string()
        };
        let _ = write!(text, "won={won}");
        return text;
    }
    let _ = write!(text, "to={}", game.seat(state.to()));
    let skip = game.letters(game.slots().filter(|&slot| state.skips(slot)));
    if !skip.is_empty() {
        let _ = write!(text, " skip={skip}");
    }
    let done = game.letters(game.home(state));
    if !done.is_empty() {
        let _ = write!(text, " done={done}");
    }
    mid_roll(game, state, &mut text);
    text
}

/// What there is to say in the middle of a roll.
fn mid_roll<const SEATS: usize>(game: &Baikal<SEATS>, state: &State<SEATS>, text: &mut String) {
    let die = state.get(Field::DIE);
    let actor = state.actor();
    match state.phase() {
        Phase::Roll | Phase::Over => return,
        Phase::First => {
            let _ = write!(text, " dice={}-{die}", state.get(Field::HIGH));
            return;
        }
        _ if die != 0 => {
            let _ = write!(text, " dice={die}");
        }
        _ => {}
    }
    if state.get(Field::DOUBLE) == 1 {
        text.push_str(" double=1");
    }
    let stays = state.get(Field::STAYS);
    if stays != 0 {
        let _ = write!(text, " stays={}", game.token(state.to(), stays));
    }
    if actor != state.to() {
        let _ = write!(text, " reply={}", game.seat(actor));
    }
    let side = |field| game.side_at(actor, state.get(field));
    match state.phase() {
        Phase::Hop => {
            let [from, at, free] = [Field::FROM, Field::AT, Field::FREE].map(side);
            let throws = state.get(Field::THROWS);
            let _ = write!(text, " transit={from}.{at}.{free}.{throws}");
        }
        Phase::Leave => {
            let [from, at] = [Field::FROM, Field::AT].map(side);
            let stranded = state.get(Field::STRANDED);
            let _ = write!(text, " leave={from}.{at}.{stranded}");
        }
        _ => {}
    }
}

pub(super) fn seats_of(text: &str) -> Result<SeatSet, PositionError> {
    let seats = PositionText::split(text)?.seats;
    Ok(seats.iter().map(|&(seat, _)| seat).collect())
}

const FIELDS: &[&str] = &[
    "to", "skip", "done", "won", "dice", "double", "stays", "reply", "transit", "leave",
];

pub(super) fn parse<const SEATS: usize>(
    game: &Baikal<SEATS>,
    text: &str,
) -> Result<State<SEATS>, PositionError> {
    let parts = PositionText::split(text)?;
    let seats: SeatSet = parts.seats.iter().map(|&(seat, _)| seat).collect();
    if seats != game.seats {
        return Err(PositionError::new(
            "seats",
            format!("the position has {seats}, the table {}", game.seats),
        ));
    }
    parts.only_fields(FIELDS)?;
    let mut tokens = [0; SEATS];
    for (seat, texts) in &parts.seats {
        tokens[game.slot(*seat)] = word(game, *seat, texts)?;
    }
    no_shared_cell(game, &tokens)?;
    let home: Vec<usize> = game
        .slots()
        .filter(|&slot| tokens[slot] == game.route.home)
        .collect();

    if let Some(won) = parts.field("won") {
        if parts.fields.len() > 1 {
            return Err(PositionError::new(
                "won",
                "a finished position has no other field",
            ));
        }
        return finished(game, tokens, &home, won);
    }
    let to = parts.seat_field("to", seats)?.ok_or_else(|| {
        PositionError::new("to", "missing; expected the seat that rolls, e.g. to=A")
    })?;
    let to = game.slot(to);
    let mut state = State::awaiting(tokens, to);
    let done = parts.field("done").unwrap_or_default();
    let over = home.len()
        >= if game.rules.play_on {
            seats.len() - 1
        } else {
            1
        };
    if over {
        return Err(PositionError::new(
            game.letters(home.iter().copied()),
            "all four tokens are home, so the game is over: expected won=…",
        ));
    }
    order(game, &mut state, "done", done, &home)?;
    let skip = slots(game, "skip", parts.field("skip").unwrap_or_default())?;
    for slot in skip {
        if slot == to || home.contains(&slot) {
            let seat = game.seat(slot);
            return Err(PositionError::new(
                "skip",
                format!("{seat} has no turn to skip; expected seats that are to roll later"),
            ));
        }
        state.set_skip(slot);
    }
    if home.contains(&to) {
        return Err(PositionError::new(
            "to",
            "is home; expected a seat that still runs",
        ));
    }
    read_mid_roll(game, &parts, &mut state)?;
    Ok(state)
}

/// A finished position.
fn finished<const SEATS: usize>(
    game: &Baikal<SEATS>,
    tokens: [u32; SEATS],
    home: &[usize],
    won: &str,
) -> Result<State<SEATS>, PositionError> {
    let named = slots(game, "won", won)?;
    let (places, at_home) = if game.rules.play_on {
        (game.count, game.count - 1)
    } else {
        (1, 1)
    };
    if named.len() != places {
        let expected = if places == 1 {
            "one seat, the winner"
        } else {
            "all seats in the order of their places"
        };
        return Err(PositionError::new(
            "won",
            format!("'{won}'; expected {expected}"),
        ));
    }
    let mut state = State::awaiting(tokens, named[0]);
    if game.rules.play_on {
        order(game, &mut state, "won", &won[..at_home], home)?;
    } else if home != named {
        return Err(PositionError::new(
            "won",
            format!("{won} and nobody else must have all four tokens home"),
        ));
    }
    state.end(named[0]);
    Ok(state)
}

/// Notes the order in which the slots at home came there, and refuses any other seat in it.
fn order<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &mut State<SEATS>,
    field: &str,
    text: &str,
    home: &[usize],
) -> Result<(), PositionError> {
    let named = slots(game, field, text)?;
    let mut sorted = named.clone();
    sorted.sort_unstable();
    if sorted != home {
        let home = game.letters(home.iter().copied());
        return Err(PositionError::new(
            field,
            format!("'{text}'; the seats with all four tokens home are '{home}'"),
        ));
    }
    for (index, slot) in named.into_iter().enumerate() {
        state.set_home(index, slot);
    }
    Ok(())
}

/// The slots of a list of seats in play, none twice.
fn slots<const SEATS: usize>(
    game: &Baikal<SEATS>,
    field: &str,
    text: &str,
) -> Result<Vec<usize>, PositionError> {
    let mut slots = Vec::new();
    for letter in text.chars() {
        let seat = Seat::from_letter(letter).filter(|&seat| game.seats.contains(seat));
        let slot = seat
            .map(|seat| game.slot(seat))
            .filter(|slot| !slots.contains(slot));
        slots.push(slot.ok_or_else(|| {
            let seats = game.seats;
            PositionError::new(
                field,
                format!("'{text}'; expected seats in play, of {seats}"),
            )
        })?);
    }
    Ok(slots)
}

/// The word of a seat's four tokens.
fn word<const SEATS: usize>(
    game: &Baikal<SEATS>,
    seat: Seat,
    tokens: &[&str],
) -> Result<u32, PositionError> {
    let error = |reason: String| Err(PositionError::new(seat.to_string(), reason));
    let slot = game.slot(seat);
    if tokens.len() != 4 {
        return error(format!("{} tokens; a seat has exactly 4", tokens.len()));
    }
    let mut codes = [RESERVE; 4];
    for (code, token) in codes.iter_mut().zip(tokens) {
        let Some(found) = game.code(slot, token) else {
            return error(format!(
                "'{token}' is no place; expected R, S, side.cell as 1.7, a pocket cell as 1!3, H0 to H3, or xB held by B"
            ));
        };
        *code = found;
    }
    codes.sort_unstable();
    let word = u32::from_le_bytes(codes);
    let token = |code| game.token(slot, code);
    for pair in codes.windows(2).filter(|pair| pair[0] == pair[1]) {
        match game.route.place(pair[0]) {
            Place::Fresh => {
                return error(
                    "two tokens S; the first must move before the second enters".to_owned(),
                );
            }
            Place::Lane(_) => {
                return error(format!(
                    "two tokens on {}; a lane cell holds one",
                    token(pair[0])
                ));
            }
            Place::Ring(r) if game.route.is_rest(r) => {}
            Place::Ring(_) | Place::Pocket(..) if count(word, pair[0]) > 2 => {
                return error(format!(
                    "{} tokens on {}; a cell holds two",
                    count(word, pair[0]),
                    token(pair[0])
                ));
            }
            _ => {}
        }
    }
    if game.rules.level != Level::Serious {
        if let Some(&held) = codes.iter().find(|&&code| code >= game.route.held) {
            return error(format!("{} is only played in Serious", token(held)));
        }
        // All but one are in the reserve or homed.
        let reserve = count(word, RESERVE);
        let homed = (reserve + 1..4).all(|index| codes[index] == game.route.lane + index as u8);
        if !homed {
            return error("more than one token on its way; only Serious has several".to_owned());
        }
    }
    Ok(word)
}

/// A ring or pocket cell holds tokens of one owner only, corners apart.
fn no_shared_cell<const SEATS: usize>(
    game: &Baikal<SEATS>,
    tokens: &[u32; SEATS],
) -> Result<(), PositionError> {
    for slot in game.slots() {
        for code in tokens[slot].to_le_bytes() {
            let shared = |other: usize| match game.route.place(code) {
                Place::Ring(r) if !game.route.is_rest(r) => {
                    count(tokens[other], RING + game.turned(r, slot, other)) > 0
                }
                Place::Pocket(side, depth) => {
                    let side = game.turned_side(side, slot, other);
                    count(tokens[other], game.route.pocket(side, depth)) > 0
                }
                _ => false,
            };
            if let Some(other) = (0..slot).find(|&other| shared(other)) {
                let (cell, other) = (game.token(slot, code), game.seat(other));
                return Err(PositionError::new(
                    game.seat(slot).to_string(),
                    format!("{cell} is taken by {other}; only a corner is shared"),
                ));
            }
        }
    }
    Ok(())
}

/// The fields of a position in the middle of a roll.
fn read_mid_roll<const SEATS: usize>(
    game: &Baikal<SEATS>,
    parts: &PositionText<'_>,
    state: &mut State<SEATS>,
) -> Result<(), PositionError> {
    let error = |field: &str, reason: &str| Err(PositionError::new(field, reason));
    let given = |name: &&&str| parts.field(name).is_some();
    let others = ["double", "stays", "reply", "transit", "leave"];
    let first_other = others.iter().find(given);
    if let Some((high, low)) = parts.field("dice").and_then(|dice| dice.split_once('-')) {
        let (Some(high), Some(low)) = (face(high), face(low)) else {
            return error("dice", "expected two faces, e.g. 5-3");
        };
        if let Some(other) = first_other {
            return error(other, "not before a die is played");
        }
        game.roll(state, Roll::Dice(high.max(low), high.min(low)));
        return Ok(());
    }
    let die = parts.number_field("dice", 1..=6)?.unwrap_or(0) as u8;
    if die == 0 && first_other.is_none() {
        return Ok(());
    }
    let payer = state.to();
    state.set(Field::DIE, die);
    let double = parts.number_field("double", 1..=1)?.is_some();
    state.set(Field::DOUBLE, u8::from(double));
    if let Some(token) = parts.field("stays") {
        let code = game.code(payer, token).unwrap_or(RESERVE);
        let on_ring = matches!(game.route.place(code), Place::Ring(r) if !game.route.is_rest(r));
        let splits = game.rules.double_block && game.rules.level == Level::Serious;
        if !(double && die != 0 && splits && on_ring && count(state.tokens[payer], code) > 0) {
            return error(
                "stays",
                "expected an own token on the ring, which may not share a double",
            );
        }
        state.set(Field::STAYS, code);
    }
    if let Some(captor) = parts.seat_field("reply", game.seats)? {
        let slot = game.slot(captor);
        if slot == payer
            || game.rules.level != Level::Serious
            || state.tokens[slot] == game.route.home
        {
            return error("reply", "expected a captor, in Serious");
        }
        state.set(Field::ACTOR, slot as u8);
    }
    match (parts.field("transit"), parts.field("leave")) {
        (Some(_), Some(_)) => return error("leave", "not while a token is on Transit"),
        (Some(text), None) => {
            let [from, at, free, throws] = numbers::<4>(text)
                .filter(|&[.., throws]| throws < 4)
                .ok_or_else(|| {
                    PositionError::new("transit", "expected landed.reached.free.throws")
                })?;
            on_transit(game, state, "transit", [from, at, free])?;
            state.set(Field::FREE, game.side_from(state.actor(), free));
            state.set(Field::THROWS, throws);
            state.set_phase(Phase::Hop);
        }
        (None, Some(text)) => {
            let [from, at, stranded] = numbers::<3>(text)
                .filter(|&[.., stranded]| stranded < 2)
                .ok_or_else(|| PositionError::new("leave", "expected landed.reached.stranded"))?;
            on_transit(game, state, "leave", [from, at, at])?;
            state.set(Field::STRANDED, stranded);
            state.set_phase(Phase::Leave);
        }
        (None, None) if state.actor() != payer => {
            state.set_phase(Phase::Reply);
            if !game.has_reply(state) {
                return error("reply", "has no six to move");
            }
        }
        (None, None) => {
            if die == 0 || !game.can_use(state, die) {
                return error("dice", "expected a die that can be used");
            }
            state.set_phase(Phase::Second);
        }
    }
    Ok(())
}

/// A token on Transit: the side it landed on and those it reached.
fn on_transit<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &mut State<SEATS>,
    field: &str,
    sides: [u8; 3],
) -> Result<(), PositionError> {
    let slot = state.actor();
    let exist = sides.iter().all(|&side| side < game.route.sides);
    let [from, at, free] = sides.map(|side| game.side_from(slot, side));
    let has_transit = game.rules.board.transit.is_some();
    let stands =
        exist && has_transit && count(state.tokens[slot], RING + game.route.transit(from)) > 0;
    // A way out must be left; blocks stand in nobody's way where they cannot be.
    let open = |r| stands && !game.is_block(state, slot, r);
    let reached = open(game.route.transit_exit(at)) || open(game.route.transit(free));
    if !stands || !(reached || free == from) {
        return Err(PositionError::new(
            field,
            "expected the sides of a token on Transit",
        ));
    }
    state.set(Field::FROM, from);
    state.set(Field::AT, at);
    Ok(())
}

/// Numbers below 10 with points between them.
fn numbers<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut numbers = [0; N];
    let mut digits = text.split('.');
    for number in &mut numbers {
        *number = digits
            .next()
            .and_then(notation::number)
            .filter(|&number| number < 10)? as u8;
    }
    digits.next().is_none().then_some(numbers)
}

fn face(text: &str) -> Option<u8> {
    let face = notation::number(text)?;
    (1..=6).contains(&face).then_some(face as u8)
}

pub(super) fn roll_text(roll: Roll) -> String {
    match roll {
        Roll::Dice(high, low) => format!("{high}-{low}"),
        Roll::Transit(Throw::Out) => "Transit 1 or 2".to_owned(),
        Roll::Transit(Throw::Next) => "Transit 3 or 4".to_owned(),
        Roll::Transit(Throw::Opposite) => "Transit 5 or 6".to_owned(),
    }
}

/// `6:1.7>2.1`, with `x` for a capture and `#` for the end; `6:xC>R` is a ransom.
pub(super) fn move_text<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &State<SEATS>,
    mv: Move,
) -> String {
    if mv == Move::PASS {
        return "–".to_owned();
    }
    let slot = state.actor();
    let mut after = *state;
    let (effect, _) = game.play(&mut after, mv);
    // The token's new place is the one that was not there before, or not as often.
    let [before, now] = [state.tokens[slot], after.tokens[slot]];
    let mut codes = now.to_le_bytes().into_iter();
    let to = codes.find(|&code| count(now, code) > count(before, code));
    let from = if mv == Move::LEAVE {
        game.token(slot, RING + game.route.transit(state.get(Field::FROM)))
    } else {
        format!("{}:{}", mv.die(), game.token(slot, mv.code()))
    };
    let to = to.map_or("stays".to_owned(), |code| game.token(slot, code));
    let mark = match (effect.ends_game, effect.hits.is_none()) {
        (true, _) => "#",
        (false, false) => "x",
        (false, true) => "",
    };
    format!("{from}>{to}{mark}")
}

pub(super) fn why_no_move<const SEATS: usize>(
    game: &Baikal<SEATS>,
    state: &State<SEATS>,
) -> String {
    let slot = state.actor();
    let (die, high) = (state.get(Field::DIE), state.get(Field::HIGH));
    let dice = match high {
        0 => format!("a {die}"),
        _ if high == die => format!("a {die}"),
        _ => format!("a {high} or a {die}"),
    };
    let mut tokens: Vec<String> = state.codes(slot).map(|code| game.token(slot, code)).into();
    tokens.dedup();
    format!("no token on {} can use {dice}", tokens.join(", "))
}
