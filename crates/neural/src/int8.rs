//! Products of 8-bit integers, by the instruction `vpdpbusd`.
//!
//! Each row of the left matrix (a token) is divided by one scale, 1/127 of its largest absolute value, and rounded to the nearest whole
//! number, ties to the even one; so is each column of the right matrix (an output of a layer). Sums are exact, so they have the same bits in
//! any order, and each is multiplied by both scales at the end. Four numbers share the place of an f32: a product is one in f32 of a quarter
//! of the depth, computed by another [kernel](Kernel::Int8). The instruction multiplies numbers without a sign by numbers with one, so 128 is
//! added to those of the left matrix, and what this adds to a sum is subtracted again.

use crate::kernel::Kernel;
use crate::matrix::{MatrixView, MatrixViewMut};
use crate::product::{Packed, Sum, product_by};
use crate::simd::vectorised;
use std::cell::RefCell;

/// Says that this machine multiplies 8-bit integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int8(());

/// The largest whole number.
const LARGEST: f32 = 127.0;
/// What is added to the whole numbers of the left matrix.
const SHIFT: i32 = 128;

/// What is known of each column of a right matrix.
#[derive(Debug, Default)]
pub(crate) struct ColumnScales {
    scales: Vec<f32>,
    /// [`SHIFT`] times the sum of the whole numbers.
    shifts: Vec<i32>,
}

impl Int8 {
    /// The name of the kernel, for reports.
    pub(crate) const NAME: &'static str = "AVX-512 vpdpbusd";

    /// Whether this processor has `vpdpbusd` for vectors of 512 bits: four times the operations of f32.
    pub(crate) fn supported() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
            return has.then_some(Int8(()));
        }
        #[allow(unreachable_code)]
        None
    }

    /// Packs the right matrix of products, in parallel if it is large. Its columns must be contiguous in memory, such as those of a
    /// transposed weight.
    pub(crate) fn pack(self, matrix: MatrixView<'_>, to: &mut Packed) {
        let columns = matrix.transposed();
        let width = columns.columns.div_ceil(4);
        let mut fours = vec![0.0; columns.rows * width];
        let mut known = ColumnScales::default();
        for row in 0..columns.rows {
            let numbers = row_of(&columns, row);
            let scale = scale_of(numbers);
            let whole: Vec<i8> = numbers.iter().map(|&number| rounded(number, inverse(scale)) as i8).collect();
            for (four, to) in whole.chunks(4).zip(&mut fours[row * width..]) {
                *to = place_of(four.iter().map(|&number| number as u8));
            }
            known.scales.push(scale);
            known.shifts.push(SHIFT * whole.iter().map(|&number| i32::from(number)).sum::<i32>());
        }
        to.fill_for(Kernel::Int8(self), MatrixView::new(&fours, columns.rows, width).transposed());
        to.columns_known = known;
    }

    /// `left` times `right`, on this thread; the rows of `left` must be contiguous.
    pub(crate) fn product(self, left: MatrixView<'_>, right: &Packed, mut output: MatrixViewMut<'_>) {
        let width = left.columns.div_ceil(4);
        FOURS.with_borrow_mut(|fours| {
            fours.resize(left.rows * width, 0.0);
            let scales: Vec<f32> = (0..left.rows)
                .map(|row| {
                    let numbers = row_of(&left, row);
                    let scale = scale_of(numbers);
                    self.round_row(numbers, inverse(scale), &mut fours[row * width..(row + 1) * width]);
                    scale
                })
                .collect();
            let rows = output.rows;
            let whole = output.rows(0..rows);
            product_by(Kernel::Int8(self), MatrixView::new(fours, left.rows, width), right, 0..right.columns(), whole, Sum::Replace);
            let ColumnScales { scales: across, shifts } = &right.columns_known;
            scales.iter().enumerate().for_each(|(row, &scale)| sums_to_numbers(output.row(row), scale, across, shifts));
        });
    }

    /// Rounds a row of the left matrix; each place gets four numbers.
    fn round_row(self, from: &[f32], inverse: f32, to: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: whoever has an `Int8` has the instructions.
        #[allow(unsafe_code)]
        let done = unsafe { round_blocks(from, inverse, to) };
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        for (four, to) in from[4 * done..].chunks(4).zip(&mut to[done..]) {
            *to = place_of(four.iter().map(|&number| (rounded(number, inverse) + SHIFT) as u8));
        }
    }
}

fn row_of<'a>(matrix: &MatrixView<'a>, row: usize) -> &'a [f32] {
    assert!(matrix.column_stride == 1 || matrix.columns <= 1, "rows are contiguous");
    if matrix.columns == 0 { &[] } else { &matrix.data[row * matrix.row_stride..][..matrix.columns] }
}

/// Four bytes in the place of an f32.
fn place_of(bytes: impl Iterator<Item = u8>) -> f32 {
    f32::from_bits(bytes.enumerate().fold(0, |bits, (place, byte)| bits | u32::from(byte) << (8 * place)))
}

/// The scale of these numbers: NaN if one is.
fn scale_of(numbers: &[f32]) -> f32 {
    f32::from_bits(largest_bits(numbers)) / LARGEST
}

