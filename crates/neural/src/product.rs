//! Matrix products.
//!
//! The right matrix is packed once into panels as wide as a tile and may be reused for many products: a training step packs each weight
//! once, however many time steps use it. The left matrix is read in place, or copied in blocks if its rows are not contiguous. No sum is
//! split over threads, so the result is the same for any number of them.

use crate::int8::ColumnScales;
use crate::kernel::{self, Kernel, Tile};
use crate::matrix::{MatrixView, MatrixViewMut};
use crate::simd::level;
use acidtest_threads::{Grain, count_here, for_each, join};
use std::cell::RefCell;
use std::ops::Range;

/// Whether a result overwrites the output or is added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Overwrite the output.
    Replace,
    /// Add to the output.
    Add,
}

/// The numbers of a vector; panels are padded to whole ones.
pub(crate) const LANES: usize = 16;
/// Products with a larger inner dimension, or with more rows, are computed in blocks of at most this size, so that their operands stay in
/// cache.
const DEPTH_BLOCK: usize = 320;
const ROW_BLOCK: usize = 240;
/// The same where several numbers share a place; a whole panel fits an L1 cache of 48 KB.
const SMALL_DEPTH_BLOCK: usize = 192;
/// Smaller products run on one thread: waking another would cost more.
const PARALLEL_FROM: usize = 1 << 21;

/// The right matrix of a product, in the order in which it is read.
#[derive(Debug, Default)]
pub struct Packed {
    depth: usize,
    columns: usize,
    data: Vec<f32>,
    /// The offset of the first panel, so that panels are cache-line aligned.
    start: usize,
    /// The kernel at the time of packing, whose tiles are as wide as a panel.
    kernel: Kernel,
    /// The scales of its columns, if it holds whole numbers.
    pub(crate) columns_known: ColumnScales,
}

impl Packed {
    /// Packs a matrix.
    pub fn new(matrix: MatrixView<'_>) -> Self {
        let mut packed = Packed::default();
        packed.fill(matrix);
        packed
    }

    /// Packs another matrix into the same memory, in parallel if it is large.
    pub fn fill(&mut self, matrix: MatrixView<'_>) {
        self.fill_for(Kernel::F32(level()), matrix);
    }

    /// Packs another matrix into the same memory on this thread.
    pub fn fill_here(&mut self, matrix: MatrixView<'_>) {
        self.fill_by(Kernel::F32(level()), matrix, 1);
    }

    /// The same for a kernel, in parallel if the matrix is large.
    pub(crate) fn fill_for(&mut self, kernel: Kernel, matrix: MatrixView<'_>) {
        let large = matrix.rows * matrix.columns * 8 >= PARALLEL_FROM;
        self.fill_by(kernel, matrix, if large { count_here() } else { 1 });
    }

    /// The columns of the matrix.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    fn fill_by(&mut self, kernel: Kernel, matrix: MatrixView<'_>, threads: usize) {
        check_bounds(&matrix);
        let (depth, columns) = (matrix.rows, matrix.columns);
        let length = depth * columns.next_multiple_of(LANES);
        if self.data.len() < length + LANES {
            // Reserve extra capacity: the next batch may have a few more words.
            self.data = vec![0.0; length + length / 4 + LANES];
        }
        self.start = self.data.as_ptr().align_offset(64).min(LANES);
        (self.depth, self.columns, self.kernel) = (depth, columns, kernel);
        if length == 0 {
            return;
        }
        let panels = &mut self.data[self.start..self.start + length];
        let width = kernel.shape().columns;
        let pack = |(index, panel): (usize, &mut [f32])| {
            let first = index * width;
            fill_panel(panel, matrix.columns(first..(first + width).min(columns)));
        };
        if threads == 1 {
            panels.chunks_mut(width * depth).enumerate().for_each(pack);
        } else {
            let panels: Vec<_> = panels.chunks_mut(width * depth).enumerate().collect();
            for_each(panels, Grain::AtLeast(1), pack);
        }
    }
}

