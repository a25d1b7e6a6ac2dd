//! Matrix products and activation functions, bit-identical on every machine.
//!
//! Each output is one chain of fused multiply-adds in a fixed order. Vector lanes hold separate chains, so the vector width affects only
//! the speed. The result of a fused multiply-add is exactly defined, even where it has to be emulated in software.

use super::integer::to_steps;

/// The number of columns processed together.
const PANEL: usize = 32;

/// A matrix with its columns packed in panels.
#[derive(Debug, Clone)]
pub struct PackedMatrix {
    inputs: usize,
    outputs: usize,
    panels: Vec<f32>,
}

impl PackedMatrix {
    /// Packs a row-major matrix of `inputs` rows and `outputs` columns.
    pub fn new(inputs: usize, outputs: usize, numbers: &[f32]) -> PackedMatrix {
        let count = outputs.div_ceil(PANEL);
        let mut panels = vec![0.0; count * inputs * PANEL];
        for (panel, to) in panels.chunks_exact_mut((inputs * PANEL).max(1)).enumerate() {
            let (first, width) = (panel * PANEL, PANEL.min(outputs - panel * PANEL));
            for (to, row) in to.chunks_exact_mut(PANEL).zip(numbers.chunks_exact(outputs)) {
                to[..width].copy_from_slice(&row[first..first + width]);
            }
        }
        PackedMatrix { inputs, outputs, panels }
    }

    /// Packs the transpose of a row-major matrix of `outputs` rows and `inputs` columns.
    pub fn transposed(inputs: usize, outputs: usize, numbers: &[f32]) -> PackedMatrix {
        let count = outputs.div_ceil(PANEL);
        let mut panels = vec![0.0; count * inputs * PANEL];
        for panel in 0..count {
            let columns = panel * PANEL..outputs.min((panel + 1) * PANEL);
            for row in 0..inputs {
                let to = &mut panels[(panel * inputs + row) * PANEL..][..PANEL];
                for column in columns.clone() {
                    to[column - columns.start] = numbers[column * inputs + row];
                }
            }
        }
        PackedMatrix { inputs, outputs, panels }
    }

    /// The length of an input row.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The length of an output row.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Adds the product of each row of `left` with the matrix to the same row of `sums`.
    pub fn multiply_add(&self, left: &[f32], sums: &mut [f32]) {
        if self.inputs == 0 || self.outputs == 0 {
            return;
        }
        assert_eq!(left.len() / self.inputs, sums.len() / self.outputs, "as many rows in as out");
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor supports the instructions.
                #[allow(unsafe_code)]
                return unsafe { multiply_avx512(self, left, sums) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor supports the instructions.
                #[allow(unsafe_code)]
                return unsafe { multiply_avx2(self, left, sums) };
            }
        }
        multiply_plain(self, left, sums);
    }

    /// Iterates over panels and blocks of rows; the three functions compute the product of many rows, a few, or one row with a panel.
    #[inline(always)]
    fn for_blocks<const MANY: usize, const FEW: usize>(
        &self,
        left: &[f32],
        sums: &mut [f32],
        many: impl Fn(&[f32], &[f32], usize) -> [[f32; PANEL]; MANY],
        few: impl Fn(&[f32], &[f32], usize) -> [[f32; PANEL]; FEW],
        single: impl Fn(&[f32], &[f32], usize) -> [[f32; PANEL]; 1],
    ) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        for (number, panel) in self.panels.chunks_exact(inputs * PANEL).enumerate() {
            let first = number * PANEL;
            let width = PANEL.min(outputs - first);
            let mut add = |row: usize, chain: &[f32; PANEL]| {
                let to = &mut sums[row * outputs + first..][..width];
                to.iter_mut().zip(chain).for_each(|(sum, number)| *sum += number);
            };
            let mut row = 0;
            let mut blocks = left.chunks_exact(inputs * MANY);
            for rows in &mut blocks {
                for chain in &many(panel, rows, inputs) {
                    add(row, chain);
                    row += 1;
                }
            }
            let mut blocks = blocks.remainder().chunks_exact(inputs * FEW);
            for rows in &mut blocks {
                for chain in &few(panel, rows, inputs) {
                    add(row, chain);
                    row += 1;
                }
            }
            for rows in blocks.remainder().chunks_exact(inputs) {
                add(row, &single(panel, rows, inputs)[0]);
                row += 1;
            }
        }
    }
}

