//! Training examples as hashes of their words, without text.

use super::features::{Scratch, Variant, WordHashes, pair_hash, premise_hash};
use super::words::{ClassSource, KeptWords};
use acidtest_nli::{Label, Pair};

/// The examples of a block, built by any thread and passed on in the order of the corpus.
#[derive(Debug, Clone)]
pub struct LexicalBatch {
    variant: Variant,
    kept: KeptWords,
    scratch: Scratch,
    /// The words of all examples: those of the premise, then those of the hypothesis, example after example.
    words: Vec<u64>,
    pub(super) rows: Vec<BatchRow>,
    pub(super) counts: RowCounts,
}

/// How many examples were used and skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Examples that were used.
    pub taken: u64,
    /// Examples without one of the three labels, which were skipped.
    pub unlabelled: u64,
    /// Used examples in which a sentence has no parse, so that its words were tagged by our tagger.
    pub tagged: u64,
    /// The number of used examples of each label.
    pub labels: [u64; 3],
}

impl RowCounts {
    pub(super) fn add(&mut self, other: &RowCounts) {
        self.taken += other.taken;
        self.unlabelled += other.unlabelled;
        self.tagged += other.tagged;
        self.labels.iter_mut().zip(other.labels).for_each(|(sum, count)| *sum += count);
    }
}

#[derive(Debug, Clone)]
pub(super) struct BatchRow {
    pub label: Label,
    /// The hash of both texts.
    pub pair: u64,
    /// The hash of the premise's text.
    pub premise: u64,
    start: u32,
    middle: u32,
    end: u32,
}

impl LexicalBatch {
    pub(super) fn new(variant: Variant, kept: KeptWords) -> Self {
        LexicalBatch { variant, kept, scratch: Scratch::default(), words: Vec::new(), rows: Vec::new(), counts: RowCounts::default() }
    }

    /// Adds an example; one without a label is only counted.
    pub fn add(&mut self, pair: &Pair<'_>, label: Option<Label>) {
        let Some(label) = label else {
            self.counts.unlabelled += 1;
            return;
        };
        let source = self.scratch.read(pair, self.variant, self.kept);
        let WordHashes { premise, hypothesis } = &self.scratch.words;
        let start = self.words.len() as u32;
        self.words.extend_from_slice(premise);
        let middle = self.words.len() as u32;
        self.words.extend_from_slice(hypothesis);
        let row = BatchRow { label, pair: pair_hash(pair), premise: premise_hash(pair), start, middle, end: self.words.len() as u32 };
        self.rows.push(row);
        self.counts.taken += 1;
        self.counts.tagged += u64::from(source == ClassSource::Tagger);
        self.counts.labels[label.index()] += 1;
    }

    /// The words of an example's premise and hypothesis.
    pub(super) fn words(&self, row: &BatchRow) -> (&[u64], &[u64]) {
        (&self.words[row.start as usize..row.middle as usize], &self.words[row.middle as usize..row.end as usize])
    }
}
