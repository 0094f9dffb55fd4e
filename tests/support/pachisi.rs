//! Positions as the rules pages of the Pachisi family write them, `Y[5,12,c3] B[22]`: tokens that
//! are not listed are in the yard, `*` is the goal, the seats are Y, B, R, G.

// Several test targets include this file, and each uses only a part of it.
#![allow(dead_code)]

/// The seats of the pages, in the order of play; in positions as text they are A, B, C, D.
const COLOURS: &str = "YBRG";

/// The seat of a colour.
pub fn seat(colour: char) -> char {
    let index = COLOURS.find(colour).expect("a colour");
    char::from(b'A' + index as u8)
}

/// The square of the pages as a position text writes it.
pub fn square(text: &str) -> &str {
    match text {
        "*" => "G",
        "h" => "H",
        other => other,
    }
}

/// The tokens of the seats in play, as a position text begins: `A:H,5,12,c3 B:H,H,H,22`, each
/// seat's tokens in the order of the page.
pub fn tokens(page: &str, seats: &str) -> String {
    let listed = |seat_asked: char| {
        let of_seat = page.split_whitespace().find_map(|part| {
            let (colour, list) = part.strip_suffix(']')?.split_once('[')?;
            (seat(colour.chars().next()?) == seat_asked).then_some(list)
        });
        of_seat.map_or(vec![], |list| list.split(',').map(square).collect())
    };
    let parts = seats.chars().map(|seat| {
        let mut tokens = listed(seat);
        tokens.resize(4, "H");
        format!("{seat}:{}", tokens.join(","))
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// A step of the pages, `h>5xB`, as a move is written: `H>5xB`.
pub fn step(page: &str) -> String {
    let (bonus, step) = page.rsplit_once(' ').unwrap_or(("", page));
    let (from, to) = step.split_once('>').expect("from>to");
    let (to, captured) = to.split_once('x').unwrap_or((to, ""));
    let from: Vec<&str> = from.split(',').map(square).collect();
    let mut text = format!("{}>{}", from.join(","), square(to));
    for colour in captured.split('x').filter(|colour| !colour.is_empty()) {
        text.push('x');
        text.push(seat(colour.chars().next().expect("a colour")));
    }
    if bonus.is_empty() {
        text
    } else {
        format!("{bonus} {text}")
    }
}
