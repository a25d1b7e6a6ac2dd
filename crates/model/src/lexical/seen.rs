//! The pairs and premises of the training data, as sorted hashes of their texts.

use super::error::LexicalError;
use super::packed::{Packed, packed, u64_at};
use acidtest_files::ContentHash;
use std::path::Path;

const MAGIC: &[u8; 8] = b"acidlexs";

/// The file of these hashes.
pub(super) fn pack_seen(hashes: &[u64]) -> Vec<u8> {
    let mut hashes = hashes.to_vec();
    hashes.sort_unstable();
    hashes.dedup();
    let content: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    packed(MAGIC, &content)
}

/// The pairs and premises that were trained on.
#[derive(Debug)]
pub(super) struct Seen(Packed);

impl Seen {
    /// Opens `seen.bin`.
    pub(super) fn open(path: &Path) -> Result<Seen, LexicalError> {
        let file = Packed::open(path, MAGIC)?;
        if !file.bytes().len().is_multiple_of(8) {
            return Err(LexicalError::broken(path, "it does not contain whole numbers"));
        }
        Ok(Seen(file))
    }

    /// The hash of the file.
    pub(super) fn hash(&self) -> ContentHash {
        self.0.hash()
    }

    /// Whether a pair or a premise with this hash was trained on.
    pub(super) fn contains(&self, hash: u64) -> bool {
        let bytes = self.0.bytes();
        let (mut low, mut high) = (0, bytes.len() / 8);
        while low < high {
            let middle = low + (high - low) / 2;
            match u64_at(bytes, 8 * middle).cmp(&hash) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_known_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.bin");
        std::fs::write(&path, pack_seen(&[9, 3, u64::MAX, 3, 0])).unwrap();
        let seen = Seen::open(&path).unwrap();
        let known: Vec<u64> = [0, 1, 3, 4, 9, 10, u64::MAX].into_iter().filter(|hash| seen.contains(*hash)).collect();
        assert_eq!(known, [0, 3, 9, u64::MAX]);
    }
}
