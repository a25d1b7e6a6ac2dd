//! Products in bfloat16 with sums in f32, by the instruction `vdpbf16ps`.
//!
//! Both factors are rounded to bfloat16: to the nearest number, ties to the even one, and denormal numbers to zero. Two numbers share the
//! place of an f32, so a matrix product in bfloat16 is one in f32 of half the depth, computed by another [kernel](Kernel::Bf16) in the same
//! blocks. The instruction adds the two products of a place to the sum in its own way and treats denormal results as zero, so the bits of a
//! sum are those of the processor; they do not depend on threads or on other rows.

use crate::kernel::Kernel;
use crate::matrix::{MatrixView, MatrixViewMut};
use crate::product::{Packed, Sum, product_by};
use std::cell::RefCell;

/// Says that this machine multiplies in bfloat16, and that it is faster than f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bf16(());

impl Bf16 {
    /// The name of the kernel, for reports.
    pub(crate) const NAME: &'static str = "AVX-512 vdpbf16ps";

    /// Whether this processor has `vdpbf16ps` and is of a kind on which it does twice the operations of f32: those of AMD (measured on Zen
    /// 4 and Zen 5). On those of Intel it does half of them.
    pub(crate) fn supported() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16");
            return (has && is_amd()).then_some(Bf16(()));
        }
        #[allow(unreachable_code)]
        None
    }

    /// Packs the right matrix of products, in parallel if it is large. Its columns must be contiguous in memory, such as those of a
    /// transposed weight.
    pub(crate) fn pack(self, matrix: MatrixView<'_>, to: &mut Packed) {
        let columns = matrix.transposed();
        let mut pairs = Vec::new();
        self.round_rows(columns, &mut pairs);
        let view = MatrixView::new(&pairs, columns.rows, columns.columns.div_ceil(2));
        to.fill_for(Kernel::Bf16(self), view.transposed());
    }

    /// `left` times `right`, on this thread; the rows of `left` must be contiguous.
    pub(crate) fn product(self, left: MatrixView<'_>, right: &Packed, output: MatrixViewMut<'_>) {
        PAIRS.with_borrow_mut(|pairs| {
            self.round_rows(left, pairs);
            let left = MatrixView::new(pairs, left.rows, left.columns.div_ceil(2));
            product_by(Kernel::Bf16(self), left, right, 0..right.columns(), output, Sum::Replace);
        });
    }

    /// Rounds contiguous rows; each result row has a place for every two numbers, and a zero after an odd one.
    fn round_rows(self, from: MatrixView<'_>, to: &mut Vec<f32>) {
        assert!(from.column_stride == 1 || from.columns <= 1, "rows are contiguous");
        let width = from.columns.div_ceil(2);
        if to.len() < from.rows * width {
            to.resize(from.rows * width, 0.0);
        }
        if width == 0 {
            return;
        }
        for (row, to) in to.chunks_exact_mut(width).take(from.rows).enumerate() {
            let from = &from.data[row * from.row_stride..][..from.columns];
            let done = self.round_blocks(from, to);
            for (pair, to) in from[2 * done..].chunks(2).zip(&mut to[done..]) {
                *to = f32::from_bits(u32::from(rounded(pair[0])) | u32::from(rounded(*pair.get(1).unwrap_or(&0.0))) << 16);
            }
        }
    }

    /// Rounds as many numbers as whole vectors hold; returns how many places are done.
    fn round_blocks(self, from: &[f32], to: &mut [f32]) -> usize {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: whoever has a `Bf16` has the instructions.
        #[allow(unsafe_code)]
        let done = unsafe { convert(from, to) };
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        done
    }
}

/// Rounds blocks of 32 numbers; returns how many places are done.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bf16")]
fn convert(from: &[f32], to: &mut [f32]) -> usize {
    use std::arch::x86_64::{__m512, __m512bh, _mm512_cvtne2ps_pbh, _mm512_loadu_ps, _mm512_storeu_ps};
    for (from, to) in from.as_chunks::<32>().0.iter().zip(to.as_chunks_mut::<16>().0) {
        // SAFETY: both blocks are as long as what is read and written, and both vector types are 512 bits without a meaning of their own.
        #[allow(unsafe_code)]
        unsafe {
            let (first, second) = (_mm512_loadu_ps(from.as_ptr()), _mm512_loadu_ps(from.as_ptr().add(16)));
            _mm512_storeu_ps(to.as_mut_ptr(), std::mem::transmute::<__m512bh, __m512>(_mm512_cvtne2ps_pbh(second, first)));
        }
    }
    from.len() / 32 * 16
}

