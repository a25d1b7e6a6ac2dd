//! Flags that say how predictions are scored and explained.

use super::DataFlags;
use acidtest_experiment::spec::{EvaluationSpec, LabelOrderRule, MissingRule, SurplusRule};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// How predictions are scored and explained.
#[derive(Args)]
pub(crate) struct EvaluationFlags {
    /// Also score by this tag, such as `genre`; may be repeated
    ///
    /// A tag of the data, `gold` for the gold label, or two at once: `heuristic,gold`.
    #[arg(long, value_name = "TAG[,TAG]", help_heading = "Scoring")]
    by: Vec<String>,
    /// Tag whose values define the clusters for intervals and p values [default: the premise]
    ///
    /// An example without the tag is a cluster of its own. By default, examples that share a premise form one cluster, and each generated pair forms its own.
    #[arg(long, value_name = "TAG", help_heading = "Scoring")]
    cluster: Option<String>,
    /// How predictions are scored: three-way, merged-answers or summed-scores
    ///
    /// With merged-answers, neutral and contradiction are one label; with summed-scores, their probabilities are added. The default is three-way, or merged-answers
    /// where any gold label of the set is two-way (non-entailment).
    #[arg(long, value_name = "RULE", help_heading = "Scoring")]
    scoring: Option<String>,
    /// Count examples without a prediction as wrong, instead of stopping
    #[arg(long, help_heading = "Scoring")]
    allow_missing: bool,
    /// Ignore saved predictions for examples that the data does not have
    ///
    /// For data that is a subset of the predicted examples; predictions need ids.
    #[arg(long, help_heading = "Scoring")]
    subset: bool,
    /// Continue even if another label order fits significantly better
    #[arg(long, help_heading = "Scoring")]
    no_doctor: bool,
    /// Folder of a trained lexical model: adds the accuracy where words alone mislead
    ///
    /// That is, on the examples that the lexical model gets confidently wrong: CS_0.5, CS_0.6 and CS_0.7 (see `acidtest lexical score`).
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    lexical: Option<PathBuf>,
}

impl EvaluationFlags {
    /// The spec made from the flags; training examples are read like the data.
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
