//! Softmax and cross-entropy in one operation: the mean loss of a batch.

use crate::matrix::Matrix;
use crate::simd;
use crate::tape::{Node, Operation, Pass, Tape};
use std::sync::Arc;

impl Tape<'_> {
    /// The mean negative log-likelihood of the labels.
    pub fn cross_entropy(&mut self, logits: Node, labels: &Arc<Vec<usize>>) -> Node {
        self.cross_entropy_of_part(logits, labels, labels.len())
    }

    /// The share of these labels in the mean negative log-likelihood of `pairs` pairs.
    pub(crate) fn cross_entropy_of_part(&mut self, logits: Node, labels: &Arc<Vec<usize>>, pairs: usize) -> Node {
        let mut probabilities = self.value(logits).clone();
        let mut total = 0.0f64;
        for (row, &label) in labels.iter().enumerate() {
            let scores = probabilities.row_mut(row);
            let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            // Computed from the logits: the probability may underflow before the logarithm is taken.
            let sum: f64 = scores.iter().map(|&score| f64::from(score - highest).exp()).sum();
            total += sum.ln() - f64::from(scores[label] - highest);
            simd::softmax(scores);
        }
        let loss = Matrix::from_vec(1, 1, vec![(total / pairs as f64) as f32]);
        let labels = Arc::clone(labels);
        self.record(loss, &[logits], &[], |output| Record { logits, labels, probabilities, pairs, output })
    }
}

struct Record {
    logits: Node,
    labels: Arc<Vec<usize>>,
    probabilities: Matrix,
    pairs: usize,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let mut logits_gradient = self.probabilities;
        for (row, &label) in self.labels.iter().enumerate() {
            logits_gradient.row_mut(row)[label] -= 1.0;
        }
        simd::scale(&mut logits_gradient.data, gradient.data[0] / self.pairs as f32);
        pass.gradients.give(self.logits, logits_gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let labels = Arc::new(vec![0, 2, 1]);
        check(&[(3, 3)], |_| (), |tape, (), inputs| tape.cross_entropy(inputs[0], &labels));
    }
}
