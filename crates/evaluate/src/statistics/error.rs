//! What can be wrong with the numbers that come in.

/// Numbers that no statistic can be computed of.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// Nothing to count.
    #[error("no {what}: at least one is needed")]
    Empty {
        /// What there is none of.
        what: &'static str,
    },
    /// Two lists that must run side by side do not.
    #[error("{found} {what} for {expected} rows: there must be one for every row")]
    Lengths {
        /// What the second list holds.
        what: &'static str,
        /// How many rows there are.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// A spread between things needs two of them.
    #[error("only {found} {what}: at least {needed} are needed")]
    TooFew {
        /// What there are too few of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many would do.
        needed: usize,
    },
    /// A number that is no probability, or a probability at which the statistic has no value.
    #[error("{what} {value} (number {position}): it must lie {range}")]
    OutOfRange {
        /// What the number should have been.
        what: &'static str,
        /// The number.
        value: f64,
        /// Its place in the list, from 1.
        position: usize,
        /// Where it must lie, in words.
        range: &'static str,
    },
    /// More rows than the sums can hold.
    #[error("the values add up to more than {limit}: give fewer rows or smaller values")]
    TooLarge {
        /// The largest sum that fits.
        limit: u64,
    },
}

/// One for every row, or an error that names what was counted.
pub(crate) fn same_length(what: &'static str, expected: usize, found: usize) -> Result<(), StatisticsError> {
    if expected == found { Ok(()) } else { Err(StatisticsError::Lengths { what, expected, found }) }
}

/// A number strictly between 0 and 1, such as a confidence or a level of significance.
pub(crate) fn open_unit(what: &'static str, value: f64) -> Result<f64, StatisticsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatisticsError::OutOfRange { what, value, position: 1, range: "between 0 and 1, both left out" })
    }
}
