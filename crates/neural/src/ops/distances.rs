//! Terms of attention that depend on the distance between two words: a bias per distance (Raffel et al. 2020, MPNet), or products with
//! keys and queries of the distance (He et al. 2021, DeBERTa).

use crate::matrix::{Matrix, MatrixView, MatrixViewMut};
use crate::ops::multi_head::{Attended, DistanceTerms, MultiHead, Rows, Scratch, columns_of};
use crate::product::{LANES, Packed, Sum, product, product_of_columns};
use crate::simd;
use crate::tape::{Node, Tape};
use acidtest_threads::{Grain, map};
use std::ops::Range;

/// The row of each distance in a table; the distance is the position of the key minus that of the query.
#[derive(Debug, Clone)]
pub struct Distances {
    longest: usize,
    /// Rows by distance, starting with the lowest.
    rows: Vec<u32>,
    /// Whether each distance has the row after that of the distance before it.
    in_order: bool,
}

impl Distances {
    /// The rows of all distances in sequences of at most this many words.
    pub fn new(longest: usize, row: impl Fn(isize) -> usize) -> Self {
        let far = longest.max(1) as isize - 1;
        let rows: Vec<u32> = (-far..=far).map(|distance| row(distance) as u32).collect();
        let in_order = rows.windows(2).all(|pair| pair[1] == pair[0] + 1);
        Distances { longest: longest.max(1), rows, in_order }
    }

    /// The rows of the keys from the first on, for one query.
    fn of_query(&self, query: usize, keys: usize) -> &[u32] {
        let first = self.longest - 1 - query;
        &self.rows[first..first + keys]
    }

    /// The range of the rows of this many queries and keys.
    fn range(&self, queries: usize, keys: usize) -> Range<usize> {
        let all = &self.rows[self.longest - queries.max(1)..self.longest - 1 + keys.max(1)];
        let (lowest, highest) = (all.iter().min(), all.iter().max());
        lowest.map_or(0, |&row| row as usize)..highest.map_or(0, |&row| row as usize + 1)
    }

    /// Adds the gradients of the scores, given segment by segment and head by head, to those of a table with one column per head.
    pub(super) fn add_bias_gradient(&self, to: &mut Matrix, scores: &[f32], lengths: impl Iterator<Item = (usize, usize)>) {
        let (mut rest, heads) = (scores, to.columns);
        for (queries, keys) in lengths {
            let (own, other) = rest.split_at(heads * queries * keys);
            rest = other;
            for (head, scores) in own.chunks_exact((queries * keys).max(1)).enumerate() {
                for (query, scores) in scores.chunks_exact(keys.max(1)).enumerate() {
                    let rows = self.of_query(query, keys);
                    rows.iter().zip(scores).for_each(|(&row, score)| to.data[row as usize * heads + head] += score);
                }
            }
        }
    }
}

/// The distance terms of a forward pass.
pub(super) struct Terms<'a> {
    bias: Option<(&'a Matrix, &'a Distances)>,
    relative: Option<RelativeTerms<'a>>,
}

impl<'a> Terms<'a> {
    pub(super) fn of(layer: &'a MultiHead, tape: &'a Tape<'_>) -> Self {
        let bias = match &layer.terms {
            DistanceTerms::Bias(table, distances) => Some((&tape.parameter(*table).value, &**distances)),
            _ => None,
        };
        Terms { bias, relative: RelativeTerms::for_scores(layer, |node| tape.value(node)) }
    }

