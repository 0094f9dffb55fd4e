//! Files that are there whole or not at all, and are not read without an end.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// How the names of temporary files begin.
pub const TEMPORARY: &str = ".racelab-";

/// The content of a file, if it is not larger than this: a device without an end must not fill the
/// memory.
///
/// # Errors
/// When the file cannot be read.
pub fn read_at_most(path: &Path, largest: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(largest + 1)
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= largest).then_some(bytes))
}

/// Writes a file so that after any interruption there is the old file or the new, never a part:
/// beside it, synced, renamed, and the folder synced.
///
/// # Errors
/// When the file cannot be written, and those of `write`.
pub fn write_atomically<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), E>,
) -> Result<(), E> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; these are files like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.prefix(TEMPORARY).tempfile_in(folder)?;
    let mut buffered = BufWriter::new(temporary.as_file());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    // A rename lasts only when its folder has been written too.
    Ok(File::open(folder)?.sync_all()?)
}

/// Writes these bytes as [`write_atomically`] does.
///
/// # Errors
/// When the file cannot be written.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically(path, |out| out.write_all(bytes))
}
