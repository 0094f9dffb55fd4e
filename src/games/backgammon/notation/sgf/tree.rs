//! The main lines of SGF game trees.

use super::super::replay::Problem;

/// A node: its properties, each with its values as they stand in the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Node<'a> {
    /// The line it starts on, the first being 1.
    pub line: usize,
    properties: Vec<(String, Vec<&'a str>)>,
}

impl<'a> Node<'a> {
    /// The values of a property, none if it is not there.
    pub fn values(&self, name: &str) -> &[&'a str] {
        let found = self.properties.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, values)| values)
    }

    /// The first value of a property, without its escapes.
    pub fn text(&self, name: &str) -> Option<String> {
        self.values(name).first().map(|value| unescaped(value))
    }
}

/// A reader of one game tree after the other.
pub(super) struct Trees<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Trees<'a> {
    pub fn new(text: &'a str) -> Trees<'a> {
        let text = text.trim_start_matches('\u{feff}');
        Trees {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The line being read.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The nodes of the next tree's main line, `None` after the last tree.
    ///
    /// Of several variations the first is the main line, so it ends with the first closing
    /// parenthesis; what follows up to the one that closes the tree is passed over. No stack is
    /// needed, however deep the variations are.
    ///
    /// Nodes read before an error are in `nodes`.
    pub fn next(&mut self, nodes: &mut Vec<Node<'a>>) -> Result<Option<()>, Problem> {
        let mut depth = 0;
        let mut main_line = true;
        loop {
            self.skip_space();
            let Some(letter) = self.peek() else {
                return if depth == 0 {
                    Ok(None)
                } else {
                    Err(Problem::text("the end", "a ) that closes the game tree"))
                };
            };
            match letter {
                '(' => {
                    depth += 1;
                    self.bump(letter);
                }
                ')' if depth > 0 => {
                    main_line = false;
                    depth -= 1;
                    self.bump(letter);
                    if depth == 0 {
                        return Ok(Some(()));
                    }
                }
                ';' if depth > 0 => {
                    let line = self.line;
                    self.bump(letter);
                    if main_line {
                        nodes.push(Node {
                            line,
                            ..Node::default()
                        });
                    }
                }
                'A'..='Z' | 'a'..='z' if depth > 0 => {
                    let property = self.property()?;
                    match nodes.last_mut() {
                        Some(node) if main_line => node.properties.push(property),
                        Some(_) => {}
                        None => return Err(Problem::text(self.rest(), "a ; before properties")),
                    }
                }
                _ => {
                    return Err(Problem::text(
                        self.rest(),
                        "a game tree as in (;FF[4]GM[6] …)",
                    ));
                }
            }
        }
    }

    /// A property: its name (small letters, an old habit, do not count) and its values.
    fn property(&mut self) -> Result<(String, Vec<&'a str>), Problem> {
        let start = self.rest();
        let length = start.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = start[..length]
            .chars()
            .filter(char::is_ascii_uppercase)
            .collect();
        self.at += length;
        let mut values = Vec::new();
        loop {
            self.skip_space();
            if self.peek() != Some('[') {
                break;
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(Problem::text(
                start,
                "a value in brackets after the property",
            ));
        }
        Ok((name, values))
    }

    /// A value, from its opening bracket to the closing one that is not escaped.
    fn value(&mut self) -> Result<&'a str, Problem> {
        let start = &self.rest()[1..];
        let mut escaped = false;
        let end = start.bytes().position(|byte| {
            let closes = byte == b']' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(end) = end else {
            return Err(Problem::text(start, "a ] that closes the value"));
        };
        self.line += start[..end].matches('\n').count();
        self.at += end + 2;
        Ok(&start[..end])
    }

    fn skip_space(&mut self) {
        while let Some(letter) = self.peek().filter(|letter| letter.is_whitespace()) {
            self.bump(letter);
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self, letter: char) {
        self.line += usize::from(letter == '\n');
        self.at += letter.len_utf8();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
}

/// A text value without escapes and line breaks, as SGF reads its simple text.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        let letter = if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        };
        match letter {
            Some('\r') | None => {}
            Some(letter) if letter.is_control() => text.push(' '),
            Some(letter) => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_line(text: &str) -> Result<Vec<Node<'_>>, Problem> {
        let mut nodes = Vec::new();
        Trees::new(text).next(&mut nodes)?;
        Ok(nodes)
    }

    #[test]
    fn of_several_variations_the_first_is_the_main_line() {
        let nodes = main_line("(;A[1](;B[2](;C[3])(;D[4]))(;E[5](;F[6])))").expect("a tree");
        let names: Vec<&str> = nodes
            .iter()
            .map(|node| node.properties[0].0.as_str())
            .collect();
        assert_eq!(names, ["A", "B", "C"]);
    }

    #[test]
    fn brackets_in_text_are_escaped() {
        let nodes = main_line("(;PW[a \\[b\\] \\\\]\nCoPyright[x] [y])").expect("a tree");
        assert_eq!(nodes[0].text("PW").as_deref(), Some("a [b] \\"));
        assert_eq!(nodes[0].values("CP"), ["x", "y"]);
        assert_eq!(nodes[0].text("GM"), None);
    }

    #[test]
    fn a_million_variations_inside_each_other_do_no_harm() {
        let text = format!("{}{}", "(;A[1]".repeat(300_000), ")".repeat(300_000));
        assert_eq!(main_line(&text).map(|nodes| nodes.len()), Ok(300_000));
        assert!(main_line(&text[..text.len() - 1]).is_err());
        assert!(main_line(&"(".repeat(1_000_000)).is_err());
    }

    #[test]
    fn a_text_that_is_no_tree_is_refused() {
        for text in ["x", "(;A", "(;A[1", "(A[1])", ")", "(;[1])", "(;A[1]"] {
            assert!(main_line(text).is_err(), "{text}");
        }
        assert_eq!(main_line(" \n"), Ok(Vec::new()));
    }
}
