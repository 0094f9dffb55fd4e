//! Numbers and words as people read them.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands for an unknown number.
pub const UNKNOWN: &str = "–";

/// A count in groups of three digits: `1,234,567`.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Digits in groups of three.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 game`, `2,000 games`.
pub fn counted(n: u64, thing: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(n))
}

/// A count in at most nine columns: exact below ten million, then `12.3M`.
pub fn short_count(n: u64) -> String {
    let units = [
        (1e6, "M"),
        (1e9, "G"),
        (1e12, "T"),
        (1e15, "P"),
        (1e18, "E"),
    ];
    if n < 10_000_000 {
        return count(n);
    }
    let unit = units.iter().rev().find(|&&(size, _)| n as f64 >= size);
    let &(size, letter) = unit.expect("ten million is more than the least unit");
    format!("{:.1}{letter}", n as f64 / size)
}

/// A number with so many decimals; never a negative zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    text.strip_prefix('-')
        .filter(|_| zero)
        .map_or(text.clone(), str::to_owned)
}

/// A number with so many decimals, in at most nine columns; never a negative zero.
pub fn number(value: f64, decimals: usize) -> String {
    if value.abs() < 1e5 {
        fixed(value, decimals)
    } else {
        format!("{value:.1e}")
    }
}

/// A number that may be unknown.
pub fn known(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| number(value, decimals))
}

/// A share in percent, without the sign.
pub fn percent(share: Option<f64>, decimals: usize) -> String {
    known(share.map(|share| share * 100.0), decimals)
}

/// An interval of shares in percent: `30.8–31.6`; nothing if unknown.
pub fn percent_range(low: Option<f64>, high: Option<f64>, decimals: usize) -> String {
    range(
        low.map(|low| low * 100.0),
        high.map(|high| high * 100.0),
        decimals,
    )
}

/// An interval: `2.41–2.47`; nothing if unknown.
pub fn range(low: Option<f64>, high: Option<f64>, decimals: usize) -> String {
    match (low, high) {
        (Some(low), Some(high)) => {
            format!("{}–{}", number(low, decimals), number(high, decimals))
        }
        _ => String::new(),
    }
}

/// How far an interval reaches from its share, the longer way if it was clipped; nothing if
/// unknown.
pub fn reach(share: Option<f64>, low: Option<f64>, high: Option<f64>) -> Option<f64> {
    let (share, low, high) = (share?, low?, high?);
    Some((high - share).max(share - low))
}

/// The half of an interval of shares in percent: `±0.4`; nothing if unknown.
pub fn plus_minus(reach: Option<f64>, decimals: usize) -> String {
    reach.map_or_else(String::new, |reach| {
        format!("±{}", percent(Some(reach), decimals))
    })
}

/// The decimals of percents whose intervals reach so far: the narrowest is shown with two
/// digits where one to three decimals allow.
pub fn decimals(reaches: impl Iterator<Item = f64>) -> usize {
    match reaches.filter(|&reach| reach > 0.0).reduce(f64::min) {
        Some(reach) if reach < 0.0001 => 3,
        Some(reach) if reach < 0.001 => 2,
        _ => 1,
    }
}

/// The columns a text takes on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most so many columns. What does not fit is replaced by `…` before the last
/// third, as names often differ at their ends; so is what would move the cursor, by `�`.
pub fn shorten(text: &str, columns: usize) -> String {
    let text = plain(text);
    if width(&text) <= columns {
        return text;
    }
    let fitting = |letters: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut used = 0;
        let fits = letters.take_while(|letter| {
            used += letter.width().unwrap_or(0);
            used <= room
        });
        fits.collect()
    };
    let mut end = fitting(&mut text.chars().rev(), columns / 3);
    end.reverse();
    let rest = columns.saturating_sub(1 + columns / 3);
    let mut short = fitting(&mut text.chars(), rest);
    short.push('…');
    short.extend(end);
    short.into_iter().collect()
}

/// The words of a text. A number and the percent sign behind it are one: `50.66 %`.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if word.starts_with('%') && ends_in_digit(last) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn ends_in_digit(word: &str) -> bool {
    word.ends_with(|letter: char| letter.is_ascii_digit())
}

/// Words in lines of at most `columns`, later lines `indent` to the right. Words that do not
/// fit a line are broken.
pub fn wrap(text: &str, columns: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut line = String::new();
    let mut end_line = |line: &mut String| {
        out.push_str(line);
        out.push('\n');
        *line = " ".repeat(indent);
    };
    let mut fresh = true;
    for word in words(&plain(text)) {
        if !fresh && width(&line) + 1 + width(&word) > columns {
            end_line(&mut line);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        for letter in word.chars() {
            if width(&line) + letter.width().unwrap_or(0) > columns {
                end_line(&mut line);
            }
            line.push(letter);
        }
        fresh = false;
    }
    if !fresh {
        end_line(&mut line);
    }
    out
}

/// The text without anything that would move the cursor: white space as spaces, other control
/// characters as `�`.
fn plain(text: &str) -> String {
    let visible = |letter: char| match letter {
        letter if letter.is_whitespace() => ' ',
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    };
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "game"), "0 games");
        assert_eq!(short_count(9_999_999), "9,999,999");
        assert_eq!(short_count(12_345_678), "12.3M");
        assert_eq!(short_count(u64::MAX), "18.4E");
        assert_eq!(percent(Some(0.3125), 1), "31.2");
        assert_eq!(percent(None, 1), "–");
        assert_eq!(percent_range(Some(0.3), Some(0.325), 2), "30.00–32.50");
        assert_eq!(percent_range(None, Some(0.3), 2), "");
        assert_eq!(number(2.5e10, 2), "2.5e10");
        assert_eq!(fixed(-1e-13, 12), "0.000000000000");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.06, 1), "-0.1");
        assert_eq!(range(Some(-0.000_01), Some(0.000_5), 4), "0.0000–0.0005");
    }

    #[test]
    fn the_narrowest_interval_is_shown_with_two_digits() {
        assert_eq!(decimals([0.04, 0.012].into_iter()), 1);
        assert_eq!(decimals([0.04, 0.000_5].into_iter()), 2);
        assert_eq!(decimals([0.0, 0.000_02].into_iter()), 3);
        assert_eq!(decimals(std::iter::empty()), 1);
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shorten("шестёрка", 8), "шестёрка");
        assert_eq!(shorten("шестёрка-и-ещё", 9), "шестё…ещё");
        assert_eq!(shorten("龍龍龍龍", 6), "龍…龍");
        assert_eq!(shorten("a\nb\u{1b}[2J", 10), "a b�[2J");
    }

    #[test]
    fn lines_are_wrapped_and_words_broken() {
        assert_eq!(wrap("one two three", 7, 2), "one two\n  three\n");
        assert_eq!(wrap("abcdefgh ij", 5, 1), "abcde\n fgh\n ij\n");
        assert_eq!(wrap(" ", 5, 1), "");
    }

    #[test]
    fn a_percent_sign_stays_with_its_number() {
        assert_eq!(
            wrap("wins 50.66 %, fair 50.00 %", 12, 2),
            "wins\n  50.66 %,\n  fair\n  50.00 %\n"
        );
        assert_eq!(wrap("a % b", 3, 0), "a %\nb\n");
    }
}
