//! Word embeddings: one row of a table per distinct word, with gradients for those rows only.

use crate::ops::for_rows;
use crate::parameters::ParameterId;
use crate::simd;
use crate::tape::{Node, Operation, Pass, Tape, TapeMode};
use std::sync::Arc;

/// A row per word of a batch, where equal words may share one.
///
/// A layer that processes each row independently need not process the same word twice, so models keep rows shared for as long as
/// possible.
#[derive(Debug, Clone)]
pub struct WordRows {
    /// The rows.
    pub rows: Node,
    /// The row of each word; `None` if word `i` has row `i`.
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

    /// Applies a row-wise operation.
    pub fn each_row(&self, work: impl FnOnce(Node) -> Node) -> Self {
        WordRows { rows: work(self.rows), places: self.places.clone() }
    }
}

impl Tape<'_> {
    /// Expands to one row per word, no longer shared.
    pub fn spread(&mut self, words: &WordRows) -> Node {
        let Some(places) = &words.places else { return words.rows };
        let columns = self.value(words.rows).columns;
        let mut output = self.uninitialised(places.len(), columns);
        let from = self.value(words.rows);
        for_rows(&mut output.data, columns, |word, numbers| numbers.copy_from_slice(from.row(places[word] as usize)));
        let (rows, places) = (words.rows, Arc::clone(places));
        self.record(output, &[rows], &[], |output| Spread { rows, places, output })
    }

    /// Dropout with an independent mask per word, so in training words no longer share rows.
    pub fn dropout_words(&mut self, words: &WordRows, rate: f32) -> WordRows {
        if rate <= 0.0 || matches!(self.mode, TapeMode::Inference) {
            return words.each_row(|rows| self.dropout(rows, rate));
        }
        let spread = self.spread(words);
        self.dropout(spread, rate).into()
    }

    /// Looks up the table row of each word.
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
    fn gradients_agree_with_finite_differences() {
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
