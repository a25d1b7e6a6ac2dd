//! `acidtest doctor`: were the labels read in the right order?

use crate::Ending;
use crate::flags::{DataFlags, PredictionFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::check_label_order;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Find out whether the labels of predictions are read in the right order
///
/// All six orders are tried. Exit code 0 if the given order holds or the data cannot tell, 3 if another order fits significantly better.
#[derive(Args)]
pub(crate) struct Doctor {
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// File of predictions
    #[arg(long, value_name = "FILE")]
    predictions: String,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    models: PredictionFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl Doctor {
    /// Examines and shows.
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve()?.load(&session)?;
        let model = self.models.predictions(&self.predictions, &self.read)?.resolve(data.label_counts(), &session)?;
        let found = check_label_order(&data, &model, &session)?;
        self.show.show(&found.report)?;
        match found.better {
            Some(better) => Err(Ending::Failed(format!("the given order of the labels is wrong; pass --labels {better}")).into()),
            None => Ok(()),
        }
    }
}
