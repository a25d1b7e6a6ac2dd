//! Why a gate is refused before any model is called.

use crate::error::Error;
use acidtest_nli::UnknownName;

/// Why a gate is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GateProblem {
    /// An invalid gate file.
    #[error("{path}:{line}: {message}")]
    File {
        /// The file.
        path: String,
        /// The line.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A gate without checks.
    #[error("there is nothing to check; set a minimum accuracy, a maximum drop, or a baseline with a maximum regression")]
    NothingToCheck,
    /// Regressions without a baseline.
    #[error("there is no baseline to compare with")]
    NoBaseline,
    /// A baseline that no check uses.
    #[error("nothing is compared with the baseline; set a maximum regression, such as all=0,")]
    NoRegressions,
    /// A setting that only affects the report.
    #[error("has no effect on checks, only on the report (to check one group, write SET/TAG=VALUE)")]
    OnlyInReport,
    /// The same check with two different numbers.
    #[error("`{key}` is given twice, with {first} and with {second}; give it once")]
    GivenTwice {
        /// Model, set and group.
        key: String,
        /// One number.
        first: f64,
        /// The other.
        second: f64,
    },
    /// Two checks of one kind on the same examples.
    #[error("`{first}` and `{second}` both check {place}; remove one")]
    CheckedTwice {
        /// One check.
        first: String,
        /// The other.
        second: String,
        /// Model and set.
        place: String,
    },
    /// An unknown name.
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    /// A value that no example has.
    #[error("{tag}: {unknown}")]
    UnknownValue {
        /// The tag.
        tag: String,
        /// The value, and those that are known.
        unknown: UnknownName,
    },
    /// A group that is not `TAG=VALUE`.
    #[error("`{group}` is not a group; expected SET/TAG=VALUE, such as original/genre=fiction")]
    NoGroup {
        /// The text.
        group: String,
    },
    /// A set under the name that it had in earlier versions.
    #[error("the set `{old}` is now called `{new}`")]
    RenamedSet {
        /// The old name.
        old: String,
        /// The new one.
        new: &'static str,
    },
    /// A set without originals, so there is no drop to check.
    #[error("`{set}` is not made from the original examples, so there is no drop to check{}", of_perturbed(.known))]
    NotPerturbed {
        /// The set.
        set: String,
        /// The sets with originals.
        known: Vec<String>,
    },
    /// A set without examples to check.
    #[error("`{set}` has no labelled example, so the check could never fail; use other data or another set")]
    Empty {
        /// The set or challenge.
        set: String,
    },
    /// Two-way and three-way gold labels in one set, without a scoring rule.
    #[error(
        "{two_way} of the {all} gold labels of `{set}` are non-entailment, and others are neutral or contradiction, so all would be scored two-way; \
         use one kind of gold label, or state the scoring rule"
    )]
    MixedGold {
        /// The set.
        set: String,
        /// The number of two-way gold labels.
        two_way: usize,
        /// The number of gold labels.
        all: usize,
    },
    /// A model of the baseline was named for several models.
    #[error("the run has {models} models; a baseline model can be named only for a run with one model")]
    SeveralModels {
        /// The number of models.
        models: usize,
    },
    /// A model that the baseline does not have.
    #[error("{path}: the baseline has no model `{model}` (it has: {})", .known.join(", "))]
    NotInBaseline {
        /// The baseline.
        path: String,
        /// The model.
        model: String,
        /// Those of the baseline.
        known: Vec<String>,
    },
    /// A set that only the run or only the baseline has.
    #[error("{path}: the set `{set}` is {where_it_is}; use the same sets, or check only those in common")]
    OneSided {
        /// The baseline.
        path: String,
        /// The set.
        set: String,
        /// Which of the two has it.
        where_it_is: &'static str,
    },
    /// A baseline on other data.
    #[error("{path}: the set `{set}` differs from that of the baseline: {what}{seeds}")]
    OtherData {
        /// The baseline.
        path: String,
        /// The set.
        set: String,
        /// What differs.
        what: String,
        /// A note that it was made with another seed.
        seeds: String,
    },
    /// A file that is not a baseline.
    #[error("{path}: {message}")]
    BadBaseline {
        /// The file.
        path: String,
        /// What is wrong.
        message: String,
    },
}

/// The sets with originals, for messages.
fn of_perturbed(known: &[String]) -> String {
    if known.is_empty() { "; name a challenge that perturbs them".to_string() } else { format!(" (expected one of: {})", known.join(", ")) }
}

impl GateProblem {
    /// The problem as an error of this field.
    pub(crate) fn at(self, field: &'static str) -> Error {
        Error::Gate { field, problem: Box::new(self) }
    }
}
