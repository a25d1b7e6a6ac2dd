//! Cues in the hypothesis alone: label-indicative words, negation, length.

use super::{JUDGMENTS, place};
use acidtest_lingua::negation::{CONTRACTED_NEGATION, NEGATION_WORDS};
use acidtest_lingua::overlap::words;
use acidtest_nli::Judgment;
use std::collections::{BTreeMap, HashMap};

/// A word and its association with a label.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Cue {
    /// The word, in lower case.
    pub word: String,
    /// Pointwise mutual information of word and label in nats, smoothed.
    pub information: f64,
    /// Hypotheses of the label that have the word.
    pub hypotheses: u64,
    /// Their share of the label's hypotheses.
    pub share: f64,
}

/// The label-indicative words of one label, the strongest first.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LabelCues {
    /// The label.
    pub label: &'static str,
    /// Its words.
    pub words: Vec<Cue>,
}

/// The hypotheses of a label with a negation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LabelNegation {
    /// The label.
    pub label: &'static str,
    /// Hypotheses of the label.
    pub hypotheses: u64,
    /// Those with a negation.
    pub negated: u64,
    /// Their share.
    pub share: f64,
}

/// The hypotheses with one negation word.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct NegationWord {
    /// The word; `n't` stands for all that end in it.
    pub word: &'static str,
    /// Hypotheses that have it, by label.
    pub by_label: Vec<(&'static str, u64)>,
}

/// The lengths of the hypotheses of a label, in words without punctuation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LabelLengths {
    /// The label.
    pub label: &'static str,
    /// Hypotheses of the label.
    pub hypotheses: u64,
    /// Their mean length.
    pub mean: f64,
    /// The length that a quarter, half and three quarters of them do not exceed.
    pub quartiles: [usize; 3],
    /// The number of hypotheses of each length.
    pub histogram: BTreeMap<usize, u64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Cues {
    hypotheses: [u64; 4],
    /// Hypotheses that have a word, by label.
    words: HashMap<String, [u64; 4]>,
    negated: [u64; 4],
    negation_words: [[u64; 4]; NEGATION_WORDS.len() + 1],
    lengths: [BTreeMap<usize, u64>; 4],
}

impl Cues {
    pub(super) fn add(&mut self, hypothesis: &str, gold: Judgment) {
        let label = place(gold);
        let mut words = words(hypothesis);
        self.hypotheses[label] += 1;
        *self.lengths[label].entry(words.len()).or_default() += 1;
        // A repeated word counts once.
        words.sort_unstable();
        words.dedup();
        let mut negations = [0u64; NEGATION_WORDS.len() + 1];
        for word in words {
            let contracted = word.ends_with(CONTRACTED_NEGATION).then_some(NEGATION_WORDS.len());
            if let Some(negation) = NEGATION_WORDS.iter().position(|other| *other == word).or(contracted) {
                negations[negation] = 1;
            }
            match self.words.get_mut(&word) {
                Some(counts) => counts[label] += 1,
                None => self.words.entry(word).or_default()[label] += 1,
            }
        }
        self.negated[label] += u64::from(negations.contains(&1));
        self.negation_words.iter_mut().zip(negations).for_each(|(counts, found)| counts[label] += found);
    }

    pub(super) fn merge(&mut self, later: Cues) {
        let add = |counts: &mut [u64; 4], more: [u64; 4]| counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        add(&mut self.hypotheses, later.hypotheses);
        add(&mut self.negated, later.negated);
        self.negation_words.iter_mut().zip(later.negation_words).for_each(|(counts, more)| add(counts, more));
        later.words.into_iter().for_each(|(word, counts)| add(self.words.entry(word).or_default(), counts));
        for (lengths, more) in self.lengths.iter_mut().zip(later.lengths) {
            more.into_iter().for_each(|(length, count)| *lengths.entry(length).or_default() += count);
        }
    }

    /// log p(word, label) / (p(word) p(label)), from smoothed counts.
    pub(super) fn telling_words(&self, smoothing: f64, per_label: usize) -> Vec<LabelCues> {
        let labels = self.labels();
        let smoothed = |counts: &[u64; 4], label: usize| counts[label] as f64 + smoothing;
        let of_label =
            |label: usize| self.words.values().map(|counts| counts[label]).sum::<u64>() as f64 + smoothing * self.words.len() as f64;
        let totals: Vec<f64> = labels.iter().map(|&label| of_label(label)).collect();
        let total: f64 = totals.iter().sum();
        let mut all = Vec::with_capacity(labels.len());
        for (&label, label_total) in labels.iter().zip(&totals) {
            let information = |counts: &[u64; 4]| {
                let of_word: f64 = labels.iter().map(|&label| smoothed(counts, label)).sum();
                (smoothed(counts, label) * total / (of_word * label_total)).ln()
            };
            let mut ranked: Vec<(f64, &str, u64)> =
                self.words.iter().map(|(word, counts)| (information(counts), word.as_str(), counts[label])).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
            ranked.truncate(per_label);
            let cue = |(information, word, hypotheses): (f64, &str, u64)| Cue {
                word: word.to_string(),
                information,
                hypotheses,
                share: hypotheses as f64 / self.hypotheses[label] as f64,
            };
            all.push(LabelCues { label: JUDGMENTS[label].name(), words: ranked.into_iter().map(cue).collect() });
        }
        all
    }

    pub(super) fn negation(&self) -> Vec<LabelNegation> {
        let row = |label: usize| {
            let (hypotheses, negated) = (self.hypotheses[label], self.negated[label]);
            LabelNegation { label: JUDGMENTS[label].name(), hypotheses, negated, share: negated as f64 / hypotheses as f64 }
        };
        self.labels().into_iter().map(row).collect()
    }

    pub(super) fn negation_words(&self) -> Vec<NegationWord> {
        let names = NEGATION_WORDS.into_iter().chain([CONTRACTED_NEGATION]);
        let by_label = |counts: &[u64; 4]| self.labels().into_iter().map(|label| (JUDGMENTS[label].name(), counts[label])).collect();
        names.zip(&self.negation_words).map(|(word, counts)| NegationWord { word, by_label: by_label(counts) }).collect()
    }

    pub(super) fn lengths(&self) -> Vec<LabelLengths> {
        let row = |label: usize| {
            let (hypotheses, histogram) = (self.hypotheses[label], &self.lengths[label]);
            let words: u64 = histogram.iter().map(|(length, count)| *length as u64 * count).sum();
            LabelLengths {
                label: JUDGMENTS[label].name(),
                hypotheses,
                mean: words as f64 / hypotheses as f64,
                quartiles: [1, 2, 3].map(|quarter| quantile(histogram, hypotheses * quarter, 4)),
                histogram: histogram.clone(),
            }
        };
        self.labels().into_iter().map(row).collect()
    }

    /// The labels that occur.
    fn labels(&self) -> Vec<usize> {
        (0..JUDGMENTS.len()).filter(|&label| self.hypotheses[label] > 0).collect()
    }
}

/// The smallest length that `share / parts` of the hypotheses do not exceed.
fn quantile(histogram: &BTreeMap<usize, u64>, share: u64, parts: u64) -> usize {
    let mut so_far = 0;
    let found = histogram.iter().find(|(_, count)| {
        so_far += **count;
        so_far * parts >= share
    });
    found.map_or(0, |(length, _)| *length)
}
