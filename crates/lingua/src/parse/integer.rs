//! Integer matrix products: 8-bit weights with 16-bit inputs, summed exactly, so the order of the sums and the vector width do not change
//! the result.

/// The number of columns processed together.
const PANEL: usize = 32;

/// The value of one quantisation step of an input.
const STEP: f32 = 1.0 / 4096.0;

/// Larger inputs are clamped, so that a sum of [`MOST_INPUTS`] products fits 32 bits.
const LARGEST: f32 = 7.99;

/// The longest row whose products fit 32 bits when summed.
pub(super) const MOST_INPUTS: usize = 512;

/// An 8-bit matrix with a scale per column, stored in panels of pairs of rows.
#[derive(Debug, Clone)]
pub(super) struct IntegerMatrix {
    /// Pairs of inputs.
    pairs: usize,
    outputs: usize,
    /// For each panel and pair of rows, the two weights of each column next to each other.
    panels: Vec<[i16; 2 * PANEL]>,
    scales: Vec<f32>,
}

impl IntegerMatrix {
    /// Quantises a row-major matrix; each column is rounded to ±127 steps.
    pub(super) fn new(inputs: usize, outputs: usize, numbers: &[f32]) -> IntegerMatrix {
        assert!(inputs <= MOST_INPUTS, "a row of {inputs} inputs is longer than sums can be");
        let mut largest = vec![0f32; outputs];
        for row in numbers.chunks_exact(outputs.max(1)) {
            largest.iter_mut().zip(row).for_each(|(most, number)| *most = most.max(number.abs()));
        }
        let shrink: Vec<f32> = largest.iter().map(|&most| if most > 0.0 { 127.0 / most } else { 0.0 }).collect();
        let pairs = inputs.div_ceil(2);
        let mut panels = vec![[0i16; 2 * PANEL]; outputs.div_ceil(PANEL) * pairs];
        for (row, numbers) in numbers.chunks_exact(outputs.max(1)).enumerate() {
            for (panel, (numbers, shrink)) in numbers.chunks(PANEL).zip(shrink.chunks(PANEL)).enumerate() {
                let to = &mut panels[panel * pairs + row / 2];
                for (column, (number, shrink)) in numbers.iter().zip(shrink).enumerate() {
                    to[2 * column + row % 2] = (number * shrink).round() as i16;
                }
            }
        }
        IntegerMatrix { pairs, outputs, panels, scales: largest.iter().map(|most| most / 127.0 * STEP).collect() }
    }

    /// The number of integers in a row of inputs: padded to an even number.
    pub(super) fn width(&self) -> usize {
        2 * self.pairs
    }

    /// Adds the product of each row of `left` with the matrix to the same row of `sums`.
    pub(super) fn multiply_add(&self, left: &[i16], sums: &mut [f32]) {
        if self.pairs == 0 || self.outputs == 0 {
            return;
        }
        assert_eq!(left.len() / self.width(), sums.len() / self.outputs, "as many rows in as out");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor supports the instructions.
            #[allow(unsafe_code)]
            return unsafe { multiply_avx2(self, left, sums) };
        }
        multiply_plain(self, left, sums);
    }

    /// Scales the integer sums of a row with a panel and adds them to `sums`.
    #[inline(always)]
    fn add(&self, panel: usize, row: usize, chain: &[i32; PANEL], sums: &mut [f32]) {
        let first = panel * PANEL;
        let width = PANEL.min(self.outputs - first);
        let to = &mut sums[row * self.outputs + first..][..width];
        for ((sum, &number), &scale) in to.iter_mut().zip(chain).zip(&self.scales[first..first + width]) {
            *sum += number as f32 * scale;
        }
    }
}

/// Quantises an input.
#[inline(always)]
pub(super) fn to_steps(number: f32) -> i16 {
    // The offset makes truncation round to nearest for negative numbers too.
    ((number.clamp(-LARGEST, LARGEST) / STEP + 65536.5) as i32 - 65536) as i16
}