/// Packs one panel: its columns of each row, padded with zeros to whole vectors.
fn fill_panel(panel: &mut [f32], matrix: MatrixView<'_>) {
    let width = matrix.columns.next_multiple_of(LANES);
    if matrix.column_stride == 1 && matrix.columns == width {
        // The width is a constant here, so the copy compiles to a few instructions instead of a call.
        for (row, to) in panel.chunks_exact_mut(width).enumerate() {
            let from = &matrix.data[row * matrix.row_stride..][..width];
            to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0).for_each(|(to, from)| *to = *from);
        }
        return;
    }
    if matrix.column_stride == 1 {
        for (row, to) in panel.chunks_exact_mut(width).enumerate() {
            let from = &matrix.data[row * matrix.row_stride..];
            to[..matrix.columns].copy_from_slice(&from[..matrix.columns]);
            to[matrix.columns..].fill(0.0);
        }
        return;
    }
    // Transposed: a block of rows at a time, so that writes stay in L1 and reads are sequential.
    const BLOCK: usize = 64;
    for (block, to) in panel.chunks_mut(width * BLOCK).enumerate() {
        let rows = to.len() / width;
        if matrix.columns < width {
            to.fill(0.0);
        }
        let first = block * BLOCK * matrix.row_stride;
        for columns in (0..matrix.columns).step_by(8).map(|column| column..(column + 8).min(matrix.columns)) {
            let from = &matrix.data[columns.start * matrix.column_stride + first..];
            let quick = matrix.row_stride == 1 && columns.len() == 8;
            let done = if quick { kernel::turn_blocks(from, matrix.column_stride, &mut to[columns.start..], width) } else { 0 };
            for (place, column) in columns.enumerate() {
                let from = &from[place * matrix.column_stride..];
                (done..rows).for_each(|row| to[row * width + column] = from[row * matrix.row_stride]);
            }
        }
    }
}

/// `left` times `right`, on this thread.
pub fn product(left: MatrixView<'_>, right: &Packed, output: MatrixViewMut<'_>, sum: Sum) {
    assert_eq!(right.columns, output.columns, "the columns of the output");
    product_by(Kernel::F32(level()), left, right, 0..right.columns, output, sum);
}

/// The same for some columns: panels that have none of them are skipped, and their columns of the output stay as they are. The output may
/// have more columns, up to whole vectors of 16 numbers, which become zero; this is faster.
pub(crate) fn product_of_columns(left: MatrixView<'_>, right: &Packed, columns: Range<usize>, output: MatrixViewMut<'_>) {
    product_by(Kernel::F32(level()), left, right, columns, output, Sum::Replace);
}

/// The same with a kernel.
pub(crate) fn product_by(kernel: Kernel, left: MatrixView<'_>, right: &Packed, columns: Range<usize>, output: MatrixViewMut<'_>, sum: Sum) {
    check_bounds(&left);
    assert_eq!(kernel.numbers_of_a_place(), right.kernel.numbers_of_a_place(), "both matrices have numbers of as many bits");
    assert_eq!(left.columns, right.depth, "the columns of the left matrix are the rows of the right one");
    let padded = right.columns.next_multiple_of(LANES);
    assert!(left.rows == output.rows && [right.columns, padded].contains(&output.columns), "the shape of the output");
    assert!(output.row_stride >= output.columns, "rows of the output do not overlap");
    if output.rows == 0 || output.columns == 0 {
        return;
    }
    assert!(output.data.len() >= (output.rows - 1) * output.row_stride + output.columns, "the output holds the result");
    if left.columns == 0 {
        if sum == Sum::Replace {
            output.data.chunks_mut(output.row_stride).for_each(|row| row[..output.columns].fill(0.0));
        }
        return;
    }
    let mut output = output;
    let mut sum = sum;
    let tile_rows = kernel.shape().rows;
    let most = if kernel.numbers_of_a_place() > 1 { SMALL_DEPTH_BLOCK } else { DEPTH_BLOCK };
    let (depth_block, row_block) = (even_part(left.columns, most), even_part(left.rows, ROW_BLOCK).next_multiple_of(tile_rows));
    for start in (0..left.columns).step_by(depth_block) {
        let depths = start..(start + depth_block).min(left.columns);
        for first_row in (0..left.rows).step_by(row_block) {
            let rows = first_row..(first_row + row_block).min(left.rows);
            let block = Block { depths: depths.clone(), rows, columns: columns.clone(), sum, kernel };
            let part = left.columns(block.depths.clone()).rows(block.rows.clone());
            if part.column_stride == 1 {
                block_product(&Groups::in_place(part, tile_rows), right, &mut output, &block);
            } else {
                SCRATCH.with_borrow_mut(|scratch| block_product(&pack_left(part, tile_rows, scratch), right, &mut output, &block));
            }
        }
        sum = Sum::Add;
    }
}

/// Splits `size` evenly into the fewest parts of at most `most`, and returns the part size.
fn even_part(size: usize, most: usize) -> usize {
    size.div_ceil(size.div_ceil(most))
}

