//! Multi-head attention over ragged sequences (Vaswani et al. 2017), optionally with terms that depend on the distance of two words.
//!
//! Each segment attends to the keys of the segment with the same number; nothing is padded. Sums do not depend on the other segments, so
//! a sequence has the same bits alone and in any batch.

use crate::matrix::{Matrix, MatrixView, MatrixViewMut};
use crate::ops::align::softmax_gradient;
use crate::ops::distances::{Distances, RelativeTerms, Terms};
use crate::ops::dropout::drop_numbers;
use crate::parameters::ParameterId;
use crate::product::{LANES, Packed, Sum, product, product_of_columns};
use crate::segments::Segments;
use crate::simd;
use crate::tape::{Buffers, Node, Operation, Pass, Tape, TapeMode};
use acidtest_nli::Seed;
use acidtest_threads::{Grain, for_each_with};
use std::ops::Range;
use std::sync::Arc;

/// Which keys a query attends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mask {
    /// All of its segment.
    None,
    /// Those up to its own position.
    Causal,
    /// Those at most this far away, in both directions.
    Window(usize),
}

impl Mask {
    /// The keys of a query.
    fn keys(self, query: usize, keys: usize) -> Range<usize> {
        match self {
            Mask::None => 0..keys,
            Mask::Causal => 0..(query + 1).min(keys),
            Mask::Window(far) => query.saturating_sub(far).min(keys)..(query + far + 1).min(keys),
        }
    }
}

/// What depends on the distance between a query and a key.
#[derive(Debug, Clone)]
pub enum DistanceTerms {
    /// Nothing.
    None,
    /// A number per head, added to the scaled score: a table with one row per distance (or range of distances) and one column per head.
    Bias(ParameterId, Arc<Distances>),
    /// The products of the query with a key of the distance, and of the key with a query of the distance (He et al. 2021), scaled
    /// together with the score.
    Relative {
        /// A key per distance.
        keys: Node,
        /// A query per distance.
        queries: Node,
        /// The row of each distance.
        distances: Arc<Distances>,
    },
}

/// How a layer attends.
#[derive(Debug, Clone)]
pub struct MultiHead {
    /// The number of heads.
    pub heads: usize,
    /// The factor of the scores.
    pub scale: f32,
    /// Which keys are seen.
    pub mask: Mask,
    /// The terms of the distance.
    pub terms: DistanceTerms,
    /// The dropout rate of the attention weights.
    pub dropout: f32,
}

impl MultiHead {
    /// Attention with the usual scale, without a mask, distances or dropout.
    pub fn plain(heads: usize, columns: usize) -> Self {
        let scale = 1.0 / ((columns / heads) as f32).sqrt();
        MultiHead { heads, scale, mask: Mask::None, terms: DistanceTerms::None, dropout: 0.0 }
    }
}

/// The matrices and segments of one call.
#[derive(Clone)]
pub struct Attended {
    /// One row per query.
    pub queries: Node,
    /// One row per key.
    pub keys: Node,
    /// One row per key.
    pub values: Node,
    /// The sequences of queries.
    pub query_segments: Arc<Segments>,
    /// The sequences of keys, as many.
    pub key_segments: Arc<Segments>,
}

impl Tape<'_> {
    /// For each query and head, the mean of the values of its sequence, weighted by the softmax of the scaled dot products.
    pub fn multi_head(&mut self, layer: &MultiHead, attended: &Attended) -> Node {
        let place = self.next_dropout();
        let columns = self.value(attended.values).columns;
        let mut output = self.uninitialised(attended.query_segments.rows(), columns);
        let seed = match self.mode {
            TapeMode::Training(step) => Some(step.child("dropout").child(&place.to_string())),
            TapeMode::Inference => None,
        };
        let kept = if seed.is_some() { weights_length(attended, layer.heads) } else { 0 };
        let mut weights = self.uninitialised(1, kept);
        let terms = Terms::of(layer, self);
        let forward = Forward {
            layer,
            terms: &terms,
            queries: self.value(attended.queries),
            keys: self.value(attended.keys),
            values: self.value(attended.values),
        };
        match seed {
            None => forward.at_once(&mut output, attended),
            Some(seed) => {
                forward.weigh(&mut weights, attended);
                let dropped = dropped(&weights, seed, layer.dropout);
                forward.mix(&mut output, dropped.as_ref().unwrap_or(&weights), attended);
            }
        }
        let (bias, mut inputs) = (bias_of(layer), vec![attended.queries, attended.keys, attended.values]);
        if let DistanceTerms::Relative { keys, queries, .. } = layer.terms {
            inputs.extend([keys, queries]);
        }
        let (layer, attended) = (layer.clone(), attended.clone());
        let record = |output| Record { layer, attended, weights, seed: seed.unwrap_or(Seed::new(0)), output };
        self.record(output, &inputs, bias.as_slice(), record)
    }
}

