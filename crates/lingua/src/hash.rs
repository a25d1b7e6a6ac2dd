//! The hash for words and features. The shipped models are keyed by it, so it must never change.
//!
//! It cannot be replaced by XXH3, which the other crates use: all shipped models would have to be retrained.

/// Hashes bytes to 64 bits, the same on every platform.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7]]);
        state = mix(state, word);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut word = 0;
        for (place, &byte) in rest.iter().enumerate() {
            word |= u64::from(byte) << (8 * place);
        }
        state = mix(state, word);
    }
    state
}

/// Hashes a word to 64 bits.
pub fn hash_str(text: &str) -> u64 {
    hash_bytes(text.as_bytes())
}

/// Combines two hashes; the order matters.
#[inline]
pub fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ 0xa076_1d64_78bd_642f) * u128::from(right ^ 0xe703_7ed1_a0b4_28db);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The 32-bit key of a hash in a model; never 0, which marks an empty slot.
#[inline]
pub fn key(hash: u64) -> u32 {
    ((hash >> 32) as u32).max(1)
}

/// A read-only map from 32-bit keys to row numbers.
///
/// It uses open addressing with a load factor of at most 0.7, so that looking up absent keys, the common case for features, is fast.
#[derive(Debug, Clone)]
pub struct KeyIndex {
    slots: Vec<(u32, u32)>,
    shift: u32,
}

impl KeyIndex {
    /// An index in which the `n`-th key has row `n`.
    pub fn new(keys: impl ExactSizeIterator<Item = u32>) -> Self {
        KeyIndex::with_values(keys.enumerate().map(|(row, key)| (key, row as u32)))
    }

    /// An index from keys to numbers.
    pub fn with_values(pairs: impl ExactSizeIterator<Item = (u32, u32)>) -> Self {
        let bits = (pairs.len().max(8) * 10 / 7).next_power_of_two().trailing_zeros();
        let mut index = KeyIndex { slots: vec![(0, 0); 1 << bits], shift: 32 - bits };
        for (key, value) in pairs {
            let mut slot = index.home(key);
            while index.slots[slot].0 != 0 {
                slot = (slot + 1) & (index.slots.len() - 1);
            }
            index.slots[slot] = (key, value);
        }
        index
    }

    /// The row or value of a key.
    #[inline]
    pub fn get(&self, key: u32) -> Option<usize> {
        let mut slot = self.home(key);
        loop {
            let (found, row) = self.slots[slot];
            if found == key {
                return Some(row as usize);
            }
            if found == 0 {
                return None;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn home(&self, key: u32) -> usize {
        (key.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }
}

/// Sorted keys with an index on their first bits; faster to load than a hash table.
#[derive(Debug, Clone)]
pub struct SortedKeys {
    keys: Vec<u32>,
    /// The start of the keys with each prefix, and the end of the last.
    begins: Vec<u32>,
    shift: u32,
}

impl SortedKeys {
    /// Takes sorted keys; `None` if they are not sorted.
    pub fn new(keys: impl ExactSizeIterator<Item = u32>) -> Option<Self> {
        let bits = keys.len().max(2).next_power_of_two().trailing_zeros().min(20);
        let keys: Vec<u32> = keys.collect();
        if keys.windows(2).any(|pair| pair[0] >= pair[1]) {
            return None;
        }
        let shift = 32 - bits;
        let mut begins = Vec::with_capacity((1 << bits) + 1);
        for (row, key) in keys.iter().enumerate() {
            let beginning = (key >> shift) as usize;
            while begins.len() <= beginning {
                begins.push(row as u32);
            }
        }
        begins.resize((1 << bits) + 1, keys.len() as u32);
        Some(SortedKeys { keys, begins, shift })
    }

    /// The number of keys.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The row of a key.
    #[inline]
    pub fn find(&self, key: u32) -> Option<usize> {
        let beginning = (key >> self.shift) as usize;
        let (begin, end) = (self.begins[beginning] as usize, self.begins[beginning + 1] as usize);
        self.keys[begin..end].iter().position(|&found| found == key).map(|place| begin + place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(hash_str(""), 0x9e37_79b9_7f4a_7c15);
        assert_eq!(hash_str("acidtest"), hash_bytes(b"acidtest"));
        assert_ne!(hash_str("ab"), hash_str("ba"));
    }

    #[test]
    fn every_key_has_its_row() {
        let keys: Vec<u32> = (1..500u64).map(|number| key(mix(number, 7))).collect();
        let index = KeyIndex::new(keys.iter().copied());
        for (row, &key) in keys.iter().enumerate() {
            assert_eq!(index.get(key), Some(row));
        }
        assert_eq!(index.get(key(hash_str("absent"))), None);
    }

    #[test]
    fn sorted_keys_are_found_and_absent_ones_are_not() {
        let mut keys: Vec<u32> = (1..5000u64).map(|number| key(mix(number, 7))).collect();
        keys.sort_unstable();
        let sorted = SortedKeys::new(keys.iter().copied()).unwrap();
        for (row, &key) in keys.iter().enumerate() {
            assert_eq!(sorted.find(key), Some(row));
        }
        assert_eq!(sorted.find(key(hash_str("absent"))), None);
        assert_eq!(SortedKeys::new([].into_iter()).unwrap().find(7), None);
        assert!(SortedKeys::new([2, 1].into_iter()).is_none());
    }
}
