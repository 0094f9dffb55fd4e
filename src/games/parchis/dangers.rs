//! What a learned evaluator sees of a position of Parchís, in the second version: besides the
//! tokens what stands how far behind what, and what an enemy that moves at random is expected to take.
//!
//! | inputs | what |
//! |---|---|
//! | 4 × 79 | the tokens of the seat itself and of the corners one, two and three on, as in the first version |
//! | 3 | whether somebody sits one, two and three corners on |
//! | 4 | who rolls next, counted in corners from the seat |
//! | 2 | whether one or two sixes were rolled in the turn |
//! | 3 | pips each other corner has come, over 72 |
//! | 64 | the ring squares with two own tokens |
//! | 27 | how many enemies stand 1, 2, … 27 squares behind an own token that is on no safe square |
//! | 27 | the same, each with the pips of that token over 64 |
//! | 27 | how many own tokens stand 1, 2, … 27 squares behind an enemy that is on no safe square |
//! | 3 | own tokens alone on the start of an enemy who waits to enter: how many, and their pips over 64; enemies alone on the own start, if an own token waits |
//! | 3 × 2 | for each other corner: own tokens, times 2, and their pips, over 18, that its next roll is expected to take if it moves at random |
//! | 6 | the faces with which the own next roll can capture with its first step |
//! | 3 | pips the others have come, the furthest first, over 72 |
//! | 4 | the tokens at the goal of the one who has come furthest |
//! | 3 × 12 | whether that one, and the seat itself, has no more than so many pips to go; whether that one has more to go than the seat itself by so many |
//! | 2 | own tokens that could walk 10 and 20 squares |
//! | 6 | own pips, over 72; their squares, over 72²; own tokens on safe squares, over 2; own barriers; `held` over 4 and `stuck` over 2, as `racer` counts them |
//! | 1 | `at_stake` of `racer`, over 12 |

use crate::engine::game::{Game, MoveSet, Turn};
use crate::engine::race::{Inputs, input};
use crate::engine::seat::Seat;
use crate::games::pachisi::features::{TOKENS, show};
use crate::games::pachisi::{
    Board, GOAL, LANE, Place, QUARTER, RING, START, has, is_on_ring, ones_of, seen_from,
};

use super::insight::{REACH, at_stake, behind};
use super::moves::{Move, Moves, barrier_tokens, walkers};
use super::state::State;
use super::{Parchis, captures};

/// How far behind one another tokens are seen.
const APART: usize = 27;
/// The pips to go that are told apart.
const TO_GO: [u32; 12] = [6, 12, 20, 30, 42, 56, 72, 90, 112, 140, 180, 230];
/// The leads in pips that are told apart.
const LEADS: [i32; 12] = [-100, -70, -45, -25, -10, 0, 10, 25, 45, 70, 100, 140];
/// Pips of four tokens at the goal.
const COURSE: u32 = 4 * GOAL as u32;
/// Squares of the ring: bit 0 the start of the seat that looks.
const ALL: u128 = (1 << RING) - 1;

const RACE: usize = 3 + 4 + 3 * TO_GO.len() + 2 + 6 + 1;

pub(super) const INPUTS: Inputs = Inputs {
    version: 2,
    count: 4 * TOKENS + 3 + 4 + 2 + 3 + 64 + 3 * APART + 3 + 3 * 2 + 6 + RACE,
};

/// Hands out the inputs, the first ones first.
struct Rest<'a>(&'a mut [f32]);

impl<'a> Rest<'a> {
    fn next<const COUNT: usize>(&mut self) -> &'a mut [f32; COUNT] {
        let rest = std::mem::take(&mut self.0);
        let (next, rest) = rest.split_first_chunk_mut().expect("they are counted");
        self.0 = rest;
        next
    }
}

/// A board as one seat sees it.
struct Sight<'a> {
    game: &'a Parchis,
    board: Board,
    /// The tokens of each corner, from the own one on; nobody's are all 0x7f.
    tokens: [[Place; 4]; 4],
    /// The ring squares each corner has tokens on.
    taken: [u128; 4],
}

