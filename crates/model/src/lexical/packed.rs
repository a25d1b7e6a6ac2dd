//! Memory-mapped files of numbers: eight bytes of file type, a checksum, the numbers.

use super::error::LexicalError;
use acidtest_files::ContentHash;
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The size of the header.
const HEAD: usize = 16;

/// The bytes of a file: header and content.
pub(super) fn packed(magic: &[u8; 8], content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + content.len());
    bytes.extend_from_slice(magic);
    bytes.extend_from_slice(&xxh3_64(content).to_le_bytes());
    bytes.extend_from_slice(content);
    bytes
}

/// A file whose header and checksum are valid.
#[derive(Debug)]
pub(super) struct Packed(Mmap);

impl Packed {
    /// Opens a file of this type.
    pub(super) fn open(path: &Path, magic: &[u8; 8]) -> Result<Packed, LexicalError> {
        let file = File::open(path).map_err(|error| LexicalError::unread(path, error))?;
        // The checksum needs the whole file, so it is read at once.
        // Model folders are replaced as a whole and never changed in place, so the mapped bytes do not change while the file is open.
        #[allow(unsafe_code)]
        let bytes = unsafe { MmapOptions::new().populate().map(&file) }.map_err(|error| LexicalError::unread(path, error))?;
        if bytes.len() < HEAD || &bytes[..8] != magic {
            return Err(LexicalError::broken(path, "wrong type of file, or truncated"));
        }
        let packed = Packed(bytes);
        if u64_at(&packed.0, 8) != xxh3_64(packed.bytes()) {
            return Err(LexicalError::broken(path, "the content has changed since it was written (checksum mismatch)"));
        }
        Ok(packed)
    }

    /// The hash of the whole file.
    pub(super) fn hash(&self) -> ContentHash {
        ContentHash::of(&self.0)
    }

    /// The content.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0[HEAD..]
    }
}

/// The number at a place of the bytes.
#[inline]
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}

/// The number at a place of the bytes.
pub(super) fn f32_at(bytes: &[u8], at: usize) -> f32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    f32::from_le_bytes(number)
}

/// The number at a place of the bytes.
#[inline]
pub(super) fn i16_at(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(bytes: &[u8]) -> Result<Packed, LexicalError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        Packed::open(&path, b"acidtest")
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = packed(b"acidtest", b"numbers");
        assert_eq!(opened(&bytes).unwrap().bytes(), b"numbers");
        let message = |bytes: &[u8]| opened(bytes).unwrap_err().to_string();
        assert!(message(&bytes[..bytes.len() - 1]).contains("checksum"));
        assert!(message(&bytes[..9]).contains("truncated"));
        assert!(message(b"").contains("file"));
        assert!(message(&packed(b"acidtesu", b"numbers")).contains("wrong type of file"));
        let mut changed = bytes.clone();
        changed[20] ^= 1;
        assert!(message(&changed).contains("checksum"));
    }
}
