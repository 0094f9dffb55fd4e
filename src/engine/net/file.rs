//! What files of nets have in common: errors, checksum, sizes.

use std::io;
use std::path::Path;

use crate::engine::file::read_at_most;
use crate::engine::notation::io_reason;

use super::layers::LANES;

/// Bytes of the checksum.
const CHECKSUM: usize = 32;
/// Most hidden units of a net.
pub const MOST_HIDDEN: u32 = 1024;

/// Why there is no net.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// A file or folder that cannot be read or written.
    #[error("{path}: {reason}")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A file that does not hold what it should.
    #[error("{path}: {reason}")]
    Foreign {
        /// The file.
        path: String,
        /// What is wrong with it, and what would have worked.
        reason: String,
    },
}

impl NetError {
    /// The error of the system at this path.
    pub fn io(path: &Path, error: &io::Error) -> NetError {
        NetError::Io {
            path: path.display().to_string(),
            reason: io_reason(error),
        }
    }

    /// What is wrong with the file at this path.
    pub fn foreign(path: &Path, reason: String) -> NetError {
        NetError::Foreign {
            path: path.display().to_string(),
            reason,
        }
    }
}

/// The largest file of nets, in bytes: the largest net there can be is far smaller.
const MAX_FILE: u64 = 64 << 20;

/// The content of a file of nets.
///
/// # Errors
/// When the file cannot be read, or is larger than any net.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, NetError> {
    let read = read_at_most(path, MAX_FILE).map_err(|error| NetError::io(path, &error))?;
    read.ok_or_else(|| {
        let reason = "larger than 64 MiB; expected a net of racelab train";
        NetError::foreign(path, reason.to_owned())
    })
}

/// The number of hidden units if a net can have it.
pub fn hidden_units(number: u32) -> Result<usize, String> {
    if (1..=MOST_HIDDEN).contains(&number) && number.is_multiple_of(LANES as u32) {
        return Ok(number as usize);
    }
    Err(format!(
        "{number} hidden units; expected a multiple of {LANES} up to {MOST_HIDDEN}"
    ))
}

/// The content with its checksum behind it.
pub fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let checksum = blake3::hash(&content);
    content.extend(checksum.as_bytes());
    content
}

/// The content before the checksum.
pub fn unsealed(bytes: &[u8]) -> Result<&[u8], String> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or("cut off")?;
    if blake3::hash(content) == *checksum {
        Ok(content)
    } else {
        Err("its checksum is not that of its content; it is damaged or cut off".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_file_without_an_end_is_no_net() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.net");
        let file = File::create(&path).expect("a file");
        file.set_len(MAX_FILE).expect("a length");
        assert_eq!(read_bytes(&path).expect("a file").len() as u64, MAX_FILE);
        file.set_len(MAX_FILE + 1).expect("a length");
        let error = read_bytes(&path).expect_err("too large").to_string();
        assert!(error.ends_with("large.net: larger than 64 MiB; expected a net of racelab train"));
    }
}