thread_local! {
    static PAIRS: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// The nearest bfloat16 number, as the instruction `vcvtneps2bf16` rounds: ties to even, denormal numbers to zero.
fn rounded(number: f32) -> u16 {
    let bits = number.to_bits();
    let high = (bits >> 16) as u16;
    if number.is_nan() {
        return high | 0x40;
    }
    if bits & 0x7F80_0000 == 0 {
        return high & 0x8000;
    }
    ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16) as u16
}

/// Whether the processor is one of AMD.
#[cfg(target_arch = "x86_64")]
fn is_amd() -> bool {
    // The instruction is safe where it exists, which is on every 64-bit processor; older compilers do not know.
    #[allow(unsafe_code, unused_unsafe)]
    let leaf = unsafe { std::arch::x86_64::__cpuid(0) };
    [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).concat() == b"AuthenticAMD"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    fn widened(half: u16) -> f32 {
        f32::from_bits(u32::from(half) << 16)
    }

    fn rough(rows: usize, columns: usize) -> Matrix {
        Matrix::from_vec(rows, columns, (0..rows * columns).map(|index| (index as f32 * 0.37).sin()).collect())
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest_and_ties_to_even() {
        let cases = [(1.0, 1.0), (1.003_906_3, 1.0), (1.011_718_8, 1.015_625), (-1.004, -1.007_812_5), (0.0, 0.0), (1e-39, 0.0)];
        for (number, expected) in cases {
            assert_eq!(widened(rounded(number)), expected, "{number}");
        }
        assert_eq!(widened(rounded(f32::MAX)), f32::INFINITY);
        assert!(widened(rounded(f32::NAN)).is_nan());
        assert_eq!(rounded(-0.0), 0x8000);
    }

    #[test]
    fn the_instruction_rounds_like_the_formula() {
        let Some(bf16) = Bf16::supported() else { return };
        let numbers: Vec<f32> = (0..1 << 16).map(|index: u32| f32::from_bits(index.wrapping_mul(0x9E37_79B1))).collect();
        let mut pairs = Vec::new();
        bf16.round_rows(MatrixView::new(&numbers, 1, numbers.len()), &mut pairs);
        for (numbers, pair) in numbers.chunks(2).zip(&pairs) {
            let expected = u32::from(rounded(numbers[0])) | u32::from(rounded(numbers[1])) << 16;
            assert_eq!(pair.to_bits(), expected, "{numbers:?}");
        }
    }

    #[test]
    fn a_product_is_that_of_the_rounded_factors() {
        let Some(bf16) = Bf16::supported() else { return };
        for (rows, depth, columns) in [(1, 1, 1), (3, 2, 5), (9, 17, 49), (13, 801, 33), (300, 64, 96), (2, 0, 3)] {
            let (left, right) = (rough(rows, depth), rough(columns, depth));
            let mut packed = Packed::default();
            bf16.pack(right.view().transposed(), &mut packed);
            let mut output = Matrix::from_vec(rows, columns, vec![7.0; rows * columns]);
            bf16.product(left.view(), &packed, output.view_mut());
            let value = |matrix: &Matrix, row: usize, place: usize| f64::from(widened(rounded(matrix.row(row)[place])));
            for row in 0..rows {
                for column in 0..columns {
                    let expected: f64 = (0..depth).map(|place| value(&left, row, place) * value(&right, column, place)).sum();
                    let found = f64::from(output.row(row)[column]);
                    assert!(
                        (found - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                        "{rows}x{depth}x{columns}: {found} is not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_row_has_the_same_bits_alone_and_among_others() {
        let Some(bf16) = Bf16::supported() else { return };
        let (left, right) = (rough(421, 515), rough(130, 515));
        let mut packed = Packed::default();
        bf16.pack(right.view().transposed(), &mut packed);
        let product = |left: MatrixView<'_>| {
            let mut output = Matrix::zeros(left.rows, 130);
            bf16.product(left, &packed, output.view_mut());
            output
        };
        let whole = product(left.view());
        for row in [0, 7, 127, 128, 420] {
            assert_eq!(product(left.view().rows(row..row + 1)).data, whole.row(row));
        }
    }
}
