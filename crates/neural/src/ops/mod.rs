//! The operations, one per file: a forward pass as a method of [`Tape`](crate::Tape), its backward pass, and a test that compares the
//! gradients with finite differences.

mod align;
mod attention;
mod combine;
mod compare;
mod distances;
mod dropout;
mod embedding;
mod linear;
mod loss;
mod lstm;
mod multi_head;
mod norm;
mod pool;
mod rotary;
mod sum;

pub use attention::DISTANCES;
pub use combine::Difference;
pub use distances::Distances;
pub use embedding::WordRows;
pub use linear::{Activation, Linear};
pub use lstm::BiLstm;
pub use multi_head::{Attended, DistanceTerms, Mask, MultiHead};
pub use norm::LayerNorm;
pub use pool::Pooling;

use acidtest_threads::{Grain, count_here, for_each};

/// Applies `work` to each row of a matrix, in parallel if it has many elements.
pub fn for_rows(data: &mut [f32], columns: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
    const PARALLEL_FROM: usize = 1 << 18;
    let threads = count_here();
    if columns == 0 {
        return;
    }
    if data.len() < PARALLEL_FROM || threads == 1 {
        return data.chunks_exact_mut(columns).enumerate().for_each(|(row, numbers)| work(row, numbers));
    }
    let rows = (data.len() / columns).div_ceil(threads);
    let parts: Vec<_> = data.chunks_mut(rows * columns).enumerate().collect();
    for_each(parts, Grain::Single, |(part, numbers)| {
        numbers.chunks_exact_mut(columns).enumerate().for_each(|(row, numbers)| work(part * rows + row, numbers));
    });
}
