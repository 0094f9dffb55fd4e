//! Mensch ärgere dich nicht, written a second time: slow, plain, and independent of the engine.
//!
//! This file is the oracle of the tests and the baseline of the benches, so it prefers the obvious
//! to the fast: a token is a number, a move counts its cells one at a time, a list is a `Vec`.
//! Rule numbers (1.4, 1.5 rule 1, A8) are those of the rules page; words in «guillemets» are its source.
//!
//! A seat sees the board as one straight road, so a token is its offset on that road:
//!
//! ```text
//!   yard        ring, one lap                            lane
//!    -1  |  0   1   2   3  …  37  38  39  |  40  41  42  43
//!    H   | start                entrance  |  L1  L2  L3  L4
//! ```
//!
//! Seat A (0) starts on the ring cell r0, B on r10, C on r20, D on r30: the ring cell of an offset
//! is `10 * seat + offset`, modulo 40 (1.1).

// Several test and bench targets include this file, and each uses only a part of it.
#![allow(dead_code)]

use rand::{Rng, RngExt};

/// The offset of a token in the yard.
pub const YARD: i8 = -1;
/// The offset of the own start cell.
pub const START: i8 = 0;
/// The offset of L1, the first lane cell.
pub const LANE: i8 = 40;
/// The offset of L4, the last lane cell.
pub const LAST: i8 = 43;

/// Every option of 1.7 and 1.9.
#[derive(Clone, Debug, PartialEq, Eq)]
// The rules page names each of these as an independent on/off option.
#[allow(clippy::struct_excessive_bools)]
pub struct NaiveRules {
    /// «Бить обязательно»: who can capture must capture (1.5 rule 3).
    pub forced_capture: bool,
    /// «Прыжки на финишной дорожке»: own lane tokens may be jumped over.
    pub lane_jump: bool,
    /// «Одна фишка уже на старте»: one token of each seat begins on its start cell.
    pub one_out: bool,
    /// Rolls in the three-tries state: 3 or 1.
    pub tries: u8,
    /// A six with no legal move keeps the turn (A1).
    pub bonus_on_unplayable_six: bool,
    /// The token that blocks the one on the start must move in its place (A8).
    pub vacate_chain: bool,
    /// Forced capture comes before vacating the start and bringing out (A10).
    pub capture_before_vacate: bool,
    /// Any roll may be declined (A15).
    pub may_pass: bool,
    /// A capture gives one more roll.
    pub capture_gives_roll: bool,
    /// Too large a number turns round on L4 (A22).
    pub bounce: bool,
}

impl Default for NaiveRules {
    fn default() -> Self {
        NaiveRules {
            forced_capture: true,
            lane_jump: false,
            one_out: false,
            tries: 3,
            bonus_on_unplayable_six: false,
            vacate_chain: false,
            capture_before_vacate: false,
            may_pass: false,
            capture_gives_roll: false,
            bounce: false,
        }
    }
}

impl NaiveRules {
    /// Sets one option by the name and value text of the golden files; `None` if there is no such option or value.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        if name == "tries" {
            self.tries = match value {
                "3" => 3,
                "1" => 1,
                _ => return None,
            };
            return Some(());
        }
        let option = match name {
            "forced_capture" => &mut self.forced_capture,
            "lane_jump" => &mut self.lane_jump,
            "one_out" => &mut self.one_out,
            "bonus_on_unplayable_six" => &mut self.bonus_on_unplayable_six,
            "vacate_chain" => &mut self.vacate_chain,
            "capture_before_vacate" => &mut self.capture_before_vacate,
            "may_pass" => &mut self.may_pass,
            "capture_gives_roll" => &mut self.capture_gives_roll,
            "bounce" => &mut self.bounce,
            _ => return None,
        };
        *option = value.parse().ok()?;
        Some(())
    }
}

/// A position in which a roll is awaited, or a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Four offsets a seat in ascending order, which is order of travel; `None` for a vacant seat.
    pub tokens: [Option<[i8; 4]>; 4],
    /// What happens next.
    pub next: Next,
}

