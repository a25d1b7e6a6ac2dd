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
use std::ops::Range;

/// Applies `work` to parts of a row that sums the rows of a matrix, in parallel if the matrix has many elements. Each sum is computed by one
/// thread, row by row, so it does not depend on the number of threads.
pub(crate) fn for_sums(sums: &mut [f32], rows: usize, work: impl Fn(Range<usize>, &mut [f32]) + Sync) {
    const PARALLEL_FROM: usize = 1 << 17;
    const TOGETHER: usize = 16;
    let (columns, threads) = (sums.len(), count_here());
    if columns * rows < PARALLEL_FROM || threads == 1 {
        return work(0..columns, sums);
    }
    let width = columns.div_ceil(threads).next_multiple_of(TOGETHER);
    let parts: Vec<_> = sums.chunks_mut(width).enumerate().collect();
    for_each(parts, Grain::Single, |(part, sums)| work(part * width..part * width + sums.len(), sums));
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::parameters::{Gradients, Parameters};
    use crate::tape::{Buffers, Tape, TapeMode};
    use acidtest_nli::Seed;
    use acidtest_threads::Threads;
    use std::sync::Arc;

    #[test]
    fn gradients_of_large_batches_are_bit_identical_for_any_number_of_threads() {
        const ROWS: usize = 1100;
        const COLUMNS: usize = 250;
        let mut parameters = Parameters::new(Seed::new(1));
        let norm = LayerNorm::new(&mut parameters, "norm", COLUMNS, 1e-5);
        let layer = Linear::new(&mut parameters, "layer", COLUMNS, COLUMNS, Activation::Gelu);
        let table = parameters.table("table", ROWS, COLUMNS, crate::parameters::ParameterUpdate::Dense);
        let mut rng = Seed::new(2).rng();
        let ids: Arc<Vec<u32>> = Arc::new((0..ROWS).map(|_| rng.below(ROWS) as u32).collect());
        let labels = Arc::new((0..ROWS).map(|row| row % COLUMNS).collect());
        let numbers = (0..ROWS * COLUMNS).map(|_| rng.unit() as f32).collect();
        let input = Matrix::from_vec(ROWS, COLUMNS, numbers);
        let gradients = |count: usize| {
            let mut gradients = Gradients::new(&parameters);
            Threads::new(count.try_into().unwrap()).unwrap().run(|| {
                let mut tape = Tape::new(&parameters, TapeMode::Training(Seed::new(3)), Buffers::default());
                let (input, embedded) = (tape.constant(input.clone()), tape.embed(table, &ids));
                let normal = tape.add_norm(&norm, input, embedded);
                let dropped = tape.dropout(normal, 0.1);
                let logits = tape.linear(&layer, dropped);
                let loss = tape.cross_entropy(logits, &labels);
                tape.backward(loss, &mut gradients);
            });
            gradients.iter().map(|gradient| gradient.numbers().to_vec()).collect::<Vec<_>>()
        };
        let alone = gradients(1);
        assert!(alone.iter().all(|numbers| numbers.iter().any(|&number| number != 0.0)));
        assert!(alone == gradients(2) && alone == gradients(3));
    }
}
