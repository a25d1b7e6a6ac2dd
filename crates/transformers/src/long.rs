//! Premises that are longer than the model reads: cut, or read in parts whose scores are combined.
//!
//! Of a pair that is too long, the hypothesis is always treated as in [`LongPremises::Truncate`]: it is kept if it takes up to half of the
//! tokens. The premise has the rest of them, in every part. A pair that fits has one part and the same features in all three ways.

use crate::error::{Result, TransformerError};
use crate::tokens::{Subwords, longest_first};
use acidtest_lingua::tokens::sentences;
use acidtest_neural::PairFeatures;
use acidtest_nli::{Pair, Scores};
use serde::{Deserialize, Serialize};
use tokenizers::{Encoding, TruncationDirection};

/// The number of tokens that two windows share, unless a window has fewer than twice as many.
pub const OVERLAP: usize = 64;

/// What happens to a premise that is longer than the model reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LongPremises {
    /// Its end is cut off.
    #[default]
    Truncate,
    /// It is read in windows that overlap.
    Windows,
    /// It is read sentence by sentence.
    Sentences,
}

impl LongPremises {
    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            LongPremises::Truncate => "truncate",
            LongPremises::Windows => "windows",
            LongPremises::Sentences => "sentences",
        }
    }
}

impl Subwords {
    /// The parts in which a pair is read; several only if its premise is too long.
    pub fn encode_parts(&self, premise: &str, hypothesis: &str, long: LongPremises) -> Result<Vec<PairFeatures>> {
        let parts = self.try_encode_parts(premise, hypothesis, long, self.room());
        parts.map_err(|message| TransformerError::Encoding { path: self.path.clone(), message })
    }

