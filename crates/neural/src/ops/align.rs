//! Soft alignment between the two sentences of a pair, both ways (Parikh et al. 2016, equations 1 and 2; Chen et al. 2017, 11 to 13).
//!
//! Each word attends to all words of the other sentence: its aligned vector is their mean, weighted by the softmax of the dot products of
//! keys.

use crate::matrix::{Matrix, MatrixView, MatrixViewMut};
use crate::product::{Packed, Sum, product};
use crate::segments::Segments;
use crate::simd;
use crate::tape::{Buffers, Node, Operation, Pass, Tape};
use acidtest_threads::{Grain, for_each_with};
use std::ops::Range;
use std::sync::Arc;

impl Tape<'_> {
    /// Aligns each word with the other sentence: the mean of its `values`, weighted by the softmax of the dot products of `keys`.
    ///
    /// The first half of the segments are the premises, the second half the hypotheses. Words whose other sentence is empty get zeros.
    pub fn align(&mut self, keys: Node, values: Node, segments: &Arc<Segments>) -> Node {
        let columns = self.value(values).columns;
        let mut output = self.uninitialised(segments.rows(), columns);
        let mut weights = self.uninitialised(1, weights_length(segments));
        let (from_keys, from_values) = (self.value(keys), self.value(values));
        for_each_with(jobs(segments, &mut output.data, columns, &mut weights.data), Grain::AtLeast(4), Packed::default, |packed, job| {
            let Job { premise, hypothesis, premise_rows, hypothesis_rows, forward, backward } = job;
            let (keys_a, keys_b) = (part(from_keys, &premise), part(from_keys, &hypothesis));
            let (values_a, values_b) = (part(from_values, &premise), part(from_values, &hypothesis));
            let (a, b) = (premise.len(), hypothesis.len());
            multiply(keys_a, keys_b.transposed(), forward, Sum::Replace, packed);
            (0..b).for_each(|column| (0..a).for_each(|row| backward[column * a + row] = forward[row * b + column]));
            forward.chunks_exact_mut(b.max(1)).for_each(simd::softmax);
            backward.chunks_exact_mut(a.max(1)).for_each(simd::softmax);
            multiply(MatrixView::new(forward, a, b), values_b, premise_rows, Sum::Replace, packed);
            multiply(MatrixView::new(backward, b, a), values_a, hypothesis_rows, Sum::Replace, packed);
        });
        let segments = Arc::clone(segments);
        self.record(output, &[keys, values], &[], |output| Record { keys, values, segments, weights, output })
    }
}

/// One pair: the rows of its sentences, its part of the output, and its attention weights in both directions.
struct Job<'a> {
    premise: Range<usize>,
    hypothesis: Range<usize>,
    premise_rows: &'a mut [f32],
    hypothesis_rows: &'a mut [f32],
    /// The attention weights of each premise word over the hypothesis words.
    forward: &'a mut [f32],
    /// The attention weights of each hypothesis word over the premise words.
    backward: &'a mut [f32],
}

fn jobs<'a>(segments: &Segments, result: &'a mut [f32], columns: usize, weights: &'a mut [f32]) -> Vec<Job<'a>> {
    let pairs = segments.count() / 2;
    let border = segments.range(pairs.saturating_sub(1)).end;
    let (mut premises, mut hypotheses) = result.split_at_mut(border * columns);
    let mut weights = weights;
    let cut = |from: &mut &'a mut [f32], length: usize| {
        let (first, rest) = std::mem::take(from).split_at_mut(length);
        *from = rest;
        first
    };
    (0..pairs)
        .map(|pair| {
            let (premise, hypothesis) = (segments.range(pair), segments.range(pairs + pair));
            let count = premise.len() * hypothesis.len();
            Job {
                premise_rows: cut(&mut premises, premise.len() * columns),
                hypothesis_rows: cut(&mut hypotheses, hypothesis.len() * columns),
                forward: cut(&mut weights, count),
                backward: cut(&mut weights, count),
                premise,
                hypothesis,
            }
        })
        .collect()
}

