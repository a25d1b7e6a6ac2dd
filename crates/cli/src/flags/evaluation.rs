//! Flags that say how predictions are scored and explained.

use super::DataFlags;
use acidtest_experiment::spec::{EvaluationSpec, LabelOrderRule, MissingRule, SurplusRule};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// How predictions are scored and explained.
#[derive(Args)]
pub(crate) struct EvaluationFlags {
    /// Tag to break scores down by, such as `genre`, `subcase`, `gold`, or two at once: `heuristic,gold`
    #[arg(long, value_name = "TAG[,TAG]", help_heading = "Scoring")]
    by: Vec<String>,
    /// Tag whose values are the clusters that intervals and p values are over; examples without it are each a cluster of their own
    /// [default: examples of one premise are one cluster, and each generated pair is one]
    #[arg(long, value_name = "TAG", help_heading = "Scoring")]
    cluster: Option<String>,
    /// How predictions are scored against gold: three-way, merged-answers or summed-scores [default: three-way, or merged-answers where a
    /// gold label of the set only says non-entailment]
    #[arg(long, value_name = "RULE", help_heading = "Scoring")]
    scoring: Option<String>,
    /// Count examples without a prediction as wrong, instead of stopping
    #[arg(long, help_heading = "Scoring")]
    allow_missing: bool,
    /// Leave out recorded predictions (by id) for examples that the data does not have, as where the data is a part of the set that was
    /// predicted
    #[arg(long, help_heading = "Scoring")]
    subset: bool,
    /// Go on where another order of the labels fits significantly better
    #[arg(long, help_heading = "Scoring")]
    no_doctor: bool,
    /// Folder of a trained lexical model: shows accuracy where words alone mislead (CS_0.5, CS_0.6, CS_0.7) and how far a model
    /// follows words where they are wrong
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    lexical: Option<PathBuf>,
}

impl EvaluationFlags {
    /// What the flags say; training examples are read as the data is.
    pub(crate) fn spec(&self, read: &DataFlags, train: &[PathBuf]) -> Result<EvaluationSpec> {
        Ok(EvaluationSpec {
            by: self.by.clone(),
            cluster: self.cluster.clone(),
            scoring: self.scoring.clone(),
            missing: if self.allow_missing { MissingRule::CountAsWrong } else { MissingRule::Refuse },
            surplus: if self.subset { SurplusRule::Ignore } else { SurplusRule::Refuse },
            label_order: if self.no_doctor { LabelOrderRule::Accept } else { LabelOrderRule::Refuse },
            train: read.spec_if_any(train)?,
            lexical: self.lexical.clone(),
            ..EvaluationSpec::default()
        })
    }
}
