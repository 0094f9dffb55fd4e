//! Boards for the tests of backgammon: GNU Position IDs, random play, random placements.

// Several targets include this file, and each uses only a part of it.
#![allow(dead_code)]

use racelab::games::backgammon::board::{Board, CHECKERS, Side};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The board of a GNU Position ID, seen by the side on roll.
pub fn decoded(id: &str) -> Board {
    let digits = id.chars().map(|c| BASE64.find(c).expect("base64") as u128);
    let number = digits.fold(0u128, |number, digit| number << 6 | digit) >> 4;
    // The first byte of ten comes first, its lowest bit first.
    let mut bits = (number << 48).swap_bytes();
    let mut side = || {
        let mut counts = [0; 26];
        for count in &mut counts[1..] {
            *count = bits.trailing_ones() as u8;
            bits >>= *count + 1;
        }
        counts[0] = CHECKERS - counts.iter().sum::<u8>();
        Side::from_counts(&counts)
    };
    let other = side(); // The side not on roll comes first.
    let mover = side();
    Board { mover, other }
}

/// A number below `bound`.
pub fn below(random: &mut Pcg64Mcg, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

/// Two dice.
pub fn roll(random: &mut Pcg64Mcg) -> (u8, u8) {
    (below(random, 6) as u8 + 1, below(random, 6) as u8 + 1)
}

/// All 21 rolls, the larger die first.
pub fn all_rolls() -> impl Iterator<Item = (u8, u8)> {
    (1..=6).flat_map(|large| (1..=large).map(move |small| (large, small)))
}

/// Checkers anywhere that the rules allow: often on the bar, at home, in blocks, short-handed.
pub fn placement(random: &mut Pcg64Mcg, checkers: u8) -> Board {
    let mover = side(random, checkers, |_| true);
    let other = side(random, checkers, |point| {
        point == 0 || point == 25 || mover[25 - point] == 0
    });
    Board {
        mover: Side::from_counts(&mover),
        other: Side::from_counts(&other),
    }
}

/// The counts of a side on points that are free.
fn side(random: &mut Pcg64Mcg, checkers: u8, is_free: impl Fn(usize) -> bool) -> [u8; 26] {
    let mut counts = [0; 26];
    let habit = below(random, 4);
    let mut left = checkers;
    while left > 0 {
        let point = match (below(random, 8), habit) {
            (0, _) => 25,
            (_, 0) => 1 + below(random, 6),
            (_, 1) => below(random, 8),
            (_, 2) => 13 + below(random, 12),
            _ => below(random, 25),
        };
        let group = 1 + below(random, 3.min(left.into())) as u8;
        if is_free(point) {
            counts[point] += group;
            left -= group;
        }
    }
    counts
}