/// `left` times `right`, with the rows split over the threads.
pub fn product_parallel(left: MatrixView<'_>, right: &Packed, output: MatrixViewMut<'_>, sum: Sum) {
    split_rows(left, output, |left, output| product(left, right, output, sum));
}

/// Computes a product in parts of its rows, one per thread, if it is large.
fn split_rows(left: MatrixView<'_>, output: MatrixViewMut<'_>, work: impl Fn(MatrixView<'_>, MatrixViewMut<'_>) + Sync) {
    let large = left.rows * left.columns * output.columns >= PARALLEL_FROM;
    in_parts(left, output, if large { count_here() } else { 1 }, &work);
}

/// Computes a product block by block and passes each row to `finish` as long as it is in the L2 cache; on all threads if the product is
/// large.
pub(crate) fn for_row_blocks(
    left: MatrixView<'_>,
    output: MatrixViewMut<'_>,
    product: impl Fn(MatrixView<'_>, MatrixViewMut<'_>) + Sync,
    finish: impl Fn(&mut [f32]) + Sync,
) {
    const NUMBERS: usize = 1 << 17;
    let most = (NUMBERS / (left.columns + output.columns).max(1)).clamp(32, ROW_BLOCK);
    split_rows(left, output, |left, mut output| {
        if left.rows == 0 {
            return;
        }
        let size = even_part(left.rows, most).next_multiple_of(8);
        for first in (0..left.rows).step_by(size) {
            let rows = first..(first + size).min(left.rows);
            product(left.rows(rows.clone()), output.rows(rows.clone()));
            rows.for_each(|row| finish(output.row(row)));
        }
    });
}

fn in_parts(left: MatrixView<'_>, output: MatrixViewMut<'_>, parts: usize, work: &(impl Fn(MatrixView<'_>, MatrixViewMut<'_>) + Sync)) {
    let tile_rows = Kernel::F32(level()).shape().rows;
    if parts < 2 || left.rows <= tile_rows {
        return work(left, output);
    }
    let first_parts = parts / 2;
    let cut = (left.rows * first_parts / parts).next_multiple_of(tile_rows).min(left.rows);
    let (above, below) = output.split_at_row(cut);
    join(
        || in_parts(left.rows(0..cut), above, first_parts, work),
        || in_parts(left.rows(cut..left.rows), below, parts - first_parts, work),
    );
}

thread_local! {
    static SCRATCH: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// The left matrix in groups of rows, one per tile.
struct Groups<'a> {
    data: &'a [f32],
    /// The maximum number of rows of a group.
    rows: usize,
    row_stride: usize,
    column_stride: usize,
    group_stride: usize,
}

impl<'a> Groups<'a> {
    fn in_place(left: MatrixView<'a>, tile_rows: usize) -> Self {
        // Nine rows are split into five and four: a tile of few rows takes nearly as long as a full one.
        let rows = even_part(left.rows, tile_rows);
        Groups { data: left.data, rows, row_stride: left.row_stride, column_stride: 1, group_stride: rows * left.row_stride }
    }
}

/// Packs a left matrix whose rows are not contiguous: the rows of each group are interleaved.
fn pack_left<'a>(left: MatrixView<'_>, tile_rows: usize, scratch: &'a mut Vec<f32>) -> Groups<'a> {
    match tile_rows {
        8 => pack_groups::<8>(left, scratch),
        6 => pack_groups::<6>(left, scratch),
        _ => pack_groups::<4>(left, scratch),
    }
}

fn pack_groups<'a, const ROWS: usize>(left: MatrixView<'_>, scratch: &'a mut Vec<f32>) -> Groups<'a> {
    let length = left.rows.next_multiple_of(ROWS) * left.columns;
    if scratch.len() < length {
        scratch.resize(length, 0.0);
    }
    for (index, to) in scratch[..length].chunks_exact_mut(ROWS * left.columns).enumerate() {
        let first = index * ROWS;
        let rows = ROWS.min(left.rows - first);
        for (column, to) in to.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
            let from = &left.data[first * left.row_stride + column * left.column_stride..];
            if left.row_stride == 1 && rows == ROWS {
                to.copy_from_slice(&from[..ROWS]);
            } else {
                (0..rows).for_each(|row| to[row] = from[row * left.row_stride]);
            }
        }
    }
    Groups { data: scratch, rows: ROWS, row_stride: 1, column_stride: ROWS, group_stride: ROWS * left.columns }
}

