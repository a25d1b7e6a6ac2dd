//! The bytes of a stored answer.
//!
//! A record is its length (one byte), the hash of the pair (16), the answer (1), the scores where there are any (24), and a checksum (8) over all of that,
//! seeded with the place of the record in the file. So neither half a record nor bytes that moved are taken for an answer.

use acidtest_nli::{Judgment, Label, Pair, Prediction};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

const KEY: usize = 16;
const SCORES: usize = 24;
const CHECKSUM: usize = 8;
const WITHOUT_SCORES: usize = KEY + 1;
const WITH_SCORES: usize = WITHOUT_SCORES + SCORES;

/// What a pair is known by: the hash of its two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u128);

/// A map from keys, which are hashes already and need no other.
pub(super) type ByKey<T> = HashMap<Key, T, BuildHasherDefault<Half>>;

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0 as u64);
    }
}

/// Takes the half of a key that it is given for its hash.
#[derive(Default)]
pub(super) struct Half(u64);

impl Hasher for Half {
    fn write(&mut self, _: &[u8]) {
        unreachable!("a key writes one number")
    }

    fn write_u64(&mut self, half: u64) {
        self.0 = half;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Key {
    pub fn of(pair: &Pair<'_>) -> Key {
        let mut content = Vec::with_capacity(pair.premise.text.len() + pair.hypothesis.text.len() + 1);
        content.extend_from_slice(pair.premise.text.as_bytes());
        // No text holds this byte, so that the border between the texts counts.
        content.push(0xff);
        content.extend_from_slice(pair.hypothesis.text.as_bytes());
        Key(xxh3_128(&content))
    }
}

/// The record of an answer that is to stand at `place`.
pub(super) fn write(key: Key, prediction: &Prediction, place: u64) -> Vec<u8> {
    let length = if prediction.scores.is_some() { WITH_SCORES } else { WITHOUT_SCORES };
    let mut record = Vec::with_capacity(1 + length + CHECKSUM);
    record.push(length as u8);
    record.extend_from_slice(&key.0.to_le_bytes());
    record.push(match prediction.answer {
        Judgment::Exact(label) => label.index() as u8,
        Judgment::NotEntailment => Label::ALL.len() as u8,
    });
    for score in prediction.scores.iter().flatten() {
        record.extend_from_slice(&score.to_le_bytes());
    }
    record.extend_from_slice(&xxh3_64_with_seed(&record, place).to_le_bytes());
    record
}

/// The record at the start of these bytes, which stand at `place`, and its length; `None` if there is no whole record.
pub(super) fn read(bytes: &[u8], place: u64) -> Option<(Key, Prediction, usize)> {
    let length = usize::from(*bytes.first()?);
    if length != WITHOUT_SCORES && length != WITH_SCORES {
        return None;
    }
    let (record, rest) = bytes.split_at_checked(1 + length)?;
    if *rest.first_chunk::<CHECKSUM>()? != xxh3_64_with_seed(record, place).to_le_bytes() {
        return None;
    }
    let (key, content) = record[1..].split_first_chunk::<KEY>()?;
    let (&answer, scores) = content.split_first()?;
    let answer = match usize::from(answer) {
        3 => Judgment::NotEntailment,
        label => Judgment::Exact(*Label::ALL.get(label)?),
    };
    let mut numbers = scores.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
    let scores = match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(entailment), Some(neutral), Some(contradiction)) => Some([entailment, neutral, contradiction]),
        _ => None,
    };
    Some((Key(u128::from_le_bytes(*key)), Prediction { answer, scores }, 1 + length + CHECKSUM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prediction: Prediction) {
        let key = Key::of(&Pair::plain("a", "b"));
        let record = write(key, &prediction, 40);
        assert_eq!(read(&record, 40), Some((key, prediction, record.len())));
        assert_eq!(read(&record, 41), None, "in another place");
        for end in 0..record.len() {
            assert_eq!(read(&record[..end], 40), None, "cut at {end}");
        }
        for at in 0..record.len() {
            let mut damaged = record.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&damaged, 40), None, "damaged at {at}");
        }
    }

    #[test]
    fn an_answer_is_read_as_written_and_neither_cut_nor_damaged_nor_moved() {
        Label::ALL.into_iter().for_each(|label| check(Prediction::of(label)));
        check(Prediction::of(Judgment::NotEntailment));
        check(Prediction::from_scores([0.1, -3.5e-7, f64::MAX]));
    }

    #[test]
    fn the_border_between_the_texts_counts() {
        assert_ne!(Key::of(&Pair::plain("ab", "c")), Key::of(&Pair::plain("a", "bc")));
    }
}
