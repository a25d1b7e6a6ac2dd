//! Content hashes: XXH3 of 128 bits, written as `xxh3:` and 32 digits.

use std::path::Path;
use std::{fmt, io};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A content hash, which is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ContentHash(u128);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        ContentHash(xxh3_128(bytes))
    }

    /// The hash of a file, which is read piece by piece.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut hasher = ContentHasher::default();
        io::copy(&mut std::fs::File::open(path)?, &mut hasher)?;
        Ok(hasher.hash())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "xxh3:{:032x}", self.0)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for ContentHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for ContentHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("xxh3:").filter(|digits| digits.len() == 32);
        let number = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        number.map(ContentHash).ok_or_else(|| serde::de::Error::custom(format!("invalid hash `{text}` (expected xxh3: and 32 digits)")))
    }
}

/// Hashes content that arrives in pieces.
#[derive(Clone, Default)]
pub struct ContentHasher(Xxh3);

impl io::Write for ContentHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ContentHasher {
    /// Adds the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all pieces so far.
    pub fn hash(&self) -> ContentHash {
        ContentHash(self.0.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_hash_of_the_whole() {
        let mut hasher = ContentHasher::default();
        hasher.update(b"two ");
        hasher.update(b"pieces");
        assert_eq!(hasher.hash(), ContentHash::of(b"two pieces"));
        assert_eq!(ContentHash::of(b"").to_string(), "xxh3:99aa06d3014798d86001c324468d497f");
    }
}