fn bias_of(layer: &MultiHead) -> Option<ParameterId> {
    match layer.terms {
        DistanceTerms::Bias(table, _) => Some(table),
        _ => None,
    }
}

/// The number of attention weights.
fn weights_length(attended: &Attended, heads: usize) -> usize {
    attended.query_segments.ranges().zip(attended.key_segments.ranges()).map(|(queries, keys)| heads * queries.len() * keys.len()).sum()
}

/// The weights after dropout, if there is any.
fn dropped(weights: &Matrix, seed: Seed, rate: f32) -> Option<Matrix> {
    if rate <= 0.0 {
        return None;
    }
    let mut copy = weights.clone();
    drop_numbers(&mut copy, seed, rate);
    Some(copy)
}

/// Cuts consecutive parts, one per segment, out of a buffer.
fn cut<'a>(rest: &mut &'a mut [f32], length: usize) -> &'a mut [f32] {
    let (own, other) = std::mem::take(rest).split_at_mut(length);
    *rest = other;
    own
}

/// The rows of a segment's queries and keys.
#[derive(Clone)]
pub(super) struct Rows {
    pub(super) queries: Range<usize>,
    pub(super) keys: Range<usize>,
}

impl Rows {
    pub(super) fn of(attended: &Attended) -> impl Iterator<Item = Rows> {
        attended.query_segments.ranges().zip(attended.key_segments.ranges()).map(|(queries, keys)| Rows { queries, keys })
    }

    /// The number of attention weights of one head.
    pub(super) fn weights(&self) -> usize {
        self.queries.len() * self.keys.len()
    }
}

/// The columns of a head.
pub(super) fn columns_of(head: usize, heads: usize, columns: usize) -> Range<usize> {
    let size = columns / heads;
    head * size..(head + 1) * size
}

/// Memory of a thread for one head of one segment.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) packed: Packed,
    weights: Vec<f32>,
    pub(super) relative: Vec<f32>,
    pub(super) turned: Vec<f32>,
}

struct Forward<'a> {
    layer: &'a MultiHead,
    terms: &'a Terms<'a>,
    queries: &'a Matrix,
    keys: &'a Matrix,
    values: &'a Matrix,
}

