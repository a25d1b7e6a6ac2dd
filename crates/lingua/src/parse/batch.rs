//! Batches of sentences, so that the network multiplies many rows at once.

/// The rows of a batch in time order: the first words of all sentences, then the second words, and so on.
///
/// Sentences are sorted by descending length, so those that continue at a time step come first.
#[derive(Debug, Clone)]
pub struct SentenceBatch {
    /// The indices of the given sentences, longest first.
    pub order: Vec<usize>,
    /// The start of each time step, and the end of the last.
    pub begins: Vec<usize>,
    /// For each row, its counterpart when every sentence is reversed.
    pub mirror: Vec<usize>,
}

impl SentenceBatch {
    /// Arranges sentences of these lengths.
    pub fn new(lengths: &[usize]) -> SentenceBatch {
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        order.sort_by_key(|&sentence| (std::cmp::Reverse(lengths[sentence]), sentence));
        let longest = order.first().map_or(0, |&sentence| lengths[sentence]);
        let mut begins = vec![0];
        let mut running = order.len();
        for time_step in 0..longest {
            while running > 0 && lengths[order[running - 1]] <= time_step {
                running -= 1;
            }
            begins.push(begins[time_step] + running);
        }
        let mut mirror = vec![0; begins[longest]];
        for (place, &sentence) in order.iter().enumerate() {
            for time_step in 0..lengths[sentence] {
                mirror[begins[time_step] + place] = begins[lengths[sentence] - 1 - time_step] + place;
            }
        }
        SentenceBatch { order, begins, mirror }
    }

    /// The number of rows: the words of all sentences.
    pub fn rows(&self) -> usize {
        self.mirror.len()
    }

    /// The number of time steps: the words of the longest sentence.
    pub fn time_steps(&self) -> usize {
        self.begins.len() - 1
    }

    /// The row of a word, given the sentence's position in `order`.
    pub fn row(&self, place: usize, word: usize) -> usize {
        self.begins[word] + place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_time_steps_have_only_the_longer_sentences() {
        let batch = SentenceBatch::new(&[1, 3, 2]);
        assert_eq!(batch.order, [1, 2, 0]);
        assert_eq!(batch.begins, [0, 3, 5, 6]);
        assert_eq!(batch.mirror, [5, 4, 2, 3, 1, 0]);
    }

    #[test]
    fn an_empty_batch_has_no_rows() {
        assert_eq!(SentenceBatch::new(&[]).rows(), 0);
        assert_eq!(SentenceBatch::new(&[0]).rows(), 0);
    }
}