/// 16-lane vectors, eight rows at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn multiply_avx512(matrix: &PackedMatrix, left: &[f32], sums: &mut [f32]) {
    use std::arch::x86_64::{_mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps};

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn chains<const ROWS: usize>(panel: &[f32], left: &[f32], inputs: usize) -> [[f32; PANEL]; ROWS] {
        let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
        for (step, weights) in panel.as_chunks::<PANEL>().0.iter().enumerate() {
            let (low, high) = weights.split_at(16);
            // SAFETY: both halves are sixteen numbers long.
            #[allow(unsafe_code)]
            let (low, high) = unsafe { (_mm512_loadu_ps(low.as_ptr()), _mm512_loadu_ps(high.as_ptr())) };
            for row in 0..ROWS {
                let number = _mm512_set1_ps(left[row * inputs + step]);
                sums[row] = [_mm512_fmadd_ps(number, low, sums[row][0]), _mm512_fmadd_ps(number, high, sums[row][1])];
            }
        }
        let mut chains = [[0.0; PANEL]; ROWS];
        for (chain, [low, high]) in chains.iter_mut().zip(sums) {
            let (to_low, to_high) = chain.split_at_mut(16);
            // SAFETY: both halves are sixteen numbers long.
            #[allow(unsafe_code)]
            unsafe {
                _mm512_storeu_ps(to_low.as_mut_ptr(), low);
                _mm512_storeu_ps(to_high.as_mut_ptr(), high);
            }
        }
        chains
    }

    matrix.for_blocks::<8, 3>(
        left,
        sums,
        |panel, left, inputs| chains::<8>(panel, left, inputs),
        |panel, left, inputs| chains::<3>(panel, left, inputs),
        |panel, left, inputs| chains::<1>(panel, left, inputs),
    );
}

/// 8-lane vectors, three rows at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_avx2(matrix: &PackedMatrix, left: &[f32], sums: &mut [f32]) {
    use std::arch::x86_64::{_mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps};

    // No closures here: one passed to a standard library function would be compiled without the instructions.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    #[allow(clippy::needless_range_loop)] // rows and parts are indexed crosswise
    fn chains<const ROWS: usize>(panel: &[f32], left: &[f32], inputs: usize) -> [[f32; PANEL]; ROWS] {
        let mut sums = [[_mm256_setzero_ps(); 4]; ROWS];
        assert!(left.len() >= ROWS * inputs && panel.len() >= inputs * PANEL);
        for step in 0..inputs {
            let mut numbers = [_mm256_setzero_ps(); ROWS];
            for (row, number) in numbers.iter_mut().enumerate() {
                // SAFETY: there are `ROWS` rows of `inputs` numbers, as checked.
                #[allow(unsafe_code)]
                let value = unsafe { *left.get_unchecked(row * inputs + step) };
                *number = _mm256_set1_ps(value);
            }
            for part in 0..4 {
                // SAFETY: the panel has `PANEL` numbers, four times eight, per step, as checked.
                #[allow(unsafe_code)]
                let weights = unsafe { _mm256_loadu_ps(panel.as_ptr().add(step * PANEL + part * 8)) };
                for row in 0..ROWS {
                    sums[row][part] = _mm256_fmadd_ps(numbers[row], weights, sums[row][part]);
                }
            }
        }
        let mut chains = [[0.0; PANEL]; ROWS];
        for (chain, sums) in chains.iter_mut().zip(sums) {
            for (to, sum) in chain.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
                // SAFETY: the target has room for eight numbers.
                #[allow(unsafe_code)]
                unsafe {
                    _mm256_storeu_ps(to.as_mut_ptr(), sum)
                };
            }
        }
        chains
    }

    matrix.for_blocks::<3, 2>(
        left,
        sums,
        |panel, left, inputs| chains::<3>(panel, left, inputs),
        |panel, left, inputs| chains::<2>(panel, left, inputs),
        |panel, left, inputs| chains::<1>(panel, left, inputs),
    );
}

/// The same sums without special instructions.
fn multiply_plain(matrix: &PackedMatrix, left: &[f32], sums: &mut [f32]) {
    fn chain(panel: &[f32], left: &[f32], _inputs: usize) -> [[f32; PANEL]; 1] {
        let mut chain = [0f32; PANEL];
        for (weights, &number) in panel.as_chunks::<PANEL>().0.iter().zip(left) {
            for (sum, &weight) in chain.iter_mut().zip(weights) {
                *sum = number.mul_add(weight, *sum);
            }
        }
        [chain]
    }
    matrix.for_blocks::<1, 1>(left, sums, chain, chain, chain);
}

