//! The operations, one file each: a forward pass that is a method of [`Tape`](crate::Tape), a backward pass beside it, and a test that
//! compares the one with finite differences of the other.

mod align;
mod attention;
mod combine;
mod compare;
mod dropout;
mod embedding;
mod linear;
mod loss;
mod lstm;
mod norm;
mod pool;

pub use attention::DISTANCES;
pub use combine::Difference;
pub use embedding::WordRows;
pub use linear::{Activation, Linear};
pub use lstm::BiLstm;
pub use norm::LayerNorm;
pub use pool::Pooling;

use acidtest_threads::{Grain, count_here, for_each};

/// Does some work for each row of a matrix, the rows shared out among the threads if there are many numbers.
fn for_rows(data: &mut [f32], columns: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
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
