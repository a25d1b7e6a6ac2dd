//! The innermost loop of every product: one small tile of the output held in registers.
//!
//! A tile multiplies a few rows of the left matrix, read in place, with one panel of the packed right matrix. Only this file works with
//! raw pointers; [`crate::product`] checks the shapes first.
#![allow(unsafe_code)]

use crate::bf16::Bf16;
use crate::int8::Int8;
use crate::product::Sum;
use crate::simd::{Level, level};

/// How a tile is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// In f32.
    F32(Level),
    /// Each place of both matrices holds two 16-bit numbers, whose products are added in f32.
    Bf16(Bf16),
    /// Each place of both matrices holds four 8-bit integers, and each place of the output a 32-bit integer.
    Int8(Int8),
}

/// One tile of a product.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    /// The length of each dot product.
    pub depth: usize,
    pub left: *const f32,
    pub left_row_stride: usize,
    pub left_column_stride: usize,
    /// A panel: `depth` rows of `width` numbers.
    pub right: *const f32,
    pub width: usize,
    /// Memory to prefetch for the next tile: one cache line per step of the depth.
    pub ahead: *const f32,
    pub ahead_bytes: usize,
    pub output: *mut f32,
    pub output_row_stride: usize,
    pub sum: Sum,
}

impl Tile {
    /// The same tile, starting after the first `done` products of each sum.
    #[inline(always)]
    fn after(self, done: usize) -> Self {
        Tile {
            depth: self.depth - done,
            left: self.left.wrapping_add(done * self.left_column_stride),
            right: self.right.wrapping_add(done * self.width),
            ahead: self.ahead.wrapping_byte_add(done * self.ahead_bytes),
            ..self
        }
    }
}

/// The largest tile whose accumulators fit the registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Rows of the left matrix.
    pub rows: usize,
    /// Columns of the right matrix: the width of a panel.
    pub columns: usize,
}

impl Default for Kernel {
    fn default() -> Self {
        Kernel::F32(Level::Portable)
    }
}

impl Kernel {
    /// How many numbers share a place.
    pub(crate) const fn numbers_of_a_place(self) -> usize {
        match self {
            Kernel::F32(_) => 1,
            Kernel::Bf16(_) => 2,
            Kernel::Int8(_) => 4,
        }
    }

    /// The shape of its tiles.
    pub(crate) const fn shape(self) -> Shape {
        match self {
            Kernel::F32(Level::Avx512) | Kernel::Bf16(_) | Kernel::Int8(_) => Shape { rows: 8, columns: 48 },
            // A panel of 300 rows and the rows it is multiplied with fit a 32 KB L1 cache.
            Kernel::F32(Level::Avx2) => Shape { rows: 6, columns: 16 },
            Kernel::F32(Level::Portable) => Shape { rows: 4, columns: 16 },
        }
    }
}

/// Computes `rows` rows and all `width` columns of a panel.
///
/// # Safety
/// The machine must support the kernel. The strides must stay within the matrices for `rows` rows (at most those of its shape), `depth` and
/// `width` (16, 32 or 48, whatever the kernel).
#[inline(always)]
pub(crate) unsafe fn multiply(kernel: Kernel, rows: usize, tile: Tile) {
    // SAFETY: the caller guarantees the pointers and the instructions.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Bf16(_) => bf16::panel(rows, tile),
            #[cfg(target_arch = "x86_64")]
            Kernel::Int8(_) => int8::panel(rows, tile),
            #[cfg(target_arch = "x86_64")]
            Kernel::F32(Level::Avx512) => avx512::panel(rows, tile),
            #[cfg(target_arch = "x86_64")]
            Kernel::F32(Level::Avx2) => avx2::panel(rows, tile),
            _ => portable::panel(rows, tile),
        }
    }
}