    /// Adds the products with keys and queries of the distance to the scores of a head, given in rows of `stride` numbers; `keys` is the
    /// transposed key matrix.
    pub(super) fn add_relative(
        &self,
        head: usize,
        queries: MatrixView<'_>,
        keys: &Packed,
        (scores, stride): (&mut [f32], usize),
        scratch: &mut Scratch,
    ) {
        let Some(relative) = &self.relative else { return };
        let (count, seen) = (queries.rows, keys.columns());
        // Only the distances within this sequence: others of the batch may be longer.
        let range = relative.distances.range(count, seen);
        let Scratch { relative: by_key, turned: by_query, .. } = scratch;
        // The rows of both have room for whole vectors.
        let (width, across) = (relative.keys.rows.next_multiple_of(LANES), seen.next_multiple_of(LANES));
        by_key.resize(count * width, 0.0);
        product_of_columns(queries, &relative.packed_keys[head], range.clone(), MatrixViewMut::new(by_key, count, width));
        by_query.resize(range.len() * across, 0.0);
        let part = relative.queries.view().columns(columns_of(head, relative.heads, relative.queries.columns));
        product_of_columns(part.rows(range.clone()), keys, 0..seen, MatrixViewMut::new(by_query, range.len(), across));
        for (query, scores) in scores.chunks_exact_mut(stride.max(1)).enumerate() {
            let (scores, rows) = (&mut scores[..seen], relative.distances.of_query(query, seen));
            let by_key = &by_key[query * width..(query + 1) * width];
            if relative.distances.in_order && seen > 0 {
                simd::add(scores, &by_key[rows[0] as usize..][..seen]);
                let by_query = &by_query[(rows[0] as usize - range.start) * across..];
                scores.iter_mut().zip(by_query.iter().step_by(across + 1)).for_each(|(score, number)| *score += number);
                continue;
            }
            scores.iter_mut().zip(rows).for_each(|(score, &row)| *score += by_key[row as usize]);
            for (key, (score, &row)) in scores.iter_mut().zip(rows).enumerate() {
                *score += by_query[(row as usize - range.start) * across + key];
            }
        }
    }

    /// Whether there is a bias.
    pub(super) fn has_bias(&self) -> bool {
        self.bias.is_some()
    }

    /// Adds the bias to the scores of one query.
    pub(super) fn add_bias(&self, head: usize, query: usize, scores: &mut [f32]) {
        let Some((table, distances)) = self.bias else { return };
        let rows = distances.of_query(query, scores.len());
        scores.iter_mut().zip(rows).for_each(|(score, &row)| *score += table.data[row as usize * table.columns + head]);
    }
}

/// Keys and queries of distances, with what their products need.
pub(super) struct RelativeTerms<'a> {
    keys: &'a Matrix,
    queries: &'a Matrix,
    distances: &'a Distances,
    heads: usize,
    /// The keys of each head: transposed for scores, or as they are for gradients.
    packed_keys: Vec<Packed>,
    /// The queries of each head, for gradients.
    packed_queries: Vec<Packed>,
}

impl<'a> RelativeTerms<'a> {
    fn for_scores(layer: &'a MultiHead, value: impl Fn(Node) -> &'a Matrix) -> Option<Self> {
        RelativeTerms::new(layer, value, |part| part.transposed())
    }

    pub(super) fn for_gradients(layer: &'a MultiHead, value: impl Fn(Node) -> &'a Matrix) -> Option<Self> {
        let mut terms = RelativeTerms::new(layer, value, |part| part)?;
        terms.packed_queries = packed_heads(terms.queries, terms.heads, |part| part);
        Some(terms)
    }

    fn new(layer: &'a MultiHead, value: impl Fn(Node) -> &'a Matrix, form: fn(MatrixView<'_>) -> MatrixView<'_>) -> Option<Self> {
        let DistanceTerms::Relative { keys, queries, distances } = &layer.terms else { return None };
        let (keys, queries, heads) = (value(*keys), value(*queries), layer.heads);
        Some(RelativeTerms { keys, queries, distances, heads, packed_keys: packed_heads(keys, heads, form), packed_queries: Vec::new() })
    }

    /// Adds what the gradients of a head's scores give to its queries and keys.
    pub(super) fn add_to_words(&self, head: usize, scores: MatrixView<'_>, to: [MatrixViewMut<'_>; 2], scratch: &mut Scratch) {
        let width = self.keys.rows;
        self.gather(scores, scratch);
        let [queries, keys] = to;
        product(MatrixView::new(&scratch.relative, scores.rows, width), &self.packed_keys[head], queries, Sum::Add);
        product(MatrixView::new(&scratch.turned, width, scores.columns).transposed(), &self.packed_queries[head], keys, Sum::Add);
    }

