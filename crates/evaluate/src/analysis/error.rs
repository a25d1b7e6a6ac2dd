//! What can be wrong with the rows that an analysis is given.

use crate::statistics::StatisticsError;
use acidtest_nli::UnknownName;

/// Rows that an analysis can make nothing of.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// A comparison of nothing.
    #[error("{found} models were given, and at least {needed} are needed")]
    TooFewModels {
        /// How many there are.
        found: usize,
        /// How many would do.
        needed: usize,
    },
    /// Two models of the same name.
    #[error("two models are named `{name}`: give each its own name")]
    DoubleName {
        /// The name.
        name: String,
    },
    /// Models whose answers were judged by different rules.
    #[error("`{first}` and `{second}` were scored by different rules: score both the same way")]
    DifferentScoring {
        /// One model.
        first: String,
        /// The other.
        second: String,
    },
    /// Models with different numbers of rows.
    #[error("`{first}` has {expected} labelled rows and `{second}` has {found}: both must answer the same rows")]
    DifferentCounts {
        /// One model.
        first: String,
        /// The other.
        second: String,
        /// Rows of the first.
        expected: usize,
        /// Rows of the second.
        found: usize,
    },
    /// Models that were asked about different rows.
    #[error("`{first}` and `{second}` do not answer the same rows: where one has `{id}`, the other has `{other}` or another gold label")]
    DifferentRows {
        /// One model.
        first: String,
        /// The other.
        second: String,
        /// A row of the first.
        id: String,
        /// The row of the second in its place.
        other: String,
    },
    /// A list that should run beside the rows and does not.
    #[error("{found} {what} for {expected} rows: there must be one for every row, labelled or not")]
    NotBesideRows {
        /// What the list holds.
        what: String,
        /// How many rows there are.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// No row with a gold label.
    #[error("none of the {rows} examples has a gold label and a prediction")]
    NoLabelledRows {
        /// Rows without.
        rows: usize,
    },
    /// A judged label of an example that is not there, or has no gold label.
    #[error("the judged label of `{id}` is for no labelled example of the data: are these labels for another file?")]
    UnknownJudged {
        /// The id.
        id: String,
    },
    /// Two judged labels of one example, or two examples of one id.
    #[error("`{id}` has several judged labels or stands for several examples: give one label for each example")]
    JudgedTwice {
        /// The id.
        id: String,
    },
    /// A judged label that does not say which of two labels it means.
    #[error("the judged label of `{id}` is `non-entailment`, which three-way scoring cannot use: give the label itself, or score two-way")]
    JudgedTwoWay {
        /// The id.
        id: String,
    },
    /// No example says which one it was made from, or none of those is there.
    #[error(
        "none of the {rows} perturbed examples has a `parent` among the {original} labelled original examples: are these sets of the same source?"
    )]
    NoParents {
        /// Perturbed examples.
        rows: usize,
        /// Original examples.
        original: usize,
    },
    /// A tag that no row has.
    #[error(transparent)]
    Tag(#[from] UnknownName),
    /// Numbers that no statistic can be computed of.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}