impl Parchis {
    pub(super) fn write_dangers(&self, state: &State, seat: Seat, out: &mut [f32]) {
        let sight = Sight::of(self, state.board.seen_by(seat));
        let mut rest = Rest(out);
        for corner in 0..4 {
            let tokens = rest.next::<TOKENS>();
            if corner == 0 || sight.sits(corner) {
                show(sight.tokens[corner], tokens);
            }
        }
        let sits = rest.next::<3>();
        rest.next::<4>()[(state.to().index() + 4 - seat.index()) & 3] = 1.0;
        let sixes = rest.next::<2>();
        if state.sixes() > 0 {
            sixes[usize::from(state.sixes()) - 1] = 1.0;
        }
        let pips = rest.next::<3>();
        for corner in (1..4).filter(|&corner| sight.sits(corner)) {
            sits[corner - 1] = 1.0;
            pips[corner - 1] = input(f64::from(sight.pips(corner)) / f64::from(GOAL));
        }
        let pairs = rest.next::<64>();
        let [own, ..] = sight.tokens;
        for two in own.windows(2) {
            if two[0] == two[1] && is_on_ring(two[0]) {
                pairs[usize::from(two[0]) - 1] = 1.0;
            }
        }
        sight.write_distances(rest.next(), rest.next(), rest.next());
        sight.write_entries(rest.next());
        sight.write_tolls(rest.next());
        let faces = sight.faces_that_capture();
        for (face, out) in rest.next::<6>().iter_mut().enumerate() {
            *out = f32::from(faces >> face & 1);
        }
        let (furthest, goals) = (rest.next(), rest.next());
        let ways = [rest.next(), rest.next(), rest.next()];
        sight.write_race(furthest, goals, ways);
        for (bonus, out) in [10, 20].into_iter().zip(rest.next::<2>()) {
            let walkers = walkers(&sight.board, bonus, self.switches);
            *out = input(f64::from(walkers.count_ones()));
        }
        sight.write_sums(rest.next());
        let [stake] = rest.next();
        if state.to() == seat {
            *stake = input(at_stake(state) / 12.0);
        }
    }
}