    /// The parts of many pairs, in order, or the error of the first that cannot be encoded.
    pub fn encode_all_parts(&self, pairs: &[Pair<'_>], long: LongPremises) -> Result<Vec<Vec<PairFeatures>>> {
        let encode = |pair: &Pair<'_>| self.encode_parts(&pair.premise.text, &pair.hypothesis.text, long);
        acidtest_threads::map(pairs, acidtest_threads::Grain::AtLeast(1), encode).into_iter().collect()
    }

    /// The same with `room` for this many tokens of the two texts together.
    pub(crate) fn try_encode_parts(
        &self,
        premise: &str,
        hypothesis: &str,
        long: LongPremises,
        room: usize,
    ) -> std::result::Result<Vec<PairFeatures>, String> {
        let (whole, hypothesis) = (self.alone(premise)?, self.alone(hypothesis)?);
        let (kept, kept_hypothesis) = longest_first(whole.len(), hypothesis.len(), room);
        let truncated = kept_hypothesis < hypothesis.len();
        let hypothesis = start_of(hypothesis, kept_hypothesis);
        let window = room - kept_hypothesis;
        let parts = match long {
            LongPremises::Truncate => {
                let truncated = truncated || kept < whole.len();
                return Ok(vec![self.features_of(start_of(whole, kept), hypothesis, truncated)?]);
            }
            _ if kept == whole.len() => vec![whole],
            LongPremises::Windows => windows(whole, window),
            LongPremises::Sentences => {
                let mut parts = Vec::new();
                for sentence in sentences(premise) {
                    parts.extend(windows(self.alone(&premise[sentence])?, window));
                }
                // A sentence may have no tokens, such as one of control characters, and a text no sentences, such as one of spaces.
                parts.retain(|part| !part.is_empty());
                if parts.is_empty() { windows(whole, window) } else { parts }
            }
        };
        parts.into_iter().map(|part| self.features_of(part, hypothesis.clone(), truncated)).collect()
    }
}

/// The first tokens of a text.
fn start_of(mut text: Encoding, length: usize) -> Encoding {
    // The crate would truncate a pair as well, but it also makes every pair of the parts that are cut off: quadratic in long texts.
    text.truncate(length, 0, TruncationDirection::Right);
    text.take_overflowing();
    text
}

/// A text in windows of at most `length` tokens, as `transformers` makes them (`return_overflowing_tokens` with `stride`).
fn windows(mut text: Encoding, length: usize) -> Vec<Encoding> {
    text.truncate(length, OVERLAP.min(length / 2), TruncationDirection::Right);
    let others = text.take_overflowing();
    std::iter::once(text).chain(others).collect()
}

/// The scores of a pair from those of its parts: entailment is the largest of any part, and so is contradiction; neutral is what is left,
/// and if nothing is, the two are scaled to a sum of 1. Of two labels, the second is what is left. One part keeps its scores.
///
/// As in SummaC (Laban et al. 2022, section 3.1), a hypothesis is supported if any part of the premise supports it.
pub fn combined(parts: &[Scores]) -> Option<Scores> {
    let largest = |class: usize| parts.iter().map(|part| part.values()[class]).fold(0.0, f64::max);
    match parts {
        [] => None,
        [alone] => Some(*alone),
        [Scores::Two(_), ..] => Some(Scores::Two([largest(0), 1.0 - largest(0)])),
        [Scores::Three(_), ..] => {
            let (entailment, contradiction) = (largest(0), largest(2));
            let neutral = (1.0 - entailment - contradiction).max(0.0);
            let sum = entailment + neutral + contradiction;
            Some(Scores::Three([entailment, neutral, contradiction].map(|score| score / sum)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn entailment_and_contradiction_are_the_largest_of_any_part() {
        let parts = [Scores::Three([0.1, 0.8, 0.1]), Scores::Three([0.5, 0.375, 0.125]), Scores::Three([0.25, 0.5, 0.25])];
        assert_eq!(combined(&parts), Some(Scores::Three([0.5, 0.25, 0.25])));
    }

    #[test]
    fn where_nothing_is_left_for_neutral_the_others_are_scaled() {
        let parts = [Scores::Three([0.75, 0.125, 0.125]), Scores::Three([0.0, 0.25, 0.75])];
        assert_eq!(combined(&parts), Some(Scores::Three([0.5, 0.0, 0.5])));
    }

    #[test]
    fn of_two_labels_the_second_is_what_is_left() {
        assert_eq!(combined(&[Scores::Two([0.25, 0.75]), Scores::Two([0.75, 0.25])]), Some(Scores::Two([0.75, 0.25])));
    }

    #[test]
    fn one_part_keeps_its_scores_and_none_has_no_scores() {
        // Its neutral would be rounded otherwise.
        let alone = Scores::Three([0.1, 0.7, 0.2]);
        assert_eq!(combined(&[alone]), Some(alone));
        assert_eq!(combined(&[]), None);
    }

    #[test]
    fn windows_are_cut_as_documented() {
        let text = |length: usize| (0..length).map(|place| tokenizers::Token::new(place as u32, "a".to_owned(), (0, 1))).collect();
        let cut = |tokens: usize, length: usize| {
            let parts = windows(Encoding::from_tokens(text(tokens), 0), length);
            parts.iter().map(|part| (part.get_ids().first().copied().unwrap_or(0), part.len())).collect::<Vec<_>>()
        };
        assert_eq!(cut(500, 500), [(0, 500)]);
        assert_eq!(cut(501, 500), [(0, 500), (436, 65)]);
        assert_eq!(cut(1000, 500), [(0, 500), (436, 500), (872, 128)]);
        // Less than twice the overlap: windows share half.
        assert_eq!(cut(20, 10), [(0, 10), (5, 10), (10, 10)]);
        assert_eq!(cut(3, 1), [(0, 1), (1, 1), (2, 1)]);
    }

    fn scores() -> impl Strategy<Value = Scores> {
        (0.001_f64..1.0, 0.001_f64..1.0, 0.001_f64..1.0).prop_map(|(a, b, c)| Scores::Three([a, b, c].map(|x| x / (a + b + c))))
    }

    proptest! {
        #[test]
        fn combined_scores_are_probabilities_in_any_order(mut parts in prop::collection::vec(scores(), 1..9)) {
            let found = combined(&parts).unwrap();
            prop_assert!((found.values().iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(found.values().iter().all(|score| (0.0..=1.0).contains(score)));
            parts.reverse();
            if parts.len() > 1 {
                prop_assert_eq!(combined(&parts), Some(found));
            }
        }
    }
}
