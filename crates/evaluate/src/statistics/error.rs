//! Invalid inputs of statistics.

/// An invalid input.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// An empty input.
    #[error("no {what}: at least one is needed")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Two lists that must have the same length do not.
    #[error("{found} {what} for {expected} rows: there must be one for every row")]
    Lengths {
        /// What the second list contains.
        what: &'static str,
        /// The number of rows.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// Too few items for a measure of spread.
    #[error("only {found} {what}: at least {needed} are needed")]
    TooFew {
        /// The kind of items.
        what: &'static str,
        /// The number of items.
        found: usize,
        /// The number required.
        needed: usize,
    },
    /// A number outside its valid range, such as a probability above 1.
    #[error("{what} {value} (number {position}): it must lie {range}")]
    OutOfRange {
        /// What the number stands for.
        what: &'static str,
        /// The number.
        value: f64,
        /// Its place in the list, from 1.
        position: usize,
        /// The valid range, in words.
        range: &'static str,
    },
    /// Too many rows: sums would overflow.
    #[error("the values add up to more than {limit}: give fewer rows or smaller values")]
    TooLarge {
        /// The largest sum that fits.
        limit: u64,
    },
}

/// Checks that there is one entry per row; the error names the entries.
pub(crate) fn same_length(what: &'static str, expected: usize, found: usize) -> Result<(), StatisticsError> {
    if expected == found { Ok(()) } else { Err(StatisticsError::Lengths { what, expected, found }) }
}

/// A number strictly between 0 and 1, such as a confidence or a level of significance.
pub(crate) fn open_unit(what: &'static str, value: f64) -> Result<f64, StatisticsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatisticsError::OutOfRange { what, value, position: 1, range: "between 0 and 1, exclusive" })
    }
}
