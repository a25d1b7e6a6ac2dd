//! File locks.

use crate::FileError;
use crate::temporary::{Temporary, registry};
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Locks an open file until it is closed; `path` is for messages.
pub fn lock(file: &File, path: &Path) -> Result<(), FileError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse { path: path.display().to_string() }),
        Err(TryLockError::Error(source)) => Err(FileError::unwritten(path, source)),
    }
}

/// A lock file. It is removed when this is dropped.
#[derive(Debug)]
pub struct LockFile {
    // Removed before it is unlocked, so that nobody locks a file that is about to be removed.
    _temporary: Temporary,
    _file: File,
}

impl LockFile {
    /// Creates and locks the file.
    pub fn take(path: &Path) -> Result<Self, FileError> {
        let unwritten = |source| FileError::unwritten(path, source);
        loop {
            let mut registry = registry();
            let file = File::options().write(true).create(true).truncate(false).open(path).map_err(unwritten)?;
            lock(&file, path)?;
            // Its owner may have removed it after we opened it: then we have locked a file that nobody else can find.
            if is_at(&file, path).map_err(unwritten)? {
                return Ok(LockFile { _temporary: registry.add(path.to_path_buf()), _file: file });
            }
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    Ok(path.metadata().is_ok_and(|found| (found.dev(), found.ino()) == (own.dev(), own.ino())))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_owner_is_refused_until_the_first_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".lock");
        let first = LockFile::take(&path).unwrap();
        assert!(matches!(LockFile::take(&path), Err(FileError::InUse { .. })));
        drop(first);
        assert!(!path.exists());
        LockFile::take(&path).unwrap();
    }
}