/// Part of a product: a range of rows and of columns of the output, and a range of the inner dimension.
struct Block {
    depths: Range<usize>,
    rows: Range<usize>,
    columns: Range<usize>,
    sum: Sum,
    kernel: Kernel,
}

fn block_product(left: &Groups<'_>, right: &Packed, output: &mut MatrixViewMut<'_>, block: &Block) {
    let Block { depths, rows, columns: wanted, sum, kernel } = block;
    let (depth, panel_width) = (depths.len(), right.kernel.shape().columns);
    let panel_of = |first_column: usize| {
        let columns = panel_width.min(right.columns - first_column);
        let width = columns.next_multiple_of(LANES);
        (columns, width, &right.data[right.start + first_column * right.depth + depths.start * width..][..depth * width])
    };
    let groups = rows.len().div_ceil(left.rows);
    let (first_wanted, end) = (wanted.start / panel_width * panel_width, wanted.end.min(right.columns));
    for first_column in (first_wanted..end).step_by(panel_width) {
        let (columns, width, panel) = panel_of(first_column);
        // While a panel is in use, prefetch the next one: each tile fetches its share.
        let next = first_column + panel_width;
        let ahead = if next < end { panel_of(next).2 } else { &[] };
        let share = 4 * ahead.len() / groups;
        for (group, first_row) in rows.clone().step_by(left.rows).enumerate() {
            let rows = left.rows.min(rows.end - first_row);
            let place = &mut output.data[first_row * output.row_stride + first_column..];
            let mut tile = Tile {
                depth,
                left: left.data[group * left.group_stride..].as_ptr(),
                left_row_stride: left.row_stride,
                left_column_stride: left.column_stride,
                right: panel.as_ptr(),
                width,
                ahead: ahead.as_ptr().wrapping_byte_add(group * share),
                ahead_bytes: share / depth,
                output: place.as_mut_ptr(),
                output_row_stride: output.row_stride,
                sum: *sum,
            };
            // The output has room for the columns that pad the last panel, or there are none.
            if first_column + width <= output.columns {
                // SAFETY: `product_by` has checked the shapes of all matrices, nobody has a kernel that is not supported, and the panel and
                // the group are complete.
                #[allow(unsafe_code)]
                unsafe {
                    kernel::multiply(*kernel, rows, tile);
                }
                continue;
            }
            // The last vector would write past the row: compute in a buffer, then copy what fits.
            let mut beside = [0.0f32; 8 * 48];
            if *sum == Sum::Add {
                (0..rows).for_each(|row| beside[row * width..][..columns].copy_from_slice(&place[row * output.row_stride..][..columns]));
            }
            (tile.output, tile.output_row_stride) = (beside.as_mut_ptr(), width);
            // SAFETY: as above, and `beside` holds a whole tile.
            #[allow(unsafe_code)]
            unsafe {
                kernel::multiply(*kernel, rows, tile);
            }
            (0..rows).for_each(|row| place[row * output.row_stride..][..columns].copy_from_slice(&beside[row * width..][..columns]));
        }
    }
}

