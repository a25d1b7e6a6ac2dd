//! The training examples as lists of feature ids.

use super::batch::LexicalBatch;
use super::intern::{Interner, cross_code, hypothesis_code, premise_code};

/// Collects examples and assigns ids to their features.
#[derive(Debug, Default)]
pub(super) struct Collector {
    words: Interner,
    features: Interner,
    /// The number of examples that have each feature.
    counts: Vec<u32>,
    starts: Vec<usize>,
    ids: Vec<u32>,
    labels: Vec<u8>,
    premises: Vec<u64>,
    pairs: Vec<u64>,
    numbers: [Vec<u32>; 2],
}

/// The training examples.
///
/// The weight of a feature that occurs in one example only follows from that example's dual variables, so such features are only counted. The others are *shared*.
#[derive(Debug)]
pub(super) struct Problem {
    /// The offsets of each example's shared features in `ids`, and the end of the last.
    pub starts: Vec<usize>,
    /// The ids of shared features.
    pub ids: Vec<u32>,
    /// The number of features that occur in this example only.
    pub own: Vec<u32>,
    /// The label of each example.
    pub labels: Vec<u8>,
    /// The number of shared features.
    pub shared: usize,
    /// The example of each feature that is not shared; their ids follow those of the shared ones.
    pub owners: Vec<u32>,
}

/// What training needs besides the regression problem.
#[derive(Debug)]
pub(super) struct Origins {
    words: Interner,
    features: Interner,
    /// The id of each feature in the problem.
    renumbered: Vec<u32>,
    /// The hash of each example's premise.
    pub premises: Vec<u64>,
    /// The hash of each example's texts.
    pub pairs: Vec<u64>,
}

/// Examples to be scored, as ids of features that the problem knows.
#[derive(Debug, Default)]
pub(super) struct ScoredRows {
    starts: Vec<usize>,
    ids: Vec<u32>,
    labels: Vec<u8>,
}

impl Collector {
    /// Adds the examples of a batch.
    pub(super) fn add(&mut self, batch: &LexicalBatch) {
        for row in &batch.rows {
            let (premise, hypothesis) = batch.words(row);
            let [of_premise, of_hypothesis] = &mut self.numbers;
            of_premise.clear();
            of_hypothesis.clear();
            of_premise.extend(premise.iter().map(|word| self.words.number(*word)));
            of_hypothesis.extend(hypothesis.iter().map(|word| self.words.number(*word)));
            self.starts.push(self.ids.len());
            let mut take = |code| {
                let feature = self.features.number(code);
                if feature as usize == self.counts.len() {
                    self.counts.push(0);
                }
                self.counts[feature as usize] += 1;
                self.ids.push(feature);
            };
            of_premise.iter().for_each(|word| take(premise_code(*word)));
            of_hypothesis.iter().for_each(|word| take(hypothesis_code(*word)));
            for premise in of_premise.iter() {
                of_hypothesis.iter().for_each(|hypothesis| take(cross_code(*premise, *hypothesis)));
            }
            self.labels.push(row.label.index() as u8);
            self.premises.push(row.premise);
            self.pairs.push(row.pair);
        }
    }

    /// The problem, and what is kept beside it.
    pub(super) fn finish(self) -> (Problem, Origins) {
        let Collector { words, features, counts, mut starts, mut ids, labels, premises, pairs, .. } = self;
        starts.push(ids.len());
        // Frequent features are stored together, where they fit into the processor's cache; those of a single example come last.
        let mut order: Vec<u32> = (0..counts.len() as u32).filter(|feature| counts[*feature as usize] > 1).collect();
        order.sort_by_key(|feature| std::cmp::Reverse(counts[*feature as usize]));
        let shared = order.len();
        order.extend((0..counts.len() as u32).filter(|feature| counts[*feature as usize] == 1));
        let mut renumbered = vec![0; counts.len()];
        order.iter().zip(0..).for_each(|(feature, number)| renumbered[*feature as usize] = number);
        let mut own = vec![0; labels.len()];
        let mut owners = vec![0; counts.len() - shared];
        let mut kept = 0;
        for row in 0..labels.len() {
            let (from, to) = (starts[row], starts[row + 1]);
            starts[row] = kept;
            for place in from..to {
                let id = renumbered[ids[place] as usize];
                match (id as usize).checked_sub(shared) {
                    Some(alone) => {
                        owners[alone] = row as u32;
                        own[row] += 1;
                    }
                    None => {
                        ids[kept] = id;
                        kept += 1;
                    }
                }
            }
        }
        starts[labels.len()] = kept;
        ids.truncate(kept);
        (Problem { starts, ids, own, labels, shared, owners }, Origins { words, features, renumbered, premises, pairs })
    }
}

impl Problem {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.labels.len()
    }

    /// How many features there are.
    pub(super) fn features(&self) -> usize {
        self.shared + self.owners.len()
    }

    /// The shared features of an example.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.ids[self.starts[row]..self.starts[row + 1]]
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * 8 + (self.ids.capacity() + self.own.capacity() + self.owners.capacity()) * 4 + self.labels.capacity()
    }
}

