//! The similarity of a hypothesis to its premise: trivial edits and token overlap, as in section 2.2 of the MultiNLI paper.
//!
//! Ours ([`OverlapStatistics`]): words are compared in lower case and without punctuation marks, which annotators often leave out. A hypothesis is a
//! deletion if it is the premise with words left out; an addition, substitution or move if one word is inserted, replaced or moved. Token overlap is the Jaccard index of the two sets of words.
//!
//! As published ([`PublishedOverlap`]): the authors' script compares sets of tokens of the binary parses, case and punctuation kept, and takes the
//! two brackets of the parses for tokens, which raises the overlap. Its figures for SNLI (2.5 %, 1.6 %, 29 %) are reproduced only in this way.

use crate::Share;
use crate::words::{binary_tokens, each_word, filled, is_bracket, is_punctuation};
use acidtest_lingua::fold::fold;
use acidtest_nli::Sentence;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// The overlap above which the paper calls a pair's token overlap high.
pub const HIGH_OVERLAP: f64 = 0.37;

/// A trivial edit that makes the hypothesis from the premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TrivialEdit {
    /// Nothing was changed.
    Nothing,
    /// Words were deleted.
    Deletion,
    /// One word was inserted.
    Addition,
    /// One word was replaced.
    Substitution,
    /// One word was moved.
    Move,
}

/// Counts of hypotheses that are similar to their premises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OverlapStatistics {
    /// Hypotheses with the words of the premise.
    pub identical: Share,
    /// Hypotheses that leave out words of the premise.
    pub deletion: Share,
    /// Hypotheses with one more word.
    pub addition: Share,
    /// Hypotheses with one other word.
    pub substitution: Share,
    /// Hypotheses with one word moved.
    #[serde(rename = "move")]
    pub moved: Share,
    /// Pairs whose Jaccard index is over [`HIGH_OVERLAP`].
    pub high_overlap: Share,
}

/// The counts of the authors' script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PublishedOverlap {
    /// Every token of the hypothesis occurs in the premise, and not the other way round.
    pub deletion: Share,
    /// Every token of the premise occurs in the hypothesis.
    pub addition: Share,
    /// Each has exactly one token that the other lacks.
    pub substitution_or_move: Share,
    /// Pairs whose Jaccard index, brackets counted, is over [`HIGH_OVERLAP`].
    pub high_overlap: Share,
}

/// The edit that makes the hypothesis from the premise, if one does; both are given as words or their hashes.
pub fn edit<T: PartialEq>(premise: &[T], hypothesis: &[T]) -> Option<TrivialEdit> {
    if premise == hypothesis {
        return Some(TrivialEdit::Nothing);
    }
    if hypothesis.len() < premise.len() {
        let mut rest = premise.iter();
        let is_part = !hypothesis.is_empty() && hypothesis.iter().all(|word| rest.any(|other| other == word));
        return is_part.then_some(TrivialEdit::Deletion);
    }
    let prefix = premise.iter().zip(hypothesis).take_while(|(a, b)| a == b).count();
    let (before, after) = (&premise[prefix..], &hypothesis[prefix..]);
    let suffix = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[..before.len() - suffix], &after[..after.len() - suffix]);
    match (before, after) {
        ([], [_]) => Some(TrivialEdit::Addition),
        ([_], [_]) => Some(TrivialEdit::Substitution),
        ([first, others @ ..], [moved_up @ .., last]) if first == last && others == moved_up => Some(TrivialEdit::Move),
        ([others @ .., last], [first, moved_down @ ..]) if first == last && others == moved_down => Some(TrivialEdit::Move),
        _ => None,
    }
}

impl OverlapStatistics {
    pub(super) fn add(&mut self, premise: &mut SentenceWords, hypothesis: &mut SentenceWords) {
        let edit = edit(&premise.words, &hypothesis.words);
        self.identical.add(edit == Some(TrivialEdit::Nothing));
        self.deletion.add(edit == Some(TrivialEdit::Deletion));
        self.addition.add(edit == Some(TrivialEdit::Addition));
        self.substitution.add(edit == Some(TrivialEdit::Substitution));
        self.moved.add(edit == Some(TrivialEdit::Move));
        let index = jaccard(WordSet::of(&mut premise.words), WordSet::of(&mut hypothesis.words));
        self.high_overlap.add(index.is_some_and(|index| index > HIGH_OVERLAP));
    }

    pub(super) fn merge(&mut self, other: OverlapStatistics) {
        self.identical.merge(other.identical);
        self.deletion.merge(other.deletion);
        self.addition.merge(other.addition);
        self.substitution.merge(other.substitution);
        self.moved.merge(other.moved);
        self.high_overlap.merge(other.high_overlap);
    }
}

impl PublishedOverlap {
    pub(super) fn add(&mut self, premise: &mut SentenceWords, hypothesis: &mut SentenceWords) {
        if premise.parse == Parse::Missing || hypothesis.parse == Parse::Missing {
            return;
        }
        let (premise, hypothesis) = (WordSet::of(&mut premise.tokens), WordSet::of(&mut hypothesis.tokens));
        let common = premise.common(hypothesis);
        let (only_premise, only_hypothesis) = (premise.0.len() - common, hypothesis.0.len() - common);
        self.addition.add(only_premise == 0);
        self.deletion.add(only_premise > 0 && only_hypothesis == 0);
        self.substitution_or_move.add(only_premise == 1 && only_hypothesis == 1);
        self.high_overlap.add(jaccard(premise, hypothesis).is_some_and(|index| index > HIGH_OVERLAP));
    }

