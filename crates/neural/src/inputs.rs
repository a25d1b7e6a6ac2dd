//! The inputs of a network: the sentences of a batch as ragged columns.

use crate::column::Column;
use crate::error::{NeuralError, Result};
use crate::features::{PairFeatures, SentenceFeatures};
use crate::segments::Segments;
use crate::sizes::Sizes;
use acidtest_nli::Rng;
use std::sync::Arc;

/// The sentences of a batch, with the labels of their pairs if known.
///
/// The words of all sentences are concatenated: first those of all premises, then those of all hypotheses. In a batch of pairs, segment
/// `i` is the premise of pair `i` and segment `pairs + i` its hypothesis; an operation with shared weights processes both sides at once.
/// A network that reads a pair as one sequence has one segment per pair and no second side.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The number of premise segments; in a batch of pairs, the number of pairs.
    pub premises: usize,
    /// The range of words of each sentence.
    pub segments: Arc<Segments>,
    /// The features of the words, by column name.
    pub columns: Vec<(&'static str, Arc<Column>)>,
    /// The label of each pair; empty if only scores are needed.
    pub labels: Arc<Vec<usize>>,
}

impl Inputs {
    /// A batch of pairs without labels.
    pub fn of_pairs(pairs: &[&PairFeatures]) -> Result<Self> {
        let Some(first) = pairs.first() else { return Err(NeuralError::EmptyBatch) };
        let sentences = first.sentences.len();
        if let Some(pair) = pairs.iter().position(|pair| pair.sentences.len() != sentences) {
            return Err(NeuralError::UnevenPairs { pair, found: pairs[pair].sentences.len(), expected: sentences });
        }
        let side = |number: usize| pairs.iter().map(move |pair| &*pair.sentences[number]);
        let mut inputs = Inputs::of_sentences(&(0..sentences).flat_map(side).collect::<Vec<_>>())?;
        inputs.premises = pairs.len();
        Ok(inputs)
    }

    /// The same batch with the label of each pair, from 0.
    pub fn labelled(mut self, labels: Vec<usize>) -> Result<Self> {
        if labels.len() != self.premises {
            return Err(NeuralError::UnevenBatch { pairs: self.premises, labels: labels.len() });
        }
        self.labels = Arc::new(labels);
        Ok(self)
    }