    /// Sums the gradients of scores by query and distance, and by distance and key.
    fn gather(&self, scores: MatrixView<'_>, scratch: &mut Scratch) {
        let (width, seen) = (self.keys.rows, scores.columns);
        let Scratch { relative: by_key, turned: by_query, .. } = scratch;
        for (numbers, length) in [(&mut *by_key, scores.rows * width), (&mut *by_query, width * seen)] {
            numbers.clear();
            numbers.resize(length, 0.0);
        }
        for query in 0..scores.rows {
            for (key, &row) in self.distances.of_query(query, seen).iter().enumerate() {
                let score = scores.data[query * scores.row_stride + key];
                by_key[query * width + row as usize] += score;
                by_query[row as usize * seen + key] += score;
            }
        }
    }

    /// The gradients of the keys and queries of distances, each head summed segment by segment.
    pub(super) fn gradients(&self, scale: f32, words: [&Matrix; 2], scores: &[f32], attended: &Attended) -> [Matrix; 2] {
        let (width, columns) = (self.keys.rows, self.keys.columns);
        let size = columns / self.heads;
        let of_head = |head: usize| {
            let part = columns_of(head, self.heads, columns);
            let (mut keys, mut queries) = (Matrix::zeros(width, size), Matrix::zeros(width, size));
            let (mut scratch, mut rest) = (Scratch::default(), scores);
            for rows in Rows::of(attended) {
                let (own, other) = rest.split_at(self.heads * rows.weights());
                rest = other;
                let (count, seen) = (rows.queries.len(), rows.keys.len());
                let own = MatrixView::new(&own[head * rows.weights()..], count, seen);
                self.gather(own, &mut scratch);
                let mut packed = std::mem::take(&mut scratch.packed);
                packed.fill_here(words[0].view().rows(rows.queries).columns(part.clone()));
                product(MatrixView::new(&scratch.relative, count, width).transposed(), &packed, keys.view_mut(), Sum::Add);
                packed.fill_here(words[1].view().rows(rows.keys).columns(part.clone()));
                product(MatrixView::new(&scratch.turned, width, seen), &packed, queries.view_mut(), Sum::Add);
                scratch.packed = packed;
            }
            [keys, queries]
        };
        let heads = map((0..self.heads).collect::<Vec<_>>(), Grain::Single, of_head);
        let mut whole = [Matrix::zeros(width, columns), Matrix::zeros(width, columns)];
        for (head, parts) in heads.iter().enumerate() {
            for (whole, part) in whole.iter_mut().zip(parts) {
                for row in 0..width {
                    let to = &mut whole.row_mut(row)[columns_of(head, self.heads, columns)];
                    to.copy_from_slice(part.row(row));
                    simd::scale(to, scale);
                }
            }
        }
        whole
    }
}

fn packed_heads(matrix: &Matrix, heads: usize, form: fn(MatrixView<'_>) -> MatrixView<'_>) -> Vec<Packed> {
    (0..heads)
        .map(|head| {
            let mut packed = Packed::default();
            packed.fill_here(form(matrix.view().columns(columns_of(head, heads, matrix.columns))));
            packed
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_the_key_minus_the_query() {
        let distances = Distances::new(3, |distance| (distance + 2) as usize);
        assert_eq!(distances.of_query(0, 3), [2, 3, 4]);
        assert_eq!(distances.of_query(2, 3), [0, 1, 2]);
        assert!(distances.in_order);
        assert!(!Distances::new(3, |distance| distance.unsigned_abs()).in_order);
    }
}
