//! `acidtest predict`: a model's answers to every row of a corpus, in a file.

use crate::flags::{DataFlags, ModelFlags, SessionFlags};
use crate::options::refuse_same;
use crate::progress::Terminal;
use crate::show::visible;
use acidtest_corpus::PredictionForm;
use acidtest_experiment::write_predictions;
use anyhow::{Context, Result};
use clap::Args;
use std::path::PathBuf;

/// Write a model's answers to every row of a corpus
///
/// One line a row: id, label, and scores where the model has them. `evaluate`, `compare` and `run` read the file with --predictions or --model. Rows need
/// no labels.
#[derive(Args)]
pub(crate) struct Predict {
    /// Model to ask: the folder of a trained model, a name of `acidtest list models`, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: String,
    /// Corpora to answer
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Where the answers go: JSON lines, or comma separated values for a name that ends in `.csv` [default: standard output]
    #[arg(short, long, value_name = "OUT", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Predict {
    /// Asks and writes.
    pub(crate) fn run(self) -> Result<()> {
        PredictionForm::of_path(&self.output)?;
        refuse_same(&self.data, &self.output)?;
        let specs = self.models.specs(std::slice::from_ref(&self.model), &self.read)?;
        refuse_same(&[PathBuf::from(&specs[0].model)], &self.output)?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve_text()?;
        let model = specs[0].resolve_for(&data, &session).with_context(|| format!("model `{}`", self.model))?;
        let counts = write_predictions(data, &model, &self.output, &session)?;
        drop(terminal);
        eprintln!("{} rows answered by {}", counts.read, visible(&model.name));
        Ok(())
    }
}
