//! Attention within a sentence (the intra-sentence attention of Parikh et al. 2016, section 3.3).

use crate::matrix::{Matrix, MatrixView};
use crate::ops::align::{multiply, softmax_gradient};
use crate::parameters::ParameterId;
use crate::product::{Packed, Sum};
use crate::segments::Segments;
use crate::simd;
use crate::tape::{Buffers, Node, Operation, Pass, Tape};
use acidtest_threads::{Grain, for_each_with};
use std::ops::Range;
use std::sync::Arc;

/// The largest distance with its own bias; greater distances in one direction share one.
const FARTHEST: usize = 10;
/// The number of distance biases: one per distance in each direction, including 0 and "far".
pub const DISTANCES: usize = 2 * (FARTHEST + 1) + 1;

impl Tape<'_> {
    /// Self-attention within each sentence: for each word, the mean of the `values` of its sentence, weighted by the softmax of the dot
    /// products of `keys` plus a distance bias.
    pub fn attend(&mut self, keys: Node, values: Node, distances: ParameterId, segments: &Arc<Segments>) -> Node {
        let bias = &self.parameter(distances).value.data;
        let columns = self.value(values).columns;
        let mut output = self.uninitialised(segments.rows(), columns);
        let mut weights = self.uninitialised(1, segments.ranges().map(|range| range.len() * range.len()).sum());
        let (from_keys, from_values) = (self.value(keys), self.value(values));
        for_each_with(jobs(segments, &mut output.data, columns, &mut weights.data), Grain::AtLeast(8), Packed::default, |packed, job| {
            let length = job.rows.len();
            let keys = from_keys.view().rows(job.rows.clone());
            multiply(keys, keys.transposed(), job.weights, Sum::Replace, packed);
            for (row, scores) in job.weights.chunks_exact_mut(length.max(1)).enumerate() {
                scores.iter_mut().enumerate().for_each(|(column, score)| *score += bias[distance(row, column)]);
                simd::softmax(scores);
            }
            multiply(MatrixView::new(job.weights, length, length), from_values.view().rows(job.rows), job.result, Sum::Replace, packed);
        });
        let segments = Arc::clone(segments);
        self.record(output, &[keys, values], &[distances], |output| Record { keys, values, distances, segments, weights, output })
    }
}

/// The index of the bias for the word at `column` relative to the word at `row`.
fn distance(row: usize, column: usize) -> usize {
    let near = FARTHEST + 1;
    if column >= row { near + (column - row).min(near) } else { near - (row - column).min(near) }
}

struct Job<'a> {
    rows: Range<usize>,
    result: &'a mut [f32],
    weights: &'a mut [f32],
}

fn jobs<'a>(segments: &Segments, mut result: &'a mut [f32], columns: usize, mut weights: &'a mut [f32]) -> Vec<Job<'a>> {
    let mut list = Vec::with_capacity(segments.count());
    for rows in segments.ranges() {
        let (own_result, other_result) = result.split_at_mut(rows.len() * columns);
        let (own_weights, other_weights) = weights.split_at_mut(rows.len() * rows.len());
        (result, weights) = (other_result, other_weights);
        list.push(Job { rows, result: own_result, weights: own_weights });
    }
    list
}

struct Record {
    keys: Node,
    values: Node,
    distances: ParameterId,
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
        let mut scores_gradient = buffers.take(1, self.weights.data.len());
        let for_values = jobs(&self.segments, &mut values_gradient.data, values.columns, &mut self.weights.data);
        let for_keys = jobs(&self.segments, &mut keys_gradient.data, keys.columns, &mut scores_gradient.data);
        let both: Vec<_> = for_values.into_iter().zip(for_keys).collect();
        for_each_with(both, Grain::AtLeast(8), Packed::default, |packed, (job, scores)| {
            let length = job.rows.len();
            let (gradient, own_keys) = (gradient.view().rows(job.rows.clone()), keys.view().rows(job.rows.clone()));
            let own_values = values.view().rows(job.rows.clone());
            multiply(gradient, own_values.transposed(), scores.weights, Sum::Replace, packed);
            multiply(MatrixView::new(job.weights, length, length).transposed(), gradient, job.result, Sum::Replace, packed);
            softmax_gradient(scores.weights, job.weights, length);
            let scores_view = MatrixView::new(scores.weights, length, length);
            multiply(scores_view, own_keys, scores.result, Sum::Replace, packed);
            multiply(scores_view.transposed(), own_keys, scores.result, Sum::Add, packed);
        });
        let bias = pass.parameter_gradients.zeroed(self.distances, 1, DISTANCES);
        let mut rest = scores_gradient.data.as_slice();
        for length in self.segments.ranges().map(|range| range.len()) {
            let (own, other) = rest.split_at(length * length);
            rest = other;
            own.iter().enumerate().for_each(|(place, number)| bias.data[distance(place / length, place % length)] += number);
        }
        for matrix in [gradient, self.weights, scores_gradient] {
            pass.gradients.buffers.give(matrix);
        }
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
    use crate::parameters::Initial;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let segments = Arc::new(Segments::of_lengths([3, 0, 1, 13]));
        check(
            &[(17, 2), (17, 3)],
            |parameters| parameters.declare("distances", 1, DISTANCES, Initial::Constant(0.0)),
            |tape, distances, inputs| tape.attend(inputs[0], inputs[1], *distances, &segments),
        );
    }

    #[test]
    fn far_words_share_a_bias_on_each_side() {
        assert_eq!([distance(0, 11), distance(0, 30), distance(11, 0), distance(30, 0), distance(4, 4)], [22, 22, 0, 0, 11]);
    }
}