    pub(super) fn merge(&mut self, other: PublishedOverlap) {
        self.deletion.merge(other.deletion);
        self.addition.merge(other.addition);
        self.substitution_or_move.merge(other.substitution_or_move);
        self.high_overlap.merge(other.high_overlap);
    }
}

/// The words of one sentence as hashes; kept between examples to reuse its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct SentenceWords {
    /// The number of words, including punctuation marks.
    pub(super) count: u64,
    /// The words in lower case without punctuation marks, in order until they are sorted for comparison as sets.
    words: Vec<u64>,
    /// The tokens of the binary parse as they are, brackets included.
    tokens: Vec<u64>,
    parse: Parse,
    folded: String,
}

/// Whether a sentence has a binary parse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Parse {
    #[default]
    Missing,
    There,
}

impl SentenceWords {
    pub(super) fn read(&mut self, sentence: &Sentence<'_>) {
        self.count = 0;
        self.words.clear();
        self.tokens.clear();
        self.parse = Parse::Missing;
        let Some(parse) = filled(&sentence.binary_parse) else {
            return each_word(sentence, |word| self.push(word));
        };
        self.parse = Parse::There;
        // A set has each bracket once.
        let mut brackets: [Option<&str>; 2] = [None, None];
        for token in binary_tokens(parse) {
            if is_bracket(token) {
                brackets[usize::from(token == ")")] = Some(token);
                continue;
            }
            self.tokens.push(xxh3_64(token.as_bytes()));
            self.push(token);
        }
        self.tokens.extend(brackets.into_iter().flatten().map(|bracket| xxh3_64(bracket.as_bytes())));
    }

    fn push(&mut self, word: &str) {
        self.count += 1;
        if !is_punctuation(word) {
            fold(word, &mut self.folded);
            self.words.push(xxh3_64(self.folded.as_bytes()));
        }
    }
}

/// Distinct words as hashes, in ascending order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordSet<'a>(&'a [u64]);

impl<'a> WordSet<'a> {
    /// Sorts the words and removes duplicates.
    pub(crate) fn of(words: &'a mut Vec<u64>) -> Self {
        words.sort_unstable();
        words.dedup();
        WordSet(words)
    }

    fn common(self, other: WordSet<'_>) -> usize {
        let (mut left, mut right, mut common) = (self.0, other.0, 0);
        while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
            common += usize::from(first == second);
            left = if first <= second { left_rest } else { left };
            right = if second <= first { right_rest } else { right };
        }
        common
    }
}

/// The Jaccard index of two sets; `None` if both are empty.
pub(crate) fn jaccard(left: WordSet<'_>, right: WordSet<'_>) -> Option<f64> {
    let common = left.common(right);
    let all = left.0.len() + right.0.len() - common;
    (all > 0).then(|| common as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(premise: &str, hypothesis: &str, expected: Option<TrivialEdit>) {
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(edit(&words(premise), &words(hypothesis)), expected, "{premise} / {hypothesis}");
    }

    #[test]
    fn every_trivial_edit_is_recognised() {
        check("a b c", "a b c", Some(TrivialEdit::Nothing));
        check("a b c", "a c", Some(TrivialEdit::Deletion));
        check("a b c", "c", Some(TrivialEdit::Deletion));
        check("a b c", "a b x c", Some(TrivialEdit::Addition));
        check("a b c", "x a b c", Some(TrivialEdit::Addition));
        check("a a", "a a a", Some(TrivialEdit::Addition));
        check("a b c", "a x c", Some(TrivialEdit::Substitution));
        check("a b c d", "b c a d", Some(TrivialEdit::Move));
        check("a b c d", "a d b c", Some(TrivialEdit::Move));
        check("a b", "b a", Some(TrivialEdit::Move));
    }

    #[test]
    fn more_than_one_edit_is_not_trivial() {
        check("a b c", "c a", None);
        check("a b c", "x b y", None);
        check("a b", "a b x y", None);
        check("a b c d", "d b c a", None);
        check("a b", "", None);
    }

    fn pair(premise: &str, hypothesis: &str) -> (SentenceWords, SentenceWords) {
        let read = |binary: &str| {
            let mut words = SentenceWords::default();
            words.read(&Sentence { text: "".into(), parse: None, binary_parse: Some(binary.to_string().into()) });
            words
        };
        (read(premise), read(hypothesis))
    }

    #[test]
    fn the_published_sets_contain_the_brackets() {
        let (mut premise, mut hypothesis) = pair("( a ( b ( c d ) ) )", "( A ( x ( y d ) ) )");
        let (mut ours, mut published) = (OverlapStatistics::default(), PublishedOverlap::default());
        published.add(&mut premise, &mut hypothesis);
        ours.add(&mut premise, &mut hypothesis);
        // Brackets and `d` of nine tokens; `a` and `d` of six words.
        assert_eq!((published.high_overlap.count, ours.high_overlap.count), (0, 0));
        let (mut premise, mut hypothesis) = pair("( a ( b d ) )", "( x ( y d ) )");
        published.add(&mut premise, &mut hypothesis);
        ours.add(&mut premise, &mut hypothesis);
        // Brackets and `d` of seven tokens; `d` of five words.
        assert_eq!((published.high_overlap.count, ours.high_overlap.count), (1, 0));
    }

    #[test]
    fn a_missing_final_stop_is_not_a_deletion() {
        let (mut premise, mut hypothesis) = pair("( ( It rained ) . )", "( it rained )");
        let mut ours = OverlapStatistics::default();
        ours.add(&mut premise, &mut hypothesis);
        assert_eq!((ours.identical.count, ours.deletion.count), (1, 0));
    }
}
