//! `acidtest report`: a stored report in another form.

use crate::page::PageFlags;
use crate::show::ShowFlags;
use acidtest_evaluate::report::json;
use anyhow::{Context, Result};
use clap::Args;
use std::path::PathBuf;

/// Show a stored report in another form, or check it
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
        let text = std::fs::read_to_string(&self.stored).with_context(|| format!("{}: cannot be read", self.stored.display()))?;
        let report = json::read(&text).with_context(|| format!("{}: not a report", self.stored.display()))?;
        self.show.show(&report)?;
        self.page.finish_stored(&report)
    }
}
