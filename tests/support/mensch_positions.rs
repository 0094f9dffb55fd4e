//! Random positions of Mensch ärgere dich nicht, as text.

// Several test targets include this file, and each uses only a part of it.
#![allow(dead_code)]

/// The offset of a token in the yard; 0 to 39 are the ring from the own start, 40 to 43 the lane.
pub const YARD: i8 = -1;

/// The sets of seats that can play.
pub const SEATS: [&str; 11] = [
    "AB", "AC", "AD", "BC", "BD", "CD", "ABC", "ABD", "ACD", "BCD", "ABCD",
];

/// What a position is made of before its tokens get out of each other's way.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Which of [`SEATS`].
    pub seats: usize,
    /// Four offsets for each corner.
    pub tokens: [[i8; 4]; 4],
    /// The how-manieth seat rolls.
    pub to: usize,
    /// Its rolls left.
    pub tries: u8,
}

impl Draft {
    /// The position as canonical text. A token whose place is taken, or that would finish the
    /// game, is in the yard instead.
    pub fn text(&self) -> String {
        let letters = SEATS[self.seats];
        let mut taken = Vec::new();
        let mut words = Vec::new();
        for letter in letters.chars() {
            let seat = letter as usize - 'A' as usize;
            let mut own = self.tokens[seat];
            if own.iter().all(|&offset| offset >= 40) {
                own[0] = YARD;
            }
            for offset in &mut own {
                let place = cell(seat, *offset);
                let place = if *offset < 40 {
                    place
                } else {
                    format!("{seat}{place}")
                };
                if taken.contains(&place) {
                    *offset = YARD;
                } else if *offset != YARD {
                    taken.push(place);
                }
            }
            own.sort_unstable();
            let cells = own.map(|offset| cell(seat, offset));
            words.push(format!("{letter}:{}", cells.join(",")));
        }
        let to = letters.chars().nth(self.to % letters.len());
        words.push(format!("to={}", to.expect("a seat in play")));
        if self.tries > 1 {
            words.push(format!("tries={}", self.tries));
        }
        words.join(" ")
    }
}

/// The name of the cell a seat calls by this offset.
pub fn cell(seat: usize, offset: i8) -> String {
    match offset {
        YARD => "H".to_owned(),
        0..40 => format!("r{}", (10 * seat as i8 + offset) % 40),
        _ => format!("L{}", offset - 39),
    }
}

/// The offsets of a seat's tokens in a position text; none if the seat does not play.
pub fn offsets(text: &str, letter: char) -> Vec<i8> {
    let seat = letter as usize - 'A' as usize;
    let own = text
        .split(' ')
        .find_map(|word| word.strip_prefix(&format!("{letter}:")));
    let offset = |name: &str| (YARD..44).find(|&offset| cell(seat, offset) == name);
    let offsets = own.into_iter().flat_map(|list| list.split(','));
    offsets.map(|name| offset(name).expect("a cell")).collect()
}
