//! `acidtest evaluate`: predictions against gold labels.

use crate::failed;
use crate::flags::{DataFlags, EvaluationFlags, ModelFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::spec::EvaluationSpec;
use acidtest_experiment::{evaluate, open_models, shorten_names};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Score predictions against gold labels
///
/// Predictions are joined to rows by id, or by row number where they have none. A gold key without text (id, label, tags) is enough.
/// Errors, lengths and shortcuts are shown with --details and on the page of --report.
#[derive(Args)]
pub(crate) struct Evaluate {
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// File of predictions; `FILE@COLUMN` names one of several columns of answers
    #[arg(long, value_name = "FILE", conflicts_with = "model", required_unless_present = "model")]
    predictions: Option<PathBuf>,
    /// Model to ask: the folder of a trained model, a name of `acidtest list models`, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Examples to learn the hypothesis-only heuristic from, for the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// How many of the labels of a random sample that was judged are valid, such as `95/100`: adds the accuracy on valid labels
    #[arg(long, value_name = "VALID/JUDGED", help_heading = "Scoring")]
    valid_labels: Option<String>,
    #[command(flatten)]
    evaluation: EvaluationFlags,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl Evaluate {
    /// Scores and shows.
    pub(crate) fn run(self) -> Result<()> {
        let read = [&self.data, &self.train].into_iter().flatten().chain(&self.predictions).cloned();
        let target = self.page.resolve(&self.show, read.chain(self.model.as_ref().map(PathBuf::from)))?;
        let mut specs = match (&self.predictions, &self.model) {
            (Some(path), _) => self.models.predictions(&path.to_string_lossy(), &self.read)?,
            (None, Some(model)) => self.models.specs(std::slice::from_ref(model), &self.read)?,
            (None, None) => bail!("a model or a file of predictions is needed"),
        };
        shorten_names(&mut specs);
        let spec = EvaluationSpec { valid_labels: self.valid_labels.clone(), ..self.evaluation.spec(&self.read, &self.train)? };
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let rules = spec.resolve(&session)?;
        let data = self.read.spec(&self.data)?.resolve()?.load(&session)?;
        rules.require_cluster_tag(&data.examples)?;
        let models = open_models(&specs, data.label_counts(), &session)?;
        let results = evaluate(&data, &models[0], &rules, &session).map_err(failed)?;
        drop(terminal);
        finish(&target, &results)
    }
}
