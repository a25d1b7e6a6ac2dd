//! What came of a check, beside the number that was measured.

use super::{Outcome, PairedEvidence, Rule};
use crate::measurement::Measurement;
use crate::report::nine_digits;
use crate::statistics::{Interval, Proportion};
use serde::{Deserialize, Serialize};

/// What a gate asks of a measured number, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// What is asked, with its bound or margin.
    pub rule: Rule,
    /// What came of it.
    pub outcome: Outcome,
    /// The paired test of a drop; none for an accuracy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paired: Option<PairedResult>,
}

/// The paired test of a drop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairedResult {
    /// What is compared with: the accuracy on the parents, or that of the baseline.
    pub before: Proportion,
    /// The one-sided 95 % ends of the drop: it is not below the lower and not above the upper one. None where all examples are of one cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<Interval>,
    /// In how many clusters the two differ.
    pub differing_clusters: u64,
    /// The one-sided p value before it is corrected.
    pub p_alone: f64,
    /// What the p value was corrected for: so many tests, which are the drops of the gate that could be significant.
    pub tests: usize,
    /// Whether a baseline has the very same predictions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub identical: bool,
    /// Why a drop says nothing of this model, where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaningless: Option<String>,
}

impl PairedEvidence {
    /// The drop as a measurement.
    pub(super) fn measured(&self, number: Measurement) -> Measurement {
        let value = if self.now.total == 0 { 0.0 } else { nine_digits(self.drop()) };
        Measurement { value, counts: Some(self.now), clusters: Some(self.difference.clusters()), ..number }
    }

    /// What the test comes to among so many.
    pub(super) fn result(&self, tests: usize) -> PairedResult {
        let ends = self.drop_ends();
        PairedResult {
            before: self.before,
            one_sided: (self.difference.clusters() > 1).then(|| Interval { low: nine_digits(ends.low), high: nine_digits(ends.high) }),
            differing_clusters: self.difference.differing_clusters(),
            p_alone: nine_digits(self.difference.p_of_drop()),
            tests,
            identical: self.identical,
            meaningless: self.meaningless.clone(),
        }
    }
}

/// A measurement that a gate checked: all that renderers read.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'m> {
    /// The number.
    pub measured: &'m Measurement,
    /// What was asked of it, and what came of it.
    pub result: &'m CheckResult,
}

impl<'m> Checked<'m> {
    /// The measurements of a list that were checked, in their order.
    pub fn all(list: &'m [Measurement]) -> Vec<Self> {
        list.iter().filter_map(|measured| Some(Checked { measured, result: measured.check.as_deref()? })).collect()
    }

    /// What came of it.
    pub fn outcome(self) -> Outcome {
        self.result.outcome
    }

    /// How many examples it rests on.
    pub(super) fn examples(self) -> u64 {
        self.measured.counts.map_or(0, |counts| counts.total)
    }

    /// How many clusters they make.
    pub(super) fn clusters(self) -> u64 {
        self.measured.clusters.unwrap_or_default()
    }
}
