//! `acidtest predict`: a model's predictions for every example of a corpus, in a file.

use crate::flags::{DataFlags, LimitFlag, ModelFlags, SessionFlags};
use crate::options::refuse_same;
use crate::progress::Terminal;
use crate::show::{counted, visible};
use acidtest_corpus::PredictionForm;
use acidtest_experiment::write_predictions;
use anyhow::{Context, Result};
use clap::Args;
use std::path::{Path, PathBuf};

/// Save a model's predictions
#[derive(Args)]
#[command(long_about = include_str!("help/predict.txt"), after_long_help = include_str!("examples/predict.txt"))]
pub(crate) struct Predict {
    /// Model: a name from `acidtest list models`, the folder of a trained model, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: String,
    /// Corpora to predict
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Write to this file: CSV if it ends in .csv, else JSON lines [default: standard output]
    #[arg(short, long, value_name = "OUT", default_value = "-", hide_default_value = true)]
    output: PathBuf,
    #[command(flatten)]
    limit: LimitFlag,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Predict {
    pub(crate) fn run(self) -> Result<()> {
        PredictionForm::of_path(&self.output)?;
        refuse_same(&self.data, &self.output)?;
        let specs = self.models.specs(std::slice::from_ref(&self.model), &self.read)?;
        refuse_same(&[PathBuf::from(&specs[0].model)], &self.output)?;
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let mut data = self.limit.data(self.read.spec(&self.data)?).resolve_text()?;
        if self.limit.is_set() {
            data = data.load(&session)?.into();
        }
        let model = specs[0].resolve_for(&data, &session).with_context(|| format!("model `{}`", self.model))?;
        let counts = write_predictions(data, &model, &self.output, &session)?;
        drop(terminal);
        eprintln!("{} by {}{}", counted(counts.read, "prediction"), visible(&model.name), written_to(&self.output));
        Ok(())
    }
}

/// Where the predictions are, unless they went to standard output.
fn written_to(output: &Path) -> String {
    if output.as_os_str() == "-" { String::new() } else { format!(" written to {}", visible(&output.display().to_string())) }
}