/// What happens next in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// `seat` rolls; `tries` rolls are left in its series, this one included.
    Roll {
        /// The seat that rolls.
        seat: usize,
        /// 3 or 2 in a series of three tries, otherwise 1.
        tries: u8,
    },
    /// The game is over and this seat has won.
    Won(usize),
}

/// One token of the rolling seat goes from one offset to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Where the token stands; the yard when it is brought out.
    pub from: i8,
    /// Where it arrives.
    pub to: i8,
    /// The seat whose token is sent home.
    pub captured: Option<usize>,
}

/// What a seat can do with a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play a legal move.
    Move(Move),
    /// Nothing can be played.
    Nothing,
    /// Let the roll go although something else was possible (`may_pass`).
    Decline,
}

impl Position {
    /// The start of a game (1.2); the first of `seats` begins.
    pub fn start(rules: &NaiveRules, seats: &[usize]) -> Position {
        let mut tokens = [None; 4];
        for &seat in seats {
            let first_token = if rules.one_out { START } else { YARD };
            tokens[seat] = Some([YARD, YARD, YARD, first_token]);
        }
        let mut position = Position {
            tokens,
            next: Next::Won(seats[0]), // replaced at once
        };
        position.begin_turn(rules, seats[0]);
        position
    }

    /// Reads a line such as `A:H,H,r0,L2 C:H,H,H,r28 to=A tries=2`; `None` if it is no position.
    pub fn parse(text: &str) -> Option<Position> {
        let mut words = text.split(' ').peekable();

        let mut tokens = [None; 4];
        let mut lowest_seat = 0; // seats come in alphabetical order
        while let Some((name, list)) = words.peek().and_then(|word| word.split_once(':')) {
            let seat = parse_seat(name).filter(|&seat| seat >= lowest_seat)?;
            let mut own = Vec::new();
            for name in list.split(',') {
                own.push(parse_cell(seat, name)?);
            }
            own.sort_unstable();
            tokens[seat] = Some(own.try_into().ok()?);
            lowest_seat = seat + 1;
            words.next();
        }

        let (key, name) = words.next()?.split_once('=')?;
        let seat = parse_seat(name).filter(|&seat| tokens[seat].is_some())?;
        let next = match key {
            "to" => {
                let tries = match words.next() {
                    None | Some("tries=1") => 1,
                    Some("tries=2") => 2,
                    Some("tries=3") => 3,
                    Some(_) => return None,
                };
                Next::Roll { seat, tries }
            }
            "won" => Next::Won(seat),
            _ => return None,
        };

        let position = Position { tokens, next };
        (words.next().is_none() && position.is_sound()).then_some(position)
    }

    /// Two or more seats, one token a cell, and all four tokens in the lane exactly for a winner.
    fn is_sound(&self) -> bool {
        let mut taken = Vec::new();
        for seat in self.seats() {
            for offset in self.own(seat) {
                let cell = cell_name(seat, offset);
                let place = if offset >= LANE {
                    format!("{seat}{cell}") // each seat has its own L1
                } else {
                    cell
                };
                if offset != YARD && taken.contains(&place) {
                    return false;
                }
                taken.push(place);
            }
            if all_in_lane(self.own(seat)) != (self.next == Next::Won(seat)) {
                return false;
            }
        }
        self.seats().len() >= 2
    }

    /// The canonical text.
    pub fn print(&self) -> String {
        let mut words = Vec::new();
        for seat in self.seats() {
            let cells = self.own(seat).map(|offset| cell_name(seat, offset));
            words.push(format!("{}:{}", seat_name(seat), cells.join(",")));
        }
        match self.next {
            Next::Roll { seat, tries } => {
                words.push(format!("to={}", seat_name(seat)));
                if tries > 1 {
                    words.push(format!("tries={tries}"));
                }
            }
            Next::Won(seat) => words.push(format!("won={}", seat_name(seat))),
        }
        words.join(" ")
    }

