//! The pairs that a network was trained on, as sorted 8-byte hashes of their texts.

use acidtest_nli::{Pair, content_hash};

/// The file of these hashes.
pub(crate) const SEEN_FILE: &str = "seen.bin";

/// The sorted hashes of pairs, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SeenPairs(Vec<u64>);

impl SeenPairs {
    /// Takes hashes in any order.
    pub(crate) fn of(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        SeenPairs(hashes)
    }

    /// The hashes, sorted.
    pub(crate) fn into_hashes(self) -> Vec<u64> {
        self.0
    }

    /// The content of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }

    /// Reads the content of the file; `None` if it is incomplete.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<8>();
        rest.is_empty().then(|| SeenPairs::of(hashes.iter().map(|hash| u64::from_le_bytes(*hash)).collect()))
    }

    /// Whether this pair is among them.
    pub(crate) fn contains(&self, pair: &Pair<'_>) -> bool {
        self.0.binary_search(&hash_of(pair)).is_ok()
    }
}

/// The hash of a pair.
pub(crate) fn hash_of(pair: &Pair<'_>) -> u64 {
    content_hash(&pair.premise.text, &pair.hypothesis.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_given_pairs_are_found() {
        let [a, b] = [Pair::plain("A", "B"), Pair::plain("B", "A")];
        let seen = SeenPairs::of(vec![u64::MAX, hash_of(&a), 3, 3]);
        assert_eq!(seen.to_bytes().len(), 24);
        let seen = SeenPairs::from_bytes(&seen.to_bytes()).unwrap();
        assert!(seen.contains(&a) && !seen.contains(&b));
        assert_eq!(SeenPairs::from_bytes(&[0; 7]), None);
    }
}