impl<'a> Sight<'a> {
    fn of(game: &'a Parchis, board: Board) -> Sight<'a> {
        let tokens = [0, 1, 2, 3].map(|corner| board.tokens(corner).to_le_bytes());
        let taken = [0, 1, 2, 3].map(|corner| {
            let on_ring = tokens[corner].iter().filter(|&&place| is_on_ring(place));
            let squares = on_ring.map(|place| (place - START + QUARTER * corner as u8) % RING);
            squares.fold(0, |taken, square| taken | 1 << square)
        });
        Sight {
            game,
            board,
            tokens,
            taken,
        }
    }

    /// Whether somebody sits at another corner.
    fn sits(&self, corner: usize) -> bool {
        self.tokens[corner][0] <= GOAL
    }

    fn pips(&self, corner: usize) -> u32 {
        self.tokens[corner].into_iter().map(u32::from).sum()
    }

    fn is_safe(&self, place: Place) -> bool {
        has(self.game.switches.safe, place)
    }

    /// Who stands how far behind whom.
    fn write_distances(
        &self,
        behind_own: &mut [f32; APART],
        pips_of_own: &mut [f32; APART],
        behind_theirs: &mut [f32; APART],
    ) {
        let own = self.tokens[0];
        for corner in (1..4).filter(|&corner| self.sits(corner)) {
            let theirs = self.tokens[corner];
            for place in own.into_iter().filter(|&place| !self.is_safe(place)) {
                for apart in distances(theirs, seen_from(place, corner as u8)) {
                    behind_own[apart - 1] += 1.0;
                    pips_of_own[apart - 1] += input(f64::from(place) / 64.0);
                }
            }
            for place in theirs.into_iter().filter(|&place| !self.is_safe(place)) {
                for apart in distances(own, seen_from(place, 4 - corner as u8)) {
                    behind_theirs[apart - 1] += 1.0;
                }
            }
        }
    }

    /// Who can be captured by a token that enters.
    fn write_entries(&self, [tokens, pips, prey]: &mut [f32; 3]) {
        let is_alone = |tokens: [Place; 4], start: Place| {
            let here = tokens.iter().filter(|&&place| place == start);
            here.count() == 1
        };
        let own = self.tokens[0];
        for corner in (1..4).filter(|&corner| self.sits(corner)) {
            let theirs = self.tokens[corner];
            if let Some(start) = seen_from(START, 4 - corner as u8)
                && theirs[0] == 0
                && is_alone(own, start)
            {
                *tokens += 1.0;
                *pips += input(f64::from(start) / 64.0);
            }
            let own_start = seen_from(START, corner as u8);
            if own[0] == 0 && own_start.is_some_and(|start| is_alone(theirs, start)) {
                *prey += 1.0;
            }
        }
    }

    /// What the next roll of each enemy is expected to take, if it moves at random.
    fn write_tolls(&self, out: &mut [f32; 6]) {
        for (corner, enemy) in self.game.enemies(&self.board) {
            let mut toll = (0.0, 0.0);
            let faces = self.faces_to_look_at(corner);
            if faces != 0 {
                let board = self.board.seen_by(enemy);
                for die in (1..=6).filter(|die| faces >> (die - 1) & 1 == 1) {
                    let state = rolled(board, die);
                    add_toll(self.game, &state, 4 - corner, 1.0 / 6.0, &mut toll);
                }
            }
            out[2 * corner - 2] = input(2.0 * toll.0);
            out[2 * corner - 1] = input(toll.1 / 18.0);
        }
    }

    /// The faces with which the own next roll can capture with its first step: bit `face - 1`.
    fn faces_that_capture(&self) -> u8 {
        let mut found = self.faces_to_look_at(0);
        for die in 1..=6 {
            if found >> (die - 1) & 1 == 1 {
                let state = rolled(self.board, die);
                let mut moves = Moves::default();
                self.game.moves(&state, &mut moves);
                let mut steps = moves.iter().filter(|mv| mv.walks());
                let is_capture =
                    |mv: Move| captures(state.board.at(mv.to()), mv, self.game.switches);
                found &= !(u8::from(!steps.any(is_capture)) << (die - 1));
            }
        }
        found
    }

    /// All faces, and perhaps others, with which a corner takes somebody, or reaches the goal and
    /// may take somebody with the bonus: bit `face - 1`. Most positions have few, and to play out
    /// the others would take most of the time of an evaluation.
    fn faces_to_look_at(&self, corner: usize) -> u8 {
        let others = (0..4).filter(|&other| other != corner);
        let others = others.fold(0, |all, other| all | self.taken[other]);
        let (mine, others) = (turned(self.taken[corner], corner), turned(others, corner));
        let victims = others & !self.game.switches.safe;
        let mut lengths = 0;
        for length in 1..=REACH {
            lengths |= u8::from(mine << length & victims != 0) << (length - 1);
        }
        for place in self.tokens[corner] {
            if (LANE..GOAL).contains(&place) {
                lengths |= 1 << (GOAL - place - 1);
            }
        }
        if self.tokens[corner][0] == 0 && others & 1 != 0 {
            lengths |= 1 << 4;
        }
        // A six may count seven.
        (lengths | lengths >> 1 & 1 << 5) & 0x3f
    }

    /// How the others stand in the race, and what is left of it.
    fn write_race(
        &self,
        furthest: &mut [f32; 3],
        goals: &mut [f32; 4],
        [theirs, own, leads]: [&mut [f32; 12]; 3],
    ) {
        let mut others = [1, 2, 3].map(|corner| {
            let pips = if self.sits(corner) {
                self.pips(corner)
            } else {
                0
            };
            (pips, corner)
        });
        others.sort_unstable_by(|one, other| other.cmp(one));
        for (out, (pips, _)) in furthest.iter_mut().zip(others) {
            *out = input(f64::from(pips) / f64::from(GOAL));
        }
        let (pips, first) = others[0];
        let at_goal = self.tokens[first].iter().filter(|&&place| place == GOAL);
        goals[..at_goal.count()].fill(1.0);
        let (their_way, own_way) = (COURSE - pips, COURSE - self.pips(0));
        let lead = their_way.cast_signed() - own_way.cast_signed();
        let sign = |is_so: bool| f32::from(u8::from(is_so));
        for index in 0..12 {
            theirs[index] = sign(their_way <= TO_GO[index]);
            own[index] = sign(own_way <= TO_GO[index]);
            leads[index] = sign(lead > LEADS[index]);
        }
    }

    /// What is counted over all own tokens.
    fn write_sums(&self, out: &mut [f32; 6]) {
        let own = self.tokens[0];
        let squares: u32 = own.iter().map(|&place| u32::from(place).pow(2)).sum();
        let safe = own.iter().filter(|&&place| self.is_safe(place)).count();
        let switches = self.game.switches;
        let paired = barrier_tokens(&self.board, switches);
        let barriers = || {
            let places = ones_of(paired).map(|index| own[index]);
            places.filter(|&place| is_on_ring(place))
        };
        let mut held = 0;
        for corner in (1..4).filter(|&corner| self.sits(corner)) {
            let seen = barriers().filter_map(|place| seen_from(place, corner as u8));
            let theirs = self.tokens[corner];
            held += seen
                .map(|place| behind(place, theirs, REACH))
                .sum::<usize>();
        }
        let own_squares = barriers().fold(0, |mask, place| mask | 1 << (place - 1));
        let walls = self.board.pairs() & switches.barriers & !own_squares;
        let meets = |&&place: &&Place| {
            is_on_ring(place) && walls.unbounded_shr(u32::from(place)) & 0x7f != 0
        };
        let stuck = own.iter().filter(meets).count();
        let goal = f64::from(GOAL);
        *out = [
            f64::from(self.pips(0)) / goal,
            f64::from(squares) / (goal * goal),
            safe as f64 / 2.0,
            f64::from(paired.count_ones()),
            held as f64 / 4.0,
            stuck as f64 / 2.0,
        ]
        .map(input);
    }
}

/// How far tokens on the board stand behind a place of their route, 1 to [`APART`].
fn distances(tokens: [Place; 4], place: Option<Place>) -> impl Iterator<Item = usize> {
    let place = place.unwrap_or_default();
    let behind = move |token| (START..place).contains(&token);
    let apart = tokens.into_iter().filter(move |&token| behind(token));
    let apart = apart.map(move |token| usize::from(place - token));
    apart.filter(|&apart| apart <= APART)
}

/// Ring squares, as the seat so many corners further on counts its places: bit `place - 1`.
const fn turned(squares: u128, corners: usize) -> u64 {
    let by = QUARTER as usize * corners;
    ((squares >> by | squares << (RING as usize - by)) & ALL) as u64
}

/// The board with a roll to be played at the beginning of a turn.
fn rolled(board: Board, die: u8) -> State {
    let mut state = State { board };
    state.set_turn(die, 0, 0, 0);
    state
}

/// Adds the tokens of the seat `corner` corners on, and their pips, that a seat which moves at
/// random takes with the rest of a roll, times the chance that it comes to this.
fn add_toll(game: &Parchis, state: &State, corner: usize, chance: f64, toll: &mut (f64, f64)) {
    let mut moves = Moves::default();
    game.moves(state, &mut moves);
    let chance = chance / moves.len() as f64;
    for mv in moves.iter().filter(|mv| mv.walks()) {
        let here = state.board.at(mv.to());
        let captures = captures(here, mv, game.switches);
        let hit = f64::from(here.of(corner).count_ones());
        if captures && let Some(place) = seen_from(mv.to(), corner as u8) {
            toll.0 += chance * hit;
            toll.1 += chance * hit * f64::from(place);
        }
        if captures || mv.to() == GOAL {
            let mut next = *state;
            if let Turn::Decision(_) = game.apply(&mut next, mv).next {
                add_toll(game, &next, corner, chance, toll);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{BlockKey, Purpose};
    use crate::games::parchis::Rules;

    /// Where blocks of inputs begin.
    const PAIRS: usize = 4 * TOKENS + 3 + 4 + 2 + 3;
    const BEHIND_OWN: usize = PAIRS + 64;
    const PIPS: usize = BEHIND_OWN + APART;
    const BEHIND_THEIRS: usize = PIPS + APART;
    const ENTRIES: usize = BEHIND_THEIRS + APART;
    const TOLLS: usize = ENTRIES + 3;
    const CAPTURES: usize = TOLLS + 6;

    fn position(text: &str) -> (Parchis, State) {
        let game = Parchis::new(Rules::default(), Parchis::seats_of(text).unwrap()).unwrap();
        let state = game.parse(text).unwrap();
        (game, state)
    }

    fn inputs(text: &str) -> Vec<f32> {
        let (game, state) = position(text);
        let mut out = vec![0.0; INPUTS.count];
        game.write_dangers(&state, Seat::A, &mut out);
        out
    }

    /// A has come 6, 6, 16 and 28 pips, B 8 on 29 and C, on 8, 38.
    const TEXT: &str = "A:10,10,20,32 B:H,H,H,29 C:H,H,8,H to=B";

    #[test]
    fn distances_are_those_counted_by_hand() {
        let seen = inputs(TEXT);
        let listed = |from: usize| -> Vec<(usize, f32)> {
            let block = seen[from..][..APART].iter().copied();
            (1..)
                .zip(block)
                .filter(|&(_, number)| number != 0.0)
                .collect()
        };
        // C is 2 behind the two on 10, 12 behind that on 20 and 24 behind that on 32; B is 3 behind that.
        let behind_own = [(2, 2.0), (3, 1.0), (12, 1.0), (24, 1.0)];
        assert_eq!(listed(BEHIND_OWN), behind_own);
        let pips = [6.0, 28.0, 16.0, 28.0].map(|pips| pips / 64.0);
        let weighted = [
            (2, 2.0 * pips[0]),
            (3, pips[1]),
            (12, pips[2]),
            (24, pips[3]),
        ];
        assert_eq!(listed(PIPS), weighted);
        // B stands on a safe square and C behind all of A.
        assert_eq!(listed(BEHIND_THEIRS), []);
        let other = inputs("A:10,12,H,G C:H,H,H,15 to=A");
        assert_eq!(other[BEHIND_THEIRS..][..6], [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        // Two on a plain square are seen, though no barrier.
        let pairs: Vec<usize> = (1..=64)
            .filter(|place| seen[PAIRS + place - 1] > 0.0)
            .collect();
        assert_eq!(pairs, [6]);
    }

    #[test]
    fn whoever_enters_takes_single_tokens_on_its_start() {
        let entries = |text: &str| inputs(text)[ENTRIES..][..3].to_vec();
        // B enters on 22, A's place 18; A on 5, where C stands.
        assert_eq!(
            entries("A:H,H,22,10 B:H,H,H,H C:G,G,G,5 to=A"),
            [1.0, input(18.0 / 64.0), 1.0]
        );
        assert_eq!(entries("A:G,G,22,22 B:H,H,H,H C:G,G,G,5 to=A"), [0.0; 3]);
        assert_eq!(entries("A:G,G,22,10 B:G,G,G,30 C:G,G,G,6 to=A"), [0.0; 3]);
    }

    #[test]
    fn an_enemy_that_moves_at_random_takes_what_it_happens_to_hit() {
        for (text, tokens, pips) in [
            // C's three hits one of its two tokens' moves in six, A's nine pips.
            ("A:H,H,H,13 C:G,G,40,10 to=A", 1.0 / 12.0, 9.0 / 12.0),
            // Alone it must.
            ("A:H,H,H,13 C:G,G,G,10 to=A", 1.0 / 6.0, 9.0 / 6.0),
            // It takes B first and walks 20 on with one of its tokens, that or the other.
            (
                "A:H,H,H,33 B:H,H,H,13 C:G,G,14,10 to=A",
                1.0 / 24.0,
                29.0 / 24.0,
            ),
            ("A:H,H,H,12 C:G,G,G,10 to=A", 0.0, 0.0),
        ] {
            let found = &inputs(text)[TOLLS + 2..][..2];
            assert_eq!(found, [input(2.0 * tokens), input(pips / 18.0)], "{text}");
        }
    }

    #[test]
    fn the_faces_that_capture_are_marked() {
        let faces = |text: &str| inputs(text)[CAPTURES..][..6].to_vec();
        assert_eq!(
            faces("A:G,G,G,10 C:H,H,15,13 to=C"),
            [0.0, 0.0, 1.0, 0.0, 1.0, 0.0]
        );
        // The six counts seven; with a token in the yard the five must enter.
        assert_eq!(
            faces("A:G,G,G,8 C:H,H,15,13 to=C"),
            [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]
        );
        assert_eq!(faces("A:H,G,G,8 C:H,H,15,13 to=C"), [0.0; 6]);
        assert_eq!(
            faces("A:H,G,G,8 C:H,H,15,5 to=C"),
            [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
        );
    }

    /// Over random play at all tables and by both presets: every input is on the grid, none is left
    /// out, and the faces that are not looked at take nothing.
    #[test]
    fn nothing_is_missed_by_looking_at_few_faces() {
        for (number, seats) in Parchis::seat_sets().into_iter().enumerate() {
            for rules in [
                Rules::default(),
                Rules {
                    first_five_two: true,
                    ..Rules::default()
                },
            ] {
                let game = Parchis::new(rules, seats).unwrap();
                let mut random = BlockKey::new(3, number as u64).stream(Purpose::Bot, Seat::A);
                let mut state = game.start(Seat::A);
                while let Some(next) = moved(&game, state, &mut random) {
                    state = next;
                    if let Turn::Chance(_) = game.turn(&state) {
                        seats.iter().for_each(|seat| check(&game, &state, seat));
                    }
                }
            }
        }
    }

    /// The position after a random roll or move.
    fn moved(
        game: &Parchis,
        mut state: State,
        random: &mut crate::engine::random::Stream,
    ) -> Option<State> {
        match game.turn(&state) {
            Turn::Over => return None,
            Turn::Chance(_) => {
                game.roll(&mut state, random.below(6) as u8 + 1);
            }
            Turn::Decision(_) => {
                let mut moves = Moves::default();
                game.moves(&state, &mut moves);
                let mv = moves.get(random.below(moves.len() as u64) as usize);
                game.apply(&mut state, mv);
            }
        }
        Some(state)
    }

    fn check(game: &Parchis, state: &State, seat: Seat) {
        let mut out = vec![0.0; INPUTS.count];
        game.write_dangers(state, seat, &mut out);
        assert!(
            out.iter()
                .all(|x| (x * 64.0).fract() == 0.0 && x.abs() <= 8.0)
        );
        let sight = Sight::of(game, state.board.seen_by(seat));
        for (corner, enemy) in game.enemies(&sight.board) {
            let mut toll = (0.0, 0.0);
            for die in 1..=6 {
                let state = rolled(sight.board.seen_by(enemy), die);
                add_toll(game, &state, 4 - corner, 1.0 / 6.0, &mut toll);
            }
            let expected = [input(2.0 * toll.0), input(toll.1 / 18.0)];
            assert_eq!(
                out[TOLLS + 2 * corner - 2..][..2],
                expected,
                "{}",
                game.print(state)
            );
        }
        for die in 1..=6u8 {
            let state = rolled(sight.board, die);
            let mut moves = Moves::default();
            game.moves(&state, &mut moves);
            let hits =
                |mv: Move| mv.walks() && captures(state.board.at(mv.to()), mv, game.switches);
            assert_eq!(
                out[CAPTURES + usize::from(die) - 1] > 0.0,
                moves.iter().any(hits),
                "{}",
                game.print(&state)
            );
        }
    }
}
