//! From one notation to another.

use std::fmt;
use std::str::FromStr;

use super::mat::WriteError;
use super::record::MatchRecord;
use super::replay::FileError;
use super::{Position, fibs, gnu_id, mat, position_id, sgf, xgid};
use crate::engine::game::PositionError;
use crate::games::backgammon::board::Board;

/// A notation that texts are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A Position ID: the board alone.
    PositionId,
    /// Position ID and Match ID, joined by a colon.
    GnuId,
    /// XGID.
    Xgid,
    /// The `board:` line of FIBS.
    Fibs,
    /// A Jellyfish match file.
    Mat,
    /// A match in SGF.
    Sgf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] = [
        Format::PositionId,
        Format::GnuId,
        Format::Xgid,
        Format::Fibs,
        Format::Mat,
        Format::Sgf,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::PositionId => "position-id",
            Format::GnuId => "gnu-id",
            Format::Xgid => "xgid",
            Format::Fibs => "fibs",
            Format::Mat => "mat",
            Format::Sgf => "sgf",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no format's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no format '{0}'; known: {names}", names = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Why a text was not converted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConvertError {
    /// A position that is none, or that the format does not carry.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A match that is none.
    #[error(transparent)]
    Match(#[from] FileError),
    /// A match that `.mat` does not carry.
    #[error(transparent)]
    Mat(#[from] WriteError),
    /// A match asked for as a position.
    #[error("the text is a match; expected mat or sgf as the format to write, not {0}")]
    IsMatch(Format),
    /// A position asked for as a match.
    #[error(
        "the text is a position; expected position-id, gnu-id, xgid or fibs as the format to \
         write, not {0}"
    )]
    IsPosition(Format),
}

/// What a text holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A position.
    Position(Position),
    /// A match.
    Match(MatchRecord),
}

/// The format of a match, if the text looks like one; a position otherwise.
pub fn match_format(text: &str) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('(') {
        return Some(Format::Sgf);
    }
    let is_mat = text.starts_with(';') || text.to_ascii_lowercase().contains("point match");
    is_mat.then_some(Format::Mat)
}

/// All of a match up to its first error, and that error; `None` when the text does not look like
/// a match.
pub fn read_prefix(
    text: &str,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Option<(MatchRecord, Option<FileError>)> {
    match match_format(text)? {
        Format::Sgf => Some(sgf::read_prefix(text, results)),
        _ => Some(mat::read_prefix(text, results)),
    }
}

/// Reads a text of any format, guessed from how it looks; a text that looks like none is read as
/// a Position ID.
///
/// # Errors
/// When the text is not what it looks like.
pub fn read(
    text: &str,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Result<Content, ConvertError> {
    match read_prefix(text, results) {
        Some((record, None)) => return Ok(Content::Match(record)),
        Some((_, Some(error))) => return Err(error.into()),
        None => {}
    }
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    let first = trimmed.split(':').next().unwrap_or_default();
    let position = if first.eq_ignore_ascii_case("board") {
        fibs::read(trimmed)?
    } else if xgid::strip_prefix(trimmed).len() < trimmed.len() || first.len() == 26 {
        xgid::read(trimmed)?
    } else {
        gnu_id::read(trimmed)?
    };
    Ok(Content::Position(position))
}

/// The text in another format. The format it is in is guessed.
///
/// `results` is the generator [`super::legal`] speaks of; only matches ask it.
///
/// # Errors
/// When the text is not what it looks like, or the format does not carry what it says. Rules that
/// a format has no place for (beavers, the cap of the cube) are dropped without an error.
pub fn convert(
    text: &str,
    to: Format,
    results: impl FnMut(&Board, [u8; 2]) -> Vec<Board>,
) -> Result<String, ConvertError> {
    write(&read(text, results)?, to)
}

/// The text of a position or match in a format.
///
/// # Errors
/// When the format does not carry what it says.
pub fn write(content: &Content, to: Format) -> Result<String, ConvertError> {
    match (content, to) {
        (Content::Position(position), Format::PositionId) => {
            Ok(position_id::write(&position.board))
        }
        (Content::Position(position), Format::GnuId) => Ok(gnu_id::write(position)?),
        (Content::Position(position), Format::Xgid) => Ok(xgid::write(position)?),
        (Content::Position(position), Format::Fibs) => {
            Ok(fibs::write(position, fibs::Names::default())?)
        }
        (Content::Match(record), Format::Mat) => Ok(mat::write(record)?),
        (Content::Match(record), Format::Sgf) => Ok(sgf::write(record)),
        (Content::Position(_), Format::Mat | Format::Sgf) => Err(ConvertError::IsPosition(to)),
        (Content::Match(_), _) => Err(ConvertError::IsMatch(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::backgammon::notation::legal::every_result;

    fn converted(text: &str, to: &str) -> String {
        let to = to.parse().expect(to);
        convert(text, to, every_result).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn positions_convert_to_every_format() {
        let texts = [
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10",
            "4HPwATDgc/ABMA:cInlABAAEAAE",
        ];
        for text in texts {
            insta::allow_duplicates! {
                insta::assert_snapshot!(converted(text, "xgid"), @"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10");
                insta::assert_snapshot!(converted(text, "gnu-id"), @"4HPwATDgc/ABMA:cInlABAAEAAE");
                insta::assert_snapshot!(converted(text, "position-id"), @"4HPwATDgc/ABMA");
                insta::assert_snapshot!(converted(text, "fibs"), @"board:You:Opponent:7:2:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1");
            }
        }
        assert_eq!(
            converted("4HPwATDgc/ABMA", "gnu-id"),
            "4HPwATDgc/ABMA:cAkAAAAAAAAA"
        );
    }

    #[test]
    fn what_a_format_cannot_hold_is_said() {
        insta::assert_snapshot!(converted("4HPwATDgc/ABMA", "mat"), @"the text is a position; expected position-id, gnu-id, xgid or fibs as the format to write, not mat");
        insta::assert_snapshot!(converted(" 1 point match", "xgid"), @"the text is a match; expected mat or sgf as the format to write, not xgid");
        insta::assert_snapshot!(converted("nonsense", "xgid"), @"Position ID: 8 characters; expected 14");
        insta::assert_snapshot!("png".parse::<Format>().unwrap_err(), @"no format 'png'; known: position-id, gnu-id, xgid, fibs, mat, sgf");
    }
}
