//! The bytes of a cached prediction.
//!
//! A record is its length (one byte), the hash of the pair (16), the label (1), the scores if there are any (8 each), the number
//! of parts if it is not 1 (4), and a checksum (8) over all of that, seeded with the record's offset in the file. So neither half a record nor misplaced bytes are read as a prediction.

use acidtest_nli::{Judgment, Pair, Prediction, Scores};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

const KEY: usize = 16;
const SCORE: usize = 8;
const CHECKSUM: usize = 8;
const WITHOUT_SCORES: usize = KEY + 1;
const WITH_TWO_SCORES: usize = WITHOUT_SCORES + 2 * SCORE;
const WITH_THREE_SCORES: usize = WITHOUT_SCORES + 3 * SCORE;
const PARTS: usize = 4;
/// Added to the label's number if the input was truncated.
const TRUNCATED: u8 = 0x10;

/// The key of a pair: the hash of its two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u128);

/// A map from keys, which are hashes already and need not be hashed again.
pub(super) type ByKey<T> = HashMap<Key, T, BuildHasherDefault<Half>>;

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0 as u64);
    }
}

/// Uses the half of a key as its hash.
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
    pub(super) fn of(pair: &Pair<'_>) -> Key {
        let mut content = Vec::with_capacity(pair.premise.text.len() + pair.hypothesis.text.len() + 1);
        content.extend_from_slice(pair.premise.text.as_bytes());
        // No text contains this byte, so the boundary between the texts counts.
        content.push(0xff);
        content.extend_from_slice(pair.hypothesis.text.as_bytes());
        Key(xxh3_128(&content))
    }
}

/// The record of a prediction at offset `place`.
pub(super) fn write(key: Key, prediction: &Prediction, place: u64) -> Vec<u8> {
    let scores = prediction.scores.as_ref().map_or(&[][..], Scores::values);
    let parts = (prediction.parts != 1).then(|| prediction.parts.to_le_bytes());
    let length = WITHOUT_SCORES + scores.len() * SCORE + parts.map_or(0, |parts| parts.len());
    let mut record = Vec::with_capacity(1 + length + CHECKSUM);
    record.push(length as u8);
    record.extend_from_slice(&key.0.to_le_bytes());
    let truncated = if prediction.truncated { TRUNCATED } else { 0 };
    record.push(prediction.answer.index() as u8 | truncated);
    for score in scores {
        record.extend_from_slice(&score.to_le_bytes());
    }
    record.extend(parts.iter().flatten());
    record.extend_from_slice(&xxh3_64_with_seed(&record, place).to_le_bytes());
    record
}

/// The record at the start of these bytes, which are at offset `place`, and its length; `None` if it is incomplete.
pub(super) fn read(bytes: &[u8], place: u64) -> Option<(Key, Prediction, usize)> {
    let length = usize::from(*bytes.first()?);
    let is_known = |length: usize| [WITHOUT_SCORES, WITH_TWO_SCORES, WITH_THREE_SCORES].contains(&length);
    if !is_known(length) && !length.checked_sub(PARTS).is_some_and(is_known) {
        return None;
    }
    let (record, rest) = bytes.split_at_checked(1 + length)?;
    if *rest.first_chunk::<CHECKSUM>()? != xxh3_64_with_seed(record, place).to_le_bytes() {
        return None;
    }
    let (key, content) = record[1..].split_first_chunk::<KEY>()?;
    let (content, parts) = if is_known(length) { (content, 1) } else { without_parts(content)? };
    let (&answer, scores) = content.split_first()?;
    let truncated = answer & TRUNCATED != 0;
    let answer = *Judgment::ALL.get(usize::from(answer & !TRUNCATED))?;
    let number = |bytes: &[u8; SCORE]| f64::from_le_bytes(*bytes);
    let scores = match scores.as_chunks::<SCORE>().0 {
        [entailment, neutral, contradiction] => Some(Scores::Three([entailment, neutral, contradiction].map(number))),
        [entailment, not_entailment] => Some(Scores::Two([entailment, not_entailment].map(number))),
        _ => None,
    };
    Some((Key(u128::from_le_bytes(*key)), Prediction { answer, scores, truncated, parts }, 1 + length + CHECKSUM))
}

/// The number of parts at the end of a record, and what stands before it.
fn without_parts(content: &[u8]) -> Option<(&[u8], u32)> {
    let (content, parts) = content.split_last_chunk::<PARTS>()?;
    Some((content, u32::from_le_bytes(*parts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

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
        check(Prediction::from_scores([0.1, f64::MAX]));
        check(Prediction { truncated: true, ..Prediction::of(Judgment::NotEntailment) });
        check(Prediction { truncated: true, ..Prediction::from_scores([0.5, 0.5, 0.0]) });
        check(Prediction { parts: 7, ..Prediction::of(Label::Neutral) });
        check(Prediction { parts: u32::MAX, ..Prediction::from_scores([0.5, 0.5]) });
        check(Prediction { parts: 600, truncated: true, ..Prediction::from_scores([0.5, 0.25, 0.25]) });
    }

    #[test]
    fn records_of_earlier_versions_are_read() {
        // Written before records had two-way scores and truncation.
        let earlier = |answer: u8, scores: &[f64]| {
            let mut record = vec![(17 + 8 * scores.len()) as u8];
            record.extend_from_slice(&Key::of(&Pair::plain("a", "b")).0.to_le_bytes());
            record.push(answer);
            scores.iter().for_each(|score| record.extend_from_slice(&score.to_le_bytes()));
            record.extend_from_slice(&xxh3_64_with_seed(&record, 7).to_le_bytes());
            read(&record, 7).unwrap().1
        };
        assert_eq!(earlier(3, &[]), Prediction::of(Judgment::NotEntailment));
        assert_eq!(earlier(1, &[0.1, 0.7, 0.2]), Prediction::from_scores([0.1, 0.7, 0.2]));
    }

    #[test]
    fn the_border_between_the_texts_counts() {
        assert_ne!(Key::of(&Pair::plain("ab", "c")), Key::of(&Pair::plain("a", "bc")));
    }
}
