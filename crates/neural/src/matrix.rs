//! Dense row-major matrices of `f32`, and views of them.

use std::ops::Range;

/// A row-major matrix.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The elements, `rows * columns` of them.
    pub data: Vec<f32>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, data: vec![0.0; rows * columns] }
    }

    /// A matrix of these elements; their number must match the shape.
    pub fn from_vec(rows: usize, columns: usize, data: Vec<f32>) -> Self {
        assert_eq!(data.len(), rows * columns, "a matrix of {rows} rows and {columns} columns");
        Matrix { rows, columns, data }
    }

    /// One row.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.data[index * self.columns..(index + 1) * self.columns]
    }

    /// One row, mutable.
    pub fn row_mut(&mut self, index: usize) -> &mut [f32] {
        &mut self.data[index * self.columns..(index + 1) * self.columns]
    }

    /// The elements of a range of rows.
    pub fn rows(&self, range: Range<usize>) -> &[f32] {
        &self.data[range.start * self.columns..range.end * self.columns]
    }

    /// A read-only view of the whole matrix.
    pub fn view(&self) -> MatrixView<'_> {
        MatrixView { data: &self.data, rows: self.rows, columns: self.columns, row_stride: self.columns, column_stride: 1 }
    }

    /// A mutable view of the whole matrix.
    pub fn view_mut(&mut self) -> MatrixViewMut<'_> {
        MatrixViewMut { rows: self.rows, columns: self.columns, row_stride: self.columns, data: &mut self.data }
    }
}

/// A read-only view of part of a matrix; transposing it is free.
#[derive(Debug, Clone, Copy)]
pub struct MatrixView<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl<'a> MatrixView<'a> {
    /// A view of row-major elements.
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> Self {
        assert!(rows.checked_mul(columns).is_some_and(|size| data.len() >= size), "a view of {rows} rows and {columns} columns");
        MatrixView { data, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// The transposed view.
    pub fn transposed(self) -> Self {
        MatrixView { rows: self.columns, columns: self.rows, row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }

    /// A range of rows.
    pub fn rows(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.rows, "rows {range:?} of {}", self.rows);
        MatrixView { data: self.data.get(range.start * self.row_stride..).unwrap_or(&[]), rows: range.len(), ..self }
    }

    /// A range of columns.
    pub fn columns(self, range: Range<usize>) -> Self {
        self.transposed().rows(range).transposed()
    }
}

/// A mutable view of part of a matrix; each row is contiguous.
#[derive(Debug)]
pub struct MatrixViewMut<'a> {
    pub(crate) data: &'a mut [f32],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) row_stride: usize,
}

impl<'a> MatrixViewMut<'a> {
    /// A mutable view of row-major elements.
    pub fn new(data: &'a mut [f32], rows: usize, columns: usize) -> Self {
        assert!(rows.checked_mul(columns).is_some_and(|size| data.len() >= size), "a view of {rows} rows and {columns} columns");
        MatrixViewMut { data, rows, columns, row_stride: columns }
    }

    /// A range of columns.
    pub fn columns(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.columns, "columns {range:?} of {}", self.columns);
        MatrixViewMut { data: self.data.get_mut(range.start..).unwrap_or_default(), columns: range.len(), ..self }
    }

    /// A range of rows.
    pub(crate) fn rows(&mut self, range: Range<usize>) -> MatrixViewMut<'_> {
        assert!(range.start <= range.end && range.end <= self.rows, "rows {range:?} of {}", self.rows);
        let data = self.data.get_mut(range.start * self.row_stride..).unwrap_or_default();
        MatrixViewMut { rows: range.len(), columns: self.columns, row_stride: self.row_stride, data }
    }

    /// One row.
    pub(crate) fn row(&mut self, index: usize) -> &mut [f32] {
        &mut self.data[index * self.row_stride..][..self.columns]
    }

    /// Splits the view before `row`.
    pub fn split_at_row(self, row: usize) -> (Self, Self) {
        let cut = (row * self.row_stride).min(self.data.len());
        let (above, below) = self.data.split_at_mut(cut);
        (MatrixViewMut { data: above, rows: row, ..self }, MatrixViewMut { data: below, rows: self.rows - row, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_view_of_columns_reads_rows() {
        let matrix = Matrix::from_vec(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let view = matrix.view().columns(1..3).transposed();
        assert_eq!((view.rows, view.columns), (2, 2));
        assert_eq!(view.data[view.row_stride + view.column_stride], 6.0);
    }
}