fn weights_length(segments: &Segments) -> usize {
    let pairs = segments.count() / 2;
    (0..pairs).map(|pair| 2 * segments.range(pair).len() * segments.range(pairs + pair).len()).sum()
}

fn part<'a>(matrix: &'a Matrix, rows: &Range<usize>) -> MatrixView<'a> {
    matrix.view().rows(rows.clone())
}

/// A small product whose right matrix is used only once.
pub(super) fn multiply(left: MatrixView<'_>, right: MatrixView<'_>, output: &mut [f32], sum: Sum, packed: &mut Packed) {
    packed.fill_here(right);
    product(left, packed, MatrixViewMut::new(output, left.rows, right.columns), sum);
}

/// Converts gradients of softmax outputs to gradients of the scores in place, row by row.
pub(super) fn softmax_gradient(gradient: &mut [f32], weights: &[f32], columns: usize) {
    for (gradient, weights) in gradient.chunks_exact_mut(columns.max(1)).zip(weights.chunks_exact(columns.max(1))) {
        let mean = simd::dot(gradient, weights);
        gradient.iter_mut().zip(weights).for_each(|(gradient, weight)| *gradient = weight * (*gradient - mean));
    }
}

struct Record {
    keys: Node,
    values: Node,
    segments: Arc<Segments>,
    weights: Matrix,
    output: Node,
}

impl Operation for Record {
    fn backward(mut self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let (keys, values) = (&pass.values[self.keys], &pass.values[self.values]);
        let buffers = &mut pass.gradients.buffers;
        let mut keys_gradient = buffers.take(keys.rows, keys.columns);
        let mut values_gradient = buffers.take(values.rows, values.columns);
        let mut nothing = vec![0.0; self.weights.data.len()];
        let for_values = jobs(&self.segments, &mut values_gradient.data, values.columns, &mut self.weights.data);
        let for_keys = jobs(&self.segments, &mut keys_gradient.data, keys.columns, &mut nothing);
        let both: Vec<_> = for_values.into_iter().zip(for_keys).collect();
        for_each_with(both, Grain::AtLeast(4), Packed::default, |packed, (job, scores)| {
            let (premise, hypothesis) = (&job.premise, &job.hypothesis);
            let (a, b) = (premise.len(), hypothesis.len());
            let (gradient_a, gradient_b) = (part(&gradient, premise), part(&gradient, hypothesis));
            multiply(gradient_a, part(values, hypothesis).transposed(), scores.forward, Sum::Replace, packed);
            multiply(gradient_b, part(values, premise).transposed(), scores.backward, Sum::Replace, packed);
            multiply(MatrixView::new(job.forward, a, b).transposed(), gradient_a, job.hypothesis_rows, Sum::Replace, packed);
            multiply(MatrixView::new(job.backward, b, a).transposed(), gradient_b, job.premise_rows, Sum::Replace, packed);
            softmax_gradient(scores.forward, job.forward, b);
            softmax_gradient(scores.backward, job.backward, a);
            for row in 0..a {
                (0..b).for_each(|column| scores.forward[row * b + column] += scores.backward[column * a + row]);
            }
            let both = MatrixView::new(scores.forward, a, b);
            multiply(both, part(keys, hypothesis), scores.premise_rows, Sum::Replace, packed);
            multiply(both.transposed(), part(keys, premise), scores.hypothesis_rows, Sum::Replace, packed);
        });
        pass.gradients.buffers.give(gradient);
        pass.gradients.buffers.give(self.weights);
        pass.gradients.give(self.values, values_gradient);
        pass.gradients.give(self.keys, keys_gradient);
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        buffers.give(self.weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        // Two pairs: one with a long sentence, one whose hypothesis is empty.
        let segments = Arc::new(Segments::of_lengths([3, 2, 5, 0]));
        check(&[(10, 3), (10, 2)], |_| (), |tape, (), inputs| tape.align(inputs[0], inputs[1], &segments));
        check(&[(10, 3)], |_| (), |tape, (), inputs| tape.align(inputs[0], inputs[0], &segments));
    }
}