    /// The seats in play, in turn order.
    pub fn seats(&self) -> Vec<usize> {
        (0..4).filter(|&seat| self.tokens[seat].is_some()).collect()
    }

    /// The four tokens of a seat in play.
    pub fn own(&self, seat: usize) -> [i8; 4] {
        self.tokens[seat].expect("the seat is in play")
    }

    /// The seat that rolls.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn roller(&self) -> usize {
        match self.next {
            Next::Roll { seat, .. } => seat,
            Next::Won(_) => panic!("nobody rolls in a finished game: {}", self.print()),
        }
    }

    /// The other seat that has a token on the ring cell where `seat` has its offset `to`.
    fn enemy_on(&self, seat: usize, to: i8) -> Option<usize> {
        if to >= LANE {
            return None; // nobody else can go there
        }
        let is_there = |other: usize| {
            let on_ring = |offset: &i8| (START..LANE).contains(offset);
            let mut ring_tokens = self.own(other).into_iter().filter(on_ring);
            ring_tokens.any(|offset| ring_cell(other, offset) == ring_cell(seat, to))
        };
        let mut others = self.seats().into_iter().filter(|&other| other != seat);
        others.find(|&other| is_there(other))
    }

    /// Lifts one token of `seat` from one offset and puts it down on another.
    fn carry(&mut self, seat: usize, from: i8, to: i8) {
        let own = self.tokens[seat].as_mut().expect("the seat is in play");
        let lifted = own.iter().position(|&offset| offset == from);
        own[lifted.expect("a token stands on `from`")] = to;
        own.sort_unstable();
    }

    /// A new turn of `seat` begins.
    fn begin_turn(&mut self, rules: &NaiveRules, seat: usize) {
        let tries = tries_of_a_new_turn(rules, self.own(seat));
        self.next = Next::Roll { seat, tries };
    }

    /// The turn passes clockwise to the next seat in play.
    fn pass_turn(&mut self, rules: &NaiveRules, seat: usize) {
        let mut next_seat = (seat + 1) % 4;
        while self.tokens[next_seat].is_none() {
            next_seat = (next_seat + 1) % 4;
        }
        self.begin_turn(rules, next_seat);
    }
}

/// How many rolls a seat gets in search of a six when its turn begins (1.3, A2).
///
/// Three if no token is on the ring and none in the lane has a free cell directly ahead,
/// whatever `lane_jump` (A3) and `bounce` say.
pub fn tries_of_a_new_turn(rules: &NaiveRules, own: [i8; 4]) -> u8 {
    let could_advance = |&offset: &i8| match offset {
        YARD | LAST => false,
        START..LANE => true,
        _ => !own.contains(&(offset + 1)),
    };
    if own.iter().any(could_advance) {
        1
    } else {
        rules.tries
    }
}

/// Where the token on `from` arrives, counting cell by cell; `None` if it cannot go `die` cells (1.4).
fn destination(rules: &NaiveRules, own: [i8; 4], from: i8, die: u8) -> Option<i8> {
    if from == YARD {
        return (die == 6 && !own.contains(&START)).then_some(START);
    }
    // The moving token is off the board while it moves: it is not in its own way.
    let in_the_way = |cell: i8| cell != from && own.contains(&cell);
    let mut cell = from;
    let mut direction = 1;
    for step in 1..=die {
        if cell == LAST {
            if !rules.bounce {
                return None; // «дальше последней клетки идти нельзя»
            }
            direction = -1;
        }
        cell += direction;
        if direction == -1 && cell < LANE {
            return None;
        }
        let only_passing = step < die;
        if only_passing && cell >= LANE && !rules.lane_jump && in_the_way(cell) {
            return None;
        }
    }
    (!in_the_way(cell)).then_some(cell)
}

