//! `acidtest runs`: how far runs of one model differ, from a table of their results.

use crate::flags::ThreadFlags;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::run_table;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Show how far runs of one model differ, from a table with one run a line and one accuracy a column
///
/// For runs whose predictions are at hand, `acidtest compare --runs` says more.
#[derive(Args)]
pub(crate) struct ShowRuns {
    /// Comma separated table with a header; the first column names the run
    #[arg(value_name = "TABLE.csv")]
    table: PathBuf,
    /// Which columns to take together, by name, by how names begin (`ln_,sn_,cn_`), by a pattern (`*_passive`) or from one to another (`FIRST..LAST`); needed
    /// where the table has more than one
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// What a column stands for
    #[arg(long, value_name = "NAME", default_value = "subcase")]
    title: String,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl ShowRuns {
    /// Reads and shows.
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let report = run_table(&self.table, &self.columns, &self.title, &session)?;
        drop(terminal);
        self.show.show(&report)
    }
}
