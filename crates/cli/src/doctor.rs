//! `acidtest doctor`: label order, ids, and models that will not start.

use crate::exit::Failed;
use crate::flags::{DataFlags, LimitFlag, ModelFlags, SessionFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::{check_label_order, open_models};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Diagnose label order, ids and models that will not start
#[derive(Args)]
#[command(long_about = include_str!("help/doctor.txt"), after_long_help = include_str!("examples/doctor.txt"))]
pub(crate) struct Doctor {
    /// Corpora or gold keys with the gold labels
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Saved predictions; `FILE@COLUMN` picks one of several columns
    #[arg(long, value_name = "FILE", conflicts_with = "model", required_unless_present = "model")]
    predictions: Option<String>,
    /// Model: a name from `acidtest list models`, the folder of a trained model, or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    #[command(flatten)]
    limit: LimitFlag,
    #[command(flatten)]
    session: SessionFlags,
    #[command(flatten)]
    models: ModelFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl Doctor {
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let specs = match (&self.predictions, &self.model) {
            (Some(file), _) => self.models.predictions(file, &self.read)?,
            (None, model) => self.models.specs(model.as_slice(), &self.read)?,
        };
        let data = self.limit.data(self.read.spec(&self.data)?).resolve()?.load(&session)?;
        let models = open_models(&specs, data.label_counts(), &session)?;
        let found = check_label_order(&data, &models[0], &session)?;
        drop(terminal);
        self.show.show(&found.report)?;
        match found.better {
            Some(better) => Err(Failed(format!("the labels are in the wrong order; pass --labels {better}")).into()),
            None => Ok(()),
        }
    }
}