fn check_bounds(matrix: &MatrixView<'_>) {
    if matrix.rows > 0 && matrix.columns > 0 {
        let last = (matrix.rows - 1) * matrix.row_stride + (matrix.columns - 1) * matrix.column_stride;
        assert!(last < matrix.data.len(), "a view stays within its matrix");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::parameters::Orientation;
    use crate::simd::levels;

    fn matrix(rows: usize, columns: usize) -> Matrix {
        Matrix::from_vec(rows, columns, (0..rows * columns).map(|index| ((index * 37 % 101) as f32 - 50.0) / 64.0).collect())
    }

    fn plain(left: MatrixView<'_>, right: MatrixView<'_>) -> Vec<f32> {
        let at =
            |view: MatrixView<'_>, row: usize, column: usize| f64::from(view.data[row * view.row_stride + column * view.column_stride]);
        let mut result = Vec::new();
        for row in 0..left.rows {
            for column in 0..right.columns {
                result.push((0..left.columns).map(|k| at(left, row, k) * at(right, k, column)).sum::<f64>() as f32);
            }
        }
        result
    }

    fn check(left: MatrixView<'_>, right: MatrixView<'_>) {
        let expected = plain(left, right);
        for multiply in [product, product_parallel] {
            let mut output = Matrix::from_vec(left.rows, right.columns, vec![1.0; left.rows * right.columns]);
            let packed = Packed::new(right);
            multiply(left, &packed, output.view_mut(), Sum::Replace);
            multiply(left, &packed, output.view_mut(), Sum::Add);
            for (found, expected) in output.data.iter().zip(&expected) {
                assert!((found - 2.0 * expected).abs() < 1e-3, "{found} is not twice {expected}");
            }
        }
    }

    #[test]
    fn products_of_all_small_shapes_and_strides() {
        for (rows, depth, columns) in [(1, 1, 1), (3, 2, 5), (8, 16, 48), (9, 17, 49), (13, 400, 33), (7, 3, 100), (170, 130, 129)] {
            let (left, right) = (matrix(rows, depth), matrix(depth, columns));
            let (left_transposed, right_transposed) = (matrix(depth, rows), matrix(columns, depth));
            check(left.view(), right.view());
            check(left_transposed.view().transposed(), right.view());
            check(left.view(), right_transposed.view().transposed());
            check(left_transposed.view().transposed(), right_transposed.view().transposed());
        }
    }

    #[test]
    fn an_empty_product_is_zero() {
        let mut output = matrix(2, 3);
        product(Matrix::zeros(2, 0).view(), &Packed::new(Matrix::zeros(0, 3).view()), output.view_mut(), Sum::Replace);
        assert_eq!(output, Matrix::zeros(2, 3));
    }

    #[test]
    fn a_product_in_parts_is_bit_identical() {
        // Sums that are rounded, so that another order of addition would show.
        let rough = |rows: usize, columns: usize| {
            Matrix::from_vec(rows, columns, (0..rows * columns).map(|index| (index as f32 * 0.37).sin()).collect())
        };
        let (left, transposed, right) = (rough(53, 350), rough(350, 53), rough(350, 41));
        let mut packed = [Packed::default(), Packed::default()];
        packed[0].fill_by(Kernel::F32(level()), right.view(), 1);
        packed[1].fill_by(Kernel::F32(level()), right.view(), 3);
        for left in [left.view(), transposed.view().transposed()] {
            let results: Vec<Vec<f32>> = [(0, 1), (0, 2), (1, 3), (1, 5)]
                .iter()
                .map(|&(packing, parts)| {
                    let mut output = Matrix::zeros(left.rows, right.columns);
                    let work = |left: MatrixView<'_>, output: MatrixViewMut<'_>| product(left, &packed[packing], output, Sum::Replace);
                    in_parts(left, output.view_mut(), parts, &work);
                    output.data
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]));
        }
    }

    /// Checks one tile of a level, for any number of rows, with the left matrix plain or transposed.
    fn check_tile(kernel: Kernel, rows: usize, depth: usize, orientation: Orientation) {
        let columns = kernel.shape().columns;
        let right = matrix(depth, columns);
        let left = if orientation == Orientation::Plain { matrix(rows, depth) } else { matrix(depth, rows) };
        let view = if orientation == Orientation::Plain { left.view() } else { left.view().transposed() };
        let expected = plain(view, right.view());
        for (sum, before) in [(Sum::Replace, 0.0), (Sum::Add, 2.0)] {
            let mut output = Matrix::from_vec(rows, columns, vec![2.0; rows * columns]);
            // A single panel has the same layout packed or not.
            let tile = Tile {
                depth,
                left: left.data.as_ptr(),
                left_row_stride: view.row_stride,
                left_column_stride: view.column_stride,
                right: right.data.as_ptr(),
                width: columns,
                ahead: right.data.as_ptr(),
                ahead_bytes: 64,
                output: output.data.as_mut_ptr(),
                output_row_stride: columns,
                sum,
            };
            // SAFETY: the shapes match the matrices above.
            #[allow(unsafe_code)]
            unsafe {
                kernel::multiply(kernel, rows, tile);
            }
            let close = output.data.iter().zip(&expected).all(|(found, expected)| (found - before - expected).abs() < 1e-4);
            assert!(close, "{kernel:?}, {rows} rows, depth {depth}, {orientation:?}, {sum:?}");
        }
    }

    #[test]
    fn every_level_of_instructions_gives_the_same_sums() {
        for kernel in levels().map(Kernel::F32) {
            for rows in 1..=kernel.shape().rows {
                for depth in [0, 1, 2, 3, 20, 21] {
                    check_tile(kernel, rows, depth, Orientation::Plain);
                    check_tile(kernel, rows, depth, Orientation::Transposed);
                }
            }
        }
    }
}