macro_rules! tiles {
    ($name:ident, $(#[$features:meta])?, $lanes:literal, [$($rows:literal)+], $operations:path) => {
        mod $name {
            use super::{Sum, Tile};
            use $operations::*;

            /// Three vectors at a time, then the remainder.
            $(#[$features])?
            pub(super) unsafe fn panel(rows: usize, tile: Tile) {
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
                // SAFETY: the caller guarantees the same.
                unsafe {
                    match rows {
                        $($rows => accumulate::<$rows, VECTORS>(tile),)+
                        _ => unreachable!("a tile has at most the rows of `shape`"),
                    }
                }
            }

            $(#[$features])?
            unsafe fn accumulate<const ROWS: usize, const VECTORS: usize>(tile: Tile) {
                // SAFETY: the caller of `multiply` guarantees the pointers.
                unsafe {
                    // Prefetch the output now: a store that waits for memory would delay the next tile.
                    for row in 0..ROWS {
                        let place = tile.output.wrapping_add(row * tile.output_row_stride);
                        fetch_near(place);
                        fetch_near(place.wrapping_add(VECTORS * $lanes - 1));
                    }
                    let mut totals = [[zero(); VECTORS]; ROWS];
                    let done = sums_by_hand(&mut totals, tile);
                    sums(&mut totals, tile.after(done));
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

            /// The accumulation loop in plain Rust, vectorised by the compiler.
            $(#[$features])?
            unsafe fn sums<const ROWS: usize, const VECTORS: usize>(totals: &mut [[Vector; VECTORS]; ROWS], tile: Tile) {
                let (mut left, mut right, mut ahead) = (tile.left, tile.right, tile.ahead);
                for _ in 0..tile.depth {
                    // SAFETY: the caller guarantees the same.
                    unsafe {
                        fetch(ahead);
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
                    }
                    left = left.wrapping_add(tile.left_column_stride);
                    right = right.wrapping_add(tile.width);
                    ahead = ahead.wrapping_byte_add(tile.ahead_bytes);
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
tiles!(avx512, #[target_feature(enable = "avx512f")], 16, [1 2 3 4 5 6 7 8], super::avx512_operations);
#[cfg(target_arch = "x86_64")]
tiles!(bf16, #[target_feature(enable = "avx512f,avx512bf16")], 16, [1 2 3 4 5 6 7 8], super::bf16_operations);
#[cfg(target_arch = "x86_64")]
tiles!(int8, #[target_feature(enable = "avx512f,avx512vnni")], 16, [1 2 3 4 5 6 7 8], super::int8_operations);
#[cfg(target_arch = "x86_64")]
tiles!(avx2, #[target_feature(enable = "avx2,fma")], 8, [1 2 3 4 5 6], super::avx2_operations);
tiles!(portable, , 8, [1 2 3 4], super::portable_operations);

#[cfg(target_arch = "x86_64")]
mod avx512_operations {
    pub(super) use super::{fetch, fetch_near, no_sums_by_hand as sums_by_hand};
    pub(super) use std::arch::x86_64::{
        __m512 as Vector, _mm512_add_ps as add, _mm512_fmadd_ps as multiply_add, _mm512_loadu_ps as load, _mm512_set1_ps as splat,
        _mm512_setzero_ps as zero, _mm512_storeu_ps as store,
    };
}

#[cfg(target_arch = "x86_64")]
mod bf16_operations {
    pub(super) use super::avx512_operations::{Vector, add, fetch, fetch_near, load, splat, store, sums_by_hand, zero};
    use std::arch::x86_64::{__m512bh, _mm512_dpbf16_ps};

    /// Adds the products of both halves of each place.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub(super) fn multiply_add(left: Vector, right: Vector, total: Vector) -> Vector {
        // SAFETY: both types are 512 bits without a meaning of their own.
        let (left, right) = unsafe { (std::mem::transmute::<Vector, __m512bh>(left), std::mem::transmute::<Vector, __m512bh>(right)) };
        _mm512_dpbf16_ps(total, left, right)
    }
}

#[cfg(target_arch = "x86_64")]
mod int8_operations {
    pub(super) use super::avx512_operations::{Vector, fetch, fetch_near, load, splat, store, sums_by_hand, zero};
    use std::arch::x86_64::{_mm512_add_epi32, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_dpbusd_epi32};

    /// Adds the products of the four numbers of each place, those of the left one without a sign.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(super) fn multiply_add(left: Vector, right: Vector, total: Vector) -> Vector {
        let (left, right) = (_mm512_castps_si512(left), _mm512_castps_si512(right));
        _mm512_castsi512_ps(_mm512_dpbusd_epi32(_mm512_castps_si512(total), left, right))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn add(one: Vector, other: Vector) -> Vector {
        _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(one), _mm512_castps_si512(other)))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2_operations {
    use super::Tile;
    pub(super) use super::{fetch, fetch_near};
    pub(super) use std::arch::x86_64::{
        __m256 as Vector, _mm256_add_ps as add, _mm256_fmadd_ps as multiply_add, _mm256_loadu_ps as load, _mm256_set1_ps as splat,
        _mm256_setzero_ps as zero, _mm256_storeu_ps as store,
    };

    /// One loop over the depth, two products per iteration. Each row names its two accumulator registers and the address of its left
    /// element.
    macro_rules! assembly {
        ($totals:ident, $tile:ident, $(($row:literal, $first:tt, $second:tt, $address:literal)),+) => {
            std::arch::asm!(
                "2:",
                "prefetcht1 [{ahead}]",
                "vmovups ymm12, [{right}]",
                "vmovups ymm13, [{right} + 32]",
                $(
                    concat!("vbroadcastss ymm14, [", $address, "]"),
                    concat!("vfmadd231ps ", $first, ", ymm14, ymm12"),
                    concat!("vfmadd231ps ", $second, ", ymm14, ymm13"),
                )+
                "add {upper}, {along}",
                "add {lower}, {along}",
                "vmovups ymm12, [{right} + 64]",
                "vmovups ymm13, [{right} + 96]",
                $(
                    concat!("vbroadcastss ymm14, [", $address, "]"),
                    concat!("vfmadd231ps ", $first, ", ymm14, ymm12"),
                    concat!("vfmadd231ps ", $second, ", ymm14, ymm13"),
                )+
                "add {right}, 128",
                "add {ahead}, {ahead_bytes}",
                "add {upper}, {along}",
                "add {lower}, {along}",
                "dec {depth}",
                "jnz 2b",
                depth = inout(reg) $tile.depth / 2 => _,
                right = inout(reg) $tile.right => _,
                ahead = inout(reg) $tile.ahead => _,
                ahead_bytes = in(reg) 2 * $tile.ahead_bytes,
                upper = inout(reg) $tile.left => _,
                lower = inout(reg) $tile.left.wrapping_add(3 * $tile.left_row_stride) => _,
                along = in(reg) 4 * $tile.left_column_stride,
                down = in(reg) 4 * $tile.left_row_stride,
                $(inout($first) $totals[$row][0], inout($second) $totals[$row][1],)+
                out("ymm12") _, out("ymm13") _, out("ymm14") _,
                options(nostack, readonly)
            )
        };
    }

    /// The accumulation loop in assembly, for the tile shapes that take nearly all of the time. The compiler computes row addresses in
    /// one dependency chain and moves accumulators between registers; this version keeps both FMA units busy. Returns how many products
    /// of each sum are done.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn sums_by_hand<const ROWS: usize, const VECTORS: usize>(
        totals: &mut [[Vector; VECTORS]; ROWS],
        tile: Tile,
    ) -> usize {
        if VECTORS != 2 || tile.width != 16 || tile.depth < 2 {
            return 0;
        }
        // SAFETY: reads what the loop of the other levels reads; prefetches may have any address.
        unsafe {
            match ROWS {
                4 => assembly!(
                    totals,
                    tile,
                    (0, "ymm0", "ymm1", "{upper}"),
                    (1, "ymm2", "ymm3", "{upper} + {down}"),
                    (2, "ymm4", "ymm5", "{upper} + 2*{down}"),
                    (3, "ymm6", "ymm7", "{lower}")
                ),
                5 => assembly!(
                    totals,
                    tile,
                    (0, "ymm0", "ymm1", "{upper}"),
                    (1, "ymm2", "ymm3", "{upper} + {down}"),
                    (2, "ymm4", "ymm5", "{upper} + 2*{down}"),
                    (3, "ymm6", "ymm7", "{lower}"),
                    (4, "ymm8", "ymm9", "{lower} + {down}")
                ),
                6 => assembly!(
                    totals,
                    tile,
                    (0, "ymm0", "ymm1", "{upper}"),
                    (1, "ymm2", "ymm3", "{upper} + {down}"),
                    (2, "ymm4", "ymm5", "{upper} + 2*{down}"),
                    (3, "ymm6", "ymm7", "{lower}"),
                    (4, "ymm8", "ymm9", "{lower} + {down}"),
                    (5, "ymm10", "ymm11", "{lower} + 2*{down}")
                ),
                _ => return 0,
            }
        }
        tile.depth / 2 * 2
    }
}

/// Transposes eight rows: element `i` of row `j` of `from` becomes element `j` of row `i` of `to`; strides are the distances between
/// rows. Returns how many rows of `to` are done: all but the last few, or none without AVX2.
pub(crate) fn turn_blocks(from: &[f32], from_stride: usize, to: &mut [f32], to_stride: usize) -> usize {
    if level() == Level::Portable {
        return 0;
    }
    let length = to.len().div_ceil(to_stride) / 8 * 8;
    if length > 0 {
        assert!(from.len() >= 7 * from_stride + length, "eight runs are there to be read");
        assert!(to.len() >= (length - 1) * to_stride + 8, "as many runs of eight can be written");
    }
    #[cfg(target_arch = "x86_64")]
    for start in (0..length).step_by(8) {
        // SAFETY: the bounds and the instructions were checked above.
        unsafe { turn_block(from.as_ptr().add(start), from_stride, to.as_mut_ptr().add(start * to_stride), to_stride) };
    }
    length
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn turn_block(from: *const f32, from_stride: usize, to: *mut f32, to_stride: usize) {
    use std::arch::x86_64::*;
    let (mut runs, mut pairs, mut fours) = ([_mm256_setzero_ps(); 8], [_mm256_setzero_ps(); 8], [_mm256_setzero_ps(); 8]);
    for (place, run) in runs.iter_mut().enumerate() {
        // SAFETY: the caller guarantees the pointers.
        *run = unsafe { _mm256_loadu_ps(from.add(place * from_stride)) };
    }
    // Interleave pairs of rows, then pairs of pairs, then the two register halves.
    for place in [0, 2, 4, 6] {
        pairs[place] = _mm256_unpacklo_ps(runs[place], runs[place + 1]);
        pairs[place + 1] = _mm256_unpackhi_ps(runs[place], runs[place + 1]);
    }
    for place in [0, 1, 4, 5] {
        let first = place / 4 * 4 + place % 4 * 2;
        fours[first] = _mm256_shuffle_ps::<0x44>(pairs[place], pairs[place + 2]);
        fours[first + 1] = _mm256_shuffle_ps::<0xEE>(pairs[place], pairs[place + 2]);
    }
    for place in 0..4 {
        // SAFETY: the caller guarantees the pointers.
        unsafe {
            _mm256_storeu_ps(to.add(place * to_stride), _mm256_permute2f128_ps::<0x20>(fours[place], fours[place + 4]));
            _mm256_storeu_ps(to.add((place + 4) * to_stride), _mm256_permute2f128_ps::<0x31>(fours[place], fours[place + 4]));
        }
    }
}

/// Prefetches a cache line into L2; any address is allowed.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fetch(place: *const f32) {
    // SAFETY: a prefetch does not access memory.
    unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(place.cast()) }
}

/// Prefetches a cache line into L1; any address is allowed.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fetch_near(place: *const f32) {
    // SAFETY: a prefetch does not access memory.
    unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast()) }
}

/// For levels whose tiles the compiler vectorises well enough.
#[inline(always)]
fn no_sums_by_hand<V, const ROWS: usize, const VECTORS: usize>(_: &mut [[V; VECTORS]; ROWS], _: Tile) -> usize {
    0
}

mod portable_operations {
    pub(super) use super::no_sums_by_hand as sums_by_hand;
    pub(super) type Vector = [f32; 8];

    /// No prefetch on this architecture.
    #[inline(always)]
    pub(super) fn fetch(_: *const f32) {}

    /// No prefetch on this architecture.
    #[inline(always)]
    pub(super) fn fetch_near(_: *const f32) {}

    #[inline(always)]
    pub(super) fn zero() -> Vector {
        [0.0; 8]
    }

    #[inline(always)]
    pub(super) unsafe fn load(place: *const f32) -> Vector {
        // SAFETY: the tile stays within its matrices.
        unsafe { place.cast::<Vector>().read_unaligned() }
    }

    #[inline(always)]
    pub(super) unsafe fn store(place: *mut f32, vector: Vector) {
        // SAFETY: the tile stays within its matrices.
        unsafe { place.cast::<Vector>().write_unaligned(vector) }
    }

    #[inline(always)]
    pub(super) fn splat(number: f32) -> Vector {
        [number; 8]
    }

    #[inline(always)]
    pub(super) fn add(left: Vector, right: Vector) -> Vector {
        std::array::from_fn(|lane| left[lane] + right[lane])
    }

    #[inline(always)]
    pub(super) fn multiply_add(left: Vector, right: Vector, total: Vector) -> Vector {
        std::array::from_fn(|lane| left[lane] * right[lane] + total[lane])
    }
}
