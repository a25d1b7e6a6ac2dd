//! `acidtest report`: a saved report in another format.

use crate::page::{PageFlags, finish_stored};
use crate::show::ShowFlags;
use acidtest_experiment::read_report;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Render a saved report
///
/// You get a report that `--format json` saved as text, Markdown, LaTeX, CSV or an HTML page. The page has no examples: only the command that saved the report had them.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ShowReport {
    /// Report that `--format json` of run, evaluate, compare or another verb saved
    #[arg(value_name = "REPORT.json")]
    stored: PathBuf,
    #[command(flatten)]
    show: ShowFlags,
    #[command(flatten)]
    page: PageFlags,
}

const EXAMPLES: &str = "Examples:
  acidtest report report.json
  acidtest report report.json --format latex -o table.tex
  acidtest report report.json --report page";

impl ShowReport {
    /// Shows it.
    pub(crate) fn run(self) -> Result<()> {
        let target = self.page.resolve(&self.show, [self.stored.clone()])?;
        finish_stored(&target, &read_report(&self.stored)?)
    }
}
