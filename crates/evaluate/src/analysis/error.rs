//! Errors of analyses.

use crate::statistics::StatisticsError;
use acidtest_nli::UnknownName;

/// Input that cannot be analysed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AnalysisError {
    /// Too few models.
    #[error("{found} models were given, and at least {needed} are needed")]
    TooFewModels {
        /// How many were given.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Two models of the same name.
    #[error("two models are named `{name}`: give each its own name")]
    DoubleName {
        /// The name.
        name: String,
    },
    /// Models that were scored by different rules.
    #[error("`{first}` and `{second}` were scored by different rules: score both the same way")]
    DifferentScoring {
        /// One model.
        first: String,
        /// The other.
        second: String,
    },
    /// Models with different numbers of examples.
    #[error("`{first}` has {expected} labelled examples and `{second}` has {found}: both must have predictions for the same examples")]
    DifferentCounts {
        /// One model.
        first: String,
        /// The other.
        second: String,
        /// Examples of the first.
        expected: usize,
        /// Examples of the second.
        found: usize,
    },
    /// Models with predictions for different examples.
    #[error(
        "`{first}` and `{second}` have predictions for different examples: where one has `{id}`, the other has `{other}` or another gold label"
    )]
    DifferentRows {
        /// One model.
        first: String,
        /// The other.
        second: String,
        /// An example of the first.
        id: String,
        /// The example of the second at the same index.
        other: String,
    },
    /// A list without one entry per example.
    #[error("{found} {what} for {expected} rows: there must be one for every row, labelled or not")]
    NotBesideRows {
        /// What the list contains.
        what: String,
        /// The number of examples.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// No example with a gold label.
    #[error("none of the {rows} examples has a gold label and a prediction")]
    NoLabelledRows {
        /// The number of examples.
        rows: usize,
    },
    /// A judged label of an example that is not there, or has no gold label.
    #[error("the judged label of `{id}` matches no labelled example of the data: are these labels for another file?")]
    UnknownJudged {
        /// The id.
        id: String,
    },
    /// Two judged labels of one example, or two examples of one id.
    #[error("`{id}` has several judged labels or belongs to several examples: give one label for each example")]
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
        "none of the {rows} perturbed examples has a `parent` among the {original} labelled original examples: were these sets made from the same source?"
    )]
    NoParents {
        /// The number of perturbed examples.
        rows: usize,
        /// The number of original examples.
        original: usize,
    },
    /// A tag that no example has.
    #[error(transparent)]
    Tag(#[from] UnknownName),
    /// Counts for which no statistic can be computed.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}