/// One LSTM step for a row: the gates are input, forget, candidate and output, concatenated. The states are quantised for the next
/// product.
pub fn lstm_step(gates: &[f32], cells: &mut [f32], states: &mut [i16]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor supports the instructions.
        #[allow(unsafe_code)]
        return unsafe { lstm_step_avx2(gates, cells, states) };
    }
    lstm_step_plain(gates, cells, states);
}

/// The same step, compiled for wider vectors; products and sums are not fused, so the results are bit-identical.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lstm_step_avx2(gates: &[f32], cells: &mut [f32], states: &mut [i16]) {
    lstm_step_plain(gates, cells, states);
}

#[inline(always)]
fn lstm_step_plain(gates: &[f32], cells: &mut [f32], states: &mut [i16]) {
    let hidden = cells.len();
    let (input, rest) = gates.split_at(hidden);
    let (forget, rest) = rest.split_at(hidden);
    let (candidate, output) = rest.split_at(hidden);
    let gates = input.iter().zip(forget).zip(candidate.iter().zip(output));
    for (((&input, &forget), (&candidate, &output)), (cell, state)) in gates.zip(cells.iter_mut().zip(states)) {
        *cell = sigmoid(forget) * *cell + sigmoid(input) * tanh(candidate);
        *state = to_steps(sigmoid(output) * tanh(*cell));
    }
}

/// The logistic function, by a polynomial that is identical on every machine.
#[inline(always)]
pub fn sigmoid(number: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * number)
}

/// The hyperbolic tangent by its continued fraction, accurate to four digits.
#[inline(always)]
pub fn tanh(number: f32) -> f32 {
    let x = number.clamp(-4.97, 4.97);
    let square = x * x;
    let above = x * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    (above / below).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_right_for_every_size() {
        for (rows, inputs, outputs) in [(1, 1, 1), (2, 3, 5), (9, 7, 33), (17, 40, 64), (3, 2, 100)] {
            let left: Vec<f32> = (0..rows * inputs).map(|at| (at % 7) as f32 - 3.0).collect();
            let right: Vec<f32> = (0..inputs * outputs).map(|at| (at % 5) as f32 - 2.0).collect();
            let mut sums = vec![1.0; rows * outputs];
            PackedMatrix::new(inputs, outputs, &right).multiply_add(&left, &mut sums);
            for row in 0..rows {
                for column in 0..outputs {
                    let expected: f32 = (0..inputs).map(|at| left[row * inputs + at] * right[at * outputs + column]).sum();
                    assert_eq!(sums[row * outputs + column], 1.0 + expected, "{rows} {inputs} {outputs}");
                }
            }
        }
    }

    #[test]
    fn results_are_bit_identical_for_every_vector_width() {
        let number = |at: usize| ((at * 7919) % 1000) as f32 / 317.0 - 1.5;
        let left: Vec<f32> = (0..11 * 50).map(number).collect();
        let matrix = PackedMatrix::new(50, 70, &(0..50 * 70).map(number).collect::<Vec<_>>());
        let (mut fast, mut plain) = (vec![0.0; 11 * 70], vec![0.0; 11 * 70]);
        matrix.multiply_add(&left, &mut fast);
        multiply_plain(&matrix, &left, &mut plain);
        assert_eq!(fast, plain);
    }

    #[test]
    fn a_step_is_the_same_for_every_vector_width() {
        let gates: Vec<f32> = (0..4 * 21).map(|at| (at % 13) as f32 / 3.0 - 2.0).collect();
        let (mut cells, mut states) = (vec![0.3; 21], vec![0; 21]);
        let (mut plain_cells, mut plain_states) = (cells.clone(), states.clone());
        lstm_step(&gates, &mut cells, &mut states);
        lstm_step_plain(&gates, &mut plain_cells, &mut plain_states);
        assert_eq!((cells, states), (plain_cells, plain_states));
    }

    #[test]
    fn the_approximations_are_close() {
        for step in -1000..=1000 {
            let x = step as f32 / 100.0;
            assert!((tanh(x) - x.tanh()).abs() < 2e-4, "tanh {x}: {} {}", tanh(x), x.tanh());
        }
    }
}
