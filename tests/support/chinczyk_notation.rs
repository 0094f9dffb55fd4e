//! Boards as the rules page of Chińczyk writes them: `Y[5,12,c3] B[22]`.
//!
//! Yellow, Blue, Red and Green are the seats A to D; a number is a ring square, `c3` a square of
//! the own lane, `*` the goal. Tokens that are not listed are in the yard.

// Several test targets include this file, and each uses only a part of it.
#![allow(dead_code)]

const COLOURS: &str = "YBRG";

/// The tokens of four seats as positions write them, each seat's sorted by their texts.
pub type Squares = [Vec<String>; 4];

/// The squares of a board of the rules page.
pub fn squares(page: &str) -> Squares {
    let mut squares: Squares = std::array::from_fn(|_| vec!["H".to_owned(); 4]);
    for colour in page.split_whitespace() {
        let (name, list) = colour.split_at(1);
        let seat = COLOURS.find(name).expect("a colour: Y, B, R or G");
        let list = list
            .strip_prefix('[')
            .and_then(|list| list.strip_suffix(']'));
        let listed = list.expect("tokens in brackets").split(',');
        for (square, token) in squares[seat].iter_mut().zip(listed) {
            *square = token.replace('*', "G");
        }
        squares[seat].sort();
    }
    squares
}

/// The squares of a position as text, and what follows them.
pub fn squares_of(text: &str) -> (Squares, String) {
    let mut squares: Squares = Default::default();
    let mut fields = Vec::new();
    for part in text.split(' ') {
        let Some((seat, list)) = part.split_once(':') else {
            fields.push(part);
            continue;
        };
        let seat = "ABCD".find(seat).expect("a seat");
        squares[seat] = list.split(',').map(str::to_owned).collect();
        squares[seat].sort();
    }
    for absent in squares.iter_mut().filter(|tokens| tokens.is_empty()) {
        *absent = vec!["H".to_owned(); 4];
    }
    (squares, fields.join(" "))
}

/// A board of the rules page as a position of these seats.
pub fn position(page: &str, seats: &str, fields: &str) -> String {
    let squares = squares(page);
    let mut parts = Vec::new();
    for seat in seats.chars() {
        let index = "ABCD".find(seat).expect("a seat");
        parts.push(format!("{seat}:{}", squares[index].join(",")));
    }
    parts.push(fields.to_owned());
    parts.join(" ")
}