impl Forward<'_> {
    /// The result without keeping the weights.
    fn at_once(&self, output: &mut Matrix, attended: &Attended) {
        let (columns, mut rest) = (output.columns, output.data.as_mut_slice());
        let jobs: Vec<_> = Rows::of(attended).map(|rows| (cut(&mut rest, rows.queries.len() * columns), rows)).collect();
        for_each_with(jobs, Grain::AtLeast(4), Scratch::default, |scratch, (result, rows)| {
            // Rows of whole vectors are faster.
            let stride = rows.keys.len().next_multiple_of(LANES);
            let mut weights = std::mem::take(&mut scratch.weights);
            weights.resize(rows.queries.len() * stride, 0.0);
            for head in 0..self.layer.heads {
                self.head_weights(head, &rows, (weights.as_mut_slice(), stride), scratch);
                self.head_result(head, &rows, (weights.as_slice(), stride), result, scratch);
            }
            scratch.weights = weights;
        });
    }

    /// The attention weights of all segments and heads.
    fn weigh(&self, weights: &mut Matrix, attended: &Attended) {
        let mut rest = weights.data.as_mut_slice();
        let jobs: Vec<_> = Rows::of(attended).map(|rows| (cut(&mut rest, self.layer.heads * rows.weights()), rows)).collect();
        for_each_with(jobs, Grain::AtLeast(4), Scratch::default, |scratch, (weights, rows)| {
            for (head, weights) in weights.chunks_exact_mut(rows.weights().max(1)).enumerate() {
                self.head_weights(head, &rows, (weights, rows.keys.len()), scratch);
            }
        });
    }

    /// The result from the attention weights.
    fn mix(&self, output: &mut Matrix, weights: &Matrix, attended: &Attended) {
        let (columns, mut rest, mut weights) = (output.columns, output.data.as_mut_slice(), weights.data.as_slice());
        let jobs: Vec<_> = Rows::of(attended)
            .map(|rows| {
                let (own, other) = weights.split_at(self.layer.heads * rows.weights());
                weights = other;
                (cut(&mut rest, rows.queries.len() * columns), own, rows)
            })
            .collect();
        for_each_with(jobs, Grain::AtLeast(4), Scratch::default, |scratch, (result, weights, rows)| {
            for (head, weights) in weights.chunks_exact(rows.weights().max(1)).enumerate() {
                self.head_result(head, &rows, (weights, rows.keys.len()), result, scratch);
            }
        });
    }

    /// The attention weights of a head, in rows of `stride` numbers.
    fn head_weights(&self, head: usize, rows: &Rows, (weights, stride): (&mut [f32], usize), scratch: &mut Scratch) {
        let columns = columns_of(head, self.layer.heads, self.keys.columns);
        let queries = self.queries.view().rows(rows.queries.clone()).columns(columns.clone());
        let keys = self.keys.view().rows(rows.keys.clone()).columns(columns);
        let (count, seen) = (rows.queries.len(), rows.keys.len());
        let mut packed = std::mem::take(&mut scratch.packed);
        packed.fill_here(keys.transposed());
        product_of_columns(queries, &packed, 0..seen, MatrixViewMut::new(weights, count, stride));
        self.terms.add_relative(head, queries, &packed, (&mut *weights, stride), scratch);
        scratch.packed = packed;
        if self.layer.mask == Mask::None && stride.is_multiple_of(LANES) && !self.terms.has_bias() {
            return simd::softmax_of_rows(weights, stride, seen, self.layer.scale);
        }
        for (query, scores) in weights.chunks_exact_mut(stride.max(1)).enumerate() {
            let scores = &mut scores[..seen];
            simd::scale(scores, self.layer.scale);
            self.terms.add_bias(head, query, scores);
            let range = self.layer.mask.keys(query, seen);
            scores[..range.start].fill(0.0);
            scores[range.end..].fill(0.0);
            simd::softmax_in_lanes(&mut scores[range]);
        }
    }

    fn head_result(&self, head: usize, rows: &Rows, (weights, stride): (&[f32], usize), result: &mut [f32], scratch: &mut Scratch) {
        let columns = columns_of(head, self.layer.heads, self.values.columns);
        let (count, seen) = (rows.queries.len(), rows.keys.len());
        scratch.packed.fill_here(self.values.view().rows(rows.keys.clone()).columns(columns.clone()));
        let result = MatrixViewMut::new(result, count, self.values.columns).columns(columns);
        product(MatrixView::new(weights, count, stride).columns(0..seen), &scratch.packed, result, Sum::Replace);
    }
}

struct Record {
    layer: MultiHead,
    attended: Attended,
    /// The attention weights before dropout, by segment and head; empty in inference.
    weights: Matrix,
    seed: Seed,
    output: Node,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        let Record { layer, attended, weights, seed, .. } = *self;
        let [queries, keys, values] = [attended.queries, attended.keys, attended.values].map(|node| &pass.values[node]);
        let buffers = &mut pass.gradients.buffers;
        let mut scores = buffers.take(1, weights.data.len());
        let [mut for_queries, mut for_keys, mut for_values] = [queries, keys, values].map(|like| buffers.take(like.rows, like.columns));
        let relative = RelativeTerms::for_gradients(&layer, |node| &pass.values[node]);
        let back = Backward { layer: &layer, queries, keys, values, relative: relative.as_ref() };
        let dropped = dropped(&weights, seed, layer.dropout);
        back.through_mix(&attended, &gradient, dropped.as_ref().unwrap_or(&weights), &mut scores, &mut for_values);
        if layer.dropout > 0.0 {
            drop_numbers(&mut scores, seed, layer.dropout);
        }
        back.through_weights(&attended, &weights, &mut scores, [&mut for_queries, &mut for_keys]);
        if let DistanceTerms::Bias(table, distances) = &layer.terms
            && pass.trains(*table)
        {
            let value = &pass.parameters.get(*table).value;
            let to = pass.parameter_gradients.zeroed(*table, value.rows, value.columns);
            distances.add_bias_gradient(to, &scores.data, Rows::of(&attended).map(|rows| (rows.queries.len(), rows.keys.len())));
        }
        if let (Some(relative), DistanceTerms::Relative { keys: key_node, queries: query_node, .. }) = (&relative, &layer.terms) {
            let [by_keys, by_queries] = relative.gradients(layer.scale, [queries, keys], &scores.data, &attended);
            pass.gradients.give(*key_node, by_keys);
            pass.gradients.give(*query_node, by_queries);
        }
        for matrix in [gradient, weights, scores].into_iter().chain(dropped) {
            pass.gradients.buffers.give(matrix);
        }
        for (node, gradient) in [(attended.queries, for_queries), (attended.keys, for_keys), (attended.values, for_values)] {
            pass.gradients.give(node, gradient);
        }
    }

    fn release(self: Box<Self>, buffers: &mut Buffers) {
        buffers.give(self.weights);
    }
}

