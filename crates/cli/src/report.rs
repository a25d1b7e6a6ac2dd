//! `acidtest report`: a stored report in another form.

use crate::page::{PageFlags, finish_stored};
use crate::show::ShowFlags;
use acidtest_experiment::read_report;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Show a stored report in another form
///
/// Reports are stored by `--format json` of run, evaluate and compare. Only those commands have the rows, so that a page made here has no
/// examples.
#[derive(Args)]
pub(crate) struct ShowReport {
    /// The report
    #[arg(value_name = "REPORT.json")]
    stored: PathBuf,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

impl ShowReport {
    /// Shows it.
    pub(crate) fn run(self) -> Result<()> {
        let target = self.page.resolve(&self.show, [self.stored.clone()])?;
        finish_stored(&target, &read_report(&self.stored)?)
    }
}
