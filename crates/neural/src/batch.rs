//! Ragged batches: sentences of different lengths one after another, with the places where each begins.

use crate::error::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// How many labels there are: entailment, neutral, contradiction.
pub const CLASSES: usize = 3;

/// Where each of many sentences begins and ends among the rows of one matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    offsets: Vec<usize>,
}

impl Segments {
    /// Segments of these lengths, one after another.
    pub fn of_lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut offsets = vec![0];
        for length in lengths {
            offsets.push(offsets[offsets.len() - 1] + length);
        }
        Segments { offsets }
    }

    /// How many segments there are.
    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many rows they have together.
    pub fn rows(&self) -> usize {
        self.offsets[self.count()]
    }

    /// The rows of one segment.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.offsets[index]..self.offsets[index + 1]
    }

    /// The rows of every segment.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.offsets.windows(2).map(|ends| ends[0]..ends[1])
    }
}

/// Pairs of sentences as word ids, and their labels.
///
/// All words lie in one list: first those of all premises, then those of all hypotheses. Segment `i` is the premise of pair `i`, segment
/// `pairs + i` its hypothesis; an operation with weights that both sides share takes all of them at once.
#[derive(Debug, Clone)]
pub struct Batch {
    pub(crate) words: Arc<Vec<u32>>,
    /// Each word that occurs, once, by ascending id.
    pub(crate) distinct: Arc<Vec<u32>>,
    /// For each word its place among the distinct ones.
    pub(crate) places: Arc<Vec<u32>>,
    pub(crate) segments: Arc<Segments>,
    pub(crate) labels: Arc<Vec<usize>>,
}

impl Batch {
    /// A batch of pairs; labels count from 0 and are below [`CLASSES`].
    pub fn new<S: AsRef<[u32]>>(premises: &[S], hypotheses: &[S], labels: &[usize]) -> Result<Self> {
        if premises.len() != hypotheses.len() || premises.len() != labels.len() {
            let (premises, hypotheses, labels) = (premises.len(), hypotheses.len(), labels.len());
            return Err(Error::UnevenBatch { premises, hypotheses, labels });
        }
        if premises.is_empty() {
            return Err(Error::EmptyBatch);
        }
        if let Some(pair) = labels.iter().position(|&label| label >= CLASSES) {
            return Err(Error::UnknownLabel { pair, label: labels[pair] });
        }
        let sentences = || premises.iter().chain(hypotheses).map(AsRef::as_ref);
        let words: Vec<u32> = sentences().flatten().copied().collect();
        let mut distinct = words.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let places = words.iter().map(|word| distinct.partition_point(|other| other < word) as u32).collect();
        Ok(Batch {
            words: Arc::new(words),
            distinct: Arc::new(distinct),
            places: Arc::new(places),
            segments: Arc::new(Segments::of_lengths(sentences().map(<[u32]>::len))),
            labels: Arc::new(labels.to_vec()),
        })
    }

    /// A batch of pairs whose labels are not known, for [`scores`](crate::Network::scores) alone.
    pub fn unlabelled<S: AsRef<[u32]>>(premises: &[S], hypotheses: &[S]) -> Result<Self> {
        Batch::new(premises, hypotheses, &vec![0; premises.len()])
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.labels.len()
    }

    /// How many words there are on both sides.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Refuses a word that the vocabulary does not have.
    pub(crate) fn check(&self, vocabulary_size: usize) -> Result<()> {
        let Some(place) = self.words.iter().position(|&id| id as usize >= vocabulary_size) else { return Ok(()) };
        let segment = self.segments.ranges().position(|range| range.contains(&place)).unwrap_or(0);
        Err(Error::UnknownWord { pair: segment % self.pairs(), id: self.words[place], vocabulary_size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn premises_come_first() {
        let batch = Batch::new(&[vec![1, 2], vec![3]], &[vec![4], vec![5, 6]], &[0, 2]).unwrap();
        assert_eq!(*batch.words, [1, 2, 3, 4, 5, 6]);
        assert_eq!(batch.segments.range(2), 3..4);
        let batch = Batch::unlabelled(&[vec![7, 2]], &[vec![7]]).unwrap();
        assert_eq!((&**batch.distinct, &**batch.places), (&[2, 7][..], &[1, 0, 1][..]));
    }

    #[test]
    fn a_wrong_batch_says_what_is_wrong() {
        let check = |found: Result<Batch>, message: &str| assert_eq!(found.unwrap_err().to_string(), message);
        check(Batch::new(&[[1]], &[[1]], &[3]), "pair 0 of the batch: label 3 is not 0, 1 or 2");
        check(Batch::new(&[[1]], &[[1]], &[]), "a batch needs as many premises (1) as hypotheses (1) and labels (0)");
        check(Batch::new::<[u32; 1]>(&[], &[], &[]), "the batch is empty; give it at least one pair");
        let unknown = Batch::new(&[[1], [1]], &[[1], [7]], &[0, 0]).unwrap().check(7).unwrap_err();
        assert_eq!(unknown.to_string(), "pair 1 of the batch: word id 7 is outside the vocabulary of 7 words");
    }
}
