//! Several sentences side by side, so that the network multiplies many rows at once.

/// The rows of a batch in order of time: first the first words of all sentences, then the second words, and so on.
///
/// The sentences are sorted by falling length, so those still running at a time step are the first ones.
#[derive(Debug, Clone)]
pub struct SentenceBatch {
    /// The sentences as given, longest first.
    pub order: Vec<usize>,
    /// Where the rows of each time step begin; one more at the end.
    pub begins: Vec<usize>,
    /// For each row, the row that takes its place when every sentence is read backwards.
    pub mirror: Vec<usize>,
}

impl SentenceBatch {
    /// Lays out sentences of the given lengths.
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

    /// How many rows there are: the words of all sentences.
    pub fn rows(&self) -> usize {
        self.mirror.len()
    }

    /// How many time steps there are: the words of the longest sentence.
    pub fn time_steps(&self) -> usize {
        self.begins.len() - 1
    }

    /// The row of a word of the sentence at a place in the order.
    pub fn row(&self, place: usize, word: usize) -> usize {
        self.begins[word] + place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_sentences_run_on_alone() {
        let batch = SentenceBatch::new(&[1, 3, 2]);
        assert_eq!(batch.order, [1, 2, 0]);
        assert_eq!(batch.begins, [0, 3, 5, 6]);
        assert_eq!(batch.mirror, [5, 4, 2, 3, 1, 0]);
    }

    #[test]
    fn nothing_gives_no_rows() {
        assert_eq!(SentenceBatch::new(&[]).rows(), 0);
        assert_eq!(SentenceBatch::new(&[0]).rows(), 0);
    }
}
