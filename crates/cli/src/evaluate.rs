//! `acidtest evaluate`: predictions against gold labels.

use crate::exit::failed;
use crate::flags::{DataFlags, EvaluationFlags, LimitFlag, ModelFlags, SessionFlags};
use crate::page::{PageFlags, finish};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::spec::EvaluationSpec;
use acidtest_experiment::{evaluate, open_models};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Score a model or saved predictions
#[derive(Args)]
#[command(group = clap::ArgGroup::new("scored").required(true).args(["predictions", "model"]), long_about = include_str!("help/evaluate.txt"), after_long_help = include_str!("examples/evaluate.txt"))]
pub(crate) struct Evaluate {
    /// Corpora or gold keys with the gold labels
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Saved predictions; `FILE@COLUMN` picks one of several columns
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Model: a name from `acidtest list models`, the folder of a trained model, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Training examples for the hypothesis-only heuristic of the diagnosis
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<PathBuf>,
    /// Number of valid labels in a random sample that people checked, such as `95/100`: adds the accuracy on valid labels
    #[arg(long, value_name = "VALID/JUDGED", help_heading = "Scoring")]
    valid_labels: Option<String>,
    #[command(flatten)]
    limit: LimitFlag,
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
    pub(crate) fn run(self) -> Result<()> {
        let read = [&self.data, &self.train].into_iter().flatten().chain(&self.predictions).cloned();
        let target = self.page.resolve(&self.show, read.chain(self.model.as_ref().map(PathBuf::from)))?;
        let mut specs = match (&self.predictions, &self.model) {
            (Some(path), _) => self.models.predictions(&path.to_string_lossy(), &self.read)?,
            (None, model) => self.models.specs(model.as_slice(), &self.read)?,
        };
        // Reports call a file by its name, wherever it lies.
        let file_name = self.predictions.as_ref().and_then(|path| path.file_name());
        if let (Some(spec), Some(name)) = (specs.first_mut(), file_name) {
            spec.name.get_or_insert(name.to_string_lossy().into_owned());
        }
        let spec = EvaluationSpec {
            valid_labels: self.valid_labels.clone(),
            ..self.limit.evaluation(self.evaluation.spec(&self.read, &self.train)?, &specs)
        };
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let rules = spec.resolve(&session)?;
        let data = self.limit.data(self.read.spec(&self.data)?).resolve()?.load(&session)?;
        rules.require_cluster_tag(&data.examples)?;
        let models = open_models(&specs, data.label_counts(), &session)?;
        let results = evaluate(&data, &models[0], &rules, &session).map_err(|error| failed(error, 1))?;
        drop(terminal);
        finish(&target, &results)
    }
}
