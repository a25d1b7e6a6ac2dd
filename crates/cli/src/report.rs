//! `acidtest report`: a saved report in another format.

use crate::page::{PageFlags, finish_stored};
use crate::show::ShowFlags;
use acidtest_experiment::read_report;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Render a saved report
#[derive(Args)]
#[command(long_about = include_str!("help/report.txt"), after_long_help = include_str!("examples/report.txt"))]
pub(crate) struct ShowReport {
    /// Report saved with `--format json` by run, evaluate, compare or another verb
    #[arg(value_name = "REPORT.json")]
    stored: PathBuf,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl ShowReport {
    pub(crate) fn run(self) -> Result<()> {
        let target = self.page.resolve(&self.show, [self.stored.clone()])?;
        finish_stored(&target, &read_report(&self.stored)?)
    }
}