impl Origins {
    /// The features in the order of their ids, as the hashes of their words.
    pub(super) fn features(&self) -> Vec<(Option<u64>, Option<u64>)> {
        let words = self.words.codes();
        let mut features = vec![(None, None); self.renumbered.len()];
        for (code, number) in self.features.codes().iter().zip(&self.renumbered) {
            let (premise, hypothesis) = super::intern::words_of(*code);
            let hash = |word: Option<u32>| word.map(|word| words[word as usize]);
            features[*number as usize] = (hash(premise), hash(hypothesis));
        }
        features
    }

    /// Examples as ids of the known features.
    pub(super) fn encode(&self, batches: &[LexicalBatch]) -> ScoredRows {
        let mut rows = ScoredRows { starts: vec![0], ..Default::default() };
        for (batch, row) in batches.iter().flat_map(|batch| batch.rows.iter().map(move |row| (batch, row))) {
            let (premise, hypothesis) = batch.words(row);
            let number = |word: &u64| self.words.get(*word);
            let premise: Vec<u32> = premise.iter().filter_map(number).collect();
            let hypothesis: Vec<u32> = hypothesis.iter().filter_map(number).collect();
            let unigrams = premise.iter().map(|word| premise_code(*word)).chain(hypothesis.iter().map(|word| hypothesis_code(*word)));
            let pairs = premise.iter().flat_map(|premise| hypothesis.iter().map(|hypothesis| cross_code(*premise, *hypothesis)));
            let known = unigrams.chain(pairs).filter_map(|code| self.features.get(code));
            rows.ids.extend(known.map(|feature| self.renumbered[feature as usize]));
            rows.starts.push(rows.ids.len());
            rows.labels.push(row.label.index() as u8);
        }
        rows
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.words.bytes() + self.features.bytes() + self.renumbered.capacity() * 4 + (self.premises.capacity() + self.pairs.capacity()) * 8
    }
}

impl ScoredRows {
    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.labels.len()
    }

    /// The number of examples whose label has the highest of these scores.
    pub(super) fn right(&self, scores: impl Fn(&[u32]) -> [f64; 3]) -> u64 {
        let right = |row: &usize| {
            let scores = scores(&self.ids[self.starts[*row]..self.starts[*row + 1]]);
            best(scores) == usize::from(self.labels[*row])
        };
        (0..self.rows()).filter(right).count() as u64
    }
}

/// The index of the highest score; the earlier one if two are equal.
fn best(scores: [f64; 3]) -> usize {
    let mut best = 0;
    for label in 1..3 {
        if scores[label] > scores[best] {
            best = label;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::features::Variant;
    use crate::lexical::words::KeptWords;
    use acidtest_nli::{Label, Pair, Sentence};

    fn batch(rows: &[(&str, &str)]) -> LexicalBatch {
        let mut batch = LexicalBatch::new(Variant::Lexical, KeptWords::Content);
        for (premise, hypothesis) in rows {
            let sentence = |words: &str| {
                let leaves: String = words.split(' ').map(|word| format!(" (NN {word})")).collect();
                Sentence { text: words.to_string().into(), parse: Some(format!("(NP{leaves})").into()), binary_parse: None }
            };
            batch.add(&Pair { id: "".into(), premise: sentence(premise), hypothesis: sentence(hypothesis) }, Some(Label::Neutral));
        }
        batch
    }

    #[test]
    fn features_of_one_row_are_counted_and_the_others_numbered_by_frequency() {
        let mut collector = Collector::default();
        // In three examples: `dog` in the premise. In two: `cat` in the hypothesis, and both together. In one: `cow` with its pair, twice.
        collector.add(&batch(&[("dog", "cow"), ("dog", "cat")]));
        collector.add(&batch(&[("dog", "cat"), ("ox", "hen")]));
        let (problem, origins) = collector.finish();
        assert_eq!((problem.rows(), problem.shared, problem.features()), (4, 3, 3 + 2 + 3));
        assert_eq!((problem.row(0), problem.row(1), problem.row(2), problem.row(3)), (&[0][..], &[0, 1, 2][..], &[0, 1, 2][..], &[][..]));
        assert_eq!(problem.own, [2, 0, 0, 3]);
        assert_eq!(problem.owners, [0, 0, 3, 3, 3]);
        let features = origins.features();
        let dog = features[0].0;
        assert!(dog.is_some() && features[0].1.is_none());
        assert_eq!(features[2], (dog, features[1].1));
    }

    #[test]
    fn rows_to_be_scored_have_the_features_that_are_known() {
        let mut collector = Collector::default();
        collector.add(&batch(&[("dog", "cat"), ("dog", "cat"), ("ox", "hen")]));
        let (problem, origins) = collector.finish();
        let rows = origins.encode(&[batch(&[("dog", "hen"), ("bird", "snake")])]);
        assert_eq!(rows.rows(), 2);
        // `dog` in the premise is shared, `hen` in the hypothesis is not; they never occur together.
        let seen = std::cell::RefCell::new(Vec::new());
        rows.right(|features| {
            seen.borrow_mut().push(features.len());
            assert!(features.iter().all(|feature| (*feature as usize) < problem.features()));
            [0.0; 3]
        });
        assert_eq!(seen.into_inner(), [2, 0]);
        assert_eq!(rows.right(|_| [0.0, 1.0, 0.0]), 2);
        assert_eq!(rows.right(|_| [1.0, 1.0, 0.0]), 0);
    }
}