    /// Sentences that are not pairs, all on the premise side.
    pub fn of_sentences(sentences: &[&SentenceFeatures]) -> Result<Self> {
        let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.length).collect();
        let mut columns = Vec::new();
        for (place, &(name, _)) in sentences.first().map_or(&[][..], |first| &first.columns).iter().enumerate() {
            let differ = || NeuralError::UnlikeColumns { column: name };
            let column = |sentence: &SentenceFeatures| sentence.columns.get(place).is_some_and(|column| column.0 == name);
            if !sentences.iter().all(|sentence| column(sentence)) {
                return Err(differ());
            }
            let parts: Vec<&Column> = sentences.iter().map(|sentence| &sentence.columns[place].1).collect();
            let wrong = parts
                .iter()
                .zip(&lengths)
                .find_map(|(part, &length)| Some((part.words()?, length)).filter(|(found, length)| found != length));
            if let Some((found, expected)) = wrong {
                return Err(NeuralError::ColumnLength { column: name, found, expected });
            }
            columns.push((name, Arc::new(Column::joined(&parts, &lengths).map_err(|_| differ())?)));
        }
        Ok(Inputs { premises: sentences.len(), segments: Arc::new(Segments::of_lengths(lengths)), columns, labels: Arc::default() })
    }

    /// The number of pairs, in a batch of pairs.
    pub fn pairs(&self) -> usize {
        self.premises
    }

    /// The number of words in all sentences.
    pub fn words(&self) -> usize {
        self.segments.rows()
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Arc<Column>> {
        self.columns.iter().find(|(own, _)| *own == name).map(|(_, column)| column)
    }

    /// The ids of this column; a network may rely on the columns of the featurizer in its entry.
    pub fn ids(&self, name: &str) -> &[u32] {
        match self.column(name).map(|column| &**column) {
            Some(Column::Ids(ids)) => ids,
            _ => panic!("a network reads the ids `{name}`, which its featurizer does not give"),
        }
    }

    /// Shuffles the words within each sentence.
    pub fn shuffle_words(&mut self, rng: &mut Rng) -> Result<()> {
        let mut order: Vec<usize> = (0..self.words()).collect();
        self.segments.ranges().for_each(|range| rng.shuffle(&mut order[range]));
        for (name, column) in &mut self.columns {
            let shuffled = match &**column {
                Column::Ids(ids) => Column::Ids(order.iter().map(|&word| ids[word]).collect()),
                Column::Numbers(matrix) => {
                    let data = order.iter().flat_map(|&word| matrix.row(word)).copied().collect();
                    Column::Numbers(crate::matrix::Matrix::from_vec(matrix.rows, matrix.columns, data))
                }
                Column::Nested(nested) => {
                    let of = order.iter().map(|&word| nested.of[word]).collect();
                    Column::Nested(crate::column::Nested { of, ..nested.clone() })
                }
                Column::Tree(_) => return Err(NeuralError::NoWordOrder { column: name }),
            };
            *column = Arc::new(shuffled);
        }
        Ok(())
    }

    /// Checks that ids and labels are in range.
    pub(crate) fn check(&self, sizes: &Sizes, classes: usize) -> Result<()> {
        for (name, column) in &self.columns {
            let (Column::Ids(ids), Some(size)) = (&**column, sizes.get(name)) else { continue };
            let Some(place) = ids.iter().position(|&id| id as usize >= size) else { continue };
            let segment = self.segments.ranges().position(|range| range.contains(&place)).unwrap_or(0);
            return Err(NeuralError::UnknownId { pair: segment % self.premises.max(1), column: name, id: ids[place], size });
        }
        match self.labels.iter().position(|&label| label >= classes) {
            Some(pair) => Err(NeuralError::UnknownLabel { pair, label: self.labels[pair], classes }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::featurizers::words::pair_of_ids;
    use acidtest_nli::Seed;

    fn inputs(pairs: &[(&[u32], &[u32])]) -> Inputs {
        let features: Vec<PairFeatures> = pairs.iter().map(|(premise, hypothesis)| pair_of_ids(premise, hypothesis)).collect();
        Inputs::of_pairs(&features.iter().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn premises_come_first() {
        let inputs = inputs(&[(&[1, 2], &[4]), (&[3], &[5, 6])]);
        assert_eq!(inputs.ids("words"), [1, 2, 3, 4, 5, 6]);
        assert_eq!((inputs.pairs(), inputs.segments.range(2)), (2, 3..4));
    }

    #[test]
    fn words_are_shuffled_within_their_sentence() {
        let mut shuffled = inputs(&[(&[1, 2, 3, 4, 5, 6, 7, 8], &[9])]);
        shuffled.shuffle_words(&mut Seed::new(1).rng()).unwrap();
        let words = shuffled.ids("words").to_vec();
        assert!(words[..8] != [1, 2, 3, 4, 5, 6, 7, 8] && words[8] == 9, "{words:?}");
        // Draws the same random numbers as shuffling the words themselves.
        let mut alone = [1, 2, 3, 4, 5, 6, 7, 8];
        Seed::new(1).rng().shuffle(&mut alone);
        assert_eq!(words[..8], alone);
    }

    #[test]
    fn wrong_inputs_say_what_is_wrong() {
        let check = |found: Result<()>, message: &str| assert_eq!(found.unwrap_err().to_string(), message);
        let sizes = Sizes::new([("words", 7)]);
        let two = || inputs(&[(&[1], &[1]), (&[1], &[7])]);
        check(two().check(&sizes, 3), "pair 1 of the batch: id 7 of `words` is outside the 7 known ones");
        check(inputs(&[(&[1], &[1])]).labelled(vec![3]).unwrap().check(&sizes, 3), "pair 0 of the batch: label 3 (expected 0 to 2)");
        check(two().labelled(vec![0]).map(drop), "a batch of 2 pairs has 1 labels (expected one for each pair)");
        check(Inputs::of_pairs(&[]).map(drop), "the batch is empty; give it at least one pair");
        let (pair, alone) = (pair_of_ids(&[1], &[1]), PairFeatures { sentences: Vec::new(), truncated: false });
        check(Inputs::of_pairs(&[&pair, &alone]).map(drop), "pair 1 of the batch has 0 sentences (expected 2)");
        let long = SentenceFeatures { length: 2, columns: vec![("words", Column::Ids(vec![1]))] };
        check(Inputs::of_sentences(&[&long]).map(drop), "the column `words` has 1 entries for a sentence of 2 words");
        let other = SentenceFeatures { length: 1, columns: vec![("tags", Column::Ids(vec![1]))] };
        check(
            Inputs::of_sentences(&[&pair.sentences[0], &other]).map(drop),
            "the sentences of a batch differ in their columns: `words` is not the same in all of them",
        );
    }
}
