//! `acidtest compare --results`: how far runs of one model differ, from a table of their accuracies.

use crate::flags::SessionFlags;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::run_table;
use anyhow::Result;
use clap::Args;
use std::path::{Path, PathBuf};

/// A table of results instead of models.
#[derive(Args)]
pub(super) struct ResultsFlags {
    /// CSV table with one run per line and one accuracy per column, instead of models
    ///
    /// Shows how much the runs differ. The first column names the run.
    #[arg(long, value_name = "TABLE", conflicts_with_all = OF_MODELS.split(' '), help_heading = "Table of results")]
    results: Option<PathBuf>,
    /// Columns of the table to analyse together [default: the only one]
    ///
    /// By name, by prefix (`ln_,sn_,cn_`), by pattern (`*_passive`) or as a range (`FIRST..LAST`).
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', requires = "results", help_heading = "Table of results")]
    columns: Vec<String>,
    /// What the columns are called in the report [default: subcase]
    #[arg(long, value_name = "NAME", requires = "results", help_heading = "Table of results")]
    title: Option<String>,
}

/// Flags for models and predictions, which do not apply to a table.
const OF_MODELS: &str = "compared arm data limit every_pair runs train by cluster scoring allow_missing subset no_doctor lexical labels prediction_column \
    batch_size workers timeout model_version cache no_cache reuse refresh data_labels label_map column skip_bad_rows ids report";

impl ResultsFlags {
    pub(super) fn table(&self) -> Option<&PathBuf> {
        self.results.as_ref()
    }

    /// Reads the table and shows how much its runs differ.
    pub(super) fn show(&self, table: &Path, session: &SessionFlags, show: &ShowFlags) -> Result<()> {
        let terminal = Terminal::new();
        let session = session.without_cache(&terminal)?;
        let report = run_table(table, &self.columns, self.title.as_deref().unwrap_or("subcase"), &session)?;
        drop(terminal);
        show.show(&report)
    }
}
