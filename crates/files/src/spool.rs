//! Bytes that are kept until something that must be written before them is known.

use crate::FileError;
use crate::temporary::parent;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes that are kept in memory up to a limit, then in an unnamed file, which disappears with the process.
#[derive(Debug)]
pub struct Spool {
    /// The output that the bytes are for.
    path: PathBuf,
    memory: Vec<u8>,
    file: Option<File>,
}

/// An unnamed file for data that is read once and needed again; it disappears with the process.
pub fn scratch_file() -> io::Result<File> {
    tempfile::tempfile()
}

/// The number of bytes kept in memory.
const IN_MEMORY: usize = 8 << 20;

impl Spool {
    /// An empty spool for an output of this name; `-` is standard output.
    pub fn new(path: &Path) -> Self {
        Spool { path: path.to_path_buf(), memory: Vec::new(), file: None }
    }

    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.memory.extend_from_slice(bytes);
        if self.memory.len() > IN_MEMORY { self.flush().map_err(|source| FileError::unwritten(&self.path, source)) } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            // The disk of the output has room for the output.
            None if self.path.is_dir() || self.path.as_os_str() == "-" => self.file.insert(tempfile::tempfile()?),
            None => self.file.insert(tempfile::tempfile_in(parent(&self.path)).or_else(|_| tempfile::tempfile())?),
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        Ok(())
    }

    /// All bytes, from the beginning.
    pub fn into_reader(mut self) -> Result<Box<dyn Read + Send>, FileError> {
        let mut begin = || match self.file.take() {
            Some(mut file) => {
                file.rewind()?;
                Ok::<_, io::Error>(Some(BufReader::with_capacity(1 << 16, file)))
            }
            None => Ok(None),
        };
        let file = begin().map_err(|source| FileError::unwritten(&self.path, source))?;
        let memory = io::Cursor::new(self.memory);
        Ok(match file {
            Some(file) => Box::new(file.chain(memory)),
            None => Box::new(memory),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_order_and_no_file_is_left() {
        for pieces in [1, 50] {
            let folder = tempfile::tempdir().unwrap();
            let mut spool = Spool::new(&folder.path().join("out.csv"));
            let piece: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
            (0..pieces).for_each(|_| spool.write(&piece).unwrap());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            let mut found = Vec::new();
            spool.into_reader().unwrap().read_to_end(&mut found).unwrap();
            assert!(found == piece.repeat(pieces));
        }
    }
}
