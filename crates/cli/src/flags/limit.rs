//! `--limit`: uses only the first examples of the data.

use acidtest_experiment::spec::{DataSpec, EvaluationSpec, ModelSpec, SurplusRule};
use clap::Args;
use std::num::NonZeroUsize;

/// How many examples are used.
#[derive(Args)]
pub(crate) struct LimitFlag {
    /// Use only the first N examples of the data, for a quick trial
    #[arg(long, value_name = "N", help_heading = "Reading data")]
    limit: Option<NonZeroUsize>,
}

impl LimitFlag {
    pub(crate) fn data(&self, spec: DataSpec) -> DataSpec {
        DataSpec { limit: self.limit, ..spec }
    }

    /// The evaluation with `--limit`: saved predictions for the other examples are ignored.
    pub(crate) fn evaluation(&self, spec: EvaluationSpec, models: &[ModelSpec]) -> EvaluationSpec {
        let saved = |model: &ModelSpec| model.kind().is_ok_and(|kind| kind.name == "predictions");
        let surplus = if self.limit.is_some() && models.iter().any(saved) { SurplusRule::IgnoreLater } else { spec.surplus };
        EvaluationSpec { surplus, ..spec }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.limit.is_some()
    }
}
