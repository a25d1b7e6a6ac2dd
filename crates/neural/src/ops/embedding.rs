//! Word embeddings: one row of a table for each word, with gradients for those rows alone.

use crate::parameters::ParameterId;
use crate::tape::{Node, Operation, Pass, Tape};
use std::sync::Arc;

impl Tape<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::matrix::Matrix;
    use crate::parameters::Change;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let words = Arc::new(vec![2, 0, 2]);
        check(
            &[],
            |parameters| parameters.insert("table", Matrix::from_vec(3, 2, vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), Change::Rows),
            |tape, table, _| tape.embed(*table, &words),
        );
    }
}