struct Backward<'a> {
    layer: &'a MultiHead,
    queries: &'a Matrix,
    keys: &'a Matrix,
    values: &'a Matrix,
    relative: Option<&'a RelativeTerms<'a>>,
}

impl Backward<'_> {
    /// From the gradient of the result to those of the (dropped) weights and of the values.
    fn through_mix(&self, attended: &Attended, gradient: &Matrix, weights: &Matrix, scores: &mut Matrix, values: &mut Matrix) {
        let (heads, columns) = (self.layer.heads, values.columns);
        let (mut scores, mut values, mut rest) = (scores.data.as_mut_slice(), values.data.as_mut_slice(), weights.data.as_slice());
        let jobs: Vec<_> = Rows::of(attended)
            .map(|rows| {
                let (own, other) = rest.split_at(heads * rows.weights());
                rest = other;
                (cut(&mut scores, heads * rows.weights()), cut(&mut values, rows.keys.len() * columns), own, rows)
            })
            .collect();
        for_each_with(jobs, Grain::AtLeast(2), Packed::default, |packed, (scores, to, weights, rows)| {
            let (count, seen, own) = (rows.queries.len(), rows.keys.len(), rows.weights().max(1));
            for (head, (scores, weights)) in scores.chunks_exact_mut(own).zip(weights.chunks_exact(own)).enumerate() {
                let part = columns_of(head, heads, columns);
                let gradient = gradient.view().rows(rows.queries.clone()).columns(part.clone());
                packed.fill_here(self.values.view().rows(rows.keys.clone()).columns(part.clone()).transposed());
                product(gradient, packed, MatrixViewMut::new(scores, count, seen), Sum::Replace);
                packed.fill_here(gradient);
                let to = MatrixViewMut::new(to, seen, columns).columns(part);
                product(MatrixView::new(weights, count, seen).transposed(), packed, to, Sum::Replace);
            }
        });
    }

    /// From the gradients of the weights to those of the scores (in place, before the bias is added), queries and keys.
    fn through_weights(&self, attended: &Attended, weights: &Matrix, scores: &mut Matrix, [queries, keys]: [&mut Matrix; 2]) {
        let (heads, columns) = (self.layer.heads, keys.columns);
        let (mut scores, mut rest) = (scores.data.as_mut_slice(), weights.data.as_slice());
        let (mut queries, mut keys) = (queries.data.as_mut_slice(), keys.data.as_mut_slice());
        let jobs: Vec<_> = Rows::of(attended)
            .map(|rows| {
                let (own, other) = rest.split_at(heads * rows.weights());
                rest = other;
                let parts = [cut(&mut queries, rows.queries.len() * columns), cut(&mut keys, rows.keys.len() * columns)];
                (cut(&mut scores, heads * rows.weights()), parts, own, rows)
            })
            .collect();
        for_each_with(jobs, Grain::AtLeast(2), Scratch::default, |scratch, (scores, [for_queries, for_keys], weights, rows)| {
            let (count, seen, own) = (rows.queries.len(), rows.keys.len(), rows.weights().max(1));
            for (head, (scores, weights)) in scores.chunks_exact_mut(own).zip(weights.chunks_exact(own)).enumerate() {
                softmax_gradient(scores, weights, seen);
                let part = columns_of(head, heads, columns);
                let scores = MatrixView::new(scores, count, seen);
                scratch.packed.fill_here(self.keys.view().rows(rows.keys.clone()).columns(part.clone()));
                product(scores, &scratch.packed, MatrixViewMut::new(for_queries, count, columns).columns(part.clone()), Sum::Replace);
                scratch.packed.fill_here(self.queries.view().rows(rows.queries.clone()).columns(part.clone()));
                product(
                    scores.transposed(),
                    &scratch.packed,
                    MatrixViewMut::new(for_keys, seen, columns).columns(part.clone()),
                    Sum::Replace,
                );
                if let Some(relative) = self.relative {
                    let to = [(&mut *for_queries, count), (&mut *for_keys, seen)];
                    let to = to.map(|(numbers, rows)| MatrixViewMut::new(numbers, rows, columns).columns(part.clone()));
                    relative.add_to_words(head, scores, to, scratch);
                }
            }
            simd::scale(for_queries, self.layer.scale);
            simd::scale(for_keys, self.layer.scale);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::parameters::{Initial, Parameters};

    const HEADS: usize = 2;

    fn attended(nodes: &[Node], queries: &Arc<Segments>, keys: &Arc<Segments>) -> Attended {
        let (query_segments, key_segments) = (Arc::clone(queries), Arc::clone(keys));
        Attended { queries: nodes[0], keys: nodes[1], values: nodes[2], query_segments, key_segments }
    }

    fn segments() -> Arc<Segments> {
        Arc::new(Segments::of_lengths([3, 1, 0, 5]))
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let all = segments();
        for mask in [Mask::None, Mask::Causal, Mask::Window(1)] {
            let layer = MultiHead { mask, ..MultiHead::plain(HEADS, 4) };
            check(&[(9, 4), (9, 4), (9, 4)], |_| (), |tape, (), nodes| tape.multi_head(&layer, &attended(nodes, &all, &all)));
        }
        let dropout = MultiHead { dropout: 0.3, ..MultiHead::plain(HEADS, 4) };
        check(&[(9, 4), (9, 4), (9, 4)], |_| (), |tape, (), nodes| tape.multi_head(&dropout, &attended(nodes, &all, &all)));
        let others = Arc::new(Segments::of_lengths([2, 4, 1, 1]));
        let across = MultiHead::plain(HEADS, 4);
        check(&[(8, 4), (9, 4), (9, 4)], |_| (), |tape, (), nodes| tape.multi_head(&across, &attended(nodes, &others, &all)));
    }

    #[test]
    fn gradients_with_distances_agree_with_finite_differences() {
        let all = segments();
        // Distances of 2 and more share a row.
        let distances = Arc::new(Distances::new(5, |distance| (distance.clamp(-2, 2) + 2) as usize));
        let bias = |parameters: &mut Parameters| parameters.declare("bias", 5, HEADS, Initial::Constant(0.0));
        check(&[(9, 4), (9, 4), (9, 4)], bias, |tape, &table, nodes| {
            let terms = DistanceTerms::Bias(table, Arc::clone(&distances));
            tape.multi_head(&MultiHead { terms, ..MultiHead::plain(HEADS, 4) }, &attended(nodes, &all, &all))
        });
        let every = Arc::new(Distances::new(5, |distance| (distance + 4) as usize));
        for (distances, rows) in [(&distances, 5), (&every, 9)] {
            check(
                &[(9, 4), (9, 4), (9, 4), (rows, 4), (rows, 4)],
                |_| (),
                |tape, (), nodes| {
                    let terms = DistanceTerms::Relative { keys: nodes[3], queries: nodes[4], distances: Arc::clone(distances) };
                    tape.multi_head(&MultiHead { terms, ..MultiHead::plain(HEADS, 4) }, &attended(nodes, &all, &all))
                },
            );
        }
    }

    #[test]
    fn values_alone_and_in_a_batch_are_bit_identical() {
        let mut parameters = Parameters::new(Seed::new(1));
        let whole = parameters.declare("x", 9, 4, Initial::Uniform(1.0));
        let run = |rows: Range<usize>, segments: &Arc<Segments>| {
            let mut tape = Tape::new(&parameters, TapeMode::Inference, Buffers::default());
            let part = Matrix::from_vec(rows.len(), 4, parameters.get(whole).value.rows(rows).to_vec());
            let node = tape.constant(part);
            let result = tape.multi_head(&MultiHead::plain(HEADS, 4), &attended(&[node; 3], segments, segments));
            tape.value(result).data.clone()
        };
        let together = run(0..9, &segments());
        let alone = run(4..9, &Arc::new(Segments::of_lengths([5])));
        assert_eq!(together[16..], alone);
    }
}
