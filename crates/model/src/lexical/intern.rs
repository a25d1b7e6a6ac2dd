//! Dense ids of words and features.
//!
//! A feature is identified by the ids of its words, so two features never collide.

use acidtest_lingua::hash::mix;

/// A map from 64-bit codes to consecutive numbers, in the order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Interner {
    /// Part of a code's hash, and its number plus 1 (0 if empty); a power of two of them, at most two thirds full.
    slots: Vec<(u32, u32)>,
    /// The codes in the order of their numbers.
    codes: Vec<u64>,
}

impl Interner {
    /// The number of a code; a new code gets the next number.
    pub(super) fn number(&mut self, code: u64) -> u32 {
        if 3 * self.codes.len() >= 2 * self.slots.len() {
            self.grow();
        }
        let (at, part) = self.place(code);
        if self.slots[at].1 == 0 {
            self.codes.push(code);
            self.slots[at] = (part, self.codes.len() as u32);
        }
        self.slots[at].1 - 1
    }

    /// The number of a known code.
    pub(super) fn get(&self, code: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.place(code).0].1.checked_sub(1)
    }

    /// The codes in the order of their numbers.
    pub(super) fn codes(&self) -> &[u64] {
        &self.codes
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u32, u32)>() + self.codes.capacity() * size_of::<u64>()
    }

    fn grow(&mut self) {
        self.slots = vec![(0, 0); (self.slots.len() * 2).max(1 << 10)];
        for number in 0..self.codes.len() {
            let (at, part) = self.place(self.codes[number]);
            self.slots[at] = (part, number as u32 + 1);
        }
    }

    /// The slot of the code, or the empty slot where it would go, with the part of its hash that is stored there.
    #[inline]
    fn place(&self, code: u64) -> (usize, u32) {
        let mask = self.slots.len() - 1;
        let hash = mix(code, 0x9e37_79b9_7f4a_7c15);
        let part = (hash >> 32) as u32;
        let mut at = hash as usize & mask;
        loop {
            let (found, number) = self.slots[at];
            if number == 0 || (found == part && self.codes.get(number as usize - 1) == Some(&code)) {
                return (at, part);
            }
            at = (at + 1) & mask;
        }
    }
}

/// The feature of a word of the premise, given the word's number.
pub(super) fn premise_code(word: u32) -> u64 {
    u64::from(word + 1) << 32
}

/// The feature of a word of the hypothesis.
pub(super) fn hypothesis_code(word: u32) -> u64 {
    u64::from(word + 1)
}

/// The feature of a pair of words.
pub(super) fn cross_code(premise: u32, hypothesis: u32) -> u64 {
    premise_code(premise) | hypothesis_code(hypothesis)
}

/// The words of a feature: of the premise, of the hypothesis.
pub(super) fn words_of(code: u64) -> (Option<u32>, Option<u32>) {
    (((code >> 32) as u32).checked_sub(1), (code as u32).checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stay() {
        let mut interner = Interner::default();
        for round in 0..2 {
            for code in 1..5000u64 {
                assert_eq!(interner.number(code << 20), code as u32 - 1, "round {round}");
            }
        }
        assert_eq!(interner.codes().len(), 4999);
        assert_eq!(interner.get(7 << 20), Some(6));
        assert_eq!(interner.get(3), None);
        assert_eq!(Interner::default().get(3), None);
    }

    #[test]
    fn codes_contain_their_words() {
        assert_eq!(words_of(cross_code(0, 5)), (Some(0), Some(5)));
        assert_eq!(words_of(premise_code(3)), (Some(3), None));
        assert_eq!(words_of(hypothesis_code(3)), (None, Some(3)));
    }
}
