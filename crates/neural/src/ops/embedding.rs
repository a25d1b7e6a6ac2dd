//! Word embeddings: one row of a table for each distinct word, with gradients for those rows alone.

use crate::ops::for_rows;
use crate::parameters::ParameterId;
use crate::simd;
use crate::tape::{Node, Operation, Pass, Tape, TapeMode};
use std::sync::Arc;

/// A row for each word of a batch, where words that are alike may share one.
///
/// What a layer does to each row for itself it need not do twice for the same word, so models keep rows shared for as long as they can.
#[derive(Debug, Clone)]
pub struct WordRows {
    /// The rows.
    pub rows: Node,
    /// The row of each word; where it is not said, each word has its own, one after another.
    pub places: Option<Arc<Vec<u32>>>,
}

impl From<Node> for WordRows {
    fn from(rows: Node) -> Self {
        WordRows { rows, places: None }
    }
}

impl From<&WordRows> for WordRows {
    fn from(words: &WordRows) -> Self {
        words.clone()
    }
}

impl WordRows {
    /// The row of a word.
    #[inline]
    pub(super) fn row_of(&self, word: usize) -> usize {
        self.places.as_ref().map_or(word, |places| places[word] as usize)
    }

    /// Does something to each row for itself.
    pub fn each_row(&self, work: impl FnOnce(Node) -> Node) -> Self {
        WordRows { rows: work(self.rows), places: self.places.clone() }
    }
}

impl Tape<'_> {
    /// A row for each word that is its own.
    pub fn spread(&mut self, words: &WordRows) -> Node {
        let Some(places) = &words.places else { return words.rows };
        let columns = self.value(words.rows).columns;
        let mut output = self.uninitialised(places.len(), columns);
        let from = self.value(words.rows);
        for_rows(&mut output.data, columns, |word, numbers| numbers.copy_from_slice(from.row(places[word] as usize)));
        let (rows, places) = (words.rows, Arc::clone(places));
        self.record(output, &[rows], &[], |output| Spread { rows, places, output })
    }

    /// Dropout that is drawn for each word, so that in training words no longer share rows.
    pub fn dropout_words(&mut self, words: &WordRows, rate: f32) -> WordRows {
        if rate <= 0.0 || matches!(self.mode, TapeMode::Inference) {
            return words.each_row(|rows| self.dropout(rows, rate));
        }
        let spread = self.spread(words);
        self.dropout(spread, rate).into()
    }

    /// The row of the table for each word.
    pub fn embed(&mut self, table: ParameterId, words: &Arc<Vec<u32>>) -> Node {
        let rows = &self.parameter(table).value;
        let mut output = self.uninitialised(words.len(), rows.columns);
        for (place, &word) in words.iter().enumerate() {
            output.row_mut(place).copy_from_slice(rows.row(word as usize));
        }
        let words = Arc::clone(words);
        self.record(output, &[], &[table], |output| Record { table, words, output })
    }
}

struct Record {
    table: ParameterId,
    words: Arc<Vec<u32>>,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        if let Some(gradient) = pass.take(self.output) {
            pass.parameter_gradients.add_rows(self.table, self.words, gradient);
        }
    }
}

struct Spread {
    rows: Node,
    places: Arc<Vec<u32>>,
    output: Node,
}

impl Operation for Spread {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if let Some(to) = pass.zeroed(self.rows) {
            self.places.iter().enumerate().for_each(|(word, &row)| simd::add(to.row_mut(row as usize), gradient.row(word)));
        }
        pass.gradients.buffers.give(gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::matrix::Matrix;
    use crate::parameters::ParameterUpdate;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let words = Arc::new(vec![2, 0, 2]);
        check(
            &[],
            |parameters| parameters.insert("table", Matrix::from_vec(3, 2, vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), ParameterUpdate::Rows),
            |tape, table, _| tape.embed(*table, &words),
        );
        let places = Some(Arc::new(vec![1, 1, 0]));
        check(&[(3, 2)], |_| (), |tape, (), inputs| tape.spread(&WordRows { rows: inputs[0], places: places.clone() }));
    }
}
