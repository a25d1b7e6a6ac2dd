//! Pooling: one vector per sentence from its word vectors.

use crate::ops::WordRows;
use crate::segments::Segments;
use crate::simd::{self, vectorised};
use crate::tape::{Node, Operation, Pass, Tape};
use std::sync::Arc;

/// The pooling function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The maximum of each column.
    Max,
}

impl Tape<'_> {
    /// Pools each segment to one row; an empty segment gives zeros.
    pub fn pool(&mut self, input: impl Into<WordRows>, segments: &Arc<Segments>, pooling: Pooling) -> Node {
        let words: WordRows = input.into();
        let input = words.rows;
        let columns = self.value(input).columns;
        let mut output = self.uninitialised(segments.count(), columns);
        let from = self.value(input);
        let mut places = Vec::new();
        if pooling == Pooling::Max {
            places.resize(output.data.len(), 0u32);
        }
        for (segment, range) in segments.ranges().enumerate() {
            let to = output.row_mut(segment);
            to.fill(0.0);
            let mut rows = range.clone().map(|word| words.row_of(word));
            if pooling == Pooling::Max {
                let places = &mut places[segment * columns..(segment + 1) * columns];
                if let Some(first) = rows.next() {
                    to.copy_from_slice(from.row(first));
                    places.fill(first as u32);
                }
                rows.for_each(|row| keep_larger(to, places, from.row(row), row as u32));
                continue;
            }
            rows.for_each(|row| simd::add(to, from.row(row)));
            if pooling == Pooling::Mean && !range.is_empty() {
                simd::scale(to, 1.0 / range.len() as f32);
            }
        }
        let segments = Arc::clone(segments);
        self.record(output, &[input], &[], |output| Record { words, output, segments, pooling, places })
    }
}

vectorised! {
    fn keep_larger(best: &mut [f32], places: &mut [u32], numbers: &[f32], place: u32) {
        for ((best, places), &number) in best.iter_mut().zip(places).zip(numbers) {
            let larger = number > *best;
            *best = if larger { number } else { *best };
            *places = if larger { place } else { *places };
        }
    }
}

struct Record {
    words: WordRows,
    output: Node,
    segments: Arc<Segments>,
    pooling: Pooling,
    /// For `Max`: the row of each maximum.
    places: Vec<u32>,
}

impl Operation for Record {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if let Some(to) = pass.zeroed(self.words.rows) {
            let columns = to.columns;
            for (segment, range) in self.segments.ranges().enumerate().filter(|(_, range)| !range.is_empty()) {
                let from = gradient.row(segment);
                let count = range.len();
                let rows = range.map(|word| self.words.row_of(word));
                match self.pooling {
                    Pooling::Sum => rows.for_each(|row| simd::add(to.row_mut(row), from)),
                    Pooling::Mean => {
                        let share = 1.0 / count as f32;
                        rows.for_each(|row| simd::add_scaled(to.row_mut(row), share, from));
                    }
                    Pooling::Max => {
                        let places = &self.places[segment * columns..(segment + 1) * columns];
                        for (column, (&row, number)) in places.iter().zip(from).enumerate() {
                            to.data[row as usize * columns + column] += number;
                        }
                    }
                }
            }
        }
        pass.gradients.buffers.give(gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let segments = Arc::new(Segments::of_lengths([2, 0, 3, 1]));
        for pooling in [Pooling::Sum, Pooling::Mean, Pooling::Max] {
            check(&[(6, 3)], |_| (), |tape, (), inputs| tape.pool(inputs[0], &segments, pooling));
            let places = Some(Arc::new(vec![1, 0, 3, 2, 1, 1]));
            let words = |rows| WordRows { rows, places: places.clone() };
            check(&[(4, 3)], |_| (), |tape, (), inputs| tape.pool(words(inputs[0]), &segments, pooling));
        }
    }
}