/// What numbers are multiplied by: nothing if all are zero or too small to be divided by.
fn inverse(scale: f32) -> f32 {
    if scale < f32::MIN_POSITIVE { 0.0 } else { 1.0 / scale }
}

/// The nearest whole number from -128 to 127; NaN becomes some number, but its scale is NaN too.
fn rounded(number: f32, inverse: f32) -> i32 {
    ((number * inverse).round_ties_even() as i32).clamp(-SHIFT, SHIFT - 1)
}

vectorised! {
    /// The bits of the largest absolute value; those of NaN are above all others.
    fn largest_bits(numbers: &[f32]) -> u32 {
        numbers.iter().fold(0, |largest, number| largest.max(number.to_bits() & 0x7FFF_FFFF))
    }
}

vectorised! {
    /// Converts sums of whole numbers, whose bits are in the places of f32 numbers.
    fn sums_to_numbers(row: &mut [f32], scale: f32, scales: &[f32], shifts: &[i32]) {
        for ((number, own), shift) in row.iter_mut().zip(scales).zip(shifts) {
            *number = (number.to_bits() as i32 - shift) as f32 * (scale * own);
        }
    }
}

/// Rounds blocks of 16 numbers; returns how many places are done.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn round_blocks(from: &[f32], inverse: f32, to: &mut [f32]) -> usize {
    use std::arch::x86_64::*;
    let (inverse, shift) = (_mm512_set1_ps(inverse), _mm512_set1_epi32(SHIFT));
    let (low, high) = (_mm512_setzero_si512(), _mm512_set1_epi32(2 * SHIFT - 1));
    for (from, to) in from.as_chunks::<16>().0.iter().zip(to.as_chunks_mut::<4>().0) {
        // SAFETY: both blocks are as long as what is read and written.
        #[allow(unsafe_code)]
        unsafe {
            let scaled = _mm512_mul_ps(_mm512_loadu_ps(from.as_ptr()), inverse);
            // Conversion rounds to the nearest number, ties to the even one.
            let whole = _mm512_add_epi32(_mm512_cvtps_epi32(scaled), shift);
            let bytes = _mm512_cvtepi32_epi8(_mm512_min_epi32(_mm512_max_epi32(whole, low), high));
            _mm_storeu_si128(to.as_mut_ptr().cast(), bytes);
        }
    }
    from.len() / 16 * 4
}

thread_local! {
    static FOURS: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    fn rough(rows: usize, columns: usize) -> Matrix {
        Matrix::from_vec(rows, columns, (0..rows * columns).map(|index| (index as f32 * 0.37).sin() * (1 + index % 7) as f32).collect())
    }

    fn product(int8: Int8, left: MatrixView<'_>, right: &Matrix) -> Matrix {
        let (mut packed, mut output) = (Packed::default(), Matrix::zeros(left.rows, right.rows));
        int8.pack(right.view().transposed(), &mut packed);
        int8.product(left, &packed, output.view_mut());
        output
    }

    #[test]
    fn a_product_is_that_of_the_rounded_factors_to_the_last_bit() {
        let Some(int8) = Int8::supported() else { return };
        for (rows, depth, columns) in [(1, 1, 1), (3, 2, 5), (9, 17, 49), (13, 801, 33), (300, 64, 96), (5, 3100, 50), (2, 0, 3)] {
            let (left, right) = (rough(rows, depth), rough(columns, depth));
            let output = product(int8, left.view(), &right);
            let whole = |row: &[f32]| -> Vec<i32> { row.iter().map(|&number| rounded(number, inverse(scale_of(row)))).collect() };
            for row in 0..rows {
                for column in 0..columns {
                    let (one, other) = (left.row(row), right.row(column));
                    let sum: i32 = whole(one).iter().zip(whole(other)).map(|(one, other)| one * other).sum();
                    let expected = sum as f32 * (scale_of(one) * scale_of(other));
                    assert_eq!(output.row(row)[column], expected, "{rows}x{depth}x{columns}: {row}, {column}");
                }
            }
        }
    }

    #[test]
    fn a_row_has_the_same_bits_alone_and_among_others() {
        let Some(int8) = Int8::supported() else { return };
        let (left, right) = (rough(121, 515), rough(130, 515));
        let whole = product(int8, left.view(), &right);
        for row in [0, 7, 120] {
            assert_eq!(product(int8, left.view().rows(row..row + 1), &right).data, whole.row(row));
        }
    }

    #[test]
    fn zeros_stay_zero_and_what_is_not_a_number_stays_so() {
        let Some(int8) = Int8::supported() else { return };
        let mut left = rough(4, 40);
        left.row_mut(0).fill(0.0);
        left.row_mut(1)[33] = f32::NAN;
        left.row_mut(2).fill(1e-42);
        let output = product(int8, left.view(), &rough(3, 40));
        assert_eq!(output.row(0), [0.0; 3]);
        assert!(output.row(1).iter().all(|number| number.is_nan()));
        assert!(output.row(2).iter().all(|number| number.abs() < 1e-30) && output.row(3).iter().all(|number| number.is_finite()));
    }
}
