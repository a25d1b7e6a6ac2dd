//! Bytes that wait until something is known that must be written before them.

use crate::FileError;
use crate::temporary::parent;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes that are held in memory until there are many, then in a file without a name, which no end of the process leaves behind.
#[derive(Debug)]
pub struct Spool {
    /// The file that the bytes are for.
    path: PathBuf,
    memory: Vec<u8>,
    file: Option<File>,
}

/// A file without a name for what is read once and needed again; nothing of it is left, however the process ends.
pub fn scratch_file() -> io::Result<File> {
    tempfile::tempfile()
}

/// Bytes that are held in memory.
const IN_MEMORY: usize = 8 << 20;

impl Spool {
    /// Nothing yet, for an output of this name; `-` is standard output.
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
            // There is room for the output where the output goes.
            None if self.path.is_dir() || self.path.as_os_str() == "-" => self.file.insert(tempfile::tempfile()?),
            None => self.file.insert(tempfile::tempfile_in(parent(&self.path)).or_else(|_| tempfile::tempfile())?),
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        Ok(())
    }

    /// All bytes, from the first.
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
    fn bytes_come_in_their_order_and_no_file_is_left() {
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
