//! The ranges of rows of each sentence in a matrix.

use std::ops::Range;

/// Consecutive ranges of rows, of any lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    offsets: Vec<usize>,
}

impl Segments {
    /// Segments of these lengths, one after another.
    pub fn of_lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut offsets = vec![0];
        for length in lengths {
            offsets.push(offsets[offsets.len() - 1] + length);
        }
        Segments { offsets }
    }

    /// The number of segments.
    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The total number of rows.
    pub fn rows(&self) -> usize {
        self.offsets[self.count()]
    }

    /// The rows of one segment.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.offsets[index]..self.offsets[index + 1]
    }

    /// The rows of every segment.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.offsets.windows(2).map(|ends| ends[0]..ends[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_begins_where_the_one_before_ends() {
        let segments = Segments::of_lengths([2, 0, 3]);
        assert_eq!((segments.count(), segments.rows()), (3, 5));
        assert_eq!(segments.ranges().collect::<Vec<_>>(), [0..2, 2..2, 2..5]);
        assert_eq!(segments.range(2), 2..5);
    }
}