/// Sixteen products at a time, for three rows at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn multiply_avx2(matrix: &IntegerMatrix, left: &[i16], sums: &mut [f32]) {
    let width = matrix.width();
    for (panel, weights) in matrix.panels.chunks_exact(matrix.pairs).enumerate() {
        let mut row = 0;
        let mut blocks = left.chunks_exact(3 * width);
        for rows in &mut blocks {
            for chain in &chains::<3>(weights, rows) {
                matrix.add(panel, row, chain, sums);
                row += 1;
            }
        }
        for rows in blocks.remainder().chunks_exact(width) {
            matrix.add(panel, row, &chains::<1>(weights, rows)[0], sums);
            row += 1;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
#[allow(clippy::needless_range_loop)] // rows and parts are indexed crosswise
fn chains<const ROWS: usize>(weights: &[[i16; 2 * PANEL]], left: &[i16]) -> [[i32; PANEL]; ROWS] {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
    };
    let width = 2 * weights.len();
    assert!(left.len() >= ROWS * width);
    let mut sums = [[_mm256_setzero_si256(); 4]; ROWS];
    for (step, weights) in weights.iter().enumerate() {
        let mut numbers = [_mm256_setzero_si256(); ROWS];
        for (row, number) in numbers.iter_mut().enumerate() {
            // SAFETY: there are `ROWS` rows of `width` numbers, as checked, and at least two remain at each step.
            #[allow(unsafe_code)]
            let pair = unsafe { left.as_ptr().add(row * width + 2 * step).cast::<i32>().read_unaligned() };
            *number = _mm256_set1_epi32(pair);
        }
        for part in 0..4 {
            // SAFETY: the pairs of 32 columns are four times sixteen numbers.
            #[allow(unsafe_code)]
            let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().add(16 * part).cast::<__m256i>()) };
            for row in 0..ROWS {
                sums[row][part] = _mm256_add_epi32(sums[row][part], _mm256_madd_epi16(numbers[row], weights));
            }
        }
    }
    let mut chains = [[0; PANEL]; ROWS];
    for (chain, sums) in chains.iter_mut().zip(sums) {
        for (to, sum) in chain.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
            // SAFETY: the target has room for eight numbers.
            #[allow(unsafe_code)]
            unsafe {
                _mm256_storeu_si256(to.as_mut_ptr().cast::<__m256i>(), sum)
            };
        }
    }
    chains
}

/// The same sums without special instructions.
fn multiply_plain(matrix: &IntegerMatrix, left: &[i16], sums: &mut [f32]) {
    for (panel, weights) in matrix.panels.chunks_exact(matrix.pairs).enumerate() {
        for (row, numbers) in left.chunks_exact(matrix.width()).enumerate() {
            let mut chain = [0; PANEL];
            for (weights, pair) in weights.iter().zip(numbers.as_chunks::<2>().0) {
                for (sum, weights) in chain.iter_mut().zip(weights.as_chunks::<2>().0) {
                    *sum += i32::from(pair[0]) * i32::from(weights[0]) + i32::from(pair[1]) * i32::from(weights[1]);
                }
            }
            matrix.add(panel, row, &chain, sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_close_for_every_size() {
        for (rows, inputs, outputs) in [(1, 1, 1), (2, 3, 5), (9, 7, 33), (17, 40, 64), (4, 2, 100)] {
            let left: Vec<f32> = (0..rows * inputs).map(|at| (at % 7) as f32 / 4.0 - 0.7).collect();
            let right: Vec<f32> = (0..inputs * outputs).map(|at| (at % 5) as f32 - 2.0).collect();
            let matrix = IntegerMatrix::new(inputs, outputs, &right);
            let mut steps = vec![0; rows * matrix.width()];
            for (to, from) in steps.chunks_exact_mut(matrix.width()).zip(left.chunks_exact(inputs)) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = to_steps(*from));
            }
            let mut sums = vec![1.0; rows * outputs];
            matrix.multiply_add(&steps, &mut sums);
            for row in 0..rows {
                for column in 0..outputs {
                    let expected: f32 = (0..inputs).map(|at| left[row * inputs + at] * right[at * outputs + column]).sum();
                    let found = sums[row * outputs + column];
                    assert!((found - 1.0 - expected).abs() < 0.02 * inputs as f32, "{rows} {inputs} {outputs}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn results_are_bit_identical_for_every_vector_width() {
        let matrix = IntegerMatrix::new(51, 70, &(0..51 * 70).map(|at| ((at * 7919) % 1000) as f32 / 317.0 - 1.5).collect::<Vec<_>>());
        let left: Vec<i16> = (0..11 * matrix.width()).map(|at| ((at * 104_729) % 65_000) as i32 as u16 as i16 / 2).collect();
        let (mut fast, mut plain) = (vec![0.0; 11 * 70], vec![0.0; 11 * 70]);
        matrix.multiply_add(&left, &mut fast);
        multiply_plain(&matrix, &left, &mut plain);
        assert_eq!(fast, plain);
    }

    #[test]
    fn inputs_are_rounded_and_clamped() {
        assert_eq!([to_steps(0.0), to_steps(1.0), to_steps(-1.0)], [0, 4096, -4096]);
        assert_eq!([to_steps(0.6 / 4096.0), to_steps(-0.6 / 4096.0), to_steps(0.4 / 4096.0)], [1, -1, 0]);
        assert_eq!(to_steps(100.0), to_steps(8.0));
        assert!(i64::from(to_steps(100.0)) * 127 * (MOST_INPUTS as i64) < i64::from(i32::MAX));
    }
}
