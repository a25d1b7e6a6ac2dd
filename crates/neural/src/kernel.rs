//! The innermost loop of every product: one small tile of the output held in registers.
//!
//! A tile multiplies a few rows of the left matrix, read in place, with one panel of the packed right matrix. This is the one file that
//! works with raw pointers; [`crate::product`] checks the shapes before it comes here.
#![allow(unsafe_code)]

use crate::product::Sum;
use crate::simd::{Level, level};

/// One tile of a product.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    /// How many products are added up for each number of the output.
    pub depth: usize,
    pub left: *const f32,
    pub left_row_stride: usize,
    pub left_column_stride: usize,
    /// A panel: `depth` rows of `width` numbers.
    pub right: *const f32,
    pub width: usize,
    pub output: *mut f32,
    pub output_row_stride: usize,
    pub sum: Sum,
}

/// How many rows of the left matrix one tile takes at most.
pub(crate) fn tile_rows() -> usize {
    match level() {
        Level::Avx512 => 8,
        Level::Avx2 | Level::Portable => 4,
    }
}

/// Computes `rows` rows and all `width` columns of a panel.
///
/// # Safety
/// The strides must stay within the matrices for `rows` rows (at most [`tile_rows`]), `depth` and `width` (16, 32 or 48).
pub(crate) unsafe fn multiply(rows: usize, tile: Tile) {
    // SAFETY: the caller answers for the pointers, `level` for the instructions.
    unsafe {
        match level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512::panel(rows, tile),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2::panel(rows, tile),
            _ => portable::panel(rows, tile),
        }
    }
}

macro_rules! tiles {
    ($name:ident, $(#[$features:meta])?, $lanes:literal, [$($rows:literal)+], $operations:path) => {
        mod $name {
            use super::{Sum, Tile};
            use $operations::*;

            /// Three vectors at a time, then what is left.
            $(#[$features])?
            pub unsafe fn panel(rows: usize, tile: Tile) {
                let mut column = 0;
                while column < tile.width {
                    // SAFETY: `column` stays within the panel.
                    unsafe {
                        let part = Tile { right: tile.right.add(column), output: tile.output.add(column), ..tile };
                        match (tile.width - column) / $lanes {
                            1 => by_rows::<1>(rows, part),
                            2 => by_rows::<2>(rows, part),
                            _ => by_rows::<3>(rows, part),
                        }
                    }
                    column += 3 * $lanes;
                }
            }

            $(#[$features])?
            unsafe fn by_rows<const VECTORS: usize>(rows: usize, tile: Tile) {
                // SAFETY: as for the caller.
                unsafe {
                    match rows {
                        $($rows => accumulate::<$rows, VECTORS>(tile),)+
                        _ => unreachable!("a tile has at most `tile_rows` rows"),
                    }
                }
            }

            $(#[$features])?
            unsafe fn accumulate<const ROWS: usize, const VECTORS: usize>(tile: Tile) {
                // SAFETY: the caller of `multiply` answers for the pointers.
                unsafe {
                    let mut totals = [[zero(); VECTORS]; ROWS];
                    let (mut left, mut right) = (tile.left, tile.right);
                    for _ in 0..tile.depth {
                        let mut across = [zero(); VECTORS];
                        for vector in 0..VECTORS {
                            across[vector] = load(right.add(vector * $lanes));
                        }
                        for row in 0..ROWS {
                            let down = splat(*left.add(row * tile.left_row_stride));
                            for vector in 0..VECTORS {
                                totals[row][vector] = multiply_add(down, across[vector], totals[row][vector]);
                            }
                        }
                        left = left.wrapping_add(tile.left_column_stride);
                        right = right.add(tile.width);
                    }
                    for row in 0..ROWS {
                        for vector in 0..VECTORS {
                            let place = tile.output.add(row * tile.output_row_stride + vector * $lanes);
                            let total = match tile.sum {
                                Sum::Replace => totals[row][vector],
                                Sum::Add => add(load(place), totals[row][vector]),
                            };
                            store(place, total);
                        }
                    }
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
tiles!(avx512, #[target_feature(enable = "avx512f")], 16, [1 2 3 4 5 6 7 8], super::avx512_operations);
#[cfg(target_arch = "x86_64")]
tiles!(avx2, #[target_feature(enable = "avx2,fma")], 8, [1 2 3 4], super::avx2_operations);
tiles!(portable, , 8, [1 2 3 4], super::portable_operations);

#[cfg(target_arch = "x86_64")]
mod avx512_operations {
    pub use std::arch::x86_64::{
        _mm512_add_ps as add, _mm512_fmadd_ps as multiply_add, _mm512_loadu_ps as load, _mm512_set1_ps as splat, _mm512_setzero_ps as zero,
        _mm512_storeu_ps as store,
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2_operations {
    pub use std::arch::x86_64::{
        _mm256_add_ps as add, _mm256_fmadd_ps as multiply_add, _mm256_loadu_ps as load, _mm256_set1_ps as splat, _mm256_setzero_ps as zero,
        _mm256_storeu_ps as store,
    };
}

mod portable_operations {
    type Vector = [f32; 8];

    #[inline(always)]
    pub fn zero() -> Vector {
        [0.0; 8]
    }

    #[inline(always)]
    pub unsafe fn load(place: *const f32) -> Vector {
        // SAFETY: the tile stays within its matrices.
        unsafe { place.cast::<Vector>().read_unaligned() }
    }

    #[inline(always)]
    pub unsafe fn store(place: *mut f32, vector: Vector) {
        // SAFETY: the tile stays within its matrices.
        unsafe { place.cast::<Vector>().write_unaligned(vector) }
    }

    #[inline(always)]
    pub fn splat(number: f32) -> Vector {
        [number; 8]
    }

    #[inline(always)]
    pub fn add(left: Vector, right: Vector) -> Vector {
        std::array::from_fn(|lane| left[lane] + right[lane])
    }

    #[inline(always)]
    pub fn multiply_add(left: Vector, right: Vector, total: Vector) -> Vector {
        std::array::from_fn(|lane| left[lane] * right[lane] + total[lane])
    }
}

/// Runs the portable tile whatever the machine has, for the tests.
#[cfg(test)]
pub(crate) unsafe fn multiply_at(level: Level, rows: usize, tile: Tile) {
    // SAFETY: as for `multiply`; the test asks only for levels that the machine has.
    unsafe {
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512::panel(rows, tile),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2::panel(rows, tile),
            _ => portable::panel(rows, tile),
        }
    }
}
