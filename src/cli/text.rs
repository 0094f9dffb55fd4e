//! Text that fits a terminal of 80 columns.

use std::io::{self, Write};

use racelab::report::text::words;

/// The width nothing should pass.
const COLUMNS: usize = 80;

/// Writes words in lines of at most 80 characters, each `indent` spaces to the right. A word
/// longer than that stands alone.
pub fn paragraph(out: &mut dyn Write, indent: usize, text: &str) -> io::Result<()> {
    let mut line = String::new();
    let mut width = 0;
    for word in words(text) {
        let letters = word.chars().count();
        if width > 0 && indent + width + 1 + letters > COLUMNS {
            writeln!(out, "{:indent$}{line}", "")?;
            line.clear();
            width = 0;
        }
        if width > 0 {
            line.push(' ');
            width += 1;
        }
        line.push_str(&word);
        width += letters;
    }
    if width > 0 {
        writeln!(out, "{:indent$}{line}", "")?;
    }
    Ok(())
}

/// Writes a label and then words from column `indent` on, in lines of at most 80 characters.
pub fn hanging(out: &mut dyn Write, label: &str, indent: usize, text: &str) -> io::Result<()> {
    let mut lines = Vec::new();
    paragraph(&mut lines, indent, text)?;
    // The first line has only spaces where the label goes.
    let first = label.chars().count().min(indent);
    let lines = lines.get(first..).unwrap_or_default();
    out.write_all(label.as_bytes())?;
    out.write_all(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_before_the_words() {
        let mut out = Vec::new();
        hanging(&mut out, "naïve", 8, &"word ".repeat(20)).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("naïve   word word"), "{out}");
        assert!(out.lines().nth(1).unwrap().starts_with("        word"));
    }

    #[test]
    fn no_line_is_longer_than_80_characters_in_any_script() {
        let text = "«Шестёрка, которой нельзя сходить, дополнительного броска не даёт» ".repeat(9);
        let mut out = Vec::new();
        paragraph(&mut out, 6, &text).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.lines().all(|line| line.chars().count() <= COLUMNS));
        assert!(out.lines().all(|line| line.starts_with("      ")));
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&out), words(&text));
    }
}