/// The physically possible moves (1.4), sorted. Tokens in the yard are alike: one move for all (A32).
fn possible(rules: &NaiveRules, position: &Position, die: u8) -> Vec<Move> {
    let seat = position.roller();
    let own = position.own(seat);
    let mut moves = Vec::new();
    for from in own {
        if let Some(to) = destination(rules, own, from, die) {
            let captured = position.enemy_on(seat, to);
            moves.push(Move { from, to, captured });
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// The legal moves (1.5), sorted, without duplicates; empty if nothing can be played.
pub fn legal(rules: &NaiveRules, position: &Position, die: u8) -> Vec<Move> {
    let own = position.own(position.roller());
    let possible = possible(rules, position, die);
    let mut captures = possible.clone();
    captures.retain(|candidate| candidate.captured.is_some());
    let must_capture = rules.forced_capture && !captures.is_empty();

    if must_capture && rules.capture_before_vacate {
        return captures;
    }
    // Rule 1: vacate the start.
    if let Some(duty) = vacating(rules, own, &possible, die) {
        return vec![duty];
    }
    // Rule 2: bring out.
    if let Some(&bring_out) = possible.iter().find(|candidate| candidate.from == YARD) {
        return vec![bring_out];
    }
    // Rule 3: forced capture.
    if must_capture {
        return captures;
    }
    // Rule 4: free choice.
    possible
}

/// The move that 1.5 rule 1 demands: the token on the start, or with `vacate_chain` the first of its blockers that can go.
fn vacating(rules: &NaiveRules, own: [i8; 4], possible: &[Move], die: u8) -> Option<Move> {
    if !own.contains(&YARD) {
        return None; // A13
    }
    let mut from = START;
    while own.contains(&from) {
        if let Some(&duty) = possible.iter().find(|candidate| candidate.from == from) {
            return Some(duty);
        }
        if !rules.vacate_chain {
            return None; // A8: the duty lapses
        }
        from += die.cast_signed();
    }
    None
}

/// Everything the rolling seat can do with this roll; never empty.
///
/// Declining is listed only where it differs from having nothing to play: then the turn passes anyway,
/// unless tries are left or an unplayable six keeps it.
pub fn choices(rules: &NaiveRules, position: &Position, die: u8) -> Vec<Choice> {
    let mut choices = Vec::new();
    for candidate in legal(rules, position, die) {
        choices.push(Choice::Move(candidate));
    }
    if choices.is_empty() {
        choices.push(Choice::Nothing);
    }
    if rules.may_pass {
        let declined = play(rules, position, die, Choice::Decline);
        if choices[0] != Choice::Nothing || play(rules, position, die, Choice::Nothing) != declined
        {
            choices.push(Choice::Decline);
        }
    }
    choices
}

/// The position after a roll was played out in one way (1.3).
///
/// # Panics
///
/// If the game is over, or if no token stands where the move begins.
pub fn play(rules: &NaiveRules, position: &Position, die: u8, choice: Choice) -> Position {
    let Next::Roll { seat, tries } = position.next else {
        panic!("nobody plays in a finished game: {}", position.print());
    };
    let tries_left = tries.min(rules.tries) - 1;
    let once_more = Next::Roll { seat, tries: 1 };
    let mut after = position.clone();
    match choice {
        Choice::Move(Move { from, to, captured }) => {
            if let Some(victim) = captured {
                let cell = ring_cell(seat, to);
                after.carry(victim, (cell - 10 * victim as i8).rem_euclid(40), YARD);
            }
            after.carry(seat, from, to);
            if all_in_lane(after.own(seat)) {
                after.next = Next::Won(seat); // A25: at once, also with a six
            } else if die == 6 || rules.capture_gives_roll && captured.is_some() {
                after.next = once_more;
            } else {
                after.pass_turn(rules, seat);
            }
        }
        Choice::Nothing if die == 6 && rules.bonus_on_unplayable_six => after.next = once_more,
        Choice::Nothing if tries_left > 0 => {
            after.next = Next::Roll {
                seat,
                tries: tries_left,
            };
        }
        Choice::Nothing | Choice::Decline => after.pass_turn(rules, seat),
    }
    after
}

/// The result set of a roll: the texts of all positions it can lead to, sorted, without duplicates.
pub fn results(rules: &NaiveRules, position: &Position, die: u8) -> Vec<String> {
    let mut texts = Vec::new();
    for choice in choices(rules, position, die) {
        texts.push(play(rules, position, die, choice).print());
    }
    texts.sort();
    texts.dedup();
    texts
}

/// The number of sequences of `depth` rolls with what was done with each (3.7).
///
/// A finished game ends a sequence, which then counts only if it has the full length.
pub fn perft(rules: &NaiveRules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if matches!(position.next, Next::Won(_)) {
        return 0;
    }
    let mut sequences = 0;
    for die in 1..=6 {
        for choice in choices(rules, position, die) {
            let after = play(rules, position, die, choice);
            sequences += perft(rules, &after, depth - 1);
        }
    }
    sequences
}

/// What a token on the own start cell has travelled (A17): «пройденный путь» leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartCounts {
    /// The start is the first cell of the way, L4 the 44th: the reading of the rules page.
    One,
    /// The start is where the way begins, like the yard.
    Zero,
}

/// How far the tokens of a seat have come in all (1.6).
pub fn distance(own: [i8; 4], start_counts: StartCounts) -> i32 {
    let mut sum = 0;
    for offset in own {
        sum += i32::from(match start_counts {
            StartCounts::One => offset + 1,
            StartCounts::Zero => offset.max(START),
        });
    }
    sum
}

/// The place of every seat in play, in seat order: lane tokens first, then distance; equal seats share (1.6, A18).
pub fn places(position: &Position, start_counts: StartCounts) -> Vec<(usize, usize)> {
    let score = |seat: usize| {
        let own = position.own(seat);
        let in_lane = own.iter().filter(|&&offset| offset >= LANE).count();
        (in_lane, distance(own, start_counts))
    };
    let seats = position.seats();
    let mut places = Vec::new();
    for &seat in &seats {
        let better = seats.iter().filter(|&&other| score(other) > score(seat));
        places.push((seat, better.count() + 1));
    }
    places
}

/// Plays a game from `start` to its end, every choice uniformly at random: the winner and the number of rolls.
pub fn random_game<R: Rng>(rules: &NaiveRules, start: &Position, rng: &mut R) -> (usize, u64) {
    let mut position = start.clone();
    let mut rolls = 0;
    loop {
        if let Next::Won(winner) = position.next {
            return (winner, rolls);
        }
        let die = rng.random_range(1..=6);
        rolls += 1;
        let choices = choices(rules, &position, die);
        let choice = choices[rng.random_range(0..choices.len())];
        position = play(rules, &position, die, choice);
    }
}

/// A move as the rules page writes it: `r0>r6`, `H>r0x` for a capture, `r34>L1#` for the winning one.
pub fn move_name(position: &Position, played: Move) -> String {
    let seat = position.roller();
    let mut after = position.clone();
    after.carry(seat, played.from, played.to);
    let from = cell_name(seat, played.from);
    let to = cell_name(seat, played.to);
    let capture = if played.captured.is_some() { "x" } else { "" };
    let win = if all_in_lane(after.own(seat)) {
        "#"
    } else {
        ""
    };
    format!("{from}>{to}{capture}{win}")
}

fn all_in_lane(own: [i8; 4]) -> bool {
    own.iter().all(|&offset| offset >= LANE)
}

/// The absolute ring cell, 0 to 39, of an offset on the ring.
fn ring_cell(seat: usize, offset: i8) -> i8 {
    (10 * seat as i8 + offset) % 40
}

fn seat_name(seat: usize) -> &'static str {
    ["A", "B", "C", "D"][seat]
}

fn parse_seat(name: &str) -> Option<usize> {
    (0..4).find(|&seat| seat_name(seat) == name)
}

fn cell_name(seat: usize, offset: i8) -> String {
    match offset {
        YARD => "H".to_string(),
        START..LANE => format!("r{}", ring_cell(seat, offset)),
        _ => format!("L{}", offset - LANE + 1),
    }
}

fn parse_cell(seat: usize, name: &str) -> Option<i8> {
    (YARD..=LAST).find(|&offset| cell_name(seat, offset) == name)
}
